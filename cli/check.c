/* nlm check: what is in facts of one's own, what looks wrong, and what learning from them needs. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "engine.h"
#include "json_text.h"
#include "message.h"
#include "numbers.h"
#include "options.h"
#include "read_facts.h"

enum { WORLDS_LISTED = 10 };

/* ---- texts ---- */

const char *check_predicate(const nlm_predicate *predicate, char text[CHECK_TEXT])
{
    nlm_predicate_text(predicate, text, CHECK_TEXT);
    return text;
}

/* Names come from files, and are not all fit for a line. */
static char *clean(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return text;
}

const char *check_object(const check *of, const nlm_world *world, int object, char text[CHECK_TEXT])
{
    snprintf(text, CHECK_TEXT, "%.80s", nlm_signature_atom(of->signature, world, object));
    return clean(text);
}

const char *check_world(const check *of, const char *before, int world, char text[CHECK_TEXT])
{
    const char *name = nlm_problem_world_name(of->problem, world);
    snprintf(text, CHECK_TEXT, "%s%.80s", *name != '\0' ? before : "", name);
    return clean(text);
}

const char *check_fact(const check *of, int world, int target, const int *tuple, char text[CHECK_TEXT])
{
    char where[CHECK_TEXT];
    nlm_fact_text(of->signature, nlm_signature_target(of->signature, target),
                  nlm_problem_world(of->problem, world), tuple, text, CHECK_TEXT);
    const size_t used = strlen(text);
    snprintf(text + used, CHECK_TEXT - used, "%s", check_world(of, " of ", world, where));
    return text;
}

bool check_is_own(const nlm_predicate *input)
{
    return !input->is_type;
}

static const char *number_text(double number, char text[NUMBER_TEXT])
{
    if (number < 1e15)
        return number_count_text((size_t)number, text);
    snprintf(text, NUMBER_TEXT, "%.1e", number);
    return text;
}

/* "person, city", or nothing without types */
static const char *types_text(const nlm_predicate *predicate, char text[CHECK_TEXT])
{
    bool any = false;
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < predicate->arity; k++)
        any |= predicate->type[k][0] != '\0';
    for (int k = 0; k < predicate->arity && any && used < CHECK_TEXT; k++)
        used += (size_t)snprintf(text + used, CHECK_TEXT - used, "%s%s", k > 0 ? ", " : "",
                                 predicate->type[k][0] != '\0' ? predicate->type[k] : "any");
    return text;
}

/* ---- counts ---- */

/* The type of object number `object` of a predicate's tuples. */
static const char *type_of(const nlm_predicate *predicate, int object)
{
    for (int k = 0; k < predicate->arity; k++) {
        if (predicate->place[k] == object)
            return predicate->type[k];
    }
    return "";
}

/* How many objects of the world have a type; all, if it is "". */
static double objects_of_type(const nlm_signature *signature, const nlm_world *world, const char *type)
{
    char own[CHECK_TEXT];
    int count = 0;
    for (int o = 0; o < nlm_world_objects(world) && *type != '\0'; o++) {
        nlm_signature_type(signature, world, o, own, sizeof own);
        count += strcmp(own, type) == 0;
    }
    return *type != '\0' ? count : nlm_world_objects(world);
}

/* How many tuples have the types of a predicate: an object with a type has one; those of any type come last.
 */
static double tuples_that_fit(const nlm_signature *signature, const nlm_predicate *predicate,
                              const nlm_world *world)
{
    double count = 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < predicate->objects; k++) {
            const char *type = type_of(predicate, k);
            if ((*type == '\0') != (pass == 1))
                continue;
            int taken = 0; /* by the objects before, of this type or, if it is any, of all */
            for (int other = 0; other < predicate->objects; other++) {
                const char *before = type_of(predicate, other);
                const bool earlier = other < k || (pass == 1 && *before != '\0');
                taken += earlier && (pass == 1 || strcmp(before, type) == 0);
            }
            count *= fmax(objects_of_type(signature, world, type) - taken, 0);
        }
    }
    return count;
}

static void count_target(const check *of, const nlm_world *world, int target, target_count *sum)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    const signed char *labels;
    nlm_label by_default;
    const size_t listed = nlm_world_labels(world, target, NULL, &labels, &by_default);
    double count[2] = {0, 0}, unlabelled = 0;
    for (size_t l = 0; l < listed; l++) {
        if (labels[l] == NLM_UNLABELLED)
            unlabelled++;
        else
            count[labels[l]]++;
    }
    const double all = tuples_that_fit(of->signature, predicate, world);
    const double rest = fmax(all - count[0] - count[1] - (by_default != NLM_UNLABELLED ? unlabelled : 0), 0);
    if (by_default != NLM_UNLABELLED)
        count[by_default] += rest;
    sum->positive += count[NLM_TRUE];
    sum->negative += count[NLM_FALSE];
    sum->unlabelled += fmax(all - count[0] - count[1], 0);
}

static bool count_all(check *of)
{
    const int inputs = nlm_signature_inputs(of->signature);
    of->facts = calloc((size_t)inputs + 1, sizeof *of->facts);
    if (of->facts == NULL) {
        message_error("check: not enough memory");
        return false;
    }
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const nlm_world *world = nlm_problem_world(of->problem, w);
        for (int p = 0; p < inputs; p++)
            of->facts[p] += nlm_world_facts(world, p, NULL, NULL);
        for (int t = 0; t < nlm_signature_targets(of->signature); t++)
            count_target(of, world, t, &of->targets[t]);
    }
    return true;
}

static size_t facts_of_world(const check *of, const nlm_world *world)
{
    size_t facts = 0;
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        if (check_is_own(nlm_signature_input(of->signature, p)))
            facts += nlm_world_facts(world, p, NULL, NULL);
    }
    return facts;
}

/* ---- for people ---- */

static void print_summary(const check *of)
{
    const int worlds = nlm_problem_worlds(of->problem);
    int least = nlm_world_objects(nlm_problem_world(of->problem, 0)), most = least;
    double sum = 0;
    for (int w = 0; w < worlds; w++) {
        const int objects = nlm_world_objects(nlm_problem_world(of->problem, w));
        least = objects < least ? objects : least;
        most = objects > most ? objects : most;
        sum += objects;
    }
    printf("%s: %d world%s of ", of->path, worlds, worlds == 1 ? "" : "s");
    if (least == most)
        printf("%d object%s", most, most == 1 ? "" : "s");
    else
        printf("%d to %d objects, %.1f on average", least, most, sum / worlds);
    puts(!nlm_problem_labelled(of->problem) ? "; no labels"
         : nlm_problem_closed(of->problem)  ? "; closed world: tuples that are not listed are false"
                                            : "; open world: tuples that are not listed are unlabelled");
}

static void print_worlds(const check *of)
{
    const int worlds = nlm_problem_worlds(of->problem);
    if (worlds == 1)
        return;
    printf("\n%-24s %8s %12s\n", "world", "objects", "facts");
    for (int w = 0; w < worlds && w < WORLDS_LISTED; w++) {
        const nlm_world *world = nlm_problem_world(of->problem, w);
        char name[CHECK_TEXT], facts[NUMBER_TEXT];
        printf("%-24s %8d %12s\n", check_world(of, "", w, name), nlm_world_objects(world),
               number_count_text(facts_of_world(of, world), facts));
    }
    if (worlds > WORLDS_LISTED)
        printf("and %d more\n", worlds - WORLDS_LISTED);
}

/* What stands last in a line, if anything does. */
static void print_last(const char *text)
{
    printf("%s%s\n", *text != '\0' ? "  " : "", text);
}

static void print_inputs(const check *of)
{
    char name[CHECK_TEXT], types[CHECK_TEXT], facts[NUMBER_TEXT];
    if (nlm_signature_inputs(of->signature) == 0)
        return;
    printf("\n%-24s %12s", "input", "facts");
    print_last(nlm_signature_typed(of->signature) ? "types" : "");
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        printf("%-24s %12s", check_predicate(input, name), number_count_text(of->facts[p], facts));
        print_last(check_is_own(input) ? types_text(input, types) : "the objects of this type");
    }
}

static void print_targets(const check *of)
{
    char name[CHECK_TEXT], types[CHECK_TEXT], counts[3][NUMBER_TEXT];
    if (nlm_signature_targets(of->signature) == 0)
        return;
    printf("\n%-24s %12s %12s %12s", "target", "true", "false", "unlabelled");
    print_last(nlm_signature_typed(of->signature) ? "types" : "");
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_predicate *target = nlm_signature_target(of->signature, t);
        const target_count *count = &of->targets[t];
        printf("%-24s %12s %12s %12s", check_predicate(target, name), number_text(count->positive, counts[0]),
               number_text(count->negative, counts[1]), number_text(count->unlabelled, counts[2]));
        print_last(types_text(target, types));
    }
}

/* ---- as JSON ---- */

static void json_predicate(const nlm_predicate *predicate)
{
    char name[CHECK_TEXT];
    fputs("{\"predicate\": ", stdout);
    json_text(stdout, check_predicate(predicate, name));
    printf(", \"arity\": %d, \"types\": [", predicate->arity);
    for (int k = 0; k < predicate->arity; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        json_text(stdout, predicate->type[k]);
    }
    putchar(']');
}

static void json_content(const check *of)
{
    fputs("{\"path\": ", stdout);
    json_text(stdout, of->path);
    printf(", \"labelled\": %s, \"closed_world\": %s, \"worlds\": [",
           nlm_problem_labelled(of->problem) ? "true" : "false",
           nlm_problem_closed(of->problem) ? "true" : "false");
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const nlm_world *world = nlm_problem_world(of->problem, w);
        fputs(w > 0 ? ", {\"name\": " : "{\"name\": ", stdout);
        json_text(stdout, nlm_problem_world_name(of->problem, w));
        printf(", \"objects\": %d, \"facts\": %zu}", nlm_world_objects(world), facts_of_world(of, world));
    }
    fputs("], \"inputs\": [", stdout);
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        fputs(p > 0 ? ", " : "", stdout);
        json_predicate(nlm_signature_input(of->signature, p));
        printf(", \"facts\": %zu}", of->facts[p]);
    }
    fputs("], \"targets\": [", stdout);
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const target_count *count = &of->targets[t];
        fputs(t > 0 ? ", " : "", stdout);
        json_predicate(nlm_signature_target(of->signature, t));
        printf(", \"true\": %.15g, \"false\": %.15g, \"unlabelled\": %.15g}", count->positive,
               count->negative, count->unlabelled);
    }
    putchar(']');
}

/* ---- the command ---- */

static void print_content(const check *of)
{
    print_summary(of);
    print_worlds(of);
    print_inputs(of);
    print_targets(of);
}

static bool check_problem(check *of)
{
    if (!count_all(of))
        return false;
    if (of->json)
        json_content(of);
    else
        print_content(of);
    fflush(stdout); /* the rest may take long */
    if (!check_warnings(of))
        return false;
    check_needs(of);
    check_templates(of);
    if (of->json)
        puts("}");
    return true;
}

int command_check(int argc, char **argv)
{
    check of = {.options = {.threads = engine_processors()}};
    char *targets = NULL;
    bool closed_world = false;
    const option_row rows[] = {
        {"target", "LIST", "what is to be concluded, as uncle/2 or uncle,aunt", OPTION_TEXT,
         .value = &targets},
        {"closed-world", NULL, "every tuple of a target that is not listed is false", OPTION_FLAG,
         .value = &closed_world},
        {"json", NULL, "one JSON object", OPTION_FLAG, .value = &of.json},
    };
    const command_usage usage = {
        "check",
        "PATH",
        "Reads facts of your own, a file, a folder or standard input (-), and tells what is in them, what\n"
        "looks wrong, and which depth and breadth a machine needs to tell all their labels apart; and if\n"
        "there is a templates.pl beside them, whether differentiable ILP could use it.",
        rows,
        sizeof rows / sizeof rows[0],
        1,
        1};
    int first, status;
    target_list list = {0};
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if ((targets != NULL && !target_list_read("check", targets, &list)) ||
        !engine_from_environment(&of.options))
        return EXIT_USAGE;
    const nlm_reading reading = {
        .targets = list.targets, .target_count = list.count, .closed_world = closed_world};
    nlm_problem *problem;
    if (!problem_load("check", argv[first], &reading, true, &problem))
        return EXIT_FAILURE;
    of.argument = argv[first];
    of.path = problem_title(argv[first]);
    of.problem = problem;
    of.signature = nlm_problem_signature(problem);
    const bool good = check_problem(&of);
    free(of.facts);
    nlm_problem_free(problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

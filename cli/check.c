/* nlm check: what is in facts of one's own, what looks wrong, and what learning from them needs. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "system.h"
#include "nlm/tools.h"
#include "message.h"
#include "options.h"
#include "read_facts.h"

enum { WORLDS_LISTED = 10 };

/* ---- texts ---- */

const char *check_predicate(const nlm_predicate *predicate, char text[CHECK_TEXT])
{
    nlm_predicate_text(predicate, text, CHECK_TEXT);
    return text;
}

static const char *number_text(double number, char text[NLM_NUMBER_TEXT])
{
    if (number < 1e15)
        return nlm_count_text((size_t)number, text);
    snprintf(text, NLM_NUMBER_TEXT, "%.1e", number);
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
        char name[CHECK_TEXT], facts[NLM_NUMBER_TEXT];
        nlm_problem_world_text(of->problem, "", w, name, sizeof name);
        printf("%-24s %8d %12s\n", name, nlm_world_objects(world),
               nlm_count_text(nlm_problem_content(of->problem, w).facts, facts));
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
    char name[CHECK_TEXT], types[CHECK_TEXT], facts[NLM_NUMBER_TEXT];
    if (nlm_signature_inputs(of->signature) == 0)
        return;
    printf("\n%-24s %12s", "input", "facts");
    print_last(nlm_signature_typed(of->signature) ? "types" : "");
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        printf("%-24s %12s", check_predicate(input, name),
               nlm_count_text(nlm_problem_count_facts(of->problem, p), facts));
        print_last(!input->is_type ? types_text(input, types) : "the objects of this type");
    }
}

static void print_targets(const check *of)
{
    char name[CHECK_TEXT], types[CHECK_TEXT], counts[3][NLM_NUMBER_TEXT];
    if (nlm_signature_targets(of->signature) == 0)
        return;
    printf("\n%-24s %12s %12s %12s", "target", "true", "false", "unlabelled");
    print_last(nlm_signature_typed(of->signature) ? "types" : "");
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_predicate *target = nlm_signature_target(of->signature, t);
        const nlm_label_count count = nlm_problem_count_labels(of->problem, t);
        printf("%-24s %12s %12s %12s", check_predicate(target, name), number_text(count.positive, counts[0]),
               number_text(count.negative, counts[1]), number_text(count.unlabelled, counts[2]));
        print_last(types_text(target, types));
    }
}

/* ---- as JSON ---- */

static void json_predicate(const nlm_predicate *predicate)
{
    char name[CHECK_TEXT];
    fputs("{\"predicate\": ", stdout);
    nlm_json_text(stdout, check_predicate(predicate, name));
    printf(", \"arity\": %d, \"types\": [", predicate->arity);
    for (int k = 0; k < predicate->arity; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        nlm_json_text(stdout, predicate->type[k]);
    }
    putchar(']');
}

static void json_content(const check *of)
{
    fputs("{\"path\": ", stdout);
    nlm_json_text(stdout, of->path);
    printf(", \"labelled\": %s, \"closed_world\": %s, \"worlds\": [",
           nlm_problem_labelled(of->problem) ? "true" : "false",
           nlm_problem_closed(of->problem) ? "true" : "false");
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const nlm_world *world = nlm_problem_world(of->problem, w);
        fputs(w > 0 ? ", {\"name\": " : "{\"name\": ", stdout);
        nlm_json_text(stdout, nlm_problem_world_name(of->problem, w));
        printf(", \"objects\": %d, \"facts\": %zu}", nlm_world_objects(world),
               nlm_problem_content(of->problem, w).facts);
    }
    fputs("], \"inputs\": [", stdout);
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        fputs(p > 0 ? ", " : "", stdout);
        json_predicate(nlm_signature_input(of->signature, p));
        printf(", \"facts\": %zu}", nlm_problem_count_facts(of->problem, p));
    }
    fputs("], \"targets\": [", stdout);
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_label_count count = nlm_problem_count_labels(of->problem, t);
        fputs(t > 0 ? ", " : "", stdout);
        json_predicate(nlm_signature_target(of->signature, t));
        printf(", \"true\": %.15g, \"false\": %.15g, \"unlabelled\": %.15g}", count.positive, count.negative,
               count.unlabelled);
    }
    putchar(']');
}

/* ---- what looks wrong ---- */

static void print_notes(const check *of)
{
    const int notes = nlm_problem_notes(of->problem);
    if (of->json)
        fputs(", \"notes\": [", stdout);
    for (int n = 0; n < notes; n++) {
        const char *note = nlm_problem_note(of->problem, n);
        if (of->json) {
            fputs(n > 0 ? ", " : "", stdout);
            nlm_json_text(stdout, note);
        } else {
            printf("%snote: %s\n", n == 0 ? "\n" : "", note);
        }
    }
    if (of->json)
        putchar(']');
}

static nlm_status print_warning(void *context, const char *text, nlm_error *error)
{
    check *of = context;
    (void)error;
    if (of->json) {
        fputs(of->warnings > 0 ? ", " : "", stdout);
        nlm_json_text(stdout, text);
    } else {
        printf("%swarning: %s\n", of->warnings == 0 ? "\n" : "", text);
    }
    of->warnings++;
    return NLM_OK;
}

/* False after an error line. */
static bool print_warnings(check *of)
{
    nlm_error error;
    print_notes(of);
    if (of->json)
        fputs(", \"warnings\": [", stdout);
    const bool good = nlm_problem_warnings(of->problem, print_warning, of, &error) == NLM_OK;
    if (!good)
        message_error("check: %s", error.message);
    if (of->json)
        putchar(']');
    return good;
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
    if (of->json)
        json_content(of);
    else
        print_content(of);
    fflush(stdout); /* the rest may take long */
    if (!print_warnings(of))
        return false;
    check_needs(of);
    check_templates(of);
    if (of->json)
        puts("}");
    return true;
}

int command_check(int argc, char **argv)
{
    check of = {.options = {.threads = system_processors()}};
    char *targets = NULL;
    bool closed_world = false;
    const option_row rows[] = {
        {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt", OPTION_TEXT, .value = &targets},
        {"closed-world", NULL, "unlisted tuples of a target are false", OPTION_FLAG, .value = &closed_world},
        {"json", NULL, "print one JSON object", OPTION_FLAG, .value = &of.json},
    };
    const command_usage usage = {
        "check",
        "PATH",
        "Reads facts from a file, a folder or standard input (-) and prints a summary, warnings, and the\n"
        "depth and breadth that a machine needs to separate the labels; with a templates.pl beside the\n"
        "facts, also whether differentiable ILP can use it.",
        rows,
        sizeof rows / sizeof rows[0],
        1,
        1};
    int first, status;
    target_list list = {0};
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if ((targets != NULL && !target_list_read("check", targets, &list)) || !system_options(&of.options))
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
    nlm_problem_free(problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* nlm check: what is in facts of one's own, what looks wrong, which depth and breadth the labels need (and if
 * none suffices, two tuples that are alike), and what differentiable ILP would make of the templates beside
 * the facts; with a model, instead, what these facts ask of it (check_questions.c).
 *
 * Each part prints for people or, with `json`, members of one JSON object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_questions.h"
#include "commands.h"
#include "system.h"
#include "message.h"
#include "options.h"
#include "pddl_files.h"
#include "read_facts.h"

enum {
    CHECK_TEXT = 200,
    /* of a fact or predicate; longer ones are cut */ WORLDS_LISTED = 10,
    PATH_MOST = 4096
};

typedef struct check {
    const char *argument, *path; /* as it was given, and as people are told of it */
    nlm_problem *problem;
    const nlm_signature *signature;
    nlm_options options;
    bool json;
    int listed; /* texts so far, of the list that is being printed */
} check;

/* ---- what is in it ---- */

/* "uncle/2" */
static const char *predicate_text(const nlm_predicate *predicate, char text[CHECK_TEXT])
{
    nlm_predicate_text(predicate, text, CHECK_TEXT);
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
    printf("%s: %d world%s of ", of->path, worlds, plural(worlds));
    if (least == most)
        printf("%d object%s", most, plural(most));
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
        char name[CHECK_TEXT];
        nlm_problem_world_text(of->problem, "", w, name, sizeof name);
        printf("%-24s %8d %12s\n", name, nlm_world_objects(nlm_problem_world(of->problem, w)),
               text_of_count(nlm_problem_content(of->problem, w).facts));
    }
    if (worlds > WORLDS_LISTED)
        printf("and %d more\n", worlds - WORLDS_LISTED);
}

/* The end of a line: "  person, city", or nothing without types. */
static void print_types(const nlm_predicate *predicate)
{
    bool any = false;
    for (int k = 0; k < predicate->arity; k++)
        any |= predicate->type[k][0] != '\0';
    for (int k = 0; k < predicate->arity && any; k++)
        printf("%s%s", k > 0 ? ", " : "  ", predicate->type[k][0] != '\0' ? predicate->type[k] : "any");
    putchar('\n');
}

/* How many numbers an attribute has in all worlds, and between what they lie. */
static size_t count_numbers(const check *of, int attribute, double *least, double *most)
{
    size_t count = 0;
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        const double *numbers;
        const size_t here = nlm_world_numbers(nlm_problem_world(of->problem, w), attribute, NULL, &numbers);
        for (size_t i = 0; i < here; i++, count++) {
            *least = count == 0 || numbers[i] < *least ? numbers[i] : *least;
            *most = count == 0 || numbers[i] > *most ? numbers[i] : *most;
        }
    }
    return count;
}

static void print_attributes(const check *of)
{
    const int attributes = nlm_signature_attributes(of->signature);
    char name[CHECK_TEXT];
    if (attributes > 0)
        printf("\n%-24s %12s %12s %12s\n", "number V", "facts", "least", "largest");
    for (int a = 0; a < attributes; a++) {
        double least = 0, most = 0;
        const size_t count = count_numbers(of, a, &least, &most);
        nlm_attribute_text(nlm_signature_attribute(of->signature, a), name, sizeof name);
        printf("%-24s %12s %12.6g %12.6g\n", name, text_of_count(count), least, most);
    }
}

static void json_attributes(const check *of)
{
    const int attributes = nlm_signature_attributes(of->signature);
    char name[CHECK_TEXT];
    fputs(attributes > 0 ? ", \"attributes\": [" : "", stdout);
    for (int a = 0; a < attributes; a++) {
        double least = 0, most = 0;
        const size_t count = count_numbers(of, a, &least, &most);
        nlm_attribute_text(nlm_signature_attribute(of->signature, a), name, sizeof name);
        json_print(stdout, a > 0 ? ", {\"attribute\": %s" : "{\"attribute\": %s", name);
        printf(", \"facts\": %zu, \"least\": %.17g, \"largest\": %.17g}", count, least, most);
    }
    fputs(attributes > 0 ? "]" : "", stdout);
}

/* How the columns of tables were understood, and how to say that one is something else. */
static void print_columns(const check *of)
{
    const nlm_table_column *column;
    const char *table = "", *example = NULL;
    for (int c = 0; (column = nlm_problem_column(of->problem, c)) != NULL; c++) {
        if (strcmp(table, column->table) != 0)
            printf("\n%s, %s rows\n%-20s %-10s %8s %7s  %s\n", column->table, text_of_count(column->rows),
                   "column", "kind", "values", "empty", "what it says");
        table = column->table;
        printf("%-20s %-10s %8s %7s  %s%s\n", column->name, column->word, text_of_count(column->values),
               text_of_count(column->blanks), column->facts, column->is_target ? ": learned" : "");
        if (column->kind != NLM_COLUMN_KEY && !column->is_target && example == NULL)
            example = column->name;
    }
    if (table[0] == '\0')
        return;
    printf("another kind: --columns %s=KIND, of key, objects, constants, number, truth, ignore\n",
           example != NULL ? example : "NAME");
    if (nlm_signature_targets(of->signature) == 0) {
        int count;
        const char *list = problem_candidates(of->problem, &count);
        if (count > 0)
            printf("what to learn: --target NAME, of %s\n", list);
    }
}

static void json_columns(const check *of)
{
    const nlm_table_column *column;
    for (int c = 0; (column = nlm_problem_column(of->problem, c)) != NULL; c++) {
        json_print(stdout, c > 0 ? ", {\"table\": %s" : ", \"columns\": [{\"table\": %s", column->table);
        json_print(stdout, ", \"column\": %s, \"kind\": %s, \"facts\": %s", column->name, column->word,
                   column->facts);
        printf(", \"rows\": %zu, \"empty\": %zu, \"values\": %zu, \"target\": %s}", column->rows,
               column->blanks, column->values, column->is_target ? "true" : "false");
    }
    fputs(nlm_problem_columns(of->problem) > 0 ? "]" : "", stdout);
}

static void print_predicates(const check *of)
{
    const char *types = nlm_signature_typed(of->signature) ? "  types" : "";
    char name[CHECK_TEXT];
    if (nlm_signature_inputs(of->signature) > 0)
        printf("\n%-24s %12s%s\n", "input", "facts", types);
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(of->signature, p);
        printf("%-24s %12s", predicate_text(input, name),
               text_of_count(nlm_problem_count_facts(of->problem, p)));
        if (input->is_type)
            puts("  the objects of this type");
        else
            print_types(input);
    }
    print_attributes(of);
    if (nlm_signature_targets(of->signature) > 0)
        printf("\n%-24s %12s %12s %12s%s\n", "target", "true", "false", "unlabelled", types);
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_predicate *target = nlm_signature_target(of->signature, t);
        const nlm_label_count count = nlm_problem_count_labels(of->problem, t);
        printf("%-24s %12s %12s %12s", predicate_text(target, name), text_of_count(count.positive),
               text_of_count(count.negative), text_of_count(count.unlabelled));
        print_types(target);
    }
}

static void json_predicate(int index, const nlm_predicate *predicate)
{
    char name[CHECK_TEXT];
    json_print(stdout,
               index > 0 ? ", {\"predicate\": %s, \"arity\": %d, \"types\": ["
                         : "{\"predicate\": %s, \"arity\": %d, \"types\": [",
               predicate_text(predicate, name), predicate->arity);
    for (int k = 0; k < predicate->arity; k++)
        json_print(stdout, k > 0 ? ", %s" : "%s", predicate->type[k]);
}

static void json_content(const check *of)
{
    json_print(stdout, "{\"path\": %s, \"labelled\": %i, \"closed_world\": %i, \"worlds\": [", of->path,
               nlm_problem_labelled(of->problem), nlm_problem_closed(of->problem));
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        fputs(w > 0 ? ", " : "", stdout);
        json_print(
            stdout, "{\"name\": %s, \"objects\": %d, \"facts\": %zu}", nlm_problem_world_name(of->problem, w),
            nlm_world_objects(nlm_problem_world(of->problem, w)), nlm_problem_content(of->problem, w).facts);
    }
    fputs("], \"inputs\": [", stdout);
    for (int p = 0; p < nlm_signature_inputs(of->signature); p++) {
        json_predicate(p, nlm_signature_input(of->signature, p));
        printf("], \"facts\": %zu}", nlm_problem_count_facts(of->problem, p));
    }
    putchar(']');
    json_columns(of);
    json_attributes(of);
    fputs(", \"targets\": [", stdout);
    for (int t = 0; t < nlm_signature_targets(of->signature); t++) {
        const nlm_label_count count = nlm_problem_count_labels(of->problem, t);
        json_predicate(t, nlm_signature_target(of->signature, t));
        printf("], \"true\": %.15g, \"false\": %.15g, \"unlabelled\": %.15g}", count.positive, count.negative,
               count.unlabelled);
    }
    putchar(']');
}

/* ---- what looks wrong ---- */

/* A line, or a text of a list. */
static void print_remark(check *of, const char *kind, const char *text)
{
    if (of->json)
        json_print(stdout, of->listed > 0 ? ", %s" : "%s", text);
    else
        printf("%s%s: %s\n", of->listed == 0 ? "\n" : "", kind, text);
    of->listed++;
}

static nlm_status print_warning(void *context, const char *text, nlm_error *error)
{
    (void)error;
    print_remark(context, "warning", text);
    return NLM_OK;
}

/* False after an error line. */
static bool print_remarks(check *of)
{
    nlm_error error;
    of->listed = 0;
    fputs(of->json ? ", \"notes\": [" : "", stdout);
    for (int n = 0; n < nlm_problem_notes(of->problem); n++)
        print_remark(of, "note", nlm_problem_note(of->problem, n));
    of->listed = 0;
    fputs(of->json ? "], \"warnings\": [" : "", stdout);
    const bool good =
        message_ok("check", nlm_problem_warnings(of->problem, print_warning, of, &error), &error);
    fputs(of->json ? "]" : "", stdout);
    return good;
}

/* ---- each breadth ---- */

/* The largest arity of a predicate; no machine of a smaller breadth can read it. */
static int largest_arity(const nlm_signature *signature)
{
    int largest = 1;
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const int arity = nlm_signature_input(signature, p)->objects;
        largest = arity > largest ? arity : largest;
    }
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        const int arity = nlm_signature_target(signature, t)->objects;
        largest = arity > largest ? arity : largest;
    }
    return largest;
}

static void print_need(const check *of, int breadth, const nlm_need *need)
{
    const int arity = largest_arity(of->signature);
    printf("  breadth %d: ", breadth);
    if (need->separation == NLM_NOT_TRIED) {
        puts(breadth < arity ? text_of("not tried, since a predicate has arity %d", arity)
                             : "not tried: it would take too much memory or time");
        return;
    }
    if (need->worlds < nlm_problem_worlds(of->problem))
        printf("(looking at %s of the worlds) ", text_of_count(need->worlds));
    if (need->separation == NLM_INSEPARABLE)
        printf("no depth separates all labels, ");
    else
        printf("depth %d %s all labels, ", need->depth,
               need->separation == NLM_SEPARATED ? "separates" : "does not separate");
    if (need->separation != NLM_SEPARATED) /* "1 of 3 classes holds both labels" */
        printf("%s of ", text_of_count(need->mixed));
    printf("%s class%s", text_of_count(need->classes), need->classes == 1 ? "" : "es");
    if (need->separation != NLM_SEPARATED)
        printf(" hold%s both labels", need->mixed == 1 ? "s" : "");
    putchar('\n');
}

static void json_need(int breadth, const nlm_need *need)
{
    static const char *const separations[] = {[NLM_SEPARATED] = "separated",
                                              [NLM_INSEPARABLE] = "inseparable",
                                              [NLM_UNSEPARATED] = "unseparated",
                                              [NLM_NOT_TRIED] = "not tried"};
    printf("%s{\"breadth\": %d, \"separation\": \"%s\"", breadth > 1 ? ", " : "", breadth,
           separations[need->separation]);
    if (need->separation != NLM_NOT_TRIED)
        printf(", \"worlds\": %d, \"depth\": %d, \"classes\": %zu, \"mixed\": %zu", need->worlds, need->depth,
               need->classes, need->mixed);
    putchar('}');
}

/* Those that there is something to say about; then what 'nlm train' would take. */
static void print_breadths(const check *of, const nlm_needs *needs)
{
    nlm_settings training;
    nlm_error error;
    fputs(of->json ? ", \"needs\": [" : "\nmachine size needed to separate the labels:\n", stdout);
    for (int breadth = 1; breadth <= NLM_MAX_BREADTH; breadth++) {
        const nlm_need *need = &needs->breadth[breadth];
        if (breadth > PROBLEM_MOST_BREADTH && need->separation == NLM_NOT_TRIED)
            continue;
        if (of->json)
            json_need(breadth, need);
        else
            print_need(of, breadth, need);
    }
    fputs(of->json ? "]" : "", stdout);
    if (message_ok("check", nlm_settings_of_problem(of->problem, needs, NLM_PROTOCOL_BEST, &training, &error),
                   &error))
        printf(of->json ? ", \"train\": {\"breadth\": %d, \"depth\": %d}"
                        : "'nlm train' takes breadth %d and depth %d\n",
               training.spec.breadth, training.spec.depth);
}

/* ---- two tuples that are alike ---- */

static nlm_status print_atom(void *context, const char *text, nlm_error *error)
{
    check *of = context;
    (void)error;
    fputs(of->listed++ > 0 ? ", " : "", stdout);
    if (of->json)
        nlm_json_text(stdout, text);
    else
        fputs(text, stdout);
    return NLM_OK;
}

/* All that holds for both, over their own objects.  As JSON, texts of a list. */
static void print_common(check *of, const nlm_need *need)
{
    of->listed = 0;
    (void)nlm_need_common_facts(of->problem, need, print_atom, of, NULL);
    if (of->listed == 0 && !of->json)
        fputs("nothing", stdout);
}

/* "a is in 3 facts, b in 2" */
static void print_facts_about(const check *of, const nlm_labelled_tuple *tuple, int objects)
{
    for (int k = 0; k < objects; k++) {
        const size_t count = nlm_problem_facts_about(of->problem, tuple->world, tuple->tuple[k]);
        char name[CHECK_TEXT];
        nlm_problem_object_text(of->problem, tuple->world, tuple->tuple[k], name, sizeof name);
        if (k == 0)
            printf("%s is in %zu fact%s", name, count, plural(count));
        else
            printf(", %s in %zu", name, count);
    }
}

static void json_tuple(const check *of, const nlm_predicate *target, const nlm_labelled_tuple *tuple)
{
    char text[CHECK_TEXT];
    nlm_fact_text(of->signature, target, nlm_problem_world(of->problem, tuple->world), tuple->tuple, text,
                  sizeof text);
    json_print(stdout, "{\"world\": %s, \"fact\": %s, \"facts_about\": [",
               nlm_problem_world_name(of->problem, tuple->world), text);
    for (int k = 0; k < target->objects; k++)
        printf("%s%zu", k > 0 ? ", " : "",
               nlm_problem_facts_about(of->problem, tuple->world, tuple->tuple[k]));
    fputs("]}", stdout);
}

static void json_alike(check *of, const nlm_need *need)
{
    const nlm_predicate *target = nlm_signature_target(of->signature, need->target);
    fputs(", \"alike\": {\"true\": ", stdout);
    json_tuple(of, target, &need->yes);
    fputs(", \"false\": ", stdout);
    json_tuple(of, target, &need->no);
    fputs(", \"both\": [", stdout);
    print_common(of, need);
    fputs("]}", stdout);
}

static void print_alike(check *of, int breadth, const nlm_need *need)
{
    const int objects = nlm_signature_target(of->signature, need->target)->objects;
    char yes[CHECK_TEXT], no[CHECK_TEXT];
    const bool is_final = need->separation == NLM_INSEPARABLE && breadth == PROBLEM_MOST_BREADTH;
    printf("\nno machine up to breadth %d", breadth);
    if (need->separation == NLM_UNSEPARATED)
        printf(" and depth %d", need->depth);
    nlm_problem_label_text(of->problem, need->yes.world, need->target, need->yes.tuple, yes, sizeof yes);
    nlm_problem_label_text(of->problem, need->no.world, need->target, need->no.tuple, no, sizeof no);
    printf(" can tell apart %s, which is true, and %s, which is false\n  both: ", yes, no);
    print_common(of, need);
    if (objects > 0) {
        printf("\n  ");
        print_facts_about(of, &need->yes, objects);
        printf("; ");
        print_facts_about(of, &need->no, objects);
    }
    putchar('\n');
    puts(is_final ? "remedy: add facts that differ between the two, or correct a label"
                  : "a larger machine may; run this command on fewer or smaller worlds to find out");
}

/* If nothing separates: the largest breadth knows best. */
static void print_inseparable(check *of, const nlm_needs *needs)
{
    for (int breadth = NLM_MAX_BREADTH; breadth > 0 && needs->best_breadth == 0; breadth--) {
        const nlm_need *need = &needs->breadth[breadth];
        if (need->separation == NLM_NOT_TRIED || need->mixed == 0)
            continue;
        if (of->json)
            json_alike(of, need);
        else
            print_alike(of, breadth, need);
        return;
    }
}

/* What cannot be found out is an error line too, but the rest of the output stands. */
static void print_needs(check *of)
{
    nlm_needs needs;
    if (!nlm_problem_labelled(of->problem) || nlm_signature_inputs(of->signature) == 0)
        return;
    waiting_begin("check: finding the machine size for %.100s", of->path);
    const bool found = problem_find_needs("check", of->problem, &of->options, &needs);
    waiting_end();
    if (!found)
        return;
    print_breadths(of, &needs);
    print_inseparable(of, &needs);
    size_t classes;
    const bool by_heart = nlm_needs_by_heart(&needs, &classes);
    if (of->json)
        printf(", \"by_heart\": %s", by_heart ? "true" : "false");
    else if (by_heart)
        printf("warning: %s labels are %s different cases: most would be learned by heart\n",
               text_of_count(needs.true_labels + needs.false_labels), text_of_count(classes));
}

/* ---- templates ---- */

/* The pairs of clauses that would be weighed; false with an error. */
static bool count_pairs(const check *of, const char *path, size_t *pairs, nlm_error *error)
{
    nlm_settings training;
    nlm_run *run = NULL;
    nlm_templates *templates = NULL;
    nlm_status status = nlm_settings_of_problem(of->problem, NULL, NLM_PROTOCOL_PAPER, &training, error);
    if (status == NLM_OK) {
        status = nlm_settings_choose_model(&training, "dilp", path, &templates, error);
        nlm_error cause;
        if (status == NLM_OK && (status = nlm_run_new(&training, NULL, &run, &cause)) != NLM_OK)
            snprintf(error->message, sizeof error->message, "%.200s: %.300s", path, cause.message);
    }
    if (status == NLM_OK)
        *pairs = nlm_machine_parameters(nlm_run_machine(run));
    nlm_run_free(run);
    nlm_templates_free(templates);
    return status == NLM_OK;
}

/* Nothing where there are none. */
static void print_templates(const check *of)
{
    char path[PATH_MOST];
    nlm_error error;
    size_t pairs = 0;
    problem_templates(of->argument, path, sizeof path);
    if (access(path, F_OK) != 0 || !nlm_problem_labelled(of->problem))
        return;
    const bool good = count_pairs(of, path, &pairs, &error);
    if (of->json && good)
        json_print(stdout, ", \"templates\": {\"file\": %s, \"pairs\": %zu}", path, pairs);
    else if (of->json)
        json_print(stdout, ", \"templates\": {\"file\": %s, \"error\": %s}", path, error.message);
    else if (good)
        printf("\n%s: 'nlm train --model dilp' weighs %s pair%s of clauses\n", path, text_of_count(pairs),
               plural(pairs));
    else
        printf("\nwarning: %s\n", error.message);
}

/* ---- the command ---- */

static bool check_problem(check *of)
{
    if (of->json) {
        json_content(of);
    } else {
        print_summary(of);
        print_columns(of);
        print_worlds(of);
        print_predicates(of);
    }
    fflush(stdout); /* the rest may take long */
    if (!print_remarks(of))
        return false;
    print_needs(of);
    print_templates(of);
    fputs(of->json ? "}\n" : "", stdout);
    return true;
}

static const char help[] =
    "Reads facts from a file, a folder or standard input (-) and prints a summary, warnings, and the\n"
    "depth and breadth that a machine needs to separate the labels; with a templates.pl beside the\n"
    "facts, also whether differentiable ILP can use it.\n"
    "A file that ends with .pddl is a blocks world in PDDL: prints its towers, or checks a --plan.\n"
    "With --model: the labels in these facts that the model contradicts; and atoms whose truth would\n"
    "tell the model's program from others that agree with all examples that it was learned from.";

int command_check(int argc, char **argv)
{
    check of = {.options = {.threads = system_processors()}};
    char *targets = NULL;
    fact_lists lists = {0};
    const char *model = NULL, *worlds_by = NULL, *plan = NULL, *domain = NULL;
    bool closed_world = false;
    const option_row rows[] = {
        {"target", "LIST", "target predicates, as uncle/2 or uncle,aunt", OPTION_TEXT, .value = &targets},
        {"closed-world", NULL, "unlisted tuples of a target are false", OPTION_FLAG, .value = &closed_world},
        WORLDS_BY_OPTION(&worlds_by),
        NUMBERS_OPTION(&lists.numbers),
        CONSTANTS_OPTION(&lists.constants),
        COLUMNS_OPTION(&lists.columns),
        {"model", "FILE", "list labels that look wrong, and questions, instead", OPTION_TEXT,
         .value = &model},
        {"plan", "FILE", "PDDL: check this plan of the problem PATH", OPTION_TEXT, .value = &plan},
        DOMAIN_OPTION(&domain),
        {"json", NULL, "print one JSON object", OPTION_FLAG, .value = &of.json},
    };
    const command_usage usage = {"check", "PATH", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    target_list list;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (!target_list_read("check", targets, closed_world, worlds_by, &list) ||
        !target_list_more("check", &lists, &list) || !system_options(&of.options))
        return EXIT_USAGE;
    const bool of_facts = targets != NULL || lists.numbers != NULL || lists.constants != NULL ||
                          lists.columns != NULL || closed_world || worlds_by != NULL || model != NULL ||
                          of.json;
    if (pddl_is_path(argv[first]) && of_facts) {
        message_error("check: %s is a problem in PDDL: only --plan and --domain go with it", argv[first]);
        return EXIT_USAGE;
    }
    if (pddl_is_path(argv[first]))
        return pddl_check(argv[first], domain, plan) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (plan != NULL || domain != NULL) {
        message_error("check: --%s goes with a problem in PDDL, a file that ends with .pddl",
                      plan != NULL ? "plan" : "domain");
        return EXIT_USAGE;
    }
    if (model != NULL && (targets != NULL || lists.numbers != NULL || lists.constants != NULL ||
                          lists.columns != NULL || closed_world)) {
        message_error(
            lists.numbers != NULL
                ? "check: --numbers: with --model the model says which predicates end in numbers"
            : lists.constants != NULL || lists.columns != NULL
                ? "check: --constants and --columns: with --model the model says what arguments are"
                : "check: with --model the model says what the targets are, and which labels there are");
        return EXIT_USAGE;
    }
    if (model != NULL)
        return check_questions(argv[first], model, &of.options, of.json) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (!problem_load("check", argv[first], &list.reading, true, &of.problem))
        return EXIT_FAILURE;
    of.argument = argv[first];
    of.path = problem_title(argv[first]);
    of.signature = nlm_problem_signature(of.problem);
    const bool good = check_problem(&of);
    nlm_problem_free(of.problem);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* nlm check: which depth and breadth the labels need, and if none suffices, two tuples that are alike. */
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "nlm/tools.h"
#include "message.h"
#include "read_facts.h"
#include "system.h"

static const char *const separations[] = {[NLM_SEPARATED] = "separated",
                                          [NLM_INSEPARABLE] = "inseparable",
                                          [NLM_UNSEPARATED] = "unseparated",
                                          [NLM_NOT_TRIED] = "not tried"};

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

/* ---- each breadth ---- */

/* "1 of 3 classes holds both labels" */
static void print_mixed(const nlm_need *need)
{
    char classes[NLM_NUMBER_TEXT], mixed[NLM_NUMBER_TEXT];
    printf("%s of %s class%s hold%s both labels\n", nlm_count_text(need->mixed, mixed),
           nlm_count_text(need->classes, classes), need->classes == 1 ? "" : "es",
           need->mixed == 1 ? "s" : "");
}

static void print_need(const check *of, int breadth, const nlm_need *need)
{
    char classes[NLM_NUMBER_TEXT], looked_at[NLM_NUMBER_TEXT];
    printf("  breadth %d: ", breadth);
    if (need->separation != NLM_NOT_TRIED && need->worlds < nlm_problem_worlds(of->problem))
        printf("(looking at %s of the worlds) ", nlm_count_text((size_t)need->worlds, looked_at));
    switch (need->separation) {
    case NLM_SEPARATED:
        printf("depth %d separates all labels, %s class%s\n", need->depth,
               nlm_count_text(need->classes, classes), need->classes == 1 ? "" : "es");
        break;
    case NLM_INSEPARABLE:
        printf("no depth separates all labels, ");
        print_mixed(need);
        break;
    case NLM_UNSEPARATED:
        printf("depth %d does not separate all labels, ", need->depth);
        print_mixed(need);
        break;
    case NLM_NOT_TRIED:
        if (breadth < largest_arity(of->signature))
            printf("not tried, since a predicate has arity %d\n", largest_arity(of->signature));
        else
            puts("not tried, since it would take too much memory or time");
        break;
    }
}

static void json_need(int breadth, const nlm_need *need)
{
    printf("{\"breadth\": %d, \"separation\": \"%s\"", breadth, separations[need->separation]);
    if (need->separation != NLM_NOT_TRIED)
        printf(", \"worlds\": %d, \"depth\": %d, \"classes\": %zu, \"mixed\": %zu", need->worlds, need->depth,
               need->classes, need->mixed);
    putchar('}');
}

/* The breadths that there is something to say about. */
static bool is_told(const nlm_needs *needs, int breadth)
{
    return breadth <= PROBLEM_MOST_BREADTH || needs->breadth[breadth].separation != NLM_NOT_TRIED;
}

static void print_breadths(const check *of, const nlm_needs *needs)
{
    bool first = true;
    if (of->json)
        fputs(", \"needs\": [", stdout);
    else
        puts("\nmachine size needed to separate the labels:");
    for (int breadth = 1; breadth <= NLM_MAX_BREADTH; breadth++) {
        if (!is_told(needs, breadth))
            continue;
        if (of->json) {
            fputs(first ? "" : ", ", stdout);
            json_need(breadth, &needs->breadth[breadth]);
        } else {
            print_need(of, breadth, &needs->breadth[breadth]);
        }
        first = false;
    }
    if (of->json)
        putchar(']');
}

/* What 'nlm train' would take. */
static void print_choice(const check *of, const nlm_needs *needs)
{
    nlm_settings training;
    nlm_error error;
    if (nlm_settings_of_problem(of->problem, needs, NLM_PROTOCOL_BEST, &training, &error) != NLM_OK) {
        message_error("check: %s", error.message);
        return;
    }
    if (of->json)
        printf(", \"train\": {\"breadth\": %d, \"depth\": %d}", training.spec.breadth, training.spec.depth);
    else
        printf("'nlm train' takes breadth %d and depth %d\n", training.spec.breadth, training.spec.depth);
}

/* ---- two tuples that are alike ---- */

typedef struct common {
    bool json, any;
} common;

static nlm_status print_atom(void *context, const char *text, nlm_error *error)
{
    common *so_far = context;
    (void)error;
    fputs(so_far->any ? ", " : "", stdout);
    if (so_far->json)
        nlm_json_text(stdout, text);
    else
        fputs(text, stdout);
    so_far->any = true;
    return NLM_OK;
}

/* All that holds for both, over their own objects.  As JSON, texts of a list. */
static void print_common(const check *of, const nlm_need *need)
{
    common so_far = {.json = of->json};
    nlm_need_common_facts(of->problem, need, print_atom, &so_far, NULL);
    if (!so_far.any && !of->json)
        fputs("nothing", stdout);
}

/* "a is in 3 facts, b in 2" */
static void print_facts_about(const check *of, const nlm_labelled_tuple *tuple, int objects)
{
    for (int k = 0; k < objects; k++) {
        const size_t count = nlm_problem_facts_about(of->problem, tuple->world, tuple->tuple[k]);
        char name[CHECK_TEXT];
        nlm_problem_object_text(of->problem, tuple->world, tuple->tuple[k], name, sizeof name);
        printf("%s%s%s in %zu%s", k > 0 ? ", " : "", name, k == 0 ? " is" : "", count,
               k > 0        ? ""
               : count == 1 ? " fact"
                            : " facts");
    }
}

static void json_tuple(const check *of, const char *key, int target, const nlm_labelled_tuple *tuple)
{
    char text[CHECK_TEXT];
    const int objects = nlm_signature_target(of->signature, target)->objects;
    nlm_fact_text(of->signature, nlm_signature_target(of->signature, target),
                  nlm_problem_world(of->problem, tuple->world), tuple->tuple, text, sizeof text);
    printf("\"%s\": {\"world\": ", key);
    nlm_json_text(stdout, nlm_problem_world_name(of->problem, tuple->world));
    fputs(", \"fact\": ", stdout);
    nlm_json_text(stdout, text);
    fputs(", \"facts_about\": [", stdout);
    for (int k = 0; k < objects; k++)
        printf("%s%zu", k > 0 ? ", " : "",
               nlm_problem_facts_about(of->problem, tuple->world, tuple->tuple[k]));
    fputs("]}", stdout);
}

static void json_alike(const check *of, const nlm_need *need)
{
    fputs(", \"alike\": {", stdout);
    json_tuple(of, "true", need->target, &need->yes);
    fputs(", ", stdout);
    json_tuple(of, "false", need->target, &need->no);
    fputs(", \"both\": [", stdout);
    print_common(of, need);
    fputs("]}", stdout);
}

static void print_alike(const check *of, int breadth, const nlm_need *need)
{
    const int objects = nlm_signature_target(of->signature, need->target)->objects;
    char yes[CHECK_TEXT], no[CHECK_TEXT];
    const bool is_final = need->separation == NLM_INSEPARABLE && breadth == PROBLEM_MOST_BREADTH;
    printf("\nno machine up to breadth %d", breadth);
    if (need->separation == NLM_UNSEPARATED)
        printf(" and depth %d", need->depth);
    nlm_problem_label_text(of->problem, need->yes.world, need->target, need->yes.tuple, yes, sizeof yes);
    nlm_problem_label_text(of->problem, need->no.world, need->target, need->no.tuple, no, sizeof no);
    printf(" can tell apart %s, which is true, and %s, which is false\n", yes, no);
    printf("  both: ");
    print_common(of, need);
    putchar('\n');
    if (objects > 0) {
        printf("  ");
        print_facts_about(of, &need->yes, objects);
        printf("; ");
        print_facts_about(of, &need->no, objects);
        putchar('\n');
    }
    puts(is_final ? "remedy: add facts that differ between the two, or correct a label"
                  : "a larger machine may; run this command on fewer or smaller worlds to find out");
}

/* If nothing separates: the largest breadth knows best. */
static void print_inseparable(const check *of, const nlm_needs *needs)
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

/* ---- all of it ---- */

void check_needs(const check *of)
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
    print_choice(of, &needs);
    print_inseparable(of, &needs);
}

/* nlm test on facts of one's own: what a model concludes against the labels that the files have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "conclude.h"
#include "nlm/tools.h"
#include "message.h"
#include "read_facts.h"
#include "test.h"

enum { NAME_SIZE = 1024, PREDICATE_SIZE = 256 };

/* Of one target in all worlds. */
typedef struct counts {
    size_t tuples, wrong;
    size_t positives; /* labels that are true */
    size_t concluded; /* answers that are */
    size_t both;
} counts;

/* A part of a whole; -1 where there is no whole. */
static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : -1;
}

static double accuracy(const counts *of)
{
    return share(of->tuples - of->wrong, of->tuples);
}

/* ---- one world ---- */

/* The labels of a target, [objects]^arity; NULL without memory, else to be freed. */
static signed char *labels_of(const nlm_world *world, int target, int arity)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    const int objects = nlm_world_objects(world);
    const size_t count = tuple_count(objects, arity);
    const size_t listed = nlm_world_labels(world, target, &tuples, &labels, &by_default);
    signed char *all = malloc(count + 1);
    if (all == NULL)
        return NULL;
    memset(all, by_default, count);
    for (size_t l = 0; l < listed; l++)
        all[arity > 0 ? tuple_number(objects, arity, tuples + l * (size_t)arity) : 0] = labels[l];
    return all;
}

/* A tuple that the model is wrong about. */
static void print_error(const test_request *request, concluder *of, const char *world, int target,
                        const int *tuple, double probability, bool is_true)
{
    if (request->json) {
        fputs("{\"world\": ", stdout);
        nlm_json_text(stdout, world);
        fputs(", \"fact\": ", stdout);
        nlm_json_text(stdout, concluder_fact(of, target, tuple));
        printf(", \"label\": %s, \"probability\": %.6g}\n", is_true ? "true" : "false", probability);
        return;
    }
    printf("%s.  %% ", concluder_fact(of, target, tuple));
    for (; *world != '\0'; world++)
        printf("%c%s", (unsigned char)*world < ' ' ? '?' : *world, world[1] == '\0' ? ": " : "");
    printf("is %s, concluded %s with %.2f\n", is_true ? "true" : "false", is_true ? "false" : "true",
           probability);
}

static void count_tuples(const test_request *request, concluder *of, const char *world, int target,
                         const signed char *labels, const float *logits, counts *sum)
{
    const int objects = nlm_world_objects(of->world);
    const int arity = nlm_signature_target(of->signature, target)->objects;
    const size_t tuples = tuple_count(objects, arity);
    for (size_t t = 0; t < tuples; t++) {
        int tuple[NLM_MAX_FACT_ARITY];
        if (labels[t] == NLM_UNLABELLED || !tuple_at(objects, arity, t, tuple))
            continue;
        const bool is_true = labels[t] == NLM_TRUE, concluded = logits[t] > 0;
        sum->tuples++;
        sum->wrong += is_true != concluded;
        sum->positives += is_true;
        sum->concluded += concluded;
        sum->both += is_true && concluded;
        if (is_true != concluded && request->show_errors)
            print_error(request, of, world, target, tuple, probability_of(logits[t]), is_true);
    }
}

static bool test_world(const test_request *request, concluder *of, const nlm_problem *problem, int world,
                       const char *name, const char *name_in_messages, counts *sums)
{
    bool good = concluder_ask(of, problem, world, name_in_messages);
    for (int target = 0; target < nlm_signature_targets(of->signature) && good; target++) {
        const float *logits;
        signed char *labels =
            labels_of(of->world, target, nlm_signature_target(of->signature, target)->objects);
        good = labels != NULL && concluder_logits(of, target, &logits);
        if (labels == NULL)
            message_error("test: %s: not enough memory for the labels", name_in_messages);
        if (good)
            count_tuples(request, of, name, target, labels, logits, &sums[target]);
        free(labels);
    }
    return good;
}

/* ---- output ---- */

static const char *share_text(double of, char text[NLM_NUMBER_TEXT])
{
    return of < 0 ? strcpy(text, "-") : nlm_percent_text(of, text);
}

static void print_row(const char *name, int width, const counts *of)
{
    char numbers[2][NLM_NUMBER_TEXT], shares[3][NLM_NUMBER_TEXT];
    printf("%-*s %12s %8s %10s %10s %10s\n", width, name, nlm_count_text(of->tuples, numbers[0]),
           nlm_count_text(of->wrong, numbers[1]), share_text(accuracy(of), shares[0]),
           share_text(share(of->both, of->concluded), shares[1]),
           share_text(share(of->both, of->positives), shares[2]));
}

static void print_share(const char *name, double of)
{
    if (of < 0)
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %.15g", name, of);
}

static void print_json(const nlm_predicate *predicate, int worlds, const counts *of)
{
    char name[PREDICATE_SIZE];
    nlm_predicate_text(predicate, name, sizeof name);
    fputs("{\"target\": ", stdout);
    nlm_json_text(stdout, name);
    printf(", \"worlds\": %d, \"tuples\": %zu, \"wrong\": %zu", worlds, of->tuples, of->wrong);
    print_share("accuracy", accuracy(of));
    print_share("precision", share(of->both, of->concluded));
    print_share("recall", share(of->both, of->positives));
    puts("}");
}

static void print_table(const test_request *request, const nlm_signature *signature, int worlds,
                        const counts *sums)
{
    counts all = {0};
    int width = (int)strlen("target");
    char name[PREDICATE_SIZE];
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name);
        width = (int)fmax(width, (double)strlen(name));
    }
    printf("%s%s on %s, %d world%s\n\n", request->show_errors ? "\n" : "", request->model,
           problem_title(request->facts), worlds, worlds == 1 ? "" : "s");
    printf("%-*s %12s %8s %10s %10s %10s\n", width, "target", "tuples", "wrong", "accuracy", "precision",
           "recall");
    for (int t = 0; t < nlm_signature_targets(signature); t++) {
        nlm_predicate_text(nlm_signature_target(signature, t), name, sizeof name);
        print_row(name, width, &sums[t]);
        all.tuples += sums[t].tuples;
        all.wrong += sums[t].wrong;
        all.positives += sums[t].positives;
        all.concluded += sums[t].concluded;
        all.both += sums[t].both;
    }
    if (nlm_signature_targets(signature) > 1)
        print_row("all", width, &all);
}

/* ---- the test ---- */

static bool test_problem(const test_request *request, concluder *of, const nlm_problem *problem)
{
    counts sums[NLM_MAX_HEADS] = {0};
    const int worlds = nlm_problem_worlds(problem);
    if (!nlm_problem_labelled(problem)) {
        message_error("test: %s has no labels to compare with; 'nlm infer %s %s' prints what the model "
                      "concludes",
                      problem_title(request->facts), request->model, request->facts);
        return false;
    }
    for (int w = 0; w < worlds; w++) {
        const char *name = nlm_problem_world_name(problem, w);
        char in_messages[NAME_SIZE];
        snprintf(in_messages, sizeof in_messages, "%s%s%s", problem_title(request->facts),
                 *name != '\0' ? ", " : "", name);
        if (!test_world(request, of, problem, w, name, in_messages, sums))
            return false;
    }
    if (request->json) {
        for (int t = 0; t < nlm_signature_targets(of->signature); t++)
            print_json(nlm_signature_target(of->signature, t), worlds, &sums[t]);
    } else {
        print_table(request, of->signature, worlds, sums);
    }
    return true;
}

int test_facts(const test_request *request)
{
    concluder of;
    nlm_problem *problem;
    bool good = concluder_begin(&of, "test", request->model, request->images, &request->options);
    if (good && (good = concluder_load(&of, request->facts, &problem))) {
        good = test_problem(request, &of, problem);
        nlm_problem_free(problem);
    }
    concluder_end(&of);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Conclusions against the truth, tuple by tuple. */
#include "report/confusion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/storage.h"
#include "report/matrix.h"
#include "report/words.h"

enum { TARGETS_MOST = 4, TUPLES_MOST = 4000000, ERRORS_SHOWN = 8, FACT_SIZE = 400 };

/* ---- what became of each ---- */

static char kind_of(signed char label, double probability)
{
    const bool concluded = probability > 0.5;
    if (label == NLM_UNLABELLED)
        return CELL_UNLABELLED;
    if (label == NLM_TRUE)
        return concluded ? CELL_TRUE : CELL_MISSED;
    return concluded ? CELL_INVENTED : CELL_FALSE;
}

static void judge(confusion *of, const float *logits, const signed char *labels)
{
    int tuple[NLM_MAX_FACT_ARITY];
    for (size_t i = 0; i < of->count; i++) {
        of->probability[i] = (float)(1 / (1 + exp(-(double)logits[i])));
        of->kind[i] = nlm_tuple_at(of->objects, of->arity, i, tuple) ? kind_of(labels[i], of->probability[i])
                                                                     : CELL_NONE;
        const char *place = strchr(CELL_KINDS, of->kind[i]);
        of->counts[place - CELL_KINDS]++;
    }
}

static nlm_status conclude(confusion *of, const nlm_machine *machine, const nlm_pass *pass, nlm_error *error)
{
    const size_t outputs = (size_t)nlm_machine_head(machine, of->target)->outputs;
    of->kind = storage_new(of->count + 1, 1);
    of->probability = storage_new(of->count + 1, sizeof(float));
    float *logits = storage_new(of->count * outputs + 1, sizeof *logits);
    signed char *labels = storage_new(of->count + 1, 1);
    nlm_status status = NLM_OK;
    if (!of->kind || !of->probability || !logits || !labels)
        status = report_no_memory(error);
    if (!status)
        status = nlm_pass_logits(pass, 0, of->target, logits, error);
    if (!status) {
        nlm_world_all_labels(of->world, of->target, labels);
        judge(of, logits, labels);
    }
    free(logits);
    free(labels);
    return status;
}

void confusion_said(const confusion *of, size_t number, char *text, size_t size)
{
    char fact[FACT_SIZE];
    int tuple[NLM_MAX_FACT_ARITY] = {0};
    nlm_tuple_at(of->objects, of->arity, number, tuple);
    nlm_fact_text(of->signature, nlm_signature_target(of->signature, of->target), of->world, tuple, fact,
                  sizeof fact);
    const char kind = of->kind[number];
    const bool truth = kind == CELL_TRUE || kind == CELL_MISSED;
    char number_text[16] = "not a number";
    if (!isnan(of->probability[number]))
        snprintf(number_text, sizeof number_text, "%.2f", (double)of->probability[number]);
    snprintf(text, size, "%s: truth %s, concluded %s, %s", fact,
             kind == CELL_UNLABELLED ? "unknown"
             : truth                 ? "yes"
                                     : "no",
             of->probability[number] > 0.5f ? "yes" : "no", number_text);
}

/* ---- in words ---- */

static size_t counted(const confusion *of, char kind)
{
    return of->counts[strchr(CELL_KINDS, kind) - CELL_KINDS];
}

static size_t errors_of(const confusion *of)
{
    return counted(of, CELL_MISSED) + counted(of, CELL_INVENTED);
}

static void put_key(page *p, const char *class, const char *path, size_t count, const char *words)
{
    char text[WORD_SIZE];
    page_print(p,
               "<span><svg class=\"key\" viewBox=\"0 0 9 9\" aria-hidden=\"true\"><path class=\"%s\" "
               "d=\"%s\"/></svg> %s %s</span> ",
               class, path, word_count((double)count, text), words);
}

static void put_counts(page *p, const confusion *of)
{
    page_put(p, "<p class=\"keys\">");
    put_key(p, "true", "M0 0h9v9h-9z", counted(of, CELL_TRUE), "true, concluded");
    put_key(p, "false", "M0 0h9v9h-9z", counted(of, CELL_FALSE), "false, not concluded");
    put_key(p, "missed", "M1 1h7v7h-7z", counted(of, CELL_MISSED), "true, but not concluded");
    put_key(p, "invented", "M1 1l7 7M8 1l-7 7", counted(of, CELL_INVENTED), "false, but concluded");
    if (counted(of, CELL_UNLABELLED) > 0)
        put_key(p, "ground", "M0.5 0.5h8v8h-8z", counted(of, CELL_UNLABELLED), "without a label");
    page_put(p, "</p>\n");
}

static void put_errors(page *p, const confusion *of)
{
    char text[FACT_SIZE + 64];
    int shown = 0;
    page_put(p, "<p>Errors:</p>\n<ul>\n");
    for (size_t i = 0; i < of->count && shown < ERRORS_SHOWN; i++)
        if (of->kind[i] == CELL_MISSED || of->kind[i] == CELL_INVENTED) {
            confusion_said(of, i, text, sizeof text);
            page_put(p, "<li>");
            page_text(p, text);
            page_put(p, "</li>\n");
            shown++;
        }
    page_put(p, "</ul>\n");
    if (errors_of(of) > ERRORS_SHOWN)
        page_print(p, "<p>and %zu more.</p>\n", errors_of(of) - ERRORS_SHOWN);
}

/* ---- the figure ---- */

static void put_target(page *p, const confusion *of, const char *title)
{
    char name[FACT_SIZE];
    page_put(p, "<figure class=\"confusion\"><figcaption>");
    nlm_predicate_text(nlm_signature_target(of->signature, of->target), name, sizeof name);
    page_text(p, name);
    page_put(p, ", ");
    page_text(p, title);
    page_print(p, ": %s</figcaption>\n",
               errors_of(of) ? "with errors \xe2\x9c\x97" : "no error \xe2\x9c\x93");
    if (matrix_fits(of))
        matrix_put(p, of);
    put_counts(p, of);
    if (errors_of(of) > 0)
        put_errors(p, of);
    page_put(p, "</figure>\n");
}

static nlm_status show_target(page *p, const nlm_machine *machine, const nlm_pass *pass, confusion *of,
                              const char *title, nlm_error *error)
{
    of->count = nlm_tuple_count(of->objects, of->arity);
    if (of->count > TUPLES_MOST)
        return report_fail(error, NLM_BAD_SHAPE, "a world of %d objects is too large for a report",
                           of->objects);
    const nlm_status status = conclude(of, machine, pass, error);
    if (!status)
        put_target(p, of, title);
    free(of->kind);
    free(of->probability);
    return status;
}

/* The machine has a head for each target of the signature, and the world has its targets. */
static bool fits(const nlm_machine *machine, const nlm_signature *signature, const nlm_world *world)
{
    const int targets = nlm_signature_targets(signature);
    if (nlm_machine_heads(machine) < targets || nlm_world_targets(world) < targets)
        return false;
    for (int t = 0; t < targets; t++) {
        const nlm_head_spec *head = nlm_machine_head(machine, t);
        if (head->twins || head->arity != nlm_signature_target(signature, t)->objects ||
            head->arity != nlm_world_target_arity(world, t) || head->arity > NLM_MAX_FACT_ARITY)
            return false;
    }
    return targets > 0;
}

nlm_status confusion_put(page *p, nlm_machine *machine, const nlm_signature *signature,
                         const nlm_world *world, const char *title, nlm_error *error)
{
    nlm_evaluator *asked = NULL;
    page made = {0};
    if (!fits(machine, signature, world))
        return report_fail(error, NLM_BAD_SHAPE, "the machine does not conclude what the world asks");
    nlm_status status = asking_new(machine, false, &asked, error);
    if (!status)
        status = asking_add(asked, machine, world, error);
    if (!status)
        status = nlm_evaluator_run(asked, false, error);
    for (int t = 0; t < nlm_signature_targets(signature) && t < TARGETS_MOST && !status; t++) {
        confusion of = {.signature = signature,
                        .world = world,
                        .target = t,
                        .objects = nlm_world_objects(world),
                        .arity = nlm_world_target_arity(world, t)};
        status = show_target(&made, machine, nlm_evaluator_pass(asked), &of, title, error);
    }
    const int more = nlm_signature_targets(signature) - TARGETS_MOST;
    if (!status && more > 0)
        page_print(&made, "<p>and %d more target%s.</p>\n", more, more == 1 ? "" : "s");
    if (!status)
        page_append(p, &made);
    page_release(&made);
    nlm_evaluator_free(asked);
    return status;
}

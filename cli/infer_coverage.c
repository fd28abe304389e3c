#include "infer_coverage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

enum { NOTE_SIZE = 8192 };

bool coverage_begin(const char *command, const char *model, const nlm_inference *inference,
                    coverage_report *report)
{
    *report = (coverage_report){.basis = nlm_inference_coverage(inference),
                                .alternatives = nlm_inference_alternatives(inference),
                                .model = model};
    if (report->basis == NLM_COVERAGE_NONE)
        return true;
    report->first = calloc((size_t)nlm_alternatives_count(report->alternatives) + 1, sizeof *report->first);
    if (report->first == NULL)
        message_error("%s: not enough memory", command);
    return report->first != NULL;
}

void coverage_end(coverage_report *report)
{
    free(report->first);
}

const char *coverage_name(const nlm_conclusion *conclusion)
{
    static const char *const names[] = {
        [NLM_COVERAGE_UNKNOWN] = "unknown", [NLM_COVERED] = "covered", [NLM_BEYOND] = "beyond"};
    return names[conclusion->coverage];
}

const char *coverage_comment(const nlm_conclusion *conclusion)
{
    return conclusion->coverage == NLM_BEYOND ? "  % beyond the examples" : "";
}

void coverage_json(const coverage_report *report, const nlm_conclusion *conclusion)
{
    if (report->basis == NLM_COVERAGE_NONE)
        return;
    json_print(stdout, ", \"coverage\": %s", coverage_name(conclusion));
    if (conclusion->coverage == NLM_BEYOND)
        json_print(stdout, ", \"no_example_had\": %s", conclusion->no_example_had);
}

/* What is new of a target joins the list, unless that is full. */
static void add_never_seen(coverage_report *report, const nlm_inference *inference, int target)
{
    const char *words;
    for (int i = 0; (words = nlm_inference_never_seen(inference, target, i)) != NULL; i++) {
        int at = 0;
        while (at < COVERAGE_CASES && *report->never_seen[at] != '\0' &&
               strncmp(report->never_seen[at], words, COVERAGE_WORDS - 1) != 0)
            at++;
        if (at < COVERAGE_CASES)
            snprintf(report->never_seen[at], COVERAGE_WORDS, "%s", words);
    }
}

nlm_status coverage_add(coverage_report *report, nlm_inference *inference, nlm_error *error)
{
    if (report->basis == NLM_COVERAGE_NONE)
        return NLM_OK;
    const nlm_status status = nlm_inference_count_coverage(inference, &report->count, report->first, error);
    for (int t = 0; t < nlm_signature_targets(nlm_inference_signature(inference)); t++)
        add_never_seen(report, inference, t);
    report->unknown += !report->count.known;
    return status;
}

/* Tuples that depend on what an alternative's words say; 0 if an earlier one has the same words, or it has
 * none. */
static size_t tuples_of_words(const coverage_report *report, int number)
{
    const char *words = nlm_alternatives_at(report->alternatives, number)->words;
    size_t tuples = 0;
    for (int i = 0; i < nlm_alternatives_count(report->alternatives) && words[0] != '\0'; i++)
        if (strcmp(nlm_alternatives_at(report->alternatives, i)->words, words) == 0) {
            if (i < number)
                return 0;
            tuples += report->first[i];
        }
    return tuples;
}

/* The alternative whose words most tuples depend on and that is not `shown` yet; -1: none. */
static int most_frequent(const coverage_report *report, const int *shown, int count, size_t *most)
{
    int best = -1;
    *most = 0;
    for (int i = 0; i < nlm_alternatives_count(report->alternatives); i++) {
        const size_t tuples = tuples_of_words(report, i);
        bool is_new = tuples > *most;
        for (int k = 0; k < count; k++)
            is_new &= shown[k] != i;
        if (is_new) {
            best = i;
            *most = tuples;
        }
    }
    return best;
}

/* "; no example had mother(X, Y) without father(X, Z) (9); none had ..." */
static void add_cases(const coverage_report *report, char *note, size_t used)
{
    int shown[COVERAGE_CASES], count = 0, best;
    size_t tuples;
    const char *had = "; no example had ";
    for (; count < COVERAGE_CASES && (best = most_frequent(report, shown, count, &tuples)) >= 0; count++) {
        shown[count] = best;
        used += (size_t)snprintf(note + used, NOTE_SIZE - used, "%s%.600s (%zu)", had,
                                 nlm_alternatives_at(report->alternatives, best)->words, tuples);
        had = "; none had ";
    }
    for (int i = 0; i < COVERAGE_CASES && *report->never_seen[i] != '\0'; i++, had = "; none had ")
        used += (size_t)snprintf(note + used, NOTE_SIZE - used, "%s%s", had, report->never_seen[i]);
}

void coverage_note(const coverage_report *report)
{
    const nlm_coverage_count *count = &report->count;
    char note[NOTE_SIZE];
    if (report->basis == NLM_COVERAGE_NONE)
        return;
    if (report->unknown > 0) {
        message_note("%s: not enough memory to tell which conclusions its examples cover%s", report->model,
                     count->concluded > 0 ? ", of some worlds" : "");
        return;
    }
    if (count->beyond + count->not_beyond == 0) {
        message_note("%s: its examples cover all conclusions: %zu", report->model, count->concluded);
        return;
    }
    int used = snprintf(note, sizeof note, "%.200s: %zu of %zu conclusions %s beyond its examples",
                        report->model, count->beyond, count->concluded, count->beyond == 1 ? "is" : "are");
    if (count->not_beyond > 0)
        used +=
            snprintf(note + used, sizeof note - (size_t)used, ", and so %s %zu of %zu atoms not concluded",
                     count->not_beyond == 1 ? "is" : "are", count->not_beyond, count->not_concluded);
    if (report->basis == NLM_COVERAGE_CLASSES)
        snprintf(note + used, sizeof note - (size_t)used,
                 ": no example was like them in all that the machine reads");
    else
        add_cases(report, note, (size_t)used);
    message_note("%s", note);
}

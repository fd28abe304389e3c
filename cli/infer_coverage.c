#include "infer_coverage.h"
#include <stdio.h>
#include <stdlib.h>
#include "message.h"

enum { CASES_SHOWN = 3, NOTE_SIZE = 4096 };

bool coverage_begin(const char *command, const char *model, const nlm_inference *inference,
                    coverage_report *report)
{
    *report = (coverage_report){.alternatives = nlm_inference_alternatives(inference), .model = model};
    if (report->alternatives == NULL)
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
    if (report->alternatives == NULL)
        return;
    json_print(stdout, ", \"coverage\": %s", coverage_name(conclusion));
    if (conclusion->coverage == NLM_BEYOND)
        json_print(stdout, ", \"no_example_had\": %s",
                   nlm_alternatives_at(report->alternatives, conclusion->alternative)->words);
}

nlm_status coverage_add(coverage_report *report, nlm_inference *inference, nlm_error *error)
{
    if (report->alternatives == NULL)
        return NLM_OK;
    const nlm_status status = nlm_inference_count_coverage(inference, &report->count, report->first, error);
    report->unknown += !report->count.known;
    return status;
}

/* The alternative with words that most tuples depend on and that is not `shown` yet; -1: none. */
static int most_frequent(const coverage_report *report, const int *shown, int count)
{
    int best = -1;
    for (int i = 0; i < nlm_alternatives_count(report->alternatives); i++) {
        bool is_new = report->first[i] > 0 && nlm_alternatives_at(report->alternatives, i)->words[0] != '\0';
        for (int k = 0; k < count; k++)
            is_new &= shown[k] != i;
        if (is_new && (best < 0 || report->first[i] > report->first[best]))
            best = i;
    }
    return best;
}

/* "; no example had mother(X, Y) without father(X, Z) (9); none had ..." */
static void add_cases(const coverage_report *report, char *note, size_t used)
{
    int shown[CASES_SHOWN];
    for (int count = 0; count < CASES_SHOWN && used < NOTE_SIZE; count++) {
        const int best = most_frequent(report, shown, count);
        if (best < 0)
            return;
        shown[count] = best;
        used += (size_t)snprintf(note + used, NOTE_SIZE - used, "%s%.600s (%zu)",
                                 count == 0 ? "; no example had " : "; none had ",
                                 nlm_alternatives_at(report->alternatives, best)->words, report->first[best]);
    }
}

void coverage_note(const coverage_report *report)
{
    const nlm_coverage_count *count = &report->count;
    char note[NOTE_SIZE];
    if (report->alternatives == NULL)
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
    add_cases(report, note, (size_t)used);
    message_note("%s", note);
}

#include "train_evidence.h"

#include <stdio.h>
#include "message.h"

enum { MOST_NAMED = 3, LABEL_TEXT = 200 };

static size_t asked(const nlm_answers *answers)
{
    return answers->positives + answers->negatives;
}

static size_t wrong(const nlm_answers *answers)
{
    return answers->wrong_positives + answers->wrong_negatives;
}

void evidence_print_answers(const nlm_evidence *evidence)
{
    const nlm_answers *held_out = &evidence->held_out, *validated = &evidence->validated;
    printf("learned from: %s of %s answers wrong; ", text_of_count(wrong(&evidence->learned)),
           text_of_count(asked(&evidence->learned)));
    if (asked(held_out) > 0)
        printf("held out: %s of %s true and %s of %s false labels wrong\n",
               text_of_count(held_out->wrong_positives), text_of_count(held_out->positives),
               text_of_count(held_out->wrong_negatives), text_of_count(held_out->negatives));
    else
        puts("nothing was held out");
    if (asked(validated) > 0)
        printf(
            "cross-validation, each label asked of a machine that did not see it: %s of %s true and %s of %s "
            "false labels wrong\n",
            text_of_count(validated->wrong_positives), text_of_count(validated->positives),
            text_of_count(validated->wrong_negatives), text_of_count(validated->negatives));
}

static void print_contradictions(const nlm_problem *problem)
{
    const int count = nlm_problem_contradictions(problem);
    printf("contradictory: %d label%s listed as true and as false:", count, count == 1 ? " is" : "s are");
    for (int c = 0; c < count && c < MOST_NAMED; c++) {
        const nlm_contradiction of = nlm_problem_contradiction(problem, c);
        char text[LABEL_TEXT];
        nlm_problem_label_text(problem, of.world, of.target, of.tuple, text, sizeof text);
        printf("%s %s", c > 0 ? "," : "", text);
    }
    puts(count > MOST_NAMED ? ", ..." : "");
}

/* "9 more true labels and 3 more false ones" */
static void print_missing(size_t more_true, size_t more_false)
{
    if (more_true > 0)
        printf("%s more true label%s", text_of_count(more_true), plural((int)more_true));
    if (more_true > 0 && more_false > 0)
        printf(" and ");
    if (more_false > 0)
        printf("%s more false %s%s", text_of_count(more_false), more_true > 0 ? "one" : "label",
               plural((int)more_false));
}

/* Of labels that the model was not shown: those held out or, where these are few, those of cross-validation.
 */
static const nlm_answers *answers_unseen(const nlm_evidence *evidence)
{
    return asked(&evidence->validated) > asked(&evidence->held_out) ? &evidence->validated
                                                                    : &evidence->held_out;
}

/* Why it is not learned. */
static void print_failure(const nlm_evidence *evidence)
{
    const nlm_answers *unseen = answers_unseen(evidence);
    printf("not learned: ");
    if (evidence->noisy && evidence->is_too_noisy)
        printf("the program contradicts %s of %s labels, too many for mistakes\n",
               text_of_count(wrong(&evidence->learned)), text_of_count(asked(&evidence->learned)));
    else if (wrong(&evidence->learned) > 0 && !evidence->noisy)
        printf("the model answers %s of the %s labels that it learned from wrong\n",
               text_of_count(wrong(&evidence->learned)), text_of_count(asked(&evidence->learned)));
    else if (wrong(unseen) > 0)
        printf(
            "the model fits %s that it learned from, but answers %s of %s true and %s of %s false ones wrong "
            "that it was not shown\n",
            evidence->noisy ? "most labels" : "the labels", text_of_count(unseen->wrong_positives),
            text_of_count(unseen->positives), text_of_count(unseen->wrong_negatives),
            text_of_count(unseen->negatives));
    else
        puts("the model fits the labels, but the run ended before it was sure of them");
}

void evidence_print_outcome(const nlm_problem *problem, const nlm_evidence *evidence)
{
    switch (evidence->outcome) {
    case NLM_LEARNED:
        printf("learned: about other labels at most %s of the true and %s of the false are answered wrong, "
               "with 95 %% confidence%s\n",
               text_of_percent(evidence->most_wrong_positives),
               text_of_percent(evidence->most_wrong_negatives),
               evidence->noisy ? "; such labels may be wrong themselves" : "");
        break;
    case NLM_TOO_LITTLE:
        printf("too little to tell: the model fits %s, as many other rules may; if ",
               evidence->noisy ? "most labels" : "the labels");
        print_missing(evidence->more_positives, evidence->more_negatives);
        puts(" are answered right, it is learned");
        break;
    case NLM_CONTRADICTORY:
        print_contradictions(problem);
        break;
    case NLM_NOT_LEARNED:
        print_failure(evidence);
        break;
    }
}

int evidence_exit(const nlm_evidence *evidence)
{
    static const int statuses[] = {[NLM_LEARNED] = 0,
                                   [NLM_TOO_LITTLE] = EXIT_TOO_LITTLE,
                                   [NLM_CONTRADICTORY] = EXIT_CONTRADICTORY,
                                   [NLM_NOT_LEARNED] = EXIT_NOT_LEARNED};
    return statuses[evidence->outcome];
}

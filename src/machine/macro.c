/* Macro accuracy: the mean of the accuracies of groups of answers, in which true and false ones weigh the
 * same.
 *
 *     group        tuples that differ in their last object alone (of arity 1: all objects of a world)
 *     accuracy     (share right among its true tuples + share right among its false ones) / 2,
 *                  where a share of none is 1
 *     result       the mean over all groups with a label
 *
 * The published figures of memory networks are of this kind; docs/maths.md, section 13, tells how that is
 * known. */
#include <string.h>
#include "base/error.h"
#include "machine/pass.h"

/* Answers of one group. */
struct tally {
    int32_t labelled[2], right[2]; /* of false ones and of true ones */
};

/* Where there is none of a kind, none of it is wrong. */
static double share(const struct tally *tally, int kind)
{
    return tally->labelled[kind] ? (double)tally->right[kind] / tally->labelled[kind] : 1.0;
}

/* The logits of one output of a head, and the labels they are compared with. */
struct answers {
    const struct value_table *logits;
    int output;
    /* per tuple and order */
    const signed char *labels;
    const struct partition *part;
    const struct orders *orders;
};

/* Tuples without a label do not count. */
static void count(struct tally *tally, const struct answers *answers, size_t tuple, int order)
{
    signed char label = answers->labels[tuple * (size_t)answers->orders->count + (size_t)order];
    size_t row =
        orders_row(answers->orders, orders_then(answers->orders, answers->part->codes[tuple], order));
    bool holds =
        answers->logits->values[row * (size_t)answers->logits->stride + (size_t)answers->output] > 0.0f;
    if (label != NLM_TRUE && label != NLM_FALSE)
        return;
    tally->labelled[label == NLM_TRUE]++;
    tally->right[label == NLM_TRUE] += holds == (label == NLM_TRUE);
}

/* Group numbers are places of the first r-1 objects in a dense tensor; within a run they move by a
 * constant. */
static void count_world(struct tally *tallies, const struct answers *answers, const struct tuples *tuples,
                        int world)
{
    int arity = answers->part->arity;
    size_t objects = (size_t)tuples_objects(tuples, world);
    struct tuple_walk walk = tuple_walk_start(tuples, arity, tuples_offset(tuples, world, arity));
    for (; walk.run && walk.world == world; tuple_walk_next_run(&walk)) {
        for (int b = 0; b < answers->orders->count; b++) {
            size_t group = 0, moving = 0; /* of the run's first tuple in order b, and its step in x[0] */
            for (int k = 0; k < arity - 1; k++) {
                group = group * objects + (size_t)walk.x[answers->orders->order[b][k]];
                moving = moving * objects + (answers->orders->order[b][k] == 0);
            }
            for (size_t e = 0; e < walk.run; e++, group += moving)
                count(&tallies[group], answers, walk.index + e, b);
        }
    }
}

/* World by world, since a group lies in one world.  The result is a mean over groups, not over worlds: of
 * pairs a world of n objects has n groups. */
nlm_status nlm_pass_macro(nlm_pass *pass, int head, int output, int target, double *accuracy,
                          nlm_error *error)
{
    REQUIRE(pass && accuracy, error);
    nlm_status status = pass_check_target(pass, head, output, target, error);
    if (status)
        return status;
    const struct tuples *tuples = &pass->structure->tuples;
    const struct answers answers = {
        .logits = &pass->logits[head],
        .output = output,
        .labels = pass->structure->labels[target].data,
        .part = pass_head_part(pass, head),
        .orders = &pass->machine->plan.orders[pass->machine->heads[head].arity],
    };
    double sum = 0.0, labelled = 0.0;
    for (int world = 0; world < tuples->worlds; world++) {
        /* one group for each choice of the first objects */
        size_t groups = nlm_tuple_count(tuples_objects(tuples, world), answers.part->arity - 1);
        /* tallies of one world at a time */
        if (buffer_reserve(&pass->scratch.tallies, groups, sizeof(struct tally), false))
            return error_no_memory(error);
        struct tally *tallies = pass->scratch.tallies.data;
        memset(tallies, 0, groups * sizeof *tallies);
        count_world(tallies, &answers, tuples, world);
        for (size_t g = 0; g < groups; g++) {
            if (tallies[g].labelled[0] + tallies[g].labelled[1] == 0)
                continue;
            sum += (share(&tallies[g], 0) + share(&tallies[g], 1)) / 2.0;
            labelled++;
        }
    }
    *accuracy = labelled > 0.0 ? sum / labelled : 1.0;
    return NLM_OK;
}

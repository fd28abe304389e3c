/* Judging formulas by worlds.
 *
 * Worlds are kept as numbers and sizes, never as worlds: they are generated again when a program is used. The
 * truth of a program's formulas is kept by group (logic/truth.h), so that formulas which share parts are
 * cheap to judge one after the other.
 *
 * Two groups: `few`, in which most wrong formulas show an error at once, and `many`, all others. Verification
 * uses fresh worlds, some of twice the size, in batches; it ends after MOST_FAILURES batches with an error.
 *
 * A test of simplifying is mostly a failure, and mostly in one of the first worlds.  So the few worlds with
 * the most even share of true and false tuples are a group of their own, asked first.  Tables of parts that
 * two candidates share are computed once (logic/truth.h).
 *
 * What a judge has seen decides what may be dropped: a third of the worlds are of half the size, where small
 * cases are frequent, and some are deep.  A formula that agrees is verified on many more worlds, of twice the
 * size too, before it counts; its failures join the few for good. */
#include "learn/rule_judge.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/tuple_truth.h"

/* Worlds of each kind; a few dozen are enough to simplify by, since verification finds what they miss. */
enum {
    FEW = 6,
    FULL_WORLDS = 96, /* of the task's size, and of half of it: */
    HALF_WORLDS = 48,
    VERIFY_WORLDS = 1000,
    VERIFY_LARGE = 40, /* of twice the size */
    VERIFY_BATCH = 20,
    MOST_FAILURES = 8,
    KEPT_BYTES = 1 << 25 /* of tables */
};

/* The worlds of a group; the pointer holds until one is added. */
static struct rule_world *list_of(const struct rule_judge *judge, int group)
{
    return judge->list[group].data;
}

static nlm_status list_add(struct rule_judge *judge, int group, struct rule_world entry, nlm_error *error)
{
    if (buffer_reserve(&judge->list[group], (size_t)judge->count[group] + 1, sizeof entry, true) != NLM_OK)
        return error_no_memory(error);
    list_of(judge, group)[judge->count[group]++] = entry;
    return NLM_OK;
}

/* The world itself, in scratch memory if it is generated: it holds until the next is asked for. */
static nlm_status world_of(const struct rule_judge *judge, struct rule_world entry, const nlm_world **world,
                           nlm_error *error)
{
    return world_source_world(&judge->worlds->source, judge->worlds->seed, entry.number, entry.objects,
                              judge->worlds->scratch, world, error);
}

/* The smaller of the numbers of true and of false tuples: how much a world can tell. */
static nlm_status balance_of(const struct rule_judge *judge, struct rule_world entry, size_t *balance,
                             nlm_error *error)
{
    const nlm_world *world;
    nlm_status status = world_of(judge, entry, &world, error);
    if (status != NLM_OK)
        return status;
    const size_t tuples = nlm_tuple_count(nlm_world_objects(world), judge->arity);
    signed char *labels = malloc(tuples + 1);
    if (!labels)
        return error_no_memory(error);
    nlm_world_all_labels(world, judge->target, labels);
    size_t count[2] = {0};
    for (size_t i = 0; i < tuples; i++)
        if (labels[i] != NLM_UNLABELLED)
            count[labels[i] == NLM_TRUE]++;
    free(labels);
    *balance = count[0] < count[1] ? count[0] : count[1];
    return NLM_OK;
}

/* The worlds that tell most go to the few. */
static nlm_status choose_few(struct rule_judge *judge, nlm_error *error)
{
    size_t *balance = malloc((size_t)judge->count[1] * sizeof *balance + 1);
    nlm_status status = balance ? NLM_OK : error_no_memory(error);
    for (int i = 0; i < judge->count[1] && status == NLM_OK; i++)
        status = balance_of(judge, list_of(judge, 1)[i], &balance[i], error);
    /* one by one the world with the best balance; the last of the many takes its place */
    while (status == NLM_OK && judge->count[0] < FEW && judge->count[1] > 1) {
        int best = 0;
        for (int i = 1; i < judge->count[1]; i++)
            if (balance[i] > balance[best])
                best = i;
        status = list_add(judge, 0, list_of(judge, 1)[best], error);
        judge->count[1]--;
        list_of(judge, 1)[best] = list_of(judge, 1)[judge->count[1]];
        balance[best] = balance[judge->count[1]];
    }
    free(balance);
    return status;
}

/* A world drawn as for elimination: positives and deep ones among them. */
static nlm_status draw(struct rule_judge *judge, int slot, int objects, struct rule_world *entry,
                       nlm_error *error)
{
    struct rule_worlds *worlds = judge->worlds;
    const nlm_world *world;
    entry->objects = objects;
    return world_source_draw(&worlds->source, worlds->seed, &worlds->next, objects, slot % 4 != 0,
                             slot % 4 >= 2, worlds->scratch, &entry->number, &world, error);
}

/* A third of the worlds have half the size and are quick to judge.  Of a problem the worlds are those learned
 * from, numbered from 0. */
nlm_status rule_judge_init(struct rule_judge *judge, struct rule_worlds *worlds, int target, int arity,
                           nlm_error *error)
{
    *judge = (struct rule_judge){.worlds = worlds, .target = target, .arity = arity};
    const bool fixed = worlds->source.problem != NULL;
    const int count = fixed ? worlds->source.learned : FULL_WORLDS + HALF_WORLDS;
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && status == NLM_OK; i++) {
        struct rule_world entry = {(uint64_t)i, worlds->objects};
        if (!fixed)
            status =
                draw(judge, i, i < FULL_WORLDS ? worlds->objects : (worlds->objects + 1) / 2, &entry, error);
        if (status == NLM_OK)
            status = list_add(judge, 1, entry, error);
    }
    return status == NLM_OK ? choose_few(judge, error) : status;
}

/* What belongs to one program; the lists of worlds stay. */
static void drop_groups(struct rule_judge *judge)
{
    for (int g = 0; g < JUDGE_GROUPS; g++) {
        truth_free(judge->group[g]);
        judge->group[g] = NULL;
        judge->label_count[g] = 0;
    }
}

void rule_judge_release(struct rule_judge *judge)
{
    drop_groups(judge);
    for (int g = 0; g < JUDGE_GROUPS; g++) {
        buffer_free(&judge->list[g]);
        buffer_free(&judge->labels[g]);
    }
}

/* A world and its labels into a group. */
static nlm_status group_add(const struct rule_judge *judge, const nlm_world *world, truth *group,
                            buffer *labels, size_t *label_count, nlm_error *error)
{
    const size_t tuples = nlm_tuple_count(nlm_world_objects(world), judge->arity);
    if (buffer_reserve(labels, *label_count + tuples, 1, true) != NLM_OK)
        return error_no_memory(error);
    nlm_world_all_labels(world, judge->target, (signed char *)labels->data + *label_count);
    *label_count += tuples;
    return truth_add_world(group, world, error);
}

/* Labels of a group are one array, world after world, as truth_compare wants them. */
nlm_status rule_judge_use(struct rule_judge *judge, const nlm_program *program, nlm_error *error)
{
    nlm_status status = NLM_OK;
    drop_groups(judge);
    for (int g = 0; g < JUDGE_GROUPS && status == NLM_OK; g++) {
        status = truth_new(program, KEPT_BYTES, &judge->group[g], error);
        for (int i = 0; i < judge->count[g] && status == NLM_OK; i++) {
            const nlm_world *world;
            status = world_of(judge, list_of(judge, g)[i], &world, error);
            if (status == NLM_OK)
                status = group_add(judge, world, judge->group[g], &judge->labels[g], &judge->label_count[g],
                                   error);
        }
    }
    return status;
}

/* The few first: the many are asked only about formulas that these do not refuse. */
nlm_status rule_judge_agrees(void *context, formula f, bool *yes, nlm_error *error)
{
    struct rule_judge *judge = context;
    int wrong = -1;
    nlm_status status = NLM_OK;
    for (int g = 0; g < JUDGE_GROUPS && wrong < 0 && status == NLM_OK; g++)
        status = truth_compare(judge->group[g], f, judge->arity, judge->labels[g].data, &wrong, error);
    *yes = status == NLM_OK && wrong < 0;
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status; /* too large for tables: another formula may fit */
}

void rule_judge_forget(void *context)
{
    struct rule_judge *judge = context;
    for (int g = 0; g < JUDGE_GROUPS; g++)
        if (judge->group[g])
            truth_forget(judge->group[g]);
}

/* Some worlds at once; which is the first that differs, or -1. */
static nlm_status verify_batch(struct rule_judge *judge, const nlm_program *program, formula f, int first,
                               int count, struct rule_world *entries, int *wrong, nlm_error *error)
{
    const bool fixed = judge->worlds->source.problem != NULL;
    truth *group;
    buffer labels = {0};
    size_t label_count = 0;
    nlm_status status = truth_new(program, KEPT_BYTES, &group, error);
    for (int i = 0; i < count && status == NLM_OK; i++) {
        const nlm_world *world;
        const int size = judge->worlds->objects;
        entries[i] = (struct rule_world){(uint64_t)(first + i), size};
        if (!fixed)
            status = draw(judge, first + i, first + i < VERIFY_WORLDS ? size : 2 * size, &entries[i], error);
        if (status == NLM_OK)
            status = world_of(judge, entries[i], &world, error);
        if (status == NLM_OK)
            status = group_add(judge, world, group, &labels, &label_count, error);
    }
    if (status == NLM_OK)
        status = truth_compare(group, f, judge->arity, labels.data, wrong, error);
    truth_free(group);
    buffer_free(&labels);
    return status;
}

/* Labels that a formula gets wrong in the large world. */
struct world_check {
    struct rule_judge *judge;
    tuple_truth *truth;
    formula f;
    int failures;
    nlm_status status;
    nlm_error *error;
};

static bool check_label(void *context, int side, const int *tuple, bool is_true)
{
    struct world_check *in = context;
    bool holds;
    if (side != SIDE_LEARNED)
        return true;
    in->status = tuple_truth_ask(in->truth, in->f, tuple, &holds, in->error);
    if (in->status || holds == is_true)
        return !in->status;
    struct rule_world entry = {.objects = in->judge->worlds->objects};
    in->status =
        world_source_name(&in->judge->worlds->source, in->judge->target, tuple, &entry.number, in->error);
    if (!in->status)
        in->status = list_add(in->judge, 0, entry, in->error);
    return !in->status && ++in->failures < MOST_FAILURES;
}

/* Neighbourhoods are right about labels that depend on what is near; so all labels of the world that they
 * were drawn from are asked at last.  Neighbourhoods of those that are wrong join the few. */
static nlm_status verify_large(struct rule_judge *judge, const nlm_program *program, formula f, int *failures,
                               nlm_error *error)
{
    const struct world_source *source = &judge->worlds->source;
    struct world_check check = {.judge = judge, .f = f, .error = error};
    check.status = tuple_truth_new(program, nlm_problem_world(source->problem, 0), &check.truth, error);
    if (!check.status)
        neighbourhoods_labels(source->near, judge->target, check_label, &check);
    tuple_truth_free(check.truth);
    *failures = check.failures;
    return check.status;
}

/* One counterexample of a batch is enough: it joins the few, and the next simplification heeds it. */
nlm_status rule_judge_verify(struct rule_judge *judge, const nlm_program *program, formula f, int *failures,
                             nlm_error *error)
{
    const bool fixed = judge->worlds->source.problem != NULL;
    const int all = fixed ? judge->worlds->source.learned : VERIFY_WORLDS + VERIFY_LARGE;
    struct rule_world entries[VERIFY_BATCH];
    *failures = 0;
    for (int first = 0; first < all && *failures < MOST_FAILURES; first += VERIFY_BATCH) {
        const int count = all - first < VERIFY_BATCH ? all - first : VERIFY_BATCH;
        int wrong = -1;
        nlm_status status = verify_batch(judge, program, f, first, count, entries, &wrong, error);
        if (status == NLM_OK && wrong >= 0) {
            ++*failures;
            status = list_add(judge, 0, entries[wrong], error);
        }
        if (status != NLM_OK)
            return status;
    }
    if (judge->worlds->source.near && *failures == 0)
        return verify_large(judge, program, f, failures, error);
    return NLM_OK;
}

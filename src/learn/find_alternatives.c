#include "learn/find_alternatives.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/varied_worlds.h"
#include "logic/case_of.h"
#include "logic/clauses.h"
#include "logic/neighbours.h"
#include "logic/scopes.h"
#include "syntax/constant.h"

enum {
    VARIED = 192,           /* worlds */
    MOST_FOUND = 600,       /* alternatives that are remembered */
    MOST_NEIGHBOURS = 6000, /* of a formula */
    MOST_TESTS = 60000,
    ROUNDS = 4,       /* formulas whose neighbours are tried, besides the program's */
    MOST_SMALL = 8,   /* alternatives that are kept since they are no longer than the program */
    MOST_NEAR = 16,   /* with these, that are one change away */
    MOST_ALONE = 20,  /* with these; others are joined, */
    MOST_JOINED = 72, /* at most so many, */
    JOINED = 6,       /* so many in one alternative */
    LAYERS = 8,
    BATCH = 20,
    ATTEMPTS = 3,
    LEAST_WIDTH = 3,
    MOST_LONGER = 24, /* literals more than the program */
    KEPT_BYTES = 1 << 26,
    STREAM = 0x616c74 /* of random numbers */
};

typedef struct found {
    formula f, scene;
    int literals;
    bool is_near, is_tried;
    bool is_kept, is_alone; /* among the result; as an alternative of its own */
    uint64_t *differ;       /* a bit for each tuple of varied worlds */
    size_t won, lost;       /* tuples that it has and the program does not, and the converse */
} found;

typedef struct search {
    nlm_program *program; /* a copy, in whose store all formulas are */
    formula own;
    int head, arity, literals;
    int most; /* alternatives in the list, with this target's */
    struct rule_judge *judge;
    uint64_t seed;
    truth *varied;
    int objects[VARIED], varied_count;
    size_t words;             /* of bits */
    uint64_t *mine, *scratch; /* the program's bits, a candidate's */
    uint64_t *any;            /* where some alternative differs */
    signed char *values;
    neighbourhood near;
    found list[MOST_FOUND];
    int count;
    long tests;
} search;

/* ---- worlds ---- */

static nlm_status example(const struct rule_judge *judge, struct rule_world entry, const nlm_world **world,
                          nlm_error *error)
{
    return world_source_world(&judge->worlds->source, judge->worlds->seed, entry.number, entry.objects,
                              judge->worlds->scratch, world, error);
}

/* Of the judge's worlds one after the other, each varied. */
static nlm_status make_varied(search *in, nlm_error *error)
{
    const struct rule_judge *judge = in->judge;
    const int all = judge->count[0] + judge->count[1];
    nlm_world *made;
    size_t tuples = 0, most = 0;
    nlm_status status = nlm_world_new(&made, error);
    if (!status)
        status = truth_new(in->program, KEPT_BYTES, &in->varied, error);
    for (int w = 0; w < VARIED && all > 0 && !status; w++) {
        const int group = w % all < judge->count[0] ? 0 : 1, at = w % all - (group ? judge->count[0] : 0);
        const nlm_world *from;
        random_stream random;
        random_start(&random, in->seed, STREAM + (uint64_t)w);
        status = example(judge, ((const struct rule_world *)judge->list[group].data)[at], &from, error);
        if (!status)
            status = varied_world(from, &random, made, error);
        const int objects = nlm_world_objects(made);
        if (status || objects == 0)
            continue;
        status = truth_add_world(in->varied, made, error);
        in->objects[in->varied_count++] = objects;
        const size_t own = nlm_tuple_count(objects, in->arity);
        tuples += own;
        most = own > most ? own : most;
    }
    nlm_world_free(made);
    in->words = tuples / 64 + 1;
    in->mine = memory_new(in->words, sizeof *in->mine);
    in->scratch = memory_new(in->words, sizeof *in->scratch);
    in->any = memory_new(in->words, sizeof *in->any);
    in->values = memory_new(most + 1, 1);
    if (!status && (!in->mine || !in->scratch || !in->any || !in->values))
        status = error_no_memory(error);
    return status;
}

/* A formula in all varied worlds. */
static nlm_status bits_of(search *in, formula f, uint64_t *bits, nlm_error *error)
{
    size_t at = 0;
    memset(bits, 0, in->words * sizeof *bits);
    for (int w = 0; w < in->varied_count; w++) {
        const size_t tuples = nlm_tuple_count(in->objects[w], in->arity);
        const nlm_status status = truth_values(in->varied, f, in->arity, w, in->values, error);
        if (status)
            return status;
        for (size_t t = 0; t < tuples; t++, at++)
            bits[at / 64] |= (uint64_t)(in->values[t] == 1) << (at % 64);
    }
    return NLM_OK;
}

/* ---- alternatives ---- */

/* Bits of `a` that are not in `b`. */
static size_t more_than(const search *in, const uint64_t *a, const uint64_t *b)
{
    size_t count = 0;
    for (size_t i = 0; i < in->words; i++)
        count += (size_t)__builtin_popcountll(a[i] & ~b[i]);
    return count;
}

/* One that differs from the program in the same tuples. */
static found *same_as(search *in, const uint64_t *differ)
{
    for (int i = 0; i < in->count; i++)
        if (memcmp(in->list[i].differ, differ, in->words * sizeof *differ) == 0)
            return &in->list[i];
    return NULL;
}

/* Whether the formula is the program, an alternative already found, or (far from the program) nothing new;
 * its bits become the tuples in which it differs. */
static bool is_known(search *in, formula f, bool is_near, uint64_t *bits)
{
    bool differs = false;
    for (size_t i = 0; i < in->words; i++)
        differs |= (bits[i] ^= in->mine[i]) != 0;
    if (!differs || (!is_near && more_than(in, bits, in->any) == 0))
        return true;
    const found *same = same_as(in, bits);
    return same && same->literals <= clauses_measure(in->program, f, in->arity).literals;
}

/* The candidate's bits are in `scratch`. */
static nlm_status add(search *in, const neighbour *candidate, bool is_near, nlm_error *error)
{
    const int literals = clauses_measure(in->program, candidate->f, in->arity).literals;
    uint64_t *differ;
    found *same = same_as(in, in->scratch);
    if (same) { /* a shorter one */
        same->f = candidate->f;
        same->scene = candidate->scene;
        same->literals = literals;
        return NLM_OK;
    }
    if (in->count == MOST_FOUND || literals > in->literals + MOST_LONGER)
        return NLM_OK;
    if (!(differ = memory_new(in->words, sizeof *differ)))
        return error_no_memory(error);
    memcpy(differ, in->scratch, in->words * sizeof *differ);
    found *made = &in->list[in->count++];
    *made = (found){.f = candidate->f,
                    .scene = candidate->scene,
                    .literals = literals,
                    .is_near = is_near,
                    .differ = differ};
    for (size_t i = 0; i < in->words; i++) {
        in->any[i] |= differ[i];
        made->lost += (size_t)__builtin_popcountll(differ[i] & in->mine[i]);
        made->won += (size_t)__builtin_popcountll(differ[i] & ~in->mine[i]);
    }
    return NLM_OK;
}

static nlm_status agrees(search *in, int group, formula f, bool *yes, nlm_error *error)
{
    int wrong = 0;
    const nlm_status status =
        truth_compare(in->judge->group[group], f, in->arity, in->judge->labels[group].data, &wrong, error);
    *yes = !status && wrong < 0;
    return status;
}

/* The few examples refuse most; the varied worlds know what is no other formula; the many decide. */
static nlm_status consider(search *in, const neighbour *candidate, bool is_near, nlm_error *error)
{
    bool yes;
    nlm_status status = agrees(in, 0, candidate->f, &yes, error);
    if (!status && yes) {
        status = bits_of(in, candidate->f, in->scratch, error);
        yes = !status && !is_known(in, candidate->f, is_near, in->scratch);
    }
    if (!status && yes)
        status = agrees(in, 1, candidate->f, &yes, error);
    if (!status && yes)
        status = add(in, candidate, is_near, error);
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status; /* too many variables for tables */
}

/* All neighbours of a formula. */
static nlm_status explore(search *in, formula from, bool is_near, nlm_error *error)
{
    in->near.brief = !is_near;
    nlm_status status = neighbours_find(&in->near, from, error);
    for (size_t i = 0; i < in->near.count && !status && in->tests < MOST_TESTS; i++) {
        const neighbour candidate = *neighbour_at(&in->near, i);
        in->tests++;
        if (candidate.f != FORMULA_FALSE && candidate.f != FORMULA_TRUE)
            status = consider(in, &candidate, is_near, error);
    }
    if (!status && in->program->store.failed)
        status = error_no_memory(error);
    return status;
}

/* The next to go on from: in turn the one that wins most and the one that loses most. */
static found *next_base(search *in, int round)
{
    found *best = NULL;
    for (int i = 0; i < in->count; i++) {
        found *one = &in->list[i];
        const size_t own = round % 2 ? one->lost : one->won;
        if (!one->is_tried && own > 0 && (!best || own > (round % 2 ? best->lost : best->won)))
            best = one;
    }
    return best;
}

static nlm_status explore_all(search *in, nlm_error *error)
{
    nlm_status status = bits_of(in, in->own, in->mine, error);
    if (!status)
        status = explore(in, in->own, true, error);
    for (int round = 0; round < ROUNDS && !status && in->tests < MOST_TESTS; round++) {
        found *base = next_base(in, round);
        if (base) {
            base->is_tried = true;
            status = explore(in, base->f, false, error);
        }
    }
    return status;
}

static void forget_found(search *in)
{
    for (int i = 0; i < in->count; i++)
        memory_free(in->list[i].differ);
}

/* ---- which are kept ---- */

/* Of those allowed, one after the other that adds most tuples in which some alternative differs; with
 * `idle` also those that add none. */
static int keep(search *in, int kept, int most, bool near_only, bool small_only, bool idle)
{
    while (kept < most) {
        found *best = NULL;
        size_t gain = 0;
        for (int i = 0; i < in->count; i++) {
            found *one = &in->list[i];
            if (one->is_kept || (near_only && !one->is_near) || (small_only && one->literals > in->literals))
                continue;
            const size_t own = more_than(in, one->differ, in->any);
            if ((own > 0 || idle) &&
                (!best || own > gain || (own == gain && one->literals < best->literals))) {
                best = one;
                gain = own;
            }
        }
        if (!best)
            break;
        best->is_kept = true;
        for (size_t i = 0; i < in->words; i++)
            in->any[i] |= best->differ[i];
        kept++;
    }
    return kept;
}

/* Those that are kept for themselves, then those that are joined.  Varied worlds are few: that other
 * alternatives differ in the same tuples may be chance, so that each tuple is covered several times as long
 * as there is room, by alternatives near the program if there are such. */
static int choose(search *in)
{
    memset(in->any, 0, in->words * sizeof *in->any);
    int kept = keep(in, 0, MOST_SMALL, true, true, true);
    kept = keep(in, kept, MOST_NEAR, true, false, false);
    kept = keep(in, kept, MOST_ALONE, false, false, false);
    for (int i = 0; i < in->count; i++)
        in->list[i].is_alone = in->list[i].is_kept;
    const int most = kept + MOST_JOINED;
    for (int layer = 0; layer < LAYERS; layer++) {
        kept = keep(in, kept, most, true, false, false);
        kept = keep(in, kept, most, false, false, false);
        memset(in->any, 0, in->words * sizeof *in->any);
    }
    return kept;
}

/* ---- fresh examples ---- */

typedef struct batch {
    truth *group;
    buffer labels;
    size_t label_count;
    struct rule_world worlds[BATCH];
    int count;
} batch;

static nlm_status fill_batch(search *in, int first, int count, batch *into, nlm_error *error)
{
    *into = (batch){0};
    nlm_status status = truth_new(in->program, KEPT_BYTES, &into->group, error);
    for (int i = 0; i < count && !status; i++) {
        const nlm_world *world;
        struct rule_world *entry = &into->worlds[i];
        status =
            rule_worlds_example(in->judge->worlds, first + i, &entry->number, &entry->objects, &world, error);
        const size_t tuples = status ? 0 : nlm_tuple_count(nlm_world_objects(world), in->arity);
        if (!status && buffer_reserve(&into->labels, into->label_count + tuples, 1, true) != NLM_OK)
            status = error_no_memory(error);
        if (status)
            break;
        nlm_world_all_labels(world, in->judge->target, (signed char *)into->labels.data + into->label_count);
        into->label_count += tuples;
        into->count++;
        status = truth_add_world(into->group, world, error);
    }
    return status;
}

static void end_batch(batch *of)
{
    truth_free(of->group);
    buffer_free(&of->labels);
}

/* Alternatives that disagree with a batch are not kept; the judge gets the world that tells. */
static nlm_status check_batch(search *in, const batch *with, int *dropped, nlm_error *error)
{
    struct rule_judge *judge = in->judge;
    nlm_status status = NLM_OK;
    for (int i = 0; i < in->count && !status; i++) {
        found *one = &in->list[i];
        int wrong = -1;
        if (!one->is_kept)
            continue;
        status = truth_compare(with->group, one->f, in->arity, with->labels.data, &wrong, error);
        if (status == NLM_BAD_ARGUMENT || wrong >= 0)
            one->is_kept = false;
        if (status == NLM_BAD_ARGUMENT)
            status = NLM_OK;
        if (wrong < 0)
            continue;
        ++*dropped;
        if (buffer_reserve(&judge->list[0], (size_t)judge->count[0] + 1, sizeof with->worlds[0], true))
            return error_no_memory(error);
        ((struct rule_world *)judge->list[0].data)[judge->count[0]++] = with->worlds[wrong];
    }
    return status;
}

/* All that are kept, with fresh examples. */
static nlm_status check_examples(search *in, int *dropped, nlm_error *error)
{
    const int all = rule_worlds_examples(in->judge->worlds);
    nlm_status status = NLM_OK;
    *dropped = 0;
    for (int first = 0; first < all && !status; first += BATCH) {
        batch with;
        status = fill_batch(in, first, all - first < BATCH ? all - first : BATCH, &with, error);
        if (!status)
            status = check_batch(in, &with, dropped, error);
        end_batch(&with);
    }
    return status;
}

/* ---- the result ---- */

/* Conclusions are drawn by machines, and a model file has clauses: whether both can be. */
static bool is_useful(const nlm_program *program)
{
    nlm_machine *machine = NULL;
    nlm_program *read = NULL;
    nlm_signature *signature = NULL;
    char *text = NULL;
    nlm_error error;
    nlm_program_reading reading = {0};
    bool yes = nlm_program_compile(program, 0, &machine, &error) == NLM_OK &&
               nlm_program_text(program, NLM_CLAUSES, &text, &error) == NLM_OK,
         constants = false;
    for (int i = 0; i < program->input_count && yes; i++)
        constants |= constant_is_in(program_at(program, i)->name);
    if (constants) /* only a signature tells which constants are known */
        yes = nlm_program_signature(program, &signature, &error) == NLM_OK;
    reading.signature = signature;
    yes = yes && nlm_program_parse(text, strlen(text), "", &reading, &read, &error) == NLM_OK;
    nlm_machine_free(machine);
    nlm_program_free(read);
    nlm_signature_free(signature);
    free(text);
    return yes;
}

static nlm_status add_result(search *in, formula f, formula from, nlm_alternatives *into, nlm_error *error)
{
    nlm_program *rules = NULL, *differ = NULL;
    const program_predicate *target = program_at(in->program, in->program->target[in->head]);
    formula scene = FORMULA_FALSE;
    nlm_status status = case_of(&(case_question){.program = in->program,
                                                 .one = in->own,
                                                 .other = f,
                                                 .scene = from,
                                                 .examples = in->judge->group,
                                                 .groups = JUDGE_GROUPS,
                                                 .varied = in->varied},
                                &scene, error);
    if (!status)
        status = alternatives_program(in->program, target, f, &rules, error);
    if (!status && scene != FORMULA_FALSE)
        status = alternatives_program(in->program, NULL, scene, &differ, error);
    if (!status && nlm_alternatives_count(into) < in->most && is_useful(rules))
        return alternatives_add(into, in->head, rules, differ, error);
    nlm_program_free(rules);
    nlm_program_free(differ);
    return status;
}

/* What agrees with the examples does so joined by `and` or `or`: where one of the special ones is false, or
 * one of the general ones true, the result differs from the program.  The next that are not joined yet, from
 * *at on; FORMULA_FALSE if there are none. */
static formula next_joined(search *in, bool general, int *at)
{
    formula_store *store = &in->program->store;
    formula joined = in->own;
    int members = 0;
    for (; *at < in->count && members < JOINED; ++*at) {
        const found *one = &in->list[*at];
        if (!one->is_kept || one->is_alone || (general ? one->won : one->lost) == 0)
            continue;
        joined = general ? formula_or2(store, joined, one->f) : formula_and2(store, joined, one->f);
        members++;
    }
    return members ? joined : FORMULA_FALSE;
}

static nlm_status add_results(search *in, nlm_alternatives *into, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < in->count && !status; i++)
        if (in->list[i].is_kept && in->list[i].is_alone)
            status = add_result(in, in->list[i].f, in->list[i].scene, into, error);
    int at[2] = {0};
    while ((at[0] < in->count || at[1] < in->count) && !status)
        for (int general = 0; general < 2 && !status; general++) {
            const formula joined = next_joined(in, general, &at[general]);
            if (joined != FORMULA_FALSE)
                status = add_result(in, joined, FORMULA_FALSE, into, error);
        }
    return status;
}

/* Alternatives that counterexamples have refuted leave. */
static nlm_status check_few(search *in, nlm_error *error)
{
    nlm_status status = rule_judge_use(in->judge, in->program, error);
    for (int i = 0; i < in->count && !status; i++) {
        bool yes = false;
        status = agrees(in, 0, in->list[i].f, &yes, error);
        in->list[i].is_kept = false;
        if (status || yes)
            continue;
        memory_free(in->list[i].differ);
        in->list[i--] = in->list[--in->count];
    }
    return status;
}

/* Those chosen are compared with fresh examples; if some are refuted, others are chosen. */
static nlm_status search_all(search *in, nlm_alternatives *into, nlm_error *error)
{
    int dropped = 1;
    in->near = (neighbourhood){.program = in->program, .most = MOST_NEIGHBOURS};
    in->near.width = formula_width(&in->program->store, in->own);
    in->near.width = in->near.width < LEAST_WIDTH ? LEAST_WIDTH : in->near.width;
    nlm_status status = rule_judge_use(in->judge, in->program, error);
    if (!status)
        status = explore_all(in, error);
    for (int attempt = 0; attempt < ATTEMPTS && dropped > 0 && !status; attempt++) {
        dropped = 0;
        if (attempt > 0)
            status = check_few(in, error);
        if (!status && choose(in) > 0)
            status = check_examples(in, &dropped, error);
    }
    return status ? status : add_results(in, into, error);
}

/* The program's own formula, its quantifiers in an order that relates few variables at once, so that tables
 * of it and of those near it are small. */
static nlm_status take_own(search *in, nlm_error *error)
{
    const program_predicate *target = program_at(in->program, in->program->target[in->head]);
    scopes orders;
    const nlm_status status = scopes_start(&orders, in->program, error);
    if (!status)
        in->own = scopes_order_all(&orders, target->body);
    scopes_free(&orders);
    in->arity = target->arity;
    in->literals = clauses_measure(in->program, in->own, in->arity).literals;
    return status;
}

nlm_status find_alternatives(const nlm_program *program, int head, struct rule_judge *judge, uint64_t seed,
                             nlm_alternatives *into, nlm_error *error)
{
    search *in = memory_new(1, sizeof *in);
    if (!in)
        return error_no_memory(error);
    *in = (search){.head = head, .judge = judge, .seed = seed};
    in->most = nlm_alternatives_count(into) + NLM_MAX_ALTERNATIVES;
    nlm_status status = program_copy(program, &in->program, error);
    if (!status)
        status = take_own(in, error);
    if (!status)
        status = make_varied(in, error);
    if (!status)
        status = search_all(in, into, error);
    rule_judge_forget(judge);
    forget_found(in);
    neighbours_free(&in->near);
    truth_free(in->varied);
    memory_free(in->mine);
    memory_free(in->scratch);
    memory_free(in->any);
    memory_free(in->values);
    nlm_program_free(in->program);
    memory_free(in);
    return status;
}

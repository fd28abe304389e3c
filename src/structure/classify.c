/* Classification of tuples by their keys: number chunk by chunk, merge, replace (classify.h).
 *
 * Scratch lives in the structure and is shared by all levels and ranges, since they are classified one after
 * the other.  Arrays per chunk (keys, first tuples, map) have one entry per tuple, because a chunk has at
 * most as many distinct keys as tuples: chunk c uses the entries from its first tuple on.
 *
 * Cost: one hash and one comparison per tuple, shared out over the threads; r! of both per orbit, by one
 * thread.  Few classes make the second part small; many make lifting pointless (LIFTING_PAYS). */
#include "structure/classify.h"

#include "base/team.h"

/* Lifting pays while the distinct keys, counted chunk by chunk, are at most this share of the tuples: beyond
 * it, entering r! keys per orbit costs more than the arithmetic that is saved.  A key that occurs in several
 * chunks counts several times, since merging it costs each time. */
#define LIFTING_PAYS(distinct, tuples) (3 * (distinct) <= 2 * (tuples))

/* Up to four chunks of at least `least` tuples each; more only where a chunk would exceed 8192 tuples. */
size_t classify_chunk_size(size_t tuples, size_t least)
{
    size_t chunks = tuples / least;
    if (chunks > 4)
        chunks = 4; /* more would cost more to merge than a few threads gain */
    if (chunks < tuples / 8192 + 1)
        chunks = tuples / 8192 + 1;
    return (tuples + chunks - 1) / chunks + (tuples == 0);
}

static int chunk_count(const struct classification *job, size_t tuples)
{
    return (int)((tuples + job->chunk - 1) / job->chunk);
}

/* Step 1: number the keys of one chunk with the hash table of this thread. */
static void number_chunk(void *context, int part, int thread)
{
    struct classification *job = context;
    struct nlm_structure *s = job->structure;
    size_t tuples = tuples_count(&s->tuples, job->arity);
    size_t begin = (size_t)part * job->chunk, end = begin + job->chunk < tuples ? begin + job->chunk : tuples;
    struct intern *local = &s->local[thread];
    int32_t *keys = (int32_t *)s->chunk_keys.data + begin * job->width;
    ((int32_t *)s->chunk_counts.data)[part] = 0;
    intern_restart(local, end - begin, keys);
    struct classify_chunk chunk = {begin, end, local, (int32_t *)s->chunk_firsts.data + begin, thread};
    job->number(job, &chunk);
    ((int32_t *)s->chunk_counts.data)[part] = local->count;
}

/* A new orbit.  Its key is entered already, as number `entered`; enter the other orders too.  Orders whose
 * keys coincide are marked as the same. */
static void add_orbit(struct classification *job, const int32_t *key, int32_t entered, int32_t first)
{
    struct nlm_structure *s = job->structure;
    const struct orders *orders = &s->plan->orders[job->arity];
    struct partition *out = job->out;
    int32_t *codes = s->merged_codes.data, *reordered = s->reordered.data;
    int32_t orbit = (int32_t)(out->orbits << orders->shift);
    uint8_t *same = (uint8_t *)out->same_store.data + out->orbits * (size_t)orders->count;
    codes[entered] = orbit;
    same[0] = 0;
    out->classes++;
    /* A key that is known here is one of this orbit: had another orbit entered it, that orbit would have
     * entered `key` too, which is one of its reorderings. */
    for (int p = 1; p < orders->count; p++) {
        job->reorder(job, key, p, reordered);
        int32_t known = s->merged.count;
        int32_t number = intern_add(&s->merged, reordered, job->width);
        if (number == known) {
            codes[number] = orbit | p;
            out->classes++;
        }
        INVARIANT((codes[number] & ~orders->mask) == orbit);
        same[p] = (uint8_t)(codes[number] & orders->mask);
    }
    ((int32_t *)s->orbit_keys.data)[out->orbits] = entered;
    ((int32_t *)out->first_store.data)[out->orbits++] = first;
}

/* Keys of the merged table stay until the next classification. */
const int32_t *classify_orbit_key(const struct classification *job, size_t orbit)
{
    const struct nlm_structure *s = job->structure;
    return s->merged.keys + (size_t)((const int32_t *)s->orbit_keys.data)[orbit] * job->width;
}

/* Step 2: merge the distinct keys of all chunks.  chunk_map[begin + n] becomes the code of key n of the chunk
 * that begins at tuple `begin`.  Orbits are numbered in the order in which their keys are first seen.
 *
 * A chunk knows nothing of orders: a tuple and its reordering have different numbers there.  Here they meet,
 * since the first of the two enters the keys of all orders (add_orbit), and the other is then found. */
static nlm_status merge_chunks(struct classification *job, int chunks, size_t distinct)
{
    struct nlm_structure *s = job->structure;
    struct partition *out = job->out;
    size_t orders = (size_t)s->plan->orders[job->arity].count;
    if (intern_start(&s->merged, job->width, distinct * orders, NULL) ||
        buffer_reserve(&s->merged_codes, distinct * orders, sizeof(int32_t), false) ||
        buffer_reserve(&s->reordered, job->width, sizeof(int32_t), false) ||
        buffer_reserve(&s->orbit_keys, distinct, sizeof(int32_t), false) ||
        buffer_reserve(&out->first_store, distinct, sizeof(int32_t), false) ||
        buffer_reserve(&out->same_store, distinct * orders, 1, false))
        return NLM_NO_MEMORY;
    const int32_t *counts = s->chunk_counts.data, *merged_codes = s->merged_codes.data;
    int32_t *map = s->chunk_map.data;
    out->orbits = out->classes = 0;
    for (int c = 0; c < chunks; c++) {
        size_t begin = (size_t)c * job->chunk;
        const int32_t *keys = (const int32_t *)s->chunk_keys.data + begin * job->width;
        /* keys of a chunk are in the order of their first tuples, so orbits are numbered as one thread would
         * number them */
        for (int32_t n = 0; n < counts[c]; n++, keys += job->width) {
            int32_t known = s->merged.count;
            int32_t number = intern_add(&s->merged, keys, job->width);
            if (number == known)
                add_orbit(job, keys, number, ((const int32_t *)s->chunk_firsts.data)[begin + (size_t)n]);
            map[begin + (size_t)n] = merged_codes[number];
        }
    }
    return NLM_OK;
}

/* Step 3: a tuple's number within its chunk becomes its code. */
static void replace_numbers(void *context, int part, int thread)
{
    (void)thread;
    struct classification *job = context;
    size_t tuples = tuples_count(&job->structure->tuples, job->arity);
    size_t begin = (size_t)part * job->chunk, end = begin + job->chunk < tuples ? begin + job->chunk : tuples;
    const int32_t *map = (const int32_t *)job->structure->chunk_map.data + begin;
    for (size_t t = begin; t < end; t++)
        job->codes[t] = map[job->codes[t]];
}

/* Room for as many distinct keys as there are tuples, the most that can come. */
static nlm_status reserve_chunks(struct classification *job, size_t tuples, int chunks)
{
    struct nlm_structure *s = job->structure;
    size_t words;
    if (!memory_multiply(tuples, job->width, &words))
        return NLM_NO_MEMORY;
    if (buffer_reserve(&s->chunk_keys, words, sizeof(int32_t), false) ||
        buffer_reserve(&s->chunk_firsts, tuples, sizeof(int32_t), false) ||
        buffer_reserve(&s->chunk_map, tuples, sizeof(int32_t), false) ||
        buffer_reserve(&s->chunk_counts, (size_t)chunks, sizeof(int32_t), false) ||
        buffer_reserve(&job->out->code_store, tuples, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    return NLM_OK;
}

/* Reserve, number, decide whether lifting pays, merge, replace.  Memory is the only reason to fail. */
nlm_status classify(struct classification *job, const struct partition **part)
{
    struct nlm_structure *s = job->structure;
    struct partition *out = job->out;
    size_t tuples = tuples_count(&s->tuples, job->arity);
    int chunks = chunk_count(job, tuples);
    if (reserve_chunks(job, tuples, chunks))
        return NLM_NO_MEMORY;
    /* any thread may get any chunk: all tables are ready for the largest, so that no step allocates later on
     */
    for (int l = 0; l < s->locals; l++)
        if (intern_start(&s->local[l], job->width, job->chunk, s->chunk_keys.data))
            return NLM_NO_MEMORY;
    job->codes = out->code_store.data;
    team_run(s->team, chunks, number_chunk, job);
    size_t distinct = 0;
    for (int c = 0; c < chunks; c++)
        distinct += (size_t)((const int32_t *)s->chunk_counts.data)[c];
    INVARIANT(distinct <= tuples);
    if (tuples > 0 && s->options.lifting != NLM_CLASSES && !LIFTING_PAYS(distinct, tuples))
        return structure_identity(s, job->arity, part);
    if (distinct > STRUCTURE_MOST_ORBITS(&s->plan->orders[job->arity])) {
        s->beyond = job->arity;
        return NLM_NO_MEMORY;
    }
    if (merge_chunks(job, chunks, distinct))
        return NLM_NO_MEMORY;
    team_run(s->team, chunks, replace_numbers, job);
    /* a tag of its own; the caller replaces it where the division is that of the layer below */
    out->arity = job->arity;
    out->identity = false;
    out->tag = ++s->next_tag;
    out->codes = out->code_store.data;
    out->dense = NULL;
    out->first = out->first_store.data;
    out->same = out->same_store.data;
    *part = out;
    return NLM_OK;
}

/* Levels: classes of tuples by their inputs (layer 0) or by the classes they read (layers above), and the
 * codes that each class reads.
 *
 * The key of a tuple t at layer i is made of codes at layer i-1, as far as unit (i, r) reads them:
 *
 *     own(t), range(t), sub(t without x[0]), ..., sub(t without x[r-1])
 *
 * Equal codes mean equal classes (`same` names equal orders by the smallest), so equal keys mean that the
 * tuples read alike in all orders (docs/maths.md, section 3).  Classifying is skipped where its result is
 * known: a stable level takes over the partition below, a level that reads an identity is one, a streamed
 * level has none.
 *
 * Example: two pairs (a, b) and (c, d) are one class at layer 1 if their inputs are equal in both orders
 * (own), a is like c and b like d (sub), and the triples (a, b, z) and (c, d, z) are the same set (range). */
#include <string.h>
#include "base/team.h"
#include "structure/classify.h"
#include "structure/rows.h"

/* Which of the three groups of the layer below exist for a unit. */
bool structure_reads_own(const struct plan *plan, int layer, int arity)
{
    return plan_own_width(plan, layer, arity) > 0;
}

bool structure_reads_sub(const struct plan *plan, int layer, int arity)
{
    return plan_expand_width(plan, layer, arity) > 0;
}

bool structure_reads_range(const struct plan *plan, int layer, int arity)
{
    return plan_reduce_width(plan, layer, arity) > 0;
}

/* ---- layer 0 ---- */

/* Inputs are true or false in most worlds, and few keys are met again and again.  The keys of zeros and ones
 * that a chunk has met are remembered by their bits, in a small table where a later one takes the place of an
 * earlier: such a key is neither hashed nor compared word by word. */
enum { MEMO_SLOTS = 128, MEMO_WORDS = 64 };

struct memo {
    uint64_t bits[MEMO_SLOTS];
    int32_t number[MEMO_SLOTS]; /* in the chunk; -1: nothing here */
};

/* The bits of a key, its words taken in pairs; false if it has other numbers than 0 and 1.
 *
 * A pair of words is one number of 64 bits: bit 29 of each half is set for 1.0f and clear for 0.0f, and
 * halves that are neither leave something in `other`.  The bits of pair w land at 32 + m and at m, where m
 * counts the pairs after it; the odd word, if there is one, comes last.  With at most MEMO_WORDS = 64 words
 * no bit is shifted out, so different keys of one width have different bits. */
static inline bool key_bits(const int32_t *key, size_t width, uint64_t *bits)
{
    const uint64_t one = 0x3f800000, both = 0x100000001; /* 1.0f: bit 29 tells it from 0 */
    uint64_t other = 0, all = 0, ones;
    size_t w = 0;
    for (; w + 1 < width; w += 2) {
        uint64_t pair;
        memcpy(&pair, key + w, sizeof pair);
        ones = pair >> 29 & both;
        other |= pair ^ ones * one;
        all = all << 1 | ones;
    }
    if (w < width) {
        ones = (uint32_t)key[w] >> 29 & 1;
        other |= (uint32_t)key[w] ^ ones * one;
        all = all << 1 | ones;
    }
    *bits = all;
    return other == 0;
}

/* The key of a tuple is the bits of its inputs in all orders, as the batch has them: [r!][inputs].  Keys of
 * zeros and ones alone are remembered by their bits, which saves hashing and comparing. */
static void number_inputs(struct classification *job, struct classify_chunk *chunk)
{
    const size_t width = job->width;
    const int32_t *key = (const int32_t *)job->context + chunk->begin * width;
    struct memo memo;
    memset(memo.number, 0xff, sizeof memo.number);
    for (size_t t = chunk->begin; t < chunk->end; t++, key += width) {
        uint64_t bits;
        if (width > MEMO_WORDS || !key_bits(key, width, &bits)) {
            classify_tuple(job, chunk, t, key, width);
            continue;
        }
        /* the upper 7 bits of the product: one of MEMO_SLOTS */
        const size_t slot = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 57);
        if (memo.number[slot] < 0 || memo.bits[slot] != bits) {
            classify_tuple(job, chunk, t, key, width);
            memo.bits[slot] = bits;
            memo.number[slot] = job->codes[t];
        } else
            job->codes[t] = memo.number[slot];
    }
}

/* Order o of the reordered tuple is order times[order][o] of the tuple itself. */
static void reorder_inputs(const struct classification *job, const int32_t *key, int order, int32_t *out)
{
    const struct orders *orders = &job->structure->plan->orders[job->arity];
    size_t inputs = job->width / (size_t)orders->count;
    for (int o = 0; o < orders->count; o++)
        memcpy(out + (size_t)o * inputs, key + orders->times[order][o] * inputs, inputs * sizeof *key);
}

/* Keep the inputs of each orbit's representative: one block of [r!][inputs] per orbit, which are the rows of
 * block (0, r) as passes read them.  The batch may change afterwards. */
static nlm_status keep_inputs(struct nlm_structure *s, int arity, const float *values)
{
    const struct partition *part = s->levels[0][arity].part;
    size_t block = (size_t)s->plan->block[0][arity] * (size_t)s->plan->orders[arity].count;
    if (buffer_reserve(&s->values[arity], part->orbits * block, sizeof(float), false))
        return NLM_NO_MEMORY;
    float *kept = s->values[arity].data;
    if (part->identity && part->orbits)
        memcpy(kept, values, part->orbits * block * sizeof *kept);
    for (size_t o = 0; o < part->orbits && !part->identity; o++)
        memcpy(kept + o * block, values + (size_t)part->first[o] * block, block * sizeof *kept);
    return NLM_OK;
}

/* Inputs are not lifted where a row per tuple is wanted (identity, input gradients), where a sense will write
 * them (equal percepts are not looked for), or where a baseline reads tuples one by one. */
nlm_status structure_classify_inputs(struct nlm_structure *s, int arity, const float *values)
{
    struct level *level = &s->levels[0][arity];
    nlm_status status;
    const bool perceived = arity == 1 && s->perceived > 0; /* their values are known to passes only */
    if (s->options.lifting == NLM_IDENTITY || s->options.input_gradients || perceived || s->plan->baseline) {
        status = structure_identity(s, arity, &level->part);
    } else {
        struct classification job = {
            .structure = s,
            .arity = arity,
            .width = (size_t)s->plan->block[0][arity] * (size_t)s->plan->orders[arity].count,
            .chunk = classify_chunk_size(tuples_count(&s->tuples, arity), 256),
            .number = number_inputs,
            .reorder = reorder_inputs,
            .context = (void *)values,
            .out = &level->store,
        };
        status = classify(&job, &level->part);
    }
    return status ? status : keep_inputs(s, arity, values);
}

/* ---- layers above ---- */

/* The codes, per tuple, of the three partitions that a level reads at the layer below; NULL if not read. */
struct sources {
    const int32_t *own, *sub, *range;
};

/* The partitions at layer - 1 that unit (layer, arity) reads, as arrays of codes. */
static struct sources level_sources(const struct nlm_structure *s, int layer, int arity)
{
    struct sources sources = {NULL, NULL, NULL};
    if (structure_reads_own(s->plan, layer, arity))
        sources.own = s->levels[layer - 1][arity].part->codes;
    if (structure_reads_sub(s->plan, layer, arity))
        sources.sub = s->levels[layer - 1][arity - 1].part->codes;
    if (structure_reads_range(s->plan, layer, arity))
        sources.range = s->ranges[layer - 1][arity].part->codes;
    return sources;
}

/* Index, at arity r-1, of the walk's first tuple without its k-th variable.  For k > 0 the rest of the run
 * follows; for k = 0 it is the same for the whole run, since only x[0] changes within one.  The rank of a
 * sorted tuple is a sum of binomial coefficients, one per place (world/tuples.h). */
static size_t sub_index(const struct tuple_walk *walk, int k)
{
    size_t index = tuples_offset(walk->tuples, walk->world, walk->arity - 1);
    for (int l = 0, place = 1; l < walk->arity; l++)
        if (l != k)
            index += tuples_choose(walk->tuples, place++)[walk->x[l]];
    return index;
}

/* For number_level and reorder_level: the sources, and the layer whose tuples are classified. */
struct level_context {
    struct sources sources;
    int layer;
};

/* own, range, and a word per sub-tuple */
enum { KEY_MOST = NLM_MAX_BREADTH + 2 };

/* The keys of a run: word w of tuple e is from[w][e].  That of number `constant_word` is the sub-tuple
 * without x[0], which is the same for the whole run. */
static inline __attribute__((always_inline)) void number_run(struct classification *job,
                                                             struct classify_chunk *chunk, size_t first,
                                                             size_t run, const int32_t *const *from,
                                                             int constant_word, int words)
{
    for (size_t e = 0; e < run; e++) {
        /* `words` is a constant after inlining: the key stays in registers */
        int32_t key[KEY_MOST];
        for (int w = 0; w < words; w++)
            key[w] = from[w][w == constant_word ? 0 : e];
        classify_tuple(job, chunk, first + e, key, (size_t)words);
    }
}

/* Walk over the chunk run by run; within a run the words of the keys are contiguous in the sources. */
static void number_level(struct classification *job, struct classify_chunk *chunk)
{
    const struct sources *sources = &((const struct level_context *)job->context)->sources;
    int arity = job->arity;
    struct tuple_walk walk = tuple_walk_start(&job->structure->tuples, arity, chunk->begin);
    for (; walk.run && walk.index < chunk->end; tuple_walk_next_run(&walk)) {
        const int32_t *from[KEY_MOST];
        int words = 0, constant_word = -1;
        if (sources->own)
            from[words++] = sources->own + walk.index;
        if (sources->range)
            from[words++] = sources->range + walk.index;
        if (sources->sub) {
            constant_word = words;
            for (int k = 0; k < arity; k++)
                from[words++] = sources->sub + sub_index(&walk, k);
        }
        size_t run = walk.index + walk.run > chunk->end ? chunk->end - walk.index : walk.run;
        switch (words) { /* constants for the usual shapes */
        case 3:
            number_run(job, chunk, walk.index, run, from, constant_word, 3);
            break;
        case 4:
            number_run(job, chunk, walk.index, run, from, constant_word, 4);
            break;
        default:
            number_run(job, chunk, walk.index, run, from, constant_word, words);
        }
    }
}

/* A code in another order, named by the smallest order that is the same. */
static int32_t same_code(const struct partition *part, const struct orders *orders, int32_t code, int order)
{
    int32_t moved = orders_then(orders, code, order);
    if (part->same)
        moved = (moved & ~orders->mask) | part->same[orders_row(orders, moved)];
    return moved;
}

/* The key of t in order b, from the key of t (Lemma 2 of docs/maths.md):
 *     own, range     the same code, then order b
 *     word k of sub  t_b without position k is (t without position b[k]) in order drop[b][k] */
static void reorder_level(const struct classification *job, const int32_t *key, int order, int32_t *out)
{
    const struct level_context *context = job->context;
    const struct nlm_structure *s = job->structure;
    const struct orders *orders = &s->plan->orders[job->arity];
    int below = context->layer - 1, words = 0;
    if (context->sources.own) {
        out[words] = same_code(s->levels[below][job->arity].part, orders, key[words], order);
        words++;
    }
    if (context->sources.range) {
        out[words] = same_code(s->ranges[below][job->arity].part, orders, key[words], order);
        words++;
    }
    for (int k = 0; context->sources.sub && k < job->arity; k++)
        out[words + k] = same_code(s->levels[below][job->arity - 1].part, orders - 1,
                                   key[words + orders->order[order][k]], orders->drop[order][k]);
}

/* Equal tags mean equal divisions, even where the partitions were made separately. */
static bool same_partition(const struct partition *a, const struct partition *b)
{
    return a && b && a->tag == b->tag;
}

/* The level divides the tuples as the layer below does (stability rule, docs/maths.md, section 4): it reads,
 * besides its own group, only partitions that the partition below was already made from.
 *
 * In turn: without an own group there is no partition to take over; a group that is only carried on, or that
 * reads nothing else, keeps its classes; an identity cannot get finer; otherwise the layer below must have
 * read the same sources, and these must divide as they did one layer earlier. */
static bool level_is_stable(const struct nlm_structure *s, int layer, int arity)
{
    const struct plan *plan = s->plan;
    bool sub = structure_reads_sub(plan, layer, arity), range = structure_reads_range(plan, layer, arity);
    if (!structure_reads_own(plan, layer, arity))
        return false;
    if (!plan_unit_live(plan, layer, arity) || (!sub && !range))
        return true;
    if (s->levels[layer - 1][arity].part->identity)
        return true;
    if (layer < 2 || !plan_unit_live(plan, layer - 1, arity))
        return false;
    if (sub && !same_partition(s->levels[layer - 1][arity - 1].part, s->levels[layer - 2][arity - 1].part))
        return false;
    if (range && !same_partition(s->ranges[layer - 1][arity].part, s->ranges[layer - 2][arity].part))
        return false;
    return true;
}

/* Some source tells all tuples apart, so the keys would all be different: the range of each tuple, or its
 * sub-tuples of arity 1 and more, which together determine the tuple. */
static bool level_is_identity(const struct nlm_structure *s, int layer, int arity)
{
    if (s->options.lifting == NLM_IDENTITY)
        return true;
    if (structure_reads_sub(s->plan, layer, arity) && arity >= 2 &&
        s->levels[layer - 1][arity - 1].part->identity)
        return true;
    return structure_reads_range(s->plan, layer, arity) && s->ranges[layer - 1][arity].part->identity;
}

/* ---- links ---- */

/* Links of a level whose partition was not classified here: look up, for each orbit, the codes that its
 * representative reads. */
struct link_job {
    struct nlm_structure *structure;
    struct level *level;
    struct sources sources;
    int32_t *own, *sub, *range; /* to fill; NULL if not wanted */
    /* orbits per part */
    size_t chunk;
};

/* Links of `run` orbits from `orbit` on, whose representatives are the tuples of the walk. */
static void link_walk(const struct link_job *job, struct tuple_walk *walk, size_t orbit, size_t run)
{
    int arity = walk->arity;
    for (size_t e = 0; e < run; e++) {
        if (job->own)
            job->own[orbit + e] = job->sources.own[walk->index + e];
        if (job->range)
            job->range[orbit + e] = job->sources.range[walk->index + e];
    }
    for (int k = 0; job->sub && k < arity; k++) {
        const int32_t *from = job->sources.sub + sub_index(walk, k);
        for (size_t e = 0; e < run; e++)
            job->sub[(orbit + e) * (size_t)arity + (size_t)k] = from[k == 0 ? 0 : e];
    }
}

/* Orbits of an identity are the tuples in order, so whole runs are linked; others have their representatives
 * anywhere. */
static void link_chunk(void *context, int part, int thread)
{
    (void)thread;
    const struct link_job *job = context;
    const struct partition *partition = job->level->part;
    const struct tuples *tuples = &job->structure->tuples;
    size_t begin = (size_t)part * job->chunk, end = begin + job->chunk;
    if (end > partition->orbits)
        end = partition->orbits;
    if (!partition->identity) {
        for (size_t o = begin; o < end; o++) {
            struct tuple_walk walk = tuple_walk_start(tuples, partition->arity, (size_t)partition->first[o]);
            link_walk(job, &walk, o, 1);
        }
        return;
    }
    struct tuple_walk walk = tuple_walk_start(tuples, partition->arity, begin);
    for (; walk.run && walk.index < end; tuple_walk_next_run(&walk))
        link_walk(job, &walk, walk.index, walk.index + walk.run > end ? end - walk.index : walk.run);
}

/* Room for a link of `words` per orbit. */
static nlm_status reserve_link(const struct level *level, buffer *store, size_t words, int32_t **fill,
                               const int32_t **link)
{
    if (buffer_reserve(store, level->part->orbits * words, sizeof(int32_t), false))
        return NLM_NO_MEMORY;
    *link = *fill = store->data;
    return NLM_OK;
}

/* A link stays NULL where the partition read is this very one, and is shared with the level below where both
 * the level and the partition it reads are the same as there. */
nlm_status structure_link_level(struct nlm_structure *s, int layer, int arity)
{
    struct level *level = &s->levels[layer][arity];
    const struct level *below = &s->levels[layer - 1][arity];
    struct link_job job = {.structure = s, .level = level, .sources = level_sources(s, layer, arity)};
    /* with the same representatives and the same partition below, the links of the layer below hold here
     * too */
    bool reuse = layer >= 2 && below->part == level->part && plan_unit_live(s->plan, layer - 1, arity);
    nlm_status status = NLM_OK;
    level->own = level->sub = level->range = NULL;
    if (job.sources.own && below->part != level->part)
        status = reserve_link(level, &level->own_store, 1, &job.own, &level->own);
    if (!status && job.sources.sub) {
        if (reuse && s->levels[layer - 1][arity - 1].part == s->levels[layer - 2][arity - 1].part)
            level->sub = below->sub;
        else
            status = reserve_link(level, &level->sub_store, (size_t)arity, &job.sub, &level->sub);
    }
    if (!status && job.sources.range && s->ranges[layer - 1][arity].part != level->part) {
        if (reuse && s->ranges[layer - 1][arity].part == s->ranges[layer - 2][arity].part)
            level->range = below->range;
        else
            status = reserve_link(level, &level->range_store, 1, &job.range, &level->range);
    }
    if (status || !(job.own || job.sub || job.range))
        return status;
    job.chunk = classify_chunk_size(level->part->orbits, 1024);
    team_run(s->team, (int)((level->part->orbits + job.chunk - 1) / job.chunk), link_chunk, &job);
    return NLM_OK;
}

/* Links of a level that was just classified: the key of an orbit is the codes that its representative
 * reads. */
static nlm_status link_by_keys(const struct classification *job, struct level *level)
{
    const struct sources *sources = &((const struct level_context *)job->context)->sources;
    size_t orbits = level->part->orbits, arity = (size_t)job->arity;
    int32_t *own = NULL, *range = NULL, *sub = NULL;
    if ((sources->own && reserve_link(level, &level->own_store, 1, &own, &level->own)) ||
        (sources->range && reserve_link(level, &level->range_store, 1, &range, &level->range)) ||
        (sources->sub && reserve_link(level, &level->sub_store, arity, &sub, &level->sub)))
        return NLM_NO_MEMORY;
    for (size_t o = 0; o < orbits; o++) {
        const int32_t *key = classify_orbit_key(job, o);
        if (own)
            own[o] = *key++;
        if (range)
            range[o] = *key++;
        for (size_t k = 0; sub && k < arity; k++)
            sub[o * arity + k] = key[k];
    }
    level->linked = true;
    return NLM_OK;
}

/* ---- classification of a level ---- */

/* Only a reduction reads the level, and its values before the sigmoid are sums of table rows that depend on
 * the reduced variable.  (Hidden layers make the value no increasing function of such a sum.  At arity 1 the
 * sub-tuple is empty, the same row for all z: without own or range there would be nothing to reduce.) */
bool structure_may_stream(const struct plan *plan, int layer, int arity)
{
    return plan->spec.hidden_layers == 0 && plan_only_reduced(plan, layer, arity) &&
           (arity > 1 || structure_reads_own(plan, layer, arity) ||
            structure_reads_range(plan, layer, arity));
}

/* A level that may be streamed and takes over a partition in place of it has one below, which may not. */
bool structure_numbers(const struct plan *plan, int arity)
{
    bool numbers = plan->live[0][arity];
    for (int i = 1; i <= plan->spec.depth && !numbers; i++)
        numbers = plan->live[i][arity] && !structure_may_stream(plan, i, arity);
    return numbers;
}

/* A streamed level has no partition, but its reduction needs the rows that it reads, laid out by the last
 * variable.  At arity r-1 tuples are needed in orders that are not sorted, so those rows are dense however
 * large the world: no more cells than the reduction has results.  Own and range may be found tuple by tuple
 * instead (rows.h), so for them a large world is no reason to take so much memory. */
static nlm_status stream_level(struct nlm_structure *s, int layer, int arity)
{
    nlm_status status = NLM_OK;
    if (structure_reads_own(s->plan, layer, arity))
        status = rows_make_dense(s, s->levels[layer - 1][arity].part, false);
    if (!status && structure_reads_range(s->plan, layer, arity))
        status = rows_make_dense(s, s->ranges[layer - 1][arity].part, false);
    if (!status && structure_reads_sub(s->plan, layer, arity) && arity > 1)
        status = rows_make_dense(s, s->levels[layer - 1][arity - 1].part, true);
    return status;
}

/* In order of preference: stream, take over the partition below, identity, classify.  A stable level with few
 * classes is not streamed: its rows are there already. */
nlm_status structure_classify_level(struct nlm_structure *s, int layer, int arity)
{
    struct level *level = &s->levels[layer][arity];
    const struct partition *own =
        structure_reads_own(s->plan, layer, arity) ? s->levels[layer - 1][arity].part : NULL;
    bool stable = level_is_stable(s, layer, arity);
    level->streamed = s->options.lifting == NLM_LIFT && structure_may_stream(s->plan, layer, arity) &&
                      !(stable && !own->identity);
    if (level->streamed)
        return stream_level(s, layer, arity);
    if (stable) {
        level->part = own;
        return NLM_OK;
    }
    if (level_is_identity(s, layer, arity))
        return structure_identity(s, arity, &level->part);
    struct level_context context = {level_sources(s, layer, arity), layer};
    struct classification job = {
        .structure = s,
        .arity = arity,
        .width = (size_t)((context.sources.own != NULL) + (context.sources.range != NULL) +
                          (context.sources.sub ? arity : 0)),
        .chunk = classify_chunk_size(tuples_count(&s->tuples, arity), 256),
        .number = number_level,
        .reorder = reorder_level,
        .context = &context,
        .out = &level->store,
    };
    /* the identity that classify may choose is linked later, by structure_link_level */
    nlm_status status = classify(&job, &level->part);
    if (status || level->part->identity)
        return status;
    if (own && level->part->classes == own->classes)
        level->store.tag = own->tag; /* finer by construction, and no larger: the same */
    return link_by_keys(&job, level);
}

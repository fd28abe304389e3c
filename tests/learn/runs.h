/* For the tests of learning: small runs, answers counted one by one, and files changed in one place. */
#ifndef TESTS_LEARN_RUNS_H
#define TESTS_LEARN_RUNS_H

#include "machine/models.h"
#include "machine/training.h"
#include "learn/run_parts.h"

/* ---- small runs ---- */

#define NEVER 1e-30 /* a threshold that no loss is below */

/* A run of moments: what the protocol says, but small. */
static inline nlm_settings small_run(const char *task, nlm_protocol protocol, int objects)
{
    nlm_settings made;
    CHECK(nlm_settings_of_task(nlm_task_find(task), protocol, &made, &check_error));
    made.objects = objects;
    made.batches = 5;
    made.epochs = 3;
    if (made.exam > 0)
        made.exam = 24;
    return made;
}

static inline nlm_run *begin_run(const nlm_settings *training, int threads)
{
    nlm_run *trainer;
    nlm_options options = {.threads = threads};
    CHECK(nlm_run_new(training, &options, &trainer, &check_error));
    return trainer;
}

/* To the end of the epoch; returns how many calls that took. */
static inline int run_epoch(nlm_run *trainer)
{
    int calls = 0;
    for (bool ended = false; !ended; calls++)
        CHECK(nlm_run_step(trainer, &ended, &check_error));
    return calls;
}

static inline void run_to_end(nlm_run *trainer)
{
    while (nlm_run_stage(trainer) == NLM_LEARNING)
        run_epoch(trainer);
}

/* Parameters of the two that differ, in any bit. */
static inline size_t count_different_parameters(nlm_machine *a, nlm_machine *b)
{
    size_t different = 0;
    assert_int_equal(nlm_machine_tensors(a), nlm_machine_tensors(b));
    for (int t = 0; t < nlm_machine_tensors(a); t++) {
        nlm_tensor left = nlm_machine_tensor(a, t), right = nlm_machine_tensor(b, t);
        assert_int_equal(left.count, right.count);
        for (size_t i = 0; i < left.count; i++)
            different += memcmp(&left.values[i], &right.values[i], sizeof(float)) != 0;
    }
    return different;
}

/* A machine of these settings, as a run begins with it for that seed. */
static inline nlm_machine *make_beginner(const nlm_settings *training, uint64_t seed)
{
    const nlm_head_spec head = {.name = "head", .arity = training->task->arity, .outputs = 1};
    nlm_machine *machine;
    CHECK(nlm_machine_new(&training->spec, &head, 1, &machine, &check_error));
    nlm_machine_initialise(machine, seed);
    return machine;
}

/* ---- a machine that knows ---- */

/* Settings for the machine of write_has_father, which does not learn any more. */
static inline nlm_settings has_father_run(void)
{
    nlm_settings made = small_run("has-father", NLM_PROTOCOL_PAPER, 8);
    made.spec.depth = 1;
    made.spec.breadth = 2;
    made.spec.width = 1;
    made.lr = 0;
    made.threshold = 1000;
    return made;
}

/* has_father(x) if there is a y with father(x, y); or, when it does not know, nobody has one. */
static inline void write_has_father(nlm_machine *machine, bool knows)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        memset(tensor.values, 0, tensor.count * sizeof(float));
        if (!strcmp(tensor.name, "head.bias"))
            tensor.values[0] = knows ? -10.0f : -30.0f;
        else
            tensor.values[0] = tensor.dimensions == 2 ? 20.0f : -10.0f;
    }
}

/* ---- answers, counted tuple by tuple ---- */

typedef struct answers {
    int worlds, worlds_with_errors;
    int failure; /* number of the first of these, plus 1; 0: none */
    size_t tuples, wrong, positives, wrong_positives;
} answers;

/* The labels of target 0 of a world, one for each place of a dense tensor. */
static inline void write_labels(const nlm_world *world, int arity, signed char *labels)
{
    const int *tuples;
    const signed char *given;
    nlm_label by_default;
    int objects = nlm_world_objects(world);
    size_t count = nlm_world_labels(world, 0, &tuples, &given, &by_default);
    memset(labels, by_default, (size_t)places(arity, objects));
    for (size_t i = 0; i < count; i++) {
        int place = 0;
        for (int k = 0; k < arity; k++)
            place = place * objects + tuples[i * (size_t)arity + (size_t)k];
        labels[place] = given[i];
    }
}

/* World number `index` of the batch of the last forward pass. */
static inline void count_answers(const nlm_pass *pass, int index, const nlm_world *world, int arity,
                                 answers *sum)
{
    enum { MOST_PLACES = 1 << 14 };
    static float logits[MOST_PLACES];
    static signed char labels[MOST_PLACES];
    int objects = nlm_world_objects(world), tuple[NLM_MAX_BREADTH];
    assert_true(places(arity, objects) <= MOST_PLACES);
    CHECK(nlm_pass_logits(pass, index, 0, logits, &check_error));
    write_labels(world, arity, labels);
    size_t wrong = 0;
    for (int place = 0; place < places(arity, objects); place++) {
        if (!tuple_at(place, arity, objects, tuple) || labels[place] == NLM_UNLABELLED)
            continue;
        bool is = labels[place] == NLM_TRUE, said = logits[place] > 0.0f;
        sum->tuples++;
        sum->positives += is;
        sum->wrong_positives += is && !said;
        wrong += is != said;
    }
    sum->wrong += wrong;
    sum->worlds++;
    sum->worlds_with_errors += wrong > 0;
    if (wrong > 0 && sum->failure == 0)
        sum->failure = sum->worlds;
}

static inline double share_right(size_t all, size_t wrong)
{
    return (double)(all - wrong) / (double)all;
}

static inline double balanced_share(const answers *of)
{
    size_t negatives = of->tuples - of->positives, wrong = of->wrong - of->wrong_positives;
    if (of->positives == 0 || negatives == 0)
        return share_right(of->tuples, of->wrong);
    return (share_right(of->positives, of->wrong_positives) + share_right(negatives, wrong)) / 2;
}

/* cmocka's own assertion compares floats. */
static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- errors ---- */

/* One line that says `part`. */
static inline void assert_said(const nlm_error *error, nlm_status status, const char *part)
{
    if (error->status != status)
        fail_msg("status %d instead of %d: %s", error->status, status, error->message);
    if (!strstr(error->message, part))
        fail_msg("\"%s\" does not say \"%s\"", error->message, part);
    for (const char *c = error->message; *c; c++)
        assert_true((unsigned char)*c >= ' ');
}

/* ---- files changed in one place ---- */

/* As `rewrite` of models.h, for files with more metadata and any of its damages. */
static inline void rewrite_checkpoint(const char *from, const char *to, const change *changed)
{
    enum { MOST_TENSORS = 40, MOST_PAIRS = 64, ROOM = 1 << 15 };
    static safetensors_entry entries[MOST_TENSORS];
    static float values[MOST_TENSORS][ROOM];
    const char *pairs[2 * MOST_PAIRS];
    safetensors *file;
    int count = 0;
    CHECK(safetensors_read(from, &file, &check_error));
    assert_true(safetensors_count(file) <= MOST_TENSORS);
    for (int t = 0; t < safetensors_count(file); t++) {
        const safetensors_tensor *tensor = safetensors_at(file, t);
        bool harmed = changed->tensor && !strcmp(tensor->name, changed->tensor);
        if (harmed && changed->damage == DROPPED)
            continue;
        assert_true(tensor->count + 1 < ROOM);
        CHECK(safetensors_floats(file, tensor, values[count], &check_error));
        entries[count] = (safetensors_entry){tensor->name, tensor->dimensions, {0}, values[count]};
        memcpy(entries[count].shape, tensor->shape, sizeof tensor->shape);
        if (harmed)
            harm(&entries[count], values[count], changed->damage);
        count++;
    }
    int pair_count = change_pairs(file, changed, pairs);
    CHECK(safetensors_write(to, entries, count, pairs, pair_count, &check_error));
    safetensors_free(file);
}

#endif

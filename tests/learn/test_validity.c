/* The memory of legal and illegal moves: what it keeps, what it takes for a state and a move, which pairs are
 * learned from, and the gradient against the cross-entropy written out. */
#include "learn/validity.h"

#include "learn/courses.h"
#include "task/game.h"

enum { LEGAL, ILLEGAL };

typedef struct learner {
    nlm_machine *machine;
    struct actor actor;
    struct episode episode;
    struct validity memory;
    random_stream random; /* for moves */
} learner;

static void start(learner *l)
{
    const nlm_options options = {.threads = 1};
    const nlm_game *game = nlm_game_at(BLOCKS);
    const nlm_spec spec = agent_spec(game);
    const nlm_head_spec heads[] = {{"head", 2, 1, true}, {"valid", 2, 1, true}};
    l->machine = make_machine(&spec, heads, 2);
    nlm_machine_initialise(l->machine, 3);
    for (size_t i = 0; i < nlm_machine_parameters(l->machine); i++)
        l->machine->values[i] *= 2;
    CHECK(actor_init(&l->actor, l->machine, game, &options, &check_error));
    CHECK(episode_init(&l->episode, game, &check_error));
    CHECK(validity_init(&l->memory, game, &check_error));
    random_start(&l->random, 1, 1);
}

static void finish(learner *l)
{
    validity_release(&l->memory);
    episode_release(&l->episode);
    actor_release(&l->actor);
    nlm_machine_free(l->machine);
}

/* ---- episodes without a machine ---- */

static void draw_move(learner *l, const nlm_position *position, int *numbers)
{
    const uint32_t choices = (uint32_t)nlm_position_choices(position);
    do {
        numbers[0] = (int)random_below(&l->random, choices);
        numbers[1] = (int)random_below(&l->random, choices);
    } while (numbers[0] == numbers[1]);
}

/* Every other move is legal, if that was not asked otherwise: a share in a hundred. */
static void play_at_random(learner *l, uint64_t index, int objects, int legal_share)
{
    struct episode *e = &l->episode;
    draw(e->start, 2, index, objects, false);
    CHECK(episode_begin(e, 1, 1, &check_error));
    while (!episode_over(e)) {
        int *numbers = e->moves + 2 * episode_moves(e);
        const bool legal = (int)random_below(&l->random, 100) < legal_share;
        do
            draw_move(l, e->position, numbers);
        while (nlm_position_legal(e->position, numbers) != legal);
        CHECK(nlm_position_move(e->position, numbers, NULL, &check_error));
    }
}

static void remember(learner *l)
{
    CHECK(validity_remember(&l->memory, &l->actor, &l->episode, &check_error));
}

/* ---- what is kept ---- */

/* All that was ever to be remembered, by kind and in order: what each block stands on, and the move. */
typedef struct history {
    int size, count[VALIDITY_KINDS];
    float *pairs[VALIDITY_KINDS];
} history;

enum { MOST_HISTORY = 20000 };

static history new_history(int objects)
{
    history made = {.size = 2 * objects + 2};
    for (int kind = 0; kind < VALIDITY_KINDS; kind++) {
        made.pairs[kind] = malloc((size_t)MOST_HISTORY * (size_t)made.size * sizeof(float));
        assert_non_null(made.pairs[kind]);
    }
    return made;
}

static void free_history(history *of)
{
    free(of->pairs[LEGAL]);
    free(of->pairs[ILLEGAL]);
}

static void write_down(history *to, const struct episode *episode)
{
    nlm_position *position = new_position("blocks");
    const int objects = nlm_position_objects(episode->start);
    CHECK(nlm_position_copy(position, episode->start, &check_error));
    for (int t = 0; t < episode_moves(episode); t++) {
        const int *numbers = episode->moves + 2 * t;
        const int kind = nlm_position_legal(position, numbers) ? LEGAL : ILLEGAL;
        assert_true(to->count[kind] < MOST_HISTORY);
        float *pair = to->pairs[kind] + (size_t)to->count[kind]++ * (size_t)to->size;
        for (int target = 0; target < 2; target++)
            for (int block = 1; block <= objects; block++)
                *pair++ = (float)nlm_blocks_below(position, target, block);
        pair[0] = (float)numbers[0];
        pair[1] = (float)numbers[1];
        CHECK(nlm_position_move(position, numbers, NULL, &check_error));
    }
    nlm_position_free(position);
}

/* The latest of each kind, number n at place n modulo 5000. */
static void assert_latest(const struct validity *memory, const history *of)
{
    assert_int_equal(memory->size, of->size);
    for (int kind = 0; kind < VALIDITY_KINDS; kind++) {
        const int count = of->count[kind], kept = count < 5000 ? count : 5000;
        const size_t bytes = (size_t)of->size * sizeof(float);
        assert_int_equal(memory->count[kind], kept);
        assert_int_equal(memory->next[kind], count % 5000);
        for (int n = count - kept; n < count; n++)
            assert_memory_equal(validity_pairs(memory, kind) + n % 5000 * of->size,
                                of->pairs[kind] + n * of->size, bytes);
    }
}

static void the_latest_5000_of_each_kind_are_kept(void **state)
{
    (void)state;
    enum { OBJECTS = 6 };
    learner l;
    start(&l);
    history all = new_history(OBJECTS);
    for (uint64_t index = 0; index < 700; index++) {
        play_at_random(&l, index, OBJECTS, 60);
        remember(&l);
        write_down(&all, &l.episode);
        if (index % 50 == 0 || index > 690)
            assert_latest(&l.memory, &all);
    }
    assert_true(all.count[LEGAL] > 7000 && all.count[ILLEGAL] > 5500);
    CHECK(validity_check(&l.memory, &check_error));
    free_history(&all);
    finish(&l);
}

static void only_the_largest_size_is_kept(void **state)
{
    (void)state;
    static const int sizes[] = {3, 3, 4, 3, 4, 2, 6, 5, 4, 6};
    learner l;
    history all = {0};
    int largest = 0;
    start(&l);
    assert_int_equal(l.memory.objects, 0);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        play_at_random(&l, i, sizes[i], 50);
        remember(&l);
        if (sizes[i] > largest) {
            largest = sizes[i];
            free_history(&all);
            all = new_history(largest);
        }
        if (sizes[i] == largest)
            write_down(&all, &l.episode);
        assert_int_equal(l.memory.objects, largest);
        assert_latest(&l.memory, &all);
        CHECK(validity_check(&l.memory, &check_error));
    }
    free_history(&all);
    finish(&l);
}

static void a_memory_can_be_emptied(void **state)
{
    (void)state;
    learner l;
    start(&l);
    play_at_random(&l, 1, 5, 50);
    remember(&l);
    CHECK(validity_reset(&l.memory, 3, &check_error));
    assert_int_equal(l.memory.objects, 3);
    for (int kind = 0; kind < VALIDITY_KINDS; kind++)
        assert_int_equal(l.memory.count[kind] + l.memory.next[kind], 0);
    CHECK(validity_check(&l.memory, &check_error));
    finish(&l);
}

/* ---- states as numbers ---- */

static void states_survive_as_numbers(void **state)
{
    (void)state;
    learner l;
    float packed[2 * 12];
    nlm_position *again = new_position("blocks");
    start(&l);
    for (uint64_t index = 0; index < 200; index++) {
        const int objects = 2 + (int)index % 11;
        nlm_position *position = l.episode.position;
        play_at_random(&l, index, objects, 70);
        assert_int_equal(game_packed_size(position, objects), 2 * objects);
        game_pack(position, packed);
        CHECK(game_unpack(again, objects, packed, &check_error));
        char *expected = strdup(written(position));
        assert_non_null(expected);
        assert_string_equal(written(again), expected);
        free(expected);
        assert_int_equal(nlm_position_moves(again), 0);
        assert_int_equal(nlm_position_solved(again), nlm_position_solved(position));
        for (int m = 0; m < 20; m++) { /* what can be moved, too */
            int numbers[2];
            draw_move(&l, position, numbers);
            assert_int_equal(nlm_position_legal(again, numbers), nlm_position_legal(position, numbers));
        }
    }
    nlm_position_free(again);
    finish(&l);
}

static void numbers_that_are_no_state_are_refused(void **state)
{
    (void)state;
    static const float bad[][6] = {
        {1, 0, 0, 0, 0, 0}, /* block 1 on itself */
        {2, 1, 0, 0, 0, 0}, /* two on each other */
        {2, 3, 1, 0, 0, 0}, /* three in a ring */
        {3, 3, 0, 0, 0, 0}, /* two on the same one */
        {0, 0, 0, 0, 1, 1}, /* in the target */
        {4, 0, 0, 0, 0, 0}, /* on a block that there is not */
        {0, 0, 0, 0, 0, 1e30f},    {-1, 0, 0, 0, 0, 0},        {0, NAN, 0, 0, 0, 0},
        {0, 0, 0, INFINITY, 0, 0}, {0, 0, -INFINITY, 0, 0, 0}, {0, 0.5f, 0, 0, 0, 0}, /* between two */
        {0, 0, 0, 0, 0, 1.5f},
    };
    const float good[] = {2, 0, 1, 0, 0, 0};
    nlm_position *position = new_position("blocks");
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_error error = {NLM_OK, ""};
        if (game_unpack(position, 3, bad[i], &error) != NLM_BAD_FILE)
            fail_msg("state number %zu is accepted", i);
        assert_said(&error, NLM_BAD_FILE, "blocks");
        assert_int_equal(nlm_position_objects(position), 0);
        CHECK(game_unpack(position, 3, good, &check_error));
        assert_string_equal(written(position), "{\"task\": \"blocks\", \"start\": [[2, 1, 3]], "
                                               "\"target\": [[1], [2], [3]]}");
    }
    nlm_position_free(position);
}

static void assert_nonsense(struct validity *memory, float *place, float value)
{
    const float kept = *place;
    nlm_error error = {NLM_OK, ""};
    *place = value;
    if (validity_check(memory, &error) != NLM_BAD_FILE)
        fail_msg("%g in place of %g is accepted", (double)value, (double)kept);
    assert_int_equal(error.status, NLM_BAD_FILE);
    *place = kept;
}

static void pairs_that_are_none_are_found(void **state)
{
    (void)state;
    enum { OBJECTS = 4 };
    learner l;
    start(&l);
    for (uint64_t index = 0; index < 5; index++) {
        play_at_random(&l, index, OBJECTS, 50);
        remember(&l);
    }
    CHECK(validity_check(&l.memory, &check_error));
    for (int kind = 0; kind < VALIDITY_KINDS; kind++)
        for (int i = 0; i < l.memory.count[kind]; i++) {
            float *pair = validity_pairs(&l.memory, kind) + i * l.memory.size;
            float *numbers = pair + 2 * OBJECTS;
            assert_nonsense(&l.memory, &numbers[0], -1);
            assert_nonsense(&l.memory, &numbers[1], OBJECTS + 1);
            assert_nonsense(&l.memory, &numbers[0], numbers[1]);
            assert_nonsense(&l.memory, &numbers[1], numbers[0] + 0.5f); /* the same one, if cut off */
            assert_nonsense(&l.memory, &numbers[1], NAN);
            assert_nonsense(&l.memory, &pair[1], 2); /* block 2 on itself */
            assert_nonsense(&l.memory, &pair[2 * OBJECTS - 1], NAN);
        }
    CHECK(validity_check(&l.memory, &check_error));
    finish(&l);
}

/* A next place beyond the last pair would leave a hole that was never written. */
static void places_must_follow_from_the_counts(void **state)
{
    (void)state;
    learner l;
    start(&l);
    play_at_random(&l, 1, 4, 50);
    remember(&l);
    for (int kind = 0; kind < VALIDITY_KINDS; kind++) {
        const int next = l.memory.next[kind];
        assert_int_equal(next, l.memory.count[kind]);
        for (int wrong = 0; wrong < VALIDITY_MOST; wrong += 1 + wrong / 2) {
            l.memory.next[kind] = wrong;
            assert_int_equal(validity_check(&l.memory, NULL), wrong == next ? NLM_OK : NLM_BAD_FILE);
        }
        l.memory.next[kind] = next;
    }
    finish(&l);
}

/* ---- learning ---- */

/* The pairs that a stream of random numbers leads to: the first and the third are legal, if there are any. */
typedef struct chosen {
    int kind, index;
} chosen;

static void choose_pairs(const struct validity *memory, random_stream random, chosen *pairs)
{
    for (int b = 0; b < 4; b++) {
        int kind = b % 2 ? ILLEGAL : LEGAL;
        if (memory->count[kind] == 0)
            kind = kind == LEGAL ? ILLEGAL : LEGAL;
        pairs[b] = (chosen){kind, (int)random_below(&random, (uint32_t)memory->count[kind])};
    }
}

static double cross_entropy(learner *l, const chosen *pairs)
{
    float logits[64];
    double sum = 0;
    nlm_position *position = new_position("blocks");
    const int objects = l->memory.objects, choices = objects + 1;
    assert_true(choices * choices <= (int)COUNT(logits));
    for (int b = 0; b < 4; b++) {
        const float *pair = validity_pairs(&l->memory, pairs[b].kind) + pairs[b].index * l->memory.size;
        const int first = (int)pair[2 * objects], second = (int)pair[2 * objects + 1];
        CHECK(game_unpack(position, objects, pair, &check_error));
        CHECK(actor_look(&l->actor, position, &check_error));
        CHECK(nlm_pass_logits(l->actor.evaluator->pass, 0, 1, logits, &check_error));
        const double logit = (double)logits[first * choices + second];
        sum += pairs[b].kind == LEGAL ? log(1 + exp(-logit)) : log(1 + exp(logit));
    }
    nlm_position_free(position);
    return sum / 4;
}

/* Along the signs of the gradient of one tensor. */
static void assert_slope(learner *l, nlm_tensor tensor, const float *gradients, const chosen *pairs,
                         double weight)
{
    const float step = 1.0f / 256;
    double side[2], expected = 0;
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] += (gradients[i] > 0) == (s == 1) ? step : -step;
        side[s] = weight * cross_entropy(l, pairs);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] -= (gradients[i] > 0) == (s == 1) ? step : -step;
    }
    for (size_t i = 0; i < tensor.count; i++)
        expected += fabs((double)gradients[i]);
    const double found = (side[1] - side[0]) / (2 * (double)step);
    if (!(fabs(found - expected) <= 1e-2 * expected + 3e-4 * weight))
        fail_msg("%s: the gradient is %g, the slope %g", tensor.name, expected, found);
}

static void assert_gradient(learner *l, double weight)
{
    const size_t parameters = nlm_machine_parameters(l->machine);
    chosen pairs[4];
    random_stream random, same;
    float *gradients = malloc(parameters * sizeof *gradients);
    assert_non_null(gradients);
    random_start(&random, 8, 8);
    same = random;
    choose_pairs(&l->memory, same, pairs);
    for (size_t i = 0; i < parameters; i++)
        l->machine->gradients[i] = 0x1p-8f; /* it is added to */
    CHECK(validity_learn(&l->memory, &l->actor, &random, weight, 0, &check_error));
    for (size_t i = 0; i < parameters; i++)
        gradients[i] = l->machine->gradients[i] - 0x1p-8f;
    for (int t = 0; t < nlm_machine_tensors(l->machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(l->machine, t);
        const float *own = gradients + (tensor.values - l->machine->values);
        for (size_t i = 0; !strncmp(tensor.name, "head.", 5) && i < tensor.count; i++)
            assert_true(own[i] == 0); /* the other head has no part in it */
        assert_slope(l, tensor, own, pairs, weight);
    }
    free(gradients);
}

static void the_gradient_is_that_of_the_cross_entropy(void **state)
{
    (void)state;
    static const int shares[] = {50, 100, 0}; /* legal ones in a hundred: one kind may be missing */
    for (size_t i = 0; i < COUNT(shares); i++) {
        learner l;
        start(&l);
        for (uint64_t index = 0; index < 3; index++) {
            play_at_random(&l, index, 4, shares[i]);
            remember(&l);
        }
        assert_true((l.memory.count[LEGAL] == 0) == (shares[i] == 0));
        assert_true((l.memory.count[ILLEGAL] == 0) == (shares[i] == 100));
        assert_gradient(&l, 1);
        assert_gradient(&l, 8);
        finish(&l);
    }
}

static void an_empty_memory_teaches_nothing(void **state)
{
    (void)state;
    learner l;
    random_stream random;
    start(&l);
    random_start(&random, 1, 1);
    nlm_machine_zero_gradients(l.machine);
    CHECK(validity_learn(&l.memory, &l.actor, &random, 1, 0, &check_error));
    CHECK(validity_reset(&l.memory, 3, &check_error));
    CHECK(validity_learn(&l.memory, &l.actor, &random, 1, 0, &check_error));
    assert_true(nlm_machine_gradient_norm(l.machine) == 0);
    finish(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latest_5000_of_each_kind_are_kept),
        cmocka_unit_test(only_the_largest_size_is_kept),
        cmocka_unit_test(a_memory_can_be_emptied),
        cmocka_unit_test(states_survive_as_numbers),
        cmocka_unit_test(numbers_that_are_no_state_are_refused),
        cmocka_unit_test(pairs_that_are_none_are_found),
        cmocka_unit_test(places_must_follow_from_the_counts),
        cmocka_unit_test(the_gradient_is_that_of_the_cross_entropy),
        cmocka_unit_test(an_empty_memory_teaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

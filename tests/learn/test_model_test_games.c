/* Agents and trials: choices against the softmax itself, who cannot play what, and trials against episodes
 * played by hand, for any number of threads and in any slices. */
#include "learn/agents.h"

#include <unistd.h>

/* ---- choices ---- */

enum { MOST_CHOICES = 256 };

/* The number of a move in the order of all moves. */
static int index_of(const nlm_position *position, const int *move)
{
    return nlm_position_game(position)->arity == 1 ? move[0]
                                                   : move[0] * nlm_position_choices(position) + move[1];
}

static int choose(nlm_agent *agent, const nlm_position *position, nlm_choice *choices, int most)
{
    int count = -1;
    CHECK(nlm_agent_choices(agent, position, choices, most, &count, &check_error));
    return count;
}

/* The softmax, computed without an agent. */
static void find_probabilities(nlm_machine *machine, const nlm_position *position, float *probabilities)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    const nlm_options options = {.threads = 1};
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    CHECK(nlm_batch_new(spec->inputs, spec->breadth, &batch, &check_error));
    CHECK(nlm_structure_new(&structure, &check_error));
    CHECK(nlm_pass_new(machine, &pass, &check_error));
    CHECK(nlm_batch_add_position(batch, position, &check_error));
    CHECK(nlm_structure_build(structure, machine, batch, &options, &check_error));
    CHECK(nlm_pass_forward(pass, structure, false, &check_error));
    CHECK(nlm_pass_probabilities(pass, 0, 0, probabilities, &check_error));
    nlm_pass_free(pass);
    nlm_structure_free(structure);
    nlm_batch_free(batch);
}

/* The most probable first, the first of equals first, each move once. */
static void check_order(const nlm_position *position, const nlm_choice *choices, int count)
{
    bool met[MOST_CHOICES] = {false};
    for (int k = 0; k < count; k++) {
        int index = index_of(position, choices[k].move);
        assert_in_range(index, 0, MOST_CHOICES - 1);
        assert_false(met[index]);
        met[index] = true;
        assert_true(nlm_position_game(position)->arity == 1 || choices[k].move[0] != choices[k].move[1]);
        if (k > 0) {
            double before = choices[k - 1].probability, here = choices[k].probability;
            assert_true(before > here || (before == here && index_of(position, choices[k - 1].move) < index));
        }
    }
}

static void check_choices(nlm_machine *machine, nlm_agent *agent, const nlm_position *position)
{
    static float probabilities[MOST_CHOICES];
    static nlm_choice all[MOST_CHOICES], some[MOST_CHOICES];
    const int moves = count_moves(position);
    double sum = 0;
    assert_true(moves < MOST_CHOICES - nlm_position_choices(position));
    assert_int_equal(choose(agent, position, all, MOST_CHOICES), moves);
    check_order(position, all, moves);
    find_probabilities(machine, position, probabilities);
    for (int k = 0; k < moves; k++) {
        assert_true(all[k].probability == (double)probabilities[index_of(position, all[k].move)]);
        sum += all[k].probability;
    }
    assert_true(fabs(sum - 1) < 1e-5);
    for (int most = 0; most <= moves + 1; most++) {
        some[most].probability = 7;
        assert_int_equal(choose(agent, position, some, most), most < moves ? most : moves);
        assert_true(some[most].probability == 7);
        for (int k = 0; k < most && k < moves; k++) {
            assert_int_equal(index_of(position, some[k].move), index_of(position, all[k].move));
            assert_true(some[k].probability == all[k].probability);
        }
    }
}

static void choices_are_the_most_probable_moves(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            nlm_machine *machine = make_agent_machine(nlm_game_at(g), seed, 2);
            nlm_agent *agent = make_agent(machine, nlm_game_at(g));
            nlm_position *position = new_position(game_names[g]);
            random_stream random;
            random_start(&random, seed, 0);
            for (uint64_t index = 0; index < 8; index++) {
                draw(position, seed, index, 2 + (int)index, false);
                check_choices(machine, agent, position);
                move_at_random(position, &random);
                check_choices(machine, agent, position);
            }
            nlm_position_free(position);
            nlm_agent_free(agent);
            nlm_machine_free(machine);
        }
}

/* All moves are equally likely: they come in their own order. */
static void equals_come_in_order(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 0, 1);
        nlm_agent *agent = make_agent(machine, nlm_game_at(g));
        nlm_position *position = new_position(game_names[g]);
        nlm_choice choices[MOST_CHOICES];
        draw(position, 1, 1, 6, false);
        const int moves = choose(agent, position, choices, MOST_CHOICES);
        assert_int_equal(moves, count_moves(position));
        for (int k = 0; k < moves; k++) {
            assert_true(fabs(choices[k].probability - 1.0 / moves) < 1e-6);
            assert_true(k == 0 ||
                        index_of(position, choices[k].move) > index_of(position, choices[k - 1].move));
        }
        nlm_position_free(position);
        nlm_agent_free(agent);
        nlm_machine_free(machine);
    }
}

/* The pairs of [2, 0, 3, 1] in the wrong order, then all others. */
static void what_a_machine_knows_comes_first(void **state)
{
    (void)state;
    static const int wrong[3][2] = {{0, 1}, {0, 3}, {2, 3}};
    nlm_machine *machine = make_sorting_machine();
    nlm_agent *agent = make_agent(machine, game_called("sort"));
    nlm_position *position = position_of("sort", "{\"array\": [2, 0, 3, 1]}");
    nlm_choice choices[MOST_CHOICES];
    assert_int_equal(choose(agent, position, choices, MOST_CHOICES), 12);
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(choices[k].move, wrong[k], sizeof wrong[k]);
        assert_true(choices[k].probability > 0.33 && choices[k].probability == choices[0].probability);
    }
    assert_true(choices[3].probability < 0.001);
    nlm_position_free(position);
    nlm_agent_free(agent);
    nlm_machine_free(machine);
}

/* ---- who cannot play ---- */

static void an_agent_plays_its_game_only(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        nlm_agent *agent = make_agent(machine, nlm_game_at(g));
        const char *other = game_names[(g + 1) % GAMES];
        nlm_position *position = new_position(other), *empty = new_position(game_names[g]);
        nlm_choice choice = {.probability = 7};
        nlm_error error;
        char cause[64];
        int count = 7;
        draw(position, 1, 1, 5, false);
        snprintf(cause, sizeof cause, "an agent for %s cannot play %s", game_names[g], other);
        assert_int_equal(nlm_agent_choices(agent, position, &choice, 1, &count, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, cause);
        assert_true(count == 0 && choice.probability == 7);
        assert_int_equal(nlm_agent_choices(agent, empty, &choice, 1, &count, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "no instance yet");
        assert_true(count == 0 && choice.probability == 7);
        nlm_position_free(position);
        nlm_position_free(empty);
        nlm_agent_free(agent);
        nlm_machine_free(machine);
    }
}

/* Neither as an agent nor in trials. */
static void assert_unfit(nlm_machine *machine, const nlm_game *game, nlm_status status, const char *cause)
{
    nlm_agent *agent = (nlm_agent *)machine;
    nlm_test *trials = (nlm_test *)machine;
    nlm_error error;
    assert_int_equal(nlm_agent_new(machine, game, NULL, &agent, &error), status);
    assert_said(&error, status, cause);
    assert_null(agent);
    assert_int_equal(nlm_test_of_game(machine, game, 5, 1, NULL, &trials, &error), status);
    assert_said(&error, status, cause);
    assert_null(trials);
}

static void machines_for_another_game_are_refused(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int other = 0; other < GAMES; other++) {
            nlm_machine *machine = make_agent_machine(nlm_game_at(other), 1, 1);
            if (g != other)
                assert_unfit(machine, nlm_game_at(g), NLM_BAD_SHAPE, "the machine reads ");
            nlm_machine_free(machine);
        }
    nlm_machine *machine = make_agent_machine(nlm_game_at(SORT), 1, 1);
    assert_unfit(NULL, nlm_game_at(SORT), NLM_BAD_ARGUMENT, "a required argument is NULL");
    assert_unfit(machine, NULL, NLM_BAD_ARGUMENT, "a required argument is NULL");
    nlm_machine_free(machine);
    nlm_agent_free(NULL);
    nlm_test_free(NULL);
}

/* What counts is the first head. */
static void machines_without_a_head_for_moves_are_refused(void **state)
{
    (void)state;
    static const nlm_head_spec heads[] = {
        {"pairs", 2, 1, false}, {"nodes", 1, 1, false}, {"twins", 2, 1, true}, {"all", 0, 1, false}};
    static const int fits[GAMES] = {0, 1, 2};
    for (int g = 0; g < GAMES; g++) {
        const nlm_game *game = nlm_game_at(g);
        nlm_spec spec = agent_spec(game);
        char cause[64];
        snprintf(cause, sizeof cause, "the machine has no head that scores the moves of %s", game->name);
        spec.outputs = 7;
        nlm_machine *machine = make_machine(&spec, NULL, 0);
        assert_unfit(machine, game, NLM_BAD_SHAPE, cause);
        nlm_machine_free(machine);
        for (int first = 0; first < (int)COUNT(heads); first++) {
            if (first == fits[g] || (heads[first].twins && game->inputs[2] % 3))
                continue;
            const nlm_head_spec both[] = {heads[first], heads[fits[g]]};
            machine = make_machine(&spec, both, 2);
            assert_unfit(machine, game, NLM_BAD_SHAPE, cause);
            nlm_machine_free(machine);
        }
    }
}

/* ---- trials ---- */

/* Instances of trials have numbers from here on. */
#define FIRST_INSTANCE ((uint64_t)1 << 40)

typedef struct tally {
    int episodes, solved, moves, optimal, returned;
    int failure; /* number of the first that was not solved, plus 1; 0: none */
    double baseline;
    int below;
} tally;

/* The positions of an episode as texts, and the moves made there. */
typedef struct history {
    int count;
    char *text[1000];
    int made[1000][NLM_MAX_MOVE];
} history;

static bool made_before(const history *so_far, const char *text, const int *numbers)
{
    for (int t = 0; t < so_far->count; t++)
        if (!strcmp(so_far->text[t], text) && so_far->made[t][0] == numbers[0] &&
            so_far->made[t][1] == numbers[1])
            return true;
    return false;
}

static bool seen_before(const history *so_far, const char *text)
{
    for (int t = 0; t < so_far->count; t++)
        if (!strcmp(so_far->text[t], text))
            return true;
    return false;
}

static void forget_history(history *so_far)
{
    while (so_far->count > 0)
        free(so_far->text[--so_far->count]);
}

static double counts_as(const history *so_far, const nlm_choice *choice)
{
    double probability = choice->probability;
    for (int t = 0; t < so_far->count; t++)
        if (so_far->made[t][0] == choice->move[0] && so_far->made[t][1] == choice->move[1])
            probability /= 4;
    return probability;
}

/* Of the moves not made in this position the one that counts most, or if all were made, the most probable. */
static void move_by_hand(nlm_agent *agent, nlm_position *position, history *so_far)
{
    enum { ALL = 1000 };
    static nlm_choice choices[ALL];
    const char *text;
    CHECK(nlm_position_write(position, &text, &check_error));
    const int count = choose(agent, position, choices, ALL);
    int chosen = 0;
    double most = 0;
    for (int c = 0; c < count; c++)
        if (counts_as(so_far, &choices[c]) > most && !made_before(so_far, text, choices[c].move)) {
            most = counts_as(so_far, &choices[c]);
            chosen = c;
        }
    const int *numbers = choices[chosen].move;
    so_far->text[so_far->count] = strdup(text);
    memcpy(so_far->made[so_far->count++], numbers, sizeof so_far->made[0]);
    move(position, numbers[0], numbers[1]);
}

/* Whoever watches an agent sees the moves that it makes in tests. */
static void assert_next(nlm_agent *watched, const nlm_position *position, const history *so_far)
{
    nlm_choice next;
    int count;
    CHECK(nlm_agent_next(watched, position, &next, 1, &count, &check_error));
    const int *made = so_far->made[so_far->count - 1];
    assert_true(count == 1 && next.move[0] == made[0] && next.move[1] == made[1]);
}

/* One episode after the other: draw, ask, move. */
static tally play_by_hand(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                          int episodes)
{
    tally sum = {.episodes = episodes};
    nlm_agent *agent = make_agent(machine, game), *watched = make_agent(machine, game);
    nlm_position *position = new_position(game->name), *before = new_position(game->name);
    for (int e = 0; e < episodes; e++) {
        draw(position, seed, FIRST_INSTANCE + (uint64_t)e, objects, true);
        history so_far = {0};
        bool returned = false;
        const int baseline = nlm_position_baseline(position);
        while (!nlm_position_over(position)) {
            const char *text;
            CHECK(nlm_position_write(position, &text, &check_error));
            returned = returned || seen_before(&so_far, text);
            CHECK(nlm_position_copy(before, position, &check_error));
            move_by_hand(agent, position, &so_far);
            assert_next(watched, before, &so_far);
        }
        forget_history(&so_far);
        sum.returned += returned;
        if (!nlm_position_solved(position)) {
            sum.failure = sum.failure ? sum.failure : e + 1;
            continue;
        }
        sum.solved++;
        sum.moves += nlm_position_moves(position);
        sum.optimal += nlm_position_optimum(position);
        sum.baseline += baseline;
        sum.below += nlm_position_moves(position) < baseline;
    }
    nlm_position_free(position);
    nlm_position_free(before);
    nlm_agent_free(agent);
    nlm_agent_free(watched);
    return sum;
}

static nlm_test *begin_trials(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                              int threads)
{
    const nlm_options options = {.threads = threads};
    nlm_test *trials;
    CHECK(nlm_test_of_game(machine, game, objects, seed, &options, &trials, &check_error));
    return trials;
}

static void assert_result(nlm_score result, const nlm_game *game, int objects, const tally *expected)
{
    const double solved = expected->solved ? expected->solved : 1;
    assert_int_equal(result.objects, objects);
    assert_int_equal(result.asked, expected->episodes);
    assert_int_equal((result.asked - result.failed), expected->solved);
    assert_int_equal(result.first_failure, expected->failure - 1);
    assert_int_equal(result.returned, expected->returned);
    assert_true(result.moves == expected->moves / solved);
    assert_true(result.optimal_moves == (game == game_called("blocks") ? -1 : expected->optimal / solved));
    assert_true(result.baseline_moves == (game == game_called("blocks") ? expected->baseline / solved : -1));
    assert_int_equal(result.below_baseline, expected->below);
    assert_true(result.seconds >= 0);
}

/* Whatever the threads and the slices, trials are these episodes. */
static void assert_trials(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                          const tally *expected)
{
    static const int slices[][4] = {{29}, {1, 28}, {8, 16, 5}, {0, 7, 9, 13}};
    for (int threads = 0; threads <= 3; threads++)
        for (size_t s = 0; s < COUNT(slices); s++) {
            nlm_test *trials = begin_trials(machine, game, objects, seed, threads);
            for (int part = 0; part < 4; part++)
                CHECK(nlm_test_run(trials, slices[s][part], NULL, NULL, &check_error));
            assert_result(nlm_test_score(trials), game, objects, expected);
            nlm_test_free(trials);
        }
}

static void trials_are_episodes_played_one_by_one(void **state)
{
    (void)state;
    static const int sizes[GAMES][2] = {{3, 5}, {5, 9}, {2, 4}};
    for (int g = 0; g < GAMES; g++) {
        const nlm_game *game = nlm_game_at(g);
        int solved = 0;
        for (uint64_t seed = 1; seed <= 4; seed++)
            for (int s = 0; s < 2; s++) {
                nlm_machine *machine = make_agent_machine(game, seed, 3);
                const tally expected = play_by_hand(machine, game, sizes[g][s], seed, 29);
                assert_trials(machine, game, sizes[g][s], seed, &expected);
                solved += expected.solved;
                nlm_machine_free(machine);
            }
        assert_true(g == PATH || solved > 0); /* by chance; a path leaves none */
    }
}

static void a_machine_that_knows_solves_all(void **state)
{
    (void)state;
    nlm_machine *machine = make_sorting_machine();
    const nlm_game *game = game_called("sort");
    for (int m = 2; m <= 5; m++) {
        nlm_test *trials = begin_trials(machine, game, m, 3, 2);
        CHECK(nlm_test_run(trials, 200, NULL, NULL, &check_error));
        nlm_score result = nlm_test_score(trials);
        assert_true(result.asked == 200 && (result.asked - result.failed) == 200 &&
                    result.first_failure == -1);
        assert_true(result.moves >= result.optimal_moves && result.optimal_moves >= 1);
        nlm_test_free(trials);
    }
    const tally expected = play_by_hand(machine, game, 9, 4, 29); /* some within the limit, some not */
    assert_true(expected.solved > 0 && expected.solved < 29);
    assert_trials(machine, game, 9, 4, &expected);
    nlm_machine_free(machine);
}

static void moves_can_be_allowed(void **state)
{
    (void)state;
    static const int limits[] = {0, 1, 4, 1000, 0}; /* 0: 18 moves, which do not suffice for all */
    enum { EPISODES = 29 };
    nlm_machine *machine = make_sorting_machine();
    const nlm_game *game = game_called("sort");
    const int usual = play_by_hand(machine, game, 9, 4, EPISODES).solved;
    nlm_test *trials = begin_trials(machine, game, 9, 4, 2);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const int before = (nlm_test_score(trials).asked - nlm_test_score(trials).failed);
        nlm_test_allow(trials, limits[i]);
        CHECK(nlm_test_run(trials, EPISODES, NULL, NULL, &check_error));
        const int solved = (nlm_test_score(trials).asked - nlm_test_score(trials).failed) - before;
        if (i == 0)
            assert_int_equal(solved, usual);
        if (limits[i] == 1)
            assert_int_equal(solved, 0);
        if (limits[i] == 1000)
            assert_int_equal(solved, EPISODES);
        if (limits[i] == 4)
            assert_true(solved < usual);
    }
    nlm_test_free(trials);
    nlm_machine_free(machine);
}

static void seeds_have_instances_of_their_own(void **state)
{
    (void)state;
    nlm_machine *machine = make_sorting_machine();
    double moves[2];
    for (uint64_t seed = 0; seed < 2; seed++) {
        nlm_test *trials = begin_trials(machine, game_called("sort"), 5, seed, 1);
        CHECK(nlm_test_run(trials, 100, NULL, NULL, &check_error));
        moves[seed] = nlm_test_score(trials).optimal_moves;
        nlm_test_free(trials);
    }
    assert_true(moves[0] != moves[1]);
    nlm_machine_free(machine);
}

static void before_any_episode_there_is_nothing(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        nlm_test *trials = begin_trials(machine, nlm_game_at(g), 6, 1, 2);
        const tally nothing = {0};
        assert_result(nlm_test_score(trials), nlm_game_at(g), 6, &nothing);
        CHECK(nlm_test_run(trials, 0, NULL, NULL, &check_error));
        assert_result(nlm_test_score(trials), nlm_game_at(g), 6, &nothing);
        nlm_error error;
        assert_int_equal(nlm_test_run(trials, -1, NULL, NULL, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "cannot test on -1 instances");
        assert_int_equal(nlm_test_run(trials, INT32_MAX, NULL, NULL, &error), NLM_BAD_ARGUMENT);
        assert_result(nlm_test_score(trials), nlm_game_at(g), 6, &nothing);
        nlm_test_free(trials);
        nlm_machine_free(machine);
    }
}

static void sizes_without_instances_are_refused(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        const int sizes[] = {1, -1, 100000, g == PATH ? 4 : 0};
        nlm_machine *machine = make_agent_machine(nlm_game_at(g), 1, 1);
        for (size_t s = 0; s < COUNT(sizes); s++) {
            nlm_test *trials = (nlm_test *)machine;
            nlm_error error;
            assert_int_equal(nlm_test_of_game(machine, nlm_game_at(g), sizes[s], 1, NULL, &trials, &error),
                             NLM_BAD_ARGUMENT);
            assert_said(&error, NLM_BAD_ARGUMENT, game_names[g]);
            assert_null(trials);
        }
        nlm_machine_free(machine);
    }
}

/* ---- the authors' agent ---- */

#define PRETRAINED "../shared/pretrained/blocksworld.safetensors"

static void the_pretrained_agent_solves_all(void **state)
{
    (void)state;
    static const int sizes[] = {10, 20}, episodes[] = {50, 3};
    if (access(PRETRAINED, R_OK)) {
        print_message("%s is not there\n", PRETRAINED);
        skip();
    }
    nlm_machine *machine;
    CHECK(nlm_machine_load(PRETRAINED, &machine, &check_error));
    for (int s = 0; s < 2; s++) {
        nlm_test *trials = begin_trials(machine, game_called("blocks"), sizes[s], 1, 2);
        CHECK(nlm_test_run(trials, episodes[s], NULL, NULL, &check_error));
        nlm_score result = nlm_test_score(trials);
        assert_int_equal(result.asked, episodes[s]);
        assert_int_equal((result.asked - result.failed), episodes[s]);
        assert_true(result.moves > 0.5 * sizes[s] && result.moves < 2 * sizes[s]);
        nlm_test_free(trials);
    }
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_the_most_probable_moves),
        cmocka_unit_test(equals_come_in_order),
        cmocka_unit_test(what_a_machine_knows_comes_first),
        cmocka_unit_test(an_agent_plays_its_game_only),
        cmocka_unit_test(machines_for_another_game_are_refused),
        cmocka_unit_test(machines_without_a_head_for_moves_are_refused),
        cmocka_unit_test(trials_are_episodes_played_one_by_one),
        cmocka_unit_test(a_machine_that_knows_solves_all),
        cmocka_unit_test(moves_can_be_allowed),
        cmocka_unit_test(seeds_have_instances_of_their_own),
        cmocka_unit_test(before_any_episode_there_is_nothing),
        cmocka_unit_test(sizes_without_instances_are_refused),
        cmocka_unit_test(the_pretrained_agent_solves_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

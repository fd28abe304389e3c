/* Games with other models: a memory network learns by playing, with other names for objects before each move,
 * and is taken up again; no other does. */
#include <math.h>
#include "learn/actor.h"
#include "learn/courses.h"
#include "learn/world_source.h"

/* In place of the C library's: nothing here needs to outlive the machine. */
int fsync(int file)
{
    (void)file;
    return 0;
}

static void models_that_do_not_play_are_refused(void **state)
{
    (void)state;
    nlm_settings course, before;
    nlm_error error = {0};
    CHECK(nlm_settings_of_game(nlm_game_find("sort"), NLM_PROTOCOL_PAPER, &course, &check_error));
    before = course;
    assert_int_equal(nlm_settings_use_model(&course, "lstm", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "there is no model 'lstm'");
    assert_int_equal(nlm_settings_use_model(&course, NULL, NULL), NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_settings_use_model(&course, "dilp", &error), NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "differentiable ILP does not play");
    CHECK(nlm_settings_use_model(&course, "nlm", &check_error));
    assert_memory_equal(&before, &course, sizeof course);
}

static void a_memory_network_plays(void **state)
{
    const folder *made = *state;
    for (int g = 0; g < 3; g++) {
        nlm_settings course = small_course(g);
        CHECK(nlm_settings_use_model(&course, "memnn", &check_error));
        assert_int_equal(course.spec.depth, g == SORT ? 1 : 4);
        assert_int_equal(course.spec.width, 64);
        course.spec.depth = g == SORT ? 1 : 2;
        course.spec.width = 6;
        course.spec.hidden[0] = 5;
        if (g == SORT) {
            course.episodes = 300;
            course.interval = 100;
        }
        nlm_run *whole = begin_course(&course, 1), *paused = begin_course(&course, 2);
        run_course(whole);
        while (nlm_run_stage(paused) == NLM_LEARNING) {
            run_exam(paused);
            const nlm_options options = {.threads = 1 + exam_of(paused)->exam % 2};
            CHECK(nlm_run_save_checkpoint(paused, made->other, &check_error));
            nlm_run_free(paused);
            CHECK(nlm_run_load(made->other, &course, &options, &paused, &check_error));
        }
        assert_true(exam_of(whole)->exam >= 2);
        CHECK(nlm_run_save_model(whole, made->file, &check_error));
        CHECK(nlm_run_save_model(paused, made->other, &check_error));
        assert_same_files(made->file, made->other);
        assert_int_equal(nlm_agent_moves(&course.spec, course.game), g == SORT ? 50 : 4);
        nlm_run_free(whole);
        nlm_run_free(paused);
    }
}

/* ---- names ---- */

/* A memory network for sort that knows nothing, and is sure of it. */
static nlm_machine *make_network(void)
{
    const nlm_game *game = nlm_game_at(SORT);
    nlm_settings course = small_course(SORT);
    CHECK(nlm_settings_use_model(&course, "memnn", &check_error));
    course.spec.width = 8;
    const nlm_head_spec head = {"head", game->arity, 1, game->twins};
    nlm_machine *machine = make_machine(&course.spec, &head, 1);
    nlm_machine_initialise(machine, 3);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] *= 3;
    }
    return machine;
}

static double best_of(nlm_agent *agent, const nlm_position *position)
{
    nlm_choice choice;
    int count;
    CHECK(nlm_agent_choices(agent, position, &choice, 1, &count, &check_error));
    assert_int_equal(count, 1);
    return choice.probability;
}

/* The same array before the first move and after two that undo each other. */
static void names_are_others_before_each_move(void **state)
{
    (void)state;
    const int swap[] = {0, 1};
    for (int network = 0; network < 2; network++) {
        nlm_machine *machine = network ? make_network() : make_agent_machine(nlm_game_at(SORT), 3, 2);
        nlm_agent *agent = make_agent(machine, nlm_game_at(SORT));
        nlm_position *position = new_position("sort");
        draw(position, 1, 0, 5, false);
        const double before = best_of(agent, position);
        assert_true(best_of(agent, position) == before);
        for (int n = 0; n < 2; n++)
            CHECK(nlm_position_move(position, swap, NULL, &check_error));
        assert_true((best_of(agent, position) == before) == !network);
        nlm_position_free(position);
        nlm_agent_free(agent);
        nlm_machine_free(machine);
    }
}

enum { EPISODES = 4 };

static void play_episodes(struct actor *actor, struct episode *episodes)
{
    for (int e = 0; e < EPISODES; e++) {
        draw(episodes[e].start, 1, 0, 5, false);
        episodes[e].greedy = true;
        CHECK(episode_begin(&episodes[e], 6, (uint64_t)e, &check_error));
    }
    CHECK(actor_play(actor, episodes, EPISODES, &check_error));
}

/* All are of one instance, and make the most probable moves: under names of their own, and what is learned
 * from them under others, so that the loss is not that of the probabilities which moves had when they were
 * made. */
static void names_are_others_in_each_episode_and_to_learn_from_it(void **state)
{
    (void)state;
    const nlm_options options = {.threads = 1};
    nlm_machine *machine = make_network();
    struct actor actor;
    struct episode episodes[EPISODES];
    nlm_policy_result result[2];
    double played = 0;
    int moves = 0, other = 0;
    CHECK(actor_init(&actor, machine, nlm_game_at(SORT), &options, &check_error));
    for (int e = 0; e < EPISODES; e++)
        CHECK(episode_init(&episodes[e], nlm_game_at(SORT), &check_error));
    play_episodes(&actor, episodes);
    for (int e = 0; e < EPISODES; e++) {
        for (int t = 0; t < episode_moves(&episodes[e]); t++, moves++) {
            episodes[e].advantages[t] = 1 + t;
            played -= (1 + t) * log((double)episodes[e].probabilities[t]);
        }
        other += episodes[e].probabilities[0] != episodes[0].probabilities[0];
    }
    for (int again = 0; again < 2; again++)
        CHECK(actor_learn(&actor, episodes, EPISODES, 0, false, &result[again], &check_error));
    assert_int_equal(other, EPISODES - 1);
    assert_true(fabs(result[0].loss - played / moves) > 1e-3 * played / moves);
    assert_true(result[0].loss == result[1].loss);
    for (int e = 0; e < EPISODES; e++)
        episode_release(&episodes[e]);
    actor_release(&actor);
    nlm_machine_free(machine);
}

/* Neither has a file that says how it works: they do as models of older versions. */
static void machines_turn_away_from_moves_and_networks_do_not(void **state)
{
    (void)state;
    char text[NLM_WORK_TEXT];
    nlm_settings work;
    nlm_machine *network = make_network(), *machine = make_agent_machine(nlm_game_at(SORT), 3, 2);
    CHECK(nlm_settings_at_work(machine, nlm_game_at(SORT), &work, &check_error));
    assert_true(work.no_repeat == 1 && work.repeat_penalty == 0.25);
    assert_string_equal(nlm_work_text(&work, text),
                        "No move is made twice in the same position; each time a move was made in the "
                        "episode, its probability is multiplied by 0.25.");
    CHECK(nlm_settings_at_work(network, nlm_game_at(SORT), &work, &check_error));
    assert_true(work.no_repeat == 1 && work.repeat_penalty == 1);
    assert_string_equal(nlm_work_text(&work, text), "No move is made twice in the same position.");
    CHECK(nlm_settings_set(&work, "no_repeat", "0", &check_error));
    assert_string_equal(nlm_work_text(&work, text), "Moves may be made again in the same position.");
    nlm_machine_free(network);
    nlm_machine_free(machine);
}

/* Whoever watches it sees the moves of tests, made under the same names. */
static void a_network_is_tested_as_it_is_watched(void **state)
{
    (void)state;
    enum { INSTANCES = 6, OBJECTS = 4 };
    const nlm_game *game = nlm_game_at(SORT);
    nlm_machine *machine = make_network();
    nlm_agent *agent = make_agent(machine, game);
    nlm_position *position = new_position("sort");
    nlm_test *trials;
    int solved = 0;
    double moves = 0;
    for (int i = 0; i < INSTANCES; i++) {
        draw(position, 2, NLM_TEST_INSTANCES + (uint64_t)i, OBJECTS, true);
        nlm_position_allow(position, nlm_agent_moves(nlm_machine_spec(machine), game) * OBJECTS);
        while (!nlm_position_over(position)) {
            nlm_choice next;
            int count;
            CHECK(nlm_agent_next(agent, position, &next, 1, &count, &check_error));
            CHECK(nlm_position_move(position, next.move, NULL, &check_error));
        }
        solved += nlm_position_solved(position);
        moves += nlm_position_solved(position) ? nlm_position_moves(position) : 0;
    }
    assert_true(solved > 1 && moves > 2 * solved);
    CHECK(nlm_test_of_game(machine, game, OBJECTS, 2, NULL, &trials, &check_error));
    CHECK(nlm_test_run(trials, INSTANCES, NULL, NULL, &check_error));
    const nlm_score result = nlm_test_score(trials);
    assert_int_equal((result.asked - result.failed), solved);
    assert_true(result.moves == moves / solved);
    nlm_test_free(trials);
    nlm_position_free(position);
    nlm_agent_free(agent);
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_do_not_play_are_refused),
        IN_FOLDER(a_memory_network_plays),
        cmocka_unit_test(names_are_others_before_each_move),
        cmocka_unit_test(names_are_others_in_each_episode_and_to_learn_from_it),
        cmocka_unit_test(machines_turn_away_from_moves_and_networks_do_not),
        cmocka_unit_test(a_network_is_tested_as_it_is_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

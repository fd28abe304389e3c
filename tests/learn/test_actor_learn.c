/* Actors that learn: loss and gradient against the objective written out step by step, with and without the
 * weights of moves that were chosen by an earlier machine; and greedy episodes that lead nowhere.
 *
 * The machine computes in float, so that a slope over a step of 1/256 is known to about 1e-4. */
#include "learn/actor.h"
#include "learn/courses.h"

enum { EPISODES = 5 };
static const double BETA = 0.3, CLIP = 0.2;

typedef struct players {
    nlm_machine *machine;
    struct actor actor;
    struct episode episodes[EPISODES];
    nlm_position *position;
    float *logits;
} players;

static void start(players *p, int g, uint64_t seed, float gain)
{
    const nlm_options options = {.threads = 1};
    const nlm_game *game = nlm_game_at(g);
    p->machine = make_agent_machine(game, seed, gain);
    CHECK(actor_init(&p->actor, p->machine, game, &options, &check_error));
    for (int e = 0; e < EPISODES; e++)
        CHECK(episode_init(&p->episodes[e], game, &check_error));
    p->position = new_position(game->name);
    p->logits = malloc(1024 * sizeof *p->logits);
    assert_non_null(p->logits);
}

static void finish(players *p)
{
    free(p->logits);
    nlm_position_free(p->position);
    for (int e = 0; e < EPISODES; e++)
        episode_release(&p->episodes[e]);
    actor_release(&p->actor);
    nlm_machine_free(p->machine);
}

/* Episodes of different sizes, one of them greedy; advantages of both signs. */
static void play(players *p)
{
    for (int e = 0; e < EPISODES; e++) {
        draw(p->episodes[e].start, 9, (uint64_t)e, 3 + e % 3, false);
        p->episodes[e].greedy = e == 2;
        CHECK(episode_begin(&p->episodes[e], 10, (uint64_t)e, &check_error));
    }
    CHECK(actor_play(&p->actor, p->episodes, EPISODES, &check_error));
    for (int e = 0, n = 0; e < EPISODES; e++)
        for (int t = 0; t < episode_moves(&p->episodes[e]); t++, n++)
            p->episodes[e].advantages[t] = (n % 2 ? -1 : 1) * (2.0 + n % 5);
}

/* ---- the objective, step by step ---- */

typedef struct outlook {
    double log_probability, entropy; /* of the move; of all moves */
} outlook;

/* A softmax over all moves, in double. */
static outlook look_at(players *p, const int *move)
{
    const int choices = nlm_position_choices(p->position), arity = p->actor.game->arity;
    const int cells = arity == 1 ? choices : choices * choices;
    double sum = 0, entropy = 0;
    CHECK(actor_look(&p->actor, p->position, &check_error));
    assert_true(cells <= 1024);
    CHECK(nlm_pass_logits(p->actor.evaluator->pass, 0, 0, p->logits, &check_error));
    for (int c = 0; c < cells; c++)
        if (arity == 1 || c / choices != c % choices)
            sum += exp((double)p->logits[c]);
    for (int c = 0; c < cells; c++)
        if (arity == 1 || c / choices != c % choices)
            entropy -= exp((double)p->logits[c]) / sum * ((double)p->logits[c] - log(sum));
    const int cell = arity == 1 ? move[0] : move[0] * choices + move[1];
    return (outlook){(double)p->logits[cell] - log(sum), entropy};
}

typedef struct sums {
    int steps;
    double objective, entropy;
    int clipped[2], kept[2]; /* steps too far from where they were chosen, by the sign of the advantage */
} sums;

/* What a step adds: plainly, or as the clipped ratio of proximal policy optimisation. */
static void add_step(players *p, const struct episode *episode, int t, bool again, sums *to)
{
    const outlook seen = look_at(p, episode->moves + t * p->actor.game->arity);
    const double advantage = episode->advantages[t];
    double gain = advantage * seen.log_probability;
    if (again) {
        const double ratio = exp(seen.log_probability) / (double)episode->probabilities[t];
        const double near = fmin(fmax(ratio, 1 - CLIP), 1 + CLIP);
        gain = fmin(ratio * advantage, near * advantage);
        to->clipped[advantage > 0] += ratio * advantage > near * advantage;
        to->kept[advantage > 0] += ratio * advantage < near * advantage;
    }
    to->objective += gain + BETA * seen.entropy;
    to->entropy += seen.entropy;
    to->steps++;
}

static sums objective(players *p, bool again)
{
    sums all = {0};
    for (int e = 0; e < EPISODES; e++) {
        const struct episode *episode = &p->episodes[e];
        CHECK(nlm_position_copy(p->position, episode->start, &check_error));
        for (int t = 0; t < episode_moves(episode); t++) {
            add_step(p, episode, t, again, &all);
            CHECK(nlm_position_move(p->position, episode->moves + t * p->actor.game->arity, NULL,
                                    &check_error));
        }
    }
    all.objective /= all.steps;
    all.entropy /= all.steps;
    return all;
}

/* ---- slopes ---- */

/* Of minus the objective, along a direction of signs of one tensor. */
static double slope(players *p, nlm_tensor tensor, const signed char *signs, float step, bool again)
{
    double side[2];
    for (int s = 0; s < 2; s++) {
        const float by = s ? step : -step;
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] += by * (float)signs[i];
        side[s] = -objective(p, again).objective;
        for (size_t i = 0; i < tensor.count; i++)
            tensor.values[i] -= by * (float)signs[i];
    }
    return (side[1] - side[0]) / (2.0 * (double)step);
}

/* A step may cross a tie of a reduction or the end of a clipped range: then a smaller one is tried. */
static void assert_slope(players *p, nlm_tensor tensor, const signed char *signs, bool again)
{
    static const float steps[] = {1.0f / 256, 1.0f / 1024, 1.0f / 4096};
    double expected = 0, found = 0, most = 0;
    for (size_t i = 0; i < tensor.count; i++) {
        expected += (double)signs[i] * (double)tensor.gradients[i];
        most += fabs((double)tensor.gradients[i]);
    }
    for (size_t s = 0; s < COUNT(steps); s++) {
        found = slope(p, tensor, signs, steps[s], again);
        if (fabs(found - expected) <= 5e-3 * most + 2e-4 / (double)(256 * steps[s]))
            return;
    }
    fail_msg("%s, %s: the gradient is %g, the slope %g", p->actor.game->name, tensor.name, expected, found);
}

/* For each tensor, uphill and in two random directions. */
static void assert_slopes(players *p, bool again)
{
    static signed char signs[4096];
    random_stream random;
    double norm = 0;
    random_start(&random, 12, 0);
    for (int t = 0; t < nlm_machine_tensors(p->machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(p->machine, t);
        assert_true(tensor.count <= COUNT(signs));
        for (int direction = 0; direction < 3; direction++) {
            for (size_t i = 0; i < tensor.count; i++) {
                const bool up = direction ? random_below(&random, 2) : tensor.gradients[i] > 0;
                signs[i] = up ? 1 : -1;
                norm += fabs((double)tensor.gradients[i]);
            }
            assert_slope(p, tensor, signs, again);
        }
    }
    assert_true(norm > 0.5); /* else there was nothing to see */
}

static nlm_policy_result learn(players *p, bool again)
{
    nlm_policy_result result = {NAN, NAN};
    CHECK(actor_learn(&p->actor, p->episodes, EPISODES, BETA, again, &result, &check_error));
    return result;
}

static void the_gradient_is_that_of_the_objective(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++) {
        start(&p, g, 3, 2);
        play(&p);
        for (int t = 0; t < nlm_machine_tensors(p.machine); t++) /* what was there is replaced */
            nlm_machine_tensor(p.machine, t).gradients[0] = 1000;
        const nlm_policy_result result = learn(&p, false);
        const sums expected = objective(&p, false);
        assert_near(result.loss, -expected.objective, 1e-5 * (1 + fabs(expected.objective)));
        assert_near(result.entropy, expected.entropy, 1e-5);
        assert_slopes(&p, false);
        finish(&p);
    }
}

/* The weights move after the moves were made, some of them far. */
static void the_gradient_of_another_pass_is_that_of_clipped_ratios(void **state)
{
    (void)state;
    players p;
    sums seen = {0};
    for (int g = 0; g < GAMES; g++) {
        random_stream random;
        start(&p, g, 4, 2);
        play(&p);
        random_start(&random, 13, 0);
        for (int t = 0; t < nlm_machine_tensors(p.machine); t++) {
            nlm_tensor tensor = nlm_machine_tensor(p.machine, t);
            for (size_t i = 0; i < tensor.count; i++)
                tensor.values[i] += random_uniform(&random, -0.5f, 0.5f);
        }
        learn(&p, true);
        const sums expected = objective(&p, true);
        for (int sign = 0; sign < 2; sign++) {
            seen.clipped[sign] += expected.clipped[sign];
            seen.kept[sign] += expected.kept[sign];
        }
        assert_slopes(&p, true);
        finish(&p);
    }
    for (int sign = 0; sign < 2; sign++)
        assert_true(seen.clipped[sign] > 2 && seen.kept[sign] > 2);
}

/* With the machine that chose the moves, all ratios are 1. */
static void the_first_pass_may_be_called_another(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++) {
        start(&p, g, 5, 1);
        play(&p);
        const nlm_policy_result plain = learn(&p, false);
        const size_t parameters = nlm_machine_parameters(p.machine);
        float *gradients = malloc(parameters * sizeof *gradients);
        assert_non_null(gradients);
        memcpy(gradients, p.machine->gradients, parameters * sizeof *gradients);
        const nlm_policy_result again = learn(&p, true);
        assert_near(again.loss, plain.loss, 1e-5 * (1 + fabs(plain.loss)));
        for (size_t i = 0; i < parameters; i++)
            assert_near((double)p.machine->gradients[i], (double)gradients[i], 1e-5);
        free(gradients);
        finish(&p);
    }
}

/* Learning leaves episodes as they are: the same call gives the same bits. */
static void learning_twice_gives_the_same_bits(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++)
        for (int again = 0; again < 2; again++) {
            start(&p, g, 6, 1);
            play(&p);
            const nlm_policy_result first = learn(&p, again);
            const size_t bytes = nlm_machine_parameters(p.machine) * sizeof(float);
            float *gradients = malloc(bytes);
            assert_non_null(gradients);
            memcpy(gradients, p.machine->gradients, bytes);
            const nlm_policy_result second = learn(&p, again);
            assert_true(first.loss == second.loss && first.entropy == second.entropy);
            assert_memory_equal(gradients, p.machine->gradients, bytes);
            free(gradients);
            finish(&p);
        }
}

/* ---- greedy episodes ---- */

/* Of moves that are equally probable, the first: swap slots 0 and 1; go to node 0; move the ground. */
static void of_equal_moves_the_first_is_made(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++) {
        start(&p, g, 0, 1);
        struct episode *episode = p.episodes;
        draw(episode->start, 3, 3, 5, false);
        episode->greedy = true;
        CHECK(episode_begin(episode, 1, 1, &check_error));
        CHECK(actor_play(&p.actor, episode, 1, &check_error));
        for (int t = 0; t < episode_moves(episode); t++)
            for (int k = 0; k < nlm_game_at(g)->arity; k++)
                assert_int_equal(episode->moves[t * nlm_game_at(g)->arity + k], k);
        finish(&p);
    }
}

/* A greedy move that changes nothing would be made for ever: it is the last.  Others beside it go on. */
static void stuck_episodes_end(void **state)
{
    (void)state;
    players p;
    int stuck = 0;
    for (int g = 0; g < GAMES; g++)
        for (uint64_t index = 0; index < 4; index++) {
            start(&p, g, index, 3);
            for (int e = 0; e < EPISODES; e++) {
                draw(p.episodes[e].start, 4, index * EPISODES + (uint64_t)e, 4 + e, false);
                p.episodes[e].greedy = e % 2 == 0;
                CHECK(episode_begin(&p.episodes[e], 2, (uint64_t)e, &check_error));
            }
            CHECK(actor_play(&p.actor, p.episodes, EPISODES, &check_error));
            for (int e = 0; e < EPISODES; e++) {
                const struct episode *episode = &p.episodes[e];
                const int last = episode_moves(episode) - 1, arity = nlm_game_at(g)->arity;
                assert_true(episode_over(episode));
                assert_true(episode->greedy || !episode->stuck);
                assert_true(episode->stuck || nlm_position_over(episode->position));
                if (!episode->stuck)
                    continue;
                assert_false(episode_solved(episode));
                assert_false(nlm_position_legal(episode->position, episode->moves + last * arity));
                stuck++;
            }
            finish(&p);
        }
    assert_true(stuck > 5);
}

/* The stop is forgotten when an episode begins again. */
static void a_stuck_episode_can_begin_again(void **state)
{
    (void)state;
    players p;
    start(&p, BLOCKS, 0, 1);
    struct episode *episode = p.episodes;
    draw(episode->start, 3, 3, 4, false);
    episode->greedy = true;
    CHECK(episode_begin(episode, 1, 1, &check_error));
    CHECK(actor_play(&p.actor, episode, 1, &check_error));
    assert_true(episode->stuck && episode_moves(episode) == 1);
    episode->greedy = false;
    CHECK(episode_begin(episode, 1, 1, &check_error));
    assert_false(episode_over(episode));
    CHECK(actor_play(&p.actor, episode, 1, &check_error));
    assert_true(episode_moves(episode) == 16 || episode_solved(episode));
    finish(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_that_of_the_objective),
        cmocka_unit_test(the_gradient_of_another_pass_is_that_of_clipped_ratios),
        cmocka_unit_test(the_first_pass_may_be_called_another),
        cmocka_unit_test(learning_twice_gives_the_same_bits),
        cmocka_unit_test(of_equal_moves_the_first_is_made),
        cmocka_unit_test(stuck_episodes_end),
        cmocka_unit_test(a_stuck_episode_can_begin_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

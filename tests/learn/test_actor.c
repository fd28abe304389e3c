/* Actors at play: an episode goes its own way, whoever is played beside it; its moves follow the machine's
 * probabilities, or are the best of them; and they lead from its start to its end. */
#include "learn/actor.h"
#include "learn/agents.h"

enum { EPISODES = 7 };

typedef struct players {
    nlm_machine *machine;
    struct actor actor;
    struct episode episodes[EPISODES];
} players;

static void start(players *p, int g, uint64_t machine_seed, float gain)
{
    const nlm_options options = {.threads = 1};
    p->machine = make_agent_machine(nlm_game_at(g), machine_seed, gain);
    CHECK(actor_init(&p->actor, p->machine, nlm_game_at(g), &options, &check_error));
    for (int e = 0; e < EPISODES; e++)
        CHECK(episode_init(&p->episodes[e], nlm_game_at(g), &check_error));
}

static void finish(players *p)
{
    for (int e = 0; e < EPISODES; e++)
        episode_release(&p->episodes[e]);
    actor_release(&p->actor);
    nlm_machine_free(p->machine);
}

/* Episode number `index`: its instance, its random numbers, and whether it is greedy. */
static void begin(struct episode *episode, uint64_t index, bool greedy)
{
    draw(episode->start, 5, index, 5 + (int)index % 4, false);
    episode->greedy = greedy;
    CHECK(episode_begin(episode, 6, index, &check_error));
    assert_int_equal(episode_moves(episode), 0);
    assert_false(episode_over(episode) || episode_solved(episode));
}

static void assert_same_moves(const struct episode *a, const struct episode *b, int arity)
{
    assert_int_equal(episode_moves(a), episode_moves(b));
    assert_int_equal(episode_solved(a), episode_solved(b));
    for (int i = 0; i < episode_moves(a) * arity; i++)
        assert_int_equal(a->moves[i], b->moves[i]);
}

/* All at once, and then each of them alone, in the memory of another. */
static void episodes_do_not_depend_on_their_neighbours(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++)
        for (int greedy = 0; greedy < 2; greedy++) {
            start(&p, g, 3, 2);
            for (int e = 0; e < EPISODES - 1; e++)
                begin(&p.episodes[e], (uint64_t)e, greedy);
            CHECK(actor_play(&p.actor, p.episodes, EPISODES - 1, &check_error));
            struct episode *alone = &p.episodes[EPISODES - 1];
            for (int e = 0; e < EPISODES - 1; e++) {
                assert_true(episode_over(&p.episodes[e]));
                begin(alone, (uint64_t)e, greedy);
                CHECK(actor_play(&p.actor, alone, 1, &check_error));
                assert_same_moves(&p.episodes[e], alone, nlm_game_at(g)->arity);
            }
            finish(&p);
        }
}

/* The start is as it was, and the moves lead to the end; only who is greedy may stop before the limit. */
static void moves_lead_from_start_to_end(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++) {
        const int arity = nlm_game_at(g)->arity;
        nlm_position *replayed = new_position(game_names[g]);
        start(&p, g, 4, 2);
        for (int e = 0; e < EPISODES; e++)
            begin(&p.episodes[e], 10 + (uint64_t)e, e % 2);
        CHECK(actor_play(&p.actor, p.episodes, EPISODES, &check_error));
        for (int e = 0; e < EPISODES; e++) {
            const struct episode *episode = &p.episodes[e];
            assert_int_equal(nlm_position_moves(episode->start), 0);
            CHECK(nlm_position_copy(replayed, episode->start, &check_error));
            for (int t = 0; t < episode_moves(episode); t++)
                move(replayed, episode->moves[t * arity], episode->moves[t * arity + arity - 1]);
            assert_string_equal(written(replayed), written(episode->position));
            assert_int_equal(nlm_position_solved(replayed), episode_solved(episode));
            assert_true(nlm_position_over(replayed) || episode->greedy);
        }
        finish(&p);
        nlm_position_free(replayed);
    }
}

/* First moves from one position, many times. */
static void moves_are_drawn_by_their_probability(void **state)
{
    (void)state;
    enum { DRAWS = 3000, CELLS = 9 };
    players p;
    for (int g = 0; g < GAMES; g++) {
        int counts[CELLS] = {0}, cells = 0;
        double probabilities[CELLS] = {0}, sum = 0;
        start(&p, g, 5, 1);
        struct episode *episode = p.episodes;
        draw(episode->start, 1, 2, g == BLOCKS ? 2 : 3, false);
        const int choices = nlm_position_choices(episode->start), arity = nlm_game_at(g)->arity;
        CHECK(actor_look(&p.actor, episode->start, &check_error));
        for (int c = 0; c < (int)actor_cells(&p.actor, episode->start); c++)
            if (arity == 1 || c / choices != c % choices)
                sum += probabilities[cells++] = (double)((float *)p.actor.probabilities.data)[c];
        for (int c = 0; c < cells; c++)
            probabilities[c] /= sum; /* it is 1 but for rounding */
        for (uint64_t stream = 0; stream < DRAWS; stream++) {
            CHECK(episode_begin(episode, 7, stream, &check_error));
            CHECK(actor_play(&p.actor, episode, 1, &check_error));
            const int first = episode->moves[0], second = episode->moves[arity - 1];
            assert_true(arity == 1 || first != second);
            counts[arity == 1 ? first : first * (choices - 1) + second - (second > first)]++;
        }
        assert_frequencies(game_names[g], counts, probabilities, cells);
        finish(&p);
    }
}

/* As an agent would choose. */
static void who_is_greedy_makes_the_best_move(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            nlm_position *position = new_position(game_names[g]);
            const int arity = nlm_game_at(g)->arity;
            start(&p, g, seed, 2);
            nlm_agent *agent = make_agent(p.machine, nlm_game_at(g));
            begin(p.episodes, seed, true);
            CHECK(actor_play(&p.actor, p.episodes, 1, &check_error));
            CHECK(nlm_position_copy(position, p.episodes->start, &check_error));
            for (int t = 0; t < episode_moves(p.episodes); t++) {
                nlm_choice best;
                int count;
                CHECK(nlm_agent_choices(agent, position, &best, 1, &count, &check_error));
                assert_memory_equal(best.move, p.episodes->moves + t * arity, (size_t)arity * sizeof(int));
                move(position, best.move[0], best.move[1]);
            }
            nlm_agent_free(agent);
            finish(&p);
            nlm_position_free(position);
        }
}

/* Over before it is played: nothing to do. */
static void no_episode_at_all_is_played_too(void **state)
{
    (void)state;
    players p;
    start(&p, SORT, 1, 1);
    CHECK(actor_play(&p.actor, p.episodes, 0, &check_error));
    begin(p.episodes, 1, false);
    CHECK(actor_play(&p.actor, p.episodes, 1, &check_error));
    const int moves = episode_moves(p.episodes);
    CHECK(actor_play(&p.actor, p.episodes, 1, &check_error));
    assert_int_equal(episode_moves(p.episodes), moves);
    finish(&p);
}

/* Cells are the moves in their order. */
static void cells_are_moves(void **state)
{
    (void)state;
    players p;
    for (int g = 0; g < GAMES; g++) {
        start(&p, g, 1, 1);
        draw(p.episodes->start, 1, 1, 4, false);
        const int choices = nlm_position_choices(p.episodes->start), arity = nlm_game_at(g)->arity;
        assert_int_equal(actor_cells(&p.actor, p.episodes->start), arity == 1 ? choices : choices * choices);
        for (int c = 0; c < (int)actor_cells(&p.actor, p.episodes->start); c++) {
            int numbers[NLM_MAX_MOVE] = {-1, -1};
            actor_move_of(&p.actor, p.episodes->start, (size_t)c, numbers);
            assert_int_equal(numbers[0], arity == 1 ? c : c / choices);
            assert_int_equal(numbers[1], arity == 1 ? -1 : c % choices);
        }
        finish(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(episodes_do_not_depend_on_their_neighbours),
        cmocka_unit_test(moves_lead_from_start_to_end),
        cmocka_unit_test(moves_are_drawn_by_their_probability),
        cmocka_unit_test(who_is_greedy_makes_the_best_move),
        cmocka_unit_test(no_episode_at_all_is_played_too),
        cmocka_unit_test(cells_are_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

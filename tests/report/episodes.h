/* Replays of episodes whose moves are drawn at random, legal or not. */
#ifndef TESTS_REPORT_EPISODES_H
#define TESTS_REPORT_EPISODES_H

#include "pages.h"
#include "report/replay.h"

/* A move, and two others that were thought of. */
static inline void think(const nlm_position *position, random_stream *random, nlm_choice choices[3])
{
    const uint32_t numbers = (uint32_t)nlm_position_choices(position);
    for (int i = 0; i < 3; i++)
        choices[i] = (nlm_choice){{(int)random_below(random, numbers), (int)random_below(random, numbers)},
                                  0.5 / (i + 1)};
}

/* So many moves, or to the end. */
static inline nlm_replay *play_at_random(nlm_position *position, const char *title, int moves)
{
    nlm_replay *replay;
    nlm_choice choices[3];
    random_stream random;
    random_start(&random, 7, 7);
    CHECK(nlm_replay_new(nlm_position_game(position), title, &replay, &check_error));
    for (int i = 0; i < moves && !nlm_position_over(position); i++) {
        think(position, &random, choices);
        CHECK(nlm_replay_add(replay, position, choices, 3, &check_error));
        CHECK(nlm_position_move(position, choices[0].move, NULL, &check_error));
    }
    CHECK(nlm_replay_add(replay, position, NULL, 0, &check_error));
    return replay;
}

#endif

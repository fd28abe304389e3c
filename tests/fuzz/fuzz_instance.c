/* Any bytes as an instance of each game: refused with a message of one line, or an episode that can be played
 * for some moves, written, and read again as it is. */
#include "fuzz.h"
#include "base/random.h"
#include "nlm/game.h"

static void check_beginning(const nlm_position *position)
{
    const int objects = nlm_position_objects(position), optimum = nlm_position_optimum(position);
    require(objects >= nlm_position_game(position)->least_objects && objects <= 2000);
    require(nlm_position_moves(position) == 0 && nlm_position_limit(position) > 0);
    require(!nlm_position_solved(position) && !nlm_position_over(position));
    require(optimum == -1 || (optimum > 0 && optimum <= nlm_position_limit(position)));
}

static void make_move(nlm_position *position, random_stream *random)
{
    const uint32_t choices = (uint32_t)nlm_position_choices(position);
    const int numbers[NLM_MAX_MOVE] = {(int)random_below(random, choices),
                                       (int)random_below(random, choices)};
    const int before = nlm_position_moves(position);
    double reward;
    (void)nlm_position_legal(position, numbers);
    require(nlm_position_move(position, numbers, &reward, NULL) == NLM_OK);
    require(nlm_position_moves(position) == before + 1);
    require(reward == (nlm_position_solved(position) ? 1.0 : -0.01));
}

/* What is written reads as the same state, unless there is nothing left to do. */
static void check_text(nlm_position *position, nlm_position *again)
{
    const char *text, *same;
    nlm_error error;
    require(nlm_position_write(position, &text, &error) == NLM_OK);
    const nlm_status status = nlm_position_read(again, text, strlen(text), "fuzz", &error);
    require(status == (nlm_position_solved(position) ? NLM_BAD_FILE : NLM_OK));
    if (status)
        return;
    check_beginning(again);
    require(nlm_position_objects(again) == nlm_position_objects(position));
    require(nlm_position_write(again, &same, &error) == NLM_OK);
    require(!strcmp(text, same));
}

static void play(nlm_position *position, nlm_position *again, size_t seed)
{
    enum { MOVES = 12 };
    random_stream random;
    random_start(&random, seed, 0);
    check_beginning(position);
    check_text(position, again);
    require(nlm_position_copy(again, position, NULL) == NLM_OK);
    for (int m = 0; m < MOVES && !nlm_position_over(position); m++)
        make_move(position, &random);
    check_text(position, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int g = 0; g < nlm_games(); g++) {
        nlm_position *position, *again;
        nlm_error error = {0};
        require(nlm_position_new(nlm_game_at(g), &position, NULL) == NLM_OK);
        require(nlm_position_new(nlm_game_at(g), &again, NULL) == NLM_OK);
        if (nlm_position_read(position, (const char *)data, size, "fuzz", &error)) {
            check_refusal_or_memory(&error, "fuzz: ");
            require(nlm_position_objects(position) == 0);
        } else {
            play(position, again, size);
        }
        nlm_position_free(position);
        nlm_position_free(again);
    }
    return 0;
}

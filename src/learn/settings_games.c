/* Settings of learning a game: defaults of both protocols, and checks. */
#include "learn/settings.h"

#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

/* What suits a game: sort and blocks learn most from several tries at the same instance, path, whose moves
 * are either right or not, from many instances. */
static void set_best(nlm_settings *c)
{
    c->beta2 = 0.99;
    c->patience = 0;
    c->validity = 0;
    c->greedy_exams = 1;
    c->keep_failures = 1;
    if (!strcmp(c->game->name, "sort")) {
        c->batch = c->rollouts = c->passes = 4;
        c->greedy_rollouts = 1;
        c->optimal_exams = 1;
        c->rate = 0.01;
        c->entropy = 0.005;
        c->interval = 100;
        c->final_exam = 2000;
        c->keep_failures = 0;
        c->restart = 500;
    } else if (!strcmp(c->game->name, "path")) {
        c->gain = 5;
        c->passes = 2;
        c->interval = 200;
        c->exam = 1000;
        c->final_exam = 20000;
        c->average = 0.998;
        c->final_decay = 0.97;
        c->restart = 12000;
    } else {
        c->batch = c->rollouts = 8;
        c->passes = 3;
        c->greedy_rollouts = 1;
        c->entropy = 0.01;
        c->interval = 400;
        c->exam = 1000;
        c->final_exam = 8000;
        c->final_objects = 2 * c->last_lesson;
        c->average = 0.9995;
    }
}

nlm_status nlm_settings_of_game(const nlm_game *game, nlm_protocol protocol, nlm_settings *course,
                                nlm_error *error)
{
    if (!game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no game '%s'", game ? game->name : "");
    if (protocol != NLM_PROTOCOL_BEST && protocol != NLM_PROTOCOL_PAPER)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no protocol %d", (int)protocol);
    nlm_settings c = {
        .game = game,
        .protocol = protocol,
        .spec = {.depth = game->depth,
                 .breadth = game->breadth,
                 .width = 8,
                 .residual = game->residual,
                 .outputs = 1u << (game->twins ? 1 : game->arity)},
        .seed = 1,
        .first_lesson = game->first_lesson,
        .last_lesson = game->last_lesson,
        .episodes = game->episodes,
        .interval = game->interval,
        .exam = game->exam,
        .final_exam = 2 * game->exam,
        .pool = game->pool,
        .batch = 1,
        .passes = 1,
        .patience = game->patience,
        .gain = 1,
        .rate = 0.005,
        .rate_decay = 0.9,
        .final_decay = 1,
        .beta2 = 0.999,
        .entropy = game->entropy,
        .entropy_decay = 0.8,
        .discount = 0.99,
        .solved_share = game->solved_share,
        .slack = 0.005,
        .validity = game->validity,
    };
    memcpy(c.spec.inputs, game->inputs, sizeof c.spec.inputs);
    if (protocol == NLM_PROTOCOL_BEST)
        set_best(&c);
    *course = c;
    return NLM_OK;
}

nlm_status settings_check_game(const nlm_settings *course, nlm_error *error)
{
    const nlm_game *game = course ? course->game : NULL;
    if (!game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a course needs a game");
    nlm_status status = settings_check_ranges(settings_table_of(course), course, error);
    if (status)
        return status;
    if (course->first_lesson < game->least_objects)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: a lesson has at least %d objects, not %d", game->name,
                         game->least_objects, course->first_lesson);
    if (course->last_lesson < course->first_lesson)
        return error_set(error, NLM_BAD_ARGUMENT, "the last lesson, %d, comes before the first, %d",
                         course->last_lesson, course->first_lesson);
    if (course->rollouts > 0 && course->batch % course->rollouts != 0)
        return error_set(error, NLM_BAD_ARGUMENT, "a batch of %d episodes cannot have %d of each instance",
                         course->batch, course->rollouts);
    if (course->greedy_rollouts > course->rollouts)
        return error_set(error, NLM_BAD_ARGUMENT, "greedy_rollouts %d: there are only %d rollouts",
                         course->greedy_rollouts, course->rollouts);
    if (course->final_objects > 0 && course->final_objects <= course->last_lesson)
        return error_set(error, NLM_BAD_ARGUMENT, "final_objects %d is not beyond the last lesson, %d",
                         course->final_objects, course->last_lesson);
    if (course->validity > 0 && game->validity <= 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%s does not predict which moves are legal", game->name);
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        if (course->spec.inputs[r] != game->inputs[r])
            return error_set(error, NLM_BAD_SHAPE, "the spec has %d inputs of arity %d, %s has %d",
                             course->spec.inputs[r], r, game->name, game->inputs[r]);
    if (!(course->spec.outputs >> (game->twins ? 1 : game->arity) & 1))
        return error_set(error, NLM_BAD_SHAPE, "the spec has not the outputs that score the moves of %s",
                         game->name);
    return NLM_OK;
}

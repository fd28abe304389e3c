/* Settings of a course: defaults of both protocols, and checks. */
#include "learn/course.h"

#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

#define PLACE(field) offsetof(nlm_course, field)
#define MOST_EPISODES 1000000000

static const struct setting rows[] = {
    {"seed", SETTING_SEED, PLACE(seed), 0, 0, false, NULL},
    {"first_lesson", SETTING_WHOLE, PLACE(first_lesson), 2, 1000, false, NULL},
    {"last_lesson", SETTING_WHOLE, PLACE(last_lesson), 2, 1000, false, NULL},
    {"episodes", SETTING_WHOLE, PLACE(episodes), 1, MOST_EPISODES, true, NULL},
    {"interval", SETTING_WHOLE, PLACE(interval), 1, MOST_EPISODES, false, NULL},
    {"exam", SETTING_WHOLE, PLACE(exam), 1, 100000000, false, NULL},
    {"final_exam", SETTING_WHOLE, PLACE(final_exam), 1, 100000000, false, NULL},
    {"final_objects", SETTING_WHOLE, PLACE(final_objects), 0, 1000, false, NULL},
    {"deepest", SETTING_WHOLE, PLACE(deepest), 0, 1000, false, NULL},
    {"pool", SETTING_WHOLE, PLACE(pool), 1, COURSE_MOST_POOL, false, NULL},
    {"batch", SETTING_WHOLE, PLACE(batch), 1, COURSE_MOST_BATCH, false, NULL},
    {"rollouts", SETTING_WHOLE, PLACE(rollouts), 0, COURSE_MOST_BATCH, false, NULL},
    {"passes", SETTING_WHOLE, PLACE(passes), 1, 1000, false, NULL},
    {"greedy_rollouts", SETTING_WHOLE, PLACE(greedy_rollouts), 0, COURSE_MOST_BATCH, false, NULL},
    {"greedy_exams", SETTING_WHOLE, PLACE(greedy_exams), 0, 1, false, NULL},
    {"optimal_exams", SETTING_WHOLE, PLACE(optimal_exams), 0, 1, false, NULL},
    {"keep_failures", SETTING_WHOLE, PLACE(keep_failures), 0, 1, false, NULL},
    {"patience", SETTING_WHOLE, PLACE(patience), 0, MOST_EPISODES, false, NULL},
    {"restart", SETTING_WHOLE, PLACE(restart), 0, MOST_EPISODES, false, NULL},
    {"gain", SETTING_REAL, PLACE(gain), 0, 1000, false, NULL},
    {"lr", SETTING_REAL, PLACE(rate), 0, 1000, false, NULL},
    {"lr_decay", SETTING_REAL, PLACE(rate_decay), 0, 1, false, NULL},
    {"final_decay", SETTING_REAL, PLACE(final_decay), 0, 1, false, NULL},
    {"beta2", SETTING_REAL, PLACE(beta2), 0, 0.9999999, false, NULL},
    {"entropy", SETTING_REAL, PLACE(entropy), 0, 1000, false, NULL},
    {"entropy_decay", SETTING_REAL, PLACE(entropy_decay), 0, 1, false, NULL},
    {"discount", SETTING_REAL, PLACE(discount), 0, 1, false, NULL},
    {"average", SETTING_REAL, PLACE(average), 0, 0.999999, false, NULL},
    {"solved_share", SETTING_REAL, PLACE(solved_share), 0, 1, false, NULL},
    {"slack", SETTING_REAL, PLACE(slack), 0, 1, false, NULL},
    {"validity", SETTING_REAL, PLACE(validity), 0, 1000, false, NULL},
    {"width", SETTING_WHOLE, PLACE(spec.width), 0, NLM_MAX_WIDTH, false, NULL},
};

const struct settings_table course_table = {rows, sizeof rows / sizeof *rows};

/* What suits a game: sort and blocks learn most from several tries at the same instance, path, whose moves
 * are either right or not, from many instances. */
static void set_best(nlm_course *c)
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

nlm_status nlm_course_default(const nlm_game *game, nlm_protocol protocol, nlm_course *course,
                              nlm_error *error)
{
    if (!game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no game '%s'", game ? game->name : "");
    if (protocol != NLM_PROTOCOL_BEST && protocol != NLM_PROTOCOL_PAPER)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no protocol %d", (int)protocol);
    nlm_course c = {
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

nlm_status course_check(const nlm_course *course, nlm_error *error)
{
    const nlm_game *game = course ? course->game : NULL;
    if (!game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a course needs a game");
    nlm_status status = settings_check(course_table, course, error);
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

nlm_status nlm_course_compare(const nlm_course *found, const nlm_course *wanted, const char *name,
                              nlm_error *error)
{
    if (strcmp(wanted->game->name, found->game->name) != 0)
        return model_fail(error, NLM_BAD_ARGUMENT, name, "a run of %s, not of %s", found->game->name,
                          wanted->game->name);
    return settings_compare(course_table, found, &found->spec, wanted, &wanted->spec, name, error);
}

/* Settings of learning a game: defaults of both protocols, and checks. */
#include "learn/settings.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "machine/model_file.h"

/* What all games share; each has its recipes (src/task), that of the paper first. */
static const nlm_preset of_games[] = {
    {"seed", "1"},      {"width", "8"},           {"batch", "1"},       {"passes", "1"},
    {"gain", "1"},      {"lr", "0.005"},          {"lr_decay", "0.9"},  {"final_decay", "1"},
    {"beta2", "0.999"}, {"entropy_decay", "0.8"}, {"discount", "0.99"}, {"slack", "0.005"},
    {NULL, NULL},
};

static const nlm_preset best_of_games[] = {
    {"beta2", "0.99"},     {"patience", "0"},      {"validity", "0"},
    {"greedy_exams", "1"}, {"keep_failures", "1"}, {NULL, NULL},
};

/* The recipe of a protocol, which every game must have. */
static nlm_status apply_recipe(nlm_settings *settings, nlm_protocol protocol, nlm_error *error)
{
    const char *name = nlm_protocol_name(protocol);
    const nlm_preset *presets = recipe_find(settings->game->recipes, name, NULL);
    if (!presets)
        return error_set(error, NLM_BAD_ARGUMENT, "the game %s has no recipe for the protocol %s",
                         settings->game->name, name);
    return settings_apply(settings, presets, error);
}

nlm_status nlm_settings_of_game(const nlm_game *game, nlm_protocol protocol, nlm_settings *course,
                                nlm_error *error)
{
    REQUIRE(game && course, error);
    if (!nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no game '%s'", game ? game->name : "");
    if (protocol != NLM_PROTOCOL_BEST && protocol != NLM_PROTOCOL_PAPER)
        return error_set(error, NLM_BAD_ARGUMENT, "there is no protocol %d", (int)protocol);
    nlm_settings c = {
        .game = game, .protocol = protocol, .spec = {.outputs = 1u << (game->twins ? 1 : game->arity)}};
    memcpy(c.spec.inputs, game->inputs, sizeof c.spec.inputs);
    nlm_status status = settings_begin(&c, of_games, error);
    if (!status)
        status = apply_recipe(&c, NLM_PROTOCOL_PAPER, error);
    if (!status && protocol == NLM_PROTOCOL_BEST)
        status = settings_apply(&c, best_of_games, error);
    if (!status && protocol == NLM_PROTOCOL_BEST)
        status = apply_recipe(&c, protocol, error);
    if (!status)
        *course = c;
    return status;
}

nlm_status settings_check_game(const nlm_settings *course, nlm_error *error)
{
    const nlm_game *game = course ? course->game : NULL;
    if (!game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "a run needs a task, a game or facts");
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
    if (course->batch > NLM_MAX_EPISODES || course->exam == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%s %d: a game has %s",
                         course->exam == 0 ? "exam" : "batch", course->exam == 0 ? 0 : course->batch,
                         course->exam == 0 ? "exams of at least one instance"
                                           : "batches of at most 1024 episodes");
    if (course->validity > 0 && !game->tells_legal)
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

nlm_status nlm_settings_at_work(const nlm_machine *machine, const nlm_game *game, nlm_settings *settings,
                                nlm_error *error)
{
    REQUIRE(machine && game && settings, error);
    *settings = (nlm_settings){.game = game, .spec = *nlm_machine_spec(machine)};
    const struct settings_table table = settings_table_of(settings);
    nlm_status status = NLM_OK;
    for (const nlm_setting *row = NULL; !status && (row = setting_next(&table, row)) != NULL;)
        if (row->at_work)
            status = setting_set(row, settings, nlm_setting_in(row, machine), error);
    return status;
}

const char *nlm_work_text(const nlm_settings *settings, char text[NLM_WORK_TEXT])
{
    const int used = snprintf(text, NLM_WORK_TEXT, "%s",
                              settings->no_repeat ? "No move is made twice in a position"
                                                  : "Moves may be made again in a position");
    if (settings->repeat_penalty < 1)
        snprintf(text + used, NLM_WORK_TEXT - (size_t)used,
                 "; each time that a move was made, it counts %g times as probable.",
                 settings->repeat_penalty);
    else
        snprintf(text + used, NLM_WORK_TEXT - (size_t)used, ".");
    return text;
}

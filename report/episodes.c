/* Replays of the agents of a group. */
#include <inttypes.h>
#include <stdio.h>
#include "report/evaluate.h"
#include "report/replay.h"
#include "report/report.h"

enum { CHOICES = 5, TITLE_SIZE = 160, OBJECTS_MOST = 200 };

/* An instance of the tests, and why it is shown. */
typedef struct episode {
    const nlm_found_run *run;
    int objects;
    long number;
    const char *why;
} episode;

static nlm_status play(nlm_machine *machine, const episode *of, nlm_replay *replay, nlm_error *error)
{
    const int moves = nlm_agent_moves(nlm_machine_spec(machine), of->run->game);
    nlm_choice choices[CHOICES];
    nlm_agent *agent = NULL;
    nlm_position *position = NULL;
    nlm_status status = nlm_agent_new(machine, of->run->game, NULL, &agent, error);
    if (!status)
        status = nlm_position_new(of->run->game, &position, error);
    if (!status)
        status = nlm_position_draw(position, of->run->seed, NLM_TEST_WORLDS + (uint64_t)of->number,
                                   of->objects, true, error);
    if (!status && moves > 0)
        nlm_position_allow(position, moves * of->objects);
    while (!status && !nlm_position_over(position)) {
        int count;
        status = nlm_agent_next(agent, position, choices, CHOICES, &count, error);
        if (!status)
            status = nlm_replay_add(replay, position, choices, count, error);
        nlm_replay_rule(replay, nlm_agent_rule(agent));
        if (!status)
            status = nlm_position_move(position, choices[0].move, NULL, error);
    }
    if (!status)
        status = nlm_replay_add(replay, position, NULL, 0, error);
    nlm_position_free(position);
    nlm_agent_free(agent);
    return status;
}

static nlm_status put_episode(page *p, const episode *of, nlm_error *error)
{
    char title[TITLE_SIZE], label[RUN_LABEL], outcome[REPLAY_WORDS];
    nlm_machine *machine = NULL;
    nlm_replay *replay = NULL;
    snprintf(title, sizeof title, "%d objects%s, %s, instance %ld", of->objects, of->why,
             run_label(of->run, label), of->number);
    nlm_status status = nlm_replay_new(of->run->game, title, &replay, error);
    if (!status)
        status = nlm_machine_load(of->run->model ? of->run->model : of->run->checkpoint, &machine, error);
    if (!status)
        status = evaluate_fits(machine, of->objects, error);
    if (!status)
        status = play(machine, of, replay, error);
    if (!status) {
        page_wrap(p, "<h4>", title, ": ");
        page_print(p, "%s</h4>\n", replay_outcome(replay, outcome));
        replay_put(replay, p);
    }
    nlm_machine_free(machine);
    nlm_replay_free(replay);
    return status;
}

/* The first failure in the tests of any run with a model; false if there is none. */
static bool find_failure(const nlm_found_runs *list, int first, int end, episode *found)
{
    for (int i = first; i < end; i++) {
        const nlm_found_run *run = nlm_found_at(list, i);
        for (int t = 0; run->model && run->seed_known && run->has_result && t < run->result.tests; t++) {
            const nlm_score *test = &run->result.test[t];
            if (test->first_failure < 0 || test->objects < 1 || test->objects > OBJECTS_MOST)
                continue;
            *found = (episode){run, test->objects, test->first_failure, ", a failure"};
            return true;
        }
    }
    return false;
}

/* What fails for another reason than memory is noted, and the rest is shown. */
static nlm_status try_episode(page *p, nlm_report *report, const episode *of, nlm_error *error)
{
    nlm_error cause = {0};
    const nlm_status status = put_episode(p, of, &cause);
    if (status == NLM_NO_MEMORY && error)
        *error = cause;
    if (status && status != NLM_NO_MEMORY)
        remarks_add(&report->noted, "%.200s/%.100s: no episode of %d objects: %.200s", of->run->folder,
                    of->run->name, of->objects, cause.message);
    return status == NLM_NO_MEMORY ? status : NLM_OK;
}

nlm_status episodes_put(page *p, nlm_report *report, int first, int end, nlm_error *error)
{
    const nlm_found_runs *list = report->runs;
    int with_model = first;
    episode failure;
    while (with_model < end && !nlm_found_at(list, with_model)->model &&
           !nlm_found_at(list, with_model)->checkpoint)
        with_model++;
    if (with_model == end)
        return NLM_OK;
    const nlm_found_run *run = nlm_found_at(list, with_model);
    nlm_status status = NLM_OK;
    page made = {0};
    for (int t = 0; t < 2 && !status; t++) {
        const episode of = {run, run->game->test_objects[t], 0, ""};
        status = try_episode(&made, report, &of, error);
    }
    if (!status && find_failure(list, first, end, &failure))
        status = try_episode(&made, report, &failure, error);
    if (made.length > 0 || made.failed) {
        page_put(p, "<h3>Episodes</h3>\n<div class=\"replays\">\n");
        page_append(p, &made);
        page_put(p, "</div>\n");
    }
    page_release(&made);
    return status;
}

/* Trials: an agent on fresh instances, several groups of them at a time.
 *
 * Only counts and the smallest number of a failure are kept, so the result does not depend on who played
 * which group. */
#include <stdatomic.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/team.h"
#include "learn/actor.h"
#include "learn/fresh.h"
#include "nlm/play.h"

enum { GROUP = 8 }; /* episodes played side by side */

struct counts {
    long episodes, solved, returned, moves, optimal;
    int first_failure; /* -1: none */
};

struct member {
    struct actor actor;
    struct episode episode[GROUP];
    struct counts counts;
    nlm_status status;
    nlm_error error;
};

struct nlm_trials {
    const nlm_game *game;
    uint64_t seed;
    int objects;
    int limit; /* of moves; 0: the game's */
    int members;
    struct member *member;
    struct team *team;
    int played;       /* episodes of earlier jobs */
    int first, count; /* episodes of the current job */
    atomic_bool failed;
    double seconds;
};

static nlm_status init_members(nlm_trials *trials, nlm_machine *machine, const nlm_options *options,
                               nlm_error *error)
{
    int members = options && options->threads > 1 ? options->threads : 1;
    trials->member = memory_new((size_t)members, sizeof *trials->member);
    if (!trials->member)
        return error_no_memory(error);
    nlm_options alone = options ? *options : (nlm_options){0};
    alone.threads = 1;
    for (; trials->members < members; trials->members++) {
        struct member *member = &trials->member[trials->members];
        member->counts.first_failure = -1;
        nlm_status status = actor_init(&member->actor, machine, trials->game, &alone, error);
        for (int e = 0; e < GROUP && !status; e++)
            status = episode_init(&member->episode[e], trials->game, error);
        if (status) {
            trials->members++;
            return status;
        }
    }
    return team_new(members, &trials->team) ? error_no_memory(error) : NLM_OK;
}

nlm_status nlm_trials_new(nlm_machine *machine, const nlm_game *game, int objects, uint64_t seed,
                          const nlm_options *options, nlm_trials **trials, nlm_error *error)
{
    *trials = NULL;
    if (!machine || !game || !nlm_game_find(game->name))
        return error_set(error, NLM_BAD_ARGUMENT, "trials need a machine and a game");
    nlm_status status = actor_fits(machine, game, error);
    if (status)
        return status;
    nlm_trials *made = memory_new(1, sizeof *made);
    if (!made)
        return error_no_memory(error);
    made->game = game;
    made->seed = seed;
    made->objects = objects;
    made->limit = nlm_agent_moves(nlm_machine_spec(machine), game) * objects;
    status = init_members(made, machine, options, error);
    if (!status) /* is there such an instance at all? */
        status =
            nlm_position_draw(made->member[0].episode[0].start, seed, FIRST_INSTANCE, objects, true, error);
    if (status)
        nlm_trials_free(made);
    else
        *trials = made;
    return status;
}

void nlm_trials_free(nlm_trials *trials)
{
    if (!trials)
        return;
    team_free(trials->team);
    for (int m = 0; m < trials->members; m++) {
        actor_release(&trials->member[m].actor);
        for (int e = 0; e < GROUP; e++)
            episode_release(&trials->member[m].episode[e]);
    }
    memory_free(trials->member);
    memory_free(trials);
}

void nlm_trials_allow(nlm_trials *trials, int moves)
{
    trials->limit = moves;
}

static nlm_status play_group(const nlm_trials *trials, struct member *member, int first, int count)
{
    nlm_status status = NLM_OK;
    for (int e = 0; e < count && !status; e++) {
        struct episode *episode = &member->episode[e];
        episode->greedy = episode->wary = true;
        episode->trace.tires = trace_may_tire(member->actor.machine);
        status = nlm_position_draw(episode->start, trials->seed, FIRST_INSTANCE + (uint64_t)(first + e),
                                   trials->objects, true, &member->error);
        if (!status && trials->limit > 0)
            nlm_position_allow(episode->start, trials->limit);
        if (!status)
            status = episode_begin(episode, trials->seed, 0, &member->error);
    }
    return status ? status : actor_play(&member->actor, member->episode, count, &member->error);
}

static void count_episode(struct counts *counts, const struct episode *episode, int number)
{
    counts->episodes++;
    counts->returned += episode->trace.returned;
    if (!episode_solved(episode)) {
        counts->first_failure = first_failure_of(counts->first_failure, number);
        return;
    }
    counts->solved++;
    counts->moves += episode_moves(episode);
    counts->optimal += nlm_position_optimum(episode->position);
}

/* One group, for the team. */
static void play_part(void *context, int part, int thread)
{
    nlm_trials *trials = context;
    struct member *member = &trials->member[thread];
    if (atomic_load(&trials->failed))
        return;
    const int done = part * GROUP, count = trials->count - done < GROUP ? trials->count - done : GROUP;
    member->status = play_group(trials, member, trials->first + done, count);
    if (member->status) {
        atomic_store(&trials->failed, true);
        return;
    }
    for (int e = 0; e < count; e++)
        count_episode(&member->counts, &member->episode[e], trials->first + done + e);
}

nlm_status nlm_trials_run(nlm_trials *trials, int episodes, nlm_error *error)
{
    enum { MOST_EPISODES = 1000000 };
    if (episodes < 0 || episodes > MOST_EPISODES)
        return error_set(error, NLM_BAD_ARGUMENT, "cannot play %d episodes at a time, only 0 to %d", episodes,
                         MOST_EPISODES);
    double start = clock_seconds();
    trials->first = trials->played;
    trials->count = episodes;
    atomic_store(&trials->failed, false);
    for (int m = 0; m < trials->members; m++)
        trials->member[m].status = NLM_OK;
    team_run(trials->team, (episodes + GROUP - 1) / GROUP, play_part, trials);
    trials->seconds += clock_seconds() - start;
    trials->played += episodes;
    for (int m = 0; m < trials->members; m++)
        if (trials->member[m].status) {
            if (error)
                *error = trials->member[m].error;
            return trials->member[m].status;
        }
    return NLM_OK;
}

nlm_trials_result nlm_trials_result_of(const nlm_trials *trials)
{
    struct counts sum = {.first_failure = -1};
    for (int m = 0; m < trials->members; m++) {
        const struct counts *counts = &trials->member[m].counts;
        sum.episodes += counts->episodes;
        sum.solved += counts->solved;
        sum.returned += counts->returned;
        sum.moves += counts->moves;
        sum.optimal += counts->optimal;
        sum.first_failure = first_failure_of(sum.first_failure, counts->first_failure);
    }
    const double solved = sum.solved ? (double)sum.solved : 1;
    const bool known = nlm_position_optimum(trials->member[0].episode[0].start) >= 0;
    return (nlm_trials_result){.objects = trials->objects,
                               .episodes = (int)sum.episodes,
                               .solved = (int)sum.solved,
                               .first_failure = sum.first_failure,
                               .returned = (int)sum.returned,
                               .moves = (double)sum.moves / solved,
                               .optimal_moves = known ? (double)sum.optimal / solved : -1,
                               .seconds = trials->seconds};
}

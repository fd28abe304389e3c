#include "learn/policy_judge.h"
#include "base/error.h"

/* Users of instances (policy_teacher.h): 0 is hardening, 1 verification, the orders follow. */
enum { FRESH_USER = 1, FIRST_ORDER = 2, SET_INSTANCES = 60, MOST_UNSOLVED = 1000 };

/* ---- fresh instances ---- */

nlm_status policy_fresh_instance(struct policy_fresh *fresh, int number, struct policy_instance *instance,
                                 nlm_error *error)
{
    nlm_status status = NLM_OK;
    while (fresh->count <= number && !status) {
        struct policy_instance *made = &fresh->instance[fresh->count];
        status = policy_teacher_instance(fresh->teacher, FRESH_USER, (uint64_t)fresh->count, made, error);
        fresh->count += !status;
    }
    if (!status)
        *instance = fresh->instance[number];
    return status;
}

nlm_status policy_fresh_verify(struct policy_fresh *fresh, const struct policy_player *player,
                               nlm_position *position, int most, int *failure, int *asked, int *count,
                               nlm_error *error)
{
    nlm_status status = NLM_OK;
    *count = 0;
    for (*asked = 0; *asked < POLICY_VERIFIED && *count < most && !status; ++*asked) {
        struct policy_instance instance;
        int moves = 0;
        status = policy_fresh_instance(fresh, *asked, &instance, error);
        if (!status && instance.moves >= 0)
            status =
                policy_play(player, position, fresh->teacher->seed, instance, instance.moves, &moves, error);
        if (!status && moves < 0)
            failure[(*count)++] = *asked;
    }
    return status;
}

/* ---- the judge ---- */

/* Instances that the machine solves as well as the teacher. */
static nlm_status begin(void *context, nlm_machine *machine, nlm_error *error)
{
    struct policy_judge *judge = context;
    struct policy_teacher *teacher = judge->fresh->teacher;
    judge->begun = true;
    nlm_status status = policy_machine_init(&judge->machine, machine, &judge->options, error);
    if (!status)
        status = policy_set_init(&judge->set, teacher->game, teacher->seed, error);
    if (!status)
        status = nlm_position_new(teacher->game, &judge->position, error);
    for (int i = 0; i < MOST_UNSOLVED && judge->set.count < SET_INSTANCES && !status; i++) {
        struct policy_instance instance;
        int moves = -1;
        status = policy_teacher_instance(teacher, judge->set_user, (uint64_t)i, &instance, error);
        if (!status && instance.moves >= 0)
            status = policy_play(&judge->machine.player, judge->position, teacher->seed, instance,
                                 instance.moves, &moves, error);
        if (!status && moves >= 0)
            status = policy_set_add(&judge->set, instance, error);
    }
    return status;
}

static nlm_status test(void *context, bool *right, nlm_error *error)
{
    struct policy_judge *judge = context;
    return policy_set_test(&judge->set, &judge->machine.player, right, error);
}

static nlm_status verify(void *context, int *asked, int *count, nlm_error *error)
{
    struct policy_judge *judge = context;
    return policy_fresh_verify(judge->fresh, &judge->machine.player, judge->position, RULE_MOST_FAILURES,
                               judge->failure, asked, count, error);
}

static nlm_status knows(void *context, int failure, bool *right, nlm_error *error)
{
    struct policy_judge *judge = context;
    struct policy_instance instance;
    int moves = -1;
    nlm_status status = policy_fresh_instance(judge->fresh, judge->failure[failure], &instance, error);
    if (!status)
        status = policy_play(&judge->machine.player, judge->position, judge->fresh->teacher->seed, instance,
                             instance.moves, &moves, error);
    *right = moves >= 0;
    return status;
}

static nlm_status join(void *context, int failure, nlm_error *error)
{
    struct policy_judge *judge = context;
    struct policy_instance instance;
    const nlm_status status = policy_fresh_instance(judge->fresh, judge->failure[failure], &instance, error);
    return status ? status : policy_set_add(&judge->set, instance, error);
}

void policy_judge_init(struct policy_judge *judge, struct policy_fresh *fresh, int order,
                       const nlm_options *options)
{
    *judge = (struct policy_judge){.fresh = fresh, .set_user = FIRST_ORDER + order};
    judge->options = options ? *options : (nlm_options){0};
    judge->table = (struct elimination_judge){judge, begin, test, verify, knows, join};
}

void policy_judge_release(struct policy_judge *judge)
{
    if (!judge->begun)
        return;
    if (judge->machine.machine)
        policy_machine_release(&judge->machine);
    if (judge->set.game)
        policy_set_release(&judge->set);
    nlm_position_free(judge->position);
    *judge = (struct policy_judge){0};
}

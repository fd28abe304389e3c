#include "learn/policy_judge.h"
#include "base/error.h"

/* The first user of instances that is an order (policy_fresh.c). */
enum { FIRST_ORDER = 2, SET_INSTANCES = 60, MOST_UNSOLVED = 1000 };

/* A machine that is nearly hard fails a few instances.  Elimination is not asked about these; it often makes
 * a machine that solves them all the same, and the rules that are made of it have to. */
static nlm_status find_beyond(struct policy_judge *judge, nlm_error *error)
{
    int failure[POLICY_VERIFIED], asked, count;
    const nlm_status status = policy_fresh_verify(judge->fresh, &judge->machine.player, judge->position, NULL,
                                                  POLICY_VERIFIED, failure, &asked, &count, error);
    for (int f = 0; f < count && !status; f++)
        judge->beyond[failure[f]] = true;
    return status;
}

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
    return status ? status : find_beyond(judge, error);
}

static nlm_status test(void *context, bool *right, nlm_error *error)
{
    struct policy_judge *judge = context;
    return policy_set_test(&judge->set, &judge->machine.player, right, error);
}

static nlm_status verify(void *context, int *asked, int *count, nlm_error *error)
{
    struct policy_judge *judge = context;
    return policy_fresh_verify(judge->fresh, &judge->machine.player, judge->position, judge->beyond,
                               RULE_MOST_FAILURES, judge->failure, asked, count, error);
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

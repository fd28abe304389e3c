#include "learn/policy_fresh.h"
#include "base/error.h"

/* Of the users of instances (policy_teacher.h) 0 is hardening, 1 this, and elimination's orders follow. */
enum { FRESH_USER = 1 };

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
                               nlm_position *position, const bool *skipped, int most, int *failure,
                               int *asked, int *count, nlm_error *error)
{
    nlm_status status = NLM_OK;
    *count = 0;
    for (*asked = 0; *asked < POLICY_VERIFIED && *count < most && !status; ++*asked) {
        struct policy_instance instance;
        int moves = 0;
        status = policy_fresh_instance(fresh, *asked, &instance, error);
        if (!status && instance.moves >= 0 && !(skipped && skipped[*asked]))
            status =
                policy_play(player, position, fresh->teacher->seed, instance, instance.moves, &moves, error);
        if (!status && moves < 0)
            failure[(*count)++] = *asked;
    }
    return status;
}

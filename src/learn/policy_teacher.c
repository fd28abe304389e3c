#include "learn/policy_teacher.h"
#include "base/error.h"

/* Numbers of instances: training would have to draw as many to meet the first; tests begin at
 * NLM_TEST_INSTANCES, far behind. */
#define FIRST_INSTANCE ((uint64_t)1 << 38)
#define INSTANCES_OF_A_USER ((uint64_t)1 << 28)

enum { LARGE_EVERY = 10, LARGE_FACTOR = 2 };

/* One of ten instances is larger: of these every other one of twice the size of the last lesson, and the
 * others as large as those of the larger test. */
static int objects_of(const struct policy_teacher *teacher, uint64_t number)
{
    const uint64_t sizes = (uint64_t)(teacher->most - teacher->least + 1);
    const uint64_t group = number / LARGE_EVERY, place = number % LARGE_EVERY;
    if (place == LARGE_EVERY - 1)
        return group % 2 ? LARGE_FACTOR * teacher->most : teacher->large;
    return teacher->least + (int)((group * (LARGE_EVERY - 1) + place) % sizes);
}

nlm_status policy_teacher_init(struct policy_teacher *teacher, nlm_machine *trained,
                               const nlm_settings *settings, const nlm_options *options, nlm_error *error)
{
    *teacher = (struct policy_teacher){
        .game = settings->game,
        .seed = settings->seed,
        .least = settings->first_lesson,
        .most = settings->last_lesson,
        .large = settings->game->test_objects[1],
    };
    nlm_status status = policy_machine_init(&teacher->machine, trained, options, error);
    return status ? status : nlm_position_new(settings->game, &teacher->position, error);
}

void policy_teacher_release(struct policy_teacher *teacher)
{
    if (teacher->machine.machine)
        policy_machine_release(&teacher->machine);
    nlm_position_free(teacher->position);
    *teacher = (struct policy_teacher){0};
}

nlm_status policy_teacher_instance(struct policy_teacher *teacher, int user, uint64_t number,
                                   struct policy_instance *instance, nlm_error *error)
{
    *instance = (struct policy_instance){
        .index = FIRST_INSTANCE + (uint64_t)user * INSTANCES_OF_A_USER + number,
        .objects = objects_of(teacher, number),
    };
    return policy_play(&teacher->machine.player, teacher->position, teacher->seed, *instance, 0,
                       &instance->moves, error);
}

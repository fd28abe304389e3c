#include "learn/count_classes.h"
#include "infer/seen_classes.h"
#include "learn/rule_worlds.h"
#include "machine/evaluator.h"
#include "structure/tuple_names.h"

#define MOST_BYTES 1e9 /* of the names of a world */

static nlm_status count_world(seen_classes *seen, nlm_evaluator *evaluator, const nlm_world *world,
                              bool *counted, nlm_error *error)
{
    if (tuple_names_memory(&evaluator->machine->plan, nlm_world_objects(world)) > MOST_BYTES) {
        *counted = false;
        return NLM_OK;
    }
    nlm_evaluator_clear(evaluator);
    nlm_status status = nlm_evaluator_add(evaluator, world, error);
    if (!status)
        status = nlm_evaluator_run(evaluator, false, error);
    return status ? status : seen_classes_count(seen, evaluator, world, error);
}

nlm_status count_classes(nlm_machine *machine, const nlm_settings *settings, const nlm_options *options,
                         char **text, nlm_error *error)
{
    struct rule_worlds worlds = {0};
    seen_classes *seen;
    nlm_evaluator *evaluator = NULL;
    bool counted = true;
    *text = NULL;
    nlm_status status = seen_classes_new(machine, &seen, error);
    if (status || !seen)
        return status;
    status = rule_worlds_init(&worlds, settings, RULE_MOST_USERS - 1, error);
    if (!status)
        status = nlm_evaluator_new(machine, options, &evaluator, error);
    const int all = status ? 0 : rule_worlds_examples(&worlds);
    for (int i = 0; i < all && counted && !status; i++) {
        const nlm_world *world;
        uint64_t number;
        int objects;
        status = rule_worlds_example(&worlds, i, &number, &objects, &world, error);
        if (!status && nlm_world_objects(world) > 0)
            status = count_world(seen, evaluator, world, &counted, error);
    }
    if (!status && counted)
        status = seen_classes_text(seen, text, error);
    nlm_evaluator_free(evaluator);
    rule_worlds_release(&worlds);
    seen_classes_free(seen);
    return status;
}

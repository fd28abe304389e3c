#include "learn/count_rows.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

enum { BATCH = 20, KEPT_BYTES = 1 << 26 };

/* As it is once it was written and read: then its units have the order that a reader of the file finds. */
static nlm_status as_written(const nlm_program *program, const nlm_signature *signature, nlm_program **read,
                             nlm_error *error)
{
    char *text = NULL;
    nlm_status status = nlm_program_text(program, NLM_PROLOG, &text, error);
    if (!status)
        status = nlm_program_parse(text, strlen(text), "the program",
                                   &(nlm_program_reading){.signature = signature, .false_targets = true},
                                   read, error);
    free(text);
    return status;
}

static nlm_status count_batch(rows *of, struct rule_worlds *worlds, int first, int count, nlm_error *error)
{
    truth *group;
    nlm_status status = truth_new(rows_program(of), KEPT_BYTES, &group, error);
    for (int i = 0; i < count && !status; i++) {
        const nlm_world *world;
        uint64_t number;
        int objects;
        status = rule_worlds_example(worlds, first + i, &number, &objects, &world, error);
        if (!status && nlm_world_objects(world) > 0)
            status = truth_add_world(group, world, error);
    }
    if (!status)
        status = rows_count(of, group, error);
    truth_free(group);
    return status;
}

nlm_status count_rows(const nlm_program *program, const nlm_signature *signature, struct rule_worlds *worlds,
                      rows **made, nlm_error *error)
{
    nlm_program *read = NULL;
    const int all = rule_worlds_examples(worlds);
    *made = NULL;
    nlm_status status = as_written(program, signature, &read, error);
    if (!status)
        status = rows_new(read, made, error);
    for (int first = 0; first < all && *made && !status; first += BATCH)
        status = count_batch(*made, worlds, first, all - first < BATCH ? all - first : BATCH, error);
    if (*made)
        rows_add_worlds(*made, all);
    nlm_program_free(read);
    if (status) {
        rows_free(*made);
        *made = NULL;
    }
    return status;
}

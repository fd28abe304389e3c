/* Whether two programs say the same, in random worlds. */
#ifndef TESTS_LOGIC_PROGRAMS_AGREE_H
#define TESTS_LOGIC_PROGRAMS_AGREE_H

#include <string.h>
#include "random_program.h"
#include "test.h"

static inline void program_values(const nlm_program *program, const nlm_world *world, int target,
                                  signed char *values)
{
    CHECK(nlm_program_evaluate(program, world, target, values, &check_error));
}

/* Both in the same worlds, which have the inputs of the first. */
static inline bool programs_agree(random_choices *from, const nlm_program *a, const nlm_program *b,
                                  int worlds)
{
    enum { MOST = 6 * 6 * 6 * 6 * 6 };
    static signed char one[MOST], other[MOST];
    bool agree = a->target_count == b->target_count;
    for (int w = 0; w < worlds && agree; w++) {
        const int objects = 1 + random_below(from, 6);
        nlm_world *world = random_world(from, a, objects, 100 / (1 + random_below(from, 4)));
        assert_non_null(world);
        for (int t = 0; t < a->target_count && agree; t++) {
            const int arity = program_at(a, a->target[t])->arity;
            agree = arity == program_at(b, b->target[t])->arity;
            if (!agree)
                break;
            program_values(a, world, t, one);
            program_values(b, world, t, other);
            agree = !memcmp(one, other, nlm_tuple_count(objects, arity));
        }
        nlm_world_free(world);
    }
    return agree;
}

#endif

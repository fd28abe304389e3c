/* For the tests of families: the facts of a world as tables. */
#ifndef TESTS_TASK_FAMILIES_H
#define TESTS_TASK_FAMILIES_H

#include "worlds.h"

typedef struct family_tables {
    int people;
    table father, mother, son, daughter;
} family_tables;

static inline void read_family(const nlm_world *world, family_tables *family)
{
    family->people = nlm_world_objects(world);
    read_facts(world, "father", 2, &family->father);
    read_facts(world, "mother", 2, &family->mother);
    read_facts(world, "son", 2, &family->son);
    read_facts(world, "daughter", 2, &family->daughter);
}

static inline bool is_parent(const family_tables *family, int x, int y)
{
    return family->father.at[x][y] || family->mother.at[x][y];
}

static inline size_t count_labels(const nlm_world *world, const char *task)
{
    const nlm_task *of = task_called(task);
    return nlm_world_labels(world, nlm_world_find_target(world, of->target, of->arity), NULL, NULL, NULL);
}

#endif

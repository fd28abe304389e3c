/* Small families: one way to grow them, told in the relations that each task gives, and oracles.
 *
 * The oracles read the world's facts and nothing else.  What they label is the least model of
 *
 *     son(X,Y) :- father(Y,X), male(X).      male(X) :- brother(X,Z).       male(X) :- father(X,Z).
 *     grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
 *                                            parent(X,Y) :- father(X,Y).    parent(X,Y) :- mother(X,Y).
 *     husband(X,Y) :- father(X,Z), daughter(Z,Y).
 *     uncle(X,Y) :- brother(X,Z), parent(Z,Y).   with the same two clauses for parent
 *     related(X,Y) :- link(X,Y).             related(X,Y) :- related(X,Z), related(Z,Y).
 *                                            link(X,Y) :- parent(X,Y).      link(X,Y) :- parent(Y,X).
 *     father(X,Y) :- husband(X,Z), mother(Z,Y).
 *
 * but for husband(X,X) and related(X,X).  So it is the facts that count: a couple whose children are all sons
 * is not known to husband, nor a son without siblings and children to son. */
#include "task/ilp_family.h"

#include <stdbool.h>
#include "task/relation.h"
#include "task/walk.h"
#include "world/world.h"

/* ---- growing ---- */

enum { NOBODY = -1 };

typedef struct kin {
    int people;
    int *order;           /* people by birth */
    int *father, *mother; /* by person; NOBODY of the first couple and of who married into the family */
    int *spouse;          /* by person */
    int *woman;           /* by person: whether */
    int *husbands;        /* one of every couple of the family that is growing */
    int *singles;         /* its children who have not married */
    int couples, unmarried;
} kin;

static nlm_status kin_start(kin *k, nlm_world *world, random_stream *random, nlm_error *error)
{
    size_t people = (size_t)nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, 7 * people * sizeof(int), &block, error);
    if (status)
        return status;
    int *memory = block;
    int **parts[] = {&k->order, &k->father, &k->mother, &k->spouse, &k->woman, &k->husbands, &k->singles};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        *parts[part] = memory + part * people;
    k->people = (int)people;
    for (int person = 0; person < k->people; person++) {
        k->order[person] = person;
        k->father[person] = k->mother[person] = k->spouse[person] = NOBODY;
        k->woman[person] = (int)random_below(random, 2);
    }
    random_shuffle(random, k->order, k->people);
    return NLM_OK;
}

/* Whoever comes from outside is of the other sex. */
static void marry(kin *k, int person, int outsider)
{
    k->woman[outsider] = !k->woman[person];
    k->spouse[person] = outsider;
    k->spouse[outsider] = person;
    k->husbands[k->couples++] = k->woman[person] ? outsider : person;
}

static void be_born(kin *k, int child, int father)
{
    k->father[child] = father;
    k->mother[child] = k->spouse[father];
    k->singles[k->unmarried++] = child;
}

/* A family of order[first] .. order[end - 1].  Three in ten marry into it. */
static void grow(kin *k, int first, int end, random_stream *random)
{
    k->couples = k->unmarried = 0;
    if (first + 1 < end)
        marry(k, k->order[first], k->order[first + 1]);
    for (int born = first + 2; born < end; born++) {
        bool marries = random_below(random, 10) < 3;
        if (marries && k->unmarried > 0) {
            int at = (int)random_below(random, (uint32_t)k->unmarried);
            int person = k->singles[at];
            k->singles[at] = k->singles[--k->unmarried];
            marry(k, person, k->order[born]);
        } else {
            be_born(k, k->order[born], k->husbands[random_below(random, (uint32_t)k->couples)]);
        }
    }
}

/* ---- telling ---- */

typedef enum relative { FATHER, MOTHER, PARENT, BROTHER, SISTER, DAUGHTER, HUSBAND, AUNT } relative;

static bool are_siblings(const kin *k, int x, int y)
{
    return x != y && k->father[x] != NOBODY && k->father[x] == k->father[y];
}

/* One parent of y came from outside, so x is a sister of at most one of them. */
static bool is_aunt(const kin *k, int x, int y)
{
    return k->woman[x] && k->father[y] != NOBODY &&
           (are_siblings(k, x, k->father[y]) || are_siblings(k, x, k->mother[y]));
}

static bool is_relative(const kin *k, relative as, int x, int y)
{
    switch (as) {
    case FATHER:
        return k->father[y] == x;
    case MOTHER:
        return k->mother[y] == x;
    case PARENT:
        return k->father[y] == x || k->mother[y] == x;
    case BROTHER:
        return !k->woman[x] && are_siblings(k, x, y);
    case SISTER:
        return k->woman[x] && are_siblings(k, x, y);
    case DAUGHTER:
        return k->woman[x] && (k->father[x] == y || k->mother[x] == y);
    case HUSBAND:
        return !k->woman[x] && k->spouse[x] == y;
    case AUNT:
        return is_aunt(k, x, y);
    }
    return false;
}

/* All facts of the world's predicates, predicate p being relations[p]. */
static nlm_status tell(const kin *k, const relative *relations, nlm_world *world, nlm_error *error)
{
    for (int predicate = 0; predicate < nlm_world_predicates(world); predicate++)
        for (int x = 0; x < k->people; x++)
            for (int y = 0; y < k->people; y++) {
                const int tuple[] = {x, y};
                if (!is_relative(k, relations[predicate], x, y))
                    continue;
                nlm_status status = nlm_world_add_fact(world, predicate, tuple, 1, error);
                if (status)
                    return status;
            }
    return NLM_OK;
}

static nlm_status one_family(nlm_world *world, const relative *relations, random_stream *random,
                             nlm_error *error)
{
    kin k;
    nlm_status status = kin_start(&k, world, random, error);
    if (status)
        return status;
    grow(&k, 0, k.people, random);
    return tell(&k, relations, world, error);
}

nlm_status ilp_family_generate_son(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_SON_PREDICATES] = {FATHER, BROTHER, SISTER};
    return one_family(world, relations, random, error);
}

nlm_status ilp_family_generate_grandparent(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_GRANDPARENT_PREDICATES] = {FATHER, MOTHER};
    return one_family(world, relations, random, error);
}

nlm_status ilp_family_generate_husband(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_HUSBAND_PREDICATES] = {FATHER, DAUGHTER, BROTHER};
    return one_family(world, relations, random, error);
}

nlm_status ilp_family_generate_uncle(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_UNCLE_PREDICATES] = {FATHER, MOTHER, BROTHER};
    return one_family(world, relations, random, error);
}

nlm_status ilp_family_generate_father(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_FATHER_PREDICATES] = {HUSBAND, MOTHER, BROTHER, AUNT};
    return one_family(world, relations, random, error);
}

/* Each family has at least a third of the people. */
nlm_status ilp_family_generate_related(nlm_world *world, random_stream *random, nlm_error *error)
{
    static const relative relations[ILP_RELATED_PREDICATES] = {PARENT};
    kin k;
    nlm_status status = kin_start(&k, world, random, error);
    if (status)
        return status;
    int third = k.people / 3;
    int cut = third + (int)random_below(random, (uint32_t)(k.people - 2 * third + 1));
    grow(&k, 0, cut, random);
    grow(&k, cut, k.people, random);
    return tell(&k, relations, world, error);
}

nlm_status ilp_family_depth(nlm_world *world, int *depth, nlm_error *error)
{
    static const char *const lines[] = {"father", "mother", "parent"};
    int predicates[3], count = 0;
    for (int line = 0; line < 3; line++) {
        int predicate = nlm_world_find_predicate(world, lines[line], 2);
        if (predicate >= 0)
            predicates[count++] = predicate;
    }
    return walk_longest(world, predicates, count, depth, error);
}

/* ---- oracles ---- */

enum { MAX_RELATIONS = ILP_FATHER_PREDICATES };

/* Two steps from x to y, one set of relations each. */
static const struct path {
    int predicates;
    unsigned relations[2]; /* bit k: predicate k may be followed */
} PATHS[] = {
    [ILP_FAMILY_GRANDPARENT] = {ILP_GRANDPARENT_PREDICATES,
                                {1u << ILP_GRANDPARENT_FATHER | 1u << ILP_GRANDPARENT_MOTHER,
                                 1u << ILP_GRANDPARENT_FATHER | 1u << ILP_GRANDPARENT_MOTHER}},
    [ILP_FAMILY_HUSBAND] = {ILP_HUSBAND_PREDICATES, {1u << ILP_HUSBAND_FATHER, 1u << ILP_HUSBAND_DAUGHTER}},
    [ILP_FAMILY_UNCLE] = {ILP_UNCLE_PREDICATES,
                          {1u << ILP_UNCLE_BROTHER, 1u << ILP_UNCLE_FATHER | 1u << ILP_UNCLE_MOTHER}},
    [ILP_FAMILY_FATHER] = {ILP_FATHER_PREDICATES, {1u << ILP_FATHER_HUSBAND, 1u << ILP_FATHER_MOTHER}},
};

/* Label (x, y) for all y that are not x. */
static nlm_status label_others(nlm_world *world, int target, int x, const int *reached, int count,
                               nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < count && !status; i++)
        if (reached[i] != x)
            status = relation_label_pair(world, target, x, reached[i], error);
    return status;
}

nlm_status ilp_family_label_path(nlm_world *world, const int *predicates, int question, int target,
                                 nlm_error *error)
{
    const struct path *path = &PATHS[question];
    int people = nlm_world_objects(world);
    relation relations[MAX_RELATIONS];
    int *seen;
    nlm_status status =
        relations_read(world, predicates, path->predicates, relations, 3 * (size_t)people, &seen, error);
    if (status)
        return status;
    int *between = seen + people, *reached = between + people;
    for (int x = 0; x < people && !status; x++) {
        int count = walk_step(relations, path->relations[0], &x, 1, between, seen, 2 * x + 1);
        count = walk_step(relations, path->relations[1], between, count, reached, seen, 2 * x + 2);
        status = label_others(world, target, x, reached, count, error);
    }
    return status;
}

nlm_status ilp_family_label_son(nlm_world *world, const int *predicates, int unused, int target,
                                nlm_error *error)
{
    (void)unused;
    relation relations[2];
    int *spare;
    const int read[] = {predicates[ILP_SON_FATHER], predicates[ILP_SON_BROTHER]};
    nlm_status status = relations_read(world, read, 2, relations, 0, &spare, error);
    if (status)
        return status;
    const int *fathers = relations[0].starts, *brothers = relations[1].starts;
    for (int y = 0; y < nlm_world_objects(world) && !status; y++)
        for (int at = fathers[y]; at < fathers[y + 1] && !status; at++) {
            int x = relations[0].items[at];
            if (fathers[x] < fathers[x + 1] || brothers[x] < brothers[x + 1])
                status = relation_label_pair(world, target, x, y, error);
        }
    return status;
}

nlm_status ilp_family_label_related(nlm_world *world, const int *predicates, int unused, int target,
                                    nlm_error *error)
{
    (void)unused;
    int people = nlm_world_objects(world);
    size_t reversed = (size_t)people + 1 + nlm_world_facts(world, predicates[ILP_RELATED_PARENT], NULL, NULL);
    relation links[2]; /* to children, to parents */
    int *seen;
    nlm_status status = relations_read(world, &predicates[ILP_RELATED_PARENT], 1, links,
                                       2 * (size_t)people + reversed, &seen, error);
    if (status)
        return status;
    int *reached = seen + people;
    relation_reverse(&links[0], people, reached + people, &links[1]);
    for (int x = 0; x < people && !status; x++) {
        int farthest, count = walk_reach(links, 3, x, people, reached, seen, &farthest);
        status = label_others(world, target, x, reached, count, error);
    }
    return status;
}

/* A family grows person by person; facts are told as it grows, or at its end. */
#include "task/family_tree.h"
#include <string.h>
#include "world/world.h"

/* ---- people ---- */

enum { MAN, WOMAN, GENDERS };
enum { NOBODY = -1 };

/* A family as it grows. */
typedef struct family {
    int people;
    int *order;           /* people by birth */
    int *father, *mother; /* by person; NOBODY of who came from outside */
    int *second_father;   /* by person; NOBODY of most; rich families only, as what follows */
    int *second_mother;
    int *spouse;   /* by person */
    int *woman;    /* by person: whether; small and rich families only */
    int *children; /* by person: how many; rich families only */
    int *husbands; /* one of every couple */
    int couples;
    int *singles[GENDERS]; /* who have not married; small families do not tell them apart */
    int single_count[GENDERS];
} family;

static nlm_status family_start(family *f, nlm_world *world, nlm_error *error)
{
    size_t people = (size_t)nlm_world_objects(world);
    void *block;
    nlm_status status = world_scratch(world, 11 * people * sizeof(int), &block, error);
    if (status)
        return status;
    *f = (family){.people = (int)people};
    int **parts[] = {&f->order,          &f->father,        &f->mother,       &f->spouse,
                     &f->woman,          &f->children,      &f->husbands,     &f->singles[MAN],
                     &f->singles[WOMAN], &f->second_father, &f->second_mother};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        *parts[part] = (int *)block + part * people;
    for (int person = 0; person < f->people; person++) {
        f->order[person] = person;
        f->father[person] = f->mother[person] = f->spouse[person] = NOBODY;
        f->second_father[person] = f->second_mother[person] = NOBODY;
        f->children[person] = 0;
    }
    return NLM_OK;
}

static void marry(family *f, int husband, int wife)
{
    f->spouse[husband] = wife;
    f->spouse[wife] = husband;
    f->husbands[f->couples++] = husband;
}

static int take_single(family *f, int gender, int at)
{
    int *singles = f->singles[gender], person = singles[at];
    singles[at] = singles[--f->single_count[gender]];
    return person;
}

/* By either parent; couples for life have the same children. */
static bool are_siblings(const family *f, int a, int b)
{
    if (a == b || a == NOBODY || b == NOBODY)
        return false;
    return (f->father[a] != NOBODY && f->father[a] == f->father[b]) ||
           (f->mother[a] != NOBODY && f->mother[a] == f->mother[b]);
}

/* ---- a family that grows on a timeline ---- */

/* Parent and child, siblings, uncle and niece, aunt and nephew, or cousins. */
static bool closely_related(const family *f, int a, int b)
{
    const int parents_a[] = {f->father[a], f->mother[a]}, parents_b[] = {f->father[b], f->mother[b]};
    bool related = are_siblings(f, a, b);
    for (int i = 0; i < 2; i++) {
        related = related || parents_a[i] == b || parents_b[i] == a;
        related = related || are_siblings(f, parents_a[i], b) || are_siblings(f, a, parents_b[i]);
        for (int j = 0; j < 2; j++)
            related = related || are_siblings(f, parents_a[i], parents_b[j]);
    }
    return related;
}

/* One man and one woman are drawn; if they may not marry, nobody does this time.  Close relatives may not,
 * but where it is the custom. */
static void marry_somebody(family *f, bool relatives, random_stream *random)
{
    if (f->single_count[MAN] == 0 || f->single_count[WOMAN] == 0)
        return;
    int at_man = (int)random_below(random, (uint32_t)f->single_count[MAN]);
    int at_woman = (int)random_below(random, (uint32_t)f->single_count[WOMAN]);
    if (relatives || !closely_related(f, f->singles[MAN][at_man], f->singles[WOMAN][at_woman])) {
        int husband = take_single(f, MAN, at_man);
        marry(f, husband, take_single(f, WOMAN, at_woman));
    }
}

/* Either parent may be NOBODY; of a child of unknown gender (GENDERS) only the parents are told. */
static nlm_status add_child(nlm_world *world, int child, int gender, int father, int mother, nlm_error *error)
{
    const int child_is = gender == MAN ? SON : DAUGHTER, predicates[] = {FATHER, MOTHER, child_is, child_is};
    const int tuples[][2] = {{child, father}, {child, mother}, {father, child}, {mother, child}};
    const int known[] = {father, mother, father, mother};
    nlm_status status = NLM_OK;
    for (int fact = 0; fact < (gender == GENDERS ? 2 : 4) && !status; fact++)
        if (known[fact] != NOBODY)
            status = nlm_world_add_fact(world, predicates[fact], tuples[fact], 1, error);
    return status;
}

nlm_status family_generate(nlm_world *world, random_stream *random, nlm_error *error)
{
    family f;
    nlm_status status = family_start(&f, world, error);
    if (status)
        return status;
    random_shuffle(random, f.order, f.people);
    for (int born = 0; born < f.people && !status; born++) {
        int person = f.order[born];
        int gender = (int)random_below(random, GENDERS);
        int parents = (int)random_below(random, (uint32_t)f.couples + 1);
        if (parents < f.couples) { /* the one choice more is: none */
            f.father[person] = f.husbands[parents];
            f.mother[person] = f.spouse[f.husbands[parents]];
            status = add_child(world, person, gender, f.father[person], f.mother[person], error);
        }
        f.singles[gender][f.single_count[gender]++] = person;
        marry_somebody(&f, false, random);
    }
    return status;
}

/* ---- rich families ----
 *
 * Growth as above, with customs that are drawn for each family, then facts are forgotten.  What each custom
 * is there for is a coincidence that holds in all families of the paper, so that a rule may rest on it:
 *
 *     unknown[FATHER], unknown[MOTHER]  a father is known where a mother is; who has a grandfather has a
 *                                       grandmother; a daughter of x's mother is one of x's father
 *     partings, unmarried               siblings have both parents in common: sister and full sister, son
 *                                       of the father and son of the mother, uncle by either grandparent;
 *                                       who has children with x has them with nobody else
 *     unknown_sex                       a child is a son or a daughter: parent and the reverse of son or
 *                                       daughter; who is a child and no daughter is a son
 *     unknown_parent_sex                a father who has parents is a son: son of a grandparent and father
 *     untold                            who is a son of one parent is one of the other: son of a grandparent,
 *                                       and child of a grandparent and anybody's son
 *     merged                            who has a father has no other: y is x's father or no father of x, son
 *                                       of x's father or of another man; siblings have the same parents as
 *                                       soon as they share one
 *     relatives                         x's parents have no parent or grandparent in common: nobody is an
 *                                       uncle by father and mother, a father and an uncle, or related in two
 *                                       generations
 *     lone                              everybody beyond the first generation has a relative
 *     line                              long lines of ancestors are rare where people are few
 *
 * One family in four is the paper's. */

typedef struct customs {
    int lone; /* people whom the facts do not mention */
    /* in per cent */
    uint32_t partings;            /* of births after which a couple separates; both may marry again */
    uint32_t unmarried;           /* of births: the parents are any two people, or one of them is not known */
    uint32_t line;                /* of births: of the one born before */
    uint32_t unknown[MOTHER + 1]; /* of people: the father, the mother */
    uint32_t unknown_sex;         /* of people without children */
    uint32_t unknown_parent_sex;  /* of people with children: whose son or daughter they are is not told */
    uint32_t untold;              /* of sons and daughters: that they are is not told of this parent */
    uint32_t merged;              /* of people: the record of somebody else was taken for theirs */
    bool relatives;               /* may marry */
} customs;

static bool happens(random_stream *random, uint32_t percent)
{
    return random_below(random, 100) < percent;
}

/* None in every second family. */
static uint32_t draw_percent(random_stream *random, uint32_t most)
{
    return random_below(random, 2) ? 1 + random_below(random, most) : 0;
}

static customs draw_customs(int people, random_stream *random)
{
    customs c = {.partings = draw_percent(random, 50),
                 .unmarried = draw_percent(random, 50),
                 .line = draw_percent(random, 80)};
    c.unknown[FATHER] = draw_percent(random, 40);
    c.unknown[MOTHER] = draw_percent(random, 40);
    c.unknown_sex = draw_percent(random, 60);
    c.unknown_parent_sex = draw_percent(random, 40);
    c.untold = draw_percent(random, 40);
    c.merged = draw_percent(random, 40);
    c.relatives = random_below(random, 4) == 0;
    c.lone = (int)(draw_percent(random, 30) * (uint32_t)people / 100);
    return c;
}

/* The gender of a parent tells which one it is. */
static void have_parent(family *f, int child, int parent)
{
    (f->woman[parent] ? f->mother : f->father)[child] = parent;
}

static void choose_parents(family *f, const customs *c, int born, random_stream *random)
{
    const int person = f->order[born];
    if (born > 0 && happens(random, c->line)) {
        const int parent = f->order[born - 1];
        have_parent(f, person, parent);
        if (f->spouse[parent] != NOBODY)
            have_parent(f, person, f->spouse[parent]);
    } else if (born > 0 && happens(random, c->unmarried)) {
        for (int parent = 0; parent < 2; parent++)
            have_parent(f, person, f->order[random_below(random, (uint32_t)born)]);
    } else {
        const int parents = (int)random_below(random, (uint32_t)f->couples + 1);
        if (parents < f->couples) { /* the one choice more is: none */
            f->father[person] = f->husbands[parents];
            f->mother[person] = f->spouse[f->husbands[parents]];
        }
    }
}

static void part_somebody(family *f, random_stream *random)
{
    if (f->couples == 0)
        return;
    const int at = (int)random_below(random, (uint32_t)f->couples);
    const int husband = f->husbands[at], couple[GENDERS] = {husband, f->spouse[husband]};
    f->husbands[at] = f->husbands[--f->couples];
    for (int gender = MAN; gender <= WOMAN; gender++) {
        f->spouse[couple[gender]] = NOBODY;
        f->singles[gender][f->single_count[gender]++] = couple[gender];
    }
}

static void forget_parents(family *f, const customs *c, int born, random_stream *random)
{
    for (int at = 0; at < born; at++) {
        if (happens(random, c->unknown[FATHER]))
            f->father[f->order[at]] = NOBODY;
        if (happens(random, c->unknown[MOTHER]))
            f->mother[f->order[at]] = NOBODY;
    }
}

/* As in real genealogies, where two people of one name became one: somebody also has the parents of somebody
 * born before, so that nobody is their own ancestor. */
static void merge_records(family *f, const customs *c, int born, random_stream *random)
{
    for (int at = 1; at < born; at++) {
        if (!happens(random, c->merged))
            continue;
        const int person = f->order[at], other = f->order[random_below(random, (uint32_t)at)];
        if (f->father[other] != f->father[person])
            f->second_father[person] = f->father[other];
        if (f->mother[other] != f->mother[person])
            f->second_mother[person] = f->mother[other];
    }
}

static void count_children(family *f)
{
    const int *const parents[] = {f->father, f->mother, f->second_father, f->second_mother};
    for (int kind = 0; kind < 4; kind++)
        for (int person = 0; person < f->people; person++)
            if (parents[kind][person] != NOBODY)
                f->children[parents[kind][person]]++;
}

/* What is not known is left out. */
static nlm_status tell_family(const family *f, const customs *c, int born, nlm_world *world,
                              random_stream *random, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int at = 0; at < born && !status; at++) {
        const int person = f->order[at];
        const bool unknown =
            happens(random, f->children[person] > 0 ? c->unknown_parent_sex : c->unknown_sex);
        const int fathers[] = {f->father[person], f->second_father[person], NOBODY, NOBODY};
        const int mothers[] = {NOBODY, NOBODY, f->mother[person], f->second_mother[person]};
        for (int parent = 0; parent < 4 && !status; parent++) {
            const int gender = unknown || happens(random, c->untold) ? GENDERS : f->woman[person];
            status = add_child(world, person, gender, fathers[parent], mothers[parent], error);
        }
    }
    return status;
}

nlm_status family_generate_rich(nlm_world *world, random_stream *random, nlm_error *error)
{
    family f;
    if (random_below(random, 4) == 0)
        return family_generate(world, random, error);
    nlm_status status = family_start(&f, world, error);
    if (status)
        return status;
    const customs c = draw_customs(f.people, random);
    const int born = f.people - c.lone;
    random_shuffle(random, f.order, f.people);
    for (int at = 0; at < born; at++) {
        const int person = f.order[at], gender = (int)random_below(random, GENDERS);
        f.woman[person] = gender == WOMAN;
        choose_parents(&f, &c, at, random);
        f.singles[gender][f.single_count[gender]++] = person;
        marry_somebody(&f, c.relatives, random);
        if (happens(random, c.partings))
            part_somebody(&f, random);
    }
    forget_parents(&f, &c, born, random);
    merge_records(&f, &c, born, random);
    count_children(&f);
    return tell_family(&f, &c, born, world, random, error);
}

/* ---- small families ----
 *
 * A family grows from one couple: somebody new is a child of one of its couples, or marries one of its
 * children. */

enum relative { IS_FATHER, IS_MOTHER, IS_PARENT, IS_BROTHER, IS_SISTER, IS_DAUGHTER, IS_HUSBAND, IS_AUNT };

/* By enum relative. */
static const char *const RELATIVES[] = {"father", "mother",   "parent",  "brother",
                                        "sister", "daughter", "husband", "aunt"};

/* Whoever comes from outside is of the other sex. */
static void marry_outsider(family *f, int person, int outsider)
{
    f->woman[outsider] = !f->woman[person];
    if (f->woman[person])
        marry(f, outsider, person);
    else
        marry(f, person, outsider);
}

/* A family of order[first] .. order[end - 1].  Three in ten marry into it. */
static void grow(family *f, int first, int end, random_stream *random)
{
    f->couples = f->single_count[0] = 0;
    if (first + 1 < end)
        marry_outsider(f, f->order[first], f->order[first + 1]);
    for (int born = first + 2; born < end; born++) {
        const int person = f->order[born];
        if (random_below(random, 10) < 3 && f->single_count[0] > 0) {
            int at = (int)random_below(random, (uint32_t)f->single_count[0]);
            marry_outsider(f, take_single(f, 0, at), person);
        } else {
            f->father[person] = f->husbands[random_below(random, (uint32_t)f->couples)];
            f->mother[person] = f->spouse[f->father[person]];
            f->singles[0][f->single_count[0]++] = person;
        }
    }
}

static bool is_relative(const family *f, int as, int x, int y)
{
    switch (as) {
    case IS_FATHER:
        return f->father[y] == x;
    case IS_MOTHER:
        return f->mother[y] == x;
    case IS_PARENT:
        return f->father[y] == x || f->mother[y] == x;
    case IS_BROTHER:
        return !f->woman[x] && are_siblings(f, x, y);
    case IS_SISTER:
        return f->woman[x] && are_siblings(f, x, y);
    case IS_DAUGHTER:
        return f->woman[x] && (f->father[x] == y || f->mother[x] == y);
    case IS_HUSBAND:
        return !f->woman[x] && f->spouse[x] == y;
    default: /* an aunt; one parent of y came from outside, so x is a sister of at most one of them */
        return f->woman[x] && f->father[y] != NOBODY &&
               (are_siblings(f, x, f->father[y]) || are_siblings(f, x, f->mother[y]));
    }
}

nlm_status family_generate_small(nlm_world *world, random_stream *random, nlm_error *error)
{
    family f;
    nlm_status status = family_start(&f, world, error);
    if (status)
        return status;
    for (int person = 0; person < f.people; person++)
        f.woman[person] = (int)random_below(random, 2);
    random_shuffle(random, f.order, f.people);
    int cut = 0;
    if (nlm_world_find_predicate(world, "parent", 2) >= 0) {
        int third = f.people / 3;
        cut = third + (int)random_below(random, (uint32_t)(f.people - 2 * third + 1));
        grow(&f, 0, cut, random);
    }
    grow(&f, cut, f.people, random);
    for (int predicate = 0; predicate < nlm_world_predicates(world); predicate++) {
        int as = 0;
        while (strcmp(RELATIVES[as], nlm_world_predicate_name(world, predicate)) != 0)
            as++;
        for (int x = 0; x < f.people; x++)
            for (int y = 0; y < f.people && !status; y++) {
                const int tuple[] = {x, y};
                if (is_relative(&f, as, x, y))
                    status = nlm_world_add_fact(world, predicate, tuple, 1, error);
            }
    }
    return status;
}

/* What the tests of PDDL share: domains and problems as texts. */
#ifndef TESTS_PDDL_PROBLEMS_H
#define TESTS_PDDL_PROBLEMS_H

#include "test.h"

#include "nlm/nlm.h"

/* Four blocks, a on b on the table, c and d beside; to be d on c on b, a wherever. */
#define FOUR_FACTS "(handempty) (ontable b) (on a b) (clear a) (ontable c) (clear c) (ontable d) (clear d)"
#define PROBLEM(facts, goal)                                                                                 \
    "(define (problem p)\n(:domain blocks)\n(:objects a b c d)\n(:init " facts ")\n(:goal " goal "))\n"
#define FOUR PROBLEM(FOUR_FACTS, "(and (on d c) (on c b))")

/* One operator, with and without a table among the objects. */
#define MOVE_DOMAIN                                                                                          \
    "(define (domain moves) (:requirements :strips :equality)\n"                                             \
    "(:predicates (on ?x ?y) (on-table ?x) (clear ?x))\n"                                                    \
    "(:action to-block :parameters (?x ?z ?y) :precondition (and (on ?x ?z) (clear ?x) (clear ?y)\n"         \
    " (not (= ?x ?y))) :effect (and (on ?x ?y) (not (on ?x ?z)) (clear ?z) (not (clear ?y))))\n"             \
    "(:action from-table :parameters (?x ?y) :precondition (and (on-table ?x) (clear ?x) (clear ?y)\n"       \
    " (not (= ?x ?y))) :effect (and (on ?x ?y) (not (on-table ?x)) (not (clear ?y))))\n"                     \
    "(:action to-table :parameters (?x ?z) :precondition (and (on ?x ?z) (clear ?x))\n"                      \
    " :effect (and (on-table ?x) (not (on ?x ?z)) (clear ?z))))\n"

#define PUTON_DOMAIN                                                                                         \
    "(define (domain puton) (:requirements :adl) (:constants Table)\n"                                       \
    "(:predicates (on ?x ?y) (clear ?x))\n"                                                                  \
    "(:action puton :parameters (?x ?y ?z)\n"                                                                \
    " :precondition (and (on ?x ?z) (clear ?x) (clear ?y) (not (= ?y ?z)) (not (= ?x ?z))\n"                 \
    "  (not (= ?x ?y)) (not (= ?x Table)))\n"                                                                \
    " :effect (and (on ?x ?y) (not (on ?x ?z)) (when (not (= ?z Table)) (clear ?z))\n"                       \
    "  (when (not (= ?y Table)) (not (clear ?y))))))\n"

static inline nlm_pddl_text text_called(const char *name, const char *text)
{
    return (nlm_pddl_text){text, strlen(text), name};
}

/* The status of reading; without a domain where that is NULL. */
static inline nlm_status read_pddl(const char *problem, const char *domain, nlm_pddl **pddl, nlm_error *error)
{
    const nlm_pddl_text asked = text_called("p.pddl", problem);
    const nlm_pddl_text own = domain != NULL ? text_called("d.pddl", domain) : (nlm_pddl_text){0};
    return nlm_pddl_read(&asked, domain != NULL ? &own : NULL, pddl, error);
}

static inline nlm_pddl *pddl_of(const char *problem, const char *domain)
{
    nlm_pddl *pddl;
    CHECK(read_pddl(problem, domain, &pddl, &check_error));
    return pddl;
}

static inline nlm_position *position_of_pddl(const nlm_pddl *pddl)
{
    nlm_position *position;
    CHECK(nlm_position_new(nlm_pddl_game(), &position, &check_error));
    CHECK(nlm_pddl_position(pddl, position, &check_error));
    return position;
}

static inline nlm_status validate(const nlm_pddl *pddl, const char *plan, int *actions, nlm_error *error)
{
    const nlm_pddl_text text = text_called("it.plan", plan);
    return nlm_pddl_validate(pddl, &text, actions, error);
}

/* The first block that can go to where it belongs, else the first that is not in place onto the table: some
 * sound strategy.  False when all are in place. */
static inline bool next_move(const nlm_position *position, int move[2])
{
    const int blocks = nlm_position_objects(position);
    int spare = 0;
    for (int block = 1; block <= blocks; block++) {
        const int now = nlm_blocks_below(position, false, block),
                  end = nlm_blocks_below(position, true, block);
        bool right = true;
        for (int b = end; b > 0 && right; b = nlm_blocks_below(position, true, b))
            right = nlm_blocks_below(position, false, b) == nlm_blocks_below(position, true, b);
        const int home[2] = {block, end}, table[2] = {block, 0};
        if (right && now != end && nlm_position_legal(position, home)) {
            move[0] = block;
            move[1] = end;
            return true;
        }
        if (now > 0 && (now != end || !right) && nlm_position_legal(position, table))
            spare = block;
    }
    move[0] = spare;
    move[1] = 0;
    return spare > 0;
}

#endif

/* PDDL: problems as positions, moves as actions, plans that are checked, and what is refused. */
#include "problems.h"

/* ---- positions ---- */

static void assert_below(const nlm_position *position, bool target, const int *below)
{
    for (int b = 1; b <= nlm_position_objects(position); b++)
        assert_int_equal(nlm_blocks_below(position, target, b), below[b - 1]);
}

static void facts_are_the_beginning_and_the_goal_is_the_target(void **state)
{
    (void)state;
    nlm_pddl *pddl = pddl_of(FOUR, NULL);
    nlm_position *position = position_of_pddl(pddl);
    assert_string_equal(nlm_pddl_domain(pddl), "blocks");
    assert_string_equal(nlm_pddl_domain_file(pddl), "four-operators.pddl");
    assert_string_equal(nlm_pddl_block(pddl, 1), "a");
    assert_string_equal(nlm_pddl_block(pddl, 4), "d");
    assert_string_equal(nlm_pddl_block(pddl, 5), "");
    assert_int_equal(nlm_position_objects(position), 4);
    assert_below(position, false, (const int[]){2, 0, 0, 0});
    /* a must leave b, onto the table; b stays there */
    assert_below(position, true, (const int[]){0, 0, 2, 3});
    assert_int_equal(nlm_pddl_free_blocks(pddl), 2);
    assert_int_equal(nlm_position_limit(position), 16);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

typedef struct goal {
    const char *facts, *goal;
    int target[4], free;
} goal;

static void goals_are_completed(void **state)
{
    (void)state;
    static const goal goals[] = {
        /* nothing is asked: all stays */
        {FOUR_FACTS, "()", {2, 0, 0, 0}, 4},
        {FOUR_FACTS, "(and)", {2, 0, 0, 0}, 4},
        /* a stays on b, which stays */
        {FOUR_FACTS, "(on d c)", {2, 0, 0, 3}, 3},
        /* b goes onto c, so a, which it leaves, ends on the table */
        {FOUR_FACTS, "(on b c)", {0, 3, 0, 0}, 3},
        /* b is to be clear */
        {FOUR_FACTS, "(and (clear b) (handempty))", {0, 0, 0, 0}, 4},
        {FOUR_FACTS, "(AND (ONTABLE A) (ON b A))", {0, 1, 0, 0}, 2},
        /* a tower of four: what stands on a block that moves goes onto the table */
        {"(handempty) (ontable a) (on b a) (on c b) (on d c) (clear d)", "(on b d)", {0, 4, 0, 0}, 3},
        {"(handempty) (ontable a) (on b a) (on c b) (on d c) (clear d)", "(on d b)", {0, 1, 0, 2}, 3},
        {"(handempty) (ontable a) (on b a) (on c b) (on d c) (clear d)", "(ontable d)", {0, 1, 2, 0}, 3},
    };
    for (size_t i = 0; i < COUNT(goals); i++) {
        char text[1000];
        snprintf(text, sizeof text, PROBLEM("%s", "%s"), goals[i].facts, goals[i].goal);
        nlm_pddl *pddl = pddl_of(text, NULL);
        nlm_position *position = position_of_pddl(pddl);
        assert_below(position, true, goals[i].target);
        assert_int_equal(nlm_pddl_free_blocks(pddl), goals[i].free);
        nlm_position_free(position);
        nlm_pddl_free(pddl);
    }
}

/* ---- plans ---- */

/* Play the strategy to the end; the plan's text must be this. */
static void assert_plan(const char *problem, const char *domain, const char *expected, int moves)
{
    nlm_pddl *pddl = pddl_of(problem, domain);
    nlm_position *position = position_of_pddl(pddl);
    nlm_pddl_plan *plan;
    const char *text;
    int move[2], actions;
    CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
    while (next_move(position, move)) {
        CHECK(nlm_pddl_plan_move(plan, position, move, &check_error));
        CHECK(nlm_position_move(position, move, NULL, &check_error));
    }
    assert_true(nlm_pddl_plan_done(plan));
    CHECK(nlm_pddl_plan_text(plan, &text, &check_error));
    assert_string_equal(text, expected);
    assert_int_equal(nlm_pddl_plan_moves(plan), moves);
    CHECK(validate(pddl, text, &actions, &check_error));
    assert_int_equal(actions, nlm_pddl_plan_actions(plan));
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

static void moves_become_actions(void **state)
{
    (void)state;
    assert_plan(FOUR, NULL,
                "(unstack a b)\n(put-down a)\n(pick-up c)\n(stack c b)\n(pick-up d)\n(stack d c)\n"
                "; cost = 6 (unit cost)\n",
                3);
    /* the known domain with an arm, by its predicates */
    assert_plan(
        "(define (problem p) (:domain blocksworld) (:objects a b c)\n"
        "(:init (arm-empty) (on-table a) (on b a) (clear b) (on-table c) (clear c)) (:goal (and (on b c))))",
        NULL, "(unstack b a)\n(stack b c)\n; cost = 2 (unit cost)\n", 1);
    /* the known domain with one operator */
    assert_plan("(define (problem p) (:domain blocks-1) (:objects a b)\n"
                "(:init (on a table) (on b a) (clear b) (clear table)) (:goal (and (on a b))))",
                NULL, "(move b a table)\n(move a table b)\n; cost = 2 (unit cost)\n", 2);
    assert_plan(
        "(define (problem p) (:domain moves) (:objects a b c)\n"
        "(:init (on-table a) (on b a) (clear b) (on-table c) (clear c)) (:goal (and (on a c) (on b a))))",
        MOVE_DOMAIN, "(to-table b a)\n(from-table a c)\n(from-table b a)\n; cost = 3 (unit cost)\n", 3);
    assert_plan("(define (problem p) (:domain puton) (:objects a b c)\n"
                "(:init (on a table) (on b a) (clear b) (clear table) (on c Table) (clear c))\n"
                "(:goal (and (on a b) (on b c))))",
                PUTON_DOMAIN, "(puton b c a)\n(puton a b table)\n; cost = 2 (unit cost)\n", 2);
}

static void a_plan_ends_when_its_goal_holds(void **state)
{
    (void)state;
    nlm_pddl *pddl = pddl_of(FOUR, NULL);
    nlm_position *position = position_of_pddl(pddl);
    nlm_pddl_plan *plan;
    nlm_error error;
    const char *text = "";
    CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
    static const int moves[][2] = {{1, 1}, {2, 0}, {3, 3}, {1, 0}, {1, 0}, {3, 2}, {4, 3}, {1, 4}};
    for (size_t i = 0; i < COUNT(moves); i++) {
        const bool done = i > 6;
        assert_int_equal(nlm_pddl_plan_done(plan), done);
        if (!done) {
            assert_int_equal(nlm_pddl_plan_text(plan, &text, &error), NLM_BAD_FILE);
            assert_null(text);
            assert_non_null(strstr(error.message, "does not hold after"));
        }
        CHECK(nlm_pddl_plan_move(plan, position, moves[i], &check_error));
        if (!done)
            CHECK(nlm_position_move(position, moves[i], NULL, &check_error));
    }
    /* illegal moves, and one that changes nothing, add no action */
    CHECK(nlm_pddl_plan_text(plan, &text, &check_error));
    assert_int_equal(nlm_pddl_plan_moves(plan), 3);
    assert_int_equal(nlm_pddl_plan_actions(plan), 6);
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

static void a_goal_that_holds_needs_no_action(void **state)
{
    (void)state;
    nlm_pddl *pddl = pddl_of(PROBLEM(FOUR_FACTS, "(and (on a b))"), NULL);
    nlm_position *position = position_of_pddl(pddl);
    nlm_pddl_plan *plan;
    const char *text;
    assert_true(nlm_position_solved(position) && nlm_position_over(position));
    CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
    assert_true(nlm_pddl_plan_done(plan));
    CHECK(nlm_pddl_plan_text(plan, &text, &check_error));
    assert_string_equal(text, "; cost = 0 (unit cost)\n");
    CHECK(validate(pddl, "", NULL, &check_error));
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

static void positions_of_others_are_refused(void **state)
{
    (void)state;
    nlm_pddl *pddl = pddl_of(FOUR, NULL);
    nlm_position *sort, *position = position_of_pddl(pddl);
    nlm_pddl_plan *plan;
    nlm_error error;
    CHECK(nlm_position_new(nlm_game_find("sort"), &sort, &check_error));
    assert_int_equal(nlm_pddl_position(pddl, sort, &error), NLM_BAD_ARGUMENT);
    CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
    CHECK(nlm_position_move(position, (const int[]){1, 0}, NULL, &check_error));
    CHECK(nlm_position_move(position, (const int[]){1, 3}, NULL, &check_error));
    assert_int_equal(nlm_pddl_plan_move(plan, position, (const int[]){1, 0}, &error), NLM_BAD_ARGUMENT);
    nlm_pddl_plan_free(plan);
    nlm_position_free(sort);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

/* ---- checking plans ---- */

typedef struct refused_plan {
    const char *plan, *why;
} refused_plan;

static void plans_are_checked(void **state)
{
    (void)state;
    static const char *const good[] = {
        "(unstack a b)\n(put-down a)\n(pick-up c)\n(stack c b)\n(pick-up d)\n(stack d c)\n",
        "; a comment\n0: (UNSTACK A B)\n0.5: (stack a d) ; another\n\n 1:(pick-up c)(stack c b)\n"
        "(unstack a d)(put-down a)(pick-up d)(stack d c)",
    };
    static const refused_plan bad[] = {
        {"", "it.plan: the goal (on d c) (p.pddl:5) does not hold after 0 actions"},
        {"(unstack a b)\n(put-down a)\n(pick-up c)\n(stack c b)\n", "the goal (on d c) (p.pddl:5)"},
        {"(pick-up a)", "it.plan:1: (pick-up a): its precondition (ontable a) does not hold"},
        {"(unstack a b)\n(stack a b)\n(unstack b a)", "it.plan:3: (unstack b a): its precondition (on b a)"},
        {"(unstack a b)\n\n(pick-up c)", "it.plan:3: (pick-up c): its precondition (handempty)"},
        {"(fly a)", "it.plan:1: the domain blocks has no action fly"},
        {"()", "it.plan:1: the domain blocks has no action without a name"},
        {"(unstack a)", "it.plan:1: unstack has 2 parameters, here 1"},
        {"(put-down a b)", "it.plan:1: put-down has 1 parameter, here 2"},
        {"(unstack a x)", "it.plan:1: the problem has no object x"},
        {"(unstack a (b))", "it.plan:1: the problem has no object (...)"},
        {"unstack a b", "it.plan:1: 'unstack' stands outside of all lists"},
        {"(unstack a b", "it.plan:1: '(' is never closed"},
    };
    nlm_pddl *pddl = pddl_of(FOUR, NULL);
    nlm_error error;
    int actions;
    for (size_t i = 0; i < COUNT(good); i++) {
        CHECK(validate(pddl, good[i], &actions, &check_error));
        assert_int_equal(actions, i == 0 ? 6 : 8);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(validate(pddl, bad[i].plan, &actions, &error), NLM_BAD_FILE);
        if (strstr(error.message, bad[i].why) != error.message && !strstr(error.message, bad[i].why))
            fail_msg("'%s' instead of '%s'", error.message, bad[i].why);
    }
    nlm_pddl_free(pddl);
}

/* Nothing here knows blocks: deletes come before adds, conditions of effects are about the state before. */
static void any_domain_can_be_checked(void **state)
{
    (void)state;
    static const char domain[] =
        "(define (domain lamps) (:requirements :strips :typing :conditional-effects "
        ":negative-preconditions)\n"
        "(:types lamp switch - thing key) (:predicates (lit ?l - lamp) (wired ?s - switch ?l - lamp) "
        "(locked))\n"
        "(:action press :parameters (?s - switch ?l - lamp) :precondition (and (wired ?s ?l) (not "
        "(locked)))\n"
        "  :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l))))\n"
        "(:action refresh :parameters (?l - thing) :precondition () :effect (and (locked) (not "
        "(locked)))))\n";
    static const char problem[] =
        "(define (problem one) (:domain lamps) (:objects l m - lamp s - switch k - key)\n"
        "(:init (wired s l) (lit m)) (:goal (and (lit l) (not (locked)))))\n";
    static const refused_plan bad[] = {
        {"(press s l)\n(press s l)", "the goal (lit l)"},
        {"(press s m)", "its precondition (wired s m)"},
        {"(press l s)", "it.plan:1: l is of type lamp, ?s of press is of type switch"},
        {"(refresh k)", "k is of type key, ?l of refresh is of type thing"},
        {"(press s l)\n(refresh l)", "the goal (not (locked))"},
        {"(refresh s)\n(press s l)", "it.plan:2: (press s l): its precondition (not (locked))"},
    };
    nlm_pddl *pddl = pddl_of(problem, domain);
    nlm_error error;
    nlm_position *position;
    CHECK(validate(pddl, "(press s l)", NULL, &check_error));
    CHECK(validate(pddl, "(press s l)(press s l)(press s l)", NULL, &check_error));
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(validate(pddl, bad[i].plan, NULL, &error), NLM_BAD_FILE);
        if (!strstr(error.message, bad[i].why))
            fail_msg("'%s' instead of '%s'", error.message, bad[i].why);
    }
    assert_int_equal(nlm_pddl_free_blocks(pddl), -1);
    CHECK(nlm_position_new(nlm_pddl_game(), &position, &check_error));
    assert_int_equal(nlm_pddl_position(pddl, position, &error), NLM_BAD_FILE);
    assert_string_equal(error.message,
                        "d.pddl: the domain lamps is no blocks world: it has no predicate (on ?x ?y)");
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

/* ---- what is refused ---- */

typedef struct refused_text {
    const char *problem, *domain, *why;
} refused_text;

static void bad_texts_are_refused(void **state)
{
    (void)state;
#define WITH(section) "(define (domain d)\n(:predicates (on ?x ?y) (ontable ?x))\n" section ")"
#define DOMAIN(actions) WITH(actions "\n(:action go :parameters (?x) :precondition (ontable ?x) :effect ())")
#define ASKS "(define (problem p) (:domain d) (:objects a) (:init (ontable a)) (:goal (ontable a)))"
    static const refused_text bad[] = {
        {"", NULL, "p.pddl: a file of PDDL begins with (define (problem NAME)"},
        {"(define (domain x))", NULL, "p.pddl:1: this is no problem"},
        {"(define (problem))", NULL, "(problem NAME) with one name"},
        {"(define (problem p) (:domain chess) (:init) (:goal ()))", NULL,
         "p.pddl: the domain chess of the problem is not known; name its file with --domain"},
        {"(define (problem p) (:domain blocks) (:init (flies)) (:goal ()))", NULL,
         "p.pddl:1: the domain blocks of four-operators.pddl has no predicate flies; another domain is "
         "named"},
        {"(define (problem p)\n(:init))", NULL, "p.pddl:1: the problem has no section (:domain ...)"},
        {"(define (problem p) (:domain blocks)\n(:domain blocks))", NULL, "p.pddl:2: :domain is there twice"},
        {"(define (problem p) (:domain blocks) (:init)\n(:metric minimize x))", NULL,
         "p.pddl:2: the section :metric is not supported"},
        {"(define (problem p) (:domain blocks) (:objects a))", NULL, "has no section (:init ...)"},
        {"(define (problem p) (:domain blocks) (:init))", NULL, "has no section (:goal ...)"},
        {"(define (problem p) (:domain blocks) (:init)\n(:goal))", NULL, "p.pddl:2: (:goal CONDITION)"},
        {"(define (problem p) (:domain blocks) (:objects a a) (:init) (:goal ()))", NULL, "listed twice"},
        {"(define (problem p) (:domain blocks) (:objects 1) (:init) (:goal ()))", NULL,
         "must begin with a letter"},
        {"(define (problem p) (:domain blocks) (:objects a - block) (:init) (:goal ()))", NULL,
         "there is no type block"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (on a)) (:goal ()))", NULL,
         "on has 2 arguments, here 1"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (ontable b)) (:goal ()))", NULL,
         "there is no object b"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (ontable ?x)) (:goal ()))", NULL,
         "the variable ?x where an object is expected"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (not (ontable a))) (:goal ()))", NULL,
         "(not ...) among the facts"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (ontable a)) (:goal (or (ontable a))))",
         NULL, "(or ...) is a disjunction, which is not supported"},
        {"(define (problem p) (:domain blocks) (:objects a) (:init (ontable a))\n(:goal (forall (?x) "
         "(ontable ?x))))",
         NULL, "p.pddl:2: (forall ...) is a quantifier, which is not supported"},
        {ASKS, "(define (problem p))", "d.pddl:1: this is no domain"},
        {ASKS, "(define (domain d))", "d.pddl:1: the domain has no :action"},
        {ASKS, "(define (domain e) (:predicates (ontable ?x)) (:action a :parameters () :effect ()))",
         "p.pddl:1: a problem of domain d, but d.pddl has the domain e"},
        {ASKS, DOMAIN("(:requirements :strips\n:fluents)"),
         "d.pddl:4: the requirement :fluents is not supported"},
        {ASKS, DOMAIN("(:functions (total-cost))"), "d.pddl:3: the section :functions is not supported"},
        {ASKS, DOMAIN("(:durative-action x)"), "the section :durative-action is not supported"},
        {ASKS, DOMAIN("(:predicates (on ?z))"), "the predicate on is there twice"},
        {ASKS, DOMAIN("(:predicates (p x))"), "a variable, such as ?x, is expected in place of x"},
        {ASKS, DOMAIN("(:predicates (p ?x - (either a b)))"), "a choice of types (either) is not supported"},
        {ASKS, DOMAIN("(:predicates (p ?a ?b ?c ?d ?e))"), "p has more than 4 arguments"},
        {ASKS, DOMAIN("(:action x :parameters (?x) :effect (on ?x ?y))"), "?y is no parameter of the action"},
        {ASKS, DOMAIN("(:action x :parameters (?x ?x) :effect ())"), "the parameter ?x is there twice"},
        {ASKS, DOMAIN("(:action x :parameters (?x) :effect (increase (total-cost) 1))"),
         "is a numeric effect"},
        {ASKS, DOMAIN("(:action x :parameters (?x) :effect (= ?x ?x))"), "= cannot be an effect"},
        {ASKS, DOMAIN("(:action x :parameters (?x) :precondition (exists (?y) (on ?x ?y)))"),
         "is a quantifier"},
        {ASKS, DOMAIN("(:action x :parameters (?x) :duration ())"), ":duration is not supported"},
        {ASKS, DOMAIN("(:action x :parameters)"), "a keyword and a list after it are expected"},
        {ASKS, DOMAIN("(:action go :parameters ())"), "the action go is there twice"},
        {ASKS, DOMAIN("(:action x :parameters () :effect (when ()))"), "(when CONDITION EFFECT) is expected"},
        {ASKS, DOMAIN("(:action x :parameters () :effect (when () (when () ())))"), "inside (when ...)"},
        {ASKS, DOMAIN("(:types a - b b - (x))"), "the name of a type is expected"},
        {ASKS ")", NULL, "p.pddl:1: ')' closes nothing"},
        {"(define {x})", NULL, "'{' is no part of PDDL"},
        {"(define \x01)", NULL, "the byte 1 is no part of PDDL"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_pddl *pddl;
        nlm_error error;
        const nlm_status status = read_pddl(bad[i].problem, bad[i].domain, &pddl, &error);
        if (status != NLM_BAD_FILE || !strstr(error.message, bad[i].why))
            fail_msg("%zu: '%s' instead of '%s'", i, status ? error.message : "read", bad[i].why);
        assert_null(pddl);
    }
}

static void worlds_that_are_none_of_blocks_are_refused(void **state)
{
    (void)state;
    static const refused_text bad[] = {
        {PROBLEM("(handempty) (ontable a) (ontable b) (ontable c)", "()"), NULL,
         "p.pddl: the facts do not say what d stands on"},
        {PROBLEM(FOUR_FACTS "\n(on a c)", "()"), NULL, "p.pddl:5: (on a c): a also stands on b"},
        {PROBLEM(FOUR_FACTS " (on c b)", "()"), NULL, "c also stands on the table"},
        {PROBLEM("(ontable c) (ontable d) (on a b) (on b a)", "()"), NULL, "stand on itself in a circle"},
        {PROBLEM("(ontable c) (ontable d) (on a c)\n(on b c)", "()"), NULL,
         "p.pddl:5: (on b c): a also stands on c"},
        {PROBLEM(FOUR_FACTS " (clear b)", "()"), NULL, "(clear b), but a stands on it"},
        {PROBLEM("(ontable a) (ontable b) (ontable c) (ontable d) (clear b) (clear c) (clear d)", "()"), NULL,
         "nothing stands on a, but (clear a) is not among the facts"},
        {PROBLEM(FOUR_FACTS, "(on a a)"), NULL, "(on a a): a cannot stand on itself"},
        {PROBLEM(FOUR_FACTS, "(and (on a b)\n(on b a))"), NULL,
         "the goal lets a stand on itself in a circle"},
        {PROBLEM(FOUR_FACTS, "(and (on a b)\n(on c b))"), NULL, "p.pddl:6: (on c b): a also stands on b"},
        {PROBLEM(FOUR_FACTS, "(and (on a b) (on a c))"), NULL, "(on a c): a also stands on b"},
        {PROBLEM(FOUR_FACTS, "(and (on a b) (clear b))"), NULL, "the goal wants b clear, and a on it"},
        {PROBLEM(FOUR_FACTS, "(holding a)"), NULL, "the goal (holding a) is not supported"},
        {PROBLEM(FOUR_FACTS, "(not (on a b))"), NULL, "the goal (not (on a b)) is not supported"},
        {"(define (problem p) (:domain blocks) (:init) (:goal ()))", NULL, "the problem has no blocks"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        nlm_pddl *pddl = pddl_of(bad[i].problem, bad[i].domain);
        nlm_position *position;
        nlm_pddl_plan *plan;
        nlm_error error;
        CHECK(nlm_position_new(nlm_pddl_game(), &position, &check_error));
        const nlm_status status = nlm_pddl_position(pddl, position, &error);
        if (status != NLM_BAD_FILE || !strstr(error.message, bad[i].why))
            fail_msg("%zu: '%s' instead of '%s'", i, status ? error.message : "read", bad[i].why);
        assert_int_equal(nlm_pddl_plan_new(pddl, &plan, NULL), NLM_BAD_FILE);
        assert_null(plan);
        nlm_position_free(position);
        nlm_pddl_free(pddl);
    }
}

/* Without (handempty) the hand cannot take anything. */
static void moves_that_no_action_makes_are_refused(void **state)
{
    (void)state;
    nlm_pddl *pddl =
        pddl_of(PROBLEM("(ontable a) (ontable b) (ontable c) (ontable d) (clear a) (clear b) (clear c) "
                        "(clear d)",
                        "(on a b)"),
                NULL);
    nlm_position *position = position_of_pddl(pddl);
    nlm_pddl_plan *plan;
    nlm_error error;
    CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
    assert_int_equal(nlm_pddl_plan_move(plan, position, (const int[]){1, 2}, &error), NLM_BAD_FILE);
    assert_non_null(strstr(error.message, "p.pddl: no one or two actions of the domain blocks put a onto b"));
    assert_int_equal(nlm_pddl_plan_actions(plan), 0);
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    nlm_pddl_free(pddl);
}

/* ---- drawn problems ---- */

enum { MOST_BLOCKS = 12, DRAWN = 200 };

/* What a drawn position says in the words of a domain; a part of the goal is left out. */
static void write_problem(const nlm_position *position, bool with_table, unsigned left_out, FILE *stream)
{
    const int blocks = nlm_position_objects(position);
    fprintf(stream, "(define (problem p) (:domain blocks) (:objects");
    for (int b = 1; b <= blocks; b++)
        fprintf(stream, " b%d", b);
    fprintf(stream, ")\n(:init %s", with_table ? "(clear table)" : "(handempty)");
    for (int target = 0; target < 2; target++) {
        for (int b = 1; b <= blocks; b++) {
            const int below = nlm_blocks_below(position, target, b);
            bool clear = !target;
            for (int on = 1; on <= blocks && clear; on++)
                clear = nlm_blocks_below(position, false, on) != b;
            if (clear)
                fprintf(stream, " (clear b%d)", b);
            if (target && (left_out >> (b % 16) & 1))
                continue;
            if (below > 0)
                fprintf(stream, " (on b%d b%d)", b, below);
            else
                fprintf(stream, with_table ? " (on b%d table)" : " (ontable b%d)", b);
        }
        fprintf(stream, target ? ")))\n" : ")\n(:goal (and");
    }
}

static void plans_of_drawn_problems_are_valid(void **state)
{
    (void)state;
    for (int i = 0; i < DRAWN; i++) {
        nlm_position *drawn, *position;
        char *problem;
        size_t size;
        CHECK(nlm_position_new(nlm_pddl_game(), &drawn, &check_error));
        CHECK(nlm_position_draw(drawn, 7, (uint64_t)i, 2 + i % (MOST_BLOCKS - 1), true, &check_error));
        FILE *stream = open_memstream(&problem, &size);
        write_problem(drawn, i % 2, i % 4 < 2 ? 0 : (unsigned)i * 2654435761u >> 8, stream);
        fclose(stream);
        nlm_pddl *pddl = pddl_of(problem, NULL);
        position = position_of_pddl(pddl);
        nlm_pddl_plan *plan;
        const char *text;
        int move[2], baseline = nlm_position_baseline(position);
        if (i % 4 < 2) {
            assert_int_equal(nlm_pddl_free_blocks(pddl), 0);
            assert_int_equal(baseline, nlm_position_baseline(drawn));
            for (int b = 1; b <= nlm_position_objects(drawn); b++)
                assert_int_equal(nlm_blocks_below(position, true, b), nlm_blocks_below(drawn, true, b));
        }
        CHECK(nlm_pddl_plan_new(pddl, &plan, &check_error));
        while (next_move(position, move)) {
            CHECK(nlm_pddl_plan_move(plan, position, move, &check_error));
            CHECK(nlm_position_move(position, move, NULL, &check_error));
        }
        assert_true(nlm_position_solved(position) && nlm_pddl_plan_done(plan));
        CHECK(nlm_pddl_plan_text(plan, &text, &check_error));
        assert_true(nlm_pddl_plan_moves(plan) <= baseline);
        assert_int_equal(nlm_pddl_plan_actions(plan), (i % 2 ? 1 : 2) * nlm_pddl_plan_moves(plan));
        nlm_pddl_plan_free(plan);
        nlm_position_free(drawn);
        nlm_position_free(position);
        nlm_pddl_free(pddl);
        free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_the_beginning_and_the_goal_is_the_target),
        cmocka_unit_test(goals_are_completed),
        cmocka_unit_test(moves_become_actions),
        cmocka_unit_test(a_plan_ends_when_its_goal_holds),
        cmocka_unit_test(a_goal_that_holds_needs_no_action),
        cmocka_unit_test(positions_of_others_are_refused),
        cmocka_unit_test(plans_are_checked),
        cmocka_unit_test(any_domain_can_be_checked),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(worlds_that_are_none_of_blocks_are_refused),
        cmocka_unit_test(moves_that_no_action_makes_are_refused),
        cmocka_unit_test(plans_of_drawn_problems_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

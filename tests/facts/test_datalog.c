/* What follows from rules: random programs against a plain evaluation that tries every assignment until
 * nothing is new; arithmetic, domains and refusals line by line. */
#include "test.h"
#include <stdio.h>
#include <string.h>
#include "base/random.h"
#include "facts/datalog.h"
#include "facts/fact_files.h"

enum { PREDICATES = 5, OBJECTS = 3, MOST_GOALS = 3, VARIABLES = 3, RULES = 7 };

/* ---- a plain evaluation ---- */

typedef struct plain_goal {
    int predicate, argument[2]; /* variables, or -1 - object */
    bool negated;
} plain_goal;

typedef struct plain_rule {
    plain_goal head, goal[MOST_GOALS];
    int goals;
} plain_rule;

static int arity_of(int predicate)
{
    return predicate % 2 + 1;
}

typedef struct plain {
    bool fact[PREDICATES][OBJECTS][OBJECTS];
    plain_rule rule[RULES];
} plain;

static bool *fact_of(plain *of, const plain_goal *goal, const int *value)
{
    int at[2] = {0, 0};
    for (int k = 0; k < arity_of(goal->predicate); k++)
        at[k] = goal->argument[k] >= 0 ? value[goal->argument[k]] : -1 - goal->argument[k];
    return &of->fact[goal->predicate][at[0]][at[1]];
}

/* Predicates one after the other: a rule negates only lower ones. */
static void evaluate(plain *of)
{
    for (int p = 0; p < PREDICATES; p++)
        for (bool more = true; more;) {
            more = false;
            for (int r = 0; r < RULES; r++)
                for (int i = 0; i < OBJECTS * OBJECTS * OBJECTS && of->rule[r].head.predicate == p; i++) {
                    const int value[VARIABLES] = {i % OBJECTS, i / OBJECTS % OBJECTS, i / OBJECTS / OBJECTS};
                    bool holds = true;
                    for (int g = 0; g < of->rule[r].goals; g++)
                        holds &= *fact_of(of, &of->rule[r].goal[g], value) != of->rule[r].goal[g].negated;
                    bool *fact = fact_of(of, &of->rule[r].head, value);
                    more |= holds && !*fact;
                    *fact |= holds;
                }
        }
}

/* ---- random programs ---- */

static plain_goal draw_goal(random_stream *random, int predicate, uint32_t *variables)
{
    plain_goal goal = {.predicate = predicate};
    for (int k = 0; k < arity_of(predicate); k++) {
        const int drawn = (int)random_below(random, VARIABLES + 1);
        goal.argument[k] = drawn < VARIABLES ? drawn : -1 - (int)random_below(random, OBJECTS);
        if (drawn < VARIABLES)
            *variables |= 1u << drawn;
    }
    return goal;
}

/* Every variable stands in a goal that is not negated. */
static plain_rule draw_rule(random_stream *random)
{
    for (;;) {
        plain_rule rule = {.goals = 1 + (int)random_below(random, MOST_GOALS)};
        uint32_t bound = 0, others = 0;
        const int head = (int)random_below(random, PREDICATES);
        rule.head = draw_goal(random, head, &others);
        for (int g = 0; g < rule.goals; g++) {
            const bool negated = head > 0 && random_below(random, 3) == 0;
            const int predicate = (int)random_below(random, (uint32_t)(negated ? head : head + 1));
            rule.goal[g] = draw_goal(random, predicate, negated ? &others : &bound);
            rule.goal[g].negated = negated;
        }
        if ((others & ~bound) == 0)
            return rule;
    }
}

static int write_goal(char *text, const plain_goal *goal)
{
    int length = sprintf(text, "%sp%d(", goal->negated ? "\\+ " : "", goal->predicate);
    for (int k = 0; k < arity_of(goal->predicate); k++)
        length += sprintf(text + length, "%s%c", k ? "," : "",
                          goal->argument[k] >= 0 ? 'X' + goal->argument[k] : 'a' - 1 - goal->argument[k]);
    return length + sprintf(text + length, ")");
}

static void write_program(const plain *of, char *text)
{
    for (int r = 0; r < RULES; r++) {
        text += write_goal(text, &of->rule[r].head);
        for (int g = 0; g < of->rule[r].goals; g++) {
            text += sprintf(text, "%s", g ? ", " : " :- ");
            text += write_goal(text, &of->rule[r].goal[g]);
        }
        text += sprintf(text, ".\n");
    }
    for (int p = 0; p < PREDICATES; p++)
        for (int i = 0; i < OBJECTS * OBJECTS; i++)
            if (of->fact[p][i / OBJECTS][i % OBJECTS])
                text += sprintf(text, arity_of(p) == 1 ? "p%d(%c).\n" : "p%d(%c,%c).\n", p, 'a' + i / OBJECTS,
                                'a' + i % OBJECTS);
}

/* ---- drafts ---- */

static nlm_status read_text(draft *in, char *text, nlm_error *error)
{
    nlm_status status = draft_start(in, error);
    if (!status)
        status = draft_begin_world(in, "", error);
    if (!status)
        status = fact_files_text(in, false, text, strlen(text), "f", error);
    return status ? status : datalog_evaluate(in, error);
}

/* All facts, "p(a) q(a,b) ", as they stand in the log. */
static void facts_text(const draft *in, char *text)
{
    draft_statement statement;
    *text = '\0';
    for (size_t at = 0; draft_next(in, draft_world_at(in, 0), &at, &statement);) {
        text += sprintf(text, "%s", names_at(&in->predicates, statement.predicate)->text);
        for (int k = 0; k < statement.arity; k++)
            text += sprintf(text, "%c%s", k ? ',' : '(', names_at(&in->atoms, statement.atoms[k])->text);
        text += sprintf(text, "%s ", statement.arity ? ")" : "");
    }
}

static void random_programs_conclude_what_they_say(void **state)
{
    (void)state;
    random_stream random;
    random_start(&random, 5, 0);
    int concluded = 0;
    for (int t = 0; t < 2000; t++) {
        plain of = {0};
        char text[8192], facts[8192];
        for (int r = 0; r < RULES; r++)
            of.rule[r] = draw_rule(&random);
        for (int i = 0; i < 6; i++) {
            const int p = (int)random_below(&random, PREDICATES);
            of.fact[p][random_below(&random, OBJECTS)]
                   [arity_of(p) == 1 ? 0 : random_below(&random, OBJECTS)] = true;
        }
        write_program(&of, text);
        evaluate(&of);
        draft in;
        nlm_error error;
        assert_int_equal(read_text(&in, text, &error), NLM_OK);
        facts_text(&in, facts);
        for (int p = 0; p < PREDICATES; p++)
            for (int i = 0; i < OBJECTS * OBJECTS; i++) {
                char fact[16];
                if (arity_of(p) == 1 && i % OBJECTS)
                    continue;
                sprintf(fact, arity_of(p) == 1 ? "p%d(%c) " : "p%d(%c,%c) ", p, 'a' + i / OBJECTS,
                        'a' + i % OBJECTS);
                const char *found = strstr(facts, fact);
                assert_int_equal(found != NULL, of.fact[p][i / OBJECTS][i % OBJECTS]);
                assert_true(!found || !strstr(found + 1, fact)); /* once */
                concluded += found != NULL;
            }
        draft_free(&in);
    }
    assert_true(concluded > 10000);
}

static void goals_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *text, *facts;
    } cases[] = {
        {"n(1). n(5). p(X) :- n(X), X > 2.", "n(1) n(5) p(5) "},
        {"n(1). n(5). p(X) :- X > 2, n(X).", "n(1) n(5) p(5) "},
        {"n(1). n(2). p(X,Y) :- n(X), n(Y), Y is X+1.", "n(1) n(2) p(1,2) "},
        {"n(7). p(Y) :- n(X), Y is (X-1)*2+abs(-3) mod 2.", "n(7) p(13) "},
        {"n(7). p(Y) :- n(X), Y is X//2, Z is max(X,9)-min(X,1), Z =:= 8.", "n(7) p(3) "},
        {"n(3). p(Y) :- n(X), Y is X/2.", "n(3) p(1.5) "},
        {"n(a). p(Y) :- n(X), Y is X+1.", "n(a) "},
        {"n(a). n(b). p(X) :- n(X), X \\= a.", "n(a) n(b) p(b) "},
        {"n(a). n(b). p(X) :- n(Y), X = Y, a \\== X.", "n(a) n(b) p(b) "},
        {"n(a). p(X) :- X = b, true.", "n(a) p(b) "},
        {"n(a). n(2). n(2.5). p(X) :- number(X).", "n(a) n(2) n(2.5) p(2) p(2.5) "},
        {"n(a). n(2). n(2.5). p(X) :- integer(X).", "n(a) n(2) n(2.5) p(2) "},
        {"n(a). n(2). p(X) :- n(X), atom(X).", "n(a) n(2) p(a) "},
        {"n(a). q. p(X) :- n(X), q, \\+ r.", "n(a) q p(a) "},
        {"n(a,b). n(b,a). n(a,c). p(X) :- n(X,Y), not(n(Y,_)).", "n(a,b) n(b,a) n(a,c) p(a) "},
        {"n(a). p(X) :- n(X), fail.", "n(a) "},
        {"n(a). p(b) :- n(a).\np('C d',X) :- n(X), not n(b).", "n(a) p(b) p(C d,a) "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], facts[256];
        draft in;
        nlm_error error = {0};
        strcpy(text, cases[i].text);
        const nlm_status status = read_text(&in, text, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, NLM_OK);
        facts_text(&in, facts);
        assert_string_equal(facts, cases[i].facts);
        draft_free(&in);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"p(X,Y) :- q(X).", "f:1: no goal binds Y of the head: the rule would hold for everything; add a "
                            "goal that says what Y is"},
        {"q(a).\np(X) :- q(X),\n X < Y.",
         "f:3: no goal binds Y, which is compared or negated here: add one that does, a predicate of facts"},
        {"p(X) :- q(X), \\+ r(X,Y), s(Y), \\+ t(Z,Y), \\+ t(Z,X).",
         "f:1: no goal binds Z, which is compared or negated here: add one that does, a predicate of facts"},
        {"p(X) :- q(X), \\+ r(X). r(X) :- q(X), p(X).",
         "f:1: p/1 depends on its own negation: such rules have no single meaning; negate a predicate that "
         "does not "
         "depend on this one"},
        {"p(X) :- q(X), [a].",
         "f:1: lists are not Datalog, and rules among facts are: give the things in it names, "
         "and facts"},
        {"p(X) :- member(X, Y).",
         "f:1: member(...) is about lists, which are not Datalog, and rules among facts are: "
         "give the things in a list names, and facts"},
        {"p(X) :- q(X), !.",
         "f:1: ! is not Datalog, and rules among facts are: write what excludes the other clauses "
         "as \\+ ..."},
        {"p(X) :- q(X) ; r(X).",
         "f:1: ; is not supported in rules among facts: write a clause for each case"},
        {"p(X) :- findall(Y, q(Y), X).",
         "f:1: findall(...) is not Datalog, and rules among facts are: give the facts "
         "that follow from it instead"},
        {"p(X) :- q(f(X)).",
         "f:1: f(...) as an argument: terms inside terms are not supported here; give the thing a name"},
        {"p([X]) :- q(X).", "f:1: lists and terms in braces are not supported here: give the thing a name"},
        {"p(X).",
         "f:1: X is a variable: facts are about named objects; a name that begins with a capital or _ needs "
         "single quotes, 'X'"},
        {"p(X) --> q(X).", "f:1: grammar rules (-->) are not supported: write clauses with :-"},
        {"p(X) :- q(X)", "f:1: ',' or '.' is expected, but the file ends here"},
        {"p(X) :- q(X), \\+ (q(X), r(X)).", "f:1: \\+ of several goals: give them a predicate of its own"},
        {"p(X) :- q(X), \\+ X = a.",
         "f:1: \\+ is supported before a single goal such as p(X): give the rest a "
         "predicate of its own"},
        {"p(X) :- q(X), X.", "f:1: a comparison (such as <) is expected, not ."},
        {"p(X) :- q(X), 3 is X.", "f:1: before 'is' there is a variable"},
        {"pos(X) :- q(X).", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        draft in;
        nlm_error error = {0};
        strcpy(text, cases[i][0]);
        const nlm_status status = read_text(&in, text, &error);
        assert_int_equal(status != NLM_OK, cases[i][1] != NULL);
        if (cases[i][1])
            assert_string_equal(error.message, cases[i][1]);
        draft_free(&in);
    }
}

static void numbers_without_end_are_refused(void **state)
{
    (void)state;
    char text[] = "n(0). n(Y) :- n(X), Y is X+1.";
    draft in;
    nlm_error error = {0};
    assert_int_not_equal(read_text(&in, text, &error), NLM_OK);
    assert_non_null(strstr(error.message, "does a number grow without end?"));
    draft_free(&in);
}

/* A chain of 300 nodes: 45,150 paths, which rounds over all facts would look at 300 times. */
static void recursion_looks_at_new_facts_alone(void **state)
{
    (void)state;
    static char text[300 * 20 + 200];
    char *to = text;
    for (int i = 0; i < 300; i++)
        to += sprintf(to, "e(%d,%d).\n", i, i + 1);
    strcpy(to, "p(X,Y) :- e(X,Y).\np(X,Z) :- p(X,Y), e(Y,Z).\n");
    draft in;
    nlm_error error;
    assert_int_equal(read_text(&in, text, &error), NLM_OK);
    assert_string_equal(notes_at(&in.notes, 0), "f: 45150 facts follow from 2 rules");
    draft_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_conclude_what_they_say),
        cmocka_unit_test(goals_of_every_kind),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(numbers_without_end_are_refused),
        cmocka_unit_test(recursion_looks_at_new_facts_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

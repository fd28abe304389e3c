/* Alternatives of a program: every one agrees with examples that nobody chose, and differs somewhere; the
 * ones that people would name are there; worlds that leave no choice leave none of these; the same twice. */
#include "test.h"
#include "learn/find_alternatives.h"

enum { WORLDS = 150, OBJECTS = 12 };

static nlm_alternatives *find(const char *task, nlm_world_kind kind, const char *rules)
{
    nlm_settings settings;
    nlm_signature *signature;
    nlm_program *program;
    nlm_alternatives *made;
    struct rule_worlds worlds;
    struct rule_judge judge;
    CHECK(nlm_settings_of_task(nlm_task_find(task), NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.kind = kind;
    settings.objects = OBJECTS;
    CHECK(nlm_signature_of_task(settings.task, &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(rules, strlen(rules), "rules", &reading, &program, &check_error));
    CHECK(rule_worlds_init(&worlds, &settings, 1, &check_error));
    CHECK(rule_judge_init(&judge, &worlds, 0, program_at(program, program->target[0])->arity, &check_error));
    CHECK(alternatives_new(rule_worlds_examples(&worlds), &made, &check_error));
    CHECK(find_alternatives(program, 0, &judge, settings.seed, made, &check_error));
    rule_judge_release(&judge);
    rule_worlds_release(&worlds);
    nlm_program_free(program);
    nlm_signature_free(signature);
    return made;
}

static bool is_among(const nlm_alternatives *all, const char *rules)
{
    bool found = false;
    for (int i = 0; i < nlm_alternatives_count(all); i++) {
        char *text;
        CHECK(nlm_program_text(nlm_alternatives_at(all, i)->rules, NLM_CLAUSES, &text, &check_error));
        found |= strcmp(text, rules) == 0;
        free(text);
    }
    return found;
}

static bool is_said(const nlm_alternatives *all, const char *words)
{
    bool found = false;
    for (int i = 0; i < nlm_alternatives_count(all); i++)
        found |= strstr(nlm_alternatives_at(all, i)->words, words) != NULL;
    return found;
}

/* Tuples of fresh worlds for which an alternative and the oracle differ. */
static size_t errors_in(const nlm_program *rules, const char *task, nlm_world_kind kind)
{
    nlm_world *world;
    signed char mine[OBJECTS * OBJECTS], labels[OBJECTS * OBJECTS];
    size_t wrong = 0;
    CHECK(nlm_world_new(&world, &check_error));
    for (uint64_t w = 0; w < WORLDS; w++) {
        CHECK(nlm_task_generate(nlm_task_find(task), kind, 5, w, OBJECTS, world, &check_error));
        CHECK(nlm_program_evaluate(rules, world, 0, mine, &check_error));
        nlm_world_all_labels(world, 0, labels);
        for (size_t t = 0; t < nlm_tuple_count(OBJECTS, nlm_world_target_arity(world, 0)); t++)
            wrong += labels[t] != NLM_UNLABELLED && mine[t] != (labels[t] == NLM_TRUE);
    }
    nlm_world_free(world);
    return wrong;
}

static void parents_unknown(void **context)
{
    (void)context;
    nlm_alternatives *paper = find("has-father", NLM_WORLDS_PAPER, "has_father(X) :- mother(X, _).");
    assert_true(is_among(paper, "has_father(X) :- father(X, _).\n"));
    assert_true(is_said(paper, "mother(X, Y) without father(X, Z)"));
    assert_in_range(nlm_alternatives_count(paper), 2, NLM_MAX_ALTERNATIVES);
    for (int i = 0; i < nlm_alternatives_count(paper); i++)
        assert_int_equal(errors_in(nlm_alternatives_at(paper, i)->rules, "has-father", NLM_WORLDS_PAPER), 0);
    nlm_alternatives_free(paper);

    nlm_alternatives *rich = find("has-father", NLM_WORLDS_RICH, "has_father(X) :- father(X, _).");
    assert_false(is_among(rich, "has_father(X) :- mother(X, _).\n"));
    assert_false(is_said(rich, "father(X, Y) without mother(X, Z)"));
    nlm_alternatives_free(rich);
}

/* Each error of a program of the paper's worlds in others is where some alternative differs. */
static void errors_are_beyond(void **context)
{
    (void)context;
    static const char rules[] = "grandparent(X, Y) :- child(Z, X), child(Y, Z).\n"
                                "child(X, Y) :- son(X, Y).\nchild(X, Y) :- daughter(X, Y).\n";
    static const char inlined[] =
        "grandparent(X, Y) :- (son(Z, X) ; daughter(Z, X)), (son(Y, Z) ; daughter(Y, Z)).";
    nlm_alternatives *all = find("grandparent", NLM_WORLDS_PAPER, inlined);
    nlm_program *own;
    nlm_world *world;
    signed char mine[OBJECTS * OBJECTS], other[OBJECTS * OBJECTS], labels[OBJECTS * OBJECTS];
    size_t wrong = 0, beyond = 0;
    nlm_signature *signature;
    CHECK(nlm_signature_of_task(nlm_task_find("grandparent"), &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(rules, sizeof rules - 1, "rules", &reading, &own, &check_error));
    CHECK(nlm_world_new(&world, &check_error));
    for (uint64_t w = 0; w < WORLDS; w++) {
        bool differs[OBJECTS * OBJECTS] = {false};
        CHECK(nlm_task_generate(nlm_task_find("grandparent"), NLM_WORLDS_RICH, 5, w, OBJECTS, world,
                                &check_error));
        CHECK(nlm_program_evaluate(own, world, 0, mine, &check_error));
        nlm_world_all_labels(world, 0, labels);
        for (int i = 0; i < nlm_alternatives_count(all); i++) {
            CHECK(nlm_program_evaluate(nlm_alternatives_at(all, i)->rules, world, 0, other, &check_error));
            for (size_t t = 0; t < COUNT(differs); t++)
                differs[t] |= other[t] != mine[t];
        }
        for (size_t t = 0; t < COUNT(differs); t++) {
            const bool is_wrong = labels[t] != NLM_UNLABELLED && mine[t] != (labels[t] == NLM_TRUE);
            wrong += is_wrong;
            beyond += is_wrong && differs[t];
        }
    }
    assert_true(wrong > 20);
    assert_true(beyond * 100 >= wrong * 95);
    nlm_world_free(world);
    nlm_program_free(own);
    nlm_signature_free(signature);
    nlm_alternatives_free(all);
}

static void the_same_twice(void **context)
{
    (void)context;
    char *text[2];
    for (int i = 0; i < 2; i++) {
        nlm_alternatives *all =
            find("adjacent-to-red", NLM_WORLDS_PAPER, "adjacent_to_red(X) :- has_edge(Y, X), red(Y).");
        CHECK(alternatives_text(all, &text[i], &check_error));
        assert_true(is_among(all, "adjacent_to_red(X) :- has_edge(X, Y), red(Y).\n"));
        nlm_alternatives_free(all);
    }
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parents_unknown), cmocka_unit_test(errors_are_beyond),
                                       cmocka_unit_test(the_same_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

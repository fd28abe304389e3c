/* Rules of agents: a list of rules and its machine make the same moves, proofs about them, and the search
 * that finds them. */
#include "learn/agents.h"
#include "learn/rule_searches.h"
#include "learn/policy_machine.h"
#include "learn/policy_rules.h"
#include "learn/rule_search.h"
#include "logic/policy.h"
#include "nlm/play.h"
#include "nlm/run.h"

/* Swap what is in the wrong order with the smallest number behind it; else any neighbours. */
static const char sort_rules_text[] = "move_1(X, Y) :- before(X, Y), greater(X, Y), \\+ smaller_behind(Y).\n"
                                      "smaller_behind(Y) :- before(Y, Z), less(Z, Y).\n"
                                      "move_2(X, Y) :- greater(X, Y), before(X, Y).\n";
static const char path_rules_text[] = "near(X) :- current(C), edge(C, X).\n"
                                      "move_1(X) :- near(X), target(X).\n"
                                      "move_2(X) :- near(X), edge(X, T), target(T).\n"
                                      "move_3(X) :- near(X), edge(X, Y), edge(Y, T), target(T).\n"
                                      "move_4(X) :- near(X).\n";

static nlm_program *rules_of(const nlm_game *game, const char *text, int lines)
{
    nlm_signature *signature;
    nlm_program *program;
    CHECK(nlm_signature_of_game(game, lines, &signature, &check_error));
    const nlm_program_reading reading = {.signature = signature};
    CHECK(nlm_program_parse(text, strlen(text), "rules", &reading, &program, &check_error));
    assert_int_equal(program->target_count, lines);
    program->is_policy = true;
    nlm_signature_free(signature);
    return program;
}

/* Random positions, and what both choose in them. */
static void same_moves(const nlm_game *game, const char *text, int lines)
{
    nlm_program *program = rules_of(game, text, lines);
    nlm_machine *machine;
    struct policy_program list;
    struct policy_machine player;
    nlm_position *position;
    int seen[8] = {0};
    CHECK(policy_compile(program, &machine, &check_error));
    assert_int_equal(policy_rules(machine), lines);
    CHECK(policy_program_init(&list, program, &check_error));
    for (int t = 0; t < lines; t++)
        list.rule[list.rules++] = program->target[t];
    CHECK(policy_machine_init(&player, machine, NULL, &check_error));
    CHECK(nlm_position_new(game, &position, &check_error));
    for (uint64_t index = 0; index < 40; index++) {
        CHECK(nlm_position_draw(position, 1, index, 5 + (int)index % 5, false, &check_error));
        while (!nlm_position_over(position)) {
            size_t by_rules, by_machine;
            int move[NLM_MAX_MOVE];
            CHECK(list.player.choose(list.player.context, position, &by_rules, &check_error));
            CHECK(player.player.choose(player.player.context, position, &by_machine, &check_error));
            assert_int_equal(by_rules, by_machine);
            const int rule = list.line < list.rules ? list.line + 1 : 0;
            assert_int_equal(policy_rule_of_score(machine, (double)player.score), rule);
            seen[rule]++;
            policy_move_of(position, by_rules, move);
            CHECK(nlm_position_move(position, move, NULL, &check_error));
        }
    }
    assert_true(seen[1] > 0);
    assert_true(lines < 3 || (seen[2] > 0 && seen[3] > 0));
    nlm_position_free(position);
    policy_machine_release(&player);
    policy_program_release(&list);
    nlm_machine_free(machine);
    nlm_program_free(program);
}

static void machine_plays_as_rules(void **context)
{
    (void)context;
    same_moves(nlm_game_find("sort"), sort_rules_text, 2);
    same_moves(nlm_game_find("path"), path_rules_text, 4);
}

/* ---- proofs ---- */

/* A machine of the rules as a model of the game. */
static nlm_machine *model_of(const nlm_game *game, const nlm_program *program)
{
    char path[] = "/tmp/nlm-policy-XXXXXX";
    nlm_machine *made, *loaded;
    CHECK(policy_compile(program, &made, &check_error));
    close(mkstemp(path));
    CHECK(nlm_machine_save(made, path, (const char *const[]){"task", game->name}, 1, &check_error));
    CHECK(nlm_machine_load(path, &loaded, &check_error));
    unlink(path);
    nlm_machine_free(made);
    return loaded;
}

static nlm_verdict verdict_of(const nlm_game *game, nlm_machine *machine, const char *text, int lines)
{
    nlm_program *program = rules_of(game, text, lines);
    nlm_signature *signature;
    nlm_proof *proof;
    CHECK(nlm_signature_of_game(game, lines, &signature, &check_error));
    CHECK(nlm_prove(machine, signature, program, &proof, &check_error));
    const nlm_verdict verdict = proof->verdict;
    nlm_proof_free(proof);
    nlm_signature_free(signature);
    nlm_program_free(program);
    return verdict;
}

static void proved(void **context)
{
    (void)context;
    const nlm_game *sort = nlm_game_find("sort"), *path = nlm_game_find("path");
    nlm_program *program = rules_of(sort, sort_rules_text, 2);
    nlm_machine *machine = model_of(sort, program);
    assert_int_equal(verdict_of(sort, machine, sort_rules_text, 2), NLM_PROVED);
    /* another second rule */
    assert_int_equal(verdict_of(sort, machine,
                                "move_1(X, Y) :- before(X, Y), greater(X, Y), \\+ smaller_behind(Y).\n"
                                "smaller_behind(Y) :- before(Y, Z), less(Z, Y).\n"
                                "move_2(X, Y) :- greater(X, Y).\n",
                                2),
                     NLM_REFUTED);
    /* the second rule may say what the first one says already */
    assert_int_equal(verdict_of(sort, machine,
                                "move_1(X, Y) :- before(X, Y), greater(X, Y), \\+ smaller_behind(Y).\n"
                                "smaller_behind(Y) :- before(Y, Z), less(Z, Y).\n"
                                "move_2(X, Y) :- greater(X, Y), before(X, Y), smaller_behind(Y).\n",
                                2),
                     NLM_PROVED);
    /* a head that does not count the rules */
    nlm_tensor head = nlm_machine_tensor(machine, nlm_head_tensor(machine, 0));
    nlm_signature *signature;
    nlm_proof *proof;
    nlm_error error;
    head.values[1] = 3;
    CHECK(nlm_signature_of_game(sort, 2, &signature, &check_error));
    assert_int_equal(nlm_prove(machine, signature, program, &proof, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "rules"));
    nlm_signature_free(signature);
    nlm_machine_free(machine);
    nlm_program_free(program);

    program = rules_of(path, path_rules_text, 4);
    machine = model_of(path, program);
    assert_int_equal(verdict_of(path, machine, path_rules_text, 4), NLM_PROVED);
    nlm_machine_free(machine);
    nlm_program_free(program);
}

/* ---- the search ---- */

/* A machine that swaps any pair in the wrong order is hard already; its rules are that. */
static void found(void **context)
{
    (void)context;
    const nlm_game *sort = nlm_game_find("sort");
    nlm_settings settings;
    CHECK(nlm_settings_of_game(sort, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.last_lesson = 6;
    nlm_machine *trained = make_sorting_machine();
    nlm_rule_search *one = search_to_end(trained, &settings, 1), *two = search_to_end(trained, &settings, 2);
    char *first = found_text(one, NLM_PROLOG), *second = found_text(two, NLM_PROLOG);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "move(A, B) :- move_1(A, B), A \\= B.\n"));

    /* The file plays by the rules. */
    nlm_machine *machine = found_machine(one, "sort");
    nlm_agent *agent;
    nlm_position *position;
    nlm_choice choice;
    int count;
    CHECK(nlm_agent_new(machine, sort, NULL, &agent, &check_error));
    CHECK(nlm_position_new(sort, &position, &check_error));
    CHECK(nlm_position_draw(position, 1, 1, 6, true, &check_error));
    while (!nlm_position_over(position)) {
        CHECK(nlm_agent_next(agent, position, &choice, 1, &count, &check_error));
        assert_int_equal(nlm_agent_rule(agent), 1);
        CHECK(nlm_position_move(position, choice.move, NULL, &check_error));
    }
    assert_true(nlm_position_solved(position));
    nlm_settings work;
    CHECK(nlm_settings_at_work(machine, sort, &work, &check_error));
    assert_int_equal(work.no_repeat, 0);
    assert_true(work.repeat_penalty == 1);
    nlm_position_free(position);
    nlm_agent_free(agent);
    nlm_machine_free(machine);
    free(first);
    free(second);
    nlm_rule_search_free(one);
    nlm_rule_search_free(two);
    nlm_machine_free(trained);
}

/* The other way to rules: hardening and elimination, as if none could be fitted. */
static void found_by_elimination(void **context)
{
    (void)context;
    nlm_settings settings;
    nlm_rule_search *search;
    CHECK(nlm_settings_of_game(nlm_game_find("sort"), NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.last_lesson = 6;
    nlm_machine *trained = make_sorting_machine();
    CHECK(nlm_rule_search_new(trained, &settings, NULL, &search, &check_error));
    search->policy->fitted.stage = FITTED_NOT_FOUND;
    search->policy->fitted.solved = 1;
    bool hardened = false;
    while (nlm_rule_search_stage(search) < NLM_RULES_FOUND) {
        CHECK(nlm_rule_search_step(search, &check_error));
        hardened |= nlm_rule_search_stage(search) == NLM_RULES_HARDENING;
    }
    assert_true(hardened);
    nlm_machine_free(found_machine(search, "sort"));
    nlm_rule_search_free(search);
    nlm_machine_free(trained);
}

/* The agent is a list of four rules, of which the last makes any move to a neighbour; of paths of at most
 * three edges it needs three. */
static void fitted(void **context)
{
    (void)context;
    const nlm_game *path = nlm_game_find("path");
    nlm_settings settings;
    nlm_machine *trained;
    nlm_program *program = rules_of(path, path_rules_text, 4);
    CHECK(policy_compile(program, &trained, &check_error));
    CHECK(nlm_settings_of_game(path, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.last_lesson = 8;
    nlm_rule_search *search = search_to_end(trained, &settings, 1);
    assert_int_equal(search->policy->fitted.stage, FITTED_FOUND);
    const nlm_program *found = nlm_rule_search_program(search);
    assert_int_equal(nlm_program_measure(found).literals, 18);
    char *text = found_text(search, NLM_CLAUSES);
    assert_non_null(strstr(text, "move_2(X) :- edge(X, Y), edge(X, Z), current(Y), target(Z).\n"));
    assert_non_null(strstr(text, "move_4(X) :- edge(X, Y), current(Y).\n"));
    free(text);
    nlm_machine_free(found_machine(search, "path"));
    nlm_rule_search_free(search);
    nlm_machine_free(trained);
    nlm_program_free(program);
}

/* An agent that knows nothing solves hardly anything; one whose scores are all 0 makes the first move,
 * always.
 */
static void nothing_solved(void **context)
{
    (void)context;
    const nlm_game *sort = nlm_game_find("sort");
    nlm_settings settings;
    CHECK(nlm_settings_of_game(sort, NLM_PROTOCOL_BEST, &settings, &check_error));
    settings.first_lesson = 6;
    nlm_machine *machine = make_agent_machine(sort, 0, 1);
    nlm_rule_search *search = search_to_end(machine, &settings, 1);
    assert_int_equal(nlm_rule_search_stage(search), NLM_RULES_NOT_FOUND);
    assert_non_null(strstr(nlm_rule_search_reason(search), "solves no instance"));
    nlm_rule_search_free(search);
    nlm_machine_free(machine);
}

/* Agents whose moves are scored by pairs of twins have no rules. */
static void not_found(void **context)
{
    (void)context;
    const nlm_game *blocks = nlm_game_find("blocks");
    nlm_settings settings;
    nlm_rule_search *search;
    nlm_error error;
    CHECK(nlm_settings_of_game(blocks, NLM_PROTOCOL_BEST, &settings, &check_error));
    nlm_machine *machine = make_agent_machine(blocks, 1, 1);
    assert_int_equal(nlm_rule_search_new(machine, &settings, NULL, &search, &error), NLM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "blocks"));
    nlm_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machine_plays_as_rules),
                                       cmocka_unit_test(proved),
                                       cmocka_unit_test(found),
                                       cmocka_unit_test(found_by_elimination),
                                       cmocka_unit_test(fitted),
                                       cmocka_unit_test(nothing_solved),
                                       cmocka_unit_test(not_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

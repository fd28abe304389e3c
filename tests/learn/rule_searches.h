/* For the tests of searches for rules: a search that has ended, and its model file. */
#ifndef TESTS_LEARN_RULE_SEARCHES_H
#define TESTS_LEARN_RULE_SEARCHES_H

#include <unistd.h>
#include "nlm/rules.h"
#include "test.h"

/* Of 0 threads: without options. */
static inline nlm_rule_search *search_to_end(const nlm_machine *machine, const nlm_settings *settings,
                                             int threads)
{
    nlm_rule_search *search;
    const nlm_options options = {.threads = threads};
    CHECK(nlm_rule_search_new(machine, settings, threads ? &options : NULL, &search, &check_error));
    while (nlm_rule_search_stage(search) < NLM_RULES_FOUND)
        CHECK(nlm_rule_search_step(search, &check_error));
    return search;
}

/* What was found in a language; free it. */
static inline char *found_text(const nlm_rule_search *search, nlm_language language)
{
    char *text;
    assert_int_equal(nlm_rule_search_stage(search), NLM_RULES_FOUND);
    CHECK(nlm_program_text(nlm_rule_search_program(search), language, &text, &check_error));
    return text;
}

/* The model of the search's file, which has the program and is proved to compute it. */
static inline nlm_machine *found_machine(nlm_rule_search *search, const char *task)
{
    char path[] = "/tmp/nlm-rules-XXXXXX";
    nlm_machine *machine;
    nlm_program *program;
    nlm_signature *signature;
    nlm_proof *proof;
    close(mkstemp(path));
    CHECK(nlm_rule_search_save(search, path, (const char *const[]){"task", task}, 1, &check_error));
    CHECK(nlm_machine_load(path, &machine, &check_error));
    assert_true(nlm_machine_has_program(machine));
    CHECK(nlm_program_in(machine, path, &program, &check_error));
    CHECK(nlm_program_names(machine, path, &signature, &check_error));
    CHECK(nlm_prove(machine, signature, program, &proof, &check_error));
    assert_int_equal(proof->verdict, NLM_PROVED);
    nlm_proof_free(proof);
    nlm_signature_free(signature);
    nlm_program_free(program);
    unlink(path);
    return machine;
}

#endif

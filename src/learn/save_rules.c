/* Model files of programs that searches have found.
 *
 * The compiled machine is what a file's tensors are; the trained one is a single tensor beside them, which
 * readers of models ignore, with its size as settings: so nlm_settings_of_machine gives the settings of the
 * run whatever the compiled machine looks like. */
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include "base/error.h"
#include "infer/model_program.h"
#include "learn/find_alternatives.h"
#include "learn/picture_rules.h"
#include "learn/policy_rules.h"
#include "learn/rule_search.h"
#include "learn/run.h"
#include "learn/settings.h"
#include "logic/policy.h"
#include "machine/machine.h"
#include "machine/model_file.h"
#include "machine/sensing.h"

enum { MOST_SPEC_ROWS = 8 };

#define SOFT_TENSOR "soft" /* all parameters of the trained machine, in the order of its tensors */

/* The spec that was learned with, as settings: learned_depth, learned_width, ... */
static int add_learned_spec(const nlm_settings *settings, char texts[][NLM_SETTING_TEXT], char keys[][48],
                            const char **pairs)
{
    const struct settings_table table = settings_table_of(settings);
    int count = 0;
    for (const nlm_setting *row = NULL; (row = setting_next(&table, row)) != NULL;)
        if (model_is_own_key(row->name) && count < MOST_SPEC_ROWS) {
            setting_print(row, settings, texts[count]);
            snprintf(keys[count], sizeof keys[count], LEARNED_PREFIX "%s", row->name);
            pairs[2 * count] = keys[count];
            pairs[2 * count + 1] = texts[count];
            count++;
        }
    return count;
}

/* The machine of the program; behind the network that sees the pictures, if there are such. */
static nlm_status compile_found(const nlm_rule_search *search, const nlm_program *program,
                                nlm_machine **compiled, nlm_error *error)
{
    nlm_machine *units = NULL;
    nlm_status status = search->policy ? policy_compile(program, &units, error)
                                       : nlm_program_compile(program, 0, &units, error);
    *compiled = units;
    if (status == NLM_OK && search->sees_pictures) {
        status = machine_with_sense(units, search->soft, search->bound, compiled, error);
        nlm_machine_free(units);
    }
    return status;
}

nlm_status nlm_rule_search_save(nlm_rule_search *search, const char *path, const char *const *metadata,
                                int pairs, nlm_error *error)
{
    REQUIRE(search && path, error);
    if (search->stage != NLM_RULES_FOUND)
        return error_set(error, NLM_BAD_ARGUMENT, "no program was found");
    const nlm_machine *soft = search->soft;
    const nlm_program *program = nlm_rule_search_program(search);
    const int given = pairs > 0 ? pairs : soft->metadata_pairs;
    const char *const *from = pairs > 0 ? metadata : (const char *const *)soft->metadata;
    const char **all = memory_new((size_t)given + MOST_SPEC_ROWS + 5, 2 * sizeof *all);
    char contradicted[NLM_SETTING_TEXT];
    char texts[MOST_SPEC_ROWS][NLM_SETTING_TEXT], keys[MOST_SPEC_ROWS][48];
    char *clauses = NULL, *alternatives = NULL, *seen = NULL;
    nlm_machine *compiled = NULL;
    int count = 0;
    nlm_status status = all ? nlm_program_text(program, NLM_PROLOG, &clauses, error) : error_no_memory(error);
    if (status == NLM_OK)
        status = alternatives_text(search->alternatives, &alternatives, error);
    if (status == NLM_OK && search->rows)
        status = rows_text(search->rows, &seen, error);
    if (status == NLM_OK)
        status = compile_found(search, program, &compiled, error);
    if (status == NLM_OK) {
        for (int i = 0; i < given; i++)
            if (!model_is_own_key(from[2 * i])) {
                all[2 * count] = from[2 * i];
                all[2 * count++ + 1] = from[2 * i + 1];
            }
        count += add_learned_spec(search->settings, texts, keys, all + 2 * count);
        all[2 * count] = RULES_KEY;
        all[2 * count++ + 1] = clauses;
        all[2 * count] = ALTERNATIVES_KEY;
        all[2 * count + 1] = alternatives;
        count += alternatives != NULL; /* a game has none */
        all[2 * count] = ROWS_KEY;
        all[2 * count + 1] = seen;
        count += seen != NULL;
        all[2 * count] = SIGHTS_KEY;
        all[2 * count + 1] = search->sights;
        count += search->sights != NULL;
        snprintf(contradicted, sizeof contradicted, "%d", search->contradicted);
        all[2 * count] = CONTRADICTED_KEY;
        all[2 * count + 1] = contradicted;
        count += search->is_noisy;
        const safetensors_entry weights = {.name = SOFT_TENSOR,
                                           .dimensions = 1,
                                           .shape = {(int64_t)soft->parameters},
                                           .values = soft->values};
        status = machine_save_with(compiled, path, all, count, &weights, 1, error);
    }
    nlm_machine_free(compiled);
    free(clauses);
    free(alternatives);
    free(seen);
    memory_free(all);
    return status;
}

int nlm_contradicted_labels(const nlm_machine *machine)
{
    const char *text = machine ? nlm_machine_metadata(machine, CONTRADICTED_KEY) : NULL;
    uint64_t number;
    return text && run_get_digits(&text, &number) && !*text && number <= INT_MAX ? (int)number : -1;
}

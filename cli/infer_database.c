#include "infer_database.h"
#include <stdio.h>
#include "message.h"
#include "system.h"

static void tell_table(void *context, const char *target, const char *table, size_t rows)
{
    (void)context;
    printf("%s: %s conclusion%s in table %s\n", target, text_of_count(rows), plural(rows), table);
}

/* The program of the file, if it is proved to be what the model computes. */
static bool read_program(const char *model, nlm_program **program)
{
    nlm_machine *machine;
    nlm_proof *proof = NULL;
    nlm_error error;
    if (!message_ok("infer", nlm_machine_load(model, &machine, &error), &error))
        return false;
    bool good = message_ok("infer", nlm_prove_model(machine, model, &proof, &error), &error);
    if (good && proof->verdict != NLM_PROVED) {
        message_error(
            "infer: %s: its rules are not proved to be what it computes; 'nlm prove' says what is missing",
            model);
        good = false;
    }
    nlm_proof_free(proof);
    good = good && message_ok("infer", nlm_program_in(machine, model, program, &error), &error);
    nlm_machine_free(machine);
    return good;
}

bool infer_in_database(const char *model, const nlm_database_request *request)
{
    nlm_program *program;
    nlm_error error;
    if (!read_program(model, &program))
        return false;
    waiting_begin("infer: joining in the database");
    const nlm_status status = nlm_database_conclude(program, request, tell_table, NULL, &error);
    waiting_end();
    nlm_program_free(program);
    return message_ok("infer", status, &error);
}

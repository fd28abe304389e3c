/* nlm rules: the program that differentiable ILP has learned, as Prolog. */
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "options.h"

static const char help[] =
    "Prints the clauses that differentiable ILP has learned (nlm train --model dilp), each with its\n"
    "probability, as a Prolog program.  With the facts of a world the program draws the conclusions of\n"
    "the model, provided that every clause has a probability near 1 (the last line names the number of\n"
    "undecided ones) and that nothing new follows after the model's last step.  Programs with a negated\n"
    "predicate need facts object/1 for the objects of the world.";

static nlm_status print_json(void *context, const nlm_clause *clause, nlm_error *error)
{
    (void)error;
    ++*(int *)context;
    json_print(
        stdout,
        "{\"clause\": %s, \"predicate\": %s, \"arity\": %d, \"template\": %d, \"probability\": %.6f}\n",
        clause->text, clause->predicate, clause->arity, clause->template_number + 1, clause->probability);
    return NLM_OK;
}

int command_rules(int argc, char **argv)
{
    double least = 0.1;
    bool json = false;
    const option_row rows[] = {
        {"least", "P", "least probability of a printed clause (0.1)", OPTION_REAL, &least, .least = 0,
         .most = 1},
        {"json", NULL, "print JSON, one object per clause", OPTION_FLAG, .value = &json},
    };
    const command_usage usage = {"rules", "MODEL", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, end, clauses = 0;
    nlm_machine *machine;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &end))
        return end;
    const char *path = argv[first];
    if (!message_ok("rules", nlm_machine_load(path, &machine, &error), &error))
        return EXIT_FAILURE;
    const nlm_status status = json ? nlm_machine_clauses(machine, least, print_json, &clauses, &error)
                                   : nlm_clauses_write(stdout, machine, path, least, &clauses, &error);
    nlm_machine_free(machine);
    if (status != NLM_OK)
        message_error("rules: %s: %s", path, error.message);
    else if (clauses == 0)
        message_note("rules: %s: no clause has a probability above %g", path, least);
    return status == NLM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

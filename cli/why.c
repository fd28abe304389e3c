/* nlm why: the derivation of a conclusion, or the literals that fail. */
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "message.h"
#include "options.h"
#include "read_facts.h"

static const char help[] =
    "Prints why ATOM, such as 'uncle(ann, bob)', follows from the facts by the rules of the model: a tree\n"
    "with facts at its leaves.  If it does not follow, prints the literals that fail, for the clauses and\n"
    "objects that come nearest.  The model must be a program: 'nlm prove' says whether it is.";

typedef struct question {
    const char *model, *path, *atom;
    bool json;
    nlm_machine *machine;
    nlm_signature *signature;
    nlm_program *program;
    nlm_problem *problem;
    nlm_why *why;
} question;

static nlm_status read_program(question *of, nlm_error *error)
{
    nlm_status status = nlm_machine_load(of->model, &of->machine, error);
    if (status == NLM_OK && nlm_machine_spec(of->machine)->sense != NULL)
        return message_fill(error, NLM_BAD_ARGUMENT,
                            "%s reads pictures: what its network sees in them is no fact that a derivation "
                            "could end with",
                            of->model);
    if (status == NLM_OK)
        status = nlm_signature_of_model(of->machine, of->model, &of->signature, error);
    return status == NLM_OK ? nlm_program_of_model(of->machine, of->model, &of->program, error) : status;
}

/* The first world that has the objects. */
static nlm_status answer(question *of, nlm_error *error)
{
    nlm_status status = NLM_OK;
    int target, tuple[NLM_MAX_BREADTH];
    for (int w = 0; w < nlm_problem_worlds(of->problem); w++) {
        nlm_why_free(of->why);
        of->why = NULL;
        status = nlm_why_new(of->program, of->signature, nlm_problem_world(of->problem, w), &of->why, error);
        if (status == NLM_OK)
            status = nlm_why_atom(of->why, of->atom, &target, tuple, error);
        if (status == NLM_OK)
            return nlm_why_write(of->why, target, tuple, of->json, stdout, NULL, error);
    }
    return status;
}

int command_why(int argc, char **argv)
{
    question of = {0};
    const option_row rows[] = {
        {"json", NULL, "print the tree as one JSON object", OPTION_FLAG, .value = &of.json},
    };
    const command_usage usage = {"why", "MODEL PATH ATOM", help, rows, sizeof rows / sizeof rows[0], 3, 3};
    int first, end;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &end))
        return end;
    of.model = argv[first];
    of.path = argv[first + 1];
    of.atom = argv[first + 2];
    const bool good =
        message_ok("why", read_program(&of, &error), &error) &&
        problem_load("why", of.path, &(nlm_reading){.signature = of.signature}, true, &of.problem) &&
        message_ok("why", answer(&of, &error), &error);
    nlm_why_free(of.why);
    nlm_problem_free(of.problem);
    nlm_program_free(of.program);
    nlm_signature_free(of.signature);
    nlm_machine_free(of.machine);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

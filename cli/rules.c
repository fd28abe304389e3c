/* nlm rules: the program that differentiable ILP has learned, as Prolog. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "json_text.h"
#include "message.h"
#include "options.h"
#include "nlm/nlm.h"

enum { TEXT_SIZE = 400 };

#define DECIDED 0.9 /* the probability of a clause that leaves no doubt about the others of its template */

typedef struct listing {
    bool json;
    int rules, decided;
} listing;

static nlm_status print_rule(void *context, const nlm_rule *rule, nlm_error *error)
{
    listing *list = context;
    (void)error;
    if (list->json) {
        printf("{\"clause\": ");
        json_text(stdout, rule->text);
        printf(", \"predicate\": ");
        json_text(stdout, rule->predicate);
        printf(", \"arity\": %d, \"template\": %d, \"probability\": %.6f}\n", rule->arity,
               rule->template_number + 1, rule->probability);
    } else {
        printf("%-60s %% %.4f\n", rule->text, rule->probability);
    }
    list->rules++;
    list->decided += rule->probability > DECIDED;
    return NLM_OK;
}

/* Recursive definitions are to be tabled: Prolog would go round in circles. */
static void print_tables(const nlm_program *program)
{
    for (int d = 0; d < program->definitions; d++)
        printf("%s%s/%d%s", d == 0 ? ":- table " : ", ", program->definition[d].name,
               program->definition[d].arity, d + 1 < program->definitions ? "" : ".\n");
}

/* A world may have no fact of an input; to Prolog that would be an error. */
static void print_inputs(const nlm_program *program)
{
    int printed = 0;
    for (int g = 0; g < program->givens; g++) {
        const nlm_given *given = &program->given[g];
        if (!given->negated)
            printf("%s%s/%d", printed++ == 0 ? ":- dynamic " : ", ", given->name, given->arity);
    }
    if (printed > 0)
        puts(".");
}

static const char *variables_text(int arity)
{
    static const char *const texts[] = {"", "(X)", "(X,Y)"};
    return texts[arity];
}

/* What is given beside the facts: negations, over the objects that object/1 names. */
static void print_negations(const nlm_program *program)
{
    for (int g = 0; g < program->givens; g++) {
        const nlm_given *given = &program->given[g];
        if (!given->negated)
            continue;
        const char *variables = variables_text(given->arity);
        const char *objects = given->arity == 0   ? ""
                              : given->arity == 1 ? "object(X), "
                                                  : "object(X), object(Y), X \\== Y, ";
        char text[TEXT_SIZE];
        nlm_given_text(given, text, sizeof text);
        printf("%s%s :- %s\\+ %s%s.\n", text, variables, objects, given->name, variables);
    }
}

/* "likes_aa(A) :- likes(A,A)." for an input that repeats an object, which clauses call by a name of its own:
 * given predicates are the inputs, by arity. */
static void print_repeated(const nlm_machine *machine, const char *path)
{
    const nlm_program *program = nlm_machine_spec(machine)->program;
    nlm_signature *signature;
    if (nlm_signature_of_model(machine, path, &signature, NULL) != NLM_OK)
        return; /* it does not say what its inputs are called */
    const int inputs = nlm_signature_inputs(signature);
    for (int arity = 0, g = 0; arity <= NLM_MAX_BREADTH; arity++) {
        for (int p = 0; p < inputs && g < program->givens; p++) {
            const nlm_predicate *of = nlm_signature_input(signature, p);
            char text[TEXT_SIZE];
            if (of->objects != arity)
                continue;
            const char *name = program->given[g++].name;
            if (of->objects < of->arity && !of->is_type &&
                nlm_predicate_text(of, text, sizeof text) < sizeof text)
                printf(":- dynamic %.*s/%d.\n%s%s :- %s.\n", (int)(strrchr(text, '(') - text), text,
                       of->arity, name, arity == 1 ? "(A)" : "(A,B)", text);
        }
    }
    nlm_signature_free(signature);
}

static void print_head(const char *path, const nlm_machine *machine, double least)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    printf("%% %s: learned by differentiable ILP; clauses with a probability above %g, which stands behind "
           "them\n",
           path, least);
    if (!spec->program->steps_by_objects)
        printf("%% the model chains in %d step%s, Prolog as far as it comes\n", spec->depth,
               spec->depth == 1 ? "" : "s");
    print_tables(spec->program);
    print_inputs(spec->program);
    print_negations(spec->program);
    print_repeated(machine, path);
}

/* Each template stands for one clause; while several share its probability, the model is no program yet. */
static void print_undecided(const nlm_program *program, const listing *list, double least)
{
    int templates = 0;
    for (int d = 0; d < program->definitions; d++)
        templates += program->definition[d].templates;
    if (list->decided < templates && least < DECIDED)
        printf(
            "%% %d of %d clauses decided: the model weighs several for the others, and Prolog, which has no "
            "weights,\n%% may conclude more than it does, or less\n",
            list->decided, templates);
}

#define RULES_HELP                                                                                           \
    "Prints the clauses that differentiable ILP has learned (nlm train --model dilp), each with its\n"       \
    "probability, as a program for Prolog.  With the facts of a world it concludes what the model does,\n"   \
    "if each clause is decided (a probability near 1; a last line says if some are not), and unless more\n"  \
    "steps than the model takes conclude more.  Where the negation of a predicate is used, object/1 is to\n" \
    "name the objects of the world."

int command_rules(int argc, char **argv)
{
    double least = 0.1;
    listing list = {0};
    const option_row rows[] = {
        {"least", "P", "only clauses with a probability above this (0.1)", OPTION_REAL, &least, .least = 0,
         .most = 1},
        {"json", NULL, "one JSON object per clause", OPTION_FLAG, .value = &list.json},
    };
    const command_usage usage = {"rules", "MODEL", RULES_HELP, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    nlm_machine *machine;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    const char *path = argv[first];
    if (nlm_machine_load(path, &machine, &error) != NLM_OK) {
        message_error("rules: %s", error.message);
        return EXIT_FAILURE;
    }
    const nlm_program *program = nlm_machine_spec(machine)->program;
    if (program != NULL && !list.json)
        print_head(path, machine, least);
    status = EXIT_SUCCESS;
    if (nlm_machine_rules(machine, least, print_rule, &list, &error) != NLM_OK) {
        message_error("rules: %s: %s", path, error.message);
        status = EXIT_FAILURE;
    } else if (list.rules == 0) {
        message_note("rules: %s: no clause has a probability above %g", path, least);
    }
    if (status == EXIT_SUCCESS && !list.json)
        print_undecided(program, &list, least);
    nlm_machine_free(machine);
    return status;
}

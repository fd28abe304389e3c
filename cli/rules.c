/* nlm rules: the program that differentiable ILP has learned, as Prolog. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "options.h"
#include "nlm/nlm.h"

enum { TEXT_SIZE = 400, CLAUSE_WIDTH = 60 };

#define DECIDED 0.9 /* the probability of a clause that leaves no doubt about the others of its template */

typedef struct listing {
    const nlm_program_template *program;
    const nlm_signature *signature; /* NULL: the model does not say what its inputs are called */
    bool json;
    int rules;
    bool *defined; /* of each definition: whether it has a clause */
} listing;

/* ---- inputs ---- */

/* The input that a given predicate is: given ones are the inputs, by arity.  NULL for a negation. */
static const nlm_predicate *input_of(const listing *list, int given)
{
    const nlm_given *all = list->program->given;
    int before = 0;
    if (list->signature == NULL || all[given].negated)
        return NULL;
    for (int g = 0; g < given; g++)
        before += all[g].arity == all[given].arity;
    for (int p = 0; p < nlm_signature_inputs(list->signature); p++) {
        const nlm_predicate *input = nlm_signature_input(list->signature, p);
        if (input->objects == all[given].arity && before-- == 0)
            return input;
    }
    return NULL;
}

/* Whether the predicate is also an input in a form that repeats an object, likes(A,A) beside likes/2. */
static bool is_repeated_too(const nlm_signature *signature, const nlm_predicate *plain)
{
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const nlm_predicate *other = nlm_signature_input(signature, p);
        if (!other->is_type && other->objects < other->arity && other->arity == plain->arity &&
            strcmp(other->name, plain->name) == 0)
            return true;
    }
    return false;
}

/* ---- clauses ---- */

/* Whether the atom that ends here, "... likes(X,Y", is of an input of which facts may have one object twice,
 * which to the model are facts of another. */
static bool is_to_be_apart(const listing *list, const char *text, const char *end)
{
    enum { ARGUMENTS = 4 }; /* bytes of "(X,Y" */
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *input = input_of(list, g);
        const char *name = list->program->given[g].name;
        const size_t length = strlen(name);
        if (list->program->given[g].arity == 2 && input != NULL && input->objects == input->arity &&
            (size_t)(end - text) > length + ARGUMENTS && end[-ARGUMENTS] == '(' &&
            end[-ARGUMENTS - (ptrdiff_t)length - 1] == ' ' &&
            memcmp(end - ARGUMENTS - length, name, length) == 0 && is_repeated_too(list->signature, input))
            return true;
    }
    return false;
}

/* A clause as Prolog is to have it: "p(X,Y) :- likes(X,Y), X \== Y."  The result is its length. */
static int print_clause(const listing *list, const char *text)
{
    int length = 0;
    const char *from = text;
    for (const char *end = strchr(from, ')'); end != NULL; end = strchr(from, ')')) {
        length += printf("%.*s", (int)(end + 1 - from), from);
        if (is_to_be_apart(list, text, end))
            length += printf(", %c \\== %c", end[-3], end[-1]);
        from = end + 1;
    }
    return length + printf("%s", from);
}

static nlm_status print_rule(void *context, const nlm_clause *rule, nlm_error *error)
{
    listing *list = context;
    (void)error;
    if (list->json) {
        printf("{\"clause\": ");
        nlm_json_text(stdout, rule->text);
        printf(", \"predicate\": ");
        nlm_json_text(stdout, rule->predicate);
        printf(", \"arity\": %d, \"template\": %d, \"probability\": %.6f}\n", rule->arity,
               rule->template_number + 1, rule->probability);
    } else {
        const int left = CLAUSE_WIDTH - print_clause(list, rule->text);
        printf("%*s %% %.4f\n", left > 0 ? left : 0, "", rule->probability);
    }
    list->rules++;
    for (int d = 0; d < list->program->definitions; d++) {
        const nlm_definition *of = &list->program->definition[d];
        list->defined[d] |= of->arity == rule->arity && strcmp(of->name, rule->predicate) == 0;
    }
    return NLM_OK;
}

/* ---- what Prolog is to know before ---- */

/* Whether it is one of words between spaces. */
static bool is_among(const char *words, const char *name)
{
    char word[TEXT_SIZE];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(words, word) != NULL;
}

/* To Prolog these are operators, which stand in brackets where they are not used as such ... */
static const char operators[] =
    " as discontiguous div dynamic initialization is meta_predicate mod module_transparent multifile public "
    "rdiv rem table thread_initialization thread_local volatile xor ";

/* ... and these its own predicates, which it does not let others define unasked. */
static const char protected[] =
    " abolish asserta assertz atom atomic call callable clause close compound discontiguous dynamic fail "
    "false float ground halt initialization integer is keysort length multifile nl nonvar number once "
    "phrase read repeat retract retractall sort throw true var write writeq ";

/* "NAME/ARITY" with what stands before it, the first time or another. */
static void print_indicator(const char *first, int *printed, const char *name, int arity)
{
    printf(is_among(operators, name) ? "%s(%s)/%d" : "%s%s/%d", (*printed)++ == 0 ? first : ", ", name,
           arity);
}

/* Recursive definitions are to be tabled: Prolog would go round in circles. */
static void print_definitions(const nlm_program_template *program)
{
    static const char *const arguments[] = {"", "(_)", "(_,_)"};
    int printed = 0;
    for (int d = 0; d < program->definitions; d++) {
        const nlm_definition *of = &program->definition[d];
        if (is_among(protected, of->name))
            printf(":- redefine_system_predicate(%s%s).\n", of->name, arguments[of->arity]);
    }
    for (int d = 0; d < program->definitions; d++)
        print_indicator(":- table ", &printed, program->definition[d].name, program->definition[d].arity);
    puts(".");
}

/* A world may have no fact of an input, which to Prolog would be an error.  What has a type is not among the
 * facts as the model reads it, so that to declare it would hide that nobody says it. */
static void print_inputs(const listing *list)
{
    int printed = 0;
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_given *given = &list->program->given[g];
        const nlm_predicate *input = input_of(list, g);
        if (!given->negated && (input == NULL || !input->is_type))
            print_indicator(":- dynamic ", &printed, given->name, given->arity);
    }
    if (printed > 0)
        puts(".");
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *input = input_of(list, g);
        if (input != NULL && input->is_type)
            printf("%% beside the facts, %s/1 is to hold of the objects of that type\n",
                   list->program->given[g].name);
    }
}

static const char *variables_text(int arity)
{
    static const char *const texts[] = {"", "(X)", "(X,Y)"};
    return texts[arity];
}

/* What is given beside the facts: negations, over the objects that object/1 names. */
static void print_negations(const nlm_program_template *program)
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

/* "likes_aa(A) :- likes(A,A)." for an input that repeats an object, which clauses call by a name of its own.
 * The predicate itself is always an input too, and declared; with more arguments the model would refuse it.
 */
static void print_repeated(const listing *list)
{
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *of = input_of(list, g);
        char text[TEXT_SIZE];
        if (of != NULL && of->objects < of->arity && !of->is_type &&
            nlm_predicate_text(of, text, sizeof text) < sizeof text)
            printf("%s(A) :- %s.\n", list->program->given[g].name, text);
    }
}

static void print_head(const char *path, const nlm_machine *machine, const listing *list, double least)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    printf("%% %s: learned by differentiable ILP; clauses with a probability above %g, printed after each\n",
           path, least);
    if (!spec->program->steps_by_objects)
        printf("%% the model applies the rules %d time%s; Prolog until nothing new follows\n", spec->depth,
               spec->depth == 1 ? "" : "s");
    print_definitions(list->program);
    print_inputs(list);
    print_negations(list->program);
    print_repeated(list);
}

/* ---- what is left open ---- */

static nlm_status count_rule(void *context, const nlm_clause *rule, nlm_error *error)
{
    (void)rule, (void)error;
    ++*(int *)context;
    return NLM_OK;
}

/* Definitions without a clause, which Prolog is to take for false.  And each template stands for one clause:
 * while several share its probability, the model is no program yet. */
static void print_end(const nlm_machine *machine, const listing *list)
{
    int templates = 0, decided = 0, printed = 0;
    for (int d = 0; d < list->program->definitions; d++) {
        const nlm_definition *of = &list->program->definition[d];
        templates += of->templates;
        if (!list->defined[d])
            print_indicator(":- dynamic ", &printed, of->name, of->arity);
    }
    if (printed > 0)
        puts(".");
    nlm_machine_clauses(machine, DECIDED, count_rule, &decided, NULL);
    if (decided < templates)
        printf("%% undecided, %d of %d: several clauses share the probability there, so the conclusions of "
               "Prolog,\n%% which has no weights, may differ from the model's\n",
               templates - decided, templates);
}

#define RULES_HELP                                                                                           \
    "Prints the clauses that differentiable ILP has learned (nlm train --model dilp), each with its\n"       \
    "probability, as a Prolog program.  With the facts of a world the program draws the conclusions of\n"    \
    "the model, provided that every clause has a probability near 1 (the last line names the number of\n"    \
    "undecided ones) and that nothing new follows after the model's last step.  Programs with a negated\n"   \
    "predicate need facts object/1 for the objects of the world."

static int print_program(const char *path, const nlm_machine *machine, const listing *given, double least)
{
    listing list = *given;
    nlm_error error;
    int status = EXIT_FAILURE;
    if (list.program != NULL && (list.defined = calloc((size_t)list.program->definitions, 1)) == NULL) {
        message_error("rules: not enough memory");
        return EXIT_FAILURE;
    }
    if (list.program != NULL && !list.json)
        print_head(path, machine, &list, least);
    if (nlm_machine_clauses(machine, least, print_rule, &list, &error) != NLM_OK)
        message_error("rules: %s: %s", path, error.message);
    else
        status = EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && list.rules == 0)
        message_note("rules: %s: no clause has a probability above %g", path, least);
    if (status == EXIT_SUCCESS && !list.json)
        print_end(machine, &list);
    free(list.defined);
    return status;
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
    const command_usage usage = {"rules", "MODEL", RULES_HELP, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    nlm_machine *machine;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (nlm_machine_load(argv[first], &machine, &error) != NLM_OK) {
        message_error("rules: %s", error.message);
        return EXIT_FAILURE;
    }
    nlm_signature *signature = NULL;
    if (nlm_signature_of_model(machine, argv[first], &signature, NULL) != NLM_OK)
        signature = NULL;
    const listing list = {
        .program = nlm_machine_spec(machine)->program, .signature = signature, .json = json};
    status = print_program(argv[first], machine, &list, least);
    nlm_signature_free(signature);
    nlm_machine_free(machine);
    return status;
}

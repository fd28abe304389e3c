/* The program that differentiable ILP has learned, as Prolog.
 *
 * Clauses are preceded by what Prolog has to know: which definitions are tabled, which inputs may have no
 * facts, negations, and inputs that repeat an object under the name that clauses call them by. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "infer/clauses_write.h"
#include "logic/print_prolog.h"
#include "nlm/infer.h"

enum { TEXT_SIZE = 400, CLAUSE_WIDTH = 60 };

/* ---- inputs ---- */

const nlm_predicate *clauses_input(const struct clause_list *list, int given)
{
    const nlm_given *all = list->program->given;
    int before = 0;
    if (!list->signature || all[given].negated)
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
            !strcmp(other->name, plain->name))
            return true;
    }
    return false;
}

/* ---- clauses ---- */

/* Whether the atom that ends here, "... likes(X,Y", is of an input of which facts may have one object twice,
 * which to the model are facts of another. */
static bool is_to_be_apart(const struct clause_list *list, const char *text, const char *end)
{
    enum { ARGUMENTS = 4 }; /* bytes of "(X,Y" */
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *input = clauses_input(list, g);
        const char *name = list->program->given[g].name;
        const size_t length = strlen(name);
        if (list->program->given[g].arity == 2 && input && input->objects == input->arity &&
            (size_t)(end - text) > length + ARGUMENTS && end[-ARGUMENTS] == '(' &&
            end[-ARGUMENTS - (ptrdiff_t)length - 1] == ' ' &&
            !memcmp(end - ARGUMENTS - length, name, length) && is_repeated_too(list->signature, input))
            return true;
    }
    return false;
}

/* A clause as Prolog is to have it: "p(X,Y) :- likes(X,Y), X \\== Y."  The result is its length. */
static int write_text(const struct clause_list *list, const char *text)
{
    int length = 0;
    const char *from = text;
    for (const char *end = strchr(from, ')'); end; end = strchr(from, ')')) {
        length += fprintf(list->stream, "%.*s", (int)(end + 1 - from), from);
        if (is_to_be_apart(list, text, end))
            length += fprintf(list->stream, ", %c \\== %c", end[-3], end[-1]);
        from = end + 1;
    }
    return length + fprintf(list->stream, "%s", from);
}

static nlm_status write_clause(void *context, const nlm_clause *clause, nlm_error *error)
{
    struct clause_list *list = context;
    (void)error;
    const int left = CLAUSE_WIDTH - write_text(list, clause->text);
    fprintf(list->stream, "%*s %% %.4f\n", left > 0 ? left : 0, "", clause->probability);
    list->clauses++;
    for (int d = 0; d < list->program->definitions; d++) {
        const nlm_definition *of = &list->program->definition[d];
        list->defined[d] |= of->arity == clause->arity && !strcmp(of->name, clause->predicate);
    }
    return NLM_OK;
}

/* ---- what Prolog is to know before ---- */

/* Recursive definitions are to be tabled: Prolog would go round in circles. */
static void write_definitions(FILE *stream, const nlm_program_template *program)
{
    int printed = 0;
    for (int d = 0; d < program->definitions; d++)
        prolog_write_redefinition(stream, program->definition[d].name, program->definition[d].arity);
    for (int d = 0; d < program->definitions; d++)
        prolog_write_indicator(stream, ":- table ", &printed, program->definition[d].name,
                               program->definition[d].arity);
    fputs(".\n", stream);
}

/* A world may have no fact of an input, which to Prolog would be an error.  What has a type is not among the
 * facts as the model reads it, so that to declare it would hide that nobody says it. */
static void write_inputs(const struct clause_list *list)
{
    int printed = 0;
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_given *given = &list->program->given[g];
        const nlm_predicate *input = clauses_input(list, g);
        if (!given->negated && (!input || !input->is_type))
            prolog_write_indicator(list->stream, ":- dynamic ", &printed, given->name, given->arity);
    }
    if (printed > 0)
        fputs(".\n", list->stream);
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *input = clauses_input(list, g);
        if (input && input->is_type)
            fprintf(list->stream, "%% beside the facts, %s/1 is to hold of the objects of that type\n",
                    list->program->given[g].name);
    }
}

void clauses_write_negations(FILE *stream, const nlm_program_template *program)
{
    static const char *const variables[] = {"", "(X)", "(X,Y)"};
    static const char *const objects[] = {"", "object(X), ", "object(X), object(Y), X \\== Y, "};
    for (int g = 0; g < program->givens; g++) {
        const nlm_given *given = &program->given[g];
        if (!given->negated)
            continue;
        char text[TEXT_SIZE];
        nlm_given_text(given, text, sizeof text);
        fprintf(stream, "%s%s :- %s\\+ %s%s.\n", text, variables[given->arity], objects[given->arity],
                given->name, variables[given->arity]);
    }
}

/* The predicate itself is always an input too, and declared; with more arguments the model would refuse it.
 */
static void write_repeated(const struct clause_list *list)
{
    for (int g = 0; g < list->program->givens; g++) {
        const nlm_predicate *of = clauses_input(list, g);
        char text[TEXT_SIZE];
        if (of && of->objects < of->arity && !of->is_type &&
            nlm_predicate_text(of, text, sizeof text) < sizeof text)
            fprintf(list->stream, "%s(A) :- %s.\n", list->program->given[g].name, text);
    }
}

static void write_head(const char *name, const nlm_machine *machine, const struct clause_list *list,
                       double least)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    fprintf(list->stream,
            "%% %s: learned by differentiable ILP; clauses with a probability above %g, printed after each\n",
            name, least);
    if (!spec->program->steps_by_objects)
        fprintf(list->stream, "%% the model applies the rules %d time%s; Prolog until nothing new follows\n",
                spec->depth, spec->depth == 1 ? "" : "s");
    write_definitions(list->stream, list->program);
    write_inputs(list);
    clauses_write_negations(list->stream, list->program);
    write_repeated(list);
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
static void write_end(const nlm_machine *machine, const struct clause_list *list)
{
    int templates = 0, decided = 0, printed = 0;
    for (int d = 0; d < list->program->definitions; d++) {
        const nlm_definition *of = &list->program->definition[d];
        templates += of->templates;
        if (!list->defined[d])
            prolog_write_indicator(list->stream, ":- dynamic ", &printed, of->name, of->arity);
    }
    if (printed > 0)
        fputs(".\n", list->stream);
    (void)nlm_machine_clauses(machine, CLAUSE_DECIDED, count_rule, &decided, NULL);
    if (decided < templates)
        fprintf(list->stream,
                "%% undecided, %d of %d: several clauses share the probability there, so the conclusions of "
                "Prolog,\n%% which has no weights, may differ from the model's\n",
                templates - decided, templates);
}

nlm_status nlm_clauses_write(FILE *stream, const nlm_machine *machine, const char *name, double least,
                             int *clauses, nlm_error *error)
{
    REQUIRE(stream && machine && name && clauses, error);
    nlm_signature *signature = NULL; /* stays NULL if the model does not say what its inputs are called */
    struct clause_list list = {.program = nlm_machine_spec(machine)->program, .stream = stream};
    *clauses = 0;
    if (!list.program) /* says that there are none */
        return nlm_machine_clauses(machine, least, write_clause, &list, error);
    list.defined = memory_new((size_t)list.program->definitions, sizeof *list.defined);
    nlm_status status = list.defined ? NLM_OK : error_no_memory(error);
    if (!status && nlm_signature_of_model(machine, name, &signature, error) == NLM_NO_MEMORY)
        status = NLM_NO_MEMORY;
    if (!status) {
        list.signature = signature;
        write_head(name, machine, &list, least);
        status = nlm_machine_clauses(machine, least, write_clause, &list, error);
    }
    if (!status)
        write_end(machine, &list);
    *clauses = list.clauses;
    nlm_signature_free(signature);
    memory_free(list.defined);
    return status;
}

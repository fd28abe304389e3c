/* Any bytes as a templates.pl: refused with a message of one line, or templates that are in order; and what
 * differentiable ILP makes of them, or why it does not. */
#include "fuzz.h"
#include "baseline/dilp.h"
#include "syntax/atom.h"
#include "facts/templates.h"

static void check_name(const char *name, int arity)
{
    require(atom_is_predicate(name, strlen(name)));
    require(arity >= 0 && arity <= 2);
}

/* Small programs, for those of thousands of clauses take long. */
static void check_program(const nlm_program_template *program, int steps)
{
    enum { FEW = 5 };
    const int inputs[NLM_MAX_BREADTH + 1] = {0, 1, 1};
    struct dilp *dilp;
    nlm_error error = {0};
    if (program->givens > FEW || program->definitions > FEW)
        return;
    if (dilp_new(&dilp, program, inputs, steps > 0 ? steps : 1, &error)) {
        check_line(error.message);
        return;
    }
    if (dilp_admit(dilp, 3, &error))
        check_line(error.message);
    dilp_free(dilp);
}

static void check_templates(struct templates *templates)
{
    nlm_given inputs[] = {{"red", 1, false}, {"edge", 2, false}};
    nlm_program_template program;
    require(templates->steps >= 0 && templates->steps <= NLM_MAX_DEPTH);
    require(templates_program(templates, inputs, 2, &program, NULL) == NLM_OK);
    require(program.givens == 2 + templates->negations && program.definitions > 0);
    for (int i = 0; i < program.givens; i++) {
        check_name(program.given[i].name, program.given[i].arity);
        require(program.given[i].negated == (i >= 2));
    }
    for (int i = 0; i < program.definitions; i++) {
        const nlm_definition *definition = &program.definition[i];
        check_name(definition->name, definition->arity);
        require(definition->templates == 1 || definition->templates == 2);
        for (int t = 0; t < definition->templates; t++)
            require(definition->form[t].variables >= 0 && definition->form[t].variables <= 2);
    }
    check_program(&program, templates->steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct templates templates;
    nlm_error error = {0};
    if (templates_read_text((const char *)data, size, "fuzz", &templates, &error)) {
        check_refusal(&error, "fuzz:");
    } else {
        check_templates(&templates);
    }
    templates_free(&templates);
    return 0;
}

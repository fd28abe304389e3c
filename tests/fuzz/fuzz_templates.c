/* Any bytes as a templates.pl: refused with a message of one line, or templates that are in order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "facts/atom.h"
#include "facts/templates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        require(*c >= ' ' && *c != 0x7F);
}

static void check_name(const char *name, int arity)
{
    require(atom_is_predicate(name, strlen(name)));
    require(arity >= 0 && arity <= 2);
}

static void check_templates(struct templates *templates)
{
    nlm_given inputs[] = {{"red", 1, false}, {"edge", 2, false}};
    nlm_program program;
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct templates templates;
    nlm_error error = {0};
    if (templates_read_text((const char *)data, size, "fuzz", &templates, &error)) {
        require(error.status == NLM_BAD_FILE && !strncmp(error.message, "fuzz:", 5));
        check_line(error.message);
    } else {
        check_templates(&templates);
    }
    templates_free(&templates);
    return 0;
}

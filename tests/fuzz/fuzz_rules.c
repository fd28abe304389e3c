/* Any bytes as rules: refused with a message of one line, or a program in which each definition uses earlier
 * predicates only, that every language prints, and that is read again from printed Prolog.  The same bytes as
 * definitions that name what the program says. */
#include "fuzz.h"
#include "logic/program.h"
#include "syntax/atom.h"

static void check_program(const nlm_program *program)
{
    require(!program->store.failed && program->target_count > 0);
    for (int i = 0; i < program->predicate_count; i++) {
        const program_predicate *of = program_at(program, i);
        require(atom_is_predicate(of->name, strlen(of->name)));
        require(of->arity >= 0 && of->arity <= of->written && of->written <= FORMULA_MOST_ARITY);
        require(of->is_input == (i < program->input_count));
        require(of->is_input || formula_free(&program->store, of->body) >> of->arity == 0);
        for (int later = i; later < program->predicate_count && !of->is_input; later++)
            require(!formula_has(&program->store, of->body, later));
    }
    for (int t = 0; t < program->target_count; t++)
        require(!program_at(program, program->target[t])->is_input);
}

/* Names are asked for in what was read again; a target that never holds has no clause there. */
static void check_printed(const nlm_program *program)
{
    for (int language = NLM_PROLOG; language <= NLM_JSON; language++) {
        char *text;
        size_t size;
        nlm_program *again;
        FILE *stream = open_memstream(&text, &size);
        require(stream != NULL);
        require(nlm_program_print(stream, program, (nlm_language)language, NULL) == NLM_OK);
        fclose(stream);
        bool holds = language == NLM_PROLOG;
        for (int t = 0; t < program->target_count; t++)
            holds &= program_at(program, program->target[t])->body != FORMULA_FALSE;
        if (holds) {
            require(nlm_program_parse(text, size, "fuzz", NULL, &again, NULL) == NLM_OK);
            nlm_program_free(again);
        }
        free(text);
    }
}

static void check_named(const nlm_program *program, const char *text, size_t size)
{
    nlm_program *names, *made;
    nlm_error error = {0};
    int used;
    const nlm_program_reading reading = {.definitions = true};
    if (nlm_program_parse(text, size, "fuzz", &reading, &names, &error)) {
        check_refusal(&error, "fuzz:");
        return;
    }
    const nlm_status status = nlm_program_with_names(program, names, &used, &made, &error);
    require(status == NLM_OK || (status == NLM_BAD_ARGUMENT && !made));
    if (status == NLM_OK)
        check_program(made);
    nlm_program_free(made);
    nlm_program_free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_program *program;
    nlm_error error = {0};
    if (nlm_program_parse((const char *)data, size, "fuzz", NULL, &program, &error)) {
        require(program == NULL);
        check_refusal(&error, "fuzz:");
        return 0;
    }
    check_program(program);
    check_printed(program);
    check_named(program, (const char *)data, size);
    nlm_program_free(program);
    return 0;
}

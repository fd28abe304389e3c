/* Program templates of differentiable ILP: all of one in a single piece of memory.
 *
 *     nlm_program_template | definitions | givens | names, each with its end
 *
 * One memory_free frees it, and a copy needs one allocation.
 *
 * The JSON form is in program_template.h.  Reading checks types and limits alone; whether predicates and
 * templates make sense is checked in one place, when a model is made of them (baseline/dilp.c). */
#include "machine/program_template.h"

#include <limits.h>
#include <string.h>
#include "base/memory.h"

/* An empty program for these numbers of predicates, with room for `names` bytes of names. */
static nlm_program_template *new_program(size_t givens, size_t definitions, size_t names, char **next)
{
    /* names come last: they need no alignment */
    const size_t tables = givens * sizeof(nlm_given) + definitions * sizeof(nlm_definition);
    nlm_program_template *made = memory_new(1, sizeof *made + tables + names);
    if (!made)
        return NULL;
    nlm_definition *definition = (nlm_definition *)(made + 1);
    nlm_given *given = (nlm_given *)(definition + definitions);
    *made = (nlm_program_template){
        .givens = (int)givens, .definitions = (int)definitions, .given = given, .definition = definition};
    *next = (char *)(given + givens);
    return made;
}

/* Append a name; *next moves behind it. */
static const char *put_name(char **next, const char *name)
{
    char *put = *next;
    const size_t size = strlen(name) + 1;
    memcpy(put, name, size);
    *next += size;
    return put;
}

/* A name that is missing is empty: that there must be one is for the model to say. */
static const char *name_of(const char *name)
{
    return name ? name : "";
}

/* Sizes are counted first, as for JSON. */
nlm_status program_template_copy(const nlm_program_template *program, nlm_program_template **copy)
{
    size_t names = 0;
    char *next;
    *copy = NULL;
    if (program->givens < 0 || program->definitions < 1 || !program->definition ||
        (program->givens > 0 && !program->given))
        return NLM_BAD_ARGUMENT;
    for (int g = 0; g < program->givens; g++)
        names += strlen(name_of(program->given[g].name)) + 1;
    for (int d = 0; d < program->definitions; d++)
        names += strlen(name_of(program->definition[d].name)) + 1;
    *copy = new_program((size_t)program->givens, (size_t)program->definitions, names, &next);
    if (!*copy)
        return NLM_NO_MEMORY;
    /* the tables are const for readers; this is the one place that fills them */
    nlm_given *given = (nlm_given *)(*copy)->given;
    nlm_definition *definition = (nlm_definition *)(*copy)->definition;
    (*copy)->steps_by_objects = program->steps_by_objects;
    for (int g = 0; g < program->givens; g++) {
        given[g] = program->given[g];
        given[g].name = put_name(&next, name_of(program->given[g].name));
    }
    for (int d = 0; d < program->definitions; d++) {
        definition[d] = program->definition[d];
        definition[d].name = put_name(&next, name_of(program->definition[d].name));
    }
    return NLM_OK;
}

/* ---- bodies ---- */

/* Names come from files, where they need not end in 0. */
bool program_find_body(const char *name, size_t length, nlm_body *body)
{
    for (*body = 0; nlm_body_name(*body); (*body)++)
        if (strlen(nlm_body_name(*body)) == length && memcmp(nlm_body_name(*body), name, length) == 0)
            return true;
    return false;
}

/* ---- JSON ---- */

/* {"name": ..., "arity": ..., "templates": [[variables, body], ...]}; NULL without memory. */
static json_t *definition_to_json(const nlm_definition *definition)
{
    json_t *templates = json_array();
    bool good = templates != NULL;
    for (int t = 0; t < definition->templates && good; t++)
        good = !json_array_append_new(templates, json_pack("[i, s]", definition->form[t].variables,
                                                           nlm_body_name(definition->form[t].body)));
    if (!good) {
        json_decref(templates);
        return NULL;
    }
    return json_pack("{s:s, s:i, s:o}", "name", definition->name, "arity", definition->arity, "templates",
                     templates);
}

/* "steps_by_objects" is written only where it is set: files of other programs stay as they were. */
json_t *program_to_json(const nlm_program_template *program)
{
    json_t *given = json_array(), *defined = json_array();
    bool good = given && defined;
    for (int g = 0; g < program->givens && good; g++)
        good = !json_array_append_new(given, json_pack("{s:s, s:i, s:b}", "name", program->given[g].name,
                                                       "arity", program->given[g].arity, "negated",
                                                       (int)program->given[g].negated));
    for (int d = 0; d < program->definitions && good; d++)
        good = !json_array_append_new(defined, definition_to_json(&program->definition[d]));
    if (good && program->steps_by_objects)
        return json_pack("{s:o, s:o, s:b}", "given", given, "defined", defined, "steps_by_objects", 1);
    if (good)
        return json_pack("{s:o, s:o}", "given", given, "defined", defined);
    json_decref(given);
    json_decref(defined);
    return NULL;
}

/* A number that no later sum or product of sizes can overflow. */
static bool read_small(const json_t *value, int *number)
{
    const json_int_t wide = json_integer_value(value);
    *number = (int)wide;
    return json_is_integer(value) && wide >= 0 && wide <= SHRT_MAX;
}

/* Length of all names with their ends; false if an item has none. */
static bool count_names(const json_t *list, size_t *names)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *name = json_object_get(json_array_get(list, i), "name");
        if (!json_is_string(name))
            return false;
        *names += json_string_length(name) + 1;
    }
    return json_is_array(list);
}

/* At most two templates; the meaning is checked when a model is made of it.  The name was checked by
 * count_names, so it is there. */
static bool read_definition(const json_t *item, char **next, nlm_definition *definition)
{
    const json_t *templates = json_object_get(item, "templates");
    const size_t count = json_array_size(templates);
    bool good = count <= sizeof definition->form / sizeof *definition->form;
    definition->name = put_name(next, json_string_value(json_object_get(item, "name")));
    definition->templates = (int)count;
    for (size_t t = 0; t < count && good; t++) { /* [variables, "body"] */
        const json_t *form = json_array_get(templates, t);
        const char *body = json_string_value(json_array_get(form, 1));
        good = json_array_size(form) == 2 && body &&
               read_small(json_array_get(form, 0), &definition->form[t].variables) &&
               program_find_body(body, strlen(body), &definition->form[t].body);
    }
    return good && read_small(json_object_get(item, "arity"), &definition->arity);
}

/* Two walks: the first counts the bytes of names (and checks that there are names), the second fills.
 * Counting first makes one allocation enough, and nothing that is read later can overrun it. */
nlm_status program_from_json(const json_t *json, nlm_program_template **program)
{
    *program = NULL;
    const json_t *given = json_object_get(json, "given"), *defined = json_object_get(json, "defined");
    const size_t givens = json_array_size(given), definitions = json_array_size(defined);
    size_t names = 0;
    char *next;
    if (!count_names(given, &names) || !count_names(defined, &names) || givens > SHRT_MAX ||
        definitions > SHRT_MAX)
        return NLM_BAD_FILE;
    nlm_program_template *made = new_program(givens, definitions, names, &next);
    if (!made)
        return NLM_NO_MEMORY;
    const json_t *steps = json_object_get(json, "steps_by_objects");
    bool good = !steps || json_is_boolean(steps);
    made->steps_by_objects = json_is_true(steps);
    for (size_t g = 0; g < givens && good; g++) { /* names were checked by count_names */
        const json_t *item = json_array_get(given, g), *negated = json_object_get(item, "negated");
        nlm_given *to = (nlm_given *)&made->given[g];
        to->name = put_name(&next, json_string_value(json_object_get(item, "name")));
        to->negated = json_is_true(negated);
        good = json_is_boolean(negated) && read_small(json_object_get(item, "arity"), &to->arity);
    }
    for (size_t d = 0; d < definitions && good; d++)
        good = read_definition(json_array_get(defined, d), &next, (nlm_definition *)&made->definition[d]);
    if (!good) {
        memory_free(made);
        return NLM_BAD_FILE;
    }
    *program = made;
    return NLM_OK;
}

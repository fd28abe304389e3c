/* templates.pl, read fact by fact.  The library's own has a part for each task, begun by task(NAME). */
#include "facts/templates.h"

#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "baseline/task_templates.h"
#include "syntax/atom.h"
#include "syntax/reading_message.h"
#include "syntax/prolog.h"
#include "machine/program_template.h"

enum { MOST_BYTES = 1 << 20, MOST_ARITY = 2, MOST_VARIABLES = 2, MOST_FORMS = 2 };

struct reader {
    struct templates *to;
    prolog in;
    prolog_fact fact;
    const char *task; /* NULL, or whose part is wanted */
    bool wanted;      /* the part that is being read is */
    bool found;       /* it was there */
    nlm_error *error;
};

static bool is(prolog_name name, const char *text)
{
    return name.length == strlen(text) && !memcmp(name.text, text, name.length);
}

static message_name shown(prolog_name name)
{
    return message_cut(name.text, name.length);
}

#define REFUSE(reader, ...)                                                                                  \
    message_refuse((reader)->error, (reader)->in.file, (reader)->fact.line, __VA_ARGS__)

/* ---- arguments ---- */

static nlm_status read_number(const struct reader *reader, int place, const char *what, int least, int most,
                              int *number)
{
    prolog_name text = reader->fact.argument[place];
    int value = 0;
    bool digits = text.length > 0 && text.length < 9;
    for (size_t i = 0; digits && i < text.length; i++) {
        digits = text.text[i] >= '0' && text.text[i] <= '9';
        value = 10 * value + (text.text[i] - '0');
    }
    if (!digits || value < least || value > most)
        return REFUSE(reader, "%s a number from %d to %d, not %s", what, least, most, shown(text).text);
    *number = value;
    return NLM_OK;
}

static nlm_status copy_name(const struct reader *reader, char **name)
{
    prolog_name text = reader->fact.argument[0];
    if (!atom_is_predicate(text.text, text.length))
        return REFUSE(reader,
                      "'%s' cannot be the name of a predicate here: it has '(', '/' or a control "
                      "character",
                      shown(text).text);
    *name = memory_new(text.length + 1, 1);
    if (!*name)
        return error_no_memory(reader->error);
    memcpy(*name, text.text, text.length);
    return NLM_OK;
}

/* ---- facts ---- */

/* A number that is there at most once; steps may be "objects" too. */
static nlm_status read_count(struct reader *reader, const char *name, const char *what, int most, int *count)
{
    if (*count > 0)
        return REFUSE(reader, "the %s are there twice", name);
    if (count == &reader->to->steps && is(reader->fact.argument[0], "objects")) {
        reader->to->by_objects = true;
        *count = 1;
        return NLM_OK;
    }
    return read_number(reader, 0, what, 1, most, count);
}

static nlm_status read_negated(struct reader *reader)
{
    struct templates *to = reader->to;
    nlm_given given = {.negated = true};
    char *name;
    nlm_status status = read_number(reader, 1, "an arity is", 0, MOST_ARITY, &given.arity);
    if (status)
        return status;
    for (int i = 0; i < to->negations; i++) {
        const nlm_given *other = &((const nlm_given *)to->negated.data)[i];
        if (other->arity == given.arity && is(reader->fact.argument[0], other->name))
            return REFUSE(reader, "%s/%d is negated twice", shown(reader->fact.argument[0]).text,
                          given.arity);
    }
    if (buffer_reserve(&to->negated, (size_t)to->negations + 1, sizeof given, true))
        return error_no_memory(reader->error);
    status = copy_name(reader, &name);
    if (status)
        return status;
    given.name = name;
    ((nlm_given *)to->negated.data)[to->negations++] = given;
    return NLM_OK;
}

/* The definition of the fact's predicate, a new one if need be. */
static nlm_status find_definition(struct reader *reader, int arity, nlm_definition **found)
{
    struct templates *to = reader->to;
    char *name;
    for (int i = 0; i < to->definitions; i++) {
        *found = &((nlm_definition *)to->definition.data)[i];
        if (is(reader->fact.argument[0], (*found)->name))
            return NLM_OK;
    }
    if (buffer_reserve(&to->definition, (size_t)to->definitions + 1, sizeof **found, true))
        return error_no_memory(reader->error);
    nlm_status status = copy_name(reader, &name);
    if (status)
        return status;
    *found = &((nlm_definition *)to->definition.data)[to->definitions++];
    **found = (nlm_definition){.name = name, .arity = arity};
    return NLM_OK;
}

static nlm_status read_template(struct reader *reader)
{
    prolog_name body = reader->fact.argument[3], subject = reader->fact.argument[0];
    nlm_template form = {.body = NLM_BODY_GIVEN};
    nlm_definition *definition = NULL;
    int arity;
    nlm_status status = read_number(reader, 1, "an arity is", 0, MOST_ARITY, &arity);
    if (!status)
        status =
            read_number(reader, 2, "the variables beside the head's are", 0, MOST_VARIABLES, &form.variables);
    if (!status && !program_find_body(body.text, body.length, &form.body))
        status = REFUSE(reader, "bodies are given, defined, mixed or helpers, not %s", shown(body).text);
    if (!status)
        status = find_definition(reader, arity, &definition);
    if (status)
        return status;
    if (definition->arity != arity)
        return REFUSE(reader, "%s has arity %d here and %d before", shown(subject).text, arity,
                      definition->arity);
    if (definition->templates == MOST_FORMS)
        return REFUSE(reader, "a third template for %s/%d; there may be one or two", shown(subject).text,
                      arity);
    definition->form[definition->templates++] = form;
    return NLM_OK;
}

static nlm_status read_fact(struct reader *reader)
{
    const prolog_fact *fact = &reader->fact;
    struct templates *to = reader->to;
    if (reader->task && fact->arity == 1 && is(fact->name, "task")) {
        reader->wanted = is(fact->argument[0], reader->task);
        reader->found = reader->found || reader->wanted;
        return NLM_OK;
    }
    if (reader->task && !reader->wanted)
        return NLM_OK;
    if (fact->arity == 1 && is(fact->name, "steps"))
        return read_count(reader, "steps", "the steps are", NLM_MAX_DEPTH, &to->steps);
    if (fact->arity == 1 && is(fact->name, "objects"))
        return read_count(reader, "objects", "the objects are", 1000, &to->objects);
    if (fact->arity == 1 && is(fact->name, "labels"))
        return read_count(reader, "labels", "the labels of a step are", 100, &to->labels);
    if (fact->arity == 2 && is(fact->name, "negated"))
        return read_negated(reader);
    if (fact->arity == 4 && is(fact->name, "template"))
        return read_template(reader);
    return REFUSE(
        reader,
        "%s/%d is not known here: there are steps(N), objects(N), labels(PERCENT), negated(NAME, ARITY) and "
        "template(NAME, ARITY, VARIABLES, BODY)",
        shown(fact->name).text, fact->arity);
}

/* ---- texts ---- */

static nlm_status read_facts(struct reader *reader, char *text, size_t size, const char *file)
{
    bool found = true;
    nlm_status status = prolog_start(&reader->in, text, size, file, reader->error);
    while (!status && !(status = prolog_next_fact(&reader->in, &reader->fact, &found, reader->error)) &&
           found)
        status = read_fact(reader);
    if (!status && reader->in.directives > 0)
        status = message_refuse(reader->error, file, reader->in.directive_line,
                                "directives are not supported here");
    if (!status && reader->to->definitions == 0 && (!reader->task || reader->found))
        status = message_refuse(reader->error, file, 0, "there is no template(NAME, ARITY, VARIABLES, BODY)");
    return status;
}

/* A copy is read, since reading changes the text. */
static nlm_status read_copy(struct reader *reader, const char *text, size_t size, const char *file)
{
    char *copy = memory_new(size + 1, 1);
    *reader->to = (struct templates){0};
    if (!copy)
        return error_no_memory(reader->error);
    if (size > 0)
        memcpy(copy, text, size);
    nlm_status status = read_facts(reader, copy, size, file);
    memory_free(copy);
    if (status)
        templates_free(reader->to);
    return status;
}

nlm_status templates_read_text(const char *text, size_t size, const char *file, struct templates *templates,
                               nlm_error *error)
{
    struct reader reader = {.to = templates, .error = error};
    return read_copy(&reader, text, size, file);
}

nlm_status templates_read(const char *path, struct templates *templates, nlm_error *error)
{
    buffer content = {0};
    size_t size;
    *templates = (struct templates){0};
    nlm_status status = file_read_input(path, MOST_BYTES, &content, &size, error);
    if (!status)
        status = templates_read_text(content.data, size, path, templates, error);
    buffer_free(&content);
    return status;
}

nlm_status templates_of_task(const char *task, struct templates *templates, nlm_error *error)
{
    struct reader reader = {.to = templates, .task = task, .error = error};
    nlm_status status =
        read_copy(&reader, baseline_templates, strlen(baseline_templates), "src/baseline/templates.pl");
    if (!status && !reader.found)
        status = message_argument(error, "there are no templates for %s: write templates.pl",
                                  message_cut_text(task).text);
    return status;
}

void templates_free(struct templates *templates)
{
    for (int i = 0; i < templates->definitions; i++)
        memory_free((char *)((nlm_definition *)templates->definition.data)[i].name);
    for (int i = 0; i < templates->negations; i++)
        memory_free((char *)((nlm_given *)templates->negated.data)[i].name);
    buffer_free(&templates->definition);
    buffer_free(&templates->negated);
    buffer_free(&templates->given);
    *templates = (struct templates){0};
}

nlm_status templates_program(struct templates *templates, const nlm_given *inputs, int count,
                             nlm_program_template *program, nlm_error *error)
{
    size_t negations = (size_t)templates->negations;
    if (buffer_reserve(&templates->given, (size_t)count + negations, sizeof(nlm_given), false))
        return error_no_memory(error);
    nlm_given *given = templates->given.data;
    for (int i = 0; i < count; i++)
        given[i] = inputs[i];
    if (negations > 0)
        memcpy(given + count, templates->negated.data, negations * sizeof *given);
    *program = (nlm_program_template){count + templates->negations, templates->definitions, given,
                                      templates->definition.data, templates->by_objects};
    return NLM_OK;
}

/* JSON Lines of facts: each line is parsed by Jansson and joins the draft as a fact. */
#include "facts/json_facts.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/number.h"

struct reader {
    draft *to;
    const char *file;
    const char *world; /* of the first line that names one */
    size_t line;
    size_t other_line;  /* the first with a key that has no meaning here, or 0 */
    message_name other; /* that key */
    nlm_error *error;
};

/* A probability below it is no fact. */
#define LEAST_PROBABILITY 0.5

/* ---- parts of a line ---- */

static nlm_status read_name(const struct reader *in, const json_t *object, prolog_name *name)
{
    const json_t *predicate = json_object_get(object, "predicate"),
                 *target = json_object_get(object, "target");
    const json_t *value = predicate ? predicate : target;
    if (predicate && target)
        return message_refuse(in->error, in->file, in->line,
                              "\"predicate\" and \"target\" mean the same: leave out one of them");
    if (!json_is_string(value))
        return message_refuse(
            in->error, in->file, in->line,
            "no predicate: a line is {\"predicate\": \"father\", \"arguments\": [\"homer\", "
            "\"bart\"]}");
    *name = (prolog_name){json_string_value(value), json_string_length(value)};
    if (name->length == 0 || !atom_is_predicate(name->text, name->length))
        return message_refuse(in->error, in->file, in->line,
                              "a predicate cannot have this name: it is empty, or has '(', '/' or a control "
                              "character");
    return NLM_OK;
}

/* A number becomes its text in `number`. */
static nlm_status read_argument(const struct reader *in, const json_t *value, int place,
                                char number[NUMBER_SIZE], prolog_name *argument)
{
    if (json_is_string(value)) {
        *argument = (prolog_name){json_string_value(value), json_string_length(value)};
        return NLM_OK;
    }
    if (json_is_integer(value))
        snprintf(number, NUMBER_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        number_text(json_real_value(value), number);
    else
        return message_refuse(in->error, in->file, in->line,
                              "argument %d is neither a string nor a number: put names in quotes, and leave "
                              "out facts of what is not known",
                              place + 1);
    *argument = (prolog_name){number, strlen(number)};
    return NLM_OK;
}

static nlm_status check_world(struct reader *in, const json_t *world)
{
    if (!world)
        return NLM_OK;
    if (!json_is_string(world))
        return message_refuse(in->error, in->file, in->line, "\"world\" is no string");
    const char *name = json_string_value(world);
    if (!in->world)
        in->world = text_keep(&in->to->texts, name, strlen(name));
    if (!in->world)
        return error_no_memory(in->error);
    if (!strcmp(in->world, name))
        return NLM_OK;
    message_name here = message_cut_text(name), before = message_cut_text(in->world);
    return message_refuse(
        in->error, in->file, in->line,
        "world \"%s\" after world \"%s\": a file has the facts of one world; write a folder with "
        "a subfolder for each world",
        here.text, before.text);
}

static nlm_status check_probability(const struct reader *in, const json_t *probability)
{
    if (!probability || (json_is_number(probability) && json_number_value(probability) >= LEAST_PROBABILITY))
        return NLM_OK;
    return message_refuse(
        in->error, in->file, in->line,
        "a fact with a \"probability\" below 0.5, or that is no number: facts are true; leave "
        "out such lines");
}

static void note_other_keys(struct reader *in, json_t *object)
{
    static const char *const known[] = {"predicate",   "target",   "arguments", "world",
                                        "probability", "coverage", "why"};
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool is_known = in->other_line > 0;
        for (size_t k = 0; k < sizeof known / sizeof *known && !is_known; k++)
            is_known = !strcmp(key, known[k]);
        if (!is_known) {
            in->other_line = in->line;
            in->other = message_cut_text(key);
        }
    }
}

/* ---- lines ---- */

static nlm_status read_fact(struct reader *in, json_t *object)
{
    char numbers[PROLOG_MOST_ARGUMENTS][NUMBER_SIZE];
    prolog_fact fact = {.line = in->line};
    const json_t *arguments = json_object_get(object, "arguments");
    nlm_status status = read_name(in, object, &fact.name);
    if (!status && !json_is_array(arguments))
        status = message_refuse(in->error, in->file, in->line,
                                "no \"arguments\": they are a list, [] if there are none");
    const size_t count = status ? 0 : json_array_size(arguments);
    if (count > PROLOG_MOST_ARGUMENTS)
        status = message_refuse(in->error, in->file, in->line,
                                "%zu arguments: at most %d are supported; write several facts", count,
                                PROLOG_MOST_ARGUMENTS);
    for (size_t k = 0; k < count && !status; k++) {
        status = read_argument(in, json_array_get(arguments, k), (int)k, numbers[k], &fact.argument[k]);
        fact.arity++;
    }
    if (!status)
        status = check_world(in, json_object_get(object, "world"));
    if (!status)
        status = check_probability(in, json_object_get(object, "probability"));
    note_other_keys(in, object);
    return status ? status : draft_add(in->to, DRAFT_FACT, &fact, in->file, in->error);
}

static nlm_status read_line(struct reader *in, const char *text, size_t length)
{
    json_error_t cause;
    json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &cause);
    if (!object && !cause.text[0]) /* that is how Jansson reports that it got no memory */
        return error_no_memory(in->error);
    if (!object)
        return message_refuse(in->error, in->file, in->line, "no JSON object in one line: %s", cause.text);
    nlm_status status = json_is_object(object)
                            ? read_fact(in, object)
                            : message_refuse(in->error, in->file, in->line,
                                             "a list, not an object: a line is {\"predicate\": \"father\", "
                                             "\"arguments\": [\"homer\", \"bart\"]}");
    json_decref(object);
    return status;
}

nlm_status json_facts_read(draft *to, char *text, size_t size, const char *file, nlm_error *error)
{
    struct reader in = {.to = to, .file = file, .error = error};
    nlm_status status = atom_check_text(text, size, file, error);
    if (!status && size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
        text += 3;
    if (!status)
        status = draft_expect(to, text, error);
    while (!status && *text) {
        const size_t length = strcspn(text, "\n");
        in.line++;
        if (strspn(text, " \t\r") < length)
            status = read_line(&in, text, length);
        text += length + (text[length] == '\n');
    }
    if (!status && in.other_line > 0)
        status = notes_add(&to->notes, error, "%.200s:%zu: \"%s\" has no meaning in a fact and is ignored",
                           file, in.other_line, in.other.text);
    return status;
}

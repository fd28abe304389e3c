#include "logic/alternatives.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "logic/print.h"

struct nlm_alternatives {
    long worlds;
    buffer list; /* nlm_alternative, whose programs and words are owned */
    int count;
};

enum {
    MOST_LIST = NLM_MAX_ALTERNATIVES * NLM_MAX_HEADS,
    MOST_CLAUSES = 1 << 16 /* bytes of a program */,
    MOST_LITERALS = 4000 /* of a formula */
};

static nlm_alternative *list_of(const nlm_alternatives *of)
{
    return of->list.data;
}

nlm_status alternatives_new(long worlds, nlm_alternatives **alternatives, nlm_error *error)
{
    *alternatives = memory_new(1, sizeof **alternatives);
    if (!*alternatives)
        return error_no_memory(error);
    (*alternatives)->worlds = worlds;
    return NLM_OK;
}

static void release(nlm_alternative *one)
{
    nlm_program_free((nlm_program *)one->rules);
    nlm_program_free((nlm_program *)one->differ);
    free((char *)one->words);
}

void nlm_alternatives_free(nlm_alternatives *alternatives)
{
    if (!alternatives)
        return;
    for (int i = 0; i < alternatives->count; i++)
        release(&list_of(alternatives)[i]);
    buffer_free(&alternatives->list);
    memory_free(alternatives);
}

int nlm_alternatives_count(const nlm_alternatives *alternatives)
{
    return alternatives ? alternatives->count : 0;
}

const nlm_alternative *nlm_alternatives_at(const nlm_alternatives *alternatives, int number)
{
    return alternatives && number >= 0 && number < alternatives->count ? &list_of(alternatives)[number]
                                                                       : NULL;
}

long nlm_alternatives_worlds(const nlm_alternatives *alternatives)
{
    return alternatives ? alternatives->worlds : 0;
}

nlm_status alternatives_words(const nlm_program *differ, char **words, nlm_error *error)
{
    size_t size = 0;
    printing to;
    *words = NULL;
    FILE *stream = open_memstream(words, &size);
    if (!stream)
        return error_no_memory(error);
    nlm_status status = NLM_OK;
    if (differ) {
        status = print_open(&to, differ, NLM_PROLOG, error);
        to.stream = stream;
        if (!status && print_case(&to) != NLM_OK)
            status = error_no_memory(error);
        print_close(&to);
    }
    if (fclose(stream) != 0 && !status)
        status = error_no_memory(error);
    return status;
}

/* Before the first of the same target that is longer, or of a later target. */
static int place_of(const nlm_alternatives *to, const nlm_alternative *one)
{
    int at = 0;
    while (at < to->count &&
           (list_of(to)[at].target < one->target ||
            (list_of(to)[at].target == one->target && list_of(to)[at].size.literals <= one->size.literals)))
        at++;
    return at;
}

nlm_status alternatives_add(nlm_alternatives *to, int target, nlm_program *rules, nlm_program *differ,
                            nlm_error *error)
{
    char *words = NULL;
    nlm_alternative one = {.target = target, .rules = rules, .differ = differ};
    nlm_status status = alternatives_words(differ, &words, error);
    one.words = words;
    one.size = nlm_program_measure(rules);
    if (!status && buffer_reserve(&to->list, (size_t)to->count + 1, sizeof one, true) != NLM_OK)
        status = error_no_memory(error);
    if (status) {
        release(&one);
        return status;
    }
    const int at = place_of(to, &one);
    memmove(list_of(to) + at + 1, list_of(to) + at, (size_t)(to->count - at) * sizeof one);
    list_of(to)[at] = one;
    to->count++;
    return NLM_OK;
}

/* A name for a case that no input has. */
static void name_case(const nlm_program *program, char name[PRINT_NAME])
{
    bool taken = true;
    for (int number = 0; taken; number++) {
        snprintf(name, PRINT_NAME, number ? "%s%d" : "%s", ALTERNATIVES_CASE, number);
        taken = false;
        for (int i = 0; i < program->input_count; i++)
            taken |= strcmp(program_at(program, i)->name, name) == 0;
    }
}

nlm_status alternatives_program(const nlm_program *from, const program_predicate *target, formula body,
                                nlm_program **program, nlm_error *error)
{
    nlm_program *made;
    char name[PRINT_NAME] = "";
    const int arity = target ? target->arity : 0;
    nlm_status status = program_copy(from, &made, error);
    if (status)
        return status;
    const formula own = formula_copy(&made->store, &from->store, body, NULL);
    while (made->predicate_count > made->input_count) /* definitions leave */
        free(program_at(made, --made->predicate_count)->name);
    if (!target)
        name_case(made, name);
    const int number = program_add_definition(made, target ? target->name : name, arity, own);
    if (number < 0 || made->store.failed) {
        nlm_program_free(made);
        return error_no_memory(error);
    }
    if (target) {
        program_at(made, number)->written = target->written;
        memcpy(program_at(made, number)->place, target->place, sizeof target->place);
    }
    made->target[0] = number;
    made->target_count = 1;
    *program = made;
    return NLM_OK;
}

/* The target's formula in another program with the same inputs; definitions of `from` have numbers that the
 * other does not use for a while. */
static formula joined_body(nlm_program *to, const nlm_program *from, bool *fits)
{
    formula_store *store = &to->store;
    int *number = memory_new((size_t)from->predicate_count + 1, sizeof *number);
    const int shift = to->predicate_count + MOST_LIST;
    store->failed |= !number;
    for (int i = 0; i < from->predicate_count && number; i++)
        number[i] = i < from->input_count ? i : shift + i;
    formula body = number ? formula_copy(store, &from->store, program_at(from, from->target[0])->body, number)
                          : FORMULA_FALSE;
    for (int d = from->predicate_count - 1; d >= from->input_count && *fits && number; d--) {
        int atoms, equalities;
        const formula own = formula_copy(store, &from->store, program_at(from, d)->body, number);
        if (d != from->target[0])
            body = formula_expand(store, body, shift + d, own);
        formula_count(store, body, &atoms, &equalities);
        *fits = atoms + equalities <= MOST_LITERALS;
    }
    memory_free(number);
    return body;
}

nlm_status alternatives_joined(const nlm_alternatives *of, const nlm_program *own, nlm_program **program,
                               nlm_error *error)
{
    nlm_program *all = NULL;
    bool fits = true;
    *program = NULL;
    nlm_status status = alternatives_program(own, NULL, FORMULA_TRUE, &all, error);
    if (!status) /* the inputs alone */
        free(program_at(all, --all->predicate_count)->name);
    for (int i = 0; i < nlm_alternatives_count(of) && !status && fits; i++) {
        const nlm_program *rules = list_of(of)[i].rules;
        const program_predicate *target = program_at(rules, rules->target[0]);
        const formula body = joined_body(all, rules, &fits);
        if (all->store.failed || program_add_definition(all, target->name, target->arity, body) < 0)
            status = error_no_memory(error);
    }
    if (!status && !fits)
        status = error_set(error, NLM_BAD_FILE, "alternatives of more than %d literals", MOST_LITERALS);
    if (status)
        nlm_program_free(all);
    else
        *program = all;
    return status;
}

/* ---- as text ---- */

static nlm_status put_program(json_t *object, const char *key, const nlm_program *program, nlm_error *error)
{
    char *text = NULL;
    nlm_status status = nlm_program_text(program, NLM_CLAUSES, &text, error);
    if (!status && json_object_set_new(object, key, json_string(text)))
        status = error_no_memory(error);
    free(text);
    return status;
}

nlm_status alternatives_text(const nlm_alternatives *alternatives, char **text, nlm_error *error)
{
    nlm_status status = NLM_OK;
    *text = NULL;
    if (!alternatives)
        return NLM_OK;
    json_t *list = json_array();
    for (int i = 0; i < alternatives->count && !status; i++) {
        const nlm_alternative *one = &list_of(alternatives)[i];
        json_t *object = json_pack("{s:i}", "target", one->target);
        status = object ? put_program(object, "rules", one->rules, error) : error_no_memory(error);
        if (!status && one->differ)
            status = put_program(object, "case", one->differ, error);
        if (json_array_append_new(list, object) && !status)
            status = error_no_memory(error);
    }
    json_t *all = json_pack("{s:I, s:o}", "worlds", (json_int_t)alternatives->worlds, "alternatives", list);
    if (all && !status)
        *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    return !status && !*text ? error_no_memory(error) : status;
}

#define REFUSE(...) error_in_file(error, NLM_BAD_FILE, name, "metadata '" ALTERNATIVES_KEY "': " __VA_ARGS__)

/* Clauses with one target: that of the signature, or any (-1). */
static nlm_status parse_program(const json_t *text, const char *name, const nlm_signature *signature,
                                int target, nlm_program **program, nlm_error *error)
{
    const nlm_program_reading reading = {.signature = signature, .false_targets = target >= 0};
    nlm_error cause;
    if (!json_is_string(text) || json_string_length(text) > MOST_CLAUSES)
        return REFUSE("a program is no text of at most %d bytes", MOST_CLAUSES);
    const nlm_status status =
        nlm_program_parse(json_string_value(text), json_string_length(text), name, &reading, program, &cause);
    if (status == NLM_NO_MEMORY)
        return error_no_memory(error);
    if (status)
        return REFUSE("%.300s", cause.message);
    if (target >= 0) {
        (*program)->target[0] = (*program)->target[target];
        (*program)->target_count = 1;
    }
    return (*program)->target_count == 1 ? NLM_OK : REFUSE("a program has several targets");
}

static nlm_status parse_one(const json_t *object, const char *name, const nlm_signature *signature,
                            nlm_alternatives *into, nlm_error *error)
{
    const json_t *number = json_object_get(object, "target"), *differ = json_object_get(object, "case");
    const json_int_t target = json_integer_value(number);
    nlm_program *rules = NULL, *differs = NULL;
    if (!json_is_integer(number) || target < 0 || target >= nlm_signature_targets(signature))
        return REFUSE("there is no such target");
    const nlm_predicate *of = nlm_signature_target(signature, (int)target);
    nlm_status status =
        parse_program(json_object_get(object, "rules"), name, signature, (int)target, &rules, error);
    if (!status && (program_at(rules, rules->target[0])->arity != of->objects ||
                    program_at(rules, rules->target[0])->body == FORMULA_FALSE))
        status = REFUSE("a program has another target than %.100s", of->name);
    if (!status && differ)
        status = parse_program(differ, name, signature, -1, &differs, error);
    if (!status)
        return alternatives_add(into, (int)target, rules, differs, error);
    nlm_program_free(rules);
    nlm_program_free(differs);
    return status;
}

/* More than a search keeps is refused: each costs time whenever conclusions are drawn. */
static nlm_status check_counts(const nlm_alternatives *of, const char *name, nlm_error *error)
{
    int counts[NLM_MAX_HEADS] = {0};
    for (int i = 0; i < of->count; i++)
        if (list_of(of)[i].target >= NLM_MAX_HEADS || ++counts[list_of(of)[i].target] > NLM_MAX_ALTERNATIVES)
            return REFUSE("more than %d alternatives of a target", NLM_MAX_ALTERNATIVES);
    return NLM_OK;
}

nlm_status alternatives_parse(const char *text, const char *name, const nlm_signature *signature,
                              nlm_alternatives **alternatives, nlm_error *error)
{
    json_error_t cause;
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &cause);
    const json_t *list = json_object_get(all, "alternatives"), *worlds = json_object_get(all, "worlds");
    nlm_status status = NLM_OK;
    *alternatives = NULL;
    if (!json_is_array(list) || !json_is_integer(worlds) || json_integer_value(worlds) < 0 ||
        json_array_size(list) > MOST_LIST)
        status = REFUSE("is not {worlds, alternatives: [...]}, at most %d of them", MOST_LIST);
    if (!status)
        status = alternatives_new((long)json_integer_value(worlds), alternatives, error);
    for (size_t i = 0; !status && i < json_array_size(list); i++)
        status = parse_one(json_array_get(list, i), name, signature, *alternatives, error);
    if (!status)
        status = check_counts(*alternatives, name, error);
    json_decref(all);
    if (status) {
        nlm_alternatives_free(*alternatives);
        *alternatives = NULL;
    }
    return status;
}

nlm_status nlm_alternatives_in(const nlm_machine *machine, const char *name, nlm_alternatives **alternatives,
                               nlm_error *error)
{
    REQUIRE(machine && name && alternatives, error);
    *alternatives = NULL;
    const char *text = nlm_machine_metadata(machine, ALTERNATIVES_KEY);
    nlm_signature *signature = NULL;
    if (!text)
        return NLM_OK;
    nlm_status status = nlm_signature_of_model(machine, name, &signature, error);
    if (!status)
        status = alternatives_parse(text, name, signature, alternatives, error);
    nlm_signature_free(signature);
    return status;
}

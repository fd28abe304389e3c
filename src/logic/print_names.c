/* Names of predicates in the languages.
 *
 * Inputs and definitions that people named keep their names, as far as the language can write them; what was
 * made on the way (helpers, units of a machine) is called by a table of common shapes, or else p1, p2, ...
 * No two predicates share a name: in Prolog and clingo of one arity, in Souffle and SQL of any. */
#include "logic/print.h"
#include <ctype.h>
#include <string.h>
#include "base/error.h"
#include "logic/shapes.h"
#include "syntax/atom.h"

/* ---- texts ---- */

static bool shares_arities(const printing *to)
{
    return to->language != NLM_DATALOG && to->language != NLM_SQL;
}

/* A name for clingo or Souffle: letters, digits and _, beginning with a small letter. */
static void make_identifier(char *text)
{
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    *text = (char)tolower((unsigned char)*text);
}

static bool is_reserved(const char *text)
{
    static const char *const words[] = {
        "not",  "count", "sum",    "min",   "max",    "true", "false",  "nil",    "mean",    "range",
        "cat",  "ord",   "strlen", "band",  "bor",    "bxor", "substr", "number", "match",   "lor",
        "land", "as",    "decl",   "input", "output", "type", "plan",   "init",   "contains"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(text, words[i]))
            return true;
    return false;
}

/* The name as it is kept apart from others: without quotes, in SQL in small letters.  A new text, or NULL. */
static char *plain_text(const printing *to, const char *name)
{
    const size_t length = strlen(name);
    char *text = memory_new(length + 3, 1);
    if (!text)
        return NULL;
    memcpy(text, name, length);
    if (to->language == NLM_ASP || to->language == NLM_DATALOG) {
        make_identifier(text);
        if (!islower((unsigned char)*text) || is_reserved(text)) {
            memmove(text + 2, text, length);
            memcpy(text, "p_", 2);
        }
    }
    return text;
}

/* As the language writes it, kept in the texts. */
static const char *written_text(printing *to, const char *name)
{
    const size_t size = 4 * strlen(name) + 4;
    char *text = memory_new(size, 1);
    if (!text)
        return NULL;
    if (to->language == NLM_PROLOG || to->language == NLM_ENGLISH) {
        atom_predicate_text(name, text, size);
    } else if (to->language == NLM_SQL) {
        char *at = text;
        *at++ = '"';
        for (; *name; name++) {
            if (*name == '"')
                *at++ = '"';
            *at++ = *name;
        }
        *at = '"';
    } else {
        strcpy(text, name);
    }
    const char *kept = text_keep(&to->texts, text, strlen(text));
    memory_free(text);
    return kept;
}

/* Whether the name was free; then it is taken.  *failed without memory. */
static bool take(printing *to, const char *name, int arity, bool *failed)
{
    const int key = shares_arities(to) ? arity : 0, before = to->taken.count;
    char *folded = memory_copy_text(name);
    if (!folded) {
        *failed = true;
        return false;
    }
    for (char *c = folded; *c && to->language == NLM_SQL; c++)
        *c = (char)tolower((unsigned char)*c);
    const int number = names_intern(&to->taken, &to->texts, folded, strlen(folded), key);
    memory_free(folded);
    *failed |= number < 0;
    return number == before;
}

/* A name of its own: the one wanted, NAME_ARITY, NAME_ARITY_2, ... */
static const char *own_name(printing *to, const char *wanted, int arity)
{
    bool failed = false;
    char *plain = plain_text(to, wanted);
    const size_t size = plain ? strlen(plain) + 32 : 0;
    char *text = plain ? memory_new(size, 1) : NULL;
    const char *name = NULL;
    if (text) {
        snprintf(text, size, "%s", plain);
        for (int i = 1; !take(to, text, arity, &failed) && !failed; i++)
            snprintf(text, size, i == 1 ? "%s_%d" : "%s_%d_%d", plain, arity, i);
        name = failed ? NULL : written_text(to, text);
    }
    memory_free(plain);
    memory_free(text);
    return name;
}

/* ---- predicates ---- */

/* facts[i] of all inputs; types have no facts of their own to share. */
static bool group_inputs(printing *to)
{
    const nlm_program *program = to->program;
    name_table groups = {0};
    text_store texts = {0};
    bool complete = true;
    int *first = memory_new((size_t)program->input_count, sizeof *first); /* input of each group */
    for (int i = 0; i < program->input_count && first && complete; i++) {
        const program_predicate *of = program_at(program, i);
        const int before = groups.count;
        const int group =
            names_intern(&groups, &texts, of->name, strlen(of->name), of->is_type ? -1 : of->written);
        complete = group >= 0;
        if (group == before)
            first[group] = i;
        to->facts[i] = complete ? first[group] : i;
    }
    names_free(&groups);
    text_free(&texts);
    complete &= first != NULL;
    memory_free(first);
    return complete;
}

/* An input's name in facts; inputs of the same facts share it. */
static const char *fact_name(printing *to, int input)
{
    if (!print_has_facts(to, input))
        return to->fact_name[to->facts[input]];
    char *raw = program_written_name(to->program, input);
    const char *name = raw ? own_name(to, raw, program_at(to->program, input)->written) : NULL;
    memory_free(raw);
    return name;
}

/* likes_aa for likes(A,A), likes_ab for the rest; the name in facts where there is only one kind. */
static const char *input_name(printing *to, int input, bool alone)
{
    const program_predicate *of = program_at(to->program, input);
    if (alone && of->written == of->arity)
        return to->fact_name[input];
    const size_t size = strlen(of->name) + FORMULA_MOST_ARITY + 2;
    char *text = memory_new(size, 1);
    if (!text)
        return NULL;
    snprintf(text, size, "%s_", of->name);
    for (int i = 0; i < of->written; i++)
        text[strlen(text)] = (char)('a' + of->place[i]);
    const char *name = own_name(to, text, of->arity);
    memory_free(text);
    return name;
}

/* Names in literals; each shared[facts] says whether other inputs have these facts. */
static bool name_inputs(printing *to)
{
    const int count = to->program->input_count;
    bool *shared = memory_new((size_t)count, sizeof *shared), complete = shared != NULL;
    for (int i = 0; i < count && complete; i++)
        if (!print_has_facts(to, i))
            shared[to->facts[i]] = true;
    for (int i = 0; i < count && complete; i++)
        complete = (to->name[i] = input_name(to, i, !shared[to->facts[i]])) != NULL;
    memory_free(shared);
    return complete;
}

/* The name of a definition that people named; those of one name in facts share it: selfish(A,B),
 * selfish(A,A). */
static const char *given_name(printing *to, int definition)
{
    const program_predicate *of = program_at(to->program, definition);
    for (int i = to->program->input_count; i < definition; i++) {
        const program_predicate *earlier = program_at(to->program, i);
        if (!earlier->unnamed && earlier->written == of->written && !strcmp(earlier->name, of->name))
            return to->name[i];
    }
    return own_name(to, of->name, of->written);
}

/* By its shape, or p1, p2, ... */
static const char *made_name(printing *to, formula body, int arity, int *counter)
{
    char text[PRINT_NAME];
    bool failed = false;
    shape_name(to->program, body, arity, text);
    while ((!*text || !take(to, text, arity, &failed)) && !failed)
        snprintf(text, sizeof text, "p%d", ++*counter);
    return failed ? NULL : written_text(to, text);
}

nlm_status print_find_names(printing *to, nlm_error *error)
{
    const nlm_program *program = to->program;
    bool complete = group_inputs(to);
    int counter = 0;
    for (int i = 0; i < program->input_count && complete; i++)
        complete &= (to->fact_name[i] = fact_name(to, i)) != NULL;
    complete = complete && (to->object = own_name(to, "object", 1)) != NULL;
    for (int i = program->input_count; i < program->predicate_count && complete; i++)
        if (!program_at(program, i)->unnamed)
            complete &= (to->name[i] = given_name(to, i)) != NULL;
    complete = complete && name_inputs(to);
    for (int i = 0; i < to->ordered && complete; i++) {
        const int p = to->order[i];
        if (to->name[p])
            continue;
        formula body;
        if (p < program->predicate_count)
            body = program_at(program, p)->body;
        else
            body = ((const clause_helper *)to->made.helpers.data)[p - program->predicate_count].body;
        complete &= (to->name[p] = made_name(to, body, clauses_arity(&to->made, p), &counter)) != NULL;
    }
    return complete ? NLM_OK : error_no_memory(error);
}

/* Names of predicates in the languages.
 *
 * Inputs and definitions that people named keep their names, as far as the language can write them; what was
 * made on the way (helpers, units of a machine) is called by a table of common shapes, or else p1, p2, ...
 * No two predicates share a name: in Prolog and clingo of one arity, in Souffle and SQL of any. */
#include "logic/print_numbers.h"
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

/* ---- arguments ---- */

static bool has_constants(const printing *to, int predicate, constant_parts *parts)
{
    return predicate >= 0 && predicate < to->program->predicate_count &&
           constant_parts_read(program_at(to->program, predicate)->name, parts);
}

int print_written(const printing *to, int predicate)
{
    constant_parts parts;
    if (predicate < 0 || predicate >= to->program->predicate_count)
        return predicate < 0 ? 1 : clauses_arity(&to->made, predicate);
    return has_constants(to, predicate, &parts) ? parts.arity : program_at(to->program, predicate)->written;
}

int print_place(const printing *to, int predicate, int k, prolog_name *constant)
{
    constant_parts parts;
    if (predicate < 0 || predicate >= to->program->predicate_count)
        return k;
    const program_predicate *of = program_at(to->program, predicate);
    if (!has_constants(to, predicate, &parts))
        return of->is_type ? k : of->place[k];
    *constant = parts.text[k];
    return parts.object[k] < 0 ? -1 : of->place[parts.object[k]];
}

/* Whether literals have the arguments of facts. */
static bool is_as_in_facts(const printing *to, int predicate)
{
    const int inputs = to->program->input_count;
    if (predicate < 0 || predicate >= to->program->predicate_count || to->language == NLM_JSON)
        return false;
    return predicate < inputs ? !print_is_alias(to, predicate) : to->language != NLM_SQL;
}

int print_arguments(const printing *to, int predicate, int arity)
{
    return is_as_in_facts(to, predicate) ? print_written(to, predicate) : arity;
}

int print_argument(const printing *to, int predicate, int k, prolog_name *constant)
{
    return is_as_in_facts(to, predicate) ? print_place(to, predicate, k, constant) : k;
}

/* In quotes of the language, which are doubled inside SQL's and escaped elsewhere. */
static size_t put_quoted(FILE *stream, const char *text, char quote, bool doubled)
{
    size_t length = 2;
    fputc(quote, stream);
    for (; *text; text++, length++) {
        if (*text == quote || (*text == '\\' && !doubled)) {
            fputc(doubled ? quote : '\\', stream);
            length++;
        }
        if (*text == '\n' && !doubled)
            length += (size_t)fprintf(stream, "\\n") - 1;
        else
            fputc(*text, stream);
    }
    fputc(quote, stream);
    return length;
}

size_t print_constant(const printing *to, prolog_name constant)
{
    const bool plain = *constant.text != '\'' && !memchr(constant.text, '.', constant.length);
    const bool bare = to->language == NLM_PROLOG || to->language == NLM_ENGLISH || to->language == NLM_JSON ||
                      (to->language == NLM_ASP && plain && (unsigned char)*constant.text < 0x80);
    if (bare)
        return fwrite(constant.text, 1, constant.length, to->stream);
    char *text = memory_new(constant.length + 1, 1);
    if (!text)
        return 0;
    constant_plain(constant, text, constant.length + 1);
    const bool sql = to->language == NLM_SQL;
    const size_t length = put_quoted(to->stream, text, sql ? '\'' : '"', sql);
    memory_free(text);
    return length;
}

/* ---- predicates ---- */

/* The name of an input's facts, kept in the texts; NULL without memory. */
static const char *base_name(printing *to, int input)
{
    constant_parts parts;
    const char *name = program_at(to->program, input)->name;
    if (!has_constants(to, input, &parts))
        return name;
    char *text = memory_new(parts.name.length + 1, 1);
    const size_t length = text ? constant_plain(parts.name, text, parts.name.length + 1) : 0;
    const char *kept = text ? text_keep(&to->texts, text, length) : NULL;
    memory_free(text);
    return kept;
}

/* base[i] and facts[i] of all inputs; types have no facts of their own to share. */
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
        to->base[i] = base_name(to, i);
        if (of->comparison.terms > 0) {
            to->facts[i] = i;
            continue;
        }
        const int group = !to->base[i] ? -1
                                       : names_intern(&groups, &texts, to->base[i], strlen(to->base[i]),
                                                      of->is_type ? -1 : print_written(to, i));
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

/* A comparison as a predicate of its own. */
static const char *comparison_name_of(printing *to, int input)
{
    char *raw = print_comparison_name(to, input);
    const char *name = raw ? own_name(to, raw, program_at(to->program, input)->arity) : NULL;
    memory_free(raw);
    return name;
}

/* The names of the facts that numbers are read from. */
static bool name_attributes(printing *to)
{
    bool complete = true;
    for (int a = 0; a < to->program->attribute_count && complete; a++) {
        const nlm_attribute *of = program_attribute_at(to->program, a);
        to->attribute_name[a] =
            of->place > of->objects ? to->attribute_name[a - 1] : own_name(to, of->name, of->arity);
        complete = to->attribute_name[a] != NULL;
    }
    return complete;
}

/* An input's name in facts; inputs of the same facts share it. */
static const char *fact_name(printing *to, int input)
{
    if (program_at(to->program, input)->comparison.terms > 0)
        return program_at(to->program, input)->name;
    if (to->facts[input] != input)
        return to->fact_name[to->facts[input]];
    constant_parts parts;
    char *raw = has_constants(to, input, &parts) ? memory_copy_text(to->base[input])
                                                 : program_written_name(to->program, input);
    const char *name = raw ? own_name(to, raw, print_written(to, input)) : NULL;
    memory_free(raw);
    return name;
}

/* Whether no other input has its name: one that repeats an object. */
static bool is_only_of_name(const printing *to, int input)
{
    for (int i = 0; i < to->program->input_count; i++)
        if (i != input && !strcmp(program_at(to->program, i)->name, program_at(to->program, input)->name))
            return false;
    return true;
}

/* likes_aa for likes(A,A), likes_ab for the rest; the name in facts where there is only one kind. */
static const char *input_name(printing *to, int input, bool alone)
{
    const program_predicate *of = program_at(to->program, input);
    if (of->comparison.terms > 0 && print_defines_comparisons(to))
        return comparison_name_of(to, input);
    constant_parts parts;
    const bool constants = has_constants(to, input, &parts);
    if (constants && to->language == NLM_JSON && of->written == of->arity)
        return text_keep(&to->texts, of->name, strlen(of->name));
    if ((constants ? is_only_of_name(to, input) : alone) && of->written == of->arity)
        return to->fact_name[input];
    const size_t size = strlen(of->name) + FORMULA_MOST_ARITY + 2;
    char *text = memory_new(size, 1);
    if (!text)
        return NULL;
    snprintf(text, size, "%s_", of->name);
    if (constants) /* works_A_lead_B_ab */
        for (char *c = text; *c; c++)
            *c = isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 ? *c : '_';
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
        if (to->facts[i] != i)
            shared[to->facts[i]] = true;
    for (int i = 0; i < count && complete; i++)
        complete = (to->name[i] = input_name(to, i, !shared[to->facts[i]])) != NULL;
    memory_free(shared);
    return complete;
}

/* The name of a definition that people named; those of one name in facts share it: selfish(A,B),
 * selfish(A,A), and those that differ in constants. */
static const char *given_name(printing *to, int definition)
{
    constant_parts parts, other;
    const program_predicate *of = program_at(to->program, definition);
    const bool constants = has_constants(to, definition, &parts) && is_as_in_facts(to, definition);
    for (int i = to->program->input_count; i < definition; i++) {
        const program_predicate *earlier = program_at(to->program, i);
        if (constants
                ? has_constants(to, i, &other) && other.arity == parts.arity &&
                      other.name.length == parts.name.length &&
                      !memcmp(other.name.text, parts.name.text, parts.name.length)
                : !earlier->unnamed && earlier->written == of->written && !strcmp(earlier->name, of->name))
            return to->name[i];
    }
    const char *name = constants ? base_name(to, definition) : of->name;
    return name ? own_name(to, name, constants ? parts.arity : of->written) : NULL;
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
    complete = complete && name_attributes(to);
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

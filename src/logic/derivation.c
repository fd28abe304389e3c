/* Derivations.  A literal with variables that have no object yet is met by facts of its predicate, or by all
 * objects in turn; literals stand in the order in which programs are printed, so that most are bound when
 * they are met.  A miss is a literal that fails: its variables stay without objects unless later literals
 * bind them. */
#include "nlm/why.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "facts/comparison.h"
#include "logic/print_numbers.h"
#include "logic/why_search.h"
#include "nlm/tools.h"
#include "syntax/atom.h"
#include "syntax/number.h"
#include "syntax/prolog.h"

enum {
    MOST_INLINED = 200, /* literals of a definition */
    MOST_DEPTH = 64,    /* of a tree */
    MOST_CLAUSES = 5,   /* of a false atom */
    ATOM_TEXT = 512
};

struct nlm_why {
    why_search search;
    printing names;
    const nlm_signature *signature;
    FILE *stream;
    bool json;
};

/* Definitions that nobody named, such as the units of a machine, in their places, as long as formulas stay
 * short.  To be freed. */
static nlm_status with_named_only(const nlm_program *from, nlm_program **program, nlm_error *error)
{
    const nlm_status status = program_copy(from, program, error);
    nlm_program *made = status == NLM_OK ? *program : NULL;
    for (int p = made ? made->input_count : 0; made && p < made->predicate_count; p++)
        for (int d = p - 1; d >= made->input_count; d--) {
            const formula body = program_at(made, p)->body;
            int atoms, equalities;
            if (!program_at(made, d)->unnamed || !formula_has(&made->store, body, d))
                continue;
            const formula f = formula_expand(&made->store, body, d, program_at(made, d)->body);
            formula_count(&made->store, f, &atoms, &equalities);
            if (atoms + equalities > MOST_INLINED)
                break;
            program_at(made, p)->body = f;
        }
    return made && made->store.failed ? error_no_memory(error) : status;
}

nlm_status nlm_why_new(const nlm_program *program, const nlm_signature *signature, const nlm_world *world,
                       nlm_why **why, nlm_error *error)
{
    REQUIRE(program && signature && world && why, error);
    nlm_why *made = calloc(1, sizeof *made);
    *why = NULL;
    if (!made)
        return error_no_memory(error);
    made->signature = signature;
    nlm_program *named = NULL;
    nlm_status status = with_named_only(program, &named, error);
    if (status == NLM_OK)
        status = print_open(&made->names, named, NLM_PROLOG, error);
    nlm_program_free(named);
    if (status == NLM_OK)
        status = why_search_open(&made->search, &made->names, world, error);
    if (status == NLM_OK)
        *why = made;
    else
        nlm_why_free(made);
    return status;
}

void nlm_why_free(nlm_why *why)
{
    if (!why)
        return;
    why_search_close(&why->search);
    print_close(&why->names);
    free(why);
}

/* ---- atoms ---- */

static bool is_name(prolog_name name, const char *text)
{
    return strlen(text) == name.length && memcmp(name.text, text, name.length) == 0;
}

/* The object of that atom and, with types, of the type that the target wants; -1 if there is none. */
static int find_object(const nlm_why *why, prolog_name atom, const char *type)
{
    const nlm_world *world = why->search.world;
    for (int o = 0; o < nlm_world_objects(world); o++) {
        char own[ATOM_TEXT];
        nlm_signature_type(why->signature, world, o, own, sizeof own);
        if (is_name(atom, nlm_signature_atom(why->signature, world, o)) && (!*type || !strcmp(own, type)))
            return o;
    }
    return -1;
}

/* Whether the constants and the name of the target are those of the fact, whose other arguments are then all
 * that it has. */
static bool take_constants(prolog_fact *fact, const char *target)
{
    constant_parts parts;
    char text[ATOM_TEXT];
    int objects = 0;
    if (!constant_parts_read(target, &parts))
        return is_name(fact->name, target);
    constant_plain(parts.name, text, sizeof text);
    bool same = fact->arity == parts.arity && is_name(fact->name, text);
    for (int k = 0; k < parts.arity && same; k++) {
        if (parts.object[k] >= 0) {
            fact->argument[objects++] = fact->argument[k];
            continue;
        }
        constant_plain(parts.text[k], text, sizeof text);
        same = is_name(fact->argument[k], text);
    }
    fact->arity = objects;
    return same;
}

/* Whether the fact is an atom of the target: name, places, and equal arguments where it repeats an object. */
static bool is_target(prolog_fact *fact, const nlm_predicate *target)
{
    bool same = take_constants(fact, target->name) && fact->arity == target->arity;
    for (int a = 0; a < fact->arity && same; a++)
        for (int b = 0; b < a && same; b++) {
            const bool equal =
                fact->argument[a].length == fact->argument[b].length &&
                !memcmp(fact->argument[a].text, fact->argument[b].text, fact->argument[a].length);
            same = equal == (target->place[a] == target->place[b]);
        }
    return same;
}

static nlm_status place_objects(const nlm_why *why, const prolog_fact *asked, int *target, int *tuple,
                                nlm_error *error)
{
    for (int t = 0; t < nlm_signature_targets(why->signature); t++) {
        const nlm_predicate *of = nlm_signature_target(why->signature, t);
        prolog_fact fact = *asked;
        if (!is_target(&fact, of))
            continue;
        *target = t;
        for (int k = 0; k < fact.arity; k++) {
            const prolog_name atom = fact.argument[k];
            tuple[of->place[k]] = find_object(why, atom, of->type[k] ? of->type[k] : "");
            if (tuple[of->place[k]] < 0)
                return error_set(error, NLM_BAD_ARGUMENT, "the facts have no object '%.*s'", (int)atom.length,
                                 atom.text);
        }
        return NLM_OK;
    }
    return error_set(error, NLM_BAD_ARGUMENT, "%.*s/%d of these arguments is nothing that is concluded",
                     (int)asked->name.length, asked->name.text, asked->arity);
}

nlm_status nlm_why_atom(const nlm_why *why, const char *text, int *target, int tuple[NLM_MAX_BREADTH],
                        nlm_error *error)
{
    REQUIRE(why && text && target && tuple, error);
    const size_t length = strlen(text);
    char *copy = malloc(length + 2);
    prolog in;
    prolog_fact fact;
    bool found = false;
    if (!copy)
        return error_no_memory(error);
    memcpy(copy, text, length + 1);
    if (length == 0 || copy[length - 1] != '.')
        strcpy(copy + length, ".");
    nlm_status status = prolog_start(&in, copy, strlen(copy), "the atom", error);
    if (status == NLM_OK)
        status = prolog_next_fact(&in, &fact, &found, error);
    if (status == NLM_OK)
        status = found ? place_objects(why, &fact, target, tuple, error)
                       : error_set(error, NLM_BAD_ARGUMENT, "the atom is empty; write uncle(ann, bob)");
    free(copy);
    return status;
}

/* ---- writing ---- */

static void object_text(const nlm_why *why, int object, char text[ATOM_TEXT])
{
    const char *atom =
        object == WHY_NOBODY ? NULL : nlm_signature_atom(why->signature, why->search.world, object);
    if (atom)
        atom_text(atom, text, ATOM_TEXT);
    else
        strcpy(text, "_");
}

/* The number of a term's objects in the world; false if it is not known. */
static bool number_in_world(const nlm_why *why, const nlm_comparison *of, int term, const int *objects,
                            double *number)
{
    const nlm_world *world = why->search.world;
    const nlm_attribute *attribute = program_attribute_at(why->names.program, of->attribute[term]);
    char wanted[ATOM_TEXT];
    nlm_attribute_text(attribute, wanted, sizeof wanted);
    for (int a = 0; a < nlm_world_attributes(world); a++) {
        const int *tuples;
        const double *numbers;
        const size_t count = nlm_world_numbers(world, a, &tuples, &numbers),
                     arity = (size_t)attribute->objects;
        if (strcmp(nlm_world_attribute_name(world, a), wanted) != 0)
            continue;
        for (size_t i = 0; i < count; i++) {
            bool same = true;
            for (size_t k = 0; k < arity; k++)
                same &= tuples[i * arity + k] == objects[of->object[term][k]];
            if (same) {
                *number = numbers[i];
                return true;
            }
        }
    }
    return false;
}

/* "size(p1, 4.2), 4.2 >= 3.76"; V where the number is not known. */
static void comparison_write(const nlm_why *why, const nlm_comparison *of, const clause_literal *literal,
                             const int *value, FILE *to)
{
    char object[NLM_MAX_FACT_ARITY][ATOM_TEXT], number[2][NUMBER_SIZE] = {"V", "W"};
    comparison_words words = {.value = {number[0], number[1]}};
    int objects[NLM_MAX_FACT_ARITY];
    for (int k = 0; k < literal->arity; k++) {
        const uint8_t variable = literal->variable[k];
        objects[k] = variable == CLAUSE_ANONYMOUS ? WHY_NOBODY : value[variable];
        object_text(why, objects[k], object[k]);
        words.object[k] = object[k];
    }
    for (int t = 0; t < of->terms; t++) {
        double known;
        if (number_in_world(why, of, t, objects, &known))
            comparison_number_text(known, number[t]);
    }
    const nlm_attribute *attributes = why->names.program->attributes.data;
    const size_t size = comparison_text(attributes, of, &words, NULL, 0) + 1;
    char *text = memory_new(size, 1);
    if (!text)
        return;
    comparison_text(attributes, of, &words, text, size);
    print_spaced(to, text);
    memory_free(text);
}

/* "father(ann, bob)", "a = b", each with what negation adds. */
static void literal_text(const nlm_why *why, const clause_literal *literal, const int *value, FILE *to)
{
    char text[2][ATOM_TEXT];
    const nlm_program *program = why->names.program;
    if (literal->predicate == CLAUSE_EQUAL) {
        for (int k = 0; k < 2; k++)
            object_text(why, value[literal->variable[k]], text[k]);
        fprintf(to, "%s %s %s", text[0], literal->negated ? "\\=" : "=", text[1]);
        return;
    }
    const bool known = literal->predicate < program->predicate_count;
    const int written = known ? print_written(&why->names, literal->predicate) : literal->arity;
    fputs(literal->negated ? "not " : "", to);
    const bool input = known && program_at(program, literal->predicate)->is_input;
    if (known && program_at(program, literal->predicate)->comparison.terms > 0) {
        comparison_write(why, &program_at(program, literal->predicate)->comparison, literal, value, to);
        return;
    }
    fputs(input ? why->names.fact_name[literal->predicate] : why->names.name[literal->predicate], to);
    for (int k = 0; k < written; k++) {
        prolog_name constant;
        const int place = known ? print_place(&why->names, literal->predicate, k, &constant) : k;
        fputs(k ? ", " : "(", to);
        if (place < 0) {
            fwrite(constant.text, 1, constant.length, to);
            continue;
        }
        const uint8_t variable = literal->variable[place];
        object_text(why, variable == CLAUSE_ANONYMOUS ? WHY_NOBODY : value[variable], text[0]);
        fputs(text[0], to);
    }
    if (written)
        fputc(')', to);
}

static void node_begin(const nlm_why *why, int depth, const clause_literal *literal, const int *value,
                       bool holds, const char *remark)
{
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (line) {
        literal_text(why, literal, value, line);
        fclose(line);
    }
    if (!why->json) {
        fprintf(why->stream, "%*s%s%s\n", 4 * depth, "", text ? text : "?", remark);
    } else {
        fputs("{\"literal\": ", why->stream);
        nlm_json_text(why->stream, text ? text : "?");
        fprintf(why->stream, ", \"holds\": %s, \"because\": [", holds ? "true" : "false");
    }
    free(text);
}

static void node_between(const nlm_why *why, bool first)
{
    if (why->json && !first)
        fputs(", ", why->stream);
}

static void node_end(const nlm_why *why)
{
    if (why->json)
        fputs("]}", why->stream);
}

static void explain(nlm_why *why, const clause_literal *literal, const int *value, int depth);

/* Whether a literal need not be shown: object(X), different objects, a negation without an object. */
static bool says_nothing(const clause_literal *literal, const int *value)
{
    bool open =
        literal->predicate == CLAUSE_EQUAL && value[literal->variable[0]] != value[literal->variable[1]];
    for (int i = 0; i < literal->arity; i++)
        open |= literal->variable[i] != CLAUSE_ANONYMOUS && value[literal->variable[i]] == WHY_NOBODY;
    return literal->predicate == PRINT_OBJECT || (literal->negated && open);
}

/* The literals of a clause, with the objects of `value`. */
static void explain_clause(nlm_why *why, const why_clause *of, const int *value, int depth)
{
    bool first = true;
    for (int l = 0; l < of->count; l++)
        if (!says_nothing(&of->literals[l], value)) {
            node_between(why, first);
            explain(why, &of->literals[l], value, depth);
            first = false;
        }
}

/* The clauses of a false atom, nearest first; below the top only the nearest. */
static void explain_misses(nlm_why *why, int predicate, const int *tuple, int depth)
{
    why_miss misses[MOST_CLAUSES];
    const int most = depth > 1 ? 1 : MOST_CLAUSES,
              count = why_nearest(&why->search, predicate, tuple, misses, most);
    for (int i = 0; i < count; i++) {
        if (!why->json && count > 1)
            fprintf(why->stream, "%*s%s clause: %d of %d literals fail%s\n", 4 * depth, "",
                    i ? "another" : "nearest", misses[i].failed, misses[i].literals,
                    misses[i].failed == 1 ? "s" : "");
        if (why->json)
            fprintf(why->stream, "%s{\"failed\": %d, \"literals\": [", i ? ", " : "", misses[i].failed);
        explain_clause(why, misses[i].clause, misses[i].value, depth + (!why->json && count > 1));
        if (why->json)
            fputs("]}", why->stream);
    }
}

static void explain_atom(nlm_why *why, const clause_literal *literal, const int *value, bool atom_holds,
                         int depth)
{
    int tuple[FORMULA_VARIABLES];
    for (int i = 0; i < literal->arity; i++)
        tuple[i] = value[literal->variable[i]];
    why_solution solution;
    if (depth > MOST_DEPTH)
        return;
    if (!atom_holds)
        explain_misses(why, literal->predicate, tuple, depth);
    else if (why_solve(&why->search, literal->predicate, tuple, &solution))
        explain_clause(why, solution.clause, solution.value, depth);
}

static void explain(nlm_why *why, const clause_literal *literal, const int *value, int depth)
{
    const bool is_equal = literal->predicate == CLAUSE_EQUAL;
    const bool is_input = !is_equal && literal->predicate < why->names.program->input_count;
    const bool bound = why_is_bound(literal, value), holds = why_literal_holds(&why->search, literal, value);
    const bool deeper = !is_equal && !is_input && bound && !(literal->negated && holds);
    const char *remark = "";
    if (is_input && program_at(why->names.program, literal->predicate)->comparison.terms > 0)
        remark = holds ? "" : "  fails";
    else if (is_input && !literal->negated)
        remark = holds ? "  (fact)" : "  fails: no such fact";
    else if (is_input)
        remark = holds ? "" : "  fails: it is a fact";
    else if (!holds)
        remark = "  fails";
    node_begin(why, depth, literal, value, holds, remark);
    if (deeper)
        explain_atom(why, literal, value, holds != literal->negated, depth + 1);
    node_end(why);
}

nlm_status nlm_why_write(nlm_why *why, int target, const int *tuple, bool json, FILE *stream, bool *holds,
                         nlm_error *error)
{
    REQUIRE(why && tuple && stream, error);
    const nlm_program *program = why->names.program;
    if (target < 0 || target >= program->target_count)
        return error_set(error, NLM_BAD_ARGUMENT, "the program has no target number %d", target);
    clause_literal literal = {.predicate = program->target[target]};
    literal.arity = (uint8_t)program_at(program, literal.predicate)->arity;
    for (int i = 0; i < literal.arity; i++) {
        literal.variable[i] = (uint8_t)i;
        if (tuple[i] < 0 || tuple[i] >= nlm_world_objects(why->search.world))
            return error_set(error, NLM_BAD_ARGUMENT, "the world has no object number %d", tuple[i]);
    }
    why->stream = stream;
    why->json = json;
    why_search_begin(&why->search);
    const bool is_true = why_literal_holds(&why->search, &literal, tuple);
    if (holds)
        *holds = is_true;
    if (!why->search.stopped)
        explain(why, &literal, tuple, 0);
    if (json)
        fputc('\n', stream);
    return why->search.stopped ? error_set(error, NLM_BAD_ARGUMENT, "the derivation takes too many steps")
                               : NLM_OK;
}

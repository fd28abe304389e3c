/* A program as clauses in the order of the languages, and which predicates are printed. */
#include "logic/print_numbers.h"
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

/* ---- clauses ---- */

const uint8_t print_head[FORMULA_VARIABLES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                               22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

const char *print_variable(int number, char text[PRINT_NAME])
{
    static const char letters[] = "XYZWVU";
    const int count = (int)sizeof letters - 1;
    snprintf(text, PRINT_NAME, number < count ? "%c" : "%c%d", letters[number % count], number / count);
    return text;
}

const char *print_column(int argument, char text[PRINT_NAME])
{
    snprintf(text, PRINT_NAME, argument < 26 ? "%c" : "%c%d", 'a' + argument % 26, argument / 26);
    return text;
}

static uint64_t variables_of(const clause_literal *literal)
{
    uint64_t set = 0;
    for (int i = 0; i < literal->arity; i++)
        if (literal->variable[i] != CLAUSE_ANONYMOUS)
            set |= (uint64_t)1 << literal->variable[i];
    return set;
}

static bool is_positive(const clause_literal *literal)
{
    return !literal->negated && literal->predicate != CLAUSE_EQUAL;
}

/* The positive literal that goes on best: one with a bound variable, or else with the first of the head's. */
static int next_positive(const clause_literal *from, uint32_t count, const bool *done, uint64_t bound)
{
    int best = -1;
    uint64_t best_key = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t own = variables_of(&from[i]);
        if (done[i] || !is_positive(&from[i]))
            continue;
        /* bound variables, those of low numbers first; literals without variables last */
        const uint64_t lowest = own & bound ? own & bound : own;
        const uint64_t key = (own & bound ? 200 : 0) + (lowest ? 100 - (uint64_t)__builtin_ctzll(lowest) : 0);
        if (best < 0 || key > best_key) {
            best = (int)i;
            best_key = key;
        }
    }
    return best;
}

typedef struct placing {
    print_clause *to;
    uint64_t bound;
} placing;

static void put(placing *in, clause_literal literal)
{
    in->to->literals[in->to->count++] = literal;
    if (!literal.negated)
        in->bound |= variables_of(&literal);
}

static void put_objects(placing *in, uint64_t needed)
{
    for (int v = 0; v < CLAUSE_VARIABLES; v++)
        if ((needed & ~in->bound) >> v & 1)
            put(in, (clause_literal){.predicate = PRINT_OBJECT, .arity = 1, .variable = {(uint8_t)v}});
}

/* Equalities bind the other side; object(X) is there where neither is bound. */
static void put_equalities(placing *in, const clause_literal *from, uint32_t count, bool *done)
{
    for (uint32_t left = 0; left < count; left++) {
        int chosen = -1;
        for (uint32_t i = 0; i < count; i++)
            if (!done[i] && !from[i].negated && (chosen < 0 || variables_of(&from[i]) & in->bound))
                chosen = (int)i;
        if (chosen < 0)
            return;
        if (!(variables_of(&from[chosen]) & in->bound))
            put_objects(in, (uint64_t)1 << from[chosen].variable[0]);
        put(in, from[chosen]);
        done[chosen] = true;
    }
}

/* Variables numbered as they appear, and counted. */
static void number_variables(const printing *of, print_clause *to)
{
    uint8_t number[CLAUSE_VARIABLES];
    memset(number, CLAUSE_ANONYMOUS, sizeof number);
    memset(to->occurrences, 0, sizeof to->occurrences);
    to->variables = to->arity;
    for (int v = 0; v < to->arity; v++) {
        number[v] = (uint8_t)v;
        to->occurrences[v] = 1;
    }
    for (int l = 0; l < to->count; l++) {
        clause_literal *literal = &to->literals[l];
        const nlm_comparison *compared = print_comparison_of(of, literal);
        for (int i = 0; i < literal->arity; i++) {
            uint8_t *v = &literal->variable[i];
            if (*v == CLAUSE_ANONYMOUS)
                continue;
            if (compared && compared->terms > 1) /* an object that both numbers are of */
                to->occurrences[number[*v] == CLAUSE_ANONYMOUS ? to->variables : number[*v]] = 1;
            if (number[*v] == CLAUSE_ANONYMOUS)
                number[*v] = (uint8_t)to->variables++;
            *v = number[*v];
            if (to->occurrences[*v] < 2)
                to->occurrences[*v]++;
        }
    }
}

bool print_prepare(printing *to, const clause *of, print_clause *prepared)
{
    const clause_literal *from = clause_literals(&to->made, of);
    const size_t most = of->count + CLAUSE_VARIABLES;
    bool *done = calloc((size_t)of->count + 1, sizeof *done);
    if (!done || buffer_reserve(&to->work, most, sizeof(clause_literal), false)) {
        free(done);
        return false;
    }
    *prepared =
        (print_clause){.of = of, .literals = to->work.data, .arity = clauses_arity(&to->made, of->head)};
    placing in = {.to = prepared};
    int chosen;
    while ((chosen = next_positive(from, of->count, done, in.bound)) >= 0) {
        put(&in, from[chosen]);
        done[chosen] = true;
    }
    put_equalities(&in, from, of->count, done);
    uint64_t needed = ((uint64_t)1 << prepared->arity) - 1;
    for (uint32_t i = 0; i < of->count; i++)
        if (!done[i])
            needed |= variables_of(&from[i]);
    put_objects(&in, needed);
    for (int inequalities = 0; inequalities < 2; inequalities++)
        for (uint32_t i = 0; i < of->count; i++)
            if (!done[i] && (from[i].predicate == CLAUSE_EQUAL) == inequalities)
                put(&in, from[i]);
    free(done);
    number_variables(to, prepared);
    return true;
}

/* ---- predicates ---- */

static void list_predicate(printing *to, int predicate)
{
    if (predicate < 0 || to->listed[predicate])
        return;
    to->listed[predicate] = true;
    if (predicate >= to->program->input_count)
        to->order[to->ordered++] = predicate;
}

/* The order, and whether any clause needs object/1. */
static nlm_status order_predicates(printing *to, nlm_error *error)
{
    int done = 0;
    for (int i = 0; i < to->predicates; i++)
        to->first[i] = -1;
    for (int c = (int)to->made.count - 1; c >= 0; c--) {
        const int head = clauses_at(&to->made, (uint32_t)c)->head;
        to->next[c] = to->first[head];
        to->first[head] = c;
    }
    for (int t = 0; t < to->program->target_count; t++) {
        list_predicate(to, to->program->target[t]);
        for (; done < to->ordered; done++)
            for (int c = to->first[to->order[done]]; c >= 0; c = to->next[c]) {
                print_clause prepared;
                if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
                    return error_no_memory(error);
                for (int l = 0; l < prepared.count; l++) {
                    to->uses_object |= prepared.literals[l].predicate == PRINT_OBJECT;
                    list_predicate(to, prepared.literals[l].predicate);
                }
            }
    }
    return NLM_OK;
}

void print_close(printing *to)
{
    clauses_free(&to->made);
    names_free(&to->taken);
    text_free(&to->texts);
    buffer_free(&to->work);
    memory_free(to->name);
    memory_free(to->fact_name);
    memory_free(to->attribute_name);
    memory_free(to->facts);
    memory_free(to->base);
    memory_free(to->first);
    memory_free(to->next);
    memory_free(to->order);
    memory_free(to->listed);
}

nlm_status print_open(printing *to, const nlm_program *program, nlm_language language, nlm_error *error)
{
    *to = (printing){.language = language};
    nlm_status status = clauses_of(program, &to->made, error);
    if (status)
        return status;
    to->program = to->made.program;
    to->predicates = to->program->predicate_count + (int)to->made.helper_count;
    const size_t count = (size_t)to->predicates;
    to->name = memory_new(count, sizeof *to->name);
    to->fact_name = memory_new(count, sizeof *to->fact_name);
    to->attribute_name = memory_new((size_t)to->program->attribute_count + 1, sizeof *to->attribute_name);
    to->facts = memory_new(count, sizeof *to->facts);
    to->base = memory_new(count, sizeof *to->base);
    to->first = memory_new(count, sizeof *to->first);
    to->next = memory_new(to->made.count, sizeof *to->next);
    to->order = memory_new(count, sizeof *to->order);
    to->listed = memory_new(count, sizeof *to->listed);
    if (!to->name || !to->fact_name || !to->attribute_name || !to->facts || !to->base || !to->first ||
        !to->next || !to->order || !to->listed)
        return error_no_memory(error);
    status = order_predicates(to, error);
    return status ? status : print_find_names(to, error);
}

nlm_status nlm_program_print(FILE *stream, const nlm_program *program, nlm_language language,
                             nlm_error *error)
{
    REQUIRE(stream && program, error);
    static nlm_status (*const print[])(printing *) = {
        [NLM_PROLOG] = print_rules, [NLM_ASP] = print_rules,       [NLM_DATALOG] = print_rules,
        [NLM_SQL] = print_sql,      [NLM_ENGLISH] = print_english, [NLM_JSON] = print_json,
        [NLM_CLAUSES] = print_rules};
    if ((unsigned)language >= sizeof print / sizeof print[0])
        return error_set(error, NLM_BAD_ARGUMENT, "there is no language number %d", (int)language);
    printing to;
    nlm_status status = print_open(&to, program, language == NLM_CLAUSES ? NLM_PROLOG : language, error);
    to.stream = stream;
    to.bare = language == NLM_CLAUSES;
    if (!status && (status = print[language](&to)) != NLM_OK)
        (void)error_no_memory(error);
    if (!status && (fflush(stream) || ferror(stream)))
        status = error_set(error, NLM_IO_ERROR, "the program could not be written");
    print_close(&to);
    return status;
}

nlm_status nlm_program_text(const nlm_program *program, nlm_language language, char **text, nlm_error *error)
{
    REQUIRE(program && text, error);
    size_t size = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(error);
    nlm_status status = nlm_program_print(stream, program, language, error);
    if ((fclose(stream) || !*text) && !status)
        status = error_no_memory(error);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

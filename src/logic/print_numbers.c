#include "logic/print_numbers.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "facts/comparison.h"
#include "syntax/number.h"

const nlm_comparison *print_comparison_of(const printing *to, const clause_literal *literal)
{
    if (literal->predicate < 0 || literal->predicate >= to->program->input_count)
        return NULL;
    const nlm_comparison *of = &program_at(to->program, literal->predicate)->comparison;
    return of->terms > 0 ? of : NULL;
}

/* ---- names of numbers in a clause ---- */

typedef struct clause_term {
    const nlm_attribute *attribute;
    uint8_t object[NLM_MAX_FACT_ARITY];
} clause_term;

static clause_term term_of(const printing *to, const clause_literal *literal, const nlm_comparison *of, int t)
{
    clause_term made = {.attribute = program_attribute_at(to->program, of->attribute[t])};
    for (int k = 0; k < made.attribute->objects; k++)
        made.object[k] = literal->variable[of->object[t][k]];
    return made;
}

static bool is_same_term(const clause_term *a, const clause_term *b)
{
    if (a->attribute != b->attribute)
        return false;
    for (int k = 0; k < a->attribute->objects; k++)
        if (a->object[k] != b->object[k] || a->object[k] == CLAUSE_ANONYMOUS)
            return false;
    return true;
}

/* Number `index` of the names that no variable of the clause has. */
static void name_value(const print_clause *in, int index, char text[PRINT_NAME])
{
    static const char letters[] = "VWUTSRQPNM";
    char variable[PRINT_NAME];
    for (const char *letter = letters; *letter; letter++) {
        bool taken = false;
        for (int v = 0; v < in->variables + NLM_MAX_FACT_ARITY; v++)
            taken |= print_variable(v, variable)[0] == *letter && !variable[1] && v < in->variables;
        if (!taken && index-- == 0) {
            snprintf(text, PRINT_NAME, "%c", *letter);
            return;
        }
    }
    snprintf(text, PRINT_NAME, "N%d", index + 1);
}

/* The terms of positive comparisons before literal l, and those of l before term t: how many different ones,
 * until the wanted one comes, and whether it does. */
static int find_value(const printing *to, const print_clause *in, int l, int t, bool *told)
{
    enum { MOST = 64 };
    const nlm_comparison *own = print_comparison_of(to, &in->literals[l]);
    const clause_term wanted = term_of(to, &in->literals[l], own, t);
    clause_term before[MOST];
    int count = 0;
    for (int i = 0; i <= l; i++) {
        const nlm_comparison *of = print_comparison_of(to, &in->literals[i]);
        if (!of || of->order == NLM_KNOWN || (in->literals[i].negated && i < l))
            continue;
        for (int u = 0; u < (i < l ? of->terms : t) && count < MOST; u++) {
            const clause_term other = term_of(to, &in->literals[i], of, u);
            int known = 0;
            while (known < count && !is_same_term(&before[known], &other))
                known++;
            if (known == count)
                before[count++] = other;
        }
    }
    for (int known = 0; known < count; known++)
        if ((*told = is_same_term(&before[known], &wanted)) != false)
            return known;
    *told = false;
    return count;
}

/* ---- goals ---- */

/* Whether the two objects can be one, which Prolog would count as well. */
static bool must_differ(const nlm_comparison *of, const clause_literal *literal, int *a, int *b)
{
    *a = literal->variable[0];
    *b = literal->arity > 1 ? literal->variable[1] : -1;
    if (of->terms < 2 || literal->arity < 2)
        return false;
    return !(of->minus && of->attribute[0] == of->attribute[1]) || comparison_holds(of, 0);
}

static bool says_differ(const print_clause *in, int a, int b)
{
    for (int l = 0; l < in->count; l++) {
        const clause_literal *one = &in->literals[l];
        if (one->predicate == CLAUSE_EQUAL && one->negated &&
            ((one->variable[0] == a && one->variable[1] == b) ||
             (one->variable[0] == b && one->variable[1] == a)))
            return true;
    }
    return false;
}

size_t print_spaced(FILE *stream, const char *text)
{
    size_t length = 0;
    char quote = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '\'')
            quote = quote ? 0 : *at;
        fputc(*at, stream);
        length++;
        if (*at == ',' && !quote && at[1] != ' ') {
            fputc(' ', stream);
            length++;
        }
    }
    return length;
}

size_t print_comparison(const printing *to, const print_clause *in, int l, const char *not_)
{
    const clause_literal *literal = &in->literals[l];
    const nlm_comparison *of = print_comparison_of(to, literal);
    char object[NLM_MAX_FACT_ARITY][PRINT_NAME], value[2][PRINT_NAME];
    comparison_words words = {.value = {value[0], value[1]}};
    int fresh = in->variables, a, b;
    for (int k = 0; k < literal->arity; k++) {
        const int variable = literal->variable[k];
        const bool once = variable == CLAUSE_ANONYMOUS || in->occurrences[variable] < 2;
        words.object[k] = !once || of->terms > 1
                              ? print_variable(variable == CLAUSE_ANONYMOUS ? fresh++ : variable, object[k])
                              : "_";
    }
    for (int t = 0; t < of->terms && of->order != NLM_KNOWN; t++)
        name_value(in, find_value(to, in, l, t, &words.told[t]), value[t]);
    const bool differ = must_differ(of, literal, &a, &b) && (literal->negated || !says_differ(in, a, b));
    const size_t size = comparison_text(to->program->attributes.data, of, &words, NULL, 0) + 1;
    char *text = memory_new(size, 1);
    size_t length = 0;
    if (!text)
        return 0;
    comparison_text(to->program->attributes.data, of, &words, text, size);
    const bool single =
        (of->order == NLM_KNOWN || (words.told[0] && (of->terms < 2 || words.told[1]))) && !differ;
    const bool negated = literal->negated && *not_;
    if (negated)
        length += (size_t)fprintf(to->stream, "%s%s", not_, single ? "" : "(");
    length += print_spaced(to->stream, text);
    if (differ)
        length += (size_t)fprintf(to->stream, ", %s \\= %s", words.object[0], words.object[1]);
    if (negated && !single)
        length += (size_t)fprintf(to->stream, ")");
    memory_free(text);
    return length;
}

/* ---- predicates of comparisons ---- */

bool print_reads_attribute(const printing *to, int attribute)
{
    const nlm_attribute *of = program_attribute_at(to->program, attribute);
    if (of->place > of->objects)
        return false;
    for (int i = 0; i < to->program->input_count; i++) {
        const nlm_comparison *one = &program_at(to->program, i)->comparison;
        for (int t = 0; t < one->terms && (to->listed[i] || to->uses_object); t++)
            if (one->attribute[t] >= attribute && one->attribute[t] < attribute + of->arity - of->objects)
                return true;
    }
    return to->uses_object;
}

char *print_comparison_name(const printing *to, int input)
{
    static const char *const words[] = {[NLM_AT_LEAST] = "at_least",
                                        [NLM_BELOW] = "below",
                                        [NLM_ABOVE] = "above",
                                        [NLM_AT_MOST] = "at_most",
                                        [NLM_KNOWN] = "known"};
    const nlm_comparison *of = &program_at(to->program, input)->comparison;
    const char *first = program_attribute_at(to->program, of->attribute[0])->name;
    const char *second = of->terms > 1 ? program_attribute_at(to->program, of->attribute[1])->name : "";
    char number[NUMBER_SIZE] = "";
    if (of->order != NLM_KNOWN)
        comparison_number_text(of->number, number);
    for (char *at = number; *at; at++)
        *at = *at == '-' ? 'm' : isalnum((unsigned char)*at) ? *at : '_';
    const size_t size = strlen(first) + strlen(second) + NUMBER_SIZE + 32;
    char *text = memory_new(size, 1);
    if (text)
        snprintf(text, size, "%s%s%s_%s%s%s", first,
                 of->terms < 2 ? ""
                 : of->minus   ? "_minus_"
                               : "_plus_",
                 second, words[of->order], *number ? "_" : "", number);
    return text;
}

/* ---- clingo's integers ---- */

/* Digits behind the point of a number's text. */
static int decimals_of(double number)
{
    char text[NUMBER_SIZE];
    comparison_number_text(number, text);
    const char *point = strchr(text, '.'), *exponent = strchr(text, 'e');
    const int after = point ? (int)strspn(point + 1, "0123456789") : 0;
    int shift = 0;
    if (exponent)
        sscanf(exponent + 1, "%d", &shift);
    return after - shift > 0 ? after - shift : 0;
}

/* Numbers are multiplied by 10 to this power; clingo's are below 2^31. */
static int scale_of(const printing *to)
{
    int scale = 0;
    double largest = 0;
    for (int i = 0; i < to->program->input_count; i++) {
        const nlm_comparison *of = &program_at(to->program, i)->comparison;
        if (of->terms == 0 || of->order == NLM_KNOWN || !to->listed[i])
            continue;
        scale = decimals_of(of->number) > scale ? decimals_of(of->number) : scale;
        largest = fmax(largest, fabs(of->number));
    }
    while (scale > 0 && (scale > 6 || largest * pow(10, scale) > 1e8))
        scale--;
    return scale;
}

void print_number_scale(const printing *to)
{
    bool any = false;
    for (int i = 0; i < to->program->input_count; i++)
        any |= to->listed[i] && program_at(to->program, i)->comparison.terms > 0;
    if (!any)
        return;
    const int scale = scale_of(to);
    fprintf(to->stream,
            "%% clingo's numbers are integers: those of the facts are to be multiplied by %.0f and rounded "
            "down\n",
            pow(10, scale));
}

/* ---- definitions ---- */

static const char *fact_table(const printing *to, int attribute)
{
    while (program_attribute_at(to->program, attribute)->place >
           program_attribute_at(to->program, attribute)->objects)
        attribute--;
    return to->attribute_name[attribute];
}

static void put_test(const printing *to, const nlm_comparison *of, const char *const value[2])
{
    static const char *const signs[] = {
        [NLM_AT_LEAST] = ">=", [NLM_BELOW] = "<", [NLM_ABOVE] = ">", [NLM_AT_MOST] = "<="};
    char number[NUMBER_SIZE];
    if (to->language == NLM_ASP)
        snprintf(number, sizeof number, "%.0f", ceil(of->number * pow(10, scale_of(to)) - 1e-9) + 0.0);
    else if (to->language == NLM_DATALOG)
        number_text(of->number, number); /* Souffle's floats have a point */
    else
        comparison_number_text(of->number, number);
    fprintf(to->stream, "%s%s%s %s %s", value[0],
            of->terms < 2 ? ""
            : of->minus   ? " - "
                          : " + ",
            of->terms < 2 ? "" : value[1], signs[of->order], number);
}

void print_comparison_rules(const printing *to)
{
    static const char *const values[2] = {"V", "W"};
    for (int i = 0; i < to->program->input_count; i++) {
        const program_predicate *of = program_at(to->program, i);
        if (!to->listed[i] || of->comparison.terms == 0)
            continue;
        fprintf(to->stream, "%s", to->name[i]);
        for (int k = 0; k < of->arity; k++)
            fprintf(to->stream, "%s%c", k ? ", " : "(", 'A' + k);
        fputs(of->arity ? ")" : to->language == NLM_DATALOG ? "()" : "", to->stream);
        for (int t = 0; t < of->comparison.terms; t++) {
            const nlm_attribute *attribute = program_attribute_at(to->program, of->comparison.attribute[t]);
            fprintf(to->stream, "%s%s", t ? ", " : " :- ", fact_table(to, of->comparison.attribute[t]));
            for (int k = 0; k < attribute->arity; k++) {
                fputs(k ? ", " : "(", to->stream);
                if (k < attribute->objects)
                    fputc('A' + of->comparison.object[t][k], to->stream);
                else
                    fputs(k == attribute->place && of->comparison.order != NLM_KNOWN ? values[t] : "_",
                          to->stream);
            }
            fputs(")", to->stream);
        }
        if (of->comparison.order != NLM_KNOWN) {
            fputs(", ", to->stream);
            put_test(to, &of->comparison, values);
        }
        for (int a = 0; a < of->arity; a++)
            for (int b = a + 1; b < of->arity; b++)
                fprintf(to->stream, ", %c != %c", 'A' + a, 'A' + b);
        fputs(".\n", to->stream);
    }
}

void print_comparison_query(const printing *to, int input)
{
    const program_predicate *of = program_at(to->program, input);
    const nlm_comparison *what = &of->comparison;
    char column[PRINT_NAME], value[2][PRINT_NAME + 8], place[NLM_MAX_FACT_ARITY][PRINT_NAME + 8] = {""};
    bool more = false;
    for (int t = 0; t < what->terms; t++) {
        const nlm_attribute *attribute = program_attribute_at(to->program, what->attribute[t]);
        snprintf(value[t], sizeof value[t], "t%d.%s", t + 1, print_column(attribute->place, column));
        for (int k = 0; k < attribute->objects; k++)
            if (!*place[what->object[t][k]])
                snprintf(place[what->object[t][k]], sizeof place[0], "t%d.%s", t + 1,
                         print_column(k, column));
    }
    fputs("SELECT ", to->stream);
    for (int k = 0; k < of->arity; k++)
        fprintf(to->stream, "%s%s", k ? ", " : "", place[k]);
    fputs(of->arity ? "" : "1", to->stream);
    for (int t = 0; t < what->terms; t++)
        fprintf(to->stream, "%s%s AS t%d", t ? ", " : " FROM ", fact_table(to, what->attribute[t]), t + 1);
    for (int t = 0; t < what->terms; t++) {
        const nlm_attribute *attribute = program_attribute_at(to->program, what->attribute[t]);
        for (int k = 0; k < attribute->objects; k++) {
            char own[PRINT_NAME + 8];
            snprintf(own, sizeof own, "t%d.%s", t + 1, print_column(k, column));
            if (!strcmp(own, place[what->object[t][k]]))
                continue;
            fprintf(to->stream, "%s%s = %s", more ? " AND " : " WHERE ", own, place[what->object[t][k]]);
            more = true;
        }
    }
    for (int a = 0; a < of->arity; a++)
        for (int b = a + 1; b < of->arity; b++, more = true)
            fprintf(to->stream, "%s%s <> %s", more ? " AND " : " WHERE ", place[a], place[b]);
    if (what->order != NLM_KNOWN) {
        fputs(more ? " AND " : " WHERE ", to->stream);
        put_test(to, what, (const char *const[2]){value[0], value[1]});
    }
}

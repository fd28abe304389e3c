/* Programs as rules: Prolog as SWI-Prolog loads it, clingo's answer set programs, Souffle's Datalog.
 *
 * They differ in how negation and inequality are written, and in what stands before the clauses: which
 * predicates are given, what object/1 is, and the inputs that repeat an object, under names of their own. */
#include "logic/print_numbers.h"
#include <string.h>
#include "logic/print_prolog.h"

enum { LINE = 100 };

typedef struct style {
    const char *not_, *differs, *same, *comment;
} style;

static const style styles[] = {[NLM_PROLOG] = {"\\+ ", " \\= ", " = ", "%"},
                               [NLM_ASP] = {"not ", " != ", " = ", "%"},
                               [NLM_DATALOG] = {"!", " != ", " = ", "//"}};

/* ---- one literal or head ---- */

static size_t put_text(FILE *stream, const char *text)
{
    fputs(text, stream);
    return strlen(text);
}

/* An argument: `_` where the variable stands nowhere else. */
static size_t put_variable(const printing *to, const print_clause *in, int variable)
{
    char text[PRINT_NAME];
    const bool once = variable == CLAUSE_ANONYMOUS || in->occurrences[variable] < 2;
    return put_text(to->stream, once ? "_" : print_variable(variable, text));
}

/* NAME(X, Y), NAME(X, it); definitions of patterns, p(A,A), repeat a variable. */
static size_t put_atom(const printing *to, const print_clause *in, int predicate, const uint8_t *variables,
                       int arity)
{
    const int written = print_arguments(to, predicate, arity);
    size_t length = put_text(to->stream, predicate == PRINT_OBJECT ? to->object : to->name[predicate]);
    for (int i = 0; i < written; i++) {
        prolog_name constant;
        const int place = print_argument(to, predicate, i, &constant);
        length += put_text(to->stream, i ? ", " : "(");
        length += place < 0 ? print_constant(to, constant) : put_variable(to, in, variables[place]);
    }
    if (written == 0 && to->language == NLM_DATALOG)
        length += put_text(to->stream, "(");
    return length + (written > 0 || to->language == NLM_DATALOG ? put_text(to->stream, ")") : 0);
}

/* A literal, which is number l of the clause, or -1. */
static size_t put_literal(const printing *to, const print_clause *in, const clause_literal *literal, int l)
{
    if (l >= 0 && print_comparison_of(to, literal) && !print_defines_comparisons(to))
        return print_comparison(to, in, l, styles[to->language].not_);
    const style *as = &styles[to->language];
    if (literal->predicate != CLAUSE_EQUAL)
        return (literal->negated ? put_text(to->stream, as->not_) : 0) +
               put_atom(to, in, literal->predicate, literal->variable, literal->arity);
    size_t length = put_variable(to, in, literal->variable[0]);
    length += put_text(to->stream, literal->negated ? as->differs : as->same);
    return length + put_variable(to, in, literal->variable[1]);
}

/* What stands between two literals, or the head and the first. */
static size_t put_separator(const printing *to, bool first, size_t length)
{
    length += put_text(to->stream, first ? " :-" : ",");
    if (length > LINE) {
        fputs("\n   ", to->stream);
        length = 3;
    }
    return length + put_text(to->stream, " ");
}

/* Another definition that is printed under that name, from the order's entry `from` on and with clauses if so
 * asked; or -1. */
static int namesake(const printing *to, int definition, int from, bool with_clauses)
{
    for (int i = from; i < to->ordered; i++) {
        const int other = to->order[i];
        if (other != definition && to->name[other] == to->name[definition] &&
            (!with_clauses || to->first[other] >= 0))
            return other;
    }
    return -1;
}

/* Clauses of a pattern hold for different objects where others of that name are about equal ones:
 * selfish(X, Y) :- envies(X, Y), X \= Y.  selfish(X, X) :- likes_aa(X). */
void print_one_clause(const printing *to, print_clause *in)
{
    const bool differences = namesake(to, in->of->head, 0, false) >= 0;
    for (int v = 0; v < in->arity && differences && in->arity > 1; v++)
        in->occurrences[v] = 2;
    size_t length = put_atom(to, in, in->of->head, print_head, in->arity);
    for (int l = 0; l < in->count; l++) {
        length = put_separator(to, l == 0, length);
        length += put_literal(to, in, &in->literals[l], l);
    }
    for (int a = 0; a < in->arity && differences; a++)
        for (int b = a + 1; b < in->arity; b++) {
            const clause_literal differ = {
                .predicate = CLAUSE_EQUAL, .negated = true, .arity = 2, .variable = {(uint8_t)a, (uint8_t)b}};
            length = put_separator(to, in->count == 0 && b == 1, length);
            length += put_literal(to, in, &differ, -1);
        }
    fputs(".\n", to->stream);
}

/* ---- what stands before the clauses ---- */

/* object(X) :- p(X, _). for each place of each input that the program has; types say where objects stand. */
static void put_objects(const printing *to)
{
    const nlm_program *program = to->program;
    for (int i = 0; i < program->input_count && to->uses_object; i++) {
        const int written = print_written(to, i);
        prolog_name constant;
        if (program_at(program, i)->is_type || !print_has_facts(to, i))
            continue;
        for (int place = 0; place < written; place++) {
            if (print_place(to, i, place, &constant) < 0)
                continue;
            fprintf(to->stream, "%s(X) :- %s", to->object, to->fact_name[i]);
            for (int k = 0; k < written; k++)
                fprintf(to->stream, "%s%s", k ? ", " : "(", k == place ? "X" : "_");
            fputs(").\n", to->stream);
        }
    }
    for (int a = 0; a < program->attribute_count && to->uses_object; a++) {
        const nlm_attribute *of = program_attribute_at(program, a);
        for (int place = 0; place < of->objects && of->place == of->objects; place++) {
            fprintf(to->stream, "%s(X) :- %s", to->object, to->attribute_name[a]);
            for (int k = 0; k < of->arity; k++)
                fprintf(to->stream, "%s%s", k ? ", " : "(", k == place ? "X" : "_");
            fputs(").\n", to->stream);
        }
    }
}

/* NAME(A, B, A) for the places {0, 1, 0}; no places: 0, 1, ... */
static void put_pattern(const printing *to, const char *name, int arity, const int *place)
{
    fputs(name, to->stream);
    for (int i = 0; i < arity; i++)
        fprintf(to->stream, "%s%c", i ? ", " : "(", 'A' + (place ? place[i] : i));
    fputs(")", to->stream);
}

/* The facts of an alias: likes(A, A), works(A, lead, A). */
static void put_facts_pattern(const printing *to, int input)
{
    fputs(to->fact_name[input], to->stream);
    for (int k = 0; k < print_written(to, input); k++) {
        prolog_name constant;
        const int place = print_place(to, input, k, &constant);
        fputs(k ? ", " : "(", to->stream);
        if (place < 0)
            print_constant(to, constant);
        else
            fputc('A' + place, to->stream);
    }
    fputs(")", to->stream);
}

/* likes_aa(A) :- likes(A, A).  likes_ab(A, B) :- likes(A, B), A \= B. */
static void put_aliases(const printing *to)
{
    for (int i = 0; i < to->program->input_count; i++) {
        const program_predicate *of = program_at(to->program, i);
        if (!to->listed[i] || !print_is_alias(to, i) || of->comparison.terms > 0)
            continue;
        put_pattern(to, to->name[i], of->arity, NULL);
        fputs(" :- ", to->stream);
        put_facts_pattern(to, i);
        for (int a = 0; a < of->arity; a++)
            for (int b = a + 1; b < of->arity; b++)
                fprintf(to->stream, ", %c%s%c", 'A' + a, styles[to->language].differs, 'A' + b);
        fputs(".\n", to->stream);
    }
}

/* Whether the input is the first of its facts, and these are to be declared. */
static bool is_declared(const printing *to, int input)
{
    bool used = to->listed[input] || to->uses_object;
    for (int i = input + 1; i < to->program->input_count && !used; i++)
        used = to->facts[i] == input && to->listed[i];
    return used && print_has_facts(to, input);
}

/* Facts are looked for under a name that differs from that of the program. */
static void put_renamed(const printing *to)
{
    for (int i = 0; i < to->program->predicate_count && to->language != NLM_PROLOG; i++) {
        const program_predicate *of = program_at(to->program, i);
        const char *name = of->is_input ? to->fact_name[i] : to->name[i];
        const char *given = of->is_input ? to->base[i] : of->name;
        if (to->listed[i] && !of->unnamed && of->comparison.terms == 0 && strcmp(name, given) != 0 &&
            !of->is_type)
            fprintf(to->stream, "%s %s/%d is written %s\n", styles[to->language].comment, given,
                    print_written(to, i), name);
    }
    for (int i = 0; i < to->program->input_count; i++)
        if (program_at(to->program, i)->is_type && to->listed[i])
            fprintf(to->stream, "%s beside the facts, %s/1 is to hold for the objects of that type\n",
                    styles[to->language].comment, to->fact_name[i]);
}

/* SWI-Prolog: what facts may lack is dynamic; object/1 may have facts in other files. */
static void put_prolog_start(const printing *to)
{
    const nlm_program *program = to->program;
    int printed = 0;
    for (int i = 0; i < program->input_count; i++)
        if (is_declared(to, i))
            prolog_write_redefinition(to->stream, to->fact_name[i], print_written(to, i));
    for (int i = 0; i < to->ordered; i++)
        prolog_write_redefinition(to->stream, to->name[to->order[i]], print_written(to, to->order[i]));
    for (int i = 0; i < program->input_count; i++)
        if (is_declared(to, i) && !program_at(program, i)->is_type)
            prolog_write_indicator(to->stream, ":- dynamic ", &printed, to->fact_name[i],
                                   print_written(to, i));
    for (int a = 0; a < program->attribute_count; a++)
        if (print_reads_attribute(to, a))
            prolog_write_indicator(to->stream, ":- dynamic ", &printed, to->attribute_name[a],
                                   program_attribute_at(program, a)->arity);
    for (int i = 0; i < to->ordered; i++)
        if (to->first[to->order[i]] < 0 && namesake(to, to->order[i], 0, true) < 0 &&
            namesake(to, to->order[i], i + 1, false) < 0)
            prolog_write_indicator(to->stream, ":- dynamic ", &printed, to->name[to->order[i]],
                                   print_written(to, to->order[i]));
    if (to->uses_object)
        prolog_write_indicator(to->stream, ":- dynamic ", &printed, to->object, 1);
    if (printed)
        fputs(".\n", to->stream);
    for (int i = 0; i < to->ordered; i++) /* clauses of namesakes may stand apart */
        if (to->first[to->order[i]] >= 0 && namesake(to, to->order[i], i + 1, true) >= 0)
            fprintf(to->stream, ":- discontiguous %s/%d.\n", to->name[to->order[i]],
                    print_written(to, to->order[i]));
    if (to->uses_object)
        fprintf(to->stream, ":- multifile %s/1.\n", to->object);
}

/* clingo: what facts may lack is defined; targets are shown, for different objects. */
static void put_asp_start(const printing *to)
{
    const nlm_program *program = to->program;
    for (int i = 0; i < program->input_count; i++)
        if (is_declared(to, i))
            fprintf(to->stream, "#defined %s/%d.\n", to->fact_name[i], print_written(to, i));
    for (int a = 0; a < program->attribute_count; a++)
        if (print_reads_attribute(to, a))
            fprintf(to->stream, "#defined %s/%d.\n", to->attribute_name[a],
                    program_attribute_at(program, a)->arity);
    for (int i = 0; i < to->ordered; i++)
        if (to->first[to->order[i]] < 0)
            fprintf(to->stream, "#defined %s/%d.\n", to->name[to->order[i]], print_written(to, to->order[i]));
    if (to->uses_object)
        fprintf(to->stream, "#defined %s/1.\n", to->object);
    fputs("#show.\n", to->stream);
    for (int t = 0; t < program->target_count; t++) {
        const program_predicate *of = program_at(program, program->target[t]);
        const char *name = to->name[program->target[t]];
        if (of->written < 2 || of->arity < of->written) {
            fprintf(to->stream, "#show %s/%d.\n", name, of->written);
            continue;
        }
        for (int twice = 0; twice < 2; twice++) {
            fputs(twice ? " : " : "#show ", to->stream);
            put_pattern(to, name, of->arity, NULL);
        }
        for (int a = 0; a < of->arity; a++)
            for (int b = a + 1; b < of->arity; b++)
                fprintf(to->stream, ", %c != %c", 'A' + a, 'A' + b);
        fputs(".\n", to->stream);
    }
}

/* The last `numbers` columns are numbers. */
static void put_declaration(const printing *to, const char *name, int arity, int numbers, const char *use)
{
    fprintf(to->stream, ".decl %s(", name);
    char column[PRINT_NAME];
    for (int i = 0; i < arity; i++)
        fprintf(to->stream, "%s%s: %s", i ? ", " : "", print_column(i, column),
                i < arity - numbers ? "symbol" : "float");
    fputs(")\n", to->stream);
    if (use)
        fprintf(to->stream, ".%s %s\n", use, name);
}

static void put_datalog_start(const printing *to)
{
    const nlm_program *program = to->program;
    for (int i = 0; i < program->input_count; i++) {
        if (is_declared(to, i))
            put_declaration(to, to->fact_name[i], print_written(to, i), 0, "input");
        if (to->listed[i] && print_is_alias(to, i))
            put_declaration(to, to->name[i], program_at(program, i)->arity, 0, NULL);
    }
    for (int a = 0; a < program->attribute_count; a++) {
        const nlm_attribute *of = program_attribute_at(program, a);
        if (print_reads_attribute(to, a))
            put_declaration(to, to->attribute_name[a], of->arity, of->arity - of->objects, "input");
    }
    if (to->uses_object)
        put_declaration(to, to->object, 1, 0, NULL);
    for (int i = 0; i < to->ordered; i++) {
        bool target = false;
        if (namesake(to, to->order[i], i + 1, false) >= 0)
            continue; /* declared with the last of that name */
        for (int t = 0; t < program->target_count; t++)
            target |= to->name[program->target[t]] == to->name[to->order[i]];
        put_declaration(to, to->name[to->order[i]], print_written(to, to->order[i]), 0,
                        target ? "output" : NULL);
    }
}

/* What the language has to know before the clauses. */
static void put_start(const printing *to)
{
    put_renamed(to);
    if (to->language == NLM_ASP)
        print_number_scale(to);
    if (to->language == NLM_PROLOG)
        put_prolog_start(to);
    else if (to->language == NLM_ASP)
        put_asp_start(to);
    else
        put_datalog_start(to);
    put_objects(to);
    put_aliases(to);
    if (print_defines_comparisons(to))
        print_comparison_rules(to);
}

/* The order of an agent's rules.  Prolog tries the clauses of move/n one after the other; it may prove a rule
 * for the same object twice, which is no move. */
static void put_order(const printing *to)
{
    const nlm_program *program = to->program;
    const char *comment = styles[to->language].comment;
    fprintf(to->stream,
            "%s The agent makes a move of the first of these rules that holds for any: of several moves the\n"
            "%s one with the lowest numbers, and where no rule holds the first move of all.\n",
            comment, comment);
    for (int t = 0; t < program->target_count && to->language == NLM_PROLOG; t++) {
        const int arity = program_at(program, program->target[t])->arity;
        put_pattern(to, "move", arity, NULL);
        fputs(" :- ", to->stream);
        put_pattern(to, to->name[program->target[t]], arity, NULL);
        fputs(arity == 2 ? ", A \\= B.\n" : ".\n", to->stream);
    }
}

nlm_status print_rules(printing *to)
{
    if (to->bare)
        put_aliases(to); /* without them nobody knows what they are */
    else
        put_start(to);
    if (!to->bare && to->program->is_policy)
        put_order(to);
    for (int i = 0; i < to->ordered; i++)
        for (int c = to->first[to->order[i]]; c >= 0; c = to->next[c]) {
            print_clause prepared;
            if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
                return NLM_NO_MEMORY;
            print_one_clause(to, &prepared);
        }
    return NLM_OK;
}

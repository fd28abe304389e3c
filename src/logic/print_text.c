/* Programs for people and for other programs: an English sentence for each clause, and JSON. */
#include "logic/print_numbers.h"
#include <string.h>
#include "nlm/tools.h"

/* ---- English ---- */

/* NAME(X, Y); anonymous variables get names from *fresh on, unless that is NULL. */
static void put_atom(const printing *to, const char *name, int predicate, const uint8_t *variables, int arity,
                     int fresh)
{
    char text[PRINT_NAME];
    const int arguments = print_arguments(to, predicate, arity);
    fputs(name, to->stream);
    for (int i = 0; i < arguments; i++) {
        prolog_name constant;
        const int place = print_argument(to, predicate, i, &constant);
        fputs(i ? ", " : "(", to->stream);
        if (place < 0)
            print_constant(to, constant);
        else
            fputs(print_variable(variables[place] == CLAUSE_ANONYMOUS ? fresh++ : variables[place], text),
                  to->stream);
    }
    fputs(arguments ? ")" : "", to->stream);
}

static const char *english_name(const printing *to, int predicate)
{
    return predicate < to->program->input_count && !print_is_alias(to, predicate) ? to->fact_name[predicate]
                                                                                  : to->name[predicate];
}

/* Variables first ... end - 1 as "Z", "Z and W", "Z, W and V". */
static void put_variables(const printing *to, int first, int end)
{
    char text[PRINT_NAME];
    for (int v = first; v < end; v++)
        fprintf(to->stream, "%s%s", v == first ? "" : v + 1 == end ? " and " : ", ", print_variable(v, text));
}

static void put_condition(const printing *to, const print_clause *in, const clause_literal *literal)
{
    char a[PRINT_NAME], b[PRINT_NAME];
    if (literal->predicate == CLAUSE_EQUAL) {
        fprintf(to->stream, literal->negated ? "%s is different from %s" : "%s is %s",
                print_variable(literal->variable[0], a), print_variable(literal->variable[1], b));
        return;
    }
    if (print_comparison_of(to, literal)) {
        print_comparison(to, in, (int)(literal - in->literals), "not ");
        return;
    }
    int unknown = 0;
    for (int i = 0; i < literal->arity; i++)
        unknown += literal->variable[i] == CLAUSE_ANONYMOUS;
    if (literal->negated && unknown) {
        fputs(unknown == 1 ? "there is no " : "there are no ", to->stream);
        put_variables(to, in->variables, in->variables + unknown);
        fputs(" with ", to->stream);
    } else if (literal->negated) {
        fputs("not ", to->stream);
    }
    put_atom(to, english_name(to, literal->predicate), literal->predicate, literal->variable, literal->arity,
             in->variables);
}

/* "uncle(X, Y) holds if there is Z with father(X, Z), and brother(Z, Y)." */
static void put_sentence(const printing *to, const print_clause *in, bool first)
{
    int left = 0, said = 0;
    for (int l = 0; l < in->count; l++)
        left += in->literals[l].predicate != PRINT_OBJECT;
    put_atom(to, to->name[in->of->head], in->of->head, print_head, in->arity, 0);
    fputs(left == 0 ? " always holds" : first ? " holds if " : " also holds if ", to->stream);
    if (left > 0 && in->variables > in->arity) {
        fputs(in->variables == in->arity + 1 ? "there is " : "there are ", to->stream);
        put_variables(to, in->arity, in->variables);
        fputs(" with ", to->stream);
    }
    for (int l = 0; l < in->count; l++) {
        if (in->literals[l].predicate == PRINT_OBJECT)
            continue;
        fputs(said == 0 ? "" : said + 1 == left ? " and " : ", ", to->stream);
        put_condition(to, in, &in->literals[l]);
        said++;
    }
    fputs(".\n", to->stream);
}

/* Of selfish/2 and selfish(A,A) one may never hold: the other's sentences say enough. */
static bool has_namesake(const printing *to, int definition)
{
    int count = 0;
    for (int i = 0; i < to->ordered; i++)
        count += to->name[to->order[i]] == to->name[definition];
    return count > 1;
}

nlm_status print_english(printing *to)
{
    if (to->program->is_policy)
        fputs("The agent makes a move of the first of these rules that holds for any.\n", to->stream);
    for (int i = 0; i < to->ordered; i++) {
        const int first = to->first[to->order[i]];
        for (int c = first; c >= 0; c = to->next[c]) {
            print_clause prepared;
            if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
                return NLM_NO_MEMORY;
            put_sentence(to, &prepared, c == first);
        }
        if (first < 0 && !has_namesake(to, to->order[i]))
            fprintf(to->stream, "%s never holds.\n", to->name[to->order[i]]);
    }
    return NLM_OK;
}

/* ---- cases ---- */

/* The literals of one kind, with `between` between them; returns how many. */
static int put_literals(const printing *to, const print_clause *in, bool negated, bool equal,
                        const char *before, const char *between)
{
    int said = 0;
    for (int l = 0; l < in->count; l++) {
        clause_literal literal = in->literals[l];
        if (literal.predicate == PRINT_OBJECT || literal.negated != negated ||
            (literal.predicate == CLAUSE_EQUAL) != equal)
            continue;
        fputs(said++ ? between : before, to->stream);
        if (print_comparison_of(to, &literal)) {
            print_comparison(to, in, l, "");
            continue;
        }
        literal.negated = literal.negated && equal;
        put_condition(to, in, &literal);
    }
    return said;
}

/* "mother(X, Y) and X is different from Z without father(X, W)", or "X without father(X, Y)" */
nlm_status print_case(printing *to)
{
    char text[PRINT_NAME];
    if (to->ordered > 1)
        return NLM_OK; /* helpers take more than a few words */
    for (int c = to->first[to->order[0]]; c >= 0; c = to->next[c]) {
        print_clause in;
        if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &in))
            return NLM_NO_MEMORY;
        fputs(c == to->first[to->order[0]] ? "" : ", or ", to->stream);
        int said = put_literals(to, &in, false, false, "", " and ");
        if (said == 0 && in.variables > 0)
            fprintf(to->stream, "an object %s", print_variable(0, text));
        said += put_literals(to, &in, false, true, said ? " and " : " where ", " and ");
        put_literals(to, &in, true, true, said ? " and " : " where ", " and ");
        put_literals(to, &in, true, false, " without ", " or ");
    }
    return NLM_OK;
}

/* ---- JSON ---- */

static void put_json_names(const printing *to, const uint8_t *variables, int arity)
{
    char text[PRINT_NAME];
    fputs("[", to->stream);
    for (int i = 0; i < arity; i++)
        fprintf(to->stream, variables[i] == CLAUSE_ANONYMOUS ? "%s\"_\"" : "%s\"%s\"", i ? ", " : "",
                variables[i] == CLAUSE_ANONYMOUS ? "" : print_variable(variables[i], text));
    fputs("]", to->stream);
}

static void put_json_clause(const printing *to, const print_clause *in)
{
    bool more = false;
    fputs("[", to->stream);
    for (int l = 0; l < in->count; l++) {
        const clause_literal *literal = &in->literals[l];
        if (literal->predicate == PRINT_OBJECT)
            continue;
        fputs(more ? ", {\"predicate\": " : "{\"predicate\": ", to->stream);
        nlm_json_text(to->stream, literal->predicate == CLAUSE_EQUAL ? "=" : to->name[literal->predicate]);
        fprintf(to->stream, ", \"negated\": %s, \"arguments\": ", literal->negated ? "true" : "false");
        put_json_names(to, literal->variable, literal->arity);
        fputs("}", to->stream);
        more = true;
    }
    fputs("]", to->stream);
}

static nlm_status put_json_definition(printing *to, int predicate)
{
    bool target = false;
    for (int t = 0; t < to->program->target_count; t++)
        target |= to->program->target[t] == predicate;
    fputs("    {\"name\": ", to->stream);
    nlm_json_text(to->stream, to->name[predicate]);
    fprintf(to->stream, ", \"target\": %s, \"arguments\": ", target ? "true" : "false");
    put_json_names(to, print_head, clauses_arity(&to->made, predicate));
    fputs(", \"clauses\": [", to->stream);
    for (int c = to->first[predicate]; c >= 0; c = to->next[c]) {
        print_clause prepared;
        if (!print_prepare(to, clauses_at(&to->made, (uint32_t)c), &prepared))
            return NLM_NO_MEMORY;
        fputs(c == to->first[predicate] ? "\n      " : ",\n      ", to->stream);
        put_json_clause(to, &prepared);
    }
    fputs("]}", to->stream);
    return NLM_OK;
}

nlm_status print_json(printing *to)
{
    const nlm_program_size size = nlm_program_measure(to->program);
    bool more = false;
    nlm_status status = NLM_OK;
    fprintf(to->stream, "{%s\"clauses\": %d, \"literals\": %d, \"inequalities\": %d,\n  \"inputs\": [",
            to->program->is_policy ? "\"first_rule_decides\": true, " : "", size.clauses, size.literals,
            size.inequalities);
    for (int i = 0; i < to->program->input_count; i++) {
        if (!to->listed[i])
            continue;
        fputs(more ? ", {\"name\": " : "{\"name\": ", to->stream);
        nlm_json_text(to->stream, to->name[i]);
        fprintf(to->stream, ", \"arity\": %d}", program_at(to->program, i)->arity);
        more = true;
    }
    fputs("],\n  \"definitions\": [\n", to->stream);
    for (int i = 0; i < to->ordered && !status; i++) {
        fputs(i ? ",\n" : "", to->stream);
        status = put_json_definition(to, to->order[i]);
    }
    fputs("]}\n", to->stream);
    return status;
}

/* Numbers in rules.
 *
 *     heavy(X) :- size(X, V), V >= 3.76.         larger(X, Y) :- size(X, V), size(Y, W), V > W.
 *
 * V is a number because it is compared.  It is the number of X because size(X, V) gives it, the only literal
 * that does; so a comparison becomes an input about objects, `size(A,V), V >= 3.76` of X, and the literal
 * itself says no more than that the number is known.  It says nothing where a comparison of V stands beside
 * it, which says that too.  X and Y of a comparison are different objects in an input; where rules allow them
 * to be one, that case is added. */
#include <string.h>
#include "base/error.h"
#include "facts/comparison.h"
#include "logic/rules_reader.h"
#include "syntax/number.h"
#include "syntax/reading_message.h"

/* ---- reading ---- */

/* A sum: at most two variables, each added or subtracted, and a number. */
typedef struct linear {
    prolog_name variable[2];
    int sign[2], count;
    double number;
} linear;

static nlm_status add_variable(reader *r, linear *sum, prolog_name name, int sign)
{
    if (sum->count == 2 || (name.length == 1 && *name.text == '_'))
        return message_refuse(r->error, r->in.file, r->in.token.line,
                              sum->count == 2
                                  ? "more than two numbers of facts in one comparison: at most a "
                                    "sum or a difference of two is supported"
                                  : "_ in a comparison: give the number a name, as in size(X, V)");
    sum->variable[sum->count] = name;
    sum->sign[sum->count++] = sign;
    return NLM_OK;
}

/* A variable or a number, and the token behind it. */
static nlm_status read_term(reader *r, linear *sum, int sign)
{
    const prolog_token token = r->in.token;
    nlm_status status;
    if (token.kind == PROLOG_VARIABLE) {
        status = add_variable(r, sum, (prolog_name){token.text, token.length}, sign);
    } else if (token.kind == PROLOG_NUMBER) {
        enum { MOST = 64 };
        char text[MOST];
        double value;
        snprintf(text, sizeof text, "%.*s", (int)token.length, token.text);
        if (token.length >= MOST || !number_read(text, &value))
            return message_refuse(r->error, r->in.file, token.line,
                                  "%s is beyond the numbers that can be read",
                                  message_cut(token.text, token.length).text);
        sum->number += sign * value;
        status = NLM_OK;
    } else {
        return reader_refuse(r, "a number, or a variable that stands for one,");
    }
    return status ? status : prolog_advance(&r->in, r->error);
}

/* What is added to and subtracted from the first term; `V -2` is a subtraction. */
static nlm_status read_rest(reader *r, linear *sum, int side)
{
    nlm_status status = NLM_OK;
    while (!status) {
        const bool plus = prolog_is(&r->in, "+"), minus = prolog_is(&r->in, "-");
        const bool glued = r->in.token.kind == PROLOG_NUMBER && *r->in.token.text == '-';
        if (!plus && !minus && !glued)
            break;
        if (!glued)
            status = prolog_advance(&r->in, r->error);
        if (!status)
            status = read_term(r, sum, minus ? -side : side);
    }
    return status;
}

enum { ORDERS = 6, EQUAL = 4, UNEQUAL = 5 };

/* Mirrored where both sides were multiplied by -1. */
static const nlm_order mirrored[] = {[NLM_AT_LEAST] = NLM_AT_MOST,
                                     [NLM_BELOW] = NLM_ABOVE,
                                     [NLM_ABOVE] = NLM_BELOW,
                                     [NLM_AT_MOST] = NLM_AT_LEAST};

static nlm_status add_number_goal(reader *r, const linear *sum, nlm_order order, size_t line, int *goal)
{
    const bool turn = sum->sign[0] < 0;
    nlm_status status = reader_add_goal(r, RULE_NUMBER, line, goal);
    if (status)
        return status;
    rule_goal made = *rules_goal(r->to, *goal);
    made.arity = (uint8_t)sum->count;
    made.order = (uint8_t)(turn ? mirrored[order] : order);
    made.number = turn ? sum->number : -sum->number;
    if (made.number == 0)
        made.number = 0; /* -0 is 0 */
    made.minus = sum->count > 1 && sum->sign[0] != sum->sign[1];
    for (int i = 0; i < sum->count && !status; i++)
        status = reader_find_variable(r, sum->variable[i], &made.variable[i]);
    *rules_goal(r->to, *goal) = made;
    if (!status && sum->count > 1 && made.variable[0] == made.variable[1])
        return message_refuse(r->error, r->in.file, line,
                              "%s stands twice in a comparison: compare it with a number once",
                              message_cut(sum->variable[0].text, sum->variable[0].length).text);
    return status;
}

nlm_status rules_read_numbers(reader *r, const prolog_name *first, int *goal)
{
    static const char *const signs[ORDERS] = {">=", "<", ">", "=<", "=:=", "=\\="};
    const size_t line = r->in.token.line;
    linear sum = {.count = 0};
    int order = 0, other = -1, left = -1;
    nlm_status status = first ? add_variable(r, &sum, *first, 1) : read_term(r, &sum, 1);
    if (!status)
        status = read_rest(r, &sum, 1);
    if (status)
        return status;
    while (order < ORDERS && !prolog_is(&r->in, signs[order]))
        order++;
    if (order == ORDERS && sum.count == 0)
        return message_refuse(r->error, r->in.file, line,
                              "a number alone is no literal: compare it, as in V >= 3.76; a decimal point is "
                              "written 1.5");
    if (order == ORDERS)
        return reader_refuse(r, "=, ==, \\=, \\==, >=, >, <, =<, =:= or =\\= after a variable");
    status = prolog_advance(&r->in, r->error);
    if (!status)
        status = read_term(r, &sum, -1);
    if (!status)
        status = read_rest(r, &sum, -1);
    if (!status && sum.count == 0)
        return message_refuse(r->error, r->in.file, line,
                              "a comparison without a variable: compare the number of a fact, as in "
                              "size(X, V), V >= 3.76");
    if (status || order < EQUAL)
        return status ? status : add_number_goal(r, &sum, (nlm_order)order, line, goal);
    status = add_number_goal(r, &sum, order == EQUAL ? NLM_AT_LEAST : NLM_BELOW, line, &left);
    if (!status)
        status = add_number_goal(r, &sum, order == EQUAL ? NLM_AT_MOST : NLM_ABOVE, line, &other);
    return status ? status : reader_add_pair(r, order == EQUAL ? RULE_AND : RULE_OR, left, other, goal);
}

/* ---- what gives a number ---- */

/* The first attribute of the predicate in the signature, or -1. */
static int attribute_of(const rules *of, int predicate)
{
    const name_entry *entry = names_at(&of->names, predicate);
    return of->signature ? signature_find_attribute(of->signature, entry->text, entry->arity) : -1;
}

bool rules_ends_in_numbers(const rules *of, int predicate)
{
    return rules_predicate(of, predicate)->objects >= 0;
}

static uint32_t numbers_from(const rules *of, int begin)
{
    uint32_t set = 0;
    for (int g = begin; g < of->goal_count; g++)
        for (int i = 0; i < rules_goal(of, g)->arity && rules_goal(of, g)->kind == RULE_NUMBER; i++)
            set |= (uint32_t)1 << rules_goal(of, g)->variable[i];
    return set;
}

static nlm_status refuse_name(const rules *of, size_t line, prolog_name name, const char *reason,
                              nlm_error *error)
{
    return message_refuse(error, of->file, line, "%s is compared as a number, but %s",
                          message_cut(name.text, name.length).text, reason);
}

/* An atom: its numbers come last, and facts have them. */
static nlm_status check_atom(rules *of, const rule_goal *goal, uint32_t numbers, const prolog_name *names,
                             nlm_error *error)
{
    rule_predicate *about = rules_predicate(of, goal->predicate);
    const int attribute = attribute_of(of, goal->predicate);
    int first = attribute >= 0 ? signature_attribute_at(of->signature, attribute)->objects : -1;
    for (int i = 0; i < goal->arity; i++) {
        if (!(numbers >> goal->variable[i] & 1))
            continue;
        if (of->signature && attribute < 0 && about->first < 0)
            return message_refuse(
                error, of->file, goal->line,
                "%s is compared as a number, but no facts of %s are known that end in numbers: "
                "'nlm check' lists what does",
                message_cut(names[goal->variable[i]].text, names[goal->variable[i]].length).text,
                rules_text(of, goal->predicate).text);
        if (attribute >= 0 && i < first)
            return refuse_name(of, goal->line, names[goal->variable[i]],
                               "it is an object there: numbers are the last arguments of a fact", error);
        if (first < 0)
            first = i;
    }
    if (first >= 0 && (about->objects < 0 || first < about->objects))
        about->objects = first;
    return NLM_OK;
}

nlm_status rules_check_numbers(rules *of, int begin, int arity, const prolog_name *names, nlm_error *error)
{
    const uint32_t numbers = numbers_from(of, begin);
    int given[FORMULA_VARIABLES] = {0};
    nlm_status status = NLM_OK;
    for (int g = begin; g < of->goal_count && !status; g++) {
        const rule_goal *goal = rules_goal(of, g);
        for (int i = 0; i < goal->arity; i++)
            given[goal->variable[i]] += goal->kind == RULE_ATOM;
        for (int i = 0; i < goal->arity; i++)
            if (numbers >> goal->variable[i] & 1 && goal->kind != RULE_ATOM && goal->kind != RULE_NUMBER)
                return refuse_name(of, goal->line, names[goal->variable[i]],
                                   "numbers are no objects: write =:= or =\\= between numbers", error);
        if (goal->kind == RULE_ATOM)
            status = check_atom(of, goal, numbers, names, error);
    }
    for (int g = begin; g < of->goal_count && !status; g++) {
        const rule_goal *goal = rules_goal(of, g);
        for (int i = 0; i < goal->arity && goal->kind == RULE_NUMBER; i++) {
            const int v = goal->variable[i];
            if (v < arity)
                return refuse_name(of, goal->line, names[v],
                                   "the head has it, and heads are about objects: compare the number of an "
                                   "object, size(X, V), V >= 3.76",
                                   error);
            if (given[v] == 0)
                return refuse_name(of, goal->line, names[v],
                                   "no literal gives it: write one that does, such as size(X, V)", error);
            if (given[v] > 1)
                return refuse_name(of, goal->line, names[v],
                                   "several literals give it: give each its own variable, and compare these "
                                   "by =:=",
                                   error);
        }
    }
    return status;
}

/* ---- comparisons ---- */

/* The goal of the clause that gives number v. */
static const rule_goal *giver_of(const rules *of, const rule_clause *clause, int v, int *place)
{
    for (int g = clause->begin; g < clause->end; g++) {
        const rule_goal *goal = rules_goal(of, g);
        for (*place = 0; *place < goal->arity && goal->kind == RULE_ATOM; ++*place)
            if (goal->variable[*place] == v)
                return goal;
    }
    return NULL;
}

/* The program's attribute for a place of a predicate; -1 if it is none. */
static int find_attribute(const rules *of, const nlm_program *program, int predicate, int place)
{
    const name_entry *entry = names_at(&of->names, predicate);
    for (int a = 0; a < program->attribute_count; a++) {
        const nlm_attribute *one = program_attribute_at(program, a);
        if (one->arity == entry->arity && one->place == place && !strcmp(one->name, entry->text))
            return a;
    }
    return -1;
}

/* A comparison of objects, which `object` are variables, in its own form; -1: it holds for no objects. */
typedef struct applied {
    nlm_comparison of;
    int object[NLM_MAX_FACT_ARITY], objects;
    bool never;
} applied;

static void add_term(const nlm_program *program, applied *to, int attribute, const rule_goal *giver)
{
    const int t = to->of.terms++;
    to->of.attribute[t] = attribute;
    for (int k = 0; k < NLM_MAX_FACT_ARITY; k++)
        to->of.object[t][k] = -1;
    for (int k = 0; k < program_attribute_at(program, attribute)->objects; k++) {
        int known = 0;
        while (known < to->objects && to->object[known] != giver->variable[k])
            known++;
        if (known == NLM_MAX_FACT_ARITY) {
            to->never = true;
            return;
        }
        if (known == to->objects)
            to->object[to->objects++] = giver->variable[k];
        to->of.object[t][k] = known;
        for (int j = 0; j < k; j++)
            to->never |= to->of.object[t][j] == known; /* distance(X, X, V) has no number */
    }
}

static void normalise(applied *to)
{
    int order[NLM_MAX_FACT_ARITY], before[NLM_MAX_FACT_ARITY];
    memcpy(before, to->object, sizeof before);
    comparison_normalise(&to->of, order);
    for (int k = 0; k < to->objects; k++)
        to->object[k] = before[order[k]];
}

static applied apply(const rules *of, const nlm_program *program, const rule_clause *clause,
                     const rule_goal *goal)
{
    applied made = {.of = {.minus = goal->minus, .order = (nlm_order)goal->order, .number = goal->number}};
    for (int i = 0; i < goal->arity && !made.never; i++) {
        int place;
        const rule_goal *giver = giver_of(of, clause, goal->variable[i], &place);
        const int attribute = giver ? find_attribute(of, program, giver->predicate, place) : -1;
        if (attribute < 0)
            made.never = true;
        else
            add_term(program, &made, attribute, giver);
    }
    if (!made.never)
        normalise(&made);
    return made;
}

/* The case in which both objects of a comparison are the first; false if it is none, or never holds. */
static bool unite(const nlm_program *program, const applied *two, applied *one)
{
    *one = *two;
    if (two->of.terms < 2 || two->objects != 2 ||
        program_attribute_at(program, two->of.attribute[0])->objects != 1 ||
        program_attribute_at(program, two->of.attribute[1])->objects != 1)
        return false;
    one->objects = 1;
    one->of.object[1][0] = 0;
    if (two->of.attribute[0] != two->of.attribute[1])
        return true;
    one->of.terms = 1;
    one->of.attribute[1] = 0;
    one->of.object[1][0] = -1;
    if (!two->of.minus) {
        one->of.number = two->of.number / 2;
        return true;
    }
    one->of.minus = false;
    one->of.order = NLM_KNOWN;
    one->of.number = 0;
    return comparison_holds(&two->of, 0);
}

/* Whether a literal X \= Y of the clause stands outside of negations and alternatives. */
static bool are_different(const rules *of, int goal, int a, int b)
{
    const rule_goal *at = rules_goal(of, goal);
    if (at->kind == RULE_DIFFERENT)
        return (at->variable[0] == a && at->variable[1] == b) ||
               (at->variable[0] == b && at->variable[1] == a);
    for (int part = at->first; part >= 0 && at->kind == RULE_AND; part = rules_goal(of, part)->next)
        if (are_different(of, part, a, b))
            return true;
    return false;
}

/* Whether a comparison of one of the atom's numbers stands beside it. */
static bool is_compared_in(const rules *of, int goal, const rule_goal *atom, int objects)
{
    const rule_goal *at = rules_goal(of, goal);
    for (int i = 0; i < at->arity && at->kind == RULE_NUMBER; i++)
        for (int k = objects; k < atom->arity; k++)
            if (at->variable[i] == atom->variable[k])
                return true;
    for (int part = at->first; part >= 0 && at->kind == RULE_AND; part = rules_goal(of, part)->next)
        if (is_compared_in(of, part, atom, objects))
            return true;
    return false;
}

/* Whether one of the conjunctions that the atom is part of, without an alternative between, compares it. */
static bool is_compared(const rules *of, const rule_clause *clause, int atom)
{
    const rule_goal *goal = rules_goal(of, atom);
    const int objects = rules_predicate(of, goal->predicate)->objects;
    int child = atom;
    for (bool found = true; found;) {
        found = false;
        for (int g = clause->begin; g < clause->end && !found; g++)
            for (int part = rules_goal(of, g)->first; part >= 0 && !found; part = rules_goal(of, part)->next)
                if (part == child && rules_goal(of, g)->kind == RULE_AND) {
                    if (is_compared_in(of, g, goal, objects))
                        return true;
                    child = g;
                    found = true;
                }
    }
    return false;
}

static applied known(const rules *of, const nlm_program *program, const rule_goal *atom)
{
    applied made = {.of = {.order = NLM_KNOWN}};
    const int attribute =
        find_attribute(of, program, atom->predicate, rules_predicate(of, atom->predicate)->objects);
    if (attribute < 0)
        made.never = true;
    else
        add_term(program, &made, attribute, atom);
    return made;
}

static formula atom_of(nlm_program *program, const applied *what)
{
    const int input = program_add_comparison(program, &what->of);
    if (input < 0)
        program->store.failed = true;
    return input < 0 ? FORMULA_FALSE : program_atom(program, input, what->object);
}

formula rules_number_formula(const rules *of, nlm_program *program, const rule_clause *clause, int number)
{
    formula_store *store = &program->store;
    const rule_goal *goal = rules_goal(of, number);
    applied two, one;
    if (goal->kind == RULE_ATOM) {
        if (is_compared(of, clause, number))
            return FORMULA_TRUE;
        two = known(of, program, goal);
        return two.never ? FORMULA_FALSE : atom_of(program, &two);
    }
    two = apply(of, program, clause, goal);
    if (two.never)
        return FORMULA_FALSE;
    const formula apart = atom_of(program, &two);
    if (!unite(program, &two, &one) || are_different(of, clause->goal, two.object[0], two.object[1]))
        return apart;
    const formula same = formula_equal(store, two.object[0], two.object[1]);
    return formula_or2(store, formula_and2(store, formula_not(store, same), apart),
                       formula_and2(store, same, atom_of(program, &one)));
}

/* ---- inputs ---- */

static nlm_status add_attributes(const rules *of, nlm_program *program, int predicate, nlm_error *error)
{
    const name_entry *entry = names_at(&of->names, predicate);
    const int objects = rules_predicate(of, predicate)->objects;
    if (find_attribute(of, program, predicate, objects) >= 0)
        return NLM_OK;
    if (entry->arity > NLM_MAX_FACT_ARITY)
        return message_refuse(error, of->file, rules_predicate(of, predicate)->line,
                              "%s ends in numbers, but facts have at most %d arguments",
                              rules_text(of, predicate).text, NLM_MAX_FACT_ARITY);
    nlm_attribute made = {.name = entry->text, .arity = entry->arity, .objects = objects};
    for (made.place = objects; made.place < made.arity; made.place++)
        if (program_add_attribute(program, &made) < 0)
            return error_no_memory(error);
    return NLM_OK;
}

/* Whether the variable stands in the head, or in a literal at another place than `place` of goal `atom`;
 * comparisons do not count. */
static bool stands_elsewhere(const rules *of, const rule_clause *clause, int variable, int atom, int place)
{
    if (variable < clause->head_variables)
        return true;
    for (int g = clause->begin; g < clause->end; g++) {
        const rule_goal *other = rules_goal(of, g);
        for (int i = 0; i < other->arity && other->kind != RULE_NUMBER; i++)
            if (other->variable[i] == variable && (g != atom || i != place))
                return true;
    }
    return false;
}

/* A number of an atom may be compared, but stands nowhere else. */
static nlm_status check_places(const rules *of, const rule_clause *clause, int atom, nlm_error *error)
{
    const rule_goal *goal = rules_goal(of, atom);
    for (int k = rules_predicate(of, goal->predicate)->objects; k < goal->arity; k++)
        if (stands_elsewhere(of, clause, goal->variable[k], atom, k))
            return message_refuse(error, of->file, goal->line,
                                  "%s ends in a number, which another place of the clause has too: give each "
                                  "its own variable, and compare numbers by =:=",
                                  rules_text(of, goal->predicate).text);
    return NLM_OK;
}

/* An input is about at most so many objects. */
static nlm_status check_objects(const rules *of, const rule_clause *clause, const rule_goal *goal,
                                nlm_error *error)
{
    uint32_t objects = 0;
    for (int i = 0; i < goal->arity; i++) {
        int place;
        const rule_goal *giver = giver_of(of, clause, goal->variable[i], &place);
        for (int k = 0; giver && k < rules_predicate(of, giver->predicate)->objects; k++)
            objects |= (uint32_t)1 << giver->variable[k];
    }
    if (__builtin_popcount(objects) <= NLM_MAX_FACT_ARITY)
        return NLM_OK;
    return message_refuse(error, of->file, goal->line,
                          "a comparison about %d objects: at most %d are supported",
                          __builtin_popcount(objects), NLM_MAX_FACT_ARITY);
}

nlm_status rules_add_comparisons(const rules *of, const int *needed, nlm_program *program, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int p = 0; p < of->names.count && !status; p++) {
        if (rules_ends_in_numbers(of, p) && rules_predicate(of, p)->first >= 0)
            return message_refuse(
                error, of->file, rules_predicate(of, p)->line,
                "%s is given by rules, and its last argument is compared as a number: rules "
                "are about objects, so compare the numbers of facts",
                rules_text(of, p).text);
        if (rules_ends_in_numbers(of, p))
            status = add_attributes(of, program, p, error);
    }
    for (int p = 0; p < of->names.count; p++)
        for (int c = rules_predicate(of, p)->first; c >= 0 && needed[p]; c = rules_clause(of, c)->next)
            for (int g = rules_clause(of, c)->begin; g < rules_clause(of, c)->end && !status; g++) {
                const rule_goal *goal = rules_goal(of, g);
                const bool atom = goal->kind == RULE_ATOM && rules_ends_in_numbers(of, goal->predicate);
                if (atom)
                    status = check_places(of, rules_clause(of, c), g, error);
                else if (goal->kind == RULE_NUMBER)
                    status = check_objects(of, rules_clause(of, c), goal, error);
                if (!status && (atom || goal->kind == RULE_NUMBER))
                    rules_number_formula(of, program, rules_clause(of, c), g);
            }
    return program->store.failed && !status ? error_no_memory(error) : status;
}

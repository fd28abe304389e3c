/* Rules in Prolog's syntax, read clause by clause.
 *
 *     clause  = head "." | head ":-" or "."
 *     or      = and { ";" and }            and = goal { "," goal }
 *     goal    = "(" or ")" | "\+" goal | "forall(" goal "," goal ")" | "true" | "fail" | "false"
 *             | name [ "(" argument { "," argument } ")" ] | "dif(" variable "," variable ")"
 *             | variable ( "=" | "==" | "\=" | "\==" ) variable
 *     argument = variable | a constant that the facts have there
 *             | sum ( ">=" | ">" | "<" | "=<" | "=:=" | "=\=" ) sum        (rules_numbers.c)
 *
 * What else Prolog has is refused, each with its reason. */
#include "logic/rules_reader.h"
#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/constant.h"
#include "syntax/prolog.h"
#include "syntax/reading_message.h"

enum { NAME_MOST = 4096 }; /* bytes of a name with constants */

#define REFUSE(r, line, ...) message_refuse((r)->error, (r)->in.file, (line), __VA_ARGS__)

static nlm_status advance(reader *r)
{
    return prolog_advance(&r->in, r->error);
}

static bool is(prolog_name name, const char *text)
{
    return name.length == strlen(text) && !memcmp(name.text, text, name.length);
}

static prolog_name token_name(const reader *r)
{
    return (prolog_name){r->in.token.text, r->in.token.length};
}

static message_name shown(prolog_name name)
{
    return message_cut(name.text, name.length);
}

/* ---- what is refused ---- */

static bool is_one_of(const reader *r, const char *const *operators)
{
    for (; *operators; operators++)
        if (prolog_is(&r->in, *operators))
            return true;
    return false;
}

static bool is_arithmetic(const reader *r)
{
    static const char *const operators[] = {"<", ">", "=<", ">=", "=:=", "=\\=", "@<", "@>", "@=<", "@>=",
                                            "+", "-", "*",  "/",  "//",  "**",   "^",  "<>", "<=",  NULL};
    return is_one_of(r, operators) ||
           (r->in.token.kind == PROLOG_ATOM && (is(token_name(r), "is") || is(token_name(r), "mod")));
}

nlm_status reader_refuse(const reader *r, const char *expected)
{
    static const char *const branches[] = {"->", "*->", NULL};
    const prolog_token *token = &r->in.token;
    const message_name name = shown(token_name(r));
    if (token->kind == PROLOG_END)
        return REFUSE(r, token->line, "%s is expected, but the file ends here", expected);
    if (token->kind == PROLOG_STRING)
        return REFUSE(r, token->line, "strings are not supported in rules: arguments are variables");
    if (prolog_is(&r->in, "[") || prolog_is(&r->in, "{") || prolog_is(&r->in, "|"))
        return REFUSE(r, token->line,
                      "lists, terms in braces and | are not supported in rules: arguments are variables, and "
                      "'or' is written ;");
    if (prolog_is(&r->in, "!"))
        return REFUSE(r, token->line,
                      "the cut ! is not supported in rules: write what excludes the other clauses as \\+ ... "
                      "(and X \\= Y for X != Y)");
    if (is_one_of(r, branches))
        return REFUSE(r, token->line,
                      "%s is not supported in rules: write two clauses, the second with \\+ of the condition",
                      name.text);
    if (is_arithmetic(r))
        return REFUSE(r, token->line,
                      "%s: of arithmetic and order, rules have comparisons of numbers of the facts alone: "
                      "size(X, V), V >= 3.76, or size(X, V), size(Y, W), V - W < 2; give other relations as "
                      "predicates of the facts, such as less(X, Y)",
                      name.text);
    if (prolog_is(&r->in, "-->"))
        return REFUSE(r, token->line, "grammar rules (-->) are not supported: write clauses with :-");
    if (prolog_is(&r->in, ":-"))
        return REFUSE(r, token->line, "%s is expected, not :- (is the '.' of the clause before missing?)",
                      expected);
    return REFUSE(r, token->line, "%s is expected, not %s", expected, name.text);
}

static nlm_status refuse_constant(const reader *r, prolog_name constant, size_t line)
{
    const message_name name = shown(constant);
    return REFUSE(
        r, line,
        "%s names an object, and rules hold for all objects: write a variable, with a predicate that "
        "singles the object out; facts belong in a file of their own",
        name.text);
}

static nlm_status expect(reader *r, const char *mark, const char *expected)
{
    return prolog_is(&r->in, mark) ? advance(r) : reader_refuse(r, expected);
}

/* ---- goals ---- */

nlm_status reader_add_goal(reader *r, rule_kind kind, size_t line, int *goal)
{
    rules *to = r->to;
    if (to->goal_count == RULES_MOST_GOALS)
        return REFUSE(r, line, "more than %d literals: divide the rules into several files",
                      RULES_MOST_GOALS);
    if (to->goal_count - r->begin == RULES_MOST_LITERALS)
        return REFUSE(r, line,
                      "more than %d literals in a clause: move a part of it into a predicate of its own",
                      RULES_MOST_LITERALS);
    if (buffer_reserve(&to->goals, (size_t)to->goal_count + 1, sizeof(rule_goal), true))
        return error_no_memory(r->error);
    *goal = to->goal_count++;
    *rules_goal(to, *goal) = (rule_goal){.kind = (uint8_t)kind, .line = line, .first = -1, .next = -1};
    return NLM_OK;
}

nlm_status reader_find_variable(reader *r, prolog_name name, uint8_t *variable)
{
    int v = r->variables;
    if (name.length > 0 && !is(name, "_"))
        for (v = 0; v < r->variables; v++)
            if (r->variable[v].length == name.length && !memcmp(r->variable[v].text, name.text, name.length))
                break;
    if (v == FORMULA_VARIABLES)
        return REFUSE(r, r->in.token.line,
                      "more than %d variables in a clause: move a part of it into a predicate of its own",
                      FORMULA_VARIABLES);
    if (v == r->variables)
        r->variable[r->variables++] = name;
    *variable = (uint8_t)v;
    return NLM_OK;
}

/* Predicate number i of the facts and of what is concluded; NULL after the last. */
static const nlm_predicate *declared(const reader *r, int i)
{
    const nlm_signature *signature = r->to->signature;
    const int inputs = signature ? nlm_signature_inputs(signature) : 0;
    return i < inputs  ? nlm_signature_input(signature, i)
           : signature ? nlm_signature_target(signature, i - inputs)
                       : NULL;
}

/* Whether any of these has constants. */
static bool knows_constants(const reader *r)
{
    const nlm_predicate *of;
    for (int i = 0; (of = declared(r, i)); i++)
        if (constant_is_in(of->name))
            return true;
    return false;
}

/* The token as an argument, and the token after it. */
static nlm_status read_variable(reader *r, prolog_name *name)
{
    const prolog_token *token = &r->in.token;
    if (token->kind == PROLOG_ATOM && token->opens)
        return REFUSE(r, token->line,
                      "%s(...) as an argument: functions are not supported in rules; arguments are variables",
                      shown(token_name(r)).text);
    if (token->kind == PROLOG_ATOM || token->kind == PROLOG_NUMBER)
        return refuse_constant(r, token_name(r), r->in.token.line);
    if (token->kind != PROLOG_VARIABLE)
        return reader_refuse(r, "a variable");
    *name = token_name(r);
    return advance(r);
}

typedef struct read_atom {
    prolog_name name, argument[FORMULA_MOST_ARITY];
    int arity;
    size_t line;
} read_atom;

/* The argument that the token is; a constant, which has no variable, goes to `constant`. */
static nlm_status read_argument(reader *r, prolog_name *name, prolog_name *constant)
{
    const prolog_token *token = &r->in.token;
    *constant = (prolog_name){0};
    if ((token->kind != PROLOG_ATOM && token->kind != PROLOG_NUMBER) || token->opens || !knows_constants(r))
        return read_variable(r, name);
    *constant = token_name(r);
    return advance(r);
}

/* The atom with its constants as part of its name, department(A,it), if the facts have such a predicate. */
static nlm_status take_constants(reader *r, read_atom *atom, const prolog_name *constant)
{
    prolog_name value[NLM_MAX_FACT_ARITY];
    int first = atom->arity, objects = 0;
    for (int k = atom->arity - 1; k >= 0; k--)
        first = constant[k].text ? k : first;
    if (first == atom->arity)
        return NLM_OK;
    char text[NAME_MOST];
    size_t length = sizeof text;
    if (atom->arity <= NLM_MAX_FACT_ARITY) {
        memcpy(value, constant, (size_t)atom->arity * sizeof *value);
        length = constant_name(atom->name, value, atom->arity, text, sizeof text);
    }
    for (int k = 0; k < atom->arity; k++)
        if (!constant[k].text)
            atom->argument[objects++] = atom->argument[k];
    bool known = false;
    const nlm_predicate *of;
    for (int i = 0; length < sizeof text && !known && (of = declared(r, i)); i++)
        known = !strcmp(of->name, text);
    if (!known)
        return refuse_constant(r, constant[first], atom->line);
    const char *kept = text_keep(&r->to->texts, text, length);
    if (!kept)
        return error_no_memory(r->error);
    atom->name = (prolog_name){kept, length};
    atom->arity = objects;
    return NLM_OK;
}

/* The atom that begins with the token, and the token after it. */
static nlm_status read_atom_of(reader *r, read_atom *atom)
{
    const prolog_token *token = &r->in.token;
    *atom = (read_atom){.name = token_name(r), .line = token->line};
    if (!atom_is_predicate(token->text, token->length))
        return REFUSE(
            r, token->line,
            "'%s' cannot be the name of a predicate here: it is empty, or has '(', '/' or a control "
            "character",
            shown(atom->name).text);
    const bool opens = token->opens;
    nlm_status status = advance(r);
    if (status)
        return status;
    if (!opens && prolog_is(&r->in, "("))
        return REFUSE(r, r->in.token.line, "there is a space between %s and its '('", shown(atom->name).text);
    if (!opens)
        return NLM_OK;
    prolog_name constant[FORMULA_MOST_ARITY];
    status = advance(r);
    while (!status) {
        if (atom->arity == FORMULA_MOST_ARITY)
            return REFUSE(r, atom->line, "%s with more than %d arguments: at most %d are supported",
                          shown(atom->name).text, FORMULA_MOST_ARITY, FORMULA_MOST_ARITY);
        status = read_argument(r, &atom->argument[atom->arity], &constant[atom->arity]);
        atom->arity++;
        if (!status && prolog_is(&r->in, ")")) {
            status = take_constants(r, atom, constant);
            return status ? status : advance(r);
        }
        if (!status)
            status = expect(r, ",", "',' or ')'");
    }
    return status;
}

/* The number of a predicate, a new one if need be. */
static nlm_status find_predicate(reader *r, const read_atom *atom, int *predicate)
{
    rules *to = r->to;
    const int before = to->names.count;
    *predicate = names_intern(&to->names, &to->texts, atom->name.text, atom->name.length, atom->arity);
    if (*predicate < 0 ||
        buffer_reserve(&to->predicates, (size_t)to->names.count, sizeof(rule_predicate), true))
        return error_no_memory(r->error);
    if (*predicate == before)
        *rules_predicate(to, before) = (rule_predicate){atom->line, -1, -1, -1};
    return NLM_OK;
}

static nlm_status read_or(reader *r, int *goal);
static nlm_status read_goal(reader *r, int *goal);

/* Not the part. */
static nlm_status add_not(reader *r, size_t line, int part, int *goal)
{
    const nlm_status status = reader_add_goal(r, RULE_NOT, line, goal);
    if (!status)
        rules_goal(r->to, *goal)->first = part;
    return status;
}

nlm_status reader_add_pair(reader *r, rule_kind kind, int a, int b, int *goal)
{
    const nlm_status status = reader_add_goal(r, kind, rules_goal(r->to, a)->line, goal);
    if (!status) {
        rules_goal(r->to, *goal)->first = a;
        rules_goal(r->to, a)->next = b;
    }
    return status;
}

/* forall(a, b), the token being its "(". */
static nlm_status read_forall(reader *r, size_t line, int *goal)
{
    int condition = -1, then = -1, none = -1, both = -1;
    nlm_status status = advance(r);
    if (!status)
        status = read_goal(r, &condition);
    if (!status)
        status = expect(r, ",", "forall(condition, goal): ',' (several goals stand in parentheses)");
    if (!status)
        status = read_goal(r, &then);
    if (!status)
        status = expect(r, ")", "forall(condition, goal): ')' (several goals stand in parentheses)");
    if (!status)
        status = add_not(r, line, then, &none);
    if (!status)
        status = reader_add_pair(r, RULE_AND, condition, none, &both);
    return status ? status : add_not(r, line, both, goal);
}

static nlm_status add_comparison(reader *r, rule_kind kind, bool waits, size_t line, prolog_name a,
                                 prolog_name b, int *goal)
{
    nlm_status status = reader_add_goal(r, kind, line, goal);
    if (status)
        return status;
    rule_goal made = *rules_goal(r->to, *goal);
    made.arity = 2;
    made.waits = waits;
    status = reader_find_variable(r, a, &made.variable[0]);
    if (!status)
        status = reader_find_variable(r, b, &made.variable[1]);
    *rules_goal(r->to, *goal) = made;
    return status;
}

/* X = Y and the like, the token being X. */
static nlm_status read_comparison(reader *r, int *goal)
{
    prolog_name a = {0}, b;
    const size_t line = r->in.token.line;
    nlm_status status = read_variable(r, &a);
    if (status)
        return status;
    const bool equal = prolog_is(&r->in, "="), same = prolog_is(&r->in, "==");
    if (!equal && !same && !prolog_is(&r->in, "\\=") && !prolog_is(&r->in, "\\=="))
        return rules_read_numbers(r, &a, goal);
    status = advance(r);
    if (!status)
        status = read_variable(r, &b);
    return status ? status
                  : add_comparison(r, equal || same ? RULE_EQUAL : RULE_DIFFERENT, equal, line, a, b, goal);
}

/* A predicate's goal, or one that Prolog has itself. */
static nlm_status add_atom(reader *r, const read_atom *atom, int *goal)
{
    const bool any = atom->arity == 1 && is(atom->name, "object") && rules_object_is_any(r->to);
    const bool no = atom->arity == 0 && (is(atom->name, "fail") || is(atom->name, "false"));
    const bool yes = atom->arity == 0 && is(atom->name, "true");
    if (atom->arity == 2 && is(atom->name, "dif"))
        return add_comparison(r, RULE_DIFFERENT, true, atom->line, atom->argument[0], atom->argument[1],
                              goal);
    nlm_status status = reader_add_goal(r,
                                        yes   ? RULE_TRUE
                                        : no  ? RULE_FALSE
                                        : any ? RULE_OBJECT
                                              : RULE_ATOM,
                                        atom->line, goal);
    if (status || yes || no)
        return status;
    rule_goal made = *rules_goal(r->to, *goal);
    made.arity = (uint8_t)atom->arity;
    for (int i = 0; i < atom->arity && !status; i++)
        status = reader_find_variable(r, atom->argument[i], &made.variable[i]);
    if (!status && !any)
        status = find_predicate(r, atom, &made.predicate);
    *rules_goal(r->to, *goal) = made;
    return status;
}

/* A goal that begins with a name. */
static nlm_status read_named(reader *r, int *goal)
{
    const prolog_name name = token_name(r);
    const size_t line = r->in.token.line;
    read_atom atom;
    if (is(name, "not"))
        return REFUSE(r, line, "not: negation is written \\+ in rules, \\+ p(X) or \\+ (p(X), q(X))");
    if (is(name, "forall") && r->in.token.opens) {
        const nlm_status status = advance(r);
        return status ? status : read_forall(r, line, goal);
    }
    nlm_status status = read_atom_of(r, &atom);
    return status ? status : add_atom(r, &atom, goal);
}

/* The goal that begins with the token, and the token after it. */
static nlm_status read_goal(reader *r, int *goal)
{
    const prolog_token token = r->in.token;
    int part = -1;
    nlm_status status;
    if (token.kind == PROLOG_VARIABLE)
        return read_comparison(r, goal);
    if (token.kind == PROLOG_NUMBER)
        return rules_read_numbers(r, NULL, goal);
    if (++r->nesting > RULES_MOST_NESTING)
        return REFUSE(r, token.line, "parentheses and negations are nested more than %d deep",
                      RULES_MOST_NESTING);
    if (token.kind == PROLOG_ATOM) {
        status = read_named(r, goal);
    } else if (prolog_is(&r->in, "(")) {
        status = advance(r);
        if (!status)
            status = read_or(r, goal);
        if (!status)
            status = expect(r, ")", "',', ';' or ')'");
    } else if (prolog_is(&r->in, "\\+")) {
        status = advance(r);
        if (!status)
            status = read_goal(r, &part);
        if (!status && token.opens && rules_goal(r->to, part)->kind == RULE_AND)
            return REFUSE(r, token.line, "\\+( with a comma is no negation to Prolog: write \\+ (a, b)");
        if (!status)
            status = add_not(r, token.line, part, goal);
    } else {
        status = reader_refuse(r, "a literal");
    }
    r->nesting--;
    return status;
}

/* Goals with `mark` between them, as one goal of the kind. */
static nlm_status read_list(reader *r, rule_kind kind, const char *mark,
                            nlm_status (*read_part)(reader *, int *), int *goal)
{
    int last, part = -1;
    nlm_status status = read_part(r, goal);
    if (status || !prolog_is(&r->in, mark))
        return status;
    last = *goal;
    status = reader_add_goal(r, kind, rules_goal(r->to, last)->line, goal);
    if (!status)
        rules_goal(r->to, *goal)->first = last;
    while (!status && prolog_is(&r->in, mark)) {
        status = advance(r);
        if (!status)
            status = read_part(r, &part);
        if (!status)
            rules_goal(r->to, last)->next = part;
        last = part;
    }
    return status;
}

static nlm_status read_and(reader *r, int *goal)
{
    return read_list(r, RULE_AND, ",", read_goal, goal);
}

static nlm_status read_or(reader *r, int *goal)
{
    return read_list(r, RULE_OR, ";", read_and, goal);
}

/* ---- clauses ---- */

/* A head's variables, and a goal X = X' for each that it repeats. */
static nlm_status read_head(reader *r, read_atom *head, int *goal)
{
    nlm_status status = r->in.token.kind == PROLOG_ATOM ? read_atom_of(r, head) : reader_refuse(r, "a head");
    *goal = -1;
    for (int i = 0; i < head->arity && !status; i++) {
        int first = i, repeats = -1;
        for (int k = 0; k < i; k++)
            if (!is(head->argument[i], "_") && head->argument[k].length == head->argument[i].length &&
                !memcmp(head->argument[k].text, head->argument[i].text, head->argument[i].length) &&
                first == i)
                first = k;
        r->variable[r->variables++] = first < i ? (prolog_name){"", 0} : head->argument[i];
        if (first == i)
            continue;
        status = reader_add_goal(r, RULE_EQUAL, head->line, &repeats);
        if (status)
            break;
        rule_goal *equal = rules_goal(r->to, repeats);
        equal->arity = 2;
        equal->waits = true;
        equal->variable[0] = (uint8_t)first;
        equal->variable[1] = (uint8_t)i;
        if (*goal < 0)
            *goal = repeats;
        else
            status = reader_add_pair(r, RULE_AND, *goal, repeats, goal);
    }
    return status;
}

/* object(X) :- p(X, _): what Prolog needs to know the objects of a world, and nothing that a rule defines. */
static nlm_status check_object(const reader *r, const read_atom *head, int body)
{
    const rule_goal *goal = rules_goal(r->to, body);
    bool fits = goal->kind == RULE_TRUE || goal->kind == RULE_ATOM;
    for (int i = 0; i < goal->arity; i++)
        for (int k = 0; k < i; k++)
            fits &= goal->variable[i] != goal->variable[k];
    if (fits && (goal->kind == RULE_TRUE || rules_direct(r->to, body) & 1))
        return NLM_OK;
    return REFUSE(
        r, head->line,
        "object/1 holds for every object and cannot be defined otherwise: give the predicate another "
        "name");
}

/* The clause with its body, as the next one of its head. */
static nlm_status add_clause(reader *r, const read_atom *head, int begin, int goal)
{
    rules *to = r->to;
    int predicate;
    if (head->arity == 1 && is(head->name, "object") && rules_object_is_any(to)) {
        const nlm_status status = check_object(r, head, goal);
        to->goal_count = begin;
        return status;
    }
    const nlm_status status = find_predicate(r, head, &predicate);
    if (status)
        return status;
    if (to->clause_count == RULES_MOST_CLAUSES)
        return REFUSE(r, head->line, "more than %d clauses: divide the rules into several files",
                      RULES_MOST_CLAUSES);
    if (buffer_reserve(&to->clauses, (size_t)to->clause_count + 1, sizeof(rule_clause), true))
        return error_no_memory(r->error);
    const int number = to->clause_count++;
    *rules_clause(to, number) = (rule_clause){goal, begin, to->goal_count, -1, head->arity};
    rule_predicate *of = rules_predicate(to, predicate);
    if (of->first < 0) {
        of->first = number;
        of->line = head->line;
    } else {
        rules_clause(to, of->last)->next = number;
    }
    of->last = number;
    return NLM_OK;
}

static bool is_control(const read_atom *head)
{
    static const char *const names[] = {"true", "fail", "false", "forall", "dif", "not", NULL};
    for (int i = 0; names[i]; i++)
        if (is(head->name, names[i]) && head->arity == (i < 3 ? 0 : i < 5 ? 2 : 1))
            return true;
    return false;
}

/* The clause that begins with the token. */
static nlm_status read_clause(reader *r)
{
    const int begin = r->begin = r->to->goal_count;
    int repeated, goal;
    read_atom head = {.arity = 0};
    r->variables = r->nesting = 0;
    nlm_status status = read_head(r, &head, &repeated);
    if (status)
        return status;
    if (is_control(&head))
        return REFUSE(r, head.line, "%s/%d has a meaning of its own in rules and cannot be defined",
                      shown(head.name).text, head.arity);
    if (prolog_is(&r->in, ":-")) {
        status = advance(r);
        if (!status)
            status = read_or(r, &goal);
    } else if (r->in.token.kind == PROLOG_STOP) {
        status = reader_add_goal(r, RULE_TRUE, head.line, &goal);
    } else {
        status = reader_refuse(r, "':-' or the '.' that ends the clause");
    }
    if (!status && r->in.token.kind != PROLOG_STOP)
        status = reader_refuse(r, "',', ';' or the '.' that ends the clause");
    if (!status && repeated >= 0)
        status = reader_add_pair(r, RULE_AND, repeated, goal, &goal);
    if (status)
        return status;
    status = rules_check_numbers(r->to, begin, head.arity, r->variable, r->error);
    if (!status)
        status = rules_check(r->to, goal, head.arity, r->variable, r->error);
    return status ? status : add_clause(r, &head, begin, goal);
}

nlm_status rules_read(rules *of, char *text, size_t size, const char *file, const nlm_signature *signature,
                      nlm_error *error)
{
    *of = (rules){.file = file, .signature = signature};
    reader r = {.to = of, .error = error};
    nlm_status status = prolog_start(&r.in, text, size, file, error);
    while (!status && !(status = prolog_next_clause(&r.in, error)) && r.in.token.kind != PROLOG_END)
        status = read_clause(&r);
    return status;
}

void rules_free(rules *of)
{
    names_free(&of->names);
    text_free(&of->texts);
    buffer_free(&of->predicates);
    buffer_free(&of->goals);
    buffer_free(&of->clauses);
}

bool rules_object_is_any(const rules *of)
{
    if (of->signature)
        for (int i = 0; i < nlm_signature_inputs(of->signature); i++) {
            const nlm_predicate *input = nlm_signature_input(of->signature, i);
            if (input->arity == 1 && !input->is_type && !strcmp(input->name, "object"))
                return false;
        }
    return true;
}

/* Rules among facts, read goal by goal (datalog.h). */
#include "facts/datalog.h"

#include <string.h>
#include "base/error.h"
#include "syntax/number.h"

typedef struct reader {
    draft *to;
    prolog *in;
    struct datalog *rules;
    datalog_rule rule;
    prolog_name name[DATALOG_VARIABLES]; /* of variables; "_" are different ones */
    int nesting;
    nlm_error *error;
} reader;

#define REFUSE(r, line, ...) message_refuse((r)->error, (r)->in->file, (line), __VA_ARGS__)

static bool is(prolog_name name, const char *text)
{
    return name.length == strlen(text) && !memcmp(name.text, text, name.length);
}

static prolog_name token_name(const reader *r)
{
    return (prolog_name){r->in->token.text, r->in->token.length};
}

static message_name shown(prolog_name name)
{
    return message_cut(name.text, name.length);
}

static nlm_status advance(reader *r)
{
    return prolog_advance(r->in, r->error);
}

static nlm_status expect(reader *r, const char *mark)
{
    if (prolog_is(r->in, mark))
        return advance(r);
    char expected[16];
    memcpy(expected, "''", 3);
    expected[1] = mark[0];
    memcpy(expected + 2, "'", 2);
    return prolog_refuse(r->in, expected, r->error);
}

/* ---- what is refused ---- */

/* Words of Prolog that no facts define. */
static nlm_status refuse_word(const reader *r)
{
    static const char *const lists[] = {"member",  "memberchk", "append", "length", "nth0",
                                        "nth1",    "last",      "msort",  "sort",   "reverse",
                                        "sumlist", "sum_list",  "select", NULL};
    static const char *const others[] = {
        "findall",     "setof",   "bagof",     "forall", "aggregate_all", "assert",
        "asserta",     "assertz", "retract",   "call",   "once",          "format",
        "write",       "between", "functor",   "arg",    "atom_chars",    "atom_codes",
        "atom_length", "ground",  "copy_term", "var",    "nonvar",        "compound",
        "succ",        NULL};
    const prolog_name name = token_name(r);
    for (int i = 0; lists[i]; i++)
        if (is(name, lists[i]))
            return REFUSE(
                r, r->in->token.line,
                "%s(...) is about lists, which are not Datalog, and rules among facts are: give the "
                "things in a list names, and facts",
                lists[i]);
    for (int i = 0; others[i]; i++)
        if (is(name, others[i]))
            return REFUSE(r, r->in->token.line,
                          "%s(...) is not Datalog, and rules among facts are: give the facts that follow "
                          "from it instead",
                          others[i]);
    return NLM_OK;
}

static nlm_status refuse_mark(const reader *r)
{
    const prolog_token *token = &r->in->token;
    if (prolog_is(r->in, "["))
        return REFUSE(
            r, token->line,
            "lists are not Datalog, and rules among facts are: give the things in it names, and facts");
    if (prolog_is(r->in, "!") || prolog_is(r->in, "->") || prolog_is(r->in, "*->"))
        return REFUSE(
            r, token->line,
            "%s is not Datalog, and rules among facts are: write what excludes the other clauses as \\+ ...",
            shown(token_name(r)).text);
    if (prolog_is(r->in, ";") || prolog_is(r->in, "|"))
        return REFUSE(r, token->line,
                      "%s is not supported in rules among facts: write a clause for each case",
                      shown(token_name(r)).text);
    return NLM_OK;
}

/* ---- terms ---- */

static nlm_status find_variable(reader *r, prolog_name name, size_t line, int *variable)
{
    for (*variable = 0; *variable < r->rule.variables && !is(name, "_"); ++*variable)
        if (r->name[*variable].length == name.length &&
            !memcmp(r->name[*variable].text, name.text, name.length))
            return NLM_OK;
    if (r->rule.variables == DATALOG_VARIABLES)
        return REFUSE(r, line, "more than %d variables in a rule: divide it into two", DATALOG_VARIABLES);
    *variable = r->rule.variables++;
    r->name[*variable] = name;
    return NLM_OK;
}

static nlm_status term_of(reader *r, prolog_name name, bool is_variable, size_t line, datalog_term *term)
{
    if (is_variable)
        return find_variable(r, name, line, term);
    const int atom = draft_atom(r->to, name.text, name.length);
    *term = -1 - atom;
    return atom < 0 ? error_no_memory(r->error) : NLM_OK;
}

static nlm_status terms_of(reader *r, const prolog_fact *fact, unsigned variables, datalog_term *terms)
{
    nlm_status status = NLM_OK;
    for (int k = 0; k < fact->arity && !status; k++)
        status = term_of(r, fact->argument[k], variables >> k & 1, fact->line, &terms[k]);
    return status;
}

static void note_variables(datalog_goal *goal, int count)
{
    for (int k = 0; k < count; k++)
        if (term_is_variable(goal->term[k]))
            goal->variables |= 1u << goal->term[k];
}

/* ---- expressions ---- */

static nlm_status read_sum(reader *r, datalog_goal *goal, int *expression);

static nlm_status add(reader *r, datalog_expression made, int *expression)
{
    struct datalog *to = r->rules;
    if (buffer_reserve(&to->expressions, (size_t)to->expression_count + 1, sizeof made, true))
        return error_no_memory(r->error);
    *expression = to->expression_count++;
    ((datalog_expression *)to->expressions.data)[*expression] = made;
    return NLM_OK;
}

static nlm_status read_number(reader *r, int *expression)
{
    char text[NUMBER_SIZE * 2];
    const prolog_token *token = &r->in->token;
    datalog_expression made = {.operation = 'n'};
    memcpy(text, token->text, token->length < sizeof text ? token->length : 0);
    text[token->length < sizeof text ? token->length : 0] = '\0';
    if (!number_read(text, &made.number))
        return REFUSE(r, token->line, "%s is no number that can be read here", shown(token_name(r)).text);
    const nlm_status status = add(r, made, expression);
    return status ? status : advance(r);
}

/* abs(E), min(E, E), max(E, E); the token is the name. */
static nlm_status read_function(reader *r, datalog_goal *goal, int *expression)
{
    const prolog_name name = token_name(r);
    datalog_expression made = {.operation = is(name, "abs") ? 'a' : is(name, "min") ? '<' : '>'};
    nlm_status status = advance(r);
    if (!status)
        status = advance(r);
    if (!status)
        status = read_sum(r, goal, &made.left);
    if (!status && made.operation != 'a')
        status = expect(r, ",");
    if (!status && made.operation != 'a')
        status = read_sum(r, goal, &made.right);
    if (!status)
        status = expect(r, ")");
    return status ? status : add(r, made, expression);
}

static nlm_status read_factor(reader *r, datalog_goal *goal, int *expression)
{
    const prolog_token *token = &r->in->token;
    nlm_status status;
    if (token->kind == PROLOG_NUMBER)
        return read_number(r, expression);
    if (token->kind == PROLOG_VARIABLE) {
        datalog_expression made = {.operation = 'v'};
        status = find_variable(r, token_name(r), token->line, &made.variable);
        goal->variables |= status ? 0 : 1u << made.variable;
        if (!status)
            status = add(r, made, expression);
        return status ? status : advance(r);
    }
    if (token->kind == PROLOG_ATOM && token->opens &&
        (is(token_name(r), "abs") || is(token_name(r), "min") || is(token_name(r), "max")))
        return read_function(r, goal, expression);
    if (!prolog_is(r->in, "("))
        return prolog_refuse(r->in, "a number or a variable", r->error);
    status = advance(r);
    if (!status)
        status = read_sum(r, goal, expression);
    return status ? status : expect(r, ")");
}

/* The operation that the token is; 0 for none. */
static char product_operation(const reader *r)
{
    return prolog_is(r->in, "*")                                          ? '*'
           : prolog_is(r->in, "/")                                        ? '/'
           : prolog_is(r->in, "//")                                       ? 'd'
           : r->in->token.kind == PROLOG_ATOM && is(token_name(r), "mod") ? 'm'
                                                                          : 0;
}

static nlm_status read_product(reader *r, datalog_goal *goal, int *expression)
{
    nlm_status status = read_factor(r, goal, expression);
    while (!status && product_operation(r)) {
        datalog_expression made = {.operation = product_operation(r), .left = *expression};
        status = advance(r);
        if (!status)
            status = read_factor(r, goal, &made.right);
        if (!status)
            status = add(r, made, expression);
    }
    return status;
}

/* In X-1 the second token is the number -1. */
static nlm_status read_sum(reader *r, datalog_goal *goal, int *expression)
{
    if (++r->nesting > DATALOG_NESTING)
        return REFUSE(r, r->in->token.line, "more than %d parentheses within each other", DATALOG_NESTING);
    nlm_status status = read_product(r, goal, expression);
    for (;;) {
        const bool negative = r->in->token.kind == PROLOG_NUMBER && r->in->token.text[0] == '-';
        if (status || (!negative && !prolog_is(r->in, "+") && !prolog_is(r->in, "-")))
            break;
        datalog_expression made = {.operation = negative ? '+' : r->in->token.text[0], .left = *expression};
        status = negative ? NLM_OK : advance(r);
        if (!status)
            status = read_product(r, goal, &made.right);
        if (!status)
            status = add(r, made, expression);
    }
    r->nesting--;
    return status;
}

/* ---- goals ---- */

static nlm_status add_goal(reader *r, const datalog_goal *goal)
{
    struct datalog *to = r->rules;
    if (r->rule.goals == DATALOG_GOALS)
        return REFUSE(r, goal->line, "more than %d goals in a rule: divide it into two", DATALOG_GOALS);
    if (buffer_reserve(&to->goals, (size_t)to->goal_count + 1, sizeof *goal, true))
        return error_no_memory(r->error);
    ((datalog_goal *)to->goals.data)[to->goal_count++] = *goal;
    r->rule.goals++;
    return NLM_OK;
}

/* p(X, a), number(X) and dif(X, Y). */
static nlm_status read_atom(reader *r, datalog_goal *goal)
{
    static const struct {
        const char *name;
        int arity;
        datalog_kind kind;
    } own[] = {{"number", 1, DATALOG_IS_NUMBER}, {"integer", 1, DATALOG_IS_INTEGER},
               {"atom", 1, DATALOG_IS_NAME},     {"dif", 2, DATALOG_DIFFERENT},
               {"true", 0, DATALOG_ATOM},        {"fail", 0, DATALOG_FAIL},
               {"false", 0, DATALOG_FAIL}};
    prolog_fact fact;
    unsigned variables;
    nlm_status status = refuse_word(r);
    if (!status)
        status = prolog_read_goal(r->in, &fact, &variables, r->error);
    if (!status)
        status = terms_of(r, &fact, variables, goal->term);
    if (status)
        return status;
    note_variables(goal, fact.arity);
    goal->arity = fact.arity;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].arity == fact.arity && is(fact.name, own[i].name)) {
            const bool says_nothing = own[i].kind == DATALOG_ATOM && goal->kind == DATALOG_ATOM;
            if (goal->kind == DATALOG_NOT)
                return REFUSE(r, fact.line, "\\+ %s is not supported: write the opposite", own[i].name);
            goal->kind = own[i].kind;
            return says_nothing ? NLM_OK : add_goal(r, goal);
        }
    goal->predicate = draft_number(r->to, fact.name.text, fact.name.length, fact.arity);
    return goal->predicate < 0 ? error_no_memory(r->error) : add_goal(r, goal);
}

/* \+ p(X), not(p(X)); the token is what comes after \+ or not. */
static nlm_status read_negation(reader *r, datalog_goal *goal)
{
    const bool closes = prolog_is(r->in, "(");
    nlm_status status = closes ? advance(r) : NLM_OK;
    goal->kind = DATALOG_NOT;
    if (!status && (r->in->token.kind != PROLOG_ATOM || (is(token_name(r), "not") && r->in->token.opens)))
        return REFUSE(
            r, r->in->token.line,
            "\\+ is supported before a single goal such as p(X): give the rest a predicate of its own");
    if (!status)
        status = read_atom(r, goal);
    if (!status && closes && prolog_is(r->in, ","))
        return REFUSE(r, r->in->token.line, "\\+ of several goals: give them a predicate of its own");
    return status || !closes ? status : expect(r, ")");
}

/* X = a, X \= Y: terms; what came before the operator is `left`. */
static nlm_status read_right_term(reader *r, datalog_goal *goal, datalog_term left)
{
    const prolog_token token = r->in->token;
    goal->term[0] = left;
    goal->arity = 2;
    if (token.kind != PROLOG_VARIABLE && token.kind != PROLOG_NUMBER &&
        (token.kind != PROLOG_ATOM || token.opens))
        return prolog_refuse(r->in, "a variable or a name", r->error);
    nlm_status status = term_of(r, token_name(r), token.kind == PROLOG_VARIABLE, token.line, &goal->term[1]);
    if (status)
        return status;
    note_variables(goal, 2);
    status = add_goal(r, goal);
    return status ? status : advance(r);
}

static bool is_equality(const reader *r, datalog_goal *goal)
{
    const bool same = prolog_is(r->in, "=") || prolog_is(r->in, "==");
    goal->kind = same ? DATALOG_EQUAL : DATALOG_DIFFERENT;
    return same || prolog_is(r->in, "\\=") || prolog_is(r->in, "\\==");
}

static bool is_comparison(const reader *r, datalog_goal *goal)
{
    static const struct {
        const char *text;
        datalog_kind kind;
    } known[] = {{"<", DATALOG_LESS},      {">", DATALOG_MORE},   {"=<", DATALOG_AT_MOST},
                 {">=", DATALOG_AT_LEAST}, {"=:=", DATALOG_SAME}, {"=\\=", DATALOG_OTHER}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (prolog_is(r->in, known[i].text)) {
            goal->kind = known[i].kind;
            return true;
        }
    goal->kind = DATALOG_IS;
    return r->in->token.kind == PROLOG_ATOM && is(token_name(r), "is");
}

/* A goal that begins with an expression, or with a variable or number alone. */
static nlm_status read_relation(reader *r, datalog_goal *goal)
{
    const prolog_token first = r->in->token;
    nlm_status status = read_sum(r, goal, &goal->left);
    const datalog_expression *left = (const datalog_expression *)r->rules->expressions.data + goal->left;
    const bool simple = !status && (left->operation == 'v' || left->operation == 'n');
    datalog_term term = 0;
    if (!status && simple)
        status = term_of(r, (prolog_name){first.text, first.length}, first.kind == PROLOG_VARIABLE,
                         first.line, &term);
    if (!status && simple && is_equality(r, goal)) {
        status = advance(r);
        return status ? status : read_right_term(r, goal, term);
    }
    if (!status && !is_comparison(r, goal))
        return refuse_mark(r) ? NLM_BAD_FILE : prolog_refuse(r->in, "a comparison (such as <)", r->error);
    if (!status && goal->kind == DATALOG_IS && (!simple || first.kind != PROLOG_VARIABLE))
        return REFUSE(r, first.line, "before 'is' there is a variable");
    goal->term[0] = term;
    if (!status)
        status = advance(r);
    if (!status)
        status = read_sum(r, goal, &goal->right);
    return status ? status : add_goal(r, goal);
}

/* A name without arguments: a goal, or the left of a = X. */
static nlm_status read_name(reader *r, datalog_goal *goal)
{
    const prolog_token token = r->in->token;
    datalog_term term;
    nlm_status status = refuse_word(r);
    prolog ahead =
        *r->in; /* a look at the next token changes nothing but quoted names, which = never begins */
    if (!status)
        status = prolog_advance(&ahead, r->error);
    reader next = *r;
    next.in = &ahead;
    if (status || !is_equality(&next, goal)) {
        goal->kind = DATALOG_ATOM;
        return status ? status : read_atom(r, goal);
    }
    status = term_of(r, (prolog_name){token.text, token.length}, false, token.line, &term);
    if (!status)
        status = advance(r);
    if (!status)
        status = advance(r);
    return status ? status : read_right_term(r, goal, term);
}

static nlm_status read_goal(reader *r)
{
    const prolog_token *token = &r->in->token;
    datalog_goal goal = {.line = token->line, .kind = DATALOG_ATOM};
    nlm_status status = refuse_mark(r);
    if (status)
        return status;
    if (prolog_is(r->in, "\\+")) {
        status = advance(r);
        return status ? status : read_negation(r, &goal);
    }
    if (token->kind == PROLOG_VARIABLE || token->kind == PROLOG_NUMBER || prolog_is(r->in, "("))
        return read_relation(r, &goal);
    if (token->kind != PROLOG_ATOM)
        return prolog_refuse(r->in, "a goal", r->error);
    const prolog_name name = token_name(r);
    if (is(name, "not")) {
        status = advance(r);
        return status ? status : read_negation(r, &goal);
    }
    if (token->opens && (is(name, "abs") || is(name, "min") || is(name, "max")))
        return read_relation(r, &goal);
    return token->opens ? read_atom(r, &goal) : read_name(r, &goal);
}

/* ---- rules ---- */

/* Whether a goal can be decided, or can bind what it has, when `bound` are. */
static bool is_ready(const datalog_rule *rule, const datalog_goal *goal, uint32_t bound)
{
    const uint32_t open = goal->variables & ~bound;
    switch (goal->kind) {
    case DATALOG_EQUAL:
        return (open & (open - 1)) == 0; /* at most one */
    case DATALOG_NOT:
        return (open & ~rule->apart) == 0;
    case DATALOG_IS:
        return (open & ~(1u << goal->term[0])) == 0;
    case DATALOG_ATOM:
    case DATALOG_IS_NUMBER:
    case DATALOG_IS_INTEGER:
    case DATALOG_IS_NAME:
    case DATALOG_FAIL:
        return true;
    default:
        return open == 0;
    }
}

/* Variables that stand in one negation and nowhere else. */
static uint32_t find_apart(const struct datalog *rules, const datalog_rule *rule)
{
    uint32_t in_negation = 0, others = 0;
    for (int g = 0; g < rule->goals; g++) {
        const datalog_goal *goal = datalog_goal_at(rules, rule, g);
        if (goal->kind == DATALOG_NOT) {
            others |= in_negation & goal->variables;
            in_negation |= goal->variables;
        } else
            others |= goal->variables;
    }
    for (int k = 0; k < rule->arity; k++)
        if (term_is_variable(rule->term[k]))
            others |= 1u << rule->term[k];
    return in_negation & ~others;
}

/* Goals as far as they are ready, until none is left or none is ready; *bound becomes what they bind. */
static int first_unready(const struct datalog *rules, const datalog_rule *rule, uint32_t *bound)
{
    uint64_t left = rule->goals == 64 ? ~(uint64_t)0 : ((uint64_t)1 << rule->goals) - 1;
    for (bool more = true; more;) {
        more = false;
        for (int g = 0; g < rule->goals; g++) {
            const datalog_goal *goal = datalog_goal_at(rules, rule, g);
            if (!(left >> g & 1) || !is_ready(rule, goal, *bound))
                continue;
            *bound |= goal->kind == DATALOG_NOT ? 0 : goal->variables;
            left &= ~((uint64_t)1 << g);
            more = true;
        }
    }
    return left ? __builtin_ctzll(left) : -1;
}

static nlm_status check_bound(reader *r)
{
    uint32_t bound = 0;
    r->rule.apart = find_apart(r->rules, &r->rule);
    const int unready = first_unready(r->rules, &r->rule, &bound);
    if (unready >= 0) {
        const datalog_goal *goal = datalog_goal_at(r->rules, &r->rule, unready);
        const int open =
            __builtin_ctz(goal->variables & ~bound & ~(goal->kind == DATALOG_NOT ? r->rule.apart : 0));
        return REFUSE(
            r, goal->line,
            "no goal binds %s, which is compared or negated here: add one that does, a predicate of facts",
            shown(r->name[open]).text);
    }
    for (int k = 0; k < r->rule.arity; k++)
        if (term_is_variable(r->rule.term[k]) && !(bound >> r->rule.term[k] & 1))
            return REFUSE(
                r, r->rule.line,
                "no goal binds %s of the head: the rule would hold for everything; add a goal that says "
                "what %s is",
                shown(r->name[r->rule.term[k]]).text, shown(r->name[r->rule.term[k]]).text);
    return NLM_OK;
}

static nlm_status keep(reader *r)
{
    struct datalog *to = r->rules;
    if (to->rule_count == DATALOG_RULES)
        return REFUSE(r, r->rule.line, "more than %d rules", DATALOG_RULES);
    if (buffer_reserve(&to->rules, (size_t)to->rule_count + 1, sizeof r->rule, true))
        return error_no_memory(r->error);
    *datalog_rule_at(to, to->rule_count++) = r->rule;
    return NLM_OK;
}

nlm_status datalog_read(draft *to, prolog *in, const prolog_fact *head, unsigned variables, nlm_error *error)
{
    if (!to->rules && !(to->rules = memory_new(1, sizeof *to->rules)))
        return error_no_memory(error);
    reader r = {.to = to, .in = in, .rules = to->rules, .error = error};
    r.rule = (datalog_rule){
        .arity = head->arity, .first = to->rules->goal_count, .file = in->file, .line = head->line};
    r.rule.predicate = draft_number(to, head->name.text, head->name.length, head->arity);
    nlm_status status =
        r.rule.predicate < 0 ? error_no_memory(error) : terms_of(&r, head, variables, r.rule.term);
    do {
        if (!status)
            status = advance(&r);
        if (!status)
            status = read_goal(&r);
    } while (!status && prolog_is(in, ","));
    if (!status && in->token.kind != PROLOG_STOP)
        status = refuse_mark(&r) ? NLM_BAD_FILE : prolog_refuse(in, "',' or '.'", error);
    if (!status)
        status = check_bound(&r);
    return status ? status : keep(&r);
}

void datalog_free(struct datalog *rules)
{
    if (!rules)
        return;
    buffer_free(&rules->rules);
    buffer_free(&rules->goals);
    buffer_free(&rules->expressions);
    memory_free(rules);
}

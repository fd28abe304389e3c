/* Variables that Prolog would read otherwise: one that stands in a negation or comparison and also outside of
 * it must be bound before, by the head or by a positive literal; each branch of an `or` must bind it. */
#include "logic/rules.h"
#include "syntax/reading_message.h"

typedef struct checking {
    const rules *of;
    const prolog_name *variable; /* names, by number */
    uint32_t waiting;            /* variables of dif(X, Y), which must be bound somewhere in the level */
    nlm_error *error;
} checking;

static uint32_t own_variables(const rule_goal *goal)
{
    uint32_t set = 0;
    for (int i = 0; i < goal->arity; i++)
        set |= (uint32_t)1 << goal->variable[i];
    return set;
}

/* The variables of a goal, with or without those of negations. */
static uint32_t variables_in(const rules *of, int goal, bool negations)
{
    const rule_goal *at = rules_goal(of, goal);
    uint32_t set = own_variables(at);
    if (at->kind != RULE_NOT || negations)
        for (int part = at->first; part >= 0; part = rules_goal(of, part)->next)
            set |= variables_in(of, part, negations);
    return set;
}

uint32_t rules_direct(const rules *of, int goal)
{
    return variables_in(of, goal, false);
}

static nlm_status refuse_unbound(const checking *r, uint32_t unbound, size_t line, const char *where)
{
    int v = 0;
    while (!(unbound >> v & 1))
        v++;
    const message_name name = message_cut(r->variable[v].text, r->variable[v].length);
    return message_refuse(
        r->error, r->of->file, line,
        "%s is not bound before this %s, so Prolog would not read it as the same %s: put a literal "
        "that has %s before it, if need be object(%s)",
        name.text, where, name.text, name.text, name.text);
}

/* `scope`: the variables of the level and of those around it; `bound`: those bound so far. */
static nlm_status check_goal(checking *r, int goal, uint32_t scope, uint32_t *bound)
{
    const rule_goal at = *rules_goal(r->of, goal);
    const uint32_t own = own_variables(&at);
    nlm_status status = NLM_OK;
    switch ((rule_kind)at.kind) {
    case RULE_TRUE:
    case RULE_FALSE:
        return NLM_OK;
    case RULE_ATOM:
    case RULE_OBJECT:
        *bound |= own;
        return NLM_OK;
    case RULE_NUMBER:
        return own & ~*bound ? refuse_unbound(r, own & ~*bound, at.line, "comparison") : NLM_OK;
    case RULE_EQUAL:
    case RULE_DIFFERENT:
        if (!at.waits && own & ~*bound)
            return refuse_unbound(r, own & ~*bound, at.line, "comparison");
        if (at.kind == RULE_EQUAL && own & *bound)
            *bound |= own;
        else if (at.kind == RULE_DIFFERENT)
            r->waiting |= own;
        return NLM_OK;
    case RULE_NOT: {
        const uint32_t shared = variables_in(r->of, at.first, true) & scope & ~*bound;
        if (shared)
            return refuse_unbound(r, shared, at.line, "negation");
        uint32_t inside = *bound;
        const uint32_t waiting = r->waiting;
        r->waiting = 0;
        status = check_goal(r, at.first, scope | rules_direct(r->of, at.first), &inside);
        if (!status && r->waiting & ~inside)
            status = refuse_unbound(r, r->waiting & ~inside, at.line, "comparison");
        r->waiting = waiting;
        return status;
    }
    case RULE_AND:
        for (int part = at.first; part >= 0 && !status; part = rules_goal(r->of, part)->next)
            status = check_goal(r, part, scope, bound);
        return status;
    case RULE_OR:
        break;
    }
    uint32_t all = ~(uint32_t)0;
    for (int part = at.first; part >= 0 && !status; part = rules_goal(r->of, part)->next) {
        uint32_t branch = *bound;
        status = check_goal(r, part, scope, &branch);
        all &= branch;
    }
    *bound = all;
    return status;
}

/* A variable that only the head has is more often a slip than meant; `_` and names that begin with it are
 * meant. */
static nlm_status check_head(const checking *r, int goal, int arity)
{
    const rule_goal *body = rules_goal(r->of, goal);
    const uint32_t used = variables_in(r->of, goal, true);
    for (int v = 0; v < arity && body->kind != RULE_TRUE && body->kind != RULE_FALSE; v++) {
        const prolog_name *name = &r->variable[v];
        const message_name text = message_cut(name->text, name->length);
        if (!(used >> v & 1) && name->length > 0 && name->text[0] != '_')
            return message_refuse(
                r->error, r->of->file, body->line,
                "%s is in the head alone: write object(%s) in the body, or _ for %s, if the head "
                "holds whatever it is",
                text.text, text.text, text.text);
    }
    return NLM_OK;
}

nlm_status rules_check(const rules *of, int goal, int arity, const prolog_name *names, nlm_error *error)
{
    checking r = {.of = of, .variable = names, .error = error};
    uint32_t bound = ((uint32_t)1 << arity) - 1;
    nlm_status status = check_head(&r, goal, arity);
    if (status)
        return status;
    status = check_goal(&r, goal, bound | rules_direct(of, goal), &bound);
    if (!status && r.waiting & ~bound)
        return refuse_unbound(&r, r.waiting & ~bound, rules_goal(of, goal)->line, "comparison");
    return status;
}

/* Checking plans: from the facts of the problem, action by action, to its goal.  Nothing here knows blocks or
 * games.  A plan is read as IPC writes it: one action in parentheses a line, comments from ';' on; lines may
 * begin with a time, "0: (stack a b)", as some planners write. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "nlm/pddl.h"
#include "pddl/strips.h"
#include "syntax/reading_message.h"

#define PLAN_MOST_BYTES ((size_t)64 << 20)

/* A plan that is being checked. */
struct checker {
    const struct nlm_pddl *of;
    struct pddl_tree plan;
    struct atom_set state;
    struct strips_change change;
};

/* The action of a list and its objects, of the right number and types. */
static nlm_status read_action(const struct checker *in, int list, int *action, int *objects, nlm_error *error)
{
    const struct nlm_pddl *of = in->of;
    const struct pddl_tree *plan = &in->plan;
    const char *name = pddl_head(plan, list);
    *action = strips_find_action(of, name);
    if (*action < 0)
        return pddl_refuse(plan, list, error, "the domain %s has no action %s", of->domain,
                           *name != '\0' ? name : "without a name");
    const struct strips_action *made = STRIPS_ITEM(action, of->actions, *action);
    int count = 0;
    for (int node = pddl_node_at(plan, pddl_node_at(plan, list)->first)->next; node != PDDL_NONE;
         node = pddl_node_at(plan, node)->next, count++) {
        const char *word = pddl_node_at(plan, node)->word;
        if (count >= made->parameters)
            continue;
        objects[count] = word ? strips_find_object(of, word) : -1;
        if (objects[count] < 0)
            return pddl_refuse(plan, node, error, "the problem has no object %s", word ? word : "(...)");
        const int type = STRIPS_ITEM(object, of->objects, objects[count])->type;
        if (!strips_is_a(of, type, made->parameter[count].type))
            return pddl_refuse(plan, node, error, "%s is of type %s, %s of %s is of type %s", word,
                               STRIPS_ITEM(type, of->types, type)->name, made->parameter[count].name,
                               made->name, STRIPS_ITEM(type, of->types, made->parameter[count].type)->name);
    }
    return count == made->parameters
               ? NLM_OK
               : pddl_refuse(plan, list, error, "%s has %d parameter%s, here %d", made->name,
                             made->parameters, made->parameters == 1 ? "" : "s", count);
}

static nlm_status check_action(struct checker *in, int list, nlm_error *error)
{
    int action, objects[STRIPS_MOST_PARAMETERS];
    char made[STRIPS_TEXT], asked[STRIPS_TEXT];
    nlm_status status = read_action(in, list, &action, objects, error);
    if (status)
        return status;
    const struct strips_literal *open = strips_open_condition(in->of, &in->state, action, objects);
    if (open)
        return pddl_refuse(&in->plan, list, error, "%.150s: its precondition %.150s does not hold",
                           strips_action_text(in->of, action, objects, made),
                           strips_literal_text(in->of, open, objects, asked));
    return strips_apply(in->of, &in->state, action, objects, &in->change, error);
}

static nlm_status check_all(struct checker *in, int *actions, nlm_error *error)
{
    const struct pddl_tree *plan = &in->plan;
    char asked[STRIPS_TEXT];
    nlm_status status = strips_begin(in->of, &in->state, error);
    *actions = 0;
    for (int list = pddl_node_at(plan, 0)->first; list != PDDL_NONE && !status;
         list = pddl_node_at(plan, list)->next, ++*actions)
        status = check_action(in, list, error);
    const struct strips_literal *open = status ? NULL : strips_open_goal(in->of, &in->state);
    return open ? message_refuse(error, plan->file, 0,
                                 "the goal %.150s (%.150s:%zu) does not hold after %d action%s",
                                 strips_literal_text(in->of, open, NULL, asked), in->of->problem_text.file,
                                 open->line, *actions, *actions == 1 ? "" : "s")
                : status;
}

/* Times before actions become blanks: digits and points at the beginning of a line, up to a colon. */
static void blank_times(char *text, size_t length)
{
    for (size_t begin = 0; begin < length;) {
        size_t at = begin;
        while (at < length && (strchr(" \t0123456789.", text[at]) && text[at] != '\0'))
            at++;
        if (at < length && text[at] == ':' && at > begin)
            memset(text + begin, ' ', at + 1 - begin);
        while (at < length && text[at] != '\n')
            at++;
        begin = at + 1;
    }
}

nlm_status nlm_pddl_validate(const nlm_pddl *pddl, const nlm_pddl_text *plan, int *actions, nlm_error *error)
{
    REQUIRE(pddl && plan && plan->text && plan->name, error);
    struct checker in = {.of = pddl};
    int count = 0;
    char *text = memory_new(plan->length + 1, 1);
    if (!text)
        return error_no_memory(error);
    if (plan->length > 0)
        memcpy(text, plan->text, plan->length);
    blank_times(text, plan->length);
    nlm_status status = pddl_tree_read(&in.plan, text, plan->length, plan->name, error);
    if (!status)
        status = check_all(&in, &count, error);
    if (actions)
        *actions = count;
    pddl_tree_release(&in.plan);
    atom_set_release(&in.state);
    strips_change_release(&in.change);
    memory_free(text);
    return status;
}

nlm_status nlm_pddl_validate_file(const nlm_pddl *pddl, const char *plan, int *actions, nlm_error *error)
{
    REQUIRE(pddl && plan, error);
    buffer text = {0};
    nlm_pddl_text read = {.name = plan};
    nlm_status status = file_read_input(plan, PLAN_MOST_BYTES, &text, &read.length, error);
    read.text = text.data;
    if (!status)
        status = nlm_pddl_validate(pddl, &read, actions, error);
    buffer_free(&text);
    return status;
}

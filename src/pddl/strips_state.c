/* States of STRIPS: which atoms hold, which actions can be applied, and what they do.  An action whose
 * effects both delete and add an atom adds it, as PDDL says; conditions of effects are about the state
 * before. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "pddl/strips.h"

/* ---- ground atoms ---- */

/* The object that an argument stands for. */
static int object_of(int argument, const int *objects)
{
    return argument >= 0 ? argument : objects[~argument];
}

static uint64_t atom_of(const struct nlm_pddl *of, const struct strips_literal *literal, const int *objects)
{
    const int arity = STRIPS_ITEM(predicate, of->predicates, literal->predicate)->arity;
    uint64_t atom = (uint64_t)literal->predicate + 1;
    for (int k = 0; k < STRIPS_MOST_ARITY; k++)
        atom = atom << 12 | (k < arity ? (uint64_t)object_of(literal->argument[k], objects) + 1 : 0);
    return atom;
}

bool strips_holds(const struct nlm_pddl *of, const struct atom_set *state,
                  const struct strips_literal *literal, const int *objects)
{
    const bool holds =
        literal->predicate == STRIPS_EQUAL
            ? object_of(literal->argument[0], objects) == object_of(literal->argument[1], objects)
            : atom_set_has(state, atom_of(of, literal, objects));
    return holds != literal->negative;
}

/* ---- texts ---- */

/* One word more, while there is room. */
static void add_word(char text[STRIPS_TEXT], const char *before, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, STRIPS_TEXT - used, "%s%s", before, word);
}

const char *strips_literal_text(const struct nlm_pddl *of, const struct strips_literal *literal,
                                const int *objects, char text[STRIPS_TEXT])
{
    const bool equal = literal->predicate == STRIPS_EQUAL;
    const struct strips_predicate *predicate =
        equal ? NULL : STRIPS_ITEM(predicate, of->predicates, literal->predicate);
    text[0] = '\0';
    add_word(text, literal->negative ? "(not (" : "(", equal ? "=" : predicate->name);
    for (int k = 0; k < (equal ? 2 : predicate->arity); k++)
        add_word(text, " ", STRIPS_ITEM(object, of->objects, object_of(literal->argument[k], objects))->name);
    add_word(text, literal->negative ? "))" : ")", "");
    return text;
}

const char *strips_action_text(const struct nlm_pddl *of, int action, const int *objects,
                               char text[STRIPS_TEXT])
{
    const struct strips_action *made = STRIPS_ITEM(action, of->actions, action);
    text[0] = '\0';
    add_word(text, "(", made->name);
    for (int p = 0; p < made->parameters; p++)
        add_word(text, " ", STRIPS_ITEM(object, of->objects, objects[p])->name);
    add_word(text, ")", "");
    return text;
}

/* ---- states ---- */

nlm_status strips_begin(const struct nlm_pddl *of, struct atom_set *state, nlm_error *error)
{
    *state = (struct atom_set){0};
    for (int f = 0; f < of->facts.count; f++)
        if (atom_set_add(state, atom_of(of, STRIPS_ITEM(literal, of->facts, f), NULL))) {
            atom_set_release(state);
            return error_no_memory(error);
        }
    return NLM_OK;
}

/* The first of some conditions that does not hold; NULL if all do. */
static const struct strips_literal *open_condition(const struct nlm_pddl *of, const struct atom_set *state,
                                                   const struct strips_list *list, int first, int count,
                                                   const int *objects)
{
    for (int c = first; c < first + count; c++)
        if (!strips_holds(of, state, STRIPS_ITEM(literal, *list, c), objects))
            return STRIPS_ITEM(literal, *list, c);
    return NULL;
}

const struct strips_literal *strips_open_goal(const struct nlm_pddl *of, const struct atom_set *state)
{
    return open_condition(of, state, &of->goal, 0, of->goal.count, NULL);
}

const struct strips_literal *strips_open_condition(const struct nlm_pddl *of, const struct atom_set *state,
                                                   int action, const int *objects)
{
    const struct strips_action *made = STRIPS_ITEM(action, of->actions, action);
    return open_condition(of, state, &of->conditions, made->first_condition, made->conditions, objects);
}

/* ---- changes ---- */

static nlm_status note(struct strips_list *list, uint64_t atom, nlm_error *error)
{
    uint64_t *added = strips_add(list, sizeof *added);
    if (!added)
        return error_no_memory(error);
    *added = atom;
    return NLM_OK;
}

/* What is to be deleted and added, while the state is still that before the action. */
static nlm_status find_change(const struct nlm_pddl *of, const struct atom_set *state, int action,
                              const int *objects, struct strips_change *change, nlm_error *error)
{
    const struct strips_action *made = STRIPS_ITEM(action, of->actions, action);
    nlm_status status = NLM_OK;
    for (int e = made->first_effect; e < made->first_effect + made->effects && !status; e++) {
        const struct strips_effect *effect = STRIPS_ITEM(effect, of->effects, e);
        if (open_condition(of, state, &of->conditions, effect->first_condition, effect->conditions, objects))
            continue;
        status = note(effect->literal.negative ? &change->deleted : &change->added,
                      atom_of(of, &effect->literal, objects), error);
    }
    return status;
}

/* Atoms that change nothing leave the lists, so that undoing is exact. */
static void keep_where(struct strips_list *list, const struct atom_set *state, bool there)
{
    uint64_t *atoms = list->items.data;
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (atom_set_has(state, atoms[i]) == there)
            atoms[kept++] = atoms[i];
    list->count = kept;
}

nlm_status strips_apply(const struct nlm_pddl *of, struct atom_set *state, int action, const int *objects,
                        struct strips_change *change, nlm_error *error)
{
    change->deleted.count = change->added.count = 0;
    nlm_status status = find_change(of, state, action, objects, change, error);
    if (status)
        return status;
    keep_where(&change->deleted, state, true);
    for (int i = 0; i < change->deleted.count; i++)
        atom_set_remove(state, ((const uint64_t *)change->deleted.items.data)[i]);
    keep_where(&change->added, state, false);
    for (int i = 0; i < change->added.count && !status; i++)
        if (atom_set_add(state, ((const uint64_t *)change->added.items.data)[i]))
            status = error_no_memory(error);
    return status;
}

nlm_status strips_undo(struct atom_set *state, const struct strips_change *change, nlm_error *error)
{
    for (int i = 0; i < change->added.count; i++)
        atom_set_remove(state, ((const uint64_t *)change->added.items.data)[i]);
    for (int i = 0; i < change->deleted.count; i++)
        if (atom_set_add(state, ((const uint64_t *)change->deleted.items.data)[i]))
            return error_no_memory(error);
    return NLM_OK;
}

void strips_change_release(struct strips_change *change)
{
    buffer_free(&change->deleted.items);
    buffer_free(&change->added.items);
    *change = (struct strips_change){0};
}

/* Reading domains: (define (domain NAME) sections...), with the sections :requirements, :types, :constants,
 * :predicates and :action.  What is read: strips, types, equality, negative preconditions and conditional
 * effects.  Everything else is refused where it stands. */
#include <string.h>
#include "base/error.h"
#include "pddl/strips.h"

static const char *const requirements[] = {
    ":strips", ":typing", ":equality", ":negative-preconditions", ":conditional-effects", ":adl", NULL};

/* Words of PDDL that domains of other planners' classes have, and what to call them. */
static const struct {
    const char *word, *what;
} beyond[] = {{"or", "a disjunction"},
              {"imply", "an implication"},
              {"forall", "a quantifier"},
              {"exists", "a quantifier"},
              {"preference", "a preference"},
              {"increase", "a numeric effect"},
              {"decrease", "a numeric effect"},
              {"assign", "a numeric effect"},
              {"scale-up", "a numeric effect"},
              {"scale-down", "a numeric effect"},
              {"<", "a comparison of numbers"},
              {">", "a comparison of numbers"},
              {"<=", "a comparison of numbers"},
              {">=", "a comparison of numbers"},
              {"at", "a time"},
              {"over", "a time"},
              {NULL, NULL}};

/* ---- lists and names ---- */

void *strips_add(struct strips_list *list, size_t size)
{
    if (buffer_reserve(&list->items, (size_t)list->count + 1, size, true))
        return NULL;
    return memset((char *)list->items.data + (size_t)list->count++ * size, 0, size);
}

/* Every item of these lists begins with its name. */
static int find_name(const struct strips_list *list, size_t size, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(*(const char *const *)((const char *)list->items.data + (size_t)i * size), name))
            return i;
    return -1;
}

int strips_find_type(const struct nlm_pddl *of, const char *name)
{
    return find_name(&of->types, sizeof(struct strips_type), name);
}

int strips_find_object(const struct nlm_pddl *of, const char *name)
{
    return find_name(&of->objects, sizeof(struct strips_object), name);
}

int strips_find_predicate(const struct nlm_pddl *of, const char *name)
{
    return find_name(&of->predicates, sizeof(struct strips_predicate), name);
}

int strips_find_action(const struct nlm_pddl *of, const char *name)
{
    return find_name(&of->actions, sizeof(struct strips_action), name);
}

bool strips_is_a(const struct nlm_pddl *of, int type, int other)
{
    /* as many steps as there are types, in case types are each other's */
    for (int step = 0; step <= of->types.count && type != other && type != STRIPS_OBJECT; step++)
        type = STRIPS_ITEM(type, of->types, type)->above;
    return type == other;
}

nlm_status strips_find_define(const struct pddl_tree *tree, const char *kind, int *define, const char **name,
                              nlm_error *error)
{
    *define = pddl_node_at(tree, 0)->first;
    if (*define == PDDL_NONE || strcmp(pddl_head(tree, *define), "define") != 0)
        return pddl_refuse(tree, *define, error, "a file of PDDL begins with (define (%s NAME)", kind);
    if (pddl_node_at(tree, *define)->next != PDDL_NONE)
        return pddl_refuse(tree, pddl_node_at(tree, *define)->next, error,
                           "something follows the %s; a file has one domain or one problem", kind);
    const int head = pddl_node_at(tree, pddl_node_at(tree, *define)->first)->next;
    if (head == PDDL_NONE || strcmp(pddl_head(tree, head), kind) != 0)
        return pddl_refuse(tree, *define, error, "this is no %s: (define (%s NAME) is expected", kind, kind);
    const int word = pddl_node_at(tree, pddl_node_at(tree, head)->first)->next;
    if (!pddl_is_name(tree, word) || pddl_node_at(tree, word)->next != PDDL_NONE)
        return pddl_refuse(tree, head, error, "(%s NAME) with one name is expected", kind);
    *name = pddl_node_at(tree, word)->word;
    return NLM_OK;
}

/* ---- "a b - type c" ---- */

/* Whether a node is the "-" before a type. */
static bool is_dash(const struct pddl_tree *tree, int node)
{
    return pddl_is_word(tree, node, "-");
}

/* The type of the names from `node` on: what follows the next "-", or object. */
static nlm_status type_ahead(struct nlm_pddl *of, const struct pddl_tree *tree, int node, int *type,
                             nlm_error *error)
{
    while (node != PDDL_NONE && !is_dash(tree, node))
        node = pddl_node_at(tree, node)->next;
    if (node == PDDL_NONE)
        return NLM_OK;
    const int named = pddl_node_at(tree, node)->next;
    if (named != PDDL_NONE && !pddl_node_at(tree, named)->word)
        return pddl_refuse(tree, named, error, "a choice of types (either) is not supported; name one type");
    if (!pddl_is_name(tree, named))
        return pddl_refuse(tree, node, error, "the name of a type is missing after '-'");
    *type = strips_find_type(of, pddl_node_at(tree, named)->word);
    return *type >= 0
               ? NLM_OK
               : pddl_refuse(tree, named, error, "there is no type %s: the domain has it not in :types",
                             pddl_node_at(tree, named)->word);
}

/* The node behind "- type" if `node` is the dash, else `node`. */
static int behind_type(const struct pddl_tree *tree, int node)
{
    if (!is_dash(tree, node))
        return node;
    const int named = pddl_node_at(tree, node)->next;
    return named == PDDL_NONE ? PDDL_NONE : pddl_node_at(tree, named)->next;
}

/* The next name of such a list and its type; *node is then behind it, PDDL_NONE at the end.  `name` is NULL
 * when there is none left. */
static nlm_status next_typed(struct nlm_pddl *of, const struct pddl_tree *tree, int *node, const char **name,
                             int *type, int *at, nlm_error *error)
{
    *name = NULL;
    *type = STRIPS_OBJECT;
    *at = *node;
    if (*node == PDDL_NONE)
        return NLM_OK;
    if (is_dash(tree, *node))
        return pddl_refuse(tree, *node, error, "names are missing before '-'");
    if (!pddl_node_at(tree, *node)->word)
        return pddl_refuse(tree, *node, error, "a list where a name is expected");
    nlm_status status = type_ahead(of, tree, *node, type, error);
    *name = pddl_node_at(tree, *node)->word;
    *node = behind_type(tree, pddl_node_at(tree, *node)->next);
    return status;
}

/* All types first, so that they may be named before they are listed; then what they are types of. */
static nlm_status read_types(struct nlm_pddl *of, int from, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    for (int node = from; node != PDDL_NONE; node = pddl_node_at(tree, node)->next) {
        const char *name = pddl_node_at(tree, node)->word;
        if (is_dash(tree, node) || (name && strips_find_type(of, name) >= 0))
            continue;
        if (!pddl_is_name(tree, node))
            return pddl_refuse(tree, node, error, "the name of a type is expected");
        struct strips_type *type =
            of->types.count < STRIPS_MOST_ENTRIES ? strips_add(&of->types, sizeof(struct strips_type)) : NULL;
        if (!type)
            return pddl_refuse(tree, node, error, "more than %d types", STRIPS_MOST_ENTRIES);
        type->name = name;
    }
    nlm_status status = NLM_OK;
    for (int node = from, at; node != PDDL_NONE && !status;) {
        const char *name;
        int above;
        status = next_typed(of, tree, &node, &name, &above, &at, error);
        if (!status && strips_find_type(of, name) != STRIPS_OBJECT)
            STRIPS_ITEM(type, of->types, strips_find_type(of, name))->above = above;
    }
    return status;
}

nlm_status strips_read_objects(struct nlm_pddl *of, const struct pddl_tree *tree, int from, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int node = from, at; node != PDDL_NONE && !status;) {
        const char *name;
        int type;
        status = next_typed(of, tree, &node, &name, &type, &at, error);
        if (status)
            return status;
        if (!pddl_is_name(tree, at))
            return pddl_refuse(tree, at, error, "'%s' is no name of an object: it must begin with a letter",
                               name);
        if (strips_find_object(of, name) >= 0)
            return pddl_refuse(tree, at, error, "the object %s is listed twice", name);
        if (of->objects.count == STRIPS_MOST_OBJECTS)
            return pddl_refuse(tree, at, error, "more than %d objects", STRIPS_MOST_OBJECTS);
        struct strips_object *object = strips_add(&of->objects, sizeof *object);
        if (!object)
            return error_no_memory(error);
        *object = (struct strips_object){name, type};
    }
    return status;
}

/* ---- predicates ---- */

/* (on ?x ?y - block) */
static nlm_status read_predicate(struct nlm_pddl *of, int list, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    const char *name = pddl_head(tree, list), *variable;
    struct strips_predicate made = {.name = name};
    if (!pddl_is_name(tree, pddl_node_at(tree, list)->first))
        return pddl_refuse(tree, list, error, "a predicate is (NAME ?VARIABLE ...)");
    if (strips_find_predicate(of, name) >= 0 || of->predicates.count == STRIPS_MOST_ENTRIES)
        return pddl_refuse(tree, list, error,
                           strips_find_predicate(of, name) >= 0 ? "the predicate %s is there twice"
                                                                : "too many predicates, from %s on",
                           name);
    nlm_status status = NLM_OK;
    for (int node = pddl_node_at(tree, pddl_node_at(tree, list)->first)->next, at;
         node != PDDL_NONE && !status;) {
        int type;
        status = next_typed(of, tree, &node, &variable, &type, &at, error);
        if (!status && variable[0] != '?')
            return pddl_refuse(tree, at, error, "a variable, such as ?x, is expected in place of %s",
                               variable);
        if (!status && made.arity == STRIPS_MOST_ARITY)
            return pddl_refuse(tree, list, error, "%s has more than %d arguments", name, STRIPS_MOST_ARITY);
        if (!status)
            made.type[made.arity++] = type;
    }
    struct strips_predicate *added = status ? NULL : strips_add(&of->predicates, sizeof made);
    if (!status && !added)
        return error_no_memory(error);
    if (!status)
        *added = made;
    return status;
}

/* ---- literals ---- */

static int find_parameter(const struct strips_action *action, const char *name)
{
    for (int p = 0; action && p < action->parameters; p++)
        if (!strcmp(action->parameter[p].name, name))
            return p;
    return -1;
}

/* An argument and its type. */
static nlm_status read_argument(struct nlm_pddl *of, const struct pddl_tree *tree, int node,
                                const struct strips_action *action, int *argument, int *type,
                                nlm_error *error)
{
    const char *word = pddl_node_at(tree, node)->word;
    if (!word)
        return pddl_refuse(tree, node, error, "a list where an object is expected");
    if (word[0] == '?') {
        const int parameter = find_parameter(action, word);
        if (parameter < 0)
            return pddl_refuse(tree, node, error,
                               action ? "%s is no parameter of the action"
                                      : "the variable %s where an object is expected",
                               word);
        *argument = ~parameter;
        *type = action->parameter[parameter].type;
        return NLM_OK;
    }
    *argument = strips_find_object(of, word);
    if (*argument < 0)
        return pddl_refuse(tree, node, error, "there is no object %s", word);
    *type = STRIPS_ITEM(object, of->objects, *argument)->type;
    return NLM_OK;
}

/* Refuse what is no predicate of the domain, saying what it is. */
static nlm_status refuse_head(const struct nlm_pddl *of, const struct pddl_tree *tree, int list,
                              nlm_error *error)
{
    const char *head = pddl_head(tree, list);
    for (int i = 0; beyond[i].word; i++)
        if (!strcmp(beyond[i].word, head))
            return pddl_refuse(tree, list, error,
                               "(%s ...) is %s, which is not supported; write it with and, not, when and "
                               "predicates",
                               head, beyond[i].what);
    return *head != '\0'
               ? pddl_refuse(tree, list, error,
                             "the domain %s of %s has no predicate %s; another domain is named with "
                             "--domain",
                             of->domain, of->domain_text.file, head)
               : pddl_refuse(tree, list, error, "(PREDICATE OBJECT ...) is expected");
}

static nlm_status read_atom(struct nlm_pddl *of, const struct pddl_tree *tree, int list,
                            const struct strips_action *action, struct strips_literal *literal,
                            nlm_error *error)
{
    const bool equal = !strcmp(pddl_head(tree, list), "=");
    literal->line = pddl_node_at(tree, list)->line;
    literal->predicate = equal ? STRIPS_EQUAL : strips_find_predicate(of, pddl_head(tree, list));
    if (!equal && literal->predicate < 0)
        return refuse_head(of, tree, list, error);
    const struct strips_predicate pair = {.name = "=", .arity = 2};
    const struct strips_predicate *predicate =
        equal ? &pair : STRIPS_ITEM(predicate, of->predicates, literal->predicate);
    int count = 0;
    for (int node = pddl_node_at(tree, pddl_node_at(tree, list)->first)->next; node != PDDL_NONE;
         node = pddl_node_at(tree, node)->next, count++) {
        int type = STRIPS_OBJECT;
        if (count >= predicate->arity)
            continue;
        nlm_status status = read_argument(of, tree, node, action, &literal->argument[count], &type, error);
        if (status)
            return status;
        /* a parameter may be of a wider type: its objects are checked when the action is applied */
        if (literal->argument[count] >= 0 && !strips_is_a(of, type, predicate->type[count]))
            return pddl_refuse(tree, node, error, "%s is of type %s, argument %d of %s is of type %s",
                               pddl_node_at(tree, node)->word, STRIPS_ITEM(type, of->types, type)->name,
                               count + 1, predicate->name,
                               STRIPS_ITEM(type, of->types, predicate->type[count])->name);
    }
    return count == predicate->arity
               ? NLM_OK
               : pddl_refuse(tree, list, error, "%s has %d argument%s, here %d", predicate->name,
                             predicate->arity, predicate->arity == 1 ? "" : "s", count);
}

nlm_status strips_read_literal(struct nlm_pddl *of, const struct pddl_tree *tree, int node,
                               const struct strips_action *action, struct strips_literal *literal,
                               nlm_error *error)
{
    *literal = (struct strips_literal){0};
    if (pddl_node_at(tree, node)->word)
        return pddl_refuse(tree, node, error, "'%s' where (PREDICATE OBJECT ...) is expected",
                           pddl_node_at(tree, node)->word);
    if (strcmp(pddl_head(tree, node), "not") != 0)
        return read_atom(of, tree, node, action, literal, error);
    literal->negative = true;
    const int inner = pddl_node_at(tree, pddl_node_at(tree, node)->first)->next;
    if (inner == PDDL_NONE || pddl_node_at(tree, inner)->next != PDDL_NONE || pddl_node_at(tree, inner)->word)
        return pddl_refuse(tree, node, error, "(not (PREDICATE OBJECT ...)) is expected");
    return read_atom(of, tree, inner, action, literal, error);
}

/* Recursion is as deep as the lists of a text may be. */
nlm_status strips_read_condition(struct nlm_pddl *of, const struct pddl_tree *tree, int node,
                                 const struct strips_action *action, struct strips_list *list,
                                 nlm_error *error)
{
    const struct pddl_node *at = pddl_node_at(tree, node);
    if (!at->word && at->first == PDDL_NONE) /* (): nothing is asked */
        return NLM_OK;
    nlm_status status = NLM_OK;
    if (!strcmp(pddl_head(tree, node), "and")) {
        for (int part = pddl_node_at(tree, at->first)->next; part != PDDL_NONE && !status;
             part = pddl_node_at(tree, part)->next)
            status = strips_read_condition(of, tree, part, action, list, error);
        return status;
    }
    struct strips_literal literal;
    status = strips_read_literal(of, tree, node, action, &literal, error);
    if (status)
        return status;
    struct strips_literal *added = strips_add(list, sizeof literal);
    if (!added)
        return error_no_memory(error);
    *added = literal;
    return NLM_OK;
}

/* ---- actions ---- */

static nlm_status read_parameters(struct nlm_pddl *of, int list, struct strips_action *action,
                                  nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    nlm_status status = NLM_OK;
    for (int node = pddl_node_at(tree, list)->first, at; node != PDDL_NONE && !status;) {
        struct strips_object made;
        status = next_typed(of, tree, &node, &made.name, &made.type, &at, error);
        if (status)
            return status;
        if (made.name[0] != '?' || find_parameter(action, made.name) >= 0)
            return pddl_refuse(tree, at, error,
                               made.name[0] != '?' ? "a variable, such as ?x, is expected in place of %s"
                                                   : "the parameter %s is there twice",
                               made.name);
        if (action->parameters == STRIPS_MOST_PARAMETERS)
            return pddl_refuse(tree, at, error, "%s has more than %d parameters", action->name,
                               STRIPS_MOST_PARAMETERS);
        action->parameter[action->parameters++] = made;
    }
    return status;
}

/* A literal as an effect, under conditions that were read before, `count` from number `first` on. */
static nlm_status add_effect(struct nlm_pddl *of, int node, struct strips_action *action, int first,
                             int count, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    struct strips_effect made = {.first_condition = first, .conditions = count};
    nlm_status status = strips_read_literal(of, tree, node, action, &made.literal, error);
    if (!status && made.literal.predicate == STRIPS_EQUAL)
        status = pddl_refuse(tree, node, error, "= cannot be an effect");
    struct strips_effect *added = status ? NULL : strips_add(&of->effects, sizeof made);
    if (!status && !added)
        return error_no_memory(error);
    if (!status)
        *added = made;
    return status;
}

/* A literal, (and ...) or (when CONDITION EFFECT); conditions inside each other are refused: `first` is -1
 * outside of them. */
static nlm_status read_effect(struct nlm_pddl *of, int node, struct strips_action *action, int first,
                              int count, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    const struct pddl_node *at = pddl_node_at(tree, node);
    const char *head = at->word ? "" : pddl_head(tree, node);
    nlm_status status = NLM_OK;
    if (!at->word && at->first == PDDL_NONE)
        return NLM_OK;
    if (!strcmp(head, "and")) {
        for (int part = pddl_node_at(tree, at->first)->next; part != PDDL_NONE && !status;
             part = pddl_node_at(tree, part)->next)
            status = read_effect(of, part, action, first, count, error);
        return status;
    }
    if (strcmp(head, "when") != 0)
        return add_effect(of, node, action, first, count, error);
    const int condition = pddl_node_at(tree, at->first)->next;
    const int effect = condition == PDDL_NONE ? PDDL_NONE : pddl_node_at(tree, condition)->next;
    if (effect == PDDL_NONE || pddl_node_at(tree, effect)->next != PDDL_NONE || first >= 0)
        return pddl_refuse(tree, node, error,
                           first >= 0 ? "(when ...) inside (when ...) is not supported"
                                      : "(when CONDITION EFFECT) is expected");
    const int begin = of->conditions.count;
    status = strips_read_condition(of, tree, condition, action, &of->conditions, error);
    return status ? status : read_effect(of, effect, action, begin, of->conditions.count - begin, error);
}

/* One of :parameters, :precondition and :effect, whose value is `value`. */
static nlm_status read_part(struct nlm_pddl *of, int key, int value, struct strips_action *action,
                            nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    if (pddl_is_word(tree, key, ":parameters"))
        return read_parameters(of, value, action, error);
    nlm_status status;
    if (pddl_is_word(tree, key, ":precondition")) {
        action->first_condition = of->conditions.count;
        status = strips_read_condition(of, tree, value, action, &of->conditions, error);
        action->conditions = of->conditions.count - action->first_condition;
        return status;
    }
    if (!pddl_is_word(tree, key, ":effect"))
        return pddl_refuse(tree, key, error,
                           "%s is not supported: an action has :parameters, :precondition and :effect",
                           pddl_node_at(tree, key)->word);
    action->first_effect = of->effects.count;
    status = read_effect(of, value, action, -1, 0, error);
    action->effects = of->effects.count - action->first_effect;
    return status;
}

/* (:action NAME :parameters (...) :precondition (...) :effect (...)) */
static nlm_status read_action(struct nlm_pddl *of, int list, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    const int name = pddl_node_at(tree, pddl_node_at(tree, list)->first)->next;
    struct strips_action made = {0};
    if (!pddl_is_name(tree, name))
        return pddl_refuse(tree, list, error, "an action is (:action NAME :parameters ...)");
    made.name = pddl_node_at(tree, name)->word;
    if (strips_find_action(of, made.name) >= 0 || of->actions.count == STRIPS_MOST_ENTRIES)
        return pddl_refuse(tree, list, error,
                           strips_find_action(of, made.name) >= 0 ? "the action %s is there twice"
                                                                  : "too many actions, from %s on",
                           made.name);
    nlm_status status = NLM_OK;
    for (int key = pddl_node_at(tree, name)->next; key != PDDL_NONE && !status;) {
        const int value = pddl_node_at(tree, key)->next;
        if (!pddl_node_at(tree, key)->word || value == PDDL_NONE || pddl_node_at(tree, value)->word)
            return pddl_refuse(tree, key, error,
                               "a keyword and a list after it are expected in the action %s", made.name);
        status = read_part(of, key, value, &made, error);
        key = pddl_node_at(tree, value)->next;
    }
    struct strips_action *added = status ? NULL : strips_add(&of->actions, sizeof made);
    if (!status && !added)
        return error_no_memory(error);
    if (!status)
        *added = made;
    return status;
}

/* ---- domains ---- */

static nlm_status check_requirements(const struct pddl_tree *tree, int from, nlm_error *error)
{
    for (int node = from; node != PDDL_NONE; node = pddl_node_at(tree, node)->next) {
        int known = 0;
        while (requirements[known] && !pddl_is_word(tree, node, requirements[known]))
            known++;
        if (!requirements[known])
            return pddl_refuse(tree, node, error,
                               "the requirement %s is not supported: blocks worlds are read with :strips, "
                               ":typing, :equality, :negative-preconditions and :conditional-effects",
                               pddl_node_at(tree, node)->word ? pddl_node_at(tree, node)->word : "(...)");
    }
    return NLM_OK;
}

static nlm_status read_predicates(struct nlm_pddl *of, int from, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int node = from; node != PDDL_NONE && !status; node = pddl_node_at(&of->domain_text, node)->next)
        status = read_predicate(of, node, error);
    return status;
}

static nlm_status read_section(struct nlm_pddl *of, int section, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    const char *head = pddl_head(tree, section);
    if (pddl_node_at(tree, section)->word || *head == '\0')
        return pddl_refuse(tree, section, error, "a section, such as (:predicates ...), is expected");
    const int from = pddl_node_at(tree, pddl_node_at(tree, section)->first)->next;
    if (!strcmp(head, ":requirements"))
        return check_requirements(tree, from, error);
    if (!strcmp(head, ":types"))
        return read_types(of, from, error);
    if (!strcmp(head, ":constants"))
        return strips_read_objects(of, tree, from, error);
    if (!strcmp(head, ":predicates"))
        return read_predicates(of, from, error);
    if (!strcmp(head, ":action"))
        return read_action(of, section, error);
    return pddl_refuse(tree, section, error,
                       "the section %s is not supported: a domain has :requirements, :types, :constants, "
                       ":predicates and :action",
                       head);
}

nlm_status strips_read_domain(struct nlm_pddl *of, nlm_error *error)
{
    const struct pddl_tree *tree = &of->domain_text;
    int define;
    struct strips_type *object = strips_add(&of->types, sizeof *object);
    if (!object)
        return error_no_memory(error);
    object->name = "object";
    nlm_status status = strips_find_define(tree, "domain", &define, &of->domain, error);
    if (status)
        return status;
    const int head = pddl_node_at(tree, pddl_node_at(tree, define)->first)->next;
    for (int section = pddl_node_at(tree, head)->next; section != PDDL_NONE && !status;
         section = pddl_node_at(tree, section)->next)
        status = read_section(of, section, error);
    if (!status && of->actions.count == 0)
        status = pddl_refuse(tree, define, error, "the domain has no :action");
    return status;
}

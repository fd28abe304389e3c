/* The program of rules: inputs found, definitions sorted so that each uses earlier ones only, and formulas.
 *
 * An input that rules also use with a repeated variable, likes(X, X), is two inputs, as in files of facts:
 * likes/2 for different objects, and likes(A,A).  An atom is then the `or` of the forms that it can have. */
#include "logic/rules.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "logic/patterns.h"
#include "nlm/tools.h"
#include "syntax/reading_message.h"

enum { NONE = -1, UNSEEN = 0, OPEN, DONE };

/* One entry for each predicate of the rules, unless it says otherwise. */
typedef struct sorting {
    const rules *from;
    const nlm_program_reading *reading;
    nlm_program *program;
    nlm_error *error;
    int *state;      /* of the search for cycles; later, whether a target needs it */
    int *at;         /* clause and ... */
    int *goal;       /* ... goal that the search has come to */
    int *path;       /* the predicates that are open, from the first to the last */
    int *order;      /* definitions, each after those that it uses */
    int *number;     /* in the program; definitions only */
    int *first;      /* its first input in the program */
    buffer next;     /* int for each input: the next of the same name */
    buffer formulas; /* of the clauses of one head */
    int ordered;
    const rule_clause *clause; /* whose formula is made */
    bool of_signature;         /* the targets are the signature's, patterns among them */
} sorting;

rule_text rules_text(const rules *of, int predicate)
{
    rule_text made;
    const name_entry *entry = names_at(&of->names, predicate);
    snprintf(made.text, sizeof made.text, "%s/%d", message_cut(entry->text, entry->length).text,
             entry->arity);
    return made;
}

static bool is_defined(const sorting *in, int predicate)
{
    return rules_predicate(in->from, predicate)->first >= 0;
}

/* ---- order ---- */

/* The cycle that closes when the last predicate of the path uses `again`. */
static nlm_status refuse_cycle(const sorting *in, int length, int again, size_t line)
{
    char text[NLM_ERROR_SIZE / 2] = "";
    size_t used = 0;
    int first = length - 1;
    while (in->path[first] != again)
        first--;
    for (int i = first; i < length && used + 120 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s uses ",
                                 i - first == 4 && i + 1 < length ? (i = length - 2, "...")
                                                                  : rules_text(in->from, in->path[i]).text);
    return message_refuse(in->error, in->from->file, line,
                          RULES_CYCLE "%s%s; a machine of fixed depth cannot compute it, so write the "
                                      "steps out as predicates of their own",
                          text, rules_text(in->from, again).text);
}

/* The next defined predicate that the open one uses, or -1; *line is where. */
static int next_used(sorting *in, int predicate, size_t *line)
{
    while (in->at[predicate] >= 0) {
        const rule_clause *clause = rules_clause(in->from, in->at[predicate]);
        while (in->goal[predicate] < clause->end) {
            const rule_goal *goal = rules_goal(in->from, in->goal[predicate]++);
            *line = goal->line;
            if (goal->kind == RULE_ATOM && is_defined(in, goal->predicate))
                return goal->predicate;
        }
        in->at[predicate] = clause->next;
        if (clause->next >= 0)
            in->goal[predicate] = rules_clause(in->from, clause->next)->begin;
    }
    return NONE;
}

/* Everything that `root` uses, and itself, into the order. */
static nlm_status order_from(sorting *in, int root)
{
    int length = 0, enter = root;
    for (;;) {
        if (enter >= 0) {
            in->state[enter] = OPEN;
            in->at[enter] = rules_predicate(in->from, enter)->first;
            in->goal[enter] = rules_clause(in->from, in->at[enter])->begin;
            in->path[length++] = enter;
        }
        const int top = in->path[length - 1];
        size_t line = 0;
        enter = next_used(in, top, &line);
        if (enter >= 0 && in->state[enter] == OPEN)
            return refuse_cycle(in, length, enter, line);
        if (enter >= 0 && in->state[enter] == DONE) {
            enter = NONE;
        } else if (enter < 0) {
            in->state[top] = DONE;
            in->order[in->ordered++] = top;
            if (--length == 0)
                return NLM_OK;
        }
    }
}

/* ---- targets ---- */

/* "uncle/2" or "uncle" among the definitions. */
static nlm_status find_target(const sorting *in, const char *text, int *target)
{
    const rules *from = in->from;
    const char *slash = strrchr(text, '/');
    const bool exact = slash && slash[1] >= '0' && slash[1] <= '9' && !slash[2];
    const size_t length = exact ? (size_t)(slash - text) : strlen(text);
    *target = NONE;
    for (int arity = 0; arity <= FORMULA_MOST_ARITY; arity++) {
        const int found = names_find(&from->names, text, length, arity);
        if (found < 0 || !is_defined(in, found) || (exact && arity != slash[1] - '0'))
            continue;
        if (*target >= 0)
            return message_argument(in->error, "%s can be %s or %s in %.200s: say which", text,
                                    rules_text(from, *target).text, rules_text(from, found).text, from->file);
        *target = found;
    }
    return *target >= 0 ? NLM_OK
                        : message_argument(in->error, "%.200s has no clause for the target %s", from->file,
                                           message_cut_text(text).text);
}

static nlm_status add_target(sorting *in, int predicate)
{
    nlm_program *program = in->program;
    for (int t = 0; t < program->target_count; t++)
        if (program->target[t] == predicate)
            return NLM_OK;
    if (program->target_count == NLM_MAX_HEADS)
        return message_refuse(in->error, in->from->file, rules_predicate(in->from, predicate)->line,
                              "%s is the target number %d, and at most %d are supported: name the targets "
                              "that are wanted",
                              rules_text(in->from, predicate).text, NLM_MAX_HEADS + 1, NLM_MAX_HEADS);
    program->target[program->target_count++] = predicate;
    return NLM_OK;
}

/* The predicate of the rules that defines a target of the signature, or NONE. */
static int defined_target(const sorting *in, int target)
{
    const nlm_predicate *of = nlm_signature_target(in->reading->signature, target);
    const int found = names_find(&in->from->names, of->name, strlen(of->name), of->arity);
    return found >= 0 && is_defined(in, found) ? found : NONE;
}

/* The targets of the signature, if the rules define them all, or may leave some out. */
static nlm_status take_signature_targets(sorting *in)
{
    const nlm_signature *signature = in->reading->signature;
    const int count = signature ? nlm_signature_targets(signature) : 0;
    int missing = 0;
    for (int t = 0; t < count; t++)
        missing += defined_target(in, t) < 0;
    in->of_signature = count > 0 && (missing == 0 || in->reading->false_targets);
    nlm_status status = NLM_OK;
    for (int t = 0; t < count && in->of_signature && !status; t++)
        if (defined_target(in, t) >= 0)
            status = add_target(in, defined_target(in, t));
    return status;
}

/* Targets as numbers of the rules for now. */
static nlm_status find_targets(sorting *in)
{
    const rules *from = in->from;
    nlm_status status = NLM_OK;
    int target = NONE;
    if (in->reading->definitions)
        return NLM_OK;
    for (int t = 0; t < in->reading->target_count && !status; t++) {
        status = in->reading->targets[t] ? find_target(in, in->reading->targets[t], &target)
                                         : message_argument(in->error, "a target without a name (NULL)");
        if (!status)
            status = add_target(in, target);
    }
    if (!status && in->program->target_count == 0)
        status = take_signature_targets(in);
    if (status || in->program->target_count > 0 || in->of_signature)
        return status;
    for (int p = 0; p < from->names.count; p++)
        in->state[p] = is_defined(in, p);
    for (int g = 0; g < from->goal_count; g++)
        if (rules_goal(from, g)->kind == RULE_ATOM)
            in->state[rules_goal(from, g)->predicate] = 0;
    for (int c = 0; c < from->names.count && !status; c++)
        if (in->state[c])
            status = add_target(in, c);
    return status;
}

/* state[p]: whether a target needs it. */
static void mark_needed(sorting *in)
{
    const rules *from = in->from;
    for (int p = 0; p < from->names.count; p++)
        in->state[p] = in->reading->definitions;
    for (int t = 0; t < in->program->target_count; t++)
        in->state[in->program->target[t]] = true;
    for (int i = in->ordered - 1; i >= 0; i--)
        for (int c = rules_predicate(from, in->order[i])->first; c >= 0 && in->state[in->order[i]];
             c = rules_clause(from, c)->next)
            for (int g = rules_clause(from, c)->begin; g < rules_clause(from, c)->end; g++)
                if (rules_goal(from, g)->kind == RULE_ATOM)
                    in->state[rules_goal(from, g)->predicate] = true;
}

/* ---- inputs ---- */

/* The name of a listed input; for nlm_nearest_names. */
static const char *input_name(const void *context, int index)
{
    const nlm_program *program = context;
    return index < program->input_count ? program_at(program, index)->name : NULL;
}

static nlm_status refuse_unknown(const sorting *in, int predicate)
{
    const nlm_program *program = in->program;
    const name_entry *entry = names_at(&in->from->names, predicate);
    const size_t line = rules_predicate(in->from, predicate)->line;
    const rule_text name = rules_text(in->from, predicate);
    const char *near;
    for (int i = 0; i < program->input_count; i++)
        if (!strcmp(program_at(program, i)->name, entry->text))
            return message_refuse(in->error, in->from->file, line, "%s: the facts have %s with %d argument%s",
                                  name.text, entry->text, program_at(program, i)->written,
                                  program_at(program, i)->written == 1 ? "" : "s");
    const bool any = nlm_nearest_names(entry->text, (nlm_name_list){input_name, program}, &near, 1) > 0;
    return message_refuse(in->error, in->from->file, line,
                          "%s is neither a predicate of the facts nor defined by a clause%s%s%s", name.text,
                          any ? "; is it " : "", any ? message_cut_text(near).text : "", any ? "?" : "");
}

/* The signature's inputs: no clause may define one, and every predicate without clauses must be one. */
static nlm_status check_inputs(const sorting *in)
{
    const rules *from = in->from;
    for (int p = 0; p < from->names.count; p++) {
        const rule_predicate *of = rules_predicate(from, p);
        if (is_defined(in, p) && in->first[p] >= 0)
            return message_refuse(
                in->error, from->file, of->line,
                "%s is a predicate of the facts, and no clause can define it: give the head "
                "another name",
                rules_text(from, p).text);
        if (!is_defined(in, p) && in->first[p] < 0 && in->state[p] && !rules_ends_in_numbers(from, p))
            return refuse_unknown(in, p);
    }
    return NLM_OK;
}

/* The pattern of an atom's variables, {0, 1, 0}, and how many are different. */
static int pattern_of(const rule_goal *goal, int *place)
{
    int different = 0;
    for (int i = 0; i < goal->arity; i++) {
        place[i] = different;
        for (int k = i - 1; k >= 0; k--)
            if (goal->variable[k] == goal->variable[i])
                place[i] = place[k];
        different += place[i] == different;
    }
    return different;
}

/* Inputs of one arity that needed clauses use, in the order of their appearance. */
static nlm_status add_inputs(sorting *in, int arity, name_table *seen, text_store *texts)
{
    const rules *from = in->from;
    for (int g = 0; g < from->goal_count; g++) {
        const rule_goal *goal = rules_goal(from, g);
        int place[FORMULA_MOST_ARITY], code = 0;
        if (goal->kind != RULE_ATOM || is_defined(in, goal->predicate) || !in->state[goal->predicate] ||
            rules_ends_in_numbers(from, goal->predicate) || pattern_of(goal, place) != arity)
            continue;
        const name_entry *entry = names_at(&from->names, goal->predicate);
        for (int i = 0; i < goal->arity; i++)
            code = code * (FORMULA_MOST_ARITY + 1) + place[i] + 1;
        const int before = seen->count;
        const int found = names_intern(seen, texts, entry->text, entry->length, code);
        if (found >= 0 && found < before)
            continue;
        const int number = found < 0 ? -1 : program_add_input(in->program, entry->text, arity);
        if (number < 0)
            return error_no_memory(in->error);
        program_predicate *made = program_at(in->program, number);
        made->written = goal->arity;
        memcpy(made->place, place, (size_t)goal->arity * sizeof *place);
    }
    return NLM_OK;
}

/* The program's inputs, and which of them each predicate is. */
static nlm_status find_inputs(sorting *in)
{
    nlm_program *program = in->program;
    nlm_status status = NLM_OK;
    if (in->reading->signature) {
        status = program_add_signature(program, in->reading->signature, in->error);
    } else {
        name_table seen = {0};
        text_store texts = {0};
        for (int arity = 0; arity <= FORMULA_MOST_ARITY && !status; arity++)
            status = add_inputs(in, arity, &seen, &texts);
        names_free(&seen);
        text_free(&texts);
    }
    if (!status)
        status = rules_add_comparisons(in->from, in->state, program, in->error);
    if (!status && buffer_reserve(&in->next, (size_t)program->input_count + 1, sizeof(int), false))
        status = error_no_memory(in->error);
    for (int i = program->input_count - 1; i >= 0 && !status; i--) {
        char *name = program_written_name(program, i);
        if (!name)
            return error_no_memory(in->error);
        const int p = names_find(&in->from->names, name, strlen(name), program_at(program, i)->written);
        memory_free(name);
        ((int *)in->next.data)[i] = p < 0 ? NONE : in->first[p];
        if (p >= 0)
            in->first[p] = i;
    }
    return status || !in->reading->signature ? status : check_inputs(in);
}

/* ---- formulas ---- */

/* An atom of an input, in each form that it can have. */
static formula input_formula(const sorting *in, const rule_goal *goal)
{
    formula_store *store = &in->program->store;
    formula any = FORMULA_FALSE;
    for (int i = in->first[goal->predicate]; i >= 0; i = ((const int *)in->next.data)[i]) {
        const program_predicate *input = program_at(in->program, i);
        int variable[FORMULA_MOST_ARITY] = {0};
        formula fits = FORMULA_TRUE;
        for (int k = input->written - 1; k >= 0; k--)
            variable[input->place[k]] = goal->variable[k];
        for (int k = 0; k < input->written; k++)
            fits =
                formula_and2(store, fits, formula_equal(store, variable[input->place[k]], goal->variable[k]));
        any = formula_or2(store, any, formula_and2(store, fits, program_atom(in->program, i, variable)));
    }
    return any;
}

static formula quantified(formula_store *store, formula f, uint32_t variables)
{
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        if (variables >> v & 1)
            f = formula_exists(store, v, f);
    return f;
}

/* The goal; `scope` are the variables of its level and of those around it, which stay free. */
static formula goal_formula(sorting *in, int number, uint32_t scope)
{
    formula_store *store = &in->program->store;
    const rule_goal goal = *rules_goal(in->from, number);
    int variable[FORMULA_MOST_ARITY];
    for (int i = 0; i < goal.arity; i++)
        variable[i] = goal.variable[i];
    switch ((rule_kind)goal.kind) {
    case RULE_TRUE:
    case RULE_OBJECT:
        return FORMULA_TRUE;
    case RULE_FALSE:
        return FORMULA_FALSE;
    case RULE_NUMBER:
        return rules_number_formula(in->from, in->program, in->clause, number);
    case RULE_ATOM:
        if (rules_ends_in_numbers(in->from, goal.predicate))
            return rules_number_formula(in->from, in->program, in->clause, number);
        return is_defined(in, goal.predicate)
                   ? program_atom(in->program, in->number[goal.predicate], variable)
                   : input_formula(in, &goal);
    case RULE_EQUAL:
        return formula_equal(store, variable[0], variable[1]);
    case RULE_DIFFERENT:
        return formula_not(store, formula_equal(store, variable[0], variable[1]));
    case RULE_NOT: {
        const uint32_t own = rules_direct(in->from, goal.first) & ~scope;
        return formula_not(store, quantified(store, goal_formula(in, goal.first, scope | own), own));
    }
    case RULE_AND:
    case RULE_OR:
        break;
    }
    buffer parts = {0};
    size_t count = 0;
    for (int part = goal.first; part >= 0 && !store->failed; part = rules_goal(in->from, part)->next) {
        if (buffer_reserve(&parts, count + 1, sizeof(formula), true))
            store->failed = true;
        else
            ((formula *)parts.data)[count++] = goal_formula(in, part, scope);
    }
    const formula result =
        goal.kind == RULE_AND ? formula_and(store, parts.data, count) : formula_or(store, parts.data, count);
    buffer_free(&parts);
    return result;
}

static bool is_target(const sorting *in, int predicate)
{
    bool found = false;
    for (int t = 0; t < in->program->target_count; t++)
        found |= in->program->target[t] == predicate;
    return found;
}

static nlm_status add_definition(sorting *in, int predicate)
{
    formula_store *store = &in->program->store;
    const name_entry *entry = names_at(&in->from->names, predicate);
    const uint32_t head = ((uint32_t)1 << entry->arity) - 1;
    size_t count = 0;
    for (int c = rules_predicate(in->from, predicate)->first; c >= 0; c = rules_clause(in->from, c)->next) {
        const int goal = rules_clause(in->from, c)->goal;
        const uint32_t own = rules_direct(in->from, goal) & ~head;
        in->clause = rules_clause(in->from, c);
        if (buffer_reserve(&in->formulas, count + 1, sizeof(formula), true))
            return error_no_memory(in->error);
        ((formula *)in->formulas.data)[count++] = quantified(store, goal_formula(in, goal, head | own), own);
    }
    const formula body = formula_or(store, in->formulas.data, count);
    if (store->failed)
        return message_refuse(in->error, in->from->file, rules_predicate(in->from, predicate)->line,
                              "%s has too many clauses, or clauses with too many variables",
                              rules_text(in->from, predicate).text);
    const int alias = is_target(in, predicate) || !in->reading->signature
                          ? NONE
                          : pattern_alias(in->program, body, entry->arity);
    in->number[predicate] =
        alias >= 0 ? alias : program_add_definition(in->program, entry->text, entry->arity, body);
    if (in->number[predicate] < 0)
        return error_no_memory(in->error);
    if (alias < 0)
        program_at(in->program, in->number[predicate])->line = rules_predicate(in->from, predicate)->line;
    return NLM_OK;
}

/* ---- targets of the signature ---- */

/* The signature's targets in its order: likes/2 and likes(A,A) are what one predicate of the rules defines.
 */
static nlm_status place_targets(sorting *in)
{
    nlm_program *program = in->program;
    const nlm_signature *signature = in->reading->signature;
    program->target_count = nlm_signature_targets(signature);
    for (int t = 0; t < program->target_count; t++) {
        const nlm_predicate *of = nlm_signature_target(signature, t);
        const int found = defined_target(in, t), definition = found >= 0 ? in->number[found] : NONE;
        bool patterns = definition < 0;
        for (int k = 0; k < program->target_count; k++) {
            const nlm_predicate *other = nlm_signature_target(signature, k);
            patterns |=
                other->arity == of->arity && other->objects < of->arity && !strcmp(other->name, of->name);
        }
        program->target[t] = patterns ? pattern_target(program, of, definition) : definition;
        if (program->target[t] < 0 || program->store.failed)
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

/* ---- all of it ---- */

static nlm_status sort_rules(sorting *in)
{
    const int count = in->from->names.count;
    nlm_status status = NLM_OK;
    for (int p = 0; p < count; p++)
        in->number[p] = in->first[p] = NONE;
    for (int p = 0; p < count && !status; p++)
        if (is_defined(in, p) && in->state[p] == UNSEEN)
            status = order_from(in, p);
    if (!status)
        status = find_targets(in);
    if (status)
        return status;
    mark_needed(in);
    status = find_inputs(in);
    for (int i = 0; i < in->ordered && !status; i++)
        if (in->state[in->order[i]])
            status = add_definition(in, in->order[i]);
    if (!status && in->of_signature)
        return place_targets(in);
    for (int t = 0; t < in->program->target_count && !status; t++)
        in->program->target[t] = in->number[in->program->target[t]];
    return status;
}

nlm_status rules_program(const rules *of, const nlm_program_reading *reading, nlm_program **program,
                         nlm_error *error)
{
    enum { LISTS = 7 };
    const size_t count = (size_t)of->names.count + 1;
    sorting in = {.from = of, .reading = reading, .error = error};
    nlm_status status = program_new(&in.program, error);
    if (status)
        return status;
    int *lists = memory_new(LISTS * count, sizeof *lists);
    int **const list[LISTS] = {&in.state, &in.at, &in.goal, &in.path, &in.order, &in.number, &in.first};
    for (int i = 0; i < LISTS; i++)
        *list[i] = lists + (size_t)i * count;
    status = lists ? sort_rules(&in) : error_no_memory(error);
    memory_free(lists);
    buffer_free(&in.next);
    buffer_free(&in.formulas);
    if (status)
        nlm_program_free(in.program);
    else
        *program = in.program;
    return status;
}

nlm_status nlm_program_parse(const char *text, size_t size, const char *name,
                             const nlm_program_reading *reading, nlm_program **program, nlm_error *error)
{
    REQUIRE(text && name && program, error);
    static const nlm_program_reading none = {0};
    const nlm_program_reading *as = reading ? reading : &none;
    rules read = {0};
    *program = NULL;
    char *copy = size <= RULES_MOST_BYTES ? memory_new(size + 1, 1) : NULL; /* reading changes the text */
    if (!copy)
        return size > RULES_MOST_BYTES
                   ? message_refuse(error, name, 0, "more than %d bytes", RULES_MOST_BYTES)
                   : error_no_memory(error);
    memcpy(copy, text, size);
    nlm_status status = rules_read(&read, copy, size, name, as->signature, error);
    if (!status && read.clause_count == 0 && !as->false_targets)
        status = message_refuse(error, name, 0, "there are no rules: write clauses such as p(X) :- q(X, Y).");
    if (!status)
        status = rules_program(&read, as, program, error);
    rules_free(&read);
    memory_free(copy);
    return status;
}

nlm_status nlm_program_read(const char *path, const nlm_program_reading *reading, nlm_program **program,
                            nlm_error *error)
{
    REQUIRE(path && program, error);
    buffer content = {0};
    size_t size;
    *program = NULL;
    const bool standard = !strcmp(path, "-");
    nlm_status status =
        file_read_input(standard ? "/dev/stdin" : path, RULES_MOST_BYTES, &content, &size, error);
    if (!status)
        status = nlm_program_parse(content.data, size, standard ? "<stdin>" : path, reading, program, error);
    buffer_free(&content);
    return status;
}

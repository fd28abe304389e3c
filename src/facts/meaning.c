/* What the predicates of a draft mean.
 *
 * First roles: targets, then inputs, then types; then the patterns that occur; then the signature, in which
 * the patterns of a predicate follow it.  With a model's signature all of that is given. */
#include "facts/meaning.h"

#include <string.h>
#include "base/error.h"
#include "facts/attributes.h"

struct finding {
    meaning *found;
    draft *draft;
    const nlm_reading *reading;
    const char *path;
    buffer targets, inputs; /* int: predicates in the order of the signature */
    int target_count, input_count;
    buffer attributes; /* int: predicates that end in numbers */
    int attribute_count;
    bool names_targets; /* whether bias.pl or any example names a predicate that examples are of */
    nlm_error *error;
};

/* ---- what examples are of ---- */

/* Whether exs.pl has the labels of a predicate, -1 for one that no file mentions: there is an example, or
 * bias.pl declares it.  Where neither names any, exs.pl, which is empty, is about all of them. */
static bool has_examples(const struct finding *in, int predicate)
{
    if (!in->draft->examples || !in->names_targets)
        return in->draft->examples;
    return predicate >= 0 &&
           (draft_at(in->draft, predicate)->example || draft_at(in->draft, predicate)->head);
}

/* ---- roles from the files ---- */

/* The predicate, or those that its constants make of it. */
static nlm_status add_divided(struct finding *in, int predicate,
                              nlm_status (*add)(struct finding *in, int predicate))
{
    nlm_status status = NLM_OK;
    if (!draft_at(in->draft, predicate)->constants)
        return add(in, predicate);
    for (int p = 0; p < in->draft->predicates.count && !status; p++)
        if (draft_at(in->draft, p)->base == predicate)
            status = add(in, p);
    return status;
}

static nlm_status add_target(struct finding *in, int predicate)
{
    meaning_role *role = meaning_at(in->found, predicate);
    if (role->is_target)
        return NLM_OK;
    role->is_target = true;
    role->facts_label = !has_examples(in, predicate);
    return draft_append(&in->targets, &in->target_count, predicate, in->error);
}

/* Those asked for, or else bias.pl's, or else those that there are examples of. */
static nlm_status find_targets(struct finding *in)
{
    const draft *files = in->draft;
    const nlm_reading *reading = in->reading;
    nlm_status status = NLM_OK;
    for (int t = 0; t < reading->target_count && !status; t++) {
        int predicate;
        status = meaning_target(files, reading->targets[t], in->path, &predicate, in->error);
        if (!status)
            status = add_divided(in, predicate, add_target);
    }
    if (status || reading->target_count > 0)
        return status;
    for (int h = 0; h < files->head_count && !status; h++)
        status = add_divided(in, ((const int *)files->heads.data)[h], add_target);
    if (status || files->head_count > 0)
        return status;
    for (int p = 0; p < files->predicates.count && !status; p++)
        if (draft_at(files, p)->count[DRAFT_TRUE] + draft_at(files, p)->count[DRAFT_FALSE] > 0)
            status = add_target(in, p);
    return status;
}

bool meaning_declares(const draft *in, int predicate)
{
    const name_entry *entry = names_at(&in->predicates, predicate);
    const draft_predicate *about = draft_at(in, predicate);
    return !strcmp(entry->text, "object") && (entry->arity == 1 || entry->arity == 2) && !about->head &&
           !about->body;
}

static nlm_status add_input(struct finding *in, int predicate)
{
    meaning_role *role = meaning_at(in->found, predicate);
    if (role->facts_label || role->declares)
        return NLM_OK;
    if (role->numbers > 0)
        return draft_append(&in->attributes, &in->attribute_count, predicate, in->error);
    role->is_input = true;
    return draft_append(&in->inputs, &in->input_count, predicate, in->error);
}

/* The inputs are bias.pl's bodies, or else all predicates with facts that are nothing else. */
static nlm_status find_roles(struct finding *in)
{
    const draft *files = in->draft;
    nlm_status status = find_targets(in);
    for (int p = 0; p < files->predicates.count; p++) {
        meaning_role *role = meaning_at(in->found, p);
        role->declares = !role->is_target && meaning_declares(files, p);
        memcpy(role->type, draft_at(files, p)->type, sizeof role->type);
    }
    if (!status)
        status = attributes_find(in->found, in->draft, in->reading, in->path, in->error);
    for (int b = 0; b < files->body_count && !status; b++)
        status = add_divided(in, ((const int *)files->bodies.data)[b], add_input);
    for (int p = 0; p < files->predicates.count && files->body_count == 0 && !status; p++)
        if (draft_at(files, p)->count[DRAFT_FACT] > 0 && !meaning_at(in->found, p)->is_target)
            status = add_input(in, p);
    return status;
}

/* ---- the signature from the roles ---- */

/* Which patterns occur where. */
static void find_patterns(struct finding *in)
{
    for (int w = 0; w < in->draft->world_count; w++) {
        const draft_world *world = draft_world_at(in->draft, w);
        draft_statement statement;
        for (size_t at = 0; draft_next(in->draft, world, &at, &statement);) {
            meaning_role *role = meaning_at(in->found, statement.predicate);
            int side = meaning_side(role, statement.kind), first[NLM_MAX_FACT_ARITY], objects;
            if (side >= 0)
                role->seen[side] |=
                    1u << pattern_of(statement.atoms, role->type, statement.arity, first, &objects);
        }
    }
}

/* A predicate without repeats, and its patterns. */
static nlm_status add_patterns(struct finding *in, int side, int predicate)
{
    const name_entry *entry = names_at(&in->draft->predicates, predicate);
    meaning_role *role = meaning_at(in->found, predicate);
    nlm_signature *signature = in->found->signature;
    int plain = pattern_plain(entry->arity);
    nlm_status status = NLM_OK;
    for (int k = -1; k < PATTERN_CODES && !status; k++) {
        int code = k < 0 ? plain : k;
        if (k >= 0 && (k == plain || !(role->seen[side] & 1u << k)))
            continue;
        nlm_predicate added = {.name = entry->text, .arity = entry->arity};
        added.objects = pattern_places(code, entry->arity, added.place);
        for (int place = 0; place < entry->arity; place++)
            added.type[place] = names_at(&in->draft->types, role->type[place])->text;
        role->number[side][code] = signature->count[side];
        status = signature_add(signature, side, &added, in->error);
    }
    return status;
}

/* The attributes of a predicate that ends in numbers. */
static nlm_status add_attributes(struct finding *in, int predicate)
{
    const name_entry *entry = names_at(&in->draft->predicates, predicate);
    meaning_role *role = meaning_at(in->found, predicate);
    nlm_attribute first = {
        .name = entry->text, .arity = entry->arity, .objects = entry->arity - role->numbers};
    for (int k = 0; k < first.objects; k++)
        first.type[k] = names_at(&in->draft->types, role->type[k])->text;
    role->attribute = in->found->signature->attribute_count;
    return signature_add_attributes(in->found->signature, &first, in->error);
}

/* Predicate number i of those that are read or concluded. */
static int predicate_at(const struct finding *in, int i)
{
    if (i < in->input_count)
        return ((const int *)in->inputs.data)[i];
    i -= in->input_count;
    return i < in->target_count ? ((const int *)in->targets.data)[i]
                                : ((const int *)in->attributes.data)[i - in->target_count];
}

/* A predicate for each type, if there are several. */
static nlm_status add_types(struct finding *in)
{
    buffer types = {0};
    int count = 0;
    nlm_status status = NLM_OK;
    for (int i = 0; i < in->input_count + in->target_count + in->attribute_count; i++) {
        int predicate = predicate_at(in, i);
        int arity = names_at(&in->draft->predicates, predicate)->arity;
        for (int k = 0; k < arity - meaning_at(in->found, predicate)->numbers && !status; k++) {
            int type = meaning_at(in->found, predicate)->type[k], known = 0;
            while (known < count && ((const int *)types.data)[known] != type)
                known++;
            if (type != 0 && known == count)
                status = draft_append(&types, &count, type, in->error);
        }
    }
    for (int t = 0; t < count && count > 1 && !status; t++) {
        const char *name = names_at(&in->draft->types, ((const int *)types.data)[t])->text;
        nlm_predicate added = {.name = name, .arity = 1, .objects = 1, .type = {name}, .is_type = true};
        status = signature_add(in->found->signature, SIGNATURE_INPUTS, &added, in->error);
    }
    buffer_free(&types);
    return status;
}

static nlm_status check_limits(const struct finding *in)
{
    const nlm_signature *signature = in->found->signature;
    int counted[NLM_MAX_FACT_ARITY + 1] = {0};
    if (signature->count[SIGNATURE_TARGETS] > NLM_MAX_HEADS)
        return message_refuse(in->error, in->path, 0,
                              "%d predicates to be concluded, those that repeat an object counted apart: at "
                              "most %d are supported",
                              signature->count[SIGNATURE_TARGETS], NLM_MAX_HEADS);
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS]; i++)
        counted[signature_at(signature, SIGNATURE_INPUTS, i)->objects]++;
    for (int r = 0; r <= NLM_MAX_FACT_ARITY; r++)
        if (counted[r] > NLM_MAX_WIDTH)
            return message_refuse(in->error, in->path, 0,
                                  "%d predicates about %d object%s each: at most %d are supported",
                                  counted[r], r, r == 1 ? "" : "s", NLM_MAX_WIDTH);
    return NLM_OK;
}

static nlm_status make_signature(struct finding *in)
{
    nlm_status status = signature_new(&in->found->signature, in->error);
    for (int i = 0; i < in->input_count && !status; i++)
        status = add_patterns(in, SIGNATURE_INPUTS, ((const int *)in->inputs.data)[i]);
    for (int t = 0; t < in->target_count && !status; t++)
        status = add_patterns(in, SIGNATURE_TARGETS, ((const int *)in->targets.data)[t]);
    for (int a = 0; a < in->attribute_count && !status; a++)
        status = add_attributes(in, ((const int *)in->attributes.data)[a]);
    if (!status)
        status = add_types(in);
    if (!status)
        status = check_limits(in);
    return status ? status : signature_finish(in->found->signature, in->error);
}

/* ---- roles from a signature ---- */

static nlm_status take_types(struct finding *in, meaning_role *role, const char *const *types, int count)
{
    for (int k = 0; k < count; k++) {
        role->type[k] = names_intern(&in->draft->types, &in->draft->texts, types[k], strlen(types[k]), 0);
        if (role->type[k] < 0)
            return error_no_memory(in->error);
    }
    return NLM_OK;
}

static nlm_status take_attribute(struct finding *in, int number)
{
    const nlm_attribute *attribute = signature_attribute_at(in->found->signature, number);
    int predicate =
        names_find(&in->draft->predicates, attribute->name, strlen(attribute->name), attribute->arity);
    if (predicate < 0 || attribute->place > attribute->objects)
        return NLM_OK;
    meaning_role *role = meaning_at(in->found, predicate);
    role->attribute = number;
    role->numbers = attribute->arity - attribute->objects;
    return take_types(in, role, attribute->type, attribute->objects);
}

static nlm_status take_signature(struct finding *in)
{
    const nlm_signature *given = in->reading->signature;
    nlm_status status = signature_copy(given, &in->found->signature, in->error);
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < given->count[side] && !status; i++) {
            const nlm_predicate *predicate = signature_at(given, side, i);
            int number = names_find(&in->draft->predicates, predicate->name, strlen(predicate->name),
                                    predicate->arity);
            if (number < 0 || signature_is_derived(predicate))
                continue;
            meaning_role *role = meaning_at(in->found, number);
            role->number[side][signature_code(predicate)] = i;
            *(side == SIGNATURE_INPUTS ? &role->is_input : &role->is_target) = true;
            status = take_types(in, role, predicate->type, predicate->arity);
        }
    for (int a = 0; a < given->attribute_count && !status; a++)
        status = take_attribute(in, a);
    for (int p = 0; p < in->draft->predicates.count; p++) {
        meaning_role *role = meaning_at(in->found, p);
        role->facts_label = role->is_target && !role->is_input && !has_examples(in, p);
        role->declares = !role->is_target && !role->is_input && meaning_declares(in->draft, p);
    }
    return status ? status : attributes_check(in->found, in->draft, in->path, in->error);
}

/* ---- labels ---- */

static void find_labels(struct finding *in)
{
    meaning *found = in->found;
    const nlm_signature *signature = found->signature;
    bool asked = !found->is_model && in->reading->closed_world, any_false = false;
    for (int t = 0; t < signature->count[SIGNATURE_TARGETS]; t++) {
        const nlm_predicate *target = signature_at(signature, SIGNATURE_TARGETS, t);
        int number = names_find(&in->draft->predicates, target->name, strlen(target->name), target->arity);
        bool examples = has_examples(in, number);
        bool is_false = number >= 0 && draft_at(in->draft, number)->count[DRAFT_FALSE] > 0;
        bool table = names_find(&in->draft->tables, target->name, strlen(target->name), 0) >= 0;
        bool facts = is_false; /* or facts that are labels, even those of an empty table */
        if (number >= 0)
            facts |= meaning_at(found, number)->facts_label &&
                     (table || draft_at(in->draft, number)->count[DRAFT_FACT] > 0);
        else
            facts |= table && signature_find(signature, SIGNATURE_INPUTS, target->name, target->arity,
                                             signature_code(target)) < 0;
        if (asked || examples || facts)
            found->labelled |= 1u << t;
        if (examples)
            found->by_examples |= 1u << t;
        else if (table && facts)
            found->by_table |= 1u << t;
        any_false |= is_false;
    }
    found->closed = found->labelled && (asked || !any_false);
}

/* Whether a world has a table of a target, or mentions it in bk.pl. */
static bool has_labels(const draft *in, const draft_world *world, const nlm_predicate *target)
{
    int number = names_find(&in->predicates, target->name, strlen(target->name), target->arity);
    int table = names_find(&in->tables, target->name, strlen(target->name), 0);
    for (int i = 0; i < world->table_count; i++)
        if (((const int *)world->tables.data)[i] == table)
            return true;
    draft_statement statement;
    for (size_t at = 0; draft_next(in, world, &at, &statement);)
        if (statement.predicate == number)
            return true;
    return false;
}

unsigned meaning_missing(const meaning *found, const draft *in, const draft_world *world)
{
    unsigned missing = world->examples ? 0 : found->by_examples;
    for (int t = 0; t < found->signature->count[SIGNATURE_TARGETS]; t++)
        if (found->by_table >> t & 1 &&
            !has_labels(in, world, signature_at(found->signature, SIGNATURE_TARGETS, t)))
            missing |= 1u << t;
    return missing;
}

/* ---- all of it ---- */

nlm_status meaning_find(meaning *found, draft *in, const nlm_reading *reading, const char *path,
                        nlm_error *error)
{
    struct finding finding = {.found = found, .draft = in, .reading = reading, .path = path, .error = error};
    *found = (meaning){.is_model = reading->signature};
    nlm_status status = NLM_OK;
    for (int t = 0; t < reading->target_count && !found->is_model && !status; t++)
        status = meaning_use_table(in, reading->targets[t], error);
    if (!status && buffer_reserve(&found->roles, (size_t)in->predicates.count, sizeof(meaning_role), false))
        status = error_no_memory(error);
    for (int p = 0; p < in->predicates.count && !status; p++) {
        finding.names_targets |= draft_at(in, p)->example || draft_at(in, p)->head;
        *meaning_at(found, p) = (meaning_role){0};
        memset(meaning_at(found, p)->number, -1, sizeof meaning_at(found, p)->number);
        meaning_at(found, p)->attribute = -1;
    }
    if (!status)
        status = reading->signature ? take_signature(&finding) : find_roles(&finding);
    if (!status)
        find_patterns(&finding);
    if (!status && !reading->signature)
        status = make_signature(&finding);
    if (!status)
        find_labels(&finding);
    if (!status)
        status = meaning_notes(found, in, path, error);
    buffer_free(&finding.targets);
    buffer_free(&finding.inputs);
    buffer_free(&finding.attributes);
    return status;
}

void meaning_free(meaning *found)
{
    buffer_free(&found->roles);
    nlm_signature_free(found->signature);
    found->signature = NULL;
}

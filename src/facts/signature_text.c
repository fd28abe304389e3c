/* Signatures as text, one line of JSON, and those of models:
 *
 *     {"inputs": [{"name": "likes", "arity": 2, "places": [0, 0], "types": ["person", "person"]},
 *                 {"type": "person"},
 *                 {"compare": [{"attribute": "size", "arity": 2, "place": 1, "objects": [0]}],
 *                  "order": ">=", "number": "3.76"}], "targets": [...],
 *      "attributes": [{"name": "size", "arity": 2, "objects": 1, "types": ["piece"]}]}
 *
 * "places" is missing where no object is repeated, "types" where there are none, "attributes" where no fact
 * ends in a number.  "worlds" is there if the worlds were those of one file: "wo" for has_car(train, car), w
 * for the world, o for its own, a for all.  Reading trusts nothing. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "syntax/atom.h"
#include "syntax/constant.h"
#include "syntax/number.h"
#include "syntax/reading_message.h"
#include "facts/comparison.h"
#include "facts/pattern.h"
#include "facts/signature.h"

static const char *const SIDE[SIGNATURE_SIDES] = {"inputs", "targets"};

/* ---- writing ---- */

/* A list of the predicate's places or types; NULL without memory. */
static json_t *list_places(const nlm_predicate *predicate, bool types)
{
    json_t *list = json_array();
    for (int k = 0; k < predicate->arity && list; k++) {
        json_t *item = types ? json_string(predicate->type[k]) : json_integer(predicate->place[k]);
        if (json_array_append_new(list, item)) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static const char SHARES[] = "-woa"; /* by nlm_share */

static bool is_shared_out(const nlm_predicate *predicate)
{
    return predicate->arity > 0 && predicate->share[0] != NLM_SHARE_NONE;
}

static json_t *list_shares(const nlm_predicate *predicate)
{
    char text[NLM_MAX_FACT_ARITY + 1] = "";
    for (int k = 0; k < predicate->arity; k++)
        text[k] = SHARES[predicate->share[k]];
    return json_string(text);
}

static const char *const ORDER[] = {">=", "<", ">", "=<", "known"}; /* by nlm_order */

/* The attributes by name, so that it can be read without counting. */
static json_t *describe_comparison(const nlm_signature *signature, const nlm_comparison *of)
{
    json_t *terms = json_array(), *object = NULL;
    char number[NUMBER_SIZE];
    bool failed = !terms;
    comparison_number_text(of->number, number);
    for (int t = 0; t < of->terms && !failed; t++) {
        const nlm_attribute *attribute = signature_attribute_at(signature, of->attribute[t]);
        nlm_predicate objects = {.arity = attribute->objects};
        memcpy(objects.place, of->object[t], sizeof objects.place);
        json_t *places = list_places(&objects, false);
        failed =
            !places || json_array_append_new(terms, json_pack("{s:s, s:i, s:i, s:o}", "attribute",
                                                              attribute->name, "arity", attribute->arity,
                                                              "place", attribute->place, "objects", places));
    }
    if (!failed)
        object = json_pack("{s:O, s:s}", "compare", terms, "order", ORDER[of->order]);
    if (object && of->order != NLM_KNOWN)
        failed = json_object_set_new(object, "number", json_string(number));
    if (object && of->terms > 1)
        failed |= json_object_set_new(object, "minus", json_boolean(of->minus));
    json_decref(terms);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *describe(const nlm_signature *signature, const nlm_predicate *predicate)
{
    if (predicate->is_type)
        return json_pack("{s:s}", "type", predicate->name);
    if (predicate->comparison.terms > 0)
        return describe_comparison(signature, &predicate->comparison);
    json_t *object = json_pack("{s:s, s:i}", "name", predicate->name, "arity", predicate->arity);
    if ((predicate->objects < predicate->arity &&
         json_object_set_new(object, "places", list_places(predicate, false))) ||
        (predicate->arity > 0 && *predicate->type[0] &&
         json_object_set_new(object, "types", list_places(predicate, true))) ||
        (is_shared_out(predicate) && json_object_set_new(object, "worlds", list_shares(predicate)))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *describe_attribute(const nlm_attribute *attribute)
{
    json_t *object = json_pack("{s:s, s:i, s:i}", "name", attribute->name, "arity", attribute->arity,
                               "objects", attribute->objects);
    if (attribute->objects == 0 || !*attribute->type[0])
        return object;
    nlm_predicate objects = {.arity = attribute->objects};
    memcpy(objects.type, attribute->type, sizeof objects.type);
    if (json_object_set_new(object, "types", list_places(&objects, true))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* One entry for the attributes of each predicate; nothing where there are none. */
static bool add_attributes(const nlm_signature *signature, json_t *all)
{
    if (signature->attribute_count == 0)
        return true;
    json_t *list = json_array();
    bool failed = json_object_set_new(all, "attributes", list);
    for (int a = 0; a < signature->attribute_count && !failed; a++)
        if (signature_attribute_at(signature, a)->place == signature_attribute_at(signature, a)->objects)
            failed = json_array_append_new(list, describe_attribute(signature_attribute_at(signature, a)));
    return !failed;
}

nlm_status signature_finish(nlm_signature *signature, nlm_error *error)
{
    json_t *all = json_object();
    bool failed = !all;
    for (int side = 0; side < SIGNATURE_SIDES && !failed; side++) {
        json_t *list = json_array();
        failed = json_object_set_new(all, SIDE[side], list);
        for (int i = 0; i < signature->count[side] && !failed; i++)
            failed = json_array_append_new(list, describe(signature, signature_at(signature, side, i)));
    }
    failed = failed || !add_attributes(signature, all);
    free(signature->text);
    signature->text = failed ? NULL : json_dumps(all, 0);
    json_decref(all);
    return signature->text ? NLM_OK : error_no_memory(error);
}

nlm_status nlm_signature_text(const nlm_signature *signature, const char **text, nlm_error *error)
{
    REQUIRE(signature && text, error);
    *text = signature->text;
    return *text ? NLM_OK : error_no_memory(error);
}

/* ---- reading ---- */

struct parsing {
    const char *model;
    nlm_signature *signature;
    nlm_error *error;
};

static nlm_status refuse(const struct parsing *in, int side, size_t number, const char *cause)
{
    return message_refuse(in->error, in->model, 0, "metadata 'signature': number %zu of its %s %s",
                          number + 1, SIDE[side], cause);
}

static bool read_small(const json_t *value, int most, int *number)
{
    json_int_t read = json_integer_value(value);
    *number = (int)read;
    return json_is_integer(value) && read >= 0 && read <= most;
}

static bool read_places(const json_t *list, nlm_predicate *predicate)
{
    if (!list) {
        predicate->objects =
            pattern_places(pattern_plain(predicate->arity), predicate->arity, predicate->place);
        return true;
    }
    if (json_array_size(list) != (size_t)predicate->arity)
        return false;
    for (int k = 0; k < predicate->arity; k++)
        if (!read_small(json_array_get(list, (size_t)k), k, &predicate->place[k]))
            return false;
    int same[NLM_MAX_FACT_ARITY];
    predicate->objects =
        pattern_places(pattern_code(predicate->place, predicate->arity), predicate->arity, same);
    return pattern_is_valid(predicate->place, predicate->arity);
}

static bool read_types(const json_t *list, nlm_predicate *predicate)
{
    for (int k = 0; k < predicate->arity; k++)
        predicate->type[k] = "";
    if (!list)
        return true;
    if (json_array_size(list) != (size_t)predicate->arity)
        return false;
    for (int k = 0; k < predicate->arity; k++) { /* an object's first place is here or before */
        predicate->type[k] = json_string_value(json_array_get(list, (size_t)k));
        if (!predicate->type[k] || !atom_is_plain(predicate->type[k]) ||
            strcmp(predicate->type[k], signature_object_type(predicate, predicate->place[k])))
            return false;
    }
    return true;
}

static bool read_shares(const json_t *value, nlm_predicate *predicate)
{
    const char *text = json_string_value(value);
    if (!value)
        return true;
    if (!text || strlen(text) != (size_t)predicate->arity)
        return false;
    for (int k = 0; k < predicate->arity; k++) {
        const char *share = strchr(SHARES, text[k]);
        if (!share || share == SHARES)
            return false;
        predicate->share[k] = (nlm_share)(share - SHARES);
    }
    return true;
}

/* Whether a predicate of that name and arity, here or on the other side, has these types. */
static bool types_agree(const nlm_signature *signature, const nlm_predicate *predicate)
{
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++) {
            const nlm_predicate *other = signature_at(signature, side, i);
            if (other->is_type || other->arity != predicate->arity || strcmp(other->name, predicate->name))
                continue;
            for (int k = 0; k < predicate->arity; k++)
                if (strcmp(other->type[k], predicate->type[k]))
                    return false;
            return true;
        }
    return true;
}

static nlm_status parse_type(const struct parsing *in, int side, size_t number, const json_t *value)
{
    const char *name = json_string_value(value);
    if (side != SIGNATURE_INPUTS || !name || !atom_is_plain(name))
        return refuse(in, side, number, "is no type");
    for (int i = 0; i < in->signature->count[SIGNATURE_INPUTS]; i++) {
        const nlm_predicate *other = signature_at(in->signature, SIGNATURE_INPUTS, i);
        if (other->is_type && !strcmp(other->name, name))
            return refuse(in, side, number, "is there twice");
    }
    nlm_predicate predicate = {.name = name, .arity = 1, .objects = 1, .type = {name}, .is_type = true};
    return signature_add(in->signature, side, &predicate, in->error);
}

/* Of a predicate as facts have it, or with constants. */
static bool is_name(const char *text)
{
    constant_parts parts;
    return text && (atom_is_predicate(text, strlen(text)) || constant_parts_read(text, &parts));
}

/* The attribute and the objects of a term, which are numbered in the order in which they come. */
static bool read_term(const struct parsing *in, const json_t *term, nlm_comparison *to, int t, int *objects)
{
    const char *name = json_string_value(json_object_get(term, "attribute"));
    const json_t *list = json_object_get(term, "objects");
    int arity, place;
    if (!name || !read_small(json_object_get(term, "arity"), NLM_MAX_FACT_ARITY, &arity) ||
        !read_small(json_object_get(term, "place"), arity - 1, &place))
        return false;
    const int first = signature_find_attribute(in->signature, name, arity);
    const nlm_attribute *attribute = first < 0 ? NULL : signature_attribute_at(in->signature, first);
    if (!attribute || place < attribute->objects || json_array_size(list) != (size_t)attribute->objects)
        return false;
    to->attribute[t] = first + place - attribute->objects;
    for (int k = 0; k < NLM_MAX_FACT_ARITY; k++)
        to->object[t][k] = -1;
    for (int k = 0; k < attribute->objects; k++) {
        int *object = &to->object[t][k];
        if (!read_small(json_array_get(list, (size_t)k), *objects, object) || *object >= NLM_MAX_FACT_ARITY)
            return false;
        for (int j = 0; j < k; j++)
            if (to->object[t][j] == *object)
                return false;
        *objects += *object == *objects;
    }
    return true;
}

static bool read_comparison(const struct parsing *in, const json_t *object, nlm_comparison *to)
{
    const json_t *terms = json_object_get(object, "compare"), *minus = json_object_get(object, "minus");
    const char *order = json_string_value(json_object_get(object, "order"));
    const char *number = json_string_value(json_object_get(object, "number"));
    int objects = 0, known = 0, changed[NLM_MAX_FACT_ARITY];
    to->terms = (int)json_array_size(terms);
    bool fits = to->terms > 0 && to->terms <= 2 && order;
    for (int t = 0; t < to->terms && fits; t++)
        fits = read_term(in, json_array_get(terms, (size_t)t), to, t, &objects);
    while (fits && known <= NLM_KNOWN && strcmp(order, ORDER[known]) != 0)
        known++;
    if (!fits || known > NLM_KNOWN || (to->terms > 1 && !json_is_boolean(minus)) ||
        (known == NLM_KNOWN ? to->terms > 1 : !number || !number_read(number, &to->number)))
        return false;
    to->order = (nlm_order)known;
    to->minus = json_is_true(minus);
    nlm_comparison normal = *to;
    comparison_normalise(&normal, changed);
    return normal.order == to->order && !memcmp(normal.attribute, to->attribute, sizeof normal.attribute);
}

static nlm_status parse_comparison(const struct parsing *in, int side, size_t number, const json_t *object)
{
    nlm_comparison read = {0};
    if (side != SIGNATURE_INPUTS || !read_comparison(in, object, &read))
        return refuse(in, side, number, "is no comparison of numbers");
    const nlm_status status = comparison_add_input(in->signature, &read, in->error);
    const int last = in->signature->count[SIGNATURE_INPUTS] - 1;
    for (int i = 0; i < last && !status; i++)
        if (!strcmp(signature_at(in->signature, side, i)->name,
                    signature_at(in->signature, side, last)->name))
            return refuse(in, side, number, "is there twice");
    return status;
}

static nlm_status parse_predicate(const struct parsing *in, int side, size_t number, const json_t *object)
{
    if (json_object_get(object, "compare"))
        return parse_comparison(in, side, number, object);
    const json_t *type = json_object_get(object, "type");
    if (type)
        return parse_type(in, side, number, type);
    nlm_predicate predicate = {.name = json_string_value(json_object_get(object, "name"))};
    if (!is_name(predicate.name))
        return refuse(in, side, number, "has no name that a predicate can have");
    if (!read_small(json_object_get(object, "arity"), NLM_MAX_FACT_ARITY, &predicate.arity))
        return refuse(in, side, number, "has no arity, 0 to 4");
    if (!read_places(json_object_get(object, "places"), &predicate))
        return refuse(in, side, number, "has places that are no pattern");
    if (!read_types(json_object_get(object, "types"), &predicate) || !types_agree(in->signature, &predicate))
        return refuse(in, side, number, "has types that do not fit");
    if (!read_shares(json_object_get(object, "worlds"), &predicate))
        return refuse(in, side, number, "has worlds that are no text of w, o and a");
    if (signature_find(in->signature, side, predicate.name, predicate.arity, signature_code(&predicate)) >= 0)
        return refuse(in, side, number, "is there twice");
    return signature_add(in->signature, side, &predicate, in->error);
}

static nlm_status parse_attribute(const struct parsing *in, size_t number, const json_t *object)
{
    nlm_attribute attribute = {.name = json_string_value(json_object_get(object, "name"))};
    nlm_predicate objects = {0};
    if (!attribute.name || !atom_is_predicate(attribute.name, strlen(attribute.name)) ||
        !read_small(json_object_get(object, "arity"), NLM_MAX_FACT_ARITY, &attribute.arity) ||
        !read_small(json_object_get(object, "objects"), attribute.arity - 1, &attribute.objects) ||
        signature_find_attribute(in->signature, attribute.name, attribute.arity) >= 0)
        return message_refuse(in->error, in->model, 0,
                              "metadata 'signature': number %zu of its attributes is none, or is there twice",
                              number + 1);
    objects.arity = objects.objects = attribute.objects;
    for (int k = 0; k < objects.arity; k++)
        objects.place[k] = k;
    if (!read_types(json_object_get(object, "types"), &objects))
        return message_refuse(in->error, in->model, 0,
                              "metadata 'signature': number %zu of its attributes has types that do not fit",
                              number + 1);
    memcpy(attribute.type, objects.type, sizeof attribute.type);
    return signature_add_attributes(in->signature, &attribute, in->error);
}

/* A list that older models do not have. */
static nlm_status parse_attributes(const struct parsing *in, const json_t *list)
{
    nlm_status status = NLM_OK;
    if (list && (!json_is_array(list) || json_array_size(list) > NLM_MAX_WIDTH))
        return message_refuse(in->error, in->model, 0,
                              "metadata 'signature': its attributes are no list, or too long a one");
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = parse_attribute(in, i, json_array_get(list, i));
    return status;
}

/* More than these no machine has. */
static const size_t MOST[SIGNATURE_SIDES] = {(NLM_MAX_BREADTH + 1) * NLM_MAX_WIDTH, NLM_MAX_HEADS};

nlm_status signature_parse(const char *text, const char *name, nlm_signature **signature, nlm_error *error)
{
    *signature = NULL;
    json_error_t cause;
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &cause);
    if (!all && !cause.text[0]) /* that is how Jansson reports that it got no memory */
        return error_no_memory(error);
    if (!all)
        return message_refuse(error, name, 0, "metadata 'signature': %s", cause.text);
    struct parsing in = {name, NULL, error};
    nlm_status status = signature_new(&in.signature, error);
    if (!status)
        status = parse_attributes(&in, json_object_get(all, "attributes"));
    for (int side = 0; side < SIGNATURE_SIDES && !status; side++) {
        const json_t *list = json_object_get(all, SIDE[side]);
        if (!json_is_array(list) || json_array_size(list) > MOST[side])
            status = message_refuse(error, name, 0,
                                    "metadata 'signature' has no list of %s, or too long a one", SIDE[side]);
        for (size_t i = 0; i < json_array_size(list) && !status; i++)
            status = parse_predicate(&in, side, i, json_array_get(list, i));
    }
    if (!status)
        status = signature_finish(in.signature, error);
    json_decref(all);
    if (status)
        nlm_signature_free(in.signature);
    else
        *signature = in.signature;
    return status;
}

/* ---- of models ---- */

static nlm_status check_inputs(const nlm_signature *signature, const nlm_spec *spec, const char *name,
                               nlm_error *error)
{
    int counted[NLM_MAX_BREADTH + 1] = {0}, numbers, perceived = 0;
    if (spec->sense)
        nlm_sense_find(spec->sense, &numbers, &perceived);
    for (int i = 0; i < signature->count[SIGNATURE_INPUTS]; i++)
        counted[signature_at(signature, SIGNATURE_INPUTS, i)->objects]++;
    for (int r = 0; r <= NLM_MAX_BREADTH; r++) {
        int read = r <= spec->breadth ? spec->inputs[r] - (r == 1 ? perceived : 0) : 0;
        if (counted[r] != read)
            return message_refuse(error, name, 0,
                                  "inputs of arity %d: the signature has %d, the machine reads %d", r,
                                  counted[r], read);
    }
    return NLM_OK;
}

static nlm_status check_heads(const nlm_signature *signature, const nlm_machine *machine, const char *name,
                              nlm_error *error)
{
    int targets = signature->count[SIGNATURE_TARGETS];
    if (targets != nlm_machine_heads(machine))
        return message_refuse(error, name, 0, "targets: the signature has %d, the machine has %d heads",
                              targets, nlm_machine_heads(machine));
    for (int t = 0; t < targets; t++) {
        const nlm_head_spec *head = nlm_machine_head(machine, t);
        const nlm_predicate *target = signature_at(signature, SIGNATURE_TARGETS, t);
        if (head->arity != target->objects || head->outputs != 1 || head->twins)
            return message_refuse(
                error, name, 0, "target %s needs a head of arity %d with 1 output, not of arity %d with %d",
                message_cut_text(target->name).text, target->objects, head->arity, head->outputs);
    }
    return NLM_OK;
}

nlm_status nlm_signature_of_model(const nlm_machine *machine, const char *name, nlm_signature **signature,
                                  nlm_error *error)
{
    REQUIRE(signature, error);
    *signature = NULL;
    REQUIRE(machine && name, error);
    nlm_signature *made = NULL;
    const char *text = nlm_machine_metadata(machine, "signature");
    const char *task_name = nlm_machine_metadata(machine, "task");
    const nlm_task *task = task_name ? nlm_task_find(task_name) : NULL;
    nlm_status status;
    if (text)
        status = signature_parse(text, name, &made, error);
    else if (task)
        status = nlm_signature_of_task(task, &made, error);
    else
        status =
            message_refuse(error, name, 0, "the model does not say which predicates it reads and concludes");
    if (!status)
        status = check_inputs(made, nlm_machine_spec(machine), name, error);
    if (!status)
        status = check_heads(made, machine, name, error);
    if (status)
        nlm_signature_free(made);
    else
        *signature = made;
    return status;
}

/* Comparisons: texts, and facts from numbers.
 *
 * Invariants: the objects of a term are different; the objects of all terms are 0, 1, ... in the order in
 * which they first occur; a difference is compared by >= or < where both terms are of one attribute. */
#include "facts/comparison.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/line.h"
#include "facts/tuple_set.h"
#include "syntax/atom.h"
#include "syntax/number.h"
#include "world/tuples.h"
#include "world/world.h"

/* ---- texts ---- */

static const char *const SIGN[] = {
    [NLM_AT_LEAST] = ">=", [NLM_BELOW] = "<", [NLM_ABOVE] = ">", [NLM_AT_MOST] = "=<"};

void comparison_number_text(double number, char *text)
{
    number_text(number, text);
    const size_t length = strlen(text);
    if (length > 2 && !strcmp(text + length - 2, ".0"))
        text[length - 2] = '\0';
}

size_t comparison_test_text(const nlm_comparison *of, const char *const value[2], char *text, size_t size)
{
    char number[NUMBER_SIZE];
    const bool pair = of->terms > 1 && of->minus && of->number == 0; /* V - W < 0 */
    line_space out = line_start(text, size);
    if (of->order != NLM_KNOWN) {
        comparison_number_text(of->number, number);
        line_add_text(&out, value[0]);
        if (of->terms > 1 && !pair) {
            line_add_text(&out, of->minus ? " - " : " + ");
            line_add_text(&out, value[1]);
        }
        line_add_text(&out, " ");
        line_add_text(&out, SIGN[of->order]);
        line_add_text(&out, " ");
        line_add_text(&out, pair ? value[1] : number);
    }
    return line_end(&out);
}

/* size(A,V) */
static void add_term(line_space *out, const nlm_attribute *attribute, const int *object,
                     const comparison_words *words, const char *value)
{
    size_t room;
    char *rest = line_rest(out, &room);
    out->length += atom_predicate_text(attribute->name, rest, room);
    for (int k = 0; k < attribute->arity; k++) {
        line_add_text(out, k ? "," : "(");
        line_add_text(out, k < attribute->objects  ? words->object[object[k]]
                           : k == attribute->place ? value
                                                   : "_");
    }
    line_add_text(out, ")");
}

size_t comparison_text(const nlm_attribute *attributes, const nlm_comparison *of,
                       const comparison_words *words, char *text, size_t size)
{
    line_space out = line_start(text, size);
    bool any = false;
    for (int t = 0; t < of->terms; t++) {
        if (words->told[t])
            continue;
        line_add_text(&out, any ? ", " : "");
        add_term(&out, &attributes[of->attribute[t]], of->object[t], words,
                 of->order == NLM_KNOWN ? "_" : words->value[t]);
        any = true;
    }
    if (of->order != NLM_KNOWN) {
        size_t room;
        line_add_text(&out, any ? ", " : "");
        char *rest = line_rest(&out, &room);
        out.length += comparison_test_text(of, words->value, rest, room);
    }
    return line_end(&out);
}

size_t comparison_about(const nlm_signature *signature, const nlm_predicate *input,
                        const char *const *objects, char *text, size_t size)
{
    comparison_words words = {.value = {"V", "W"}};
    for (int k = 0; k < input->objects; k++)
        words.object[k] = objects[k];
    return comparison_text(signature->attributes.data, &input->comparison, &words, text, size);
}

/* ---- form ---- */

int comparison_objects(const nlm_attribute *attributes, const nlm_comparison *of)
{
    int objects = 0;
    for (int t = 0; t < of->terms; t++)
        for (int k = 0; k < attributes[of->attribute[t]].objects; k++)
            objects = of->object[t][k] >= objects ? of->object[t][k] + 1 : objects;
    return objects;
}

static void swap_terms(nlm_comparison *of)
{
    nlm_comparison swapped = *of;
    for (int t = 0; t < 2; t++) {
        swapped.attribute[t] = of->attribute[1 - t];
        memcpy(swapped.object[t], of->object[1 - t], sizeof swapped.object[t]);
    }
    *of = swapped;
}

void comparison_normalise(nlm_comparison *of, int order[NLM_MAX_FACT_ARITY])
{
    static const nlm_order mirrored[] = {[NLM_AT_LEAST] = NLM_AT_MOST,
                                         [NLM_BELOW] = NLM_ABOVE,
                                         [NLM_ABOVE] = NLM_BELOW,
                                         [NLM_AT_MOST] = NLM_AT_LEAST,
                                         [NLM_KNOWN] = NLM_KNOWN};
    const bool alike = of->attribute[0] == of->attribute[1];
    if (of->terms == 2 && of->minus &&
        (alike ? of->order == NLM_ABOVE || of->order == NLM_AT_MOST : of->attribute[0] > of->attribute[1])) {
        swap_terms(of);
        of->order = mirrored[of->order];
        of->number = of->number == 0 ? 0 : -of->number;
    } else if (of->terms == 2 && !of->minus && of->attribute[0] > of->attribute[1]) {
        swap_terms(of);
    }
    int count = 0;
    for (int t = 0; t < of->terms; t++)
        for (int k = 0; k < NLM_MAX_FACT_ARITY; k++) {
            int *object = &of->object[t][k], known = 0;
            if (*object < 0) /* a place that the attribute does not have */
                continue;
            while (known < count && order[known] != *object)
                known++;
            if (known == count)
                order[count++] = *object;
            *object = known;
        }
}

bool comparison_holds(const nlm_comparison *of, double value)
{
    switch (of->order) {
    case NLM_AT_LEAST:
        return value >= of->number;
    case NLM_BELOW:
        return value < of->number;
    case NLM_ABOVE:
        return value > of->number;
    case NLM_AT_MOST:
        return value <= of->number;
    case NLM_KNOWN:
        break;
    }
    return true;
}

/* ---- inputs ---- */

char *comparison_name(const nlm_attribute *attributes, const nlm_comparison *of)
{
    static const comparison_words words = {{"A", "B", "C", "D"}, {"V", "W"}, {false, false}};
    const size_t size = comparison_text(attributes, of, &words, NULL, 0) + 1;
    char *name = memory_new(size, 1);
    if (name)
        comparison_text(attributes, of, &words, name, size);
    return name;
}

nlm_status comparison_add_input(nlm_signature *signature, const nlm_comparison *of, nlm_error *error)
{
    const nlm_attribute *attributes = signature->attributes.data;
    char *name = comparison_name(attributes, of);
    if (!name)
        return error_no_memory(error);
    nlm_predicate made = {.name = name, .comparison = *of};
    made.arity = made.objects = comparison_objects(attributes, of);
    for (int k = 0; k < made.arity; k++)
        made.place[k] = k;
    for (int t = 0; t < of->terms; t++)
        for (int k = 0; k < attributes[of->attribute[t]].objects; k++)
            made.type[of->object[t][k]] = attributes[of->attribute[t]].type[k];
    const nlm_status status = signature_add(signature, SIGNATURE_INPUTS, &made, error);
    memory_free(name);
    return status;
}

/* ---- values ---- */

struct going {
    const nlm_comparison *of;
    const nlm_attribute *attribute[2];
    int objects;
    const nlm_world *world;
    comparison_listener listener;
    void *context;
    nlm_error *error;
};

/* The places of a term in the tuple; false if they hold another object already, or one that is elsewhere. */
static bool place_term(const struct going *in, int term, const int *objects, int *tuple)
{
    for (int k = 0; k < in->attribute[term]->objects; k++) {
        const int at = in->of->object[term][k];
        if (tuple[at] >= 0 && tuple[at] != objects[k])
            return false;
        for (int other = 0; other < in->objects && tuple[at] < 0; other++)
            if (tuple[other] == objects[k])
                return false;
        tuple[at] = objects[k];
    }
    return true;
}

static nlm_status tell_pair(const struct going *in, const int *objects[2], const double value[2])
{
    int tuple[NLM_MAX_FACT_ARITY] = {-1, -1, -1, -1};
    for (int t = 0; t < in->of->terms; t++)
        if (!place_term(in, t, objects[t], tuple))
            return NLM_OK;
    const double sum = in->of->terms < 2 ? value[0]
                       : in->of->minus   ? value[0] - value[1]
                                         : value[0] + value[1];
    return in->listener(in->context, tuple, sum, in->error);
}

/* Two terms about the same objects in the same order. */
static bool same_objects(const struct going *in)
{
    bool same = in->attribute[0]->objects == in->attribute[1]->objects;
    for (int k = 0; k < in->attribute[0]->objects && same; k++)
        same = in->of->object[0][k] == in->of->object[1][k];
    return same;
}

static nlm_status tell_joined(const struct going *in, size_t count, const int *tuples, const double *numbers)
{
    const int arity = in->attribute[0]->objects;
    const int *others, *objects[2];
    const double *values;
    const size_t other_count = nlm_world_numbers(in->world, in->of->attribute[1], &others, &values);
    tuple_set places = {0};
    nlm_status status = NLM_OK;
    tuple_set_clear(&places, arity);
    for (size_t i = 0; i < other_count && !status; i++)
        if (tuple_set_add(&places, tuple_listed(others, i, arity), 1))
            status = error_no_memory(in->error);
    for (size_t i = 0; i < count && !status; i++) {
        objects[0] = objects[1] = tuple_listed(tuples, i, arity);
        if (tuple_set_marks(&places, objects[0]))
            status =
                tell_pair(in, objects, (double[]){numbers[i], values[tuple_set_number(&places, objects[0])]});
    }
    tuple_set_free(&places);
    return status;
}

nlm_status comparison_values(const nlm_signature *signature, const nlm_comparison *of, const nlm_world *world,
                             comparison_listener listener, void *context, nlm_error *error)
{
    struct going in = {.of = of, .world = world, .listener = listener, .context = context, .error = error};
    const int *tuples[2] = {0}, *objects[2];
    const double *numbers[2] = {0};
    size_t count[2] = {0, 1};
    nlm_status status = NLM_OK;
    in.objects = comparison_objects(signature->attributes.data, of);
    for (int t = 0; t < of->terms; t++) {
        in.attribute[t] = signature_attribute_at(signature, of->attribute[t]);
        count[t] = nlm_world_numbers(world, of->attribute[t], &tuples[t], &numbers[t]);
    }
    if (of->terms == 2 && same_objects(&in))
        return tell_joined(&in, count[0], tuples[0], numbers[0]);
    for (size_t i = 0; i < count[0] && !status; i++)
        for (size_t j = 0; j < count[1] && !status; j++) {
            objects[0] = tuple_listed(tuples[0], i, in.attribute[0]->objects);
            objects[1] = of->terms > 1 ? tuple_listed(tuples[1], j, in.attribute[1]->objects) : NULL;
            status = tell_pair(&in, objects, (double[]){numbers[0][i], of->terms > 1 ? numbers[1][j] : 0});
        }
    return status;
}

struct adding {
    const nlm_comparison *of;
    nlm_world *world;
    int input;
};

static nlm_status add_fact(void *context, const int *tuple, double value, nlm_error *error)
{
    const struct adding *in = context;
    return comparison_holds(in->of, value) ? nlm_world_add_fact(in->world, in->input, tuple, 1, error)
                                           : NLM_OK;
}

nlm_status comparison_add_facts(const nlm_signature *signature, int input, nlm_world *world, nlm_error *error)
{
    const nlm_comparison *of = &signature_at(signature, SIGNATURE_INPUTS, input)->comparison;
    return comparison_values(signature, of, world, add_fact, &(struct adding){of, world, input}, error);
}

/* Choosing comparisons, target by target, in rounds.
 *
 * A round finds the comparison that tells the true from the false examples best, perhaps of objects of which
 * something else is true (threshold_search.h).  Examples that it puts on the wrong side weigh more in the
 * next round, and what has been found may be a condition there, so that a pair of comparisons of one object
 * is found one after the other.  When one round alone explains all labels, what it does not use is dropped.
 */
#include "facts/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "facts/comparison.h"
#include "facts/threshold_search.h"
#include "world/world.h"

enum {
    ROUNDS = 6,      /* of a target */
    MOST_CHOSEN = 64 /* comparisons of all targets */
};

#define LEAST_SCORE 0.05

typedef struct chosen {
    nlm_comparison of;
    bool dropped;
} chosen;

typedef struct choosing {
    nlm_problem *problem;
    threshold_view view;
    chosen list[MOST_CHOSEN];
    int count;
    bool *hits;
    nlm_error *error;
} choosing;

/* ---- a round ---- */

/* The number of the comparison, which is new or was chosen before; -1 if there is no room. */
static nlm_status take(choosing *in, const nlm_comparison *of, int *number)
{
    for (*number = 0; *number < in->count; ++*number) {
        chosen *known = &in->list[*number];
        if (known->of.terms == of->terms && known->of.minus == of->minus && known->of.order == of->order &&
            known->of.number == of->number &&
            !memcmp(known->of.attribute, of->attribute, sizeof of->attribute) &&
            !memcmp(known->of.object, of->object, sizeof of->object)) {
            known->dropped = false;
            return NLM_OK;
        }
    }
    if (in->count == MOST_CHOSEN) {
        *number = -1;
        return NLM_OK;
    }
    in->list[in->count++] = (chosen){.of = *of};
    return threshold_view_add(&in->view, of, *number);
}

static nlm_status take_ends(choosing *in, const threshold_found *found, bool used[MOST_CHOSEN])
{
    nlm_status status = NLM_OK;
    for (int k = 0; k < 2 && !status; k++) {
        int number;
        nlm_comparison of = measure_at(&in->view, found->measure)->form;
        if (!found->has_end[k])
            continue;
        of.order = k ? NLM_BELOW : NLM_AT_LEAST;
        of.number = found->end[k];
        status = take(in, &of, &number);
        if (number >= 0)
            used[number] = true;
    }
    return status;
}

/* The comparisons that its conditions mention. */
static void use_predicate(const choosing *in, int predicate, bool used[MOST_CHOSEN])
{
    if (predicate >= 0 && view_predicate_at(&in->view, predicate)->chosen >= 0)
        used[view_predicate_at(&in->view, predicate)->chosen] = true;
}

static void use_conditions(const choosing *in, const threshold_found *found, bool used[MOST_CHOSEN])
{
    const int objects = measure_at(&in->view, found->measure)->objects;
    for (int c = 0; c < FOUND_CONDITIONS; c++) {
        if (found->condition[c] < 0)
            continue;
        const condition *what = condition_at(&in->view, objects, found->condition[c]);
        if (what->kind == CONDITION_PAIR) {
            use_predicate(in, what->property, used);
            continue;
        }
        use_predicate(in, property_at(&in->view, what->property)->predicate, used);
        use_predicate(in, property_at(&in->view, what->property)->inner, used);
    }
}

/* True and false examples weigh the same together, and those on the wrong side as much as the others. */
static bool weigh_again(choosing *in, double gain)
{
    double wrong = 0, all = 0;
    for (int e = 0; e < in->view.example_count; e++) {
        example *one = example_at(&in->view, e);
        all += one->weight;
        if (in->hits[e] != (one->positive == (gain > 0)))
            wrong += one->weight;
    }
    for (int e = 0; e < in->view.example_count && wrong > 0; e++) {
        example *one = example_at(&in->view, e);
        if (in->hits[e] != (one->positive == (gain > 0)))
            one->weight *= (all - wrong) / wrong;
    }
    return wrong > 0;
}

static void weigh_alike(threshold_view *view)
{
    double count[2] = {0};
    for (int e = 0; e < view->example_count; e++)
        count[example_at(view, e)->positive]++;
    for (int e = 0; e < view->example_count; e++)
        example_at(view, e)->weight = 1 / count[example_at(view, e)->positive];
}

/* ---- a target ---- */

/* Comparisons of this target, from number `first` on, that are not used. */
static void drop_unused(choosing *in, int first, const bool used[MOST_CHOSEN])
{
    for (int n = first; n < in->count; n++)
        in->list[n].dropped = !used[n];
}

static nlm_status choose_for(choosing *in, int target, bool *explained)
{
    const int first = in->count;
    *explained = false;
    nlm_status status = threshold_view_target(&in->view, target);
    if (status || in->view.example_count == 0)
        return status;
    in->hits = memory_new((size_t)in->view.example_count, sizeof *in->hits);
    if (!in->hits)
        return error_no_memory(in->error);
    weigh_alike(&in->view);
    for (int round = 0; round < ROUNDS && !*explained && !status; round++) {
        threshold_found found;
        bool used[MOST_CHOSEN] = {false};
        status = threshold_view_conditions(&in->view);
        if (!status)
            status = threshold_search(&in->view, &found);
        if (status || found.score < LEAST_SCORE)
            break;
        use_conditions(in, &found, used);
        status = threshold_hits(&in->view, &found, in->hits);
        if (!status)
            status = take_ends(in, &found, used);
        *explained = !status && !weigh_again(in, found.gain);
        if (*explained)
            drop_unused(in, first, used);
    }
    memory_free(in->hits);
    return status;
}

/* ---- all of it ---- */

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Where no rule of one comparison was found: quartiles of attributes that nothing else compares. */
static nlm_status take_quartiles(choosing *in)
{
    enum { PARTS = 4 };
    nlm_status status = NLM_OK;
    for (int m = 0; m < in->view.measure_count && !status; m++) {
        measure *of = measure_at(&in->view, m);
        bool compared = of->form.terms > 1 || of->count == 0;
        for (int n = 0; n < in->count; n++)
            compared |= in->list[n].of.terms == 1 && in->list[n].of.attribute[0] == of->form.attribute[0];
        if (compared)
            continue;
        double *values = of->values.data;
        qsort(values, of->count, sizeof *values, by_number);
        for (size_t q = 1; q < PARTS; q++) {
            size_t at = of->count * q / PARTS;
            while (at > 0 && at < of->count && values[at - 1] == values[at])
                at++;
            if (at == 0 || at == of->count)
                continue;
            for (int below = 0; below < 2 && !status; below++) {
                int number;
                nlm_comparison made = of->form;
                made.order = below ? NLM_BELOW : NLM_AT_LEAST;
                made.number = threshold_between(values[at - 1], values[at], of->whole);
                status = take(in, &made, &number);
            }
        }
    }
    return status;
}

static nlm_status add_to_problem(const choosing *in)
{
    nlm_signature *signature = in->problem->signature;
    nlm_status status = NLM_OK;
    for (int n = 0; n < in->count && !status; n++) {
        if (in->list[n].dropped)
            continue;
        const int input = signature->count[SIGNATURE_INPUTS];
        status = comparison_add_input(signature, &in->list[n].of, in->error);
        for (int w = 0; w < in->problem->world_count && !status; w++) {
            nlm_world *world = ((nlm_world **)in->problem->worlds.data)[w];
            const nlm_predicate *made = signature_at(signature, SIGNATURE_INPUTS, input);
            status = nlm_world_add_predicate(world, made->name, made->objects, NULL, in->error);
            if (!status)
                status = comparison_add_facts(signature, input, world, in->error);
        }
    }
    return status ? status : signature_finish(signature, in->error);
}

static nlm_status choose(nlm_problem *problem, const nlm_world *const *labels, nlm_error *error)
{
    choosing in = {.problem = problem, .error = error};
    bool explained = true;
    if (nlm_signature_attributes(problem->signature) == 0 || !problem->labelled)
        return NLM_OK;
    nlm_status status = threshold_view_open(&in.view, problem, labels, error);
    for (int t = 0; t < nlm_signature_targets(problem->signature) && !status; t++) {
        bool one;
        status = choose_for(&in, t, &one);
        explained &= one;
    }
    if (!status && !explained)
        status = take_quartiles(&in);
    if (!status)
        status = add_to_problem(&in);
    threshold_view_free(&in.view);
    return status;
}

nlm_status thresholds_choose(nlm_problem *problem, nlm_error *error)
{
    return choose(problem, NULL, error);
}

/* A copy without comparisons, which are the last inputs. */
static nlm_status copy_plain(const nlm_problem *from, nlm_problem *to, nlm_error *error)
{
    int comparisons = 0;
    nlm_status status = signature_copy(from->signature, &to->signature, error);
    if (status)
        return status;
    int *inputs = &to->signature->count[SIGNATURE_INPUTS];
    for (; *inputs > 0 && signature_at(to->signature, SIGNATURE_INPUTS, *inputs - 1)->comparison.terms > 0;
         --*inputs)
        comparisons++;
    for (int w = 0; w < from->world_count && !status; w++) {
        nlm_world *world = NULL;
        status = problem_add_world(to, nlm_problem_world_name(from, w), &world, error);
        if (!status)
            status = world_copy(world, nlm_problem_world(from, w), true, error);
        for (int c = 0; c < comparisons && !status; c++)
            world_drop_predicate(world);
    }
    to->labelled = from->labelled;
    to->closed = from->closed;
    to->split = from->split;
    return status;
}

nlm_status thresholds_choose_again(const nlm_problem *problem, const nlm_world *const *labels,
                                   nlm_problem **made, nlm_error *error)
{
    nlm_status status = problem_new(made, error);
    if (status)
        return status;
    status = copy_plain(problem, *made, error);
    if (!status)
        status = choose(*made, labels, error);
    if (status) {
        nlm_problem_free(*made);
        *made = NULL;
    }
    return status;
}

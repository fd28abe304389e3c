/* The needs of one large world, from some of its neighbourhoods.
 *
 * Where the labels are inseparable in neighbourhoods of 40 objects they may depend on facts farther away, so
 * larger ones are tried.  The larger, the fewer: about MOST_TRIPLES triples of objects are looked at. */
#include "learn/needs.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "learn/neighbourhoods.h"

enum { RADIUS = 4, MOST_WORLDS = 200 };
#define MOST_TRIPLES 1e7

/* Tuples of a neighbourhood in the objects of the large world. */
static void name_tuple(const nlm_world *whole, const nlm_world *drawn, int arity, nlm_labelled_tuple *of)
{
    of->world = 0;
    for (int k = 0; k < arity; k++)
        of->tuple[k] = nlm_world_find_object(whole, nlm_world_object_name(drawn, of->tuple[k]));
}

static void name_examples(const nlm_problem *problem, nlm_world *const *worlds, nlm_needs *needs)
{
    for (int b = 1; b <= NLM_MAX_BREADTH; b++) {
        nlm_need *need = &needs->breadth[b];
        const int arity = nlm_signature_target(nlm_problem_signature(problem), need->target)->objects;
        if (need->mixed == 0)
            continue;
        const int yes = need->yes.world, no = need->no.world;
        name_tuple(nlm_problem_world(problem, 0), worlds[yes], arity, &need->yes);
        name_tuple(nlm_problem_world(problem, 0), worlds[no], arity, &need->no);
    }
}

/* Of neighbourhoods of up to so many objects. */
static nlm_status try_size(const nlm_problem *problem, int most, int most_breadth, size_t most_bytes,
                           const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    const struct neighbourhood_settings settings = {.most = most, .radius = RADIUS};
    struct neighbourhoods *near;
    nlm_world *worlds[MOST_WORLDS] = {NULL};
    int count = 0;
    nlm_status status = neighbourhoods_new(nlm_problem_world(problem, 0), &settings, &near, error);
    if (status)
        return status;
    const int all = neighbourhoods_count(near, SIDE_LEARNED);
    double triples = 0;
    for (; count < all && count < MOST_WORLDS && triples < MOST_TRIPLES && !status; count++) {
        status = nlm_world_new(&worlds[count], error);
        if (!status)
            status = neighbourhoods_draw(near, SIDE_LEARNED, count, worlds[count], error);
        const double objects = status ? 0 : nlm_world_objects(worlds[count]);
        triples += objects * objects * objects;
    }
    if (!status && count == 0)
        status = error_set(error, NLM_BAD_ARGUMENT, "there is no label to learn from");
    if (!status)
        status = needs_of_worlds((const nlm_world *const *)worlds, count, most_breadth, most_bytes, options,
                                 needs, error);
    if (!status)
        name_examples(problem, worlds, needs);
    needs->neighbourhood = most;
    for (int w = 0; w < count; w++)
        nlm_world_free(worlds[w]);
    neighbourhoods_free(near);
    return status;
}

nlm_status needs_of_large_world(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                                const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    nlm_status status = NLM_OK;
    nlm_needs first;
    for (int most = USUAL_NEIGHBOURHOOD; most <= MOST_NEIGHBOURHOOD; most *= 2) {
        status = try_size(problem, most, most_breadth, most_bytes, options, needs, error);
        if (most == USUAL_NEIGHBOURHOOD)
            first = *needs;
        if (status || needs->best_breadth > 0)
            return status;
    }
    *needs = first; /* larger ones do not help */
    return NLM_OK;
}

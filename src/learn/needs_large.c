/* The needs of one large world, from some of its neighbourhoods.
 *
 * The radius is the smallest that may be enough: objects of true labels are connected by facts within it, as
 * far as they are within MOST_RADIUS, and the labels are separated.  The larger neighbourhoods are, the fewer
 * are looked at: about MOST_TRIPLES triples of objects. */
#include "learn/needs.h"

#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "learn/neighbourhoods.h"

enum { MOST_RADIUS = 4, MOST_WORLDS = 400, USUAL_BREADTH = 3 };
#define MOST_TRIPLES 1e7
#define CONNECTED 0.9 /* of the true labels that larger balls connect */

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

static bool count_label(void *context, int side, const int *tuple, bool is_true)
{
    nlm_needs *needs = context;
    (void)side, (void)tuple;
    *(is_true ? &needs->true_labels : &needs->false_labels) += 1;
    return true;
}

/* By the first neighbourhoods; of SIDE_ALONE, by balls with a label each. */
static nlm_status look_at(const nlm_problem *problem, struct neighbourhoods *near, int side, int most_breadth,
                          size_t most_bytes, const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    nlm_world *worlds[MOST_WORLDS] = {NULL};
    const int all = neighbourhoods_count(near, SIDE_LEARNED);
    double triples = 0;
    int count = 0;
    nlm_status status = NLM_OK;
    for (; count < all && count < MOST_WORLDS && triples < MOST_TRIPLES && !status; count++) {
        status = nlm_world_new(&worlds[count], error);
        if (!status)
            status = neighbourhoods_draw(near, side, count, worlds[count], error);
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
    for (int w = 0; w < count; w++)
        nlm_world_free(worlds[w]);
    return status;
}

/* Whether the labels are separated: by what is in the balls, and then in the neighbourhoods, where tuples may
 * differ in what is beside their balls, by coincidence. */
static nlm_status look_at_both(const nlm_problem *problem, struct neighbourhoods *near, int most_breadth,
                               size_t most_bytes, const nlm_options *options, nlm_needs *needs,
                               nlm_error *error)
{
    nlm_status status = look_at(problem, near, SIDE_ALONE, most_breadth, most_bytes, options, needs, error);
    if (!status && needs->best_breadth > 0)
        status = look_at(problem, near, SIDE_LEARNED, most_breadth, most_bytes, options, needs, error);
    needs->true_labels = needs->false_labels = 0; /* those of the whole world */
    for (int t = 0; t < nlm_world_targets(nlm_problem_world(problem, 0)) && !status; t++)
        neighbourhoods_labels(near, t, count_label, needs);
    needs->neighbourhood = neighbourhoods_most(near);
    needs->radius = neighbourhoods_radius(near);
    return status;
}

static nlm_status new_of_radius(const nlm_problem *problem, int radius, struct neighbourhoods **near,
                                nlm_error *error)
{
    const struct neighbourhood_settings settings = {.radius = radius};
    return neighbourhoods_new(nlm_problem_world(problem, 0), &settings, near, error);
}

/* At breadths up to the one given. */
static nlm_status try_radii(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                            const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    nlm_needs first = {0};
    struct neighbourhoods *near;
    nlm_status status = new_of_radius(problem, MOST_RADIUS, &near, error);
    if (status)
        return status;
    const double connected = neighbourhoods_connected(near);
    neighbourhoods_free(near);
    for (int radius = 1; radius <= MOST_RADIUS; radius++) {
        if ((status = new_of_radius(problem, radius, &near, error)) != NLM_OK)
            return status;
        const bool enough = neighbourhoods_connected(near) >= CONNECTED * connected;
        if (enough)
            status = look_at_both(problem, near, most_breadth, most_bytes, options, needs, error);
        neighbourhoods_free(near);
        if (status || (enough && needs->best_breadth > 0))
            return status;
        if (enough && first.neighbourhood == 0)
            first = *needs;
    }
    *needs = first; /* larger ones do not help */
    return NLM_OK;
}

/* Quadruples take long, and are looked at only where triples do not do. */
nlm_status needs_of_large_world(const nlm_problem *problem, int most_breadth, size_t most_bytes,
                                const nlm_options *options, nlm_needs *needs, nlm_error *error)
{
    const int first = most_breadth < USUAL_BREADTH ? most_breadth : USUAL_BREADTH;
    nlm_status status = try_radii(problem, first, most_bytes, options, needs, error);
    if (!status && needs->best_breadth == 0 && first < most_breadth)
        status = try_radii(problem, most_breadth, most_bytes, options, needs, error);
    return status;
}

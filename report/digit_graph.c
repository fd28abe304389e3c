/* What a machine concludes about the nodes of a graph that show digits, and where these are drawn.
 *
 * They stand in a ring: then no edge passes behind a node or the words outside the ring.  Nodes change places
 * as long as that makes the edges shorter in all. */
#include "report/digit_graph.h"

#include <math.h>
#include <string.h>
#include "report/storage.h"
#include "nlm/gallery.h"

#define PI 3.14159265358979323846

enum { NODES_MOST = 24, ROUNDS_MOST = 50 };

int digit_graph_edges(const digit_graph *of)
{
    for (int k = 0; k < nlm_world_predicates(of->world); k++)
        if (nlm_world_predicate_arity(of->world, k) == 2)
            return k;
    return -1;
}

bool digit_graph_is_wrong(const digit_graph *of, int node)
{
    if (of->truth[node] == NLM_UNLABELLED)
        return false;
    return (of->probability[node] > 0.5f) != (of->truth[node] == NLM_TRUE);
}

/* ---- conclusions ---- */

static bool fits(const nlm_machine *machine, const nlm_world *world)
{
    int numbers = 0;
    int predicates;
    if (!nlm_sense_find(nlm_machine_spec(machine)->sense, &numbers, &predicates) ||
        nlm_machine_heads(machine) < 1 || nlm_world_targets(world) < 1)
        return false;
    const nlm_head_spec *head = nlm_machine_head(machine, 0);
    return head->arity == 1 && head->outputs == 1 && nlm_world_target_arity(world, 0) == 1 &&
           nlm_world_objects(world) >= 1 && nlm_world_objects(world) <= NODES_MOST &&
           nlm_world_percept(world, 0, &numbers) && numbers == NLM_IMAGE_PIXELS;
}

static nlm_status reserve(digit_graph *of, nlm_error *error)
{
    const size_t nodes = (size_t)of->nodes;
    of->probability = storage_new(nodes, sizeof *of->probability);
    of->truth = storage_new(nodes, sizeof *of->truth);
    of->sensed = storage_new(nodes * (size_t)of->predicates, sizeof *of->sensed);
    of->place = storage_new(nodes, sizeof *of->place);
    return of->probability && of->truth && of->sensed && of->place ? NLM_OK : report_no_memory(error);
}

static void fill_truth(digit_graph *of)
{
    const int *tuples;
    const signed char *labels;
    nlm_label by_default;
    const size_t set = nlm_world_labels(of->world, 0, &tuples, &labels, &by_default);
    memset(of->truth, by_default, (size_t)of->nodes);
    for (size_t i = 0; i < set; i++)
        of->truth[tuples[i]] = labels[i];
}

static nlm_status conclude(digit_graph *of, const nlm_pass *pass, nlm_error *error)
{
    nlm_status status = nlm_pass_logits(pass, 0, 0, of->probability, error);
    if (!status)
        status = nlm_pass_values(pass, 0, 0, 1, of->sensed, error);
    if (status)
        return status;
    fill_truth(of);
    for (int node = 0; node < of->nodes; node++) {
        of->probability[node] = (float)(1 / (1 + exp(-(double)of->probability[node])));
        of->wrong += digit_graph_is_wrong(of, node);
    }
    return NLM_OK;
}

/* ---- places ---- */

static double length_of_edges(const digit_graph *of)
{
    const int *edges;
    const size_t count = nlm_world_facts(of->world, digit_graph_edges(of), &edges, NULL);
    double sum = 0;
    for (size_t e = 0; e < count; e++)
        sum += fabs(sin(PI * (of->place[edges[2 * e]] - of->place[edges[2 * e + 1]]) / of->nodes));
    return sum;
}

static void exchange(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

static void find_places(digit_graph *of)
{
    for (int node = 0; node < of->nodes; node++)
        of->place[node] = node;
    double shortest = length_of_edges(of);
    bool better = true;
    for (int round = 0; round < ROUNDS_MOST && better; round++) {
        better = false;
        for (int a = 0; a < of->nodes; a++)
            for (int b = 0; b < a; b++) {
                exchange(&of->place[a], &of->place[b]);
                const double length = length_of_edges(of);
                if (length < shortest - 1e-9) {
                    shortest = length;
                    better = true;
                } else {
                    exchange(&of->place[a], &of->place[b]);
                }
            }
    }
}

nlm_status digit_graph_find(digit_graph *found, nlm_machine *machine, const nlm_world *world,
                            nlm_error *error)
{
    nlm_evaluator *asked = NULL;
    *found = (digit_graph){.world = world, .nodes = nlm_world_objects(world)};
    if (!fits(machine, world) || digit_graph_edges(found) < 0)
        return report_fail(error, NLM_BAD_SHAPE, "the machine does not conclude what the world asks");
    found->predicates = nlm_unit_width(machine, 0, 1);
    nlm_status status = reserve(found, error);
    if (!status)
        status = asking_new(machine, false, &asked, error);
    if (!status)
        status = asking_add(asked, machine, world, error);
    if (!status)
        status = nlm_evaluator_run(asked, false, error);
    if (!status)
        status = conclude(found, nlm_evaluator_pass(asked), error);
    nlm_evaluator_free(asked);
    if (!status)
        find_places(found);
    return status;
}

void digit_graph_release(digit_graph *of)
{
    free(of->probability);
    free(of->truth);
    free(of->sensed);
    free(of->place);
    *of = (digit_graph){0};
}

/* Two tuples that no machine can tell apart: which facts hold for both, and how many facts each object is in.
 */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "nlm/needs.h"

enum { ATOM_SIZE = 200 };

/* Whether a fact of input p is there. */
static bool holds(const nlm_world *world, int p, int arity, const int *tuple)
{
    const int *tuples;
    const float *values;
    const size_t facts = nlm_world_facts(world, p, &tuples, &values);
    for (size_t f = facts; f-- > 0;) { /* the last counts */
        if (arity == 0 || memcmp(tuples + f * (size_t)arity, tuple, (size_t)arity * sizeof *tuple) == 0)
            return values[f] > 0.5F;
    }
    return false;
}

/* Places of a tuple of `objects` as number `index` of all choices; false if one comes twice. */
static bool choose_places(int objects, int arity, int index, int *places)
{
    for (int k = 0; k < arity; k++) {
        places[k] = index % objects;
        index /= objects;
        for (int before = 0; before < k; before++) {
            if (places[before] == places[k])
                return false;
        }
    }
    return true;
}

static bool holds_for(const nlm_problem *problem, int p, const nlm_labelled_tuple *of, const int *places)
{
    const int arity = nlm_signature_input(nlm_problem_signature(problem), p)->objects;
    int tuple[NLM_MAX_BREADTH];
    for (int k = 0; k < arity; k++)
        tuple[k] = of->tuple[places[k]];
    return holds(nlm_problem_world(problem, of->world), p, arity, tuple);
}

/* "parent(B, A)"; returns the text. */
static const char *atom_text(const nlm_predicate *input, const int *places, char text[ATOM_SIZE])
{
    enum { ARGUMENTS = 4 * NLM_MAX_FACT_ARITY };
    nlm_predicate plain = *input;
    plain.objects = plain.arity;
    nlm_predicate_text(&plain, text, ATOM_SIZE - ARGUMENTS);
    const char *slash = input->is_type ? NULL : strrchr(text, '/');
    size_t used = slash != NULL ? (size_t)(slash - text) : strlen(text); /* no arity, or it was cut off */
    for (int k = 0; k < input->arity; k++)
        used += (size_t)snprintf(text + used, ATOM_SIZE - used, "%s%c", k == 0 ? "(" : ", ",
                                 'A' + places[input->place[k]]);
    snprintf(text + used, ATOM_SIZE - used, input->arity > 0 ? ")" : "");
    return text;
}

nlm_status nlm_need_common_facts(const nlm_problem *problem, const nlm_need *need, nlm_text_listener listener,
                                 void *context, nlm_error *error)
{
    REQUIRE(problem && need && listener, error);
    const nlm_signature *signature = nlm_problem_signature(problem);
    const int objects = nlm_signature_target(signature, need->target)->objects;
    nlm_status status = NLM_OK;
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const nlm_predicate *input = nlm_signature_input(signature, p);
        int choices = 1, places[NLM_MAX_BREADTH];
        for (int k = 0; k < input->objects; k++)
            choices *= objects;
        for (int c = 0; c < choices && !status; c++) {
            char text[ATOM_SIZE];
            if (choose_places(objects, input->objects, c, places) &&
                holds_for(problem, p, &need->yes, places) && holds_for(problem, p, &need->no, places))
                status = listener(context, atom_text(input, places, text), error);
        }
    }
    return status;
}

size_t nlm_problem_facts_about(const nlm_problem *problem, int world, int object)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    size_t count = 0;
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const int *tuples;
        const size_t facts = nlm_world_facts(nlm_problem_world(problem, world), p, &tuples, NULL);
        const int arity = nlm_signature_input(signature, p)->objects;
        for (size_t f = 0; f < facts && !nlm_signature_input(signature, p)->is_type; f++) {
            bool about = false;
            for (int k = 0; k < arity; k++)
                about |= tuples[f * (size_t)arity + (size_t)k] == object;
            count += about;
        }
    }
    return count;
}

/* Trace: choosing a move with regard to those that were made before. */
#include "learn/trace.h"

#include "task/game.h"

void trace_release(struct trace *trace)
{
    buffer_free(&trace->steps);
    trace_forget(trace);
}

void trace_forget(struct trace *trace)
{
    trace->count = 0;
    trace->returned = false;
}

static bool was_made(const struct trace *trace, uint64_t key, size_t cell)
{
    const struct trace_step *steps = trace->steps.data;
    for (int s = 0; s < trace->count; s++)
        if (steps[s].key == key && steps[s].cell == cell)
            return true;
    return false;
}

static bool was_seen(const struct trace *trace, uint64_t key)
{
    const struct trace_step *steps = trace->steps.data;
    for (int s = 0; s < trace->count; s++)
        if (steps[s].key == key)
            return true;
    return false;
}

static float penalised(const struct trace *trace, float probability, size_t cell)
{
    const struct trace_step *steps = trace->steps.data;
    for (int s = 0; s < trace->count && trace->penalty < 1; s++)
        if (steps[s].cell == cell)
            probability *= trace->penalty;
    return probability;
}

/* Only what is more probable than the best so far is looked up. */
static size_t best_of(const struct trace *trace, uint64_t key, bool seen, const float *probabilities,
                      size_t cells)
{
    size_t best = cells;
    float most = 0;
    for (size_t c = 0; c < cells; c++) {
        if (probabilities[c] <= most || (seen && trace->no_repeat && was_made(trace, key, c)))
            continue;
        const float counts = penalised(trace, probabilities[c], c);
        if (counts > most) {
            most = counts;
            best = c;
        }
    }
    return best;
}

size_t most_probable_cell(const float *probabilities, size_t cells)
{
    size_t best = 0;
    for (size_t c = 1; c < cells; c++)
        if (probabilities[c] > probabilities[best])
            best = c;
    return best;
}

nlm_status trace_choose(struct trace *trace, const nlm_position *position, const float *probabilities,
                        size_t cells, size_t *cell)
{
    if (buffer_reserve(&trace->steps, (size_t)trace->count + 1, sizeof(struct trace_step), true))
        return NLM_NO_MEMORY;
    const uint64_t key = game_key(position);
    const bool seen = was_seen(trace, key);
    trace->returned |= seen;
    *cell = best_of(trace, key, seen, probabilities, cells);
    if (*cell == cells)
        *cell = most_probable_cell(probabilities, cells);
    ((struct trace_step *)trace->steps.data)[trace->count++] = (struct trace_step){key, *cell};
    return NLM_OK;
}

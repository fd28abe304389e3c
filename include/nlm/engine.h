/* What computes conclusions: the machine itself or, for a model that is a program, an engine of joins
 * (SQLite). */
#ifndef NLM_ENGINE_H
#define NLM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nlm_engine {
    NLM_ENGINE_BEST,    /* the cheapest, by an estimate */
    NLM_ENGINE_MACHINE, /* the machine, also for a model that is a program */
    NLM_ENGINE_SQLITE   /* the model's program as joins; the model must be proved to compute it */
} nlm_engine;

/* Whether this build has the engine. */
bool nlm_engine_is_built(nlm_engine engine);

/* Called now and then by an engine of joins: what it does ("joining"), the share that is done, and the facts
 * or conclusions so far. */
typedef void (*nlm_engine_progress)(void *context, const char *what, double fraction, size_t rows);

#ifdef __cplusplus
}
#endif
#endif

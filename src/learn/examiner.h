/* Examiner: what a machine concludes on a batch of worlds, counted against their labels.
 *
 * Tests and exams share it.  One examiner serves one thread; it keeps its memory from batch to batch. */
#ifndef LEARN_EXAMINER_H
#define LEARN_EXAMINER_H

#include "learn/world_source.h"

struct examiner {
    nlm_machine *machine;
    struct world_source *source;
    nlm_options options;
    nlm_world *scratch;
    nlm_batch *batch;
    nlm_structure *structure;
    nlm_pass *pass;
    bool built; /* the structure is that of the batch as it is */
};

/* Whether the machine has one head that answers the task, and reads its predicates. */
nlm_status examiner_fits(const nlm_machine *machine, const nlm_task *task, nlm_error *error);

/* `options->threads` work on one world together; an examiner of its own for each thread is faster.  The
 * source of a task may be shared by several. */
nlm_status examiner_init(struct examiner *examiner, nlm_machine *machine, struct world_source *source,
                         const nlm_options *options, nlm_error *error);
void examiner_release(struct examiner *examiner);

/* A batch is filled world by world.  The world of a number stays until the next is fetched. */
void examiner_clear(struct examiner *examiner);
nlm_status examiner_fetch(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                          const nlm_world **world, nlm_error *error);
nlm_status examiner_add(struct examiner *examiner, const nlm_world *world, nlm_error *error);
/* Ask the machine about the worlds of the batch; `training` keeps what the pass needs to go backward.  Head
 * number t answers target number t; the loss is the mean of theirs, the counts are sums. */
nlm_status examiner_ask_batch(struct examiner *examiner, bool training, nlm_bce_result *result,
                              nlm_error *error);
/* Ask it about world `number` of a seed alone. */
nlm_status examiner_ask(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                        nlm_bce_result *result, nlm_error *error);

/* The macro accuracy (nlm_pass_macro) of what was asked last, over all targets. */
nlm_status examiner_macro(struct examiner *examiner, double *accuracy, nlm_error *error);

/* Mean of the shares that are right among the true and among the false tuples, of those kinds there are. */
double balanced_accuracy(size_t tuples, size_t wrong, size_t positives, size_t wrong_positives);

#endif

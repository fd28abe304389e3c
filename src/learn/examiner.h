/* Examiner: an evaluator with the worlds of a source, whose labels its answers are compared with.
 *
 * Tests and exams share it.  One examiner serves one thread; it keeps its memory from batch to batch. */
#ifndef LEARN_EXAMINER_H
#define LEARN_EXAMINER_H

#include "learn/world_source.h"
#include "machine/evaluator.h"

struct examiner {
    struct world_source *source;
    nlm_world *scratch;
    nlm_evaluator *evaluator;
};

/* Whether the machine has one head that answers the task, and reads its predicates. */
nlm_status examiner_fits(const nlm_machine *machine, const nlm_task *task, nlm_error *error);

/* `options->threads` work on one world together; an examiner of its own for each thread is faster.  The
 * source of a task may be shared by several. */
nlm_status examiner_init(struct examiner *examiner, nlm_machine *machine, struct world_source *source,
                         const nlm_options *options, nlm_error *error);
void examiner_release(struct examiner *examiner);

/* World `number` of a seed; it stays until the next is fetched. */
nlm_status examiner_fetch(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                          const nlm_world **world, nlm_error *error);
/* Ask the machine about it alone (evaluator_compare). */
nlm_status examiner_ask(struct examiner *examiner, uint64_t seed, uint64_t number, int objects,
                        nlm_bce_result *result, nlm_error *error);

/* Mean of the shares that are right among the true and among the false tuples, of those kinds there are. */
double balanced_accuracy(size_t tuples, size_t wrong, size_t positives, size_t wrong_positives);

#endif

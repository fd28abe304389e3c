/* Images through a LeNet, forwards and backwards.
 *
 * A pass keeps its memory: a step whose number of images has been seen allocates nothing.  Images are shared
 * out among the threads of a team in parts of LENET_PART, and what the parts give is added in their order:
 * the same bits for any number of threads.  Passes of one LeNet may run side by side in tests. */
#ifndef PERCEPTION_LENET_PASS_H
#define PERCEPTION_LENET_PASS_H

#include "perception/lenet.h"

enum { LENET_PART = 8, LENET_MOST_IMAGES = 1 << 20 };

struct lenet_pass;

nlm_status lenet_pass_new(struct lenet_pass **pass, nlm_error *error);
void lenet_pass_free(struct lenet_pass *pass);

/* The team may be NULL, and is used by backward too.  Outputs of 1..LENET_MOST_IMAGES images, [count, 28,
 * 28].  In training batch normalisation takes the moments of these images, and the running averages of the
 * LeNet follow; otherwise it takes the running averages, and the LeNet stays as it is.  The images are read
 * again by backward. */
nlm_status lenet_forward(struct lenet_pass *pass, struct lenet *lenet, struct team *team, const float *images,
                         int count, bool training, nlm_error *error);
/* [count, 10], until the next forward. */
const float *lenet_outputs(const struct lenet_pass *pass);

/* Gradients of the last forward, for the gradient [count, 10] of its outputs: those of the parameters are
 * added to the LeNet's, those of the images overwrite dimages [count, 28, 28] unless that is NULL. */
nlm_status lenet_backward(struct lenet_pass *pass, const float *doutputs, float *dimages, nlm_error *error);

#endif

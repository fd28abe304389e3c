/* How things are computed: threads, kernels, and whether tuples that are alike are computed once. */
#ifndef NLM_OPTIONS_H
#define NLM_OPTIONS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nlm_kernel {
    NLM_KERNEL_BEST,      /* the fastest that this processor runs */
    NLM_KERNEL_REFERENCE, /* plain C, the definition of every kernel */
    NLM_KERNEL_GENERIC,   /* vector kernels for the baseline instruction set */
    NLM_KERNEL_AVX2,
    NLM_KERNEL_AVX512
} nlm_kernel;

typedef enum nlm_lifting {
    NLM_LIFT,     /* one row per class of tuples, where that pays */
    NLM_IDENTITY, /* one row per tuple, everywhere */
    NLM_CLASSES   /* one row per class of tuples, everywhere: exact, even where it does not pay */
} nlm_lifting;

typedef struct nlm_options {
    int threads; /* 0 or 1: one thread.  Results do not depend on it. */
    nlm_kernel kernel;
    nlm_lifting lifting;
    bool
        input_gradients; /* backward also computes the gradients of the inputs (inputs are then not lifted) */
} nlm_options;

/* Whether this processor and build can run a kernel, and its name ("avx2"). */
bool nlm_kernel_available(nlm_kernel kernel);
const char *nlm_kernel_name(nlm_kernel kernel);
/* The kernel of that name; false if there is none. */
bool nlm_kernel_find(const char *name, nlm_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif

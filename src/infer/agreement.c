/* Agreement of conclusions with labels: shares of the counts of nlm_inference_compare. */
#include "nlm/infer.h"

static double share(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : -1;
}

double nlm_agreement_accuracy(const nlm_agreement *agreement)
{
    return share(agreement->tuples - agreement->wrong, agreement->tuples);
}

double nlm_agreement_precision(const nlm_agreement *agreement)
{
    return share(agreement->both, agreement->concluded);
}

double nlm_agreement_recall(const nlm_agreement *agreement)
{
    return share(agreement->both, agreement->positives);
}

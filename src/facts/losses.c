/* What a form of files could not represent: found by reading what was written, not foreseen. */
#include <stdarg.h>
#include <stdio.h>
#include "base/error.h"
#include "facts/problem.h"

struct losses {
    nlm_text_listener listener;
    void *context;
    nlm_error *error;
    nlm_status status;
    int told;
};

__attribute__((format(printf, 2, 3))) static void tell(struct losses *of, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    of->told++;
    if (!of->status)
        of->status = of->listener(of->context, text, of->error);
}

static void compare_counts(struct losses *of, size_t before, size_t after, const char *things)
{
    if (after != before)
        tell(of, "%zu of %zu %s were carried over", after, before, things);
}

static void compare(struct losses *of, const nlm_problem *problem, const nlm_problem *written,
                    const char *folder)
{
    const nlm_signature *from = problem->signature, *to = written->signature;
    const nlm_content before = nlm_problem_content(problem, -1), after = nlm_problem_content(written, -1);
    compare_counts(of, (size_t)problem->world_count, (size_t)written->world_count, "worlds");
    compare_counts(of, before.objects, after.objects, "objects");
    compare_counts(of, before.facts, after.facts, "facts");
    if (problem->closed == written->closed)
        compare_counts(of, before.labels, after.labels, "labels");
    else if (nlm_problem_labelled(problem))
        tell(of, "%s",
             problem->closed
                 ? "this format does not record that unlisted tuples are false: use --closed-world"
                 : "in this format unlisted tuples are false");
    if (problem->contradiction_count != written->contradiction_count)
        tell(of, "labels that are listed as true and as false were carried over as true");
    compare_counts(of, (size_t)nlm_signature_inputs(from), (size_t)nlm_signature_inputs(to), "predicates");
    compare_counts(of, (size_t)nlm_signature_targets(from), (size_t)nlm_signature_targets(to), "targets");
    if (from->typed && !to->typed)
        tell(of, "this format has no types");
    if (of->told == 0 && nlm_problem_digest(problem) != nlm_problem_digest(written))
        tell(of, "%.300s has the same content in another order", folder);
}

nlm_status nlm_problem_losses(const nlm_problem *problem, const char *folder, nlm_text_listener listener,
                              void *context, nlm_error *error)
{
    REQUIRE(problem && listener, error);
    nlm_problem *written;
    nlm_error cause;
    const nlm_status status = nlm_problem_read(folder, NULL, &written, &cause);
    if (status)
        return error_set(error, status, "what was written cannot be read: %.400s", cause.message);
    struct losses losses = {listener, context, error, NLM_OK, 0};
    compare(&losses, problem, written, folder);
    nlm_problem_free(written);
    return losses.status;
}

/* Any bytes as the files of a problem, of which they are cut at lines "===": bk.pl, exs.pl, bias.pl.  Refused
 * with a message of one line, or a problem whose facts, written as Prolog and read again, are the same. */
#define _GNU_SOURCE /* for memmem */
#include "fuzz.h"
#include "facts/bias.h"
#include "facts/problem.h"
#include "facts/fact_files.h"

enum { FACTS, EXAMPLES, BIAS, FILES };
static const char *const names[FILES] = {"fuzz/bk.pl", "fuzz/exs.pl", "fuzz/bias.pl"};

struct part {
    char *text;
    size_t size;
};

static nlm_status read_parts(struct part *parts, draft *in, nlm_error *error)
{
    nlm_status status = draft_start(in, error);
    if (!status && parts[BIAS].text)
        status = bias_read(in, parts[BIAS].text, parts[BIAS].size, names[BIAS], error);
    if (!status)
        status = draft_begin_world(in, "", error);
    if (!status)
        status = fact_files_text(in, false, parts[FACTS].text, parts[FACTS].size, names[FACTS], error);
    if (!status && parts[EXAMPLES].text)
        status =
            fact_files_text(in, true, parts[EXAMPLES].text, parts[EXAMPLES].size, names[EXAMPLES], error);
    return status;
}

static nlm_problem *read_problem(struct part *parts, nlm_error *error)
{
    static const nlm_reading reading = {0};
    draft in;
    nlm_problem *problem = NULL;
    nlm_status status = read_parts(parts, &in, error);
    if (!status)
        status = problem_of_draft(&in, &reading, "fuzz", &problem, error);
    require(status ? !problem : problem != NULL);
    draft_free(&in);
    return problem;
}

/* All facts of the inputs as Prolog. */
static struct part write_facts(const nlm_problem *problem)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    struct part part = {NULL, 0};
    FILE *out = open_memstream(&part.text, &part.size);
    for (int p = 0; p < nlm_signature_inputs(signature); p++) {
        const nlm_predicate *predicate = nlm_signature_input(signature, p);
        const int *tuples;
        size_t count = nlm_world_facts(world, p, &tuples, NULL);
        for (size_t i = 0; i < count && !predicate->is_type; i++) {
            const int *tuple = predicate->objects ? tuples + i * (size_t)predicate->objects : NULL;
            size_t length = nlm_fact_text(signature, predicate, world, tuple, NULL, 0);
            char *text = malloc(length + 1);
            require(text != NULL);
            nlm_fact_text(signature, predicate, world, tuple, text, length + 1);
            fprintf(out, "%s.\n", text);
            free(text);
        }
    }
    fclose(out);
    return part;
}

static size_t count_facts(const nlm_problem *problem)
{
    const nlm_world *world = nlm_problem_world(problem, 0);
    size_t count = 0;
    for (int p = 0; p < nlm_world_predicates(world); p++)
        count += nlm_signature_input(nlm_problem_signature(problem), p)->is_type
                     ? 0
                     : nlm_world_facts(world, p, NULL, NULL);
    return count;
}

/* What was written is read, if it is of a problem without types and without a predicate that declares. */
static void check_again(const nlm_problem *problem)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    for (int p = 0; p < nlm_signature_inputs(signature); p++)
        if (!strcmp(nlm_signature_input(signature, p)->name, "object"))
            return;
    size_t facts = count_facts(problem);
    if (nlm_signature_typed(signature) || facts == 0 || nlm_signature_targets(signature) > 0)
        return;
    struct part parts[FILES] = {write_facts(problem)};
    nlm_error error = {0};
    nlm_problem *again = read_problem(parts, &error);
    if (again)
        require(count_facts(again) == facts);
    else /* only facts without arguments leave no object */
        require(strstr(error.message, "no objects") != NULL);
    nlm_problem_free(again);
    free(parts[FACTS].text);
}

static void check_problem(const nlm_problem *problem)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    const nlm_world *world = nlm_problem_world(problem, 0);
    for (int i = 0; i < nlm_problem_notes(problem); i++)
        check_line(nlm_problem_note(problem, i));
    require(nlm_world_predicates(world) == nlm_signature_inputs(signature));
    require(nlm_world_targets(world) == nlm_signature_targets(signature));
    for (int t = 0; t < nlm_world_targets(world); t++) {
        const nlm_predicate *target = nlm_signature_target(signature, t);
        const int *tuples;
        size_t count = nlm_world_labels(world, t, &tuples, NULL, NULL);
        for (size_t i = 0; i < count && target->objects > 0; i++)
            require(nlm_signature_fits(signature, target, world, tuples + i * (size_t)target->objects));
    }
    (void)nlm_problem_digest(problem);
    check_again(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct part parts[FILES] = {{0}};
    const char *rest = (const char *)data, *end = rest + size;
    for (int p = 0; p < FILES && (p == FACTS || rest < end); p++) {
        const char *cut = memmem(rest, (size_t)(end - rest), "===\n", 4);
        parts[p].size = (size_t)((cut ? cut : end) - rest);
        parts[p].text = copy_text(rest, parts[p].size);
        rest = cut ? cut + 4 : end;
    }
    nlm_error error = {0};
    nlm_problem *problem = read_problem(parts, &error);
    if (problem)
        check_problem(problem);
    else
        check_refusal_or_memory(&error, "fuzz");
    nlm_problem_free(problem);
    for (int p = 0; p < FILES; p++)
        free(parts[p].text);
    return 0;
}

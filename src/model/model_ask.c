/* Asking a model in one call: conclusions, rules, reasons, proofs. */
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "model/model.h"

/* ---- conclusions ---- */

struct relay {
    nlm_conclusion_listener listener;
    void *context;
    const char *world;
};

/* The same with the name of the world. */
static nlm_status tell(void *context, const nlm_conclusion *conclusion, nlm_error *error)
{
    const struct relay *to = context;
    nlm_conclusion named = *conclusion;
    named.world = to->world;
    return to->listener(to->context, &named, error);
}

nlm_status nlm_conclude_problem(nlm_model *model, const nlm_problem *problem, double least,
                                nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    REQUIRE(model && problem && listener, error);
    nlm_status status = NLM_OK;
    if (!model->inference)
        status = nlm_inference_new(model->machine, model->name, NULL, &model->inference, error);
    for (int w = 0; w < nlm_problem_worlds(problem) && !status; w++) {
        struct relay to = {listener, context, nlm_problem_world_name(problem, w)};
        status = nlm_inference_ask(model->inference, nlm_problem_world(problem, w), to.world,
                                   *to.world ? to.world : "the world", error);
        if (!status)
            status = nlm_inference_conclude(model->inference, least, tell, &to, error);
    }
    return status;
}

/* Facts as the model reads them. */
static nlm_status read_for(nlm_model *model, const char *path, nlm_problem **problem, nlm_error *error)
{
    nlm_reading reading = {0};
    const nlm_status status = nlm_model_signature(model, &reading.signature, error);
    return status ? status : nlm_problem_read(path, &reading, problem, error);
}

nlm_status nlm_conclude(nlm_model *model, const char *path, double least, nlm_conclusion_listener listener,
                        void *context, nlm_error *error)
{
    REQUIRE(model && path && listener, error);
    nlm_problem *problem = NULL;
    nlm_status status = read_for(model, path, &problem, error);
    if (!status)
        status = nlm_conclude_problem(model, problem, least, listener, context, error);
    nlm_problem_free(problem);
    return status;
}

nlm_status nlm_conclude_worlds(nlm_model *model, const nlm_world *const *worlds, int count, double least,
                               nlm_conclusion_listener listener, void *context, nlm_error *error)
{
    REQUIRE(model && worlds && listener, error);
    nlm_problem *problem = NULL;
    nlm_reading reading = {0};
    nlm_status status = nlm_model_signature(model, &reading.signature, error);
    if (!status)
        status = nlm_problem_of_worlds(worlds, count, &reading, &problem, error);
    if (!status)
        status = nlm_conclude_problem(model, problem, least, listener, context, error);
    nlm_problem_free(problem);
    return status;
}

/* ---- the program ---- */

static nlm_status find_program(nlm_model *model, nlm_error *error)
{
    return model->program ? NLM_OK
                          : nlm_program_of_model(model->machine, model->name, &model->program, error);
}

nlm_status nlm_model_rules(nlm_model *model, nlm_language language, char **text, nlm_error *error)
{
    REQUIRE(text, error);
    *text = NULL;
    REQUIRE(model, error);
    const nlm_status status = find_program(model, error);
    return status ? status : nlm_program_text(model->program, language, text, error);
}

/* In the first world that has the objects. */
static nlm_status explain(nlm_model *model, const nlm_problem *problem, const char *atom, FILE *stream,
                          nlm_error *error)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    nlm_status status = NLM_OK;
    for (int w = 0; w < nlm_problem_worlds(problem); w++) {
        nlm_why *why;
        int target, tuple[NLM_MAX_BREADTH];
        status = nlm_why_new(model->program, signature, nlm_problem_world(problem, w), &why, error);
        if (!status)
            status = nlm_why_atom(why, atom, &target, tuple, error);
        const bool there = !status;
        if (there)
            status = nlm_why_write(why, target, tuple, false, stream, NULL, error);
        nlm_why_free(why);
        if (there)
            break;
    }
    return status;
}

nlm_status nlm_model_why_problem(nlm_model *model, const nlm_problem *problem, const char *atom, char **text,
                                 nlm_error *error)
{
    REQUIRE(text, error);
    *text = NULL;
    REQUIRE(model && problem && atom, error);
    size_t size;
    nlm_status status = find_program(model, error);
    FILE *stream = status ? NULL : open_memstream(text, &size);
    if (!status && !stream)
        return error_no_memory(error);
    if (!status)
        status = explain(model, problem, atom, stream, error);
    if (stream && fclose(stream) && !status)
        status = error_no_memory(error);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

nlm_status nlm_model_why(nlm_model *model, const char *path, const char *atom, char **text, nlm_error *error)
{
    REQUIRE(text, error);
    *text = NULL;
    REQUIRE(model && path && atom, error);
    nlm_problem *problem = NULL;
    nlm_status status = read_for(model, path, &problem, error);
    if (!status)
        status = nlm_model_why_problem(model, problem, atom, text, error);
    nlm_problem_free(problem);
    return status;
}

nlm_status nlm_model_prove(nlm_model *model, nlm_proof **proof, nlm_error *error)
{
    REQUIRE(proof, error);
    *proof = NULL;
    REQUIRE(model, error);
    return nlm_prove_model(model->machine, model->name, proof, error);
}

/* The short way: learn, ask, explain, each in one call.
 *
 *     nlm_model *model;
 *     nlm_learn("examples/family/learn", NULL, &model, &error);
 *     nlm_conclude(model, "examples/family/apply.pl", 0.5, print, NULL, &error);
 *     nlm_model_rules(model, NLM_CLAUSES, &text, &error);
 *     nlm_model_free(model);
 *
 * A model here is a model file in memory: what was saved, loaded and copied is the same, byte by byte.  It is
 * built on what the other headers have (runs, inferences, programs, proofs), which can be used beside it.
 *
 * A model belongs to one thread at a time; different models share nothing, and may be used and learned by
 * several threads at once. */
#ifndef NLM_MODEL_H
#define NLM_MODEL_H

#include "nlm/infer.h"
#include "nlm/prove.h"
#include "nlm/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_model nlm_model;

/* ---- learning ---- */

/* Called about ten times a second, and when a round has ended; `line` says in words how far the run is, for
 * one line of a terminal.  Both hold during the call.  False stops the run: the model is the machine as it
 * is then, or the best so far. */
typedef bool (*nlm_watch)(void *context, const nlm_progress *progress, const char *line);

/* How to learn; all of it may be 0.  Begin with {.size = sizeof(nlm_learning)}: later versions add fields at
 * the end, which are 0 for programs that do not know them. */
typedef struct nlm_learning {
    size_t size;
    const char
        *settings; /* "seed=3 epochs=50": names and values as `nlm train --help` has them, with _ for - */
    const char *protocol;       /* "best" (NULL), "paper" */
    const char *model;          /* "nlm" (NULL), "memnn", "dilp" */
    const nlm_reading *reading; /* of facts: which targets, what tables say (nlm/facts.h) */
    int threads;                /* 0: one */
    /* Path of a model file: it is written at the end, and until then a checkpoint beside it, FILE.checkpoint,
     * after each round, from which `resume` goes on.  NULL: the model is kept in memory; while it is
     * learned its files are in a temporary folder. */
    const char *output;
    const char *log;    /* path of the log, a line for each round; NULL: none */
    bool resume;        /* go on where the checkpoint is, begin where there is none */
    bool replace;       /* begin although there is a checkpoint of an unfinished run */
    bool without_rules; /* do not look for the program of the machine */
    nlm_watch watch;
    void *context;
} nlm_learning;

/* Learn what the labels in a file or folder of facts say (nlm_problem_read).  NULL for `how`: as usual.  A
 * run that does not graduate is no failure: nlm_model_graduated. */
nlm_status nlm_learn(const char *path, const nlm_learning *how, nlm_model **model, nlm_error *error);
/* The same of worlds in memory, and of a problem. */
nlm_status nlm_learn_worlds(const nlm_world *const *worlds, int count, const nlm_learning *how,
                            nlm_model **model, nlm_error *error);
nlm_status nlm_learn_problem(const nlm_problem *problem, const nlm_learning *how, nlm_model **model,
                             nlm_error *error);
/* A task or game, of the library's (nlm_task_find, nlm_game_find) or of the program's own. */
nlm_status nlm_learn_task(const nlm_task *task, const nlm_learning *how, nlm_model **model, nlm_error *error);
nlm_status nlm_learn_game(const nlm_game *game, const nlm_learning *how, nlm_model **model, nlm_error *error);

/* The settings that a run of a problem would have, for whoever wants to change more: those of nlm_learn. */
nlm_status nlm_settings_usual(const nlm_problem *problem, const nlm_learning *how, nlm_settings *settings,
                              nlm_error *error);

/* ---- models ---- */

nlm_status nlm_model_load(const char *path, nlm_model **model, nlm_error *error);
nlm_status nlm_model_save(const nlm_model *model, const char *path, nlm_error *error);
/* The bytes of the model file, until the model is freed; and a model of such bytes, which are copied. */
const void *nlm_model_bytes(const nlm_model *model, size_t *size);
nlm_status nlm_model_parse(const void *bytes, size_t size, nlm_model **model, nlm_error *error);
void nlm_model_free(nlm_model *model);

/* Whether its run made no error in its last exam; false also where that is not known. */
bool nlm_model_graduated(const nlm_model *model);
/* "loss 3.2e-05, ..."; the last line of its run; "" of a model that was loaded. */
const char *nlm_model_line(const nlm_model *model);
/* The machine, which is the model's: for nlm_evaluator_new, nlm_agent_new and others. */
nlm_machine *nlm_model_machine(nlm_model *model);
/* What the model reads and concludes, until the model is freed; NLM_BAD_ARGUMENT of an agent. */
nlm_status nlm_model_signature(nlm_model *model, const nlm_signature **signature, nlm_error *error);

/* ---- asking ---- */

/* All conclusions about the worlds of a file or folder that are more probable than `least`, one after the
 * other; their number costs no memory.  conclusion->world is the name of the world, "" for the only one. */
nlm_status nlm_conclude(nlm_model *model, const char *path, double least, nlm_conclusion_listener listener,
                        void *context, nlm_error *error);
nlm_status nlm_conclude_worlds(nlm_model *model, const nlm_world *const *worlds, int count, double least,
                               nlm_conclusion_listener listener, void *context, nlm_error *error);
/* The problem was read with the model's signature (nlm_reading.signature). */
nlm_status nlm_conclude_problem(nlm_model *model, const nlm_problem *problem, double least,
                                nlm_conclusion_listener listener, void *context, nlm_error *error);

/* The program that the model is, in some language; NLM_BAD_ARGUMENT, with the reason, if it is none.  Texts
 * are the caller's: free(). */
nlm_status nlm_model_rules(nlm_model *model, nlm_language language, char **text, nlm_error *error);
/* Why an atom, "uncle(ann, bob)", follows from the facts by these rules, or why not: a tree, a line each. */
nlm_status nlm_model_why(nlm_model *model, const char *path, const char *atom, char **text, nlm_error *error);
nlm_status nlm_model_why_problem(nlm_model *model, const nlm_problem *problem, const char *atom, char **text,
                                 nlm_error *error);
/* The proof that the model computes its rules in every world; to be freed (nlm_proof_free). */
nlm_status nlm_model_prove(nlm_model *model, nlm_proof **proof, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif

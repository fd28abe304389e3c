/* Conclusions of a model from facts.
 *
 *     nlm_inference_new(machine, "uncle.nlm", NULL, &inference, &error);
 *     nlm_problem_read("family.pl", &(nlm_reading){.signature = nlm_inference_signature(inference)}, ...);
 *     nlm_inference_ask(inference, nlm_problem_world(problem, 0), "", "family.pl", &error);
 *     nlm_inference_conclude(inference, 0.5, print, NULL, &error);
 *
 * One world is asked about at a time, and its conclusions are handed over one by one: their number costs no
 * memory.  An inference serves one thread at a time and keeps its memory from world to world. */
#ifndef NLM_INFER_H
#define NLM_INFER_H

#include <stdio.h>
#include "nlm/alternatives.h"
#include "nlm/engine.h"
#include "nlm/evaluator.h"
#include "nlm/facts.h"
#include "nlm/program.h"
#include "nlm/prove.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nlm_inference nlm_inference;

typedef struct nlm_inference_options {
    nlm_options options;
    double memory; /* bytes that may be used; a world that takes more is refused.  0: no limit */
    /* For a model with a sense, and only then: the folder of the images that objects show, OBJECT.pgm or
     * OBJECT.png.  Images of no object of the world make objects of their own, after the others, in the order
     * of their names.  The folder of a world with a name is FOLDER/NAME; if it has a folder `images`, that is
     * taken. */
    const char *images;
    /* Whether conclusions say if the examples of the model cover them; takes the time of some more models.
     * Without memory for that, or for a model that does not keep what its examples had, it is not known. */
    bool coverage;
    /* What computes.  Answers are the same: those of a program are as sure as can be.  With an engine of
     * joins `database` names a file, which is written, for the facts (NULL: they stay in memory). */
    nlm_engine engine;
    const char *database;
    nlm_engine_progress progress; /* or NULL */
    void *progress_context;
} nlm_inference_options;

/* The machine must outlive it; `name` stands for it in messages.  NULL for `options`: one thread, no limit,
 * no images.  A model without conclusions, one of a game, is NLM_BAD_ARGUMENT. */
nlm_status nlm_inference_new(nlm_machine *machine, const char *name, const nlm_inference_options *options,
                             nlm_inference **inference, nlm_error *error);
void nlm_inference_free(nlm_inference *inference);
/* The predicates that the model reads and concludes. */
const nlm_signature *nlm_inference_signature(const nlm_inference *inference);

/* Ask about a world of that signature, which must stay until the next is asked about.  `name` is its name
 * among several worlds, "" for the only one; `title` stands for it in messages.  NLM_NO_MEMORY tells how many
 * objects would fit. */
nlm_status nlm_inference_ask(nlm_inference *inference, const nlm_world *world, const char *name,
                             const char *title, nlm_error *error);
/* What was ignored in the folder of images of the last world, fit to be shown; "" if nothing was. */
const char *nlm_inference_note(const nlm_inference *inference);

/* Whether the examples of the model decide an answer (nlm/alternatives.h). */
typedef enum nlm_coverage { NLM_COVERAGE_UNKNOWN, NLM_COVERED, NLM_BEYOND } nlm_coverage;

typedef struct nlm_conclusion {
    const char *text;             /* "uncle(bob, ann)", and its parts: */
    int target;                   /* of the signature */
    const int *tuple;             /* different objects, in the order of the target's variables */
    const char *const *arguments; /* the atoms, one for each place of the target as it is written */
    double probability;
    nlm_label label; /* the world's, if conclusions are compared with labels; else NLM_UNLABELLED */
    nlm_coverage coverage;
    int alternative; /* beyond the examples: the first alternative that answers otherwise; -1: none does */
    /* Beyond the examples: what none of them had, in words: "mother(X, Y) without father(X, Z)"; or "". */
    const char *no_example_had;
    const char
        *world; /* the name of its world, where several are asked about at once (nlm/model.h); or NULL */
} nlm_conclusion;

/* Called with one conclusion after the other, which holds during the call, until it fails. */
typedef nlm_status (*nlm_conclusion_listener)(void *context, const nlm_conclusion *conclusion,
                                              nlm_error *error);

/* All conclusions about the world that are more probable than `least`, target by target, in the order of the
 * objects; with a `least` below 0 every tuple.  Tuples without the types of the target are left out. */
nlm_status nlm_inference_conclude(nlm_inference *inference, double least, nlm_conclusion_listener listener,
                                  void *context, nlm_error *error);
/* The probability of every tuple of a target of the signature, [objects]^arity of them by number
 * (nlm/world.h), with the arity of different objects; 0 where a tuple repeats an object or does not have the
 * target's types. */
nlm_status nlm_inference_probabilities(nlm_inference *inference, int target, float *probabilities,
                                       nlm_error *error);

/* What coverage is known by: nothing, also if it was not asked for; a program's alternatives and the rows of
 * its units; or, of a machine that has no program, the classes of tuples that its examples had: there a tuple
 * is covered if the machine was taught about one that is the same in all that it reads. */
typedef enum nlm_coverage_basis {
    NLM_COVERAGE_NONE,
    NLM_COVERAGE_RULES,
    NLM_COVERAGE_CLASSES
} nlm_coverage_basis;

nlm_coverage_basis nlm_inference_coverage(const nlm_inference *inference);
/* What no example had and the world that was asked about last has, of the rows of a target's units: number 0,
 * 1, ...; NULL: no more. */
const char *nlm_inference_never_seen(const nlm_inference *inference, int target, int number);
/* The alternatives of the model; NULL if it has none, or coverage was not asked for. */
const nlm_alternatives *nlm_inference_alternatives(const nlm_inference *inference);

/* How far the examples cover what is concluded (more probable than one half) about a world, and what is not.
 */
typedef struct nlm_coverage_count {
    bool known;
    size_t concluded, beyond; /* conclusions; of these, beyond the examples */
    /* other tuples; of these, those that an alternative concludes, or of classes that no example had */
    size_t not_concluded, not_beyond;
} nlm_coverage_count;

/* Adds to the counts; `known` becomes whether it is known of this world.  If it is not, nothing is counted;
 * if nothing could differ, only conclusions are.  `first` has a place for each alternative and gets the
 * tuples beyond the examples of which it is the first that answers otherwise; it may be NULL. */
nlm_status nlm_inference_count_coverage(nlm_inference *inference, nlm_coverage_count *count, size_t *first,
                                        nlm_error *error);

/* A tuple whose label would tell alternatives from the model's program. */
typedef struct nlm_question {
    const char *text; /* "uncle(bob, ann)" */
    int target;
    const int *tuple;
    bool concluded;               /* the model's answer */
    int alternatives, others;     /* of the target; those that answer otherwise */
    const nlm_alternative *other; /* the first of these */
} nlm_question;

typedef nlm_status (*nlm_question_listener)(void *context, const nlm_question *question, nlm_error *error);

/* At most `most` questions about the world, first those that leave fewest programs whatever the answer is;
 * of tuples that tell the same programs apart only the first. */
nlm_status nlm_inference_questions(nlm_inference *inference, int most, nlm_question_listener listener,
                                   void *context, nlm_error *error);

/* Conclusions of one target (more probable than one half) against labels. */
typedef struct nlm_agreement {
    size_t tuples;    /* that have labels */
    size_t wrong;     /* of these */
    size_t positives; /* labels that are true */
    size_t concluded; /* answers that are true */
    size_t both;      /* tuples where both are */
} nlm_agreement;

/* Adds the counts of the world to agreements[target].  The listener, unless it is NULL, is called for each
 * wrong answer. */
nlm_status nlm_inference_compare(nlm_inference *inference, nlm_agreement *agreements,
                                 nlm_conclusion_listener listener, void *context, nlm_error *error);
/* Shares of right answers, of true ones among those concluded, of concluded ones among those true; -1 where
 * there are none. */
double nlm_agreement_accuracy(const nlm_agreement *agreement);
double nlm_agreement_precision(const nlm_agreement *agreement);
double nlm_agreement_recall(const nlm_agreement *agreement);

/* What a model of differentiable ILP has learned, as a program of Prolog: its clauses that are more probable
 * than `least`, each with its probability in a comment, after what Prolog has to know of them.  `name` stands
 * for the model in comments and messages; *clauses becomes the number of clauses.  Models of other kinds have
 * none: NLM_BAD_ARGUMENT. */
nlm_status nlm_clauses_write(FILE *stream, const nlm_machine *machine, const char *name, double least,
                             int *clauses, nlm_error *error);
/* The same as a program of logic (nlm/program.h): the most probable clause of each template.  The model,
 * which weighs clauses by their probabilities, concludes about the same, not exactly.  NLM_BAD_ARGUMENT, with
 * the reason, if a template has no clause of a probability above 0.9, if clauses are recursive, or if they
 * need more steps than the model takes. */
nlm_status nlm_clauses_program(const nlm_machine *machine, const char *name, nlm_program **program,
                               nlm_error *error);

/* ---- the program of a model ---- */

/* The program that a model file has as clauses; NLM_BAD_ARGUMENT if it has none. */
nlm_status nlm_program_in(const nlm_machine *machine, const char *name, nlm_program **program,
                          nlm_error *error);
/* The names of the predicates of such a program: those that the model reads and those that it concludes, or
 * of an agent its rules.  To be freed. */
nlm_status nlm_program_names(const nlm_machine *machine, const char *name, nlm_signature **signature,
                             nlm_error *error);
/* Whether it has one. */
bool nlm_machine_has_program(const nlm_machine *machine);

/* The program by which a model concludes: that of its file or, if it has none, the definitions that its units
 * are, when all of them are 0 or 1 in every world (nlm_prove); of differentiable ILP nlm_clauses_program.
 * NLM_BAD_ARGUMENT, with the reason, of other models. */
nlm_status nlm_program_of_model(nlm_machine *machine, const char *name, nlm_program **program,
                                nlm_error *error);
/* The proof that a model computes the program of its file (nlm_prove). */
nlm_status nlm_prove_model(nlm_machine *machine, const char *name, nlm_proof **proof, nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* Problems, inside the library. */
#ifndef FACTS_PROBLEM_H
#define FACTS_PROBLEM_H

#include "facts/draft.h"
#include "facts/meaning.h"
#include "nlm/facts.h"

struct nlm_problem {
    nlm_signature *signature;
    buffer worlds; /* nlm_world * */
    int world_count;
    text_store texts;
    buffer names;          /* const char *, of the worlds */
    buffer contradictions; /* nlm_contradiction */
    int contradiction_count;
    buffer columns; /* nlm_table_column */
    int column_count;
    struct sheet *table; /* that the problem was read from, or NULL */
    int table_key;
    notes notes;
    unsigned labelled; /* targets that have labels, as bits */
    bool closed;
    bool split; /* the worlds are from one file */
};

/* NLM_BAD_ARGUMENT if nothing can be learned: no targets, no labels, or no inputs. */
nlm_status problem_check_learnable(const nlm_problem *problem, nlm_error *error);

nlm_status problem_new(nlm_problem **problem, nlm_error *error);
/* A new world, empty, under a copy of the name. */
nlm_status problem_add_world(nlm_problem *problem, const char *name, nlm_world **world, nlm_error *error);

/* The problem that a draft describes, of which it takes the notes.  `path` stands for it in messages. */
nlm_status problem_of_draft(draft *in, const nlm_reading *reading, const char *path, nlm_problem **problem,
                            nlm_error *error);
/* The worlds of a problem whose signature is `what`'s, from a draft. */
nlm_status problem_build(nlm_problem *problem, const draft *in, const meaning *what, const char *path,
                         nlm_error *error);

#endif

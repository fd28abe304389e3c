/* templates.pl: what differentiable ILP may make of a target, as facts:
 *
 *     steps(6).                        % how far it chains, or steps(objects); optional
 *     objects(10).                     % of the worlds of a task to learn from; optional
 *     labels(100).                     % percent of the labels that a step looks at; optional
 *     negated(red, 1).                 % not_red/1 is given too; optional
 *     template(even, 1, 0, given).     % a predicate, its arity, variables beside the head's, and whether
 *     template(even, 1, 1, defined).   % bodies have given predicates alone or a defined one among them
 *     template(succ2, 2, 1, given).
 *
 * A predicate has one or two templates; the first predicate is the target.  nlm_program_template
 * (nlm/machine.h) says what they mean. */
#ifndef FACTS_TEMPLATES_H
#define FACTS_TEMPLATES_H

#include "base/memory.h"
#include "nlm/machine.h"

/* Read templates; they own their names. */
struct templates {
    int steps;       /* 0 where the text does not say */
    bool by_objects; /* as many as a world has objects; steps is 1 then */
    int labels;      /* percent that a step looks at; 0 where the text does not say */
    int objects;     /* of a task's worlds to learn from; 0 where the text does not say */
    int definitions, negations;
    buffer definition; /* nlm_definition; the target first */
    buffer negated;    /* nlm_given */
    buffer given;      /* nlm_given: what templates_program made */
};

/* The file, or a text that `file` names in messages: "templates.pl:3: ...", NLM_BAD_FILE.  The text is left
 * as it is. */
nlm_status templates_read(const char *path, struct templates *templates, nlm_error *error);
nlm_status templates_read_text(const char *text, size_t size, const char *file, struct templates *templates,
                               nlm_error *error);
/* The library's own templates for a task (src/baseline/templates.pl); NLM_BAD_ARGUMENT if it has none. */
nlm_status templates_of_task(const char *task, struct templates *templates, nlm_error *error);
/* Harmless on templates that are 0 or that could not be read. */
void templates_free(struct templates *templates);

/* The program over these inputs, which must come by arity.  It points into the templates and at the names of
 * the inputs. */
nlm_status templates_program(struct templates *templates, const nlm_given *inputs, int count,
                             nlm_program_template *program, nlm_error *error);

#endif

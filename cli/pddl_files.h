/* PDDL for commands: problems, plans to write and to check, folders of problems. */
#ifndef CLI_PDDL_FILES_H
#define CLI_PDDL_FILES_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* The row of --domain. */
#define DOMAIN_OPTION(place)                                                                                 \
    {                                                                                                        \
        "domain", "FILE", "PDDL: the domain (domain.pddl beside the problem, else by its name)",             \
            OPTION_TEXT, .value = (place)                                                                    \
    }

/* Whether a path is that of a PDDL file: it ends with .pddl. */
bool pddl_is_path(const char *path);
/* A problem; false after an error line. */
bool pddl_load(const char *command, const char *problem, const char *domain, nlm_pddl **pddl);
/* Whether a plan may be written there: nothing is, unless it may be replaced, and nothing stands in the way;
 * false after an error line.  NULL is fine. */
bool pddl_may_write(const char *command, const char *path, bool force);
/* Write a plan that reaches its goal; false after an error line. */
bool pddl_write_plan(const char *command, nlm_pddl_plan *plan, const char *path);

/* nlm check PROBLEM.pddl: how the problem is understood, and whether a plan (NULL: none) is valid. */
bool pddl_check(const char *problem, const char *domain, const char *plan);

/* nlm test MODEL PATH of an agent. */
typedef struct pddl_test {
    const char *model, *path, *domain;
    const char *plans; /* the folder for plans, or NULL */
    bool force, json;
} pddl_test;
bool pddl_test_agent(const pddl_test *of, nlm_agent *agent);

#endif

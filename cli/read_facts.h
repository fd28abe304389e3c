/* Problems for commands: users' facts from files, with what there is to say about them. */
#ifndef CLI_READ_FACTS_H
#define CLI_READ_FACTS_H

#include <stdbool.h>
#include "nlm/nlm.h"

/* Whether the word on a command line means files of facts rather than a task: it names no task, and there is
 * such a file or folder, or it looks like a path. */
bool problem_is_path(const char *word);
/* "family" of "data/family/", "family.pl" and "family/learn": without what ends a file's name, and of "learn"
 * or "train" the folder that it is in. */
const char *problem_name(const char *path);
/* Where the templates for its facts are: in the folder, or in that of the file, or in the current one. */
void problem_templates(const char *path, char *templates, size_t size);
/* The path as people are told of it: "standard input" for "-". */
const char *problem_title(const char *path);

enum { PROBLEM_MOST_TARGETS = NLM_MAX_HEADS, PROBLEM_MOST_NAMES = 64 };

/* The row of --worlds-by, which all that read facts have. */
#define WORLDS_BY_OPTION(place)                                                                              \
    {                                                                                                        \
        "worlds-by", "ARG", "the argument that tells worlds of one file apart: has_car:1, or none",          \
            OPTION_TEXT, .value = (place)                                                                    \
    }

/* The rows of what says more about facts to learn from: --numbers, --constants and --columns. */
#define NUMBERS_OPTION(place)                                                                                \
    {                                                                                                        \
        "numbers", "LIST", "predicates whose last argument is a number, as size/2", OPTION_TEXT,             \
            .value = (place)                                                                                 \
    }
#define CONSTANTS_OPTION(place)                                                                              \
    {                                                                                                        \
        "constants", "LIST", "predicates whose last argument is a constant, or types", OPTION_TEXT,          \
            .value = (place)                                                                                 \
    }
#define COLUMNS_OPTION(place)                                                                                \
    {                                                                                                        \
        "columns", "LIST", "what columns of a table are, as city=objects,id=key", OPTION_TEXT,               \
            .value = (place)                                                                                 \
    }

/* How to read facts whose targets the command line lists, such as "uncle/2,aunt"; `text` holds the names, and
 * is overwritten; NULL: it lists none.  False after an error line. */
typedef struct target_list {
    const char *targets[PROBLEM_MOST_TARGETS], *numbers[PROBLEM_MOST_NAMES];
    const char *constants[PROBLEM_MOST_NAMES], *columns[PROBLEM_MOST_NAMES];
    nlm_reading reading; /* points to them */
} target_list;
bool target_list_read(const char *command, char *text, bool closed_world, const char *worlds_by,
                      target_list *list);
/* Then what --numbers, --constants and --columns say, in the same way. */
typedef struct fact_lists {
    char *numbers, *constants, *columns;
} fact_lists;
bool target_list_more(const char *command, const fact_lists *texts, target_list *list);

/* Read a problem; false after an error line.  Its notes go to standard error, unless `quiet`. */
bool problem_load(const char *command, const char *path, const nlm_reading *reading, bool quiet,
                  nlm_problem **problem);

/* A model that is asked about facts, in the memory that is free whatever the options say; false after an
 * error line, and then there is nothing to free. */
bool inference_begin(const char *command, const char *model, const nlm_inference_options *as,
                     nlm_machine **machine, nlm_inference **inference);
/* Read facts for it, as worlds that `worlds_by` tells apart (see nlm_reading); of `reading`, which may be
 * NULL, what it says of columns counts.  False after an error line. */
bool inference_load(const char *command, const nlm_inference *inference, const char *path,
                    const char *worlds_by, const nlm_reading *reading, nlm_problem **problem);
/* "label, senior or department": the columns of tables that can be learned, on standard error; how many. */
const char *problem_candidates(const nlm_problem *problem, int *count);
/* Ask about world number `world`; false after an error line, in which `title` stands for the world. */
bool inference_ask(const char *command, nlm_inference *inference, const nlm_problem *problem, int world,
                   const char *title);

/* The words for nlm_form, NULL after the last. */
extern const char *const problem_forms[];
/* Whether a folder to write to was named; false after an error line. */
bool problem_check_output(const char *command, const char *folder);

/* The breadths that are looked at. */
enum { PROBLEM_MOST_BREADTH = 4 };
/* What the problem needs, within a share of the memory of this machine; false after an error line, also if
 * there is nothing to learn. */
bool problem_find_needs(const char *command, const nlm_problem *problem, const nlm_options *options,
                        nlm_needs *needs);

#endif

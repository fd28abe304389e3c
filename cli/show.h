/* What the parts of nlm show share: lines of facts, and the part about training. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <stdbool.h>
#include "nlm/nlm.h"

enum { LINE_SIZE = 84, NAME_WIDTH = 18 };

/* "  label        fact, fact, fact" */
typedef struct fact_line {
    const char *label;
    char text[LINE_SIZE];
} fact_line;

/* Add a text; what is not plain ASCII becomes '?', and a line that gets too long ends in dots. */
void fact_line_text(fact_line *line, const char *text);
/* A fact, after a comma unless it is the first, between two texts. */
void fact_line_add(fact_line *line, const char *before, const char *fact, const char *after);
void fact_line_number(fact_line *line, const char *before, int number, const char *after);
void fact_line_print(const fact_line *line);

bool show_is_checkpoint(const nlm_machine *machine);
/* Whether it was trained on facts, not for a task or game. */
bool show_is_of_facts(const nlm_machine *machine);
/* Settings and result of the training; how far a checkpoint is. */
void show_training(const nlm_machine *machine);
void show_checkpoint(const nlm_machine *machine);

#endif

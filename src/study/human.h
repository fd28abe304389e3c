/* Definitions of tasks as people write them, to compare learned programs with; human.c is made of
 * src/study/human/TASK.pl when the library is built. */
#ifndef STUDY_HUMAN_H
#define STUDY_HUMAN_H

struct human_rules {
    const char *task; /* NULL: the end */
    const char *clauses;
};

extern const struct human_rules human_rules[];

#endif

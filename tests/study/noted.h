/* Notes that a test looks at, each once. */
#ifndef TESTS_STUDY_NOTED_H
#define TESTS_STUDY_NOTED_H

#include "test.h"

enum { NOTES_KEPT = 32, NOTE_SIZE = 700 };

typedef struct notes_taken {
    char lines[NOTES_KEPT][NOTE_SIZE];
    int count;
} notes_taken;

/* An nlm_note. */
static inline void take_note(void *context, const char *line)
{
    notes_taken *to = context;
    for (int i = 0; i < to->count; i++) {
        if (strcmp(to->lines[i], line) == 0)
            return;
    }
    assert_true(to->count < NOTES_KEPT);
    snprintf(to->lines[to->count++], NOTE_SIZE, "%s", line);
}

static inline const char *note_at(const notes_taken *of, int index)
{
    assert_in_range(index, 0, of->count - 1);
    return of->lines[index];
}

#endif

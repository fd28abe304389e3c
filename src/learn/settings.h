/* Settings as texts: what the metadata of models and checkpoints say about a run.
 *
 * The numbers among the settings of a training or a course are described once, in a table of rows: name,
 * place, kind and range serve the checks, the files and the comparison of two runs. */
#ifndef LEARN_SETTINGS_H
#define LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/machine.h"

enum { SETTING_TEXT_SIZE = 32 };

enum setting_kind { SETTING_WHOLE, SETTING_REAL, SETTING_SEED };

struct setting {
    const char *name;
    enum setting_kind kind; /* int, double or uint64_t */
    size_t place;           /* in the struct of settings */
    double least, most;
    bool may_change;    /* a run may go on with another value: its budget */
    const char *absent; /* its text in files of versions that did not have it; NULL: it must be there */
};

struct settings_table {
    const struct setting *rows;
    int count;
};

/* A text from which setting_set gets the very same value. */
void setting_print(const struct setting *row, const void *settings, char text[SETTING_TEXT_SIZE]);
/* False if the text is no such number, or the value is out of its range. */
bool setting_set(const struct setting *row, void *settings, const char *text);
bool setting_equal(const struct setting *row, const void *a, const void *b);

/* All numbers are in their ranges. */
nlm_status settings_check(struct settings_table table, const void *settings, nlm_error *error);
/* Whether a run with one is a run with the other, what may change left out: the same machine, the same
 * numbers.  If not, the error tells what differs; `name` stands for the file that has the first. */
nlm_status settings_compare(struct settings_table table, const void *found, const nlm_spec *found_spec,
                            const void *wanted, const nlm_spec *wanted_spec, const char *name,
                            nlm_error *error);

#endif

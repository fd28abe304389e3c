/* Settings inside the library: rows, texts, checks.
 *
 * Every number among the settings is described by a row: name, place, kind, range and the runs it belongs to
 * serve the checks, the files and the comparison of two runs.  Two rows may have the same name if no run has
 * both.  What is learned, the protocol and the spec are not among the numbers; spec.width is. */
#ifndef LEARN_SETTINGS_H
#define LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/machine.h"
#include "nlm/settings.h"

enum { SETTING_TEXT_SIZE = 32 };
enum { EXAMPLES_MOST_BATCH = 4096, GAMES_MOST_BATCH = 1024, GAMES_MOST_POOL = 10000 };

enum { OF_TASKS = 1, OF_FACTS = 2, OF_GAMES = 4, OF_EXAMPLES = OF_TASKS | OF_FACTS };

enum setting_kind { SETTING_WHOLE, SETTING_REAL, SETTING_SEED };

struct setting {
    const char *name;
    enum setting_kind kind; /* int, double or uint64_t */
    size_t place;           /* in the struct of settings */
    double least, most;
    bool may_change;    /* a run may go on with another value: its budget */
    const char *absent; /* its text in files of versions that did not have it; NULL: it must be there */
    unsigned runs;      /* that have it: OF_TASKS | ... */
};

/* Those rows that belong to `runs`. */
struct settings_table {
    const struct setting *rows;
    int count;
    unsigned runs;
};

/* The kind of run that they are for; settings without task and game are of facts. */
unsigned settings_runs(const nlm_settings *settings);
/* The rows of that kind. */
struct settings_table settings_table_of(const nlm_settings *settings);

/* The next row of the table after a row, the first after NULL; NULL after the last. */
const struct setting *setting_next(const struct settings_table *table, const struct setting *row);
/* A text from which setting_set gets the very same value. */
void setting_print(const struct setting *row, const void *settings, char text[SETTING_TEXT_SIZE]);
/* False if the text is no such number, or the value is out of its range. */
bool setting_set(const struct setting *row, void *settings, const char *text);
bool setting_equal(const struct setting *row, const void *a, const void *b);

/* All numbers are in their ranges. */
nlm_status settings_check_ranges(struct settings_table table, const void *settings, nlm_error *error);
/* Whether a run with one is a run with the other, what may change left out: the same machine, the same
 * numbers.  If not, the error tells the difference; `name` stands for the file that has the first. */
nlm_status settings_compare_rows(struct settings_table table, const void *found, const nlm_spec *found_spec,
                                 const void *wanted, const nlm_spec *wanted_spec, const char *name,
                                 nlm_error *error);

/* The heads of the machine that learns from examples, one for each target; their number. */
int settings_heads(const nlm_settings *settings, nlm_head_spec heads[NLM_MAX_HEADS]);

/* Settings that a run from examples, or of a game, can begin with. */
nlm_status settings_check_examples(const nlm_settings *settings, nlm_error *error);
nlm_status settings_check_game(const nlm_settings *settings, nlm_error *error);

#endif

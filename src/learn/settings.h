/* Settings inside the library: rows, texts, recipes, checks.
 *
 * Every setting is described by a row (nlm/settings_rows.h), which serves the checks, the files and the
 * comparison of two runs.  What is learned, the protocol, the model, its inputs and outputs are not among
 * them. */
#ifndef LEARN_SETTINGS_H
#define LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/machine.h"
#include "nlm/settings.h"

/* Those rows that belong to `runs`. */
struct settings_table {
    const nlm_setting *rows;
    int count;
    unsigned runs;
};

/* The kind of run that they are for; settings without task and game are of facts. */
unsigned settings_runs(const nlm_settings *settings);
/* The rows of that kind. */
struct settings_table settings_table_of(const nlm_settings *settings);

/* The next row of the table after a row, the first after NULL; NULL after the last. */
const nlm_setting *setting_next(const struct settings_table *table, const nlm_setting *row);
/* A text from which setting_set gets the very same value. */
void setting_print(const nlm_setting *row, const void *settings, char text[NLM_SETTING_TEXT]);
/* The value alone, whatever is learned; an error if the text is no such number, or out of range. */
nlm_status setting_set(const nlm_setting *row, void *settings, const char *text, nlm_error *error);
bool setting_equal(const nlm_setting *row, const void *a, const void *b);

/* A model that is a compiled program has the size that was learned with under these keys: learned_depth, ...
 */
#define LEARNED_PREFIX "learned_"
/* That size into the settings, if the model has it. */
nlm_status settings_recall_size(const nlm_machine *machine, nlm_settings *settings, nlm_error *error);

/* All values are in their ranges. */
nlm_status settings_check_ranges(struct settings_table table, const void *settings, nlm_error *error);
/* Whether all values are the same, those that may change left out.  If not, the error tells the difference;
 * `name` stands for the file that has the first. */
nlm_status settings_compare_rows(struct settings_table table, const void *found, const void *wanted,
                                 const char *name, nlm_error *error);

/* The value of a setting among presets, or NULL. */
const char *preset_of(const nlm_preset *presets, const char *setting);
/* The value of each setting where nothing names it (nlm_setting.absent), then the presets. */
nlm_status settings_begin(nlm_settings *settings, const nlm_preset *presets, nlm_error *error);
/* Numbers of worlds and steps for a problem's worlds, or its neighbourhoods. */
nlm_status settings_for_worlds(nlm_settings *settings, nlm_error *error);
/* Set all that the run has. */
nlm_status settings_apply(nlm_settings *settings, const nlm_preset *presets, nlm_error *error);
/* The first recipe for the protocol and the model (NULL: the machine itself), or NULL. */
const nlm_preset *recipe_find(const nlm_recipe *recipes, const char *protocol, const char *model);

/* The inputs of the problem, in place of those of another; and the breadth that they need at least. */
void settings_take_inputs(nlm_settings *settings);
/* "uncle", "sort", or "facts". */
const char *settings_learned_name(const nlm_settings *settings);
/* The heads of the machine that learns from examples, one for each target; their number. */
int settings_heads(const nlm_settings *settings, nlm_head_spec heads[NLM_MAX_HEADS]);

/* Settings that a run from examples, or of a game, can begin with. */
nlm_status settings_check_examples(const nlm_settings *settings, nlm_error *error);
nlm_status settings_check_game(const nlm_settings *settings, nlm_error *error);

#endif

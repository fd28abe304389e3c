/* Options that the library's settings make: "lr_decay" is given as --lr-decay D, and a flag as --residual or
 * --no-residual. */
#ifndef CLI_SETTING_OPTIONS_H
#define CLI_SETTING_OPTIONS_H

#include "options.h"
#include "nlm/settings.h"

enum { SETTING_ROWS = 2, SETTING_NAME = 40 };

/* What the command line says about a setting. */
typedef struct setting_option {
    char name[SETTING_NAME], negated[SETTING_NAME];
    const char *text; /* NULL: nothing */
    bool on, off;     /* of a flag */
} setting_option;

/* And about all of them, by their numbers. */
typedef struct setting_options {
    setting_option option[OPTIONS_MOST];
} setting_options;

/* The rows that read one, one or two; their number. */
int setting_option_rows(const nlm_setting *setting, setting_option *option, option_row rows[SETTING_ROWS]);
/* Whether the values are some of their settings; then set those that were given.  False after an error line.
 */
bool setting_options_check(const char *command, setting_options *options);
bool setting_options_apply(const char *command, const setting_options *options, nlm_settings *settings);
/* The name of one that was given, or NULL. */
const char *setting_options_given(const setting_options *options);

/* Options of `nlm test` and `nlm play`: settings of a model at work, which its file has too.  Add their rows
 * after the last that has a name; how many there are then. */
int work_options_add(setting_options *options, option_row rows[OPTIONS_MOST]);
/* How the model of a game works: as its file says, unless an option says otherwise.  False after an error
 * line. */
bool work_options_apply(const char *command, const char *path, const setting_options *options,
                        const nlm_machine *machine, const nlm_game *game, nlm_settings *settings);

#endif

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

/* The rows that read it, one or two; their number. */
int setting_option_rows(const nlm_setting *setting, setting_option *option, option_row rows[SETTING_ROWS]);
/* Whether its value is one of the setting; then set it, if it was given.  False after an error line. */
bool setting_option_check(const char *command, const nlm_setting *setting, setting_option *option);
bool setting_option_apply(const char *command, const nlm_setting *setting, const setting_option *option,
                          nlm_settings *settings);

/* Options of `nlm test` and `nlm play`: settings of a model at work, which its file has too. */
typedef struct work_options {
    setting_option option[OPTIONS_MOST];
} work_options;

/* Add their rows after the last that has a name; how many there are then. */
int work_options_add(work_options *options, option_row rows[OPTIONS_MOST]);
/* Whether their values can be.  False after an error line. */
bool work_options_check(const char *command, work_options *options);
/* The name of one that was given, or NULL. */
const char *work_options_given(const work_options *options);
/* How the model of a game works: as its file says, unless an option says otherwise.  False after an error
 * line. */
bool work_options_apply(const char *command, const char *path, const work_options *options,
                        const nlm_machine *machine, const nlm_game *game, nlm_settings *settings);

#endif

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

#endif

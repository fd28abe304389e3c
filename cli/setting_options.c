/* Options that the library's settings make. */
#include "setting_options.h"

#include <stdio.h>
#include <string.h>
#include "message.h"

int setting_option_rows(const nlm_setting *setting, setting_option *option, option_row rows[SETTING_ROWS])
{
    snprintf(option->name, sizeof option->name, "%s", setting->name);
    for (char *c = option->name; *c != '\0'; c++)
        if (*c == '_')
            *c = '-';
    rows[0] = (option_row){.name = option->name,
                           .argument = setting->argument,
                           .help = setting->help,
                           .kind = OPTION_TEXT,
                           .value = &option->text};
    if (setting->type != NLM_FLAG)
        return 1;
    snprintf(option->negated, sizeof option->negated, "no-%.30s", option->name);
    rows[0].kind = OPTION_FLAG;
    rows[0].value = &option->on;
    rows[1] = rows[0];
    rows[1].name = option->negated;
    rows[1].help = "... or does not";
    rows[1].value = &option->off;
    return 2;
}

/* Messages of the library begin with the name of the setting; here it is an option's. */
static bool refuse(const char *command, const nlm_setting *setting, const setting_option *option,
                   const nlm_error *error)
{
    message_error("%s: --%s%s", command, option->off ? option->negated : option->name,
                  error->message + strlen(setting->name));
    return false;
}

bool setting_option_check(const char *command, const nlm_setting *setting, setting_option *option)
{
    nlm_error error;
    if (option->on && option->off) {
        message_error("%s: --%s and --%s do not go together", command, option->name, option->negated);
        return false;
    }
    if (option->on || option->off)
        option->text = option->on ? "1" : "0";
    return option->text == NULL || nlm_setting_check(setting, option->text, &error) == NLM_OK ||
           refuse(command, setting, option, &error);
}

bool setting_option_apply(const char *command, const nlm_setting *setting, const setting_option *option,
                          nlm_settings *settings)
{
    nlm_error error;
    return option->text == NULL ||
           nlm_settings_set(settings, setting->name, option->text, &error) == NLM_OK ||
           refuse(command, setting, option, &error);
}

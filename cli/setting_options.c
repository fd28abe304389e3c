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
static bool is_accepted(const char *command, const nlm_setting *setting, const setting_option *option,
                        nlm_status status, const nlm_error *error)
{
    if (status != NLM_OK)
        message_error("%s: --%s%s", command, option->off ? option->negated : option->name,
                      error->message + strlen(setting->name));
    return status == NLM_OK;
}

bool setting_options_check(const char *command, setting_options *options)
{
    for (int i = 0; i < nlm_setting_count(); i++) {
        const nlm_setting *setting = nlm_setting_at(i);
        setting_option *option = &options->option[i];
        nlm_error error;
        if (option->on && option->off) {
            message_error("%s: --%s and --%s do not go together", command, option->name, option->negated);
            return false;
        }
        if (option->on || option->off)
            option->text = option->on ? "1" : "0";
        if (option->text != NULL &&
            !is_accepted(command, setting, option, nlm_setting_check(setting, option->text, &error), &error))
            return false;
    }
    return true;
}

bool setting_options_apply(const char *command, const setting_options *options, nlm_settings *settings)
{
    for (int i = 0; i < nlm_setting_count(); i++) {
        const nlm_setting *setting = nlm_setting_at(i);
        const setting_option *option = &options->option[i];
        nlm_error error;
        if (option->text != NULL &&
            !is_accepted(command, setting, option,
                         nlm_settings_set(settings, setting->name, option->text, &error), &error))
            return false;
    }
    return true;
}

const char *setting_options_given(const setting_options *options)
{
    for (int i = 0; i < nlm_setting_count(); i++)
        if (options->option[i].text != NULL)
            return options->option[i].name;
    return NULL;
}

/* ---- a model at work ---- */

int work_options_add(setting_options *options, option_row rows[OPTIONS_MOST])
{
    int count = 0;
    while (rows[count].name != NULL)
        count++;
    for (int i = 0; i < nlm_setting_count(); i++)
        if (nlm_setting_at(i)->at_work)
            count += setting_option_rows(nlm_setting_at(i), &options->option[i], rows + count);
    return count;
}

bool work_options_apply(const char *command, const char *path, const setting_options *options,
                        const nlm_machine *machine, const nlm_game *game, nlm_settings *settings)
{
    nlm_error error;
    if (nlm_settings_at_work(machine, game, settings, &error) == NLM_OK)
        return setting_options_apply(command, options, settings);
    message_error("%s: %s: %s", command, path, error.message);
    return false;
}

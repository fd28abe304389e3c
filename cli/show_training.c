/* nlm show: how a model was trained. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "find_task.h"
#include "message.h"
#include "show.h"

/* A number of things; a text that is none is shown as it is. */
static void add_count(fact_line *line, const char *before, const char *value, const char *after)
{
    const size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > (sizeof(size_t) > 4 ? 15 : 9) || value[digits] != '\0') {
        fact_line_add(line, before, value, after);
        return;
    }
    const char *count = text_of_count(strtoull(value, NULL, 10));
    const size_t length = strlen(after);
    const bool drop = strcmp(count, "1") == 0 && length > 0 && after[length - 1] == 's';
    fact_line_add(line, before, count, text_of("%.*s", (int)length - drop, after));
}

/* Lines of facts one after the other; a fact is "label: text" with # for its number, % for a percentage, ?
 * for yes or no, or at the end of the text. */
typedef struct fact_lines {
    char label[NAME_WIDTH];
    fact_line line;
    int printed;
} fact_lines;

static void end_line(fact_lines *lines)
{
    lines->line.label = lines->label;
    if (lines->line.text[0] != '\0')
        fact_line_print(&lines->line);
    lines->printed += lines->line.text[0] != '\0';
    lines->line.text[0] = '\0';
}

static void add_shown(fact_lines *lines, const char *shown, const char *value, bool is_count, bool is_valid)
{
    char label[NAME_WIDTH], before[LINE_SIZE], after[LINE_SIZE], *end;
    const int length = (int)strcspn(shown, ":");
    const char *text = shown + length + 2;
    const size_t place = strcspn(text, "#%?");
    const char kind = text[place];
    snprintf(label, sizeof label, "%.*s", length, shown);
    snprintf(before, sizeof before, "%.*s", (int)place, text);
    snprintf(after, sizeof after, "%s%s", text + place + (kind != '\0'), is_valid ? "" : " (invalid)");
    if (strcmp(label, lines->label) != 0) {
        end_line(lines);
        memcpy(lines->label, label, sizeof label);
    }
    const double real = strtod(value, &end);
    const bool is_number = end != value && *end == '\0';
    if (kind == '#' && is_count)
        add_count(&lines->line, before, value, after);
    else if (kind == '?' && is_number && is_valid)
        fact_line_add(&lines->line, before, real > 0 ? "yes" : "no", after);
    else if (kind == '%' && is_number && real >= 0 && real <= 1)
        fact_line_add(&lines->line, before, text_of_percent(real), after);
    else if (kind == '#' && is_number)
        fact_line_add(&lines->line, before, text_of("%.4g", real), after);
    else
        fact_line_add(&lines->line, before, value, after);
}

bool show_is_checkpoint(const nlm_machine *machine)
{
    return nlm_machine_metadata(machine, "state") != NULL;
}

/* A checkpoint that the run will go on from. */
static bool is_unfinished(const nlm_machine *machine)
{
    const char *stage = nlm_machine_metadata(machine, "stage");
    return show_is_checkpoint(machine) && (stage == NULL || strcmp(stage, "learning") == 0);
}

static const char *outcome(const nlm_machine *machine, const char *graduated)
{
    if (is_unfinished(machine))
        return "unfinished";
    const char *threshold = nlm_machine_metadata(machine, "threshold");
    const bool of_task = nlm_machine_metadata(machine, "task") != NULL;
    const bool has_goal = !of_task || threshold == NULL || strcmp(threshold, "0") != 0;
    return strcmp(graduated, "yes") == 0 ? "graduated"
           : has_goal                    ? "did not graduate"
                                         : "trained for the whole budget";
}

bool show_is_of_facts(const nlm_machine *machine)
{
    return nlm_machine_metadata(machine, "signature") != NULL;
}

/* The place of its kind of run in nlm_setting.shown. */
enum { TASK, FACTS, GAME };

static int kind_of_run(const nlm_machine *machine)
{
    if (task_or_game_of(nlm_machine_metadata(machine, "task")).game != NULL)
        return GAME;
    return show_is_of_facts(machine) ? FACTS : TASK;
}

/* If the run and the model have it; a value that it cannot have is marked. */
static void add_setting(fact_lines *lines, const nlm_setting *setting, int kind, const nlm_machine *machine)
{
    const char *model = nlm_machine_spec(machine)->model, *value = nlm_setting_in(setting, machine);
    if (value == NULL || !(setting->runs >> kind & 1) ||
        (setting->unshown != NULL && strcmp(value, setting->unshown) == 0) ||
        (model != NULL && setting->models != NULL && strstr(setting->models, model) == NULL))
        return;
    while (kind > 0 && setting->shown[kind] == NULL)
        kind--;
    if (setting->shown[kind] != NULL)
        add_shown(lines, setting->shown[kind], value, setting->type != NLM_REAL,
                  nlm_setting_check(setting, value, NULL) == NLM_OK);
}

/* What became of the run: in the metadata, beside its settings. */
static const struct result {
    unsigned runs;
    const char *key, *shown, *unshown;
    bool is_count;
} results[] = {
    {NLM_OF_EXAMPLES, "loss", "result: loss #", NULL, false},
    {NLM_OF_EXAMPLES, "epoch", "result: # epochs", NULL, true},
    {NLM_OF_FACTS, "best_epoch", "result: best epoch #", NULL, true},
    {NLM_OF_GAMES, "lesson", "result: lesson #", NULL, true},
    {NLM_OF_GAMES, "success", "result: success %", NULL, false},
    {NLM_OF_GAMES, "moves", "result: # moves", NULL, false},
    {NLM_OF_ALL, "restarts", "result: # restarts", "0", true},
    {NLM_OF_EXAMPLES, "examples", "examples: # worlds learned from", NULL, true},
    {NLM_OF_TASKS, "drawn", "examples: # drawn in all", "0", true},
    {NLM_OF_GAMES, "learned_episodes", "episodes: # learned from", NULL, true},
    {NLM_OF_GAMES, "drawn", "episodes: # instances drawn in all", "0", true},
    {NLM_OF_ALL, "version", "trained by: nlm ", NULL, false},
    {NLM_OF_ALL, "kernel", "trained by: kernel ", NULL, false},
};

/* Numbers of a result are finite and not negative, shares at most 1. */
static bool is_possible(const struct result *result, const char *value)
{
    char *end;
    const double real = strtod(value, &end);
    if (strpbrk(result->shown, "#%") == NULL)
        return true;
    return end != value && *end == '\0' && real >= 0 &&
           real <= (strchr(result->shown, '%') != NULL ? 1 : DBL_MAX);
}

void show_training(const nlm_machine *machine)
{
    const int kind = kind_of_run(machine);
    const char *protocol = nlm_machine_metadata(machine, "protocol");
    const char *graduated = nlm_machine_metadata(machine, "graduated");
    fact_lines lines = {0};
    puts("\ntraining");
    if (protocol != NULL)
        add_shown(&lines, "protocol: ", protocol, false, true);
    for (int i = 0; i < nlm_setting_count(); i++)
        add_setting(&lines, nlm_setting_at(i), kind, machine);
    if (graduated != NULL)
        add_shown(&lines, "result: ", outcome(machine, graduated), false, true);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct result *result = &results[i];
        const char *value = nlm_machine_metadata(machine, result->key);
        if (value != NULL && (result->runs >> kind & 1) &&
            (result->unshown == NULL || strcmp(value, result->unshown) != 0))
            add_shown(&lines, result->shown, value, result->is_count, is_possible(result, value));
    }
    end_line(&lines);
    if (lines.printed == 0)
        puts("  not recorded");
}

/* A checkpoint counts what lies behind it: epochs, or the exams of a game. */
void show_checkpoint(const nlm_machine *machine)
{
    const bool of_game = kind_of_run(machine) == GAME;
    const char *count = nlm_machine_metadata(machine, of_game ? "exams" : "epoch");
    fact_line line = {.label = "checkpoint"};
    fact_line_text(&line, is_unfinished(machine) ? "of an unfinished run" : "of a run that has ended");
    if (count != NULL)
        fact_line_add(&line, of_game ? "after exam " : "after epoch ", count, "");
    fact_line_print(&line);
}

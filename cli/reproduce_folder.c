/* The folder of nlm reproduce: what is in it, and results.json.
 *
 * results.json is written before anything is trained, so that a folder always tells its settings; a folder
 * of other settings is refused, not mixed.  The folder itself is locked while a command is at work. */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "engine.h"
#include "nlm/tools.h"
#include "message.h"
#include "reproduce.h"

bool folder_path(const reproduction *of, const char *name, char path[REPRODUCE_PATH])
{
    return snprintf(path, REPRODUCE_PATH, "%s/%s", of->folder, name) < REPRODUCE_PATH;
}

double reproduce_seconds(const reproduction *of)
{
    return of->before + nlm_clock() - of->begun;
}

/* ---- texts ---- */

static bool has_runs(const reproduction *of, int index)
{
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject == index)
            return true;
    }
    return false;
}

const char *reproduce_processor(char text[REPRODUCE_TEXT])
{
    char line[REPRODUCE_TEXT];
    text[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(text, REPRODUCE_TEXT, "%s", colon + 1 + strspn(colon + 1, " "));
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* ---- results.json ---- */

/* ", "moves": [8, 45]", or nothing where nothing was published. */
static void write_figures(FILE *file, const char *key, const double figures[LEARNER_SIZES])
{
    if (figures[0] >= 0)
        fprintf(file, ", \"%s\": [%g, %g]", key, figures[0], figures[1]);
}

/* How many graduated is known of the machine only, from the paper's own tasks. */
static void write_paper(FILE *file, int index)
{
    const task_or_game what = reproduce_subject(index);
    const published found = reproduce_published(index);
    const bool ilp = reproduce_is_ilp(index);
    int sizes[LEARNER_SIZES];
    reproduce_sizes(index, sizes);
    fprintf(file, "\"%s\": {", reproduce_name(index));
    if (reproduce_model_of(index) == REPRODUCE_NLM && !ilp)
        fprintf(file, "\"graduation\": %g, ",
                what.game != NULL ? what.game->graduation : what.task->graduation);
    if (reproduce_model_of(index) != REPRODUCE_DILP && !ilp)
        fprintf(file, "\"%s\": %d, ", what.game != NULL ? "episodes" : "examples",
                what.game != NULL ? paper_settings(what.game).episodes : what.task->examples);
    fprintf(file, "\"objects\": [%d, %d]", sizes[0], sizes[1]);
    write_figures(file, what.game != NULL ? "success" : "accuracy", found.share);
    write_figures(file, "macro_accuracy", found.macro);
    write_figures(file, "moves", found.moves);
    if (found.solved >= 0)
        fprintf(file, ", \"solved\": %g", found.solved);
    putc('}', file);
}

static void write_run(FILE *file, const reproduction *of, const outcome *one)
{
    if (one->finished) {
        outcome_write(file, of, one);
        return;
    }
    fprintf(file, "{\"task\": \"%s\", \"model\": \"%s\", \"seed\": %llu, \"finished\": false",
            reproduce_task(one->subject), reproduce_model_name(reproduce_model_of(one->subject)),
            (unsigned long long)one->seed);
    if (one->error[0] != '\0') {
        fputs(", \"error\": ", file);
        nlm_json_text(file, one->error);
    }
    putc('}', file);
}

static void write_head(FILE *file, const reproduction *of)
{
    char text[REPRODUCE_TEXT], command[REPRODUCE_COMMAND];
    const time_t now = time(NULL);
    struct tm utc = {0};
    gmtime_r(&now, &utc);
    fprintf(file,
            "{\"version\": \"%s\", \"protocol\": \"%s\", \"worlds\": %d,\n \"processor\": ", nlm_version(),
            nlm_protocol_name(of->protocol), of->worlds);
    if (reproduce_processor(text)[0] != '\0')
        nlm_json_text(file, text);
    else
        fputs("null", file);
    fprintf(file, ", \"cores\": %d,\n \"command\": ", engine_processors());
    nlm_json_text(file, reproduce_command(of, command));
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fprintf(file, ",\n \"date\": \"%s\", \"seconds\": %.1f,\n \"paper\": {", text, reproduce_seconds(of));
}

static void write_results(FILE *file, const void *context)
{
    const reproduction *of = context;
    const char *parted = "\n  ";
    write_head(file, of);
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (!has_runs(of, s))
            continue;
        fputs(parted, file);
        write_paper(file, s);
        parted = ",\n  ";
    }
    fputs("},\n \"runs\": [", file);
    for (int i = 0; i < of->count; i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", file);
        write_run(file, of, &of->runs[i]);
    }
    fputs("]}\n", file);
}

static void write_markdown(FILE *file, const void *context)
{
    tables_write(file, context, true);
}

void folder_write_results(reproduction *of)
{
    char path[REPRODUCE_PATH];
    of->trouble = (nlm_error){0};
    if (folder_path(of, "results.json", path))
        nlm_file_write(path, write_results, of, &of->trouble);
    if (folder_path(of, "results.md", path))
        nlm_file_write(path, write_markdown, of, &of->trouble);
}

/* ---- what is there ---- */

static void say_other(const reproduction *of, const char *path)
{
    message_error("reproduce: %s was made with another protocol, number of test worlds or budget than "
                  "--protocol %s --worlds %d%s; choose another folder with --out",
                  path, nlm_protocol_name(of->protocol), of->worlds, of->quick ? " --quick" : "");
}

/* The settings of an earlier command, and the time it took; false after an error line. */
static bool read_results(reproduction *of, const char *path)
{
    nlm_protocol protocol;
    if (access(path, F_OK) != 0)
        return true;
    json_t *object = json_load_file(path, 0, NULL);
    const char *name = json_string_value(json_object_get(object, "protocol"));
    const json_t *worlds = json_object_get(object, "worlds");
    const double seconds = json_number_value(json_object_get(object, "seconds"));
    const bool known = name != NULL && nlm_protocol_find(name, &protocol) && json_is_integer(worlds);
    const long long asked = json_integer_value(worlds);
    json_decref(object);
    if (!known) {
        message_note("reproduce: %s is damaged; it is written anew", path);
        return true;
    }
    of->before = seconds > 0 && seconds < 1e12 ? seconds : 0;
    if (protocol == of->protocol && asked == of->worlds)
        return true;
    message_error("reproduce: %s has runs with --protocol %s --worlds %lld, not --protocol %s --worlds %d; "
                  "choose another folder with --out",
                  of->folder, nlm_protocol_name(protocol), asked, nlm_protocol_name(of->protocol),
                  of->worlds);
    return false;
}

/* False without memory, after an error line. */
static bool add_run(reproduction *of, int index, uint64_t seed, bool wanted)
{
    for (int i = 0; i < of->count; i++) {
        if (of->runs[i].subject == index && of->runs[i].seed == seed)
            return true;
    }
    outcome *more = realloc(of->runs, ((size_t)of->count + 1) * sizeof *more);
    if (more == NULL) {
        message_error("reproduce: not enough memory");
        return false;
    }
    of->runs = more;
    of->runs[of->count++] = (outcome){.subject = index, .seed = seed, .wanted = wanted};
    return true;
}

/* Whether a file is of a run, and of which seed. */
static bool is_of_run(const char *file, unsigned long long *seed)
{
    static const char *const endings[] = {"nlm", "nlm.checkpoint", "jsonl", "json"};
    char name[64];
    if (sscanf(file, "seed-%20llu.", seed) != 1)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "seed-%llu.%s", *seed, endings[i]);
        if (strcmp(file, name) == 0)
            return true;
    }
    return false;
}

/* Runs of earlier commands, by any of their files. */
static bool add_runs_of_folder(reproduction *of, int index)
{
    char path[REPRODUCE_PATH];
    DIR *files = folder_path(of, reproduce_name(index), path) ? opendir(path) : NULL;
    bool added = true;
    for (struct dirent *entry; added && files != NULL && (entry = readdir(files)) != NULL;) {
        unsigned long long seed;
        if (is_of_run(entry->d_name, &seed))
            added = add_run(of, index, seed, false);
    }
    if (files != NULL)
        closedir(files);
    return added;
}

static int compare_runs(const void *a, const void *b)
{
    const outcome *left = a, *right = b;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    return left->seed < right->seed ? -1 : left->seed > right->seed;
}

static bool find_runs(reproduction *of)
{
    bool added = true;
    for (int s = 0; s < reproduce_subjects() && added; s++) {
        const int seeds = of->seeds > 0 ? of->seeds : reproduce_seeds(s, of->quick);
        for (int seed = 1; seed <= seeds && of->wanted[s] && added; seed++)
            added = add_run(of, s, (uint64_t)seed, true);
        added = added && add_runs_of_folder(of, s);
    }
    if (added)
        qsort(of->runs, (size_t)of->count, sizeof *of->runs, compare_runs);
    return added;
}

/* The outcome of a model that is gone must not be taken for that of the next one; false after an error
 * line. */
static bool remove_outcome(outcome *one, const char *path, const char *model)
{
    message_note("reproduce: %s is missing; the run is made again", model);
    one->finished = false;
    if (unlink(path) == 0)
        return true;
    message_error("reproduce: %s: cannot remove: %s", path, strerror(errno));
    return false;
}

/* The outcomes of runs that are finished; false after an error line. */
static bool read_outcomes(const reproduction *of)
{
    for (int i = 0; i < of->count; i++) {
        outcome *one = &of->runs[i];
        char path[REPRODUCE_PATH], model[REPRODUCE_PATH];
        const outcome_found found = outcome_read(of, one);
        if (!outcome_path(of, one, "json", path) || !outcome_path(of, one, "nlm", model))
            continue; /* too long: said when it is made */
        if (found == OUTCOME_OTHER) {
            say_other(of, path);
            return false;
        }
        if (found == OUTCOME_BROKEN)
            message_note("reproduce: %s is damaged; the run %s", path,
                         one->wanted ? "is tested again" : "counts as not finished");
        if (one->finished && one->refused[0] == '\0' && one->wanted && access(model, F_OK) != 0 &&
            !remove_outcome(one, path, model))
            return false;
    }
    return true;
}

/* ---- beginning ---- */

/* What commands that were killed have left behind of files that begin like this. */
static void remove_temporary(const char *folder, const char *beginning)
{
    DIR *files = opendir(folder);
    for (struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
        const char *ending = strstr(entry->d_name, ".tmp");
        if (strncmp(entry->d_name, beginning, strlen(beginning)) == 0 && ending != NULL &&
            (ending[4] == '\0' || ending[4] == '-'))
            unlinkat(dirfd(files), entry->d_name, 0); /* no harm if it stays */
    }
    if (files != NULL)
        closedir(files);
}

static void remove_all_temporary(const reproduction *of)
{
    char path[REPRODUCE_PATH];
    remove_temporary(of->folder, "results.");
    remove_temporary(of->folder, "report.html.");
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (of->wanted[s] && folder_path(of, reproduce_name(s), path))
            remove_temporary(path, "seed-");
    }
}

/* False after an error line. */
static bool make_folder(const char *path)
{
    nlm_error error;
    if (crew_make_folder(path, &error))
        return true;
    message_error("reproduce: %s", error.message);
    return false;
}

static bool make_folders(const reproduction *of)
{
    char path[REPRODUCE_PATH];
    for (int s = 0; s < reproduce_subjects(); s++) {
        if (!of->wanted[s])
            continue;
        if (!folder_path(of, reproduce_name(s), path)) {
            message_error("reproduce: %.60s...: the name is too long", of->folder);
            return false;
        }
        if (!make_folder(path))
            return false;
    }
    return true;
}

bool folder_open(reproduction *of, nlm_lock **lock)
{
    char path[REPRODUCE_PATH];
    nlm_error error;
    *lock = NULL;
    if (!make_folder(of->folder))
        return false;
    if (nlm_lock_take(of->folder, lock, &error) != NLM_OK) {
        message_error("reproduce: %s", error.message);
        return false;
    }
    if ((folder_path(of, "results.json", path) && !read_results(of, path)) || !make_folders(of))
        return false;
    if (*lock != NULL)
        remove_all_temporary(of);
    return find_runs(of) && read_outcomes(of);
}

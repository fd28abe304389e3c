/* Settings: all that a run depends on, whatever is learned (a task, facts or a game).
 *
 * The same settings give the same bits.  Numbers that do not belong to a kind of run are 0 and are neither
 * checked, written nor compared for it. */
#ifndef NLM_SETTINGS_H
#define NLM_SETTINGS_H

#include "nlm/game.h"
#include "nlm/needs.h"
#include "nlm/task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Worlds of a batch, episodes of a batch, instances of a pool. */
#define NLM_MAX_BATCH 4096
#define NLM_MAX_EPISODES 1024
#define NLM_MAX_POOL 10000
#define NLM_MAX_PARTS 100

typedef enum nlm_protocol {
    NLM_PROTOCOL_BEST, /* ours: within the paper's budget, and hardly ever without success */
    NLM_PROTOCOL_PAPER /* the paper's own */
} nlm_protocol;
enum { NLM_PROTOCOLS = NLM_PROTOCOL_PAPER + 1 };

/* "best", and the protocol of that name; false if there is none. */
const char *nlm_protocol_name(nlm_protocol protocol);
bool nlm_protocol_find(const char *name, nlm_protocol *protocol);

/* Learning from examples, of a task or of facts: a step draws `batch` worlds and follows the gradient of
 * their mean cross-entropy with Adam (RMSProp if the model is "dilp").  An epoch has `batches` steps.  A run
 * ends when it graduates, or after `epochs`.  The worlds are those of a task, which makes them, or those of a
 * problem, which has them.  Part of a problem is held out: worlds, or of a single world labels.  An exam on
 * that part ends every epoch; a run graduates when it finds no error, and the training data has none either.
 * The model of a run that does not graduate is that of the epoch with the best held-out score.
 *
 * Learning from rewards, of a game: an update plays `batch` episodes, moves drawn by their probability, and
 * follows the gradient of
 *
 *     mean over all steps t of  (return[t] - baseline) log p(move[t]) + entropy H(p)
 *
 * where a return is the sum of the rewards from t on, each step discounted.  Every `interval` episodes there
 * is an exam: instances of the three most recent lessons (a lesson is a number of objects), solved with
 * moves drawn by probability.  Solved and failed instances fill two pools, from which the next episodes take
 * their instances.  An exam that solves enough is followed by the exam of the next lesson, with a lower rate
 * and entropy; the one after the last lesson by the final exam, which is greedy and allows no failure. */
typedef struct nlm_settings {
    /* One of the three; of facts, settings that were read from a file have none. */
    const nlm_task *task;
    const nlm_problem *problem; /* must outlive whoever has the settings */
    const nlm_game *game;
    nlm_protocol protocol; /* the source of the values below, which alone count */
    nlm_spec spec;
    uint64_t data; /* nlm_problem_digest of the problem, nlm_gallery_digest of a task's gallery; else 0 */
    /* Cross-validation of facts: their worlds, or of a single world its labels, are dealt out to so many
     * parts (0: none), the same ones for all runs, and a run sees nothing of part `hidden_part`, from 1 on.
     * Not in files. */
    int parts, hidden_part;
#define NLM_ROW(type, name, ...) type name;
#define NLM_SPEC_ROW(...)
#include "nlm/settings_rows.h"
#undef NLM_ROW
#undef NLM_SPEC_ROW
} nlm_settings;

/* ---- rows ---- */

typedef enum nlm_setting_type {
    NLM_WHOLE, /* int */
    NLM_REAL,  /* double */
    NLM_SEED,  /* uint64_t */
    NLM_FLAG,  /* bool, as 0 or 1 */
    NLM_WORD,  /* an enum, as one of `words` */
    NLM_LIST   /* ints with commas between them, or 0 for none */
} nlm_setting_type;

/* What is learned: runs that have a setting. */
enum {
    NLM_OF_TASKS = 1,
    NLM_OF_FACTS = 2,
    NLM_OF_GAMES = 4,
    NLM_OF_EXAMPLES = NLM_OF_TASKS | NLM_OF_FACTS,
    NLM_OF_ALL = NLM_OF_EXAMPLES | NLM_OF_GAMES
};

typedef struct nlm_setting {
    const char *name; /* "lr_decay": --lr-decay, "lr_decay" in files */
    nlm_setting_type type;
    size_t place; /* in nlm_settings */
    double least, most;
    unsigned runs;            /* that have it */
    const char *argument;     /* as the help calls its value */
    const char *help;         /* one line */
    const char *const *words; /* of an NLM_WORD, NULL after the last */
    unsigned fixed;           /* runs that have it, but whose value follows from what is learned */
    const char *models;       /* that have it, "nlm memnn"; NULL: all */
    const char *instead;      /* its counterpart in runs that do not have it, or NULL */
    /* Of tasks, facts and games: "line: part of the line", with # for the number, % for a percentage, ? for
     * yes or no.  NULL: as of the one before, or not at all. */
    const char *shown[3];
    const char *unshown; /* the value that is left out, or NULL */
    const char *absent;  /* its value where no protocol or recipe names it, and in files of versions that did
                            not have it; NULL: 0, and it must be in files */
    bool seldom;         /* files leave it out where it has the value `absent` */
    bool may_change;     /* a run may go on with another value: its budget */
    bool at_work;        /* how a model works when it has been learned; tests may use another value */
} nlm_setting;

int nlm_setting_count(void);
const nlm_setting *nlm_setting_at(int index);
/* Whether the text is a value of it.  The message begins with the name of the setting. */
nlm_status nlm_setting_check(const nlm_setting *setting, const char *text, nlm_error *error);
/* What a file says about it, or its value in older files; NULL if neither is known. */
const char *nlm_setting_in(const nlm_setting *setting, const nlm_machine *machine);
/* "tasks and facts, learned from examples"; "" for all. */
const char *nlm_runs_name(unsigned runs);

enum { NLM_SETTING_TEXT = 32 };
/* Set one, of a run and a model that have it.  What depends on it follows: a smaller batch has fewer worlds
 * of each kind, later lessons a larger final exam; so set these afterwards.  The message begins with the
 * name, and the settings stay as they were. */
nlm_status nlm_settings_set(nlm_settings *settings, const char *name, const char *text, nlm_error *error);
/* Its value as a text, from which nlm_settings_set gets the very same value; false if there is no such
 * setting. */
bool nlm_settings_get(const nlm_settings *settings, const char *name, char text[NLM_SETTING_TEXT]);

/* ---- whole settings ---- */

/* The settings of a protocol for a task or a game, with seed 1. */
nlm_status nlm_settings_of_task(const nlm_task *task, nlm_protocol protocol, nlm_settings *settings,
                                nlm_error *error);
nlm_status nlm_settings_of_game(const nlm_game *game, nlm_protocol protocol, nlm_settings *settings,
                                nlm_error *error);
/* The same for a problem, for a machine of the size that it needs (NULL: of depth 4, and one breadth more
 * than its arities). */
nlm_status nlm_settings_of_problem(const nlm_problem *problem, const nlm_needs *needs, nlm_protocol protocol,
                                   nlm_settings *settings, nlm_error *error);

/* All models, the machine first, "nlm"; NULL after the last.  Whether one needs templates. */
const char *nlm_model_name(int index);
bool nlm_model_has_templates(const char *model);

/* Learn the same with another model, "memnn" ("nlm": the machine itself), at the size that the paper gives
 * it.  All else stays, so begin with the settings of the paper's protocol to compare as the paper does; only
 * sort has other settings for a memory network. */
nlm_status nlm_settings_use_model(nlm_settings *settings, const char *model, nlm_error *error);

/* Templates: what differentiable ILP, the model "dilp", may define its target by.  From a file
 * (docs/formats.md, templates.pl), or those that the library has for a task; NLM_BAD_ARGUMENT if it has none.
 */
typedef struct nlm_templates nlm_templates;
nlm_status nlm_templates_read(const char *path, nlm_templates **templates, nlm_error *error);
nlm_status nlm_templates_of_task(const nlm_task *task, nlm_templates **templates, nlm_error *error);
void nlm_templates_free(nlm_templates *templates);
/* Learn the same with the model "dilp", as its authors do: 6,000 steps of RMSProp, each on a part of the
 * labels of one world.  All of them are made; the run has graduated if the last epoch's mean loss is below
 * the threshold, here 1e-4.  The settings point into the templates, which serve one run at a time. */
nlm_status nlm_settings_use_templates(nlm_settings *settings, nlm_templates *templates, nlm_error *error);
/* Any model by its name.  "dilp" has the templates of a file or, if `path` is NULL, those of the task;
 * *templates, NULL for other models, must outlive the settings. */
nlm_status nlm_settings_choose_model(nlm_settings *settings, const char *model, const char *path,
                                     nlm_templates **templates, nlm_error *error);

/* The settings that a model or checkpoint was trained with, from its metadata; NLM_BAD_FILE if it has none,
 * or not of a task or game that this version knows.  `name` stands for the model in messages.  A problem is
 * not in the file: of one trained on facts, task, problem and game are NULL, and `data` tells which facts.
 * Nor are pictures: where `data` tells of some, the task wants its gallery before a run can begin.  The spec
 * points into the machine. */
nlm_status nlm_settings_of_machine(const nlm_machine *machine, const char *name, nlm_settings *settings,
                                   nlm_error *error);
/* How a model of the game works (nlm_setting.at_work), as its file says, or as models of older versions do:
 * for nlm_agent_use and nlm_test_use. */
nlm_status nlm_settings_at_work(const nlm_machine *machine, const nlm_game *game, nlm_settings *settings,
                                nlm_error *error);
enum { NLM_WORK_TEXT = 160 };
/* "No move is made twice in the same position; each time a move was made in the episode, its probability is
 * multiplied by 0.25." */
const char *nlm_work_text(const nlm_settings *settings, char text[NLM_WORK_TEXT]);
/* Whether a run with one is a run with the other: all settings are equal, the budget left out.  If not, the
 * error tells the difference; `name` stands for the file that has the first. */
nlm_status nlm_settings_compare(const nlm_settings *found, const nlm_settings *wanted, const char *name,
                                nlm_error *error);

#ifdef __cplusplus
}
#endif
#endif

/* What tasks, facts and games have in common as subjects of `nlm train`. */
#include "learner.h"

#include <stdlib.h>
#include <string.h>

/* ---- subjects ---- */

static bool is_game(const subject *of)
{
    return of->kind == &learner_of_games;
}

nlm_status subject_default(task_or_game what, nlm_protocol protocol, subject *made, nlm_error *error)
{
    made->kind = what.game != NULL ? &learner_of_games : &learner_of_tasks;
    return what.game != NULL ? nlm_settings_of_game(what.game, protocol, &made->course, error)
                             : nlm_settings_of_task(what.task, protocol, &made->training, error);
}

subject subject_of_facts(const nlm_settings *training, const char *name, const nlm_needs *needs)
{
    return (subject){.kind = &learner_of_facts, .training = *training, .name = name, .needs = needs};
}

/* All templates in use, each pointing to the next. */
typedef struct kept_templates {
    struct kept_templates *next;
    nlm_templates *templates;
} kept_templates;

static kept_templates *all_templates;

void subject_free_templates(void)
{
    while (all_templates != NULL) {
        kept_templates *first = all_templates;
        all_templates = first->next;
        nlm_templates_free(first->templates);
        free(first);
    }
}

nlm_status subject_use_templates(subject *of, const char *path, nlm_error *error)
{
    nlm_settings *training = &of->training;
    kept_templates *kept = calloc(1, sizeof *kept);
    if (kept == NULL) {
        *error = (nlm_error){.status = NLM_NO_MEMORY, .message = "not enough memory"};
        return NLM_NO_MEMORY;
    }
    kept->next = all_templates;
    all_templates = kept;
    nlm_status status = path != NULL ? nlm_templates_read(path, &kept->templates, error)
                                     : nlm_templates_of_task(training->task, &kept->templates, error);
    nlm_error cause;
    if (status != NLM_OK)
        return status;
    status = nlm_settings_use_templates(training, kept->templates, &cause);
    const bool names_file = path != NULL && status != NLM_BAD_SHAPE; /* which is what facts have wrong */
    if (status != NLM_OK) {
        error->status = status;
        snprintf(error->message, sizeof error->message, "%.200s%s%.300s", names_file ? path : "",
                 names_file ? ": " : "", cause.message);
    }
    return status;
}

nlm_status subject_use_model(subject *of, const char *model, nlm_error *error)
{
    if (of->kind == &learner_of_tasks && strcmp(model, "dilp") == 0)
        return subject_use_templates(of, NULL, error);
    return is_game(of) ? nlm_settings_use_model(&of->course, model, error)
                       : nlm_settings_use_model(&of->training, model, error);
}

const char *subject_name(const subject *of)
{
    if (is_game(of))
        return of->course.game->name;
    if (of->training.task != NULL)
        return of->training.task->name;
    return of->name != NULL ? of->name : "facts";
}

nlm_spec *subject_spec(subject *of)
{
    return is_game(of) ? &of->course.spec : &of->training.spec;
}

uint64_t subject_seed(const subject *of)
{
    return is_game(of) ? of->course.seed : of->training.seed;
}

void subject_set_seed(subject *of, uint64_t seed)
{
    *(is_game(of) ? &of->course.seed : &of->training.seed) = seed;
}

bool subject_has_goal(const subject *of)
{
    return of->kind != &learner_of_tasks || of->training.threshold > 0;
}

/* ---- what files are of ---- */

static nlm_status refuse(const char *path, const char *found, const subject *wanted, nlm_error *error)
{
    if (error != NULL) {
        error->status = NLM_BAD_ARGUMENT;
        snprintf(error->message, sizeof error->message, "%.200s: a run of %s, not of %s", path, found,
                 subject_name(wanted));
    }
    return NLM_BAD_ARGUMENT;
}

/* Facts by their signature, tasks or games by the name that a machine records; *name is NULL if nobody knows
 * it, and then the kind is that of what is wanted, whose reader will say what is wrong. */
static const learner_kind *recorded_kind(const nlm_machine *machine, const subject *wanted, const char **name)
{
    *name = "facts";
    if (nlm_machine_metadata(machine, "signature") != NULL)
        return &learner_of_facts;
    const task_or_game found = task_or_game_of(nlm_machine_metadata(machine, "task"));
    *name = found.task != NULL ? found.task->name : found.game != NULL ? found.game->name : NULL;
    if (*name == NULL && wanted != NULL)
        return wanted->kind;
    return found.game != NULL ? &learner_of_games : &learner_of_tasks;
}

nlm_status subject_check(const subject *wanted, const nlm_machine *machine, const char *path,
                         nlm_error *error)
{
    const char *name;
    subject found = {.kind = recorded_kind(machine, wanted, &name)};
    if (found.kind != wanted->kind)
        return refuse(path, name, wanted, error);
    const nlm_status status = found.kind->recorded(machine, path, &found, error);
    return status == NLM_OK ? found.kind->compare(&found, wanted, path, error) : status;
}

nlm_status learner_load(const char *path, const subject *wanted, const nlm_options *options, learner *made,
                        nlm_error *error)
{
    const char *name = NULL;
    const learner_kind *kind = wanted != NULL ? wanted->kind : &learner_of_tasks;
    nlm_machine *machine;
    if (nlm_machine_load(path, &machine, NULL) == NLM_OK)
        kind = recorded_kind(machine, wanted, &name);
    nlm_machine_free(machine);
    *made = (learner){.kind = kind};
    if (wanted != NULL && wanted->kind != kind)
        return refuse(path, name, wanted, error);
    return kind->load(path, wanted, options, made, error);
}

bool learner_peek(const char *path, subject *of, report *so_far, nlm_machine **machine)
{
    const char *name;
    if (nlm_machine_load(path, machine, NULL) != NLM_OK)
        return false;
    *of = (subject){.kind = recorded_kind(*machine, NULL, &name)};
    const char *stage = nlm_machine_metadata(*machine, "stage");
    const bool facts = of->kind == &learner_of_facts && stage != NULL &&
                       of->kind->recorded(*machine, path, of, NULL) == NLM_OK;
    if (facts) {
        of->kind->recall(*machine, so_far);
        so_far->stage = strcmp(stage, "learning") == 0 ? NLM_LEARNING : NLM_EXHAUSTED;
        return true;
    }
    nlm_machine_free(*machine);
    *machine = NULL;
    return false;
}

void learner_end(learner *run)
{
    if (run->kind != NULL)
        run->kind->end(run);
}

/* The watch of a test: whether it may go on. */
static bool may_go_on(void *context, const nlm_score *so_far)
{
    (void)so_far;
    int (*const *stop)(void) = context;
    return (*stop)() == 0;
}

nlm_status learner_test(nlm_status made, nlm_test *test, int count, int (*stop)(void), nlm_score *result,
                        nlm_error *error)
{
    nlm_status status = made;
    if (status == NLM_OK)
        status = nlm_test_run(test, count, may_go_on, &stop, error);
    if (status == NLM_OK)
        *result = nlm_test_score(test);
    nlm_test_free(test);
    return status;
}

/* ---- texts ---- */

double learner_metadata(const nlm_machine *machine, const char *key)
{
    const char *text = nlm_machine_metadata(machine, key);
    const double number = text != NULL ? strtod(text, NULL) : 0;
    return number >= 0 && number <= 1e15 ? number : 0;
}

void learner_print_time(const report *of, double elapsed)
{
    if (!of->was_done)
        printf(" and %.1f s", elapsed);
}

void learner_print_restarts(int restarts)
{
    if (restarts > 0)
        printf(", %d restart%s among them", restarts, restarts == 1 ? "" : "s");
}

void learner_print_other_seeds(uint64_t seed)
{
    printf("  - another seed: --seed %llu, or several at once: --seeds 10\n", (unsigned long long)seed + 1);
}

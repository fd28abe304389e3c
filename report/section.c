/* The section of runs that learned the same: what they reached, curves, the machine, and what it does with
 * worlds that it has never seen. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "nlm/infer.h"
#include "nlm/rules.h"
#include "report/storage.h"
#include "report/confusion.h"
#include "report/derivations.h"
#include "report/evaluate.h"
#include "report/machine_picture.h"
#include "report/report.h"
#include "report/words.h"

enum { WORLDS_LOOKED_AT = 3, TITLE_SIZE = 200, OBJECTS_MOST = 200 };

const char *section_anchor(int first, char text[ANCHOR_SIZE])
{
    snprintf(text, ANCHOR_SIZE, "task-%d", first + 1);
    return text;
}

/* ---- words ---- */

static void put_reached(page *p, const nlm_found_run *run, const tally *of)
{
    char text[WORD_SIZE];
    const double paper = run->by[0]  ? -1 /* which tells it of the machine only */
                         : run->task ? run->task->graduation
                         : run->game ? run->game->graduation
                                     : -1;
    if (of->runs == 1) {
        static const char *const words[] = {[NLM_FOUND_GRADUATED] = "\xe2\x9c\x93 graduated",
                                            [NLM_FOUND_NOT_GRADUATED] = "\xe2\x9c\x97 did not graduate",
                                            [NLM_FOUND_LEARNED] = "trained for the whole budget",
                                            [NLM_FOUND_GOING] = "\xe2\x80\xa6 not finished",
                                            [NLM_FOUND_FAILED] = "\xe2\x9c\x97 ended with an error",
                                            [NLM_FOUND_UNKNOWN] = "outcome not recorded"};
        page_put(p, words[run->state]);
    } else {
        if (of->learned > 0)
            page_print(p, "%d of %d runs trained for the whole budget", of->learned, of->runs);
        else
            page_print(p, "%d of %d runs graduated", of->graduated, of->runs);
        if (of->going > 0)
            page_print(p, ", %d not finished", of->going);
        if (of->failed > 0)
            page_print(p, ", %d ended with an error", of->failed);
    }
    if (paper > 0)
        page_print(p, " (paper: %s)", word_share(paper, text));
    if (!isnan(of->amount))
        page_print(p, ", %s %s%s", word_count(of->amount, text),
                   run->game || run->log.kind == NLM_LOG_OF_EXAMS ? "episodes" : "examples",
                   of->runs > 1 ? " (median)" : "");
    if (!isnan(of->seconds))
        page_print(p, ", %s%s", word_seconds(of->seconds, text), of->runs > 1 ? " (median)" : "");
    if (of->tested > 0 && of->learned == 0)
        page_print(p, "; %d of %d graduated and made no error in tests", of->exact, of->runs);
    page_put(p, ".");
}

/* The command that makes the same runs again, where settings and seeds allow to name it. */
static void put_command(page *p, const nlm_found_runs *list, int first, int end)
{
    const nlm_found_run *run = nlm_found_at(list, first);
    const char *name = run->task ? run->task->name : run->game ? run->game->name : NULL;
    const int runs = end - first;
    for (int i = first; i < end; i++) {
        const nlm_found_run *other = nlm_found_at(list, i);
        if (!name || !other->usual || !other->seed_known || other->budget != run->budget ||
            other->data != run->data || other->seed != run->seed + (uint64_t)(i - first))
            return;
    }
    page_wrap(p, "<p>Repeat it: <code>nlm train ", name, "");
    if (run->by[0])
        page_wrap(p, " --model ", run->by, "");
    if (strcmp(run->protocol, "best"))
        page_wrap(p, " --protocol ", run->protocol, "");
    if (run->seed != 1)
        page_print(p, " --seed %" PRIu64, run->seed);
    if (run->drawn)
        page_put(p, " --images drawn");
    if (run->budget > 0)
        page_print(p, run->game ? " --episodes %d" : " --epochs %d", run->budget);
    if (runs > 1)
        page_print(p, " --seeds %d -o FOLDER</code></p>\n", runs);
    else
        page_print(p, " -o %s.nlm --log %s.jsonl</code></p>\n", name, name);
}

static void put_heading(page *p, const nlm_found_runs *list, int first, int end, const tally *of)
{
    const nlm_found_run *run = nlm_found_at(list, first);
    char anchor[ANCHOR_SIZE];
    page_print(p, "<section id=\"%s\">\n<h2>", section_anchor(first, anchor));
    run_title_put(p, run);
    page_put(p, "</h2>\n<p>");
    if (run->task || run->game)
        page_wrap(p, "", run->task ? run->task->description : run->game->description, "<br>");
    put_reached(p, run, of);
    page_put(p, "</p>\n");
    if (nlm_found_settings(list) == 0)
        put_command(p, list, first, end);
}

/* ---- worlds ---- */

/* A run with its machine, and the worlds that the machine is shown on: of its task, its game, or facts that
 * were given. */
typedef struct loaded_run {
    nlm_report *report;
    const nlm_found_run *run;
    nlm_task task;     /* the run's, with images if its objects show some */
    bool lacks_images; /* they do, and there are none */
    nlm_machine *machine;
    nlm_program *program; /* NULL if it is none */
    nlm_signature *signature;
    nlm_problem *problem;
    nlm_world *world;
} loaded_run;

static const char *path_of(const nlm_found_run *run)
{
    return run->model ? run->model : run->checkpoint;
}

/* The images that were given, or else such as it learned from. */
static void find_images(loaded_run *of)
{
    const nlm_found_run *run = of->run;
    remarks *noted = &of->report->noted;
    if (!run->task)
        return;
    of->task = *run->task;
    if (!run->task->sense)
        return;
    of->task.gallery = run->drawn && !of->report->for_all ? NULL : of->report->gallery;
    of->lacks_images = !of->report->images && !run->drawn;
    if (of->lacks_images)
        remarks_add(
            noted,
            "%.300s: conclusions are not shown, because %s needs images: nlm report --images DIR, the "
            "folder of MNIST's files, or --images drawn",
            path_of(run), run->task->name);
    else if (run->data != (of->task.gallery ? nlm_gallery_digest(of->task.gallery) : 0))
        remarks_add(noted, "%.300s: trained on other images than those it is tested on here", path_of(run));
}

/* The program by which it concludes, if that is known: of differentiable ILP its most probable clauses, which
 * may be none. */
static nlm_status find_program(loaded_run *of, nlm_error *error)
{
    if (nlm_machine_has_program(of->machine) && nlm_machine_spec(of->machine)->sense)
        return NLM_OK; /* its facts are what a network sees */
    if (nlm_machine_has_program(of->machine))
        return nlm_program_in(of->machine, path_of(of->run), &of->program, error);
    if (!nlm_machine_spec(of->machine)->program)
        return NLM_OK;
    const nlm_status status = nlm_clauses_program(of->machine, path_of(of->run), &of->program, error);
    return status == NLM_NO_MEMORY ? status : NLM_OK;
}

static nlm_status load_run(loaded_run *of, nlm_error *error)
{
    find_images(of);
    nlm_status status = nlm_machine_load(path_of(of->run), &of->machine, error);
    if (!status)
        status = nlm_world_new(&of->world, error);
    if (!status && !of->run->game && (of->run->task || of->run->of_facts))
        status = nlm_signature_of_model(of->machine, path_of(of->run), &of->signature, error);
    if (!status && of->signature)
        status = find_program(of, error);
    if (status || !of->run->of_facts || !of->report->facts)
        return status;
    const nlm_reading reading = {.signature = of->signature};
    return nlm_problem_read(of->report->facts, &reading, &of->problem, error);
}

static void release_run(loaded_run *of)
{
    nlm_problem_free(of->problem);
    nlm_program_free(of->program);
    nlm_signature_free(of->signature);
    nlm_world_free(of->world);
    nlm_machine_free(of->machine);
}

static nlm_status test_world(loaded_run *of, long number, int objects, nlm_error *error)
{
    return nlm_task_generate(&of->task, NLM_WORLDS_PAPER, of->run->seed, NLM_TEST_WORLDS + (uint64_t)number,
                             objects, of->world, error);
}

static nlm_status add_positions(loaded_run *of, nlm_evaluator *evaluator, nlm_error *error)
{
    const int objects = of->run->game->test_objects[0];
    nlm_position *position = NULL;
    nlm_status status = evaluate_fits(of->machine, objects, error);
    if (!status)
        status = nlm_position_new(of->run->game, &position, error);
    for (int i = 0; i < WORLDS_LOOKED_AT && !status; i++) {
        status =
            nlm_position_draw(position, of->run->seed, NLM_TEST_WORLDS + (uint64_t)i, objects, true, error);
        if (!status)
            status = nlm_batch_add_position(nlm_evaluator_batch(evaluator), position, error);
    }
    nlm_position_free(position);
    return status;
}

/* A few worlds to see which predicates are alive; *count of them, and what they are called. */
static nlm_status add_worlds(loaded_run *of, nlm_evaluator *evaluator, int *count, char title[TITLE_SIZE],
                             nlm_error *error)
{
    const nlm_found_run *run = of->run;
    const int given = of->problem ? nlm_problem_worlds(of->problem) : 0;
    *count =
        (run->task && !of->lacks_images) || run->game || given > WORLDS_LOOKED_AT ? WORLDS_LOOKED_AT : given;
    if (run->game) {
        snprintf(title, TITLE_SIZE, "%d test instances of %d objects", *count, run->game->test_objects[0]);
        return add_positions(of, evaluator, error);
    }
    if (of->problem)
        snprintf(title, TITLE_SIZE, "%d world%s of %.150s", *count, *count == 1 ? "" : "s",
                 of->report->facts);
    else if (run->task)
        snprintf(title, TITLE_SIZE, "%d test worlds of %d objects", *count, run->task->train_objects);
    nlm_status status = NLM_OK;
    for (int i = 0; i < *count && !status; i++) {
        if (!of->problem)
            status = test_world(of, i, run->task->train_objects, error);
        const nlm_world *world = of->problem ? nlm_problem_world(of->problem, i) : of->world;
        if (!status)
            status = evaluate_fits(of->machine, nlm_world_objects(world), error);
        if (!status)
            status = nlm_evaluator_add(evaluator, world, error);
    }
    return status;
}

/* ---- the machine ---- */

static nlm_status put_machine(page *p, loaded_run *of, nlm_error *error)
{
    nlm_evaluator *evaluator = NULL;
    liveness alive = {0};
    char worlds[TITLE_SIZE] = "", label[RUN_LABEL];
    int count = 0;
    const nlm_options whole = {.lifting = NLM_CLASSES}; /* the values of every unit are kept */
    nlm_status status = nlm_evaluator_new(of->machine, &whole, &evaluator, error);
    if (!status)
        status = add_worlds(of, evaluator, &count, worlds, error);
    if (!status && count > 0)
        status = nlm_evaluator_run(evaluator, false, error);
    if (!status)
        status = liveness_find(&alive, of->machine, nlm_evaluator_pass(evaluator), count, error);
    if (!status) {
        page_wrap(p, "<h3>The machine of ", run_label(of->run, label), "</h3>\n");
        machine_picture_put(p, of->machine, &alive, worlds);
    }
    liveness_release(&alive);
    nlm_evaluator_free(evaluator);
    return status;
}

/* ---- conclusions ---- */

static nlm_status put_confusion(page *p, loaded_run *of, const nlm_world *world, const char *title,
                                nlm_error *error)
{
    return confusion_put(p, of->machine, of->signature, world, of->program, &of->report->figures, title,
                         error);
}

static nlm_status put_test_world(page *p, loaded_run *of, long number, int objects, nlm_error *error)
{
    char title[TITLE_SIZE], label[RUN_LABEL];
    snprintf(title, sizeof title, "test world %ld of %d objects, %s", number, objects,
             run_label(of->run, label));
    nlm_status status = test_world(of, number, objects, error);
    return status ? status : put_confusion(p, of, of->world, title, error);
}

/* The first world with errors at the larger size, or else at the smaller. */
static nlm_status put_failure(page *p, loaded_run *of, nlm_error *error)
{
    const nlm_result *result = &of->run->result;
    for (int t = of->run->has_result && !of->lacks_images ? result->tests - 1 : -1; t >= 0; t--)
        if (result->test[t].first_failure >= 0 && result->test[t].objects > 0 &&
            result->test[t].objects <= OBJECTS_MOST)
            return put_test_world(p, of, result->test[t].first_failure, result->test[t].objects, error);
    return NLM_OK;
}

static bool has_labels(const nlm_world *world)
{
    for (int t = 0; t < nlm_world_targets(world); t++) {
        nlm_label by_default;
        if (nlm_world_labels(world, t, NULL, NULL, &by_default) > 0 || by_default != NLM_UNLABELLED)
            return true;
    }
    return false;
}

static nlm_status put_facts(page *p, loaded_run *of, nlm_error *error)
{
    char title[TITLE_SIZE], order[TITLE_SIZE] = "";
    if (!of->problem) {
        page_put(
            p, "<p>To compare conclusions with labelled facts: <code>nlm report --facts PATH</code>.</p>\n");
        return NLM_OK;
    }
    const int worlds = nlm_problem_worlds(of->problem);
    for (int w = 0; w < worlds; w++) {
        if (!has_labels(nlm_problem_world(of->problem, w)))
            continue;
        const char *name = nlm_problem_world_name(of->problem, w);
        if (worlds > 1)
            snprintf(order, sizeof order, ", %s of %d worlds", w == 0 ? "first" : "first with labels",
                     worlds);
        snprintf(title, sizeof title, "%.80s%s%.60s%s", of->report->facts, name[0] ? "/" : "", name, order);
        return put_confusion(p, of, nlm_problem_world(of->problem, w), title, error);
    }
    remarks_add(&of->report->noted, "%.300s: no labels to compare with", of->report->facts);
    return NLM_OK;
}

/* Its heading only if there is something below it. */
static nlm_status put_conclusions(page *p, loaded_run *of, nlm_error *error)
{
    page made = {0};
    nlm_status status = NLM_OK;
    if (!of->run->task) {
        status = put_facts(&made, of, error);
    } else if (!of->lacks_images) {
        status = put_test_world(&made, of, 0, of->run->task->train_objects, error);
        if (!status)
            status = put_failure(&made, of, error);
    }
    if (made.length > 0 || made.failed)
        page_put(p, "<h3>Conclusions against the truth</h3>\n");
    page_append(p, &made);
    page_release(&made);
    return status;
}

/* ---- the section ---- */

/* The parts about one run, or only the conclusions that have errors.  A failure that is not for want of
 * memory is noted. */
static nlm_status put_run(page *p, nlm_report *report, const nlm_found_run *run, bool errors_only,
                          nlm_error *error)
{
    loaded_run of = {.report = report, .run = run};
    nlm_error cause = {0};
    char label[RUN_LABEL];
    nlm_status status = load_run(&of, &cause);
    if (!status && errors_only)
        status = put_failure(p, &of, &cause);
    if (!status && !errors_only && !run->by[0])
        status = put_machine(p, &of, &cause);
    if (!status && !errors_only && run->by[0] && nlm_machine_spec(of.machine)->program)
        status = clauses_put(p, of.machine, run_label(run, label), &cause);
    if (!status && !errors_only && (run->task || run->of_facts))
        status = put_conclusions(p, &of, &cause);
    if (!status && !errors_only && of.task.sense && !of.lacks_images)
        status = perceived_put(p, of.machine, &of.task, run->seed, run_label(run, label), &cause);
    release_run(&of);
    if (status == NLM_NO_MEMORY) {
        if (error)
            *error = cause;
        return status;
    }
    if (status)
        remarks_add(&report->noted, "%.300s: some parts are not shown: %.200s", path_of(run), cause.message);
    return NLM_OK;
}

static bool has_failure(const nlm_found_run *run)
{
    for (int t = 0; run->has_result && t < run->result.tests; t++)
        if (run->result.test[t].first_failure >= 0)
            return true;
    return false;
}

/* The first run that has a model, or `end`. */
static int first_with_model(const nlm_report *report, int first, int end)
{
    while (first < end && !path_of(nlm_found_at(report->runs, first)))
        first++;
    return first;
}

/* The program of that run, if its model is one.  What cannot be read is noted with the other parts of it. */
static nlm_status put_program(page *p, nlm_report *report, int first, int end, nlm_error *error)
{
    const int at = first_with_model(report, first, end);
    nlm_machine *machine = NULL;
    nlm_error cause = {0};
    char label[RUN_LABEL];
    if (at == end)
        return NLM_OK;
    const nlm_found_run *run = nlm_found_at(report->runs, at);
    nlm_status status = nlm_machine_load(path_of(run), &machine, &cause);
    if (!status && !run->game && nlm_machine_has_program(machine))
        status = program_put(p, machine, path_of(run), run_label(run, label), &cause);
    nlm_machine_free(machine);
    if (status == NLM_NO_MEMORY && error)
        *error = cause;
    return status == NLM_NO_MEMORY ? status : NLM_OK;
}

/* The first run that has a model; and the errors of another run, if the first has none. */
static nlm_status put_runs(page *p, nlm_report *report, int first, int end, nlm_error *error)
{
    const int at = first_with_model(report, first, end);
    if (at == end)
        return NLM_OK;
    const nlm_found_run *shown = nlm_found_at(report->runs, at);
    nlm_status status = put_run(p, report, shown, false, error);
    for (int i = first; i < end && !status && !has_failure(shown); i++) {
        const nlm_found_run *run = nlm_found_at(report->runs, i);
        if (run->task && run->model && has_failure(run))
            return put_run(p, report, run, true, error);
    }
    return status;
}

nlm_status section_put(page *p, nlm_report *report, int first, int end, nlm_error *error)
{
    const nlm_found_runs *list = report->runs;
    tally of;
    nlm_status status = tally_make(list, first, end, &of);
    if (!status) {
        put_heading(p, list, first, end, &of);
        status = put_program(p, report, first, end, error);
    }
    if (!status)
        status = curves_put(p, list, first, end);
    if (status)
        return report_no_memory(error);
    status = put_runs(p, report, first, end, error);
    if (!status && nlm_found_at(list, first)->game)
        status = episodes_put(p, report, first, end, error);
    page_put(p, "</section>\n");
    return status;
}

/* Problems: read from a draft or generated, and what can be asked of them. */
#include "facts/problem.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/constants.h"
#include "facts/fact_files.h"
#include "facts/sheet.h"
#include "facts/split.h"
#include "facts/thresholds.h"
#include "task/task.h"

/* ---- life ---- */

nlm_status problem_new(nlm_problem **problem, nlm_error *error)
{
    *problem = memory_new(1, sizeof **problem);
    return *problem ? NLM_OK : error_no_memory(error);
}

void nlm_problem_free(nlm_problem *problem)
{
    if (!problem)
        return;
    for (int w = 0; w < problem->world_count; w++)
        nlm_world_free(((nlm_world **)problem->worlds.data)[w]);
    nlm_signature_free(problem->signature);
    buffer_free(&problem->worlds);
    buffer_free(&problem->names);
    buffer_free(&problem->contradictions);
    buffer_free(&problem->columns);
    if (problem->table)
        sheet_free(problem->table);
    memory_free(problem->table);
    text_free(&problem->texts);
    notes_free(&problem->notes);
    memory_free(problem);
}

nlm_status problem_add_world(nlm_problem *problem, const char *name, nlm_world **world, nlm_error *error)
{
    size_t count = (size_t)problem->world_count + 1;
    const char *copy = text_keep(&problem->texts, name, strlen(name));
    if (!copy || buffer_reserve(&problem->worlds, count, sizeof *world, true) ||
        buffer_reserve(&problem->names, count, sizeof copy, true))
        return error_no_memory(error);
    nlm_status status = nlm_world_new(world, error);
    if (status)
        return status;
    ((nlm_world **)problem->worlds.data)[problem->world_count] = *world;
    ((const char **)problem->names.data)[problem->world_count++] = copy;
    return NLM_OK;
}

/* ---- reading ---- */

/* How columns were understood, with copies of the texts. */
static nlm_status keep_columns(nlm_problem *problem, const draft *in, nlm_error *error)
{
    if (buffer_reserve(&problem->columns, (size_t)in->column_count, sizeof(nlm_table_column), false))
        return error_no_memory(error);
    for (int c = 0; c < in->column_count; c++) {
        nlm_table_column *kept = (nlm_table_column *)problem->columns.data + c;
        *kept = ((const nlm_table_column *)in->columns.data)[c];
        kept->table = text_keep(&problem->texts, kept->table, strlen(kept->table));
        kept->name = text_keep(&problem->texts, kept->name, strlen(kept->name));
        kept->facts = text_keep(&problem->texts, kept->facts, strlen(kept->facts));
        if (!kept->table || !kept->name || !kept->facts)
            return error_no_memory(error);
    }
    problem->column_count = in->column_count;
    return NLM_OK;
}

nlm_status problem_of_draft(draft *in, const nlm_reading *reading, const char *path, nlm_problem **problem,
                            nlm_error *error)
{
    meaning what = {0};
    nlm_problem *made;
    nlm_status status = problem_new(&made, error);
    if (!status)
        status = constants_divide(in, reading, path, error);
    if (!status)
        status = meaning_find(&what, in, reading, path, error);
    if (!status)
        status = split_worlds_of(in, &what, reading, path, &made->split, error);
    if (!status) {
        made->signature = what.signature;
        made->labelled = what.labelled;
        made->closed = what.closed;
        status = problem_build(made, in, &what, path, error);
        what.signature = NULL;
        if (!status && !reading->signature)
            status = thresholds_choose(made, error);
    }
    if (!status)
        status = keep_columns(made, in, error);
    meaning_free(&what);
    if (status) {
        nlm_problem_free(made);
        made = NULL;
    } else {
        made->notes = in->notes;
        in->notes = (notes){0};
        made->table = in->table;
        made->table_key = in->table_key;
        in->table = NULL;
    }
    *problem = made;
    return status;
}

nlm_status nlm_problem_read(const char *path, const nlm_reading *reading, nlm_problem **problem,
                            nlm_error *error)
{
    REQUIRE(problem, error);
    static const nlm_reading plain = {0};
    *problem = NULL;
    REQUIRE(path, error);
    const nlm_reading *wanted = reading ? reading : &plain;
    draft files;
    nlm_status status = draft_start(&files, error);
    if (!status)
        status = fact_files_read(&files, path, wanted, error);
    if (!status)
        status = problem_of_draft(&files, wanted, strcmp(path, "-") ? path : "<stdin>", problem, error);
    draft_free(&files);
    return status;
}

/* ---- generating ---- */

/* The deepest of `of` worlds, the first of several. */
static nlm_status generate_world(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t first,
                                 int of, int objects, nlm_world *world, nlm_error *error)
{
    uint64_t chosen = first;
    int deepest = -1;
    nlm_status status = NLM_OK;
    for (int w = 0; w < of && of > 1 && !status; w++) {
        int depth = 0;
        status = nlm_task_generate(task, kind, seed, first + (uint64_t)w, objects, world, error);
        if (!status)
            status = task_depth(task, world, &depth, error);
        if (!status && depth > deepest) {
            deepest = depth;
            chosen = first + (uint64_t)w;
        }
    }
    return status ? status : nlm_task_generate(task, kind, seed, chosen, objects, world, error);
}

nlm_status nlm_problem_generate(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t first,
                                int objects, int worlds, nlm_problem **problem, nlm_error *error)
{
    return nlm_problem_generate_deep(task, kind, seed, first, 1, objects, worlds, problem, error);
}

nlm_status nlm_problem_generate_deep(const nlm_task *task, nlm_world_kind kind, uint64_t seed, uint64_t first,
                                     int of, int objects, int worlds, nlm_problem **problem, nlm_error *error)
{
    REQUIRE(problem, error);
    *problem = NULL;
    REQUIRE(task, error);
    if (worlds < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "a problem of %d worlds: it has at least 1", worlds);
    if (of < 1)
        return error_set(error, NLM_BAD_ARGUMENT, "the deepest of %d worlds: that is at least of 1", of);
    int digits = 4; /* worlds are called 0001, 0002, ... */
    for (int most = worlds / 10000; most > 0 && digits < 10; most /= 10)
        digits++;
    nlm_problem *made;
    nlm_status status = problem_new(&made, error);
    if (!status)
        status = nlm_signature_of_task(task, &made->signature, error);
    for (int w = 0; w < worlds && !status; w++) {
        char name[16];
        nlm_world *world;
        snprintf(name, sizeof name, "%0*d", digits, w + 1);
        status = problem_add_world(made, worlds == 1 ? "" : name, &world, error);
        if (!status)
            status = generate_world(task, kind, seed, first + (uint64_t)w * (uint64_t)of, of, objects, world,
                                    error);
    }
    if (status) {
        nlm_problem_free(made);
        return status;
    }
    made->labelled = (1u << nlm_signature_targets(made->signature)) - 1;
    made->closed = true;
    *problem = made;
    return NLM_OK;
}

/* ---- questions ---- */

const nlm_signature *nlm_problem_signature(const nlm_problem *problem)
{
    return problem->signature;
}

int nlm_problem_worlds(const nlm_problem *problem)
{
    return problem->world_count;
}

const nlm_world *nlm_problem_world(const nlm_problem *problem, int world)
{
    return world >= 0 && world < problem->world_count ? ((nlm_world *const *)problem->worlds.data)[world]
                                                      : NULL;
}

const char *nlm_problem_world_name(const nlm_problem *problem, int world)
{
    return world >= 0 && world < problem->world_count ? ((const char *const *)problem->names.data)[world]
                                                      : NULL;
}

bool nlm_problem_labelled(const nlm_problem *problem)
{
    return problem->labelled != 0;
}

bool nlm_problem_split(const nlm_problem *problem)
{
    return problem->split;
}

bool nlm_problem_closed(const nlm_problem *problem)
{
    return problem->closed;
}

int nlm_problem_columns(const nlm_problem *problem)
{
    return problem->column_count;
}

const nlm_table_column *nlm_problem_column(const nlm_problem *problem, int column)
{
    return column >= 0 && column < problem->column_count
               ? (const nlm_table_column *)problem->columns.data + column
               : NULL;
}

int nlm_problem_notes(const nlm_problem *problem)
{
    return problem->notes.count;
}

const char *nlm_problem_note(const nlm_problem *problem, int note)
{
    return note >= 0 && note < problem->notes.count ? notes_at(&problem->notes, note) : NULL;
}

int nlm_problem_contradictions(const nlm_problem *problem)
{
    return problem->contradiction_count;
}

nlm_contradiction nlm_problem_contradiction(const nlm_problem *problem, int index)
{
    if (index < 0 || index >= problem->contradiction_count)
        return (nlm_contradiction){.world = -1, .target = -1};
    return ((const nlm_contradiction *)problem->contradictions.data)[index];
}

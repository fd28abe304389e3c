/* Problems written into a folder.
 *
 * First all files are planned, then they are written, and appear together (facts/staging.h).  In tables a
 * predicate has the file NAME.csv; those that cannot have one go into a bk.pl beside the tables: predicates
 * without arguments, of the same name as another, or of a name that no such file may have, and attributes. If
 * a target is of this kind, all labels go into exs.pl.  What the objects of a world show is written beside
 * its facts, as images/OBJECT.pgm. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "facts/bias_write.h"
#include "facts/folder.h"
#include "facts/output.h"
#include "facts/problem.h"
#include "facts/staging.h"
#include "nlm/gallery.h"
#include "perception/picture.h"
#include "syntax/constant.h"
#include "syntax/number.h"
#include "world/tuples.h"

#define IMAGES "images"

enum { LONGEST_TABLE = 200 }; /* bytes of a name that is to be part of a file's */

typedef enum file_kind {
    FILE_BIAS,
    FILE_FACTS,    /* bk.pl */
    FILE_EXAMPLES, /* exs.pl */
    FILE_OBJECTS,  /* object.csv */
    FILE_INPUT,    /* tables */
    FILE_TRUE,
    FILE_FALSE,
    FILE_IMAGE
} file_kind;

/* One file of the staging, by the same number. */
typedef struct planned {
    file_kind kind;
    int world;
    int predicate; /* or object, of an image */
} planned;

struct writing {
    const nlm_problem *problem;
    const nlm_signature *signature;
    nlm_form form;
    bool label_tables; /* labels are in tables, not in exs.pl */
    bool object_table; /* objects are; those with types are declared in bk.pl, where some may have none */
    staging staging;
    buffer files;  /* planned */
    buffer lonely; /* bool per object of a world: neither facts nor labels mention it */
    nlm_error *error;
};

/* ---- what goes where ---- */

static bool is_same(const nlm_predicate *a, const nlm_predicate *b)
{
    return !signature_is_derived(b) && a->arity == b->arity && !strcmp(a->name, b->name);
}

/* Whether predicate `number` is the first of its name and arity: patterns go where their predicate goes. */
static bool is_first(const nlm_signature *signature, int side, int number)
{
    const nlm_predicate *predicate = signature_at(signature, side, number);
    for (int i = 0; i < number; i++)
        if (is_same(predicate, signature_at(signature, side, i)))
            return false;
    return !signature_is_derived(predicate);
}

/* Whether a file can have the predicate's name, and no other predicate of that side has it. */
static bool has_table(const struct writing *in, int side, const nlm_predicate *predicate)
{
    const char *name = predicate->name;
    size_t length = strlen(name);
    if (in->form == NLM_FORM_FOLDER || predicate->arity == 0 || name[0] == '.' || constant_is_in(name) ||
        length > LONGEST_TABLE || !strcmp(name, "object") ||
        (length > 4 && !strcmp(name + length - 4, ".neg")))
        return false;
    for (int i = 0; i < in->signature->count[side]; i++) {
        const nlm_predicate *other = signature_at(in->signature, side, i);
        if (!signature_is_derived(other) && !is_same(predicate, other) && !strcmp(other->name, name))
            return false;
    }
    return true;
}

/* Labels are in tables if each target can have its own, and no input takes it. */
static bool labels_have_tables(const struct writing *in)
{
    const nlm_signature *signature = in->signature;
    for (int t = 0; t < signature->count[SIGNATURE_TARGETS]; t++) {
        const nlm_predicate *target = signature_at(signature, SIGNATURE_TARGETS, t);
        if (!has_table(in, SIGNATURE_TARGETS, target))
            return false;
        for (int i = 0; i < signature->count[SIGNATURE_INPUTS]; i++) {
            const nlm_predicate *input = signature_at(signature, SIGNATURE_INPUTS, i);
            if (!signature_is_derived(input) && !strcmp(input->name, target->name))
                return false;
        }
    }
    return true;
}

static bool goes_to_facts(const struct writing *in, int input)
{
    const nlm_predicate *predicate = signature_at(in->signature, SIGNATURE_INPUTS, input);
    return !signature_is_derived(predicate) && !has_table(in, SIGNATURE_INPUTS, predicate);
}

/* ---- labels and objects of a world ---- */

static bool has_labels(const struct writing *in, int target)
{
    return in->problem->labelled >> target & 1;
}

/* What is called for each tuple that is written. */
typedef void (*tuple_visitor)(void *context, const nlm_world *world, const nlm_predicate *predicate,
                              const int *tuple);

/* The facts of the inputs of the same name and arity as `input`. */
static void visit_facts(const struct writing *in, int world_number, int input, tuple_visitor visit,
                        void *context)
{
    const nlm_world *world = nlm_problem_world(in->problem, world_number);
    const nlm_predicate *first = signature_at(in->signature, SIGNATURE_INPUTS, input);
    for (int i = input; i < in->signature->count[SIGNATURE_INPUTS]; i++) {
        const nlm_predicate *predicate = signature_at(in->signature, SIGNATURE_INPUTS, i);
        const int *tuples;
        size_t count = is_same(first, predicate) ? nlm_world_facts(world, i, &tuples, NULL) : 0;
        for (size_t k = 0; k < count; k++)
            visit(context, world, predicate, tuple_listed(tuples, k, predicate->objects));
    }
}

/* The labels of one kind, NLM_TRUE or NLM_FALSE, of the targets of the same name and arity as `target`; in a
 * closed world those that are false are not listed.  Tuples that were listed both ways are listed so again.
 */
static void visit_labels(const struct writing *in, int world_number, int target, nlm_label wanted,
                         tuple_visitor visit, void *context)
{
    const nlm_world *world = nlm_problem_world(in->problem, world_number);
    const nlm_predicate *first = signature_at(in->signature, SIGNATURE_TARGETS, target);
    if (!has_labels(in, target) || (wanted == NLM_FALSE && in->problem->closed))
        return;
    for (int t = target; t < in->signature->count[SIGNATURE_TARGETS]; t++) {
        const nlm_predicate *predicate = signature_at(in->signature, SIGNATURE_TARGETS, t);
        const int *tuples;
        const signed char *labels;
        size_t count = is_same(first, predicate) ? nlm_world_labels(world, t, &tuples, &labels, NULL) : 0;
        for (size_t k = 0; k < count; k++)
            if (labels[k] == wanted)
                visit(context, world, predicate, tuple_listed(tuples, k, predicate->objects));
        for (int c = 0; c < in->problem->contradiction_count && wanted == NLM_FALSE; c++) {
            nlm_contradiction both = nlm_problem_contradiction(in->problem, c);
            if (both.world == world_number && both.target == t)
                visit(context, world, predicate, both.tuple);
        }
    }
}

static void mention(void *context, const nlm_world *world, const nlm_predicate *predicate, const int *tuple)
{
    (void)world;
    for (int k = 0; k < predicate->objects; k++)
        ((bool *)context)[tuple[k]] = false;
}

/* Find the objects of a world that neither facts nor labels mention; how many there are. */
static nlm_status find_lonely(struct writing *in, int world, int *count)
{
    int objects = nlm_world_objects(nlm_problem_world(in->problem, world));
    if (buffer_reserve(&in->lonely, (size_t)objects, sizeof(bool), false))
        return error_no_memory(in->error);
    bool *lonely = in->lonely.data;
    memset(lonely, true, (size_t)objects);
    for (int i = 0; i < in->signature->count[SIGNATURE_INPUTS]; i++)
        if (is_first(in->signature, SIGNATURE_INPUTS, i))
            visit_facts(in, world, i, mention, lonely);
    for (int t = 0; t < in->signature->count[SIGNATURE_TARGETS]; t++)
        if (is_first(in->signature, SIGNATURE_TARGETS, t)) {
            visit_labels(in, world, t, NLM_TRUE, mention, lonely);
            visit_labels(in, world, t, NLM_FALSE, mention, lonely);
        }
    for (int a = 0; a < in->signature->attribute_count; a++) {
        const int *tuples;
        size_t arity = (size_t)signature_attribute_at(in->signature, a)->objects;
        size_t numbers = nlm_world_numbers(nlm_problem_world(in->problem, world), a, &tuples, NULL);
        for (size_t i = 0; i < numbers * arity; i++)
            lonely[tuples[i]] = false;
    }
    *count = 0;
    for (int object = 0; object < objects; object++)
        *count += lonely[object];
    return NLM_OK;
}

/* ---- planning ---- */

static nlm_status plan_file(struct writing *in, const char *folder, const char *name, planned file)
{
    size_t number = in->staging.file_count;
    if (buffer_reserve(&in->files, number + 1, sizeof file, true))
        return error_no_memory(in->error);
    ((planned *)in->files.data)[number] = file;
    return staging_add_file(&in->staging, folder, name);
}

static nlm_status plan_subfolder(struct writing *in, const char *folder, const char *name, const char **path)
{
    *path = folder_join(&in->staging.texts, folder, name);
    return *path ? staging_add_folder(&in->staging, *path) : error_no_memory(in->error);
}

static nlm_status plan_table(struct writing *in, const char *folder, planned file)
{
    int side = file.kind == FILE_INPUT ? SIGNATURE_INPUTS : SIGNATURE_TARGETS;
    char name[LONGEST_TABLE + 16];
    snprintf(name, sizeof name, "%s%s%s", signature_at(in->signature, side, file.predicate)->name,
             file.kind == FILE_FALSE ? ".neg" : "", in->form == NLM_FORM_TSV ? ".tsv" : ".csv");
    return plan_file(in, folder, name, file);
}

static nlm_status plan_labels(struct writing *in, const char *folder, int world)
{
    nlm_status status = NLM_OK;
    if (!in->problem->labelled)
        return status;
    if (!in->label_tables)
        return plan_file(in, folder, "exs.pl", (planned){.kind = FILE_EXAMPLES, .world = world});
    for (int t = 0; t < in->signature->count[SIGNATURE_TARGETS] && !status; t++) {
        if (!is_first(in->signature, SIGNATURE_TARGETS, t) || !has_labels(in, t))
            continue;
        status = plan_table(in, folder, (planned){.kind = FILE_TRUE, .world = world, .predicate = t});
        if (!status && !in->problem->closed)
            status = plan_table(in, folder, (planned){.kind = FILE_FALSE, .world = world, .predicate = t});
    }
    return status;
}

/* A file for each object.  Worlds with images are generated: their objects have plain names. */
static nlm_status plan_images(struct writing *in, const char *folder, int world_number)
{
    const nlm_world *world = nlm_problem_world(in->problem, world_number);
    int numbers = 0;
    if (!nlm_world_percept(world, 0, &numbers) || numbers != NLM_IMAGE_PIXELS)
        return NLM_OK;
    const char *images;
    nlm_status status = plan_subfolder(in, folder, IMAGES, &images);
    for (int object = 0; object < nlm_world_objects(world) && !status; object++) {
        char name[LONGEST_TABLE + 16];
        snprintf(name, sizeof name, "%s.pgm", nlm_signature_atom(in->signature, world, object));
        status = plan_file(in, images, name,
                           (planned){.kind = FILE_IMAGE, .world = world_number, .predicate = object});
    }
    return status;
}

static nlm_status plan_world(struct writing *in, const char *folder, int world)
{
    bool facts = in->form == NLM_FORM_FOLDER || in->signature->attribute_count > 0;
    nlm_status status = NLM_OK;
    for (int i = 0; i < in->signature->count[SIGNATURE_INPUTS] && !status; i++) {
        facts |= goes_to_facts(in, i);
        if (!goes_to_facts(in, i) && is_first(in->signature, SIGNATURE_INPUTS, i))
            status = plan_table(in, folder, (planned){.kind = FILE_INPUT, .world = world, .predicate = i});
    }
    int lonely = 0;
    if (!status)
        status = find_lonely(in, world, &lonely);
    facts |= lonely > 0 && !in->object_table;
    if (!status && lonely > 0 && in->object_table)
        status = plan_file(in, folder, in->form == NLM_FORM_TSV ? "object.tsv" : "object.csv",
                           (planned){.kind = FILE_OBJECTS, .world = world});
    if (!status && facts)
        status = plan_file(in, folder, "bk.pl", (planned){.kind = FILE_FACTS, .world = world});
    if (!status)
        status = plan_labels(in, folder, world);
    return status ? status : plan_images(in, folder, world);
}

static nlm_status plan_all(struct writing *in, const char *folder)
{
    nlm_status status = staging_add_folder(&in->staging, folder);
    if (!status)
        status = plan_file(in, folder, "bias.pl", (planned){.kind = FILE_BIAS});
    for (int w = 0; w < in->problem->world_count && !status; w++) {
        const char *name = nlm_problem_world_name(in->problem, w), *path = folder;
        if (*name)
            status = plan_subfolder(in, folder, name, &path);
        if (!status)
            status = plan_world(in, path, w);
    }
    return status;
}

/* ---- files ---- */

/* Where a visitor writes to. */
struct visit {
    const struct writing *writing;
    output out;
    const char *before, *after; /* each fact */
};

static void write_fact(void *context, const nlm_world *world, const nlm_predicate *predicate,
                       const int *tuple)
{
    struct visit *to = context;
    output_text(&to->out, to->before);
    output_fact(&to->out, to->writing->signature, predicate, world, tuple);
    output_text(&to->out, to->after);
}

static void write_row(void *context, const nlm_world *world, const nlm_predicate *predicate, const int *tuple)
{
    struct visit *to = context;
    bool tabs = to->writing->form == NLM_FORM_TSV;
    for (int k = 0; k < predicate->arity; k++) {
        output_text(&to->out, k == 0 ? "" : tabs ? "\t" : ",");
        output_field(&to->out, nlm_signature_atom(to->writing->signature, world, tuple[predicate->place[k]]),
                     tabs);
    }
    output_text(&to->out, "\n");
}

/* The first of its name and arity; but beside exs.pl a head_pred would say that nothing is true of a target
 * that has no labels. */
static bool is_in_bias(const void *context, int side, int i)
{
    const struct writing *in = context;
    return is_first(in->signature, side, i) &&
           (side != SIGNATURE_TARGETS || !in->problem->closed || in->label_tables || has_labels(in, i));
}

/* Whether the predicate that would declare objects is one of the signature. */
static bool object_is_taken(const nlm_signature *signature)
{
    int arity = signature->typed ? 2 : 1;
    for (int side = 0; side < SIGNATURE_SIDES; side++)
        for (int i = 0; i < signature->count[side]; i++) {
            const nlm_predicate *predicate = signature_at(signature, side, i);
            if (!signature_is_derived(predicate) && predicate->arity == arity &&
                !strcmp(predicate->name, "object"))
                return true;
        }
    return false;
}

/* object(a). or object(a, person). */
static nlm_status write_object(struct visit *to, const nlm_world *world, int object, buffer *space)
{
    const nlm_signature *signature = to->writing->signature;
    size_t size = strlen(nlm_world_object_name(world, object)) + 1;
    if (buffer_reserve(space, size, 1, false))
        return error_no_memory(to->out.error);
    char *type = space->data;
    nlm_signature_type(signature, world, object, type, size);
    output_text(&to->out, "object(");
    output_atom(&to->out, nlm_signature_atom(signature, world, object));
    if (*type) {
        output_text(&to->out, ", ");
        output_atom(&to->out, type);
    }
    output_text(&to->out, ").\n");
    return NLM_OK;
}

static nlm_status write_objects(struct visit *to, struct writing *in, int world_number, bool table)
{
    static const nlm_predicate row = {.name = "object", .arity = 1, .objects = 1};
    const nlm_world *world = nlm_problem_world(in->problem, world_number);
    int count;
    nlm_status status = find_lonely(in, world_number, &count);
    if (!status && count > 0 && object_is_taken(in->signature))
        return message_argument(in->error,
                                "%.200s: objects without facts cannot be declared, because there is a "
                                "predicate 'object'",
                                to->out.path);
    buffer space = {0};
    for (int i = 0; i < nlm_world_objects(world) && !status && count > 0; i++) {
        if (!((const bool *)in->lonely.data)[i])
            continue;
        if (table)
            write_row(to, world, &row, &i);
        else
            status = write_object(to, world, i, &space);
    }
    buffer_free(&space);
    return status;
}

/* size(p1, 3.76).  The attributes of a predicate have the same tuples in the same order. */
static void write_numbers(struct visit *to, const struct writing *in, int world_number, int attribute)
{
    const nlm_world *world = nlm_problem_world(in->problem, world_number);
    const nlm_attribute *first = signature_attribute_at(in->signature, attribute);
    const int *tuples;
    size_t facts = nlm_world_numbers(world, attribute, &tuples, NULL);
    for (size_t i = 0; i < facts; i++) {
        output_predicate(&to->out, first->name);
        for (int k = 0; k < first->arity; k++) {
            const double *numbers;
            char text[NUMBER_SIZE];
            output_text(&to->out, k ? ", " : "(");
            if (k < first->objects) {
                output_atom(&to->out, nlm_signature_atom(in->signature, world,
                                                         tuples[i * (size_t)first->objects + (size_t)k]));
                continue;
            }
            nlm_world_numbers(world, attribute + k - first->objects, NULL, &numbers);
            number_text(numbers[i], text);
            output_text(&to->out, text);
        }
        output_text(&to->out, ").\n");
    }
}

static nlm_status write_facts(struct visit *to, struct writing *in, int world)
{
    nlm_status status = in->object_table ? NLM_OK : write_objects(to, in, world, false);
    to->before = "";
    to->after = ".\n";
    for (int i = 0; i < in->signature->count[SIGNATURE_INPUTS] && !status; i++)
        if (goes_to_facts(in, i) && is_first(in->signature, SIGNATURE_INPUTS, i))
            visit_facts(in, world, i, write_fact, to);
    for (int a = 0; a < in->signature->attribute_count && !status; a++)
        if (signature_attribute_at(in->signature, a)->place ==
            signature_attribute_at(in->signature, a)->objects)
            write_numbers(to, in, world, a);
    return status;
}

static void write_examples(struct visit *to, const struct writing *in, int world)
{
    to->after = ").\n";
    for (int t = 0; t < in->signature->count[SIGNATURE_TARGETS]; t++) {
        if (!is_first(in->signature, SIGNATURE_TARGETS, t))
            continue;
        to->before = "pos(";
        visit_labels(in, world, t, NLM_TRUE, write_fact, to);
        to->before = "neg(";
        visit_labels(in, world, t, NLM_FALSE, write_fact, to);
    }
}

static nlm_status write_file(struct writing *in, const planned *file, staged_file *staged)
{
    struct visit to = {.writing = in};
    nlm_status status = NLM_OK;
    if (file->kind == FILE_IMAGE)
        return picture_write(
            &staged->writer, staged->path,
            nlm_world_percept(nlm_problem_world(in->problem, file->world), file->predicate, NULL), in->error);
    output_open(&to.out, &staged->writer, staged->path, in->error);
    if (file->kind == FILE_BIAS)
        bias_write(&to.out, in->signature, is_in_bias, in);
    else if (file->kind == FILE_FACTS)
        status = write_facts(&to, in, file->world);
    else if (file->kind == FILE_EXAMPLES)
        write_examples(&to, in, file->world);
    else if (file->kind == FILE_OBJECTS)
        status = write_objects(&to, in, file->world, true);
    else if (file->kind == FILE_INPUT)
        visit_facts(in, file->world, file->predicate, write_row, &to);
    else
        visit_labels(in, file->world, file->predicate, file->kind == FILE_TRUE ? NLM_TRUE : NLM_FALSE,
                     write_row, &to);
    if (!to.out.status)
        to.out.status = status;
    return output_close(&to.out);
}

nlm_status nlm_problem_write(const nlm_problem *problem, const char *folder, nlm_form form, bool replace,
                             nlm_error *error)
{
    REQUIRE(problem && folder, error);
    if (!*folder)
        return error_set(error, NLM_BAD_ARGUMENT, "no folder to write to");
    struct writing in = {.problem = problem,
                         .signature = problem->signature,
                         .form = form,
                         .object_table = form != NLM_FORM_FOLDER && !problem->signature->typed,
                         .staging = {.error = error},
                         .error = error};
    in.label_tables = labels_have_tables(&in);
    nlm_status status = plan_all(&in, folder);
    if (!status)
        status = staging_begin(&in.staging, replace);
    for (size_t i = 0; i < in.staging.file_count && !status; i++)
        status = write_file(&in, (const planned *)in.files.data + i, staging_at(&in.staging, i));
    status = staging_end(&in.staging, status);
    buffer_free(&in.files);
    buffer_free(&in.lonely);
    return status;
}

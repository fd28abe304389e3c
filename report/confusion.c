/* Conclusions against the truth, tuple by tuple, and their picture: a matrix of pairs (first object down,
 * second across) or a strip of single objects.
 *
 * In the picture, what is false and not concluded is the ground; equal neighbours are one shape.  Errors are
 * elements of their own and say what they are; so is what is true, unless there is very much of it.  Of
 * smaller worlds the script knows every cell. */
#include "report/confusion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "report/derivations.h"
#include "report/evaluate.h"
#include "report/storage.h"
#include "report/svg.h"
#include "report/words.h"

enum { TARGETS_MOST = 4, TUPLES_MOST = 4000000, ERRORS_SHOWN = 8, FACT_SIZE = 400 };

/* ---- what became of each ---- */

static void judge(confusion *of, const float *logits, const signed char *labels)
{
    int tuple[NLM_MAX_FACT_ARITY];
    for (size_t i = 0; i < of->count; i++) {
        of->probability[i] = (float)(1 / (1 + exp(-(double)logits[i])));
        const bool concluded = of->probability[i] > 0.5f, truth = labels[i] == NLM_TRUE;
        of->kind[i] = !nlm_tuple_at(of->objects, of->arity, i, tuple) ? CELL_NONE
                      : labels[i] == NLM_UNLABELLED                   ? CELL_UNLABELLED
                      : truth                                         ? (concluded ? CELL_TRUE : CELL_MISSED)
                              : (concluded ? CELL_INVENTED : CELL_FALSE);
        of->counts[strchr(CELL_KINDS, of->kind[i]) - CELL_KINDS]++;
    }
}

static nlm_status conclude(confusion *of, const nlm_machine *machine, const nlm_pass *pass, nlm_error *error)
{
    const size_t outputs = (size_t)nlm_machine_head(machine, of->target)->outputs;
    of->kind = storage_new(of->count + 1, 1);
    of->probability = storage_new(of->count + 1, sizeof(float));
    float *logits = storage_new(of->count * outputs + 1, sizeof *logits);
    signed char *labels = storage_new(of->count + 1, 1);
    nlm_status status = NLM_OK;
    if (!of->kind || !of->probability || !logits || !labels)
        status = report_no_memory(error);
    if (!status)
        status = nlm_pass_logits(pass, 0, of->target, logits, error);
    if (!status) {
        nlm_world_all_labels(of->world, of->target, labels);
        judge(of, logits, labels);
    }
    free(logits);
    free(labels);
    return status;
}

const char *conclusion_text(const confusion *of, size_t number, char text[CONCLUSION_SIZE])
{
    char fact[FACT_SIZE];
    int tuple[NLM_MAX_FACT_ARITY] = {0};
    nlm_tuple_at(of->objects, of->arity, number, tuple);
    nlm_fact_text(of->signature, nlm_signature_target(of->signature, of->target), of->world, tuple, fact,
                  sizeof fact);
    const char kind = of->kind[number];
    const bool truth = kind == CELL_TRUE || kind == CELL_MISSED;
    char number_text[16] = "not a number";
    if (!isnan(of->probability[number]))
        snprintf(number_text, sizeof number_text, "%.2f", (double)of->probability[number]);
    snprintf(text, CONCLUSION_SIZE, "%s: truth %s, concluded %s, %s", fact,
             kind == CELL_UNLABELLED ? "unknown"
             : truth                 ? "yes"
                                     : "no",
             of->probability[number] > 0.5f ? "yes" : "no", number_text);
    return text;
}

static size_t counted(const confusion *of, char kind)
{
    return of->counts[strchr(CELL_KINDS, kind) - CELL_KINDS];
}

/* ---- the picture ---- */

enum {
    OBJECTS_MOST = 150,
    NAMED_MOST = 40, /* objects with names beside the picture and in the script */
    OWN_MOST = 1500, /* elements of their own, of a kind */
    NAMED_OWN = 100,
    NAME_SIZE = 64,
    NAME_SHOWN = 14
};

typedef struct layout {
    const confusion *of;
    int rows, columns;
    double cell, left, top;
    bool named;
} layout;

static size_t number_at(const layout *in, int row, int column)
{
    return (size_t)row * (size_t)in->columns + (size_t)column;
}

/* ---- names ---- */

/* The object's atom, cut between characters to what has room. */
static void object_name(const layout *in, int object, size_t shown, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%s", nlm_signature_atom(in->of->signature, in->of->world, object));
    size_t characters = 0;
    for (char *c = name; *c; c++) {
        if (((unsigned char)*c & 0xc0) == 0x80)
            continue;
        if (characters++ == shown) {
            *c = '\0';
            return;
        }
    }
}

static void put_names(page *p, const layout *in)
{
    char name[NAME_SIZE];
    svg_group(p, "names", 0, 0);
    for (int object = 0; object < in->of->objects; object++) {
        object_name(in, object, NAME_SHOWN, name);
        const double at = (object + 0.5) * in->cell;
        if (in->rows > 1)
            svg_text(p, NULL, in->left - 4, in->top + at + 3, "end", name);
        page_print(p, "<text transform=\"translate(%.1f %.1f) rotate(-90)\"", in->left + at + 3, in->top - 4);
        page_wrap(p, ">", name, "</text>\n");
    }
    svg_group_end(p);
}

/* ---- cells ---- */

/* All cells of a kind from a number on, neighbours in a row together, as one path. */
static void put_together(page *p, const layout *in, char kind, size_t from, const char *class)
{
    page_print(p, "<path class=\"%s\" d=\"", class);
    for (int row = 0; row < in->rows; row++)
        for (int column = 0; column < in->columns;) {
            if (number_at(in, row, column) < from) {
                column++;
                continue;
            }
            int end = column;
            while (end < in->columns && in->of->kind[number_at(in, row, end)] == kind)
                end++;
            if (end > column)
                page_print(p, "M%.1f %.1fh%.1fv%.1fh-%.1fz", in->left + column * in->cell,
                           in->top + row * in->cell, (end - column) * in->cell, in->cell,
                           (end - column) * in->cell);
            column = end > column ? end : column + 1;
        }
    page_put(p, "\"/>\n");
}

/* True and concluded: filled; missed: hollow; invented: a cross. */
static void put_own(page *p, const layout *in, int row, int column, char kind)
{
    const size_t number = number_at(in, row, column);
    const double x = in->left + column * in->cell + 1, y = in->top + row * in->cell + 1, s = in->cell - 2;
    char said[CONCLUSION_SIZE], anchor[DERIVATION_ANCHOR];
    conclusion_text(in->of, number, said);
    const bool linked = in->of->explained && in->of->explained[number];
    if (linked)
        page_print(p, "<a href=\"#%s%zu\" tabindex=\"-1\">", derivation_anchor(in->of, anchor), number);
    if (kind == CELL_INVENTED)
        page_print(p, "<path class=\"invented\" d=\"M%.1f %.1fl%.1f %.1fm0-%.1fl-%.1f %.1f\"><title>", x, y,
                   s, s, s, s, s);
    else
        page_print(p, "<path class=\"%s\" d=\"M%.1f %.1fh%.1fv%.1fh-%.1fz\"><title>",
                   kind == CELL_TRUE ? "true" : "missed", x, y, s, s, s);
    page_wrap(p, "", said, linked ? "</title></path></a>\n" : "</title></path>\n");
}

/* Each by itself as long as these are not too many; the rest are told by their colour alone. */
static void put_each(page *p, const layout *in, char kind, const char *class)
{
    int count = 0;
    for (int row = 0; row < in->rows; row++)
        for (int column = 0; column < in->columns; column++)
            if (in->of->kind[number_at(in, row, column)] == kind) {
                if (count++ == OWN_MOST) {
                    put_together(p, in, kind, number_at(in, row, column), class);
                    return;
                }
                put_own(p, in, row, column, kind);
            }
}

static void put_cells(page *p, const layout *in)
{
    put_together(p, in, CELL_FALSE, 0, "false");
    put_together(p, in, CELL_NONE, 0, "none");
    page_put(p, "<path class=\"grid\" d=\""); /* lines between the columns, so that a row can be counted */
    for (int column = 1; column < in->columns; column++)
        page_print(p, "M%.1f %.1fv%.1f", in->left + column * in->cell, in->top, in->rows * in->cell);
    page_put(p, "\"/>\n");
    if (counted(in->of, CELL_TRUE) > (in->named ? NAMED_OWN : OWN_MOST)) /* of named ones the script tells */
        put_together(p, in, CELL_TRUE, 0, "true");
    else
        put_each(p, in, CELL_TRUE, NULL);
    put_each(p, in, CELL_MISSED, "missed many");
    put_each(p, in, CELL_INVENTED, "invented many");
}

/* ---- for the script ---- */

static void put_data(page *p, const layout *in)
{
    const confusion *of = in->of;
    char name[NAME_SIZE];
    page_put(p, "<script type=\"application/json\">{\"predicate\":");
    page_json(p, nlm_signature_target(of->signature, of->target)->name);
    page_print(p, ",\"rows\":%d,\"columns\":%d,\"left\":%.1f,\"top\":%.1f,\"cell\":%.1f,\"names\":[",
               in->rows, in->columns, in->left, in->top, in->cell);
    for (int object = 0; object < of->objects; object++) {
        object_name(in, object, NAME_SIZE, name);
        page_put(p, object ? "," : "");
        page_json(p, name);
    }
    page_put(p, "],\"kinds\":\"");
    for (size_t i = 0; i < of->count; i++) { /* "!": concluded, and nobody knows */
        const bool guessed = of->kind[i] == CELL_UNLABELLED && of->probability[i] > 0.5f;
        page_print(p, "%c", guessed ? '!' : of->kind[i]);
    }
    page_put(p, "\",\"hundredths\":\""); /* of the probabilities, two digits each, 99 at most */
    for (size_t i = 0; i < of->count; i++) {
        const float hundredths = of->probability[i] * 100 + 0.5f;
        page_print(p, "%02d", hundredths >= 99 ? 99 : hundredths >= 0 ? (int)hundredths : 0);
    }
    page_put(p, "\"}</script>\n");
}

void matrix_put(page *p, const confusion *of)
{
    layout in = {
        .of = of, .rows = of->arity == 1 ? 1 : of->objects, .columns = of->objects, .left = 4, .top = 4};
    /* Types may give two objects the same atom; and a fact may name an object twice: then no script. */
    const nlm_predicate *target = nlm_signature_target(of->signature, of->target);
    in.named = of->objects <= NAMED_MOST;
    in.cell = in.named ? 15 : 6;
    if (in.named) {
        size_t longest = 0;
        for (int object = 0; object < of->objects; object++) {
            char name[NAME_SIZE];
            object_name(&in, object, NAME_SHOWN, name);
            longest = strlen(name) > longest ? strlen(name) : longest;
        }
        const double room = 8 + 6.2 * (double)(longest < NAME_SHOWN ? longest : NAME_SHOWN);
        in.left = in.rows > 1 ? room : 8;
        in.top = room;
    }
    const char *label =
        of->arity == 1 ? "conclusions about each object" : "conclusions about each pair of objects";
    const double width = in.left + in.columns * in.cell + 4, height = in.top + in.rows * in.cell + 4;
    char anchor[DERIVATION_ANCHOR];
    page_print(p,
               "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><div "
               "class=\"matrix\" tabindex=\"-1\"",
               label);
    if (of->program)
        page_print(p, " data-why=\"%s\"", derivation_anchor(of, anchor));
    page_put(p, ">\n");
    svg_begin(p, width, height, true, NULL, label);
    svg_rectangle(p, "ground", in.left, in.top, in.columns * in.cell, in.rows * in.cell, NULL);
    if (in.named)
        put_names(p, &in);
    put_cells(p, &in);
    svg_end(p);
    if (in.named && target->arity == target->objects)
        put_data(p, &in);
    page_put(p, "</div></div>\n");
}

/* ---- in words ---- */

static size_t errors_of(const confusion *of)
{
    return counted(of, CELL_MISSED) + counted(of, CELL_INVENTED);
}

static void put_counts(page *p, const confusion *of)
{
    static const struct {
        char kind;
        const char *class, *path, *words;
    } keys[] = {{CELL_TRUE, "true", "M0 0h9v9h-9z", "true, concluded"},
                {CELL_FALSE, "false", "M0 0h9v9h-9z", "false, not concluded"},
                {CELL_MISSED, "missed", "M1 1h7v7h-7z", "true, but not concluded"},
                {CELL_INVENTED, "invented", "M1 1l7 7M8 1l-7 7", "false, but concluded"},
                {CELL_UNLABELLED, "ground", "M0.5 0.5h8v8h-8z", "unlabelled"}};
    char text[WORD_SIZE];
    page_put(p, "<p class=\"keys\">");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].kind != CELL_UNLABELLED || counted(of, CELL_UNLABELLED) > 0)
            page_print(p,
                       "<span><svg class=\"key\" viewBox=\"0 0 9 9\" aria-hidden=\"true\"><path class=\"%s\" "
                       "d=\"%s\"/></svg> %s %s</span> ",
                       keys[i].class, keys[i].path, word_count((double)counted(of, keys[i].kind), text),
                       keys[i].words);
    page_put(p, "</p>\n");
}

static void put_errors(page *p, const confusion *of)
{
    char text[CONCLUSION_SIZE];
    int shown = 0;
    page_put(p, "<p>Errors:</p>\n<ul>\n");
    for (size_t i = 0; i < of->count && shown < ERRORS_SHOWN; i++)
        if (of->kind[i] == CELL_MISSED || of->kind[i] == CELL_INVENTED) {
            conclusion_text(of, i, text);
            page_wrap(p, "<li>", text, "</li>\n");
            shown++;
        }
    page_put(p, "</ul>\n");
    if (errors_of(of) > ERRORS_SHOWN)
        page_print(p, "<p>and %zu more.</p>\n", errors_of(of) - ERRORS_SHOWN);
}

/* ---- the figure ---- */

static nlm_status put_target(page *p, const confusion *of, const char *title, nlm_error *error)
{
    char name[FACT_SIZE];
    page_put(p, "<figure class=\"confusion\"><figcaption>");
    nlm_predicate_text(nlm_signature_target(of->signature, of->target), name, sizeof name);
    page_text(p, name);
    page_put(p, ", ");
    page_text(p, title);
    page_print(p, ": %s</figcaption>\n",
               errors_of(of) ? "with errors \xe2\x9c\x97" : "no error \xe2\x9c\x93");
    if ((of->arity == 1 || of->arity == 2) && of->objects <= OBJECTS_MOST)
        matrix_put(p, of);
    put_counts(p, of);
    if (errors_of(of) > 0)
        put_errors(p, of);
    const nlm_status status = derivations_put(p, of, error);
    page_put(p, "</figure>\n");
    return status;
}

/* The machine has a head for each target of the signature, and the world has its targets. */
static bool fits(const nlm_machine *machine, const nlm_signature *signature, const nlm_world *world)
{
    const int targets = nlm_signature_targets(signature);
    if (nlm_machine_heads(machine) < targets || nlm_world_targets(world) < targets)
        return false;
    for (int t = 0; t < targets; t++) {
        const nlm_head_spec *head = nlm_machine_head(machine, t);
        if (head->twins || head->arity != nlm_signature_target(signature, t)->objects ||
            head->arity != nlm_world_target_arity(world, t) || head->arity > NLM_MAX_FACT_ARITY)
            return false;
    }
    return targets > 0;
}

nlm_status confusion_put(page *p, nlm_machine *machine, const nlm_signature *signature,
                         const nlm_world *world, const nlm_program *program, int *figures, const char *title,
                         nlm_error *error)
{
    const int objects = nlm_world_objects(world), targets = nlm_signature_targets(signature);
    nlm_evaluator *evaluator = NULL;
    page made = {0};
    if (!fits(machine, signature, world))
        return report_fail(error, NLM_BAD_SHAPE, "the machine has other targets than the world");
    nlm_status status = evaluate_world(machine, world, &evaluator, error);
    ++*figures;
    for (int t = 0; t < targets && t < TARGETS_MOST && !status; t++) {
        const int arity = nlm_world_target_arity(world, t);
        confusion of = {signature,
                        world,
                        t,
                        objects,
                        arity,
                        .count = nlm_tuple_count(objects, arity),
                        .program = program,
                        .figure = *figures};
        status = of.count > TUPLES_MOST ? evaluate_too_large(objects, error)
                                        : conclude(&of, machine, nlm_evaluator_pass(evaluator), error);
        if (!status)
            status = derivations_choose(&of, error);
        if (!status)
            status = put_target(&made, &of, title, error);
        free(of.explained);
        free(of.kind);
        free(of.probability);
    }
    if (!status && targets > TARGETS_MOST)
        page_print(&made, "<p>and %d more target%s.</p>\n", targets - TARGETS_MOST,
                   targets - TARGETS_MOST == 1 ? "" : "s");
    if (!status)
        page_append(p, &made);
    page_release(&made);
    nlm_evaluator_free(evaluator);
    return status;
}

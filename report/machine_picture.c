/* A model as a picture of its predicates, or as a table of its clauses. */
#include "report/machine_picture.h"

#include <stdio.h>
#include <string.h>
#include "report/sense_outputs.h"
#include "report/svg.h"

enum {
    CELL = 9,       /* a cell and its margin */
    IN_ROW = 4,     /* cells */
    CELLS_MOST = 32 /* of a unit; wider ones have a number */
};
enum { LEFT = 58, TOP = 24, COLUMN = 74, GAP = 22, UNIT_WIDTH = IN_ROW * CELL + 5 };
enum { SENSE_WIDTH = 50, SENSE_HEIGHT = 30 };

typedef struct drawing {
    nlm_machine *machine;
    const liveness *alive;
    double inputs;                                              /* where the column of the inputs begins */
    double y[NLM_MAX_BREADTH + 1], height[NLM_MAX_BREADTH + 1]; /* of the rows */
    double bottom;
} drawing;

static int width_of(const drawing *of, int layer, int arity)
{
    return nlm_unit_width(of->machine, layer, arity);
}

/* Whether there is a unit to be drawn: all inputs, and the units of which something may depend. */
static bool is_drawn(const drawing *of, int layer, int arity)
{
    if (width_of(of, layer, arity) == 0)
        return false;
    return layer == 0 || nlm_machine_unit_live(of->machine, layer, arity);
}

/* The arity of the units that a head reads. */
static int head_group(const nlm_machine *machine, int head)
{
    const nlm_head_spec *spec = nlm_machine_head(machine, head);
    return spec->twins ? 1 : spec->arity;
}

static double unit_height(int width)
{
    const int cells = width > CELLS_MOST ? IN_ROW : width;
    return (cells + IN_ROW - 1) / IN_ROW * CELL + 5;
}

static double unit_x(const drawing *of, int layer)
{
    return of->inputs + layer * COLUMN;
}

static double middle(const drawing *of, int arity)
{
    return of->y[arity] + of->height[arity] / 2;
}

/* The largest arity on top, as predicates of more objects are what the others are made from. */
static void lay_out(drawing *of)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    double y = TOP;
    of->inputs = nlm_machine_spec(of->machine)->sense ? LEFT + COLUMN : LEFT;
    for (int r = spec->breadth; r >= 0; r--) {
        double height = 0;
        for (int i = 0; i <= spec->depth; i++)
            if (is_drawn(of, i, r) && unit_height(width_of(of, i, r)) > height)
                height = unit_height(width_of(of, i, r));
        of->y[r] = y;
        of->height[r] = height;
        y += height > 0 ? height + GAP : 0;
    }
    of->bottom = y - GAP + 8;
}

/* ---- connections ---- */

static void put_link(page *p, const drawing *of, int layer, int from, int to)
{
    const double x1 = unit_x(of, layer) + UNIT_WIDTH, x2 = unit_x(of, layer + 1), bend = (x2 - x1) / 2;
    page_print(p, "M%.0f %.1fC%.0f %.1f %.0f %.1f %.0f %.1f", x1, middle(of, from), x1 + bend,
               middle(of, from), x2 - bend, middle(of, to), x2, middle(of, to));
}

/* A unit reads the units of the layer before; with residual links what earlier ones made comes the same way.
 */
static void put_links(page *p, const drawing *of)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    page_put(p, "<path class=\"links\" d=\"");
    for (int i = 0; i < spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            for (int to = r - 1; to <= r + 1; to++)
                if (to >= 0 && to <= spec->breadth && is_drawn(of, i, r) && is_drawn(of, i + 1, to))
                    put_link(p, of, i, r, to);
    for (int h = 0; h < nlm_machine_heads(of->machine); h++) {
        const int group = head_group(of->machine, h);
        if (is_drawn(of, spec->depth, group))
            put_link(p, of, spec->depth, group, group);
    }
    page_put(p, "\"/>\n");
}

/* ---- the sense ---- */

/* It makes the first inputs of arity 1, and so stands before these. */
static void put_sense(page *p, const drawing *of)
{
    const char *sense = nlm_machine_spec(of->machine)->sense;
    int numbers, predicates;
    const double y = middle(of, 1), x1 = LEFT + SENSE_WIDTH, x2 = unit_x(of, 0);
    if (!nlm_sense_find(sense, &numbers, &predicates) || of->height[1] <= 0)
        return;
    page_print(p, "<path class=\"links\" d=\"M%.0f %.1fH%.0f\"/>\n", x1, y, x2);
    page_wrap(p, "<g class=\"unit\"><title>", sense_title(sense), ": ");
    page_print(p, "computes the first %d unary inputs from the %d pixels of an object's image</title>\n",
               predicates, numbers);
    svg_rectangle(p, NULL, LEFT, y - SENSE_HEIGHT / 2.0, SENSE_WIDTH, SENSE_HEIGHT, NULL);
    svg_text(p, NULL, LEFT + SENSE_WIDTH / 2.0, y + 4, "middle", sense_title(sense));
    page_put(p, "</g>\n");
    svg_text(p, "dim", LEFT + SENSE_WIDTH / 2.0, TOP - 10, "middle", "sense");
}

/* ---- units ---- */

/* The cells of one kind as one path: filled squares, or hollow ones with a stroke through them. */
static void put_cells(page *p, const drawing *of, int layer, int arity, double y, bool alive)
{
    page_print(p, "<path class=\"%s\" d=\"", alive ? "alive" : "dead");
    for (int n = 0; n < width_of(of, layer, arity); n++)
        if (liveness_at(of->alive, layer, arity, n) == alive)
            page_print(p, "M%.0f %.1fh7v7h-7z%s", unit_x(of, layer) + 3 + n % IN_ROW * CELL,
                       y + 3 + n / IN_ROW * CELL, alive ? "" : "l7 7");
    page_put(p, "\"/>\n");
}

static int count_alive(const drawing *of, int layer, int arity)
{
    int count = 0;
    for (int n = 0; n < width_of(of, layer, arity); n++)
        count += liveness_at(of->alive, layer, arity, n);
    return count;
}

static void put_unit(page *p, const drawing *of, int layer, int arity)
{
    const int width = width_of(of, layer, arity), alive = count_alive(of, layer, arity);
    const double height = unit_height(width), y = middle(of, arity) - height / 2;
    char text[32];
    page_put(p, "<g class=\"unit\"><title>");
    if (layer == 0)
        page_print(p, "inputs of arity %d: %d of %d predicates alive", arity, alive, width);
    else
        page_print(p, "layer %d, arity %d: %d of %d predicates alive", layer, arity, alive, width);
    page_put(p, "</title>\n");
    svg_rectangle(p, NULL, unit_x(of, layer), y, UNIT_WIDTH, height, NULL);
    if (width > CELLS_MOST) {
        snprintf(text, sizeof text, "%d/%d", alive, width);
        svg_text(p, NULL, unit_x(of, layer) + UNIT_WIDTH / 2.0, y + height / 2 + 4, "middle", text);
    } else {
        put_cells(p, of, layer, arity, y, true);
        if (alive < width)
            put_cells(p, of, layer, arity, y, false);
    }
    page_put(p, "</g>\n");
}

static void put_heads(page *p, const drawing *of)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    const double x = unit_x(of, spec->depth + 1);
    double y[NLM_MAX_BREADTH + 1];
    for (int r = 0; r <= spec->breadth; r++)
        y[r] = middle(of, r) + 4;
    for (int h = 0; h < nlm_machine_heads(of->machine); h++) {
        const nlm_head_spec *head = nlm_machine_head(of->machine, h);
        const int group = head_group(of->machine, h);
        char text[40];
        snprintf(text, sizeof text, "%.30s", head->name);
        svg_text(p, "head", x + 4, y[group], "start", text);
        y[group] += 14;
    }
}

static void put_titles(page *p, const drawing *of)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    char text[32];
    for (int r = 0; r <= spec->breadth; r++)
        if (of->height[r] > 0) {
            snprintf(text, sizeof text, "arity %d", r);
            svg_text(p, "dim", LEFT - 8, middle(of, r) + 4, "end", text);
        }
    for (int i = 0; i <= spec->depth; i++) {
        snprintf(text, sizeof text, "layer %d", i);
        svg_text(p, "dim", unit_x(of, i) + UNIT_WIDTH / 2.0, TOP - 10, "middle", i ? text : "inputs");
    }
    svg_text(p, "dim", unit_x(of, spec->depth + 1) + 4, TOP - 10, "start", "heads");
}

/* ---- the figure ---- */

static void put_legend(page *p, const drawing *of, const char *worlds)
{
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    int alive = 0, all = 0, numbers, predicates;
    for (int i = 1; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            if (is_drawn(of, i, r)) {
                alive += count_alive(of, i, r);
                all += width_of(of, i, r);
            }
    page_print(p,
               "<figcaption>%d layers, arities up to %d, %zu parameters%s. A cell is a predicate: %d of %d "
               "that units compute are <svg class=\"key\" viewBox=\"0 0 9 9\" aria-hidden=\"true\"><path "
               "class=\"alive\" d=\"M1 1h7v7h-7z\"/></svg>\xc2\xa0"
               "alive, the others <svg class=\"key\" viewBox=\"0 0 9 9\" aria-hidden=\"true\"><path "
               "class=\"dead\" d=\"M1 1h7v7h-7zl7 7\"/></svg>\xc2\xa0"
               "dead: ",
               spec->depth, spec->breadth, nlm_machine_parameters(of->machine),
               spec->residual ? ", with residual links" : "", alive, all);
    if (of->alive->worlds > 0) {
        page_wrap(
            p, "on ", worlds,
            " their values vary by less than 0.01 over all tuples, or no unit and no output reads them.");
    } else {
        page_put(p, "no unit and no output reads them. Their values were not computed.");
    }
    if (nlm_sense_find(spec->sense, &numbers, &predicates)) {
        size_t count = 0;
        for (int t = 0; t < nlm_machine_tensors(of->machine); t++) {
            const nlm_tensor tensor = nlm_machine_tensor(of->machine, t);
            count += strncmp(tensor.name, "sense.", 6) ? 0 : tensor.count;
        }
        page_wrap(p, " ", sense_title(spec->sense), ", with ");
        page_print(p,
                   "%zu of the parameters, computes the first %d unary inputs from the image of an object.",
                   count, predicates);
    }
    page_put(p, "</figcaption>\n");
}

void machine_picture_put(page *p, nlm_machine *machine, const liveness *alive, const char *worlds)
{
    drawing of = {.machine = machine, .alive = alive};
    const nlm_spec *spec = nlm_machine_spec(machine);
    char label[96];
    lay_out(&of);
    const double width = unit_x(&of, spec->depth + 1) + 60;
    snprintf(label, sizeof label, "the machine: %d layers, arities up to %d", spec->depth, spec->breadth);
    page_put(p, "<figure class=\"machine\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"the machine\">\n");
    svg_begin(p, width, of.bottom, true, NULL, label);
    put_links(p, &of);
    put_sense(p, &of);
    put_titles(p, &of);
    for (int i = 0; i <= spec->depth; i++)
        for (int r = 0; r <= spec->breadth; r++)
            if (is_drawn(&of, i, r))
                put_unit(p, &of, i, r);
    put_heads(p, &of);
    svg_end(p);
    page_put(p, "</div>\n");
    put_legend(p, &of, worlds);
    page_put(p, "</figure>\n");
}

/* ---- clauses ---- */

#define LEAST 0.1 /* the probability of clauses that its authors read off */

typedef struct listing {
    page *page;
    int count;
} listing;

static nlm_status put_clause(void *context, const nlm_clause *rule, nlm_error *error)
{
    static const char *const columns[] = {"clause", "probability", NULL};
    listing *list = context;
    (void)error;
    if (list->count++ == 0)
        page_table(list->page, "clauses", "", NULL, columns);
    page_wrap(list->page, "<tr><td><code>", rule->text, "</code></td>");
    page_print(list->page, "<td>%.4f</td></tr>\n", rule->probability);
    return NLM_OK;
}

nlm_status clauses_put(page *p, const nlm_machine *machine, const char *label, nlm_error *error)
{
    listing list = {.page = p};
    page_wrap(p, "<h3>The program of ", label, "</h3>\n");
    nlm_status status = nlm_machine_clauses(machine, LEAST, put_clause, &list, error);
    if (list.count > 0)
        page_put(p, PAGE_TABLE_END);
    else
        page_print(p, "<p>No clause has a probability above %g.</p>\n", LEAST);
    return status;
}

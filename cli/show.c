/* nlm show: what is in a model file; the machine, then how it was trained.
 *
 * Texts from the file are anybody's: they are cut to a line, without what would steer a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "find_task.h"
#include "message.h"
#include "options.h"
#include "show.h"
#include "nlm/nlm.h"

/* ---- lines of facts ---- */

void fact_line_text(fact_line *line, const char *text)
{
    size_t used = strlen(line->text);
    for (; *text != '\0' && used < LINE_SIZE - 1; text++)
        line->text[used++] = *text >= ' ' && *text <= '~' ? *text : '?';
    line->text[used] = '\0';
    if (*text != '\0')
        memcpy(line->text + LINE_SIZE - 4, "...", 4);
}

void fact_line_add(fact_line *line, const char *before, const char *fact, const char *after)
{
    fact_line_text(line, line->text[0] != '\0' ? ", " : "");
    fact_line_text(line, before);
    fact_line_text(line, fact);
    fact_line_text(line, after);
}

void fact_line_number(fact_line *line, const char *before, int number, const char *after)
{
    fact_line_add(line, before, text_of("%d", number), after);
}

void fact_line_print(const fact_line *line)
{
    printf("  %-12s %s\n", line->label, line->text);
}

/* ---- what it has learned ---- */

/* "works/3            person, project, role" */
static void print_predicate(const char *label, const nlm_predicate *predicate)
{
    char name[LINE_SIZE], padded[LINE_SIZE];
    fact_line line = {label, ""};
    nlm_predicate_text(predicate, name, sizeof name);
    const bool typed = predicate->arity > 0 && predicate->type[0][0] != '\0' && !predicate->is_type;
    snprintf(padded, sizeof padded, "%-*s", typed ? NAME_WIDTH : 0, name);
    fact_line_text(&line, padded);
    for (int k = 0; k < predicate->arity && typed; k++) {
        fact_line_text(&line, k == 0 ? " " : ", ");
        fact_line_text(&line, predicate->type[k]);
    }
    fact_line_print(&line);
}

/* The predicates that a model of facts reads, and those that it concludes. */
static void print_signature(const nlm_machine *machine, const char *path)
{
    nlm_signature *signature;
    nlm_error error;
    if (nlm_signature_of_model(machine, path, &signature, &error) != NLM_OK) {
        fact_line line = {.label = "signature"};
        fact_line_text(&line, error.message);
        fact_line_print(&line);
        return;
    }
    for (int p = 0; p < nlm_signature_inputs(signature); p++)
        print_predicate(p == 0 ? "reads" : "", nlm_signature_input(signature, p));
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        print_predicate(t == 0 ? "concludes" : "", nlm_signature_target(signature, t));
    nlm_signature_free(signature);
}

static void print_task(const nlm_machine *machine)
{
    const char *name = nlm_machine_metadata(machine, "task");
    const task_or_game learned = task_or_game_of(name);
    fact_line line = {learned.game != NULL ? "game" : "task", ""};
    fact_line_text(&line, name != NULL ? name : "not recorded");
    if (learned.task != NULL || learned.game != NULL) {
        fact_line_text(&line, ": ");
        fact_line_text(&line, learned.task != NULL ? learned.task->description : learned.game->description);
    } else if (name != NULL) {
        fact_line_text(&line, ", which 'nlm tasks' does not list");
    }
    fact_line_print(&line);
    if (learned.task != NULL) {
        char target[TASK_TARGET_SIZE];
        printf("  %-12s %s\n", "target", task_target_text(learned.task, target));
        const char *data = nlm_machine_metadata(machine, "data");
        if (data != NULL && learned.task->sense != NULL) { /* what the objects showed */
            fact_line images = {"images", ""};
            if (strcmp(data, "0") == 0)
                fact_line_text(&images, "digits drawn by nlm");
            else
                fact_line_add(&images, "of files, number ", data, "");
            fact_line_print(&images);
        }
    }
}

/* ---- tensors ---- */

#define PREFIX "sense." /* of the names of its tensors */

enum { SHAPE_SIZE = 64, GIVEN_TEXT = 400 };

/* A sense by the name that people know it by. */
static const char *sense_title(const char *name)
{
    return strcmp(name, "lenet") == 0 ? "LeNet" : name;
}

/* "20 x 10 x 5 x 5"; averages are not learned, but follow. */
static void shape_text(const nlm_tensor *tensor, char text[SHAPE_SIZE])
{
    size_t used = 0;
    for (int d = 0; d < tensor->dimensions && used < SHAPE_SIZE; d++)
        used +=
            (size_t)snprintf(text + used, SHAPE_SIZE - used, "%s%d", d > 0 ? " x " : "", tensor->shape[d]);
    if (strstr(tensor->name, "running_") != NULL && used < SHAPE_SIZE)
        snprintf(text + used, SHAPE_SIZE - used, ", not learned");
}

/* Enough for the names of all tensors that begin like this, without that. */
static int name_width(nlm_machine *machine, const char *prefix)
{
    enum { LEAST = 20, MOST = 60 };
    size_t width = LEAST;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const char *name = nlm_machine_tensor(machine, t).name;
        if (strncmp(name, prefix, strlen(prefix)) == 0 && strlen(name) - strlen(prefix) > width)
            width = strlen(name) - strlen(prefix);
    }
    return width < MOST ? (int)width : MOST;
}

/* Tensors whose names begin like this, with the rest of the name; of all, their sum. */
static void print_tensors(nlm_machine *machine, const char *title, const char *prefix)
{
    char shape[SHAPE_SIZE];
    const int width = name_width(machine, prefix);
    printf("\n  %-*s   %-32s %10s\n", width, title, "shape", "parameters");
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (strncmp(tensor.name, prefix, strlen(prefix)) != 0)
            continue;
        shape_text(&tensor, shape);
        printf("  %-*s   %-32s %10s\n", width, tensor.name + strlen(prefix), shape,
               text_of_count(tensor.count));
    }
    if (prefix[0] == '\0')
        printf("  %-*s   %-32s %10s\n", width, "total", "", text_of_count(nlm_machine_parameters(machine)));
}

/* ---- the model ---- */

/* "even/1: 0 more variables, of given predicates; 1 more variable, with defined predicates" */
static void print_definition(const char *label, const nlm_definition *of)
{
    static const char *const bodies[] = {
        [NLM_BODY_GIVEN] = "of given predicates",
        [NLM_BODY_DEFINED] = "with defined predicates",
        [NLM_BODY_MIXED] = "of a given predicate and a helper",
        [NLM_BODY_HELPERS] = "of two helpers",
    };
    printf("  %-12s %s/%d", label, of->name, of->arity);
    for (int t = 0; t < of->templates; t++)
        printf("%s %d more variable%s, %s", t == 0 ? ":" : ";", of->form[t].variables,
               plural(of->form[t].variables), bodies[of->form[t].body]);
    putchar('\n');
}

static void print_model(const nlm_spec *spec)
{
    if (spec->program != NULL) {
        printf("  %-12s differentiable ILP (dilp) in ", "model");
        if (spec->program->steps_by_objects)
            printf("as many steps as objects");
        else
            printf("%d step%s", spec->depth, plural(spec->depth));
        printf("; 'nlm rules' prints its clauses\n  %-12s", "given");
        for (int g = 0; g < spec->program->givens; g++) {
            char text[GIVEN_TEXT];
            nlm_given_text(&spec->program->given[g], text, sizeof text);
            printf("%s %s/%d", g == 0 ? "" : ",", text, spec->program->given[g].arity);
        }
        putchar('\n');
        for (int d = 0; d < spec->program->definitions; d++)
            print_definition(d == 0 ? "defined" : "", &spec->program->definition[d]);
        return;
    }
    printf("  %-12s memory network (%s), %d round%s, a state of %d numbers", "model", spec->model,
           spec->depth, plural(spec->depth), spec->width);
    for (int k = 0; k < spec->hidden_layers; k++)
        printf("%s%d", k == 0 ? ", hidden layers of " : ", ", spec->hidden[k]);
    putchar('\n');
}

/* "4 of arity 2, 1 of arity 1" */
static void print_inputs(const nlm_spec *spec)
{
    fact_line line = {"inputs", ""};
    for (int r = 0; r <= spec->breadth; r++)
        if (spec->inputs[r] > 0)
            fact_line_number(&line, "", spec->inputs[r], text_of(" of arity %d", r));
    fact_line_print(&line);
}

/* "LeNet, reads the 784 pixels of an image, computes the first 10 unary inputs" */
static void print_sense(const char *name)
{
    fact_line line = {"sense", ""};
    int numbers, predicates;
    fact_line_text(&line, sense_title(name));
    if (nlm_sense_find(name, &numbers, &predicates)) {
        fact_line_number(&line, "reads the ", numbers, " pixels of an image");
        fact_line_number(&line, "computes the first ", predicates, " unary inputs");
    }
    fact_line_print(&line);
}

static void print_spec(const nlm_spec *spec)
{
    if (spec->model != NULL) {
        print_model(spec);
        print_inputs(spec);
        return;
    }
    fact_line line = {"machine", ""};
    fact_line_number(&line, "depth ", spec->depth, "");
    fact_line_number(&line, "breadth ", spec->breadth, "");
    if (spec->own_widths)
        fact_line_add(&line, "", "units of different widths", "");
    else
        fact_line_number(&line, "width ", spec->width, "");
    fact_line_add(&line, "", spec->residual ? "residual" : "not residual", "");
    if (spec->hidden_layers == 0)
        fact_line_add(&line, "", "no hidden layers", "");
    for (int i = 0; i < spec->hidden_layers; i++)
        fact_line_number(&line, i == 0 ? "hidden layers of " : "", spec->hidden[i], "");
    fact_line_print(&line);
    print_inputs(spec);
    if (spec->sense != NULL)
        print_sense(spec->sense);
}

/* ---- units ---- */

/* The sizes of a chain of linear layers, "24 -> 16 -> 8", and their weights and biases. */
typedef struct network {
    char sizes[64];
    size_t parameters;
} network;

static void print_row(const char *what, const char *arity, const char *sizes, const char *parameters)
{
    printf("  %-12.30s %5s   %-32s %12s\n", what, arity, sizes, parameters);
}

static void print_network(const char *what, int arity, const network *net)
{
    print_row(what, text_of("%d", arity), net->sizes, text_of_count(net->parameters));
}

/* Add the linear layer whose weight has this name, if there is one. */
static void add_linear(network *net, nlm_machine *machine, const char *weight)
{
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        const size_t used = strlen(net->sizes);
        if (strcmp(tensor.name, weight) != 0)
            continue;
        if (used == 0)
            snprintf(net->sizes, sizeof net->sizes, "%6d -> %d", tensor.shape[1], tensor.shape[0]);
        else
            snprintf(net->sizes + used, sizeof net->sizes - used, " -> %d", tensor.shape[0]);
        net->parameters += ((size_t)tensor.shape[1] + 1) * (size_t)tensor.shape[0];
    }
}

static void print_layer(nlm_machine *machine, int layer)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    for (int arity = 0; arity <= spec->breadth; arity++) {
        const char *what = arity == 0 ? text_of("layer %d", layer) : "";
        network net = {"", 0};
        for (int k = 0; k <= spec->hidden_layers; k++)
            add_linear(&net, machine, text_of("layer.%d.arity.%d.mlp.%d.weight", layer - 1, arity, k));
        if (nlm_machine_unit_live(machine, layer, arity))
            print_network(what, arity, &net);
        else
            printf("  %-12s %5d   not live\n", what, arity);
    }
}

static void print_head(nlm_machine *machine, const nlm_head_spec *head)
{
    char weight[LINE_SIZE];
    fact_line name = {"", ""};
    network net = {"", 0};
    fact_line_add(&name, "head ", head->name, "");
    snprintf(weight, sizeof weight, "%s.weight", head->name);
    add_linear(&net, machine, weight);
    const size_t used = strlen(net.sizes);
    if (head->twins)
        snprintf(net.sizes + used, sizeof net.sizes - used, ", pairs of twins");
    print_network(name.text, head->arity, &net);
}

static void print_sense_unit(nlm_machine *machine, const char *name)
{
    network net = {"", 0};
    int numbers, predicates;
    if (!nlm_sense_find(name, &numbers, &predicates))
        return;
    snprintf(net.sizes, sizeof net.sizes, "%6d -> %d", numbers, predicates);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (strncmp(tensor.name, PREFIX, strlen(PREFIX)) == 0)
            net.parameters += tensor.count;
    }
    print_network(sense_title(name), 1, &net);
}

static void print_units(nlm_machine *machine)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    puts("");
    print_row("units", "arity", "inputs -> predicates", "parameters");
    if (spec->sense != NULL)
        print_sense_unit(machine, spec->sense);
    for (int layer = 1; layer <= spec->depth; layer++)
        print_layer(machine, layer);
    for (int head = 0; head < nlm_machine_heads(machine); head++)
        print_head(machine, nlm_machine_head(machine, head));
    print_row("total", "", "", text_of_count(nlm_machine_parameters(machine)));
}

/* ---- the command ---- */

/* "compiled from uncle.pl, by nlm 0.1.0" */
static void print_origin(const nlm_machine *machine)
{
    const char *version = nlm_machine_metadata(machine, "version");
    fact_line line = {.label = "compiled"};
    fact_line_text(&line, "from ");
    fact_line_text(&line, nlm_machine_metadata(machine, "compiled_from"));
    if (version != NULL)
        fact_line_add(&line, "by nlm ", version, "");
    fact_line_print(&line);
}

static void print_all(nlm_machine *machine, const char *path)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    puts(path);
    if (show_is_of_facts(machine))
        print_signature(machine, path);
    else
        print_task(machine);
    if (nlm_machine_metadata(machine, "compiled_from") != NULL)
        print_origin(machine);
    if (show_is_checkpoint(machine))
        show_checkpoint(machine);
    print_spec(spec);
    if (spec->model != NULL)
        print_tensors(machine, "tensors", "");
    else
        print_units(machine);
    if (spec->sense != NULL)
        print_tensors(machine, sense_title(spec->sense), PREFIX);
    if (nlm_machine_metadata(machine, "compiled_from") == NULL)
        show_training(machine);
}

static const char help[] =
    "Describes a model file: the task, or the predicates that it reads and concludes, the units of\n"
    "the machine layer by layer, and the settings and result of its training.  A unit that no output\n"
    "depends on is not live: it is neither computed nor saved.  A head on pairs of twins scores the\n"
    "moves of blocks, from the present state and the goal.  A sense is an image network (LeNet) that\n"
    "supplies the first unary inputs, as for adjacent-to-zero.";

int command_show(int argc, char **argv)
{
    bool verify = false;
    const option_row rows[] = {
        {"verify", NULL, "only compare the file with its checksum", OPTION_FLAG, .value = &verify},
    };
    const command_usage usage = {"show", "MODEL", help, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    nlm_machine *machine;
    nlm_error error;
    if (!message_ok("show", nlm_machine_load(argv[first], &machine, &error), &error))
        return EXIT_FAILURE;
    const char *checksum = nlm_machine_metadata(machine, "checksum");
    if (!verify)
        print_all(machine, argv[first]);
    else if (checksum != NULL) /* a file that is not as it was written cannot be loaded */
        printf("%s: verified, %s\n", argv[first], checksum);
    else
        printf("%s: no checksum: older versions and other programs write none\n", argv[first]);
    status = !verify || checksum != NULL ? EXIT_SUCCESS : EXIT_FAILURE;
    nlm_machine_free(machine);
    return status;
}

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
#include "numbers.h"
#include "nlm/nlm.h"

/* ---- lines of facts ---- */

enum { LINE_SIZE = 84 };

/* "  label        fact, fact, fact" */
typedef struct fact_line {
    const char *label;
    char text[LINE_SIZE];
} fact_line;

/* Add a text; what is not plain ASCII becomes '?', and a line that gets too long ends in dots. */
static void add_text(fact_line *line, const char *text)
{
    size_t used = strlen(line->text);
    for (; *text != '\0' && used < LINE_SIZE - 1; text++)
        line->text[used++] = *text >= ' ' && *text <= '~' ? *text : '?';
    line->text[used] = '\0';
    if (*text != '\0')
        memcpy(line->text + LINE_SIZE - 4, "...", 4);
}

static void add_fact(fact_line *line, const char *before, const char *fact, const char *after)
{
    add_text(line, line->text[0] != '\0' ? ", " : "");
    add_text(line, before);
    add_text(line, fact);
    add_text(line, after);
}

static void add_number(fact_line *line, const char *before, int number, const char *after)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    add_fact(line, before, text, after);
}

static void print_line(const fact_line *line)
{
    printf("  %-12s %s\n", line->label, line->text);
}

/* ---- how it was trained ---- */

typedef enum fact_form {
    FACT_TEXT,
    FACT_COUNT,   /* 12,345 things; one thing */
    FACT_REAL,    /* 4 digits */
    FACT_OUTCOME, /* graduated or not */
} fact_form;

/* A fact for each key of the metadata, several of them in a line.  What is 0, and so turned off, is left out
 * where `zero_is_off`. */
static const struct told {
    const char *label, *before, *key, *after;
    fact_form form;
    bool zero_is_off;
} training[] = {
    {"protocol", "", "protocol", "", FACT_TEXT, false},
    {"protocol", "seed ", "seed", "", FACT_TEXT, false},
    {"worlds", "", "objects", " objects", FACT_COUNT, false},
    {"worlds", "batches of ", "batch", " worlds", FACT_COUNT, false},
    {"chosen", "", "positives", " of a batch with a true tuple", FACT_TEXT, true},
    {"chosen", "", "deep", " the deepest of 16", FACT_TEXT, true},
    {"chosen", "", "replay", " that had errors before", FACT_TEXT, true},
    {"steps", "", "batches", " per epoch", FACT_COUNT, false},
    {"steps", "first weights times ", "gain", "", FACT_REAL, false},
    {"steps", "learning rate ", "lr", "", FACT_REAL, false},
    {"steps", "beta2 ", "beta2", "", FACT_REAL, false},
    {"graduation", "at a loss below ", "threshold", "", FACT_REAL, false},
    {"graduation", "no error in an exam of ", "exam", " worlds", FACT_COUNT, true},
    {"budget", "", "epochs", " epochs", FACT_COUNT, false},
    {"budget", "new weights when errors last ", "patience", " epochs", FACT_COUNT, true},
    {"result", "", "graduated", "", FACT_OUTCOME, false},
    {"result", "loss ", "loss", "", FACT_REAL, false},
    {"result", "", "epoch", " epochs", FACT_COUNT, false},
    {"result", "", "restarts", " restarts", FACT_COUNT, true},
    {"examples", "", "examples", " worlds learned from", FACT_COUNT, false},
    {"examples", "", "drawn", " drawn in all", FACT_COUNT, true},
    {"trained by", "nlm ", "version", "", FACT_TEXT, false},
    {"trained by", "kernel ", "kernel", "", FACT_TEXT, false},
};
enum { TOLD = sizeof training / sizeof training[0] };

/* A number of things; a text that is none is shown as it is. */
static void add_count(fact_line *line, const struct told *told, const char *value)
{
    char count[NUMBER_TEXT], things[32];
    const size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 15 || value[digits] != '\0') {
        add_fact(line, told->before, value, told->after);
        return;
    }
    number_count_text(strtoull(value, NULL, 10), count);
    const size_t length = strlen(told->after);
    const bool drop = strcmp(count, "1") == 0 && length > 0 && told->after[length - 1] == 's';
    snprintf(things, sizeof things, "%.*s", (int)length - drop, told->after);
    add_fact(line, told->before, count, things);
}

static void add_real(fact_line *line, const struct told *told, const char *value)
{
    char *end, number[32];
    snprintf(number, sizeof number, "%.4g", strtod(value, &end));
    add_fact(line, told->before, end != value && *end == '\0' ? number : value, told->after);
}

static bool is_checkpoint(const nlm_machine *machine)
{
    return nlm_machine_metadata(machine, "state") != NULL;
}

/* A checkpoint that the run will go on from. */
static bool is_unfinished(const nlm_machine *machine)
{
    const char *stage = nlm_machine_metadata(machine, "stage");
    return is_checkpoint(machine) && (stage == NULL || strcmp(stage, "learning") == 0);
}

static const char *outcome(const nlm_machine *machine, const char *graduated)
{
    if (is_unfinished(machine))
        return "unfinished";
    return strcmp(graduated, "yes") == 0 ? "graduated" : "did not graduate";
}

static void add_told(fact_line *line, const struct told *told, const nlm_machine *machine)
{
    const char *value = nlm_machine_metadata(machine, told->key);
    if (value == NULL || (told->zero_is_off && strcmp(value, "0") == 0))
        return;
    switch (told->form) {
    case FACT_TEXT:
        add_fact(line, told->before, value, told->after);
        break;
    case FACT_COUNT:
        add_count(line, told, value);
        break;
    case FACT_REAL:
        add_real(line, told, value);
        break;
    case FACT_OUTCOME:
        add_fact(line, "", outcome(machine, value), "");
        break;
    }
}

static void print_training(const nlm_machine *machine)
{
    puts("\ntraining");
    int lines = 0;
    for (int i = 0; i < TOLD;) {
        fact_line line = {training[i].label, ""};
        for (; i < TOLD && strcmp(training[i].label, line.label) == 0; i++)
            add_told(&line, &training[i], machine);
        if (line.text[0] != '\0') {
            print_line(&line);
            lines++;
        }
    }
    if (lines == 0)
        puts("  not recorded");
}

static void print_task(const nlm_machine *machine)
{
    const char *name = nlm_machine_metadata(machine, "task");
    const nlm_task *task = name != NULL ? nlm_task_find(name) : NULL;
    fact_line line = {"task", ""};
    add_text(&line, name != NULL ? name : "not recorded");
    if (task != NULL) {
        add_text(&line, ": ");
        add_text(&line, task->description);
    } else if (name != NULL) {
        add_text(&line, ", which 'nlm tasks' does not list");
    }
    print_line(&line);
    if (task != NULL) {
        char target[TASK_TARGET_SIZE];
        printf("  %-12s %s\n", "target", task_target_text(task, target));
    }
    if (is_checkpoint(machine)) {
        const char *epoch = nlm_machine_metadata(machine, "epoch");
        fact_line state = {.label = "checkpoint"};
        add_text(&state, is_unfinished(machine) ? "of an unfinished run" : "of a run that has ended");
        if (epoch != NULL)
            add_fact(&state, "after epoch ", epoch, "");
        print_line(&state);
    }
}

/* ---- the machine ---- */

/* "4 of arity 2, 1 of arity 1" */
static void print_inputs(const nlm_spec *spec)
{
    fact_line line = {"inputs", ""};
    for (int r = 0; r <= spec->breadth; r++) {
        char after[32];
        snprintf(after, sizeof after, " of arity %d", r);
        if (spec->inputs[r] > 0)
            add_number(&line, "", spec->inputs[r], after);
    }
    print_line(&line);
}

static void print_spec(const nlm_spec *spec)
{
    fact_line line = {"machine", ""};
    add_number(&line, "depth ", spec->depth, "");
    add_number(&line, "breadth ", spec->breadth, "");
    if (spec->own_widths)
        add_fact(&line, "", "units of different widths", "");
    else
        add_number(&line, "width ", spec->width, "");
    add_fact(&line, "", spec->residual ? "residual" : "not residual", "");
    if (spec->hidden_layers == 0)
        add_fact(&line, "", "no hidden layers", "");
    for (int i = 0; i < spec->hidden_layers; i++)
        add_number(&line, i == 0 ? "hidden layers of " : "", spec->hidden[i], "");
    print_line(&line);
    print_inputs(spec);
}

/* The sizes of a chain of linear layers, "24 -> 16 -> 8", and their weights and biases. */
typedef struct network {
    char sizes[64];
    size_t parameters;
} network;

static void add_linear(network *net, int inputs, int outputs)
{
    const size_t used = strlen(net->sizes);
    if (used == 0)
        snprintf(net->sizes, sizeof net->sizes, "%6d -> %d", inputs, outputs);
    else
        snprintf(net->sizes + used, sizeof net->sizes - used, " -> %d", outputs);
    net->parameters += ((size_t)inputs + 1) * (size_t)outputs;
}

static network unit_network(nlm_machine *machine, int layer, int arity)
{
    network net = {"", 0};
    for (int k = 0; k <= nlm_machine_spec(machine)->hidden_layers; k++) {
        char name[64];
        snprintf(name, sizeof name, "layer.%d.arity.%d.mlp.%d.weight", layer - 1, arity, k);
        for (int i = 0; i < nlm_machine_tensors(machine); i++) {
            const nlm_tensor tensor = nlm_machine_tensor(machine, i);
            if (strcmp(tensor.name, name) == 0)
                add_linear(&net, tensor.shape[1], tensor.shape[0]);
        }
    }
    return net;
}

static void print_row(const char *what, const char *arity, const char *sizes, const char *parameters)
{
    printf("  %-12.30s %5s   %-32s %12s\n", what, arity, sizes, parameters);
}

static void print_network(const char *what, int arity, const network *net)
{
    char parameters[NUMBER_TEXT], digits[16];
    snprintf(digits, sizeof digits, "%d", arity);
    print_row(what, digits, net->sizes, number_count_text(net->parameters, parameters));
}

static void print_layer(nlm_machine *machine, int layer)
{
    char what[24];
    snprintf(what, sizeof what, "layer %d", layer);
    for (int arity = 0; arity <= nlm_machine_spec(machine)->breadth; arity++) {
        if (nlm_machine_unit_live(machine, layer, arity)) {
            const network net = unit_network(machine, layer, arity);
            print_network(what, arity, &net);
        } else {
            printf("  %-12s %5d   not live\n", what, arity);
        }
        what[0] = '\0';
    }
}

static void print_head(nlm_machine *machine, int index)
{
    const nlm_head_spec *head = nlm_machine_head(machine, index);
    fact_line name = {"", ""};
    network net = {"", 0};
    add_fact(&name, "head ", head->name, "");
    add_linear(&net, nlm_machine_output_width(machine, head->arity), head->outputs);
    print_network(name.text, head->arity, &net);
}

static void print_units(nlm_machine *machine)
{
    char parameters[NUMBER_TEXT];
    puts("");
    print_row("units", "arity", "inputs -> predicates", "parameters");
    for (int layer = 1; layer <= nlm_machine_spec(machine)->depth; layer++)
        print_layer(machine, layer);
    for (int head = 0; head < nlm_machine_heads(machine); head++)
        print_head(machine, head);
    print_row("total", "", "", number_count_text(nlm_machine_parameters(machine), parameters));
}

/* ---- the command ---- */

int command_show(int argc, char **argv)
{
    const command_usage usage = {
        "show",
        "MODEL",
        "Shows what is in a model file: the task, the machine with its units layer by layer, and how it\n"
        "was trained.  A unit that no output depends on is not live: it is neither computed nor saved.",
        NULL,
        0,
        1,
        1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    nlm_machine *machine;
    nlm_error error;
    if (nlm_machine_load(argv[first], &machine, &error) != NLM_OK) {
        message_error("show: %s", error.message);
        return EXIT_FAILURE;
    }
    puts(argv[first]);
    print_task(machine);
    print_spec(nlm_machine_spec(machine));
    print_units(machine);
    print_training(machine);
    nlm_machine_free(machine);
    return EXIT_SUCCESS;
}

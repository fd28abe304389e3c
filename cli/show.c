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
#include "show_tensors.h"
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
    FACT_SHARE,   /* 0 to 1 as a percentage */
    FACT_YES,     /* 1 is yes, 0 no */
    FACT_OUTCOME, /* graduated or not */
} fact_form;

/* A fact for each key of the metadata, several of them in a line.  What has the value `off`, if that is
 * not NULL, is left out. */
struct told {
    const char *label, *before, *key, *after;
    fact_form form;
    const char *off;
};

static const struct told training[] = {
    {"protocol", "", "protocol", "", FACT_TEXT, NULL},
    {"protocol", "seed ", "seed", "", FACT_TEXT, NULL},
    {"worlds", "", "objects", " objects", FACT_COUNT, NULL},
    {"worlds", "batches of ", "batch", " worlds", FACT_COUNT, NULL},
    {"chosen", "", "positives", " of a batch with a true tuple", FACT_TEXT, "0"},
    {"chosen", "", "deep", " the deepest of 16", FACT_TEXT, "0"},
    {"chosen", "", "replay", " that had errors before", FACT_TEXT, "0"},
    {"chosen", "pictures moved by up to ", "shift", " pixels", FACT_TEXT, "0"},
    {"steps", "", "batches", " per epoch", FACT_COUNT, NULL},
    {"steps", "first weights times ", "gain", "", FACT_REAL, NULL},
    {"steps", "on ", "labels", " of the labels", FACT_SHARE, "0"},
    {"steps", "learning rate ", "lr", "", FACT_REAL, NULL},
    {"steps", "times ", "lr_decay", " after each epoch", FACT_REAL, "1"},
    {"steps", "beta2 ", "beta2", "", FACT_REAL, NULL},
    {"graduation", "at a loss below ", "threshold", "", FACT_REAL, "0"},
    {"graduation", "no error in an exam of ", "exam", " worlds", FACT_COUNT, "0"},
    {"budget", "", "epochs", " epochs", FACT_COUNT, NULL},
    {"budget", "new weights when stuck for ", "patience", " epochs", FACT_COUNT, "0"},
    {"result", "", "graduated", "", FACT_OUTCOME, NULL},
    {"result", "loss ", "loss", "", FACT_REAL, NULL},
    {"result", "", "epoch", " epochs", FACT_COUNT, NULL},
    {"result", "", "restarts", " restarts", FACT_COUNT, "0"},
    {"examples", "", "examples", " worlds learned from", FACT_COUNT, NULL},
    {"examples", "", "drawn", " drawn in all", FACT_COUNT, "0"},
    {"trained by", "nlm ", "version", "", FACT_TEXT, NULL},
    {"trained by", "kernel ", "kernel", "", FACT_TEXT, NULL},
    {NULL, NULL, NULL, NULL, FACT_TEXT, NULL},
};

/* The same of facts. */
static const struct told training_on_facts[] = {
    {"protocol", "", "protocol", "", FACT_TEXT, NULL},
    {"protocol", "seed ", "seed", "", FACT_TEXT, NULL},
    {"worlds", "up to ", "objects", " objects", FACT_COUNT, NULL},
    {"worlds", "batches of ", "batch", " worlds", FACT_COUNT, NULL},
    {"chosen", "", "positives", " of a batch with a true tuple", FACT_TEXT, "0"},
    {"chosen", "", "replay", " that had errors before", FACT_TEXT, "0"},
    {"steps", "", "batches", " per epoch", FACT_COUNT, NULL},
    {"steps", "first weights times ", "gain", "", FACT_REAL, NULL},
    {"steps", "on ", "labels", " of the labels", FACT_SHARE, "0"},
    {"steps", "learning rate ", "lr", "", FACT_REAL, NULL},
    {"steps", "times ", "lr_decay", " after each epoch", FACT_REAL, "1"},
    {"steps", "beta2 ", "beta2", "", FACT_REAL, NULL},
    {"graduation", "at a loss below ", "threshold", "", FACT_REAL, NULL},
    {"graduation", "no error on the ", "held_out", " held out", FACT_SHARE, "0"},
    {"budget", "", "epochs", " epochs", FACT_COUNT, NULL},
    {"budget", "new weights when errors last ", "patience", " epochs", FACT_COUNT, "0"},
    {"result", "", "graduated", "", FACT_OUTCOME, NULL},
    {"result", "loss ", "loss", "", FACT_REAL, NULL},
    {"result", "", "epoch", " epochs", FACT_COUNT, NULL},
    {"result", "best epoch ", "best_epoch", "", FACT_TEXT, NULL},
    {"result", "", "restarts", " restarts", FACT_COUNT, "0"},
    {"examples", "", "examples", " worlds learned from", FACT_COUNT, NULL},
    {"trained by", "nlm ", "version", "", FACT_TEXT, NULL},
    {"trained by", "kernel ", "kernel", "", FACT_TEXT, NULL},
    {NULL, NULL, NULL, NULL, FACT_TEXT, NULL},
};

/* The same of games. */
static const struct told course[] = {
    {"protocol", "", "protocol", "", FACT_TEXT, NULL},
    {"protocol", "seed ", "seed", "", FACT_TEXT, NULL},
    {"lessons", "from ", "first_lesson", "", FACT_TEXT, NULL},
    {"lessons", "up to ", "last_lesson", " objects", FACT_TEXT, NULL},
    {"lessons", "half of the instances the deepest of ", "deepest", "", FACT_TEXT, "0"},
    {"batches", "of ", "batch", " episodes", FACT_COUNT, NULL},
    {"batches", "", "rollouts", " of each instance", FACT_TEXT, "0"},
    {"batches", "", "greedy_rollouts", " of them greedy", FACT_TEXT, "0"},
    {"batches", "updates from each: ", "passes", "", FACT_TEXT, NULL},
    {"pools", "of ", "pool", " instances", FACT_COUNT, NULL},
    {"pools", "", "solved_share", " of episodes from the solved ones", FACT_SHARE, "0"},
    {"pools", "failures kept: ", "keep_failures", "", FACT_YES, NULL},
    {"steps", "first weights times ", "gain", "", FACT_REAL, NULL},
    {"steps", "learning rate ", "lr", "", FACT_REAL, NULL},
    {"steps", "times ", "lr_decay", " per lesson", FACT_REAL, NULL},
    {"steps", "beta2 ", "beta2", "", FACT_REAL, NULL},
    {"weights", "averaged for exams with memory ", "average", "", FACT_REAL, "0"},
    {"weights", "rate times ", "final_decay", " per final exam failed", FACT_REAL, "1"},
    {"objective", "discount ", "discount", "", FACT_REAL, NULL},
    {"objective", "entropy ", "entropy", "", FACT_REAL, NULL},
    {"objective", "times ", "entropy_decay", " per lesson", FACT_REAL, NULL},
    {"objective", "legal moves ", "validity", "", FACT_REAL, "0"},
    {"exams", "every ", "interval", " episodes", FACT_COUNT, NULL},
    {"exams", "of ", "exam", " instances", FACT_COUNT, NULL},
    {"exams", "", "slack", " may fail per lesson to come", FACT_SHARE, "0"},
    {"moves", "greedy in exams: ", "greedy_exams", "", FACT_YES, NULL},
    {"moves", "least number needed: ", "optimal_exams", "", FACT_YES, NULL},
    {"graduation", "no failure in an exam of ", "final_exam", " instances", FACT_COUNT, NULL},
    {"graduation", "one of eight with ", "final_objects", " objects", FACT_COUNT, "0"},
    {"budget", "", "episodes", " episodes", FACT_COUNT, NULL},
    {"budget", "dropped when lessons take more than ", "patience", " each", FACT_COUNT, "0"},
    {"budget", "new weights after ", "restart", "", FACT_COUNT, "0"},
    {"result", "", "graduated", "", FACT_OUTCOME, NULL},
    {"result", "lesson ", "lesson", "", FACT_TEXT, NULL},
    {"result", "success ", "success", "", FACT_SHARE, NULL},
    {"result", "", "moves", " moves", FACT_REAL, NULL},
    {"result", "", "restarts", " restarts", FACT_COUNT, "0"},
    {"episodes", "", "learned_episodes", " learned from", FACT_COUNT, NULL},
    {"episodes", "", "drawn", " instances drawn in all", FACT_COUNT, "0"},
    {"trained by", "nlm ", "version", "", FACT_TEXT, NULL},
    {"trained by", "kernel ", "kernel", "", FACT_TEXT, NULL},
    {NULL, NULL, NULL, NULL, FACT_TEXT, NULL},
};

/* A number of things; a text that is none is shown as it is. */
static void add_count(fact_line *line, const struct told *told, const char *value)
{
    char count[NLM_NUMBER_TEXT], things[32];
    const size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 15 || value[digits] != '\0') {
        add_fact(line, told->before, value, told->after);
        return;
    }
    nlm_count_text(strtoull(value, NULL, 10), count);
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

static void add_share(fact_line *line, const struct told *told, const char *value)
{
    char *end, text[NLM_NUMBER_TEXT];
    const double share = strtod(value, &end);
    const bool is_share = end != value && *end == '\0' && share >= 0 && share <= 1;
    add_fact(line, told->before, is_share ? nlm_percent_text(share, text) : value, told->after);
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
    const char *threshold = nlm_machine_metadata(machine, "threshold");
    const bool of_task = nlm_machine_metadata(machine, "task") != NULL;
    const bool has_goal = !of_task || threshold == NULL || strcmp(threshold, "0") != 0;
    return strcmp(graduated, "yes") == 0 ? "graduated"
           : has_goal                    ? "did not graduate"
                                         : "learned for the whole budget";
}

static void add_told(fact_line *line, const struct told *told, const nlm_machine *machine)
{
    const char *value = nlm_machine_metadata(machine, told->key);
    if (value == NULL || (told->off != NULL && strcmp(value, told->off) == 0))
        return;
    if (nlm_machine_spec(machine)->program != NULL && strcmp(told->key, "beta2") == 0)
        return; /* of Adam, which differentiable ILP does without */
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
    case FACT_SHARE:
        add_share(line, told, value);
        break;
    case FACT_YES:
        add_fact(line, told->before,
                 strcmp(value, "1") == 0   ? "yes"
                 : strcmp(value, "0") == 0 ? "no"
                                           : value,
                 told->after);
        break;
    case FACT_OUTCOME:
        add_fact(line, "", outcome(machine, value), "");
        break;
    }
}

static bool is_of_facts(const nlm_machine *machine)
{
    return nlm_machine_metadata(machine, "signature") != NULL;
}

static const struct told *what_is_told(const nlm_machine *machine)
{
    if (task_or_game_of(nlm_machine_metadata(machine, "task")).game != NULL)
        return course;
    return is_of_facts(machine) ? training_on_facts : training;
}

static void print_training(const nlm_machine *machine)
{
    puts("\ntraining");
    int lines = 0;
    for (const struct told *told = what_is_told(machine); told->label != NULL;) {
        fact_line line = {told->label, ""};
        for (; told->label != NULL && strcmp(told->label, line.label) == 0; told++)
            add_told(&line, told, machine);
        if (line.text[0] != '\0') {
            print_line(&line);
            lines++;
        }
    }
    if (lines == 0)
        puts("  not recorded");
}

/* A checkpoint counts what lies behind it: epochs, or the exams of a game. */
static void print_checkpoint(const nlm_machine *machine, bool of_game)
{
    const char *count = nlm_machine_metadata(machine, of_game ? "exams" : "epoch");
    fact_line line = {.label = "checkpoint"};
    add_text(&line, is_unfinished(machine) ? "of an unfinished run" : "of a run that has ended");
    if (count != NULL)
        add_fact(&line, of_game ? "after exam " : "after epoch ", count, "");
    print_line(&line);
}

/* ---- what it has learned ---- */

enum { NAME_WIDTH = 18 };

/* "works/3            person, project, role" */
static void print_predicate(const char *label, const nlm_predicate *predicate)
{
    char name[LINE_SIZE], padded[LINE_SIZE];
    fact_line line = {label, ""};
    nlm_predicate_text(predicate, name, sizeof name);
    const bool typed = predicate->arity > 0 && predicate->type[0][0] != '\0' && !predicate->is_type;
    snprintf(padded, sizeof padded, "%-*s", typed ? NAME_WIDTH : 0, name);
    add_text(&line, padded);
    for (int k = 0; k < predicate->arity && typed; k++) {
        add_text(&line, k == 0 ? " " : ", ");
        add_text(&line, predicate->type[k]);
    }
    print_line(&line);
}

/* The predicates that a model of facts reads, and those that it concludes. */
static void print_signature(const nlm_machine *machine, const char *path)
{
    nlm_signature *signature;
    nlm_error error;
    if (nlm_signature_of_model(machine, path, &signature, &error) != NLM_OK) {
        fact_line line = {.label = "signature"};
        add_text(&line, error.message);
        print_line(&line);
        return;
    }
    for (int p = 0; p < nlm_signature_inputs(signature); p++)
        print_predicate(p == 0 ? "reads" : "", nlm_signature_input(signature, p));
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        print_predicate(t == 0 ? "concludes" : "", nlm_signature_target(signature, t));
    nlm_signature_free(signature);
}

/* What the objects of the task showed. */
static void print_images(const char *data, const nlm_task *task)
{
    fact_line line = {"images", ""};
    if (data == NULL || task->sense == NULL)
        return;
    if (strcmp(data, "0") == 0)
        add_text(&line, "digits drawn by nlm");
    else
        add_fact(&line, "of files, number ", data, "");
    print_line(&line);
}

static void print_task(const nlm_machine *machine)
{
    const char *name = nlm_machine_metadata(machine, "task");
    const task_or_game learned = task_or_game_of(name);
    fact_line line = {learned.game != NULL ? "game" : "task", ""};
    add_text(&line, name != NULL ? name : "not recorded");
    if (learned.task != NULL || learned.game != NULL) {
        add_text(&line, ": ");
        add_text(&line, learned.task != NULL ? learned.task->description : learned.game->description);
    } else if (name != NULL) {
        add_text(&line, ", which 'nlm tasks' does not list");
    }
    print_line(&line);
    if (learned.task != NULL) {
        char target[TASK_TARGET_SIZE];
        printf("  %-12s %s\n", "target", task_target_text(learned.task, target));
        print_images(nlm_machine_metadata(machine, "data"), learned.task);
    }
}

static void print_learned(const nlm_machine *machine, const char *path)
{
    if (is_of_facts(machine))
        print_signature(machine, path);
    else
        print_task(machine);
    if (is_checkpoint(machine))
        print_checkpoint(machine, task_or_game_of(nlm_machine_metadata(machine, "task")).game != NULL);
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

/* "LeNet, reads 784 numbers that an object shows, makes the first 10 inputs of arity 1" */
static void print_sense(const char *name)
{
    fact_line line = {"sense", ""};
    int numbers, predicates;
    add_text(&line, show_sense_title(name));
    if (nlm_sense_find(name, &numbers, &predicates)) {
        add_number(&line, "reads ", numbers, " numbers that an object shows");
        add_number(&line, "makes the first ", predicates, " inputs of arity 1");
    }
    print_line(&line);
}

static void print_spec(const nlm_spec *spec)
{
    if (spec->model != NULL) {
        show_model(spec);
        print_inputs(spec);
        return;
    }
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
    if (spec->sense != NULL)
        print_sense(spec->sense);
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
    char parameters[NLM_NUMBER_TEXT], digits[16];
    snprintf(digits, sizeof digits, "%d", arity);
    print_row(what, digits, net->sizes, nlm_count_text(net->parameters, parameters));
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

/* The columns of its weight. */
static int head_inputs(nlm_machine *machine, const nlm_head_spec *head)
{
    char name[LINE_SIZE];
    snprintf(name, sizeof name, "%s.weight", head->name);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (strcmp(tensor.name, name) == 0)
            return tensor.shape[1];
    }
    return 0;
}

static void print_head(nlm_machine *machine, int index)
{
    const nlm_head_spec *head = nlm_machine_head(machine, index);
    fact_line name = {"", ""};
    network net = {"", 0};
    add_fact(&name, "head ", head->name, "");
    add_linear(&net, head_inputs(machine, head), head->outputs);
    const size_t used = strlen(net.sizes);
    if (head->twins)
        snprintf(net.sizes + used, sizeof net.sizes - used, ", pairs of twins");
    print_network(name.text, head->arity, &net);
}

static void print_sense_unit(nlm_machine *machine)
{
    network net = {"", 0};
    const char *name = nlm_machine_spec(machine)->sense;
    int numbers, predicates;
    if (name == NULL || !nlm_sense_find(name, &numbers, &predicates))
        return;
    snprintf(net.sizes, sizeof net.sizes, "%6d -> %d", numbers, predicates);
    net.parameters = show_sense_parameters(machine);
    print_network(show_sense_title(name), 1, &net);
}

static void print_units(nlm_machine *machine)
{
    char parameters[NLM_NUMBER_TEXT];
    puts("");
    print_row("units", "arity", "inputs -> predicates", "parameters");
    print_sense_unit(machine);
    for (int layer = 1; layer <= nlm_machine_spec(machine)->depth; layer++)
        print_layer(machine, layer);
    for (int head = 0; head < nlm_machine_heads(machine); head++)
        print_head(machine, head);
    print_row("total", "", "", nlm_count_text(nlm_machine_parameters(machine), parameters));
}

/* ---- the command ---- */

int command_show(int argc, char **argv)
{
    const command_usage usage = {
        "show",
        "MODEL",
        "Describes a model file: the task, or the predicates that it reads and concludes, the units of\n"
        "the machine layer by layer, and the settings and result of its training.  A unit that no output\n"
        "depends on is not live: it is neither computed nor saved.  A head on pairs of twins scores the\n"
        "moves of blocks, from the present state and the goal.  A sense is an image network (LeNet) that\n"
        "supplies the first unary inputs, as for adjacent-to-zero.",
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
    print_learned(machine, argv[first]);
    print_spec(nlm_machine_spec(machine));
    if (nlm_machine_spec(machine)->model != NULL)
        show_model_tensors(machine);
    else
        print_units(machine);
    show_sense_tensors(machine);
    print_training(machine);
    nlm_machine_free(machine);
    return EXIT_SUCCESS;
}

/* nlm show: what is in a model file; the machine, then how it was trained.
 *
 * Texts from the file are anybody's: they are cut to a line, without what would steer a terminal. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "find_task.h"
#include "message.h"
#include "options.h"
#include "nlm/nlm.h"

/* ---- lines of facts ---- */

enum { LINE_SIZE = 84, NAME_WIDTH = 18 };

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
    add_fact(line, before, text_of("%d", number), after);
}

static void print_line(const fact_line *line)
{
    printf("  %-12s %s\n", line->label, line->text);
}

/* ---- how it was trained ---- */

/* A number of things; a text that is none is shown as it is. */
static void add_count(fact_line *line, const char *before, const char *value, const char *after)
{
    const size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > (sizeof(size_t) > 4 ? 15 : 9) || value[digits] != '\0') {
        add_fact(line, before, value, after);
        return;
    }
    const char *count = text_of_count(strtoull(value, NULL, 10));
    const size_t length = strlen(after);
    const bool drop = strcmp(count, "1") == 0 && length > 0 && after[length - 1] == 's';
    add_fact(line, before, count, text_of("%.*s", (int)length - drop, after));
}

/* Lines of facts one after the other; a fact is "label: text" with # for its number, % for a percentage, ?
 * for yes or no, or at the end of the text. */
typedef struct fact_lines {
    char label[NAME_WIDTH];
    fact_line line;
    int printed;
} fact_lines;

static void end_line(fact_lines *lines)
{
    lines->line.label = lines->label;
    if (lines->line.text[0] != '\0')
        print_line(&lines->line);
    lines->printed += lines->line.text[0] != '\0';
    lines->line.text[0] = '\0';
}

static void add_shown(fact_lines *lines, const char *shown, const char *value, bool is_count, bool is_valid)
{
    char label[NAME_WIDTH], before[LINE_SIZE], after[LINE_SIZE], *end;
    const int length = (int)strcspn(shown, ":");
    const char *text = shown + length + 2;
    const size_t place = strcspn(text, "#%?");
    const char kind = text[place];
    snprintf(label, sizeof label, "%.*s", length, shown);
    snprintf(before, sizeof before, "%.*s", (int)place, text);
    snprintf(after, sizeof after, "%s%s", text + place + (kind != '\0'), is_valid ? "" : " (invalid)");
    if (strcmp(label, lines->label) != 0) {
        end_line(lines);
        memcpy(lines->label, label, sizeof label);
    }
    const double real = strtod(value, &end);
    const bool is_number = end != value && *end == '\0';
    if (kind == '#' && is_count)
        add_count(&lines->line, before, value, after);
    else if (kind == '?' && is_number && is_valid)
        add_fact(&lines->line, before, real > 0 ? "yes" : "no", after);
    else if (kind == '%' && is_number && real >= 0 && real <= 1)
        add_fact(&lines->line, before, text_of_percent(real), after);
    else if (kind == '#' && is_number)
        add_fact(&lines->line, before, text_of("%.4g", real), after);
    else
        add_fact(&lines->line, before, value, after);
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
                                         : "trained for the whole budget";
}

static bool is_of_facts(const nlm_machine *machine)
{
    return nlm_machine_metadata(machine, "signature") != NULL;
}

/* The place of its kind of run in nlm_setting.shown. */
enum { TASK, FACTS, GAME };

static int kind_of_run(const nlm_machine *machine)
{
    if (task_or_game_of(nlm_machine_metadata(machine, "task")).game != NULL)
        return GAME;
    return is_of_facts(machine) ? FACTS : TASK;
}

/* If the run and the model have it; a value that it cannot have is marked. */
static void add_setting(fact_lines *lines, const nlm_setting *setting, int kind, const nlm_machine *machine)
{
    const char *model = nlm_machine_spec(machine)->model, *value = nlm_setting_in(setting, machine);
    if (value == NULL || !(setting->runs >> kind & 1) ||
        (setting->unshown != NULL && strcmp(value, setting->unshown) == 0) ||
        (model != NULL && setting->models != NULL && strstr(setting->models, model) == NULL))
        return;
    while (kind > 0 && setting->shown[kind] == NULL)
        kind--;
    if (setting->shown[kind] != NULL)
        add_shown(lines, setting->shown[kind], value, setting->type != NLM_REAL,
                  nlm_setting_check(setting, value, NULL) == NLM_OK);
}

/* What became of the run: in the metadata, beside its settings. */
static const struct result {
    unsigned runs;
    const char *key, *shown, *unshown;
    bool is_count;
} results[] = {
    {NLM_OF_EXAMPLES, "loss", "result: loss #", NULL, false},
    {NLM_OF_EXAMPLES, "epoch", "result: # epochs", NULL, true},
    {NLM_OF_FACTS, "best_epoch", "result: best epoch #", NULL, true},
    {NLM_OF_GAMES, "lesson", "result: lesson #", NULL, true},
    {NLM_OF_GAMES, "success", "result: success %", NULL, false},
    {NLM_OF_GAMES, "moves", "result: # moves", NULL, false},
    {NLM_OF_ALL, "restarts", "result: # restarts", "0", true},
    {NLM_OF_EXAMPLES, "examples", "examples: # worlds learned from", NULL, true},
    {NLM_OF_TASKS, "drawn", "examples: # drawn in all", "0", true},
    {NLM_OF_GAMES, "learned_episodes", "episodes: # learned from", NULL, true},
    {NLM_OF_GAMES, "drawn", "episodes: # instances drawn in all", "0", true},
    {NLM_OF_ALL, "version", "trained by: nlm ", NULL, false},
    {NLM_OF_ALL, "kernel", "trained by: kernel ", NULL, false},
};

/* Numbers of a result are finite and not negative, shares at most 1. */
static bool is_possible(const struct result *result, const char *value)
{
    char *end;
    const double real = strtod(value, &end);
    if (strpbrk(result->shown, "#%") == NULL)
        return true;
    return end != value && *end == '\0' && real >= 0 &&
           real <= (strchr(result->shown, '%') != NULL ? 1 : DBL_MAX);
}

static void print_training(const nlm_machine *machine)
{
    const int kind = kind_of_run(machine);
    const char *protocol = nlm_machine_metadata(machine, "protocol");
    const char *graduated = nlm_machine_metadata(machine, "graduated");
    fact_lines lines = {0};
    puts("\ntraining");
    if (protocol != NULL)
        add_shown(&lines, "protocol: ", protocol, false, true);
    for (int i = 0; i < nlm_setting_count(); i++)
        add_setting(&lines, nlm_setting_at(i), kind, machine);
    if (graduated != NULL)
        add_shown(&lines, "result: ", outcome(machine, graduated), false, true);
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const struct result *result = &results[i];
        const char *value = nlm_machine_metadata(machine, result->key);
        if (value != NULL && (result->runs >> kind & 1) &&
            (result->unshown == NULL || strcmp(value, result->unshown) != 0))
            add_shown(&lines, result->shown, value, result->is_count, is_possible(result, value));
    }
    end_line(&lines);
    if (lines.printed == 0)
        puts("  not recorded");
}

/* A checkpoint counts what lies behind it: epochs, or the exams of a game. */
static void print_checkpoint(const nlm_machine *machine)
{
    const bool of_game = kind_of_run(machine) == GAME;
    const char *count = nlm_machine_metadata(machine, of_game ? "exams" : "epoch");
    fact_line line = {.label = "checkpoint"};
    add_text(&line, is_unfinished(machine) ? "of an unfinished run" : "of a run that has ended");
    if (count != NULL)
        add_fact(&line, of_game ? "after exam " : "after epoch ", count, "");
    print_line(&line);
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
        const char *data = nlm_machine_metadata(machine, "data");
        if (data != NULL && learned.task->sense != NULL) { /* what the objects showed */
            fact_line images = {"images", ""};
            if (strcmp(data, "0") == 0)
                add_text(&images, "digits drawn by nlm");
            else
                add_fact(&images, "of files, number ", data, "");
            print_line(&images);
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
            add_number(&line, "", spec->inputs[r], text_of(" of arity %d", r));
    print_line(&line);
}

/* "LeNet, reads the 784 pixels of an image, computes the first 10 unary inputs" */
static void print_sense(const char *name)
{
    fact_line line = {"sense", ""};
    int numbers, predicates;
    add_text(&line, sense_title(name));
    if (nlm_sense_find(name, &numbers, &predicates)) {
        add_number(&line, "reads the ", numbers, " pixels of an image");
        add_number(&line, "computes the first ", predicates, " unary inputs");
    }
    print_line(&line);
}

static void print_spec(const nlm_spec *spec)
{
    if (spec->model != NULL) {
        print_model(spec);
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
    add_fact(&name, "head ", head->name, "");
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
    add_text(&line, "from ");
    add_text(&line, nlm_machine_metadata(machine, "compiled_from"));
    if (version != NULL)
        add_fact(&line, "by nlm ", version, "");
    print_line(&line);
}

static void print_all(nlm_machine *machine, const char *path)
{
    const nlm_spec *spec = nlm_machine_spec(machine);
    puts(path);
    if (is_of_facts(machine))
        print_signature(machine, path);
    else
        print_task(machine);
    if (nlm_machine_metadata(machine, "compiled_from") != NULL)
        print_origin(machine);
    if (is_checkpoint(machine))
        print_checkpoint(machine);
    print_spec(spec);
    if (spec->model != NULL)
        print_tensors(machine, "tensors", "");
    else
        print_units(machine);
    if (spec->sense != NULL)
        print_tensors(machine, sense_title(spec->sense), PREFIX);
    if (nlm_machine_metadata(machine, "compiled_from") == NULL)
        print_training(machine);
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

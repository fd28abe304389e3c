/* What nlm show tells about networks beside the machine's own units: senses, and other models. */
#include "show_tensors.h"
#include "message.h"

#include <stdio.h>
#include <string.h>
#include "nlm/tools.h"

#define PREFIX "sense." /* of the names of its tensors */

enum { SHAPE_SIZE = 64, GIVEN_TEXT = 400 };

static bool is_of_sense(const nlm_tensor *tensor)
{
    return strncmp(tensor->name, PREFIX, strlen(PREFIX)) == 0;
}

const char *show_sense_title(const char *name)
{
    return strcmp(name, "lenet") == 0 ? "LeNet" : name;
}

size_t show_sense_parameters(nlm_machine *machine)
{
    size_t count = 0;
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        count += is_of_sense(&tensor) ? tensor.count : 0;
    }
    return count;
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

/* Tensors whose names begin like this; the rest of the name is shown. */
static void print_tensors(nlm_machine *machine, const char *title, const char *prefix)
{
    char shape[SHAPE_SIZE], count[NLM_NUMBER_TEXT];
    const int width = name_width(machine, prefix);
    printf("\n  %-*s   %-32s %10s\n", width, title, "shape", "parameters");
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        const nlm_tensor tensor = nlm_machine_tensor(machine, t);
        if (strncmp(tensor.name, prefix, strlen(prefix)) != 0)
            continue;
        shape_text(&tensor, shape);
        printf("  %-*s   %-32s %10s\n", width, tensor.name + strlen(prefix), shape,
               nlm_count_text(tensor.count, count));
    }
}

void show_sense_tensors(nlm_machine *machine)
{
    const char *name = nlm_machine_spec(machine)->sense;
    if (name != NULL)
        print_tensors(machine, show_sense_title(name), PREFIX);
}

/* ---- other models ---- */

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

static void print_program(const nlm_program_template *program)
{
    printf("  %-12s", "given");
    for (int g = 0; g < program->givens; g++) {
        char text[GIVEN_TEXT];
        nlm_given_text(&program->given[g], text, sizeof text);
        printf("%s %s/%d", g == 0 ? "" : ",", text, program->given[g].arity);
    }
    putchar('\n');
    for (int d = 0; d < program->definitions; d++)
        print_definition(d == 0 ? "defined" : "", &program->definition[d]);
}

void show_model(const nlm_spec *spec)
{
    if (spec->program != NULL) {
        printf("  %-12s differentiable ILP (dilp) in ", "model");
        if (spec->program->steps_by_objects)
            printf("as many steps as objects");
        else
            printf("%d step%s", spec->depth, plural(spec->depth));
        puts("; 'nlm rules' prints its clauses");
        print_program(spec->program);
        return;
    }
    printf("  %-12s memory network (%s), %d round%s, a state of %d numbers", "model", spec->model,
           spec->depth, plural(spec->depth), spec->width);
    for (int k = 0; k < spec->hidden_layers; k++)
        printf("%s%d", k == 0 ? ", hidden layers of " : ", ", spec->hidden[k]);
    putchar('\n');
}

void show_model_tensors(nlm_machine *machine)
{
    char count[NLM_NUMBER_TEXT];
    print_tensors(machine, "tensors", "");
    printf("  %-*s   %-32s %10s\n", name_width(machine, ""), "total", "",
           nlm_count_text(nlm_machine_parameters(machine), count));
}

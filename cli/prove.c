/* nlm prove: whether a model computes with 0 and 1 only, and whether rules are what it computes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "options.h"

static const char help[] =
    "Proves from the model file alone that every unit is exactly 0 or 1 in every world of true and false\n"
    "facts, of any size, and that the rules of the model (nlm rules) are what it computes.  Of a model\n"
    "without rules the definitions are printed that its units then are.  With RULES, a file of clauses,\n"
    "proves that these are what the model computes, or prints a world on which the two differ.\n"
    "Of an agent with rules it is proved that it makes the moves of their list, of one without only what "
    "its\n"
    "units are.  Exits with 0 if it is proved, and with 1 if not.";

enum { NAME_SIZE = 256 };

typedef struct proving {
    const char *model, *rules; /* rules: the file, or "its rules"; NULL without */
    nlm_machine *machine;
    nlm_signature *signature; /* NULL for an agent without rules */
    nlm_program *program;     /* NULL without rules */
    nlm_proof *proof;
    bool weighed;            /* of differentiable ILP: the proof is about its most probable clauses */
    char clauses[NAME_SIZE]; /* what stands for these */
} proving;

/* ---- reading ---- */

static bool read_signature(proving *of)
{
    nlm_error error;
    const char *task = nlm_machine_metadata(of->machine, "task");
    const bool is_agent = task && nlm_game_find(task);
    const nlm_spec *spec = nlm_machine_spec(of->machine);
    if ((spec->model && !spec->program) || (is_agent && !nlm_machine_has_program(of->machine)))
        return true;
    return message_ok("prove", nlm_program_names(of->machine, of->model, &of->signature, &error), &error);
}

/* The rules, with the model's inputs and targets. */
static bool read_rules(proving *of)
{
    char name[NLM_MAX_HEADS][NAME_SIZE];
    const char *targets[NLM_MAX_HEADS];
    nlm_program_reading reading = {.targets = targets, .signature = of->signature};
    nlm_error error;
    if (!of->signature) {
        message_error("prove: %s: rules are compared with conclusions, and this model has none", of->model);
        return false;
    }
    for (int t = 0; t < nlm_signature_targets(of->signature) && t < NLM_MAX_HEADS; t++) {
        nlm_predicate_text(nlm_signature_target(of->signature, t), name[t], NAME_SIZE);
        targets[reading.target_count++] = name[t];
    }
    return message_ok("prove", nlm_program_read(of->rules, &reading, &of->program, &error), &error);
}

/* Clauses with probabilities are no units that are 0 or 1; but the most probable ones can be compared with
 * rules: their machine takes the place of the model. */
static bool take_clauses(proving *of)
{
    nlm_program *program = NULL;
    nlm_machine *machine = NULL;
    nlm_error error;
    of->weighed = of->rules && nlm_machine_spec(of->machine)->program;
    if (!of->weighed)
        return true;
    nlm_status status = nlm_program_of_model(of->machine, of->model, &program, &error);
    if (status == NLM_OK)
        status = nlm_program_compile(program, 0, &machine, &error);
    nlm_program_free(program);
    if (status == NLM_OK) {
        nlm_machine_free(of->machine);
        of->machine = machine;
        snprintf(of->clauses, sizeof of->clauses, "%.200s (its most probable clauses)", of->model);
        of->model = of->clauses;
    }
    return message_ok("prove", status, &error);
}

/* ---- printing ---- */

static int lines_in(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* What the proof does not speak about. */
static void print_limits(const proving *of)
{
    const char *sense = nlm_machine_spec(of->machine)->sense;
    if (!of->signature)
        puts("not part of the proof: the scores that rank moves");
    if (of->weighed)
        puts("not part of the proof: the probabilities of the clauses, by which the model's conclusions are "
             "near "
             "0 or 1, but not equal");
    if (sense)
        printf("not part of the proof: what the network '%s' sees, which is taken as true or false\n", sense);
}

static void print_proved(const proving *of)
{
    const nlm_proof *proof = of->proof;
    const int lines = lines_in(proof->definitions);
    printf("proved: %s computes ", of->model);
    if (of->rules)
        printf("%s", of->rules);
    else
        printf("%s", lines == 1 ? "this definition" : text_of("these %d definitions", lines));
    printf(" in every world");
    if (of->weighed)
        putchar('\n');
    else if (proof->units == 1)
        printf(": its unit is exactly 0 or 1 (smallest margin %.4g)\n", proof->margin);
    else
        printf(": each of its %d units is exactly 0 or 1 (smallest margin %.4g)\n", proof->units,
               proof->margin);
    print_limits(of);
    if (!of->rules)
        printf("\n%s", proof->definitions);
}

static void print_text(const proving *of)
{
    const nlm_proof *proof = of->proof;
    switch (proof->verdict) {
    case NLM_PROVED:
        print_proved(of);
        break;
    case NLM_SOFT:
        printf("not proved: %d of %d unit%s of %s may be neither 0 nor 1: %s\n", proof->soft, proof->units,
               plural(proof->units), of->model, proof->reason);
        if (!nlm_machine_has_program(of->machine) && of->signature && !nlm_machine_spec(of->machine)->sense)
            printf("what is missing: units that are true or false; nlm rules --find %s looks for such a "
                   "machine, "
                   "which is a program\n",
                   of->model);
        break;
    case NLM_REFUTED:
        printf("refuted: in this world of %d object%s %s concludes %s, and %s does not\n%s", proof->objects,
               plural(proof->objects), proof->machine_concludes ? of->model : of->rules, proof->atom,
               proof->machine_concludes ? of->rules : of->model, proof->world);
        break;
    case NLM_UNDECIDED:
        printf("not decided: no proof was found that %s computes %s, and ", of->model, of->rules);
        if (proof->objects > 0)
            printf("in worlds of up to %d objects they do not differ\n", proof->objects);
        else
            puts("no world on which they differ");
        break;
    }
}

/* Lines of a text, as a list. */
static void json_lines(const char *key, const char *text)
{
    printf(", \"%s\": [", key);
    for (const char *line = text; line && *line;) {
        const char *end = strchr(line, '\n');
        char *copy = end ? strndup(line, (size_t)(end - line)) : NULL;
        json_print(stdout, line == text ? "%s" : ", %s", copy ? copy : line);
        free(copy);
        line = end ? end + 1 : NULL;
    }
    putchar(']');
}

static void print_json(const proving *of)
{
    static const char *const verdicts[] = {"proved", "soft", "refuted", "undecided"};
    const nlm_proof *proof = of->proof;
    json_print(stdout, "{\"model\": %s, \"verdict\": %s, \"units\": %d, \"soft\": %d, \"margin\": %.6g",
               of->model, verdicts[proof->verdict], proof->units, proof->soft,
               isfinite(proof->margin) ? proof->margin : (double)NAN);
    if (of->rules)
        json_print(stdout, ", \"rules\": %s", of->rules);
    json_lines("definitions", proof->definitions);
    if (proof->verdict == NLM_SOFT)
        json_print(stdout, ", \"reason\": %s", proof->reason);
    if (proof->verdict == NLM_REFUTED || proof->verdict == NLM_UNDECIDED)
        json_print(stdout, ", \"objects\": %d", proof->objects);
    if (proof->verdict == NLM_REFUTED) {
        json_print(stdout, ", \"atom\": %s, \"machine_concludes\": %i", proof->atom,
                   proof->machine_concludes);
        json_lines("world", proof->world);
    }
    puts("}");
}

int command_prove(int argc, char **argv)
{
    bool json = false;
    const option_row rows[] = {
        {"json", NULL, "print the result as one JSON object", OPTION_FLAG, .value = &json},
    };
    const command_usage usage = {"prove", "MODEL [RULES]", help, rows, sizeof rows / sizeof rows[0], 1, 2};
    int first, end;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &end))
        return end;
    proving of = {.model = argv[first], .rules = first + 1 < argc ? argv[first + 1] : NULL};
    bool good =
        message_ok("prove", nlm_machine_load(of.model, &of.machine, &error), &error) && read_signature(&of);
    const bool own = good && !of.rules && nlm_machine_has_program(of.machine);
    if (own) {
        good = message_ok("prove", nlm_program_in(of.machine, of.model, &of.program, &error), &error);
        of.rules = "its rules";
    } else if (good && of.rules)
        good = read_rules(&of) && take_clauses(&of);
    if (good && nlm_prove(of.machine, of.signature, of.program, &of.proof, &error) != NLM_OK) {
        message_error("prove: %s: %s", of.model, error.message);
        good = false;
    }
    if (good && json)
        print_json(&of);
    else if (good)
        print_text(&of);
    if (good && own && !json && of.proof->verdict == NLM_PROVED)
        message_ok("prove", nlm_program_print(stdout, of.program, NLM_CLAUSES, &error), &error);
    good = good && of.proof->verdict == NLM_PROVED;
    nlm_proof_free(of.proof);
    nlm_program_free(of.program);
    nlm_signature_free(of.signature);
    nlm_machine_free(of.machine);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

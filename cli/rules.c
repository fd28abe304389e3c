/* nlm rules: the program that a model has learned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "rules_alternatives.h"
#include "system.h"

static const char help[] =
    "Prints the program of a model: clauses that are, in every world, what the model computes\n"
    "(nlm prove checks it).  Machines get their program at the end of 'nlm train'; --find looks for\n"
    "that of a model that has none, and writes it into the model, beside the trained weights.  Models\n"
    "of facts need those facts again.\n"
    "Of differentiable ILP (nlm train --model dilp) it prints the most probable clauses, which conclude\n"
    "about what the model does; where they are recursive or undecided, and with --least, as Prolog,\n"
    "with the probability after each.\n"
    "Programs that speak of objects without naming a fact of them need facts object/1.";

typedef struct request {
    const char *model, *facts, *output, *names;
    double least;
    int format;
    bool json, find, quiet, least_given, alternatives;
} request;

static const char *const formats[] = {"prolog", "clauses", "asp", "datalog", "sql", "text", "json", NULL};
static const nlm_language languages[] = {NLM_PROLOG, NLM_CLAUSES, NLM_ASP, NLM_DATALOG,
                                         NLM_SQL,    NLM_ENGLISH, NLM_JSON};
enum { FORMAT_JSON = 6 };

#define SIGHT_SHOWN                                                                                          \
    0.005                /* the share of a digit's images from which on an output is said to be true on it   \
                          */
#define CLAUSE_SHOWN 0.1 /* the probability of clauses of differentiable ILP that are shown */

/* ---- differentiable ILP ---- */

static nlm_status print_clause_json(void *context, const nlm_clause *clause, nlm_error *error)
{
    (void)error;
    ++*(int *)context;
    json_print(
        stdout,
        "{\"clause\": %s, \"predicate\": %s, \"arity\": %d, \"template\": %d, \"probability\": %.6f}\n",
        clause->text, clause->predicate, clause->arity, clause->template_number + 1, clause->probability);
    return NLM_OK;
}

/* With the probabilities that the model gives its clauses. */
static nlm_status print_comment(void *context, const nlm_clause *clause, nlm_error *error)
{
    (void)context, (void)error;
    printf("%% %.4f  %s\n", clause->probability, clause->text);
    return NLM_OK;
}

static nlm_status print_clauses(const request *of, const nlm_machine *machine, nlm_error *error)
{
    int clauses = 0;
    const nlm_status status =
        of->json ? nlm_machine_clauses(machine, of->least, print_clause_json, &clauses, error)
                 : nlm_clauses_write(stdout, machine, of->model, of->least, &clauses, error);
    if (status == NLM_OK && clauses == 0)
        message_note("rules: %s: no clause has a probability above %g", of->model, of->least);
    return status;
}

/* ---- machines ---- */

/* In the words of the file of names. */
static nlm_status rename_program(const request *of, const nlm_machine *machine, nlm_program **program,
                                 nlm_error *error)
{
    nlm_signature *signature = NULL;
    nlm_program *names = NULL, *named = NULL;
    nlm_error cause = {0};
    int used = 0;
    nlm_status status = nlm_signature_of_model(machine, of->model, &signature, error);
    const nlm_program_reading reading = {.signature = signature, .definitions = true};
    if (status == NLM_OK)
        status = nlm_program_read(of->names, &reading, &names, error);
    if (status == NLM_OK)
        status = nlm_program_with_names(*program, names, &used, &named, &cause);
    if (status != NLM_OK && *cause.message != '\0')
        (void)message_fill(error, status, "%.200s: %s", of->names, cause.message);
    if (status == NLM_OK) {
        if (used == 0)
            message_note("rules: nothing in these rules is what %s defines", of->names);
        nlm_program_free(*program);
        *program = named;
    }
    nlm_program_free(names);
    nlm_signature_free(signature);
    return status;
}

/* The digits on which the outputs of a network are true that rules speak of. */
static void print_sights(const nlm_machine *machine, const char *comment)
{
    const int outputs = 100;
    double share[NLM_DIGITS];
    for (int k = 1; k <= outputs; k++) {
        int shown = 0;
        if (!nlm_machine_sight(machine, k, share))
            continue;
        printf("%ssees_%d(X): output %d of the network is true of the image of X: of labelled images",
               comment, k, k);
        for (int digit = 0; digit < NLM_DIGITS; digit++)
            if (share[digit] >= SIGHT_SHOWN)
                printf("%s %.1f %% of the %ds", shown++ ? "," : "", 100 * share[digit], digit);
        puts(shown > 0 ? "" : " hardly any");
    }
}

/* Of a model that weighs its clauses also their probabilities, where the language has comments for people. */
static nlm_status print_program(const request *of, nlm_machine *machine, nlm_error *error)
{
    const nlm_language language = languages[of->json ? FORMAT_JSON : of->format];
    nlm_program *program;
    nlm_status status = nlm_program_of_model(machine, of->model, &program, error);
    if (status == NLM_OK && of->names)
        status = rename_program(of, machine, &program, error);
    if (status == NLM_OK && nlm_machine_spec(machine)->program &&
        (language == NLM_PROLOG || language == NLM_CLAUSES)) {
        printf("%% %s: learned by differentiable ILP; its most probable clauses\n", of->model);
        status = nlm_machine_clauses(machine, CLAUSE_SHOWN, print_comment, NULL, error);
    }
    if (status == NLM_OK && (language == NLM_PROLOG || language == NLM_CLAUSES || language == NLM_ASP))
        print_sights(machine, "% ");
    else if (status == NLM_OK && language == NLM_ENGLISH)
        print_sights(machine, "");
    if (status == NLM_OK)
        status = nlm_program_print(stdout, program, language, error);
    nlm_program_free(program);
    return status;
}

/* What its most probable clauses are as a program or, where they are none or others are wanted, as they
 * stand.
 */
static nlm_status print_dilp(const request *of, nlm_machine *machine, nlm_error *error)
{
    if (of->json || of->least_given)
        return print_clauses(of, machine, error);
    const nlm_status status = print_program(of, machine, error);
    return status == NLM_BAD_ARGUMENT && languages[of->format] == NLM_PROLOG && of->names == NULL
               ? print_clauses(of, machine, error)
               : status;
}

/* Until it ends or is interrupted; *found is false in the second case, too. */
static nlm_status search(const request *of, const nlm_machine *machine, const nlm_settings *settings,
                         bool *found, nlm_error *error)
{
    nlm_rule_search *going;
    progress line;
    char text[NLM_RULE_LINE];
    *found = false;
    nlm_status status = nlm_rule_search_new(machine, settings, NULL, &going, error);
    if (status != NLM_OK)
        return status;
    progress_begin(&line, of->model, of->quiet);
    while (status == NLM_OK && nlm_rule_search_stage(going) < NLM_RULES_FOUND && !interrupt_seen()) {
        status = nlm_rule_search_step(going, error);
        if (progress_due(&line))
            progress_show(&line, 0, "%s", nlm_rule_search_line(going, text));
    }
    progress_end(&line);
    *found = status == NLM_OK && nlm_rule_search_stage(going) == NLM_RULES_FOUND;
    if (*found)
        status = nlm_rule_search_save(going, of->output ? of->output : of->model, NULL, 0, error);
    else if (status == NLM_OK && interrupt_seen())
        message_error("rules: %s: stopped; the model is as it was", of->model);
    else if (status == NLM_OK)
        message_error("rules: %s: no program was found: %s; the model is as it was", of->model,
                      nlm_rule_search_reason(going));
    nlm_rule_search_free(going);
    return status;
}

static nlm_status find_program(const request *of, const nlm_machine *machine, bool *found, nlm_error *error)
{
    nlm_settings settings;
    nlm_problem *problem = NULL;
    nlm_signature *signature = NULL;
    *found = false;
    nlm_status status = nlm_settings_of_machine(machine, of->model, &settings, error);
    if (status == NLM_OK && of->facts)
        status = nlm_signature_of_model(machine, of->model, &signature, error);
    if (status == NLM_OK && of->facts)
        status = nlm_problem_read(of->facts, &(const nlm_reading){.signature = signature}, &problem, error);
    if (status == NLM_OK && problem && nlm_problem_digest(problem) != settings.data)
        status = message_fill(error, NLM_BAD_ARGUMENT,
                              "%.200s has other facts than those that the model was trained on", of->facts);
    if (status == NLM_OK) {
        settings.problem = problem;
        status = search(of, machine, &settings, found, error);
    }
    nlm_problem_free(problem);
    nlm_signature_free(signature);
    return status;
}

/* Whether the message names the file itself. */
static bool starts_with(const nlm_error *error, const char *file)
{
    return file != NULL && strncmp(error->message, file, strlen(file)) == 0;
}

/* Prints, or finds and prints. */
static int answer(const request *of, nlm_machine *machine, nlm_error *error)
{
    const char *reason = nlm_machine_metadata(machine, "no_rules");
    bool found = false;
    nlm_status status = NLM_OK;
    if (nlm_machine_spec(machine)->program != NULL)
        status = print_dilp(of, machine, error);
    else if (of->alternatives)
        status = print_alternatives(of->model, machine, of->json, error);
    else if (nlm_machine_has_program(machine))
        status = print_program(of, machine, error);
    else if (!of->find) {
        message_error("rules: %s: the model has no rules%s%s", of->model, reason ? ": " : "",
                      reason                             ? reason
                      : nlm_machine_spec(machine)->model ? ""
                                                         : "; nlm rules --find looks for them");
        return EXIT_FAILURE;
    } else {
        status = find_program(of, machine, &found, error);
        if (status == NLM_OK && !found)
            return interrupt_seen() ? EXIT_SIGNAL + interrupt_seen() : EXIT_FAILURE;
        nlm_machine *made;
        if (status == NLM_OK)
            status = nlm_machine_load(of->output ? of->output : of->model, &made, error);
        if (status == NLM_OK) {
            const int contradicted = nlm_contradicted_labels(made);
            if (contradicted > 0)
                message_note("%s contradicts %d label%s that it was learned from: nlm check FACTS --model %s",
                             of->output ? of->output : of->model, contradicted, plural(contradicted),
                             of->output ? of->output : of->model);
            status = print_program(of, made, error);
            nlm_machine_free(made);
        }
    }
    const bool says = starts_with(error, of->model) || starts_with(error, of->names);
    if (status != NLM_OK && says)
        message_ok("rules", status, error);
    else if (status != NLM_OK)
        message_error("rules: %s: %s", of->model, error->message);
    return status == NLM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int command_rules(int argc, char **argv)
{
    request of = {.least = CLAUSE_SHOWN};
    const option_row rows[] = {
        {"format", NULL, "language; clauses: Prolog's, without declarations (prolog)", OPTION_WORD,
         &of.format, .words = formats},
        {"names", "FILE", "definitions, as clauses, whose heads name what says the same", OPTION_TEXT,
         .value = &of.names},
        {"find", NULL, "look for the program of a model that has none", OPTION_FLAG, .value = &of.find},
        {"alternatives", NULL, "print other programs that agree with all examples", OPTION_FLAG,
         .value = &of.alternatives},
        {"output", "FILE", "of --find: where the model goes (in the place of MODEL)", OPTION_TEXT, &of.output,
         .letter = 'o'},
        {"least", "P", "of dilp: least probability of a printed clause (0.1)", OPTION_REAL, &of.least,
         .least = 0, .most = 1, .given = &of.least_given},
        {"json", NULL, "print JSON; of dilp one object per clause", OPTION_FLAG, .value = &of.json},
        {"quiet", NULL, "no progress", OPTION_FLAG, .value = &of.quiet, .letter = 'q'},
    };
    const command_usage usage = {"rules", "MODEL [FACTS]", help, rows, sizeof rows / sizeof rows[0], 1, 2};
    int first, end;
    nlm_machine *machine;
    nlm_error error;
    if (!options_read(&usage, argc, argv, &first, &end))
        return end;
    of.model = argv[first];
    of.facts = argc - first > 1 ? argv[first + 1] : NULL;
    if (of.facts != NULL && !of.find) {
        message_error("rules: facts are for --find; nlm infer draws conclusions from them");
        return EXIT_USAGE;
    }
    if (of.alternatives && (of.find || of.format != 0 || of.names != NULL)) {
        message_error("rules: --alternatives does not go together with --find, --format and --names");
        return EXIT_USAGE;
    }
    if (!message_ok("rules", nlm_machine_load(of.model, &machine, &error), &error))
        return EXIT_FAILURE;
    const int status = answer(&of, machine, &error);
    nlm_machine_free(machine);
    return status;
}

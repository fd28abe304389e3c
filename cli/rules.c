/* nlm rules: the program that a model has learned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "system.h"

static const char help[] =
    "Prints the program of a model: clauses that are, in every world, what the model computes\n"
    "(nlm prove checks it).  Machines get their program at the end of 'nlm train'; --find looks for\n"
    "that of a model that has none, and writes it into the model, beside the trained weights.  Models\n"
    "of facts need those facts again.\n"
    "Of differentiable ILP (nlm train --model dilp) the clauses with their probabilities are printed:\n"
    "the program draws the model's conclusions if every clause has a probability near 1 (the last\n"
    "line names the number of undecided ones) and nothing new follows after the model's last step.\n"
    "Programs that speak of objects without naming a fact of them need facts object/1.";

typedef struct request {
    const char *model, *facts, *output;
    double least;
    int format;
    bool json, find, quiet, alternatives;
} request;

static const char *const formats[] = {"prolog", "clauses", "asp", "datalog", "sql", "text", "json", NULL};
static const nlm_language languages[] = {NLM_PROLOG, NLM_CLAUSES, NLM_ASP, NLM_DATALOG,
                                         NLM_SQL,    NLM_ENGLISH, NLM_JSON};
enum { FORMAT_JSON = 6 };

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

static nlm_status print_program(const request *of, const nlm_machine *machine, nlm_error *error)
{
    nlm_program *program;
    nlm_status status = nlm_program_in(machine, of->model, &program, error);
    if (status == NLM_OK)
        status = nlm_program_print(stdout, program, languages[of->json ? FORMAT_JSON : of->format], error);
    nlm_program_free(program);
    return status;
}

/* ---- alternatives ---- */

/* Those that are as long as the program, or shorter, with what tells them from it. */
static nlm_status print_small(const nlm_alternatives *all, int literals, nlm_error *error)
{
    nlm_status status = NLM_OK;
    for (int i = 0; i < nlm_alternatives_count(all) && status == NLM_OK; i++) {
        const nlm_alternative *one = nlm_alternatives_at(all, i);
        if (one->size.literals > literals)
            continue;
        printf("\n%% %d literals", one->size.literals);
        if (one->words[0] != '\0')
            printf("; no example had %s", one->words);
        putchar('\n');
        status = nlm_program_print(stdout, one->rules, NLM_CLAUSES, error);
    }
    return status;
}

/* Each case of the longer ones once. */
static void print_cases(const nlm_alternatives *all, int literals)
{
    for (int i = 0; i < nlm_alternatives_count(all); i++) {
        const nlm_alternative *one = nlm_alternatives_at(all, i);
        bool is_new = one->size.literals > literals && one->words[0] != '\0';
        for (int k = 0; k < i; k++)
            is_new &= strcmp(nlm_alternatives_at(all, k)->words, one->words) != 0;
        if (is_new)
            printf("%%   %s\n", one->words);
    }
}

static nlm_status print_clauses_of_all(const nlm_alternatives *all, int literals, nlm_error *error)
{
    int small = 0;
    for (int i = 0; i < nlm_alternatives_count(all); i++)
        small += nlm_alternatives_at(all, i)->size.literals <= literals;
    const int longer = nlm_alternatives_count(all) - small;
    printf("%% %d other program%s of at most %d literals, as many as the model's has, agree%s with all of\n"
           "%% %ld example worlds.\n",
           small, plural(small), literals, small == 1 ? "s" : "", nlm_alternatives_worlds(all));
    const nlm_status status = print_small(all, literals, error);
    if (longer > 0)
        printf("\n%% %d longer one%s, since no example had\n", longer, plural(longer));
    print_cases(all, literals);
    return status;
}

static nlm_status print_alternative_json(const nlm_signature *signature, const nlm_alternative *one,
                                         nlm_error *error)
{
    char *rules = NULL;
    const nlm_status status = nlm_program_text(one->rules, NLM_CLAUSES, &rules, error);
    if (status == NLM_OK)
        json_print(stdout, "{\"target\": %s, \"literals\": %d, \"rules\": %s, \"no_example_had\": %s}\n",
                   nlm_signature_target(signature, one->target)->name, one->size.literals, rules, one->words);
    free(rules);
    return status;
}

static nlm_status print_all(const request *of, const nlm_machine *machine, const nlm_alternatives *all,
                            nlm_error *error)
{
    nlm_program *program = NULL;
    nlm_signature *signature = NULL;
    nlm_status status = nlm_signature_of_model(machine, of->model, &signature, error);
    for (int i = 0; i < nlm_alternatives_count(all) && of->json && status == NLM_OK; i++)
        status = print_alternative_json(signature, nlm_alternatives_at(all, i), error);
    nlm_signature_free(signature);
    if (status != NLM_OK || of->json)
        return status;
    status = nlm_program_in(machine, of->model, &program, error);
    if (status == NLM_OK)
        status = print_clauses_of_all(all, nlm_program_measure(program).literals, error);
    nlm_program_free(program);
    return status;
}

static nlm_status print_alternatives(const request *of, const nlm_machine *machine, nlm_error *error)
{
    nlm_alternatives *all;
    nlm_status status = nlm_alternatives_in(machine, of->model, &all, error);
    if (status == NLM_OK && all == NULL)
        return message_fill(
            error, NLM_BAD_ARGUMENT,
            "%.200s: what its examples leave open is not known: the model has no alternatives", of->model);
    if (status == NLM_OK)
        status = print_all(of, machine, all, error);
    nlm_alternatives_free(all);
    return status;
}

/* ---- finding ---- */

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

/* Prints, or finds and prints. */
static int answer(const request *of, nlm_machine *machine, nlm_error *error)
{
    const char *reason = nlm_machine_metadata(machine, "no_rules");
    bool found = false;
    nlm_status status = NLM_OK;
    if (nlm_machine_spec(machine)->program != NULL)
        status = print_clauses(of, machine, error);
    else if (of->alternatives)
        status = print_alternatives(of, machine, error);
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
            status = print_program(of, made, error);
            nlm_machine_free(made);
        }
    }
    if (status != NLM_OK)
        message_error("rules: %s: %s", of->model, error->message);
    return status == NLM_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int command_rules(int argc, char **argv)
{
    request of = {.least = 0.1};
    const option_row rows[] = {
        {"format", NULL, "language; clauses: Prolog's, without declarations (prolog)", OPTION_WORD,
         &of.format, .words = formats},
        {"find", NULL, "look for the program of a model that has none", OPTION_FLAG, .value = &of.find},
        {"alternatives", NULL, "print other programs that agree with all examples", OPTION_FLAG,
         .value = &of.alternatives},
        {"output", "FILE", "of --find: where the model goes (in the place of MODEL)", OPTION_TEXT, &of.output,
         .letter = 'o'},
        {"least", "P", "of dilp: least probability of a printed clause (0.1)", OPTION_REAL, &of.least,
         .least = 0, .most = 1},
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
    if (of.alternatives && (of.find || of.format != 0)) {
        message_error(
            "rules: --alternatives prints clauses of a model that has them: without --find, --format");
        return EXIT_USAGE;
    }
    if (!message_ok("rules", nlm_machine_load(of.model, &machine, &error), &error))
        return EXIT_FAILURE;
    const int status = answer(&of, machine, &error);
    nlm_machine_free(machine);
    return status;
}

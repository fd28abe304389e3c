/* The command line of nlm train.
 *
 * Some options are for all subjects, some for tasks, facts or games only; given for another, they are
 * refused. Values that were not given are below 0 (or none) and leave the subject's defaults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "engine.h"
#include "find_task.h"
#include "task_images.h"
#include "message.h"
#include "options.h"
#include "read_facts.h"
#include "train.h"

enum { THREADS_BY_DEFAULT = 4, TEST_WORLDS = 1000, NAME_MOST = 300, PATH_MOST = 4096 };

/* ---- the options ---- */

static struct {
    const char *output, *log, *templates;
    int model, protocol, seeds, worlds, threads;
    uint64_t seed;
    bool resume, force, quiet;
    /* of all subjects */
    int depth, breadth, width, batch, exam, patience;
    bool residual, no_residual;
    option_list hidden;
    double gain, rate, beta2;
    /* of tasks and facts */
    int batches, epochs, positives, replay;
    double threshold, labels;
    /* of tasks */
    const char *images;
    int objects, deep, shift;
    /* of facts */
    char *targets;
    bool closed_world;
    double held_out;
    /* of games */
    int episodes, interval, final_exam, final_objects, pool, rollouts, first_lesson, last_lesson;
    int deepest, passes, greedy_rollouts, greedy_exams, optimal_exams, keep_failures, restart;
    double average, final_decay;
    double rate_decay, entropy, entropy_decay, discount, solved_share, slack, validity;
} given = {.seed = 1,
           .protocol = -1,
           .worlds = -1,
           .threads = -1,
           .depth = -1,
           .breadth = -1,
           .width = -1,
           .batch = -1,
           .exam = -1,
           .patience = -1,
           .gain = -1,
           .rate = -1,
           .beta2 = -1,
           .batches = -1,
           .epochs = -1,
           .objects = -1,
           .positives = -1,
           .deep = -1,
           .shift = -1,
           .replay = -1,
           .threshold = -1,
           .labels = -1,
           .held_out = -1,
           .episodes = -1,
           .interval = -1,
           .final_exam = -1,
           .pool = -1,
           .rollouts = -1,
           .final_objects = -1,
           .deepest = -1,
           .passes = -1,
           .greedy_rollouts = -1,
           .greedy_exams = -1,
           .optimal_exams = -1,
           .keep_failures = -1,
           .restart = -1,
           .average = -1,
           .final_decay = -1,
           .first_lesson = -1,
           .last_lesson = -1,
           .rate_decay = -1,
           .entropy = -1,
           .entropy_decay = -1,
           .discount = -1,
           .solved_share = -1,
           .slack = -1,
           .validity = -1};

#define FROM_EXAMPLES "tasks and facts, learned from examples"
#define ONLY_TASKS "tasks"
#define ONLY_FACTS "facts of your own"
#define ONLY_GAMES "games (sort, path, blocks)"

/* The groups of options, in the order of their headings; the first has none. */
enum { OF_ALL, OF_EXAMPLES, OF_TASKS, OF_FACTS, OF_GAMES };
static const char *const whose[] = {"", FROM_EXAMPLES, ONLY_TASKS, ONLY_FACTS, ONLY_GAMES};

#define WHOLE(field, low, high) OPTION_INT, &given.field, .least = (low), .most = (high)
#define REAL(field, low, high) OPTION_REAL, &given.field, .least = (low), .most = (high)

static const char *const models[] = {"nlm", "memnn", "dilp", NULL};
static const char *const protocols[] = {"best", "paper", NULL};

static const option_row rows[] = {
    {"output", "FILE", "the model (TASK.nlm or PATH's name), or with --seeds a folder", OPTION_TEXT,
     &given.output, .letter = 'o'},
    {"model", NULL, "nlm (the machine, the default); to compare: memnn, dilp", OPTION_WORD, &given.model,
     .words = models},
    {"protocol", NULL, "best (ours, the default of nlm) or paper", OPTION_WORD, &given.protocol,
     .words = protocols},
    {"seed", "N", "of the first weights and of the worlds or instances (1)", OPTION_U64,
     .value = &given.seed},
    {"seeds", "N", "train N seeds side by side, then test each", WHOLE(seeds, 1, 10000)},
    {"depth", "N", "layers; of memnn rounds, of dilp steps", WHOLE(depth, 1, NLM_MAX_DEPTH)},
    {"breadth", "N", "largest arity", WHOLE(breadth, 1, NLM_MAX_BREADTH)},
    {"width", "N", "predicates per layer and arity (8)", WHOLE(width, 1, NLM_MAX_WIDTH)},
    {"hidden", "LIST", "sizes of hidden layers in every unit (none; 0: none)", OPTION_LIST, &given.hidden,
     .least = 0, .most = NLM_MAX_WIDTH},
    {"residual", NULL, "each layer also passes on what it reads", OPTION_FLAG, .value = &given.residual},
    {"no-residual", NULL, "... or does not", OPTION_FLAG, .value = &given.no_residual},
    {"gain", "G", "size of the first weights (best: families, facts 10, graphs 3, path 5)",
     REAL(gain, 0, 1000)},
    {"lr", "RATE", "learning rate of Adam (0.005; best: facts 0.001, sort 0.01)", REAL(rate, 1e-12, 1000)},
    {"lr-decay", "D", "factor of it after each epoch (1; of pictures 0.97) or lesson (0.9)",
     REAL(rate_decay, 0, 1)},
    {"beta2", "B", "memory of Adam for gradients (best: 0.99, paper: 0.999)", REAL(beta2, 0, 0.999999)},
    {"batch", "N", "worlds per step (4), or episodes per update", WHOLE(batch, 1, 4096)},
    {"exam", "N", "worlds of the exam (best: 10000; 0: no exam), or episodes of each exam",
     WHOLE(exam, 0, 100000000)},
    {"patience", "N", "epochs with errors, or episodes a lesson, until weights are given up",
     WHOLE(patience, 0, 1000000000)},
    {"threads", "N", "threads to compute with (all, at most 4 for one run)", WHOLE(threads, 1, 1024)},
    {"log", "FILE", "metrics of every epoch or exam as JSON Lines", OPTION_TEXT, .value = &given.log},
    {"worlds", "N", "worlds or instances of each test after --seeds (1000)", WHOLE(worlds, 1, 1000000)},
    {"resume", NULL, "go on with a run that was stopped", OPTION_FLAG, .value = &given.resume},
    {"force", NULL, "start over although a stopped run is there", OPTION_FLAG, .value = &given.force},
    {"quiet", NULL, "print nothing but errors (and the table of --seeds)", OPTION_FLAG,
     .value = &given.quiet},

    {"batches", "N", "steps per epoch (250)", WHOLE(batches, 1, 1000000), .heading = "for " FROM_EXAMPLES},
    {"epochs", "N", "budget", WHOLE(epochs, 1, 1000000)},
    {"threshold", "LOSS", "graduate below this mean loss of an epoch", REAL(threshold, 0, 1000)},
    {"positives", "N", "worlds of a batch that must have a true tuple (best: 3; 0: none)",
     WHOLE(positives, 0, 4096)},
    {"templates", "FILE", "of dilp: forms of clauses (the task's, or templates.pl by the facts)", OPTION_TEXT,
     .value = &given.templates},
    {"labels", "SHARE", "a step looks at so large a part of the labels (0: all; dilp: 0.5)",
     REAL(labels, 0, 1)},
    {"replay", "N", "worlds of a batch that had errors before (best: 1; 0: none)", WHOLE(replay, 0, 4095)},

    {"objects", "N", "objects per training world", WHOLE(objects, 1, 10000), .heading = "for " ONLY_TASKS},
    {"images", "DIR", "MNIST's files for adjacent-to-zero (~/.cache/nlm/mnist), or: drawn", OPTION_TEXT,
     .value = &given.images},
    {"shift", "N", "pictures to learn from are moved by up to N pixels each way (best: 1)",
     WHOLE(shift, 0, NLM_IMAGE_SIDE / 2)},
    {"deep", "N", "worlds of a batch that are the deepest of 16 (best: 2; 0: none)", WHOLE(deep, 0, 4096)},

    {"target", "LIST", "what to learn, as uncle/2 or uncle,aunt (as bias.pl or examples say)", OPTION_TEXT,
     &given.targets, .heading = "for " ONLY_FACTS},
    {"closed-world", NULL, "every tuple of a target that is not listed is false", OPTION_FLAG,
     .value = &given.closed_world},
    {"held-out", "SHARE", "of the worlds, or of one world's labels, that judge (0.1; 0: none)",
     REAL(held_out, 0, 0.9)},

    {"episodes", "N", "budget", WHOLE(episodes, 1, 1000000000), .heading = "for " ONLY_GAMES},
    {"interval", "N", "episodes between exams", WHOLE(interval, 1, 1000000000)},
    {"first-lesson", "N", "objects of the first lesson", WHOLE(first_lesson, 2, 1000)},
    {"last-lesson", "N", "objects of the last lesson", WHOLE(last_lesson, 2, 1000)},
    {"slack", "SHARE", "what an exam may fail for each lesson before the last (0.005)", REAL(slack, 0, 1)},
    {"final-exam", "N", "episodes of the final exam", WHOLE(final_exam, 1, 100000000)},
    {"final-objects", "N", "size of every eighth of its instances (0: as others)",
     WHOLE(final_objects, 0, 1000)},
    {"greedy-exams", "0|1", "exams make the most probable moves, as tests do (best: 1)",
     WHOLE(greedy_exams, 0, 1)},
    {"optimal-exams", "0|1", "solved counts in the least number of moves (best: 1 for sort)",
     WHOLE(optimal_exams, 0, 1)},
    {"deepest", "N", "half of the instances are the deepest of N (0: none)", WHOLE(deepest, 0, 1000)},
    {"pool", "N", "instances kept of an exam, solved and failed each", WHOLE(pool, 1, 10000)},
    {"solved-share", "SHARE", "of episodes with instances that the last exam saw solved",
     REAL(solved_share, 0, 1)},
    {"keep-failures", "0|1", "in the pool, though solved by now (best: 1 for path, blocks)",
     WHOLE(keep_failures, 0, 1)},
    {"rollouts", "N", "episodes of a batch with the same instance, and a baseline (0: none)",
     WHOLE(rollouts, 0, 1024)},
    {"greedy-rollouts", "N", "of these, with the most probable moves", WHOLE(greedy_rollouts, 0, 1024)},
    {"passes", "N", "updates from each batch", WHOLE(passes, 1, 1000)},
    {"average", "A", "memory of the averaged weights that exams see (0: none)", REAL(average, 0, 0.999999)},
    {"restart", "N", "new weights when so many episodes did not suffice (0: never)",
     WHOLE(restart, 0, 1000000000)},
    {"discount", "D", "of rewards, for each move (0.99)", REAL(discount, 0, 1)},
    {"entropy", "WEIGHT", "of the entropy of moves, at the beginning", REAL(entropy, 0, 1000)},
    {"entropy-decay", "D", "factor of that weight after each lesson (0.8)", REAL(entropy_decay, 0, 1)},
    {"final-decay", "D", "... and after each final exam that was not passed", REAL(final_decay, 0, 1)},
    {"validity", "WEIGHT", "of predicting which moves are legal (blocks only)", REAL(validity, 0, 1000)},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- what does not go together ---- */

/* What the other kind has in place of an option. */
static const struct {
    const char *option, *instead;
} counterparts[] = {
    {"epochs", "--episodes"},     {"batches", "--interval"}, {"objects", "--first-lesson and --last-lesson"},
    {"episodes", "--epochs"},     {"interval", "--batches"}, {"first-lesson", "--objects"},
    {"last-lesson", "--objects"},
};

static const char *counterpart(const char *option)
{
    for (size_t i = 0; i < sizeof counterparts / sizeof *counterparts; i++) {
        if (strcmp(counterparts[i].option, option) == 0)
            return counterparts[i].instead;
    }
    return NULL;
}

static bool is_given(const option_row *row)
{
    switch (row->kind) {
    case OPTION_INT:
        return *(const int *)row->value >= 0;
    case OPTION_FLAG:
        return *(const bool *)row->value;
    case OPTION_TEXT:
        return *(char *const *)row->value != NULL;
    case OPTION_LIST:
        return ((const option_list *)row->value)->count > 0;
    default:
        return *(const double *)row->value >= 0;
    }
}

static bool has_group(const subject *what, int group)
{
    if (what->kind == &learner_of_games)
        return group == OF_ALL || group == OF_GAMES;
    return group <= OF_EXAMPLES || group == (what->kind == &learner_of_tasks ? OF_TASKS : OF_FACTS);
}

/* Options of another kind; false after an error line. */
static bool are_applicable(const subject *what)
{
    int group = OF_ALL;
    for (int i = 0; i < ROWS; i++) {
        group += rows[i].heading != NULL;
        if (has_group(what, group) || !is_given(&rows[i]))
            continue;
        const char *instead = what->kind != &learner_of_facts ? counterpart(rows[i].name) : NULL;
        if (instead != NULL)
            message_error("train: --%s is for %s; %s has %s", rows[i].name, whose[group], subject_name(what),
                          instead);
        else
            message_error("train: --%s is for %s, not for %s", rows[i].name, whose[group],
                          subject_name(what));
        return false;
    }
    return true;
}

/* What the other models do not have; the first weights of differentiable ILP are what they are. */
static const struct {
    const char *option;
    bool memnn, dilp;
} missing[] = {
    {"breadth", true, true}, {"residual", true, true}, {"no-residual", true, true}, {"width", false, true},
    {"hidden", false, true}, {"gain", false, true},    {"beta2", false, true},
};

static bool lacks(const nlm_spec *spec, const char *option)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        if (strcmp(missing[i].option, option) == 0)
            return spec->program != NULL ? missing[i].dilp : spec->model != NULL && missing[i].memnn;
    }
    return false;
}

/* Options that mean nothing to the model; false after an error line. */
static bool suit_model(const nlm_spec *spec)
{
    for (int i = 0; i < ROWS; i++) {
        if (!lacks(spec, rows[i].name) || !is_given(&rows[i]))
            continue;
        message_error("train: --%s means nothing to --model %s", rows[i].name, spec->model);
        return false;
    }
    if (given.depth < 0 || spec->program == NULL || !spec->program->steps_by_objects)
        return true;
    message_error("train: --depth does not go with steps(objects) in the templates");
    return false;
}

/* Combinations that no single option can be blamed for; false after an error line. */
static bool makes_sense(const nlm_spec *spec)
{
    const char *what = NULL;
    int arity = NLM_MAX_BREADTH; /* of the facts */
    while (arity > 0 && spec->inputs[arity] == 0)
        arity--;
    if (given.residual && given.no_residual)
        what = "--residual and --no-residual do not go together";
    else if (given.resume && given.force)
        what = "--resume and --force do not go together: one goes on, the other starts over";
    else if (given.hidden.count > NLM_MAX_HIDDEN)
        what = "--hidden has more sizes than there may be hidden layers (4)";
    else if (given.seeds == 0 && given.worlds >= 0)
        what = "--worlds is for the tests after --seeds; one model is tested with 'nlm test'";
    else if (given.seeds > 0 && given.log != NULL)
        what = "--log is for one run; with --seeds each has its log in the folder";
    if (what != NULL)
        message_error("train: %s", what);
    else if (given.breadth >= 0 && given.breadth < arity)
        message_error("train: --breadth must reach the arity of the facts, %d", arity);
    return what == NULL && (given.breadth < 0 || given.breadth >= arity);
}

/* ---- from options to settings ---- */

static void take_int(int *setting, int value)
{
    if (value >= 0)
        *setting = value;
}

static void take_real(double *setting, double value)
{
    if (value >= 0)
        *setting = value;
}

static void apply_to_spec(nlm_spec *spec)
{
    take_int(&spec->depth, given.depth);
    take_int(&spec->breadth, given.breadth);
    take_int(&spec->width, given.width);
    if (given.residual || given.no_residual)
        spec->residual = given.residual;
    if (given.hidden.count == 0)
        return;
    spec->hidden_layers = given.hidden.values[0] > 0 ? given.hidden.count : 0;
    memcpy(spec->hidden, given.hidden.values, (size_t)given.hidden.count * sizeof *spec->hidden);
}

/* Smaller batches than usual have no room for all that the protocol puts into one. */
static void fit_batch(nlm_settings *training)
{
    if (given.positives < 0 && training->positive_worlds > training->batch)
        training->positive_worlds = training->batch;
    if (given.deep < 0 && training->deep_worlds > training->batch)
        training->deep_worlds = training->batch;
    if (given.replay < 0 && training->replay >= training->batch)
        training->replay = training->batch - 1;
}

static void apply_to_training(nlm_settings *training)
{
    take_int(&training->batch, given.batch);
    take_int(&training->batches, given.batches);
    take_int(&training->epochs, given.epochs);
    take_int(&training->objects, given.objects);
    take_int(&training->exam, given.exam);
    take_int(&training->positive_worlds, given.positives);
    take_int(&training->deep_worlds, given.deep);
    take_int(&training->replay, given.replay);
    take_int(&training->shift, given.shift);
    take_int(&training->patience, given.patience);
    take_real(&training->gain, given.gain);
    take_real(&training->rate, given.rate);
    take_real(&training->rate_decay, given.rate_decay);
    take_real(&training->beta2, given.beta2);
    take_real(&training->threshold, given.threshold);
    take_real(&training->labels, given.labels);
    take_real(&training->held_out, given.held_out);
    fit_batch(training);
}

static void apply_to_course(nlm_settings *course)
{
    take_int(&course->first_lesson, given.first_lesson);
    take_int(&course->last_lesson, given.last_lesson);
    take_int(&course->episodes, given.episodes);
    take_int(&course->interval, given.interval);
    take_int(&course->exam, given.exam);
    take_int(&course->final_exam, given.final_exam);
    take_int(&course->pool, given.pool);
    take_int(&course->batch, given.batch);
    if (given.batch >= 0 && course->rollouts > given.batch)
        course->rollouts = given.batch; /* as many as there is room for */
    take_int(&course->rollouts, given.rollouts);
    if (course->greedy_rollouts > course->rollouts)
        course->greedy_rollouts = course->rollouts;
    take_int(&course->greedy_rollouts, given.greedy_rollouts);
    take_int(&course->passes, given.passes);
    take_int(&course->deepest, given.deepest);
    if (course->final_objects > 0 && given.last_lesson > 0)
        course->final_objects = 2 * given.last_lesson;
    take_int(&course->final_objects, given.final_objects);
    take_int(&course->greedy_exams, given.greedy_exams);
    take_int(&course->optimal_exams, given.optimal_exams);
    take_int(&course->keep_failures, given.keep_failures);
    take_int(&course->restart, given.restart);
    take_real(&course->average, given.average);
    take_real(&course->final_decay, given.final_decay);
    take_int(&course->patience, given.patience);
    take_real(&course->gain, given.gain);
    take_real(&course->rate, given.rate);
    take_real(&course->rate_decay, given.rate_decay);
    take_real(&course->beta2, given.beta2);
    take_real(&course->entropy, given.entropy);
    take_real(&course->entropy_decay, given.entropy_decay);
    take_real(&course->discount, given.discount);
    take_real(&course->solved_share, given.solved_share);
    take_real(&course->slack, given.slack);
    take_real(&course->validity, given.validity);
}

/* Others are compared as the paper compares. */
static nlm_protocol protocol_to_use(void)
{
    return given.protocol >= 0 ? (nlm_protocol)given.protocol
           : given.model > 0   ? NLM_PROTOCOL_PAPER
                               : NLM_PROTOCOL_BEST;
}

/* The file with the templates: that of the facts' folder, in the caller's room; NULL: those of the task. */
static const char *find_templates(const subject *made, const char *name, char path[PATH_MOST])
{
    if (given.templates != NULL || made->kind != &learner_of_facts)
        return given.templates;
    problem_templates(name, path, PATH_MOST);
    return path;
}

/* False after an error line. */
static bool use_model(subject *made, const char *name)
{
    char path[PATH_MOST];
    nlm_error error;
    const bool dilp = strcmp(models[given.model], "dilp") == 0 && made->kind != &learner_of_games;
    if (given.templates != NULL && !dilp) {
        message_error("train: --templates is for --model dilp");
        return false;
    }
    const char *templates = dilp ? find_templates(made, name, path) : NULL;
    const nlm_status status = dilp ? subject_use_templates(made, templates, &error)
                                   : subject_use_model(made, models[given.model], &error);
    if (status == NLM_IO_ERROR && given.templates == NULL)
        message_error("train: %s; differentiable ILP needs templates, there or in --templates FILE",
                      error.message);
    else if (status != NLM_OK)
        message_error("train: %s", error.message);
    return status == NLM_OK;
}

/* False after an error line. */
static bool make_task_or_game(const char *name, subject *made)
{
    task_or_game what;
    nlm_error error;
    if (!find_task_or_game("train", name, &what) ||
        (what.task != NULL && !images_find("train", given.images, &what.task)))
        return false;
    if (subject_default(what, protocol_to_use(), made, &error) == NLM_OK)
        return true;
    message_error("train: %s", error.message);
    return false;
}

/* The facts, and a machine of the size that they need; false after an error line. */
static bool make_facts(const char *path, train_request *request)
{
    target_list targets = {0};
    if (given.targets != NULL && !target_list_read("train", given.targets, &targets))
        return false;
    const nlm_reading reading = {
        .targets = targets.targets, .target_count = targets.count, .closed_world = given.closed_world};
    if (!problem_load("train", path, &reading, request->quiet, &request->problem) ||
        !problem_find_needs("train", request->problem, &request->options, &request->needs))
        return false;
    nlm_settings training;
    nlm_error error;
    if (nlm_settings_of_problem(request->problem, &request->needs, protocol_to_use(), &training, &error) !=
        NLM_OK) {
        message_error("train: %s", error.message);
        return false;
    }
    request->subject = subject_of_facts(&training, problem_name(path), &request->needs);
    return true;
}

/* False after an error line. */
static bool make_subject(const char *name, train_request *request)
{
    subject *made = &request->subject;
    if (problem_is_path(name) ? !make_facts(name, request) : !make_task_or_game(name, made))
        return false;
    subject_set_seed(made, given.seed);
    if (!use_model(made, name))
        return false;
    if (!are_applicable(made) || !suit_model(subject_spec(made)) || !makes_sense(subject_spec(made)))
        return false;
    apply_to_spec(subject_spec(made));
    if (made->kind == &learner_of_games)
        apply_to_course(&made->course);
    else
        apply_to_training(&made->training);
    return true;
}

static int threads_to_use(void)
{
    const int all = engine_processors();
    if (given.threads > 0)
        return given.threads;
    return given.seeds == 0 && all > THREADS_BY_DEFAULT ? THREADS_BY_DEFAULT : all;
}

/* ---- the command line ---- */

#define TRAIN_HELP                                                                                           \
    "Learns a task from random worlds until an epoch's mean loss is below the task's threshold and an\n"     \
    "exam finds no error (graduated), or its budget of epochs is used up.  A game is learned by playing,\n"  \
    "in lessons of more and more objects with exams between them, until the final exam is solved to the\n"   \
    "last instance, or its budget of episodes is used up.  'nlm tasks' lists both.  Settings that are not\n" \
    "given are the task's own; the same seed gives the same machine, bit by bit.\n"                          \
    "\n"                                                                                                     \
    "PATH is a folder or file with facts of your own (docs/formats.md): some of its worlds, or of the\n"     \
    "labels of a single world, are held out and judge what was learned from the rest.  The depth and\n"      \
    "breadth of the machine are what the labels need; 'nlm check PATH' tells more.\n"                        \
    "\n"                                                                                                     \
    "After every epoch or exam a checkpoint is written beside the model, FILE.checkpoint: a run that was\n"  \
    "stopped, even killed, goes on with --resume and ends with the same bits."

bool train_read(int argc, char **argv, train_request *request, int *status)
{
    static char output[NAME_MOST];
    const command_usage usage = {"train", "TASK|PATH", TRAIN_HELP, rows, ROWS, 1, 1};
    int first;
    if (!options_read(&usage, argc, argv, &first, status))
        return false;
    *status = EXIT_USAGE;
    *request = (train_request){.output = given.output,
                               .log = given.log,
                               .seeds = given.seeds,
                               .worlds = given.worlds > 0 ? given.worlds : TEST_WORLDS,
                               .resume = given.resume,
                               .force = given.force,
                               .quiet = given.quiet};
    request->options.threads = threads_to_use();
    if (!engine_from_environment(&request->options))
        return false;
    if (!make_subject(argv[first], request)) {
        train_release(request);
        return false;
    }
    if (request->output == NULL) {
        snprintf(output, sizeof output, request->seeds > 0 ? "%s-seeds" : "%s.nlm",
                 subject_name(&request->subject));
        request->output = output;
    }
    return true;
}

void train_release(train_request *request)
{
    nlm_problem_free(request->problem);
    request->problem = NULL;
    images_release();
    subject_free_templates();
}

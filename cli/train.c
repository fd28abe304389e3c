/* nlm train: a machine for a task, from nothing to graduation. */
#include "train.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "commands.h"
#include "engine.h"
#include "find_task.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "run.h"

enum { THREADS_BY_DEFAULT = 4, TEST_WORLDS = 1000, NAME_MOST = 64 };

/* ---- one run ---- */

double train_facts(const nlm_trainer *trainer, char text[TRAIN_FACTS_SIZE])
{
    const nlm_training *settings = nlm_trainer_settings(trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(trainer);
    char accuracy[NUMBER_TEXT], speed[NUMBER_TEXT], exam[NUMBER_TEXT];
    const int examined = nlm_trainer_examined(trainer);
    const double part = (double)nlm_trainer_steps(trainer) / settings->batches;
    if (examined > 0)
        snprintf(text, TRAIN_FACTS_SIZE, "exam after epoch %d  %s worlds", epoch->epoch + 1,
                 number_count_text((size_t)examined, exam));
    else if (epoch->seconds > 0)
        snprintf(
            text, TRAIN_FACTS_SIZE, "epoch %d/%d  loss %.1e  accuracy %s  %s examples/s", epoch->epoch,
            settings->epochs, epoch->loss, number_percent_text(epoch->accuracy, accuracy),
            number_count_text((size_t)((double)settings->batch * settings->batches / epoch->seconds), speed));
    else /* at the beginning, or just taken up again */
        snprintf(text, TRAIN_FACTS_SIZE, "epoch %d/%d", epoch->epoch + 1, settings->epochs);
    return (epoch->epoch + fmin(part, 1.0)) / settings->epochs;
}

typedef struct watcher {
    progress line;
    bool begun;
} watcher;

static void watch(void *context, const nlm_trainer *trainer)
{
    watcher *watching = context;
    char facts[TRAIN_FACTS_SIZE];
    if (!watching->begun) {
        watching->begun = true;
        progress_resume(&watching->line, train_facts(trainer, facts));
    }
    if (!progress_due(&watching->line))
        return;
    const double fraction = train_facts(trainer, facts);
    progress_show(&watching->line, fraction, "%s", facts);
}

static void say_graduated(const train_request *request, const run_result *result)
{
    const nlm_epoch *epoch = &result->epoch;
    char examples[NUMBER_TEXT];
    number_count_text((size_t)epoch->examples, examples);
    printf("%s: graduated after %d epoch%s, %s examples", request->training.task->name, epoch->epoch,
           epoch->epoch == 1 ? "" : "s", examples);
    if (!result->was_done)
        printf(" and %.1f s", epoch->elapsed);
    if (epoch->restarts > 0)
        printf(", %d restart%s among them", epoch->restarts, epoch->restarts == 1 ? "" : "s");
    printf("; loss %.1e\n", epoch->loss);
    printf("%s%s; try it: nlm test %s\n", request->output, result->was_done ? " was there already" : "",
           request->output);
}

/* What the curve asks for. */
static void say_what_to_try(const train_request *request, curve_shape shape)
{
    const nlm_training *training = &request->training;
    if (shape == CURVE_FALLING || shape == CURVE_SHORT)
        printf("  - more epochs, going on from here: the same command with --resume --epochs %d\n",
               2 * training->epochs);
    if (shape == CURVE_JUMPED || shape == CURVE_FLAT)
        printf("  - a lower learning rate: --lr %g\n", training->rate / 2);
    if (training->protocol == NLM_PROTOCOL_PAPER)
        puts("  - our own protocol, which begins again by itself when it gets stuck: --protocol best");
    printf("  - another seed: --seed %llu, or several at once: --seeds 10\n",
           (unsigned long long)training->seed + 1);
    if (shape == CURVE_STUCK)
        printf("  - a larger machine: --depth %d or --width %d\n", training->spec.depth + 1,
               2 * training->spec.width);
}

static void say_exhausted(const train_request *request, const run_result *result)
{
    const nlm_epoch *epoch = &result->epoch;
    const curve_shape shape = curve_shape_of(&result->curve);
    char examples[NUMBER_TEXT], wrong[NUMBER_TEXT], tuples[NUMBER_TEXT];
    const bool low = epoch->loss < request->training.threshold;
    printf("%s: not graduated after %d epoch%s, %s examples and %.1f s; loss %.1e, %s %.0e%s\n",
           request->training.task->name, epoch->epoch, epoch->epoch == 1 ? "" : "s",
           number_count_text((size_t)epoch->examples, examples), epoch->elapsed, epoch->loss,
           low ? "below" : "not below", request->training.threshold,
           low ? ", but the exam found errors" : "");
    if (epoch->tuples > 0)
        printf("the loss %s; in the last epoch %s of %s answers were wrong\n", curve_shape_text(shape),
               number_count_text(epoch->wrong, wrong), number_count_text(epoch->tuples, tuples));
    puts("what to try:");
    say_what_to_try(request, shape);
    printf("%s has the machine as it is\n", request->output);
}

static int say_interrupted(const train_request *request, const run_result *result)
{
    message_error("train: %s: stopped after epoch %d; the same command with --resume goes on",
                  request->training.task->name, result->epoch.epoch);
    return EXIT_SIGNAL + run_interrupted();
}

int train_one(const train_request *request)
{
    watcher watching = {0};
    const run one = {.training = request->training,
                     .options = request->options,
                     .model = request->output,
                     .log = request->log,
                     .resume = request->resume,
                     .force = request->force,
                     .watch = watch,
                     .context = &watching};
    run_result result;
    nlm_error error;
    nlm_status status = run_check(&one, &error);
    progress_begin(&watching.line, request->training.task->name, request->quiet);
    if (status == NLM_OK)
        status = run_train(&one, &result, &error);
    progress_end(&watching.line);
    if (status != NLM_OK) {
        message_error("train: %s", error.message);
        return EXIT_FAILURE;
    }
    if (result.stage == NLM_LEARNING)
        return say_interrupted(request, &result);
    if (request->quiet)
        return EXIT_SUCCESS;
    if (result.stage == NLM_GRADUATED)
        say_graduated(request, &result);
    else
        say_exhausted(request, &result);
    return EXIT_SUCCESS;
}

/* ---- the command line ---- */

/* Values that were not given are below 0 (or none) and leave the task's defaults. */
typedef struct train_options {
    int protocol;
    int depth, breadth, width, batch, batches, epochs, objects, exam, positives, deep, replay, patience,
        worlds, threads;
    bool residual, no_residual;
    option_list hidden;
    double gain, rate, beta2, threshold;
} train_options;

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

/* Smaller batches than usual have no room for all that the protocol puts into one. */
static void fit_batch(const train_options *given, nlm_training *training)
{
    if (given->positives < 0 && training->positive_worlds > training->batch)
        training->positive_worlds = training->batch;
    if (given->deep < 0 && training->deep_worlds > training->batch)
        training->deep_worlds = training->batch;
    if (given->replay < 0 && training->replay >= training->batch)
        training->replay = training->batch - 1;
}

static void apply(const train_options *given, nlm_training *training)
{
    nlm_spec *spec = &training->spec;
    take_int(&spec->depth, given->depth);
    take_int(&spec->breadth, given->breadth);
    take_int(&spec->width, given->width);
    take_int(&training->batch, given->batch);
    take_int(&training->batches, given->batches);
    take_int(&training->epochs, given->epochs);
    take_int(&training->objects, given->objects);
    take_int(&training->exam, given->exam);
    take_int(&training->positive_worlds, given->positives);
    take_int(&training->deep_worlds, given->deep);
    take_int(&training->replay, given->replay);
    take_int(&training->patience, given->patience);
    take_real(&training->gain, given->gain);
    take_real(&training->rate, given->rate);
    take_real(&training->beta2, given->beta2);
    take_real(&training->threshold, given->threshold);
    if (given->residual || given->no_residual)
        spec->residual = given->residual;
    spec->hidden_layers = given->hidden.count;
    memcpy(spec->hidden, given->hidden.values, (size_t)given->hidden.count * sizeof *spec->hidden);
    fit_batch(given, training);
}

/* Combinations that no single option can be blamed for. */
static bool makes_sense(const train_request *request, const train_options *given)
{
    const char *what = NULL;
    if (given->residual && given->no_residual)
        what = "--residual and --no-residual do not go together";
    else if (request->resume && request->force)
        what = "--resume and --force do not go together: one goes on, the other starts over";
    else if (given->hidden.count > NLM_MAX_HIDDEN)
        what = "--hidden has more sizes than there may be hidden layers (4)";
    else if (request->seeds == 0 && given->worlds >= 0)
        what = "--worlds is for the tests after --seeds; one model is tested with 'nlm test'";
    else if (request->seeds > 0 && request->log != NULL)
        what = "--log is for one run; with --seeds each has its log in the folder";
    else if (given->breadth == 1)
        what = "--breadth must reach the arity of the facts, 2";
    if (what != NULL)
        message_error("train: %s", what);
    return what == NULL;
}

/* The exit status of a training that cannot even begin, after its error line. */
static int check_settings(const train_request *request)
{
    nlm_trainer *trainer;
    nlm_error error;
    const nlm_status status = nlm_trainer_new(&request->training, NULL, &trainer, &error);
    nlm_trainer_free(trainer);
    if (status == NLM_NO_MEMORY)
        message_error("train: not enough memory for this machine; try less --width, --depth or --hidden");
    else if (status != NLM_OK)
        message_error("train: %s", error.message);
    return status == NLM_OK ? EXIT_SUCCESS : status == NLM_NO_MEMORY ? EXIT_FAILURE : EXIT_USAGE;
}

/* From what was given to a request; false after an error line. */
static bool make_request(train_request *request, const train_options *given, const char *task_name)
{
    static char output[NAME_MOST];
    nlm_error error;
    const nlm_task *task = find_task("train", task_name);
    if (task == NULL)
        return false;
    const uint64_t seed = request->training.seed;
    if (nlm_training_default(task, (nlm_protocol)given->protocol, &request->training, &error) != NLM_OK) {
        message_error("train: %s", error.message);
        return false;
    }
    request->training.seed = seed;
    if (!makes_sense(request, given))
        return false;
    apply(given, &request->training);
    if (request->output == NULL) {
        snprintf(output, sizeof output, request->seeds > 0 ? "%s-seeds" : "%s.nlm", task->name);
        request->output = output;
    }
    request->worlds = given->worlds > 0 ? given->worlds : TEST_WORLDS;
    const int threads = engine_processors();
    request->options.threads = given->threads > 0                                    ? given->threads
                               : request->seeds == 0 && threads > THREADS_BY_DEFAULT ? THREADS_BY_DEFAULT
                                                                                     : threads;
    return engine_from_environment(&request->options);
}

#define TRAIN_HELP                                                                                           \
    "Learns a task from random worlds until an epoch's mean loss is below the task's threshold and an\n"     \
    "exam finds no error (graduated), or its budget of epochs is used up.  'nlm tasks' lists the tasks.\n"   \
    "Settings that are not given are the task's own; the same seed gives the same machine, bit by bit.\n"    \
    "\n"                                                                                                     \
    "After every epoch a checkpoint is written beside the model, FILE.checkpoint: a run that was\n"          \
    "stopped, even killed, goes on with --resume and ends with the same bits."

int command_train(int argc, char **argv)
{
    train_request request = {.training = {.seed = 1}};
    train_options options = {.depth = -1,
                             .breadth = -1,
                             .width = -1,
                             .batch = -1,
                             .batches = -1,
                             .epochs = -1,
                             .objects = -1,
                             .exam = -1,
                             .positives = -1,
                             .deep = -1,
                             .replay = -1,
                             .patience = -1,
                             .threads = -1,
                             .worlds = -1,
                             .gain = -1,
                             .rate = -1,
                             .beta2 = -1,
                             .threshold = -1};
    static const char *const protocols[] = {"best", "paper", NULL};
    const option_row rows[] = {
        {"output", "FILE", "the model (TASK.nlm), or with --seeds a folder", OPTION_TEXT, &request.output,
         .letter = 'o'},
        {"protocol", NULL, "best (ours, the default) or paper", OPTION_WORD, &options.protocol,
         .words = protocols},
        {"seed", "N", "of the first weights and of the worlds (1)", OPTION_U64,
         .value = &request.training.seed},
        {"seeds", "N", "train N seeds side by side, then test each", OPTION_INT, &request.seeds, .least = 1,
         .most = 10000},
        {"depth", "N", "layers", OPTION_INT, &options.depth, .least = 1, .most = NLM_MAX_DEPTH},
        {"breadth", "N", "largest arity", OPTION_INT, &options.breadth, .least = 1, .most = NLM_MAX_BREADTH},
        {"width", "N", "predicates per layer and arity (8)", OPTION_INT, &options.width, .least = 1,
         .most = NLM_MAX_WIDTH},
        {"hidden", "LIST", "sizes of hidden layers in every unit (none)", OPTION_LIST, &options.hidden,
         .least = 1, .most = NLM_MAX_WIDTH},
        {"residual", NULL, "each layer also passes on what it reads", OPTION_FLAG,
         .value = &options.residual},
        {"no-residual", NULL, "... or does not", OPTION_FLAG, .value = &options.no_residual},
        {"gain", "G", "size of the first weights (best: families 10, graphs 3; paper: 1)", OPTION_REAL,
         &options.gain, .least = 0, .most = 1000},
        {"lr", "RATE", "learning rate of Adam (0.005)", OPTION_REAL, &options.rate, .least = 1e-12,
         .most = 1000},
        {"beta2", "B", "memory of Adam for gradients (best: 0.99, paper: 0.999)", OPTION_REAL, &options.beta2,
         .least = 0, .most = 0.999999},
        {"batch", "N", "worlds per step (4)", OPTION_INT, &options.batch, .least = 1, .most = 4096},
        {"batches", "N", "steps per epoch (250)", OPTION_INT, &options.batches, .least = 1, .most = 1000000},
        {"epochs", "N", "budget", OPTION_INT, &options.epochs, .least = 1, .most = 1000000},
        {"threshold", "LOSS", "graduate below this mean loss of an epoch", OPTION_REAL, &options.threshold,
         .least = 0, .most = 1000},
        {"objects", "N", "objects per training world", OPTION_INT, &options.objects, .least = 1,
         .most = 10000},
        {"exam", "N", "worlds without error to graduate (best: 10000; 0: no exam)", OPTION_INT, &options.exam,
         .least = 0, .most = 100000000},
        {"positives", "N", "worlds of a batch that must have a true tuple (best: 3; 0: none)", OPTION_INT,
         &options.positives, .least = 0, .most = 4096},
        {"deep", "N", "worlds of a batch that are the deepest of 16 (best: 2; 0: none)", OPTION_INT,
         &options.deep, .least = 0, .most = 4096},
        {"replay", "N", "worlds of a batch that had errors before (best: 1; 0: none)", OPTION_INT,
         &options.replay, .least = 0, .most = 4095},
        {"patience", "N", "epochs with errors before new weights (best: a fifth of all)", OPTION_INT,
         &options.patience, .least = 0, .most = 1000000},
        {"threads", "N", "threads to compute with (all, at most 4 for one run)", OPTION_INT, &options.threads,
         .least = 1, .most = 1024},
        {"log", "FILE", "metrics of every epoch as JSON Lines", OPTION_TEXT, .value = &request.log},
        {"worlds", "N", "worlds of each test after --seeds (1000)", OPTION_INT, &options.worlds, .least = 1,
         .most = 1000000},
        {"resume", NULL, "go on with a run that was stopped", OPTION_FLAG, .value = &request.resume},
        {"force", NULL, "start over although a stopped run is there", OPTION_FLAG, .value = &request.force},
        {"quiet", NULL, "print nothing but errors (and the table of --seeds)", OPTION_FLAG,
         .value = &request.quiet},
    };
    const command_usage usage = {"train", "TASK", TRAIN_HELP, rows, sizeof rows / sizeof rows[0], 1, 1};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (!make_request(&request, &options, argv[first]))
        return EXIT_USAGE;
    const int trouble = check_settings(&request);
    if (trouble != EXIT_SUCCESS)
        return trouble;
    run_catch_signals();
    return request.seeds > 0 ? train_seeds(&request) : train_one(&request);
}

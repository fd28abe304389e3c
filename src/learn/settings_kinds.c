/* Settings of each kind of run, that is of tasks, facts and games: defaults of both protocols, and checks.
 *
 * Values come in layers, the later over the earlier:
 *
 *     absent      of every row (settings_begin)
 *     of_...      what all runs of a kind share
 *     the thing   what a task or game says itself, or the size that facts need
 *     best_of_... what our protocol changes; a task or game may have a recipe of its own
 *     model       what a memory network or a program changes (models.c)
 *     the user    nlm_settings_set
 *
 * The protocol "paper" stops before best_of_...: it is what Dong et al. (2019) did, budget included.
 *
 * Checks are made once, when a run begins (run_check_settings), whatever the source of the settings. */
#include "learn/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/neighbourhoods.h"
#include "task/game.h"
#include "task/task.h"
#include "machine/model_file.h"
#include "nlm/rules.h"

#define MOST_STEPS 1000000000 /* so that counts of examples stay far from overflow */

/* ---- protocols ---- */

static const char *const protocols[NLM_PROTOCOLS] = {
    [NLM_PROTOCOL_BEST] = "best", [NLM_PROTOCOL_PAPER] = "paper"};

const char *nlm_protocol_name(nlm_protocol protocol)
{
    return (int)protocol >= 0 && (int)protocol < NLM_PROTOCOLS ? protocols[protocol] : "unknown";
}

bool nlm_protocol_find(const char *name, nlm_protocol *protocol)
{
    for (int p = 0; name && p < NLM_PROTOCOLS; p++)
        if (!strcmp(name, protocols[p])) {
            *protocol = (nlm_protocol)p;
            return true;
        }
    return false;
}

/* An enum from a caller may hold any number. */
static nlm_status check_protocol(nlm_protocol protocol, nlm_error *error)
{
    return (int)protocol >= 0 && (int)protocol < NLM_PROTOCOLS
               ? NLM_OK
               : error_set(error, NLM_BAD_ARGUMENT, "there is no protocol %d", (int)protocol);
}

/* That the spec reads the predicates that worlds or positions have. */
static nlm_status check_inputs(const nlm_spec *spec, const int *inputs, const char *name, nlm_error *error)
{
    for (int r = 0; r <= NLM_MAX_BREADTH; r++)
        if (spec->inputs[r] != inputs[r])
            return error_set(error, NLM_BAD_SHAPE, "the spec has %d inputs of arity %d, %s has %d",
                             spec->inputs[r], r, name, inputs[r]);
    return NLM_OK;
}

/* Facts may be of any size.  Depth 4 is that of the paper's families; 250 steps an epoch are a task's; 200
 * epochs are long enough for problems that need restarts (docs/experiments.md).  Patience grows with the
 * number of worlds, one epoch for a hundred, within bounds. */
enum {
    USUAL_DEPTH = 4,
    DEPTH_TO_SPARE = 1, /* beyond what tells the labels apart: one layer is no table of classes */
    PROBLEM_BATCHES = 250,
    LEAST_BATCHES = 50,
    PROBLEM_EPOCHS = 200,
    LEAST_PATIENCE = 20,
    MOST_PATIENCE = 60,
    WORLDS_PER_PATIENCE = 100,
    LARGEST_USUAL_BREADTH = 3,
    USUAL_BATCH = 4,
    SPLIT_BATCH = 16,
    USUAL_WIDTH = 8,
    USUAL_EXAMPLES = 200000, /* of a task of a program's own: as the paper's of families */
    NEIGHBOURHOODS = 1000    /* about so many are drawn from one world */
};
#define USUAL_GAIN 10
#define USUAL_THRESHOLD 1e-5 /* of such a task */
#define EPOCH_TUPLES 3e8     /* about so many per epoch: seconds where few of them differ */

/* ---- tasks ---- */

/* Of tasks and facts, in both protocols. */
static const nlm_preset of_examples[] = {
    {"seed", "1"},   {"batch", "4"},     {"batches", "250"}, {"gain", "1"},
    {"lr", "0.005"}, {"beta2", "0.999"}, {NULL, NULL},
};

/* Of a task that has no recipe of its own.  docs/experiments.md has the effect of each.
 *
 *     beta2 0.99   the loss can fall faster once all answers are right (docs/maths.md, section 7)
 *     exam         a low loss on 1,000 worlds does not exclude a rule that is wrong in rare worlds
 *     positives    in some tasks many worlds have no true tuple, and teach little
 *     deep         rare in worlds of the training size, common in large ones: without them mg-uncle learns
 *                  rules that fail at 100 people
 *     replay       rare errors are met again until they are gone */
static const nlm_preset best_of_tasks[] = {
    {"beta2", "0.99"}, {"exam", "10000"}, {"positives", "3"}, {"deep", "2"}, {"replay", "1"}, {NULL, NULL},
};

/* The budget is the task's number of examples, in epochs of batch times batches worlds.  Our protocol keeps
 * to it: restarts happen within it, after a fifth of it without success. */
nlm_status nlm_settings_of_task(const nlm_task *task, nlm_protocol protocol, nlm_settings *training,
                                nlm_error *error)
{
    REQUIRE(task && training, error);
    if (!task_is_known(task))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no task '%s'", task->name ? task->name : "");
    nlm_status status = task->generate ? own_task_check(task, error) : NLM_OK;
    if (!status)
        status = check_protocol(protocol, error);
    if (status)
        return status;
    nlm_settings t = {
        .task = task,
        .protocol = protocol,
        .spec = {.depth = task->depth ? task->depth : USUAL_DEPTH,
                 .breadth = task->breadth ? task->breadth : LARGEST_USUAL_BREADTH,
                 .width = task->width ? task->width : USUAL_WIDTH,
                 .residual = task->residual,
                 .outputs = 1u << task->arity,
                 .sense = task->sense},
        .objects = task->train_objects,
        .threshold = task->generate && task->threshold <= 0 ? USUAL_THRESHOLD : task->threshold,
        .data = task->sense && task->gallery ? nlm_gallery_digest(task->gallery) : 0,
    };
    task_inputs(task, t.spec.inputs);
    for (int r = t.spec.breadth + 1; r <= NLM_MAX_BREADTH; r++)
        if (t.spec.inputs[r] > 0 || r == task->arity)
            t.spec.breadth = r;
    status = settings_begin(&t, of_examples, error);
    /* before recipes, so a recipe that changes the batch has to give its epochs too */
    t.epochs = (task->examples ? task->examples : USUAL_EXAMPLES) / (t.batch * t.batches);
    if (!status && protocol == NLM_PROTOCOL_BEST) {
        const nlm_preset *own = recipe_find(task->recipes, nlm_protocol_name(protocol), NULL);
        t.gain = task->gain > 0 ? task->gain : USUAL_GAIN;
        t.kind = nlm_task_has_worlds(task, NLM_WORLDS_RICH) ? NLM_WORLDS_RICH : NLM_WORLDS_PAPER;
        t.patience = t.epochs / 5;
        status = settings_apply(&t, own ? own : best_of_tasks, error);
        if (task->generate && !task->depth_of)
            t.deep = 0;
    }
    if (!status)
        *training = t;
    return status;
}

/* ---- problems ---- */

/* Predicates by arity, and the largest of them. */
static int count_signature(const nlm_problem *problem, nlm_spec *spec)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    int largest = 1;
    for (int p = 0; p < nlm_signature_inputs(signature); p++)
        spec->inputs[nlm_signature_input(signature, p)->objects]++;
    for (int t = 0; t < nlm_signature_targets(signature); t++)
        spec->outputs |= 1u << nlm_signature_target(signature, t)->objects;
    for (int r = 1; r <= NLM_MAX_BREADTH; r++)
        largest = spec->inputs[r] > 0 || spec->outputs >> r & 1 ? r : largest;
    return largest;
}

void settings_take_inputs(nlm_settings *settings)
{
    memset(settings->spec.inputs, 0, sizeof settings->spec.inputs);
    const int largest = count_signature(settings->problem, &settings->spec);
    if (settings->spec.breadth < largest)
        settings->spec.breadth = largest;
}

/* Depth and breadth for facts: what separates their labels (needs.c), if that was found.  Otherwise the
 * paper's depth and one variable more than the arities, for rules that go by way of a third object; or none
 * more, where the machine would not fit into memory.
 *
 * One layer more than the labels need: at the smallest depth that separates them, a machine can often only
 * learn by heart which classes are true. */
static void choose_size(nlm_spec *spec, int largest_arity, const nlm_needs *needs)
{
    spec->depth = USUAL_DEPTH;
    spec->breadth = largest_arity < LARGEST_USUAL_BREADTH ? largest_arity + 1 : largest_arity;
    if (needs && needs->best_breadth > 0) {
        spec->breadth = needs->best_breadth;
        spec->depth = needs->best_depth + DEPTH_TO_SPARE;
    } else if (needs && needs->breadth[spec->breadth].separation == NLM_NOT_TRIED) {
        spec->breadth = largest_arity; /* more would not fit */
    }
}

/* Many rules fit a finite set of worlds; those that slow steps find hold in larger worlds too.  With so few
 * worlds that a batch has them all, there is nothing to choose or to replay. */
static const nlm_preset best_of_few_worlds[] = {
    {"gain", "10"}, {"lr", "0.001"}, {"beta2", "0.99"}, {NULL, NULL}};
/* With more worlds than a batch takes, it is chosen as for tasks; which worlds are deep is not known. */
static const nlm_preset best_of_facts[] = {{"gain", "10"},     {"lr", "0.001"}, {"beta2", "0.99"},
                                           {"positives", "3"}, {"replay", "1"}, {NULL, NULL}};
/* Many worlds of one file have a label each: as many in a step as a world of theirs has elsewhere, half of
 * them true (SPLIT_BATCH). */
static const nlm_preset best_of_split[] = {{"gain", "10"},     {"lr", "0.001"}, {"beta2", "0.99"},
                                           {"positives", "8"}, {"replay", "4"}, {NULL, NULL}};

/* Worlds that a run on a problem draws from, and the objects of the largest. */
static int count_worlds(const nlm_settings *t, int *objects)
{
    *objects = t->neighbourhood > 0 && t->neighbourhood < t->objects ? t->neighbourhood : t->objects;
    return t->neighbourhood > 0 ? NEIGHBOURHOODS : nlm_problem_worlds(t->problem);
}

/* What follows from the number of worlds and their size.  The number of steps per epoch falls with the size
 * of the worlds, so that an epoch, after which progress is shown and a checkpoint written, takes seconds. */
nlm_status settings_for_worlds(nlm_settings *t, nlm_error *error)
{
    int objects;
    const int worlds = count_worlds(t, &objects), usual = USUAL_BATCH;
    const bool split = nlm_problem_split(t->problem);
    t->batch = split ? SPLIT_BATCH : usual;
    const bool few = worlds <= t->batch;
    t->batch = few ? worlds : t->batch;
    t->positives = t->replay = 0; /* where nothing else is said */
    /* about as many tuples per epoch whatever the size: objects^breadth of the largest arity in each world */
    const double batches = EPOCH_TUPLES / (t->batch * pow(objects, t->spec.breadth));
    t->batches = (int)fmax(LEAST_BATCHES, fmin(batches, PROBLEM_BATCHES));
    if (t->protocol != NLM_PROTOCOL_BEST)
        return NLM_OK;
    /* with many worlds an epoch meets each of them seldom, so it takes more epochs */
    const int patience = LEAST_PATIENCE + worlds / WORLDS_PER_PATIENCE;
    t->patience = patience < MOST_PATIENCE ? patience : MOST_PATIENCE;
    t->positives = t->replay = 0; /* it may have been for other worlds before */
    return settings_apply(t, few ? best_of_few_worlds : split ? best_of_split : best_of_facts, error);
}

/* Facts have no protocol of the paper's: "paper" is plain Adam without restarts. */
nlm_status nlm_settings_of_problem(const nlm_problem *problem, const nlm_needs *needs, nlm_protocol protocol,
                                   nlm_settings *training, nlm_error *error)
{
    REQUIRE(problem && training, error);
    if (nlm_problem_worlds(problem) == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "a training needs a world");
    nlm_status status = check_protocol(protocol, error);
    if (status)
        return status;
    const int worlds = nlm_problem_worlds(problem);
    /* the worlds decide sizes and numbers; the seed, the batch and the rate come from the rows below */
    nlm_settings t = {
        .problem = problem,
        .data = nlm_problem_digest(problem),
        .held_out = 0.1,
        .protocol = protocol,
        .spec = {.width = 8, .residual = true},
        .objects = 1,
        .epochs = PROBLEM_EPOCHS,
        .threshold = 1e-5,
    };
    status = settings_begin(&t, of_examples, error);
    t.radius = needs ? needs->radius : 0;
    t.neighbourhood = needs ? needs->neighbourhood : neighbourhood_usual(problem);
    choose_size(&t.spec, count_signature(problem, &t.spec), needs);
    for (int w = 0; w < worlds; w++) {
        const int objects = nlm_world_objects(nlm_problem_world(problem, w));
        t.objects = objects > t.objects ? objects : t.objects;
    }
    if (!status)
        status = settings_for_worlds(&t, error);
    if (!status)
        *training = t;
    return status;
}

/* The names are those of tensors in model files.  The count may exceed NLM_MAX_HEADS; nlm_machine_new then
 * refuses it. */
int settings_heads(const nlm_settings *training, nlm_head_spec heads[NLM_MAX_HEADS])
{
    static const char *const names[NLM_MAX_HEADS] = {"head",  "head2", "head3", "head4",
                                                     "head5", "head6", "head7", "head8"};
    const nlm_signature *signature = training->problem ? nlm_problem_signature(training->problem) : NULL;
    const int count = signature ? nlm_signature_targets(signature) : 1;
    for (int h = 0; h < count && h < NLM_MAX_HEADS; h++)
        heads[h] = (nlm_head_spec){.name = names[h],
                                   .arity = signature ? nlm_signature_target(signature, h)->objects
                                                      : training->task->arity,
                                   .outputs = 1};
    return count;
}

/* ---- checks ---- */

/* The spec reads what the worlds have, and answers what they ask. */
static nlm_status check_task(const nlm_settings *training, nlm_error *error)
{
    if (!nlm_task_has_worlds(training->task, training->kind))
        return error_set(error, NLM_BAD_ARGUMENT, "kind %s: %s has no such worlds",
                         nlm_world_kind_name(training->kind), training->task->name);
    int inputs[NLM_MAX_BREADTH + 1];
    task_inputs(training->task, inputs);
    nlm_status status = check_inputs(&training->spec, inputs, training->task->name, error);
    if (status)
        return status;
    const char *seen = training->task->sense, *sees = training->spec.sense;
    if (seen && sees ? strcmp(seen, sees) != 0 : seen != sees)
        return error_set(error, NLM_BAD_SHAPE, "the spec has %s%s, %s has %s%s",
                         sees ? "the sense " : "no sense", sees ? sees : "", training->task->name,
                         seen ? "the sense " : "none", seen ? seen : "");
    /* A checkpoint goes by it: it must not be taken up with other pictures. */
    const nlm_gallery *gallery = seen ? training->task->gallery : NULL;
    if (training->data != (gallery ? nlm_gallery_digest(gallery) : 0))
        return error_set(error, NLM_BAD_ARGUMENT, "data is not the digest of the pictures of %s",
                         training->task->name);
    if (!(training->spec.outputs >> training->task->arity & 1))
        return error_set(error, NLM_BAD_SHAPE, "the spec has no outputs of arity %d, the arity of %s",
                         training->task->arity, training->task->target);
    return NLM_OK;
}

/* The same for facts: the signature takes the place of the task. */
static nlm_status check_problem(const nlm_settings *training, nlm_error *error)
{
    nlm_spec needed = {0};
    const int largest = count_signature(training->problem, &needed);
    if (nlm_signature_targets(nlm_problem_signature(training->problem)) == 0)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "there is nothing to learn: no target is named or labelled");
    if (training->spec.breadth < largest)
        return error_set(error, NLM_BAD_SHAPE,
                         "the breadth is %d, but there are predicates or targets of arity %d",
                         training->spec.breadth, largest);
    nlm_status status = check_inputs(&training->spec, needed.inputs, "the problem", error);
    if (status)
        return status;
    if (needed.outputs & ~training->spec.outputs)
        return error_set(error, NLM_BAD_SHAPE, "the spec lacks outputs of an arity that the targets have");
    if (training->neighbourhood > 0 && nlm_problem_worlds(training->problem) != 1)
        return error_set(error, NLM_BAD_ARGUMENT,
                         "neighbourhood %d: neighbourhoods are drawn from a single world, and here are %d",
                         training->neighbourhood, nlm_problem_worlds(training->problem));
    for (int t = 0; t < nlm_signature_targets(nlm_problem_signature(training->problem)); t++)
        if (training->neighbourhood > 0 &&
            nlm_signature_target(nlm_problem_signature(training->problem), t)->objects == 0)
            return error_set(error, NLM_BAD_ARGUMENT,
                             "neighbourhood %d: %s is about the whole world, not about objects",
                             training->neighbourhood,
                             nlm_signature_target(nlm_problem_signature(training->problem), t)->name);
    if (training->deep > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "which worlds are deep is known of tasks only");
    return NLM_OK;
}

/* Ranges of single settings first, then what several must have in common, then whether the spec fits what is
 * learned.  A run that passes can begin, short of memory. */
nlm_status settings_check_examples(const nlm_settings *training, nlm_error *error)
{
    if (!training || training->game || (training->task && training->problem) ||
        (training->task ? !task_is_known(training->task) : !training->problem))
        return error_set(error, NLM_BAD_ARGUMENT, "a run needs a task, a game or facts");
    nlm_status status = settings_check_ranges(settings_table_of(training), training, error);
    if (status)
        return status;
    if (training->positives > training->batch || training->deep > training->batch)
        return error_set(error, NLM_BAD_ARGUMENT, "%s is more than the batch of %d worlds",
                         training->positives > training->batch ? "positives" : "deep", training->batch);
    if (training->replay >= training->batch && training->replay > 0)
        return error_set(error, NLM_BAD_ARGUMENT, "replay %d leaves no fresh worlds in a batch of %d",
                         training->replay, training->batch);
    if ((double)training->epochs * training->batches > MOST_STEPS)
        return error_set(error, NLM_BAD_ARGUMENT, "%d epochs of %d batches are more than %d steps",
                         training->epochs, training->batches, MOST_STEPS);
    if (training->shift > 0 && !(training->task && training->task->sense))
        return error_set(error, NLM_BAD_ARGUMENT, "shift %d: there are no pictures to move", training->shift);
    return training->task ? check_task(training, error) : check_problem(training, error);
}

/* ---- games ---- */

/* What all games share; each has its recipes (src/task), that of the paper first.  A recipe changes some of
 * these, and must give what is not here: lessons, exams, pools, the budget. */
static const nlm_preset of_games[] = {
    {"seed", "1"},      {"width", "8"},           {"batch", "1"},       {"passes", "1"},
    {"gain", "1"},      {"lr", "0.005"},          {"lr_decay", "0.9"},  {"final_decay", "1"},
    {"beta2", "0.999"}, {"entropy_decay", "0.8"}, {"discount", "0.99"}, {"slack", "0.005"},
    {NULL, NULL},
};

/* What our protocol changes in all games.  Exams are greedy as tests are, so passing them means something for
 * tests.  Failures are kept while there is room: an instance that is solved once is not yet learned.
 * There is no loss of validity, and no run is given up before its budget is used. */
static const nlm_preset best_of_games[] = {
    {"beta2", "0.99"},     {"patience", "0"},      {"validity", "0"},
    {"greedy_exams", "1"}, {"keep_failures", "1"}, {NULL, NULL},
};

/* Of a game of a program's own that has no recipe. */
static const nlm_preset usual_game[] = {
    {"depth", "4"},           {"breadth", "2"},        {"residual", "1"},      {"first_lesson", "4"},
    {"last_lesson", "10"},    {"entropy", "0.01"},     {"batch", "4"},         {"rollouts", "4"},
    {"greedy_rollouts", "1"}, {"solved_share", "0.5"}, {"interval", "400"},    {"exam", "200"},
    {"final_exam", "1000"},   {"pool", "20"},          {"episodes", "100000"}, {NULL, NULL},
};

/* The recipe of a protocol, which every game of the library must have. */
static nlm_status apply_recipe(nlm_settings *settings, nlm_protocol protocol, nlm_error *error)
{
    const char *name = nlm_protocol_name(protocol);
    const nlm_preset *presets = recipe_find(settings->game->recipes, name, NULL);
    if (!presets && settings->game->draw)
        return protocol == NLM_PROTOCOL_PAPER ? settings_apply(settings, usual_game, error) : NLM_OK;
    if (!presets)
        return error_set(error, NLM_BAD_ARGUMENT, "the game %s has no recipe for the protocol %s",
                         settings->game->name, name);
    return settings_apply(settings, presets, error);
}

/* Our protocol begins with the paper's recipe and changes it, so that a game says only what differs. */
nlm_status nlm_settings_of_game(const nlm_game *game, nlm_protocol protocol, nlm_settings *course,
                                nlm_error *error)
{
    REQUIRE(game && course, error);
    if (!game_is_known(game))
        return error_set(error, NLM_BAD_ARGUMENT, "there is no game '%s'", game->name ? game->name : "");
    nlm_status status = game->draw ? own_game_check(game, error) : NLM_OK;
    if (!status)
        status = check_protocol(protocol, error);
    if (status)
        return status;
    nlm_settings c = {
        .game = game, .protocol = protocol, .spec = {.outputs = 1u << (game->twins ? 1 : game->arity)}};
    memcpy(c.spec.inputs, game->inputs, sizeof c.spec.inputs);
    status = settings_begin(&c, of_games, error);
    if (!status)
        status = apply_recipe(&c, NLM_PROTOCOL_PAPER, error);
    if (!status && protocol == NLM_PROTOCOL_BEST)
        status = settings_apply(&c, best_of_games, error);
    if (!status && protocol == NLM_PROTOCOL_BEST)
        status = apply_recipe(&c, protocol, error);
    if (!status)
        *course = c;
    return status;
}

/* As settings_check_examples, for games. */
nlm_status settings_check_game(const nlm_settings *course, nlm_error *error)
{
    const nlm_game *game = course ? course->game : NULL;
    if (!game || !game_is_known(game))
        return error_set(error, NLM_BAD_ARGUMENT, "a run needs a task, a game or facts");
    nlm_status status = settings_check_ranges(settings_table_of(course), course, error);
    if (status)
        return status;
    if (course->first_lesson < game->least_objects)
        return error_set(error, NLM_BAD_ARGUMENT, "%s: a lesson has at least %d objects, not %d", game->name,
                         game->least_objects, course->first_lesson);
    if (course->last_lesson < course->first_lesson)
        return error_set(error, NLM_BAD_ARGUMENT, "the last lesson, %d, comes before the first, %d",
                         course->last_lesson, course->first_lesson);
    if (course->rollouts > 0 && course->batch % course->rollouts != 0)
        return error_set(error, NLM_BAD_ARGUMENT, "a batch of %d episodes cannot have %d of each instance",
                         course->batch, course->rollouts);
    if (course->greedy_rollouts > course->rollouts)
        return error_set(error, NLM_BAD_ARGUMENT, "greedy_rollouts %d: there are only %d rollouts",
                         course->greedy_rollouts, course->rollouts);
    if (course->final_objects > 0 && course->final_objects <= course->last_lesson)
        return error_set(error, NLM_BAD_ARGUMENT, "final_objects %d is not beyond the last lesson, %d",
                         course->final_objects, course->last_lesson);
    if (course->batch > NLM_MAX_EPISODES || course->exam == 0)
        return error_set(error, NLM_BAD_ARGUMENT, "%s %d: a game has %s",
                         course->exam == 0 ? "exam" : "batch", course->exam == 0 ? 0 : course->batch,
                         course->exam == 0 ? "exams of at least one instance"
                                           : "batches of at most 1024 episodes");
    if (course->polish > 0 && (course->rollouts < 2 || course->polish_objects < course->last_lesson))
        return error_set(error, NLM_BAD_ARGUMENT,
                         course->rollouts < 2
                             ? "polish compares episodes of one instance: rollouts %d are too few"
                             : "polish_objects %d is below the last lesson",
                         course->rollouts < 2 ? course->rollouts : course->polish_objects);
    if (course->validity > 0 && !game->tells_legal)
        return error_set(error, NLM_BAD_ARGUMENT, "%s does not predict which moves are legal", game->name);
    status = check_inputs(&course->spec, game->inputs, game->name, error);
    if (status)
        return status;
    if (!(course->spec.outputs >> (game->twins ? 1 : game->arity) & 1))
        return error_set(error, NLM_BAD_SHAPE, "the spec has not the outputs that score the moves of %s",
                         game->name);
    return NLM_OK;
}

/* A model of an older version has no such settings in its file: nlm_setting_in then has the value by which
 * models of its kind worked. */
nlm_status nlm_settings_at_work(const nlm_machine *machine, const nlm_game *game, nlm_settings *settings,
                                nlm_error *error)
{
    REQUIRE(machine && game && settings, error);
    *settings = (nlm_settings){.game = game, .spec = *nlm_machine_spec(machine)};
    const struct settings_table table = settings_table_of(settings);
    nlm_status status = NLM_OK;
    for (const nlm_setting *row = NULL; !status && (row = setting_next(&table, row)) != NULL;)
        if (row->at_work)
            status = setting_set(row, settings, nlm_setting_in(row, machine), error);
    /* rules choose by the position alone */
    if (!status && nlm_machine_has_program(machine)) {
        settings->no_repeat = 0;
        settings->repeat_penalty = 1;
    }
    return status;
}

/* A sentence for captions of tests and replays: results with and without these rules cannot be compared. */
const char *nlm_work_text(const nlm_settings *settings, char text[NLM_WORK_TEXT])
{
    char penalty[NLM_WORK_TEXT] = "";
    if (settings->repeat_penalty < 1)
        snprintf(penalty, sizeof penalty,
                 "; each time a move was made in the episode, its probability is multiplied by %g",
                 settings->repeat_penalty);
    snprintf(text, NLM_WORK_TEXT, "%s in the same position%.100s.",
             settings->no_repeat ? "No move is made twice" : "Moves may be made again", penalty);
    return text;
}

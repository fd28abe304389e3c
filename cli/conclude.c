/* Conclusions of a model on worlds of facts.
 *
 * What will not fit into memory is refused before anything is computed; a limit on the memory of the process
 * turns what was not foreseen into an error in place of a kill. */
#include "conclude.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "find_task.h"
#include "message.h"
#include "read_facts.h"
#include "show_images.h"

/* ---- tuples ---- */

size_t tuple_count(int objects, int arity)
{
    size_t count = 1;
    for (int k = 0; k < arity; k++) {
        if (objects > 0 && count > SIZE_MAX / (size_t)objects)
            return 0;
        count *= (size_t)objects;
    }
    return count;
}

size_t tuple_number(int objects, int arity, const int *tuple)
{
    size_t number = 0;
    for (int k = 0; k < arity; k++)
        number = number * (size_t)objects + (size_t)tuple[k];
    return number;
}

bool tuple_at(int objects, int arity, size_t number, int *tuple)
{
    for (int k = arity - 1; k >= 0; k--) {
        tuple[k] = (int)(number % (size_t)objects);
        number /= (size_t)objects;
        for (int later = k + 1; later < arity; later++) {
            if (tuple[later] == tuple[k])
                return false;
        }
    }
    return true;
}

double probability_of(float logit)
{
    return 1 / (1 + exp(-(double)logit));
}

/* ---- the model ---- */

/* What a model of a game has in place of conclusions; false after an error line. */
static bool concludes(const concluder *of)
{
    const nlm_game *game = task_or_game_of(nlm_machine_metadata(of->machine, "task")).game;
    if (game == NULL)
        return true;
    message_error("%s: %s plays a game, %s: it has moves, not conclusions; 'nlm play %s' shows them",
                  of->command, of->model, game->name, of->model);
    return false;
}

static bool say(const concluder *of, const nlm_error *error)
{
    message_error("%s: %s", of->command, error->message);
    return false;
}

/* Images are for models with a sense, which need them; false after an error line. */
static bool fits_images(const concluder *of)
{
    const char *sense = nlm_machine_spec(of->machine)->sense;
    if (sense != NULL && of->images == NULL)
        message_error("%s: %s looks at objects (%s): name the folder of their images, OBJECT.pgm or "
                      "OBJECT.png of %d x %d pixels, with --images DIR",
                      of->command, of->model, sense, NLM_IMAGE_SIDE, NLM_IMAGE_SIDE);
    else if (sense == NULL && of->images != NULL)
        message_error("%s: %s reads facts only: --images is for models with a sense", of->command, of->model);
    return (sense != NULL) == (of->images != NULL);
}

bool concluder_begin(concluder *of, const char *command, const char *model, const char *images,
                     const nlm_options *options)
{
    *of = (concluder){.command = command, .model = model, .images = images, .options = *options};
    nlm_error error;
    if (nlm_machine_load(model, &of->machine, &error) != NLM_OK)
        return say(of, &error);
    if (!concludes(of) || !fits_images(of))
        return false;
    if (nlm_signature_of_model(of->machine, model, &of->signature, &error) != NLM_OK ||
        nlm_structure_new(&of->structure, &error) != NLM_OK ||
        nlm_pass_new(of->machine, &of->pass, &error) != NLM_OK)
        return say(of, &error);
    problem_limit_memory();
    of->memory = problem_free_memory();
    return true;
}

void concluder_end(concluder *of)
{
    nlm_pass_free(of->pass);
    nlm_structure_free(of->structure);
    nlm_signature_free(of->signature);
    nlm_machine_free(of->machine);
    nlm_world_free(of->shown);
    free(of->logits);
    free(of->text);
    *of = (concluder){0};
}

bool concluder_load(const concluder *of, const char *path, nlm_problem **problem)
{
    const nlm_reading reading = {.signature = of->signature};
    return problem_load(of->command, path, &reading, false, problem);
}

/* ---- a world ---- */

#define INSTEAD "split the facts into smaller worlds, or train with a smaller --breadth"

static bool say_no_memory(const concluder *of, const char *name)
{
    message_error("%s: %s: not enough memory for its %d objects; " INSTEAD, of->command, name,
                  nlm_world_objects(of->world));
    return false;
}

/* Whether a world of so many objects can be asked about at all; false after an error line. */
static bool has_room(const concluder *of, const char *name)
{
    const int objects = nlm_world_objects(of->world);
    const double needed = nlm_structure_memory(of->machine, objects);
    if (needed <= of->memory)
        return true;
    char text[2][NLM_NUMBER_TEXT];
    message_error("%s: %s has %d objects: with %s that takes %s, and %s are free, enough for %d "
                  "objects at most; " INSTEAD,
                  of->command, name, objects, of->model,
                  isinf(needed) ? "more than any memory" : nlm_memory_text(needed, text[0]),
                  nlm_memory_text(of->memory, text[1]), nlm_structure_largest(of->machine, of->memory));
    return false;
}

/* The batch is of no use once there is a structure. */
static nlm_status build(concluder *of, nlm_error *error)
{
    nlm_batch *batch;
    nlm_status status = nlm_batch_for(of->machine, &batch, error);
    if (status == NLM_OK)
        status = nlm_batch_add_world(batch, of->world, error);
    if (status == NLM_OK)
        status = nlm_structure_build(of->structure, of->machine, batch, &of->options, error);
    nlm_batch_free(batch);
    return status;
}

/* The world, or a copy of it with images; false after an error line. */
static bool choose_world(concluder *of, const nlm_problem *problem, int world, const char *name)
{
    nlm_world_free(of->shown);
    of->shown = NULL;
    of->world = nlm_problem_world(problem, world);
    if (of->images == NULL)
        return true;
    if (!show_images(of->command, of->images, nlm_problem_world_name(problem, world), name, of->world,
                     &of->shown))
        return false;
    of->world = of->shown;
    return true;
}

bool concluder_ask(concluder *of, const nlm_problem *problem, int world, const char *name)
{
    nlm_error error;
    if (!choose_world(of, problem, world, name) || !has_room(of, name))
        return false;
    nlm_status status = build(of, &error);
    if (status == NLM_OK)
        status = nlm_pass_forward(of->pass, of->structure, false, &error);
    if (status == NLM_NO_MEMORY)
        return say_no_memory(of, name);
    if (status != NLM_OK)
        message_error("%s: %s: %s", of->command, name, error.message);
    return status == NLM_OK;
}

bool concluder_logits(concluder *of, int target, const float **logits)
{
    nlm_error error;
    const int arity = nlm_signature_target(of->signature, target)->objects;
    const size_t count = tuple_count(nlm_world_objects(of->world), arity);
    if (count > of->room) {
        free(of->logits);
        of->room = 0;
        of->logits = count < SIZE_MAX / sizeof *of->logits ? malloc(count * sizeof *of->logits) : NULL;
        if (of->logits == NULL)
            return say_no_memory(of, nlm_signature_target(of->signature, target)->name);
        of->room = count;
    }
    *logits = of->logits;
    return nlm_pass_logits(of->pass, 0, target, of->logits, &error) == NLM_OK || say(of, &error);
}

const char *concluder_fact(concluder *of, int target, const int *tuple)
{
    const nlm_predicate *predicate = nlm_signature_target(of->signature, target);
    size_t needed;
    while ((needed = nlm_fact_text(of->signature, predicate, of->world, tuple, of->text, of->text_size)) >=
           of->text_size) {
        char *larger = realloc(of->text, 2 * needed + 1);
        if (larger == NULL)
            return of->text != NULL ? of->text : ""; /* cut */
        of->text = larger;
        of->text_size = 2 * needed + 1;
    }
    return of->text;
}

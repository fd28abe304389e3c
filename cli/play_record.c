/* An episode as JSON: {"task", "model", ..., "instance": {...}, "steps": [...], "final": {...}}. */
#include "play_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "nlm/tools.h"
#include "message.h"

static void write_move(FILE *file, const nlm_game *game, const int *move)
{
    for (int k = 0; k < game->arity; k++)
        fprintf(file, "%s%d", k == 0 ? "[" : ", ", move[k]);
    putc(']', file);
}

/* ---- steps ---- */

nlm_status record_begin(record *taken, nlm_position *position, nlm_error *error)
{
    const char *text;
    *taken = (record){0};
    nlm_status status = nlm_position_write(position, &text, error);
    if (status)
        return status;
    taken->instance = strdup(text);
    taken->steps = open_memstream(&taken->text, &taken->size);
    if (taken->instance != NULL && taken->steps != NULL)
        return NLM_OK;
    record_free(taken);
    return message_fill(error, NLM_NO_MEMORY, "not enough memory to record the episode");
}

void record_free(record *taken)
{
    if (taken->steps != NULL)
        fclose(taken->steps);
    free(taken->text);
    free(taken->instance);
    *taken = (record){0};
}

nlm_status record_step(record *taken, const play_moment *moment, nlm_error *error)
{
    FILE *file = taken->steps;
    const nlm_game *game = nlm_position_game(moment->position);
    const nlm_choice *made = &moment->choices[0];
    const char *state;
    nlm_status status = nlm_position_write(moment->position, &state, error);
    if (status)
        return status;
    fprintf(file, "%s\n  {\"state\": %s,\n   \"move\": ", nlm_position_moves(moment->position) > 0 ? "," : "",
            state);
    write_move(file, game, made->move);
    fprintf(file, ", \"probability\": %.9g, \"legal\": %s, \"top\": [", made->probability,
            nlm_position_legal(moment->position, made->move) ? "true" : "false");
    for (int i = 0; i < moment->count; i++) {
        fprintf(file, "%s{\"move\": ", i > 0 ? ", " : "");
        write_move(file, game, moment->choices[i].move);
        fprintf(file, ", \"probability\": %.9g}", moment->choices[i].probability);
    }
    fputs("]}", file);
    return NLM_OK;
}

/* ---- the file ---- */

static void write_heading(FILE *file, const play_request *request, const nlm_position *position)
{
    fprintf(file, "{\"task\": \"%s\", \"model\": ", nlm_position_game(position)->name);
    nlm_json_text(file, request->model);
    fprintf(file, ", \"objects\": %d", nlm_position_objects(position));
    if (request->instance == NULL) {
        /* Larger numbers than 2^63 - 1 are more than readers of JSON can be asked for. */
        const char *quote = request->seed > INT64_MAX ? "\"" : "";
        fprintf(file, ", \"seed\": %s%" PRIu64 "%s", quote, request->seed, quote);
    }
    fprintf(file, ", \"limit\": %d", nlm_position_limit(position));
    if (nlm_position_optimum(position) >= 0)
        fprintf(file, ", \"optimal_moves\": %d", nlm_position_optimum(position));
    else
        fputs(", \"optimal_moves\": null", file);
    fprintf(file, ", \"solved\": %s, \"moves\": %d", nlm_position_solved(position) ? "true" : "false",
            nlm_position_moves(position));
}

/* What the file is made from. */
typedef struct whole_record {
    const record *taken;
    const play_request *request;
    const nlm_position *position;
    const char *final;
} whole_record;

static void write_record(FILE *file, const void *context)
{
    const whole_record *of = context;
    write_heading(file, of->request, of->position);
    fprintf(file, ",\n \"instance\": %s,\n \"steps\": [", of->taken->instance);
    fwrite(of->taken->text, 1, of->taken->size, file);
    fprintf(file, "],\n \"final\": %s}\n", of->final);
}

nlm_status record_save(record *taken, const play_request *request, nlm_position *position, nlm_error *error)
{
    whole_record whole = {taken, request, position, NULL};
    nlm_status status = nlm_position_write(position, &whole.final, error);
    if (status)
        return status;
    if (fflush(taken->steps) != 0 || ferror(taken->steps))
        return message_fill(error, NLM_NO_MEMORY, "not enough memory to record the episode");
    if (strcmp(request->json, "-") == 0) {
        write_record(stdout, &whole);
        return NLM_OK;
    }
    return nlm_file_write(request->json, write_record, &whole, error);
}

nlm_status record_check(const char *path, nlm_error *error)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return NLM_OK;
    if (path[0] == '\0')
        return message_fill(error, NLM_BAD_ARGUMENT, "the episode's file needs a name");
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return message_fill(error, NLM_BAD_ARGUMENT, "%.300s: not a file that an episode can replace", path);
    return nlm_file_check(path, error);
}

#include "infer_why.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

bool derivations_begin(const char *command, const char *model, nlm_machine *machine,
                       const nlm_signature *signature, derivations *of)
{
    nlm_error error;
    *of = (derivations){.signature = signature};
    if (nlm_machine_spec(machine)->sense != NULL) {
        message_error("%s: %s reads pictures: what its network sees in them is no fact that a derivation "
                      "could end with",
                      command, model);
        return false;
    }
    return message_ok(command, nlm_program_of_model(machine, model, &of->program, &error), &error);
}

bool derivations_world(const char *command, derivations *of, const nlm_world *world)
{
    nlm_error error;
    nlm_why_free(of->why);
    of->why = NULL;
    return message_ok(command, nlm_why_new(of->program, of->signature, world, &of->why, &error), &error);
}

void derivations_end(derivations *of)
{
    nlm_why_free(of->why);
    nlm_program_free(of->program);
}

/* The tree as a text, to be freed; NULL, with *error the reason, if it takes too many steps. */
static nlm_status tree_text(const derivations *of, const nlm_conclusion *conclusion, bool json, char **text,
                            bool *holds, nlm_error *error)
{
    size_t size = 0;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (stream == NULL)
        return message_fill(error, NLM_NO_MEMORY, "out of memory");
    const nlm_status status =
        nlm_why_write(of->why, conclusion->target, conclusion->tuple, json, stream, holds, error);
    if (fclose(stream) != 0 && status == NLM_OK) {
        free(*text);
        *text = NULL;
        return message_fill(error, NLM_NO_MEMORY, "out of memory");
    }
    if (status == NLM_OK)
        return NLM_OK;
    free(*text);
    *text = NULL;
    return status == NLM_BAD_ARGUMENT ? NLM_OK : status;
}

/* Lines after the first, which is the conclusion itself. */
static void print_comments(const char *text)
{
    for (const char *line = strchr(text, '\n'); line != NULL && line[1] != '\0';) {
        const char *end = strchr(line + 1, '\n');
        const size_t length = end != NULL ? (size_t)(end - line - 1) : strlen(line + 1);
        printf("%%%.*s\n", (int)length, line + 1);
        line = end;
    }
}

nlm_status derivations_comment(const derivations *of, const nlm_conclusion *conclusion, nlm_error *error)
{
    char *text;
    bool holds;
    const nlm_status status = tree_text(of, conclusion, false, &text, &holds, error);
    if (status != NLM_OK)
        return status;
    if (text == NULL)
        printf("%%    %s\n", error->message);
    else if (holds != (conclusion->probability > 0.5))
        puts("%    the rules, taken as certain, say otherwise:");
    if (text != NULL)
        print_comments(text);
    free(text);
    return NLM_OK;
}

nlm_status derivations_json(const derivations *of, const nlm_conclusion *conclusion, nlm_error *error)
{
    char *text;
    bool holds;
    const nlm_status status = tree_text(of, conclusion, true, &text, &holds, error);
    if (status == NLM_OK)
        printf(", \"why\": %.*s", (int)(text != NULL ? strcspn(text, "\n") : strlen("null")),
               text != NULL ? text : "null");
    free(text);
    return status;
}

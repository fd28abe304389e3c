#include "doubts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "message.h"

enum { FIRST = 3 }; /* that are named in one line */

typedef struct listing {
    const char *separator;
    int most, count; /* most 0: no limit */
    bool json;
    char *text; /* to be freed */
    size_t size;
    FILE *stream; /* into it */
} listing;

static nlm_status hear(void *context, const char *text, bool is_true, nlm_error *error)
{
    listing *to = context;
    (void)error;
    if (to->most > 0 && to->count >= to->most)
        return NLM_OK;
    if (to->count++ > 0)
        fputs(to->separator, to->stream);
    if (to->json)
        json_print(to->stream, "{\"atom\": %s, \"label\": %i}", text, is_true);
    else
        fprintf(to->stream, "%s, which is listed as %s", text, is_true ? "true" : "false");
    return NLM_OK;
}

/* The list as a text: its head line has the numbers, which are known at its end. */
static bool find(const char *command, nlm_machine *machine, const char *model, const nlm_problem *problem,
                 const nlm_options *options, listing *list, size_t *doubted, size_t *labels)
{
    nlm_error error;
    list->stream = open_memstream(&list->text, &list->size);
    if (list->stream == NULL) {
        message_error("%s: not enough memory", command);
        return false;
    }
    const nlm_status status =
        nlm_doubted_labels(machine, model, problem, options, hear, list, doubted, labels, &error);
    fclose(list->stream);
    return message_ok(command, status, &error);
}

bool doubts_print_first(const char *model, const nlm_problem *problem, const nlm_options *options)
{
    listing list = {.separator = "; ", .most = FIRST};
    size_t doubted, labels;
    nlm_machine *machine;
    nlm_error error;
    if (!message_ok("train", nlm_machine_load(model, &machine, &error), &error))
        return false;
    const bool good = find("train", machine, model, problem, options, &list, &doubted, &labels);
    if (good && doubted > 0)
        printf("%s of %s labels contradict the program and look wrong: %s%s\n", text_of_count(doubted),
               text_of_count(labels), list.text, doubted > FIRST ? "; ..." : "");
    if (good && doubted > FIRST)
        printf("all of them: nlm check FACTS --model %s\n", model);
    free(list.text);
    nlm_machine_free(machine);
    return good;
}

bool doubts_print_all(nlm_machine *machine, const char *model, const nlm_problem *problem,
                      const nlm_options *options, bool json)
{
    listing list = {.separator = json ? ", " : "\n  ", .json = json};
    size_t doubted, labels;
    const bool good = find("check", machine, model, problem, options, &list, &doubted, &labels);
    if (good && json)
        printf("\"labels\": %zu, \"wrong\": [%s]", labels, list.text);
    else if (good && doubted == 0)
        printf("all %s labels are as the model says\n", text_of_count(labels));
    else if (good)
        printf("these %s of %s labels look wrong, since the model says otherwise:\n  %s\n",
               text_of_count(doubted), text_of_count(labels), list.text);
    free(list.text);
    return good;
}

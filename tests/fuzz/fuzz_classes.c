/* Any bytes as the classes that the examples of a model had: refused with a message of one line, or classes
 * that are written and read again as the same text. */
#include "fuzz.h"
#include "infer/seen_classes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const nlm_spec spec = {.depth = 1, .breadth = 2, .inputs = {[1] = 1, [2] = 1}, .width = 1, .outputs = 6};
    const nlm_head_spec heads[] = {{.name = "one", .arity = 1, .outputs = 1},
                                   {.name = "two", .arity = 2, .outputs = 1}};
    nlm_machine *machine;
    seen_classes *made, *again;
    nlm_error error = {0};
    char *text = copy_text(data, size), *written, *same;
    require(nlm_machine_new(&spec, heads, 2, &machine, NULL) == NLM_OK);
    if (seen_classes_parse(text, "fuzz", machine, &made, &error) == NLM_OK) {
        require(seen_classes_text(made, &written, NULL) == NLM_OK);
        require(seen_classes_parse(written, "fuzz", machine, &again, NULL) == NLM_OK);
        require(seen_classes_text(again, &same, NULL) == NLM_OK && !strcmp(written, same));
        seen_classes_free(made);
        seen_classes_free(again);
        free(written);
        free(same);
    } else {
        require(made == NULL);
        check_refusal(&error, "fuzz: metadata 'classes_seen'");
    }
    nlm_machine_free(machine);
    free(text);
    return 0;
}

/* Any bytes as JSON Lines of facts: refused with a message of one line, or no more facts than lines. */
#include "fact_reader.h"
#include "facts/json_facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t lines = 1;
    for (size_t k = 0; k < size; k++)
        lines += data[k] == '\n';
    require(check_reader(json_facts_read, data, size, 0, PROLOG_MOST_ARGUMENTS, SIZE_MAX) <= lines);
    return 0;
}

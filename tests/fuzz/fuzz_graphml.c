/* Any bytes as a graph in GraphML: refused with a message of one line, or facts about names of the text. */
#include "fact_reader.h"
#include "facts/graphml.h"
#include "syntax/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_reader(graphml_read, data, size, 1, 3, size + NUMBER_SIZE);
    return 0;
}

/* Any bytes as a graph in DOT: refused with a message of one line, or facts about names of the text. */
#include "fact_reader.h"
#include "facts/dot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_reader(dot_read, data, size, 1, 3, size);
    return 0;
}

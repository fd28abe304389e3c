/* Any bytes as a text that may be in UTF-16: left as they are, refused with a message of one line, or valid
 * UTF-8 without a zero. */
#include "base/memory.h"
#include "fuzz.h"
#include "syntax/atom.h"
#include "syntax/utf16.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nlm_error error = {0};
    buffer content = {0};
    size_t length = size;
    require(!buffer_reserve(&content, size + 1, 1, false));
    if (size > 0)
        memcpy(content.data, data, size);
    const bool marked =
        size >= 2 && ((data[0] == 0xFF && data[1] == 0xFE) || (data[0] == 0xFE && data[1] == 0xFF));
    if (utf16_decode(&content, &length, "fuzz", &error)) {
        require(marked);
        check_refusal(&error, "fuzz");
    } else if (marked) {
        require(length <= 3 * (size / 2));
        char *text = copy_text(content.data, length);
        require(!atom_check_text(text, length, "fuzz", &error));
        free(text);
    } else {
        require(length == size && (size == 0 || !memcmp(content.data, data, size)));
    }
    buffer_free(&content);
    return 0;
}

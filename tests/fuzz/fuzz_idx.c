/* Any bytes as an IDX file, of images if the first byte is 'i' and of labels otherwise: refused with a
 * message of one line, or as many items as the file says, labels below ten. */
#include "fuzz.h"
#include "base/memory.h"
#include "perception/idx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    bool images = data[0] == 'i';
    uint8_t *items;
    int count;
    nlm_error error = {0};
    nlm_status status = images ? idx_parse_images(data + 1, size - 1, "fuzz", &items, &count, &error)
                               : idx_parse_labels(data + 1, size - 1, "fuzz", &items, &count, &error);
    if (status) {
        require(!items && count == 0);
        check_refusal(&error, "fuzz:");
        return 0;
    }
    require(items && count >= 1 && count <= IDX_MOST);
    unsigned sum = 0;
    for (size_t i = 0; i < (size_t)count * (images ? IMAGES_PIXELS : 1); i++) {
        require(images || items[i] < IMAGES_LABELS);
        sum += items[i];
    }
    require(sum <= 255u * IMAGES_PIXELS * (unsigned)count);
    memory_free(items);
    return 0;
}

/* Runs a fuzz target on every file of the folders given, without a fuzzer.
 *
 * A folder without files is a failure: an empty corpus tests nothing. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The block has the exact size of the file, so that a sanitizer sees any read beyond it. */
static bool replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    uint8_t *data = malloc(size);
    const bool whole = (data != NULL || size == 0) && fread(data, 1, size, file) == size;
    fclose(file);
    if (whole)
        LLVMFuzzerTestOneInput(data, size);
    else
        perror(path);
    free(data);
    return whole;
}

static bool replay_folder(const char *folder, int *count)
{
    struct dirent **entries;
    const int entry_count = scandir(folder, &entries, NULL, alphasort);
    if (entry_count < 0) {
        perror(folder);
        return false;
    }
    bool good = true;
    *count = 0;
    for (int i = 0; i < entry_count; i++) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            good = replay_file(path, (size_t)status.st_size) && good;
            ++*count;
        }
    }
    free(entries);
    return good;
}

int main(int argc, char **argv)
{
    bool good = argc > 1;
    for (int i = 1; i < argc; i++) {
        int count = 0;
        good = replay_folder(argv[i], &count) && count > 0 && good;
        printf("%s: %d inputs\n", argv[i], count);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Metrics of a run as JSON Lines. */
#include "metrics.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static nlm_status fail(nlm_error *error, const char *path)
{
    error->status = NLM_IO_ERROR;
    snprintf(error->message, sizeof error->message, "%.200s: cannot write the log: %s", path,
             strerror(errno));
    return NLM_IO_ERROR;
}

nlm_status metrics_check(const char *path, nlm_error *error)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return NLM_OK; /* opening a pipe twice would leave its reader */
    FILE *log = fopen(path, "a");
    return log != NULL && fclose(log) == 0 ? NLM_OK : fail(error, path);
}

/* The offset after the whole lines of the first `epochs` epochs. */
static long skip_lines(FILE *log, int epochs)
{
    long end = 0;
    int epoch;
    while (fscanf(log, "{\"epoch\": %d", &epoch) == 1 && epoch <= epochs) {
        int c;
        while ((c = fgetc(log)) != EOF && c != '\n')
            continue;
        if (c == EOF)
            break;
        end = ftell(log);
    }
    return end;
}

/* What is no regular file, a pipe or a device, has nothing to be kept. */
nlm_status metrics_open(const char *path, int epochs, FILE **log, nlm_error *error)
{
    *log = fopen(path, epochs > 0 ? "r+" : "w");
    if (*log == NULL && epochs > 0 && errno == ENOENT)
        *log = fopen(path, "w");
    if (*log == NULL)
        return fail(error, path);
    struct stat about;
    if (epochs == 0 || (fstat(fileno(*log), &about) == 0 && !S_ISREG(about.st_mode)))
        return NLM_OK;
    const long end = skip_lines(*log, epochs);
    if (end >= 0 && fseek(*log, end, SEEK_SET) == 0 && ftruncate(fileno(*log), (off_t)end) == 0)
        return NLM_OK;
    const nlm_status status = fail(error, path);
    fclose(*log);
    *log = NULL;
    return status;
}

nlm_status metrics_write(FILE *log, const char *path, const nlm_epoch *epoch, long epoch_examples,
                         nlm_error *error)
{
    const double speed = epoch->seconds > 0 ? (double)epoch_examples / epoch->seconds : 0;
    fprintf(
        log,
        "{\"epoch\": %d, \"loss\": %.9g, \"accuracy\": %.9g, \"balanced_accuracy\": %.9g, \"wrong\": %zu, "
        "\"tuples\": %zu, \"examples\": %ld, \"drawn\": %ld, \"examples_per_second\": %.1f, "
        "\"gradient_norm\": %.9g, "
        "\"restarts\": %d, \"failures\": %d, \"elapsed\": %.3f}\n",
        epoch->epoch, epoch->loss, epoch->accuracy, epoch->balanced_accuracy, epoch->wrong, epoch->tuples,
        epoch->examples, epoch->drawn, speed, epoch->gradient_norm, epoch->restarts, epoch->failures,
        epoch->elapsed);
    return fflush(log) == 0 && !ferror(log) ? NLM_OK : fail(error, path);
}

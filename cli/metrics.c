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

/* The offset after the whole lines of the first `rounds` rounds. */
static long skip_lines(FILE *log, const char *round, int rounds)
{
    long end = 0;
    char name[16];
    int number;
    while (fscanf(log, "{\"%15[a-z]\": %d", name, &number) == 2 && strcmp(name, round) == 0 &&
           number <= rounds) {
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
nlm_status metrics_open(const char *path, const char *round, int rounds, FILE **log, nlm_error *error)
{
    *log = fopen(path, rounds > 0 ? "r+" : "w");
    if (*log == NULL && rounds > 0 && errno == ENOENT)
        *log = fopen(path, "w");
    if (*log == NULL)
        return fail(error, path);
    struct stat about;
    if (rounds == 0 || (fstat(fileno(*log), &about) == 0 && !S_ISREG(about.st_mode)))
        return NLM_OK;
    const long end = skip_lines(*log, round, rounds);
    if (end >= 0 && fseek(*log, end, SEEK_SET) == 0 && ftruncate(fileno(*log), (off_t)end) == 0)
        return NLM_OK;
    const nlm_status status = fail(error, path);
    fclose(*log);
    *log = NULL;
    return status;
}

static nlm_status end_line(FILE *log, const char *path, nlm_error *error)
{
    return fflush(log) == 0 && !ferror(log) ? NLM_OK : fail(error, path);
}

nlm_status metrics_write_epoch(FILE *log, const char *path, const nlm_epoch *epoch, long epoch_examples,
                               nlm_error *error)
{
    const double speed = epoch->seconds > 0 ? (double)epoch_examples / epoch->seconds : 0;
    fprintf(
        log,
        "{\"epoch\": %d, \"loss\": %.9g, \"accuracy\": %.9g, \"balanced_accuracy\": %.9g, \"wrong\": %zu, "
        "\"tuples\": %zu, \"examples\": %ld, \"drawn\": %ld, \"examples_per_second\": %.1f, "
        "\"gradient_norm\": %.9g, "
        "\"restarts\": %d, \"failures\": %d, \"exam_tuples\": %zu, \"exam_wrong\": %zu, "
        "\"elapsed\": %.3f}\n",
        epoch->epoch, epoch->loss, epoch->accuracy, epoch->balanced_accuracy, epoch->wrong, epoch->tuples,
        epoch->examples, epoch->drawn, speed, epoch->gradient_norm, epoch->restarts, epoch->failures,
        epoch->asked, epoch->failed, epoch->elapsed);
    return end_line(log, path, error);
}

nlm_status metrics_write_exam(FILE *log, const char *path, const nlm_exam *exam, nlm_error *error)
{
    fprintf(log,
            "{\"exam\": %d, \"lesson\": %d, \"candidate\": %s, \"passed\": %s, \"episodes\": %ld, "
            "\"drawn\": %ld, \"restarts\": %d, \"asked\": %d, \"solved\": %d, \"success\": %.9g, "
            "\"threshold\": %.9g, \"moves\": %.9g, \"train_success\": %.9g, \"loss\": %.9g, "
            "\"entropy\": %.9g, \"elapsed\": %.3f}\n",
            exam->exam, exam->lesson, exam->candidate ? "true" : "false", exam->passed ? "true" : "false",
            exam->episodes, exam->drawn, exam->restarts, exam->asked, exam->solved, exam->success,
            exam->threshold, exam->moves, exam->train_success, exam->loss, exam->entropy, exam->elapsed);
    return end_line(log, path, error);
}

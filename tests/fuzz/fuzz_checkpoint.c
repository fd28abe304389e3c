/* Any bytes as a checkpoint: refused with a message of one line, or a run that can be asked about, and go on
 * for a step, without harm. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "learn/settings.h"
#include "nlm/learn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise must stop the run in any build, so not assert(). */
static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_refusal(const nlm_error *error, const char *path)
{
    require(error->status == NLM_BAD_FILE || error->status == NLM_NO_MEMORY);
    require(error->status == NLM_NO_MEMORY || !strncmp(error->message, path, strlen(path)));
    for (const char *c = error->message; *c; c++)
        require((unsigned char)*c >= ' ');
}

/* A step of a run so small that it takes no time. */
static void try_step(nlm_trainer *trainer)
{
    const nlm_settings *settings = nlm_trainer_settings(trainer);
    nlm_error error = {0};
    if (nlm_trainer_stage(trainer) != NLM_LEARNING) {
        require(nlm_trainer_step(trainer, NULL, &error) == NLM_BAD_ARGUMENT);
        return;
    }
    if (settings->objects > 6 || settings->batch > 4 ||
        nlm_machine_parameters(nlm_trainer_machine(trainer)) > 10000)
        return;
    if (nlm_trainer_step(trainer, NULL, &error))
        require(error.status != NLM_OK && error.message[0] && !strchr(error.message, '\n'));
}

static void check_run(nlm_trainer *trainer)
{
    const nlm_settings *settings = nlm_trainer_settings(trainer);
    const nlm_epoch *epoch = nlm_trainer_epoch(trainer);
    require(settings_check_examples(settings, NULL) == NLM_OK);
    require(epoch->epoch >= 0 && epoch->examples >= 0 && epoch->restarts >= 0);
    require(isfinite(epoch->loss) && isfinite(epoch->elapsed) && isfinite(epoch->accuracy));
    require(nlm_trainer_steps(trainer) == 0 && nlm_trainer_examined(trainer) == 0);
    require(nlm_trainer_stage(trainer) != NLM_LEARNING || epoch->epoch < settings->epochs);
    nlm_machine *machine = nlm_trainer_machine(trainer);
    for (int t = 0; t < nlm_machine_tensors(machine); t++) {
        nlm_tensor tensor = nlm_machine_tensor(machine, t);
        for (size_t i = 0; i < tensor.count; i++)
            require(isfinite(tensor.values[i]));
    }
    try_step(trainer);
}

/* A file in memory that has a path. */
static int write_file(const uint8_t *data, size_t size, char path[32])
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    require(file >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, data + done, size - done);
        require(written > 0);
        done += (size_t)written;
    }
    snprintf(path, 32, "/proc/self/fd/%d", file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    nlm_trainer *trainer = (nlm_trainer *)path;
    nlm_error error = {0};
    int file = write_file(data, size, path);
    if (nlm_trainer_load(path, NULL, NULL, &trainer, &error)) {
        require(trainer == NULL);
        check_refusal(&error, path);
    } else {
        check_run(trainer);
    }
    nlm_trainer_free(trainer);
    close(file);
    return 0;
}

/* The files of a run, of trainings and courses alike: metadata as pairs of texts, read without trust, and
 * Adam's moments as two tensors beside the machine's. */
#ifndef LEARN_RUN_FILE_H
#define LEARN_RUN_FILE_H

#include "learn/settings.h"
#include "machine/machine.h"
#include "machine/optimizer.h"
#include "machine/safetensors.h"
#include "nlm/learn.h"

/* ---- writing ---- */

enum { RUN_MOST_PAIRS = 96 }; /* far more than there are */

struct run_pairs {
    int count;
    const char *pairs[2 * RUN_MOST_PAIRS];
    char texts[RUN_MOST_PAIRS][NLM_SETTING_TEXT];
};

/* The text is kept as a pointer. */
void run_add_text(struct run_pairs *to, const char *key, const char *text);
void run_add_printed(struct run_pairs *to, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* All numbers that the machine's own metadata do not hold. */
void run_add_settings(struct run_pairs *to, const nlm_settings *settings);
/* Which version made it, with which kernels. */
void run_add_maker(struct run_pairs *to, const nlm_options *options);

/* A model file with the pairs, Adam's moments, and `more` tensors; gradients that ran away are refused. */
nlm_status run_save(nlm_machine *machine, const nlm_optimizer *optimizer, double rate, const char *path,
                    const struct run_pairs *pairs, const safetensors_entry *more, int more_count,
                    nlm_error *error);

/* ---- reading ---- */

struct run_reader {
    const char *path;
    const safetensors *file;
    const nlm_machine *machine; /* from the file */
    nlm_error *error;
};

#define RUN_REFUSE(in, ...) model_fail((in)->error, NLM_BAD_FILE, (in)->path, __VA_ARGS__)

nlm_status run_get_text(const struct run_reader *in, const char *key, const char **text);
/* Numbers of at least 0; whole ones are such as a double holds exactly. */
nlm_status run_get_real(const struct run_reader *in, const char *key, double *value);
nlm_status run_get_int(const struct run_reader *in, const char *key, int most, int *number);
nlm_status run_get_long(const struct run_reader *in, const char *key, long *number);
/* Which of the names the text is. */
nlm_status run_get_word(const struct run_reader *in, const char *key, const char *const *names, int count,
                        int *word);
/* All settings; of facts without the problem, of pictures without the gallery. */
nlm_status run_get_settings(const struct run_reader *in, nlm_settings *settings);
/* `count` finite numbers. */
nlm_status run_get_tensor(const struct run_reader *in, const char *name, size_t count, float *values);
/* Parameters and moments, into a machine and an optimiser made for the settings. */
nlm_status run_get_weights(const struct run_reader *in, nlm_machine *machine, nlm_optimizer *optimizer);

#endif

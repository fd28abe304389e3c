/* The files of a run: metadata as pairs of texts, read without trust, and the optimiser's moments as two
 * tensors beside the machine's.
 *
 * A checkpoint is a model file with these tensors and more metadata; docs/formats.md lists all of it.
 * Numbers are written so that reading gives the same bits. */
#ifndef LEARN_RUN_FILE_H
#define LEARN_RUN_FILE_H

#include "base/error.h"
#include "learn/settings.h"
#include "machine/machine.h"
#include "machine/optimizer.h"
#include "machine/safetensors.h"

/* ---- state ---- */

/* A number of a run's state: its key in the metadata, its place in the struct and its range, from 0 on.  Rows
 * end with one without a key. */
enum state_kind { STATE_INT, STATE_LONG, STATE_NUMBER, STATE_COUNT, STATE_REAL, STATE_FLAG };

struct state_row {
    const char *key;
    enum state_kind kind; /* int, long, uint64_t, size_t, double; bool, as "no" or "yes" */
    size_t place;
    double most;
};

#define STATE_MOST 0x1p53 /* whole numbers that a double holds exactly */

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
void run_add_state(struct run_pairs *to, const struct state_row *rows, const void *state);
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

#define RUN_REFUSE(in, ...) error_in_file((in)->error, NLM_BAD_FILE, (in)->path, __VA_ARGS__)

nlm_status run_get_text(const struct run_reader *in, const char *key, const char **text);
/* Which of the names the text is. */
nlm_status run_get_word(const struct run_reader *in, const char *key, const char *const *names, int count,
                        int *word);
nlm_status run_get_state(const struct run_reader *in, const struct state_row *rows, void *state);
/* The same from a model that anyone may have written: what is missing or out of its range is 0. */
void run_recall_state(const nlm_machine *machine, const struct state_row *rows, void *state);
/* All settings; of facts without the problem, of pictures without the gallery. */
nlm_status run_get_settings(const struct run_reader *in, nlm_settings *settings);
/* Digits, with nothing before them; *text is then what comes after. */
bool run_get_digits(const char **text, uint64_t *number);
/* `count` finite numbers. */
nlm_status run_get_tensor(const struct run_reader *in, const char *name, size_t count, float *values);
/* Parameters and moments, into a machine and an optimiser made for the settings. */
nlm_status run_get_weights(const struct run_reader *in, nlm_machine *machine, nlm_optimizer *optimizer);

#endif

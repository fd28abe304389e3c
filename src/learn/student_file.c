/* The files of a course's run: models, and checkpoints to go on from.
 *
 * A checkpoint is a model file with Adam's moments, the pools as texts, and the memory of legal and illegal
 * moves as two tensors; docs/formats.md lists all of it.  Reading trusts nothing. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "learn/settings.h"
#include "learn/run_file.h"
#include "learn/student.h"
#include "machine/model_file.h"

#define COURSE_STATE "course checkpoint 1" /* metadata 'state'; another number is another version's */
static const char *const stage_names[] = {
    [NLM_LEARNING] = "learning", [NLM_GRADUATED] = "graduated", [NLM_EXHAUSTED] = "exhausted"};
static const char *const answers[] = {"no", "yes"};
static const char *const kind_names[VALIDITY_KINDS] = {"legal", "illegal"};
enum { STAGES = sizeof stage_names / sizeof *stage_names, ITEM_SIZE = 32, MOST_EXAMS = 100000000 };

/* ---- writing ---- */

/* How the machine was trained: nothing here depends on the clock. */
static void add_course(struct run_pairs *to, const nlm_student *s)
{
    const nlm_exam *exam = &s->state.exam;
    run_add_text(to, "task", s->settings.game->name);
    run_add_text(to, "protocol", nlm_protocol_name(s->settings.protocol));
    run_add_settings(to, &s->settings);
    run_add_printed(to, "exams", "%d", exam->exam);
    run_add_printed(to, "lesson", "%d", exam->lesson);
    run_add_printed(to, "learned_episodes", "%ld", exam->episodes);
    run_add_printed(to, "drawn", "%ld", exam->drawn);
    run_add_printed(to, "restarts", "%d", exam->restarts);
    run_add_printed(to, "success", "%.17g", exam->success);
    run_add_printed(to, "moves", "%.17g", exam->moves);
    run_add_text(to, "graduated", answers[s->state.stage == NLM_GRADUATED]);
    run_add_maker(to, &s->learner.evaluator->options);
}

/* The agent that exams see; a graduate's machine is that already. */
nlm_status nlm_student_save_model(nlm_student *s, const char *path, nlm_error *error)
{
    const bool averaged = s->state.stage == NLM_GRADUATED || s->exam.going;
    struct run_pairs pairs = {0};
    add_course(&pairs, s);
    if (!averaged)
        student_exchange(s);
    nlm_status status = nlm_machine_save(s->machine, path, pairs.pairs, pairs.count, error);
    if (!averaged)
        student_exchange(s);
    return status;
}

/* "number:objects number:objects ..." */
static char *print_pool(const struct pool *pool)
{
    char *text = memory_new((size_t)pool->count * ITEM_SIZE + 1, 1);
    const struct instance *items = pool->items.data;
    for (int i = 0, length = 0; text && i < pool->count; i++)
        length += sprintf(text + length, "%s%" PRIu64 ":%d", i ? " " : "", items[i].number, items[i].objects);
    return text;
}

static void add_state(struct run_pairs *to, const nlm_student *s)
{
    const struct student_state *state = &s->state;
    run_add_text(to, "state", COURSE_STATE);
    run_add_text(to, "stage", stage_names[state->stage]);
    run_add_printed(to, "steps", "%ld", s->optimizer->steps);
    run_add_printed(to, "current_lesson", "%d", state->lesson);
    run_add_text(to, "candidate", answers[state->candidate]);
    run_add_text(to, "exam_due", answers[state->exam_due]);
    run_add_printed(to, "passed", "%d", state->passed);
    run_add_printed(to, "begun", "%ld", state->begun);
    run_add_printed(to, "current_lr", "%.17g", state->rate);
    run_add_printed(to, "current_entropy", "%.17g", state->entropy);
    run_add_printed(to, "next_instance", "%" PRIu64, state->next_instance);
    run_add_printed(to, "next_episode", "%" PRIu64, state->next_episode);
    run_add_printed(to, "next_round", "%" PRIu64, state->next_round);
    run_add_printed(to, "elapsed", "%.17g", state->exam.elapsed);
}

/* The memory of moves and the average of the weights; returns how many tensors they are. */
static int add_tensors(struct run_pairs *to, const nlm_student *s, safetensors_entry *entries)
{
    static const char *const names[VALIDITY_KINDS] = {"validity.legal", "validity.illegal"};
    static const char *const next[VALIDITY_KINDS] = {"next_legal", "next_illegal"};
    static const char *const counts[VALIDITY_KINDS] = {"legal", "illegal"};
    const struct validity *memory = &s->validity;
    int count = 0;
    if (s->settings.average > 0)
        entries[count++] = (safetensors_entry){.name = "average",
                                               .dimensions = 1,
                                               .shape = {(int64_t)nlm_machine_parameters(s->machine)},
                                               .values = s->average};
    run_add_printed(to, "memory_objects", "%d", memory->objects);
    for (int kind = 0; kind < VALIDITY_KINDS && memory->objects > 0; kind++) {
        run_add_printed(to, counts[kind], "%d", memory->count[kind]);
        run_add_printed(to, next[kind], "%d", memory->next[kind]);
        if (memory->count[kind] > 0)
            entries[count++] = (safetensors_entry){.name = names[kind],
                                                   .dimensions = 1,
                                                   .shape = {(int64_t)memory->count[kind] * memory->size},
                                                   .values = validity_pairs(memory, kind)};
    }
    return count;
}

nlm_status nlm_student_save_checkpoint(nlm_student *s, const char *path, nlm_error *error)
{
    if (s->running.updates > 0 || s->exam.going)
        return error_set(error, NLM_BAD_ARGUMENT, "%.120s: a checkpoint is written after an exam", path);
    struct run_pairs *pairs = memory_new(1, sizeof *pairs);
    char *solved = print_pool(&s->solved), *failed = print_pool(&s->failed);
    nlm_status status = pairs && solved && failed ? NLM_OK : error_no_memory(error);
    if (!status) {
        safetensors_entry entries[VALIDITY_KINDS + 1];
        add_state(pairs, s);
        add_course(pairs, s);
        run_add_text(pairs, "solved_pool", solved);
        run_add_text(pairs, "failed_pool", failed);
        const int count = add_tensors(pairs, s, entries);
        status = run_save(s->machine, s->optimizer, s->settings.lr, path, pairs, entries, count, error);
    }
    memory_free(failed);
    memory_free(solved);
    memory_free(pairs);
    return status;
}

/* ---- reading ---- */

static nlm_status check_kind(const struct run_reader *in)
{
    const char *state = nlm_machine_metadata(in->machine, "state");
    if (!state)
        return RUN_REFUSE(in, "a model, not a checkpoint");
    if (strcmp(state, COURSE_STATE) != 0)
        return RUN_REFUSE(in, "'%.40s' is not what this version writes ('%s')", state, COURSE_STATE);
    return NLM_OK;
}

/* Digits, with nothing before them; *text is then what comes after. */
static bool read_digits(const char **text, uint64_t *number)
{
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return !errno;
}

static bool skip(const char **text, char c)
{
    const bool there = **text == c;
    *text += there;
    return there;
}

static nlm_status read_pool(const struct run_reader *in, const char *key, uint64_t numbers, int least,
                            int most, struct pool *pool)
{
    const char *text;
    nlm_status status = run_get_text(in, key, &text);
    for (bool more = !status && *text; more && !status;) {
        uint64_t number, objects;
        const bool read = read_digits(&text, &number) && skip(&text, ':') && read_digits(&text, &objects);
        more = skip(&text, ' ');
        if (!read || (!more && *text) || number >= numbers || objects < (uint64_t)least ||
            objects > (uint64_t)most || pool->count > 2 * NLM_MAX_POOL)
            return RUN_REFUSE(in, "metadata '%s' is no list of instances of this run", key);
        status = pool_add(pool, (struct instance){.number = number, .objects = (int)objects}, in->error);
    }
    return status;
}

static nlm_status read_pools(const struct run_reader *in, nlm_student *s)
{
    const int least = s->settings.first_lesson, most = s->state.lesson;
    nlm_status status = read_pool(in, "solved_pool", s->state.next_instance, least, most, &s->solved);
    return status ? status : read_pool(in, "failed_pool", s->state.next_instance, least, most, &s->failed);
}

static nlm_status read_exam(const struct run_reader *in, nlm_exam *exam)
{
    nlm_status status = run_get_int(in, "exams", MOST_EXAMS, &exam->exam);
    if (!status)
        status = run_get_int(in, "lesson", 1000, &exam->lesson);
    if (!status)
        status = run_get_long(in, "learned_episodes", &exam->episodes);
    if (!status)
        status = run_get_long(in, "drawn", &exam->drawn);
    if (!status)
        status = run_get_int(in, "restarts", MOST_EXAMS, &exam->restarts);
    if (!status)
        status = run_get_real(in, "success", &exam->success);
    if (!status && exam->success > 1)
        return RUN_REFUSE(in, "metadata 'success' is above 1");
    if (!status)
        status = run_get_real(in, "moves", &exam->moves);
    return status ? status : run_get_real(in, "elapsed", &exam->elapsed);
}

static nlm_status read_counters(const struct run_reader *in, struct student_state *state)
{
    static const char *const keys[] = {"next_instance", "next_episode", "next_round"};
    uint64_t *const counters[] = {&state->next_instance, &state->next_episode, &state->next_round};
    nlm_status status = NLM_OK;
    for (int k = 0; k < 3 && !status; k++) {
        long number = 0;
        status = run_get_long(in, keys[k], &number);
        *counters[k] = (uint64_t)number;
    }
    return status;
}

/* Lessons are passed one by one; rate and entropy only fall. */
static nlm_status check_state(const struct run_reader *in, const nlm_settings *settings,
                              const struct student_state *state)
{
    const bool graduated = state->stage == NLM_GRADUATED;
    if (state->lesson < settings->first_lesson)
        return RUN_REFUSE(in, "metadata 'current_lesson' is before the first lesson");
    if ((state->candidate && state->lesson < settings->last_lesson) || (graduated && !state->candidate))
        return RUN_REFUSE(in, "metadata 'candidate' is not what follows from the stage and the lesson");
    if (state->passed != state->lesson - settings->first_lesson + state->candidate + graduated)
        return RUN_REFUSE(in, "metadata 'passed' is not what follows from the stage and the lesson");
    if (state->begun > state->episodes)
        return RUN_REFUSE(in, "metadata 'begun' is beyond the episodes");
    if (state->rate > settings->lr || state->entropy > settings->entropy)
        return RUN_REFUSE(in, "metadata 'current_lr' or 'current_entropy' is above what the run began with");
    return NLM_OK;
}

static nlm_status read_state(const struct run_reader *in, const nlm_settings *settings,
                             struct student_state *state)
{
    int stage = 0, candidate = 0, due = 0;
    nlm_status status = run_get_word(in, "stage", stage_names, STAGES, &stage);
    if (!status)
        status = run_get_word(in, "candidate", answers, 2, &candidate);
    if (!status)
        status = run_get_word(in, "exam_due", answers, 2, &due);
    if (!status)
        status = run_get_int(in, "current_lesson", settings->last_lesson, &state->lesson);
    if (!status)
        status = run_get_int(in, "passed", MOST_EXAMS, &state->passed);
    if (!status)
        status = run_get_long(in, "begun", &state->begun);
    if (!status)
        status = run_get_real(in, "current_lr", &state->rate);
    if (!status)
        status = run_get_real(in, "current_entropy", &state->entropy);
    if (!status)
        status = read_counters(in, state);
    if (!status)
        status = read_exam(in, &state->exam);
    state->stage = (nlm_stage)stage;
    state->candidate = candidate;
    state->exam_due = due;
    state->episodes = state->exam.episodes;
    return status ? status : check_state(in, settings, state);
}

/* All pairs are unpacked once, so that learning from them cannot fail later. */
static nlm_status read_memory(const struct run_reader *in, const nlm_settings *settings,
                              struct validity *memory)
{
    int objects = 0;
    nlm_status status = run_get_int(in, "memory_objects", settings->last_lesson, &objects);
    if (!status && objects > 0 && settings->validity <= 0)
        return RUN_REFUSE(in, "it remembers moves, which this course does not");
    if (status || objects == 0)
        return status;
    status = validity_reset(memory, objects, in->error);
    for (int kind = 0; kind < VALIDITY_KINDS && !status; kind++) {
        char key[ITEM_SIZE];
        snprintf(key, sizeof key, "next_%s", kind_names[kind]);
        status = run_get_int(in, kind_names[kind], VALIDITY_MOST, &memory->count[kind]);
        if (!status)
            status = run_get_int(in, key, VALIDITY_MOST - 1, &memory->next[kind]);
        snprintf(key, sizeof key, "validity.%s", kind_names[kind]);
        if (!status && memory->count[kind] > 0)
            status = run_get_tensor(in, key, (size_t)memory->count[kind] * (size_t)memory->size,
                                    validity_pairs(memory, kind));
    }
    if (status)
        return status;
    status = validity_check(memory, in->error);
    return status == NLM_BAD_FILE
               ? RUN_REFUSE(in, "the remembered moves are none of %s", settings->game->name)
               : status;
}

static nlm_status fill_student(const struct run_reader *in, nlm_student *s)
{
    nlm_status status = run_get_weights(in, s->machine, s->optimizer);
    if (!status && s->settings.average > 0)
        status = run_get_tensor(in, "average", nlm_machine_parameters(s->machine), s->average);
    if (!status)
        status = read_state(in, &s->settings, &s->state);
    if (!status)
        status = read_pools(in, s);
    if (!status)
        status = read_memory(in, &s->settings, &s->validity);
    if (status)
        return status;
    nlm_optimizer_set_rate(s->optimizer, s->state.rate);
    student_go_on(s);
    return NLM_OK;
}

static nlm_status load_student(const struct run_reader *in, const nlm_settings *course,
                               const nlm_options *options, nlm_student **student)
{
    nlm_settings settings;
    nlm_status status = check_kind(in);
    if (!status)
        status = run_get_settings(in, &settings);
    if (!status && course) {
        status = nlm_settings_compare(&settings, course, in->path, in->error);
        settings.episodes = course->episodes;
    }
    nlm_error cause;
    nlm_student *made = NULL;
    if (!status && nlm_student_new(&settings, options, &made, &cause))
        return cause.status == NLM_NO_MEMORY ? error_no_memory(in->error)
                                             : RUN_REFUSE(in, "%s", cause.message);
    if (!status)
        status = fill_student(in, made);
    if (status)
        nlm_student_free(made);
    else
        *student = made;
    return status;
}

nlm_status nlm_student_load(const char *path, const nlm_settings *course, const nlm_options *options,
                            nlm_student **student, nlm_error *error)
{
    *student = NULL;
    nlm_status status = course ? settings_check_game(course, error) : NLM_OK;
    safetensors *file = NULL;
    nlm_machine *machine = NULL;
    if (!status)
        status = safetensors_read(path, &file, error);
    if (!status)
        status = machine_from_safetensors(file, path, &machine, error);
    if (!status) {
        const struct run_reader in = {.path = path, .file = file, .machine = machine, .error = error};
        status = load_student(&in, course, options, student);
    }
    nlm_machine_free(machine);
    safetensors_free(file);
    return status;
}

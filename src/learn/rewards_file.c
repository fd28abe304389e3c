/* Files of runs that learn from rewards: their metadata, the pools as texts, and the memory of legal and
 * illegal moves as two tensors.
 *
 * A checkpoint is written right after an exam has ended.  No exam is going on then, so only the pools of the
 * run are in the file; and they have just been shuffled, so the place of the next instance is 0.
 *
 *     solved_pool = 5120:7 4987:6 5033:7 ...       number:objects, in the order in which they will be played
 *     current_lesson = 7, candidate = no, exam_due = yes, passed = 5, begun = 0, next_instance = 5184, ... */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "learn/from_rewards.h"
#include "machine/model_file.h"

/* Bytes of an instance in a text; ranges of what is read. */
enum { ITEM_SIZE = 32, MOST_EXAMS = 100000000, MOST_OBJECTS = 1000 };

#define PLACE(field) offsetof(struct rewards_state, field)

/* Of models and checkpoints: nothing here depends on the clock. */
static const struct state_row exam_rows[] = {
    {"exams", STATE_INT, PLACE(exam.exam), MOST_EXAMS},
    {"lesson", STATE_INT, PLACE(exam.lesson), MOST_OBJECTS},
    {"learned_episodes", STATE_LONG, PLACE(exam.episodes), STATE_MOST},
    {"drawn", STATE_LONG, PLACE(exam.drawn), STATE_MOST},
    {"restarts", STATE_INT, PLACE(exam.restarts), MOST_EXAMS},
    {"success", STATE_REAL, PLACE(exam.success), 1},
    {"moves", STATE_REAL, PLACE(exam.moves), INFINITY},
    {0},
};

/* Of checkpoints. */
static const struct state_row state_rows[] = {
    {"current_lesson", STATE_INT, PLACE(lesson), MOST_OBJECTS},
    {"candidate", STATE_FLAG, PLACE(candidate), 1},
    {"exam_due", STATE_FLAG, PLACE(exam_due), 1},
    {"passed", STATE_INT, PLACE(passed), MOST_EXAMS},
    {"begun", STATE_LONG, PLACE(begun), STATE_MOST},
    {"current_lr", STATE_REAL, PLACE(rate), INFINITY},
    {"current_entropy", STATE_REAL, PLACE(entropy), INFINITY},
    {"next_instance", STATE_NUMBER, PLACE(next_instance), STATE_MOST},
    {"next_episode", STATE_NUMBER, PLACE(next_episode), STATE_MOST},
    {"next_round", STATE_NUMBER, PLACE(next_round), STATE_MOST},
    {"elapsed", STATE_REAL, PLACE(exam.elapsed), INFINITY},
    {0},
};

/* Of checkpoints of runs that polish. */
static const struct state_row polish_rows[] = {
    {"polishing", STATE_FLAG, PLACE(polishing), 1},
    {"polish_begun", STATE_LONG, PLACE(polish_begun), STATE_MOST},
    {"polish_moves", STATE_REAL, PLACE(polish_moves), INFINITY},
    {0},
};

/* Of the memory of moves, if it has any: the number of objects, then legal and illegal moves. */
static const struct state_row memory_row[] = {
    {"memory_objects", STATE_INT, offsetof(struct validity, objects), MOST_OBJECTS}, {0}};
static const struct state_row memory_rows[] = {
    {"legal", STATE_INT, offsetof(struct validity, count[0]), VALIDITY_MOST},
    {"next_legal", STATE_INT, offsetof(struct validity, next[0]), VALIDITY_MOST - 1},
    {"illegal", STATE_INT, offsetof(struct validity, count[1]), VALIDITY_MOST},
    {"next_illegal", STATE_INT, offsetof(struct validity, next[1]), VALIDITY_MOST - 1},
    {0},
};
static const char *const memory_tensors[VALIDITY_KINDS] = {"validity.legal", "validity.illegal"};

/* ---- writing ---- */

/* Of the game and of the last exam; settings were added by run.c. */
nlm_status rewards_describe(const nlm_run *run, struct run_pairs *to, nlm_error *error)
{
    (void)error;
    const struct rewards_run *s = (const struct rewards_run *)run;
    run_add_text(to, "task", run->settings.game->name);
    run_add_state(to, exam_rows, &s->state);
    run_add_maker(to, &s->learner.evaluator->options);
    return NLM_OK;
}

/* "number:objects number:objects ..."; to be freed, NULL without memory.  ITEM_SIZE has room for 20 digits, a
 * colon, the objects and a blank. */
static char *print_pool(const struct pool *pool)
{
    char *text = memory_new((size_t)pool->count * ITEM_SIZE + 1, 1);
    const struct instance *items = pool->items.data;
    for (int i = 0, length = 0; text && i < pool->count; i++)
        length += sprintf(text + length, "%s%" PRIu64 ":%d", i ? " " : "", items[i].number, items[i].objects);
    return text;
}

/* The memory of moves and the average of the weights; returns how many tensors they are.  Only as many pairs
 * as there are are written, not the room for them. */
static int add_tensors(struct run_pairs *to, const struct rewards_run *s, safetensors_entry *entries)
{
    const struct validity *memory = &s->validity;
    int count = 0;
    if (s->run.settings.average > 0)
        entries[count++] = run_tensor("average", nlm_machine_parameters(s->run.machine), s->average);
    if (s->run.settings.polish > 0)
        run_add_state(to, polish_rows, &s->state);
    if (s->state.polishing)
        entries[count++] = run_tensor("graduate", nlm_machine_parameters(s->run.machine), s->graduate);
    run_add_state(to, memory_row, memory);
    if (memory->objects > 0)
        run_add_state(to, memory_rows, memory);
    for (int kind = 0; kind < VALIDITY_KINDS && memory->objects > 0; kind++)
        if (memory->count[kind] > 0)
            entries[count++] =
                run_tensor(memory_tensors[kind], (size_t)memory->count[kind] * (size_t)memory->size,
                           validity_pairs(memory, kind));
    return count;
}

/* The texts of the pools are too long for run_pairs, so they are printed here and live until the file is
 * written. */
nlm_status rewards_save(nlm_run *run, const char *path, struct run_pairs *to, nlm_error *error)
{
    const struct rewards_run *s = (const struct rewards_run *)run;
    char *solved = print_pool(&s->solved), *failed = print_pool(&s->failed);
    nlm_status status = solved && failed ? NLM_OK : error_no_memory(error);
    if (!status) {
        safetensors_entry entries[VALIDITY_KINDS + 2];
        run_add_state(to, state_rows, &s->state);
        run_add_text(to, "solved_pool", solved);
        run_add_text(to, "failed_pool", failed);
        const int count = add_tensors(to, s, entries);
        status = run_save(run->machine, run->optimizer, run->settings.lr, path, to, entries, count, error);
    }
    memory_free(failed);
    memory_free(solved);
    return status;
}

/* ---- reading ---- */

/* A pool as print_pool writes it.  Each instance must be one that the run has drawn, of a size between its
 * first and its present lesson; else playing it could fail, or need more memory than the run. */
static nlm_status read_pool(const struct run_reader *in, const char *key, const struct rewards_run *s,
                            struct pool *pool)
{
    const uint64_t least = (uint64_t)s->run.settings.first_lesson, most = (uint64_t)s->state.lesson;
    const char *text;
    nlm_status status = run_get_text(in, key, &text);
    /* after an instance comes the end of the text, or a blank and another instance */
    for (bool more = !status && *text; more && !status;) {
        uint64_t number, objects;
        const bool read = run_get_digits(&text, &number) && *text++ == ':' && run_get_digits(&text, &objects);
        more = read && *text == ' ';
        text += more;
        if (!read || (!more && *text) || number >= s->state.next_instance || objects < least ||
            objects > most || pool->count > 2 * NLM_MAX_POOL)
            return RUN_REFUSE(in, "metadata '%s' is no list of instances of this run", key);
        status = pool_add(pool, (struct instance){.number = number, .objects = (int)objects}, in->error);
    }
    return status;
}

/* What holds in every run, so that a file cannot claim a run that no run could be: lessons are passed one by
 * one; rate and entropy only fall. */
static nlm_status check_state(const struct run_reader *in, const struct rewards_run *s)
{
    const nlm_settings *settings = &s->run.settings;
    const struct rewards_state *state = &s->state;
    const bool graduated = s->run.stage == NLM_GRADUATED;
    if (state->lesson < settings->first_lesson || state->lesson > settings->last_lesson)
        return RUN_REFUSE(in, "metadata 'current_lesson' is none of the lessons");
    if ((state->candidate && state->lesson < settings->last_lesson) || (graduated && !state->candidate))
        return RUN_REFUSE(in, "metadata 'candidate' does not fit the stage and the lesson");
    if (state->polishing && (!state->candidate || state->polish_begun > state->episodes))
        return RUN_REFUSE(in, "metadata 'polishing' or 'polish_begun' does not fit the lessons");
    /* one exam for each lesson behind it, one more for the last lesson, one more for graduation */
    if (state->passed !=
        state->lesson - settings->first_lesson + state->candidate + (graduated || state->polishing))
        return RUN_REFUSE(in, "metadata 'passed' does not fit the stage and the lesson");
    if (state->begun > state->episodes)
        return RUN_REFUSE(in, "metadata 'begun' is beyond the episodes");
    if (state->rate > fmax(settings->lr, state->polishing ? settings->polish_lr : 0) ||
        state->entropy > settings->entropy)
        return RUN_REFUSE(in, "metadata 'current_lr' or 'current_entropy' is above its initial value");
    return NLM_OK;
}

/* The memory of moves, if the file has one.  It is refused where the settings have no such loss, or where it
 * is larger than the last lesson.  All pairs are unpacked once, so that learning from them cannot fail later.
 */
static nlm_status read_memory(const struct run_reader *in, const nlm_settings *settings,
                              struct validity *memory)
{
    struct validity found = {0};
    nlm_status status = run_get_state(in, memory_row, &found);
    if (!status && found.objects > 0 && settings->validity <= 0)
        return RUN_REFUSE(in, "it remembers moves, which this course does not");
    if (!status && found.objects > settings->last_lesson)
        return RUN_REFUSE(in, "metadata 'memory_objects' is above the last lesson");
    if (status || found.objects == 0)
        return status;
    /* first the room, then counts and places, then the pairs themselves, which need both */
    status = validity_reset(memory, found.objects, in->error);
    if (!status)
        status = run_get_state(in, memory_rows, memory);
    for (int kind = 0; kind < VALIDITY_KINDS && !status; kind++)
        if (memory->count[kind] > 0)
            status =
                run_get_tensor(in, memory_tensors[kind], (size_t)memory->count[kind] * (size_t)memory->size,
                               validity_pairs(memory, kind));
    if (status)
        return status;
    status = validity_check(memory, in->error);
    return status == NLM_BAD_FILE
               ? RUN_REFUSE(in, "the remembered moves are none of %s", settings->game->name)
               : status;
}

/* The order matters: pools are checked against the lesson and the number of instances drawn, the memory
 * against the settings.  `episodes` is not written: between two rounds it is that of the last exam. */
nlm_status rewards_read(nlm_run *run, const struct run_reader *in)
{
    struct rewards_run *s = (struct rewards_run *)run;
    nlm_status status = NLM_OK;
    if (run->settings.average > 0)
        status = run_get_tensor(in, "average", nlm_machine_parameters(run->machine), s->average);
    if (!status)
        status = run_get_state(in, exam_rows, &s->state);
    if (!status)
        status = run_get_state(in, state_rows, &s->state);
    /* older versions did not polish, and their runs may go on to do so */
    const bool polishes = nlm_machine_metadata(in->machine, polish_rows[0].key) != NULL;
    if (!status && run->settings.polish > 0 && polishes)
        status = run_get_state(in, polish_rows, &s->state);
    if (!status && s->state.polishing)
        status = run_get_tensor(in, "graduate", nlm_machine_parameters(run->machine), s->graduate);
    /* before check_state, which compares `begun` with it */
    s->state.episodes = s->state.exam.episodes;
    if (!status)
        status = check_state(in, s);
    if (!status)
        status = read_pool(in, "solved_pool", s, &s->solved);
    if (!status)
        status = read_pool(in, "failed_pool", s, &s->failed);
    if (!status)
        status = read_memory(in, &run->settings, &s->validity);
    if (status)
        return status;
    nlm_optimizer_set_rate(run->optimizer, s->state.rate);
    rewards_go_on(s);
    return NLM_OK;
}

/* Models have the figures of the last exam only; its lesson was the last that the run reached. */
void rewards_recall(nlm_run *run, const nlm_machine *model)
{
    struct rewards_run *s = (struct rewards_run *)run;
    run_recall_state(model, exam_rows, &s->state);
    s->state.episodes = s->state.exam.episodes;
    s->state.lesson = s->state.exam.lesson;
}

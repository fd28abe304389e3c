/* Games as subjects of `nlm train`: learned from rewards, exam by exam. */
#include <math.h>
#include "learner.h"
#include "nlm/tools.h"

/* ---- subjects ---- */

static nlm_status recorded(const nlm_machine *machine, const char *path, subject *found, nlm_error *error)
{
    return nlm_settings_of_machine(machine, path, &found->course, error);
}

static nlm_status compare(const subject *found, const subject *wanted, const char *path, nlm_error *error)
{
    return nlm_settings_compare(&found->course, &wanted->course, path, error);
}

/* ---- runs ---- */

static nlm_status begin(const subject *of, const nlm_options *options, learner *made, nlm_error *error)
{
    made->kind = &learner_of_games;
    return nlm_student_new(&of->course, options, &made->student, error);
}

static nlm_status load(const char *path, const subject *of, const nlm_options *options, learner *made,
                       nlm_error *error)
{
    made->kind = &learner_of_games;
    return nlm_student_load(path, of != NULL ? &of->course : NULL, options, &made->student, error);
}

static void end(learner *run)
{
    nlm_student_free(run->student);
}

static nlm_status step(learner *run, bool *round_ended, nlm_error *error)
{
    return nlm_student_step(run->student, round_ended, error);
}

static nlm_stage stage(const learner *run)
{
    return nlm_student_stage(run->student);
}

static void settings(const learner *run, subject *settings)
{
    settings->kind = &learner_of_games;
    settings->course = *nlm_student_settings(run->student);
}

static nlm_status save_model(learner *run, const char *path, nlm_error *error)
{
    return nlm_student_save_model(run->student, path, error);
}

static nlm_status save_checkpoint(learner *run, const char *path, nlm_error *error)
{
    return nlm_student_save_checkpoint(run->student, path, error);
}

/* ---- reports ---- */

static void record(const learner *run, report *to)
{
    to->stage = nlm_student_stage(run->student);
    to->exam = *nlm_student_exam(run->student);
    to->rounds = to->exam.exam;
}

static void recall(const nlm_machine *machine, report *to)
{
    to->rounds = (int)learner_metadata(machine, "exams");
    to->exam = (nlm_exam){.exam = to->rounds,
                          .lesson = (int)learner_metadata(machine, "lesson"),
                          .episodes = (long)learner_metadata(machine, "learned_episodes"),
                          .restarts = (int)learner_metadata(machine, "restarts"),
                          .success = learner_metadata(machine, "success"),
                          .moves = learner_metadata(machine, "moves")};
}

static nlm_status log_exam(const report *of, const subject *settings, FILE *log, const char *path,
                           nlm_error *error)
{
    (void)settings;
    return nlm_log_write_exam(log, path, &of->exam, error);
}

/* ---- texts ---- */

static double fraction(const learner *run)
{
    return (double)nlm_student_episodes(run->student) / nlm_student_settings(run->student)->episodes;
}

/* "exam of lesson 7: 1,200 of 3,000" */
static void exam_facts(const nlm_student *student, char text[LEARNER_FACTS_SIZE])
{
    const nlm_settings *course = nlm_student_settings(student);
    char asked[NLM_NUMBER_TEXT], all[NLM_NUMBER_TEXT], lesson[NLM_NUMBER_TEXT];
    const bool final = nlm_student_candidate(student);
    snprintf(lesson, sizeof lesson, "exam of lesson %d", nlm_student_lesson(student));
    snprintf(text, LEARNER_FACTS_SIZE, "%s: %s of %s", final ? "final exam" : lesson,
             nlm_count_text((size_t)nlm_student_asked(student), asked),
             nlm_count_text((size_t)(final ? course->final_exam : course->exam), all));
}

/* "lesson 7/12  12,000/50,000 episodes  exam 13: 97.20 % of 98.00 %  success 91.00 %  moves 8.1" */
static void facts(const learner *run, char text[LEARNER_FACTS_SIZE])
{
    const nlm_student *student = run->student;
    const nlm_settings *course = nlm_student_settings(student);
    const nlm_exam *exam = nlm_student_exam(student);
    char done[NLM_NUMBER_TEXT], all[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT], enough[NLM_NUMBER_TEXT];
    if (nlm_student_asked(student) > 0) {
        exam_facts(student, text);
        return;
    }
    int used = snprintf(text, LEARNER_FACTS_SIZE, "lesson %d/%d  %s/%s episodes", nlm_student_lesson(student),
                        course->last_lesson, nlm_count_text((size_t)nlm_student_episodes(student), done),
                        nlm_count_text((size_t)course->episodes, all));
    if (exam->asked > 0) /* not at the beginning, nor when just taken up again */
        used += snprintf(text + used, LEARNER_FACTS_SIZE - (size_t)used, "  exam %d: %s of %s", exam->exam,
                         nlm_percent_text(exam->success, share), nlm_percent_text(exam->threshold, enough));
    if (exam->train_success > 0) /* not when it follows another exam at once */
        used += snprintf(text + used, LEARNER_FACTS_SIZE - (size_t)used, "  success %s",
                         nlm_percent_text(exam->train_success, share));
    if (exam->asked > 0)
        used += snprintf(text + used, LEARNER_FACTS_SIZE - (size_t)used, "  moves %.1f", exam->moves);
    if (exam->restarts > 0)
        snprintf(text + used, LEARNER_FACTS_SIZE - (size_t)used, "  %d restart%s", exam->restarts,
                 exam->restarts == 1 ? "" : "s");
}

/* "31,000 episodes, 34 exams" */
static void print_course(const nlm_exam *exam)
{
    char episodes[NLM_NUMBER_TEXT];
    printf("%s episodes, %d exam%s", nlm_count_text((size_t)exam->episodes, episodes), exam->exam,
           exam->exam == 1 ? "" : "s");
}

/* Who has graduated has solved all of the final exam. */
static void say_graduated(const subject *of, const char *model, const report *result)
{
    const nlm_exam *exam = &result->exam;
    char all[NLM_NUMBER_TEXT];
    printf("%s: graduated after ", of->course.game->name);
    print_course(exam);
    learner_print_time(result, exam->elapsed);
    learner_print_restarts(exam->restarts);
    nlm_count_text((size_t)of->course.final_exam, all);
    printf("; lesson %d, the final exam %s of %s\n", exam->lesson, all, all);
    printf("%s%s; try it: nlm test %s, nlm play %s\n", model, result->was_done ? " was there already" : "",
           model, model);
}

static void say_what_to_try(const nlm_settings *course, const nlm_exam *exam)
{
    if (exam->episodes >= course->episodes)
        printf("  - more episodes, going on from here: the same command with --resume --episodes %d\n",
               2 * course->episodes);
    else
        printf("  - more patience, from the beginning: --patience %d, or --patience 0 for no end of it\n",
               2 * course->patience);
    if (course->protocol == NLM_PROTOCOL_PAPER)
        puts("  - our own protocol: --protocol best");
    learner_print_other_seeds(course->seed);
}

static void say_exhausted(const subject *of, const report *result)
{
    const nlm_settings *course = &of->course;
    const nlm_exam *exam = &result->exam;
    char asked[NLM_NUMBER_TEXT], solved[NLM_NUMBER_TEXT], share[NLM_NUMBER_TEXT], enough[NLM_NUMBER_TEXT];
    printf("%s: not graduated after ", course->game->name);
    print_course(exam);
    printf(" and %.1f s; lesson %d of %d to %d", exam->elapsed, exam->lesson, course->first_lesson,
           course->last_lesson);
    puts(exam->episodes < course->episodes ? ", and its patience is over" : "");
    if (exam->asked > 0)
        printf("the %s exam solved %s of %s instances, %s; enough is %s\n",
               exam->candidate ? "final" : "last", nlm_count_text((size_t)exam->solved, solved),
               nlm_count_text((size_t)exam->asked, asked), nlm_percent_text(exam->success, share),
               nlm_percent_text(exam->threshold, enough));
    puts("what to try:");
    say_what_to_try(course, exam);
}

/* ---- tests ---- */

static void sizes(const subject *of, int sizes[LEARNER_SIZES])
{
    for (int size = 0; size < LEARNER_SIZES; size++)
        sizes[size] = of->course.game->test_objects[size];
}

static nlm_status test(nlm_machine *machine, const subject *of, int objects, int count,
                       const nlm_options *options, int (*stop)(void), nlm_score *result, nlm_error *error)
{
    nlm_test *going;
    const nlm_status status =
        nlm_test_of_game(machine, of->course.game, objects, of->course.seed, options, &going, error);
    return learner_test(status, going, count, stop, result, error);
}

static void print_head(const int sizes[LEARNER_SIZES])
{
    char heads[LEARNER_SIZES][NLM_NUMBER_TEXT];
    for (int size = 0; size < LEARNER_SIZES; size++)
        snprintf(heads[size], NLM_NUMBER_TEXT, "solved at %d", sizes[size]);
    printf("%6s  %-9s  %9s  %5s  %8s  %7s  %12s  %6s  %12s  %6s\n", "seed", "graduated", "episodes", "exams",
           "restarts", "seconds", heads[0], "moves", heads[1], "moves");
}

static void print_row(uint64_t seed, const report *result, const nlm_score scores[LEARNER_SIZES])
{
    const nlm_exam *exam = &result->exam;
    char episodes[NLM_NUMBER_TEXT], seconds[NLM_NUMBER_TEXT] = "-";
    if (!result->was_done)
        snprintf(seconds, sizeof seconds, "%.1f", exam->elapsed);
    printf("%6llu  %-9s  %9s  %5d  %8d  %7s", (unsigned long long)seed,
           result->stage == NLM_GRADUATED ? "yes" : "no", nlm_count_text((size_t)exam->episodes, episodes),
           exam->exam, exam->restarts, seconds);
    for (int size = 0; size < LEARNER_SIZES; size++) {
        char solved[NLM_NUMBER_TEXT], moves[NLM_NUMBER_TEXT] = "-";
        if (scores[size].right > 0)
            snprintf(moves, sizeof moves, "%.2f", scores[size].moves);
        printf("  %12s  %6s", nlm_percent_text(scores[size].right, solved), moves);
    }
    putchar('\n');
}

static void print_sum(const subject *of, int seeds, int graduated, int flawless, int asked)
{
    char instances[NLM_NUMBER_TEXT];
    printf("%s: %d of %d graduated, %d of them solve all of %s instances of each size", subject_name(of),
           graduated, seeds, flawless, nlm_count_text((size_t)asked, instances));
    const int moves = nlm_agent_moves(&of->course.spec, of->course.game);
    if (moves > 0)
        printf("; up to %d moves for each object", moves);
    putchar('\n');
}

const learner_kind learner_of_games = {
    .round = "exam",
    .recorded = recorded,
    .compare = compare,
    .begin = begin,
    .load = load,
    .end = end,
    .step = step,
    .stage = stage,
    .settings = settings,
    .save_model = save_model,
    .save_checkpoint = save_checkpoint,
    .record = record,
    .recall = recall,
    .log = log_exam,
    .fraction = fraction,
    .facts = facts,
    .say_graduated = say_graduated,
    .say_exhausted = say_exhausted,
    .sizes = sizes,
    .test = test,
    .print_head = print_head,
    .print_row = print_row,
    .print_sum = print_sum,
};

/* Updates of a run, by hand: which instances, which returns, which weights; and what is counted. */
#include "learn/courses.h"

/* ---- counting ---- */

static void a_run_begins_with_nothing(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_settings course = small_course(g);
        nlm_run *s = begin_course(&course, 1);
        course.batch = 9; /* settings are copied */
        assert_int_equal(nlm_run_settings(s)->batch, 1);
        assert_int_equal(nlm_run_stage(s), NLM_LEARNING);
        assert_int_equal(exam_of(s)->exam, 0);
        assert_int_equal(lesson_of(s), course.first_lesson);
        assert_false(candidate_of(s));
        assert_int_equal(episodes_of(s), 0);
        assert_int_equal(asked_of(s), 0);
        assert_int_equal(nlm_machine_heads(nlm_run_machine(s)), g == BLOCKS ? 2 : 1);
        nlm_run_free(s);
    }
    nlm_run_free(NULL);
}

/* Calls until the exam begins, and until it ends; returns the episodes of these updates. */
static int run_interval(nlm_run *s)
{
    const nlm_settings *course = nlm_run_settings(s);
    const long before = episodes_of(s);
    const int exam = exam_of(s)->exam;
    int updates = 0, asked = 0;
    while (updates * course->batch < course->interval &&
           before + updates * course->batch < course->episodes) {
        assert_false(step(s));
        updates++;
        assert_int_equal(asked_of(s), 0);
        assert_int_equal(episodes_of(s), before + updates * course->batch);
    }
    for (bool ended = false; !ended;) {
        ended = step(s);
        assert_int_equal(episodes_of(s), before + updates * course->batch);
        assert_int_equal(exam_of(s)->exam, exam + ended);
        assert_true(ended || asked_of(s) >= asked);
        asked = asked_of(s);
        assert_true(ended || asked > 0);
    }
    assert_int_equal(asked_of(s), 0);
    return updates * course->batch;
}

static void episodes_and_exams_are_counted(void **state)
{
    (void)state;
    static const int batches[] = {1, 4, 7, 20, 32};
    for (size_t i = 0; i < COUNT(batches); i++) {
        nlm_settings course = small_course(SORT);
        course.batch = batches[i];
        nlm_run *s = begin_clueless(&course);
        long episodes = 0;
        for (int e = 1; nlm_run_stage(s) == NLM_LEARNING; e++) {
            episodes += run_interval(s);
            const nlm_exam *exam = exam_of(s);
            assert_int_equal(exam->exam, e);
            assert_int_equal(exam->episodes, episodes);
            assert_int_equal(exam->restarts, 0);
            assert_true(exam->seconds > 0 && exam->elapsed >= exam->seconds);
        }
        assert_int_equal(nlm_run_stage(s), NLM_EXHAUSTED);
        assert_true(episodes >= course.episodes && episodes < course.episodes + course.batch);
        nlm_run_free(s);
    }
}

/* Before the first exam each group of episodes with the same instance draws one; then only exams do. */
static void instances_are_counted(void **state)
{
    (void)state;
    for (int rollouts = 0; rollouts <= 4; rollouts += 2) {
        nlm_settings course = small_course(SORT);
        course.batch = 4;
        course.rollouts = rollouts;
        nlm_run *s = begin_clueless(&course);
        long drawn = rollouts ? course.interval / rollouts : course.interval;
        while (nlm_run_stage(s) == NLM_LEARNING) {
            const nlm_exam *exam = run_exam(s);
            drawn += exam->asked;
            assert_int_equal(exam->drawn, drawn);
        }
        nlm_run_free(s);
    }
}

static void a_step_after_the_end_is_refused(void **state)
{
    (void)state;
    nlm_settings course = sorting_course();
    course.episodes = course.interval;
    for (int knows = 0; knows < 2; knows++) {
        nlm_run *s = knows ? begin_knowing(&course) : begin_clueless(&course);
        nlm_error error = {NLM_OK, ""};
        bool ended = true;
        run_course(s);
        const nlm_exam before = *exam_of(s);
        assert_int_equal(nlm_run_stage(s), knows ? NLM_GRADUATED : NLM_EXHAUSTED);
        assert_int_equal(nlm_run_step(s, &ended, &error), NLM_BAD_ARGUMENT);
        assert_said(&error, NLM_BAD_ARGUMENT, "ended");
        assert_int_equal(nlm_run_step(s, NULL, NULL), NLM_BAD_ARGUMENT);
        assert_memory_equal(&before, exam_of(s), sizeof before);
        nlm_run_free(s);
    }
}

/* ---- instances ---- */

/* The instance of an episode is the one with this number. */
static bool is_instance(const nlm_run *s, int slot, struct instance instance)
{
    nlm_position *drawn = new_position(s->settings.game->name);
    draw(drawn, s->settings.seed, instance.number, instance.objects, false);
    char *text = strdup(written(drawn));
    assert_non_null(text);
    const bool same = !strcmp(written(rewards_of(s)->episode[slot].start), text);
    free(text);
    nlm_position_free(drawn);
    return same;
}

/* Its place in a pool, or -1. */
static int find_in_pool(const nlm_run *s, int slot, const struct pool *pool)
{
    const struct instance *items = pool->items.data;
    for (int i = 0; i < pool->count; i++)
        if (is_instance(s, slot, items[i]))
            return i;
    return -1;
}

static void the_first_instances_are_new(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        nlm_settings course = small_course(g);
        course.batch = 2;
        nlm_run *s = begin_course(&course, 1);
        for (uint64_t number = 0; number < 10; number += 2) {
            step(s);
            for (int e = 0; e < 2; e++)
                assert_true(is_instance(s, e, (struct instance){number + (uint64_t)e, course.first_lesson}));
        }
        nlm_run_free(s);
    }
}

/* Larger arrays, so that no two instances are the same by chance. */
static nlm_settings pool_course(double solved_share)
{
    nlm_settings course = small_course(PATH);
    course.first_lesson = 8;
    course.last_lesson = 10;
    course.episodes = 10000;
    course.interval = 1;
    course.exam = 800;
    course.pool = 12;
    course.lr = 0;
    course.solved_share = solved_share;
    return course;
}

/* In a turn each instance comes once. */
static void pools_are_gone_through_in_turn(void **state)
{
    (void)state;
    for (int solved = 0; solved < 2; solved++) {
        nlm_settings course = pool_course(solved);
        course.interval = 1000;
        nlm_run *s = begin_clueless(&course);
        rewards_of(s)->running.episodes = course.interval; /* an exam at once */
        run_exam(s);
        const struct pool *pool = solved ? &rewards_of(s)->solved : &rewards_of(s)->failed;
        assert_int_equal(pool->count, course.pool);
        for (int turn = 0; turn < 4; turn++) {
            bool seen[12] = {false};
            for (int e = 0; e < pool->count; e++) {
                step(s);
                const int place = find_in_pool(s, 0, pool);
                assert_true(place >= 0 && !seen[place]);
                seen[place] = true;
            }
        }
        nlm_run_free(s);
    }
}

static void a_share_of_instances_was_solved(void **state)
{
    (void)state;
    enum { EPISODES = 400 };
    nlm_settings course = pool_course(0.3);
    course.interval = 1000;
    nlm_run *s = begin_clueless(&course);
    rewards_of(s)->running.episodes = course.interval;
    run_exam(s);
    int counts[2] = {0};
    for (int e = 0; e < EPISODES; e++) {
        step(s);
        const bool solved = find_in_pool(s, 0, &rewards_of(s)->solved) >= 0;
        assert_true(solved != (find_in_pool(s, 0, &rewards_of(s)->failed) >= 0));
        counts[solved]++;
    }
    assert_frequencies("solved", counts, (const double[]){0.7, 0.3}, 2);
    nlm_run_free(s);
}

/* Where there is but one kind, all come from there. */
static void an_empty_pool_is_passed_over(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        nlm_settings course = pool_course(empty ? 1 : 0);
        course.interval = 1000;
        nlm_run *s = begin_clueless(&course);
        rewards_of(s)->running.episodes = course.interval;
        run_exam(s);
        struct pool *gone = empty ? &rewards_of(s)->solved : &rewards_of(s)->failed,
                    *left = empty ? &rewards_of(s)->failed : &rewards_of(s)->solved;
        gone->count = 0;
        for (int e = 0; e < 2 * course.pool; e++) {
            step(s);
            assert_true(find_in_pool(s, 0, left) >= 0);
        }
        nlm_run_free(s);
    }
}

static void rollouts_share_their_instance(void **state)
{
    (void)state;
    enum { BATCH = 12 };
    for (int g = 0; g < GAMES; g++)
        for (int rollouts = 1; rollouts <= BATCH; rollouts += rollouts == 3 ? 9 : 1)
            for (int greedy = 0; greedy <= rollouts; greedy++) {
                nlm_settings course = small_course(g);
                course.batch = BATCH;
                course.rollouts = rollouts;
                course.greedy_rollouts = greedy;
                nlm_run *s = begin_course(&course, 1);
                step(s);
                for (int e = 0; e < BATCH; e++) {
                    const struct instance instance = {(uint64_t)(e / rollouts), course.first_lesson};
                    assert_true(is_instance(s, e, instance));
                    assert_int_equal(rewards_of(s)->episode[e].greedy, e % rollouts < greedy);
                }
                assert_int_equal(rewards_of(s)->state.next_instance, BATCH / rollouts);
                nlm_run_free(s);
            }
}

/* ---- returns ---- */

/* The sum of rewards from step t on, each step discounted once more. */
static double return_of(const struct episode *episode, double discount, int t)
{
    double sum = 0, factor = 1;
    for (int k = t; k < episode_moves(episode); k++, factor *= discount) {
        const bool last = k == episode_moves(episode) - 1;
        sum += factor * (last && episode_solved(episode) ? 1.0 : -0.01);
    }
    return sum;
}

/* The mean return of all steps of the episodes that share an instance. */
static double baseline_of(const struct episode *episodes, int count, double discount)
{
    double sum = 0;
    int steps = 0;
    for (int e = 0; e < count; e++)
        for (int t = 0; t < episode_moves(&episodes[e]); t++, steps++)
            sum += return_of(&episodes[e], discount, t);
    return sum / steps;
}

/* What an advantage must be, for every step of the batch. */
static void for_advantages(nlm_run *s, void found(double *advantage, double expected))
{
    const nlm_settings *course = nlm_run_settings(s);
    for (int e = 0; e < course->batch; e++) {
        struct episode *episode = &rewards_of(s)->episode[e];
        const int rollouts = course->rollouts, first = rollouts ? e / rollouts * rollouts : e;
        const double baseline =
            rollouts ? baseline_of(rewards_of(s)->episode + first, rollouts, course->discount) : 0;
        for (int t = 0; t < episode_moves(episode); t++)
            found(&episode->advantages[t], return_of(episode, course->discount, t) - baseline);
    }
}

static void must_be(double *advantage, double expected)
{
    assert_near(*advantage, expected, 1e-12);
}

static void returns_are_discounted_rewards(void **state)
{
    (void)state;
    static const double discounts[] = {0.99, 1, 0.5, 0};
    int solved = 0, failed = 0;
    for (int g = 0; g < GAMES; g++)
        for (size_t d = 0; d < COUNT(discounts); d++)
            for (int rollouts = 0; rollouts <= 12; rollouts += 4) {
                nlm_settings course = small_course(g);
                course.batch = 12;
                course.rollouts = rollouts == 8 ? 6 : rollouts;
                course.discount = discounts[d];
                nlm_run *s = begin_course(&course, 1);
                for (int update = 0; update < 2; update++) {
                    step(s);
                    for_advantages(s, must_be);
                    for (int e = 0; e < course.batch; e++)
                        *(episode_solved(&rewards_of(s)->episode[e]) ? &solved : &failed) += 1;
                }
                nlm_run_free(s);
            }
    assert_true(solved > 50 && failed > 50);
}

/* ---- weights ---- */

/* An actor of its own, with the weights that the student has, and an Adam that has done nothing. */
typedef struct hand {
    nlm_machine *machine;
    struct actor actor;
    nlm_optimizer *adam;
    struct validity memory;
} hand;

static hand make_hand(const nlm_run *s)
{
    hand made;
    const nlm_settings *course = &s->settings;
    const nlm_options options = {.threads = 1};
    const nlm_adam adam = {.rate = course->lr, .beta1 = 0.9, .beta2 = course->beta2, .epsilon = 1e-8};
    const nlm_game *game = course->game;
    const nlm_head_spec heads[] = {{"head", game->arity, 1, game->twins},
                                   {"valid", game->arity, 1, game->twins}};
    made.machine = make_machine(&course->spec, heads, course->validity > 0 ? 2 : 1);
    memcpy(made.machine->values, s->machine->values, made.machine->parameters * sizeof(float));
    CHECK(actor_init(&made.actor, made.machine, game, &options, &check_error));
    CHECK(nlm_adam_new(made.machine, adam, &made.adam, &check_error));
    CHECK(validity_init(&made.memory, game, &check_error));
    return made;
}

static void free_hand(hand *made)
{
    validity_release(&made->memory);
    nlm_optimizer_free(made->adam);
    actor_release(&made->actor);
    nlm_machine_free(made->machine);
}

static void take_expected(double *advantage, double expected)
{
    *advantage = expected;
}

/* The student's random numbers after it has chosen its instances, for its next round. */
static random_stream stream_of_round(const nlm_run *s)
{
    struct rewards_run *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    *copy = *rewards_of(s);
    random_stream random = rewards_round(copy);
    struct instance instance;
    for (int e = 0; e < s->settings.batch; e++)
        CHECK(rewards_fresh(copy, &random, &instance, &check_error));
    free(copy);
    return random;
}

static void learn_by_hand(hand *h, nlm_run *s, random_stream *random)
{
    const nlm_settings *course = &s->settings;
    nlm_policy_result result;
    if (course->validity > 0)
        for (int e = 0; e < course->batch; e++)
            CHECK(validity_remember(&h->memory, &h->actor, &rewards_of(s)->episode[e], &check_error));
    for (int pass = 0; pass < course->passes; pass++) {
        CHECK(actor_learn(&h->actor, rewards_of(s)->episode, course->batch, course->entropy, pass > 0,
                          &result, &check_error));
        if (course->validity > 0)
            CHECK(validity_learn(&h->memory, &h->actor, random, course->validity, 0, &check_error));
        nlm_optimizer_step(h->adam);
    }
}

/* Several updates before the first exam; an episode is remembered once, however often it is learned from. */
static void updates_give_the_same_bits_by_hand(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++)
        for (int passes = 1; passes <= 3; passes++) {
            nlm_settings course = small_course(g);
            course.batch = 3;
            course.passes = passes;
            nlm_run *s = begin_course(&course, 1);
            hand h = make_hand(s);
            for (int update = 0; update < 5; update++) {
                random_stream random = stream_of_round(s);
                step(s);
                for_advantages(s, must_be);
                for_advantages(s, take_expected);
                learn_by_hand(&h, s, &random);
                assert_true(same_values(s, h.machine->values));
                for (int kind = 0; kind < VALIDITY_KINDS; kind++)
                    assert_int_equal(rewards_of(s)->validity.count[kind], h.memory.count[kind]);
            }
            assert_int_equal(s->optimizer->steps, 5 * passes);
            free_hand(&h);
            nlm_run_free(s);
        }
}

/* The first averages are of few weights. */
static void the_average_follows_the_weights(void **state)
{
    (void)state;
    enum { UPDATES = 19 };
    static const double averages[] = {0.5, 0.9, 0.999};
    for (size_t a = 0; a < COUNT(averages); a++) {
        nlm_settings course = small_course(SORT);
        course.average = averages[a];
        course.batch = 1;
        nlm_run *s = begin_course(&course, 1);
        const size_t parameters = nlm_machine_parameters(s->machine);
        double *average = malloc(parameters * sizeof *average);
        assert_non_null(average);
        for (size_t i = 0; i < parameters; i++)
            average[i] = (double)s->machine->values[i];
        for (int n = 1; n <= UPDATES; n++) {
            step(s);
            const double kept = fmin(averages[a], n / (n + 10.0));
            for (size_t i = 0; i < parameters; i++) {
                average[i] = kept * average[i] + (1 - kept) * (double)s->machine->values[i];
                assert_near((double)rewards_of(s)->average[i], average[i], 1e-5);
            }
        }
        free(average);
        nlm_run_free(s);
    }
}

/* ---- what an exam tells about the episodes before it ---- */

/* All moves stay equally probable: the entropy is the logarithm of their number. */
static void means_are_over_the_updates(void **state)
{
    (void)state;
    for (int passes = 1; passes <= 2; passes++) {
        nlm_settings course = small_course(SORT);
        course.lr = 0;
        course.batch = 4;
        course.passes = passes;
        nlm_run *s = begin_clueless(&course);
        int solved = 0;
        double loss = 0;
        for (int update = 0; update < 5; update++) {
            int steps = 0;
            double sum = 0;
            step(s);
            for (int e = 0; e < course.batch; e++) {
                solved += episode_solved(&rewards_of(s)->episode[e]);
                for (int t = 0; t < episode_moves(&rewards_of(s)->episode[e]); t++, steps++)
                    sum += rewards_of(s)->episode[e].advantages[t] * log(6) - course.entropy * log(6);
            }
            loss += sum / steps / 5;
        }
        const nlm_exam *exam = run_exam(s);
        assert_near(exam->train_success, solved / 20.0, 1e-12);
        assert_near(exam->entropy, log(6), 1e-5);
        assert_near(exam->loss, loss, 1e-5);
        nlm_run_free(s);
    }
}

/* ---- what goes wrong ---- */

static void a_loss_that_is_no_number_is_reported(void **state)
{
    (void)state;
    nlm_settings course = small_course(SORT);
    nlm_run *s = begin_course(&course, 1);
    nlm_error error = {NLM_OK, ""};
    for (size_t i = 0; i < nlm_machine_parameters(s->machine); i++)
        s->machine->values[i] = 3e38f;
    nlm_status status = NLM_OK;
    for (int update = 0; update < course.interval && !status; update++)
        status = nlm_run_step(s, NULL, &error);
    assert_int_equal(status, NLM_BAD_ARGUMENT);
    assert_said(&error, NLM_BAD_ARGUMENT, "learning rate");
    nlm_run_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_begins_with_nothing),
        cmocka_unit_test(episodes_and_exams_are_counted),
        cmocka_unit_test(instances_are_counted),
        cmocka_unit_test(a_step_after_the_end_is_refused),
        cmocka_unit_test(the_first_instances_are_new),
        cmocka_unit_test(pools_are_gone_through_in_turn),
        cmocka_unit_test(a_share_of_instances_was_solved),
        cmocka_unit_test(an_empty_pool_is_passed_over),
        cmocka_unit_test(rollouts_share_their_instance),
        cmocka_unit_test(returns_are_discounted_rewards),
        cmocka_unit_test(updates_give_the_same_bits_by_hand),
        cmocka_unit_test(the_average_follows_the_weights),
        cmocka_unit_test(means_are_over_the_updates),
        cmocka_unit_test(a_loss_that_is_no_number_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

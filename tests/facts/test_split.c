/* One file, many worlds: which are found, what each of them gets, what is asked for and refused. */
#include "facts/files.h"

/* `count` trains of two cars; the even ones have a short car.  Wheels are numbers that all trains share. */
static void write_trains(const char *folder, int count)
{
    char name[80], *facts, *examples;
    size_t size;
    FILE *bk = open_memstream(&facts, &size);
    for (int t = 0; t < count; t++)
        fprintf(bk, "has_car(t%d,a%d). wheels(a%d,%d). has_car(t%d,b%d). %s(b%d).\n", t, t, t, 2 + t % 2, t,
                t, t % 2 ? "long" : "short", t);
    fputs("more(3,2). more(4,3). more(5,4). more(6,5). odd(3). odd(5). spare(x). dry.\n", bk);
    fclose(bk);
    FILE *exs = open_memstream(&examples, &size);
    for (int t = 0; t < count; t++)
        fprintf(exs, "%s(f(t%d)).\n", t % 2 ? "neg" : "pos", t);
    fclose(exs);
    snprintf(name, sizeof name, "%s/bk.pl", folder);
    files_write(name, facts);
    snprintf(name, sizeof name, "%s/exs.pl", folder);
    files_write(name, examples);
    free(facts);
    free(examples);
}

static const nlm_share *shares(const nlm_problem *problem, const char *name)
{
    const nlm_signature *signature = nlm_problem_signature(problem);
    for (int i = 0; i < nlm_signature_inputs(signature); i++)
        if (strcmp(nlm_signature_input(signature, i)->name, name) == 0)
            return nlm_signature_input(signature, i)->share;
    fail_msg("no %s", name);
    return NULL;
}

static void many_small_worlds_are_found(void **state)
{
    (void)state;
    write_trains("w", 9);
    nlm_problem *problem = files_read("w", NULL);
    files_notes(
        problem,
        "w: this looks like 9 worlds by the first argument of has_car; --worlds-by none reads it as one",
        NULL);
    assert_true(nlm_problem_split(problem));
    assert_int_equal(nlm_problem_worlds(problem), 9);
    assert_string_equal(nlm_problem_world_name(problem, 4), "t4");
    /* its own, what has no argument, and of the numbers those within two steps of 3: not 6 */
    files_world(problem, 1,
                "t1 a1 3 b1 2 4 5; has_car/2: has_car(t1, a1) has_car(t1, b1); wheels/2: wheels(a1, 3); "
                "short/1:; long/1: long(b1); more/2: more(3, 2) more(4, 3) more(5, 4); odd/1: odd(3) odd(5); "
                "spare/1:; dry/0: dry; f/1 ? f(t1)-");
    assert_int_equal(shares(problem, "has_car")[0], NLM_SHARE_WORLD);
    assert_int_equal(shares(problem, "has_car")[1], NLM_SHARE_OWN);
    assert_int_equal(shares(problem, "wheels")[1], NLM_SHARE_ALL);
    assert_int_equal(shares(problem, "spare")[0], NLM_SHARE_ALL);
    nlm_problem_free(problem);
}

static void types_tell_objects_of_one_name_apart(void **state)
{
    (void)state;
    char *facts;
    size_t size;
    FILE *bk = open_memstream(&facts, &size);
    for (int t = 0; t < 8; t++)
        fprintf(bk, "does(%d,p,%d). does(%d,q,%d).\n", t, t % 3, t, (t + 1) % 3);
    fputs("beats(0,1). beats(1,2). beats(2,0).\n", bk);
    fclose(bk);
    files_write("g/bk.pl", facts);
    free(facts);
    FILE *exs = open_memstream(&facts, &size);
    for (int t = 0; t < 8; t++)
        fprintf(exs, "pos(wins(%d,p)). neg(wins(%d,q)).\n", t, t);
    fclose(exs);
    files_write("g/exs.pl", facts);
    free(facts);
    static const char bias[] = "head_pred(wins,2). body_pred(does,3). body_pred(beats,2).\n"
                               "type(wins,(ex,player)). type(does,(ex,player,action)). "
                               "type(beats,(action,action)).\n";
    files_write("g/bias.pl", bias);
    nlm_problem *problem = files_read("g", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 8);
    files_world(problem, 1,
                "ex:1 player:p action:1 player:q action:2 action:0; does/3: does(1, p, 1) does(1, q, 2); "
                "beats/2: beats(0, 1) beats(1, 2) beats(2, 0); type(ex)/1: type(ex)(1); type(player)/1: "
                "type(player)(p) type(player)(q); type(action)/1: type(action)(1) type(action)(2) "
                "type(action)(0); wins/2 ? wins(1, p)+ wins(1, q)-");
    nlm_problem_free(problem);
}

static void one_world_stays_one(void **state)
{
    (void)state;
    write_trains("few", 7); /* too few to be sure */
    nlm_problem *problem = files_read("few", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 1);
    assert_false(nlm_problem_split(problem));
    nlm_problem_free(problem);
    write_trains("w", 9);
    problem = files_read("w", &(nlm_reading){.worlds_by = "none"});
    assert_int_equal(nlm_problem_worlds(problem), 1);
    nlm_problem_free(problem);
    files_write("chain.pl", "e(a,b). e(b,c). e(c,d). e(d,f). e(f,g). e(g,h). e(h,i). e(i,j). e(j,k).\n"
                            "t(a). t(b). t(c). t(d). t(f). t(g). t(h). t(i). t(j).\n");
    static const char *const t[] = {"t"};
    problem = files_read("chain.pl", &(nlm_reading){.targets = t, .target_count = 1});
    assert_int_equal(nlm_problem_worlds(problem), 1);
    nlm_problem_free(problem);
}

static void worlds_can_be_asked_for(void **state)
{
    (void)state;
    write_trains("few", 3);
    static const char *const asked[] = {"has_car", "has_car:1", "has_car/2", "has_car/2:1", "f"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        nlm_problem *problem = files_read("few", &(nlm_reading){.worlds_by = asked[i]});
        assert_int_equal(nlm_problem_worlds(problem), 3);
        files_notes(problem, NULL);
        nlm_problem_free(problem);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    write_trains("w", 3);
    files_refused("w", &(nlm_reading){.worlds_by = "has_car:2"}, NLM_BAD_ARGUMENT,
                  "w: no worlds by the second argument of has_car: f/1 names none of them");
    files_refused("w", &(nlm_reading){.worlds_by = "has_car:3"}, NLM_BAD_ARGUMENT,
                  "has_car:3 tells no argument: write has_car for the first of has_car, has_car:2 for the "
                  "second");
    files_refused("w", &(nlm_reading){.worlds_by = "has_cart"}, NLM_BAD_ARGUMENT,
                  "w has no predicate has_cart; did you mean has_car/2?");
    files_write("near/bk.pl", "near(a,b). big(a).");
    files_write("near/exs.pl", "pos(t(a)). neg(t(b)).");
    files_refused("near", &(nlm_reading){.worlds_by = "t"}, NLM_BAD_ARGUMENT,
                  "near: no worlds by the first argument of t: near/2 names two of them");
    files_write("two/x/bk.pl", "p(a).");
    files_write("two/y/bk.pl", "p(a).");
    files_refused("two", &(nlm_reading){.worlds_by = "p"}, NLM_BAD_ARGUMENT,
                  "two has 2 worlds already: --worlds-by is for one file of many");
}

static void worlds_without_labels_are_left_out(void **state)
{
    (void)state;
    write_trains("w", 9);
    files_write("w/exs.pl", "pos(f(t0)). neg(f(t1)). pos(f(t8)).");
    nlm_problem *problem = files_read("w", &(nlm_reading){.worlds_by = "has_car"});
    files_notes(problem, "w: 6 of these worlds have no label", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 3);
    assert_string_equal(nlm_problem_world_name(problem, 2), "t8");
    nlm_problem_free(problem);
}

/* A model's worlds are told apart as those that it was learned from, however few there are. */
static void a_signature_tells_them_apart(void **state)
{
    (void)state;
    write_trains("w", 9);
    write_trains("two", 2);
    nlm_problem *problem = files_read("w", NULL);
    const nlm_reading reading = {.signature = nlm_problem_signature(problem)};
    nlm_problem *two = files_read("two", &reading);
    assert_int_equal(nlm_problem_worlds(two), 2);
    files_world(two, 1,
                "t1 a1 3 b1 2 4 5; has_car/2: has_car(t1, a1) has_car(t1, b1); wheels/2: wheels(a1, 3); "
                "short/1:; long/1: long(b1); more/2: more(3, 2) more(4, 3) more(5, 4); odd/1: odd(3) odd(5); "
                "spare/1:; dry/0: dry; f/1 ? f(t1)-");
    nlm_problem_free(two);
    files_write("facts.pl", "has_car(t,c). short(c). has_car(u,d).");
    two = files_read("facts.pl", &reading);
    assert_int_equal(nlm_problem_worlds(two), 2);
    nlm_problem_free(two);
    files_write("both.pl", "has_car(t,c). has_car(u,c).");
    files_refused(
        "both.pl", &reading, NLM_BAD_ARGUMENT,
        "both.pl: no worlds by the first argument of has_car: has_car(u, c) belongs to two of them; "
        "--worlds-by none reads one world");
    nlm_reading whole = reading;
    whole.worlds_by = "none";
    two = files_read("both.pl", &whole);
    assert_int_equal(nlm_problem_worlds(two), 1);
    nlm_problem_free(two);
    nlm_problem_free(problem);
}

/* The labels of a closed world are about the object that tells the world apart, not about cars. */
static void other_objects_have_no_labels(void **state)
{
    (void)state;
    write_trains("w", 9);
    files_write("w/exs.pl", "pos(f(t0)). pos(f(t2)).");
    nlm_problem *problem = files_read("w", &(nlm_reading){.worlds_by = "has_car"});
    const nlm_label_count count = nlm_problem_count_labels(problem, 0);
    assert_true(count.positive == 2 && count.negative == 7 && count.unlabelled == 0);
    files_world(problem, 1,
                "t1 a1 3 b1 2 4 5; has_car/2: has_car(t1, a1) has_car(t1, b1); wheels/2: wheels(a1, 3); "
                "short/1:; long/1: long(b1); more/2: more(3, 2) more(4, 3) more(5, 4); odd/1: odd(3) odd(5); "
                "spare/1:; dry/0: dry; f/1 ? f(t1)-");
    nlm_problem_free(problem);
}

static void names_that_no_folder_has_are_numbers(void **state)
{
    (void)state;
    files_write("n/bk.pl", "has('a/b',x). has('..',y). has(images,z).");
    files_write("n/exs.pl", "pos(f('a/b')). neg(f('..')). pos(f(images)).");
    nlm_problem *problem = files_read("n", &(nlm_reading){.worlds_by = "has"});
    for (int w = 0; w < 3; w++) {
        char expected[16];
        snprintf(expected, sizeof expected, "world-%d", w + 1);
        assert_string_equal(nlm_problem_world_name(problem, w), expected);
    }
    nlm_problem_free(problem);
}

static void thousands_of_worlds_take_little_time(void **state)
{
    (void)state;
    write_trains("many", 5000); /* quadratic work would not end */
    nlm_problem *problem = files_read("many", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 5000);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(many_small_worlds_are_found),
        files_test(types_tell_objects_of_one_name_apart),
        files_test(one_world_stays_one),
        files_test(worlds_can_be_asked_for),
        files_test(what_cannot_be_is_refused),
        files_test(worlds_without_labels_are_left_out),
        files_test(other_objects_have_no_labels),
        files_test(a_signature_tells_them_apart),
        files_test(names_that_no_folder_has_are_numbers),
        files_test(thousands_of_worlds_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

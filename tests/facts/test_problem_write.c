/* Problems written and read again: the same sets of objects, facts and labels; what folders may hold. */
#include "facts/files.h"
#include "task/task.h"

static const nlm_form forms[] = {NLM_FORM_FOLDER, NLM_FORM_CSV, NLM_FORM_TSV};
enum { FORMS = 3 };

static void write_problem(const nlm_problem *problem, const char *folder, nlm_form form)
{
    nlm_error error = {0};
    if (nlm_problem_write(problem, folder, form, false, &error))
        fail_msg("%s", error.message);
}

static void refuse_to_write(const nlm_problem *problem, const char *folder, nlm_form form, bool replace,
                            nlm_status status, const char *message)
{
    nlm_error error = {0};
    assert_int_equal(nlm_problem_write(problem, folder, form, replace, &error), status);
    assert_string_equal(error.message, message);
}

/* ---- the same problem ---- */

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words of a world's description between "; ", each part sorted: equal for equal sets. */
static char *sorted_world(const nlm_problem *problem, int world)
{
    enum { SIZE = 1 << 18, WORDS = 1 << 15 };
    char *text = malloc(SIZE), *result = calloc(SIZE, 1), **words = malloc(WORDS * sizeof *words);
    assert_non_null(text);
    assert_non_null(result);
    assert_non_null(words);
    files_describe(problem, world, text, SIZE);
    for (char *part = strtok(text, ";"), *next; part; part = next) {
        next = strtok(NULL, ";");
        size_t count = 0;
        for (char *rest = part, *word; (word = strsep(&rest, " ")) && count < WORDS;)
            words[count++] = word;
        qsort(words, count, sizeof *words, compare);
        for (size_t i = 0; i < count; i++)
            sprintf(result + strlen(result), "%s ", words[i]);
        strcat(result, ";");
    }
    free(text);
    free(words);
    return result;
}

static void assert_same(const nlm_problem *a, const nlm_problem *b)
{
    const char *text_a, *text_b;
    assert_int_equal(nlm_signature_text(nlm_problem_signature(a), &text_a, NULL), NLM_OK);
    assert_int_equal(nlm_signature_text(nlm_problem_signature(b), &text_b, NULL), NLM_OK);
    assert_string_equal(text_a, text_b);
    assert_int_equal(nlm_problem_worlds(a), nlm_problem_worlds(b));
    assert_int_equal(nlm_problem_closed(a), nlm_problem_closed(b));
    assert_int_equal(nlm_problem_labelled(a), nlm_problem_labelled(b));
    assert_int_equal(nlm_problem_contradictions(a), nlm_problem_contradictions(b));
    for (int w = 0; w < nlm_problem_worlds(a); w++) {
        char *world_a = sorted_world(a, w), *world_b = sorted_world(b, w);
        assert_string_equal(nlm_problem_world_name(a, w), nlm_problem_world_name(b, w));
        assert_string_equal(world_a, world_b);
        free(world_a);
        free(world_b);
    }
    assert_true(nlm_problem_digest(a) == nlm_problem_digest(b));
}

/* No notes but that images, where there are some, are not for learning. */
static void check_notes(const nlm_problem *problem, const nlm_problem *again)
{
    if (!nlm_world_percept(nlm_problem_world(problem, 0), 0, NULL)) {
        files_notes(again, NULL);
        return;
    }
    assert_int_equal(nlm_problem_notes(again), nlm_problem_worlds(problem));
    for (int n = 0; n < nlm_problem_notes(again); n++)
        assert_non_null(strstr(nlm_problem_note(again, n), ": images is ignored"));
}

/* Write and read in every form. */
static void check_round_trip(const nlm_problem *problem, const char *name)
{
    for (int f = 0; f < FORMS; f++) {
        char folder[64];
        snprintf(folder, sizeof folder, "%s-%d", name, f);
        write_problem(problem, folder, forms[f]);
        nlm_problem *again = files_read(folder, NULL);
        assert_same(problem, again);
        check_notes(problem, again);
        nlm_problem_free(again);
    }
}

static void tasks_survive(void **state)
{
    (void)state;
    for (int t = 0; t < nlm_tasks(); t++)
        for (int worlds = 1; worlds <= 3; worlds += 2) {
            nlm_problem *problem;
            char name[64];
            assert_int_equal(
                nlm_problem_generate(nlm_task_at(t), NLM_WORLDS_PAPER, 7, 3, 12, worlds, &problem, NULL),
                NLM_OK);
            snprintf(name, sizeof name, "%s-%d", nlm_task_at(t)->name, worlds);
            check_round_trip(problem, name);
            nlm_problem_free(problem);
        }
}

/* A problem folder that a test has written, with this bias.pl, bk.pl and exs.pl (or NULL). */
static void check_folder(const char *bias, const char *facts, const char *examples)
{
    static int number;
    char name[64], file[80];
    snprintf(name, sizeof name, "problem%d", number++);
    snprintf(file, sizeof file, "%s/bias.pl", name);
    files_write(file, bias);
    snprintf(file, sizeof file, "%s/bk.pl", name);
    files_write(file, facts);
    snprintf(file, sizeof file, "%s/exs.pl", name);
    if (examples)
        files_write(file, examples);
    nlm_problem *problem = files_read(name, NULL);
    check_round_trip(problem, name);
    nlm_problem_free(problem);
}

static void all_kinds_of_problems_survive(void **state)
{
    (void)state;
    check_folder("head_pred(q,2). body_pred(p,2).", "p(a,b). p(a,a). p(c,b). object(d).",
                 "pos(q(a,b)). neg(q(a,c)). pos(q(a,a)). neg(q(d,a)).");
    check_folder("head_pred(q,2). body_pred(p,2). body_pred(r,0). body_pred(s,0).", "p(a,b). r.",
                 "pos(q(a,b)).");
    check_folder("head_pred(q,0). head_pred(t,1). body_pred(p,1).", "p(a).", "pos(q). neg(t(a)).");
    check_folder("head_pred(q,0). body_pred(p,1).", "p(a).", "");
    check_folder("head_pred(p,2). body_pred(p,2).", "p(a,b). p(b,c).", "pos(p(a,c)). neg(p(c,a)).");
    check_folder("head_pred(p,1). body_pred(p,2). body_pred(q,1). body_pred(q,2).", "p(a,b). q(a). q(b,a).",
                 "pos(p(a)). pos(p(b)).");
    check_folder("head_pred(q,1). body_pred(p,1).", "p(a). p(b).", "pos(q(a)). neg(q(a)).");
    check_folder("head_pred(q,1). body_pred(p,1).", "p(a). p(b). q(a).", NULL);
    check_folder("head_pred(q,1). body_pred(p,1).", "p(a). p(b).", NULL);
    check_folder("head_pred(q,1). body_pred(p,1).", "object(a). object(b).", "");
    check_folder("body_pred(p,4).", "p(a,b,a,c). p(a,a,a,a). p(a,b,c,d).", NULL);
    check_folder("head_pred('1',1). body_pred('0',1). type('0',(t,)). type('1',(t,)).", "'0'(a). '0'(b).",
                 "pos('1'(a)).");
    check_folder("head_pred(q,1). body_pred('.p',1). body_pred('x.neg',1). body_pred(object,2).",
                 "'.p'(a). 'x.neg'(b). object(a,b). object(c).", "pos(q(a)).");
}

static void typed_problems_survive(void **state)
{
    (void)state;
    static const char bias[] = "head_pred(lives,2). type(lives,(person,city)).\n"
                               "body_pred(knows,2). type(knows,(person,person)).\n"
                               "body_pred(big,1). type(big,(city,)). body_pred(r,0).\n";
    static const char facts[] = "knows(a,b). big(a). knows(b,b). object(c,city). r.";
    check_folder(bias, facts, "pos(lives(a,a)).");
    check_folder(bias, facts, "pos(lives(a,a)). neg(lives(b,a)).");
    check_folder(bias, facts, NULL);
    check_folder("head_pred(q,1). body_pred(p,1). type(p,person). type(q,person).", "p(a). object(b,person).",
                 "pos(q(a)).");
}

static void odd_names_survive(void **state)
{
    (void)state;
    files_write("f/bias.pl", "body_pred(p,1). body_pred('My, pred',2).");
    files_write("f/bk.pl",
                "p('Bart S.'). p('it''s'). p('a\\\\b'). p('a,\"b\"'). p(' x '). p(-1). p('1'). p(\xC3\xA9). "
                "p('\\x1b\\'). p('(').  'My, pred'('%', '#'). p('\\uFEFF"
                "b').");
    nlm_problem *problem = files_read("f", NULL);
    write_problem(problem, "g", NLM_FORM_FOLDER);
    write_problem(problem, "h", NLM_FORM_CSV);
    static const char *const folders[] = {"g", "h"};
    for (int i = 0; i < 2; i++) {
        nlm_problem *again = files_read(folders[i], NULL);
        assert_true(nlm_problem_digest(problem) == nlm_problem_digest(again));
        nlm_problem_free(again);
    }
    nlm_problem_free(problem);
    files_write("n/bk.pl", "p('two\\nlines'). p('\\x9\\').");
    problem = files_read("n", NULL);
    write_problem(problem, "n-csv", NLM_FORM_CSV);
    nlm_problem *again = files_read("n-csv", NULL);
    assert_true(nlm_problem_digest(problem) == nlm_problem_digest(again));
    nlm_problem_free(again);
    refuse_to_write(problem, "n-tsv", NLM_FORM_TSV, false, NLM_BAD_ARGUMENT,
                    "n-tsv/p.tsv: 'two?lines' has a tab or an end of line, which TSV cannot hold: write CSV");
    nlm_problem_free(problem);
}

static void long_names_survive(void **state)
{
    (void)state;
    static char text[9000] = "p(a";
    memset(text + 3, 'b', 5000);
    strcpy(text + 5003, ", 'X");
    memset(text + 5007, 'c', 2000);
    strcpy(text + 7007, "').");
    files_write("f/bk.pl", text);
    nlm_problem *problem = files_read("f", NULL);
    check_round_trip(problem, "g");
    nlm_problem_free(problem);
    memset(text, 'q', 1000); /* too long for the name of a file */
    strcpy(text + 1000, "(a).");
    files_write("h/bk.pl", text);
    problem = files_read("h", NULL);
    check_round_trip(problem, "i");
    nlm_problem_free(problem);
}

/* ---- the files ---- */

static void files_are_easy_to_read(void **state)
{
    (void)state;
    files_write("f/bias.pl",
                "head_pred(lives,2). type(lives,(person,city)). body_pred(old,1). type(old,person).");
    files_write("f/bk.pl", "old('Abe'). object(rome, city).");
    files_write("f/exs.pl", "pos(lives('Abe',oslo)). neg(lives(bart,oslo)).");
    nlm_problem *problem = files_read("f", NULL);
    write_problem(problem, "g", NLM_FORM_FOLDER);
    assert_string_equal(files_text("g/bias.pl"), "% Targets (head_pred) and inputs (body_pred).\n"
                                                 "head_pred(lives,2).\ntype(lives,(person,city)).\n"
                                                 "body_pred(old,1).\ntype(old,(person,)).\n");
    assert_string_equal(files_text("g/bk.pl"), "object(rome, city).\nold('Abe').\n");
    assert_string_equal(files_text("g/exs.pl"), "pos(lives('Abe', oslo)).\nneg(lives(bart, oslo)).\n");
    write_problem(problem, "h", NLM_FORM_TSV);
    assert_string_equal(files_text("h/bk.pl"), "object(rome, city).\n");
    assert_string_equal(files_text("h/old.tsv"), "Abe\n");
    assert_string_equal(files_text("h/lives.tsv"), "Abe\toslo\n");
    assert_string_equal(files_text("h/lives.neg.tsv"), "bart\toslo\n");
    nlm_problem_free(problem);
}

static void generated_worlds_are_numbered(void **state)
{
    (void)state;
    nlm_problem *problem;
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("has-father"), NLM_WORLDS_PAPER, 1, 0, 2, 3, &problem, NULL),
        NLM_OK);
    assert_string_equal(nlm_problem_world_name(problem, 2), "0003");
    files_notes(problem, NULL);
    nlm_problem_free(problem);
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("has-father"), NLM_WORLDS_PAPER, 1, 0, 1, 10000, &problem, NULL),
        NLM_OK);
    assert_string_equal(nlm_problem_world_name(problem, 0), "00001");
    assert_string_equal(nlm_problem_world_name(problem, 9999), "10000");
    nlm_problem_free(problem);
    nlm_error error;
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 5, 0, &problem, &error),
        NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "a problem of 0 worlds: it has at least 1");
    assert_null(problem);
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 0, 1, &problem, &error),
        NLM_BAD_ARGUMENT);
    assert_int_equal(nlm_problem_generate(NULL, NLM_WORLDS_PAPER, 1, 0, 5, 1, &problem, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "nlm_problem_generate_deep: a required argument is NULL");
}

static void generated_worlds_are_those_of_the_task(void **state)
{
    (void)state;
    const nlm_task *task = nlm_task_find("uncle");
    nlm_problem *problem, *later;
    assert_int_equal(nlm_problem_generate(task, NLM_WORLDS_PAPER, 5, 10, 8, 3, &problem, NULL), NLM_OK);
    assert_int_equal(nlm_problem_generate(task, NLM_WORLDS_PAPER, 5, 12, 8, 1, &later, NULL), NLM_OK);
    char a[8192], b[8192];
    files_describe(problem, 2, a, sizeof a);
    files_describe(later, 0, b, sizeof b);
    assert_string_equal(a, b);
    assert_true(nlm_problem_digest(problem) != nlm_problem_digest(later));
    nlm_problem_free(problem);
    nlm_problem_free(later);
    nlm_problem_free(NULL);
}

/* Of the candidates with numbers first, first + 1, ..., the first that no other is deeper than. */
static int number_of_deepest(const nlm_task *task, int first, int of)
{
    nlm_world *world;
    int best = -1, chosen = first;
    assert_int_equal(nlm_world_new(&world, NULL), NLM_OK);
    for (int number = first; number < first + of; number++) {
        int depth;
        assert_int_equal(nlm_task_generate(task, NLM_WORLDS_PAPER, 5, (uint64_t)number, 12, world, NULL),
                         NLM_OK);
        assert_int_equal(task_depth(task, world, &depth, NULL), NLM_OK);
        if (depth > best) {
            best = depth;
            chosen = number;
        }
    }
    nlm_world_free(world);
    return chosen;
}

static void generated_worlds_may_be_the_deepest_of_several(void **state)
{
    (void)state;
    const nlm_task *task = nlm_task_find("uncle");
    nlm_problem *problem, *one;
    nlm_error error;
    int not_first = 0;
    char a[8192], b[8192];
    assert_int_equal(nlm_problem_generate_deep(task, NLM_WORLDS_PAPER, 5, 10, 4, 12, 6, &problem, NULL),
                     NLM_OK);
    for (int w = 0; w < 6; w++) {
        const int number = number_of_deepest(task, 10 + 4 * w, 4);
        not_first += number != 10 + 4 * w;
        assert_int_equal(nlm_problem_generate(task, NLM_WORLDS_PAPER, 5, (uint64_t)number, 12, 1, &one, NULL),
                         NLM_OK);
        files_describe(problem, w, a, sizeof a);
        files_describe(one, 0, b, sizeof b);
        assert_string_equal(a, b);
        nlm_problem_free(one);
    }
    assert_true(not_first > 0);
    nlm_problem_free(problem);
    assert_int_equal(nlm_problem_generate_deep(task, NLM_WORLDS_PAPER, 5, 10, 0, 12, 6, &problem, &error),
                     NLM_BAD_ARGUMENT);
    assert_string_equal(error.message, "the deepest of 0 worlds: that is at least of 1");
}

/* ---- folders ---- */

static void folders_with_other_files_are_refused(void **state)
{
    (void)state;
    nlm_problem *problem;
    assert_int_equal(
        nlm_problem_generate(nlm_task_find("uncle"), NLM_WORLDS_PAPER, 1, 0, 6, 2, &problem, NULL), NLM_OK);
    mkdir("empty", 0777);
    write_problem(problem, "empty", NLM_FORM_FOLDER);
    refuse_to_write(problem, "empty", NLM_FORM_FOLDER, false, NLM_BAD_ARGUMENT,
                    "empty is not empty: choose another folder");
    assert_int_equal(nlm_problem_write(problem, "empty", NLM_FORM_FOLDER, true, NULL), NLM_OK);
    files_write("empty/0002/README", "");
    refuse_to_write(
        problem, "empty", NLM_FORM_FOLDER, true, NLM_BAD_ARGUMENT,
        "empty/0002 holds README, which is not part of what is to be written: choose another folder");
    refuse_to_write(
        problem, "empty", NLM_FORM_CSV, true, NLM_BAD_ARGUMENT,
        "empty/0001 holds bk.pl, which is not part of what is to be written: choose another folder");
    files_write("file", "");
    refuse_to_write(problem, "file", NLM_FORM_CSV, true, NLM_IO_ERROR, "file: Not a directory");
    refuse_to_write(problem, "no/where", NLM_FORM_CSV, true, NLM_IO_ERROR,
                    "no/where: No such file or directory");
    refuse_to_write(problem, "", NLM_FORM_CSV, true, NLM_BAD_ARGUMENT, "no folder to write to");
    nlm_problem_free(problem);
}

static void objects_may_be_impossible_to_declare(void **state)
{
    (void)state;
    files_write("f/bias.pl", "body_pred(object,1). head_pred(q,1).");
    files_write("f/bk.pl", "object(a). object(b,c).");
    nlm_problem *problem = files_read("f", NULL);
    refuse_to_write(
        problem, "g", NLM_FORM_FOLDER, false, NLM_BAD_ARGUMENT,
        "g/bk.pl: objects without facts cannot be declared, because there is a predicate 'object'");
    nlm_problem_free(problem);
}

/* ---- digests ---- */

static uint64_t digest_of(const char *name, const char *text)
{
    static const char *const q[] = {"q"};
    files_write(name, text);
    nlm_problem *problem = files_read(name, &(nlm_reading){.targets = q, .target_count = 1});
    uint64_t digest = nlm_problem_digest(problem);
    nlm_problem_free(problem);
    return digest;
}

static void digests_tell_problems_apart(void **state)
{
    (void)state;
    uint64_t digest = digest_of("a.pl", "p(a,b). p(c,d). q(a).");
    assert_true(digest == digest_of("b.pl", "% other file\n:- x.\np(a,b). q(a). p(c,d). p(a,b)."));
    static const char *const others[] = {
        "p(a,b). p(d,c). q(a).",
        "p(a,d). p(c,b). q(a).",
        "p(a,b). p(c,d). q(b).",
        "p(a,b). p(c,d). q(a). q(b).",
        "r(a,b). r(c,d). q(a).",
        "p(a,b). p(c,e). q(a).",
        "p(a,b). q(a).",
        "p(a,b). p(c,d). q(a). object(e).",
        "p(a,b). p(c,d). q(a). r(a).",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_true(digest != digest_of("c.pl", others[i]));
}

/* ---- what a form cannot represent ---- */

struct hearing {
    const char *const *expected;
    int heard, fails_after;
};

static nlm_status hear(void *context, const char *text, nlm_error *error)
{
    struct hearing *of = context;
    (void)error;
    if (of->heard == of->fails_after)
        return NLM_IO_ERROR;
    assert_string_equal(text, of->expected[of->heard++]);
    return NLM_OK;
}

static void losses_are_told(void **state)
{
    (void)state;
    static const char *const none[] = {"there is none"};
    static const char *const lost[] = {"1 of 2 objects were carried over", "this format has no types"};
    nlm_error error;
    files_write("w/bias.pl", "head_pred(p,1). type(p,(person,)). body_pred(q,1). type(q,(person,)).");
    files_write("w/bk.pl", "q(a). object(b,person).");
    files_write("w/exs.pl", "pos(p(a)).");
    nlm_problem *problem = files_read("w", NULL);
    struct hearing hearing = {none, 0, -1};
    CHECK(nlm_problem_write(problem, "same", NLM_FORM_FOLDER, false, &check_error));
    CHECK(nlm_problem_losses(problem, "same", hear, &hearing, &check_error));
    assert_int_equal(hearing.heard, 0);
    const nlm_content content = nlm_problem_content(problem, 0);
    assert_true(content.objects == 2 && content.facts == 1 && content.labels == 1);
    files_write("less/exs.pl", "pos(p(a)).");
    files_write("less/bk.pl", "r(a).");
    hearing = (struct hearing){lost, 0, -1};
    CHECK(nlm_problem_losses(problem, "less", hear, &hearing, &check_error));
    assert_int_equal(hearing.heard, COUNT(lost));
    hearing = (struct hearing){lost, 0, 1};
    assert_int_equal(nlm_problem_losses(problem, "less", hear, &hearing, &error), NLM_IO_ERROR);
    assert_int_equal(nlm_problem_losses(problem, "none", hear, &hearing, &error), NLM_IO_ERROR);
    assert_non_null(strstr(error.message, "the written files cannot be read: none: "));
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(tasks_survive),
        files_test(all_kinds_of_problems_survive),
        files_test(typed_problems_survive),
        files_test(odd_names_survive),
        files_test(long_names_survive),
        files_test(files_are_easy_to_read),
        files_test(generated_worlds_are_numbered),
        files_test(generated_worlds_are_those_of_the_task),
        files_test(generated_worlds_may_be_the_deepest_of_several),
        files_test(folders_with_other_files_are_refused),
        files_test(objects_may_be_impossible_to_declare),
        files_test(digests_tell_problems_apart),
        files_test(losses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

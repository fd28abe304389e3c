/* Problems read from files: the forms of a path, what counts, targets, labels. */
#include "facts/files.h"

#include <errno.h>

static const char *const uncle[] = {"uncle"};
static const nlm_reading of_uncle = {.targets = uncle, .target_count = 1};

/* ---- forms ---- */

static void a_file_is_a_world(void **state)
{
    (void)state;
    files_write("family.pl", "father(homer, bart).\nmale(bart).\nfather(abe, homer).\nraining.\n");
    nlm_problem *problem = files_expect("family.pl", NULL,
                                        "homer bart abe; father/2: father(homer, bart) father(abe, homer); "
                                        "male/1: male(bart); raining/0: raining");
    files_notes(problem, NULL);
    assert_string_equal(nlm_problem_world_name(problem, 0), "");
    assert_null(nlm_problem_world_name(problem, 1));
    assert_null(nlm_problem_world(problem, 1));
    assert_false(nlm_problem_labelled(problem) || nlm_problem_closed(problem));
    assert_int_equal(nlm_signature_targets(nlm_problem_signature(problem)), 0);
    nlm_problem_free(problem);
}

static void standard_input_is_a_file(void **state)
{
    (void)state;
    files_write("a.pl", "p(a).\np(X).\n");
    assert_non_null(freopen("a.pl", "r", stdin));
    files_refused(
        "-", NULL, NLM_BAD_FILE,
        "<stdin>:2: X is a variable: facts are about named objects; a name that begins with a capital "
        "or _ needs single quotes, 'X'");
    files_write("b.pl", "p(a).");
    assert_non_null(freopen("b.pl", "r", stdin));
    nlm_problem_free(files_expect("-", NULL, "a; p/1: p(a)"));
}

static void a_problem_folder_is_a_world(void **state)
{
    (void)state;
    files_write("f/bias.pl", "head_pred(uncle,2).\nbody_pred(brother,2).\nbody_pred(parent,2).\n");
    files_write("f/bk.pl", "parent(a,b).\nage(a,30).\nbrother(c,a).\nage(b,3).\n");
    files_write("f/exs.pl", "pos(uncle(c,b)).\nneg(uncle(b,a)).\n");
    files_write("f/README", "");
    nlm_problem *problem = files_expect("f", NULL,
                                        "a b c; brother/2: brother(c, a); parent/2: parent(a, b); "
                                        "uncle/2 ? uncle(c, b)+ uncle(b, a)-");
    files_notes(problem, "f: README is ignored",
                "age/2 is no body_pred of bias.pl: 2 facts are ignored, the first in f/bk.pl", NULL);
    assert_true(nlm_problem_labelled(problem));
    assert_false(nlm_problem_closed(problem));
    nlm_problem_free(problem);
    nlm_problem_free(files_expect("f/", &(nlm_reading){.closed_world = true},
                                  "a b c; brother/2: brother(c, a); parent/2: parent(a, b); uncle/2 - "
                                  "uncle(c, b)+"));
}

static void subfolders_are_worlds(void **state)
{
    (void)state;
    files_write("w/bias.pl", "head_pred(q,1). body_pred(p,1).");
    files_write("w/10/bk.pl", "p(a).");
    files_write("w/9/p.csv", "b\nc\n");
    files_write("w/9/exs.pl", "pos(q(c)).");
    files_write("w/9/bias.pl", "head_pred(");
    files_write("w/empty/README", "");
    files_write("w/.git/bk.pl", "p(");
    files_write("w/exs.pl", "pos(");
    files_write("w/10/exs.pl", "");
    nlm_problem *problem = files_read("w", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 2);
    assert_string_equal(nlm_problem_world_name(problem, 0), "10");
    assert_string_equal(nlm_problem_world_name(problem, 1), "9");
    files_world(problem, 0, "a; p/1: p(a); q/1 -");
    files_world(problem, 1, "b c; p/1: p(b) p(c); q/1 - q(c)+");
    files_notes(problem, "w/empty has neither bk.pl, nor a table, JSON Lines or a graph, and is ignored",
                "w/9: bias.pl is ignored", "w: .git and 1 other entry are ignored", NULL);
    nlm_problem_free(problem);
}

/* JSON Lines and graphs are parts of a world, or one by themselves. */
static void other_forms_are_parts_of_folders(void **state)
{
    (void)state;
    static const char graph[] = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                                "<edge source=\"b\" target=\"a\"/></graph></graphml>";
    files_write("f/bk.pl", "p(a).");
    files_write("f/g.dot", "digraph { a -> b }");
    files_write("f/l.jsonl", "{\"predicate\": \"p\", \"arguments\": [\"c\"]}\n");
    files_write("f/r.csv", "a,c\n");
    files_write("f/x.graphml", graph);
    files_write("f/exs.pl", "pos(q(c)). neg(q(a)).");
    nlm_problem *problem = files_read("f", NULL);
    files_world(problem, 0,
                "a b c; p/1: p(a) p(c); edge/2: edge(a, b) edge(b, a); r/2: r(a, c); q/1 ? q(c)+ q(a)-");
    files_notes(problem, NULL);
    nlm_problem_free(problem);
    files_write("g/1/g.gv", "digraph { a -> b }");
    files_write("g/1/exs.pl", "pos(q(a)).");
    files_write("g/2/x.graphml", graph);
    files_write("g/2/exs.pl", "pos(q(b)).");
    files_write("g/3/l.jsonl", "{\"predicate\": \"edge\", \"arguments\": [\"u\", \"v\"]}\n");
    files_write("g/3/exs.pl", "");
    files_write("g/overview.dot", "digraph { one -> two }");
    problem = files_read("g", NULL);
    assert_int_equal(nlm_problem_worlds(problem), 3);
    files_world(problem, 0, "a b; edge/2: edge(a, b); q/1 - q(a)+");
    files_world(problem, 1, "a b; edge/2: edge(b, a); q/1 - q(b)+");
    files_world(problem, 2, "u v; edge/2: edge(u, v); q/1 -");
    files_notes(problem, "g: overview.dot is ignored", NULL);
    nlm_problem_free(problem);
    files_write("g/2/x.graphml", "<graphml>");
    files_refused("g", NULL, NLM_BAD_FILE, "g/2/x.graphml:1: the file ends inside an element: it was cut");
    files_write("h/l.jsonl", "{\"predicate\": \"p\", \"arguments\": [\"c\"]}\n");
    problem = files_read("h", NULL);
    files_world(problem, 0, "c; p/1: p(c)");
    nlm_problem_free(problem);
}

/* Other names than those of a form: what the text begins with says what it is. */
static void texts_without_an_ending_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text, *world;
    } forms[] = {
        {"p(a, b).", "a b; p/2: p(a, b)"},
        {"\xEF\xBB\xBF\n% a, b\np(a, b).", "a b; p/2: p(a, b)"},
        {"raining. p(a, b).", "a b; raining/0: raining; p/2: p(a, b)"},
        {"q(X) :- p(X, b). p(a, b).", "a b; q/1: q(a); p/2: p(a, b)"},
        {"id,p\na,b\nb,\n", "a b; p/2: p(a, b)"},
        {"\"id\";\"p\"\n\"a\";\"b\"\n\"b\";\n", "a b; p/2: p(a, b)"},
        {"id\tp (the second)\na\tb\nb\t\n", "a b; p_the_second/2: p_the_second(a, b)"},
        {"{\"predicate\": \"p\", \"arguments\": [\"a\", \"b\"]}", "a b; p/2: p(a, b)"},
        {"digraph { a -> b }", "a b; edge/2: edge(a, b)"},
        {"graph(a, b).", "a b; graph/2: graph(a, b)"},
        {"<graphml><graph edgedefault='directed'><edge source='a' target='b'/></graph></graphml>",
         "a b; edge/2: edge(a, b)"},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        files_write("some.txt", forms[f].text);
        nlm_problem *problem = files_read("some.txt", NULL);
        files_world(problem, 0, forms[f].world);
        nlm_problem_free(problem);
    }
    files_write("knows.txt", "from,to\na,b\nb,c\n");
    nlm_problem *problem = files_read("knows.txt", NULL);
    files_world(problem, 0, "a b c; knows/2: knows(a, b) knows(b, c)");
    nlm_problem_free(problem);
}

/* In a closed world that lacks the file of its labels nothing would be true. */
static void every_world_needs_its_labels(void **state)
{
    (void)state;
    files_write("l/1/bk.pl", "p(a). p(b).");
    files_write("l/1/exs.pl", "pos(q(b)).");
    files_write("l/2/bk.pl", "p(c).");
    files_refused("l", NULL, NLM_BAD_FILE,
                  "l: 2 has no exs.pl, where the other worlds have their labels: add it, empty if nothing is "
                  "true there");
    files_write("l/3/bk.pl", "p(d).");
    files_write("l/1/exs.pl", "neg(q(b)).");
    files_refused("l", NULL, NLM_BAD_FILE,
                  "l: 2 and 1 other world have no exs.pl, where the other worlds have their labels: add it, "
                  "empty if nothing is true there");
    files_write("l/2/exs.pl", "");
    files_write("l/3/exs.pl", "");
    nlm_problem_free(files_read("l", NULL));
}

static void every_world_needs_the_tables_of_its_labels(void **state)
{
    (void)state;
    const char *const targets[] = {"q"};
    const nlm_reading of_q = {.targets = targets, .target_count = 1};
    files_write("t/1/p.csv", "a\nb\n");
    files_write("t/1/q.csv", "b\n");
    files_write("t/2/p.csv", "c\n");
    files_refused("t", &of_q, NLM_BAD_FILE,
                  "t: 2 has no q.csv, where the other worlds have their labels: add it, empty if nothing is "
                  "true there");
    /* A model may be asked about it; nothing is labelled there. */
    files_write("m/bk.pl", "p(a).");
    files_write("m/exs.pl", "pos(q(a)).");
    nlm_problem *of_model = files_read("m", NULL);
    nlm_problem *problem = files_read("t", &(nlm_reading){.signature = nlm_problem_signature(of_model)});
    files_world(problem, 0, "a b; p/1: p(a) p(b); q/1 - q(b)+");
    files_world(problem, 1, "c; p/1: p(c); q/1 ?");
    files_notes(problem, "t: 2 has no q.csv: no labels there", NULL);
    nlm_problem_free(problem);
    nlm_problem_free(of_model);
    files_write("t/2/q.csv", "");
    files_write("t/3/bk.pl", "p(c). q(c).");
    problem = files_read("t", &of_q);
    files_world(problem, 1, "c; p/1: p(c); q/1 -");
    files_world(problem, 2, "c; p/1: p(c); q/1 - q(c)+");
    nlm_problem_free(problem);
}

static void a_folder_that_was_not_finished_is_refused(void **state)
{
    (void)state;
    files_write("half/INCOMPLETE", "");
    files_write("half/1/bk.pl", "p(a).");
    files_refused("half", NULL, NLM_BAD_FILE,
                  "half/INCOMPLETE: not all files of this folder are there: it is being written, or that was "
                  "stopped; write it again");
    files_refused(
        "half/1", NULL, NLM_BAD_FILE,
        "half/1/../INCOMPLETE: not all files of this folder are there: it is being written, or that "
        "was stopped; write it again");
}

/* Only an input that a person names may be a pipe, which is waited for. */
static void files_in_folders_are_regular(void **state)
{
    (void)state;
    files_write("pipes/exs.pl", "");
    assert_int_equal(mkfifo("pipes/bk.pl", 0666), 0);
    files_refused("pipes", NULL, NLM_IO_ERROR, "pipes/bk.pl: not a regular file");
}

static void tables_are_a_world(void **state)
{
    (void)state;
    files_write("t/father.csv", "homer,bart\n\"Abe S., senior\",homer\n");
    files_write("t/male.tsv", "bart\n");
    files_write("t/uncle.csv", "herb,bart\n");
    files_write("t/uncle.neg.csv", "bart,herb\n");
    files_write("t/object.csv", "ned\n");
    files_write("t/empty.csv", "");
    files_write("t/.hidden.csv", "(");
    files_write("t/father.csv~", "(");
    files_write("t/notes.txt", "(");
    nlm_problem *problem =
        files_expect("t", &of_uncle,
                     "homer bart Abe S., senior ned herb; father/2: father(homer, bart) father('Abe S., "
                     "senior', homer); male/1: male(bart); uncle/2 ? uncle(herb, bart)+ uncle(bart, herb)-");
    files_notes(problem, "t: .hidden.csv and 2 other entries are ignored",
                "the table of empty has no rows, which leaves its arity open, and is ignored", NULL);
    nlm_problem_free(problem);
    /* Without being asked, what has false tuples is to be concluded. */
    problem = files_read("t", NULL);
    assert_string_equal(nlm_signature_target(nlm_problem_signature(problem), 0)->name, "uncle");
    nlm_problem_free(problem);
}

static void tables_may_lie_beside_facts(void **state)
{
    (void)state;
    files_write("m/bk.pl", "raining.\np(b).");
    files_write("m/p.csv", "a\nb\n");
    files_write("m/p.tsv", "c\n");
    nlm_problem_free(files_expect("m", NULL, "b a c; raining/0: raining; p/1: p(b) p(a) p(c)"));
}

static void paths_without_facts_are_refused(void **state)
{
    (void)state;
    files_write("e/README", "");
    files_write("e/sub/exs.pl", "");
    files_write("w/1/bk.pl", "p(a).");
    files_write("w/2/bk.pl", "");
    files_write("bad/a(b.csv", "a\n");
    files_refused("e", NULL, NLM_BAD_FILE,
                  "e: no facts: there is neither bk.pl, nor a table (NAME.csv or NAME.tsv), JSON Lines "
                  "(NAME.jsonl), a graph "
                  "(NAME.dot or NAME.graphml), nor a subfolder with one of these");
    files_refused("w", NULL, NLM_BAD_FILE,
                  "w: 2 has no objects: no fact counts; objects without facts are declared by object(name)");
    files_refused(
        "w/2", NULL, NLM_BAD_FILE,
        "w/2: there are no objects: no fact counts; objects without facts are declared by object(name)");
    files_refused(
        "bad", NULL, NLM_BAD_FILE,
        "bad/a(b.csv: a predicate cannot have this name: it has '(', '/', a control character, or is "
        "not UTF-8");
    files_refused("nowhere", NULL, NLM_IO_ERROR, "nowhere: No such file or directory");
    files_refused("nowhere/at/all", NULL, NLM_IO_ERROR, "nowhere/at/all: No such file or directory");
    files_refused("", NULL, NLM_IO_ERROR, ": No such file or directory");
    mkdir("d", 0777);
    mkdir("d/bk.pl", 0777);
    files_refused("d", NULL, NLM_IO_ERROR, "d/bk.pl: Is a directory");
    nlm_problem *problem;
    assert_int_equal(nlm_problem_read(NULL, NULL, &problem, NULL), NLM_BAD_ARGUMENT);
}

static void errors_name_file_and_line(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a).\np(b).\n");
    files_write("f/exs.pl", "pos(q(a)).\np(b).\n");
    files_refused("f", NULL, NLM_BAD_FILE,
                  "f/exs.pl:2: only pos(...) and neg(...), with one fact each, are read here");
    files_write("f/exs.pl", "pos(q(a)).\n");
    files_write("f/bias.pl", "\nhead_pred(q).\n");
    files_refused("f", NULL, NLM_BAD_FILE, "f/bias.pl:2: ',' is expected, not )");
    files_write("f/bias.pl", "");
    files_write("f/r.csv", "a,b\nc\n");
    files_refused("f", NULL, NLM_BAD_FILE,
                  "f/r.csv:2: a row of 1 field, the first row has 2: a field with the separator in it needs "
                  "quotes, one "
                  "that is not known stays empty");
    files_write("f/r.csv", "a,b\n");
    files_write("f/bk.pl", "p(a).\np([]).\n");
    files_refused("f", NULL, NLM_BAD_FILE,
                  "f/bk.pl:2: lists and terms in braces are not supported here: give the thing a name");
}

static void directives_are_noted_once_per_file(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a).\n:- dynamic p/1.\n:- discontiguous q/1.\n");
    files_write("f/exs.pl", ":- x.\npos(q(a)).");
    nlm_problem *problem = files_expect("f", NULL, "a; p/1: p(a); q/1 - q(a)+");
    files_notes(problem, "f/bk.pl:2: directives (:- ...) are ignored, there are 2",
                "f/exs.pl:1: directives (:- ...) are ignored, there is 1", NULL);
    nlm_problem_free(problem);
}

/* ---- targets ---- */

static void targets_can_be_asked_for(void **state)
{
    (void)state;
    files_write("a.pl", "father(a,b).\nuncle(c,b).\nfather(c,d).\np(a).\np(a,b).\nuncle(c,b).\n");
    nlm_problem_free(files_expect("a.pl", &of_uncle,
                                  "a b c d; father/2: father(a, b) father(c, d); p/1: p(a); p/2: p(a, b); "
                                  "uncle/2 - uncle(c, b)+"));
    static const char *const two[] = {"p/2", "uncle", "p/2"};
    nlm_problem *problem = files_expect("a.pl", &(nlm_reading){.targets = two, .target_count = 3},
                                        "a b c d; father/2: father(a, b) father(c, d); p/1: p(a); p/2 - "
                                        "p(a, b)+; uncle/2 - uncle(c, b)+");
    assert_true(nlm_problem_labelled(problem) && nlm_problem_closed(problem));
    nlm_problem_free(problem);
}

static void unknown_targets_are_refused(void **state)
{
    (void)state;
    files_write("a.pl", "father(a,b).\nuncle(c,b).\np(a).\np(a,b).\n");
    static const struct {
        const char *target, *message;
    } cases[] = {
        {"uncel", "a.pl has no predicate uncel; did you mean uncle/2?"},
        {"q", "a.pl has no predicate q; did you mean p/1, p/2?"},
        {"pa", "a.pl has no predicate pa; did you mean p/1, p/2?"},
        {"abc", "a.pl has no predicate abc; it has father/2, uncle/2, p/1, p/2"},
        {"uncle/3", "a.pl has no predicate uncle/3; did you mean uncle/2?"},
        {"uncle/", "a.pl has no predicate uncle/; did you mean uncle/2?"},
        {"uncle/22", "a.pl has no predicate uncle/22; did you mean uncle/2?"},
        {"grandparent", "a.pl has no predicate grandparent; it has father/2, uncle/2, p/1, p/2"},
        {"p", "p can be p/1 or p/2 in a.pl: say which"},
        {"a\nb", "a.pl has no predicate a?b; it has father/2, uncle/2, p/1, p/2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        files_refused("a.pl", &(nlm_reading){.targets = &cases[i].target, .target_count = 1},
                      NLM_BAD_ARGUMENT, cases[i].message);
    static const char *const none[] = {NULL};
    files_refused("a.pl", &(nlm_reading){.targets = none, .target_count = 1}, NLM_BAD_ARGUMENT,
                  "a target without a name (NULL)");
    files_write("odd.pl", "object(a). 'Big one'(a). 'it''s'(a,b). object(b,c).");
    files_refused("odd.pl", &of_uncle, NLM_BAD_ARGUMENT,
                  "odd.pl has no predicate uncle; it has 'Big one'/1, 'it''s'/2");
    files_write("many.pl", "aaaa(a). bbbb(a). cccc(a). dddd(a). eeee(a). ffff(a). gggg(a).");
    files_refused("many.pl", &of_uncle, NLM_BAD_ARGUMENT,
                  "many.pl has no predicate uncle; it has aaaa/1, bbbb/1, cccc/1, dddd/1, eeee/1, ...");
    files_write("empty.pl", "");
    files_refused("empty.pl", &of_uncle, NLM_BAD_ARGUMENT, "empty.pl has no predicate uncle, nor any other");
}

static void targets_are_those_of_the_bias_or_of_the_examples(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a). p(b). q(a). r(b).");
    files_write("f/exs.pl", "pos(r(a)). neg(s(a)).");
    nlm_problem *problem =
        files_expect("f", NULL, "a b; p/1: p(a) p(b); q/1: q(a); r/1 ? r(a)+; s/1 ? s(a)-");
    files_notes(
        problem,
        "r/1 is to be concluded, and exs.pl has the examples: 1 fact is ignored, the first in f/bk.pl", NULL);
    nlm_problem_free(problem);
    files_write("f/bias.pl", "head_pred(s,1).");
    problem = files_expect("f", NULL, "a b; p/1: p(a) p(b); q/1: q(a); r/1: r(b); s/1 ? s(a)-");
    files_notes(problem, "r/1 is not to be concluded: 1 example is ignored, the first in f/exs.pl", NULL);
    nlm_problem_free(problem);
    static const char *const q[] = {"q"};
    problem = files_expect("f", &(nlm_reading){.targets = q, .target_count = 1},
                           "a b; p/1: p(a) p(b); r/1: r(b); q/1 - q(a)+");
    files_notes(problem, "s/1 is not to be concluded: 1 example is ignored, the first in f/exs.pl",
                "r/1 is not to be concluded: 1 example is ignored, the first in f/exs.pl", NULL);
    nlm_problem_free(problem);
}

static void a_target_may_be_an_input_too(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a,b). q(b,a).");
    files_write("f/exs.pl", "pos(p(b,a)).");
    files_write("f/bias.pl", "head_pred(p,2). body_pred(p,2). body_pred(q,2).");
    nlm_problem_free(files_expect("f", NULL, "a b; p/2: p(a, b); q/2: q(b, a); p/2 - p(b, a)+"));
    assert_int_equal(remove("f/exs.pl"), 0); /* then its facts are all there is to learn from */
    nlm_problem_free(files_expect("f", NULL, "a b; q/2: q(b, a); p/2 - p(a, b)+"));
}

/* ---- labels ---- */

static void a_problem_without_examples_is_not_labelled(void **state)
{
    (void)state;
    files_write("f/bias.pl", "head_pred(q,1). body_pred(p,1).");
    files_write("f/bk.pl", "p(a).");
    nlm_problem *problem = files_expect("f", NULL, "a; p/1: p(a); q/1 ?");
    assert_false(nlm_problem_labelled(problem) || nlm_problem_closed(problem));
    nlm_problem_free(problem);
    problem = files_expect("f", &(nlm_reading){.closed_world = true}, "a; p/1: p(a); q/1 -");
    assert_true(nlm_problem_labelled(problem) && nlm_problem_closed(problem));
    nlm_problem_free(problem);
    files_write("f/exs.pl", ""); /* the examples are that there are none */
    nlm_problem_free(files_expect("f", NULL, "a; p/1: p(a); q/1 -"));
    assert_int_equal(remove("f/exs.pl"), 0);
    files_write("f/q.csv", "");
    nlm_problem_free(files_expect("f", NULL, "a; p/1: p(a); q/1 -"));
}

static void examples_are_labels_of_what_they_are_of(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a). p(b). q(a).");
    files_write("f/exs.pl", "pos(r(a)).");
    static const char *const targets[] = {"q", "r", "s"};
    files_write("f/s.csv", "");
    files_write("f/bias.pl", "body_pred(p,1). body_pred(s,1). body_pred(t,1).");
    /* q by its facts, r by its example, s by its table, which is empty */
    nlm_problem *problem = files_expect("f", &(nlm_reading){.targets = targets, .target_count = 3},
                                        "a b; p/1: p(a) p(b); t/1:; q/1 - q(a)+; r/1 - r(a)+; s/1 -");
    files_notes(problem, NULL);
    nlm_problem_free(problem);
    /* Nothing labels t: it is unlabelled, alone and beside others, with types and without. */
    static const char *const t[] = {"t", "r"};
    problem = files_expect("f", &(nlm_reading){.targets = t, .target_count = 1},
                           "a b; p/1: p(a) p(b); s/1:; t/1 ?");
    assert_false(nlm_problem_labelled(problem) || nlm_problem_closed(problem));
    nlm_problem_free(problem);
    nlm_problem_free(files_expect("f", &(nlm_reading){.targets = t, .target_count = 2},
                                  "a b; p/1: p(a) p(b); s/1:; t/1 ?; r/1 - r(a)+"));
    nlm_problem_free(files_expect("f", &(nlm_reading){.targets = t, .target_count = 2, .closed_world = true},
                                  "a b; p/1: p(a) p(b); s/1:; t/1 -; r/1 - r(a)+"));
    files_write("f/bias.pl", "body_pred(p,1). body_pred(t,1). type(p,x). type(t,x). type(r,y).");
    nlm_problem_free(files_expect("f", &(nlm_reading){.targets = t, .target_count = 2},
                                  "x:a x:b y:a; p/1: p(a) p(b); type(x)/1: type(x)(a) type(x)(b); "
                                  "type(y)/1: type(y)(a); t/1 ?; r/1 ? r(a)+"));
    /* What bias.pl declares the examples are of, though there is none. */
    files_write("f/bias.pl", "head_pred(t,1). head_pred(r,1). body_pred(p,1).");
    nlm_problem_free(files_expect("f", NULL, "a b; p/1: p(a) p(b); t/1 -; r/1 - r(a)+"));
}

static void examples_of_others_are_no_labels_for_a_model(void **state)
{
    (void)state;
    files_write("m/bk.pl", "p(a). p(b).");
    files_write("m/exs.pl", "pos(q(a)).");
    nlm_problem *model = files_read("m", NULL);
    const nlm_reading reading = {.signature = nlm_problem_signature(model)};
    files_write("f/1/bk.pl", "p(a). p(b).");
    files_write("f/2/bk.pl", "p(c).");
    files_write("f/1/exs.pl", "pos(uncle(a,b)). neg(uncle(b,a)).");
    nlm_problem *problem = files_read("f", &reading);
    assert_false(nlm_problem_labelled(problem) || nlm_problem_closed(problem));
    files_world(problem, 0, "a b; p/1: p(a) p(b); q/1 ?");
    files_notes(problem, "uncle/2 is not to be concluded: 2 examples are ignored, the first in f/1/exs.pl",
                NULL);
    nlm_problem_free(problem);
    files_write("f/2/exs.pl", "pos(q(c)).");
    problem = files_read("f", &reading);
    assert_true(nlm_problem_labelled(problem) && nlm_problem_closed(problem));
    files_world(problem, 0, "a b; p/1: p(a) p(b); q/1 -");
    nlm_problem_free(problem);
    files_write("f/1/exs.pl", ""); /* that there are none says that all are false */
    files_write("f/2/exs.pl", "");
    problem = files_read("f", &reading);
    files_world(problem, 1, "c; p/1: p(c); q/1 -");
    nlm_problem_free(problem);
    files_write("f/bias.pl", "head_pred(uncle,2). body_pred(x,1)."); /* all uncles */
    problem = files_read("f", &reading);
    assert_false(nlm_problem_labelled(problem));
    files_notes(problem, NULL);
    nlm_problem_free(problem);
    files_write("f/bias.pl", "head_pred(q,1). head_pred(");
    files_write("f/2/exs.pl", "pos(uncle(c,c)).");
    problem = files_read("f", &reading);
    assert_false(nlm_problem_labelled(problem));
    nlm_problem_free(problem);
    files_write("f/bias.pl", "head_pred(q,1).");
    problem = files_read("f", &reading);
    files_world(problem, 1, "c; p/1: p(c); q/1 -");
    nlm_problem_free(problem);
    nlm_problem_free(model);
}

static void an_empty_table_needs_an_arity(void **state)
{
    (void)state;
    files_write("t/p.csv", "a\nb\n");
    files_write("t/near.csv", "");
    static const char *const near[] = {"near"}, *const near_2[] = {"near/2"}, *const near_9[] = {"near/9"};
    files_refused("t", &(nlm_reading){.targets = near, .target_count = 1}, NLM_BAD_ARGUMENT,
                  "t: the table of near has no rows, which leaves its arity open: name it with its arity, "
                  "such as near/2");
    files_refused("t", &(nlm_reading){.targets = near_9, .target_count = 1}, NLM_BAD_ARGUMENT,
                  "t has no predicate near/9; it has p/1");
    nlm_problem *problem = files_expect("t", &(nlm_reading){.targets = near_2, .target_count = 1},
                                        "a b; p/1: p(a) p(b); near/2 -");
    files_notes(problem, NULL);
    nlm_problem_free(problem);
}

static void contradictions_are_recorded(void **state)
{
    (void)state;
    files_write("f/bk.pl", "p(a). p(b).");
    files_write("f/exs.pl", "neg(q(a,b)). pos(q(b,a)). pos(q(a,b)). neg(q(b,a)). neg(q(b,a)). neg(q(a,a)).");
    nlm_problem *problem =
        files_expect("f", NULL, "a b; p/1: p(a) p(b); q/2 ? q(a, b)+ q(b, a)+; q(A,A)/1 ? q(a, a)-");
    assert_int_equal(nlm_problem_contradictions(problem), 2);
    nlm_contradiction first = nlm_problem_contradiction(problem, 0);
    assert_int_equal(first.world, 0);
    assert_int_equal(first.target, 0);
    assert_int_equal(first.tuple[0], 0);
    assert_int_equal(first.tuple[1], 1);
    assert_int_equal(nlm_problem_contradiction(problem, 1).tuple[0], 1);
    assert_int_equal(nlm_problem_contradiction(problem, 2).world, -1);
    nlm_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_file_is_a_world),
        files_test(standard_input_is_a_file),
        files_test(a_problem_folder_is_a_world),
        files_test(subfolders_are_worlds),
        files_test(other_forms_are_parts_of_folders),
        files_test(texts_without_an_ending_are_recognised),
        files_test(every_world_needs_its_labels),
        files_test(every_world_needs_the_tables_of_its_labels),
        files_test(a_folder_that_was_not_finished_is_refused),
        files_test(files_in_folders_are_regular),
        files_test(tables_are_a_world),
        files_test(tables_may_lie_beside_facts),
        files_test(paths_without_facts_are_refused),
        files_test(errors_name_file_and_line),
        files_test(directives_are_noted_once_per_file),
        files_test(targets_can_be_asked_for),
        files_test(unknown_targets_are_refused),
        files_test(targets_are_those_of_the_bias_or_of_the_examples),
        files_test(a_target_may_be_an_input_too),
        files_test(a_problem_without_examples_is_not_labelled),
        files_test(examples_are_labels_of_what_they_are_of),
        files_test(examples_of_others_are_no_labels_for_a_model),
        files_test(an_empty_table_needs_an_arity),
        files_test(contradictions_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

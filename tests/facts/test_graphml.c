/* Graphs in GraphML: what becomes facts, what is skipped, and what is refused. */
#include "facts/files.h"

static void a_graph_is_facts(void **state)
{
    (void)state;
    files_write(
        "g.graphml",
        "\xEF\xBB\xBF<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- <a> -->\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "<key id=\"d0\" for=\"node\" attr.name=\"colour\" attr.type=\"string\"><default>x</default></key>\n"
        "<key id='d1' for='edge' attr.name='km' attr.type='double'/><key id='label'/>\n"
        "<graph id='G' edgedefault='undirected'>\n"
        "<node id='a &amp; &#233;&#x41;'><data key='d0'> r<![CDATA[<&]]>&lt; </data></node>\n"
        "<node id='b'/><node id='c'><data key='d0'><y:Shape><z>1</z></y:Shape></data></node>\n"
        "<edge source='a &amp; éA' target='b'><data key='d1'>3</data><data key='label'>rail</data></edge>\n"
        "<edge directed='true' source='b' target='c'/>\n"
        "</graph></graphml>\n");
    nlm_problem *problem = files_read("g.graphml", NULL);
    const nlm_world *world = nlm_problem_world(problem, 0);
    assert_int_equal(nlm_world_objects(world), 5); /* the colours are two */
    assert_string_equal(nlm_world_object_name(world, 0), "a & éA");
    assert_string_equal(nlm_world_object_name(world, 1), "r<&<");
    assert_string_equal(nlm_world_predicate_name(world, 1), "rail");
    assert_int_equal(nlm_problem_count_facts(problem, 0), 2); /* one by default; that of c is no text */
    assert_int_equal(nlm_problem_count_facts(problem, 1), 2);
    assert_int_equal(nlm_problem_count_facts(problem, 2), 1);
    assert_int_equal(nlm_world_numbers(world, 0, NULL, NULL), 2);
    assert_string_equal(nlm_problem_note(problem, 0),
                        "g.graphml:8: elements without a meaning here are ignored, there is 1");
    nlm_problem_free(problem);
}

/* A key may have a value for nodes or edges without data of it; data that are empty say nothing. */
static void keys_have_defaults(void **state)
{
    (void)state;
    files_write("d.graphml",
                "<graphml><key id='k' for='node' attr.name='colour'><default>red</default></key>\n"
                "<key id='w' for='edge' attr.type='double'><default>2</default></key>\n"
                "<key id='label' for='edge'><default> rail </default></key>\n"
                "<key id='u' for='graph'><default>x</default></key><key id='n'><default/></key>\n"
                "<graph edgedefault='directed'><node id='a'/><node id='b'><data key='k'>blue</data></node>\n"
                "<node id='c'><data key='k'/></node><edge source='a' target='b'/>\n"
                "<edge source='b' target='c'><data key='label'>road</data><data key='w'>3.5</data></edge>\n"
                "</graph></graphml>");
    nlm_problem *problem = files_read("d.graphml", NULL);
    files_world(problem, 0,
                "a red b blue c; colour/2: colour(a, red) colour(b, blue); rail/2: rail(a, b); road/2: "
                "road(b, c)");
    assert_int_equal(nlm_world_numbers(nlm_problem_world(problem, 0), 0, NULL, NULL), 2);
    files_notes(problem,
                "numbers, not names of objects, end the facts of w/3; a type of another name than real makes "
                "them names",
                NULL);
    nlm_problem_free(problem);
    files_write("d.graphml", "<graphml>\n<key id='w' attr.type='double'><default>much</default></key>\n"
                             "<graph edgedefault='directed'><node id='a'/></graph></graphml>");
    files_refused(
        "d.graphml", NULL, NLM_BAD_FILE,
        "d.graphml:2: the key has attr.type double or float, but this is no number: leave it out if "
        "it is not known");
}

static void refused(const char *inside, const char *message)
{
    char text[512], expected[512];
    snprintf(text, sizeof text,
             "<graphml><key id='r' attr.type='float'/><graph edgedefault='directed'>\n%s</graph></graphml>",
             inside);
    snprintf(expected, sizeof expected, "g.graphml:2: %s", message);
    files_write("g.graphml", text);
    files_refused("g.graphml", NULL, NLM_BAD_FILE, expected);
}

static void bad_graphs_are_refused(void **state)
{
    (void)state;
    refused("<node id='a'><graph edgedefault='directed'/></node>",
            "a second graph, or one inside another: a file has one; write a file for each");
    refused("<hyperedge/>", "hyperedges and ports are not supported: write edges between two nodes");
    refused("<node/>", "an empty name of a node: give it a name");
    refused("<edge source='a'/>", "an edge has a source and a target: the ids of nodes");
    refused("<node id='a'><data key='k'>1</data></node>",
            "data of key \"k\", which is not declared: <key id=...> comes before the graph");
    refused("<node id='a'><data key='r'>x</data></node>",
            "the key has attr.type double or float, but this is no number: leave it out if it is not known");
    refused("<node id='a&nbsp;'/>",
            "& begins no entity that is supported: they are &amp; &lt; &gt; &quot; &apos; and "
            "numbers such as &#233;");
    refused(
        "&#0;",
        "& begins no entity that is supported: they are &amp; &lt; &gt; &quot; &apos; and numbers such as "
        "&#233;");
    refused("<node id=a/>", "a broken tag: the value of an attribute stands in quotes");
    refused("<node id/>", "a broken tag: name=\"value\" is expected");
    refused("<node id='a", "a value that does not end: a quote is missing");
    refused("<node id='a'></edge>", "an end tag that does not fit: another element is open");
    refused("< a>", "a < that begins no tag: write &lt;");
    refused("<!-- a", "what begins here does not end: --> is missing");
    refused("<!DOCTYPE a>", "a DOCTYPE is not supported: remove it");
    refused("<node id='a'>", "an end tag that does not fit: another element is open");
    files_write("g.graphml", "<svg/>");
    files_refused("g.graphml", NULL, NLM_BAD_FILE, "g.graphml:1: no GraphML: the first element is <graphml>");
    files_write("g.graphml", "<graphml/>");
    files_refused("g.graphml", NULL, NLM_BAD_FILE,
                  "g.graphml:1: no GraphML: there is no <graph> in <graphml>");
    files_write("g.graphml", "<graphml>\n<graph edgedefault='directed'>");
    files_refused("g.graphml", NULL, NLM_BAD_FILE,
                  "g.graphml:2: the file ends inside an element: it was cut");
    files_write("g.graphml", "<graphml><graph/></graphml>");
    files_refused("g.graphml", NULL, NLM_BAD_FILE,
                  "g.graphml:1: a graph has edgedefault=\"directed\" or edgedefault=\"undirected\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_graph_is_facts),
        files_test(keys_have_defaults),
        files_test(bad_graphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

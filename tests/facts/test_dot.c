/* Graphs in DOT: what becomes facts, and what is refused. */
#include "facts/files.h"

static nlm_problem *read_dot(const char *text, const char *expected)
{
    files_write("g.dot", text);
    return files_expect("g.dot", NULL, expected);
}

static void expect(const char *text, const char *expected)
{
    nlm_problem *problem = read_dot(text, expected);
    files_notes(problem, NULL);
    nlm_problem_free(problem);
}

static void edges_are_facts(void **state)
{
    (void)state;
    expect("digraph { a -> b -> c; }", "a b c; edge/2: edge(a, b) edge(b, c)");
    expect("graph { a -- b; c--c }", "a b c; edge/2: edge(a, b) edge(b, a); edge(A,A)/1: edge(c, c)");
    expect("\xEF\xBB\xBF"
           "# a line of a preprocessor\n"
           "/* one\n * two */ STRICT Digraph \"G 1\" {\r\n  a->b // a comment\n  \"d \\\"e\\\" \\\nf\" é_2; "
           "12 -> -0.5}",
           "a b d \"e\" f é_2 12 -0.5; edge/2: edge(a, b) edge(12, -0.5)");
    files_write("g.gv", "graph{\"graph\"--a/**/}");
    nlm_problem_free(files_expect("g.gv", NULL, "graph a; edge/2: edge(graph, a) edge(a, graph)"));
}

static void attributes_are_facts(void **state)
{
    (void)state;
    expect("digraph { a [colour=red, size=\"big one\"] [x=y]; a -> b -> c [label=likes] a -> c [since=old] }",
           "a red big one y b c old; colour/2: colour(a, red); size/2: size(a, 'big one'); x/2: x(a, y); "
           "likes/2: likes(a, b) likes(b, c); since/3: since(a, c, old); edge/2: edge(a, c)");
    expect("graph { a -- b [kind=k; label=on] }",
           "a b k; kind/3: kind(a, b, k) kind(b, a, k); on/2: on(a, b) on(b, a)");
}

static void clusters_are_read_and_defaults_noted(void **state)
{
    (void)state;
    nlm_problem *problem =
        read_dot("digraph {\n rankdir=LR; node [shape=box, x=y]\n subgraph c1 { a -> b } { d } "
                 "subgraph { e }; }",
                 "a b d e; edge/2: edge(a, b)");
    files_notes(problem,
                "g.dot:2: attributes of the graph, and defaults of nodes and edges, are ignored, there are 3",
                NULL);
    nlm_problem_free(problem);
}

static void refused(const char *statement, const char *message)
{
    char text[256], expected[512];
    snprintf(text, sizeof text, "digraph {\n%s }\n", statement);
    snprintf(expected, sizeof expected, "g.dot:2: %s", message);
    files_write("g.dot", text);
    files_refused("g.dot", NULL, NLM_BAD_FILE, expected);
}

static void bad_graphs_are_refused(void **state)
{
    (void)state;
    static const char clusters[] =
        "edges from or to subgraphs are not supported: write an edge for each of their nodes";
    refused("a -- b", "-- in a digraph: write ->, or begin the file with graph");
    refused("a:n -> b",
            "ports are not supported: leave out the part behind the colon, or put the name in quotes");
    refused("a -> b:s",
            "ports are not supported: leave out the part behind the colon, or put the name in quotes");
    refused("a [label=<b>]", "HTML strings are not supported: write a string in quotes");
    refused("a -> {b c}", clusters);
    refused("a -> subgraph s {b c}", clusters);
    refused("{b c} -> a", clusters);
    refused("\"a\" + \"b\"", "joined strings are not supported: write one string");
    refused("3rd", "a name that begins with a number: put it in quotes, \"3rd\"");
    refused("1.2.3", "a name that begins with a number: put it in quotes, \"3rd\"");
    refused("a [b]", "an attribute is key=value: = is expected here");
    refused("a [b=]", "a name is expected here");
    refused("a -> ;", "a name is expected here");
    refused("node -> a", "node, edge and graph are words of DOT: put them in quotes if they are names");
    refused("subgraph a b", "{ is expected here, where a subgraph begins");
    refused("a & b",
            "a character that is not expected here: names with other characters than letters, digits and "
            "_ stand in quotes");
    refused("\"a }", "a string that begins here does not end: a quote is missing");
    refused("/* a }", "a comment that begins here does not end: */ is missing");
    refused("a -> b [label=object]",
            "\"object\" becomes a predicate, but that one declares objects; give it another name");
    refused("a [\"x/y\"=b]",
            "\"x/y\" becomes a predicate, but cannot be the name of one: it is empty, or has '(', '/' "
            "or a control character; give it another name");
    refused("a } graph {", "text behind the graph: a file has one graph; write a file for each");
    files_write("g.dot", "a -> b");
    files_refused("g.dot", NULL, NLM_BAD_FILE,
                  "g.dot:1: no graph in DOT: the file begins with digraph { or graph {");
    files_write("g.dot", "graph {\na -> b }");
    files_refused("g.dot", NULL, NLM_BAD_FILE,
                  "g.dot:2: -> in a graph: write --, or begin the file with digraph");
    files_write("g.dot", "graph {\na");
    files_refused("g.dot", NULL, NLM_BAD_FILE, "g.dot:2: the graph does not end: } is missing");
    files_write("g.dot", "graph a b");
    files_refused("g.dot", NULL, NLM_BAD_FILE, "g.dot:1: { is expected here, where the graph begins");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(edges_are_facts),
        files_test(attributes_are_facts),
        files_test(clusters_are_read_and_defaults_noted),
        files_test(bad_graphs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

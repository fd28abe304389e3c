/* DOT: tokens, which are pieces of the text, and statements, which become facts as they are read. */
#include "facts/dot.h"

#include <ctype.h>
#include <strings.h>
#include "base/error.h"
#include "facts/graph_facts.h"
#include "syntax/atom.h"

typedef enum token_kind {
    TOKEN_NAME,   /* an identifier or a number */
    TOKEN_STRING, /* in quotes: never a keyword */
    TOKEN_MARK,   /* one of { } [ ] = ; , : + */
    TOKEN_ARROW,  /* -> */
    TOKEN_LINE,   /* -- */
    TOKEN_END
} token_kind;

struct token {
    token_kind kind;
    prolog_name text;
    size_t line;
};

struct reader {
    graph_facts graph;
    char *begin, *at;
    size_t line;
    struct token token;
    buffer nodes; /* prolog_name: of the statement that is read */
    int count;
    size_t ignored, ignored_line; /* attributes of the graph and defaults; where the first is */
};

static nlm_status refuse(const struct reader *in, const char *reason)
{
    return message_refuse(in->graph.error, in->graph.file, in->token.line, "%s", reason);
}

/* ---- tokens ---- */

/* To the end of a comment that begins here. */
static nlm_status skip_comment(struct reader *in)
{
    const char *end = strstr(in->at + 2, "*/");
    in->token.line = in->line;
    if (!end)
        return refuse(in, "a comment that begins here does not end: */ is missing");
    for (; in->at < end + 2; in->at++)
        in->line += *in->at == '\n';
    return NLM_OK;
}

/* Over spaces, comments, and lines that begin with #. */
static nlm_status skip_space(struct reader *in)
{
    nlm_status status = NLM_OK;
    while (!status && *in->at) {
        const bool line_begins = in->at == in->begin || in->at[-1] == '\n';
        if ((*in->at == '#' && line_begins) || (in->at[0] == '/' && in->at[1] == '/'))
            in->at += strcspn(in->at, "\n");
        else if (in->at[0] == '/' && in->at[1] == '*')
            status = skip_comment(in);
        else if (isspace((unsigned char)*in->at))
            in->line += *in->at++ == '\n';
        else
            break;
    }
    return status;
}

/* Decoded where it stands: \" is a quote, a line that ends in \ goes on in the next. */
static nlm_status read_string(struct reader *in)
{
    char *out = ++in->at;
    in->token.kind = TOKEN_STRING;
    in->token.text.text = out;
    for (; *in->at != '"'; in->at++) {
        if (*in->at == '\0')
            return refuse(in, "a string that begins here does not end: a quote is missing");
        in->line += *in->at == '\n';
        if (in->at[0] == '\\' && in->at[1] == '\n') {
            in->at++;
            in->line++;
            continue;
        }
        in->at += in->at[0] == '\\' && in->at[1] == '"';
        *out++ = *in->at;
    }
    in->token.text.length = (size_t)(out - in->token.text.text);
    in->at++;
    return NLM_OK;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Digits with at most one point, perhaps after a minus sign; 0 if there is no digit. */
static size_t numeral(const char *text)
{
    const size_t sign = *text == '-', whole = strspn(text + sign, "0123456789");
    const char *point = text + sign + whole;
    const size_t part = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    return whole + part > 0 ? sign + whole + (*point == '.') + part : 0;
}

/* Bytes of a name without quotes, a number or an arrow; 0 if there is none. */
static size_t word(const struct reader *in)
{
    size_t length = numeral(in->at);
    if (length > 0)
        return length;
    if (in->at[0] == '-' && (in->at[1] == '>' || in->at[1] == '-'))
        return 2;
    while (is_word(in->at[length]))
        length++;
    return length;
}

static nlm_status next(struct reader *in)
{
    nlm_status status = skip_space(in);
    in->token = (struct token){TOKEN_END, {in->at, 0}, in->line};
    if (status || *in->at == '\0')
        return status;
    if (*in->at == '"')
        return read_string(in);
    size_t length = word(in);
    if (numeral(in->at) && (is_word(in->at[length]) || in->at[length] == '.'))
        return refuse(in, "a name that begins with a number: put it in quotes, \"3rd\"");
    if (*in->at == '<')
        return refuse(in, "HTML strings are not supported: write a string in quotes");
    if (length == 0 && !strchr("{}[]=;,:+", *in->at))
        return refuse(in, "a character that is not expected here: names with other characters than letters, "
                          "digits and _ stand in quotes");
    if (length == 0)
        in->token.kind = TOKEN_MARK;
    else if (is_word(*in->at) || numeral(in->at))
        in->token.kind = TOKEN_NAME;
    else
        in->token.kind = in->at[1] == '>' ? TOKEN_ARROW : TOKEN_LINE;
    in->token.text.length = length > 0 ? length : 1;
    in->at += in->token.text.length;
    return NLM_OK;
}

static bool is_mark(const struct reader *in, char mark)
{
    return in->token.kind == TOKEN_MARK && *in->token.text.text == mark;
}

static bool is_keyword(const struct reader *in, const char *word)
{
    return in->token.kind == TOKEN_NAME && in->token.text.length == strlen(word) &&
           !strncasecmp(in->token.text.text, word, in->token.text.length);
}

static bool is_edge(const struct reader *in)
{
    return in->token.kind == TOKEN_ARROW || in->token.kind == TOKEN_LINE;
}

/* A name or a string, and the token behind it. */
static nlm_status read_name(struct reader *in, prolog_name *name)
{
    if (is_mark(in, '{') || is_keyword(in, "subgraph"))
        return refuse(in,
                      "edges from or to subgraphs are not supported: write an edge for each of their nodes");
    if (in->token.kind != TOKEN_NAME && in->token.kind != TOKEN_STRING)
        return refuse(in, "a name is expected here");
    const bool string = in->token.kind == TOKEN_STRING;
    *name = in->token.text;
    nlm_status status = next(in);
    if (!status && string && is_mark(in, '+'))
        return refuse(in, "joined strings are not supported: write one string");
    return status;
}

/* ---- statements ---- */

static const prolog_name *node_at(const struct reader *in, int number)
{
    return (const prolog_name *)in->nodes.data + number;
}

/* An attribute of all nodes or edges of the statement; the label of edges is kept. */
static nlm_status add_attribute(struct reader *in, prolog_name key, prolog_name value, prolog_name *label,
                                size_t line)
{
    nlm_status status = NLM_OK;
    if (in->count == 0) {
        if (in->ignored++ == 0)
            in->ignored_line = line;
        return NLM_OK;
    }
    if (in->count == 1)
        return graph_facts_node_attribute(&in->graph, *node_at(in, 0), key, value, line);
    if (name_is(key, "label")) {
        *label = value;
        return NLM_OK;
    }
    for (int n = 0; n + 1 < in->count && !status; n++)
        status = graph_facts_edge_attribute(&in->graph, node_at(in, n), key, value, line);
    return status;
}

/* Lists in brackets, [a=1, b=2] [c=3]. */
static nlm_status read_attributes(struct reader *in, prolog_name *label)
{
    nlm_status status = NLM_OK;
    while (!status && is_mark(in, '[')) {
        status = next(in);
        while (!status && !is_mark(in, ']')) {
            prolog_name key, value;
            const size_t line = in->token.line;
            status = read_name(in, &key);
            if (!status && !is_mark(in, '='))
                status = refuse(in, "an attribute is key=value: = is expected here");
            if (!status)
                status = next(in);
            if (!status)
                status = read_name(in, &value);
            if (!status)
                status = add_attribute(in, key, value, label, line);
            if (!status && (is_mark(in, ',') || is_mark(in, ';')))
                status = next(in);
        }
        if (!status)
            status = next(in);
    }
    return status;
}

static nlm_status read_node(struct reader *in)
{
    prolog_name name;
    nlm_status status = read_name(in, &name);
    if (!status && is_mark(in, ':'))
        return refuse(
            in, "ports are not supported: leave out the part behind the colon, or put the name in quotes");
    if (!status && buffer_reserve(&in->nodes, (size_t)in->count + 1, sizeof name, true))
        status = error_no_memory(in->graph.error);
    if (!status)
        ((prolog_name *)in->nodes.data)[in->count++] = name;
    return status;
}

/* a; a [..]; a -> b -> c [..]; or key = value of the graph. */
static nlm_status read_nodes(struct reader *in)
{
    prolog_name label = {0}, value;
    const size_t line = in->token.line;
    in->count = 0;
    nlm_status status = read_node(in);
    if (!status && is_mark(in, '=')) {
        const prolog_name key = *node_at(in, 0);
        in->count = 0;
        status = next(in);
        if (!status)
            status = read_name(in, &value);
        return status ? status : add_attribute(in, key, value, &label, line);
    }
    while (!status && is_edge(in)) {
        if (in->graph.directed != (in->token.kind == TOKEN_ARROW))
            return refuse(in, in->graph.directed ? "-- in a digraph: write ->, or begin the file with graph"
                                                 : "-> in a graph: write --, or begin the file with digraph");
        status = next(in);
        if (!status)
            status = read_node(in);
    }
    if (!status && in->count == 1)
        status = graph_facts_node(&in->graph, *node_at(in, 0), line);
    if (!status)
        status = read_attributes(in, &label);
    for (int n = 0; n + 1 < in->count && !status; n++)
        status = graph_facts_edge(&in->graph, node_at(in, n), label, line);
    return status;
}

/* Defaults of nodes and edges, and attributes of the graph: [..] must follow. */
static nlm_status read_defaults(struct reader *in)
{
    prolog_name label;
    nlm_status status = next(in);
    if (!status && !is_mark(in, '['))
        return refuse(in, "node, edge and graph are words of DOT: put them in quotes if they are names");
    in->count = 0;
    return status ? status : read_attributes(in, &label);
}

/* subgraph NAME {, or { alone. */
static nlm_status begin_subgraph(struct reader *in)
{
    nlm_status status = NLM_OK;
    if (is_keyword(in, "subgraph"))
        status = next(in);
    if (!status && !is_mark(in, '{'))
        status = next(in);
    if (!status && !is_mark(in, '{'))
        return refuse(in, "{ is expected here, where a subgraph begins");
    return status ? status : next(in);
}

static nlm_status read_statements(struct reader *in)
{
    nlm_status status = NLM_OK;
    for (size_t depth = 1; !status;) {
        if (in->token.kind == TOKEN_END)
            return refuse(in, "the graph does not end: } is missing");
        if (is_mark(in, ';'))
            status = next(in);
        else if (is_mark(in, '}')) {
            status = next(in);
            if (status || --depth == 0)
                return status;
            if (is_edge(in))
                return refuse(in,
                              "edges from or to subgraphs are not supported: write an edge for each of their "
                              "nodes");
        } else if (is_mark(in, '{') || is_keyword(in, "subgraph")) {
            depth++;
            status = begin_subgraph(in);
        } else if (is_keyword(in, "node") || is_keyword(in, "edge") || is_keyword(in, "graph"))
            status = read_defaults(in);
        else
            status = read_nodes(in);
    }
    return status;
}

/* strict digraph NAME { */
static nlm_status read_heading(struct reader *in)
{
    nlm_status status = next(in);
    if (!status && is_keyword(in, "strict"))
        status = next(in);
    in->graph.directed = is_keyword(in, "digraph");
    if (!status && !in->graph.directed && !is_keyword(in, "graph"))
        return refuse(in, "no graph in DOT: the file begins with digraph { or graph {");
    if (!status)
        status = next(in);
    if (!status && !is_mark(in, '{'))
        status = next(in);
    if (!status && !is_mark(in, '{'))
        return refuse(in, "{ is expected here, where the graph begins");
    return status ? status : next(in);
}

nlm_status dot_read(draft *to, char *text, size_t size, const char *file, nlm_error *error)
{
    struct reader in = {.graph = {.to = to, .file = file, .error = error}, .line = 1};
    nlm_status status = atom_check_text(text, size, file, error);
    in.begin = in.at = text + (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0);
    if (!status)
        status = draft_expect(to, text, error);
    if (!status)
        status = read_heading(&in);
    if (!status)
        status = read_statements(&in);
    if (!status && in.token.kind != TOKEN_END)
        status = refuse(&in, "text behind the graph: a file has one graph; write a file for each");
    if (!status && in.ignored > 0)
        status =
            notes_add(&to->notes, error,
                      "%.200s:%zu: attributes of the graph, and defaults of nodes and edges, are ignored, "
                      "there %s %zu",
                      file, in.ignored_line, in.ignored == 1 ? "is" : "are", in.ignored);
    buffer_free(&in.nodes);
    return status;
}

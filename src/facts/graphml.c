/* GraphML: tags one after the other; what is open is a stack of names. */
#include "facts/graphml.h"

#include <ctype.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/text.h"
#include "facts/graph_facts.h"
#include "syntax/atom.h"
#include "syntax/number.h"

enum { MOST_ATTRIBUTES = 16 };

struct tag {
    prolog_name name;
    bool closes, empty;
    prolog_name key[MOST_ATTRIBUTES], value[MOST_ATTRIBUTES];
    int count;
    size_t line;
};

struct key {
    prolog_name id, name;
    bool is_real;
    bool of_nodes, of_edges;
    prolog_name by_default; /* of nodes and edges without data of the key; its length is 0 without */
    size_t line;            /* of the default */
    size_t given;           /* the last element with data of the key, as a number */
};

struct reader {
    graph_facts graph;
    char *at;
    size_t line;
    buffer open; /* prolog_name */
    int depth;
    int skipped; /* the depth of an element that is skipped, or 0 */
    size_t ignored, ignored_line;
    buffer keys; /* struct key */
    int key_count;
    bool has_graph, directed;
    prolog_name ends[2], label; /* of the node or edge that is open */
    size_t element;             /* its number, from 1 */
    size_t edge_line;
    int data; /* the key of the data or default that is open */
};

static nlm_status refuse(const struct reader *in, size_t line, const char *reason)
{
    return message_refuse(in->graph.error, in->graph.file, line, "%s", reason);
}

/* ---- XML ---- */

static bool is_control(unsigned long c)
{
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

/* The entity at in->at is written to `*out`, which is not behind it. */
static nlm_status decode(struct reader *in, char **out)
{
    static const struct {
        const char *text;
        char character;
    } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t k = 0; k < sizeof entities / sizeof *entities; k++) {
        const size_t length = strlen(entities[k].text);
        if (!strncmp(in->at, entities[k].text, length)) {
            *(*out)++ = entities[k].character;
            in->at += length;
            return NLM_OK;
        }
    }
    const bool hexadecimal = in->at[1] == '#' && in->at[2] == 'x';
    const char *digits = in->at + (hexadecimal ? 3 : 2);
    char *end = in->at;
    unsigned long c = 0;
    if (in->at[1] == '#' &&
        (hexadecimal ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
        c = strtoul(digits, &end, hexadecimal ? 16 : 10);
    const size_t length = *end == ';' && c <= 0x10FFFF && !is_control(c) ? utf8_encode((uint32_t)c, *out) : 0;
    if (length == 0)
        return refuse(in, in->line,
                      "& begins no entity that is supported: they are &amp; &lt; &gt; &quot; &apos; "
                      "and numbers such as &#233;");
    *out += length;
    in->at = end + 1;
    return NLM_OK;
}

/* To behind `end`. */
static nlm_status skip_to(struct reader *in, const char *end)
{
    const char *found = strstr(in->at, end);
    if (!found)
        return message_refuse(in->graph.error, in->graph.file, in->line,
                              "what begins here does not end: %s is missing", end);
    for (found += strlen(end); in->at < found; in->at++)
        in->line += *in->at == '\n';
    return NLM_OK;
}

/* The text up to the next tag, decoded where it stands. */
static nlm_status read_text(struct reader *in, prolog_name *text)
{
    char *out = in->at;
    nlm_status status = NLM_OK;
    text->text = out;
    while (!status && *in->at) {
        if (*in->at == '&')
            status = decode(in, &out);
        else if (!strncmp(in->at, "<![CDATA[", 9)) {
            const char *from = in->at + 9;
            status = skip_to(in, "]]>");
            const size_t length = status ? 0 : (size_t)(in->at - 3 - from);
            memmove(out, from, length);
            out += length;
        } else if (!strncmp(in->at, "<!--", 4))
            status = skip_to(in, "-->");
        else if (!strncmp(in->at, "<?", 2))
            status = skip_to(in, "?>");
        else if (!strncmp(in->at, "<!", 2))
            return refuse(in, in->line, "a DOCTYPE is not supported: remove it");
        else if (*in->at == '<')
            break;
        else {
            in->line += *in->at == '\n';
            *out++ = *in->at++;
        }
    }
    text->length = (size_t)(out - text->text);
    while (text->length > 0 && isspace((unsigned char)text->text[text->length - 1]))
        text->length--;
    for (; text->length > 0 && isspace((unsigned char)*text->text); text->length--)
        text->text++;
    return status;
}

static void skip_space(struct reader *in)
{
    for (; isspace((unsigned char)*in->at); in->at++)
        in->line += *in->at == '\n';
}

static prolog_name read_word(struct reader *in)
{
    prolog_name word = {in->at, strcspn(in->at, " \t\r\n\v\f=/><\"'&")};
    in->at += word.length;
    return word;
}

static nlm_status read_attribute(struct reader *in, struct tag *tag)
{
    if (tag->count == MOST_ATTRIBUTES)
        return refuse(in, in->line, "an element with more than 16 attributes: leave some out");
    prolog_name *key = &tag->key[tag->count], *value = &tag->value[tag->count];
    *key = read_word(in);
    skip_space(in);
    if (key->length == 0 || *in->at != '=')
        return refuse(in, in->line, "a broken tag: name=\"value\" is expected");
    in->at++;
    skip_space(in);
    const char quote = *in->at;
    if (quote != '"' && quote != '\'')
        return refuse(in, in->line, "a broken tag: the value of an attribute stands in quotes");
    char *out = ++in->at;
    nlm_status status = NLM_OK;
    value->text = out;
    while (!status && *in->at != quote) {
        if (*in->at == '\0' || *in->at == '<')
            return refuse(in, in->line, "a value that does not end: a quote is missing");
        if (*in->at == '&')
            status = decode(in, &out);
        else {
            in->line += *in->at == '\n';
            *out++ = *in->at++;
        }
    }
    value->length = (size_t)(out - value->text);
    in->at++;
    tag->count++;
    return status;
}

/* The tag at in->at, which is a <. */
static nlm_status read_tag(struct reader *in, struct tag *tag)
{
    nlm_status status = NLM_OK;
    in->at++;
    *tag = (struct tag){.line = in->line, .closes = *in->at == '/'};
    in->at += tag->closes;
    tag->name = read_word(in);
    if (tag->name.length == 0)
        return refuse(in, in->line, "a < that begins no tag: write &lt;");
    for (skip_space(in); !status && *in->at != '>' && *in->at != '/'; skip_space(in))
        status = read_attribute(in, tag);
    if (status)
        return status;
    tag->empty = *in->at == '/';
    in->at += tag->empty;
    if (*in->at != '>' || (tag->empty && tag->closes))
        return refuse(in, in->line, "a broken tag: > is expected");
    in->at++;
    return NLM_OK;
}

static prolog_name attribute(const struct tag *tag, const char *key)
{
    for (int k = 0; k < tag->count; k++)
        if (name_is(tag->key[k], key))
            return tag->value[k];
    return (prolog_name){"", 0};
}

/* ---- elements ---- */

static bool is_inside(const struct reader *in, const char *name)
{
    return in->depth > 0 && name_is(((const prolog_name *)in->open.data)[in->depth - 1], name);
}

static struct key *key_at(const struct reader *in, int number)
{
    return (struct key *)in->keys.data + number;
}

static nlm_status begin_key(struct reader *in, const struct tag *tag)
{
    const prolog_name type = attribute(tag, "attr.type"), name = attribute(tag, "attr.name");
    const prolog_name about = attribute(tag, "for");
    const bool of_all = about.length == 0 || name_is(about, "all");
    struct key key = {.id = attribute(tag, "id"),
                      .is_real = name_is(type, "double") || name_is(type, "float"),
                      .of_nodes = of_all || name_is(about, "node"),
                      .of_edges = of_all || name_is(about, "edge")};
    key.name = name.length > 0 ? name : key.id;
    if (key.id.length == 0)
        return refuse(in, tag->line, "a key without id");
    if (buffer_reserve(&in->keys, (size_t)in->key_count + 1, sizeof key, true))
        return error_no_memory(in->graph.error);
    in->data = in->key_count;
    *key_at(in, in->key_count++) = key;
    return NLM_OK;
}

static nlm_status begin_graph(struct reader *in, const struct tag *tag)
{
    const prolog_name edges = attribute(tag, "edgedefault");
    if (in->has_graph)
        return refuse(in, tag->line,
                      "a second graph, or one inside another: a file has one; write a file for each");
    in->has_graph = true;
    in->directed = name_is(edges, "directed");
    return in->directed || name_is(edges, "undirected")
               ? NLM_OK
               : refuse(in, tag->line, "a graph has edgedefault=\"directed\" or edgedefault=\"undirected\"");
}

static nlm_status begin_edge(struct reader *in, const struct tag *tag)
{
    const prolog_name directed = attribute(tag, "directed");
    in->ends[0] = attribute(tag, "source");
    in->ends[1] = attribute(tag, "target");
    in->label = (prolog_name){"", 0};
    in->edge_line = tag->line;
    in->element++;
    in->graph.directed = directed.length > 0 ? name_is(directed, "true") : in->directed;
    return in->ends[0].length > 0 && in->ends[1].length > 0
               ? NLM_OK
               : refuse(in, tag->line, "an edge has a source and a target: the ids of nodes");
}

static nlm_status begin_data(struct reader *in, const struct tag *tag)
{
    const prolog_name id = attribute(tag, "key");
    for (int k = 0; k < in->key_count; k++) {
        struct key *key = key_at(in, k);
        in->data = k;
        if (key->id.length == id.length && !memcmp(key->id.text, id.text, id.length)) {
            key->given = in->element;
            return NLM_OK;
        }
    }
    message_name name = message_cut(id.text, id.length);
    return message_refuse(in->graph.error, in->graph.file, tag->line,
                          "data of key \"%s\", which is not declared: <key id=...> comes before the graph",
                          name.text);
}

static nlm_status begin(struct reader *in, const struct tag *tag)
{
    const prolog_name name = tag->name;
    if (in->depth == 0)
        return name_is(name, "graphml") ? NLM_OK
                                        : refuse(in, tag->line, "no GraphML: the first element is <graphml>");
    if (name_is(name, "hyperedge") || name_is(name, "port"))
        return refuse(in, tag->line, "hyperedges and ports are not supported: write edges between two nodes");
    if (name_is(name, "key") && is_inside(in, "graphml"))
        return begin_key(in, tag);
    if (name_is(name, "default") && is_inside(in, "key"))
        return NLM_OK;
    if (name_is(name, "graph"))
        return begin_graph(in, tag);
    if (name_is(name, "node") && is_inside(in, "graph")) {
        in->ends[0] = attribute(tag, "id");
        in->element++;
        return graph_facts_node(&in->graph, in->ends[0], tag->line);
    }
    if (name_is(name, "edge") && is_inside(in, "graph"))
        return begin_edge(in, tag);
    if (name_is(name, "data") && (is_inside(in, "node") || is_inside(in, "edge")))
        return begin_data(in, tag);
    if (in->ignored++ == 0)
        in->ignored_line = tag->line;
    in->skipped = in->depth + 1;
    return NLM_OK;
}

/* Data of a node or of an edge.  A number of a real type gets a point. */
static nlm_status add_data(struct reader *in, const struct key *key, bool of_node, prolog_name value,
                           size_t line)
{
    char text[NUMBER_SIZE];
    double number;
    if (key->is_real && value.length > 0) {
        const char *copy = text_keep(&in->graph.to->texts, value.text, value.length);
        if (!copy)
            return error_no_memory(in->graph.error);
        if (number_of(copy) == NUMBER_NONE || !number_read(copy, &number))
            return refuse(
                in, line,
                "the key has attr.type double or float, but this is no number: leave it out if it is "
                "not known");
        if (number_of(copy) == NUMBER_INTEGER) {
            number_text(number, text);
            value = (prolog_name){text, strlen(text)};
        }
    }
    if (of_node)
        return graph_facts_node_attribute(&in->graph, in->ends[0], key->name, value, line);
    if (!name_is(key->name, "label"))
        return graph_facts_edge_attribute(&in->graph, in->ends, key->name, value, line);
    in->label = value;
    return NLM_OK;
}

/* What a node or edge has by default, since it has no data of the key. */
static nlm_status add_defaults(struct reader *in, bool of_node)
{
    nlm_status status = NLM_OK;
    for (int k = 0; k < in->key_count && !status; k++) {
        const struct key *key = key_at(in, k);
        if ((of_node ? key->of_nodes : key->of_edges) && key->given != in->element &&
            key->by_default.length > 0)
            status = add_data(in, key, of_node, key->by_default, key->line);
    }
    return status;
}

/* The element that was opened last ends; it is no longer in the stack. */
static nlm_status end(struct reader *in, prolog_name name, prolog_name text, size_t line)
{
    const bool is_node = name_is(name, "node");
    if (in->skipped > 0) {
        if (in->skipped > in->depth)
            in->skipped = 0;
        return NLM_OK;
    }
    if (name_is(name, "default")) {
        key_at(in, in->data)->by_default = text;
        key_at(in, in->data)->line = line;
        return NLM_OK;
    }
    if (name_is(name, "data"))
        return add_data(in, key_at(in, in->data), is_inside(in, "node"), text, line);
    nlm_status status = is_node || name_is(name, "edge") ? add_defaults(in, is_node) : NLM_OK;
    return status || is_node || !name_is(name, "edge")
               ? status
               : graph_facts_edge(&in->graph, in->ends, in->label, in->edge_line);
}

static nlm_status read_element(struct reader *in, prolog_name text)
{
    struct tag tag;
    nlm_status status = read_tag(in, &tag);
    if (status)
        return status;
    if (tag.closes) {
        const prolog_name open =
            in->depth > 0 ? ((const prolog_name *)in->open.data)[in->depth - 1] : (prolog_name){"", 0};
        if (open.length != tag.name.length || memcmp(open.text, tag.name.text, open.length))
            return refuse(in, tag.line, "an end tag that does not fit: another element is open");
        in->depth--;
        return end(in, tag.name, text, tag.line);
    }
    if (in->skipped == 0)
        status = begin(in, &tag);
    if (!status && tag.empty)
        return end(in, tag.name, (prolog_name){"", 0}, tag.line);
    if (!status && buffer_reserve(&in->open, (size_t)in->depth + 1, sizeof tag.name, true))
        status = error_no_memory(in->graph.error);
    if (!status)
        ((prolog_name *)in->open.data)[in->depth++] = tag.name;
    return status;
}

nlm_status graphml_read(draft *to, char *text, size_t size, const char *file, nlm_error *error)
{
    struct reader in = {.graph = {.to = to, .file = file, .error = error}, .line = 1};
    prolog_name between;
    nlm_status status = atom_check_text(text, size, file, error);
    in.at = text + (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0);
    if (!status)
        status = draft_expect(to, text, error);
    while (!status && !(status = read_text(&in, &between)) && *in.at)
        status = read_element(&in, between);
    if (!status && in.depth > 0)
        status = refuse(&in, in.line, "the file ends inside an element: it was cut");
    if (!status && !in.has_graph)
        status = refuse(&in, in.line, "no GraphML: there is no <graph> in <graphml>");
    if (!status && in.ignored > 0)
        status = notes_add(&to->notes, error,
                           "%.200s:%zu: elements without a meaning here are ignored, there %s %zu", file,
                           in.ignored_line, in.ignored == 1 ? "is" : "are", in.ignored);
    buffer_free(&in.open);
    buffer_free(&in.keys);
    return status;
}

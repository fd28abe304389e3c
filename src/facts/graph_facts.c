/* Facts of graphs: nodes, edges and their attributes join the draft. */
#include "facts/graph_facts.h"

#include "base/error.h"
#include "syntax/atom.h"

#define DECLARATION "object"

static prolog_name name_of(const char *text)
{
    return (prolog_name){text, strlen(text)};
}

/* A name from the file becomes a predicate. */
static nlm_status check_predicate(const graph_facts *in, prolog_name name, size_t line)
{
    message_name shown = message_cut(name.text, name.length);
    if (name.length == 0 || !atom_is_predicate(name.text, name.length))
        return message_refuse(
            in->error, in->file, line,
            "\"%s\" becomes a predicate, but cannot be the name of one: it is empty, or has '(', "
            "'/' or a control character; give it another name",
            shown.text);
    if (name_is(name, DECLARATION))
        return message_refuse(
            in->error, in->file, line,
            "\"%s\" becomes a predicate, but that one declares objects; give it another name", shown.text);
    return NLM_OK;
}

static nlm_status add(const graph_facts *in, prolog_name predicate, const prolog_name *arguments, int arity,
                      size_t line)
{
    prolog_fact fact = {.name = predicate, .arity = arity, .line = line};
    memcpy(fact.argument, arguments, (size_t)arity * sizeof *arguments);
    return draft_add(in->to, DRAFT_FACT, &fact, in->file, in->error);
}

/* About the ends of an edge in this order and, without a direction, in the other. */
static nlm_status add_both(const graph_facts *in, prolog_name predicate, const prolog_name ends[2],
                           const prolog_name *value, size_t line)
{
    const prolog_name there[3] = {ends[0], ends[1], value ? *value : ends[0]};
    const prolog_name back[3] = {ends[1], ends[0], there[2]};
    const bool loop = ends[0].length == ends[1].length && !memcmp(ends[0].text, ends[1].text, ends[0].length);
    const int arity = value ? 3 : 2;
    nlm_status status = add(in, predicate, there, arity, line);
    return status || in->directed || loop ? status : add(in, predicate, back, arity, line);
}

nlm_status graph_facts_node(const graph_facts *in, prolog_name node, size_t line)
{
    return add(in, name_of(DECLARATION), &node, 1, line);
}

nlm_status graph_facts_node_attribute(const graph_facts *in, prolog_name node, prolog_name key,
                                      prolog_name value, size_t line)
{
    const prolog_name arguments[] = {node, value};
    nlm_status status = check_predicate(in, key, line);
    return status ? status : add(in, key, arguments, 2, line);
}

nlm_status graph_facts_edge(const graph_facts *in, const prolog_name ends[2], prolog_name label, size_t line)
{
    nlm_status status = label.text ? check_predicate(in, label, line) : NLM_OK;
    return status ? status : add_both(in, label.text ? label : name_of("edge"), ends, NULL, line);
}

nlm_status graph_facts_edge_attribute(const graph_facts *in, const prolog_name ends[2], prolog_name key,
                                      prolog_name value, size_t line)
{
    nlm_status status = check_predicate(in, key, line);
    return status ? status : add_both(in, key, ends, &value, line);
}

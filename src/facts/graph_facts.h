/* Facts of graphs, whatever form of file they are in.
 *
 * A node that is listed is object(a).  An edge is edge(a, b), or likes(a, b) if its label is likes; without a
 * direction it is (b, a) too.  An attribute of a node is colour(a, red), one of an edge weight(a, b, 3). */
#ifndef FACTS_GRAPH_FACTS_H
#define FACTS_GRAPH_FACTS_H

#include <string.h>
#include "facts/draft.h"

typedef struct graph_facts {
    draft *to; /* into its last world */
    const char *file;
    bool directed;
    nlm_error *error;
} graph_facts;

nlm_status graph_facts_node(const graph_facts *in, prolog_name node, size_t line);
nlm_status graph_facts_node_attribute(const graph_facts *in, prolog_name node, prolog_name key,
                                      prolog_name value, size_t line);
/* Without a label its text is NULL. */
nlm_status graph_facts_edge(const graph_facts *in, const prolog_name ends[2], prolog_name label, size_t line);
nlm_status graph_facts_edge_attribute(const graph_facts *in, const prolog_name ends[2], prolog_name key,
                                      prolog_name value, size_t line);

static inline bool name_is(prolog_name name, const char *text)
{
    return name.length == strlen(text) && !memcmp(name.text, text, name.length);
}

#endif

/* Graphs in DOT, the language of Graphviz: digraph { a -> b [label=likes]; c [colour=red]; }
 *
 * Clusters are read for what is in them.  Attributes of the graph, and defaults of nodes and edges, are
 * ignored with a note.  Ports, HTML strings, joined strings, and edges to subgraphs are refused. */
#ifndef FACTS_DOT_H
#define FACTS_DOT_H

#include "facts/draft.h"

/* The graph in a text of `size` bytes, ended by 0, into the last world; strings are decoded in it. */
nlm_status dot_read(draft *to, char *text, size_t size, const char *file, nlm_error *error);

#endif

/* Graphs in GraphML, as far as graphs of nodes, edges and their attributes need XML.
 *
 * Comments, CDATA, processing instructions, and the entities of XML are read.  Other elements are skipped
 * with a note.  A DOCTYPE, nested graphs, hyperedges and ports are refused. */
#ifndef FACTS_GRAPHML_H
#define FACTS_GRAPHML_H

#include "facts/draft.h"

/* The graph in a text of `size` bytes, ended by 0, into the last world; entities are decoded in it. */
nlm_status graphml_read(draft *to, char *text, size_t size, const char *file, nlm_error *error);

#endif

/* PDDL as text: nested lists of words, with comments from ';' to the end of a line.
 *
 * Letters are small letters from here on, since PDDL does not tell them apart.  A tree is a list of nodes in
 * the order of the text; the lists of a file hang below node 0. */
#ifndef PDDL_TREE_H
#define PDDL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/memory.h"

enum { PDDL_NONE = -1, PDDL_MOST_DEPTH = 64, PDDL_MOST_WORD = 80 };

struct pddl_node {
    const char *word; /* NULL: a list */
    size_t line;
    int first, next; /* numbers of nodes, or PDDL_NONE */
};

/* A text, read.  It owns all of it. */
struct pddl_tree {
    char *file; /* its name in messages */
    char *text; /* words end with 0 */
    buffer nodes;
    int count;
};

/* Read a text of `size` bytes; what fails is released. */
nlm_status pddl_tree_read(struct pddl_tree *tree, const char *text, size_t size, const char *file,
                          nlm_error *error);
void pddl_tree_release(struct pddl_tree *tree);

static inline const struct pddl_node *pddl_node_at(const struct pddl_tree *tree, int number)
{
    return (const struct pddl_node *)tree->nodes.data + number;
}

/* Of a list: the word that it begins with, or "". */
const char *pddl_head(const struct pddl_tree *tree, int list);
/* Whether it is a word, and this one. */
bool pddl_is_word(const struct pddl_tree *tree, int node, const char *word);
/* Whether it is a name: a word that begins with a letter. */
bool pddl_is_name(const struct pddl_tree *tree, int node);

/* "file:line: cause", the line that of the node. */
nlm_status pddl_refuse(const struct pddl_tree *tree, int node, nlm_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif

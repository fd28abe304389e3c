/* Words and lists of PDDL (pddl_tree.h).  The open lists are kept on a stack of their own, so depth costs no
 * recursion; readers of the tree do recurse, hence the limit. */
#include "pddl/pddl_tree.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "syntax/reading_message.h"

/* What a word may have beside letters and digits; '?' begins variables, ':' keywords. */
static const char *const WORD_MARKS = "-_?:=<>+*/.@#$%&!^~[]";

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_word_part(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || (c != '\0' && strchr(WORD_MARKS, c));
}

/* The last child of each open list, for linking. */
struct reader {
    struct pddl_tree *tree;
    size_t line;
    int open[PDDL_MOST_DEPTH + 1], last[PDDL_MOST_DEPTH + 1];
    int depth;
};

static nlm_status add_node(struct reader *in, const char *word, nlm_error *error)
{
    struct pddl_tree *tree = in->tree;
    if (tree->count == INT_MAX ||
        buffer_reserve(&tree->nodes, (size_t)tree->count + 1, sizeof(struct pddl_node), true))
        return error_no_memory(error);
    struct pddl_node *nodes = tree->nodes.data;
    nodes[tree->count] =
        (struct pddl_node){.word = word, .line = in->line, .first = PDDL_NONE, .next = PDDL_NONE};
    if (tree->count > 0) {
        int *last = &in->last[in->depth];
        *(*last == PDDL_NONE ? &nodes[in->open[in->depth]].first : &nodes[*last].next) = tree->count;
        *last = tree->count;
    }
    tree->count++;
    return NLM_OK;
}

static nlm_status open_list(struct reader *in, nlm_error *error)
{
    if (in->depth == PDDL_MOST_DEPTH)
        return message_refuse(error, in->tree->file, in->line, "more than %d lists inside each other",
                              PDDL_MOST_DEPTH);
    nlm_status status = add_node(in, NULL, error);
    if (status)
        return status;
    in->depth++;
    in->open[in->depth] = in->tree->count - 1;
    in->last[in->depth] = PDDL_NONE;
    return NLM_OK;
}

/* One list mark or word; `at` is behind it afterwards.  A word is ended by 0 when what follows was seen. */
static nlm_status read_part(struct reader *in, char **at, nlm_error *error)
{
    char *word = *at;
    if (*word == '(') {
        *word = '\0';
        (*at)++;
        return open_list(in, error);
    }
    if (*word == ')') {
        *word = '\0';
        (*at)++;
        if (in->depth == 0)
            return message_refuse(error, in->tree->file, in->line, "')' closes nothing");
        in->depth--;
        return NLM_OK;
    }
    while (is_word_part(**at)) {
        if (**at >= 'A' && **at <= 'Z')
            **at = (char)(**at - 'A' + 'a');
        (*at)++;
    }
    if (*at == word && *word > ' ' && *word <= '~')
        return message_refuse(error, in->tree->file, in->line, "'%c' is no part of PDDL", *word);
    if (*at == word)
        return message_refuse(error, in->tree->file, in->line, "the byte %d is no part of PDDL",
                              (unsigned char)*word);
    if (*at - word > PDDL_MOST_WORD)
        return message_refuse(error, in->tree->file, in->line, "%s is longer than %d letters",
                              message_cut(word, (size_t)(*at - word)).text, PDDL_MOST_WORD);
    if (in->depth == 0)
        return message_refuse(error, in->tree->file, in->line, "'%s' stands outside of all lists",
                              message_cut(word, (size_t)(*at - word)).text);
    return add_node(in, word, error);
}

static nlm_status read_all(struct reader *in, char *at, const char *end, nlm_error *error)
{
    nlm_status status = add_node(in, NULL, error);
    while (!status && at < end) {
        if (*at == ';') {
            *at = '\0'; /* it may end a word */
            while (at < end && *at != '\n')
                at++;
        } else if (is_blank(*at)) {
            in->line += *at == '\n';
            *at++ = '\0';
        } else {
            status = read_part(in, &at, error);
        }
    }
    if (!status && in->depth > 0)
        status = pddl_refuse(in->tree, in->open[in->depth], error, "'(' is never closed");
    return status;
}

nlm_status pddl_tree_read(struct pddl_tree *tree, const char *text, size_t size, const char *file,
                          nlm_error *error)
{
    *tree = (struct pddl_tree){.file = memory_copy_text(file), .text = memory_new(size + 1, 1)};
    struct reader in = {.tree = tree, .line = 1, .last = {PDDL_NONE}};
    nlm_status status = tree->file && tree->text ? NLM_OK : error_no_memory(error);
    if (!status && size > 0)
        memcpy(tree->text, text, size);
    if (!status)
        status = read_all(&in, tree->text, tree->text + size, error);
    if (status)
        pddl_tree_release(tree);
    return status;
}

void pddl_tree_release(struct pddl_tree *tree)
{
    memory_free(tree->file);
    memory_free(tree->text);
    buffer_free(&tree->nodes);
    *tree = (struct pddl_tree){0};
}

const char *pddl_head(const struct pddl_tree *tree, int list)
{
    const int first = pddl_node_at(tree, list)->first;
    const char *word = first == PDDL_NONE ? NULL : pddl_node_at(tree, first)->word;
    return word ? word : "";
}

bool pddl_is_word(const struct pddl_tree *tree, int node, const char *word)
{
    const char *own = node == PDDL_NONE ? NULL : pddl_node_at(tree, node)->word;
    return own && !strcmp(own, word);
}

bool pddl_is_name(const struct pddl_tree *tree, int node)
{
    const char *word = node == PDDL_NONE ? NULL : pddl_node_at(tree, node)->word;
    return word && is_letter(*word);
}

nlm_status pddl_refuse(const struct pddl_tree *tree, int node, nlm_error *error, const char *format, ...)
{
    char cause[NLM_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    return message_refuse(error, tree->file, node == PDDL_NONE ? 0 : pddl_node_at(tree, node)->line, "%s",
                          cause);
}

/* Prolog's syntax, as far as facts and rules need it: tokens, facts, and directives skipped to their end.
 *
 * The text is one block, ended by 0, which quoted names are decoded in; so tokens are pointers into it, and
 * nothing is allocated.  A token that was read is not read again. */
#ifndef SYNTAX_PROLOG_H
#define SYNTAX_PROLOG_H

#include <stdbool.h>
#include <stddef.h>
#include "nlm/status.h"

enum { PROLOG_MOST_ARGUMENTS = 4 }; /* of a fact */

typedef enum prolog_kind {
    PROLOG_ATOM,
    PROLOG_NUMBER,
    PROLOG_VARIABLE,
    PROLOG_STRING,
    PROLOG_OPERATOR,
    PROLOG_MARK, /* one of ( ) [ ] { } , | ! ; */
    PROLOG_STOP, /* the "." that ends a clause */
    PROLOG_END,  /* of the text */
    PROLOG_BROKEN
} prolog_kind;

typedef struct prolog_token {
    prolog_kind kind;
    const char *text; /* names and strings are decoded */
    size_t length, line;
    bool opens; /* "(" follows directly */
} prolog_token;

typedef struct prolog {
    const char *file; /* in messages */
    char *at;         /* what comes after the token */
    size_t line;      /* there */
    prolog_token token;
    size_t directives;     /* skipped so far */
    size_t directive_line; /* of the first */
} prolog;

typedef struct prolog_name {
    const char *text;
    size_t length;
} prolog_name;

typedef struct prolog_fact {
    prolog_name name;
    int arity;
    prolog_name argument[PROLOG_MOST_ARGUMENTS];
    size_t line;
} prolog_fact;

/* Begin with a text of `size` bytes, after which there is a 0.  It must be UTF-8 without zero bytes. */
nlm_status prolog_start(prolog *in, char *text, size_t size, const char *file, nlm_error *error);

/* The next fact, father(homer, bart), or example of one, pos(father(homer, bart)); `*found` is false at the
 * end of the text. */
nlm_status prolog_next_fact(prolog *in, prolog_fact *fact, bool *found, nlm_error *error);
nlm_status prolog_next_example(prolog *in, prolog_fact *fact, bool *is_true, bool *found, nlm_error *error);
/* The next fact, or head of a rule, whose arguments may be variables: a bit of `variables` for each that is
 * one.  The token is then a ":-" or the "." of a fact, which has no variables. */
nlm_status prolog_next_head(prolog *in, prolog_fact *head, unsigned *variables, bool *found,
                            nlm_error *error);
/* The same for a goal of a rule's body, which begins with the token; the token is then what comes after it.
 */
nlm_status prolog_read_goal(prolog *in, prolog_fact *goal, unsigned *variables, nlm_error *error);

/* To the first token of the next clause that is no directive, or to PROLOG_END. */
nlm_status prolog_next_clause(prolog *in, nlm_error *error);
/* The next token into in->token. */
nlm_status prolog_advance(prolog *in, nlm_error *error);
/* Whether the token is the mark or operator `text`. */
bool prolog_is(const prolog *in, const char *text);
/* Behind the end of the clause that the token is part of and that began in `line`. */
nlm_status prolog_skip(prolog *in, size_t line, nlm_error *error);
/* Why the token, at which something else was expected, cannot be there. */
nlm_status prolog_refuse(const prolog *in, const char *expected, nlm_error *error);

#endif

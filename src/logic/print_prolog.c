#include "logic/print_prolog.h"
#include <stdbool.h>
#include <string.h>

enum { TEXT_SIZE = 400 };

/* Whether it is one of words between spaces. */
static bool is_among(const char *words, const char *name)
{
    char word[TEXT_SIZE];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(words, word) != NULL;
}

/* To Prolog these are operators, which stand in brackets where they are not used as such ... */
static const char operators[] =
    " as discontiguous div dynamic initialization is meta_predicate mod module_transparent multifile public "
    "rdiv rem table thread_initialization thread_local volatile xor ";

/* ... and these its own predicates, which it does not let others define unasked. */
static const char protected[] =
    " abolish asserta assertz atom atomic call callable clause close compound discontiguous dynamic fail "
    "false float ground halt initialization integer is keysort length multifile nl nonvar number once "
    "phrase read repeat retract retractall sort throw true var write writeq ";

void prolog_write_indicator(FILE *stream, const char *first, int *printed, const char *name, int arity)
{
    fprintf(stream, is_among(operators, name) ? "%s(%s)/%d" : "%s%s/%d", (*printed)++ == 0 ? first : ", ",
            name, arity);
}

void prolog_write_redefinition(FILE *stream, const char *name, int arity)
{
    if (!is_among(protected, name))
        return;
    fprintf(stream, ":- redefine_system_predicate(%s", name);
    for (int i = 0; i < arity; i++)
        fputs(i ? ",_" : "(_", stream);
    fputs(arity ? ")).\n" : ").\n", stream);
}

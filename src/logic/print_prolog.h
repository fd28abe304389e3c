/* What SWI-Prolog has to be told about names, for programs of logic and those of differentiable ILP alike. */
#ifndef LOGIC_PRINT_PROLOG_H
#define LOGIC_PRINT_PROLOG_H

#include <stdio.h>

/* "NAME/ARITY", the name as Prolog writes it, with `first` before it the first time, and ", " later. */
void prolog_write_indicator(FILE *stream, const char *first, int *printed, const char *name, int arity);
/* A line that lets a program define NAME/ARITY, if it is a predicate of Prolog's own. */
void prolog_write_redefinition(FILE *stream, const char *name, int arity);

#endif

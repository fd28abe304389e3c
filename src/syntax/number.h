/* Numbers as texts: what facts and programs write, and doubles. */
#ifndef SYNTAX_NUMBER_H
#define SYNTAX_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum number_kind {
    NUMBER_NONE,
    NUMBER_INTEGER, /* 12, -3 */
    NUMBER_REAL     /* 3.76, 1e-7 */
} number_kind;

enum { NUMBER_SIZE = 32 }; /* bytes of the longest text, with its end */

/* What a whole text is, ended by 0. */
number_kind number_of(const char *text);
/* Its value; false if no finite double is near. */
bool number_read(const char *text, double *value);
/* The shortest text that is read as the same number, always with a point: 3.0, 1.0e300. */
void number_text(double value, char text[NUMBER_SIZE]);
/* With so many digits, at most 17: number_read reads something near. */
void number_shortened(double value, int digits, char text[NUMBER_SIZE]);

#endif

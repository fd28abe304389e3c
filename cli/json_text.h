/* Texts in JSON. */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include <stdio.h>

/* A text in quotes; what is not UTF-8 becomes U+FFFD. */
void json_text(FILE *file, const char *text);

#endif

/* What programs around the library need as well: time, numbers for people, texts for JSON. */
#ifndef NLM_TOOLS_H
#define NLM_TOOLS_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds on a clock that never goes back, for measuring how long something took. */
double nlm_clock(void);

/* ---- numbers for people, each in the room that the caller gives, and returned ---- */

#define NLM_NUMBER_TEXT 32

/* 1,234,567 */
const char *nlm_count_text(size_t count, char text[NLM_NUMBER_TEXT]);
/* A share of 0 to 1 as 99.90 %, rounded down.  100 % is for 1 itself; what is less has as many digits as it
 * takes to show it: 99.99990 %. */
const char *nlm_percent_text(double share, char text[NLM_NUMBER_TEXT]);
/* Bytes as "1.5 GB". */
const char *nlm_memory_text(double bytes, char text[NLM_NUMBER_TEXT]);
/* 0:45, 12:05, 1:02:03; at most 999:59:59. */
const char *nlm_time_text(double seconds, char text[NLM_NUMBER_TEXT]);

/* ---- texts ---- */

/* Bytes of the UTF-8 character at `text`, of which `size` bytes may be read; 0 if none begins there.  In a
 * text that is ended by 0, `size` may be any number. */
size_t nlm_character_length(const char *text, size_t size);
/* Make a text fit for a terminal: control characters become '?'. */
void nlm_clean_text(char *text);
/* A text in quotes for JSON; what is not UTF-8 becomes U+FFFD. */
void nlm_json_text(FILE *stream, const char *text);

/* A list of names: at(context, 0), at(context, 1), ..., NULL after the last. */
typedef struct nlm_name_list {
    const char *(*at)(const void *context, int index);
    const void *context;
} nlm_name_list;

/* The names that a mistyped one may have meant, at most `most` of them, the nearest first, none much farther
 * than it; returns how many there are.  Names are near when at most a third of the letters typed (rounded up,
 * but not the only one) must be added, dropped or changed to turn one into the other.  Parts of a listed
 * name, cut at its dashes, count as well: "uncel" is near to "mg-uncle". */
int nlm_nearest_names(const char *name, nlm_name_list list, const char **nearest, int most);

#ifdef __cplusplus
}
#endif
#endif

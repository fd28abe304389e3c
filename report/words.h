/* Numbers as people read them, each in the room that the caller gives, and returned; what is not known (NaN)
 * is a dash. */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

enum { WORD_SIZE = 32 }; /* as NLM_NUMBER_TEXT */

/* 1,234,567 */
const char *word_count(double count, char text[WORD_SIZE]);
/* A share of 0 to 1 as 99.9 %, rounded down: 100 % is for 1 itself. */
const char *word_share(double share, char text[WORD_SIZE]);
/* 0.83 s, 12.3 s, 4 min 10 s, 2 h 5 min */
const char *word_seconds(double seconds, char text[WORD_SIZE]);
/* Two digits after the point. */
const char *word_mean(double mean, char text[WORD_SIZE]);

/* The first characters of a text that is longer than `most` of them, and an ellipsis; else all of it. */
enum { CUT_SIZE = 128 };
const char *word_cut(const char *whole, int most, char text[CUT_SIZE]);

/* The value that so large a share (0..1) of the values is below, between two of them if need be; NaN if there
 * are none.  Sorts the values. */
double sorted_share(double *values, int count, double share);

#endif

/* What a run reached, as `nlm reproduce` writes it: one object for a run (seed-N.json), and for all
 * of them results.json.  Nothing in them is trusted. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RESULT_TESTS = 2, RESULT_NAME = 64, RESULT_TEXT = 512 };

/* Numbers that are missing are NaN. */
typedef struct run_test {
    int objects;
    double asked, share; /* worlds or instances; accuracy or success */
    double moves;
    bool flawless;
    long first_failure; /* number of the first world or instance that went wrong; -1: none */
} run_test;

typedef struct run_result {
    bool there; /* false: all that follows means nothing */
    char task[RESULT_NAME], protocol[RESULT_NAME];
    char by[RESULT_NAME]; /* the model that learned: "" for the machine, "memnn", "dilp" */
    bool seed_known;
    uint64_t seed;
    bool finished; /* false: nothing but what is above, and perhaps an error */
    char error[RESULT_TEXT];
    bool graduated;
    double rounds, restarts, amount, seconds; /* epochs or exams; examples or episodes */
    int tests;
    run_test test[RESULT_TESTS];
    const char *wrong; /* the key of a number that is out of its range; NULL if there is none */
} run_result;

/* False if it is no such object; one with a wrong number is read all the same. */
bool result_read(const json_t *object, run_result *result);

/* The setting of all runs of a folder. */
typedef struct folder_result {
    bool there;
    char version[RESULT_NAME], protocol[RESULT_NAME], processor[RESULT_TEXT], command[RESULT_TEXT];
    int cores;
    double worlds;
} folder_result;

bool result_read_folder(const json_t *object, folder_result *result);

/* The whole text as a value of JSON, to be given back; NULL if it is none. */
json_t *result_parse(const char *text, size_t size);

#endif

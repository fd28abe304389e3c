/* Options of a subcommand, described once: the same rows parse the command line and print the help.
 *
 *     double seconds = 1;
 *     const char *output = NULL;
 *     const option_row rows[] = {
 *         {"seconds", "S", "time per measurement (1)", OPTION_REAL, &seconds, .least = 0.01, .most = 3600},
 *         {"output", "FILE", "where the result goes", OPTION_TEXT, &output, .letter = 'o'},
 *     };
 *     const command_usage usage = {"bench", "", "Measures the library on this machine.", rows, 2, 0, 0};
 *     int first, status;
 *     if (!options_read(&usage, argc, argv, &first, &status))
 *         return status;
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

typedef enum option_kind {
    OPTION_FLAG, /* bool, takes no value */
    OPTION_INT,  /* int, from least to most */
    OPTION_U64,  /* uint64_t, any */
    OPTION_REAL, /* double, from least to most */
    OPTION_LIST, /* option_list: whole numbers with commas between them, each from least to most */
    OPTION_WORD, /* int, the position of one of `words`, which the help shows as red|green */
    OPTION_TEXT  /* const char *, points into argv */
} option_kind;

#define OPTION_LIST_MOST 8

typedef struct option_list {
    int count;
    int values[OPTION_LIST_MOST];
} option_list;

typedef struct option_row {
    const char *name;     /* "seconds" is given as --seconds S or --seconds=S */
    const char *argument; /* what the help calls its value; not for flags and words */
    const char *help;     /* one line */
    option_kind kind;
    void *value; /* where it goes; left alone when the option is not given */
    double least, most;
    char letter;              /* 'o' is given as -o FILE or -oFILE; 0 for none; 'h' is taken */
    const char *const *words; /* of an OPTION_WORD, NULL after the last */
    int *word;                /* of another kind that takes one of `words` as well: where its position goes */
    bool *given;              /* becomes true when the option is given; may be NULL */
    const char *heading;      /* of a group of options that begins here; NULL inside a group */
} option_row;

#define OPTIONS_MOST 96

typedef struct command_usage {
    const char *command;  /* "bench" */
    const char *operands; /* "FILE...", or "" */
    const char *help;     /* a sentence or two */
    const option_row *rows;
    int row_count; /* up to OPTIONS_MOST */
    int operands_least, operands_most;
} command_usage;

typedef enum options_result {
    OPTIONS_RUN,  /* carry on */
    OPTIONS_HELP, /* the help was asked for and printed: exit with EXIT_SUCCESS */
    OPTIONS_WRONG /* the mistake was described: exit with EXIT_USAGE */
} options_result;

/* argv[0] is the command's name; *first becomes the index of the first operand. */
options_result options_parse(const command_usage *usage, int argc, char **argv, int *first);
/* The same for commands: false when there is nothing to run, and *status is the exit status. */
bool options_read(const command_usage *usage, int argc, char **argv, int *first, int *status);

#endif

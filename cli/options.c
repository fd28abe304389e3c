/* Options of a subcommand: parsing with getopt_long, range checks, and the help text. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "nlm/tools.h"

enum { FOUND_HELP = 'h', FOUND_ROW = 256, NAMES_SIZE = 512 };

static const option_row help_row = {"help", NULL, "show this text", OPTION_FLAG, NULL, .letter = FOUND_HELP};

/* Rows 0..row_count of a command: the last is --help. */
static const option_row *row_at(const command_usage *usage, int index)
{
    return index < usage->row_count ? &usage->rows[index] : &help_row;
}

/* Add a name to others, with a separator between them; what does not fit is cut. */
static void add_name(char names[NAMES_SIZE], const char *separator, const char *before, const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s%s%s", used > 0 ? separator : "", before, name);
}

/* ---- the help ---- */

/* "-o, --output FILE"; an option without a letter stands as far to the right.  Returns the text's length. */
static int left_text(const option_row *row, char text[NAMES_SIZE])
{
    char words[NAMES_SIZE] = "";
    for (int i = 0; row->kind == OPTION_WORD && row->words[i] != NULL; i++)
        add_name(words, "|", "", row->words[i]);
    const char *argument = row->argument != NULL && row->kind != OPTION_WORD ? row->argument : words;
    const char letter[] = {'-', row->letter, ',', ' ', '\0'};
    return snprintf(text, NAMES_SIZE, "%s--%s%s%s", row->letter != 0 ? letter : "    ", row->name,
                    argument[0] != '\0' ? " " : "", argument);
}

static void print_help(const command_usage *usage)
{
    printf("usage: nlm %s [options]%s%s\n\n%s\n\noptions:\n", usage->command, usage->operands[0] ? " " : "",
           usage->operands, usage->help);
    char left[NAMES_SIZE];
    int width = 0;
    for (int i = 0; i <= usage->row_count; i++) {
        const int length = left_text(row_at(usage, i), left);
        if (length > width)
            width = length;
    }
    int own = 0; /* options before the first group; --help is the last of them */
    while (own < usage->row_count && usage->rows[own].heading == NULL)
        own++;
    for (int i = 0; i <= usage->row_count; i++) {
        const option_row *row = i < own ? row_at(usage, i) : i == own ? &help_row : row_at(usage, i - 1);
        if (row->heading != NULL)
            printf("\n%s:\n", row->heading);
        left_text(row, left);
        printf("  %-*s  %s\n", width, left, row->help);
    }
}

/* ---- values ---- */

/* The first `length` letters of `text` as a number in the row's range, whole unless the row is real. */
static bool read_number(const command_usage *usage, const option_row *row, const char *text, int length,
                        double *number)
{
    char *end;
    *number = strtod(text, &end);
    const bool whole = row->kind != OPTION_REAL;
    const bool parsed = length > 0 && end == text + length;
    if (parsed && !(*number >= row->least && *number <= row->most)) {
        message_error("%s: --%s %.*s is not between %.10g and %.10g", usage->command, row->name, length, text,
                      row->least, row->most);
        return false;
    }
    if (!parsed || (whole && *number != (int)*number)) {
        message_error("%s: --%s wants a %snumber, not '%.*s'", usage->command, row->name,
                      whole ? "whole " : "", length, text);
        return false;
    }
    return true;
}

static bool set_list(const command_usage *usage, const option_row *row, const char *text)
{
    option_list list = {0};
    for (const char *item = text;; item++) {
        const int length = (int)strcspn(item, ",");
        double number;
        if (length == 0) {
            message_error("%s: --%s wants comma-separated whole numbers, not '%s'", usage->command, row->name,
                          text);
            return false;
        }
        if (list.count == OPTION_LIST_MOST) {
            message_error("%s: --%s takes at most %d numbers, not all of '%s'", usage->command, row->name,
                          OPTION_LIST_MOST, text);
            return false;
        }
        if (!read_number(usage, row, item, length, &number))
            return false;
        list.values[list.count++] = (int)number;
        item += length;
        if (*item == '\0')
            break;
    }
    *(option_list *)row->value = list;
    return true;
}

static bool set_u64(const command_usage *usage, const option_row *row, const char *text)
{
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' || errno == ERANGE) {
        message_error("%s: --%s wants a whole number from 0 to %llu, not '%s'", usage->command, row->name,
                      (unsigned long long)UINT64_MAX, text);
        return false;
    }
    *(uint64_t *)row->value = number;
    return true;
}

/* The position of one of the row's words, or -1. */
static int find_word(const option_row *row, const char *text)
{
    for (int i = 0; row->words[i] != NULL; i++)
        if (strcmp(row->words[i], text) == 0)
            return i;
    return -1;
}

static bool set_word(const command_usage *usage, const option_row *row, const char *text)
{
    char names[NAMES_SIZE] = "";
    const int word = find_word(row, text);
    if (word >= 0) {
        *(int *)row->value = word;
        return true;
    }
    for (int i = 0; row->words[i] != NULL; i++)
        add_name(names, ", ", "", row->words[i]);
    message_error("%s: --%s wants one of %s, not '%s'", usage->command, row->name, names, text);
    return false;
}

static bool set_row(const command_usage *usage, const option_row *row, const char *text)
{
    if (row->word != NULL && find_word(row, text) >= 0) {
        *row->word = find_word(row, text);
        return true;
    }
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)row->value = text;
        return true;
    case OPTION_LIST:
        return set_list(usage, row, text);
    case OPTION_U64:
        return set_u64(usage, row, text);
    case OPTION_WORD:
        return set_word(usage, row, text);
    case OPTION_INT:
    case OPTION_REAL:
        break;
    }
    double number;
    if (!read_number(usage, row, text, (int)strlen(text), &number))
        return false;
    if (row->kind == OPTION_INT)
        *(int *)row->value = (int)number;
    else
        *(double *)row->value = number;
    return true;
}

/* ---- mistakes ---- */

static options_result wrong(const command_usage *usage, const char *what, const char *which)
{
    message_error("%s: %s '%s'; see 'nlm %s --help'", usage->command, what, which, usage->command);
    return OPTIONS_WRONG;
}

static const char *option_name(const void *context, int index)
{
    const command_usage *usage = context;
    return index <= usage->row_count ? row_at(usage, index)->name : NULL;
}

/* An argument "--name" or "--name=value" that getopt_long did not accept: the name begins several options, or
 * one, which then takes no value, or none. */
static options_result wrong_long_option(const command_usage *usage, const char *argument)
{
    char name[NAMES_SIZE]; /* longer ones are cut, being no option's anyway */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    char names[NAMES_SIZE] = "";
    int matches = 0;
    for (int i = 0; i <= usage->row_count; i++) {
        if (strncmp(row_at(usage, i)->name, name, strlen(name)) == 0) {
            add_name(names, ", ", "--", row_at(usage, i)->name);
            matches++;
        }
    }
    const char *nearest;
    if (matches > 1)
        message_error("%s: '--%s' may be any of %s", usage->command, name, names);
    else if (matches == 1)
        message_error("%s: %s takes no value", usage->command, names);
    else if (nlm_nearest_names(name, (nlm_name_list){option_name, usage}, &nearest, 1) == 1)
        message_error("%s: unknown option '--%s'; did you mean '--%s'?", usage->command, name, nearest);
    else
        return wrong(usage, "unknown option", argument);
    return OPTIONS_WRONG;
}

/* getopt_long leaves a letter it does not know in optopt; else the argument is a long option. */
static options_result wrong_option(const command_usage *usage, const char *argument)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt > 0 && optopt < FOUND_ROW && optopt != FOUND_HELP)
        return wrong(usage, "unknown option", letter);
    if (optopt < 0) /* a letter beyond ASCII; what it is part of may already be behind */
        return wrong(usage, "unknown option", "-?");
    return wrong_long_option(usage, argument);
}

/* ---- parsing ---- */

enum { LETTERS_SIZE = 2 * OPTIONS_MOST + 3 };

/* The two descriptions that getopt_long wants; ':' at the start asks it to tell a missing value apart. */
static void describe(const command_usage *usage, struct option table[OPTIONS_MOST + 2],
                     char letters[LETTERS_SIZE])
{
    char *end = letters;
    *end++ = ':';
    for (int i = 0; i <= usage->row_count; i++) {
        const option_row *row = row_at(usage, i);
        const int found = i < usage->row_count ? FOUND_ROW + i : FOUND_HELP;
        table[i] = (struct option){row->name, row->kind != OPTION_FLAG, NULL, found};
        if (row->letter != 0)
            *end++ = row->letter;
        if (row->letter != 0 && row->kind != OPTION_FLAG)
            *end++ = ':';
    }
    table[usage->row_count + 1] = (struct option){0};
    *end = '\0';
}

/* The row of what getopt_long found: a number from the table, or a letter. */
static const option_row *found_row(const command_usage *usage, int found)
{
    if (found >= FOUND_ROW)
        return &usage->rows[found - FOUND_ROW];
    int i = 0;
    while (usage->rows[i].letter != found)
        i++;
    return &usage->rows[i];
}

options_result options_parse(const command_usage *usage, int argc, char **argv, int *first)
{
    struct option table[OPTIONS_MOST + 2];
    char letters[LETTERS_SIZE];
    describe(usage, table, letters);
    optind = 0; /* start afresh */
    opterr = 0; /* the messages are ours */
    for (int found; (found = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
        if (found == FOUND_HELP) {
            print_help(usage);
            return OPTIONS_HELP;
        }
        if (found == ':')
            return wrong(usage, "no value after", argv[optind - 1]);
        if (found == '?')
            return wrong_option(usage, argv[optind - 1]);
        const option_row *row = found_row(usage, found);
        if (!set_row(usage, row, optarg))
            return OPTIONS_WRONG;
        if (row->given != NULL)
            *row->given = true;
    }
    *first = optind;
    if (argc - optind > usage->operands_most)
        return wrong(usage, "unexpected argument", argv[optind + usage->operands_most]);
    if (argc - optind < usage->operands_least)
        return wrong(usage, "missing argument", usage->operands);
    return OPTIONS_RUN;
}

bool options_read(const command_usage *usage, int argc, char **argv, int *first, int *status)
{
    const options_result result = options_parse(usage, argc, argv, first);
    *status = result == OPTIONS_HELP ? EXIT_SUCCESS : EXIT_USAGE;
    return result == OPTIONS_RUN;
}

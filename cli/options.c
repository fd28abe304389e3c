/* Options of a subcommand: parsing with getopt_long, range checks, and the help text. */
#include "options.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "message.h"

enum { FOUND_HELP = 'h', FOUND_ROW = 256 };

static void print_help(const command_usage *usage)
{
    printf("usage: nlm %s [options]%s%s\n\n%s\n\noptions:\n", usage->command, usage->operands[0] ? " " : "",
           usage->operands, usage->help);
    for (int i = 0; i < usage->row_count; i++) {
        const option_row *row = &usage->rows[i];
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->argument ? " " : "",
                 row->argument ? row->argument : "");
        printf("  %-22s %s\n", left, row->help);
    }
    printf("  %-22s %s\n", "--help", "show this text");
}

static bool set_number(const command_usage *usage, const option_row *row, const char *text)
{
    char *end;
    const double number = strtod(text, &end);
    const bool whole = row->kind == OPTION_INT;
    const bool parsed = end != text && *end == '\0';
    if (parsed && !(number >= row->least && number <= row->most)) {
        message_error("%s: --%s %s is not between %.10g and %.10g", usage->command, row->name, text,
                      row->least, row->most);
        return false;
    }
    if (!parsed || (whole && number != (int)number)) {
        message_error("%s: --%s wants a %snumber, not '%s'", usage->command, row->name, whole ? "whole " : "",
                      text);
        return false;
    }
    if (whole)
        *(int *)row->value = (int)number;
    else
        *(double *)row->value = number;
    return true;
}

static bool set_row(const command_usage *usage, const option_row *row, const char *text)
{
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)row->value = text;
        return true;
    case OPTION_INT:
    case OPTION_REAL:
        break;
    }
    return set_number(usage, row, text);
}

static options_result wrong(const command_usage *usage, const char *what, const char *which)
{
    message_error("%s: %s '%s'; see 'nlm %s --help'", usage->command, what, which, usage->command);
    return OPTIONS_WRONG;
}

/* What getopt_long did not accept: a letter, which it leaves in optopt, or else the whole argument. */
static options_result wrong_option(const command_usage *usage, const char *argument)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    return wrong(usage, "unknown option", optopt > 0 && optopt < FOUND_ROW ? letter : argument);
}

static options_result check_operands(const command_usage *usage, int argc, char **argv, int first)
{
    if (argc - first > usage->operands_most)
        return wrong(usage, "unexpected argument", argv[first + usage->operands_most]);
    if (argc - first < usage->operands_least)
        return wrong(usage, "missing argument", usage->operands);
    return OPTIONS_RUN;
}

options_result options_parse(const command_usage *usage, int argc, char **argv, int *first)
{
    struct option table[OPTIONS_MOST + 2] = {{"help", no_argument, NULL, FOUND_HELP}};
    for (int i = 0; i < usage->row_count; i++) {
        const option_row *row = &usage->rows[i];
        table[i + 1] =
            (struct option){row->name, row->argument ? required_argument : no_argument, NULL, FOUND_ROW + i};
    }
    optind = 0; /* start afresh */
    opterr = 0; /* the messages are ours */
    for (int found; (found = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
        if (found == FOUND_HELP) {
            print_help(usage);
            return OPTIONS_HELP;
        }
        if (found == ':')
            return wrong(usage, "no value after", argv[optind - 1]);
        if (found == '?')
            return wrong_option(usage, argv[optind - 1]);
        if (!set_row(usage, &usage->rows[found - FOUND_ROW], optarg))
            return OPTIONS_WRONG;
    }
    *first = optind;
    return check_operands(usage, argc, argv, optind);
}

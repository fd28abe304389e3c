/* The nlm command: finds the subcommand in a table and runs it.
 *
 * Exit status: 0 done, 1 failed, 2 called wrongly.  Output that could not be written is a failure. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "message.h"
#include "nlm/nlm.h"

typedef struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} command;

static int command_help(int argc, char **argv);

static const command commands[] = {
    {"tasks", "list the built-in tasks and games", command_tasks},
    {"generate", "write worlds of a task as files of facts", command_generate},
    {"convert", "write facts in another format", command_convert},
    {"check", "summarise facts, warn about mistakes, find the machine size they need", command_check},
    {"train", "learn a task, a game or facts of your own", command_train},
    {"test", "test a model on fresh worlds or on labelled facts", command_test},
    {"infer", "print the conclusions of a model from facts", command_infer},
    {"play", "play a game with a model, move by move", command_play},
    {"show", "describe a model file", command_show},
    {"rules", "print, or find, the program that a model has learned", command_rules},
    {"compile", "make a model of rules", command_compile},
    {"prove", "prove what a model computes, or that it computes given rules", command_prove},
    {"why", "show why a conclusion follows from facts, or what is missing", command_why},
    {"reproduce", "train and test everything, and write the paper's tables beside ours", command_reproduce},
    {"report", "write a page about runs of training: results, curves, machines, episodes", command_report},
    {"bench", "measure the speed of the library on this computer", command_bench},
    {"help", "show this text, or the help of a command", command_help},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static const char *command_name(const void *context, int index)
{
    (void)context;
    return index < COMMANDS ? commands[index].name : NULL;
}

static int unknown_command(const char *name)
{
    const char *nearest;
    if (nlm_nearest_names(name, (nlm_name_list){command_name, NULL}, &nearest, 1) == 1)
        message_error("unknown command '%s'; did you mean '%s'?", name, nearest);
    else
        message_error("unknown command '%s'; 'nlm --help' lists them", name);
    return EXIT_USAGE;
}

static int show_help(void)
{
    puts("usage: nlm COMMAND [options]\n"
         "       nlm --help | --version\n"
         "\n"
         "Neural Logic Machines: learn rules from small relational worlds, apply them to large ones.\n"
         "\n"
         "commands:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    puts("\n'nlm help COMMAND' or 'nlm COMMAND --help' describes one command.");
    return EXIT_SUCCESS;
}

static int command_help(int argc, char **argv)
{
    if (argc > 2) {
        message_error("help: takes one command");
        return EXIT_USAGE;
    }
    if (argc == 1 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0)
        return show_help();
    const command *found = find_command(argv[1]);
    if (found == NULL)
        return unknown_command(argv[1]);
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return found->run(2, arguments);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: nlm COMMAND [options]; 'nlm --help' lists the commands\n", stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return show_help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("nlm %s\n", nlm_version());
        return EXIT_SUCCESS;
    }
    if (argv[1][0] == '-') {
        message_error("unknown option '%s'; see 'nlm --help'", argv[1]);
        return EXIT_USAGE;
    }
    const command *found = find_command(argv[1]);
    return found != NULL ? found->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit of the user is an error to report */
    const int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_error("cannot write the output: %s", strerror(errno));
        return EXIT_FAILURE;
    }
    return status;
}

/* The subcommands of nlm.  Each takes its own name as argv[0], understands --help, and returns the exit
 * status of the process; main.c holds the table of them. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#define EXIT_USAGE 2 /* beside EXIT_SUCCESS and EXIT_FAILURE: the command was called wrongly */

#define EXIT_SIGNAL 128 /* and the number of the signal that ended a run */

int command_tasks(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_check(int argc, char **argv);
int command_train(int argc, char **argv);
int command_test(int argc, char **argv);
int command_infer(int argc, char **argv);
int command_play(int argc, char **argv);
int command_show(int argc, char **argv);
int command_compile(int argc, char **argv);
int command_rules(int argc, char **argv);
int command_prove(int argc, char **argv);
int command_why(int argc, char **argv);
int command_reproduce(int argc, char **argv);
int command_report(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif

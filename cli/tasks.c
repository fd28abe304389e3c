/* nlm tasks: the tasks and games of the registry, for people or as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "find_task.h"
#include "message.h"
#include "options.h"

/* "4 x 3, residual" */
static const char *machine_text(int depth, int breadth, bool residual)
{
    return text_of("%d x %d%s", depth, breadth, residual ? ", residual" : "");
}

static void print_task(const nlm_task *task)
{
    char target[TASK_TARGET_SIZE];
    printf("%-16s %-20s %5d -> %-5d %-16s %10s %10s\n    %s\n", task->name, task_target_text(task, target),
           task->train_objects, task->test_objects, machine_text(task->depth, task->breadth, task->residual),
           text_of_count(task->examples),
           task->graduation > 0 ? text_of("%.0f %%", 100 * task->graduation) : "-", task->description);
}

/* A task of differentiable ILP; one decimal where the share has one. */
static void print_ilp_task(const nlm_task *task)
{
    char target[TASK_TARGET_SIZE];
    printf("%-19s %-24s %5d -> %-5d %-16s %8s\n    %s\n", task->name, task_target_text(task, target),
           task->train_objects, task->test_objects, machine_text(task->depth, task->breadth, task->residual),
           task->solved > 0 ? text_of("%.4g %%", 100 * task->solved) : "-", task->description);
}

static void print_game(const nlm_game *game)
{
    const nlm_settings paper = paper_settings(game);
    printf("%-16s %-9s %-25s %-16s %10s %8.0f %%\n    %s\n", game->name,
           text_of("%d to %d", paper.first_lesson, paper.last_lesson),
           text_of("%g at %d, %g at %d", game->test_moves[0], game->test_objects[0], game->test_moves[1],
                   game->test_objects[1]),
           machine_text(paper.spec.depth, paper.spec.breadth, paper.spec.residual),
           text_of_count(paper.episodes), 100 * game->graduation, game->description);
}

static void print_table(void)
{
    printf("%-16s %-20s %14s %-16s %10s %10s\n", "task", "target", "objects    ", "machine", "examples",
           "graduated");
    for (int i = 0; i < nlm_tasks(); i++)
        if (nlm_task_at(i)->origin == NULL)
            print_task(nlm_task_at(i));
    puts("\n"
         "objects: in training worlds -> in test worlds.  machine: depth x breadth.\n"
         "examples: the paper's budget, in worlds.  graduated: share of the paper's runs that graduated\n"
         "(-: no graduation; a run uses the whole budget).\n");
    printf("%-16s %-9s %-25s %-16s %10s %10s\n", "game", "lessons", "moves", "machine", "episodes",
           "graduated");
    for (int i = 0; i < nlm_games(); i++)
        print_game(nlm_game_at(i));
    puts("\n"
         "A game is solved move by move.  lessons: sizes of the training instances, from first to last.\n"
         "moves: the paper's mean in tests at that number of objects, all solved.  episodes: its budget.\n");
    printf("%-19s %-24s %14s %-16s %8s\n", "differentiable ILP", "target", "objects    ", "machine",
           "solved");
    for (int i = 0; i < nlm_tasks(); i++)
        if (nlm_task_at(i)->origin != NULL)
            print_ilp_task(nlm_task_at(i));
    puts("\n"
         "Tasks of Evans and Grefenstette (2018), in small random worlds.  machine: our choice.\n"
         "solved: share of differentiable ILP's runs that solved it, as published.\n"
         "\n"
         "To learn one: nlm train grandparent -o grandparent.nlm");
}

static void print_json(const nlm_task *task)
{
    json_print(stdout,
               "{\"name\": %s, \"description\": %s, \"target\": %s, \"arity\": %d, \"train_objects\": %d, "
               "\"test_objects\": %d, \"depth\": %d, \"breadth\": %d, \"residual\": %i, \"threshold\": %g, "
               "\"examples\": %d, \"graduation\": %g",
               task->name, task->description, task->target, task->arity, task->train_objects,
               task->test_objects, task->depth, task->breadth, task->residual, task->threshold,
               task->examples, task->graduation);
    if (task->origin != NULL)
        json_print(stdout, ", \"origin\": %s, \"solved\": %g", task->origin, task->solved);
    puts("}");
}

static void print_game_json(const nlm_game *game)
{
    const nlm_settings paper = paper_settings(game);
    json_print(stdout,
               "{\"name\": %s, \"description\": %s, \"arity\": %d, \"first_lesson\": %d, "
               "\"last_lesson\": %d, \"test_objects\": [%d, %d], \"test_moves\": [%g, %g], \"depth\": %d, "
               "\"breadth\": %d, \"residual\": %i, \"episodes\": %d, \"graduation\": %g}\n",
               game->name, game->description, game->arity, paper.first_lesson, paper.last_lesson,
               game->test_objects[0], game->test_objects[1], game->test_moves[0], game->test_moves[1],
               paper.spec.depth, paper.spec.breadth, paper.spec.residual, paper.episodes, game->graduation);
}

static const char help[] =
    "Lists the built-in tasks: those of the paper, with its settings and results; three games,\n"
    "solved move by move; and the tasks of differentiable ILP.";

int command_tasks(int argc, char **argv)
{
    bool json = false;
    const option_row rows[] = {
        {"json", NULL, "print JSON, one object per line", OPTION_FLAG, .value = &json}};
    const command_usage usage = {"tasks", "", help, rows, 1, 0, 0};
    int first, status;
    if (!options_read(&usage, argc, argv, &first, &status))
        return status;
    if (!json)
        print_table();
    for (int i = 0; json && i < nlm_tasks(); i++)
        print_json(nlm_task_at(i));
    for (int i = 0; json && i < nlm_games(); i++)
        print_game_json(nlm_game_at(i));
    return EXIT_SUCCESS;
}

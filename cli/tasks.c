/* nlm tasks: the tasks and games of the registry, for people or as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include "commands.h"
#include "find_task.h"
#include "options.h"
#include "nlm/nlm.h"

static void print_task(const nlm_task *task)
{
    char target[TASK_TARGET_SIZE], examples[NLM_NUMBER_TEXT], machine[32], graduated[16] = "-";
    task_target_text(task, target);
    nlm_count_text((size_t)task->examples, examples);
    snprintf(machine, sizeof machine, "%d x %d%s", task->depth, task->breadth,
             task->residual ? ", residual" : "");
    if (task->graduation > 0)
        snprintf(graduated, sizeof graduated, "%.0f %%", 100 * task->graduation);
    printf("%-16s %-20s %5d -> %-5d %-16s %10s %10s\n", task->name, target, task->train_objects,
           task->test_objects, machine, examples, graduated);
    printf("    %s\n", task->description);
}

/* A task of differentiable ILP; one decimal where the share has one. */
static void print_ilp_task(const nlm_task *task)
{
    char target[TASK_TARGET_SIZE], machine[32], solved[16] = "-";
    task_target_text(task, target);
    snprintf(machine, sizeof machine, "%d x %d%s", task->depth, task->breadth,
             task->residual ? ", residual" : "");
    if (task->solved > 0)
        snprintf(solved, sizeof solved, "%.4g %%", 100 * task->solved);
    printf("%-19s %-24s %5d -> %-5d %-16s %8s\n", task->name, target, task->train_objects, task->test_objects,
           machine, solved);
    printf("    %s\n", task->description);
}

static void print_game(const nlm_game *game)
{
    char lessons[32], episodes[NLM_NUMBER_TEXT], machine[32], moves[48];
    const nlm_settings paper = paper_settings(game);
    snprintf(lessons, sizeof lessons, "%d to %d", paper.first_lesson, paper.last_lesson);
    nlm_count_text((size_t)paper.episodes, episodes);
    snprintf(machine, sizeof machine, "%d x %d%s", paper.spec.depth, paper.spec.breadth,
             paper.spec.residual ? ", residual" : "");
    snprintf(moves, sizeof moves, "%g at %d, %g at %d", game->test_moves[0], game->test_objects[0],
             game->test_moves[1], game->test_objects[1]);
    printf("%-16s %-9s %-25s %-16s %10s %8.0f %%\n", game->name, lessons, moves, machine, episodes,
           100 * game->graduation);
    printf("    %s\n", game->description);
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

/* Names and descriptions hold nothing that JSON would want to be escaped. */
static void print_json(const nlm_task *task)
{
    printf("{\"name\": \"%s\", \"description\": \"%s\", \"target\": \"%s\", \"arity\": %d, "
           "\"train_objects\": %d, \"test_objects\": %d, \"depth\": %d, \"breadth\": %d, \"residual\": %s, "
           "\"threshold\": %g, \"examples\": %d, \"graduation\": %g",
           task->name, task->description, task->target, task->arity, task->train_objects, task->test_objects,
           task->depth, task->breadth, task->residual ? "true" : "false", task->threshold, task->examples,
           task->graduation);
    if (task->origin != NULL)
        printf(", \"origin\": \"%s\", \"solved\": %g", task->origin, task->solved);
    puts("}");
}

static void print_game_json(const nlm_game *game)
{
    const nlm_settings paper = paper_settings(game);
    printf("{\"name\": \"%s\", \"description\": \"%s\", \"arity\": %d, \"first_lesson\": %d, "
           "\"last_lesson\": %d, \"test_objects\": [%d, %d], \"test_moves\": [%g, %g], \"depth\": %d, "
           "\"breadth\": %d, \"residual\": %s, \"episodes\": %d, \"graduation\": %g}\n",
           game->name, game->description, game->arity, paper.first_lesson, paper.last_lesson,
           game->test_objects[0], game->test_objects[1], game->test_moves[0], game->test_moves[1],
           paper.spec.depth, paper.spec.breadth, paper.spec.residual ? "true" : "false", paper.episodes,
           game->graduation);
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

/* PDDL for commands (pddl_files.h): the text around what the library reads, writes and checks. */
#include "pddl_files.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "message.h"

static const char ENDING[] = ".pddl";

enum { PATH_SIZE = 4096 };

bool pddl_is_path(const char *path)
{
    const size_t length = strlen(path), ending = sizeof ENDING - 1;
    return length > ending && strcmp(path + length - ending, ENDING) == 0;
}

bool pddl_load(const char *command, const char *problem, const char *domain, nlm_pddl **pddl)
{
    nlm_error error;
    return message_ok(command, nlm_pddl_read_file(problem, domain, pddl, &error), &error);
}

/* ---- plans ---- */

bool pddl_may_write(const char *command, const char *path, bool force)
{
    struct stat about;
    nlm_error error;
    if (path == NULL)
        return true;
    if (path[0] == '\0' || (stat(path, &about) == 0 && (!force || !S_ISREG(about.st_mode)))) {
        message_error(path[0] == '\0'          ? "%s: --plan wants the name of a file%s"
                      : S_ISREG(about.st_mode) ? "%s: %s exists; --force replaces it"
                                               : "%s: %s is no file that a plan can replace",
                      command, path);
        return false;
    }
    return message_ok(command, nlm_file_check(path, &error), &error);
}

static void write_text(FILE *stream, const void *text)
{
    fputs(text, stream);
}

bool pddl_write_plan(const char *command, nlm_pddl_plan *plan, const char *path)
{
    nlm_error error;
    const char *text;
    nlm_status status = nlm_pddl_plan_text(plan, &text, &error);
    if (status == NLM_OK)
        status = nlm_file_write(path, write_text, text, &error);
    return message_ok(command, status, &error);
}

/* ---- nlm check ---- */

/* "  [a b] [c]": towers from the table up. */
static void print_towers(const nlm_pddl *pddl, const nlm_position *position, bool target)
{
    const int blocks = nlm_position_objects(position);
    printf("%-8s", target ? "end" : "start");
    for (int bottom = 1; bottom <= blocks; bottom++) {
        if (nlm_blocks_below(position, target, bottom) != 0)
            continue;
        printf(" [");
        for (int block = bottom, next = 0; block > 0; block = next) {
            printf("%s%s", block == bottom ? "" : " ", nlm_pddl_block(pddl, block));
            next = 0;
            for (int b = 1; b <= blocks && next == 0; b++)
                next = nlm_blocks_below(position, target, b) == block ? b : 0;
        }
        printf("]");
    }
    putchar('\n');
}

static void print_problem(const char *problem, const nlm_pddl *pddl, const nlm_position *position)
{
    const int blocks = nlm_position_objects(position), left = nlm_pddl_free_blocks(pddl);
    printf("%s: %d block%s, domain %s of %s\n", problem, blocks, plural(blocks), nlm_pddl_domain(pddl),
           nlm_pddl_domain_file(pddl));
    print_towers(pddl, position, false);
    print_towers(pddl, position, true);
    if (left > 0)
        printf("The goal leaves open where %d of them stand%s; the end above is one that has it.\n", left,
               left == 1 ? "s" : "");
    const int baseline = nlm_position_baseline(position);
    printf("%s takes %d move%s.\n", nlm_position_game(position)->baseline, baseline, plural(baseline));
}

/* Problems of other domains have no towers, but plans of theirs can be checked. */
bool pddl_check(const char *problem, const char *domain, const char *plan)
{
    nlm_pddl *pddl;
    nlm_position *position = NULL;
    nlm_error error;
    int actions;
    if (!pddl_load("check", problem, domain, &pddl))
        return false;
    nlm_status status = NLM_OK;
    if (plan != NULL) {
        status = nlm_pddl_validate_file(pddl, plan, &actions, &error);
        if (status == NLM_OK)
            printf("%s: valid, %d action%s, for %s\n", plan, actions, plural(actions), problem);
    } else {
        status = nlm_position_new(nlm_pddl_game(), &position, &error);
        if (status == NLM_OK)
            status = nlm_pddl_position(pddl, position, &error);
        if (status == NLM_OK)
            print_problem(problem, pddl, position);
    }
    nlm_position_free(position);
    nlm_pddl_free(pddl);
    return message_ok("check", status, &error);
}

/* ---- nlm test ---- */

/* What came of all problems so far. */
typedef struct sums {
    int problems, solved, blocks, moves, baseline, below, equal;
} sums;

static void print_result(const pddl_test *of, const char *name, const nlm_pddl *pddl,
                         const nlm_position *position, const nlm_pddl_plan *plan, int baseline, bool first)
{
    const bool done = nlm_pddl_plan_done(plan);
    const int blocks = nlm_position_objects(position), left = nlm_pddl_free_blocks(pddl);
    if (!of->json && first)
        printf("%s on %s: blocks worlds in PDDL\n\n%-28s %7s %7s %9s %9s %9s\n", of->model, of->path,
               "problem", "blocks", "free", "moves", "actions", "unstack");
    if (of->json) {
        json_print(stdout, "{\"problem\": %s, \"blocks\": %d, \"free\": %d, \"solved\": %i, ", name, blocks,
                   left, done);
        json_print(stdout, "\"moves\": %d, \"actions\": %d, \"baseline_moves\": %d}\n",
                   nlm_pddl_plan_moves(plan), nlm_pddl_plan_actions(plan), baseline);
    } else {
        printf("%-28s %7d %7d %9s %9s %9d\n", name, blocks, left,
               done ? text_of("%d", nlm_pddl_plan_moves(plan)) : "unsolved",
               done ? text_of("%d", nlm_pddl_plan_actions(plan)) : "-", baseline);
    }
    fflush(stdout);
}

/* To its end; the plan is then checked, and written where that is wanted. */
static bool play_problem(const pddl_test *of, nlm_agent *agent, const nlm_pddl *pddl, const char *name,
                         sums *all)
{
    nlm_position *position = NULL;
    nlm_pddl_plan *plan = NULL;
    nlm_error error;
    char path[PATH_SIZE];
    const char *text;
    int baseline = 0;
    nlm_status status = nlm_position_new(nlm_pddl_game(), &position, &error);
    if (status == NLM_OK)
        status = nlm_pddl_position(pddl, position, &error);
    if (status == NLM_OK) {
        baseline = nlm_position_baseline(position);
        status = nlm_agent_plan(agent, pddl, position, &plan, &error);
    }
    const bool done = status == NLM_OK && nlm_pddl_plan_done(plan);
    if (done)
        status = nlm_pddl_plan_text(plan, &text, &error);
    bool good = message_ok("test", status, &error);
    if (good && done && of->plans != NULL) {
        snprintf(path, sizeof path, "%s/%.*s.plan", of->plans, (int)(strlen(name) - strlen(ENDING)), name);
        good = pddl_may_write("test", path, of->force) && pddl_write_plan("test", plan, path);
    }
    if (good) {
        const int moves = nlm_pddl_plan_moves(plan);
        print_result(of, name, pddl, position, plan, baseline, all->problems == 1);
        all->solved += done;
        all->blocks += done ? nlm_position_objects(position) : 0;
        all->moves += done ? moves : 0;
        all->baseline += done ? baseline : 0;
        all->below += done && moves < baseline;
        all->equal += done && moves == baseline;
    }
    nlm_pddl_plan_free(plan);
    nlm_position_free(position);
    return good;
}

static bool test_file(const pddl_test *of, nlm_agent *agent, const char *path, sums *all)
{
    nlm_pddl *pddl;
    const char *slash = strrchr(path, '/');
    if (!pddl_load("test", path, of->domain, &pddl))
        return false;
    all->problems++;
    const bool good = play_problem(of, agent, pddl, slash != NULL ? slash + 1 : path, all);
    nlm_pddl_free(pddl);
    return good;
}

static int is_listed(const struct dirent *entry)
{
    return pddl_is_path(entry->d_name) && entry->d_name[0] != '.';
}

/* Files of a folder that are no domains, in the order of their names. */
static bool test_folder(const pddl_test *of, nlm_agent *agent, sums *all)
{
    struct dirent **entries;
    char path[PATH_SIZE];
    const int count = scandir(of->path, &entries, is_listed, alphasort);
    bool good = count >= 0;
    if (!good)
        message_error("test: %s: %s", of->path, strerror(errno));
    for (int e = 0; e < count; e++) {
        snprintf(path, sizeof path, "%s/%s", of->path, entries[e]->d_name);
        if (good && nlm_pddl_is_problem(path))
            good = test_file(of, agent, path, all);
        free(entries[e]);
    }
    if (count >= 0)
        free(entries);
    if (good && all->problems == 0)
        message_error("test: %s has no PDDL problems, files that end with %s", of->path, ENDING);
    return good && all->problems > 0;
}

static void print_sums(const sums *all, const char *baseline)
{
    printf("\n%d of %d problem%s solved, each with a valid plan", all->solved, all->problems,
           plural(all->problems));
    if (all->solved > 0)
        printf("; %.3f moves a block, %s %.3f.\nFewer moves than %s in %s of them, as many in %s.\n",
               (double)all->moves / all->blocks, baseline, (double)all->baseline / all->blocks, baseline,
               text_of_percent((double)all->below / all->solved),
               text_of_percent((double)all->equal / all->solved));
    else
        puts(".");
}

bool pddl_test_agent(const pddl_test *of, nlm_agent *agent)
{
    sums all = {0};
    nlm_error error;
    struct stat about;
    if (of->plans != NULL && !message_ok("test", nlm_folder_make(of->plans, &error), &error))
        return false;
    const bool folder = stat(of->path, &about) == 0 && S_ISDIR(about.st_mode);
    if (folder ? !test_folder(of, agent, &all) : !test_file(of, agent, of->path, &all))
        return false;
    if (!of->json)
        print_sums(&all, nlm_pddl_game()->baseline);
    return true;
}

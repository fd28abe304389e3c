/* The tables of a study: their layout, and all models beside what was published. */
#include <unistd.h>
#include "studies.h"
#include "study/layout.h"

/* Columns without any value are left out, and so is a table without rows. */
static void tables_are_laid_out(void **state)
{
    (void)state;
    static const char *const heads[] = {"task", "moves", "right", NULL};
    static const char *const wanted[] = {
        "Title\n\ntask    right\nuncle   1 2 3\na-task  -\n\n",
        "## Title\n\n| task | right |\n|---|---|\n| uncle | 1 2 3 |\n| a-task | - |\n\nlegend\n"};
    for (int markdown = 0; markdown < 2; markdown++) {
        char *text = NULL;
        size_t size;
        layout table;
        FILE *file = open_memstream(&text, &size);
        layout_begin(&table, heads);
        assert_false(layout_end(&table, file, markdown != 0, "Title", "legend"));
        layout_begin(&table, heads);
        layout_add(&table, "%s", "uncle");
        layout_skip(&table);
        layout_add(&table, "%d %d %d", 1, 2, 3);
        layout_end_row(&table);
        layout_add(&table, "a-task");
        layout_end_row(&table);
        assert_true(layout_end(&table, file, markdown != 0, "Title", markdown ? "legend" : ""));
        fclose(file);
        assert_string_equal(text, wanted[markdown]);
        free(text);
    }
}

static nlm_study_run made_by_hand(const char *name, uint64_t seed, nlm_score small, nlm_score large)
{
    nlm_study_run made = run_of(name, seed);
    made.result.finished = made.result.graduated = true;
    made.result.learned = 8000;
    made.result.seconds = 2;
    made.result.tests = NLM_TEST_SIZES;
    made.result.test[0] = small;
    made.result.test[1] = large;
    if (!strcmp(name, "uncle")) { /* the same on rich worlds */
        made.result.rich_tests = NLM_TEST_SIZES;
        made.result.rich[0] = small;
        made.result.rich[1] = large;
    }
    return made;
}

static nlm_study_run refused_run(const char *name, uint64_t seed)
{
    nlm_study_run made = run_of(name, seed);
    made.result.finished = true;
    strcpy(made.result.refused, "it would take 12 GB");
    return made;
}

/* What follows the heading, whose date and processor nobody knows before. */
static void assert_tables(bool markdown, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    nlm_study_write(&all, file, markdown);
    fclose(file);
    const char *tables = strstr(text, markdown ? "\n\n## Table 1" : "\n\nTable 1");
    assert_non_null(tables);
    assert_non_null(strstr(text, "; 1 to 4 seeds, tests on 20 worlds or instances of each size; "));
    assert_string_equal(tables + 2, expected);
    free(text);
}

/* clang-format off */
static const char text_of_tables[] =
"Table 1: micro / macro accuracy, in percent\n"
"\n"
"task         objects  paper: MemNN  MemNN          paper: dILP  dILP                    paper: NLM  NLM\n"
"uncle        20       96.3 / 85.8   99.50 / 87.50  100 / 100    100 / 100 (2 of 2)      100 / 100   100 / 100 (2 of 4)\n"
"uncle        100      96.0 / 64.0   99.00 / 75.00  100 / 100    99.50 / 87.50 (2 of 2)  100 / 100   99.50 / 87.50 (2 of 4)\n"
"2-outdegree  10       81.4 / 61.8   -              -            refused                 100 / 100   -\n"
"2-outdegree  50       96.7 / 87.7   -              -            refused                 100 / 100   -\n"
"\n"
"Training: on worlds of the smaller size: NLM on rich ones (unknown parents, half-siblings, one-way edges, ...), the others the paper's.\n"
"Tests: on 20 new worlds of each size, the paper's; of MemNN a tenth.\n"
"NLM: protocol best, which selects its training worlds from a larger number of rich worlds drawn.\n"
"MemNN, dILP (differentiable ILP): protocol paper; MemNN with one layer per MLP, as released.\n"
"micro: share of correct answers.  macro, as in the paper: the mean of that share among true and\n"
"among false tuples, first for each x (for each world, if the target has one variable), then over all.\n"
"NLM, dILP: means over the graduated runs, as in the paper, and their number.  MemNN: over all runs.\n"
"-: none.  ?: not finished.  refused: reason below.\n"
"\n"
"Table 2: solved, in percent, and moves\n"
"\n"
"game    objects  paper: MemNN  MemNN      paper: NLM  NLM\n"
"sort    10       100, 22       100, 8.00  100, 8      100, 8.00 (2 of 2)\n"
"sort    50       90.0, 986.6   0.00, -    100, 45     50.00, 50.00 (2 of 2)\n"
"blocks  10       0.0, -        -          100, 12     100, 12.50 (1 of 1)\n"
"blocks  50       0.0, -        -          100, 84     100, 12.50 (1 of 1)\n"
"\n"
"Training: on instances of at most this number of objects: sort 10, path 12, blocks 12.  NLM: protocol best.\n"
"Tests: on 20 new instances of each size, of MemNN a hundredth (in path a tenth).\n"
"moves: mean over the solved instances.  Limit of MemNN: 4 moves per object, in sort 50.  MemNN\n"
"learns sort from 300,000 episodes.  Differentiable ILP does not play games.  The rest as in table 1.\n"
"NLM in tests: No move is made twice in the same position; each time a move was made in the episode, its probability is multiplied by 0.25.\n"
"MemNN in tests: No move is made twice in the same position.\n"
"To test without these rules: nlm test MODEL --no-repeat 0 --repeat-penalty 1.\n"
"\n"
"MemNN in 1 of 3 runs learned from a tenth of the paper's examples or episodes (--quick): do not compare\n"
"with the paper's figures.\n"
"\n"
"Table 3: tasks of differentiable ILP\n"
"\n"
"task      objects  published  dILP: solved  NLM: solved  dILP: right  NLM: right\n"
"ilp-fizz  10, 20   10 %       1/2           1/1          99.50 %      100 %\n"
"\n"
"Training: on worlds of the smaller size.  dILP: protocol paper.\n"
"NLM: protocol best, which selects its training worlds from a larger number drawn.\n"
"published: share of runs that solve the task (Evans and Grefenstette 2018).\n"
"solved: dILP has a mean squared error below 1e-4 on the larger worlds, NLM has no error at either size.\n"
"right: share of correct answers at the larger size, mean over all runs.\n"
"\n"
"NLM: tasks\n"
"\n"
"task   objects  paper: graduated  graduated  exact  paper: right  right           rich worlds  seconds  budget   examples\n"
"uncle  20, 100  90 %              2/4        1/4    100 %, 100 %  100 %, 99.50 %  1/3          3.5      100,000  8,000 8,000rr -r ?\n"
"\n"
"NLM: games\n"
"\n"
"game    objects  paper: graduated  graduated  exact  paper: solved  solved          paper: moves  moves         to optimum    seconds  budget  episodes\n"
"sort    10, 50   100 %             2/2        1/2    100 %, 100 %   100 %, 50.00 %  8, 45         8.00, 50.00   1.000, 1.250  2.0      1,000   8,000 8,000\n"
"blocks  10, 50   40 %              1/1        1/1    100 %, 100 %   100 %, 100 %    12, 84        12.50, 12.50  -             -        50,000  8,000\n"
"\n"
"Protocol: best.  In tasks it learns from rich worlds, if there are any, and selects part of those drawn.\n"
"exact: graduated, and no error in both tests.  right, solved, moves: means over the graduated runs.\n"
"rich worlds: graduated, and no error in two more tests on rich worlds, of the runs so tested.\n"
"seconds: mean training time.  budget: the paper's number of examples (worlds) or episodes to learn\n"
"from.  drawn, if recorded: worlds or instances drawn per one learned from; the others were not\n"
"selected, or served in exams.  examples, episodes: number learned from, for each seed in order;\n"
"-: not graduated, r: restarted with new weights, ?: not finished.\n"
"\n"
"Agents in tests: No move is made twice in the same position; each time a move was made in the episode, its probability is multiplied by 0.25.\n"
"\n"
"Failures\n"
"\n"
"- uncle, seed 2: graduated, but makes errors: at 20 objects 100 % right, at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 3: not graduated; at 20 objects 99.00 % right (the first failure is world 7), at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 4: not finished\n"
"- sort, seed 2: graduated, but makes errors: at 10 objects 100 % solved, at 50 objects 0.00 % solved (the first failure is instance 0)\n"
"- uncle-dilp: 1 of 2 not graduated, or with errors in a test: seed 2\n"
"- 2-outdegree-dilp: 2 of 2 refused: seeds 1 2; it would take 12 GB\n"
"- ilp-fizz-dilp: 1 of 2 not solved: seed 1\n"
"\n"
"Of 3 runs of memory networks 1 graduated, 0 of these without any error in both tests.\n";

static const char markdown_of_tables[] =
"## Table 1: micro / macro accuracy, in percent\n"
"\n"
"| task | objects | paper: MemNN | MemNN | paper: dILP | dILP | paper: NLM | NLM |\n"
"|---|---|---|---|---|---|---|---|\n"
"| uncle | 20 | 96.3 / 85.8 | 99.50 / 87.50 | 100 / 100 | 100 / 100 (2 of 2) | 100 / 100 | 100 / 100 (2 of 4) |\n"
"| uncle | 100 | 96.0 / 64.0 | 99.00 / 75.00 | 100 / 100 | 99.50 / 87.50 (2 of 2) | 100 / 100 | 99.50 / 87.50 (2 of 4) |\n"
"| 2-outdegree | 10 | 81.4 / 61.8 | - | - | refused | 100 / 100 | - |\n"
"| 2-outdegree | 50 | 96.7 / 87.7 | - | - | refused | 100 / 100 | - |\n"
"\n"
"Training: on worlds of the smaller size: NLM on rich ones (unknown parents, half-siblings, one-way edges, ...), the others the paper's.\n"
"Tests: on 20 new worlds of each size, the paper's; of MemNN a tenth.\n"
"NLM: protocol best, which selects its training worlds from a larger number of rich worlds drawn.\n"
"MemNN, dILP (differentiable ILP): protocol paper; MemNN with one layer per MLP, as released.\n"
"micro: share of correct answers.  macro, as in the paper: the mean of that share among true and\n"
"among false tuples, first for each x (for each world, if the target has one variable), then over all.\n"
"NLM, dILP: means over the graduated runs, as in the paper, and their number.  MemNN: over all runs.\n"
"-: none.  ?: not finished.  refused: reason below.\n"
"\n"
"## Table 2: solved, in percent, and moves\n"
"\n"
"| game | objects | paper: MemNN | MemNN | paper: NLM | NLM |\n"
"|---|---|---|---|---|---|\n"
"| sort | 10 | 100, 22 | 100, 8.00 | 100, 8 | 100, 8.00 (2 of 2) |\n"
"| sort | 50 | 90.0, 986.6 | 0.00, - | 100, 45 | 50.00, 50.00 (2 of 2) |\n"
"| blocks | 10 | 0.0, - | - | 100, 12 | 100, 12.50 (1 of 1) |\n"
"| blocks | 50 | 0.0, - | - | 100, 84 | 100, 12.50 (1 of 1) |\n"
"\n"
"Training: on instances of at most this number of objects: sort 10, path 12, blocks 12.  NLM: protocol best.\n"
"Tests: on 20 new instances of each size, of MemNN a hundredth (in path a tenth).\n"
"moves: mean over the solved instances.  Limit of MemNN: 4 moves per object, in sort 50.  MemNN\n"
"learns sort from 300,000 episodes.  Differentiable ILP does not play games.  The rest as in table 1.\n"
"NLM in tests: No move is made twice in the same position; each time a move was made in the episode, its probability is multiplied by 0.25.\n"
"MemNN in tests: No move is made twice in the same position.\n"
"To test without these rules: nlm test MODEL --no-repeat 0 --repeat-penalty 1.\n"
"\n"
"MemNN in 1 of 3 runs learned from a tenth of the paper's examples or episodes (--quick): do not compare\n"
"with the paper's figures.\n"
"\n"
"## Table 3: tasks of differentiable ILP\n"
"\n"
"| task | objects | published | dILP: solved | NLM: solved | dILP: right | NLM: right |\n"
"|---|---|---|---|---|---|---|\n"
"| ilp-fizz | 10, 20 | 10 % | 1/2 | 1/1 | 99.50 % | 100 % |\n"
"\n"
"Training: on worlds of the smaller size.  dILP: protocol paper.\n"
"NLM: protocol best, which selects its training worlds from a larger number drawn.\n"
"published: share of runs that solve the task (Evans and Grefenstette 2018).\n"
"solved: dILP has a mean squared error below 1e-4 on the larger worlds, NLM has no error at either size.\n"
"right: share of correct answers at the larger size, mean over all runs.\n"
"\n"
"## NLM: tasks\n"
"\n"
"| task | objects | paper: graduated | graduated | exact | paper: right | right | rich worlds | seconds | budget | examples |\n"
"|---|---|---|---|---|---|---|---|---|---|---|\n"
"| uncle | 20, 100 | 90 % | 2/4 | 1/4 | 100 %, 100 % | 100 %, 99.50 % | 1/3 | 3.5 | 100,000 | 8,000 8,000rr -r ? |\n"
"\n"
"## NLM: games\n"
"\n"
"| game | objects | paper: graduated | graduated | exact | paper: solved | solved | paper: moves | moves | to optimum | seconds | budget | episodes |\n"
"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
"| sort | 10, 50 | 100 % | 2/2 | 1/2 | 100 %, 100 % | 100 %, 50.00 % | 8, 45 | 8.00, 50.00 | 1.000, 1.250 | 2.0 | 1,000 | 8,000 8,000 |\n"
"| blocks | 10, 50 | 40 % | 1/1 | 1/1 | 100 %, 100 % | 100 %, 100 % | 12, 84 | 12.50, 12.50 | - | - | 50,000 | 8,000 |\n"
"\n"
"Protocol: best.  In tasks it learns from rich worlds, if there are any, and selects part of those drawn.\n"
"exact: graduated, and no error in both tests.  right, solved, moves: means over the graduated runs.\n"
"rich worlds: graduated, and no error in two more tests on rich worlds, of the runs so tested.\n"
"seconds: mean training time.  budget: the paper's number of examples (worlds) or episodes to learn\n"
"from.  drawn, if recorded: worlds or instances drawn per one learned from; the others were not\n"
"selected, or served in exams.  examples, episodes: number learned from, for each seed in order;\n"
"-: not graduated, r: restarted with new weights, ?: not finished.\n"
"\n"
"Agents in tests: No move is made twice in the same position; each time a move was made in the episode, its probability is multiplied by 0.25.\n"
"\n"
"## Failures\n"
"\n"
"- uncle, seed 2: graduated, but makes errors: at 20 objects 100 % right, at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 3: not graduated; at 20 objects 99.00 % right (the first failure is world 7), at 100 objects 99.00 % right (the first failure is world 7)\n"
"- uncle, seed 4: not finished\n"
"- sort, seed 2: graduated, but makes errors: at 10 objects 100 % solved, at 50 objects 0.00 % solved (the first failure is instance 0)\n"
"- uncle-dilp: 1 of 2 not graduated, or with errors in a test: seed 2\n"
"- 2-outdegree-dilp: 2 of 2 refused: seeds 1 2; it would take 12 GB\n"
"- ilp-fizz-dilp: 1 of 2 not solved: seed 1\n"
"\n"
"Of 3 runs of memory networks 1 graduated, 0 of these without any error in both tests.\n";
/* clang-format on */

static void tables_have_the_numbers(void **state)
{
    (void)state;
    const nlm_score right = {.right = 1, .macro = 1, .first_failure = -1, .moves = -1, .optimal_moves = -1};
    const nlm_score wrong = {.right = 0.99,
                             .macro = 0.75,
                             .squared_error = 0.01,
                             .first_failure = 7,
                             .moves = -1,
                             .optimal_moves = -1};
    const nlm_score best = {.right = 1, .macro = -1, .first_failure = -1, .moves = 8, .optimal_moves = 8};
    const nlm_score longer = {.right = 1, .macro = -1, .first_failure = -1, .moves = 50, .optimal_moves = 40};
    const nlm_score unsolved = {
        .right = 0, .macro = -1, .first_failure = 0, .moves = -1, .optimal_moves = -1};
    const nlm_score unknown = {
        .right = 1, .macro = -1, .first_failure = -1, .moves = 12.5, .optimal_moves = -1};
    begin_study((nlm_study_plan){.folder = "folder", .worlds = 20});
    nlm_study_run runs[] = {made_by_hand("uncle", 1, right, right),
                            made_by_hand("uncle", 2, right, wrong),
                            made_by_hand("uncle", 3, wrong, wrong),
                            run_of("uncle", 4),
                            made_by_hand("sort", 1, best, longer),
                            made_by_hand("sort", 2, best, unsolved),
                            made_by_hand("blocks", 1, unknown, unknown),
                            made_by_hand("uncle-memnn", 1, wrong, wrong),
                            made_by_hand("uncle-memnn", 2, right, wrong),
                            made_by_hand("sort-memnn", 1, best, unsolved),
                            made_by_hand("uncle-dilp", 1, right, right),
                            made_by_hand("uncle-dilp", 2, right, wrong),
                            refused_run("2-outdegree-dilp", 1),
                            refused_run("2-outdegree-dilp", 2),
                            made_by_hand("ilp-fizz-dilp", 1, right, wrong),
                            made_by_hand("ilp-fizz-dilp", 2, right, right),
                            made_by_hand("ilp-fizz", 1, right, right)};
    runs[1].result.restarts = 2;
    runs[1].result.seconds = 5;
    runs[2].result.graduated = false;
    runs[2].result.restarts = 1;
    runs[2].result.seconds = -1;
    runs[6].result.seconds = -1;
    runs[7].result.graduated = runs[9].result.graduated = runs[14].result.graduated = false;
    runs[7].result.budget = 10;
    runs[8].result.budget = 1000;
    runs[9].result.budget = 300000;
    all.runs = runs;
    all.count = (int)COUNT(runs);
    assert_tables(false, text_of_tables);
    assert_tables(true, markdown_of_tables);
}

/* clang-format off */
static const char programs_of_runs[] =
"## Programs: tasks\n"
"\n"
"| task | human | smallest | median | largest | programs | proved | wrong: paper, small | paper, large | rich, small | rich, large | s training | s search | processor s |\n"
"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
"| grandparent | 7 | 7 | 7 | 7 | 1 of 1 | 1 of 1 | 0 | - | - | - | 2.0 (2.0) | 1.5 (1.5) | 1.2 (1.2) |\n"
"| uncle | 9 | 9 | 12 | 20 | 3 of 5 | 2 of 5 | 0 | 1,007 in 2 of 3 | 0 | 1,007 in 2 of 3 | 2.0 (2.0) | 2.0 (4.0) | 1.2 (1.2) |\n"
"| ilp-fizz | - | 5 | 5 | 5 | 1 of 1 | 1 of 1 | 0 | 0 | - | - | 2.0 (2.0) | - | - |\n"
"\n"
"Training: as in tables 1 and 3: on worlds of the smaller size, by protocol best, which selects its training worlds from a larger number of rich worlds drawn.\n"
"smallest, median, largest: literals of the programs, heads included.  programs, proved: runs whose model is\n"
"a program, and is proved to compute it in every world (nlm prove).  s training, s search, processor s:\n"
"seconds of training, and beyond it of the search for the program, by the clock and of the processor (one\n"
"thread a run); the median and, in brackets, the most.\n"
"human: literals of a definition by hand.  wrong: answers of all these programs in the tests, on the paper's\n"
"and on rich worlds of both sizes.\n"
"Median above 1.25 times the human definition: uncle (1.33).\n"
"Largest above 2 times the human definition: uncle (2.22).\n"
"\n"
"## Programs: games\n"
"\n"
"| game | smallest | median | largest | programs | proved | all solved, small; moves | all solved, large; moves | s training | s search | processor s |\n"
"|---|---|---|---|---|---|---|---|---|---|---|\n"
"| sort | 7 | 8 | 9 | 2 of 3 | 2 of 3 | 2 of 2; 8.00 | 1 of 2; 50.00 | 2.0 (2.0) | 1.5 (1.5) | 1.2 (1.2) |\n"
"\n"
"Training: as in table 2, by protocol best.\n"
"smallest, median, largest: literals of the programs, heads included.  programs, proved: runs whose model is\n"
"a program, and is proved to compute it in every world (nlm prove).  s training, s search, processor s:\n"
"seconds of training, and beyond it of the search for the program, by the clock and of the processor (one\n"
"thread a run); the median and, in brackets, the most.\n"
"\n"
"## No proved program\n"
"\n"
"- uncle, seed 3: not proved\n"
"- uncle, seeds 4 5: too many errors\n"
"- sort, seed 3: not graduated\n"
"\n";
/* clang-format on */

static nlm_study_run with_program(nlm_study_run run, int literals, bool proved, double seconds)
{
    run.result.program = (nlm_job_program){.sought = true,
                                           .found = literals > 0,
                                           .literals = literals,
                                           .proved = proved,
                                           .seconds = seconds,
                                           .processor_seconds = seconds < 0 ? -1 : 1.25};
    if (literals == 0)
        strcpy(run.result.program.reason, "too many errors");
    return run;
}

/* Beside what people write; of runs that did not look for one nothing is told. */
static void programs_have_their_tables(void **state)
{
    (void)state;
    const nlm_score right = {.right = 1, .macro = 1, .first_failure = -1, .moves = -1, .optimal_moves = -1};
    nlm_score wrong = right, unknown = right, unsolved = right, best = right, longer = right;
    wrong.first_failure = 7;
    wrong.wrong = 7;
    unknown.wrong = NLM_WRONG_UNKNOWN;
    unsolved.first_failure = 0;
    best.moves = 8;
    longer.moves = 50;
    begin_study((nlm_study_plan){.folder = "folder", .worlds = 20, .rules = true});
    nlm_study_run runs[] = {made_by_hand("has-father", 1, right, right),
                            with_program(made_by_hand("grandparent", 1, right, unknown), 7, true, 1.5),
                            with_program(made_by_hand("uncle", 1, right, right), 9, true, 2),
                            with_program(made_by_hand("uncle", 2, right, wrong), 12, true, -1),
                            with_program(made_by_hand("uncle", 3, right, wrong), 20, false, 1.5),
                            with_program(made_by_hand("uncle", 4, wrong, wrong), 0, false, -1),
                            with_program(made_by_hand("uncle", 5, right, wrong), 0, false, 4),
                            with_program(made_by_hand("sort", 1, best, longer), 9, true, 1.5),
                            with_program(made_by_hand("sort", 2, best, unsolved), 7, true, -1),
                            made_by_hand("sort", 3, best, unsolved),
                            made_by_hand("uncle-memnn", 1, wrong, wrong),
                            with_program(made_by_hand("ilp-fizz", 1, right, right), 5, true, -1)};
    runs[4].result.test[1].wrong = runs[4].result.rich[1].wrong = 1000;
    runs[9].result.graduated = false;
    all.runs = runs;
    all.count = (int)COUNT(runs);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    programs_write(file, &all, true);
    fclose(file);
    assert_string_equal(text, programs_of_runs);
    free(text);
}

/* The definitions that programs are compared with have the sizes of the reference. */
static void definitions_by_people_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *task, *start;
    } wanted[] = {{"has-father", "| has-father | 2 |"},
                  {"has-sister", "| has-sister | 4 |"},
                  {"grandparent", "| grandparent | 7 |"},
                  {"uncle", "| uncle | 9 |"},
                  {"mg-uncle", "| mg-uncle | 9 |"},
                  {"adjacent-to-red", "| adjacent-to-red | 3 |"},
                  {"1-outdegree", "| 1-outdegree | 6 |"},
                  {"2-outdegree", "| 2-outdegree | 9 |"},
                  {"4-connectivity", "| 4-connectivity | 10 |"},
                  {"6-connectivity", "| 6-connectivity | 14 |"}};
    const nlm_score right = {.right = 1, .macro = 1, .first_failure = -1, .moves = -1, .optimal_moves = -1};
    begin_study((nlm_study_plan){.folder = "folder", .worlds = 20, .rules = true});
    for (size_t i = 0; i < COUNT(wanted); i++) {
        nlm_study_run run = with_program(made_by_hand(wanted[i].task, 1, right, right), 9, true, 2);
        char *text = NULL;
        size_t size;
        all.runs = &run;
        all.count = 1;
        FILE *file = open_memstream(&text, &size);
        programs_write(file, &all, true);
        fclose(file);
        assert_non_null(strstr(text, wanted[i].start));
        free(text);
    }
}

/* Which runs are of which day and machine; notes are in Markdown alone, between marks. */
static void origins_and_notes_are_told(void **state)
{
    (void)state;
    const nlm_score right = {.right = 1, .macro = 1, .first_failure = -1, .moves = -1, .optimal_moves = -1};
    char notes[] = "/tmp/nlm-test-notes-XXXXXX";
    const int file_number = mkstemp(notes);
    assert_true(file_number >= 0 && write(file_number, "By hand.\n", 9) == 9);
    close(file_number);
    begin_study((nlm_study_plan){.folder = "folder", .worlds = 20, .notes = notes});
    nlm_study_run runs[] = {made_by_hand("has-father", 1, right, right),
                            made_by_hand("uncle", 1, right, right), made_by_hand("uncle", 2, right, right)};
    all.runs = runs;
    all.count = (int)COUNT(runs);
    for (int i = 0; i < all.count; i++) {
        snprintf(runs[i].result.date, sizeof runs[i].result.date, "2026-11-1%dT10:00:00Z", i < 2 ? 6 : 8);
        strcpy(runs[i].result.machine, "AMD, 2 cores");
        runs[i].result.drawn = 12000;
    }
    for (int markdown = 0; markdown < 2; markdown++) {
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        nlm_study_write(&all, file, markdown != 0);
        fclose(file);
        assert_non_null(strstr(text, "\n\nRuns of several days or machines:\n\n- 2026-11-16, AMD, 2 cores: "
                                     "has-father, uncle\n- 2026-11-18, AMD, 2 cores: uncle\n\n"));
        assert_int_equal(strstr(text, "-->\n\nBy hand.\n\n<!-- end of notes -->\n") != NULL, markdown);
        assert_true(!markdown || strstr(text, "| 2.0 | 100,000 | 1.5 | 8,000 8,000 |\n"));
        free(text);
    }
    unlink(notes);
}

/* Nothing is told of what is not there. */
static void memory_networks_alone_have_one_line(void **state)
{
    (void)state;
    const nlm_score wrong = {.right = 0.5, .macro = -1, .first_failure = 0, .moves = -1, .optimal_moves = -1};
    begin_study((nlm_study_plan){.folder = "folder", .worlds = 20});
    nlm_study_run runs[] = {made_by_hand("uncle-memnn", 1, wrong, wrong), run_of("uncle-memnn", 2)};
    all.runs = runs;
    all.count = (int)COUNT(runs);
    char *text = NULL;
    size_t size;
    runs[0].result.graduated = false;
    FILE *file = open_memstream(&text, &size);
    nlm_study_write(&all, file, false);
    fclose(file);
    assert_non_null(strstr(text, "\nuncle  20       96.3 / 85.8   50.00 / -  100 / 100    100 / 100\n"));
    assert_non_null(strstr(text, "\n\nOf 2 runs of memory networks 0 graduated; 1 is not finished.\n"));
    assert_null(strstr(text, "NLM: tasks"));
    assert_null(strstr(text, "Failures"));
    assert_null(strstr(text, "All runs graduated"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_laid_out),        cmocka_unit_test(tables_have_the_numbers),
        cmocka_unit_test(programs_have_their_tables), cmocka_unit_test(definitions_by_people_are_counted),
        cmocka_unit_test(origins_and_notes_are_told), cmocka_unit_test(memory_networks_alone_have_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

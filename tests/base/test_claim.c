/* Claims: one holder at a time, taken over when the holder died, on this machine and on others. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "test.h"

#include "base/claim.h"

typedef struct folder {
    char path[64];
    char work[96], first[112], second[112]; /* path/run, path/run.claim-1, path/run.claim-2 */
} folder;

static int make_folder(void **state)
{
    static folder made;
    strcpy(made.path, "/tmp/nlm-test-claim-XXXXXX");
    if (!mkdtemp(made.path))
        return -1;
    snprintf(made.work, sizeof made.work, "%s/run", made.path);
    snprintf(made.first, sizeof made.first, "%s.claim-1", made.work);
    snprintf(made.second, sizeof made.second, "%s.claim-2", made.work);
    *state = &made;
    return 0;
}

static int remove_folder(void **state)
{
    const folder *made = *state;
    unlink(made->first);
    unlink(made->second);
    return rmdir(made->path); /* fails, and so does the test, when anything else was left behind */
}

static claim_state take(claim *of, double now)
{
    claim_state state;
    nlm_error error;
    assert_int_equal(claim_take(of, now, &state, &error), NLM_OK);
    return state;
}

static claim make_claim(const folder *made)
{
    claim of;
    assert_int_equal(claim_init(&of, made->work, NULL), NLM_OK);
    return of;
}

static void one_has_it(void **state)
{
    const folder *made = *state;
    claim mine = make_claim(made), other = make_claim(made);
    assert_int_equal(claim_look(&mine, 1), CLAIM_FREE);
    assert_int_equal(take(&mine, 1), CLAIM_MINE);
    assert_int_equal(claim_look(&mine, 1), CLAIM_MINE);
    assert_int_equal(take(&other, 1), CLAIM_HELD);
    assert_true(claim_beat(&mine, 0.25, "epoch 3\x1b[1m\nmore"));
    assert_int_equal(claim_look(&other, 2), CLAIM_HELD);
    assert_true(other.fraction == 0.25);
    assert_string_equal(other.note, "epoch 3?[1m");
    char process[40];
    snprintf(process, sizeof process, ", process %ld", (long)getpid());
    assert_non_null(strstr(other.holder, process));
    /* it lives: it may be silent for as long as it likes */
    for (int now = 2; now < 1000; now += 2)
        assert_int_equal(claim_look(&other, now), CLAIM_HELD);
    claim_end(&mine, true);
    assert_int_equal(access(made->first, F_OK), -1);
    assert_int_equal(take(&other, 3), CLAIM_MINE);
    claim_end(&other, false);
    assert_int_equal(access(made->first, F_OK), 0);
    assert_int_equal(take(&mine, 4), CLAIM_MINE);
    assert_int_equal(access(made->second, F_OK), 0);
    claim_end(&mine, true);
    assert_int_equal(access(made->first, F_OK), -1);
    claim_release(&mine);
    claim_release(&other);
}

/* Killed, but not yet waited for; and waited for. */
static void the_dead_have_nothing(void **state)
{
    const folder *made = *state;
    claim mine = make_claim(made);
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        claim its = make_claim(made);
        alarm(60); /* nobody may be left to kill it */
        if (take(&its, 1) == CLAIM_MINE && write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(take(&mine, 1), CLAIM_HELD);
    kill(child, SIGKILL);
    siginfo_t about;
    assert_int_equal(waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT), 0);
    assert_int_equal(claim_look(&mine, 1), CLAIM_FREE);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(take(&mine, 1), CLAIM_MINE);
    assert_int_equal(mine.number, 2);
    claim_end(&mine, true);
    assert_int_equal(access(made->first, F_OK), -1);
    claim_release(&mine);
    close(ready[0]);
    close(ready[1]);
}

static void write_claim(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A holder on another machine counts as dead when it was silent for long while somebody looked. */
static void other_machines_are_believed_while_they_change(void **state)
{
    const folder *made = *state;
    claim mine = make_claim(made);
    double now = 1000;
    write_claim(made->first, "nlm claim 1\nnode7 boot space\n12 34\n1 0.5 epoch 3\n");
    assert_int_equal(take(&mine, now), CLAIM_HELD);
    assert_string_equal(mine.holder, "node7, process 12");
    assert_string_equal(mine.note, "epoch 3");
    for (int i = 0; i < 12; i++)
        assert_int_equal(take(&mine, now += CLAIM_BEAT), CLAIM_HELD);
    write_claim(made->first, "nlm claim 1\nnode7 boot space\n12 34\n2 0.5 epoch 3\n");
    for (int i = 0; i < 12; i++)
        assert_int_equal(take(&mine, now += CLAIM_BEAT), CLAIM_HELD);
    /* a pause of one's own is no silence of the holder's */
    write_claim(made->first, "nlm claim 1\nnode7 boot space\n12 34\n3 0.5 epoch 3\n");
    assert_int_equal(take(&mine, now += CLAIM_BEAT), CLAIM_HELD);
    assert_int_equal(take(&mine, now += 100 * CLAIM_DEAD), CLAIM_HELD);
    int looks = 0;
    while (take(&mine, now += CLAIM_BEAT) == CLAIM_HELD)
        looks++;
    assert_true(looks >= CLAIM_DEAD / CLAIM_BEAT - 3 && looks <= CLAIM_DEAD / CLAIM_BEAT);
    assert_true(mine.mine);
    claim_end(&mine, true);
    claim_release(&mine);
}

/* Texts that nobody understands are of somebody: for a minute. */
static void damaged_claims_hold_for_a_while(void **state)
{
    const folder *made = *state;
    static const char *const texts[] = {"",
                                        "nlm claim 2\n",
                                        "nlm claim 1\na b\n",
                                        "nlm claim 1\na b c\n-1 2\n1 0 x\n",
                                        "nlm claim 1\na b c\n1 2\n1 zero x\n",
                                        "\x01\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        claim mine = make_claim(made);
        double now = 5;
        write_claim(made->first, texts[i]);
        assert_int_equal(claim_look(&mine, now), CLAIM_HELD);
        for (int look = 0; look < 12; look++)
            assert_int_equal(claim_look(&mine, now += CLAIM_BEAT), CLAIM_HELD);
        assert_int_equal(take(&mine, now += CLAIM_BEAT), CLAIM_MINE);
        claim_end(&mine, true);
        claim_release(&mine);
    }
}

/* Who seemed dead to another machine finds out, and touches nothing. */
static void a_lost_claim_is_noticed(void **state)
{
    const folder *made = *state;
    claim mine = make_claim(made);
    assert_int_equal(take(&mine, 1), CLAIM_MINE);
    write_claim(made->second, "nlm claim 1\nnode7 boot space\n12 34\n1 0.5 epoch 3\n");
    assert_false(claim_beat(&mine, 0.5, ""));
    claim_end(&mine, true);
    assert_int_equal(access(made->first, F_OK), 0);
    assert_int_equal(access(made->second, F_OK), 0);
    assert_int_equal(claim_look(&mine, 1), CLAIM_HELD);
    unlink(made->second);
    unlink(made->first);
    assert_int_equal(take(&mine, 1), CLAIM_MINE);
    unlink(made->first); /* somebody finished the work, and another one before */
    assert_false(claim_beat(&mine, 0.5, ""));
    assert_int_equal(access(made->first, F_OK), -1);
    claim_release(&mine);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    claim of;
    claim_state taken;
    nlm_error error;
    assert_int_equal(claim_init(&of, "/tmp/nlm-no-such-folder/run", NULL), NLM_OK);
    assert_int_equal(claim_take(&of, 1, &taken, &error), NLM_IO_ERROR);
    assert_non_null(strstr(error.message, "run.claim-1: No such file"));
    claim_release(&of);
}

/* Processes that all want the same work, again and again: each piece is done once. */
static void many_processes_share(void **state)
{
    enum { PROCESSES = 4, PIECES = 50 };
    const folder *made = *state;
    char done[128];
    snprintf(done, sizeof done, "%s/done", made->path);
    for (int p = 0; p < PROCESSES; p++) {
        if (fork() > 0)
            continue;
        for (int piece = 0; piece < PIECES; piece++) {
            claim its;
            char name[128], made_by[160];
            snprintf(name, sizeof name, "%s-%d", made->work, piece);
            snprintf(made_by, sizeof made_by, "%s.made", name);
            (void)claim_init(&its, name, NULL);
            if (take(&its, 1) == CLAIM_MINE) {
                if (access(made_by, F_OK) != 0) {
                    int file = open(done, O_WRONLY | O_CREAT | O_APPEND, 0666);
                    if (write(file, "x", 1) != 1)
                        _exit(1);
                    close(file);
                    close(open(made_by, O_WRONLY | O_CREAT, 0666));
                }
                claim_end(&its, true);
            }
            claim_release(&its);
        }
        _exit(0);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct stat about;
    assert_int_equal(stat(done, &about), 0);
    assert_int_equal(about.st_size, PIECES);
    unlink(done);
    for (int piece = 0; piece < PIECES; piece++) {
        char name[160];
        snprintf(name, sizeof name, "%s-%d.made", made->work, piece);
        assert_int_equal(unlink(name), 0);
    }
}

/* When a process began, as its file says; 0 if that cannot be read. */
static unsigned long long start_in(const char *path)
{
    char text[512] = "";
    unsigned long long start = 0;
    FILE *file = fopen(path, "r");
    if (file && fread(text, 1, sizeof text - 1, file) > 0 && strrchr(text, ')'))
        (void)sscanf(strrchr(text, ')') + 1,
                     " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                     &start);
    if (file)
        fclose(file);
    return start;
}

/* Whether a process is told of itself what others are told of it: emulators of processors may make up the
 * former. */
static bool processes_see_each_other(void)
{
    int told[2], ask[2];
    unsigned long long start = 0;
    char path[40], byte;
    if (pipe(told) || pipe(ask))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ask[1]);
        start = start_in("/proc/self/stat");
        _exit(write(told[1], &start, sizeof start) != sizeof start || read(ask[0], &byte, 1) != 0);
    }
    const bool has = read(told[0], &start, sizeof start) == sizeof start;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)child);
    const unsigned long long seen = start_in(path);
    for (int i = 0; i < 2; i++) {
        close(told[i]);
        close(ask[i]);
    }
    waitpid(child, NULL, 0);
    return has && start > 0 && start == seen;
}

int main(void)
{
    if (!processes_see_each_other()) {
        puts("skipped: processes cannot see when others began");
        return 77;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(one_has_it),
        TEST(the_dead_have_nothing),
        TEST(other_machines_are_believed_while_they_change),
        TEST(damaged_claims_hold_for_a_while),
        TEST(a_lost_claim_is_noticed),
        TEST(a_folder_that_is_not_there_is_an_error),
        TEST(many_processes_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

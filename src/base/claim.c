/* The file of a claim:
 *
 *     nlm claim 1
 *     HOST BOOT NAMESPACE      the machine; "-" where something is not known, and no machine is like it
 *     PROCESS START            its number, and when it began in ticks since the machine did: numbers are
 * reused BEATS FRACTION NOTE (blanks)
 *
 * or "nlm claim 1", "free".  A text that is not understood is a holder of whom nothing is known but when it
 * changed: somebody who is just writing it, or a later version. */
#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/memory.h"

#define HEAD "nlm claim 1\n"
#define FREE_TEXT HEAD "free\n"
#define STEP_MOST (2.0 * CLAIM_BEAT) /* of silence between two looks: it may have been one's own */

enum { HOST = 65, BOOT = 65, SPACE = 65, NUMBER = 12 };

typedef struct whereabouts {
    char host[HOST], boot[BOOT], space[SPACE];
    long process;
    unsigned long long start;
} whereabouts;

/* ---- processes ---- */

/* The first word of a file; "-" if there is none. */
static void first_word(const char *path, char word[BOOT])
{
    FILE *file = fopen(path, "re");
    if (!file || fscanf(file, "%64s", word) != 1)
        strcpy(word, "-");
    if (file)
        fclose(file);
}

/* When a process began; 0 if it is not there any more, or only waits to be buried. */
static unsigned long long start_of(long process)
{
    char path[40], text[512], state = 'Z';
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *rest = strrchr(text, ')'); /* the command before it may have anything in its name */
    if (!rest ||
        sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &state, &start) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}

static whereabouts find_self(void)
{
    whereabouts self = {.process = (long)getpid()};
    self.start = start_of(self.process);
    if (gethostname(self.host, sizeof self.host - 1) || !*self.host || strpbrk(self.host, " \n"))
        strcpy(self.host, "-");
    first_word("/proc/sys/kernel/random/boot_id", self.boot);
    ssize_t length = readlink("/proc/self/ns/pid", self.space, sizeof self.space - 1);
    if (length < 1)
        strcpy(self.space, "-");
    return self;
}

/* Whether the processes of both can see each other; without certainty not. */
static bool is_same_machine(const whereabouts *a, const whereabouts *b)
{
    return !strcmp(a->host, b->host) && !strcmp(a->boot, b->boot) && !strcmp(a->space, b->space) &&
           strcmp(a->boot, "-") && strcmp(a->space, "-") && b->start > 0;
}

/* ---- the file ---- */

static void path_of(const claim *of, int number, char *path, size_t size)
{
    snprintf(path, size, "%s.claim-%d", of->path, number);
}

static size_t path_size(const claim *of)
{
    return strlen(of->path) + sizeof ".claim-" + NUMBER;
}

/* A path of this number, to be freed; NULL without memory. */
static char *new_path(const claim *of, int number)
{
    char *path = memory_new(path_size(of), 1);
    if (path)
        path_of(of, number, path, path_size(of));
    return path;
}

static bool is_there(const claim *of, int number)
{
    char *path = new_path(of, number);
    const bool there = path && !access(path, F_OK);
    memory_free(path);
    return there;
}

/* False if there is no such file; one that cannot be read is empty. */
static bool read_text(const claim *of, int number, char text[CLAIM_FILE + 1])
{
    char *path = new_path(of, number);
    text[0] = '\0';
    int file = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    const bool there = file >= 0 || !path || errno != ENOENT;
    memory_free(path);
    if (file < 0)
        return there;
    ssize_t length = read(file, text, CLAIM_FILE);
    text[length > 0 ? length : 0] = '\0';
    close(file);
    return true;
}

/* All of the file at once, with blanks after the text. */
static bool write_text(int file, const char *text)
{
    char all[CLAIM_FILE + 1];
    snprintf(all, sizeof all, "%-*s", CLAIM_FILE, text);
    return pwrite(file, all, CLAIM_FILE, 0) == CLAIM_FILE;
}

/* Notes are one line of printable text, whoever wrote them: they go to a terminal. */
static void take_note(claim *of, const char *note)
{
    size_t length = strcspn(note, "\n");
    while (length > 0 && note[length - 1] == ' ')
        length--;
    if (length >= sizeof of->note)
        length = sizeof of->note - 1;
    for (size_t i = 0; i < length; i++)
        of->note[i] = (unsigned char)note[i] < ' ' || note[i] == 127 ? '?' : note[i];
    of->note[length] = '\0';
}

/* What the text tells about its holder; false if it is not understood. */
static bool parse(claim *of, whereabouts *holder)
{
    int end = -1;
    double fraction;
    if (strncmp(of->seen, HEAD, strlen(HEAD)) != 0 ||
        sscanf(of->seen + strlen(HEAD), "%64s %64s %64s %ld %llu %*d %lf %n", holder->host, holder->boot,
               holder->space, &holder->process, &holder->start, &fraction, &end) != 6 ||
        end < 0 || holder->process <= 0)
        return false;
    of->fraction = fraction >= 0 && fraction <= 1 ? fraction : -1;
    snprintf(of->holder, sizeof of->holder, "%s, process %ld", holder->host, holder->process);
    for (char *letter = of->holder; *letter; letter++)
        *letter = (unsigned char)*letter < ' ' || *letter == 127 ? '?' : *letter;
    take_note(of, of->seen + strlen(HEAD) + end);
    return true;
}

/* ---- claims ---- */

nlm_status claim_init(claim *of, const char *path, nlm_error *error)
{
    *of = (claim){.path = memory_copy_text(path), .fraction = -1};
    return of->path ? NLM_OK : error_no_memory(error);
}

void claim_release(claim *of)
{
    memory_free(of->path);
    *of = (claim){0};
}

/* To the largest number, as far as can be seen. */
static void find_number(claim *of)
{
    if (of->number > 0 && !is_there(of, of->number))
        of->number = 0; /* that work is finished */
    while (is_there(of, of->number + 1))
        of->number++;
}

/* Of a holder that is on another machine, or unknown. */
static claim_state judge_silence(claim *of, const char *before, double now)
{
    if (strcmp(before, of->seen) != 0 || of->looked <= 0)
        of->silence = 0;
    else
        of->silence += fmin(fmax(now - of->looked, 0), STEP_MOST);
    of->looked = now;
    return of->silence > CLAIM_DEAD ? CLAIM_FREE : CLAIM_HELD;
}

claim_state claim_look(claim *of, double now)
{
    char before[CLAIM_FILE + 1];
    whereabouts holder = {.start = 0};
    if (of->mine)
        return CLAIM_MINE;
    find_number(of);
    memcpy(before, of->seen, sizeof before);
    of->fraction = -1;
    of->note[0] = of->holder[0] = '\0';
    if (of->number == 0 || !read_text(of, of->number, of->seen) ||
        !strncmp(of->seen, FREE_TEXT, strlen(FREE_TEXT)))
        return CLAIM_FREE;
    if (parse(of, &holder)) {
        const whereabouts self = find_self();
        if (is_same_machine(&self, &holder))
            return start_of(holder.process) == holder.start ? CLAIM_HELD : CLAIM_FREE;
    }
    return judge_silence(of, before, now);
}

/* The text of a holder that is this process. */
static void own_text(const claim *of, double fraction, const char *note, char text[CLAIM_FILE])
{
    const whereabouts self = find_self();
    const int length = (int)strcspn(note, "\n");
    snprintf(text, CLAIM_FILE, HEAD "%s %s %s\n%ld %llu\n%ld %.4f %.*s\n", self.host, self.boot, self.space,
             self.process, self.start, of->beats, fraction, length < CLAIM_NOTE ? length : CLAIM_NOTE - 1,
             note);
}

nlm_status claim_take(claim *of, double now, claim_state *state, nlm_error *error)
{
    char text[CLAIM_FILE];
    *state = claim_look(of, now);
    if (*state != CLAIM_FREE)
        return NLM_OK;
    char *path = new_path(of, of->number + 1);
    if (!path)
        return error_no_memory(error);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    nlm_status status = NLM_OK;
    if (file < 0 && errno == EEXIST)
        *state = CLAIM_HELD; /* another process was faster */
    else if (file < 0)
        status = error_set(error, NLM_IO_ERROR, "%.300s: %s", path, strerror(errno));
    if (file >= 0) {
        of->number++;
        of->mine = true;
        of->beats = 0;
        own_text(of, 0, "", text);
        if (!write_text(file, text) || fsync(file))
            status = error_set(error, NLM_IO_ERROR, "%.300s: %s", path, strerror(errno));
        close(file);
        *state = CLAIM_MINE;
        if (status)
            claim_end(of, false);
    }
    memory_free(path);
    return status;
}

/* The file of mine in its new text; without O_CREAT: what was removed stays so. */
static bool rewrite(const claim *of, const char *text)
{
    char *path = new_path(of, of->number);
    int file = path ? open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    const bool there = file >= 0 || !path || errno != ENOENT;
    memory_free(path);
    if (file >= 0) {
        (void)!write_text(file, text); /* a full disk is no reason to give up: the run itself will tell */
        close(file);
    }
    return there;
}

bool claim_beat(claim *of, double fraction, const char *note)
{
    char text[CLAIM_FILE];
    of->beats++;
    own_text(of, fraction, note, text);
    of->mine = !is_there(of, of->number + 1) && rewrite(of, text);
    return of->mine;
}

void claim_end(claim *of, bool finished)
{
    if (!of->mine)
        return;
    of->mine = false;
    if (!finished) {
        rewrite(of, FREE_TEXT);
        return;
    }
    for (; of->number > 0; of->number--) {
        char *path = new_path(of, of->number);
        if (path)
            unlink(path);
        memory_free(path);
    }
}

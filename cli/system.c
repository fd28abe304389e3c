/* The operating system: the environment and processors, memory that is free, and a word for those who wait.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "system.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "message.h"

/* ---- kernels and processors ---- */

/* A variable of the environment; NULL when it is not set or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool choose_kernel(nlm_kernel *kernel)
{
    const char *name = variable("NLM_KERNEL");
    if (name == NULL)
        return true;
    if (!nlm_kernel_find(name, kernel)) {
        message_error("NLM_KERNEL=%s: no such kernel; there are best, reference, generic, avx2, avx512",
                      name);
        return false;
    }
    if (!nlm_kernel_available(*kernel)) {
        message_error("NLM_KERNEL=%s: this processor cannot run it; NLM_KERNEL=best takes one it can", name);
        return false;
    }
    return true;
}

bool system_options(nlm_options *options)
{
    const char *structure = variable("NLM_STRUCTURE");
    const bool identity = structure != NULL && strcmp(structure, "identity") == 0;
    options->kernel = NLM_KERNEL_BEST;
    options->lifting = identity ? NLM_IDENTITY : NLM_LIFT;
    if (!choose_kernel(&options->kernel))
        return false;
    if (structure == NULL || identity || strcmp(structure, "lift") == 0)
        return true;
    message_error("NLM_STRUCTURE=%s: no such structure; there are lift and identity", structure);
    return false;
}

/* A whole number of the environment from 0 on; -1 if there is none. */
static int number_of(const char *name)
{
    enum { MOST = 1000000 };
    const char *text = variable(name);
    char *end;
    const long number = text != NULL ? strtol(text, &end, 10) : -1;
    return number >= 0 && number <= MOST && *end == '\0' ? (int)number : -1;
}

/* The innermost launcher first: mpirun may run in a job of SLURM.  Outside of srun SLURM names no step. */
static const struct launcher {
    const char *rank, *ranks, *here; /* here: ranks on this machine */
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                 {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"}};

/* NULL if this process was started alone. */
static const struct launcher *find_launcher(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (number_of(launchers[i].ranks) > 0 && number_of(launchers[i].rank) >= 0 &&
            number_of(launchers[i].rank) < number_of(launchers[i].ranks))
            return &launchers[i];
    return NULL;
}

system_rank system_find_rank(void)
{
    const struct launcher *by = find_launcher();
    return by != NULL ? (system_rank){number_of(by->rank), number_of(by->ranks)} : (system_rank){0, 1};
}

/* A launcher that binds ranks to processors has shared them out already; where it does not, each rank may use
 * all of them. */
int system_processors(void)
{
    enum { MOST = 1024 };
    const struct launcher *by = find_launcher();
    const int here = by != NULL ? number_of(by->here) : 1;
    const long online = sysconf(_SC_NPROCESSORS_ONLN) / (here > 0 ? here : 1);
    cpu_set_t allowed;
    const int bound = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : MOST;
    const int most = bound > 0 && bound < MOST ? bound : MOST;
    return online < 1 ? 1 : online < most ? (int)online : most;
}

/* ---- terminals ---- */

bool system_is_terminal(int file)
{
    const char *kind = variable("TERM");
    return kind != NULL && strcmp(kind, "dumb") != 0 && isatty(file);
}

void system_terminal_size(int file, int *columns, int *rows)
{
    struct winsize size = {0};
    const bool known = ioctl(file, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col > 0 ? size.ws_col - 1 : 79;
    *rows = known && size.ws_row > 0 ? size.ws_row : 24;
}

/* ---- memory ---- */

/* The number that the first line of a file has which fits the format; `otherwise` if there is none. */
static double number_in(const char *path, const char *format, double otherwise)
{
    char text[256];
    double number;
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(text, sizeof text, file) != NULL)
        found = sscanf(text, format, &number) == 1;
    if (file != NULL)
        fclose(file);
    return found ? number : otherwise;
}

#define SPARE 1.2 /* what is allocated against what is used: buffers have a quarter to spare */
#define CGROUP "/sys/fs/cgroup/"
#define STATUS "/proc/self/status"

/* What a limit of this process still allows; `format` finds in STATUS how many kilobytes count for it. */
static double left_by_limit(int resource, const char *format)
{
    struct rlimit limit;
    const double used = 1024 * number_in(STATUS, format, -1);
    if (used < 0 || getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return INFINITY;
    return (double)limit.rlim_cur - used;
}

double system_free_memory(void)
{
    double bytes = 1024 * number_in("/proc/meminfo", "MemAvailable: %lf", 1024.0 * 1024);
    /* A container may have less, and so may the process. */
    bytes = fmin(bytes, number_in(CGROUP "memory.max", "%lf", INFINITY) -
                            number_in(CGROUP "memory.current", "%lf", 0));
    bytes = fmin(bytes, left_by_limit(RLIMIT_AS, "VmSize: %lf"));
    bytes = fmin(bytes, left_by_limit(RLIMIT_DATA, "VmData: %lf"));
    return fmax(bytes, 0);
}

/* RLIMIT_DATA counts what can be written to and is not shared, stacks of threads included, but not what
 * allocators only reserve; what there is already, the shadow of a sanitizer for one, is added to it. */
void system_limit_memory(void)
{
    const double used = 1024 * number_in(STATUS, "VmData: %lf", -1);
    const double most = used + SPARE * system_free_memory();
    struct rlimit limit;
    if (used < 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY || (double)limit.rlim_cur > most)
        limit.rlim_cur = (rlim_t)most;
    setrlimit(RLIMIT_DATA, &limit); /* without it, all is as it would have been */
}

/* ---- waiting: written by the handler of an alarm, so the work need not know of it ---- */

enum { WAITING_SECONDS = 2, WAITING_LINE = 256 };

static char line[WAITING_LINE]; /* does not change while the alarm is set */
static size_t length;

static void speak(int number)
{
    (void)number;
    const int kept = errno;
    const ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* nothing can be done about a terminal that is gone */
    errno = kept;
}

void waiting_begin(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    char text[WAITING_LINE - 16];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    length = (size_t)snprintf(line, sizeof line, "nlm: %s ...\n", text);
    const struct sigaction action = {.sa_handler = speak, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    alarm(WAITING_SECONDS);
}

void waiting_end(void)
{
    alarm(0);
    signal(SIGALRM, SIG_DFL);
}

/* ---- signals ---- */

static atomic_int signal_seen; /* read by all threads */

static void note_signal(int number)
{
    atomic_store(&signal_seen, number);
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* as nohup leaves it */
        sigaction(SIGHUP, &action, NULL);
}

int interrupt_seen(void)
{
    return atomic_load(&signal_seen);
}

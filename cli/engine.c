/* How the commands run the library: the environment chooses the kernels and the structure. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "message.h"

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

static bool choose_lifting(nlm_lifting *lifting)
{
    const char *name = variable("NLM_STRUCTURE");
    if (name == NULL || strcmp(name, "lift") == 0)
        return true;
    if (strcmp(name, "identity") != 0) {
        message_error("NLM_STRUCTURE=%s: no such structure; there are lift and identity", name);
        return false;
    }
    *lifting = NLM_IDENTITY;
    return true;
}

bool engine_from_environment(nlm_options *options)
{
    options->kernel = NLM_KERNEL_BEST;
    options->lifting = NLM_LIFT;
    return choose_kernel(&options->kernel) && choose_lifting(&options->lifting);
}

int engine_processors(void)
{
    enum { MOST = 1024 };
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online < MOST ? (int)online : MOST;
}

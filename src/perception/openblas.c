/* Products by OpenBLAS.
 *
 * It is loaded by the first product, not linked: it starts its threads when it is loaded, and programs
 * that multiply nothing are spared them.  It never returns when it cannot have memory, so it is loaded only
 * where there is enough. */
#include "perception/openblas.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* What cblas.h of Debian's OpenBLAS declares, of which sizes are int. */
enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111, TRANSPOSED = 112 };
typedef void sgemm_function(int order, int a_transposed, int b_transposed, int rows, int columns, int inner,
                            float alpha, const float *a, int a_stride, const float *b, int b_stride,
                            float beta, float *y, int y_stride);
typedef char *corename_function(void);
typedef void threads_function(int threads);

/* Set once for the process, by openblas_load. */
static sgemm_function *sgemm;

static void product_openblas(struct product s, const float *a, const float *b, float *y)
{
    sgemm(ROW_MAJOR, s.a_transposed ? TRANSPOSED : NOT_TRANSPOSED,
          s.b_transposed ? TRANSPOSED : NOT_TRANSPOSED, s.rows, s.columns, s.inner, 1.0f, a,
          s.a_transposed ? s.rows : s.inner, b, s.b_transposed ? s.inner : s.columns, s.add ? 1.0f : 0.0f, y,
          s.columns);
}

/* POSIX says that the address of a function survives the way through void *, C does not. */
static void (*function_named(void *library, const char *name))(void)
{
    void (*function)(void);
    *(void **)&function = dlsym(library, name);
    return function;
}

/* Whether the process may have what OpenBLAS takes: buffers and a stack for each of its threads and of ours.
 */
static bool has_memory(void)
{
    const size_t part = (size_t)128 << 20, most = SIZE_MAX / 8;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t parts = processors > 0 ? (size_t)processors + 1 : 2;
    const size_t size = parts < most / part ? parts * part : most;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return room != MAP_FAILED && munmap(room, size) == 0;
}

product_function *openblas_load(void)
{
    void *library = has_memory() ? dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library)
        return NULL;
    sgemm = (sgemm_function *)function_named(library, "cblas_sgemm");
    corename_function *corename = (corename_function *)function_named(library, "openblas_get_corename");
    threads_function *use_threads = (threads_function *)function_named(library, "openblas_set_num_threads");
    if (!sgemm || !corename || !use_threads || product_is_unknown_processor(corename()))
        return NULL;
    use_threads(1);
    return product_openblas;
}

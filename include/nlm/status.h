/* Status codes and error messages.
 *
 * Every function that can fail returns an nlm_status; its result leaves through a pointer.  A function that
 * takes an `nlm_error *` also describes what went wrong there, in one line fit to be shown to a person.  The
 * pointer may be NULL. */
#ifndef NLM_STATUS_H
#define NLM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define NLM_ERROR_SIZE 512

/* A status that nobody looks at is a warning of the compiler; (void) before a call says that it does not
 * matter. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define NLM_CHECKED [[nodiscard]]
#elif !defined(__cplusplus) && defined(__clang__)
#define NLM_CHECKED __attribute__((warn_unused_result))
#elif !defined(__cplusplus) && defined(__GNUC__) && __GNUC__ >= 10
#define NLM_CHECKED [[nodiscard]]
#else
#define NLM_CHECKED
#endif

/* clang-format off */
#ifdef __GNUC__
__extension__
#endif
typedef enum NLM_CHECKED nlm_status {
    NLM_OK = 0,
    NLM_BAD_ARGUMENT, /* a value that the function does not accept */
    NLM_BAD_SHAPE,    /* sizes that do not fit together */
    NLM_BAD_FILE,     /* a file whose content is broken */
    NLM_IO_ERROR,     /* the operating system refused to read or write */
    NLM_NO_MEMORY     /* an allocation failed, or sizes overflow */
} nlm_status;
/* clang-format on */

typedef struct nlm_error {
    nlm_status status;
    char message[NLM_ERROR_SIZE];
} nlm_error;

/* Takes a line for a person: nothing has failed, but something was left out or looks wrong. */
typedef void (*nlm_note)(void *context, const char *line);

/* A short name for a status, such as "bad argument".  Never NULL. */
const char *nlm_status_name(nlm_status status);

#ifdef __cplusplus
}
#endif
#endif

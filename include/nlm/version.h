/* The version of these headers, and that of the library that runs. */
#ifndef NLM_VERSION_H
#define NLM_VERSION_H

#define NLM_VERSION "0.1.0"
#define NLM_VERSION_MAJOR 0
#define NLM_VERSION_MINOR 1
#define NLM_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

const char *nlm_version(void);

#ifdef __cplusplus
}
#endif
#endif

/* The version of the library, as opposed to that of the header a program was compiled with. */
#include "nlm/version.h"

const char *nlm_version(void)
{
    return NLM_VERSION;
}

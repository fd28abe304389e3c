/* Any bytes as the file of a claim: its holder and note are fit for a terminal, its fraction is one, and it
 * is believed for a while at most, unless its process lives here. */
#include "fuzz.h"

#include <unistd.h>
#include "base/claim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/nlm-fuzz-claim-XXXXXX", work[64], file[80];
    claim of;
    require(mkdtemp(folder) != NULL);
    snprintf(work, sizeof work, "%s/run", folder);
    snprintf(file, sizeof file, "%s.claim-1", work);
    FILE *out = fopen(file, "w");
    require(out != NULL && fwrite(data, 1, size, out) == size && fclose(out) == 0);
    require(claim_init(&of, work, NULL) == NLM_OK);
    claim_state state = claim_look(&of, 1);
    check_line(of.holder);
    check_line(of.note);
    require(of.fraction == -1 || (of.fraction >= 0 && of.fraction <= 1));
    require(state != CLAIM_MINE);
    for (int look = 1; look < 100 && state == CLAIM_HELD; look++)
        state = claim_look(&of, 1 + CLAIM_BEAT * look);
    require(state == CLAIM_FREE);
    claim_release(&of);
    unlink(file);
    rmdir(folder);
    return 0;
}

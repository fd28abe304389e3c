/* Claims on work that several processes share through a folder, perhaps on several machines.
 *
 * The claim on PATH is the file PATH.claim-N with the largest N; the numbers begin at 1 and have no gaps.  To
 * take the work over from a holder that died is to make the next number, which open(O_EXCL) lets one process
 * do alone, also on network file systems; who sees a larger number than its own has lost the work.  Thus
 * nothing is ever removed or overwritten that a slower process could mistake for its own.
 *
 * Whether a holder is alive: on the same machine its process is looked up.  On another one the file must
 * change, as its holder writes it anew every CLAIM_BEAT seconds; it counts as dead after CLAIM_DEAD seconds
 * of silence on the clock of the one who looks, so clocks need not agree.  Silence is counted only while one
 * looks: after a pause of one's own, or of the file system, the holder gets the same time again.
 *
 * A holder that only seemed dead finds out at its next beat, and gives up.  Until then two processes may do
 * the same work, so the work itself must bear that: files written whole, with the same bits.
 *
 * Callers give the time (nlm_clock), so that tests need not wait. */
#ifndef BASE_CLAIM_H
#define BASE_CLAIM_H

#include <stdbool.h>
#include "nlm/status.h"

enum {
    CLAIM_BEAT = 5,  /* seconds between two beats */
    CLAIM_DEAD = 60, /* of silence */
    CLAIM_NOTE = 240,
    CLAIM_HOLDER = 96,
    CLAIM_FILE = 640 /* bytes of the file, always as many: a reader sees the old or the new text */
};

typedef enum claim_state {
    CLAIM_FREE, /* nobody has it, or its holder died */
    CLAIM_HELD, /* by another process */
    CLAIM_MINE
} claim_state;

typedef struct claim {
    char *path;
    int number; /* the largest that was seen; 0: none */
    bool mine;
    long beats;
    /* of a holder elsewhere */
    char seen[CLAIM_FILE + 1]; /* the file as it was last read */
    double looked, silence;
    char holder[CLAIM_HOLDER]; /* "node7, process 4711" */
    double fraction;           /* of the work; below 0: not told */
    char note[CLAIM_NOTE];     /* what it is doing */
} claim;

/* A claim on work named by a path, without taking it. */
nlm_status claim_init(claim *of, const char *path, nlm_error *error);
/* Memory only: what was not ended is free as soon as the process has ended. */
void claim_release(claim *of);

/* Who has it. */
claim_state claim_look(claim *of, double now);
/* The same, and it is mine if it was free.  Fails only if the file cannot be made. */
nlm_status claim_take(claim *of, double now, claim_state *state, nlm_error *error);
/* Of mine: tell others that I live, and how far I am.  False: another process has taken it over. */
bool claim_beat(claim *of, double fraction, const char *note);
/* Of mine: the work is finished, which others can see, and the claim's files are removed; or anybody may go
 * on with it. */
void claim_end(claim *of, bool finished);

#endif

/* How far behind the server's clock the flock is played back: enough to have the next snapshot in
 * time, on a line as uneven as this line was in the last seconds.
 *
 * Pure: times come in as arguments, in microseconds. The page has the same rule, and both are
 * tested with clients/vectors/playout.json. The lag is our clock minus the server's time that is
 * shown, so it contains the difference between the two clocks, which cancels out. The caller owns
 * it. */
#ifndef TERM_PLAYOUT_H
#define TERM_PLAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define PLAYOUT_SAMPLES 90u

/* The last values, the oldest first. */
struct playout_window {
    uint32_t count;
    double values[PLAYOUT_SAMPLES];
};

struct playout {
    double nominal;               /* µs between snapshots, as the server granted */
    struct playout_window lags;   /* of snapshots: arrival on our clock minus the server's time */
    struct playout_window spaces; /* between snapshots, on the server's clock */
    bool known;                   /* there was a snapshot: lag and wanted are valid */
    double lag, wanted;
    bool looked;
    int64_t looked_at; /* when the lag was last moved */
};

/* rate: snapshots per second, > 0. */
void playout_init(struct playout *playout, float rate);

/* Forgets all snapshots. The rate stays. */
void playout_forget(struct playout *playout);

/* Changes the rate: snapshots per second, > 0. */
void playout_follow(struct playout *playout, float rate);

/* A snapshot of the server's time `time` arrived at `now`. space: the time since the snapshot
 * before it; 0: it is the first. */
void playout_push(struct playout *playout, int64_t time, int64_t space, int64_t now);

/* Moves the lag to `now` and returns the server's time to show. There must have been a snapshot. */
int64_t playout_look(struct playout *playout, int64_t now);

#endif

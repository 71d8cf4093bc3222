/* Checks a recording that came from outside: all of it, but plays nothing. That takes about as long
 * as loading each checkpoint, seconds in the worst case, so it must not run on a thread that ticks
 * rooms or serves clients. */
#ifndef RECORDING_CHECK_H
#define RECORDING_CHECK_H

#include "past/recording.h"

/* Facts of a recording's end that need no playing, and the boids at its beginning. */
struct recording_summary {
    uint64_t clock;   /* µs on the scene's clock */
    uint64_t ticks;   /* of the flock, at most */
    uint32_t last_id; /* the greatest id of a person in it, at most */
    uint32_t boids;
};

/* The limits of a room that plays it. */
struct recording_limits {
    uint32_t boids;
    const char *option; /* of flockd that sets it; NULL: --room-boids */
    uint32_t people;    /* at a time; 0: as many as any room */
};

/* Lowers the recording's limits to these. Returns false and fills *error: PROTO_E_FULL: no memory,
 * PROTO_E_RANGE: a state exceeds a limit, PROTO_E_MALFORMED: all else. */
bool recording_check(struct recording *recording, const struct recording_limits *limits,
                     struct recording_summary *summary, struct proto_error *error);

#endif

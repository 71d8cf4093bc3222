/* What a shard has counted, for /metrics: written by its thread alone, read by any. Of the
 * snapshots that there were to send to sessions, each has been sent or skipped, but for those that
 * a session may yet get; when it ends, they are skipped. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"

/* Codes that sessions end with; whatever else a client may say is the last, 0. */
static const uint16_t counts_codes[] = {
    1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 3000, 3001, 3002,
    3500, 3501, 3502, 3503, 3504, 3505, 3506, 3507, 3508, 3509, 0,
};

#define COUNTS_CODES (sizeof counts_codes / sizeof counts_codes[0])

/* What somebody was refused because there is, or was lately, as much of it as there may be. */
enum counts_limit {
    COUNTS_ROOMS,
    COUNTS_PEOPLE, /* in a room */
    COUNTS_BOIDS,
    COUNTS_RATE, /* of new rooms from one address */
    COUNTS_CLIENTS,
    COUNTS_ADDRESS, /* connections and joins a second from one address */
    COUNTS_BANDWIDTH,
    COUNTS_TRANSFERS, /* recordings being sent or received, for one address and in all */
    COUNTS_LIMITS,
};

struct counts {
    _Atomic uint64_t displaced; /* guests that went because another one came: see admission.h */
    _Atomic uint64_t yielded;   /* clients that lost their place to one of a presenter's address */
    _Atomic uint64_t dawdled;   /* guests that took too long with their request or answer */
    _Atomic uint64_t opened;    /* sessions: WebSockets of flock.v1 */
    _Atomic uint64_t received;  /* messages from clients, understood or not */
    _Atomic uint64_t errors;    /* that clients were told of */
    _Atomic uint64_t bytes;     /* of all messages sent, without WebSocket headers */
    _Atomic uint64_t answered;  /* bytes of answers to HTTP requests, without their headers */
    _Atomic uint64_t offered;   /* snapshots that there were to send to a session */
    _Atomic uint64_t sent;      /* of these, handed over for sending */
    _Atomic uint64_t skipped;   /* not sent: the session got a newer one, or none any more */
    _Atomic uint64_t keys;      /* of those sent, keyframes and plain ones */
    _Atomic uint64_t snapshot_bytes; /* of those sent */
    _Atomic uint64_t choked;         /* times that a session could not take one, … */
    _Atomic uint64_t withheld;       /* … of these, that its share had no bytes for it */
    _Atomic uint64_t eased;          /* sessions that are granted less than they want, just now */
    _Atomic uint64_t closed[COUNTS_CODES]; /* sessions, by counts_codes */
    _Atomic uint64_t refused[COUNTS_LIMITS];
};

static inline void counts_close(struct counts *counts, uint16_t code)
{
    size_t i = 0;

    while (i < COUNTS_CODES - 1 && counts_codes[i] != code) {
        i++;
    }
    counter_add(&counts->closed[i], 1);
}

#endif

/* A shard's counters, for /metrics: its thread writes them, any thread reads them. Each snapshot
 * that was due for a session is counted as sent or as skipped, at the latest when the session ends.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/counter.h"

/* Close codes of sessions; the last, 0, stands for all other codes that a client may send. */
static const uint16_t counts_codes[] = {
    1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 3000, 3001, 3002, 3500,
    3501, 3502, 3503, 3504, 3505, 3506, 3507, 3508, 3509, 3510, 0,
};

#define COUNTS_CODES (sizeof counts_codes / sizeof counts_codes[0])

/* The limits that can refuse a client. */
enum counts_limit {
    COUNTS_ROOMS,
    COUNTS_PEOPLE, /* in a room */
    COUNTS_BOIDS,
    COUNTS_RATE, /* new rooms from one address */
    COUNTS_CLIENTS,
    COUNTS_ADDRESS, /* connections per second from one address */
    COUNTS_BANDWIDTH,
    COUNTS_TRANSFERS, /* recordings being transferred, for one address and in all */
    COUNTS_LIMITS,
};

struct counts {
    _Atomic uint64_t displaced;         /* guests closed for a newer guest: see admission.h */
    _Atomic uint64_t clients_displaced; /* clients closed for another client: see place.h */
    _Atomic uint64_t dawdled;  /* guests closed because their request or answer took too long */
    _Atomic uint64_t opened;   /* sessions: WebSockets of flock.v1 */
    _Atomic uint64_t received; /* messages from clients, understood or not */
    _Atomic uint64_t errors;   /* errors sent to clients */
    _Atomic uint64_t bytes;    /* of all messages sent, without WebSocket headers */
    _Atomic uint64_t servers_bytes; /* of these, to clients in the server's rooms */
    _Atomic uint64_t answered;      /* bytes of answers to HTTP requests, without their headers */
    _Atomic uint64_t offered;       /* snapshots that became due for a session */
    _Atomic uint64_t judged;        /* of these, not to newcomers: see judge_overload() */
    _Atomic uint64_t missed;        /* of those judged, replaced before the shard had time */
    _Atomic uint64_t sent;          /* of those offered, sent */
    _Atomic uint64_t skipped; /* of those offered, dropped for a newer one or a closed session */
    _Atomic uint64_t keys;    /* of those sent, keyframes and plain ones */
    _Atomic uint64_t snapshot_bytes;  /* of those sent, bytes */
    _Atomic uint64_t choked;          /* times that a session was not ready for a snapshot, … */
    _Atomic uint64_t withheld;        /* … and of these, because its share was used up */
    _Atomic uint64_t forwarded;       /* requests passed on to other nodes */
    _Atomic uint64_t forwards_failed; /* and of these, without an answer */
    _Atomic uint64_t eased;      /* sessions with less than they want at present: slow lines, … */
    _Atomic uint64_t lowered;    /* … and an overload of the shard */
    _Atomic uint64_t weights[2]; /* of the sessions in the rooms of others, and in the server's
                                    rooms: see readers.h */
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

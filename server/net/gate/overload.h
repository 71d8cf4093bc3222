/* Overload: a shard that cannot send all snapshots in time lowers the rate of its clients, evenly.
 * Without that, it would skip snapshots as it happens, and clients of packed streams, which need
 * each delta, would lose track.
 *
 * Each level halves the rate. A shard lowers the rate of strangers first: of clients of rooms that
 * the server does not trust, and of the crowds, which are clients of an address that has more of
 * them than a class. It lowers the rate of the other clients of trusted rooms next, and that of
 * pupils (see place.h) last. A shard raises a level when it skips 1/8 of the snapshots for two
 * seconds. It lowers a level when it has skipped almost none for some seconds and more than half of
 * that time was spare. If this fails, it waits twice as long before the next try. Spare is the time
 * in which the shard waited, and the time in which it read and answered messages while more were in
 * line: snapshots would go before these. So a flood of messages lowers no rate, and does not keep
 * one low. Snapshots for newcomers count neither as sent nor as skipped: newcomers come last, and a
 * crowd of them would hide what others miss.
 *
 * Pure. A shard's thread owns it. */
#ifndef OVERLOAD_H
#define OVERLOAD_H

#include <stdbool.h>
#include <stdint.h>

#define OVERLOAD_MAX 3u /* 1/8 of the rate; fits 2 bits */

enum overload_class { OVERLOAD_OTHERS, OVERLOAD_TRUSTED, OVERLOAD_PUPILS, OVERLOAD_CLASSES };

struct overload {
    uint8_t levels[OVERLOAD_CLASSES];
    uint8_t busy, calm;     /* seconds so far in which snapshots were skipped, or almost none */
    uint8_t settling;       /* seconds until the latest change has its effect */
    uint8_t trying;         /* seconds in which a lower level may fail */
    uint8_t patience;       /* calm seconds before a level is lowered */
    uint32_t sent, skipped; /* snapshots for clients in this second */
};

void overload_init(struct overload *overload);

/* Counts snapshots that were sent to clients, and such as the shard had no time to send. */
void overload_count(struct overload *overload, uint32_t sent, uint32_t skipped);

/* Must be called once a second. spare: the part of the second that sending and other work left, in
 * 1/1000. Returns true if a level has changed. */
bool overload_turn(struct overload *overload, const uint32_t clients[OVERLOAD_CLASSES],
                   uint32_t spare);

#endif

/* How much the server sends: --client-bandwidth and --total-bandwidth.
 *
 * 7/8 of the total are shared evenly among the clients, so together they stay below it. 1/8 is for
 * pages and other HTTP answers; its credit holds 60 s, so that a class can load the page. A client
 * that joins briefly costs more than its share. While more than the total is sent to clients, joins
 * are refused until the excess is paid back, except a few from each address (RATES_CROWDED).
 *
 * Pure: times are passed in. One thread calls bandwidth_turn(); any thread may call the rest. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bandwidth {
    uint64_t client, total; /* bytes per second; 0: no limit */
    atomic_uint share;      /* of each client, bytes per second: see share.h */
    atomic_llong streams;   /* credit in bytes; at 0 or below, joins are refused */
    atomic_llong pages;     /* credit in bytes; at 0 or below, HTTP requests are refused */
    uint64_t sent;          /* bytes sent to clients until `at` */
    uint64_t at;            /* time of the latest turn, µs */
};

void bandwidth_init(struct bandwidth *bandwidth, uint64_t client, uint64_t total, uint64_t now);

/* Returns the number of clients for which the total is enough, at most `most`. */
uint32_t bandwidth_clients(const struct bandwidth *bandwidth, uint32_t most);

/* Updates shares and credits. Must be called about once a second, with the number of clients, the
 * bytes sent to clients since the start, and the time in µs. */
void bandwidth_turn(struct bandwidth *bandwidth, uint32_t clients, uint64_t sent, uint64_t now);

/* Returns the bytes per second of HTTP answers for one address, so that no address uses up the
 * pages' credit; 0: no limit. */
uint64_t bandwidth_address(const struct bandwidth *bandwidth);

/* Return true if a client may join, and if an HTTP request may be answered. */
bool bandwidth_joins(const struct bandwidth *bandwidth);
bool bandwidth_answers(const struct bandwidth *bandwidth);

/* Charges an HTTP answer of `size` bytes. */
void bandwidth_answered(struct bandwidth *bandwidth, size_t size);

#endif

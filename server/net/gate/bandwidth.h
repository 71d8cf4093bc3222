/* How much the server sends: --client-bandwidth and --total-bandwidth.
 *
 * Seven eighths of the total are shared out evenly among the clients, so that together they stay
 * below it; an eighth is for pages and answers to HTTP requests, with a minute's worth at once, so
 * that a class can load the page. Who joins costs more than a share for a moment: when all that is
 * sent to clients is more than the total, nobody joins until that is made up for, but for a few
 * from each address (RATES_CROWDED).
 *
 * Pure: times are handed in. One thread takes turns, any may ask. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bandwidth {
    uint64_t client, total; /* bytes a second; 0: no limit */
    atomic_uint share;      /* of each client: see share.h */
    atomic_llong streams;   /* bytes that may be sent to clients before nobody may join; … */
    atomic_llong pages;     /* … and in answers to requests */
    uint64_t sent;          /* to clients, as of the latest turn … */
    uint64_t at;            /* … at this time, µs */
};

void bandwidth_init(struct bandwidth *bandwidth, uint64_t client, uint64_t total, uint64_t now);

/* How many clients can be shown something, `most` at the most. */
uint32_t bandwidth_clients(const struct bandwidth *bandwidth, uint32_t most);

/* About once a second: so many clients are here, and so many bytes have been sent to clients since
 * the start. now: µs. */
void bandwidth_turn(struct bandwidth *bandwidth, uint32_t clients, uint64_t sent, uint64_t now);

/* Bytes a second of answers that one address may be sent, so that none keeps the page from all
 * others; 0: any number. */
uint64_t bandwidth_address(const struct bandwidth *bandwidth);

/* Whether somebody may join; whether a request may be answered. */
bool bandwidth_joins(const struct bandwidth *bandwidth);
bool bandwidth_answers(const struct bandwidth *bandwidth);

/* A request was answered with so many bytes. */
void bandwidth_answered(struct bandwidth *bandwidth, size_t size);

#endif

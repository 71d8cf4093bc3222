/* Admission: a shard's guests, which are its connections that have no place as a client (yet):
 * those whose request is not there, those whose request is being answered, and WebSockets that have
 * not been let into a room. There is room for so many of them; when it is full, whoever comes takes
 * the place of another: of one from the address that has the most of them, the oldest there that
 * idles. So one who holds many connections open loses his own, and everybody else gets in. Those
 * who have just come are spared if possible: honest guests do not stay for long.
 *
 * Pure: times are handed in, as ms on the server's clock, which may wrap. A shard's thread owns it;
 * the guests are their owner's, who takes each out before it goes. */
#ifndef ADMISSION_H
#define ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ip.h"

#define ADMISSION_TALLIES 1024u /* a power of two */

enum admission_stage {
    ADMISSION_OUT,  /* not a guest (any more) */
    ADMISSION_IDLE, /* its request is not there yet */
    ADMISSION_BUSY, /* its request is being answered, or it is a WebSocket */
};

struct admission_guest {
    struct admission_guest *previous, *next; /* from the oldest */
    uint32_t since;                          /* it is connected */
    uint32_t due;                            /* when it has to be done; see `limited` */
    uint16_t tally;
    uint8_t stage; /* enum admission_stage */
    bool limited;
};

struct admission {
    struct admission_guest *first, *last;
    uint32_t count, max;
    uint32_t request_time;               /* ms for a whole request; half of it to begin with one */
    uint64_t seed;                       /* so that nobody can choose who is counted as he is */
    uint16_t tallies[ADMISSION_TALLIES]; /* guests by hash of their address */
};

/* max: guests at a time, at least 1. */
void admission_init(struct admission *admission, uint32_t max, uint32_t request_time,
                    uint64_t seed);

/* A connection comes in, of that network (see ip_network()). Returns the guest that has to go
 * for it, taken out already; NULL: none has to. */
struct admission_guest *admission_enter(struct admission *admission, struct admission_guest *guest,
                                        const struct ip *network, uint32_t now);

/* It turns out to be of another network: a trusted proxy speaks for it. */
void admission_recount(struct admission *admission, struct admission_guest *guest,
                       const struct ip *network);

/* The first bytes of its request are there. */
void admission_begin(const struct admission *admission, struct admission_guest *guest);

/* The whole head of its request is there: what is left of the time is for the body. */
void admission_ask(const struct admission *admission, struct admission_guest *guest);

/* From now on it has so many ms for what it is at: to send its request, or to take its answer. */
void admission_allow(struct admission_guest *guest, uint32_t time, uint32_t now);

/* ms for taking an answer of so many bytes: 30 s, and as long as a line of 50 KB/s takes. */
uint32_t admission_time(size_t size);

/* It is a WebSocket, which ends by rules of its own. */
void admission_open(struct admission_guest *guest);

/* It is no guest any more: gone, or a client. Nothing happens if it was none. */
void admission_leave(struct admission *admission, struct admission_guest *guest);

/* The next guest whose time is up, taken out already; NULL: none. */
struct admission_guest *admission_overdue(struct admission *admission, uint32_t now);

#endif

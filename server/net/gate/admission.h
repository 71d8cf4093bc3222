/* Admission: a shard's guests, which are its connections without a client's slot: connections whose
 * request is incomplete or being answered, and WebSockets before their hello. The number of guests
 * is limited. When it is reached, a new connection displaces a guest: of the address with the most
 * guests, the oldest idle one. So an address that holds many connections loses its own, and all
 * other addresses get in. Guests younger than 0.5 s are spared if possible: honest guests do not
 * stay long. But an address with more than half of all guests takes no other address's only one.
 * While no address has more guests than a class, the oldest guest is displaced, of any address: so
 * many addresses with a few idle guests each do not displace a class's. If such addresses come
 * again and again, their guests are soon extra: beyond the allowances of their addresses (see
 * allowance.h). Extra guests are displaced first, also new ones, if they are more than an eighth of
 * the limit. A class beyond its allowance has fewer. Thousands of addresses that each stay within
 * their allowance would still displace a class on slow lines. So trusted guests are displaced last,
 * up to the size of a class for each address: an address with more displaces its own, as above.
 *
 * Pure: times are passed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 * The guests belong to their connections, which must remove them before they are freed. */
#ifndef ADMISSION_H
#define ADMISSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ip.h"
#include "base/list.h"

#define ADMISSION_TALLIES 1024u /* a power of two */

enum admission_stage {
    ADMISSION_OUT,  /* not a guest */
    ADMISSION_IDLE, /* its request is incomplete */
    ADMISSION_OPEN, /* it is a WebSocket before its hello */
    ADMISSION_BUSY, /* its request is being answered */
    ADMISSION_LINE, /* a hello or request that waits in line: see pending.h, api_line.h */
};

/* Guests of a lower rank give way first. */
enum admission_rank {
    ADMISSION_EXTRA = -1, /* beyond the allowance of its address: see allowance.h */
    ADMISSION_USUAL = 0,
    ADMISSION_TRUSTED = 1, /* from the address of a trusted presenter who is in: see place.h */
};

struct admission_guest {
    struct list_item item;
    uint32_t since; /* time of its connection */
    uint32_t due;   /* deadline, if `limited` */
    uint16_t tally;
    uint8_t stage; /* enum admission_stage */
    int8_t rank;   /* enum admission_rank */
    bool limited;
};

struct admission {
    struct list guests; /* the oldest first */
    uint32_t count, max;
    uint32_t extra;        /* of the guests, extra ones */
    uint32_t request_time; /* ms for a complete request; half of it for the first bytes */
    uint64_t seed;         /* random, so that clients cannot choose a tally to share */
    uint16_t tallies[ADMISSION_TALLIES]; /* guests by hash of their address */
    uint16_t in_line[ADMISSION_TALLIES]; /* of these, guests in line */
};

/* max: the limit of guests, at least 1. */
void admission_init(struct admission *admission, uint32_t max, uint32_t request_time,
                    uint64_t seed);

/* Adds a guest of that network (see ip_network()). Returns the guest that it displaces, already
 * removed, or NULL. */
struct admission_guest *admission_enter(struct admission *admission, struct admission_guest *guest,
                                        const struct ip *network, uint32_t now);

/* Moves the guest to another network, after a trusted proxy has named its client. */
void admission_recount(struct admission *admission, struct admission_guest *guest,
                       const struct ip *network);

/* Sets the guest's rank. It need not have entered. */
void admission_mark(struct admission *admission, struct admission_guest *guest,
                    enum admission_rank rank);

/* Must be called when the first bytes of the guest's request arrive. */
void admission_begin(const struct admission *admission, struct admission_guest *guest);

/* Must be called when the head of the request is complete: the body has the time that remains. */
void admission_ask(const struct admission *admission, struct admission_guest *guest);

/* Must be called when the guest's hello or request begins to wait in line. */
void admission_line_up(struct admission *admission, struct admission_guest *guest);

/* Must be called when the guest's request no longer waits in line. */
void admission_leave_line(struct admission *admission, struct admission_guest *guest);

/* Gives the guest `time` ms from now to send its request or to read its answer. */
void admission_allow(struct admission_guest *guest, uint32_t time, uint32_t now);

/* Returns the ms to read an answer of `size` bytes: 30 s, plus the time of a line of 50 KB/s. */
uint32_t admission_time(size_t size);

/* Must be called when the guest becomes a WebSocket. Removes its deadline: WebSockets have
 * deadlines of their own. */
void admission_open(struct admission_guest *guest);

/* Removes a guest that was closed or became a client. Does nothing if it is not a guest. */
void admission_leave(struct admission *admission, struct admission_guest *guest);

/* Returns the guest that came after `guest`, or the oldest if guest is NULL; NULL: none. */
struct admission_guest *admission_next(const struct admission *admission,
                                       const struct admission_guest *guest);

/* Removes and returns the next guest past its deadline, or returns NULL. */
struct admission_guest *admission_overdue(struct admission *admission, uint32_t now);

#endif

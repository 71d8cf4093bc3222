/* How much the server sends: --client-bandwidth and --total-bandwidth.
 *
 * 7/8 of the total are for clients. Clients in the server's rooms (the lobby, and rooms made with
 * the server's key) come first: together they may use four times what they would get in equal
 * shares, up to 3/4 of that. Clients in strangers' rooms share what the first have not used lately.
 * In each of these classes all clients get the same, except for the crowds: all clients of an
 * account that has more of them than a class (see readers.h) get together what a class gets.
 *
 * 1/8 of the total is for pages and other HTTP answers; its credit holds 60 s, so that a class can
 * load the page. When it is used up, it becomes a debt of up to 60 s, for networks that have had
 * little in the last ten minutes (RATES_FRESH): the greater the debt, the less. A client that joins
 * briefly costs more than its share. While more than the total is sent to clients, joins are
 * refused until the excess is paid back, except a few from each address (RATES_CROWDED).
 *
 * Pure: times are passed in. One thread calls bandwidth_turn(); any thread may call the rest. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Clients in strangers' rooms, and in the server's rooms. */
enum bandwidth_class { BANDWIDTH_OTHERS, BANDWIDTH_SERVERS, BANDWIDTH_CLASSES };

struct bandwidth_use {
    uint32_t weights[BANDWIDTH_CLASSES]; /* clients after their hello; a crowd counts as a class */
    uint64_t sent;                       /* bytes sent to clients since the start … */
    uint64_t servers;                    /* … and of these, in the server's rooms */
};

struct bandwidth {
    uint64_t client, total;                    /* bytes per second; 0: no limit */
    _Atomic uint64_t parts[BANDWIDTH_CLASSES]; /* of the total, for a client: bytes per second */
    atomic_llong streams;     /* credit in bytes; at 0 or below, joins are refused */
    atomic_llong pages;       /* credit in bytes; at 0 or below, few HTTP requests are answered */
    struct bandwidth_use use; /* at the latest turn */
    uint64_t
        used;    /* bytes per second sent in the server's rooms; a turn lowers it by 1/8 at most */
    uint64_t at; /* time of the latest turn, µs */
};

void bandwidth_init(struct bandwidth *bandwidth, uint64_t client, uint64_t total, uint64_t now);

/* Returns the number of clients for which the total is enough, at most `most`. */
uint32_t bandwidth_clients(const struct bandwidth *bandwidth, uint32_t most);

/* Updates shares and credits. Must be called about once a second, with the time in µs. */
void bandwidth_turn(struct bandwidth *bandwidth, const struct bandwidth_use *use, uint64_t now);

/* Returns the bytes per second for a client, at most INT32_MAX; 0: no limit. crowd: the number of
 * classes that the client's account has as clients; see readers_crowding(). */
uint32_t bandwidth_share(const struct bandwidth *bandwidth, enum bandwidth_class class,
                         double crowd);

/* Return the bytes per second of HTTP answers for one address, so that no address uses up the
 * pages' credit, and the bytes after which it has had more than a little; 0: no limit. */
uint64_t bandwidth_address(const struct bandwidth *bandwidth);
uint64_t bandwidth_little(const struct bandwidth *bandwidth);

/* Returns true if a client may join. */
bool bandwidth_joins(const struct bandwidth *bandwidth);

/* Returns true if an HTTP request may be answered. left: the part of bandwidth_little() that its
 * network has left; see rates_left(). */
bool bandwidth_answers(const struct bandwidth *bandwidth, double left);

/* Charges an HTTP answer of `size` bytes. */
void bandwidth_answered(struct bandwidth *bandwidth, size_t size);

#endif

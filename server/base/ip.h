/* IP addresses as connections are counted by: parsing, ranges such as 10.0.0.0/8, and whom a
 * trusted proxy speaks for. Pure. */
#ifndef IP_H
#define IP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/network.h"

/* In network order; one of IPv4 as ::ffff:a.b.c.d. */
struct ip {
    uint8_t bytes[16];
};

struct ip_range {
    struct ip first;
    uint32_t bits; /* that an address in it has in common with the first: 0 to 128 */
};

/* Of a socket's peer; all zeros if it has no IP address. */
struct ip ip_of(const struct sockaddr *peer);

/* Reads "192.0.2.1", "2001:db8::1" or "[2001:db8::1]", each also with ":port" behind it where that
 * is unambiguous. */
bool ip_read(const char *text, struct ip *address);
void ip_write(const struct ip *address, char text[NETWORK_ADDRESS_MAX]);

/* Reads an address, or one with the number of its fixed bits, such as 10.0.0.0/8. */
bool ip_read_range(const char *text, struct ip_range *range);

bool ip_is_in(const struct ip *address, const struct ip_range *ranges, size_t count);

/* Returns the address as which limits count it. Of an IPv6 address these are the first 64 bits: a
 * subscriber has 2^64 addresses. */
struct ip ip_network(const struct ip *address);

/* Returns a hash that cannot be predicted without the seed. */
uint64_t ip_hash(const struct ip *address, uint64_t seed);

bool ip_same(const struct ip *a, const struct ip *b);

/* Returns the client's address behind a proxy: the last address of X-Forwarded-For that is not a
 * trusted proxy's. Clients can forge the addresses before it. Returns the peer if the header holds
 * no usable address. */
struct ip ip_forwarded(const struct ip *peer, const char *forwarded, const struct ip_range *trusted,
                       size_t count);

#endif

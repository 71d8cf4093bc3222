/* IP addresses as limits count connections by them: parsing, ranges such as 10.0.0.0/8, and the
 * client of a trusted proxy. Pure functions. */
#ifndef IP_H
#define IP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/network.h"

/* An address in network order; an IPv4 address is ::ffff:a.b.c.d. */
struct ip {
    uint8_t bytes[16];
};

struct ip_range {
    struct ip first;
    uint32_t bits; /* the first bits that all addresses of the range share: 0 to 128 */
};

/* Returns the address of a socket's peer; all zeros if it has no IP address. */
struct ip ip_of(const struct sockaddr *peer);

/* Reads "192.0.2.1", "2001:db8::1" or "[2001:db8::1]". Accepts ":port" after each form that stays
 * unambiguous. */
bool ip_read(const char *text, struct ip *address);
void ip_write(const struct ip *address, char text[NETWORK_ADDRESS_MAX]);

/* Reads an address, or a range with the number of its fixed bits, such as 10.0.0.0/8. */
bool ip_read_range(const char *text, struct ip_range *range);

bool ip_is_in(const struct ip *address, const struct ip_range *ranges, size_t count);

/* Returns the address that limits count. For IPv6 it is the first 48 bits: some
 * providers give a subscriber that much, which is 2^16 networks of 64 bits. An IPv4 address counts
 * alone, also behind a translator (64:ff9b::/96). */
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

#include "base/ip.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS         128u
#define MAPPED_BITS  96u /* bits before an IPv4 address */
#define NETWORK_BITS 48u

static const uint8_t mapped[MAPPED_BITS / 8] = {[10] = 0xFF, [11] = 0xFF};

static bool is_ipv4(const struct ip *address)
{
    return memcmp(address->bytes, mapped, sizeof mapped) == 0;
}

static void set_ipv4(struct ip *address, const void *bytes)
{
    memcpy(address->bytes, mapped, sizeof mapped);
    memcpy(address->bytes + sizeof mapped, bytes, sizeof address->bytes - sizeof mapped);
}

struct ip ip_of(const struct sockaddr *peer)
{
    struct ip address = {0};

    if (peer->sa_family == AF_INET) {
        set_ipv4(&address, &((const struct sockaddr_in *)(const void *)peer)->sin_addr);
    } else if (peer->sa_family == AF_INET6) {
        memcpy(address.bytes, &((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr,
               sizeof address.bytes);
    }
    return address;
}

/* Removes what surrounds an address in X-Forwarded-For: brackets and a port. */
static bool cut(const char *text, char out[NETWORK_ADDRESS_MAX])
{
    const char *end = text + strlen(text);
    const char *colon = strchr(text, ':');

    if (text[0] == '[') {
        end = strchr(++text, ']');
        if (end == NULL || (end[1] != '\0' && end[1] != ':')) {
            return false;
        }
    } else if (colon != NULL && strchr(colon + 1, ':') == NULL) {
        end = colon; /* one colon: not an IPv6 address */
    }
    if ((size_t)(end - text) >= NETWORK_ADDRESS_MAX) {
        return false;
    }
    memcpy(out, text, (size_t)(end - text));
    out[end - text] = '\0';
    return true;
}

bool ip_read(const char *text, struct ip *address)
{
    char alone[NETWORK_ADDRESS_MAX];
    struct in_addr ipv4;

    if (!cut(text, alone)) {
        return false;
    }
    if (inet_pton(AF_INET, alone, &ipv4) == 1) {
        set_ipv4(address, &ipv4);
        return true;
    }
    return inet_pton(AF_INET6, alone, address->bytes) == 1;
}

void ip_write(const struct ip *address, char text[NETWORK_ADDRESS_MAX])
{
    if (is_ipv4(address)) {
        inet_ntop(AF_INET, address->bytes + sizeof mapped, text, NETWORK_ADDRESS_MAX);
    } else {
        inet_ntop(AF_INET6, address->bytes, text, NETWORK_ADDRESS_MAX);
    }
}

bool ip_read_range(const char *text, struct ip_range *range)
{
    const char *slash = strchr(text, '/');
    size_t length = slash != NULL ? (size_t)(slash - text) : strlen(text);
    char alone[NETWORK_ADDRESS_MAX];
    uint32_t most;
    uint32_t bits;
    char *end;

    if (length >= sizeof alone) {
        return false;
    }
    memcpy(alone, text, length);
    alone[length] = '\0';
    if (!ip_read(alone, &range->first)) {
        return false;
    }
    most = is_ipv4(&range->first) ? BITS - MAPPED_BITS : BITS;
    bits = most;
    if (slash != NULL) {
        if (slash[1] < '0' || slash[1] > '9' || strlen(slash + 1) > 3) {
            return false;
        }
        bits = (uint32_t)strtoul(slash + 1, &end, 10);
        if (*end != '\0' || bits > most) {
            return false;
        }
    }
    range->bits = bits + BITS - most;
    return true;
}

static bool is_in(const struct ip *address, const struct ip_range *range)
{
    uint32_t whole = range->bits / 8;
    uint32_t rest = range->bits % 8;

    assert(range->bits <= BITS);
    return memcmp(address->bytes, range->first.bytes, whole) == 0 &&
           (rest == 0 || (address->bytes[whole] ^ range->first.bytes[whole]) >> (8 - rest) == 0);
}

bool ip_is_in(const struct ip *address, const struct ip_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_in(address, &ranges[i])) {
            return true;
        }
    }
    return false;
}

/* Whether a translator (NAT64) made the address of an IPv4 address: RFC 6052. */
static bool is_translated(const struct ip *address)
{
    static const uint8_t prefix[12] = {0x00, 0x64, 0xFF, 0x9B};

    return memcmp(address->bytes, prefix, sizeof prefix) == 0;
}

struct ip ip_network(const struct ip *address)
{
    struct ip network = *address;

    if (!is_ipv4(address) && !is_translated(address)) {
        memset(network.bytes + NETWORK_BITS / 8, 0, sizeof network.bytes - NETWORK_BITS / 8);
    }
    return network;
}

uint64_t ip_hash(const struct ip *address, uint64_t seed)
{
    uint64_t hash = seed;

    for (size_t i = 0; i < sizeof address->bytes; i++) {
        hash = (hash ^ address->bytes[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

bool ip_same(const struct ip *a, const struct ip *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

struct ip ip_forwarded(const struct ip *peer, const char *forwarded, const struct ip_range *trusted,
                       size_t count)
{
    const char *end = forwarded + strlen(forwarded);
    struct ip found = *peer;

    while (end > forwarded && ip_is_in(&found, trusted, count)) {
        const char *start = end;
        char text[NETWORK_ADDRESS_MAX + sizeof "[]:65535"];
        while (start > forwarded && start[-1] != ',') {
            start--;
        }
        if (sscanf(start, " %54[^, \t]", text) != 1 || !ip_read(text, &found)) {
            break;
        }
        end = start > forwarded ? start - 1 : forwarded;
    }
    return found;
}

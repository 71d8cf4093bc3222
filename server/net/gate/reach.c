#include "net/gate/reach.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "net/gate/tls.h"

/* Prefixes of interfaces for networks inside this machine. */
static const char *const inner[] = {"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc"};
#define INNER (sizeof inner / sizeof inner[0])

static bool is_inner(const char *interface)
{
    for (size_t i = 0; i < INNER; i++) {
        if (strncmp(interface, inner[i], strlen(inner[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns true if other machines can use the address without further parts: a link-local address
 * needs the interface of the client that uses it. */
static bool is_far4(const struct sockaddr_in *address)
{
    uint32_t number = ntohl(address->sin_addr.s_addr);

    return number >> 24 != 127 && number >> 16 != 0xA9FE && number != 0;
}

static bool is_far6(const struct sockaddr_in6 *address)
{
    const struct in6_addr *bytes = &address->sin6_addr;

    return !IN6_IS_ADDR_LOOPBACK(bytes) && !IN6_IS_ADDR_LINKLOCAL(bytes) &&
           !IN6_IS_ADDR_UNSPECIFIED(bytes);
}

static void add_address(struct reach *reach, const char *address, struct tls *tls, unsigned port)
{
    char host[256];
    char url[REACH_TEXT_MAX];

    snprintf(host, sizeof host, "%s", address);
    if (tls != NULL) {
        tls_say_host(tls, address, host, sizeof host);
    }
    snprintf(url, sizeof url, strchr(host, ':') != NULL ? "http%s://[%s]:%u" : "http%s://%s:%u",
             tls != NULL ? "s" : "", host, port);
    for (size_t i = 0; i < reach->count; i++) {
        if (strcmp(reach->addresses[i], url) == 0) {
            return;
        }
    }
    if (reach->count < REACH_MAX) {
        memcpy(reach->addresses[reach->count++], url, sizeof url);
    }
}

static void add_interfaces(struct reach *reach, bool ipv6, bool inside, struct tls *tls,
                           unsigned port)
{
    uv_interface_address_t *interfaces;
    int count;

    if (uv_interface_addresses(&interfaces, &count) != 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        const uv_interface_address_t *each = &interfaces[i];
        bool is6 = each->address.address4.sin_family == AF_INET6;
        char text[INET6_ADDRSTRLEN];
        if (each->is_internal || is6 != ipv6 || is_inner(each->name) != inside) {
            continue;
        }
        if (is6 ? is_far6(&each->address.address6) &&
                      uv_ip6_name(&each->address.address6, text, sizeof text) == 0
                : is_far4(&each->address.address4) &&
                      uv_ip4_name(&each->address.address4, text, sizeof text) == 0) {
            add_address(reach, text, tls, port);
        }
    }
    uv_free_interface_addresses(interfaces, count);
}

/* Returns true for a name, or for an address that is not a loopback address. */
static bool is_far(const char *bind_to)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    bool far = false;

    if (getaddrinfo(bind_to, NULL, &hints, &found) != 0) {
        return false;
    }
    if (found->ai_family == AF_INET6) {
        far = is_far6((const struct sockaddr_in6 *)(const void *)found->ai_addr);
    } else if (found->ai_family == AF_INET) {
        far = is_far4((const struct sockaddr_in *)(const void *)found->ai_addr);
    }
    freeaddrinfo(found);
    return far;
}

void reach_find(const struct config *config, struct tls *tls, unsigned port, struct reach *reach)
{
    const char *bind_to = config->bind;
    bool ipv6 = strcmp(bind_to, "::") == 0;

    reach->count = 0;
    if (!ipv6 && strcmp(bind_to, "0.0.0.0") != 0) {
        if (is_far(bind_to)) {
            add_address(reach, bind_to, tls, port);
        }
        return;
    }
    for (int inside = 0; inside <= 1; inside++) {
        add_interfaces(reach, false, inside != 0, tls, port);
        if (ipv6) {
            add_interfaces(reach, true, inside != 0, tls, port);
        }
    }
}

#include "base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define NETWORK_BYTES 8u /* bytes of an IPv6 address that its owner cannot choose */

void network_of(const char *address, char out[NETWORK_ADDRESS_MAX])
{
    struct in6_addr bytes;

    snprintf(out, NETWORK_ADDRESS_MAX, "%s", address);
    if (inet_pton(AF_INET6, address, &bytes) == 1 && !IN6_IS_ADDR_V4MAPPED(&bytes)) {
        memset(&bytes.s6_addr[NETWORK_BYTES], 0, sizeof bytes - NETWORK_BYTES);
        inet_ntop(AF_INET6, &bytes, out, NETWORK_ADDRESS_MAX);
    }
}

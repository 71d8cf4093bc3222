#include "base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/ip.h"

void network_of(const char *address, char out[NETWORK_ADDRESS_MAX])
{
    struct in6_addr bytes;
    struct ip ip;

    snprintf(out, NETWORK_ADDRESS_MAX, "%s", address);
    if (inet_pton(AF_INET6, address, &bytes) == 1 && !IN6_IS_ADDR_V4MAPPED(&bytes)) {
        memcpy(ip.bytes, &bytes, sizeof ip.bytes);
        ip = ip_network(&ip);
        ip_write(&ip, out);
    }
}

/* Addresses of the Internet, as text, as limits count them. Pure functions; any thread. */
#ifndef NETWORK_H
#define NETWORK_H

#define NETWORK_ADDRESS_MAX 46u /* bytes of an IP address, as text, and a NUL */

/* What an address is counted as: of one of IPv6 the network (/64), for whoever has one has 2^64 of
 * them; but one of IPv4 that is written so as it is. Any other text stays what it is. */
void network_of(const char *address, char out[NETWORK_ADDRESS_MAX]);

#endif

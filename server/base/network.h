/* IP addresses as text, in the form that limits count. Pure functions; any thread. */
#ifndef NETWORK_H
#define NETWORK_H

#define NETWORK_ADDRESS_MAX 46u /* bytes of an IP address, as text, and a NUL */

/* Writes the form of the text that limits count: for an IPv6 address its network, as ip_network().
 * Copies an IPv4 address in IPv6 notation, and any other text, unchanged. */
void network_of(const char *address, char out[NETWORK_ADDRESS_MAX]);

#endif

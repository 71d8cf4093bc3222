/* Addresses of the Internet, as text, as limits count them. Pure functions; any thread. */
#ifndef NETWORK_H
#define NETWORK_H

#define NETWORK_ADDRESS_MAX 46u /* bytes of an IP address, as text, and a NUL */

/* Writes the text as which limits count an address: of an IPv6 address its network (/64), because a
 * subscriber has 2^64 addresses. An IPv4 address in IPv6 notation, and any other text, is copied.
 */
void network_of(const char *address, char out[NETWORK_ADDRESS_MAX]);

#endif

/* The addresses by which others reach this server, as URLs for people and for QR codes. Any thread.
 */
#ifndef REACH_H
#define REACH_H

#include <stddef.h>

#include "config/config.h"

#define REACH_MAX      8u /* addresses of this machine that are listed */
#define REACH_TEXT_MAX 300u

struct tls;

struct reach {
    char addresses[REACH_MAX][REACH_TEXT_MAX]; /* such as http://192.168.1.7:8080 */
    size_t count;
};

/* Finds the addresses at which flockd listens on that port and that other machines can reach. IPv4
 * comes before IPv6, and networks of containers and virtual machines come last. They may change
 * while flockd runs. With TLS (else NULL) they are https:// and use the certificate's names. */
void reach_find(const struct config *config, struct tls *tls, unsigned port, struct reach *reach);

#endif

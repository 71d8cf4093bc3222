/* Under which addresses others reach this server, as URLs for people and for the codes that phones
 * scan. Any thread. */
#ifndef REACH_H
#define REACH_H

#include <stddef.h>

#include "config/config.h"

#define REACH_MAX      8u /* addresses of this machine that are told */
#define REACH_TEXT_MAX 300u

struct tls;

struct reach {
    char addresses[REACH_MAX][REACH_TEXT_MAX]; /* such as http://192.168.1.7:8080 */
    size_t count;
};

/* Finds where flockd at that port listens, but for what only this machine reaches: IPv4 before
 * IPv6, and networks of containers and virtual machines last. They may change while it runs.
 * With TLS (else NULL) these are https://, and names that the certificate has. */
void reach_find(const struct config *config, struct tls *tls, unsigned port, struct reach *reach);

#endif

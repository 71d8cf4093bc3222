/* The first words of a NATS server: its version and its limits. */
#ifndef BROKER_PROBE_H
#define BROKER_PROBE_H

#include "cluster/broker.h"

enum broker_probe_result {
    BROKER_PROBE_GOOD,   /* all servers that answer will do, and one does */
    BROKER_PROBE_BAD,    /* a server is too old or not configured for flockd */
    BROKER_PROBE_SILENT, /* no server answers */
};

/* Asks the servers of those URLs. Blocks. Except with BROKER_PROBE_GOOD, stores what is wrong and
 * what to do in `text` (BROKER_TEXT_MAX bytes). */
enum broker_probe_result broker_probe(const char *urls, char *text);

/* Judges a server's first line. at: its address, for the text. */
enum broker_probe_result broker_probe_line(const char *line, const char *at, char *text);

#endif

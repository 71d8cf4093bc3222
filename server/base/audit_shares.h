/* Shares of the audit log: it takes a number of lines a second. An address writes at most half of
 * the lines that the others leave. So a flood from one address hides no line of another. Pure
 * functions; the caller locks. */
#ifndef AUDIT_SHARES_H
#define AUDIT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"

#define AUDIT_LINES_SECOND 200u /* more lines in a second are lost, and counted */

struct audit_share {
    char network[NETWORK_ADDRESS_MAX]; /* see network_of() */
    uint32_t lines;
};

struct audit_shares {
    uint64_t second; /* to which the fields below belong */
    uint32_t lines, count;
    struct audit_share shares[AUDIT_LINES_SECOND];
    uint64_t lost; /* lines that no line has reported yet */
};

/* Returns true if a line of that address may be written in that second; else counts it as lost.
 * Lines of no address ("" or NULL) may take all that is left. */
bool audit_shares_take(struct audit_shares *shares, const char *address, uint64_t second);

/* Returns how many lost lines the caller must report now, in one line, or 0. It returns more than 0
 * at most once a second, or with `end`. The report counts as a line. */
uint64_t audit_shares_lost(struct audit_shares *shares, uint64_t second, bool end);

#endif

/* Shares of the audit log: it takes a number of lines a second. Two kinds of lines have reserved
 * lines, so that strangers who join and leave hide none of them; beyond these they share the other
 * lines. Of each part, an address writes at most half of the lines that the others leave. So a
 * flood from one address hides no line of another. Pure functions; the caller locks. */
#ifndef AUDIT_SHARES_H
#define AUDIT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"

#define AUDIT_LINES_SECOND 200u /* more lines in a second are lost, and counted */
#define AUDIT_RESERVED     50u  /* of these, for each kind except AUDIT_OTHER */
#define AUDIT_OPEN         (AUDIT_LINES_SECOND - 2 * AUDIT_RESERVED)

enum audit_kind {
    AUDIT_OTHER,
    AUDIT_PRESENTER, /* of a presenter of a trusted room, or such a room is created or ends */
    AUDIT_KEY,       /* a wrong key of the server or of a trusted room */
    AUDIT_KINDS,
};

struct audit_share {
    char network[NETWORK_ADDRESS_MAX]; /* see network_of() */
    uint32_t lines;
};

struct audit_part {
    uint32_t lines, count;
    struct audit_share shares[AUDIT_LINES_SECOND];
};

struct audit_shares {
    uint64_t second;                      /* to which the parts belong */
    struct audit_part parts[AUDIT_KINDS]; /* all kinds share that of AUDIT_OTHER */
    uint64_t lost;                        /* lines that no line has reported yet */
};

/* Returns true if a line of that kind and address may be written in that second; else counts it as
 * lost. Lines of no address ("" or NULL) may take all that is left. */
bool audit_shares_take(struct audit_shares *shares, enum audit_kind kind, const char *address,
                       uint64_t second);

/* Returns how many lost lines the caller must report now, in one line, or 0. It returns more than 0
 * at most once a second, or with `end`. The report counts as a line. */
uint64_t audit_shares_lost(struct audit_shares *shares, uint64_t second, bool end);

#endif

#include "base/audit_shares.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static void begin_second(struct audit_shares *shares, uint64_t second)
{
    if (second != shares->second) {
        shares->second = second;
        for (enum audit_kind kind = 0; kind < AUDIT_KINDS; kind++) {
            shares->parts[kind].lines = shares->parts[kind].count = 0;
        }
    }
}

/* Returns the share of that address, or the place for one that it does not have yet. */
static struct audit_share *find_share(struct audit_part *part, const char *address)
{
    char network[NETWORK_ADDRESS_MAX];
    uint32_t i = 0;

    network_of(address, network);
    while (i < part->count && strcmp(part->shares[i].network, network) != 0) {
        i++;
    }
    assert(i < AUDIT_LINES_SECOND);
    if (i == part->count) {
        memcpy(part->shares[i].network, network, sizeof network);
        part->shares[i].lines = 0;
    }
    return &part->shares[i];
}

/* Takes a line of a part that has `most` lines a second. */
static bool take_line(struct audit_part *part, uint32_t most, const char *address)
{
    struct audit_share *share;
    uint32_t left;

    if (part->lines >= most) {
        return false;
    }
    if (address != NULL && address[0] != '\0') {
        share = find_share(part, address);
        left = most - (part->lines - share->lines);
        if (share->lines >= (left + 1) / 2) {
            return false;
        }
        part->count += share->lines++ == 0;
    }
    part->lines++;
    return true;
}

bool audit_shares_take(struct audit_shares *shares, enum audit_kind kind, const char *address,
                       uint64_t second)
{
    bool taken;

    begin_second(shares, second);
    taken = (kind != AUDIT_OTHER && take_line(&shares->parts[kind], AUDIT_RESERVED, address)) ||
            take_line(&shares->parts[AUDIT_OTHER], AUDIT_OPEN, address);
    shares->lost += !taken;
    return taken;
}

uint64_t audit_shares_lost(struct audit_shares *shares, uint64_t second, bool end)
{
    const uint64_t lost = shares->lost;

    if (lost == 0 || (second == shares->second && !end)) {
        return 0;
    }
    begin_second(shares, second);
    shares->lost = 0;
    shares->parts[AUDIT_OTHER].lines++;
    return lost;
}

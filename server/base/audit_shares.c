#include "base/audit_shares.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static void begin_second(struct audit_shares *shares, uint64_t second)
{
    if (second != shares->second) {
        shares->second = second;
        shares->lines = shares->count = 0;
    }
}

/* Returns the share of that address, or the place for one that it does not have yet. */
static struct audit_share *find_share(struct audit_shares *shares, const char *address)
{
    char network[NETWORK_ADDRESS_MAX];
    uint32_t i = 0;

    network_of(address, network);
    while (i < shares->count && strcmp(shares->shares[i].network, network) != 0) {
        i++;
    }
    assert(i < AUDIT_LINES_SECOND);
    if (i == shares->count) {
        memcpy(shares->shares[i].network, network, sizeof network);
        shares->shares[i].lines = 0;
    }
    return &shares->shares[i];
}

bool audit_shares_take(struct audit_shares *shares, const char *address, uint64_t second)
{
    struct audit_share *share;
    uint32_t left;

    begin_second(shares, second);
    if (shares->lines >= AUDIT_LINES_SECOND) {
        shares->lost++;
        return false;
    }
    if (address != NULL && address[0] != '\0') {
        share = find_share(shares, address);
        left = AUDIT_LINES_SECOND - (shares->lines - share->lines);
        if (share->lines >= (left + 1) / 2) {
            shares->lost++;
            return false;
        }
        shares->count += share->lines++ == 0;
    }
    shares->lines++;
    return true;
}

uint64_t audit_shares_lost(struct audit_shares *shares, uint64_t second, bool end)
{
    const uint64_t lost = shares->lost;

    if (lost == 0 || (second == shares->second && !end)) {
        return 0;
    }
    begin_second(shares, second);
    shares->lost = 0;
    shares->lines++;
    return lost;
}

/* A directory and its rooms, for tests. */
#ifndef DIRECTORY_ROOMS_H
#define DIRECTORY_ROOMS_H

#include "base/hash.h"
#include "base/network.h"
#include "hub/directory.h"

#define UNUSED UINT64_C(60000000)

static struct directory *directory;
static const struct directory_creator server; /* has no address */

static inline int make_of(uint32_t rooms_max, uint32_t rooms_per_hour)
{
    struct directory_limits limits = {
        .rooms_max = rooms_max, .rooms_per_hour = rooms_per_hour, .unused = UNUSED};

    directory = directory_create(&limits);
    return directory != NULL ? 0 : -1;
}

static inline int finish(void **state)
{
    (void)state;
    directory_destroy(directory);
    return 0;
}

/* Adds a room and opens it. Fails the test on an error. */
static inline struct directory_entry add(const char *code, bool listed)
{
    struct directory_entry entry = {.model = 0, .listed = listed};
    struct directory_added added;

    assert_int_equal(directory_add(directory, code, &server, 0, &entry, &added), DIRECTORY_OK);
    directory_open(directory, &entry);
    return entry;
}

/* As creators_number(): one number for each network; NULL: 0. */
static inline uint64_t number_of(const char *address)
{
    char network[NETWORK_ADDRESS_MAX];

    if (address == NULL) {
        return 0;
    }
    network_of(address, network);
    return (uint64_t)hash_text(network) + 1;
}

#endif

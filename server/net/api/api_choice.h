/* Chooses the rooms for the list of rooms, and their order. Rooms of the server come first: the
 * lobby, and rooms made with the server's key. Then come the first rooms of all other creators,
 * then their second rooms, and so on. So when there are too many, each creator has a fair share. A
 * creator is an address, or an IPv6 network: see struct directory_entry. */
#ifndef API_CHOICE_H
#define API_CHOICE_H

#include <stdint.h>

#include "net/api/api_source.h"

#define API_CHOICE_MAX 1000u /* rooms, at most */

struct api_pick {
    uint64_t order;
    struct directory_entry entry;
};

struct api_choice {
    struct api_pick *picks;
    uint32_t count;
    uint32_t listed; /* rooms of which they were chosen */
};

/* Takes O(n log n) for n listed rooms. Returns false when memory runs out. */
bool api_choice_make(const struct api_source *source, struct api_choice *choice);
void api_choice_free(struct api_choice *choice);

#endif

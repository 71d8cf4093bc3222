/* The list of rooms, as the API's text of it: made again only when something in it has changed, and
 * no more often than a tenth of a thread's time, so that nobody keeps a thread busy by asking for
 * it. Time is handed in; a shard's thread owns it. */
#ifndef API_LIST_H
#define API_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hub/directory.h"

/* µs for each room listed until it is listed again: it takes about a tenth of that. */
#define API_LIST_TIME 50u

/* All zero at first. */
struct api_list {
    uint8_t *bytes; /* PAGE_HEADROOM, then the text; NULL: there is none yet */
    size_t size;    /* of the text */
    uint64_t version, until;
};

/* Brings it up to date, as far as it may be. now: µs. False when memory runs out, and it is as it
 * was. create: see api_write_rooms(). */
bool api_list_renew(struct api_list *list, struct directory *directory, const char *create,
                    uint64_t now);

void api_list_free(struct api_list *list);

#endif

/* The list of rooms as the API's text. It is made again only after a change, and for at most 1/10
 * of a thread's time, so that requests for it cannot keep a thread busy. Time is passed in; a
 * shard's thread owns it. */
#ifndef API_LIST_H
#define API_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/api/api_source.h"

/* µs for each room in the text, and an eighth for each listed room, until the text is made again:
 * about 10 times the cost of making it. */
#define API_LIST_TIME 50u

/* Begins as all zeros. */
struct api_list {
    uint8_t *bytes; /* PAGE_HEADROOM, then the text; NULL: none */
    size_t size;    /* of the text */
    uint64_t version, until;
};

/* Updates the text, if that is allowed now. now: µs. Returns false, and keeps the old text, when
 * memory runs out. create: see api_write_rooms(). */
bool api_list_renew(struct api_list *list, const struct api_source *source, const char *create,
                    uint64_t now);

void api_list_free(struct api_list *list);

#endif

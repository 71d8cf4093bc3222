/* The parts of a hub. For the hub's own files. */
#ifndef INSIDE_H
#define INSIDE_H

#include <stdatomic.h>
#include <stdlib.h>

#include "hub/directory.h"
#include "hub/hub.h"
#include "hub/indexer.h"
#include "hub/outbox.h"
#include "hub/runner.h"
#include "past/history_budget.h"
#include "scene/scene.h"

struct hub {
    struct hub_definition definition;
    uint64_t epoch; /* uv_hrtime() when the server's clock was 0 */
    uint64_t instance;
    struct directory *directory;
    struct boid_budget budget;
    struct history_budget history_budget; /* films return their bytes to it: see hub_release() */
    atomic_uint holders;                  /* 1 until it is destroyed, plus 1 for each film
                                             that the store must still write */
    struct tries *tries;
    struct indexer *indexer;
    struct outbox *outboxes; /* one for each shard, … */
    struct links **links;    /* … as this */
    struct runner **runners;
    uint32_t outbox_count, runner_count; /* created so far: all of them after hub_create() */
};

/* As hub_now(), for the files of hub/. */
static inline uint64_t hub_clock(const struct hub *hub)
{
    return (uv_hrtime() - hub->epoch) / 1000;
}

/* Ends the use by one holder; the last one frees the hub. Any thread. */
static inline void hub_release(struct hub *hub)
{
    if (atomic_fetch_sub(&hub->holders, 1) == 1) {
        free(hub);
    }
}

/* ---- make_room.c ---- */

/* Fills in the settings that the server gives to every room. */
void hub_complete(const struct hub *hub, struct room_definition *definition);

/* Makes and starts the room of that entry: from `kept`, its stored state, with the film that it
 * plays or NULL; or, if `kept` is NULL, from the definition. Returns DIRECTORY_NO_MEMORY if that
 * fails; for a stored room `what` says why. The entry is not removed then. */
enum directory_result hub_make_room(struct hub *hub, struct room_definition *definition,
                                    struct directory_entry *entry, const struct store_room *kept,
                                    struct film *film, char *what, size_t capacity);

/* As above, for a room that begins with that origin. DIRECTORY_REFUSED: *error says why. */
enum directory_result hub_make_begun_room(struct hub *hub, struct room_definition *definition,
                                          struct directory_entry *entry,
                                          const struct hub_origin *origin,
                                          struct proto_error *error);

#endif

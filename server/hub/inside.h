/* What a hub is made of; for the hub's own files, not for its users. */
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
    uint64_t epoch; /* uv_hrtime() at which the server's clock was 0 */
    uint64_t instance;
    struct directory *directory;
    struct boid_budget budget;
    struct history_budget history_budget; /* films give back to it: see hub_release() */
    atomic_uint holders;                  /* one until it is destroyed, and each film that the store
                                             has yet to write */
    struct tries *tries;
    struct indexer *indexer;
    struct outbox *outboxes; /* one a shard */
    struct runner **runners;
    uint32_t outbox_count, runner_count; /* made so far: all of them but while creating */
};

/* The same as hub_now(), for the files of hub/. */
static inline uint64_t hub_clock(const struct hub *hub)
{
    return (uv_hrtime() - hub->epoch) / 1000;
}

/* One of its holders needs it no more; the last one frees what is left of it. Any thread. */
static inline void hub_release(struct hub *hub)
{
    if (atomic_fetch_sub(&hub->holders, 1) == 1) {
        free(hub);
    }
}

/* ---- make_room.c ---- */

/* What a room has of the server, whoever creates it. */
void hub_complete(const struct hub *hub, struct room_definition *definition);

/* Makes and starts the room of that entry: from its saved state, and with the film that it plays
 * unless that is NULL; or, with NULL, from the definition. DIRECTORY_NO_MEMORY: it could not be
 * made; `what` says more of a kept one. The entry is not removed then. */
enum directory_result hub_make_room(struct hub *hub, struct room_definition *definition,
                                    struct directory_entry *entry, const struct store_room *kept,
                                    struct film *film, char *what, size_t capacity);

/* The same of a room that begins so; DIRECTORY_REFUSED: *error says why it cannot. */
enum directory_result hub_make_begun_room(struct hub *hub, struct room_definition *definition,
                                          struct directory_entry *entry,
                                          const struct hub_origin *origin,
                                          struct proto_error *error);

/* The runner of that room; of one that is no more, some runner, which says so. */
struct runner *hub_runner_of(struct hub *hub, uint64_t room);

#endif

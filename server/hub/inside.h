/* The parts of a hub. For the hub's own files. */
#ifndef INSIDE_H
#define INSIDE_H

#include "base/trim.h"
#include "hub/creators.h"
#include "hub/directory.h"
#include "hub/hub.h"
#include "hub/indexer.h"
#include "hub/outbox.h"
#include "hub/runner.h"
#include "past/history_budget.h"
#include "scene/scene.h"

struct hub {
    struct hub_definition definition;
    struct hub_far far;   /* a copy; without rooms of other nodes: zeros */
    uint32_t shards;      /* with that of other nodes' sessions */
    uint64_t clock_start; /* uv_hrtime() when the server's clock was 0 */
    uint64_t instance;
    struct directory *directory;
    struct boid_budget budget;
    struct history_budget *history_budget;
    struct trim trim;
    struct creators *creators;
    struct tries *tries;
    struct indexer *indexer;
    struct outbox *outboxes; /* one for each shard, … */
    struct links **links;    /* … as this */
    struct runner **runners;
    uint32_t outbox_count, runner_count; /* created so far: all of them after hub_create() */
};

/* Returns a new budget for the past of a room, or NULL when memory runs out. creator: see
 * creators_number(). The caller releases it. */
struct history_budget *hub_budget_of(const struct hub *hub, uint64_t creator, bool trusted,
                                     bool lobby);

/* Continues a room of the hub's own store, without members: see hub_adopt(). kept->plays: the store
 * has a recording of the room. */
enum directory_result hub_restore_room(struct hub *hub, const struct store_room *kept,
                                       struct film *film, const struct recording *past,
                                       struct hub_made *made);

/* Makes the lobby unless there is one. Returns false when memory runs out. */
bool hub_have_lobby(struct hub *hub);

/* Stores the facts of a room of another node. Returns false if there is no such room. */
static inline bool hub_find_far(const struct hub *hub, const char *code, struct link_room *room)
{
    return hub->far.find != NULL && hub->far.find(hub->far.argument, code, room);
}

/* As hub_now(), for the files of hub/. */
static inline uint64_t hub_clock(const struct hub *hub)
{
    return (uv_hrtime() - hub->clock_start) / 1000;
}

#endif

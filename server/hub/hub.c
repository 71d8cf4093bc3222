#include "hub/hub.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/audit.h"
#include "base/key.h"
#include "hub/inside.h"
#include "hub/link_local.h"
#include "hub/restore.h"
#include "past/film.h"
#include "scene/budget.h"

#define INSTANCE_BITS 53

/* ---- calls of the shards ---- */

uint64_t hub_now(const struct hub *hub)
{
    return hub_clock(hub);
}

uint64_t hub_instance(const struct hub *hub)
{
    return hub->instance;
}

bool hub_healthy(const struct hub *hub)
{
    uint64_t now = hub_now(hub);

    for (uint32_t i = 0; i < hub->runner_count; i++) {
        if (!runner_healthy(hub->runners[i], now)) {
            return false;
        }
    }
    return true;
}

struct directory *hub_directory(struct hub *hub)
{
    return hub->directory;
}

struct tries *hub_tries(const struct hub *hub)
{
    return hub->tries;
}

uint64_t hub_boids(const struct hub *hub)
{
    return atomic_load(&hub->budget.boids);
}

uint64_t hub_boids_left(const struct hub *hub)
{
    return budget_left(&hub->budget);
}

uint64_t hub_boids_refused(const struct hub *hub)
{
    return atomic_load(&hub->budget.refused);
}

uint64_t hub_rooms_memory(const struct hub *hub)
{
    return history_budget_used(hub->history_budget);
}

void hub_return_memory(struct hub *hub)
{
    const uint64_t most = history_budget_peak(hub->history_budget);
    const uint64_t used = history_budget_used(hub->history_budget);

    if (trim_is_due(&hub->trim, most, used, hub_clock(hub))) {
        trim_memory();
    }
}

struct history_budget *hub_history_budget(struct hub *hub)
{
    return hub->history_budget;
}

struct store *hub_store(const struct hub *hub)
{
    return hub->definition.store;
}

uint32_t hub_runners(const struct hub *hub)
{
    return hub->runner_count;
}

const struct runner_stats *hub_runner_stats(const struct hub *hub, uint32_t runner)
{
    return runner_stats(hub->runners[runner]);
}

struct links *hub_links(struct hub *hub, uint32_t shard)
{
    return hub->links[shard];
}

/* Returns the runner of that room. If the room has ended, returns any runner, which will say so. */
static struct runner *runner_of(struct hub *hub, uint64_t room)
{
    uint32_t runner = 0;

    directory_runner(hub->directory, room, &runner);
    return hub->runners[runner];
}

bool hub_ask(struct hub *hub, uint32_t shard, uint64_t ticket, uint64_t room,
             struct hub_request *request)
{
    struct runner *runner = runner_of(hub, room);
    struct mailbox *replies = outbox_replies(&hub->outboxes[shard], true);
    struct request_event *asked = malloc(sizeof *asked);
    struct proto_error *error = calloc(1, sizeof *error);
    struct event event = {.type = EVENT_REQUEST};

    if (asked == NULL || error == NULL || !mailbox_reserve(replies, 1)) {
        goto fail;
    }
    *asked = (struct request_event){.request = request,
                                    .answer.error = error,
                                    .ticket = ticket,
                                    .replies = replies,
                                    .shard = shard,
                                    .room = room};
    event.request = asked;
    if (mailbox_push(runner_mailbox(runner), &event, true)) {
        return true;
    }
    mailbox_unreserve(replies, 1);
fail:
    free(asked);
    free(error);
    free(request);
    return false;
}

void hub_stand(struct hub *hub, bool stands)
{
    for (uint32_t i = 0; i < hub->runner_count; i++) {
        runner_stand(hub->runners[i], stands);
    }
}

/* ---- rooms of other nodes ---- */

uint32_t hub_far_slot(const struct hub *hub)
{
    return directory_slots(&hub->definition.limits);
}

void hub_put_view(struct hub *hub, uint32_t shard, bool by_server, struct room_view *view)
{
    outbox_publish(&hub->outboxes[shard], by_server, room_slot(view->room), view);
}

void hub_withdraw_view(struct hub *hub, uint32_t shard, uint32_t slot)
{
    outbox_withdraw(&hub->outboxes[shard], slot);
}

void hub_wake(struct hub *hub, uint32_t shard)
{
    hub->definition.wake(hub->definition.argument, shard);
}

void hub_look_again(struct hub *hub)
{
    directory_look_again(hub->directory);
    for (uint32_t shard = 0; shard < hub->definition.shards; shard++) {
        hub_wake(hub, shard);
    }
}

uint32_t hub_far_shard(const struct hub *hub)
{
    assert(hub->shards > hub->definition.shards);
    return hub->definition.shards;
}

struct links *hub_far_links(struct hub *hub)
{
    return hub->links[hub_far_shard(hub)];
}

/* ---- life ---- */

/* Takes the definition of other nodes' rooms. Only a node of a cluster has one. */
static void take_far(struct hub *hub)
{
    hub->shards = hub->definition.shards;
    if (hub->definition.far != NULL) {
        hub->far = *hub->definition.far;
        hub->definition.far = NULL;
        hub->shards++;
    }
}

static bool create_outbox(const struct hub *hub, uint32_t shard)
{
    const uint32_t rooms = directory_slots(&hub->definition.limits);

    return shard < hub->definition.shards
               ? outbox_create(&hub->outboxes[shard], rooms + hub->far.rooms,
                               hub->definition.sessions_max)
               : outbox_create(&hub->outboxes[shard], rooms, hub->far.sessions);
}

static bool create_outboxes(struct hub *hub)
{
    hub->outboxes = calloc(hub->shards, sizeof *hub->outboxes);
    while (hub->outboxes != NULL && hub->outbox_count < hub->shards) {
        if (!create_outbox(hub, hub->outbox_count)) {
            return false;
        }
        hub->outbox_count++;
    }
    return hub->outboxes != NULL;
}

static bool create_links(struct hub *hub)
{
    bool made = true;

    hub->links = calloc(hub->shards, sizeof(struct links *));
    for (uint32_t shard = 0; hub->links != NULL && shard < hub->shards; shard++) {
        hub->links[shard] = link_local_create(hub, shard);
        made = made && hub->links[shard] != NULL;
    }
    return hub->links != NULL && made;
}

static bool create_runners(struct hub *hub)
{
    const struct runner_definition definition = {
        .threads = hub->definition.threads,
        .clock_start = hub->clock_start,
        .rooms_max = directory_slots(&hub->definition.limits),
        .sessions_max = hub->definition.sessions_max + hub->far.sessions,
        .room_idle = hub->definition.room_idle,
        .unjoined = hub->definition.unjoined,
        .room_boids = hub->definition.room_boids,
        .shards = hub->shards,
        .outboxes = hub->outboxes,
        .directory = hub->directory,
        .store = hub->definition.store,
        .indexer = hub->indexer,
        .checkpoint_interval = hub->definition.checkpoint_interval,
        .checkpoint_soon = hub->definition.checkpoint_soon,
        .past_interval = hub->definition.past_interval,
        .wake = hub->definition.wake,
        .argument = hub->definition.argument,
    };

    hub->runners = calloc(hub->definition.runners, sizeof *hub->runners);
    while (hub->runners != NULL && hub->runner_count < hub->definition.runners) {
        hub->runners[hub->runner_count] = runner_create(&definition);
        if (hub->runners[hub->runner_count] == NULL) {
            return false;
        }
        hub->runner_count++;
    }
    return hub->runners != NULL;
}

static bool choose_instance(struct hub *hub)
{
    if (getrandom(&hub->instance, sizeof hub->instance, 0) != sizeof hub->instance) {
        return false;
    }
    hub->instance &= (UINT64_C(1) << INSTANCE_BITS) - 1;
    return true;
}

/* Without a store, the numbers of creators are of this process alone. */
static struct creators *create_creators(struct hub *hub)
{
    uint8_t secret[CREATORS_SECRET];

    if (hub->definition.store != NULL) {
        memcpy(secret, store_secret(hub->definition.store), sizeof secret);
    } else if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret) {
        return NULL;
    }
    return hub->history_budget != NULL ? creators_create(&hub->budget, hub->history_budget, secret)
                                       : NULL;
}

struct hub *hub_create(const struct hub_definition *definition)
{
    struct hub *hub = calloc(1, sizeof *hub);

    if (hub == NULL) {
        return NULL;
    }
    hub->definition = *definition;
    take_far(hub);
    hub->clock_start = uv_hrtime();
    hub->budget.boids_max = definition->boids_max;
    hub->history_budget = history_budget_create(definition->history_bytes);
    hub->creators = create_creators(hub);
    hub->directory = directory_create(&definition->limits);
    hub->tries = tries_create(&definition->tries);
    hub->indexer = indexer_create(definition->lobby.tick_limit);
    if (hub->creators == NULL || hub->directory == NULL || hub->tries == NULL ||
        hub->indexer == NULL || !choose_instance(hub) || !create_outboxes(hub) ||
        !create_links(hub) || !create_runners(hub) ||
        (definition->claim == NULL && (!hub_restore(hub) || !hub_have_lobby(hub)))) {
        hub_stop(hub);
        hub_destroy(hub);
        return NULL;
    }
    return hub;
}

void hub_stop(struct hub *hub)
{
    if (hub != NULL && hub->indexer != NULL) {
        indexer_stop(hub->indexer);
    }
    for (uint32_t i = 0; hub != NULL && i < hub->runner_count; i++) {
        runner_stop(hub->runners[i]);
    }
}

void hub_destroy(struct hub *hub)
{
    if (hub == NULL) {
        return;
    }
    for (uint32_t i = 0; i < hub->runner_count; i++) {
        runner_destroy(hub->runners[i]);
    }
    for (uint32_t i = 0; hub->links != NULL && i < hub->shards; i++) {
        link_local_destroy(hub->links[i]);
    }
    for (uint32_t i = 0; i < hub->outbox_count; i++) {
        outbox_destroy(&hub->outboxes[i]);
    }
    free(hub->links);
    free(hub->runners);
    free(hub->outboxes);
    directory_destroy(hub->directory);
    tries_destroy(hub->tries);
    indexer_destroy(hub->indexer);
    creators_destroy(hub->creators);
    history_budget_release(hub->history_budget);
    free(hub);
}

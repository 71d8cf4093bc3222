#include "hub/hub.h"

#include <inttypes.h>
#include <stdlib.h>

#include "hub/clock.h"
#include "hub/inside.h"
#include "log.h"
#include "room/people.h"

#define HEALTHY_TIME     5000000u           /* µs */
#define LATE_REPORT_TIME UINT64_C(10000000) /* µs between lines about dropped ticks */

/* ---- from the network's threads ---- */

uint64_t hub_now(const struct hub *hub)
{
    return (uv_hrtime() - hub->epoch) / 1000;
}

bool hub_healthy(const struct hub *hub)
{
    uint64_t period = 1000000u / hub->definition.room.tick_rate;
    uint64_t limit = 5 * period > HEALTHY_TIME ? 5 * period : HEALTHY_TIME;

    return hub_now(hub) <= atomic_load(&hub->ticked_at) + limit;
}

uint64_t hub_ticks(const struct hub *hub)
{
    return atomic_load(&hub->ticks);
}

const struct hub_stats *hub_stats(const struct hub *hub)
{
    return &hub->stats;
}

/* Puts a message in line. All but hellos leave the places free that joining and leaving may need.
 */
static bool push_message(struct hub *hub, enum event_type type, uint64_t session,
                         const struct proto_client_message *message)
{
    struct event event = {.type = type, .session = session};
    size_t reserve = type == EVENT_JOIN ? 0 : 2 * (size_t)hub->definition.sessions_max;

    event.message = malloc(sizeof *event.message);
    if (event.message == NULL) {
        return false;
    }
    *event.message = *message;
    if (!queue_push(&hub->events, &event, reserve, type == EVENT_JOIN)) {
        free(event.message);
        return false;
    }
    return true;
}

bool hub_join(struct hub *hub, uint64_t session, const struct proto_hello *hello)
{
    return push_message(hub, EVENT_JOIN, session,
                        &(struct proto_client_message){.type = PROTO_HELLO, .hello = *hello});
}

void hub_leave(struct hub *hub, uint64_t session)
{
    queue_push(&hub->events, &(struct event){.type = EVENT_LEAVE, .session = session}, 0, true);
}

bool hub_send(struct hub *hub, uint64_t session, const struct proto_client_message *message)
{
    if (message->type != PROTO_CURSOR) {
        return push_message(hub, EVENT_MESSAGE, session, message);
    }
    return queue_push(
        &hub->events,
        &(struct event){.type = EVENT_CURSOR, .session = session, .cursor = message->cursor},
        2 * (size_t)hub->definition.sessions_max, false);
}

void hub_want_key(struct hub *hub, uint32_t stream)
{
    /* Many sessions may say so at once: the first one writes. */
    if (!atomic_load_explicit(&hub->keys_wanted[stream], memory_order_relaxed)) {
        atomic_store_explicit(&hub->keys_wanted[stream], true, memory_order_relaxed);
    }
}

bool hub_take_reply(struct hub *hub, uint32_t shard, struct hub_reply *reply)
{
    return queue_take(&hub->outboxes[shard].replies, reply);
}

struct state *hub_take_state(struct hub *hub, uint32_t shard)
{
    return atomic_exchange(&hub->outboxes[shard].latest, NULL);
}

void state_destroy(struct state *state)
{
    if (state == NULL) {
        return;
    }
    for (size_t part = 0; part < STATE_PARTS; part++) {
        frame_release(state->frames[part]);
    }
    for (uint32_t i = 0; i < state->stream_count; i++) {
        for (uint32_t k = 0; k < STREAM_HISTORY; k++) {
            frame_release(state->streams[i].deltas[k]);
        }
        frame_release(state->streams[i].key);
    }
    free(state);
}

/* ---- on the sim thread ---- */

/* Ticks that came too late are dropped, and told of if they are more than a busy machine's now and
 * then: one in a hundred. */
static void report_dropped(struct hub *hub)
{
    uint64_t now = hub_now(hub);
    uint64_t due = clock_ticks_by((now - hub->reported_at) * 1000, hub->definition.room.tick_rate);

    if (now < hub->reported_at + LATE_REPORT_TIME) {
        return;
    }
    if (hub->dropped * 100 > due) {
        log_warn("the flock cannot keep up: %" PRIu64 " of the last %" PRIu64
                 " ticks dropped (fewer boids or a lower --tick-rate would help)",
                 hub->dropped, due);
    }
    hub->dropped = 0;
    hub->reported_at = now;
}

/* Does what the sessions ask for, until there is no more or it has taken as long as a tick may:
 * however hard that is to do, the flock ticks in between. */
static void take_events(struct hub *hub)
{
    uint64_t end = uv_hrtime() + CLOCK_NS_PER_S / hub->definition.room.tick_rate;
    struct event event;

    while (queue_take(&hub->events, &event)) {
        hub_answer(hub, &event);
        if (uv_hrtime() >= end) {
            return;
        }
    }
}

static void tick_room(struct hub *hub, uint64_t time)
{
    room_tick(hub->room, time);
    atomic_store(&hub->ticks, room_ticks(hub->room));
    atomic_store(&hub->ticked_at, hub_now(hub));
    counter_add(&hub->stats.ticks, 1);
    counter_set(&hub->stats.people, room_people(hub->room));
    counter_set(&hub->stats.boids, room_boids(hub->room));
    if (room_snapshot_due(hub->room)) {
        hub_publish(hub, time);
    }
}

static void run(void *argument)
{
    struct hub *hub = argument;
    uint64_t rate = hub->definition.room.tick_rate;
    uint64_t tick = 0; /* deadlines since the epoch, so that they never drift */

    while (!atomic_load(&hub->stopping)) {
        uint64_t deadline = hub->epoch + clock_tick_time(tick, rate);
        queue_wait(&hub->events, deadline);
        take_events(hub);
        uint64_t now = uv_hrtime();
        if (now < deadline) {
            continue;
        }
        tick_room(hub, (deadline - hub->epoch) / 1000);
        uint64_t end = uv_hrtime();
        histogram_add(&hub->stats.lateness, now - deadline);
        histogram_add(&hub->stats.duration, end - now);
        tick++;
        uint64_t next = clock_ticks_by(end - hub->epoch, rate);
        if (next > tick) {
            hub->dropped += next - tick;
            counter_add(&hub->stats.dropped, next - tick);
            tick = next;
        }
        report_dropped(hub);
    }
}

/* ---- life ---- */

static bool create_outboxes(struct hub *hub)
{
    size_t sessions = hub->definition.sessions_max;

    hub->outboxes = calloc(hub->definition.shards, sizeof *hub->outboxes);
    for (; hub->outboxes != NULL && hub->outbox_count < hub->definition.shards;
         hub->outbox_count++) {
        if (!queue_create(&hub->outboxes[hub->outbox_count].replies, sizeof(struct hub_reply),
                          4 * sessions + 1024)) {
            return false;
        }
    }
    return hub->outboxes != NULL;
}

static void destroy_outboxes(struct hub *hub)
{
    struct hub_reply left;

    for (uint32_t shard = 0; shard < hub->outbox_count; shard++) {
        struct outbox *outbox = &hub->outboxes[shard];
        while (queue_take(&outbox->replies, &left)) {
            frame_release(left.frame);
        }
        queue_destroy(&outbox->replies);
        state_destroy(atomic_load(&outbox->latest));
    }
    free(hub->outboxes);
}

static void destroy_events(struct hub *hub)
{
    struct event event;

    while (queue_take(&hub->events, &event)) {
        if (event.type == EVENT_JOIN || event.type == EVENT_MESSAGE) {
            free(event.message);
        }
    }
    queue_destroy(&hub->events);
}

struct hub *hub_create(const struct hub_definition *definition)
{
    struct hub *hub = calloc(1, sizeof *hub);
    size_t sessions = definition->sessions_max;
    size_t indices = sessions * definition->shards;

    if (hub == NULL) {
        return NULL;
    }
    hub->definition = *definition;
    hub->epoch = uv_hrtime();
    hub->room = room_create(&definition->room);
    hub->slots = malloc(indices * sizeof *hub->slots);
    if (hub->room == NULL || hub->slots == NULL || !create_outboxes(hub)) {
        goto fail;
    }
    for (size_t i = 0; i < indices; i++) {
        hub->slots[i] = PEOPLE_NONE;
    }
    if (!queue_create(&hub->events, sizeof(struct event), 3 * sessions + 4096)) {
        goto fail;
    }
    if (uv_thread_create(&hub->thread, run, hub) != 0) {
        destroy_events(hub);
        goto fail;
    }
    return hub;
fail:
    destroy_outboxes(hub);
    free(hub->slots);
    room_destroy(hub->room);
    free(hub);
    return NULL;
}

void hub_stop(struct hub *hub)
{
    if (hub != NULL) {
        atomic_store(&hub->stopping, true);
        queue_wake(&hub->events);
        uv_thread_join(&hub->thread);
    }
}

void hub_destroy(struct hub *hub)
{
    if (hub == NULL) {
        return;
    }
    destroy_events(hub);
    destroy_outboxes(hub);
    for (size_t part = 0; part < STATE_PARTS; part++) {
        frame_release(hub->frames[part]);
    }
    free(hub->slots);
    room_destroy(hub->room);
    free(hub);
}

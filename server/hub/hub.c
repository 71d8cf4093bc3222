#include "hub/hub.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "hub/clock.h"
#include "hub/queue.h"
#include "log.h"
#include "room/people.h"

#define HEALTHY_TIME     5000000u           /* µs */
#define LATE_REPORT_TIME UINT64_C(10000000) /* µs between lines about dropped ticks */

enum event_type { EVENT_JOIN, EVENT_LEAVE, EVENT_CURSOR, EVENT_MESSAGE };

struct event {
    enum event_type type;
    uint64_t session;
    union {
        struct proto_cursor cursor;
        struct proto_client_message
            *message; /* of EVENT_JOIN and EVENT_MESSAGE: the event's, to free */
    };
};

/* What is for one shard to take. */
struct outbox {
    struct queue replies;
    _Atomic(struct state *) latest;
};

struct hub {
    struct hub_definition definition;
    uint64_t epoch; /* uv_hrtime() at which the server's clock was 0 */
    struct queue events;
    struct outbox *outboxes;
    uint32_t outbox_count; /* made so far: all shards' but while creating */
    atomic_bool stopping;
    _Atomic uint64_t ticked_at; /* µs */
    _Atomic uint64_t ticks;
    struct hub_stats stats;
    atomic_bool keys_wanted[STREAMS_MAX]; /* by a stream's place */
    uv_thread_t thread;

    /* The sim thread's own. */
    struct room *room;
    uint32_t *slots;                   /* the room's slot of each session's index */
    struct frame *frames[STATE_PARTS]; /* the newest of each part */
    uint32_t versions[STATE_PARTS];
    uint64_t dropped, reported_at;
};

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

static uint32_t shard_of(const struct hub *hub, uint64_t session)
{
    return ((uint32_t)session - 1) / hub->definition.sessions_max;
}

/* What is merely told leaves the places free that the other replies may need: a session gets at
 * most one each of HUB_WELCOME, HUB_CLOSE (a full room, or replaced) and HUB_GONE. */
static size_t told_reserve(const struct hub *hub)
{
    return 3 * (size_t)hub->definition.sessions_max;
}

static void reply(struct hub *hub, const struct hub_reply *message)
{
    bool told = message->type == HUB_ERROR || message->type == HUB_TELL;
    size_t reserve = told ? told_reserve(hub) : 0;
    uint32_t shard = shard_of(hub, message->session);

    if (!queue_push(&hub->outboxes[shard].replies, message, reserve, false)) {
        frame_release(message->frame);
    }
    hub->definition.wake(hub->definition.argument, shard);
}

static struct frame *error_frame(const struct proto_error *error)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_error(frame_data(frame), frame->capacity, error);
    }
    return frame;
}

static struct frame *role_frame(enum proto_role role)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_role(frame_data(frame), frame->capacity, role);
    }
    return frame;
}

static struct frame *stream_frame(const struct proto_stream *granted)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    if (frame != NULL) {
        frame->size = proto_encode_stream(frame_data(frame), frame->capacity, granted);
    }
    return frame;
}

static struct frame *welcome_frame(struct hub *hub, uint32_t slot,
                                   const struct room_subscription *subscription)
{
    struct proto_welcome welcome = {.version = PROTO_VERSION,
                                    .server = "flockd " FLOCKD_VERSION,
                                    .rate = subscription->granted.rate,
                                    .time = hub_now(hub)};
    struct frame *frame = frame_create(PROTO_STATE_MAX);

    if (frame != NULL) {
        snprintf(welcome.encoding, sizeof welcome.encoding, "%s", subscription->encoding);
        room_welcome(hub->room, slot, &welcome);
        frame->size = proto_encode_welcome(frame_data(frame), frame->capacity, &welcome);
    }
    return frame;
}

static void close_full(struct hub *hub, uint64_t session)
{
    struct proto_error error = {.code = "full", .field = "room", .fatal = true};

    snprintf(error.message, sizeof error.message, "the room has no place left for anyone else");
    reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                   .session = session,
                                   .frame = error_frame(&error),
                                   .code = PROTO_CLOSE_FULL,
                                   .reason = "the room is full"});
}

static void on_join(struct hub *hub, const struct event *event)
{
    uint32_t *slot = &hub->slots[(uint32_t)event->session - 1];
    struct room_subscription subscription;
    uint64_t replaced;

    *slot = room_join(hub->room, &event->message->hello, event->session, hub_now(hub), &replaced);
    if (*slot == PEOPLE_NONE) {
        close_full(hub, event->session);
        return;
    }
    if (replaced != 0) {
        hub->slots[(uint32_t)replaced - 1] = PEOPLE_NONE;
        reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                       .session = replaced,
                                       .code = PROTO_CLOSE_REPLACED,
                                       .reason = "the same person connected from elsewhere"});
    }
    room_subscription(hub->room, *slot, &subscription);
    struct frame *welcome = welcome_frame(hub, *slot, &subscription);
    if (welcome == NULL) {
        reply(hub, &(struct hub_reply){.type = HUB_CLOSE,
                                       .session = event->session,
                                       .code = PROTO_CLOSE_FULL,
                                       .reason = "out of memory"});
        return;
    }
    reply(hub, &(struct hub_reply){.type = HUB_WELCOME,
                                   .session = event->session,
                                   .frame = welcome,
                                   .stream = subscription.stream,
                                   .sequence = subscription.sequence,
                                   .versions = {[STATE_ROOM] = room_version(hub->room),
                                                [STATE_PARAMS] = room_params_version(hub->room)}});
}

static void tell(struct hub *hub, enum hub_reply_type type, uint64_t session, struct frame *frame)
{
    reply(hub, &(struct hub_reply){.type = type, .session = session, .frame = frame});
}

static bool may_tell(struct hub *hub, uint64_t session)
{
    struct outbox *outbox = &hub->outboxes[shard_of(hub, session)];

    return queue_places(&outbox->replies) > told_reserve(hub);
}

/* The session is in another stream, or in the same one and has lost the thread. */
static void tell_stream(struct hub *hub, uint32_t slot, uint64_t session)
{
    struct room_subscription subscription;

    room_subscription(hub->room, slot, &subscription);
    reply(hub, &(struct hub_reply){.type = HUB_STREAM,
                                   .session = session,
                                   .frame = stream_frame(&subscription.granted),
                                   .stream = subscription.stream,
                                   .sequence = subscription.sequence});
}

static void on_message(struct hub *hub, uint32_t slot, uint64_t session,
                       const struct proto_client_message *message)
{
    struct proto_error error;

    if (message->type == PROTO_WANT && !may_tell(hub, session)) {
        return; /* it would not know which stream it is in */
    }
    if (!room_receive(hub->room, slot, message, hub_now(hub), &error)) {
        tell(hub, HUB_ERROR, session, error_frame(&error));
    } else if (message->type == PROTO_KEY) {
        tell(hub, HUB_TELL, session, role_frame(room_role(hub->room, slot)));
    } else if (message->type == PROTO_WANT) {
        tell_stream(hub, slot, session);
    }
}

static void on_event(struct hub *hub, const struct event *event)
{
    uint32_t slot = hub->slots[(uint32_t)event->session - 1];
    bool here = slot != PEOPLE_NONE && room_session(hub->room, slot) == event->session;

    switch (event->type) {
    case EVENT_JOIN:
        on_join(hub, event);
        break;
    case EVENT_LEAVE:
        if (here) {
            room_leave(hub->room, slot, hub_now(hub));
        }
        hub->slots[(uint32_t)event->session - 1] = PEOPLE_NONE;
        reply(hub, &(struct hub_reply){.type = HUB_GONE, .session = event->session});
        return;
    case EVENT_CURSOR:
        if (here) {
            on_message(
                hub, slot, event->session,
                &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = event->cursor});
        }
        return;
    case EVENT_MESSAGE:
        if (here) {
            on_message(hub, slot, event->session, event->message);
        }
        break;
    }
    free(event->message);
}

/* Puts a newer frame of a part in the place of the one before; NULL leaves that. */
static void renew(struct hub *hub, enum state_part part, struct frame *frame, uint32_t version)
{
    if (frame != NULL) {
        frame_release(hub->frames[part]);
        hub->frames[part] = frame;
        hub->versions[part] = version;
    }
}

/* Gives a shard the state in place of the one that it has not taken, if any. When memory runs out
 * it gets the next one. */
static void publish_to(struct hub *hub, uint32_t shard)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);
    struct state *state = calloc(1, sizeof *state + count * sizeof state->streams[0]);

    if (state == NULL) {
        return;
    }
    memcpy(state->versions, hub->versions, sizeof state->versions);
    for (size_t part = 0; part < STATE_PARTS; part++) {
        state->frames[part] = frame_hold(hub->frames[part]);
    }
    state->stream_count = count;
    for (uint32_t i = 0; i < count; i++) {
        state->streams[i].sequence = streams[i].sequence;
        for (uint32_t k = 0; k < STREAM_HISTORY; k++) {
            state->streams[i].deltas[k] = frame_hold(streams[i].deltas[k]);
        }
        state->streams[i].key = frame_hold(streams[i].key);
    }
    state_destroy(atomic_exchange(&hub->outboxes[shard].latest, state));
    hub->definition.wake(hub->definition.argument, shard);
}

static void make_snapshots(struct hub *hub, uint64_t time)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);

    for (uint32_t place = 0; place < count; place++) {
        if (atomic_exchange_explicit(&hub->keys_wanted[place], false, memory_order_relaxed)) {
            room_want_key(hub->room, place);
        }
    }
    room_snapshot(hub->room, time);
}

static void count_frames(struct hub *hub)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);
    uint64_t encoded = 0;
    uint64_t keys = 0;

    for (uint32_t place = 0; place < count; place++) {
        encoded += streams[place].encoded;
        keys += streams[place].encoded_keys;
    }
    counter_set(&hub->stats.encoded, encoded);
    counter_set(&hub->stats.keys, keys);
}

static void publish(struct hub *hub, uint64_t time)
{
    make_snapshots(hub, time);
    count_frames(hub);
    if (hub->versions[STATE_ROOM] != room_version(hub->room)) {
        renew(hub, STATE_ROOM, room_describe(hub->room), room_version(hub->room));
    }
    if (hub->versions[STATE_PARAMS] != room_params_version(hub->room)) {
        renew(hub, STATE_PARAMS, room_params(hub->room), room_params_version(hub->room));
    }
    renew(hub, STATE_PRESENCE, room_presence(hub->room, time), hub->versions[STATE_PRESENCE] + 1);
    for (uint32_t shard = 0; shard < hub->definition.shards; shard++) {
        publish_to(hub, shard);
    }
}

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
        on_event(hub, &event);
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
        publish(hub, time);
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

#include "term/net/local.h"

#include "net/session/outlet.h"
#include "past/history_budget.h"
#include "room/room.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_RATE = 30,  /* Hz */
    STOPPED_MAX = 8, /* ticks in a row that took too long until the room is paused */
};

#define SECOND     UINT64_C(1000000)  /* µs */
#define TICK_LIMIT UINT64_C(20000000) /* ns: a longer tick delays keys and frames */
#define PAST       (300 * SECOND)     /* µs that can be rewound */
#define PAST_BYTES (UINT64_C(16) << 20)
#define PONG_MAX   64u

struct term_local {
    struct term_client_events events;
    struct room *room;
    struct room_workspace *workspace;
    struct history_budget *past;
    struct proto_decoder *decoder;
    struct proto_client_message *message;
    struct room_view *view; /* the newest; NULL: none yet */
    struct outlet outlet;
    struct counts counts;
    room_member member; /* 0: not in the room */
    bool connected;
    bool broken;      /* memory ran out for a message to the session */
    uint64_t now;     /* the time of this call */
    uint64_t began;   /* the time of tick 0 */
    uint64_t tick;    /* the number of the next tick */
    uint32_t stopped; /* ticks in a row that took too long */
};

/* ---- from the room to the session ---- */

static size_t count_unsent(void *line)
{
    (void)line;
    return 0; /* deliver_item() delivers all bytes at once */
}

static void send_pong(struct term_local *local, uint64_t t, uint64_t now)
{
    uint8_t bytes[PONG_MAX];
    const struct proto_pong pong = {.t = t, .time = now};
    size_t size = proto_encode_pong(bytes, sizeof bytes, &pong);
    local->events.received(local->events.owner, bytes, size);
}

static void deliver_item(struct term_local *local, const struct outlet_turn *turn,
                         const struct outlet_item *item)
{
    switch (item->type) {
    case OUTLET_WANT_KEY:
        room_want_key(local->room, item->stream);
        break;
    case OUTLET_PONG:
        send_pong(local, item->number, turn->now);
        break;
    case OUTLET_PING:
    case OUTLET_NOTHING:
        break;
    default:
        local->events.received(local->events.owner, frame_data(item->frame), item->size);
        break;
    }
    outlet_sent(&local->outlet, turn, item, item->size);
    if (item->type == OUTLET_PING) {
        outlet_pong(&local->outlet, (uint32_t)item->number, turn->now, turn->now);
    }
}

/* Delivers all frames that the session has not received yet. */
static void flush_outlet(struct term_local *local)
{
    const struct outlet_turn turn = {.view = local->view,
                                     .counts = &local->counts,
                                     .now = local->now,
                                     .late = local->now,
                                     .unsent = count_unsent};
    if (local->connected) {
        outlet_view(&local->outlet, &turn);
    }
    while (local->connected) {
        struct outlet_item item = outlet_next(&local->outlet, &turn);
        if (item.type == OUTLET_NOTHING) {
            return;
        }
        deliver_item(local, &turn, &item);
    }
}

/* Ends the connection, as the room wants for that reason. */
static void end_connection(struct term_local *local, enum end_reason why)
{
    local->connected = local->broken = false;
    local->member = 0;
    outlet_finish(&local->outlet);
    local->events.closed(local->events.owner, (int)end_code(why), end_text(why));
}

static void on_tell(void *argument, room_member member, struct frame *frame,
                    const struct room_grant *grant)
{
    struct term_local *local = argument;
    (void)member;
    if (!local->connected || !outlet_push(&local->outlet, frame)) {
        local->broken = true; /* the session would miss this message */
    } else if (grant != NULL) {
        outlet_grant(&local->outlet, grant, NULL, &local->counts, local->now);
    }
}

static void on_close(void *argument, room_member member, const struct room_end *end)
{
    struct term_local *local = argument;
    frame_release(end->frame);
    if (local->connected && member == local->member) {
        end_connection(local, end->why);
    }
}

/* Delivers all frames, or ends the connection if memory ran out for a frame. */
static void update_session(struct term_local *local)
{
    if (local->broken && local->connected) {
        room_leave(local->room, local->member, local->now);
        end_connection(local, END_NO_MEMORY);
    }
    flush_outlet(local);
}

/* ---- from the session to the room ---- */

static void let_in(struct term_local *local, const struct proto_hello *hello)
{
    struct room_end refused = {0};
    room_member member = room_join(local->room, hello, 0, local->now, &refused);
    if (member == 0) {
        frame_release(refused.frame);
        end_connection(local, refused.why);
        return;
    }
    local->member = member;
    outlet_subscribe(&local->outlet, hello->topics);
    room_welcome(local->room, member, local->now);
}

/* Passes a message to the room. Pings, topics and the marked boid concern the outlet, too. */
static void take_message(struct term_local *local, const struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_HELLO:
        let_in(local, &message->hello);
        return;
    case PROTO_PING:
        outlet_ping(&local->outlet, message->ping.t);
        return;
    case PROTO_WANT:
        outlet_subscribe(&local->outlet,
                         message->want.has_topics ? message->want.topics : local->outlet.topics);
        break;
    case PROTO_PICK:
        outlet_pick(&local->outlet, message->pick.boid);
        break;
    case PROTO_UNPICK:
        outlet_pick(&local->outlet, OUTLET_NO_PICK);
        break;
    default:
        break;
    }
    room_receive(local->room, local->member, message, local->now);
}

void term_local_wake(struct term_local *local, int64_t now)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct proto_error error;
    size_t size;
    local->now = (uint64_t)now;
    while (local->connected && (size = local->events.next(local->events.owner, bytes)) > 0) {
        if (proto_decode_client(local->decoder, bytes, size, local->message, &error) == PROTO_OK) {
            take_message(local, local->message);
        }
    }
    update_session(local);
}

void term_local_connect(struct term_local *local, int64_t now)
{
    term_local_drop(local, now);
    outlet_init(&local->outlet, 0, local->now);
    local->connected = true;
    local->events.opened(local->events.owner);
}

void term_local_drop(struct term_local *local, int64_t now)
{
    local->now = (uint64_t)now;
    if (local->member != 0) {
        room_leave(local->room, local->member, local->now);
    }
    outlet_finish(&local->outlet);
    local->connected = local->broken = false;
    local->member = 0;
}

/* ---- time ---- */

static uint64_t time_of_tick(const struct term_local *local, uint64_t tick)
{
    return local->began + tick * SECOND / TICK_RATE;
}

/* Moves the flock by a tick. Several ticks in a row that take too long pause it. */
static void run_tick(struct term_local *local)
{
    uint64_t time = time_of_tick(local, local->tick);
    room_workspace_limit(local->workspace, TICK_LIMIT);
    if (room_tick(local->room, local->workspace, time)) {
        local->stopped = 0;
    } else if (++local->stopped == STOPPED_MAX) {
        local->stopped = 0;
        room_pause_costly(local->room, TICK_LIMIT / 1000);
    }
    if (room_snapshot_due(local->room)) {
        struct room_view *view = room_snapshot(local->room, local->workspace, time);
        if (view != NULL) {
            view_release(local->view);
            local->view = view;
        }
    }
}

void term_local_tick(struct term_local *local, int64_t now)
{
    local->now = (uint64_t)now;
    uint64_t due = (local->now - local->began) * TICK_RATE / SECOND; /* the last one until now */
    if (due >= local->tick) {
        local->tick = due; /* without overdue ticks */
        run_tick(local);
        local->tick++;
    } else {
        room_workspace_limit(local->workspace, TICK_LIMIT);
        room_seek(local->room, local->workspace);
    }
    update_session(local);
}

/* ---- life ---- */

/* Returns the definition of the room, whose controls are open to the person. */
static struct room_definition define_room(struct history_budget *past)
{
    static const char *const capabilities[] = {"packed", "topics"};
    struct room_definition definition = room_definition_default();
    snprintf(definition.code, sizeof definition.code, "demo");
    snprintf(definition.title, sizeof definition.title, "demo");
    definition.instance = 1;
    definition.tick_rate = definition.snapshot_rate = TICK_RATE;
    definition.boids_max = TERM_LOCAL_BOIDS_MAX;
    definition.tick_limit = TICK_LIMIT / 1000;
    definition.rewind = PAST;
    definition.history_budget = past;
    definition.open_controls = true;
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        snprintf(definition.capabilities[i], sizeof definition.capabilities[i], "%s",
                 capabilities[i]);
        definition.capability_count++;
    }
    return definition;
}

static struct room *make_room(struct term_local *local)
{
    const struct room_sink sink = {.tell = on_tell, .close = on_close, .argument = local};
    struct proto_client_message preset = {.type = PROTO_SET, .set = {"preset", TERM_LOCAL_PRESET}};
    const struct room_origin origin = {.changes = &preset, .change_count = 1, .now = local->began};
    struct room_definition definition = define_room(local->past);
    struct proto_error error;
    return room_create(&definition, &sink, &origin, &error);
}

struct term_local *term_local_create(const struct term_client_events *events, int64_t now)
{
    struct term_local *local = calloc(1, sizeof *local);
    if (local == NULL) {
        return NULL;
    }
    local->events = *events;
    local->began = local->now = (uint64_t)now;
    local->past = history_budget_create(PAST_BYTES);
    local->workspace = room_workspace_create(1);
    local->decoder = proto_decoder_create();
    local->message = calloc(1, sizeof *local->message);
    if (local->past != NULL && local->workspace != NULL && local->decoder != NULL &&
        local->message != NULL) {
        local->room = make_room(local);
    }
    if (local->room == NULL) {
        term_local_destroy(local);
        return NULL;
    }
    return local;
}

void term_local_destroy(struct term_local *local)
{
    if (local == NULL) {
        return;
    }
    local->connected = false;
    outlet_finish(&local->outlet);
    view_release(local->view);
    room_destroy(local->room);
    room_workspace_destroy(local->workspace);
    history_budget_release(local->past);
    proto_decoder_destroy(local->decoder);
    free(local->message);
    free(local);
}

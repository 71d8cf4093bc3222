#include "net/session/outlet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "room/stream.h"

#define DELTAS_UNSENT  3u   /* times the deltas' bytes that the kernel may already hold */
#define DELTA_SLACK    256u /* bytes */
#define ALL_PARTS      ((1u << VIEW_PARTS) - 1)
#define OUTLET_TOPICS  ((1u << VIEW_TOPICS) - 1)
#define LOST_TIME      1000u /* ms */
#define LARGE_PARTS    4u    /* of a limited share, 1 part is for lists of members and rooms */
#define LARGE_TIME_MAX 60u   /* s until a list or room is paid for, at the latest */

/* Snapshots, and their bytes, after which the outlet asks the kernel again for unsent bytes. */
#define TRUSTED_FRAMES     8u
#define TRUSTED_BYTES      16384u
#define TRUSTED_FRAMES_MAX 31u    /* of a spared line; fits 5 bits */
#define TRUSTED_BYTES_MAX  65535u /* of a spared line; fits 16 bits */

/* A ring. Freed while nothing is pending. */
struct outlet_pending {
    uint32_t first, count;
    size_t bytes;
    struct frame *frames[OUTLET_PENDING_MAX];
};

static const struct outlet_item nothing = {.type = OUTLET_NOTHING};

/* Stores a frame to send. Returns false, and stores nothing, without a frame. */
static bool put_frame(struct outlet_item *item, enum outlet_type type, struct frame *frame,
                      uint32_t number)
{
    if (frame == NULL) {
        return false;
    }
    *item =
        (struct outlet_item){.type = type, .frame = frame, .size = frame->size, .number = number};
    return true;
}

/* ---- life ---- */

void outlet_init(struct outlet *outlet, uint32_t spread, uint64_t now)
{
    memset(outlet, 0, sizeof *outlet);
    line_init(&outlet->line, spread, outlet_ms(now));
    outlet->keyed_at = outlet_ms(now) - LOST_TIME;
    outlet->pick = OUTLET_NO_PICK;
}

bool outlet_reserve(struct outlet *outlet)
{
    if (outlet->pending == NULL) {
        outlet->pending = calloc(1, sizeof *outlet->pending);
    }
    return outlet->pending != NULL;
}

bool outlet_is_pending(const struct outlet *outlet)
{
    return outlet->pending != NULL && outlet->pending->count > 0;
}

/* Notes what a message of the room says about the pick. Every message is an array of less than 16
 * elements that begins with its type. A `done` continues with the type that it answers. The only
 * why to one member is the end of its pick: explanations are in the view. */
static void note_pick(struct outlet *outlet, struct frame *frame)
{
    const uint8_t *bytes = frame_data(frame);

    if (frame->size > 2 && bytes[1] == PROTO_DONE && bytes[2] == PROTO_PICK) {
        outlet->picked = true;
    } else if (frame->size > 1 && bytes[1] == PROTO_WHY) {
        outlet->picked = false;
    }
}

bool outlet_push(struct outlet *outlet, struct frame *frame)
{
    bool reserved = frame != NULL && outlet_reserve(outlet);
    struct outlet_pending *pending = outlet->pending;

    if (!reserved || pending->count == OUTLET_PENDING_MAX ||
        (pending->count > 0 && pending->bytes + frame->size > OUTLET_PENDING_BYTES)) {
        frame_release(frame);
        return false;
    }
    pending->frames[(pending->first + pending->count++) % OUTLET_PENDING_MAX] = frame;
    pending->bytes += frame->size;
    note_pick(outlet, frame);
    return true;
}

/* Removes and releases the first pending frame. */
static void pop_pending(struct outlet *outlet)
{
    struct outlet_pending *pending = outlet->pending;
    struct frame *frame = pending->frames[pending->first];

    assert(pending->count > 0);
    pending->first = (pending->first + 1) % OUTLET_PENDING_MAX;
    pending->count--;
    pending->bytes -= frame->size;
    frame_release(frame);
    if (pending->count == 0) {
        free(pending);
        outlet->pending = NULL;
    }
}

void outlet_finish(struct outlet *outlet)
{
    while (outlet_is_pending(outlet)) {
        pop_pending(outlet);
    }
    free(outlet->pending);
    outlet->pending = NULL;
}

void outlet_ping(struct outlet *outlet, uint64_t t)
{
    outlet->pong = t;
    outlet->pong_due = true;
}

void outlet_subscribe(struct outlet *outlet, uint32_t topics)
{
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        if ((topics & ~outlet->topics) >> topic & 1) {
            outlet->topic_versions[topic] = 0;
        }
    }
    outlet->topics = topics & OUTLET_TOPICS;
}

void outlet_pick(struct outlet *outlet, uint32_t boid)
{
    outlet->pick = boid;
    outlet->picked = false;
    outlet->topic_versions[VIEW_WHY] = 0;
}

static void skip_offered(struct outlet *outlet, struct counts *counts)
{
    assert((int32_t)(outlet->offered - outlet->settled) >= 0);
    counter_add(&counts->skipped, outlet->offered - outlet->settled);
    outlet->settled = outlet->offered;
}

/* Returns the sequence after which the client takes snapshots of the grant's stream. */
static uint32_t first_after(const struct outlet *outlet, const struct room_grant *grant,
                            const struct room_view *view)
{
    const bool watches = outlet->streaming && !grant->joined;
    const struct view_stream *stream =
        watches && view != NULL ? view_stream(view, grant->stream) : NULL;

    return stream != NULL && (int32_t)(stream->sequence - grant->sequence) > 0 ? stream->sequence
                                                                               : grant->sequence;
}

void outlet_grant(struct outlet *outlet, const struct room_grant *grant,
                  const struct room_view *view, struct counts *counts, uint64_t now)
{
    if (grant->joined) {
        memcpy(outlet->versions, grant->versions, sizeof outlet->versions);
        memset(outlet->topic_versions, 0, sizeof outlet->topic_versions);
        outlet->topic_turn = 0;
        outlet->pick = OUTLET_NO_PICK;
        outlet->picked = false;
        outlet->events = grant->events;
        outlet->presence = 0;
        outlet->presence_turn = true;
        outlet->parts_sent = 0;
        outlet->large_time = 0;
        outlet->list_turn = false;
    }
    if (outlet->streaming && outlet->stream == grant->stream && !grant->joined) {
        outlet->lost = true;
        return;
    }
    line_changed(&outlet->line, outlet_ms(now));
    outlet->following = outlet->lost = false;
    skip_offered(outlet, counts);
    const uint32_t after = first_after(outlet, grant, view);
    outlet->streaming = true;
    outlet->stream = grant->stream;
    outlet->offered = outlet->settled = outlet->key_asked = after;
}

void outlet_end(struct outlet *outlet, struct counts *counts)
{
    skip_offered(outlet, counts);
    outlet->streaming = outlet->pong_due = false;
    outlet->ended = true;
}

void outlet_share(struct outlet *outlet, uint32_t rate, uint32_t now)
{
    struct share *share = &outlet->line.share;
    uint64_t time = 0;

    if (rate > 0) {
        time = ((uint64_t)outlet->large_time * share->rate + rate / 2) / rate;
    }
    outlet->large_time = (time < LARGE_TIME_MAX ? time : LARGE_TIME_MAX) & 63u;
    share_set(share, rate, now);
}

void outlet_second(struct outlet *outlet)
{
    if (outlet->large_time > 0) {
        outlet->large_time--;
    }
}

/* ---- snapshots ---- */

/* Returns the outlet's stream in the view, or NULL if the view does not have it yet. */
static const struct view_stream *stream_of(const struct outlet *outlet,
                                           const struct outlet_turn *turn)
{
    return outlet->streaming && turn->view != NULL ? view_stream(turn->view, outlet->stream) : NULL;
}

/* Returns the bytes that take the client from the snapshot that was due before to the newest. It
 * does not need the plain snapshots in between, which a busy server skips. */
static size_t due_size(const struct outlet *outlet, const struct view_stream *stream)
{
    const struct frame *delta = stream->deltas[stream->sequence % VIEW_DELTAS];

    if (delta != NULL && (outlet->following || stream->key == NULL)) {
        return (size_t)(stream->sequence - outlet->offered) * delta->size;
    }
    return stream->key != NULL ? stream->key->size : 0;
}

void outlet_view(struct outlet *outlet, const struct outlet_turn *turn)
{
    const struct view_stream *stream = stream_of(outlet, turn);
    int32_t more = stream != NULL ? (int32_t)(stream->sequence - outlet->offered) : 0;

    if (more > 0) {
        counter_add(&turn->counts->offered, (uint32_t)more);
        counter_add(&turn->counts->judged, turn->fresh ? 0 : (uint32_t)more);
        counter_add(&turn->counts->missed, turn->fresh ? 0 : (uint32_t)more - 1);
        line_offer(&outlet->line, due_size(outlet, stream), outlet->choked);
        outlet->offered = stream->sequence;
        outlet->choked = false;
    }
}

static void choke_outlet(struct outlet *outlet, const struct outlet_turn *turn)
{
    if (!outlet->choked) {
        counter_add(&turn->counts->choked, 1);
        outlet->choked = true;
    }
}

/* Returns true if the session's share has `size` bytes left for snapshots. Counts a refusal. */
static bool has_share(struct outlet *outlet, const struct outlet_turn *turn, size_t size)
{
    bool does = line_affords(&outlet->line, size, outlet_ms(turn->now));

    if (!does && !outlet->choked) {
        counter_add(&turn->counts->withheld, 1);
    }
    return does;
}

void outlet_blocked(struct outlet *outlet, const struct outlet_turn *turn)
{
    if (outlet->settled != outlet->offered) {
        choke_outlet(outlet, turn);
    }
}

/* Returns true if the stream has all deltas from that older snapshot to the newest, and stores
 * their bytes. */
static bool deltas_from(const struct view_stream *stream, uint32_t sequence, size_t *size)
{
    *size = 0;
    if (stream->sequence - sequence > VIEW_DELTAS) {
        return false;
    }
    while (sequence++ != stream->sequence) {
        const struct frame *delta = stream->deltas[sequence % VIEW_DELTAS];
        if (delta == NULL) {
            return false;
        }
        *size += delta->size;
    }
    return true;
}

/* Returns true if the stream has a keyframe that is new to the client, and all deltas after it. */
static bool has_key(const struct view_stream *stream, const struct outlet *outlet)
{
    size_t size;

    return stream->key != NULL && (int32_t)(stream->key_sequence - outlet->settled) > 0 &&
           deltas_from(stream, stream->key_sequence, &size);
}

/* Returns true if the kernel need not be asked: the system call costs 1/8 of sending 2 KB. */
static bool trusts_kernel(const struct outlet *outlet)
{
    const bool spared = line_is_spared(&outlet->line);

    return outlet->trusted_frames < (spared ? TRUSTED_FRAMES_MAX : TRUSTED_FRAMES) &&
           outlet->trusted_bytes < (spared ? TRUSTED_BYTES_MAX : TRUSTED_BYTES);
}

/* Returns true if the kernel holds too much unsent data. Deltas, which the client must not miss,
 * may wait behind a few times their own size. Other snapshots would be old on arrival: nothing may
 * wait. */
static bool is_backed_up(struct outlet *outlet, const struct outlet_turn *turn, size_t deltas)
{
    size_t most = deltas > 0 ? DELTAS_UNSENT * (deltas + DELTA_SLACK) : 0;

    if (trusts_kernel(outlet)) {
        return false;
    }
    if (turn->unsent(turn->line) <= most) {
        outlet->trusted_frames = 0;
        outlet->trusted_bytes = 0;
        return false;
    }
    line_hold(&outlet->line);
    return true;
}

/* A pong that waits unread must not stop the snapshots. */
static bool fits_line(struct outlet *outlet, const struct outlet_turn *turn, size_t size)
{
    const uint32_t now = outlet_ms(turn->now), late = outlet_ms(turn->late);

    return line_takes(&outlet->line, size, now, late) ||
           (turn->unread && line_takes_unread(&outlet->line, size, turn->queued(turn->line), now));
}

/* ---- what comes next ---- */

static bool has_changed(const struct outlet *outlet, const struct room_view *view, uint32_t part)
{
    return view->frames[part] != NULL &&
           (int32_t)(view->versions[part] - outlet->versions[part]) > 0;
}

/* These functions store an item and return true. They return false if they have none. Then *item
 * has no meaning. */

static bool has_new_list(const struct outlet *outlet, const struct room_view *view)
{
    return view->presence > 0 && (int32_t)(view->presence - outlet->presence) > 0;
}

static bool next_presence(const struct outlet *outlet, const struct room_view *view,
                          struct outlet_item *item)
{
    uint32_t next = outlet->presence + 1;
    struct frame *change = view->presence_changes[next % VIEW_PRESENCES];
    bool follows = outlet->presence > 0 && view->presence - outlet->presence <= VIEW_PRESENCES;

    if (!outlet->presence_turn || outlet->large_time > 0 || !has_new_list(outlet, view)) {
        return false;
    }
    return (follows && put_frame(item, OUTLET_PRESENCE, change, next)) ||
           put_frame(item, OUTLET_PRESENCE, view->presence_whole, view->presence);
}

/* Returns true if a keyframe may be requested for a client that lost track. A keyframe costs all
 * clients of the stream, so this is rare. */
static bool may_ask(const struct outlet *outlet, uint32_t now)
{
    return outlet->key_asked != outlet->offered && now - outlet->keyed_at >= LOST_TIME;
}

static bool want_key(const struct outlet *outlet, struct outlet_item *item)
{
    *item = (struct outlet_item){
        .type = OUTLET_WANT_KEY, .stream = outlet->stream, .number = outlet->offered};
    return true;
}

/* Returns true if the client would read the view's snapshots by a room of another scale. */
static bool has_other_scale(const struct outlet *outlet, const struct room_view *view)
{
    return (int32_t)(view->scale_since - outlet->versions[VIEW_ROOM]) > 0;
}

static bool put_part(struct outlet_item *item, const struct room_view *view, uint32_t part)
{
    const bool put = put_frame(item, OUTLET_PART, view->frames[part], view->versions[part]);

    item->part = part;
    return put;
}

/* Stores the newest snapshot; before it, and at most once each, a change of the members, and the
 * room by which the client must read the snapshot. */
static bool next_snapshot(struct outlet *outlet, const struct outlet_turn *turn,
                          struct outlet_item *item)
{
    const struct view_stream *stream = stream_of(outlet, turn);
    size_t deltas = 0;
    bool follows, found;

    if (stream == NULL || outlet->offered != stream->sequence ||
        outlet->settled == outlet->offered) {
        return false; /* nothing newer, or the view is older than the session */
    }
    if (outlet->lost && has_key(stream, outlet)) {
        outlet->following = false;
    } else if (outlet->lost && may_ask(outlet, outlet_ms(turn->now))) {
        return want_key(outlet, item);
    }
    follows = outlet->following && deltas_from(stream, outlet->settled, &deltas);
    found = next_presence(outlet, turn->view, item);
    if (!found && follows) {
        uint32_t next = outlet->settled + 1;
        found = put_frame(item, OUTLET_DELTA, stream->deltas[next % VIEW_DELTAS], next);
    } else if (!found && has_key(stream, outlet)) {
        found = put_frame(item, OUTLET_KEYFRAME, stream->key, stream->key_sequence);
    }
    size_t size = !found ? 0 : item->type == OUTLET_DELTA ? deltas : item->size;
    size_t before = 0;
    const bool other_scale =
        found && item->type != OUTLET_PRESENCE && has_other_scale(outlet, turn->view);
    if (other_scale && turn->view->frames[VIEW_ROOM] != NULL) {
        before = turn->view->frames[VIEW_ROOM]->size;
    }
    if (!has_share(outlet, turn, found && item->type == OUTLET_KEYFRAME ? size : deltas) ||
        !fits_line(outlet, turn, before + size) ||
        is_backed_up(outlet, turn, follows ? deltas : 0)) {
        choke_outlet(outlet, turn);
        return false;
    }
    if (other_scale) {
        return has_changed(outlet, turn->view, VIEW_ROOM) && put_part(item, turn->view, VIEW_ROOM);
    }
    return found || (outlet->key_asked != outlet->offered && want_key(outlet, item));
}

/* ---- all there is ---- */

/* The values of VIEW_PARAMS are of the parameters in VIEW_ROOM. */
static bool waits_for_room(const struct outlet *outlet, const struct room_view *view, uint32_t part)
{
    return part == VIEW_PARAMS && has_changed(outlet, view, VIEW_ROOM);
}

/* Of a limited share, rooms and lists of members have a quarter, in turn. */
static bool may_send_room(const struct outlet *outlet, const struct room_view *view)
{
    return outlet->large_time == 0 && !(outlet->list_turn && has_new_list(outlet, view));
}

/* Stores a part that is new to the client; again: one that was already sent since the last
 * snapshot. */
static bool next_part(const struct outlet *outlet, const struct room_view *view, bool again,
                      struct outlet_item *item)
{
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        bool sent = (outlet->parts_sent >> part & 1u) != 0;
        bool may = part != VIEW_ROOM || may_send_room(outlet, view);
        if (sent == again && may && has_changed(outlet, view, part) &&
            !waits_for_room(outlet, view, part)) {
            return put_part(item, view, part);
        }
    }
    return false;
}

/* Stores a part that changed again before the client got a snapshot. It waits until it fits the
 * line: a room that changes often must not fill a slow line with parts. */
static bool next_part_again(const struct outlet *outlet, const struct room_view *view,
                            struct outlet_item *item)
{
    return next_part(outlet, view, true, item) && line_fits(&outlet->line, item->size);
}

static bool next_event(const struct outlet *outlet, const struct room_view *view,
                       struct outlet_item *item)
{
    uint32_t behind = view->events - outlet->events;
    uint32_t next = outlet->events + 1;

    if ((int32_t)behind <= 0) {
        return false;
    }
    if (behind > VIEW_EVENTS) {
        next = view->events - VIEW_EVENTS + 1;
    }
    while (next != view->events && view->event_frames[next % VIEW_EVENTS] == NULL) {
        next++;
    }
    return put_frame(item, OUTLET_EVENT, view->event_frames[next % VIEW_EVENTS], next);
}

/* Returns a version in 16 bits, never 0, so that a session takes less memory. Versions with the
 * same bits are 65,535 frames, or more than an hour, apart. */
static uint16_t short_of(uint32_t version)
{
    return version > 0 ? (uint16_t)((version - 1) % UINT16_MAX + 1) : 0;
}

/* Returns the client's frame of the topic, or NULL, and stores its version. */
static struct frame *topic_frame(const struct outlet *outlet, const struct room_view *view,
                                 uint32_t topic, uint16_t *version)
{
    const struct view_pick *pick =
        topic == VIEW_WHY && outlet->picked ? view_pick(view, outlet->pick) : NULL;

    *version = short_of(pick != NULL ? pick->version : view->topic_versions[topic]);
    return pick != NULL ? pick->frame : view->topics[topic];
}

/* Stores a topic that has changed. Topics follow a snapshot, and none goes before one that waits.
 */
static bool next_topic(const struct outlet *outlet, const struct room_view *view,
                       struct outlet_item *item)
{
    const uint32_t wanted = outlet->topics & outlet->topic_turn;

    if (wanted == 0 || outlet->settled != outlet->offered) {
        return false;
    }
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        uint16_t version;
        struct frame *frame = topic_frame(outlet, view, topic, &version);
        if ((wanted >> topic & 1) != 0 && frame != NULL &&
            version != outlet->topic_versions[topic]) {
            (void)put_frame(item, OUTLET_TOPIC, frame, version);
            item->part = topic;
            return true;
        }
    }
    return false;
}

static bool next_of_view(struct outlet *outlet, const struct outlet_turn *turn,
                         struct outlet_item *item)
{
    return outlet->streaming && turn->view != NULL &&
           (next_part(outlet, turn->view, false, item) || next_event(outlet, turn->view, item) ||
            next_snapshot(outlet, turn, item) || next_topic(outlet, turn->view, item) ||
            next_part_again(outlet, turn->view, item));
}

static bool next_item(struct outlet *outlet, const struct outlet_turn *turn,
                      struct outlet_item *item)
{
    if (outlet_is_pending(outlet)) {
        return put_frame(item, OUTLET_PENDING, outlet->pending->frames[outlet->pending->first], 0);
    }
    if (outlet->pong_due) {
        *item = (struct outlet_item){.type = OUTLET_PONG, .number = outlet->pong};
        return true;
    }
    if (outlet->ended) {
        return false;
    }
    if (next_of_view(outlet, turn, item)) {
        return true;
    }
    if ((outlet->streaming || outlet->line.number == 0) &&
        line_ping_due(&outlet->line, outlet_ms(turn->now))) {
        *item = (struct outlet_item){.type = OUTLET_PING, .number = outlet->line.number + 1};
        return true;
    }
    return false;
}

struct outlet_item outlet_next(struct outlet *outlet, const struct outlet_turn *turn)
{
    struct outlet_item item;

    return next_item(outlet, turn, &item) ? item : nothing;
}

/* Charges a list of members or a room. The snapshots have the rest of the share until it is paid
 * for. So people who come and go all the time, or change the room, take no more than a quarter of
 * the share from the snapshots. */
static void large_sent(struct outlet *outlet, bool is_room, size_t size, uint32_t now)
{
    const struct share *share = &outlet->line.share;
    uint64_t time = 0;

    line_written(&outlet->line, size, now);
    if (share->rate > 0) {
        time = (LARGE_PARTS * (uint64_t)size + share->rate - 1) / share->rate;
    }
    outlet->large_time = (time < LARGE_TIME_MAX ? time : LARGE_TIME_MAX) & 63u;
    outlet->list_turn = is_room && share->rate > 0;
}

static void snapshot_sent(struct outlet *outlet, struct counts *counts,
                          const struct outlet_item *item, uint32_t now)
{
    uint32_t sequence = (uint32_t)item->number;

    if (outlet->large_time > 0) {
        share_sent(&outlet->line.share, item->size / (LARGE_PARTS - 1));
    }
    counter_add(&counts->sent, 1);
    counter_add(&counts->skipped, sequence - outlet->settled - 1);
    counter_add(&counts->snapshot_bytes, item->size);
    counter_add(&counts->keys, item->type == OUTLET_KEYFRAME);
    if (item->type == OUTLET_KEYFRAME) {
        if (stream_has_deltas(outlet->stream)) {
            line_keyed(&outlet->line);
        }
        outlet->lost = false;
        outlet->keyed_at = now;
    }
    outlet->settled = sequence;
    outlet->following = true;
    outlet->presence_turn = true;
    outlet->parts_sent = 0;
    outlet->topic_turn = OUTLET_TOPICS;
    if (outlet->trusted_frames < TRUSTED_FRAMES_MAX) {
        outlet->trusted_frames++;
    }
    outlet->trusted_bytes = item->size < TRUSTED_BYTES_MAX - outlet->trusted_bytes
                                ? (uint16_t)(outlet->trusted_bytes + item->size)
                                : TRUSTED_BYTES_MAX;
}

static bool is_large(const struct outlet_item *item)
{
    return item->type == OUTLET_PRESENCE || (item->type == OUTLET_PART && item->part == VIEW_ROOM);
}

void outlet_sent(struct outlet *outlet, const struct outlet_turn *turn,
                 const struct outlet_item *item, size_t size)
{
    counter_add(&turn->counts->bytes, size);
    if (is_large(item) && outlet->large_time == 0) {
        large_sent(outlet, item->type == OUTLET_PART, size, outlet_ms(turn->now));
    } else if (size > 0) {
        line_sent(&outlet->line, size, outlet_ms(turn->now));
    }
    switch (item->type) {
    case OUTLET_PENDING:
        pop_pending(outlet);
        break;
    case OUTLET_PART:
        outlet->versions[item->part] = (uint32_t)item->number;
        outlet->parts_sent = (outlet->parts_sent | 1u << item->part) & ALL_PARTS;
        break;
    case OUTLET_EVENT:
        outlet->events = (uint32_t)item->number;
        break;
    case OUTLET_PRESENCE:
        outlet->presence = (uint32_t)item->number;
        outlet->presence_turn = false;
        break;
    case OUTLET_KEYFRAME:
    case OUTLET_DELTA:
        snapshot_sent(outlet, turn->counts, item, outlet_ms(turn->now));
        break;
    case OUTLET_TOPIC:
        outlet->topic_versions[item->part] = (uint16_t)item->number;
        outlet->topic_turn = outlet->topic_turn & ~(1u << item->part) & OUTLET_TOPICS;
        break;
    case OUTLET_PONG:
        outlet->pong_due = false;
        break;
    case OUTLET_PING:
        line_pinged(&outlet->line, outlet_ms(turn->now));
        break;
    case OUTLET_WANT_KEY:
        outlet->key_asked = (uint32_t)item->number;
        break;
    case OUTLET_NOTHING:
        break;
    }
}

bool outlet_pong(struct outlet *outlet, uint32_t number, uint64_t now, uint64_t late)
{
    line_pong(&outlet->line, number, outlet_ms(now), outlet_ms(late));
    return outlet->choked;
}

/* An owner sends replies to edges, and views to all subscribers. */
#include <assert.h>
#include <string.h>

#include "cluster/near_parts.h"

#define AGAIN_GAP UINT64_C(100000) /* µs between two WIRE_AGAIN to an edge */

static struct wire_head head_of(const struct near_end *near, const struct near_room *room,
                                enum wire_kind kind)
{
    return (struct wire_head){.kind = kind,
                              .incarnation = near->post->incarnation,
                              .epoch = room->epoch,
                              .view = room->views};
}

/* ---- to one edge ---- */

static void send_to(struct near_end *near, const struct near_party *party,
                    struct wire_writer *message, uint64_t now)
{
    char subject[BROKER_SUBJECT_MAX];

    post_edge_subject(subject, party->edge->name, party->edge->incarnation);
    (void)post_send(near->post, subject, message, &party->edge->number, now);
}

void near_send(struct near_end *near, struct near_party *party, uint64_t now)
{
    if (party->replies.size > 0) {
        send_to(near, party, &party->replies, now);
        party->replies.size = 0;
        list_remove(&near->noted, &party->noted);
    }
}

void near_send_all(struct near_end *near, uint64_t now)
{
    while (near->noted.first != NULL) {
        near_send(near, list_entry(near->noted.first, struct near_party, noted), now);
    }
}

/* A reply that does not fit is lost, and the edge notices a gap. */
void near_reply(struct near_end *near, struct near_party *party, const struct wire_reply *reply,
                uint64_t now)
{
    const struct wire_head head = head_of(near, party->room, WIRE_REPLIES);

    if (party->room->superseded) {
        return;
    }
    if (party->replies.size == 0) {
        if (!wire_begin_replies(&party->replies, &head, party->room->coded.code)) {
            party->replies.size = 0;
            party->edge->number++;
            return;
        }
        list_append(&near->noted, &party->noted);
    }
    if (!wire_add_reply(&party->replies, reply)) {
        party->edge->number++;
    }
    if (party->replies.size >= WIRE_BATCH || party->replies.count == WIRE_LIST_MAX) {
        near_send(near, party, now);
    }
}

void near_send_clock(struct near_end *near, struct near_party *party, uint64_t probe, uint64_t now)
{
    const struct near_room *room = party->room;
    const struct wire_head head = head_of(near, room, WIRE_CLOCK);

    near_send(near, party, now);
    if (wire_put_clock(&near->post->writer, &head, room->coded.code, probe, room->state_number)) {
        send_to(near, party, &near->post->writer, now);
    }
}

void near_send_again(struct near_end *near, struct near_party *party, uint64_t now)
{
    const struct wire_head head = head_of(near, party->room, WIRE_AGAIN);

    party->begun = false;
    if (now < party->again_at + AGAIN_GAP && party->again_at != 0) {
        return;
    }
    party->again_at = now;
    near_send(near, party, now);
    if (wire_put_bare(&near->post->writer, &head, party->room->coded.code)) {
        send_to(near, party, &near->post->writer, now);
    }
}

/* ---- the state ---- */

static struct wire_bytes bytes_of(struct frame *frame)
{
    return frame != NULL ? (struct wire_bytes){frame_data(frame), frame->size}
                         : (struct wire_bytes){0};
}

/* Stores the frames of a ring that are newer than `before`. Returns their number. */
static uint32_t describe_ring(struct wire_frame *to, struct frame *const *ring, uint32_t size,
                              uint32_t newest, uint32_t before)
{
    const uint32_t missed = newest - before;
    uint32_t count = 0;

    for (uint32_t i = missed < size ? missed : size; i > 0; i--) {
        const uint32_t number = newest - i + 1;
        struct frame *frame = ring[number % size];
        if (frame != NULL) {
            to[count++] =
                (struct wire_frame){.there = true, .number = number, .frame = bytes_of(frame)};
        }
    }
    return count;
}

static bool has_same_picks(const struct room_view *a, const struct room_view *b)
{
    bool same = a->pick_count == b->pick_count;

    for (uint32_t i = 0; same && i < a->pick_count; i++) {
        same = a->picks[i].boid == b->picks[i].boid && a->picks[i].version == b->picks[i].version &&
               (a->picks[i].frame != NULL) == (b->picks[i].frame != NULL);
    }
    return same;
}

/* before NULL: nothing was there. */
static bool has_same_topic(const struct room_view *view, const struct room_view *before,
                           uint32_t topic)
{
    const uint32_t version = before != NULL ? before->topic_versions[topic] : 0;
    const bool was_there = before != NULL && before->topics[topic] != NULL;

    return version == view->topic_versions[topic] && was_there == (view->topics[topic] != NULL);
}

/* Returns whether nothing but the streams has changed since `before`; NULL: all is new. */
static bool has_same_state(const struct room_view *view, const struct room_view *before)
{
    bool same = before != NULL && view->presence == before->presence &&
                view->events == before->events && has_same_picks(view, before) &&
                memcmp(view->versions, before->versions, sizeof view->versions) == 0;

    for (uint32_t topic = 0; same && topic < VIEW_TOPICS; topic++) {
        same = has_same_topic(view, before, topic);
    }
    return same;
}

static void describe_parts(struct wire_state *state, const struct room_view *view,
                           const struct room_view *before)
{
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        if (view->versions[part] != (before != NULL ? before->versions[part] : 0)) {
            state->parts[part] = (struct wire_frame){.there = true,
                                                     .number = view->versions[part],
                                                     .frame = bytes_of(view->frames[part])};
        }
    }
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        if (!has_same_topic(view, before, topic)) {
            state->topics[topic] = (struct wire_frame){.there = true,
                                                       .number = view->topic_versions[topic],
                                                       .frame = bytes_of(view->topics[topic])};
        }
    }
}

static void describe_picks(struct wire_state *state, const struct room_view *view,
                           const struct room_view *before)
{
    state->picked = before != NULL ? !has_same_picks(view, before) : view->pick_count > 0;
    for (uint32_t i = 0; state->picked && i < view->pick_count; i++) {
        const struct view_pick *pick = &view->picks[i];
        state->picks[state->pick_count++] = (struct wire_pick){
            .boid = pick->boid, .version = pick->version, .frame = bytes_of(pick->frame)};
    }
}

static void describe_news(struct wire_state *state, const struct room_view *view,
                          const struct room_view *before)
{
    const uint32_t presence = before != NULL ? before->presence : 0;
    const uint32_t events = before != NULL ? before->events : 0;

    if (view->presence != presence) {
        state->presence = (struct wire_frame){
            .there = true, .number = view->presence, .frame = bytes_of(view->presence_whole)};
        state->change_count = describe_ring(state->changes, view->presence_changes, VIEW_PRESENCES,
                                            view->presence, presence);
    }
    if (view->events != events) {
        state->event_count =
            describe_ring(state->events, view->event_frames, VIEW_EVENTS, view->events, events);
    }
}

/* Describes what has changed since `before`; NULL: all. */
static void describe(struct wire_state *state, const struct room_view *view,
                     const struct room_view *before)
{
    describe_parts(state, view, before);
    describe_picks(state, view, before);
    describe_news(state, view, before);
    state->time = view->time;
    state->scale_since = view->scale_since;
}

void near_send_state(struct near_end *near, struct near_party *party, uint64_t now)
{
    const struct near_room *room = party->room;
    const struct wire_head head = head_of(near, room, WIRE_STATE);
    struct wire_state state = {.whole = true, .continues = room->state_number};

    if (room->superseded) {
        return;
    }
    if (room->last != NULL) {
        describe(&state, room->last, NULL);
    }
    near_send(near, party, now);
    if (wire_put_state(&near->post->writer, &head, room->coded.code, &state)) {
        send_to(near, party, &near->post->writer, now);
        party->has_state = true;
    }
}

/* ---- views ---- */

/* Keeps what later views are compared with: without the streams, so that their runner frees their
 * frames itself, at less cost. Keeps all of the view if memory runs out. */
static void keep_last(struct near_room *room, struct room_view *view)
{
    struct room_view *copy = view_copy(view, 0);

    view_release(room->last);
    room->last = copy != NULL ? copy : view_hold(view);
}

static void publish_state(struct near_end *near, struct near_room *room, struct room_view *view,
                          uint64_t now)
{
    const struct wire_head head = head_of(near, room, WIRE_STATE);
    struct wire_state state = {0};
    char subject[BROKER_SUBJECT_MAX];

    describe(&state, view, room->last);
    post_subject(subject, POST_STATE, room->coded.code);
    if (wire_put_state(&near->post->writer, &head, room->coded.code, &state)) {
        (void)post_send(near->post, subject, &near->post->writer, &room->state_number, now);
    } else {
        room->state_number++;
    }
    keep_last(room, view);
}

static void publish_snapshot(struct near_end *near, const struct near_room *room,
                             const struct near_stream *stream, uint32_t sequence, bool key,
                             struct frame *frame, uint64_t now)
{
    const struct wire_head head = head_of(near, room, WIRE_SNAPSHOT);
    const struct wire_snapshot snapshot = {
        .stream = stream->id, .sequence = sequence, .key = key, .frame = bytes_of(frame)};

    if (wire_put_snapshot(&near->post->writer, &head, room->coded.code, &snapshot)) {
        (void)post_send(near->post, stream->subject, &near->post->writer, NULL, now);
    }
}

/* Publishes the frames of that sequence: the keyframe, the delta, or both. */
static void publish_sequence(struct near_end *near, const struct near_room *room,
                             const struct near_stream *sent, const struct view_stream *stream,
                             uint32_t sequence, uint64_t now)
{
    struct frame *delta = stream->deltas[sequence % VIEW_DELTAS];

    if (delta != NULL) {
        publish_snapshot(near, room, sent, sequence, false, delta, now);
    }
    if (stream->key != NULL && stream->key_sequence == sequence) {
        publish_snapshot(near, room, sent, sequence, true, stream->key, now);
    }
}

/* Returns the sequence after which something must be published. At first that is everything from
 * the keyframe on, and later at most what the view still has. */
static uint32_t published_before(const struct near_stream *sent, const struct view_stream *stream)
{
    const bool missed = !sent->begun || (int32_t)(stream->sequence - sent->sequence) < 0 ||
                        stream->sequence - sent->sequence > VIEW_DELTAS;

    if (!missed) {
        return sent->sequence;
    }
    return stream->key != NULL ? stream->key_sequence - 1 : stream->sequence - 1;
}

static void publish_stream(struct near_end *near, const struct near_room *room,
                           struct near_stream *sent, const struct view_stream *stream, uint64_t now)
{
    uint32_t sequence = published_before(sent, stream);

    while (sequence != stream->sequence) {
        sequence++;
        publish_sequence(near, room, sent, stream, sequence, now);
    }
    sent->begun = true;
    sent->sequence = stream->sequence;
    sent->key_sequence = stream->key_sequence;
}

void near_publish(struct near_end *near, struct room_view *view, uint64_t now)
{
    struct near_room *room = near_room_of(near, view->room);

    if (room == NULL || room->superseded || room->parties.first == NULL) {
        view_release(view);
        return;
    }
    room->views++;
    if (!has_same_state(view, room->last)) {
        publish_state(near, room, view, now);
    }
    for (uint32_t i = 0; i < room->stream_count; i++) {
        struct near_stream *sent = &room->streams[i];
        const struct view_stream *stream = view_stream(view, sent->id);
        if (stream != NULL) {
            publish_stream(near, room, sent, stream, now);
        }
    }
    view_release(view);
}

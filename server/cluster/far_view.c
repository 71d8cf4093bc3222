#include "cluster/far_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS_FIRST 4u

/* ---- frames ---- */

/* Replaces *frame by a frame of those bytes; NULL without bytes. Returns false, and changes
 * nothing, when memory runs out. */
static bool set_frame(struct frame **frame, const struct wire_bytes *bytes)
{
    struct frame *made = bytes->bytes != NULL ? frame_of(bytes->bytes, bytes->size) : NULL;

    if (bytes->bytes != NULL && made == NULL) {
        return false;
    }
    frame_release(*frame);
    *frame = made;
    return true;
}

static void drop_frames(struct frame **frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        frame_release(frames[i]);
        frames[i] = NULL;
    }
}

/* ---- the draft ---- */

static bool make_draft(struct far_view *view)
{
    if (view->draft == NULL) {
        view->draft = view_create(STREAMS_FIRST, PROTO_PICKS_MAX);
        if (view->draft == NULL) {
            return false;
        }
        view->draft->stream_count = 0;
        view->stream_capacity = STREAMS_FIRST;
    }
    return true;
}

/* Makes space for one more stream. */
static bool make_stream_space(struct far_view *view)
{
    struct room_view *draft = view->draft;
    struct room_view *larger;

    if (draft->stream_count < view->stream_capacity) {
        return true;
    }
    if (view->stream_capacity >= FAR_VIEW_STREAMS) {
        return false;
    }
    larger = view_create(2 * view->stream_capacity, PROTO_PICKS_MAX);
    if (larger == NULL) {
        return false;
    }
    view_assign(larger, draft, draft->stream_count);
    free(draft);
    view->draft = larger;
    view->stream_capacity *= 2;
    return true;
}

/* Returns the index at which the stream is, or would be. */
static uint32_t stream_index(const struct room_view *draft, uint32_t id)
{
    uint32_t index = 0;

    while (index < draft->stream_count && draft->streams[index].id < id) {
        index++;
    }
    return index;
}

static struct view_stream *find_stream(const struct far_view *view, uint32_t id)
{
    struct room_view *draft = view->draft;
    const uint32_t index = draft != NULL ? stream_index(draft, id) : 0;

    return draft != NULL && index < draft->stream_count && draft->streams[index].id == id
               ? &draft->streams[index]
               : NULL;
}

/* Returns the stream; makes it, before its first snapshot, if there is none. NULL when memory runs
 * out. */
static struct view_stream *make_stream(struct far_view *view, const struct wire_snapshot *first)
{
    struct view_stream *stream = find_stream(view, first->stream);
    uint32_t index;

    if (stream != NULL) {
        return stream;
    }
    if (!make_draft(view) || !make_stream_space(view)) {
        return NULL;
    }
    index = stream_index(view->draft, first->stream);
    stream = &view->draft->streams[index];
    memmove(stream + 1, stream, (view->draft->stream_count - index) * sizeof *stream);
    view->draft->stream_count++;
    *stream = (struct view_stream){
        .id = first->stream, .sequence = first->sequence - 1, .key_sequence = first->sequence - 1};
    return stream;
}

void far_view_end_stream(struct far_view *view, uint32_t id)
{
    struct view_stream *stream = find_stream(view, id);

    if (stream != NULL) {
        struct room_view *draft = view->draft;
        drop_frames(stream->deltas, VIEW_DELTAS);
        frame_release(stream->key);
        draft->stream_count--;
        memmove(stream, stream + 1,
                (size_t)(draft->streams + draft->stream_count - stream) * sizeof *stream);
        view->changed = true;
    }
}

void far_view_forget(struct far_view *view)
{
    view_release(view->draft);
    *view = (struct far_view){0};
}

/* ---- the state ---- */

static bool take_parts(struct room_view *draft, const struct wire_state *state)
{
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        if (state->parts[part].there) {
            if (!set_frame(&draft->frames[part], &state->parts[part].frame)) {
                return false;
            }
            draft->versions[part] = state->parts[part].number;
        }
    }
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        if (state->topics[topic].there) {
            if (!set_frame(&draft->topics[topic], &state->topics[topic].frame)) {
                return false;
            }
            draft->topic_versions[topic] = state->topics[topic].number;
        }
    }
    return true;
}

static void drop_picks(struct room_view *draft)
{
    for (uint32_t i = 0; i < draft->pick_count; i++) {
        frame_release(draft->picks[i].frame);
        draft->picks[i].frame = NULL;
    }
    draft->pick_count = 0;
}

static bool take_picks(struct room_view *draft, const struct wire_state *state)
{
    if (!state->picked) {
        return true;
    }
    drop_picks(draft);
    for (uint32_t i = 0; i < state->pick_count; i++) {
        const struct wire_pick *pick = &state->picks[i];
        draft->picks[i] = (struct view_pick){.boid = pick->boid, .version = pick->version};
        if (!set_frame(&draft->picks[i].frame, &pick->frame)) {
            return false;
        }
        draft->pick_count++;
    }
    return true;
}

/* Puts frames into a ring, each at its number % size, up to the newest one. Numbers that are
 * missing between the ring's newest and the first of these leave no frame. */
static bool take_ring(struct frame **ring, uint32_t size, uint32_t before,
                      const struct wire_frame *frames, uint32_t count, uint32_t newest)
{
    const uint32_t missed = newest - before;

    for (uint32_t i = 1; i <= (missed < size ? missed : size); i++) {
        drop_frames(&ring[(newest - i + 1) % size], 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (newest - frames[i].number < size &&
            !set_frame(&ring[frames[i].number % size], &frames[i].frame)) {
            return false;
        }
    }
    return true;
}

static bool take_presence(struct room_view *draft, const struct wire_state *state)
{
    const uint32_t newest = state->presence.number;

    if (!state->presence.there) {
        return true;
    }
    if (!set_frame(&draft->presence_whole, &state->presence.frame) ||
        !take_ring(draft->presence_changes, VIEW_PRESENCES, draft->presence, state->changes,
                   state->change_count, newest)) {
        return false;
    }
    draft->presence = newest;
    return true;
}

static bool take_events(struct room_view *draft, const struct wire_state *state)
{
    uint32_t newest;

    if (state->event_count == 0) {
        return true;
    }
    newest = state->events[state->event_count - 1].number;
    if (!take_ring(draft->event_frames, VIEW_EVENTS, draft->events, state->events,
                   state->event_count, newest)) {
        return false;
    }
    draft->events = newest;
    return true;
}

/* Removes all but the streams. */
static void drop_state(struct room_view *draft)
{
    drop_frames(draft->frames, VIEW_PARTS);
    drop_frames(draft->topics, VIEW_TOPICS);
    drop_picks(draft);
    drop_frames(&draft->presence_whole, 1);
    drop_frames(draft->presence_changes, VIEW_PRESENCES);
    drop_frames(draft->event_frames, VIEW_EVENTS);
    memset(draft->versions, 0, sizeof draft->versions);
    memset(draft->topic_versions, 0, sizeof draft->topic_versions);
    draft->presence = draft->events = 0;
}

/* Drops the frames of all streams: their clients would read them by a room of another scale. */
static void drop_snapshots(struct room_view *draft)
{
    for (uint32_t i = 0; i < draft->stream_count; i++) {
        drop_frames(draft->streams[i].deltas, VIEW_DELTAS);
        drop_frames(&draft->streams[i].key, 1);
    }
}

static enum far_view_result take_changes(struct far_view *view, const struct wire_state *state)
{
    struct room_view *draft = view->draft;

    view->changed = true;
    draft->time = state->time;
    if (state->scale_since == 0 && state->parts[VIEW_ROOM].there) {
        draft->scale_since = state->parts[VIEW_ROOM].number; /* each room may have another scale */
    } else if (state->scale_since != 0 && draft->scale_since != state->scale_since) {
        drop_snapshots(draft);
        draft->scale_since = state->scale_since;
    }
    if (take_parts(draft, state) && take_picks(draft, state) && take_presence(draft, state) &&
        take_events(draft, state)) {
        return FAR_VIEW_TAKEN;
    }
    view->whole = false;
    return FAR_VIEW_NO_MEMORY;
}

enum far_view_result far_view_take_state(struct far_view *view, const struct wire_head *head,
                                         const struct wire_state *state)
{
    if (!make_draft(view)) {
        return FAR_VIEW_NO_MEMORY;
    }
    if (state->whole) {
        drop_state(view->draft);
        view->whole = true;
        view->number = state->continues;
        return take_changes(view, state);
    }
    if (!view->whole || head->number <= view->number) {
        return FAR_VIEW_OLD;
    }
    if (head->number != view->number + 1) {
        view->whole = false;
        return FAR_VIEW_GAP;
    }
    view->number = head->number;
    return take_changes(view, state);
}

/* ---- snapshots ---- */

/* Moves the stream to that sequence. After a gap there is nothing to continue from. */
static void advance(struct view_stream *stream, uint32_t sequence)
{
    if (sequence != stream->sequence + 1) {
        drop_frames(stream->deltas, VIEW_DELTAS);
        drop_frames(&stream->key, 1);
    }
    stream->sequence = sequence;
    drop_frames(&stream->deltas[sequence % VIEW_DELTAS], 1);
    if (sequence - stream->key_sequence > VIEW_DELTAS) {
        drop_frames(&stream->key, 1);
    }
}

enum far_view_result far_view_take_snapshot(struct far_view *view,
                                            const struct wire_snapshot *snapshot)
{
    struct view_stream *stream = make_stream(view, snapshot);
    struct frame *frame = frame_of(snapshot->frame.bytes, snapshot->frame.size);
    struct frame **to;
    int32_t ahead;

    if (stream == NULL || frame == NULL) {
        frame_release(frame);
        return FAR_VIEW_NO_MEMORY;
    }
    ahead = (int32_t)(snapshot->sequence - stream->sequence);
    if (ahead < 0) {
        frame_release(frame);
        return FAR_VIEW_OLD;
    }
    if (ahead > 0) {
        advance(stream, snapshot->sequence);
    }
    to = snapshot->key ? &stream->key : &stream->deltas[snapshot->sequence % VIEW_DELTAS];
    stream->key_sequence = snapshot->key ? snapshot->sequence : stream->key_sequence;
    frame_release(*to);
    *to = frame;
    view->changed = true;
    return FAR_VIEW_TAKEN;
}

bool far_view_has_key(const struct far_view *view, uint32_t stream)
{
    const struct view_stream *found = find_stream(view, stream);

    return found != NULL && found->key != NULL;
}

/* ---- the result ---- */

/* Each room has a version of this part from its beginning. */
bool far_view_is_complete(const struct far_view *view)
{
    return view->whole && view->draft->versions[VIEW_ROOM] != 0;
}

struct room_view *far_view_make(struct far_view *view, uint64_t room, int64_t ahead)
{
    const struct room_view *draft = view->draft;
    struct room_view *made = draft != NULL ? view_copy(draft, draft->stream_count) : NULL;

    if (made == NULL) {
        return NULL;
    }
    made->room = room;
    made->ahead = ahead;
    view->changed = false;
    return made;
}

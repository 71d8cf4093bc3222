#include "room/view.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct room_view *view_create(uint32_t stream_count, uint32_t picks)
{
    struct room_view *view = calloc(1, sizeof *view + stream_count * sizeof view->streams[0] +
                                           picks * sizeof view->picks[0]);

    if (view != NULL) {
        atomic_init(&view->holders, 1);
        view->stream_count = stream_count;
        view->picks = (void *)&view->streams[stream_count];
    }
    return view;
}

struct room_view *view_hold(struct room_view *view)
{
    atomic_fetch_add_explicit(&view->holders, 1, memory_order_relaxed);
    return view;
}

static void release_all(struct frame *const *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        frame_release(frames[i]);
    }
}

void view_release(struct room_view *view)
{
    if (view == NULL || atomic_fetch_sub_explicit(&view->holders, 1, memory_order_acq_rel) != 1) {
        return;
    }
    release_all(view->frames, VIEW_PARTS);
    release_all(view->topics, VIEW_TOPICS);
    for (uint32_t i = 0; i < view->pick_count; i++) {
        frame_release(view->picks[i].frame);
    }
    frame_release(view->presence_whole);
    release_all(view->presence_changes, VIEW_PRESENCES);
    release_all(view->event_frames, VIEW_EVENTS);
    for (uint32_t i = 0; i < view->stream_count; i++) {
        release_all(view->streams[i].deltas, VIEW_DELTAS);
        frame_release(view->streams[i].key);
    }
    free(view);
}

static void hold_all(struct frame *const *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)frame_hold(frames[i]);
    }
}

static void hold_frames(const struct room_view *view)
{
    hold_all(view->frames, VIEW_PARTS);
    hold_all(view->topics, VIEW_TOPICS);
    for (uint32_t i = 0; i < view->pick_count; i++) {
        (void)frame_hold(view->picks[i].frame);
    }
    (void)frame_hold(view->presence_whole);
    hold_all(view->presence_changes, VIEW_PRESENCES);
    hold_all(view->event_frames, VIEW_EVENTS);
    for (uint32_t i = 0; i < view->stream_count; i++) {
        hold_all(view->streams[i].deltas, VIEW_DELTAS);
        (void)frame_hold(view->streams[i].key);
    }
}

void view_assign(struct room_view *to, const struct room_view *view, uint32_t stream_count)
{
    /* Other threads may change `holders`, the first member, during the copy. */
    const size_t own = offsetof(struct room_view, room);
    struct view_pick *picks = to->picks;

    assert(stream_count <= view->stream_count);
    memcpy((char *)to + own, (const char *)view + own,
           sizeof *view - own + stream_count * sizeof view->streams[0]);
    to->stream_count = stream_count;
    to->picks = picks;
    if (view->pick_count > 0) {
        memcpy(picks, view->picks, view->pick_count * sizeof *picks);
    }
}

struct room_view *view_copy(const struct room_view *view, uint32_t stream_count)
{
    struct room_view *copy = view_create(stream_count, view->pick_count);

    if (copy != NULL) {
        view_assign(copy, view, stream_count);
        hold_frames(copy);
    }
    return copy;
}

/* Makes *own a frame of the caller's own: the one that it has of it, or a copy. False when memory
 * runs out. */
static bool own_frame(struct frame **own, const struct frame *frame, struct frame *before)
{
    if (frame != NULL) {
        *own = before != NULL ? frame_hold(before) : frame_copy(frame);
    }
    return frame == NULL || *own != NULL;
}

/* Of the frames that a ring of `size` holds, the number of the one at index i, when the newest one
 * has that number. The size is a power of two. */
static uint32_t number_at(uint32_t newest, uint32_t i, uint32_t size)
{
    return newest - ((newest - i) & (size - 1));
}

/* A ring of frames, each at its number % size. */
struct ring {
    struct frame *const *frames;
    uint32_t newest;
};

static bool own_ring(struct frame **own, const struct ring *ring, const struct ring *before,
                     uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        bool same = before->frames != NULL &&
                    number_at(ring->newest, i, size) == number_at(before->newest, i, size);
        if (!own_frame(&own[i], ring->frames[i], same ? before->frames[i] : NULL)) {
            return false;
        }
    }
    return true;
}

static bool own_stream(struct view_stream *own, const struct view_stream *stream,
                       const struct view_stream *before)
{
    const struct ring ring = {stream->deltas, stream->sequence};
    const struct ring ring_before = {before != NULL ? before->deltas : NULL,
                                     before != NULL ? before->sequence : 0};
    bool same_key = before != NULL && before->key_sequence == stream->key_sequence;

    own->id = stream->id;
    own->sequence = stream->sequence;
    own->key_sequence = stream->key_sequence;
    return own_ring(own->deltas, &ring, &ring_before, VIEW_DELTAS) &&
           own_frame(&own->key, stream->key, same_key ? before->key : NULL);
}

static bool own_topics(struct room_view *own, const struct room_view *view,
                       const struct room_view *before)
{
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        bool same = before != NULL && before->topic_versions[topic] == view->topic_versions[topic];
        own->topic_versions[topic] = view->topic_versions[topic];
        if (!own_frame(&own->topics[topic], view->topics[topic],
                       same ? before->topics[topic] : NULL)) {
            return false;
        }
    }
    return true;
}

static bool own_picks(struct room_view *own, const struct room_view *view,
                      const struct room_view *before)
{
    for (uint32_t i = 0; i < view->pick_count; i++) {
        const struct view_pick *pick = &view->picks[i];
        const struct view_pick *same = before != NULL ? view_pick(before, pick->boid) : NULL;
        const bool is_same = same != NULL && same->version == pick->version;
        struct view_pick *to = &own->picks[own->pick_count++];
        *to = (struct view_pick){.boid = pick->boid, .version = pick->version};
        if (!own_frame(&to->frame, pick->frame, is_same ? same->frame : NULL)) {
            return false;
        }
    }
    return true;
}

static bool own_news(struct room_view *own, const struct room_view *view,
                     const struct room_view *before)
{
    const struct ring presences = {view->presence_changes, view->presence};
    const struct ring events = {view->event_frames, view->events};
    struct ring presences_before = {0};
    struct ring events_before = {0};
    struct frame *whole = NULL;

    if (before != NULL) {
        presences_before = (struct ring){before->presence_changes, before->presence};
        events_before = (struct ring){before->event_frames, before->events};
        whole = before->presence == view->presence ? before->presence_whole : NULL;
    }
    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        bool same = before != NULL && before->versions[part] == view->versions[part];
        own->versions[part] = view->versions[part];
        if (!own_frame(&own->frames[part], view->frames[part],
                       same ? before->frames[part] : NULL)) {
            return false;
        }
    }
    own->presence = view->presence;
    own->events = view->events;
    return own_frame(&own->presence_whole, view->presence_whole, whole) &&
           own_ring(own->presence_changes, &presences, &presences_before, VIEW_PRESENCES) &&
           own_ring(own->event_frames, &events, &events_before, VIEW_EVENTS);
}

struct room_view *view_own(const struct room_view *view, const struct room_view *before)
{
    struct room_view *own = view_create(view->stream_count, view->pick_count);
    bool complete;

    if (own == NULL) {
        return NULL;
    }
    before = before != NULL && before->room == view->room ? before : NULL;
    own->room = view->room;
    own->time = view->time;
    own->ahead = view->ahead;
    own->scale_since = view->scale_since;
    complete = own_news(own, view, before) && own_topics(own, view, before) &&
               own_picks(own, view, before);
    for (uint32_t i = 0; i < view->stream_count && complete; i++) {
        const struct view_stream *stream = &view->streams[i];
        complete = own_stream(&own->streams[i], stream,
                              before != NULL ? view_stream(before, stream->id) : NULL);
    }
    if (!complete) {
        view_release(own);
        return NULL;
    }
    return own;
}

const struct view_pick *view_pick(const struct room_view *view, uint32_t boid)
{
    for (uint32_t i = 0; i < view->pick_count; i++) {
        if (view->picks[i].boid == boid) {
            return &view->picks[i];
        }
    }
    return NULL;
}

const struct view_stream *view_stream(const struct room_view *view, uint32_t id)
{
    uint32_t low = 0;
    uint32_t end = view->stream_count;

    while (low < end) {
        uint32_t middle = low + (end - low) / 2;
        if (view->streams[middle].id == id) {
            return &view->streams[middle];
        }
        if (view->streams[middle].id < id) {
            low = middle + 1;
        } else {
            end = middle;
        }
    }
    return NULL;
}

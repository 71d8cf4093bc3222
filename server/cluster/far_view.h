/* A room's view put together from the messages of its node: see struct room_view. Clients get from
 * it what they would get on the room's own node. A missing snapshot ends the stream's deltas until
 * the next keyframe, which members ask for. Pure; one thread at a time. */
#ifndef FAR_VIEW_H
#define FAR_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/wire.h"
#include "room/view.h"

#define FAR_VIEW_STREAMS 1024u

struct far_view {
    struct room_view *draft;  /* the view so far; NULL before the first message */
    uint32_t stream_capacity; /* of the draft */
    bool whole;               /* the whole state has come, and all changes since */
    uint64_t number;          /* of the last message with changes */
    bool changed;             /* since far_view_make() */
};

/* The result of a message. */
enum far_view_result {
    FAR_VIEW_TAKEN,
    FAR_VIEW_OLD, /* nothing: it came again, or too late, or before the whole state */
    FAR_VIEW_GAP, /* the whole state must be asked for: a message before it was lost */
    FAR_VIEW_NO_MEMORY,
};

/* A view of zeros is empty. Forgetting empties it. */
void far_view_forget(struct far_view *view);

enum far_view_result far_view_take_state(struct far_view *view, const struct wire_head *head,
                                         const struct wire_state *state);
enum far_view_result far_view_take_snapshot(struct far_view *view,
                                            const struct wire_snapshot *snapshot);

/* Removes a stream without members here. */
void far_view_end_stream(struct far_view *view, uint32_t id);

/* Returns whether the view has a keyframe of the stream. */
bool far_view_has_key(const struct far_view *view, uint32_t stream);

/* Returns whether clients may get the view: the state of an owner that has published no view yet is
 * empty. */
bool far_view_is_complete(const struct far_view *view);

/* Returns a view of what has come so far, with that number as its room's. NULL when memory runs
 * out. room, ahead: see struct room_view. */
struct room_view *far_view_make(struct far_view *view, uint64_t room, int64_t ahead);

#endif

/* For tests of what a room's views have. The room of control_room.h, and its newest view. */
#ifndef TEST_VIEW_ROOM_H
#define TEST_VIEW_ROOM_H

#include "control_room.h"

static struct room_view *view; /* the newest */

static inline void look(void)
{
    view_release(view);
    view = room_snapshot(room, workspace, clock_now);
    assert_non_null(view);
}

/* Ticks, and a view after each. */
static inline void go(uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        tick(1);
        look();
    }
}

static inline int leave_room(void **state)
{
    view_release(view);
    view = NULL;
    return finish(state);
}

#endif

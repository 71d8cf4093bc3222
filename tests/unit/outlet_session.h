/* For tests of an outlet: a welcomed session, its next message, and the room's next snapshot. */
#ifndef OUTLET_SESSION_H
#define OUTLET_SESSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "outlet_room.h"

#define MS UINT64_C(1000) /* µs */

/* A session's outlet, its room's view, and a socket that may be full. */
struct scene {
    struct outlet outlet;
    struct counts counts;
    struct room_view *view;
    struct outlet_turn turn;
    size_t unsent, asked;
};

static struct scene scene;

static inline size_t unsent(void *line)
{
    struct scene *of = line;

    of->asked++;
    return of->unsent;
}

static inline uint32_t queued(void *line)
{
    return (uint32_t)((struct scene *)line)->unsent;
}

static inline void grant_from(uint32_t stream, uint32_t sequence, bool joined)
{
    struct room_grant grant = {.stream = stream, .sequence = sequence, .joined = joined};

    if (joined) {
        grant.versions[VIEW_ROOM] = scene.view->versions[VIEW_ROOM];
        grant.versions[VIEW_PARAMS] = scene.view->versions[VIEW_PARAMS];
        grant.events = scene.view->events;
    }
    outlet_grant(&scene.outlet, &grant, scene.view, &scene.counts, scene.turn.now);
}

/* Makes a welcomed session with a known short round trip. */
static inline int join(void **state)
{
    struct outlet_item item;

    (void)state;
    scene = (struct scene){.view = make_view()};
    scene.turn = (struct outlet_turn){.view = scene.view,
                                      .counts = &scene.counts,
                                      .now = 1000 * MS,
                                      .unsent = unsent,
                                      .queued = queued,
                                      .line = &scene};
    outlet_init(&scene.outlet, 0, scene.turn.now);
    item = outlet_next(&scene.outlet, &scene.turn);
    assert_int_equal(item.type, OUTLET_PING);
    outlet_sent(&scene.outlet, &scene.turn, &item, 0);
    assert_int_equal(outlet_next(&scene.outlet, &scene.turn).type, OUTLET_NOTHING);
    outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
    grant_from(OUTLET_STREAM, 0, true);
    return 0;
}

static inline int leave(void **state)
{
    (void)state;
    outlet_end(&scene.outlet, &scene.counts);
    outlet_finish(&scene.outlet);
    view_release(scene.view);
    assert_int_equal(scene.counts.offered, scene.counts.sent + scene.counts.skipped);
    return 0;
}

/* Sends the next message and returns it. Answers pings at once, and does not return them. */
static inline struct outlet_item send_next(void)
{
    struct outlet_item item = outlet_next(&scene.outlet, &scene.turn);

    while (item.type == OUTLET_PING) {
        outlet_sent(&scene.outlet, &scene.turn, &item, 0);
        outlet_pong(&scene.outlet, (uint32_t)item.number, scene.turn.now, 0);
        item = outlet_next(&scene.outlet, &scene.turn);
    }
    if (item.type != OUTLET_NOTHING) {
        outlet_sent(&scene.outlet, &scene.turn, &item, item.size);
    }
    return item;
}

static inline void assert_next(enum outlet_type type, uint64_t number)
{
    struct outlet_item item = send_next();

    assert_int_equal(item.type, type);
    assert_int_equal(item.number, number);
}

static inline void assert_nothing(void)
{
    assert_int_equal(send_next().type, OUTLET_NOTHING);
}

/* Makes the room's next snapshot and passes it to the outlet. */
static inline void snapshot(size_t delta, size_t key)
{
    scene.turn.now += 33 * MS;
    add_snapshot(scene.view, delta, key);
    outlet_view(&scene.outlet, &scene.turn);
}

#define OUTLET_TEST(test) cmocka_unit_test_setup_teardown(test, join, leave)

#endif

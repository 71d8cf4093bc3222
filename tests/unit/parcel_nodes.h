/* Nodes whose rooms have pasts and films. */
#ifndef PARCEL_NODES_H
#define PARCEL_NODES_H

#include "keeper_nodes.h"

#include "cluster/keeper_parts.h"
#include "film_room.h"
#include "past/film.h"
#include "past/saved_past.h"

#define PAST_TICKS 60u
#define BIG        40000u /* boids of a film of several parts */

/* ---- what a room has ---- */

struct had {
    sem_t done;
    struct store_room kept;
    struct film *film;
    struct recording *past;
};

static inline void on_had(void *argument, const struct store_room *kept, struct film *film,
                          struct recording *past)
{
    struct had *had = argument;

    had->kept = *kept;
    had->film = film;
    had->past = past;
    sem_post(&had->done);
}

/* Takes the room out of the node's hub. */
static inline struct had release_at(const struct node *node, const char *code)
{
    struct had had = {0};

    sem_init(&had.done, 0, 0);
    assert_true(hub_release_room(node->hub, code, on_had, &had));
    sem_wait(&had.done);
    assert_non_null(had.kept.state);
    return had;
}

static inline void finish_had(struct had *had)
{
    free(had->kept.state);
    film_release(had->film);
    recording_destroy(had->past);
}

/* Returns the film that the room plays, to be released; NULL: none. */
static inline struct film *film_at(const struct node *node, const char *code)
{
    struct had had = {0};

    sem_init(&had.done, 0, 0);
    assert_true(hub_hold_film(node->hub, code, on_had, &had));
    sem_wait(&had.done);
    assert_null(had.kept.state);
    assert_null(had.past);
    return had.film;
}

static inline struct directory_entry room_with_past_of(struct node *node, uint32_t boids,
                                                       bool trusted)
{
    const struct directory_entry made = make_room_of(node, boids, trusted);
    const struct player ada = join_at(0, made.code, "Ada");
    const struct room_stats *stats =
        directory_stats(hub_directory(node->hub), room_slot(made.number));

    await(counter_read(&stats->ticks) > PAST_TICKS);
    link_leave(ada.link, END_NONE);
    await(boids_at(node, made.code) == boids && counter_read(&stats->people) == 0);
    return made;
}

static inline struct directory_entry room_with_past(struct node *node)
{
    return room_with_past_of(node, 50, false);
}

static inline bool knows_both(const struct node *node)
{
    struct routes_node nodes[2];

    return routes_nodes(keeper_routes(node->keeper), keeper_now(), nodes, 2) == 2;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_nodes_with_pasts, finish_nodes)

#endif

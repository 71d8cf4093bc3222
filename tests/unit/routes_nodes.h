/* Routes and nodes of a cluster, for tests. */
#ifndef ROUTES_NODES_H
#define ROUTES_NODES_H

#include "cluster/routes.h"

#define S UINT64_C(1000000)

static struct routes *routes;
static struct lease lease;
static uint64_t now;
static struct routes_step steps[ROUTES_AT_ONCE];
static uint32_t most; /* rooms of each node */

static inline uint64_t one(void *argument)
{
    (void)argument;
    return 1;
}

/* A node that is heard of now. */
static inline struct node_beat beat_of(const char *name, uint64_t incarnation, uint32_t load)
{
    struct node_beat beat = {.incarnation = incarnation,
                             .revision = 100 + incarnation,
                             .role = NODE_SIM,
                             .load = load,
                             .rooms_max = most};

    snprintf(beat.name, sizeof beat.name, "%s", name);
    snprintf(beat.http, sizeof beat.http, "%s:80", name);
    return beat;
}

static inline void hear(const char *name, uint64_t incarnation, uint32_t load)
{
    const struct node_beat beat = beat_of(name, incarnation, load);

    (void)routes_take_beat(routes, &beat, now);
    lease_take_beat(&lease, &beat);
}

static inline int make(void **state)
{
    struct lease_step step;

    (void)state;
    now = 100 * S;
    most = 100;
    routes = routes_create("me");
    lease_init(&lease, "me", NODE_SIM, 1, one, NULL);
    lease_next(&lease, now, &step);
    lease_answered(&lease, &step, BROKER_NONE, 0, NULL, now);
    lease_next(&lease, now, &step);
    lease_answered(&lease, &step, BROKER_OK, 1, NULL, now);
    routes_begin(routes, 1);
    hear("me", 1, 0);
    return routes == NULL;
}

static inline int finish(void **state)
{
    (void)state;
    routes_destroy(routes);
    lease_finish(&lease);
    return 0;
}

static inline bool own(const char *code, const char *owner, uint64_t incarnation, uint64_t epoch)
{
    struct route_value value = {.incarnation = incarnation};
    struct route route;

    snprintf(value.owner, sizeof value.owner, "%s", owner);
    return routes_take_key(routes, code, &value, epoch, &route);
}

static inline bool end(const char *code, uint64_t until, uint64_t epoch)
{
    const struct route_value value = {.ended = true, .until = until};
    struct route route;

    return routes_take_key(routes, code, &value, epoch, &route);
}

static inline uint32_t plan(uint64_t seconds)
{
    return routes_plan(routes, &lease, now, seconds, steps);
}

static inline void declare_dead(const char *node, uint64_t incarnation)
{
    const struct node_lease dead = {.dead = true, .incarnation = incarnation, .role = NODE_SIM};

    lease_take_key(&lease, node, &dead, 1000 + incarnation);
}

#endif

/* Beats and facts: messages of a node about itself and its rooms. */
#include <stdio.h>
#include <string.h>

#include "cluster/keeper_parts.h"
#include "hub/hub.h"

#define FACTS_PERIOD UINT64_C(1000000) /* µs */
#define FACTS_TURNS  10u
#define AT_ONCE      64u /* rooms read from the directory at once */

/* ---- beats ---- */

/* Computes the part of their time, in thousandths, that the runners were busy since the last beat.
 */
static uint32_t compute_load(struct keeper *keeper, uint64_t now)
{
    const uint32_t runners = hub_runners(keeper->hub);
    const uint64_t passed = now - keeper->busy_at;
    const uint64_t before = keeper->busy;
    uint64_t load;

    keeper->busy = 0;
    for (uint32_t i = 0; i < runners; i++) {
        keeper->busy += counter_read(&hub_runner_stats(keeper->hub, i)->busy);
    }
    keeper->busy_at = now;
    load = passed > 0 && runners > 0 ? (keeper->busy - before) / (passed * runners) : 0;
    return (keeper->load * 3 + (uint32_t)(load < 1000 ? load : 1000)) / 4;
}

/* Fills in what the beat tells of the hub. */
static void describe_hub(struct keeper *keeper, struct node_beat *beat, uint64_t now)
{
    uv_mutex_lock(&keeper->hub_lock);
    if (keeper->hub != NULL && !keeper->resting) {
        keeper->load = compute_load(keeper, now);
        beat->load = keeper->load;
        beat->rooms = directory_count(hub_directory(keeper->hub));
        beat->boids_left = hub_boids_left(keeper->hub);
    }
    uv_mutex_unlock(&keeper->hub_lock);
}

void keeper_beat(struct keeper *keeper, uint64_t now)
{
    const struct keeper_definition *definition = &keeper->definition;
    struct node_beat beat = {.role = definition->role,
                             .version = definition->version,
                             .draining = atomic_load(&keeper->draining),
                             .rooms_max = definition->rooms_max};
    char subject[BROKER_SUBJECT_MAX];
    uint8_t bytes[VALUES_MAX];

    if (now < keeper->beat_at) {
        return;
    }
    keeper->beat_at = now + LEASE_PERIOD;
    snprintf(beat.name, sizeof beat.name, "%s", definition->node);
    memcpy(beat.http, keeper->http, sizeof beat.http);
    memcpy(beat.http_key, keeper->http_key, sizeof beat.http_key);
    describe_hub(keeper, &beat, now);
    uv_mutex_lock(&keeper->lock);
    beat.incarnation = keeper->lease.value.incarnation;
    beat.revision = lease_stands(&keeper->lease, now) ? keeper->lease.revision : 0;
    uv_mutex_unlock(&keeper->lock);
    (void)routes_take_beat(keeper->routes, &beat, now);
    snprintf(subject, sizeof subject, "beat.%s", definition->node);
    (void)broker_publish(definition->broker, BROKER_CONTROL, subject, NULL, bytes,
                         values_write_beat(&beat, bytes));
}

/* ---- facts ---- */

/* Facts that are being put together. */
struct telling {
    struct keeper *keeper;
    uint64_t incarnation;
    bool all; /* also facts that have not changed */
    struct facts_writer writer;
    uint32_t count;
};

static void send_facts(struct telling *telling)
{
    const struct keeper_definition *definition = &telling->keeper->definition;
    char subject[BROKER_SUBJECT_MAX];

    snprintf(subject, sizeof subject, "facts.%s", definition->node);
    if (telling->count > 0) {
        (void)broker_publish(definition->broker, BROKER_CONTROL, subject, NULL,
                             telling->writer.bytes, telling->writer.size);
    }
    values_begin_facts(&telling->writer, telling->incarnation);
    telling->count = 0;
}

/* Adds the facts of a room, if others do not know them. */
static void tell_room(struct telling *telling, struct directory_entry *entry)
{
    struct routes *routes = telling->keeper->routes;
    struct directory_entry known;
    struct route route;

    entry->number = 0;
    entry->runner = 0;
    if (!routes_entry(routes, entry->code, &known)) {
        return;
    }
    if (!telling->all && values_same_facts(&known, entry)) {
        return;
    }
    routes_take_facts(routes, telling->keeper->definition.node, telling->incarnation, entry);
    if (!routes_find(routes, entry->code, &route) || !route.mine) {
        route.epoch = 0;
    }
    if (!values_add_facts(&telling->writer, entry, route.epoch)) {
        send_facts(telling);
        (void)values_add_facts(&telling->writer, entry, route.epoch);
    }
    telling->count++;
}

static void tell_rooms(struct telling *telling)
{
    struct directory *directory = hub_directory(telling->keeper->hub);
    struct directory_entry entries[AT_ONCE];
    uint32_t next = 0;
    uint32_t count;

    while ((count = directory_read(directory, false, &next, entries, AT_ONCE)) > 0) {
        for (uint32_t i = 0; i < count; i++) {
            tell_room(telling, &entries[i]);
        }
    }
    send_facts(telling);
}

void keeper_ask_for_facts(struct keeper *keeper)
{
    if (atomic_exchange(&keeper->asks, false)) {
        (void)broker_publish(keeper->definition.broker, BROKER_CONTROL, "greet", NULL,
                             (const uint8_t *)"", 0);
    }
}

void keeper_tell_facts(struct keeper *keeper, uint64_t now)
{
    struct telling telling;

    if (now < keeper->facts_at || (keeper->definition.role & NODE_SIM) == 0) {
        return;
    }
    keeper->facts_at = now + FACTS_PERIOD;
    keeper->facts_turn = (keeper->facts_turn + 1) % FACTS_TURNS;
    telling =
        (struct telling){.keeper = keeper,
                         .incarnation = keeper->lease.value.incarnation,
                         .all = atomic_exchange(&keeper->greets, false) || keeper->facts_turn == 0};
    values_begin_facts(&telling.writer, telling.incarnation);
    uv_mutex_lock(&keeper->hub_lock);
    if (!keeper->resting) {
        tell_rooms(&telling);
    }
    uv_mutex_unlock(&keeper->hub_lock);
}

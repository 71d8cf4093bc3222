#include "hub/runner_room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "hub/clock.h"
#include "hub/indexer.h"
#include "hub/record.h"
#include "past/film.h"
#include "room/room_state.h"
#include "scene/saved.h"

#define PHASES      16u   /* parts of a tick's time over which rooms are spread */
#define SCRATCH_MIN 4096u /* boids for which memory always stays allocated */
#define ROOM_WEIGHT 256u  /* load of a room without boids, in boids */

uint64_t runner_now(const struct runner *runner)
{
    return (uv_hrtime() - runner->definition.epoch) / 1000;
}

uint64_t runner_room_now(const struct runner_room *room)
{
    uint64_t now = runner_now(room->runner);
    uint64_t next = room->deadline / 1000;

    return room->due_index == DUE_NONE || now < next ? now : next;
}

void runner_touch(struct runner *runner, uint32_t shard)
{
    runner->touched[shard] = true;
}

/* ---- rooms without members ---- */

static void idle_add(struct runner *runner, struct runner_room *room)
{
    room->idle_since = runner_now(runner);
    if (!room->lasts) {
        list_append(&runner->idle, &room->idle);
    }
}

static void idle_remove(struct runner *runner, struct runner_room *room)
{
    if (list_has(&runner->idle, &room->idle)) {
        list_remove(&runner->idle, &room->idle);
    }
}

/* ---- rooms that seek ---- */

void runner_room_seeks(struct runner_room *room)
{
    struct list *seekers = &room->runner->seekers;

    if (!list_has(seekers, &room->seeks) && room->due_index != DUE_NONE &&
        room_shows_past(room->room)) {
        list_append(seekers, &room->seeks);
    }
}

void runner_room_seeks_no_more(struct runner_room *room)
{
    if (list_has(&room->runner->seekers, &room->seeks)) {
        list_remove(&room->runner->seekers, &room->seeks);
    }
}

/* ---- the store ---- */

/* Returns what the store keeps of the room. The caller adds the state. */
static struct store_room describe_kept(const struct runner_room *room)
{
    struct store_room kept = {.listed = room->listed,
                              .saved_at = (uint64_t)time(NULL),
                              .fingerprint = room->fingerprint,
                              .plays = room_plays(room->room)};

    memcpy(kept.code, room->code, sizeof kept.code);
    return kept;
}

void runner_room_keep(struct runner_room *room)
{
    const struct runner *runner = room->runner;
    struct store_room kept = describe_kept(room);

    room->kept_at = runner_now(runner);
    if (runner->definition.store == NULL) {
        return;
    }
    kept.state = room_save(room->room, runner_room_now(room), &kept.size);
    if (kept.state != NULL) { /* on failure the last stored state stays until the next try */
        store_put(runner->definition.store, &kept);
    }
}

void runner_room_keep_if_due(struct runner_room *room)
{
    const struct runner *runner = room->runner;

    if (runner->definition.store != NULL &&
        runner_now(runner) >= room->kept_at + runner->definition.checkpoint_interval) {
        runner_room_keep(room);
    }
}

/* ---- starting and stopping ticks ---- */

/* Spreads rooms over a tick's time, so that they do not all need the processor, and their members
 * the network, at once. */
void runner_room_start(struct runner_room *room)
{
    struct runner *runner = room->runner;
    uint64_t now = uv_hrtime() - runner->definition.epoch;
    uint64_t period = CLOCK_NS_PER_S / room->tick_rate;
    uint64_t phase = room_slot(room->number) % PHASES * period / PHASES;

    idle_remove(runner, room);
    room->base = now - now % period + phase;
    room->base += room->base < now ? period : 0;
    room->deadline = room->base;
    room->tick = 0;
    room->dropped = 0;
    room->spent = 0;
    room->reported_at = now / 1000;
    due_add(&runner->due, room);
    counter_add(&runner->stats.running, 1);
}

/* Fits the scratch memory to the largest room that ticks, after a large room has stopped. */
static void shrink_workspace(struct runner *runner)
{
    uint32_t most = due_boids(&runner->due);

    room_workspace_shrink(runner->workspace, most > SCRATCH_MIN ? most : SCRATCH_MIN);
}

static void stop_ticks(struct runner_room *room)
{
    struct runner *runner = room->runner;

    due_remove(&runner->due, room);
    idle_add(runner, room);
    runner_room_keep(room);
    if (room->boids > SCRATCH_MIN) {
        shrink_workspace(runner);
    }
    counter_set(&runner->stats.running, counter_read(&runner->stats.running) - 1);
    for (uint32_t shard = 0; shard < runner->definition.shards; shard++) {
        outbox_withdraw(&runner->definition.outboxes[shard], room_slot(room->number));
    }
}

void runner_room_report(struct runner_room *room)
{
    struct runner *runner = room->runner;
    struct room_facts facts = room_facts(room->room);

    if (facts.boids != room->boids) {
        atomic_fetch_add(&runner->weight, (uint64_t)facts.boids - room->boids);
    }
    if (facts.boids != room->boids || facts.people != room->people ||
        facts.changes != room->changes) {
        directory_update(runner->definition.directory, room->number, &facts);
        counter_set(&room->stats->people, facts.people);
        counter_set(&room->stats->boids, facts.boids);
    }
    counter_add(&room->stats->encoded, facts.encoded - room->encoded);
    counter_add(&room->stats->keys, facts.keys - room->keys);
    counter_add(&runner->stats.encoded, facts.encoded - room->encoded);
    counter_add(&runner->stats.keys, facts.keys - room->keys);
    room->boids = facts.boids;
    room->people = facts.people;
    room->changes = facts.changes;
    room->encoded = facts.encoded;
    room->keys = facts.keys;
}

void runner_room_rest(struct runner_room *room)
{
    if (room->due_index != DUE_NONE && room_facts(room->room).people == 0) {
        stop_ticks(room);
    }
    runner_room_report(room);
}

/* ---- life ---- */

bool runner_room_take(struct runner *runner, struct runner_room *room)
{
    struct event event = {.type = EVENT_ROOM, .room = room};

    if (!mailbox_push(&runner->mailbox, &event, true)) {
        return false;
    }
    atomic_fetch_add(&runner->weight, ROOM_WEIGHT);
    return true;
}

void runner_room_drop(struct runner_room *room)
{
    if (room != NULL) {
        room_destroy(room->room);
        free(room->shard_members);
        free(room->seats);
        free(room);
    }
}

void runner_room_enter(struct runner_room *room)
{
    struct runner *runner = room->runner;

    runner->rooms[room_slot(room->number)] = room;
    counter_add(&runner->stats.rooms, 1);
    idle_add(runner, room);
    if (room_facts(room->room).people > 0) { /* they are coming back */
        runner_room_start(room);
    }
    runner_room_report(room);
    runner_room_keep(room);
}

/* Removes a room that does not tick from its runner. */
static void remove_room(struct runner_room *room)
{
    struct runner *runner = room->runner;

    assert(room->due_index == DUE_NONE);
    idle_remove(runner, room);
    runner_room_seeks_no_more(room);
    runner->rooms[room_slot(room->number)] = NULL;
    counter_set(&runner->stats.rooms, counter_read(&runner->stats.rooms) - 1);
    atomic_fetch_sub(&runner->weight, ROOM_WEIGHT + (uint64_t)room->boids);
}

void runner_room_end(struct runner_room *room, enum end_reason why)
{
    struct runner *runner = room->runner;

    room_end(room->room, why);
    record_end(room, why);
    runner_room_rest(room);
    remove_room(room);
    if (runner->definition.store != NULL &&
        !store_end(runner->definition.store, room->code,
                   (uint64_t)time(NULL) + DIRECTORY_CODE_REST / 1000000)) {
        log_warn("room %s has ended but stays in --data, and a restart will restore it: out "
                 "of memory",
                 room->code);
    }
    directory_remove(runner->definition.directory, room->number, runner_now(runner));
    runner_room_drop(room);
    indexer_sweep(runner->definition.indexer);
}

bool runner_room_pack(struct runner_room *room, struct store_room *kept, struct film **film)
{
    *kept = describe_kept(room);
    *film = NULL;
    kept->state = room_save(room->room, runner_room_now(room), &kept->size);
    if (kept->state == NULL) {
        return false;
    }
    saved_seal(kept->state, kept->size);
    if (room_film(room->room) != NULL) {
        *film = film_hold(room_film(room->room));
    }
    return true;
}

void runner_room_give_up(struct runner_room *room)
{
    if (room->due_index != DUE_NONE) {
        stop_ticks(room);
    }
    remove_room(room);
    directory_release(room->runner->definition.directory, room->number);
    runner_room_drop(room);
}

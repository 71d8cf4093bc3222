#include "hub/runner_room.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "hub/clock.h"
#include "hub/creators.h"
#include "hub/indexer.h"
#include "hub/record.h"
#include "past/film.h"
#include "room/room_state.h"
#include "scene/saved.h"

#define PHASES      16u    /* parts of a tick's time over which rooms are spread */
#define SCRATCH_MIN 4096u  /* boids for which memory always stays allocated */
#define ROOM_WEIGHT 256u   /* load of a room without boids, in boids */
#define SOON_SIZE   65536u /* bytes of a room that is stored soon, at most */
#define END_TIME    1000u  /* µs for ending rooms whose time has come, between two turns */

uint64_t runner_time(const struct runner *runner)
{
    return uv_hrtime() - runner->definition.clock_start;
}

uint64_t runner_now(const struct runner *runner)
{
    return runner_time(runner) / 1000;
}

uint64_t runner_room_now(const struct runner_room *room)
{
    uint64_t now = runner_now(room->runner);
    uint64_t next = room->turn.deadline / 1000;

    return now < next ? now : next;
}

uint64_t runner_begin(struct runner *runner)
{
    runner->begun = runner_time(runner);
    return runner->begun;
}

uint64_t runner_room_charge(struct runner_room *room)
{
    struct runner *runner = room->runner;
    uint64_t begun = runner->begun;
    uint64_t time = runner_begin(runner) - begun;

    turns_charge(&runner->turns, &room->turn, time);
    counter_add(&room->stats->busy, time);
    counter_add(&runner->stats.busy, time);
    return runner->begun;
}

void runner_touch(struct runner *runner, uint32_t shard)
{
    runner->touched[shard] = true;
}

/* ---- rooms without members ---- */

static struct list *idle_list(struct runner *runner, const struct runner_room *room)
{
    return room->joined ? &runner->idle : &runner->unjoined;
}

static void idle_add(struct runner *runner, struct runner_room *room)
{
    room->idle_since = runner_now(runner);
    if (!room->lasts) {
        list_append(idle_list(runner, room), &room->idle);
    }
}

static void idle_remove(struct runner *runner, struct runner_room *room)
{
    struct list *list = idle_list(runner, room);

    if (list_has(list, &room->idle)) {
        list_remove(list, &room->idle);
    }
}

/* Ends rooms of that list that have had no members for that time (µs). Hundreds can be due at once:
 * then some wait, so that other rooms get turns. Returns when the next one is due (ns). */
static uint64_t end_idle(struct runner *runner, struct list *list, uint64_t time)
{
    const uint64_t begun = runner_now(runner);
    struct runner_room *room;

    while ((room = list_entry(list->first, struct runner_room, idle)) != NULL) {
        uint64_t end = room->idle_since + time;
        if (begun < end || runner_now(runner) >= begun + END_TIME) {
            return end * 1000;
        }
        (void)runner_begin(runner);
        runner_room_end(room, END_IDLE);
        assert(list->first != &room->idle);
    }
    return UINT64_MAX;
}

uint64_t runner_room_end_idle(struct runner *runner)
{
    uint64_t time = runner->definition.room_idle;
    uint64_t first = runner->definition.unjoined;
    uint64_t idle = end_idle(runner, &runner->idle, time);
    uint64_t unjoined =
        end_idle(runner, &runner->unjoined, first > 0 && first < time ? first : time);

    return idle < unjoined ? idle : unjoined;
}

bool runner_room_trusts(const char *code, const struct room *room)
{
    const struct room_terms *terms = room_terms_of(room);

    return !terms->open_controls && (strcmp(code, ROOM_LOBBY) == 0 || terms->trusted);
}

void runner_room_give_way(struct runner_room *room)
{
    struct directory *directory = room->runner->definition.directory;
    const uint32_t people = room_facts(room->room).people;
    const bool empty = !runner_room_runs(room) && people == 0;

    if (!room->lasts &&
        (empty || (!room->trusted && directory_is_unused(directory, room->stats, people,
                                                         runner_now(room->runner))))) {
        runner_room_end(room, END_GAVE_WAY);
    } else {
        directory_stay(directory, room->number);
    }
}

void runner_room_used(struct runner_room *room)
{
    counter_set(&room->stats->used, runner_now(room->runner));
}

/* ---- rooms that seek ---- */

void runner_room_seeks(struct runner_room *room)
{
    struct list *seekers = &room->runner->seekers;

    if (!list_has(seekers, &room->seeks) && runner_room_runs(room) && room_shows_past(room->room)) {
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

struct store_room runner_room_describe(const struct runner_room *room)
{
    struct store_room kept = {.listed = room->listed,
                              .saved_at = (uint64_t)time(NULL),
                              .fingerprint = room->fingerprint,
                              .creator = room->made_by,
                              .trusted = room->trusted && !room_terms_of(room->room)->open_controls,
                              .first = room->trusted,
                              .plays = room_plays(room->room)};

    memcpy(kept.code, room->code, sizeof kept.code);
    return kept;
}

static void return_copy(void *budget, size_t size)
{
    history_budget_return(budget, size);
    history_budget_release(budget);
}

static uint8_t *save(const struct runner_room *room, size_t *size)
{
    const uint64_t now = runner_room_now(room);

    return room->leaves ? room_save_leaving(room->room, now, size)
                        : room_save(room->room, now, size);
}

void runner_room_keep(struct runner_room *room)
{
    const struct runner *runner = room->runner;
    struct store_room kept = runner_room_describe(room);

    room->keep_at = runner_now(runner) + runner->definition.checkpoint_interval;
    if (runner->definition.store == NULL || room->forsaken || room->kept) {
        return;
    }
    kept.state = save(room, &kept.size);
    room->kept_size = kept.size;
    if (kept.state == NULL) { /* the last stored state stays until the next try */
        return;
    }
    kept.release = return_copy;
    kept.memory = history_budget_hold(room->budget);
    history_budget_lend(room->budget, kept.size);
    /* A room that runs changes after this, even within the same tick. */
    room->kept = store_put(runner->definition.store, &kept) && !runner_room_runs(room);
}

void runner_room_keep_if_due(struct runner_room *room)
{
    const struct runner *runner = room->runner;

    if (runner->definition.store != NULL && runner_now(runner) >= room->keep_at) {
        runner_room_keep(room);
    }
}

void runner_room_keep_soon(struct runner_room *room)
{
    const uint64_t soon = room->runner->definition.checkpoint_soon;
    const uint64_t due = runner_now(room->runner) + soon;

    if (soon > 0 && room->kept_size <= SOON_SIZE && room->keep_at > due) {
        room->keep_at = due;
    }
}

void runner_room_grows(struct runner_room *room)
{
    struct runner *runner = room->runner;

    if (runner->definition.store != NULL && runner->definition.past_interval > 0 &&
        !list_has(&runner->unsaved, &room->past_item)) {
        room->past_due = runner_now(runner) + runner->definition.past_interval;
        list_append(&runner->unsaved, &room->past_item);
    }
}

/* ---- starting and stopping ticks ---- */

/* Spreads rooms over a tick's time, so that they do not all need the processor, and their members
 * the network, at once. */
void runner_room_start(struct runner_room *room)
{
    struct runner *runner = room->runner;
    uint64_t now = runner_time(runner);
    uint64_t period = CLOCK_NS_PER_S / room->tick_rate;
    uint64_t phase = room_slot(room->number) % PHASES * period / PHASES;

    idle_remove(runner, room);
    room->joined = true;
    room->kept = false;
    room->base = now - now % period + phase;
    room->base += room->base < now ? period : 0;
    room->tick = 0;
    room->dropped = 0;
    room->spent = 0;
    room->reported_at = now / 1000;
    turns_tick_at(&runner->turns, &room->turn, room->base);
    runner_room_grows(room);
    counter_add(&runner->stats.running, 1);
}

/* Fits the scratch memory to the largest room that ticks, after a large room has stopped. */
static void shrink_workspace(struct runner *runner)
{
    uint32_t most = SCRATCH_MIN;

    for (uint32_t slot = 0; slot < runner->definition.rooms_max; slot++) {
        const struct runner_room *room = runner->rooms[slot];
        if (room != NULL && runner_room_runs(room) && room->boids > most) {
            most = room->boids;
        }
    }
    room_workspace_shrink(runner->workspace, most);
}

static void stop_ticks(struct runner_room *room)
{
    struct runner *runner = room->runner;

    turns_tick_at(&runner->turns, &room->turn, TURNS_NEVER);
    view_release(room->view);
    room->view = NULL;
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
        if (facts.changes != room->changes) {
            runner_room_keep_soon(room);
        }
        counter_set(&room->stats->people, facts.people);
        counter_set(&room->stats->boids, facts.boids);
    }
    counter_set(&room->stats->bytes, history_budget_taken(room->budget));
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
    if (runner_room_runs(room) && room_facts(room->room).people == 0) {
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
        view_release(room->view);
        room_destroy(room->room);
        creator_release(room->creator);
        history_budget_release(room->budget);
        free(room->shard_members);
        free(room->seats);
        account_destroy(room->account);
        free(room);
    }
}

void runner_room_enter(struct runner_room *room)
{
    struct runner *runner = room->runner;

    (void)runner_begin(runner);
    runner->rooms[room_slot(room->number)] = room;
    turns_enter(&runner->turns, &room->turn, room->account);
    room->account = NULL;
    room->queue.account = room->turn.account;
    counter_add(&runner->stats.rooms, 1);
    idle_add(runner, room);
    if (room_facts(room->room).people > 0) { /* they are coming back */
        runner_room_start(room);
    }
    runner_room_report(room);
    runner_room_keep(room);
    (void)runner_room_charge(room); /* for its first save */
}

/* Handles the events that still wait for a room that ends as if it had ended before. */
static void disperse(struct runner_room *room)
{
    struct runner *runner = room->runner;
    const struct waiting *waiting;

    runner->rooms[room_slot(room->number)] = NULL;
    while ((waiting = queue_take(&room->queue, &runner->queues)) != NULL) {
        const struct waiting taken = *waiting;
        runner->handle(runner, NULL, &taken);
    }
}

/* Removes a room that does not tick from its runner. Its creator pays for the end, too. */
static void remove_room(struct runner_room *room)
{
    struct runner *runner = room->runner;

    assert(!runner_room_runs(room));
    disperse(room);
    idle_remove(runner, room);
    if (list_has(&runner->unsaved, &room->past_item)) {
        list_remove(&runner->unsaved, &room->past_item);
    }
    runner_room_seeks_no_more(room);
    room_destroy(room->room);
    room->room = NULL;
    (void)runner_room_charge(room);
    turns_leave(&runner->turns, &room->turn);
    runner->current = runner->current != room ? runner->current : NULL;
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

bool runner_room_pack(struct runner_room *room, struct store_room *kept, struct film **film,
                      struct recording **past)
{
    *kept = runner_room_describe(room);
    *film = NULL;
    *past = NULL;
    room->leaves = true;
    room->kept = false; /* the store's state lacks what a leaving room takes along */
    kept->state = save(room, &kept->size);
    if (kept->state == NULL) {
        room->leaves = false;
        return false;
    }
    saved_seal(kept->state, kept->size);
    if (room_film(room->room) != NULL) {
        *film = film_hold(room_film(room->room));
    } else {
        *past = room_hold_past(room->room);
    }
    return true;
}

void runner_room_give_up(struct runner_room *room)
{
    if (runner_room_runs(room)) {
        stop_ticks(room);
    }
    remove_room(room);
    directory_release(room->runner->definition.directory, room->number);
    runner_room_drop(room);
}

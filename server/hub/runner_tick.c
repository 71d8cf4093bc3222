/* A room's ticks, their deadlines and what they cost. */
#include <inttypes.h>

#include "base/log.h"
#include "hub/clock.h"
#include "hub/runner_room.h"

#define LATE_REPORT_TIME UINT64_C(10000000) /* µs between log lines about skipped ticks */
#define SHARED_TRIES     8u /* ticks in a row that may take longer until the room is paused */

/* ns: the longest tick of a room that the server does not trust, while others' rooms run and
 * otherwise: then a first member or a request of another room may wait for it. */
#define SHARED_TICK UINT64_C(20000000)
#define ALONE_TICK  UINT64_C(100000000)

/* The room holds the view until the next one, so that this thread frees what it has allocated. */
static void publish_view(struct runner_room *room, uint64_t time)
{
    struct runner *runner = room->runner;
    struct room_view *view = room_snapshot(room->room, runner->workspace, time);

    for (uint32_t shard = 0; view != NULL && shard < runner->definition.shards; shard++) {
        if (room->shard_members[shard] > 0) {
            outbox_publish(&runner->definition.outboxes[shard], room->trusted,
                           room_slot(room->number), view_hold(view));
            runner_touch(runner, shard);
        }
    }
    view_release(room->view);
    room->view = view;
}

static void publish_if_due(struct runner_room *room, uint64_t time)
{
    if (room_snapshot_due(room->room)) {
        publish_view(room, time);
    }
}

/* Logs, and reports to the presenters, that more than 1 % of the ticks were skipped. A room that
 * used less than 1/10 of its thread's time is not itself too costly. */
static void report_dropped(struct runner_room *room)
{
    uint64_t now = runner_now(room->runner);
    uint64_t time = (now - room->reported_at) * 1000; /* ns */
    uint64_t due = clock_ticks_by(time, room->tick_rate);
    bool own = room->spent >= time / 10;

    if (now < room->reported_at + LATE_REPORT_TIME) {
        return;
    }
    if (clock_is_behind(room->dropped, due)) {
        log_warn("room %s cannot keep up: %" PRIu64 " of the last %" PRIu64 " ticks dropped (%s)",
                 room->code, room->dropped, due,
                 own ? "fewer boids or a lower --tick-rate would help"
                     : "other rooms use the threads; more --sim-threads may help");
        room_warn_slow(room->room, own, (uint32_t)room->dropped, (uint32_t)due);
    }
    room->dropped = 0;
    room->spent = 0;
    room->reported_at = now;
}

/* Skips overdue ticks and counts them. */
static void set_deadline(struct runner_room *room, uint64_t now)
{
    uint64_t next = clock_ticks_by(now - room->base, room->tick_rate);

    room->tick++;
    if (next > room->tick) {
        uint64_t dropped = next - room->tick;
        room->dropped += dropped;
        counter_add(&room->stats->dropped, dropped);
        counter_add(&room->runner->stats.dropped, dropped);
        room->tick = next;
    }
    turns_tick_at(&room->runner->turns, &room->turn,
                  room->base + clock_tick_time(room->tick, room->tick_rate));
}

/* Returns the longest time of a tick: --tick-limit, or less if the server does not trust the room.
 */
static uint64_t limit_of(const struct runner_room *room)
{
    uint64_t most = turns_are_shared(&room->runner->turns, &room->turn) ? SHARED_TICK : ALONE_TICK;

    return room->turn.account->trusted || room->tick_limit < most ? room->tick_limit : most;
}

/* Runs the room's tick, unless it takes too long. The flock stands still in a tick that took more
 * than its share; the room is paused after several of them, or at the tick limit. */
static void run_tick(struct runner_room *room, uint64_t time)
{
    struct runner *runner = room->runner;
    uint64_t limit = limit_of(room);

    room_workspace_limit(runner->workspace, limit);
    if (room_tick(room->room, runner->workspace, time)) {
        room->given_up = 0;
        return;
    }
    room->given_up++;
    if (atomic_load(&runner->stopping) ||
        (limit < room->tick_limit && room->given_up < SHARED_TRIES)) {
        return;
    }
    room->given_up = 0;
    log_warn("room %s is paused: ticks of %u boids took more than %" PRIu64
             " ms, so flockd stopped them (%s)",
             room->code, room_facts(room->room).boids, limit / 1000000,
             limit < room->tick_limit ? "the limit of a room that is not trusted" : "--tick-limit");
    room_pause_costly(room->room, limit / 1000);
}

/* Reports to the presenters whether the room would survive a restart. */
static void note_store(struct runner_room *room)
{
    struct store *store = room->runner->definition.store;

    if (store != NULL) {
        room_note_store(room->room, store_failing(store));
    }
}

bool runner_seek(struct runner *runner)
{
    struct runner_room *room = list_entry(list_take(&runner->seekers), struct runner_room, seeks);

    if (room == NULL) {
        return false;
    }
    (void)runner_begin(runner);
    room_workspace_limit(runner->workspace, limit_of(room));
    if (runner_room_runs(room) && room_seek(room->room, runner->workspace)) {
        runner_room_seeks(room); /* after the other rooms that seek */
    }
    (void)runner_room_charge(room);
    return true;
}

void runner_room_tick(struct runner_room *room, uint64_t now)
{
    struct runner *runner = room->runner;
    uint64_t time = room->turn.deadline / 1000;
    uint64_t late = now - room->turn.deadline;
    const bool ticks = !atomic_load_explicit(&runner->halted, memory_order_relaxed);
    uint64_t end;

    note_store(room);
    if (ticks) {
        run_tick(room, time);
        publish_if_due(room, time);
    }
    end = runner_time(runner);
    room->cost = end - now;
    room->spent += room->cost;
    counter_add(&room->stats->ticks, ticks);
    counter_add(&runner->stats.ticks, ticks);
    histogram_add(&runner->stats.lateness, late);
    histogram_add(&runner->stats.duration, room->cost);
    set_deadline(room, end);
    report_dropped(room);
    runner_room_keep_if_due(room);
    runner_room_seeks(room);
    runner_room_expect_no_more(room);
    runner_room_rest(room);
}

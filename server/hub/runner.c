#include "hub/runner.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/thread_name.h"
#include "hub/clock.h"
#include "hub/runner_past.h"

#define EVENTS_SESSION 3u /* events of one session that may wait */
#define EVENTS_MORE    4096u
#define EVENTS_FIRST   UINT64_C(5000000)       /* ns by which events may delay the room's tick */
#define WAKE_TIME      UINT64_C(1000000)       /* ns of turns until shards are woken */
#define KEEP_TIME      UINT64_C(20000000)      /* ns of turns until rooms are ended or stored */
#define HEALTHY_TIME   5000000u                /* µs */
#define FOREVER        UINT64_C(3600000000000) /* ns: the longest wait */

/* ---- the thread ---- */

static void wake_shards(struct runner *runner)
{
    runner->urgent = false;
    for (uint32_t shard = 0; shard < runner->definition.shards; shard++) {
        if (runner->touched[shard]) {
            runner->touched[shard] = false;
            runner->definition.wake(runner->definition.argument, shard);
        }
    }
}

/* Whether the room's turn is a tick. A late tick goes before events, but not two of them in a row.
 */
static bool ticks_now(const struct runner_room *room, uint64_t now)
{
    uint64_t deadline = room->turn.deadline;

    return deadline <= now &&
           (room->queue.count == 0 || (now - deadline >= EVENTS_FIRST && !room->ticked));
}

/* Gives the room its turn: events or a tick. Returns the time after it. Wakes shards before a turn
 * of an untrusted room, which may be long, if a trusted room has made something. */
static uint64_t take_turn(struct runner *runner, struct runner_room *room, uint64_t now)
{
    if (runner->urgent && !room->trusted) {
        wake_shards(runner);
    }
    runner->urgent |= room->trusted;
    runner->current = room;
    room->ticked = ticks_now(room, now);
    if (room->ticked) {
        if (room->cost == 0 || room->cost >= WAKE_TIME) {
            wake_shards(runner); /* replies and snapshots do not wait for this tick */
        }
        runner_room_tick(room, now);
    } else {
        runner_room_handle_events(room, now);
    }
    if (runner->current != NULL) {
        (void)runner_room_charge(room);
        turns_wait(&runner->turns, &room->turn, room->queue.count > 0);
    }
    runner->current = NULL;
    return runner->begun;
}

static struct runner_room *room_of_turn(struct turn *turn)
{
    return (struct runner_room *)(void *)((char *)turn - offsetof(struct runner_room, turn));
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Ends or stores the rooms whose time has come. Returns when the next one's comes (ns). */
static uint64_t keep_rooms(struct runner *runner)
{
    uint64_t idle = runner_room_end_idle(runner);

    return earlier(idle, runner_past_keep_next(runner));
}

/* Does a step for a room that seeks. If no room seeks, waits until a room is ready or an event
 * comes. */
static void wait_for_turns(struct runner *runner)
{
    uint64_t next = earlier(keep_rooms(runner), turns_deadline(&runner->turns));
    uint64_t now = runner_time(runner);

    wake_shards(runner);
    atomic_store(&runner->turn_at, UINT64_MAX);
    next = earlier(next, now + FOREVER);
    if (next > now && !runner_seek(runner)) {
        mailbox_wait(&runner->mailbox, runner->definition.clock_start + next);
    }
}

static void run_thread(void *argument)
{
    struct runner *runner = argument;
    uint64_t woken = 0;
    uint64_t kept = 0;

    name_thread("rooms");
    while (!atomic_load(&runner->stopping)) {
        uint64_t now;
        struct turn *turn;
        runner_take_events(runner);
        now = runner_begin(runner);
        turn = turns_next(&runner->turns, now);
        if (turn == NULL) {
            wait_for_turns(runner);
            woken = kept = runner_time(runner);
            continue;
        }
        atomic_store(&runner->turn_at, now / 1000);
        now = take_turn(runner, room_of_turn(turn), now);
        if (now >= woken + WAKE_TIME) {
            wake_shards(runner);
            woken = now;
        }
        if (now >= kept + KEEP_TIME) {
            (void)keep_rooms(runner);
            kept = now;
        }
    }
}

/* ---- from other threads ---- */

struct mailbox *runner_mailbox(struct runner *runner)
{
    return &runner->mailbox;
}

void runner_stand(struct runner *runner, bool stands)
{
    atomic_store(&runner->halted, !stands);
}

bool runner_healthy(const struct runner *runner, uint64_t now)
{
    uint64_t turn_at = atomic_load(&runner->turn_at);

    return turn_at == UINT64_MAX || now <= turn_at + HEALTHY_TIME;
}

uint64_t runner_weight(const struct runner *runner)
{
    return atomic_load(&runner->weight);
}

const struct runner_stats *runner_stats(const struct runner *runner)
{
    return &runner->stats;
}

/* ---- life ---- */

struct runner *runner_create(const struct runner_definition *definition)
{
    struct runner *runner = calloc(1, sizeof *runner);
    size_t bound = (size_t)EVENTS_SESSION * definition->sessions_max + EVENTS_MORE;
    size_t leaves = definition->shards * outbox_seats(definition->sessions_max);

    if (runner == NULL) {
        return NULL;
    }
    runner->definition = *definition;
    runner->handle = runner_handle;
    atomic_init(&runner->turn_at, UINT64_MAX);
    runner->rooms = calloc(definition->rooms_max, sizeof(struct runner_room *));
    runner->touched = calloc(definition->shards, sizeof *runner->touched);
    runner->workspace = room_workspace_create(definition->threads);
    if (!turns_create(&runner->turns, definition->rooms_max) ||
        !queue_memory_create(&runner->queues, bound, leaves + EVENTS_MORE) ||
        !seats_create(&runner->seats, definition->shards) || runner->rooms == NULL ||
        runner->touched == NULL || runner->workspace == NULL ||
        !mailbox_create(&runner->mailbox, sizeof(struct event), bound)) {
        goto fail;
    }
    if (uv_thread_create(&runner->thread, run_thread, runner) != 0) {
        mailbox_destroy(&runner->mailbox);
        goto fail;
    }
    return runner;
fail:
    room_workspace_destroy(runner->workspace);
    seats_destroy(&runner->seats);
    free(runner->rooms);
    queue_memory_destroy(&runner->queues);
    turns_destroy(&runner->turns);
    free(runner->touched);
    free(runner);
    return NULL;
}

void runner_stop(struct runner *runner)
{
    atomic_store(&runner->stopping, true);
    room_workspace_stop(runner->workspace);
    mailbox_wake(&runner->mailbox);
    uv_thread_join(&runner->thread);
}

static void drop_room(struct runner_room *room)
{
    const struct waiting *waiting;

    while ((waiting = queue_take(&room->queue, &room->runner->queues)) != NULL) {
        runner_drop_event(waiting);
    }
    runner_past_keep(room);
    runner_room_drop(room);
}

void runner_destroy(struct runner *runner)
{
    struct event event;

    if (runner == NULL) {
        return;
    }
    while (mailbox_take(&runner->mailbox, &event, 1) > 0) {
        if (event.type == EVENT_ROOM) {
            drop_room(event.room);
        }
        runner_drop_event(&(struct waiting){.event = event});
    }
    for (uint32_t slot = 0; slot < runner->definition.rooms_max; slot++) {
        if (runner->rooms[slot] != NULL) {
            drop_room(runner->rooms[slot]);
        }
    }
    mailbox_destroy(&runner->mailbox);
    room_workspace_destroy(runner->workspace);
    seats_destroy(&runner->seats);
    free(runner->rooms);
    queue_memory_destroy(&runner->queues);
    turns_destroy(&runner->turns);
    free(runner->touched);
    free(runner);
}

#include "hub/runner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hub/clock.h"
#include "hub/record.h"
#include "past/history.h"
#include "room/branch.h"

#define EVENTS_SESSION 3u /* events of one session that may wait */
#define EVENTS_MORE    4096u
#define BATCH_TIME     1000000u                /* ns of ticks until shards are woken */
#define EVENTS_TIME    UINT64_C(5000000)       /* ns of events until rooms tick */
#define HEALTHY_TIME   5000000u                /* µs */
#define FOREVER        UINT64_C(3600000000000) /* ns: the longest wait */

/* ---- events ---- */

static void free_request(struct request_event *event)
{
    free(event->request);
    hub_answer_finish(&event->answer);
    free(event);
}

/* Frees an event's data, whether or not the event was handled. */
static void free_event(const struct event *event)
{
    switch (event->type) {
    case EVENT_JOIN:
        seat_destroy(event->joining->seat);
        free(event->joining);
        break;
    case EVENT_MESSAGE:
        free(event->message);
        break;
    case EVENT_ANSWER:
        frame_release(event->answer);
        break;
    case EVENT_RELEASE:
        free(event->release);
        break;
    case EVENT_REQUEST:
        mailbox_unreserve(&event->request->outbox->replies, 1);
        free_request(event->request);
        break;
    default:
        break;
    }
}

static struct runner_room *room_of(const struct runner *runner, uint64_t number)
{
    uint32_t slot = room_slot(number);
    struct runner_room *room = slot < runner->definition.rooms_max ? runner->rooms[slot] : NULL;

    return room != NULL && room->number == number ? room : NULL;
}

/* Sends the answer to the shard that asked. */
static void send_answer(struct runner *runner, struct request_event *event)
{
    const struct hub_reply reply = {
        .type = HUB_ANSWER, .session = event->ticket, .answer = event->answer};

    mailbox_push_reserved(&event->outbox->replies, &reply, false);
    event->answer = (struct hub_answer){0}; /* the receiver owns it now */
    runner_touch(runner, event->shard);
}

/* Answers with the room's recording. */
static void hold_recording(const struct runner_room *room, struct hub_answer *answer)
{
    answer->recording = room_hold_past(room->room);
    if (answer->recording == NULL) {
        answer->error->code = PROTO_E_STATE;
        snprintf(answer->error->message, sizeof answer->error->message,
                 "the room has no past yet, or flockd records none (--rewind 0)");
    }
}

/* Answers with the state that the room shows, for a branch. */
static void save_branch(const struct runner_room *room, struct hub_answer *answer)
{
    answer->state =
        room_branch(room->room, runner_room_now(room), room->runner->definition.room_boids,
                    &answer->state_size, &answer->boids, &answer->model, answer->error);
}

static void on_request(struct runner *runner, struct request_event *event)
{
    const struct hub_request *request = event->request;
    struct runner_room *room = room_of(runner, event->room);
    struct proto_error *error = event->answer.error;
    bool done;

    if (room == NULL) {
        error->code = PROTO_E_ROOM;
    } else {
        error->code = runner_room_try_key(room, request, &event->answer.wait);
    }
    for (uint32_t i = 0; i < request->message_count && error->code == PROTO_OK; i++) {
        room->asker = request->address;
        room_direct(room->room, &request->messages[i], runner_room_now(room), error);
        room->asker = NULL;
    }
    if (request->recording && error->code == PROTO_OK) {
        hold_recording(room, &event->answer);
    }
    if (request->branch && error->code == PROTO_OK) {
        save_branch(room, &event->answer);
    }
    done = error->code == PROTO_OK;
    if (done) {
        record_request(room, request);
    }
    if (done && request->listed >= 0) {
        directory_list_room(runner->definition.directory, room->number, request->listed != 0);
        room->listed = request->listed != 0;
    }
    if (done && request->has_join_key) {
        room_set_join_key(room->room, request->join_key);
    }
    if (room != NULL) {
        runner_room_report(room);
    }
    if (done && !request->end && !request->recording && !request->branch) {
        runner_room_keep(room);
    }
    send_answer(runner, event);
    if (done && request->end) {
        runner_room_end(room, END_BY_PRESENTER);
    }
    free_request(event);
}

/* Seats the session, and lets it into its room. */
static void on_join(struct runner *runner, struct joining *joining)
{
    struct seat *seat = joining->seat;
    struct runner_room *room = room_of(runner, seat->room);

    if (!seats_add(&runner->seats, seat)) {
        seat_close(seat, &(struct room_end){.why = END_NO_MEMORY});
        runner_touch(runner, seat->shard);
        return;
    }
    joining->seat = NULL;
    if (room != NULL) {
        runner_room_join(room, seat, joining);
    } else {
        seat_move(seat);
        runner_touch(runner, seat->shard);
    }
}

static void on_leave(struct runner *runner, struct seat *seat, enum end_reason why)
{
    struct runner_room *room = room_of(runner, seat->room);

    if (room != NULL) {
        runner_room_leave(room, seat, why);
    }
    seat_left(seat);
    runner_touch(runner, seat->shard);
    seats_remove(&runner->seats, seat);
}

/* Handles what the session of that seat does in its room. */
static void on_action(struct runner_room *room, struct seat *seat, const struct event *event)
{
    switch (event->type) {
    case EVENT_CURSOR: {
        struct proto_client_message message = {.type = PROTO_CURSOR, .cursor = event->cursor};
        room_receive(room->room, seat->member, &message, runner_room_now(room));
        break;
    }
    case EVENT_MESSAGE:
        room_receive(room->room, seat->member, event->message, runner_room_now(room));
        runner_room_seeks(room);
        break;
    case EVENT_ANSWER:
        runner_room_answer(room, seat, frame_hold(event->answer));
        break;
    case EVENT_EASE:
        room_ease(room->room, seat->member, event->level);
        break;
    case EVENT_WANT_KEY:
        room_want_key(room->room, event->stream);
        break;
    default:
        assert(false);
    }
}

/* Handles what comes for a seat after HUB_MOVED: each message has one answer, in order. */
static void on_moved(struct runner *runner, struct seat *seat, const struct event *event)
{
    struct hub_reply reply = {.type = HUB_TOLD};

    if (event->type == EVENT_MESSAGE && proto_answered(event->message->type)) {
        seat_refuse(seat, event->message);
    } else if (event->type == EVENT_ANSWER) {
        reply.frame = frame_hold(event->answer);
        (void)seat_tell(seat, &reply);
    }
    runner_touch(runner, seat->shard);
}

static void on_release(struct runner *runner, const struct release_event *release)
{
    struct runner_room *room = room_of(runner, release->room);
    struct store_room kept = {0};
    struct film *film = NULL;

    if (room != NULL && runner_room_pack(room, &kept, &film)) {
        runner_room_move_seats(room);
        runner_room_give_up(room);
    }
    release->released(release->argument, &kept, film);
}

/* Handles what a link sends after its EVENT_JOIN. A session whose seat could not be made has none.
 */
static void on_seat(struct runner *runner, const struct event *event)
{
    struct seat *seat = seats_find(&runner->seats, event->shard, event->session);
    struct runner_room *room = seat != NULL ? room_of(runner, seat->room) : NULL;

    if (seat != NULL && event->type == EVENT_LEAVE) {
        on_leave(runner, seat, event->why);
    } else if (room != NULL) {
        on_action(room, seat, event);
    } else if (seat != NULL && seat->moved) {
        on_moved(runner, seat, event);
    }
}

static void on_event(struct runner *runner, const struct event *event)
{
    switch (event->type) {
    case EVENT_ROOM:
        runner_room_enter(event->room);
        return;
    case EVENT_REQUEST:
        on_request(runner, event->request);
        return;
    case EVENT_JOIN:
        on_join(runner, event->joining);
        break;
    case EVENT_RELEASE:
        on_release(runner, event->release);
        break;
    default:
        on_seat(runner, event);
        break;
    }
    free_event(event);
}

/* Returns the next event of the batch that was taken; false: the batch is empty. */
static bool next_event(struct runner *runner, struct event *event)
{
    if (runner->event_next == runner->event_count) {
        runner->event_next = 0;
        runner->event_count = mailbox_take(&runner->mailbox, runner->events, EVENTS_AT_ONCE);
    }
    if (runner->event_count == 0) {
        return false;
    }
    *event = runner->events[runner->event_next++];
    return true;
}

/* Handles events until none is left or rooms have waited long enough. */
static void take_events(struct runner *runner)
{
    uint64_t end = uv_hrtime() + EVENTS_TIME;
    struct event event;

    do {
        if (!next_event(runner, &event)) {
            return;
        }
        on_event(runner, &event);
    } while (uv_hrtime() < end);
    mailbox_wake(&runner->mailbox); /* more events may wait */
}

/* ---- the thread ---- */

static void wake_shards(struct runner *runner)
{
    for (uint32_t shard = 0; shard < runner->definition.shards; shard++) {
        if (runner->touched[shard]) {
            runner->touched[shard] = false;
            runner->definition.wake(runner->definition.argument, shard);
        }
    }
}

/* Ticks the rooms that are due, for about BATCH_TIME. Returns the next deadline (ns on the server's
 * clock). */
static uint64_t run_rooms(struct runner *runner)
{
    uint64_t begin = uv_hrtime() - runner->definition.epoch;
    uint64_t now = begin;

    for (;;) {
        struct runner_room *room = due_next(&runner->due, now);
        if (room == NULL) {
            return due_deadline(&runner->due);
        }
        if (now > begin + BATCH_TIME) {
            return now;
        }
        if (room->costly) {
            wake_shards(runner); /* finished snapshots do not wait for the next room */
        }
        now = runner_room_tick(room, now);
    }
}

/* Ends the rooms that have had no members for room_idle. Returns when the next room's time comes
 * (ns). */
static uint64_t end_idle(struct runner *runner)
{
    uint64_t now = runner_now(runner);
    struct runner_room *room;

    while ((room = list_entry(runner->idle.first, struct runner_room, idle)) != NULL) {
        uint64_t end = room->idle_since + runner->definition.room_idle;
        if (now < end) {
            return end * 1000;
        }
        runner_room_end(room, END_IDLE);
    }
    return UINT64_MAX;
}

static void run_thread(void *argument)
{
    struct runner *runner = argument;
    uint64_t epoch = runner->definition.epoch;

    while (!atomic_load(&runner->stopping)) {
        take_events(runner);
        uint64_t next = run_rooms(runner);
        atomic_store(&runner->due_at, next != UINT64_MAX ? next / 1000 : UINT64_MAX);
        wake_shards(runner);
        uint64_t idle = end_idle(runner);
        uint64_t now = uv_hrtime() - epoch;
        next = next < idle ? next : idle;
        next = next < now + FOREVER ? next : now + FOREVER;
        if (next > now && !runner_seek(runner)) {
            mailbox_wait(&runner->mailbox, epoch + next);
        }
    }
}

/* ---- from other threads ---- */

struct mailbox *runner_mailbox(struct runner *runner)
{
    return &runner->mailbox;
}

bool runner_healthy(const struct runner *runner, uint64_t now)
{
    uint64_t due_at = atomic_load(&runner->due_at);

    return due_at == UINT64_MAX || now <= due_at + HEALTHY_TIME;
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

    if (runner == NULL) {
        return NULL;
    }
    runner->definition = *definition;
    atomic_init(&runner->due_at, UINT64_MAX);
    runner->rooms = calloc(definition->rooms_max, sizeof(struct runner_room *));
    runner->touched = calloc(definition->shards, sizeof *runner->touched);
    runner->workspace = room_workspace_create(definition->threads);
    if (!due_create(&runner->due, definition->rooms_max) ||
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
    due_destroy(&runner->due);
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

void runner_destroy(struct runner *runner)
{
    struct event event;

    if (runner == NULL) {
        return;
    }
    while (next_event(runner, &event)) {
        if (event.type == EVENT_ROOM) {
            runner_room_keep(event.room);
            runner_room_drop(event.room);
        } else if (event.type == EVENT_RELEASE) {
            event.release->released(event.release->argument, &(struct store_room){0}, NULL);
        }
        free_event(&event);
    }
    for (uint32_t slot = 0; slot < runner->definition.rooms_max; slot++) {
        if (runner->rooms[slot] != NULL) {
            runner_room_keep(runner->rooms[slot]);
            runner_room_drop(runner->rooms[slot]);
        }
    }
    mailbox_destroy(&runner->mailbox);
    room_workspace_destroy(runner->workspace);
    seats_destroy(&runner->seats);
    free(runner->rooms);
    due_destroy(&runner->due);
    free(runner->touched);
    free(runner);
}

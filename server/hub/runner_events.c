/* The way of events through a runner: from its mailbox into the queues of its rooms, and in a
 * room's turn to the room. */
#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/refusal.h"
#include "hub/record.h"
#include "hub/runner_past.h"
#include "hub/runner_room.h"
#include "past/film.h"
#include "past/history_budget.h"
#include "room/branch.h"
#include "room/room_state.h"

#define EVENTS_AT_ONCE 64u
#define EVENTS_TAKEN   16384u            /* between two turns */
#define EVENTS_TIME    UINT64_C(1000000) /* ns of events in a turn */

/* Events that may wait for a room, and more for each person; and how many times as many if they are
 * messages: then the room's members send faster than its share of time allows. */
#define QUEUE_LEAST    256u
#define QUEUE_PERSON   16u
#define QUEUE_MESSAGES 4u
#define QUEUE_CURSORS  1024u /* and one a person: beyond, a person's cursors wait as one */
#define QUEUE_PART     4u    /* a room's messages: no more than one part of all memory for events */

/* The most waiting events of one session, without EVENT_LEAVE. A session with up to SEAT_FEW events
 * may also use the rest of its account's share. */
#define SEAT_MOST (SEAT_WAITING_MAX - 1u)
#define SEAT_FEW  8u

/* ---- one event ---- */

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

    mailbox_push_reserved(event->replies, &reply, false);
    event->answer = (struct hub_answer){0}; /* the receiver owns it now */
    runner_touch(runner, event->shard);
}

/* Answers with the room's recording. */
static void hold_recording(const struct runner_room *room, struct hub_answer *answer)
{
    const char *option = history_budget_lent_option(room->budget);

    if (option != NULL) {
        (void)refuse_message(answer->error, PROTO_E_FULL, "",
                             "downloads take too much memory for what the room has discarded "
                             "(%s); try again when one has ended",
                             option);
        return;
    }
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
    answer->join_key = room_branch_join_key(room->room);
}

static bool changes_room(const struct hub_request *request)
{
    return request->message_count > 0 || request->listed >= 0 || request->has_join_key;
}

static void on_request(struct runner *runner, struct runner_room *room, struct request_event *event)
{
    const struct hub_request *request = event->request;
    struct proto_error *error = event->answer.error;
    bool done;

    if (room == NULL) {
        error->code = PROTO_E_ROOM;
    } else {
        error->code = runner_room_try_key(room, request, &event->answer.wait);
    }
    if (error->code == PROTO_OK) {
        room->kept = room->kept && !changes_room(request);
        if (changes_room(request)) {
            runner_room_used(room);
        }
        room->asker = request->address;
        room_direct_all(room->room, request->messages, request->message_count,
                        runner_room_now(room), error);
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
    request_event_free(event);
}

static void on_join(struct runner *runner, struct runner_room *room, struct seat *seat,
                    const struct joining *joining)
{
    assert(seat != NULL);
    if (seat->closed) {
        return; /* it sent too much before its welcome */
    }
    if (room != NULL) {
        runner_room_join(room, seat, joining);
    } else {
        seat_move(seat);
        runner_touch(runner, seat->shard);
    }
}

static void on_leave(struct runner *runner, struct runner_room *room, struct seat *seat,
                     enum end_reason why)
{
    assert(seat != NULL);
    if (room != NULL) {
        runner_room_leave(room, seat, why);
    }
    seat_left(seat);
    runner_touch(runner, seat->shard);
    seat_destroy(seat);
}

/* Whether a person sends such a message; clients send the others by themselves. */
static bool is_steering(const struct proto_client_message *message)
{
    return message->type != PROTO_WANT && message->type != PROTO_AWAY;
}

/* Handles what the session of that seat does in its room. */
static void on_action(struct runner_room *room, struct seat *seat, const struct event *event)
{
    switch (event->type) {
    case EVENT_CURSOR: {
        struct proto_client_message message = {.type = PROTO_CURSOR, .cursor = event->cursor};
        room_receive(room->room, seat->member, &message, runner_room_now(room));
        runner_room_used(room);
        break;
    }
    case EVENT_MESSAGE:
        room_receive(room->room, seat->member, event->message, runner_room_now(room));
        if (event->message->type == PROTO_REKEY) {
            runner_room_report(room); /* requests with the new key do not wait for a tick */
        }
        if (is_steering(event->message)) {
            runner_room_used(room);
        }
        runner_room_seeks(room);
        break;
    case EVENT_ANSWER:
        runner_room_answer(room, seat, frame_hold(event->answer));
        break;
    case EVENT_EASE:
        room_ease(room->room, seat->member, &event->ease);
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

    assert(seat != NULL);
    if (event->type == EVENT_MESSAGE && proto_answered(event->message->type)) {
        seat_refuse(seat, event->message);
    } else if (event->type == EVENT_ANSWER) {
        reply.frame = frame_hold(event->answer);
        (void)seat_tell(seat, &reply);
    }
    runner_touch(runner, seat->shard);
}

/* Whether the room is here and may go. */
static bool may_release(const struct runner_room *room, const struct release_event *release)
{
    return room != NULL && (release->release != RELEASE_BARE || room_is_bare(room->room));
}

static void hold_film(const struct runner_room *room, const struct release_event *release)
{
    struct store_room kept = {0};
    struct film *film = NULL;

    if (room != NULL && room_film(room->room) != NULL) {
        kept = runner_room_describe(room);
        film = film_hold(room_film(room->room));
    }
    release->released(release->argument, &kept, film, NULL);
}

static void on_past_asked(const struct runner_room *room, const struct past_event *event)
{
    struct hub_arrival arrival = {.budget = NULL};

    if (room != NULL && room_past_boids(room->room) > 0) {
        arrival.budget = history_budget_hold(room->budget);
        arrival.boids_max = room_past_boids(room->room);
    }
    event->asked(event->argument, &arrival);
}

static void drop_past(const struct past_event *event)
{
    if (event->past == NULL) {
        on_past_asked(NULL, event);
    } else {
        event->taken(event->argument, false);
    }
}

static void on_past(struct runner_room *room, const struct past_event *event)
{
    struct proto_error error;
    bool taken;

    if (event->past == NULL) {
        on_past_asked(room, event);
        return;
    }
    taken = room != NULL && room_take_earlier_past(room->room, event->past, &error);
    if (room != NULL && !taken) {
        log_warn("the room %s continues without its past: %s", room->code, error.message);
    }
    event->taken(event->argument, taken);
}

static void on_release(struct runner_room *room, const struct release_event *release)
{
    struct store_room kept = {0};
    struct film *film = NULL;
    struct recording *past = NULL;

    if (release->release == RELEASE_FILM) {
        hold_film(room, release);
        return;
    }
    if (room != NULL && release->release == RELEASE_DROP) {
        room->forsaken = true;
        runner_room_move_seats(room);
        runner_room_give_up(room);
    } else if (may_release(room, release) && runner_room_pack(room, &kept, &film, &past)) {
        runner_past_keep(room);
        runner_room_move_seats(room);
        runner_room_give_up(room);
    }
    release->released(release->argument, &kept, film, past);
}

/* Handles what a link sends between its EVENT_JOIN and its EVENT_LEAVE. */
static void on_seat(struct runner *runner, struct runner_room *room, const struct waiting *waiting)
{
    if (waiting->seat->closed) {
        return; /* its link leaves */
    }
    if (room != NULL) {
        on_action(room, waiting->seat, &waiting->event);
    } else if (waiting->seat->moved) {
        on_moved(runner, waiting->seat, &waiting->event);
    }
}

void runner_handle(struct runner *runner, struct runner_room *room, const struct waiting *waiting)
{
    const struct event *event = &waiting->event;

    switch (event->type) {
    case EVENT_REQUEST:
        on_request(runner, room, event->request);
        return;
    case EVENT_JOIN:
        on_join(runner, room, waiting->seat, event->joining);
        break;
    case EVENT_LEAVE:
        on_leave(runner, room, waiting->seat, event->why);
        break;
    case EVENT_RELEASE:
        on_release(room, event->release);
        break;
    case EVENT_PAST:
        on_past(room, event->past);
        break;
    case EVENT_GIVE_WAY:
        if (room != NULL) {
            runner_room_give_way(room);
        }
        break;
    default:
        on_seat(runner, room, waiting);
        break;
    }
    event_free(event);
}

/* ---- queues ---- */

/* Whether an event of a session, except a cursor, may wait. most: cursors that may wait. */
static bool has_place_for(const struct runner_room *room, const struct seat *seat, size_t most)
{
    const struct queue_memory *memory = &room->runner->queues;
    size_t limit = QUEUE_MESSAGES * most;
    size_t share;

    assert(seat != NULL);
    limit = limit < memory->most / QUEUE_PART ? limit : memory->most / QUEUE_PART;
    share = seat->member != 0 && room->people > 0 ? limit / room->people : 0;
    share = share > SEAT_FEW ? share : SEAT_FEW;
    return (room->queue.count < limit || seat->waiting < share) && seat->waiting < SEAT_MOST &&
           queue_fits(&room->queue, memory, seat->waiting < SEAT_FEW);
}

/* Whether another cursor of the session may wait behind its last one. most: events in a small room.
 */
static bool has_place_for_cursor(const struct runner_room *room, const struct seat *seat,
                                 size_t most)
{
    const size_t limit = QUEUE_CURSORS + (size_t)room->people;

    assert(seat != NULL);
    return (room->queue.count < (most < limit ? most : limit) || seat->cursor == 0) &&
           seat->waiting < SEAT_MOST && queue_fits(&room->queue, &room->runner->queues, false);
}

/* Whether the event may wait in the room's queue. */
static bool has_place(const struct runner_room *room, const struct event *event,
                      const struct seat *seat)
{
    const struct queue_memory *memory = &room->runner->queues;
    size_t most = QUEUE_LEAST + (size_t)QUEUE_PERSON * room->people;

    switch (event->type) {
    case EVENT_JOIN:
    case EVENT_REQUEST:
        return queue_fits(&room->queue, memory, true);
    case EVENT_CURSOR:
        return has_place_for_cursor(room, seat, most);
    default:
        return !queue_counts(event->type) || has_place_for(room, seat, most);
    }
}

static void refuse_request(struct runner *runner, struct request_event *event)
{
    (void)refuse_message(event->answer.error, PROTO_E_FULL, "",
                         "too many events wait for the rooms of this room's creator; try again in "
                         "a moment");
    send_answer(runner, event);
    request_event_free(event);
}

/* Finds another place for an event, or refuses it. */
static void refuse_event(struct runner_room *room, const struct event *event, struct seat *seat)
{
    struct runner *runner = room->runner;

    switch (event->type) {
    case EVENT_CURSOR:
        (void)queue_replace_cursor(&runner->queues, event, seat);
        return;
    case EVENT_REQUEST:
        refuse_request(runner, event->request);
        return;
    default:
        assert(seat != NULL);
        seat_close(
            seat, &(struct room_end){.why = event->type == EVENT_JOIN ? END_BUSY : END_UNANSWERED});
        runner_touch(runner, seat->shard);
        event_free(event);
    }
}

void runner_room_enqueue(struct runner_room *room, const struct event *event, struct seat *seat)
{
    struct runner *runner = room->runner;

    if (seat != NULL && seat->closed && event->type != EVENT_LEAVE) {
        event_free(event);
    } else if (!has_place(room, event, seat)) {
        refuse_event(room, event, seat);
    } else {
        queue_add(&room->queue, &runner->queues, event, seat);
        if (!room->turn.waited_for) {
            turns_wait(&runner->turns, &room->turn, true);
        }
    }
}

/* Seats the session that joins. Returns NULL when memory runs out: then it is closed. */
static struct seat *take_seat(struct runner *runner, struct joining *joining)
{
    struct seat *seat = joining->seat;

    if (!seats_add(&runner->seats, seat)) {
        seat_close(seat, &(struct room_end){.why = END_NO_MEMORY});
        runner_touch(runner, seat->shard);
        return NULL;
    }
    joining->seat = NULL;
    return seat;
}

/* Returns the seat of the event's session, or NULL. With EVENT_LEAVE, the seat is the caller's. */
static struct seat *seat_of(struct runner *runner, const struct event *event)
{
    struct seat *seat = event->type == EVENT_JOIN
                            ? take_seat(runner, event->joining)
                            : seats_find(&runner->seats, event->shard, event->session);

    if (event->type == EVENT_LEAVE && seat != NULL) {
        seats_take(&runner->seats, seat);
    }
    return seat;
}

/* Puts the event in its room's queue, or handles it at once if there is no such room. */
static void enqueue(struct runner *runner, uint64_t number, const struct event *event,
                    struct seat *seat)
{
    struct runner_room *room = room_of(runner, number);

    if (room != NULL) {
        runner_room_enqueue(room, event, seat);
    } else {
        runner_handle(runner, NULL, &(struct waiting){.seat = seat, .event = *event});
    }
}

static void take_event(struct runner *runner, const struct event *event)
{
    struct seat *seat;

    switch (event->type) {
    case EVENT_ROOM:
        runner_room_enter(event->room);
        return;
    case EVENT_REQUEST:
        enqueue(runner, event->request->room, event, NULL);
        return;
    case EVENT_RELEASE:
        enqueue(runner, event->release->room, event, NULL);
        return;
    case EVENT_PAST:
        enqueue(runner, event->past->room, event, NULL);
        return;
    case EVENT_GIVE_WAY:
        enqueue(runner, event->room_number, event, NULL);
        return;
    default:
        break;
    }
    seat = seat_of(runner, event);
    if (seat != NULL) {
        enqueue(runner, seat->room, event, seat);
    } else {
        event_free(event);
    }
}

void runner_take_events(struct runner *runner)
{
    struct event events[EVENTS_AT_ONCE];
    size_t taken = 0;
    size_t count;

    do {
        count = mailbox_take(&runner->mailbox, events, EVENTS_AT_ONCE);
        for (size_t i = 0; i < count; i++) {
            take_event(runner, &events[i]);
        }
        taken += count;
    } while (count == EVENTS_AT_ONCE && taken < EVENTS_TAKEN);
}

void runner_room_handle_events(struct runner_room *room, uint64_t now)
{
    struct runner *runner = room->runner;
    uint64_t end = now + EVENTS_TIME;
    const struct waiting *waiting;

    while (now < end && (waiting = queue_take(&room->queue, &runner->queues)) != NULL) {
        const struct waiting taken = *waiting;
        runner_handle(runner, room, &taken);
        if (runner->current == NULL) {
            return;
        }
        now = runner_time(runner);
    }
}

void runner_drop_event(const struct waiting *waiting)
{
    const struct event *event = &waiting->event;

    if (event->type == EVENT_RELEASE) {
        event->release->released(event->release->argument, &(struct store_room){0}, NULL, NULL);
    } else if (event->type == EVENT_PAST) {
        drop_past(event->past);
    } else if (event->type == EVENT_LEAVE) {
        seat_destroy(waiting->seat);
    }
    event_free(event);
}

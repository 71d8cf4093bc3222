/* A room's members: their seats, and the room's messages to each. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/key.h"
#include "hub/event.h"
#include "hub/record.h"
#include "hub/runner_room.h"
#include "room/room_state.h"

static struct seat *seat_of(const struct runner_room *room, room_member member)
{
    uint32_t index = room_member_index(member);
    struct seat *seat = index < room->seat_capacity ? room->seats[index] : NULL;

    return seat != NULL && seat->member == member ? seat : NULL;
}

/* Sends HUB_CLOSED. */
static void close_seat(struct runner *runner, struct seat *seat, const struct room_end *end)
{
    seat_close(seat, end);
    runner_touch(runner, seat->shard);
}

static void on_tell(void *argument, room_member member, struct frame *frame,
                    const struct room_grant *grant)
{
    struct runner_room *room = argument;
    struct seat *seat = seat_of(room, member);
    struct hub_reply reply = {.type = HUB_TOLD, .frame = frame, .granted = grant != NULL};

    if (seat == NULL || seat->closed) {
        frame_release(frame);
        return;
    }
    reply.presenter = room_is_presenter(room->room, member);
    if (grant != NULL) {
        reply.grant = (struct hub_grant){.stream = *grant, .ahead = 0}; /* one server, one clock */
    }
    if (grant != NULL && grant->joined) {
        reply.trust = runner_room_trusts(room->code, room->room) ? HUB_TRUSTS : HUB_DISTRUSTS;
    }
    if (!seat_tell(seat, &reply)) {
        close_seat(room->runner, seat, &(struct room_end){.why = END_ANSWERS});
        return;
    }
    runner_touch(room->runner, seat->shard);
}

/* Counts a member more or less on that shard, which has a copy of the view while it has members. */
static void count_member(struct runner_room *room, uint32_t shard, int more)
{
    uint32_t copies = 0;

    room->shard_members[shard] += (uint32_t)more;
    for (uint32_t i = 0; i < room->runner->definition.shards; i++) {
        copies += room->shard_members[i] > 0;
    }
    room_set_copies(room->room, copies);
}

/* Empties the seat of a member that has left. */
static void leave_seat(struct runner_room *room, struct seat *seat)
{
    assert(room->seats[room_member_index(seat->member)] == seat);
    assert(room->shard_members[seat->shard] > 0);
    room->seats[room_member_index(seat->member)] = NULL;
    count_member(room, seat->shard, -1);
    seat->member = 0;
}

static void on_close(void *argument, room_member member, const struct room_end *end)
{
    struct runner_room *room = argument;
    struct seat *seat = seat_of(room, member);

    if (seat == NULL) {
        frame_release(end->frame);
        return;
    }
    record_leave(room, seat, end->why);
    close_seat(room->runner, seat, end);
    leave_seat(room, seat);
}

static void on_note(void *argument, const struct room_note *note)
{
    struct runner_room *room = argument;
    struct seat *seat = seat_of(room, note->member);

    record_note(room, seat, note);
    runner_room_keep_soon(room);
}

const struct room_sink runner_room_sink = {.tell = on_tell, .close = on_close, .note = on_note};

/* A presenter may have made another key since the request's shard looked at the room. */
static bool is_open(const struct runner_room *room, const struct hub_request *request)
{
    return request->by_server && (hub_is_administration(request) ||
                                  key_same(room_terms_of(room->room)->key, request->key));
}

static enum tries_result try_key(const struct runner_room *room, const struct hub_request *request,
                                 uint32_t *wait)
{
    const uint64_t origin = tries_origin(room->tries, request->address);

    return is_open(room, request)
               ? TRIES_RIGHT
               : room_try_key(room->room, request->key, origin, runner_now(room->runner), wait);
}

enum proto_code runner_room_try_key(const struct runner_room *room,
                                    const struct hub_request *request, uint32_t *wait)
{
    switch (try_key(room, request, wait)) {
    case TRIES_RIGHT:
        return PROTO_OK;
    case TRIES_WRONG:
        record_wrong_key(room, request->address, "presenter");
        return PROTO_E_KEY;
    case TRIES_TOO_MANY:
        break;
    }
    record_wrong_key(room, request->address, "presenter");
    return PROTO_E_FLOOD;
}

/* ---- joining and leaving ---- */

static bool make_seats(struct runner_room *room, uint32_t index)
{
    size_t capacity = room->seat_capacity;
    struct seat **seats =
        grow_array(room->seats, &capacity, (size_t)index + 1, UINT32_MAX, sizeof(*seats));

    if (seats == NULL) {
        return false;
    }
    memset(seats + room->seat_capacity, 0, (capacity - room->seat_capacity) * sizeof(*seats));
    room->seats = seats;
    room->seat_capacity = capacity;
    return true;
}

void runner_room_join(struct runner_room *room, struct seat *seat, const struct joining *joining)
{
    const struct proto_hello *hello = &joining->hello;
    struct runner *runner = room->runner;
    struct room_end refused = {0};
    uint64_t now = runner_room_now(room);
    room_member member =
        room_join_with_pass(room->room, hello, joining->origin, joining->pass, now, &refused);

    if (member == 0) {
        if (refused.why != END_IN_LINE) {
            record_refused(room, seat, hello, &refused);
        }
        close_seat(runner, seat, &refused);
        return;
    }
    room->kept = false; /* the room remembers the person, also without a seat */
    if (joining->presenters_only && !room_is_presenter(room->room, member)) {
        room_leave(room->room, member, now);
        close_seat(runner, seat, &(struct room_end){.why = END_SERVER_FULL});
        return;
    }
    if (!make_seats(room, room_member_index(member))) {
        room_leave(room->room, member, now);
        close_seat(runner, seat, &(struct room_end){.why = END_NO_MEMORY});
        return;
    }
    seat->member = member;
    room->seats[room_member_index(member)] = seat;
    count_member(room, seat->shard, 1);
    record_join(room, seat);
    room_welcome(room->room, member, now);
    runner_room_used(room);
    if (!runner_room_runs(room)) {
        runner_room_start(room);
    }
    runner_room_keep_soon(room);
    runner_room_report(room);
}

void runner_room_leave(struct runner_room *room, struct seat *seat, enum end_reason why)
{
    if (seat->member != 0) {
        record_leave(room, seat, why);
        room_leave(room->room, seat->member, runner_room_now(room));
        leave_seat(room, seat);
    }
    runner_room_rest(room);
}

void runner_room_answer(struct runner_room *room, const struct seat *seat, struct frame *answer)
{
    on_tell(room, seat->member, answer, NULL);
}

void runner_room_expect_no_more(struct runner_room *room)
{
    uint64_t now = runner_room_now(room);
    room_member member;
    uint32_t next = 0;

    if (room->expects_until == 0 || now < room->expects_until) {
        return;
    }
    room->expects_until = 0;
    while ((member = room_next_member(room->room, &next)) != 0) {
        if (seat_of(room, member) == NULL) {
            room_leave(room->room, member, now);
        }
    }
}

void runner_room_move_seats(struct runner_room *room)
{
    for (size_t i = 0; i < room->seat_capacity; i++) {
        struct seat *seat = room->seats[i];
        if (seat != NULL) {
            seat_move(seat);
            runner_touch(room->runner, seat->shard);
            leave_seat(room, seat);
        }
    }
}

/* A room's members: the links to their sessions, and the room's messages to each. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hub/record.h"
#include "hub/runner_room.h"

static struct link *link_of(const struct runner_room *room, room_member member)
{
    uint32_t index = room_member_index(member);
    struct link *link = index < room->link_capacity ? room->links[index] : NULL;

    return link != NULL && link->member == member ? link : NULL;
}

/* Sends HUB_CLOSED, the last reply of a link; its session then closes. */
static void close_link(struct runner *runner, struct link *link, const struct room_end *end)
{
    struct hub_reply reply = {.type = HUB_CLOSED,
                              .session = link->session,
                              .frame = end->frame,
                              .code = end->code,
                              .reason = end->reason,
                              .crowded = end->crowded};

    if (link->closed) {
        frame_release(end->frame);
        return;
    }
    assert(link->reserved > 0);
    link->closed = true;
    link->reserved--;
    mailbox_push_reserved(&link->outbox->replies, &reply, false);
    runner_touch(runner, link->shard);
}

static void on_tell(void *argument, room_member member, struct frame *frame,
                    const struct room_grant *grant)
{
    struct runner_room *room = argument;
    struct link *link = link_of(room, member);
    struct hub_reply reply = {.type = HUB_TOLD, .frame = frame, .granted = grant != NULL};

    if (link == NULL || link->closed) {
        frame_release(frame);
        return;
    }
    reply.session = link->session;
    reply.presenter = room_is_presenter(room->room, member);
    if (grant != NULL) {
        reply.grant = *grant;
    }
    if (reply.granted && grant->joined) {
        assert(link->reserved > 0);
        link->reserved--;
        mailbox_push_reserved(&link->outbox->replies, &reply, false);
    } else if (!mailbox_push(&link->outbox->replies, &reply, false)) {
        frame_release(frame);
        close_link(room->runner, link,
                   &(struct room_end){.code = PROTO_CLOSE_FULL,
                                      .reason = "too many answers are waiting to be sent"});
        return;
    }
    runner_touch(room->runner, link->shard);
}

/* Removes the link of a member that has left. */
static void unlink_member(struct runner_room *room, struct link *link)
{
    assert(room->links[room_member_index(link->member)] == link);
    assert(room->shard_members[link->shard] > 0);
    room->links[room_member_index(link->member)] = NULL;
    room->shard_members[link->shard]--;
    link->member = 0;
}

static void on_close(void *argument, room_member member, const struct room_end *end)
{
    struct runner_room *room = argument;
    struct link *link = link_of(room, member);

    if (link == NULL) {
        frame_release(end->frame);
        return;
    }
    record_leave(room, link, end->reason);
    close_link(room->runner, link, end);
    unlink_member(room, link);
}

static void on_note(void *argument, const struct room_note *note)
{
    const struct runner_room *room = argument;
    const struct link *link = link_of(room, note->member);

    record_note(room, link, note);
}

const struct room_sink runner_room_sink = {.tell = on_tell, .close = on_close, .note = on_note};

enum proto_code runner_room_try_key(const struct runner_room *room,
                                    const struct hub_request *request, uint32_t *wait)
{
    uint64_t origin = tries_origin(room->tries, request->address);

    switch (room_try_key(room->room, request->key, origin, runner_now(room->runner), wait)) {
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

static bool make_links(struct runner_room *room, uint32_t index)
{
    uint32_t capacity = room->link_capacity > 0 ? room->link_capacity : 4;
    struct link **grown;

    if (index < room->link_capacity) {
        return true;
    }
    while (capacity <= index) {
        capacity *= 2;
    }
    grown = realloc(room->links, capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    memset(grown + room->link_capacity, 0, (capacity - room->link_capacity) * sizeof *grown);
    room->links = grown;
    room->link_capacity = capacity;
    return true;
}

void runner_room_join(struct runner_room *room, struct link *link, const struct proto_hello *hello)
{
    struct runner *runner = room->runner;
    struct room_end refused = {0};
    uint64_t now = runner_room_now(room);
    room_member member = room_join(room->room, hello, link->origin, now, &refused);

    if (member == 0) {
        record_refused(room, link, hello, &refused);
        close_link(runner, link, &refused);
        return;
    }
    if (link->presenters_only && !room_is_presenter(room->room, member)) {
        room_leave(room->room, member, now);
        close_link(runner, link,
                   &(struct room_end){.code = PROTO_CLOSE_FULL, .reason = "the server is full"});
        return;
    }
    if (!make_links(room, room_member_index(member))) {
        room_leave(room->room, member, now);
        close_link(
            runner, link,
            &(struct room_end){.code = PROTO_CLOSE_FULL, .reason = "the server is out of memory"});
        return;
    }
    link->member = member;
    room->links[room_member_index(member)] = link;
    room->shard_members[link->shard]++;
    record_join(room, link);
    room_welcome(room->room, member, now);
    if (room->due_index == DUE_NONE) {
        runner_room_start(room);
    }
    runner_room_report(room);
}

void runner_room_leave(struct runner_room *room, struct link *link)
{
    if (link->member != 0) {
        record_leave(room, link, link->why);
        room_leave(room->room, link->member, runner_room_now(room));
        unlink_member(room, link);
    }
    runner_room_rest(room);
}

void runner_room_answer(struct runner_room *room, const struct link *link, struct frame *answer)
{
    on_tell(room, link->member, answer, NULL);
}

void runner_room_gone(struct runner *runner, struct link *link)
{
    const struct room_end end = room_gone();

    close_link(runner, link, &end);
}

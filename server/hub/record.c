#include "hub/record.h"

#include "base/audit.h"
#include "base/log.h"

/* Returns an audit entry for an action through that link; NULL: over HTTP. */
static struct audit_entry entry_of(const struct runner_room *room, const struct link *link,
                                   const char *event)
{
    return (struct audit_entry){.event = event,
                                .connection = link != NULL ? link->session : 0,
                                .address = link != NULL ? link->address : room->asker,
                                .room = room->code,
                                .person = link != NULL ? link->person : 0};
}

void record_join(const struct runner_room *room, struct link *link)
{
    struct room_person person = room_person(room->room, link->member);

    link->person = person.id;
    struct audit_entry entry = entry_of(room, link, "join");
    entry.name = person.name;
    entry.what = proto_role_name(person.role);
    audit(&entry);
}

void record_leave(const struct runner_room *room, const struct link *link, const char *why)
{
    struct audit_entry entry = entry_of(room, link, "leave");

    entry.what = why;
    audit(&entry);
}

void record_wrong_key(const struct runner_room *room, const char *address, const char *kind)
{
    struct audit_entry entry = {
        .event = "wrong-key", .address = address, .room = room->code, .what = kind};

    log_warn("a wrong %s key for room %s from %s", kind, room->code, address);
    audit(&entry);
}

void record_refused(const struct runner_room *room, const struct link *link,
                    const struct proto_hello *hello, const struct room_end *refused)
{
    struct audit_entry entry = entry_of(room, link, "refused");

    if (refused->code == PROTO_CLOSE_JOIN && hello->join[0] != '\0') {
        log_warn("a wrong join key for room %s from %s", room->code, link->address);
        entry.event = "wrong-key";
        entry.what = "join";
    } else {
        entry.what = refused->reason;
    }
    entry.name = hello->name;
    audit(&entry);
}

void record_request(const struct runner_room *room, const struct hub_request *request)
{
    struct audit_entry entry = entry_of(room, NULL, "change");

    entry.address = request->address;
    if (request->recording) {
        entry.event = "recording";
        audit(&entry);
    }
    if (request->listed >= 0) {
        entry.what = "listed";
        entry.to = request->listed != 0 ? "true" : "false";
        audit(&entry);
    }
    if (request->has_join_key) {
        entry.what = "join_key";
        entry.to = request->join_key[0] != '\0' ? "another" : "none";
        audit(&entry);
    }
}

void record_note(const struct runner_room *room, const struct link *link,
                 const struct room_note *note)
{
    struct audit_entry entry =
        entry_of(room, link, note->type == ROOM_NOTE_WRONG_KEY ? "wrong-key" : "change");

    if (note->type == ROOM_NOTE_WRONG_KEY && link != NULL) {
        log_warn("a wrong %s key for room %s from %s", note->what, room->code, link->address);
    }
    entry.name = note->name;
    entry.what = note->what;
    entry.from = note->from;
    entry.to = note->to;
    audit(&entry);
}

void record_end(const struct runner_room *room, const char *why)
{
    audit(&(struct audit_entry){.event = "room-ended", .room = room->code, .what = why});
}

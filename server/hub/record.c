#include "hub/record.h"

#include "base/audit.h"
#include "base/log.h"
#include "room/room_state.h"

/* Returns true if the seat's member is a presenter, or was one at the last line about the seat: a
 * line may come when the member has left or has become a viewer. NULL: a request with a key. */
static bool is_presenters(const struct runner_room *room, const struct seat *seat)
{
    return seat == NULL || seat->presented || room_is_presenter(room->room, seat->member);
}

static enum audit_kind kind_of(const struct runner_room *room, const struct seat *seat)
{
    const bool trusted = room->trusted && !room_terms_of(room->room)->open_controls;

    return trusted && is_presenters(room, seat) ? AUDIT_PRESENTER : AUDIT_OTHER;
}

static enum audit_kind kind_of_key(const struct runner_room *room)
{
    return room->trusted ? AUDIT_KEY : AUDIT_OTHER;
}

/* Returns an audit entry for an action through that seat; NULL: over HTTP. */
static struct audit_entry entry_of(const struct runner_room *room, const struct seat *seat,
                                   const char *event)
{
    return (struct audit_entry){.event = event,
                                .kind = kind_of(room, seat),
                                .connection = seat != NULL ? seat->session : 0,
                                .address = seat != NULL ? seat->address : room->asker,
                                .room = room->code,
                                .person = seat != NULL ? seat->person : 0};
}

void record_join(const struct runner_room *room, struct seat *seat)
{
    struct room_person person = room_person(room->room, seat->member);

    seat->person = person.id;
    seat->presented = person.role == PROTO_PRESENTER;
    struct audit_entry entry = entry_of(room, seat, "join");
    entry.name = person.name;
    entry.what = proto_role_name(person.role);
    audit(&entry);
}

void record_leave(const struct runner_room *room, const struct seat *seat, enum end_reason why)
{
    struct audit_entry entry = entry_of(room, seat, "leave");

    entry.what = why != END_NONE ? end_text(why) : NULL;
    audit(&entry);
}

void record_wrong_key(const struct runner_room *room, const char *address, const char *kind)
{
    struct audit_entry entry = {.event = "wrong-key",
                                .kind = kind_of_key(room),
                                .address = address,
                                .room = room->code,
                                .what = kind};

    log_warn("a wrong %s key for room %s from %s", kind, room->code, address);
    audit(&entry);
}

void record_refused(const struct runner_room *room, const struct seat *seat,
                    const struct proto_hello *hello, const struct room_end *refused)
{
    struct audit_entry entry = entry_of(room, seat, "refused");

    if (end_code(refused->why) == PROTO_CLOSE_JOIN && hello->join[0] != '\0') {
        log_warn("a wrong join key for room %s from %s", room->code, seat->address);
        entry.event = "wrong-key";
        entry.kind = kind_of_key(room);
        entry.what = "join";
    } else {
        entry.what = end_text(refused->why);
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

void record_note(const struct runner_room *room, struct seat *seat, const struct room_note *note)
{
    const bool wrong = note->type == ROOM_NOTE_WRONG_KEY;
    struct audit_entry entry = entry_of(room, seat, wrong ? "wrong-key" : "change");

    if (wrong) {
        entry.kind = kind_of_key(room);
    }
    if (wrong && seat != NULL) {
        log_warn("a wrong %s key for room %s from %s", note->what, room->code, seat->address);
    }
    if (seat != NULL) {
        seat->presented = room_is_presenter(room->room, seat->member);
    }
    entry.name = note->name;
    entry.what = note->what;
    entry.from = note->from;
    entry.to = note->to;
    audit(&entry);
}

void record_end(const struct runner_room *room, enum end_reason why)
{
    audit(&(struct audit_entry){.event = "room-ended",
                                .kind = kind_of(room, NULL),
                                .room = room->code,
                                .what = end_text(why)});
}

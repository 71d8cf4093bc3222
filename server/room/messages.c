/* What members ask of a room: one function for each message, called through one table, and the one
 * place where it is checked who may send it and where it is answered. */
#include <stdio.h>
#include <string.h>

#include "base/key.h"
#include "past/history.h"
#include "room/changes.h"
#include "room/members.h"
#include "room/news.h"
#include "room/rewind.h"
#include "room/state.h"
#include "room/tell.h"
#include "scene/boids.h"
#include "scene/control.h"
#include "scene/names.h"
#include "scene/presets.h"
#include "scene/undo.h"
#include "scene/world.h"

_Static_assert(KEY_LENGTH <= PROTO_KEY_MAX, "a key that is made can be said");

struct request {
    struct room *room;
    struct person *from; /* NULL: nobody, who may do what presenters may */
    const struct proto_client_message *message;
    uint64_t now;
    struct proto_error *error;
};

static uint32_t slot_of(const struct request *request)
{
    return (uint32_t)(request->from - request->room->people.slots);
}

/* ---- of members ---- */

static bool on_hello(const struct request *request)
{
    return tell_refuse(request->error, PROTO_E_STATE, "", "hello: it has been said already");
}

static void move_cursor(const struct request *request, float x, float y)
{
    struct room *room = request->room;
    struct cursor before = request->from->cursor;
    bool shown = request->from->shown;

    if (!before.present || before.x != x || before.y != y) {
        people_move(&room->people, slot_of(request), x, y, room_clock(room, request->now),
                    room->definition.cursor_timeout);
        history_cursor(room, slot_of(request), &before, shown, request->now);
    }
}

static bool on_cursor(const struct request *request)
{
    struct proto_cursor cursor = request->message->cursor;
    struct room *room = request->room;

    if (room->viewers_watch && request->from->role != PROTO_PRESENTER) {
        return true;
    }
    if (!world_reaches(room, cursor.x, cursor.y, request->error)) {
        return false;
    }
    world_keep(room, &cursor.x, &cursor.y);
    move_cursor(request, cursor.x, cursor.y);
    return true;
}

static bool on_away(const struct request *request)
{
    people_withdraw(&request->room->people, slot_of(request));
    history_input(request->room, &(struct input){.type = INPUT_AWAY, .slot = slot_of(request)});
    return true;
}

static bool on_ping(const struct request *request)
{
    return tell_refuse(request->error, PROTO_E_STATE, "", "ping: its session answers it");
}

/* Whether the person in that slot may be called so. */
static bool may_be_called(const struct request *request, uint32_t slot, const char *name)
{
    const struct people *people = &request->room->people;

    if (names_blank(name)) {
        return tell_refuse(request->error, PROTO_E_RANGE, "name",
                           "name: expected something that can be seen");
    }
    if (people->slots[slot].role != PROTO_PRESENTER && people_presenter_named(people, name, slot)) {
        return tell_refuse(request->error, PROTO_E_RANGE, "name",
                           "name: a presenter is called so; choose another one");
    }
    return true;
}

static bool on_name(const struct request *request)
{
    struct people *people = &request->room->people;
    const char *name = request->message->name.name;
    uint64_t wait;

    if (!may_be_called(request, slot_of(request), name)) {
        return false;
    }
    wait = people_rename(people, slot_of(request), name, room_clock(request->room, request->now));
    if (wait > 0) {
        tell_refuse(request->error, PROTO_E_STATE, "name",
                    "name: one every %u seconds; try again in %.1f s", PEOPLE_NAME_TIME / 1000000,
                    (double)(wait + 50000) / 1e6);
        request->error->after = (uint32_t)((wait + 999999) / 1000000);
        return false;
    }
    people_part_names(people, slot_of(request));
    return true;
}

static bool on_want(const struct request *request)
{
    return members_want(request->room, request->from, &request->message->want, request->now,
                        request->error);
}

static bool on_key(const struct request *request)
{
    return members_try_key(request->room, request->from, request->message->key.key, request->now,
                           request->error);
}

/* ---- of presenters ---- */

static bool on_set(const struct request *request)
{
    return control_set(request->room, &request->message->set, request->error);
}

static bool on_param(const struct request *request)
{
    return control_param(request->room, &request->message->param, request->error);
}

static bool on_add(const struct request *request)
{
    return boids_add(request->room, &request->message->add, request->error);
}

static bool on_remove(const struct request *request)
{
    boids_remove(request->room, &request->message->remove);
    return true;
}

static bool on_reset(const struct request *request)
{
    return boids_reset(request->room, request->error);
}

static bool on_step(const struct request *request)
{
    return boids_step(request->room, request->error);
}

static bool on_title(const struct request *request)
{
    struct room *room = request->room;
    const char *title = request->message->title.title;

    if (names_blank(title)) {
        return tell_refuse(request->error, PROTO_E_RANGE, "title",
                           "title: expected something that can be seen");
    }
    if (strcmp(room->definition.title, title) != 0) {
        snprintf(room->definition.title, sizeof room->definition.title, "%s", title);
        room->versions[VIEW_ROOM]++;
        room->changes++;
    }
    return true;
}

/* The person of that id; NULL, and *error is filled: there is none. */
static struct person *person_of(const struct request *request, uint32_t id)
{
    uint32_t slot = people_find_id(&request->room->people, id);

    if (slot == PEOPLE_NONE) {
        tell_refuse(request->error, PROTO_E_RANGE, "id",
                    "id: expected that of a person who is here, got %u", id);
        return NULL;
    }
    return &request->room->people.slots[slot];
}

static bool on_expel(const struct request *request)
{
    struct person *person = person_of(request, request->message->expel.id);

    if (person == NULL) {
        return false;
    }
    if (person == request->from) {
        return tell_refuse(request->error, PROTO_E_RANGE, "id",
                           "id: expected another person's, got your own");
    }
    if (person->id == request->room->people.spotlight) {
        people_spotlight(&request->room->people, PEOPLE_NONE);
        history_cut(request->room);
        request->room->versions[VIEW_ROOM]++;
    }
    members_expel(request->room, person, request->now);
    return true;
}

static bool on_appoint(const struct request *request)
{
    const struct proto_appoint *appoint = &request->message->appoint;
    struct people *people = &request->room->people;
    uint32_t away = people_find_away(people, appoint->id);
    struct person *person;

    if (appoint->role == PROTO_VIEWER && away != PEOPLE_NONE) {
        members_set_role(request->room, away, PROTO_VIEWER);
        return true;
    }
    person = person_of(request, appoint->id);
    if (person == NULL) {
        return false;
    }
    members_appoint(request->room, person, appoint->role);
    return true;
}

/* Whoever is called otherwise by a presenter may choose another name in a while, as always. */
static bool on_rename(const struct request *request)
{
    const struct proto_rename *rename = &request->message->rename;
    struct people *people = &request->room->people;
    struct person *person = person_of(request, rename->id);
    uint32_t slot;

    if (person == NULL) {
        return false;
    }
    slot = (uint32_t)(person - people->slots);
    if (!may_be_called(request, slot, rename->name)) {
        return false;
    }
    people_call(people, slot, rename->name, room_clock(request->room, request->now));
    people_part_names(people, slot);
    return true;
}

static bool on_attention(const struct request *request)
{
    const struct proto_attention *attention = &request->message->attention;
    const char *text = attention->on ? attention->text : "";
    struct room *room = request->room;

    if (text[0] != '\0' && names_blank(text)) {
        return tell_refuse(request->error, PROTO_E_RANGE, "text",
                           "text: expected something that can be seen, or nothing");
    }
    if (room->has_attention != attention->on || strcmp(room->attention, text) != 0) {
        room->has_attention = attention->on;
        snprintf(room->attention, sizeof room->attention, "%s", text);
        room->versions[VIEW_ROOM]++;
    }
    return true;
}

static bool on_spotlight(const struct request *request)
{
    struct people *people = &request->room->people;
    uint32_t id = request->message->spotlight.id;
    const struct person *person = id > 0 ? person_of(request, id) : NULL;

    if (id > 0 && person == NULL) {
        return false;
    }
    if (id != people->spotlight) {
        people_spotlight(people, person != NULL ? (uint32_t)(person - people->slots) : PEOPLE_NONE);
        request->room->versions[VIEW_ROOM]++;
    }
    return true;
}

/* What nothing names any more after that is freed. */
static bool on_save(const struct request *request)
{
    bool done = presets_save(request->room, request->message->save.name, request->error);

    presets_sweep(request->room, undo_uses);
    return done;
}

static bool on_forget(const struct request *request)
{
    bool done = presets_remove(request->room, request->message->forget.name, request->error);

    presets_sweep(request->room, undo_uses);
    return done;
}

static bool on_rekey(const struct request *request)
{
    struct room *room = request->room;
    char key[KEY_LENGTH + 1];
    uint8_t digest[DIGEST_SIZE];

    if (request->from == NULL) {
        return tell_refuse(request->error, PROTO_E_STATE, "",
                           "rekey: only someone in the room can be told the new key");
    }
    if (!key_make(key) || !key_digest(key, digest)) {
        return tell_refuse(request->error, PROTO_E_FULL, "", "rekey: no randomness is to be had");
    }
    key_of_digest(digest, room->definition.key);
    room->definition.key_made = true;
    people_demote_away(&room->people);
    history_input(room, &(struct input){.type = INPUT_DEMOTE});
    tell_new_key(room, request->from->member, key);
    return true;
}

static bool on_undo(const struct request *request)
{
    struct undo_report report;

    if (!undo_last(request->room, &report, request->error)) {
        return false;
    }
    const struct news_change change = {.type = PROTO_UNDO,
                                       .name = report.settings_only ? "undo-settings" : "undo",
                                       .what = report.what,
                                       .from = report.from,
                                       .to = report.to};
    news_add(request->room, request->from, &change, request->now);
    return true;
}

/* ---- of the past ---- */

static bool on_rewind(const struct request *request)
{
    const struct rewind_calls *rewind = request->room->definition.rewind_calls;

    if (rewind == NULL) {
        return tell_refuse(request->error, PROTO_E_STATE, "", "rewind: the room keeps no past");
    }
    return rewind->to(request->room, request->message->rewind.back, request->error);
}

/* For what makes sense only while the past is shown. NULL, and *error is filled, if it is not. */
static const struct rewind_calls *rewound(const struct request *request)
{
    if (request->room->rewind == NULL) {
        tell_refuse(request->error, PROTO_E_STATE, "",
                    "the room shows the present; rewind it first");
        return NULL;
    }
    return request->room->definition.rewind_calls;
}

static bool on_play(const struct request *request)
{
    const struct rewind_calls *rewind = rewound(request);

    return rewind != NULL &&
           rewind->play(request->room, request->message->play.speed, request->error);
}

static bool on_live(const struct request *request)
{
    struct room *room = request->room;

    if (room->rewind != NULL) {
        room->definition.rewind_calls->live(room);
    }
    return true;
}

static bool on_resume(const struct request *request)
{
    const struct rewind_calls *rewind = rewound(request);

    return rewind != NULL && rewind->resume(request->room, request->error);
}

/* ---- the table ---- */

/* Returns false, with *error filled and nothing changed, when it cannot be done. */
typedef bool handler(const struct request *request);

#define HANDLER_ROW(number, NAME, name, ...) [number] = on_##name,
static handler *const handlers[PROTO_SERVER_TYPES] = {PROTO_CLIENT_MESSAGES(HANDLER_ROW)};
#undef HANDLER_ROW

static bool may_send(const struct request *request)
{
    if (proto_sender(request->message->type) != PROTO_DIRECTOR || request->from == NULL ||
        request->from->role == PROTO_PRESENTER) {
        return true;
    }
    return tell_refuse(request->error, PROTO_E_ROLE, "",
                       "only a presenter may do this; the link with the key makes one");
}

/* Says of an error which message it answers. */
static void address(struct proto_error *error, const struct proto_client_message *message)
{
    error->type = message->type;
    error->has_tag = message->has_tag;
    error->tag = message->tag;
    snprintf(error->name, sizeof error->name, "%s", proto_message_name(message));
}

/* A model that needs an edge brings its own into an open world: that is told, too, and first, for
 * who is shown only the latest news should see the model. */
static void announce_edge(const struct request *request, const char *from)
{
    const struct proto_client_message *message = request->message;
    const struct news_change change = {.type = PROTO_SET,
                                       .name = proto_type_name(PROTO_SET),
                                       .what = "boundary",
                                       .from = from,
                                       .to = control_value(request->room, "boundary")};

    if (message->type == PROTO_SET && strcmp(message->set.name, "model") == 0 &&
        strcmp(from, change.to) != 0) {
        news_add(request->room, request->from, &change, request->now);
    }
}

/* Does what the message asks for, and notes what it has changed. */
static bool do_noted(const struct request *request)
{
    char edge[CHANGES_VALUE_MAX];
    const struct proto_client_message *message = request->message;
    struct room *room = request->room;
    char before[CHANGES_VALUE_MAX];
    char after[CHANGES_VALUE_MAX];

    if (!proto_has(message->type, PROTO_NOTED)) {
        return handlers[message->type](request);
    }
    changes_value(room, request->from, message, before);
    snprintf(edge, sizeof edge, "%s", control_value(room, "boundary"));
    undo_prepare(room, request->from, message, request->now);
    if (!handlers[message->type](request)) {
        undo_drop(room);
        return false;
    }
    changes_value(room, request->from, message, after);
    announce_edge(request, edge);
    if (changes_tell(room, request->from, message, before, after, request->now)) {
        undo_keep(room);
    } else {
        undo_drop(room);
    }
    return true;
}

/* The present stands still while the past is shown. */
static bool may_change(const struct request *request)
{
    if (request->room->rewind == NULL || !proto_has(request->message->type, PROTO_CHANGES_FLOCK)) {
        return true;
    }
    return tell_refuse(
        request->error, PROTO_E_STATE, "past",
        "the room shows its past: resume from there, or go back to the present, first");
}

static bool do_it(const struct request *request)
{
    uint32_t boids = flock_count(request->room->flock);
    bool done = may_send(request) && may_change(request) && do_noted(request);

    if (!done) {
        address(request->error, request->message);
    } else if (proto_has(request->message->type, PROTO_IN_HISTORY)) {
        history_message(request->room, request->message, request->now);
    }
    if (flock_count(request->room->flock) != boids) {
        members_regrant(request->room);
    }
    return done;
}

/* Does it in a room that is no replay: a replay's cursors are all in its inputs. */
static bool do_now(const struct request *request)
{
    const struct flock_definition before = *flock_definition_of(request->room->flock);
    bool done = do_it(request);
    const struct flock_definition *after = flock_definition_of(request->room->flock);

    if (after->width < before.width || after->height < before.height) {
        world_withdraw_beyond(request->room);
    }
    return done;
}

void room_receive(struct room *room, room_member member, const struct proto_client_message *message,
                  uint64_t now)
{
    struct person *person = members_find(room, member);
    struct proto_error error = {.fatal = false};
    const struct request request = {
        .room = room, .from = person, .message = message, .now = now, .error = &error};

    if (person == NULL) {
        return;
    }
    if (!do_now(&request)) {
        if (error.fatal) {
            members_stop_guessing(room, person, &error, now);
        } else {
            tell_error(room, member, &error);
        }
    } else if (proto_answered(message->type)) {
        tell_done(room, member, message);
    }
}

static bool may_direct(const struct proto_client_message *message, struct proto_error *error)
{
    if (proto_sender(message->type) == PROTO_DIRECTOR) {
        return true;
    }
    tell_refuse(error, PROTO_E_TYPE, "", "this is for someone in the room to say");
    address(error, message);
    return false;
}

bool room_direct(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error)
{
    const struct request request = {.room = room, .message = message, .now = now, .error = error};

    return may_direct(message, error) && do_now(&request);
}

bool room_repeat(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error)
{
    const struct request request = {.room = room, .message = message, .now = now, .error = error};

    return may_direct(message, error) && do_it(&request);
}

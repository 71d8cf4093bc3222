/* The members' messages: one function for each, called through one table. messages_people.c has the
 * functions for names, roles and keys. The table's caller checks the sender's role and sends the
 * answer. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/burst.h"
#include "base/refusal.h"
#include "past/history.h"
#include "room/apply.h"
#include "room/changes.h"
#include "room/draws.h"
#include "room/grants.h"
#include "room/members.h"
#include "room/moves.h"
#include "room/rehearse.h"
#include "room/request.h"
#include "room/rewind.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/sweeps.h"
#include "room/tell.h"
#include "scene/names.h"

/* ---- of members ---- */

bool room_on_cursor(const struct request *request)
{
    const struct proto_cursor *cursor = &request->message->cursor;
    const struct flock_settings *shown = flock_settings_of(scene_flock(room_shown(request->room)));

    if (!moves_may_steer(request->room, request->from)) {
        return true;
    }
    if (!cursor_reaches(shown, cursor->x, cursor->y, request->error)) {
        return false;
    }
    moves_put(request->room, request->from, cursor, request->time);
    return true;
}

bool room_on_away(const struct request *request)
{
    moves_withdraw(request->room, request->from);
    apply_surely(request->room, &(struct input){.type = INPUT_AWAY, .slot = request->from});
    return true;
}

bool room_on_want(const struct request *request)
{
    return grants_want(request->room, request->from, &request->message->want, request->now,
                       request->error);
}

bool room_on_team(const struct request *request)
{
    const struct input input = {
        .type = INPUT_TEAM, .slot = request->from, .team = request->message->team.team};

    return apply_input(request->room, &input, request->change, request->error);
}

static bool may_show(const struct request *request)
{
    return !request->message->pick.shown || request_sender(request)->role == PROTO_PRESENTER ||
           refuse_message(request->error, PROTO_E_ROLE, "shown",
                          "shown: only a presenter may show a boid to all");
}

/* A refused pick ends the one before: the client's session has stopped its explanations. */
bool room_on_pick(const struct request *request)
{
    if (may_show(request) &&
        picks_set(request->room, request->from, &request->message->pick, request->error)) {
        return true;
    }
    picks_end(request->room, request->from);
    return false;
}

bool room_on_unpick(const struct request *request)
{
    picks_end(request->room, request->from);
    return true;
}

bool room_on_sweep(const struct request *request)
{
    const struct proto_sweep *order = &request->message->sweep;
    char value[CHANGE_VALUE_MAX];

    if (!sweeps_start(request->room, request->from, order, request->time, request->error)) {
        return false;
    }
    snprintf(value, sizeof value, "%g to %g", (double)order->from, (double)order->to);
    change_after(request->change, value, true);
    return true;
}

bool room_on_unsweep(const struct request *request)
{
    request->change->changed = sweeps_runs(request->room);
    sweeps_end(request->room, SWEEP_STOPPED, request->time);
    return true;
}

/* ---- of presenters ---- */

bool room_on_attention(const struct request *request)
{
    const struct proto_attention *attention = &request->message->attention;
    const char *text = attention->on ? attention->text : "";
    struct room *room = request->room;

    if (text[0] != '\0' && names_blank(text)) {
        return refuse_message(request->error, PROTO_E_RANGE, "text",
                              "text: expected a visible character, or an empty text");
    }
    change_before(request->change, room->has_attention ? "on" : "off");
    change_after(request->change, attention->on ? "on" : "off",
                 room->has_attention != attention->on);
    if (room->has_attention != attention->on || strcmp(room->attention, text) != 0) {
        room->has_attention = attention->on;
        snprintf(room->attention, sizeof room->attention, "%s", text);
        room->versions[VIEW_ROOM]++;
    }
    return true;
}

bool room_on_door(const struct request *request)
{
    struct room *room = request->room;
    bool closed = !request->message->door.open;

    change_before(request->change, room->definition.door_closed ? "closed" : "open");
    change_after(request->change, closed ? "closed" : "open",
                 room->definition.door_closed != closed);
    room->versions[VIEW_ROOM] += request->change->changed;
    room->definition.door_closed = closed;
    return true;
}

bool room_on_naming(const struct request *request)
{
    struct room *room = request->room;
    bool unnamed = !request->message->naming.ask;

    change_before(request->change, room->unnamed ? "off" : "on");
    change_after(request->change, unnamed ? "off" : "on", room->unnamed != unnamed);
    room->versions[VIEW_ROOM] += request->change->changed;
    room->unnamed = unnamed;
    return true;
}

/* Whether the text can be the code of a room. */
static bool is_code(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
           strlen(text);
}

/* All clients load a page for another room beside this one. */
static const struct burst_limit besides = {5, UINT64_C(10000000)};

/* Whether the message shows a room that is not shown yet. */
static bool is_next_beside(const struct request *request)
{
    const char *code = request->message->beside.code;

    return code[0] != '\0' && strcmp(request->room->beside, code) != 0;
}

/* Whether the room of that code may be shown beside this one now. */
static bool may_be_beside(const struct request *request)
{
    const char *code = request->message->beside.code;
    const uint64_t wait = is_next_beside(request)
                              ? burst_wait(&besides, request->room->besides_until, request->now)
                              : 0;

    if (!is_code(code) || strcasecmp(code, request->room->definition.code) == 0) {
        return refuse_message(request->error, PROTO_E_RANGE, "code",
                              "code: expected the code of another room, or an empty text");
    }
    if (wait > 0) {
        refuse_message(request->error, PROTO_E_FLOOD, "code",
                       "code: this room has shown %u other rooms within a short time; it may show "
                       "the next in %u s",
                       besides.most, burst_seconds(wait));
        request->error->after = burst_seconds(wait);
    }
    return wait == 0;
}

bool room_on_beside(const struct request *request)
{
    const char *code = request->message->beside.code;
    struct room *room = request->room;

    if (!may_be_beside(request)) {
        return false;
    }
    if (is_next_beside(request)) {
        room->besides_until = burst_count(&besides, room->besides_until, request->now);
    }
    change_before(request->change, room->beside);
    change_after(request->change, code, strcmp(room->beside, code) != 0);
    room->versions[VIEW_ROOM] += request->change->changed;
    snprintf(room->beside, sizeof room->beside, "%s", code);
    return true;
}

/* ---- of the past ---- */

bool room_on_rewind(const struct request *request)
{
    if (!rewind_to(request->room, request->message->rewind.back, request->error)) {
        return false;
    }
    sweeps_end(request->room, SWEEP_PAST, request->time);
    return true;
}

/* Whether the room shows its past; else fills *error. */
static bool is_rewound(const struct request *request)
{
    return request->room->rewind != NULL ||
           refuse_message(request->error, PROTO_E_STATE, "",
                          "the room shows the present; rewind it first");
}

bool room_on_play(const struct request *request)
{
    const float speed = request->message->play.speed;

    if (!rewind_can_play(speed, request->error) || !is_rewound(request)) {
        return false;
    }
    rewind_play(request->room, speed);
    return true;
}

bool room_on_live(const struct request *request)
{
    if (request->room->rewind != NULL) {
        rewind_live(request->room);
    }
    return true;
}

bool room_on_resume(const struct request *request)
{
    return is_rewound(request) && rewind_resume(request->room, request->error);
}

/* ---- of the scene ---- */

/* Returns the name of the person in the spotlight; "": none. */
static const char *spotlight_name(const struct room *room)
{
    const struct people *people = room_people(room);
    uint32_t slot = people_find_id(people, people->spotlight);

    slot = slot != PEOPLE_NONE ? slot : people_find_away(people, people->spotlight);
    return people->spotlight > 0 && slot != PEOPLE_NONE ? room->identities[slot].name : "";
}

/* Applies the message to the scene. A preset that is saved while a sweep runs has the value before
 * the sweep. */
static bool apply_message(const struct request *request, const struct input *input)
{
    struct room *room = request->room;

    return input->message->type == PROTO_SAVE && sweeps_runs(room)
               ? sweeps_save(room, input, request->change, request->error)
               : apply_input(room, input, request->change, request->error);
}

static bool is_viewer(const struct request *request)
{
    return request->from != PEOPLE_NONE && request_sender(request)->role != PROTO_PRESENTER;
}

static bool on_scene(const struct request *request)
{
    const struct input input = {
        .type = INPUT_MESSAGE,
        .time = request->time,
        .message = request->message,
        .by = request->from != PEOPLE_NONE ? request_sender(request)->id : 0,
        .by_viewer = is_viewer(request),
    };
    char name[PROTO_NAME_MAX + 1];

    if (request->message->type == PROTO_UNDO && sweeps_runs(request->room)) {
        sweeps_undo(request->room, request->change, request->time);
        return true;
    }
    snprintf(name, sizeof name, "%s", spotlight_name(request->room));
    if (!apply_message(request, &input)) {
        return false;
    }
    if (request->message->type == PROTO_SPOTLIGHT) { /* the scene knows no names */
        change_before(request->change, name);
        change_after(request->change, spotlight_name(request->room), request->change->changed);
    }
    return true;
}

/* ---- the table ---- */

#define ROOM_ROW(number, name)  [number] = room_on_##name,
#define SCENE_ROW(number, name) [number] = on_scene,
static handler *const handlers[PROTO_SERVER_TYPES] = {PROTO_ROOM_MESSAGES(ROOM_ROW)
                                                          PROTO_SCENE_MESSAGES(SCENE_ROW)};
#undef ROOM_ROW
#undef SCENE_ROW

static bool is_handled(const struct request *request)
{
    return handlers[request->message->type] != NULL ||
           refuse_message(request->error, PROTO_E_STATE, "", "the session answers hello and ping");
}

static bool is_allowed(const struct request *request)
{
    switch (proto_sender(request->message->type)) {
    case PROTO_DRAWER:
        return scene_controls_of(request->room->present)->drawing == DRAWING_ALL;
    case PROTO_DIRECTOR:
        return false;
    default:
        return true;
    }
}

static bool may_send(const struct request *request)
{
    return !is_viewer(request) || is_allowed(request) ||
           refuse_message(request->error, PROTO_E_ROLE, "",
                          "only a presenter may do this; open the presenter's link to become one");
}

static bool is_viewers_draw(const struct request *request)
{
    return proto_sender(request->message->type) == PROTO_DRAWER && is_viewer(request);
}

/* Whether the message may change what is in the flock. */
static bool may_change_things(const struct request *request)
{
    const enum proto_type type = request->message->type;

    return proto_has(type, PROTO_CHANGES_FLOCK) || type == PROTO_RESUME;
}

/* Returns whether the sender may draw one more thing now, if the message does; else fills *error.
 */
static bool may_draw(const struct request *request)
{
    if (may_change_things(request)) {
        draws_follow(request->room);
    }
    return !is_viewers_draw(request) || draws_begin(request->room, request->from, request->message,
                                                    request->now, request->error);
}

static void count_draw(const struct request *request)
{
    if (may_change_things(request)) {
        draws_follow(request->room);
    }
    if (request->message->type == PROTO_RESUME) {
        draws_forget(request->room);
    }
    if (is_viewers_draw(request)) {
        draws_end(request->room, request->from, request->message->type, request->now);
    }
}

/* Names in an error the message that it answers. */
static void address(struct proto_error *error, const struct proto_client_message *message)
{
    assert(error->code != PROTO_OK);
    error->type = message->type;
    error->has_tag = message->has_tag;
    error->tag = message->tag;
    snprintf(error->name, sizeof error->name, "%s", proto_message_name(message));
}

/* Whether the message may change the present now: it stands still while the past is shown, and the
 * flock that undo keeps needs memory. */
static bool may_change(const struct request *request)
{
    enum proto_type type = request->message->type;

    if (request->room->rewind == NULL || !proto_has(type, PROTO_CHANGES_FLOCK)) {
        return !proto_has(type, PROTO_MOVES) || room_fits(request->room, request->error);
    }
    return refuse_message(
        request->error, PROTO_E_STATE, "past",
        "the room shows its past; resume from there or return to the present first");
}

/* Does what a change of the flock needs. */
static void follow(struct room *room, uint32_t boids, float width, float height)
{
    const struct flock *flock = scene_flock(room->present);
    const struct flock_settings *after = flock_settings_of(flock);

    if (flock_count(flock) != boids) {
        grants_renew(room);
    }
    if (after->width < width || after->height < height) {
        apply_world(room);
    }
}

/* Begins or continues a drag: members see the vectors of the changed parameter's rules. */
static void note_drag(const struct request *request)
{
    struct room *room = request->room;
    const struct flock_settings *settings = flock_settings_of(scene_flock(room->present));

    assert(request->change->param < settings->model->param_count);
    drag_note(&room->drag, settings->model->params[request->change->param].causes, request->now);
}

/* Does what the message asks for, and tells what it has changed. */
static bool do_it(const struct request *request)
{
    struct room *room = request->room;
    const struct flock_settings *settings = flock_settings_of(scene_flock(room->present));
    const float width = settings->width;
    const float height = settings->height;
    uint32_t boids = flock_count(scene_flock(room->present));
    enum proto_type type = request->message->type;

    if (!is_handled(request) || !may_send(request) || !may_change(request) || !may_draw(request) ||
        !handlers[type](request)) {
        address(request->error, request->message);
        return false;
    }
    if (proto_has(type, PROTO_NOTED)) {
        changes_tell(room, request->from, request->message, request->change, request->time);
    }
    sweeps_follow(room, request->message);
    if (type == PROTO_PARAM && request->change->changed) {
        note_drag(request);
    }
    count_draw(request);
    follow(room, boids, width, height);
    return true;
}

void room_receive(struct room *room, room_member member, const struct proto_client_message *message,
                  uint64_t now)
{
    uint32_t slot = people_find(room_people(room), member);
    struct change change;
    struct proto_error error;

    if (slot == PEOPLE_NONE) {
        return;
    }
    change = (struct change){.slot = PEOPLE_NONE};
    error = (struct proto_error){.fatal = false};
    const struct request request = {.room = room,
                                    .from = slot,
                                    .message = message,
                                    .now = now,
                                    .time = room_time(room, now),
                                    .change = &change,
                                    .error = &error};
    if (!do_it(&request)) {
        if (error.fatal) {
            members_stop_guessing(room, slot, &error, now);
        } else {
            tell_error(room, member, &error);
        }
    } else if (proto_answered(message->type)) {
        tell_done(room, member, message);
    }
}

static bool may_direct(const struct proto_client_message *message, struct proto_error *error)
{
    if (proto_sender(message->type) != PROTO_MEMBER &&
        proto_sender(message->type) != PROTO_STRANGER) {
        return true;
    }
    refuse_message(error, PROTO_E_TYPE, "", "only a member of the room may send this message");
    address(error, message);
    return false;
}

bool room_direct(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error)
{
    struct change change = {.slot = PEOPLE_NONE};
    const struct request request = {.room = room,
                                    .from = PEOPLE_NONE,
                                    .message = message,
                                    .now = now,
                                    .time = room_time(room, now),
                                    .change = &change,
                                    .error = error};

    return may_direct(message, error) && do_it(&request);
}

/* Whether the room, apart from its scene, accepts each of the messages; else fills *error. */
static bool may_direct_all(struct room *room, const struct proto_client_message *messages,
                           uint32_t count, uint64_t now, struct proto_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct request request = {
            .room = room, .message = &messages[i], .now = now, .error = error};
        if (!may_change(&request) ||
            (messages[i].type == PROTO_BESIDE && !may_be_beside(&request))) {
            address(error, &messages[i]);
            return false;
        }
    }
    return true;
}

bool room_direct_all(struct room *room, const struct proto_client_message *messages, uint32_t count,
                     uint64_t now, struct proto_error *error)
{
    uint32_t refused;

    if (!may_direct_all(room, messages, count, now, error)) {
        return false;
    }
    if (count > 1 && !rehearse(room, messages, count, room_time(room, now), &refused, error)) {
        address(error, &messages[refused]);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!room_direct(room, &messages[i], now, error)) {
            return false;
        }
    }
    return true;
}

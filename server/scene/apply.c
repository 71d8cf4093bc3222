/* Applying inputs to a scene: scene_apply(). One function for each input and for each message that
 * changes a scene, called through two tables. */
#include <math.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/boids.h"
#include "scene/control.h"
#include "scene/inside.h"
#include "scene/names.h"
#include "scene/param.h"
#include "scene/passing.h"
#include "scene/things.h"

struct request {
    struct scene *scene;
    const struct input *input;
    struct change *change;
    struct proto_error *error;
};

/* ---- messages ---- */

static bool on_set(const struct request *request)
{
    return control_set(request->scene, &request->input->message->set, request->change,
                       request->error);
}

static bool on_param(const struct request *request)
{
    return param_set(request->scene, &request->input->message->param, request->change,
                     request->error);
}

static bool on_add(const struct request *request)
{
    return boids_add(request->scene, &request->input->message->add, request->error);
}

static bool on_remove(const struct request *request)
{
    boids_remove(request->scene, &request->input->message->remove);
    return true;
}

static bool on_reset(const struct request *request)
{
    request->change->changed = boids_reset(request->scene, request->error);
    return request->change->changed;
}

static bool on_food(const struct request *request)
{
    return things_food(request->scene, &request->input->message->food, request->change,
                       request->error);
}

static bool on_hunter(const struct request *request)
{
    return things_hunter(request->scene, &request->input->message->hunter, request->change,
                         request->error);
}

static bool on_wall(const struct request *request)
{
    return things_wall(request->scene, &request->input->message->wall, request->change,
                       request->error);
}

static bool on_erase(const struct request *request)
{
    return things_erase(request->scene, &request->input->message->erase, request->change,
                        request->error);
}

static bool on_clear(const struct request *request)
{
    return things_clear(request->scene, request->change, request->error);
}

static bool on_step(const struct request *request)
{
    return boids_step(request->scene, request->error);
}

static bool on_undo(const struct request *request)
{
    return undo_last(request->scene, request->change, request->error);
}

/* Frees the presets that nothing names afterwards. */
static void sweep_presets(struct scene *scene)
{
    const struct flock_preset *named[UNDO_NAMED_MAX];

    presets_sweep(scene, named, undo_named(scene, named));
}

static bool on_save(const struct request *request)
{
    const char *name = request->input->message->save.name;
    bool done;

    change_before(request->change, presets_named(request->scene, name));
    done = presets_save(request->scene, name, request->error);
    change_after(request->change, presets_named(request->scene, name), done);
    sweep_presets(request->scene);
    return done;
}

static bool on_forget(const struct request *request)
{
    const char *name = request->input->message->forget.name;
    bool done;

    change_before(request->change, presets_named(request->scene, name));
    done = presets_remove(request->scene, name, request->error);
    change_after(request->change, presets_named(request->scene, name), done);
    sweep_presets(request->scene);
    return done;
}

static bool on_title(const struct request *request)
{
    struct scene *scene = request->scene;
    const char *title = request->input->message->title.title;

    if (names_blank(title)) {
        return refuse_message(request->error, PROTO_E_RANGE, "title",
                              "title: expected at least one visible character");
    }
    change_before(request->change, scene->definition.title);
    change_after(request->change, title, strcmp(scene->definition.title, title) != 0);
    snprintf(scene->definition.title, sizeof scene->definition.title, "%s", title);
    scene->versions.controls += request->change->changed;
    scene->versions.facts += request->change->changed;
    return true;
}

static bool on_spotlight(const struct request *request)
{
    struct people *people = &request->scene->people;
    uint32_t id = request->input->message->spotlight.id;
    uint32_t slot = id > 0 ? people_find_id(people, id) : PEOPLE_NONE;
    const bool other = id != people->spotlight;

    if (id > 0 && slot == PEOPLE_NONE) {
        return refuse_message(request->error, PROTO_E_RANGE, "id",
                              "id: expected the id of a person in the room, got %u", id);
    }
    people_spotlight(people, slot); /* the same person may have left and come back */
    request->scene->versions.controls += other;
    request->change->changed = other;
    return true;
}

static bool on_skip(const struct request *request)
{
    if (request->scene->controls.policy != CURSOR_RELAY) {
        return refuse_message(request->error, PROTO_E_STATE, "", "skip: the policy is not relay");
    }
    relay_skip(request->scene);
    return true;
}

/* Returns false, with *error filled and nothing changed, if the message is refused. */
typedef bool message_handler(const struct request *request);

#define MESSAGE_ROW(number, name) [number] = on_##name,
static message_handler *const message_handlers[PROTO_SERVER_TYPES] = {
    PROTO_SCENE_MESSAGES(MESSAGE_ROW)};
#undef MESSAGE_ROW

/* Describes the number of boids in words and as a number. */
static void describe_boids(const struct scene *scene, char out[CHANGE_VALUE_MAX], double *number)
{
    uint32_t count = flock_count(scene->flock);

    snprintf(out, CHANGE_VALUE_MAX, "%u", count);
    *number = count;
}

/* Does what the message asks for, and keeps how things were before it. */
static bool on_message(const struct request *request)
{
    struct scene *scene = request->scene;
    const struct proto_client_message *message = request->input->message;
    struct change *change = request->change;
    bool counted;

    if (message_handlers[message->type] == NULL) {
        return refuse_message(request->error, PROTO_E_TYPE, "",
                              "this message does not change a scene");
    }
    counted = proto_has(message->type, PROTO_COUNTED);
    if (request->input->passing == INPUT_LASTS) {
        undo_prepare(scene, request->input);
    }
    if (counted) {
        describe_boids(scene, change->before, &change->number_before);
    }
    if (!message_handlers[message->type](request)) {
        undo_drop(scene);
        return false;
    }
    if (counted) {
        describe_boids(scene, change->after, &change->number_after);
        change->changed |= change->number_before != change->number_after;
    }
    passing_follow(scene, request->input, change);
    if (change->changed) {
        undo_keep(scene);
    } else {
        undo_drop(scene);
    }
    return true;
}

/* ---- people and their cursors ---- */

/* Returns the person in that slot if that person is here, else NULL. */
static struct person *person_here(const struct request *request)
{
    struct people *people = &request->scene->people;
    uint32_t slot = request->input->slot;

    if (slot >= people->used || people->slots[slot].member == 0) {
        return NULL;
    }
    return &people->slots[slot];
}

static bool refuse_input(const struct request *request, const char *why)
{
    return refuse_message(request->error, PROTO_E_MALFORMED, "", "%s", why);
}

static bool on_cursor(const struct request *request)
{
    struct scene *scene = request->scene;
    const struct input *input = request->input;
    struct person *person = person_here(request);

    if (person == NULL) {
        return refuse_input(request, "a cursor of a person who is not here");
    }
    if (!(fabsf(input->x) <= FLOCK_FAR) || !(fabsf(input->y) <= FLOCK_FAR)) {
        return refuse_input(request, "a cursor beyond the world");
    }
    if (input->type == INPUT_MOVE) {
        people_move(&scene->people, input->slot, input->x, input->y, input->time,
                    scene->definition.cursor_timeout);
    } else {
        person->cursor =
            (struct cursor){.present = true, .x = input->x, .y = input->y, .moved_at = input->time};
    }
    return true;
}

static bool on_away(const struct request *request)
{
    if (person_here(request) != NULL) {
        people_withdraw(&request->scene->people, request->input->slot);
    }
    return true;
}

static bool on_join(const struct request *request)
{
    struct people *people = &request->scene->people;
    const uint32_t group = request->input->group;
    uint32_t slot = request->input->slot;

    if (group > PEOPLE_GROUP_MAX) {
        return refuse_message(request->error, PROTO_E_MALFORMED, "group",
                              "a person joined with group %u, expected 0 to %u", group,
                              PEOPLE_GROUP_MAX);
    }
    switch (people_admit(people, group, request->input->time, &slot)) {
    case PEOPLE_OK:
        people_appoint(people, slot, request->input->role);
        relay_joined(request->scene, slot);
        request->change->slot = slot;
        return true;
    case PEOPLE_NO_MEMORY:
        return refuse_message(request->error, PROTO_E_FULL, "", "out of memory");
    default:
        return refuse_input(request, "a person could not join");
    }
}

static bool on_leave(const struct request *request)
{
    if (person_here(request) == NULL) {
        return refuse_input(request, "a person left who was not in the room");
    }
    people_leave(&request->scene->people, request->input->slot, request->input->expelled,
                 request->input->time);
    return true;
}

static bool on_role(const struct request *request)
{
    struct people *people = &request->scene->people;
    uint32_t slot = request->input->slot;

    if (slot >= people->used || people->slots[slot].id == 0) {
        return refuse_input(request, "a role for an unknown person");
    }
    people_appoint(people, slot, request->input->role);
    return true;
}

static bool on_team(const struct request *request)
{
    const uint32_t count = control_teams(&request->scene->controls);
    const uint32_t team = request->input->team;
    struct person *person = person_here(request);

    if (person == NULL) {
        return refuse_input(request, "a team of a person who is not here");
    }
    if (request->scene->controls.policy != CURSOR_TEAMS) {
        return refuse_message(request->error, PROTO_E_STATE, "", "team: the policy is not teams");
    }
    if (team < 1 || team > count) {
        return refuse_message(request->error, PROTO_E_RANGE, "team",
                              "team: expected 1 to %u, got %u", count, team);
    }
    person->team = (uint8_t)team;
    return true;
}

static bool on_demote(const struct request *request)
{
    people_demote_away(&request->scene->people);
    return true;
}

static bool on_forgotten(const struct request *request)
{
    struct people *people = &request->scene->people;
    const uint32_t slot = request->input->slot;

    if (slot >= people->used || people->slots[slot].id == 0 || people->slots[slot].member != 0) {
        return refuse_input(request, "a person was forgotten who was not away");
    }
    people_forget(people, slot);
    return true;
}

static bool on_pause(const struct request *request)
{
    request->scene->controls.run = RUN_PAUSED;
    request->scene->steps = 0;
    request->scene->versions.controls++;
    return true;
}

static bool on_discard(const struct request *request)
{
    const struct input *input = request->input;

    if (input->slot >= things_count(request->scene->flock, input->thing)) {
        return refuse_input(request, "an unknown thing was discarded");
    }
    if (!things_discard(request->scene, input->thing, input->slot, request->error)) {
        return false;
    }
    if (input->thing == INPUT_HUNTER) {
        undo_without_hunter(request->scene, input->slot);
    }
    return true;
}

static message_handler *const input_handlers[INPUT_TYPES] = {
    [INPUT_CURSOR] = on_cursor, [INPUT_MOVE] = on_cursor,      [INPUT_AWAY] = on_away,
    [INPUT_JOIN] = on_join,     [INPUT_LEAVE] = on_leave,      [INPUT_ROLE] = on_role,
    [INPUT_DEMOTE] = on_demote, [INPUT_MESSAGE] = on_message,  [INPUT_PAUSE] = on_pause,
    [INPUT_TEAM] = on_team,     [INPUT_FORGET] = on_forgotten, [INPUT_DISCARD] = on_discard};

bool scene_apply(struct scene *scene, const struct input *input, struct change *change,
                 struct proto_error *error)
{
    const struct request request = {
        .scene = scene, .input = input, .change = change, .error = error};

    *change = (struct change){.slot = PEOPLE_NONE};
    if (input->type >= INPUT_TYPES || input_handlers[input->type] == NULL) {
        return refuse_input(&request, "unknown input type");
    }
    return input_handlers[input->type](&request);
}

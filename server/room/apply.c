#include "room/apply.h"

#include <assert.h>

#include "past/history.h"
#include "room/state.h"

bool apply_input(struct room *room, const struct input *input, struct change *change,
                 struct proto_error *error)
{
    const struct scene_versions before = scene_versions(room->present);
    struct scene_versions after;

    if (!history_apply(room->history, room->present, input, change, error)) {
        return false;
    }
    after = scene_versions(room->present);
    room->versions[VIEW_ROOM] += after.controls - before.controls;
    room->versions[VIEW_PARAMS] += after.params - before.params;
    room->changes += after.facts - before.facts;
    return true;
}

void apply_surely(struct room *room, const struct input *input)
{
    struct change change;
    struct proto_error error;
    bool applied = apply_input(room, input, &change, &error);

    assert(applied);
    (void)applied;
}

void apply_spotlight(struct room *room, uint32_t slot, uint64_t time)
{
    const struct person *person = room_person_at(room, slot);
    const struct proto_client_message message = {.type = PROTO_SPOTLIGHT,
                                                 .spotlight = {person->id}};

    if (person->id == room_people(room)->spotlight && !person->shown) {
        apply_surely(room,
                     &(struct input){.type = INPUT_MESSAGE, .time = time, .message = &message});
    }
}

void apply_world(struct room *room)
{
    const struct flock_settings *world = flock_settings_of(scene_flock(room->present));
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(room_people(room), &next)) != NULL) {
        if (cursor_is_beyond(world, &person->cursor)) {
            apply_surely(room,
                         &(struct input){.type = INPUT_AWAY, .slot = room_slot_of(room, person)});
        }
    }
}

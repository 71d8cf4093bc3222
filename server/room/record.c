/* The past of a room with the names of its people: room_hold_past(). */
#include <stdlib.h>
#include <string.h>

#include "past/history.h"
#include "room/state.h"

struct recording *room_hold_past(struct room *room)
{
    const struct people *people = room_people(room);
    struct recording *recording =
        room->history != NULL ? history_hold(room->history, room->present) : NULL;
    struct recording_name *names;
    size_t count = 0;
    bool added;

    if (recording == NULL) {
        return NULL;
    }
    names = calloc(people->used + 1, sizeof *names);
    for (uint32_t slot = 0; names != NULL && slot < people->used; slot++) {
        if (people->slots[slot].id > 0) {
            names[count].id = people->slots[slot].id;
            memcpy(names[count].name, room->identities[slot].name, sizeof names[count].name);
            count++;
        }
    }
    added = names != NULL && recording_add_names(recording, names, count);
    free(names);
    if (!added) {
        recording_destroy(recording);
        return NULL;
    }
    return recording;
}

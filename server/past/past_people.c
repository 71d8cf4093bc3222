#include "past/past_people.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *key, const void *element)
{
    uint32_t id = *(const uint32_t *)key;
    uint32_t other = ((const struct recording_name *)element)->id;

    return (id > other) - (id < other);
}

static const struct recording_name *find_name(const struct recording *recording, uint32_t id)
{
    return recording->name_count > 0 ? bsearch(&id, recording->names, recording->name_count,
                                               sizeof *recording->names, by_id)
                                     : NULL;
}

bool past_people_update(struct past_people *people, const struct scene *then,
                        const struct recording *recording)
{
    const struct people *people_then = scene_people(then);
    uint32_t count = 0;
    bool changed = false;

    for (uint32_t i = 0; i < people_then->shown_count; i++) {
        const struct person *person = &people_then->slots[people_then->shown[i]];
        const struct recording_name *name = find_name(recording, person->id);
        struct proto_person *out = &people->list[count];
        const uint32_t flags = scene_team(then, person) << PROTO_TEAM_SHIFT;
        changed = changed || count >= people->count || out->id != person->id || out->flags != flags;
        *out = (struct proto_person){.id = person->id, .color = person->color, .flags = flags};
        if (name != NULL) {
            memcpy(out->name, name->name, sizeof out->name);
        }
        count++;
    }
    changed = changed || count != people->count;
    people->count = count;
    return changed;
}

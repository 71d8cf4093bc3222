#include "room/changes.h"

#include <stdio.h>
#include <string.h>

#include "room/news.h"
#include "room/state.h"
#include "room/tell.h"
#include "scene/control.h"
#include "scene/presets.h"

#define WHAT_MAX 64u

/* The person of that id, here or away, or NULL. */
static const struct person *find(const struct people *people, uint32_t id)
{
    uint32_t slot = people_find_id(people, id);

    slot = slot != PEOPLE_NONE ? slot : people_find_away(people, id);
    return slot != PEOPLE_NONE ? &people->slots[slot] : NULL;
}

static const char *name_of(const struct person *person)
{
    return person != NULL ? person->name : "";
}

static const char *role_of(const struct person *person)
{
    return person != NULL ? proto_role_name(person->role) : "";
}

void changes_value(const struct room *room, const struct person *who,
                   const struct proto_client_message *message, char out[CHANGES_VALUE_MAX])
{
    const struct people *people = &room->people;
    int index;

    out[0] = '\0';
    switch (message->type) {
    case PROTO_KEY:
        snprintf(out, CHANGES_VALUE_MAX, "%s", role_of(who));
        break;
    case PROTO_SET:
        snprintf(out, CHANGES_VALUE_MAX, "%s", control_value(room, message->set.name));
        break;
    case PROTO_PARAM:
        index = flock_param_find(flock_definition_of(room->flock)->model, message->param.name);
        if (index >= 0) {
            snprintf(out, CHANGES_VALUE_MAX, "%g",
                     (double)flock_param_get(room->flock, (size_t)index));
        }
        break;
    case PROTO_ADD:
    case PROTO_REMOVE:
    case PROTO_RESET:
        snprintf(out, CHANGES_VALUE_MAX, "%u", flock_count(room->flock));
        break;
    case PROTO_TITLE:
        snprintf(out, CHANGES_VALUE_MAX, "%s", room->definition.title);
        break;
    case PROTO_APPOINT:
        snprintf(out, CHANGES_VALUE_MAX, "%s", role_of(find(people, message->appoint.id)));
        break;
    case PROTO_RENAME:
        snprintf(out, CHANGES_VALUE_MAX, "%s", name_of(find(people, message->rename.id)));
        break;
    case PROTO_SAVE:
        snprintf(out, CHANGES_VALUE_MAX, "%s", presets_named(room, message->save.name));
        break;
    case PROTO_FORGET:
        snprintf(out, CHANGES_VALUE_MAX, "%s", presets_named(room, message->forget.name));
        break;
    case PROTO_ATTENTION:
        snprintf(out, CHANGES_VALUE_MAX, "%s", room->has_attention ? "on" : "off");
        break;
    case PROTO_SPOTLIGHT:
        snprintf(out, CHANGES_VALUE_MAX, "%s", name_of(find(people, people->spotlight)));
        break;
    default:
        break;
    }
}

/* Which message it is, and what it is about: "set run", "appoint 7". */
static void write_what(const struct proto_client_message *message, char out[WHAT_MAX])
{
    const char *name = proto_message_name(message);
    uint32_t id = message->type == PROTO_APPOINT  ? message->appoint.id
                  : message->type == PROTO_EXPEL  ? message->expel.id
                  : message->type == PROTO_RENAME ? message->rename.id
                                                  : 0;

    snprintf(out, WHAT_MAX, "%s%s%s", proto_type_name(message->type), name[0] != '\0' ? " " : "",
             name);
    if (id > 0) {
        snprintf(out, WHAT_MAX, "%s %u", proto_type_name(message->type), id);
    }
}

/* Whether the message has changed something: a preset or a model that is chosen again puts its
 * parameters back. */
static bool has_changed(const struct proto_client_message *message, const char *from,
                        const char *to)
{
    return strcmp(from, to) != 0 || message->type == PROTO_RESET || message->type == PROTO_SAVE ||
           (message->type == PROTO_SET && control_makes_flock(message->set.name));
}

/* Tells everyone what has been changed, where it is everyone's. */
static void announce(struct room *room, const struct person *who,
                     const struct proto_client_message *message, const char *from, const char *to,
                     uint64_t now)
{
    struct news_change change = {.type = message->type,
                                 .name = proto_type_name(message->type),
                                 .what = proto_message_name(message),
                                 .from = from,
                                 .to = to};
    char id[16];

    if (!proto_has(message->type, PROTO_ANNOUNCED)) {
        return;
    }
    switch (message->type) {
    case PROTO_PARAM:
        change.param = (uint32_t)flock_param_find(flock_definition_of(room->flock)->model,
                                                  message->param.name);
        break;
    case PROTO_RESET:
        change.from = change.to = "";
        break;
    case PROTO_RENAME:
        snprintf(id, sizeof id, "%u", message->rename.id);
        change.what = id;
        break;
    default:
        break;
    }
    news_add(room, who, &change, now);
}

bool changes_tell(struct room *room, const struct person *who,
                  const struct proto_client_message *message, const char *from, const char *to,
                  uint64_t now)
{
    char what[WHAT_MAX];

    write_what(message, what);
    tell_note(room, who, ROOM_NOTE_CHANGE, what, from, to);
    if (!has_changed(message, from, to)) {
        return false;
    }
    announce(room, who, message, from, to, now);
    return true;
}

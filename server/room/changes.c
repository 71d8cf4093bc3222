#include "room/changes.h"

#include <stdio.h>
#include <string.h>

#include "room/news.h"
#include "room/state.h"
#include "room/tell.h"

#define WHAT_MAX 64u

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

/* Tells everyone of a boundary that a model brought with it, before the model: a client that shows
 * only the latest news should show the model. */
static void announce_boundary(struct room *room, uint32_t slot, const struct change *change,
                              uint64_t time)
{
    const struct news_change news = {.type = PROTO_SET,
                                     .name = proto_type_name(PROTO_SET),
                                     .what = "boundary",
                                     .from = change->boundary_before,
                                     .to = change->boundary_after};

    news_add(room, slot, &news, time);
}

static void announce(struct room *room, uint32_t slot, const struct proto_client_message *message,
                     const struct change *change, uint64_t time)
{
    const bool bare = proto_has(message->type, PROTO_BARE);
    struct news_change news = {.type = message->type,
                               .name = proto_type_name(message->type),
                               .what = proto_message_name(message),
                               .param = change->param,
                               .from = bare ? "" : change->before,
                               .to = bare ? "" : change->after,
                               .before = change->number_before,
                               .after = change->number_after};
    char id[16];

    bool brings_boundary = message->type == PROTO_WALL ||
                           (message->type == PROTO_SET && strcmp(message->set.name, "model") == 0);

    if (brings_boundary && strcmp(change->boundary_before, change->boundary_after) != 0) {
        announce_boundary(room, slot, change, time);
    }
    if (message->type == PROTO_RENAME) {
        snprintf(id, sizeof id, "%u", message->rename.id);
        news.what = id;
    }
    if (message->type == PROTO_UNDO) {
        news.name = change->settings_only ? "undo-settings" : "undo";
        news.what = change->undone;
    }
    news_add(room, slot, &news, time);
}

void changes_tell(struct room *room, uint32_t slot, const struct proto_client_message *message,
                  const struct change *change, uint64_t time)
{
    bool undo = message->type == PROTO_UNDO; /* the audit log has what was done, not its values */
    char what[WHAT_MAX];

    write_what(message, what);
    tell_note(room, slot, ROOM_NOTE_CHANGE, what, undo ? "" : change->before,
              undo ? "" : change->after);
    if (change->changed && proto_has(message->type, PROTO_ANNOUNCED)) {
        announce(room, slot, message, change, time);
    }
}

/* The fields of each message, for messages.c.
 * Made from protocol/schema.mjs by `make protocol`: edit that. */
#ifndef PROTOCOL_FIELDS_H
#define PROTOCOL_FIELDS_H

#include "form.h"

/* clang-format off */

static const struct field cursor_fields[] = {
    {.name = "x", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_cursor, x)},
    {.name = "y", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_cursor, y)},
};

static const struct field ping_fields[] = {
    {.name = "t", .kind = FIELD_UINT64, .offset = offsetof(struct proto_ping, t), .min = 0, .max = UINT64_MAX},
};

static const struct field name_fields[] = {
    {.name = "name", .kind = FIELD_LINE, .offset = offsetof(struct proto_name, name), .min = 1, .max = PROTO_NAME_MAX},
};

static const struct field want_fields[] = {
    {.name = "rate", .kind = FIELD_UINT32, .offset = offsetof(struct proto_want, rate), .min = 0, .max = PROTO_RATE_MAX},
    {.name = "boids", .kind = FIELD_UINT32, .offset = offsetof(struct proto_want, boids), .min = 0, .max = PROTO_BOIDS_MAX},
    {.name = "topics", .kind = FIELD_UINT32_NIL, .offset = offsetof(struct proto_want, topics), .has = offsetof(struct proto_want, has_topics), .min = 0, .max = UINT32_MAX, .optional = true},
};

static const struct field key_fields[] = {
    {.name = "key", .kind = FIELD_WORD, .offset = offsetof(struct proto_key, key), .min = 1, .max = PROTO_KEY_MAX},
};

static const struct field set_fields[] = {
    {.name = "name", .kind = FIELD_WORD, .offset = offsetof(struct proto_set, name), .min = 1, .max = PROTO_WORD_MAX},
    {.name = "value", .kind = FIELD_LINE, .offset = offsetof(struct proto_set, value), .min = 1, .max = PROTO_VALUE_MAX},
};

static const struct field param_fields[] = {
    {.name = "name", .kind = FIELD_IDENTIFIER, .offset = offsetof(struct proto_param, name), .min = 1, .max = PROTO_ROOM_MAX},
    {.name = "value", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_param, value)},
};

static const struct field add_fields[] = {
    {.name = "x", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_add, x)},
    {.name = "y", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_add, y)},
    {.name = "count", .kind = FIELD_UINT32, .offset = offsetof(struct proto_add, count), .min = 1, .max = PROTO_ADD_MAX},
};

static const struct field remove_fields[] = {
    {.name = "count", .kind = FIELD_UINT32, .offset = offsetof(struct proto_remove, count), .min = 1, .max = PROTO_BOIDS_MAX},
};

static const struct field title_fields[] = {
    {.name = "title", .kind = FIELD_LINE, .offset = offsetof(struct proto_title, title), .min = 1, .max = PROTO_TITLE_MAX},
};

static const struct field expel_fields[] = {
    {.name = "id", .kind = FIELD_UINT32, .offset = offsetof(struct proto_expel, id), .min = 1, .max = UINT32_MAX},
};

static const struct field appoint_fields[] = {
    {.name = "id", .kind = FIELD_UINT32, .offset = offsetof(struct proto_appoint, id), .min = 1, .max = UINT32_MAX},
    {.name = "role", .kind = FIELD_ROLE, .offset = offsetof(struct proto_appoint, role)},
};

static const struct field rename_fields[] = {
    {.name = "id", .kind = FIELD_UINT32, .offset = offsetof(struct proto_rename, id), .min = 1, .max = UINT32_MAX},
    {.name = "name", .kind = FIELD_LINE, .offset = offsetof(struct proto_rename, name), .min = 1, .max = PROTO_NAME_MAX},
};

static const struct field attention_fields[] = {
    {.name = "on", .kind = FIELD_BOOL, .offset = offsetof(struct proto_attention, on)},
    {.name = "text", .kind = FIELD_LINE, .offset = offsetof(struct proto_attention, text), .min = 0, .max = PROTO_TEXT_MAX},
};

static const struct field spotlight_fields[] = {
    {.name = "id", .kind = FIELD_UINT32, .offset = offsetof(struct proto_spotlight, id), .min = 0, .max = UINT32_MAX},
};

static const struct field door_fields[] = {
    {.name = "open", .kind = FIELD_BOOL, .offset = offsetof(struct proto_door, open)},
};

static const struct field naming_fields[] = {
    {.name = "ask", .kind = FIELD_BOOL, .offset = offsetof(struct proto_naming, ask)},
};

static const struct field beside_fields[] = {
    {.name = "code", .kind = FIELD_LINE, .offset = offsetof(struct proto_beside, code), .min = 0, .max = PROTO_ROOM_MAX},
};

static const struct field pick_fields[] = {
    {.name = "boid", .kind = FIELD_UINT32, .offset = offsetof(struct proto_pick, boid), .min = 0, .max = UINT32_MAX},
    {.name = "shown", .kind = FIELD_BOOL, .offset = offsetof(struct proto_pick, shown)},
};

static const struct field sweep_fields[] = {
    {.name = "name", .kind = FIELD_IDENTIFIER, .offset = offsetof(struct proto_sweep, name), .min = 1, .max = PROTO_ROOM_MAX},
    {.name = "from", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_sweep, from)},
    {.name = "to", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_sweep, to)},
    {.name = "steps", .kind = FIELD_UINT32, .offset = offsetof(struct proto_sweep, steps), .min = 2, .max = PROTO_SWEEP_STEPS_MAX},
    {.name = "warm_up", .kind = FIELD_UINT32, .offset = offsetof(struct proto_sweep, warm_up), .min = 0, .max = 60},
    {.name = "seconds", .kind = FIELD_UINT32, .offset = offsetof(struct proto_sweep, seconds), .min = 2, .max = 120},
};

static const struct field rewind_fields[] = {
    {.name = "back", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_rewind, back)},
};

static const struct field play_fields[] = {
    {.name = "speed", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_play, speed)},
};

static const struct field save_fields[] = {
    {.name = "name", .kind = FIELD_LINE, .offset = offsetof(struct proto_save, name), .min = 1, .max = PROTO_VALUE_MAX},
};

static const struct field forget_fields[] = {
    {.name = "name", .kind = FIELD_LINE, .offset = offsetof(struct proto_forget, name), .min = 1, .max = PROTO_VALUE_MAX},
};

static const struct field team_fields[] = {
    {.name = "team", .kind = FIELD_UINT32, .offset = offsetof(struct proto_team, team), .min = 1, .max = PROTO_TEAMS_MAX},
};

static const struct field food_fields[] = {
    {.name = "x", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_food, x)},
    {.name = "y", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_food, y)},
    {.name = "amount", .kind = FIELD_UINT32, .offset = offsetof(struct proto_food, amount), .min = 1, .max = PROTO_AMOUNT_MAX},
};

static const struct field hunter_fields[] = {
    {.name = "x", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_hunter, x)},
    {.name = "y", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_hunter, y)},
};

static const struct field wall_fields[] = {
    {.name = "x1", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_wall, x1)},
    {.name = "y1", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_wall, y1)},
    {.name = "x2", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_wall, x2)},
    {.name = "y2", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_wall, y2)},
};

static const struct field erase_fields[] = {
    {.name = "x", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_erase, x)},
    {.name = "y", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_erase, y)},
    {.name = "within", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_erase, within)},
};

static const struct field stream_fields[] = {
    {.name = "rate", .kind = FIELD_POSITIVE, .offset = offsetof(struct proto_stream, rate)},
    {.name = "boids", .kind = FIELD_UINT32, .offset = offsetof(struct proto_stream, boids), .min = 0, .max = UINT32_MAX},
    {.name = "stride", .kind = FIELD_UINT32, .offset = offsetof(struct proto_stream, stride), .min = 1, .max = UINT32_MAX},
    {.name = "slow", .kind = FIELD_BOOL, .offset = offsetof(struct proto_stream, slow)},
};

static const struct field role_fields[] = {
    {.name = "role", .kind = FIELD_ROLE, .offset = 0},
};

static const struct field pong_fields[] = {
    {.name = "t", .kind = FIELD_UINT64, .offset = offsetof(struct proto_pong, t), .min = 0, .max = UINT64_MAX},
    {.name = "time", .kind = FIELD_UINT64, .offset = offsetof(struct proto_pong, time), .min = 0, .max = UINT64_MAX},
};

static const struct field done_fields[] = {
    {.name = "type", .kind = FIELD_UINT32, .offset = offsetof(struct proto_done, type), .min = 0, .max = UINT32_MAX},
    {.name = "tag", .kind = FIELD_UINT32_NIL, .offset = offsetof(struct proto_done, tag), .has = offsetof(struct proto_done, has_tag), .min = 0, .max = UINT32_MAX},
};

static const struct field error_fields[] = {
    {.name = "code", .kind = FIELD_CODE, .offset = offsetof(struct proto_error, code)},
    {.name = "type", .kind = FIELD_TYPE, .offset = offsetof(struct proto_error, type)},
    {.name = "tag", .kind = FIELD_UINT32_NIL, .offset = offsetof(struct proto_error, tag), .has = offsetof(struct proto_error, has_tag), .min = 0, .max = UINT32_MAX},
    {.name = "field", .kind = FIELD_TEXT, .offset = offsetof(struct proto_error, field), .min = 0, .max = PROTO_ROOM_MAX},
    {.name = "name", .kind = FIELD_TEXT, .offset = offsetof(struct proto_error, name), .min = 0, .max = PROTO_ROOM_MAX},
    {.name = "message", .kind = FIELD_TEXT, .offset = offsetof(struct proto_error, message), .min = 0, .max = PROTO_TEXT_MAX},
    {.name = "fatal", .kind = FIELD_BOOL, .offset = offsetof(struct proto_error, fatal)},
};

static const struct field event_fields[] = {
    {.name = "tick", .kind = FIELD_UINT64, .offset = offsetof(struct proto_event, tick), .min = 0, .max = UINT64_MAX},
    {.name = "by", .kind = FIELD_UINT32, .offset = offsetof(struct proto_event, by), .min = 0, .max = UINT32_MAX},
    {.name = "who", .kind = FIELD_TEXT, .offset = offsetof(struct proto_event, who), .min = 0, .max = PROTO_NAME_MAX},
    {.name = "name", .kind = FIELD_TEXT, .offset = offsetof(struct proto_event, name), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "what", .kind = FIELD_TEXT, .offset = offsetof(struct proto_event, what), .min = 0, .max = PROTO_ROOM_MAX},
    {.name = "from", .kind = FIELD_TEXT, .offset = offsetof(struct proto_event, from), .min = 0, .max = PROTO_VALUE_MAX},
    {.name = "to", .kind = FIELD_TEXT, .offset = offsetof(struct proto_event, to), .min = 0, .max = PROTO_VALUE_MAX},
};

static const struct field new_key_fields[] = {
    {.name = "key", .kind = FIELD_TEXT, .offset = offsetof(struct proto_key, key), .min = 0, .max = PROTO_KEY_MAX},
};

static const struct field goodbye_fields[] = {
    {.name = "code", .kind = FIELD_UINT32, .offset = offsetof(struct proto_goodbye, code), .min = 0, .max = UINT32_MAX},
    {.name = "after", .kind = FIELD_UINT32_NIL, .offset = offsetof(struct proto_goodbye, after), .has = offsetof(struct proto_goodbye, has_after), .min = 0, .max = UINT32_MAX},
};

static const struct field past_fields[] = {
    {.name = "shown", .kind = FIELD_BOOL, .offset = offsetof(struct proto_past, shown)},
    {.name = "span", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_past, span)},
    {.name = "back", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_past, back)},
    {.name = "speed", .kind = FIELD_NUMBER, .offset = offsetof(struct proto_past, speed)},
};

static const struct field self_fields[] = {
    {.name = "name", .kind = FIELD_TEXT, .offset = offsetof(struct proto_self, name), .min = 0, .max = PROTO_NAME_MAX},
    {.name = "flags", .kind = FIELD_UINT32, .offset = offsetof(struct proto_self, flags), .min = 0, .max = UINT32_MAX},
};

static const struct field penned_fields[] = {
    {.name = "inside", .kind = FIELD_UINT32, .offset = offsetof(struct proto_penned, inside), .min = 0, .max = UINT32_MAX},
    {.name = "boids", .kind = FIELD_UINT32, .offset = offsetof(struct proto_penned, boids), .min = 0, .max = UINT32_MAX},
    {.name = "seconds", .kind = FIELD_UINT32, .offset = offsetof(struct proto_penned, seconds), .min = 0, .max = UINT32_MAX},
    {.name = "done", .kind = FIELD_BOOL, .offset = offsetof(struct proto_penned, done)},
};

static const struct field clusters_fields[] = {
    {.name = "count", .kind = FIELD_UINT32, .offset = offsetof(struct proto_clusters, count), .min = 0, .max = UINT32_MAX},
    {.name = "boids", .kind = FIELD_UINT32, .offset = offsetof(struct proto_clusters, boids), .min = 0, .max = UINT32_MAX},
};

static const struct field reach_fields[] = {
    {.name = "there", .kind = FIELD_BOOL, .offset = offsetof(struct proto_reach, there)},
};

/* The keys of a map that are always there and have single values. */
static const struct field welcome_pairs[] = {
    {.name = "version", .kind = FIELD_UINT32, .offset = offsetof(struct proto_welcome, version), .min = 1, .max = 1},
    {.name = "server", .kind = FIELD_TEXT, .offset = offsetof(struct proto_welcome, server), .min = 0, .max = PROTO_ROOM_MAX},
    {.name = "id", .kind = FIELD_UINT32, .offset = offsetof(struct proto_welcome, id), .min = 0, .max = UINT32_MAX},
    {.name = "name", .kind = FIELD_TEXT, .offset = offsetof(struct proto_welcome, name), .min = 0, .max = PROTO_NAME_MAX},
    {.name = "color", .kind = FIELD_UINT32, .offset = offsetof(struct proto_welcome, color), .min = 0, .max = 16777215},
    {.name = "encoding", .kind = FIELD_TEXT, .offset = offsetof(struct proto_welcome, encoding), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "rate", .kind = FIELD_POSITIVE, .offset = offsetof(struct proto_welcome, stream.rate)},
    {.name = "boids", .kind = FIELD_UINT32, .offset = offsetof(struct proto_welcome, stream.boids), .min = 0, .max = UINT32_MAX},
    {.name = "stride", .kind = FIELD_UINT32, .offset = offsetof(struct proto_welcome, stream.stride), .min = 1, .max = UINT32_MAX},
    {.name = "time", .kind = FIELD_UINT64, .offset = offsetof(struct proto_welcome, time), .min = 0, .max = UINT64_MAX},
};

static const struct field room_pairs[] = {
    {.name = "code", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, code), .min = 0, .max = PROTO_ROOM_MAX},
    {.name = "title", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, title), .min = 0, .max = PROTO_TITLE_MAX},
    {.name = "instance", .kind = FIELD_UINT64, .offset = offsetof(struct proto_room, instance), .min = 0, .max = (UINT64_C(1) << 53) - 1},
    {.name = "model", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, model), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "boundary", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, boundary), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "update", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, update), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "quantum", .kind = FIELD_POSITIVE, .offset = offsetof(struct proto_room, quantum)},
    {.name = "tick_rate", .kind = FIELD_UINT32, .offset = offsetof(struct proto_room, tick_rate), .min = 1, .max = PROTO_RATE_MAX},
    {.name = "snapshot_rate", .kind = FIELD_UINT32, .offset = offsetof(struct proto_room, snapshot_rate), .min = 1, .max = PROTO_RATE_MAX},
    {.name = "policy", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, policy), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "idle", .kind = FIELD_TEXT, .offset = offsetof(struct proto_room, idle), .min = 0, .max = PROTO_WORD_MAX},
    {.name = "cursor_timeout", .kind = FIELD_POSITIVE, .offset = offsetof(struct proto_room, cursor_timeout)},
    {.name = "people_max", .kind = FIELD_UINT32, .offset = offsetof(struct proto_room, people_max), .min = 1, .max = UINT32_MAX},
    {.name = "boids_max", .kind = FIELD_UINT32, .offset = offsetof(struct proto_room, boids_max), .min = 1, .max = UINT32_MAX},
};

_Static_assert(sizeof((struct proto_welcome *)0)->server == PROTO_ROOM_MAX + 1, "welcome.server");
_Static_assert(sizeof((struct proto_welcome *)0)->name == PROTO_NAME_MAX + 1, "welcome.name");
_Static_assert(sizeof((struct proto_welcome *)0)->encoding == PROTO_WORD_MAX + 1, "welcome.encoding");
_Static_assert(sizeof((struct proto_room *)0)->code == PROTO_ROOM_MAX + 1, "room.code");
_Static_assert(sizeof((struct proto_room *)0)->title == PROTO_TITLE_MAX + 1, "room.title");
_Static_assert(sizeof((struct proto_room *)0)->model == PROTO_WORD_MAX + 1, "room.model");
_Static_assert(sizeof((struct proto_room *)0)->boundary == PROTO_WORD_MAX + 1, "room.boundary");
_Static_assert(sizeof((struct proto_room *)0)->update == PROTO_WORD_MAX + 1, "room.update");
_Static_assert(sizeof((struct proto_room *)0)->policy == PROTO_WORD_MAX + 1, "room.policy");
_Static_assert(sizeof((struct proto_room *)0)->idle == PROTO_WORD_MAX + 1, "room.idle");

#define FIELDS_ROW(array) {array, sizeof(array) / sizeof(array)[0]}

/* A message that is not here has no fields, or a decoder and an encoder of its own. */
static const struct fields fields[PROTO_TYPES] = {
    [PROTO_CURSOR] = FIELDS_ROW(cursor_fields),
    [PROTO_PING] = FIELDS_ROW(ping_fields),
    [PROTO_NAME] = FIELDS_ROW(name_fields),
    [PROTO_WANT] = FIELDS_ROW(want_fields),
    [PROTO_KEY] = FIELDS_ROW(key_fields),
    [PROTO_SET] = FIELDS_ROW(set_fields),
    [PROTO_PARAM] = FIELDS_ROW(param_fields),
    [PROTO_ADD] = FIELDS_ROW(add_fields),
    [PROTO_REMOVE] = FIELDS_ROW(remove_fields),
    [PROTO_TITLE] = FIELDS_ROW(title_fields),
    [PROTO_EXPEL] = FIELDS_ROW(expel_fields),
    [PROTO_APPOINT] = FIELDS_ROW(appoint_fields),
    [PROTO_RENAME] = FIELDS_ROW(rename_fields),
    [PROTO_ATTENTION] = FIELDS_ROW(attention_fields),
    [PROTO_SPOTLIGHT] = FIELDS_ROW(spotlight_fields),
    [PROTO_DOOR] = FIELDS_ROW(door_fields),
    [PROTO_NAMING] = FIELDS_ROW(naming_fields),
    [PROTO_BESIDE] = FIELDS_ROW(beside_fields),
    [PROTO_PICK] = FIELDS_ROW(pick_fields),
    [PROTO_SWEEP] = FIELDS_ROW(sweep_fields),
    [PROTO_REWIND] = FIELDS_ROW(rewind_fields),
    [PROTO_PLAY] = FIELDS_ROW(play_fields),
    [PROTO_SAVE] = FIELDS_ROW(save_fields),
    [PROTO_FORGET] = FIELDS_ROW(forget_fields),
    [PROTO_TEAM] = FIELDS_ROW(team_fields),
    [PROTO_FOOD] = FIELDS_ROW(food_fields),
    [PROTO_HUNTER] = FIELDS_ROW(hunter_fields),
    [PROTO_WALL] = FIELDS_ROW(wall_fields),
    [PROTO_ERASE] = FIELDS_ROW(erase_fields),
    [PROTO_STREAM] = FIELDS_ROW(stream_fields),
    [PROTO_ROLE] = FIELDS_ROW(role_fields),
    [PROTO_PONG] = FIELDS_ROW(pong_fields),
    [PROTO_DONE] = FIELDS_ROW(done_fields),
    [PROTO_ERROR] = FIELDS_ROW(error_fields),
    [PROTO_EVENT] = FIELDS_ROW(event_fields),
    [PROTO_NEW_KEY] = FIELDS_ROW(new_key_fields),
    [PROTO_GOODBYE] = FIELDS_ROW(goodbye_fields),
    [PROTO_PAST] = FIELDS_ROW(past_fields),
    [PROTO_SELF] = FIELDS_ROW(self_fields),
    [PROTO_PENNED] = FIELDS_ROW(penned_fields),
    [PROTO_CLUSTERS] = FIELDS_ROW(clusters_fields),
    [PROTO_REACH] = FIELDS_ROW(reach_fields),
};

static const char *const code_names[PROTO_CODES] = {
    [PROTO_OK] = "ok",
    [PROTO_E_MALFORMED] = "malformed",
    [PROTO_E_TYPE] = "type",
    [PROTO_E_RANGE] = "range",
    [PROTO_E_STATE] = "state",
    [PROTO_E_VERSION] = "version",
    [PROTO_E_ENCODING] = "encoding",
    [PROTO_E_ROOM] = "room",
    [PROTO_E_FULL] = "full",
    [PROTO_E_FLOOD] = "flood",
    [PROTO_E_ROLE] = "role",
    [PROTO_E_KEY] = "key",
    [PROTO_E_REMOVED] = "removed",
    [PROTO_E_JOIN] = "join",
    [PROTO_E_DOOR] = "door",
};

/* clang-format on */

#endif

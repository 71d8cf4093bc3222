/* Messages of a server, from bytes to structs. Tolerant, as clients must be: skips unknown types,
 * keys and further elements, cuts text that is too long between two code points, and replaces
 * characters that could garble a screen by '?'. */
#include "decode_swept.h"
#include "decode_why.h"
#include "reader.h"

#include <float.h>
#include <string.h>

/* Reads the keys of a map that are in its table. */
static void read_pairs(struct reader *r, const msgpack_object_map *map, const struct fields *fields,
                       void *to)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->all[i];
        reader_field(r, field, reader_key(r, map, field->name), to);
    }
}

/* ---- room and welcome ---- */

static bool is_number(const msgpack_object *value)
{
    return value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64 ||
           value->type == MSGPACK_OBJECT_POSITIVE_INTEGER ||
           value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER;
}

static void read_param(struct reader *r, const msgpack_object *value,
                       struct proto_room_param *param)
{
    const msgpack_object_array *a = reader_array(r, value, 7);

    if (a == NULL) {
        return;
    }
    reader_text(r, &a->ptr[0], param->name, sizeof param->name);
    reader_text(r, &a->ptr[1], param->unit, sizeof param->unit);
    param->min = reader_finite(r, &a->ptr[2]);
    param->max = reader_finite(r, &a->ptr[3]);
    param->initial = reader_finite(r, &a->ptr[4]);
    param->value = reader_finite(r, &a->ptr[5]);
    reader_text(r, &a->ptr[6], param->text, sizeof param->text);
    bool based = a->size > 7 && is_number(&a->ptr[7]);
    param->base = based ? reader_finite(r, &a->ptr[7]) : param->initial;
}

static void read_control(struct reader *r, const msgpack_object *value,
                         struct proto_control *control)
{
    const msgpack_object_array *a = reader_array(r, value, 4);

    if (a == NULL) {
        return;
    }
    reader_text(r, &a->ptr[0], control->name, sizeof control->name);
    reader_text(r, &a->ptr[1], control->value, sizeof control->value);
    reader_text(r, &a->ptr[3], control->text, sizeof control->text);
    const msgpack_object_array *choices = reader_array(r, &a->ptr[2], 0);
    for (uint32_t i = 0; choices != NULL && i < choices->size && i < PROTO_CHOICES_MAX; i++) {
        const msgpack_object_array *choice = reader_array(r, &choices->ptr[i], 2);
        if (choice == NULL) {
            return;
        }
        reader_text(r, &choice->ptr[0], control->choices[i].value,
                    sizeof control->choices[i].value);
        reader_text(r, &choice->ptr[1], control->choices[i].text, sizeof control->choices[i].text);
        control->choices[i].saved = choice->size > 2 &&
                                    choice->ptr[2].type == MSGPACK_OBJECT_BOOLEAN &&
                                    choice->ptr[2].via.boolean;
        control->choice_count = i + 1;
    }
}

static struct proto_wall read_wall(struct reader *r, const msgpack_object *value)
{
    const msgpack_object_array *wall = reader_array(r, value, 4);

    if (wall == NULL) {
        return (struct proto_wall){0};
    }
    return (struct proto_wall){reader_finite(r, &wall->ptr[0]), reader_finite(r, &wall->ptr[1]),
                               reader_finite(r, &wall->ptr[2]), reader_finite(r, &wall->ptr[3])};
}

static void read_walls(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *value = reader_option(r, map, "walls");

    if (value == NULL) {
        return;
    }
    const msgpack_object_array *walls = reader_array(r, value, 0);
    for (uint32_t i = 0; walls != NULL && i < walls->size && i < PROTO_WALLS_MAX; i++) {
        room->walls[i] = read_wall(r, &walls->ptr[i]);
        room->wall_count = i + 1;
    }
}

static void read_look(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *value = reader_option(r, map, "look");
    const msgpack_object_array *look = value != NULL ? reader_array(r, value, 2) : NULL;

    if (look != NULL) {
        reader_text(r, &look->ptr[0], room->look, sizeof room->look);
        room->look_size = reader_number(r, &look->ptr[1], (double)FLT_MIN, (double)FLT_MAX);
    }
    value = reader_option(r, map, "click");
    if (value != NULL) {
        room->click = (uint32_t)reader_uint(r, value, 1, PROTO_ADD_MAX);
    }
}

static void read_ground(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *ground = reader_option(r, map, "ground");
    const msgpack_object *pen = reader_option(r, map, "pen");

    if (ground != NULL) {
        reader_text(r, ground, room->ground, sizeof room->ground);
    }
    room->has_pen = pen != NULL;
    if (pen != NULL) {
        room->pen = read_wall(r, pen);
    }
}

static void read_controls(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object_array *controls = reader_array(r, reader_key(r, map, "controls"), 0);

    for (uint32_t i = 0; controls != NULL && i < controls->size && i < PROTO_CONTROLS_MAX; i++) {
        read_control(r, &controls->ptr[i], &room->controls[i]);
        room->control_count = i + 1;
    }
}

static void read_world(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object_array *world = reader_array(r, reader_key(r, map, "world"), 2);

    if (world != NULL) {
        room->width = reader_number(r, &world->ptr[0], 16.0, 65536.0);
        room->height = reader_number(r, &world->ptr[1], 16.0, 65536.0);
    }
    const msgpack_object *value = reader_option(r, map, "period");
    if (value == NULL) {
        return;
    }
    const msgpack_object_array *period = reader_array(r, value, 2);
    if (period != NULL) {
        room->period_x = (uint32_t)reader_uint(r, &period->ptr[0], 1, PROTO_PERIOD_MAX);
        room->period_y = (uint32_t)reader_uint(r, &period->ptr[1], 1, PROTO_PERIOD_MAX);
    }
}

/* Reads who may join. */
static void read_admission(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *door = reader_option(r, map, "door");
    const msgpack_object *locked = reader_option(r, map, "locked");
    char word[PROTO_WORD_MAX + 1] = "";

    if (door != NULL) {
        reader_text(r, door, word, sizeof word);
    }
    room->door_closed = strcmp(word, "closed") == 0;
    room->locked = locked != NULL && reader_bool(r, locked);
}

/* Reads what clients show for everyone. */
static void read_shown(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *unnamed = reader_option(r, map, "unnamed");
    const msgpack_object *beside = reader_option(r, map, "beside");
    const msgpack_object *recording = reader_option(r, map, "recording");

    room->unnamed = unnamed != NULL && reader_bool(r, unnamed);
    if (beside != NULL) {
        reader_text(r, beside, room->beside, sizeof room->beside);
    }
    room->recording = recording != NULL && reader_bool(r, recording);
}

static void read_room_options(struct reader *r, const msgpack_object_map *map,
                              struct proto_room *room)
{
    const msgpack_object *undo = reader_option(r, map, "undo");
    const msgpack_object *attention = reader_option(r, map, "attention");
    const msgpack_object *spotlight = reader_option(r, map, "spotlight");
    const msgpack_object *failing = reader_option(r, map, "store_failing");

    room->can_undo = undo != NULL && reader_bool(r, undo);
    room->has_attention = attention != NULL;
    if (attention != NULL) {
        reader_text(r, attention, room->attention, sizeof room->attention);
    }
    if (spotlight != NULL) {
        room->spotlight = reader_uint32(r, spotlight, UINT32_MAX);
    }
    room->store_failing = failing != NULL && reader_bool(r, failing);
    read_admission(r, map, room);
    read_shown(r, map, room);
}

static void read_room(struct reader *r, const msgpack_object *value, struct proto_room *room)
{
    const msgpack_object_map *map = reader_map(r, value);

    if (map == NULL) {
        return;
    }
    read_pairs(r, map, &room_keys, room);
    (void)reader_uint(r, reader_key(r, map, "snapshot_rate"), 1, room->tick_rate);
    read_world(r, map, room);
    const msgpack_object_array *params = reader_array(r, reader_key(r, map, "params"), 0);
    for (uint32_t i = 0; params != NULL && i < params->size && i < PROTO_PARAMS_MAX; i++) {
        read_param(r, &params->ptr[i], &room->params[i]);
        room->param_count = i + 1;
    }
    read_walls(r, map, room);
    read_look(r, map, room);
    read_ground(r, map, room);
    read_controls(r, map, room);
    read_room_options(r, map, room);
}

static void read_capabilities(struct reader *r, const msgpack_object *value,
                              struct proto_welcome *welcome)
{
    const msgpack_object_array *a = reader_array(r, value, 0);

    for (uint32_t i = 0; a != NULL && i < a->size && i < PROTO_CAPABILITIES_MAX; i++) {
        reader_text(r, &a->ptr[i], welcome->capabilities[i], sizeof welcome->capabilities[i]);
        welcome->capability_count = i + 1;
    }
}

static void read_welcome(struct reader *r, const msgpack_object *value,
                         struct proto_welcome *welcome)
{
    const msgpack_object_map *map = reader_map(r, value);

    if (map == NULL) {
        return;
    }
    read_pairs(r, map, &welcome_keys, welcome);
    reader_token(r, reader_key(r, map, "token"), welcome->token);
    const msgpack_object *role = reader_option(r, map, "role");
    if (role != NULL) { /* else PROTO_VIEWER */
        reader_field(r, fields_of(PROTO_ROLE)->all, role, &welcome->role);
    }
    read_capabilities(r, reader_key(r, map, "capabilities"), welcome);
    read_room(r, reader_key(r, map, "room"), &welcome->room);
}

/* ---- lists ---- */

static void read_params(struct reader *r, const msgpack_object *value, struct proto_params *params)
{
    const msgpack_object_array *values = reader_array(r, value, 0);

    for (uint32_t i = 0; values != NULL && i < values->size && i < PROTO_PARAMS_MAX; i++) {
        params->values[i] = reader_finite(r, &values->ptr[i]);
        params->count = i + 1;
    }
}

/* Reads id, name and color, the first elements of a. */
static void read_identity(struct reader *r, const msgpack_object_array *a,
                          struct proto_person *person)
{
    person->id = reader_uint32(r, &a->ptr[0], UINT32_MAX);
    reader_text(r, &a->ptr[1], person->name, sizeof person->name);
    person->color = reader_uint32(r, &a->ptr[2], 0xffffff);
}

/* Reads [id, name, color, flags], or [id, flags]. */
static void read_person(struct reader *r, const msgpack_object *value, struct proto_person *person)
{
    const msgpack_object_array *a = reader_array(r, value, 2);

    if (a == NULL) {
        return;
    }
    person->flags_only = a->ptr[1].type == MSGPACK_OBJECT_POSITIVE_INTEGER;
    if (!person->flags_only && reader_array(r, value, 4) == NULL) {
        return;
    }
    if (person->flags_only) {
        person->id = reader_uint32(r, &a->ptr[0], UINT32_MAX);
    } else {
        read_identity(r, a, person);
    }
    person->flags = reader_uint32(r, &a->ptr[person->flags_only ? 1 : 3], UINT32_MAX);
}

/* Reads the last field, an array of [id, name, color] or [id, name, color, flags], up to `most` of
 * them. Returns false if the field is missing or nil. */
static bool read_identities(struct reader *r, const msgpack_object_array *a, uint32_t index,
                            const char *name, struct proto_person *people, uint32_t most,
                            uint32_t *count)
{
    if (a->size <= index || a->ptr[index].type == MSGPACK_OBJECT_NIL) {
        return false;
    }
    const msgpack_object_array *list = reader_array(r, reader_at(r, a, index, name), 0);
    for (uint32_t i = 0; list != NULL && i < list->size && i < most; i++) {
        const msgpack_object_array *person = reader_array(r, &list->ptr[i], 3);
        if (person == NULL) {
            return true;
        }
        read_identity(r, person, &people[i]);
        if (person->size > 3 && person->ptr[3].type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
            people[i].flags = reader_uint32(r, &person->ptr[3], UINT32_MAX);
        }
        *count = i + 1;
    }
    return true;
}

static void read_presence(struct reader *r, const msgpack_object_array *a,
                          struct proto_presence *presence)
{
    presence->since = reader_uint32(r, reader_at(r, a, 1, "since"), UINT32_MAX);
    presence->sequence = reader_uint32(r, reader_at(r, a, 2, "sequence"), UINT32_MAX);
    const msgpack_object_array *people = reader_array(r, reader_at(r, a, 3, "people"), 0);
    for (uint32_t i = 0; people != NULL && i < people->size && i < PROTO_PEOPLE_MAX; i++) {
        read_person(r, &people->ptr[i], &presence->people[i]);
        presence->count = i + 1;
    }
    const msgpack_object_array *left = reader_array(r, reader_at(r, a, 4, "left"), 0);
    for (uint32_t i = 0; left != NULL && i < left->size && i < PROTO_PEOPLE_MAX; i++) {
        presence->left[i] = reader_uint32(r, &left->ptr[i], UINT32_MAX);
        presence->left_count = i + 1;
    }
    presence->has_away =
        read_identities(r, a, 5, "away", presence->away, PROTO_AWAY_MAX, &presence->away_count);
}

/* Returns the bytes of a bin of items of item_size bytes, within the message, and stores their
 * number. */
static const uint8_t *read_items(struct reader *r, const msgpack_object *value, uint32_t item_size,
                                 uint32_t *count)
{
    const msgpack_object_bin *bin = reader_bin(r, value);

    if (bin == NULL) {
        return NULL;
    }
    if (bin->size % item_size != 0) {
        reader_refuse(r, PROTO_E_RANGE, value,
                      item_size == PROTO_BOID_SIZE ? "4 bytes a boid" : "8 bytes a cursor");
        return NULL;
    }
    *count = bin->size / item_size;
    return (const uint8_t *)bin->ptr;
}

static void read_boids(struct reader *r, const msgpack_object *value, struct proto_snapshot *s)
{
    if (s->packed) {
        const msgpack_object_bin *bin = reader_bin(r, value);
        s->boids = bin != NULL ? (const uint8_t *)bin->ptr : NULL;
        s->packed_size = bin != NULL ? bin->size : 0;
        return;
    }
    s->boids = read_items(r, value, PROTO_BOID_SIZE, &s->boid_count);
    if (s->boid_count > PROTO_BOIDS_MAX) {
        s->boid_count = PROTO_BOIDS_MAX;
    }
}

static void read_measures(struct reader *r, const msgpack_object *value,
                          struct proto_measures *measures)
{
    const msgpack_object_array *a = reader_array(r, value, PROTO_MEASURES);

    if (a != NULL) {
        measures->polarization = reader_finite(r, &a->ptr[0]);
        measures->milling = reader_finite(r, &a->ptr[1]);
        measures->centroid_x = reader_finite(r, &a->ptr[2]);
        measures->centroid_y = reader_finite(r, &a->ptr[3]);
        measures->gyration = reader_finite(r, &a->ptr[4]);
        measures->speed = reader_finite(r, &a->ptr[5]);
        measures->nearest = reader_finite(r, &a->ptr[6]);
    }
}

static void read_snapshot(struct reader *r, const msgpack_object_array *a, struct proto_snapshot *s)
{
    s->epoch = (uint32_t)reader_uint(r, reader_at(r, a, 1, "epoch"), 0, UINT32_MAX);
    s->tick = reader_uint(r, reader_at(r, a, 2, "tick"), 0, UINT64_MAX);
    s->time = reader_uint(r, reader_at(r, a, 3, "time"), 0, UINT64_MAX);
    s->people = (uint32_t)reader_uint(r, reader_at(r, a, 4, "people"), 0, UINT32_MAX);

    const msgpack_object *x = &a->ptr[5];
    const msgpack_object *y = &a->ptr[6];
    s->has_target = x->type != MSGPACK_OBJECT_NIL || y->type != MSGPACK_OBJECT_NIL;
    if (s->has_target) {
        s->target_x = reader_finite(r, reader_at(r, a, 5, "target_x"));
        s->target_y = reader_finite(r, reader_at(r, a, 6, "target_y"));
    }
    read_boids(r, reader_at(r, a, 7, "boids"), s);
    s->cursors = read_items(r, reader_at(r, a, 8, "cursors"), PROTO_CURSOR_SIZE, &s->cursor_count);
    if (s->cursor_count > PROTO_PEOPLE_MAX) {
        s->cursor_count = PROTO_PEOPLE_MAX;
    }
    s->flock = reader_uint32(r, reader_at(r, a, 9, "flock"), UINT32_MAX);
    s->has_measures = a->ptr[10].type != MSGPACK_OBJECT_NIL;
    if (s->has_measures) {
        read_measures(r, reader_at(r, a, 10, "measures"), &s->measures);
    }
}

/* ---- leads ---- */

static void read_lead(struct reader *r, const msgpack_object *value, struct proto_lead *lead)
{
    const msgpack_object_array *a = reader_array(r, value, 5);

    if (a != NULL) {
        lead->who = reader_uint32(r, &a->ptr[0], UINT32_MAX);
        lead->x = reader_finite(r, &a->ptr[1]);
        lead->y = reader_finite(r, &a->ptr[2]);
        lead->boids = reader_uint32(r, &a->ptr[3], UINT32_MAX);
        lead->people = reader_uint32(r, &a->ptr[4], UINT32_MAX);
    }
}

static void read_leads(struct reader *r, const msgpack_object_array *a, struct proto_leads *leads)
{
    const msgpack_object_array *list = reader_array(r, reader_at(r, a, 1, "leaders"), 0);

    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_LEADERS_MAX; i++) {
        read_lead(r, &list->ptr[i], &leads->leaders[leads->count++]);
    }
    const msgpack_object *value = reader_at(r, a, 2, "turn");
    leads->has_turn = value != NULL && value->type != MSGPACK_OBJECT_NIL;
    const msgpack_object_array *turn = leads->has_turn ? reader_array(r, value, 3) : NULL;
    if (turn != NULL) {
        leads->turn.id = reader_uint32(r, &turn->ptr[0], UINT32_MAX);
        leads->turn.seconds = reader_uint32(r, &turn->ptr[1], UINT32_MAX);
        leads->turn.next = reader_uint32(r, &turn->ptr[2], UINT32_MAX);
    }
}

/* ---- marks ---- */

static void read_mark(struct reader *r, const msgpack_object *value, struct proto_mark *mark)
{
    const msgpack_object_array *a = reader_array(r, value, 7);

    if (a != NULL) {
        mark->back = reader_finite(r, &a->ptr[0]);
        mark->event.by = reader_uint32(r, &a->ptr[1], UINT32_MAX);
        reader_text(r, &a->ptr[2], mark->event.who, sizeof mark->event.who);
        reader_text(r, &a->ptr[3], mark->event.name, sizeof mark->event.name);
        reader_text(r, &a->ptr[4], mark->event.what, sizeof mark->event.what);
        reader_text(r, &a->ptr[5], mark->event.from, sizeof mark->event.from);
        reader_text(r, &a->ptr[6], mark->event.to, sizeof mark->event.to);
    }
}

static void read_marks(struct reader *r, const msgpack_object *value, struct proto_marks *marks)
{
    const msgpack_object_array *list = reader_array(r, value, 0);

    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_MARKS_MAX; i++) {
        read_mark(r, &list->ptr[i], &marks->marks[marks->count++]);
    }
}

/* ---- things ---- */

static void read_food(struct reader *r, const msgpack_object *value, struct proto_food *food)
{
    const msgpack_object_array *a = reader_array(r, value, 3);

    if (a != NULL) {
        food->x = reader_finite(r, &a->ptr[0]);
        food->y = reader_finite(r, &a->ptr[1]);
        food->amount = reader_uint32(r, &a->ptr[2], UINT32_MAX);
    }
}

static void read_hunter(struct reader *r, const msgpack_object *value, struct proto_hunter *hunter)
{
    const msgpack_object_array *a = reader_array(r, value, 2);

    if (a != NULL) {
        hunter->x = reader_finite(r, &a->ptr[0]);
        hunter->y = reader_finite(r, &a->ptr[1]);
    }
}

static void read_things(struct reader *r, const msgpack_object_array *a,
                        struct proto_things *things)
{
    const msgpack_object_array *food = reader_array(r, reader_at(r, a, 1, "food"), 0);

    for (uint32_t i = 0; food != NULL && i < food->size && i < PROTO_FOOD_MAX; i++) {
        read_food(r, &food->ptr[i], &things->food[things->food_count++]);
    }
    const msgpack_object_array *hunters = reader_array(r, reader_at(r, a, 2, "hunters"), 0);
    for (uint32_t i = 0; hunters != NULL && i < hunters->size && i < PROTO_HUNTERS_MAX; i++) {
        read_hunter(r, &hunters->ptr[i], &things->hunters[things->hunter_count++]);
    }
}

/* ---- all of them ---- */

static void read_one(struct reader *r, const msgpack_object_array *a,
                     struct proto_server_message *m)
{
    switch (m->type) {
    case PROTO_WELCOME:
        read_welcome(r, reader_at(r, a, 1, "map"), &m->welcome);
        break;
    case PROTO_ROOM:
        read_room(r, reader_at(r, a, 1, "map"), &m->room);
        break;
    case PROTO_PARAMS:
        read_params(r, reader_at(r, a, 1, "values"), &m->params);
        break;
    case PROTO_PRESENCE:
        read_presence(r, a, &m->presence);
        break;
    case PROTO_LEADS:
        read_leads(r, a, &m->leads);
        break;
    case PROTO_MARKS:
        read_marks(r, reader_at(r, a, 1, "marks"), &m->marks);
        break;
    case PROTO_THINGS:
        read_things(r, a, &m->things);
        break;
    case PROTO_WHY:
        decode_why(r, a, &m->why);
        break;
    case PROTO_PUSHES:
        decode_pushes(r, a, &m->pushes);
        break;
    case PROTO_SWEPT:
        decode_swept(r, a, &m->swept);
        break;
    default: /* PROTO_SNAPSHOT, PROTO_PACKED */
        m->snapshot.packed = m->type == PROTO_PACKED;
        read_snapshot(r, a, &m->snapshot);
        break;
    }
}

/* The size of the struct that a message is decoded to, and its least number of fields. */
static const struct {
    uint32_t fields; /* 0 for messages in the table of fields */
    size_t size;
} forms[PROTO_TYPES] = {
    [PROTO_WELCOME] = {1, sizeof(struct proto_welcome)},
    [PROTO_ROOM] = {1, sizeof(struct proto_room)},
    [PROTO_PARAMS] = {1, sizeof(struct proto_params)},
    [PROTO_PRESENCE] = {4, sizeof(struct proto_presence)},
    [PROTO_SNAPSHOT] = {10, sizeof(struct proto_snapshot)},
    [PROTO_PACKED] = {10, sizeof(struct proto_snapshot)},
    [PROTO_STREAM] = {0, sizeof(struct proto_stream)},
    [PROTO_ROLE] = {0, sizeof(enum proto_role)},
    [PROTO_PONG] = {0, sizeof(struct proto_pong)},
    [PROTO_DONE] = {0, sizeof(struct proto_done)},
    [PROTO_ERROR] = {0, sizeof(struct proto_error)},
    [PROTO_EVENT] = {0, sizeof(struct proto_event)},
    [PROTO_NEW_KEY] = {0, sizeof(struct proto_key)},
    [PROTO_GOODBYE] = {0, sizeof(struct proto_goodbye)},
    [PROTO_PAST] = {0, sizeof(struct proto_past_people)},
    [PROTO_SELF] = {0, sizeof(struct proto_self)},
    [PROTO_LEADS] = {2, sizeof(struct proto_leads)},
    [PROTO_PENNED] = {0, sizeof(struct proto_penned)},
    [PROTO_CLUSTERS] = {0, sizeof(struct proto_clusters)},
    [PROTO_REACH] = {0, sizeof(struct proto_reach)},
    [PROTO_MARKS] = {1, sizeof(struct proto_marks)},
    [PROTO_THINGS] = {2, sizeof(struct proto_things)},
    [PROTO_WHY] = {WHY_FIELDS, sizeof(struct proto_why)},
    [PROTO_PUSHES] = {3, sizeof(struct proto_pushes)},
    [PROTO_SWEPT] = {SWEPT_FIELDS, sizeof(struct proto_swept)},
};

static void read_fields(struct reader *r, const msgpack_object_array *a,
                        struct proto_server_message *m)
{
    const struct fields *fields = fields_of((enum proto_type)m->type);
    const uint32_t least = 1 + fields->count + forms[m->type].fields;

    if (a->size < least) {
        reader_fail(r, PROTO_E_MALFORMED, "expected %s to have %u elements, got %u",
                    proto_type_name(m->type), least, a->size);
        return;
    }
    /* All members of the union start where the first does. */
    memset(&m->welcome, 0, forms[m->type].size);
    if (fields->count == 0) {
        read_one(r, a, m);
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->all[i];
        reader_field(r, field, reader_at(r, a, i + 1, field->name), &m->welcome);
    }
    if (m->type == PROTO_PAST) {
        (void)read_identities(r, a, least, "people", m->then.people, PROTO_PEOPLE_MAX,
                              &m->then.count);
    }
    if (m->type == PROTO_ERROR && a->size > least &&
        a->ptr[least].type == MSGPACK_OBJECT_POSITIVE_INTEGER &&
        a->ptr[least].via.u64 <= UINT32_MAX) {
        m->error.after = (uint32_t)a->ptr[least].via.u64;
    }
}

enum proto_code proto_decode_server(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_server_message *message, struct proto_error *error)
{
    struct reader reader = {.tolerant = true, .code = PROTO_OK, .error = error, .field = ""};
    uint64_t type = 0;

    const msgpack_object_array *a =
        reader_message(&reader, decoder, data, size, PROTO_STATE_MAX, &type);
    if (a == NULL) {
        return reader.code;
    }
    message->type = type > UINT32_MAX ? UINT32_MAX : (uint32_t)type;
    if (type >= PROTO_SERVER_TYPES && type < PROTO_TYPES && forms[type].size > 0) {
        read_fields(&reader, a, message);
    } /* else of a type that this version does not know */
    return reader.code;
}

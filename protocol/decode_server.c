/* Messages of a server, from bytes to structs. Tolerant as PROTOCOL.md asks of clients: unknown
 * types, keys and further elements are skipped, text that does not fit its place in the struct is
 * cut between two code points, and characters that could garble a screen become '?'. */
#include "reader.h"
#include "text.h"

#include <float.h>
#include <string.h>

static void read_text(struct reader *r, const msgpack_object *value, char *out, size_t capacity)
{
    const msgpack_object_str *str = reader_str(r, value);

    if (str != NULL) {
        text_copy(out, capacity, str->ptr, str->size);
    }
}

static float read_finite(struct reader *r, const msgpack_object *value)
{
    return reader_number(r, value, -FLT_MAX, FLT_MAX);
}

static void read_param(struct reader *r, const msgpack_object *value, struct proto_param *param)
{
    const msgpack_object_array *a = reader_array(r, value, 7);

    if (a == NULL) {
        return;
    }
    read_text(r, &a->ptr[0], param->name, sizeof param->name);
    read_text(r, &a->ptr[1], param->unit, sizeof param->unit);
    param->min = read_finite(r, &a->ptr[2]);
    param->max = read_finite(r, &a->ptr[3]);
    param->initial = read_finite(r, &a->ptr[4]);
    param->value = read_finite(r, &a->ptr[5]);
    read_text(r, &a->ptr[6], param->text, sizeof param->text);
}

static void read_control(struct reader *r, const msgpack_object *value,
                         struct proto_control *control)
{
    const msgpack_object_array *a = reader_array(r, value, 4);

    if (a == NULL) {
        return;
    }
    read_text(r, &a->ptr[0], control->name, sizeof control->name);
    read_text(r, &a->ptr[1], control->value, sizeof control->value);
    read_text(r, &a->ptr[3], control->text, sizeof control->text);
    const msgpack_object_array *choices = reader_array(r, &a->ptr[2], 0);
    for (uint32_t i = 0; choices != NULL && i < choices->size && i < PROTO_CHOICES_MAX; i++) {
        const msgpack_object_array *choice = reader_array(r, &choices->ptr[i], 2);
        if (choice == NULL) {
            return;
        }
        read_text(r, &choice->ptr[0], control->choices[i].value, sizeof control->choices[i].value);
        read_text(r, &choice->ptr[1], control->choices[i].text, sizeof control->choices[i].text);
        control->choice_count = i + 1;
    }
}

static void read_walls(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *value = reader_option(r, map, "walls");

    if (value == NULL) {
        return;
    }
    const msgpack_object_array *walls = reader_array(r, value, 0);
    for (uint32_t i = 0; walls != NULL && i < walls->size && i < PROTO_WALLS_MAX; i++) {
        const msgpack_object_array *wall = reader_array(r, &walls->ptr[i], 4);
        if (wall == NULL) {
            return;
        }
        room->walls[i] =
            (struct proto_wall){read_finite(r, &wall->ptr[0]), read_finite(r, &wall->ptr[1]),
                                read_finite(r, &wall->ptr[2]), read_finite(r, &wall->ptr[3])};
        room->wall_count = i + 1;
    }
}

/* What presenters can do, where there is any such thing. */
static void read_controls(struct reader *r, const msgpack_object_map *map, struct proto_room *room)
{
    const msgpack_object *value = reader_option(r, map, "controls");

    if (value == NULL) {
        return;
    }
    const msgpack_object_array *controls = reader_array(r, value, 0);
    for (uint32_t i = 0; controls != NULL && i < controls->size && i < PROTO_CONTROLS_MAX; i++) {
        read_control(r, &controls->ptr[i], &room->controls[i]);
        room->control_count = i + 1;
    }
    if (room->control_count > 0) {
        room->boids_max = (uint32_t)reader_uint(r, reader_key(r, map, "boids_max"), 1, UINT32_MAX);
    }
}

/* A role that is missing, or that this version does not know, may do no more than a viewer. */
static enum proto_role read_role(struct reader *r, const msgpack_object *value)
{
    char word[PROTO_WORD_MAX + 1] = "";

    if (value != NULL) {
        read_text(r, value, word, sizeof word);
    }
    return strcmp(word, "presenter") == 0 ? PROTO_PRESENTER : PROTO_VIEWER;
}

static void read_room(struct reader *r, const msgpack_object *value, struct proto_room *room)
{
    const msgpack_object_map *map = reader_map(r, value);

    if (map == NULL) {
        return;
    }
    read_text(r, reader_key(r, map, "name"), room->name, sizeof room->name);
    read_text(r, reader_key(r, map, "model"), room->model, sizeof room->model);
    read_text(r, reader_key(r, map, "boundary"), room->boundary, sizeof room->boundary);
    read_text(r, reader_key(r, map, "policy"), room->policy, sizeof room->policy);
    read_text(r, reader_key(r, map, "idle"), room->idle, sizeof room->idle);
    room->quantum = reader_number(r, reader_key(r, map, "quantum"), FLT_MIN, FLT_MAX);
    room->tick_rate = (uint32_t)reader_uint(r, reader_key(r, map, "tick_rate"), 1, PROTO_RATE_MAX);
    room->snapshot_rate =
        (uint32_t)reader_uint(r, reader_key(r, map, "snapshot_rate"), 1, room->tick_rate);

    const msgpack_object_array *world = reader_array(r, reader_key(r, map, "world"), 2);
    if (world != NULL) {
        room->width = reader_number(r, &world->ptr[0], 16.0, 65536.0);
        room->height = reader_number(r, &world->ptr[1], 16.0, 65536.0);
    }
    const msgpack_object_array *params = reader_array(r, reader_key(r, map, "params"), 0);
    for (uint32_t i = 0; params != NULL && i < params->size && i < PROTO_PARAMS_MAX; i++) {
        read_param(r, &params->ptr[i], &room->params[i]);
        room->param_count = i + 1;
    }
    read_walls(r, map, room);
    read_controls(r, map, room);
}

static void read_welcome(struct reader *r, const msgpack_object *value,
                         struct proto_welcome *welcome)
{
    const msgpack_object_map *map = reader_map(r, value);

    if (map == NULL) {
        return;
    }
    welcome->version = (uint32_t)reader_uint(r, reader_key(r, map, "version"), 1, PROTO_VERSION);
    read_text(r, reader_key(r, map, "server"), welcome->server, sizeof welcome->server);
    welcome->id = (uint32_t)reader_uint(r, reader_key(r, map, "id"), 0, UINT32_MAX);
    reader_token(r, reader_key(r, map, "token"), welcome->token);
    read_text(r, reader_key(r, map, "name"), welcome->name, sizeof welcome->name);
    welcome->color = (uint32_t)reader_uint(r, reader_key(r, map, "color"), 0, 0xffffff);
    welcome->role = read_role(r, reader_option(r, map, "role"));
    read_text(r, reader_key(r, map, "encoding"), welcome->encoding, sizeof welcome->encoding);
    welcome->rate = reader_number(r, reader_key(r, map, "rate"), FLT_MIN, FLT_MAX);
    welcome->time = reader_uint(r, reader_key(r, map, "time"), 0, UINT64_MAX);
    read_room(r, reader_key(r, map, "room"), &welcome->room);
}

static void read_params(struct reader *r, const msgpack_object *value, struct proto_params *params)
{
    const msgpack_object_array *values = reader_array(r, value, 0);

    for (uint32_t i = 0; values != NULL && i < values->size && i < PROTO_PARAMS_MAX; i++) {
        params->values[i] = read_finite(r, &values->ptr[i]);
        params->count = i + 1;
    }
}

static void read_presence(struct reader *r, const msgpack_object *value,
                          struct proto_presence *presence)
{
    const msgpack_object_array *people = reader_array(r, value, 0);

    for (uint32_t i = 0; people != NULL && i < people->size && i < PROTO_PEOPLE_MAX; i++) {
        const msgpack_object_array *a = reader_array(r, &people->ptr[i], 3);
        struct proto_person *person = &presence->people[i];
        if (a == NULL) {
            return;
        }
        person->id = (uint32_t)reader_uint(r, &a->ptr[0], 0, UINT32_MAX);
        read_text(r, &a->ptr[1], person->name, sizeof person->name);
        person->color = (uint32_t)reader_uint(r, &a->ptr[2], 0, 0xffffff);
        presence->count = i + 1;
    }
}

/* A bin of whole items of item_size bytes: its bytes where they are, and how many items. */
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
        measures->polarization = read_finite(r, &a->ptr[0]);
        measures->milling = read_finite(r, &a->ptr[1]);
        measures->centroid_x = read_finite(r, &a->ptr[2]);
        measures->centroid_y = read_finite(r, &a->ptr[3]);
        measures->gyration = read_finite(r, &a->ptr[4]);
        measures->speed = read_finite(r, &a->ptr[5]);
        measures->nearest = read_finite(r, &a->ptr[6]);
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
        s->target_x = read_finite(r, reader_at(r, a, 5, "target_x"));
        s->target_y = read_finite(r, reader_at(r, a, 6, "target_y"));
    }
    read_boids(r, reader_at(r, a, 7, "boids"), s);
    s->cursors = read_items(r, reader_at(r, a, 8, "cursors"), PROTO_CURSOR_SIZE, &s->cursor_count);
    if (s->cursor_count > PROTO_PEOPLE_MAX) {
        s->cursor_count = PROTO_PEOPLE_MAX;
    }
    s->flock = s->boid_count;
    if (a->size > 9) {
        s->flock = (uint32_t)reader_uint(r, reader_at(r, a, 9, "flock"), 0, UINT32_MAX);
    }
    s->has_measures = a->size > 10 && a->ptr[10].type != MSGPACK_OBJECT_NIL;
    if (s->has_measures) {
        read_measures(r, reader_at(r, a, 10, "measures"), &s->measures);
    }
}

static void read_error(struct reader *r, const msgpack_object_array *a, struct proto_error *error)
{
    read_text(r, reader_at(r, a, 1, "code"), error->code, sizeof error->code);
    read_text(r, reader_at(r, a, 2, "field"), error->field, sizeof error->field);
    read_text(r, reader_at(r, a, 3, "message"), error->message, sizeof error->message);
    error->fatal = reader_bool(r, reader_at(r, a, 4, "fatal"));
}

static const struct {
    const char *name;
    uint32_t elements; /* at least */
} forms[] = {
    [PROTO_WELCOME] = {"welcome", 2},   [PROTO_ROOM] = {"room", 2},
    [PROTO_PARAMS] = {"params", 2},     [PROTO_PRESENCE] = {"presence", 2},
    [PROTO_SNAPSHOT] = {"snapshot", 9}, [PROTO_PONG] = {"pong", 3},
    [PROTO_ERROR] = {"error", 5},       [PROTO_ROLE] = {"role", 2},
    [PROTO_PACKED] = {"packed", 9},     [PROTO_STREAM] = {"stream", 3},
};

static void read_fields(struct reader *r, const msgpack_object_array *fields,
                        struct proto_server_message *m)
{
    switch (m->type) {
    case PROTO_WELCOME:
        memset(&m->welcome, 0, sizeof m->welcome);
        read_welcome(r, reader_at(r, fields, 1, "map"), &m->welcome);
        break;
    case PROTO_ROOM:
        memset(&m->room, 0, sizeof m->room);
        read_room(r, reader_at(r, fields, 1, "map"), &m->room);
        break;
    case PROTO_PARAMS:
        memset(&m->params, 0, sizeof m->params);
        read_params(r, reader_at(r, fields, 1, "values"), &m->params);
        break;
    case PROTO_PRESENCE:
        memset(&m->presence, 0, sizeof m->presence);
        read_presence(r, reader_at(r, fields, 1, "people"), &m->presence);
        break;
    case PROTO_SNAPSHOT:
    case PROTO_PACKED:
        memset(&m->snapshot, 0, sizeof m->snapshot);
        m->snapshot.packed = m->type == PROTO_PACKED;
        read_snapshot(r, fields, &m->snapshot);
        break;
    case PROTO_PONG:
        m->pong.t = reader_uint(r, reader_at(r, fields, 1, "t"), 0, UINT64_MAX);
        m->pong.time = reader_uint(r, reader_at(r, fields, 2, "time"), 0, UINT64_MAX);
        break;
    case PROTO_ERROR:
        memset(&m->error, 0, sizeof m->error);
        read_error(r, fields, &m->error);
        break;
    case PROTO_STREAM:
        m->stream.rate = reader_number(r, reader_at(r, fields, 1, "rate"), FLT_MIN, FLT_MAX);
        m->stream.boids = (uint32_t)reader_uint(r, reader_at(r, fields, 2, "boids"), 0, UINT32_MAX);
        break;
    default: /* PROTO_ROLE */
        m->role = read_role(r, reader_at(r, fields, 1, "role"));
        break;
    }
}

enum proto_code proto_decode_server(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_server_message *message, struct proto_error *error)
{
    struct reader reader = {.code = PROTO_OK, .error = error, .field = ""};
    uint64_t type = 0;

    const msgpack_object_array *fields =
        reader_message(&reader, decoder, data, size, PROTO_STATE_MAX, &type);
    if (fields == NULL) {
        return reader.code;
    }
    message->type = type > UINT32_MAX ? UINT32_MAX : (uint32_t)type;
    if (type >= sizeof forms / sizeof forms[0] || forms[type].name == NULL) {
        return PROTO_OK; /* of a type that this version does not know */
    }
    const uint32_t elements = forms[type].elements;
    if (fields->size < elements) {
        reader_fail(&reader, PROTO_E_MALFORMED, "expected %s to have %u elements, got %u",
                    forms[type].name, elements, fields->size);
        return reader.code;
    }
    read_fields(&reader, fields, message);
    return reader.code;
}

/* flock.v1 messages, from structs to bytes. */
#include "protocol.h"

#include <msgpack.h>
#include <string.h>

/* Where a message is packed to. Once something did not fit, nothing more is written. */
struct writer {
    msgpack_packer packer;
    uint8_t *buffer;
    size_t capacity, size;
    bool failed;
};

static int writer_append(void *data, const char *bytes, size_t size)
{
    struct writer *writer = data;

    if (writer->failed || size > writer->capacity - writer->size) {
        writer->failed = true;
        return -1;
    }
    if (size > 0) {
        memcpy(writer->buffer + writer->size, bytes, size);
        writer->size += size;
    }
    return 0;
}

static void put_uint(struct writer *w, uint64_t value)
{
    (void)msgpack_pack_uint64(&w->packer, value);
}

static void put_number(struct writer *w, float value)
{
    (void)msgpack_pack_float(&w->packer, value);
}

static void put_text(struct writer *w, const char *text)
{
    (void)msgpack_pack_str_with_body(&w->packer, text, strlen(text));
}

static void put_bin(struct writer *w, const uint8_t *bytes, size_t size)
{
    (void)msgpack_pack_bin_with_body(&w->packer, bytes, size);
}

static void put_nil(struct writer *w)
{
    (void)msgpack_pack_nil(&w->packer);
}

static void put_array(struct writer *w, size_t count)
{
    (void)msgpack_pack_array(&w->packer, count);
}

/* Starts a message of so many elements, its type being the first. */
static void begin(struct writer *w, uint8_t *buffer, size_t capacity, size_t elements,
                  enum proto_type type)
{
    *w = (struct writer){.capacity = capacity};
    w->buffer = buffer;
    msgpack_packer_init(&w->packer, w, writer_append);
    put_array(w, elements);
    put_uint(w, (uint64_t)type);
}

static size_t end(const struct writer *w)
{
    return w->failed ? 0 : w->size;
}

size_t proto_encode_hello(uint8_t *buffer, size_t capacity, const struct proto_hello *hello)
{
    struct writer w;

    if (hello->encoding_count > PROTO_ENCODINGS_MAX) {
        return 0;
    }
    begin(&w, buffer, capacity, 7, PROTO_HELLO);
    put_uint(&w, hello->version);
    put_text(&w, hello->room);
    put_text(&w, hello->name);
    put_array(&w, hello->encoding_count);
    for (uint32_t i = 0; i < hello->encoding_count; i++) {
        put_text(&w, hello->encodings[i]);
    }
    put_uint(&w, hello->rate);
    if (hello->has_token) {
        put_bin(&w, hello->token, PROTO_TOKEN_SIZE);
    } else {
        put_nil(&w);
    }
    return end(&w);
}

size_t proto_encode_cursor(uint8_t *buffer, size_t capacity, const struct proto_cursor *cursor)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_CURSOR);
    put_number(&w, cursor->x);
    put_number(&w, cursor->y);
    return end(&w);
}

size_t proto_encode_away(uint8_t *buffer, size_t capacity)
{
    struct writer w;

    begin(&w, buffer, capacity, 1, PROTO_AWAY);
    return end(&w);
}

size_t proto_encode_ping(uint8_t *buffer, size_t capacity, const struct proto_ping *ping)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_PING);
    put_uint(&w, ping->t);
    return end(&w);
}

size_t proto_encode_name(uint8_t *buffer, size_t capacity, const struct proto_name *name)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_NAME);
    put_text(&w, name->name);
    return end(&w);
}

size_t proto_encode_key(uint8_t *buffer, size_t capacity, const struct proto_key *key)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_KEY);
    put_text(&w, key->key);
    return end(&w);
}

size_t proto_encode_set(uint8_t *buffer, size_t capacity, const struct proto_set *set)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_SET);
    put_text(&w, set->name);
    put_text(&w, set->value);
    return end(&w);
}

size_t proto_encode_param(uint8_t *buffer, size_t capacity, const struct proto_param_set *param)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_PARAM);
    put_text(&w, param->name);
    put_number(&w, param->value);
    return end(&w);
}

size_t proto_encode_add(uint8_t *buffer, size_t capacity, const struct proto_add *add)
{
    struct writer w;

    begin(&w, buffer, capacity, 4, PROTO_ADD);
    put_number(&w, add->x);
    put_number(&w, add->y);
    put_uint(&w, add->count);
    return end(&w);
}

size_t proto_encode_remove(uint8_t *buffer, size_t capacity, const struct proto_remove *remove)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_REMOVE);
    put_uint(&w, remove->count);
    return end(&w);
}

size_t proto_encode_reset(uint8_t *buffer, size_t capacity)
{
    struct writer w;

    begin(&w, buffer, capacity, 1, PROTO_RESET);
    return end(&w);
}

size_t proto_encode_step(uint8_t *buffer, size_t capacity)
{
    struct writer w;

    begin(&w, buffer, capacity, 1, PROTO_STEP);
    return end(&w);
}

size_t proto_encode_want(uint8_t *buffer, size_t capacity, const struct proto_want *want)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_WANT);
    put_uint(&w, want->rate);
    put_uint(&w, want->boids);
    return end(&w);
}

static const char *role_name(enum proto_role role)
{
    return role == PROTO_PRESENTER ? "presenter" : "viewer";
}

static void put_control(struct writer *w, const struct proto_control *control)
{
    if (control->choice_count > PROTO_CHOICES_MAX) {
        w->failed = true;
        return;
    }
    put_array(w, 4);
    put_text(w, control->name);
    put_text(w, control->value);
    put_array(w, control->choice_count);
    for (uint32_t i = 0; i < control->choice_count; i++) {
        put_array(w, 2);
        put_text(w, control->choices[i].value);
        put_text(w, control->choices[i].text);
    }
    put_text(w, control->text);
}

static void put_param(struct writer *w, const struct proto_param *param)
{
    put_array(w, 7);
    put_text(w, param->name);
    put_text(w, param->unit);
    put_number(w, param->min);
    put_number(w, param->max);
    put_number(w, param->initial);
    put_number(w, param->value);
    put_text(w, param->text);
}

static void put_walls(struct writer *w, const struct proto_room *room)
{
    put_text(w, "walls");
    put_array(w, room->wall_count);
    for (uint32_t i = 0; i < room->wall_count; i++) {
        put_array(w, 4);
        put_number(w, room->walls[i].x1);
        put_number(w, room->walls[i].y1);
        put_number(w, room->walls[i].x2);
        put_number(w, room->walls[i].y2);
    }
}

static void put_room(struct writer *w, const struct proto_room *room)
{
    if (room->param_count > PROTO_PARAMS_MAX || room->control_count > PROTO_CONTROLS_MAX ||
        room->wall_count > PROTO_WALLS_MAX) {
        w->failed = true;
        return;
    }
    (void)msgpack_pack_map(&w->packer, 10u + (room->control_count > 0 ? 2 : 0) +
                                           (room->wall_count > 0 ? 1 : 0));
    put_text(w, "name");
    put_text(w, room->name);
    put_text(w, "model");
    put_text(w, room->model);
    put_text(w, "boundary");
    put_text(w, room->boundary);
    put_text(w, "world");
    put_array(w, 2);
    put_number(w, room->width);
    put_number(w, room->height);
    put_text(w, "quantum");
    put_number(w, room->quantum);
    put_text(w, "tick_rate");
    put_uint(w, room->tick_rate);
    put_text(w, "snapshot_rate");
    put_uint(w, room->snapshot_rate);
    put_text(w, "policy");
    put_text(w, room->policy);
    put_text(w, "idle");
    put_text(w, room->idle);
    put_text(w, "params");
    put_array(w, room->param_count);
    for (uint32_t i = 0; i < room->param_count; i++) {
        put_param(w, &room->params[i]);
    }
    if (room->wall_count > 0) {
        put_walls(w, room);
    }
    if (room->control_count == 0) {
        return;
    }
    put_text(w, "boids_max");
    put_uint(w, room->boids_max);
    put_text(w, "controls");
    put_array(w, room->control_count);
    for (uint32_t i = 0; i < room->control_count; i++) {
        put_control(w, &room->controls[i]);
    }
}

size_t proto_encode_welcome(uint8_t *buffer, size_t capacity, const struct proto_welcome *welcome)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_WELCOME);
    (void)msgpack_pack_map(&w.packer, 10 + (welcome->role != PROTO_VIEWER ? 1 : 0));
    put_text(&w, "version");
    put_uint(&w, welcome->version);
    put_text(&w, "server");
    put_text(&w, welcome->server);
    put_text(&w, "id");
    put_uint(&w, welcome->id);
    put_text(&w, "token");
    put_bin(&w, welcome->token, PROTO_TOKEN_SIZE);
    put_text(&w, "name");
    put_text(&w, welcome->name);
    put_text(&w, "color");
    put_uint(&w, welcome->color);
    if (welcome->role != PROTO_VIEWER) {
        put_text(&w, "role");
        put_text(&w, role_name(welcome->role));
    }
    put_text(&w, "encoding");
    put_text(&w, welcome->encoding);
    put_text(&w, "rate");
    put_number(&w, welcome->rate);
    put_text(&w, "time");
    put_uint(&w, welcome->time);
    put_text(&w, "room");
    put_room(&w, &welcome->room);
    return end(&w);
}

size_t proto_encode_room(uint8_t *buffer, size_t capacity, const struct proto_room *room)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_ROOM);
    put_room(&w, room);
    return end(&w);
}

size_t proto_encode_params(uint8_t *buffer, size_t capacity, const struct proto_params *params)
{
    struct writer w;

    if (params->count > PROTO_PARAMS_MAX) {
        return 0;
    }
    begin(&w, buffer, capacity, 2, PROTO_PARAMS);
    put_array(&w, params->count);
    for (uint32_t i = 0; i < params->count; i++) {
        put_number(&w, params->values[i]);
    }
    return end(&w);
}

size_t proto_encode_presence(uint8_t *buffer, size_t capacity,
                             const struct proto_presence *presence)
{
    struct writer w;

    if (presence->count > PROTO_PEOPLE_MAX) {
        return 0;
    }
    begin(&w, buffer, capacity, 2, PROTO_PRESENCE);
    put_array(&w, presence->count);
    for (uint32_t i = 0; i < presence->count; i++) {
        put_array(&w, 3);
        put_uint(&w, presence->people[i].id);
        put_text(&w, presence->people[i].name);
        put_uint(&w, presence->people[i].color);
    }
    return end(&w);
}

static void put_measures(struct writer *w, const struct proto_measures *measures)
{
    const float values[PROTO_MEASURES] = {
        measures->polarization, measures->milling, measures->centroid_x, measures->centroid_y,
        measures->gyration,     measures->speed,   measures->nearest,
    };

    put_array(w, PROTO_MEASURES);
    for (size_t i = 0; i < PROTO_MEASURES; i++) {
        put_number(w, values[i]);
    }
}

size_t proto_encode_snapshot(uint8_t *buffer, size_t capacity,
                             const struct proto_snapshot *snapshot)
{
    struct writer w;

    if (snapshot->boid_count > PROTO_BOIDS_MAX || snapshot->cursor_count > PROTO_PEOPLE_MAX) {
        return 0;
    }
    begin(&w, buffer, capacity, 11, snapshot->packed ? PROTO_PACKED : PROTO_SNAPSHOT);
    put_uint(&w, snapshot->epoch);
    put_uint(&w, snapshot->tick);
    put_uint(&w, snapshot->time);
    put_uint(&w, snapshot->people);
    if (snapshot->has_target) {
        put_number(&w, snapshot->target_x);
        put_number(&w, snapshot->target_y);
    } else {
        put_nil(&w);
        put_nil(&w);
    }
    put_bin(&w, snapshot->boids,
            snapshot->packed ? snapshot->packed_size
                             : (size_t)snapshot->boid_count * PROTO_BOID_SIZE);
    put_bin(&w, snapshot->cursors, (size_t)snapshot->cursor_count * PROTO_CURSOR_SIZE);
    put_uint(&w, snapshot->flock);
    if (snapshot->has_measures) {
        put_measures(&w, &snapshot->measures);
    } else {
        put_nil(&w);
    }
    return end(&w);
}

size_t proto_snapshot_bound(size_t boids_size, uint32_t cursor_count)
{
    /* array 1, type 1, epoch 5, tick 9, time 9, people 5, target 2 x 5, heads of the bins 2 x 5,
     * flock 5, measures 1 + 7 x 5 */
    return 91 + boids_size + (size_t)cursor_count * PROTO_CURSOR_SIZE;
}

size_t proto_encode_pong(uint8_t *buffer, size_t capacity, const struct proto_pong *pong)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_PONG);
    put_uint(&w, pong->t);
    put_uint(&w, pong->time);
    return end(&w);
}

size_t proto_encode_error(uint8_t *buffer, size_t capacity, const struct proto_error *error)
{
    struct writer w;

    begin(&w, buffer, capacity, 5, PROTO_ERROR);
    put_text(&w, error->code);
    put_text(&w, error->field);
    put_text(&w, error->message);
    (void)(error->fatal ? msgpack_pack_true(&w.packer) : msgpack_pack_false(&w.packer));
    return end(&w);
}

size_t proto_encode_role(uint8_t *buffer, size_t capacity, enum proto_role role)
{
    struct writer w;

    begin(&w, buffer, capacity, 2, PROTO_ROLE);
    put_text(&w, role_name(role));
    return end(&w);
}

size_t proto_encode_stream(uint8_t *buffer, size_t capacity, const struct proto_stream *stream)
{
    struct writer w;

    begin(&w, buffer, capacity, 3, PROTO_STREAM);
    put_number(&w, stream->rate);
    put_uint(&w, stream->boids);
    return end(&w);
}

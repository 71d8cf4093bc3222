/* flock.v1 messages, from structs to bytes. */
#include "form.h"
#include "put.h"

#include <assert.h>
#include <string.h>

/* ---- messages that are a list of single values ---- */

/* Writes a field of the struct at `from`. */
static void put_field(struct writer *w, const struct field *field, const void *from)
{
    const void *at = field_in(from, field->offset);

    switch (field->kind) {
    case FIELD_UINT32:
        put_uint(w, *(const uint32_t *)at);
        break;
    case FIELD_UINT64:
        put_uint(w, *(const uint64_t *)at);
        break;
    case FIELD_UINT32_NIL:
        put_uint_or_nil(w, *(const uint32_t *)at, *(const bool *)field_in(from, field->has));
        break;
    case FIELD_TYPE:
        put_uint_or_nil(w, *(const uint32_t *)at, *(const uint32_t *)at != 0);
        break;
    case FIELD_NUMBER:
    case FIELD_POSITIVE:
        put_number(w, *(const float *)at);
        break;
    case FIELD_BOOL:
        put_bool(w, *(const bool *)at);
        break;
    case FIELD_WORD:
    case FIELD_IDENTIFIER:
    case FIELD_LINE:
    case FIELD_TEXT:
        put_text(w, at);
        break;
    case FIELD_ROLE:
        put_text(w, proto_role_name(*(const enum proto_role *)at));
        break;
    case FIELD_CODE:
        put_text(w, proto_code_name(*(const enum proto_code *)at));
        break;
    }
}

/* Writes the message of that type from the struct at `from`, and a tag unless it is NULL. */
static size_t put_message(uint8_t *buffer, size_t capacity, enum proto_type type, const void *from,
                          const uint32_t *tag)
{
    const struct fields *fields = fields_of(type);
    uint32_t count = fields->count;
    struct writer w;

    if (fields_least(fields) < count &&
        !*(const bool *)field_in(from, fields->all[count - 1].has)) {
        count--;
    } else if (fields_least(fields) < count && tag == NULL) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 1 + (size_t)count + (tag != NULL ? 1 : 0), type);
    for (uint32_t i = 0; i < count; i++) {
        put_field(&w, &fields->all[i], from);
    }
    if (tag != NULL) {
        put_uint(&w, *tag);
    }
    return message_end(&w);
}

/* Writes pairs of a map, whose head is already written. */
static void put_pairs(struct writer *w, const struct fields *fields, const void *from)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        put_text(w, fields->all[i].name);
        put_field(w, &fields->all[i], from);
    }
}

/* ---- from a client ---- */

static bool plain_alone(const struct proto_hello *hello)
{
    return hello->encoding_count == 0 ||
           (hello->encoding_count == 1 && strcmp(hello->encodings[0], PROTO_PLAIN) == 0);
}

/* Writes the options that differ from their defaults. */
static void put_options(struct writer *w, const struct proto_hello *hello)
{
    const bool key = hello->key[0] != '\0';
    const bool join = hello->join[0] != '\0';
    const bool encodings = !plain_alone(hello);

    put_map(w, (size_t)hello->has_token + key + join + encodings + (hello->rate > 0) +
                   (hello->boids > 0) + (hello->topics > 0));
    if (hello->has_token) {
        put_text(w, "token");
        put_bin(w, hello->token, PROTO_TOKEN_SIZE);
    }
    if (key) {
        put_text(w, "key");
        put_text(w, hello->key);
    }
    if (join) {
        put_text(w, "join");
        put_text(w, hello->join);
    }
    if (encodings) {
        put_text(w, "encodings");
        put_array(w, hello->encoding_count);
        for (uint32_t i = 0; i < hello->encoding_count; i++) {
            put_text(w, hello->encodings[i]);
        }
    }
    if (hello->rate > 0) {
        put_text(w, "rate");
        put_uint(w, hello->rate);
    }
    if (hello->boids > 0) {
        put_text(w, "boids");
        put_uint(w, hello->boids);
    }
    if (hello->topics > 0) {
        put_text(w, "topics");
        put_uint(w, hello->topics);
    }
}

static size_t put_hello(uint8_t *buffer, size_t capacity, const struct proto_hello *hello)
{
    struct writer w;

    if (hello->encoding_count > PROTO_ENCODINGS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 5, PROTO_HELLO);
    put_uint(&w, hello->version);
    put_text(&w, hello->room);
    put_text(&w, hello->name);
    put_options(&w, hello);
    return message_end(&w);
}

size_t proto_encode_client(uint8_t *buffer, size_t capacity,
                           const struct proto_client_message *message)
{
    if (message->type >= PROTO_SERVER_TYPES || proto_type_name(message->type) == NULL) {
        return 0;
    }
    if (message->type == PROTO_HELLO) {
        return put_hello(buffer, capacity, &message->hello);
    }
    /* All members of the union start where the first does. */
    return put_message(buffer, capacity, message->type, &message->hello,
                       message->has_tag && proto_answered(message->type) ? &message->tag : NULL);
}

/* ---- from a server: the maps ---- */

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
        put_array(w, control->choices[i].saved ? 3 : 2);
        put_text(w, control->choices[i].value);
        put_text(w, control->choices[i].text);
        if (control->choices[i].saved) {
            put_bool(w, true);
        }
    }
    put_text(w, control->text);
}

static void put_param(struct writer *w, const struct proto_room_param *param)
{
    bool based = param->base != param->initial;

    put_array(w, based ? 8 : 7);
    put_text(w, param->name);
    put_text(w, param->unit);
    put_number(w, param->min);
    put_number(w, param->max);
    put_number(w, param->initial);
    put_number(w, param->value);
    put_text(w, param->text);
    if (based) {
        put_number(w, param->base);
    }
}

static void put_wall(struct writer *w, const struct proto_wall *wall)
{
    put_array(w, 4);
    put_number(w, wall->x1);
    put_number(w, wall->y1);
    put_number(w, wall->x2);
    put_number(w, wall->y2);
}

static void put_walls(struct writer *w, const struct proto_room *room)
{
    put_text(w, "walls");
    put_array(w, room->wall_count);
    for (uint32_t i = 0; i < room->wall_count; i++) {
        put_wall(w, &room->walls[i]);
    }
}

/* Writes what is behind the boids. */
static void put_ground(struct writer *w, const struct proto_room *room)
{
    if (room->ground[0] != '\0') {
        put_text(w, "ground");
        put_text(w, room->ground);
    }
    if (room->has_pen) {
        put_text(w, "pen");
        put_wall(w, &room->pen);
    }
}

static void put_room(struct writer *w, const struct proto_room *room)
{
    const bool torus = room->period_x > 0 || room->period_y > 0;

    if (room->param_count > PROTO_PARAMS_MAX || room->control_count > PROTO_CONTROLS_MAX ||
        room->wall_count > PROTO_WALLS_MAX) {
        w->failed = true;
        return;
    }
    put_map(w, (size_t)room_keys.count + 3 + torus + (room->wall_count > 0) +
                   (room->look[0] != '\0') + (room->click > 0) + room->can_undo +
                   room->has_attention + (room->spotlight > 0) + room->store_failing +
                   room->door_closed + room->locked + room->unnamed + (room->beside[0] != '\0') +
                   room->recording + (room->ground[0] != '\0') + room->has_pen);
    put_pairs(w, &room_keys, room);
    put_text(w, "world");
    put_array(w, 2);
    put_number(w, room->width);
    put_number(w, room->height);
    if (torus) {
        put_text(w, "period");
        put_array(w, 2);
        put_uint(w, room->period_x);
        put_uint(w, room->period_y);
    }
    put_text(w, "params");
    put_array(w, room->param_count);
    for (uint32_t i = 0; i < room->param_count; i++) {
        put_param(w, &room->params[i]);
    }
    put_text(w, "controls");
    put_array(w, room->control_count);
    for (uint32_t i = 0; i < room->control_count; i++) {
        put_control(w, &room->controls[i]);
    }
    if (room->wall_count > 0) {
        put_walls(w, room);
    }
    if (room->look[0] != '\0') {
        put_text(w, "look");
        put_array(w, 2);
        put_text(w, room->look);
        put_number(w, room->look_size);
    }
    if (room->click > 0) {
        put_text(w, "click");
        put_uint(w, room->click);
    }
    if (room->can_undo) {
        put_text(w, "undo");
        put_bool(w, true);
    }
    if (room->has_attention) {
        put_text(w, "attention");
        put_text(w, room->attention);
    }
    if (room->spotlight > 0) {
        put_text(w, "spotlight");
        put_uint(w, room->spotlight);
    }
    if (room->store_failing) {
        put_text(w, "store_failing");
        put_bool(w, true);
    }
    if (room->door_closed) {
        put_text(w, "door");
        put_text(w, "closed");
    }
    if (room->locked) {
        put_text(w, "locked");
        put_bool(w, true);
    }
    if (room->unnamed) {
        put_text(w, "unnamed");
        put_bool(w, true);
    }
    if (room->beside[0] != '\0') {
        put_text(w, "beside");
        put_text(w, room->beside);
    }
    if (room->recording) {
        put_text(w, "recording");
        put_bool(w, true);
    }
    put_ground(w, room);
}

size_t proto_encode_welcome(uint8_t *buffer, size_t capacity, const struct proto_welcome *welcome)
{
    const bool role = welcome->role != PROTO_VIEWER;
    struct writer w;

    if (welcome->capability_count > PROTO_CAPABILITIES_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 2, PROTO_WELCOME);
    put_map(&w, (size_t)welcome_keys.count + 3 + role);
    put_pairs(&w, &welcome_keys, welcome);
    put_text(&w, "token");
    put_bin(&w, welcome->token, PROTO_TOKEN_SIZE);
    if (role) {
        put_text(&w, "role");
        put_text(&w, proto_role_name(welcome->role));
    }
    put_text(&w, "capabilities");
    put_array(&w, welcome->capability_count);
    for (uint32_t i = 0; i < welcome->capability_count; i++) {
        put_text(&w, welcome->capabilities[i]);
    }
    put_text(&w, "room");
    put_room(&w, &welcome->room);
    return message_end(&w);
}

size_t proto_encode_room(uint8_t *buffer, size_t capacity, const struct proto_room *room)
{
    struct writer w;

    message_begin(&w, buffer, capacity, 2, PROTO_ROOM);
    put_room(&w, room);
    return message_end(&w);
}

/* ---- from a server: the lists ---- */

size_t proto_encode_params(uint8_t *buffer, size_t capacity, const struct proto_params *params)
{
    struct writer w;

    if (params->count > PROTO_PARAMS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 2, PROTO_PARAMS);
    put_numbers(&w, params->values, params->count);
    return message_end(&w);
}

static void put_identity(struct writer *w, const struct proto_person *person)
{
    put_uint(w, person->id);
    put_text(w, person->name);
    put_uint(w, person->color);
}

/* Writes flags only for people who have some. */
static void put_identities(struct writer *w, const struct proto_person *people, uint32_t count)
{
    put_array(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_array(w, people[i].flags != 0 ? 4 : 3);
        put_identity(w, &people[i]);
        if (people[i].flags != 0) {
            put_uint(w, people[i].flags);
        }
    }
}

static void put_person(struct writer *w, const struct proto_person *person)
{
    put_array(w, person->flags_only ? 2 : 4);
    if (person->flags_only) {
        put_uint(w, person->id);
    } else {
        put_identity(w, person);
    }
    put_uint(w, person->flags);
}

size_t proto_encode_presence(uint8_t *buffer, size_t capacity,
                             const struct proto_presence *presence)
{
    struct writer w;

    if (presence->count > PROTO_PEOPLE_MAX || presence->left_count > PROTO_PEOPLE_MAX ||
        presence->away_count > PROTO_AWAY_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, presence->has_away ? 6 : 5, PROTO_PRESENCE);
    put_uint(&w, presence->since);
    put_uint(&w, presence->sequence);
    put_array(&w, presence->count);
    for (uint32_t i = 0; i < presence->count; i++) {
        put_person(&w, &presence->people[i]);
    }
    put_array(&w, presence->left_count);
    for (uint32_t i = 0; i < presence->left_count; i++) {
        put_uint(&w, presence->left[i]);
    }
    if (presence->has_away) {
        put_identities(&w, presence->away, presence->away_count);
    }
    return message_end(&w);
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
    const size_t boids_size =
        snapshot->packed ? snapshot->packed_size : (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
    struct writer w;

    if (snapshot->boid_count > PROTO_BOIDS_MAX || snapshot->cursor_count > PROTO_PEOPLE_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 11, snapshot->packed ? PROTO_PACKED : PROTO_SNAPSHOT);
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
    put_bin(&w, snapshot->boids, boids_size);
    put_bin(&w, snapshot->cursors, (size_t)snapshot->cursor_count * PROTO_CURSOR_SIZE);
    put_uint(&w, snapshot->flock);
    if (snapshot->has_measures) {
        put_measures(&w, &snapshot->measures);
    } else {
        put_nil(&w);
    }
    assert(message_end(&w) <= proto_snapshot_bound(boids_size, snapshot->cursor_count));
    return message_end(&w);
}

size_t proto_snapshot_bound(size_t boids_size, uint32_t cursor_count)
{
    /* array 1, type 1, epoch 5, tick 9, time 9, people 5, target 2 x 5, heads of the bins 2 x 5,
     * flock 5, measures 1 + 7 x 5 */
    return 91 + boids_size + (size_t)cursor_count * PROTO_CURSOR_SIZE;
}

/* ---- from a server: single values ---- */

size_t proto_encode_stream(uint8_t *buffer, size_t capacity, const struct proto_stream *stream)
{
    return put_message(buffer, capacity, PROTO_STREAM, stream, NULL);
}

size_t proto_encode_role(uint8_t *buffer, size_t capacity, enum proto_role role)
{
    return put_message(buffer, capacity, PROTO_ROLE, &role, NULL);
}

size_t proto_encode_pong(uint8_t *buffer, size_t capacity, const struct proto_pong *pong)
{
    return put_message(buffer, capacity, PROTO_PONG, pong, NULL);
}

size_t proto_encode_done(uint8_t *buffer, size_t capacity, const struct proto_done *done)
{
    return put_message(buffer, capacity, PROTO_DONE, done, NULL);
}

size_t proto_encode_error(uint8_t *buffer, size_t capacity, const struct proto_error *error)
{
    return put_message(buffer, capacity, PROTO_ERROR, error,
                       error->after > 0 ? &error->after : NULL);
}

size_t proto_encode_event(uint8_t *buffer, size_t capacity, const struct proto_event *event)
{
    return put_message(buffer, capacity, PROTO_EVENT, event, NULL);
}

size_t proto_encode_new_key(uint8_t *buffer, size_t capacity, const struct proto_key *key)
{
    return put_message(buffer, capacity, PROTO_NEW_KEY, key, NULL);
}

size_t proto_encode_goodbye(uint8_t *buffer, size_t capacity, const struct proto_goodbye *goodbye)
{
    return put_message(buffer, capacity, PROTO_GOODBYE, goodbye, NULL);
}

size_t proto_encode_past(uint8_t *buffer, size_t capacity, const struct proto_past *past,
                         const struct proto_person *people, uint32_t count)
{
    const struct fields *fields = fields_of(PROTO_PAST);
    struct writer w;

    if (count > PROTO_PEOPLE_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 1 + (size_t)fields->count + (count > 0 ? 1 : 0),
                  PROTO_PAST);
    for (uint32_t i = 0; i < fields->count; i++) {
        put_field(&w, &fields->all[i], past);
    }
    if (count > 0) {
        put_identities(&w, people, count);
    }
    return message_end(&w);
}

size_t proto_encode_self(uint8_t *buffer, size_t capacity, const struct proto_self *self)
{
    return put_message(buffer, capacity, PROTO_SELF, self, NULL);
}

static void put_lead(struct writer *w, const struct proto_lead *lead)
{
    put_array(w, 5);
    put_uint(w, lead->who);
    put_number(w, lead->x);
    put_number(w, lead->y);
    put_uint(w, lead->boids);
    put_uint(w, lead->people);
}

size_t proto_encode_leads(uint8_t *buffer, size_t capacity, const struct proto_leads *leads)
{
    struct writer w;

    if (leads->count > PROTO_LEADERS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 3, PROTO_LEADS);
    put_array(&w, leads->count);
    for (uint32_t i = 0; i < leads->count; i++) {
        put_lead(&w, &leads->leaders[i]);
    }
    if (leads->has_turn) {
        put_array(&w, 3);
        put_uint(&w, leads->turn.id);
        put_uint(&w, leads->turn.seconds);
        put_uint(&w, leads->turn.next);
    } else {
        put_nil(&w);
    }
    return message_end(&w);
}

static void put_mark(struct writer *w, const struct proto_mark *mark)
{
    put_array(w, 7);
    put_number(w, mark->back);
    put_uint(w, mark->event.by);
    put_text(w, mark->event.who);
    put_text(w, mark->event.name);
    put_text(w, mark->event.what);
    put_text(w, mark->event.from);
    put_text(w, mark->event.to);
}

size_t proto_encode_penned(uint8_t *buffer, size_t capacity, const struct proto_penned *penned)
{
    return put_message(buffer, capacity, PROTO_PENNED, penned, NULL);
}

size_t proto_encode_reach(uint8_t *buffer, size_t capacity, const struct proto_reach *reach)
{
    return put_message(buffer, capacity, PROTO_REACH, reach, NULL);
}

size_t proto_encode_clusters(uint8_t *buffer, size_t capacity,
                             const struct proto_clusters *clusters)
{
    return put_message(buffer, capacity, PROTO_CLUSTERS, clusters, NULL);
}

size_t proto_encode_things(uint8_t *buffer, size_t capacity, const struct proto_things *things)
{
    struct writer w;

    if (things->food_count > PROTO_FOOD_MAX || things->hunter_count > PROTO_HUNTERS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 3, PROTO_THINGS);
    put_array(&w, things->food_count);
    for (uint32_t i = 0; i < things->food_count; i++) {
        put_array(&w, 3);
        put_number(&w, things->food[i].x);
        put_number(&w, things->food[i].y);
        put_uint(&w, things->food[i].amount);
    }
    put_array(&w, things->hunter_count);
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        put_array(&w, 2);
        put_number(&w, things->hunters[i].x);
        put_number(&w, things->hunters[i].y);
    }
    return message_end(&w);
}

size_t proto_encode_marks(uint8_t *buffer, size_t capacity, const struct proto_marks *marks)
{
    struct writer w;

    if (marks->count > PROTO_MARKS_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 2, PROTO_MARKS);
    put_array(&w, marks->count);
    for (uint32_t i = 0; i < marks->count; i++) {
        put_mark(&w, &marks->marks[i]);
    }
    return message_end(&w);
}

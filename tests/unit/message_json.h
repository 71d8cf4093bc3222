/* Converts decoded messages to the JSON of the vectors (protocol/vectors/README.md). */
#ifndef TEST_MESSAGE_JSON_H
#define TEST_MESSAGE_JSON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "form.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static inline void add_text(cJSON *json, const char *key, const char *text)
{
    assert_non_null(cJSON_AddStringToObject(json, key, text));
}

static inline void add_number(cJSON *json, const char *key, double number)
{
    assert_non_null(cJSON_AddNumberToObject(json, key, number));
}

static inline void add_uint(cJSON *json, const char *key, uint64_t value)
{
    char digits[24];

    if (value < UINT64_C(1) << 53) {
        add_number(json, key, (double)value);
    } else {
        (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
        add_text(json, key, digits);
    }
}

static inline void add_hex(cJSON *json, const char *key, const uint8_t *bytes, size_t size)
{
    char hex[2 * 64 + 1] = "";

    assert_true(2 * size < sizeof hex);
    for (size_t i = 0; i < size; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    }
    add_text(json, key, hex);
}

static inline cJSON *add_list(cJSON *json, const char *key)
{
    cJSON *list = cJSON_AddArrayToObject(json, key);

    assert_non_null(list);
    return list;
}

static inline cJSON *begin(const char *type)
{
    cJSON *json = cJSON_CreateObject();

    assert_non_null(json);
    add_text(json, "type", type);
    return json;
}

static inline void add_role(cJSON *json, enum proto_role role)
{
    add_text(json, "role", role == PROTO_PRESENTER ? "presenter" : "viewer");
}

static inline void add_null(cJSON *json, const char *key)
{
    assert_non_null(cJSON_AddNullToObject(json, key));
}

static inline void add_bool(cJSON *json, const char *key, bool value)
{
    assert_non_null(cJSON_AddBoolToObject(json, key, value));
}

static inline void add_number_or_null(cJSON *json, const char *key, bool there, double number)
{
    if (there) {
        add_number(json, key, number);
    } else {
        add_null(json, key);
    }
}

static inline void add_hello(cJSON *json, const struct proto_hello *hello)
{
    add_number(json, "version", hello->version);
    add_text(json, "room", hello->room);
    add_text(json, "name", hello->name);
    if (hello->has_token) {
        add_hex(json, "token", hello->token, PROTO_TOKEN_SIZE);
    } else {
        add_null(json, "token");
    }
    if (hello->key[0] != '\0') {
        add_text(json, "key", hello->key);
    } else {
        add_null(json, "key");
    }
    if (hello->join[0] != '\0') {
        add_text(json, "join", hello->join);
    } else {
        add_null(json, "join");
    }
    cJSON *encodings = add_list(json, "encodings");
    for (uint32_t i = 0; i < hello->encoding_count; i++) {
        cJSON_AddItemToArray(encodings, cJSON_CreateString(hello->encodings[i]));
    }
    add_number(json, "rate", hello->rate);
    add_number(json, "boids", hello->boids);
    add_number(json, "topics", hello->topics);
}

/* Adds a field of the table of messages. `type` is the key of the message's type. */
static inline void add_field(cJSON *json, const struct field *field, const void *from)
{
    const void *at = field_in(from, field->offset);
    const char *key = strcmp(field->name, "type") == 0 ? "answers" : field->name;

    switch (field->kind) {
    case FIELD_UINT32:
        add_number(json, key, *(const uint32_t *)at);
        break;
    case FIELD_UINT64:
        add_uint(json, key, *(const uint64_t *)at);
        break;
    case FIELD_UINT32_NIL:
        add_number_or_null(json, key, *(const bool *)field_in(from, field->has),
                           *(const uint32_t *)at);
        break;
    case FIELD_TYPE:
        add_number_or_null(json, key, *(const uint32_t *)at != 0, *(const uint32_t *)at);
        break;
    case FIELD_NUMBER:
    case FIELD_POSITIVE:
        add_number(json, key, (double)*(const float *)at);
        break;
    case FIELD_BOOL:
        add_bool(json, key, *(const bool *)at);
        break;
    case FIELD_WORD:
    case FIELD_IDENTIFIER:
    case FIELD_LINE:
    case FIELD_TEXT:
        add_text(json, key, at);
        break;
    case FIELD_ROLE:
        add_role(json, *(const enum proto_role *)at);
        break;
    case FIELD_CODE:
        add_text(json, key, proto_code_name(*(const enum proto_code *)at));
        break;
    }
}

static inline void add_fields(cJSON *json, enum proto_type type, const void *from)
{
    const struct fields *fields = fields_of(type);

    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->all[i];
        if (!field->optional || *(const bool *)field_in(from, field->has)) {
            add_field(json, field, from);
        }
    }
}

static inline cJSON *client_json(const struct proto_client_message *m)
{
    cJSON *json = begin(proto_type_name(m->type));

    if (m->type == PROTO_HELLO) {
        add_hello(json, &m->hello);
    } else {
        add_fields(json, m->type, &m->hello); /* all members of the union have the same address */
    }
    if (m->has_tag) {
        add_number(json, "tag", m->tag);
    }
    return json;
}

static inline cJSON *list_of_texts(const char *first, const char *second)
{
    return cJSON_CreateStringArray((const char *const[]){first, second}, 2);
}

static inline void add_controls(cJSON *json, const struct proto_room *room)
{
    if (room->can_undo) {
        add_bool(json, "undo", true);
    }
    if (room->has_attention) {
        add_text(json, "attention", room->attention);
    }
    if (room->spotlight > 0) {
        add_number(json, "spotlight", room->spotlight);
    }
    if (room->store_failing) {
        add_bool(json, "store_failing", true);
    }
    if (room->door_closed) {
        add_text(json, "door", "closed");
    }
    if (room->locked) {
        add_bool(json, "locked", true);
    }
    if (room->unnamed) {
        add_bool(json, "unnamed", true);
    }
    if (room->beside[0] != '\0') {
        add_text(json, "beside", room->beside);
    }
    if (room->recording) {
        add_bool(json, "recording", true);
    }
    if (room->wall_count > 0) {
        cJSON *walls = add_list(json, "walls");
        for (uint32_t i = 0; i < room->wall_count; i++) {
            const struct proto_wall *w = &room->walls[i];
            cJSON_AddItemToArray(
                walls, cJSON_CreateFloatArray((const float[]){w->x1, w->y1, w->x2, w->y2}, 4));
        }
    }
    cJSON *controls = add_list(json, "controls");
    for (uint32_t i = 0; i < room->control_count; i++) {
        const struct proto_control *c = &room->controls[i];
        cJSON *list = list_of_texts(c->name, c->value);
        cJSON *choices = cJSON_CreateArray();
        for (uint32_t j = 0; j < c->choice_count; j++) {
            cJSON *choice = list_of_texts(c->choices[j].value, c->choices[j].text);
            if (c->choices[j].saved) {
                cJSON_AddItemToArray(choice, cJSON_CreateTrue());
            }
            cJSON_AddItemToArray(choices, choice);
        }
        cJSON_AddItemToArray(list, choices);
        cJSON_AddItemToArray(list, cJSON_CreateString(c->text));
        cJSON_AddItemToArray(controls, list);
    }
}

static inline void add_room(cJSON *json, const struct proto_room *room)
{
    add_text(json, "code", room->code);
    add_text(json, "title", room->title);
    add_uint(json, "instance", room->instance);
    add_text(json, "model", room->model);
    add_text(json, "boundary", room->boundary);
    add_text(json, "update", room->update);
    cJSON_AddItemToObject(json, "world",
                          cJSON_CreateFloatArray((const float[]){room->width, room->height}, 2));
    add_number(json, "quantum", room->quantum);
    add_number(json, "tick_rate", room->tick_rate);
    add_number(json, "snapshot_rate", room->snapshot_rate);
    add_text(json, "policy", room->policy);
    add_text(json, "idle", room->idle);
    add_number(json, "cursor_timeout", room->cursor_timeout);
    add_number(json, "people_max", room->people_max);
    add_number(json, "boids_max", room->boids_max);
    if (room->period_x > 0 || room->period_y > 0) {
        const int period[] = {(int)room->period_x, (int)room->period_y};
        cJSON_AddItemToObject(json, "period", cJSON_CreateIntArray(period, 2));
    }
    cJSON *params = add_list(json, "params");
    for (uint32_t i = 0; i < room->param_count; i++) {
        const struct proto_room_param *p = &room->params[i];
        cJSON *list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateString(p->name));
        cJSON_AddItemToArray(list, cJSON_CreateString(p->unit));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->min));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->max));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->initial));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->value));
        cJSON_AddItemToArray(list, cJSON_CreateString(p->text));
        cJSON_AddItemToArray(params, list);
    }
    add_controls(json, room);
    if (room->look[0] != '\0') {
        cJSON *look = add_list(json, "look");
        cJSON_AddItemToArray(look, cJSON_CreateString(room->look));
        cJSON_AddItemToArray(look, cJSON_CreateNumber(room->look_size));
    }
    if (room->click > 0) {
        add_number(json, "click", room->click);
    }
    if (room->ground[0] != '\0') {
        add_text(json, "ground", room->ground);
    }
    if (room->has_pen) {
        const float pen[] = {room->pen.x1, room->pen.y1, room->pen.x2, room->pen.y2};
        cJSON_AddItemToObject(json, "pen", cJSON_CreateFloatArray(pen, 4));
    }
}

static inline void add_welcome(cJSON *json, const struct proto_welcome *welcome)
{
    add_number(json, "version", welcome->version);
    add_text(json, "server", welcome->server);
    add_number(json, "id", welcome->id);
    add_hex(json, "token", welcome->token, PROTO_TOKEN_SIZE);
    add_text(json, "name", welcome->name);
    add_number(json, "color", welcome->color);
    add_role(json, welcome->role);
    add_text(json, "encoding", welcome->encoding);
    add_number(json, "rate", welcome->stream.rate);
    add_number(json, "boids", welcome->stream.boids);
    add_number(json, "stride", welcome->stream.stride);
    add_uint(json, "time", welcome->time);
    cJSON *capabilities = add_list(json, "capabilities");
    for (uint32_t i = 0; i < welcome->capability_count; i++) {
        cJSON_AddItemToArray(capabilities, cJSON_CreateString(welcome->capabilities[i]));
    }
    add_room(cJSON_AddObjectToObject(json, "room"), &welcome->room);
}

static inline void add_identities(cJSON *json, const char *key, const struct proto_person *people,
                                  uint32_t count)
{
    cJSON *all = add_list(json, key);

    for (uint32_t i = 0; i < count; i++) {
        cJSON *list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateNumber(people[i].id));
        cJSON_AddItemToArray(list, cJSON_CreateString(people[i].name));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(people[i].color));
        if (people[i].flags != 0) {
            cJSON_AddItemToArray(list, cJSON_CreateNumber(people[i].flags));
        }
        cJSON_AddItemToArray(all, list);
    }
}

static inline void add_presence(cJSON *json, const struct proto_presence *presence)
{
    add_number(json, "since", presence->since);
    add_number(json, "sequence", presence->sequence);
    cJSON *people = add_list(json, "people");
    for (uint32_t i = 0; i < presence->count; i++) {
        const struct proto_person *person = &presence->people[i];
        cJSON *list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateNumber(person->id));
        if (!person->flags_only) {
            cJSON_AddItemToArray(list, cJSON_CreateString(person->name));
            cJSON_AddItemToArray(list, cJSON_CreateNumber(person->color));
        }
        cJSON_AddItemToArray(list, cJSON_CreateNumber(person->flags));
        cJSON_AddItemToArray(people, list);
    }
    cJSON *left = add_list(json, "left");
    for (uint32_t i = 0; i < presence->left_count; i++) {
        cJSON_AddItemToArray(left, cJSON_CreateNumber(presence->left[i]));
    }
    if (presence->has_away) {
        add_identities(json, "away", presence->away, presence->away_count);
    }
}

static inline void add_snapshot(cJSON *json, const struct proto_snapshot *s)
{
    static const char *const target[] = {"target_x", "target_y"};
    const float values[] = {s->target_x, s->target_y};
    int16_t x, y;
    uint32_t id;

    add_uint(json, "epoch", s->epoch);
    add_uint(json, "tick", s->tick);
    add_uint(json, "time", s->time);
    add_uint(json, "people", s->people);
    for (size_t i = 0; i < 2; i++) {
        add_number_or_null(json, target[i], s->has_target, values[i]);
    }
    if (s->packed) {
        add_hex(json, "boids", s->boids, s->packed_size);
    }
    cJSON *boids = s->packed ? NULL : add_list(json, "boids");
    for (size_t i = 0; i < s->boid_count; i++) {
        proto_get_position(s->boids + i * PROTO_BOID_SIZE, &x, &y);
        cJSON_AddItemToArray(boids, cJSON_CreateIntArray((const int[]){x, y}, 2));
    }
    cJSON *cursors = add_list(json, "cursors");
    for (size_t i = 0; i < s->cursor_count; i++) {
        proto_get_cursor(s->cursors + i * PROTO_CURSOR_SIZE, &id, &x, &y);
        cJSON_AddItemToArray(cursors, cJSON_CreateDoubleArray((const double[]){id, x, y}, 3));
    }
    add_uint(json, "flock", s->flock);
    if (s->has_measures) {
        const struct proto_measures *m = &s->measures;
        const float numbers[PROTO_MEASURES] = {m->polarization, m->milling,  m->centroid_x,
                                               m->centroid_y,   m->gyration, m->speed,
                                               m->nearest};
        cJSON_AddItemToObject(json, "measures", cJSON_CreateFloatArray(numbers, PROTO_MEASURES));
    } else {
        add_null(json, "measures");
    }
}

static inline void add_leads(cJSON *json, const struct proto_leads *leads)
{
    cJSON *list = add_list(json, "leaders");

    for (uint32_t i = 0; i < leads->count; i++) {
        const struct proto_lead *l = &leads->leaders[i];
        const double values[] = {l->who, (double)l->x, (double)l->y, l->boids, l->people};
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(values, 5));
    }
    if (leads->has_turn) {
        const double turn[] = {leads->turn.id, leads->turn.seconds, leads->turn.next};
        cJSON_AddItemToObject(json, "turn", cJSON_CreateDoubleArray(turn, 3));
    } else {
        add_null(json, "turn");
    }
}

static inline void add_things(cJSON *json, const struct proto_things *things)
{
    cJSON *food = add_list(json, "food");

    for (uint32_t i = 0; i < things->food_count; i++) {
        const struct proto_food *f = &things->food[i];
        const double values[] = {(double)f->x, (double)f->y, f->amount};
        cJSON_AddItemToArray(food, cJSON_CreateDoubleArray(values, 3));
    }
    cJSON *hunters = add_list(json, "hunters");
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        const double values[] = {(double)things->hunters[i].x, (double)things->hunters[i].y};
        cJSON_AddItemToArray(hunters, cJSON_CreateDoubleArray(values, 2));
    }
}

static inline void add_marks(cJSON *json, const struct proto_marks *marks)
{
    cJSON *list = add_list(json, "marks");

    for (uint32_t i = 0; i < marks->count; i++) {
        const struct proto_event *event = &marks->marks[i].event;
        cJSON *mark = cJSON_CreateArray();
        cJSON_AddItemToArray(mark, cJSON_CreateNumber((double)marks->marks[i].back));
        cJSON_AddItemToArray(mark, cJSON_CreateNumber(event->by));
        cJSON_AddItemToArray(mark, cJSON_CreateString(event->who));
        cJSON_AddItemToArray(mark, cJSON_CreateString(event->name));
        cJSON_AddItemToArray(mark, cJSON_CreateString(event->what));
        cJSON_AddItemToArray(mark, cJSON_CreateString(event->from));
        cJSON_AddItemToArray(mark, cJSON_CreateString(event->to));
        cJSON_AddItemToArray(list, mark);
    }
}

static inline void add_floats(cJSON *json, const char *key, const float *values, int count)
{
    cJSON_AddItemToObject(json, key, cJSON_CreateFloatArray(values, count));
}

static inline void add_pushes(cJSON *list, const struct proto_push *pushes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cJSON *push = cJSON_CreateArray();
        cJSON_AddItemToArray(push, cJSON_CreateString(pushes[i].name));
        cJSON_AddItemToArray(push, cJSON_CreateNumber((double)pushes[i].x));
        cJSON_AddItemToArray(push, cJSON_CreateNumber((double)pushes[i].y));
        cJSON_AddItemToArray(list, push);
    }
}

static inline void add_near(cJSON *list, const struct proto_near *near, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cJSON *one = cJSON_CreateArray();
        cJSON_AddItemToArray(one, cJSON_CreateNumber(near[i].number));
        cJSON_AddItemToArray(one, cJSON_CreateNumber((double)near[i].x));
        cJSON_AddItemToArray(one, cJSON_CreateNumber((double)near[i].y));
        cJSON_AddItemToArray(one, cJSON_CreateBool(near[i].close));
        cJSON_AddItemToArray(list, one);
    }
}

static inline void add_sample(cJSON *json, const struct proto_pushes *pushes)
{
    cJSON *rules = add_list(json, "rules");
    add_uint(json, "tick", pushes->tick);
    cJSON *boids = add_list(json, "boids");

    for (uint32_t i = 0; i < pushes->rule_count; i++) {
        cJSON_AddItemToArray(rules, cJSON_CreateString(pushes->rules[i]));
    }
    for (uint32_t i = 0; i < pushes->count; i++) {
        const struct proto_pushed *boid = &pushes->boids[i];
        cJSON *one = cJSON_CreateArray();
        cJSON *vectors = cJSON_CreateArray();
        cJSON_AddItemToArray(one, cJSON_CreateNumber(boid->number));
        cJSON_AddItemToArray(one, cJSON_CreateNumber((double)boid->x));
        cJSON_AddItemToArray(one, cJSON_CreateNumber((double)boid->y));
        for (uint32_t rule = 0; rule < pushes->rule_count; rule++) {
            const float vector[] = {boid->pushes[rule].x, boid->pushes[rule].y};
            cJSON_AddItemToArray(vectors, cJSON_CreateFloatArray(vector, 2));
        }
        cJSON_AddItemToArray(one, vectors);
        cJSON_AddItemToArray(boids, one);
    }
}

static inline void add_why(cJSON *json, const struct proto_why *why)
{
    const float zones[] = {why->zones.view, why->zones.view_angle, why->zones.close,
                           why->zones.close_angle};
    const float motion[] = {why->motion.x,  why->motion.y,      why->motion.vx,
                            why->motion.vy, why->motion.next_x, why->motion.next_y};

    add_number_or_null(json, "boid", why->has_boid, why->boid);
    add_bool(json, "shown", why->shown);
    add_number(json, "by", why->by);
    add_uint(json, "tick", why->tick);
    if (why->there) {
        add_floats(json, "motion", motion, 6);
    } else {
        add_null(json, "motion");
    }
    add_floats(json, "zones", zones, 4);
    add_pushes(add_list(json, "pushes"), why->pushes, why->push_count);
    add_near(add_list(json, "near"), why->near, why->near_count);
    add_number(json, "seen", why->seen);
    add_number(json, "crowding", why->crowding);
}

static inline void add_swept(cJSON *json, const struct proto_swept *swept)
{
    cJSON_AddStringToObject(json, "state", swept->state);
    add_number(json, "by", swept->by);
    cJSON_AddStringToObject(json, "who", swept->who);
    cJSON_AddStringToObject(json, "name", swept->name);
    add_number(json, "from", (double)swept->from);
    add_number(json, "to", (double)swept->to);
    add_number(json, "steps", swept->steps);
    add_number(json, "warm_up", swept->warm_up);
    add_number(json, "seconds", swept->seconds);
    cJSON *points = add_list(json, "points");
    for (uint32_t i = 0; i < swept->count; i++) {
        const struct proto_swept_point *point = &swept->points[i];
        cJSON *one = cJSON_CreateArray();
        cJSON_AddItemToArray(one, cJSON_CreateNumber((double)point->value));
        cJSON_AddItemToArray(one, cJSON_CreateNumber(point->samples));
        cJSON_AddItemToArray(one, cJSON_CreateFloatArray(point->means, PROTO_SWEEP_MEASURES));
        cJSON_AddItemToArray(one, cJSON_CreateFloatArray(point->errors, PROTO_SWEEP_MEASURES));
        cJSON_AddItemToArray(points, one);
    }
}

/* A client's error in the vectors: its `type` is the refused message's. */
static inline void add_error(cJSON *json, const struct proto_error *error)
{
    add_fields(json, PROTO_ERROR, error);
    cJSON_AddItemToObject(json, "type", cJSON_DetachItemFromObjectCaseSensitive(json, "answers"));
    if (error->after > 0) {
        add_number(json, "after", error->after);
    }
}

/* Adds the fields of a message that is a list of single values. */
static inline void add_values(cJSON *json, const struct proto_server_message *m)
{
    add_fields(json, (enum proto_type)m->type, &m->welcome); /* as in client_json() */
    if (m->type == PROTO_PAST && m->then.count > 0) {
        add_identities(json, "people", m->then.people, m->then.count);
    }
    if (m->type == PROTO_ERROR && m->error.after > 0) {
        add_number(json, "after", m->error.after);
    }
}

/* Returns null for an unknown type. */
static inline cJSON *server_json(const struct proto_server_message *m)
{
    if (m->type < PROTO_SERVER_TYPES || proto_type_name(m->type) == NULL) {
        return cJSON_CreateNull();
    }
    cJSON *json = begin(proto_type_name(m->type));
    switch (m->type) {
    case PROTO_WELCOME:
        add_welcome(json, &m->welcome);
        break;
    case PROTO_ROOM:
        add_room(json, &m->room);
        break;
    case PROTO_PARAMS:
        cJSON_AddItemToObject(json, "values",
                              cJSON_CreateFloatArray(m->params.values, (int)m->params.count));
        break;
    case PROTO_PRESENCE:
        add_presence(json, &m->presence);
        break;
    case PROTO_SNAPSHOT:
    case PROTO_PACKED:
        add_snapshot(json, &m->snapshot);
        break;
    case PROTO_LEADS:
        add_leads(json, &m->leads);
        break;
    case PROTO_MARKS:
        add_marks(json, &m->marks);
        break;
    case PROTO_THINGS:
        add_things(json, &m->things);
        break;
    case PROTO_WHY:
        add_why(json, &m->why);
        break;
    case PROTO_PUSHES:
        add_sample(json, &m->pushes);
        break;
    case PROTO_SWEPT:
        add_swept(json, &m->swept);
        break;
    default:
        add_values(json, m);
        break;
    }
    return json;
}

#endif

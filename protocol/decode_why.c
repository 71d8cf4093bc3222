#include "decode_why.h"

static bool is_nil(const msgpack_object *value)
{
    return value == NULL || value->type == MSGPACK_OBJECT_NIL;
}

static void read_motion(struct reader *r, const msgpack_object *value, struct proto_motion *motion)
{
    const msgpack_object_array *a = reader_array(r, value, 6);

    if (a != NULL) {
        motion->x = reader_finite(r, &a->ptr[0]);
        motion->y = reader_finite(r, &a->ptr[1]);
        motion->vx = reader_finite(r, &a->ptr[2]);
        motion->vy = reader_finite(r, &a->ptr[3]);
        motion->next_x = reader_finite(r, &a->ptr[4]);
        motion->next_y = reader_finite(r, &a->ptr[5]);
    }
}

static void read_zones(struct reader *r, const msgpack_object *value, struct proto_zones *zones)
{
    const msgpack_object_array *a = reader_array(r, value, 4);

    if (a != NULL) {
        zones->view = reader_finite(r, &a->ptr[0]);
        zones->view_angle = reader_finite(r, &a->ptr[1]);
        zones->close = reader_finite(r, &a->ptr[2]);
        zones->close_angle = reader_finite(r, &a->ptr[3]);
    }
}

static void read_push(struct reader *r, const msgpack_object *value, struct proto_push *push)
{
    const msgpack_object_array *a = reader_array(r, value, 3);

    if (a != NULL) {
        reader_text(r, &a->ptr[0], push->name, sizeof push->name);
        push->x = reader_finite(r, &a->ptr[1]);
        push->y = reader_finite(r, &a->ptr[2]);
    }
}

static void read_near(struct reader *r, const msgpack_object *value, struct proto_near *near)
{
    const msgpack_object_array *a = reader_array(r, value, 4);

    if (a != NULL) {
        near->number = reader_uint32(r, &a->ptr[0], UINT32_MAX);
        near->x = reader_finite(r, &a->ptr[1]);
        near->y = reader_finite(r, &a->ptr[2]);
        near->close = reader_bool(r, &a->ptr[3]);
    }
}

static void read_lists(struct reader *r, const msgpack_object_array *a, struct proto_why *why)
{
    const msgpack_object_array *list = reader_array(r, reader_at(r, a, 7, "pushes"), 0);

    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_PUSHES_MAX; i++) {
        read_push(r, &list->ptr[i], &why->pushes[why->push_count++]);
    }
    list = reader_array(r, reader_at(r, a, 8, "near"), 0);
    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_NEAR_MAX; i++) {
        read_near(r, &list->ptr[i], &why->near[why->near_count++]);
    }
}

void decode_why(struct reader *reader, const msgpack_object_array *array, struct proto_why *why)
{
    const msgpack_object *value = reader_at(reader, array, 1, "boid");

    why->has_boid = !is_nil(value);
    why->boid = why->has_boid ? reader_uint32(reader, value, UINT32_MAX) : 0;
    why->shown = reader_bool(reader, reader_at(reader, array, 2, "shown"));
    why->by = reader_uint32(reader, reader_at(reader, array, 3, "by"), UINT32_MAX);
    why->tick = reader_uint(reader, reader_at(reader, array, 4, "tick"), 0, UINT64_MAX);
    value = reader_at(reader, array, 5, "motion");
    why->there = !is_nil(value);
    if (why->there) {
        read_motion(reader, value, &why->motion);
    }
    read_zones(reader, reader_at(reader, array, 6, "zones"), &why->zones);
    read_lists(reader, array, why);
    why->seen = reader_uint32(reader, reader_at(reader, array, 9, "seen"), UINT32_MAX);
    why->crowding = reader_uint32(reader, reader_at(reader, array, 10, "crowding"), UINT32_MAX);
}

/* ---- pushes ---- */

static void read_vector(struct reader *r, const msgpack_object *value, struct proto_vector *vector)
{
    const msgpack_object_array *a = reader_array(r, value, 2);

    if (a != NULL) {
        vector->x = reader_finite(r, &a->ptr[0]);
        vector->y = reader_finite(r, &a->ptr[1]);
    }
}

/* Reads a boid and a vector for each of the rules; a missing vector is 0. */
static void read_pushed(struct reader *r, const msgpack_object *value, uint32_t rules,
                        struct proto_pushed *pushed)
{
    const msgpack_object_array *a = reader_array(r, value, 4);
    const msgpack_object_array *list = a != NULL ? reader_array(r, &a->ptr[3], 0) : NULL;

    if (list == NULL) {
        return;
    }
    pushed->number = reader_uint32(r, &a->ptr[0], UINT32_MAX);
    pushed->x = reader_finite(r, &a->ptr[1]);
    pushed->y = reader_finite(r, &a->ptr[2]);
    for (uint32_t i = 0; i < list->size && i < rules; i++) {
        read_vector(r, &list->ptr[i], &pushed->pushes[i]);
    }
}

void decode_pushes(struct reader *reader, const msgpack_object_array *array,
                   struct proto_pushes *pushes)
{
    const msgpack_object_array *list =
        reader_array(reader, reader_at(reader, array, 1, "rules"), 0);

    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_RULES_MAX; i++) {
        reader_text(reader, &list->ptr[i], pushes->rules[i], sizeof pushes->rules[i]);
        pushes->rule_count++;
    }
    pushes->tick = reader_uint(reader, reader_at(reader, array, 2, "tick"), 0, UINT64_MAX);
    list = reader_array(reader, reader_at(reader, array, 3, "boids"), 0);
    for (uint32_t i = 0; list != NULL && i < list->size && i < PROTO_SAMPLE_MAX; i++) {
        read_pushed(reader, &list->ptr[i], pushes->rule_count, &pushes->boids[pushes->count++]);
    }
}

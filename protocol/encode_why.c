/* The messages why and pushes of a server, from their structs to bytes: what rules do to boids. */
#include "put.h"

/* ---- why ---- */

static void put_motion(struct writer *w, const struct proto_motion *motion)
{
    put_array(w, 6);
    put_number(w, motion->x);
    put_number(w, motion->y);
    put_number(w, motion->vx);
    put_number(w, motion->vy);
    put_number(w, motion->next_x);
    put_number(w, motion->next_y);
}

static void put_zones(struct writer *w, const struct proto_zones *zones)
{
    put_array(w, 4);
    put_number(w, zones->view);
    put_number(w, zones->view_angle);
    put_number(w, zones->close);
    put_number(w, zones->close_angle);
}

static void put_pushes(struct writer *w, const struct proto_why *why)
{
    put_array(w, why->push_count);
    for (uint32_t i = 0; i < why->push_count; i++) {
        put_array(w, 3);
        put_text(w, why->pushes[i].name);
        put_number(w, why->pushes[i].x);
        put_number(w, why->pushes[i].y);
    }
}

static void put_near(struct writer *w, const struct proto_why *why)
{
    put_array(w, why->near_count);
    for (uint32_t i = 0; i < why->near_count; i++) {
        put_array(w, 4);
        put_uint(w, why->near[i].number);
        put_number(w, why->near[i].x);
        put_number(w, why->near[i].y);
        put_bool(w, why->near[i].close);
    }
}

size_t proto_encode_why(uint8_t *buffer, size_t capacity, const struct proto_why *why)
{
    struct writer w;

    if (why->push_count > PROTO_PUSHES_MAX || why->near_count > PROTO_NEAR_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 11, PROTO_WHY);
    put_uint_or_nil(&w, why->boid, why->has_boid);
    put_bool(&w, why->shown);
    put_uint(&w, why->by);
    put_uint(&w, why->tick);
    if (why->there) {
        put_motion(&w, &why->motion);
    } else {
        put_nil(&w);
    }
    put_zones(&w, &why->zones);
    put_pushes(&w, why);
    put_near(&w, why);
    put_uint(&w, why->seen);
    put_uint(&w, why->crowding);
    return message_end(&w);
}

/* ---- pushes ---- */

static void put_pushed(struct writer *w, const struct proto_pushed *pushed, uint32_t rules)
{
    put_array(w, 4);
    put_uint(w, pushed->number);
    put_number(w, pushed->x);
    put_number(w, pushed->y);
    put_array(w, rules);
    for (uint32_t i = 0; i < rules; i++) {
        put_array(w, 2);
        put_number(w, pushed->pushes[i].x);
        put_number(w, pushed->pushes[i].y);
    }
}

size_t proto_encode_pushes(uint8_t *buffer, size_t capacity, const struct proto_pushes *pushes)
{
    struct writer w;

    if (pushes->rule_count > PROTO_RULES_MAX || pushes->count > PROTO_SAMPLE_MAX) {
        return 0;
    }
    message_begin(&w, buffer, capacity, 4, PROTO_PUSHES);
    put_array(&w, pushes->rule_count);
    for (uint32_t i = 0; i < pushes->rule_count; i++) {
        put_text(&w, pushes->rules[i]);
    }
    put_uint(&w, pushes->tick);
    put_array(&w, pushes->count);
    for (uint32_t i = 0; i < pushes->count; i++) {
        put_pushed(&w, &pushes->boids[i], pushes->rule_count);
    }
    return message_end(&w);
}

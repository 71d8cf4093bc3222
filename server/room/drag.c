#include "room/drag.h"

#include <stdio.h>

#include "room/state.h"

_Static_assert(PROTO_SAMPLE_MAX <= WHY_BOIDS, "one call explains the sample");

void drag_note(struct drag *drag, uint32_t causes, uint64_t now)
{
    const bool soon = now < drag->at + DRAG_BATCH;
    const bool batch = soon && (causes != drag->last || drag->causes == 0);

    drag->causes = batch ? 0 : causes;
    drag->last = causes;
    drag->at = now;
}

bool drag_goes_on(const struct room *room, uint64_t now)
{
    const struct drag *drag = &room->drag;

    return drag->causes != 0 && now < drag->at + DRAG_TIME && room->rewind == NULL;
}

/* Lists the sample: boids spread evenly over the numbers. Returns how many. */
static uint32_t list_sample(uint32_t boids, struct flock_why whys[PROTO_SAMPLE_MAX])
{
    const uint32_t count = boids < PROTO_SAMPLE_MAX ? boids : PROTO_SAMPLE_MAX;

    for (uint32_t i = 0; i < count; i++) {
        whys[i].boid = (uint32_t)((uint64_t)boids * i / count);
    }
    return count;
}

/* Names the rules of these causes, the first PROTO_RULES_MAX, and stores the causes. */
static void list_rules(uint32_t causes, struct proto_pushes *out,
                       enum flock_cause rules[PROTO_RULES_MAX])
{
    for (uint32_t cause = 0; cause < CAUSE_COUNT && out->rule_count < PROTO_RULES_MAX; cause++) {
        if ((causes >> cause & 1) != 0) {
            rules[out->rule_count] = (enum flock_cause)cause;
            snprintf(out->rules[out->rule_count++], sizeof out->rules[0], "%s",
                     flock_cause_name((enum flock_cause)cause));
        }
    }
}

static void describe_boid(const struct flock_why *why, const enum flock_cause *rules,
                          struct proto_pushes *out)
{
    struct proto_pushed *boid = &out->boids[out->count++];

    *boid = (struct proto_pushed){.number = why->boid, .x = why->position.x, .y = why->position.y};
    for (uint32_t i = 0; i < out->rule_count; i++) {
        boid->pushes[i] = (struct proto_vector){why->push[rules[i]].x, why->push[rules[i]].y};
    }
}

/* Fills *out. Returns false if the explanation was stopped. */
static bool describe_sample(const struct room *room, struct flock_workspace *engine, uint64_t time,
                            struct proto_pushes *out)
{
    const struct scene *scene = room_shown(room);
    struct flock_why whys[PROTO_SAMPLE_MAX];
    enum flock_cause rules[PROTO_RULES_MAX] = {0};
    const uint32_t count = list_sample(flock_count(scene_flock(scene)), whys);

    if (!scene_explain(scene, engine, time, whys, count)) {
        return false;
    }
    out->tick = scene_ticks(scene);
    list_rules(room->drag.causes, out, rules);
    for (uint32_t i = 0; i < count; i++) {
        describe_boid(&whys[i], rules, out);
    }
    return true;
}

struct frame *drag_frame(const struct room *room, struct flock_workspace *engine, uint64_t now,
                         uint64_t time)
{
    struct proto_pushes pushes = {0};
    uint8_t bytes[PROTO_STATE_MAX];

    if (drag_goes_on(room, now) && !describe_sample(room, engine, time, &pushes)) {
        return NULL;
    }
    return frame_of(bytes, proto_encode_pushes(bytes, sizeof bytes, &pushes));
}

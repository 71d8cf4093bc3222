#include "room/leads.h"

#include <math.h>

#define BLOCK 256u /* boids whose distances stay in the cache */

_Static_assert(PROTO_STATE_MAX >= PROTO_LEADERS_MAX * 27 + 64, "a leads message holds all leaders");

/* Boids that are counted, and the leader that is nearest to each so far. */
struct block {
    uint32_t count;
    float x[BLOCK], y[BLOCK];
    float nearest[BLOCK]; /* squared */
    uint32_t leader[BLOCK];
};

/* Compares the distances to one more leader. width, height: of a torus; else infinite. Without a
 * branch, for vectors of boids. */
static void compare(struct block *block, uint32_t index, const struct proto_lead *lead, float width,
                    float height)
{
    const float x = lead->x;
    const float y = lead->y;

    for (uint32_t i = 0; i < BLOCK; i++) {
        float dx = fabsf(block->x[i] - x);
        float dy = fabsf(block->y[i] - y);
        const float round_x = width - dx;
        const float round_y = height - dy;
        dx = dx < round_x ? dx : round_x;
        dy = dy < round_y ? dy : round_y;
        const float distance = dx * dx + dy * dy;
        const float before = block->nearest[i];
        const uint32_t nearer = 0u - (uint32_t)(distance < before); /* all bits, or none */
        block->nearest[i] = distance < before ? distance : before;
        block->leader[i] = (index & nearer) | (block->leader[i] & ~nearer);
    }
}

static void count_block(struct block *block, const struct flock_settings *world,
                        struct proto_leads *leads)
{
    const bool torus = world->boundary == FLOCK_WRAP;

    for (uint32_t i = 0; i < BLOCK; i++) {
        block->nearest[i] = INFINITY;
        block->leader[i] = 0;
    }
    for (uint32_t i = 0; i < leads->count; i++) {
        compare(block, i, &leads->leaders[i], torus ? world->width : INFINITY,
                torus ? world->height : INFINITY);
    }
    for (uint32_t i = 0; i < block->count; i++) {
        leads->leaders[block->leader[i]].boids++;
    }
    block->count = 0;
}

static void count_boids(const struct flock *flock, struct proto_leads *leads)
{
    const struct flock_slots slots = flock_slots(flock);
    const uint32_t followers = flock_followers(flock, flock_count(flock));
    const uint32_t stride = followers > 0 ? (followers + LEADS_EXACT - 1) / LEADS_EXACT : 1;
    const uint64_t counted = (followers + stride - 1) / stride;
    struct block block = {0};

    for (uint32_t i = 0; i < flock_count(flock); i++) {
        const uint32_t before = flock_followers(flock, slots.number[i]);
        if (before % stride == 0 && before < flock_followers(flock, slots.number[i] + 1)) {
            block.x[block.count] = slots.x[i];
            block.y[block.count] = slots.y[i];
            block.count++;
        }
        if (block.count == BLOCK) {
            count_block(&block, flock_settings_of(flock), leads);
        }
    }
    count_block(&block, flock_settings_of(flock), leads);
    for (uint32_t i = 0; i < leads->count && stride > 1; i++) {
        struct proto_lead *lead = &leads->leaders[i];
        lead->boids = (uint32_t)(((uint64_t)lead->boids * followers + counted / 2) / counted);
    }
}

void leads_describe(const struct scene *scene, uint64_t time, struct proto_leads *leads)
{
    struct scene_leader leaders[PROTO_LEADERS_MAX];

    leads->count = scene_leaders(scene, time, leaders);
    for (uint32_t i = 0; i < leads->count; i++) {
        const struct scene_leader *leader = &leaders[i];
        leads->leaders[i] = (struct proto_lead){
            .who = leader->who, .x = leader->x, .y = leader->y, .people = leader->people};
    }
    if (leads->count > 0) {
        count_boids(scene_flock(scene), leads);
    }
    leads->has_turn = scene_turn(scene, &leads->turn);
}

struct frame *leads_frame(const struct scene *scene, uint64_t time)
{
    struct proto_leads leads;
    uint8_t bytes[PROTO_STATE_MAX];

    leads_describe(scene, time, &leads);
    return frame_of(bytes, proto_encode_leads(bytes, sizeof bytes, &leads));
}

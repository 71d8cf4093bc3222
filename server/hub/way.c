#include "hub/way.h"

#include "hub/event.h"
#include "hub/inside.h"
#include "scene/budget.h"

#define WAIT_TIME 500u /* ms */

/* A room's memory beside its past: see room_bytes(). */
#define ROOM_BYTES 65536u
#define BOID_BYTES 32u

/* A creator gets half of what becomes free. */
static uint64_t amount_for(const struct creator *creator, uint64_t lacking)
{
    return creator->boids.trusted ? lacking : 2 * lacking;
}

static void end_room(const struct hub *hub, uint64_t room, uint32_t runner)
{
    const struct event event = {.type = EVENT_GIVE_WAY, .room_number = room};

    if (!mailbox_push(runner_mailbox(hub->runners[runner]), &event, true)) {
        directory_stay(hub->directory, room);
    }
}

static bool make_way(struct hub *hub, const struct creator *creator, struct directory_need need,
                     struct directory_way *way)
{
    need.creator = creator->number;
    need.trusted = creator->boids.trusted;
    need.now = hub_clock(hub);
    way->count = 0;
    if (need.amount == 0 || !directory_make_way(hub->directory, &need, way)) {
        return false;
    }
    for (uint32_t i = 0; i < way->count; i++) {
        end_room(hub, way->rooms[i], way->runners[i]);
    }
    return true;
}

/* Runners free a room before the directory forgets it. */
static void wait_for(const struct hub *hub, const struct directory_way *way)
{
    uint32_t left = WAIT_TIME;
    uint32_t runner;

    for (uint32_t i = 0; i < way->count; i++) {
        while (left > 0 && directory_runner(hub->directory, way->rooms[i], &runner)) {
            uv_sleep(1);
            left--;
        }
    }
}

void way_for_boids(struct hub *hub, const struct creator *creator, uint32_t boids)
{
    const uint64_t left = budget_left(&creator->boids);
    const struct directory_need need = {.what = DIRECTORY_BOIDS,
                                        .amount =
                                            boids > left ? amount_for(creator, boids - left) : 0,
                                        .mine = atomic_load(&creator->boids.boids) + boids};
    struct directory_way way;

    if (make_way(hub, creator, need, &way)) {
        wait_for(hub, &way);
    }
}

static struct directory_need need_of(const struct creator *creator, uint64_t used, uint64_t bytes)
{
    const uint64_t most = history_budget_limit(creator->pasts);
    const uint64_t lacking = used + bytes > most ? used + bytes - most : 0;

    return (struct directory_need){.what = DIRECTORY_BYTES,
                                   .amount = amount_for(creator, lacking),
                                   .mine = history_budget_taken(creator->pasts) + bytes};
}

void way_for_room(struct hub *hub, const struct creator *creator, uint32_t boids)
{
    const uint64_t used = atomic_load(&creator->pasts->beside);
    const struct directory_need need =
        need_of(creator, used, ROOM_BYTES + (uint64_t)boids * BOID_BYTES);
    struct directory_way way;

    /* Pasts give way to trusted rooms by themselves. */
    if (!creator->boids.trusted && make_way(hub, creator, need, &way)) {
        wait_for(hub, &way);
    }
}

bool way_for_bytes(struct hub *hub, const struct creator *creator, uint64_t bytes)
{
    struct directory_way way;

    return make_way(hub, creator, need_of(creator, history_budget_taken(creator->pasts), bytes),
                    &way);
}

/* Runs flocks of each kind for some ticks, and hashes all bits of the result. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/flock.h"
#include "sim_tick.h"

#include <string.h>

/* Sequential flocks are smaller, because in their ticks every boid looks at every other. */
enum { BOIDS = 3000, TICKS = 8, SEQUENTIAL_BOIDS = 700, SEQUENTIAL_TICKS = 6 };

static inline uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 4; byte++) { /* FNV-1a */
            hash = (hash ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3u;
        }
    }
    return hash;
}

/* Two people lead, or a class: more cursors than the engine compares one by one, some of them at
 * the same place and some beyond the world. Returns how many. */
static inline size_t lead(struct flock_target targets[FLOCK_TARGETS_MAX], int tick, bool class)
{
    targets[0] = (struct flock_target){10.0f * (float)tick, 250.0f, false};
    targets[1] = (struct flock_target){700.0f, 30.0f, false};
    for (int i = 2; class && i < (int)FLOCK_TARGETS_MAX; i++) {
        const int other = i % 5 == 0 ? i - 3 : i;
        targets[i] = (struct flock_target){(float)(other * 367 % 1100 - 100 + tick),
                                           (float)(other * 251 % 900 - 100), false};
    }
    return class ? FLOCK_TARGETS_MAX : 2;
}

/* Food and hunters among the boids. */
static inline void give_things(struct flock *flock)
{
    struct flock_things things = {.food_count = FLOCK_FOOD_MAX, .hunter_count = FLOCK_HUNTERS_MAX};
    for (uint32_t i = 0; i < FLOCK_FOOD_MAX; i++) {
        things.food[i] =
            (struct flock_food){(float)(i * 367 % 900), (float)(i * 251 % 700), 1 + i % 5};
        things.hunters[i / 4] = (struct flock_point){(float)(i * 97 % 900), (float)(i * 7)};
    }
    assert_true(flock_set_things(flock, &things));
    (void)flock_frighten(flock);
}

/* Returns a hash of food and hunters; without any, the hash that was given. */
static inline uint64_t hash_things(uint64_t hash, const struct flock_things *things)
{
    for (uint32_t i = 0; i < things->food_count; i++) {
        const struct flock_food *food = &things->food[i];
        hash = hash_floats(hash, (float[]){food->x, food->y, (float)food->amount}, 3);
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        hash = hash_floats(hash, (float[]){things->hunters[i].x, things->hunters[i].y}, 2);
    }
    return hash;
}

static inline uint64_t hash_of_any_run(struct flock_definition definition, uint32_t threads,
                                       uint32_t lanes, bool class, bool things)
{
    static float state[4 * BOIDS];
    const size_t boids = definition.boids;
    definition.lanes = lanes;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    const struct flock_wall walls[] = {{100.0f, 50.0f, 220.0f, 190.0f},
                                       {300.0f, 500.0f, 310.0f, 100.0f}};
    assert_true(flock_set_walls(flock, walls, 2));
    if (things) {
        give_things(flock);
    }
    const int ticks = definition.settings.update == FLOCK_SEQUENTIAL ? SEQUENTIAL_TICKS : TICKS;
    for (int tick = 0; tick < ticks; tick++) {
        struct flock_target targets[FLOCK_TARGETS_MAX];
        const size_t count = lead(targets, tick, class);
        tick_clear(flock, threads, targets, count, class ? 15.0f : 0.0f);
    }
    flock_positions(flock, state, state + boids);
    flock_velocities(flock, state + 2 * boids, state + 3 * boids);
    const uint64_t hash = hash_things(0xcbf29ce484222325u, flock_things_of(flock));
    flock_destroy(flock);
    return hash_floats(hash, state, 4 * boids);
}

static inline uint64_t hash_of_led_run(struct flock_definition definition, uint32_t threads,
                                       uint32_t lanes, bool class)
{
    return hash_of_any_run(definition, threads, lanes, class, false);
}

static inline uint64_t hash_of_run(struct flock_definition definition, uint32_t threads,
                                   uint32_t lanes)
{
    return hash_of_led_run(definition, threads, lanes, false);
}

static inline struct flock_definition definition_of(size_t model, int boundary, int update)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_models[model]);
    definition.settings.boundary = (enum flock_boundary)boundary;
    definition.settings.update = (enum flock_update)update;
    definition.settings.width = 900.0f;
    definition.settings.height = 700.0f;
    definition.boids = update == FLOCK_SEQUENTIAL ? SEQUENTIAL_BOIDS : BOIDS;
    definition.seed = 42;
    return definition;
}

/* Returns the definition with noise and uninformed boids. */
static inline struct flock_definition noisy_definition_of(size_t model, int boundary, int update)
{
    struct flock_definition definition = definition_of(model, boundary, update);
    definition.settings.params[flock_models[model]->common[FLOCK_NOISE]] = 50.0f;
    definition.settings.params[flock_models[model]->common[FLOCK_INFORMED]] = 0.7f;
    return definition;
}

#endif

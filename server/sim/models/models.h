/* The models and the names of their parameters; for the engine's own files. Each model's table is
 * in the file of its name, and ends with what all models share: how it flees. */
#ifndef MODELS_H
#define MODELS_H

#include "sim/rules.h"

extern const struct flock_model swarm_model, boids_model, vision_model, birds_model, steering_model;

#define FLEE_ROWS(weight)                                                                          \
    [weight] = {"flee_weight", "",   0.0f,                                                         \
                10.0f,         0.0f, "how strongly boids flee from cursors that are predators"},   \
    [(weight) + 1] = {"flee_distance", "units", 1.0f,                                              \
                      1000.0f,         100.0f,  "distance at which boids notice a predator"}

static inline float flee_distance(const struct flock_model *model, const float *params)
{
    return params[model->param_count - 1];
}

enum {
    SWARM_SEPARATION_MIN,
    SWARM_SEPARATION_MAX,
    SWARM_ALIGNMENT_MIN,
    SWARM_ALIGNMENT_MAX,
    SWARM_COHESION_MIN,
    SWARM_COHESION_MAX,
    SWARM_INERTIA,
    SWARM_FLEE_WEIGHT,
    SWARM_FLEE_DISTANCE,
    SWARM_PARAMS
};

enum {
    BOIDS_NEIGHBOR_DISTANCE,
    BOIDS_DESIRED_SEPARATION,
    BOIDS_MAX_SPEED,
    BOIDS_MAX_FORCE,
    BOIDS_SEPARATION_WEIGHT,
    BOIDS_ALIGNMENT_WEIGHT,
    BOIDS_COHESION_WEIGHT,
    BOIDS_SEEK_WEIGHT,
    BOIDS_FLEE_WEIGHT,
    BOIDS_FLEE_DISTANCE,
    BOIDS_PARAMS
};

enum {
    VISION_SPEED,
    VISION_MAX_TURN,
    VISION_VIEW_RADIUS,
    VISION_VIEW_ANGLE,
    VISION_SEPARATION_RADIUS,
    VISION_SEPARATION_ANGLE,
    VISION_COHESION_WEIGHT,
    VISION_ALIGNMENT_WEIGHT,
    VISION_SEPARATION_WEIGHT,
    VISION_SEEK_WEIGHT,
    VISION_FLEE_WEIGHT,
    VISION_FLEE_DISTANCE,
    VISION_PARAMS
};

enum {
    BIRDS_VIEW_DISTANCE,
    BIRDS_VIEW_ANGLE,
    BIRDS_SEPARATION_DISTANCE,
    BIRDS_COHESION_WEIGHT,
    BIRDS_ALIGNMENT_WEIGHT,
    BIRDS_SEPARATION_WEIGHT,
    BIRDS_SEEK_WEIGHT,
    BIRDS_SMOOTHING,
    BIRDS_MIN_SPEED,
    BIRDS_MAX_SPEED,
    BIRDS_FLEE_WEIGHT,
    BIRDS_FLEE_DISTANCE,
    BIRDS_PARAMS
};

enum {
    STEERING_NEIGHBOR_DISTANCE,
    STEERING_SEPARATION_DISTANCE,
    STEERING_MAX_SPEED,
    STEERING_MAX_FORCE,
    STEERING_SEPARATION_WEIGHT,
    STEERING_ALIGNMENT_WEIGHT,
    STEERING_COHESION_WEIGHT,
    STEERING_SEEK_WEIGHT,
    STEERING_TURN_RATE,
    STEERING_FLEE_WEIGHT,
    STEERING_FLEE_DISTANCE,
    STEERING_PARAMS
};

#endif

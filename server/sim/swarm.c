/* The swarm in the synchronous order: its sums over discs. The model is in models/swarm.c. */
#include "sim/state.h"

/* For a torus so small that a disc could meet two images of a boid: every pair, the plain way. */
static struct disc_sum ask_all(const struct flock *flock, uint32_t slot, float radius,
                               struct vec torus)
{
    struct disc_sum sum = {0};
    double square = (double)radius * (double)radius;
    for (uint32_t j = 0; j < flock->count; j++) {
        double dx = nearest_image((double)flock->x[j] - (double)flock->x[slot], torus.x);
        double dy = nearest_image((double)flock->y[j] - (double)flock->y[slot], torus.y);
        if (dx * dx + dy * dy < square) {
            sum.count++;
            sum.dx += dx;
            sum.dy += dy;
        }
    }
    return sum;
}

/* Fills push_x and push_y with every boid's separation from those within its distance. */
static void separate(struct flock *flock, struct vec torus)
{
    float reach = swarm_model.rules->reach(flock->params);
    bool small = torus.x > 0.0 && fmin(torus.x, torus.y) < 2.0 * (double)reach;
    if (!small) {
        disc_build(flock->disc, flock->x, flock->y, flock->count, (float)torus.x, (float)torus.y,
                   reach);
    }
    for (uint32_t i = 0; i < flock->count; i++) {
        float radius =
            flock_own_value(flock, PLACE_SEPARATION, flock->place[PLACE_SEPARATION][flock->id[i]]);
        struct disc_sum sum = small ? ask_all(flock, i, radius, torus)
                                    : disc_ask(flock->disc, flock->x[i], flock->y[i], radius);
        /* The boid itself is in the count, unless its radius is 0; it adds no displacement. */
        double others = (double)sum.count - 1.0;
        double d = sqrt(sum.dx * sum.dx + sum.dy * sum.dy);
        double factor = 0.0;
        if (others > 0.0 && d > 0.0) {
            factor = -((double)radius - d / others) / d;
        }
        flock->push_x[i] = (float)(sum.dx * factor);
        flock->push_y[i] = (float)(sum.dy * factor);
    }
}

void swarm_steer(struct flock *flock, const struct aim *aim)
{
    struct vec torus = flock_torus(flock);
    struct vec centroid = flock_centroid(flock);
    float inertia = flock->params[SWARM_INERTIA];
    float flee_weight = flock->params[SWARM_FLEE_WEIGHT];
    separate(flock, torus);
    for (uint32_t i = 0; i < flock->count; i++) {
        struct body body = {.p = {(double)flock->x[i], (double)flock->y[i]}};
        struct sight sight = {.bodies = &body, .width = torus.x, .height = torus.y};
        sight_aim(&sight, aim, (double)flock->params[SWARM_FLEE_DISTANCE]);
        struct vec pull = {0};
        if (sight.target != NULL) {
            pull = sight_between(&sight, centroid, *sight.target);
        }
        struct vec home = sight_between(&sight, body.p, centroid);
        float alignment =
            flock_own_value(flock, PLACE_ALIGNMENT, flock->place[PLACE_ALIGNMENT][flock->id[i]]);
        float cohesion =
            flock_own_value(flock, PLACE_COHESION, flock->place[PLACE_COHESION][flock->id[i]]);
        float fear =
            flock_own_value(flock, PLACE_SEPARATION, flock->place[PLACE_SEPARATION][flock->id[i]]) *
            flee_weight;
        flock->vx[i] = (flock->vx[i] * inertia + flock->push_x[i] + (float)pull.x * alignment +
                        (float)home.x * cohesion + (float)sight.flight.x * fear) *
                       0.25f;
        flock->vy[i] = (flock->vy[i] * inertia + flock->push_y[i] + (float)pull.y * alignment +
                        (float)home.y * cohesion + (float)sight.flight.y * fear) *
                       0.25f;
    }
}

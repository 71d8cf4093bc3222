/* View cones and limited turning, after the Houdini VEX original: a boid keeps its speed and turns.
 */
#include "sim/models/models.h"
#include "sim/trig.h"

static const struct flock_param params[VISION_PARAMS] = {
    [VISION_SPEED] = {"speed", "units/tick", 0.0f, 100.0f, 2.0f, "speed of every boid"},
    [VISION_MAX_TURN] = {"max_turn", "degrees/tick", 0.0f, 180.0f, 4.0f,
                         "how far a boid can turn in a tick"},
    [VISION_VIEW_RADIUS] = {"view_radius", "units", 0.0f, 1000.0f, 80.0f,
                            "how far a boid sees others to align and gather with"},
    [VISION_VIEW_ANGLE] = {"view_angle", "degrees", 0.0f, 360.0f, 270.0f,
                           "width of the cone in which it sees them"},
    [VISION_SEPARATION_RADIUS] = {"separation_radius", "units", 0.0f, 1000.0f, 25.0f,
                                  "distance that a boid keeps from others"},
    [VISION_SEPARATION_ANGLE] = {"separation_angle", "degrees", 0.0f, 360.0f, 300.0f,
                                 "width of the cone in which it keeps that distance"},
    [VISION_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                                "how strongly boids gather"},
    [VISION_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                 "how strongly boids take their neighbours' direction"},
    [VISION_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 1.5f,
                                  "how strongly boids keep apart"},
    [VISION_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                            "how strongly boids go to the cursor"},
    FLEE_ROWS(VISION_FLEE_WEIGHT),
};

static float reach(const float *p)
{
    return fmaxf(p[VISION_VIEW_RADIUS], p[VISION_SEPARATION_RADIUS]);
}

/* The heading turned toward the wish by at most max_turn; from rest it takes the wish's direction.
 * Of the two ways to what is straight behind it takes the positive. */
static struct vec turned(struct vec h, struct vec wish, double max_turn)
{
    double sine;
    double cosine;
    trig_sincos(max_turn * (TRIG_PI / 180.0), &sine, &cosine);
    bool at_rest = h.x == 0.0 && h.y == 0.0;
    if (at_rest || vec_dot(h, wish) >= cosine) {
        return wish;
    }
    return vec_turn(h, vec_cross(h, wish) < 0.0 ? -sine : sine, cosine);
}

static struct vec velocity(const struct sight *sight)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double separation = (double)p[VISION_SEPARATION_RADIUS];
    double view_cosine = sight_cosine(p[VISION_VIEW_ANGLE]);
    double separation_cosine = sight_cosine(p[VISION_SEPARATION_ANGLE]);
    struct vec together = {0};
    struct vec along = {0};
    struct vec apart = {0};
    uint32_t seen = 0;
    for (uint32_t k = 0; k < sight->near_count; k++) {
        if (sight->near[k] == sight->self) {
            continue;
        }
        const struct body *other = &sight->bodies[sight->near[k]];
        struct vec d = sight_of(sight, other);
        double length = vec_length(d);
        double c = vec_dot(self->h, vec_unit(d));
        if (c > view_cosine && length < (double)p[VISION_VIEW_RADIUS]) {
            together = vec_add(together, d);
            along = vec_add(along, other->h);
            seen++;
        }
        if (c > separation_cosine && length < separation) {
            apart = vec_sub(apart, vec_scale(vec_unit(d), 1.0 - length / separation));
        }
    }
    bool flees = p[VISION_FLEE_WEIGHT] > 0.0f && (sight->flight.x != 0.0 || sight->flight.y != 0.0);
    struct vec wish = {0};
    if (seen > 0 || sight->target != NULL || flees) {
        struct vec seek = vec_unit(sight_of_target(sight));
        wish = vec_scale(vec_unit(together), (double)p[VISION_COHESION_WEIGHT]);
        wish = vec_add(wish, vec_scale(vec_unit(along), (double)p[VISION_ALIGNMENT_WEIGHT]));
        wish = vec_add(wish, vec_scale(vec_unit(apart), (double)p[VISION_SEPARATION_WEIGHT]));
        wish = vec_add(wish, vec_scale(seek, (double)p[VISION_SEEK_WEIGHT]));
        wish = vec_add(wish, vec_scale(vec_unit(sight->flight), (double)p[VISION_FLEE_WEIGHT]));
        wish = vec_unit(wish);
    }
    struct vec h = self->h;
    if (wish.x != 0.0 || wish.y != 0.0) {
        h = turned(h, wish, (double)p[VISION_MAX_TURN]);
    }
    return vec_scale(h, (double)p[VISION_SPEED]);
}

static const struct flock_rules rules = {reach, velocity};

const struct flock_model vision_model = {
    .name = "vision",
    .text = "A steady speed, a view cone and a limited turn: columns or crowds",
    .boundary = FLOCK_WRAP,
    .params = params,
    .param_count = VISION_PARAMS,
    .rules = &rules,
};

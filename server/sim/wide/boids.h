/* The model of models/boids.c, WIDE boids at a time. Part of kernel.c. */

struct boids_sums {
    struct wide_vec apart, along, together;
    wide_mask seen;
};

WIDE_INLINE void boids_look(const struct group *group, struct boids_sums *sums,
                            const struct candidate *other)
{
    const float *p = group->job->params;
    float far = p[BOIDS_NEIGHBOR_DISTANCE];
    float close = p[BOIDS_DESIRED_SEPARATION];
    wide_mask present = wide_less((wide){0}, other->square);
    wide_mask near = wide_both(present, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_either(sums->seen, near);
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(present, wide_less(other->square, wide_all(close * close)));
    wide inverse = -1.0f / other->square;
    sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * inverse);
    sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * inverse);
}

WIDE_INLINE struct wide_vec boids_turn(const struct group *group, const struct boids_sums *sums)
{
    const float *p = group->job->params;
    wide speed = wide_all(p[BOIDS_MAX_SPEED]);
    wide force = wide_all(p[BOIDS_MAX_FORCE]);
    struct aimed aimed = aim_group(group);
    wide_mask apart = wide_less((wide){0}, wide_dot(sums->apart, sums->apart));
    struct wide_vec v = group->v;
    v = pushed(v, apart, steer(group, sums->apart, speed, force), p[BOIDS_SEPARATION_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->along, speed, force), p[BOIDS_ALIGNMENT_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->together, speed, force), p[BOIDS_COHESION_WEIGHT]);
    if (group->job->aim->targets > 0) {
        v = pushed(v, aimed.sought, steer(group, aimed.target, speed, force), p[BOIDS_SEEK_WEIGHT]);
    }
    if (group->job->aim->predators > 0) {
        v = pushed(v, aimed.fled, steer(group, aimed.flight, speed, force), p[BOIDS_FLEE_WEIGHT]);
    }
    return wide_limit(v, speed);
}

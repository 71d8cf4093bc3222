/* The model of models/steering.c, WIDE boids at a time. Part of kernel.c. */

struct steering_sums {
    struct wide_vec apart, along, together;
    wide_mask seen, crowded;
};

WIDE_INLINE void steering_look(const struct group *group, struct steering_sums *sums,
                               const struct candidate *other)
{
    const float *p = group->job->params;
    float far = p[STEERING_NEIGHBOR_DISTANCE];
    float close = p[STEERING_SEPARATION_DISTANCE];
    wide_mask present = wide_less((wide){0}, other->square);
    wide_mask near = wide_both(present, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_either(sums->seen, near);
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(present, wide_less(other->square, wide_all(close * close)));
    if (wide_any(crowded)) {
        wide inverse = -1.0f / wide_sqrt(other->square);
        sums->crowded = wide_either(sums->crowded, crowded);
        sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * inverse);
        sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * inverse);
    }
}

/* The angle from one direction to another, -pi to pi: half of it twice, then a series. */
WIDE_INLINE wide angle_between(struct wide_vec from, struct wide_vec to)
{
    wide dot = wide_dot(from, to);
    wide cross = from.x * to.y - from.y * to.x;
    wide length = wide_sqrt(dot * dot + cross * cross);
    wide t = cross / wide_max(length + wide_abs(dot), wide_all(1e-30f));
    for (int i = 0; i < 2; i++) {
        t = t / (1.0f + wide_sqrt(1.0f + t * t)); /* |t| <= 0.2 */
    }
    wide b = t * t;
    wide half =
        4.0f * t * (1.0f - b * (0.33333333f - b * (0.2f - b * (0.14285714f - b * 0.11111111f))));
    wide straight =
        wide_pick(wide_less(cross, (wide){0}), wide_all(-3.14159265f), wide_all(3.14159265f));
    return wide_pick(wide_less(dot, (wide){0}), straight - 2.0f * half, 2.0f * half);
}

/* The direction at an angle of at most pi: a quarter of it by series, doubled twice. */
WIDE_INLINE struct wide_vec direction_at(wide angle)
{
    wide q = 0.25f * angle;
    wide b = q * q;
    wide sine = q * (1.0f - b * (0.16666667f - b * (0.0083333333f - b * 0.00019841270f)));
    wide versine = b * (0.5f - b * (0.041666667f - b * (0.0013888889f - b * 0.000024801587f)));
    for (int i = 0; i < 2; i++) { /* 1 - cosine, which keeps small angles' digits */
        wide twice = 2.0f * versine * (2.0f - versine);
        sine = 2.0f * sine * (1.0f - versine);
        versine = twice;
    }
    return (struct wide_vec){1.0f - versine, sine};
}

WIDE_INLINE struct wide_vec turned_by(struct wide_vec a, wide angle)
{
    struct wide_vec turn = direction_at(angle);
    return (struct wide_vec){a.x * turn.x - a.y * turn.y, a.x * turn.y + a.y * turn.x};
}

WIDE_INLINE struct wide_vec steering_turn(const struct group *group,
                                          const struct steering_sums *sums)
{
    const float *p = group->job->params;
    wide speed = wide_all(p[STEERING_MAX_SPEED]);
    wide force = wide_all(p[STEERING_MAX_FORCE]);
    struct aimed aimed = aim_group(group);
    struct wide_vec v = group->v;
    v = pushed(v, sums->crowded, steer(group, sums->apart, speed, force),
               p[STEERING_SEPARATION_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->along, speed, force),
               p[STEERING_ALIGNMENT_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->together, speed, force),
               p[STEERING_COHESION_WEIGHT]);
    if (group->job->aim->targets > 0) {
        v = pushed(v, aimed.sought, steer(group, aimed.target, speed, force),
                   p[STEERING_SEEK_WEIGHT]);
    }
    if (group->job->aim->predators > 0) {
        v = pushed(v, aimed.fled, steer(group, aimed.flight, speed, force),
                   p[STEERING_FLEE_WEIGHT]);
    }
    v = wide_limit(v, speed);
    wide angle = angle_between(group->h, v) * p[STEERING_TURN_RATE];
    struct wide_vec turned = wide_scale(turned_by(group->h, angle), wide_sqrt(wide_dot(v, v)));
    wide_mask at_rest = wide_at_most(wide_dot(group->h, group->h), (wide){0});
    return wide_pick_vec(at_rest, v, turned);
}

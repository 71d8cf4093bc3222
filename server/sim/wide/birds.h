/* The model of models/birds.c, WIDE boids at a time. Part of kernel.c. */

struct birds_sums {
    struct wide_vec apart, along, together;
    wide seen;
};

WIDE_INLINE void birds_look(const struct group *group, struct birds_sums *sums,
                            const struct candidate *other)
{
    const struct kernel_job *job = group->job;
    float far = job->params[BIRDS_VIEW_DISTANCE];
    float close = job->params[BIRDS_SEPARATION_DISTANCE];
    struct angle angle = angle_to(group, other);
    wide_mask ahead = wide_at_most(angle.across * job->view.cosine + job->view.bias,
                                   angle.along * job->view.sine);
    wide_mask near = wide_both(ahead, wide_at_most(other->square, wide_all(far * far)));
    sums->seen = wide_plus(sums->seen, near, wide_all(1.0f));
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(ahead, wide_at_most(other->square, wide_all(close * close)));
    wide factor = wide_sqrt(other->square) * (1.0f / close) - 3.0f;
    sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * factor);
    sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * factor);
}

WIDE_INLINE struct wide_vec birds_turn(const struct group *group, const struct birds_sums *sums)
{
    const struct kernel_job *job = group->job;
    const float *p = job->params;
    struct aimed aimed = aim_group(group);
    /* A bird met itself among the candidates. */
    float self = job->view.bias > 0.0f ? 0.0f : 1.0f;
    wide others = sums->seen - self;
    wide_mask seen = wide_less(wide_all(0.5f), others);
    struct wide_vec along = wide_sub(sums->along, wide_scale(group->v, wide_all(self)));
    wide share = 1.0f / wide_max(others, wide_all(1.0f));
    struct wide_vec change = wide_sub(wide_scale(along, share), group->v);
    struct wide_vec force = {0};
    force = pushed(force, seen, wide_unit(sums->together), p[BIRDS_COHESION_WEIGHT]);
    force = pushed(force, seen, wide_unit(change), p[BIRDS_ALIGNMENT_WEIGHT]);
    force = pushed(force, seen, wide_unit(sums->apart), p[BIRDS_SEPARATION_WEIGHT]);
    force = wide_add(force, wide_scale(wide_unit(aimed.target), wide_all(p[BIRDS_SEEK_WEIGHT])));
    force = wide_add(force, wide_scale(wide_unit(aimed.flight), wide_all(p[BIRDS_FLEE_WEIGHT])));
    struct wide_vec v = wide_add(group->v, wide_scale(force, wide_all(1.0f / p[BIRDS_SMOOTHING])));
    wide square = wide_dot(v, v);
    wide length = wide_sqrt(square);
    wide wanted =
        wide_min(wide_max(length, wide_all(p[BIRDS_MIN_SPEED])), wide_all(p[BIRDS_MAX_SPEED]));
    wide_mask moves = wide_less((wide){0}, square);
    return wide_scale(v, wide_pick(moves, wanted / length, (wide){0}));
}

/* The model of models/vision.c, WIDE boids at a time. Part of kernel.c. */

struct vision_sums {
    struct wide_vec apart, along, together;
    wide seen;
};

WIDE_INLINE void vision_look(const struct group *group, struct vision_sums *sums,
                             const struct candidate *other)
{
    const struct kernel_job *job = group->job;
    float far = job->params[VISION_VIEW_RADIUS];
    float close = job->params[VISION_SEPARATION_RADIUS];
    struct angle angle = angle_to(group, other);
    wide_mask ahead =
        wide_less(angle.across * job->view.cosine + job->view.bias, angle.along * job->view.sine);
    wide_mask near = wide_both(ahead, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_plus(sums->seen, near, wide_all(1.0f));
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(wide_less((wide){0}, other->square),
                                  wide_less(other->square, wide_all(close * close)));
    if (wide_any(crowded)) {
        crowded = wide_both(crowded, wide_less(angle.across * job->close.cosine + job->close.bias,
                                               angle.along * job->close.sine));
        wide factor = 1.0f / close - 1.0f / wide_sqrt(other->square);
        sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * factor);
        sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * factor);
    }
}

WIDE_INLINE struct wide_vec vision_turn(const struct group *group, const struct vision_sums *sums)
{
    const struct kernel_job *job = group->job;
    const float *p = job->params;
    struct aimed aimed = aim_group(group);
    /* A boid met itself among the candidates, unless it sees nothing at all. */
    float self = job->view.bias < 0.0f && p[VISION_VIEW_RADIUS] > 0.0f ? 1.0f : 0.0f;
    wide_mask seen = wide_less(wide_all(self + 0.5f), sums->seen);
    struct wide_vec along = wide_sub(sums->along, wide_scale(group->h, wide_all(self)));
    if (p[VISION_FLEE_WEIGHT] > 0.0f) {
        seen = wide_either(seen, aimed.fled);
    }
    seen = wide_either(seen, aimed.sought);
    struct wide_vec wish =
        wide_scale(wide_unit(sums->together), wide_all(p[VISION_COHESION_WEIGHT]));
    wish = wide_add(wish, wide_scale(wide_unit(along), wide_all(p[VISION_ALIGNMENT_WEIGHT])));
    wish =
        wide_add(wish, wide_scale(wide_unit(sums->apart), wide_all(p[VISION_SEPARATION_WEIGHT])));
    wish = wide_add(wish, wide_scale(wide_unit(aimed.target), wide_all(p[VISION_SEEK_WEIGHT])));
    wish = wide_add(wish, wide_scale(wide_unit(aimed.flight), wide_all(p[VISION_FLEE_WEIGHT])));
    wish = wide_unit(wish);
    wide_mask wished = wide_both(seen, wide_less((wide){0}, wide_dot(wish, wish)));
    /* From rest, or near enough, it takes the wish's direction. */
    struct wide_vec h = group->h;
    wide cross = h.x * wish.y - h.y * wish.x;
    wide_mask within =
        wide_at_most(wide_abs(cross) * job->turn_cosine, wide_dot(h, wish) * job->turn_sine);
    wide_mask at_once = wide_either(wide_at_most(wide_dot(h, h), (wide){0}), within);
    wide sine =
        wide_pick(wide_less(cross, (wide){0}), wide_all(-job->turn_sine), wide_all(job->turn_sine));
    struct wide_vec turned = {h.x * job->turn_cosine - h.y * sine,
                              h.x * sine + h.y * job->turn_cosine};
    turned = wide_pick_vec(at_once, wish, turned);
    return wide_scale(wide_pick_vec(wished, turned, h), wide_all(p[VISION_SPEED]));
}

/* The model of models/swarm.c, WIDE boids at a time, once their sums over discs are known. Part of
 * kernel.c. */

/* Values of the boids' own coefficients. */
WIDE_INLINE wide own_values(const struct kernel_job *job, int place, uint32_t from, uint32_t count)
{
    float within[WIDE] = {0.0f};
    for (uint32_t lane = 0; lane < count; lane++) {
        within[lane] = job->place[place][job->id[from + lane]];
    }
    float low = job->params[2 * (size_t)place]; /* the ranges come first in the swarm's table */
    return low + wide_load(within) * (job->params[2 * (size_t)place + 1] - low);
}

WIDE_INLINE struct wide_vec swarm_turn(const struct group *group, uint32_t from, uint32_t count)
{
    const struct kernel_job *job = group->job;
    wide separation = own_values(job, PLACE_SEPARATION, from, count);
    wide alignment = own_values(job, PLACE_ALIGNMENT, from, count);
    wide cohesion = own_values(job, PLACE_COHESION, from, count);
    struct wide_vec home = {
        nearest(wide_all(job->centroid_x) - group->p.x, group->half.x, group->size.x),
        nearest(wide_all(job->centroid_y) - group->p.y, group->half.y, group->size.y)};
    /* The boid itself is among those counted, unless its distance is 0; it adds no displacement. */
    struct wide_vec sum = {wide_load(job->sum_x + from), wide_load(job->sum_y + from)};
    wide others = wide_load(job->counted + from) - 1.0f;
    wide square = wide_dot(sum, sum);
    wide length = wide_sqrt(square);
    wide_mask pushed_away = wide_both(wide_less((wide){0}, others), wide_less((wide){0}, square));
    wide factor = wide_only(pushed_away, (length / others - separation) / length);
    struct wide_vec v = wide_scale(group->v, wide_all(job->params[SWARM_INERTIA]));
    v = wide_add(v, wide_scale(sum, factor));
    v = wide_add(v, wide_scale(home, cohesion));
    if (job->aim->targets > 0 || job->aim->predators > 0) {
        struct aimed aimed = aim_group(group);
        struct wide_vec pull = wide_sub(aimed.target, home); /* from the centroid */
        pull.x = nearest(pull.x, group->half.x, group->size.x);
        pull.y = nearest(pull.y, group->half.y, group->size.y);
        v.x = wide_plus(v.x, aimed.sought, pull.x * alignment);
        v.y = wide_plus(v.y, aimed.sought, pull.y * alignment);
        wide fear = separation * job->params[SWARM_FLEE_WEIGHT];
        v = wide_add(v, wide_scale(aimed.flight, fear));
    }
    return wide_scale(v, wide_all(0.25f));
}

static void swarm_part(const struct kernel_job *job, uint32_t first, uint32_t end)
{
    for (uint32_t from = first; from < end; from += WIDE) {
        uint32_t count = end - from < WIDE ? end - from : WIDE;
        struct group group =
            load_group(job, job->x + from, job->y + from, job->vx + from, job->vy + from);
        finish(&group, swarm_turn(&group, from, count), true, from, count);
    }
}

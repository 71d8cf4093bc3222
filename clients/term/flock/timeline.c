#include "term/flock/timeline.h"

#include "term/flock/headings.h"
#include "term/flock/playout.h"
#include "term/flock/steps.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPSHOTS_MIN = 3, RATE_FIRST = 30 /* snapshots per second before the server says */ };

/* µs */
#define TIME_MAX (INT64_MAX / 4)
#define GAP      1000000 /* between two snapshots beyond which there is no interpolation */

struct entry {
    uint32_t epoch, stride;
    uint32_t boid_count;
    uint32_t cursor_count;
    int32_t farthest; /* longest movement of a boid since the entry before, steps along an axis; -1:
                         unknown */
    bool has_target;
    float target_x, target_y;
    uint32_t flock;
    bool has_measures;
    struct proto_measures measures;
    int64_t time;
    size_t capacity; /* of boids, bytes */
    uint8_t *boids;
    uint8_t cursors[PROTO_PEOPLE_MAX * PROTO_CURSOR_SIZE];
};

struct timeline {
    struct timeline_space space;
    struct entry entries[TIMELINE_SNAPSHOTS];
    struct entry
        *order[TIMELINE_SNAPSHOTS]; /* `count` snapshots, the oldest first; then unused entries */
    uint32_t count;
    struct headings headings; /* of the newest snapshot's boids */
    struct playout playout;
    int64_t played;                /* the server's time that is shown */
    uint64_t pair;                 /* counts changes of from and to */
    const struct entry *from, *to; /* the picture is between these; NULL: no picture */
    float fraction;                /* 0: from, 1: to, more: beyond it */
    bool fresh;                    /* the picture has changed for another reason than time */
};

struct timeline *timeline_create(void)
{
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < TIMELINE_SNAPSHOTS; i++) {
        timeline->order[i] = &timeline->entries[i];
    }
    playout_init(&timeline->playout, RATE_FIRST);
    return timeline;
}

void timeline_destroy(struct timeline *timeline)
{
    if (timeline == NULL) {
        return;
    }
    for (uint32_t i = 0; i < TIMELINE_SNAPSHOTS; i++) {
        free(timeline->entries[i].boids);
    }
    headings_finish(&timeline->headings);
    free(timeline);
}

static void forget_snapshots(struct timeline *timeline)
{
    timeline->count = 0;
    headings_forget(&timeline->headings);
    playout_forget(&timeline->playout);
    timeline->played = 0;
    timeline->from = timeline->to = NULL;
    timeline->fresh = true;
}

void timeline_reset(struct timeline *timeline, const struct timeline_space *space)
{
    timeline->space = *space;
    forget_snapshots(timeline);
}

void timeline_follow(struct timeline *timeline, float rate)
{
    playout_follow(&timeline->playout, rate);
}

static void drop_oldest(struct timeline *timeline)
{
    assert(timeline->count > 0);
    struct entry *oldest = timeline->order[0];
    timeline->count--;
    for (uint32_t i = 0; i < timeline->count; i++) {
        timeline->order[i] = timeline->order[i + 1];
    }
    timeline->order[timeline->count] = oldest;
    if (timeline->from == oldest || timeline->to == oldest) {
        timeline->from = timeline->to = NULL;
    }
}

static void resize_entry(struct entry *entry, size_t size)
{
    free(entry->boids);
    entry->boids = size > 0 ? malloc(size) : NULL;
    entry->capacity = entry->boids != NULL ? size : 0;
}

/* Returns the entry after the newest, with room for `size` bytes, or NULL if memory runs out. Drops
 * the oldest snapshots beyond TIMELINE_BYTES. */
static struct entry *reserve_entry(struct timeline *timeline, size_t size)
{
    size_t limit = size > 0 ? TIMELINE_BYTES / size : TIMELINE_SNAPSHOTS;
    limit = limit < SNAPSHOTS_MIN ? SNAPSHOTS_MIN : limit;
    limit = limit > TIMELINE_SNAPSHOTS ? TIMELINE_SNAPSHOTS : limit;
    while (timeline->count >= limit) {
        drop_oldest(timeline);
    }
    for (size_t i = limit; i < TIMELINE_SNAPSHOTS; i++) {
        resize_entry(timeline->order[i], 0);
    }
    assert(timeline->count < TIMELINE_SNAPSHOTS);
    struct entry *entry = timeline->order[timeline->count];
    if (entry->capacity < size || entry->capacity / 2 > size) {
        resize_entry(entry, size);
    }
    return entry->capacity >= size ? entry : NULL;
}

/* Returns whether two snapshots show the same boids under the same numbers. */
static bool same_boids(const struct entry *a, const struct entry *b)
{
    return a->epoch == b->epoch && a->stride == b->stride;
}

/* Learns the headings of the boids in the entry after the newest. */
static void follow_boids(struct timeline *timeline, struct entry *entry, const uint8_t *headings)
{
    const struct entry *before = timeline->count > 0 ? timeline->order[timeline->count - 1] : NULL;
    entry->farthest = -1;
    if (headings != NULL) {
        headings_learn(&timeline->headings, headings, entry->boid_count);
        return;
    }
    if (before == NULL || !same_boids(before, entry)) {
        headings_forget(&timeline->headings);
        return;
    }
    uint32_t common =
        before->boid_count < entry->boid_count ? before->boid_count : entry->boid_count;
    entry->farthest = headings_follow(&timeline->headings, before->boids, entry->boids, common,
                                      entry->boid_count, timeline->space.period);
}

bool timeline_push(struct timeline *timeline, const struct proto_snapshot *snapshot,
                   uint32_t stride, const uint8_t *headings, int64_t now)
{
    if (snapshot->time > (uint64_t)TIME_MAX || snapshot->boid_count > PROTO_BOIDS_MAX) {
        return false;
    }
    int64_t time = (int64_t)snapshot->time;
    if (timeline->count > 0 && time <= timeline->order[timeline->count - 1]->time) {
        forget_snapshots(timeline); /* the server's clock was reset */
    }
    size_t size = (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
    struct entry *entry = reserve_entry(timeline, size);
    if (entry == NULL) {
        return false;
    }
    int64_t space = timeline->count > 0 ? time - timeline->order[timeline->count - 1]->time : 0;
    playout_push(&timeline->playout, time, space, now);
    entry->epoch = snapshot->epoch;
    entry->stride = stride;
    entry->time = time;
    entry->boid_count = snapshot->boid_count;
    entry->has_target = snapshot->has_target;
    entry->target_x = snapshot->target_x;
    entry->target_y = snapshot->target_y;
    entry->flock = snapshot->flock;
    entry->has_measures = snapshot->has_measures;
    entry->measures = snapshot->measures;
    entry->cursor_count =
        snapshot->cursor_count < PROTO_PEOPLE_MAX ? snapshot->cursor_count : PROTO_PEOPLE_MAX;
    if (size > 0) {
        memcpy(entry->boids, snapshot->boids, size);
    }
    if (entry->cursor_count > 0) {
        memcpy(entry->cursors, snapshot->cursors, (size_t)entry->cursor_count * PROTO_CURSOR_SIZE);
    }
    follow_boids(timeline, entry, headings);
    timeline->count++;
    return true;
}

/* Chooses the two snapshots around the picture. */
static void choose_entries(struct timeline *timeline)
{
    while (timeline->count > 2 && timeline->order[1]->time <= timeline->played) {
        drop_oldest(timeline);
    }
    const struct entry *from = timeline->order[0];
    const struct entry *to = timeline->count > 1 ? timeline->order[1] : from;
    int64_t time = timeline->played;
    if (time > to->time + TIMELINE_EXTRAPOLATE) {
        time = to->time + TIMELINE_EXTRAPOLATE;
    }
    float fraction = 0;
    if (to == from || time <= from->time) {
        to = from;
    } else if (!same_boids(to, from) || to->boid_count != from->boid_count ||
               to->time - from->time > GAP) {
        from = to = time < to->time ? from : to;
    } else {
        fraction = (float)((double)(time - from->time) / (double)(to->time - from->time));
    }
    bool others = from != timeline->from || to != timeline->to;
    timeline->pair += others ? 1 : 0;
    timeline->fresh = timeline->fresh || others || fraction != timeline->fraction;
    timeline->from = from;
    timeline->to = to;
    timeline->fraction = fraction;
}

bool timeline_play(struct timeline *timeline, int64_t now)
{
    if (timeline->count > 0) {
        timeline->played = playout_look(&timeline->playout, now);
        choose_entries(timeline);
    }
    bool changed = timeline->fresh;
    timeline->fresh = false;
    return changed;
}

/* Returns a coordinate at a fraction of its way, in steps from the middle; *way: the whole way. */
static inline float coordinate_along(int16_t from, int16_t to, int32_t period, float fraction,
                                     float *way)
{
    *way = (float)steps_between(from, to, period);
    float at = (float)from + *way * fraction;
    float half = (float)period / 2;
    if (period > 0 && (at < -half || at >= half)) {
        at -= (float)period * floorf((at + half) / (float)period);
    }
    return at;
}

struct timeline_mark timeline_mark(const struct timeline *timeline)
{
    return (struct timeline_mark){timeline->pair, timeline->fraction};
}

float timeline_moved(const struct timeline *timeline, const struct timeline_mark *drawn)
{
    float more = fabsf(timeline->fraction - drawn->fraction);
    if (timeline->to == NULL || timeline->pair != drawn->pair) {
        return INFINITY;
    }
    if (more > 0 && timeline->to->farthest < 0) {
        return INFINITY;
    }
    return more > 0 ? more * (float)timeline->to->farthest * timeline->space.quantum : 0;
}

uint32_t timeline_boid_count(const struct timeline *timeline)
{
    return timeline->from != NULL ? timeline->from->boid_count : 0;
}

uint32_t timeline_boids(const struct timeline *timeline, uint32_t first, uint32_t count,
                        struct timeline_boid *out)
{
    const struct timeline_space space = timeline->space;
    const float fraction = timeline->fraction;
    uint32_t total = timeline_boid_count(timeline);
    if (first >= total) {
        return 0;
    }
    count = count < total - first ? count : total - first;
    const uint8_t *from = timeline->from->boids + (size_t)first * PROTO_BOID_SIZE;
    const uint8_t *to = timeline->to->boids + (size_t)first * PROTO_BOID_SIZE;
    bool known = same_boids(timeline->to, timeline->order[timeline->count - 1]);
    for (uint32_t i = 0; i < count; i++) {
        struct steps a = steps_at(from, i);
        struct steps b = steps_at(to, i);
        float x = coordinate_along(a.x, b.x, space.period[0], fraction, &out[i].dx);
        float y = coordinate_along(a.y, b.y, space.period[1], fraction, &out[i].dy);
        out[i].x = space.width / 2 + x * space.quantum;
        out[i].y = space.height / 2 + y * space.quantum;
        out[i].hidden = steps_at_edge(a) || steps_at_edge(b);
        if (out[i].dx == 0 && out[i].dy == 0 && known) {
            headings_of(&timeline->headings, first + i, &out[i].dx, &out[i].dy);
        }
    }
    return count;
}

/* Returns the bytes of that person's cursor, or NULL. */
static const uint8_t *find_cursor(const struct entry *entry, uint32_t id)
{
    for (uint32_t i = 0; i < entry->cursor_count; i++) {
        uint32_t owner = 0;
        int16_t x = 0;
        int16_t y = 0;
        const uint8_t *bytes = entry->cursors + (size_t)i * PROTO_CURSOR_SIZE;
        proto_get_cursor(bytes, &owner, &x, &y);
        if (owner == id) {
            return bytes;
        }
    }
    return NULL;
}

uint32_t timeline_cursors(const struct timeline *timeline,
                          struct timeline_cursor out[PROTO_PEOPLE_MAX])
{
    const struct entry *to = timeline->to;
    uint32_t count = to != NULL ? to->cursor_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct timeline_space *space = &timeline->space;
        const uint8_t *bytes = to->cursors + (size_t)i * PROTO_CURSOR_SIZE;
        int16_t x = 0;
        int16_t y = 0;
        proto_get_cursor(bytes, &out[i].id, &x, &y);
        out[i].x = proto_dequantise(x, space->width, space->quantum);
        out[i].y = proto_dequantise(y, space->height, space->quantum);
        const uint8_t *before = find_cursor(timeline->from, out[i].id);
        if (before != NULL) {
            uint32_t id = 0;
            proto_get_cursor(before, &id, &x, &y);
            float fraction = timeline->fraction < 1 ? timeline->fraction : 1;
            float from_x = proto_dequantise(x, space->width, space->quantum);
            float from_y = proto_dequantise(y, space->height, space->quantum);
            out[i].x = from_x + (out[i].x - from_x) * fraction;
            out[i].y = from_y + (out[i].y - from_y) * fraction;
        }
    }
    return count;
}

bool timeline_target(const struct timeline *timeline, float *x, float *y)
{
    const struct entry *from = timeline->from;
    const struct entry *to = timeline->to;
    if (to == NULL || !to->has_target) {
        return false;
    }
    float fraction = timeline->fraction < 1 ? timeline->fraction : 1;
    bool both = from->has_target;
    *x = both ? from->target_x + (to->target_x - from->target_x) * fraction : to->target_x;
    *y = both ? from->target_y + (to->target_y - from->target_y) * fraction : to->target_y;
    return true;
}

uint32_t timeline_flock(const struct timeline *timeline)
{
    return timeline->to != NULL ? timeline->to->flock : 0;
}

/* Returns a point on the way from a to b: the shorter way on a torus of that side; side 0: no
 * torus. */
static float coordinate_between(float a, float b, float fraction, float side)
{
    float way = b - a;
    if (side > 0) {
        way -= side * roundf(way / side);
    }
    float value = a + way * fraction;
    return side > 0 ? value - side * floorf(value / side) : value;
}

bool timeline_measures(const struct timeline *timeline, struct proto_measures *measures)
{
    const struct timeline_space *space = &timeline->space;
    const struct entry *from = timeline->from;
    const struct entry *to = timeline->to;
    if (to == NULL || !to->has_measures) {
        return false;
    }
    *measures = to->measures;
    if (from->has_measures) {
        float fraction = timeline->fraction < 1 ? timeline->fraction : 1;
        float x = from->measures.centroid_x;
        float y = from->measures.centroid_y;
        measures->centroid_x = coordinate_between(x, to->measures.centroid_x, fraction,
                                                  space->period[0] > 0 ? space->width : 0);
        measures->centroid_y = coordinate_between(y, to->measures.centroid_y, fraction,
                                                  space->period[1] > 0 ? space->height : 0);
    }
    return true;
}

int64_t timeline_time(const struct timeline *timeline)
{
    return timeline->played;
}

#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus.h"
#include "cluster/lease.h"
#include "cluster/routes.h"
#include "room/describe.h"
#include "room/state.h"
#include "scene/inside.h"
#include "threads.h"

#define ROOMS       16u
#define SHOWS       8192u
#define SAVES       1024u
#define TITLES      256u
#define GROUPS      (BUS_NODES + 1)
#define STAND       (LEASE_STAND * 1000 + 2 * S) /* a node that cannot renew its lease goes on */
#define LEARNS      S   /* a node that stood still learns that it was declared dead */
#define STATE_START 64u /* bytes of a state, of which some change when it is written */

/* A room's flock at a tick. */
struct show {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t instance, tick, epoch;
    uint32_t count;
    int32_t period_x, period_y;
    int16_t *steps; /* x and y of each boid */
};

/* A state that a room has saved. */
struct save {
    uint64_t hash;
    uint64_t epoch; /* of the room */
    uint64_t at;    /* ns */
};

/* A title that a room has acknowledged. */
struct title {
    uint64_t epoch; /* of the room; 0: it was not */
    uint64_t at;    /* ns */
};

struct watched {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch;     /* the highest in which it has ticked, … */
    uint32_t group;     /* … on which node … */
    uint64_t since, at; /* … and ns: since when, and when last */
    uint64_t stored_at; /* ns: when its newest checkpoint was saved */
    struct title titles[TITLES];
};

static struct show shows[SHOWS];
static uint32_t show_next;
static struct save saves[SAVES];
static uint64_t save_count;
static struct watched rooms[ROOMS];
static uint32_t room_count;
static struct routes *routes_by_group[GROUPS]; /* NULL: the process is gone */
static bool looks;

/* ---- rooms ---- */

static struct watched *watched_of(const char *code)
{
    for (uint32_t i = 0; i < room_count; i++) {
        if (strcmp(rooms[i].code, code) == 0) {
            return &rooms[i];
        }
    }
    check(room_count < ROOMS, "there are too many rooms");
    (void)snprintf(rooms[room_count].code, sizeof rooms[0].code, "%s", code);
    return &rooms[room_count++];
}

static struct routes *own_routes(void)
{
    return routes_by_group[threads_group()];
}

static uint64_t epoch_of(const struct room *room)
{
    return own_routes() != NULL ? routes_won(own_routes(), room->definition.code) : 0;
}

/* Two nodes never tick a room in the same epoch. An owner that has lost its room ticks on only
 * until it must know that: an owner that stood still for long has a moment after that (docs/
 * cluster.md, "What happens when something dies"). Edges drop its frames. */
void witness_tick(const struct room *room)
{
    struct watched *watched = watched_of(room->definition.code);
    const uint32_t group = threads_group();
    const uint64_t epoch = epoch_of(room);

    if (epoch == 0) {
        return; /* of a process that is gone, or not yet the owner */
    }
    check(epoch != watched->epoch || group == watched->group, "two nodes tick room %s in epoch %ju",
          watched->code, (uintmax_t)epoch);
    check(epoch >= watched->epoch || threads_now() < watched->since + STAND ||
              threads_now() < threads_thaws_at(group) + LEARNS,
          "room %s still ticks in epoch %ju, %.1f s after %ju began", watched->code,
          (uintmax_t)epoch, (double)(threads_now() - watched->since) / 1e9,
          (uintmax_t)watched->epoch);
    if (epoch > watched->epoch) {
        watched->epoch = epoch;
        watched->group = group;
        watched->since = threads_now();
    }
    watched->at = epoch == watched->epoch ? threads_now() : watched->at;
}

bool witness_ticks(const char *code, uint64_t time)
{
    return threads_now() < watched_of(code)->at + time;
}

/* ---- pictures ---- */

static void copy_steps(struct show *show, const struct scene *scene)
{
    const struct flock_definition *flock = flock_definition_of(scene_flock(scene));
    float *x = malloc(2 * show->count * sizeof *x);
    float *y = x + show->count;

    free(show->steps);
    show->steps = malloc(2 * show->count * sizeof *show->steps);
    check(x != NULL && show->steps != NULL, "out of memory");
    flock_positions(scene_flock(scene), x, y);
    for (uint32_t i = 0; i < show->count; i++) {
        show->steps[2 * i] = proto_quantise(x[i], flock->settings.width, scene_quantum(scene));
        show->steps[2 * i + 1] = proto_quantise(y[i], flock->settings.height, scene_quantum(scene));
    }
    free(x);
}

void witness_snapshot(const struct room *room)
{
    struct show *show = &shows[show_next++ % SHOWS];
    const struct scene *scene = room->present;

    (void)snprintf(show->code, sizeof show->code, "%s", room->definition.code);
    show->instance = room->definition.instance;
    show->tick = scene->ticks;
    show->epoch = epoch_of(room);
    show->count = flock_count(scene_flock(scene));
    show->period_x = describe_scale(scene).period_x;
    show->period_y = describe_scale(scene).period_y;
    copy_steps(show, scene);
}

static const struct show *show_of(const char *code, uint64_t instance, uint64_t tick)
{
    for (uint32_t i = 1; i <= SHOWS; i++) { /* the newest first */
        const struct show *show = &shows[(show_next - i) % SHOWS];
        if (show->tick == tick && show->instance == instance && strcmp(show->code, code) == 0) {
            return show;
        }
    }
    return NULL;
}

static bool is_same(int32_t a, int32_t b, int32_t period)
{
    return a == b || (period > 0 && (a - b) % period == 0);
}

uint64_t witness_picture(const struct picture *picture, uint64_t instance, uint64_t tick)
{
    const struct show *show = show_of(picture->code, instance, tick);

    check(show != NULL, "a visitor sees tick %ju of room %s, which its owner has not shown",
          (uintmax_t)tick, picture->code);
    check(picture->count == show->count, "a picture of %s has %u of %u boids", picture->code,
          picture->count, show->count);
    for (uint32_t i = 0; i < picture->count; i++) {
        int16_t x, y;
        proto_get_position(picture->positions + 4 * (size_t)i, &x, &y);
        check(is_same(x, show->steps[2 * (size_t)i], show->period_x) &&
                  is_same(y, show->steps[2 * (size_t)i + 1], show->period_y),
              "boid %u of %s is shown at %d,%d at tick %ju, and is at %d,%d", i, picture->code, x,
              y, (uintmax_t)tick, show->steps[2 * (size_t)i], show->steps[2 * (size_t)i + 1]);
    }
    return show->epoch;
}

/* ---- what is saved ---- */

static uint64_t hash_state(const uint8_t *state, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = STATE_START; i < size; i++) {
        hash = (hash ^ state[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static const struct save *save_of(uint64_t hash)
{
    for (uint32_t i = 1; i <= SAVES; i++) { /* the newest first */
        const struct save *save = &saves[(save_count - i) % SAVES];
        if (save->hash == hash && save->at != 0) {
            return save;
        }
    }
    return NULL;
}

void witness_save(const struct room *room, const uint8_t *state, size_t size)
{
    if (state != NULL) {
        saves[save_count++ % SAVES] = (struct save){
            .hash = hash_state(state, size), .epoch = epoch_of(room), .at = threads_now()};
    }
}

void witness_stored(const char *code, const uint8_t *state, size_t size)
{
    struct watched *watched = watched_of(code);
    const struct save *save = save_of(hash_state(state, size));

    check(save != NULL, "a checkpoint of %s is of a state that no room has saved", code);
    watched->stored_at = save->at;
}

static uint32_t title_of(const struct room *room)
{
    return (uint32_t)strtoul(room->present->definition.title, NULL, 10);
}

/* The room continues from its newest checkpoint that was acknowledged, which has all that the room
 * acknowledged before. */
void witness_load(const struct room *room, const struct room_origin *origin)
{
    const struct watched *watched = watched_of(room->definition.code);
    const struct save *save = save_of(hash_state(origin->state, origin->size));

    check(save != NULL, "room %s continues from a state that no room has saved", watched->code);
    if (epoch_of(room) < watched->epoch) {
        return; /* an earlier owner, which is cut off, could not give the room away */
    }
    check(save->at + MS >= watched->stored_at, /* a room that moves is saved more than once */
          "room %s continues from a checkpoint that was not its newest, by %.3f s", watched->code,
          (double)(watched->stored_at - save->at) / 1e9);
    for (uint32_t i = 0; i < TITLES; i++) {
        const struct title *title = &watched->titles[i];
        check(title->epoch == 0 || title->epoch != save->epoch || title->at > save->at ||
                  i <= title_of(room),
              "room %s has lost the title %u, which it acknowledged %.3f s before its checkpoint",
              watched->code, i, (double)(save->at - title->at) / 1e9);
    }
}

void witness_title(const char *code, uint32_t number, uint64_t epoch)
{
    check(number < TITLES, "there are too many titles");
    watched_of(code)->titles[number] = (struct title){.epoch = epoch, .at = threads_now()};
}

/* ---- life ---- */

void witness_start(uint32_t group, struct routes *routes)
{
    routes_by_group[group] = routes;
}

void witness_kill(uint32_t group)
{
    routes_by_group[group] = NULL;
}

bool witness_looks(void)
{
    return looks;
}

void witness_begin(void)
{
    looks = true;
    room_count = 0;
    save_count = 0;
    memset(rooms, 0, sizeof rooms);
    memset(saves, 0, sizeof saves);
    memset(routes_by_group, 0, sizeof routes_by_group);
}

void witness_end(void)
{
    looks = false;
    for (uint32_t i = 0; i < SHOWS; i++) {
        free(shows[i].steps);
        shows[i] = (struct show){0};
    }
}

#include "room/draws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/burst.h"
#include "base/refusal.h"
#include "room/apply.h"
#include "room/presenters.h"
#include "room/state.h"
#include "scene/things.h"

_Static_assert(FLOCK_WALLS_MAX <= DRAWS_MAX && FLOCK_FOOD_MAX <= DRAWS_MAX &&
                   FLOCK_HUNTERS_MAX <= DRAWS_MAX,
               "a list has all things of a kind");

/* ---- how often ---- */

static const struct burst_limit limit = {DRAWS, DRAWS_TIME};

static bool is_patient(const struct member *viewer, uint64_t now, struct proto_error *error)
{
    const uint64_t wait = burst_wait(&limit, viewer->draws_until, now);

    if (wait == 0) {
        return true;
    }
    refuse_message(error, PROTO_E_FLOOD, "",
                   "viewers may draw %u things at once, and then one every %u seconds", DRAWS,
                   burst_seconds(DRAWS_TIME));
    error->after = burst_seconds(wait);
    return false;
}

/* ---- who has drawn a thing ---- */

/* Stores where the things of that kind are. Returns how many there are. */
static uint32_t list_things(const struct flock *flock, enum input_thing kind,
                            struct drawn list[DRAWS_MAX])
{
    const struct flock_wall *walls = flock_settings_of(flock)->walls;
    const struct flock_things *things = flock_things_of(flock);
    const uint32_t count = things_count(flock, kind);

    memset(list, 0, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        float *at = list[i].at;
        switch (kind) {
        case INPUT_WALL:
            memcpy(at, (float[]){walls[i].x1, walls[i].y1, walls[i].x2, walls[i].y2},
                   sizeof list[i].at);
            break;
        case INPUT_FOOD:
            memcpy(at, (float[]){things->food[i].x, things->food[i].y}, 2 * sizeof *at);
            break;
        default:
            memcpy(at, (float[]){things->hunters[i].x, things->hunters[i].y}, 2 * sizeof *at);
        }
    }
    return count;
}

static bool is_there(const struct drawn *thing, const float at[4])
{
    return thing->at[0] == at[0] && thing->at[1] == at[1] && thing->at[2] == at[2] &&
           thing->at[3] == at[3];
}

/* Finds the things of the earlier list again. They keep their order. As long as food and hunters
 * are as many as before, they are the same ones, but may have moved. */
static void find_again(const struct drawn_kind *before, enum input_thing kind,
                       struct drawn_kind *after)
{
    const bool same = kind != INPUT_WALL && after->count == before->count;
    uint32_t next = 0;

    for (uint32_t i = 0; i < after->count; i++) {
        struct drawn *thing = &after->list[i];
        uint32_t found = same ? i : next;
        while (!same && found < before->count && !is_there(&before->list[found], thing->at)) {
            found++;
        }
        if (found < before->count) {
            thing->origin = before->list[found].origin;
            next = found + 1;
        }
    }
}

void draws_follow(struct room *room)
{
    struct drawn_kind after;

    for (enum input_thing kind = 0; room->draws != NULL && kind < INPUT_THINGS; kind++) {
        after.count = list_things(scene_flock(room->present), kind, after.list);
        find_again(&room->draws->kinds[kind], kind, &after);
        room->draws->kinds[kind] = after;
    }
}

void draws_forget(struct room *room)
{
    for (enum input_thing kind = 0; room->draws != NULL && kind < INPUT_THINGS; kind++) {
        struct drawn_kind *things = &room->draws->kinds[kind];
        for (uint32_t i = 0; i < things->count; i++) {
            things->list[i].origin = 0;
        }
    }
}

static const struct {
    const char *name, *things; /* of the message; the plural of its kind */
    uint32_t most;
} rows[INPUT_THINGS] = {
    [INPUT_WALL] = {"wall", "walls", FLOCK_WALLS_MAX},
    [INPUT_FOOD] = {"food", "pieces", FLOCK_FOOD_MAX},
    [INPUT_HUNTER] = {"hunter", "hunters", FLOCK_HUNTERS_MAX},
};

/* ---- what gives way ---- */

static uint32_t count_drawn(const struct drawn_kind *things, uint64_t origin)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < things->count; i++) {
        count += things->list[i].origin == origin;
    }
    return count;
}

/* Returns n: a thing of another address gives way to a viewer of that origin only if that address
 * has more than n. */
static uint32_t least_to_yield(const struct room *room, enum input_thing kind, uint64_t origin)
{
    const uint32_t own = count_drawn(&room->draws->kinds[kind], origin);
    const bool claims = own < DRAWS_CLASS(rows[kind].most) && presenters_are_at(room, origin);

    return claims ? 0 : own + 1;
}

/* Returns the index of the thing that gives way to one of that origin; UINT32_MAX: none does. */
static uint32_t find_displaced(const struct room *room, enum input_thing kind, uint64_t origin)
{
    const struct drawn_kind *things = &room->draws->kinds[kind];
    uint32_t most = least_to_yield(room, kind, origin);
    uint32_t found = UINT32_MAX;

    for (uint32_t i = 0; i < things->count; i++) {
        const uint64_t other = things->list[i].origin;
        const uint32_t count = other != 0 && other != origin ? count_drawn(things, other) : 0;
        if (count > most && !presenters_are_at(room, other)) {
            most = count;
            found = i;
        }
    }
    return found;
}

/* ---- drawing ---- */

static enum input_thing kind_of(enum proto_type type)
{
    assert(type == PROTO_WALL || type == PROTO_FOOD || type == PROTO_HUNTER);
    return type == PROTO_WALL ? INPUT_WALL : type == PROTO_FOOD ? INPUT_FOOD : INPUT_HUNTER;
}

/* Removes a thing for the viewer if viewers have their share. */
static bool make_room(struct room *room, uint64_t origin, enum input_thing kind,
                      struct proto_error *error)
{
    const uint32_t count = things_count(scene_flock(room->present), kind);
    const uint32_t share = DRAWS_SHARE(rows[kind].most);
    struct change change;

    if (count < share) {
        return true;
    }
    const uint32_t found = room->draws != NULL ? find_displaced(room, kind, origin) : UINT32_MAX;
    if (found == UINT32_MAX) {
        return refuse_message(error, PROTO_E_FULL, "",
                              "%s: there are %u %s; viewers may draw up to %u, and presenters %u",
                              rows[kind].name, count, rows[kind].things, share, rows[kind].most);
    }
    const struct input input = {.type = INPUT_DISCARD, .thing = kind, .slot = found};
    if (!apply_input(room, &input, &change, error)) {
        return false;
    }
    draws_follow(room);
    return true;
}

bool draws_begin(struct room *room, uint32_t slot, const struct proto_client_message *message,
                 uint64_t now, struct proto_error *error)
{
    const struct member *viewer = &room->members[slot];

    return things_accept(scene_flock(room->present), message, error) &&
           is_patient(viewer, now, error) &&
           make_room(room, viewer->origin, kind_of(message->type), error);
}

void draws_end(struct room *room, uint32_t slot, enum proto_type type, uint64_t now)
{
    struct member *viewer = &room->members[slot];

    viewer->draws_until = burst_count(&limit, viewer->draws_until, now);
    if (room->draws == NULL) {
        room->draws = calloc(1, sizeof *room->draws); /* without memory no thing gives way */
        draws_follow(room);
    }
    if (room->draws != NULL) {
        struct drawn_kind *things = &room->draws->kinds[kind_of(type)];
        assert(things->count > 0);
        things->list[things->count - 1].origin = viewer->origin;
    }
}

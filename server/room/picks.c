#include "room/picks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "room/presenters.h"
#include "room/state.h"
#include "room/tell.h"

_Static_assert(PROTO_PICKS_MAX == WHY_BOIDS, "one call explains all picks");
_Static_assert(CAUSE_COUNT <= PROTO_PUSHES_MAX && WHY_NEIGHBOURS <= PROTO_NEAR_MAX, "fits a why");

static void release_frames(struct picks *picks)
{
    for (uint32_t i = 0; i < picks->framed; i++) {
        frame_release(picks->frames[i].frame);
    }
    picks->framed = 0;
}

void picks_finish(struct picks *picks)
{
    release_frames(picks);
    free(picks->frames);
    free(picks->list);
}

size_t picks_bytes(const struct picks *picks)
{
    return (picks->list != NULL ? PROTO_PICKS_MAX * sizeof *picks->list : 0) +
           (picks->frames != NULL ? PROTO_PICKS_MAX * sizeof *picks->frames : 0);
}

/* ---- who picks ---- */

static struct pick *find_pick(struct picks *picks, uint32_t slot)
{
    for (uint32_t i = 0; i < picks->count; i++) {
        if (picks->list[i].slot == slot) {
            return &picks->list[i];
        }
    }
    return NULL;
}

/* Makes memory for all picks. Returns false if it runs out. */
static bool reserve_picks(struct picks *picks)
{
    if (picks->list == NULL) {
        picks->list = calloc(PROTO_PICKS_MAX, sizeof *picks->list);
    }
    if (picks->frames == NULL) {
        picks->frames = calloc(PROTO_PICKS_MAX, sizeof *picks->frames);
    }
    return picks->list != NULL && picks->frames != NULL;
}

/* Removes a pick. Those behind it move up, because the list is ordered by age. */
static void remove_pick(struct picks *picks, const struct pick *pick)
{
    const uint32_t at = (uint32_t)(pick - picks->list);

    assert(at < picks->count);
    picks->count--;
    memmove(&picks->list[at], &picks->list[at + 1], (picks->count - at) * sizeof *picks->list);
}

static void show_only(struct picks *picks, const struct pick *shown)
{
    for (uint32_t i = 0; i < picks->count; i++) {
        picks->list[i].shown = &picks->list[i] == shown;
    }
}

/* ---- whose pick gives way ---- */

static bool is_presenter(const struct room *room, uint32_t slot)
{
    return room_person_at(room, slot)->role == PROTO_PRESENTER;
}

/* The viewers at an address who have a pick. */
struct share {
    uint64_t origin;
    uint32_t viewers;
};

/* Returns the share of that address, or NULL if it has none. */
static struct share *find_share(struct share *shares, uint32_t count, uint64_t origin)
{
    uint32_t i = 0;

    while (i < count && shares[i].origin != origin) {
        i++;
    }
    return i < count ? &shares[i] : NULL;
}

/* Lists the shares of all addresses. Returns how many there are. */
static uint32_t list_shares(const struct room *room, struct share shares[PROTO_PICKS_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < room->picks.count; i++) {
        const uint32_t slot = room->picks.list[i].slot;
        if (is_presenter(room, slot)) {
            continue;
        }
        const uint64_t origin = room->members[slot].origin;
        struct share *share = find_share(shares, count, origin);
        if (share == NULL) {
            share = &shares[count++];
            *share = (struct share){.origin = origin};
        }
        share->viewers++;
    }
    return count;
}

/* Returns the oldest pick of a viewer at that address, which has one. */
static const struct pick *oldest_pick(const struct room *room, uint64_t origin)
{
    const struct pick *pick = room->picks.list;

    while (room->members[pick->slot].origin != origin || is_presenter(room, pick->slot)) {
        pick++;
        assert(pick < room->picks.list + room->picks.count);
    }
    return pick;
}

/* Returns how many picks an address must have, so that one gives way to the member in that slot,
 * whose address has `own`. */
static uint32_t least_to_yield(const struct room *room, uint32_t slot, uint32_t own)
{
    const bool claims = own < PICKS_CLASS && presenters_are_at(room, room->members[slot].origin);

    return is_presenter(room, slot) || claims ? 1 : own + 2;
}

/* Returns the share with the most picks that may give way to the member in that slot, or NULL. */
static const struct share *find_most(const struct room *room, uint32_t slot,
                                     const struct share *shares, uint32_t count)
{
    const uint64_t origin = room->members[slot].origin;
    const struct share *most = NULL;

    for (uint32_t i = 0; i < count; i++) {
        const struct share *share = &shares[i];
        const bool stays = share->origin == origin || (share->viewers <= PICKS_CLASS &&
                                                       presenters_are_at(room, share->origin));
        if ((is_presenter(room, slot) || !stays) &&
            (most == NULL || share->viewers > most->viewers)) {
            most = share;
        }
    }
    return most;
}

/* Ends the pick of a viewer for the member in that slot, and tells the viewer. Returns false if no
 * pick gives way. */
static bool displace_pick(struct room *room, uint32_t slot)
{
    struct share shares[PROTO_PICKS_MAX];
    const uint32_t count = list_shares(room, shares);
    const struct share *own = find_share(shares, count, room->members[slot].origin);
    const struct share *most = find_most(room, slot, shares, count);

    if (most == NULL ||
        most->viewers < least_to_yield(room, slot, own != NULL ? own->viewers : 0)) {
        return false;
    }
    const struct pick *pick = oldest_pick(room, most->origin);
    const room_member viewer = room_person_at(room, pick->slot)->member;
    remove_pick(&room->picks, pick);
    tell_pick_ended(room, viewer);
    return true;
}

/* ---- picking ---- */

bool picks_set(struct room *room, uint32_t slot, const struct proto_pick *pick,
               struct proto_error *error)
{
    struct picks *picks = &room->picks;
    struct pick *own = find_pick(picks, slot);
    const uint32_t boids = flock_count(scene_flock(room_shown(room)));

    if (pick->boid >= boids) {
        return refuse_message(error, PROTO_E_RANGE, "boid", "boid: expected 0 to %u, got %u",
                              boids - 1, pick->boid);
    }
    if (!reserve_picks(picks)) {
        return refuse_message(error, PROTO_E_FULL, "", "out of memory");
    }
    if (own != NULL) {
        remove_pick(picks, own);
    } else if (picks->count == PROTO_PICKS_MAX && !displace_pick(room, slot)) {
        return refuse_message(error, PROTO_E_FULL, "",
                              "pick: %u people look at a boid; try again later", picks->count);
    }
    own = &picks->list[picks->count++];
    *own = (struct pick){.slot = slot, .boid = pick->boid};
    if (pick->shown) {
        show_only(picks, own);
    }
    picks->changed = true;
    return true;
}

void picks_end(struct room *room, uint32_t slot)
{
    const struct pick *own = find_pick(&room->picks, slot);

    if (own != NULL) {
        remove_pick(&room->picks, own);
    }
}

/* Returns the pick that is shown to all, or NULL. */
static const struct pick *shown_pick(const struct room *room)
{
    for (uint32_t i = 0; i < room->picks.count; i++) {
        const struct pick *pick = &room->picks.list[i];
        if (pick->shown && is_presenter(room, pick->slot)) {
            return pick;
        }
    }
    return NULL;
}

/* ---- frames ---- */

static void describe_pushes(const struct flock_why *why, struct proto_why *out)
{
    for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++) {
        if ((why->causes >> cause & 1) != 0) {
            struct proto_push *push = &out->pushes[out->push_count++];
            snprintf(push->name, sizeof push->name, "%s",
                     flock_cause_name((enum flock_cause)cause));
            push->x = why->push[cause].x;
            push->y = why->push[cause].y;
        }
    }
}

static void describe_near(const struct flock_why *why, struct proto_why *out)
{
    out->seen = why->seen;
    out->crowding = why->crowding;
    out->near_count = why->listed;
    for (uint32_t i = 0; i < why->listed; i++) {
        const struct flock_neighbour *near = &why->neighbours[i];
        out->near[i] = (struct proto_near){
            .number = near->number, .x = near->away.x, .y = near->away.y, .close = near->close};
    }
}

/* Adds the explanation of a boid that the flock has. */
static void describe_why(const struct flock_why *why, struct proto_why *out)
{
    out->there = true;
    out->motion = (struct proto_motion){.x = why->position.x,
                                        .y = why->position.y,
                                        .vx = why->velocity.x,
                                        .vy = why->velocity.y,
                                        .next_x = why->after.x,
                                        .next_y = why->after.y};
    out->zones = (struct proto_zones){.view = why->view.radius,
                                      .view_angle = why->view.angle,
                                      .close = why->close.radius,
                                      .close_angle = why->close.angle};
    describe_pushes(why, out);
    describe_near(why, out);
}

static struct frame *encode_why(const struct proto_why *why)
{
    uint8_t bytes[PROTO_STATE_MAX];

    return frame_of(bytes, proto_encode_why(bytes, sizeof bytes, why));
}

/* Lists the picked boids, each once and in ascending order. Returns how many. */
static uint32_t list_boids(const struct picks *picks, uint32_t boids[PROTO_PICKS_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < picks->count; i++) {
        const uint32_t boid = picks->list[i].boid;
        uint32_t at = count;
        while (at > 0 && boids[at - 1] > boid) {
            at--;
        }
        if (at == 0 || boids[at - 1] != boid) {
            memmove(&boids[at + 1], &boids[at], (count++ - at) * sizeof *boids);
            boids[at] = boid;
        }
    }
    return count;
}

/* Returns the earlier frame of that boid if it has the same data, and releases the new one.
 * Otherwise returns the new frame with a new version. */
static struct view_pick renew(struct picks *picks, uint32_t boid, struct frame *frame)
{
    for (uint32_t i = 0; i < picks->framed; i++) {
        struct view_pick *old = &picks->frames[i];
        if (old->boid == boid && old->frame != NULL && frame_is_same(old->frame, frame)) {
            const struct view_pick same = *old;
            old->frame = NULL;
            frame_release(frame);
            return same;
        }
    }
    return (struct view_pick){.boid = boid, .version = ++picks->version, .frame = frame};
}

/* Makes a frame for each of the boids, instead of the earlier frames. `whys` explains the first
 * `there` boids; the flock does not have the others. */
static void replace_frames(struct room *room, const uint32_t *boids, uint32_t count,
                           const struct flock_why *whys, uint32_t there)
{
    struct picks *picks = &room->picks;
    struct view_pick frames[PROTO_PICKS_MAX] = {0};
    uint32_t framed = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct proto_why why = {
            .has_boid = true, .boid = boids[i], .tick = scene_ticks(room_shown(room))};
        if (i < there) {
            describe_why(&whys[i], &why);
        }
        struct frame *frame = encode_why(&why);
        if (frame != NULL) {
            frames[framed++] = renew(picks, boids[i], frame);
        }
    }
    assert(picks->frames != NULL); /* there are picks */
    release_frames(picks);
    memcpy(picks->frames, frames, framed * sizeof *frames);
    picks->framed = framed;
}

void picks_update(struct room *room, struct flock_workspace *engine, uint64_t time)
{
    const struct scene *scene = room_shown(room);
    uint32_t boids[PROTO_PICKS_MAX];
    struct flock_why whys[PROTO_PICKS_MAX];
    uint32_t there = 0;

    if (room->picks.count == 0 || room->topics.subscribers[VIEW_WHY] == 0) {
        release_frames(&room->picks);
        return;
    }
    const uint32_t count = list_boids(&room->picks, boids);
    while (there < count && boids[there] < flock_count(scene_flock(scene))) {
        whys[there].boid = boids[there];
        there++;
    }
    if (there == 0 || scene_explain(scene, engine, time, whys, there)) {
        replace_frames(room, boids, count, whys, there);
    }
}

struct frame *picks_shown(const struct room *room, struct flock_workspace *engine, uint64_t time)
{
    const struct scene *scene = room_shown(room);
    const struct pick *pick = shown_pick(room);
    struct proto_why why = {.shown = true};
    struct flock_why explained;

    if (pick != NULL) {
        why.has_boid = true;
        why.boid = explained.boid = pick->boid;
        why.by = room_person_at(room, pick->slot)->id;
        why.tick = scene_ticks(scene);
    }
    if (pick != NULL && pick->boid < flock_count(scene_flock(scene))) {
        if (!scene_explain(scene, engine, time, &explained, 1)) {
            return NULL;
        }
        describe_why(&explained, &why);
    }
    return encode_why(&why);
}

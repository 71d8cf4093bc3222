/* A snapshot of a room: where everything is, for each stream that is due, and the view of that. */
#include <assert.h>
#include <string.h>

#include "room/describe.h"
#include "room/gather.h"
#include "room/grants.h"
#include "room/state.h"
#include "room/topics.h"
#include "room/workspace.h"

#define NEAREST_PERIOD 200000u /* µs: the distance to the nearest boid is measured once in each */

/* The shown people's active cursors, as they travel. Returns how many. */
static uint32_t gather_cursors(const struct scene *scene, uint64_t time, uint8_t *cursors)
{
    const struct flock_settings *flock = flock_settings_of(scene_flock(scene));
    const struct people *people = scene_people(scene);
    float quantum = scene_quantum(scene);
    uint32_t count = 0;

    for (uint32_t i = 0; i < people->shown_count; i++) {
        const struct person *person = &people->slots[people->shown[i]];
        const struct cursor *cursor = &person->cursor;
        if (scene_cursor_is_active(scene, person, time)) {
            proto_put_cursor(cursors + (size_t)PROTO_CURSOR_SIZE * count++, person->id,
                             proto_quantise(cursor->x, flock->width, quantum),
                             proto_quantise(cursor->y, flock->height, quantum));
        }
    }
    return count;
}

static struct proto_measures describe_measures(const struct flock_measures *measures, float nearest)
{
    return (struct proto_measures){
        .polarization = measures->polarization,
        .milling = measures->milling,
        .centroid_x = measures->centroid_x,
        .centroid_y = measures->centroid_y,
        .gyration = measures->gyration,
        .speed = measures->speed,
        .nearest = nearest,
    };
}

/* flock_workspace_run(), as the encoder of packed boids calls it. */
static void run_parts(void *pool, void (*task)(void *context, uint32_t part), void *context,
                      uint32_t parts)
{
    flock_workspace_run(pool, parts, task, context, parts);
}

/* Returns where to store the mean distance to the nearest boid, if it is due; else NULL. */
static float *nearest_due(struct room *room, uint64_t now)
{
    if (now < room->nearest_due) {
        return NULL;
    }
    room->nearest_due = (now / NEAREST_PERIOD + 1) * NEAREST_PERIOD;
    return &room->nearest;
}

/* time: of the shown scene. */
static void describe_scene(struct room *room, const struct room_workspace *workspace, uint64_t now,
                           uint64_t time, uint8_t *cursors, struct stream_scene *scene)
{
    const struct scene *shown = room_shown(room);
    const struct room_scale scale = describe_scale(shown);
    const struct flock_measures measures =
        gather_positions(shown, workspace, nearest_due(room, now));
    uint32_t count = flock_count(scene_flock(shown));
    struct flock_point target;
    bool has_target = scene_target(shown, &target);

    *scene = (struct stream_scene){
        .snapshot = {.epoch = flock_epoch(scene_flock(shown)) + room->epoch_shift,
                     .tick = scene_ticks(shown),
                     .time = now,
                     .people = room_people(room)->here,
                     .has_target = has_target,
                     .target_x = target.x,
                     .target_y = target.y,
                     .cursor_count = gather_cursors(shown, time, cursors),
                     .cursors = cursors,
                     .flock = count,
                     .has_measures = true,
                     .measures = describe_measures(&measures, room->nearest)},
        .boids = {.positions = workspace->positions,
                  .headings = workspace->headings,
                  .count = count,
                  .period_x = scale.period_x,
                  .period_y = scale.period_y},
        .threads = {.run = run_parts, .pool = workspace->engine},
        .positions = workspace->some_positions,
        .headings = workspace->some_headings,
        .bytes = workspace->bytes,
    };
}

/* Returns how many members are in all streams. */
static uint32_t count_members(const struct streams *streams)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < streams->count; i++) {
        assert(streams->list[i].members > 0);
        count += streams->list[i].members;
    }
    return count;
}

/* A client reads a snapshot by the room that it has. So a new scale drops the snapshots of the one
 * before, and the next ones wait for this version of the room. The quantum follows from width and
 * height. */
static void note_scale(struct room *room)
{
    const struct room_scale scale = describe_scale(room_shown(room));
    const struct room_scale *before = &room->scale;

    if (scale.width != before->width || scale.height != before->height ||
        scale.period_x != before->period_x || scale.period_y != before->period_y) {
        streams_forget(&room->streams);
        room->scale = scale;
        room->scale_since = room->versions[VIEW_ROOM];
    }
}

static void make_snapshots(struct room *room, const struct room_workspace *workspace, uint64_t now,
                           uint64_t time)
{
    uint8_t cursors[PROTO_PEOPLE_MAX * PROTO_CURSOR_SIZE];
    uint64_t number = room->streams.number++;
    bool described = false;
    bool headed = false;
    struct stream_scene scene;

    /* A member that a saved room had is in no stream until it comes back. */
    assert(count_members(&room->streams) <= room_people(room)->here);
    for (uint32_t i = 0; i < room->streams.count; i++) {
        struct stream *stream = &room->streams.list[i];
        if (!stream_due(stream, number)) {
            continue;
        }
        if (!described) {
            describe_scene(room, workspace, now, time, cursors, &scene);
            described = true;
        }
        if (!headed && stream_key_due(stream, scene.snapshot.epoch, scene.boids.count)) {
            gather_headings(room_shown(room), workspace);
            headed = true;
        }
        stream_next(&room->streams, stream, &scene);
    }
}

/* ---- the view ---- */

/* Makes new frames of the parts that have changed. If memory runs out, the next snapshot tries
 * again. */
static void renew_parts(struct room *room)
{
    static struct frame *(*const describe[VIEW_PARTS])(const struct room *room) = {
        [VIEW_ROOM] = describe_room, [VIEW_PARAMS] = describe_params, [VIEW_PAST] = describe_past};

    for (uint32_t part = 0; part < VIEW_PARTS; part++) {
        struct frame *frame =
            room->framed[part] != room->versions[part] ? describe[part](room) : NULL;
        if (frame != NULL) {
            frame_release(room->frames[part]);
            room->frames[part] = frame;
            room->framed[part] = room->versions[part];
        }
    }
}

static void hold_all(struct frame **out, struct frame *const *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = frame_hold(frames[i]);
    }
}

static void hold_picks(struct room_view *view, const struct picks *picks)
{
    view->pick_count = picks->framed;
    for (uint32_t i = 0; i < picks->framed; i++) {
        view->picks[i] = picks->frames[i];
        frame_hold(view->picks[i].frame);
    }
}

static struct room_view *make_view(const struct room *room, uint64_t now)
{
    struct room_view *view = view_create(room->streams.count, room->picks.framed);

    if (view == NULL) {
        return NULL;
    }
    view->room = room->definition.number;
    view->time = now;
    memcpy(view->versions, room->framed, sizeof view->versions);
    hold_all(view->frames, room->frames, VIEW_PARTS);
    view->scale_since = room->scale_since;
    memcpy(view->topic_versions, room->topics.versions, sizeof view->topic_versions);
    hold_all(view->topics, room->topics.frames, VIEW_TOPICS);
    hold_picks(view, &room->picks);
    view->presence = room->presence.sequence;
    view->presence_whole = frame_hold(room->presence.whole);
    hold_all(view->presence_changes, room->presence.changes, VIEW_PRESENCES);
    view->events = room->events;
    hold_all(view->event_frames, room->event_frames, VIEW_EVENTS);
    for (uint32_t i = 0; i < view->stream_count; i++) {
        const struct stream *stream = &room->streams.list[i];
        struct view_stream *out = &view->streams[i];
        assert(stream->key == NULL || stream->sequence - stream->key_sequence <= VIEW_DELTAS);
        out->id = stream->id;
        out->sequence = stream->sequence;
        out->key_sequence = stream->key_sequence;
        out->key = frame_hold(stream->key);
        hold_all(out->deltas, stream->deltas, VIEW_DELTAS);
    }
    return view;
}

struct room_view *room_snapshot(struct room *room, struct room_workspace *workspace, uint64_t now)
{
    const uint64_t time = room->shown.scene != NULL ? room->shown.clock : room_time(room, now);

    grants_give_waiting(room, now);
    note_scale(room);
    if (!room->shown.seeks &&
        workspace_reserve(workspace, flock_count(scene_flock(room_shown(room))))) {
        make_snapshots(room, workspace, now, time);
        topics_update(room, workspace, now, time);
    }
    presence_update(room, room_time(room, now));
    presence_tell_selves(room, room_time(room, now));
    news_tell(room, room_time(room, now));
    renew_parts(room);
    return make_view(room, now);
}

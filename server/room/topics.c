#include "room/topics.h"

#include <assert.h>

#include "past/recording.h"
#include "room/leads.h"
#include "room/state.h"
#include "room/sweeps.h"
#include "room/workspace.h"

_Static_assert(PROTO_TOPIC_LEADS == 1u << VIEW_LEADS && PROTO_TOPIC_MARKS == 1u << VIEW_MARKS &&
                   PROTO_TOPIC_PENNED == 1u << VIEW_PENNED &&
                   PROTO_TOPIC_CLUSTERS == 1u << VIEW_CLUSTERS &&
                   PROTO_TOPIC_THINGS == 1u << VIEW_THINGS && PROTO_TOPIC_WHY == 1u << VIEW_WHY &&
                   PROTO_TOPIC_SHOWN == 1u << VIEW_SHOWN &&
                   PROTO_TOPIC_PUSHES == 1u << VIEW_PUSHES && PROTO_TOPIC_SWEPT == 1u << VIEW_SWEPT,
               "a topic's number is its bit");

/* The parts of a topic's message. */
struct source {
    const struct room *room;
    struct flock_workspace *engine;
    struct drag *drag; /* of the room */
    uint64_t now;      /* µs on the server's clock */
    uint64_t time;     /* on the clock of the shown scene */
};

static struct frame *describe_leads(const struct source *source)
{
    return leads_frame(room_shown(source->room), source->time);
}

void topics_describe_marks(const struct room *room, struct proto_marks *marks)
{
    const struct recording *recording = room->shown.recording;

    marks->count = 0;
    if (recording != NULL) {
        marks_describe(&room->marks, recording->parts[0].round, recording_end(recording),
                       scene_definition_of(room->present)->tick_rate, marks);
    }
}

static struct frame *describe_marks(const struct source *source)
{
    struct proto_marks marks;
    uint8_t bytes[PROTO_STATE_MAX];

    topics_describe_marks(source->room, &marks);
    return frame_of(bytes, proto_encode_marks(bytes, sizeof bytes, &marks));
}

static struct frame *describe_penned(const struct source *source)
{
    struct proto_penned penned;
    uint8_t bytes[PROTO_STATE_MAX];

    scene_penned(room_shown(source->room), &penned);
    return frame_of(bytes, proto_encode_penned(bytes, sizeof bytes, &penned));
}

static struct frame *describe_clusters(const struct source *source)
{
    struct flock_clusters found;
    uint8_t bytes[PROTO_STATE_MAX];

    if (!flock_count_clusters(scene_flock(room_shown(source->room)), source->engine, &found)) {
        return NULL;
    }
    const struct proto_clusters clusters = {.count = found.count, .boids = found.boids};
    return frame_of(bytes, proto_encode_clusters(bytes, sizeof bytes, &clusters));
}

_Static_assert(PROTO_FOOD_MAX == FLOCK_FOOD_MAX && PROTO_HUNTERS_MAX == FLOCK_HUNTERS_MAX &&
                   PROTO_AMOUNT_MAX == FLOCK_AMOUNT_MAX,
               "a message holds the things of a flock");

static struct frame *describe_things(const struct source *source)
{
    const struct flock_things *things = flock_things_of(scene_flock(room_shown(source->room)));
    struct proto_things message = {.food_count = things->food_count,
                                   .hunter_count = things->hunter_count};
    uint8_t bytes[PROTO_STATE_MAX];

    for (uint32_t i = 0; i < things->food_count; i++) {
        const struct flock_food *food = &things->food[i];
        message.food[i] = (struct proto_food){food->x, food->y, food->amount};
    }
    for (uint32_t i = 0; i < things->hunter_count; i++) {
        message.hunters[i] = (struct proto_hunter){things->hunters[i].x, things->hunters[i].y};
    }
    return frame_of(bytes, proto_encode_things(bytes, sizeof bytes, &message));
}

static struct frame *describe_shown(const struct source *source)
{
    return picks_shown(source->room, source->engine, source->time);
}

/* Without a drag it makes one frame. */
static struct frame *describe_pushes(const struct source *source)
{
    const struct topics *topics = &source->room->topics;
    const bool ended = !drag_goes_on(source->room, source->now);
    struct frame *frame;

    if (ended && source->drag->ended && topics->frames[VIEW_PUSHES] != NULL) {
        return NULL;
    }
    frame = drag_frame(source->room, source->engine, source->now, source->time);
    source->drag->ended = ended && frame != NULL;
    return frame;
}

static struct frame *describe_swept(const struct source *source)
{
    return sweeps_frame(source->room);
}

static const struct {
    /* Returns NULL if memory runs out or nothing has changed. A row without it has frames of its
     * own: see update_picks().
     */
    struct frame *(*describe)(const struct source *source);
    uint32_t period; /* µs */
} rows[VIEW_TOPICS] = {
    [VIEW_LEADS] = {describe_leads, TOPICS_PERIOD},
    [VIEW_MARKS] = {describe_marks, TOPICS_PERIOD},
    [VIEW_PENNED] = {describe_penned, TOPICS_PERIOD},
    [VIEW_CLUSTERS] = {describe_clusters, TOPICS_PERIOD_LONG},
    [VIEW_THINGS] = {describe_things, TOPICS_PERIOD},
    [VIEW_WHY] = {NULL, TOPICS_PERIOD},
    [VIEW_SHOWN] = {describe_shown, TOPICS_PERIOD},
    [VIEW_PUSHES] = {describe_pushes, TOPICS_PERIOD},
    [VIEW_SWEPT] = {describe_swept, TOPICS_PERIOD},
};

void topics_finish(struct topics *topics)
{
    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        frame_release(topics->frames[topic]);
    }
}

void topics_subscribe(struct room *room, uint32_t slot, uint32_t bits)
{
    struct topics *topics = &room->topics;
    struct member *member = &room->members[slot];

    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        topics->subscribers[topic] += bits >> topic & 1;
        assert(topics->subscribers[topic] >= (member->topics >> topic & 1));
        topics->subscribers[topic] -= member->topics >> topic & 1;
    }
    member->topics = (uint16_t)(bits & ((1u << VIEW_TOPICS) - 1));
}

/* Replaces the topic's frame unless it says the same. Without memory the old frame stays. */
static void renew(struct topics *topics, uint32_t topic, struct frame *frame)
{
    if (frame == NULL ||
        (topics->frames[topic] != NULL && frame_is_same(topics->frames[topic], frame))) {
        frame_release(frame);
        return;
    }
    frame_release(topics->frames[topic]);
    topics->frames[topic] = frame;
    topics->versions[topic]++;
}

/* Makes the frames of picked boids when they are due, and at once after a member has picked. */
static void update_picks(struct room *room, const struct source *source, bool due)
{
    if (due || room->picks.changed) {
        room->picks.changed = false;
        picks_update(room, source->engine, source->time);
    }
}

static uint64_t period_of(const struct room *room, uint32_t topic)
{
    const bool many = topic == VIEW_WHY && room->picks.framed > TOPICS_PICKS_FEW;

    return many ? TOPICS_PERIOD_LONG : rows[topic].period;
}

void topics_update(struct room *room, const struct room_workspace *workspace, uint64_t now,
                   uint64_t time)
{
    struct topics *topics = &room->topics;
    const struct source source = {
        .room = room, .engine = workspace->engine, .drag = &room->drag, .now = now, .time = time};

    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        const bool due = now >= topics->due[topic];
        if (rows[topic].describe == NULL) {
            update_picks(room, &source, due);
        } else if (topics->subscribers[topic] == 0) {
            frame_release(topics->frames[topic]);
            topics->frames[topic] = NULL;
        } else if (due || topics->frames[topic] == NULL) {
            renew(topics, topic, rows[topic].describe(&source));
        }
        if (due) {
            const uint64_t period = period_of(room, topic);
            topics->due[topic] = (now / period + 1) * period;
        }
    }
}

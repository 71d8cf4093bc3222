#include "room/topics.h"

#include <assert.h>
#include <string.h>

#include "past/recording.h"
#include "room/leads.h"
#include "room/state.h"

_Static_assert(PROTO_TOPIC_LEADS == 1u << VIEW_LEADS && PROTO_TOPIC_MARKS == 1u << VIEW_MARKS &&
                   PROTO_TOPIC_PENNED == 1u << VIEW_PENNED,
               "a topic's number is its bit");

static struct frame *describe_leads(const struct room *room, uint64_t time)
{
    return leads_frame(room_shown(room), time);
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

static struct frame *describe_marks(const struct room *room, uint64_t time)
{
    struct proto_marks marks;
    uint8_t bytes[PROTO_STATE_MAX];

    (void)time;
    topics_describe_marks(room, &marks);
    return frame_of(bytes, proto_encode_marks(bytes, sizeof bytes, &marks));
}

static struct frame *describe_penned(const struct room *room, uint64_t time)
{
    struct proto_penned penned;
    uint8_t bytes[PROTO_STATE_MAX];

    (void)time;
    scene_penned(room_shown(room), &penned);
    return frame_of(bytes, proto_encode_penned(bytes, sizeof bytes, &penned));
}

static struct frame *(*const describe[VIEW_TOPICS])(const struct room *room, uint64_t time) = {
    [VIEW_LEADS] = describe_leads, [VIEW_MARKS] = describe_marks, [VIEW_PENNED] = describe_penned};

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
    member->topics = bits & ((1u << VIEW_TOPICS) - 1);
}

static bool is_same(const struct frame *a, const struct frame *b)
{
    return a != NULL && a->size == b->size &&
           memcmp(a->bytes + FRAME_HEADROOM, b->bytes + FRAME_HEADROOM, a->size) == 0;
}

/* Replaces the topic's frame unless it says the same. Without memory the old frame stays. */
static void renew(struct topics *topics, uint32_t topic, struct frame *frame)
{
    if (frame == NULL || is_same(topics->frames[topic], frame)) {
        frame_release(frame);
        return;
    }
    frame_release(topics->frames[topic]);
    topics->frames[topic] = frame;
    topics->versions[topic]++;
}

void topics_update(struct room *room, uint64_t now, uint64_t time)
{
    struct topics *topics = &room->topics;
    const bool due = now >= topics->due;

    for (uint32_t topic = 0; topic < VIEW_TOPICS; topic++) {
        if (topics->subscribers[topic] == 0) {
            frame_release(topics->frames[topic]);
            topics->frames[topic] = NULL;
        } else if (due || topics->frames[topic] == NULL) {
            renew(topics, topic, describe[topic](room, time));
        }
    }
    if (due) {
        topics->due = (now / TOPICS_PERIOD + 1) * TOPICS_PERIOD;
    }
}

#include "room/topics.h"

#include <assert.h>
#include <string.h>

#include "room/leads.h"
#include "room/state.h"

_Static_assert(PROTO_TOPIC_LEADS == 1u << VIEW_LEADS, "a topic's number is its bit");

static struct frame *(*const describe[VIEW_TOPICS])(const struct scene *scene,
                                                    uint64_t time) = {[VIEW_LEADS] = leads_frame};

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
            renew(topics, topic, describe[topic](room_shown(room), time));
        }
    }
    if (due) {
        topics->due = (now / TOPICS_PERIOD + 1) * TOPICS_PERIOD;
    }
}

/* The topics of a room's view: the newest value of each, for members who subscribed. A topic
 * without subscribers costs nothing. For the room's own files. */
#ifndef TOPICS_H
#define TOPICS_H

#include <stdint.h>

#include "room/room.h"
#include "room/view.h"

/* µs: a topic has at most one new frame in each. */
#define TOPICS_PERIOD      100000u
#define TOPICS_PERIOD_LONG 200000u /* of clusters, and of more picked boids than a few */
#define TOPICS_PICKS_FEW   16u

struct topics {
    uint32_t subscribers[VIEW_TOPICS]; /* members here */
    uint32_t versions[VIEW_TOPICS];    /* of the newest frame; goes up with each */
    struct frame *frames[VIEW_TOPICS]; /* NULL: no subscriber, or no memory */
    uint64_t due[VIEW_TOPICS];         /* µs: no new frame before, except a first one */
};

void topics_finish(struct topics *topics);

/* Subscribes the member in that slot to the topics of these bits (1 << enum view_topic), and to no
 * others; ignores unknown bits. 0: the member has left. */
void topics_subscribe(struct room *room, uint32_t slot, uint32_t bits);

/* Stores the marks of the past that is shown; none while the present is shown. */
void topics_describe_marks(const struct room *room, struct proto_marks *marks);

/* Makes the frames that are due, of what members see. now: µs on the server's clock; time: on the
 * clock of the shown scene. */
void topics_update(struct room *room, const struct room_workspace *workspace, uint64_t now,
                   uint64_t time);

#endif

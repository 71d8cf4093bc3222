/* The hub's side of rooms that run on other nodes. Links to them end at one mailbox, in place of a
 * runner's. The far end (cluster/far_end.h) takes its events as a runner does: it owns the seats
 * that come with EVENT_JOIN, answers through them, and puts views into the shards' outboxes.
 *
 * The other way round, sessions of other nodes join rooms of this hub through hub_far_links(). For
 * the files of hub/ and cluster/. */
#ifndef FAR_H
#define FAR_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/link.h"

struct hub;
struct mailbox;
struct room_view;

/* The rooms of other nodes, for a hub's definition. */
struct hub_far {
    /* Stores the facts of the room of that code, which this hub does not have. Returns false if
     * there is no such room anywhere. Any thread. */
    bool (*find)(void *argument, const char *code, struct link_room *room);
    void *argument;
    struct mailbox *events; /* takes the struct events of their links; is woken with each */
    uint32_t rooms;         /* far rooms at a time, at most */
    uint32_t sessions;      /* of other nodes in rooms of this hub, at most */
};

/* Views and grants of a far room have a number in place of directory_entry.number: generation << 32
 * | slot + 1, with one of `rooms` slots, of which this is the first. */
uint32_t hub_far_slot(const struct hub *hub);

/* Takes over the newest view of a far room, for that shard. */
void hub_put_view(struct hub *hub, uint32_t shard, bool by_server, struct room_view *view);

/* Releases the view of that slot if the shard has not taken it. */
void hub_withdraw_view(struct hub *hub, uint32_t shard, uint32_t slot);

/* Tells the shard that it has something to take. */
void hub_wake(struct hub *hub, uint32_t shard);

/* Lets links look for their rooms again: a room that has moved may have a new place. */
void hub_look_again(struct hub *hub);

/* Returns the links of sessions of other nodes, of a shard more than the definition has. Unlike
 * the links of other shards they return HUB_MOVED: the caller must then leave the link, which does
 * not join again.
 * One thread at a time. */
struct links *hub_far_links(struct hub *hub);

/* Returns the number of that shard: definition.wake is called with it. */
uint32_t hub_far_shard(const struct hub *hub);

#endif

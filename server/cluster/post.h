/* The post: how far_end.c and near_end.c send messages to other nodes, and subscribe to theirs. The
 * thread of ends.h alone uses it, for its calls may block. */
#ifndef POST_H
#define POST_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/cluster_counts.h"
#include "cluster/node.h"
#include "cluster/wire.h"

struct post {
    struct broker *broker;
    struct cluster_counts *counts;
    broker_deliver *deliver; /* takes what comes on all subscriptions, with `argument` */
    void *argument;
    char node[NODE_NAME_MAX + 1]; /* this node's name */
    uint32_t incarnation;         /* of this process, random */
    uint64_t silent;              /* µs: see struct ends_definition */
    struct wire_writer writer;    /* for a message at a time */
};

/* Sends the message with the number after *number, which goes up even if the message cannot be
 * sent: so the receivers notice. number NULL: the message has none. Counts it. Returns false if it
 * was not sent. now: µs on this server's clock. */
bool post_send(struct post *post, const char *subject, struct wire_writer *message,
               uint64_t *number, uint64_t now);

/* Returns NULL when memory runs out. */
struct broker_subscription *post_subscribe(struct post *post, const char *subject);

/* Ends the subscription. Takes NULL. */
void post_unsubscribe(struct post *post, struct broker_subscription *subscription);

/* Subjects. A code and a name must be valid. */
void post_subject(char out[BROKER_SUBJECT_MAX], const char *kind, const char *name);
void post_stream_subject(char out[BROKER_SUBJECT_MAX], const char *code, uint32_t stream);
void post_edge_subject(char out[BROKER_SUBJECT_MAX], const char *node, uint32_t incarnation);

#define POST_FRAMES "f" /* f.CODE.STREAM: owner to edges, snapshots */
#define POST_STATE  "s" /* s.CODE: owner to edges, the view except its snapshots */
#define POST_EDGE   "e" /* e.NODE.INCARNATION: owners to that process of an edge */
#define POST_ROOM   "r" /* r.CODE: edges to the owner */

#endif

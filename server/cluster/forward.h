/* Forwarding: a request for a room of another node becomes a stream of bytes to that node's
 * --cluster-bind address and back. The head gets three lines of this node's own: the client's
 * address, the other node's key, and `Connection: close`, so that a connection carries one request
 * only. Lines of these names from the client are removed. What follows the head is not read.
 *
 * Each direction has a buffer of 64 KB; a side that does not read stops the other. A struct
 * forwards belongs to a loop, and must be used on its thread. */
#ifndef FORWARD_H
#define FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "protocol.h"

#define FORWARD_ADDRESS_MAX 64u    /* "10.0.0.3:8081" or "[::1]:8081", with the NUL */
#define FORWARD_KEY_MAX     33u    /* 32 hexadecimal digits, with the NUL */
#define FORWARD_HEAD_MAX    16384u /* bytes of a request's head */
#define FORWARD_BUFFER      65536u /* bytes of each direction */
#define FORWARD_CONNECT     2000u  /* ms until the other node has accepted the connection */
#define FORWARD_SILENCE     60000u /* ms without a byte in either direction */

/* The lines that forwarding writes, in lower case. */
#define FORWARD_KEY_LINE "x-flockd-node-key"

struct forwards;

/* Where a request goes. */
enum forward_where {
    FORWARD_HERE,
    FORWARD_THERE,
    FORWARD_NOWHERE, /* the room's node is dead, and no other node has it yet */
};

struct forward_node {
    char address[FORWARD_ADDRESS_MAX];
    char key[FORWARD_KEY_MAX]; /* that the node has announced */
};

/* The directory that forwarding asks. Stores the node with FORWARD_THERE. */
struct forward_calls {
    /* The node of the room of that canonical code. A code without a room: FORWARD_HERE. */
    enum forward_where (*find)(void *argument, const char *code, struct forward_node *node);
    /* The node that makes a new room. */
    enum forward_where (*choose)(void *argument, struct forward_node *node);
    void *argument;
    _Atomic uint64_t *forwarded, *failed; /* counters of struct cluster_counts */
};

/* Returns where the request of that complete head goes: GET of a room or of the list stays here. */
enum forward_where forward_find(const struct forward_calls *calls, const char *head, size_t size,
                                struct forward_node *node);

/* Writes the head for the other node. client: its address, as text. Returns the number of bytes, or
 * 0 if the head is malformed or larger than `capacity`. */
size_t forward_rewrite(const char *head, size_t size, const char *client, const char *key,
                       char *out, size_t capacity);

/* limit: connections at the same time. Returns NULL when memory runs out. */
struct forwards *forwards_create(uv_loop_t *loop, const struct forward_calls *calls,
                                 uint32_t limit);

/* Takes over the client's socket, whose first unread byte begins the head of that size. Answers
 * with an error, and closes it, if that is not possible. */
void forward_begin(struct forwards *forwards, int fd, size_t head_size, const char *client,
                   const struct forward_node *node);

/* Ends all streams. The loop must run afterwards until its handles have closed; then the memory is
 * freed. Takes NULL. */
void forwards_destroy(struct forwards *forwards);

#endif

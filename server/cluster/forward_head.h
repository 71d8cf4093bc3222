/* The head of a request that may be for another node: where it goes, and how it is passed on. Heads
 * are hostile until checked. Pure functions. */
#ifndef FORWARD_HEAD_H
#define FORWARD_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol.h"

#define FORWARD_ADDRESS_MAX 64u /* "10.0.0.3:8081" or "[::1]:8081", with the NUL */
#define FORWARD_KEY_MAX     33u /* 32 hexadecimal digits, with the NUL */

/* The header with the key of the node that receives a forwarded request. */
#define FORWARD_KEY_HEADER "x-flockd-node-key"

enum forward_where {
    FORWARD_HERE,
    FORWARD_THERE,
    FORWARD_NOWHERE, /* the room's node is dead, and no other node has it yet */
};

struct forward_node {
    char address[FORWARD_ADDRESS_MAX];
    char key[FORWARD_KEY_MAX]; /* that the node has announced */
};

/* Answers from what is known of other nodes. Both store the node with FORWARD_THERE. */
struct forward_calls {
    /* The node of the room of that canonical code; without such a room FORWARD_HERE. */
    enum forward_where (*find)(void *argument, const char *code, struct forward_node *node);
    /* The node that makes the next room. */
    enum forward_where (*choose)(void *argument, struct forward_node *node);
    void *argument;
};

/* Returns where the request of that complete head goes. Lists and descriptions of rooms, and all
 * that is not about rooms, stay here. */
enum forward_where forward_find(const struct forward_calls *calls, const char *head, size_t size,
                                struct forward_node *node);

/* Writes the head for the other node: with the client's address, the node's key, and `Connection:
 * close`, so that a connection carries one request. Leaves out the client's own lines of these
 * names, and lines that ask for another protocol. Returns the number of bytes, or 0 if the
 * head is malformed or does not fit. */
size_t forward_rewrite(const char *head, size_t size, const char *client, const char *key,
                       char *out, size_t capacity);

/* Writes the values of the headers of that name (in lower case), with commas between them. Returns
 * false if there is none, or they do not fit. */
bool forward_header(const char *head, size_t size, const char *name, char *out, size_t capacity);

/* Returns the bytes of the complete head at the beginning of the text, up to and with its empty
 * line; 0 if it is not complete. */
size_t forward_head_size(const char *text, size_t size);

#endif

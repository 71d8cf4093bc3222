/* The allowance of each address for guests (see admission.h): 32, and one more every 2 s. A guest
 * takes a part when it arrives, and gives it back when it becomes a client, or ends after its
 * answer. A guest that ends in another way gives it back only while the shard has few guests. So an
 * address that wastes connections while others need them uses up its allowance. Its next guests are
 * extra. At the address of a trusted presenter who is in, all guests that arrive are trusted
 * instead: a class comes in beside its teacher. Trusted proxies and other nodes have no allowance,
 * but the clients that they name have one.
 *
 * A byte, or the head of a request, gives nothing back: it costs an attacker nothing.
 *
 * For the files of gate/. Must be used on the shard's thread. */
#ifndef ALLOWANCE_H
#define ALLOWANCE_H

struct connection;
struct context;

/* Must be called when the connection arrives, and when a proxy has named its client. Sets the
 * guest's rank. */
void allowance_take(struct context *context, struct connection *connection);

/* Must be called when the connection became a client or left for another node. */
void allowance_give(struct context *context, struct connection *connection);

/* Must be called when the connection ends and is no longer a guest. */
void allowance_end(struct context *context, struct connection *connection);

#endif

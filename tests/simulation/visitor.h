/* People in rooms of a simulated cluster. Each is at a node's hub, and checks all pictures that it
 * sees. A presenter gives its room a new title again and again. */
#ifndef VISITOR_H
#define VISITOR_H

#include "hub/hub.h"

struct visitor;

/* Makes a visitor of the room of that code. key: the room's; "": a viewer. */
struct visitor *visitor_create(const char *code, const char *key);
void visitor_destroy(struct visitor *visitor);

/* The hub of the node and its links are there: the visitor joins its room through them. */
void visitor_come(struct visitor *visitor, struct hub *hub);

/* The node is gone: the visitor leaves its links. */
void visitor_go(struct visitor *visitor);

bool visitor_is_away(const struct visitor *visitor);
bool visitor_is_at(const struct visitor *visitor, const struct hub *hub);
const char *visitor_code(const struct visitor *visitor);

/* Take a reply for a session of the hub, or a view. The first returns false, and takes nothing, if
 * it is for another visitor. NULL: none. */
bool visitor_take_reply(struct visitor *visitor, const struct hub *hub,
                        const struct hub_reply *reply);
void visitor_take_view(struct visitor *visitor, const struct hub *hub,
                       const struct room_view *view);

/* Does what it wants to do now. */
void visitor_act(struct visitor *visitor);

/* Returns the time (ns) when it saw a picture last. */
uint64_t visitor_seen_at(const struct visitor *visitor);

/* Returns the number of pictures that all of them have seen in all lives. */
uint64_t visitor_pictures(void);

#endif

/* Whether a request has shown the server's key, and may create or change rooms. Must be used on the
 * shard's thread. */
#ifndef API_KEY_H
#define API_KEY_H

#include "net/api/api_rooms.h"

/* Returns true if this client may create rooms, and notes in request->trusted whether it has shown
 * the server's key; or if this is not known, because the key must wait: API_SHOWN_LATER. Else
 * stores the result of its refusal. */
bool api_may_create(const struct context *context, struct lws *wsi, struct api_request *request,
                    int *result);

/* Returns true if the hub may be asked about the request's room, and notes in request->trusted
 * whether it is asked with the server's key. That key administers each room. It also opens the
 * lobby, until a presenter of the lobby makes a new one. A key that people have chosen waits in
 * line, as in api_may_create(). Returns false if the request waits or is refused, and stores the
 * result. */
bool api_may_ask(struct context *context, struct api_request *request, bool administers,
                 int *result);

/* Compares the request's key with the server's, and stores the result. */
void api_compare_key(const struct context *context, struct api_request *request,
                     struct tries_pass pass);

#endif

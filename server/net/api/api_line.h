/* Requests that wait in line, because too many wrong keys were tried at their address: see tries.h.
 * A request with the server's key is delayed, not refused. Must be used on the shard's thread. */
#ifndef API_LINE_H
#define API_LINE_H

#include "net/api/api_rooms.h"

/* Makes the request wait; or refuses it, with 429, if the line moves too slowly. Returns what the
 * HTTP callback must return. */
int api_stand_in_line(struct context *context, struct api_request *request);

/* Must be called by the timer of the request's connection. Returns true if the request's turn has
 * come: it waits no longer, and its key may be compared with this pass. */
bool api_line_moves(struct context *context, struct api_request *request, struct tries_pass *pass);

/* Must be called before the request is freed. */
void api_forget_line(const struct context *context, struct api_request *request);

#endif

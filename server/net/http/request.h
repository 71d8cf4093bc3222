/* What libwebsockets has read of an HTTP request, in the terms of this server. On the shard's
 * thread, from libwebsockets' HTTP callbacks. */
#ifndef REQUEST_H
#define REQUEST_H

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

enum request_method {
    REQUEST_GET,
    REQUEST_HEAD,
    REQUEST_POST,
    REQUEST_PATCH,
    REQUEST_DELETE,
    REQUEST_OTHER,
};

/* The method, and in `path` the path, without what follows a '?'; "" when it is longer than
 * `size`. */
enum request_method request_method(struct lws *wsi, char *path, size_t size);

/* The header's value, "" when it is not there or does not fit. */
void request_header(struct lws *wsi, enum lws_token_indexes token, char *value, size_t size);

#define REQUEST_NO_LENGTH  (-1)
#define REQUEST_BAD_LENGTH (-2)

/* The bytes of the body as the request says, or one of these. */
int64_t request_length(struct lws *wsi);

#endif

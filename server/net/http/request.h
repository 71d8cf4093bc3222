/* Parts of an HTTP request that libwebsockets has read. Must be called on the shard's thread from
 * libwebsockets' HTTP callbacks. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

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

/* Returns the method and stores the path without its '?' and query; stores "" if the path is longer
 * than `size`. */
enum request_method request_method(struct lws *wsi, char *path, size_t size);

/* Stores the header's value; "" if the header is missing or does not fit. */
void request_header(struct lws *wsi, enum lws_token_indexes token, char *value, size_t size);

#define REQUEST_NO_LENGTH  (-1)
#define REQUEST_BAD_LENGTH (-2)

/* Returns the body's length in bytes as the request states it, or a constant above. */
int64_t request_length(struct lws *wsi);

#endif

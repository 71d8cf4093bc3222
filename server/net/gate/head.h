/* The heads of responses to plain HTTP requests, whoever sends them. Any thread. */
#ifndef HEAD_H
#define HEAD_H

#include <libwebsockets.h>
#include <stddef.h>

#define HEAD_TEXT_MAX 1536u /* bytes of what head_print() makes of a text of 400 */

/* What all responses have, for libwebsockets' own. */
const struct lws_protocol_vhost_options *head_common(void);

/* Writes a whole response of HTTP/1.1 for a connection that libwebsockets does not answer. extra:
 * lines of headers, or "". Returns its bytes. */
size_t head_print(char *out, size_t capacity, unsigned status, const char *extra, const char *text);

#endif

/* The heads of responses to plain HTTP requests. Any thread. */
#ifndef HEAD_H
#define HEAD_H

#include <libwebsockets.h>
#include <stddef.h>

#define HEAD_TEXT_MAX 1536u /* enough for head_print() with a text of 400 bytes */

/* Returns the headers of all responses, in the form that libwebsockets takes for its own. */
const struct lws_protocol_vhost_options *head_common(void);

/* Writes a complete HTTP/1.1 response for a connection that libwebsockets does not answer. extra:
 * header lines, or "". Returns the number of bytes. */
size_t head_print(char *out, size_t capacity, unsigned status, const char *extra, const char *text);

/* Sends such a response. */
void head_send(int fd, unsigned status, const char *text);

/* Reads the rest: closing a socket with unread data resets it, and the client may lose the answer.
 */
void head_drain(int fd);

#endif

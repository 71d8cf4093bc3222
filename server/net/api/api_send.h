/* The API's answers. All but the last two functions return what the HTTP callback must return. For
 * the API's own files. */
#ifndef API_SEND_H
#define API_SEND_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/api/api_form.h"
#include "net/http/respond.h"

#define API_TYPE "application/json"

/* libwebsockets has no names for these. */
#define API_CREATED  201
#define API_TOO_MANY 429

#define API_WRONG_KEY "that is not this room's key"

struct context;

struct api_answer {
    unsigned status;
    char *text; /* JSON, to be freed; NULL: no text, or out of memory */
    struct respond_header extra[RESPOND_EXTRA_MAX];
    bool close;
};

/* Sends the answer and frees its text. */
int api_send(struct lws *wsi, const struct api_answer *answer);

/* Sends a text and frees it. NULL (out of memory) ends this connection only. */
int api_send_text(struct lws *wsi, unsigned status, char *text);

int api_send_fault(struct lws *wsi, unsigned status, const struct api_fault *fault);

/* Sends a fault to a client that may try again after `seconds`. */
int api_send_wait(struct lws *wsi, const struct api_fault *fault, uint32_t seconds);

int api_send_refusal(struct lws *wsi, unsigned status, enum proto_code code, const char *field,
                     const char *message);
int api_refuse_room(struct lws *wsi);
int api_refuse_no_key(struct lws *wsi); /* the room's key */
int api_refuse_wrong_key(struct lws *wsi);
int api_refuse_busy(struct lws *wsi);
int api_refuse_transfer(struct context *context, struct lws *wsi);
int api_refuse_method(struct lws *wsi, const char *allowed);

/* Refuses a body that cannot be read, and closes the connection. */
int api_refuse_body(struct lws *wsi, unsigned status, const char *message);

/* Returns the status for that code. */
unsigned api_status_of(enum proto_code code);

/* Fills the fault of too many wrong keys. */
void api_explain_tries(struct api_fault *fault, uint32_t seconds);

#endif

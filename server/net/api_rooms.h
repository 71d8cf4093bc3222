/* What the API's requests do with rooms. For the API's own files. On the shard's thread. */
#ifndef API_ROOMS_H
#define API_ROOMS_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/api_form.h"
#include "net/context.h"
#include "net/request.h"

#define API_FOLDER "/api"
#define API_PATH   API_FOLDER "/rooms"

struct api_request {
    struct api_request *next; /* of those whose answer the hub has yet to give */
    struct lws *wsi;
    enum request_method method;
    uint64_t ticket;               /* 0: nothing has been asked of the hub */
    uint64_t expires;              /* µs: when the body must be there */
    char code[PROTO_ROOM_MAX + 1]; /* of the room, canonical; "": none */
    char key[PROTO_KEY_MAX + 1];
    bool has_key;
    bool past;                   /* the room's is wanted: see api_recording.h */
    bool names;                  /* with people's names */
    struct recording *recording; /* the answer to that; NULL: none */
    bool json;                   /* the body is said to be */
    bool secret;                 /* it came by https */
    char host[300];
    unsigned status; /* of the answer, once there is one */
    uint32_t wait;   /* s: for API_TOO_MANY */
    struct api_fault fault;
    size_t length, size; /* of the body: announced, and there */
    char body[];
};

/* The room of that code, or all that are listed (""). These return what the HTTP callback has to.
 */
int api_get(struct context *context, struct lws *wsi, const char *code);
int api_get_server(const struct context *context, struct lws *wsi);

/* A POST, whose body is there. */
int api_create(struct context *context, struct api_request *request);

/* Asks the hub something of that room; what it says comes to api_answer(). Returns false when it
 * cannot be asked. Takes over the question (malloc'ed). */
bool api_ask(struct context *context, struct api_request *request, uint64_t room,
             struct hub_request *question);

/* A PATCH or DELETE. With a ticket the request has been asked of the hub: see api_answer(). */
int api_change(struct context *context, struct api_request *request);

#endif

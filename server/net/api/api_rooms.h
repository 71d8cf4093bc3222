/* What the API's requests do with rooms. For the API's own files. On the shard's thread. */
#ifndef API_ROOMS_H
#define API_ROOMS_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/api/api_form.h"
#include "net/gate/context.h"
#include "net/http/request.h"

struct api_job;

#define API_FOLDER "/api"
#define API_PATH   API_FOLDER "/rooms"

/* What came of making a room. */
struct api_made {
    enum directory_result result;
    struct directory_entry entry;
    char key[PROTO_KEY_MAX + 1];
    uint32_t retry_after;     /* ms: see hub_create_room(), as the next */
    uint64_t boids_left;      /* UINT64_MAX: they are not what is missing */
    struct proto_error error; /* for DIRECTORY_REFUSED */
};

struct api_request {
    struct api_request *next; /* of those whose answer the hub has yet to give */
    struct lws *wsi;
    enum request_method method;
    uint64_t ticket;               /* 0: nothing has been asked of the hub */
    uint64_t expires;              /* µs: when the body must be there */
    char code[PROTO_ROOM_MAX + 1]; /* of the room, canonical; "": none */
    char key[PROTO_KEY_MAX + 1];
    bool has_key;
    bool past;                   /* it is for the room's recording: see api_recording.h */
    bool names;                  /* the recording is to have people's names */
    struct recording *recording; /* the hub's answer to that, or NULL */
    bool branch;                 /* it is for a room that begins as this one: see api_branch.h */
    bool json;                   /* the body is said to be JSON */
    bool upload;                 /* the body is a recording: see api_upload.h */
    struct room_definition *definition; /* of the room that an upload is for, or NULL */
    bool listed;                        /* whether that room is to be listed */
    uint32_t place;                     /* among the uploads; 0: none */
    struct api_job *job;                /* that reads it; NULL: none */
    struct api_made *made;              /* the answer, if a room was to be made; NULL: none */
    bool secret;                        /* it came by https */
    char host[300];
    unsigned status; /* of the answer, once there is one */
    uint32_t wait;   /* s: for API_TOO_MANY */
    struct api_fault fault;
    size_t length, size; /* of the body: announced, and there */
    char *body;
};

/* The room of that code, or all that are listed (""). These return what the HTTP callback has to.
 */
int api_get(struct context *context, struct lws *wsi, const char *code);
int api_get_server(const struct context *context, struct lws *wsi);

/* A POST, whose body is there. */
int api_create(struct context *context, struct api_request *request);

/* What a room is made of that begins as another one. */
void api_define(const struct service *service, struct room_definition *definition);

/* Makes a room of that definition, for whoever has that address; origin: see hub_begin_room(), or
 * NULL. Any thread. */
void api_make(const struct service *service, struct room_definition *definition,
              const struct hub_origin *origin, bool listed, const char *address,
              struct api_made *made);

/* Tells whoever asked for it. */
int api_send_made(struct context *context, const struct api_request *request,
                  const struct api_made *made);

/* Whether whoever may create rooms has the server's key: then the server trusts their presenters.
 */
bool api_creator_trusted(const struct service *service);

/* Whether this client may create rooms; else the result of its refusal. */
bool api_may_create(const struct context *context, struct lws *wsi,
                    const struct api_request *request, int *result);

/* Asks the hub something of that room; what it says comes to api_answer(). Returns false when it
 * cannot be asked. Takes over the question (malloc'ed). */
bool api_ask(struct context *context, struct api_request *request, uint64_t room,
             struct hub_request *question);

/* A PATCH or DELETE. With a ticket the request has been asked of the hub: see api_answer(). */
int api_change(struct context *context, struct api_request *request);

#endif

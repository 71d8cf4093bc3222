/* The API's requests on rooms. For the API's own files. Must be used on the shard's thread. */
#ifndef API_ROOMS_H
#define API_ROOMS_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "net/api/api_form.h"
#include "net/gate/context.h"
#include "net/http/request.h"

struct api_job;
struct api_route;
struct recording;
struct recording_file;

#define API_FOLDER "/api"
#define API_PATH   API_FOLDER "/rooms"

#define API_TYPE_MAX 64u /* bytes of a Content-Type; a longer one is unknown */

/* Whether a request's key is the server's. */
enum api_shown {
    API_SHOWN_NOTHING, /* not compared yet */
    API_SHOWN_RIGHT,
    API_SHOWN_WRONG,
    API_SHOWN_LATER, /* it must wait in line before it can be compared */
};

struct api_request {
    struct list_item item; /* in the list of requests that wait for the hub */
    struct reader reader;  /* in context->requests: it waits for a turn, see api_turn() */
    struct lws *wsi;
    const struct api_route *route;
    struct directory_entry room;   /* if the route has a code */
    uint64_t ticket;               /* 0: the hub was not asked */
    uint64_t expires;              /* µs: deadline of the body */
    char code[PROTO_ROOM_MAX + 1]; /* of the room, canonical; "": no room */
    char key[PROTO_KEY_MAX + 1];
    bool has_key;
    enum api_shown shown; /* whether its key is the server's: see api_key.h */
    bool trusted;         /* it has shown the server's key: see api_key.h */
    bool lined;           /* it waits in line: see api_line.h; with these numbers: */
    uint64_t origin, keys;
    bool names;                  /* the recording shall have the members' names */
    struct recording *recording; /* that is downloaded, or NULL; its file, or NULL; */
    struct recording_file *file;
    size_t file_size, sent;             /* the file's bytes, and how many of them were sent */
    bool begun;                         /* the headers were sent */
    char type[API_TYPE_MAX];            /* its Content-Type */
    struct room_definition *definition; /* of the room of an upload, or NULL */
    bool listed;                        /* the room of an upload shall be listed */
    uint32_t upload;                    /* its number as a transfer; 0: none */
    struct history_budget *budget;      /* of an upload's room; `taken` bytes are taken; or NULL */
    size_t taken;
    struct api_job *job;   /* the work that it waits for; NULL: none */
    struct hub_made *made; /* the result, if a room was made; NULL: none */
    /* Sends the answer; called once `status` is set. */
    void (*resume)(struct context *context, struct api_request *request);
    bool secret; /* it came over https */
    char host[300];
    unsigned status; /* of the answer; 0: not answered */
    uint32_t wait;   /* s: for API_TOO_MANY */
    struct api_fault fault;
    size_t length, size; /* of the body: announced, and received */
    char *body;
};

/* Answer with all listed rooms, with one room, and with the server's addresses. These and all that
 * follow return what the HTTP callback must return. */
int api_list_rooms(struct context *context, struct api_request *request);
int api_show_room(struct context *context, struct api_request *request);
int api_get_server(struct context *context, struct api_request *request);

/* Starts to make the room of the body. */
int api_create(struct context *context, struct api_request *request);

/* Fills the definition of a room that begins as another one. */
void api_define(const struct service *service, struct room_definition *definition);

/* Sends the result to the client. */
int api_send_made(struct context *context, const struct api_request *request,
                  const struct hub_made *made);

/* Sends the hub a question about the request's room; api_answer() receives the answer. Takes over
 * the question (malloc'ed). Returns false if the hub cannot be asked. */
bool api_ask(struct context *context, struct api_request *request, struct hub_request *question);

/* Change and end the room. If they set a ticket, the hub was asked: see api_answer(). */
int api_change(struct context *context, struct api_request *request);
int api_end(struct context *context, struct api_request *request);

#endif

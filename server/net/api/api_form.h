/* The API's JSON: bodies of clients, read as room definitions and requests, and the answers. It is
 * strict: an unknown field or a wrong value is refused, with the field's name and a sentence.
 *
 * Pure functions; any thread. */
#ifndef API_FORM_H
#define API_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/refusal.h"
#include "config/flock_options.h"
#include "hub/hub.h"
#include "net/api/api_source.h"
#include "net/gate/reach.h"
#include "protocol.h"
#include "room/room.h"

#define API_FIELD_MAX 64u
#define API_TEXT_MAX  512u

/* The fault of a request. */
struct api_fault {
    enum proto_code code;
    char field[API_FIELD_MAX]; /* "" for the whole body */
    char message[API_TEXT_MAX];
    bool boids; /* it asks for more boids than a room may have */
};

/* Fills a fault with a code, a field and a format. Returns false. */
#define api_refuse(fault, ...) refusal_write(api_refusal(fault), __VA_ARGS__)

static inline struct refusal api_refusal(struct api_fault *fault)
{
    fault->boids = false;
    return (struct refusal){.code = &fault->code,
                            .field = fault->field,
                            .field_size = sizeof fault->field,
                            .message = fault->message,
                            .message_size = sizeof fault->message};
}

/* Settings of rooms whose body does not set them. */
struct api_defaults {
    const struct flock_options *flock; /* the lobby's options at the start */
    struct scene_controls controls;
    uint32_t boids_max; /* limit of a room */
};

/* Reads the body of a POST as a room definition, and whether the room is listed. Leaves the fields
 * that the hub fills, and people_max, as room_definition_default() sets them. */
bool api_read_room(const char *body, size_t size, const struct api_defaults *defaults,
                   struct room_definition *definition, bool *listed, struct api_fault *fault);

/* Reads the arguments of an address, each "name=value", for a room whose body is a recording:
 * title, listed and join key. Leaves other fields unchanged. */
bool api_read_arguments(const char *const *arguments, size_t count,
                        struct room_definition *definition, bool *listed, struct api_fault *fault);

/* Reads the body of a PATCH. Returns a request without a key, to be freed, or NULL with *fault
 * filled. model: the room's present model. */
struct hub_request *api_read_change(const char *body, size_t size, const char *model,
                                    struct api_fault *fault);

/* Turns the room's error into a fault of the body. */
void api_explain(const struct proto_error *error, struct api_fault *fault);

/* These return JSON texts that end with a line break, to be freed, or NULL when memory runs out. */
char *api_write_fault(const struct api_fault *fault);
char *api_write_room(const struct directory_entry *entry);

/* A new room and its key. `root`: the URL of the server's root, such as http://example.org:8080; ""
 * if unknown. */
char *api_write_created(const struct directory_entry *entry, const char *key, const char *root);

/* The server: its version, and its URLs for others. public_url: "" if none. */
char *api_write_server(const char *public_url, const struct reach *reach);

/* The listed rooms (see api_choice.h), whether clients can create rooms ("open", "presenter" or
 * "off"), and the presets. *cost: the time that it took, in rooms that are written. */
char *api_write_rooms(const struct api_source *source, const char *create, uint32_t *cost);

#endif

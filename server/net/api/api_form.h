/* The API's JSON: what clients send, as definitions of rooms and requests to them, and what they
 * get. Strict: whatever it does not know or expect is refused, with the field and a sentence.
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
#include "net/gate/reach.h"
#include "protocol.h"
#include "room/room.h"

#define API_FIELD_MAX 64u
#define API_TEXT_MAX  512u

/* What was wrong. */
struct api_fault {
    enum proto_code code;
    char field[API_FIELD_MAX]; /* "" when it is the whole body */
    char message[API_TEXT_MAX];
    bool boids; /* it asks for more of them than a room may have */
};

/* Fills a fault: code, field and a format; false. */
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

/* Of rooms about which nothing else is said. */
struct api_defaults {
    const struct flock_options *flock; /* what the lobby began with */
    enum cursor_policy policy;
    enum cursor_idle idle;
    uint32_t boids_max; /* in a room */
};

/* The body of a POST, as the definition of a room, and whether it is to be listed. What the hub
 * fills in, and people_max, is as room_definition_default() has it. */
bool api_read_room(const char *body, size_t size, const struct api_defaults *defaults,
                   struct room_definition *definition, bool *listed, struct api_fault *fault);

/* What an address says behind its '?', each "name=value", of a room whose body says the rest: its
 * title, whether it is to be listed, its join key. The definition's others stay. */
bool api_read_arguments(const char *const *arguments, size_t count,
                        struct room_definition *definition, bool *listed, struct api_fault *fault);

/* The body of a PATCH, as a request without a key, to be freed. model: the one that the room has
 * now. NULL: *fault says why. */
struct hub_request *api_read_change(const char *body, size_t size, const char *model,
                                    struct api_fault *fault);

/* What the room said against it, as a fault of the body's. */
void api_explain(const struct proto_error *error, struct api_fault *fault);

/* Texts of JSON with a line break at the end, to be freed; NULL when memory runs out. */
char *api_write_fault(const struct api_fault *fault);
char *api_write_room(const struct directory_entry *entry);

/* A room just made, and its key. `root`: the address of the server's root, such as
 * http://example.org:8080; "" when it is not known. */
char *api_write_created(const struct directory_entry *entry, const char *key, const char *root);

/* The server: its version, and under which addresses others reach it. public_url: "": none. */
char *api_write_server(const char *public_url, const struct reach *reach);

/* All listed rooms, whether more can be created ("open", "presenter" or "off"), and the presets.
 * *count: of the rooms in it. */
char *api_write_rooms(struct directory *directory, const char *create, uint32_t *count);

#endif

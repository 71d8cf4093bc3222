/* A person's stay: the session in a room, the connection that carries it, and the way to other
 * rooms without leaving the program: by address or code, from the list of the server, or new ones.
 * A demo has one room in this process, and no way to others.
 *
 * On the owner's libuv loop and thread. The owner draws when `changed` is set and clears it. */
#ifndef TERM_STAY_H
#define TERM_STAY_H

#include "term/net/client.h"
#include "term/net/history.h"
#include "term/net/listing.h"
#include "term/net/local.h"
#include "term/net/session.h"
#include "term/net/target.h"
#include "term/net/trust.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/* The texts must outlive the stay. */
struct term_stay_definition {
    const struct term_target *target;
    struct term_trust trust;
    const char *name, *encoding;
    uint32_t rate;
    bool remembers; /* rooms, in the user's file */
    bool demo;      /* instead of all servers */
};

struct term_stay {
    struct term_stay_definition definition;
    uv_loop_t *loop;
    struct term_target target; /* where the session is */
    struct term_session *session;
    struct term_local *local;       /* the room of a demo; NULL: a server has the room */
    struct term_client *client;     /* one of: */
    struct term_client *clients[2]; /* without and with TLS, made when they are needed */
    struct term_history history;
    struct term_listing listing;
    struct term_request *listing_request, *creation_request;
    bool changed;
    uint32_t moves; /* to other rooms; after one, the end of a room is not the program's */
    bool noted;     /* the history has the present room */
};

/* Returns NULL if memory runs out, or libwebsockets lacks its libuv support. */
struct term_stay *term_stay_create(uv_loop_t *loop, const struct term_stay_definition *definition);

/* Ends all connections and frees everything; runs the loop. Returns false while a name is being
 * resolved: see term_client_destroy(). Takes NULL. */
bool term_stay_destroy(struct term_stay *stay);

/* Must be called about 60 times a second, and after a key. */
void term_stay_tick(struct term_stay *stay, int64_t now);

/* Returns whether the room has ended for this person and the program should, too. */
bool term_stay_over(const struct term_stay *stay);

/* Goes to a room: see term_target_parse(). Stays, and notifies why, if the text names none. */
void term_stay_go(struct term_stay *stay, const char *text, int64_t now);

/* Asks the server for its rooms; `listing` has the answer later. */
void term_stay_list(struct term_stay *stay);

/* Asks the server for a new room with that preset ("": none), then goes there. */
void term_stay_create_room(struct term_stay *stay, const char *preset, int64_t now);

#endif

/* A room: one flock, the people in it, their cursors made into its targets, and everything that its
 * members are told. A room owns all of these. It reads no clock and knows no sockets: times are
 * handed in, as µs on the server's clock, and messages come out as frames, in two ways only:
 * through its sink, to one member, and in its view, for all. One thread at a time.
 *
 * Who joins becomes a member. A handle names a member for as long as it is one; after that it names
 * nobody, and each call that takes it does nothing. */
#ifndef ROOM_H
#define ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tries.h"
#include "protocol.h"
#include "room/view.h"
#include "scene/cursor.h"
#include "scene/member.h"
#include "sim/flock.h"

#define ROOM_LOBBY    "lobby"
#define ROOM_EASE_MAX 8u

struct room;

/* What snapshots a member is sent from now on: those of stream `stream`; the first one is sequence
 * + 1. */
struct room_grant {
    uint32_t stream, sequence;
    bool joined;                   /* it comes with the welcome; only then the rest is filled in: */
    uint32_t versions[VIEW_PARTS]; /* of the view's parts, as the welcome holds them */
    uint32_t events;               /* the number of the last event before the welcome */
};

/* Why a connection ends: a last frame, which may be NULL, and the close code with its reason, a
 * literal. */
struct room_end {
    struct frame *frame;
    enum proto_close code;
    const char *reason;
    bool crowded; /* the room has as many people as it may */
};

/* Who did what, for the record. No key and no token is ever in it. */
struct room_note {
    enum room_note_type {
        ROOM_NOTE_WRONG_KEY, /* what: "presenter"; to: "refused" if it was one too many */
        ROOM_NOTE_CHANGE,    /* what a presenter does: what, from, to */
    } type;
    room_member member; /* who did it; 0: somebody outside of the room, with its key */
    const char *name;   /* the member's */
    const char *what, *from, *to;
};

/* What a room says to one member, on the thread that called the room, in the order in which the
 * member is to be sent it. The frames belong to the callee. */
struct room_sink {
    /* grant: not NULL with the welcome, and with a `stream` message after which the member is sent
     * another stream, or a keyframe. frame: NULL when memory ran out: the member misses something,
     * and must be closed. */
    void (*tell)(void *argument, room_member member, struct frame *frame,
                 const struct room_grant *grant);
    /* The handle names nobody any more. */
    void (*close)(void *argument, room_member member, const struct room_end *end);
    /* Something for the record; NULL: nobody keeps one. */
    void (*note)(void *argument, const struct room_note *note);
    void *argument;
};

struct boid_budget;
struct history_budget;
struct recording;
struct scene;

struct room_definition {
    uint64_t number; /* goes into its views */
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1];
    uint64_t instance; /* below 2^53: of this run of the server */
    struct flock_definition flock;
    const struct flock_preset *preset; /* the one that the flock was made from, or NULL */
    float params[FLOCK_PARAMS_MAX];    /* the model's, in the order of its table */
    uint32_t tick_rate, snapshot_rate; /* Hz */
    enum cursor_policy policy;
    enum cursor_idle idle;
    uint64_t cursor_timeout; /* µs */
    uint64_t tick_limit;     /* µs that a tick may take, at most: see cost.h; 0: no limit */
    uint32_t people_max;     /* at a time */
    uint32_t people_spare;   /* further ones, while others are on their way out; nobody is told */
    uint32_t boids_max;      /* in this room */
    struct boid_budget *budget;       /* of all rooms; NULL: no limit. Outlives the room */
    char key[PROTO_KEY_MAX + 1];      /* makes whoever has it a presenter; "": there is none */
    bool key_made;                    /* by flockd, and so too long to be guessed */
    bool trusted;                     /* created by whom the server trusts: see place.h */
    char join_key[PROTO_KEY_MAX + 1]; /* lets people in; "": all are let in */
    struct tries *tries;              /* of wrong keys; NULL: no limit. Outlives the room */
    uint64_t rewind;                  /* µs of its past that it keeps; 0: none. See history.h */
    struct history_budget *history_budget; /* NULL: no limit. Outlives the room */
    bool open_controls;                    /* everyone is a presenter */
    uint32_t capability_count;             /* of the server, for the welcome */
    char capabilities[PROTO_CAPABILITIES_MAX][PROTO_WORD_MAX + 1];
};

/* The lobby with the original flock, 30 ticks and snapshots a second, the mean of the cursors, a
 * timeout of ten seconds, one person and no key: nobody becomes a presenter. */
struct room_definition room_definition_default(void);

/* Scratch for the snapshots of one room at a time; whoever ticks rooms has one, and lends it with
 * the engine's to each in its turn. */
struct room_workspace;

/* `threads`: that share a tick of a big flock, the caller among them. NULL when memory or threads
 * run out; destroy takes NULL. */
struct room_workspace *room_workspace_create(uint32_t threads);
void room_workspace_destroy(struct room_workspace *workspace);

/* As flock_workspace_limit() and flock_workspace_stop(). */
void room_workspace_limit(struct room_workspace *workspace, uint64_t time);
void room_workspace_stop(struct room_workspace *workspace);

/* Frees the memory that only flocks of more boids than that need. */
void room_workspace_shrink(struct room_workspace *workspace, uint32_t boids);

/* Returns NULL when memory runs out, the definition is out of range or the budget has not that many
 * boids left; destroy takes NULL, tells nobody, and gives the boids back to the budget. */
struct room *room_create(const struct room_definition *definition, const struct room_sink *sink);
void room_destroy(struct room *room);

/* People beyond people_max who are let in with the room's key. */
#define ROOM_PRESENTERS_MORE 8u

/* Lets in whoever says hello. origin: see tries_origin(). Returns the new member, who is told
 * nothing yet: room_welcome() does. 0: not let in; *refused says why (its frame is the caller's).
 * Whoever comes with the token of a member takes over from it, and that one is closed. */
room_member room_join(struct room *room, const struct proto_hello *hello, uint64_t origin,
                      uint64_t now, struct room_end *refused);

bool room_is_presenter(const struct room *room, room_member member);

/* Why whoever says hello to a room that has just ended is not let in. */
struct room_end room_gone(void);

/* Whoever comes from now on needs that join key; "": none. Those who were in the room do not. */
void room_set_join_key(struct room *room, const char *key);

/* Who a member is; id 0: nobody. The name is the room's, until its next call. */
struct room_person {
    uint32_t id;
    const char *name;
    enum proto_role role;
};
struct room_person room_person(const struct room *room, room_member member);

void room_welcome(struct room *room, room_member member, uint64_t now);
void room_leave(struct room *room, room_member member, uint64_t now);

/* Does what a member's message, of any type but hello and ping, asks for, and answers it. */
void room_receive(struct room *room, room_member member, const struct proto_client_message *message,
                  uint64_t now);

/* The member's line takes less than what it wants: it is granted its want, halved `level` times, 0
 * to ROOM_EASE_MAX. */
void room_ease(struct room *room, room_member member, uint32_t level);

/* Someone in that stream has missed a snapshot of it: a keyframe comes with the next one. */
void room_want_key(struct room *room, uint32_t stream);

/* Tries the room's presenter key; see tries_compare(). */
enum tries_result room_try_key(const struct room *room, const char *key, uint64_t origin,
                               uint64_t now, uint32_t *wait);

/* Does what a presenter's message asks for on behalf of somebody who has the key and is no member.
 * False, and *error says why: it was not done. */
bool room_direct(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error);

/* Tells all presenters that the room drops ticks: so many of the last so many. own: they are too
 * expensive; else the server has too much else to do. */
void room_warn_slow(struct room *room, bool own, uint32_t dropped, uint32_t due);

/* Tells everyone from now on whether the room's state can be kept: `failing` means that it can not,
 * though it should be. No part of the room's state. */
void room_note_store(struct room *room, bool failing);

/* Closes every member. */
void room_end(struct room *room, enum proto_close code, const char *reason);

/* Turns the cursors into the targets and, unless the room is paused or shows its past, moves the
 * flock by one tick. False, with the flock and its remaining steps as they were, if the tick was
 * given up (see room_workspace_limit()). */
bool room_tick(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Whether everybody sees its past. */
bool room_shows_past(const struct room *room);

/* Between ticks: a bounded piece, some milliseconds, of what the room has to make before it can
 * show the moment of its past that is wanted. Whether there is more of it; `now` as of a tick. */
bool room_seek(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Pauses the flock because a tick of it was given up, and tells all presenters so. */
void room_pause_costly(struct room *room);

/* Whether the room_tick() just made is one of those that snapshots are sent of. */
bool room_snapshot_due(const struct room *room);

/* Makes a snapshot of how things are now for each stream that is due, and with it the view,
 * now the caller's to release; NULL when memory runs out. */
struct room_view *room_snapshot(struct room *room, struct room_workspace *workspace, uint64_t now);

/* The past of the room with the names of its people, the caller's to destroy; NULL when there is
 * none, or no memory. */
struct recording *room_hold_past(struct room *room);

/* What others may know of a room. */
struct room_facts {
    const char *title;
    const struct flock_model *model;
    const struct flock_preset *preset; /* NULL: none in force, or one that was saved in the room */
    bool locked;                       /* it has a join key */
    uint32_t people, boids;
    uint64_t ticks;         /* of the flock */
    uint64_t encoded, keys; /* frames of snapshots so far: all, and those that stand alone */
    uint32_t changes;       /* goes up whenever title, model, preset or locked change */
};

struct room_facts room_facts(const struct room *room);

#endif

/* A room: a scene and its audience. It reads no clock and knows no sockets. Callers pass times, µs
 * on the server's clock. Messages leave it as frames in two ways only: through its sink, to one
 * member, and in its view, to all. One thread at a time.
 *
 * A person who joins becomes a member. A handle names a member until the member leaves; calls with
 * an old handle do nothing. */
#ifndef ROOM_H
#define ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/ends.h"
#include "base/tries.h"
#include "protocol.h"
#include "room/view.h"
#include "scene/control.h"
#include "scene/member.h"
#include "sim/flock.h"

#define ROOM_LOBBY        "lobby"
#define ROOM_EASE_MAX     8u
#define ROOM_OVERLOAD_MAX 3u

struct room;

/* The snapshots that a member gets from now on: from `stream`, beginning with sequence + 1. */
struct room_grant {
    uint32_t stream, sequence;
    bool joined;   /* it comes with the welcome; the fields below are filled in only then: */
    uint64_t room; /* the number in the room's definition */
    uint8_t token[PROTO_TOKEN_SIZE]; /* the member's */
    uint32_t versions[VIEW_PARTS];   /* of the view's parts, as the welcome holds them */
    uint32_t events;                 /* the number of the last event before the welcome */
};

/* Why a connection ends, and a last frame (may be NULL). */
struct room_end {
    struct frame *frame;
    enum end_reason why;
};

/* An action for the audit log. It never holds a key or a token. */
struct room_note {
    enum room_note_type {
        ROOM_NOTE_WRONG_KEY, /* `what`: "presenter"; `to`: "refused" after too many */
        ROOM_NOTE_CHANGE,    /* a presenter's change: `what`, `from`, `to` */
    } type;
    room_member member; /* the member who did it; 0: the HTTP API */
    const char *name;   /* the member's */
    const char *what, *from, *to;
};

/* Takes what a room sends to one member, on the thread that called the room, in order. The frames
 * belong to the callee. */
struct room_sink {
    /* grant: not NULL with the welcome, and with a `stream` message after which the member gets
     * another stream or a keyframe. frame: NULL when memory ran out: the member misses a message
     * and must be closed. */
    void (*tell)(void *argument, room_member member, struct frame *frame,
                 const struct room_grant *grant);
    /* The member has been removed from the room. */
    void (*close)(void *argument, room_member member, const struct room_end *end);
    /* An action for the audit log; may be NULL. */
    void (*note)(void *argument, const struct room_note *note);
    void *argument;
};

/* Drops all that a room sends. */
extern const struct room_sink room_sink_none;

struct boid_budget;
struct film;
struct history_budget;
struct earlier_past;
struct recording;
struct scene;

struct room_definition {
    uint64_t number; /* is in its views */
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1];
    uint64_t instance; /* below 2^53: of this run of the server */
    struct flock_definition flock;
    const struct flock_preset *preset; /* the flock was made from it; may be NULL */
    const struct flock_preset *origin; /* the flock has its look; NULL: that of `preset` */
    uint32_t tick_rate, snapshot_rate; /* Hz */
    struct scene_controls controls;    /* see struct scene_definition */
    struct control_chosen chosen;      /* see struct scene_definition */
    uint64_t cursor_timeout;           /* µs */
    uint64_t tick_limit;   /* µs that a tick may take, at most: see cost.h; 0: no limit */
    uint32_t people_max;   /* at a time */
    uint32_t people_spare; /* more people, while displaced clients are still leaving; clients do not
                              see this number */
    uint32_t boids_max;    /* in this room */
    struct boid_budget *budget;       /* of all rooms; NULL: no limit. Outlives the room */
    char key[PROTO_KEY_MAX + 1];      /* the presenter key; "": none */
    bool key_made;                    /* flockd made the key, too long to be guessed */
    bool trusted;                     /* its presenters have reserved slots: see place.h */
    char join_key[PROTO_KEY_MAX + 1]; /* the join key; "": the room is open */
    bool door_closed;                 /* it takes no newcomers without the presenter key */
    struct tries *tries;              /* of wrong keys; NULL: no limit. Outlives the room */
    uint64_t rewind;                  /* µs of its past that it keeps; 0: none. See history.h */
    struct history_budget *history_budget; /* NULL: no limit. Outlives the room */
    bool open_controls;                    /* everyone is a presenter */
    uint32_t capability_count;             /* of the server, for the welcome */
    char capabilities[PROTO_CAPABILITIES_MAX][PROTO_WORD_MAX + 1];
};

/* The part of its definition that a room keeps. Its flock and its scene have the rest. */
struct room_terms {
    uint64_t number, instance;
    char code[PROTO_ROOM_MAX + 1];
    uint32_t lanes;
    uint32_t tick_rate, snapshot_rate;
    uint64_t tick_limit;
    uint32_t people_max, people_spare;
    struct boid_budget *budget;
    char key[PROTO_KEY_MAX + 1], join_key[PROTO_KEY_MAX + 1];
    bool key_replaced;              /* a presenter's key has replaced that of the start, … */
    uint8_t first_key[DIGEST_SIZE]; /* … of which this is the digest */
    bool key_made, trusted, door_closed, open_controls;
    struct tries *tries;
    uint64_t rewind;
    struct history_budget *history_budget;
    uint32_t capability_count;
    char capabilities[PROTO_CAPABILITIES_MAX][PROTO_WORD_MAX + 1];
};

/* Returns the lobby's definition: the original flock, 30 ticks and snapshots a second, the mean of
 * the cursors, a timeout of 10 s, one person, no key. */
struct room_definition room_definition_default(void);

/* Scratch memory for a tick and the snapshots of one room at a time, with the engine's workspace. A
 * thread that ticks rooms has one and lends it to each room. */
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

/* The origin of a room. All zeros: its definition alone. */
struct room_origin {
    const uint8_t *state; /* a saved room (room_state.h); it may be anything. NULL: none */
    size_t size;
    /* The origin is the saved room, which continues: see room_save(). Otherwise a new room without
     * people begins with its scene; keys, open controls, and the title unless it is empty, come
     * from the definition. */
    bool continues;
    bool vacated;      /* with it: its people have lost their connections, and are away */
    bool forced;       /* with it: the total of boids is no limit */
    uint32_t skip_ids; /* with it: the number of ids that people may have got since it was saved */
    struct film *film; /* the recording that it plays; NULL: none. See rewind.h */
    const struct proto_client_message *changes; /* presenters' messages that are then applied */
    uint32_t change_count;
    uint64_t now; /* µs on the server's clock */
};

/* Makes a room. origin, error: may be NULL. Returns NULL, with *error filled, when memory runs out,
 * the definition is out of range, the budget has too few boids, the state is invalid or a change is
 * refused. If a saved room continues without its undo, error->message says why; else it is "" then.
 * Destroying takes NULL, sends nothing, and gives the boids back to the budget. */
struct room *room_create(const struct room_definition *definition, const struct room_sink *sink,
                         const struct room_origin *origin, struct proto_error *error);
void room_destroy(struct room *room);

/* People beyond people_max who may join with the room's key. */
#define ROOM_PRESENTERS_MORE 8u

/* People: an address with a class, or with several, has not more. See displace.h. */
#define ROOM_CLASS 200u

/* Admits the sender of a hello. origin: see tries_origin(). Returns the new member; room_welcome()
 * must be called next. Returns 0 if the person is refused; *refused says why (its frame is the
 * caller's). A hello with the token of a member takes over from that member, whose connection the
 * room closes. */
room_member room_join(struct room *room, const struct proto_hello *hello, uint64_t origin,
                      uint64_t now, struct room_end *refused);

/* As room_join(), for a hello that can wait in line or has done so: see tries.h. A hello whose keys
 * wait in line is refused with END_IN_LINE, without a frame. */
room_member room_join_with_pass(struct room *room, const struct proto_hello *hello, uint64_t origin,
                                struct tries_pass pass, uint64_t now, struct room_end *refused);

bool room_is_presenter(const struct room *room, room_member member);

/* Returns the refusal for a hello to a room that has just ended. */
struct room_end room_gone(void);

/* Sets the join key for people who come later; "": none. Remembered people need none. */
void room_set_join_key(struct room *room, const char *key);

/* A member; id 0: none. The name is valid until the next call of the room. */
struct room_person {
    uint32_t id;
    const char *name;
    enum proto_role role;
};
struct room_person room_person(const struct room *room, room_member member);

/* Returns the members one after the other, from *next = 0 on; 0 after the last. A returned member
 * may leave between two calls. */
room_member room_next_member(const struct room *room, uint32_t *next);

void room_welcome(struct room *room, room_member member, uint64_t now);
void room_leave(struct room *room, room_member member, uint64_t now);

/* Does what a member's message asks for, and answers it. The type must not be hello or ping. */
void room_receive(struct room *room, room_member member, const struct proto_client_message *message,
                  uint64_t now);

/* Grants a member less than it wants: how often its slow line halves it (0 to ROOM_EASE_MAX), and
 * before that the server's overload halves the rate (0 to ROOM_OVERLOAD_MAX). */
struct room_ease {
    uint32_t line, overload;
};
void room_ease(struct room *room, room_member member, const struct room_ease *ease);

/* Makes the stream's next snapshot a keyframe, because a member has missed one. */
void room_want_key(struct room *room, uint32_t stream);

/* Compares a key with the room's presenter key; see tries_compare(). */
enum tries_result room_try_key(const struct room *room, const char *key, uint64_t origin,
                               uint64_t now, uint32_t *wait);

/* Does what a presenter's message asks for, on behalf of the HTTP API. Returns false, with *error
 * filled, if refused. */
bool room_direct(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error);

/* Applies all messages in their order, or none. Returns false, with *error filled and nothing
 * changed, if a message is refused. If memory runs out, it may have applied some. Only the first
 * message may ask for more boids. */
bool room_direct_all(struct room *room, const struct proto_client_message *messages, uint32_t count,
                     uint64_t now, struct proto_error *error);

/* Sends presenters an event: of the last `due` ticks, `dropped` were dropped. own: they are too
 * expensive; else the server has too much other work. */
void room_warn_slow(struct room *room, bool own, uint32_t dropped, uint32_t due);

/* Sets whether saving the room fails at present, which members see. It is no part of a saved room.
 */
void room_note_store(struct room *room, bool failing);

/* Closes every member. */
void room_end(struct room *room, enum end_reason why);

/* Turns the cursors into targets and moves the flock by one tick, unless the flock is paused or the
 * room shows its past. Returns false, with the flock unchanged, if the tick was stopped (see
 * room_workspace_limit()). */
bool room_tick(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Whether members see the past. */
bool room_shows_past(const struct room *room);

/* Between ticks: does a bounded piece, some milliseconds, of the way to a moment of the past.
 * Returns whether there is more to do. */
bool room_seek(struct room *room, struct room_workspace *workspace);

/* Pauses the flock because a tick was stopped after `limit` µs, and sends presenters an event. */
void room_pause_costly(struct room *room, uint64_t limit);

/* Whether snapshots of the last room_tick() are due. */
bool room_snapshot_due(const struct room *room);

/* Makes a snapshot for each stream that is due, and the view of them, which the caller releases;
 * NULL when memory runs out. */
struct room_view *room_snapshot(struct room *room, struct room_workspace *workspace, uint64_t now);

/* Returns the past of the room with the names of its people, which the caller destroys; NULL
 * without a past or memory. */
struct recording *room_hold_past(struct room *room);

/* The same, if the past has grown since the last call, or since the room was restored; otherwise
 * NULL. Also NULL while the room plays a film, which the store has. */
struct recording *room_hold_unsaved_past(struct room *room);

/* Continues the past of a room that was restored; the room must not have ticked yet. The past must
 * have been checked: see saved_past.h. Returns false and fills *error if the past does not fit the
 * room, or if memory runs out: the room then has only some of it. */
bool room_take_past(struct room *room, const struct recording *past, struct proto_error *error);

/* Returns how many boids a past of the room may have; 0: the room keeps no past. */
uint32_t room_past_boids(const struct room *room);

/* Adds the past of a room that came from another hub and may have ticked since: see
 * history_prepend(). The parts that the room does not take stay in `past`. Returns false, with
 * *error filled and nothing changed, if the room takes none. */
bool room_take_earlier_past(struct room *room, struct earlier_past *past,
                            struct proto_error *error);

/* The facts about a room that people outside may know. */
struct room_facts {
    const char *title;
    uint32_t model;  /* index in flock_models */
    uint32_t preset; /* index in flock_presets; FLOCK_PRESET_NONE: none, or one saved in the room */
    bool locked;     /* it has a join key */
    const char *key; /* the presenter key, perhaps concealed; "": none */
    bool key_made;   /* flockd made it */
    uint32_t people, boids;
    uint64_t ticks;         /* of the flock */
    uint64_t encoded, keys; /* snapshots encoded so far, and the keyframes among them */
    uint32_t changes;       /* goes up with each change of title, model, preset, locked or key */
};

struct room_facts room_facts(const struct room *room);

#endif

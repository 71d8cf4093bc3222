/* One person's stay in a room by the protocol flock.v1: the state of the room, the next message to
 * send, and the time of the next connection after one is lost.
 *
 * Knows the protocol but no socket, no terminal and no clock: bytes go in and out, and times come
 * in as arguments, in microseconds. The session queues nothing: it derives the next message from
 * its state when the connection can take one. The owner connects, drops and writes as
 * term_session_tick() asks. One thread. */
#ifndef TERM_SESSION_H
#define TERM_SESSION_H

#include "protocol.h"
#include "term/flock/log.h"
#include "term/flock/people.h"
#include "term/flock/timeline.h"
#include "term/net/changes.h"
#include "term/net/clock.h"
#include "term/net/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_SESSION_REASON_MAX 768u     /* as TEXTS_LINE */
#define TERM_SESSION_IDLE       30000000 /* µs after which a cursor that does not move leaves */

enum term_phase {
    TERM_CONNECTING, /* no connection yet */
    TERM_JOINING,    /* connected, no welcome yet */
    TERM_LIVE,       /* in the room */
    TERM_STRANDED,   /* in the room, but the server cannot reach it */
    TERM_WAITING,    /* the connection was lost; the next try is at retry_at */
    TERM_ENDED,      /* the server said not to come back */
};

enum term_notice {
    TERM_NEWS,    /* something has happened */
    TERM_MISTAKE, /* why a user's key has no effect */
    TERM_ERROR,   /* the server refused a request or made an error */
};

enum term_want {
    TERM_WANT_NOTHING,
    TERM_WANT_WRITE,   /* term_session_next() has something */
    TERM_WANT_CONNECT, /* open a connection */
    TERM_WANT_DROP,    /* the connection is dead: drop it, then call term_session_closed() */
};

/* Readable by all; written by session.c and hear.c alone. */
struct term_session {
    /* For the screen. */
    struct timeline *timeline;
    struct term_clock clock;
    struct term_stream stream;
    enum term_phase phase;
    struct term_people people;            /* as far as the server lists them */
    uint32_t people_count;                /* in the room, listed or not */
    float snapshots_per_second;           /* received */
    int close_code;                       /* of the last connection; 0: none */
    char reason[TERM_SESSION_REASON_MAX]; /* why it ended; UTF-8 from outside; may be "" */
    char notice[TERM_SESSION_REASON_MAX]; /* news or an error; UTF-8 from outside */
    int64_t notice_at;
    struct term_log log; /* the last news */
    int64_t retry_at;
    enum term_notice notice_kind;
    struct proto_welcome welcome;    /* role and room are kept up to date */
    struct proto_past past;          /* of the last past message */
    int64_t past_at;                 /* when it arrived */
    struct proto_things things;      /* food and hunters, of the last things message */
    struct proto_leads leads;        /* of the last leads message */
    int64_t leads_at;                /* when it arrived */
    struct proto_marks marks;        /* of the last marks message */
    struct proto_clusters clusters;  /* of the last clusters message */
    bool clusters_known;             /* there was one */
    bool picks;                      /* the user has a pick, … */
    uint32_t pick;                   /* … or had one, of the boid of this number */
    struct proto_pushes pushes;      /* of the last pushes message */
    struct proto_swept swept;        /* of the last swept message; state "": there was none */
    struct proto_why why;            /* of the last why message about it */
    bool why_known;                  /* there was one */
    char new_key[PROTO_KEY_MAX + 1]; /* the presenter key that this person had made; "": none */
    bool known;                      /* there was a welcome */
    bool alone;                      /* the room is in this process, without other people */
    bool store_failing;              /* as in the last notice to a presenter */
    bool cursor_here;                /* our cursor is in the world */
    float cursor_x, cursor_y;

    /* For session.c and hear.c. */
    bool connect_wanted;
    bool hello_sent;
    bool pong_awaited;
    bool cursor_unsent; /* the cursor has moved or left since the last message */
    struct proto_decoder *decoder;
    struct proto_server_message *message;
    struct proto_hello hello;
    char tried_key[PROTO_KEY_MAX + 1]; /* the presenter key that was sent last; "": none */
    bool key_accepted;                 /* hello.key is new: the owner may remember it */
    struct term_changes changes;
    struct proto_goodbye goodbye; /* the goodbye of this connection; code 0: none */
    uint32_t
        join_wait;     /* s until a locked room's server compares keys again; 0: it compared ours */
    unsigned failures; /* failures in a row */
    int64_t active_at; /* when the last message arrived */
    int64_t live_at;   /* when the welcome arrived */
    int64_t shown_at;  /* when the last snapshot arrived; 0: none since the welcome */
    int64_t cursor_sent_at;
    int64_t cursor_moved_at;
    int64_t ping_sent_at;
    int64_t ping_at; /* when the next ping is due */
    int64_t counted_at;
    uint32_t counted; /* snapshots since counted_at */
    unsigned pings;   /* sent on this connection */
};

/* The session asks for a connection at once. room: its code as people type it; encoding: of the
 * snapshots; a server without it sends plain ones; key: the presenter key, "" for a viewer. Returns
 * NULL if memory runs out; destroy takes NULL. */
struct term_session *term_session_create(const char *room, const char *name, uint32_t rate,
                                         const char *encoding, const char *key);
void term_session_destroy(struct term_session *session);

/* Returns whether the connection has had its welcome. */
static inline bool term_session_joined(const struct term_session *session)
{
    return session->phase == TERM_LIVE || session->phase == TERM_STRANDED;
}

/* Puts that join key into the next hellos; "": none. */
void term_session_unlock(struct term_session *session, const char *key);

/* Asks for the presenter's role with that key. If the server gives it, the next hellos have the
 * key, too. */
void term_session_present(struct term_session *session, const char *key, int64_t now);

/* Returns what the owner must do now. Must be called about 60 times a second. */
enum term_want term_session_tick(struct term_session *session, int64_t now);

/* Another address of the server is tried: the wait for an answer begins again. */
void term_session_trying(struct term_session *session, int64_t now);

/* The connection is open; it has ended or could not be made. code: of the close, 0: none; reason:
 * UTF-8 for people, may be "". Messages between the two calls go to term_hear(). */
void term_session_opened(struct term_session *session, int64_t now);
void term_session_closed(struct term_session *session, int code, const char *reason, int64_t now);

/* Writes the next message into buffer (PROTO_MESSAGE_MAX bytes) and returns its size; 0: none. */
size_t term_session_next(struct term_session *session, uint8_t *buffer, int64_t now);

/* Returns whether our cursor does not count because a presenter has locked viewers' cursors. */
bool term_session_watches(const struct term_session *session);

/* Subscribes to the clusters of the flock, or ends that. May be called at any time. */
void term_session_count(struct term_session *session, bool clusters);

/* Picks a boid to see why it turns; ends that. */
void term_session_pick(struct term_session *session, uint32_t boid, int64_t now);
void term_session_unpick(struct term_session *session, int64_t now);

/* Moves our cursor to the nearest position in the world (world units), unless it is locked; takes
 * it away. */
void term_session_steer(struct term_session *session, float x, float y, int64_t now);
void term_session_leave(struct term_session *session);

/* Shows a notice to the user. */
void term_session_notify(struct term_session *session, int64_t now, enum term_notice kind,
                         const char *notice);

/* Notifies a viewer that only a presenter may do this. */
void term_session_refuse(struct term_session *session, int64_t now);

/* Asks the server for a change, or notifies that too many changes wait. */
void term_session_ask(struct term_session *session, const struct proto_client_message *message,
                      int64_t now);

/* Returns whether snapshots have stopped: none has come for 2 s, or for the time of three of them.
 */
bool term_session_stalled(const struct term_session *session, int64_t now);

/* Returns whether the room has ended for this person, so that a new connection is useless. */
bool term_session_over(const struct term_session *session);

/* Connects again: after TERM_ENDED as a new person, in TERM_WAITING at once. */
void term_session_retry(struct term_session *session);

/* A frame was drawn; after `took` there can be another. */
void term_session_drawn(struct term_session *session, int64_t took);

/* The process was stopped for a while: the silence does not count against the connection. */
void term_session_awake(struct term_session *session, int64_t now);

#endif

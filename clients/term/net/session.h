/* One person's stay in a room, as flock.v1 has it: what has been heard, what is to be said next,
 * and when to come back after a connection is lost.
 *
 * Knows the protocol but no socket, no terminal and no clock: bytes go in and out, and times come
 * in as arguments, in microseconds. Nothing is queued: what is to be said is derived from the state
 * when the connection can take it. The owner connects, drops and writes as term_session_tick()
 * asks. One thread. */
#ifndef TERM_SESSION_H
#define TERM_SESSION_H

#include "protocol.h"
#include "term/flock/people.h"
#include "term/flock/timeline.h"
#include "term/net/changes.h"
#include "term/net/clock.h"
#include "term/net/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_SESSION_REASON_MAX 320u
#define TERM_SESSION_IDLE       30000000 /* µs after which a cursor that does not move leaves */

enum term_phase {
    TERM_CONNECTING, /* no connection yet */
    TERM_JOINING,    /* connected, not yet welcome */
    TERM_LIVE,       /* in the room */
    TERM_WAITING,    /* the connection was lost; the next try is at retry_at */
    TERM_ENDED,      /* the server said not to come back */
};

enum term_notice {
    TERM_NEWS,    /* what has happened */
    TERM_MISTAKE, /* why we did not do what was asked for */
    TERM_ERROR,   /* what the server has refused, or what it has got wrong */
};

enum term_want {
    TERM_WANT_NOTHING,
    TERM_WANT_WRITE,   /* term_session_next() has something */
    TERM_WANT_CONNECT, /* open a connection */
    TERM_WANT_DROP,    /* the connection is dead: close it, then call term_session_closed() */
};

/* Readable by all, written by session.c and hear.c alone; but controls.c and members.c ask for
 * changes. */
struct term_session {
    /* What there is to show. */
    struct timeline *timeline;
    struct term_clock clock;
    struct term_stream stream;
    enum term_phase phase;
    struct term_people people;            /* those who are shown */
    uint32_t people_count;                /* in the room, be they shown or not */
    float snapshots_per_second;           /* received */
    int close_code;                       /* of the last connection; 0: it ended without one */
    char reason[TERM_SESSION_REASON_MAX]; /* why it ended; UTF-8, not to be trusted; "" */
    char notice[TERM_SESSION_REASON_MAX]; /* as the reason: what the server or we have to say */
    int64_t notice_at;
    int64_t retry_at;
    enum term_notice notice_kind;
    struct proto_welcome welcome;    /* its role and its room are kept up to date */
    struct proto_past past;          /* as the server said last, */
    int64_t past_at;                 /* and when */
    char new_key[PROTO_KEY_MAX + 1]; /* the presenter key that we have had made; "": none */
    bool known;                      /* there has been a welcome */
    bool store_failing;              /* as a presenter was last told */
    bool cursor_here;                /* our cursor is in the world */
    float cursor_x, cursor_y;

    /* How it comes about. */
    bool connect_wanted;
    bool hello_sent;
    bool pong_awaited;
    bool cursor_unsent; /* the server does not yet know where the cursor is, or that it is away */
    struct proto_decoder *decoder;
    struct proto_server_message *message;
    struct proto_hello hello;
    struct term_changes changes;
    struct proto_goodbye goodbye; /* of this connection; code 0: none yet */
    uint32_t
        join_wait;     /* s until a locked room's server compares keys again; 0: it compared ours */
    unsigned failures; /* in a row */
    int64_t active_at; /* when the connection last showed life */
    int64_t live_at;   /* when the welcome came */
    int64_t cursor_sent_at;
    int64_t cursor_moved_at;
    int64_t ping_sent_at;
    int64_t ping_at; /* when the next is due */
    int64_t counted_at;
    uint32_t counted; /* snapshots since then */
    unsigned pings;   /* sent on this connection */
};

/* Asks for a connection at once. room: its code as people type it; encoding: of the snapshots,
 * where the server has it, else plain; key: of a presenter, "" for a viewer. NULL when memory runs
 * out; destroy takes NULL. */
struct term_session *term_session_create(const char *room, const char *name, uint32_t rate,
                                         const char *encoding, const char *key);
void term_session_destroy(struct term_session *session);

/* Says hello with that join key of the room from now on; "": none. */
void term_session_unlock(struct term_session *session, const char *key);

/* What the owner is to do now; to be asked some 60 times a second. */
enum term_want term_session_tick(struct term_session *session, int64_t now);

/* The connection is open; it has ended (code 0: without a close code), or could not be made.
 * reason: UTF-8, for people; may be "". What comes in between goes to term_hear(). */
void term_session_opened(struct term_session *session, int64_t now);
void term_session_closed(struct term_session *session, int code, const char *reason, int64_t now);

/* Writes the next message to send into buffer (PROTO_MESSAGE_MAX bytes) and returns its size; 0:
 * none now. */
size_t term_session_next(struct term_session *session, uint8_t *buffer, int64_t now);

/* Whether our cursor counts for nothing, because a presenter has locked viewers' cursors. */
bool term_session_watches(const struct term_session *session);

/* Moves our cursor (world units; taken to the nearest position that the protocol has) unless we
 * only watch, or takes it away. */
void term_session_steer(struct term_session *session, float x, float y, int64_t now);
void term_session_leave(struct term_session *session);

/* Says something to the person in front. */
void term_session_notify(struct term_session *session, int64_t now, enum term_notice kind,
                         const char *notice);

/* Asks the server for a change, or notifies that too many changes wait. */
void term_session_ask(struct term_session *session, const struct proto_client_message *message,
                      int64_t now);

/* Whether the room itself has ended for us: there is nothing to come back to. */
bool term_session_over(const struct term_session *session);

/* Comes back after TERM_ENDED, as somebody new; at once from TERM_WAITING. */
void term_session_retry(struct term_session *session);

/* A frame was drawn, and it took so long until there could be another. */
void term_session_drawn(struct term_session *session, int64_t took);

/* The process has slept (it was stopped): silence so far says nothing about the connection. */
void term_session_awake(struct term_session *session, int64_t now);

#endif

#include "term/net/session.h"

#include "term/flock/schema.h"
#include "term/net/refusal.h"
#include "term/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    CLOSE_FINAL = 3500, /* from this close code on, the client does not come back */
    BACKOFF_DOUBLINGS = 5,
    SNAPSHOTS_MISSED = 3,
};

/* µs */
#define CURSOR_EVERY  16667
#define PING_LOST     5000000
#define SILENCE_MAX   10000000
#define STALLED       2000000
#define EXPLAINED     1000000 /* an error at most this long before a close explains it */
#define STEADY        5000000 /* after a stay this long, earlier failures do not count */
#define COUNT_EVERY   1000000
#define BACKOFF_FIRST 500000
#define BACKOFF_MAX   15000000
#define AFTER_MAX     600000000 /* no server makes a terminal wait longer */

/* Offers an encoding and plain, which every server has. */
static void ask_for_encoding(struct proto_hello *hello, const char *encoding)
{
    static const char plain[] = "plain";
    snprintf(hello->encodings[0], sizeof hello->encodings[0], "%s", encoding);
    hello->encoding_count = 1;
    if (strcmp(encoding, plain) != 0) {
        snprintf(hello->encodings[1], sizeof hello->encodings[1], "%s", plain);
        hello->encoding_count = 2;
    }
}

struct term_session *term_session_create(const char *room, const char *name, uint32_t rate,
                                         const char *encoding, const char *key)
{
    struct term_session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return NULL;
    }
    session->timeline = timeline_create();
    session->decoder = proto_decoder_create();
    session->message = calloc(1, sizeof *session->message);
    if (session->timeline == NULL || session->decoder == NULL || session->message == NULL) {
        term_session_destroy(session);
        return NULL;
    }
    session->hello.version = PROTO_VERSION;
    snprintf(session->hello.room, sizeof session->hello.room, "%s", room);
    snprintf(session->hello.name, sizeof session->hello.name, "%s", name);
    ask_for_encoding(&session->hello, encoding);
    term_stream_init(&session->stream, rate);
    snprintf(session->hello.key, sizeof session->hello.key, "%s", key);
    session->hello.topics = PROTO_TOPIC_LEADS + PROTO_TOPIC_MARKS + PROTO_TOPIC_THINGS +
                            PROTO_TOPIC_PUSHES + PROTO_TOPIC_SWEPT;
    session->connect_wanted = true;
    return session;
}

void term_session_unlock(struct term_session *session, const char *key)
{
    snprintf(session->hello.join, sizeof session->hello.join, "%s", key);
}

void term_session_present(struct term_session *session, const char *key, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_KEY};
    snprintf(session->tried_key, sizeof session->tried_key, "%s", key);
    memcpy(message.key.key, session->tried_key, sizeof message.key.key);
    term_session_ask(session, &message, now);
}

void term_session_destroy(struct term_session *session)
{
    if (session == NULL) {
        return;
    }
    timeline_destroy(session->timeline);
    term_stream_finish(&session->stream);
    proto_decoder_destroy(session->decoder);
    free(session->message);
    free(session);
}

void term_session_notify(struct term_session *session, int64_t now, enum term_notice kind,
                         const char *notice)
{
    snprintf(session->notice, sizeof session->notice, "%s", notice);
    session->notice_at = now;
    session->notice_kind = kind;
}

void term_session_refuse(struct term_session *session, int64_t now)
{
    char notice[TERM_SESSION_REASON_MAX];
    texts_fill(notice, sizeof notice, TEXT_ONLY_PRESENTERS, texts_key(TEXT_DO_KEY));
    term_session_notify(session, now, TERM_MISTAKE, notice);
}

void term_session_ask(struct term_session *session, const struct proto_client_message *message,
                      int64_t now)
{
    if (!term_changes_push(&session->changes, message)) {
        term_session_notify(session, now, TERM_MISTAKE, texts_get(TEXT_TOO_MANY_CHANGES));
    }
}

static bool ping_due(const struct term_session *session, int64_t now)
{
    return term_session_joined(session) && now >= session->ping_at &&
           (!session->pong_awaited || now - session->ping_sent_at > PING_LOST);
}

static bool cursor_due(const struct term_session *session, int64_t now)
{
    return session->phase == TERM_LIVE && session->cursor_unsent &&
           now - session->cursor_sent_at >= CURSOR_EVERY;
}

static bool changes_due(const struct term_session *session, int64_t now)
{
    return session->phase == TERM_LIVE && term_changes_due(&session->changes, now);
}

static bool want_due(const struct term_session *session, int64_t now)
{
    return session->phase == TERM_LIVE && term_stream_due(&session->stream, now);
}

enum term_want term_session_tick(struct term_session *session, int64_t now)
{
    if (session->cursor_here && now - session->cursor_moved_at > TERM_SESSION_IDLE) {
        term_session_leave(session);
    }
    if (now - session->counted_at >= COUNT_EVERY) {
        session->snapshots_per_second =
            (float)session->counted * 1e6F / (float)(now - session->counted_at);
        session->counted = 0;
        session->counted_at = now;
    }
    if (session->phase == TERM_WAITING && now >= session->retry_at) {
        session->phase = TERM_CONNECTING;
        session->connect_wanted = true;
    }
    if (session->connect_wanted) {
        session->connect_wanted = false;
        session->active_at = now;
        return TERM_WANT_CONNECT;
    }
    if (session->phase == TERM_WAITING || session->phase == TERM_ENDED) {
        return TERM_WANT_NOTHING;
    }
    if (now - session->active_at > SILENCE_MAX) {
        return TERM_WANT_DROP;
    }
    term_changes_settle(&session->changes, &session->welcome.room, &session->people, now);
    term_stream_tick(&session->stream, now);
    bool hello = session->phase == TERM_JOINING && !session->hello_sent;
    return hello || changes_due(session, now) || want_due(session, now) ||
                   cursor_due(session, now) || ping_due(session, now)
               ? TERM_WANT_WRITE
               : TERM_WANT_NOTHING;
}

void term_session_trying(struct term_session *session, int64_t now)
{
    session->active_at = now;
}

void term_session_opened(struct term_session *session, int64_t now)
{
    session->phase = TERM_JOINING;
    session->active_at = now;
    session->hello_sent = false;
    session->pings = 0;
    session->pong_awaited = false;
    session->ping_at = now;
    session->goodbye = (struct proto_goodbye){0};
    session->join_wait = 0;
    struct proto_want want = term_pace_want(&session->stream.pace);
    session->hello.rate = want.rate;
    session->hello.boids = want.boids;
    term_stream_open(&session->stream);
    term_clock_init(&session->clock);
}

/* Returns a pause, µs: doubles with each failure, times a random factor from 0.5 to 1. */
static int64_t backoff_pause(unsigned failures)
{
    unsigned doublings = failures < BACKOFF_DOUBLINGS ? failures : BACKOFF_DOUBLINGS;
    int64_t pause = (int64_t)BACKOFF_FIRST << doublings;
    pause = pause < BACKOFF_MAX ? pause : BACKOFF_MAX;
    uint32_t random = UINT32_MAX;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        random = UINT32_MAX;
    }
    return pause / 2 + (pause / 2) * (int64_t)(random >> 1) / INT32_MAX;
}

/* Returns the pause before the next connection, µs: as the server asked, or one that grows. */
static int64_t pause_after(const struct term_session *session)
{
    int64_t after = (int64_t)session->goodbye.after * 1000;
    if (!session->goodbye.has_after) {
        return backoff_pause(session->failures);
    }
    return after < AFTER_MAX ? after : AFTER_MAX;
}

void term_session_closed(struct term_session *session, int code, const char *reason, int64_t now)
{
    if (term_session_joined(session) && now - session->live_at > STEADY) {
        session->failures = 0;
    }
    /* A goodbye may arrive although the close behind it is lost. */
    session->close_code = code != 0 ? code : (int)session->goodbye.code;
    session->changes = (struct term_changes){0};
    /* An error right before the close says more than the reason. */
    bool explained = session->notice[0] != '\0' && session->notice_kind == TERM_ERROR &&
                     now - session->notice_at < EXPLAINED;
    reason = refusal_of_close(session->close_code, reason);
    snprintf(session->reason, sizeof session->reason, "%s", reason);
    if (explained && *reason != '\0') {
        texts_append(session->reason, sizeof session->reason, TEXT_PAIR, session->notice);
    } else if (explained) {
        memcpy(session->reason, session->notice, sizeof session->reason);
    }
    session->phase = session->close_code >= CLOSE_FINAL ? TERM_ENDED : TERM_WAITING;
    session->retry_at = now + pause_after(session);
    session->goodbye = (struct proto_goodbye){0};
    session->failures++;
}

bool term_session_stalled(const struct term_session *session, int64_t now)
{
    float rate = session->stream.pace.granted.rate;
    float wait = rate > 0 ? SNAPSHOTS_MISSED * 1e6F / rate : 0;
    return session->phase == TERM_LIVE && session->shown_at > 0 &&
           now - session->shown_at > (wait > STALLED ? (int64_t)wait : STALLED);
}

bool term_session_over(const struct term_session *session)
{
    return session->phase == TERM_ENDED &&
           (session->close_code == PROTO_CLOSE_ROOM || session->close_code == PROTO_CLOSE_ENDED ||
            session->close_code == PROTO_CLOSE_REMOVED || session->close_code == PROTO_CLOSE_DOOR);
}

/* Returns the message about our cursor: its position, or that it is away. */
static struct proto_client_message next_cursor(struct term_session *session, int64_t now)
{
    session->cursor_unsent = false;
    session->cursor_sent_at = now;
    if (!session->cursor_here) {
        return (struct proto_client_message){.type = PROTO_AWAY};
    }
    return (struct proto_client_message){.type = PROTO_CURSOR,
                                         .cursor = {session->cursor_x, session->cursor_y}};
}

static struct proto_client_message next_ping(struct term_session *session, int64_t now)
{
    session->pings++;
    session->ping_sent_at = now;
    session->pong_awaited = true;
    return (struct proto_client_message){.type = PROTO_PING, .ping = {(uint64_t)now}};
}

static bool has_topics(const struct term_session *session)
{
    const struct proto_welcome *welcome = &session->welcome;
    for (uint32_t i = 0; i < welcome->capability_count; i++) {
        if (strcmp(welcome->capabilities[i], "topics") == 0) {
            return true;
        }
    }
    return false;
}

void term_session_count(struct term_session *session, bool clusters)
{
    uint32_t others = session->hello.topics & ~PROTO_TOPIC_CLUSTERS;
    uint32_t topics = clusters ? others | PROTO_TOPIC_CLUSTERS : others;
    if (topics == session->hello.topics) {
        return;
    }
    session->hello.topics = topics;
    session->clusters_known = false;
    term_stream_ask(&session->stream);
}

/* Subscribes to the explanations of the pick, or ends that. */
static void subscribe_to_why(struct term_session *session, bool is)
{
    uint32_t others = session->hello.topics & ~PROTO_TOPIC_WHY;
    session->hello.topics = is ? others | PROTO_TOPIC_WHY : others;
    term_stream_ask(&session->stream);
}

void term_session_pick(struct term_session *session, uint32_t boid, int64_t now)
{
    const struct proto_client_message message = {.type = PROTO_PICK, .pick = {.boid = boid}};
    if (!session->picks) {
        subscribe_to_why(session, true);
    }
    session->picks = true;
    session->pick = boid;
    session->why_known = false;
    term_session_ask(session, &message, now);
}

void term_session_unpick(struct term_session *session, int64_t now)
{
    const struct proto_client_message message = {.type = PROTO_UNPICK};
    session->picks = false;
    session->why_known = false;
    subscribe_to_why(session, false);
    term_session_ask(session, &message, now);
}

size_t term_session_next(struct term_session *session, uint8_t *buffer, int64_t now)
{
    struct proto_client_message message = {0};
    if (session->phase == TERM_JOINING && !session->hello_sent) {
        session->hello_sent = true;
        message.type = PROTO_HELLO;
        message.hello = session->hello;
    } else if (changes_due(session, now)) {
        return term_changes_next(&session->changes, buffer, now);
    } else if (want_due(session, now)) {
        message.type = PROTO_WANT;
        message.want = term_stream_next(&session->stream, now);
        message.want.has_topics = has_topics(session);
        message.want.topics = session->hello.topics;
        message.has_tag = message.want.has_topics; /* topics need a tag; all wants have 0 */
    } else if (cursor_due(session, now)) {
        message = next_cursor(session, now);
    } else if (ping_due(session, now)) {
        message = next_ping(session, now);
    } else {
        return 0;
    }
    return proto_encode_client(buffer, PROTO_MESSAGE_MAX, &message);
}

/* Returns the nearest coordinate in a world with that side. */
static float clamp_coordinate(float value, float side)
{
    value = value > 0.0F ? value : 0.0F; /* NaN too */
    return value < side ? value : side;
}

bool term_session_watches(const struct term_session *session)
{
    return session->known && session->welcome.role != PROTO_PRESENTER &&
           strcmp(schema_value(&session->welcome.room, "viewers"), "watch") == 0;
}

void term_session_steer(struct term_session *session, float x, float y, int64_t now)
{
    if (!session->known || term_session_watches(session)) {
        return;
    }
    const struct proto_room *room = &session->welcome.room;
    session->cursor_here = true;
    session->cursor_x = clamp_coordinate(x, room->width);
    session->cursor_y = clamp_coordinate(y, room->height);
    session->cursor_moved_at = now;
    session->cursor_unsent = true;
}

void term_session_leave(struct term_session *session)
{
    if (session->cursor_here) {
        session->cursor_here = false;
        session->cursor_unsent = true;
    }
}

void term_session_retry(struct term_session *session)
{
    if (session->phase == TERM_ENDED) {
        session->hello.has_token = false;
        session->failures = 0;
    }
    if (session->phase == TERM_ENDED || session->phase == TERM_WAITING) {
        session->phase = TERM_CONNECTING;
        session->connect_wanted = true;
    }
}

void term_session_drawn(struct term_session *session, int64_t took)
{
    term_pace_frame(&session->stream.pace, took);
}

void term_session_awake(struct term_session *session, int64_t now)
{
    session->active_at = now;
    session->shown_at = session->shown_at > 0 ? now : 0;
    term_pace_awake(&session->stream.pace);
}

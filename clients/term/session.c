#include "session.h"

#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    PINGS_FIRST = 5,    /* in quick succession, so that the clock is known soon */
    CLOSE_FINAL = 3500, /* from this close code on, coming back is pointless */
    POSITION_MAX = 32767,
    BACKOFF_DOUBLINGS = 5,
};

/* µs */
#define CURSOR_EVERY  16667
#define PING_FIRST    200000
#define PING_EVERY    2000000
#define PING_LOST     5000000
#define SILENCE_MAX   10000000
#define EXPLAINED     1000000 /* an error this long before a close has to do with it */
#define STEADY        5000000 /* a stay this long makes earlier failures forgotten */
#define COUNT_EVERY   1000000
#define BACKOFF_FIRST 500000
#define BACKOFF_MAX   15000000

/* Asks for an encoding and, since every server has that, for plain. */
static void ask_for(struct proto_hello *hello, const char *encoding)
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
    ask_for(&session->hello, encoding);
    term_stream_init(&session->stream, rate);
    snprintf(session->key.key, sizeof session->key.key, "%s", key);
    session->connect_wanted = true;
    return session;
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

static void malformed(struct term_session *session, int64_t now, const char *what)
{
    char notice[TERM_SESSION_REASON_MAX];
    snprintf(notice, sizeof notice, "malformed message from the server: %s", what);
    term_session_notify(session, now, TERM_ERROR, notice);
}

static bool ping_due(const struct term_session *session, int64_t now)
{
    return session->phase == TERM_LIVE && now >= session->ping_at &&
           (!session->pong_awaited || now - session->ping_sent_at > PING_LOST);
}

static bool cursor_due(const struct term_session *session, int64_t now)
{
    return session->phase == TERM_LIVE && session->cursor_unsent &&
           now - session->cursor_sent_at >= CURSOR_EVERY;
}

static bool key_due(const struct term_session *session)
{
    return session->phase == TERM_LIVE && session->key_unsent;
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
    term_changes_settle(&session->changes, &session->welcome.room, now);
    term_stream_tick(&session->stream, now);
    bool hello = session->phase == TERM_JOINING && !session->hello_sent;
    return hello || key_due(session) || changes_due(session, now) || want_due(session, now) ||
                   cursor_due(session, now) || ping_due(session, now)
               ? TERM_WANT_WRITE
               : TERM_WANT_NOTHING;
}

void term_session_opened(struct term_session *session, int64_t now)
{
    session->phase = TERM_JOINING;
    session->active_at = now;
    session->hello_sent = false;
    session->pings = 0;
    session->pong_awaited = false;
    session->ping_at = now;
    session->hello.rate = term_pace_want(&session->stream.pace).rate;
    term_stream_open(&session->stream);
    term_clock_init(&session->clock);
}

static void set_space(struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    struct timeline_space space = {
        .width = room->width,
        .height = room->height,
        .quantum = room->quantum,
        .wrap = strcmp(room->boundary, "wrap") == 0,
    };
    timeline_reset(session->timeline, &space);
}

static void take_welcome(struct term_session *session, int64_t now)
{
    session->welcome = session->message->welcome;
    session->known = true;
    session->phase = TERM_LIVE;
    session->live_at = now;
    session->hello.has_token = true;
    memcpy(session->hello.token, session->welcome.token, sizeof session->hello.token);
    session->cursor_unsent = session->cursor_here;
    session->presence.count = 0;
    session->notice[0] = '\0';
    session->key_unsent = session->key.key[0] != '\0' && session->welcome.role != PROTO_PRESENTER;
    term_stream_join(&session->stream, &session->welcome);
    set_space(session);
}

/* What everyone is told of, when a presenter changes it. */
static void announce(struct term_session *session, const struct proto_room *room, int64_t now)
{
    static const char *const names[] = {"preset", "model"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct proto_control *control = schema_control(room, names[i]);
        const struct proto_choice *choice =
            control != NULL ? schema_choice(control, control->value) : NULL;
        if (choice != NULL &&
            strcmp(choice->value, schema_value(&session->welcome.room, names[i])) != 0) {
            char notice[TERM_SESSION_REASON_MAX];
            snprintf(notice, sizeof notice, "%s %s: %s", names[i], choice->value, choice->text);
            term_session_notify(session, now, TERM_NEWS, notice);
            return;
        }
    }
}

static void take_room(struct term_session *session, int64_t now)
{
    const struct proto_room *room = &session->message->room;
    const struct proto_room *old = &session->welcome.room;
    bool moved = room->width != old->width || room->height != old->height ||
                 room->quantum != old->quantum || strcmp(room->boundary, old->boundary) != 0;
    announce(session, room, now);
    session->welcome.room = *room;
    if (moved) {
        set_space(session);
    }
}

static void take_params(struct term_session *session, int64_t now)
{
    const struct proto_params *params = &session->message->params;
    struct proto_room *room = &session->welcome.room;
    (void)now;
    for (uint32_t i = 0; i < params->count && i < room->param_count; i++) {
        room->params[i].value = params->values[i];
    }
}

static void take_presence(struct term_session *session, int64_t now)
{
    (void)now;
    session->presence = session->message->presence;
}

static void take_snapshot(struct term_session *session, int64_t now)
{
    struct proto_snapshot *snapshot = &session->message->snapshot;
    const uint8_t *headings = NULL;
    enum packed_result result = term_stream_take(&session->stream, snapshot, &headings, now);
    session->people = snapshot->people;
    if (result == PACKED_LOST) {
        return; /* a keyframe is asked for */
    }
    if (result == PACKED_MALFORMED) {
        malformed(session, now, "boids: expected packed ones");
        return;
    }
    session->counted++;
    if (result != PACKED_OK || !timeline_push(session->timeline, snapshot, headings, now)) {
        term_session_notify(session, now, TERM_ERROR, "a snapshot could not be kept");
    }
}

static void take_stream(struct term_session *session, int64_t now)
{
    (void)now;
    term_stream_answered(&session->stream, &session->message->stream);
}

static void take_pong(struct term_session *session, int64_t now)
{
    const struct proto_pong *pong = &session->message->pong;
    if (!session->pong_awaited || pong->t != (uint64_t)session->ping_sent_at ||
        pong->time > INT64_MAX / 4) {
        return;
    }
    term_clock_add(&session->clock, session->ping_sent_at, now, (int64_t)pong->time);
    session->ping_at =
        session->ping_sent_at + (session->pings < PINGS_FIRST ? PING_FIRST : PING_EVERY);
    session->pong_awaited = false;
}

static void take_error(struct term_session *session, int64_t now)
{
    const struct proto_error *error = &session->message->error;
    bool key = strcmp(error->code, proto_code_name(PROTO_E_KEY)) == 0;
    const char *said = error->message[0] != '\0' ? error->message : error->code;
    term_session_notify(session, now, TERM_ERROR,
                        key ? "the key was refused: you are a viewer" : said);
    term_changes_refused(&session->changes);
}

static void take_role(struct term_session *session, int64_t now)
{
    session->welcome.role = session->message->role;
    term_session_notify(session, now, TERM_NEWS,
                        session->welcome.role == PROTO_PRESENTER
                            ? "you are a presenter: p opens the controls"
                            : "you are a viewer");
}

void term_session_received(struct term_session *session, const uint8_t *data, size_t size,
                           int64_t now)
{
    static const struct {
        uint32_t type;
        void (*take)(struct term_session *session, int64_t now);
    } takers[] = {
        {PROTO_SNAPSHOT, take_snapshot}, {PROTO_PACKED, take_snapshot}, {PROTO_PONG, take_pong},
        {PROTO_PRESENCE, take_presence}, {PROTO_PARAMS, take_params},   {PROTO_ROOM, take_room},
        {PROTO_ERROR, take_error},       {PROTO_WELCOME, take_welcome}, {PROTO_ROLE, take_role},
        {PROTO_STREAM, take_stream},
    };
    struct proto_error error = {0};
    session->active_at = now;
    if (proto_decode_server(session->decoder, data, size, session->message, &error) != PROTO_OK) {
        malformed(session, now, error.message);
        return;
    }
    uint32_t type = session->message->type;
    if (session->phase != TERM_LIVE && type != PROTO_WELCOME && type != PROTO_ERROR) {
        return;
    }
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++) {
        if (takers[i].type == type) {
            takers[i].take(session, now);
        }
    }
}

/* A pause in µs: doubles with each failure, times a random factor between a half and one. */
static int64_t backoff(unsigned failures)
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

void term_session_closed(struct term_session *session, int code, const char *reason, int64_t now)
{
    if (session->phase == TERM_LIVE && now - session->live_at > STEADY) {
        session->failures = 0;
    }
    session->close_code = code;
    session->changes = (struct term_changes){0};
    /* An error that came right before says more than the reason. */
    bool explained = session->notice[0] != '\0' && session->notice_kind == TERM_ERROR &&
                     now - session->notice_at < EXPLAINED;
    snprintf(session->reason, sizeof session->reason, "%.100s%s%.200s", reason,
             explained && *reason != '\0' ? ": " : "", explained ? session->notice : "");
    session->phase = code >= CLOSE_FINAL ? TERM_ENDED : TERM_WAITING;
    session->retry_at = now + backoff(session->failures++);
}

size_t term_session_next(struct term_session *session, uint8_t *buffer, int64_t now)
{
    if (session->phase == TERM_JOINING && !session->hello_sent) {
        session->hello_sent = true;
        return proto_encode_hello(buffer, PROTO_MESSAGE_MAX, &session->hello);
    }
    if (key_due(session)) {
        session->key_unsent = false;
        return proto_encode_key(buffer, PROTO_MESSAGE_MAX, &session->key);
    }
    if (changes_due(session, now)) {
        return term_changes_next(&session->changes, buffer, now);
    }
    if (want_due(session, now)) {
        return term_stream_next(&session->stream, buffer, now);
    }
    if (cursor_due(session, now)) {
        struct proto_cursor cursor = {session->cursor_x, session->cursor_y};
        session->cursor_unsent = false;
        session->cursor_sent_at = now;
        return session->cursor_here ? proto_encode_cursor(buffer, PROTO_MESSAGE_MAX, &cursor)
                                    : proto_encode_away(buffer, PROTO_MESSAGE_MAX);
    }
    if (ping_due(session, now)) {
        struct proto_ping ping = {(uint64_t)now};
        session->pings++;
        session->ping_sent_at = now;
        session->pong_awaited = true;
        return proto_encode_ping(buffer, PROTO_MESSAGE_MAX, &ping);
    }
    return 0;
}

/* The nearest coordinate that a position can have, on a side of that length. */
static float clamp(float value, float side, float quantum)
{
    float low = proto_dequantise(-POSITION_MAX, side, quantum);
    float high = proto_dequantise(POSITION_MAX, side, quantum);
    value = value > low ? value : low; /* NaN too */
    return value < high ? value : high;
}

void term_session_steer(struct term_session *session, float x, float y, int64_t now)
{
    if (!session->known) {
        return;
    }
    const struct proto_room *room = &session->welcome.room;
    session->cursor_here = true;
    session->cursor_x = clamp(x, room->width, room->quantum);
    session->cursor_y = clamp(y, room->height, room->quantum);
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
    term_pace_awake(&session->stream.pace);
}

#include "term/net/hear.h"

#include "term/flock/news.h"
#include "term/net/refusal.h"
#include "term/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PING_EVERY 2000000 /* µs, after the first pings */

static void notify_malformed(struct term_session *session, int64_t now, const char *what)
{
    char notice[TERM_SESSION_REASON_MAX];
    texts_fill(notice, sizeof notice, TEXT_MALFORMED, what);
    term_session_notify(session, now, TERM_ERROR, notice);
}

static void set_space(struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    struct timeline_space space = {
        .width = room->width,
        .height = room->height,
        .quantum = room->quantum,
        .period = {(int32_t)room->period_x, (int32_t)room->period_y},
    };
    timeline_reset(session->timeline, &space);
}

/* Forgets the samples of the server's clock, and pings again. */
static void start_clock(struct term_session *session, int64_t now)
{
    term_clock_init(&session->clock);
    session->pings = 0;
    session->pong_awaited = false;
    session->ping_at = now;
}

/* Withdraws our cursor if a presenter has locked it or the world has become too small for it. The
 * server has done the same. */
static void follow_room(struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;

    if (term_session_watches(session) || session->cursor_x > room->width ||
        session->cursor_y > room->height) {
        term_session_leave(session);
    }
}

/* Shows news and keeps them in the list. */
static void tell_news(struct term_session *session, int64_t now, const char *notice)
{
    term_session_notify(session, now, TERM_NEWS, notice);
    term_log_add(&session->log, notice, now);
}

static void tell_role(struct term_session *session, int64_t now)
{
    char notice[TERM_SESSION_REASON_MAX];
    bool presenter = session->welcome.role == PROTO_PRESENTER;
    if (session->alone) {
        texts_fill(notice, sizeof notice, TEXT_DEMO_BEGINS, texts_key(TEXT_DO_PRESET_NEXT),
                   texts_key(TEXT_DO_PANEL));
    } else {
        texts_fill(notice, sizeof notice, presenter ? TEXT_NEWS_PRESENTER : TEXT_NEWS_VIEWER,
                   texts_key(TEXT_DO_PANEL));
    }
    tell_news(session, now, notice);
}

/* Notifies a presenter when the server begins or ceases to fail at saving the room. */
static void tell_store(struct term_session *session, int64_t now)
{
    bool failing = session->welcome.room.store_failing && session->welcome.role == PROTO_PRESENTER;
    char notice[TERM_SESSION_REASON_MAX];
    if (failing != session->store_failing && session->welcome.role == PROTO_PRESENTER) {
        texts_fill(notice, sizeof notice, failing ? TEXT_BOTH : TEXT_NEWS_SAVED_AGAIN,
                   texts_get(TEXT_NEWS_UNSAVED), texts_get(TEXT_NEWS_UNSAVED_MORE));
        term_session_notify(session, now, failing ? TERM_ERROR : TERM_NEWS, notice);
        term_log_add(&session->log, notice, now);
    }
    session->store_failing = failing;
}

/* Another welcome on the same connection: the server, or another server of its cluster, begins
 * again and has forgotten what was asked. */
static void begin_again(struct term_session *session, int64_t now)
{
    session->changes = (struct term_changes){0};
    start_clock(session, now);
    term_stream_ask(&session->stream); /* the hello that was repeated may have older wishes */
}

/* Notifies the user that another server continues the room: its past begins again. */
static void tell_moved(struct term_session *session, int64_t now)
{
    char notice[TERM_SESSION_REASON_MAX];
    texts_fill(notice, sizeof notice, TEXT_BOTH, texts_get(TEXT_NEWS_MOVED),
               texts_get(TEXT_NEWS_MOVED_MORE));
    term_session_notify(session, now, TERM_NEWS, notice);
}

static void take_welcome(struct term_session *session, int64_t now)
{
    bool presented = session->known && session->welcome.role == PROTO_PRESENTER;
    bool again = term_session_joined(session);
    bool moved = again && session->welcome.room.instance != session->message->welcome.room.instance;
    session->welcome = session->message->welcome;
    session->known = true;
    session->phase = TERM_LIVE;
    session->live_at = now;
    session->shown_at = 0;
    session->hello.has_token = true;
    memcpy(session->hello.token, session->welcome.token, sizeof session->hello.token);
    session->notice[0] = '\0';
    if (again) {
        begin_again(session, now);
    }
    session->past.shown = false; /* unless a past message follows */
    session->things.food_count = session->things.hunter_count = 0;
    session->leads = (struct proto_leads){0};
    session->marks.count = 0;
    session->clusters_known = false;
    session->why_known = false;
    session->pushes.rule_count = 0;
    session->swept.state[0] = '\0';
    if (session->picks) { /* the new connection has no pick yet */
        term_session_pick(session, session->pick, now);
    }
    term_people_join(&session->people, &session->welcome);
    term_stream_join(&session->stream, &session->welcome);
    session->cursor_unsent = session->cursor_here;
    set_space(session);
    timeline_follow(session->timeline, session->stream.pace.granted.rate);
    follow_room(session);
    if (session->welcome.role == PROTO_PRESENTER && !presented) {
        tell_role(session, now);
    }
    tell_store(session, now);
    if (moved) {
        tell_moved(session, now);
    }
}

static void take_reach(struct term_session *session, int64_t now)
{
    bool there = session->message->reach.there;
    (void)now;
    if (there && session->phase == TERM_STRANDED) {
        /* Requests that were on their way had no answer. */
        term_changes_lose(&session->changes);
        term_pace_answered(&session->stream.pace);
        term_stream_ask(&session->stream);
    }
    session->phase = there ? TERM_LIVE : TERM_STRANDED;
}

static void take_room(struct term_session *session, int64_t now)
{
    const struct proto_room *room = &session->message->room;
    const struct proto_room *old = &session->welcome.room;
    bool restarted = room->instance != old->instance;
    bool moved = restarted || room->width != old->width || room->height != old->height ||
                 room->quantum != old->quantum || room->period_x != old->period_x ||
                 room->period_y != old->period_y;
    session->welcome.room = *room;
    if (restarted) {
        start_clock(session, now);
    }
    if (moved) {
        set_space(session);
    }
    follow_room(session);
    tell_store(session, now);
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
    term_people_take(&session->people, &session->message->presence);
}

static void take_self(struct term_session *session, int64_t now)
{
    (void)now;
    term_people_take_self(&session->people, &session->message->self);
}

static void take_snapshot(struct term_session *session, int64_t now)
{
    struct proto_snapshot *snapshot = &session->message->snapshot;
    const uint8_t *headings = NULL;
    enum packed_result result = term_stream_take(&session->stream, snapshot, &headings);
    session->people_count = snapshot->people;
    session->shown_at = now;
    if (result == PACKED_LOST) {
        return; /* the stream asks for a keyframe */
    }
    if (result == PACKED_MALFORMED) {
        notify_malformed(session, now, "boids: expected packed boids");
        return;
    }
    session->counted++;
    if (result != PACKED_OK || !timeline_push(session->timeline, snapshot,
                                              session->stream.pace.granted.stride, headings, now)) {
        term_session_notify(session, now, TERM_ERROR, texts_get(TEXT_SNAPSHOT_DROPPED));
    }
}

static void take_stream(struct term_session *session, int64_t now)
{
    (void)now;
    term_pace_granted(&session->stream.pace, &session->message->stream);
    timeline_follow(session->timeline, session->stream.pace.granted.rate);
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
        session->ping_sent_at + (session->pings < TERM_CLOCK_FIRST ? TERM_CLOCK_GAP : PING_EVERY);
    session->pong_awaited = false;
}

/* The key that was tried is right: the next connection uses it, too. */
static void accept_key(struct term_session *session)
{
    if (session->tried_key[0] != '\0') {
        memcpy(session->hello.key, session->tried_key, sizeof session->hello.key);
        session->tried_key[0] = '\0';
        session->key_accepted = true;
    }
}

static void take_done(struct term_session *session, int64_t now)
{
    const struct proto_done *done = &session->message->done;
    if (done->type == PROTO_KEY) {
        accept_key(session);
    }
    if (done->type == PROTO_WANT) {
        term_pace_answered(&session->stream.pace);
    } else {
        term_changes_done(&session->changes, done, now);
    }
}

/* The server has refused the presenter key in the hello, but let us in. */
static void tell_key_refused(struct term_session *session, int64_t now)
{
    const struct proto_error *error = &session->message->error;
    char notice[TERM_SESSION_REASON_MAX];
    bool flood = error->code == PROTO_E_FLOOD;
    texts_fill(notice, sizeof notice, flood ? TEXT_WRONG_KEYS : TEXT_KEY_REFUSED,
               texts_plain(error->after).digits);
    if (session->welcome.role != PROTO_PRESENTER) {
        texts_append(notice, sizeof notice, flood ? TEXT_BOTH : TEXT_PAIR,
                     texts_get(TEXT_NEWS_VIEWER));
    }
    term_session_notify(session, now, TERM_ERROR, notice);
}

static void take_error(struct term_session *session, int64_t now)
{
    const struct proto_error *error = &session->message->error;
    char said[TERM_SESSION_REASON_MAX];
    if (error->type == PROTO_HELLO && error->code == PROTO_E_JOIN) {
        session->join_wait = error->after;
    }
    if (error->type == PROTO_HELLO && !error->fatal &&
        (error->code == PROTO_E_KEY || error->code == PROTO_E_FLOOD)) {
        tell_key_refused(session, now);
        return;
    }
    if (error->type == PROTO_KEY) {
        session->tried_key[0] = '\0';
    }
    if (error->type == PROTO_WANT) {
        term_pace_answered(&session->stream.pace);
    } else {
        term_changes_refused(&session->changes, error);
    }
    refusal_text(said, sizeof said, error);
    term_session_notify(session, now, TERM_ERROR, said);
}

static void take_role(struct term_session *session, int64_t now)
{
    session->welcome.role = session->message->role;
    term_people_appoint(&session->people, session->welcome.role);
    if (session->welcome.role != PROTO_PRESENTER) {
        session->new_key[0] = '\0';
    }
    tell_role(session, now);
    tell_store(session, now);
    follow_room(session);
}

/* Keeps an event in the list of news, also one's own. */
static void keep_event(struct term_session *session, int64_t now)
{
    struct proto_event event = session->message->event;
    char title[TERM_SESSION_REASON_MAX] = "";
    bool joins = term_log_joins(&session->log, &event, now);
    news_title(title, sizeof title, &event, &session->welcome.room, &session->people);
    term_log_event(&session->log, &event, joins, title, now);
}

static void take_event(struct term_session *session, int64_t now)
{
    const struct proto_event *event = &session->message->event;
    char notice[TERM_SESSION_REASON_MAX];
    if (strcmp(event->name, "rename") == 0 &&
        strtoul(event->what, NULL, 10) == session->welcome.id) {
        /* The next connection uses that name, too. */
        memcpy(session->welcome.name, event->to, sizeof session->welcome.name);
        memcpy(session->hello.name, event->to, sizeof session->hello.name);
    }
    keep_event(session, now);
    if (news_of_event(notice, sizeof notice, &session->message->event, &session->welcome.room,
                      &session->people)) {
        term_session_notify(session, now, TERM_NEWS, notice);
    }
}

/* The next connection uses the new key, too. */
static void take_new_key(struct term_session *session, int64_t now)
{
    const char *key = session->message->new_key.key;
    snprintf(session->new_key, sizeof session->new_key, "%s", key);
    snprintf(session->hello.key, sizeof session->hello.key, "%s", key);
    session->key_accepted = true;
    tell_news(session, now, texts_get(TEXT_NEWS_NEW_KEY));
}

static void take_past(struct term_session *session, int64_t now)
{
    session->past = session->message->past;
    term_people_then(&session->people, session->message->then.people, session->message->then.count);
    session->past_at = now;
}

static void take_things(struct term_session *session, int64_t now)
{
    (void)now;
    session->things = session->message->things;
}

static void take_leads(struct term_session *session, int64_t now)
{
    session->leads = session->message->leads;
    session->leads_at = now;
}

static void take_marks(struct term_session *session, int64_t now)
{
    (void)now;
    session->marks = session->message->marks;
}

static void take_clusters(struct term_session *session, int64_t now)
{
    (void)now;
    session->clusters = session->message->clusters;
    session->clusters_known = true;
}

/* The server has ended a pick. While the last pick has no answer, that was an earlier one. */
static void end_pick(struct term_session *session)
{
    if (!term_changes_has_pick(&session->changes)) {
        session->picks = false;
        session->why_known = false;
    }
}

static void take_why(struct term_session *session, int64_t now)
{
    const struct proto_why *why = &session->message->why;
    (void)now;
    if (!why->has_boid && !why->shown) {
        end_pick(session);
    } else if (session->picks && !why->shown && why->boid == session->pick) {
        session->why = *why;
        session->why_known = true;
    }
}

static void take_pushes(struct term_session *session, int64_t now)
{
    (void)now;
    session->pushes = session->message->pushes;
}

static void take_swept(struct term_session *session, int64_t now)
{
    (void)now;
    session->swept = session->message->swept;
}

static void take_goodbye(struct term_session *session, int64_t now)
{
    (void)now;
    session->goodbye = session->message->goodbye;
}

void term_hear(struct term_session *session, const uint8_t *data, size_t size, int64_t now)
{
    static const struct {
        uint32_t type;
        void (*take)(struct term_session *session, int64_t now);
    } takers[] = {
        {PROTO_SNAPSHOT, take_snapshot}, {PROTO_PACKED, take_snapshot},
        {PROTO_PONG, take_pong},         {PROTO_PRESENCE, take_presence},
        {PROTO_PARAMS, take_params},     {PROTO_ROOM, take_room},
        {PROTO_STREAM, take_stream},     {PROTO_DONE, take_done},
        {PROTO_ERROR, take_error},       {PROTO_EVENT, take_event},
        {PROTO_ROLE, take_role},         {PROTO_NEW_KEY, take_new_key},
        {PROTO_WELCOME, take_welcome},   {PROTO_GOODBYE, take_goodbye},
        {PROTO_PAST, take_past},         {PROTO_SELF, take_self},
        {PROTO_LEADS, take_leads},       {PROTO_MARKS, take_marks},
        {PROTO_CLUSTERS, take_clusters}, {PROTO_THINGS, take_things},
        {PROTO_WHY, take_why},           {PROTO_PUSHES, take_pushes},
        {PROTO_SWEPT, take_swept},       {PROTO_REACH, take_reach},
    };
    struct proto_error error = {0};
    session->active_at = now;
    if (proto_decode_server(session->decoder, data, size, session->message, &error) != PROTO_OK) {
        notify_malformed(session, now, error.message);
        return;
    }
    uint32_t type = session->message->type;
    bool early = type == PROTO_WELCOME || type == PROTO_ERROR || type == PROTO_GOODBYE;
    if (!term_session_joined(session) && !early) {
        return;
    }
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++) {
        if (takers[i].type == type) {
            takers[i].take(session, now);
        }
    }
}

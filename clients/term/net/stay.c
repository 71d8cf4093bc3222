#include "term/net/stay.h"

#include "term/net/hear.h"
#include "term/net/refusal.h"
#include "term/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t now_us(void)
{
    return (int64_t)(uv_hrtime() / 1000);
}

/* ---- the connection ---- */

/* The session has messages. */
static void wake_connection(struct term_stay *stay, int64_t now)
{
    if (stay->local != NULL) {
        term_local_wake(stay->local, now);
    } else {
        term_client_wake(stay->client);
    }
}

static void open_connection(struct term_stay *stay, int64_t now)
{
    if (stay->local != NULL) {
        term_local_connect(stay->local, now);
    } else {
        term_client_connect(stay->client);
    }
}

static void drop_connection(struct term_stay *stay, int64_t now)
{
    if (stay->local != NULL) {
        term_local_drop(stay->local, now);
    } else {
        term_client_drop(stay->client);
    }
}

static void on_opened(void *owner)
{
    struct term_stay *stay = owner;
    int64_t now = now_us();
    term_session_opened(stay->session, now);
    wake_connection(stay, now);
    stay->changed = true;
}

static void on_received(void *owner, const uint8_t *data, size_t size)
{
    struct term_stay *stay = owner;
    term_hear(stay->session, data, size, now_us());
}

static void on_closed(void *owner, int code, const char *reason)
{
    struct term_stay *stay = owner;
    term_session_closed(stay->session, code, reason, now_us());
    stay->changed = true;
}

static void on_trying(void *owner)
{
    struct term_stay *stay = owner;
    term_session_trying(stay->session, now_us());
}

static size_t on_next(void *owner, uint8_t *buffer)
{
    struct term_stay *stay = owner;
    return term_session_next(stay->session, buffer, now_us());
}

static struct term_client_events events_of(struct term_stay *stay)
{
    return (struct term_client_events){
        stay, on_opened, on_received, on_closed, on_next, on_trying,
    };
}

/* Points the client at the target's server. Returns false if memory runs out. */
static bool aim_client(struct term_stay *stay)
{
    const struct term_client_events events = events_of(stay);
    struct term_client **client = &stay->clients[stay->target.url.tls ? 1 : 0];
    if (stay->client != NULL) {
        term_client_drop(stay->client);
    }
    if (*client == NULL) {
        *client =
            term_client_create(stay->loop, &stay->target.url, &stay->definition.trust, &events);
    }
    stay->client = *client;
    return *client != NULL && term_client_aim(*client, stay->target.room);
}

static struct term_session *make_session(const struct term_stay *stay)
{
    const struct term_stay_definition *definition = &stay->definition;
    const struct term_target *target = &stay->target;
    struct term_session *session = term_session_create(
        target->room, definition->name, definition->rate, definition->encoding, target->key);
    if (session != NULL) {
        term_session_unlock(session, target->join_key);
        session->alone = definition->demo;
    }
    return session;
}

/* Makes the room of a demo, or the client that reaches the server. */
static bool make_connection(struct term_stay *stay)
{
    if (!stay->definition.demo) {
        return aim_client(stay);
    }
    const struct term_client_events events = events_of(stay);
    stay->local = term_local_create(&events, now_us());
    return stay->local != NULL;
}

struct term_stay *term_stay_create(uv_loop_t *loop, const struct term_stay_definition *definition)
{
    struct term_stay *stay = calloc(1, sizeof *stay);
    if (stay == NULL) {
        return NULL;
    }
    stay->definition = *definition;
    stay->loop = loop;
    stay->target = *definition->target;
    if (definition->remembers) {
        term_history_open(&stay->history);
    }
    stay->session = make_session(stay);
    if (stay->session == NULL || !make_connection(stay)) {
        term_session_destroy(stay->session);
        free(stay); /* the process ends, and with it a client that could not be aimed */
        return NULL;
    }
    return stay;
}

static void drop_requests(struct term_stay *stay)
{
    term_request_drop(stay->listing_request);
    term_request_drop(stay->creation_request);
    stay->listing_request = stay->creation_request = NULL;
}

bool term_stay_destroy(struct term_stay *stay)
{
    if (stay == NULL) {
        return true;
    }
    drop_requests(stay);
    term_client_leave(stay->clients[0]);
    term_client_leave(stay->clients[1]);
    if (!term_client_destroy(stay->clients[0]) || !term_client_destroy(stay->clients[1])) {
        return false;
    }
    term_local_destroy(stay->local);
    term_session_destroy(stay->session);
    free(stay);
    return true;
}

/* ---- the history ---- */

/* Remembers the room with the keys that the server has accepted. */
static void note_room(struct term_stay *stay)
{
    const struct term_session *session = stay->session;
    struct term_target here = stay->target;
    if (stay->noted || session->phase != TERM_LIVE || !stay->definition.remembers) {
        return;
    }
    stay->noted = true;
    memcpy(here.room, session->welcome.room.code, sizeof here.room);
    memcpy(here.join_key, session->hello.join, sizeof here.join_key);
    if (session->welcome.role == PROTO_PRESENTER) {
        memcpy(here.key, session->hello.key, sizeof here.key);
    } else {
        here.key[0] = '\0';
    }
    term_history_visit(&stay->history, &here, session->welcome.room.title);
}

/* Lets the connection do what is due. */
static void tick_connection(struct term_stay *stay, int64_t now)
{
    if (stay->local != NULL) {
        term_local_tick(stay->local, now);
    } else {
        term_client_tick(stay->client);
    }
}

void term_stay_tick(struct term_stay *stay, int64_t now)
{
    switch (term_session_tick(stay->session, now)) {
    case TERM_WANT_CONNECT:
        open_connection(stay, now);
        stay->changed = true;
        break;
    case TERM_WANT_DROP:
        drop_connection(stay, now);
        term_session_closed(stay->session, 0, texts_get(TEXT_NO_ANSWER), now);
        break;
    case TERM_WANT_WRITE:
        wake_connection(stay, now);
        break;
    case TERM_WANT_NOTHING:
        break;
    }
    tick_connection(stay, now);
    if (stay->session->key_accepted) {
        stay->session->key_accepted = false;
        stay->noted = false; /* again, with the key */
    }
    note_room(stay);
}

bool term_stay_over(const struct term_stay *stay)
{
    return stay->moves == 0 && term_session_over(stay->session);
}

/* ---- other rooms ---- */

/* Replaces the session by one in the room of the target. */
static void move_to(struct term_stay *stay, const struct term_target *target, int64_t now)
{
    struct term_target before = stay->target;
    stay->target = *target;
    struct term_session *session = make_session(stay);
    if (session == NULL) {
        stay->target = before;
        term_session_notify(stay->session, now, TERM_ERROR, texts_get(TEXT_OUT_OF_MEMORY));
        return;
    }
    drop_requests(stay);
    term_session_destroy(stay->session);
    stay->session = session;
    stay->listing.known = false;
    stay->moves++;
    stay->changed = true;
    stay->noted = false;
    if (!aim_client(stay)) {
        term_session_closed(session, 0, texts_get(TEXT_NO_CONNECTION), now);
    }
}

void term_stay_go(struct term_stay *stay, const char *text, int64_t now)
{
    static const char lobby[] = "lobby";
    char notice[TERM_SESSION_REASON_MAX];
    struct term_target target = stay->target;
    target.room[0] = target.key[0] = target.join_key[0] = '\0';
    if (stay->local != NULL) {
        return;
    }
    const char *expected = term_target_parse(&target, text);
    if (expected != NULL) {
        if (texts_language() == TEXTS_EN) {
            texts_fill(notice, sizeof notice, TEXT_NO_ROOM, expected);
        } else {
            snprintf(notice, sizeof notice, "%s", texts_get(TEXT_FIND_NO_ROOM));
        }
        term_session_notify(stay->session, now, TERM_MISTAKE, notice);
        return;
    }
    if (target.room[0] == '\0') {
        memcpy(target.room, lobby, sizeof lobby);
    }
    move_to(stay, &target, now);
}

static void on_listed(void *owner, const struct term_request_answer *answer)
{
    struct term_stay *stay = owner;
    if (answer->status == 200) {
        term_listing_read(&stay->listing, answer->body);
    }
    term_request_drop(stay->listing_request);
    stay->listing_request = NULL;
    stay->changed = true;
}

void term_stay_list(struct term_stay *stay)
{
    const struct term_request_events events = {stay, on_listed};
    if (stay->listing_request == NULL && stay->local == NULL) {
        stay->listing_request = term_client_request(stay->client, "api/rooms", NULL, &events);
    }
}

/* Says why there is no new room. */
static void tell_refusal(struct term_stay *stay, const struct term_request_answer *answer)
{
    char said[200] = "";
    char words[TERM_SESSION_REASON_MAX];
    char notice[TERM_SESSION_REASON_MAX];
    bool silent = answer->status == 0 || !term_listing_refusal(answer->body, said, sizeof said);
    refusal_of_room(words, sizeof words, silent ? 0 : answer->status, answer->wait, said);
    texts_fill(notice, sizeof notice, TEXT_NO_NEW_ROOM, words);
    term_session_notify(stay->session, now_us(), TERM_ERROR, notice);
}

static void on_created(void *owner, const struct term_request_answer *answer)
{
    struct term_stay *stay = owner;
    struct term_target target = stay->target;
    bool made = answer->status == 201 && term_listing_made(answer->body, target.room, target.key);
    if (!made) {
        tell_refusal(stay, answer);
    }
    term_request_drop(stay->creation_request);
    stay->creation_request = NULL;
    stay->changed = true;
    if (made) {
        target.join_key[0] = '\0';
        move_to(stay, &target, now_us());
    }
}

void term_stay_create_room(struct term_stay *stay, const char *preset, int64_t now)
{
    const struct term_request_events events = {stay, on_created};
    char body[TERM_REQUEST_BODY_MAX];
    if (stay->creation_request != NULL || stay->local != NULL) {
        return; /* one is on its way, or there is no server */
    }
    term_listing_ask(body, sizeof body, preset);
    stay->creation_request = term_client_request(stay->client, "api/rooms", body, &events);
    if (stay->creation_request == NULL) {
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_NO_NEW_ROOM, texts_get(TEXT_NO_LINE));
        term_session_notify(stay->session, now, TERM_ERROR, notice);
    }
}

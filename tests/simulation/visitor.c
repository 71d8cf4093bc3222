#include "visitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "packed.h"
#include "room/view.h"
#include "threads.h"
#include "witness.h"

#define TITLE_TIME (400 * MS) /* between two titles of a presenter, on average */
#define TITLES     256u

struct visitor {
    char code[PROTO_ROOM_MAX + 1], key[PROTO_KEY_MAX + 1];
    struct hub *hub; /* NULL: it is away */
    struct link *link;
    uint64_t session;
    bool welcomed, has_token, presents, packed;
    uint8_t token[PROTO_TOKEN_SIZE];
    uint64_t room, instance;
    uint32_t stream, sequence; /* the last that was shown */
    bool shows;                /* something was shown since the welcome */
    uint64_t epoch;            /* the highest that its node has shown it */
    uint64_t seen_at, act_at;  /* ns */
    uint32_t title;            /* the last that was asked for */
    struct packed_decoder *decoder;
};

static struct proto_decoder *messages;
static struct proto_server_message *message;
static uint64_t sessions, pictures;

uint64_t visitor_pictures(void)
{
    return pictures;
}

uint64_t visitor_seen_at(const struct visitor *visitor)
{
    return visitor->seen_at;
}

bool visitor_is_away(const struct visitor *visitor)
{
    return visitor->hub == NULL;
}

bool visitor_is_at(const struct visitor *visitor, const struct hub *hub)
{
    return visitor != NULL && visitor->hub == hub && hub != NULL;
}

const char *visitor_code(const struct visitor *visitor)
{
    return visitor->code;
}

/* ---- coming and going ---- */

void visitor_come(struct visitor *visitor, struct hub *hub)
{
    struct proto_hello hello = {.version = PROTO_VERSION, .encoding_count = 1};
    const struct link_request request = {
        .session = ++sessions, .address = "192.0.2.1", .hello = &hello};

    visitor->packed = chance(600);
    (void)snprintf(hello.room, sizeof hello.room, "%s", visitor->code);
    (void)snprintf(hello.encodings[0], sizeof hello.encodings[0], "%s",
                   visitor->packed ? "packed" : PROTO_PLAIN);
    (void)snprintf(hello.key, sizeof hello.key, "%s", visitor->key);
    hello.has_token = visitor->has_token;
    memcpy(hello.token, visitor->token, sizeof hello.token);
    visitor->link = link_join(hub_links(hub, 0), &request);
    if (visitor->link != NULL) {
        visitor->hub = hub;
        visitor->session = request.session;
        visitor->welcomed = visitor->presents = false;
        visitor->epoch = 0; /* a node that is cut off may show an earlier one than other nodes */
    }
}

void visitor_go(struct visitor *visitor)
{
    if (visitor != NULL && visitor->hub != NULL) {
        link_leave(visitor->link, END_NONE);
        visitor->hub = NULL;
        visitor->link = NULL;
    }
}

/* ---- messages ---- */

static void decode(const uint8_t *bytes, size_t size)
{
    struct proto_error error;

    check(proto_decode_server(messages, bytes, size, message, &error) == PROTO_OK,
          "a message cannot be understood: %s", error.message);
}

static void on_welcome(struct visitor *visitor)
{
    const struct proto_welcome *welcome = &message->welcome;

    check(strcmp(welcome->room.code, visitor->code) == 0, "a visitor of %s is let in to %s",
          visitor->code, welcome->room.code);
    visitor->welcomed = visitor->has_token = true;
    visitor->presents = welcome->role == PROTO_PRESENTER;
    memcpy(visitor->token, welcome->token, sizeof visitor->token);
    visitor->instance = welcome->room.instance;
    visitor->shows = false;
    packed_decoder_destroy(visitor->decoder);
    visitor->decoder = packed_decoder_create();
    check(visitor->decoder != NULL, "out of memory");
}

static void on_told(struct visitor *visitor, const struct hub_reply *reply)
{
    if (reply->granted) {
        visitor->stream = reply->grant.stream.stream;
        visitor->room = reply->grant.stream.joined ? reply->grant.stream.room : visitor->room;
    }
    decode(frame_data(reply->frame), reply->frame->size);
    if (message->type == PROTO_WELCOME) {
        on_welcome(visitor);
    } else if (message->type == PROTO_DONE && message->done.type == PROTO_TITLE) {
        witness_title(visitor->code, message->done.tag, visitor->shows ? visitor->epoch : 0);
    }
}

bool visitor_take_reply(struct visitor *visitor, const struct hub *hub,
                        const struct hub_reply *reply)
{
    if (!visitor_is_at(visitor, hub) || visitor->session != reply->session) {
        return false;
    }
    if (reply->type == HUB_TOLD) {
        on_told(visitor, reply);
    } else if (reply->type == HUB_CLOSED) {
        visitor_go(visitor);
    }
    return true;
}

/* ---- pictures ---- */

/* Shows a frame. Returns false if the picture needs a keyframe. */
static bool show(struct visitor *visitor, struct frame *frame, uint32_t sequence)
{
    const struct proto_snapshot *snapshot = &message->snapshot;
    struct picture picture = {.code = visitor->code};
    uint64_t epoch;

    decode(frame_data(frame), frame->size);
    picture.count = snapshot->boid_count;
    picture.positions = snapshot->boids;
    if (snapshot->packed) {
        if (packed_decode(visitor->decoder, snapshot->boids, snapshot->packed_size) != PACKED_OK) {
            return false;
        }
        picture.count = packed_count(visitor->decoder);
        picture.positions = packed_positions(visitor->decoder);
    }
    epoch = witness_picture(&picture, visitor->instance, snapshot->tick);
    check(epoch >= visitor->epoch, "a visitor sees epoch %ju of %s after %ju", (uintmax_t)epoch,
          visitor->code, (uintmax_t)visitor->epoch);
    visitor->epoch = epoch;
    visitor->sequence = sequence;
    visitor->shows = true;
    visitor->seen_at = threads_now();
    pictures++;
    return true;
}

/* Shows the deltas behind the last picture. Returns false if a delta is missing from the view. */
static bool show_deltas(struct visitor *visitor, const struct view_stream *stream)
{
    const uint32_t missed = stream->sequence - visitor->sequence;

    if (!visitor->shows || missed > VIEW_DELTAS) {
        return false;
    }
    for (uint32_t sequence = visitor->sequence + 1; sequence != stream->sequence + 1; sequence++) {
        struct frame *delta = stream->deltas[sequence % VIEW_DELTAS];
        if (delta == NULL || !show(visitor, delta, sequence)) {
            return false;
        }
    }
    return true;
}

void visitor_take_view(struct visitor *visitor, const struct hub *hub, const struct room_view *view)
{
    const struct view_stream *stream =
        visitor_is_at(visitor, hub) && visitor->welcomed && view->room == visitor->room
            ? view_stream(view, visitor->stream)
            : NULL;

    if (stream == NULL || (visitor->shows && stream->sequence == visitor->sequence) ||
        show_deltas(visitor, stream)) {
        return;
    }
    if (stream->key != NULL && (!visitor->shows || stream->key_sequence != visitor->sequence) &&
        show(visitor, stream->key, stream->key_sequence)) {
        (void)show_deltas(visitor, stream);
    } else {
        (void)link_want_key(visitor->link, visitor->stream);
    }
}

/* ---- acting ---- */

static void give_title(struct visitor *visitor)
{
    struct proto_client_message title = {.type = PROTO_TITLE, .has_tag = true};

    title.tag = ++visitor->title;
    (void)snprintf(title.title.title, sizeof title.title.title, "%u", visitor->title);
    (void)link_send(visitor->link, &title);
}

void visitor_act(struct visitor *visitor)
{
    struct proto_client_message cursor = {.type = PROTO_CURSOR};

    if (visitor->hub == NULL || !visitor->welcomed || threads_now() < visitor->act_at) {
        return;
    }
    visitor->act_at = threads_now() + chance_time(TITLE_TIME);
    cursor.cursor.x = (float)chance_below(500);
    cursor.cursor.y = (float)chance_below(400);
    (void)link_send(visitor->link, &cursor);
    if (visitor->presents && visitor->title < TITLES - 1) {
        give_title(visitor);
    }
}

/* ---- life ---- */

struct visitor *visitor_create(const char *code, const char *key)
{
    struct visitor *visitor = calloc(1, sizeof *visitor);

    if (messages == NULL) { /* for all lives */
        messages = proto_decoder_create();
        message = malloc(sizeof *message);
    }
    check(visitor != NULL && messages != NULL && message != NULL, "out of memory");
    (void)snprintf(visitor->code, sizeof visitor->code, "%s", code);
    (void)snprintf(visitor->key, sizeof visitor->key, "%s", key);
    return visitor;
}

void visitor_destroy(struct visitor *visitor)
{
    if (visitor != NULL) {
        packed_decoder_destroy(visitor->decoder);
        free(visitor);
    }
}

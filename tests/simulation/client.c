#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "packed.h"
#include "scene/control.h"
#include "shard.h"
#include "threads.h"

#define ASKED_MAX    64u
#define ACT_TIME     (300 * MS) /* between two actions of a client, on average */
#define AWAY_TIME    (2 * S)    /* until it comes back, on average */
#define NOTICE_TIME  (15 * S)   /* until the server sees that a client has vanished, at most */
#define STALL_TIME   (4 * S)    /* for which a client does not read, on average */
#define SETTLE_TIME  (20 * S)   /* after a stall; then messages are at most OLD_TIME old */
#define SILENT_TIME  (8 * S)    /* within which a client that reads gets a snapshot */
#define REMOVED_TIME (590 * S)  /* for which the server must refuse a removed person */
#define PACKED_SHARE 800u       /* of clients that ask for packed snapshots, in a thousand */
#define KEY_SHARE    300u

struct asked {
    uint32_t type, tag;
};

struct client {
    uint32_t number;
    struct session *session;
    struct way in, out; /* in: from the server; out: to the server */
    uint64_t come_at;   /* ns: when the client joins again, while it is away */
    uint64_t act_at;    /* ns: when the client acts next, while it is in a room */
    uint64_t
        noticed_at; /* ns: when the server notices that the client vanished; 0: it did not vanish */
    struct place place;
    bool welcomed;
    bool has_token, process_is_new;
    bool has_key; /* its hello shows the room's key */
    uint8_t token[PROTO_TOKEN_SIZE];
    uint32_t id;
    uint64_t removed_at; /* ns: when a presenter removed the client; 0: never */
    struct proto_want want;
    bool subscribed; /* to the topic leads, at some time in this connection */
    uint32_t tag, presence;
    uint32_t asked_first, asked_count;
    struct asked asked[ASKED_MAX];
    uint32_t stride;
    uint64_t latest;    /* µs: the newest snapshot's time */
    uint64_t seen_at;   /* ns: when the last snapshot came */
    uint64_t steady_at; /* ns: since when the connection has had no stall */
    bool lost;          /* the client needs a keyframe */
    bool store_failing; /* the server's last report */
    struct proto_decoder *decoder;
    struct packed_decoder *packed;
    struct proto_server_message *message;
};

static uint64_t snapshots;

uint64_t client_snapshots(void)
{
    return snapshots;
}

/* ---- messages to the server ---- */

static void say(struct client *client, struct proto_client_message *message)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];

    if (proto_answered(message->type)) {
        if (client->asked_count == ASKED_MAX) {
            return;
        }
        message->has_tag = true;
        message->tag = client->tag++;
        client->asked[(client->asked_first + client->asked_count++) % ASKED_MAX] =
            (struct asked){message->type, message->tag};
    }
    way_put(&client->out, PACKET_MESSAGE, 0, bytes,
            proto_encode_client(bytes, sizeof bytes, message));
}

static void say_hello(struct client *client)
{
    struct proto_client_message message = {.type = PROTO_HELLO,
                                           .hello = {.version = PROTO_VERSION}};
    struct proto_hello *hello = &message.hello;

    snprintf(hello->room, sizeof hello->room, "%s", client->place.code);
    snprintf(hello->name, sizeof hello->name, "%s %u", client->place.code, client->number);
    hello->encoding_count = 1;
    snprintf(hello->encodings[0], sizeof hello->encodings[0], "%s",
             chance(PACKED_SHARE) ? "packed" : PROTO_PLAIN);
    hello->has_token = client->has_token;
    memcpy(hello->token, client->token, sizeof hello->token);
    client->has_key = chance(KEY_SHARE) && client->place.key[0] != '\0';
    if (client->has_key) {
        snprintf(hello->key, sizeof hello->key, "%s", client->place.key);
    }
    hello->topics = chance(300) ? PROTO_TOPIC_LEADS : 0;
    client->subscribed = hello->topics > 0;
    say(client, &message);
}

/* Chooses a control and a choice for it at random. */
static void choose_set(struct proto_set *set)
{
    static const char *const controls[] = {"preset",  "model", "boundary", "policy", "cursors",
                                           "viewers", "idle",  "run",      "teams",  "turn"};
    const char *control = controls[chance_below(sizeof controls / sizeof controls[0])];
    size_t count = 0;

    while (control_choice(control, count) != NULL) {
        count++;
    }
    snprintf(set->name, sizeof set->name, "%s", control);
    if (strcmp(control, "preset") == 0 && chance(300)) { /* a preset that a client may have saved */
        snprintf(set->value, sizeof set->value, "preset %u", (unsigned)chance_below(3));
        return;
    }
    snprintf(set->value, sizeof set->value, "%s", control_choice(control, chance_below(count)));
}

static void choose_param(struct proto_param *param)
{
    static const char *const names[] = {"inertia", "max_speed", "seek_weight", "flee_distance"};

    snprintf(param->name, sizeof param->name, "%s", names[chance_below(4)]);
    param->value = (float)(1 + chance_below(10));
}

/* Sends one of the requests of presenters. The server refuses it if the client is a viewer. */
static void direct(struct client *client)
{
    static const enum proto_type types[] = {
        PROTO_SET,  PROTO_SET,   PROTO_PARAM, PROTO_PARAM,   PROTO_ADD,  PROTO_REMOVE, PROTO_RESET,
        PROTO_STEP, PROTO_TITLE, PROTO_EXPEL, PROTO_APPOINT, PROTO_SAVE, PROTO_FORGET, PROTO_SKIP};
    struct proto_client_message message = {.type =
                                               types[chance_below(sizeof types / sizeof types[0])]};

    switch (message.type) {
    case PROTO_SET:
        choose_set(&message.set);
        break;
    case PROTO_PARAM:
        choose_param(&message.param);
        break;
    case PROTO_SAVE:
    case PROTO_FORGET:
        snprintf(message.save.name, sizeof message.save.name, "preset %u",
                 (unsigned)chance_below(3));
        break;
    case PROTO_ADD:
        message.add = (struct proto_add){100.0f, 100.0f, 1 + (uint32_t)chance_below(30)};
        break;
    case PROTO_REMOVE:
        message.remove.count = 1 + (uint32_t)chance_below(30);
        break;
    case PROTO_TITLE:
        snprintf(message.title.title, sizeof message.title.title, "Class %u", client->tag);
        break;
    case PROTO_EXPEL:
        message.expel.id = 1 + (uint32_t)chance_below(20);
        break;
    case PROTO_APPOINT:
        message.appoint.id = 1 + (uint32_t)chance_below(20);
        message.appoint.role = chance(500) ? PROTO_PRESENTER : PROTO_VIEWER;
        break;
    default:
        break;
    }
    say(client, &message);
}

static void steer(struct client *client)
{
    struct proto_client_message message = {.type = PROTO_CURSOR};

    message.cursor.x = (float)chance_below(500);
    message.cursor.y = (float)chance_below(400);
    say(client, &message);
}

static void ask_for_less(struct client *client)
{
    struct proto_client_message message = {.type = PROTO_WANT};

    client->want.rate = chance(500) ? 0 : (uint32_t)chance_below(30);
    client->want.boids = chance(500) ? 0 : (uint32_t)chance_below(100);
    client->want.has_topics = chance(500);
    client->want.topics = chance(500) ? PROTO_TOPIC_LEADS : 0;
    client->subscribed |= client->want.has_topics && client->want.topics > 0;
    message.want = client->want;
    say(client, &message);
}

static void choose_team(struct client *client)
{
    say(client, &(struct proto_client_message){
                    .type = PROTO_TEAM, .team = {1 + (uint32_t)chance_below(PROTO_TEAMS_MAX)}});
}

/* ---- the connection ---- */

/* Ends the client's side of the connection. The server notices this at once or after up to
 * NOTICE_TIME. */
static void vanish(struct client *client, bool noticed)
{
    client->welcomed = false;
    client->come_at = threads_now() + chance_time(AWAY_TIME);
    client->noticed_at = threads_now() + (noticed ? 1 : chance_below(NOTICE_TIME));
}

/* Ends the server's side of the connection. */
static void forget(struct client *client)
{
    if (client->session != NULL) {
        session_gone(client->session);
    }
    client->session = NULL;
    client->noticed_at = 0;
    way_clear(&client->in);
    way_clear(&client->out);
}

static void come(struct client *client, const struct place *place)
{
    static const uint64_t rates[] = {8000, 16000, 100000, 1000000, 10000000};
    static const size_t capacities[] = {16384, 65536, 262144};
    uint64_t latency = chance_time(40 * MS);
    uint64_t rate = rates[chance_below(5)];

    if (strcmp(place->code, client->place.code) != 0) {
        client->has_token = false;
        client->removed_at = 0;
    }
    client->place = *place;
    client->in =
        (struct way){.latency = latency, .rate = rate, .capacity = capacities[chance_below(3)]};
    client->out = (struct way){.latency = latency, .rate = rate, .capacity = 65536};
    client->presence = 0;
    client->asked_count = 0;
    client->latest = 0;
    client->lost = false;
    client->want = (struct proto_want){0};
    client->seen_at = client->steady_at = threads_now();
    packed_decoder_destroy(client->packed);
    client->packed = packed_decoder_create();
    check(client->packed != NULL, "out of memory");
    client->session = session_open(&client->out, &client->in);
    client->act_at = threads_now() + chance_time(ACT_TIME);
    say_hello(client);
}

static void act(struct client *client)
{
    uint64_t what = chance_below(1000);

    client->act_at = threads_now() + chance_time(ACT_TIME);
    if (what < 600) {
        steer(client);
    } else if (what < 640) {
        say(client, &(struct proto_client_message){.type = PROTO_AWAY});
    } else if (what < 680) {
        say(client, &(struct proto_client_message){.type = PROTO_PING, .ping.t = what});
    } else if (what < 720) {
        ask_for_less(client);
    } else if (what < 740) {
        choose_team(client);
    } else if (what < 880) {
        direct(client);
    } else if (what < 900 && threads_now() >= client->steady_at) {
        uint64_t until = threads_now() + chance_time(STALL_TIME);
        way_stall(&client->in, until);
        client->steady_at = client->seen_at = until;
    } else if (what < 908) {
        way_put(&client->out, PACKET_CLOSE, 0, NULL, 0);
        vanish(client, false);
    } else if (what < 912) {
        vanish(client, chance(500));
    }
}

/* ---- messages from the server ---- */

static void on_welcome(struct client *client)
{
    const struct proto_welcome *welcome = &client->message->welcome;
    bool removed = client->removed_at != 0 && threads_now() <= client->removed_at + REMOVED_TIME;

    check(!client->welcomed || (check_moved() > 0 && threads_now() < check_moved() + SETTLE_TIME),
          "a client is welcomed twice, and no room has moved");
    check(strcmp(welcome->room.code, client->place.code) == 0, "a client of %s is let in to %s",
          client->place.code, welcome->room.code);
    check(!removed || client->has_key, "a removed person is let in without the key");
    /* With the key, a removed person is a new one, also if its line was cut before it knew. */
    check(!client->has_token || client->process_is_new || client->has_key ||
              welcome->id == client->id,
          "a person who comes back as %u is %u now", client->id, welcome->id);
    client->removed_at = 0; /* it is a new person */
    client->welcomed = client->has_token = true;
    client->process_is_new = false;
    client->id = welcome->id;
    client->stride = welcome->stream.stride;
    client->store_failing = welcome->room.store_failing;
    memcpy(client->token, welcome->token, sizeof client->token);
    client->presence = 0;
}

static void on_presence(struct client *client)
{
    const struct proto_presence *presence = &client->message->presence;
    size_t length = strlen(client->place.code);

    check(presence->since == 0 || presence->since == client->presence,
          "changes of who is here are to list %u, and the client has %u", presence->since,
          client->presence);
    client->presence = presence->sequence;
    for (uint32_t i = 0; i < presence->count; i++) {
        const struct proto_person *person = &presence->people[i];
        /* A name that the server has chosen has no spaces. */
        check(person->flags_only || strncmp(person->name, client->place.code, length) == 0 ||
                  strchr(person->name, ' ') == NULL,
              "'%s' is shown in %s", person->name, client->place.code);
    }
}

static void ask_again(struct client *client)
{
    struct proto_client_message message = {.type = PROTO_WANT, .want = client->want};

    if (!client->lost) {
        client->lost = true;
        say(client, &message);
    }
}

static void on_snapshot(struct client *client, struct hub *hub)
{
    const struct proto_snapshot *snapshot = &client->message->snapshot;
    struct picture picture = {.code = client->place.code,
                              .time = snapshot->time,
                              .epoch = snapshot->epoch,
                              .flock = snapshot->flock,
                              .stride = client->stride,
                              .count = snapshot->boid_count,
                              .positions = snapshot->boids};
    enum packed_result result = PACKED_OK;

    check(client->welcomed, "a snapshot comes before the welcome");
    check(snapshot->time > client->latest, "a snapshot comes after a newer one");
    client->latest = snapshot->time;
    check(threads_now() < client->steady_at + SETTLE_TIME ||
              hub_now(hub) < snapshot->time + OLD_TIME / 1000,
          "client %u sees what is %.1f s old", client->number,
          (double)(hub_now(hub) - snapshot->time) / 1e6);
    if (threads_now() >= client->steady_at + SETTLE_TIME) {
        check_store_told(client->store_failing);
    }
    if (snapshot->packed) {
        result = packed_decode(client->packed, snapshot->boids, snapshot->packed_size);
        check(result == PACKED_OK || result == PACKED_LOST, "a packed snapshot is malformed");
        picture.count = packed_count(client->packed);
        picture.positions = packed_positions(client->packed);
    }
    if (result == PACKED_LOST) {
        ask_again(client);
        return;
    }
    client->lost = false;
    client->seen_at = threads_now();
    check_picture(&picture);
    snapshots++;
}

static void on_leads(const struct client *client)
{
    const struct proto_leads *leads = &client->message->leads;
    uint64_t boids = 0;

    check(client->subscribed, "a topic comes to a client that never subscribed");
    for (uint32_t i = 0; i < leads->count; i++) {
        boids += leads->leaders[i].boids;
        check(leads->leaders[i].who > 0 && leads->leaders[i].people > 0, "nobody leads");
    }
    check((leads->count > 0) == (boids > 0), "leaders without boids");
    check(!leads->has_turn || leads->turn.id == 0 || leads->turn.seconds <= 30,
          "a turn of %u s is left", leads->turn.seconds);
}

/* Checks that answers come in the order of the requests. */
static void on_answer(struct client *client, uint32_t type, bool has_tag, uint32_t tag)
{
    const struct asked *asked = &client->asked[client->asked_first % ASKED_MAX];

    check(client->asked_count > 0 && asked->type == type && has_tag && asked->tag == tag,
          "an answer to %u is none to what was asked", type);
    client->asked_first++;
    client->asked_count--;
}

static void on_error(struct client *client)
{
    const struct proto_error *error = &client->message->error;

    if (error->type != 0 && proto_answered((enum proto_type)error->type)) {
        on_answer(client, error->type, error->has_tag, error->tag);
    } else {
        check(error->fatal, "an error that nobody caused: %s", error->message);
    }
}

static void on_message(struct client *client, const struct packet *packet, struct hub *hub)
{
    struct proto_server_message *message = client->message;
    struct proto_error error;

    check(proto_decode_server(client->decoder, packet->bytes, packet->size, message, &error) ==
              PROTO_OK,
          "a message cannot be understood: %s", error.message);
    switch (message->type) {
    case PROTO_WELCOME:
        on_welcome(client);
        break;
    case PROTO_ROOM:
        client->store_failing = message->room.store_failing;
        break;
    case PROTO_PRESENCE:
        on_presence(client);
        break;
    case PROTO_SNAPSHOT:
    case PROTO_PACKED:
        on_snapshot(client, hub);
        break;
    case PROTO_LEADS:
        on_leads(client);
        break;
    case PROTO_STREAM:
        client->stride = message->stream.stride;
        break;
    case PROTO_DONE:
        on_answer(client, message->done.type, message->done.has_tag, message->done.tag);
        break;
    case PROTO_ERROR:
        on_error(client);
        break;
    default:
        break;
    }
}

static void on_close(struct client *client, uint32_t code)
{
    if (code == PROTO_CLOSE_REMOVED && client->removed_at == 0) {
        client->removed_at = threads_now();
    }
    if (code == PROTO_CLOSE_ENDED || code == PROTO_CLOSE_ROOM) {
        client->place.code[0] = '\0'; /* the client joins another room next */
        client->has_token = false;
    }
    vanish(client, true);
}

/* Checks that a client which reads still gets snapshots. */
static void check_seen(const struct client *client)
{
    uint64_t now = threads_now();

    if (client->welcomed) {
        check(now < client->seen_at + SILENT_TIME, "client %u has seen no snapshot for %.1f s",
              client->number, (double)(now - client->seen_at) / 1e9);
    }
}

static void read_all(struct client *client, struct hub *hub)
{
    struct packet *packet;

    while (client->noticed_at == 0 && (packet = way_take(&client->in)) != NULL) {
        switch (packet->type) {
        case PACKET_MESSAGE:
            on_message(client, packet, hub);
            break;
        case PACKET_PING:
            way_put(&client->out, PACKET_PONG, packet->number, NULL, 0);
            break;
        case PACKET_CLOSE:
            on_close(client, packet->number);
            break;
        case PACKET_PONG:
            break;
        }
        free(packet);
    }
}

uint64_t client_next(const struct client *client)
{
    uint64_t next = client->act_at;

    if (client->session == NULL) {
        return client->come_at;
    }
    next = way_next(&client->out) < next ? way_next(&client->out) : next;
    if (client->noticed_at != 0) {
        return client->noticed_at < way_next(&client->out) ? client->noticed_at
                                                           : way_next(&client->out);
    }
    return way_next(&client->in) < next ? way_next(&client->in) : next;
}

void client_turn(struct client *client, struct hub *hub, const struct place *(*choose)(void))
{
    uint64_t now = threads_now();

    if (client->session == NULL) {
        if (now >= client->come_at) {
            bool stays = client->place.code[0] != '\0' && chance(800);
            struct place place = stays ? client->place : *choose();
            come(client, &place);
        }
        return;
    }
    session_read(client->session);
    if (client->noticed_at != 0) {
        if (now >= client->noticed_at) {
            forget(client);
        }
        return;
    }
    read_all(client, hub);
    if (client->noticed_at == 0) {
        check_seen(client);
    }
    if (client->noticed_at == 0 && now >= client->act_at) {
        if (client->welcomed) {
            act(client);
        } else {
            client->act_at = now + ACT_TIME;
        }
    }
}

void client_cut(struct client *client)
{
    if (client->session != NULL) {
        vanish(client, true);
        forget(client);
    }
}

void client_next_process(struct client *client)
{
    client->process_is_new = true;
    client->removed_at = 0;
}

/* ---- life ---- */

struct client *client_create(uint32_t number)
{
    struct client *client = calloc(1, sizeof *client);

    check(client != NULL, "out of memory");
    client->number = number;
    client->decoder = proto_decoder_create();
    client->message = malloc(sizeof *client->message);
    check(client->decoder != NULL && client->message != NULL, "out of memory");
    client->come_at = chance_time(AWAY_TIME);
    return client;
}

void client_destroy(struct client *client)
{
    packed_decoder_destroy(client->packed);
    proto_decoder_destroy(client->decoder);
    free(client->message);
    free(client);
}

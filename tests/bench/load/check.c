/* Checks the server's messages, and counts and measures them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "load.h"

static void see_room(struct room *room, const struct proto_room *said)
{
    room->width = said->width;
    room->height = said->height;
    room->quantum = said->quantum;
    room->bounded = strcmp(said->boundary, "open") != 0;
    room->max_x = (int16_t)fminf(ceilf(said->width / 2 / said->quantum), INT16_MAX);
    room->max_y = (int16_t)fminf(ceilf(said->height / 2 / said->quantum), INT16_MAX);
    room->tick_rate = said->tick_rate;
}

static void see_stream(struct load *load, struct client *client, const struct proto_stream *stream)
{
    client->step = (float)room_of(load, client)->tick_rate / stream->rate;
    client->stride = stream->stride;
    client->renewed = true;
    client->told_slow |= stream->slow;
    if (stream->slow && load->measuring && client->kind == CLIENT_STEADY) {
        load->tally.slowed++;
    }
}

static const char *check_positions(const struct room *room, const uint8_t *positions,
                                   uint32_t count)
{
    bool outside = false;

    for (uint32_t i = 0; i < count; i++) {
        int16_t x;
        int16_t y;
        proto_get_position(positions + (size_t)PROTO_BOID_SIZE * i, &x, &y);
        outside |= x < -room->max_x || x > room->max_x || y < -room->max_y || y > room->max_y;
    }
    return outside && room->bounded ? "a boid is outside of the world" : NULL;
}

static uint64_t get_uint(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;

    while (size-- > 0) {
        value = value << 8 | bytes[size];
    }
    return value;
}

/* Checks packed boids. For all clients: a delta must continue the last snapshot. For clients that
 * decode: also the positions. */
static const char *check_packed(struct load *load, struct client *client,
                                const struct proto_snapshot *snapshot, uint32_t *count)
{
    const uint8_t *bytes = snapshot->boids;

    if (snapshot->packed_size < PACKED_HEADER_SIZE) {
        return "packed boids are shorter than their header";
    }
    uint32_t sequence = (uint32_t)get_uint(bytes + 4, 4);
    bool key = bytes[0] == 1;
    if (!key && (client->renewed || sequence != client->sequence + 1)) {
        return "packed boids are a delta to some that never came";
    }
    client->sequence = sequence;
    load->tally.keyframes += key ? 1 : 0;
    *count = (uint32_t)get_uint(bytes + 8, 4);
    if (client - load->clients >= (ptrdiff_t)load->options->decode) {
        return NULL;
    }
    if (client->renewed) {
        packed_decoder_destroy(client->packed);
        client->packed = packed_decoder_create();
    }
    if (client->packed == NULL) {
        return "out of memory for a decoder";
    }
    if (packed_decode(client->packed, bytes, snapshot->packed_size) != PACKED_OK) {
        return "packed boids cannot be decoded";
    }
    return check_positions(room_of(load, client), packed_positions(client->packed),
                           packed_count(client->packed));
}

static const char *check_boids(struct load *load, struct client *client,
                               const struct proto_snapshot *snapshot, uint32_t *count)
{
    if (snapshot->packed) {
        return check_packed(load, client, snapshot, count);
    }
    *count = snapshot->boid_count;
    return check_positions(room_of(load, client), snapshot->boids, *count);
}

static void add_delivery(struct load *load, const struct client *client, uint64_t sent,
                         uint64_t now)
{
    uint64_t age = now > sent ? now - sent : 0;

    if (!load->measuring || client->fresh) {
        return;
    }
    if (client->kind == CLIENT_STEADY) {
        histogram_add(&load->tally.delivery, age);
    } else if (client->kind == CLIENT_SLOW) {
        histogram_add(&load->tally.age, age);
    }
}

/* Measures the time from a cursor to the first snapshot with that cursor as the target. Earlier
 * pending cursors count as replaced at the same time. */
static void measure_effect(struct load *load, const struct proto_snapshot *snapshot, uint64_t now)
{
    struct pending *pending = &load->pending;
    uint32_t shown = pending->count;

    while (shown > 0 &&
           (!snapshot->has_target || pending->cursors[shown - 1].x != snapshot->target_x ||
            pending->cursors[shown - 1].y != snapshot->target_y)) {
        shown--;
    }
    if (shown == 0) {
        return;
    }
    for (uint32_t i = 0; i < shown && load->measuring; i++) {
        histogram_add(&load->tally.effect, now - pending->cursors[i].sent);
    }
    pending->count -= shown;
    memmove(pending->cursors, pending->cursors + shown,
            pending->count * sizeof pending->cursors[0]);
}

/* Counts the snapshots and ticks that are missing between the client's last snapshot and this one.
 */
static void count_gap(struct load *load, const struct client *client,
                      const struct proto_snapshot *snapshot)
{
    double ticks = (double)(snapshot->tick - client->tick);
    double period = 1e6 / room_of(load, client)->tick_rate;
    long missed = lround(ticks / (double)client->step) - 1;
    long late = lround((double)(snapshot->time - client->time) / period - ticks);

    if (!load->measuring || client->kind != CLIENT_STEADY) {
        return;
    }
    load->tally.missed += missed > 0 ? (uint64_t)missed : 0;
    if (client - load->clients < (ptrdiff_t)load->room_count &&
        late > 0) { /* only the first client of each room */
        load->tally.late_ticks += (uint64_t)late;
    }
}

static const char *check_snapshot(struct load *load, struct client *client,
                                  const struct proto_snapshot *snapshot, size_t size, uint64_t now)
{
    bool follows = !client->renewed && snapshot->epoch == client->epoch;
    uint32_t count = 0;

    if (client->stage != CLIENT_LIVE) {
        return "a snapshot came before the welcome";
    }
    if (!client->fresh &&
        (snapshot->time <= client->time || (follows && snapshot->tick < client->tick))) {
        return "a snapshot is not newer than the one before";
    }
    if (snapshot->packed != load->options->packed) {
        return "a snapshot is not in the encoding that was asked for";
    }
    const char *wrong = check_boids(load, client, snapshot, &count);
    if (wrong != NULL) {
        return wrong;
    }
    if (count != (snapshot->flock + client->stride - 1) / client->stride) {
        return "a snapshot has not as many boids as its stream";
    }
    add_delivery(load, client, (uint64_t)(load->server_zero + (int64_t)(snapshot->time * 1000)),
                 now);
    if (follows) {
        count_gap(load, client, snapshot);
    }
    if (client == load->clients && load->options->cursors == 1) {
        measure_effect(load, snapshot, now);
    }
    client->fresh = client->renewed = false;
    client->epoch = snapshot->epoch;
    client->tick = snapshot->tick;
    client->time = snapshot->time;
    load->tally.boids += count;
    load->tally.frames++;
    load->tally.bytes += size;
    return NULL;
}

/* Computes when the server's clock was 0. The shortest round trip gives the best value. */
static void measure_clock(struct load *load, const struct proto_pong *pong, uint64_t now)
{
    uint64_t round_trip = now - load->pinged;

    if (pong->t != load->pinged) {
        return;
    }
    if (load->pongs++ == 0 || round_trip < load->round_trip) {
        load->round_trip = round_trip;
        load->server_zero = (int64_t)(load->pinged + round_trip / 2 - pong->time * 1000);
    }
}

const char *check_message(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now)
{
    static char what[PROTO_TEXT_MAX + 64];
    struct proto_server_message *message = load->message;
    struct proto_error error;

    if (proto_decode_server(load->decoder, data, size, message, &error) != PROTO_OK) {
        snprintf(what, sizeof what, "a message cannot be decoded: %s: %s", error.field,
                 error.message);
        return what;
    }
    if (message->type == PROTO_SNAPSHOT || message->type == PROTO_PACKED) {
        return check_snapshot(load, client, &message->snapshot, size, now);
    }
    load->tally.others++;
    load->tally.other_bytes += size;
    switch (message->type) {
    case PROTO_WELCOME:
        see_room(room_of(load, client), &message->welcome.room);
        see_stream(load, client, &message->welcome.stream);
        break;
    case PROTO_ROOM:
        see_room(room_of(load, client), &message->room);
        break;
    case PROTO_STREAM:
        see_stream(load, client, &message->stream);
        break;
    case PROTO_PONG:
        measure_clock(load, &message->pong, now);
        break;
    case PROTO_ERROR:
        snprintf(what, sizeof what, "the server refused %s: %s", message->error.field,
                 message->error.message);
        return what;
    default:
        break;
    }
    return NULL;
}

const char *check_payload(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now)
{
    size_t raw = load->options->raw;

    if (size < raw) {
        load->tally.others++;
        return NULL;
    }
    uint64_t sent = get_uint(data + size - raw, 8);
    uint64_t number = get_uint(data + size - raw + 8, 8);
    if (sent > now || now - sent > 3600 * LOAD_SECOND) {
        return "a payload does not begin with the time at which it was sent";
    }
    if (!client->fresh && number <= client->tick) {
        return "a payload's number is not above that of the one before";
    }
    add_delivery(load, client, sent, now);
    if (!client->fresh && load->measuring && client->kind == CLIENT_STEADY) {
        load->tally.missed += number - client->tick - 1;
    }
    client->fresh = false;
    client->tick = number;
    load->tally.frames++;
    load->tally.bytes += raw;
    return NULL;
}

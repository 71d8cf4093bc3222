/* The room's state on its way to the shards. On the sim thread. */
#include <stdlib.h>
#include <string.h>

#include "hub/inside.h"

/* Puts a newer frame of a part in the place of the one before; NULL leaves that. */
static void renew(struct hub *hub, enum state_part part, struct frame *frame, uint32_t version)
{
    if (frame != NULL) {
        frame_release(hub->frames[part]);
        hub->frames[part] = frame;
        hub->versions[part] = version;
    }
}

/* Gives a shard the state in place of the one that it has not taken, if any. When memory runs out
 * it gets the next one. */
static void publish_to(struct hub *hub, uint32_t shard)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);
    struct state *state = calloc(1, sizeof *state + count * sizeof state->streams[0]);

    if (state == NULL) {
        return;
    }
    memcpy(state->versions, hub->versions, sizeof state->versions);
    for (size_t part = 0; part < STATE_PARTS; part++) {
        state->frames[part] = frame_hold(hub->frames[part]);
    }
    state->stream_count = count;
    for (uint32_t i = 0; i < count; i++) {
        state->streams[i].sequence = streams[i].sequence;
        state->streams[i].key_sequence = streams[i].key_sequence;
        for (uint32_t k = 0; k < STREAM_HISTORY; k++) {
            state->streams[i].deltas[k] = frame_hold(streams[i].deltas[k]);
        }
        state->streams[i].key = frame_hold(streams[i].key);
    }
    state_destroy(atomic_exchange(&hub->outboxes[shard].latest, state));
    hub->definition.wake(hub->definition.argument, shard);
}

static void make_snapshots(struct hub *hub, uint64_t time)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);

    for (uint32_t place = 0; place < count; place++) {
        if (atomic_exchange_explicit(&hub->keys_wanted[place], false, memory_order_relaxed)) {
            room_want_key(hub->room, place);
        }
    }
    room_snapshot(hub->room, time);
}

static void count_frames(struct hub *hub)
{
    const struct stream *streams;
    uint32_t count = room_streams(hub->room, &streams);
    uint64_t encoded = 0;
    uint64_t keys = 0;

    for (uint32_t place = 0; place < count; place++) {
        encoded += streams[place].encoded;
        keys += streams[place].encoded_keys;
    }
    counter_set(&hub->stats.encoded, encoded);
    counter_set(&hub->stats.keys, keys);
}

void hub_publish(struct hub *hub, uint64_t time)
{
    make_snapshots(hub, time);
    count_frames(hub);
    if (hub->versions[STATE_ROOM] != room_version(hub->room)) {
        renew(hub, STATE_ROOM, room_describe(hub->room), room_version(hub->room));
    }
    if (hub->versions[STATE_PARAMS] != room_params_version(hub->room)) {
        renew(hub, STATE_PARAMS, room_params(hub->room), room_params_version(hub->room));
    }
    renew(hub, STATE_PRESENCE, room_presence(hub->room, time), hub->versions[STATE_PRESENCE] + 1);
    for (uint32_t shard = 0; shard < hub->definition.shards; shard++) {
        publish_to(hub, shard);
    }
}

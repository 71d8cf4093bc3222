/* Messages of every kind between nodes, for tests and for the corpus of the fuzzer. */
#ifndef WIRE_SAMPLES_H
#define WIRE_SAMPLES_H

#include <stdio.h>
#include <string.h>

#include "cluster/wire.h"

static const uint8_t sample_bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};

static inline struct wire_bytes sample_frame(size_t size)
{
    return (struct wire_bytes){sample_bytes, size};
}

static inline struct wire_head sample_head(enum wire_kind kind)
{
    return (struct wire_head){.kind = kind,
                              .incarnation = 0x11223344,
                              .epoch = 0x5566778899aabbcc,
                              .number = 7,
                              .time = 1234567,
                              .view = 99};
}

static inline bool sample_snapshot(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_SNAPSHOT);
    const struct wire_snapshot snapshot = {
        .stream = 513, .sequence = UINT32_MAX, .key = true, .frame = sample_frame(8)};

    return wire_put_snapshot(writer, &head, "AB12CD", &snapshot);
}

/* A state in which everything has changed. */
static inline bool sample_state(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_STATE);
    struct wire_state state = {.whole = true, .continues = 41, .time = 5000000, .picked = true};

    for (uint32_t i = 0; i < VIEW_PARTS; i++) {
        state.parts[i] =
            (struct wire_frame){.there = true, .number = i + 1, .frame = sample_frame(i + 1)};
    }
    state.topics[2] = (struct wire_frame){.there = true, .number = 5, .frame = sample_frame(2)};
    state.topics[4] = (struct wire_frame){.there = true, .number = 6}; /* ended */
    state.pick_count = 2;
    state.picks[0] = (struct wire_pick){.boid = 3, .version = 8, .frame = sample_frame(4)};
    state.picks[1] = (struct wire_pick){.boid = 4, .version = 9};
    state.presence = (struct wire_frame){.there = true, .number = 12, .frame = sample_frame(5)};
    state.change_count = 2;
    state.event_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        state.changes[i % 2] =
            (struct wire_frame){.there = true, .number = 11 + i % 2, .frame = sample_frame(3)};
        state.events[i] =
            (struct wire_frame){.there = true, .number = 100 + i, .frame = sample_frame(6)};
    }
    return wire_put_state(writer, &head, "AB12CD", &state);
}

static inline bool sample_no_state(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_STATE);

    return wire_put_state(writer, &head, "AB12CD", &(struct wire_state){0});
}

static inline bool sample_replies(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_REPLIES);
    const struct wire_reply replies[] = {
        {.type = WIRE_TOLD,
         .link = 0x700000003,
         .presenter = true,
         .granted = true,
         .grant = {.stream = 513,
                   .sequence = 17,
                   .joined = true,
                   .token = {9, 8, 7},
                   .versions = {1, 2, 3},
                   .events = 4},
         .trust = HUB_TRUSTS,
         .frame = sample_frame(8)},
        {.type = WIRE_TOLD,
         .link = 1,
         .granted = true,
         .grant = {.stream = 2, .sequence = 3},
         .frame = sample_frame(1)},
        {.type = WIRE_TOLD, .link = 2, .frame = sample_frame(2)},
        {.type = WIRE_CLOSED, .link = UINT64_MAX, .why = END_REMOVED, .frame = sample_frame(3)},
        {.type = WIRE_MOVED, .link = 4},
    };
    bool written = wire_begin_replies(writer, &head, "lobby");

    for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
        written = written && wire_add_reply(writer, &replies[i]);
    }
    return written;
}

static inline bool sample_items(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_ITEMS);
    const struct wire_item items[] = {
        {.type = WIRE_RESET},
        {.type = WIRE_JOIN,
         .link = 5,
         .presenters_only = true,
         .address = "2001:db8::1",
         .bytes = sample_frame(8)},
        {.type = WIRE_SEND, .link = 5, .bytes = sample_frame(4)},
        {.type = WIRE_ANSWER, .link = 5, .bytes = sample_frame(2)},
        {.type = WIRE_EASE, .link = 5, .ease = {.line = 8, .overload = 3}},
        {.type = WIRE_WANT_KEY, .stream = 513},
        {.type = WIRE_WANT_STATE},
        {.type = WIRE_LEAVE, .link = 5, .why = END_STALLED},
    };
    bool written = wire_begin_items(writer, &head, "AB12CD", "edge-1");

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        written = written && wire_add_item(writer, &items[i]);
    }
    return written;
}

static inline bool sample_no_items(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_ITEMS);

    return wire_begin_items(writer, &head, "AB12CD", "e");
}

static inline bool sample_probe(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_PROBE);

    return wire_put_probe(writer, &head, "AB12CD", "edge-1", 987654321);
}

static inline bool sample_clock(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_CLOCK);

    return wire_put_clock(writer, &head, "AB12CD", 987654321, 41);
}

static inline bool sample_taken(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_TAKEN);

    return wire_put_bare(writer, &head, "AB12CD");
}

static inline bool sample_again(struct wire_writer *writer)
{
    const struct wire_head head = sample_head(WIRE_AGAIN);

    return wire_put_bare(writer, &head, "AB12CD");
}

static const struct wire_sample {
    const char *name;
    bool (*write)(struct wire_writer *writer);
} wire_samples[] = {
    {"snapshot", sample_snapshot}, {"state", sample_state}, {"no-state", sample_no_state},
    {"replies", sample_replies},   {"items", sample_items}, {"no-items", sample_no_items},
    {"probe", sample_probe},       {"clock", sample_clock}, {"taken", sample_taken},
    {"again", sample_again},
};

/* Writes a decoded message again. */
static inline bool wire_write_again(struct wire_writer *writer, const struct wire_message *message)
{
    bool written = true;

    switch (message->head.kind) {
    case WIRE_SNAPSHOT:
        return wire_put_snapshot(writer, &message->head, message->code, &message->snapshot);
    case WIRE_STATE:
        return wire_put_state(writer, &message->head, message->code, &message->state);
    case WIRE_REPLIES:
        written = wire_begin_replies(writer, &message->head, message->code);
        for (uint32_t i = 0; written && i < message->replies.count; i++) {
            written = wire_add_reply(writer, &message->replies.list[i]);
        }
        break;
    case WIRE_ITEMS:
        written = wire_begin_items(writer, &message->head, message->code, message->node);
        for (uint32_t i = 0; written && i < message->items.count; i++) {
            written = wire_add_item(writer, &message->items.list[i]);
        }
        break;
    case WIRE_PROBE:
        return wire_put_probe(writer, &message->head, message->code, message->node, message->probe);
    case WIRE_CLOCK:
        return wire_put_clock(writer, &message->head, message->code, message->clock.probe,
                              message->clock.state);
    case WIRE_TAKEN:
    case WIRE_AGAIN:
        return wire_put_bare(writer, &message->head, message->code);
    }
    return written;
}

#endif

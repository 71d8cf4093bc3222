#include "bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "../unit/subject_fits.h"
#include "bus_parts.h"
#include "cluster/values.h"
#include "cluster/wire.h"
#include "threads.h"
#include "witness.h"

#define LOST      4u       /* messages, in a thousand */
#define REPEATED  4u       /* messages, in a thousand */
#define OVERTAKEN 4u       /* messages, in a thousand */
#define UNSAID    10u      /* answers that are lost, in a thousand */
#define WAY       (3 * MS) /* of a message, at most */
#define DETOUR    (250 * MS)
#define NOTICED   S /* until a node that is cut off sees it */
#define LOOK      (5 * MS)
#define PATIENCE  (400 * MS) /* for an answer; BROKER_BULK waits five times as long */
#define DAMAGED   20u        /* snapshots that FAULT_PICTURE damages, in a thousand */
#define FORGOTTEN 300u       /* checkpoints that FAULT_FORGET loses, in a thousand */

static struct broker_subscription *subscriptions;
static struct broker_watch *watches;
static struct entry *entries[BROKER_BUCKETS];
static uint64_t revisions[BROKER_BUCKETS];
static struct bus *buses[BUS_NODES]; /* NULL: the node is not there */
static uint64_t parted_until[BUS_NODES][BUS_NODES], cut_since[BUS_NODES], cut_until[BUS_NODES];
static uint64_t halted_until[BROKER_BUCKETS];
static uint64_t last_at[BUS_NODES][BUS_NODES]; /* of the parcel that was sent last */
static bool calm;
static enum fault planted;

static struct bus *bus_of(struct broker *broker)
{
    return (struct bus *)(void *)broker;
}

static bool happens(uint32_t times)
{
    return !calm && chance(times);
}

static bool is_cut(uint32_t node)
{
    return threads_now() < cut_until[node];
}

static void *take_memory(size_t size)
{
    void *memory = calloc(1, size);

    check(memory != NULL, "out of memory");
    return memory;
}

/* ---- messages ---- */

static void queue_parcel(struct parcel *parcel)
{
    struct parcel **at = &parcel->to->bus->parcels;

    while (*at != NULL && (*at)->at <= parcel->at) {
        at = &(*at)->next;
    }
    parcel->next = *at;
    *at = parcel;
}

/* FAULT_EPOCH: the messages of all owners of a room have the room's newest epoch. */
static void renew_epoch(struct parcel *parcel)
{
    char code[BROKER_SUBJECT_MAX];
    uint64_t revision = 0;
    size_t size;

    if ((parcel->subject[0] != 'f' && parcel->subject[0] != 's') || parcel->size < WIRE_HEAD) {
        return;
    }
    (void)snprintf(code, sizeof code, "%s", parcel->subject + 2);
    code[strcspn(code, ".")] = '\0';
    if (bus_value(BROKER_ROOMS, code, &size, &revision) != NULL) {
        for (size_t i = 0; i < 8; i++) {
            parcel->bytes[8 + i] = (uint8_t)(revision >> 8 * i);
        }
    }
}

/* Damages messages if a fault is planted. */
static void plant(struct parcel *parcel)
{
    if (planted == FAULT_EPOCH) {
        renew_epoch(parcel);
    } else if (planted == FAULT_PICTURE && parcel->subject[0] == 'f' && chance(DAMAGED)) {
        parcel->bytes[parcel->size / 2] ^= 16;
    }
}

static void send_to(struct broker_subscription *to, uint32_t from, const char *subject,
                    const uint8_t *bytes, size_t size)
{
    struct parcel *parcel = take_memory(sizeof *parcel + size);
    uint64_t *last = &last_at[from][to->bus->node];

    parcel->to = to;
    parcel->size = size;
    (void)snprintf(parcel->subject, sizeof parcel->subject, "%s", subject);
    memcpy(parcel->bytes, bytes, size);
    parcel->at = threads_now() + chance_below(WAY);
    if (happens(OVERTAKEN)) {
        parcel->at += chance_below(DETOUR);
    } else {
        parcel->at = parcel->at < *last ? *last : parcel->at;
        *last = parcel->at;
    }
    plant(parcel);
    queue_parcel(parcel);
}

static bool passes(uint32_t from, uint32_t to)
{
    return from == to || (threads_now() >= parted_until[from][to] && !is_cut(from) && !is_cut(to));
}

static bool publish(struct broker *broker, enum broker_line line, const char *subject,
                    const char *reply, const uint8_t *bytes, size_t size)
{
    const struct bus *bus = bus_of(broker);

    check(reply == NULL, "no node asks for answers by message");
    if (bus->dead || !broker->connected[line]) {
        return false;
    }
    for (struct broker_subscription *to = subscriptions; to != NULL; to = to->next) {
        if (to->ended || !subject_fits(to->subject, subject) || !passes(bus->node, to->bus->node) ||
            happens(LOST)) {
            continue;
        }
        send_to(to, bus->node, subject, bytes, size);
        if (happens(REPEATED)) {
            send_to(to, bus->node, subject, bytes, size);
        }
    }
    return true;
}

static struct broker_subscription *subscribe(struct broker *broker, enum broker_line line,
                                             const char *subject, broker_deliver *deliver,
                                             void *argument)
{
    struct broker_subscription *made = take_memory(sizeof *made);

    (void)line;
    *made = (struct broker_subscription){
        .next = subscriptions, .bus = bus_of(broker), .deliver = deliver, .argument = argument};
    (void)snprintf(made->subject, sizeof made->subject, "%s", subject);
    subscriptions = made;
    return made;
}

/* It is freed at the end of the life: messages may be on their way. */
static void unsubscribe(struct broker *broker, struct broker_subscription *subscription)
{
    (void)broker;
    subscription->ended = true;
}

/* ---- keys ---- */

static struct entry *find_entry(enum broker_bucket bucket, const char *key)
{
    struct entry *entry = entries[bucket];

    while (entry != NULL && strcmp(entry->key, key) != 0) {
        entry = entry->next;
    }
    return entry;
}

const uint8_t *bus_value(enum broker_bucket bucket, const char *key, size_t *size,
                         uint64_t *revision)
{
    const struct entry *entry = find_entry(bucket, key);

    if (entry == NULL || entry->deleted) {
        return NULL;
    }
    *size = entry->size;
    *revision = entry->revision;
    return entry->bytes;
}

static enum broker_result wait_in_vain(enum broker_line line)
{
    threads_sleep(line == BROKER_CONTROL ? PATIENCE : 5 * PATIENCE);
    return BROKER_UNKNOWN;
}

/* Takes the way to the bucket. Returns BROKER_OK if it is reached. */
static enum broker_result reach(const struct bus *bus, enum broker_line line,
                                enum broker_bucket bucket)
{
    if (bus->dead || !bus->broker.connected[line]) {
        return BROKER_AWAY;
    }
    threads_sleep(chance_below(WAY));
    if (bus->dead || is_cut(bus->node) || threads_now() < halted_until[bucket]) {
        return wait_in_vain(line);
    }
    return BROKER_OK;
}

/* The way back. */
static enum broker_result answer(const struct bus *bus, enum broker_line line,
                                 enum broker_result result)
{
    if (happens(UNSAID) || is_cut(bus->node)) {
        return wait_in_vain(line);
    }
    threads_sleep(chance_below(WAY));
    return result;
}

static struct entry *need_entry(enum broker_bucket bucket, const char *key)
{
    struct entry *entry = find_entry(bucket, key);

    if (entry == NULL) {
        entry = take_memory(sizeof *entry);
        (void)snprintf(entry->key, sizeof entry->key, "%s", key);
        entry->next = entries[bucket];
        entries[bucket] = entry;
    }
    return entry;
}

/* FAULT_FORGET: the checkpoint of a room is acknowledged, and not stored. */
static bool forgets(enum broker_bucket bucket, const char *key)
{
    return planted == FAULT_FORGET && bucket == BROKER_CHECKS && key[0] != '_' && chance(FORGOTTEN);
}

/* Tells the witness of a room's checkpoint, if its writer still owns the room. */
static void note_checkpoint(const char *key, const uint8_t *bytes, size_t size)
{
    const struct entry *route = find_entry(BROKER_ROOMS, key);
    struct check_head head;
    size_t used;

    if (route != NULL && values_read_head(bytes, size, &head, &used) && head.parts == 0 &&
        head.epoch == route->revision) {
        witness_stored(key, bytes + used, size - used);
    }
}

/* bytes NULL: deletes. expected NULL: at any revision. */
static enum broker_result change(struct broker *broker, enum broker_line line,
                                 enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                 size_t size, const uint64_t *expected, uint64_t *revision)
{
    const enum broker_result reached = reach(bus_of(broker), line, bucket);
    struct entry *entry;

    if (reached != BROKER_OK) {
        return reached;
    }
    entry = find_entry(bucket, key);
    if (expected != NULL && *expected != (entry != NULL ? entry->revision : 0)) {
        return answer(bus_of(broker), line, BROKER_CONFLICT);
    }
    if (entry == NULL || !forgets(bucket, key)) {
        entry = need_entry(bucket, key);
        free(entry->bytes);
        entry->bytes = take_memory(size + 1);
        memcpy(entry->bytes, bytes != NULL ? bytes : (const uint8_t *)"", size);
        entry->size = size;
        entry->deleted = bytes == NULL;
        entry->revision = ++revisions[bucket];
    }
    if (revision != NULL) {
        *revision = entry->revision;
    }
    if (bucket == BROKER_CHECKS && bytes != NULL) {
        note_checkpoint(key, bytes, size);
    }
    return answer(bus_of(broker), line, BROKER_OK);
}

static enum broker_result set_key(struct broker *broker, enum broker_line line,
                                  enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                  size_t size, uint64_t *revision)
{
    return change(broker, line, bucket, key, bytes, size, revision, revision);
}

static enum broker_result put_key(struct broker *broker, enum broker_line line,
                                  enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                  size_t size, uint64_t *revision)
{
    return change(broker, line, bucket, key, bytes, size, NULL, revision);
}

static enum broker_result drop_key(struct broker *broker, enum broker_line line,
                                   enum broker_bucket bucket, const char *key, uint64_t *revision)
{
    return change(broker, line, bucket, key, NULL, 0, revision, revision);
}

static enum broker_result get_key(struct broker *broker, enum broker_line line,
                                  enum broker_bucket bucket, const char *key, uint8_t **bytes,
                                  size_t *size, uint64_t *revision)
{
    const enum broker_result reached = reach(bus_of(broker), line, bucket);
    const struct entry *entry;

    *bytes = NULL;
    *size = 0;
    *revision = 0;
    if (reached != BROKER_OK) {
        return reached;
    }
    entry = find_entry(bucket, key);
    *revision = entry != NULL ? entry->revision : 0;
    if (entry == NULL || entry->deleted) {
        return answer(bus_of(broker), line, BROKER_NONE);
    }
    *bytes = take_memory(entry->size + 1);
    memcpy(*bytes, entry->bytes, entry->size);
    *size = entry->size;
    return answer(bus_of(broker), line, BROKER_OK);
}

static struct broker_watch *watch(struct broker *broker, enum broker_bucket bucket,
                                  broker_take *take, void *argument)
{
    struct broker_watch *made = take_memory(sizeof *made);

    *made = (struct broker_watch){.next = watches,
                                  .bus = bus_of(broker),
                                  .bucket = bucket,
                                  .take = take,
                                  .argument = argument};
    watches = made;
    return made;
}

static void unwatch(struct broker *broker, struct broker_watch *ended)
{
    (void)broker;
    ended->ended = true;
}

/* ---- deliveries ---- */

static bool deliver_one(struct bus *bus)
{
    struct parcel *parcel = bus->parcels;
    struct broker_message message;

    if (parcel == NULL || parcel->at > threads_now()) {
        return false;
    }
    bus->parcels = parcel->next;
    message = (struct broker_message){
        .subject = parcel->subject, .bytes = parcel->bytes, .size = parcel->size};
    if (!parcel->to->ended && bus->broker.connected[0] && !bus->dead) {
        parcel->to->deliver(parcel->to->argument, &message);
    }
    free(parcel);
    return true;
}

/* Returns the oldest entry that the watch has not seen, or NULL. */
static const struct entry *next_unseen(const struct broker_watch *of)
{
    const struct entry *oldest = NULL;

    for (const struct entry *entry = entries[of->bucket]; entry != NULL; entry = entry->next) {
        if (entry->revision > of->seen && (oldest == NULL || entry->revision < oldest->revision)) {
            oldest = entry;
        }
    }
    return oldest;
}

static void take_unseen(struct broker_watch *of)
{
    const struct entry *entry;

    while (!of->ended && (entry = next_unseen(of)) != NULL) {
        struct broker_entry taken = {
            .size = entry->size, .revision = entry->revision, .deleted = entry->deleted};
        uint8_t *bytes = take_memory(entry->size + 1);
        memcpy(bytes, entry->bytes, entry->size);
        taken.key = entry->key; /* entries live as long as the life */
        taken.bytes = bytes;
        of->seen = entry->revision;
        of->take(of->argument, &taken);
        free(bytes);
    }
    if (!of->ended && !of->complete) {
        of->complete = true;
        of->take(of->argument, NULL);
    }
}

static void look_at_watches(const struct bus *bus)
{
    for (struct broker_watch *of = watches; of != NULL; of = of->next) {
        if (of->bus == bus && bus->broker.connected[0] && !bus->dead && !is_cut(bus->node) &&
            threads_now() >= halted_until[of->bucket]) {
            take_unseen(of);
        }
    }
}

/* Tells a node, after NOTICED, that its line is cut, and later that the line is whole again. */
static void look_at_lines(struct bus *bus)
{
    const bool connected =
        !bus->dead && (!is_cut(bus->node) || threads_now() < cut_since[bus->node] + NOTICED);

    if (connected == bus->broker.connected[0]) {
        return;
    }
    for (struct broker_watch *of = watches; of != NULL && connected; of = of->next) {
        if (of->bus == bus) {
            of->seen = 0;
            of->complete = false;
        }
    }
    for (int line = 0; line < BROKER_LINES; line++) {
        bus->broker.connected[line] = connected;
        bus->definition.changed(bus->definition.argument, (enum broker_line)line, connected);
    }
}

static void run_deliveries(void *argument)
{
    struct bus *bus = argument;

    while (!bus->closing) {
        const uint64_t now = threads_now();
        look_at_lines(bus);
        while (deliver_one(bus)) {
        }
        look_at_watches(bus);
        if (bus->parcels != NULL && bus->parcels->at < now + LOOK) {
            threads_sleep(bus->parcels->at > now ? bus->parcels->at - now : 1);
        } else {
            threads_sleep(LOOK);
        }
    }
}

/* ---- life ---- */

static void close_bus(struct broker *broker)
{
    struct bus *bus = bus_of(broker);

    bus->closing = true;
    uv_thread_join(&bus->thread);
    for (struct broker_subscription *at = subscriptions; at != NULL; at = at->next) {
        at->ended = at->ended || at->bus == bus;
    }
    for (struct broker_watch *at = watches; at != NULL; at = at->next) {
        at->ended = at->ended || at->bus == bus;
    }
    while (bus->parcels != NULL) {
        struct parcel *next = bus->parcels->next;
        free(bus->parcels);
        bus->parcels = next;
    }
    buses[bus->node] = buses[bus->node] == bus ? NULL : buses[bus->node];
    free(bus);
}

struct broker *bus_open(uint32_t node, const struct broker_definition *definition)
{
    static const struct broker_calls calls = {
        .close = close_bus,
        .publish = publish,
        .subscribe = subscribe,
        .unsubscribe = unsubscribe,
        .get = get_key,
        .set = set_key,
        .put = put_key,
        .drop = drop_key,
        .watch = watch,
        .unwatch = unwatch,
    };
    struct bus *bus = take_memory(sizeof *bus);

    bus->broker.calls = &calls;
    bus->definition = *definition;
    bus->node = node;
    for (int line = 0; line < BROKER_LINES; line++) {
        bus->broker.connected[line] = true;
    }
    buses[node] = bus;
    check(uv_thread_create(&bus->thread, run_deliveries, bus) == 0, "out of memory");
    return &bus->broker;
}

void bus_kill(uint32_t node)
{
    buses[node]->dead = true;
}

void bus_part(uint32_t a, uint32_t b, uint64_t until)
{
    parted_until[a][b] = parted_until[b][a] = until;
}

void bus_cut(uint32_t node, uint64_t until)
{
    cut_since[node] = threads_now();
    cut_until[node] = until;
}

void bus_halt(enum broker_bucket bucket, uint64_t until)
{
    halted_until[bucket] = until;
}

void bus_calm(void)
{
    calm = true;
    memset(parted_until, 0, sizeof parted_until);
    memset(cut_until, 0, sizeof cut_until);
    memset(halted_until, 0, sizeof halted_until);
}

void bus_begin(enum fault fault)
{
    planted = fault;
    memset(revisions, 0, sizeof revisions);
    memset(last_at, 0, sizeof last_at);
    bus_calm();
    calm = false;
}

/* Frees a list whose items begin with their links. */
static void free_list(void *first)
{
    while (first != NULL) {
        void *next;
        memcpy(&next, first, sizeof next);
        free(first);
        first = next;
    }
}

void bus_end(void)
{
    free_list(subscriptions);
    free_list(watches);
    subscriptions = NULL;
    watches = NULL;
    for (size_t bucket = 0; bucket < BROKER_BUCKETS; bucket++) {
        for (struct entry *entry = entries[bucket]; entry != NULL; entry = entry->next) {
            free(entry->bytes);
        }
        free_list(entries[bucket]);
        entries[bucket] = NULL;
    }
}

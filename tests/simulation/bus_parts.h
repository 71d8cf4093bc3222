/* The parts of the bus: keys, subscriptions, watches and messages on their way. For bus.c. */
#ifndef BUS_PARTS_H
#define BUS_PARTS_H

#include <uv.h>

#include "cluster/broker.h"

struct entry {
    struct entry *next;
    char key[BROKER_SUBJECT_MAX];
    uint8_t *bytes;
    size_t size;
    uint64_t revision;
    bool deleted;
};

struct broker_subscription {
    struct broker_subscription *next;
    struct bus *bus;
    char subject[BROKER_SUBJECT_MAX];
    broker_deliver *deliver;
    void *argument;
    bool ended;
};

struct broker_watch {
    struct broker_watch *next;
    struct bus *bus;
    enum broker_bucket bucket;
    broker_take *take;
    void *argument;
    uint64_t seen;
    bool complete, ended;
};

/* A message on its way. */
struct parcel {
    struct parcel *next;
    uint64_t at;
    struct broker_subscription *to;
    size_t size;
    char subject[BROKER_SUBJECT_MAX];
    uint8_t bytes[];
};

struct bus {
    struct broker broker; /* must be first */
    struct broker_definition definition;
    uint32_t node;
    bool dead, closing;
    struct parcel *parcels; /* by time */
    uv_thread_t thread;
};

#endif

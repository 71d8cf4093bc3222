/* The lease of this node, and what it knows of the leases of others. A state machine without a
 * clock, threads or I/O: its caller does what it asks for, one step at a time, and reports results,
 * beats and times (µs, which never go back).
 *
 * A node renews its lease by compare-and-set every LEASE_PERIOD. A lease has no end: another node
 * becomes suspect when this node has renewed its own lease LEASE_PATIENCE times since it last heard
 * of the other. So while no node can write, no node becomes suspect, and no clocks are compared. A
 * suspect is declared dead by compare-and-set on its lease, with the revision last seen. That fails
 * if the suspect has renewed its lease since then.
 *
 * A node without an answer goes on for LEASE_STAND. A node that was declared dead takes a new
 * incarnation: it owns no room from then on. */
#ifndef LEASE_H
#define LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/node.h"
#include "cluster/values.h"

#define LEASE_PERIOD   UINT64_C(500000) /* µs */
#define LEASE_PATIENCE 5u               /* own renewals */
#define LEASE_STAND    UINT64_C(10000000)
#define LEASE_NAMESAKE UINT64_C(1300000) /* µs without a renewal after which a name is free */
#define LEASE_DEAD_MAX 8u                /* dead incarnations remembered of each node */

/* Another node. */
struct lease_other {
    char name[NODE_NAME_MAX + 1];
    uint64_t incarnation, revision;
    enum node_role role;
    bool dead;
    bool doubt;                           /* its key must be read before it is declared dead */
    uint64_t heard;                       /* own renewals when it was last heard of */
    uint64_t dead_before[LEASE_DEAD_MAX]; /* earlier incarnations */
    uint32_t dead_next;
};

enum lease_state {
    LEASE_SEEKS, /* it has no lease yet, or no longer: the key must be read */
    LEASE_TAKES, /* the key has no owner: it can be set */
    LEASE_HELD,
    LEASE_DOUBT, /* a renewal was refused or not answered: the key must be read */
    LEASE_GIVEN, /* it has given up its lease */
};

struct lease {
    char name[NODE_NAME_MAX + 1];
    struct node_lease value; /* this node's */
    enum lease_state state;
    bool held;                          /* this incarnation has, or had, the lease */
    bool lost;                          /* rooms of an earlier incarnation may still be here */
    uint64_t (*random)(void *argument); /* never 0 */
    void *argument;
    uint64_t revision; /* of the own key */
    uint64_t renewals; /* own ones so far */
    uint64_t renewed_at, next_at;
    uint64_t seen_at; /* LEASE_SEEKS: when the namesake's revision was first seen, … */
    uint64_t seen;    /* … and that revision; 0: none */
    bool namesake;    /* another process renews the lease of this name */
    uint64_t losses;  /* how often it was declared dead */
    struct lease_other *others;
    size_t other_count, other_capacity;
};

enum lease_ask { LEASE_WAIT, LEASE_READ, LEASE_SET };

/* The next call for a key of BROKER_NODES. */
struct lease_step {
    enum lease_ask ask;
    uint64_t asked_at;            /* the time of lease_next() */
    uint64_t until;               /* LEASE_WAIT */
    char node[NODE_NAME_MAX + 1]; /* the key */
    uint64_t revision;            /* LEASE_SET: for broker_set() */
    struct node_lease value;      /* LEASE_SET */
};

/* random(): see struct node_beat. */
void lease_init(struct lease *lease, const char *name, enum node_role role, uint32_t version,
                uint64_t (*random)(void *argument), void *argument);
void lease_finish(struct lease *lease);

/* Stores the next step. Without LEASE_SIM in its role a node only waits: it has no lease. */
void lease_next(const struct lease *lease, uint64_t now, struct lease_step *step);

/* Reports the result of a step. revision, value: of the key, with BROKER_OK; after LEASE_READ
 * with BROKER_NONE, `revision` is what broker_set() takes. value NULL: it cannot be read. */
void lease_answered(struct lease *lease, const struct lease_step *step, enum broker_result result,
                    uint64_t revision, const struct node_lease *value, uint64_t now);

/* Reports a beat of another node, and a change of a key that was seen. */
void lease_take_beat(struct lease *lease, const struct node_beat *beat);
void lease_take_key(struct lease *lease, const char *node, const struct node_lease *value,
                    uint64_t revision);

/* Whether rooms of this node may tick: it owns them as far as it can know. After its lease was
 * lost, it must drop all its rooms first, and report that. */
bool lease_stands(const struct lease *lease, uint64_t now);
void lease_dropped(struct lease *lease);

/* Whether it is certain that this incarnation of the node has lost all its rooms. */
bool lease_is_dead(const struct lease *lease, const char *node, uint64_t incarnation);

/* Whether the incarnation is one that this node has heard of, dead or alive. */
bool lease_knows(const struct lease *lease, const char *node, uint64_t incarnation);

/* Reports that the node's key was read after that incarnation of it had been seen as an owner: as
 * a node has a lease before it owns a room, another incarnation in the key tells that this one is
 * dead. result: BROKER_OK or BROKER_NONE. */
void lease_look(struct lease *lease, const char *node, uint64_t incarnation,
                enum broker_result result, const struct node_lease *value, uint64_t revision);

/* Gives up the lease at the end: the next step says that this node is dead. */
void lease_give_up(struct lease *lease);

#endif

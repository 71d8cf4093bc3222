/* A node's counters, for /metrics. Several threads add to them; any thread may read them. */
#ifndef CLUSTER_COUNTS_H
#define CLUSTER_COUNTS_H

#include <stdatomic.h>
#include <stdint.h>

struct cluster_counts {
    _Atomic uint64_t connected;        /* 1 while NATS answers this node */
    _Atomic uint64_t disconnects;      /* times that the connection to NATS was lost */
    _Atomic uint64_t renewals;         /* of the node's own lease */
    _Atomic uint64_t renewals_failed;  /* and those without an answer, or refused */
    _Atomic uint64_t takeovers;        /* rooms taken over from nodes that were declared dead */
    _Atomic uint64_t handovers;        /* rooms handed over to another node */
    _Atomic uint64_t rooms_lost;       /* rooms dropped because another node owns them */
    _Atomic uint64_t gaps;             /* messages missing in a sender's numbers */
    _Atomic uint64_t epochs_dropped;   /* messages of an older epoch, dropped */
    _Atomic uint64_t hellos_again;     /* hellos that this node repeated for its sessions */
    _Atomic uint64_t far_links;        /* at present: sessions of other nodes in rooms here */
    _Atomic uint64_t far_rooms;        /* at present: rooms elsewhere with sessions here */
    _Atomic uint64_t messages_in;      /* from NATS */
    _Atomic uint64_t messages_out;     /* to NATS */
    _Atomic uint64_t bytes_in;         /* of these messages */
    _Atomic uint64_t bytes_out;        /* of these messages */
    _Atomic uint64_t publish_failed;   /* messages that NATS did not take */
    _Atomic uint64_t malformed;        /* messages of other nodes that cannot be read */
    _Atomic uint64_t checkpoints;      /* written to the key-value store */
    _Atomic uint64_t checkpoint_bytes; /* of these */
    _Atomic uint64_t checkpoints_failed;
};

/* Adds one; several threads may add to the same counter. */
static inline void cluster_count(_Atomic uint64_t *counter, uint64_t more)
{
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

#endif

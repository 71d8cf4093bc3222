/* The bytes of a parcel (struct room_parcel) in BROKER_CHECKS: in parts of PARCEL_PART bytes, under
 * keys of the sender, _parcel.NODE.N. A node sends one parcel at a time. A node that dies leaves at
 * most the parts of its last parcel, and of bigger ones before it; it deletes them when it starts.
 * All calls block. */
#ifndef PARCEL_H
#define PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/broker.h"

#define PARCEL_PART      (900u * 1000u)
#define PARCEL_BYTES_MAX (64u << 20)        /* as of a recording: see SAVED_MAX */
#define PARCEL_PACE      UINT64_C(20000000) /* bytes a second, so that other nodes are not late */

/* Writes all parts, until that time (ns, uv_hrtime()). Returns false at the first failure. */
bool parcel_write(struct broker *broker, const char *node, uint64_t number, const uint8_t *bytes,
                  size_t size, uint64_t until);

/* Reads a parcel of exactly `size` bytes. Waits until that time for parts that a server of NATS has
 * not received from the others. Returns false if a part is missing, or has another number, index or
 * size. */
bool parcel_read(struct broker *broker, const char *node, uint64_t number, uint8_t *bytes,
                 size_t size, uint64_t until);

/* Deletes the parts of a parcel of up to `size` bytes, the last part first. Returns false at the
 * first failure: a call may take seconds. */
bool parcel_drop(struct broker *broker, const char *node, size_t size);

/* Deletes the parts that an earlier process of the node has left: those before the first one that
 * is missing. */
void parcel_drop_left(struct broker *broker, const char *node);

#endif

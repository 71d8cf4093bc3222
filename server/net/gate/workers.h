/* Workers: threads for work of requests that takes more than 1 ms, such as making a room, or
 * reading or packing a recording.
 *
 * Jobs of trusted clients go first, and one thread does nothing else. A second thread also does the
 * light jobs of others, and only the third, with a lower priority, does their heavy jobs. So no
 * number of heavy jobs delays a light one, nor one of a trusted client. Of the others, each address
 * has one job at a time, and the address that has used the least time is next.
 *
 * Any thread may add jobs. A shard takes back its jobs when they are done. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"
#include "base/list.h"

struct workers;
struct worker_account;

struct worker_job {
    struct list_item item;
    void (*run)(struct worker_job *job); /* on a worker's thread */
    struct ip network;                   /* of the client: see ip_network() */
    uint32_t shard;
    bool trusted, heavy;
    bool ran;                       /* else the workers were stopped before */
    struct worker_account *account; /* for workers.c */
};

/* Starts the threads. wake() is called on them when a shard has a job to take back. Returns NULL
 * when memory or threads run out. */
struct workers *workers_create(uint32_t shards, void (*wake)(void *waker, uint32_t shard),
                               void *waker);

/* Waits for the jobs that run. All others are given back without being run. Takes NULL. */
void workers_stop(struct workers *workers);

/* Must be called after workers_stop(), and when all jobs were taken back. Takes NULL. */
void workers_destroy(struct workers *workers);

/* Adds a job. Returns false when memory runs out. */
bool workers_add(struct workers *workers, struct worker_job *job);

/* Returns the next job of the shard that is done, or NULL. */
struct worker_job *workers_take_back(struct workers *workers, uint32_t shard);

#endif

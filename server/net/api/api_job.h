/* Work of a request that takes more than 1 ms: one of the workers' threads does it, so that the
 * shard's other clients do not wait. A job is the first member of its owner's struct. For the API's
 * own files; on the shard's thread unless said otherwise. */
#ifndef API_JOB_H
#define API_JOB_H

#include <stdatomic.h>
#include <stdbool.h>

#include "net/gate/workers.h"

struct api_request;
struct context;

struct api_job {
    struct worker_job work;
    struct context *context;
    struct api_request *request;         /* NULL: its client has gone */
    atomic_bool forgotten;               /* the same, for the other thread */
    void (*run)(struct api_job *job);    /* on a worker's thread */
    void (*finish)(struct api_job *job); /* stores the result in job->request, and frees the job */
};

/* The share of the workers that a job gets: see workers.h. */
enum api_job_kind {
    API_JOB_LIGHT,
    API_JOB_HEAVY,   /* it reads or writes a recording */
    API_JOB_TRUSTED, /* of a client that the server trusts */
};

/* Starts the job, whose `run` and `finish` are set; the request waits for it. Returns false, with
 * nothing changed, when memory runs out. */
bool api_start_job(struct context *context, struct api_request *request, struct api_job *job,
                   enum api_job_kind kind);

/* Must be called when the workers have woken the shard, and when they were stopped. */
void api_finish_jobs(struct context *context);

/* Prepares the connection for an answer that comes later. */
void api_await(const struct api_request *request);

/* The request needs no result: its client has gone, or it is answered without one. */
void api_forget_job(struct api_request *request);

#endif

#include "net/api/api_job.h"

#include <assert.h>
#include <stddef.h>

#include "net/api/api_rooms.h"
#include "net/gate/connection.h"

#define ANSWER_TIME 10 /* s until the hub must have answered */

static_assert(offsetof(struct api_job, work) == 0, "see run()");

static void run(struct worker_job *work)
{
    struct api_job *job = (struct api_job *)work;

    job->run(job);
}

static void finish(struct worker_job *work)
{
    struct api_job *job = (struct api_job *)work;

    if (job->request != NULL) {
        assert(job->request->job == job);
        job->request->job = NULL;
    }
    if (!work->ran) { /* frees what it has */
        atomic_store(&job->forgotten, true);
        job->run(job);
    }
    job->finish(job);
}

void api_finish_jobs(struct context *context)
{
    struct worker_job *work;

    while ((work = workers_take_back(context->service->workers, context->shard)) != NULL) {
        finish(work);
    }
}

bool api_start_job(struct context *context, struct api_request *request, struct api_job *job,
                   enum api_job_kind kind)
{
    assert(request->job == NULL);
    job->context = context;
    job->request = request;
    job->work = (struct worker_job){.run = run,
                                    .network = ip_network(&connection_of(request->wsi)->address),
                                    .shard = context->shard,
                                    .trusted = kind == API_JOB_TRUSTED,
                                    .heavy = kind == API_JOB_HEAVY};
    atomic_init(&job->forgotten, false);
    if (!workers_add(context->service->workers, &job->work)) {
        return false;
    }
    request->job = job;
    request->status = 0; /* no answer yet */
    request->ticket = ++context->tickets;
    return true;
}

void api_forget_job(struct api_request *request)
{
    if (request->job != NULL) {
        request->job->request = NULL;
        atomic_store(&request->job->forgotten, true);
        request->job = NULL;
    }
}

void api_await(const struct api_request *request)
{
    /* Does not read bytes after the request: libwebsockets would end the connection because of
     * them. */
    lws_rx_flow_control(request->wsi, 0);
    lws_set_timeout(request->wsi, PENDING_TIMEOUT_HTTP_CONTENT, ANSWER_TIME);
}

#include "net/api/api_job.h"

#include <assert.h>

#include "net/api/api_rooms.h"

#define ANSWER_TIME 10 /* s until the hub must have answered */

static void run(uv_work_t *work)
{
    struct api_job *job = work->data;

    job->run(job);
}

static void finish(uv_work_t *work, int status)
{
    struct api_job *job = work->data;

    (void)status;
    if (job->request != NULL) {
        assert(job->request->job == job);
        job->request->job = NULL;
    }
    job->finish(job);
}

bool api_start_job(struct context *context, struct api_request *request, struct api_job *job)
{
    assert(request->job == NULL);
    job->context = context;
    job->request = request;
    job->work.data = job;
    atomic_init(&job->forgotten, false);
    if (uv_queue_work(context->loop, &job->work, run, finish) != 0) {
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
    }
}

void api_await(const struct api_request *request)
{
    /* Does not read bytes after the request: libwebsockets would end the connection because of
     * them. */
    lws_rx_flow_control(request->wsi, 0);
    lws_set_timeout(request->wsi, PENDING_TIMEOUT_HTTP_CONTENT, ANSWER_TIME);
}

#include "net/api/api_line.h"

#include "net/api/api_job.h"
#include "net/api/api_send.h"
#include "net/gate/bearer.h"
#include "net/gate/connection.h"

#define CHECK_TIME   100000 /* µs between two checks of a request's place in line … */
#define CHECK_GUESTS 256u   /* … for each 256 guests of the shard */
#define MORE_TIME    10000u /* ms for which it may be a guest, besides its wait */

static struct tries *tries_of(const struct context *context)
{
    return hub_tries(context->service->hub);
}

static void check_later(const struct context *context, const struct api_request *request)
{
    const lws_usec_t parts = 1 + (lws_usec_t)(context->admission.count / CHECK_GUESTS);

    lws_set_timer_usecs(request->wsi, CHECK_TIME * parts);
}

int api_stand_in_line(struct context *context, struct api_request *request)
{
    struct tries *tries = tries_of(context);
    struct api_fault fault;

    request->origin = bearer_origin(context, request->wsi);
    request->keys = tries_keys(tries, "", request->key, "");
    request->lined =
        tries_line_up(tries, request->origin, request->keys, hub_now(context->service->hub));
    if (!request->lined) {
        api_explain_tries(&fault, request->wait);
        return api_send_wait(request->wsi, &fault, request->wait);
    }
    request->ticket = ++context->tickets;
    api_await(request);
    connection_stand_in_line(context, request->wsi,
                             (uint32_t)(tries_longest(tries) / 1000) + MORE_TIME);
    check_later(context, request);
    return 0;
}

bool api_line_moves(struct context *context, struct api_request *request, struct tries_pass *pass)
{
    if (!request->lined) {
        return false;
    }
    if (!tries_pass_line(tries_of(context), request->origin, request->keys,
                         hub_now(context->service->hub), pass, NULL)) {
        check_later(context, request);
        return false;
    }
    request->lined = false;
    request->ticket = 0;
    connection_leave_line(context, request->wsi);
    lws_rx_flow_control(request->wsi, 1);
    return true;
}

void api_forget_line(const struct context *context, struct api_request *request)
{
    if (request->lined) {
        tries_leave_line(tries_of(context), request->origin, request->keys,
                         hub_now(context->service->hub));
        request->lined = false;
    }
}

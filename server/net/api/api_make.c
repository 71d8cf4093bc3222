#include "net/api/api_make.h"

#include <stdlib.h>
#include <string.h>

#include "net/api/api_job.h"
#include "net/api/api_send.h"
#include "net/gate/address.h"

void api_make(const struct service *service, struct hub_making *making, struct hub_made *made)
{
    const struct config *config = service->config;

    making->definition.people_max =
        config->room_people > 0 ? config->room_people : service->clients_max;
    hub_make_room(service->hub, making, made);
}

struct making {
    struct api_job job; /* the first */
    struct hub_making what;
    struct api_origin origin;
    char address[NETWORK_ADDRESS_MAX];
    struct hub_made *made;
};

static void destroy(struct making *making)
{
    free(making->origin.state);
    free(making->origin.change);
    free(making->made);
    free(making);
}

static void run(struct api_job *job)
{
    struct making *making = (struct making *)job;
    const struct hub_request *change = making->origin.change;

    if (change != NULL) {
        making->what.origin.changes = change->messages;
        making->what.origin.change_count = change->message_count;
    }
    if (!atomic_load(&job->forgotten)) {
        api_make(job->context->service, &making->what, making->made);
    }
}

static void finish(struct api_job *job)
{
    struct making *making = (struct making *)job;

    if (job->request != NULL) {
        job->request->made = making->made;
        job->request->status = API_CREATED;
        making->made = NULL;
        job->request->resume(job->context, job->request);
    }
    destroy(making);
}

bool api_start_making(struct context *context, struct api_request *request,
                      const struct room_definition *definition, bool listed,
                      const struct api_origin *origin)
{
    struct making *making = calloc(1, sizeof *making);

    if (making == NULL) {
        free(origin->state);
        free(origin->change);
        return false;
    }
    *making = (struct making){.job = {.run = run, .finish = finish},
                              .what = {.definition = *definition,
                                       .origin = {.state = origin->state, .size = origin->size},
                                       .address = making->address,
                                       .listed = listed},
                              .origin = *origin,
                              .made = calloc(1, sizeof *making->made)};
    address_of(request->wsi, making->address);
    if (making->made == NULL ||
        !api_start_job(context, request, &making->job,
                       definition->trusted ? API_JOB_TRUSTED : API_JOB_LIGHT)) {
        destroy(making);
        return false;
    }
    api_await(request);
    return true;
}

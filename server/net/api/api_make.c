#include "net/api/api_make.h"

#include <stdlib.h>
#include <string.h>

#include "net/api/api_job.h"
#include "net/api/api_send.h"
#include "net/gate/address.h"

void api_make(const struct service *service, struct room_definition *definition,
              const struct hub_origin *origin, bool listed, const char *address,
              struct api_made *made)
{
    const struct config *config = service->config;

    definition->people_max = config->room_people > 0 ? config->room_people : service->clients_max;
    made->retry_after = 0;
    made->boids_left = UINT64_MAX;
    made->result = hub_begin_room(service->hub, definition, origin, listed, address, &made->entry,
                                  &made->retry_after, &made->boids_left, &made->error);
    memcpy(made->key, definition->key, sizeof made->key);
}

struct making {
    struct api_job job; /* the first */
    struct room_definition definition;
    struct api_origin origin;
    bool listed;
    char address[NETWORK_ADDRESS_MAX];
    struct api_made *made;
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
    const struct hub_origin origin = {.state = making->origin.state,
                                      .size = making->origin.size,
                                      .change = making->origin.change};

    if (!atomic_load(&job->forgotten)) {
        api_make(job->context->service, &making->definition,
                 making->origin.state != NULL ? &origin : NULL, making->listed, making->address,
                 making->made);
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
                              .definition = *definition,
                              .origin = *origin,
                              .listed = listed,
                              .made = calloc(1, sizeof *making->made)};
    address_of(request->wsi, making->address);
    if (making->made == NULL || !api_start_job(context, request, &making->job)) {
        destroy(making);
        return false;
    }
    api_await(request);
    return true;
}

#include "net/http/admin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/cluster.h"
#include "hub/hub.h"
#include "net/gate/bearer.h"
#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/http/metrics.h"
#include "net/http/respond.h"

#define STATUS_TOO_MANY 429 /* has no name in libwebsockets */

/* Returns the word for /healthz that says whether flockd stores rooms on disk. */
static const char *data_word(const struct service *service)
{
    struct store_status status;

    if (hub_store(service->hub) == NULL) {
        return "none";
    }
    store_status(hub_store(service->hub), &status);
    return status.failing ? "failing" : status.late > STORE_LATE ? "slow" : "ok";
}

/* Returns true if this node is cut off from its cluster, or its rooms stand still because NATS does
 * not store its lease. */
static bool is_cut_off(const struct service *service)
{
    return service->cluster != NULL &&
           !(cluster_connected(service->cluster) && cluster_stands(service->cluster));
}

/* Writes the part of /healthz about the cluster; "" without one. */
static void write_cluster(const struct service *service, char *out, size_t capacity)
{
    if (service->cluster == NULL) {
        out[0] = '\0';
        return;
    }
    snprintf(out, capacity, ",\"cluster\":\"%sconnected\"", is_cut_off(service) ? "dis" : "");
}

static int serve_health(struct lws *wsi, const struct context *context, bool details)
{
    struct service *service = context->service;
    bool well = hub_healthy(service->hub) && !context->stopping;
    const char *status = well ? "ok" : "failing";
    char cluster[32];
    char text[232];

    write_cluster(service, cluster, sizeof cluster);
    snprintf(text, sizeof text, "{\"status\":\"%s\"%s}\n", status, cluster);
    if (details) {
        snprintf(text, sizeof text,
                 "{\"status\":\"%s\",\"version\":\"%s\",\"rooms\":%u,\"connections\":%u,"
                 "\"data\":\"%s\"%s}\n",
                 status, FLOCKD_VERSION, directory_count(hub_directory(service->hub)),
                 places_count(service->places), data_word(service), cluster);
    }
    return respond_text(wsi, well ? HTTP_STATUS_OK : HTTP_STATUS_SERVICE_UNAVAILABLE,
                        "application/json", text);
}

/* Answers /readyz: says whether more clients can connect. */
static int serve_ready(struct lws *wsi, const struct context *context)
{
    struct service *service = context->service;
    const char *status = context->stopping              ? "ending"
                         : !hub_healthy(service->hub)   ? "failing"
                         : is_cut_off(service)          ? "disconnected"
                         : places_full(service->places) ? "full"
                                                        : "ready";
    bool ready = strcmp(status, "ready") == 0;
    char text[64];

    snprintf(text, sizeof text, "{\"status\":\"%s\"}\n", status);
    return respond_text(wsi, ready ? HTTP_STATUS_OK : HTTP_STATUS_SERVICE_UNAVAILABLE,
                        "application/json", text);
}

/* open_memstream() prints the text behind PAGE_HEADROOM reserved bytes. */
static int serve_metrics(struct lws *wsi, const struct context *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int result = -1;

    if (out == NULL) {
        return -1;
    }
    fprintf(out, "%*s", PAGE_HEADROOM, "");
    metrics_print(out, context->service);
    if (fclose(out) == 0) {
        result = respond(wsi, &(struct response){.status = HTTP_STATUS_OK,
                                                 .type = METRICS_TYPE,
                                                 .cache = "no-store",
                                                 .body = (uint8_t *)text + PAGE_HEADROOM,
                                                 .size = size - PAGE_HEADROOM});
    }
    free(text);
    return result;
}

/* ---- who may see the figures ---- */

static int refuse_request(struct lws *wsi, unsigned status, struct respond_header extra,
                          const char *text)
{
    uint8_t body[PAGE_HEADROOM + 128];
    char *start = (char *)body + PAGE_HEADROOM;

    snprintf(start, sizeof body - PAGE_HEADROOM, "%s\n", text);
    return respond(wsi, &(struct response){.status = status,
                                           .type = "text/plain",
                                           .cache = "no-store",
                                           .body = body + PAGE_HEADROOM,
                                           .size = strlen(start),
                                           .extra = {extra}});
}

static int refuse_key(struct lws *wsi, enum tries_result tried, uint32_t wait)
{
    char seconds[16];

    snprintf(seconds, sizeof seconds, "%u", wait);
    return tried == TRIES_TOO_MANY
               ? refuse_request(wsi, STATUS_TOO_MANY,
                                (struct respond_header){"retry-after:", seconds},
                                "Too many wrong keys. Try again later.")
               : refuse_request(wsi, HTTP_STATUS_FORBIDDEN, (struct respond_header){0},
                                "Wrong metrics key.");
}

/* Returns true if the request may read the figures. A request with a wrong key is refused here:
 * then *refused is true and *result is what the HTTP callback must return. */
static bool may_see(const struct context *context, struct lws *wsi, bool *refused, int *result)
{
    const struct config *config = context->service->config;
    struct bearer_lock lock = {.kind = TRIES_METRICS, .key = config->metrics_key};
    char key[PROTO_KEY_MAX + 1];
    enum tries_result tried;
    uint32_t wait;

    *refused = false;
    if (config->admin_bind[0] != '\0' && connection_of(wsi)->port != CONNECTION_ADMIN) {
        return false;
    }
    if (config->metrics_key[0] == '\0') {
        return true;
    }
    if (!bearer_key(wsi, key)) {
        return false;
    }
    tried = bearer_try(context, wsi, &lock, key, (struct tries_pass){.kind = TRIES_NOW}, &wait);
    if (tried != TRIES_RIGHT) {
        *refused = true;
        *result = refuse_key(wsi, tried, wait);
    }
    return tried == TRIES_RIGHT;
}

static int ask_for_key(struct lws *wsi)
{
    return refuse_request(wsi, HTTP_STATUS_UNAUTHORIZED,
                          (struct respond_header){"www-authenticate:", "Bearer"},
                          "Expected Authorization: Bearer and the metrics key.");
}

int admin_serve(const struct context *context, struct lws *wsi, const char *path, bool *served)
{
    bool admin = connection_of(wsi)->port == CONNECTION_ADMIN;
    bool elsewhere = !admin && context->service->config->admin_bind[0] != '\0';
    bool health = strcmp(path, "/healthz") == 0;
    bool refused;
    bool sees;
    int result = 0;

    *served = true;
    if (health || (!elsewhere && strcmp(path, "/metrics") == 0)) {
        sees = may_see(context, wsi, &refused, &result);
        if (refused) {
            return result;
        }
        return health ? serve_health(wsi, context, sees)
               : sees ? serve_metrics(wsi, context)
                      : ask_for_key(wsi);
    }
    if (strcmp(path, "/readyz") == 0) {
        return serve_ready(wsi, context);
    }
    *served = admin;
    return admin ? respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain",
                                "This port serves /healthz, /readyz and /metrics.\n")
                 : 0;
}

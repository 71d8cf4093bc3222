#include "net/http/bearer.h"

#include <stdio.h>
#include <string.h>

#include "base/audit.h"
#include "base/log.h"
#include "hub/hub.h"
#include "net/gate/address.h"
#include "net/http/request.h"

#define BEARER "Bearer "

bool bearer_key(struct lws *wsi, char key[PROTO_KEY_MAX + 1])
{
    char authorization[sizeof BEARER + PROTO_KEY_MAX];
    bool bearer;

    request_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, authorization, sizeof authorization);
    bearer = strncasecmp(authorization, BEARER, strlen(BEARER)) == 0;
    snprintf(key, PROTO_KEY_MAX + 1, "%s", bearer ? authorization + strlen(BEARER) : "");
    return bearer;
}

uint64_t bearer_origin(const struct context *context, struct lws *wsi)
{
    char address[NETWORK_ADDRESS_MAX];

    address_of(wsi, address);
    return tries_origin_of_requests(hub_tries(context->service->hub), address);
}

static void record_wrong_key(const struct bearer_lock *lock, const char *address)
{
    const char *kind = tries_word(lock->kind);

    if (lock->room != NULL) {
        log_warn("a wrong %s key for room %s from %s", kind, lock->room, address);
    } else {
        log_warn("a wrong %s key of the server from %s", kind, address);
    }
    audit(&(struct audit_entry){.event = "wrong-key",
                                .kind = AUDIT_KEY,
                                .address = address,
                                .room = lock->room,
                                .what = kind});
}

enum tries_result bearer_try(const struct context *context, struct lws *wsi,
                             const struct bearer_lock *lock, const char *key,
                             struct tries_pass pass, uint32_t *wait)
{
    struct hub *hub = context->service->hub;
    char address[NETWORK_ADDRESS_MAX];
    struct tries_try try = {.kind = lock->kind,
                            .key = lock->key,
                            .made = lock->made,
                            .tried = key,
                            .origin = bearer_origin(context, wsi),
                            .now = hub_now(hub),
                            .pass = pass};
    enum tries_result result;

    address_of(wsi, address);
    try.also = tries_origin(hub_tries(hub), address);
    result = tries_compare(hub_tries(hub), &try, wait);
    if (result == TRIES_WRONG || (result == TRIES_TOO_MANY && pass.kind != TRIES_OR_LINE)) {
        record_wrong_key(lock, address);
    }
    return result;
}

#include "net/gate/bearer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/audit.h"
#include "base/log.h"
#include "hub/hub.h"
#include "net/gate/address.h"

#define BEARER "Bearer "

static_assert(sizeof BEARER + PROTO_KEY_MAX == BEARER_MAX, "a header with a key fits");

bool bearer_read(const char *authorization, char key[PROTO_KEY_MAX + 1])
{
    const bool bearer = strncasecmp(authorization, BEARER, strlen(BEARER)) == 0;

    snprintf(key, PROTO_KEY_MAX + 1, "%s", bearer ? authorization + strlen(BEARER) : "");
    return bearer;
}

bool bearer_key(struct lws *wsi, char key[PROTO_KEY_MAX + 1])
{
    char authorization[BEARER_MAX];

    if (lws_hdr_copy(wsi, authorization, sizeof authorization, WSI_TOKEN_HTTP_AUTHORIZATION) <= 0) {
        authorization[0] = '\0';
    }
    return bearer_read(authorization, key);
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

enum tries_result bearer_try_from(const struct context *context, const char *address,
                                  const struct bearer_lock *lock, const char *key,
                                  struct tries_pass pass, uint32_t *wait)
{
    struct hub *hub = context->service->hub;
    const struct tries_try try = {.kind = lock->kind,
                                  .key = lock->key,
                                  .made = lock->made,
                                  .tried = key,
                                  .origin = tries_origin_of_requests(hub_tries(hub), address),
                                  .also = tries_origin(hub_tries(hub), address),
                                  .now = hub_now(hub),
                                  .pass = pass};
    const enum tries_result result = tries_compare(hub_tries(hub), &try, wait);

    if (pass.kind != TRIES_EARLY &&
        (result == TRIES_WRONG || (result == TRIES_TOO_MANY && pass.kind != TRIES_OR_LINE))) {
        record_wrong_key(lock, address);
    }
    return result;
}

void bearer_note_wrong(const struct context *context, const char *address,
                       const struct bearer_lock *lock)
{
    tries_note_wrong(hub_tries(context->service->hub), lock->kind);
    record_wrong_key(lock, address);
}

enum tries_result bearer_try(const struct context *context, struct lws *wsi,
                             const struct bearer_lock *lock, const char *key,
                             struct tries_pass pass, uint32_t *wait)
{
    char address[NETWORK_ADDRESS_MAX];

    address_of(wsi, address);
    return bearer_try_from(context, address, lock, key, pass, wait);
}

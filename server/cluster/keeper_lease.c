/* The keeper's steps for its own lease and for the leases of silent nodes. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"

#define STEPS_MAX 16u /* of the lease in a row */

uint64_t keeper_now(void)
{
    return uv_hrtime() / 1000;
}

uint64_t keeper_random(void)
{
    uint64_t number = 0;

    while (number == 0) {
        if (getrandom(&number, sizeof number, 0) != sizeof number) {
            number = uv_hrtime();
        }
    }
    return number;
}

bool keeper_is_stopping(struct keeper *keeper)
{
    bool stopping;

    uv_mutex_lock(&keeper->lock);
    stopping = keeper->stopping;
    uv_mutex_unlock(&keeper->lock);
    return stopping;
}

bool keeper_is_sim(const struct keeper *keeper)
{
    return (keeper->definition.role & NODE_SIM) != 0;
}

void keeper_wake(struct keeper *keeper)
{
    uv_mutex_lock(&keeper->lock);
    keeper->dirty = true;
    uv_cond_broadcast(&keeper->changed);
    uv_mutex_unlock(&keeper->lock);
}

struct answer {
    enum broker_result result;
    uint64_t revision;
    struct node_lease value;
    bool known; /* the value could be read */
};

static struct answer do_step(struct keeper *keeper, const struct lease_step *step)
{
    struct broker *broker = keeper->definition.broker;
    struct answer answer = {.revision = step->revision};
    uint8_t written[VALUES_MAX];
    uint8_t *bytes = NULL;
    size_t size = 0;

    if (step->ask == LEASE_SET) {
        size = values_write_lease(&step->value, written);
        answer.result = broker_set(broker, BROKER_CONTROL, BROKER_NODES, step->node, written, size,
                                   &answer.revision);
        return answer;
    }
    answer.result = broker_get(broker, BROKER_CONTROL, BROKER_NODES, step->node, &bytes, &size,
                               &answer.revision);
    answer.known = answer.result == BROKER_OK && values_read_lease(bytes, size, &answer.value);
    free(bytes);
    return answer;
}

static void count_step(struct keeper *keeper, const struct lease_step *step,
                       enum broker_result result)
{
    struct cluster_counts *counts = keeper->definition.counts;

    if (strcmp(step->node, keeper->definition.node) != 0) {
        if (step->ask == LEASE_SET && result == BROKER_OK) {
            log_warn("node %s is declared dead", step->node);
        }
    } else if (step->ask == LEASE_SET) {
        keeper->renewal = result;
        cluster_count(result == BROKER_OK ? &counts->renewals : &counts->renewals_failed, 1);
    }
}

/* Notes what a step has changed. */
static void note_lease(struct keeper *keeper)
{
    bool lost;

    uv_mutex_lock(&keeper->lock);
    lost = keeper->losses != keeper->lease.losses;
    keeper->losses = keeper->lease.losses;
    routes_begin(keeper->routes, keeper->lease.held ? keeper->lease.value.incarnation : 0);
    uv_mutex_unlock(&keeper->lock);
    if (lost) {
        log_warn("this node was declared dead: other nodes have its rooms now");
    }
}

uint64_t keeper_renew(struct keeper *keeper)
{
    struct lease_step step;

    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        struct answer answer;
        uv_mutex_lock(&keeper->lock);
        lease_next(&keeper->lease, keeper_now(), &step);
        uv_mutex_unlock(&keeper->lock);
        if (step.ask == LEASE_WAIT) {
            return step.until;
        }
        answer = do_step(keeper, &step);
        count_step(keeper, &step, answer.result);
        uv_mutex_lock(&keeper->lock);
        lease_answered(&keeper->lease, &step, answer.result, answer.revision,
                       answer.known ? &answer.value : NULL, keeper_now());
        uv_mutex_unlock(&keeper->lock);
        note_lease(keeper);
    }
    return keeper_now() + LEASE_PERIOD / 10;
}

/* Returns why the lease could not be renewed. */
static const char *renewal_failed(const struct keeper *keeper)
{
    if (!broker_connected(keeper->definition.broker, BROKER_CONTROL)) {
        return "because NATS is away";
    }
    return keeper->renewal == BROKER_AWAY ? "because NATS refuses to store it"
                                          : "because NATS does not answer";
}

void keeper_note_stand(struct keeper *keeper)
{
    bool stands;

    uv_mutex_lock(&keeper->lock);
    stands = keeper_is_sim(keeper) ? lease_stands(&keeper->lease, keeper_now())
                                   : broker_connected(keeper->definition.broker, BROKER_CONTROL);
    uv_mutex_unlock(&keeper->lock);
    if (stands == atomic_load(&keeper->stands)) {
        return;
    }
    atomic_store(&keeper->stands, stands);
    if (keeper_is_sim(keeper) && keeper->hub != NULL) {
        if (stands) {
            log_info("this node has its lease: its rooms go on");
        } else {
            log_warn("this node cannot renew its lease, %s: its rooms stand still",
                     renewal_failed(keeper));
        }
        uv_mutex_lock(&keeper->hub_lock);
        if (!keeper->resting) {
            hub_stand(keeper->hub, stands);
        }
        uv_mutex_unlock(&keeper->hub_lock);
    }
}

bool keeper_stands(const struct keeper *keeper)
{
    return atomic_load(&keeper->stands);
}

/* The bytes of parcels, from a node that ends to another. The sender keeps them, and the receiver
 * asks for one part after the other. So only one part of a parcel is on its way, NATS stores
 * nothing, and nothing is left over when a node dies. Announcements and answers go to take.NODE,
 * parts to part.NODE on the line of checkpoints: they never stand before leases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/keeper_parts.h"

#define PACE UINT64_C(20000000) /* bytes a second, so that other messages are not late */

/* ns. */
#define LOOK      UINT64_C(50000000)   /* between two looks whether the other node is there */
#define ASK_AGAIN UINT64_C(250000000)  /* until the receiver asks for a part again */
#define PART_TIME UINT64_C(2000000000) /* that a part may take */
#define TIME      UINT64_C(4000000000) /* that a parcel may take, more than ROUTES_SILENT, … */
#define TIME_MIB  UINT64_C(250000000)  /* … and for each MiB */

uint64_t keeper_parcel_end(size_t size)
{
    return uv_hrtime() + TIME + (size >> 20) * TIME_MIB;
}

static uint32_t count_parts(size_t size)
{
    return (uint32_t)((size + KEEPER_PART_BYTES - 1) / KEEPER_PART_BYTES);
}

/* Returns the bytes of a part of a parcel of that size. */
static size_t size_of(uint32_t index, size_t size)
{
    const size_t at = (size_t)index * KEEPER_PART_BYTES;

    return size - at < KEEPER_PART_BYTES ? size - at : KEEPER_PART_BYTES;
}

static bool publish_to(struct keeper *keeper, enum broker_line line, const char *kind,
                       const char *node, const uint8_t *bytes, size_t size)
{
    char subject[BROKER_SUBJECT_MAX];

    snprintf(subject, sizeof subject, "%s.%s", kind, node);
    return broker_publish(keeper->definition.broker, line, subject, NULL, bytes, size);
}

/* ---- the sender ---- */

/* Sets the parcel whose answers are awaited; number 0: none. */
static void await_answers(struct keeper *keeper, uint64_t number, const char *receiver)
{
    uv_mutex_lock(&keeper->lock);
    keeper->sent = (struct parcel_answer){.number = number};
    snprintf(keeper->sent.node, sizeof keeper->sent.node, "%s", receiver);
    keeper->answered = false;
    uv_mutex_unlock(&keeper->lock);
}

/* Whether the receiver can still answer: it has not ended, and does not end. Needs the lock. */
static bool can_answer(struct keeper *keeper, const struct node_beat *receiver)
{
    return !lease_is_dead(&keeper->lease, receiver->name, receiver->incarnation) &&
           routes_runs_rooms(keeper->routes, receiver->name, receiver->incarnation, keeper_now());
}

bool keeper_may_receive(struct keeper *keeper, const struct node_beat *node)
{
    bool may;

    uv_mutex_lock(&keeper->lock);
    may = can_answer(keeper, node);
    uv_mutex_unlock(&keeper->lock);
    return may;
}

/* Waits for the receiver's next answer until that time (ns). Without an answer, the parcel counts
 * as refused, or as broken if the receiver has ended. */
static struct parcel_answer next_answer(struct keeper *keeper, const struct node_beat *receiver,
                                        uint64_t until)
{
    struct parcel_answer answer = {.result = PARCEL_REFUSED};

    uv_mutex_lock(&keeper->lock);
    while (!keeper->answered && uv_hrtime() < until && can_answer(keeper, receiver)) {
        (void)uv_cond_timedwait(&keeper->changed, &keeper->lock, LOOK);
    }
    if (keeper->answered) {
        answer = keeper->sent;
        keeper->answered = false;
    } else if (!can_answer(keeper, receiver)) {
        answer.result = PARCEL_BROKEN;
    }
    uv_mutex_unlock(&keeper->lock);
    return answer;
}

/* Waits until the next part may be sent, which has that many bytes. */
static void keep_pace(struct keeper *keeper, size_t size)
{
    const uint64_t now = uv_hrtime();

    if (keeper->part_from > now) {
        uv_sleep((unsigned)((keeper->part_from - now) / 1000000) + 1);
    }
    keeper->part_from = uv_hrtime() + UINT64_C(1000000000) * size / PACE;
}

static bool send_part(struct keeper *keeper, const struct room_parcel *parcel, const char *receiver,
                      const uint8_t *bytes, uint32_t index, uint8_t *message)
{
    const struct parcel_part part = {.number = parcel->number, .index = index};
    const size_t head = values_write_part(&part, message);
    const size_t size = size_of(index, parcel->size);

    memcpy(message + head, bytes + (size_t)index * KEEPER_PART_BYTES, size);
    keep_pace(keeper, size);
    return publish_to(keeper, BROKER_BULK, "part", receiver, message, head + size);
}

/* Announces the parcel, and sends the parts that the receiver asks for. message: of
 * KEEPER_PART_BYTES and a head. */
static enum parcel_result serve(struct keeper *keeper, const struct room_parcel *parcel,
                                const struct node_beat *receiver, const uint8_t *bytes,
                                uint64_t until, uint8_t *message)
{
    struct parcel_answer answer;

    if (!publish_to(keeper, BROKER_CONTROL, "take", receiver->name, message,
                    values_write_parcel(parcel, message))) {
        return PARCEL_BROKEN;
    }
    do {
        answer = next_answer(keeper, receiver, until);
    } while (answer.result == PARCEL_WANTED && answer.index < count_parts(parcel->size) &&
             send_part(keeper, parcel, receiver->name, bytes, answer.index, message));
    return answer.result == PARCEL_WANTED ? PARCEL_BROKEN : answer.result;
}

enum parcel_result keeper_send_parcel(struct keeper *keeper, const struct room_parcel *parcel,
                                      const struct routes_node *receiver, const uint8_t *bytes,
                                      uint64_t until)
{
    struct room_parcel sent = *parcel;
    enum parcel_result result;
    uint8_t *message;

    if (sent.size == 0 || sent.size > KEEPER_PARCEL_MAX ||
        receiver->beat.version < KEEPER_PARCELS_FROM) {
        return PARCEL_REFUSED;
    }
    message = malloc(VALUES_MAX + KEEPER_PART_BYTES);
    if (message == NULL) {
        return PARCEL_REFUSED;
    }
    sent.number = keeper_random();
    snprintf(sent.node, sizeof sent.node, "%s", keeper->definition.node);
    await_answers(keeper, sent.number, receiver->beat.name);
    result = serve(keeper, &sent, &receiver->beat, bytes, until, message);
    await_answers(keeper, 0, "");
    free(message);
    return result;
}

void keeper_hear_answer(struct keeper *keeper, const struct parcel_answer *answer)
{
    uv_mutex_lock(&keeper->lock);
    if (keeper->sent.number == answer->number && answer->number != 0 &&
        strcmp(keeper->sent.node, answer->node) == 0) {
        keeper->sent = *answer;
        keeper->answered = true;
        uv_cond_broadcast(&keeper->changed);
    }
    uv_mutex_unlock(&keeper->lock);
}

/* ---- the receiver ---- */

void keeper_answer_parcel(struct keeper *keeper, const struct room_parcel *parcel,
                          enum parcel_result result, uint32_t index)
{
    struct parcel_answer answer = {.number = parcel->number, .result = result, .index = index};
    uint8_t message[VALUES_MAX];

    snprintf(answer.node, sizeof answer.node, "%s", keeper->definition.node);
    (void)publish_to(keeper, BROKER_CONTROL, "take", parcel->node, message,
                     values_write_answer(&answer, message));
}

void keeper_hear_part(void *argument, const struct broker_message *message)
{
    struct keeper *keeper = argument;
    struct awaited_part *awaited = &keeper->awaited;
    struct parcel_part part;
    size_t head;

    if (!values_read_part(message->bytes, message->size, &part, &head)) {
        cluster_count(&keeper->definition.counts->malformed, 1);
        return;
    }
    uv_mutex_lock(&keeper->lock);
    if (awaited->bytes != NULL && awaited->number == part.number && awaited->index == part.index &&
        awaited->size == message->size - head) {
        memcpy(awaited->bytes, message->bytes + head, awaited->size);
        awaited->bytes = NULL;
        uv_cond_broadcast(&keeper->changed);
    }
    uv_mutex_unlock(&keeper->lock);
}

/* Waits for the awaited part until that time (ns). Returns whether it has come. Needs the lock. */
static bool await_part(struct keeper *keeper, uint64_t until)
{
    uint64_t now = uv_hrtime();

    while (keeper->awaited.bytes != NULL && !keeper->stopping && now < until) {
        (void)uv_cond_timedwait(&keeper->changed, &keeper->lock, until - now);
        now = uv_hrtime();
    }
    return keeper->awaited.bytes == NULL;
}

/* Asks for a part until it has come, or until that time (ns). */
static bool fetch_part(struct keeper *keeper, const struct room_parcel *parcel,
                       const struct awaited_part *part, uint64_t until)
{
    bool come = false;

    uv_mutex_lock(&keeper->lock);
    keeper->awaited = *part;
    while (!come && !keeper->stopping && uv_hrtime() < until) {
        const uint64_t again = uv_hrtime() + ASK_AGAIN;
        uv_mutex_unlock(&keeper->lock);
        keeper_answer_parcel(keeper, parcel, PARCEL_WANTED, part->index);
        uv_mutex_lock(&keeper->lock);
        come = await_part(keeper, again < until ? again : until);
    }
    keeper->awaited.bytes = NULL;
    uv_mutex_unlock(&keeper->lock);
    return come;
}

bool keeper_read_parcel(struct keeper *keeper, const struct room_parcel *parcel, uint8_t *bytes)
{
    const uint64_t end = keeper_parcel_end(parcel->size);
    struct awaited_part part = {.number = parcel->number};
    bool come = true;

    for (; part.index < count_parts(parcel->size) && come; part.index++) {
        const uint64_t most = uv_hrtime() + PART_TIME;
        part.bytes = bytes + (size_t)part.index * KEEPER_PART_BYTES;
        part.size = size_of(part.index, parcel->size);
        come = fetch_part(keeper, parcel, &part, most < end ? most : end);
    }
    return come;
}

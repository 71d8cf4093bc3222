/* Changes of many keys at once: they go to NATS in one write, and their answers come together. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/nats/inside.h"

#define ANSWERS_PATIENCE 5000 /* ms */
#define ANSWERS_TURN     200  /* ms until the line is looked at */
#define ANSWER_MAX       512u /* bytes */
#define REVISION_HEADER  "Nats-Expected-Last-Subject-Sequence"

/* Returns the number behind that name in an answer; 0: there is none. */
static uint64_t find_number(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at != NULL ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Reads the answer to a change: {"stream":"…","seq":N}, or {"error":{"code":…,"err_code":N,…}}. */
static void read_answer(natsMsg *message, struct broker_change *change)
{
    const size_t size = (size_t)natsMsg_GetDataLength(message);
    char text[ANSWER_MAX];
    uint64_t revision;

    if (size >= sizeof text) {
        return;
    }
    memcpy(text, natsMsg_GetData(message), size);
    text[size] = '\0';
    if (strstr(text, "\"error\":") != NULL) {
        change->result = find_number(text, "\"err_code\":") == JSStreamWrongLastSequenceErr
                             ? BROKER_CONFLICT
                             : BROKER_AWAY;
        return;
    }
    revision = find_number(text, "\"seq\":");
    if (revision != 0) {
        change->revision = revision;
        change->result = BROKER_OK;
    }
}

/* Takes the answer to one of the changes: the last part of its subject is the change's number.
 * Returns whether it is the first one. */
static bool take_answer(natsMsg *message, struct broker_change *changes, size_t count)
{
    const char *dot = strrchr(natsMsg_GetSubject(message), '.');
    const uint64_t number = dot != NULL ? strtoull(dot + 1, NULL, 10) : count;

    if (number >= count || changes[number].result != BROKER_UNKNOWN) {
        return false;
    }
    read_answer(message, &changes[number]);
    return changes[number].result != BROKER_UNKNOWN;
}

/* Notes that NATS did not take the changes without an answer. */
static void note_refused(struct broker_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (changes[i].result == BROKER_UNKNOWN) {
            changes[i].result = BROKER_AWAY;
        }
    }
}

/* Waits for that many answers, as long as the line stays. While the servers of NATS elect a leader,
 * they take no change; libnats then reports a refusal, but not of which change. */
static void take_answers(const struct line *line, natsSubscription *answers,
                         struct broker_change *changes, size_t count, size_t sent)
{
    const uint32_t returns = line->returns;
    const int64_t end = nats_Now() + ANSWERS_PATIENCE;
    size_t refused = 0;

    while (sent > refused && nats_Now() < end && line->returns == returns &&
           line->broker->broker.connected[line->which]) {
        natsMsg *message = NULL;
        const natsStatus status = natsSubscription_NextMsg(&message, answers, ANSWERS_TURN);
        if (status == NATS_OK) {
            sent -= take_answer(message, changes, count);
            natsMsg_Destroy(message);
        } else if (status == NATS_NO_RESPONDERS) {
            refused++;
        } else if (status != NATS_TIMEOUT) {
            return;
        }
    }
    if (sent == refused) {
        note_refused(changes, count);
    }
}

/* Sends a change, whose answer goes to `inbox` with the change's number. */
static bool send_change(const struct line *line, enum broker_bucket bucket, const char *inbox,
                        size_t number, const struct broker_change *change)
{
    char reply[NAME_MAX_BYTES + 24];
    char subject[NAME_MAX_BYTES];
    char revision[24];
    natsMsg *message = NULL;
    bool sent;

    if (change->size > BROKER_PAYLOAD_MIN ||
        !broker_write_key(line->broker, bucket, change->key, subject)) {
        return false;
    }
    snprintf(reply, sizeof reply, "%s.%zu", inbox, number);
    snprintf(revision, sizeof revision, "%" PRIu64, change->revision);
    sent = natsMsg_Create(&message, subject, reply, (const char *)change->bytes,
                          (int)change->size) == NATS_OK &&
           natsMsgHeader_Set(message, REVISION_HEADER, revision) == NATS_OK &&
           natsConnection_PublishMsg(line->connection, message) == NATS_OK;
    natsMsg_Destroy(message);
    return sent;
}

static size_t send_changes(const struct line *line, enum broker_bucket bucket, const char *inbox,
                           struct broker_change *changes, size_t count)
{
    size_t sent = 0;

    for (size_t i = 0; i < count; i++) {
        changes[i].result = BROKER_AWAY;
        if (send_change(line, bucket, inbox, i, &changes[i])) {
            changes[i].result = BROKER_UNKNOWN;
            sent++;
        }
    }
    return sent;
}

static void count_results(struct broker_stats *stats, const struct broker_change *changes,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        broker_count_change(stats, changes[i].result);
    }
}

void broker_nats_set_all(struct broker *broker, enum broker_line which, enum broker_bucket bucket,
                         struct broker_change *changes, size_t count)
{
    struct broker_nats *nats = broker_as_nats(broker);
    const struct line *line = &nats->lines[which];
    natsSubscription *answers = NULL;
    char inbox[NAME_MAX_BYTES];
    char subject[NAME_MAX_BYTES + 2];

    snprintf(inbox, sizeof inbox, "_INBOX.%s.%s.set.%" PRIx64, nats->definition.role,
             nats->definition.node, (uint64_t)nats_NowInNanoSeconds());
    snprintf(subject, sizeof subject, "%s.*", inbox);
    for (size_t i = 0; i < count; i++) {
        changes[i].result = BROKER_AWAY;
    }
    if (broker->connected[which] &&
        natsConnection_SubscribeSync(&answers, line->connection, subject) == NATS_OK) {
        take_answers(line, answers, changes, count,
                     send_changes(line, bucket, inbox, changes, count));
    }
    natsSubscription_Unsubscribe(answers);
    natsSubscription_Destroy(answers);
    count_results(&broker->stats, changes, count);
}

/* Keys. Reads ask the leader of a bucket, because other replicas may lag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/nats/inside.h"

const char *const broker_bucket_names[BROKER_BUCKETS] = {"nodes", "rooms", "checks"};

bool broker_write_stream(const struct broker_nats *nats, enum broker_bucket bucket, char *out)
{
    return broker_write_name(nats, out, "KV_", '_', broker_bucket_names[bucket]);
}

/* Writes the subject of a key: $KV.PREFIX_BUCKET.KEY. */
bool broker_write_key(const struct broker_nats *nats, enum broker_bucket bucket, const char *key,
                      char *out)
{
    int size = snprintf(out, NAME_MAX_BYTES, "$KV.%s_%s.%s", nats->definition.prefix,
                        broker_bucket_names[bucket], key);

    return size > 0 && size < (int)NAME_MAX_BYTES;
}

/* Returns what a failed request for a change or a value means. */
static enum broker_result result_of(natsStatus status, jsErrCode code)
{
    if (code == JSStreamWrongLastSequenceErr) {
        return BROKER_CONFLICT;
    }
    if (code == JSNoMessageFoundErr || status == NATS_NOT_FOUND) {
        return BROKER_NONE;
    }
    if (status == NATS_NO_MEMORY) {
        return BROKER_NO_MEMORY;
    }
    /* With these, the server has refused the request, or has never had it. */
    if (code != 0 || status == NATS_NO_RESPONDERS || status == NATS_INSUFFICIENT_BUFFER ||
        status == NATS_CONNECTION_CLOSED || status == NATS_MAX_PAYLOAD) {
        return BROKER_AWAY;
    }
    return BROKER_UNKNOWN;
}

enum broker_result broker_count_change(struct broker_stats *stats, enum broker_result result)
{
    if (result == BROKER_OK) {
        broker_add(&stats->puts, 1);
    } else if (result == BROKER_CONFLICT) {
        broker_add(&stats->conflicts, 1);
    } else if (result == BROKER_UNKNOWN) {
        broker_add(&stats->unknown, 1);
    }
    return result;
}

/* Writes a message of the key's subject. expected: see broker_set(); NULL: any. */
static enum broker_result change_key(struct broker *broker, enum broker_line which,
                                     natsMsg *message, const uint64_t *expected, uint64_t *revision)
{
    jsPubOptions options;
    jsPubAck *done = NULL;
    jsErrCode code = 0;
    natsStatus status;

    jsPubOptions_Init(&options);
    if (expected != NULL) {
        options.ExpectLastSubjectSeq = *expected;
        options.ExpectNoMessage = *expected == 0;
    }
    status = js_PublishMsg(&done, broker_as_nats(broker)->lines[which].jetstream, message, &options,
                           &code);
    if (status != NATS_OK) {
        return broker_count_change(&broker->stats, result_of(status, code));
    }
    if (revision != NULL) {
        *revision = done->Sequence;
    }
    jsPubAck_Destroy(done);
    return broker_count_change(&broker->stats, BROKER_OK);
}

static enum broker_result write_value(struct broker *broker, enum broker_line which,
                                      enum broker_bucket bucket, const char *key,
                                      const uint8_t *bytes, size_t size, const uint64_t *expected,
                                      uint64_t *revision)
{
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    enum broker_result result;

    if (!broker->connected[which] || size > BROKER_PAYLOAD_MIN ||
        !broker_write_key(broker_as_nats(broker), bucket, key, subject)) {
        return BROKER_AWAY;
    }
    if (natsMsg_Create(&message, subject, NULL, (const char *)bytes, (int)size) != NATS_OK) {
        return BROKER_NO_MEMORY;
    }
    result = change_key(broker, which, message, expected, revision);
    natsMsg_Destroy(message);
    return result;
}

enum broker_result broker_nats_set(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                   size_t size, uint64_t *revision)
{
    return write_value(broker, which, bucket, key, bytes, size, revision, revision);
}

enum broker_result broker_nats_put(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, const uint8_t *bytes,
                                   size_t size, uint64_t *revision)
{
    return write_value(broker, which, bucket, key, bytes, size, NULL, revision);
}

enum broker_result broker_nats_drop(struct broker *broker, enum broker_line which,
                                    enum broker_bucket bucket, const char *key, uint64_t *revision)
{
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    enum broker_result result = BROKER_NO_MEMORY;

    if (!broker->connected[which] ||
        !broker_write_key(broker_as_nats(broker), bucket, key, subject)) {
        return BROKER_AWAY;
    }
    if (natsMsg_Create(&message, subject, NULL, NULL, 0) == NATS_OK &&
        natsMsgHeader_Set(message, "KV-Operation", "DEL") == NATS_OK) {
        result = change_key(broker, which, message, revision, revision);
    }
    natsMsg_Destroy(message);
    return result;
}

/* Stores a copy of the message's value. */
static enum broker_result read_value(natsMsg *message, uint8_t **bytes, size_t *size,
                                     uint64_t *revision)
{
    const char *operation = NULL;

    *revision = natsMsg_GetSequence(message);
    if (natsMsgHeader_Get(message, "KV-Operation", &operation) == NATS_OK) {
        return BROKER_NONE;
    }
    *size = (size_t)natsMsg_GetDataLength(message);
    *bytes = malloc(*size + 1);
    if (*bytes == NULL) {
        return BROKER_NO_MEMORY;
    }
    memcpy(*bytes, natsMsg_GetData(message), *size);
    return BROKER_OK;
}

enum broker_result broker_nats_get(struct broker *broker, enum broker_line which,
                                   enum broker_bucket bucket, const char *key, uint8_t **bytes,
                                   size_t *size, uint64_t *revision)
{
    struct broker_nats *nats = broker_as_nats(broker);
    char stream[NAME_MAX_BYTES];
    char subject[NAME_MAX_BYTES];
    natsMsg *message = NULL;
    jsErrCode code = 0;
    enum broker_result result;
    natsStatus status;

    *bytes = NULL;
    *size = 0;
    *revision = 0;
    if (!broker->connected[which] || !broker_write_stream(nats, bucket, stream) ||
        !broker_write_key(nats, bucket, key, subject)) {
        return BROKER_AWAY;
    }
    status = js_GetLastMsg(&message, nats->lines[which].jetstream, stream, subject, NULL, &code);
    if (status != NATS_OK) {
        return result_of(status, code);
    }
    result = read_value(message, bytes, size, revision);
    natsMsg_Destroy(message);
    return result;
}

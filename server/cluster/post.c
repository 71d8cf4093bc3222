#include "cluster/post.h"

#include <assert.h>
#include <stdio.h>

bool post_send(struct post *post, const char *subject, struct wire_writer *message,
               uint64_t *number, uint64_t now)
{
    if (number != NULL) {
        (*number)++;
    }
    wire_seal(message, number != NULL ? *number : 0, now);
    if (!broker_publish(post->broker, BROKER_DATA, subject, NULL, message->bytes, message->size)) {
        cluster_count(&post->counts->publish_failed, 1);
        return false;
    }
    cluster_count(&post->counts->messages_out, 1);
    cluster_count(&post->counts->bytes_out, message->size);
    return true;
}

struct broker_subscription *post_subscribe(struct post *post, const char *subject)
{
    return broker_subscribe(post->broker, BROKER_DATA, subject, post->deliver, post->argument);
}

void post_unsubscribe(struct post *post, struct broker_subscription *subscription)
{
    broker_unsubscribe(post->broker, subscription);
}

void post_subject(char out[BROKER_SUBJECT_MAX], const char *kind, const char *name)
{
    assert(wire_code_is_valid(name) || node_name_is_valid(name));
    (void)snprintf(out, BROKER_SUBJECT_MAX, "%s.%s", kind, name);
}

/* Numbers of messages begin with each process: it must not get those to an earlier one. */
void post_edge_subject(char out[BROKER_SUBJECT_MAX], const char *node, uint32_t incarnation)
{
    (void)snprintf(out, BROKER_SUBJECT_MAX, "%s.%s.%08x", POST_EDGE, node, incarnation);
}

void post_stream_subject(char out[BROKER_SUBJECT_MAX], const char *code, uint32_t stream)
{
    assert(wire_code_is_valid(code));
    (void)snprintf(out, BROKER_SUBJECT_MAX, "%s.%s.%u", POST_FRAMES, code, stream);
}

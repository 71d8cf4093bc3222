/* An intake: how much a client may send. Messages, errors and bytes outside messages each have an
 * allowance that refills over time; PROTOCOL.md, Limits, states them.
 *
 * Pure: times are passed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include <stdbool.h>
#include <stdint.h>

struct intake {
    float messages;   /* messages that may arrive at once */
    float ignored;    /* messages ignored; decays over time */
    float errors;     /* errors answered; decays over time */
    float besides;    /* bytes outside messages that may arrive at once */
    uint32_t at;      /* time of the four fields above */
    uint32_t told_at; /* when the client was warned of a flood; 0: not recently */
};

enum intake_verdict {
    INTAKE_READ,
    INTAKE_TELL, /* ignore the message and warn the client */
    INTAKE_IGNORE,
    INTAKE_END, /* end the session: too many messages were ignored */
};

void intake_init(struct intake *intake, uint32_t now);

/* Counts a message, and returns what to do with it. */
enum intake_verdict intake_message(struct intake *intake, uint32_t now);

/* Counts an answered error. Returns false if the session must end. */
bool intake_error(struct intake *intake, uint32_t now);

/* Counts bytes outside messages; a negative number corrects an earlier estimate. Returns false if
 * the session must end. */
bool intake_besides(struct intake *intake, int32_t bytes, uint32_t now);

/* Must be called after the server itself stood still for `time` ms: all messages of that time
 * arrive at once. */
void intake_skip(struct intake *intake, uint32_t time);

#endif

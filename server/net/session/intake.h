/* An intake: how much a client may say. Messages, mistakes and what is sent besides messages each
 * have an allowance that is used up and comes back with time; PROTOCOL.md, Limits, states them.
 *
 * Pure: times are handed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include <stdbool.h>
#include <stdint.h>

struct intake {
    float messages; /* that may come at once */
    float ignored;  /* messages past that, not forgotten yet */
    float errors;   /* answered and not forgiven yet */
    float besides;  /* bytes besides messages that may come at once */
    uint32_t at;    /* these are as of then */
    uint32_t told_at;
    bool told; /* of a flood, at told_at */
};

enum intake_verdict {
    INTAKE_READ,
    INTAKE_TELL, /* ignore the message, and say so */
    INTAKE_IGNORE,
    INTAKE_END, /* too many have been ignored */
};

void intake_init(struct intake *intake, uint32_t now);

/* A message has come. */
enum intake_verdict intake_message(struct intake *intake, uint32_t now);

/* A mistake is answered. False: it is one too many, and the last. */
bool intake_error(struct intake *intake, uint32_t now);

/* So many bytes besides messages have come; below 0: as many fewer than was thought. False: these
 * are too many. */
bool intake_besides(struct intake *intake, int32_t bytes, uint32_t now);

/* The server itself stood still for so long (ms): what came meanwhile comes at once. */
void intake_skip(struct intake *intake, uint32_t time);

#endif

/* A member: a person in a room, named by a handle that the room gives. */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdint.h>

/* generation << 32 | index + 1; 0: no member. Indices stay below the largest number of members at a
 * time. */
typedef uint64_t room_member;

static inline uint32_t room_member_index(room_member member)
{
    return (uint32_t)member - 1;
}

#endif

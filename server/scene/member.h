/* A member: a person in a room, named by a handle that the room gives. */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdint.h>

/* generation << 32 | index + 1; 0 is nobody. Indices are small: below the most members that the
 * room has had at a time. */
typedef uint64_t room_member;

static inline uint32_t room_member_index(room_member member)
{
    return (uint32_t)member - 1;
}

#endif

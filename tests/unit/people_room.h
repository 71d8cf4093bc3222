/* People to test with: room for ROOM of them, who join, come back and move. */
#ifndef PEOPLE_ROOM_H
#define PEOPLE_ROOM_H

#include "scene/people.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND  UINT64_C(1000000)
#define ROOM    300
#define TIMEOUT (10 * SECOND)

static struct people people;

static inline int make(void **state)
{
    (void)state;
    people_init(&people, ROOM);
    return 0;
}

static inline int destroy(void **state)
{
    (void)state;
    people_finish(&people);
    return 0;
}

static inline struct proto_hello hello_of(const char *name, const uint8_t *token)
{
    struct proto_hello hello = {.version = 1, .has_token = token != NULL};

    snprintf(hello.name, sizeof hello.name, "%s", name);
    if (token != NULL) {
        memcpy(hello.token, token, sizeof hello.token);
    }
    return hello;
}

static inline enum people_result try_join(const char *name, const uint8_t *token, uint64_t now,
                                          uint32_t *slot, room_member *replaced)
{
    struct proto_hello hello = hello_of(name, token);

    *replaced = 99;
    return people_join(&people, &hello, now, slot, replaced);
}

static inline uint32_t rejoin(const char *name, const uint8_t *token, uint64_t now,
                              room_member *replaced)
{
    uint32_t slot;

    assert_int_equal(try_join(name, token, now, &slot, replaced), PEOPLE_OK);
    assert_int_equal(people_find(&people, people.slots[slot].member), slot);
    return slot;
}

/* Someone new joins. */
static inline uint32_t join(const char *name, uint64_t now)
{
    room_member replaced;
    uint32_t slot = rejoin(name, NULL, now, &replaced);

    assert_int_equal(replaced, 0);
    return slot;
}

static inline void move(uint32_t slot, uint64_t now)
{
    static float x; /* elsewhere each time */

    x += 1;
    people_move(&people, slot, x, 2, now, TIMEOUT);
}

#endif

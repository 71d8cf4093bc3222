#include "shares.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "hub/hub.h"
#include "threads.h"

#define MADE_MAX     64u
#define TURNS        512u      /* that are stored */
#define TICK_LEAST   (5 * MS)  /* of a room whose creator is not trusted */
#define TICK_MOST    (20 * MS) /* the longest tick while rooms of others run: SHARED_TICK */
#define MESSAGE_MOST (10 * MS)
#define SMALL_TIME   (40 * UINT64_C(1000)) /* ns of a trusted room's tick or message */

/* A tick waits for the turn that runs, and for the turns of all trusted rooms. */
#define WAIT_MOST (TICK_MOST + 3 * MS)
/* The most that a creator gets beyond another one that waits: the turn that runs, as much as the
 * other one's last turn took, and a turn that takes longer than the one before it. */
#define BEYOND_MOST (3 * TICK_MOST)

struct made {
    char code[PROTO_ROOM_MAX + 1];
    enum shares_creator creator;
    uint64_t tick; /* ns that its ticks take */
};

struct turn_time {
    uint64_t begin, end; /* ns */
    enum shares_creator creator;
};

static bool hostile;
static const struct hub *hub;
static struct made rooms[MADE_MAX];
static uint32_t room_next;
static struct turn_time turns[TURNS];
static uint32_t turn_next;
static uint64_t longest_wait, most_beyond;
static bool had_messages;

void shares_begin(bool life_is_hostile)
{
    hostile = life_is_hostile;
    hub = NULL;
    memset(rooms, 0, sizeof rooms);
    memset(turns, 0, sizeof turns);
}

bool shares_hostile(void)
{
    return hostile;
}

void shares_serve(const struct hub *new_hub)
{
    hub = new_hub;
    memset(turns, 0, sizeof turns);
}

void shares_made(const char *code, enum shares_creator creator)
{
    struct made *made = &rooms[room_next++ % MADE_MAX];

    *made = (struct made){.creator = creator, .tick = SMALL_TIME};
    snprintf(made->code, sizeof made->code, "%s", code);
    if (hostile && creator != SHARES_TRUSTED) {
        made->tick = TICK_LEAST + chance_below(TICK_MOST - TICK_LEAST);
    }
}

/* Returns the room's entry, or NULL: the lobby, which the server trusts. */
static const struct made *find_made(const char *code)
{
    for (uint32_t i = 0; i < MADE_MAX; i++) {
        if (strcmp(rooms[i].code, code) == 0) {
            return &rooms[i];
        }
    }
    return NULL;
}

/* Returns how much time (ns) the creator's rooms got since `since`. */
static uint64_t served(enum shares_creator creator, uint64_t since)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < TURNS; i++) {
        if (turns[i].creator == creator && turns[i].end > since) {
            sum += turns[i].end - (turns[i].begin > since ? turns[i].begin : since);
        }
    }
    return sum;
}

/* Lets the runner work for that time. */
static void take_time(enum shares_creator creator, uint64_t time)
{
    struct turn_time *turn = &turns[turn_next++ % TURNS];

    *turn = (struct turn_time){threads_now(), threads_now() + time, creator};
    threads_work(time);
}

/* Checks the tick of a creator's room, which was due at `since`. */
static void check_creator(enum shares_creator creator, uint64_t since)
{
    const enum shares_creator other = creator == SHARES_FIRST ? SHARES_SECOND : SHARES_FIRST;
    const uint64_t own = served(creator, since);
    const uint64_t others = served(other, since);

    if (others > own + most_beyond) {
        most_beyond = others - own;
    }
    check(others <= own + BEYOND_MOST,
          "while a room waited for its tick, its creator got %.1f ms and another one %.1f ms",
          (double)own / 1e6, (double)others / 1e6);
}

void shares_tick(const char *code, uint64_t deadline)
{
    const struct made *made = find_made(code);
    const enum shares_creator creator = made != NULL ? made->creator : SHARES_TRUSTED;

    if (hub == NULL) {
        return;
    }
    const uint64_t wait = (hub_now(hub) - deadline) * 1000;
    if (creator != SHARES_TRUSTED) {
        check_creator(creator, threads_now() > wait ? threads_now() - wait : 0);
    } else {
        longest_wait = wait > longest_wait ? wait : longest_wait;
        check(wait <= WAIT_MOST, "the tick of the trusted room %s waited for %.1f ms", code,
              (double)wait / 1e6);
    }
    take_time(creator, made != NULL ? made->tick : SMALL_TIME);
}

void shares_message(const char *code)
{
    const struct made *made = find_made(code);

    had_messages = true;
    if (made != NULL && made->creator != SHARES_TRUSTED) {
        take_time(made->creator, chance_below(MESSAGE_MOST));
    } else {
        take_time(SHARES_TRUSTED, SMALL_TIME);
    }
}

bool shares_had_messages(void)
{
    const bool had = had_messages;

    had_messages = false;
    return had;
}

uint64_t shares_longest_wait(void)
{
    return longest_wait;
}

uint64_t shares_most_beyond(void)
{
    return most_beyond;
}

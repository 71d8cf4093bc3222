/* What a room is made of; for the room's own files, not for its users. */
#ifndef ROOM_STATE_H
#define ROOM_STATE_H

#include "room/news.h"
#include "room/presence.h"
#include "room/room.h"
#include "room/stream.h"
#include "scene/people.h"
#include "scene/presets.h"
#include "scene/undo.h"

/* What members see while the room shows its past; rewind.c writes it, in each of the room's turns.
 */
struct room_shown {
    const struct room *room; /* what the room was then; NULL: they see the present */
    uint64_t clock;          /* µs on the clock of that room: the moment that is shown */
    bool seeks;              /* another moment is being made: until it is there, no snapshots */
    struct proto_past past;  /* the message of it, */
    const struct past_people *people; /* and who is in it; NULL: nobody */
};

struct room {
    struct room_definition definition; /* its title, key, policy and idle rule change */
    struct room_sink sink;
    const struct flock_preset *preset; /* in force, or NULL */
    const struct flock_preset *origin; /* its parameters are the initial ones, and its look is the
                                          flock's; NULL: the initial ones are the model's */
    struct presets presets;
    uint32_t boids; /* of a reset */
    struct flock *flock;
    struct history *history; /* NULL: it keeps none */
    struct rewind *rewind;   /* NULL: it shows the present */
    struct room_shown shown;
    bool replays;         /* it plays a film; the store saves it as such */
    bool replayed;        /* it did when it was saved, and showed this: */
    struct proto_past at; /* back and speed */
    struct people people;
    struct streams streams;
    struct presence presence;
    struct news news;
    struct undo undo;
    float quantum;
    uint64_t ticks;       /* of the flock */
    uint64_t rounds;      /* room_tick() calls: ticks, and those in which it was paused */
    uint64_t rewound;     /* room_tick() calls in which it showed its past */
    uint32_t epoch_shift; /* added to the flock's epochs: see rewind.c */
    uint32_t steps;       /* to make one by one, though paused */
    uint64_t clock_shift; /* see room_clock() */
    bool paused;
    bool somebody_waits; /* see members_grant_waiting() */
    bool cursors_scare;  /* the flock flees from them, instead of going there */
    bool viewers_watch;  /* only presenters' cursors count and are shown */
    bool has_attention;  /* a presenter asks for attention, with that text, maybe "" */
    char attention[PROTO_TEXT_MAX + 1];
    bool store_failing; /* see room_note_store() */
    bool has_target;
    struct flock_point target;
    uint32_t changes; /* see struct room_facts */
    /* What the room is, and its parameters' values, as often as they changed, and as the frames
     * say. */
    uint32_t versions[VIEW_PARTS], framed[VIEW_PARTS];
    struct frame *frames[VIEW_PARTS];
    struct frame *welcome; /* memory for that of whoever has just joined, or NULL */
    uint32_t events;       /* number of the newest */
    struct frame *event_frames[VIEW_EVENTS];
};

/* The room's clock when the server's is `now`: µs. It goes on from where a room was saved; all that
 * the room keeps, and the way of the wandering target, is by it. What it says to members is by the
 * server's. */
static inline uint64_t room_clock(const struct room *room, uint64_t now)
{
    return now + room->clock_shift; /* both may wrap around */
}

/* The room as members see it: itself, or what it was at the moment of its past that it shows. */
static inline const struct room *room_shown(const struct room *room)
{
    return room->shown.room != NULL ? room->shown.room : room;
}

/* What it is for those outside, and what outlives the process: itself, or the film's moment. */
static inline const struct room *room_kept(const struct room *room)
{
    return room->replays ? room_shown(room) : room;
}

/* The time on the clock of that. */
static inline uint64_t room_shown_clock(const struct room *room, uint64_t now)
{
    return room->shown.room != NULL ? room->shown.clock : room_clock(room, now);
}

/* Whether the person's cursor counts, and is seen; `now` on the room's clock. */
static inline bool room_cursor_active(const struct room *room, const struct person *person,
                                      uint64_t now)
{
    return cursor_active(&person->cursor, now, room->definition.cursor_timeout) &&
           (!room->viewers_watch || person->role == PROTO_PRESENTER);
}

/* room_direct() of a replay, whose cursors change by its inputs alone. */
bool room_repeat(struct room *room, const struct proto_client_message *message, uint64_t now,
                 struct proto_error *error);

#endif

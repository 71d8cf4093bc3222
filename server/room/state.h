/* The parts of a room; for the room's own files, not for its users. */
#ifndef ROOM_STATE_H
#define ROOM_STATE_H

#include <assert.h>

#include "past/marks.h"
#include "room/describe.h"
#include "room/drag.h"
#include "room/groups.h"
#include "room/identity.h"
#include "room/moves.h"
#include "room/news.h"
#include "room/picks.h"
#include "room/presence.h"
#include "room/room.h"
#include "room/stream.h"
#include "room/topics.h"
#include "scene/scene.h"

struct draws;
struct history;
struct rewind;
struct past_people;
struct room_sweep;

/* A person's connection to the room, by slot. */
struct member {
    uint64_t origin;               /* see tries_origin() */
    uint64_t wants_until;          /* µs: see GRANTS_WANTS */
    uint64_t draws_until;          /* µs: see draws.h */
    uint32_t keys_until;           /* s on the server's clock: until then … */
    uint16_t wrong_keys;           /* … these count, also for the person's next connection */
    uint16_t hello_wait;           /* s, with TRIES_TOO_MANY */
    struct stream_want want;       /* asked for by its client */
    uint32_t stream;               /* the id of its stream; UINT32_MAX: none */
    uint32_t boids;                /* as its last `stream` message said, … */
    bool slow : 1;                 /* … and this, too */
    bool waits : 1;                /* the wanted stream is not granted yet */
    bool listed : 1;               /* in the last presence message */
    bool renamed : 1;              /* renamed since its last self message: see presence.h */
    uint8_t encoding : 4;          /* enum stream_encoding: of its snapshots */
    uint8_t hello_key;             /* enum tries_result: of the hello's key, until it is answered */
    uint16_t topics : VIEW_TOPICS; /* bits: see topics_subscribe() */
    uint16_t ease : 4;             /* how many times its slow line has halved what it wants, … */
    uint16_t overload : 2;         /* … and an overload of the server its rate, before that */
    uint32_t told_flags;
    /* The slot, little-endian, then 96 random bits: only while the person is here. */
    uint8_t token[PROTO_TOKEN_SIZE];
};

static_assert(sizeof(struct member) <= 72, "memory of a client: docs/FIGURES.md");

/* The scene that members see: the present, or a moment of the past. Written by rewind.c. */
struct room_shown {
    const struct scene *scene; /* of the past; NULL: they see the present */
    uint64_t clock;            /* µs on that scene's clock */
    bool seeks;                /* another moment is being made: until then, no snapshots */
    struct proto_past past;
    const struct recording *recording; /* of the past; NULL: they see the present */
    const struct past_people *people;  /* in that moment; NULL: none */
};

struct room {
    struct room_terms definition; /* only the keys in it change */
    struct room_sink sink;
    struct scene *present;
    struct room_shown shown;
    struct history *history; /* NULL: it keeps none */
    struct rewind *rewind;   /* NULL: it shows the present */
    bool replays;            /* it plays a film; the store saves it as such */
    bool replayed;           /* it played one when it was saved, and showed this: */
    struct proto_past at;    /* back and speed */
    /* By slot, for at least as many as the scene has slots. */
    struct member *members;
    struct person_identity *identities;
    size_t capacity;
    uint32_t prepared; /* slots with an identity and a member, used or not */
    uint32_t names;    /* goes up with each new name of a shown person */
    struct groups groups;
    struct streams streams;
    uint32_t copies; /* of the newest view: see room_set_copies() */
    struct topics topics;
    struct picks picks;
    struct draws *draws; /* NULL: viewers have drawn nothing */
    struct drag drag;
    struct moves moves;
    struct room_sweep *sweep; /* the newest; NULL: there was none */
    float nearest;            /* of the shown flock: the mean distance to the nearest boid */
    uint64_t nearest_due;     /* µs: it is not measured before */
    struct presence presence;
    struct news news;
    uint64_t past_saved;        /* rounds: see room_hold_unsaved_past() */
    struct marks marks;         /* of changes in the past that it can show */
    uint64_t clock_shift, time; /* see room_time() */
    uint64_t rewound;           /* room_tick() calls in which it showed its past */
    uint32_t epoch_shift;       /* added to the flock's epochs: see rewind.c */
    bool somebody_waits;        /* see grants_give_waiting() */
    bool has_attention;         /* a presenter asks for attention, with that text, maybe "" */
    char attention[PROTO_TEXT_MAX + 1];
    bool unnamed;                    /* clients do not ask for names */
    char beside[PROTO_ROOM_MAX + 1]; /* the code of the room to show beside it; "": none */
    uint64_t besides_until;          /* µs: of its changes, see burst.h */
    bool store_failing;              /* see room_note_store() */
    uint32_t changes;                /* see struct room_facts */
    /* The versions of the view's parts, and the versions in the frames. A part that has not changed
     * yet needs no frame. */
    uint32_t versions[VIEW_PARTS], framed[VIEW_PARTS];
    struct frame *frames[VIEW_PARTS];
    struct room_scale scale; /* of the newest view */
    struct frame *welcome;   /* memory for the next welcome, or NULL */
    uint32_t scale_since;    /* version of the room since which the scale is the same */
    uint32_t events;         /* number of the newest */
    struct frame *event_frames[VIEW_EVENTS];
};

static_assert(sizeof(struct room) <= 1728, "memory of a room: docs/FIGURES.md");

/* Returns the room's time, µs on its clock, when the server's is `now`. The clock continues from
 * where the room was saved, and never goes back: a tick may have a deadline before a message that
 * came while the runner was late. */
static inline uint64_t room_time(struct room *room, uint64_t now)
{
    uint64_t time = now + room->clock_shift; /* may wrap around */

    if ((int64_t)(time - room->time) > 0) {
        room->time = time;
    }
    return room->time;
}

/* Returns the scene that members see: the present, or a moment of the past. */
static inline const struct scene *room_shown(const struct room *room)
{
    return room->shown.scene != NULL ? room->shown.scene : room->present;
}

/* Returns what others see, and what is saved: the present scene, or the moment of a film. */
static inline const struct scene *room_kept(const struct room *room)
{
    return room->replays ? room_shown(room) : room->present;
}

static inline const struct people *room_people(const struct room *room)
{
    return scene_people(room->present);
}

static inline const struct person *room_person_at(const struct room *room, uint32_t slot)
{
    assert(slot < room_people(room)->used);
    return &room_people(room)->slots[slot];
}

static inline uint32_t room_slot_of(const struct room *room, const struct person *person)
{
    const struct people *people = room_people(room);

    assert(person >= people->slots && person < people->slots + people->used);
    return (uint32_t)(person - people->slots);
}

#endif

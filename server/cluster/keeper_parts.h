/* The inside of a keeper. For its own files. */
#ifndef KEEPER_PARTS_H
#define KEEPER_PARTS_H

#include <stdatomic.h>
#include <uv.h>

#include "base/list.h"
#include "cluster/checkpoints.h"
#include "cluster/keeper.h"
#include "cluster/lease.h"
#include "cluster/values.h"
#include "hub/hub.h"
#include "past/saved_past.h"

/* A room that waits: to be loaded, to be given to a node that has asked for it, to be asked for, or
 * until its key says that it has ended. */
struct keeper_job {
    struct list_item item;
    char code[PROTO_ROOM_MAX + 1];
    uint64_t until;        /* s: of a room that has ended */
    struct room_want want; /* of a room that is given, or asked for; people 0: it is loaded */
};

#define KEEPER_REFUSED       8u
#define KEEPER_PARCELS_FROM  2u  /* version_of_release() that receives parcels */
#define KEEPER_PARCELS_HEARD 8u  /* last announcements, which may come twice */
#define KEEPER_PARCELS_MAX   64u /* that wait to be received */
#define KEEPER_GIVES_MAX     256u /* rooms that wait to be given to nodes which have asked for them */

/* A node whose messages this node cannot read, and when (µs) a line told it. */
struct keeper_refused {
    char node[4 * NODE_NAME_MAX];
    uint64_t at;
};

/* A part of a parcel that the node has asked for. */
struct awaited_part {
    uint64_t number; /* of the parcel */
    uint32_t index;
    uint8_t *bytes; /* NULL: it has come, or none is awaited */
    size_t size;
};

struct keeper {
    struct keeper_definition definition;
    struct routes *routes;
    struct checkpoints *checkpoints; /* NULL: an edge */
    struct hub *hub;                 /* NULL until keeper_start() */
    uv_thread_t thread, loader, porter;
    bool started;
    struct broker_watch *nodes_watch, *rooms_watch;
    _Atomic bool stands;   /* see keeper_stands() */
    _Atomic bool draining; /* in the beat */
    _Atomic bool greets;   /* a new node was heard of: it gets all facts */
    _Atomic bool named;    /* since keeper_has_name(): a node with the same name is logged */
    _Atomic uint32_t strange_beats; /* of other nodes with this name */
    _Atomic bool asks;              /* all nodes are asked for their facts */
    _Atomic uint32_t gives;         /* rooms to be given in `loads` */

    uv_mutex_t
        hub_lock; /* held while the hub's rooms are made, taken or dropped; first of the two */
    bool resting; /* the hub is left alone */

    uv_mutex_t
        lock; /* guards the fields below; never held during a call of the broker or the hub */
    uv_cond_t changed;
    struct lease lease;
    struct list ends, wants; /* struct keeper_job */
    struct list loads;       /* and rooms to be given; for the loader */
    struct list parcels;     /* for the porter */
    uint32_t parcel_count;
    uint64_t parcel_numbers[KEEPER_PARCELS_HEARD]; /* of the last that were announced, … */
    uint32_t parcel_next;                          /* … and where the next number goes */
    struct list films;                             /* that wait for their rooms */
    struct awaited_part awaited;                   /* of the parcel that the porter receives */
    struct parcel_answer sent;                     /* of the parcel that is sent; number 0: none */
    bool answered;                                 /* `sent` is a new answer */
    bool giving;                                   /* the loader gives a room away, … */
    bool gives_all; /* … which it does no more: all rooms are given away */
    bool dirty;     /* a route has changed */
    bool complete;  /* all routes are known */
    bool stopping;

    /* Of the thread alone. */
    char http[NODE_ADDRESS_MAX + 1], http_key[NODE_KEY_MAX + 1];
    uint64_t losses;            /* of the lease, that were noted */
    enum broker_result renewal; /* the newest of the lease */
    uint64_t beat_at;           /* µs */
    uint64_t facts_at;          /* µs */
    uint32_t facts_turn;        /* the node publishes all facts every FACTS_TURNS */
    uint64_t busy, busy_at;     /* ns of the runners, and µs, when the load was last computed */
    uint32_t load;              /* ‰ */

    uint64_t part_from; /* ns, uv_hrtime(): the next part may be sent. Of the thread that drains */

    struct keeper_refused refused[KEEPER_REFUSED]; /* of the broker's delivery alone */
};

/* ---- keeper_lease.c, which also has keeper_now() and keeper_stands() of keeper.h ---- */

bool keeper_is_sim(const struct keeper *keeper);

/* Returns a random number that is not 0. */
uint64_t keeper_random(void);

bool keeper_is_stopping(struct keeper *keeper);

/* Lets the hub's rooms tick, or not. */
void keeper_note_stand(struct keeper *keeper);

/* Does what the lease asks for, until it asks to wait; returns until when (µs). */
uint64_t keeper_renew(struct keeper *keeper);

/* Wakes the thread to plan again. */
void keeper_wake(struct keeper *keeper);

/* ---- the other files ---- */

/* Publishes a beat, or facts, if it is time. */
void keeper_beat(struct keeper *keeper, uint64_t now);
void keeper_tell_facts(struct keeper *keeper, uint64_t now);

/* Asks all nodes for their facts, after keeper_connected(). */
void keeper_ask_for_facts(struct keeper *keeper);

/* Adds a job. Returns false if there is none (NULL). */
bool keeper_push_job(struct keeper *keeper, struct list *jobs, struct keeper_job *job);
struct keeper_job *keeper_make_job(const char *code);
struct keeper_job *keeper_take_job(struct keeper *keeper, struct list *jobs);

/* Asks owners for the rooms that this node wants. */
void keeper_ask_for_rooms(struct keeper *keeper);

/* Takes a message on want.NODE. For the broker's delivery. */
void keeper_take_want(void *argument, const struct broker_message *message);

/* Gives a room to a node that has asked for it, unless others are in it now, or it is not bare: see
 * room_is_bare(). For the loader. */
void keeper_give_wanted(struct keeper *keeper, const struct room_want *want);

/* Takes a key of BROKER_ROOMS, or its deletion (value NULL), and tells what is new. */
void keeper_take_route(struct keeper *keeper, const char *code, const struct route_value *value,
                       uint64_t revision);

/* Sets a room's key if it has that revision. Without an answer, reads whether it was done. */
enum broker_result keeper_set_route(struct keeper *keeper, const char *code,
                                    const struct route_value *value, uint64_t revision);

/* The hub has the room no longer. */
void keeper_note_gone(struct keeper *keeper, const char *code, enum routes_here here);

/* Does what the routes ask for. Returns true if there is more to do at once. */
bool keeper_keep_rooms(struct keeper *keeper, uint64_t now);

/* Loads a room from its checkpoint, or begins it. For the loader's thread. */
void keeper_load_room(struct keeper *keeper, const char *code);

/* ---- keeper_give.c; keeper_drain.c has keeper_drain() of keeper.h ---- */

/* A room that its runner gives up, or what it has. */
struct releasing {
    uv_sem_t done;
    struct store_room kept;
    struct film *film;
    struct recording *past;
};

/* Why a room is given away. */
enum giving {
    GIVING_TO_PEOPLE, /* of another node; only a bare room: see room_is_bare() */
    GIVING_ALL,       /* this node ends */
};

/* Asks the room's runner, and waits. Returns false if it could not be asked. */
bool keeper_ask_runner(struct keeper *keeper, const char *code,
                       bool (*ask)(struct hub *hub, const char *code, hub_released *released,
                                   void *argument),
                       struct releasing *releasing);

/* Gives a room to that node. Returns false if it stays. released: gets what the room was, to be
 * finished. */
bool keeper_give_room(struct keeper *keeper, const struct route *route,
                      const struct routes_node *heir, enum giving why, struct releasing *released);

void keeper_finish_releasing(struct releasing *releasing);

/* ---- keeper_carry.c ---- */

#define KEEPER_PARCEL_MAX (64u << 20)  /* bytes, as of a recording: see SAVED_MAX */
#define KEEPER_PART_BYTES (256u << 10) /* of a parcel */

/* Returns when (ns, uv_hrtime()) a parcel of that size must have arrived that is sent now. */
uint64_t keeper_parcel_end(size_t size);

/* Whether the node has not ended, and does not end. */
bool keeper_may_receive(struct keeper *keeper, const struct node_beat *node);

/* Sends a parcel, and waits for its receiver until that time (ns, uv_hrtime()). The number and the
 * sender are filled in. One thread at a time. */
enum parcel_result keeper_send_parcel(struct keeper *keeper, const struct room_parcel *parcel,
                                      const struct routes_node *receiver, const uint8_t *bytes,
                                      uint64_t until);

/* Takes an answer, or a part on part.NODE. For the broker's delivery. */
void keeper_hear_answer(struct keeper *keeper, const struct parcel_answer *answer);
void keeper_hear_part(void *argument, const struct broker_message *message);

/* Answers the sender. index: of the wanted part. */
void keeper_answer_parcel(struct keeper *keeper, const struct room_parcel *parcel,
                          enum parcel_result result, uint32_t index);

/* Asks the sender for all parts, and stores the parcel's bytes. Returns false if a part does not
 * come. For the porter. */
bool keeper_read_parcel(struct keeper *keeper, const struct room_parcel *parcel, uint8_t *bytes);

/* ---- keeper_parcels.c ---- */

/* Of a past that goes to another node: all that the room has. */
extern const struct saved_past_limits keeper_past_limits;

/* Takes a message on take.NODE about a parcel. Returns false if it is none. For the broker's
 * delivery. */
bool keeper_hear_parcel(struct keeper *keeper, const struct broker_message *message);

/* Keeps a film for a room that will come. Takes it over. */
void keeper_keep_film(struct keeper *keeper, const char *code, struct film *film);

/* Returns the film that has come before the room, the caller's to release; NULL: none. */
struct film *keeper_take_film(struct keeper *keeper, const char *code);

/* Receives parcels until the keeper stops: the thread "porter". argument: the keeper. */
void keeper_run_porter(void *argument);

/* Frees what has not been received, when the thread has ended. */
void keeper_free_parcels(struct keeper *keeper);

/* For checkpoints.h. */
void keeper_room_ended(void *argument, const char *code, uint64_t until);
void keeper_room_fenced(void *argument, const char *code);

#endif

/* The rooms of this node, the edges with sessions in them, and these sessions' links. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cluster/far_view.h"
#include "cluster/near_parts.h"

#define LATE_TIME UINT64_C(5000000) /* µs that messages of an earlier process may come late */

/* ---- rooms ---- */

struct near_room *near_room_find(const struct near_end *near, const char *code)
{
    return codes_entry(codes_find(&near->codes, code), struct near_room);
}

struct near_room *near_room_of(const struct near_end *near, uint64_t number)
{
    struct near_room *room = near->by_slot[room_slot(number)];

    return room != NULL && room->number == number ? room : NULL;
}

/* Forgets the room's number in the hub. */
static void clear_number(struct near_end *near, const struct near_room *room)
{
    if (room->number != 0 && near->by_slot[room_slot(room->number)] == room) {
        near->by_slot[room_slot(room->number)] = NULL;
    }
}

/* A room that left the hub and came back has another number. Its versions begin at 0 again. */
void near_room_set_number(struct near_end *near, struct near_room *room, uint64_t number)
{
    if (room->number != number) {
        clear_number(near, room);
        view_release(room->last);
        room->last = NULL;
    }
    room->number = number;
    near->by_slot[room_slot(number)] = room;
}

struct near_room *near_room_make(struct near_end *near, const char *code)
{
    struct near_room *room = calloc(1, sizeof *room);
    char subject[BROKER_SUBJECT_MAX];

    if (room == NULL) {
        return NULL;
    }
    post_subject(subject, POST_ROOM, code);
    room->items = post_subscribe(near->post, subject);
    if (room->items == NULL) {
        free(room);
        return NULL;
    }
    codes_add(&near->codes, &room->coded, code);
    list_append(&near->rooms, &room->item);
    return room;
}

/* Frees a party that is in no list of its room. */
static void free_party(struct near_end *near, struct near_party *party)
{
    near_party_reset(near, party, END_NONE);
    if (list_has(&near->noted, &party->noted)) {
        list_remove(&near->noted, &party->noted);
    }
    wire_writer_finish(&party->replies);
    free(party);
}

void near_room_drop(struct near_end *near, struct near_room *room)
{
    struct list_item *item;

    while ((item = list_take(&room->parties)) != NULL) {
        free_party(near, list_entry(item, struct near_party, item));
    }
    codes_remove(&near->codes, &room->coded);
    clear_number(near, room);
    list_remove(&near->rooms, &room->item);
    post_unsubscribe(near->post, room->items);
    view_release(room->last);
    free(room->streams);
    free(room);
}

/* ---- edges ---- */

/* Drops the sessions of an edge whose process has started again. */
static void forget_edge(struct near_end *near, const struct near_edge *edge)
{
    for (struct list_item *item = near->rooms.first; item != NULL; item = item->next) {
        const struct near_room *room = list_entry(item, struct near_room, item);
        struct list_item *next = room->parties.first;
        while (next != NULL) {
            struct near_party *party = list_entry(next, struct near_party, item);
            next = next->next;
            if (party->edge == edge) {
                near_party_drop(near, party);
            }
        }
    }
}

static struct near_edge *edge_of(struct near_end *near, const char *name, uint32_t incarnation,
                                 uint64_t now)
{
    struct near_edge *edge = NULL;

    for (uint32_t i = 0; i < near->edge_count && edge == NULL; i++) {
        edge = strcmp(near->edges[i].name, name) == 0 ? &near->edges[i] : NULL;
    }
    if (edge == NULL && near->edge_count == NEAR_EDGES) {
        return NULL;
    }
    if (edge == NULL) {
        edge = &near->edges[near->edge_count++];
        *edge = (struct near_edge){.incarnation = incarnation};
        (void)snprintf(edge->name, sizeof edge->name, "%s", name);
    }
    if (edge->incarnation == incarnation) {
        return edge;
    }
    if (edge->before == incarnation && now < edge->changed_at + LATE_TIME) {
        return NULL;
    }
    forget_edge(near, edge);
    edge->changed_at = now;
    edge->before = edge->incarnation;
    edge->incarnation = incarnation;
    edge->number = 0;
    return edge;
}

struct near_party *near_party_make(struct near_end *near, struct near_room *room, const char *name,
                                   uint32_t incarnation, uint64_t now)
{
    struct near_edge *edge = edge_of(near, name, incarnation, now);
    struct near_party *party;

    for (struct list_item *item = room->parties.first; item != NULL; item = item->next) {
        party = list_entry(item, struct near_party, item);
        if (party->edge == edge) {
            return party;
        }
    }
    party = edge != NULL ? calloc(1, sizeof *party) : NULL;
    if (party != NULL) {
        *party = (struct near_party){.edge = edge, .room = room, .heard_at = now};
        list_append(&room->parties, &party->item);
    }
    return party;
}

void near_party_reset(struct near_end *near, struct near_party *party, enum end_reason why)
{
    while (party->links.first != NULL) {
        near_link_free(near, list_entry(party->links.first, struct near_link, item), why);
    }
}

void near_party_drop(struct near_end *near, struct near_party *party)
{
    list_remove(&party->room->parties, &party->item);
    free_party(near, party);
}

/* ---- streams ---- */

static struct near_stream *find_stream(const struct near_room *room, uint32_t id)
{
    for (uint32_t i = 0; i < room->stream_count; i++) {
        if (room->streams[i].id == id) {
            return &room->streams[i];
        }
    }
    return NULL;
}

static struct near_stream *make_stream(struct near_room *room, uint32_t id)
{
    struct near_stream *stream = find_stream(room, id);
    struct near_stream *grown;

    if (stream != NULL) {
        return stream;
    }
    grown = grow_array(room->streams, &room->stream_capacity, (size_t)room->stream_count + 1,
                       FAR_VIEW_STREAMS, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    room->streams = grown;
    stream = &room->streams[room->stream_count++];
    *stream = (struct near_stream){.id = id};
    post_stream_subject(stream->subject, room->coded.code, id);
    return stream;
}

static void leave_stream(struct near_link *link)
{
    struct near_room *room = link->party->room;
    struct near_stream *stream = link->streaming ? find_stream(room, link->stream) : NULL;

    link->streaming = false;
    if (stream != NULL && --stream->members == 0) {
        *stream = room->streams[--room->stream_count];
    }
}

void near_link_set_stream(struct near_link *link, uint32_t id)
{
    struct near_stream *stream = make_stream(link->party->room, id);

    if (stream == NULL) {
        leave_stream(link);
        return;
    }
    stream->members++; /* before leaving: it may be the same */
    leave_stream(link);
    link->stream = id;
    link->streaming = true;
}

/* ---- links ---- */

static struct near_link **link_bucket(const struct near_end *near, const struct near_edge *edge,
                                      uint64_t number)
{
    const uint64_t mixed = (number + (uint64_t)(edge - near->edges) * 131071) * 0x9e3779b97f4a7c15u;

    return (struct near_link **)&near->link_buckets[(mixed >> 40) % NEAR_BUCKETS];
}

struct near_link *near_link_find(const struct near_end *near, const struct near_party *party,
                                 uint64_t number)
{
    struct near_link *link = *link_bucket(near, party->edge, number);

    while (link != NULL && (link->party != party || link->number != number)) {
        link = link->next;
    }
    return link;
}

struct near_link *near_link_of(const struct near_end *near, uint64_t session)
{
    const uint32_t slot = (uint32_t)session - 1;
    struct near_link *link = slot < near->sessions_max ? near->sessions[slot] : NULL;

    return link != NULL && link->session == session ? link : NULL;
}

struct near_link *near_link_make(struct near_end *near, struct near_party *party, uint64_t number)
{
    struct near_link *link = near->free_count > 0 ? calloc(1, sizeof *link) : NULL;
    struct near_link **bucket = link_bucket(near, party->edge, number);
    uint32_t slot;

    if (link == NULL) {
        return NULL;
    }
    slot = near->free_slots[--near->free_count];
    *link = (struct near_link){.number = number,
                               .session = (uint64_t)++near->generation << 32 | (slot + 1),
                               .party = party,
                               .next = *bucket};
    *bucket = link;
    near->sessions[slot] = link;
    list_append(&party->links, &link->item);
    cluster_count(&near->post->counts->far_links, 1);
    return link;
}

void near_link_free(struct near_end *near, struct near_link *link, enum end_reason why)
{
    struct near_link **at = link_bucket(near, link->party->edge, link->number);
    const uint32_t slot = (uint32_t)link->session - 1;

    leave_stream(link);
    if (link->link != NULL) {
        link_leave(link->link, why);
    }
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    near->sessions[slot] = NULL;
    near->free_slots[near->free_count++] = slot;
    list_remove(&link->party->links, &link->item);
    free(link);
    atomic_fetch_sub(&near->post->counts->far_links, 1);
}

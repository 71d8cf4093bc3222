/* The links of an edge's sessions to rooms of other nodes. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cluster/far_parts.h"

#define POSITIONS_MAX ((size_t)1 << 24) /* slots of sessions, of all shards */

static size_t position_of(const struct far_end *far, uint32_t shard, uint64_t session)
{
    return (size_t)((uint32_t)session - 1) * (far->shards + 1) + shard;
}

struct far_link *far_link_find(const struct far_end *far, uint64_t number)
{
    const size_t position = (uint32_t)number - 1;
    struct far_link *link = position < far->link_capacity ? far->links[position] : NULL;

    return link != NULL && link->number == number ? link : NULL;
}

struct far_link *far_link_of(const struct far_end *far, uint32_t shard, uint64_t session)
{
    const size_t position = position_of(far, shard, session);
    struct far_link *link = position < far->link_capacity ? far->links[position] : NULL;

    return link != NULL && link->seat->session == session ? link : NULL;
}

static bool make_positions(struct far_end *far, size_t needed)
{
    size_t capacity = far->link_capacity;
    struct far_link **links =
        grow_array(far->links, &capacity, needed, POSITIONS_MAX, sizeof *links);

    if (links == NULL) {
        return false;
    }
    memset(links + far->link_capacity, 0, (capacity - far->link_capacity) * sizeof *links);
    far->links = links;
    far->link_capacity = capacity;
    return true;
}

struct far_link *far_link_make(struct far_end *far, struct joining *joining, uint64_t now)
{
    const size_t position = position_of(far, joining->seat->shard, joining->seat->session);
    struct far_link *link = calloc(1, sizeof *link);

    if (link == NULL || !make_positions(far, position + 1)) {
        free(link);
        return NULL;
    }
    assert(far->links[position] == NULL);
    link->number = (uint64_t)++far->generation << 32 | (position + 1);
    link->seat = joining->seat;
    link->joining = joining;
    link->by_server = joining->by_server;
    joining->seat = NULL;
    link->began_at = now;
    far->links[position] = link;
    return link;
}

void far_link_renumber(struct far_end *far, struct far_link *link)
{
    link->number = (uint64_t)++far->generation << 32 | (uint32_t)link->number;
}

void far_link_enter(struct far_link *link, struct far_room *room, uint64_t now)
{
    link->room = room;
    room->by_server |= link->by_server;
    if (room->links.first == NULL) {
        room->heard_at = now; /* without sessions, it was not probed */
    }
    list_append(&room->links, &link->item);
    room->link_count++;
    room->shard_links[link->seat->shard]++;
}

/* Takes the link out of its room, if it is in one. */
static void exit_room(struct far_link *link, uint64_t now)
{
    struct far_room *room = link->room;

    if (room == NULL) {
        return;
    }
    far_link_end_stream(link, now);
    if (list_has(&room->cursors, &link->waits)) {
        list_remove(&room->cursors, &link->waits);
    }
    list_remove(&room->links, &link->item);
    room->link_count--;
    room->shard_links[link->seat->shard]--;
    room->left_at = now;
    link->room = NULL;
}

void far_link_join(struct far_end *far, struct far_link *link, uint64_t now)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    const struct proto_client_message message = {.type = PROTO_HELLO,
                                                 .hello = link->joining->hello};
    struct wire_item item = {.type = WIRE_JOIN,
                             .link = link->number,
                             .presenters_only = link->joining->presenters_only,
                             .bytes = {bytes, proto_encode_client(bytes, sizeof bytes, &message)}};

    memcpy(item.address, link->seat->address,
           strnlen(link->seat->address, sizeof item.address - 1));
    link->sent_at = now;
    far_room_add(far, link->room, &item, now);
}

void far_link_close(struct far_end *far, struct far_link *link, const struct room_end *end,
                    uint64_t now)
{
    exit_room(link, now);
    seat_close(link->seat, end);
    far_touch(far, link->seat->shard);
}

/* A newcomer that no room has welcomed yet comes back as a new connection, with its name and key.
 */
void far_link_move(struct far_end *far, struct far_link *link, uint64_t now)
{
    if (link->joining != NULL && !link->joining->hello.has_token) {
        far_link_close(far, link, &(struct room_end){.why = END_AWAY}, now);
        return;
    }
    exit_room(link, now);
    seat_move(link->seat);
    far_touch(far, link->seat->shard);
}

void far_link_free(struct far_end *far, struct far_link *link, uint64_t now)
{
    exit_room(link, now);
    far->links[(uint32_t)link->number - 1] = NULL;
    seat_destroy(link->seat);
    free(link->joining);
    free(link);
}

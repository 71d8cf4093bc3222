/* Limits of what viewers draw. A viewer may draw DRAWS walls, pieces of food or hunters at once,
 * and then one every DRAWS_TIME µs. When a flock has DRAWS_SHARE of the walls that it can have,
 * viewers add no more of them, and replace each other's; the same holds for food and for hunters.
 * So presenters can still draw some. They have none of these limits.
 *
 * The oldest thing of the address with the most gives way if that address has at least two more
 * than the viewer's own: then no two addresses take things from each other again and again. To a
 * viewer at the address of a presenter (see presenters.h) it gives way in any case, until that
 * address has DRAWS_CLASS. So a class draws although each stranger has another address. Things of
 * presenters, of an address with a presenter, and of an unknown person never give way. The room
 * does not know whose the things of a saved room are.
 *
 * For the room's own files. */
#ifndef DRAWS_H
#define DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/inputs.h"

struct room;

#define DRAWS      5u
#define DRAWS_TIME UINT64_C(5000000)
#define DRAWS_MAX  64u /* things of a kind */

/* Returns the share of viewers in the most things of a kind: three quarters. */
#define DRAWS_SHARE(most) ((most) / 4 * 3)

/* Returns three quarters of that share. */
#define DRAWS_CLASS(most) (DRAWS_SHARE(most) / 4 * 3)

/* The things of a kind, in the order of the flock. */
struct drawn_kind {
    uint32_t count;
    struct drawn {
        uint64_t origin; /* see tries_origin(): of the viewer who has drawn it; 0: unknown, or not
                            a viewer */
        float at[4];
    } list[DRAWS_MAX];
};

/* The things of the flock with their drawers, as of the last message that may have changed them. */
struct draws {
    struct drawn_kind kinds[INPUT_THINGS];
};

/* Must be called before a message may change the flock of the room, and afterwards. Ticks remove
 * food and move hunters. */
void draws_follow(struct room *room);

/* Must be called after draws_follow() when the things come from the past. */
void draws_forget(struct room *room);

/* Prepares the drawing of the viewer in that slot. Removes another viewer's thing if need be.
 * Returns false, with *error filled, if the viewer may not draw the thing. */
bool draws_begin(struct room *room, uint32_t slot, const struct proto_client_message *message,
                 uint64_t now, struct proto_error *error);

/* Counts the thing that the viewer has drawn. Must be called after draws_follow(). */
void draws_end(struct room *room, uint32_t slot, enum proto_type type, uint64_t now);

#endif

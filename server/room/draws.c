#include "room/draws.h"

#include "base/refusal.h"
#include "room/state.h"

/* Returns until when the viewer's last draws count, in µs: now, or later. */
static uint64_t draws_until(const struct member *viewer, uint64_t now)
{
    return viewer->draws_until > now ? viewer->draws_until : now;
}

bool draws_allow(const struct member *viewer, uint64_t now, struct proto_error *error)
{
    const uint64_t limit = (DRAWS - 1) * DRAWS_TIME;
    const uint64_t ahead = draws_until(viewer, now) - now;

    if (ahead <= limit) {
        return true;
    }
    refuse_message(error, PROTO_E_FLOOD, "",
                   "viewers may draw %u things at once, and then one every %u seconds", DRAWS,
                   (unsigned)(DRAWS_TIME / 1000000));
    error->after = (uint32_t)((ahead - limit + 999999) / 1000000);
    return false;
}

void draws_count(struct member *viewer, uint64_t now)
{
    viewer->draws_until = draws_until(viewer, now) + DRAWS_TIME;
}

#include "room/draws.h"

#include <assert.h>

#include "base/burst.h"
#include "base/refusal.h"
#include "room/state.h"

static const struct burst_limit limit = {DRAWS, DRAWS_TIME};

bool draws_allow(const struct member *viewer, uint64_t now, struct proto_error *error)
{
    const uint64_t wait = burst_wait(&limit, viewer->draws_until, now);

    if (wait == 0) {
        return true;
    }
    refuse_message(error, PROTO_E_FLOOD, "",
                   "viewers may draw %u things at once, and then one every %u seconds", DRAWS,
                   burst_seconds(DRAWS_TIME));
    error->after = burst_seconds(wait);
    return false;
}

/* Returns whether viewers may add one to `count` things; else fills *error. name: of the message;
 * things: the plural of its kind. */
static bool is_below_share(const char *name, const char *things, uint32_t count, uint32_t most,
                           struct proto_error *error)
{
    const uint32_t share = DRAWS_SHARE(most);

    return count < share ||
           refuse_message(error, PROTO_E_FULL, "",
                          "%s: there are %u %s; viewers may draw up to %u, and presenters %u", name,
                          count, things, share, most);
}

bool draws_may_add(const struct flock *flock, enum proto_type type, struct proto_error *error)
{
    const struct flock_things *things = flock_things_of(flock);

    switch (type) {
    case PROTO_WALL:
        return is_below_share("wall", "walls", flock_settings_of(flock)->wall_count,
                              FLOCK_WALLS_MAX, error);
    case PROTO_FOOD:
        return is_below_share("food", "pieces", things->food_count, FLOCK_FOOD_MAX, error);
    default:
        assert(type == PROTO_HUNTER);
        return is_below_share("hunter", "hunters", things->hunter_count, FLOCK_HUNTERS_MAX, error);
    }
}

void draws_count(struct member *viewer, uint64_t now)
{
    viewer->draws_until = burst_count(&limit, viewer->draws_until, now);
}

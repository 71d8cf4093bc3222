/* Rooms that leave a hub, and what follows a room from another hub. */
#include <stdlib.h>
#include <string.h>

#include "hub/event.h"
#include "hub/inside.h"
#include "hub/way.h"

static bool give_up_room(struct hub *hub, const char *code, enum release how,
                         hub_released *released, void *argument)
{
    struct release_event *release = malloc(sizeof *release);
    struct event event = {.type = EVENT_RELEASE, .release = release};
    struct directory_entry entry;

    if (release != NULL && directory_find(hub->directory, code, &entry)) {
        *release = (struct release_event){
            .room = entry.number, .release = how, .released = released, .argument = argument};
        if (mailbox_push(runner_mailbox(hub->runners[entry.runner]), &event, true)) {
            return true; /* NOLINT(clang-analyzer-unix.Malloc): the runner has it */
        }
    }
    free(release);
    return false;
}

bool hub_release_room(struct hub *hub, const char *code, hub_released *released, void *argument)
{
    return give_up_room(hub, code, RELEASE_ALWAYS, released, argument);
}

bool hub_release_bare_room(struct hub *hub, const char *code, hub_released *released,
                           void *argument)
{
    return give_up_room(hub, code, RELEASE_BARE, released, argument);
}

bool hub_drop_room(struct hub *hub, const char *code, hub_released *dropped, void *argument)
{
    return give_up_room(hub, code, RELEASE_DROP, dropped, argument);
}

bool hub_hold_film(struct hub *hub, const char *code, hub_released *held, void *argument)
{
    return give_up_room(hub, code, RELEASE_FILM, held, argument);
}

struct hub_arrival hub_expect(struct hub *hub, const char *code, uint64_t creator, bool trusted,
                              size_t bytes)
{
    const bool lobby = strcmp(code, ROOM_LOBBY) == 0;
    struct creator *held = creators_hold(hub->creators, creator, lobby || trusted);
    struct hub_arrival arrival = {.boids_max = lobby ? hub->definition.lobby.boids_max
                                                     : hub->definition.room_boids,
                                  .people_max = hub->definition.lobby.people_max};

    if (held == NULL) {
        return arrival;
    }
    arrival.budget = hub_budget_of(hub, creator, trusted, lobby);
    if (arrival.budget != NULL && held->boids.trusted &&
        !history_budget_fits(arrival.budget, bytes) &&
        !history_budget_is_own(arrival.budget, bytes)) {
        arrival.makes_way = way_for_bytes(hub, held, bytes);
    }
    creator_release(held);
    return arrival;
}

static bool push_past(struct hub *hub, const char *code, const struct past_event *event)
{
    struct past_event *made = malloc(sizeof *made);
    const struct event pushed = {.type = EVENT_PAST, .past = made};
    struct directory_entry entry;

    if (made != NULL && directory_find(hub->directory, code, &entry)) {
        *made = *event;
        made->room = entry.number;
        if (mailbox_push(runner_mailbox(hub->runners[entry.runner]), &pushed, true)) {
            return true; /* NOLINT(clang-analyzer-unix.Malloc): the runner has it */
        }
    }
    free(made);
    return false;
}

bool hub_ask_past(struct hub *hub, const char *code, hub_past_asked *asked, void *argument)
{
    return push_past(hub, code, &(struct past_event){.asked = asked, .argument = argument});
}

bool hub_give_past(struct hub *hub, const char *code, struct earlier_past *past,
                   hub_past_taken *taken, void *argument)
{
    return push_past(hub, code,
                     &(struct past_event){.past = past, .taken = taken, .argument = argument});
}

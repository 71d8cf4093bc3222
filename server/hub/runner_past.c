#include "hub/runner_past.h"

#include <stdlib.h>

#include "past/history_budget.h"
#include "past/saved_past.h"
#include "room/room_state.h"

/* A past that the store must still write, perhaps after the hub is destroyed. */
struct kept_past {
    struct history_budget *budget; /* the past returns its bytes to it */
    struct recording *recording;
};

static uint8_t *pack_past(void *memory, size_t *size)
{
    const struct kept_past *kept = memory;

    return saved_past_write(kept->recording, &saved_past_stored, size);
}

static void release_past(void *memory)
{
    struct kept_past *kept = memory;

    recording_destroy(kept->recording);
    history_budget_release(kept->budget);
    free(kept);
}

void runner_past_keep(struct runner_room *room)
{
    struct store *store = room->runner->definition.store;
    struct store_past past = {.pack = pack_past, .release = release_past, .first = room->trusted};
    struct recording *recording = store != NULL ? room_hold_unsaved_past(room->room) : NULL;
    struct kept_past *kept = recording != NULL ? malloc(sizeof *kept) : NULL;

    runner_room_keep(room); /* first: a stored past must not be newer than its room */
    if (kept == NULL) {     /* without memory, the store keeps the earlier past */
        recording_destroy(recording);
        return;
    }
    kept->budget = history_budget_hold(room_terms_of(room->room)->history_budget);
    kept->recording = recording;
    past.memory = kept;
    (void)store_put_past(store, room->code, &past);
}

uint64_t runner_past_keep_next(struct runner *runner)
{
    struct runner_room *room = list_entry(runner->unsaved.first, struct runner_room, past_item);

    if (room != NULL && runner_now(runner) >= room->past_due) {
        list_remove(&runner->unsaved, &room->past_item);
        (void)runner_begin(runner);
        runner_past_keep(room);
        (void)runner_room_charge(room);
        if (runner_room_runs(room)) {
            runner_room_grows(room);
        }
        room = list_entry(runner->unsaved.first, struct runner_room, past_item);
    }
    return room != NULL ? room->past_due * 1000 : UINT64_MAX;
}

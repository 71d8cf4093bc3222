/* Holding the past of a scene: history_hold(). */
#include <stdlib.h>
#include <string.h>

#include "past/film.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/history_parts.h"
#include "past/keyframes.h"

struct held {
    struct film *film; /* or NULL */
    size_t count;
    struct part *parts[];
};

static void release_held(void *memory)
{
    struct held *held = memory;

    for (size_t i = 0; i < held->count; i++) {
        history_part_release(held->parts[i]);
    }
    film_release(held->film);
    free(held);
}

/* Copies the open part, to which inputs are still added. The state never changes: the copy holds
 * the part for it. Only the recording has the copy, so it is lent from the beginning. */
static struct part *copy_part(struct part *part)
{
    struct part *copy = calloc(1, sizeof *copy);

    if (copy == NULL) {
        return NULL;
    }
    *copy = (struct part){.part = part->part};
    copy->keyframes = part->keyframes != NULL ? keyframes_hold(part->keyframes) : NULL;
    atomic_init(&copy->holders, 1);
    copy->inputs = malloc(part->part.input_size + 1);
    if (copy->inputs == NULL) {
        keyframes_release(copy->keyframes);
        free(copy);
        return NULL;
    }
    memcpy(copy->inputs, part->inputs, part->part.input_size);
    copy->part.inputs = copy->inputs;
    copy->capacity = part->part.input_size;
    copy->budget = history_budget_hold(part->budget);
    history_part_lend(copy);
    copy->state_of = part;
    atomic_fetch_add(&part->holders, 1);
    return copy;
}

static void hold_film(const struct history *history, struct recording *recording, struct held *held)
{
    const struct recording *film = history->film != NULL ? history->film->recording : NULL;

    if (film == NULL) {
        return;
    }
    held->film = film_hold(history->film);
    memcpy(recording->parts, film->parts, film->count * sizeof *film->parts);
    recording->count = film->count;
    for (size_t i = 0; i < FLOCK_MODELS_MAX; i++) {
        recording->models[i] = film->models[i] > 0 ? film->models[i] : recording->models[i];
    }
}

/* Holds every part, and copies the last if it is still open. Returns false without memory. */
static bool hold_parts(struct history *history, struct recording *recording, struct held *held)
{
    hold_film(history, recording, held);
    for (struct list_item *item = history->parts.first; item != NULL; item = item->next) {
        struct part *part = part_of(item);
        struct part *taken = part;
        if (item == history->parts.last && history->open) {
            taken = copy_part(part);
            if (taken == NULL) {
                return false;
            }
        } else {
            atomic_fetch_add(&part->holders, 1);
        }
        held->parts[held->count++] = taken;
        recording->parts[recording->count++] = taken->part;
    }
    recording->parts[0].follows = false; /* the part before it may have been dropped */
    return true;
}

struct recording *history_hold(struct history *history, const struct scene *scene)
{
    struct recording *recording;
    struct held *held;
    size_t count = 0;

    if (history == NULL || (history->parts.first == NULL && history->film == NULL)) {
        return NULL;
    }
    count = history->film != NULL ? history->film->recording->count : 0;
    for (const struct list_item *item = history->parts.first; item != NULL; item = item->next) {
        count++;
    }
    recording = malloc(sizeof *recording);
    held = calloc(1, sizeof *held + count * sizeof(struct part *));
    if (recording == NULL || held == NULL) {
        free(recording);
        free(held);
        return NULL;
    }
    recording_begin(recording, scene_definition_of(scene)->tick_rate,
                    scene_definition_of(scene)->boids_max);
    recording->release = release_held;
    recording->memory = held;
    recording->parts = calloc(count + 1, sizeof *recording->parts);
    if (recording->parts == NULL || !hold_parts(history, recording, held) ||
        (history->film != NULL && !recording_add_names(recording, history->film->recording->names,
                                                       history->film->recording->name_count))) {
        recording_destroy(recording);
        return NULL;
    }
    return recording;
}

#include "past/earlier_past.h"

#include <stdlib.h>
#include <string.h>

#include "past/history_budget.h"
#include "past/history_parts.h"

/* Returns a copy of the part, whose bytes are taken from the budget; NULL if they do not fit or
 * memory runs out. */
static struct part *copy_part(const struct recording_part *from, struct history_budget *budget)
{
    const size_t capacity = from->input_size > 0 ? from->input_size : 1;
    const size_t bytes = sizeof(struct part) + from->state_size + capacity;
    struct part *part;

    if (!history_budget_take(budget, bytes)) {
        return NULL;
    }
    part = calloc(1, sizeof *part);
    if (part != NULL) {
        part->state = malloc(from->state_size);
        part->inputs = malloc(capacity);
    }
    if (part == NULL || part->state == NULL || part->inputs == NULL) {
        history_budget_give(budget, bytes);
        if (part != NULL) {
            free(part->state);
            free(part->inputs);
        }
        free(part);
        return NULL;
    }
    atomic_init(&part->holders, 1);
    part->budget = history_budget_hold(budget);
    part->capacity = capacity;
    memcpy(part->state, from->state, from->state_size);
    memcpy(part->inputs, from->inputs, from->input_size);
    part->part = *from;
    part->part.state = part->state;
    part->part.inputs = part->inputs;
    part->part.keyframes = NULL;
    return part;
}

static void copy_parts(struct earlier_past *past, const struct recording *recording)
{
    size_t bytes = 0;

    for (size_t i = recording->count; i-- > 0;) {
        struct part *part;
        bytes += sizeof *part + recording->parts[i].state_size + recording->parts[i].input_size + 1;
        part = bytes <= HISTORY_BYTES_MAX ? copy_part(&recording->parts[i], past->budget) : NULL;
        if (part == NULL) {
            return;
        }
        list_insert(&past->parts, NULL, &part->item);
    }
}

struct earlier_past *earlier_past_create(const struct recording *recording,
                                         struct history_budget *budget)
{
    const struct recording_part *last = &recording->parts[recording->count - 1];
    struct earlier_past *past = calloc(1, sizeof *past);

    if (past == NULL) {
        return NULL;
    }
    past->tick_rate = recording->tick_rate;
    past->end = recording_end(recording);
    past->tick = last->tick;
    past->clock = last->clock;
    past->budget = history_budget_hold(budget);
    copy_parts(past, recording);
    if (past->parts.first == NULL ||
        !marks_add_all(&past->marks, &recording->marks, part_of(past->parts.first)->part.round)) {
        earlier_past_destroy(past);
        return NULL;
    }
    return past;
}

void earlier_past_destroy(struct earlier_past *past)
{
    struct list_item *item;

    if (past == NULL) {
        return;
    }
    while ((item = list_take(&past->parts)) != NULL) {
        history_part_release(part_of(item));
    }
    marks_finish(&past->marks);
    history_budget_release(past->budget);
    free(past);
}

#include "past/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define MARK_BYTES 24u /* of a mark in a message, beside its texts, at most */

void marks_finish(struct marks *marks)
{
    free(marks->list);
    *marks = (struct marks){0};
}

bool marks_add(struct marks *marks, const struct mark *mark)
{
    struct mark *list;
    uint32_t at;

    if (marks->count == PROTO_MARKS_MAX) {
        marks->count--;
        memmove(marks->list, marks->list + 1, marks->count * sizeof *marks->list);
    }
    list =
        grow_array(marks->list, &marks->capacity, marks->count + 1, PROTO_MARKS_MAX, sizeof *list);
    if (list == NULL) {
        return false;
    }
    marks->list = list;
    at = marks->count++;
    while (at > 0 && list[at - 1].round > mark->round) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = *mark;
    return true;
}

bool marks_add_all(struct marks *marks, const struct marks *from, uint64_t round)
{
    for (uint32_t i = 0; i < from->count; i++) {
        if (from->list[i].round >= round && !marks_add(marks, &from->list[i])) {
            return false;
        }
    }
    return true;
}

bool marks_add_earlier(struct marks *marks, const struct marks *from, uint64_t round)
{
    for (uint32_t i = from->count; i-- > 0 && marks->count < PROTO_MARKS_MAX;) {
        if (from->list[i].round >= round && !marks_add(marks, &from->list[i])) {
            return false;
        }
    }
    return true;
}

static size_t bytes_of(const struct proto_event *event)
{
    return MARK_BYTES + strlen(event->who) + strlen(event->name) + strlen(event->what) +
           strlen(event->from) + strlen(event->to);
}

void marks_describe(const struct marks *marks, uint64_t first, uint64_t last, uint32_t tick_rate,
                    struct proto_marks *out)
{
    size_t bytes = MARK_BYTES;
    uint32_t from = marks->count;

    while (from > 0 && marks->list[from - 1].round >= first &&
           (bytes += bytes_of(&marks->list[from - 1].event)) <= PROTO_STATE_MAX) {
        from--;
    }
    out->count = 0;
    for (uint32_t i = from; i < marks->count && marks->list[i].round <= last; i++) {
        out->marks[out->count++] =
            (struct proto_mark){.back = (float)(last - marks->list[i].round) / (float)tick_rate,
                                .event = marks->list[i].event};
    }
}

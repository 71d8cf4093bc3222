#include "room/news.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "room/state.h"
#include "room/tell.h"

_Static_assert(FLOCK_PARAMS_MAX <= 32, "a bit for each parameter");

static void copy(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
}

static void drop(struct news *news, uint32_t index)
{
    news->count--;
    memmove(&news->items[index], &news->items[index + 1],
            (news->count - index) * sizeof news->items[0]);
}

static bool same_thing(const struct news_item *item, uint32_t by, const struct news_change *change)
{
    return !proto_has(change->type, PROTO_APART) && item->type == change->type &&
           item->event.by == by && strcmp(item->event.what, change->what) == 0;
}

/* Returns whether a parameter follows another one of the same person so soon that a program sent
 * both. */
static bool same_batch(const struct news_item *item, uint32_t by, const struct news_change *change,
                       uint64_t now)
{
    return item->type == PROTO_PARAM && change->type == PROTO_PARAM && item->event.by == by &&
           now - item->last < NEWS_BATCH;
}

static struct news_item *find(struct news *news, uint32_t by, const struct news_change *change,
                              uint64_t now)
{
    for (uint32_t i = news->count; i > 0; i--) {
        struct news_item *item = &news->items[i - 1];
        assert((int64_t)(now - item->last) >= 0); /* the room's clock never goes back */
        if (same_thing(item, by, change) || same_batch(item, by, change, now)) {
            return item;
        }
    }
    return NULL;
}

/* Returns how many parameters the change has set, and 1 for any other change. */
static int count_params(const struct news_item *item)
{
    return __builtin_popcount(item->params);
}

/* Adds the change to one before it. */
static void extend(struct news_item *item, const struct news_change *change)
{
    struct proto_event *event = &item->event;

    if (strcmp(event->what, change->what) == 0) {
        copy(event->to, sizeof event->to, change->to);
        item->after = change->after;
        return;
    }
    item->params |= UINT32_C(1) << change->param;
    event->what[0] = event->from[0] = '\0';
    snprintf(event->to, sizeof event->to, "%d", count_params(item));
}

/* Room for one more. Returns NULL if memory runs out. */
static struct news_item *append(struct news *news)
{
    if (news->items == NULL) {
        news->items = calloc(NEWS_MAX, sizeof *news->items);
    }
    if (news->items == NULL) {
        return NULL;
    }
    if (news->count == NEWS_MAX) {
        drop(news, 0);
    }
    return &news->items[news->count++];
}

/* Makes all waiting changes due, because a later change is sent at once. */
static void hurry(struct news *news)
{
    for (uint32_t i = 0; i < news->count; i++) {
        news->items[i].due = true;
    }
}

void news_add(struct room *room, uint32_t slot, const struct news_change *change, uint64_t now)
{
    struct news *news = &room->news;
    bool inside = slot != PEOPLE_NONE;
    uint32_t by = inside ? room_person_at(room, slot)->id : 0;
    struct news_item *item;

    if (room_people(room)->here == 0) {
        return; /* there is no member to send it to */
    }
    item = find(news, by, change, now);
    if (item != NULL) {
        extend(item, change);
    } else {
        if (!proto_has(change->type, PROTO_SERIES)) {
            hurry(news);
        }
        item = append(news);
        if (item == NULL) {
            return;
        }
        *item = (struct news_item){.type = change->type,
                                   .event.by = by,
                                   .params = UINT32_C(1) << change->param,
                                   .before = change->before,
                                   .after = change->after,
                                   .since = now};
        copy(item->event.who, sizeof item->event.who, inside ? room->identities[slot].name : "");
        copy(item->event.name, sizeof item->event.name, change->name);
        copy(item->event.what, sizeof item->event.what, change->what);
        copy(item->event.from, sizeof item->event.from, change->from);
        copy(item->event.to, sizeof item->event.to, change->to);
    }
    item->last = now;
    item->event.tick = scene_ticks(room->present);
    item->round = scene_rounds(room->present);
}

static bool is_due(const struct news_item *item, uint64_t now)
{
    assert((int64_t)(now - item->last) >= 0);
    return item->due || !proto_has(item->type, PROTO_SERIES) || now - item->last >= NEWS_QUIET ||
           now - item->since >= NEWS_LATE;
}

/* A slider that was brought back to where it was, or boids that came and went. */
static bool changed_nothing(const struct news_item *item)
{
    return proto_has(item->type, PROTO_SERIES) && count_params(item) == 1 &&
           item->before == item->after;
}

/* Marks a change of the flock in the past. Without memory there is no mark. */
static void mark(struct room *room, const struct news_item *item)
{
    const struct mark mark = {.round = item->round, .event = item->event};

    if (proto_has(item->type, PROTO_MARKED)) {
        (void)marks_add(&room->marks, &mark);
    }
}

void news_tell(struct room *room, uint64_t now)
{
    struct news *news = &room->news;
    uint32_t i = 0;

    if (now - news->told_at > NEWS_GAP * NEWS_BURST) {
        news->told_at = now - NEWS_GAP * NEWS_BURST;
    }
    while (i < news->count) {
        if (!is_due(&news->items[i], now)) {
            i++;
        } else if (changed_nothing(&news->items[i])) {
            drop(news, i);
        } else if (now - news->told_at >= NEWS_GAP) {
            tell_all_event(room, &news->items[i].event);
            mark(room, &news->items[i]);
            news->told_at += NEWS_GAP;
            drop(news, i);
        } else {
            return;
        }
    }
}

void news_init(struct news *news)
{
    *news = (struct news){0};
    news->told_at = 0 - (uint64_t)NEWS_GAP * NEWS_BURST; /* times may wrap around */
}

void news_finish(struct news *news)
{
    free(news->items);
}

size_t news_bytes(const struct news *news)
{
    return news->items != NULL ? NEWS_MAX * sizeof *news->items : 0;
}

void news_forget(struct room *room)
{
    room->news.count = 0;
}

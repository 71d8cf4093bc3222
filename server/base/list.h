/* A list. Its entries hold their own links: adding and removing one takes no memory and no search.
 * A struct list of zeros is an empty list, and an item of zeros is in no list. A list may be copied
 * if only one of the copies is used afterwards. Its owner guards it if several threads use it. */
#ifndef LIST_H
#define LIST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

struct list_item {
    struct list_item *previous, *next;
};

struct list {
    struct list_item *first, *last;
};

/* Returns the struct of that type of which `item` is the member, or NULL if item is NULL. */
#define list_entry(item, type, member) ((type *)list_entry_at(item, offsetof(type, member)))

static inline void *list_entry_at(const struct list_item *item, size_t offset)
{
    return item != NULL ? (char *)item - offset : NULL;
}

/* Returns true if the item is in the list. It must be in no other list. */
static inline bool list_has(const struct list *list, const struct list_item *item)
{
    return item->previous != NULL || list->first == item;
}

/* Adds an item that is in no list at the end. */
static inline void list_append(struct list *list, struct list_item *item)
{
    assert(item->previous == NULL && item->next == NULL && list->first != item);
    item->previous = list->last;
    *(list->last != NULL ? &list->last->next : &list->first) = item;
    list->last = item;
}

/* Adds an item that is in no list behind `before`, an item of this list; NULL: at the beginning. */
static inline void list_insert(struct list *list, struct list_item *before, struct list_item *item)
{
    struct list_item *const after = before != NULL ? before->next : list->first;

    assert(item->previous == NULL && item->next == NULL && list->first != item);
    *item = (struct list_item){.previous = before, .next = after};
    *(before != NULL ? &before->next : &list->first) = item;
    *(after != NULL ? &after->previous : &list->last) = item;
}

/* Removes an item of this list, which is then in no list. */
static inline void list_remove(struct list *list, struct list_item *item)
{
    struct list_item **before = item->previous != NULL ? &item->previous->next : &list->first;
    struct list_item **after = item->next != NULL ? &item->next->previous : &list->last;

    assert(*before == item && *after == item);
    *before = item->next;
    *after = item->previous;
    *item = (struct list_item){0};
}

/* Removes and returns the first item, or returns NULL if the list is empty. */
static inline struct list_item *list_take(struct list *list)
{
    struct list_item *item = list->first;

    if (item != NULL) {
        list_remove(list, item);
        assert(list->first != item);
    }
    return item;
}

/* Moves all items of `more` to the end of the list. */
static inline void list_join(struct list *list, struct list *more)
{
    assert(list != more);
    if (more->first != NULL) {
        more->first->previous = list->last;
        *(list->last != NULL ? &list->last->next : &list->first) = more->first;
        list->last = more->last;
        *more = (struct list){0};
    }
}

#endif

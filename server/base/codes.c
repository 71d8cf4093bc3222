#include "base/codes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

static struct list *bucket_of(const struct codes *codes, const char *code)
{
    return (struct list *)&codes->buckets[hash_text(code) % CODES_BUCKETS];
}

struct coded *codes_find(const struct codes *codes, const char *code)
{
    struct list_item *item = bucket_of(codes, code)->first;

    while (item != NULL && strcmp(list_entry(item, struct coded, item)->code, code) != 0) {
        item = item->next;
    }
    return list_entry(item, struct coded, item);
}

void codes_add(struct codes *codes, struct coded *entry, const char *code)
{
    assert(codes_find(codes, code) == NULL);
    (void)snprintf(entry->code, sizeof entry->code, "%s", code);
    list_append(bucket_of(codes, entry->code), &entry->item);
}

void codes_remove(struct codes *codes, struct coded *entry)
{
    list_remove(bucket_of(codes, entry->code), &entry->item);
}

struct coded *codes_take(struct codes *codes)
{
    for (size_t i = 0; i < CODES_BUCKETS; i++) {
        if (codes->buckets[i].first != NULL) {
            return list_entry(list_take(&codes->buckets[i]), struct coded, item);
        }
    }
    return NULL;
}

#include "net/session/later.h"

#include <stdint.h>
#include <stdlib.h>

struct later {
    uint32_t first, count; /* frames already given to tell(), and all frames */
    struct frame *frames[LATER_MAX];
};

bool later_add(struct later **later, struct frame *frame)
{
    if (*later == NULL) {
        *later = calloc(1, sizeof **later);
    }
    if (*later == NULL || (*later)->count == LATER_MAX) {
        frame_release(frame);
        return false;
    }
    (*later)->frames[(*later)->count++] = frame;
    return true;
}

bool later_tell(struct later **later, bool (*tell)(void *line, struct frame *frame), void *line)
{
    struct later *those = *later;

    if (those == NULL) {
        return true;
    }
    while (those->first < those->count) {
        if (!tell(line, those->frames[those->first])) {
            return false;
        }
        those->first++;
    }
    free(those);
    *later = NULL;
    return true;
}

void later_finish(struct later **later)
{
    struct later *those = *later;

    while (those != NULL && those->first < those->count) {
        frame_release(those->frames[those->first++]);
    }
    free(those);
    *later = NULL;
}

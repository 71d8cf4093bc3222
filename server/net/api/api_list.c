#include "net/api/api_list.h"

#include <stdlib.h>
#include <string.h>

#include "net/api/api_form.h"
#include "net/http/page.h"

bool api_list_renew(struct api_list *list, const struct api_source *source, const char *create,
                    uint64_t now)
{
    uint64_t version = api_source_version(source); /* before the list is read */
    uint32_t cost = 0;
    uint8_t *bytes;
    char *text;

    if (list->bytes != NULL && (version == list->version || now < list->until)) {
        return true;
    }
    text = api_write_rooms(source, create, &cost);
    bytes = text != NULL ? malloc(PAGE_HEADROOM + strlen(text)) : NULL;
    if (bytes != NULL) {
        free(list->bytes);
        list->bytes = bytes;
        list->size = strlen(text);
        list->version = version;
        list->until = now + (uint64_t)cost * API_LIST_TIME;
        memcpy(bytes + PAGE_HEADROOM, text, list->size);
    }
    free(text);
    return bytes != NULL;
}

void api_list_free(struct api_list *list)
{
    free(list->bytes);
    *list = (struct api_list){0};
}

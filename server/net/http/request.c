#include "net/http/request.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH_DIGITS 15u /* no body is longer */

static const struct {
    enum lws_token_indexes token;
    enum request_method method;
} methods[] = {
    {WSI_TOKEN_GET_URI, REQUEST_GET},       {WSI_TOKEN_HEAD_URI, REQUEST_HEAD},
    {WSI_TOKEN_POST_URI, REQUEST_POST},     {WSI_TOKEN_PATCH_URI, REQUEST_PATCH},
    {WSI_TOKEN_DELETE_URI, REQUEST_DELETE}, {WSI_TOKEN_PUT_URI, REQUEST_OTHER},
    {WSI_TOKEN_OPTIONS_URI, REQUEST_OTHER}, {WSI_TOKEN_CONNECT, REQUEST_OTHER},
};

enum request_method request_method(struct lws *wsi, char *path, size_t size)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (lws_hdr_total_length(wsi, methods[i].token) > 0) {
            request_header(wsi, methods[i].token, path, size);
            return methods[i].method;
        }
    }
    path[0] = '\0';
    return REQUEST_OTHER;
}

void request_header(struct lws *wsi, enum lws_token_indexes token, char *value, size_t size)
{
    if (lws_hdr_copy(wsi, value, (int)size, token) <= 0) {
        value[0] = '\0';
    }
}

int64_t request_length(struct lws *wsi)
{
    char text[LENGTH_DIGITS + 1];

    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0) {
        return REQUEST_NO_LENGTH;
    }
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text);
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text)) {
        return REQUEST_BAD_LENGTH;
    }
    return strtoll(text, NULL, 10);
}

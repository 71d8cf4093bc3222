#include "net/session/upgrade.h"

#include <string.h>

#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/head.h"
#include "net/gate/origin.h"

#define KEY_LENGTH 24 /* 16 bytes in base64 */
#define KEY_BYTES  16
#define VERSION    "13"

#define STATUS_UPGRADE_REQUIRED 426 /* libwebsockets has no name for it */

/* ---- what RFC 6455, 4.1 and 4.2.1, requires ---- */

static bool header_is(struct lws *wsi, enum lws_token_indexes token, const char *value)
{
    char is[32];

    return lws_hdr_copy(wsi, is, sizeof is, token) > 0 && strcmp(is, value) == 0;
}

static bool has_key(struct lws *wsi)
{
    char key[KEY_LENGTH + 1];
    char bytes[KEY_LENGTH + 1];

    return lws_hdr_copy(wsi, key, sizeof key, WSI_TOKEN_KEY) == KEY_LENGTH &&
           lws_b64_decode_string(key, bytes, sizeof bytes) == KEY_BYTES;
}

/* Returns true if a word of the header Connection is "upgrade". */
static bool wants_upgrade(struct lws *wsi)
{
    char words[127] /* as libwebsockets joins them */;
    char *rest = words;
    char *word;

    if (lws_hdr_copy(wsi, words, sizeof words, WSI_TOKEN_CONNECTION) <= 0) {
        return false;
    }
    while ((word = strsep(&rest, ", \t")) != NULL) {
        if (strcasecmp(word, "upgrade") == 0) {
            return true;
        }
    }
    return false;
}

/* Returns what is wrong with the request, or NULL. */
static const char *find_fault(struct lws *wsi)
{
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        return "A WebSocket needs the method GET.";
    }
    if (!header_is(wsi, WSI_TOKEN_HTTP, "HTTP/1.1")) {
        return "A WebSocket needs HTTP/1.1.";
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HOST) == 0) {
        return "The header Host is missing.";
    }
    if (!wants_upgrade(wsi)) {
        return "The header Connection: Upgrade is missing.";
    }
    if (!has_key(wsi)) {
        return "The header Sec-WebSocket-Key must be 16 bytes in base64.";
    }
    return NULL;
}

/* ---- what flockd requires ---- */

static bool wants_flock(struct lws *wsi)
{
    char words[127]; /* as libwebsockets joins them */
    char *rest = words;
    char *word;

    if (lws_hdr_copy(wsi, words, sizeof words, WSI_TOKEN_PROTOCOL) <= 0) {
        return false;
    }
    while ((word = strsep(&rest, ", \t")) != NULL) {
        if (strcmp(word, PROTO_SUBPROTOCOL) == 0) {
            return true;
        }
    }
    return false;
}

/* Refuses in HTTP/1.1: libwebsockets does not know the version yet and would answer in HTTP/1.0. */
static int refuse_upgrade(struct lws *wsi, unsigned status, const char *extra, const char *text)
{
    uint8_t buffer[LWS_PRE + HEAD_TEXT_MAX];
    size_t size = head_print((char *)buffer + LWS_PRE, HEAD_TEXT_MAX, status, extra, text);

    connection_answered(lws_context_user(lws_get_context(wsi)), wsi, strlen(text));
    lws_write(wsi, buffer + LWS_PRE, size, LWS_WRITE_HTTP_HEADERS);
    return -1;
}

int upgrade_refuse(struct lws *wsi, unsigned status, const char *text)
{
    return refuse_upgrade(wsi, status, "", text);
}

int upgrade_confirm(struct lws *wsi)
{
    const struct context *context = lws_context_user(lws_get_context(wsi));
    const char *text = find_fault(wsi);
    char path[16];

    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0 && strcmp(path, "/ws") != 0) {
        return refuse_upgrade(wsi, HTTP_STATUS_NOT_FOUND, "", "The flock's WebSocket is at /ws.");
    }
    if (context->service->config->tls_cert[0] != '\0' && !lws_is_ssl(wsi)) {
        return refuse_upgrade(wsi, STATUS_UPGRADE_REQUIRED, "", "This port uses TLS: use wss.");
    }
    if (text != NULL) {
        return refuse_upgrade(wsi, HTTP_STATUS_BAD_REQUEST, "", text);
    }
    if (!header_is(wsi, WSI_TOKEN_VERSION, VERSION)) {
        return refuse_upgrade(wsi, STATUS_UPGRADE_REQUIRED,
                              "upgrade: websocket\r\nsec-websocket-version: " VERSION "\r\n",
                              "Expected WebSocket version " VERSION ".");
    }
    if (!wants_flock(wsi)) {
        return refuse_upgrade(wsi, HTTP_STATUS_BAD_REQUEST, "",
                              "Expected the subprotocol " PROTO_SUBPROTOCOL ".");
    }
    text = origin_refusal(context->service->config, wsi, true);
    return text != NULL ? refuse_upgrade(wsi, HTTP_STATUS_FORBIDDEN, "", text) : 0;
}

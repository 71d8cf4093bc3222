#include "net/gate/origin.h"

#include <string.h>

#include "base/ip.h"

#define HEADER_MAX 300

#define FAULT_HEADER "The header Origin or Host is too long."
#define FAULT_HOST                                                                                 \
    "This server does not know the name in the header Host. If the name is right, start "          \
    "flockd with --host and that name."
#define FAULT_ORIGIN                                                                               \
    "Pages of this origin may not use this server. To allow them, start flockd with "              \
    "--allow-origin and the origin."

/* ---- comma-separated lists ---- */

/* Returns the next word of a list and stores its length; returns NULL at the end. */
static const char *next_word(const char **list, size_t *length)
{
    const char *word = *list + strspn(*list, ", ");

    *length = strcspn(word, ", ");
    *list = word + *length;
    return *length > 0 ? word : NULL;
}

static bool has_word(const char *list, const char *text, size_t size)
{
    const char *word;
    size_t length;

    while ((word = next_word(&list, &length)) != NULL) {
        if (length == size && strncasecmp(word, text, size) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- names ---- */

/* Returns the length of the name in "name:port". */
static size_t name_length(const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;

    return end != NULL ? (size_t)(end + 1 - host) : strcspn(host, ":/");
}

static bool is_loopback_ip(const struct ip *ip)
{
    struct ip_range ranges[2];

    return ip_read_range("127.0.0.0/8", &ranges[0]) && ip_read_range("::1", &ranges[1]) &&
           ip_is_in(ip, ranges, 2);
}

/* Every browser resolves localhost and names below it to this machine (RFC 6761). */
static bool is_loopback_name(const char *host, size_t length)
{
    static const char name[] = "localhost";
    const size_t size = sizeof name - 1;

    return length >= size && strncasecmp(host + length - size, name, size) == 0 &&
           (length == size || host[length - size - 1] == '.');
}

/* Returns true if the name in the Host header is one of the server's. */
static bool is_own(const struct config *config, const char *host)
{
    size_t length = name_length(host);
    bool public = config->public_url[0] != '\0';
    struct ip ip;
    struct ip bound;

    if (config->tls_cert[0] != '\0' || has_word(config->hosts, host, length)) {
        return true; /* a name of the certificate: the browser has checked it */
    }
    if (public) {
        const char *at = strstr(config->public_url, "://");
        at = at != NULL ? at + 3 : config->public_url;
        if (name_length(at) == length && strncasecmp(at, host, length) == 0) {
            return true;
        }
    }
    if (is_loopback_name(host, length)) {
        return true;
    }
    if (ip_read(config->bind, &bound) ? is_loopback_ip(&bound)
                                      : is_loopback_name(config->bind, strlen(config->bind))) {
        return ip_read(host, &ip) && is_loopback_ip(&ip);
    }
    /* A number resolves to itself: DNS rebinding needs a name. */
    return (config->hosts[0] == '\0' && !public) || ip_read(host, &ip);
}

/* Returns true for the origin of --public-url: a proxy may have changed the Host header. */
static bool is_public(const struct config *config, const char *origin)
{
    size_t length = strlen(origin);

    return length > 0 && strncasecmp(config->public_url, origin, length) == 0 &&
           strchr("/", config->public_url[length]) != NULL;
}

const char *origin_fault(const struct config *config, const char *origin, const char *host,
                         bool socket)
{
    const char *name = strstr(origin, "://");

    if (origin[0] == '\0' && socket) {
        return NULL; /* not a browser */
    }
    if (origin[0] != '\0' && (has_word(config->allow_origin, "*", 1) || is_public(config, origin) ||
                              has_word(config->allow_origin, origin, strlen(origin)))) {
        return NULL;
    }
    if (host[0] != '\0' && !is_own(config, host)) {
        return FAULT_HOST;
    }
    return origin[0] == '\0' || (name != NULL && host[0] != '\0' && strcasecmp(name + 3, host) == 0)
               ? NULL
               : FAULT_ORIGIN;
}

const char *origin_refusal(const struct config *config, struct lws *wsi, bool socket)
{
    char origin[HEADER_MAX] = "";
    char host[HEADER_MAX] = "";

    if ((lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0 &&
         lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) < 0) ||
        (lws_hdr_total_length(wsi, WSI_TOKEN_HOST) > 0 &&
         lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) < 0)) {
        return FAULT_HEADER;
    }
    return origin_fault(config, origin, host, socket);
}

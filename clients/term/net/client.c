#include "term/net/client.h"

#include "term/texts/texts.h"

#include "base/grow.h"
#include "packed.h"
#include "protocol.h"

#include <assert.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RX_CHUNK = 32768,
    REASON_MAX = 320,
    AUTHORITY_MAX = TERM_URL_HOST_MAX + 16,
    SOCKETS_MAX = 64,    /* the size of the library's table of file descriptors */
    ADDRESS_TIME = 4000, /* ms for an address to answer before the next one is tried */
};

/* Outlives the client if the name is resolved later. */
struct lookup {
    uv_getaddrinfo_t request;
    struct term_client *client; /* NULL: the client is gone */
};

struct term_client {
    uv_loop_t *loop;
    const struct term_url *url;
    struct term_trust trust;
    struct term_client_events events;
    struct lws_context *context;
    struct lws *wsi; /* the connection or the attempt; callbacks of other ones are ignored */
    bool opened;
    bool failed;     /* the attempt failed: try the next address */
    bool distrusted; /* the certificate was refused; `reason` says why */
    bool calling;    /* within lws_client_connect_via_info() */
    struct lookup *lookup;
    struct addrinfo *addresses;
    struct addrinfo *address; /* the next to try */
    struct addrinfo *tried;   /* out of turn, because it worked before; NULL: none */
    uint64_t began;           /* when the attempt at an address began, ms of the loop */
    int close_code;
    char reason[REASON_MAX];
    char path[TERM_URL_ASKED_MAX];
    char authority[AUTHORITY_MAX];
    char reached[NI_MAXHOST]; /* the address of the last attempt; "": none */
    char worked[NI_MAXHOST];  /* the address of the last connection; "": none */
    bool left;                /* term_client_leave() was called */
    bool looking;             /* and a name was being resolved then */
    bool tls;                 /* the library was started with TLS */
    uint8_t *message;         /* the fragments of a message so far */
    size_t size, capacity;
};

static size_t message_max(void)
{
    return proto_snapshot_bound(PACKED_MAX(PROTO_BOIDS_MAX), PROTO_PEOPLE_MAX);
}

static const char no_answer[] = "closed before established"; /* the library's words */

static void set_reason(struct term_client *client, const char *text, size_t length)
{
    length = length < REASON_MAX - 1 ? length : REASON_MAX - 1;
    memcpy(client->reason, text, length);
    client->reason[length] = '\0';
}

static void say_reason(struct term_client *client, enum text text)
{
    set_reason(client, texts_get(text), strlen(texts_get(text)));
}

static void report_closed(struct term_client *client)
{
    client->wsi = NULL;
    client->opened = client->failed = false;
    client->size = 0;
    client->events.closed(client->events.owner, client->close_code, client->reason);
}

/* Replaces the library's reason for a failed connection by one that helps. */
static void on_connection_error(struct term_client *client, const char *text, size_t length)
{
    /* A refused certificate has a verdict of its own: see on_certificate(). */
    static const struct {
        const char *theirs;
        enum text ours;
    } words[] = {
        {no_answer, TEXT_UNREACHABLE},
        {"Unable to connect", TEXT_UNREACHABLE},
        {"conn fail", TEXT_UNREACHABLE},
        {"Timed out waiting server reply", TEXT_UNREACHABLE},
        {"HS: ", TEXT_NOT_FLOCKD},
        {"Peer hung up", TEXT_NOT_FLOCKD},
        {"problems parsing header", TEXT_NOT_FLOCKD},
        {"connect SSL err", TEXT_NOT_HTTPS},
        {"tls: ", TEXT_NOT_SECRET},
        {"server's cert", TEXT_NOT_SECRET},
        {"Timed out waiting SSL", TEXT_NOT_HTTPS},
    };
    client->wsi = NULL;
    client->failed = true;
    if (client->distrusted) {
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t theirs = strlen(words[i].theirs);
        if (length >= theirs && memcmp(text, words[i].theirs, theirs) == 0) {
            say_reason(client, words[i].ours);
            return;
        }
    }
    if (texts_language() == TEXTS_EN) {
        set_reason(client, text, length);
    } else {
        say_reason(client, TEXT_NO_CONNECTION);
    }
}

/* Judges a certificate of the server's chain. Returns 0 to accept it; OpenSSL refuses it all the
 * same if it has found an error. */
static int on_certificate(struct term_client *client, void *verification)
{
    const char *verdict = term_trust_verdict(&client->trust, verification);
    if (verdict == NULL) {
        return 0;
    }
    texts_fill(client->reason, sizeof client->reason, TEXT_NOT_TRUSTED, verdict);
    client->distrusted = true;
    return -1;
}

/* Adds a fragment. Returns false if the message is too long or memory runs out. */
static bool append_fragment(struct term_client *client, const uint8_t *data, size_t size)
{
    uint8_t *message;

    assert(client->size <= message_max());
    if (size > message_max() - client->size) {
        return false;
    }
    if (size == 0) {
        return true;
    }
    message = grow_array(client->message, &client->capacity, client->size + size, message_max(), 1);
    if (message == NULL) {
        return false;
    }
    client->message = message;
    memcpy(client->message + client->size, data, size);
    client->size += size;
    return true;
}

/* Closes the connection soon. Refusing data in the callback that brings it would be simpler, but
 * then libwebsockets 4.1 reads the rest of the frame and writes past the end of its buffer. */
static void abandon_connection(struct term_client *client)
{
    lws_set_timeout(client->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    client->wsi = NULL;
}

static void on_receive(struct term_client *client, const uint8_t *data, size_t size)
{
    bool first = lws_is_first_fragment(client->wsi) != 0;
    bool final = lws_is_final_fragment(client->wsi) != 0;
    if (first) {
        client->size = 0;
    }
    if (!(first && final)) {
        if (!append_fragment(client, data, size)) {
            say_reason(client, TEXT_TOO_LONG);
            abandon_connection(client);
            report_closed(client);
            return;
        }
        data = client->message;
        size = client->size;
    }
    if (final && lws_frame_is_binary(client->wsi)) {
        client->events.received(client->events.owner, data, size);
    }
}

static int on_writable(struct term_client *client)
{
    uint8_t buffer[LWS_PRE + PROTO_MESSAGE_MAX];
    size_t size = client->events.next(client->events.owner, buffer + LWS_PRE);
    if (size == 0) {
        return 0;
    }
    if (lws_write(client->wsi, buffer + LWS_PRE, size, LWS_WRITE_BINARY) < (int)size) {
        return -1;
    }
    lws_callback_on_writable(client->wsi);
    return 0;
}

static void on_peer_close(struct term_client *client, const uint8_t *data, size_t size)
{
    if (size >= 2) {
        client->close_code = data[0] << 8 | data[1];
        set_reason(client, (const char *)data + 2, size - 2);
    }
}

static int on_event(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in,
                    size_t size)
{
    struct lws_context *context = lws_get_context(wsi);
    struct term_client *client = context != NULL ? lws_context_user(context) : NULL;
    if (client == NULL) {
        return 0;
    }
    if (event == LWS_CALLBACK_CLIENT_CONNECTION_ERROR && (client->calling || wsi == client->wsi)) {
        bool silent = in == NULL || size == 0;
        on_connection_error(client, silent ? no_answer : in, silent ? strlen(no_answer) : size);
        return 0;
    }
    if (wsi == NULL || wsi != client->wsi) {
        return 0;
    }
    switch (event) {
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
        return on_certificate(client, user);
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        client->opened = true;
        memcpy(client->worked, client->reached, sizeof client->worked);
        client->events.opened(client->events.owner);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        on_receive(client, in, size);
        return 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return on_writable(client);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        on_peer_close(client, in, size);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        report_closed(client);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        /* The only event after a handshake has timed out. */
        if (client->opened) {
            report_closed(client);
        } else {
            on_connection_error(client, no_answer, strlen(no_answer));
        }
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = PROTO_SUBPROTOCOL, .callback = on_event, .rx_buffer_size = RX_CHUNK},
    {.name = TERM_REQUEST_PROTOCOL, .callback = term_request_event},
    {0},
};

static void log_nothing(int level, const char *line)
{
    (void)level;
    (void)line;
}

struct term_client *term_client_create(uv_loop_t *loop, const struct term_url *url,
                                       const struct term_trust *trust,
                                       const struct term_client_events *events)
{
    bool own_ca = trust->ca != NULL && trust->ca[0] != '\0';
    struct term_client *client = calloc(1, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    client->loop = loop;
    client->url = url;
    client->trust = *trust;
    client->tls = url->tls;
    client->events = *events;
    if (!term_url_authority(url, client->authority, sizeof client->authority)) {
        free(client);
        return NULL;
    }
    lws_set_log_level(0, log_nothing);
    /* The library would use this proxy for every connection, even to this machine. */
    unsetenv("http_proxy");
    void *loops[] = {loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | (url->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0) |
                   (own_ca ? LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS : 0),
        .client_ssl_ca_filepath = own_ca ? trust->ca : NULL,
        .ssl_client_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1,
        .foreign_loops = loops,
        .fd_limit_per_thread = SOCKETS_MAX,
        .pt_serv_buf_size = RX_CHUNK,
        .user = client,
    };
    client->context = lws_create_context(&info);
    if (client->context == NULL) {
        free(client);
        return NULL;
    }
    return client;
}

static void forget_addresses(struct term_client *client)
{
    uv_freeaddrinfo(client->addresses);
    client->addresses = client->address = client->tried = NULL;
}

/* Writes an address as numbers; returns false if that fails. */
static bool print_address(const struct addrinfo *info, char out[NI_MAXHOST])
{
    return getnameinfo(info->ai_addr, info->ai_addrlen, out, NI_MAXHOST, NULL, 0, NI_NUMERICHOST) ==
           0;
}

/* Returns the address that worked before, if the host still has it, else NULL. */
static struct addrinfo *find_worked(const struct term_client *client)
{
    char address[NI_MAXHOST];
    for (struct addrinfo *info = client->addresses; info != NULL; info = info->ai_next) {
        if (client->worked[0] != '\0' && print_address(info, address) &&
            strcmp(address, client->worked) == 0) {
            return info;
        }
    }
    return NULL;
}

/* Takes the next address to try; NULL: there is none. The one that worked before comes first. */
static struct addrinfo *take_address(struct term_client *client)
{
    if (client->tried == NULL && client->address == client->addresses) {
        client->tried = find_worked(client);
        if (client->tried != NULL) {
            return client->tried;
        }
    }
    if (client->address != NULL && client->address == client->tried) {
        client->address = client->address->ai_next;
    }
    struct addrinfo *info = client->address;
    client->address = info != NULL ? info->ai_next : NULL;
    return info;
}

/* Returns whether there is another address to try. */
static bool has_more(const struct term_client *client)
{
    const struct addrinfo *next = client->address;
    return next != NULL && (next != client->tried || next->ai_next != NULL);
}

static void attempt_address(struct term_client *client)
{
    char address[NI_MAXHOST];
    const struct addrinfo *info = take_address(client);
    client->failed = client->distrusted = false;
    if (info == NULL) {
        report_closed(client);
        return;
    }
    client->began = uv_now(client->loop);
    client->events.trying(client->events.owner);
    if (!print_address(info, address)) {
        client->failed = true;
        return;
    }
    memcpy(client->reached, address, sizeof client->reached);
    struct lws_client_connect_info connect = {
        .context = client->context,
        .address = address,
        .port = client->url->port,
        .ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (client->url->tls ? LCCSCF_USE_SSL : 0),
        .path = client->path,
        .host = client->authority, /* the certificate must be for this name */
        .protocol = PROTO_SUBPROTOCOL,
        .alpn = "http/1.1",
        .pwsi = &client->wsi,
    };
    client->calling = true;
    struct lws *wsi = lws_client_connect_via_info(&connect);
    client->calling = false;
    if (wsi == NULL && !client->failed) {
        on_connection_error(client, no_answer, strlen(no_answer));
    }
}

/* Takes the list of addresses and attempts the first one. */
static void attempt_addresses(struct term_client *client, struct addrinfo *addresses)
{
    client->addresses = client->address = addresses;
    attempt_address(client);
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *addresses)
{
    struct lookup *lookup = request->data;
    struct term_client *client = lookup->client;
    free(lookup);
    if (client == NULL) {
        uv_freeaddrinfo(addresses);
        return;
    }
    client->lookup = NULL;
    if (status != 0) {
        say_reason(client, TEXT_NO_HOST);
        report_closed(client);
        return;
    }
    attempt_addresses(client, addresses);
}

/* Connects at once if the host is an IP address, which needs no lookup in a thread. Returns whether
 * it is one. */
static bool attempt_numeric_host(struct term_client *client)
{
    static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    struct addrinfo *addresses = NULL;
    if (getaddrinfo(client->url->host, NULL, &hints, &addresses) != 0) {
        return false;
    }
    attempt_addresses(client, addresses);
    return true;
}

void term_client_connect(struct term_client *client)
{
    static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    assert(client->wsi == NULL && client->lookup == NULL);
    client->close_code = 0;
    client->reason[0] = '\0';
    forget_addresses(client);
    if (attempt_numeric_host(client)) {
        return;
    }
    struct lookup *lookup = calloc(1, sizeof *lookup);
    if (lookup != NULL) {
        lookup->client = client;
        lookup->request.data = lookup;
        if (uv_getaddrinfo(client->loop, &lookup->request, on_resolved, client->url->host, NULL,
                           &hints) == 0) {
            client->lookup = lookup;
            return;
        }
        free(lookup);
    }
    say_reason(client, TEXT_OUT_OF_MEMORY);
    report_closed(client);
}

void term_client_tick(struct term_client *client)
{
    bool waits = client->wsi != NULL && !client->opened;
    if (waits && has_more(client) && uv_now(client->loop) - client->began > ADDRESS_TIME) {
        abandon_connection(client);
        on_connection_error(client, no_answer, strlen(no_answer));
    }
    if (client->failed) {
        attempt_address(client);
    }
}

void term_client_wake(struct term_client *client)
{
    if (client->opened) {
        lws_callback_on_writable(client->wsi);
    }
}

void term_client_drop(struct term_client *client)
{
    if (client->lookup != NULL) {
        uv_cancel((uv_req_t *)&client->lookup->request);
        client->lookup->client = NULL;
        client->lookup = NULL;
    }
    if (client->wsi != NULL) {
        abandon_connection(client);
    }
    client->opened = client->failed = false;
    client->size = 0;
    forget_addresses(client);
}

bool term_client_aim(struct term_client *client, const char *room)
{
    term_client_drop(client);
    term_url_ask(client->url, room, client->path);
    client->reached[0] = client->worked[0] = '\0';
    return (client->tls || !client->url->tls) &&
           term_url_authority(client->url, client->authority, sizeof client->authority);
}

struct term_request *term_client_request(const struct term_client *client, const char *path,
                                         const char *body, const struct term_request_events *events)
{
    const struct term_request_server server = {client->context, client->url, client->reached,
                                               client->authority};
    return client->reached[0] != '\0' ? term_request_send(&server, path, body, events) : NULL;
}

void term_client_leave(struct term_client *client)
{
    if (client == NULL || client->left) {
        return;
    }
    client->left = true;
    client->looking = client->lookup != NULL;
    term_client_drop(client);
    if (!client->looking) {
        /* On its owner's loop the library is destroyed in two steps, and the loop must run between
         * them. */
        lws_context_destroy(client->context);
    }
}

bool term_client_destroy(struct term_client *client)
{
    if (client == NULL) {
        return true;
    }
    term_client_leave(client);
    if (client->looking) {
        return false;
    }
    uv_run(client->loop, UV_RUN_DEFAULT);
    lws_context_destroy(client->context);
    free(client->message);
    free(client);
    return true;
}

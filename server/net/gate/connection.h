/* Connections from accept to close. A connection waits outside libwebsockets until the head of its
 * request is complete. So a silent or slow client costs one descriptor and a few bytes, and can be
 * closed at any time (see admission.h). The number of complete heads of an address is limited:
 * beyond it a connection waits until the shard has time to spare (see spare.h), for a few seconds
 * at most. If too many of its address wait, it is refused with 429. Then libwebsockets adopts it.
 * Only libwebsockets can read TLS: it adopts a TLS connection at the first bytes, and the
 * connection stays a guest whose request is incomplete. handshake.h limits the time for its
 * handshake. Must be used on the shard's thread. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <uv.h>

#include "base/ip.h"
#include "net/gate/admission.h"
#include "net/gate/pace.h"
#include "net/gate/readers.h"

#define CONNECTION_HEAD_MAX    16384u /* bytes of a request's head */
#define CONNECTION_PACKETS_MAX 1024u  /* of a head; the kernel takes 0.5 ms to peek at so many */
#define CONNECTION_LINES_MAX   64u    /* lines of a request's head */

struct arrival;
struct context;
struct session;

/* The ports at which connections are accepted. */
enum connection_port {
    CONNECTION_PUBLIC,
    CONNECTION_ADMIN, /* --admin-bind */
    CONNECTION_NODES, /* --cluster-bind */
};

/* libwebsockets' opaque user data of each connection. */
struct connection {
    struct admission_guest guest;   /* must be first: admission's pointers are to it */
    struct admission_guest adopted; /* in context->adopted: see adopted.h */
    struct ip address;              /* of the peer, or of the client that a trusted proxy names */
    struct lws *wsi;                /* NULL before libwebsockets has adopted it */
    struct arrival *arrival;        /* NULL after libwebsockets has adopted it */
    struct session *session;        /* memory of its WebSocket's session: see session_gone() */
    struct reader entering;         /* in context->entering */
    struct list_item halting;       /* in context->halting */
    bool over;                      /* its address has too many: its request is refused */
    bool allowed;                   /* has a part of its address's allowance: see allowance.h */
    enum connection_port port;      /* accepted there */
    bool asked;                     /* the head of its request was complete */
    bool answered;                  /* the response was sent */
    bool aborted;                   /* its client does not get the rest of its answer */
    bool socket;                    /* upgraded to a WebSocket */
    uint32_t download;              /* its number as a transfer; 0: none */
    struct pace pace;               /* of its upload or download */
    uint32_t sent, taken; /* bytes of a download: sent, and read by its client; they wrap */
    bool waiting;         /* bytes from the client waited at the last search, after … */
    uint32_t read;        /* … this number of bytes read: see connection_is_stuck() */
};

/* Takes over a socket that was accepted from that address. */
void connection_arrive(struct context *context, struct lws_vhost *vhost, int fd,
                       const struct ip *address, enum connection_port port);

/* Closes the waiting connections. Must be called before the loop and libwebsockets' context end. */
void connection_finish(struct context *context);

/* Closes the guests that are past their deadline. Must be called once a second. */
void connection_watch(struct context *context);

/* Returns true if bytes from the client, or the end of its side, waited at the last call, too, and
 * nothing was read since: libwebsockets does not read the connection, and the loop spins. */
bool connection_is_stuck(struct lws *wsi);

/* Closes the guests that are stuck. Must not be called from a libwebsockets callback. */
void connection_close_stuck(struct context *context);

/* Handlers of LWS_CALLBACK_WSI_CREATE, LWS_CALLBACK_CLOSED_HTTP and LWS_CALLBACK_WSI_DESTROY. */
void connection_adopted(struct context *context);
void connection_closing(struct context *context, struct lws *wsi);
void connection_gone(struct context *context, struct lws *wsi);

/* Returns the guest that came after this one, or the oldest for NULL; NULL: none. */
struct connection *connection_next(const struct context *context,
                                   const struct connection *connection);

/* Closes a guest. Must not be called from a libwebsockets callback. */
void connection_close(struct context *context, struct connection *connection);

static inline struct connection *connection_of(const struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

/* Must be called when libwebsockets has read the request's head. Returns false if the address has
 * too many connections; the caller refuses the request with 429 and this sentence. */
#define CONNECTION_OVER                                                                            \
    "Too many connections from this address; try again in a moment (the server's "                 \
    "--address-limit)."
bool connection_asked(struct context *context, struct lws *wsi);

/* The answer to a head in more than CONNECTION_PACKETS_MAX packets, with 431. */
#define CONNECTION_TOO_MANY "The head of a request may come in at most 1,024 packets."

/* The answer to a head with a name that libwebsockets cannot read, with 400. */
#define CONNECTION_BAD_NAME                                                                        \
    "flockd cannot read a header whose name is the beginning of a longer one's, such as X-A."

/* The answer to a head beyond CONNECTION_HEAD_MAX, with 431. */
#define CONNECTION_TOO_LARGE                                                                       \
    "A request's head may have at most 16,384 bytes and 64 lines. Many cookies may be the "        \
    "reason: all ports of a machine share them."

/* Returns true if the head that libwebsockets has read over TLS is too large; `body`: bytes of the
 * request's body, which may have come with it, or negative. Must be called before
 * connection_asked(). */
bool connection_is_large(const struct context *context, struct lws *wsi, int64_t body);

/* Closes the guests that have sent too large a part of a head over TLS. Must be called after the
 * sockets were read, but not from a libwebsockets callback. */
void connection_close_large(struct context *context);

/* Gives the connection `time` ms from now to send its request or to read its answer. */
void connection_wait(struct context *context, struct lws *wsi, uint32_t time);

/* Must be called when an upload or download begins, when `size` bytes of it were received or sent,
 * and when an upload has ended. A transfer below the least rate is closed: see pace.h. */
void connection_transfer(struct context *context, struct lws *wsi);
void connection_received(struct context *context, struct lws *wsi, size_t size);
void connection_sent(struct lws *wsi, size_t size);
void connection_uploaded(struct lws *wsi);

/* Must be called after a response with a body of `size` bytes was handed to libwebsockets. */
void connection_answered(struct context *context, struct lws *wsi, size_t size);

/* Must be called when the connection becomes a WebSocket, and when a hello makes it a client. */
void connection_opened(struct context *context, struct lws *wsi);
void connection_settled(struct context *context, struct lws *wsi);

/* Must be called when a request begins to wait in line, for that many ms at most, and when its turn
 * has come. */
void connection_stand_in_line(struct context *context, struct lws *wsi, uint32_t time);
void connection_leave_line(struct context *context, struct lws *wsi);

/* Makes a client without a slot a guest again, for that many ms. Must not be called from a
 * libwebsockets callback: it may close another guest. */
void connection_line_up(struct context *context, struct lws *wsi, uint32_t time);

/* Makes a client that lost its slot a guest again, while it is sent a goodbye. Must not be called
 * from a libwebsockets callback: it may close another guest. */
void connection_unsettle(struct context *context, struct lws *wsi);

#endif

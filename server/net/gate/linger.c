#include "net/gate/linger.h"

#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hub/hub.h"
#include "net/gate/admission.h"
#include "net/gate/context.h"
#include "net/gate/tls.h"
#include "net/gate/wire.h"

#define SMALL_MAX  2048u  /* bytes that the kernel may hold for a closed connection … */
#define CLOSE_TIME 10000u /* … for this many ms, if its client takes none of them */
#define SWEEP_TIME 100u   /* ms between sweeps if there are too many */

struct lingering {
    struct admission_guest guest; /* must be first; in context->lingering */
    int fd;
};

static_assert(offsetof(struct lingering, guest) == 0, "see next_of()");

static uint32_t now_ms(const struct context *context)
{
    return (uint32_t)(hub_now(context->service->hub) / 1000);
}

/* Returns the connection after this one, or the oldest for NULL; NULL: none. */
static struct lingering *next_of(const struct context *context, const struct lingering *lingering)
{
    return (struct lingering *)(void *)admission_next(&context->lingering,
                                                      lingering != NULL ? &lingering->guest : NULL);
}

/* Lets the kernel send the bytes that the client has not taken. */
static void end(struct context *context, struct lingering *lingering)
{
    admission_leave(&context->lingering, &lingering->guest);
    close(lingering->fd);
    free(lingering);
}

static void end_early(struct context *context, struct lingering *lingering)
{
    if (wire_queued(lingering->fd) > 0) {
        linger_abort(lingering->fd);
    }
    end(context, lingering);
}

void linger_abort(int fd)
{
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &(const struct linger){.l_onoff = 1},
               sizeof(struct linger));
}

/* Limits the time for which the kernel holds bytes that the client does not take. */
static void limit_close(int fd)
{
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(const unsigned){CLOSE_TIME}, sizeof(unsigned));
}

void linger_watch(struct context *context)
{
    const uint32_t now = now_ms(context);
    struct lingering *next = next_of(context, NULL);

    context->lingering_swept = now;
    while (next != NULL) {
        struct lingering *lingering = next;
        next = next_of(context, lingering);
        if (wire_queued(lingering->fd) == 0 || wire_is_closed(lingering->fd)) {
            end(context, lingering);
        } else if ((int32_t)(now - lingering->guest.due) >= 0) {
            counter_add(&context->counts.dawdled, 1);
            end_early(context, lingering);
        }
    }
}

static void enter(struct context *context, struct lingering *lingering, const struct ip *address,
                  uint32_t due)
{
    struct admission *all = &context->lingering;
    const struct ip network = ip_network(address);
    const uint32_t now = now_ms(context);
    struct admission_guest *other;

    if (all->count >= all->max && now - context->lingering_swept >= SWEEP_TIME) {
        linger_watch(context); /* closes those whose client has taken all, and displaces none */
    }
    other = admission_enter(all, &lingering->guest, &network, now);
    lingering->guest.due = due;
    if (other != NULL) {
        counter_add(&context->counts.displaced, 1);
        end_early(context, (struct lingering *)(void *)other);
    }
}

void linger_begin(struct context *context, int fd, void *ssl, const struct ip *address,
                  uint32_t due)
{
    const uint32_t queued = wire_queued(fd);
    struct lingering *lingering;

    if (queued == 0 || wire_is_closed(fd)) {
        return;
    }
    if (queued <= SMALL_MAX || context->stopping || context->service->lingering_max == 0) {
        limit_close(fd);
        return;
    }
    lingering = calloc(1, sizeof *lingering);
    if (lingering == NULL) {
        linger_abort(fd);
        return;
    }
    lingering->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (lingering->fd < 0) {
        linger_abort(fd);
        free(lingering);
        return;
    }
    if (ssl != NULL) {
        tls_end(ssl);
    }
    shutdown(fd, SHUT_WR);
    enter(context, lingering, address, due);
}

void linger_finish(struct context *context)
{
    struct lingering *lingering;

    while ((lingering = next_of(context, NULL)) != NULL) {
        limit_close(lingering->fd);
        end(context, lingering);
    }
}

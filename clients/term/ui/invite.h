/* The room's code, its link, and the link as a QR code, for people who look at this screen.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_INVITE_H
#define TERM_INVITE_H

#include "term/draw/qr.h"
#include "term/net/session.h"
#include "term/net/target.h"
#include "term/ui/input.h"

#include <stdbool.h>

/* All zero: closed. */
struct term_invite {
    bool open;
    char link[TERM_TARGET_TEXT_MAX + 1];
    struct qr qr; /* of the link */
};

void term_invite_finish(struct term_invite *invite);

/* Handles a key; returns false if the key has nothing to do with the invitation. url: of the
 * server.
 */
bool term_invite_act(struct term_invite *invite, const struct term_session *session,
                     const char *url, struct term_input input);

/* Draws the invitation, if it is open. On a screen that is too small it has no QR code. */
void term_invite_draw(const struct term_invite *invite, const struct term_session *session);

#endif

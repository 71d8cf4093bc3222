#include "term/ui/invite.h"

#include "term/texts/texts.h"
#include "term/tty/inks.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/box.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
    LINES_BELOW = 2, /* the code of the room and the link */
    QUIET_LEAST = 2, /* modules around a QR code on a small screen; most scanners are content */
};

void term_invite_finish(struct term_invite *invite)
{
    qr_free(&invite->qr);
}

/* Writes the link of the room that is shown, with its join key. */
static bool write_link(struct term_invite *invite, const struct term_session *session,
                       const char *url)
{
    struct term_target target = {0};
    if (term_target_parse(&target, url) != NULL) {
        return false;
    }
    snprintf(target.room, sizeof target.room, "%s", session->welcome.room.code);
    if (session->welcome.room.locked) {
        snprintf(target.join_key, sizeof target.join_key, "%s", session->hello.join);
    }
    return term_target_print(&target, invite->link, sizeof invite->link);
}

bool term_invite_act(struct term_invite *invite, const struct term_session *session,
                     const char *url, struct term_input input)
{
    if (invite->open && (input.action == TERM_CANCEL || input.action == TERM_INVITE)) {
        invite->open = false;
        return true;
    }
    if (input.action != TERM_INVITE || !session->known) {
        return invite->open && input.action == TERM_SCROLL;
    }
    invite->open = write_link(invite, session, url);
    qr_make(&invite->qr, invite->link);
    return true;
}

/* Returns how many modules are around the QR code on this screen; 0: it does not fit. */
static int fit_quiet(const struct qr *qr)
{
    for (int quiet = QR_QUIET; quiet >= QUIET_LEAST && qr->side > 0; quiet--) {
        if (qr_columns(qr, quiet) <= COLS - 4 && qr_rows(qr, quiet) + LINES_BELOW <= LINES - 3) {
            return quiet;
        }
    }
    return 0;
}

/* Draws the QR code, dark on light on every terminal. */
static void draw_qr(const struct qr *qr, int quiet, int top, int left)
{
    short pair = inks_paper();
    attr_t attributes = pair == 0 ? A_REVERSE : A_NORMAL;
    for (int row = 0; row < qr_rows(qr, quiet); row++) {
        for (int column = 0; column < qr_columns(qr, quiet); column++) {
            const wchar_t symbol[2] = {qr_symbol(qr, quiet, column, row), 0};
            cchar_t cell;
            setcchar(&cell, symbol, attributes, pair, NULL);
            mvadd_wch(top + row, left + column, &cell);
        }
    }
}

/* Writes a line in the middle of the box. */
static void draw_line(const struct term_box_place *place, int row, const char *text)
{
    int width = term_print_width(text);
    width = width < place->width ? width : place->width;
    if (row < place->height) {
        term_print(place->top + row, place->left + (place->width - width) / 2, text, place->width);
    }
}

void term_invite_draw(const struct term_invite *invite, const struct term_session *session)
{
    char code[TEXTS_LINE];
    int quiet = term_screen_unicode() ? fit_quiet(&invite->qr) : 0;
    int rows = quiet > 0 ? qr_rows(&invite->qr, quiet) : 0;
    int columns = quiet > 0 ? qr_columns(&invite->qr, quiet) : 0;
    int width = term_print_width(invite->link);
    if (!invite->open) {
        return;
    }
    texts_fill(code, sizeof code, TEXT_INVITE_ROOM, session->welcome.room.code);
    const struct term_box_place place =
        term_box_frame(rows + LINES_BELOW, width > columns ? width : columns);
    if (quiet > 0) {
        draw_qr(&invite->qr, quiet, place.top, place.left + (place.width - columns) / 2);
    }
    attr_set(A_BOLD, 0, NULL);
    draw_line(&place, rows, code);
    attr_set(A_NORMAL, 0, NULL);
    draw_line(&place, rows + 1, invite->link);
}

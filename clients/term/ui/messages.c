#include "term/ui/messages.h"

#include "term/flock/news.h"
#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/ui/box.h"

#include <curses.h>

void term_messages_attention(const struct term_session *session, int columns)
{
    const struct proto_room *room = &session->welcome.room;
    const char *text = room->attention[0] != '\0' ? room->attention : texts_get(TEXT_LOOK_UP);
    int row = LINES / 2;
    int width = term_print_width(text);
    if (!session->known || !room->has_attention || columns < 3) {
        return;
    }
    width = width < columns - 2 ? width : columns - 2;
    attr_set(A_REVERSE | A_BOLD, 0, NULL);
    for (int i = row - 1; i <= row + 1; i++) {
        mvhline(i, 0, ' ', columns);
    }
    term_print(row, (columns - width) / 2, text, width);
    attr_set(A_NORMAL, 0, NULL);
}

/* Adds a key and what it does. */
static void add_offer(struct term_box *box, enum text offer, enum text key)
{
    char line[TEXTS_LINE];
    texts_fill(line, sizeof line, offer, texts_key(key));
    term_box_add(box, "%s", line);
}

void term_messages_connection(const struct term_session *session, const char *url)
{
    struct term_box box = {0};
    char reason[TERM_SESSION_REASON_MAX];
    if (session->phase == TERM_ENDED && term_messages_ending(session, reason, sizeof reason)) {
        term_box_add(&box, "%s", reason);
        term_box_add(&box, "%s", "");
        add_offer(&box, TEXT_OFFER_ROOMS, TEXT_DO_ROOMS);
        add_offer(&box, TEXT_OFFER_AGAIN, TEXT_DO_RETRY);
        add_offer(&box, TEXT_OFFER_QUIT, TEXT_DO_QUIT);
    } else if (session->phase == TERM_ENDED) {
        term_box_add(&box, "%s", texts_get(TEXT_SERVER_CLOSED));
        term_box_add(&box, "%s (%d)", session->reason, session->close_code);
        term_box_add(&box, "%s", "");
        add_offer(&box, TEXT_OFFER_NEW, TEXT_DO_RETRY);
        add_offer(&box, TEXT_OFFER_QUIT, TEXT_DO_QUIT);
    } else if (!session->known) {
        char waiting[TEXTS_LINE];
        texts_fill(waiting, sizeof waiting, TEXT_WAITING_FOR, url);
        term_box_add(&box, "%s", waiting);
        if (session->reason[0] != '\0') {
            term_box_add(&box, "%s", session->reason);
        }
    }
    term_box_draw(&box);
}

bool term_messages_ending(const struct term_session *session, char *out, size_t capacity)
{
    const struct news_close close = {
        .code = session->close_code,
        .room = session->known ? session->welcome.room.code : session->hello.room,
        .key_sent = session->hello.join[0] != '\0',
        .wait = session->join_wait,
    };
    return news_of_close(out, capacity, &close);
}

#include "term/ui/prompt.h"

#include "base/options.h"
#include "term/texts/texts.h"
#include "term/tty/label.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/box.h"
#include "term/ui/messages.h"
#include "term/ui/typed.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 52, REASON_ROWS = 4 };

static bool is_locked_out(const struct term_session *session)
{
    return session->phase == TERM_ENDED && session->close_code == PROTO_CLOSE_JOIN;
}

static void open_prompt(struct term_prompt *prompt, enum term_prompt_kind kind)
{
    prompt->kind = kind;
    prompt->typed[0] = '\0';
}

void term_prompt_follow(struct term_prompt *prompt, const struct term_session *session)
{
    bool locked = is_locked_out(session);
    if (locked && !prompt->declined && prompt->kind != TERM_PROMPT_JOIN) {
        open_prompt(prompt, TERM_PROMPT_JOIN);
    } else if (!locked) {
        prompt->declined = false;
        if (prompt->kind == TERM_PROMPT_JOIN) {
            prompt->kind = TERM_PROMPT_NONE;
        }
    }
}

/* Opens the box for the presenter key, unless this person is a presenter. */
static void ask_presenter_key(struct term_prompt *prompt, struct term_session *session, int64_t now)
{
    if (session->phase != TERM_LIVE) {
        return; /* the status line says why */
    }
    if (session->welcome.role == PROTO_PRESENTER) {
        term_session_notify(session, now, TERM_MISTAKE, texts_get(TEXT_ARE_PRESENTER));
    } else {
        open_prompt(prompt, TERM_PROMPT_PRESENT);
    }
}

/* Sends the typed key. An invalid key stays in the box, with the reason in the status line. */
static void enter_key(struct term_prompt *prompt, struct term_session *session, int64_t now)
{
    char notice[TERM_SESSION_REASON_MAX];
    if (!options_key.valid(prompt->typed) || prompt->typed[0] == '\0') {
        texts_fill(notice, sizeof notice, TEXT_KEY_FORM, texts_plain(PROTO_KEY_MAX).digits,
                   texts_get(TEXT_KEY_LETTERS));
        term_session_notify(session, now, TERM_MISTAKE, notice);
        return;
    }
    if (prompt->kind == TERM_PROMPT_JOIN) {
        term_session_unlock(session, prompt->typed);
        term_session_retry(session);
    } else {
        term_session_present(session, prompt->typed, now);
    }
    *prompt = (struct term_prompt){0};
}

/* Handles a key of the open box. */
static void act_open(struct term_prompt *prompt, struct term_session *session,
                     struct term_input input, int64_t now)
{
    switch (input.action) {
    case TERM_TYPE:
        term_typed_add(prompt->typed, PROTO_KEY_MAX, input.x);
        break;
    case TERM_ERASE:
        term_typed_erase(prompt->typed);
        break;
    case TERM_CLEAR:
        prompt->typed[0] = '\0';
        break;
    case TERM_ENTER:
        enter_key(prompt, session, now);
        break;
    case TERM_CANCEL:
        prompt->declined = prompt->kind == TERM_PROMPT_JOIN;
        prompt->kind = TERM_PROMPT_NONE;
        break;
    default:
        break;
    }
}

bool term_prompt_act(struct term_prompt *prompt, struct term_session *session,
                     struct term_input input, int64_t now)
{
    term_prompt_follow(prompt, session);
    if (prompt->kind == TERM_PROMPT_NONE) {
        if (input.action == TERM_KEY) {
            ask_presenter_key(prompt, session, now);
        }
        return input.action == TERM_KEY;
    }
    if (input.action < TERM_PANEL || input.action > TERM_CANCEL) {
        return false;
    }
    act_open(prompt, session, input, now);
    return true;
}

/* Draws the end of the typed key as dots, and the place where typing continues. */
static void draw_typed(const struct term_prompt *prompt, int row, int column, int columns)
{
    int length = term_print_width(prompt->typed);
    length = length < columns - 1 ? length : columns - 1;
    wchar_t dot[2] = {term_screen_symbol(L'•', L'*'), 0};
    for (int i = 0; i < length; i++) {
        mvaddwstr(row, column + i, dot);
    }
    term_print(row, column + length, "_", 1);
}

void term_prompt_draw(const struct term_prompt *prompt, const struct term_session *session)
{
    char reason[TERM_SESSION_REASON_MAX];
    snprintf(reason, sizeof reason, "%s", texts_get(TEXT_PROMPT_WHY));
    wchar_t label[TERM_LABEL_MAX];
    bool join = prompt->kind == TERM_PROMPT_JOIN;
    if (prompt->kind == TERM_PROMPT_NONE ||
        (join && !term_messages_ending(session, reason, sizeof reason))) {
        return;
    }
    term_zones_add(&(struct term_zone){0, 0, LINES, COLS, {TERM_IGNORED, 0, 0}, false});
    struct term_box_place place = term_box_frame(REASON_ROWS + 2, WIDTH);
    term_label(label, reason, (int)TERM_LABEL_MAX, 0);
    const wchar_t *rest = label;
    for (int i = 0; i < REASON_ROWS && i < place.height && *rest != L'\0'; i++) {
        mvaddnwstr(place.top + i, place.left, rest, term_label_line(rest, place.width));
        rest = term_label_rest(rest, place.width);
    }
    const char *key = texts_get(join ? TEXT_PROMPT_JOIN : TEXT_PROMPT_PRESENT);
    int before = term_print_width(key) + 1; /* columns before the typed key */
    if (place.height >= 2 && place.width > before + 2) {
        int row = place.top + place.height - 2;
        term_print(row, place.left, key, before);
        draw_typed(prompt, row, place.left + before, place.width - before);
        attr_set(A_DIM, 0, NULL);
        term_print(row + 1, place.left, texts_get(TEXT_PROMPT_HINT), place.width);
        attr_set(A_NORMAL, 0, NULL);
    }
}

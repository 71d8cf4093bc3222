#include "term/ui/view.h"

#include "term/texts/texts.h"
#include "term/tty/flow.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/finder_draw.h"
#include "term/ui/messages.h"
#include "term/ui/past_draw.h"
#include "term/ui/status.h"

#include <curses.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MIN = 20, ROWS_MIN = 5 };

/* A click this far from a boid picks it, in dots, or as a share of the shorter side: as far as its
 * body or its light reaches. */
#define PICK_DOTS  12.0F
#define PICK_SHARE 0.08F

void term_view_init(struct term_view *view, const char *url, enum term_cells cells)
{
    *view = (struct term_view){.help = {.url = url}, .budget = TERM_FLOW_MOST};
    term_picture_init(&view->picture, cells);
}

void term_view_finish(struct term_view *view)
{
    term_picture_finish(&view->picture);
    term_invite_finish(&view->invite);
}

/* ---- drawing ---- */

/* Returns the columns of the picture. */
static int picture_columns(const struct term_view *view)
{
    int screen = COLS < TERM_SCREEN_MAX ? COLS : TERM_SCREEN_MAX;
    return screen - term_sidebar_width(&view->sidebar);
}

static struct term_sources sources_of(const struct term_stay *stay)
{
    return (struct term_sources){stay->session, &stay->history, &stay->listing};
}

/* Draws the boxes, the topmost one last. */
static void draw_boxes(struct term_view *view, const struct term_stay *stay, int64_t now)
{
    const struct term_session *session = stay->session;
    const struct term_sources sources = sources_of(stay);
    if (view->help.open) {
        term_help_draw(&view->help, session, now);
    } else if (view->prompt.kind == TERM_PROMPT_NONE) {
        term_messages_connection(session, view->help.url);
    }
    term_invite_draw(&view->invite, session);
    term_finder_draw(&view->finder, &sources);
    term_prompt_draw(&view->prompt, session);
}

void term_view_close(struct term_view *view)
{
    struct term_measures measures = view->sidebar.measures;
    view->sidebar = (struct term_sidebar){.measures = measures};
    view->prompt = (struct term_prompt){0};
    view->help.open = view->finder.open = view->invite.open = false;
}

void term_view_move(struct term_view *view, const char *url)
{
    struct term_measures measures = {.open = view->sidebar.measures.open};
    term_picture_hide(&view->picture);
    view->sidebar =
        (struct term_sidebar){.measures = measures, .news = {.open = view->sidebar.news.open}};
    view->prompt = (struct term_prompt){0};
    view->help.url = url;
}

void term_view_draw(struct term_view *view, const struct term_stay *stay, int64_t now)
{
    const struct term_session *session = stay->session;
    erase();
    term_picture_spend(&view->picture, term_screen_sent(), view->budget, now);
    term_zones_clear();
    if (COLS < COLUMNS_MIN || LINES < ROWS_MIN) {
        term_picture_hide(&view->picture);
        term_print(0, 0, texts_get(TEXT_TOO_SMALL), COLS);
    } else {
        term_sidebar_follow(&view->sidebar, session, now);
        term_prompt_follow(&view->prompt, session);
        int columns = picture_columns(view);
        term_picture_draw(&view->picture, session, columns, view->sidebar.measures.open);
        term_messages_attention(session, columns);
        term_past_draw(session, LINES - 2, columns, now);
        term_sidebar_draw(&view->sidebar, session, now);
        draw_boxes(view, stay, now);
        term_status_draw(session, now);
    }
    term_screen_flush();
}

/* ---- keys and clicks ---- */

/* Does what the user has chosen in the palette. Returns false if *input is left to do. */
static bool do_found(struct term_view *view, struct term_session *session,
                     const struct term_found *found, struct term_input *input, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_SET};
    switch (found->kind) {
    case TERM_FIND_ACTION:
        *input = found->input;
        return false;
    case TERM_FIND_CHOICE:
        snprintf(message.set.name, sizeof message.set.name, "%s", found->name);
        snprintf(message.set.value, sizeof message.set.value, "%s", found->value);
        term_session_ask(session, &message, now);
        return true;
    case TERM_FIND_PARAM:
        term_sidebar_show_param(&view->sidebar, session, found->name);
        return true;
    case TERM_FIND_SWEEP:
        term_sidebar_sweep(&view->sidebar, session, found->name, now);
        return true;
    case TERM_FIND_ROOM:
    case TERM_FIND_CREATE:
        snprintf(view->chosen, sizeof view->chosen, "%s", found->name);
        *input =
            (struct term_input){.action = found->kind == TERM_FIND_ROOM ? TERM_JOIN : TERM_CREATE};
        return false;
    }
    return true;
}

/* Returns whether a cursor or its name is at a cell. */
static bool is_cursor_at(const struct term_view *view, const struct term_session *session,
                         const struct timeline_cursor *cursor, int column, int row)
{
    const struct names_place *name = names_find(&view->picture.names, cursor->id);
    int x = 0;
    int y = 0;
    viewport_dot(&view->picture.viewport, cursor->x, cursor->y, &x, &y);
    bool named = name != NULL && names_covers(name, column, row);
    bool there = x >= 0 && y / VIEWPORT_DOTS_Y == row && x / VIEWPORT_DOTS_X == column;
    return term_people_find(&session->people, cursor->id) != NULL && (named || there);
}

/* Opens the room's panel at the person whose cursor or name was clicked. Returns false if there is
 * none at that cell. */
static bool pick_person(struct term_view *view, const struct term_session *session,
                        struct term_input input)
{
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    uint32_t count = timeline_cursors(session->timeline, cursors);
    if (!view->picture.fits || input.x >= picture_columns(view)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (cursors[i].id != session->welcome.id &&
            is_cursor_at(view, session, &cursors[i], input.x, input.y)) {
            term_sidebar_show_person(&view->sidebar, session, cursors[i].id);
            return true;
        }
    }
    return false;
}

/* Adds as many boids as a click adds in this preset, where the presenter has clicked. Returns false
 * if a click adds none. */
static bool add_at_click(const struct term_view *view, struct term_session *session,
                         struct term_input input, int64_t now)
{
    const struct proto_room *room = &session->welcome.room;
    struct proto_client_message message = {.type = PROTO_ADD, .add = {.count = room->click}};
    if (session->phase != TERM_LIVE || session->welcome.role != PROTO_PRESENTER ||
        room->click == 0 ||
        !term_picture_locate(&view->picture, input.x, input.y, &message.add.x, &message.add.y) ||
        message.add.x < 0 || message.add.x > room->width || message.add.y < 0 ||
        message.add.y > room->height) {
        return false;
    }
    term_session_ask(session, &message, now);
    return true;
}

/* Explains the boid that was clicked. Returns false if none is near. */
static bool pick_boid(struct term_view *view, struct term_session *session, struct term_input input,
                      int64_t now)
{
    const struct viewport *viewport = &view->picture.viewport;
    const float side = fminf((float)(viewport->columns * VIEWPORT_DOTS_X),
                             (float)(viewport->rows * VIEWPORT_DOTS_Y));
    float x = 0;
    float y = 0;
    return input.x < picture_columns(view) &&
           term_picture_locate(&view->picture, input.x, input.y, &x, &y) &&
           term_sidebar_pick(&view->sidebar, session, x, y,
                             fmaxf(PICK_DOTS, PICK_SHARE * side) / viewport->scale, now);
}

/* Handles a click or a turn of the wheel outside all buttons. */
static bool act_on_place(struct term_view *view, struct term_session *session,
                         struct term_input *input, int64_t now)
{
    bool beside = input->x >= picture_columns(view);
    switch (input->action) {
    case TERM_WHEEL_UP:
    case TERM_WHEEL_DOWN:
        if (!beside) {
            return false;
        }
        term_sidebar_wheel(&view->sidebar, session, input->y,
                           input->action == TERM_WHEEL_UP ? -1 : 1, now);
        return true;
    case TERM_PRESS:
        return pick_person(view, session, *input) || add_at_click(view, session, *input, now) ||
               pick_boid(view, session, *input, now);
    default:
        return false;
    }
}

/* Closes the news, then the measures, which lie below all else that can be closed. */
static bool close_lowest(struct term_view *view, enum term_action action)
{
    bool *lowest =
        view->sidebar.news.open ? &view->sidebar.news.open : &view->sidebar.measures.open;
    if (action != TERM_CANCEL || !*lowest) {
        return false;
    }
    *lowest = false;
    return true;
}

bool term_view_act(struct term_view *view, struct term_stay *stay, struct term_input *input,
                   int64_t now)
{
    struct term_session *session = stay->session;
    const struct term_sources sources = sources_of(stay);
    struct term_found found;
    bool done = false;
    *input = term_zones_point(&view->pointer, *input);
    if (session->alone && term_input_needs_server(input->action)) {
        term_session_notify(session, now, TERM_MISTAKE, texts_get(TEXT_DEMO_LACKS));
        return true;
    }
    if (term_prompt_act(&view->prompt, session, *input, now)) {
        return true;
    }
    if (term_finder_act(&view->finder, &sources, *input, &found, &done)) {
        if (!done || do_found(view, session, &found, input, now)) {
            return true;
        }
    }
    return term_invite_act(&view->invite, session, view->help.url, *input) ||
           term_help_act(&view->help, session, *input, now) ||
           term_lens_act(&view->lens, &view->picture, session, picture_columns(view), input) ||
           term_prompt_act(&view->prompt, session, *input, now) ||
           term_sidebar_act(&view->sidebar, session, *input, now) ||
           act_on_place(view, session, input, now) || close_lowest(view, input->action);
}

enum term_input_mode term_view_mode(const struct term_view *view)
{
    if (view->prompt.kind != TERM_PROMPT_NONE || view->finder.open) {
        return TERM_MODE_TEXT;
    }
    return view->help.open || view->invite.open ? TERM_MODE_HELP
                                                : term_sidebar_mode(&view->sidebar);
}

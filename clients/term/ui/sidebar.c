#include "term/ui/sidebar.h"

#include "term/texts/texts.h"
#include "term/ui/controls_draw.h"
#include "term/ui/members_draw.h"
#include "term/ui/side.h"

#include <assert.h>
#include <curses.h>

enum {
    WIDTH_MIN = 42,
    WIDTH_MAX = 52,
    BESIDE_MIN = 28,  /* columns that the flock must have */
    ALONE_WIDTH = 24, /* columns of the measures alone */
    ALONE_ROWS = 14,
    ALONE_ROWS_WIDE = 20, /* with a blank row between two measures */
};

bool term_sidebar_act(struct term_sidebar *sidebar, struct term_session *session,
                      struct term_input input, int64_t now)
{
    struct term_controls *controls = &sidebar->controls;
    struct term_members *members = &sidebar->members;
    if (term_members_act(members, session, input, now)) {
        controls->open = controls->open && !members->open;
        return true;
    }
    if (term_controls_act(controls, session, input, now)) {
        members->open = members->open && !controls->open;
        return true;
    }
    return !controls->open && !members->open && term_why_act(&sidebar->why, session, input, now);
}

void term_sidebar_show_param(struct term_sidebar *sidebar, const struct term_session *session,
                             const char *param)
{
    term_controls_open_at(&sidebar->controls, session, param);
    sidebar->members.open = sidebar->members.open && !sidebar->controls.open;
}

void term_sidebar_show_person(struct term_sidebar *sidebar, const struct term_session *session,
                              uint32_t id)
{
    term_members_open_at(&sidebar->members, session, id);
    sidebar->controls.open = sidebar->controls.open && !sidebar->members.open;
}

enum term_input_mode term_sidebar_mode(const struct term_sidebar *sidebar)
{
    return sidebar->members.open ? term_members_mode(&sidebar->members)
                                 : term_controls_mode(&sidebar->controls);
}

void term_sidebar_follow(struct term_sidebar *sidebar, const struct term_session *session,
                         int64_t now)
{
    term_controls_follow(&sidebar->controls, session);
    term_members_follow(&sidebar->members, session);
    term_measures_follow(&sidebar->measures, session, now);
    term_why_follow(&sidebar->why, session, now);
}

int term_sidebar_width(const struct term_sidebar *sidebar)
{
    if (!sidebar->controls.open && !sidebar->members.open && !sidebar->why.open) {
        bool fits = COLS - ALONE_WIDTH >= BESIDE_MIN && LINES > ALONE_ROWS;
        return sidebar->measures.open && fits ? ALONE_WIDTH : 0;
    }
    int width = COLS * 2 / 5;
    width = width > WIDTH_MIN ? width : WIDTH_MIN;
    width = width < WIDTH_MAX ? width : WIDTH_MAX;
    return COLS - width >= BESIDE_MIN ? width : COLS;
}

bool term_sidebar_measures(const struct term_sidebar *sidebar)
{
    return sidebar->measures.open || sidebar->controls.open;
}

/* Draws the measures alone, each below its name. */
static void draw_alone(const struct term_side *side, const struct term_measures *measures)
{
    bool wide = LINES > ALONE_ROWS_WIDE;
    struct term_measures_layout place = {
        .row = wide ? 2 : 1,
        .left = side->left,
        .width = side->width,
        .unit = 6,
        .bar = 6,
        .below = 1,
        .rows = wide ? 3 : 2,
    };
    term_side_ground(side);
    term_side_title(side, texts_get(TEXT_FLOCK), "");
    term_measures_draw(measures, &place);
}

void term_sidebar_draw(struct term_sidebar *sidebar, const struct term_session *session,
                       int64_t now)
{
    assert(!(sidebar->controls.open && sidebar->members.open));
    int width = term_sidebar_width(sidebar);
    struct term_side side = term_side_at(width);
    if (sidebar->controls.open) {
        term_controls_draw(&sidebar->controls, &side, &sidebar->measures, session, now);
    } else if (sidebar->members.open) {
        term_members_draw(&sidebar->members, &side, session, now);
    } else if (sidebar->why.open) {
        term_why_draw(&sidebar->why, &side, session);
    } else if (width > 0) {
        draw_alone(&side, &sidebar->measures);
    }
}

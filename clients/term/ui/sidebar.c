#include "term/ui/sidebar.h"

#include "term/ui/controls_draw.h"
#include "term/ui/members_draw.h"
#include "term/ui/side.h"

#include <assert.h>
#include <curses.h>

enum {
    WIDTH_MIN = 43,
    WIDTH_MAX = 52,
    BESIDE_MIN = 28,  /* columns that the flock must have */
    ALONE_WIDTH = 27, /* columns of the measures alone */
    ALONE_ROWS = 14,
    LARGE_ROWS = 10, /* of the other large panels, at least */
    WHY_ROWS = 17,   /* of the explanation of a boid: a sentence and its rules */
    HIGHER_MOST = 3, /* more rows of each measure */
};

/* ---- keys ---- */

/* Returns whether one of the large panels is open. */
static bool is_large(const struct term_sidebar *sidebar)
{
    return sidebar->controls.open || sidebar->members.open || sidebar->sweep.open ||
           sidebar->why.open;
}

/* Closes the panels that lie over the sweep and the explanation of a boid. */
static void uncover(struct term_sidebar *sidebar)
{
    sidebar->controls.open = sidebar->members.open = false;
}

/* Handles a key of the two panels that may lie below the others. */
static bool act_below(struct term_sidebar *sidebar, struct term_session *session,
                      struct term_input input, int64_t now)
{
    bool covered = sidebar->controls.open || sidebar->members.open;
    if (term_sweep_act(&sidebar->sweep, session, input, now)) {
        if (input.action == TERM_SWEEP && covered) {
            sidebar->sweep.open = session->known;
        }
    } else if (term_why_act(&sidebar->why, session, input, now)) {
        sidebar->sweep.open = sidebar->sweep.open && !sidebar->why.open;
    } else {
        return false;
    }
    if (input.action == TERM_SWEEP || (input.action == TERM_WHY && sidebar->why.open)) {
        uncover(sidebar);
    }
    return true;
}

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
    return act_below(sidebar, session, input, now);
}

void term_sidebar_wheel(struct term_sidebar *sidebar, struct term_session *session, int row,
                        int rows, int64_t now)
{
    const struct term_input input = {TERM_SELECT, 0, rows};
    if (sidebar->news_row > 0 && row >= sidebar->news_row - 1) {
        term_news_scroll(&sidebar->news, session, rows);
    } else {
        term_sidebar_act(sidebar, session, input, now);
    }
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

bool term_sidebar_pick(struct term_sidebar *sidebar, struct term_session *session, float x, float y,
                       float reach, int64_t now)
{
    if (!term_why_pick(&sidebar->why, session, x, y, reach, now)) {
        return false;
    }
    sidebar->sweep.open = false;
    uncover(sidebar);
    return true;
}

void term_sidebar_sweep(struct term_sidebar *sidebar, struct term_session *session,
                        const char *param, int64_t now)
{
    term_sweep_start(&sidebar->sweep, session, param, now);
    if (sidebar->sweep.open) {
        uncover(sidebar);
    }
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

/* ---- the layout ---- */

int term_sidebar_width(const struct term_sidebar *sidebar)
{
    if (!is_large(sidebar) && !sidebar->news.open) {
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

/* The rows of each panel; 0: not shown. */
struct rows {
    int large, measures, news;
};

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* Returns the rows that the large panel needs, which the other two leave to it. */
static int rows_of_large(const struct term_sidebar *sidebar, const struct term_session *session)
{
    if (!is_large(sidebar)) {
        return 0;
    }
    if (sidebar->controls.open) {
        return term_controls_rows(session, false);
    }
    return sidebar->members.open || sidebar->sweep.open ? LARGE_ROWS : WHY_ROWS;
}

/* Returns the rows that the large panel needs to show its whole list; 0: it has no list. */
static int whole_rows(const struct term_sidebar *sidebar, const struct term_session *session)
{
    return sidebar->controls.open  ? term_controls_rows(session, true)
           : sidebar->members.open ? term_members_rows(session)
                                   : 0;
}

/* Gives the large panel rows of the news until it shows its whole list, and rows that it does not
 * need to the measures, whose graphs get higher. */
static void trade_rows(struct rows *divided, int whole)
{
    const int lacking = at_most(whole - divided->large, divided->news - TERM_NEWS_ROWS_MIN);
    if (lacking > 0) {
        divided->large += lacking;
        divided->news -= lacking;
    }
    if (divided->measures > 0 && divided->large > whole) {
        const int higher = at_most((divided->large - whole) / TERM_MEASURE_COUNT, HIGHER_MOST);
        divided->measures += higher * TERM_MEASURE_COUNT;
        divided->large -= higher * TERM_MEASURE_COUNT;
    }
}

/* Divides the rows of the side. The measures stand below a whole list of controls even if this
 * person has not opened them. */
static struct rows divide_rows(const struct term_sidebar *sidebar,
                               const struct term_session *session, int rows)
{
    const int large = rows_of_large(sidebar, session);
    struct rows divided = {0};
    int left = rows - large;
    bool spare =
        sidebar->controls.open && rows - term_controls_rows(session, true) >= TERM_MEASURE_ROWS;
    if ((sidebar->measures.open || spare) && left >= TERM_MEASURE_ROWS) {
        divided.measures = TERM_MEASURE_ROWS;
        left -= TERM_MEASURE_ROWS;
    }
    if (sidebar->news.open && left >= TERM_NEWS_ROWS_MIN) {
        divided.news =
            large + divided.measures == 0 ? left : at_most(left / 2, TERM_NEWS_ROWS_MOST);
        divided.news = divided.news > TERM_NEWS_ROWS_MIN ? divided.news : TERM_NEWS_ROWS_MIN;
    }
    if (large > 0) {
        divided.large = rows - divided.measures - divided.news;
        const int whole = whole_rows(sidebar, session);
        if (whole > 0) {
            trade_rows(&divided, whole);
        }
    } else if (divided.measures > 0) {
        divided.measures = rows - divided.news;
    }
    return divided;
}

/* ---- drawing ---- */

/* Draws the first of the large panels that is open. */
static void draw_large(struct term_sidebar *sidebar, const struct term_side *side,
                       const struct term_session *session, int64_t now)
{
    if (sidebar->controls.open) {
        term_controls_draw(&sidebar->controls, side, session, now);
    } else if (sidebar->members.open) {
        term_members_draw(&sidebar->members, side, session, now);
    } else if (sidebar->sweep.open) {
        term_sweep_draw(side, session);
    } else {
        term_why_draw(&sidebar->why, side, session);
    }
}

void term_sidebar_draw(struct term_sidebar *sidebar, const struct term_session *session,
                       int64_t now)
{
    assert(!(sidebar->controls.open && sidebar->members.open));
    int width = term_sidebar_width(sidebar);
    sidebar->news_row = 0;
    if (width == 0) {
        return;
    }
    struct term_side left = term_side_at(width);
    struct rows rows = divide_rows(sidebar, session, left.end - left.top);
    if (rows.large > 0) {
        const struct term_side side = term_side_take(&left, rows.large);
        draw_large(sidebar, &side, session, now);
    }
    if (rows.measures > 0) {
        const struct term_side side = term_side_take(&left, rows.measures);
        term_measures_draw(&sidebar->measures, &side);
    }
    if (rows.news > 0) {
        const struct term_side side = term_side_take(&left, rows.news);
        sidebar->news_row = side.top + 1;
        term_news_draw(&sidebar->news, &side, session, now);
    }
}

#include "term/ui/status.h"

#include "term/flock/leads.h"
#include "term/flock/schema.h"
#include "term/flock/swept.h"
#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/past.h"
#include "term/ui/zones.h"

#include <assert.h>
#include <curses.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FACTS_MAX = 16,
    FACT_SIZE = TEXTS_LINE,
    TITLE_MIN = 8,  /* columns */
    TITLE_MAX = 32, /* columns; a line with room for all facts shows the whole title */
};

#define NOTICE_SHOWN 6000000 /* µs */

#define COLOR_LIVE 0x5fff87u
#define COLOR_WAIT 0xffd75fu
#define COLOR_END  0xff5f5fu

/* The facts of the line, the most important first. */
struct facts {
    int count;
    int firm;  /* the title leaves room for the first `firm` facts */
    int title; /* 1 + the index of the title, which is cut to leave that room; 0: none */
    char lines[FACTS_MAX][FACT_SIZE];
};

static void add_fact(struct facts *facts, const char *text)
{
    assert(facts->count < FACTS_MAX);
    snprintf(facts->lines[facts->count++], FACT_SIZE, "%s", text);
}

/* Adds a text with up to two numbers in it. */
static void add_text(struct facts *facts, enum text text, const char *one, const char *other)
{
    char line[FACT_SIZE];
    texts_fill(line, sizeof line, text, one, other);
    add_fact(facts, line);
}

/* Writes the state of the connection and returns its colour. */
static uint32_t describe_state(const struct term_session *session, int64_t now, char *out,
                               size_t capacity)
{
    static const struct {
        enum text word;
        uint32_t color;
    } states[] = {
        [TERM_CONNECTING] = {TEXT_CONNECTING, COLOR_WAIT},
        [TERM_JOINING] = {TEXT_JOINING, COLOR_WAIT},
        [TERM_LIVE] = {TEXT_LIVE, COLOR_LIVE},
        [TERM_STRANDED] = {TEXT_RECONNECTING, COLOR_WAIT},
        [TERM_WAITING] = {TEXT_NEXT_TRY, COLOR_WAIT},
        [TERM_ENDED] = {TEXT_DISCONNECTED, COLOR_END},
    };
    enum text word = states[session->phase].word;
    if (term_session_stalled(session, now)) {
        snprintf(out, capacity, "%s", texts_get(TEXT_STALLED));
        return COLOR_WAIT;
    }
    if (session->phase == TERM_LIVE && term_past_line(session, now, out, capacity)) {
        return COLOR_WAIT;
    }
    int64_t left = session->retry_at > now ? (session->retry_at - now + 999999) / 1000000 : 0;
    texts_fill(out, capacity, word, texts_plain((long)left).digits);
    return states[session->phase].color;
}

/* Draws the state and returns the column behind it. */
static int draw_state(const struct term_session *session, int64_t now, int row)
{
    char text[FACT_SIZE];
    uint32_t color = describe_state(session, now, text, sizeof text);
    short pair = term_screen_pair(color);
    attr_t found = 0;
    short status = 0;
    attr_get(&found, &status, NULL);
    if (pair != 0 && term_screen_status_pair() == 0) {
        attr_set(A_BOLD | A_REVERSE, pair, NULL); /* as the line around it */
    } else {
        attron(A_BOLD);
    }
    int width = term_print(row, 1, text, COLS - 2);
    attr_set(found, status, NULL);
    return width + 1;
}

static void describe_boids(struct facts *facts, const struct term_session *session)
{
    uint32_t boids = timeline_boid_count(session->timeline);
    uint32_t flock = timeline_flock(session->timeline);
    if (boids < flock) {
        add_text(facts, TEXT_SHOWN_BOIDS, texts_plain(boids).digits, texts_plain(flock).digits);
    } else if (boids > 0) { /* 0: no snapshot yet */
        add_text(facts, TEXT_BOIDS, texts_plain(boids).digits, "");
    }
}

/* reduced: fewer snapshots come than there could be. */
static void describe_rate(struct facts *facts, const struct term_session *session, bool reduced)
{
    const struct term_pace *pace = &session->stream.pace;
    char line[FACT_SIZE];
    struct texts_number rate = texts_decimal((double)session->snapshots_per_second, 0);
    if (reduced && roundf(session->snapshots_per_second) < roundf(pace->full)) {
        texts_fill(line, sizeof line, TEXT_RATE_OF, rate.digits,
                   texts_decimal((double)pace->full, 0).digits);
    } else {
        snprintf(line, sizeof line, "%s/s", rate.digits);
    }
    if (pace->granted.slow) {
        texts_append(line, sizeof line, TEXT_LIST, texts_get(TEXT_SLOW_LINE));
    }
    add_fact(facts, line);
}

/* Says who leads, unless this person's cursor does not steer. */
static void describe_leads(struct facts *facts, const struct term_session *session, int64_t now)
{
    char line[FACT_SIZE];
    uint32_t passed = (uint32_t)((now - session->leads_at) / 1000000);
    if (!session->past.shown && !term_session_watches(session) &&
        leads_line(line, sizeof line, &session->leads, passed, &session->welcome.room,
                   &session->people)) {
        add_fact(facts, line);
    }
}

/* Says how far a running sweep is. */
static void describe_sweep(struct facts *facts, const struct term_session *session)
{
    char place[FACT_SIZE];
    if (swept_runs(&session->swept)) {
        swept_place(place, sizeof place, &session->swept);
        add_text(facts, TEXT_PAIR, texts_get(TEXT_SWEEP), place);
    }
}

/* Adds who is here. */
static void describe_people(struct facts *facts, const struct term_session *session)
{
    if (!session->alone) {
        add_text(facts, TEXT_PEOPLE, texts_plain(session->people_count).digits, "");
    }
}

/* Adds the way to the server, and our name there. */
static void describe_way(struct facts *facts, const struct term_session *session)
{
    int64_t trip = 0;
    int64_t offset = 0;
    if (session->alone) {
        return;
    }
    if (term_clock_read(&session->clock, &trip, &offset)) {
        char line[FACT_SIZE];
        snprintf(line, sizeof line, "%s ms",
                 texts_decimal((double)trip / 1000, trip < 9950 ? 1 : 0).digits);
        add_fact(facts, line);
    }
    add_fact(facts, session->welcome.name);
}

static void describe_session(struct facts *facts, const struct term_session *session, int64_t now)
{
    const struct term_pace *pace = &session->stream.pace;
    const struct proto_room *room = &session->welcome.room;
    bool reduced = ladder_divisor(&pace->ladder) > 1 || pace->granted.slow;
    char title[PROTO_TITLE_MAX + 1];
    bool watches = term_session_watches(session);
    schema_title(title, sizeof title, room);
    if (watches) {
        add_fact(facts, texts_get(TEXT_WATCHES));
    }
    describe_leads(facts, session, now);
    add_fact(facts, title);
    facts->title = facts->firm = facts->count;
    add_fact(facts, texts_choice("model", room->model));
    if (*schema_value(room, "preset") != '\0') {
        add_fact(facts, texts_choice("preset", schema_value(room, "preset")));
    }
    if (strcmp(schema_value(room, "run"), "paused") == 0) {
        add_fact(facts, texts_choice("run", "paused"));
    }
    describe_sweep(facts, session);
    describe_boids(facts, session);
    if (reduced) {
        describe_rate(facts, session, reduced);
    }
    describe_people(facts, session);
    facts->firm = watches ? facts->firm : facts->count;
    if (!reduced) {
        describe_rate(facts, session, reduced);
    }
    describe_way(facts, session);
}

/* Returns the columns that the first `count` facts leave to the room's title. */
static int columns_for_title(const struct facts *facts, int count, int columns)
{
    for (int i = 0; i < count; i++) {
        columns -= 3 + (i + 1 == facts->title ? 0 : term_print_width(facts->lines[i]));
    }
    return columns;
}

/* Returns how wide the room's title may be for all firm facts to fit into `columns` columns. */
static int limit_title(const struct facts *facts, int columns)
{
    int firm = columns_for_title(facts, facts->firm, columns);
    int all = columns_for_title(facts, facts->count, columns);
    columns = firm < TITLE_MAX ? firm : TITLE_MAX;
    columns = columns > all ? columns : all;
    return columns > TITLE_MIN ? columns : TITLE_MIN;
}

bool term_status_has_notice(const struct term_session *session, int64_t now)
{
    return session->notice[0] != '\0' && now - session->notice_at < NOTICE_SHOWN;
}

static void collect_facts(struct facts *facts, const struct term_session *session, int64_t now)
{
    char past[FACT_SIZE];
    if (session->phase == TERM_WAITING && session->reason[0] != '\0') {
        add_fact(facts, session->reason);
    } else if (term_status_has_notice(session, now)) {
        add_fact(facts, session->notice);
    }
    if (term_past_mark(session, now, past, sizeof past)) {
        add_fact(facts, past);
    }
    if (session->known && (session->phase != TERM_WAITING || facts->count == 0)) {
        describe_session(facts, session, now);
    }
}

/* Draws facts from a column on until one does not fit. The first fact and the title are cut
 * instead. end: the column of the hints. */
static void draw_facts(const struct facts *facts, int row, int column, int end)
{
    int title = limit_title(facts, end - 2 - column);
    for (int i = 0; i < facts->count; i++) {
        int left = end - 2 - column - 3;
        left = i + 1 == facts->title && left > title ? title : left;
        bool cut = i == 0 || i + 1 == facts->title;
        if (left < 4 || (term_print_width(facts->lines[i]) > left && !cut)) {
            break;
        }
        column += term_print(row, column, term_screen_unicode() ? " · " : " | ", 3);
        column += term_print(row, column, facts->lines[i], left);
    }
}

/* The keys for everyone. A narrow screen drops the first one first. */
static const struct hint {
    enum text text, key;
    enum term_action action;
} hints[] = {{TEXT_HINT_PANEL, TEXT_DO_PANEL, TERM_PANEL},
             {TEXT_HINT_QUIT, TEXT_DO_QUIT, TERM_QUIT},
             {TEXT_HINT_HELP, TEXT_DO_HELP, TERM_HELP}};

enum { HINTS = sizeof hints / sizeof hints[0], HINT_GAP = 2 };

/* Writes a hint; returns its columns. */
static int write_hint(const struct hint *hint, char out[FACT_SIZE])
{
    texts_fill(out, FACT_SIZE, hint->text, texts_key(hint->key));
    return term_print_width(out);
}

/* Returns the columns of the hints from the first-th on. */
static int measure_hints(int first)
{
    int columns = 0;
    for (int i = first; i < HINTS; i++) {
        char text[FACT_SIZE];
        columns += write_hint(&hints[i], text) + (i + 1 < HINTS ? HINT_GAP : 1);
    }
    return columns;
}

/* Draws the hints from the first-th on at the row's end, the most important one before the last, as
 * people read them: "p panel  ? help  q quit". Each is a button. */
static void draw_hints(int row, int first)
{
    static const int order[HINTS] = {0, 2, 1};
    int column = COLS - measure_hints(first);
    for (int i = 0; i < HINTS; i++) {
        const struct hint *hint = &hints[order[i]];
        char text[FACT_SIZE];
        int width = write_hint(hint, text);
        if (order[i] >= first) {
            term_print(row, column, text, width);
            term_zones_add_row(row, column, width, (struct term_input){hint->action, 0, 0});
            column += width + HINT_GAP;
        }
    }
}

/* Returns the first hint that is shown behind `column`: all if a notice fits beside them. */
static int choose_hints(const struct facts *facts, bool notice, int column)
{
    int first = 0;
    int needed = notice ? 3 + term_print_width(facts->lines[0]) + 2 : 1;
    if (column + needed > COLS - measure_hints(first)) {
        first++;
    }
    while (first < HINTS && column + 1 > COLS - measure_hints(first)) {
        first++;
    }
    return first;
}

void term_status_draw(const struct term_session *session, int64_t now)
{
    int row = LINES - 1;
    short pair = term_screen_status_pair();
    struct facts facts = {0};
    attr_set(pair != 0 ? A_NORMAL : A_REVERSE, pair, NULL);
    mvhline(row, 0, ' ', COLS);
    int column = draw_state(session, now, row);
    collect_facts(&facts, session, now);
    bool notice = facts.count > 0 && term_status_has_notice(session, now);
    int first = choose_hints(&facts, notice, column);
    if (session->welcome.role != PROTO_PRESENTER && first == 0) {
        first = 1;
    }
    draw_facts(&facts, row, column, COLS - measure_hints(first));
    draw_hints(row, first);
    attr_set(A_NORMAL, 0, NULL);
}

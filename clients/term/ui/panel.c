#include "term/ui/panel.h"

#include "term/ui/past.h"

#include "term/flock/schema.h"
#include "term/tty/label.h"
#include "term/tty/screen.h"
#include "term/ui/input.h"

#include <curses.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum {
    BOX_LINES = 160, /* of the help, in the smallest terminal, with the longest title and names */
    BOX_TEXT = 160,
    HELP_COLUMNS = 60, /* in fewer, names are above what they are */
    HELP_INDENT = 17,
    HELP_INDENT_SMALL = 2,
    HELP_LINE_MAX = 64, /* columns beside that: what a line of the box holds in most scripts */
    HELP_TEXT = 640,
    TITLE_MIN = 8,
    TITLE_MAX = 32,        /* where all facts have room beside it, the whole title */
    NOTICE_SHOWN = 6000000 /* µs */
};

#define COLOR_LIVE 0x5fff87u
#define COLOR_WAIT 0xffd75fu
#define COLOR_END  0xff5f5fu
#define COLOR_BAR  0x5fafffu

struct box {
    int count;
    int firm;  /* lines of the status that do not give way to its hint */
    int title; /* the one of them that is cut, so that the hint stays; 0: none */
    char lines[BOX_LINES][BOX_TEXT];
};

static void __attribute__((format(printf, 2, 3))) add(struct box *box, const char *format, ...)
{
    if (box->count < BOX_LINES) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(box->lines[box->count++], BOX_TEXT, format, arguments);
        va_end(arguments);
    }
}

int term_panel_text(const struct term_panel *panel, int row, int column, const char *text,
                    int columns)
{
    wchar_t label[TERM_LABEL_MAX];
    columns = columns < COLS - column ? columns : COLS - column;
    if (row < 0 || row >= LINES || column < 0 || columns <= 0) {
        return 0;
    }
    int width = term_label(label, text, columns, panel->unicode ? L'…' : L'~');
    mvaddwstr(row, column, label);
    return width;
}

int term_panel_width(const char *text)
{
    wchar_t label[TERM_LABEL_MAX];
    return term_label(label, text, (int)TERM_LABEL_MAX, 0);
}

const char *term_panel_end(const char *text, int columns)
{
    while (*text != '\0' && term_panel_width(text) > columns) {
        do {
            text++;
        } while (((unsigned char)*text & 0xc0) == 0x80);
    }
    return text;
}

void term_panel_bar(const struct term_panel *panel, int row, int column, int columns, float share)
{
    static const wchar_t parts[] = L" ▏▎▍▌▋▊▉█";
    attr_t found = 0;
    short pair = 0;
    share = fminf(fmaxf(share, 0), 1);
    int filled = (int)(share * (float)(8 * columns) + 0.5F);
    attr_get(&found, &pair, NULL);
    attr_set(found, found == A_NORMAL && pair == 0 ? term_screen_pair(COLOR_BAR) : pair, NULL);
    for (int i = 0; i < columns; i++) {
        int part = filled - 8 * i < 8 ? filled - 8 * i : 8;
        wchar_t symbol[2] = {panel->unicode ? L'·' : L'.', 0};
        if (part > 0) {
            symbol[0] = panel->unicode ? parts[part] : part > 4 ? L'=' : L'-';
        }
        mvaddwstr(row, column + i, symbol);
    }
    attr_set(found, pair, NULL);
}

static void draw_box(const struct term_panel *panel, const struct box *box)
{
    int width = 0;
    for (int i = 0; i < box->count; i++) {
        int line = term_panel_width(box->lines[i]);
        width = line > width ? line : width;
    }
    width = width < COLS - 4 ? width : COLS - 4;
    int height = box->count < LINES - 3 ? box->count : LINES - 3;
    int left = (COLS - width) / 2;
    int top = (LINES - 1 - height) / 2;
    if (width < 1 || height < 1) {
        return;
    }
    for (int row = -1; row <= height; row++) {
        mvhline(top + row, left - 2, ' ', width + 4);
    }
    for (int row = 0; row < height; row++) {
        term_panel_text(panel, top + row, left, box->lines[row], width);
    }
    attron(A_DIM);
    const wchar_t *corners = panel->unicode ? L"╭╮╰╯" : L"++++";
    cchar_t cell;
    wchar_t symbol[2] = {0};
    int ends[4][2] = {{top - 1, left - 2},
                      {top - 1, left + width + 1},
                      {top + height, left - 2},
                      {top + height, left + width + 1}};
    for (int row = 0; row < height; row++) {
        symbol[0] = panel->unicode ? L'│' : L'|';
        setcchar(&cell, symbol, A_DIM, 0, NULL);
        mvadd_wch(top + row, left - 2, &cell);
        mvadd_wch(top + row, left + width + 1, &cell);
    }
    symbol[0] = panel->unicode ? L'─' : L'-';
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    mvhline_set(top - 1, left - 1, &cell, width + 2);
    mvhline_set(top + height, left - 1, &cell, width + 2);
    for (int i = 0; i < 4; i++) {
        symbol[0] = corners[i];
        setcchar(&cell, symbol, A_DIM, 0, NULL);
        mvadd_wch(ends[i][0], ends[i][1], &cell);
    }
    attroff(A_DIM);
}

/* The state in a word or, when something is the matter, a phrase; and its colour. */
static uint32_t describe_state(const struct term_session *session, int64_t now, char *out,
                               size_t capacity)
{
    static const struct {
        const char *word;
        uint32_t color;
    } states[] = {
        [TERM_CONNECTING] = {"connecting", COLOR_WAIT},
        [TERM_JOINING] = {"joining", COLOR_WAIT},
        [TERM_LIVE] = {"live", COLOR_LIVE},
        [TERM_WAITING] = {"", COLOR_WAIT},
        [TERM_ENDED] = {"disconnected", COLOR_END},
    };
    if (session->phase == TERM_WAITING) {
        int64_t left = session->retry_at > now ? (session->retry_at - now + 999999) / 1000000 : 0;
        snprintf(out, capacity, "no connection, next try in %d s", (int)left);
    } else {
        snprintf(out, capacity, "%s", states[session->phase].word);
    }
    return states[session->phase].color;
}

static int add_state(const struct term_panel *panel, const struct term_session *session,
                     int64_t now, int row)
{
    char text[64];
    uint32_t color = describe_state(session, now, text, sizeof text);
    short pair = term_screen_pair(color);
    attr_t found = 0;
    short status = 0;
    attr_get(&found, &status, NULL);
    if (pair != 0 && term_screen_status_pair() == 0) {
        attr_set(A_BOLD, pair, NULL);
    } else {
        attron(A_BOLD);
    }
    int width = term_panel_text(panel, row, 1, text, COLS - 2);
    attr_set(found, status, NULL);
    return width + 1;
}

/* What comes of what there is: boids, then snapshots a second. */
static void describe_boids(struct box *box, const struct term_session *session)
{
    uint32_t boids = timeline_boid_count(session->timeline);
    uint32_t flock = timeline_flock(session->timeline);
    if (boids < flock) {
        add(box, "%u of %u boids", boids, flock);
    } else if (boids > 0) { /* they have come */
        add(box, "%u boid%s", boids, boids == 1 ? "" : "s");
    }
}

static void describe_rate(struct box *box, const struct term_session *session, bool less)
{
    const struct term_pace *pace = &session->stream.pace;
    const char *line = pace->granted.slow ? ", slow line" : "";
    if (less) {
        add(box, "%.0f of %.0f/s%s", (double)session->snapshots_per_second, (double)pace->full,
            line);
    } else {
        add(box, "%.0f/s", (double)session->snapshots_per_second);
    }
}

/* The facts of the status line, the most important first. */
static void describe(struct box *box, const struct term_session *session)
{
    int64_t trip = 0;
    int64_t offset = 0;
    const struct term_pace *pace = &session->stream.pace;
    const struct proto_room *room = &session->welcome.room;
    bool less = pace->halvings > 0 || pace->granted.slow;
    char title[PROTO_TITLE_MAX + 1];
    bool watches = term_session_watches(session);
    schema_title(title, sizeof title, room);
    if (watches) {
        add(box, "the presenter steers: you watch");
    }
    add(box, "%s", title);
    box->title = box->firm = box->count;
    add(box, "%s", room->model);
    if (*schema_value(room, "preset") != '\0') {
        add(box, "%s", schema_value(room, "preset"));
    }
    if (strcmp(schema_value(room, "run"), "paused") == 0) {
        add(box, "paused");
    }
    describe_boids(box, session);
    if (less) {
        describe_rate(box, session, less);
    }
    add(box, "%u %s", session->people_count, session->people_count == 1 ? "person" : "people");
    box->firm = watches ? box->firm : box->count;
    if (!less) {
        describe_rate(box, session, less);
    }
    if (term_clock_read(&session->clock, &trip, &offset)) {
        add(box, trip < 9950 ? "%.1f ms" : "%.0f ms", (double)trip / 1000);
    }
    add(box, "%s", session->welcome.name);
}

/* What so many facts leave of the columns to the room's title. */
static int left_to_title(const struct box *facts, int count, int columns)
{
    for (int i = 0; i < count; i++) {
        columns -= 3 + (i + 1 == facts->title ? 0 : term_panel_width(facts->lines[i]));
    }
    return columns;
}

/* How wide the room's title may be, for all that is firm to fit into so many columns. */
static int title_columns(const struct box *facts, int columns)
{
    int firm = left_to_title(facts, facts->firm, columns);
    int all = left_to_title(facts, facts->count, columns);
    columns = firm < TITLE_MAX ? firm : TITLE_MAX;
    columns = columns > all ? columns : all;
    return columns > TITLE_MIN ? columns : TITLE_MIN;
}

bool term_panel_notice(const struct term_session *session, int64_t now)
{
    return session->notice[0] != '\0' && now - session->notice_at < NOTICE_SHOWN;
}

void term_panel_status(const struct term_panel *panel, const struct term_session *session,
                       int64_t now)
{
    const char *hint =
        session->welcome.role == PROTO_PRESENTER ? "p panel  ? help  q quit " : "? help  q quit ";
    int hint_column = COLS - (int)strlen(hint);
    int row = LINES - 1;
    short pair = term_screen_status_pair();
    struct box facts = {0};
    char past[64];
    const char *separator = panel->unicode ? " · " : " | ";
    attr_set(pair != 0 ? A_NORMAL : A_REVERSE, pair, NULL);
    mvhline(row, 0, ' ', COLS);
    int column = add_state(panel, session, now, row);
    if (session->phase == TERM_WAITING && session->reason[0] != '\0') {
        add(&facts, "%s", session->reason);
    } else if (term_panel_notice(session, now)) {
        add(&facts, "%s", session->notice);
    }
    if (term_past_line(session, now, past, sizeof past)) {
        add(&facts, "%s", past);
    }
    if (session->known && (session->phase != TERM_WAITING || facts.count == 0)) {
        describe(&facts, session);
    }
    int title = title_columns(&facts, hint_column - 2 - column);
    for (int i = 0; i < facts.count; i++) {
        int left = (i == 0 || i < facts.firm ? COLS : hint_column - 2) - column - 3;
        left = i + 1 == facts.title && left > title ? title : left;
        bool cut = i == 0 || i + 1 == facts.title;
        if (left < 4 || (term_panel_width(facts.lines[i]) > left && !cut)) {
            break;
        }
        column += term_panel_text(panel, row, column, separator, 3);
        column += term_panel_text(panel, row, column, facts.lines[i], left);
    }
    if (hint_column <= column + 1) {
        hint = "? help ";
        hint_column = COLS - (int)strlen(hint);
    }
    if (hint_column > column + 1) {
        term_panel_text(panel, row, hint_column, hint, COLS);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Whether the keys can do anything in this room, for us. */
static bool is_offered(const struct term_session *session, const struct term_input_line *line)
{
    return !line->presenter || (session->welcome.role == PROTO_PRESENTER &&
                                (line->control == NULL ||
                                 schema_control(&session->welcome.room, line->control) != NULL));
}

/* What something is, or does: beside its name, or below it where that is too narrow, over as many
 * lines as it takes. */
static void __attribute__((format(printf, 3, 4)))
add_help(struct box *box, const char *name, const char *format, ...)
{
    char text[HELP_TEXT];
    wchar_t label[TERM_LABEL_MAX];
    wchar_t line[TERM_LABEL_MAX];
    bool beside = COLS >= HELP_COLUMNS;
    int indent = beside ? HELP_INDENT : HELP_INDENT_SMALL;
    int columns = COLS - 4 - indent < HELP_LINE_MAX ? COLS - 4 - indent : HELP_LINE_MAX;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    columns = columns > 2 ? columns : 2;
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    if (!beside && name[0] != '\0') {
        add(box, "%s", name);
    }
    for (const wchar_t *rest = label; *rest != L'\0'; rest = term_label_rest(rest, columns)) {
        size_t length = (size_t)term_label_line(rest, columns);
        wmemcpy(line, rest, length);
        line[length] = L'\0';
        add(box, "%-*s%ls", indent, beside && rest == label ? name : "", line);
    }
}

static void describe_stream(struct box *box, const struct term_session *session)
{
    static const char *const causes[2][2] = {{"", "; slow terminal"},
                                             {"; slow line", "; slow line and terminal"}};
    const struct term_stream *stream = &session->stream;
    const struct proto_stream *granted = &stream->pace.granted;
    char stride[32] = "";
    char size[32];
    if (granted->stride > 1) {
        snprintf(stride, sizeof stride, ", 1 of %u", granted->stride);
    }
    if (stream->size < 1000) {
        snprintf(size, sizeof size, "%zu bytes", stream->size);
    } else {
        snprintf(size, sizeof size, "%.3g KB", (double)stream->size / 1000);
    }
    add_help(box, "snapshots", "%s, %.3g/s, %s of boids%s%s", session->welcome.encoding,
             (double)granted->rate, size, stride,
             causes[granted->slow][term_pace_lowered(&stream->pace)]);
}

static void describe_room(struct box *box, const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    char code[PROTO_ROOM_MAX + 4];
    schema_code(code, sizeof code, room->code);
    add_help(box, "room", "%s%s%s, as %s", code, room->title[0] != '\0' ? ", " : "", room->title,
             session->welcome.name);
    add_help(box, "model", "%s, %u ticks a second", room->model, room->tick_rate);
    add_help(box, "world", "%g x %g, %s", (double)room->width, (double)room->height,
             room->boundary);
    add_help(box, "cursors", "%s, %s when there is none", room->policy, room->idle);
}

static void describe_help(struct box *box, const struct term_panel *panel,
                          const struct term_session *session, int64_t now)
{
    struct term_input_line line;
    add_help(box, "mouse", "%s", "steer: the flock follows all cursors");
    for (size_t i = 0; term_input_help(i, &line); i++) {
        if (is_offered(session, &line)) {
            add_help(box, line.keys, "%s", line.text);
        }
    }
    add_help(box, "server", "%s", panel->url);
    if (!session->known) {
        return;
    }
    int64_t trip = 0;
    int64_t offset = 0;
    add_help(box, "", "%s", session->welcome.server);
    describe_room(box, session);
    describe_stream(box, session);
    if (term_clock_read(&session->clock, &trip, &offset) && timeline_time(session->timeline) > 0) {
        add_help(box, "picture", "%.0f ms behind the server's",
                 (double)(now + offset - timeline_time(session->timeline)) / 1000);
    }
}

/* How many pages the help has, each of so many lines; with several, the last row says so. */
static int help_pages(const struct box *help, int *lines)
{
    int rows = LINES - 3 > 2 ? LINES - 3 : 2;
    *lines = help->count > rows ? rows - 1 : rows;
    return help->count > rows ? (help->count + *lines - 1) / *lines : 1;
}

static void draw_help(const struct term_panel *panel, const struct box *help)
{
    struct box shown = {0};
    int lines = 0;
    int pages = help_pages(help, &lines);
    int page = panel->help < pages ? panel->help : pages;
    for (int i = (page - 1) * lines; i < help->count && shown.count < lines; i++) {
        add(&shown, "%s", help->lines[i]);
    }
    if (pages > 1) {
        add(&shown, "? %s (%d/%d)", page < pages ? "more" : "close", page, pages);
    }
    draw_box(panel, &shown);
}

void term_panel_turn_help(struct term_panel *panel, const struct term_session *session, int64_t now)
{
    struct box help = {0};
    int lines = 0;
    describe_help(&help, panel, session, now);
    panel->help = panel->help < help_pages(&help, &lines) ? panel->help + 1 : 0;
}

bool term_panel_close_help(struct term_panel *panel)
{
    bool shown = panel->help > 0;
    panel->help = 0;
    return shown;
}

void term_panel_attention(const struct term_panel *panel, const struct term_session *session,
                          int columns)
{
    const struct proto_room *room = &session->welcome.room;
    const char *text = room->attention[0] != '\0' ? room->attention : "please look up";
    int row = LINES / 2;
    int width = term_panel_width(text);
    if (!session->known || !room->has_attention || columns < 3) {
        return;
    }
    width = width < columns - 2 ? width : columns - 2;
    attr_set(A_REVERSE | A_BOLD, 0, NULL);
    for (int i = row - 1; i <= row + 1; i++) {
        mvhline(i, 0, ' ', columns);
    }
    term_panel_text(panel, row, (columns - width) / 2, text, width);
    attr_set(A_NORMAL, 0, NULL);
}

void term_panel_boxes(const struct term_panel *panel, const struct term_session *session,
                      int64_t now)
{
    struct box box = {0};
    if (panel->help > 0) {
        describe_help(&box, panel, session, now);
        draw_help(panel, &box);
        return;
    }
    if (session->phase == TERM_ENDED) {
        add(&box, "The server has ended the connection:");
        add(&box, "%s (%d)", session->reason, session->close_code);
        add(&box, "%s", "");
        add(&box, "r  join again, as somebody new");
        add(&box, "q  quit");
    } else if (!session->known) {
        add(&box, "Waiting for %s", panel->url);
        if (session->reason[0] != '\0') {
            add(&box, "%s", session->reason);
        }
    }
    draw_box(panel, &box);
}

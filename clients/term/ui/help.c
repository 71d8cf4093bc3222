#include "term/ui/help.h"

#include "term/flock/schema.h"
#include "term/tty/label.h"
#include "term/ui/box.h"
#include "term/ui/input.h"

#include <assert.h>
#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum {
    COLUMNS_BESIDE = 60, /* on a screen with fewer columns the text is below the name */
    INDENT = 17,
    INDENT_BELOW = 2,
    LINE_MAX_COLUMNS = 64, /* of the text: a line of the box holds as many in most scripts */
    TEXT_SIZE = 640,
};

/* Returns whether this person may use the keys in this room. */
static bool is_offered(const struct term_session *session, const struct term_input_line *line)
{
    return !line->presenter || (session->welcome.role == PROTO_PRESENTER &&
                                (line->control == NULL ||
                                 schema_control(&session->welcome.room, line->control) != NULL));
}

/* Adds an entry over as many lines as it takes: the text beside its name, or below the name on a
 * narrow screen. */
static void __attribute__((format(printf, 3, 4)))
add_help(struct term_box *box, const char *name, const char *format, ...)
{
    char text[TEXT_SIZE];
    wchar_t label[TERM_LABEL_MAX];
    wchar_t line[TERM_LABEL_MAX];
    bool beside = COLS >= COLUMNS_BESIDE;
    int indent = beside ? INDENT : INDENT_BELOW;
    int columns = COLS - 4 - indent < LINE_MAX_COLUMNS ? COLS - 4 - indent : LINE_MAX_COLUMNS;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    columns = columns > 2 ? columns : 2;
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    if (!beside && name[0] != '\0') {
        term_box_add(box, "%s", name);
    }
    for (const wchar_t *rest = label; *rest != L'\0'; rest = term_label_rest(rest, columns)) {
        size_t length = (size_t)term_label_line(rest, columns);
        wmemcpy(line, rest, length);
        line[length] = L'\0';
        term_box_add(box, "%-*s%ls", indent, beside && rest == label ? name : "", line);
    }
}

static void describe_stream(struct term_box *box, const struct term_session *session)
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

static bool has_sharks(const struct proto_room *room)
{
    return strcmp(schema_value(room, "cursors"), "scare") == 0;
}

static const char *steering(const struct term_session *session)
{
    return session->known && has_sharks(&session->welcome.room)
               ? "steer: the flock flees from all cursors"
               : "steer: the flock follows all cursors";
}

static void describe_room(struct term_box *box, const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    char code[PROTO_ROOM_MAX + 4];
    schema_code(code, sizeof code, room->code);
    add_help(box, "room", "%s%s%s, as %s", code, room->title[0] != '\0' ? ", " : "", room->title,
             session->welcome.name);
    add_help(box, "model", "%s, %u ticks a second", room->model, room->tick_rate);
    add_help(box, "world", "%g x %g, %s", (double)room->width, (double)room->height,
             room->boundary);
    add_help(box, "cursors", "%s; without a cursor: %s", has_sharks(room) ? "scare" : room->policy,
             room->idle);
}

static void describe_help(struct term_box *box, const struct term_help *help,
                          const struct term_session *session, int64_t now)
{
    struct term_input_line line;
    add_help(box, "mouse", "%s", steering(session));
    for (size_t i = 0; term_input_help(i, &line); i++) {
        if (is_offered(session, &line)) {
            add_help(box, line.keys, "%s", line.text);
        }
    }
    add_help(box, "server", "%s", help->url);
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

/* Returns how many pages the help has, and in *lines the lines of a page. If there are several, the
 * last row of the box says which one is shown. */
static int count_pages(const struct term_box *all, int *lines)
{
    int rows = LINES - 3 > 2 ? LINES - 3 : 2;
    *lines = all->count > rows ? rows - 1 : rows;
    return all->count > rows ? (all->count + *lines - 1) / *lines : 1;
}

void term_help_draw(const struct term_help *help, const struct term_session *session, int64_t now)
{
    struct term_box all = {0};
    struct term_box shown = {0};
    int lines = 0;
    assert(help->page > 0);
    describe_help(&all, help, session, now);
    int pages = count_pages(&all, &lines);
    int page = help->page < pages ? help->page : pages;
    for (int i = (page - 1) * lines; i < all.count && shown.count < lines; i++) {
        term_box_add(&shown, "%s", all.lines[i]);
    }
    if (pages > 1) {
        term_box_add(&shown, "? %s (%d/%d)", page < pages ? "more" : "close", page, pages);
    }
    term_box_draw(&shown);
}

void term_help_turn(struct term_help *help, const struct term_session *session, int64_t now)
{
    struct term_box all = {0};
    int lines = 0;
    describe_help(&all, help, session, now);
    help->page = help->page < count_pages(&all, &lines) ? help->page + 1 : 0;
}

bool term_help_close(struct term_help *help)
{
    bool open = help->page > 0;
    help->page = 0;
    return open;
}

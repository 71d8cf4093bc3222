#include "term/ui/members_draw.h"

#include "term/flock/schema.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_ROWS = 3,
    HINT_ROWS_MIN = 12, /* with fewer rows the line of keys is not shown */
    NAME = 6,           /* columns of a row's name with the gap behind it */
    ROLE = 9,           /* columns of the longest role */
    LINE_SIZE = 256,
};

/* The panel's layout, in rows of the screen. */
struct layout {
    int first, rows; /* of the list */
    int text, text_rows;
    int hint; /* -1: none */
};

static struct layout lay_members(void)
{
    int height = LINES - 1;
    bool hint = height >= HINT_ROWS_MIN;
    struct layout layout = {.first = 1, .hint = hint ? height - 1 : -1};
    layout.text_rows = height > TEXT_ROWS + 4 ? TEXT_ROWS : height > 4 ? 1 : 0;
    layout.text = height - layout.text_rows - (hint ? 1 : 0);
    layout.rows = layout.text - 1 - layout.first;
    return layout;
}

/* Draws a person: the cursor's colour, the name and the role. */
static void draw_person(const struct term_side *side, const struct term_member_row *row, int at,
                        bool self, attr_t attributes)
{
    const struct proto_person *person = row->person;
    bool presenter = row->role == PROTO_PRESENTER;
    bool active = (person->flags & PROTO_FLAG_ACTIVE) != 0;
    char name[LINE_SIZE];
    int role = side->width > 3 * ROLE ? ROLE : 0;
    attr_set(attributes | A_BOLD, attributes == A_NORMAL ? term_screen_pair(person->color) : 0,
             NULL);
    term_print(at, side->left, active ? "+" : " ", 1);
    attr_set(attributes | (presenter ? A_BOLD : 0), 0, NULL);
    snprintf(name, sizeof name, "%s%s", person->name, self ? " (you)" : "");
    term_print(at, side->left + 2, name, side->width - 3 - role);
    term_print(at, side->left + side->width - role,
               row->kind == TERM_ROW_AWAY   ? "away"
               : term_members_is_owner(row) ? "owner"
               : presenter                  ? "presenter"
                                            : "viewer",
               role);
}

/* Writes the value of a row that is not a person. The key is shown only while its row is selected,
 * because others may see the screen. */
static void print_member(const struct term_members *members, const struct term_session *session,
                         enum term_member_kind kind, int columns, char out[LINE_SIZE])
{
    const char *title = term_members_title(session);
    const char *key = members->kind == TERM_ROW_KEY ? session->new_key : "hidden";
    if (kind == TERM_ROW_CODE) {
        schema_code(out, LINE_SIZE, session->welcome.room.code);
    } else if (kind == TERM_ROW_KEY) {
        snprintf(out, LINE_SIZE, "%s", session->new_key[0] != '\0' ? key : "-");
    } else if (kind == members->kind && members->typing) {
        snprintf(out, LINE_SIZE, "%s_", term_print_tail(members->typed, columns - 1));
    } else if (kind == TERM_ROW_ATTENTION) {
        const struct proto_room *room = &session->welcome.room;
        snprintf(out, LINE_SIZE, "%s%s%s", room->has_attention ? "on" : "off",
                 room->attention[0] != '\0' ? ": " : "", room->attention);
    } else {
        snprintf(out, LINE_SIZE, "%s", title[0] != '\0' ? title : "-");
    }
}

static void draw_member(const struct term_members *members, const struct term_side *side,
                        const struct term_session *session, uint32_t index, int at)
{
    static const char *const names[] = {[TERM_ROW_TITLE] = "title",
                                        [TERM_ROW_CODE] = "code",
                                        [TERM_ROW_KEY] = "key",
                                        [TERM_ROW_ATTENTION] = "dim"};
    struct term_member_row row = term_members_row(session, index);
    attr_t attributes = index == members->selected ? A_REVERSE : A_NORMAL;
    attr_set(attributes, 0, NULL);
    mvhline(at, side->left - 1, ' ', side->width + 2);
    if (row.person != NULL && index == members->selected && members->typing) {
        char name[LINE_SIZE];
        snprintf(name, sizeof name, "%s_", term_print_tail(members->typed, side->width - 4));
        term_print(at, side->left + 2, name, side->width - 3);
    } else if (row.person != NULL) {
        draw_person(side, &row, at, row.person->id == session->welcome.id, attributes);
    } else {
        char value[LINE_SIZE];
        int columns = side->width - NAME;
        print_member(members, session, row.kind, columns, value);
        term_print(at, side->left, names[row.kind], NAME - 1);
        term_print(at, side->left + NAME, value, columns);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Writes the meaning of the selected row, and its keys. */
static void describe_member(const struct term_members *members, const struct term_session *session,
                            char out[LINE_SIZE])
{
    bool presenter = session->welcome.role == PROTO_PRESENTER;
    struct term_member_row row = term_members_row(session, members->selected);
    if (row.kind == TERM_ROW_TITLE) {
        snprintf(out, LINE_SIZE, "the room's title%s",
                 members->typing ? "; Enter: rename, Esc: cancel"
                 : presenter     ? "; Enter: rename"
                                 : "");
    } else if (row.kind == TERM_ROW_CODE) {
        snprintf(out, LINE_SIZE, "others join with flock-term --room %s",
                 session->welcome.room.code);
    } else if (row.kind == TERM_ROW_KEY && members->asking) {
        snprintf(out, LINE_SIZE, "make a new key, so that the old one no longer works? y: yes");
    } else if (row.kind == TERM_ROW_KEY) {
        snprintf(out, LINE_SIZE, "%s%speople with the key become presenters; Enter: make a new key",
                 session->new_key, session->new_key[0] != '\0' ? ": " : "");
    } else if (row.kind == TERM_ROW_ATTENTION) {
        snprintf(out, LINE_SIZE, "%s",
                 members->typing ? "a sentence, or none; Enter: dim everyone's flock, Esc: cancel"
                 : session->welcome.room.has_attention
                     ? "everyone is asked to look up; Enter: end that"
                     : "ask everyone to look up; Enter: type a sentence");
    } else if (row.kind == TERM_ROW_AWAY) {
        snprintf(out, LINE_SIZE, "%.64s, %s who has left and may come back%s", row.person->name,
                 term_members_is_owner(&row) ? "an owner" : "a presenter",
                 presenter ? "; -: make viewer" : "");
    } else if (members->typing) {
        snprintf(out, LINE_SIZE, "a new name for %.64s; Enter: rename, Esc: cancel",
                 row.person->name);
    } else if (members->asking) {
        snprintf(out, LINE_SIZE, "remove %.64s from the room? y: yes", row.person->name);
    } else {
        bool active = (row.person->flags & PROTO_FLAG_ACTIVE) != 0;
        bool marked = row.person->id == session->welcome.room.spotlight;
        snprintf(out, LINE_SIZE, "%.64s, %s%s%s%s", row.person->name,
                 term_members_is_owner(&row)   ? "an owner: has the room's key"
                 : row.role == PROTO_PRESENTER ? "a presenter"
                                               : "a viewer",
                 active ? " whose cursor steers" : "", marked ? ", in the spotlight" : "",
                 presenter ? "; Enter: rename" : "");
    }
}

/* Draws the line of keys; each is a button, too. */
static void draw_buttons(const struct term_side *side, int row)
{
    static const struct {
        const char *text;
        struct term_input input;
    } buttons[] = {
        {"+ presenter", {TERM_APPOINT, 1, 0}},
        {"- viewer", {TERM_APPOINT, -1, 0}},
        {"x remove", {TERM_EXPEL, 0, 0}},
        {"* mark", {TERM_SPOTLIGHT, 0, 0}},
    };
    int end = side->left + side->width;
    int column = side->left;
    attr_set(A_DIM, 0, NULL);
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        int width = term_print_width(buttons[i].text);
        if (column + width <= end) {
            term_print(row, column, buttons[i].text, width);
            term_zones_add_row(row, column, width, buttons[i].input);
        }
        column += width + 1;
    }
    attr_set(A_NORMAL, 0, NULL);
}

void term_members_draw(struct term_members *members, const struct term_side *side,
                       const struct term_session *session, int64_t now)
{
    struct layout layout = lay_members();
    int count = (int)term_members_count(session);
    int first = term_side_first(members->first, (int)members->selected, layout.rows, count);
    members->first = first;
    char text[LINE_SIZE];
    term_side_ground(side);
    snprintf(text, sizeof text, "%u %s", session->people_count,
             session->people_count == 1 ? "person" : "people");
    term_side_title(side, "Room", text);
    for (int i = 0; i < layout.rows && first + i < count; i++) {
        draw_member(members, side, session, (uint32_t)(first + i), layout.first + i);
        term_zones_add_row(layout.first + i, side->left - 1, side->width + 2,
                           (struct term_input){TERM_PICK, 0, first + i});
    }
    term_side_rule(side, layout.text - 1);
    if (members->asking || !term_side_notice(side, layout.text, layout.text_rows, session, now)) {
        describe_member(members, session, text);
        term_side_text(side, layout.text, layout.text_rows, text);
    }
    if (layout.hint >= 0 && session->welcome.role == PROTO_PRESENTER) {
        draw_buttons(side, layout.hint);
    }
}

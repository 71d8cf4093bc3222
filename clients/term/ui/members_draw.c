#include "term/ui/members_draw.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_ROWS = 3,
    HINT_ROWS_MIN = 12,  /* with fewer rows the line of keys is not shown */
    WITH_ROLES_MIN = 28, /* columns: a narrower panel shows no roles */
    LINE_SIZE = TEXTS_LINE,
};

/* The panel's layout, in rows of the screen. */
struct layout {
    int first, rows; /* of the list */
    int text, text_rows;
    int hint; /* -1: none */
};

static struct layout lay_members(const struct term_side *side)
{
    int height = side->end - side->top;
    bool hint = height >= HINT_ROWS_MIN;
    struct layout layout = {.first = side->top + 1, .hint = hint ? side->end - 1 : -1};
    layout.text_rows = height > TEXT_ROWS + 4 ? TEXT_ROWS : height > 4 ? 1 : 0;
    layout.text = side->end - layout.text_rows - (hint ? 1 : 0);
    layout.rows = layout.text - 1 - layout.first;
    return layout;
}

int term_members_rows(const struct term_session *session)
{
    return 1 + (int)term_members_count(session) + 1 + TEXT_ROWS + 1; /* title, rule, text, hint */
}

/* Returns the columns of the widest of some texts. */
static int widest(const enum text list[], size_t count)
{
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        int width = term_print_width(texts_get(list[i]));
        most = width > most ? width : most;
    }
    return most;
}

static const enum text names[] = {[TERM_ROW_TITLE] = TEXT_ROW_TITLE,
                                  [TERM_ROW_CODE] = TEXT_ROW_CODE,
                                  [TERM_ROW_KEY] = TEXT_ROW_KEY,
                                  [TERM_ROW_ATTENTION] = TEXT_ROW_DIM};

/* Returns the columns of a row's name with the gap behind it. */
static int name_columns(void)
{
    return widest(names, sizeof names / sizeof names[0]) + 1;
}

static int role_columns(void)
{
    static const enum text roles[] = {TEXT_ROLE_AWAY, TEXT_ROLE_OWNER, TEXT_ROLE_PRESENTER,
                                      TEXT_ROLE_VIEWER};
    return widest(roles, sizeof roles / sizeof roles[0]);
}

/* Draws a person: the cursor's colour, the name and the role. */
static void draw_person(const struct term_side *side, const struct term_member_row *row, int at,
                        bool self, attr_t attributes)
{
    const struct proto_person *person = row->person;
    bool presenter = row->role == PROTO_PRESENTER;
    bool active = (person->flags & PROTO_FLAG_ACTIVE) != 0;
    char name[LINE_SIZE];
    int role = side->width >= WITH_ROLES_MIN ? role_columns() : 0;
    attr_set(attributes | A_BOLD, attributes == A_NORMAL ? term_screen_pair(person->color) : 0,
             NULL);
    term_print(at, side->left, active ? "+" : " ", 1);
    attr_set(attributes | (presenter ? A_BOLD : 0), 0, NULL);
    if (self) {
        texts_fill(name, sizeof name, TEXT_YOU, person->name);
    } else {
        snprintf(name, sizeof name, "%s", person->name);
    }
    term_print(at, side->left + 2, name, side->width - 3 - role);
    term_print(at, side->left + side->width - role,
               texts_get(row->kind == TERM_ROW_AWAY   ? TEXT_ROLE_AWAY
                         : term_members_is_owner(row) ? TEXT_ROLE_OWNER
                         : presenter                  ? TEXT_ROLE_PRESENTER
                                                      : TEXT_ROLE_VIEWER),
               role);
}

/* Writes the value of a row that is not a person. The key is shown only while its row is selected,
 * because others may see the screen. */
static void print_member(const struct term_members *members, const struct term_session *session,
                         enum term_member_kind kind, int columns, char out[LINE_SIZE])
{
    const char *title = term_members_title(session);
    const char *key = members->kind == TERM_ROW_KEY ? session->new_key : texts_get(TEXT_HIDDEN);
    if (kind == TERM_ROW_CODE) {
        schema_code(out, LINE_SIZE, session->welcome.room.code);
    } else if (kind == TERM_ROW_KEY) {
        snprintf(out, LINE_SIZE, "%s", session->new_key[0] != '\0' ? key : "-");
    } else if (kind == members->kind && members->typing) {
        snprintf(out, LINE_SIZE, "%s_", term_print_tail(members->typed, columns - 1));
    } else if (kind == TERM_ROW_ATTENTION) {
        const struct proto_room *room = &session->welcome.room;
        snprintf(out, LINE_SIZE, "%s", texts_get(room->has_attention ? TEXT_ON : TEXT_OFF));
        if (room->attention[0] != '\0') {
            texts_append(out, LINE_SIZE, TEXT_PAIR, room->attention);
        }
    } else {
        snprintf(out, LINE_SIZE, "%s", title[0] != '\0' ? title : "-");
    }
}

static void draw_member(const struct term_members *members, const struct term_side *side,
                        const struct term_session *session, uint32_t index, int at)
{
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
        int name = name_columns();
        int columns = side->width - name;
        print_member(members, session, row.kind, columns, value);
        term_print(at, side->left, texts_get(names[row.kind]), name - 1);
        term_print(at, side->left + name, value, columns);
    }
    attr_set(A_NORMAL, 0, NULL);
}

/* Writes the meaning of a row that is not a person. */
static void describe_row(const struct term_members *members, const struct term_session *session,
                         enum term_member_kind kind, char out[LINE_SIZE])
{
    bool on = session->welcome.room.has_attention;
    bool key = kind == TERM_ROW_KEY;
    if (kind == TERM_ROW_CODE) {
        texts_fill(out, LINE_SIZE, TEXT_ABOUT_CODE, session->welcome.room.code);
        return;
    }
    snprintf(out, LINE_SIZE, "%s",
             texts_get(kind == TERM_ROW_TITLE   ? TEXT_ABOUT_TITLE
                       : key && members->asking ? TEXT_KEY_SURE
                       : key                    ? TEXT_ABOUT_KEY
                       : members->typing        ? TEXT_DIM_TYPING
                       : on                     ? TEXT_DIM_ON
                                                : TEXT_DIM_OFF));
    if (key && members->asking) {
        texts_append(out, LINE_SIZE, TEXT_SURE, "");
    } else if (key && session->new_key[0] != '\0') {
        char about[LINE_SIZE];
        memcpy(about, out, sizeof about);
        texts_fill(out, LINE_SIZE, TEXT_PAIR, session->new_key, about);
    } else if (kind == TERM_ROW_TITLE && members->typing) {
        texts_append(out, LINE_SIZE, TEXT_RENAMING, "");
    } else if (kind == TERM_ROW_TITLE && session->welcome.role == PROTO_PRESENTER) {
        texts_append(out, LINE_SIZE, TEXT_RENAME, "");
    }
}

/* Writes who a person is. */
static void describe_person(const struct term_session *session, const struct term_member_row *row,
                            char out[LINE_SIZE])
{
    bool presenter = session->welcome.role == PROTO_PRESENTER;
    bool owner = term_members_is_owner(row);
    bool away = row->kind == TERM_ROW_AWAY;
    texts_fill(out, LINE_SIZE,
               away && owner                  ? TEXT_IS_OWNER_AWAY
               : away                         ? TEXT_IS_PRESENTER_AWAY
               : owner                        ? TEXT_IS_OWNER
               : row->role == PROTO_PRESENTER ? TEXT_IS_PRESENTER
                                              : TEXT_IS_VIEWER,
               row->person->name);
    if (!away && (row->person->flags & PROTO_FLAG_ACTIVE) != 0) {
        texts_append(out, LINE_SIZE, TEXT_IS_ACTIVE, "");
    }
    if (!away && row->person->id == term_members_spotlight(session)) {
        texts_append(out, LINE_SIZE, TEXT_IS_MARKED, "");
    }
    if (presenter) {
        texts_append(out, LINE_SIZE, away ? TEXT_DEMOTE_KEY : TEXT_RENAME,
                     texts_key(TEXT_DO_DEMOTE));
    }
}

/* Writes the meaning of the selected row, and its keys. */
static void describe_member(const struct term_members *members, const struct term_session *session,
                            char out[LINE_SIZE])
{
    char name[LINE_SIZE];
    struct term_member_row row = term_members_row(session, members->selected);
    if (row.person == NULL) {
        describe_row(members, session, row.kind, out);
    } else if (row.kind == TERM_ROW_PERSON && members->typing) {
        texts_fill(out, LINE_SIZE, TEXT_ABOUT_NAME, row.person->name);
        texts_append(out, LINE_SIZE, TEXT_RENAMING, "");
    } else if (row.kind == TERM_ROW_PERSON && members->asking) {
        texts_person(name, sizeof name, row.person->name);
        texts_fill(out, LINE_SIZE, TEXT_EXPEL_SURE, name);
        texts_append(out, LINE_SIZE, TEXT_SURE, "");
    } else {
        describe_person(session, &row, out);
    }
}

/* Draws the line of keys; each is a button, too. */
static void draw_buttons(const struct term_side *side, int row)
{
    static const struct {
        enum text text, key;
        struct term_input input;
    } buttons[] = {
        {TEXT_BUTTON_PRESENTER, TEXT_DO_APPOINT, {TERM_APPOINT, 1, 0}},
        {TEXT_BUTTON_VIEWER, TEXT_DO_DEMOTE, {TERM_APPOINT, -1, 0}},
        {TEXT_BUTTON_REMOVE, TEXT_DO_EXPEL, {TERM_EXPEL, 0, 0}},
        {TEXT_BUTTON_MARK, TEXT_DO_SPOTLIGHT, {TERM_SPOTLIGHT, 0, 0}},
    };
    int end = side->left + side->width;
    int column = side->left;
    attr_set(A_DIM, 0, NULL);
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        char text[LINE_SIZE];
        texts_fill(text, sizeof text, buttons[i].text, texts_key(buttons[i].key));
        int width = term_print_width(text);
        if (column + width <= end) {
            term_print(row, column, text, width);
            term_zones_add_row(row, column, width, buttons[i].input);
        }
        column += width + 1;
    }
    attr_set(A_NORMAL, 0, NULL);
}

void term_members_draw(struct term_members *members, const struct term_side *side,
                       const struct term_session *session, int64_t now)
{
    struct layout layout = lay_members(side);
    int count = (int)term_members_count(session);
    int first = term_side_first(members->first, (int)members->selected, layout.rows, count);
    members->first = first;
    char text[LINE_SIZE];
    term_side_ground(side);
    texts_fill(text, sizeof text, TEXT_PEOPLE, texts_plain(session->people_count).digits);
    term_side_title(side, texts_get(TEXT_ROOM), text);
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

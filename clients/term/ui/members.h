/* The room's panel: the room's title, code and presenter key and its people, and the keys with
 * which presenters change them. Viewers see the panel and can change nothing.
 *
 * Knows neither keyboard nor screen. Changes go through term_session_ask(). One thread. */
#ifndef TERM_MEMBERS_H
#define TERM_MEMBERS_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stdint.h>

enum term_member_kind {
    TERM_ROW_TITLE,
    TERM_ROW_CODE,
    TERM_ROW_KEY,
    TERM_ROW_ATTENTION,
    TERM_ROW_PERSON,
    TERM_ROW_AWAY, /* a presenter who left and may come back */
};

struct term_members {
    bool open; /* the panel is shown */
    /* The selected row; kind and id find it again after people have come or left. */
    uint32_t selected;
    enum term_member_kind kind;
    uint32_t id; /* of the selected person */
    int first;   /* the first row on the screen */
    bool asking; /* the panel asks whether to remove the person, or to make a new key */
    bool typing; /* the user types a title, a sentence or a name */
    char typed[PROTO_TEXT_MAX + 1];
};

/* A row of the panel. */
struct term_member_row {
    enum term_member_kind kind;
    const struct proto_person *person; /* NULL: not a row of a person */
    enum proto_role role;              /* the person's role, confirmed or not */
};

/* The rows: title, code, for presenters the key and attention, then the people, and the
 * presenters who are away. */
uint32_t term_members_count(const struct term_session *session);
struct term_member_row term_members_row(const struct term_session *session, uint32_t index);

/* Returns whether a row of a person is a presenter who has shown the room's key. */
bool term_members_is_owner(const struct term_member_row *row);

/* Returns the room's title, confirmed or not; "": none. */
const char *term_members_title(const struct term_session *session);

/* Returns the id of the person whose cursor is marked, confirmed or not; 0: no cursor is. */
uint32_t term_members_spotlight(const struct term_session *session);

/* Follows the session: keeps the selected person, and drops a question about a person who left.
 * Must be called before rows are shown or a key is handled. */
void term_members_follow(struct term_members *members, const struct term_session *session);

/* Opens the panel with that person selected; does nothing if the person is not listed. */
void term_members_open_at(struct term_members *members, const struct term_session *session,
                          uint32_t id);

/* Handles a key or a click; returns false if it has nothing to do with the room's panel. */
bool term_members_act(struct term_members *members, struct term_session *session,
                      struct term_input input, int64_t now);

/* Returns how keys are read now. */
enum term_input_mode term_members_mode(const struct term_members *members);

#endif

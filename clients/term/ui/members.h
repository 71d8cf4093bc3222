/* The room's panel: its title, its code, its presenter key and the people in it, and what a
 * presenter's keys do to them. Viewers see it, and can change nothing.
 *
 * Knows neither keyboard nor screen. What it asks for goes into the session's changes. One thread.
 */
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
    TERM_ROW_AWAY, /* a presenter who has left and may come back */
};

struct term_members {
    bool open; /* the panel is shown */
    /* The selected row, and by what it is found again when people come and go. */
    uint32_t selected;
    enum term_member_kind kind;
    uint32_t id; /* of a person */
    bool asking; /* whether to remove that person, or to make a new key */
    bool typing; /* a title, a sentence or a name */
    char typed[PROTO_TEXT_MAX + 1];
};

/* A row as it is to be shown. */
struct term_member_row {
    enum term_member_kind kind;
    const struct proto_person *person; /* NULL: it is of nobody */
    enum proto_role role;              /* a person's, be it confirmed or not */
};

/* The rows: title, code, for presenters the key and attention, then the people, and the
 * presenters who are away. */
uint32_t term_members_count(const struct term_session *session);
struct term_member_row term_members_row(const struct term_session *session, uint32_t index);

/* The room's title, be it confirmed or not; "": it has none. */
const char *term_members_title(const struct term_session *session);

/* Follows the session: the selection stays on whom it was on; a question about somebody who has
 * left is over. To be called before the rows are shown or a key is acted on. */
void term_members_follow(struct term_members *members, const struct term_session *session);

/* Does what a key asks for; false when it has nothing to do with the room's panel. */
bool term_members_act(struct term_members *members, struct term_session *session,
                      struct term_input input, int64_t now);

/* How keys are to be read now. */
enum term_input_mode term_members_mode(const struct term_members *members);

#endif

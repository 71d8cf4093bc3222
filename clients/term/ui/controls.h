/* Live control: the rows of the presenter's panel, made from the schema that the server sends, and
 * what the keys do to them and to the flock.
 *
 * Knows neither keyboard nor screen, and no control or parameter by name, but for the two that have
 * keys of their own: `preset` and `run`. What it asks for goes into the session's changes. One
 * thread. */
#ifndef TERM_CONTROLS_H
#define TERM_CONTROLS_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_CONTROLS_TYPED_MAX 15u /* of a number */

struct term_controls {
    bool open;     /* the panel is shown */
    uint32_t many; /* how many boids are added or removed at a time, a power of ten; 0: 10 */
    /* The selected row, and by what it is found again when the schema changes. */
    uint32_t selected;
    bool on_param;
    char name[PROTO_ROOM_MAX + 1];
    /* A number that is being typed for it, or the name under which a preset is to be saved. */
    bool typing;
    char typed[PROTO_VALUE_MAX + 1];
    bool asking; /* whether to remove the preset in force */
};

/* A row as it is to be shown; its texts are the session's, and are not to be trusted. */
struct term_row {
    const struct proto_control *control;  /* NULL: it is a parameter */
    const struct proto_room_param *param; /* NULL: it is a control */
    const char *name;
    const char *word;                  /* a control's value, be it confirmed or not; "": none */
    const struct proto_choice *choice; /* the one of that value; NULL: none */
    float value;                       /* a parameter's, be it confirmed or not */
    float share;                       /* where on its track that is, 0 to 1 */
};

/* The rows: the room's controls, then its model's parameters. */
uint32_t term_controls_count(const struct term_session *session);
struct term_row term_controls_row(const struct term_session *session, uint32_t index);

/* Follows the session: the selection stays on what it was on, and the panel closes when the role is
 * gone. To be called before the rows are shown or a key is acted on. */
void term_controls_follow(struct term_controls *controls, const struct term_session *session);

/* Does what a key asks for; false when it has nothing to do with live control. */
bool term_controls_act(struct term_controls *controls, struct term_session *session,
                       struct term_input input, int64_t now);

/* How keys are to be read now. */
enum term_input_mode term_controls_mode(const struct term_controls *controls);

/* Whether the row is that of the presets, where what runs can be saved; and the preset in force if
 * it is one that was saved in the room, else NULL. */
bool term_row_of_presets(const struct term_row *row);
const struct proto_choice *term_row_saved(const struct term_row *row);

#endif

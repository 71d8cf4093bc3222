/* Live control: the rows of the presenter's panel, built from the server's schema, and the keys and
 * clicks that change them and the flock.
 *
 * Knows neither keyboard nor screen. It knows two controls by name, which have keys of their own:
 * `preset` and `run`. Changes go through term_session_ask(). One thread. */
#ifndef TERM_CONTROLS_H
#define TERM_CONTROLS_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_CONTROLS_TYPED_MAX 15u /* of a number */

struct term_controls {
    bool open;     /* the panel is shown */
    uint32_t many; /* boids to add or remove at a time, a power of ten; 0: 10 */
    /* The selected row, and its name, which finds it again after the schema has changed. */
    uint32_t selected;
    bool on_param;
    int first; /* the first row on the screen */
    char name[PROTO_ROOM_MAX + 1];
    /* The number that the user types for the row, or the name of a new preset. */
    bool typing;
    char typed[PROTO_VALUE_MAX + 1];
    bool asking; /* the panel asks whether to remove the preset */
};

/* A row of the panel. Its texts belong to the session and come from outside. */
struct term_row {
    const struct proto_control *control;  /* NULL: it is a parameter */
    const struct proto_room_param *param; /* NULL: it is a control */
    const char *name;
    const char *word;                  /* a control's value, confirmed or not; "": none */
    const struct proto_choice *choice; /* the choice of that value, or NULL */
    float value;                       /* a parameter's value, confirmed or not */
    float share;                       /* the value's position on its track, 0 to 1 */
};

/* The rows: the room's controls, then its model's parameters. */
uint32_t term_controls_count(const struct term_session *session);
struct term_row term_controls_row(const struct term_session *session, uint32_t index);

/* Follows the session: keeps the selected row by its name, and drops typed text and questions of a
 * person who is no longer a presenter. Must be called before rows are shown or a key is handled. */
void term_controls_follow(struct term_controls *controls, const struct term_session *session);

/* Handles a key or a click; returns false if it has nothing to do with live control. Viewers can
 * look at the rows and change nothing. */
bool term_controls_act(struct term_controls *controls, struct term_session *session,
                       struct term_input input, int64_t now);

/* Opens the panel with that parameter selected; does nothing if the room has none of that name. */
void term_controls_open_at(struct term_controls *controls, const struct term_session *session,
                           const char *param);

/* Returns how keys are read now. */
enum term_input_mode term_controls_mode(const struct term_controls *controls);

/* Returns whether the row is the control of presets; returns its present choice if that preset was
 * saved in the room, else NULL. */
bool term_row_of_presets(const struct term_row *row);
const struct proto_choice *term_row_saved(const struct term_row *row);

#endif

#include "term/ui/controls.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"
#include "term/ui/past.h"
#include "term/ui/scale.h"
#include "term/ui/typed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MANY_FIRST = 10, MANY_MAX = 1000 };

/* ---- the rows ---- */

uint32_t term_controls_count(const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    return room->control_count + room->param_count;
}

static struct term_row make_control_row(const struct term_session *session,
                                        const struct proto_control *control)
{
    const struct proto_set *wanted = term_changes_set(&session->changes, control->name);
    struct term_row row = {.control = control, .name = control->name};
    row.word = wanted != NULL ? wanted->value : control->value;
    row.choice = schema_choice(control, row.word);
    return row;
}

static struct term_row make_param_row(const struct term_session *session,
                                      const struct proto_room_param *param)
{
    const struct proto_param *wanted = term_changes_param(&session->changes, param->name);
    struct term_row row = {.param = param, .name = param->name, .word = ""};
    row.value = wanted != NULL ? wanted->value : param->value;
    struct term_scale scale = term_scale_of(param->min, param->max, param->initial);
    row.share = (float)term_scale_track(&scale, (double)row.value);
    return row;
}

struct term_row term_controls_row(const struct term_session *session, uint32_t index)
{
    const struct proto_room *room = &session->welcome.room;
    return index < room->control_count
               ? make_control_row(session, &room->controls[index])
               : make_param_row(session, &room->params[index - room->control_count]);
}

bool term_row_of_presets(const struct term_row *row)
{
    return row->control != NULL && strcmp(row->name, "preset") == 0;
}

const struct proto_choice *term_row_saved(const struct term_row *row)
{
    return term_row_of_presets(row) && row->choice != NULL && row->choice->saved ? row->choice
                                                                                 : NULL;
}

/* ---- the selection ---- */

static bool is_selected_row(const struct term_controls *controls, const struct term_row *row)
{
    return (row->param != NULL) == controls->on_param && strcmp(row->name, controls->name) == 0;
}

/* Selects the nearest row that exists, and drops typed text. */
static void select_row(struct term_controls *controls, const struct term_session *session,
                       int64_t index)
{
    int64_t last = (int64_t)term_controls_count(session) - 1;
    index = index < last ? index : last;
    index = index > 0 ? index : 0;
    controls->selected = (uint32_t)index;
    controls->typing = controls->asking = false;
    controls->name[0] = '\0';
    controls->on_param = false;
    if (last >= 0) {
        struct term_row row = term_controls_row(session, controls->selected);
        controls->on_param = row.param != NULL;
        snprintf(controls->name, sizeof controls->name, "%s", row.name);
    }
}

void term_controls_follow(struct term_controls *controls, const struct term_session *session)
{
    uint32_t count = term_controls_count(session);
    if (session->phase != TERM_LIVE) {
        return; /* the next connection may make us a presenter again */
    }
    if (session->welcome.role != PROTO_PRESENTER) {
        controls->typing = controls->asking = false;
    }
    if (controls->selected < count) {
        struct term_row row = term_controls_row(session, controls->selected);
        if (is_selected_row(controls, &row)) {
            return;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct term_row row = term_controls_row(session, i);
        if (is_selected_row(controls, &row)) {
            controls->selected = i;
            return;
        }
    }
    select_row(controls, session, controls->selected);
}

/* ---- changes ---- */

static void set_param(struct term_session *session, const struct proto_room_param *param,
                      float value, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_PARAM};
    snprintf(message.param.name, sizeof message.param.name, "%s", param->name);
    message.param.value = value;
    term_session_ask(session, &message, now);
}

static void step_param(struct term_session *session, const struct term_row *row, int steps,
                       int64_t now)
{
    const struct proto_room_param *param = row->param;
    struct term_scale scale = term_scale_of(param->min, param->max, param->initial);
    if (param->max > param->min) {
        float value = (float)term_scale_step(&scale, (double)row->value, steps);
        set_param(session, param, fminf(fmaxf(value, param->min), param->max), now);
    }
}

/* Moves a parameter to `share` thousandths of its track. */
static void slide_param(struct term_session *session, const struct term_row *row, int share,
                        int64_t now)
{
    const struct proto_room_param *param = row->param;
    if (param == NULL) {
        return;
    }
    struct term_scale scale = term_scale_of(param->min, param->max, param->initial);
    float value = (float)term_scale_value(&scale, (double)share / 1000);
    if (value != row->value) {
        set_param(session, param, value, now);
    }
}

/* Chooses the next choice or the one before, around the ends. */
static void step_choice(struct term_session *session, const struct term_row *row, int direction,
                        int64_t now)
{
    const struct proto_control *control = row->control;
    uint32_t count = control->choice_count;
    if (count == 0) {
        return;
    }
    uint32_t index = direction > 0 ? 0 : count - 1;
    if (row->choice != NULL) {
        uint32_t current = (uint32_t)(row->choice - control->choices);
        index = (current + (direction > 0 ? 1 : count - 1)) % count;
    }
    struct proto_client_message message = {.type = PROTO_SET};
    snprintf(message.set.name, sizeof message.set.name, "%s", control->name);
    snprintf(message.set.value, sizeof message.set.value, "%s", control->choices[index].value);
    term_session_ask(session, &message, now);
}

static void change_row(struct term_session *session, const struct term_row *row, int steps,
                       int64_t now)
{
    if (row->param != NULL) {
        step_param(session, row, steps, now);
    } else {
        step_choice(session, row, steps, now);
    }
}

static void step_named(struct term_session *session, const char *name, int direction, int64_t now)
{
    const struct proto_control *control = schema_control(&session->welcome.room, name);
    if (control == NULL) {
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_NO_CONTROL, name);
        term_session_notify(session, now, TERM_MISTAKE, notice);
        return;
    }
    struct term_row row = make_control_row(session, control);
    step_choice(session, &row, direction, now);
}

/* Returns the number of boids to add or remove at a time. */
static uint32_t count_of_many(const struct term_controls *controls)
{
    return controls->many > 0 ? controls->many : MANY_FIRST;
}

/* Adds boids at our cursor, or in the middle of the world. */
static void add_boids(const struct term_controls *controls, struct term_session *session,
                      int64_t now)
{
    const struct proto_room *room = &session->welcome.room;
    struct proto_client_message message = {.type = PROTO_ADD};
    message.add.x = session->cursor_here ? session->cursor_x : room->width / 2;
    message.add.y = session->cursor_here ? session->cursor_y : room->height / 2;
    message.add.count = count_of_many(controls);
    term_session_ask(session, &message, now);
}

static void remove_boids(const struct term_controls *controls, struct term_session *session,
                         int64_t now)
{
    struct proto_client_message message = {.type = PROTO_REMOVE};
    message.remove.count = count_of_many(controls);
    term_session_ask(session, &message, now);
}

static void cycle_many(struct term_controls *controls, struct term_session *session, int64_t now)
{
    char notice[TERM_SESSION_REASON_MAX];
    uint32_t many = count_of_many(controls);
    controls->many = many < MANY_MAX ? 10 * many : 1;
    texts_fill(notice, sizeof notice, TEXT_MANY, texts_key(TEXT_DO_ADD), texts_key(TEXT_DO_REMOVE),
               texts_plain(controls->many).digits);
    term_session_notify(session, now, TERM_NEWS, notice);
}

/* ---- presets of the room ---- */

/* Begins to type a name, the present preset's if it was saved in the room; or saves the flock's
 * settings under the typed name. */
static void enter_preset(struct term_controls *controls, struct term_session *session,
                         const struct term_row *row, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_SAVE};
    const struct proto_choice *saved = term_row_saved(row);
    if (!controls->typing) {
        controls->typing = true;
        snprintf(controls->typed, sizeof controls->typed, "%s", saved != NULL ? saved->value : "");
        return;
    }
    controls->typing = false;
    if (controls->typed[0] != '\0') {
        memcpy(message.save.name, controls->typed, sizeof message.save.name);
        term_session_ask(session, &message, now);
    }
}

/* The user confirms: removes the preset. */
static void forget_preset(struct term_controls *controls, struct term_session *session, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_FORGET};
    const struct term_row row = term_controls_row(session, controls->selected);
    const struct proto_choice *saved = term_row_saved(&row);
    if (controls->asking && saved != NULL) {
        memcpy(message.forget.name, saved->value, sizeof message.forget.name);
        term_session_ask(session, &message, now);
    }
    controls->asking = false;
}

/* ---- typing a number ---- */

static void type_character(struct term_controls *controls, const struct term_row *row,
                           int character)
{
    if (row->param == NULL) {
        if (controls->typing) {
            term_typed_add(controls->typed, PROTO_VALUE_MAX, character);
        }
        return;
    }
    if (!controls->typing) {
        controls->typing = true;
        controls->typed[0] = '\0';
    }
    size_t length = strlen(controls->typed);
    if (length < TERM_CONTROLS_TYPED_MAX) {
        controls->typed[length] = (char)(character == ',' ? '.' : character);
        controls->typed[length + 1] = '\0';
    }
}

/* Sets the typed number. The server checks the range and names it in its error. */
static void enter_value(struct term_controls *controls, struct term_session *session,
                        const struct term_row *row, int64_t now)
{
    double value = 0;
    if (term_row_of_presets(row)) {
        enter_preset(controls, session, row, now);
        return;
    }
    if (!controls->typing) {
        return;
    }
    if (!term_typed_number(controls->typed, &value)) {
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_NUMBER_EXPECTED, texts_param(row->name),
                   controls->typed);
        term_session_notify(session, now, TERM_MISTAKE, notice);
        return;
    }
    controls->typing = false;
    set_param(session, row->param, (float)value, now);
}

/* Sets a parameter to the value of its preset; if it has that, to the model's own. */
static void set_default(struct term_session *session, const struct term_row *row, int64_t now)
{
    const struct proto_room_param *param = row->param;
    set_param(session, param, row->value == param->initial ? param->base : param->initial, now);
}

/* Backspace: erases a character, or sets the parameter to its default, or asks whether to remove a
 * preset that was saved in the room. */
static void take_back(struct term_controls *controls, struct term_session *session,
                      const struct term_row *row, int64_t now)
{
    size_t length = strlen(controls->typed);
    if (row->param == NULL) {
        if (controls->typing) {
            term_typed_erase(controls->typed);
        } else {
            controls->asking = term_row_saved(row) != NULL;
        }
    } else if (!controls->typing) {
        set_default(session, row, now);
    } else if (length > 1) {
        controls->typed[length - 1] = '\0';
    } else {
        controls->typing = false;
    }
}

/* Erases all typed text, which ends the typing of a number. */
static void clear_typed(struct term_controls *controls, const struct term_row *row)
{
    controls->typed[0] = '\0';
    controls->typing = controls->typing && row->param == NULL;
}

static void cancel_input(struct term_controls *controls)
{
    if (controls->typing || controls->asking) {
        controls->typing = controls->asking = false;
    } else {
        controls->open = false;
    }
}

/* ---- keys ---- */

/* Selects a row that the user has clicked; returns whether the click also changes it. */
static bool pick_row(struct term_controls *controls, const struct term_session *session,
                     struct term_input input, struct term_row *row)
{
    bool selected = controls->selected == (uint32_t)input.y;
    if (input.y < 0 || (uint32_t)input.y >= term_controls_count(session)) {
        return false; /* the rows have changed since they were drawn */
    }
    if (!selected || input.action == TERM_SLIDE) {
        select_row(controls, session, input.y);
    }
    *row = term_controls_row(session, controls->selected);
    return input.x != 0 || input.action == TERM_SLIDE;
}

/* Handles keys and clicks that change nothing, which everyone may do. */
static bool act_on_selection(struct term_controls *controls, const struct term_session *session,
                             struct term_input input)
{
    struct term_row row = {0};
    if (input.action == TERM_SELECT) {
        select_row(controls, session, (int64_t)controls->selected + input.y);
        return true;
    }
    return input.action == TERM_PICK && !pick_row(controls, session, input, &row);
}

/* Handles keys and clicks that change the selected row. */
static void act_on_row(struct term_controls *controls, struct term_session *session,
                       struct term_input input, int64_t now)
{
    struct term_row row = term_controls_row(session, controls->selected);
    switch (input.action) {
    case TERM_PICK:
        if (pick_row(controls, session, input, &row)) {
            change_row(session, &row, input.x, now);
        }
        break;
    case TERM_SLIDE:
        if (pick_row(controls, session, input, &row)) {
            slide_param(session, &row, input.x, now);
        }
        break;
    case TERM_CHANGE:
        controls->typing = false;
        change_row(session, &row, input.x, now);
        break;
    case TERM_TYPE:
        type_character(controls, &row, input.x);
        break;
    case TERM_ENTER:
        enter_value(controls, session, &row, now);
        break;
    case TERM_ERASE:
        take_back(controls, session, &row, now);
        break;
    case TERM_CLEAR:
        clear_typed(controls, &row);
        break;
    default:
        break;
    }
}

/* Asks for a change that needs no more than its type. */
static void ask_plainly(struct term_session *session, uint32_t type, int64_t now)
{
    term_session_ask(session, &(struct proto_client_message){.type = type}, now);
}

static void act_on_flock(struct term_controls *controls, struct term_session *session,
                         struct term_input input, int64_t now)
{
    switch (input.action) {
    case TERM_ADD:
        add_boids(controls, session, now);
        break;
    case TERM_REMOVE:
        remove_boids(controls, session, now);
        break;
    case TERM_MANY:
        cycle_many(controls, session, now);
        break;
    case TERM_RESET:
        ask_plainly(session, PROTO_RESET, now);
        break;
    case TERM_UNDO:
        ask_plainly(session, PROTO_UNDO, now);
        break;
    case TERM_STEP:
        ask_plainly(session, PROTO_STEP, now);
        break;
    case TERM_SKIP:
        ask_plainly(session, PROTO_SKIP, now);
        break;
    case TERM_RUN:
        step_named(session, "run", 1, now);
        break;
    case TERM_PRESET:
        step_named(session, "preset", input.x, now);
        break;
    default:
        term_past_act(session, input, now);
        break;
    }
}

/* Handles a key of an open panel with rows. */
static void act_open(struct term_controls *controls, struct term_session *session,
                     struct term_input input, int64_t now)
{
    if (!controls->open || term_controls_count(session) == 0 ||
        act_on_selection(controls, session, input)) {
        return;
    }
    if (session->welcome.role != PROTO_PRESENTER) {
        term_session_refuse(session, now);
        return;
    }
    act_on_row(controls, session, input, now);
}

bool term_controls_act(struct term_controls *controls, struct term_session *session,
                       struct term_input input, int64_t now)
{
    bool answers = input.action == TERM_YES && controls->asking;
    bool ours = input.action >= TERM_PANEL && input.action <= TERM_PRESET;
    if ((!answers && !ours) || (input.action == TERM_CANCEL && !controls->open)) {
        return false;
    }
    bool live = session->phase == TERM_LIVE;
    term_controls_follow(controls, session);
    if (answers && live) {
        forget_preset(controls, session, now);
        return true;
    }
    controls->asking = controls->asking && input.action == TERM_CANCEL;
    if (input.action == TERM_PANEL) {
        controls->open = live && !controls->open;
        controls->typing = false;
    } else if (input.action == TERM_CANCEL) {
        cancel_input(controls);
    } else if (!live) {
        return true; /* the status line says why */
    } else if (input.action < TERM_ADD) {
        act_open(controls, session, input, now);
    } else if (session->welcome.role != PROTO_PRESENTER) {
        term_session_refuse(session, now);
    } else {
        act_on_flock(controls, session, input, now);
    }
    return true;
}

void term_controls_open_at(struct term_controls *controls, const struct term_session *session,
                           const char *param)
{
    const struct proto_room *room = &session->welcome.room;
    for (uint32_t i = 0; i < room->param_count && session->phase == TERM_LIVE; i++) {
        if (strcmp(room->params[i].name, param) == 0) {
            controls->open = true;
            select_row(controls, session, (int64_t)room->control_count + i);
        }
    }
}

enum term_input_mode term_controls_mode(const struct term_controls *controls)
{
    if (!controls->open) {
        return TERM_MODE_STEER;
    }
    if (controls->typing) {
        return controls->on_param ? TERM_MODE_TYPING : TERM_MODE_TEXT;
    }
    if (controls->asking) {
        return TERM_MODE_ASK;
    }
    return controls->on_param ? TERM_MODE_PARAM : TERM_MODE_PANEL;
}

#include "term/ui/members.h"

#include "term/texts/texts.h"
#include "term/ui/typed.h"

#include <stdio.h>
#include <string.h>

/* ---- the rows ---- */

static bool is_presenter(const struct term_session *session)
{
    return session->welcome.role == PROTO_PRESENTER;
}

/* Returns the number of rows before the people. */
static uint32_t head_count(const struct term_session *session)
{
    return is_presenter(session) ? 4 : 2;
}

uint32_t term_members_count(const struct term_session *session)
{
    return head_count(session) + session->people.count + session->people.away_count;
}

struct term_member_row term_members_row(const struct term_session *session, uint32_t index)
{
    uint32_t head = head_count(session);
    if (index < head) {
        return (struct term_member_row){.kind = (enum term_member_kind)index};
    }
    if (index >= head + session->people.count) {
        return (struct term_member_row){
            .kind = TERM_ROW_AWAY,
            .person = &session->people.away[index - head - session->people.count],
            .role = PROTO_PRESENTER};
    }
    const struct proto_person *person = &session->people.list[index - head];
    const struct proto_appoint *wanted = term_changes_appoint(&session->changes, person->id);
    return (struct term_member_row){
        .kind = TERM_ROW_PERSON,
        .person = person,
        .role = wanted != NULL ? wanted->role : term_people_role(person),
    };
}

bool term_members_is_owner(const struct term_member_row *row)
{
    return row->role == PROTO_PRESENTER && (row->person->flags & PROTO_FLAG_OWNER) != 0;
}

const char *term_members_title(const struct term_session *session)
{
    const struct proto_title *wanted = term_changes_title(&session->changes);
    return wanted != NULL ? wanted->title : session->welcome.room.title;
}

uint32_t term_members_spotlight(const struct term_session *session)
{
    return term_changes_spotlight(&session->changes, &session->welcome.room);
}

/* ---- the selection ---- */

static bool is_selected_member(const struct term_members *members,
                               const struct term_member_row *row)
{
    return row->kind == members->kind && (row->person == NULL || row->person->id == members->id);
}

/* Selects the nearest row that exists; drops typed text and questions. */
static void select_member(struct term_members *members, const struct term_session *session,
                          int64_t index)
{
    int64_t last = (int64_t)term_members_count(session) - 1;
    index = index < last ? index : last;
    members->selected = (uint32_t)(index > 0 ? index : 0);
    members->typing = members->asking = false;
    struct term_member_row row = term_members_row(session, members->selected);
    members->kind = row.kind;
    members->id = row.person != NULL ? row.person->id : 0;
}

void term_members_follow(struct term_members *members, const struct term_session *session)
{
    uint32_t count = term_members_count(session);
    if (!session->known) {
        members->open = false;
        return;
    }
    if (session->phase != TERM_LIVE || !is_presenter(session)) {
        members->typing = members->asking = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct term_member_row row = term_members_row(session, i);
        if (is_selected_member(members, &row)) {
            members->selected = i;
            return;
        }
    }
    select_member(members, session, members->selected);
}

/* ---- changes ---- */

static void appoint_selected(const struct term_members *members, struct term_session *session,
                             enum proto_role role, int64_t now)
{
    const struct proto_client_message message = {.type = PROTO_APPOINT,
                                                 .appoint = {members->id, role}};
    if (members->kind == TERM_ROW_PERSON ||
        (members->kind == TERM_ROW_AWAY && role == PROTO_VIEWER)) {
        term_session_ask(session, &message, now);
    }
}

/* Asks before a change that cannot be undone. */
static void ask_to_expel(struct term_members *members, struct term_session *session, int64_t now)
{
    if (members->kind == TERM_ROW_PERSON && members->id == session->welcome.id) {
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_NOT_YOURSELF, texts_key(TEXT_DO_QUIT));
        term_session_notify(session, now, TERM_MISTAKE, notice);
    } else {
        members->asking = members->kind == TERM_ROW_PERSON;
    }
}

static void do_asked(struct term_members *members, struct term_session *session, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_REKEY};
    if (members->kind == TERM_ROW_PERSON) {
        message.type = PROTO_EXPEL;
        message.expel.id = members->id;
    }
    if (members->asking) {
        term_session_ask(session, &message, now);
    }
    members->asking = false;
}

/* ---- typing a title, a sentence or a name ---- */

static void begin_typing(struct term_members *members, const char *text)
{
    members->typing = true;
    snprintf(members->typed, sizeof members->typed, "%s", text);
}

static void type_letter(struct term_members *members, int character)
{
    size_t most = members->kind == TERM_ROW_ATTENTION ? PROTO_TEXT_MAX : PROTO_TITLE_MAX;
    term_typed_add(members->typed, most, character);
}

/* Gives the row the typed text. */
static void enter_typed(struct term_members *members, struct term_session *session, int64_t now)
{
    struct proto_client_message message = {.type = PROTO_TITLE};
    if (members->kind == TERM_ROW_ATTENTION) {
        message.type = PROTO_ATTENTION;
        message.attention.on = true;
        memcpy(message.attention.text, members->typed, sizeof message.attention.text);
    } else if (members->typed[0] == '\0' || !proto_title_valid(members->typed)) {
        term_session_notify(session, now, TERM_MISTAKE, texts_get(TEXT_EXPECTED_TEXT));
        return;
    } else if (members->kind == TERM_ROW_PERSON) {
        message.type = PROTO_RENAME;
        message.rename.id = members->id;
        memcpy(message.rename.name, members->typed, sizeof message.rename.name);
    } else {
        memcpy(message.title.title, members->typed, sizeof message.title.title);
    }
    members->typing = false;
    term_session_ask(session, &message, now);
}

/* ---- keys ---- */

static void act_on_text(struct term_members *members, struct term_session *session,
                        struct term_input input, int64_t now)
{
    switch (input.action) {
    case TERM_TYPE:
        type_letter(members, input.x);
        break;
    case TERM_ERASE:
        term_typed_erase(members->typed);
        break;
    case TERM_CLEAR:
        members->typed[0] = '\0';
        break;
    case TERM_ENTER:
        enter_typed(members, session, now);
        break;
    case TERM_CANCEL:
        members->typing = false;
        break;
    default:
        break;
    }
}

/* Ends the call for attention. */
static void end_attention(struct term_session *session, int64_t now)
{
    const struct proto_client_message message = {.type = PROTO_ATTENTION};
    term_session_ask(session, &message, now);
}

static void begin_change(struct term_members *members, struct term_session *session, int64_t now)
{
    const struct term_member_row row = term_members_row(session, members->selected);
    switch (members->kind) {
    case TERM_ROW_TITLE:
        begin_typing(members, term_members_title(session));
        break;
    case TERM_ROW_KEY:
        members->asking = true;
        break;
    case TERM_ROW_ATTENTION:
        if (session->welcome.room.has_attention) {
            end_attention(session, now);
        } else {
            begin_typing(members, "");
        }
        break;
    case TERM_ROW_PERSON:
        begin_typing(members, row.person->name);
        break;
    case TERM_ROW_CODE:
    case TERM_ROW_AWAY:
        break;
    }
}

/* Marks the selected person's cursor, or ends that. */
static void mark_selected(const struct term_members *members, struct term_session *session,
                          int64_t now)
{
    const bool marked = members->id == term_members_spotlight(session);
    const struct proto_client_message message = {.type = PROTO_SPOTLIGHT,
                                                 .spotlight.id = marked ? 0 : members->id};
    if (members->kind == TERM_ROW_PERSON) {
        term_session_ask(session, &message, now);
    }
}

/* Closes the door to newcomers, or opens it; asks people for their names, or not. */
static void change_entry(struct term_session *session, enum term_action action, int64_t now)
{
    const struct proto_room *room = &session->welcome.room;
    const struct term_changes *changes = &session->changes;
    struct proto_client_message message = {.type = PROTO_DOOR,
                                           .door.open = !term_changes_door_open(changes, room)};
    if (action == TERM_NAMING) {
        message = (struct proto_client_message){
            .type = PROTO_NAMING, .naming.ask = !term_changes_names_asked(changes, room)};
    }
    term_session_ask(session, &message, now);
}

/* Handles keys that change the room or a person, for presenters only. */
static void act_as_presenter(struct term_members *members, struct term_session *session,
                             struct term_input input, int64_t now)
{
    if (session->phase != TERM_LIVE) {
        return; /* the status line says why */
    }
    if (!is_presenter(session)) {
        term_session_refuse(session, now);
        return;
    }
    switch (input.action) {
    case TERM_ENTER:
    case TERM_PICK:
        begin_change(members, session, now);
        break;
    case TERM_APPOINT:
        appoint_selected(members, session, input.x > 0 ? PROTO_PRESENTER : PROTO_VIEWER, now);
        break;
    case TERM_EXPEL:
        ask_to_expel(members, session, now);
        break;
    case TERM_SPOTLIGHT:
        mark_selected(members, session, now);
        break;
    case TERM_DOOR:
    case TERM_NAMING:
        change_entry(session, input.action, now);
        break;
    default:
        do_asked(members, session, now);
        break;
    }
}

/* Selects the row that the user has clicked, or begins to change it if it was selected. */
static void pick_member(struct term_members *members, struct term_session *session,
                        struct term_input input, int64_t now)
{
    if (input.y >= 0 && members->selected == (uint32_t)input.y) {
        act_as_presenter(members, session, input, now);
    } else {
        select_member(members, session, input.y);
    }
}

/* Handles keys of the open panel. Returns false for keys of other panels. */
static bool act_open(struct term_members *members, struct term_session *session,
                     struct term_input input, int64_t now)
{
    switch (input.action) {
    case TERM_SELECT:
        select_member(members, session, (int64_t)members->selected + input.y);
        return true;
    case TERM_PICK:
        pick_member(members, session, input, now);
        return true;
    case TERM_CANCEL:
        members->open = members->asking;
        members->asking = false;
        return true;
    case TERM_ENTER:
    case TERM_APPOINT:
    case TERM_EXPEL:
    case TERM_SPOTLIGHT:
    case TERM_YES:
        act_as_presenter(members, session, input, now);
        return true;
    case TERM_CHANGE:
    case TERM_SLIDE:
    case TERM_TYPE:
    case TERM_ERASE:
    case TERM_CLEAR:
        return true;
    default:
        return false;
    }
}

void term_members_open_at(struct term_members *members, const struct term_session *session,
                          uint32_t id)
{
    uint32_t count = term_members_count(session);
    for (uint32_t i = 0; i < count && session->known; i++) {
        struct term_member_row row = term_members_row(session, i);
        if (row.kind == TERM_ROW_PERSON && row.person->id == id) {
            members->open = true;
            select_member(members, session, i);
        }
    }
}

bool term_members_act(struct term_members *members, struct term_session *session,
                      struct term_input input, int64_t now)
{
    bool of_entry = input.action == TERM_DOOR || input.action == TERM_NAMING;
    if (!members->open && input.action != TERM_MEMBERS && !of_entry) {
        return false;
    }
    term_members_follow(members, session);
    if (input.action == TERM_MEMBERS) {
        members->open = session->known && !members->open;
        members->typing = members->asking = false;
        return true;
    }
    if (of_entry) {
        act_as_presenter(members, session, input, now);
        return true;
    }
    bool of_text = input.action >= TERM_SELECT && input.action <= TERM_CANCEL;
    if (members->typing && of_text && input.action != TERM_PICK) {
        act_on_text(members, session, input, now);
        return true;
    }
    return act_open(members, session, input, now);
}

enum term_input_mode term_members_mode(const struct term_members *members)
{
    if (!members->open) {
        return TERM_MODE_STEER;
    }
    if (members->typing) {
        return TERM_MODE_TEXT;
    }
    return members->asking ? TERM_MODE_ASK : TERM_MODE_LIST;
}

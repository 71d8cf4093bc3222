#include "term/ui/finder.h"

#include "term/texts/texts.h"
#include "term/ui/help.h"
#include "term/ui/keys.h"
#include "term/ui/typed.h"

#include <string.h>
#include <strings.h>

/* ---- all entries ---- */

enum { RECENT = 4 /* rooms of the past before the server's rooms; the others are behind them */ };

/* Returns the next entry from *index on, and moves *index behind it; false: there is none. */
typedef bool next_entry(const struct term_sources *sources, uint32_t *index,
                        struct term_found *entry);

/* Returns whether an action can be chosen: others need a key or a place. */
static bool is_command(enum term_action action)
{
    return action != TERM_MOVE && action != TERM_PALETTE && action != TERM_CANCEL &&
           action != TERM_GRAB;
}

static bool next_action(const struct term_sources *sources, uint32_t *index,
                        struct term_found *entry)
{
    struct term_input_line line;
    struct term_input input;
    while (term_input_help(TERM_KEYS_ANYWHERE, (*index)++, &line, &input)) {
        if (is_command(input.action) && term_help_offers(sources->session, &line, input.action)) {
            *entry = (struct term_found){.kind = TERM_FIND_ACTION,
                                         .before = "",
                                         .text = texts_get(line.text),
                                         .note = line.keys,
                                         .input = input,
                                         .name = ""};
            return true;
        }
    }
    return false;
}

/* The index counts the choices of all controls. */
static bool next_choice(const struct term_sources *sources, uint32_t *index,
                        struct term_found *entry)
{
    const struct proto_room *room = &sources->session->welcome.room;
    bool presenter = sources->session->welcome.role == PROTO_PRESENTER;
    uint32_t skip = (*index)++;
    for (uint32_t i = 0; i < room->control_count && presenter; i++) {
        const struct proto_control *control = &room->controls[i];
        if (skip < control->choice_count) {
            const struct proto_choice *choice = &control->choices[skip];
            *entry = (struct term_found){
                .kind = TERM_FIND_CHOICE,
                .before = texts_control(control->name),
                .text = texts_choice(control->name, choice->value),
                .note = texts_about_choice(control->name, choice->value, choice->text),
                .name = control->name,
                .value = choice->value};
            return true;
        }
        skip -= control->choice_count;
    }
    return false;
}

static bool next_param(const struct term_sources *sources, uint32_t *index,
                       struct term_found *entry)
{
    const struct proto_room *room = &sources->session->welcome.room;
    uint32_t i = (*index)++;
    if (i >= room->param_count) {
        return false;
    }
    *entry =
        (struct term_found){.kind = TERM_FIND_PARAM,
                            .before = "",
                            .text = texts_param(room->params[i].name),
                            .note = texts_about_param(room->params[i].name, room->params[i].text),
                            .name = room->params[i].name};
    return true;
}

/* A sweep of each parameter, for presenters. */
static bool next_sweep(const struct term_sources *sources, uint32_t *index,
                       struct term_found *entry)
{
    if (sources->session->welcome.role != PROTO_PRESENTER || !next_param(sources, index, entry)) {
        return false;
    }
    entry->kind = TERM_FIND_SWEEP;
    entry->before = texts_get(TEXT_SWEEP);
    entry->note = texts_get(TEXT_FIND_SWEEP);
    return true;
}

/* Stores a room that was joined before; index 0: the last one. */
static bool take_visit(const struct term_sources *sources, uint32_t index, struct term_found *entry)
{
    if (index >= sources->history->count) {
        return false;
    }
    const struct term_visit *visit = &sources->history->visits[index];
    *entry = (struct term_found){.kind = TERM_FIND_ROOM,
                                 .before = texts_get(TEXT_FIND_BEFORE),
                                 .text = visit->title,
                                 .note = visit->note,
                                 .name = visit->address};
    return true;
}

static bool next_recent(const struct term_sources *sources, uint32_t *index,
                        struct term_found *entry)
{
    return *index < RECENT && take_visit(sources, (*index)++, entry);
}

static bool next_older(const struct term_sources *sources, uint32_t *index,
                       struct term_found *entry)
{
    return take_visit(sources, RECENT + (*index)++, entry);
}

static bool next_listed(const struct term_sources *sources, uint32_t *index,
                        struct term_found *entry)
{
    uint32_t i = (*index)++;
    if (!sources->listing->known || i >= sources->listing->room_count) {
        return false;
    }
    const struct term_listed *room = &sources->listing->rooms[i];
    *entry = (struct term_found){.kind = TERM_FIND_ROOM,
                                 .before = "",
                                 .text = room->title,
                                 .note = room->note,
                                 .name = room->code};
    return true;
}

/* A new room: with no preset, then with each of them. */
static bool next_creation(const struct term_sources *sources, uint32_t *index,
                          struct term_found *entry)
{
    const struct term_listing *listing = sources->listing;
    uint32_t i = (*index)++;
    if (!listing->known || !listing->may_create || i > listing->preset_count) {
        return false;
    }
    *entry = (struct term_found){.kind = TERM_FIND_CREATE,
                                 .before = texts_get(TEXT_FIND_CREATE),
                                 .text = texts_get(TEXT_FIND_NEW),
                                 .note = texts_get(TEXT_FIND_AS_LOBBY),
                                 .name = ""};
    if (i > 0) {
        const struct proto_choice *preset = &listing->presets[i - 1];
        entry->text = texts_choice("preset", preset->value);
        entry->note = texts_about_choice("preset", preset->value, preset->text);
        entry->name = preset->value;
    }
    return true;
}

/* ---- finding ---- */

enum { SOURCES = 4 }; /* of entries */

/* Returns whether the entry has a word of `length` bytes, in upper or lower case. */
static bool has_word(const struct term_found *entry, const char *word, size_t length)
{
    bool named = entry->kind == TERM_FIND_CHOICE || entry->kind == TERM_FIND_PARAM ||
                 entry->kind == TERM_FIND_SWEEP;
    const char *const texts[] = {entry->before, entry->text, entry->note, named ? entry->name : "",
                                 entry->value != NULL ? entry->value : ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (const char *at = texts[i]; *at != '\0'; at++) {
            if (strncasecmp(at, word, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool has_all_words(const struct term_found *entry, const char *typed)
{
    for (const char *word = typed + strspn(typed, " "); *word != '\0'; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (!has_word(entry, word, length)) {
            return false;
        }
        word += length;
    }
    return true;
}

static bool begins_with(const struct term_found *entry, const char *typed)
{
    return strncasecmp(entry->text, typed, strlen(typed)) == 0;
}

/* Adds the entries that begin with the typed text, or the others. */
static uint32_t add_entries(const struct term_finder *finder, const struct term_sources *sources,
                            bool beginning, struct term_found found[], uint32_t count)
{
    static next_entry *const all[2][SOURCES] = {
        {next_action, next_choice, next_param, next_sweep},
        {next_recent, next_listed, next_creation, next_older}};
    for (size_t i = 0; i < SOURCES && all[finder->of_rooms ? 1 : 0][i] != NULL; i++) {
        struct term_found entry;
        uint32_t index = 0;
        /* One place is for the room that is typed. */
        while (count < TERM_FINDER_FOUND_MAX - 1 &&
               all[finder->of_rooms ? 1 : 0][i](sources, &index, &entry)) {
            if (begins_with(&entry, finder->typed) == beginning &&
                has_all_words(&entry, finder->typed)) {
                found[count++] = entry;
            }
        }
    }
    return count;
}

/* Returns whether the typed text is certainly a room: an address, or a code as servers make them.
 */
static bool is_room(const char *typed)
{
    static const char letters[] = "2346789FKLMRWXY";
    char code[PROTO_ROOM_MAX + 1];
    if (strpbrk(typed, ".:/") != NULL || !term_url_room_valid(typed)) {
        return strpbrk(typed, ".:/") != NULL;
    }
    proto_room_canonical(typed, code);
    return strlen(code) == 6 && strspn(code, letters) == 6;
}

/* Adds the typed room, if it is one. */
static uint32_t add_typed(const struct term_finder *finder, struct term_found found[],
                          uint32_t count)
{
    struct term_target target = {.room = ""};
    if (!finder->of_rooms || finder->typed[0] == '\0' ||
        term_target_parse(&target, finder->typed) != NULL) {
        return count;
    }
    found[count] = (struct term_found){.kind = TERM_FIND_ROOM,
                                       .before = texts_get(TEXT_FIND_JOIN),
                                       .text = finder->typed,
                                       .note = "",
                                       .name = finder->typed};
    return count + 1;
}

uint32_t term_finder_find(const struct term_finder *finder, const struct term_sources *sources,
                          struct term_found found[TERM_FINDER_FOUND_MAX])
{
    bool first = finder->of_rooms && is_room(finder->typed);
    uint32_t count = first ? add_typed(finder, found, 0) : 0;
    count = add_entries(finder, sources, true, found, count);
    count = add_entries(finder, sources, false, found, count);
    return first ? count : add_typed(finder, found, count);
}

void term_finder_open_rooms(struct term_finder *finder)
{
    *finder = (struct term_finder){.open = true, .of_rooms = true};
}

/* ---- keys ---- */

static void type_text(struct term_finder *finder, struct term_input input)
{
    if (input.action == TERM_TYPE) {
        term_typed_add(finder->typed, TERM_FINDER_TYPED_MAX, input.x);
    } else if (input.action == TERM_ERASE) {
        term_typed_erase(finder->typed);
    } else {
        finder->typed[0] = '\0';
    }
    finder->selected = 0;
}

/* Moves the selection within `count` entries. */
static void select_entry(struct term_finder *finder, int64_t index, uint32_t count)
{
    index = index < (int64_t)count - 1 ? index : (int64_t)count - 1;
    finder->selected = (uint32_t)(index > 0 ? index : 0);
}

/* Handles a key or a click of the open palette. */
static bool act_open(struct term_finder *finder, const struct term_sources *sources,
                     struct term_input input, struct term_found *chosen)
{
    struct term_found found[TERM_FINDER_FOUND_MAX];
    uint32_t count = term_finder_find(finder, sources, found);
    select_entry(finder, finder->selected, count);
    switch (input.action) {
    case TERM_TYPE:
    case TERM_ERASE:
    case TERM_CLEAR:
        type_text(finder, input);
        return false;
    case TERM_SELECT:
        select_entry(finder, (int64_t)finder->selected + input.y, count);
        return false;
    case TERM_PICK:
        if (input.y < 0 || (uint32_t)input.y >= count) {
            return false; /* the entries have changed since they were drawn */
        }
        select_entry(finder, input.y, count);
        break;
    case TERM_CANCEL:
        finder->open = false;
        return false;
    case TERM_ENTER:
        break;
    default:
        return false;
    }
    if (count > 0) {
        *chosen = found[finder->selected];
        finder->open = false;
    }
    return count > 0;
}

bool term_finder_act(struct term_finder *finder, const struct term_sources *sources,
                     struct term_input input, struct term_found *chosen, bool *done)
{
    *done = false;
    if (input.action == TERM_PALETTE) {
        *finder = (struct term_finder){.open = !finder->open};
        return true;
    }
    if (!finder->open) {
        return false;
    }
    if (input.action == TERM_WHEEL_UP || input.action == TERM_WHEEL_DOWN) {
        input = (struct term_input){TERM_SELECT, 0, input.action == TERM_WHEEL_UP ? -1 : 1};
    }
    if (input.action < TERM_PANEL || input.action > TERM_CANCEL) {
        return false;
    }
    *done = act_open(finder, sources, input, chosen);
    return true;
}

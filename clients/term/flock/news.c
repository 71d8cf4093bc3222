#include "term/flock/news.h"

#include "term/flock/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sentence in the making. */
struct line {
    char *out;
    size_t capacity, used;
};

static void __attribute__((format(printf, 2, 3)))
add_words(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line->out + line->used, line->capacity - line->used, format, arguments);
    va_end(arguments);
    size_t left = line->capacity - line->used - 1;
    line->used += size > 0 && (size_t)size < left ? (size_t)size : left;
}

/* Adds a room's code as people write it. */
static void add_code(struct line *line, const char *code)
{
    char shown[PROTO_ROOM_MAX + 4];
    schema_code(shown, sizeof shown, code);
    add_words(line, "%s", shown);
}

/* An event on its way into words. */
struct telling {
    struct line line;
    const struct proto_event *event;
    const struct proto_room *room;
    const char *doer;
    bool own; /* the reader did it */
};

static bool is_word(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

/* Adds a number of things, with commas between thousands, as the page does. */
static void add_count(struct line *line, long count, const char *thing)
{
    if (count >= 1000000) {
        add_words(line, "%ld,%03ld,%03ld", count / 1000000, count / 1000 % 1000, count % 1000);
    } else if (count >= 1000) {
        add_words(line, "%ld,%03ld", count / 1000, count % 1000);
    } else {
        add_words(line, "%ld", count);
    }
    add_words(line, " %s%s", thing, count == 1 ? "" : "s");
}

/* Adds what a control or a parameter was and is. */
static void add_change(struct line *line, const struct proto_event *event, const char *name)
{
    if (event->from[0] == '\0' || strcmp(event->from, event->to) == 0) {
        add_words(line, "%s %s", name, event->to);
    } else {
        add_words(line, "%s %s → %s", name, event->from, event->to[0] != '\0' ? event->to : "none");
    }
}

static bool tell_run(struct telling *telling)
{
    bool paused = is_word(telling->event->to, "paused");
    add_words(&telling->line, "%s %s", telling->doer,
              paused ? "paused the flock" : "resumed the flock");
    return true;
}

static bool tell_set(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const struct proto_control *control = schema_control(telling->room, event->what);
    const struct proto_choice *choice = control != NULL ? schema_choice(control, event->to) : NULL;
    if (is_word(event->what, "run")) {
        return tell_run(telling);
    }
    if (is_word(event->what, "preset")) {
        add_words(&telling->line, "%s chose the preset %s", telling->doer, event->to);
    } else {
        add_words(&telling->line, "%s: ", telling->doer);
        add_change(&telling->line, event, event->what);
    }
    if (choice != NULL && choice->text[0] != '\0') {
        add_words(&telling->line, "; %s", choice->text);
    }
    return true;
}

static bool tell_param(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    if (event->what[0] == '\0') {
        add_words(&telling->line, "%s changed ", telling->doer);
        add_count(&telling->line, strtol(event->to, NULL, 10), "parameter");
    } else {
        add_words(&telling->line, "%s: ", telling->doer);
        add_change(&telling->line, event, event->what);
    }
    return !telling->own;
}

static bool tell_boids(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    long change = strtol(event->to, NULL, 10) - strtol(event->from, NULL, 10);
    add_words(&telling->line, "%s %s ", telling->doer, change < 0 ? "removed" : "added");
    add_count(&telling->line, labs(change), "boid");
    return !telling->own;
}

static bool tell_reset(struct telling *telling)
{
    add_words(&telling->line, "%s started the flock again", telling->doer);
    return true;
}

/* News of food, hunters and walls. */
struct thing {
    const char *name, *done;
};

static const struct thing *find_thing(const char *name)
{
    static const struct thing things[] = {
        {"food", "dropped food"},      {"hunter", "set a hunter loose"}, {"wall", "drew a wall"},
        {"erase", "erased something"}, {"clear", "erased everything"},
    };
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        if (is_word(name, things[i].name)) {
            return &things[i];
        }
    }
    return NULL;
}

static bool tell_thing(struct telling *telling)
{
    add_words(&telling->line, "%s %s", telling->doer, find_thing(telling->event->name)->done);
    return !telling->own;
}

/* The event's `what` is the message that is taken back, and for some messages a name:
 * "param noise", "param", "set preset", "reset", "add" or "remove". */
static bool tell_undo(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const char *name = strchr(event->what, ' ');
    add_words(&telling->line, "%s undid", telling->doer);
    if (name != NULL) {
        add_words(&telling->line, ": ");
        add_change(&telling->line, event, name + 1);
    } else if (is_word(event->what, "param")) {
        add_words(&telling->line, " the change of ");
        add_count(&telling->line, strtol(event->to, NULL, 10), "parameter");
    } else if (is_word(event->what, "reset")) {
        add_words(&telling->line, " “Start again”");
    } else if (find_thing(event->what) != NULL) {
        add_words(&telling->line, " a drawing");
    } else {
        add_words(&telling->line, " a change: ");
        add_count(&telling->line, strtol(event->to, NULL, 10), "boid");
        add_words(&telling->line, " now");
    }
    if (is_word(event->name, "undo-settings")) {
        add_words(&telling->line, "; the boids stay, because there were too many to restore");
    }
    return true;
}

static bool tell_rename(struct telling *telling)
{
    add_words(&telling->line, "%s renamed %s to %s", telling->doer, telling->event->from,
              telling->event->to);
    return true;
}

/* The line across the picture shows the presenter's sentence. */
static bool tell_attention(struct telling *telling)
{
    bool on = is_word(telling->event->to, "on");
    add_words(&telling->line, "%s asks for attention", telling->doer);
    return on && !telling->own;
}

static bool tell_spotlight(struct telling *telling)
{
    const char *name = telling->event->to;
    if (name[0] != '\0') {
        add_words(&telling->line, "%s put %s into the spotlight", telling->doer, name);
    } else {
        add_words(&telling->line, "%s switched the spotlight off", telling->doer);
    }
    return true;
}

static bool tell_save(struct telling *telling)
{
    add_words(&telling->line, "%s saved the preset %s", telling->doer, telling->event->to);
    return true;
}

static bool tell_forget(struct telling *telling)
{
    add_words(&telling->line, "%s removed the preset %s", telling->doer, telling->event->from);
    return true;
}

static bool tell_title(struct telling *telling)
{
    add_words(&telling->line, "%s renamed the room to %s", telling->doer, telling->event->to);
    return true;
}

static bool tell_slow(struct telling *telling)
{
    bool own = telling->event->what[0] == '\0';
    add_words(&telling->line, "The server drops %s %% of the ticks; %s", telling->event->to,
              own ? "use fewer boids" : "the server is busy");
    return true;
}

static bool tell_abandoned(struct telling *telling)
{
    add_words(&telling->line,
              "The flock is paused, because a tick took too long; more than %s ms; use fewer boids "
              "or a shorter view distance",
              telling->event->to);
    return true;
}

static bool tell_past_failed(struct telling *telling)
{
    bool present = is_word(telling->event->to, "present");
    add_words(&telling->line, "That moment of the past cannot be shown; %s",
              present ? "the room shows the present again"
                      : "the recording starts again from its beginning");
    return true;
}

/* Returns the doer as the beginning of a sentence. A change over HTTP has no person behind it. */
static const char *name_doer(const struct proto_event *event, bool own)
{
    if (own) {
        return "You";
    }
    if (event->by == 0) {
        return "A program";
    }
    return event->who[0] != '\0' ? event->who : "Someone";
}

bool news_of_event(char *out, size_t capacity, const struct proto_event *event,
                   const struct proto_room *room, const struct term_people *people)
{
    static const struct {
        const char *name;
        bool (*tell)(struct telling *telling);
    } tellers[] = {{"set", tell_set},
                   {"param", tell_param},
                   {"add", tell_boids},
                   {"remove", tell_boids},
                   {"reset", tell_reset},
                   {"title", tell_title},
                   {"undo", tell_undo},
                   {"rename", tell_rename},
                   {"save", tell_save},
                   {"forget", tell_forget},
                   {"attention", tell_attention},
                   {"spotlight", tell_spotlight},
                   {"undo-settings", tell_undo},
                   {"slow", tell_slow},
                   {"abandoned", tell_abandoned},
                   {"past-failed", tell_past_failed},
                   {"food", tell_thing},
                   {"hunter", tell_thing},
                   {"wall", tell_thing},
                   {"erase", tell_thing},
                   {"clear", tell_thing}};
    bool own = event->by != 0 && people->count > 0 && people->list[0].id == event->by;
    struct telling telling = {
        .event = event,
        .room = room,
        .doer = name_doer(event, own),
        .own = own,
    };
    telling.line.out = out;
    telling.line.capacity = capacity;
    for (size_t i = 0; i < sizeof tellers / sizeof tellers[0]; i++) {
        if (is_word(event->name, tellers[i].name)) {
            return tellers[i].tell(&telling);
        }
    }
    return false;
}

/* The server has refused the join key in the hello. */
static void tell_locked(struct line *line, const struct news_close *close)
{
    if (close->wait > 0) {
        add_words(line, "too many wrong keys: the server did not compare yours; try again in %u s",
                  close->wait);
    } else {
        add_words(line, "this is not the join key of the room ");
        add_code(line, close->room);
    }
}

bool news_of_close(char *out, size_t capacity, const struct news_close *close)
{
    static const struct {
        int code;
        const char *before, *after; /* the room's code */
    } ends[] = {
        {PROTO_CLOSE_ROOM, "there is no room ", ""},
        {PROTO_CLOSE_ENDED, "the room ", " has ended"},
        {PROTO_CLOSE_JOIN, "the room ", " needs a join key"},
        {PROTO_CLOSE_DOOR, "no newcomers now: a presenter has closed the door of the room ", ""},
        {PROTO_CLOSE_REMOVED, "a presenter has removed you from the room ", ""},
    };
    struct line line = {.capacity = capacity};
    line.out = out;
    if (close->code == PROTO_CLOSE_JOIN && (close->key_sent || close->wait > 0)) {
        tell_locked(&line, close);
        return true;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends[i].code == close->code) {
            add_words(&line, "%s", ends[i].before);
            add_code(&line, close->room);
            add_words(&line, "%s", ends[i].after);
            return true;
        }
    }
    return false;
}

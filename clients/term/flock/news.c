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

/* What an event is told with: who did it, at the beginning of a sentence, and where. */
struct telling {
    struct line line;
    const struct proto_event *event;
    const struct proto_room *room;
    const char *who;
    enum proto_role role; /* of who reads it */
    bool own;             /* who did it reads it */
};

static bool says(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

static bool tell_run(struct telling *telling)
{
    bool paused = says(telling->event->to, "paused");
    add_words(&telling->line, "%s %s", telling->who,
              paused ? "paused the flock" : "let the flock run again");
    return true;
}

/* Viewers are told what it means to them. */
static bool tell_viewers(struct telling *telling)
{
    bool watch = says(telling->event->to, "watch");
    if (telling->role == PROTO_PRESENTER) {
        add_words(&telling->line, "%s: viewers %s", telling->who,
                  watch ? "only watch" : "steer, too");
    } else {
        add_words(&telling->line, "%s",
                  watch ? "the presenter steers: you watch" : "you may steer");
    }
    return true;
}

static bool tell_set(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const struct proto_control *control = schema_control(telling->room, event->what);
    const struct proto_choice *choice = control != NULL ? schema_choice(control, event->to) : NULL;
    if (says(event->what, "run")) {
        return tell_run(telling);
    }
    if (says(event->what, "viewers")) {
        return tell_viewers(telling);
    }
    add_words(&telling->line, "%s: %s %s%s%s", telling->who, event->what, event->to,
              choice != NULL ? ", " : "", choice != NULL ? choice->text : "");
    return true;
}

/* Who has changed it sees it where it was changed. */
static bool tell_param(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    if (event->what[0] == '\0') {
        add_words(&telling->line, "%s changed %s parameters", telling->who, event->to);
    } else {
        add_words(&telling->line, "%s: %s from %s to %s", telling->who, event->what, event->from,
                  event->to);
    }
    return !telling->own;
}

static bool tell_boids(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    long change = strtol(event->to, NULL, 10) - strtol(event->from, NULL, 10);
    add_words(&telling->line, "%s %s %ld boid%s: %s now", telling->who,
              change < 0 ? "removed" : "added", labs(change), labs(change) == 1 ? "" : "s",
              event->to);
    return !telling->own;
}

static bool tell_reset(struct telling *telling)
{
    add_words(&telling->line, "%s reset the flock", telling->who);
    return true;
}

/* "param speed" or "reset", from one value back to another. */
static bool tell_undo(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const char *name = strchr(event->what, ' ');
    add_words(&telling->line, "%s took back: ", telling->who);
    if (name != NULL) {
        add_words(&telling->line, "%s from %s to %s", name + 1,
                  event->from[0] != '\0' ? event->from : "-",
                  event->to[0] != '\0' ? event->to : "-");
    } else if (says(event->what, "param")) {
        add_words(&telling->line, "%s parameters", event->to);
    } else if (event->to[0] != '\0') {
        add_words(&telling->line, "%s, %s boids now", event->what, event->to);
    } else {
        add_words(&telling->line, "%s", event->what);
    }
    if (says(event->name, "undo-settings")) {
        add_words(&telling->line, "; the boids stay, there were too many to keep");
    }
    return true;
}

/* A presenter calls somebody otherwise. */
static bool tell_rename(struct telling *telling)
{
    add_words(&telling->line, "%s renamed %s: %s", telling->who, telling->event->from,
              telling->event->to);
    return true;
}

/* The line across the screen says the rest. */
static bool tell_attention(struct telling *telling)
{
    bool on = says(telling->event->to, "on");
    add_words(&telling->line, "%s asks for attention", telling->who);
    return on && !telling->own;
}

static bool tell_spotlight(struct telling *telling)
{
    const char *name = telling->event->to;
    add_words(&telling->line, "%s %s%s%s", telling->who, name[0] != '\0' ? "put " : "switched",
              name[0] != '\0' ? name : " the spotlight off",
              name[0] != '\0' ? " into the spotlight" : "");
    return true;
}

static bool tell_save(struct telling *telling)
{
    add_words(&telling->line, "%s saved the preset %s", telling->who, telling->event->to);
    return true;
}

static bool tell_forget(struct telling *telling)
{
    add_words(&telling->line, "%s removed the preset %s", telling->who, telling->event->from);
    return true;
}

static bool tell_title(struct telling *telling)
{
    add_words(&telling->line, "%s: the room is called %s", telling->who, telling->event->to);
    return true;
}

static bool tell_slow(struct telling *telling)
{
    bool own = telling->event->what[0] == '\0';
    add_words(&telling->line, "the server drops %s %% of the ticks: %s", telling->event->to,
              own ? "fewer boids would help" : "it has too much else to do");
    return true;
}

static bool tell_abandoned(struct telling *telling)
{
    add_words(&telling->line,
              "the flock is paused: a tick took more than %s ms; fewer boids would help",
              telling->event->to);
    return true;
}

static bool tell_past_failed(struct telling *telling)
{
    bool present = says(telling->event->to, "present");

    add_words(&telling->line, "that moment of the past could not be made again: %s",
              present ? "this is the present" : "this is the recording's beginning");
    return true;
}

/* A change over HTTP is nobody's who is here. */
static const char *name_of_doer(const struct proto_event *event, const struct term_people *people)
{
    if (event->by == 0) {
        return "a program";
    }
    if (people->count > 0 && people->list[0].id == event->by) {
        return "you";
    }
    return event->who[0] != '\0' ? event->who : "somebody";
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
                   {"past-failed", tell_past_failed}};
    struct telling telling = {
        .event = event,
        .room = room,
        .who = name_of_doer(event, people),
        .role = people->count > 0 ? term_people_role(&people->list[0]) : PROTO_VIEWER,
        .own = people->count > 0 && people->list[0].id == event->by,
    };
    telling.line.out = out;
    telling.line.capacity = capacity;
    for (size_t i = 0; i < sizeof tellers / sizeof tellers[0]; i++) {
        if (says(event->name, tellers[i].name)) {
            return tellers[i].tell(&telling);
        }
    }
    return false;
}

/* The server has refused the join key in the hello. */
static void tell_locked(struct line *line, const struct news_close *close)
{
    if (close->wait > 0) {
        add_words(line, "too many wrong keys: yours was not compared, try again in %u s",
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
        {PROTO_CLOSE_JOIN, "the room ", " asks for its join key"},
        {PROTO_CLOSE_REMOVED, "a presenter has removed you from the room ", ""},
    };
    struct line line = {out, capacity, 0};
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

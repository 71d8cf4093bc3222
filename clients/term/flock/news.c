#include "term/flock/news.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOER_SIZE = PROTO_NAME_MAX + 64 };

/* An event and the sentence about it. */
struct telling {
    char *out;
    size_t capacity;
    const struct proto_event *event;
    const struct proto_room *room;
    char doer[DOER_SIZE];  /* texts_get(TEXT_NEWS_YOU) if the reader did it */
    bool own;              /* the reader did it */
    char more[TEXTS_LINE]; /* a second sentence about the change; "": none */
};

static bool is_word(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

/* Returns a count as the server sends it, with groups of digits. */
static struct texts_number count_of(const char *text)
{
    return texts_grouped(strtol(text, NULL, 10));
}

/* Writes a sentence that names the doer only. */
static bool say_plainly(struct telling *telling, enum text text)
{
    texts_fill(telling->out, telling->capacity, text, telling->doer);
    return true;
}

/* Stores the second sentence. */
static void say_more(struct telling *telling, const char *text)
{
    snprintf(telling->more, sizeof telling->more, "%s", text);
}

/* Returns the language's name of a control's value, or a parameter's value unchanged. */
static const char *name_value(const struct telling *telling, const char *name, const char *value)
{
    return schema_control(telling->room, name) != NULL ? texts_choice(name, value) : value;
}

/* Writes the values of a control or a parameter before and after the change. */
static void write_change(const struct telling *telling, char *out, size_t capacity,
                         const char *name)
{
    const struct proto_event *event = telling->event;
    const char *from = name_value(telling, name, event->from);
    const char *to = name_value(telling, name, event->to);
    bool control = schema_control(telling->room, name) != NULL;
    const char *shown = control ? texts_control(name) : texts_param(name);
    if (event->from[0] == '\0' || strcmp(event->from, event->to) == 0) {
        texts_fill(out, capacity, TEXT_NEWS_SET, shown, to);
    } else {
        texts_fill(out, capacity, TEXT_NEWS_CHANGE, shown, from,
                   event->to[0] != '\0' ? to : texts_get(TEXT_NEWS_NONE));
    }
}

/* Writes a sentence about a changed control or parameter. */
static void say_change(struct telling *telling, enum text text, const char *name)
{
    char change[TEXTS_LINE];
    write_change(telling, change, sizeof change, name);
    texts_fill(telling->out, telling->capacity, text, telling->doer, change);
}

static bool tell_set(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const struct proto_control *control = schema_control(telling->room, event->what);
    const struct proto_choice *choice = control != NULL ? schema_choice(control, event->to) : NULL;
    if (is_word(event->what, "run")) {
        return say_plainly(telling,
                           is_word(event->to, "paused") ? TEXT_NEWS_PAUSED : TEXT_NEWS_RUN);
    }
    if (is_word(event->what, "preset")) {
        texts_fill(telling->out, telling->capacity, TEXT_NEWS_PRESET, telling->doer,
                   texts_choice("preset", event->to));
    } else {
        say_change(telling, TEXT_NEWS_BY, event->what);
    }
    if (choice != NULL) {
        say_more(telling, texts_about_choice(event->what, event->to, choice->text));
    }
    return true;
}

static bool tell_param(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    if (event->what[0] == '\0') {
        texts_fill(telling->out, telling->capacity, TEXT_NEWS_PARAMS, telling->doer,
                   count_of(event->to).digits);
    } else {
        say_change(telling, TEXT_NEWS_BY, event->what);
    }
    return !telling->own;
}

static bool tell_boids(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    long change = strtol(event->to, NULL, 10) - strtol(event->from, NULL, 10);
    texts_fill(telling->out, telling->capacity, change < 0 ? TEXT_NEWS_REMOVED : TEXT_NEWS_ADDED,
               telling->doer, texts_grouped(labs(change)).digits);
    return !telling->own;
}

static bool tell_reset(struct telling *telling)
{
    return say_plainly(telling, TEXT_NEWS_RESET);
}

/* Returns the news of food, hunters and walls; TEXTS for other news. */
static enum text find_thing(const char *name)
{
    static const struct {
        const char *name;
        enum text text;
    } things[] = {
        {"food", TEXT_NEWS_FOOD},   {"hunter", TEXT_NEWS_HUNTER}, {"wall", TEXT_NEWS_WALL},
        {"erase", TEXT_NEWS_ERASE}, {"clear", TEXT_NEWS_CLEAR},
    };
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        if (is_word(name, things[i].name)) {
            return things[i].text;
        }
    }
    return TEXTS;
}

static bool tell_thing(struct telling *telling)
{
    say_plainly(telling, find_thing(telling->event->name));
    return !telling->own;
}

/* The event's `what` is the message that is taken back, and for some messages a name:
 * "param noise", "param", "set preset", "reset", "add" or "remove". */
static bool tell_undo(struct telling *telling)
{
    const struct proto_event *event = telling->event;
    const char *name = strchr(event->what, ' ');
    if (name != NULL) {
        say_change(telling, TEXT_NEWS_UNDO, name + 1);
    } else if (is_word(event->what, "reset")) {
        say_plainly(telling, TEXT_NEWS_UNDO_RESET);
    } else if (find_thing(event->what) != TEXTS) {
        say_plainly(telling, TEXT_NEWS_UNDO_THING);
    } else {
        texts_fill(telling->out, telling->capacity,
                   is_word(event->what, "param") ? TEXT_NEWS_UNDO_PARAMS : TEXT_NEWS_UNDO_BOIDS,
                   telling->doer, count_of(event->to).digits);
    }
    if (is_word(event->name, "undo-settings")) {
        say_more(telling, texts_get(TEXT_NEWS_BOIDS_STAY));
    }
    return true;
}

/* Writes a sentence with the doer, and texts from the event. */
static bool say_with(struct telling *telling, enum text text, const char *one, const char *other)
{
    texts_fill(telling->out, telling->capacity, text, telling->doer, one, other);
    return true;
}

static bool tell_rename(struct telling *telling)
{
    return say_with(telling, TEXT_NEWS_RENAMED, telling->event->from, telling->event->to);
}

/* The line across the picture shows the presenter's sentence. */
static bool tell_attention(struct telling *telling)
{
    if (!is_word(telling->event->to, "on")) {
        return false;
    }
    say_plainly(telling, TEXT_NEWS_ATTENTION);
    return !telling->own;
}

static bool tell_spotlight(struct telling *telling)
{
    char name[DOER_SIZE];
    if (telling->event->to[0] == '\0') {
        return say_plainly(telling, TEXT_NEWS_SPOTLIGHT_OFF);
    }
    texts_person(name, sizeof name, telling->event->to);
    return say_with(telling, TEXT_NEWS_SPOTLIGHT, name, "");
}

static bool tell_save(struct telling *telling)
{
    return say_with(telling, TEXT_NEWS_PRESET_SAVED, telling->event->to, "");
}

static bool tell_forget(struct telling *telling)
{
    return say_with(telling, TEXT_NEWS_PRESET_REMOVED, telling->event->from, "");
}

static bool tell_title(struct telling *telling)
{
    return say_with(telling, TEXT_NEWS_TITLE, telling->event->to, "");
}

static bool tell_slow(struct telling *telling)
{
    bool own = telling->event->what[0] == '\0';
    texts_fill(telling->out, telling->capacity, TEXT_NEWS_SLOW, telling->event->to);
    say_more(telling, texts_get(own ? TEXT_NEWS_SLOW_OWN : TEXT_NEWS_SLOW_SERVER));
    return true;
}

static bool tell_abandoned(struct telling *telling)
{
    snprintf(telling->out, telling->capacity, "%s", texts_get(TEXT_NEWS_ABANDONED));
    texts_fill(telling->more, sizeof telling->more, TEXT_NEWS_ABANDONED_MORE, telling->event->to);
    return true;
}

static bool tell_past_failed(struct telling *telling)
{
    bool present = is_word(telling->event->to, "present");
    snprintf(telling->out, telling->capacity, "%s", texts_get(TEXT_NEWS_PAST_FAILED));
    say_more(telling, texts_get(present ? TEXT_NEWS_PRESENT_AGAIN : TEXT_NEWS_BEGINNING_AGAIN));
    return true;
}

/* Writes the doer as the beginning of a sentence. A program makes the changes over HTTP. */
static void name_doer(char out[DOER_SIZE], const struct proto_event *event, bool own)
{
    if (!own && event->by != 0 && event->who[0] != '\0') {
        texts_person(out, DOER_SIZE, event->who);
        return;
    }
    snprintf(out, DOER_SIZE, "%s",
             texts_get(own              ? TEXT_NEWS_YOU
                       : event->by == 0 ? TEXT_NEWS_PROGRAM
                                        : TEXT_NEWS_SOMEBODY));
}

static bool tell_event(char *out, size_t capacity, const struct proto_event *event,
                       const struct proto_room *room, const struct term_people *people, bool brief)
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
    struct telling telling = {.capacity = capacity, .event = event, .room = room, .own = own};
    telling.out = out;
    telling.more[0] = '\0';
    name_doer(telling.doer, event, own);
    for (size_t i = 0; i < sizeof tellers / sizeof tellers[0]; i++) {
        if (is_word(event->name, tellers[i].name)) {
            bool told = tellers[i].tell(&telling);
            if (told && !brief && telling.more[0] != '\0') {
                texts_append(out, capacity, TEXT_BOTH, telling.more);
            }
            return told;
        }
    }
    return false;
}

bool news_of_event(char *out, size_t capacity, const struct proto_event *event,
                   const struct proto_room *room, const struct term_people *people)
{
    return tell_event(out, capacity, event, room, people, false);
}

bool news_title(char *out, size_t capacity, const struct proto_event *event,
                const struct proto_room *room, const struct term_people *people)
{
    return tell_event(out, capacity, event, room, people, true);
}

/* Returns the text about a refused join key. */
static enum text locked_text(const struct news_close *close)
{
    bool sent = close->key_sent || close->wait > 0;
    return !sent ? TEXT_END_LOCKED : close->wait > 0 ? TEXT_WRONG_KEYS : TEXT_END_WRONG_KEY;
}

bool news_of_close(char *out, size_t capacity, const struct news_close *close)
{
    static const struct {
        int code;
        enum text text;
    } ends[] = {
        {PROTO_CLOSE_ROOM, TEXT_END_NO_ROOM},    {PROTO_CLOSE_ENDED, TEXT_END_ENDED},
        {PROTO_CLOSE_JOIN, TEXT_END_LOCKED},     {PROTO_CLOSE_DOOR, TEXT_END_DOOR},
        {PROTO_CLOSE_REMOVED, TEXT_END_REMOVED},
    };
    char code[PROTO_ROOM_MAX + 4];
    schema_code(code, sizeof code, close->room);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends[i].code == close->code) {
            enum text text = close->code == PROTO_CLOSE_JOIN ? locked_text(close) : ends[i].text;
            texts_fill(out, capacity, text,
                       text == TEXT_WRONG_KEYS ? texts_plain(close->wait).digits : code);
            return true;
        }
    }
    return false;
}

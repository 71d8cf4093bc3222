#include "term/net/refusal.h"

#include "term/texts/texts.h"

#include <stdio.h>
#include <string.h>

enum { ANY = 0 /* any request */, MINUTE = 60 };

/* The first matching row counts. */
static const struct row {
    enum proto_code code;
    uint32_t type;
    const char *name; /* of the control; NULL: any */
    enum text text;
} rows[] = {
    {PROTO_E_FLOOD, PROTO_KEY, NULL, TEXT_ERROR_KEYS},
    {PROTO_E_FLOOD, PROTO_HELLO, NULL, TEXT_ERROR_KEYS},
    {PROTO_E_JOIN, PROTO_HELLO, NULL, TEXT_ERROR_TURN},
    {PROTO_E_RANGE, PROTO_RENAME, NULL, TEXT_ERROR_NAME},
    {PROTO_E_RANGE, PROTO_TITLE, NULL, TEXT_ERROR_TITLE},
    {PROTO_E_RANGE, PROTO_PARAM, NULL, TEXT_ERROR_RANGE},
    {PROTO_E_RANGE, PROTO_SET, "preset", TEXT_ERROR_PRESET_GONE},
    {PROTO_E_RANGE, PROTO_SET, NULL, TEXT_ERROR_RANGE},
    {PROTO_E_RANGE, PROTO_SAVE, NULL, TEXT_ERROR_PRESET_NAME},
    {PROTO_E_FULL, PROTO_SAVE, NULL, TEXT_ERROR_PRESETS},
    {PROTO_E_RANGE, PROTO_FORGET, NULL, TEXT_ERROR_PRESET_GONE},
    {PROTO_E_RANGE, PROTO_ADD, NULL, TEXT_ERROR_RANGE},
    {PROTO_E_STATE, PROTO_REWIND, NULL, TEXT_ERROR_NO_PAST},
    {PROTO_E_STATE, PROTO_PLAY, NULL, TEXT_ERROR_PRESENT},
    {PROTO_E_STATE, PROTO_RESUME, NULL, TEXT_ERROR_PAST_SOON},
    {PROTO_E_FULL, PROTO_RESUME, NULL, TEXT_ERROR_BOIDS},
    {PROTO_E_RANGE, PROTO_EXPEL, NULL, TEXT_ERROR_PERSON_GONE},
    {PROTO_E_RANGE, PROTO_APPOINT, NULL, TEXT_ERROR_PERSON_GONE},
    {PROTO_E_STATE, PROTO_STEP, NULL, TEXT_ERROR_RUNNING},
    {PROTO_E_FULL, PROTO_STEP, NULL, TEXT_ERROR_STEPS},
    {PROTO_E_FULL, PROTO_SET, "update", TEXT_ERROR_SEQUENTIAL},
    {PROTO_E_STATE, PROTO_UNDO, NULL, TEXT_ERROR_NOTHING},
    {PROTO_E_FULL, PROTO_ADD, NULL, TEXT_ERROR_BOIDS},
    {PROTO_E_FULL, PROTO_RESET, NULL, TEXT_ERROR_BOIDS},
    {PROTO_E_FULL, PROTO_PICK, NULL, TEXT_ERROR_PICKS},
    {PROTO_E_RANGE, PROTO_SWEEP, NULL, TEXT_ERROR_RANGE},
    {PROTO_E_STATE, PROTO_SWEEP, NULL, TEXT_ERROR_SWEEP},
    {PROTO_E_ROLE, ANY, NULL, TEXT_ERROR_ROLE},
    {PROTO_E_KEY, ANY, NULL, TEXT_ERROR_KEY},
    {PROTO_E_FLOOD, ANY, NULL, TEXT_ERROR_FLOOD},
    {PROTO_E_FULL, ANY, NULL, TEXT_ERROR_COST},
};

/* Returns the text of an error; TEXTS if there is none. */
static enum text find_text(const struct proto_error *error)
{
    if (error->code == PROTO_E_STATE && strcmp(error->field, "past") == 0) {
        return TEXT_ERROR_PAST;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (row->code == error->code && (row->type == ANY || row->type == error->type) &&
            (row->name == NULL || strcmp(row->name, error->name) == 0)) {
            return row->text;
        }
    }
    return TEXTS;
}

void refusal_text(char *out, size_t capacity, const struct proto_error *error)
{
    enum text text = texts_language() == TEXTS_EN ? TEXTS : find_text(error);
    if (text != TEXTS) {
        texts_fill(out, capacity, text, texts_plain(error->after).digits);
    } else {
        snprintf(out, capacity, "%s",
                 error->message[0] != '\0' ? error->message : texts_get(TEXT_REFUSED));
    }
}

void refusal_of_room(char *out, size_t capacity, int status, long wait, const char *said)
{
    bool translated = texts_language() != TEXTS_EN;
    if (translated && status == 429) {
        texts_fill(out, capacity, TEXT_SERVER_FLOOD,
                   texts_plain(wait > MINUTE ? (wait + MINUTE - 1) / MINUTE : 1).digits);
        return;
    }
    if (status == 0) {
        said = texts_get(TEXT_SILENT);
    } else if (translated && (status == 401 || status == 403)) {
        said = texts_get(TEXT_SERVER_KEY);
    } else if (translated && status == 409) {
        said = texts_get(TEXT_SERVER_FULL);
    } else if (translated && status == 503) {
        said = texts_get(TEXT_SERVER_BUSY);
    }
    snprintf(out, capacity, "%s", *said != '\0' ? said : texts_get(TEXT_REFUSED));
}

const char *refusal_of_close(int code, const char *said)
{
    static const struct {
        int code;
        enum text text;
    } closes[] = {
        {PROTO_CLOSE_SHUTDOWN, TEXT_CLOSE_SHUTDOWN}, {PROTO_CLOSE_FULL, TEXT_CLOSE_FULL},
        {PROTO_CLOSE_STALLED, TEXT_CLOSE_STALLED},   {PROTO_CLOSE_PROTOCOL, TEXT_CLOSE_PROTOCOL},
        {PROTO_CLOSE_VERSION, TEXT_CLOSE_VERSION},   {PROTO_CLOSE_FLOOD, TEXT_CLOSE_FLOOD},
        {PROTO_CLOSE_REPLACED, TEXT_CLOSE_REPLACED}, {PROTO_CLOSE_KEYS, TEXT_CLOSE_KEYS},
    };
    for (size_t i = 0; i < sizeof closes / sizeof closes[0]; i++) {
        if (closes[i].code == code && texts_language() != TEXTS_EN) {
            return texts_get(closes[i].text);
        }
    }
    return said;
}

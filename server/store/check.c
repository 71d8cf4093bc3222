/* The report of --check-data. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/database.h"

#define WHAT_MAX 200u

struct check {
    bool (*sound)(const uint8_t *state, size_t size, char *what, size_t capacity);
    struct database *database;
    FILE *output;
    unsigned rooms, damaged, resting;
};

/* Prints the room's bytes of that name. Returns false if they are damaged. Frees the bytes. */
static bool say_bytes(const struct check *check, const char *name, uint8_t *bytes, size_t size)
{
    char what[WHAT_MAX] = "";
    bool sound = bytes == NULL || check->sound(bytes, size, what, sizeof what);

    if (bytes != NULL) {
        fprintf(check->output, ", %s of %zu bytes%s%s", name, size,
                sound ? "" : ", damaged: ", what);
    }
    free(bytes);
    return sound;
}

static void say_room(void *argument, const struct store_room *room)
{
    struct check *check = argument;
    char what[WHAT_MAX] = "";
    char when[32] = "?";
    time_t saved_at = (time_t)room->saved_at;
    struct tm parts;
    bool sound = check->sound(room->state, room->size, what, sizeof what);
    uint8_t *bytes;
    size_t size = 0;

    if (gmtime_r(&saved_at, &parts) != NULL) {
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    fprintf(check->output, "%-8s %9zu bytes, kept %s%s%s%s", room->code, room->size, when,
            room->listed ? ", listed" : "", sound ? "" : ", damaged: ", what);
    bytes = database_value(check->database, DATABASE_RECORDINGS, room->code, &size);
    sound = say_bytes(check, "plays a recording", bytes, size) && sound;
    bytes = database_value(check->database, DATABASE_PASTS, room->code, &size);
    sound = say_bytes(check, "its past", bytes, size) && sound;
    fputc('\n', check->output);
    check->rooms++;
    check->damaged += !sound;
}

static void count_code(void *argument, const char *code, uint64_t until)
{
    struct check *check = argument;

    (void)code;
    check->resting += until > (uint64_t)time(NULL);
}

bool store_check(const char *folder,
                 bool (*sound)(const uint8_t *state, size_t size, char *what, size_t capacity),
                 FILE *output, FILE *errors)
{
    struct database database;
    struct check check = {.sound = sound, .database = &database, .output = output};
    char text[STORE_REASON_MAX] = "";
    bool well = database_look(&database, folder, text);

    if (well && (!database_rooms(&database, "", say_room, &check) ||
                 !database_codes(&database, count_code, &check))) {
        database_explain(&database, text);
        well = false;
    }
    if (well) {
        fprintf(output, "%s: %u rooms, %u of them damaged; %u reserved codes\n", database.path,
                check.rooms, check.damaged, check.resting);
    } else {
        fprintf(errors, "flockd: %s\n", text);
    }
    database_close(&database);
    return well && check.damaged == 0;
}

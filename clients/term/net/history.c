#include "term/net/history.h"

#include "term/flock/schema.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_SIZE = TERM_TARGET_TEXT_MAX + PROTO_TITLE_MAX + 8 };

/* Stores the path of the file; "" if the environment names no folder. */
static void find_path(char path[TERM_HISTORY_PATH + 1])
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (state != NULL && state[0] == '/') {
        length = snprintf(path, TERM_HISTORY_PATH + 1, "%s/flock-term/rooms", state);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, TERM_HISTORY_PATH + 1, "%s/.local/state/flock-term/rooms", home);
    }
    if (length <= 0 || length > (int)TERM_HISTORY_PATH) {
        path[0] = '\0';
    }
}

/* Fills a visit. Returns false if its address is malformed. */
static bool make_visit(struct term_visit *visit, const char *address, const char *title)
{
    struct term_target target = {0};
    if (strlen(address) > TERM_TARGET_TEXT_MAX || !term_target_is_link(address) ||
        term_target_parse(&target, address) != NULL || target.room[0] == '\0') {
        return false;
    }
    snprintf(visit->address, sizeof visit->address, "%s", address);
    if (title[0] != '\0') {
        snprintf(visit->title, sizeof visit->title, "%s", title);
    } else {
        schema_code(visit->title, sizeof visit->title, target.room);
    }
    return term_url_authority(&target.url, visit->note, sizeof visit->note);
}

void term_history_open(struct term_history *history)
{
    char line[LINE_SIZE];
    *history = (struct term_history){0};
    find_path(history->path);
    FILE *file = history->path[0] != '\0' ? fopen(history->path, "re") : NULL;
    while (file != NULL && history->count < TERM_HISTORY_MAX &&
           fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        char *space = strchr(line, ' ');
        if (space == NULL) {
            continue;
        }
        *space = '\0';
        if (make_visit(&history->visits[history->count], line, space + 1)) {
            history->count++;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* Creates the folders of a path, for the user alone. */
static void make_folders(const char *path)
{
    char folder[TERM_HISTORY_PATH + 1];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, S_IRWXU);
        *slash = '/';
    }
}

static bool write_visits(const struct term_history *history, FILE *file)
{
    for (uint32_t i = 0; i < history->count; i++) {
        fprintf(file, "%s %s\n", history->visits[i].address, history->visits[i].title);
    }
    return fflush(file) == 0 && ferror(file) == 0;
}

/* Replaces the file. Without a place for it, the rooms are remembered until the program ends. */
static void save_history(const struct term_history *history)
{
    char draft[TERM_HISTORY_PATH + 8];
    if (history->path[0] == '\0') {
        return;
    }
    make_folders(history->path);
    snprintf(draft, sizeof draft, "%s.new", history->path);
    int descriptor =
        open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        return;
    }
    FILE *file = fchmod(descriptor, S_IRUSR | S_IWUSR) == 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        close(descriptor);
        return;
    }
    bool written = write_visits(history, file);
    if (fclose(file) == 0 && written) {
        rename(draft, history->path);
    }
}

/* Returns whether an address leads to the target's room; then takes the keys that the target lacks.
 */
static bool is_same_room(struct term_target *target, const char *address)
{
    struct term_target other = {0};
    char ours[PROTO_ROOM_MAX + 1];
    char theirs[PROTO_ROOM_MAX + 1];
    if (term_target_parse(&other, address) != NULL) {
        return false;
    }
    proto_room_canonical(target->room, ours);
    proto_room_canonical(other.room, theirs);
    if (strcmp(ours, theirs) != 0 || strcmp(target->url.host, other.url.host) != 0 ||
        target->url.port != other.url.port || target->url.tls != other.url.tls ||
        strcmp(target->url.path, other.url.path) != 0) {
        return false;
    }
    if (target->key[0] == '\0') {
        memcpy(target->key, other.key, sizeof target->key);
    }
    if (target->join_key[0] == '\0') {
        memcpy(target->join_key, other.join_key, sizeof target->join_key);
    }
    return true;
}

/* Removes an entry. */
static void forget_visit(struct term_history *history, uint32_t index)
{
    history->count--;
    memmove(&history->visits[index], &history->visits[index + 1],
            (history->count - index) * sizeof history->visits[0]);
}

void term_history_visit(struct term_history *history, const struct term_target *target,
                        const char *title)
{
    struct term_target whole = *target;
    struct term_visit visit = {0};
    char address[TERM_TARGET_TEXT_MAX + 1];
    for (uint32_t i = history->count; i > 0; i--) {
        if (is_same_room(&whole, history->visits[i - 1].address)) {
            forget_visit(history, i - 1);
        }
    }
    if (!term_target_print(&whole, address, sizeof address) ||
        !make_visit(&visit, address, title)) {
        return;
    }
    if (history->count == TERM_HISTORY_MAX) {
        history->count--;
    }
    memmove(&history->visits[1], &history->visits[0], history->count * sizeof history->visits[0]);
    history->visits[0] = visit;
    history->count++;
    save_history(history);
}

/* The rooms of the clients: made for the run, or existing ones. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http.h"
#include "load.h"

static bool make_room(const struct load_options *options, struct room *room)
{
    const struct http_request request = {
        .method = "POST", .path = "/api/rooms", .body = options->room_json};
    struct http_answer answer;

    if (!http_ask(&options->target, &request, &answer)) {
        fprintf(stderr, "flock-load: a room could not be made: %s\n", strerror(errno));
        return false;
    }
    if (answer.status != 201 || !http_string(answer.body, "code", room->code, sizeof room->code) ||
        !http_string(answer.body, "key", room->key, sizeof room->key)) {
        fprintf(stderr, "flock-load: a room could not be made: %u %.*s\n", answer.status,
                (int)strcspn(answer.body, "\r\n"), answer.body);
        return false;
    }
    return true;
}

/* Reads the given codes, separated by commas. */
static void take_codes(struct load *load, const char *codes)
{
    for (uint32_t i = 0; i < load->room_count; i++) {
        size_t length = strcspn(codes, ",");
        snprintf(load->rooms[i].code, sizeof load->rooms[i].code, "%.*s", (int)length, codes);
        codes += length + 1;
    }
}

bool rooms_open(struct load *load)
{
    const struct load_options *options = load->options;

    load->room_count = options->rooms > 0 ? options->rooms : options->code_count;
    load->rooms = calloc(load->room_count, sizeof *load->rooms);
    if (load->rooms == NULL) {
        fputs("flock-load: out of memory\n", stderr);
        return false;
    }
    if (options->rooms == 0) {
        take_codes(load, options->codes);
        return true;
    }
    for (uint32_t i = 0; i < load->room_count; i++) {
        if (!make_room(options, &load->rooms[i])) {
            return false;
        }
    }
    return true;
}

void rooms_close(struct load *load)
{
    for (uint32_t i = 0; load->rooms != NULL && i < load->room_count; i++) {
        const struct room *room = &load->rooms[i];
        char path[64];
        struct http_answer answer;
        snprintf(path, sizeof path, "/api/rooms/%s", room->code);
        const struct http_request request = {.method = "DELETE", .path = path, .key = room->key};
        if (room->key[0] != '\0' && !http_ask(&load->options->target, &request, &answer)) {
            fprintf(stderr, "flock-load: the room %s is left: %s\n", room->code, strerror(errno));
        }
    }
    free(load->rooms);
}

#include "scene/names.h"

#include <stdio.h>

#include <stddef.h>
#include <stdint.h>

#include "text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Unicode's spaces, and its characters that are ignored or have no ink. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x20, 0x20},       {0xa0, 0xa0},       {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},
    {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x200f},
    {0x202f, 0x202f},   {0x205f, 0x206f},   {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

/* Capital letters: every letter or every second letter of a range, and the distance to the small
 * letters. */
static const struct {
    uint32_t first, last, step;
    int32_t small;
} capitals[] = {
    {'A', 'Z', 1, 32},     {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},
    {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1},  {0x14a, 0x176, 2, 1},  {0x178, 0x178, 1, -121},
    {0x179, 0x17d, 2, 1},  {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64},
    {0x38e, 0x38f, 1, 63}, {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x3c2, 0x3c2, 1, 1},
    {0x400, 0x40f, 1, 80}, {0x410, 0x42f, 1, 32}, {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},
    {0x4d0, 0x52e, 2, 1},
};

static bool is_unseen(uint32_t point)
{
    for (size_t i = 0; i < COUNT(unseen); i++) {
        if (point >= unseen[i].first && point <= unseen[i].last) {
            return true;
        }
    }
    return false;
}

static uint32_t small(uint32_t point)
{
    if (point >= 0xff01 && point <= 0xff5e) {
        point -= 0xff01 - '!'; /* full width */
    }
    for (size_t i = 0; i < COUNT(capitals); i++) {
        if (point >= capitals[i].first && point <= capitals[i].last &&
            (point - capitals[i].first) % capitals[i].step == 0) {
            return (uint32_t)((int32_t)point + capitals[i].small);
        }
    }
    return point;
}

/* The next character that can be seen, as names are compared; 0 at the end. */
static uint32_t next_seen(const char **text)
{
    uint32_t point = 0;

    while (**text != '\0') {
        size_t size = text_next(*text, 4, &point);
        *text += size > 0 ? size : 1;
        if (!is_unseen(point)) {
            return small(point);
        }
    }
    return 0;
}

bool names_blank(const char *text)
{
    return next_seen(&text) == 0;
}

bool names_alike(const char *a, const char *b)
{
    uint32_t point;

    do {
        point = next_seen(&a);
        if (point != next_seen(&b)) {
            return false;
        }
    } while (point != 0);
    return true;
}

void names_pick(uint32_t id, char name[PROTO_NAME_MAX + 1])
{
    static const char *const birds[] = {
        "finch",  "heron",  "kestrel", "swift",   "wren",   "plover", "lapwing", "starling",
        "dunlin", "linnet", "martin",  "redpoll", "siskin", "curlew", "swallow", "knot",
        "egret",  "avocet", "dipper",  "osprey",  "pipit",  "serin",  "tern",    "jackdaw"};

    snprintf(name, PROTO_NAME_MAX + 1, "%s-%u", birds[id % (sizeof birds / sizeof birds[0])], id);
}

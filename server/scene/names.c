#include "scene/names.h"

#include <stdio.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/digest.h"
#include "text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Unicode's spaces, and its characters that are ignored or have no ink. Fonts that know no ink for
 * a character of private use show none, or a box. is_unseen() knows the others. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x20, 0x20},       {0xa0, 0xa0},       {0xad, 0xad},       {0x34f, 0x34f},
    {0x61c, 0x61c},     {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x2000, 0x200f},   {0x202f, 0x202f},   {0x205f, 0x206f},
    {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffc},   {0x1bca0, 0x1bca3},
    {0x1107f, 0x1107f}, {0x16fe4, 0x16fe4}, {0x1d159, 0x1d159}, {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff}, {0xe000, 0xf8ff},   {0x13430, 0x1345f}, {0xf0000, 0x10ffff},
};

/* Code points of a folded name: of the characters, U+FDFA grows most, from 3 bytes to 18. */
#define FOLDED_MAX (6 * PROTO_NAME_MAX)

/* Returns true for a code point that Unicode will never give to a character. */
static bool is_no_character(uint32_t point)
{
    return (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point <= 0xfdef);
}

static bool is_unseen(uint32_t point)
{
    if (is_no_character(point) ||
        utf8proc_category((utf8proc_int32_t)point) == UTF8PROC_CATEGORY_CF) {
        return true;
    }
    for (size_t i = 0; i < COUNT(unseen); i++) {
        if (point >= unseen[i].first && point <= unseen[i].last) {
            return true;
        }
    }
    return false;
}

bool names_blank(const char *text)
{
    uint32_t point = 0;

    while (*text != '\0') {
        size_t size = text_next(text, 4, &point);
        text += size > 0 ? size : 1;
        if (!is_unseen(point)) {
            return false;
        }
    }
    return true;
}

/* Stores the characters of a name as names are compared: decomposed as in NFKD, case-folded, and
 * without invisible characters. Two texts have the same NFKC if they have the same NFKD. Folding
 * comes after the decomposition: the fold of U+0345 is a letter, and its place would depend on how
 * the name was composed. Returns their number; negative: the name is too long or malformed. */
static int64_t fold_name(const char *name, utf8proc_int32_t folded[FOLDED_MAX])
{
    const utf8proc_option_t how = UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;
    utf8proc_int32_t found[FOLDED_MAX];
    const utf8proc_ssize_t count = utf8proc_decompose(
        (const utf8proc_uint8_t *)name, (utf8proc_ssize_t)strlen(name), found, FOLDED_MAX, how);
    int64_t seen = 0;

    if (count > FOLDED_MAX) {
        return -1;
    }
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        int bounds = 0;
        const utf8proc_ssize_t size =
            utf8proc_decompose_char(found[i], &folded[seen], FOLDED_MAX - seen,
                                    (utf8proc_option_t)(how | UTF8PROC_CASEFOLD), &bounds);
        if (size > FOLDED_MAX - seen) {
            return -1;
        }
        if (size > 0 && !is_unseen((uint32_t)found[i])) {
            seen += size;
        }
    }
    return count < 0 ? count : seen;
}

bool names_alike(const char *a, const char *b)
{
    utf8proc_int32_t folded_a[FOLDED_MAX], folded_b[FOLDED_MAX];
    const int64_t count = fold_name(a, folded_a);

    if (count < 0) {
        return strcmp(a, b) == 0;
    }
    return fold_name(b, folded_b) == count &&
           memcmp(folded_a, folded_b, (size_t)count * sizeof folded_a[0]) == 0;
}

uint32_t names_hash(const char *name)
{
    utf8proc_int32_t folded[FOLDED_MAX];
    const int64_t count = fold_name(name, folded);
    uint8_t digest[DIGEST_SIZE];
    uint32_t hash;
    const bool made = count < 0 ? digest_of(name, strlen(name), digest)
                                : digest_of(folded, (size_t)count * sizeof folded[0], digest);

    memcpy(&hash, digest, sizeof hash);
    return !made ? 0 : hash != 0 ? hash : 1;
}

void names_pick(uint32_t id, char name[PROTO_NAME_MAX + 1])
{
    static const char *const birds[] = {
        "finch",  "heron",  "kestrel", "swift",   "wren",   "plover", "lapwing", "starling",
        "dunlin", "linnet", "martin",  "redpoll", "siskin", "curlew", "swallow", "knot",
        "egret",  "avocet", "dipper",  "osprey",  "pipit",  "serin",  "tern",    "jackdaw"};

    snprintf(name, PROTO_NAME_MAX + 1, "%s-%u", birds[id % (sizeof birds / sizeof birds[0])], id);
}

/* The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
#include "store/wal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER       32u
#define FRAME_HEADER 24u
#define MAGIC        0x377f0682u /* the last bit says that checksums use big-endian words */
#define LOGS_MAX     1000000u    /* before this one, of which the file may have frames */
#define FORMAT       3007000u
#define PAGE_MIN     512u
#define PAGE_MAX     65536u

struct wal {
    FILE *file;
    uint8_t *frame; /* FRAME_HEADER, and a page */
    uint32_t page_size;
    uint8_t salts[8]; /* of this log's frames; older frames in the file have others */
    uint32_t sum[2];
    bool big_endian;
};

static uint32_t big_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t little_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Adds bytes, a multiple of 8 of them, to the checksum. */
static void add_to_sum(struct wal *wal, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        wal->sum[0] +=
            wal->sum[1] + (wal->big_endian ? big_word(bytes + i) : little_word(bytes + i));
        wal->sum[1] +=
            wal->sum[0] + (wal->big_endian ? big_word(bytes + i + 4) : little_word(bytes + i + 4));
    }
}

static bool has_sum(const struct wal *wal, const uint8_t *bytes)
{
    return wal->sum[0] == big_word(bytes) && wal->sum[1] == big_word(bytes + 4);
}

static bool is_page_size(uint32_t size)
{
    return size >= PAGE_MIN && size <= PAGE_MAX && (size & (size - 1)) == 0;
}

static bool read_header(struct wal *wal, const uint8_t header[HEADER])
{
    const uint32_t magic = big_word(header);

    wal->page_size = big_word(header + 8);
    wal->big_endian = (magic & 1) != 0;
    memcpy(wal->salts, header + 16, sizeof wal->salts);
    add_to_sum(wal, header, 24);
    return (magic & ~1u) == MAGIC && big_word(header + 4) == FORMAT &&
           is_page_size(wal->page_size) && has_sum(wal, header + 24);
}

/* Reads the next complete frame into wal->frame. Returns false if there is none. */
static bool read_frame(struct wal *wal)
{
    return fread(wal->frame, FRAME_HEADER + wal->page_size, 1, wal->file) == 1;
}

static bool is_of_this_log(const struct wal *wal)
{
    return memcmp(wal->frame + 8, wal->salts, sizeof wal->salts) == 0;
}

/* Whether the frame is of an earlier log in the same file, or was never written. The first salt
 * grows by one with each log. */
static bool is_older(const struct wal *wal)
{
    static const uint8_t zeros[FRAME_HEADER];
    const uint32_t logs = big_word(wal->salts) - big_word(wal->frame + 8);

    return (logs > 0 && logs <= LOGS_MAX) || memcmp(wal->frame, zeros, sizeof zeros) == 0;
}

/* Whether the frame has no salts and no checksum. If SQLite writes a page twice in one change, it
 * writes later frames so, and completes them when the change ends. */
static bool is_open(const struct wal *wal)
{
    static const uint8_t zeros[FRAME_HEADER - 8];

    return memcmp(wal->frame + 8, zeros, sizeof zeros) == 0;
}

/* Whether a change ends with the frame: its header says how many pages the database then has. */
static bool ends_change(const struct wal *wal)
{
    return big_word(wal->frame + 4) != 0;
}

static bool is_complete(struct wal *wal)
{
    add_to_sum(wal, wal->frame, 8);
    add_to_sum(wal, wal->frame + FRAME_HEADER, wal->page_size);
    return is_of_this_log(wal) && has_sum(wal, wal->frame + 16);
}

/* Whether the frame shows that a frame before it is damaged. ends: a change ends at that one. */
static bool shows_damage(const struct wal *wal, bool ends)
{
    if (is_of_this_log(wal)) {
        return ends || ends_change(wal);
    }
    return !is_older(wal) && (ends || !is_open(wal));
}

/* Returns the number of the first frame that is damaged, from 1; 0: none is. A frame whose checksum
 * does not fit is damaged if a change of this log ends there, and more of the log follows, or if
 * one ends behind it, or if a frame of no log follows. Else its change never ended. */
static unsigned find_damaged(struct wal *wal)
{
    unsigned number = 1;
    bool ends = false;

    while (read_frame(wal)) {
        if (!is_complete(wal)) {
            ends = is_of_this_log(wal) && ends_change(wal);
            break;
        }
        number++;
    }
    while (read_frame(wal)) {
        if (shows_damage(wal, ends)) {
            return number;
        }
    }
    return 0;
}

bool wal_is_sound(const char *path, char *what, size_t capacity)
{
    struct wal wal = {.file = fopen(path, "rbe")};
    uint8_t header[HEADER];
    unsigned damaged;

    if (wal.file == NULL || fread(header, sizeof header, 1, wal.file) != 1) {
        if (wal.file != NULL) {
            fclose(wal.file);
        }
        return true; /* no change was written to it */
    }
    if (!read_header(&wal, header)) {
        snprintf(what, capacity, "its header");
        fclose(wal.file);
        return false;
    }
    wal.frame = malloc(FRAME_HEADER + wal.page_size);
    damaged = wal.frame != NULL ? find_damaged(&wal) : 0;
    snprintf(what, capacity, "page %u of it", damaged);
    free(wal.frame);
    fclose(wal.file);
    return damaged == 0;
}

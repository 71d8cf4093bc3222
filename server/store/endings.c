#include "store/endings.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define SLOTS_STEP 2048u /* entries; the file grows by as many at a time */
#define SLOTS_MAX  1048576u

/* An entry in the file. The first bytes of a disk's sector are never torn apart from the others. */
struct slot {
    char code[PROTO_ROOM_MAX]; /* without a NUL if it has this length */
    uint64_t until, saved_at;
    uint8_t unused[12];
    uint32_t checksum; /* CRC-32 of all before it */
};

_Static_assert(sizeof(struct slot) == 64, "slots do not cross sectors of a disk");

static uint32_t checksum_of(const struct slot *slot)
{
    return (uint32_t)crc32(0, (const Bytef *)slot, offsetof(struct slot, checksum));
}

/* Reads an entry. Returns false if the slot has none. */
static bool read_slot(const struct slot *slot, struct ending *ending)
{
    *ending = (struct ending){.until = slot->until, .saved_at = slot->saved_at};
    memcpy(ending->code, slot->code, sizeof slot->code);
    return slot->checksum == checksum_of(slot) && proto_room_valid(ending->code);
}

static bool write_slot(const struct endings *endings, uint32_t index, const struct slot *slot)
{
    return pwrite(endings->file, slot, sizeof *slot, (off_t)index * (off_t)sizeof *slot) ==
           (ssize_t)sizeof *slot;
}

void endings_open(struct endings *endings, const char *path,
                  void (*take)(void *argument, const struct ending *ending), void *argument)
{
    struct stat status;
    struct slot slot;
    struct ending ending;

    *endings =
        (struct endings){.file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)};
    if (endings->file < 0 || fstat(endings->file, &status) != 0 || !S_ISREG(status.st_mode)) {
        endings_close(endings);
        return;
    }
    while (endings->slots < SLOTS_MAX &&
           pread(endings->file, &slot, sizeof slot, (off_t)endings->slots * (off_t)sizeof slot) ==
               (ssize_t)sizeof slot) {
        endings->slots++;
        if (read_slot(&slot, &ending)) {
            endings->used = endings->slots;
            take(argument, &ending);
        }
    }
}

void endings_close(struct endings *endings)
{
    if (endings->file >= 0) {
        close(endings->file);
    }
    *endings = (struct endings){.file = -1};
}

void endings_reserve(struct endings *endings, uint32_t rooms)
{
    static const struct slot none;
    const uint32_t wanted = (rooms / SLOTS_STEP + 1) * SLOTS_STEP;
    const uint32_t before = endings->slots;

    if (endings->file < 0) {
        return;
    }
    while (endings->slots < wanted && endings->slots < SLOTS_MAX &&
           write_slot(endings, endings->slots, &none)) {
        endings->slots++;
    }
    if (endings->slots > before) {
        (void)fdatasync(endings->file); /* some file systems allocate the bytes now */
    }
}

bool endings_add(struct endings *endings, const struct ending *ending)
{
    struct slot slot = {.until = ending->until, .saved_at = ending->saved_at};

    memcpy(slot.code, ending->code, strnlen(ending->code, sizeof slot.code));
    slot.checksum = checksum_of(&slot);
    if (endings->file < 0 || endings->used >= endings->slots ||
        !write_slot(endings, endings->used, &slot)) {
        return false;
    }
    endings->used++;
    return true;
}

void endings_sync(const struct endings *endings)
{
    if (endings->file >= 0) {
        (void)fdatasync(endings->file);
    }
}

void endings_clear(struct endings *endings)
{
    static const struct slot none;

    while (endings->used > 0 && write_slot(endings, endings->used - 1, &none)) {
        endings->used--;
    }
}

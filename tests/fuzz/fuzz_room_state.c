/* room_load(): whatever bytes are loaded make a room that can be lived in and saved again as the
 * same bytes, or a problem in words. The input is tried as it is, and with a checksum that is
 * right. */
#include "fuzz.h"

#include "room/room_state.h"
#include "state/saved.h"

#define NOW UINT64_C(1000)

static void hear(void *argument, room_member member, struct frame *frame,
                 const struct room_grant *grant)
{
    (void)argument;
    (void)member;
    (void)grant;
    frame_release(frame);
}

static void be_closed(void *argument, room_member member, const struct room_end *end)
{
    (void)argument;
    (void)member;
    frame_release(end->frame);
}

static const struct room_sink sink = {.tell = hear, .close = be_closed};

static struct room *load(const uint8_t *bytes, size_t size)
{
    struct room_definition definition = room_definition_default();
    char problem[200] = "";

    definition.people_max = 3;
    struct room *room = room_load(&definition, &sink, bytes, size, NOW, problem, sizeof problem);
    FUZZ_REQUIRE((room != NULL) == (problem[0] == '\0'));
    return room;
}

static uint8_t *save(const struct room *room, size_t *size)
{
    uint8_t *bytes = room_save(room, NOW, size);

    FUZZ_REQUIRE(bytes != NULL);
    saved_seal(bytes, *size);
    return bytes;
}

static void saves_the_same(const struct room *room)
{
    size_t sizes[2];
    uint8_t *bytes = save(room, &sizes[0]);
    struct room *again = load(bytes, sizes[0]);

    FUZZ_REQUIRE(again != NULL);
    uint8_t *bytes_again = save(again, &sizes[1]);
    FUZZ_REQUIRE(sizes[0] == sizes[1] && memcmp(bytes, bytes_again, sizes[0]) == 0);
    free(bytes);
    free(bytes_again);
    room_destroy(again);
}

static void live(struct room *room)
{
    static struct room_workspace *workspace;
    struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};

    if (workspace == NULL) {
        workspace = room_workspace_create(1);
    }
    FUZZ_REQUIRE(workspace != NULL);
    room_member member = room_join(room, &hello, 0, NOW, &refused);
    frame_release(refused.frame);
    room_welcome(room, member, NOW);
    for (uint64_t now = NOW; now < NOW + 3; now++) {
        FUZZ_REQUIRE(room_tick(room, workspace, now));
        view_release(room_snapshot(room, workspace, now));
    }
    saves_the_same(room);
    room_vacate(room, NOW + 3);
    FUZZ_REQUIRE(room_facts(room).people == 0);
    member = room_join(room, &hello, 0, NOW + 3, &refused);
    room_leave(room, member, NOW + 3);
}

static void try_bytes(const uint8_t *bytes, size_t size)
{
    struct room *room = load(bytes, size);

    if (room != NULL) {
        saves_the_same(room);
        live(room);
        room_destroy(room);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);

    try_bytes(copy, size);
    if (size >= SAVED_HEAD) {
        saved_seal(copy, size);
        try_bytes(copy, size);
    }
    free(copy);
    return 0;
}

/* Rooms loaded from any bytes; see fuzz_saved.h. In a loaded room people must be able to undo,
 * join, get snapshots and leave. */
#include "fuzz_saved.h"

#include "room/room_state.h"
#include "scene/undo.h"

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

static const struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};

static void *load(const uint8_t *bytes, size_t size, bool again, char *problem)
{
    struct room_definition definition = room_definition_default();

    (void)again;
    definition.people_max = 3;
    const struct room_origin origin = {.state = bytes, .size = size, .continues = true, .now = NOW};
    struct proto_error error;
    struct room *room = room_create(&definition, &sink, &origin, &error);

    snprintf(problem, 200, "%s", room != NULL ? "" : error.message);
    return room;
}

static uint8_t *save(void *room, size_t *size)
{
    uint8_t *bytes = room_save_leaving(room, NOW, size);

    FUZZ_REQUIRE(bytes != NULL);
    saved_seal(bytes, *size);
    return bytes;
}

/* Returns the member, or 0 if the room refuses the join. */
static room_member join(struct room *room)
{
    struct room_end refused = {0};
    room_member member = room_join(room, &hello, 0, NOW, &refused);

    frame_release(refused.frame);
    return member;
}

static void live(void *room)
{
    static struct room_workspace *workspace;

    if (workspace == NULL) {
        workspace = room_workspace_create(1);
    }
    FUZZ_REQUIRE(workspace != NULL);
    room_welcome(room, join(room), NOW);
    for (uint32_t i = 0; i < UNDO_MAX; i++) {
        const struct proto_client_message undo = {.type = PROTO_UNDO};
        struct proto_error error;
        (void)room_direct(room, &undo, NOW, &error);
    }
    for (uint64_t now = NOW; now < NOW + 3; now++) {
        FUZZ_REQUIRE(room_tick(room, workspace, now));
        view_release(room_snapshot(room, workspace, now));
    }
}

static void end(void *room)
{
    room_vacate(room, NOW + 3);
    FUZZ_REQUIRE(room_facts(room).people == 0);
    room_leave(room, join(room), NOW + 3);
    room_destroy(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_saved(&(struct fuzz_saved){.load = load, .save = save, .live = live, .end = end}, data,
               size);
    return 0;
}

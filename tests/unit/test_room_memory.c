/* Members when memory runs out, at each allocation in turn. Also: the messages of a room fit into
 * the protocol's limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "room/room.h"
#include "room/room_state.h"

/* ---- failing allocations: the linker replaces malloc() and the like by these functions ---- */

static unsigned fail_at; /* counted from now on, this allocation and all later ones fail; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static bool fails(void)
{
    if (fail_at > 1) {
        fail_at--;
        return false;
    }
    return fail_at == 1;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

/* ---- a room and its messages ---- */

#define LOST_MAX 8u

struct ear {
    struct room *room;
    room_member lost[LOST_MAX]; /* members who missed a message */
    uint32_t lost_count;
    room_member closed;   /* the latest */
    room_member welcomed; /* the latest */
    size_t welcome_size;
    uint8_t token[PROTO_TOKEN_SIZE]; /* in it */
};

static void read_token(const struct frame *frame, uint8_t token[PROTO_TOKEN_SIZE])
{
    static struct proto_server_message message;
    struct proto_decoder *decoder = proto_decoder_create();
    struct proto_error error;

    assert_non_null(decoder);
    assert_int_equal(
        proto_decode_server(decoder, frame->bytes + FRAME_HEADROOM, frame->size, &message, &error),
        PROTO_OK);
    memcpy(token, message.welcome.token, PROTO_TOKEN_SIZE);
    proto_decoder_destroy(decoder);
}

static void on_tell(void *argument, room_member member, struct frame *frame,
                    const struct room_grant *grant)
{
    struct ear *ear = argument;

    if (frame == NULL) {
        ear->lost[ear->lost_count++ % LOST_MAX] = member;
        return;
    }
    if (grant != NULL && grant->joined) {
        ear->welcomed = member;
        ear->welcome_size = frame->size;
        if (fail_at == 0) {
            read_token(frame, ear->token);
        }
    }
    frame_release(frame);
}

static void on_close(void *argument, room_member member, const struct room_end *end)
{
    struct ear *ear = argument;

    ear->closed = member;
    frame_release(end->frame);
}

static struct room_definition definition_of(const char *title)
{
    struct room_definition definition = room_definition_default();

    definition.people_max = 10;
    definition.open_controls = true;
    snprintf(definition.title, sizeof definition.title, "%s", title);
    return definition;
}

static void make(struct ear *ear, const struct room_definition *definition)
{
    const struct room_sink sink = {.tell = on_tell, .close = on_close, .argument = ear};

    memset(ear, 0, sizeof *ear);
    ear->room = room_create(definition, &sink, NULL, NULL);
    assert_non_null(ear->room);
}

static struct proto_hello hello_of(const char *encoding, uint32_t rate)
{
    struct proto_hello hello = {.rate = rate, .encoding_count = 1};

    snprintf(hello.name, sizeof hello.name, "Ann");
    snprintf(hello.encodings[0], sizeof hello.encodings[0], "%s", encoding);
    return hello;
}

static room_member join(struct ear *ear, const struct proto_hello *hello)
{
    struct room_end refused = {0};
    room_member member = room_join(ear->room, hello, 1, 1000, &refused);

    frame_release(refused.frame);
    if (member != 0) {
        room_welcome(ear->room, member, 1000);
    }
    return member;
}

/* ---- tests ---- */

/* A client that replaces a member is welcomed, or the member stays. */
static void test_takeover(void **state)
{
    const struct room_definition definition = definition_of("");
    bool done = false;

    (void)state;
    for (unsigned n = 1; !done; n++) {
        struct proto_hello hello = hello_of("plain", 0);
        struct ear ear;
        make(&ear, &definition);
        room_member first = join(&ear, &hello);
        assert_true(first != 0 && ear.welcomed == first);
        hello = hello_of("packed", 7); /* another stream, which needs memory, too */
        hello.has_token = true;
        memcpy(hello.token, ear.token, sizeof hello.token);
        fail_at = n;
        room_member second = join(&ear, &hello);
        done = fail_at > 1;
        fail_at = 0;
        assert_true(ear.closed == 0 || (ear.closed == first && ear.welcomed == second));
        assert_true(second == 0 || (second != first && ear.closed == first));
        assert_int_equal(room_facts(ear.room).people, 1);
        assert_true(second != 0 || n < 10);
        room_destroy(ear.room);
    }
}

/* From join to leave: a lost message closes the client, and all memory is freed. */
static void test_all_of_it(void **state)
{
    static const char *const sets[][2] = {
        {"model", "boids"}, {"boundary", "wrap"}, {"preset", "billiards"}, {"run", "paused"}};
    const struct room_definition definition = definition_of("");
    const struct proto_hello hello = hello_of("packed", 0);
    bool done = false;
    unsigned tried = 0;

    (void)state;
    for (unsigned n = 1; !done; n++) {
        struct room_workspace *workspace = room_workspace_create(1);
        struct proto_client_message message = {.type = PROTO_ADD, .add = {1.0F, 1.0F, 500}};
        struct ear ear;
        assert_non_null(workspace);
        make(&ear, &definition);
        fail_at = n;
        room_member member = join(&ear, &hello);
        room_tick(ear.room, workspace, 2000);
        view_release(room_snapshot(ear.room, workspace, 2000));
        room_receive(ear.room, member, &message, 3000);
        for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
            message = (struct proto_client_message){.type = PROTO_SET};
            snprintf(message.set.name, sizeof message.set.name, "%s", sets[i][0]);
            snprintf(message.set.value, sizeof message.set.value, "%s", sets[i][1]);
            room_receive(ear.room, member, &message, 4000);
            room_tick(ear.room, workspace, 5000);
            view_release(room_snapshot(ear.room, workspace, 5000));
        }
        message =
            (struct proto_client_message){.type = PROTO_WANT, .want = {.rate = 7, .boids = 9}};
        room_receive(ear.room, member, &message, 6000);
        room_leave(ear.room, member, 7000);
        done = fail_at > 1;
        fail_at = 0;
        for (uint32_t i = 0; i < ear.lost_count && i < LOST_MAX; i++) {
            assert_true(ear.lost[i] == member);
        }
        assert_true(member == 0 || ear.welcomed == member || ear.closed == member);
        room_destroy(ear.room);
        room_workspace_destroy(workspace);
        tried = n;
    }
    assert_true(tried > 20);
}

/* A room is saved whole, or memory runs out. */
static void test_save(void **state)
{
    const struct room_definition definition = definition_of("");
    uint8_t *bytes = NULL;
    struct ear ear;
    size_t size;

    (void)state;
    make(&ear, &definition);
    for (unsigned n = 1; bytes == NULL; n++) {
        fail_at = n;
        bytes = room_save(ear.room, 1000, &size);
        fail_at = 0;
    }
    free(bytes);
    room_destroy(ear.room);
}

/* The longest possible welcome, over all models and presets. */
static void test_welcome_fits(void **state)
{
    const size_t wall = 1 + 4 * 5; /* bytes */
    char title[PROTO_TITLE_MAX + 1];

    (void)state;
    memset(title, 'x', PROTO_TITLE_MAX);
    title[PROTO_TITLE_MAX] = '\0';
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        struct room_definition definition = definition_of(title);
        struct proto_hello hello = hello_of("packed", 240);
        struct ear ear;
        flock_settings_choose(&definition.flock.settings, flock_models[i]);
        definition.instance = (UINT64_C(1) << 53) - 1;
        definition.capability_count = PROTO_CAPABILITIES_MAX;
        for (size_t k = 0; k < PROTO_CAPABILITIES_MAX; k++) {
            memset(definition.capabilities[k], 'c', PROTO_WORD_MAX);
        }
        memset(hello.name, 'n', PROTO_NAME_MAX);
        hello.name[PROTO_NAME_MAX] = '\0';
        make(&ear, &definition);
        assert_true(join(&ear, &hello) != 0);
        assert_in_range(ear.welcome_size, 1000, PROTO_STATE_MAX - PROTO_WALLS_MAX * wall - 64);
        room_destroy(ear.room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takeover),
        cmocka_unit_test(test_all_of_it),
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_welcome_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

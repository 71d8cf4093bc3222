/* welcome and room: the maps of a server, key by key. */
#include "server_message.h"

/* A key of a map and its encoded value. */
struct pair {
    const char *key;
    const char *value;
    size_t size;
};

static const struct pair room_pairs[] = {
    {"code", RAW("\xa5lobby")},
    {"title", RAW("\xa4Week")},
    {"instance", RAW("\xcf\x00\x1f\xff\xff\xff\xff\xff\xff")}, /* 2^53 - 1 */
    {"model", RAW("\xa5swarm")},
    {"boundary", RAW("\xa4open")},
    {"update", RAW("\xaasequential")},
    {"world", RAW("\x92\xcd\x02\x26\xcd\x01\x90")}, /* 550, 400 */
    {"quantum", RAW("\xca\x3d\x80\0\0")},           /* 0.0625 */
    {"tick_rate", RAW("\x3c")},
    {"snapshot_rate", RAW("\x1e")},
    {"policy", RAW("\xa4mean")},
    {"idle", RAW("\xa6wander")},
    {"cursor_timeout", RAW("\x0a")},
    {"people_max", RAW("\x64")},
    {"boids_max", RAW("\xcd\x03\xe8")},
    {"params", RAW("\x91\x97\xa1p\xa1u\x00\x01\x01\x01\xa1t")},
    {"controls", RAW("\x90")},
};
static const struct pair welcome_pairs[] = {
    {"version", RAW("\x01")},
    {"server", RAW("\xa6"
                   "flockd")},
    {"id", RAW("\x07")},
    {"token", RAW("\xc4\x10"
                  "0123456789abcdef")},
    {"name", RAW("\xa3"
                 "Ada")},
    {"color", RAW("\xce\x00\xff\x88\x00")},
    {"encoding", RAW("\xa5plain")},
    {"rate", RAW("\x1e")},
    {"boids", RAW("\x00")},
    {"stride", RAW("\x03")},
    {"time", RAW("\x00")},
    {"capabilities", RAW("\x91\xa6packed")},
};

static void put_pair(msgpack_packer *pk, struct packed *packed, const char *key, const char *value,
                     size_t size)
{
    msgpack_pack_str_with_body(pk, key, strlen(key));
    packed_append(packed, value, size);
}

/* Appends a map of these pairs with another value for `key`, or without the key if size is 0. key
 * NULL: appends the pairs unchanged. */
static void put_map(struct packed *packed, const struct pair *pairs, size_t count, size_t further,
                    const char *key, const char *value, size_t size)
{
    msgpack_packer pk;

    msgpack_packer_init(&pk, packed, packed_append);
    msgpack_pack_map(&pk, count + further - (key != NULL && size == 0));
    for (size_t i = 0; i < count; i++) {
        if (key == NULL || strcmp(pairs[i].key, key) != 0) {
            put_pair(&pk, packed, pairs[i].key, pairs[i].value, pairs[i].size);
        } else if (size > 0) {
            put_pair(&pk, packed, key, value, size);
        }
    }
}

static const struct packed *room_with(const char *key, const char *value, size_t size)
{
    static struct packed packed;

    packed.size = 0;
    packed_append(&packed, "\x92\x41", 2);
    put_map(&packed, room_pairs, ARRAY_LENGTH(room_pairs), 0, key, value, size);
    return &packed;
}

/* Packs a room with one more key. */
static const struct packed *room_and(const char *key, const char *value, size_t size)
{
    static struct packed packed;
    msgpack_packer pk;

    packed.size = 0;
    packed_append(&packed, "\x92\x41", 2);
    put_map(&packed, room_pairs, ARRAY_LENGTH(room_pairs), 1, NULL, NULL, 0);
    msgpack_packer_init(&pk, &packed, packed_append);
    put_pair(&pk, &packed, key, value, size);
    return &packed;
}

static const struct packed *room_with_controls(const char *value, size_t size)
{
    return room_with("controls", value, size);
}

static const struct packed *welcome_with(const char *key, const char *value, size_t size)
{
    static struct packed packed;
    msgpack_packer pk;

    packed.size = 0;
    packed_append(&packed, "\x92\x40", 2);
    put_map(&packed, welcome_pairs, ARRAY_LENGTH(welcome_pairs), 1, key, value, size);
    msgpack_packer_init(&pk, &packed, packed_append);
    msgpack_pack_str_with_body(&pk, "room", 4);
    put_map(&packed, room_pairs, ARRAY_LENGTH(room_pairs), 0, NULL, NULL, 0);
    return &packed;
}

static void every_key_is_needed(void **state)
{
    take(state, room_with(NULL, NULL, 0));
    assert_string_equal(message.room.code, "lobby");
    assert_string_equal(message.room.title, "Week");
    assert_true(message.room.instance == (UINT64_C(1) << 53) - 1);
    assert_true(message.room.cursor_timeout == 10.0f);
    assert_int_equal(message.room.people_max, 100);
    assert_int_equal(message.room.boids_max, 1000);
    assert_int_equal(message.room.period_x, 0); /* the key is optional */
    assert_int_equal(message.room.period_y, 0);
    assert_true(message.room.width == 550.0f && message.room.quantum == 0.0625f);
    assert_int_equal(message.room.param_count, 1);
    for (size_t i = 0; i < ARRAY_LENGTH(room_pairs); i++) {
        const char *key = room_pairs[i].key;
        refuse(state, PROTO_E_MALFORMED, key, room_with(key, NULL, 0));
        refuse(state, PROTO_E_MALFORMED, key, room_with(key, RAW("\xc0")));
    }
    take(state, welcome_with(NULL, NULL, 0));
    assert_string_equal(message.welcome.server, "flockd");
    assert_int_equal(message.welcome.room.tick_rate, 60);
    assert_true(message.welcome.stream.rate == 30.0f && message.welcome.stream.stride == 3);
    assert_false(message.welcome.stream.slow);
    assert_int_equal(message.welcome.capability_count, 1);
    assert_string_equal(message.welcome.capabilities[0], "packed");
    for (size_t i = 0; i < ARRAY_LENGTH(welcome_pairs); i++) {
        const char *key = welcome_pairs[i].key;
        refuse(state, PROTO_E_MALFORMED, key, welcome_with(key, NULL, 0));
        refuse(state, PROTO_E_MALFORMED, key, welcome_with(key, RAW("\xc0")));
    }
    refuse(state, PROTO_E_MALFORMED, "map", pack("Aun", 2, 65u));
    refuse(state, PROTO_E_MALFORMED, "map", pack("AuA", 2, 64u, 0));
}

static void keys_may_be_more_or_twice(void **state)
{
    struct packed packed = {.size = 0};

    /* an unknown key, a key that is no str, and a second title, which counts */
    packed_append(&packed, "\x92\x41", 2);
    put_map(&packed, room_pairs, ARRAY_LENGTH(room_pairs), 3, NULL, NULL, 0);
    packed_append(&packed, RAW("\xa5later\x91\x01\x07\xc0\xa5title\xa3new"));
    take(state, &packed);
    assert_string_equal(message.room.title, "new");
}

static void rooms_are_in_range(void **state)
{
    static const struct pair wrong[] = {
        {"world", RAW("\x92\x0f\x10")},
        {"world", RAW("\x92\x10\xce\x00\x01\x00\x01")},
        {"world", RAW("\x92\x10\xca\x7f\xc0\0\0")},
        {"quantum", RAW("\x00")},
        {"quantum", RAW("\xff")},
        {"quantum", RAW("\xca\x7f\x80\0\0")},
        {"quantum", RAW("\xcb\x00\x10\0\0\0\0\0\0")}, /* smaller than any float */
        {"tick_rate", RAW("\x00")},
        {"tick_rate", RAW("\xcc\xf1")},
        {"snapshot_rate", RAW("\x00")},
        {"snapshot_rate", RAW("\x3d")}, /* above tick_rate */
        {"instance", RAW("\xcf\x00\x20\0\0\0\0\0\0")},
        {"cursor_timeout", RAW("\x00")},
        {"people_max", RAW("\x00")},
        {"boids_max", RAW("\x00")},
        {"boids_max", RAW("\xcf\0\0\0\x01\0\0\0\0")},
        {"params", RAW("\x91\x97\xa1p\xa1u\x00\x01\xca\x7f\xc0\0\0\x01\xa1t")},
    };
    static const struct pair malformed[] = {
        {"world", RAW("\x91\x10")},
        {"params", RAW("\x91\xc0")},
        {"params", RAW("\x91\x96\xa1p\xa1u\x00\x01\x01\x01")},
        {"params", RAW("\x91\x97\xa1p\xa1u\x00\x01\x01\xc0\xa1t")},
        {"model", RAW("\xa2\xc3\x28")},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        const struct pair *w = &wrong[i];
        refuse(state, PROTO_E_RANGE, w->key, room_with(w->key, w->value, w->size));
    }
    refuse(state, PROTO_E_RANGE, "world", room_with("world", RAW("\x92\x0f\x10")));
    assert_string_equal(error.message, "expected a number from 16 to 65536, got 15");
    refuse(state, PROTO_E_RANGE, "quantum", room_with("quantum", RAW("\x00")));
    assert_string_equal(error.message, "expected a finite number above 0, got 0");
    for (size_t i = 0; i < ARRAY_LENGTH(malformed); i++) {
        const struct pair *m = &malformed[i];
        refuse(state, PROTO_E_MALFORMED, m->key, room_with(m->key, m->value, m->size));
    }
    take(state, room_with("world", RAW("\x93\x10\xce\x00\x01\x00\x00\xc0")));
    assert_true(message.room.width == 16.0f && message.room.height == 65536.0f);
    take(state, room_with("snapshot_rate", RAW("\x3c")));
    assert_int_equal(message.room.snapshot_rate, 60);
}

static void welcomes_are_in_range(void **state)
{
    static const struct pair wrong[] = {
        {"version", RAW("\x02")},         {"id", RAW("\xcf\0\0\0\x01\0\0\0\0")},
        {"color", RAW("\xce\x01\0\0\0")}, {"rate", RAW("\x00")},
        {"stride", RAW("\x00")},          {"boids", RAW("\xcf\0\0\0\x01\0\0\0\0")},
        {"token", RAW("\xc4\x01x")},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        const struct pair *w = &wrong[i];
        refuse(state, PROTO_E_RANGE, w->key, welcome_with(w->key, w->value, w->size));
    }
}

static void text_is_cut_and_cleaned(void **state)
{
    /* 15 letters and a character of two bytes: the 16 bytes of a word cannot hold it whole. */
    take(state, room_with("model", RAW("\xb1"
                                       "fifteen-letters\xc3\xab")));
    assert_string_equal(message.room.model, "fifteen-letters");
    take(state, room_with("model", RAW("\xb0"
                                       "fourteen-lette\xc3\xab")));
    assert_string_equal(message.room.model, "fourteen-lette\xc3\xab");
    // NOLINTNEXTLINE(misc-misleading-bidirectional)
    take(state, room_with("title", RAW("\xad"
                                       "a\x1b[2J\0b\xe2\x80\xae"
                                       "c\xc2\x85")));
    assert_string_equal(message.room.title, "a?[2J?b?c?");
}

/* Packs a welcome with one more key. */
static const struct packed *welcome_and(const char *key, const char *value, size_t size)
{
    static struct packed packed;
    msgpack_packer pk;

    packed = *welcome_with(NULL, NULL, 0);
    assert_int_equal(packed.bytes[2], 0x80 + ARRAY_LENGTH(welcome_pairs) + 1); /* fewer than 15 */
    packed.bytes[2]++;
    msgpack_packer_init(&pk, &packed, packed_append);
    put_pair(&pk, &packed, key, value, size);
    return &packed;
}

static enum proto_role role_of(void **state, const char *word)
{
    char str[33];

    str[0] = (char)(0xa0 | strlen(word));
    memcpy(str + 1, word, strlen(word));
    take(state, welcome_and("role", str, 1 + strlen(word)));
    return message.welcome.role;
}

static void an_unknown_role_is_a_viewer(void **state)
{
    assert_int_equal(role_of(state, "presenter"), PROTO_PRESENTER);
    assert_int_equal(role_of(state, "viewer"), PROTO_VIEWER);
    take(state, welcome_with(NULL, NULL, 0));
    assert_int_equal(message.welcome.role, PROTO_VIEWER);
    assert_int_equal(role_of(state, "a-role-of-a-later-version"), PROTO_VIEWER);
    assert_int_equal(role_of(state, ""), PROTO_VIEWER);
}

#define CONTROL                                                                                    \
    "\x94\xa5model\xa5swarm\x92\x92\xa5swarm\xa3one\x92\xa5"                                       \
    "boids\xa3two\xa4text"

static void controls_are_read(void **state)
{
    const struct proto_control *control = &message.room.controls[0];

    take(state, room_with(NULL, NULL, 0));
    assert_int_equal(message.room.control_count, 0);
    take(state, room_with_controls(RAW("\x91" CONTROL)));
    assert_int_equal(message.room.control_count, 1);
    assert_string_equal(control->name, "model");
    assert_string_equal(control->value, "swarm");
    assert_string_equal(control->text, "text");
    assert_int_equal(control->choice_count, 2);
    assert_string_equal(control->choices[1].value, "boids");
    assert_string_equal(control->choices[1].text, "two");

    /* none in force, no choices, further elements; a value and a text that are cut */
    take(state, room_with_controls(RAW("\x91\x96\xa5model\xa0\x90\xa0\xc0\x91\x01")));
    assert_int_equal(message.room.control_count, 1);
    assert_string_equal(control->value, "");
    assert_int_equal(control->choice_count, 0);
    take(state, room_with_controls(RAW("\x91\x94\xb1"
                                       "fifteen-letters\xc3\xab\xa0\x91\x93\xa1"
                                       "a\xa2\n\x1b\xc0\xa0")));
    assert_string_equal(control->name, "fifteen-letters");
    assert_string_equal(control->choices[0].text, "??");
    assert_false(control->choices[0].saved); /* a further element of another kind */
    take(state, room_with_controls(RAW("\x91\x94\xa1"
                                       "a\xa0\x92\x93\xa1"
                                       "b\xa0\xc3\x93\xa1"
                                       "c\xa0\xc2\xa0")));
    assert_true(control->choices[0].saved);
    assert_false(control->choices[1].saved);
    take(state, room_with_controls(RAW("\x90")));
    assert_int_equal(message.room.control_count, 0);
}

static void malformed_controls_are_refused(void **state)
{
    static const struct pair malformed[] = {
        {"controls", RAW("\xc0")},
        {"controls", RAW("\x81\xa1"
                         "a\xa1"
                         "b")},
        {"controls", RAW("\x91\xc0")},
        {"controls", RAW("\x91\x93\xa1"
                         "a\xa1"
                         "b\x90")},
        {"controls", RAW("\x91\x94\x01\xa1"
                         "b\x90\xa1t")},
        {"controls", RAW("\x91\x94\xa1"
                         "a\xc0\x90\xa1t")},
        {"controls", RAW("\x91\x94\xa1"
                         "a\xa1"
                         "b\xa1"
                         "c\xa1t")},
        {"controls", RAW("\x91\x94\xa1"
                         "a\xa1"
                         "b\x91\x91\xa1"
                         "c\xa1t")},
        {"controls", RAW("\x91\x94\xa1"
                         "a\xa1"
                         "b\x91\x92\xa1"
                         "c\x01\xa1t")},
    };

    for (size_t i = 0; i < ARRAY_LENGTH(malformed); i++) {
        refuse(state, PROTO_E_MALFORMED, "controls",
               room_with_controls(malformed[i].value, malformed[i].size));
    }
}

static void controls_are_cut_to_their_limits(void **state)
{
    struct packed controls = {.size = 0};

    packed_append(&controls, RAW("\xdc\x00\x11")); /* seventeen of them, each with 33 choices */
    for (int i = 0; i < 17; i++) {
        packed_append(&controls, RAW("\x94\xa1"
                                     "a\xa1"
                                     "b\xdc\x00\x21"));
        for (int j = 0; j < 33; j++) {
            packed_append(&controls, RAW("\x92\xa1"
                                         "c\xa1"
                                         "d"));
        }
        packed_append(&controls, RAW("\xa1t"));
    }
    take(state, room_with_controls((const char *)controls.bytes, controls.size));
    assert_int_equal(message.room.control_count, PROTO_CONTROLS_MAX);
    assert_int_equal(message.room.controls[11].choice_count, PROTO_CHOICES_MAX);
}

static void walls_are_read(void **state)
{
    struct packed walls = {.size = 0};

    take(state, room_with(NULL, NULL, 0));
    assert_int_equal(message.room.wall_count, 0);
    take(state, room_and("walls", RAW("\x91\x95\x01\xff\xca\x3f\0\0\0\x04\xc0")));
    assert_int_equal(message.room.wall_count, 1);
    assert_true(message.room.walls[0].x1 == 1.0f && message.room.walls[0].y1 == -1.0f);
    assert_true(message.room.walls[0].x2 == 0.5f && message.room.walls[0].y2 == 4.0f);
    refuse(state, PROTO_E_MALFORMED, "walls", room_and("walls", RAW("\xc0")));
    refuse(state, PROTO_E_MALFORMED, "walls", room_and("walls", RAW("\x91\x93\x01\x01\x01")));
    refuse(state, PROTO_E_MALFORMED, "walls",
           room_and("walls", RAW("\x91\x94\x01\x01\x01\xa1"
                                 "1")));
    refuse(state, PROTO_E_RANGE, "walls",
           room_and("walls", RAW("\x91\x94\x01\x01\x01\xca\x7f\x80\0\0")));
    packed_append(&walls, RAW("\xdc\x00\x42"));
    for (int i = 0; i < 66; i++) {
        packed_append(&walls, RAW("\x94\x01\x02\x03\x04"));
    }
    take(state, room_and("walls", (const char *)walls.bytes, walls.size));
    assert_int_equal(message.room.wall_count, PROTO_WALLS_MAX);
}

static void periods_are_read(void **state)
{
    take(state, room_and("period", RAW("\x92\xcd\x11\x30\xcd\x40\x00")));
    assert_int_equal(message.room.period_x, 4400);
    assert_int_equal(message.room.period_y, 16384);
    take(state, room_and("period", RAW("\x93\x01\x02\xc0")));
    assert_int_equal(message.room.period_y, 2);
    refuse(state, PROTO_E_RANGE, "period", room_and("period", RAW("\x92\x00\x02")));
    refuse(state, PROTO_E_RANGE, "period", room_and("period", RAW("\x92\x01\xcd\x40\x01")));
    refuse(state, PROTO_E_MALFORMED, "period", room_and("period", RAW("\x91\x01")));
    refuse(state, PROTO_E_MALFORMED, "period", room_and("period", RAW("\x92\x01\xc0")));
    refuse(state, PROTO_E_MALFORMED, "period", room_and("period", RAW("\xc0")));
}

static void capabilities_are_cut_to_their_limits(void **state)
{
    take(state, welcome_with("capabilities", RAW("\x90")));
    assert_int_equal(message.welcome.capability_count, 0);
    take(state, welcome_with("capabilities", RAW("\x99\xa1"
                                                 "a\xb1"
                                                 "seventeen-letters\xa0\xa0\xa0\xa0\xa0\xa0\xa0")));
    assert_int_equal(message.welcome.capability_count, PROTO_CAPABILITIES_MAX);
    assert_string_equal(message.welcome.capabilities[0], "a");
    assert_string_equal(message.welcome.capabilities[1], "seventeen-letter");
    refuse(state, PROTO_E_MALFORMED, "capabilities", welcome_with("capabilities", RAW("\x91\x01")));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_key_is_needed),
        TEST(keys_may_be_more_or_twice),
        TEST(rooms_are_in_range),
        TEST(welcomes_are_in_range),
        TEST(text_is_cut_and_cleaned),
        TEST(an_unknown_role_is_a_viewer),
        TEST(controls_are_read),
        TEST(malformed_controls_are_refused),
        TEST(controls_are_cut_to_their_limits),
        TEST(walls_are_read),
        TEST(periods_are_read),
        TEST(capabilities_are_cut_to_their_limits),
    };
#undef TEST
    return cmocka_run_group_tests_name("protocol, welcome and room", tests, NULL, NULL);
}

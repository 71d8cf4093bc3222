/* The file of a recording is read in pieces, without a second copy of the past. A room does not
 * discard parts that a download holds, and takes no memory beyond its limit. */
#include "past/recording_file.h"

#include "room/workspace.h"
#include "room_life.h"

#include "past/history_budget.h"
#include "past/history_parts.h"
#include "room/state.h"

#define S UINT64_C(1000000)

enum { ROUNDS = 2000, PARTS = 6, LARGEST = 3000 };

static struct room_definition definition_of(struct history_budget *budget)
{
    struct room_definition definition = room_definition_default();

    definition.flock.boids = 300;
    definition.cursor_timeout = 1 * S;
    definition.rewind = 600 * S;
    definition.history_budget = budget;
    return definition;
}

static uint32_t count_parts(const struct life *life)
{
    uint32_t count = 0;

    for (const struct list_item *item = life->room->history->parts.first; item != NULL;
         item = item->next) {
        count++;
    }
    return count;
}

static void pieces_of_any_size_are_the_file(void **state)
{
    struct life life = {.now = S, .random = 1, .people = 8};
    struct room_workspace *workspace = room_workspace_create(1);
    struct room_definition definition = definition_of(NULL);
    char problem[256] = "";
    uint8_t piece[LARGEST];
    size_t size;
    size_t at = 0;

    (void)state;
    life_begin(&life, &definition);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        life_round(&life, workspace);
    }
    struct recording *held = room_hold_past(life.room);
    uint8_t *bytes = recording_write(held, true, &size);
    struct recording_file *file = recording_file_create(held, true);
    assert_non_null(file);
    assert_true(held->count > 2);
    assert_int_equal(recording_file_size(file), size);
    for (size_t next = 1; at < size; at += next, next = next % LARGEST + 1) {
        next = next < size - at ? next : size - at;
        recording_file_read(file, at, piece, next);
        assert_memory_equal(piece, bytes + at, next);
    }
    struct recording *read = recording_read(bytes, size, problem, sizeof problem);
    assert_string_equal(problem, ""); /* its checksum is right */
    assert_int_equal(read->count, held->count);
    recording_destroy(read);
    recording_file_destroy(file);
    recording_destroy(held);
    free(bytes);
    life_end(&life);
    room_workspace_destroy(workspace);
}

static uint64_t first_round(const struct life *life)
{
    return part_of(life->room->history->parts.first)->part.round;
}

static uint64_t last_round(const struct life *life)
{
    const struct part *part = part_of(life->room->history->parts.last);

    return part->part.round + part->part.rounds;
}

/* Lets the room tick. All its memory except that beside its past stays within its limit. */
static void live_on(struct life *life, struct room_workspace *workspace,
                    const struct history_budget *budget)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        life_round(life, workspace);
        assert_true(atomic_load(&budget->bytes) + atomic_load(&budget->lent) <= budget->bytes_max);
    }
}

/* A room at its limit takes no more memory while a download reads its oldest part: its past does
 * not grow, and grows again afterwards. */
static void a_download_takes_no_memory_beyond_the_limit(void **state)
{
    struct life life = {.now = S, .random = 1, .people = 8};
    struct room_workspace *workspace = room_workspace_create(1);
    struct history_budget *all = history_budget_create(UINT64_C(1) << 40);
    struct history_budget *creator = history_budget_below(all, 0, true);
    struct history_budget *budget = history_budget_below(creator, UINT64_C(1) << 40, false);
    struct room_definition definition = definition_of(budget);

    (void)state;
    life_begin(&life, &definition);
    while (count_parts(&life) < PARTS) {
        life_round(&life, workspace);
    }
    struct recording *held = room_hold_past(life.room);
    const uint64_t copied = atomic_load(&budget->lent);
    assert_true(copied > held->parts[held->count - 1].input_size); /* the open part */
    assert_int_equal(atomic_load(&creator->lent), copied);
    assert_int_equal(atomic_load(&all->lent), copied);
    budget->bytes_max = history_budget_used(budget);
    assert_null(history_budget_lent_option(budget));
    live_on(&life, workspace, budget);
    assert_int_equal(first_round(&life), held->parts[0].round);
    const uint64_t end = last_round(&life);
    recording_destroy(held);
    assert_int_equal(atomic_load(&all->lent), 0);
    assert_int_equal(atomic_load(&budget->lent), 0);
    assert_null(history_budget_lent_option(budget));
    live_on(&life, workspace, budget);
    assert_true(last_round(&life) > end + ROUNDS / 2);
    life_end(&life);
    assert_int_equal(atomic_load(&all->bytes), 0);
    assert_int_equal(atomic_load(&all->beside), 0);
    history_budget_release(budget);
    history_budget_release(creator);
    history_budget_release(all);
    room_workspace_destroy(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size_are_the_file),
        cmocka_unit_test(a_download_takes_no_memory_beyond_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Runs flock-sim with --sweep. */
#include "flock_sim_run.h"

#include <math.h>

/* A sweep's row has the mean and the standard error of what --measures writes. */
static void test_a_sweep_has_the_means_of_the_measures(void **state)
{
    (void)state;
    static const char flock[] = "--model boids --boids 50 --set noise=0.5 --every 5";
    char command[256];
    double m[8];
    double row[14];
    double mean = 0.0;
    double square = 0.0;
    snprintf(command, sizeof command, "%s --ticks 70 --measures", flock);
    struct result plain = run(command);
    for (int tick = 25; tick <= 70; tick += 5) { /* ten samples, each a batch of its own */
        char head[16];
        snprintf(head, sizeof head, "\n%d,", tick);
        numbers(strstr(plain.output, head) + strlen(head) - 1, m, 8);
        mean += m[0] / 10.0;
        square += m[0] * m[0] / 10.0;
    }
    snprintf(command, sizeof command, "%s --warm-up 20 --ticks 50 --sweep noise=0.5:2:4", flock);
    struct result swept = run(command);
    assert_int_equal(swept.status, 0);
    assert_ptr_equal(strstr(swept.output, "value,samples,polarization,polarization_error,milling,"),
                     swept.output);
    const char *line = strchr(swept.output, '\n');
    for (int step = 0; step < 4; step++, line = strchr(line + 1, '\n')) {
        assert_non_null(line);
        numbers(line, row, 14);
        assert_true(row[0] == 0.5 * (step + 1) && row[1] == 10.0);
        if (step == 0) {
            assert_true(fabs(row[2] - mean) < 1e-6);
            assert_true(fabs(row[3] - sqrt((square - mean * mean) / 9.0)) < 1e-6);
        }
    }
    assert_string_equal(line, "\n");
}

static void test_a_saved_flock_has_the_value_before_the_sweep(void **state)
{
    (void)state;
    static char saved[2][1 << 14];
    run("--model boids --set noise=0.5 --ticks 2 --warm-up 0 --sweep noise=0.5:0.7:2 --save swept");
    run("--model boids --set noise=0.7 --ticks 2 --warm-up 0 --sweep noise=0.5:0.7:2 --save other");
    const size_t size = read_file("swept", saved[0], sizeof saved[0]);
    assert_int_equal(read_file("other", saved[1], sizeof saved[1]), size);
    assert_non_null(memmem(saved[0], size, "\xa5noise\xca\x3f\x00\x00\x00", 11)); /* 0.5 */
    assert_non_null(memmem(saved[1], size, "\xa5noise\xca\x3f\x33\x33\x33", 11)); /* 0.7 */
}

static void test_bad_sweeps_are_refused(void **state)
{
    (void)state;
    refused("--sweep noise", "--sweep: 'noise' is not NAME=FROM:TO:STEPS");
    refused("--sweep =0:1:3", "--sweep");
    refused("--sweep noise=0:1", "--sweep");
    refused("--sweep noise=0:1:1", "2 to 64 steps");
    refused("--sweep noise=0:1:65", "2 to 64 steps");
    refused("--sweep noise=0:1:2.5", "2 to 64 steps");
    refused("--sweep noise=1:1:3", "two different values");
    refused("--sweep noise=nan:1:3", "--sweep");
    refused("--sweep noise=0:inf:3", "--sweep");
    refused("--sweep nose=0:1:3 --output out.csv", "the model swarm has no parameter nose");
    refused("--sweep noise=-1:1:3 --output out.csv", "noise: expected 0 to 360, not -1");
    refused("--model birds --sweep min_speed=0:50:3",
            "min_speed: expected at most max_speed, which is 3, not 50");
    assert_false(exists("out.csv"));
    refused("--sweep noise=0:1:3 --ticks 9 --every 5",
            "expected --ticks of at least twice --every");
    refused("--sweep noise=0:1:3 --measures", "--sweep: cannot be combined with");
    refused("--sweep noise=0:1:3 --bench", "--sweep: cannot be combined with");
    refused("--replay a --sweep noise=0:1:3", "--replay");
    refused("--warm-up 5", "--warm-up: only valid with --sweep");
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const files[] = {"swept", "other", NULL};
    return remove_files(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sweep_has_the_means_of_the_measures),
        cmocka_unit_test(test_a_saved_flock_has_the_value_before_the_sweep),
        cmocka_unit_test(test_bad_sweeps_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

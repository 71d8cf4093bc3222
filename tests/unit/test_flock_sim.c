/* Runs the program flock-sim that was built with this test. */
#include "flock_sim_run.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>

static void write_file(const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_writes_blocks_of_boids(void **state)
{
    (void)state;
    struct result result = run("--boids 3 --ticks 5 --every 2");
    assert_int_equal(result.status, 0);
    const char *at = result.output;
    assert_memory_equal(at, "tick,id,x,y,vx,vy\n", 18);
    for (int row = 0; row < 9; row++) {
        double row_of[6];
        int block = row / 3;
        at = strchr(at, '\n');
        numbers(at++, row_of, 6);
        assert_true(row_of[0] == 2.0 * block && row_of[1] == row % 3);
    }
    assert_string_equal(strchr(at, '\n'), "\n");
}

static void test_same_seed_same_output(void **state)
{
    (void)state;
    const char *command = "--model birds --boids 50 --ticks 20 --every 20 --seed ";
    char one[128];
    char two[128];
    snprintf(one, sizeof one, "%s7", command);
    snprintf(two, sizeof two, "%s8", command);
    assert_string_equal(run(one).output, run(one).output);
    assert_string_not_equal(run(one).output, run(two).output);
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    const char *command = "--model boids --boids 3000 --ticks 3 --measures --threads ";
    char one[128];
    char many[128];
    snprintf(one, sizeof one, "%s1", command);
    snprintf(many, sizeof many, "%s5", command);
    struct result result = run(one);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.output, run(many).output);
    refused("--threads 0", "--threads: '0' is not a whole number in 1-64");
    refused("--threads 65", "--threads: '65' is not a whole number in 1-64");
}

/* Reads the rows of the last tick: x, y, vx, vy of each boid. */
static void last_rows(const struct result *result, int boids, double rows[][4])
{
    const char *at = result->output + strlen(result->output);
    for (int row = boids; row > 0; row--) {
        for (at--; at[-1] != '\n';) {
            at--;
        }
        double id;
        numbers(strchr(at, ','), &id, 1);
        assert_true(id == row - 1);
        numbers(strchr(strchr(at, ',') + 1, ','), rows[row - 1], 4);
    }
}

static void test_seeds_have_53_bits(void **state)
{
    (void)state;
    const char *command = "--boids 50 --ticks 0 --seed ";
    char one[128];
    char two[128];
    snprintf(one, sizeof one, "%s9007199254740992", command);
    snprintf(two, sizeof two, "%s0", command);
    assert_int_equal(run(one).status, 0);
    assert_string_not_equal(run(one).output, run(two).output);
}

/* Options override the preset, and the last value of a parameter counts. */
static void test_presets_and_settings(void **state)
{
    (void)state;
    const char *const same[][2] = {
        {"--preset march --boids 30 --ticks 9", "--preset march --ticks 9 --boids 20 --boids=30"},
        {"--set inertia=2,cohesion_min=0.1 --set inertia=0.5 --ticks 9",
         "--set cohesion_min=1e-1 --set inertia=+.5 --ticks 9"},
        {"--preset bees --set inertia=0.5 --boids 30 --ticks 9",
         "--set inertia=0.5 --preset bees --boids 30 --ticks 9"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct result one = run(same[i][0]);
        assert_int_equal(one.status, 0);
        assert_string_equal(one.output, run(same[i][1]).output);
    }
    assert_string_not_equal(run("--ticks 9").output, run("--set inertia=0.5 --ticks 9").output);
    assert_string_not_equal(run("--preset bees --boids 30 --ticks 9").output,
                            run(same[2][0]).output);
}

static void test_help_table_has_what_each_option_takes(void **state)
{
    (void)state;
    struct result table = run("--help-table");
    assert_int_equal(table.status, 0);
    assert_non_null(strstr(table.output, "\n| `--boids N` |  | 1-1000000 |  |"));
    assert_non_null(strstr(table.output, "\n| `--target X,Y` |  | X,Y, each from -1000000 to"));
    assert_non_null(strstr(table.output, "\n| `--lanes N` |  | 4, 8, 16 |  |"));
    assert_non_null(strstr(table.output, "\n| `--bench` |  |  |  |"));
}

static void test_reference_agrees(void **state)
{
    (void)state;
    const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    for (int i = 0; i < 5; i++) {
        char command[256];
        double rows[2][40][4];
        for (int engine = 0; engine < 2; engine++) {
            snprintf(command, sizeof command, "--model %s --boids 40 --ticks 1 --engine %s",
                     models[i], engine ? "reference" : "auto");
            struct result result = run(command);
            assert_int_equal(result.status, 0);
            last_rows(&result, 40, rows[engine]);
        }
        for (int k = 0; k < 160; k++) {
            assert_true(fabs(rows[0][k / 4][k % 4] - rows[1][k / 4][k % 4]) < 1e-3);
        }
    }
}

static void test_reads_boids(void **state)
{
    (void)state;
    write_file("two.csv", "x,y,vx,vy\n10,20,3,4\r\n1e2,30.5,-1,0.25");
    struct result result = run("--model boids --init two.csv --ticks 0");
    assert_string_equal(result.output, "tick,id,x,y,vx,vy\n0,0,10,20,3,4\n0,1,100,30.5,-1,0.25\n");
    /* Two boids at a distance of 10, with separation distances of 30 and 20 and no other rules. */
    write_file("own.csv", "x,y,vx,vy,separation,alignment,cohesion\n0,0,0,0,30,0.1,0\n"
                          "10,0,0,0,20,0.1,0\n");
    result = run("--set cohesion_min=0 --init own.csv --ticks 1");
    assert_non_null(strstr(result.output, "\n1,0,-5,0,-5,0\n1,1,12.5,0,2.5,0\n"));
}

/* A run that stopped continues as if it had not stopped. */
static void test_a_run_continues_where_it_stopped(void **state)
{
    static char whole[1 << 16];
    (void)state;
    const char *flock = "--preset sheep --boids 9 --seed 5 --target 300,200";
    char line[200];
    snprintf(line, sizeof line, "%s --ticks 60 --every 60", flock);
    struct result result = run(line);
    snprintf(whole, sizeof whole, "%s", strstr(result.output, "\n60,"));
    snprintf(line, sizeof line, "%s --ticks 25 --save half.flock", flock);
    assert_int_equal(run(line).status, 0);
    result = run("--load half.flock --target 300,200 --ticks 35 --every 35 --threads 2 --lanes 4");
    const char *rest = strstr(result.output, "\n35,");
    assert_non_null(rest);
    for (const char *row = whole; (row = strstr(row, "\n60,")) != NULL; row += 4) {
        const char *other = strstr(rest, "\n35,");
        assert_non_null(other);
        size_t length = strcspn(row + 4, "\n");
        assert_memory_equal(row + 4, other + 4, length);
        rest = other + 4;
    }
    assert_null(strstr(rest, "\n35,"));
    /* It can be saved over and over. */
    assert_int_equal(run("--load half.flock --ticks 0 --save half.flock").status, 0);
    assert_int_equal(run("--load half.flock --ticks 0").status, 0);
}

static void test_measures(void **state)
{
    (void)state;
    write_file("ring.csv", "x,y,vx,vy\n110,100,0,2\n100,110,-2,0\n90,100,0,-2\n100,90,2,0\n");
    struct result result =
        run("--model boids --boundary open --init ring.csv --ticks 0 --measures");
    double m[8];
    assert_non_null(strstr(result.output, ",nearest,clusters\n"));
    numbers(strchr(strchr(result.output, '\n'), ','), m, 8);
    const double wanted[] = {0.0, 1.0, 100.0, 100.0, 10.0, 2.0, sqrt(200.0), 1.0};
    for (int i = 0; i < 8; i++) {
        assert_true(fabs(m[i] - wanted[i]) < 1e-4);
    }
    /* A boid alone is where the centroid is, and goes round nothing. */
    for (int seed = 1; seed <= 20; seed++) {
        char command[128];
        snprintf(command, sizeof command,
                 "--boids 1 --boundary wrap --ticks 0 --measures --seed %d", seed);
        result = run(command);
        numbers(strchr(strchr(result.output, '\n'), ','), m, 7);
        assert_true(fabs(m[0] - 1.0) < 1e-5 && m[1] == 0.0);
        assert_true(m[4] < 1e-3);
    }
}

/* A room without active cursors leads its flock on a path with periods of 23 s and 31 s. */
static void test_a_swarm_follows_the_wandering_target(void **state)
{
    (void)state;
    const double seconds = 598.0 / 30.0;
    double x = 550.0 * (0.5 + 0.3 * sin(2.0 * 3.14159265358979 * seconds / 23.0));
    double y = 400.0 * (0.5 + 0.3 * sin(2.0 * 3.14159265358979 * seconds / 31.0 + 1.0));
    double centroid[2];
    static const char *const engines[] = {"auto", "reference"};
    for (size_t i = 0; i < 2; i++) {
        char line[128];
        double sum[3] = {0};
        snprintf(line, sizeof line,
                 "--preset original --wander --ticks 600 --every 600 --engine %s", engines[i]);
        struct result result = run(line);
        assert_int_equal(result.status, 0);
        const char *row = strstr(result.output, "\n600,");
        while (row != NULL && strncmp(row, "\n600,", 5) == 0) {
            double place[3]; /* the boid's number, x, y */
            numbers(row + 4, place, 3);
            sum[0] += place[1];
            sum[1] += place[2];
            sum[2]++;
            row = strchr(row + 1, '\n');
        }
        assert_int_equal((int)sum[2], 12);
        centroid[0] = sum[0] / 12.0;
        centroid[1] = sum[1] / 12.0;
        assert_true(hypot(centroid[0] - x, centroid[1] - y) < 60.0);
    }
}

static void test_bench_names_its_terms(void **state)
{
    (void)state;
    struct result result = run("--model boids --boids 500 --neighbours 20 --bench --ticks 4");
    assert_int_equal(result.status, 0);
    double k;
    const char *at = strstr(result.output, " k=");
    assert_non_null(at);
    numbers(at + 2, &k, 1);
    assert_true(k > 15.0 && k < 25.0);
    assert_non_null(strstr(result.output, "ns/boid/tick"));
}

static void assert_same_files(const char *one, const char *other)
{
    static char bytes[2][1 << 14];
    size_t length = read_file(one, bytes[0], sizeof bytes[0]);

    assert_in_range(length, 1, sizeof bytes[0] - 1);
    assert_int_equal(read_file(other, bytes[1], sizeof bytes[1]), length);
    assert_memory_equal(bytes[0], bytes[1], length);
}

/* Boids gather at the food or flee from the hunter, in both engines. A saved flock has both. */
static void test_food_and_hunters(void **state)
{
    const char *const common = "--model boids --boids 20 --ticks 10 --every 10";
    const char *const with = "--food 200,200 --food 300,100,7 --hunter 250,250";
    static struct result without;
    static struct result other;
    char line[400];

    (void)state;
    without = run(common);
    for (int engine = 0; engine < 2; engine++) {
        const char *name = engine == 0 ? "auto" : "reference";
        snprintf(line, sizeof line, "%s --engine %s --food 200,200", common, name);
        other = run(line);
        assert_int_equal(other.status, 0);
        assert_string_not_equal(other.output, without.output);
        snprintf(line, sizeof line, "%s --engine %s --hunter 250,250", common, name);
        other = run(line);
        assert_int_equal(other.status, 0);
        assert_string_not_equal(other.output, without.output);
    }
    snprintf(line, sizeof line, "%s %s --save half.flock --output half.csv", common, with);
    assert_int_equal(run(line).status, 0);
    assert_int_equal(run("--load half.flock --ticks 10 --save loaded.flock --output a.csv").status,
                     0);
    snprintf(line, sizeof line,
             "--model boids --boids 20 --ticks 20 %s --save whole.flock --output b.csv", with);
    assert_int_equal(run(line).status, 0);
    assert_same_files("loaded.flock", "whole.flock");
}

static void test_bad_options_are_refused(void **state)
{
    (void)state;
    refused("--model bird", "--model: 'bird' is not one of swarm|boids|vision|birds|steering;");
    refused("--boids 0", "--boids: '0' is not a whole number in 1-1000000;");
    refused("--boids 1.5", "1.5");
    refused("--boids 1e3", "--boids: '1e3' is not a whole number");
    refused("--boids 1000001", "1-1000000");
    refused("--seed -1", "--seed");
    refused("--seed 9007199254740993", "0-9007199254740992");
    refused("--neighbours 0x10", "--neighbours: '0x10' is not a number in 0.001-1000000");
    refused("--ticks 1000000001", "0-1000000000");
    refused("--world 550", "--world: '550' is not WxH, each 16-65536;");
    refused("--world 550x8", "each 16-65536");
    refused("--world nanx400", "--world");
    refused("--boundary torus", "is not one of open|wrap|walls");
    refused("--set inertia", "--set: 'inertia' is not KEY=VALUE");
    refused("--set speed=3", "--set: 'speed=3': the model swarm has no such parameter; it has");
    refused("--set inertia=4", "--set: 'inertia=4': expected a number from 0 to 3");
    refused("--set inertia=1,inertia=", "--set: 'inertia=': expected a number");
    refused("--wall 1,2,3,4", "--boundary walls");
    refused("--boundary walls --wall 1,2,1,2", "two different points");
    refused("--food 1", "--food: '1' is not X,Y or X,Y,AMOUNT");
    refused("--food 1,2,0", "an amount of 1 to 1000000 units");
    refused("--food 1,2,1.5", "--food: '1,2,1.5'");
    refused("--food 1,2000000", "--food");
    refused("--hunter 1,2,3", "--hunter: '1,2,3' is not X,Y");
    refused("--hunter nan,2", "--hunter");
    refused("--replay a --food 1,1", "--replay");
    refused("--load a --hunter 1,1", "--load: cannot be combined with other options of the flock");
    refused("--target 1", "--target: '1' is not X,Y, each from -1000000 to 1000000");
    refused("--target inf,0", "--target");
    refused("--wander --target 1,1", "--wander: cannot be combined with --target");
    refused("--replay a --wander", "--replay");
    refused("--ticks 1e99", "--ticks");
    refused("--every 0", "--every");
    refused("--engine fast", "auto|reference");
    refused("--neighbours 1e-3 --boids 1000000", "--neighbours");
    refused("--neighbours 5 --world 100x100",
            "--neighbours: cannot be combined with --world or --init");
    refused("--lanes 5", "--lanes: '5' is not one of 4|8|16");
    refused("--bench --ticks 0 --output out.csv", "--bench: expected --ticks of at least 1");
    assert_false(exists("out.csv"));
    refused("--model bi\nrds", "'bi\\u000ards' is not");
    refused("--set in\nertia=1", "'in\\u000aertia=1'");
    refused("stray", "expected options only, got 'stray'");
    refused("--neigh 5", "unknown option '--neigh'");
    refused("--init", "--init: a value is missing");
    refused("--bench=1", "--bench takes no value");
    refused("--preset bees --model boids",
            "--preset: cannot be combined with --model, --init or --wall");
    refused("--output no/such/folder/file", "--output");
}

static void test_bad_files_are_refused(void **state)
{
    (void)state;
    const char *const bad[][3] = {
        {"", "bad.csv:1:1", "the header x,y,vx,vy"},
        {"x,y,vx,vy\n", "bad.csv:2:1", "at least one boid"},
        {"x,y,v,vy\n1,2,3,4\n", "bad.csv:1:5", "the column vx"},
        {"x,y,vx\n1,2,3\n", "bad.csv:1:7", "a comma and the column vy"},
        {"x,y,vx,vy,separation\n", "bad.csv:1:21", "a comma and the column alignment"},
        {"x,y,vx,vy\n1,2,3,4\n1,2,x,4\n", "bad.csv:3:5", "vx, a number"},
        {"x,y,vx,vy\n1,2,3\n", "bad.csv:2:6", "a comma after vx"},
        {"x,y,vx,vy\n1,2,3,4,5\n", "bad.csv:2:8", "the end of the line after vy"},
        {"x,y,vx,vy\n1,nan,3,4\n", "bad.csv:2:3", "y, a number"},
        {"x,y,vx,vy\n1,2e6,3,4\n", "bad.csv:2:3", "from -1e+06 to 1e+06"},
        {"x,y,vx,vy\n\n", "bad.csv:2:1", "x, a number"},
        {"x,y,vx,vy\n1,2,3,4\r5\n", "bad.csv:2:8", "the end of the line after vy"},
        {"x,y,vx,vy,separation,alignment,cohesion\n1,2,3,4,31,0.1,0.4\n", "bad.csv:2:9",
         "separation, a number from 20 to 30"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file("bad.csv", bad[i][0]);
        refused("--init bad.csv --output out.csv", bad[i][1]);
        refused("--init bad.csv --output out.csv", bad[i][2]);
        assert_false(exists("out.csv"));
    }
    refused("--init none.csv", "none.csv: No such file");
    refused("--load none.flock", "--load: none.flock: No such file");
    refused("--load bad.csv", "--load: bad.csv: not a file of flockd");
    refused("--load bad.csv --boids 4", "--load: cannot be combined with other options");
    refused("--load bad.csv --update sequential", "--load: cannot be combined with other options");
    refused("--save ./none/x.flock", "--save: ./none/x.flock: No such file");
    refused("--save x.flock --engine reference",
            "--save: cannot be combined with --engine reference");
    refused("--init .", "Is a directory");
    refused("--init bad.csv --boids 4", "--init");
    write_file("bad.csv", "x,y,vx,vy,separation,alignment,cohesion\n");
    refused("--model boids --init bad.csv", "bad.csv:1:11");
}

/* A last line that ends with the file: what is behind its zero byte must not go unseen. */
static void test_zero_bytes_are_refused(void **state)
{
    (void)state;
    static const char text[] = "x,y,vx,vy\n1,2,3,4\0,5";
    char path[600];
    snprintf(path, sizeof path, "%s/bad.csv", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, sizeof text - 1, file), sizeof text - 1);
    assert_int_equal(fclose(file), 0);
    refused("--init bad.csv", "bad.csv:2:8: expected text, not a zero byte");
}

/* Run from the repository's root. */
static void test_manual_has_the_options_of_help(void **state)
{
    (void)state;
    static char manual[1 << 15];
    FILE *file = fopen("docs/flock-sim.1", "r");
    assert_non_null(file);
    assert_true(fread(manual, 1, sizeof manual - 1, file) > 1000);
    fclose(file);
    struct result help = run("--help");
    char *at = manual;
    int options = 0;
    for (char *line = help.output; (line = strstr(line, "\n  --")) != NULL; line++) {
        char name[32];
        char value[32];
        char heading[96];
        assert_int_equal(sscanf(line, " --%31s %31s", name, value), 2);
        bool valued = line[strlen("\n  -- ") + strlen(name)] != ' ';
        snprintf(heading, sizeof heading, "\n.It Fl -%s%s%s\n", name, valued ? " Ar " : "",
                 valued ? value : "");
        at = strstr(at, heading);
        if (at == NULL) {
            fail_msg("docs/flock-sim.1 lacks, at its place: %s", heading);
            return;
        }
        options++;
    }
    for (at = manual; (at = strstr(at, "\n.It Fl -")) != NULL; at++) {
        options--;
    }
    assert_int_equal(options, 0);
}

/* Starts flock-sim, and waits for the first bytes of its output in *end. */
static pid_t start_endless(int *end, char *const words[])
{
    int ends[2];
    char first;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(program, words);
        _exit(127);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &first, 1), 1);
    assert_int_equal(first, 't');
    *end = ends[0];
    return child;
}

/* Reads to the end. Returns the number of lines; *whole: the last line is complete. */
static unsigned long count_lines(int end, bool *whole)
{
    static char bytes[1 << 16];
    unsigned long lines = 0;
    ssize_t got;
    *whole = false;
    while ((got = read(end, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            lines += bytes[i] == '\n';
        }
        *whole = bytes[got - 1] == '\n';
    }
    return lines;
}

static void test_an_end_leaves_whole_rows(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
    char *const words[] = {program, "--boids", "7", "--ticks", "1000000000", NULL};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        int end;
        int status;
        bool whole;
        pid_t child = start_endless(&end, words);
        kill(child, signals[i]);
        unsigned long lines = count_lines(end, &whole);
        close(end);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        if (signals[i] != SIGKILL) {
            assert_true(whole);
            assert_int_equal((lines - 1) % 7, 0); /* without the header: whole ticks */
        }
    }
}

/* Each write of the buffer has whole rows. The test stops the program before the kill, because a
 * kill could cut a write in the kernel. */
static void test_a_kill_leaves_whole_rows(void **state)
{
    (void)state;
    char path[600];
    struct stat found = {0};
    int status;
    snprintf(path, sizeof path, "%s/killed.csv", folder);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(program, program, "--boids", "7", "--ticks", "1000000000", "--output", path, NULL);
        _exit(127);
    }
    for (int i = 0; i < 60000 && (stat(path, &found) != 0 || found.st_size < 200000); i++) {
        usleep(1000);
    }
    kill(child, SIGSTOP);
    assert_int_equal(waitpid(child, &status, WUNTRACED), child);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    assert_int_equal(fgetc(file), '\n');
    fclose(file);
    unlink(path);
    assert_true(found.st_size >= 200000);
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const files[] = {"two.csv",      "own.csv",     "ring.csv", "bad.csv",
                                        "half.flock",   "half.csv",    "a.csv",    "b.csv",
                                        "loaded.flock", "whole.flock", NULL};
    return remove_files(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_blocks_of_boids),
        cmocka_unit_test(test_same_seed_same_output),
        cmocka_unit_test(test_seeds_have_53_bits),
        cmocka_unit_test(test_presets_and_settings),
        cmocka_unit_test(test_help_table_has_what_each_option_takes),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_reference_agrees),
        cmocka_unit_test(test_reads_boids),
        cmocka_unit_test(test_a_run_continues_where_it_stopped),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_a_swarm_follows_the_wandering_target),
        cmocka_unit_test(test_bench_names_its_terms),
        cmocka_unit_test(test_an_end_leaves_whole_rows),
        cmocka_unit_test(test_a_kill_leaves_whole_rows),
        cmocka_unit_test(test_food_and_hunters),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_bad_files_are_refused),
        cmocka_unit_test(test_zero_bytes_are_refused),
        cmocka_unit_test(test_manual_has_the_options_of_help),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

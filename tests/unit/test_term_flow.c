/* Frames on their way to a terminal: the time from a key to the screen on lines of several speeds,
 * in simulated time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/flow.h"

#include <math.h>

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)
#define TICK   (16 * MS)

enum { FRAMES = 4096, PIPE = 65536 /* bytes that ssh takes without a wait */ };

/* A line that delivers `rate` bytes a second after `delay`, and answers on the way back. */
struct line {
    double rate;
    int64_t delay;
    int64_t free_at; /* when all bytes have left */
    int sent, answered;
    int64_t arrives[FRAMES]; /* of answers, in order */
};

struct run {
    struct term_flow flow;
    struct line line;
    int frames;
    int64_t key_at; /* the earliest key that no frame shows yet */
    int64_t latest; /* the longest time from a key to the end of the frame that shows its effect */
    int64_t pause;  /* the longest time between two frames, µs */
};

static bool takes_more(const struct line *line, int64_t now)
{
    return line->free_at <= now || (double)(line->free_at - now) * line->rate / 1e6 < PIPE;
}

static void send_frame(struct run *run, int bytes, int64_t now)
{
    struct line *line = &run->line;
    int64_t start = line->free_at > now ? line->free_at : now;
    line->free_at = start + (int64_t)(bytes * 1e6 / line->rate);
    run->frames++;
    if (term_flow_sent(&run->flow, (uint64_t)bytes, now)) {
        assert_true(line->sent < FRAMES);
        line->arrives[line->sent++] = line->free_at + 2 * line->delay;
    }
}

static void hear_answers(struct run *run, int64_t now, bool answers)
{
    struct line *line = &run->line;
    while (answers && line->answered < line->sent && line->arrives[line->answered] <= now) {
        line->answered++;
        term_flow_answered(&run->flow, now);
    }
}

enum { FIT = 0 /* for draw(): frames of the budget's size, as economy.c makes them */ };

/* Sends a frame, and notes how long a key waits for it at most. */
static void show_frame(struct run *run, int bytes, int64_t now)
{
    send_frame(run, bytes, now);
    int64_t took = run->line.free_at + run->line.delay - run->key_at;
    run->latest = took > run->latest ? took : run->latest;
    run->pause = now - run->key_at > run->pause ? now - run->key_at : run->pause;
    run->key_at = now;
}

/* Draws frames of `bytes` bytes for `seconds` from `begin` on. */
static void draw_from(struct run *run, int bytes, int64_t begin, int seconds, bool answers)
{
    for (int64_t now = begin; now < begin + seconds * SECOND; now += TICK) {
        hear_answers(run, now, answers);
        if (takes_more(&run->line, now) && term_flow_ready(&run->flow, now)) {
            double fit = fmin(term_flow_budget(&run->flow) / 20, TERM_FLOW_MOST / 30);
            show_frame(run, bytes == FIT ? (int)fit : bytes, now);
        }
    }
}

/* The flow measures the line first: only later frames count for `latest` and `pause`. */
static void forget_beginning(struct run *run)
{
    run->latest = run->pause = 0;
}

/* Draws frames of `bytes` bytes for `seconds`. */
static void draw(struct run *run, int bytes, int seconds, bool answers)
{
    draw_from(run, bytes, SECOND, 2, answers);
    forget_beginning(run);
    draw_from(run, bytes, 3 * SECOND, seconds - 2, answers);
}

static struct run make_run(double rate, int64_t delay)
{
    struct run run = {.line = {.rate = rate, .delay = delay}};
    term_flow_init(&run.flow, true);
    return run;
}

static void a_key_is_seen_soon_on_a_slow_line(void **state)
{
    (void)state;
    struct run run = make_run(50000, 20 * MS);
    draw(&run, 4000, 10, true);
    assert_true(run.latest <= 300 * MS);
    assert_true(run.frames >= 60);
}

/* The flow measures the line by its answers, and frames shrink to the line's rate. */
static void frames_fit_a_slow_line(void **state)
{
    static const struct {
        double rate;
        int64_t delay;
        int frames;     /* in 10 s, at least */
        int64_t latest; /* from a key to the screen, at most */
    } lines[] = {
        {50000, 0, 170, 200 * MS},        {50000, 5 * MS, 170, 200 * MS},
        {50000, 20 * MS, 150, 300 * MS},  {50000, 100 * MS, 120, 600 * MS},
        {100000, 20 * MS, 170, 300 * MS}, {20000, 20 * MS, 120, 300 * MS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct run run = make_run(lines[i].rate, lines[i].delay);
        draw(&run, FIT, 10, true);
        assert_true(run.frames >= lines[i].frames);
        assert_true(run.latest <= lines[i].latest);
        assert_true(term_flow_budget(&run.flow) > 0.7 * lines[i].rate);
        assert_true(term_flow_budget(&run.flow) < 1.1 * lines[i].rate);
    }
}

/* Draws for 20 s more. In the last 10 s a key is seen soon, and no frame is far from the last one.
 */
static void assert_good_end(struct run *run)
{
    draw_from(run, FIT, 11 * SECOND, 10, true);
    forget_beginning(run);
    draw_from(run, FIT, 21 * SECOND, 10, true);
    assert_true(run->latest <= 200 * MS);
    assert_true(run->pause <= 120 * MS);
}

/* The first picture takes 1.6 s, longer than a terminal usually takes to answer. */
static void a_large_first_picture_delays_no_later_key(void **state)
{
    (void)state;
    struct run run = make_run(50000, 5 * MS);
    send_frame(&run, 80000, SECOND);
    draw(&run, FIT, 10, true);
    assert_true(run.frames >= 150);
    assert_good_end(&run);
}

/* The line stands still for 7 s. The flow gives up questions, whose answers come later. */
static void an_interrupted_line_delays_no_later_key(void **state)
{
    (void)state;
    struct run run = make_run(50000, 5 * MS);
    draw(&run, FIT, 10, true);
    run.line.free_at += 7 * SECOND;
    for (int i = run.line.answered; i < run.line.sent; i++) {
        run.line.arrives[i] += 7 * SECOND;
    }
    assert_good_end(&run);
}

static void a_lost_answer_delays_no_later_key(void **state)
{
    (void)state;
    struct run run = make_run(50000, 5 * MS);
    draw(&run, FIT, 10, true);
    run.line.answered++;
    assert_true(run.line.answered <= run.line.sent);
    assert_good_end(&run);
}

static void a_line_that_gets_better_carries_more_again(void **state)
{
    (void)state;
    struct run run = make_run(30000, 10 * MS);
    draw(&run, FIT, 10, true);
    assert_true(term_flow_budget(&run.flow) < 30000);
    run.line = (struct line){.rate = 10e6, .delay = 10 * MS};
    term_flow_forget(&run.flow);
    draw(&run, FIT, 10, true);
    assert_true(term_flow_budget(&run.flow) > 140000);
}

static void a_fast_line_gets_the_whole_budget(void **state)
{
    static const int64_t delays[] = {0, 10 * MS, 60 * MS, 150 * MS};
    (void)state;
    for (size_t i = 0; i < sizeof delays / sizeof delays[0]; i++) {
        struct run run = make_run(10e6, delays[i]);
        draw(&run, FIT, 10, true);
        assert_true(term_flow_budget(&run.flow) > 140000);
    }
}

/* Without answers the line's buffer fills up: the flow exists to prevent this. */
static void without_answers_a_key_waits_for_the_buffer(void **state)
{
    (void)state;
    struct run run = make_run(50000, 20 * MS);
    term_flow_init(&run.flow, false);
    draw(&run, 4000, 10, true);
    assert_true(run.latest > SECOND);
}

static void a_fast_line_far_away_gets_all_frames(void **state)
{
    (void)state;
    struct run run = make_run(10e6, 60 * MS); /* each frame is answered after 120 ms */
    draw(&run, 4000, 10, true);
    assert_true(run.frames > 10 * 30);
}

static void a_terminal_that_does_not_answer_gets_all_frames(void **state)
{
    (void)state;
    struct run run = make_run(10e6, 0);
    draw(&run, 4000, 10, false);
    assert_true(run.flow.silent);
    assert_true(run.frames > 8 * 30);
}

/* The first frames do not fill the line of a terminal whose answers are slow. */
static void the_first_second_is_careful(void **state)
{
    (void)state;
    struct run run = make_run(50000, 100 * MS);
    draw_from(&run, 8000, SECOND, 1, true);
    assert_true(run.frames <= 7); /* 31 without care */
}

static void lost_answers_are_given_up(void **state)
{
    struct term_flow flow;
    (void)state;
    term_flow_init(&flow, true);
    assert_true(term_flow_sent(&flow, 4000, SECOND));
    term_flow_answered(&flow, SECOND + 2 * MS);
    for (int i = 0; term_flow_ready(&flow, SECOND + (3 + i) * MS); i++) {
        term_flow_sent(&flow, 4000, SECOND + (3 + i) * MS);
        assert_true(i < 300); /* an answer that is missing stops the frames */
    }
    assert_true(term_flow_ready(&flow, 5 * SECOND));
    assert_false(flow.silent);
    term_flow_forget(&flow);
    term_flow_answered(&flow, 6 * SECOND); /* a late answer */
    assert_int_equal(flow.waiting, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_seen_soon_on_a_slow_line),
        cmocka_unit_test(frames_fit_a_slow_line),
        cmocka_unit_test(a_large_first_picture_delays_no_later_key),
        cmocka_unit_test(an_interrupted_line_delays_no_later_key),
        cmocka_unit_test(a_lost_answer_delays_no_later_key),
        cmocka_unit_test(a_line_that_gets_better_carries_more_again),
        cmocka_unit_test(a_fast_line_gets_the_whole_budget),
        cmocka_unit_test(without_answers_a_key_waits_for_the_buffer),
        cmocka_unit_test(a_fast_line_far_away_gets_all_frames),
        cmocka_unit_test(a_terminal_that_does_not_answer_gets_all_frames),
        cmocka_unit_test(the_first_second_is_careful),
        cmocka_unit_test(lost_answers_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "term/headless.h"

#include "term/flock/schema.h"
#include "term/net/stay.h"
#include "term/tty/label.h"
#include "term/tty/screen.h"
#include "term/tty/svg.h"
#include "term/ui/messages.h"
#include "term/ui/view.h"

#include <curses.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 16, COLUMNS = 80, ROWS = 24 };

#define LINE_EVERY  1000000  /* µs */
#define EMPTY_AFTER 1000000  /* µs in the room, after which a flock without boids is drawn */
#define DEMO_AFTER  6000000  /* µs, after which the flock of a demo has formed */
#define PATIENCE    10000000 /* µs for the first snapshot of a frame */

struct headless {
    uv_loop_t loop;
    uv_timer_t timer;
    struct term_stay *stay;
    bool (*step)(struct headless *headless, int64_t now); /* returns false to end */
    int64_t began, next;
    bool drawn; /* the frame */
};

static int64_t now_us(void)
{
    return (int64_t)(uv_hrtime() / 1000);
}

static void on_tick(uv_timer_t *timer)
{
    struct headless *headless = timer->data;
    int64_t now = now_us();
    struct term_session *session = headless->stay->session;
    term_session_count(session, true);
    term_stay_tick(headless->stay, now);
    timeline_play(session->timeline, now);
    if (session->phase == TERM_ENDED || !headless->step(headless, now)) {
        uv_stop(&headless->loop);
    }
}

/* ---- figures ---- */

/* Returns a number, or null if it is not known. */
static json_t *number_or_null(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *describe_flock(const struct term_session *session)
{
    const struct proto_room *room = &session->welcome.room;
    struct proto_measures measures = {0};
    int64_t trip = 0;
    int64_t offset = 0;
    bool timed = term_clock_read(&session->clock, &trip, &offset);
    bool known = timeline_measures(session->timeline, &measures);
    return json_pack(
        "{s:I, s:s, s:s, s:s, s:b, s:I, s:I, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "time",
        (json_int_t)time(NULL), "room", room->code, "model", room->model, "preset",
        schema_value(room, "preset"), "live", session->phase == TERM_LIVE, "boids",
        (json_int_t)timeline_flock(session->timeline), "people", (json_int_t)session->people_count,
        "snapshots_per_second", (double)session->snapshots_per_second, "trip_ms",
        number_or_null(timed, (double)trip / 1000), "polarization",
        number_or_null(known, (double)measures.polarization), "milling",
        number_or_null(known, (double)measures.milling), "radius",
        number_or_null(known, (double)measures.gyration), "speed",
        number_or_null(known, (double)measures.speed), "nearest",
        number_or_null(known, (double)measures.nearest), "clusters",
        session->clusters_known ? json_integer((json_int_t)session->clusters.count) : json_null());
}

/* Prints a line each second from the welcome on. */
static bool print_figures(struct headless *headless, int64_t now)
{
    const struct term_session *session = headless->stay->session;
    if (!session->known || now < headless->next) {
        return true;
    }
    headless->next = headless->next == 0 ? now + LINE_EVERY : headless->next + LINE_EVERY;
    json_t *figures = describe_flock(session);
    if (figures != NULL) {
        json_dumpf(figures, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
        json_decref(figures);
    }
    putchar('\n');
    return fflush(stdout) == 0;
}

/* ---- a frame ---- */

static bool await_frame(struct headless *headless, int64_t now)
{
    const struct term_session *session = headless->stay->session;
    bool boids = timeline_boid_count(session->timeline) > 0 && timeline_time(session->timeline) > 0;
    bool empty = session->phase == TERM_LIVE && now - session->live_at > EMPTY_AFTER;
    bool formed = !session->alone || now - session->live_at > DEMO_AFTER;
    headless->drawn = session->known && formed && (boids || empty);
    return !headless->drawn && now - headless->began < PATIENCE;
}

/* Returns a number of the environment, or another one. */
static int size_or(const char *name, int other)
{
    const char *text = getenv(name);
    long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 && value <= TERM_SCREEN_MAX ? (int)value : other;
}

/* Stores the size of the frame: of the environment, of the terminal, or 80 × 24. */
static void choose_size(int *columns, int *rows)
{
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ||
                 ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    known = known && size.ws_col > 0 && size.ws_row > 0;
    *columns = size_or("COLUMNS", known ? size.ws_col : COLUMNS);
    *rows = size_or("LINES", known ? size.ws_row : ROWS);
}

/* Makes standard input and output nothing, so that ncurses changes no terminal. Returns standard
 * output; -1: that failed. */
static int hide_terminal(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    bool hidden = nothing >= 0 && output >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                  dup2(nothing, STDOUT_FILENO) >= 0;
    if (nothing >= 0) {
        close(nothing);
    }
    if (!hidden && output >= 0) {
        close(output);
    }
    return hidden ? output : -1;
}

/* Prints the characters of the screen, without spaces at the ends of rows. */
static void print_screen(FILE *output)
{
    wchar_t line[TERM_SCREEN_MAX + 1];
    for (int row = 0; row < LINES; row++) {
        int length = mvinnwstr(row, 0, line, TERM_SCREEN_MAX);
        while (length > 0 && line[length - 1] == L' ') {
            length--;
        }
        line[length > 0 ? length : 0] = L'\0';
        fprintf(output, "%ls\n", line);
    }
}

/* Draws the session on a hidden screen and prints it. */
static int draw_frame(const struct headless *headless, const struct term_options *options)
{
    const bool light = options->background == TERM_BACKGROUND_LIGHT;
    const struct term_screen_options screen = {.color = options->svg && options->color,
                                               .ascii = options->ascii,
                                               .background = light ? TERM_BACKGROUND_LIGHT
                                                                   : TERM_BACKGROUND_DARK,
                                               .theme = &options->theme};
    struct term_view view;
    char error[128];
    int columns = 0;
    int rows = 0;
    choose_size(&columns, &rows);
    int descriptor = hide_terminal();
    FILE *output = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    unsetenv("STY");
    if (output == NULL || !term_screen_open(&screen, error, sizeof error)) {
        fputs("flock-term: no frame can be drawn\n", stderr);
        return 1;
    }
    resizeterm(rows, columns);
    term_session_notify(headless->stay->session, 0, TERM_NEWS, ""); /* facts are in its place */
    term_view_init(&view, options->url_text, term_options_cells(options));
    term_view_draw(&view, headless->stay, now_us());
    if (options->svg) {
        svg_write(output, light);
    } else {
        print_screen(output);
    }
    term_view_finish(&view);
    term_screen_close();
    return fclose(output) == 0 ? 0 : 1;
}

/* ---- running ---- */

/* Says why there is nothing to print. */
static int say_failure(const struct term_session *session)
{
    char text[TERM_SESSION_REASON_MAX];
    wchar_t reason[TERM_LABEL_MAX];
    if (session->phase != TERM_ENDED || !term_messages_ending(session, text, sizeof text)) {
        snprintf(text, sizeof text, "%s",
                 session->reason[0] != '\0' ? session->reason : "no server answers there");
    }
    term_label(reason, text, (int)TERM_LABEL_MAX, 0);
    fprintf(stderr, "flock-term: %ls\n", reason);
    return 1;
}

static int run_headless(const struct term_options *options,
                        bool (*step)(struct headless *headless, int64_t now))
{
    struct headless headless = {.step = step, .began = now_us()};
    struct term_target target = term_options_target(options);
    struct term_stay_definition stay = {
        .target = &target,
        .trust = {.ca = options->ca, .insecure = options->insecure},
        .name = options->name,
        .encoding = options->encoding,
        .rate = options->rate,
        .demo = options->demo,
    };
    if (uv_loop_init(&headless.loop) != 0) {
        fputs("flock-term: out of memory\n", stderr);
        return 1;
    }
    headless.stay = term_stay_create(&headless.loop, &stay);
    if (headless.stay == NULL) {
        fputs("flock-term: cannot start: out of memory\n", stderr);
        return 1;
    }
    uv_timer_init(&headless.loop, &headless.timer);
    headless.timer.data = &headless;
    uv_timer_start(&headless.timer, on_tick, 1, TICK_MS);
    uv_run(&headless.loop, UV_RUN_DEFAULT);
    int status = 0;
    if (headless.stay->session->phase == TERM_ENDED || (step == await_frame && !headless.drawn)) {
        status = say_failure(headless.stay->session);
    } else if (step == await_frame) {
        status = draw_frame(&headless, options);
    }
    uv_close((uv_handle_t *)&headless.timer, NULL);
    if (!term_stay_destroy(headless.stay)) {
        _exit(status);
    }
    uv_run(&headless.loop, UV_RUN_DEFAULT);
    uv_loop_close(&headless.loop);
    return status;
}

int term_headless_stats(const struct term_options *options)
{
    return run_headless(options, print_figures);
}

int term_headless_snapshot(const struct term_options *options)
{
    return run_headless(options, await_frame);
}

#include "term/app.h"

#include "term/flock/schema.h"
#include "term/net/stay.h"
#include "term/texts/texts.h"
#include "term/tty/cast.h"
#include "term/tty/flow.h"
#include "term/tty/label.h"
#include "term/tty/screen.h"
#include "term/tty/tty.h"
#include "term/ui/attract.h"
#include "term/ui/input.h"
#include "term/ui/messages.h"
#include "term/ui/status.h"
#include "term/ui/view.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>
#include <wchar.h>

enum { TICK_MS = 16, STATUS_US = 500000, SIGNALS = 3 };

/* µs between two frames, a little less than ticks are apart. */
#define FRAME_US      31000
#define FRAME_FAST_US 15000 /* for more than 30 snapshots a second */

/* µs in which the first flock usually comes. Drawing an empty picture before it would delay it. */
#define FIRST_US 200000

struct app {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_poll_t keyboard;
    uv_async_t quit;
    uv_signal_t signals[SIGNALS]; /* SIGWINCH, SIGTSTP, SIGCONT */
    struct term_stay *stay;
    uint32_t moves; /* to other rooms, which the view has followed */
    struct term_view view;
    bool dirty; /* the picture has changed */
    bool resized;
    bool lost; /* the terminal has hung up */
    const struct term_options *options;
    bool laid;                   /* open_panels() has opened the panels */
    bool greeted;                /* tell_ascii() has spoken, or had no reason to */
    struct term_attract attract; /* of a demo */
    struct term_flow flow;
    int64_t next_frame;
    int64_t frame_at; /* when the last frame was begun; 0: the terminal has taken it */
    int64_t next_status;
    int64_t began;
    bool flocked; /* a frame with a flock was drawn */
};

/* For the signal handler, which has no argument. */
static struct app *running;

static int64_t now_us(void)
{
    return (int64_t)(uv_hrtime() / 1000);
}

/* Returns the thread's processor time: waiting for the terminal does not count. */
static int64_t busy_us(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void stop_loop(struct app *app)
{
    uv_stop(&app->loop);
}

static void on_quit_signal(void)
{
    if (running != NULL) {
        uv_async_send(&running->quit);
    }
}

static void on_quit(uv_async_t *handle)
{
    stop_loop(handle->data);
}

/* Returns the time between two frames, µs. */
static int64_t frame_time(const struct app *app)
{
    return app->stay->session->stream.pace.granted.rate > 30 ? FRAME_FAST_US : FRAME_US;
}

/* Draws one frame. */
static void draw_frame(struct app *app, int64_t now)
{
    if (app->resized) {
        app->resized = false;
        term_screen_resize();
    }
    app->dirty = false;
    int64_t busy = busy_us();
    uint64_t sent = term_screen_sent();
    app->view.budget = term_flow_budget(&app->flow);
    term_view_draw(&app->view, app->stay, now);
    int64_t took = busy_us() - busy;
    if (term_flow_sent(&app->flow, term_screen_sent() - sent, now)) {
        term_screen_ask();
    }
    app->frame_at = now;
    /* A picture that is slow to make must leave half the time for everything else. */
    app->next_frame = now + (2 * took > frame_time(app) ? 2 * took : frame_time(app));
}

/* Says once, in the first room, why there is no braille. */
static void tell_ascii(struct app *app, int64_t now)
{
    if (app->greeted || !app->stay->session->known) {
        return;
    }
    app->greeted = true;
    if (!term_screen_utf8()) {
        term_session_notify(app->stay->session, now, TERM_MISTAKE, texts_get(TEXT_ASCII_ONLY));
    }
}

/* Does what the session asks for, and follows the user into another room. */
static void serve_stay(struct app *app, int64_t now)
{
    struct term_stay *stay = app->stay;
    if (app->moves != stay->moves) {
        app->moves = stay->moves;
        term_view_move(&app->view, stay->target.url_text);
    }
    term_session_count(stay->session, term_sidebar_measures(&app->view.sidebar));
    term_stay_tick(stay, now);
    app->dirty = app->dirty || stay->changed;
    stay->changed = false;
    if (term_stay_over(stay)) {
        stop_loop(app);
    }
}

/* Does an action as if the user had chosen it. */
static void act_for_user(struct app *app, enum term_action action, int x, int64_t now)
{
    struct term_input input = {.action = action, .x = x};
    term_view_act(&app->view, app->stay, &input, now);
}

/* Returns to the present of a running flock, and closes the panels of the last person. */
static void begin_attracting(struct app *app, int64_t now)
{
    struct term_session *session = app->stay->session;
    act_for_user(app, TERM_WHY, -1, now); /* ends an open explanation */
    term_view_close(&app->view);
    if (session->past.shown) {
        act_for_user(app, TERM_NOW, 0, now);
    }
    if (strcmp(schema_value(&session->welcome.room, "run"), "paused") == 0) {
        act_for_user(app, TERM_RUN, 0, now);
    }
}

/* Opens the panels of --panels when the first room is live. */
static void open_panels(struct app *app, int64_t now)
{
    if (app->laid || app->stay->session->phase != TERM_LIVE) {
        return;
    }
    app->laid = true;
    app->view.sidebar.measures.open = term_options_opens(app->options, "measures");
    app->view.sidebar.news.open = term_options_opens(app->options, "news");
    if (term_options_opens(app->options, "controls")) {
        act_for_user(app, TERM_PANEL, 0, now);
    } else if (term_options_opens(app->options, "people") && !app->stay->session->alone) {
        act_for_user(app, TERM_MEMBERS, 0, now);
    }
}

/* Runs the attract mode of a demo: shows presets and moves the cursor. */
static void attract_people(struct app *app, int64_t now)
{
    struct term_session *session = app->stay->session;
    float x = 0;
    float y = 0;
    if (!session->alone || session->phase != TERM_LIVE) {
        return;
    }
    switch (term_attract_tick(&app->attract, now)) {
    case TERM_ATTRACT_REST:
        return;
    case TERM_ATTRACT_BEGIN:
        begin_attracting(app, now);
        act_for_user(app, TERM_PRESET, 1, now);
        break;
    case TERM_ATTRACT_NEXT:
        act_for_user(app, TERM_PRESET, 1, now);
        break;
    case TERM_ATTRACT_SHOW:
        if (!term_status_has_notice(session, now)) {
            term_session_notify(session, now, TERM_NEWS, texts_get(TEXT_DEMO_WAITS));
        }
        break;
    }
    term_attract_wander(now, &x, &y);
    term_session_steer(session, x * session->welcome.room.width, y * session->welcome.room.height,
                       now);
}

/* Ends the attract mode when a person presses a key, and tells the person so. */
static void greet_person(struct app *app, enum term_action action, int64_t now)
{
    bool report = action == TERM_REPORT || action == TERM_SYNC;
    if (app->stay->session->alone && !report && term_attract_touch(&app->attract, now)) {
        term_session_leave(app->stay->session);
        char notice[TERM_SESSION_REASON_MAX];
        texts_fill(notice, sizeof notice, TEXT_DEMO_YOURS, texts_key(TEXT_DO_PRESET_NEXT),
                   texts_key(TEXT_DO_PANEL));
        term_session_notify(app->stay->session, now, TERM_NEWS, notice);
    }
}

/* Returns whether the program has just started, and the first flock will probably come soon. */
static bool awaits_flock(const struct app *app, int64_t now)
{
    const struct term_session *session = app->stay->session;
    bool joins = session->phase == TERM_CONNECTING || session->phase == TERM_JOINING;
    return (joins || session->phase == TERM_LIVE) && session->shown_at == 0 && !app->flocked &&
           now - app->began < FIRST_US;
}

/* Makes a frame due as soon as the first flock has come. */
static void hurry_flock(struct app *app)
{
    if (!app->flocked && app->stay->session->shown_at > 0) {
        app->flocked = true;
        app->next_frame = 0;
    }
}

/* Draws a frame that is due. Skips frames until the terminal has taken the last frame. */
static void update_screen(struct app *app, int64_t now)
{
    hurry_flock(app);
    if (now < app->next_frame || awaits_flock(app, now) || !term_tty_writable() ||
        !term_flow_ready(&app->flow, now)) {
        return;
    }
    if (app->frame_at > 0) {
        term_session_drawn(app->stay->session, now - app->frame_at);
        app->frame_at = 0;
    }
    app->dirty = timeline_play(app->stay->session->timeline, now) || app->dirty;
    if (now >= app->next_status) {
        app->next_status = now + STATUS_US;
        app->dirty = true;
    }
    if (app->dirty || app->resized) {
        draw_frame(app, now);
    }
}

static void on_tick(uv_timer_t *timer)
{
    struct app *app = timer->data;
    int64_t now = now_us();
    attract_people(app, now);
    serve_stay(app, now);
    open_panels(app, now);
    tell_ascii(app, now);
    update_screen(app, now);
}

/* Moves our cursor by steps; a cursor that was away starts in the middle of the world. */
static void move_cursor(struct app *app, int x, int y, int64_t now)
{
    struct term_session *session = app->stay->session;
    float step = term_picture_step(&app->view.picture);
    if (!session->known) {
        return;
    }
    const struct proto_room *room = &session->welcome.room;
    float to_x = (session->cursor_here ? session->cursor_x : room->width / 2) + (float)x * step;
    float to_y = (session->cursor_here ? session->cursor_y : room->height / 2) + (float)y * step;
    term_picture_clamp(&app->view.picture, &to_x, &to_y);
    term_session_steer(session, to_x, to_y, now);
}

/* Moves our cursor to a cell. Outside the picture it leaves the world. */
static void point_cursor(struct app *app, int column, int row, int64_t now)
{
    float x = 0;
    float y = 0;
    if (term_picture_locate(&app->view.picture, column, row, &x, &y)) {
        term_session_steer(app->stay->session, x, y, now);
    } else {
        term_session_leave(app->stay->session);
    }
}

/* Goes to the room of a pasted link; other pasted text does nothing. */
static void join_pasted(struct app *app, int64_t now)
{
    if (term_target_is_link(term_input_pasted())) {
        term_stay_go(app->stay, term_input_pasted(), now);
    }
}

static void act_on_input(struct app *app, struct term_input input)
{
    int64_t now = now_us();
    if (input.action == TERM_ANSWER) {
        term_screen_answered();
        term_flow_answered(&app->flow, now);
        return;
    }
    app->dirty = app->dirty || input.action != TERM_IGNORED;
    greet_person(app, input.action, now);
    if (term_view_act(&app->view, app->stay, &input, now)) {
        return;
    }
    switch (input.action) {
    case TERM_MOVE:
        move_cursor(app, input.x, input.y, now);
        break;
    case TERM_POINT:
    case TERM_PRESS:
        point_cursor(app, input.x, input.y, now);
        break;
    case TERM_LEAVE:
        term_session_leave(app->stay->session);
        break;
    case TERM_MEASURES:
        app->view.sidebar.measures.open = !app->view.sidebar.measures.open;
        break;
    case TERM_SHOW_NEWS:
        app->view.sidebar.news = (struct term_news){.open = !app->view.sidebar.news.open};
        break;
    case TERM_ROOMS:
        term_finder_open_rooms(&app->view.finder);
        term_stay_list(app->stay);
        break;
    case TERM_JOIN:
        term_stay_go(app->stay, app->view.chosen, now);
        break;
    case TERM_CREATE:
        term_stay_create_room(app->stay, app->view.chosen, now);
        break;
    case TERM_PASTE:
        join_pasted(app, now);
        break;
    case TERM_RETRY:
        term_session_retry(app->stay->session);
        break;
    case TERM_QUIT:
        stop_loop(app);
        break;
    case TERM_REDRAW:
        app->resized = true;
        break;
    case TERM_SYNC:
        term_screen_synchronize();
        break;
    default:
        break;
    }
}

static void on_keyboard(uv_poll_t *handle, int status, int events)
{
    struct app *app = handle->data;
    (void)events;
    if (status != 0 || term_tty_gone()) {
        app->lost = true;
        stop_loop(app);
        return;
    }
    struct term_input input = term_input_read(term_view_mode(&app->view), now_us());
    while (input.action != TERM_NONE) {
        act_on_input(app, input);
        input = term_input_read(term_view_mode(&app->view), now_us());
    }
    serve_stay(app, now_us()); /* without waiting for the next tick */
    update_screen(app, now_us());
}

static void on_resize(uv_signal_t *handle, int signal)
{
    struct app *app = handle->data;
    (void)signal;
    app->resized = true;
}

static void on_continue(uv_signal_t *handle, int signal)
{
    struct app *app = handle->data;
    (void)signal;
    term_screen_enter();
    term_flow_forget(&app->flow);
    app->frame_at = 0;
    term_session_awake(app->stay->session, now_us());
    app->dirty = true;
}

static void on_stop(uv_signal_t *handle, int signal)
{
    term_screen_leave();
    /* Without a handler of ours the signal does what it does by default: the process stops in
     * raise(). */
    uv_signal_stop(handle);
    raise(signal);
    uv_signal_start(handle, on_stop, signal);
    on_continue(handle, SIGCONT);
}

static void start_handles(struct app *app)
{
    static const struct {
        int signal;
        uv_signal_cb callback;
    } signals[SIGNALS] = {{SIGWINCH, on_resize}, {SIGTSTP, on_stop}, {SIGCONT, on_continue}};
    uv_timer_init(&app->loop, &app->timer);
    app->timer.data = app;
    uv_async_init(&app->loop, &app->quit, on_quit);
    app->quit.data = app;
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_init(&app->loop, &app->signals[i]);
        app->signals[i].data = app;
        uv_signal_start(&app->signals[i], signals[i].callback, signals[i].signal);
    }
    /* libuv makes it non-blocking, and with it the terminal of the shell that started us. */
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    uv_poll_init(&app->loop, &app->keyboard, STDIN_FILENO);
    fcntl(STDIN_FILENO, F_SETFL, flags);
    app->keyboard.data = app;
}

static void close_handles(struct app *app)
{
    uv_close((uv_handle_t *)&app->timer, NULL);
    uv_close((uv_handle_t *)&app->quit, NULL);
    uv_close((uv_handle_t *)&app->keyboard, NULL);
    for (int i = 0; i < SIGNALS; i++) {
        uv_close((uv_handle_t *)&app->signals[i], NULL);
    }
}

/* Runs the loop until something stops it. The terminal must be taken. */
static void run_loop(struct app *app)
{
    app->began = now_us();
    uv_timer_start(&app->timer, on_tick, 1, TICK_MS);
    uv_poll_start(&app->keyboard, UV_READABLE, on_keyboard);
    uv_run(&app->loop, UV_RUN_DEFAULT);
    term_screen_close();
}

/* Writes to stderr why the program ends, unless the user quit; returns the exit status. */
static int say_ending(const struct app *app)
{
    wchar_t reason[TERM_LABEL_MAX];
    if (app->lost) {
        fprintf(stderr, "flock-term: the terminal was closed\n");
        return 1;
    }
    const struct term_session *session = app->stay->session;
    char text[TERM_SESSION_REASON_MAX];
    if (session->phase != TERM_ENDED) {
        return 0;
    }
    if (term_messages_ending(session, text, sizeof text)) {
        term_label(reason, text, (int)TERM_LABEL_MAX, 0);
        fprintf(stderr, "flock-term: %ls\n", reason);
    } else {
        term_label(reason, session->reason, (int)TERM_LABEL_MAX, 0);
        fprintf(stderr, "flock-term: the server ended the connection: %ls (%d)\n", reason,
                session->close_code);
    }
    return 1;
}

/* Frees everything. Ends the process if a name is still being resolved, which would block. */
static void free_app(struct app *app, int status)
{
    running = NULL;
    close_handles(app);
    if (!term_stay_destroy(app->stay)) {
        _exit(status);
    }
    uv_run(&app->loop, UV_RUN_DEFAULT);
    uv_loop_close(&app->loop);
    term_view_finish(&app->view);
    free(app);
}

static int fail_with(int status, const char *what)
{
    fprintf(stderr, "flock-term: %s\n", what);
    return status;
}

int term_app_run(const struct term_options *options)
{
    char error[128];
    if (!term_tty_open(on_quit_signal)) {
        return fail_with(2, "standard input and output must be a terminal");
    }
    struct app *app = calloc(1, sizeof *app);
    if (app == NULL || uv_loop_init(&app->loop) != 0) {
        free(app);
        return fail_with(1, "out of memory");
    }
    struct term_target target = term_options_target(options);
    struct term_stay_definition stay = {
        .target = &target,
        .trust = {.ca = options->ca, .insecure = options->insecure},
        .name = options->name,
        .encoding = options->encoding,
        .rate = options->rate,
        .remembers = !options->no_history && !options->demo,
        .demo = options->demo,
    };
    const struct term_screen_options screen = {
        .color = options->color,
        .ascii = options->ascii,
        .background = (enum term_background)options->background,
        .theme = &options->theme,
    };
    app->options = options;
    start_handles(app);
    running = app;
    term_view_init(&app->view, options->demo ? texts_get(TEXT_DEMO_SERVER) : options->url_text,
                   term_options_cells(options));
    term_attract_init(&app->attract, options->attract, now_us());
    app->stay = term_stay_create(&app->loop, &stay);
    int status = 0;
    if (options->record[0] != '\0' && !term_cast_create(options->record)) {
        status = fail_with(2, "--record: expected a new file that can be written");
    } else if (app->stay == NULL) {
        status =
            fail_with(1, "cannot start: out of memory, or libwebsockets lacks its libuv support");
    } else if (!term_screen_open(&screen, error, sizeof error)) {
        status = fail_with(2, error);
    } else {
        term_flow_init(&app->flow, term_screen_answers());
        run_loop(app);
        status = say_ending(app);
        if (!term_cast_close()) {
            status = fail_with(1, "--record: the recording could not be written completely");
        }
    }
    free_app(app, status);
    return status;
}

#include "term/tty/tty.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum {
    SEQUENCE_MAX = 256,
    STACK_SIZE = 65536,
    QUIT_SECONDS = 2,
    ANSWER_WAIT = 100, /* ms for an answer that is on its way when the process crashes */
};

static struct termios found;
static char sequence[SEQUENCE_MAX];
static volatile sig_atomic_t sequence_length;
static volatile sig_atomic_t taken;
static volatile sig_atomic_t awaiting; /* an answer of the terminal is on its way */
static char signal_stack[STACK_SIZE];
static void (*on_quit_call)(void);

static void write_bytes(const char *bytes, size_t left)
{
    while (left > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, left);
        if (written <= 0) {
            return;
        }
        bytes += written;
        left -= (size_t)written;
    }
}

/* Restores the modes of a terminal that is taken. Does not wait for a terminal that takes no
 * output. Safe in a signal handler. */
static void restore_terminal(void)
{
    static const char cancel[] = "\030"; /* ends a sequence that was cut off */
    if (!taken) {
        return;
    }
    taken = 0;
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    if (!term_tty_writable()) {
        tcflush(STDOUT_FILENO, TCOFLUSH);
        write_bytes(cancel, sizeof cancel - 1);
    }
    write_bytes(sequence, (size_t)sequence_length);
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    if (awaiting) {
        struct pollfd descriptor = {.fd = STDIN_FILENO, .events = POLLIN};
        poll(&descriptor, 1, ANSWER_WAIT);
        tcflush(STDIN_FILENO, TCIFLUSH);
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &found);
}

static void on_crash(int signal)
{
    restore_terminal();
    /* SA_RESETHAND has restored the default action: the signal ends the process. */
    raise(signal);
}

static void on_quit_signal(int signal)
{
    (void)signal;
    alarm(QUIT_SECONDS);
    on_quit_call();
}

static void on_stuck(int signal)
{
    (void)signal;
    restore_terminal();
    _exit(1);
}

static void catch_signal(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static void catch_end(int signal)
{
    catch_signal(signal, on_crash, SA_ONSTACK | (int)SA_RESETHAND);
}

/* Catches all signals that would end the process at once, except SIGKILL. */
static void catch_ends(void)
{
    static const int ends[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGABRT,  SIGTRAP,
                               SIGSYS,  SIGQUIT, SIGUSR1, SIGUSR2,   SIGPIPE,  SIGXCPU,
                               SIGPOLL, SIGPROF, SIGPWR,  SIGSTKFLT, SIGVTALRM};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        catch_end(ends[i]);
    }
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        catch_end(signal);
    }
}

static void catch_signals(void)
{
    static const int quits[] = {SIGINT, SIGTERM, SIGHUP};
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    sigaltstack(&stack, NULL);
    catch_ends();
    for (size_t i = 0; i < sizeof quits / sizeof quits[0]; i++) {
        catch_signal(quits[i], on_quit_signal, SA_RESTART);
    }
    catch_signal(SIGALRM, on_stuck, 0);
    catch_signal(SIGXFSZ, SIG_IGN, 0); /* only the recording ends if its file is too large */
}

bool term_tty_open(void (*quit)(void))
{
    if (tcgetattr(STDIN_FILENO, &found) != 0 || isatty(STDOUT_FILENO) == 0) {
        return false;
    }
    on_quit_call = quit;
    catch_signals();
    return true;
}

void term_tty_on_restore(const char *bytes)
{
    size_t used = (size_t)sequence_length;
    bool padding = false;
    for (; bytes != NULL && *bytes != '\0' && used < SEQUENCE_MAX; bytes++) {
        padding = padding || (bytes[0] == '$' && bytes[1] == '<');
        if (!padding) {
            sequence[used++] = *bytes;
        }
        padding = padding && *bytes != '>';
    }
    sequence_length = (sig_atomic_t)used;
}

void term_tty_send(const char *bytes, size_t size)
{
    write_bytes(bytes, size);
}

void term_tty_write(const char *bytes)
{
    write_bytes(bytes, strlen(bytes));
}

bool term_tty_writable(void)
{
    struct pollfd descriptor = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLOUT) != 0;
}

bool term_tty_gone(void)
{
    struct pollfd descriptor = {.fd = STDIN_FILENO};
    return poll(&descriptor, 1, 0) != 0;
}

bool term_tty_size(int *columns, int *rows)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        return false;
    }
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

void term_tty_await(bool answer)
{
    awaiting = answer;
}

void term_tty_taken(bool ours)
{
    taken = ours;
    if (!ours) {
        alarm(0);
    }
}

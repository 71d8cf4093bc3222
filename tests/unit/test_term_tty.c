/* Signals: each that ends flock-term restores the terminal first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/tty/tty.h"

#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#define RESTORES "RESTORED"

enum { OUTPUT_MAX = 256 };

static void do_nothing(void)
{
}

/* In a process of its own: takes the terminal and sends itself the signal. */
static void signal_itself(int signal)
{
    const struct rlimit no_core = {0};
    struct termios modes;
    setrlimit(RLIMIT_CORE, &no_core);
    if (!term_tty_open(do_nothing) || tcgetattr(STDIN_FILENO, &modes) != 0) {
        _exit(2);
    }
    term_tty_on_restore(RESTORES);
    cfmakeraw(&modes);
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    term_tty_taken(true);
    raise(signal);
    _exit(0);
}

/* Lets a process get the signal. Returns its status and stores what its terminal shows. */
static int send_signal(int signal, char shown[OUTPUT_MAX], struct termios *modes)
{
    int screen = -1;
    int terminal = -1;
    int status = 0;
    assert_int_equal(openpty(&screen, &terminal, NULL, NULL, NULL), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(screen);
        login_tty(terminal);
        signal_itself(signal);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(tcgetattr(terminal, modes), 0);
    assert_int_equal(write(terminal, ".", 1), 1); /* so that there is something to read */
    ssize_t size = read(screen, shown, OUTPUT_MAX - 1);
    assert_true(size > 0);
    shown[size] = '\0';
    close(terminal);
    close(screen);
    return status;
}

static void each_signal_that_ends_it_restores_the_terminal(void **state)
{
    const int signals[] = {SIGSEGV, SIGBUS,    SIGILL,    SIGFPE,   SIGABRT, SIGTRAP, SIGSYS,
                           SIGQUIT, SIGUSR1,   SIGUSR2,   SIGPIPE,  SIGXCPU, SIGPOLL, SIGPROF,
                           SIGPWR,  SIGVTALRM, SIGSTKFLT, SIGRTMIN, SIGRTMAX};
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        char shown[OUTPUT_MAX];
        struct termios modes;
        int status = send_signal(signals[i], shown, &modes);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_non_null(strstr(shown, RESTORES));
        assert_true((modes.c_lflag & ICANON) != 0);
    }
}

static void a_file_that_is_too_long_ends_nothing(void **state)
{
    char shown[OUTPUT_MAX];
    struct termios modes;
    (void)state;
    int status = send_signal(SIGXFSZ, shown, &modes);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_signal_that_ends_it_restores_the_terminal),
        cmocka_unit_test(a_file_that_is_too_long_ends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

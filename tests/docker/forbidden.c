/* Asks the kernel for what flockd never does, and prints the names of what is not refused with
 * EPERM or ENOSYS. The arguments are such that nothing comes of it where it is allowed. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL(name, ...)                                                                            \
    {                                                                                              \
#name, SYS_##name, __VA_ARGS__                                                             \
    }

static const struct {
    const char *name;
    long number;
    long a, b;
} calls[] = {
    CALL(ptrace, -1, -1),
    CALL(unshare, 0, 0),
    CALL(mount, 0, 0),
    CALL(bpf, -1, 0),
    CALL(keyctl, -1, 0),
    CALL(io_uring_setup, 0, 0),
    CALL(perf_event_open, 0, 0),
    CALL(process_vm_readv, -1, 0),
    CALL(clone, -1 & ~0x10000, 0), /* all flags but CLONE_THREAD: contradictory */
    CALL(socket, 17, 3),           /* AF_PACKET, SOCK_RAW */
    CALL(socket, 31, 1),           /* AF_BLUETOOTH */
    CALL(personality, 0xffffffff, 0),
    CALL(symlinkat, 0, -1),
    CALL(setns, -1, 0),
};

int main(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        errno = 0;
        if (syscall(calls[i].number, calls[i].a, calls[i].b, 0, 0, 0, 0) != -1 ||
            (errno != EPERM && errno != ENOSYS)) {
            printf("%s: %m\n", calls[i].name);
        }
    }
    return 0;
}

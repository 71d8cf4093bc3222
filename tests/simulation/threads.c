#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <ucontext.h>
#include <uv.h>

#include "sim/rng.h"

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#else /* only AddressSanitizer has to know the stack in use */
#define __sanitizer_start_switch_fiber(fake, stack, size)                                          \
    ((void)(fake), (void)(stack), (void)(size))
#define __sanitizer_finish_switch_fiber(fake, stack, size)                                         \
    ((void)(fake), (void)(stack), (void)(size))
#endif

#define STACK_SIZE  (512u << 10)
#define THREADS_MAX 64u
#define GROUPS_MAX  16u
#define NEVER       UINT64_MAX
#define LOOK_TIME   100u        /* ns that a read of the clock takes */
#define WALL_CLOCK  1700000000u /* s since 1970 at the beginning */
#define TURN_CHANCE 20u         /* of another thread after a lock is released, in a thousand */

struct thread {
    bool used, ready, ended;
    uint32_t group;
    unsigned locks;        /* that it holds while it waits */
    const void *waits_for; /* a condition, or NULL */
    uint64_t until;        /* ns; NEVER */
    void (*entry)(void *argument);
    void *argument;
    void *stack;
    ucontext_t context;
};

static struct thread threads[THREADS_MAX];
static size_t threads_end;     /* the threads behind were never used in this life */
static struct thread *running; /* NULL: the caller of threads_run() */
static ucontext_t home;
static const void *home_stack;
static size_t home_stack_size;
static bool home_waits_over;
static const void *home_waits_for;
static unsigned locks;      /* number of locks that the running thread holds */
static uint32_t home_group; /* of the threads that the caller of threads_run() creates */
static uint64_t frozen_until[GROUPS_MAX]; /* ns */
static uint64_t thaws_at[GROUPS_MAX];     /* ns */
static uint64_t now;
static struct rng turns, chances, secrets;

/* ---- time and chance ---- */

uint64_t threads_now(void)
{
    return now;
}

void threads_spend(uint64_t time)
{
    now += time;
}

uint64_t chance_below(uint64_t bound)
{
    return rng_next(&chances) % bound;
}

bool chance(uint32_t times)
{
    return chance_below(1000) < times;
}

uint64_t chance_time(uint64_t mean)
{
    return (chance_below(2 * mean) + chance_below(2 * mean)) * chance_below(1000) / 1000;
}

uint64_t uv_hrtime(void)
{
    now += LOOK_TIME;
    return now;
}

time_t time(time_t *timer)
{
    time_t seconds = (time_t)(WALL_CLOCK + now / S);

    if (timer != NULL) {
        *timer = seconds;
    }
    return seconds;
}

ssize_t getrandom(void *buffer, size_t length, unsigned flags)
{
    uint8_t *bytes = buffer;

    (void)flags;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(rng_next(&secrets) >> 56);
    }
    return (ssize_t)length;
}

/* ---- turns ---- */

static void give_up(const char *what)
{
    fprintf(stderr, "simulation: %s\n", what);
    abort();
}

/* Switches from the running thread to the caller of threads_run(). */
static void go_home(void)
{
    struct thread *self = running;
    void *fake = NULL;

    self->locks = locks;
    __sanitizer_start_switch_fiber(self->ended ? NULL : &fake, home_stack, home_stack_size);
    swapcontext(&self->context, &home);
    __sanitizer_finish_switch_fiber(fake, &home_stack, &home_stack_size);
}

static void begin(void)
{
    __sanitizer_finish_switch_fiber(NULL, &home_stack, &home_stack_size);
    running->entry(running->argument);
    running->ended = true;
    go_home();
}

static void give_turn(struct thread *thread)
{
    const unsigned home_locks = locks;
    void *fake = NULL;

    locks = thread->locks;
    thread->ready = false;
    thread->waits_for = NULL;
    thread->until = NEVER;
    running = thread;
    __sanitizer_start_switch_fiber(&fake, thread->stack, STACK_SIZE);
    swapcontext(&home, &thread->context);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
    running = NULL;
    locks = home_locks;
    if (thread->ended) {
        free(thread->stack);
        thread->stack = NULL;
    }
}

uint32_t threads_group(void)
{
    return running != NULL ? running->group : home_group;
}

void threads_set_group(uint32_t group)
{
    home_group = group;
}

void threads_freeze(uint32_t group, uint64_t until)
{
    if (until > now || threads_frozen(group)) {
        thaws_at[group] = until > now ? until : now;
    }
    frozen_until[group] = until;
}

uint64_t threads_thaws_at(uint32_t group)
{
    return thaws_at[group];
}

bool threads_frozen(uint32_t group)
{
    return now < frozen_until[group];
}

/* Returns a thread that can continue, or NULL. */
static struct thread *choose_ready(void)
{
    struct thread *ready[THREADS_MAX] = {NULL};
    size_t count = 0;

    for (size_t i = 0; i < threads_end; i++) {
        if (threads[i].used && !threads[i].ended && !threads_frozen(threads[i].group) &&
            (threads[i].ready || threads[i].until <= now)) {
            ready[count++] = &threads[i];
        }
    }
    return count > 0 ? ready[rng_next(&turns) % count] : NULL;
}

static uint64_t next_until(void)
{
    uint64_t next = NEVER;

    for (size_t i = 0; i < threads_end; i++) {
        const uint64_t frozen = frozen_until[threads[i].group];
        uint64_t until = threads[i].ready ? now : threads[i].until;
        until = until < frozen ? frozen : until;
        if (threads[i].used && !threads[i].ended && until < next) {
            next = until;
        }
    }
    return next;
}

void threads_run(uint64_t until, bool (*stop)(void))
{
    while (!stop()) {
        struct thread *thread = choose_ready();
        if (thread != NULL) {
            give_turn(thread);
            continue;
        }
        uint64_t next = next_until();
        if (now >= until) {
            return;
        }
        now = next < until ? next : until;
    }
}

static bool home_may_go_on(void)
{
    return home_waits_over;
}

/* Lets the running thread or the caller of threads_run() wait. Returns whether it was woken before
 * the deadline. */
static bool wait_for(const void *condition, uint64_t until)
{
    if (running == NULL) {
        home_waits_for = condition;
        home_waits_over = false;
        threads_run(until, home_may_go_on);
        home_waits_for = NULL;
        return home_waits_over;
    }
    running->waits_for = condition;
    running->until = until;
    struct thread *self = running;
    go_home();
    return self->until == NEVER && now < until;
}

void threads_sleep(uint64_t time)
{
    (void)wait_for(NULL, now + time);
}

void threads_work(uint64_t time)
{
    if (running == NULL || locks > 0) {
        threads_spend(time);
    } else {
        threads_sleep(time);
    }
}

/* ---- libuv's functions ---- */

static size_t free_thread(void)
{
    size_t index = 0;

    while (index < THREADS_MAX && threads[index].used) {
        index++;
    }
    if (index == THREADS_MAX) {
        give_up("too many threads");
    }
    return index;
}

/* getcontext() returns once here, but compilers do not know that. */
static void prepare(struct thread *thread)
{
    if (thread->stack == NULL || getcontext(&thread->context) != 0) {
        give_up("out of memory");
    }
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK_SIZE;
    makecontext(&thread->context, begin, 0);
}

int uv_thread_create(uv_thread_t *id, uv_thread_cb entry, void *argument)
{
    size_t index = free_thread();

    threads[index] = (struct thread){.used = true,
                                     .ready = true,
                                     .group = threads_group(),
                                     .until = NEVER,
                                     .entry = entry,
                                     .argument = argument,
                                     .stack = malloc(STACK_SIZE)};
    prepare(&threads[index]);
    threads_end = index < threads_end ? threads_end : index + 1;
    *id = (uv_thread_t)index;
    return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): libuv's declaration */
int uv_thread_join(uv_thread_t *id)
{
    struct thread *thread = &threads[*id];

    while (!thread->ended) {
        (void)wait_for(NULL, now + MS);
    }
    thread->used = false;
    return 0;
}

static unsigned char *lock_of(uv_mutex_t *mutex)
{
    return (unsigned char *)mutex;
}

int uv_mutex_init(uv_mutex_t *mutex)
{
    *lock_of(mutex) = 0;
    return 0;
}

void uv_mutex_destroy(uv_mutex_t *mutex)
{
    if (*lock_of(mutex) != 0) {
        give_up("a lock goes that is held");
    }
}

/* Only a node of a cluster waits with a lock held, for its broker. */
void uv_mutex_lock(uv_mutex_t *mutex)
{
    while (*lock_of(mutex) != 0) {
        if (running == NULL || running->group == 0) {
            give_up("a lock is held by a thread that waits");
        }
        (void)wait_for(mutex, NEVER);
    }
    *lock_of(mutex) = 1;
    locks++;
}

static void wake_all(const void *condition)
{
    for (size_t i = 0; i < threads_end; i++) {
        if (threads[i].waits_for == condition) {
            threads[i].ready = true;
        }
    }
    home_waits_over = home_waits_over || home_waits_for == condition;
}

void uv_mutex_unlock(uv_mutex_t *mutex)
{
    *lock_of(mutex) = 0;
    wake_all(mutex);
    if (--locks == 0 && running != NULL && rng_next(&turns) % 1000 < TURN_CHANCE) {
        running->ready = true;
        go_home();
    }
}

int uv_cond_init(uv_cond_t *condition)
{
    memset(condition, 0, sizeof *condition);
    return 0;
}

void uv_cond_destroy(uv_cond_t *condition)
{
    (void)condition;
}

void uv_cond_broadcast(uv_cond_t *condition)
{
    wake_all(condition);
}

/* Wakes all waiting threads. At most one thread of the server waits for a condition. */
void uv_cond_signal(uv_cond_t *condition)
{
    uv_cond_broadcast(condition);
}

static bool wait_unlocked(uv_cond_t *condition, uv_mutex_t *mutex, uint64_t until)
{
    bool woken;

    *lock_of(mutex) = 0;
    wake_all(mutex);
    if (--locks != 0) {
        give_up("a thread waits with another lock held");
    }
    woken = wait_for(condition, until);
    uv_mutex_lock(mutex);
    return woken;
}

void uv_cond_wait(uv_cond_t *condition, uv_mutex_t *mutex)
{
    (void)wait_unlocked(condition, mutex, NEVER);
}

int uv_cond_timedwait(uv_cond_t *condition, uv_mutex_t *mutex, uint64_t timeout)
{
    return wait_unlocked(condition, mutex, now + timeout) ? 0 : UV_ETIMEDOUT;
}

void uv_sleep(unsigned time)
{
    if (running == NULL) {
        give_up("the caller of threads_run() sleeps");
    }
    threads_sleep(time * MS);
}

/* A semaphore is a number that one thread waits for. */
static unsigned *number_of(uv_sem_t *semaphore)
{
    return (unsigned *)(void *)semaphore;
}

int uv_sem_init(uv_sem_t *semaphore, unsigned number)
{
    *number_of(semaphore) = number;
    return 0;
}

void uv_sem_destroy(uv_sem_t *semaphore)
{
    (void)semaphore;
}

void uv_sem_post(uv_sem_t *semaphore)
{
    ++*number_of(semaphore);
    wake_all(semaphore);
}

void uv_sem_wait(uv_sem_t *semaphore)
{
    while (*number_of(semaphore) == 0) {
        (void)wait_for(semaphore, NEVER);
    }
    --*number_of(semaphore);
}

/* ---- life ---- */

void threads_begin(uint64_t seed)
{
    for (size_t i = 0; i < THREADS_MAX; i++) {
        if (threads[i].used) {
            give_up("a thread was not waited for");
        }
    }
    now = 0;
    threads_end = 0;
    home_group = 0;
    memset(frozen_until, 0, sizeof frozen_until);
    memset(thaws_at, 0, sizeof thaws_at);
    turns.state = seed ^ 0x7475726e73;
    chances.state = seed ^ 0x6368616e6365;
    secrets.state = seed ^ 0x736563726574;
}

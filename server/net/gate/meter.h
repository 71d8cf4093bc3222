/* A meter of a thread's work. It cuts the work into parts: some account is charged for each, or
 * none. Each part ends with meter_take().
 *
 * The meter reads the machine's clock, which costs little. Other threads may have run instead of
 * this one in a part. So if a part took long, the meter also reads how long this thread has run. */
#ifndef METER_H
#define METER_H

#include <stdint.h>

#define METER_LONG UINT64_C(200000) /* ns */

struct meter {
    uint64_t (*clock)(void); /* ns of the machine */
    uint64_t (*ran)(void);   /* ns for which this thread has run */
    uint64_t taken_at;       /* on the machine's clock */
    uint64_t ran_at;         /* the thread's clock when it was last read, … */
    uint64_t since;          /* … and the sum of what was returned after that */
};

/* Begins the first part. */
void meter_init(struct meter *meter, uint64_t (*clock)(void), uint64_t (*ran)(void));

/* ns */
struct meter_part {
    uint64_t took; /* on the machine's clock */
    uint64_t ran;  /* of these, this thread ran for about so long */
};

/* Ends a part of the work and begins the next. */
struct meter_part meter_take(struct meter *meter);

/* Returns the ns for which the calling thread has run. */
uint64_t meter_thread(void);

#endif

/*
 * The clocks of the recorder. Reading the system's clock can take 50 ns, twice for each call, so
 * the processor's counter is read where the system's own clock is made of it.
 */
#include "recorder.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined __x86_64__
#include <x86intrin.h>
#define HAS_COUNTER 1
static uint64_t read_counter(void) {
    return __rdtsc();
}
#else
#define HAS_COUNTER 0
static uint64_t read_counter(void) {
    return 0;
}
#endif

enum { SHIFT = 32, CALIBRATION_NS = 10000000 };

static struct {
    int64_t begin_ns;
    uint64_t begin_count;
    uint64_t factor; /* ns of a count, times 2^SHIFT; 0: the system's clock is read */
} clocks;

static int64_t system_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t record_processor_ns(void) {
    return system_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t record_clock_begin_ns(void) {
    return clocks.begin_ns;
}

int64_t record_now_ns(void) {
    if (clocks.factor == 0) return system_ns(CLOCK_MONOTONIC) - clocks.begin_ns;
    const uint64_t count = read_counter() - clocks.begin_count;
    return (int64_t)((unsigned __int128)count * clocks.factor >> SHIFT);
}

void record_clock_start(void) {
    clocks.begin_ns = system_ns(CLOCK_MONOTONIC);
    clocks.begin_count = read_counter();
}

/* Returns whether the system trusts the counter of this processor. */
static bool is_trusted(void) {
    char name[16] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file == NULL) return false;
    const bool is_read = fgets(name, sizeof name, file) != NULL;
    fclose(file);
    return is_read && strncmp(name, "tsc", 3) == 0;
}

void record_clock_calibrate(void) {
    if (!HAS_COUNTER || !is_trusted()) return;
    int64_t ns;
    do
        ns = system_ns(CLOCK_MONOTONIC) - clocks.begin_ns;
    while (ns < CALIBRATION_NS);
    const uint64_t count = read_counter() - clocks.begin_count;
    if (count > 0) clocks.factor = (uint64_t)(((unsigned __int128)(uint64_t)ns << SHIFT) / count);
}

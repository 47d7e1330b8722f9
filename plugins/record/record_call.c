/*
 * The beginning and the end of a recorded call, and user regions.
 *
 * The time between two calls of a thread is its computation. A thread's processor time tells
 * computation from time without a processor, but asking for it takes longer than a short message.
 * So it is asked for after 200 us, and after each call that may have waited; in between, a thread
 * counts as running.
 */
#include "recorder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_NS = 200000,  /* processor time is asked for at least so often */
    WAITED_NS = 20000, /* a call this long may have given the processor to others */
    SHORT_NS = 10000   /* tests and probes with shorter gaps are put together */
};

static __thread struct {
    int depth;                            /* calls that are open; the outermost one is recorded */
    bool is_known;                        /* whether the thread has a number */
    uint32_t thread;                      /* number of the thread */
    int64_t exit_ns;                      /* end of the last call */
    int64_t asked_ns, asked_processor_ns; /* time and processor time when last asked for */
} self __attribute__((tls_model("initial-exec")));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool has_threads;
static uint32_t thread_count;

/* Failed tests and probes that are not written yet. */
static struct {
    uint32_t thread, count;
    recording_call call;
    bool is_short;
    int64_t gap_ns, processor_ns, duration_ns;
} polls;

void *record_library_function(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found != NULL) return found;
    fprintf(stderr, "anax record: the MPI library has no %s\n", name);
    abort();
}

void record_use_threads(void) {
    has_threads = true;
}

void record_lock(void) {
    if (has_threads) pthread_mutex_lock(&mutex);
}

void record_unlock(void) {
    if (has_threads) pthread_mutex_unlock(&mutex);
}

/* ---- begin and end ---- */

static void ask_processor_time(void) {
    self.asked_processor_ns = record_processor_ns();
    self.asked_ns = self.exit_ns = record_now_ns();
}

void record_call_start(void) {
    record_clock_start();
    self.asked_processor_ns = record_processor_ns();
}

/* Sets when a call begins, and how much of the time since the last one the thread had a processor.
 */
static void take_times(struct record_call *call) {
    call->enter_ns = record_now_ns();
    const int64_t gap_ns = call->enter_ns - self.exit_ns;
    if (gap_ns < LONG_NS) return;
    int64_t processor_ns = record_processor_ns() - self.asked_processor_ns;
    processor_ns -= self.exit_ns - self.asked_ns; /* it ran until the end of the last call */
    call->processor_ns = processor_ns < 0 ? 0 : processor_ns < gap_ns ? processor_ns : gap_ns;
}

static void number_thread(void) {
    self.is_known = true;
    self.thread = __atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
    if (self.thread == 0) return; /* its time counts from the beginning */
    ask_processor_time();
}

struct record_call record_call_enter(void) {
    struct record_call call = {.processor_ns = -1};
    if (self.depth++ > 0) return call;
    call.takes_part = record_stream_has_begun();
    if (!record_stream_is_open()) return call;
    if (!self.is_known) number_thread();
    call.is_recorded = true;
    if (has_threads) call.records = record_stream_records();
    take_times(&call);
    return call;
}

struct record_call record_call_enter_first(void) {
    struct record_call call = record_call_enter();
    take_times(&call);
    return call;
}

void record_call_include(struct record_call *call) {
    number_thread();
    call->is_recorded = call->takes_part = true;
}

void record_call_leave(const struct record_call *call) {
    (void)call;
    self.depth--;
}

static void write_polls(void) {
    if (polls.count == 0) return;
    record_clear_words();
    record_word((uint64_t)polls.call + (uint64_t)RECORDING_CALLS_LIMIT * polls.thread);
    record_word(RECORDING_POLLS);
    record_word(polls.count);
    record_append(polls.gap_ns, polls.processor_ns, polls.duration_ns);
    polls.count = 0;
}

void record_call_begin(const struct record_call *call, recording_call number) {
    record_lock();
    const bool is_overlapped = has_threads && record_stream_records() > call->records;
    if (polls.count > 0) write_polls();
    record_clear_words();
    record_word((uint64_t)number + (uint64_t)RECORDING_CALLS_LIMIT * self.thread);
    if (!is_overlapped) return;
    record_item(RECORDING_OVERLAP);
    record_word(record_stream_records() - call->records);
}

/* Notes the end of a call. What the recorder itself did after it counts for nothing. */
static void note_exit(const struct record_call *call) {
    self.exit_ns = record_now_ns();
    if (self.exit_ns - self.asked_ns >= LONG_NS || self.exit_ns - call->enter_ns >= WAITED_NS)
        ask_processor_time();
    self.depth--;
}

void record_call_end(const struct record_call *call) {
    const int64_t end_ns = record_now_ns();
    record_append(call->enter_ns - self.exit_ns, call->processor_ns, end_ns - call->enter_ns);
    record_unlock();
    note_exit(call);
}

void record_call_plain(const struct record_call *call, recording_call number) {
    if (!call->is_recorded) {
        record_call_leave(call);
        return;
    }
    record_call_begin(call, number);
    record_call_end(call);
}

void record_call_poll(const struct record_call *call, recording_call number) {
    const int64_t gap_ns = call->enter_ns - self.exit_ns;
    const int64_t duration_ns = record_now_ns() - call->enter_ns;
    const bool is_short = gap_ns < SHORT_NS;
    record_lock();
    if (polls.count > 0 && (!is_short || !polls.is_short || polls.thread != self.thread))
        write_polls();
    if (polls.count == 0) {
        polls.gap_ns = polls.duration_ns = 0;
        polls.processor_ns = call->processor_ns;
        polls.is_short = is_short;
        polls.thread = self.thread;
    }
    polls.call = number;
    polls.count++;
    polls.gap_ns += gap_ns;
    polls.duration_ns += duration_ns;
    record_unlock();
    note_exit(call);
}

void record_item(recording_item item) {
    record_word(item);
}

/* ---- user regions ---- */

enum { REGIONS = 1024, NAME_BYTES = 256 };

static struct {
    char *names[REGIONS];
    uint32_t count;
    uint32_t depth;
    uint32_t lost; /* regions that are open and not recorded */
} regions;

/* Returns the number of a region and defines a new one; REGIONS: there are too many. */
static uint32_t number_of(const char *name) {
    for (uint32_t i = 0; i < regions.count; i++)
        if (strncmp(regions.names[i], name, NAME_BYTES - 1) == 0) return i;
    const size_t length = strnlen(name, NAME_BYTES - 1);
    char *copy = regions.count < REGIONS ? strndup(name, length) : NULL;
    if (copy == NULL) return REGIONS;
    regions.names[regions.count] = copy;
    record_item(RECORDING_REGION);
    record_word(regions.count);
    record_word(length);
    for (size_t i = 0; i < length; i++)
        record_word((uint8_t)name[i]);
    return regions.count++;
}

void record_region_enter(const char *name) {
    struct record_call call = record_call_enter();
    if (!call.is_recorded || self.thread > 0) {
        record_call_leave(&call);
        return;
    }
    record_call_begin(&call, RECORDING_CALL_Mark);
    const uint32_t region = number_of(name);
    if (region < REGIONS) {
        record_item(RECORDING_ENTER);
        record_word(region);
        regions.depth++;
    } else {
        regions.lost++;
    }
    record_call_end(&call);
}

void record_region_leave(void) {
    struct record_call call = record_call_enter();
    if (!call.is_recorded || self.thread > 0) {
        record_call_leave(&call);
        return;
    }
    record_call_begin(&call, RECORDING_CALL_Mark);
    if (regions.lost > 0) {
        regions.lost--;
    } else if (regions.depth > 0) {
        record_item(RECORDING_LEAVE);
        regions.depth--;
    }
    record_call_end(&call);
}

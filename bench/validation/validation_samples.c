/*
 * The samples of a benchmark in a predicted timeline: each iteration of the first ranks is a
 * sample, and takes as long as its slowest rank. This is how [Blink] evaluates its benchmarks.
 *
 * Must not know how the timeline came about. Invariant: each of the ranks has each sample, or there
 * is no figure.
 */
#include "bench/support/run_cache.h"
#include "bench/validation/validation.h"
#include "traces/otf2/otf2_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct samples {
    const struct otf2_definitions *definitions;
    uint64_t *slowest_ticks; /* one for each sample */
    size_t count, capacity;
    size_t rank_count;    /* samples of the rank that is read */
    uint64_t begin_ticks; /* of the last one */
};

static bool is_iteration(const struct otf2_definitions *definitions, uint32_t id) {
    size_t region = otf2_definitions_find_region(definitions, id);
    return region < definitions->region_count &&
           strcmp(otf2_definitions_text(definitions, definitions->regions[region].name),
                  "iteration") == 0;
}

static void add_sample(struct samples *samples, uint64_t ticks) {
    if (samples->rank_count == samples->capacity) {
        size_t capacity = 2 * samples->capacity + 64;
        uint64_t *moved = realloc(samples->slowest_ticks, capacity * sizeof *moved);
        if (moved == NULL) cache_out_of_memory();
        samples->slowest_ticks = moved;
        samples->capacity = capacity;
    }
    if (samples->rank_count == samples->count) samples->slowest_ticks[samples->count++] = 0;
    uint64_t *slowest = &samples->slowest_ticks[samples->rank_count++];
    if (ticks > *slowest) *slowest = ticks;
}

static status_code take_event(void *context, const struct otf2_event *event,
                              struct status *status) {
    struct samples *samples = context;
    (void)status;
    if (event->kind != OTF2_EVENT_ENTER && event->kind != OTF2_EVENT_LEAVE) return STATUS_OK;
    if (!is_iteration(samples->definitions, event->region)) return STATUS_OK;
    if (event->kind == OTF2_EVENT_ENTER)
        samples->begin_ticks = event->ticks;
    else
        add_sample(samples, event->ticks - samples->begin_ticks);
    return STATUS_OK;
}

/* Reads the first ranks. False, with a message, when a rank lacks samples or on errors. */
static bool read_ranks(struct otf2_reader *reader, struct samples *samples, size_t ranks,
                       struct status *status) {
    size_t expected = 0;
    for (size_t rank = 0; rank < ranks; rank++) {
        uint64_t events = 0;
        samples->rank_count = 0;
        if (otf2_reader_read_events(reader, rank, take_event, samples, &events, status) !=
            STATUS_OK)
            return false;
        if (rank == 0) expected = samples->count;
        if (samples->rank_count == 0 || samples->rank_count != expected) {
            fprintf(stderr, "bench: rank %zu has %zu samples, and rank 0 has %zu\n", rank,
                    samples->rank_count, expected);
            return false;
        }
    }
    return true;
}

double validation_sample_s(const char *path, size_t ranks) {
    struct status status = STATUS_INIT;
    struct otf2_definitions definitions = {0};
    struct samples samples = {.definitions = &definitions};
    struct otf2_reader *reader = otf2_reader_open(path, &status);
    bool good = reader != NULL &&
                otf2_reader_read_definitions(reader, &definitions, &status) == STATUS_OK &&
                read_ranks(reader, &samples, ranks, &status);
    if (status.text != NULL) fprintf(stderr, "bench: %s: %s\n", path, status.text);
    double sum = 0;
    for (size_t i = 0; i < samples.count; i++)
        sum += (double)samples.slowest_ticks[i];
    const double ticks_per_second = (double)definitions.ticks_per_second;
    double mean_s = good ? sum / (double)samples.count / ticks_per_second : NAN;
    free(samples.slowest_ticks);
    otf2_definitions_clear(&definitions);
    otf2_reader_close(reader);
    status_clear(&status);
    return mean_s;
}

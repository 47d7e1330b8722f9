/*
 * The share of one process in the import of an archive: which ranks it reads, and the sums over all
 * processes of what each has counted. Must not know records.
 *
 * Invariant: shares follow each other in the order of ranks, so the first process that refuses the
 * archive is the one that has read the lowest rank for which it is refused.
 */
#include "traces/otf2/otf2_import.h"
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"

#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Returns what reading a rank costs: the events that its locations announce, and a little. */
static wide cost_of(const struct import_archive *archive, uint32_t rank) {
    wide cost = 1;
    for (uint32_t i = archive->first_location[rank]; i < archive->first_location[rank + 1]; i++)
        cost += archive->definitions.locations[archive->rank_locations[i]].event_count;
    return cost;
}

/* Returns the first rank before which the ranks make up `part` of `parts` equal parts of all
 * costs. */
static uint32_t rank_after(const struct import_archive *archive, unsigned part, unsigned parts,
                           wide all) {
    wide before = 0;
    uint32_t rank = 0;
    for (; rank < archive->rank_count && before * parts < all * part; rank++)
        before += cost_of(archive, rank);
    return rank;
}

struct import_share import_share_of(const struct import_archive *archive) {
    struct processes *processes = archive->config->processes;
    const unsigned count = processes_count(processes), number = processes_number(processes);
    wide all = 0;
    for (uint32_t rank = 0; rank < archive->rank_count; rank++)
        all += cost_of(archive, rank);
    return (struct import_share){.first = rank_after(archive, number, count, all),
                                 .end = rank_after(archive, number + 1, count, all),
                                 .has_others = number + 1 == count};
}

/* ---- sums ---- */

void import_sum_add_times(struct import_sum *sum, bool has_events, uint64_t first_ticks,
                          uint64_t last_ticks) {
    if (!has_events) return;
    if (!sum->has_events || first_ticks < sum->first_ticks) sum->first_ticks = first_ticks;
    if (!sum->has_events || last_ticks > sum->last_ticks) sum->last_ticks = last_ticks;
    sum->has_events = true;
}

/* All members of import_counts but the first are numbers. */
enum {
    COUNTS_BEGIN = offsetof(struct import_counts, sends_without_request),
    COUNTS = (sizeof(struct import_counts) - COUNTS_BEGIN) / sizeof(uint64_t)
};
static_assert(offsetof(struct import_counts, calls_without_record) == 0 &&
                  COUNTS_BEGIN == sizeof(uint64_t *) &&
                  COUNTS * sizeof(uint64_t) + COUNTS_BEGIN == sizeof(struct import_counts),
              "all counts are added up");

static void add_numbers(uint64_t *to, const uint64_t *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] += from[i];
}

void import_sum_add(struct import_sum *sum, const struct import_sum *part, size_t region_count) {
    add_numbers(sum->counts.calls_without_record, part->counts.calls_without_record, region_count);
    add_numbers(&sum->counts.sends_without_request, &part->counts.sends_without_request, COUNTS);
    sum->event_count += part->event_count;
    import_sum_add_times(sum, part->has_events, part->first_ticks, part->last_ticks);
}

/* Adds the counts of two processes. The first number of each says how many follow. */
static void add_counted(void *sum, const void *part) {
    const uint64_t *from = part;
    add_numbers((uint64_t *)sum + 1, from + 1, (size_t)from[0]);
}

static void add_times(void *sum, const void *part) {
    const struct import_sum *from = part;
    import_sum_add_times(sum, from->has_events, from->first_ticks, from->last_ticks);
}

status_code import_sum_processes(const struct import_archive *archive, struct import_sum *sum,
                                 struct status *status) {
    struct processes *processes = archive->config->processes;
    const size_t regions = archive->definitions.region_count;
    const size_t guesses = archive->guessed != NULL ? archive->rank_count : 0;
    const size_t count = regions + COUNTS + 1 + guesses;
    if (processes_count(processes) == 1) return STATUS_OK;
    uint64_t *numbers = memory_new(count + 1, sizeof *numbers);
    RETURN_ERROR_IF(numbers == NULL, status, STATUS_MEMORY, "out of memory for counts");
    uint64_t *calls = numbers + 1, *counts = calls + regions, *events = counts + COUNTS;
    numbers[0] = count;
    add_numbers(calls, sum->counts.calls_without_record, regions);
    add_numbers(counts, &sum->counts.sends_without_request, COUNTS);
    *events = sum->event_count;
    add_numbers(events + 1, archive->guessed, guesses);
    status_code code =
        processes_combine(processes, numbers, (count + 1) * sizeof *numbers, add_counted, status);
    if (code == STATUS_OK) {
        memcpy(sum->counts.calls_without_record, calls, regions * sizeof *calls);
        memcpy(&sum->counts.sends_without_request, counts, COUNTS * sizeof *counts);
        sum->event_count = *events;
        if (guesses > 0) memcpy(archive->guessed, events + 1, guesses * sizeof *events);
        code = processes_combine(processes, sum, sizeof *sum, add_times, status);
    }
    free(numbers);
    return code;
}

/*
 * Times of an archive: the clock, and the times that events may have.
 *
 * Must not know records. Rules:
 * - The times of a location never decrease: OTF2 does not write such times. If they do, the trace
 *   was damaged or a clock was corrected wrongly. A step back of at most a millisecond counts as no
 *   time; a longer one is refused.
 * - Score-P and anax state the span of all events in the clock properties. A time outside the span
 *   by more than a millisecond is refused; less is rounding. Other tools state the span of one
 *   process (EZTrace, TAU) or an arbitrary span: there, times outside are counted.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_timeline.h"

#include "core/base/compiler_hints.h"

#include <inttypes.h>
#include <string.h>

#define PICOSECONDS_PER_SECOND UINT64_C(1000000000000)

/* Computes the constants of a conversion. Every call has two times, and a division of 128 bits
 * takes as long as everything else for the call. So ticks · 10^12 / f is computed as ticks · whole
 * + ticks · rest / f. The estimate ticks · (rest · 2^64 / f) / 2^64 of the second part is right or
 * one too small. */
static struct import_clock clock_of(uint64_t ticks_per_second) {
    const unsigned __int128 f = ticks_per_second;
    uint64_t rest = PICOSECONDS_PER_SECOND % ticks_per_second;
    unsigned __int128 max = (unsigned __int128)INT64_MAX * f / PICOSECONDS_PER_SECOND;
    return (struct import_clock){.per_second = ticks_per_second,
                                 .whole_ps = PICOSECONDS_PER_SECOND / ticks_per_second,
                                 .rest = rest,
                                 .reciprocal = (uint64_t)(((unsigned __int128)rest << 64) / f),
                                 .max_ticks = max > UINT64_MAX ? UINT64_MAX : (uint64_t)max};
}

HINT_RARE status_code import_refuse_time(const struct import_archive *archive, uint64_t ticks,
                                         struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "a time of %" PRIu64 " clock ticks (%" PRIu64
                      " per second) is more than 106 days: the clock properties are damaged",
                      ticks, archive->clock.per_second);
}

/* Returns true if a clock may tick so often. The counters of processors and the clocks of systems
 * make 10^6 to 10^10 ticks per second. */
static bool is_frequency(const struct import_archive *archive, uint64_t frequency) {
    return frequency <= PICOSECONDS_PER_SECOND && (!archive->span.is_exact || frequency >= 100000);
}

static bool states_span(const struct import_archive *archive) {
    const char *creator = archive->definitions.creator;
    return creator != NULL && (strncmp(creator, "Score-P", 7) == 0 || strcmp(creator, "anax") == 0);
}

status_code import_archive_times(struct import_archive *archive, struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    uint64_t frequency = definitions->ticks_per_second;
    RETURN_ERROR_IF(frequency == 0, status, STATUS_INPUT,
                    "%s: the global definitions do not say how fast the clock ticks: they are "
                    "damaged or cut short",
                    archive->anchor_path);
    archive->span = (struct import_span){.length_ticks = UINT64_MAX,
                                         .slack_ticks = frequency / 1000,
                                         .is_exact = states_span(archive)};
    RETURN_ERROR_IF(!is_frequency(archive, frequency), status, STATUS_INPUT,
                    "%s: a clock of %" PRIu64
                    " ticks per second: the global definitions are damaged",
                    archive->anchor_path, frequency);
    uint64_t offset = definitions->global_offset_ticks, length = definitions->length_ticks;
    RETURN_ERROR_IF(archive->span.is_exact && length > UINT64_MAX - offset, status, STATUS_INPUT,
                    "%s: a trace that begins at clock tick %" PRIu64 " and is %" PRIu64
                    " ticks long: the global definitions are damaged",
                    archive->anchor_path, offset, length);
    if (length > 0 && length <= UINT64_MAX - offset) {
        archive->span.first_ticks = offset;
        archive->span.length_ticks = length;
    }
    archive->clock = clock_of(frequency);
    unsigned __int128 ticks = (unsigned __int128)(uint64_t)archive->config->polling_gap_ps *
                              frequency / PICOSECONDS_PER_SECOND;
    archive->polling_gap_ticks = ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
    return STATUS_OK;
}

static status_code refuse(const struct import_archive *archive, uint64_t by_ticks, const char *than,
                          struct status *status) {
    unsigned __int128 by_ms = (unsigned __int128)by_ticks * 1000 / archive->clock.per_second;
    return status_set(status, STATUS_INPUT,
                      "its time is %" PRIu64 " ms %s: the time stamp, the clock properties or the "
                      "clock's correction are damaged; copy or record the trace again",
                      (uint64_t)by_ms, than);
}

HINT_RARE status_code import_time_misfits(const struct import_archive *archive,
                                          struct import_counts *counts, uint64_t last_ticks,
                                          uint64_t *ticks, struct status *status) {
    const struct import_span *span = &archive->span;
    if (*ticks < last_ticks) {
        uint64_t back = last_ticks - *ticks;
        if (back > span->slack_ticks)
            return refuse(archive, back, "before the time of the previous event", status);
        counts->backward_times++;
        *ticks = last_ticks;
        return STATUS_OK;
    }
    bool is_early = *ticks < span->first_ticks;
    uint64_t by =
        is_early ? span->first_ticks - *ticks : *ticks - span->first_ticks - span->length_ticks;
    if (span->is_exact && by > span->slack_ticks)
        return refuse(archive, by,
                      is_early ? "before the start of the trace that the clock properties state"
                               : "after the end of the trace that the clock properties state",
                      status);
    counts->outer_times++;
    return STATUS_OK;
}

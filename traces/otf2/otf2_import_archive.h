/*
 * An archive whose definitions are read: its clock, communicators, regions and ranks.
 * otf2_import.h lists the files of the importer.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_ARCHIVE_H
#define ANAX_TRACES_OTF2_IMPORT_ARCHIVE_H

#include "traces/otf2/otf2_import_regions.h"
#include "traces/otf2/otf2_reader.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

struct import_communicator {
    uint32_t index; /* index in the program; PROGRAM_NONE: not a communicator of MPI */
    uint32_t size;  /* members; 1 with members NULL: each rank has a communicator of its own */
    const uint32_t *members;
    uint32_t remote_size; /* members of the remote group of an intercommunicator */
    const uint32_t *remote;
    bool is_global; /* true if records name indices of rank_of in place of numbers in the
                       communicator */
    bool is_empty;  /* true if the group has no members, so that records must not name the
                       communicator */
};

/* Constants that convert ticks to picoseconds without a division. */
struct import_clock {
    uint64_t per_second; /* ticks per second f: at least 1, below 2^63 */
    uint64_t whole_ps;   /* 10^12 / f */
    uint64_t rest;       /* 10^12 mod f */
    uint64_t reciprocal; /* rest * 2^64 / f, rounded down */
    uint64_t max_ticks;  /* longest time that fits in 63 bits of picoseconds */
};

/* The span of times that the clock properties state for the events. */
struct import_span {
    uint64_t first_ticks;
    uint64_t length_ticks; /* UINT64_MAX: not stated */
    uint64_t slack_ticks;  /* the largest deviation that counts as rounding */
    bool is_exact;         /* true if the tool is known to state the true span */
};

struct import_archive {
    const char *anchor_path;
    struct otf2_definitions definitions;
    const struct traces_config *config;
    struct import_clock clock;
    struct import_span span;
    struct program_builder *builder;
    uint32_t rank_count;
    struct import_region *regions;             /* one for each of definitions.regions */
    struct import_communicator *communicators; /* one for each of definitions.communicators */
    uint32_t *rank_of;        /* rank of each member of MPI's COMM_LOCATIONS group */
    uint32_t *group_members;  /* world ranks of the members of all groups, in the order of
                                 definitions.members */
    uint32_t *rank_locations; /* locations of rank r: [first_location[r]] … [first_location[r+1] -
                                 1], its master first; then the locations of no rank */
    uint32_t *first_location; /* rank_count + 2 entries */
    uint32_t *files;          /* of definitions.files: index in the program */
    uint32_t world;    /* index of the communicator of all ranks, if collectives are guessed */
    uint64_t *guessed; /* number of guessed collectives of each rank; NULL: none are guessed */
    uint64_t polling_gap_ticks;
    bool has_global;        /* true if some communicators are global */
    bool is_eztrace;        /* true for an archive of EZTrace, which states no creator */
    bool is_dumpi;          /* true for an archive of dumpi2otf2, which states no creator */
    bool records_arguments; /* true if records of collectives hold arguments of the call, where
                               Score-P's hold transferred bytes */
    bool states_notes; /* true if the archive states the notes of the program that it was written
                          from */
    bool miscounts;    /* true if the definitions announce wrong numbers of events */
};

/* Reads the definitions and carries out phase 1 of building. Clear the archive also after errors.
 */
status_code import_archive_read(struct import_archive *archive, const char *anchor_path,
                                const struct traces_config *config, struct status *status);
/* Finds the ranks, their locations, and the world ranks in each group. */
status_code import_archive_ranks(struct import_archive *archive, struct status *status);

/* Frees the definitions and what was found about them. */
void import_archive_clear(struct import_archive *archive);

/* Sets the clock and the span of an archive whose definitions are read and whose writer is known.
 */
status_code import_archive_times(struct import_archive *archive, struct status *status);
/* Sets the error for a duration that does not fit in picoseconds. */
status_code import_refuse_time(const struct import_archive *archive, uint64_t ticks,
                               struct status *status);

/* Converts a duration in ticks to picoseconds, rounded down. STATUS_INPUT: it does not fit. */
static inline status_code import_duration_ps(const struct import_archive *archive, uint64_t ticks,
                                             int64_t *duration_ps, struct status *status) {
    const struct import_clock *clock = &archive->clock;
    if (ticks > clock->max_ticks) return import_refuse_time(archive, ticks, status);
    uint64_t part = (uint64_t)((unsigned __int128)ticks * clock->reciprocal >> 64);
    /* This difference is below 2 f, so the subtraction modulo 2^64 gives its true value. */
    if (ticks * clock->rest - part * clock->per_second >= clock->per_second) part++;
    *duration_ps = (int64_t)(ticks * clock->whole_ps + part);
    return STATUS_OK;
}

/* Converts a time stamp to picoseconds since the start of the trace, which may be negative. */
static inline status_code import_time_ps(const struct import_archive *archive, uint64_t ticks,
                                         int64_t *time_ps, struct status *status) {
    uint64_t offset = archive->definitions.global_offset_ticks;
    bool before = ticks < offset;
    FORWARD_IF_ERROR(
        import_duration_ps(archive, before ? offset - ticks : ticks - offset, time_ps, status));
    if (before) *time_ps = -*time_ps;
    return STATUS_OK;
}

#endif

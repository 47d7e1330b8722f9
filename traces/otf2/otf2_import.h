/*
 * The OTF2 importer: its files, and what one process reads of an archive. Private to otf2_import*.c
 * and their tests. The headers of the importer are beside the source files of the same names.
 *
 *   otf2_import.c             all ranks: distributes them over threads, adds up counts, refuses
 *   otf2_import_share.c       the ranks that one of several processes reads, and sums over all
 *   otf2_import_archive.c     definitions -> clock, communicators, regions (phase 1 of building)
 *   otf2_import_ranks.c       definitions -> ranks: locations and groups
 *   otf2_import_regions.c     the class of each MPI call, by its name
 *   otf2_import_unrecorded.c  calls without a record: which stay, and what completes their requests
 *   otf2_import_times.c       the clock, and the times that events may have
 *   otf2_import_timeline.c    one location: nesting, recording switched off, order of threads
 *   otf2_import_rank.c        one rank: MPI calls and the time between them -> operations
 *   otf2_import_requests.c    one rank: messages and requests -> operations
 *   otf2_import_persistent.c  one rank: the modes of persistent sends
 *   otf2_import_matched.c     one rank: receives without a record -> operations
 *   otf2_import_rma.c         one rank: windows and one-sided operations -> operations
 *   otf2_import_locks.c       one rank: locks of windows -> operations
 *   otf2_import_global.c      records with global rank numbers -> numbers in the communicator
 *   otf2_import_files.c       one rank: reads and writes of files -> operations
 *   otf2_import_missing.c     the likely reason for a missing record that refuses an archive
 *   otf2_import_collective.c  collectives: recorded sizes -> sizes of the call
 *
 * Must not know: the OTF2 library, networks. Invariant: one thread imports a rank, uses only its
 * own state, and needs memory for the rank's program, not for its trace.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_H
#define ANAX_TRACES_OTF2_IMPORT_H

#include "traces/otf2/otf2_import_rank.h"

/* What was counted while locations were read. */
struct import_sum {
    struct import_counts counts;
    uint64_t event_count;
    uint64_t first_ticks;
    uint64_t last_ticks;
    bool has_events;
};

/* The ranks from `first` to before `end`, and perhaps the locations of no rank. */
struct import_share {
    uint32_t first, end;
    bool has_others;
};

/* Returns what this process reads of an archive that archive->config->processes read together. */
struct import_share import_share_of(const struct import_archive *archive);
/* Extends the times of a sum. */
void import_sum_add_times(struct import_sum *sum, bool has_events, uint64_t first_ticks,
                          uint64_t last_ticks);

/* Adds the sums of a part. */
void import_sum_add(struct import_sum *sum, const struct import_sum *part, size_t region_count);
/* Makes the sums of all processes, and the numbers of guessed collectives, known to each. */
status_code import_sum_processes(const struct import_archive *archive, struct import_sum *sum,
                                 struct status *status);

#endif

/*
 * Private parts of the OTF2 importer, for otf2_import*.c and their tests.
 *
 *   otf2_import.c             the whole: distributes ranks over threads, adds up counts, refuses
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
 *   otf2_import_rma.c      one rank: windows and one-sided operations -> operations
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

#include "traces/key_table.h"
#include "traces/otf2/otf2_reader.h"
#include "traces/program/builder/program_builder.h"
#include "traces/traces.h"

/* ---- regions ---- */

typedef enum import_class {
    IMPORT_USER,      /* not an MPI call */
    IMPORT_PLAIN,     /* its records, if any, say everything */
    IMPORT_ISEND,     /* posts sends */
    IMPORT_START,     /* posts persistent sends and receives */
    IMPORT_SEND_INIT, /* makes a persistent send */
    IMPORT_RECEIVE_INIT,
    IMPORT_IRECV,           /* posts a receive */
    IMPORT_RECEIVE,         /* receives before it returns */
    IMPORT_MATCHED_PROBE,   /* finds a message for a later IMPORT_MATCHED_RECEIVE */
    IMPORT_MATCHED_RECEIVE, /* receives a message that a matched probe found */
    IMPORT_WAIT,            /* completes requests */
    IMPORT_TEST,            /* completes requests or fails */
    IMPORT_FREE,            /* frees a request without completing it */
    IMPORT_PROBE,           /* finds a message or fails; the trace does not say which */
    IMPORT_RMA_SYNC,        /* completes one-sided operations */
    IMPORT_RMA_POST,        /* MPI_Win_post; the next three: MPI_Win_start, _complete, _wait */
    IMPORT_RMA_START,
    IMPORT_RMA_COMPLETE,
    IMPORT_RMA_WAIT,
    IMPORT_RMA_TEST,        /* MPI_Win_test: like MPI_Win_wait, or fails */
    IMPORT_COLLECTIVE,      /* a collective; without a record it is noted and costs nothing */
    IMPORT_COLLECTIVE_INIT, /* makes a persistent collective; noted if its starts leave no record */
    IMPORT_NOTED,           /* noted and costs nothing */
    IMPORT_INIT,
    IMPORT_FINALIZE
} import_class;

struct import_region {
    uint32_t region; /* index in the program's regions */
    uint8_t class;   /* an import_class */
    uint8_t send_flags;
    uint8_t starts;  /* 0; or IMPORT_STARTS_OTHER: starts a request without a record; or
                        IMPORT_STARTS_COLLECTIVE plus the program_collective_kind of the collective
                        that it starts without a record */
    bool waits_all;  /* true if the call waits for all its requests */
    const char *why; /* reason to note for calls without a record; NULL: they are not noted */
};

enum { IMPORT_STARTS_OTHER = 1, IMPORT_STARTS_COLLECTIVE = 2 };

enum { IMPORT_NAME_SIZE = 64 };

/* Writes the MPI call that a region name stands for, spelled as in the standard. Returns false if
 * the name is no MPI call. Tools also write MPI_Send(), PMPI_Send, MPI_SEND or mpi_send_. */
bool import_call_name(char call[IMPORT_NAME_SIZE], const char *name);

/* Returns what an MPI call means to the importer, by its name in the standard; .region is 0. */
struct import_region import_region_of(const char *name);

/* ---- the archive ---- */

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

/* ---- collectives ---- */

struct import_collective_call {
    uint32_t kind; /* a program_collective_kind */
    uint32_t size; /* members of the communicator; intercommunicator: members of the other group */
    uint32_t me;   /* number in the communicator */
    bool is_root;
    bool is_intercommunicator;
    bool is_arguments; /* true if the sizes are arguments of the call */
    otf2_in_place in_place;
    uint64_t sent; /* bytes as recorded */
    uint64_t received;
};

/* Sets *send_bytes and *receive_bytes as program_collective_arguments defines them. Returns
 * OPERATION_FLAG_COLLECTIVE_IN_PLACE or 0. If the call alone does not tell, returns 0: sealing
 * decides from all calls. */
unsigned import_collective_sizes(const struct import_collective_call *call, uint64_t *send_bytes,
                                 uint64_t *receive_bytes);

/* ---- one rank ---- */

/* Counts of what the importer could not carry over or had to assume. */
struct import_counts {
    uint64_t *calls_without_record; /* for each region; the ranks of one worker share the array */
    uint64_t sends_without_request;
    uint64_t lost_receives;    /* receives that were posted and never completed */
    uint64_t lost_collectives; /* non-blocking collectives that were started and never completed */
    uint64_t recording_gaps;
    uint64_t flushes;
    uint64_t unbalanced_regions;
    uint64_t backward_times;
    uint64_t outer_times;     /* times outside the span that the archive states */
    uint64_t drifting_clocks; /* locations with large clock corrections */
    uint64_t unknown_collectives;
    uint64_t started_collectives; /* persistent collectives started by MPI_Start */
    uint64_t starts_of_any_mode;  /* starts of persistent sends whose mode is not certain */
    uint64_t tested_sends;        /* sends, and parts in collectives, that tests found complete */
    uint64_t mpi_calls;
    uint64_t thread_calls; /* MPI calls of threads other than the master */
    uint64_t foreign_rma;  /* one-sided operations outside MPI calls */
    /* Records of each kind, to tell which records an EZTrace archive lacks. */
    uint64_t isends, isends_completed, irecvs, irecvs_completed;
};

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

/* The current MPI call of a thread. */
struct import_call {
    const struct import_region *region; /* entry of archive->regions */
    bool is_active;
    bool has_record;       /* of communication */
    bool has_file;         /* has a record of reading or writing a file */
    uint64_t enter_record; /* number of its ENTER record */
    uint64_t enter_ticks;
    uint64_t *completed; /* requests that the call has completed */
    size_t completed_count;
    size_t completed_capacity;
    uint64_t receive; /* receive reserved at the beginning of the call; BUILDER_NO_REQUEST: none */
    uint64_t collective; /* likewise; reserved when another thread called MPI meanwhile */
};

/* A persistent request whose id is not certain. */
struct import_recent {
    uint32_t flags;  /* flags of the send, or a mark for a receive */
    uint64_t starts; /* starts of the request that were taken for standard sends */
};

/* A test that left no record. */
struct import_test {
    const struct import_region *region; /* NULL: the last call was not a test */
    uint64_t enter_record;
    uint64_t enter_ticks;
    uint64_t leave_ticks;
};

/* Persistent requests of a rank (otf2_import_persistent.c). */
struct import_persistent {
    struct key_table known;       /* request -> flags of the send, or a mark for a receive */
    uint64_t last_id;             /* the largest id that is known to be assigned */
    struct import_recent *recent; /* requests made after last_id, oldest first; uncertain ids */
    size_t recent_count, recent_capacity;
    unsigned send_flags; /* flags of the latest persistent send */
    bool has_sends;
    bool is_mixed; /* true if the rank has made persistent sends of several modes */
};

/* A completion record whose request is not in flight. */
struct import_missing {
    const char *record; /* name of the record; NULL: nothing is missing */
    uint64_t event;     /* number of the record */
    uint64_t request;
};

struct import_rank {
    const struct import_archive *archive;
    uint32_t rank;
    bool is_concurrent;        /* true if several threads of the rank call MPI */
    struct import_call *calls; /* one for each thread; thread 0 is the master */
    uint32_t threads;
    uint32_t open; /* thread whose call is open in the builder; PROGRAM_NONE: none */
    struct import_counts *counts;
    /* The time outside MPI, of the master and of the thread that the rank follows. */
    uint32_t follows;     /* the one other thread that communicates alone; 0: the rank follows the
                             master only */
    uint32_t timed_calls; /* calls of these two threads that are open */
    bool clock_runs;
    bool is_finalized;
    uint64_t since_ticks;   /* the time is counted up to here */
    uint64_t gap_ticks;     /* time since the last MPI call */
    uint64_t compute_ticks; /* computation to append before the next operation */
    uint64_t marked_ticks;  /* computation before it, appended between marks of user regions */
    int64_t marked_ps;
    bool is_polling;        /* true in a run of tests and probes that have failed */
    bool is_probing;        /* true if a call of the run was a probe */
    uint64_t polling_ticks; /* short gaps between the calls of the run */
    /* Requests. */
    uint64_t *unnamed; /* receives posted without a request record, oldest first */
    size_t unnamed_first, unnamed_count, unnamed_capacity;
    uint64_t next_request; /* counter for ids that the importer makes */
    uint32_t *matched;     /* places of unrecorded receives of probes without a receive call so far,
                              oldest first */
    size_t matched_first, matched_count, matched_capacity;
    struct import_persistent persistent;
    uint64_t *rma_requests; /* one-sided operations not known to be complete, oldest first */
    size_t rma_first, rma_count, rma_capacity;
    uint64_t *positions;    /* file pointers, by the definitions' handles; NULL: no file was read or
                               written so far */
    struct key_table locks; /* locks that the rank holds (otf2_import_locks.c) */
    bool was_off;      /* true if recording was switched off earlier on one of the rank's threads */
    bool has_requests; /* true if the rank's receives have request records */
    bool has_freed;    /* true if the rank has freed requests, whose ids may come again */
    struct import_missing missing;
    /* Requests without a record that no call has completed yet, oldest first. The entry of a
     * guessed collective is its request; other entries are BUILDER_NO_REQUEST. */
    uint64_t *unrecorded;
    size_t unrecorded_first, unrecorded_count, unrecorded_capacity;
    uint32_t last_communicator; /* index of the communicator of the last recorded collective;
                                   PROGRAM_NONE: none */
    struct import_test test;    /* the latest test of a run of tests */
    uint8_t *sides; /* for each communicator: 0 not known yet, 1 not in the remote group, 2 in the
                       remote group; the ranks of one worker share the array */
};

/* Frees what the import of a rank holds. */
void import_rank_clear(struct import_rank *rank);
/* Starts the clock of the rank at the master's first event. */
void import_rank_start(struct import_rank *rank, uint64_t ticks);
/* Begins the outermost MPI region of a thread. number: number of the ENTER record. */
status_code import_call_begin(struct import_rank *rank, uint32_t thread, uint32_t region,
                              uint64_t number, uint64_t ticks, struct status *status);

/* Ends the outermost MPI region of a thread. */
status_code import_call_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                            struct status *status);
/* Imports a record inside the current call of a thread. */
status_code import_call_record(struct import_rank *rank, uint32_t thread,
                               const struct otf2_event *event, struct status *status);
/* Opens a call in the builder for operations of a thread's current call. */
status_code import_call_open(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                             struct status *status);
/* Ends a run of polls. succeeded: the run ended with a success. */
void import_end_polling(struct import_rank *rank, bool succeeded);
/* Appends the computation counted so far as an operation. */
status_code import_append_compute(struct import_rank *rank, struct status *status);

/* Enters a user region of the master outside MPI. */
status_code import_user_enter(struct import_rank *rank, uint32_t region, uint64_t ticks,
                              struct status *status);
/* Leaves the innermost user region of the master outside MPI. */
status_code import_user_leave(struct import_rank *rank, uint64_t ticks, struct status *status);

/* Stops the clock that counts computation. */
void import_clock_stop(struct import_rank *rank, uint64_t ticks);

/* Starts the clock that counts computation. */
void import_clock_start(struct import_rank *rank, uint64_t ticks);
/* Ends the rank after the last event of all its threads. */
status_code import_rank_finish(struct import_rank *rank, uint64_t ticks, struct status *status);

/* Imports a message in an open call (otf2_import_requests.c, as the next two functions). */
status_code import_message(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status);

/* Imports an event of a request in an open call. */
status_code import_request(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status);

/* Imports the end of a collective in an open call. */
status_code import_collective(struct import_rank *rank, struct import_call *call,
                              const struct otf2_event *event, struct status *status);
/* Imports a record of a window or of a one-sided operation in an open call (otf2_import_rma.c).
 */
status_code import_rma(struct import_rank *rank, struct import_call *call,
                       const struct otf2_event *event, struct status *status);
/* Imports a record of a file that MPI opened (otf2_import_files.c). The call is open if the record
 * begins an operation. handle, file: as otf2_definitions_find_handle gives them. */
status_code import_file(struct import_rank *rank, struct import_call *call,
                        const struct otf2_event *event, size_t handle, size_t file,
                        struct status *status);
struct import_rma_window {
    int32_t window_number; /* in the program */
    uint32_t communicator; /* index in the program */
    const uint32_t *members;
    uint32_t size;
};
/* Finds a window by its id. STATUS_INPUT: it is not defined. */
status_code import_find_window(const struct import_rank *rank, uint32_t id,
                               struct import_rma_window *window, struct status *status);
/* Posts a one-sided operation on a member of a window. member: below the window's size. */
status_code import_rma_post(struct import_rank *rank, const struct import_rma_window *window,
                            uint32_t member, int32_t tag, uint64_t bytes, unsigned flags,
                            uint64_t request, struct status *status);
/* Imports the request, the acquisition or the release of a lock (otf2_import_locks.c). */
status_code import_lock(struct import_rank *rank, const struct otf2_event *event,
                        struct status *status);
/* Completes one-sided operations at the end of a call that completes them, with or without a
 * record. */
status_code import_rma_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                           struct status *status);

/* Returns the record with numbers in the communicator: event itself, or *translated if event names
 * global ranks. A number that is not defined or names no member stays as it is. */
const struct otf2_event *import_local_numbers(const struct import_rank *rank,
                                              const struct otf2_event *event,
                                              struct otf2_event *translated);

/* Records that the request is complete at the end of the call. */
status_code import_complete(struct import_call *call, uint64_t request, struct status *status);
/* Sets *number to the index of a communicator. STATUS_INPUT: it is not a communicator of MPI. */
status_code import_find_communicator(const struct import_rank *rank, uint32_t id, size_t *number,
                                     struct status *status);
/* Reserves a non-blocking receive without a request record in the posting order. */
status_code import_unnamed_receive(struct import_rank *rank, struct status *status);
/* Returns true if the record completes a request that is not posted yet, or posts a request that is
 * not complete yet. Records of other threads with the same time stamp then come first. */
bool import_is_early(const struct import_rank *rank, const struct otf2_event *event);
/* Removes receives and collectives that never completed. */
status_code import_drop_reserved(struct import_rank *rank, struct status *status);
/* Returns a new request id, distinct from all ids in the trace. */
uint64_t import_new_request(struct import_rank *rank);
/* Returns the request id of a one-sided operation or of an access to a file. Archives may number
 * both from 1, as they number messages: the marks keep their ids apart from each other, from those
 * of messages and from those of import_new_request. */
#define IMPORT_RMA_MARK  (UINT64_C(2) << 61)
#define IMPORT_FILE_MARK (UINT64_C(3) << 61)
/* Returns the id of a request that the importer makes: a mark and a number below 2^61. */
static inline uint64_t import_marked_request(uint64_t mark, uint64_t number) {
    return mark | (number & ((UINT64_C(1) << 61) - 1));
}

/* Ends a call of IMPORT_MATCHED_PROBE or IMPORT_MATCHED_RECEIVE (otf2_import_matched.c). */
status_code import_matched_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                               struct status *status);

/* Sets the error for a rank whose missing record refuses the archive, with the likely reason
 * (otf2_import_missing.c). */
status_code import_refuse_missing(const struct import_rank *rank,
                                  const struct otf2_location *location, struct status *status);

/* Calls without a record (otf2_import_unrecorded.c). */
/* Returns what a call of this name starts, as in import_region.starts. */
uint8_t import_starts_unrecorded(const char *name, size_t length);
/* Finds the communicator of all ranks, if collectives are guessed. */
status_code import_prepare_guesses(struct import_archive *archive, struct status *status);
/* Ends a run of tests when the next call begins. The last test may have succeeded. */
status_code import_unrecorded_tested(struct import_rank *rank, uint32_t thread,
                                     struct status *status);
/* Ends a call: handles what it starts or completes without a record. *is_kept: the program keeps
 * the call even if nothing happens in it. Does nothing for a call with records, but none of files,
 * while no request without a record is in flight. */
status_code import_unrecorded(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                              bool *is_kept, struct status *status);
/* Checks that all ranks have guessed the same number of collectives, if each concerns all ranks. */
status_code import_check_guesses(const struct import_archive *archive, struct status *status);
/* Adds to an error of sealing that the guesses may be its cause. */
void import_blame_guesses(const struct import_archive *archive, struct status *status);
/* Records the number of guessed collectives and the rule of the guess. */
void import_record_guesses(const struct import_archive *archive);

/* Persistent requests (otf2_import_persistent.c). import_persistent_made ends a call that makes
 * one. */
status_code import_persistent_made(struct import_rank *rank, const struct import_region *region,
                                   struct status *status);
/* Records the id of a request that a call posts, persistent (in MPI_Start) or not. */
status_code import_persistent_seen(struct import_rank *rank, const struct import_region *region,
                                   uint64_t request, struct status *status);
/* Returns the mode of a persistent send. Counts the send if its mode is not certain; it is then a
 * standard send. */
unsigned import_persistent_flags(struct import_rank *rank, uint64_t request);
/* Counts the starts that are still not certain after the last event. */
void import_persistent_finish(struct import_rank *rank);

/* Frees what is known of persistent requests. */
void import_persistent_clear(struct import_persistent *persistent);

/* ---- one location ---- */

struct import_timeline {
    struct import_rank *rank;
    uint32_t thread; /* 0: the master, whose events are carried out at once */
    uint32_t *stack; /* open regions: twice the index in archive->regions, plus 1 for a user region
                        of which the program has a mark */
    size_t depth;
    size_t stack_capacity;
    size_t mpi_depth; /* MPI regions in stack */
    bool was_off;     /* true if recording was switched off earlier */
    /* true if it has events, and no event of another thread comes before the next: */
    bool is_plain;
    bool has_events;
    uint64_t first_ticks;
    uint64_t last_ticks;
    struct import_counts *counts;
    /* For threads other than the master: MPI events, to carry out in time with the master. */
    struct import_delayed *delayed; /* shared by the timelines of a rank */
};

struct import_delayed_event {
    struct otf2_event event; /* ENTER, LEAVE: .region is the index in archive->regions */
    uint32_t thread;
};

struct import_delayed {
    struct import_delayed_event *events;
    size_t count;
    size_t capacity;
    size_t next; /* first event that is not carried out yet */
};

/* Returns true if an event may have this time. last_ticks: the latest time of its location so far.
 */
static inline bool import_time_fits(const struct import_archive *archive, uint64_t ticks,
                                    uint64_t last_ticks) {
    return ticks >= last_ticks && ticks - archive->span.first_ticks <= archive->span.length_ticks;
}
/* Handles a time that does not fit: corrects *ticks and counts it, or refuses the archive. */
status_code import_time_misfits(const struct import_archive *archive, struct import_counts *counts,
                                uint64_t last_ticks, uint64_t *ticks, struct status *status);

/* The otf2_event_sink of a location; context: import_timeline. */
status_code import_timeline_event(void *timeline, const struct otf2_event *event,
                                  struct status *status);
/* Closes all open regions after the last event. STATUS_INPUT: the location ends inside an MPI call.
 */
status_code import_timeline_finish(struct import_timeline *timeline, struct status *status);
/* Returns true for a record of communication, except for handles (MPI_Init leaves such records). */
bool import_is_communication(const struct otf2_event *event);
/* Returns the only thread besides the master that communicates; 0 if none or several do. */
uint32_t import_delayed_caller(const struct import_delayed *delayed);
/* Sorts the events of the other threads by time. Call before the master's timeline is read. */
status_code import_delayed_sort(struct import_delayed *delayed, struct status *status);
/* Carries out the remaining events of the other threads. */
status_code import_delayed_flush(struct import_rank *rank, struct import_delayed *delayed,
                                 struct status *status);

#endif

/*
 * One rank of an archive: its MPI calls, its messages and requests, and the time between them.
 * otf2_import.h lists the files of the importer.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_RANK_H
#define ANAX_TRACES_OTF2_IMPORT_RANK_H

#include "traces/key_table.h"
#include "traces/otf2/otf2_import_archive.h"

/* Counts of what the importer could not carry over or had to assume. All members but the first are
 * uint64_t: otf2_import_share.c adds them up and exchanges them as one array. */
struct import_counts {
    uint64_t *calls_without_record; /* for each region; the ranks of one worker share the array */
    uint64_t sends_without_request; /* non-blocking sends whose record names no request */
    uint64_t lost_receives;         /* receives that were posted and never completed */
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
    uint32_t flags;  /* flags of the send; a number above all of these for a receive */
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
    struct key_table known;       /* request -> flags, as in struct import_recent */
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

/* In which group of an intercommunicator a rank is. */
typedef enum import_side { IMPORT_SIDE_UNKNOWN, IMPORT_SIDE_LOCAL, IMPORT_SIDE_REMOTE } import_side;

/* A rank while it is imported. */
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
    uint8_t *sides; /* for each communicator an import_side; the ranks of one worker share the
                       array */
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
/* Appends the computation counted so far as an operation, if there is any. STATUS_INPUT: it does
 * not fit in picoseconds. */
status_code import_append_compute(struct import_rank *rank, struct status *status);

/* Enters a user region of the master outside MPI. */
status_code import_user_enter(struct import_rank *rank, uint32_t region, uint64_t ticks,
                              struct status *status);
/* Leaves the innermost user region of the master outside MPI. */
status_code import_user_leave(struct import_rank *rank, uint64_t ticks, struct status *status);

/* Stops the clock that counts the time outside MPI, and counts the time up to `ticks`. */
void import_clock_stop(struct import_rank *rank, uint64_t ticks);

/* Starts the clock that counts the time outside MPI, unless a timed thread is in a call or
 * MPI_Finalize has ended. */
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
/* A window as the rank sees it. */
struct import_rma_window {
    int32_t window_number;   /* in the program */
    uint32_t communicator;   /* index in the program */
    const uint32_t *members; /* world ranks; NULL: the rank alone */
    uint32_t size;           /* number of members */
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
/* Marks of the request ids of one-sided operations and of accesses to files. Archives may number
 * both from 1, as they number messages. The marks keep their ids apart from each other, from those
 * of messages and from those of import_new_request. */
#define IMPORT_RMA_MARK  (UINT64_C(2) << 61)
#define IMPORT_FILE_MARK (UINT64_C(3) << 61)
/* Returns the request id of a mark and of the number that the archive has for the request. */
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

/* Persistent requests (otf2_import_persistent.c). */
/* Ends a call that makes a persistent request. STATUS_MEMORY. */
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

#endif

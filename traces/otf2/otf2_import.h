/*
 * The parts of the OTF2 importer, for otf2_import*.c and their tests only.
 *
 *   otf2_import.c             the whole: ranks shared out among threads, sums, refusals
 *   otf2_import_archive.c     definitions -> clock, communicators, regions (phase 1 of building)
 *   otf2_import_ranks.c       definitions -> ranks: locations and groups
 *   otf2_import_regions.c     what each MPI call means to the importer, by its name
 *   otf2_import_unrecorded.c  calls that leave no record: which are kept, and what completes them
 *   otf2_import_times.c       the clock, and which times of events there may be
 *   otf2_import_timeline.c    one location: nesting, recording switched off, order of threads
 *   otf2_import_rank.c        one rank: MPI calls and the time between them -> operations
 *   otf2_import_requests.c    one rank: messages and requests -> operations
 *   otf2_import_matched.c     one rank: receives that leave no record -> operations
 *   otf2_import_remote.c      one rank: windows and one-sided operations -> operations
 *   otf2_import_locks.c       one rank: locks of windows -> operations
 *   otf2_import_global.c      records that number ranks globally -> numbers in the communicator
 *   otf2_import_missing.c     why a record may be missing, where that refuses an archive
 *   otf2_import_collective.c  collectives: recorded sizes -> the sizes they were called with
 *
 * Must not know: the OTF2 library, networks. Invariant: a rank is imported by one thread, touches
 * only its own state, and needs memory for its program, not for its trace.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_H
#define ANAX_TRACES_OTF2_IMPORT_H

#include "traces/key_table.h"
#include "traces/otf2/otf2_reader.h"
#include "traces/program/program_builder.h"
#include "traces/traces.h"

/* ---- regions ---- */

typedef enum import_class {
    IMPORT_USER,      /* not MPI */
    IMPORT_PLAIN,     /* its records, if any, say all */
    IMPORT_ISEND,     /* posts sends */
    IMPORT_START,     /* posts persistent sends and receives */
    IMPORT_SEND_INIT, /* makes a persistent send */
    IMPORT_RECEIVE_INIT,
    IMPORT_IRECV,           /* posts a receive */
    IMPORT_RECEIVE,         /* receives before it returns */
    IMPORT_MATCHED_PROBE,   /* finds a message for one of the next */
    IMPORT_MATCHED_RECEIVE, /* receives a message that was found before */
    IMPORT_WAIT,            /* completes requests */
    IMPORT_TEST,            /* completes requests or fails */
    IMPORT_FREE,            /* gives up a request */
    IMPORT_PROBE,           /* finds a message or fails; the trace does not say which */
    IMPORT_REMOTE_SYNC,     /* completes one-sided operations */
    IMPORT_REMOTE_POST,     /* MPI_Win_post, _start, _complete and _wait */
    IMPORT_REMOTE_START,
    IMPORT_REMOTE_COMPLETE,
    IMPORT_REMOTE_WAIT,
    IMPORT_REMOTE_TEST,     /* MPI_Win_test: as _wait, or fails */
    IMPORT_COLLECTIVE,      /* costs nothing, and is noted, if it left no record */
    IMPORT_COLLECTIVE_INIT, /* the same, if what starts it left no record */
    IMPORT_NOTED,           /* as IMPORT_COLLECTIVE */
    IMPORT_INIT,
    IMPORT_FINALIZE
} import_class;

struct import_region {
    uint32_t region; /* of the program */
    uint8_t class;   /* import_class */
    uint8_t send_flags;
    uint8_t starts;  /* 0, or IMPORT_STARTS_OTHER: a request, without a record of it; or
                        IMPORT_STARTS_COLLECTIVE plus its program_collective_kind */
    bool waits_all;  /* for all the requests it is given */
    const char *why; /* what to note about calls that leave no record; NULL: nothing */
};

enum { IMPORT_STARTS_OTHER = 1, IMPORT_STARTS_COLLECTIVE = 2 };

enum { IMPORT_NAME_SIZE = 64 };

/* The name of the MPI call that a region is, as the standard writes it; false if it is none. Tools
 * write MPI_Send(), PMPI_Send, MPI_SEND or mpi_send_ too. */
bool import_call_name(char call[IMPORT_NAME_SIZE], const char *name);

/* By the name of a region of MPI; .region is left 0. */
struct import_region import_region_of(const char *name);

/* ---- the archive ---- */

struct import_communicator {
    uint32_t index; /* in the program; PROGRAM_NONE: not of MPI */
    uint32_t size;  /* 1 and members NULL: every rank for itself */
    const uint32_t *members;
    uint32_t remote_size; /* of an intercommunicator */
    const uint32_t *remote;
    bool is_global; /* records name places in rank_of */
    bool is_empty;  /* nobody is in it: nothing can happen on it */
};

/* What turns ticks into picoseconds without a division. */
struct import_clock {
    uint64_t per_second; /* f: at least 1, below 2^63 */
    uint64_t whole_ps;   /* 10^12 / f */
    uint64_t rest;       /* 10^12 mod f */
    uint64_t reciprocal; /* rest * 2^64 / f */
    uint64_t most_ticks; /* longer times do not fit */
};

/* The times that the clock properties leave to events. */
struct import_span {
    uint64_t first_ticks;
    uint64_t length_ticks; /* UINT64_MAX: they do not say */
    uint64_t slack_ticks;  /* what rounding may explain */
    bool is_exact;         /* the tool is known to state them as they are */
};

struct import_archive {
    const char *anchor_path;
    struct otf2_definitions definitions;
    const struct traces_config *config;
    struct import_clock clock;
    struct import_span span;
    struct program_builder *builder;
    uint32_t rank_count;
    struct import_region *regions;             /* as definitions.regions */
    struct import_communicator *communicators; /* as definitions.communicators */
    uint32_t *rank_of;        /* per member of MPI's COMM_LOCATIONS group: the rank */
    uint32_t *group_members;  /* world ranks; of MPI's groups, one after another */
    uint32_t *rank_locations; /* locations of rank r: from first_location[r] to first_location[r+1],
                                 its master first; at the end those of no rank */
    uint32_t *first_location; /* rank_count + 2 entries */
    uint32_t world;    /* number of the communicator of all ranks, if collectives are guessed */
    uint64_t *guessed; /* per rank: how many; NULL if they are not */
    uint64_t polling_gap_ticks;
    bool has_global;        /* some communicators are global */
    bool is_eztrace;        /* these two have no creator */
    bool is_dumpi;          /* written by dumpi2otf2 */
    bool records_arguments; /* of collectives, where Score-P records what would travel */
    bool states_notes;      /* it says what the program it is of has noted */
    bool miscounts;         /* its definitions announce wrong numbers of events */
};

/* Reads the definitions and carries out phase 1. Clear also after errors. */
status_code import_archive_read(struct import_archive *archive, const char *anchor_path,
                                const struct traces_config *config, struct status *status);
/* The ranks, their locations, and who is in which group. */
status_code import_archive_ranks(struct import_archive *archive, struct status *status);
void import_archive_clear(struct import_archive *archive);

/* The clock and the span of an archive whose definitions are read and whose writer is known. */
status_code import_archive_times(struct import_archive *archive, struct status *status);
status_code import_refuse_time(const struct import_archive *archive, uint64_t ticks,
                               struct status *status);

static inline status_code import_duration_ps(const struct import_archive *archive, uint64_t ticks,
                                             int64_t *duration_ps, struct status *status) {
    const struct import_clock *clock = &archive->clock;
    if (ticks > clock->most_ticks) return import_refuse_time(archive, ticks, status);
    uint64_t part = (uint64_t)((unsigned __int128)ticks * clock->reciprocal >> 64);
    /* Below 2 f, so it may be found modulo 2^64. */
    if (ticks * clock->rest - part * clock->per_second >= clock->per_second) part++;
    *duration_ps = (int64_t)(ticks * clock->whole_ps + part);
    return STATUS_OK;
}

/* Since the trace's start; signed. */
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
    uint32_t kind; /* program_collective_kind */
    uint32_t size; /* of the communicator; of an intercommunicator: of the other group */
    uint32_t me;   /* number in the communicator */
    bool is_root;
    bool is_intercommunicator;
    bool is_arguments; /* what is recorded */
    otf2_in_place in_place;
    uint64_t sent; /* as recorded */
    uint64_t received;
};

/* Sets *send_bytes and *receive_bytes as program_collective_arguments wants them; returns
 * PROGRAM_IN_PLACE or 0. What one call leaves open is taken not to be in place: sealing decides,
 * out of all calls. */
unsigned import_collective_sizes(const struct import_collective_call *call, uint64_t *send_bytes,
                                 uint64_t *receive_bytes);

/* ---- one rank ---- */

/* What could not be carried over. */
struct import_counts {
    uint64_t *calls_without_record; /* per region; shared by the ranks of one worker */
    uint64_t sends_without_request;
    uint64_t lost_receives;    /* posted, never completed */
    uint64_t lost_collectives; /* the same */
    uint64_t recording_gaps;
    uint64_t flushes;
    uint64_t unbalanced_regions;
    uint64_t backward_times;
    uint64_t outer_times;     /* outside the span that the archive states */
    uint64_t drifting_clocks; /* locations whose clocks were corrected by much */
    uint64_t unknown_collectives;
    uint64_t started_collectives; /* persistent ones, by MPI_Start */
    uint64_t starts_of_any_mode;  /* persistent sends whose mode is not certain */
    uint64_t tested_sends;        /* found complete by tests, parts in collectives included */
    uint64_t mpi_calls;
    uint64_t thread_calls;   /* of other threads than the masters */
    uint64_t foreign_remote; /* one-sided operations outside MPI calls */
    /* Records by kind, to tell what an EZTrace archive lacks. */
    uint64_t isends, isends_completed, irecvs, irecvs_completed;
};

/* An MPI call under way on one thread. */
struct import_call {
    const struct import_region *region; /* of archive->regions */
    bool is_active;
    bool has_record;
    uint64_t number; /* of its ENTER record */
    uint64_t enter_ticks;
    uint64_t *completed; /* requests it has completed */
    size_t completed_count;
    size_t completed_capacity;
    uint64_t receive; /* reserved at its start; BUILDER_NO_REQUEST: none */
};

/* A persistent request whose id is not certain. */
struct import_recent {
    uint32_t flags;  /* of the send, or that it is a receive */
    uint64_t starts; /* taken for a standard send so often */
};

/* A test that left no record. */
struct import_test {
    const struct import_region *region; /* NULL: the last call was no test */
    uint64_t number;
    uint64_t enter_ticks;
    uint64_t leave_ticks;
};

/* Persistent requests of a rank (otf2_import_persistent.c). */
struct import_persistent {
    struct key_table known;       /* request -> flags of the send, or that it is a receive */
    uint64_t last_id;             /* the ids up to here are given away */
    struct import_recent *recent; /* made since, oldest first: their ids are not certain */
    size_t recent_count, recent_capacity;
    unsigned send_flags; /* of the latest send */
    bool has_sends;
    bool is_mixed; /* there were sends of several modes */
};

/* The completion of a request that is not under way. */
struct import_missing {
    const char *record; /* what completes it; NULL: there is none */
    uint64_t event;     /* its number */
    uint64_t request;
};

struct import_rank {
    const struct import_archive *archive;
    uint32_t rank;
    bool is_concurrent;        /* several of its threads call MPI */
    struct import_call *calls; /* per thread; 0 is the master */
    uint32_t open;             /* whose call is open in the builder; PROGRAM_NONE: nobody's */
    struct import_counts *counts;
    /* The time outside MPI, of the master and the thread that the rank follows. */
    uint32_t follows; /* the thread that alone communicates; 0 if there is none but the master */
    uint32_t timed_calls; /* under way on these two */
    bool clock_runs;
    bool is_finalized;
    uint64_t since_ticks;   /* counted up to here */
    uint64_t gap_ticks;     /* since the last MPI call */
    uint64_t compute_ticks; /* to be appended before the next operation */
    bool is_polling;        /* the last calls failed to find anything */
    bool is_probing;        /* one of them was a probe */
    uint64_t polling_ticks; /* short gaps between them */
    /* Requests. */
    uint64_t *unnamed; /* receives posted without a request record, oldest first */
    size_t unnamed_first, unnamed_count, unnamed_capacity;
    uint64_t next_request; /* for ids of our own */
    uint32_t *matched; /* unrecorded receives of probes without a receive so far, oldest first */
    size_t matched_first, matched_count, matched_capacity;
    struct import_persistent persistent;
    uint64_t *remote; /* one-sided operations not known to be complete, oldest first */
    size_t remote_first, remote_count, remote_capacity;
    struct key_table locks; /* those it holds (otf2_import_locks.c) */
    bool was_off;           /* recording was switched off before, on one of its threads */
    bool has_requests;      /* the rank's receives have request records */
    bool has_freed;         /* it gave up requests, whose ids may come again */
    struct import_missing missing;
    /* Requests without a record that no call has completed yet, oldest first: those of collectives
     * that are guessed, and BUILDER_NO_REQUEST. */
    uint64_t *unrecorded;
    size_t unrecorded_first, unrecorded_count, unrecorded_capacity;
    uint32_t last_communicator; /* number of that of the last collective; PROGRAM_NONE */
    struct import_test test;    /* the latest of a run */
    uint8_t *sides; /* per communicator: 0 not asked yet, 1 member of the group, 2 of the
                       remote group, 3 of neither; shared by the ranks of one worker */
};

void import_rank_clear(struct import_rank *rank);
/* The master's first event. */
void import_rank_start(struct import_rank *rank, uint64_t ticks);
/* The outermost MPI region of a thread begins (in record `number`) and ends. */
status_code import_call_begin(struct import_rank *rank, uint32_t thread, uint32_t region,
                              uint64_t number, uint64_t ticks, struct status *status);
status_code import_call_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                            struct status *status);
/* A record inside it. */
status_code import_call_record(struct import_rank *rank, uint32_t thread,
                               const struct otf2_event *event, struct status *status);
/* Opens the builder's call for operations of a thread's call. */
status_code import_call_open(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                             struct status *status);
/* A run of polls ends, with success or without. */
void import_end_polling(struct import_rank *rank, bool succeeded);
/* The computation so far is an operation. */
status_code import_append_compute(struct import_rank *rank, struct status *status);
/* User regions of the master outside MPI. */
status_code import_user_enter(struct import_rank *rank, uint32_t region, uint64_t ticks,
                              struct status *status);
status_code import_user_leave(struct import_rank *rank, uint64_t ticks, struct status *status);
/* What passes is not the application's time. */
void import_clock_stop(struct import_rank *rank, uint64_t ticks);
void import_clock_start(struct import_rank *rank, uint64_t ticks);
/* After the last event of all threads. */
status_code import_rank_finish(struct import_rank *rank, uint64_t ticks, struct status *status);

/* Messages and requests (otf2_import_requests.c), inside an open call. */
status_code import_message(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status);
status_code import_request(struct import_rank *rank, struct import_call *call,
                           const struct otf2_event *event, struct status *status);
status_code import_collective(struct import_rank *rank, struct import_call *call,
                              const struct otf2_event *event, struct status *status);
/* Windows and one-sided operations (otf2_import_remote.c), inside an open call. */
status_code import_remote(struct import_rank *rank, struct import_call *call,
                          const struct otf2_event *event, struct status *status);
struct import_window {
    int32_t number;
    uint32_t communicator; /* in the program */
    const uint32_t *members;
    uint32_t size;
};
status_code import_find_window(const struct import_rank *rank, uint32_t id,
                               struct import_window *window, struct status *status);
/* A one-sided operation on a window's member (< size). */
status_code import_remote_post(struct import_rank *rank, const struct import_window *window,
                               uint32_t member, int32_t tag, uint64_t bytes, unsigned flags,
                               uint64_t request, struct status *status);
status_code import_lock(struct import_rank *rank, const struct otf2_event *event,
                        struct status *status);
/* A call that completes them is over, whether it left records or not. */
status_code import_remote_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                              struct status *status);

/* The record, or *translated, in which the ranks of global communicators are numbers in these; what
 * is not defined, or names nobody, stays as it is. */
const struct otf2_event *import_local_numbers(const struct import_rank *rank,
                                              const struct otf2_event *event,
                                              struct otf2_event *translated);

/* The request is complete when the call is over. */
status_code import_complete(struct import_call *call, uint64_t request, struct status *status);
/* Where the world ranks of a communicator's own group are; refuses communicators that are not
 * MPI's. */
status_code import_find_communicator(const struct import_rank *rank, uint32_t id, size_t *number,
                                     struct status *status);
/* A non-blocking receive without a request record: keeps its place in the posting order. */
status_code import_unnamed_receive(struct import_rank *rank, struct status *status);
/* Does the record complete a request that is not posted yet, or post one that is not complete yet?
 * Then records of other threads at the same time come first. */
bool import_is_early(const struct import_rank *rank, const struct otf2_event *event);
/* Receives and collectives that never complete vanish. */
status_code import_drop_reserved(struct import_rank *rank, struct status *status);
uint64_t import_new_request(struct import_rank *rank);

/* A call of IMPORT_MATCHED_PROBE or IMPORT_MATCHED_RECEIVE is over (otf2_import_matched.c). */
status_code import_matched_end(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                               struct status *status);

/* Sets the error of a rank that was refused for what is missing, with the likely reason
 * (otf2_import_missing.c). */
status_code import_refuse_missing(const struct import_rank *rank,
                                  const struct otf2_location *location, struct status *status);

/* Calls without a record (otf2_import_unrecorded.c). */
/* What a call of that name starts, as in import_region. */
uint8_t import_starts_unrecorded(const char *name, size_t length);
/* If collectives are to be guessed: finds the communicator of all ranks. */
status_code import_prepare_guesses(struct import_archive *archive, struct status *status);
/* A call begins: if tests came before it, they may have ended with one that succeeded. */
status_code import_unrecorded_tested(struct import_rank *rank, uint32_t thread,
                                     struct status *status);
/* A call ends: what it starts or completes without a record. *is_kept: the program keeps it, even
 * if nothing happens in it. */
status_code import_unrecorded(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                              bool *is_kept, struct status *status);
/* Whether all ranks have guessed as many collectives, where all take part in all. */
status_code import_check_guesses(const struct import_archive *archive, struct status *status);
/* Says with an error of sealing that they may be the cause. */
void import_blame_guesses(const struct import_archive *archive, struct status *status);
/* Notes them, and how they were guessed. */
void import_note_guesses(const struct import_archive *archive);

/* Persistent requests (otf2_import_persistent.c). A call that makes one is over. */
status_code import_persistent_made(struct import_rank *rank, const struct import_region *region,
                                   struct status *status);
/* A request is posted by a call, persistent (in MPI_Start) or not. */
status_code import_persistent_seen(struct import_rank *rank, const struct import_region *region,
                                   uint64_t request, struct status *status);
/* The mode of a persistent send; counts it if it is not certain (then: a standard send). */
unsigned import_persistent_flags(struct import_rank *rank, uint64_t request);
/* After the last event: what is not certain by now never will be. */
void import_persistent_finish(struct import_rank *rank);
void import_persistent_clear(struct import_persistent *persistent);

/* ---- one location ---- */

struct import_timeline {
    struct import_rank *rank;
    uint32_t thread; /* 0: the master, whose events are carried out at once */
    uint32_t
        *stack; /* open regions: index in archive->regions, twice, plus 1 if it was passed on */
    size_t depth;
    size_t stack_capacity;
    size_t mpi_depth; /* MPI regions among them */
    bool was_off;     /* recording was switched off before */
    bool has_events;
    uint64_t first_ticks;
    uint64_t last_ticks;
    struct import_counts *counts;
    /* Other threads: what concerns MPI, to be carried out in time with the master. */
    struct import_delayed *delayed; /* shared by a rank's timelines */
};

struct import_delayed_event {
    struct otf2_event event; /* ENTER, LEAVE: .region is the index in archive->regions */
    uint32_t thread;
};

struct import_delayed {
    struct import_delayed_event *events;
    size_t count;
    size_t capacity;
    size_t next; /* not carried out yet */
};

/* Whether the time of an event may be, after last_ticks, the latest of its location so far. */
static inline bool import_time_fits(const struct import_archive *archive, uint64_t ticks,
                                    uint64_t last_ticks) {
    return ticks >= last_ticks && ticks - archive->span.first_ticks <= archive->span.length_ticks;
}
/* Of one that does not: what to take *ticks for, counted, or the refusal. */
status_code import_time_misfits(const struct import_archive *archive, struct import_counts *counts,
                                uint64_t last_ticks, uint64_t *ticks, struct status *status);

/* An otf2_event_sink; context: import_timeline. */
status_code import_timeline_event(void *timeline, const struct otf2_event *event,
                                  struct status *status);
/* After the last event: closes what is open. */
status_code import_timeline_finish(struct import_timeline *timeline, struct status *status);
/* Is it a record of communication, other than of a handle (as MPI_Init leaves them)? */
bool import_communicates(const struct otf2_event *event);
/* The one of the other threads that communicates; 0 if none or several do. */
uint32_t import_delayed_caller(const struct import_delayed *delayed);
/* Sorts what the other threads did by time. Call before the master's timeline is read. */
status_code import_delayed_sort(struct import_delayed *delayed, struct status *status);
/* Carries out what is left. */
status_code import_delayed_flush(struct import_rank *rank, struct import_delayed *delayed,
                                 struct status *status);

#endif

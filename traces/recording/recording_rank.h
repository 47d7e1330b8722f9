/* The second pass over a recording: one rank, whose records become operations. */
#ifndef ANAX_TRACES_RECORDING_RANK_H
#define ANAX_TRACES_RECORDING_RANK_H

#include "traces/recording/recording_survey.h"
#include "traces/recording/recording_threads.h"

/* Counts for the notes of the program, of several ranks. */
struct recording_counts {
    uint64_t foreign;       /* calls about processes outside MPI_COMM_WORLD */
    uint64_t file_calls;    /* calls of MPI-IO that do not say which bytes of the file they move */
    uint64_t lost_receives; /* receives that never completed */
    uint64_t lost_collectives;            /* collectives that never completed */
    uint64_t tested_sends;                /* sends that a test found complete */
    uint64_t thread_calls;                /* records of threads other than the first one */
    uint64_t unknown[RECORDING_UNKNOWNS]; /* calls with a handle that no recorded call made */
    uint64_t records;                     /* that are replayed */
    int64_t last_ps;                      /* time of the program when the last rank ended */
};

/* A one-sided operation in flight. */
struct recording_rma_operation {
    uint64_t request;
    uint32_t window; /* the rank's number of it */
    uint32_t target; /* a member of the window */
};

/* A rank in the second pass. */
struct recording_rank {
    const struct survey *survey;
    const struct survey_rank *own;
    uint32_t rank;
    uint32_t call; /* of the current record */
    struct recording_counts *counts;
    int64_t now_ps;        /* time of the program at the rank; it never goes back */
    int64_t thread_ps;     /* time of the program at the thread whose computation counts */
    int64_t compute_ns;    /* computation since the last operation */
    int64_t polling_ns;    /* short gaps in the current run of failed tests and probes */
    bool is_polling;       /* such a run goes on */
    uint32_t open_regions; /* user regions that were entered and not left */
    uint64_t *done;        /* requests that the current call completes */
    size_t done_count, done_capacity;
    struct key_table edges; /* slot of a neighbour collective -> number of its messages */
    struct recording_rma_operation *rma_operations; /* one-sided operations in flight */
    size_t rma_count, rma_capacity;
    struct key_table locks;  /* that the rank holds (recording_rma.c) */
    uint64_t next_rma;       /* one-sided operations without a slot so far */
    bool has_access;         /* the current call has read or written a file */
    bool posts_only;         /* the wait of the current call follows later: it was split */
    uint64_t split_requests; /* requests of such calls so far */
};

/* Tags of messages that must not match those of the application, whose tags are 0 and more. Of a
 * neighbour collective's message: RECORDING_NEIGHBOUR_TAG less the port of RECORDING_NEIGHBOURS. Of
 * a partitioned request's message: RECORDING_PARTITIONED_TAG less a number from 0. */
enum { RECORDING_NEIGHBOUR_TAG = -1000, RECORDING_NEIGHBOUR_PORTS = 1 << 20 };
enum { RECORDING_PARTITIONED_TAG = RECORDING_NEIGHBOUR_TAG - RECORDING_NEIGHBOUR_PORTS - 1 };

/* Appends all operations of a rank to the program of the survey, ends the rank, and adds to
 * *counts. Threads may import different ranks of one survey at once, each with its own counts.
 * Returns the errors of recording_read, and STATUS_INPUT for records that fit together in no
 * program. Errors name the file. */
status_code recording_import_rank(const struct survey *survey, uint32_t rank_number,
                                  struct recording_counts *counts, struct status *status);
/* Requests that the application does not see have as id one of these plus a number from 0: requests
 * of one-sided operations, and of calls that were split (recording_threads.h). The application's
 * requests have smaller ids, which are their slots. */
#define RECORDING_RMA_REQUEST   (UINT64_C(1) << 62)
#define RECORDING_SPLIT_REQUEST (UINT64_C(1) << 61)
/* Adds a request to those that the current call completes. STATUS_MEMORY. */
status_code recording_complete(struct recording_rank *rank, uint64_t request,
                               struct status *status);
/* Appends the operations of a record's items. STATUS_INPUT: an item is damaged, or names a request,
 * a rank or another thing that does not exist. STATUS_MEMORY. */
status_code recording_import_items(struct recording_rank *rank,
                                   const struct recording_record *record, struct status *status);
/* Appends the operations of one item of one-sided communication (recording_rma.c). The errors are
 * those of recording_import_items. */
status_code recording_import_rma(struct recording_rank *rank, const struct recording_part *part,
                                 struct status *status);

#endif

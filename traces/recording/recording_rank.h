/* The second pass over a recording: one rank, whose records become operations. */
#ifndef ANAX_TRACES_RECORDING_RANK_H
#define ANAX_TRACES_RECORDING_RANK_H

#include "traces/recording/recording_survey.h"
#include "traces/recording/recording_threads.h"

/* Counts for notes. */
struct recording_counts {
    uint64_t foreign, file_calls, lost_receives, lost_collectives, tested_sends, thread_calls;
    uint64_t unknown[RECORDING_UNKNOWNS];
    uint64_t records;
    int64_t last_ps;
};

/* A one-sided operation in flight. */
struct recording_rma_operation {
    uint64_t request;
    uint32_t window, target;
};

struct recording_rank {
    const struct survey *survey;
    const struct survey_rank *own;
    uint32_t rank;
    uint32_t call; /* of the current record */
    struct recording_counts *counts;
    int64_t now_ps, thread_ps; /* time of the program */
    int64_t compute_ns;
    int64_t polling_ns;
    bool is_polling;
    uint32_t open_regions;
    uint64_t *done; /* requests that the call completes */
    size_t done_count, done_capacity;
    struct key_table edges;                         /* slot -> messages of a neighbour collective */
    struct recording_rma_operation *rma_operations; /* one-sided operations in flight */
    size_t rma_count, rma_capacity;
    struct key_table locks;
    uint64_t next_rma;
    bool has_access;         /* the current call has read or written a file */
    bool posts_only;         /* the wait of the current call follows later: it was split */
    uint64_t split_requests; /* requests of such calls so far */
};

/* Tags of messages that are matched apart from those with tags of the application: of neighbour
 * collectives (less the port), and of partitioned requests (less a number). */
enum { RECORDING_NEIGHBOUR_TAG = -1000, RECORDING_NEIGHBOUR_PORTS = 1 << 20 };
enum { RECORDING_PARTITIONED_TAG = RECORDING_NEIGHBOUR_TAG - RECORDING_NEIGHBOUR_PORTS - 1 };

status_code recording_import_rank(const struct survey *survey, uint32_t rank_number,
                                  struct recording_counts *counts, struct status *status);
/* Ids of requests that the application does not see: the sum of this and their number. Of the
 * first kind are those of one-sided operations, of the second kind those of calls that were split.
 * The application's requests have smaller ids. */
#define RECORDING_RMA_REQUEST   (UINT64_C(1) << 62)
#define RECORDING_SPLIT_REQUEST (UINT64_C(1) << 61)
/* Adds a request to those that the call completes. */
status_code recording_complete(struct recording_rank *rank, uint64_t request,
                               struct status *status);
/* Appends the operations of a record's items. */
status_code recording_import_items(struct recording_rank *rank,
                                   const struct recording_record *record, struct status *status);
/* The same for one item of one-sided communication (recording_rma.c). */
status_code recording_import_rma(struct recording_rank *rank, const struct recording_part *part,
                                 struct status *status);

#endif

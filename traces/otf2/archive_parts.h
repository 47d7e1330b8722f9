/*
 * Private parts of archive_records.c (messages, requests, collectives) and archive_rma.c
 * (one-sided communication).
 */
#ifndef ANAX_TRACES_ARCHIVE_PARTS_H
#define ANAX_TRACES_ARCHIVE_PARTS_H

#include "traces/key_table.h"
#include "traces/otf2/archive_records.h"

/* The operation that is in flight in a slot of the current rank. */
struct archive_flight {
    const struct program_operation *posted;
    uint64_t request; /* its number in the archive */
    bool blocking;    /* true if the call that posted the operation also waits for it */
    bool is_held; /* true for a persistent send that was only tested: the next send in the slot is
                     its restart */
};

struct archive_records {
    const struct program *program;
    struct key_table numbers; /* group and world rank -> number in the group */
    struct archive_flight *flights;
    size_t flight_capacity;
    bool *waited; /* for each slot: a later wait of the current call frees it */
    size_t waited_capacity;
    bool *blocking; /* for each operation of the current call: the call waits for it */
    size_t blocking_capacity;
    struct archive_rma_windows windows;
    struct key_table whole; /* windows of which the current rank has locked all parts */
    uint32_t *peers;        /* peers of one synchronisation of a window */
    size_t peer_capacity;
    struct program_operation *operations; /* of the current rank, unpacked */
    size_t operation_capacity;
    /* Members about the current rank: */
    uint32_t rank;
    uint64_t request_count; /* requests so far, of messages and collectives */
    uint64_t rma_count;     /* one-sided operations so far; they have numbers of their own */
    const char *call_name;  /* name of the current call */
    bool has_begun_window;  /* true between RECORD_WINDOW_BEGIN and RECORD_WINDOW_END */
    archive_record_function function; /* of archive_records_visit, with its context */
    void *context;
    int64_t now_ps; /* time of the next record; it never goes back */
};

/* Returns the envelope of a message. */
static inline const struct program_envelope *
archive_envelope(const struct archive_records *records, const struct program_operation *operation) {
    return &records->program->envelopes[operation->message.envelope];
}

/* Gives a record with the current time to the function of archive_records_visit. */
status_code archive_emit(struct archive_records *records, struct archive_record record,
                         struct status *status);
/* Finds the number of a message's peer in its communicator. STATUS_INPUT: the peer is no member. */
status_code archive_find_number(const struct archive_records *records,
                                const struct program_operation *operation, uint32_t *number,
                                struct status *status);

/* Records that a SEND or RECEIVE that is no message of the application is posted. */
status_code archive_post_rma(struct archive_records *records,
                             const struct program_operation *operation, struct status *status);

/* Records that an operation of archive_post_rma is complete. In a call that synchronises a window,
 * it is complete at the target too. */
status_code archive_complete_rma(struct archive_records *records,
                                 const struct archive_flight *flight, struct status *status);

/* Returns whether an operation is a collective of a window. */
bool archive_is_window_call(const struct archive_records *records,
                            const struct program_operation *operation);

/* Records the beginning of a collective of a window once, before the operations that it completes.
 */
status_code archive_begin_window(struct archive_records *records, struct status *status);

/* Records the end of a collective of a window. */
status_code archive_end_window_collective(struct archive_records *records,
                                          const struct program_operation *operation,
                                          int64_t return_ps, struct status *status);

#endif

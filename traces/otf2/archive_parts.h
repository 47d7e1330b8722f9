/*
 * Inside of archive_records.c (messages, requests, collectives) and archive_remote.c (one-sided
 * communication) only.
 */
#ifndef ANAX_TRACES_ARCHIVE_PARTS_H
#define ANAX_TRACES_ARCHIVE_PARTS_H

#include "traces/key_table.h"
#include "traces/otf2/archive_records.h"

/* A request in flight, per slot. */
struct archive_flight {
    const struct program_operation *posted;
    uint64_t request;
    bool blocking; /* waited for in the call that posted it */
    bool is_held;  /* persistent, and only tested: what is posted next in the slot is its restart */
};

struct archive_records {
    const struct program *program;
    struct key_table numbers; /* group and world rank -> number in the group */
    struct archive_flight *flights;
    size_t flight_capacity;
    bool *waited; /* per slot: a later wait of the call at hand frees it */
    size_t waited_capacity;
    bool *blocking; /* per operation of the call at hand */
    size_t blocking_capacity;
    struct archive_windows windows;
    struct key_table whole; /* windows of which the rank at hand has locked all parts */
    uint32_t *peers;        /* of a window's messages */
    size_t peer_capacity;
    /* Of the rank at hand: */
    uint32_t rank;
    uint64_t request_count;
    uint64_t remote_count; /* one-sided operations, numbered apart */
    const char *call_name; /* of the call at hand */
    bool has_begun_window; /* RECORD_WINDOW_BEGIN is out, its end is not */
    archive_record_function function;
    void *context;
    int64_t now_ps;
};

static inline const struct program_channel *
archive_channel(const struct archive_records *records, const struct program_operation *operation) {
    return &records->program->channels[operation->message.channel];
}

/* Passes a record on, at the time at hand. */
status_code archive_emit(struct archive_records *records, struct archive_record record,
                         struct status *status);
/* The number of a message's peer in its communicator. */
status_code archive_find_number(const struct archive_records *records,
                                const struct program_operation *operation, uint32_t *number,
                                struct status *status);

/* A SEND or RECEIVE that is no message of the application is posted, and its slot is complete.
 * Calls that synchronise a window complete operations at the target too. */
status_code archive_post_remote(struct archive_records *records,
                                const struct program_operation *operation, struct status *status);
status_code archive_complete_remote(struct archive_records *records,
                                    const struct archive_flight *flight, struct status *status);
/* A collective of a window: its beginning is recorded once, before what it completes. */
bool archive_is_window_call(const struct archive_records *records,
                            const struct program_operation *operation);
status_code archive_begin_window(struct archive_records *records, struct status *status);
status_code archive_synchronise(struct archive_records *records,
                                const struct program_operation *operation, int64_t return_ps,
                                struct status *status);

#endif

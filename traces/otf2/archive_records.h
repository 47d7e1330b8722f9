/*
 * Turns a program into the records of an archive with Score-P's conventions, rank by rank. Does not
 * know the format in which the writer writes them. Private to the traces room.
 */
#ifndef ANAX_TRACES_ARCHIVE_RECORDS_H
#define ANAX_TRACES_ARCHIVE_RECORDS_H

#include "traces/otf2/archive_rma_windows.h"
#include "traces/traces.h"

/* Kinds of records, each with the members of struct archive_record that it has besides its time. */
typedef enum archive_record_kind {
    RECORD_ENTER,               /* region */
    RECORD_LEAVE,               /* region */
    RECORD_SEND,                /* member, communicator, tag, sent_bytes */
    RECORD_RECEIVE,             /* as RECORD_SEND; sent_bytes is the length received */
    RECORD_ISEND,               /* as RECORD_SEND, and request */
    RECORD_ISEND_COMPLETE,      /* request */
    RECORD_IRECEIVE_REQUEST,    /* request */
    RECORD_IRECEIVE,            /* as RECORD_SEND, and request */
    RECORD_COLLECTIVE_BEGIN,    /* nothing */
    RECORD_COLLECTIVE_END,      /* collective, communicator, root, member, sent_bytes,
                                   received_bytes, is_in_place */
    RECORD_COLLECTIVE_REQUEST,  /* request */
    RECORD_COLLECTIVE_COMPLETE, /* as RECORD_COLLECTIVE_END, and request */
    RECORD_PUT,                 /* window, member, sent_bytes, request */
    RECORD_GET,                 /* window, member, received_bytes, request */
    RECORD_ATOMIC,              /* window, member, atomic, sent_bytes, received_bytes, request */
    RECORD_REMOTE_LOCAL_END,    /* window, request: the operation is complete at its origin */
    RECORD_REMOTE_END,          /* window, request: the operation is complete at its target */
    RECORD_WINDOW_BEGIN,        /* nothing */
    RECORD_WINDOW_END,          /* window, window_call: the members have synchronised */
    RECORD_GROUP_SYNC,          /* window, group, tag */
    RECORD_LOCK,                /* window, member (or ARCHIVE_EVERYONE), is_exclusive */
    RECORD_UNLOCK,              /* window, member (or ARCHIVE_EVERYONE) */
    RECORD_FILE,                /* file, offset, sent_bytes, is_write, is_collective, request */
    RECORD_FILE_END             /* file, sent_bytes, request */
} archive_record_kind;

/* Stands for all members of a window, in place of one. */
#define ARCHIVE_EVERYONE UINT32_MAX

/* What an atomic one-sided operation does. */
typedef enum archive_atomic {
    ARCHIVE_ACCUMULATE,
    ARCHIVE_FETCH_AND_ACCUMULATE,
    ARCHIVE_COMPARE_AND_SWAP
} archive_atomic;

/* The call in which the members of a window synchronise. */
typedef enum archive_window_call {
    ARCHIVE_FENCE,
    ARCHIVE_CREATE,
    ARCHIVE_ALLOCATE,
    ARCHIVE_FREE
} archive_window_call;

/* Which rank is the root of a collective. */
typedef enum archive_root {
    ARCHIVE_ROOT_NONE,
    ARCHIVE_ROOT_NUMBER,    /* the one whose number in the communicator, or in its other group, the
                               record has as member */
    ARCHIVE_ROOT_SELF,      /* this rank, on an intercommunicator */
    ARCHIVE_ROOT_THIS_GROUP /* another rank of this rank's group, on an intercommunicator */
} archive_root;

struct archive_record {
    archive_record_kind kind;
    int64_t time_ps;
    uint32_t region;       /* index in the program's regions */
    uint32_t communicator; /* index in the program's communicators */
    uint32_t member;       /* number of the peer or root in the communicator */
    archive_root root;
    program_collective_kind collective;
    int32_t tag;     /* of the message; RECORD_GROUP_SYNC: PROGRAM_TAG_POST or
                        PROGRAM_TAG_COMPLETE */
    uint32_t window; /* number in archive_rma_windows */
    uint32_t group;  /* number in archive_rma_windows */
    archive_atomic atomic;
    archive_window_call window_call;
    bool is_exclusive;
    bool is_in_place;
    bool is_write;
    bool is_collective;
    uint32_t file;   /* number in the program's files */
    uint64_t offset; /* of the first byte in the file */
    uint64_t sent_bytes;
    uint64_t received_bytes;
    uint64_t request;
};

/* Takes a record. An error ends the visit. */
typedef status_code (*archive_record_function)(void *context, const struct archive_record *record,
                                               struct status *status);

/* The state that all ranks share, such as the numbers of ranks in their groups. */
struct archive_records;
/* Prepares the records of a program, which must exist as long as the result. The caller frees the
 * result with archive_records_free. Returns NULL on errors, such as STATUS_MEMORY. */
struct archive_records *archive_records_new(const struct program *program, struct status *status);

/* Frees what archive_records_new has made. */
void archive_records_free(struct archive_records *records);
/* Returns the windows and groups. The groups are complete only after the records of all ranks. */
const struct archive_rma_windows *archive_records_windows(const struct archive_records *records);

/* Calls function for each record of a rank, in order; times never decrease. An operation for which
 * its own call waits is recorded as a blocking one. A receive for which no rank waits has only its
 * request record, since Score-P writes the peer and the length when the receive completes. Returns
 * the error of function. */
status_code archive_records_visit(struct archive_records *records, uint32_t rank,
                                  const struct traces_times *times,
                                  archive_record_function function, void *context,
                                  struct status *status);

#endif

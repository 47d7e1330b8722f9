/*
 * Reads an OTF2 archive: a thin layer over the OTF2 library in plain C. Only the files of the
 * reader and of the writer include OTF2; this header does not.
 *
 * Must not know: ranks, MPI semantics. One thread uses a reader; different threads use different
 * readers of the same archive. A reader holds the event buffer of one location and one open file at
 * a time, for any number of locations. The library's own messages never reach the terminal.
 */
#ifndef ANAX_TRACES_OTF2_READER_H
#define ANAX_TRACES_OTF2_READER_H

#include "traces/otf2/otf2_definitions.h"
#include "traces/program/program.h"

typedef enum otf2_event_kind {
    OTF2_EVENT_ENTER,              /* region */
    OTF2_EVENT_LEAVE,              /* region */
    OTF2_EVENT_SEND,               /* communicator, peer, tag, bytes */
    OTF2_EVENT_ISEND,              /* as SEND, and request */
    OTF2_EVENT_ISEND_COMPLETE,     /* request */
    OTF2_EVENT_IRECV_REQUEST,      /* request */
    OTF2_EVENT_RECV,               /* communicator, peer, tag, bytes */
    OTF2_EVENT_IRECV,              /* as RECV, and request */
    OTF2_EVENT_CANCELLED,          /* request */
    OTF2_EVENT_COLLECTIVE,         /* operation, communicator, root, bytes, received_bytes */
    OTF2_EVENT_COLLECTIVE_REQUEST, /* request */
    OTF2_EVENT_COLLECTIVE_DONE,    /* as COLLECTIVE, and request */
    OTF2_EVENT_RMA,      /* window, peer, flags (OTF2_RMA_*), bytes, request: a one-sided operation;
                               peer is a number in the window's communicator */
    OTF2_EVENT_RMA_DONE, /* request: the operation is complete at its origin or target */
    OTF2_EVENT_WINDOW_COLLECTIVE, /* window: all members synchronise */
    OTF2_EVENT_GROUP_SYNC,        /* window, group, synchronises: 0 if no synchronisation took place
                                     (MPI_Win_test that failed) */
    OTF2_EVENT_LOCK,   /* window, peer (or OTF2_ROOT_NONE: all), is_exclusive: requests a lock */
    OTF2_EVENT_LOCKED, /* as LOCK: the rank has the lock, whether a record requested it or not */
    OTF2_EVENT_UNLOCK, /* window, peer (or OTF2_ROOT_NONE: all) */
    OTF2_EVENT_FILE, /* handle, flags (OTF2_FILE_*), bytes, request, offset (or OTF2_OFFSET_NONE) */
    OTF2_EVENT_FILE_DONE, /* handle, request */
    OTF2_EVENT_FILE_SEEK, /* handle, offset: where the file pointer is; 0 when it was opened */
    OTF2_EVENT_RECORDING_OFF,
    OTF2_EVENT_RECORDING_ON,
    OTF2_EVENT_FLUSH,           /* the tracer wrote its buffer until stop_ticks */
    OTF2_EVENT_CALLING_CONTEXT, /* an enter or leave in the form that sampling uses */
    OTF2_EVENT_OTHER /* begin or end of a program or thread, of which only the time counts */
} otf2_event_kind;

/* Values of root that are not a rank. */
#define OTF2_ROOT_NONE       UINT32_MAX
#define OTF2_ROOT_SELF       (UINT32_MAX - 1)
#define OTF2_ROOT_THIS_GROUP (UINT32_MAX - 2)

/* Values of flags for OTF2_EVENT_RMA. */
#define OTF2_RMA_WRITES 1u
#define OTF2_RMA_READS  2u

/* Values of flags for OTF2_EVENT_FILE, and an offset that no record states. */
#define OTF2_FILE_WRITES     1u
#define OTF2_FILE_COLLECTIVE 2u
#define OTF2_OFFSET_NONE     UINT64_MAX

/* Whether a collective was called with MPI_IN_PLACE. Only anax's own archives state this. */
typedef enum otf2_in_place {
    OTF2_IN_PLACE_UNKNOWN,
    OTF2_IN_PLACE_NO,
    OTF2_IN_PLACE_YES
} otf2_in_place;

struct otf2_event {
    uint64_t record;   /* number of the record in its location's stream, from 0 */
    uint64_t ticks;    /* time stamp after clock correction */
    uint16_t kind;     /* an otf2_event_kind */
    uint16_t in_place; /* an otf2_in_place */
    union {
        uint32_t region; /* global ids */
        uint32_t communicator;
        uint32_t window;
        uint32_t handle; /* of a file */
    };
    union {
        uint32_t peer;  /* number in the communicator (in its remote group, if it has one) */
        uint32_t root;  /* the same, or OTF2_ROOT_... */
        uint32_t group; /* GROUP_SYNC: global id */
    };
    union {
        uint32_t tag;          /* messages */
        uint32_t flags;        /* RMA, FILE: OTF2_RMA_…, OTF2_FILE_… */
        uint32_t synchronises; /* GROUP_SYNC: 0 or 1 */
        uint32_t is_exclusive; /* LOCK, LOCKED: 0 or 1 */
        uint32_t operation;    /* a program_collective_kind; PROGRAM_COLLECTIVE_KINDS: another */
    };
    uint64_t request;
    uint64_t bytes; /* bytes of a message, or bytes sent in a collective */
    union {
        uint64_t received_bytes;
        uint64_t stop_ticks;
        uint64_t offset;
    };
};

/* Returns true for records that only MPI has: messages, requests and collectives. */
static inline bool otf2_event_is_mpi(const struct otf2_event *event) {
    return event->kind >= OTF2_EVENT_SEND && event->kind <= OTF2_EVENT_COLLECTIVE_DONE;
}

struct otf2_reader;

/* Opens an archive. anchor_path: the file NAME.otf2. Returns NULL on errors. */
struct otf2_reader *otf2_reader_open(const char *anchor_path, struct status *status);

/* Frees what otf2_reader_open has made; NULL is allowed. */
void otf2_reader_close(struct otf2_reader *reader);

/* Reads the global definitions into *definitions, which the function zeroes first, and finishes
 * them. The caller clears the definitions also after errors. STATUS_INPUT: the archive is damaged.
 */
status_code otf2_reader_read_definitions(struct otf2_reader *reader,
                                         struct otf2_definitions *definitions,
                                         struct status *status);

/* Returns true if the archive states MPI_IN_PLACE for each collective. */
bool otf2_reader_states_in_place(const struct otf2_reader *reader);

/* Takes offsets of files from the attribute with this id, in the records that
 * otf2_reader_read_events reads. */
void otf2_reader_use_offset_attribute(struct otf2_reader *reader, uint32_t attribute);

/* A note of the program that an archive was written from (see program_note). */
struct otf2_note {
    const char *what;
    const char *why;
    uint64_t count;
    bool is_assumed;
};

/* Receives a note; an error ends the reading. */
typedef status_code (*otf2_note_sink)(void *context, const struct otf2_note *note,
                                      struct status *status);
/* Calls sink for each note, if the archive states its notes (*are_stated). The archive does not
 * state notes that come from sealing. Returns the error of the sink. */
status_code otf2_reader_read_notes(struct otf2_reader *reader, otf2_note_sink sink, void *context,
                                   bool *are_stated, struct status *status);

/* Returns true if the location has a file of events, whatever the definitions say. */
bool otf2_reader_has_events(const struct otf2_reader *reader, uint64_t location);

/* Receives an event; an error ends the reading. */
typedef status_code (*otf2_event_sink)(void *context, const struct otf2_event *event,
                                       struct status *status);
/* Reads the local definitions of a location (id maps and clock offsets, which must exist) and then
 * calls sink for each of its events in order. An error of the sink ends the reading and is
 * returned. *event_count: records read, including records without an otf2_event_kind. */
status_code otf2_reader_read_events(struct otf2_reader *reader, uint64_t location,
                                    otf2_event_sink sink, void *context, uint64_t *event_count,
                                    struct status *status);

/* Returns true if the last call of otf2_reader_read_events has refused a damaged file, whatever the
 * sink had returned. */
bool otf2_reader_is_damaged(const struct otf2_reader *reader);

/* Returns true if the offset of the last read location's clock changes by more than a hundredth of
 * the time between two measurements. (The reader refuses offsets that make times run backwards.) */
bool otf2_reader_clock_drifts(const struct otf2_reader *reader);

#endif

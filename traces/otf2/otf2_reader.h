/*
 * Reading an OTF2 archive: a thin face of the library in plain C. The files of the reader and of
 * the writer are the only ones that include OTF2; this header does not.
 *
 * Must not know: ranks, MPI semantics. A reader serves one thread; different threads use
 * different readers of the same archive. It holds one location's event buffer and one open file at
 * a time, however many locations there are. The library's own messages never reach the terminal.
 */
#ifndef ANAX_TRACES_OTF2_READER_H
#define ANAX_TRACES_OTF2_READER_H

#include "traces/otf2/otf2_definitions.h"
#include "traces/program/program.h"

typedef enum otf2_event_kind {
    OTF2_EVENT_ENTER,              /* region */
    OTF2_EVENT_LEAVE,              /* region */
    OTF2_EVENT_SEND,               /* communicator, peer, tag, bytes */
    OTF2_EVENT_ISEND,              /* and request */
    OTF2_EVENT_ISEND_COMPLETE,     /* request */
    OTF2_EVENT_IRECV_REQUEST,      /* request */
    OTF2_EVENT_RECV,               /* communicator, peer, tag, bytes */
    OTF2_EVENT_IRECV,              /* and request */
    OTF2_EVENT_CANCELLED,          /* request */
    OTF2_EVENT_COLLECTIVE,         /* operation, communicator, root, bytes, received_bytes */
    OTF2_EVENT_COLLECTIVE_REQUEST, /* request */
    OTF2_EVENT_COLLECTIVE_DONE,    /* as COLLECTIVE, and request */
    OTF2_EVENT_REMOTE,             /* window, peer, tag (REMOTE_*), bytes, request: a one-sided
                                      operation; peer is a number in the window's communicator */
    OTF2_EVENT_REMOTE_DONE,        /* request: complete here or there */
    OTF2_EVENT_WINDOW_COLLECTIVE,  /* window: all members synchronise */
    OTF2_EVENT_GROUP_SYNC,         /* window, peer: id of a group, tag: 0 if it did not take place
                                      (a MPI_Win_test that failed) */
    OTF2_EVENT_LOCK,               /* window, peer (or OTF2_ROOT_NONE: all), tag: 1 exclusive */
    OTF2_EVENT_LOCKED,             /* the same, once it is had, whether it was asked for or not */
    OTF2_EVENT_UNLOCK,             /* window, peer (or OTF2_ROOT_NONE: all) */
    OTF2_EVENT_RECORDING_OFF,
    OTF2_EVENT_RECORDING_ON,
    OTF2_EVENT_FLUSH,           /* until stop_ticks the tracer wrote its buffer */
    OTF2_EVENT_CALLING_CONTEXT, /* an enter or leave in the form that sampling uses */
    OTF2_EVENT_OTHER            /* begin or end of a program or thread: only its time counts */
} otf2_event_kind;

/* Roots that are no rank. */
#define OTF2_ROOT_NONE       UINT32_MAX
#define OTF2_ROOT_SELF       (UINT32_MAX - 1)
#define OTF2_ROOT_THIS_GROUP (UINT32_MAX - 2)

/* tag of OTF2_EVENT_REMOTE */
#define OTF2_REMOTE_WRITES 1u
#define OTF2_REMOTE_READS  2u

/* Whether a collective was called with MPI_IN_PLACE: only anax's own archives say. */
typedef enum otf2_in_place {
    OTF2_IN_PLACE_UNKNOWN,
    OTF2_IN_PLACE_NO,
    OTF2_IN_PLACE_YES
} otf2_in_place;

struct otf2_event {
    uint64_t number;   /* of the record in its location's stream, from 0 */
    uint64_t ticks;    /* after clock correction */
    uint16_t kind;     /* otf2_event_kind */
    uint16_t in_place; /* otf2_in_place */
    union {
        uint32_t region; /* global ids */
        uint32_t communicator;
        uint32_t window;
    };
    union {
        uint32_t peer; /* in the communicator (its remote group, if it has one) */
        uint32_t root;
    };
    union {
        uint32_t tag;
        uint32_t operation; /* as in program_collective_kind; PROGRAM_COLLECTIVE_KINDS: another */
    };
    uint64_t request;
    uint64_t bytes; /* of a message; sent in a collective */
    union {
        uint64_t received_bytes;
        uint64_t stop_ticks;
    };
};

/* What only MPI writes: messages, requests and collectives. */
static inline bool otf2_event_is_mpi(const struct otf2_event *event) {
    return event->kind >= OTF2_EVENT_SEND && event->kind <= OTF2_EVENT_COLLECTIVE_DONE;
}

struct otf2_reader;

/* anchor_path: the file NAME.otf2. NULL on errors. */
struct otf2_reader *otf2_reader_open(const char *anchor_path, struct status *status);
void otf2_reader_close(struct otf2_reader *reader); /* NULL allowed */

/* Reads the global definitions into *definitions (zeroed before; to be cleared by the caller also
 * after errors) and finishes them. */
status_code otf2_reader_definitions(struct otf2_reader *reader,
                                    struct otf2_definitions *definitions, struct status *status);

/* Whether the archive says of each collective if it was called with MPI_IN_PLACE. */
bool otf2_reader_states_in_place(const struct otf2_reader *reader);

/* What a program noted that an archive was written from (see program_note). */
struct otf2_note {
    const char *what;
    const char *why;
    uint64_t count;
    bool is_assumed;
};

/* Passes on each of them, if the archive states them; those of sealing are never in it. Errors of
 * the sink are returned. */
typedef status_code (*otf2_note_sink)(void *context, const struct otf2_note *note,
                                      struct status *status);
status_code otf2_reader_notes(struct otf2_reader *reader, otf2_note_sink sink, void *context,
                              bool *are_stated, struct status *status);

/* Whether the location has a file of events, whatever the definitions say. */
bool otf2_reader_has_events(const struct otf2_reader *reader, uint64_t location);

/* Reads the local definitions of a location (id maps and clock offsets: mandatory) and then all its
 * events in order. Errors of the sink stop the reading and are returned. *event_count: records
 * read, those that have no otf2_event_kind included. */
typedef status_code (*otf2_event_sink)(void *context, const struct otf2_event *event,
                                       struct status *status);
status_code otf2_reader_events(struct otf2_reader *reader, uint64_t location, otf2_event_sink sink,
                               void *context, uint64_t *event_count, struct status *status);

/* Whether the measured offsets of the clock of the location read last change by more than a
 * hundredth of the time between them. (Offsets that turn times back are refused.) */
bool otf2_reader_clock_drifts(const struct otf2_reader *reader);

#endif

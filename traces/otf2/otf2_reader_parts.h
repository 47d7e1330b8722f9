/*
 * Private parts of the reader: otf2_reader.c (opening, files of locations),
 * otf2_reader_definitions.c (global definitions), otf2_reader_clock.c (clocks),
 * otf2_reader_notes.c (notes of anax), otf2_reader_records.c (events, by the bytes of files) and
 * otf2_reader_events.c (events, by the library).
 */
#ifndef ANAX_TRACES_OTF2_READER_PARTS_H
#define ANAX_TRACES_OTF2_READER_PARTS_H

#include "traces/otf2/otf2_layout.h"
#include "traces/otf2/otf2_reader.h"

#include <otf2/otf2.h>

struct otf2_clock_line;

/* The clock of a location. */
struct otf2_clock {
    bool has_offset;
    uint64_t time;  /* of the latest offset */
    int64_t offset; /* the ticks to add at this time */
    bool drifts;
    struct otf2_clock_line *lines; /* by which times are corrected, in order; owned */
    size_t line_count, line_capacity;
    size_t line; /* index of the line of the latest time that was corrected */
};

struct otf2_reader {
    OTF2_Reader *handle;
    char *anchor_path;
    struct otf2_layout layout;
    bool states_in_place;
    uint32_t offset_attribute; /* of accesses to files; OTF2_NOT_DEFINED: none */
    char *stem; /* anchor_path without ".otf2": the other files have names with this beginning */
    /* Members while definitions or events are being delivered: */
    struct otf2_definitions *definitions;
    struct otf2_clock clock;
    /* Local id -> global id; NULL: they are the same. The library's. */
    const OTF2_IdMap *region_ids, *communicator_ids, *window_ids, *group_ids;
    otf2_event_sink sink;
    void *context;
    uint64_t skipped; /* records at the beginning that the library does not deliver */
    bool is_damaged;
    struct status *status;
    status_code code; /* result of the callback for the last definition or event */
};

/* Sets the error for a file, named by its suffix, in which the library found a fault. */
status_code otf2_reader_set_damaged(const struct otf2_reader *reader, const char *suffix,
                                    OTF2_ErrorCode code, struct status *status);
/* Sets the error for a file, named by its suffix, that passed the check but the library cannot
 * open. */
status_code otf2_reader_set_not_opened(const struct otf2_reader *reader, const char *suffix,
                                       struct status *status);
/* Checks the file with this suffix by otf2_layout_check, before the library opens it. */
status_code otf2_reader_check(struct otf2_reader *reader, const char *suffix, bool is_events,
                              bool *has_records, struct status *status);

/* Adds a callback that takes the offsets of the location's clock, and refuses offsets that make
 * times run backwards. */
void otf2_reader_watch_clock(OTF2_DefReaderCallbacks *callbacks);
/* Forgets the offsets of the last location. */
void otf2_reader_clock_reset(struct otf2_reader *reader);
/* Corrects a time by the lines of the location's clock. */
uint64_t otf2_reader_correct_time(struct otf2_clock *clock, uint64_t time);
/* Returns the corrected time of a record, as the library does. Call it for the times of a location
 * in the order of its records. */
static inline uint64_t otf2_reader_corrected(struct otf2_reader *reader, uint64_t time) {
    return reader->clock.line_count > 0 ? otf2_reader_correct_time(&reader->clock, time) : time;
}

/* Delivers the events at the beginning of a file, up to the first that only the library reads.
 * *count: their number, counted as otf2_reader_read_events counts. *is_whole: that is all, and the
 * file is sound. Returns the error of the sink. */
status_code otf2_reader_read_records(struct otf2_reader *reader, const char *path, uint64_t *count,
                                     bool *is_whole, struct status *status);

/* Returns the flags of an atomic operation on a window that sends and receives so many bytes. */
static inline uint32_t otf2_reader_atomic_flags(uint64_t sent, uint64_t received) {
    return (received == 0 || sent > 0 ? OTF2_RMA_WRITES : 0) | (received > 0 ? OTF2_RMA_READS : 0);
}

/* Return what a record of a collective names: a program_collective_kind, and a root. */
uint32_t otf2_reader_operation(OTF2_CollectiveOp operation);
uint32_t otf2_reader_root(uint32_t root);

/* Returns callbacks that deliver events to the reader's sink; NULL if out of memory. */
OTF2_EvtReaderCallbacks *otf2_reader_event_callbacks(void);

/* Keeps the code and returns the value that a callback of the library returns for it. */
static inline OTF2_CallbackCode otf2_reader_answer(struct otf2_reader *reader, status_code code) {
    reader->code = code;
    return code == STATUS_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

#endif

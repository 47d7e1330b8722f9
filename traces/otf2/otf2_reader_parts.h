/*
 * Private parts of the reader: otf2_reader.c (opening, files of locations),
 * otf2_reader_definitions.c (global definitions), otf2_reader_clock.c (offsets of clocks),
 * otf2_reader_notes.c (notes of anax) and otf2_reader_events.c (events).
 */
#ifndef ANAX_TRACES_OTF2_READER_PARTS_H
#define ANAX_TRACES_OTF2_READER_PARTS_H

#include "traces/otf2/otf2_layout.h"
#include "traces/otf2/otf2_reader.h"

#include <otf2/otf2.h>

/* The latest offset of a location's clock: the ticks to add at a time. */
struct otf2_clock_offsets {
    bool has_any;
    uint64_t time;
    int64_t offset;
    bool drifts;
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
    struct otf2_clock_offsets offsets;
    otf2_event_sink sink;
    void *context;
    struct status *status;
    status_code code; /* result of the callback for the last definition or event */
};

/* Sets the error for a file, named by its suffix, in which the library found a fault. */
status_code otf2_reader_damaged(const struct otf2_reader *reader, const char *suffix,
                                OTF2_ErrorCode code, struct status *status);
/* Sets the error for a file, named by its suffix, that passed the check but the library cannot
 * open. */
status_code otf2_reader_closed(const struct otf2_reader *reader, const char *suffix,
                               struct status *status);
/* Checks the file with this suffix by otf2_layout_check, before the library opens it. */
status_code otf2_reader_check(struct otf2_reader *reader, const char *suffix, bool is_events,
                              bool *has_records, struct status *status);

/* Registers a callback that watches the offsets of the location's clock and refuses offsets that
 * make times run backwards. Call before the local definitions are read. */
OTF2_ErrorCode otf2_reader_watch_clock(struct otf2_reader *reader, OTF2_DefReader *local);

/* Returns callbacks that deliver events to the reader's sink; NULL if out of memory. */
OTF2_EvtReaderCallbacks *otf2_reader_event_callbacks(void);

/* Keeps the code and returns the value that a callback of the library returns for it. */
static inline OTF2_CallbackCode otf2_reader_answer(struct otf2_reader *reader, status_code code) {
    reader->code = code;
    return code == STATUS_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

#endif

/*
 * Inside of the reader: otf2_reader.c (opening, files of locations), otf2_reader_definitions.c
 * (global definitions), otf2_reader_clock.c (offsets of clocks), otf2_reader_notes.c (notes of
 * anax) and otf2_reader_events.c (events) only.
 */
#ifndef ANAX_TRACES_OTF2_READER_PARTS_H
#define ANAX_TRACES_OTF2_READER_PARTS_H

#include "traces/otf2/otf2_layout.h"
#include "traces/otf2/otf2_reader.h"

#include <otf2/otf2.h>

/* Offsets of a location's clock, as they come: at a time, so many ticks are to be added. */
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
    char *stem; /* anchor_path without ".otf2": where the other files are */
    /* While definitions or events are being delivered: */
    struct otf2_definitions *definitions;
    struct otf2_clock_offsets offsets;
    otf2_event_sink sink;
    void *context;
    struct status *status;
    status_code code; /* what the last definition or event was answered with */
};

/* Says what the library found wrong with the file of that suffix. */
status_code otf2_reader_damaged(const struct otf2_reader *reader, const char *suffix,
                                OTF2_ErrorCode code, struct status *status);
/* Says that the library does not open the file of that suffix, which is there and walkable. */
status_code otf2_reader_closed(const struct otf2_reader *reader, const char *suffix,
                               struct status *status);
/* Before the library opens it: the file of that suffix must be walkable. */
status_code otf2_reader_check(struct otf2_reader *reader, const char *suffix, bool is_events,
                              bool *has_records, struct status *status);

/* Before local definitions are read: looks at the location's clock, and refuses offsets that turn
 * times back. */
OTF2_ErrorCode otf2_reader_watch_clock(struct otf2_reader *reader, OTF2_DefReader *local);

/* Callbacks that deliver events to the reader's sink; NULL when out of memory. */
OTF2_EvtReaderCallbacks *otf2_reader_event_callbacks(void);

/* What a callback of a definition or event returns. */
static inline OTF2_CallbackCode otf2_reader_answer(struct otf2_reader *reader, status_code code) {
    reader->code = code;
    return code == STATUS_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

#endif

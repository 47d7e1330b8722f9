/*
 * The offsets of a location's clock, by which the OTF2 library corrects its times. Must not know
 * events.
 *
 * Invariant: with the offsets that the reader accepts, corrected times keep the order of recording.
 */
#include "traces/otf2/otf2_reader_parts.h"

#include <inttypes.h>

/* Checks a clock offset. Between two offsets, and outside the first and the last, the library
 * corrects by a line. The clocks of computers are accurate to a ten-thousandth. */
static OTF2_CallbackCode on_clock_offset(void *context, OTF2_TimeStamp time, int64_t offset,
                                         double deviation) {
    (void)deviation;
    struct otf2_reader *reader = context;
    struct otf2_clock_offsets *offsets = &reader->offsets;
    if (offsets->has_any) {
        __int128 passed = (__int128)time - offsets->time;
        __int128 change = (__int128)offset - offsets->offset;
        if (passed + change <= 0)
            return otf2_reader_answer(
                reader,
                status_set(reader->status, STATUS_INPUT,
                           "the offset of its clock changes by %" PRId64 " ticks in %" PRId64
                           " ticks, so times would not increase: its definition file is damaged; "
                           "copy or record the trace again",
                           (int64_t)change, (int64_t)passed));
        offsets->drifts |= 100 * (change < 0 ? -change : change) > passed;
    }
    *offsets = (struct otf2_clock_offsets){true, time, offset, offsets->drifts};
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_ErrorCode otf2_reader_watch_clock(struct otf2_reader *reader, OTF2_DefReader *local) {
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    if (callbacks == NULL) return OTF2_ERROR_MEM_FAULT;
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterDefCallbacks(reader->handle, local, callbacks, reader);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return code;
}

bool otf2_reader_clock_drifts(const struct otf2_reader *reader) {
    return reader->offsets.drifts;
}

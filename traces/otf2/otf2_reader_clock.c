/*
 * The clock of a location: offsets, and the times that follow from them. Must not know events.
 *
 * Invariants: with the offsets that the reader accepts, corrected times keep the order of
 * recording. They are those of the OTF2 library, which adds at each time an offset that it finds by
 * a line between two measured offsets. The first and the last line also serve the times before and
 * after.
 */
#include "traces/otf2/otf2_reader_parts.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <math.h>

/* The line between two offsets. */
struct otf2_clock_line {
    uint64_t begin, end; /* times of the offsets, not corrected */
    int64_t offset;      /* at the beginning */
    double slope;        /* change of the offset by tick */
};

static status_code refuse(__int128 passed, __int128 change, struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "the offset of its clock changes by %" PRId64 " ticks in %" PRId64
                      " ticks, so times would not increase: its definition file is damaged; "
                      "copy or record the trace again",
                      (int64_t)change, (int64_t)passed);
}

/* The clocks of computers are accurate to a ten-thousandth. */
static status_code add_offset(struct otf2_clock *clock, uint64_t time, int64_t offset,
                              struct status *status) {
    if (clock->has_offset) {
        const __int128 passed = (__int128)time - clock->time;
        const __int128 change = (__int128)offset - clock->offset;
        if (passed + change <= 0) return refuse(passed, change, status);
        clock->drifts |= 100 * (change < 0 ? -change : change) > passed;
        FORWARD_IF_ERROR(memory_grow((void **)&clock->lines, &clock->line_capacity,
                                     clock->line_count + 1, sizeof *clock->lines, status));
        clock->lines[clock->line_count++] = (struct otf2_clock_line){
            .begin = clock->time,
            .end = time,
            .offset = clock->offset,
            .slope = (double)(int64_t)change / (double)(time - clock->time)};
    }
    clock->has_offset = true;
    clock->time = time;
    clock->offset = offset;
    return STATUS_OK;
}

static OTF2_CallbackCode on_clock_offset(void *context, OTF2_TimeStamp time, int64_t offset,
                                         double deviation) {
    (void)deviation;
    struct otf2_reader *reader = context;
    return otf2_reader_answer(reader, add_offset(&reader->clock, time, offset, reader->status));
}

void otf2_reader_watch_clock(OTF2_DefReaderCallbacks *callbacks) {
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
}

void otf2_reader_clock_reset(struct otf2_reader *reader) {
    struct otf2_clock *clock = &reader->clock;
    *clock = (struct otf2_clock){.lines = clock->lines, .line_capacity = clock->line_capacity};
}

uint64_t otf2_reader_correct_time(struct otf2_clock *clock, uint64_t time) {
    while (clock->line + 1 < clock->line_count && time > clock->lines[clock->line].end)
        clock->line++;
    const struct otf2_clock_line *line = &clock->lines[clock->line];
    const double passed =
        time >= line->begin ? (double)(time - line->begin) : -(double)(line->begin - time);
    return time + (uint64_t)(line->offset + (int64_t)rint(line->slope * passed));
}

bool otf2_reader_clock_drifts(const struct otf2_reader *reader) {
    return reader->clock.drifts;
}

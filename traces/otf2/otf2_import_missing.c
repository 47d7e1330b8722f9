/*
 * A completion record whose request is not in flight: finds out from the rest of its location why,
 * so that the error names the likely reason.
 *
 * Must not know the program. Reads the location a second time, but only if the trace is refused.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include <inttypes.h>
#include <stdio.h>

/* The history of a request before an event, and the end of the location. Requests belong to the
 * process: if several threads call MPI, one location does not have the whole history. */
struct history {
    const struct import_archive *archive;
    uint64_t event, request;
    bool was_posted, was_completed;
    uint64_t posted, completed; /* numbers of the events */
    uint64_t event_count;
    bool is_finalized; /* true if MPI_Finalize was left */
};

static void record_region(struct history *history, const struct otf2_event *event) {
    if (event->kind != OTF2_EVENT_LEAVE) return;
    size_t region = otf2_definitions_find_region(&history->archive->definitions, event->region);
    if (region != SIZE_MAX && history->archive->regions[region].class == IMPORT_FINALIZE)
        history->is_finalized = true;
}

static status_code record_event(void *context, const struct otf2_event *event,
                                struct status *status) {
    (void)status;
    struct history *history = context;
    record_region(history, event);
    if (event->record >= history->event) return STATUS_OK;
    switch (event->kind) {
    case OTF2_EVENT_ISEND:
    case OTF2_EVENT_IRECV_REQUEST:
    case OTF2_EVENT_COLLECTIVE_REQUEST:
        if (event->request != history->request) break;
        history->was_posted = true;
        history->posted = event->record;
        break;
    case OTF2_EVENT_ISEND_COMPLETE:
    case OTF2_EVENT_IRECV:
    case OTF2_EVENT_COLLECTIVE_DONE:
    case OTF2_EVENT_CANCELLED:
        if (event->request != history->request) break;
        history->was_completed = true;
        history->completed = event->record;
        break;
    default:
        break;
    }
    return STATUS_OK;
}

static struct history read_history(const struct import_archive *archive,
                                   const struct otf2_location *location, uint64_t event,
                                   uint64_t request) {
    struct history history = {.archive = archive, .event = event, .request = request};
    struct status ignored = STATUS_INIT;
    struct otf2_reader *reader = otf2_reader_open(archive->anchor_path, &ignored);
    if (reader != NULL && otf2_reader_read_events(reader, location->id, record_event, &history,
                                                  &history.event_count, &ignored) != STATUS_OK)
        history.event_count = 0; /* the file is damaged */
    otf2_reader_close(reader);
    status_clear(&ignored);
    return history;
}

static void describe_request(const struct history *history, bool is_concurrent, char *text,
                             size_t size) {
    if (is_concurrent)
        snprintf(text, size, "no thread has posted it, or it was complete before");
    else if (history->was_completed &&
             (!history->was_posted || history->completed > history->posted))
        snprintf(text, size,
                 "it was complete at event %" PRIu64 ", and nothing has posted it since",
                 history->completed);
    else if (history->was_posted)
        snprintf(text, size, "event %" PRIu64 " posted it as another kind of operation",
                 history->posted);
    else
        snprintf(text, size, "no earlier record posts it");
}

static void describe_reason(const struct import_rank *rank, const struct otf2_location *location,
                            const struct history *history, char *text, size_t size) {
    const struct import_archive *archive = rank->archive;
    const char *creator = archive->definitions.creator;
    bool is_known = creator != NULL && *creator != '\0';
    if (rank->was_off)
        snprintf(text, size,
                 "recording was switched off before this record, so requests posted meanwhile are "
                 "missing: switch recording on and off only where no request is in flight");
    else if (!history->is_finalized)
        snprintf(text, size,
                 "MPI_Finalize is not left, so the trace is cut short: copy or record it again");
    else if (!archive->miscounts && history->event_count != location->event_count)
        snprintf(text, size, "the event file is damaged: copy or record the trace again");
    else
        snprintf(text, size,
                 "the trace is not cut short (%sMPI_Finalize is left), so the tracer%s%.60s%s lost "
                 "records or wrote another request's number: record the program with another "
                 "version of it",
                 archive->miscounts ? "" : "all announced events are there, and ",
                 is_known ? " (" : "", is_known ? creator : "", is_known ? ")" : "");
}

status_code import_refuse_missing(const struct import_rank *rank,
                                  const struct otf2_location *location, struct status *status) {
    const struct import_missing *missing = &rank->missing;
    struct history history =
        read_history(rank->archive, location, missing->event, missing->request);
    char what[120], reason[320], place[40] = "";
    describe_request(&history, rank->is_concurrent, what, sizeof what);
    describe_reason(rank, location, &history, reason, sizeof reason);
    if (!rank->is_concurrent) snprintf(place, sizeof place, "event %" PRIu64 ": ", missing->event);
    return status_set(status, STATUS_INPUT,
                      "%s%s of request %" PRIu64 ", which is not in flight: %s; %s", place,
                      missing->record, missing->request, what, reason);
}

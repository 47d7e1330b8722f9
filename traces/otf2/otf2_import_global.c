/*
 * Records on communicators whose group has the flag GLOBAL_MEMBERS. These records name ranks by
 * their index in MPI's COMM_LOCATIONS group. This file turns the indices into numbers in the
 * communicator, which all other files of the importer use.
 *
 * Must not know what a record is about.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"

static uint32_t place_in(const uint32_t *members, uint32_t size, uint32_t rank) {
    for (uint32_t i = 0; i < size; i++)
        if (members[i] == rank) return i;
    return PROGRAM_NONE;
}

/* Returns the number in the communicator. On an intercommunicator, messages and roots name ranks of
 * the other group, so the number need not say which group it belongs to. */
static uint32_t local_number(const struct import_archive *archive,
                             const struct import_communicator *communicator, uint32_t recorded) {
    if (!communicator->is_global || recorded >= archive->rank_count) return recorded;
    uint32_t rank = archive->rank_of[recorded];
    uint32_t number = place_in(communicator->members, communicator->size, rank);
    if (number == PROGRAM_NONE)
        number = place_in(communicator->remote, communicator->remote_size, rank);
    return number != PROGRAM_NONE ? number : recorded;
}

/* Returns the communicator of a record; NULL if it is not defined. */
static const struct import_communicator *communicator_of(const struct import_archive *archive,
                                                         const struct otf2_event *event) {
    uint32_t id = event->communicator;
    if (!otf2_event_is_mpi(event)) { /* a record of a window */
        size_t window = otf2_definitions_find_window(&archive->definitions, event->window);
        if (window == SIZE_MAX) return NULL;
        id = archive->definitions.windows[window].communicator;
    }
    size_t number = otf2_definitions_find_communicator(&archive->definitions, id);
    return number != SIZE_MAX ? &archive->communicators[number] : NULL;
}

const struct otf2_event *import_local_numbers(const struct import_rank *rank,
                                              const struct otf2_event *event,
                                              struct otf2_event *translated) {
    switch (event->kind) {
    case OTF2_EVENT_SEND:
    case OTF2_EVENT_ISEND:
    case OTF2_EVENT_RECV:
    case OTF2_EVENT_IRECV:
    case OTF2_EVENT_COLLECTIVE:
    case OTF2_EVENT_COLLECTIVE_DONE:
    case OTF2_EVENT_RMA:
    case OTF2_EVENT_LOCK:
    case OTF2_EVENT_LOCKED:
    case OTF2_EVENT_UNLOCK: {
        const struct import_communicator *communicator = communicator_of(rank->archive, event);
        if (communicator == NULL) return event;
        *translated = *event;
        translated->peer = local_number(rank->archive, communicator, event->peer);
        return translated;
    }
    default:
        return event;
    }
}

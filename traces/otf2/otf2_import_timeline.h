/*
 * One location of an archive: a thread of a rank, with its events in the order of their times.
 * otf2_import.h lists the files of the importer.
 */
#ifndef ANAX_TRACES_OTF2_IMPORT_TIMELINE_H
#define ANAX_TRACES_OTF2_IMPORT_TIMELINE_H

#include "traces/otf2/otf2_import_rank.h"

struct import_timeline {
    struct import_rank *rank;
    uint32_t thread; /* 0: the master, whose events are carried out at once */
    uint32_t *stack; /* open regions: twice the index in archive->regions, plus 1 for a user region
                        of which the program has a mark */
    size_t depth;
    size_t stack_capacity;
    size_t mpi_depth; /* MPI regions in stack */
    bool was_off;     /* true if recording was switched off earlier */
    /* true if it has events, and no event of another thread comes before the next: */
    bool is_plain;
    bool has_events;
    uint64_t first_ticks;
    uint64_t last_ticks;
    struct import_counts *counts;
    /* For threads other than the master: MPI events, to carry out in time with the master. */
    struct import_delayed *delayed; /* shared by the timelines of a rank */
};

struct import_delayed_event {
    struct otf2_event event; /* ENTER, LEAVE: .region is the index in archive->regions */
    uint32_t thread;
};

struct import_delayed {
    struct import_delayed_event *events;
    size_t count;
    size_t capacity;
    size_t next; /* first event that is not carried out yet */
};

/* Returns true if an event may have this time. last_ticks: the latest time of its location so far.
 */
static inline bool import_time_fits(const struct import_archive *archive, uint64_t ticks,
                                    uint64_t last_ticks) {
    return ticks >= last_ticks && ticks - archive->span.first_ticks <= archive->span.length_ticks;
}
/* Handles a time that does not fit: corrects *ticks and counts it, or refuses the archive. */
status_code import_time_misfits(const struct import_archive *archive, struct import_counts *counts,
                                uint64_t last_ticks, uint64_t *ticks, struct status *status);

/* The otf2_event_sink of a location; context: import_timeline. */
status_code import_timeline_event(void *context, const struct otf2_event *event,
                                  struct status *status);
/* Closes all open regions after the last event. STATUS_INPUT: the location ends inside an MPI call.
 */
status_code import_timeline_finish(struct import_timeline *timeline, struct status *status);
/* Returns true for a record of communication, except for handles (MPI_Init leaves such records). */
bool import_is_communication(const struct otf2_event *event);
/* Returns the only thread besides the master that communicates; 0 if none or several do. */
uint32_t import_delayed_caller(const struct import_delayed *delayed);
/* Sorts the events of the other threads by time. Call before the master's timeline is read. */
status_code import_delayed_sort(struct import_delayed *delayed, struct status *status);
/* Carries out the remaining events of the other threads. */
status_code import_delayed_flush(struct import_rank *rank, struct import_delayed *delayed,
                                 struct status *status);

#endif

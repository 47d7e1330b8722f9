/* The order of the calls of several threads of a rank: a call during which calls of other threads
 * ended is split into its beginning, which posts, and its end, which waits. */
#ifndef ANAX_TRACES_RECORDING_THREADS_H
#define ANAX_TRACES_RECORDING_THREADS_H

#include "traces/recording/recording.h"

/* The requests of a call that was split, without RECORDING_SPLIT_REQUEST. */
struct recording_split {
    uint64_t first_request; /* the others follow it */
    uint32_t count;
};

/* Functions that take the calls of a rank. whole gets the record of a call that was not split,
 * where the call ended. begin gets the record of a call that was split, where the call began, and
 * sets *split; end gets both where the call ended. An error of theirs ends the reading. */
struct recording_order {
    void *context; /* first argument of each function */
    recording_sink whole;
    status_code (*begin)(void *context, const struct recording_record *record,
                         struct recording_split *split, struct status *status);
    status_code (*end)(void *context, const struct recording_record *record,
                       const struct recording_split *split, struct status *status);
};

/* Returns how many records were written while the call of a record was open; 0 in recordings of
 * versions 1 and 2, which do not say it. */
uint64_t recording_overlap(const struct recording_record *record);

/* Reads the records of a file in that order. They are all in memory meanwhile. Returns the errors
 * of recording_read, and those of the functions, with the path. */
status_code recording_read_in_order(const char *path, const struct recording_order *order,
                                    struct status *status);

#endif

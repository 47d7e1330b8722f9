/* The order of the calls of several threads of a rank. */
#ifndef ANAX_TRACES_RECORDING_THREADS_H
#define ANAX_TRACES_RECORDING_THREADS_H

#include "traces/recording/recording.h"

/* The requests of a call that was split. */
struct recording_split {
    uint64_t first_request;
    uint32_t count;
};

/* Takes the calls of a rank in the order in which they began to post and ended. begin gets the
 * record of a call that was split where the call began, and may keep something in *split; end
 * gets both where the call ended. An error ends the reading. */
struct recording_order {
    void *context;
    recording_sink whole;
    status_code (*begin)(void *context, const struct recording_record *record,
                         struct recording_split *split, struct status *status);
    status_code (*end)(void *context, const struct recording_record *record,
                       const struct recording_split *split, struct status *status);
};

/* Returns how many records were written while the call of a record was open; 0 in recordings of
 * versions 1 and 2, which do not say it. */
uint64_t recording_overlap(const struct recording_record *record);

/* Reads the records of a file. They are all in memory meanwhile. */
status_code recording_read_in_order(const char *path, const struct recording_order *order,
                                    struct status *status);

#endif

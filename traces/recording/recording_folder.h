/* The folder of a recording, as the rest of traces sees it. */
#ifndef ANAX_TRACES_RECORDING_FOLDER_H
#define ANAX_TRACES_RECORDING_FOLDER_H

#include "traces/traces.h"

/* Returns whether `name` is the name of a file that holds the recording of a rank. */
bool recording_is_rank_file(const char *name);
/* Returns whether the folder has a file that holds the recording of a rank. Returns false if the
 * folder cannot be opened. */
bool traces_is_recording(const char *folder);

/* Imports the recording in a folder. progress gets the numbers of ranks that are done and of all
 * ranks, always on the same thread; it may be NULL. threads: as in traces_open. The caller
 * frees *program with program_free; it is NULL after errors. STATUS_INPUT: the files are damaged,
 * of different runs, or without any call. STATUS_SYSTEM: a file cannot be read. STATUS_MEMORY. */
status_code traces_import_recording(struct program **program, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    void (*progress)(void *context, uint64_t done, uint64_t total),
                                    void *progress_context, struct status *status);

#endif

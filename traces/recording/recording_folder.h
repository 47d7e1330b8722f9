/* The folder of a recording, as the rest of the traces room sees it. */
#ifndef ANAX_TRACES_RECORDING_FOLDER_H
#define ANAX_TRACES_RECORDING_FOLDER_H

#include "traces/traces.h"

/* Returns whether `name` is the name of a file that holds the recording of a rank. */
bool recording_is_rank_file(const char *name);
/* Returns whether the folder holds the files of a recording. */
bool traces_is_recording(const char *folder);

/* Opens a recording. The parameters are those of traces_import_otf2. */
status_code traces_import_recording(struct program **program, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    void (*progress)(void *context, uint64_t done, uint64_t total),
                                    void *progress_context, struct status *status);

#endif

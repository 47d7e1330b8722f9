/*
 * A look at an archive's files before the OTF2 library sees them. The library trusts them more than
 * it should: a damaged anchor file makes it write past its memory or ask for all there is, a
 * damaged chunk makes it read a file's end for ever.
 *
 * Must not know the library, nor what records mean: only where each ends.
 */
#ifndef ANAX_TRACES_OTF2_LAYOUT_H
#define ANAX_TRACES_OTF2_LAYOUT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct otf2_layout {
    size_t event_chunk_bytes;
    size_t definition_chunk_bytes;
    uint64_t location_count; /* as announced */
    uint8_t *buffer;         /* one chunk; owned */
};

/* Checks the anchor file and learns the chunk sizes. Clear also after errors. */
status_code otf2_layout_read(struct otf2_layout *layout, const char *anchor_path,
                             struct status *status);
void otf2_layout_clear(struct otf2_layout *layout);

/* STATUS_INPUT unless the file (of events, or of definitions) is there and its chunks and records
 * follow each other to the end. *has_records: there are some, time stamps apart. */
status_code otf2_layout_check(struct otf2_layout *layout, const char *path, bool is_events,
                              bool *has_records, struct status *status);

#endif

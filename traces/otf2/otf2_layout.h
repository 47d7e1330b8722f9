/*
 * Checks the files of an archive before the OTF2 library reads them; files of events that the
 * library does not read (otf2_reader_records.c) need no check. The library trusts the files
 * too much: with a damaged anchor file it writes past its memory or allocates all memory, and with
 * a damaged chunk it reads the end of a file forever.
 *
 * Must not know: the library, the meaning of records. Knows where each record ends.
 */
#ifndef ANAX_TRACES_OTF2_LAYOUT_H
#define ANAX_TRACES_OTF2_LAYOUT_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that may be read after a chunk in the buffer. */
enum { OTF2_LAYOUT_SLACK_BYTES = 128 };

struct otf2_layout {
    size_t event_chunk_bytes;
    size_t definition_chunk_bytes;
    uint64_t location_count; /* locations that the anchor file announces */
    uint8_t *buffer;         /* room for one chunk and some more bytes; owned */
};

/* Checks the anchor file and reads the chunk sizes. Clear `layout` also after errors. STATUS_INPUT
 * says what is wrong. */
status_code otf2_layout_read(struct otf2_layout *layout, const char *anchor_path,
                             struct status *status);

/* Frees what otf2_layout_read has made. */
void otf2_layout_clear(struct otf2_layout *layout);

/* Checks that a file of events or of definitions exists and that its chunks and records follow each
 * other to the end; STATUS_INPUT if not. *has_records: the file has records other than time stamps.
 */
status_code otf2_layout_check(struct otf2_layout *layout, const char *path, bool is_events,
                              bool *has_records, struct status *status);

#endif

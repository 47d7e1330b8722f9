/*
 * The layout of OTF2's files, as far as the check needs it. Must not know what records mean.
 *
 * The anchor file is little or big endian. It has 6 bytes that end with "OTF2"; format and version;
 * from byte 12 the chunk sizes of events and of definitions, 8 bytes each; one byte each for
 * substrate and compression; the numbers of locations and definitions, 8 bytes each; three texts
 * (machine, creator, description), each with a NUL; the number of properties, 4 bytes; their names
 * and values in turn, each with a NUL; and more, which the check ignores.
 *
 * Other files consist of chunks of equal size; only the last one is shorter. A chunk begins with 18
 * bytes: the number 3, the byte order ('B' little, '#' big) and two numbers of records. Then come
 * records: a byte of type, a byte of length (255: the length follows in 8 bytes), and the payload.
 * Some types have no length: 0, the rest of the chunk is padding; 2, the end, followed by 1; in
 * event files also 5, a time stamp of 8 bytes, and some types with one number: its size and as many
 * bytes, or only 255 for a number with all bits set.
 */
#include "traces/otf2/otf2_layout.h"
#include "core/files/input_file.h"
#include "core/memory/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MARK = 2,
    EVENT_CHUNK = 12,
    DEFINITION_CHUNK = 20,
    SUBSTRATE = 28,
    COMPRESSION = 29,
    LOCATIONS = 30,
    TEXTS = 46,
    PLAIN = 1, /* substrate and compression */
    SUBSTRATE_SION = 2,
    COMPRESSION_ZLIB = 2,
    CHUNK_HEADER = 18,
    LARGEST_FILE = 1 << 20,
    SMALLEST_CHUNK = 1 << 18, /* OTF2_CHUNK_SIZE_MIN and OTF2_CHUNK_SIZE_MAX */
    LARGEST_CHUNK = 1 << 24
};

static uint64_t number_at(const uint8_t *bytes, size_t width, bool big_endian) {
    uint64_t number = 0;
    for (size_t i = 0; i < width; i++)
        number = number << 8 | bytes[big_endian ? i : width - 1 - i];
    return number;
}

static bool chunks_fit(const uint8_t *bytes, bool big_endian) {
    uint64_t events = number_at(bytes + EVENT_CHUNK, 8, big_endian);
    uint64_t definitions = number_at(bytes + DEFINITION_CHUNK, 8, big_endian);
    return events >= SMALLEST_CHUNK && events <= LARGEST_CHUNK && definitions >= SMALLEST_CHUNK &&
           definitions <= LARGEST_CHUNK;
}

/* Skips `count` texts. Returns false if the file ends before. */
static bool skip_texts(const uint8_t *bytes, size_t size, size_t *place, uint64_t count) {
    for (; count > 0; count--) {
        const uint8_t *end = *place < size ? memchr(bytes + *place, 0, size - *place) : NULL;
        if (end == NULL) return false;
        *place = (size_t)(end - bytes) + 1;
    }
    return true;
}

static bool is_sound(const uint8_t *bytes, size_t size, struct otf2_layout *layout) {
    if (size < TEXTS || memcmp(bytes + MARK, "OTF2", 4) != 0) return false;
    if (bytes[SUBSTRATE] < PLAIN || bytes[SUBSTRATE] > SUBSTRATE_SION) return false;
    if (bytes[COMPRESSION] < PLAIN || bytes[COMPRESSION] > COMPRESSION_ZLIB) return false;
    bool big_endian = chunks_fit(bytes, true);
    if (!big_endian && !chunks_fit(bytes, false)) return false;
    layout->event_chunk_bytes = number_at(bytes + EVENT_CHUNK, 8, big_endian);
    layout->definition_chunk_bytes = number_at(bytes + DEFINITION_CHUNK, 8, big_endian);
    layout->location_count = number_at(bytes + LOCATIONS, 8, big_endian);
    size_t place = TEXTS;
    if (!skip_texts(bytes, size, &place, 3) || size - place < 4) return false;
    uint64_t properties = number_at(bytes + place, 4, big_endian);
    place += 4;
    return skip_texts(bytes, size, &place, 2 * properties);
}

/* Opens a file of an archive. The error tells which files an archive has, since users copy only
 * some of them. */
static status_code open_part(FILE **file, const char *path, struct status *status) {
    RETURN_ERROR_IF(access(path, F_OK) != 0 && errno == ENOENT, status, STATUS_INPUT,
                    "%s: missing; an OTF2 archive is NAME.otf2, NAME.def and the folder NAME: copy "
                    "all of it",
                    path);
    return input_file_open(file, path, status);
}

status_code otf2_layout_read(struct otf2_layout *layout, const char *anchor_path,
                             struct status *status) {
    *layout = (struct otf2_layout){.buffer = malloc(LARGEST_CHUNK + OTF2_LAYOUT_SLACK_BYTES)};
    RETURN_ERROR_IF(layout->buffer == NULL, status, STATUS_MEMORY, "out of memory for reading %s",
                    anchor_path);
    FILE *file;
    FORWARD_IF_ERROR(open_part(&file, anchor_path, status));
    size_t size = fread(layout->buffer, 1, LARGEST_FILE, file);
    fclose(file);
    RETURN_ERROR_IF(size == 0, status, STATUS_INPUT,
                    "%s: empty or not readable; copy or record the trace again", anchor_path);
    RETURN_ERROR_IF(
        size < MARK + 4 || memcmp(layout->buffer + MARK, "OTF2", 4) != 0, status, STATUS_INPUT,
        "%s: not an OTF2 anchor file: it does not start like one; copy the archive again",
        anchor_path);
    RETURN_ERROR_IF(!is_sound(layout->buffer, size, layout), status, STATUS_INPUT,
                    "%s: the anchor file is damaged or cut short; copy or record the trace again",
                    anchor_path);
    RETURN_ERROR_IF(layout->buffer[SUBSTRATE] == SUBSTRATE_SION, status, STATUS_INPUT,
                    "%s: the archive's files are SIONlib containers, which anax does not read: "
                    "record the trace with a file per process (Score-P: "
                    "SCOREP_TRACING_USE_SION=false)",
                    anchor_path);
    RETURN_ERROR_IF(layout->buffer[COMPRESSION] == COMPRESSION_ZLIB, status, STATUS_INPUT,
                    "%s: the archive's files are compressed, which OTF2 cannot read since version "
                    "3.0: record the trace without compression",
                    anchor_path);
    return STATUS_OK;
}

void otf2_layout_clear(struct otf2_layout *layout) {
    free(layout->buffer);
    layout->buffer = NULL;
}

/* ---- chunks ---- */

typedef enum chunk_end { CHUNK_DAMAGED, CHUNK_NEXT, CHUNK_LAST } chunk_end;

/* Returns true for the types whose payload is one number: ENTER, LEAVE, MPI_ISEND_COMPLETE,
 * MPI_IRECV_REQUEST, MPI_REQUEST_TEST, MPI_REQUEST_CANCELLED, OMP_FORK, OMP_TASK_CREATE,
 * OMP_TASK_SWITCH, OMP_TASK_COMPLETE. */
static bool is_number(uint8_t type) {
    static const uint32_t types = 1u << 12 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 20 | 1u << 21 |
                                  1u << 24 | 1u << 28 | 1u << 29 | 1u << 30;
    return type < 32 && (types >> type & 1) != 0;
}

/* Walks the records of a chunk. *has_records is set if the chunk has a record that is not a time
 * stamp. */
static chunk_end walk_chunk(const uint8_t *bytes, size_t size, bool is_events, bool *has_records) {
    if (size < CHUNK_HEADER || bytes[0] != 3) return CHUNK_DAMAGED;
    bool big_endian = bytes[1] != 'B';
    size_t place = CHUNK_HEADER;
    while (place < size) {
        uint8_t type = bytes[place];
        if (type == 5 && is_events) {
            place += 9;
            continue;
        }
        if (type == 0) return CHUNK_NEXT;
        if (type == 2)
            return place + 1 < size && bytes[place + 1] == 1 ? CHUNK_LAST : CHUNK_DAMAGED;
        if (type < 5 || size - place < 2) return CHUNK_DAMAGED;
        *has_records = true;
        uint64_t length = bytes[place + 1];
        place += 2;
        if (length == 255 && is_events && is_number(type)) continue;
        if (length == 255) {
            if (size - place < 8) return CHUNK_DAMAGED;
            length = number_at(bytes + place, 8, big_endian);
            place += 8;
        }
        if (length > size - place) return CHUNK_DAMAGED;
        place += length;
    }
    return CHUNK_DAMAGED;
}

status_code otf2_layout_check(struct otf2_layout *layout, const char *path, bool is_events,
                              bool *has_records, struct status *status) {
    size_t chunk_bytes = is_events ? layout->event_chunk_bytes : layout->definition_chunk_bytes;
    FILE *file;
    FORWARD_IF_ERROR(open_part(&file, path, status));
    setvbuf(file, NULL, _IONBF, 0);
    chunk_end end = CHUNK_NEXT;
    *has_records = false;
    while (end == CHUNK_NEXT) {
        size_t size = fread(layout->buffer, 1, chunk_bytes, file);
        end = walk_chunk(layout->buffer, size, is_events, has_records);
    }
    fclose(file);
    RETURN_ERROR_IF(end == CHUNK_DAMAGED, status, STATUS_INPUT,
                    "%s: damaged or cut short: its records do not follow each other to the end; "
                    "copy or record the trace again",
                    path);
    return STATUS_OK;
}

/*
 * Layout, little or big endian: 6 bytes that end with "OTF2"; format and version; from byte 12 the
 * chunk sizes of events and of definitions, 8 bytes each; a byte each for substrate and
 * compression; the numbers of locations and definitions, 8 bytes each; three texts (machine,
 * creator, description), each with a NUL; the number of properties, 4 bytes; their names and values
 * in turn, each with a NUL; and more that is not looked at.
 */
#include "traces/otf2_anchor.h"
#include "core/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MARK = 2,
    EVENT_CHUNK = 12,
    DEFINITION_CHUNK = 20,
    TEXTS = 46,
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

/* Passes `count` texts; false if the file ends before. */
static bool skip_texts(const uint8_t *bytes, size_t size, size_t *place, uint64_t count) {
    for (; count > 0; count--) {
        const uint8_t *end = *place < size ? memchr(bytes + *place, 0, size - *place) : NULL;
        if (end == NULL) return false;
        *place = (size_t)(end - bytes) + 1;
    }
    return true;
}

static bool is_sound(const uint8_t *bytes, size_t size) {
    if (size < TEXTS || memcmp(bytes + MARK, "OTF2", 4) != 0) return false;
    bool big_endian = chunks_fit(bytes, true);
    if (!big_endian && !chunks_fit(bytes, false)) return false;
    size_t place = TEXTS;
    if (!skip_texts(bytes, size, &place, 3) || size - place < 4) return false;
    uint64_t properties = number_at(bytes + place, 4, big_endian);
    place += 4;
    return skip_texts(bytes, size, &place, 2 * properties);
}

status_code otf2_anchor_check(const char *path, status *status) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = memory_new(LARGEST_FILE, 1);
    size_t size = file != NULL && bytes != NULL ? fread(bytes, 1, LARGEST_FILE, file) : 0;
    bool no_memory = bytes == NULL;
    bool sound = !no_memory && is_sound(bytes, size);
    bool foreign = size < MARK + 4 || memcmp(bytes + MARK, "OTF2", 4) != 0;
    if (file != NULL) fclose(file);
    free(bytes);
    RETURN_ERROR_IF(no_memory, status, STATUS_MEMORY, "out of memory for an anchor file");
    RETURN_ERROR_IF(
        file == NULL || size == 0, status, STATUS_INPUT,
        "%s: missing, empty or not readable; an OTF2 archive is NAME.otf2, NAME.def and "
        "the folder NAME: copy all of it",
        path);
    RETURN_ERROR_IF(foreign, status, STATUS_INPUT,
                    "%s: not an OTF2 anchor file: it does not start like one", path);
    RETURN_ERROR_IF(!sound, status, STATUS_INPUT,
                    "%s: the anchor file is damaged or cut short; copy or record the trace again",
                    path);
    return STATUS_OK;
}

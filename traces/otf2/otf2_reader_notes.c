/*
 * Reads the notes that an archive of anax holds as properties. Must not know definitions or events.
 */
#include "traces/otf2/otf2_properties.h"
#include "traces/otf2/otf2_reader_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static status_code damaged(const struct otf2_reader *reader, const char *name,
                           struct status *status) {
    return status_set(status, STATUS_INPUT,
                      "%s: its property %s is damaged; copy or write the archive again",
                      reader->anchor_path, name);
}

/* Returns the line at *rest without its end, and moves *rest to the next line; NULL if the line has
 * no end. */
static char *next_line(char **rest) {
    char *line = *rest, *end = strchr(line, '\n');
    if (end == NULL) return NULL;
    *end = '\0';
    *rest = end + 1;
    return line;
}

static status_code read_note(const struct otf2_reader *reader, uint32_t number, otf2_note_sink sink,
                             void *context, struct status *status) {
    char name[48], *value = NULL;
    snprintf(name, sizeof name, OTF2_NOTE_PROPERTY, number);
    if (OTF2_Reader_GetProperty(reader->handle, name, &value) != OTF2_SUCCESS)
        return damaged(reader, name, status);
    char *what = value, *end = NULL;
    char *head = next_line(&what), *why = head != NULL ? next_line(&what) : NULL;
    bool is_sound = why != NULL && (head[0] == '0' || head[0] == '1') && head[1] == ' ' &&
                    head[2] >= '0' && head[2] <= '9';
    uint64_t count = is_sound ? strtoull(head + 2, &end, 10) : 0;
    status_code code =
        is_sound && *end == '\0'
            ? sink(context, &(struct otf2_note){what, why, count, head[0] == '1'}, status)
            : damaged(reader, name, status);
    free(value);
    return code;
}

status_code otf2_reader_read_notes(struct otf2_reader *reader, otf2_note_sink sink, void *context,
                                   bool *are_stated, struct status *status) {
    char *value = NULL, *end = NULL;
    *are_stated =
        OTF2_Reader_GetProperty(reader->handle, OTF2_NOTES_PROPERTY, &value) == OTF2_SUCCESS;
    if (!*are_stated) return STATUS_OK;
    uint64_t count = strtoull(value, &end, 10);
    bool is_sound = *value >= '0' && *value <= '9' && *end == '\0' && count <= UINT32_MAX;
    free(value);
    if (!is_sound) return damaged(reader, OTF2_NOTES_PROPERTY, status);
    for (uint32_t i = 0; i < count; i++)
        FORWARD_IF_ERROR(read_note(reader, i, sink, context, status));
    return STATUS_OK;
}

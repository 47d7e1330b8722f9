/*
 * Private parts of the writer: otf2_writer.c (the archive and its files),
 * otf2_writer_definitions.c, otf2_writer_events.c, otf2_writer_path.c and otf2_writer_join.c (of
 * several processes).
 */
#ifndef ANAX_TRACES_OTF2_WRITER_PARTS_H
#define ANAX_TRACES_OTF2_WRITER_PARTS_H

#include "traces/key_table.h"
#include "traces/otf2/archive_records.h"

#include <otf2/otf2.h>

#define WRITER_CLOCK_OFFSET_PS  UINT64_C(1000000000000)
#define WRITER_CLOCK_RESOLUTION UINT64_C(1000000000000)

enum { WRITER_GROUP_LOCATIONS, WRITER_GROUP_SELF, WRITER_GROUP_FIRST_FREE };

struct otf2_writer {
    const struct program *program;
    const struct traces_times *times;
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* event writer of the current rank */
    OTF2_AttributeList *attributes;
    OTF2_GlobalDefWriter *definitions;
    struct archive_records *records;
    uint64_t *event_counts; /* number of events of each location */
    bool has_joined;        /* has told the other processes how its own part went */
    uint32_t next_string, next_group, next_node;
    uint32_t empty_string;
    struct key_table strings; /* offset in the program's strings -> OTF2 string */
    struct key_table groups;  /* first member and size of a group -> OTF2 group */
    struct key_table nodes;   /* level and number -> system tree node */
    uint32_t *path_regions;   /* [rank]: its region on the path; 0: the path is never there */
};

/* The number of the first string, which is the name of the program. */
enum { WRITER_STRING_PROGRAM = 0 };

/* Sets an error that says what could not be written, with the system's last error if it explains
 * the failure. */
status_code otf2_writer_set_failed(const char *what, OTF2_ErrorCode code, struct status *status);

/* Returns STATUS_OK for OTF2_SUCCESS; otherwise sets the error of otf2_writer_set_failed. */
static inline status_code otf2_writer_checked(OTF2_ErrorCode code, const char *what,
                                              struct status *status) {
    return code == OTF2_SUCCESS ? STATUS_OK : otf2_writer_set_failed(what, code, status);
}

#define WRITER_CHECKED(what, expression)                                                           \
    FORWARD_IF_ERROR(otf2_writer_checked((expression), (what), status))

/* Writes a record to the event file of the current rank. */
OTF2_ErrorCode otf2_writer_write_event(struct otf2_writer *writer,
                                       const struct archive_record *record);
/* The path of writer->times has the location after those of the ranks. */
static inline uint32_t otf2_writer_location_count(const struct otf2_writer *writer) {
    return writer->program->rank_count + (writer->times->path != NULL);
}
/* Returns whether this process writes what is about all ranks. */
bool otf2_writer_is_first(const struct otf2_writer *writer);
/* Returns whether this process writes a location. */
bool otf2_writer_owns(const struct otf2_writer *writer, uint32_t location);
/* Puts the parts of processes together. All processes but the first have closed their archives.
 * Each passes how its writing went: `code` and the text of *status. Moves the files of other
 * processes to the folder of process 0, which gets all counts of events. folder: of the archive.
 * Returns the error of any process. */
status_code otf2_writer_join(struct otf2_writer *writer, const char *folder, status_code code,
                             struct status *status);

enum { OTF2_WRITER_NAME_BYTES = 32 };
/* Writes the name of this process's archive, under which it writes its files: `traces` in process
 * 0. */
void otf2_writer_make_name(const struct otf2_writer *writer, char name[OTF2_WRITER_NAME_BYTES]);

/* Writes the events of the path with writer->events. */
status_code otf2_writer_write_path_events(struct otf2_writer *writer, struct status *status);
/* Writes the definitions of the path: its location and its regions. */
status_code otf2_writer_write_path_definitions(struct otf2_writer *writer, struct status *status);
/* Defines the next string. */
status_code otf2_writer_define_string(struct otf2_writer *writer, const char *text,
                                      uint32_t *string, struct status *status);
/* Writes all global definitions. Call after all events are written. */
status_code otf2_writer_write_definitions(struct otf2_writer *writer, struct status *status);

#endif

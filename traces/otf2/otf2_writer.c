/*
 * Writes a program as an OTF2 archive: its folder, and a file of each rank after the other. Must
 * not know how a program becomes records (archive_records.c).
 *
 * Invariants: one rank's files are open at a time; a folder appears as a whole or not at all;
 * nothing is ever written over. Time stamps are picoseconds after the clock's global offset.
 */
#include "traces/otf2/otf2_writer_parts.h"
#include "traces/program/program_builder.h"

#include "core/memory.h"
#include "core/output_folder.h"
#include "traces/otf2/otf2_layout.h"
#include "traces/otf2/otf2_properties.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library would print; what it returns says enough. */
static OTF2_ErrorCode swallow(void *context, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments) {
    (void)context, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return code;
}

static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location,
                            void *caller, bool final) {
    (void)context, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* ---- ranks ---- */

static status_code write_record(void *context, const archive_record *record, status *status) {
    otf2_writer *writer = context;
    return otf2_writer_checked(otf2_writer_event(writer, record), "an event", status);
}

static status_code write_rank(otf2_writer *writer, uint32_t rank, status *status) {
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, rank);
    RETURN_ERROR_IF(writer->events == NULL, status, STATUS_SYSTEM,
                    "rank %u: cannot create its event file (disk full, too many files?)", rank);
    int64_t end_ps = writer->times->end_ps[rank];
    WRITE("an event", OTF2_EvtWriter_ProgramBegin(writer->events, NULL, CLOCK_OFFSET_PS,
                                                  STRING_PROGRAM, 0, NULL));
    FORWARD_IF_ERROR(
        archive_records_of(writer->records, rank, writer->times, write_record, writer, status));
    WRITE("an event",
          OTF2_EvtWriter_ProgramEnd(writer->events, NULL, CLOCK_OFFSET_PS + (uint64_t)end_ps, 0));
    WRITE("an event file",
          OTF2_EvtWriter_GetNumberOfEvents(writer->events, &writer->event_counts[rank]));
    return otf2_writer_checked(OTF2_Archive_CloseEvtWriter(writer->archive, writer->events),
                               "an event file", status);
}

/* Event files, then a local definition file per rank: empty, but readers want them. */
static status_code write_ranks(otf2_writer *writer, status *status) {
    WRITE("event files", OTF2_Archive_OpenEvtFiles(writer->archive));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++)
        FORWARD_IF_ERROR(write_rank(writer, rank, status));
    WRITE("event files", OTF2_Archive_CloseEvtFiles(writer->archive));
    WRITE("definition files", OTF2_Archive_OpenDefFiles(writer->archive));
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, rank);
        RETURN_ERROR_IF(local == NULL, status, STATUS_SYSTEM,
                        "rank %u: cannot create its definition file (disk full, too many files?)",
                        rank);
        WRITE("a definition file", OTF2_Archive_CloseDefWriter(writer->archive, local));
    }
    return otf2_writer_checked(OTF2_Archive_CloseDefFiles(writer->archive), "definition files",
                               status);
}

/* ---- the archive ---- */

/* The library clears a chunk for every file, so chunks are as small as it allows. Events are small;
 * a definition is a group with up to 9 bytes for each of its ranks. */
static uint64_t definition_chunk(const program *program) {
    uint64_t largest = 16 * (uint64_t)program->rank_count;
    return largest < OTF2_CHUNK_SIZE_MIN ? OTF2_CHUNK_SIZE_MIN
                                         : OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT;
}

static status_code write_property(otf2_writer *writer, const char *name, const char *value,
                                  status *status) {
    return otf2_writer_checked(OTF2_Archive_SetProperty(writer->archive, name, value, true),
                               "the archive", status);
}

/* Notes that the program has, but for those that come anew when it is sealed. */
static status_code write_notes(otf2_writer *writer, status *status) {
    const program *program = writer->program;
    uint32_t count = 0;
    char name[48], head[48];
    for (uint32_t i = 0; i < program->note_count; i++) {
        const program_note *note = &program->notes[i];
        const char *what = program_text(program, note->what);
        const char *why = program_text(program, note->why);
        if (builder_note_is_of_sealing(what)) continue;
        snprintf(name, sizeof name, OTF2_NOTE_PROPERTY, count++);
        snprintf(head, sizeof head, "%d %" PRIu64, note->is_assumed != 0, note->count);
        size_t size = strlen(head) + strlen(why) + strlen(what) + 3;
        char *value = malloc(size);
        RETURN_ERROR_IF(value == NULL, status, STATUS_MEMORY, "out of memory for a note");
        snprintf(value, size, "%s\n%s\n%s", head, why, what);
        status_code code = write_property(writer, name, value, status);
        free(value);
        if (code != STATUS_OK) return code;
    }
    snprintf(head, sizeof head, "%" PRIu32, count);
    return write_property(writer, OTF2_NOTES_PROPERTY, head, status);
}

static status_code write_archive(otf2_writer *writer, const char *folder, status *status) {
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    const program *program = writer->program;
    writer->archive =
        OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                          definition_chunk(program), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    RETURN_ERROR_IF(writer->archive == NULL, status, STATUS_SYSTEM, "cannot create the archive");
    WRITE("the archive", OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL));
    WRITE("the archive", OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
    WRITE("the archive", OTF2_Archive_SetCreator(writer->archive, "anax"));
    FORWARD_IF_ERROR(write_property(writer, OTF2_IN_PLACE_PROPERTY, "attribute", status));
    FORWARD_IF_ERROR(write_notes(writer, status));
    WRITE("the archive",
          OTF2_Archive_SetDescription(writer->archive, program_text(program, program->source)));
    FORWARD_IF_ERROR(write_ranks(writer, status));
    return otf2_writer_definitions(writer, status);
}

/* The library writes the anchor file last, and closes it without a look at whether that worked. */
static status_code check_anchor(const char *folder, status *status) {
    size_t size = strlen(folder) + sizeof "/traces.otf2";
    char *path = malloc(size);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    snprintf(path, size, "%s/traces.otf2", folder);
    otf2_layout layout;
    status_code code = otf2_layout_read(&layout, path, status);
    otf2_layout_clear(&layout);
    free(path);
    if (code != STATUS_INPUT) return code;
    return status_set(status, STATUS_SYSTEM, "cannot write the anchor file (is the disk full?)");
}

static status_code write_and_close(otf2_writer *writer, const char *folder, status *status) {
    writer->records = archive_records_new(writer->program, status);
    if (writer->records == NULL) return STATUS_MEMORY;
    writer->event_counts = memory_new(writer->program->rank_count, sizeof *writer->event_counts);
    writer->attributes = OTF2_AttributeList_New();
    status_code code = writer->event_counts != NULL && writer->attributes != NULL
                           ? write_archive(writer, folder, status)
                           : status_set(status, STATUS_MEMORY, "out of memory");
    if (writer->archive != NULL) {
        OTF2_ErrorCode closed = OTF2_Archive_Close(writer->archive);
        if (code == STATUS_OK) code = otf2_writer_checked(closed, "the anchor file", status);
        if (code == STATUS_OK) code = check_anchor(folder, status);
    }
    archive_records_free(writer->records);
    OTF2_AttributeList_Delete(writer->attributes);
    free(writer->event_counts);
    key_table_free(&writer->strings);
    key_table_free(&writer->groups);
    key_table_free(&writer->nodes);
    return code;
}

status_code traces_write_otf2(const program *program, const traces_times *times, const char *path,
                              status *status) {
    output_folder folder;
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    OTF2_ErrorCallback previous = OTF2_Error_RegisterCallback(swallow, NULL);
    otf2_writer writer = {.program = program, .times = times, .next_group = GROUP_FIRST_FREE};
    status_code code = write_and_close(&writer, folder.temporary, status);
    OTF2_Error_RegisterCallback(previous, NULL);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    return output_folder_finish(&folder, code, status);
}

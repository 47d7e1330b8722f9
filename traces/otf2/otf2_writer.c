/*
 * Writes a program as an OTF2 archive: the folder, and the files of one rank after another. Must
 * not know how a program becomes records (archive_records.c).
 *
 * Invariants: the files of one rank are open at a time; the folder appears as a whole or not at
 * all; existing files are never overwritten. Time stamps are picoseconds after the clock's global
 * offset.
 */
#include "traces/otf2/otf2_writer_parts.h"
#include "traces/program/builder/program_builder.h"
#include "traces/program/program_graph.h"

#include "core/files/output_folder.h"
#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/otf2/otf2_layout.h"
#include "traces/otf2/otf2_properties.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ignores a message of the library, which would print it. The returned code is enough. */
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

/* Sets the error of a failed write. The library's codes tell what failed, rarely why. errno tells
 * why, but only if it is one of `reasons`; other values may come from a search for a file, for
 * example. */
status_code otf2_writer_set_failed(const char *what, OTF2_ErrorCode code, struct status *status) {
    static const int reasons[] = {ENOSPC, EDQUOT, EFBIG, EIO, EMFILE, ENFILE, EROFS, EACCES, EPERM};
    const int reason = errno;
    if (reason == ENOMEM || code == OTF2_ERROR_ENOMEM || code == OTF2_ERROR_MEM_ALLOC_FAILED)
        return status_set(status, STATUS_MEMORY, "out of memory for writing %s", what);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reason == reasons[i])
            return status_set(status, STATUS_SYSTEM, "cannot write %s: %s", what, strerror(reason));
    return status_set(status, STATUS_SYSTEM, "cannot write %s (is the disk full? OTF2: %s)", what,
                      OTF2_Error_GetDescription(code));
}

/* ---- ranks ---- */

static status_code write_record(void *context, const struct archive_record *record,
                                struct status *status) {
    struct otf2_writer *writer = context;
    return otf2_writer_checked(otf2_writer_write_event(writer, record), "an event", status);
}

static status_code write_rank_events(struct otf2_writer *writer, uint32_t rank,
                                     struct status *status) {
    int64_t end_ps = writer->times->end_ps[rank];
    WRITER_CHECKED("an event",
                   OTF2_EvtWriter_ProgramBegin(writer->events, NULL, WRITER_CLOCK_OFFSET_PS,
                                               WRITER_STRING_PROGRAM, 0, NULL));
    FORWARD_IF_ERROR(
        archive_records_visit(writer->records, rank, writer->times, write_record, writer, status));
    return otf2_writer_checked(OTF2_EvtWriter_ProgramEnd(writer->events, NULL,
                                                         WRITER_CLOCK_OFFSET_PS + (uint64_t)end_ps,
                                                         0),
                               "an event", status);
}

static status_code write_location(struct otf2_writer *writer, uint32_t location,
                                  struct status *status) {
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, location);
    if (writer->events == NULL)
        return otf2_writer_set_failed("an event file", OTF2_ERROR_INVALID, status);
    FORWARD_IF_ERROR(location < writer->program->rank_count
                         ? write_rank_events(writer, location, status)
                         : otf2_writer_write_path_events(writer, status));
    WRITER_CHECKED("an event file", OTF2_EvtWriter_GetNumberOfEvents(
                                        writer->events, &writer->event_counts[location]));
    return otf2_writer_checked(OTF2_Archive_CloseEvtWriter(writer->archive, writer->events),
                               "an event file", status);
}

/* Writes the event files of this process, and then an empty local definition file for each of them,
 * which readers require. */
static status_code write_locations(struct otf2_writer *writer, struct status *status) {
    WRITER_CHECKED("event files", OTF2_Archive_OpenEvtFiles(writer->archive));
    const uint32_t count = otf2_writer_location_count(writer);
    for (uint32_t location = 0; location < count; location++)
        if (otf2_writer_owns(writer, location))
            FORWARD_IF_ERROR(write_location(writer, location, status));
    WRITER_CHECKED("event files", OTF2_Archive_CloseEvtFiles(writer->archive));
    WRITER_CHECKED("definition files", OTF2_Archive_OpenDefFiles(writer->archive));
    for (uint32_t location = 0; location < count; location++) {
        if (!otf2_writer_owns(writer, location)) continue;
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, location);
        if (local == NULL)
            return otf2_writer_set_failed("a definition file", OTF2_ERROR_INVALID, status);
        WRITER_CHECKED("a definition file", OTF2_Archive_CloseDefWriter(writer->archive, local));
    }
    return otf2_writer_checked(OTF2_Archive_CloseDefFiles(writer->archive), "definition files",
                               status);
}

/* ---- the archive ---- */

/* Returns the length of the longest name in the archive. */
static size_t longest_name(const struct program *program) {
    size_t longest = strlen(program_text(program, program->source));
    for (uint32_t i = 0; i < program->region_count; i++) {
        size_t length = strlen(program_text(program, program->regions[i].name));
        if (length > longest) longest = length;
    }
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        size_t length = strlen(program_text(program, program->communicators[i].name));
        if (length > longest) longest = length;
    }
    return longest;
}

/* Sets *bytes to the chunk size of definitions. The library clears a chunk for every file, so
 * chunks are as small as it allows. Events are small; a definition, which must fit in a chunk, is a
 * name or a group with up to 9 bytes for each rank. */
static status_code definition_chunk(const struct program *program, uint64_t *bytes,
                                    struct status *status) {
    enum { GROUP_BYTES_PER_RANK = 16, NAME_BYTES_MORE = 64 };
    uint64_t group = GROUP_BYTES_PER_RANK * (uint64_t)program->rank_count;
    uint64_t name = longest_name(program) + NAME_BYTES_MORE;
    RETURN_ERROR_IF(name > OTF2_CHUNK_SIZE_MAX, status, STATUS_USAGE,
                    "a name of %" PRIu64 " bytes is longer than OTF2 archives can hold (%" PRIu64
                    ")",
                    name - NAME_BYTES_MORE, (uint64_t)OTF2_CHUNK_SIZE_MAX - NAME_BYTES_MORE);
    *bytes = group > name ? group : name;
    if (*bytes < OTF2_CHUNK_SIZE_MIN) *bytes = OTF2_CHUNK_SIZE_MIN;
    if (*bytes > OTF2_CHUNK_SIZE_MAX) *bytes = OTF2_CHUNK_SIZE_MAX;
    return STATUS_OK;
}

/* Writes the source of the program for users. Readers read the anchor file at once, so a very long
 * source is cut there, between two characters. The definitions hold the whole text. */
static status_code write_description(struct otf2_writer *writer, struct status *status) {
    enum { DESCRIPTION_MAX = 1 << 16 };
    const char *source = program_text(writer->program, writer->program->source);
    size_t length = strlen(source);
    if (length > DESCRIPTION_MAX) length = DESCRIPTION_MAX;
    while (length > 0 && ((unsigned char)source[length] & 0xc0) == 0x80)
        length--;
    char *text = strndup(source, length);
    RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for a text");
    OTF2_ErrorCode code = OTF2_Archive_SetDescription(writer->archive, text);
    free(text);
    return otf2_writer_checked(code, "the archive", status);
}

static status_code write_property(struct otf2_writer *writer, const char *name, const char *value,
                                  struct status *status) {
    return otf2_writer_checked(OTF2_Archive_SetProperty(writer->archive, name, value, true),
                               "the archive", status);
}

/* Writes the notes of the program, except for those that sealing counts again. */
static status_code write_notes(struct otf2_writer *writer, struct status *status) {
    const struct program *program = writer->program;
    uint32_t count = 0;
    char name[48], head[48];
    for (uint32_t i = 0; i < program->note_count; i++) {
        const struct program_note *note = &program->notes[i];
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

/* Opens the archive of this process, and writes its files. */
static status_code write_files(struct otf2_writer *writer, const char *folder,
                               struct status *status) {
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    const struct program *program = writer->program;
    uint64_t chunk_bytes = 0;
    char name[OTF2_WRITER_NAME_BYTES];
    otf2_writer_make_name(writer, name);
    FORWARD_IF_ERROR(definition_chunk(program, &chunk_bytes, status));
    writer->archive = OTF2_Archive_Open(folder, name, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                        chunk_bytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (writer->archive == NULL)
        return otf2_writer_set_failed("the archive", OTF2_ERROR_INVALID, status);
    WRITER_CHECKED("the archive",
                   OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL));
    WRITER_CHECKED("the archive", OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
    WRITER_CHECKED("the archive", OTF2_Archive_SetCreator(writer->archive, "anax"));
    FORWARD_IF_ERROR(write_description(writer, status));
    FORWARD_IF_ERROR(write_property(writer, OTF2_IN_PLACE_PROPERTY, "attribute", status));
    FORWARD_IF_ERROR(write_notes(writer, status));
    return write_locations(writer, status);
}

/* Closes the archive if it is open. If this fails, *code becomes the failure, unless *code is an
 * error already. */
static void close_archive(struct otf2_writer *writer, status_code *code, struct status *status) {
    if (writer->archive == NULL) return;
    const OTF2_ErrorCode closed = OTF2_Archive_Close(writer->archive);
    writer->archive = NULL;
    if (*code == STATUS_OK) *code = otf2_writer_checked(closed, "the anchor file", status);
}

/* The other processes close their archives before otf2_writer_join, which moves their files. The
 * first process keeps its archive open, since it writes the definitions after otf2_writer_join has
 * given it the counts of all events. */
static status_code write_archive(struct otf2_writer *writer, const char *folder,
                                 struct status *status) {
    status_code code = write_files(writer, folder, status);
    if (!otf2_writer_is_first(writer)) close_archive(writer, &code, status);
    code = otf2_writer_join(writer, folder, code, status);
    if (code == STATUS_OK && otf2_writer_is_first(writer))
        code = otf2_writer_write_definitions(writer, status);
    return code;
}

/* Checks the anchor file: the library writes it last and ignores whether closing it worked. */
static status_code check_anchor(const char *folder, struct status *status) {
    size_t size = strlen(folder) + sizeof "/traces.otf2";
    char *path = malloc(size);
    RETURN_ERROR_IF(path == NULL, status, STATUS_MEMORY, "out of memory for a path");
    snprintf(path, size, "%s/traces.otf2", folder);
    struct otf2_layout layout;
    status_code code = otf2_layout_read(&layout, path, status);
    otf2_layout_clear(&layout);
    free(path);
    RETURN_ERROR_IF(code == STATUS_MEMORY, status, code, "out of memory for the anchor file");
    return code == STATUS_INPUT
               ? otf2_writer_set_failed("the anchor file", OTF2_ERROR_INTEGRITY_FAULT, status)
               : code;
}

static status_code write_and_close(struct otf2_writer *writer, const char *folder,
                                   struct status *status) {
    errno = 0;
    writer->records = archive_records_new(writer->program, status);
    if (writer->records == NULL) return STATUS_MEMORY;
    writer->event_counts =
        memory_new((size_t)writer->program->rank_count + 1, sizeof *writer->event_counts);
    writer->attributes = OTF2_AttributeList_New();
    status_code code = writer->event_counts != NULL && writer->attributes != NULL
                           ? write_archive(writer, folder, status)
                           : status_set(status, STATUS_MEMORY, "out of memory for %u ranks",
                                        writer->program->rank_count);
    close_archive(writer, &code, status);
    if (code == STATUS_OK && otf2_writer_is_first(writer)) code = check_anchor(folder, status);
    archive_records_free(writer->records);
    OTF2_AttributeList_Delete(writer->attributes);
    free(writer->event_counts);
    key_table_free(&writer->strings);
    key_table_free(&writer->groups);
    key_table_free(&writer->nodes);
    free(writer->path_regions);
    return code;
}

enum { DESCRIPTOR_PATH_BYTES = 32 };
/* Returns a path by the descriptor of the open folder, or `otherwise` if there is no /proc. The
 * library creates a folder that it does not find, so it would create again a folder that
 * abandon_output has removed. A path by descriptor cannot be created again. */
static const char *descriptor_path(char path[DESCRIPTOR_PATH_BYTES], int descriptor,
                                   const char *otherwise) {
    snprintf(path, DESCRIPTOR_PATH_BYTES, "/proc/self/fd/%d", descriptor);
    return access(path, W_OK) == 0 ? path : otherwise;
}

static status_code write_open_folder(struct otf2_writer *writer, const char *folder,
                                     struct status *status) {
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    RETURN_ERROR_IF(descriptor < 0, status, STATUS_SYSTEM, "cannot open the folder: %s",
                    strerror(errno));
    char path[DESCRIPTOR_PATH_BYTES];
    status_code code = write_and_close(writer, descriptor_path(path, descriptor, folder), status);
    close(descriptor);
    return code;
}

static status_code write_folder(struct otf2_writer *writer, const char *folder,
                                struct status *status) {
    OTF2_ErrorCallback previous = OTF2_Error_RegisterCallback(swallow, NULL);
    status_code code = write_open_folder(writer, folder, status);
    OTF2_Error_RegisterCallback(previous, NULL);
    /* A process that has failed before it could join the others tells them now. */
    return writer->has_joined ? code : otf2_writer_join(writer, folder, code, status);
}

/* Processes: gives all of them the path of the folder that process 0 has made. */
static status_code share_folder(const struct traces_times *times, struct output_folder *folder,
                                status_code code, struct status *status) {
    const bool is_first = processes_number(times->processes) == 0;
    uint64_t bytes = is_first && code == STATUS_OK ? strlen(folder->temporary) + 1 : 0;
    FORWARD_IF_ERROR(processes_agree(times->processes, code, status));
    FORWARD_IF_ERROR(processes_broadcast(times->processes, &bytes, sizeof bytes, status));
    if (!is_first) folder->temporary = malloc(bytes);
    code = folder->temporary != NULL
               ? STATUS_OK
               : status_set(status, STATUS_MEMORY, "out of memory for a path");
    FORWARD_IF_ERROR(processes_agree(times->processes, code, status));
    return processes_broadcast(times->processes, folder->temporary, bytes, status);
}

static status_code write_alone(struct otf2_writer *writer, const char *path,
                               struct status *status) {
    struct output_folder folder;
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    status_code code = write_folder(writer, folder.temporary, status);
    if (code != STATUS_OK) status_prefix(status, "%s", path);
    return output_folder_finish(&folder, code, status);
}

static status_code write_together(struct otf2_writer *writer, const char *path,
                                  struct status *status) {
    const struct traces_times *times = writer->times;
    const bool is_first = otf2_writer_is_first(writer);
    struct output_folder folder = {0};
    const status_code begun = is_first ? output_folder_begin(&folder, path, status) : STATUS_OK;
    status_code code = share_folder(times, &folder, begun, status);
    if (code == STATUS_OK) code = write_folder(writer, folder.temporary, status);
    if (code != STATUS_OK && begun == STATUS_OK) status_prefix(status, "%s", path);
    if (!is_first) free(folder.temporary);
    if (is_first && begun == STATUS_OK) code = output_folder_finish(&folder, code, status);
    return processes_agree(times->processes, code, status);
}

status_code traces_write_otf2(const struct program *program, const struct traces_times *times,
                              const char *folder, struct status *status) {
    RETURN_ERROR_IF(program_has_graphs(program), status, STATUS_USAGE,
                    "%s: a schedule in GOAL has no MPI calls, so it cannot be an OTF2 archive; "
                    "write a program file (.anax) or export it as GOAL",
                    folder);
    struct otf2_writer writer = {
        .program = program, .times = times, .next_group = WRITER_GROUP_FIRST_FREE};
    return times->processes != NULL ? write_together(&writer, folder, status)
                                    : write_alone(&writer, folder, status);
}

/*
 * Processes that write an archive together: each writes the files of its ranks under an archive
 * name of its own, in the same folder, and then moves them to those of process 0. Must not know
 * what the files hold.
 */
#include "traces/otf2/otf2_writer_parts.h"

#include "core/processes/processes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

bool otf2_writer_is_first(const struct otf2_writer *writer) {
    return processes_number(writer->times->processes) == 0;
}

bool otf2_writer_owns(const struct otf2_writer *writer, uint32_t location) {
    if (location >= writer->program->rank_count || writer->times->own == NULL)
        return otf2_writer_is_first(writer);
    return writer->times->own[location];
}

void otf2_writer_name(const struct otf2_writer *writer, char name[OTF2_WRITER_NAME_BYTES]) {
    const unsigned process = processes_number(writer->times->processes);
    if (process == 0)
        snprintf(name, OTF2_WRITER_NAME_BYTES, "traces");
    else
        snprintf(name, OTF2_WRITER_NAME_BYTES, "traces-%u", process);
}

static void add_counts(void *sum, const void *part) {
    struct otf2_event_counts *counts = sum;
    const struct otf2_event_counts *more = part;
    for (uint64_t i = 0; i < counts->count; i++)
        counts->events[i] += more->events[i];
}

static status_code move_file(const char *folder, const char *name, uint32_t location,
                             const char *ending, struct status *status) {
    char from[PATH_BYTES], to[PATH_BYTES];
    const int length = snprintf(from, sizeof from, "%s/%s/%u.%s", folder, name, location, ending);
    snprintf(to, sizeof to, "%s/traces/%u.%s", folder, location, ending);
    RETURN_ERROR_IF(length >= PATH_BYTES, status, STATUS_USAGE, "the path is too long");
    RETURN_ERROR_IF(rename(from, to) != 0, status, STATUS_SYSTEM, "cannot move a file to %s: %s",
                    to, strerror(errno));
    return STATUS_OK;
}

/* Removes what is left of this process's archive: its anchor and its empty folder. */
static void remove_rest(const char *folder, const char *name) {
    static const char *const endings[] = {".otf2", ".def", ".marker"};
    char path[PATH_BYTES];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, endings[i]);
        (void)unlink(path);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)rmdir(path);
}

static status_code move_files(const struct otf2_writer *writer, const char *folder,
                              struct status *status) {
    char name[OTF2_WRITER_NAME_BYTES];
    otf2_writer_name(writer, name);
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        if (!otf2_writer_owns(writer, rank)) continue;
        FORWARD_IF_ERROR(move_file(folder, name, rank, "evt", status));
        FORWARD_IF_ERROR(move_file(folder, name, rank, "def", status));
    }
    remove_rest(folder, name);
    return STATUS_OK;
}

status_code otf2_writer_join(struct otf2_writer *writer, const char *folder, status_code code,
                             struct status *status) {
    struct processes *processes = writer->times->processes;
    writer->has_joined = true;
    if (processes == NULL) return code;
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    if (!otf2_writer_is_first(writer)) code = move_files(writer, folder, status);
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    const size_t bytes =
        sizeof *writer->events_of + writer->events_of->count * sizeof *writer->events_of->events;
    return processes_add_up(processes, writer->events_of, bytes, add_counts, status);
}

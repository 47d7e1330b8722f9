/*
 * Processes that write an archive together: each writes the files of its ranks under an archive
 * name of its own, in the same folder, and then moves them to those of process 0. Must not know
 * what the files hold.
 */
#include "traces/otf2/otf2_writer_parts.h"

#include "core/processes/processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

void otf2_writer_make_name(const struct otf2_writer *writer, char name[OTF2_WRITER_NAME_BYTES]) {
    const unsigned process = processes_number(writer->times->processes);
    if (process == 0)
        snprintf(name, OTF2_WRITER_NAME_BYTES, "traces");
    else
        snprintf(name, OTF2_WRITER_NAME_BYTES, "traces-%u", process);
}

/* The number of events of a location. */
struct location_count {
    uint64_t location;
    uint64_t events;
};

/* Sends the counts of this process to process 0, which takes those of all. */
static status_code gather_counts(struct otf2_writer *writer, struct status *status) {
    struct processes *processes = writer->times->processes;
    struct processes_packing own = {0};
    struct processes_unpacking *blocks = NULL;
    const bool is_first = otf2_writer_is_first(writer);
    for (uint32_t rank = 0; rank < writer->program->rank_count && !is_first; rank++) {
        const struct location_count count = {rank, writer->event_counts[rank]};
        if (otf2_writer_owns(writer, rank)) processes_pack(&own, &count, sizeof count);
    }
    const status_code code = processes_gather(processes, &own, &blocks, status);
    for (unsigned i = 1; code == STATUS_OK && is_first && i < processes_count(processes); i++)
        for (const struct location_count *count;
             (count = processes_unpack(&blocks[i], sizeof *count)) != NULL;)
            if (count->location < writer->program->rank_count)
                writer->event_counts[count->location] = count->events;
    processes_pack_free(&own);
    free(blocks);
    return code;
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
static status_code remove_rest(const char *folder, const char *name, struct status *status) {
    static const char *const endings[] = {".otf2", ".def", ".marker"};
    char path[PATH_BYTES];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, endings[i]);
        RETURN_ERROR_IF(unlink(path) != 0 && errno != ENOENT, status, STATUS_SYSTEM,
                        "cannot remove %s%s: %s", name, endings[i], strerror(errno));
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    RETURN_ERROR_IF(rmdir(path) != 0 && errno != ENOENT, status, STATUS_SYSTEM,
                    "cannot remove %s: %s", name, strerror(errno));
    return STATUS_OK;
}

static status_code move_files(const struct otf2_writer *writer, const char *folder,
                              struct status *status) {
    char name[OTF2_WRITER_NAME_BYTES];
    otf2_writer_make_name(writer, name);
    for (uint32_t rank = 0; rank < writer->program->rank_count; rank++) {
        if (!otf2_writer_owns(writer, rank)) continue;
        FORWARD_IF_ERROR(move_file(folder, name, rank, "evt", status));
        FORWARD_IF_ERROR(move_file(folder, name, rank, "def", status));
    }
    return remove_rest(folder, name, status);
}

status_code otf2_writer_join(struct otf2_writer *writer, const char *folder, status_code code,
                             struct status *status) {
    struct processes *processes = writer->times->processes;
    writer->has_joined = true;
    if (processes == NULL) return code;
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    if (!otf2_writer_is_first(writer)) code = move_files(writer, folder, status);
    FORWARD_IF_ERROR(processes_agree(processes, code, status));
    return gather_counts(writer, status);
}

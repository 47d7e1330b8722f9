/*
 * Turns the definitions of an archive into the clock, communicators and regions of a program. Must
 * not know events, nor how ranks are found (otf2_import_ranks.c).
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- communicators ---- */

struct group_ranks {
    const uint32_t *members; /* NULL: each rank has a communicator of its own */
    uint32_t size;
};

static struct group_ranks ranks_of_group(const struct import_archive *archive,
                                         const struct otf2_group *group) {
    if (group->kind == OTF2_GROUP_SELF || group->size == 0) return (struct group_ranks){NULL, 1};
    return (struct group_ranks){archive->group_members + group->first, group->size};
}

static status_code add_communicator(struct import_archive *archive, size_t number,
                                    struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    const struct otf2_communicator *definition = &definitions->communicators[number];
    struct import_communicator *communicator = &archive->communicators[number];
    communicator->index = PROGRAM_NONE;
    const struct otf2_group *group = otf2_definitions_group(definitions, definition->group);
    if (group == NULL) return STATUS_OK;
    communicator->is_empty = group->kind != OTF2_GROUP_SELF && group->size == 0 &&
                             definition->remote_group == OTF2_NOT_DEFINED;
    if (communicator->is_empty) return STATUS_OK;
    const char *name = otf2_definitions_text(definitions, definition->name);
    struct group_ranks local = ranks_of_group(archive, group), remote = {NULL, 0};
    /* dumpi2otf2 gives MPI_COMM_SELF the group of rank 0. */
    if (local.size == 1 && strcmp(name, "MPI_COMM_SELF") == 0) local.members = NULL;
    if (definition->remote_group != OTF2_NOT_DEFINED) {
        const struct otf2_group *other =
            otf2_definitions_group(definitions, definition->remote_group);
        if (other == NULL) return STATUS_OK;
        remote = ranks_of_group(archive, other);
        RETURN_ERROR_IF(local.members == NULL || remote.members == NULL, status, STATUS_INPUT,
                        "%s: intercommunicator %u has a group without members: the global "
                        "definitions are damaged",
                        archive->anchor_path, definition->id);
    }
    *communicator = (struct import_communicator){.index = PROGRAM_NONE,
                                                 .size = local.size,
                                                 .members = local.members,
                                                 .remote_size = remote.size,
                                                 .remote = remote.members,
                                                 .is_global = group->is_global};
    archive->has_global |= group->is_global;
    uint32_t *index = &communicator->index;
    if (remote.members != NULL)
        FORWARD_IF_ERROR(builder_define_intercommunicator(archive->builder, name, local.members,
                                                          local.size, remote.members, remote.size,
                                                          index, status));
    else if (local.members == NULL)
        FORWARD_IF_ERROR(builder_define_communicator_self(archive->builder, name, index, status));
    else
        FORWARD_IF_ERROR(builder_define_communicator(archive->builder, name, local.members,
                                                     local.size, index, status));
    builder_set_communicator_number(archive->builder, *index, definition->id);
    return STATUS_OK;
}

static status_code add_communicators(struct import_archive *archive, struct status *status) {
    size_t count = archive->definitions.communicator_count;
    archive->communicators = memory_new(count, sizeof *archive->communicators);
    RETURN_ERROR_IF(archive->communicators == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu communicators", count);
    for (size_t i = 0; i < count; i++) {
        if (add_communicator(archive, i, status) == STATUS_OK) continue;
        return status_prefix(status, "%s: communicator %u", archive->anchor_path,
                             archive->definitions.communicators[i].id);
    }
    return STATUS_OK;
}

/* ---- regions ---- */

static status_code add_regions(struct import_archive *archive, struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    archive->regions = memory_new(definitions->region_count, sizeof *archive->regions);
    RETURN_ERROR_IF(archive->regions == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu regions", definitions->region_count);
    bool has_paradigm = false;
    for (size_t i = 0; i < definitions->region_count; i++)
        has_paradigm |= definitions->regions[i].is_mpi;
    for (size_t i = 0; i < definitions->region_count; i++) {
        const char *name = otf2_definitions_text(definitions, definitions->regions[i].name);
        char call[IMPORT_NAME_SIZE];
        bool is_call = import_call_name(call, name);
        /* EZTrace gives the regions of MPI the paradigm USER. TAU gives the paradigm MPI to all
         * functions with MPI_ in their name or in the types of their arguments. */
        bool is_mpi = is_call && *name == 'M';
        if (has_paradigm)
            is_mpi = definitions->regions[i].is_mpi && (is_call || strstr(name, "MPI_") == NULL);
        if (is_mpi && is_call) name = call;
        if (is_mpi) archive->regions[i] = import_region_of(name);
        if (is_mpi || archive->config->user_regions)
            archive->regions[i].region = builder_define_region(archive->builder, name, is_mpi);
    }
    return STATUS_OK;
}

/* ---- files ---- */

/* Only files that MPI opens: of other interfaces nothing is replayed. */
static status_code add_files(struct import_archive *archive, struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    archive->files = memory_new(definitions->files.count, sizeof *archive->files);
    RETURN_ERROR_IF(archive->files == NULL, status, STATUS_MEMORY, "out of memory for files");
    for (size_t i = 0; i < definitions->handle_count; i++) {
        size_t file;
        if (otf2_definitions_find_handle(definitions, definitions->handles[i].id, &file) !=
            SIZE_MAX)
            archive->files[file] = builder_define_file(
                archive->builder,
                otf2_definitions_text(definitions, definitions->files.items[file].name));
    }
    return STATUS_OK;
}

/* ---- the whole ---- */

/* Recognises the tools whose conventions are not Score-P's, by their creator or by other signs. */
static void recognise_writer(struct import_archive *archive) {
    const struct otf2_definitions *definitions = &archive->definitions;
    for (size_t i = 0; i < definitions->region_count; i++)
        archive->is_eztrace |=
            strncmp(otf2_definitions_text(definitions, definitions->regions[i].name), "EZTrace ",
                    8) == 0;
    const char *creator = definitions->creator != NULL ? definitions->creator : "";
    const struct otf2_group *ranks = otf2_definitions_ranks(definitions);
    archive->is_dumpi =
        *creator == '\0' && ranks != NULL &&
        strcmp(otf2_definitions_text(definitions, ranks->name), "LOCATIONS_GROUP") == 0;
    archive->records_arguments = archive->is_eztrace || archive->is_dumpi;
    archive->miscounts = archive->is_eztrace || strcmp(creator, "TAU") == 0;
}

/* Takes a note of the archive, except for collectives that are guessed now and were not modelled
 * when the archive was written. */
static status_code take_note(void *context, const struct otf2_note *note, struct status *status) {
    (void)status;
    struct import_archive *archive = context;
    bool is_guessed =
        archive->config->guess != TRACES_GUESS_OFF && !note->is_assumed &&
        import_starts_unrecorded(note->what, strlen(note->what)) >= IMPORT_STARTS_COLLECTIVE;
    if (!is_guessed)
        builder_add_note_or_assumption(archive->builder, note->what, note->why, note->count,
                                       note->is_assumed);
    return STATUS_OK;
}

/* Reads everything that needs the open archive: definitions, and the facts that anax states about
 * its own archives. */
static status_code read_whole(struct import_archive *archive, struct otf2_reader *reader,
                              struct status *status) {
    FORWARD_IF_ERROR(otf2_reader_read_definitions(reader, &archive->definitions, status));
    recognise_writer(archive);
    FORWARD_IF_ERROR(import_archive_times(archive, status));
    FORWARD_IF_ERROR(import_archive_ranks(archive, status));
    archive->builder = builder_new(archive->rank_count, status);
    if (archive->builder == NULL) return STATUS_MEMORY;
    struct paging *paging = traces_paging(archive->config);
    RETURN_ERROR_IF(paging == NULL, status, STATUS_MEMORY, "out of memory for a trace");
    builder_set_paging(archive->builder, paging);
    if (!otf2_reader_states_in_place(reader) && !archive->records_arguments)
        builder_mark_sizes_open(archive->builder);
    return otf2_reader_read_notes(reader, take_note, archive, &archive->states_notes, status);
}

status_code import_archive_read(struct import_archive *archive, const char *anchor_path,
                                const struct traces_config *config, struct status *status) {
    *archive = (struct import_archive){.anchor_path = anchor_path, .config = config};
    struct otf2_reader *reader = otf2_reader_open(anchor_path, status);
    if (reader == NULL) return STATUS_INPUT;
    status_code code = read_whole(archive, reader, status);
    otf2_reader_close(reader);
    if (code != STATUS_OK) return code;
    FORWARD_IF_ERROR(add_communicators(archive, status));
    FORWARD_IF_ERROR(import_prepare_guesses(archive, status));
    FORWARD_IF_ERROR(add_files(archive, status));
    return add_regions(archive, status);
}

void import_archive_clear(struct import_archive *archive) {
    otf2_definitions_clear(&archive->definitions);
    builder_free(archive->builder);
    free(archive->regions);
    free(archive->files);
    free(archive->rank_of);
    free(archive->communicators);
    free(archive->group_members);
    free(archive->rank_locations);
    free(archive->first_location);
    free(archive->guessed);
    *archive = (struct import_archive){0};
}

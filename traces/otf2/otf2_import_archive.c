/*
 * An archive's definitions -> ranks, communicators and regions of a program.
 *
 * Must not know events. Invariant: a rank is a process (location group): rank r of the world is
 * found through MPI's COMM_LOCATIONS group, whose locations are the processes' masters.
 */
#include "traces/otf2/otf2_import.h"

#include "core/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PICOSECONDS_PER_SECOND UINT64_C(1000000000000)

/* Every call has two times, and a division of 128 bits takes as long as all else that is done for
 * it: so ticks · 10^12 / f is ticks · whole + ticks · rest / f, where the second part is estimated
 * by ticks · (rest · 2^64 / f) / 2^64, which is right or one too small. */
static import_clock clock_of(uint64_t ticks_per_second) {
    const unsigned __int128 f = ticks_per_second;
    uint64_t rest = PICOSECONDS_PER_SECOND % ticks_per_second;
    unsigned __int128 most = (unsigned __int128)INT64_MAX * f / PICOSECONDS_PER_SECOND;
    return (import_clock){.per_second = ticks_per_second,
                          .whole_ps = PICOSECONDS_PER_SECOND / ticks_per_second,
                          .rest = rest,
                          .reciprocal = (uint64_t)(((unsigned __int128)rest << 64) / f),
                          .most_ticks = most > UINT64_MAX ? UINT64_MAX : (uint64_t)most};
}

status_code import_duration_ps(const import_archive *archive, uint64_t ticks, int64_t *duration_ps,
                               status *status) {
    const import_clock *clock = &archive->clock;
    RETURN_ERROR_IF(ticks > clock->most_ticks, status, STATUS_INPUT,
                    "a time of %" PRIu64 " clock ticks (%" PRIu64
                    " per second) is more than 106 days: the clock properties are damaged",
                    ticks, clock->per_second);
    uint64_t part = (uint64_t)((unsigned __int128)ticks * clock->reciprocal >> 64);
    /* Below 2 f, so it may be found modulo 2^64. */
    if (ticks * clock->rest - part * clock->per_second >= clock->per_second) part++;
    *duration_ps = (int64_t)(ticks * clock->whole_ps + part);
    return STATUS_OK;
}

status_code import_time_ps(const import_archive *archive, uint64_t ticks, int64_t *time_ps,
                           status *status) {
    uint64_t offset = archive->definitions.global_offset_ticks;
    bool before = ticks < offset;
    FORWARD_IF_ERROR(
        import_duration_ps(archive, before ? offset - ticks : ticks - offset, time_ps, status));
    if (before) *time_ps = -*time_ps;
    return STATUS_OK;
}

/* ---- ranks ---- */

/* The world: of the communicators with the most members the one that is called so, or the first;
 * NULL if none has a group of ranks. */
static const otf2_group *world_group(const otf2_definitions *definitions) {
    const otf2_group *world = NULL;
    bool is_named = false;
    for (size_t i = 0; i < definitions->communicator_count; i++) {
        const otf2_communicator *communicator = &definitions->communicators[i];
        const otf2_group *group = otf2_definitions_group(definitions, communicator->group);
        if (group == NULL || group->kind != OTF2_GROUP_RANKS ||
            communicator->remote_group != OTF2_NOT_DEFINED)
            continue;
        bool named =
            strcmp(otf2_definitions_text(definitions, communicator->name), "MPI_COMM_WORLD") == 0;
        if (world == NULL || group->size > world->size ||
            (group->size == world->size && named && !is_named)) {
            world = group;
            is_named = named;
        }
    }
    return world;
}

/* Fills rank_of: for each member of the COMM_LOCATIONS group the world rank. The group is the world
 * where no communicator has as many members. */
static status_code number_ranks(const import_archive *archive, const otf2_group *ranks,
                                uint32_t *rank_of, status *status) {
    const otf2_definitions *definitions = &archive->definitions;
    const otf2_group *world = world_group(definitions);
    if (world == NULL || world->size < ranks->size) {
        for (uint32_t i = 0; i < ranks->size; i++)
            rank_of[i] = i;
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < ranks->size; i++)
        rank_of[i] = PROGRAM_NONE;
    for (uint32_t r = 0; r < world->size; r++) {
        uint64_t place = definitions->members[world->first + r];
        RETURN_ERROR_IF(place >= ranks->size || rank_of[place] != PROGRAM_NONE, status,
                        STATUS_INPUT,
                        "%s: rank %u of MPI_COMM_WORLD is no or the same process as another: the "
                        "global definitions are damaged",
                        archive->anchor_path, r);
        rank_of[place] = r;
    }
    return STATUS_OK;
}

typedef struct process_rank {
    uint32_t process;
    uint32_t rank;
    size_t master; /* index of a location */
} process_rank;

static int compare_processes(const void *a, const void *b) {
    const process_rank *left = a, *right = b;
    return (left->process > right->process) - (left->process < right->process);
}

/* The ranks' processes, sorted by process. */
static status_code find_processes(const import_archive *archive, const otf2_group *ranks,
                                  const uint32_t *rank_of, process_rank *processes,
                                  status *status) {
    const otf2_definitions *definitions = &archive->definitions;
    for (uint32_t i = 0; i < ranks->size; i++) {
        uint64_t id = definitions->members[ranks->first + i];
        size_t location = otf2_definitions_find_location(definitions, id);
        RETURN_ERROR_IF(location == SIZE_MAX, status, STATUS_INPUT,
                        "%s: rank %u is location %" PRIu64
                        ", which is not defined: the global definitions are damaged",
                        archive->anchor_path, rank_of[i], id);
        processes[i] =
            (process_rank){definitions->locations[location].process, rank_of[i], location};
    }
    qsort(processes, ranks->size, sizeof *processes, compare_processes);
    for (uint32_t i = 1; i < ranks->size; i++)
        RETURN_ERROR_IF(processes[i].process == processes[i - 1].process, status, STATUS_INPUT,
                        "%s: ranks %u and %u are one process: the global definitions are damaged",
                        archive->anchor_path, processes[i - 1].rank, processes[i].rank);
    return STATUS_OK;
}

static uint32_t rank_of_location(const import_archive *archive, const process_rank *processes,
                                 size_t location, bool *is_master) {
    process_rank key = {.process = archive->definitions.locations[location].process};
    const process_rank *found =
        bsearch(&key, processes, archive->rank_count, sizeof key, compare_processes);
    *is_master = found != NULL && found->master == location;
    return found != NULL ? found->rank : archive->rank_count;
}

/* Sorts locations by rank, each rank's master first; those of no rank at the end. */
static status_code share_locations(import_archive *archive, const process_rank *processes,
                                   status *status) {
    size_t count = archive->definitions.location_count;
    uint32_t *first = memory_new((size_t)archive->rank_count + 3, sizeof *first);
    archive->first_location = first;
    archive->rank_locations = memory_new(count, sizeof *archive->rank_locations);
    RETURN_ERROR_IF(first == NULL || archive->rank_locations == NULL || count >= PROGRAM_NONE,
                    status, STATUS_MEMORY, "out of memory for %zu locations", count);
    bool is_master;
    for (size_t i = 0; i < count; i++)
        first[rank_of_location(archive, processes, i, &is_master) + 2]++;
    for (size_t r = 0; r + 2 < (size_t)archive->rank_count + 3; r++)
        first[r + 2] += first[r + 1];
    /* first[r + 1] is where rank r's next location goes; the master's place comes first. */
    for (size_t i = 0; i < count; i++) {
        uint32_t rank = rank_of_location(archive, processes, i, &is_master);
        if (is_master) archive->rank_locations[first[rank + 1]++] = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t rank = rank_of_location(archive, processes, i, &is_master);
        if (!is_master) archive->rank_locations[first[rank + 1]++] = (uint32_t)i;
    }
    return STATUS_OK;
}

/* ---- communicators ---- */

typedef struct group_ranks {
    const uint32_t *members; /* NULL: everyone for himself */
    uint32_t size;
} group_ranks;

/* World ranks of all groups that communicators use, in archive->group_members. */
static status_code resolve_groups(import_archive *archive, const otf2_group *ranks,
                                  const uint32_t *rank_of, status *status) {
    const otf2_definitions *definitions = &archive->definitions;
    archive->group_members = memory_new(definitions->member_count, sizeof(uint32_t));
    RETURN_ERROR_IF(archive->group_members == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu members of groups", definitions->member_count);
    for (size_t g = 0; g < definitions->group_count; g++) {
        const otf2_group *group = &definitions->groups[g];
        if (group->kind != OTF2_GROUP_RANKS) continue;
        for (uint32_t i = 0; i < group->size; i++) {
            uint64_t place = definitions->members[group->first + i];
            RETURN_ERROR_IF(place >= ranks->size, status, STATUS_INPUT,
                            "%s: group %u has member %" PRIu64
                            " of %u: the global definitions are damaged",
                            archive->anchor_path, group->id, place, ranks->size);
            archive->group_members[group->first + i] = rank_of[place];
        }
    }
    return STATUS_OK;
}

static group_ranks ranks_of_group(const import_archive *archive, const otf2_group *group) {
    if (group->kind == OTF2_GROUP_SELF || group->size == 0) return (group_ranks){NULL, 1};
    return (group_ranks){archive->group_members + group->first, group->size};
}

static status_code add_communicator(import_archive *archive, size_t number, status *status) {
    const otf2_definitions *definitions = &archive->definitions;
    const otf2_communicator *definition = &definitions->communicators[number];
    import_communicator *communicator = &archive->communicators[number];
    communicator->index = PROGRAM_NONE;
    const otf2_group *group = otf2_definitions_group(definitions, definition->group);
    if (group == NULL) return STATUS_OK;
    group_ranks local = ranks_of_group(archive, group), remote = {NULL, 0};
    if (definition->remote_group != OTF2_NOT_DEFINED) {
        const otf2_group *other = otf2_definitions_group(definitions, definition->remote_group);
        if (other == NULL) return STATUS_OK;
        remote = ranks_of_group(archive, other);
        RETURN_ERROR_IF(local.members == NULL || remote.members == NULL, status, STATUS_INPUT,
                        "%s: intercommunicator %u has a group without members: the global "
                        "definitions are damaged",
                        archive->anchor_path, definition->id);
    }
    *communicator =
        (import_communicator){PROGRAM_NONE, local.size, local.members, remote.size, remote.members};
    const char *name = otf2_definitions_text(definitions, definition->name);
    if (remote.members != NULL)
        return builder_intercommunicator(archive->builder, name, local.members, local.size,
                                         remote.members, remote.size, &communicator->index, status);
    if (local.members == NULL)
        return builder_communicator_self(archive->builder, name, &communicator->index, status);
    return builder_communicator(archive->builder, name, local.members, local.size,
                                &communicator->index, status);
}

static status_code add_communicators(import_archive *archive, status *status) {
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

static status_code add_regions(import_archive *archive, status *status) {
    const otf2_definitions *definitions = &archive->definitions;
    archive->regions = memory_new(definitions->region_count, sizeof *archive->regions);
    RETURN_ERROR_IF(archive->regions == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu regions", definitions->region_count);
    bool has_paradigm = false;
    for (size_t i = 0; i < definitions->region_count; i++) {
        const char *name = otf2_definitions_text(definitions, definitions->regions[i].name);
        has_paradigm |= definitions->regions[i].is_mpi;
        archive->is_eztrace |= strncmp(name, "EZTrace ", 8) == 0;
    }
    for (size_t i = 0; i < definitions->region_count; i++) {
        const char *name = otf2_definitions_text(definitions, definitions->regions[i].name);
        /* EZTrace calls the paradigm of MPI's regions USER. */
        bool is_mpi = has_paradigm ? definitions->regions[i].is_mpi : strncmp(name, "MPI_", 4) == 0;
        if (is_mpi) archive->regions[i] = import_region_of(name);
        if (is_mpi || archive->config->user_regions)
            archive->regions[i].region = builder_region(archive->builder, name, is_mpi);
    }
    return STATUS_OK;
}

/* ---- the whole ---- */

static status_code check_clock(import_archive *archive, status *status) {
    uint64_t frequency = archive->definitions.ticks_per_second;
    RETURN_ERROR_IF(frequency == 0, status, STATUS_INPUT,
                    "%s: the global definitions do not say how fast the clock ticks: they are "
                    "damaged or cut short",
                    archive->anchor_path);
    RETURN_ERROR_IF(frequency > UINT64_MAX / 2, status, STATUS_INPUT,
                    "%s: a clock of %" PRIu64
                    " ticks per second: the global definitions are damaged",
                    archive->anchor_path, frequency);
    archive->clock = clock_of(frequency);
    unsigned __int128 ticks = (unsigned __int128)(uint64_t)archive->config->polling_gap_ps *
                              frequency / PICOSECONDS_PER_SECOND;
    archive->polling_gap_ticks = ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
    return STATUS_OK;
}

static status_code build_ranks(import_archive *archive, const otf2_group *ranks, uint32_t *rank_of,
                               process_rank *processes, status *status) {
    FORWARD_IF_ERROR(number_ranks(archive, ranks, rank_of, status));
    FORWARD_IF_ERROR(find_processes(archive, ranks, rank_of, processes, status));
    FORWARD_IF_ERROR(share_locations(archive, processes, status));
    FORWARD_IF_ERROR(resolve_groups(archive, ranks, rank_of, status));
    FORWARD_IF_ERROR(add_communicators(archive, status));
    return add_regions(archive, status);
}

status_code import_archive_read(import_archive *archive, const char *anchor_path,
                                const traces_config *config, status *status) {
    *archive = (import_archive){.anchor_path = anchor_path, .config = config};
    otf2_reader *reader = otf2_reader_open(anchor_path, status);
    if (reader == NULL) return STATUS_INPUT;
    status_code code = otf2_reader_definitions(reader, &archive->definitions, status);
    otf2_reader_close(reader);
    if (code != STATUS_OK) return code;
    const otf2_group *ranks = otf2_definitions_ranks(&archive->definitions);
    RETURN_ERROR_IF(ranks == NULL || ranks->size == 0, status, STATUS_INPUT,
                    "%s: there is no MPI in this trace: it defines no MPI ranks. Record an MPI "
                    "program, with the tracer's MPI support on",
                    anchor_path);
    FORWARD_IF_ERROR(check_clock(archive, status));
    archive->rank_count = ranks->size;
    archive->builder = builder_new(ranks->size, status);
    if (archive->builder == NULL) return STATUS_MEMORY;
    uint32_t *rank_of = memory_new(ranks->size, sizeof *rank_of);
    process_rank *processes = memory_new(ranks->size, sizeof *processes);
    if (rank_of == NULL || processes == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u ranks", ranks->size);
    else
        code = build_ranks(archive, ranks, rank_of, processes, status);
    free(rank_of);
    free(processes);
    return code;
}

void import_archive_clear(import_archive *archive) {
    otf2_definitions_clear(&archive->definitions);
    builder_free(archive->builder);
    free(archive->regions);
    free(archive->communicators);
    free(archive->group_members);
    free(archive->rank_locations);
    free(archive->first_location);
    *archive = (import_archive){0};
}

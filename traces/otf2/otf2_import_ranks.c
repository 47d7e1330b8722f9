/*
 * Finds the ranks in the locations and groups of an archive.
 *
 * Must not know events or the builder. Invariant: rank r of the world is found through MPI's
 * COMM_LOCATIONS group, whose locations are the masters of the processes. A rank is a process (a
 * location group). If several ranks share a process (dumpi2otf2), each rank has only its master's
 * location.
 */
#include "traces/otf2/otf2_import_archive.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranks ---- */

/* Returns how well a communicator fits as MPI_COMM_WORLD: 2 by its name, 1 without a parent. */
static unsigned likeness(const struct otf2_definitions *definitions,
                         const struct otf2_communicator *communicator) {
    const char *name = otf2_definitions_text(definitions, communicator->name);
    return strcmp(name, "MPI_COMM_WORLD") == 0 ? 2 : communicator->parent == OTF2_NOT_DEFINED;
}

/* Returns the group of the world: of the communicators with the most members, the one with the name
 * MPI_COMM_WORLD, else the first without a parent, else the first. NULL if none has a group of
 * ranks. */
static const struct otf2_group *world_group(const struct otf2_definitions *definitions) {
    const struct otf2_group *world = NULL;
    unsigned likeness_of_world = 0;
    for (size_t i = 0; i < definitions->communicator_count; i++) {
        const struct otf2_communicator *communicator = &definitions->communicators[i];
        const struct otf2_group *group = otf2_definitions_group(definitions, communicator->group);
        if (group == NULL || group->kind != OTF2_GROUP_RANKS ||
            communicator->remote_group != OTF2_NOT_DEFINED)
            continue;
        unsigned own = likeness(definitions, communicator);
        if (world == NULL || group->size > world->size ||
            (group->size == world->size && own > likeness_of_world)) {
            world = group;
            likeness_of_world = own;
        }
    }
    return world;
}

/* The state while ranks are being found. */
struct rank_finder {
    struct import_archive *archive;
    const struct otf2_group *ranks; /* MPI's COMM_LOCATIONS group */
    uint32_t *owners;               /* rank of each location; the rank count for none */
    bool *is_master;                /* for each location */
    struct process *processes;
};

/* Numbers the ranks. The COMM_LOCATIONS group is the world if no communicator has as many members.
 */
static status_code number_ranks(struct rank_finder *finder, struct status *status) {
    const struct import_archive *archive = finder->archive;
    const struct otf2_definitions *definitions = &archive->definitions;
    const struct otf2_group *ranks = finder->ranks;
    uint32_t *rank_of = archive->rank_of;
    const struct otf2_group *world = world_group(definitions);
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
                        "%s: rank %u of MPI_COMM_WORLD is no process, or the same process as "
                        "another rank: the global definitions are damaged",
                        archive->anchor_path, r);
        rank_of[place] = r;
    }
    return STATUS_OK;
}

/* ---- locations ---- */

/* The process of a rank. */
struct process {
    uint32_t id;
    uint32_t rank; /* the rank count if several ranks share the process */
};

static int compare_processes(const void *a, const void *b) {
    const struct process *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static status_code find_masters(struct rank_finder *finder, struct status *status) {
    const struct import_archive *archive = finder->archive;
    const struct otf2_definitions *definitions = &archive->definitions;
    const struct otf2_group *ranks = finder->ranks;
    for (uint32_t i = 0; i < ranks->size; i++) {
        uint64_t id = definitions->members[ranks->first + i];
        size_t location = otf2_definitions_find_location(definitions, id);
        RETURN_ERROR_IF(location == SIZE_MAX, status, STATUS_INPUT,
                        "%s: rank %u is location %" PRIu64
                        ", which is not defined: the global definitions are damaged",
                        archive->anchor_path, finder->archive->rank_of[i], id);
        RETURN_ERROR_IF(finder->is_master[location], status, STATUS_INPUT,
                        "%s: ranks %u and %u are one location: the global definitions are damaged",
                        archive->anchor_path, finder->owners[location],
                        finder->archive->rank_of[i]);
        finder->is_master[location] = true;
        finder->owners[location] = finder->archive->rank_of[i];
        finder->processes[i] =
            (struct process){definitions->locations[location].process, finder->archive->rank_of[i]};
    }
    return STATUS_OK;
}

/* Assigns each other location to the rank of its process, if the process has exactly one rank. */
static void find_owners(struct rank_finder *finder) {
    uint32_t rank_count = finder->ranks->size;
    struct process *processes = finder->processes;
    qsort(processes, rank_count, sizeof *processes, compare_processes);
    for (uint32_t i = 1; i < rank_count; i++)
        if (processes[i].id == processes[i - 1].id)
            processes[i].rank = processes[i - 1].rank = rank_count;
    const struct otf2_definitions *definitions = &finder->archive->definitions;
    for (size_t i = 0; i < definitions->location_count; i++) {
        if (finder->is_master[i]) continue;
        struct process key = {.id = definitions->locations[i].process};
        const struct process *found =
            bsearch(&key, processes, rank_count, sizeof key, compare_processes);
        finder->owners[i] = found != NULL ? found->rank : rank_count;
    }
}

/* Sorts locations by rank, each rank's master first, and locations of no rank at the end. */
static status_code share_locations(struct rank_finder *finder, struct status *status) {
    struct import_archive *archive = finder->archive;
    size_t count = archive->definitions.location_count;
    uint32_t *first = memory_new((size_t)archive->rank_count + 3, sizeof *first);
    archive->first_location = first;
    archive->rank_locations = memory_new(count, sizeof *archive->rank_locations);
    RETURN_ERROR_IF(first == NULL || archive->rank_locations == NULL || count >= PROGRAM_NONE,
                    status, STATUS_MEMORY, "out of memory for %zu locations", count);
    for (size_t i = 0; i < count; i++)
        first[finder->owners[i] + 2]++;
    for (size_t r = 0; r + 2 < (size_t)archive->rank_count + 3; r++)
        first[r + 2] += first[r + 1];
    /* first[r + 1] is the index of rank r's next location. The masters come first. */
    for (int masters = 1; masters >= 0; masters--)
        for (size_t i = 0; i < count; i++)
            if (finder->is_master[i] == (masters != 0))
                archive->rank_locations[first[finder->owners[i] + 1]++] = (uint32_t)i;
    return STATUS_OK;
}

/* ---- groups ---- */

/* Returns the rank of a member; the rank count if there is none. A member of the COMM_LOCATIONS
 * group is a location; a member of another group is an index in that group. */
static uint32_t resolve_member(const struct rank_finder *finder, const struct otf2_group *group,
                               uint64_t member) {
    uint32_t nobody = finder->archive->rank_count;
    if (group->kind == OTF2_GROUP_RANKS)
        return member < nobody ? finder->archive->rank_of[member] : nobody;
    size_t location = otf2_definitions_find_location(&finder->archive->definitions, member);
    return location != SIZE_MAX ? finder->owners[location] : nobody;
}

/* Finds the world ranks of the members of all groups, in archive->group_members. */
static status_code resolve_groups(const struct rank_finder *finder, struct status *status) {
    struct import_archive *archive = finder->archive;
    const struct otf2_definitions *definitions = &archive->definitions;
    archive->group_members = memory_new(definitions->member_count, sizeof(uint32_t));
    RETURN_ERROR_IF(archive->group_members == NULL, status, STATUS_MEMORY,
                    "out of memory for %zu members of groups", definitions->member_count);
    for (size_t g = 0; g < definitions->group_count; g++) {
        const struct otf2_group *group = &definitions->groups[g];
        if (group->kind == OTF2_GROUP_SELF) continue;
        for (size_t i = group->first; i < group->first + group->size; i++) {
            uint64_t member = definitions->members[i];
            archive->group_members[i] = resolve_member(finder, group, member);
            RETURN_ERROR_IF(group->kind == OTF2_GROUP_RANKS && member >= archive->rank_count,
                            status, STATUS_INPUT,
                            "%s: group %u has member %" PRIu64
                            " of %u: the global definitions are damaged",
                            archive->anchor_path, group->id, member, archive->rank_count);
        }
    }
    return STATUS_OK;
}

/* ---- the whole ---- */

static status_code find_ranks(struct rank_finder *finder, struct status *status) {
    FORWARD_IF_ERROR(number_ranks(finder, status));
    FORWARD_IF_ERROR(find_masters(finder, status));
    find_owners(finder);
    FORWARD_IF_ERROR(share_locations(finder, status));
    return resolve_groups(finder, status);
}

status_code import_archive_ranks(struct import_archive *archive, struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    const struct otf2_group *ranks = otf2_definitions_ranks(definitions);
    RETURN_ERROR_IF(ranks == NULL && definitions->group_count > 0, status, STATUS_INPUT,
                    "%s: the groups of MPI are defined, but not their locations (a group of type "
                    "COMM_LOCATIONS): the global definitions are incomplete",
                    archive->anchor_path);
    RETURN_ERROR_IF(ranks == NULL || ranks->size == 0, status, STATUS_INPUT,
                    "%s: there is no MPI in this trace: it defines no MPI ranks. Record an MPI "
                    "program, with the tracer's MPI support on",
                    archive->anchor_path);
    archive->rank_count = ranks->size;
    archive->rank_of = memory_new(ranks->size, sizeof *archive->rank_of);
    size_t locations = definitions->location_count;
    struct rank_finder finder = {.archive = archive,
                                 .ranks = ranks,
                                 .owners = memory_new(locations, sizeof *finder.owners),
                                 .is_master = memory_new(locations, sizeof *finder.is_master),
                                 .processes = memory_new(ranks->size, sizeof *finder.processes)};
    status_code code;
    if (archive->rank_of == NULL || finder.owners == NULL || finder.is_master == NULL ||
        finder.processes == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for %u ranks", ranks->size);
    else
        code = find_ranks(&finder, status);
    free(finder.owners);
    free(finder.is_master);
    free(finder.processes);
    return code;
}

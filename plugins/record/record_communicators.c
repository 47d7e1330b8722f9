/*
 * Communicators: their members as world ranks, and a name on which the members agree. The name is
 * the world rank of a leader and a number that the leader gives; the leader sends it to the others
 * when the communicator is made.
 */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

static struct {
    struct record_map map; /* handle -> index + 1 */
    struct record_communicator **all;
    uint32_t count, capacity;
    uint32_t made; /* communicators that this rank has named */
    MPI_Group world;
    int world_size, world_rank;
    MPI_Comm last_handle; /* of the last look-up */
    struct record_communicator *last;
} communicators;

bool record_translate(MPI_Group group, int **ranks, int *size) {
    PMPI_Group_size(group, size);
    *ranks = malloc(((size_t)*size + 1) * sizeof **ranks);
    int *numbers = malloc(((size_t)*size + 1) * sizeof *numbers);
    bool is_inside = *ranks != NULL && numbers != NULL;
    for (int i = 0; is_inside && i < *size; i++)
        numbers[i] = i;
    if (is_inside) PMPI_Group_translate_ranks(group, *size, numbers, communicators.world, *ranks);
    for (int i = 0; is_inside && i < *size; i++)
        is_inside = (*ranks)[i] >= 0 && (*ranks)[i] < communicators.world_size;
    free(numbers);
    return is_inside;
}

/* Takes a communicator into the table. Returns false if there is no memory. */
static bool add(MPI_Comm handle, struct record_communicator *added) {
    if (added == NULL) return false;
    if (communicators.count == communicators.capacity) {
        const uint32_t capacity = 2 * communicators.capacity + 16;
        struct record_communicator **all =
            realloc(communicators.all, capacity * sizeof(struct record_communicator *));
        if (all == NULL) return false;
        communicators.all = all;
        communicators.capacity = capacity;
    }
    added->number = communicators.count;
    added->handle = handle;
    communicators.all[communicators.count++] = added;
    communicators.last = NULL;
    return record_map_insert(&communicators.map, RECORD_KEY(handle), communicators.count);
}

bool record_communicators_start(void) {
    PMPI_Comm_group(MPI_COMM_WORLD, &communicators.world);
    PMPI_Comm_size(MPI_COMM_WORLD, &communicators.world_size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &communicators.world_rank);
    struct record_communicator *world = calloc(1, sizeof *world), *alone = calloc(1, sizeof *alone);
    if (!add(MPI_COMM_WORLD, world) || !add(MPI_COMM_SELF, alone)) return false;
    world->size = communicators.world_size;
    world->rank = communicators.world_rank;
    alone->size = 1;
    alone->peers = alone->locals = malloc(sizeof *alone->peers);
    if (alone->peers == NULL) return false;
    alone->peers[0] = communicators.world_rank;
    return true;
}

struct record_communicator *record_communicator(MPI_Comm handle) {
    if (handle == communicators.last_handle && communicators.last != NULL)
        return communicators.last;
    const uint32_t found = record_map_find(&communicators.map, RECORD_KEY(handle));
    if (found == 0) return NULL;
    communicators.last_handle = handle;
    return communicators.last = communicators.all[found - 1];
}

int record_members(MPI_Comm handle) {
    const struct record_communicator *found = record_communicator(handle);
    return found == NULL ? 0 : found->remote_size > 0 ? found->remote_size : found->size;
}

MPI_Comm record_handle_of(uint32_t number) {
    const bool is_there = number < communicators.count && communicators.all[number] != NULL;
    return is_there ? communicators.all[number]->handle : MPI_COMM_NULL;
}

void record_forget_communicator(MPI_Comm handle) {
    const uint32_t found = record_map_find(&communicators.map, RECORD_KEY(handle));
    if (found == 0) return;
    record_map_remove(&communicators.map, RECORD_KEY(handle), found);
    struct record_communicator *gone = communicators.all[found - 1];
    communicators.last = NULL;
    communicators.all[found - 1] = NULL;
    if (gone->locals != gone->peers) free(gone->locals);
    free(gone->peers);
    free(gone->neighbours);
    free(gone);
}

/* ---- new communicators ---- */

/* Finds the groups of a communicator. Returns false if it has members outside MPI_COMM_WORLD. */
static bool find_groups(MPI_Comm handle, struct record_communicator *added) {
    MPI_Group group;
    int is_inter = 0;
    PMPI_Comm_test_inter(handle, &is_inter);
    PMPI_Comm_rank(handle, &added->rank);
    PMPI_Comm_group(handle, &group);
    bool is_inside = record_translate(group, &added->locals, &added->size);
    PMPI_Group_free(&group);
    added->peers = added->locals;
    if (!is_inter) return is_inside;
    PMPI_Comm_remote_group(handle, &group);
    added->peers = NULL;
    is_inside = record_translate(group, &added->peers, &added->remote_size) && is_inside;
    PMPI_Group_free(&group);
    return is_inside;
}

static int least(const int *ranks, int count) {
    int found = ranks[0];
    for (int i = 1; i < count; i++)
        if (ranks[i] < found) found = ranks[i];
    return found;
}

/* Lets the members agree on the name of a communicator that they have just made. */
static void agree(MPI_Comm handle, const struct record_communicator *added, uint64_t name[2]) {
    name[0] = (uint64_t)communicators.world_rank;
    name[1] = ++communicators.made;
    if (added->remote_size == 0) {
        PMPI_Bcast(name, 2, MPI_UINT64_T, 0, handle);
        return;
    }
    uint64_t theirs[2];
    const bool leads = least(added->locals, added->size) < least(added->peers, added->remote_size);
    const int root = !leads ? 0 : added->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    PMPI_Bcast(leads ? name : theirs, 2, MPI_UINT64_T, root, handle);
    if (!leads) memcpy(name, theirs, sizeof theirs);
    /* The others of the leader's group have not heard it. */
    const int back = leads ? 0 : added->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    PMPI_Bcast(name, 2, MPI_UINT64_T, back, handle);
}

static void define(const struct record_communicator *added, const uint64_t name[2]) {
    record_item(RECORDING_COMMUNICATOR);
    record_word(added->number);
    record_word(name[0]);
    record_word(name[1] & UINT32_MAX);
    record_word(name[1] >> 32);
    record_word((uint64_t)added->size);
    record_word((uint64_t)added->remote_size);
    for (int i = 0; i < added->size; i++)
        record_word((uint64_t)added->locals[i]);
    for (int i = 0; i < added->remote_size; i++)
        record_word((uint64_t)added->peers[i]);
}

struct record_communicator *record_meet(MPI_Comm handle, const uint64_t *name) {
    if (handle == MPI_COMM_NULL) return NULL;
    struct record_communicator *met = calloc(1, sizeof *met);
    if (met == NULL) return NULL;
    met->is_foreign = !find_groups(handle, met);
    if (met->is_foreign) return met;
    if (name != NULL)
        memcpy(met->name, name, sizeof met->name);
    else
        agree(handle, met, met->name);
    return met;
}

uint64_t *record_name_of_next(MPI_Comm parent) {
    struct record_communicator *from = record_communicator(parent);
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15), *name = malloc(2 * sizeof *name);
    if (from == NULL || from->is_foreign || name == NULL) {
        free(name);
        return NULL;
    }
    const uint64_t parts[] = {from->name[0], from->name[1], from->derived++};
    for (unsigned i = 0; i < 3; i++) {
        hash = (hash ^ parts[i]) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    name[0] = from->name[0];
    name[1] = UINT64_C(1) << 63 | hash;
    return name;
}

void record_define(MPI_Comm handle, struct record_communicator *met) {
    if (met == NULL || !add(handle, met)) return;
    if (met->is_foreign) {
        record_item(RECORDING_FOREIGN);
        return;
    }
    define(met, met->name);
    record_handle(handle, true);
}

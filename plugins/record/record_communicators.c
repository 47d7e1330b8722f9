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
static bool add_communicator(MPI_Comm handle, struct record_communicator *added) {
    if (added == NULL) return false;
    if (communicators.count == communicators.capacity) {
        const uint32_t capacity = 2 * communicators.capacity + 16;
        struct record_communicator **all =
            realloc(communicators.all, capacity * sizeof(struct record_communicator *));
        if (all == NULL) return false;
        communicators.all = all;
        communicators.capacity = capacity;
    }
    added->communicator_number = communicators.count;
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
    if (!add_communicator(MPI_COMM_WORLD, world) || !add_communicator(MPI_COMM_SELF, alone))
        return false;
    world->size = communicators.world_size;
    world->rank = communicators.world_rank;
    alone->size = 1;
    alone->peers = alone->locals = malloc(sizeof *alone->peers);
    if (alone->peers == NULL) return false;
    alone->peers[0] = communicators.world_rank;
    alone->name[0] = (uint64_t)communicators.world_rank; /* MPI_COMM_WORLD has the name 0, 0 */
    alone->name[1] = UINT64_C(1) << 62;
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

void record_unknown(recording_unknown what) {
    record_item(RECORDING_UNKNOWN);
    record_word(what);
}

void record_outside(const struct record_communicator *communicator) {
    if (communicator != NULL)
        record_item(RECORDING_FOREIGN);
    else
        record_unknown(RECORDING_UNKNOWN_COMMUNICATOR);
}

int record_member_count(MPI_Comm handle) {
    const struct record_communicator *found = record_communicator(handle);
    return found == NULL ? 0 : found->remote_size > 0 ? found->remote_size : found->size;
}

void record_forget_communicator(MPI_Comm handle) {
    const uint32_t found = record_map_find(&communicators.map, RECORD_KEY(handle));
    if (found == 0) return;
    record_map_remove(&communicators.map, RECORD_KEY(handle), found);
    struct record_communicator *gone = communicators.all[found - 1];
    communicators.last = NULL;
    communicators.all[found - 1] = NULL;
    gone->is_freed = true;
    if (gone->uses == 0) record_drop_communicator(gone);
}

void record_hold_communicator(struct record_communicator *held) {
    if (held != NULL) held->uses++;
}

void record_release_communicator(struct record_communicator *held) {
    if (held != NULL && --held->uses == 0 && held->is_freed) record_drop_communicator(held);
}

void record_drop_communicator(struct record_communicator *known) {
    if (known == NULL) return;
    if (known->locals != known->peers) free(known->locals);
    free(known->peers);
    free(known->neighbours);
    free(known);
}

/* ---- new communicators ---- */

/* What agreeing on a name needs to know of a group of a communicator. */
struct members {
    int size, min;  /* size: number of members; min: the lowest world rank */
    bool is_inside; /* all of them are in MPI_COMM_WORLD */
};

/* Describes the members of a group, which is then freed. Needs no memory: all members of a
 * communicator have to come to the same result. */
static struct members members_of(MPI_Group group) {
    enum { TOGETHER = 64 };
    struct members found = {.min = communicators.world_size, .is_inside = true};
    int numbers[TOGETHER], ranks[TOGETHER];
    PMPI_Group_size(group, &found.size);
    for (int first = 0; first < found.size; first += TOGETHER) {
        const int count = found.size - first < TOGETHER ? found.size - first : TOGETHER;
        for (int i = 0; i < count; i++)
            numbers[i] = first + i;
        PMPI_Group_translate_ranks(group, count, numbers, communicators.world, ranks);
        for (int i = 0; i < count; i++) {
            if (ranks[i] < 0 || ranks[i] >= communicators.world_size) found.is_inside = false;
            if (ranks[i] < found.min) found.min = ranks[i];
        }
    }
    PMPI_Group_free(&group);
    return found;
}

/* Returns the world ranks of a group, which is then freed; NULL: no memory. */
static int *ranks_of(MPI_Group group) {
    int *ranks = NULL, size = 0;
    if (!record_translate(group, &ranks, &size)) {
        free(ranks);
        ranks = NULL;
    }
    PMPI_Group_free(&group);
    return ranks;
}

static MPI_Group group_of(MPI_Comm handle, bool is_remote) {
    MPI_Group group;
    if (is_remote)
        PMPI_Comm_remote_group(handle, &group);
    else
        PMPI_Comm_group(handle, &group);
    return group;
}

/* Lets the members agree on the name of a communicator that they have just made. remote: NULL
 * without a remote group. */
static void agree_on_name(MPI_Comm handle, const struct members *local,
                          const struct members *remote, uint64_t name[2]) {
    int rank = 0;
    name[0] = (uint64_t)communicators.world_rank;
    name[1] = __atomic_add_fetch(&communicators.made, 1, __ATOMIC_RELAXED);
    if (remote == NULL) {
        PMPI_Bcast(name, 2, MPI_UINT64_T, 0, handle);
        return;
    }
    uint64_t theirs[2];
    PMPI_Comm_rank(handle, &rank);
    const bool leads = local->min < remote->min;
    const int root = !leads ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    PMPI_Bcast(leads ? name : theirs, 2, MPI_UINT64_T, root, handle);
    if (!leads) memcpy(name, theirs, sizeof theirs);
    /* Tells the name to the rest of the leader's group, which has not received it. */
    const int back = leads ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    PMPI_Bcast(name, 2, MPI_UINT64_T, back, handle);
}

static void define_communicator(const struct record_communicator *added, const uint64_t name[2]) {
    record_item(RECORDING_COMMUNICATOR);
    record_word(added->communicator_number);
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

/* Returns how many neighbours of a list are ranks and not MPI_PROC_NULL. */
static uint64_t count_ranks(const int *list, int count) {
    uint64_t ranks = 0;
    for (int i = 0; i < count; i++)
        ranks += list[2 * i] >= 0;
    return ranks;
}

/* Records the process topology of a new communicator, if it has one: the dimensions, or the rank's
 * own edges. */
static void define_topology(MPI_Comm handle, const struct record_communicator *added) {
    int kind = MPI_UNDEFINED, dimensions = 0;
    if (added->remote_size > 0) return;
    PMPI_Topo_test(handle, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(handle, &dimensions);
        int *sizes = malloc(3 * (size_t)dimensions * sizeof *sizes + 1);
        if (sizes == NULL) return;
        PMPI_Cart_get(handle, dimensions, sizes, sizes + dimensions, sizes + 2 * dimensions);
        record_item(RECORDING_CARTESIAN);
        record_word(added->communicator_number);
        record_word((uint64_t)dimensions);
        for (int i = 0; i < dimensions; i++) {
            record_word((uint64_t)sizes[i]);
            record_word(sizes[dimensions + i] != 0);
        }
        free(sizes);
    } else if (kind == MPI_GRAPH || kind == MPI_DIST_GRAPH) {
        const struct record_communicator *found = record_neighbours_of(handle);
        if (found == NULL || found->neighbours == NULL) return;
        record_item(RECORDING_GRAPH);
        record_word(added->communicator_number);
        const int sources = found->sources, all = sources + found->destinations;
        record_word(count_ranks(found->neighbours, sources));
        record_word(count_ranks(found->neighbours + 2 * sources, found->destinations));
        for (int i = 0; i < all; i++)
            if (found->neighbours[2 * i] >= 0) record_word((uint64_t)found->neighbours[2 * i]);
    }
}

struct record_communicator *record_agree(MPI_Comm handle, const uint64_t *name) {
    int is_inter = 0;
    uint64_t agreed[2];
    struct members remote = {.is_inside = true};
    if (handle == MPI_COMM_NULL) return NULL;
    PMPI_Comm_test_inter(handle, &is_inter);
    const struct members local = members_of(group_of(handle, false));
    if (is_inter) remote = members_of(group_of(handle, true));
    const bool is_foreign = !local.is_inside || !remote.is_inside;
    if (name == NULL && !is_foreign) {
        agree_on_name(handle, &local, is_inter ? &remote : NULL, agreed);
        name = agreed;
    }
    struct record_communicator *known = calloc(1, sizeof *known);
    bool is_known = known != NULL;
    if (is_known) {
        known->is_foreign = is_foreign;
        known->size = local.size;
        known->remote_size = remote.size;
        PMPI_Comm_rank(handle, &known->rank);
    }
    if (is_known && !is_foreign) {
        memcpy(known->name, name, sizeof known->name);
        known->locals = ranks_of(group_of(handle, false));
        known->peers = is_inter ? ranks_of(group_of(handle, true)) : known->locals;
        is_known = known->locals != NULL && known->peers != NULL;
    }
    if (is_known) return known;
    record_drop_communicator(known);
    return NULL;
}

uint64_t *record_next_name(MPI_Comm parent) {
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

void record_define(MPI_Comm handle, struct record_communicator *known) {
    if (handle == MPI_COMM_NULL) return;
    if (known == NULL || !add_communicator(handle, known)) {
        record_stream_stop();
        return;
    }
    if (known->is_foreign) {
        record_item(RECORDING_FOREIGN);
        return;
    }
    define_communicator(known, known->name);
    define_topology(handle, known);
    record_handle(handle, true);
}

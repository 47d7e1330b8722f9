/*
 * Collectives of neighbours, with each neighbour's rank and bytes. On a Cartesian communicator a
 * message has a port, which is its dimension and direction: a message to the neighbour in negative
 * direction arrives at the place for the neighbour in positive direction. A library without MPI 4
 * has no large counts (record_neighbours_large.c).
 */
#include "record_counts.h"
#include "recorder.h"

#include <stdlib.h>

#ifndef RECORD_LARGE
static bool make_lists(struct record_communicator *communicator, int sources, int destinations) {
    communicator->neighbours =
        malloc(2 * ((size_t)sources + (size_t)destinations + 1) * sizeof(int));
    communicator->sources = sources;
    communicator->destinations = destinations;
    return communicator->neighbours != NULL;
}

static void find_cartesian(MPI_Comm handle, struct record_communicator *communicator) {
    int dimensions = 0;
    PMPI_Cartdim_get(handle, &dimensions);
    if (!make_lists(communicator, 2 * dimensions, 2 * dimensions)) return;
    int *sources = communicator->neighbours, *destinations = sources + 4 * dimensions;
    for (int i = 0; i < dimensions; i++) {
        int negative = MPI_PROC_NULL, positive = MPI_PROC_NULL;
        PMPI_Cart_shift(handle, i, 1, &negative, &positive);
        const int ranks[] = {negative, positive};
        for (int side = 0; side < 2; side++) {
            sources[4 * i + 2 * side] = destinations[4 * i + 2 * side] = ranks[side];
            sources[4 * i + 2 * side + 1] = 2 * i + 2 - side; /* travels in the other direction */
            destinations[4 * i + 2 * side + 1] = 2 * i + 1 + side;
        }
    }
}

static void set_list(int *list, const int *ranks, int count) {
    for (int i = 0; i < count; i++) {
        list[2 * i] = ranks[i];
        list[2 * i + 1] = 0;
    }
}

static void find_graph(MPI_Comm handle, struct record_communicator *communicator) {
    int count = 0, rank = communicator->rank;
    PMPI_Graph_neighbors_count(handle, rank, &count);
    int *ranks = malloc(((size_t)count + 1) * sizeof *ranks);
    if (ranks != NULL && make_lists(communicator, count, count)) {
        PMPI_Graph_neighbors(handle, rank, count, ranks);
        set_list(communicator->neighbours, ranks, count);
        set_list(communicator->neighbours + 2 * count, ranks, count);
    }
    free(ranks);
}

static void find_distributed(MPI_Comm handle, struct record_communicator *communicator) {
    int sources = 0, destinations = 0, is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(handle, &sources, &destinations, &is_weighted);
    int *ranks = malloc(2 * ((size_t)sources + (size_t)destinations + 1) * sizeof *ranks);
    if (ranks != NULL && make_lists(communicator, sources, destinations)) {
        int *weights = ranks + sources + destinations;
        PMPI_Dist_graph_neighbors(handle, sources, ranks, weights, destinations, ranks + sources,
                                  weights + sources);
        set_list(communicator->neighbours, ranks, sources);
        set_list(communicator->neighbours + 2 * sources, ranks + sources, destinations);
    }
    free(ranks);
}

struct record_communicator *record_neighbours_of(MPI_Comm handle) {
    struct record_communicator *communicator = record_communicator(handle);
    int kind = MPI_UNDEFINED;
    if (communicator == NULL || communicator->has_neighbours) return communicator;
    communicator->has_neighbours = true;
    PMPI_Topo_test(handle, &kind);
    if (kind == MPI_CART) find_cartesian(handle, communicator);
    if (kind == MPI_GRAPH) find_graph(handle, communicator);
    if (kind == MPI_DIST_GRAPH) find_distributed(handle, communicator);
    return communicator;
}

/* Starts the item of a neighbour collective: the words of its edges follow. */
static uint64_t *begin_item(const struct record_communicator *communicator, uint32_t slot) {
    uint64_t sources = 0, destinations = 0;
    const int *list = communicator->neighbours;
    for (int i = 0; i < communicator->sources; i++)
        sources += list[2 * i] >= 0;
    for (int i = 0; i < communicator->destinations; i++)
        destinations += list[2 * (communicator->sources + i)] >= 0;
    uint64_t *words = record_words((size_t)(5 + 3 * (sources + destinations)));
    if (words == NULL) return NULL;
    words[0] = RECORDING_NEIGHBOURS;
    words[1] = communicator->communicator_number;
    words[2] = slot;
    words[3] = sources;
    words[4] = destinations;
    return words + 5;
}

void record_neighbours(MPI_Comm handle, const struct record_edges *edges, uint32_t slot) {
    const struct record_communicator *communicator = record_neighbours_of(handle);
    if (!record_is_inside(communicator)) {
        record_outside(communicator);
        return;
    }
    if (communicator->neighbours == NULL) return;
    uint64_t *to = begin_item(communicator, slot);
    const int sources = communicator->sources, all = sources + communicator->destinations;
    for (int i = 0; to != NULL && i < all; i++) {
        const int *neighbour = communicator->neighbours + 2 * i;
        if (neighbour[0] < 0) continue;
        *to++ = (uint64_t)record_world_rank(communicator, neighbour[0]);
        *to++ = (uint64_t)neighbour[1];
        *to++ =
            i < sources ? edges->bytes(edges, i, true) : edges->bytes(edges, i - sources, false);
    }
}

void record_begin_neighbours(MPI_Request request, MPI_Comm handle,
                             const struct record_edges *edges) {
    const struct record_request *added = record_add_collective(request, handle);
    if (added != NULL) record_neighbours(handle, edges, added->slot);
}

void record_keep_neighbours(MPI_Request request, MPI_Comm handle,
                            const struct record_edges *edges) {
    struct record_request *added = record_add_collective(request, handle);
    if (added == NULL) return;
    const size_t first = record_word_count();
    record_neighbours(handle, edges, added->slot);
    record_keep_words(added, first);
}
#endif

/* The counts and types of a call; an array is NULL if all edges have the same. */
struct counted {
    struct record_edges edges;
    COUNT send_count, receive_count;
    MPI_Datatype send_type, receive_type;
    const COUNT *send_counts, *receive_counts;
    const MPI_Datatype *send_types, *receive_types;
};

static uint64_t bytes_of(const struct record_edges *edges, int i, bool is_receive) {
    const struct counted *counted = (const struct counted *)edges;
    if (is_receive)
        return record_bytes(
            counted->receive_counts != NULL ? counted->receive_counts[i] : counted->receive_count,
            counted->receive_types != NULL ? counted->receive_types[i] : counted->receive_type);
    return record_bytes(counted->send_counts != NULL ? counted->send_counts[i]
                                                     : counted->send_count,
                        counted->send_types != NULL ? counted->send_types[i] : counted->send_type);
}

#define NEIGHBOUR_CALLS(upper, name)                                                               \
    PUBLIC int C(Neighbor_##name)(P_##upper) {                                                     \
        CALL;                                                                                      \
        const int code = REAL_C(Neighbor_##name)(A_##upper);                                       \
        PASS(code);                                                                                \
        START(Neighbor_##name);                                                                    \
        const struct counted counted = {.edges = {bytes_of}, D_##upper};                           \
        record_neighbours(communicator, &counted.edges, 0);                                        \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(Neighbor_##name)                                                                          \
    PUBLIC int C(Ineighbor_##name)(P_##upper, MPI_Request * request) {                             \
        CALL;                                                                                      \
        const int code = REAL_C(Ineighbor_##name)(A_##upper, request);                             \
        PASS(code);                                                                                \
        START(Ineighbor_##name);                                                                   \
        const struct counted counted = {.edges = {bytes_of}, D_##upper};                           \
        record_begin_neighbours(*request, communicator, &counted.edges);                           \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO(Ineighbor_##name)                                                                         \
    PERSISTENT_CALL(upper, Neighbor_##name)

#ifdef PERSISTENT_COLLECTIVES
#define PERSISTENT_CALL(upper, name)                                                               \
    PUBLIC int INIT(name)(P_##upper, MPI_Info info, MPI_Request * request) {                       \
        CALL;                                                                                      \
        const int code = REAL_INIT(name)(A_##upper, info, request);                                \
        PASS(code);                                                                                \
        START(name##_init);                                                                        \
        const struct counted counted = {.edges = {bytes_of}, D_##upper};                           \
        record_keep_neighbours(*request, communicator, &counted.edges);                            \
        END;                                                                                       \
        return code;                                                                               \
    }                                                                                              \
    ALSO_INIT(name)
#else
#define PERSISTENT_CALL(upper, name)
#endif

#define P_ALLGATHER                                                                                \
    const void *sent, COUNT count, MPI_Datatype type, void *received, COUNT receive_count,         \
        MPI_Datatype receive_type, MPI_Comm communicator
#define A_ALLGATHER sent, count, type, received, receive_count, receive_type, communicator
#define D_ALLGATHER                                                                                \
    .send_count = count, .send_type = type, .receive_count = receive_count,                        \
    .receive_type = receive_type
NEIGHBOUR_CALLS(ALLGATHER, allgather)
NEIGHBOUR_CALLS(ALLGATHER, alltoall)

#define P_ALLGATHERV                                                                               \
    const void *sent, COUNT count, MPI_Datatype type, void *received, const COUNT counts[],        \
        const DISPLACEMENT places[], MPI_Datatype receive_type, MPI_Comm communicator
#define A_ALLGATHERV sent, count, type, received, counts, places, receive_type, communicator
#define D_ALLGATHERV                                                                               \
    .send_count = count, .send_type = type, .receive_counts = counts, .receive_type = receive_type
NEIGHBOUR_CALLS(ALLGATHERV, allgatherv)

#define P_ALLTOALLV                                                                                \
    const void *sent, const COUNT send_counts[], const DISPLACEMENT send_places[],                 \
        MPI_Datatype type, void *received, const COUNT counts[], const DISPLACEMENT places[],      \
        MPI_Datatype receive_type, MPI_Comm communicator
#define A_ALLTOALLV                                                                                \
    sent, send_counts, send_places, type, received, counts, places, receive_type, communicator
#define D_ALLTOALLV                                                                                \
    .send_counts = send_counts, .send_type = type, .receive_counts = counts,                       \
    .receive_type = receive_type
NEIGHBOUR_CALLS(ALLTOALLV, alltoallv)

#define P_ALLTOALLW                                                                                \
    const void *sent, const COUNT send_counts[], const MPI_Aint send_places[],                     \
        const MPI_Datatype types[], void *received, const COUNT counts[], const MPI_Aint places[], \
        const MPI_Datatype receive_types[], MPI_Comm communicator
#define A_ALLTOALLW                                                                                \
    sent, send_counts, send_places, types, received, counts, places, receive_types, communicator
#define D_ALLTOALLW                                                                                \
    .send_counts = send_counts, .send_types = types, .receive_counts = counts,                     \
    .receive_types = receive_types
NEIGHBOUR_CALLS(ALLTOALLW, alltoallw)

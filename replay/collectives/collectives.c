/*
 * The table of collective algorithms, and of the libraries that choose among them.
 */
#include "replay/collectives/collective_families.h"
#include "replay/collectives/collective_libraries.h"

#define ALGORITHM(name, help, layout, functions)                                                   \
    {                                                                                              \
        {name, help}, COLLECTIVE_##layout, collective_##functions##_steps,                         \
            collective_##functions##_step                                                          \
    }
#define ROW(kind, id, name, layout, functions, help)      ALGORITHM(name, help, layout, functions),
#define ROW_NAME(kind, id, name, layout, functions, help) name,
#define ROW_TEXT(kind, id, name, layout, functions, help) {name, help},

#define AUTO_TEXT                                                                                  \
    { "auto", "by sizes and members, as the library named by mpi.collectives does it" }

#define KIND_TABLES(kind, text, sized)                                                             \
    static const struct collective_algorithm kind##_algorithms[] = {                               \
        COLLECTIVE_##kind##_LIST(ROW)};                                                            \
    static const char *const kind##_names[] = {"auto", COLLECTIVE_##kind##_LIST(ROW_NAME) NULL};   \
    static const struct replay_algorithm_text kind##_texts[] = {                                   \
        AUTO_TEXT, COLLECTIVE_##kind##_LIST(ROW_TEXT)};
PROGRAM_COLLECTIVES(KIND_TABLES)

static const struct {
    const struct collective_algorithm *algorithms;
    const char *const *names;
    const struct replay_algorithm_text *texts;
    uint32_t count;
} kinds[PROGRAM_COLLECTIVE_KINDS] = {
#define KIND_ROW(kind, text, sized)                                                                \
    {kind##_algorithms, kind##_names, kind##_texts,                                                \
     sizeof kind##_algorithms / sizeof *kind##_algorithms},
    PROGRAM_COLLECTIVES(KIND_ROW)
#undef KIND_ROW
};

#define INTER(layout, functions)                                                                   \
    ALGORITHM("mpich", "between the groups of an intercommunicator", layout, functions)
static const struct collective_algorithm intercommunicator_algorithms[PROGRAM_COLLECTIVE_KINDS] = {
    [PROGRAM_COLLECTIVE_BARRIER] = INTER(EMPTY, inter),
    [PROGRAM_COLLECTIVE_BCAST] = INTER(VECTOR, inter),
    [PROGRAM_COLLECTIVE_GATHER] = INTER(BLOCKS, inter),
    [PROGRAM_COLLECTIVE_GATHERV] = INTER(SIZED, inter),
    [PROGRAM_COLLECTIVE_SCATTER] = INTER(BLOCKS, inter),
    [PROGRAM_COLLECTIVE_SCATTERV] = INTER(SIZED, inter),
    [PROGRAM_COLLECTIVE_ALLGATHER] = INTER(BLOCKS, inter),
    [PROGRAM_COLLECTIVE_ALLGATHERV] = INTER(SIZED, inter),
    [PROGRAM_COLLECTIVE_ALLTOALL] = INTER(BLOCKS, inter),
    [PROGRAM_COLLECTIVE_ALLTOALLV] = INTER(PAIRED, inter),
    [PROGRAM_COLLECTIVE_ALLTOALLW] = INTER(PAIRED, inter),
    [PROGRAM_COLLECTIVE_ALLREDUCE] = INTER(VECTOR, inter),
    [PROGRAM_COLLECTIVE_REDUCE] = INTER(VECTOR, inter),
    [PROGRAM_COLLECTIVE_REDUCE_SCATTER] = INTER(SIZED, inter),
    [PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK] = INTER(BLOCKS, inter),
    [PROGRAM_COLLECTIVE_CREATE_HANDLE] = INTER(EMPTY, inter),
    [PROGRAM_COLLECTIVE_DESTROY_HANDLE] = INTER(EMPTY, local),
    [PROGRAM_COLLECTIVE_WINDOW] = INTER(EMPTY, inter),
};

#define LIBRARY_NAME(name, choice, throttle, reads_nodes) name,
#define LIBRARY_ROW(name, choice, throttle, reads_nodes)  {choice, reads_nodes},
static const struct {
    int32_t (*choice)(const struct collective_call *call);
    bool reads_nodes;
} libraries[] = {LIBRARIES(LIBRARY_ROW)};

/* The values of mpi.offload. */
enum { OFFLOAD_NONE, OFFLOAD_TREE };

const struct collective_algorithm *collective_algorithms(uint32_t kind, uint32_t *count) {
    if (count != NULL) *count = kinds[kind].count;
    return kinds[kind].algorithms;
}

const struct collective_algorithm *collective_algorithm_of(uint32_t kind, int32_t id) {
    return &kinds[kind].algorithms[id - 1];
}

const struct collective_algorithm *collective_intercommunicator_algorithm(uint32_t kind) {
    const struct collective_algorithm *algorithm = &intercommunicator_algorithms[kind];
    return algorithm->steps == NULL ? NULL : algorithm;
}

const struct collective_algorithm *collective_library_chosen(const struct collective_call *call) {
    return collective_algorithm_of(call->kind, libraries[call->choice->library].choice(call));
}

/* Returns the algorithm that offloads a call according to mpi.offload; 0: it is not offloaded. */
static int32_t offloaded(const struct collective_call *call) {
    if (call->choice->offload == OFFLOAD_NONE || call->nodes == NULL || call->nodes->count < 2)
        return 0;
    if (call->kind == PROGRAM_COLLECTIVE_BARRIER) return BARRIER_OFFLOAD;
    bool small = collective_vector_bytes(call) <= (uint64_t)call->choice->offload_largest_bytes;
    return call->kind == PROGRAM_COLLECTIVE_ALLREDUCE && small ? ALLREDUCE_OFFLOAD : 0;
}

const struct collective_algorithm *collective_chosen(const struct collective_call *call) {
    if (call->remote_size > 0) return collective_intercommunicator_algorithm(call->kind);
    int32_t id = call->choice->algorithm[call->kind];
    if (id == 0) id = offloaded(call);
    return id == 0 ? collective_library_chosen(call) : collective_algorithm_of(call->kind, id);
}

bool collective_reads_nodes(const struct collective_choice *choice) {
    bool reads = choice->offload != OFFLOAD_NONE || libraries[choice->library].reads_nodes;
    for (uint32_t kind = 0; kind < PROGRAM_COLLECTIVE_KINDS; kind++) {
        if (choice->algorithm[kind] == 0) continue;
        const struct collective_algorithm *chosen =
            collective_algorithm_of(kind, choice->algorithm[kind]);
        reads = reads || chosen->steps == collective_two_level_steps ||
                chosen->steps == collective_offload_steps;
    }
    return reads;
}

const char *const *collective_offload_names(void) {
    static const char *const names[] = {[OFFLOAD_NONE] = "none", [OFFLOAD_TREE] = "tree", NULL};
    return names;
}

const char *const *collective_algorithm_names(uint32_t kind) {
    return kinds[kind].names;
}

const char *const *collective_library_names(void) {
    static const char *const names[] = {LIBRARIES(LIBRARY_NAME) NULL};
    return names;
}

const struct replay_algorithm_text *replay_algorithms(program_collective_kind kind,
                                                      uint32_t *count) {
    *count = kinds[kind].count + 1;
    return kinds[kind].texts;
}

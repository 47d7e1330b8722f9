/*
 * Goes once through the operations of all ranks, and numbers the MPI functions that they call.
 * Processes put together what each has found about its ranks.
 *
 * Invariant: the numbers of MPI functions do not depend on the number of processes.
 */
#include "replay/engine/survey.h"
#include "replay/engine/engine.h"
#include "replay/engine/messages/storage.h"
#include "replay/engine/ranks/graph.h"

#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_marks.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT64_MAX

/* The calls of a region. */
struct surveyed_region {
    uint64_t first; /* of the first call: rank (upper half), number of the operation; NOWHERE */
    uint64_t uses;
};

/* What a survey finds. Without pointers: processes exchange it. */
struct engine_survey {
    uint64_t unknown_sizes;
    uint64_t local_handles;
    uint64_t collective_accesses; /* to files */
    uint64_t file_accesses;       /* that take time */
    uint64_t free_accesses;       /* to files, that take no time because there is no I/O node */
    uint64_t names_nics;          /* 0 or more: vertices that name a NIC */
    uint64_t region_count;
    struct surveyed_region regions[];
};

static size_t survey_bytes(uint64_t region_count) {
    return sizeof(struct engine_survey) + region_count * sizeof(struct surveyed_region);
}

static void survey_call(struct engine_survey *survey, uint32_t region, uint32_t rank,
                        uint64_t number) {
    struct surveyed_region *found = &survey->regions[region];
    if (HINT_UNLIKELY(found->first == NOWHERE)) found->first = (uint64_t)rank << 32 | number;
    found->uses++;
}

/* Returns whether a member of a communicator has more than one member to send to. */
static bool has_pairs(const struct program_communicator *communicator) {
    return communicator->size > 1 || communicator->remote_size > 1;
}

/* Counts what the notes of the result are about. */
static void survey_collective(struct engine_survey *survey, const struct program *program,
                              const struct program_operation *operation) {
    const struct program_collective_arguments *arguments =
        &program->collective_arguments[operation->collective.arguments];
    survey->unknown_sizes += program_is_paired(arguments->kind) &&
                             operation->pair_row_plus_1 == 0 &&
                             has_pairs(&program->communicators[arguments->communicator]);
    survey->local_handles += arguments->kind == PROGRAM_COLLECTIVE_CREATE_HANDLE &&
                             !program->communicators[arguments->communicator].handles_synchronise;
}

static status_code survey_file(struct engine_survey *survey, const struct replay_engine *engine,
                               uint32_t rank, const struct program_operation *operation,
                               struct status *status) {
    survey->collective_accesses +=
        engine->storage != NULL && (operation->flags & OPERATION_FLAG_FILE_COLLECTIVE) != 0;
    survey->file_accesses += storage_takes_time(engine, operation);
    survey->free_accesses += engine->storage == NULL;
    return storage_check(engine, rank, operation, status);
}

/* Passes once over a rank's operations: notes its calls, checks the bytes it sends, and counts what
 * the notes of the result are about. */
static status_code survey_rank(struct engine_survey *survey, const struct replay_engine *engine,
                               uint32_t rank, struct status *status) {
    const struct program *program = engine->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    wide sent_bytes = 0; /* 128 bits, so that the sum does not wrap */
    for (uint64_t i = 0; i < rank_entry->count; i++) {
        program_operation_kind kind;
        uint32_t region;
        if (program_read_mark(program, rank, rank_entry->first + i, &kind, &region)) {
            if (kind == OPERATION_CALL) survey_call(survey, region, rank, i);
            continue;
        }
        const struct program_operation *operation =
            PROGRAM_OPERATION_AT(program, rank, rank_entry->first + i);
        if (operation->kind == OPERATION_CALL) survey_call(survey, operation->mark.region, rank, i);
        if (operation->kind == OPERATION_SEND) sent_bytes += operation->bytes;
        if (operation->kind == OPERATION_FILE)
            FORWARD_IF_ERROR(survey_file(survey, engine, rank, operation, status));
        if (operation->kind == OPERATION_COLLECTIVE) survey_collective(survey, program, operation);
        if (operation->kind == OPERATION_VERTEX)
            survey->names_nics += program_vertex_nic(operation) > 0;
    }
    RETURN_ERROR_IF(sent_bytes > INT64_MAX, status, STATUS_INPUT,
                    "replay: rank %u sends more than 8 EiB in all (damaged trace?)", rank);
    return STATUS_OK;
}

static void add_survey(void *context, const void *part) {
    struct engine_survey *sum = context;
    const struct engine_survey *more = part;
    sum->unknown_sizes += more->unknown_sizes;
    sum->local_handles += more->local_handles;
    sum->collective_accesses += more->collective_accesses;
    sum->file_accesses += more->file_accesses;
    sum->free_accesses += more->free_accesses;
    sum->names_nics += more->names_nics;
    for (uint64_t i = 0; i < sum->region_count; i++) {
        if (more->regions[i].first < sum->regions[i].first)
            sum->regions[i].first = more->regions[i].first;
        sum->regions[i].uses += more->regions[i].uses;
    }
}

/* Finds the number of MPI_Finalize, the function in which ranks wait at their end. If no rank calls
 * MPI_Finalize, the name gets the number after all others. */
static void number_finalize(struct replay_engine *engine) {
    static const char name[] = "MPI_Finalize";
    engine->finalize_function = 0;
    while (engine->finalize_function < engine->mpi_function_count &&
           strcmp(engine->mpi_function_names[engine->finalize_function], name) != 0)
        engine->finalize_function++;
    if (engine->finalize_function == engine->mpi_function_count)
        engine->mpi_function_names[engine->mpi_function_count++] = name;
}

/* A region and where its first call is. */
struct place_of_region {
    uint64_t first;
    uint32_t region;
};

static int by_place(const void *left, const void *right) {
    const struct place_of_region *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first); /* no two regions share a place */
}

/* Gives the regions that are called their numbers. */
static status_code number_functions(struct replay_engine *engine,
                                    const struct engine_survey *survey, struct status *status) {
    const struct program *program = engine->program;
    struct place_of_region *called = memory_new(program->region_count, sizeof *called);
    RETURN_ERROR_IF(called == NULL, status, STATUS_MEMORY, "out of memory for %u regions",
                    program->region_count);
    for (uint32_t i = 0; i < program->region_count; i++) {
        engine->mpi_function_of_region[i] = PROGRAM_NONE;
        if (survey->regions[i].first == NOWHERE) continue;
        called[engine->mpi_function_count++] =
            (struct place_of_region){survey->regions[i].first, i};
    }
    qsort(called, engine->mpi_function_count, sizeof *called, by_place);
    for (uint32_t function = 0; function < engine->mpi_function_count; function++) {
        const uint32_t region = called[function].region;
        engine->mpi_function_of_region[region] = function;
        engine->mpi_function_names[function] = program_text(program, program->regions[region].name);
        engine->mpi_function_uses[function] = survey->regions[region].uses;
    }
    free(called);
    return STATUS_OK;
}

/* Surveys the ranks of this process, and adds what the others have found. */
static status_code survey_all(struct engine_survey *survey, const struct replay_engine *engine,
                              struct status *status) {
    for (uint32_t rank = 0; rank < engine->program->rank_count; rank++)
        if (transport_is_here(engine->transport, engine->ranks[rank].domain))
            FORWARD_IF_ERROR(survey_rank(survey, engine, rank, status));
    return processes_combine(engine->transport->processes, survey,
                             survey_bytes(survey->region_count), add_survey, status);
}

static status_code take_survey(struct replay_engine *engine, const struct engine_survey *survey,
                               struct status *status) {
    engine->unknown_sizes = survey->unknown_sizes;
    engine->local_handles = survey->local_handles;
    engine->collective_accesses = survey->collective_accesses;
    engine->free_accesses = survey->free_accesses;
    engine->names_nics = survey->names_nics > 0;
    FORWARD_IF_ERROR(number_functions(engine, survey, status));
    if (survey->file_accesses > 0) FORWARD_IF_ERROR(storage_check_functions(engine, status));
    graph_number_functions(engine);
    number_finalize(engine);
    return STATUS_OK;
}

static status_code new_functions(struct replay_engine *engine, struct status *status) {
    const uint32_t regions = engine->program->region_count;
    engine->mpi_function_of_region = memory_new(regions, sizeof(uint32_t));
    engine->mpi_function_names = memory_new((size_t)regions + 3, sizeof(char *));
    engine->mpi_function_uses = memory_new((size_t)regions + 3, sizeof *engine->mpi_function_uses);
    RETURN_ERROR_IF(engine->mpi_function_of_region == NULL || engine->mpi_function_names == NULL ||
                        engine->mpi_function_uses == NULL,
                    status, STATUS_MEMORY, "out of memory for %u regions", regions);
    return STATUS_OK;
}

status_code survey_ranks(struct replay_engine *engine, unsigned features, struct status *status) {
    const uint32_t regions = engine->program->region_count;
    FORWARD_IF_ERROR(new_functions(engine, status));
    if (features & ENGINE_SKIPS_SURVEY && !program_has_graphs(engine->program)) {
        number_finalize(engine);
        return STATUS_OK;
    }
    struct engine_survey *survey = memory_new(1, survey_bytes(regions));
    RETURN_ERROR_IF(survey == NULL, status, STATUS_MEMORY, "out of memory for %u regions", regions);
    survey->region_count = regions;
    for (uint32_t i = 0; i < regions; i++)
        survey->regions[i].first = NOWHERE;
    status_code code = survey_all(survey, engine, status);
    if (code == STATUS_OK) code = take_survey(engine, survey, status);
    free(survey);
    return code;
}

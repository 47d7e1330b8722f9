/*
 * Divides programs among processes: opens the program file in each of them, and tests it together
 * with the others.
 *
 * To test the file, each process reads a share of the ranks, some at a time, and then all exchange
 * what they have found: hashes, counts, totals, and sums by which they see that what ranks say
 * about each other is consistent.
 */
#include "traces/program/file/program_division_state.h"

#include "core/memory/memory.h"
#include "core/processes/processes.h"
#include "traces/program/file/program_file_reader.h"
#include "traces/program/program_check.h"
#include "traces/program/program_graph.h"
#include "traces/program/program_hash.h"
#include "traces/traces.h"

#include <stdlib.h>
#include <string.h>

/* What a process finds out about a rank of its share. */
struct found_rank {
    uint64_t hash;
    uint64_t count; /* operations, without user regions unless they are kept */
    uint64_t mark_count;
};

/* What a process finds out about all ranks of its share. The others get the first member and what
 * the second one points to. */
struct found_share {
    struct found_sums {
        struct program_sums sums;
        uint64_t graphs; /* 1: a rank is a graph */
        struct program_totals totals;
    } all;
    struct program_coverage_sums *coverage;
};

/* Ranks with more operations together than this are not in memory at the same time. */
#define BATCH_OPERATIONS (UINT64_C(1) << 20)

/* ---------------------------------------------------------------- a share of the ranks */

/* Marks the ranks from `first` on that are read together. Returns the end of them. */
static uint32_t choose_batch(struct program_division *division, uint32_t first, uint32_t end) {
    const struct program *program = division->program;
    uint64_t operations = 0;
    uint32_t rank = first;
    memset(division->held, 0, program->rank_count * sizeof *division->held);
    do {
        division->held[rank] = true;
        operations += program->ranks[rank].count;
    } while (++rank < end && operations + program->ranks[rank].count <= BATCH_OPERATIONS);
    return rank;
}

static bool has_graphs(const struct program *program, uint32_t first, uint32_t end) {
    for (uint32_t rank = first; rank < end; rank++)
        if (program->ranks[rank].count > 0 && program_rank_is_graph(program, rank)) return true;
    return false;
}

static void find_counts(const struct program_division *division, uint32_t rank,
                        struct found_rank *found) {
    const struct program *program = division->program;
    const struct program_rank *rank_entry = &program->ranks[rank];
    *found = (struct found_rank){found->hash, rank_entry->count, rank_entry->mark_count};
    if (division->mpi_regions == NULL) return;
    found->count = program_count_without_regions(program, rank);
    for (uint64_t i = rank_entry->first; i < rank_entry->first + rank_entry->count; i++) {
        const uint64_t kind = PROGRAM_OPERATION_AT(program, rank, i)->kind;
        found->mark_count -= kind == OPERATION_ENTER || kind == OPERATION_LEAVE;
    }
}

/* Reads and tests the ranks from `first` to before `end`, which are marked. found, hashes: [rank].
 */
static status_code read_batch(struct program_division *division, uint32_t first, uint32_t end,
                              unsigned threads, struct found_share *share, uint64_t *hashes,
                              struct found_rank *found, struct status *status) {
    const struct program *program = division->program;
    FORWARD_IF_ERROR(
        program_file_reader_read_packed(division->reader, division->held, NULL, NULL, status));
    share->all.graphs |= has_graphs(program, first, end);
    if (share->all.graphs != 0) return STATUS_OK;
    FORWARD_IF_ERROR(program_check_ranks(program, first, end, threads, &share->all.sums, status));
    FORWARD_IF_ERROR(program_hash_ranks(program, first, end, threads, hashes, status));
    for (uint32_t rank = first; rank < end; rank++) {
        found[rank].hash = hashes[rank];
        find_counts(division, rank, &found[rank]);
        program_totals_add(program, rank, &share->all.totals);
        FORWARD_IF_ERROR(program_coverage_add(share->coverage, program, rank, status));
    }
    return STATUS_OK;
}

/* Finds the shares of all processes. They have about equally many operations: as many as the file
 * says, so that all processes find the same. */
static status_code find_shares(struct program_division *division, const struct processes *processes,
                               struct status *status) {
    const struct program *program = division->program;
    const unsigned count = processes_count(processes);
    uint64_t operations = 0;
    uint32_t rank = 0;
    division->shares = memory_new((size_t)count + 1, sizeof *division->shares);
    RETURN_ERROR_IF(division->shares == NULL, status, STATUS_MEMORY,
                    "out of memory for %u processes", count);
    for (unsigned process = 0; process <= count; process++) {
        const wide share = (wide)program->operation_count * process / count;
        while (rank < program->rank_count && (process == count || operations < share))
            operations += program->ranks[rank++].count;
        division->shares[process] = rank;
    }
    return STATUS_OK;
}

static status_code read_share(struct program_division *division,
                              const struct traces_loading *loading, struct found_share *share,
                              uint64_t *hashes, struct found_rank *found, struct status *status) {
    const struct processes *processes = loading->processes;
    const unsigned own = processes_number(processes);
    const uint32_t end = division->shares[own + 1];
    uint32_t first = division->shares[own];
    while (first < end && share->all.graphs == 0) {
        const uint32_t next = choose_batch(division, first, end);
        FORWARD_IF_ERROR(
            read_batch(division, first, next, loading->threads, share, hashes, found, status));
        first = next;
    }
    return STATUS_OK;
}

/* ---------------------------------------------------------------- all ranks */

/* Returns whether what another process has found about a rank fits what the own file says. */
static bool is_possible(const struct program_division *division, uint32_t rank,
                        const struct found_rank *found) {
    const struct program_rank *rank_entry = &division->program->ranks[rank];
    if (division->mpi_regions == NULL)
        return found->count == rank_entry->count && found->mark_count == rank_entry->mark_count;
    return found->count <= rank_entry->count && found->mark_count <= rank_entry->mark_count;
}

/* Takes what another process has found. Returns false if the block is not what it should be. */
static bool take_block(struct processes_unpacking *block, const struct program_division *division,
                       unsigned process, struct found_share *share, struct found_rank *found) {
    const struct program *program = division->program;
    struct found_sums other;
    const void *data = processes_unpack(block, sizeof other);
    const void *coverage = processes_unpack(block, program_coverage_bytes(program));
    if (data == NULL || coverage == NULL) return false;
    memcpy(&other, data, sizeof other);
    program_coverage_join(share->coverage, coverage);
    program_sums_join(&share->all.sums, &other.sums);
    program_totals_join(&share->all.totals, &other.totals);
    share->all.graphs |= other.graphs;
    const uint32_t first = division->shares[process];
    const uint32_t end = division->shares[process + 1];
    const void *ranks = processes_unpack(block, (end - first) * sizeof *found);
    if (ranks == NULL) return false;
    if (end > first) memcpy(&found[first], ranks, (end - first) * sizeof *found);
    /* A process that finds a graph reads no further, since the program will not be divided. */
    for (uint32_t rank = first; rank < end && other.graphs == 0; rank++)
        if (!is_possible(division, rank, &found[rank])) return false;
    return block->bytes == 0;
}

static status_code exchange(const struct program_division *division, struct processes *processes,
                            struct found_share *share, struct found_rank *found,
                            struct status *status) {
    const struct program *program = division->program;
    const unsigned count = processes_count(processes), own = processes_number(processes);
    const uint32_t first = division->shares[own];
    const uint32_t end = division->shares[own + 1];
    struct processes_packing packing = {0};
    struct processes_unpacking *received = memory_new(count, sizeof *received);
    processes_pack(&packing, &share->all, sizeof share->all);
    processes_pack(&packing, share->coverage, program_coverage_bytes(program));
    processes_pack(&packing, &found[first], (end - first) * sizeof *found);
    status_code code =
        received == NULL || packing.out_of_memory
            ? status_set(status, STATUS_MEMORY, "out of memory for %u ranks", program->rank_count)
            : processes_exchange_same(processes, PROCESSES_TRACE, &packing, received, status);
    for (unsigned i = 0; i < count && code == STATUS_OK; i++)
        if (i != own && !take_block(&received[i], division, i, share, found))
            code = status_set(status, STATUS_INPUT, "process %u has read another file", i);
    processes_pack_free(&packing);
    free(received);
    return code;
}

static status_code check_found(const struct program *program, const struct found_sums *all,
                               uint64_t *hashes, const struct found_rank *found,
                               struct status *status) {
    for (uint32_t rank = 0; rank < program->rank_count; rank++)
        hashes[rank] = found[rank].hash;
    FORWARD_IF_ERROR(program_sums_check(&all->sums, program, status));
    RETURN_ERROR_IF(program_hash_join(program, hashes) != program->content_hash, status,
                    STATUS_INPUT, "does not hold the program it was written from");
    return STATUS_OK;
}

/* Leaves out user regions, if they are not kept, and counts operations without them. */
static void settle_ranks(struct program_division *division, const struct found_rank *found) {
    struct program *program = division->program;
    uint32_t kept = 0;
    for (uint32_t i = 0; division->mpi_regions != NULL && i < program->region_count; i++)
        if (program->regions[i].is_mpi) program->regions[kept++] = program->regions[i];
    if (division->mpi_regions != NULL) program->region_count = kept;
    program->operation_count = 0;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        struct program_rank *rank_entry = &program->ranks[rank];
        rank_entry->first = program->operation_count;
        rank_entry->count = found[rank].count;
        rank_entry->mark_count = (uint32_t)found[rank].mark_count;
        program->operation_count += rank_entry->count;
    }
}

static status_code find_share(struct program_division *division,
                              const struct traces_loading *loading, struct found_share *share,
                              uint64_t *hashes, struct found_rank *found, struct status *status) {
    share->coverage = program_coverage_new(division->program, status);
    if (share->coverage == NULL) return STATUS_MEMORY;
    FORWARD_IF_ERROR(read_share(division, loading, share, hashes, found, status));
    program_file_reader_free_operations(division->reader);
    return exchange(division, loading->processes, share, found, status);
}

/* Keeps what is known of all ranks. Regions have other numbers if user regions are left out. */
static void keep_found(struct program_division *division, const struct found_share *share,
                       const struct found_rank *found) {
    const uint32_t *numbers = division->mpi_regions;
    division->totals = share->all.totals;
    for (unsigned files_take_time = 0; files_take_time < 2; files_take_time++) {
        struct program_coverage *coverage = &division->coverages[files_take_time];
        program_coverage_conclude(share->coverage, files_take_time, coverage);
        if (numbers != NULL && coverage->most_called != PROGRAM_NONE)
            coverage->most_called = numbers[coverage->most_called];
        if (numbers != NULL && coverage->longest != PROGRAM_NONE)
            coverage->longest = numbers[coverage->longest];
    }
    settle_ranks(division, found);
}

static status_code find_all(struct program_division *division, const struct traces_loading *loading,
                            uint64_t *hashes, struct found_rank *found, bool *is_divided,
                            struct status *status) {
    struct found_share share = {0};
    status_code code = find_share(division, loading, &share, hashes, found, status);
    *is_divided = code == STATUS_OK && share.all.graphs == 0;
    if (*is_divided) code = check_found(division->program, &share.all, hashes, found, status);
    if (*is_divided && code == STATUS_OK) keep_found(division, &share, found);
    free(share.coverage);
    return code;
}

/* Numbers the regions of MPI if user regions are left out. */
static status_code number_regions(struct program_division *division, bool keeps_user_regions,
                                  struct status *status) {
    const struct program *program = division->program;
    uint32_t count = 0;
    if (keeps_user_regions || !program_has_user_regions(program)) return STATUS_OK;
    division->mpi_regions = memory_new(program->region_count, sizeof *division->mpi_regions);
    RETURN_ERROR_IF(division->mpi_regions == NULL, status, STATUS_MEMORY,
                    "out of memory for regions");
    for (uint32_t i = 0; i < program->region_count; i++) {
        division->mpi_regions[i] = count;
        count += program->regions[i].is_mpi != 0;
    }
    return STATUS_OK;
}

static status_code divide(struct program_division *division, const struct traces_loading *loading,
                          bool *is_divided, struct status *status) {
    const struct program *program = division->program;
    FORWARD_IF_ERROR(program_check_tables(program, status));
    FORWARD_IF_ERROR(number_regions(division, loading->keeps_user_regions, status));
    FORWARD_IF_ERROR(find_shares(division, loading->processes, status));
    division->held = memory_new(program->rank_count, sizeof *division->held);
    uint64_t *hashes = memory_new(program->rank_count, sizeof *hashes);
    struct found_rank *found = memory_new(program->rank_count, sizeof *found);
    status_code code =
        division->held != NULL && hashes != NULL && found != NULL
            ? find_all(division, loading, hashes, found, is_divided, status)
            : status_set(status, STATUS_MEMORY, "out of memory for %u ranks", program->rank_count);
    if (division->held != NULL)
        memset(division->held, 0, program->rank_count * sizeof *division->held);
    free(hashes);
    free(found);
    return code;
}

status_code program_division_new(bool *is_divided, struct program *program,
                                 struct program_file_reader *reader, const char *path,
                                 const struct traces_loading *loading, struct status *status) {
    struct program_division *division = program->division = memory_new(1, sizeof *division);
    *is_divided = false;
    RETURN_ERROR_IF(division == NULL, status, STATUS_MEMORY, "out of memory for reading");
    division->program = program;
    division->reader = reader;
    status_code code = memory_copy_text(&division->path, path, status);
    if (code == STATUS_OK) code = divide(division, loading, is_divided, status);
    if (code != STATUS_OK || !*is_divided) {
        division->reader = NULL; /* the caller's */
        program_division_free(program);
    } else {
        program_file_reader_free_buffers(reader);
    }
    return code;
}

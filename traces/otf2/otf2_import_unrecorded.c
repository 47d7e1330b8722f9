/*
 * Calls that leave no record: collectives that a tracer does not know, MPI-IO, and the calls that
 * complete their requests. Must not know the content of records. Rules:
 * - A call whose effect is missing from the program stays in it as a call without operations, so
 *   that readers of the predicted timeline find it. MPI_Init, MPI_Finalize and waits that end such
 *   requests stay too. Other calls without a record (MPI_Comm_rank) are left out.
 * - A wait without any record ends the oldest such request, MPI_Waitall ends all. A run of tests
 *   without a record ends all too if the next call is no wait, test or probe: the run continued
 *   until a test succeeded. MPI_Finalize ends the remaining requests.
 * - If the settings ask for it, non-blocking collectives among these calls are guessed:
 *   communicator and size by the settings, root 0. The guesses must fit together over the ranks.
 */
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"

#include "core/base/compiler_hints.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHER PROGRAM_COLLECTIVE_KINDS

/* A * at the end of a pattern stands for any characters; the first row that fits counts. */
static const struct {
    const char *pattern;
    uint32_t kind;
} starters[] = {
    {"MPI_Ibarrier", PROGRAM_COLLECTIVE_BARRIER},
    {"MPI_Ibcast", PROGRAM_COLLECTIVE_BCAST},
    {"MPI_Igather", PROGRAM_COLLECTIVE_GATHER},
    {"MPI_Igatherv", PROGRAM_COLLECTIVE_GATHERV},
    {"MPI_Iscatter", PROGRAM_COLLECTIVE_SCATTER},
    {"MPI_Iscatterv", PROGRAM_COLLECTIVE_SCATTERV},
    {"MPI_Iallgather", PROGRAM_COLLECTIVE_ALLGATHER},
    {"MPI_Iallgatherv", PROGRAM_COLLECTIVE_ALLGATHERV},
    {"MPI_Ialltoall", PROGRAM_COLLECTIVE_ALLTOALL},
    {"MPI_Ialltoallv", PROGRAM_COLLECTIVE_ALLTOALLV},
    {"MPI_Ialltoallw", PROGRAM_COLLECTIVE_ALLTOALLW},
    {"MPI_Iallreduce", PROGRAM_COLLECTIVE_ALLREDUCE},
    {"MPI_Ireduce", PROGRAM_COLLECTIVE_REDUCE},
    {"MPI_Ireduce_scatter", PROGRAM_COLLECTIVE_REDUCE_SCATTER},
    {"MPI_Ireduce_scatter_block", PROGRAM_COLLECTIVE_REDUCE_SCATTER_BLOCK},
    {"MPI_Iscan", PROGRAM_COLLECTIVE_SCAN},
    {"MPI_Iexscan", PROGRAM_COLLECTIVE_EXSCAN},
    {"MPI_Ineighbor_*", OTHER},
    {"MPI_Comm_idup*", OTHER},
    {"MPI_Isendrecv*", OTHER},
    {"MPI_File_iread*", OTHER},
    {"MPI_File_iwrite*", OTHER},
};

uint8_t import_starts_unrecorded(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++) {
        const char *pattern = starters[i].pattern;
        size_t fixed = strlen(pattern);
        bool open_end = pattern[fixed - 1] == '*';
        if (open_end) fixed--;
        if (!(open_end ? length >= fixed : length == fixed) || strncmp(pattern, name, fixed) != 0)
            continue;
        return (uint8_t)(starters[i].kind == OTHER ? IMPORT_STARTS_OTHER
                                                   : IMPORT_STARTS_COLLECTIVE + starters[i].kind);
    }
    return 0;
}

/* ---- guessing ---- */

status_code import_prepare_guesses(struct import_archive *archive, struct status *status) {
    const struct otf2_definitions *definitions = &archive->definitions;
    if (archive->config->guess == TRACES_GUESS_OFF) return STATUS_OK;
    archive->world = PROGRAM_NONE;
    for (size_t i = 0; i < definitions->communicator_count; i++) {
        const struct import_communicator *communicator = &archive->communicators[i];
        bool has_all = communicator->members != NULL && communicator->remote == NULL &&
                       communicator->size == archive->rank_count;
        uint32_t name = definitions->communicators[i].name;
        bool is_world = strcmp(otf2_definitions_text(definitions, name), "MPI_COMM_WORLD") == 0;
        if (has_all && (archive->world == PROGRAM_NONE || is_world)) archive->world = (uint32_t)i;
    }
    RETURN_ERROR_IF(archive->world == PROGRAM_NONE, status, STATUS_INPUT,
                    "%s: trace.guess_collectives: the trace defines no communicator of all ranks",
                    archive->anchor_path);
    archive->guessed = memory_new(archive->rank_count, sizeof *archive->guessed);
    RETURN_ERROR_IF(archive->guessed == NULL, status, STATUS_MEMORY, "out of memory for %u ranks",
                    archive->rank_count);
    return STATUS_OK;
}

/* Sets the sizes of a guessed collective on `size` members. n: bytes of the vector, or bytes that
 * each member gives to or gets from each other one. */
static void guess_sizes(struct program_collective_arguments *arguments, uint64_t n, uint64_t size,
                        bool is_root) {
    arguments->send_bytes = arguments->receive_bytes = n;
    switch ((program_collective_kind)arguments->kind) {
    case PROGRAM_COLLECTIVE_BARRIER:
        arguments->send_bytes = arguments->receive_bytes = 0;
        break;
    case PROGRAM_COLLECTIVE_GATHERV:
        arguments->receive_bytes = is_root ? size * n : 0;
        break;
    case PROGRAM_COLLECTIVE_SCATTERV:
        arguments->send_bytes = is_root ? size * n : 0;
        break;
    case PROGRAM_COLLECTIVE_ALLGATHERV:
        arguments->receive_bytes = size * n;
        break;
    case PROGRAM_COLLECTIVE_REDUCE_SCATTER:
        arguments->send_bytes = size * n;
        break;
    case PROGRAM_COLLECTIVE_ALLTOALLV:
    case PROGRAM_COLLECTIVE_ALLTOALLW:
        arguments->send_bytes = arguments->receive_bytes = size * n;
        break;
    default:
        break;
    }
}

static status_code guess(struct import_rank *rank, const struct import_region *region,
                         uint64_t request, struct status *status) {
    const struct import_archive *archive = rank->archive;
    bool is_last =
        archive->config->guess == TRACES_GUESS_LAST && rank->last_communicator != PROGRAM_NONE;
    const struct import_communicator *communicator =
        &archive->communicators[is_last ? rank->last_communicator : archive->world];
    struct program_collective_arguments arguments = {.kind = region->starts -
                                                             (uint32_t)IMPORT_STARTS_COLLECTIVE,
                                                     .communicator = communicator->index};
    guess_sizes(&arguments, (uint64_t)archive->config->guess_bytes, communicator->size,
                communicator->members == NULL || communicator->members[0] == rank->rank);
    archive->guessed[rank->rank]++;
    return builder_collective(archive->builder, rank->rank, &arguments, BUILDER_SIZES_ARE_KNOWN,
                              request, status);
}

/* ---- starting and completing ---- */

static status_code start_request(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                                 struct status *status) {
    const struct import_region *region = rank->calls[thread].region;
    uint64_t request = BUILDER_NO_REQUEST;
    if (region->starts >= IMPORT_STARTS_COLLECTIVE && rank->archive->guessed != NULL) {
        request = import_new_request(rank);
        FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
        FORWARD_IF_ERROR(guess(rank, region, request, status));
    }
    FORWARD_IF_ERROR(memory_grow((void **)&rank->unrecorded, &rank->unrecorded_capacity,
                                 rank->unrecorded_first + rank->unrecorded_count + 1,
                                 sizeof *rank->unrecorded, status));
    rank->unrecorded[rank->unrecorded_first + rank->unrecorded_count++] = request;
    return STATUS_OK;
}

/* Records that the oldest requests are complete when the call is over. */
static status_code complete_oldest(struct import_rank *rank, struct import_call *call, size_t count,
                                   struct status *status) {
    for (; count > 0; count--) {
        uint64_t request = rank->unrecorded[rank->unrecorded_first++];
        if (--rank->unrecorded_count == 0) rank->unrecorded_first = 0;
        if (request != BUILDER_NO_REQUEST) FORWARD_IF_ERROR(import_complete(call, request, status));
    }
    return STATUS_OK;
}

status_code import_unrecorded(struct import_rank *rank, uint32_t thread, uint64_t ticks,
                              bool *is_kept, struct status *status) {
    struct import_call *call = &rank->calls[thread];
    const struct import_region *region = call->region;
    *is_kept = false;
    if (region->class == IMPORT_FINALIZE)
        FORWARD_IF_ERROR(complete_oldest(rank, call, rank->unrecorded_count, status));
    *is_kept = call->has_file && region->why != NULL;
    if (call->has_record || call->has_file) return STATUS_OK;
    bool waits = region->class == IMPORT_WAIT && rank->unrecorded_count > 0;
    *is_kept = region->why != NULL || waits || region->class == IMPORT_INIT ||
               region->class == IMPORT_FINALIZE;
    if (waits)
        FORWARD_IF_ERROR(
            complete_oldest(rank, call, region->waits_all ? rank->unrecorded_count : 1, status));
    if (region->starts != 0) FORWARD_IF_ERROR(start_request(rank, thread, ticks, status));
    if (region->class == IMPORT_TEST && thread == 0 && rank->unrecorded_count > 0)
        rank->test = (struct import_test){region, call->enter_record, call->enter_ticks, ticks};
    if (*is_kept) FORWARD_IF_ERROR(import_call_open(rank, thread, ticks, status));
    return STATUS_OK;
}

/* Makes the last test of a run a call of the program that waits for the requests. The gap after the
 * test is not classified yet. */
static HINT_RARE status_code complete_in_test(struct import_rank *rank, struct status *status) {
    struct program_builder *builder = rank->archive->builder;
    struct import_call test = {.region = rank->test.region};
    int64_t enter_ps = 0, leave_ps = 0;
    status_code code = complete_oldest(rank, &test, rank->unrecorded_count, status);
    if (code == STATUS_OK && test.completed_count > 0) {
        import_end_polling(rank, true);
        code = import_append_compute(rank, status);
        if (code == STATUS_OK)
            code = import_time_ps(rank->archive, rank->test.enter_ticks, &enter_ps, status);
        if (code == STATUS_OK)
            code = import_time_ps(rank->archive, rank->test.leave_ticks, &leave_ps, status);
        if (code == STATUS_OK)
            code = builder_call(builder, rank->rank, test.region->region, rank->test.enter_record,
                                enter_ps, status);
        if (code == STATUS_OK)
            code = builder_wait(builder, rank->rank, test.completed, (uint32_t)test.completed_count,
                                status);
        if (code == STATUS_OK) code = builder_return(builder, rank->rank, leave_ps, true, status);
    }
    free(test.completed);
    return code;
}

status_code import_unrecorded_tested(struct import_rank *rank, uint32_t thread,
                                     struct status *status) {
    uint8_t class = rank->calls[thread].region->class;
    if (class == IMPORT_TEST || class == IMPORT_PROBE) return STATUS_OK;
    if (class != IMPORT_WAIT && rank->unrecorded_count > 0 && !rank->is_concurrent)
        FORWARD_IF_ERROR(complete_in_test(rank, status));
    rank->test = (struct import_test){0};
    return STATUS_OK;
}

/* ---- all ranks ---- */

static uint64_t count_guesses(const struct import_archive *archive) {
    uint64_t count = 0;
    for (uint32_t rank = 0; archive->guessed != NULL && rank < archive->rank_count; rank++)
        count += archive->guessed[rank];
    return count;
}

static const char *guess_name(const struct import_archive *archive) {
    return archive->config->guess == TRACES_GUESS_LAST ? "last" : "world";
}

status_code import_check_guesses(const struct import_archive *archive, struct status *status) {
    if (archive->guessed == NULL || archive->config->guess != TRACES_GUESS_WORLD) return STATUS_OK;
    for (uint32_t rank = 1; rank < archive->rank_count; rank++)
        RETURN_ERROR_IF(archive->guessed[rank] != archive->guessed[0], status, STATUS_INPUT,
                        "%s: trace.guess_collectives=world: rank %u calls %" PRIu64
                        " non-blocking collectives that left no record, rank 0 calls %" PRIu64
                        ", so they cannot all be collectives of all ranks. Try "
                        "trace.guess_collectives=last, or leave it off",
                        archive->anchor_path, rank, archive->guessed[rank], archive->guessed[0]);
    return STATUS_OK;
}

void import_blame_guesses(const struct import_archive *archive, struct status *status) {
    uint64_t count = count_guesses(archive);
    if (count == 0) return;
    status_prefix(status,
                  "with %" PRIu64 " collectives guessed (trace.guess_collectives=%s; if they do "
                  "not fit together over the ranks, choose another value, or off)",
                  count, guess_name(archive));
}

void import_record_guesses(const struct import_archive *archive) {
    uint64_t count = count_guesses(archive);
    if (count == 0) return;
    char size[UNITS_TEXT_BYTES], why[256];
    units_size_text(archive->config->guess_bytes, size, sizeof size);
    snprintf(
        why, sizeof why,
        "they left no record in the trace: communicator (%s), bytes (%s), root (0) and the calls "
        "that complete them are guessed, by trace.guess_collectives and trace.guess_bytes",
        archive->config->guess == TRACES_GUESS_LAST ? "that of the rank's last recorded collective"
                                                    : "of all ranks",
        size);
    builder_add_assumption(archive->builder, "non-blocking collectives guessed", why, count);
}

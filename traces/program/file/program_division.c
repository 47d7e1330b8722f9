/* Loads the operations of ranks of a divided program from the program file, and frees those of
 * other ranks to make room. program_division_new.c divides programs. */
#include "traces/program/file/program_division_state.h"

#include "core/memory/memory.h"
#include "traces/program/file/program_file_reader.h"

#include <stdlib.h>
#include <string.h>

/* Reads all ranks as if the program were not divided. */
static status_code hold_unpacked(struct program_division *division, struct status *status) {
    FORWARD_IF_ERROR(program_file_reader_read_all_unpacked(division->reader, status));
    division->is_whole = true;
    return STATUS_OK;
}

/* If more operations are whole than fit into memory, all ranks are read and lie in a file, unless
 * user regions are left out: only packers do that. */
static status_code hold(struct program_division *division, const bool *wanted,
                        struct status *status) {
    const size_t ranks = division->program->rank_count;
    bool is_complete = true;
    memset(division->held, 0, ranks * sizeof *division->held);
    division->is_whole = false;
    FORWARD_IF_ERROR(program_file_reader_read_packed(
        division->reader, wanted, division->mpi_regions,
        division->mpi_regions != NULL ? NULL : &is_complete, status));
    if (!is_complete) return hold_unpacked(division, status);
    if (wanted != NULL)
        memcpy(division->held, wanted, ranks * sizeof *division->held);
    else
        memset(division->held, 1, ranks * sizeof *division->held);
    division->is_whole = wanted == NULL;
    return STATUS_OK;
}

/* Returns whether the wanted ranks are in memory, and no others that could be given up. */
static bool holds(const struct program_division *division, const bool *wanted) {
    const struct program *program = division->program;
    if (division->is_whole && (wanted == NULL || program->packed == NULL)) return true;
    return wanted != NULL && program->packed != NULL &&
           memcmp(division->held, wanted, program->rank_count * sizeof *wanted) == 0;
}

status_code program_division_load_ranks(struct program_division *division, const bool *wanted,
                                        struct status *status) {
    if (division == NULL || holds(division, wanted)) return STATUS_OK;
    const status_code code = hold(division, wanted, status);
    program_file_reader_free_buffers(division->reader);
    if (code != STATUS_OK) status_prefix(status, "%s: when it was read again", division->path);
    return code;
}

status_code program_division_load_all(struct program_division *division, struct status *status) {
    return program_division_load_ranks(division, NULL, status);
}

const struct program_totals *program_division_totals(const struct program *program) {
    return program->division != NULL ? &program->division->totals : NULL;
}

const struct program_coverage *program_division_coverage(const struct program *program,
                                                         bool files_take_time) {
    return program->division != NULL ? &program->division->coverages[files_take_time] : NULL;
}

void program_division_free(struct program *program) {
    struct program_division *division = program->division;
    if (division == NULL) return;
    program_file_reader_free(division->reader);
    free(division->path);
    free(division->shares);
    free(division->held);
    free(division->mpi_regions);
    free(division);
    program->division = NULL;
}

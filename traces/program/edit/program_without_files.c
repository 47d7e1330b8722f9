/* Copies all operations of a program but the accesses to files. */
#include "traces/program/edit/program_without_files.h"

#include "traces/program/edit/program_copy.h"

status_code program_without_files(struct program **made, const struct program *whole,
                                  unsigned threads, struct status *status) {
    struct program_copy copy;
    *made = NULL;
    status_code code = program_copy_new_without_files(&copy, whole, status);
    for (uint32_t rank = 0; rank < whole->rank_count && code == STATUS_OK; rank++) {
        program_copy_begin(&copy, rank);
        code = program_copy_operations(&copy, rank, 0, whole->ranks[rank].count, status);
        if (code == STATUS_OK) code = program_copy_end(&copy, rank, status);
    }
    if (code == STATUS_OK) code = program_copy_seal(&copy, "", threads, made, status);
    program_copy_free(&copy);
    return code;
}

/*
 * Marks of a program: most of its operations are marks, and whoever goes through all operations
 * saves time by reading marks apart.
 */
#ifndef ANAX_TRACES_PROGRAM_MARKS_H
#define ANAX_TRACES_PROGRAM_MARKS_H

#include "traces/program/program.h"

/* Sets the kind and the region of a mark, in less time than program_operation_at takes. Returns
 * false if the operation is no mark, or is one that program_operation_at alone can read. */
static inline bool program_read_mark(const struct program *program, uint32_t rank, uint64_t index,
                                     program_operation_kind *kind, uint32_t *region) {
    if (program->packed != NULL) {
        const struct program_packed *packed = program->packed;
        const uint64_t place = program_word_place(packed, rank, index);
        const uint32_t word = program_word_lower(
            packed, rank, &packed->blocks[program_block_of(packed, rank, place)], place);
        *kind = (program_operation_kind)(OPERATION_CALL + (word >> 3 & 3));
        *region = word >> 5 & 0x7FF;
        return (word & 7) == PROGRAM_WORD_MARK;
    }
    const struct program_operation *operation = &program->operations[index];
    *kind = (program_operation_kind)operation->kind;
    *region = operation->mark.region;
    return program_is_mark(operation);
}

#endif

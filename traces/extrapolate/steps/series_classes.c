/*
 * Divides the steps of a call by the sizes of its messages. If the call has equally many sizes in
 * all programs, its steps with the n-th size get a symbol of their own. For example, sums of 8
 * bytes and parts of a vector are then different loops, although their calls are the same.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/steps/series_steps.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 8 };

/* The sizes of a call in one program, in ascending order. count: MOST_CLASSES + 1 if there are more
 * than MOST_CLASSES. */
struct sizes {
    int64_t list[MOST_CLASSES];
    uint32_t count;
};

/* Returns the number of the first size that is not less than `size`. */
static uint32_t class_of(const struct sizes *sizes, int64_t size) {
    uint32_t place = 0;
    while (place < sizes->count && sizes->list[place] < size)
        place++;
    return place;
}

/* Adds a size to the list, unless it is there. */
static void note(struct sizes *sizes, int64_t size) {
    if (sizes->count > MOST_CLASSES) return;
    const uint32_t place = class_of(sizes, size);
    if (place < sizes->count && sizes->list[place] == size) return;
    if (sizes->count++ == MOST_CLASSES) return;
    memmove(sizes->list + place + 1, sizes->list + place,
            (sizes->count - 1 - place) * sizeof *sizes->list);
    sizes->list[place] = size;
}

static void take_sizes(const struct series_program *from, uint32_t symbol, uint32_t field,
                       struct sizes *sizes) {
    sizes->count = 0;
    for (uint32_t r = 0; r < from->program->rank_count; r++) {
        const struct series_rank *rank = &from->ranks[r];
        for (size_t i = 0; i < rank->step_count; i++)
            if (rank->steps[i].symbol == symbol)
                note(sizes, rank->values[rank->steps[i].first_value + field]);
    }
}

/* Sets sizes[k] to the sizes of a field in program k. Returns whether all programs have equally
 * many, from 2 to MOST_CLASSES. */
static bool are_classes(const struct series *series, uint32_t symbol, uint32_t field,
                        struct sizes *sizes) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        take_sizes(&series->programs[k], symbol, field, &sizes[k]);
        if (sizes[k].count < 2 || sizes[k].count > MOST_CLASSES || sizes[k].count != sizes[0].count)
            return false;
    }
    return true;
}

/* Gives each class but the first a symbol of its own, and folds all ranks anew. */
static status_code divide(struct series *series, uint32_t symbol, uint32_t field,
                          const struct sizes *sizes, struct status *status) {
    const uint32_t first = (uint32_t)series->steps.symbol_count, more = sizes[0].count - 1;
    FORWARD_IF_ERROR(memory_grow((void **)&series->steps.symbols, &series->steps.symbol_capacity,
                                 series->steps.symbol_count + more, sizeof *series->steps.symbols,
                                 status));
    for (uint32_t i = 0; i < more; i++)
        series->steps.symbols[series->steps.symbol_count++] = series->steps.symbols[symbol];
    for (uint32_t k = 0; k < series->program_count; k++) {
        const struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; r < from->program->rank_count; r++) {
            struct series_rank *rank = &from->ranks[r];
            for (size_t i = 0; i < rank->step_count; i++) {
                struct series_step *step = &rank->steps[i];
                if (step->symbol != symbol) continue;
                const uint32_t class = class_of(&sizes[k], rank->values[step->first_value + field]);
                if (class > 0) step->symbol = first + class - 1;
            }
        }
        FORWARD_IF_ERROR(series_fold_ranks(series, from, status));
    }
    return STATUS_OK;
}

/* Returns the field of the first size among the values of a symbol; value_count: there is none. */
static uint32_t size_field(const struct series *series, const struct series_symbol *symbol) {
    uint32_t field = 0;
    for (; field < symbol->value_count; field++) {
        const uint8_t kind = series->steps.kinds[symbol->first_kind + field];
        if (kind == SERIES_VALUE_BYTES || kind == SERIES_VALUE_RECEIVED) break;
    }
    return field;
}

status_code series_classes_divide(struct series *series, uint32_t symbol, bool *found,
                                  struct status *status) {
    const uint32_t field = size_field(series, &series->steps.symbols[symbol]);
    struct sizes *sizes = memory_new(series->program_count, sizeof *sizes);
    RETURN_ERROR_IF(sizes == NULL, status, STATUS_MEMORY, "out of memory for sizes");
    *found = field < series->steps.symbols[symbol].value_count &&
             are_classes(series, symbol, field, sizes);
    const status_code code = *found ? divide(series, symbol, field, sizes, status) : STATUS_OK;
    free(sizes);
    return code;
}

/*
 * Divides the operations of ranks into steps. A step is an MPI call with what it posts and waits
 * for, the begin or end of a user region, or the end of the rank, with the computation before it.
 * Steps with equal contents share a symbol. Numbers that may follow from the rank are values of the
 * step.
 */
#include "traces/extrapolate/steps/series_steps.h"
#include "core/memory/memory.h"
#include "traces/extrapolate/grids/series_alternatives.h"
#include "traces/extrapolate/grids/series_grids.h"
#include "traces/extrapolate/output/series_output.h"
#include "traces/extrapolate/refusals/series_where.h"
#include "traces/extrapolate/steps/series_shape.h"
#include "traces/extrapolate/steps/series_tested_requests.h"
#include "traces/extrapolate/symmetry/series_views.h"
#include "traces/program/content_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096 }; /* words, and values, of one step */

/* The state while one rank is divided into steps. */
struct divider {
    struct series *series;
    const struct series_program *from;
    struct series_rank *rank;
    uint32_t rank_number;
    const uint32_t *wait_slots; /* lists of slots that waits name */
    uint32_t *pending;          /* slots in flight, in the order in which they were posted */
    size_t pending_count, pending_capacity;
    uint8_t *spans; /* [slot]: set of dimensions of the symmetric grid that its message crosses */
    size_t span_capacity;
    uint8_t crossed; /* set of dimensions that the messages of the current step cross */
    size_t own;      /* slots that the current call has posted */
    int64_t words[MOST_WORDS];
    uint8_t kinds[MOST_WORDS]; /* of the values of the current step */
    size_t word_count, kind_count;
    int64_t compute_ps; /* computation since the last step */
    int64_t now_ps;     /* time in the trace */
    uint64_t record;    /* event records of the trace that the steps so far account for */
};

/* Writes to `text` the call that is taken now: "MPI_Bcast (call 14 of rank 3 of 8 ranks)". */
static void where_text(const struct divider *divider, char *text, size_t size) {
    char place[2 * SERIES_TEXT];
    const struct series *series = divider->series;
    const bool is_call = divider->word_count > 1 && divider->words[0] == OPERATION_CALL;
    series_where_call(series, (uint32_t)(divider->from - series->programs), divider->rank_number,
                      divider->rank->step_count, place, sizeof place);
    snprintf(text, size, "%s (%s)",
             is_call ? series_region_name(series, (uint32_t)divider->words[1]) : "an operation",
             place);
}

static status_code refuse(const struct divider *divider, const char *what, struct status *status) {
    char where[SERIES_WHERE_TEXT];
    where_text(divider, where, sizeof where);
    return status_set(status, STATUS_INPUT, "%s: %s cannot be extrapolated", where, what);
}

static status_code add_word(struct divider *divider, int64_t word, struct status *status) {
    char what[SERIES_TEXT];
    snprintf(what, sizeof what, "an MPI call with more than %d parts", MOST_WORDS);
    if (divider->word_count >= MOST_WORDS) return refuse(divider, what, status);
    divider->words[divider->word_count++] = word;
    return STATUS_OK;
}

static status_code add_value(struct divider *divider, series_value_kind kind, int64_t value,
                             struct status *status) {
    struct series_rank *rank = divider->rank;
    if (divider->kind_count >= MOST_WORDS || rank->value_count >= UINT32_MAX)
        return refuse(divider, "a rank or a call with so many values", status);
    FORWARD_IF_ERROR(memory_grow((void **)&rank->values, &rank->value_capacity,
                                 rank->value_count + 1, sizeof *rank->values, status));
    rank->values[rank->value_count++] = value;
    divider->kinds[divider->kind_count++] = (uint8_t)kind;
    return STATUS_OK;
}

status_code series_symbol_intern(struct series *series, const struct series_step_content *content,
                                 uint32_t *symbol, struct status *status) {
    const size_t words = content->word_count, kinds = content->kind_count;
    uint64_t hash = content_hash_words64(0, (const uint64_t *)content->words, words);
    for (;; hash++) {
        *symbol = key_table_find(&series->steps.symbol_index, hash);
        if (*symbol == KEY_TABLE_NONE) break;
        const struct series_symbol *known = &series->steps.symbols[*symbol];
        if (known->word_count == words &&
            memcmp(series->steps.words + known->first_word, content->words,
                   words * sizeof *series->steps.words) == 0)
            return STATUS_OK;
    }
    *symbol = (uint32_t)series->steps.symbol_count;
    FORWARD_IF_ERROR(memory_grow((void **)&series->steps.symbols, &series->steps.symbol_capacity,
                                 series->steps.symbol_count + 1, sizeof *series->steps.symbols,
                                 status));
    FORWARD_IF_ERROR(memory_grow((void **)&series->steps.words, &series->steps.word_capacity,
                                 series->steps.word_count + words, sizeof *series->steps.words,
                                 status));
    FORWARD_IF_ERROR(memory_grow((void **)&series->steps.kinds, &series->steps.kind_capacity,
                                 series->steps.kind_count + kinds, sizeof *series->steps.kinds,
                                 status));
    FORWARD_IF_ERROR(key_table_insert(&series->steps.symbol_index, hash, *symbol, status));
    series->steps.symbols[series->steps.symbol_count++] = (struct series_symbol){
        .first_word = (uint32_t)series->steps.word_count,
        .word_count = (uint32_t)words,
        .first_kind = (uint32_t)series->steps.kind_count,
        .value_count = (uint32_t)kinds,
        .crossed = content->crossed,
    };
    memcpy(series->steps.words + series->steps.word_count, content->words,
           words * sizeof *series->steps.words);
    memcpy(series->steps.kinds + series->steps.kind_count, content->kinds, kinds);
    series->steps.word_count += words;
    series->steps.kind_count += kinds;
    return STATUS_OK;
}

static status_code begin_step(struct divider *divider, int64_t kind, struct status *status) {
    divider->word_count = divider->kind_count = 0;
    divider->crossed = 0;
    FORWARD_IF_ERROR(add_word(divider, kind, status));
    int64_t compute_ps = divider->compute_ps;
    divider->compute_ps = 0;
    divider->now_ps += compute_ps;
    return add_value(divider, SERIES_VALUE_COMPUTE, compute_ps, status);
}

static status_code end_step(struct divider *divider, uint32_t first_value, bool is_moved,
                            struct status *status) {
    struct series_rank *rank = divider->rank;
    FORWARD_IF_ERROR(memory_grow((void **)&rank->steps, &rank->step_capacity, rank->step_count + 1,
                                 sizeof *rank->steps, status));
    uint32_t symbol = 0;
    const struct series_step_content content = {divider->words, divider->word_count, divider->kinds,
                                                divider->kind_count, divider->crossed};
    FORWARD_IF_ERROR(series_symbol_intern(divider->series, &content, &symbol, status));
    rank->steps[rank->step_count++] = (struct series_step){symbol, first_value, is_moved};
    return STATUS_OK;
}

/* Adds a slot to those in flight, unless the operation has none: nothing waits for it. */
static status_code post(struct divider *divider, uint32_t slot, struct status *status) {
    if (slot == PROGRAM_NONE) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&divider->pending, &divider->pending_capacity,
                                 divider->pending_count + 1, sizeof *divider->pending, status));
    divider->pending[divider->pending_count++] = slot;
    divider->own++;
    return STATUS_OK;
}

/* With a symmetric grid, adds the word that says which of its dimensions a message or wait crosses.
 * crossed: a set of dimensions. */
static status_code add_crossed(struct divider *divider, uint8_t crossed, struct status *status) {
    if (divider->series->grids.symmetric == 0) return STATUS_OK;
    divider->crossed |= crossed;
    const bool is_one = (crossed & (crossed - 1)) == 0;
    return add_word(divider, is_one ? crossed : SERIES_CROSSES_SEVERAL, status);
}

/* Returns the set of dimensions of the symmetric grid in which another rank has other coordinates
 * than the rank; 0: there is no such grid. */
static uint8_t crossed_to(const struct divider *divider, uint32_t peer) {
    const struct series *series = divider->series;
    const uint32_t grid = series->grids.symmetric;
    uint32_t own[SERIES_DIMENSIONS], other[SERIES_DIMENSIONS];
    uint8_t crossed = 0;
    if (grid == 0) return 0;
    const uint32_t *extents = divider->from->extents.of[grid];
    grid_coordinates(extents, series->grids.rules[grid].dimensions, divider->rank_number, own);
    grid_coordinates(extents, series->grids.rules[grid].dimensions, peer, other);
    for (uint32_t d = 0; d < SERIES_DIMENSIONS; d++)
        if (own[d] != other[d]) crossed = (uint8_t)(crossed | 1u << d);
    return crossed;
}

static status_code record_span(struct divider *divider, uint32_t slot, uint8_t crossed,
                               struct status *status) {
    if (slot == PROGRAM_NONE) return STATUS_OK;
    FORWARD_IF_ERROR(memory_grow((void **)&divider->spans, &divider->span_capacity,
                                 (size_t)slot + 1, sizeof *divider->spans, status));
    divider->spans[slot] = crossed;
    return STATUS_OK;
}

/* Writes to `text` a program that has no communicator of this name; "": all programs have one, or
 * the name is empty. */
static void without_text(const struct series *series, const char *name, char *text, size_t size) {
    *text = '\0';
    for (uint32_t k = 0; k < series->program_count && *name != '\0'; k++) {
        const struct program *program = series->programs[k].program;
        uint32_t c = 0;
        while (c < program->communicator_count &&
               strcmp(program_text(program, program->communicators[c].name), name) != 0)
            c++;
        if (c < program->communicator_count) continue;
        snprintf(text, size, "; %s (%u ranks) has no communicator of this name",
                 program_text(program, program->source), program->rank_count);
        return;
    }
}

/* Sets *family to the family of a communicator. STATUS_INPUT: no rule gives its members, or several
 * rules do that differ in the new program. */
static status_code find_family(struct divider *divider, uint32_t communicator, uint32_t *family,
                               struct status *status) {
    *family = divider->from->families[communicator];
    if (*family != PROGRAM_NONE && !divider->series->families.list[*family].is_open)
        return STATUS_OK;
    char text[PROGRAM_COMMUNICATOR_TEXT], where[SERIES_WHERE_TEXT], members[2 * SERIES_TEXT];
    series_where_communicator(divider->from->program, communicator, where, sizeof where);
    if (*family != PROGRAM_NONE)
        return series_alternatives_refuse(divider->series, *family, where, status);
    program_write_communicator(divider->from->program, communicator, text);
    series_where_members(divider->from->program, communicator, members, sizeof members);
    char without[2 * SERIES_TEXT];
    const struct program *program = divider->from->program;
    without_text(divider->series, program_text(program, program->communicators[communicator].name),
                 without, sizeof without);
    const bool is_named = strncmp(text, "communicator ", strlen("communicator ")) != 0;
    return status_set(status, STATUS_INPUT,
                      "the members of %s%s (%s of %u ranks) follow no rule that holds for all "
                      "programs of the series; it %s%s",
                      is_named ? "the communicator " : "", text, members, program->rank_count,
                      where, without);
}

static status_code add_message(struct divider *divider, const struct program_operation *operation,
                               struct status *status) {
    const struct program *program = divider->from->program;
    const struct program_envelope *envelope = &program->envelopes[operation->message.envelope];
    if (program_is_one_sided(operation) || !program_is_message(program, operation))
        return refuse(divider, "one-sided communication", status);
    if (operation->kind == OPERATION_SEND &&
        (operation->flags & OPERATION_FLAG_SEND_PERSISTENT) != 0)
        return refuse(divider, "a persistent request that a test found complete", status);
    uint32_t family = 0;
    FORWARD_IF_ERROR(find_family(divider, envelope->communicator, &family, status));
    /* OPERATION_FLAG_RECEIVE_INFERRED is left out: sealing sets it in the new program, too. */
    const unsigned kept =
        operation->kind == OPERATION_RECEIVE ? OPERATION_FLAG_DETACHED : UINT8_MAX;
    FORWARD_IF_ERROR(
        add_word(divider, series_head(operation->kind, operation->flags & kept), status));
    FORWARD_IF_ERROR(add_word(divider, family, status));
    FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_PEER, operation->message.peer, status));
    FORWARD_IF_ERROR(add_value(
        divider, operation->kind == OPERATION_SEND ? SERIES_VALUE_BYTES : SERIES_VALUE_RECEIVED,
        (int64_t)operation->bytes, status));
    const uint8_t crossed = crossed_to(divider, operation->message.peer);
    if (divider->series->assumptions.tags_are_values)
        FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_TAG, envelope->tag, status));
    else
        FORWARD_IF_ERROR(
            add_word(divider, series_tag_word(divider->series, crossed, envelope->tag), status));
    FORWARD_IF_ERROR(add_crossed(divider, crossed, status));
    FORWARD_IF_ERROR(record_span(divider, operation->message.slot, crossed, status));
    divider->record++;
    return post(divider, operation->message.slot, status);
}

/* Returns whether the new program lacks a collective of the series: it only makes or frees a
 * communicator without a rule, in which no message and no other collective is. No message of the
 * new program depends on the members of this communicator. */
static bool is_left_out(const struct divider *divider, const struct program_operation *operation) {
    bool is_handle;
    const uint32_t c = series_communicator_of(divider->from->program, operation, &is_handle);
    return is_handle && operation->collective.slot == PROGRAM_NONE && divider->from->is_idle[c] &&
           divider->from->families[c] == PROGRAM_NONE;
}

static status_code add_collective(struct divider *divider,
                                  const struct program_operation *operation,
                                  struct status *status) {
    const struct program_collective_arguments *arguments =
        &divider->from->program->collective_arguments[operation->collective.arguments];
    uint32_t family = 0;
    if (is_left_out(divider, operation)) {
        divider->series->families.leaves_out_idle = true;
        divider->record += (unsigned)series_collective_records(operation->flags);
        return STATUS_OK;
    }
    FORWARD_IF_ERROR(find_family(divider, arguments->communicator, &family, status));
    if (arguments->own_member == PROGRAM_NONE)
        return refuse(divider, "a collective of a rank that is no member", status);
    FORWARD_IF_ERROR(add_word(divider, series_head(operation->kind, operation->flags), status));
    const bool is_reduction = program_is_reduction(arguments->kind);
    FORWARD_IF_ERROR(add_word(divider, arguments->kind, status));
    FORWARD_IF_ERROR(add_word(divider, family, status));
    FORWARD_IF_ERROR(
        add_word(divider, is_reduction ? (int64_t)operation->element_bytes : 0, status));
    FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_ROOT,
                               arguments->root == PROGRAM_NONE ? -1 : (int64_t)arguments->root,
                               status));
    FORWARD_IF_ERROR(
        add_value(divider, SERIES_VALUE_SEND_BYTES, (int64_t)arguments->send_bytes, status));
    FORWARD_IF_ERROR(
        add_value(divider, SERIES_VALUE_RECEIVE_BYTES, (int64_t)arguments->receive_bytes, status));
    divider->record += (unsigned)series_collective_records(operation->flags);
    FORWARD_IF_ERROR(record_span(divider, operation->collective.slot, 0, status));
    return post(divider, operation->collective.slot, status);
}

/* Returns the position of a slot among those in flight; their number: it is not among them. */
static size_t find_pending(const struct divider *divider, uint32_t slot) {
    size_t place = 0;
    while (place < divider->pending_count && divider->pending[place] != slot)
        place++;
    return place;
}

/* Removes the slots from those in flight. */
static void complete(struct divider *divider, const uint32_t *slots, uint32_t count) {
    if (count == divider->pending_count) {
        divider->pending_count = 0;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t place = find_pending(divider, slots[i]);
        memmove(divider->pending + place, divider->pending + place + 1,
                (divider->pending_count - place - 1) * sizeof *divider->pending);
        divider->pending_count--;
    }
}

static status_code add_wait(struct divider *divider, const struct program_operation *operation,
                            struct status *status) {
    const uint32_t count = operation->wait.count, *slots = &operation->wait.first;
    if (count > 1) slots = divider->wait_slots + operation->wait.first;
    const size_t all = divider->pending_count, bytes = count * sizeof *slots;
    const size_t own = divider->own < all ? divider->own : all;
    int64_t form = SERIES_WAIT_FOR_LIST;
    if (count == own && memcmp(divider->pending + all - own, slots, bytes) == 0)
        form = SERIES_WAIT_FOR_OWN;
    else if (count == all && memcmp(divider->pending, slots, bytes) == 0)
        form = SERIES_WAIT_FOR_ALL;
    FORWARD_IF_ERROR(add_word(divider, series_head(operation->kind, operation->flags), status));
    FORWARD_IF_ERROR(add_word(divider, form, status));
    if (form == SERIES_WAIT_FOR_LIST) {
        FORWARD_IF_ERROR(add_word(divider, count, status));
        for (uint32_t i = 0; i < count; i++) {
            size_t place = find_pending(divider, slots[i]);
            if (place == all) return refuse(divider, "a wait for an unknown request", status);
            FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_WAIT, (int64_t)place, status));
        }
    }
    uint8_t crossed = 0;
    for (uint32_t i = 0; i < count; i++)
        if (slots[i] < divider->span_capacity) crossed |= divider->spans[slots[i]];
    FORWARD_IF_ERROR(add_crossed(divider, crossed, status));
    if (form != SERIES_WAIT_FOR_OWN) divider->record += count;
    complete(divider, slots, count);
    divider->own = 0;
    return STATUS_OK;
}

/* Adds a step for the call that begins at operations[*i], and sets *i to the index of its return.
 */
static status_code take_call(struct divider *divider, const struct program_operation *operations,
                             uint64_t *i, struct status *status) {
    const struct program_operation *call = &operations[*i];
    uint32_t first_value = (uint32_t)divider->rank->value_count;
    FORWARD_IF_ERROR(begin_step(divider, OPERATION_CALL, status));
    FORWARD_IF_ERROR(add_word(divider, divider->from->regions[call->mark.region], status));
    FORWARD_IF_ERROR(
        add_value(divider, SERIES_VALUE_GAP, call->mark.trace_ps - divider->now_ps, status));
    FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_EVENTS,
                               (int64_t)call->record - (int64_t)divider->record, status));
    divider->record = call->record + 1;
    size_t duration = divider->rank->value_count;
    FORWARD_IF_ERROR(add_value(divider, SERIES_VALUE_DURATION, 0, status));
    divider->own = 0;
    const struct program_operation *operation = call + 1;
    for (; operation->kind != OPERATION_RETURN; operation++) {
        if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_RECEIVE)
            FORWARD_IF_ERROR(add_message(divider, operation, status));
        else if (operation->kind == OPERATION_COLLECTIVE)
            FORWARD_IF_ERROR(add_collective(divider, operation, status));
        else
            FORWARD_IF_ERROR(add_wait(divider, operation, status));
    }
    divider->rank->values[duration] = operation->mark.trace_ps - call->mark.trace_ps;
    divider->now_ps = operation->mark.trace_ps;
    divider->record++;
    *i += (uint64_t)(operation - call);
    return end_step(divider, first_value, (call->flags & SERIES_CALL_OF_TEST) != 0, status);
}

/* Adds a step for the begin or end of a user region. */
static status_code take_mark(struct divider *divider, const struct program_operation *mark,
                             struct status *status) {
    uint32_t first_value = (uint32_t)divider->rank->value_count;
    FORWARD_IF_ERROR(begin_step(divider, (int64_t)mark->kind, status));
    FORWARD_IF_ERROR(add_word(divider, divider->from->regions[mark->mark.region], status));
    FORWARD_IF_ERROR(
        add_value(divider, SERIES_VALUE_GAP, mark->mark.trace_ps - divider->now_ps, status));
    divider->now_ps = mark->mark.trace_ps;
    divider->record++;
    return end_step(divider, first_value, false, status);
}

static status_code take_operations(struct divider *divider,
                                   const struct program_operation *operations, uint64_t count,
                                   struct status *status) {
    for (uint64_t i = 0; i < count; i++) {
        switch ((program_operation_kind)operations[i].kind) {
        case OPERATION_COMPUTE:
            divider->compute_ps += operations[i].compute.duration_ps;
            break;
        case OPERATION_CALL:
            FORWARD_IF_ERROR(take_call(divider, operations, &i, status));
            break;
        case OPERATION_ENTER:
        case OPERATION_LEAVE:
            FORWARD_IF_ERROR(take_mark(divider, &operations[i], status));
            break;
        case OPERATION_END: {
            uint32_t first_value = (uint32_t)divider->rank->value_count;
            FORWARD_IF_ERROR(begin_step(divider, OPERATION_END, status));
            FORWARD_IF_ERROR(end_step(divider, first_value, false, status));
            break;
        }
        default:
            return refuse(divider, "a schedule of vertices (GOAL)", status);
        }
    }
    return STATUS_OK;
}

static status_code take_rank(struct divider *divider, struct status *status) {
    struct series *series = divider->series;
    const struct program *program = divider->from->program;
    const struct program_rank *rank_entry = &program->ranks[divider->rank_number];
    if (series->assumptions.tests == SERIES_TESTS_ARE_CALLS) {
        divider->wait_slots = program->wait_slots + rank_entry->first_wait_slot;
        return take_operations(divider, program_array(program) + rank_entry->first,
                               rank_entry->count, status);
    }
    struct series_operations operations;
    status_code code =
        series_tested_move(series, divider->from, divider->rank_number, &operations, status);
    divider->wait_slots = operations.slots;
    series->assumptions.test_count += operations.tests;
    if (code == STATUS_OK)
        code = take_operations(divider, operations.list, operations.count, status);
    series_operations_free(&operations);
    return code;
}

/* ---- regions ---- */

/* Adds the regions of a program to the common list, unless other programs have added them, and sets
 * their indices there. */
static status_code take_regions(struct series *series, uint32_t number, struct status *status) {
    struct series_program *from = &series->programs[number];
    const struct program *program = from->program;
    from->regions = memory_new(program->region_count, sizeof *from->regions);
    RETURN_ERROR_IF(from->regions == NULL, status, STATUS_MEMORY, "out of memory for regions");
    const size_t known = series->steps.region_count;
    for (uint32_t i = 0; i < program->region_count; i++) {
        const char *name = program_text(program, program->regions[i].name);
        size_t place = 0;
        while (place < known &&
               (series->steps.regions[place].is_mpi != program->regions[i].is_mpi ||
                strcmp(series_region_name(series, (uint32_t)place), name) != 0))
            place++;
        if (place == known) {
            place = series->steps.region_count;
            FORWARD_IF_ERROR(memory_grow((void **)&series->steps.regions,
                                         &series->steps.region_capacity, place + 1,
                                         sizeof *series->steps.regions, status));
            FORWARD_IF_ERROR(memory_grow((void **)&series->steps.region_programs,
                                         &series->steps.region_program_capacity, place + 1,
                                         sizeof *series->steps.region_programs, status));
            series->steps.regions[place] = program->regions[i];
            series->steps.region_programs[place] = number;
            series->steps.region_count++;
        }
        from->regions[i] = (uint32_t)place;
    }
    return STATUS_OK;
}

void series_steps_forget(struct series *series) {
    for (uint32_t k = 0; k < series->program_count; k++) {
        struct series_program *from = &series->programs[k];
        for (uint32_t r = 0; from->ranks != NULL && r < from->program->rank_count; r++) {
            free(from->ranks[r].steps);
            free(from->ranks[r].values);
            free(from->ranks[r].nodes);
        }
        free(from->ranks);
        free(from->regions);
        from->ranks = NULL;
        from->regions = NULL;
    }
    key_table_free(&series->steps.symbol_index);
    series->steps.symbol_count = series->steps.word_count = series->steps.kind_count =
        series->steps.region_count = 0;
}

static status_code take_program(struct series *series, uint32_t number, struct divider *divider,
                                struct status *status) {
    struct series_program *from = &series->programs[number];
    FORWARD_IF_ERROR(program_make_array(from->program, status));
    from->ranks = memory_new(from->program->rank_count, sizeof *from->ranks);
    RETURN_ERROR_IF(from->ranks == NULL, status, STATUS_MEMORY, "out of memory for ranks");
    for (uint32_t r = 0; r < from->program->rank_count; r++) {
        divider->from = from;
        divider->rank = &from->ranks[r];
        divider->rank_number = r;
        divider->pending_count = divider->own = 0;
        divider->compute_ps = divider->now_ps = 0;
        divider->record = 0;
        FORWARD_IF_ERROR(take_rank(divider, status));
    }
    return series_fold_ranks(series, from, status);
}

status_code series_steps_take(struct series *series, struct status *status) {
    struct divider *divider = memory_new(1, sizeof *divider);
    RETURN_ERROR_IF(divider == NULL, status, STATUS_MEMORY, "out of memory for a series");
    divider->series = series;
    series->assumptions.test_count = 0;
    series->families.leaves_out_idle = false;
    status_code code = STATUS_OK;
    for (uint32_t k = series->program_count; k-- > 0 && code == STATUS_OK;)
        code = take_regions(series, k, status);
    if (series->assumptions.tests != SERIES_TESTS_ARE_CALLS && code == STATUS_OK)
        series_tested_rename(series);
    for (uint32_t k = 0; k < series->program_count && code == STATUS_OK; k++)
        code = take_program(series, k, divider, status);
    free(divider->pending);
    free(divider->spans);
    free(divider);
    return code;
}

/*
 * Call sets. A call set has all calls of some kinds. Two call sets, such as a halo and sums by
 * messages, may follow each other in the same way on all ranks. Ranks with one role in the halo may
 * have different roles in the sums, so that no rule gives the roles of both. So each call set is
 * extrapolated alone, and the two new programs are joined.
 *
 * A kind is the messages of one tag in one communicator, or the collectives of one kind in one
 * communicator. Kinds that share a call or a wait form one class. A run is a sequence of calls of
 * one call set, with no call of the other one between them. Invariant: in all programs of the
 * series, all ranks of a program have equally many runs, all ranks begin with the same call set,
 * and no request is in flight where a run ends.
 */
#include "traces/extrapolate/divisions/series_call_sets.h"

#include "core/memory/memory.h"
#include "traces/extrapolate/output/series_findings.h"
#include "traces/program/content_hash.h"
#include "traces/program/edit/program_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALL_SETS = 2,
    MOST_KINDS = 4096,
    MOST_CLASSES = 8,
    MOST_TRIED = 4, /* divisions of a series */
    MOST_DEPTH = 3  /* of divided series in each other */
};

/* Name of the region around each run in the program of a call set. */
static const char mark_name[] = "call set";

/* A call with the computation before it: operations first to end - 1 of its rank. */
struct set_call {
    uint32_t program, rank, kind;
    uint64_t first, end;
    bool is_last;        /* of its rank */
    bool leaves_pending; /* a request is in flight after it */
};

/* The calls of a series and their kinds. */
struct finder {
    const struct series *series;
    struct set_call *calls; /* in the order of programs, ranks and operations */
    size_t call_count, call_capacity;
    struct key_table kinds; /* [hash of a kind]: its number */
    /* [kind]: a lower kind of the same class; the kind itself: it is the lowest, the root. */
    uint32_t parents[MOST_KINDS];
    bool has_messages[MOST_KINDS]; /* [kind]: it has messages; of a root: its class has some */
    uint32_t kind_count;
    uint32_t *slots; /* [slot]: kind of its request, from 1; 0: no request is in flight */
    size_t slot_capacity;
    size_t pending;                 /* requests in flight */
    uint32_t classes[MOST_CLASSES]; /* the root of each class */
    uint32_t class_count;
};

/* Returns the lowest kind of the class of a kind. */
static uint32_t root_of(const struct finder *finder, uint32_t kind) {
    while (finder->parents[kind] != kind)
        kind = finder->parents[kind];
    return kind;
}

/* Puts two kinds into one class, and sets *own to the other one. KEY_TABLE_NONE in *own: there is
 * no kind yet. */
static void join(struct finder *finder, uint32_t *own, uint32_t other) {
    if (*own != KEY_TABLE_NONE) {
        const uint32_t left = root_of(finder, *own), right = root_of(finder, other);
        finder->parents[left < right ? right : left] = left < right ? left : right;
    }
    *own = other;
}

/* Sets *kind to the kind of a message or collective, which may be new; KEY_TABLE_NONE: there are
 * too many kinds. */
static status_code find_kind(struct finder *finder, const struct series_program *from,
                             const struct program_operation *operation, uint32_t *kind,
                             struct status *status) {
    const struct program *program = from->program;
    const bool is_collective = operation->kind == OPERATION_COLLECTIVE;
    uint64_t key;
    if (is_collective) {
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        key = content_hash_add3(1, from->families[arguments->communicator], arguments->kind, 0);
    } else {
        const struct program_envelope *envelope = &program->envelopes[operation->message.envelope];
        key = content_hash_add3(2, from->families[envelope->communicator], (uint32_t)envelope->tag,
                                0);
    }
    *kind = key_table_find(&finder->kinds, key);
    if (*kind != KEY_TABLE_NONE || finder->kind_count == MOST_KINDS) return STATUS_OK;
    *kind = finder->kind_count++;
    finder->parents[*kind] = *kind;
    finder->has_messages[*kind] = !is_collective;
    return key_table_insert(&finder->kinds, key, *kind, status);
}

static status_code post(struct finder *finder, uint32_t slot, uint32_t kind,
                        struct status *status) {
    if (slot == PROGRAM_NONE) return STATUS_OK;
    const size_t known = finder->slot_capacity;
    FORWARD_IF_ERROR(memory_grow((void **)&finder->slots, &finder->slot_capacity, (size_t)slot + 1,
                                 sizeof *finder->slots, status));
    if (finder->slot_capacity > known)
        memset(finder->slots + known, 0, (finder->slot_capacity - known) * sizeof *finder->slots);
    finder->pending += finder->slots[slot] == 0;
    finder->slots[slot] = kind + 1;
    return STATUS_OK;
}

static void complete(struct finder *finder, uint32_t slot, uint32_t *kind) {
    if (slot >= finder->slot_capacity || finder->slots[slot] == 0) return;
    join(finder, kind, finder->slots[slot] - 1);
    finder->slots[slot] = 0;
    finder->pending--;
}

/* Puts the kind of an operation into the class of *kind, the kind of the call so far. Sets *fits to
 * false if the series is not divided: it has file accesses, tests, user regions or persistent
 * requests, or too many kinds. */
static status_code take_operation(struct finder *finder, const struct series_program *from,
                                  uint32_t rank, const struct program_operation *operation,
                                  uint32_t *kind, bool *fits, struct status *status) {
    const struct program *program = from->program;
    uint32_t own = KEY_TABLE_NONE;
    const uint32_t *slots = program->wait_slots + program->ranks[rank].first_wait_slot;
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_COMPUTE:
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_END:
        return STATUS_OK;
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
    case OPERATION_COLLECTIVE:
        FORWARD_IF_ERROR(find_kind(finder, from, operation, &own, status));
        *fits = own != KEY_TABLE_NONE && (operation->flags & OPERATION_FLAG_SEND_PERSISTENT) == 0;
        if (!*fits) return STATUS_OK;
        join(finder, kind, own);
        return post(finder,
                    operation->kind == OPERATION_COLLECTIVE ? operation->collective.slot
                                                            : operation->message.slot,
                    own, status);
    case OPERATION_WAIT:
        *fits = (operation->flags & OPERATION_FLAG_WAIT_TESTED) == 0;
        for (uint32_t i = 0; i < operation->wait.count; i++)
            complete(finder,
                     operation->wait.count == 1 ? operation->wait.first
                                                : slots[operation->wait.first + i],
                     kind);
        return STATUS_OK;
    default:
        *fits = false;
        return STATUS_OK;
    }
}

/* Lists the calls of a rank. A call without messages and collectives has the kind of the call
 * before it. Sets *fits to false if the rank cannot be divided. */
static status_code list_rank(struct finder *finder, uint32_t number, uint32_t rank, bool *fits,
                             struct status *status) {
    const struct series_program *from = &finder->series->programs[number];
    const struct program_rank *rank_entry = &from->program->ranks[rank];
    uint32_t last = KEY_TABLE_NONE, kind = KEY_TABLE_NONE;
    struct set_call call = {.program = number, .rank = rank};
    if (finder->slot_capacity > 0)
        memset(finder->slots, 0, finder->slot_capacity * sizeof *finder->slots);
    finder->pending = 0;
    for (uint64_t i = 0; i < rank_entry->count && *fits; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(from->program, rank, rank_entry->first + i);
        if (operation.kind == OPERATION_CALL) kind = KEY_TABLE_NONE;
        FORWARD_IF_ERROR(take_operation(finder, from, rank, &operation, &kind, fits, status));
        if (operation.kind != OPERATION_RETURN) continue;
        if (kind == KEY_TABLE_NONE) kind = last;
        *fits = *fits && kind != KEY_TABLE_NONE;
        last = call.kind = kind;
        call.end = i + 1;
        call.leaves_pending = finder->pending > 0;
        FORWARD_IF_ERROR(memory_grow((void **)&finder->calls, &finder->call_capacity,
                                     finder->call_count + 1, sizeof call, status));
        finder->calls[finder->call_count++] = call;
        call.first = i + 1;
    }
    *fits = *fits && last != KEY_TABLE_NONE;
    if (*fits) finder->calls[finder->call_count - 1].is_last = true;
    return STATUS_OK;
}

/* Lists the calls of all ranks, and the classes of their kinds. Sets *fits to whether the ranks can
 * be divided and there are 2 to MOST_CLASSES classes. */
static status_code list_calls(struct finder *finder, bool *fits, struct status *status) {
    const struct series *series = finder->series;
    *fits = true;
    for (uint32_t k = 0; k < series->program_count; k++)
        for (uint32_t r = 0; r < series->programs[k].program->rank_count && *fits; r++)
            FORWARD_IF_ERROR(list_rank(finder, k, r, fits, status));
    for (uint32_t kind = 0; kind < finder->kind_count && *fits; kind++) {
        const uint32_t root = root_of(finder, kind);
        if (finder->has_messages[kind]) finder->has_messages[root] = true;
        if (root != kind) continue;
        *fits = finder->class_count < MOST_CLASSES;
        if (*fits) finder->classes[finder->class_count++] = kind;
    }
    *fits = *fits && finder->class_count > 1;
    return STATUS_OK;
}

/* Returns the number of the call set, 0 or 1, that a kind belongs to. second: the set of the
 * classes of call set 1 (bit c: class c). */
static uint32_t set_of(const struct finder *finder, uint32_t second, uint32_t kind) {
    uint32_t class = 0;
    while (finder->classes[class] != root_of(finder, kind))
        class ++;
    return second >> class & 1;
}

/* Returns whether both call sets have messages, all ranks of a program have equally many runs, two
 * or more, all ranks begin with the same call set, and no request is in flight where a run ends. */
static bool is_division(const struct finder *finder, uint32_t second) {
    bool has_messages[CALL_SETS] = {false, false};
    uint32_t first = 0, runs = 0, own = 0;
    bool is_first = true; /* the rank is the first one of the series */
    bool is_new = false;  /* the rank is the first one of its program */
    for (uint32_t c = 0; c < finder->class_count; c++)
        if (finder->has_messages[finder->classes[c]]) has_messages[second >> c & 1] = true;
    if (!has_messages[0] || !has_messages[1]) return false;
    for (size_t i = 0; i < finder->call_count; i++) {
        const struct set_call *call = &finder->calls[i];
        const uint32_t set = set_of(finder, second, call->kind);
        const bool begins_rank = i == 0 || finder->calls[i - 1].is_last;
        is_new = is_new || (i > 0 && finder->calls[i - 1].program != call->program);
        if (begins_rank && is_first) first = set;
        if (begins_rank && set != first) return false;
        own = begins_rank ? 1 : own;
        if (!begins_rank && set != set_of(finder, second, finder->calls[i - 1].kind)) {
            if (finder->calls[i - 1].leaves_pending) return false;
            own++;
        }
        if (!call->is_last) continue;
        if (is_first || is_new) runs = own;
        if (own != runs || runs < 2) return false;
        is_first = is_new = false;
    }
    return runs > 1;
}

/* ---- the programs of a call set ---- */

/* Returns the time in the trace of the end of a call. */
static int64_t end_ps(const struct program *program, const struct set_call *call) {
    return PROGRAM_OPERATION_AT(program, call->rank,
                                program->ranks[call->rank].first + call->end - 1)
        ->mark.trace_ps;
}

/* Copies the runs of a call set on a rank, each in a region. number: the first call of the rank;
 * set to that of the next rank. Times in the copy leave out the runs of the other call set. */
static status_code copy_rank(const struct finder *finder, uint32_t second, uint32_t set,
                             struct program_copy *copy, uint32_t mark, size_t *number,
                             struct status *status) {
    const uint32_t rank = finder->calls[*number].rank;
    bool is_open = false, is_last = false;
    int64_t last_ps = 0, whole_ps = 0; /* when the last call ends: in the copy, in the program */
    program_copy_begin(copy, rank);
    for (; !is_last; ++*number) {
        const struct set_call *call = &finder->calls[*number];
        const bool is_own = set_of(finder, second, call->kind) == set;
        is_last = call->is_last;
        if (is_own && !is_open) {
            copy->shift_ps = last_ps - whole_ps;
            FORWARD_IF_ERROR(builder_enter(copy->builder, rank, mark, last_ps, status));
        }
        if (!is_own && is_open)
            FORWARD_IF_ERROR(builder_leave(copy->builder, rank, last_ps, status));
        is_open = is_own;
        whole_ps = end_ps(copy->whole, call);
        if (!is_own) continue;
        FORWARD_IF_ERROR(program_copy_operations(copy, rank, call->first, call->end, status));
        last_ps = whole_ps + copy->shift_ps;
    }
    if (is_open) FORWARD_IF_ERROR(builder_leave(copy->builder, rank, last_ps, status));
    const struct set_call *last = &finder->calls[*number - 1];
    if (is_open) /* what follows the last call */
        FORWARD_IF_ERROR(
            program_copy_operations(copy, rank, last->end, copy->whole->ranks[rank].count, status));
    return program_copy_end(copy, rank, status);
}

/* Makes programs[k] from the calls of a call set in program k. The caller frees the programs, also
 * after errors. */
static status_code make_call_set(const struct finder *finder, uint32_t second, uint32_t set,
                                 struct program **programs, struct status *status) {
    const struct series *series = finder->series;
    size_t number = 0;
    for (uint32_t k = 0; k < series->program_count; k++) {
        struct program_copy copy;
        status_code code = program_copy_new(&copy, series->programs[k].program, NULL, status);
        const uint32_t mark =
            code == STATUS_OK ? builder_define_region(copy.builder, mark_name, false) : 0;
        for (uint32_t r = 0; r < copy.whole->rank_count && code == STATUS_OK; r++)
            code = copy_rank(finder, second, set, &copy, mark, &number, status);
        if (code == STATUS_OK)
            code = program_copy_seal(&copy, "", series->config->threads, &programs[k], status);
        program_copy_free(&copy);
        FORWARD_IF_ERROR(code);
    }
    return STATUS_OK;
}

/* ---- the new program ---- */

/* Returns whether two programs have the same communicators. */
static bool has_same_communicators(const struct program *left, const struct program *right) {
    bool same = left->communicator_count == right->communicator_count;
    for (uint32_t i = 0; i < left->communicator_count && same; i++) {
        const struct program_communicator *a = &left->communicators[i];
        const struct program_communicator *b = &right->communicators[i];
        same = a->size == b->size && (a->members == PROGRAM_NONE) == (b->members == PROGRAM_NONE);
        if (same && a->members != PROGRAM_NONE)
            same = memcmp(left->communicator_members + a->members,
                          right->communicator_members + b->members,
                          a->size * sizeof *left->communicator_members) == 0;
    }
    return same;
}

static bool is_mark(const struct program *program, const struct program_operation *operation,
                    program_operation_kind kind) {
    return operation->kind == kind &&
           strcmp(program_text(program, program->regions[operation->mark.region].name),
                  mark_name) == 0;
}

/* Appends the operations of a rank from number *place on, up to the end of the run, without the
 * region around it. *last_ps: the time at which the run begins; set to its end. */
static status_code append_run(struct program_copy *copy, uint32_t rank, uint64_t *place,
                              int64_t *last_ps, struct status *status) {
    const struct program_rank *rank_entry = &copy->whole->ranks[rank];
    for (; *place < rank_entry->count; ++*place) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(copy->whole, rank, rank_entry->first + *place);
        if (is_mark(copy->whole, &operation, OPERATION_LEAVE)) {
            ++*place;
            break;
        }
        if (is_mark(copy->whole, &operation, OPERATION_ENTER)) {
            copy->shift_ps = *last_ps - operation.mark.trace_ps;
            continue;
        }
        FORWARD_IF_ERROR(program_copy_operations(copy, rank, *place, *place + 1, status));
        if (operation.kind == OPERATION_RETURN) *last_ps = operation.mark.trace_ps + copy->shift_ps;
    }
    return STATUS_OK;
}

/* Returns how many runs a rank of a call set has. */
static uint32_t count_marks(const struct program *program, uint32_t rank) {
    uint32_t count = 0;
    for (uint64_t i = 0; i < program->ranks[rank].count; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + i);
        count += is_mark(program, &operation, OPERATION_LEAVE);
    }
    return count;
}

/* Appends the runs of both call sets on a rank in turns. first: the call set that begins. */
static status_code append_rank(struct program_copy copies[CALL_SETS], uint32_t rank, uint32_t first,
                               struct status *status) {
    uint64_t places[CALL_SETS] = {0, 0};
    int64_t last_ps = 0;
    for (uint32_t s = 0; s < CALL_SETS; s++)
        program_copy_begin(&copies[s], rank);
    const uint32_t runs = count_marks(copies[first].whole, rank);
    const uint32_t others = count_marks(copies[1 - first].whole, rank);
    RETURN_ERROR_IF(runs != others && runs != others + 1, status, STATUS_INPUT,
                    "the call sets of rank %u have %u and %u runs", rank, runs, others);
    for (uint32_t s = first; places[0] < copies[0].whole->ranks[rank].count ||
                             places[1] < copies[1].whole->ranks[rank].count;
         s = 1 - s)
        FORWARD_IF_ERROR(append_run(&copies[s], rank, &places[s], &last_ps, status));
    return builder_end_rank(copies[0].builder, rank, status);
}

/* Joins the new programs of the call sets. first: the call set with which ranks begin. */
static status_code join_programs(struct program *const news[CALL_SETS], uint32_t first,
                                 unsigned threads, struct program **program,
                                 struct status *status) {
    struct program_copy copies[CALL_SETS];
    struct program_builder *own = NULL;
    status_code code = program_copy_new(&copies[0], news[0], NULL, status);
    if (code == STATUS_OK)
        code = program_copy_new(&copies[1], news[1], NULL, status);
    else
        copies[1] = (struct program_copy){0};
    if (code == STATUS_OK) {
        own = copies[1].builder;
        copies[1].builder = copies[0].builder;
        for (uint32_t i = 0; i < news[1]->region_count; i++)
            copies[1].regions[i] = builder_define_region(
                copies[0].builder, program_text(news[1], news[1]->regions[i].name),
                news[1]->regions[i].is_mpi != 0);
    }
    for (uint32_t r = 0; r < news[0]->rank_count && code == STATUS_OK; r++)
        code = append_rank(copies, r, first, status);
    if (copies[1].first_ps < copies[0].first_ps) copies[0].first_ps = copies[1].first_ps;
    if (copies[1].last_ps > copies[0].last_ps) copies[0].last_ps = copies[1].last_ps;
    if (code == STATUS_OK) code = program_copy_seal(&copies[0], "", threads, program, status);
    if (own != NULL) copies[1].builder = own;
    program_copy_free(&copies[0]);
    program_copy_free(&copies[1]);
    return code;
}

/* ---- the report ---- */

/* Adds the finding to the report. fewest, runs: of a rank of the smallest and of the largest
 * program.
 */
static status_code add_finding(struct extrapolate_report *report, uint32_t fewest, uint32_t runs,
                               struct status *status) {
    char where[] = "all ranks", law[SERIES_TEXT], fit[] = "exact", to[32] = "";
    if (fewest != runs) snprintf(to, sizeof to, "%u to ", fewest);
    snprintf(law, sizeof law,
             "two, whose calls follow each other in %s%u runs; each is extrapolated alone", to,
             runs);
    const struct extrapolate_finding finding = {
        .subject = "call sets", .where = where, .law = law, .fit = fit, .count = runs};
    return series_finding_add(report, &finding, status);
}

/* ---- the search ---- */

/* Returns how many runs a rank has. first: its first call. */
static uint32_t count_runs(const struct finder *finder, uint32_t second, size_t first) {
    uint32_t runs = 1;
    for (size_t i = first + 1; i < finder->call_count && !finder->calls[i - 1].is_last; i++)
        runs += set_of(finder, second, finder->calls[i].kind) !=
                set_of(finder, second, finder->calls[i - 1].kind);
    return runs;
}

/* Returns the first call of the last rank. */
static size_t first_of_last_rank(const struct finder *finder) {
    size_t first = finder->call_count - 1;
    while (first > 0 && !finder->calls[first - 1].is_last)
        first--;
    return first;
}

/* Extrapolates a call set. The caller frees *new and the report, also after errors. */
static status_code extrapolate_call_set(const struct finder *finder, uint32_t second, uint32_t set,
                                        struct program **new, struct extrapolate_report *report,
                                        struct status *status) {
    const struct series *series = finder->series;
    struct program **programs = memory_new(series->program_count, sizeof *programs);
    RETURN_ERROR_IF(programs == NULL, status, STATUS_MEMORY, "out of memory for a series");
    status_code code = make_call_set(finder, second, set, programs, status);
    if (code == STATUS_OK)
        code = series_extrapolate(new, report, (const struct program *const *)programs,
                                  series->program_count, series->config, series->division_depth + 1,
                                  status);
    for (uint32_t k = 0; k < series->program_count; k++)
        program_free(programs[k]);
    free(programs);
    return code;
}

/* Extrapolates both call sets, and joins the new programs. */
static status_code try_division(struct series *series, const struct finder *finder, uint32_t second,
                                struct program **program, struct status *status) {
    struct program *news[CALL_SETS] = {NULL, NULL};
    struct extrapolate_report reports[CALL_SETS] = {{0}, {0}};
    status_code code = STATUS_OK;
    for (uint32_t s = CALL_SETS; s-- > 0 && code == STATUS_OK;)
        code = extrapolate_call_set(finder, second, s, &news[s], &reports[s], status);
    if (code == STATUS_OK && !has_same_communicators(news[0], news[1]))
        code = status_set(status, STATUS_INPUT, "the call sets have other communicators");
    if (code == STATUS_OK)
        code = join_programs(news, set_of(finder, second, finder->calls[0].kind),
                             series->config->threads, program, status);
    if (code == STATUS_OK)
        code = add_finding(series->findings.report, count_runs(finder, second, 0),
                           count_runs(finder, second, first_of_last_rank(finder)), status);
    for (uint32_t s = 0; s < CALL_SETS; s++) {
        if (code == STATUS_OK)
            code = series_findings_move(series->findings.report, &reports[s], status);
        extrapolate_report_free(&reports[s]);
        program_free(news[s]);
    }
    return code;
}

status_code series_call_sets_find(struct series *series, struct program **program, bool *found,
                                  struct status *status) {
    struct finder *finder = memory_new(1, sizeof *finder);
    bool fits = false;
    *found = false;
    RETURN_ERROR_IF(finder == NULL, status, STATUS_MEMORY, "out of memory for call sets");
    finder->series = series;
    status_code code =
        series->division_depth < MOST_DEPTH ? list_calls(finder, &fits, status) : STATUS_OK;
    uint32_t tried = 0;
    /* Class 0 is in call set 0, so `second` is even. */
    for (uint32_t second = 2; fits && code == STATUS_OK && second < 1u << finder->class_count &&
                              !*found && tried < MOST_TRIED;
         second += 2) {
        struct status other = STATUS_INIT;
        if (!is_division(finder, second)) continue;
        tried++;
        code = try_division(series, finder, second, program, &other);
        *found = code == STATUS_OK;
        if (code != STATUS_OK && code != STATUS_INPUT) {
            *status = other;
            break;
        }
        status_clear(&other);
        code = STATUS_OK;
    }
    key_table_free(&finder->kinds);
    free(finder->calls);
    free(finder->slots);
    free(finder);
    return code;
}

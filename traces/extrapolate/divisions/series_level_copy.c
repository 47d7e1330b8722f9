/*
 * Lists the elements of ranks, and copies operations to other programs. See series_levels.h.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

/* Classes of operations and calls: FINE: all that are not coarse. */
enum { NO_CLASS, FINE, COARSE };

/* The state while the elements of a rank are listed. */
struct lister {
    const struct program *program;
    const struct level_set *set;
    uint8_t *slots; /* [slot]: class of the request in flight; NO_CLASS: none is */
    size_t pending; /* number of requests in flight */
    uint8_t class;  /* of the current element; NO_CLASS: of none of its operations is known */
    bool fits;      /* the rank can be divided so far */
};

/* Returns whether all members of a communicator take part in the coarse levels. */
static bool is_inside(const struct level_set *set, const struct program *program,
                      uint32_t communicator, uint32_t rank) {
    const struct program_communicator *own = &program->communicators[communicator];
    if (set == NULL || own->remote_size > 0) return false;
    for (uint32_t i = 0; i < own->size; i++)
        if (set->coarse_ranks[program_member(program, communicator, i, rank)] == PROGRAM_NONE)
            return false;
    return true;
}

/* Gives the current element a class. It fits only if the element has no other class. */
static void join(struct lister *lister, uint8_t class) {
    if (lister->class != NO_CLASS && lister->class != class) lister->fits = false;
    lister->class = class;
}

static void post(struct lister *lister, uint32_t slot, uint8_t class) {
    join(lister, class);
    if (slot == PROGRAM_NONE) return;
    lister->pending += lister->slots[slot] == NO_CLASS;
    lister->slots[slot] = class;
}

static void complete(struct lister *lister, uint32_t slot) {
    if (lister->slots[slot] == NO_CLASS) return;
    join(lister, lister->slots[slot]);
    lister->slots[slot] = NO_CLASS;
    lister->pending--;
}

/* Returns the class of a message: coarse if its two ranks differ and take part in the coarse
 * levels. */
static uint8_t class_of(const struct lister *lister, uint32_t rank, uint32_t peer) {
    const struct level_set *set = lister->set;
    const bool is_coarse = set != NULL && set->coarse_ranks[rank] != PROGRAM_NONE &&
                           set->coarse_ranks[peer] != PROGRAM_NONE && peer != rank;
    return is_coarse ? COARSE : FINE;
}

/* Adds an operation to the class and the hashes of its element. */
static void take(struct lister *lister, uint32_t rank, const struct program_operation *operation,
                 struct level_element *element) {
    uint64_t *hash = &element->hash, *shape = &element->shape;
    const struct program *program = lister->program;
    const uint32_t *slots = program->wait_slots + program->ranks[rank].first_wait_slot;
    switch ((program_operation_kind)operation->kind) {
    case OPERATION_SEND:
    case OPERATION_RECEIVE: {
        const struct program_envelope *envelope = &program->envelopes[operation->message.envelope];
        const uint32_t remote = program->communicators[envelope->communicator].remote_size;
        lister->fits = lister->fits && remote == 0 && !program_is_one_sided(operation) &&
                       (operation->flags & OPERATION_FLAG_SEND_PERSISTENT) == 0;
        const int32_t tag =
            lister->set == NULL || lister->set->tags == NULL
                ? envelope->tag
                : series_level_tag(lister->set->tags, lister->set->other_tags, envelope->tag);
        *hash = content_hash_add3(*hash, operation->kind, (uint32_t)tag, 0);
        *shape = content_hash_add(*shape, operation->kind);
        post(lister, operation->message.slot, class_of(lister, rank, operation->message.peer));
        return;
    }
    case OPERATION_COLLECTIVE: {
        const struct program_collective_arguments *arguments =
            &program->collective_arguments[operation->collective.arguments];
        const uint32_t communicator = arguments->communicator;
        lister->fits = lister->fits && program->communicators[communicator].remote_size == 0;
        *hash = content_hash_add3(*hash, operation->kind, arguments->kind, 1);
        *shape = content_hash_add3(*shape, operation->kind, arguments->kind, 1);
        post(lister, operation->collective.slot,
             is_inside(lister->set, program, communicator, rank) ? COARSE : FINE);
        return;
    }
    case OPERATION_WAIT:
        lister->fits = lister->fits && (operation->flags & OPERATION_FLAG_WAIT_TESTED) == 0;
        *hash = content_hash_add3(*hash, operation->kind, operation->wait.count, 0);
        *shape = content_hash_add3(*shape, operation->kind, operation->wait.count, 0);
        for (uint32_t i = 0; i < operation->wait.count; i++)
            complete(lister, operation->wait.count == 1 ? operation->wait.first
                                                        : slots[operation->wait.first + i]);
        return;
    case OPERATION_CALL:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        *shape = *hash = content_hash_text(
            operation->kind, program_text(program, program->regions[operation->mark.region].name));
        if (operation->kind != OPERATION_CALL) join(lister, FINE);
        return;
    case OPERATION_COMPUTE:
    case OPERATION_RETURN:
    case OPERATION_END:
        return;
    default:
        lister->fits = false;
    }
}

static status_code append(struct level_rank *list, const struct level_element *element,
                          struct status *status) {
    FORWARD_IF_ERROR(memory_grow((void **)&list->elements, &list->capacity, list->count + 1,
                                 sizeof *element, status));
    const struct level_element *last = list->count > 0 ? &list->elements[list->count - 1] : NULL;
    list->runs += element->is_coarse && (last == NULL || !last->is_coarse);
    list->elements[list->count++] = *element;
    return STATUS_OK;
}

status_code series_level_rank_list(struct level_rank *elements, const struct program *program,
                                   uint32_t rank, const struct level_set *set, bool *fits,
                                   struct status *status) {
    const struct program_rank *entry = &program->ranks[rank];
    struct lister lister = {.program = program, .set = set, .fits = true};
    lister.slots = memory_new(entry->slot_count, sizeof *lister.slots);
    RETURN_ERROR_IF(lister.slots == NULL, status, STATUS_MEMORY, "out of memory for requests");
    struct level_element element = {0};
    uint8_t last = FINE;
    status_code code = STATUS_OK;
    elements->count = elements->runs = 0;
    for (uint64_t i = 0; i < entry->count && lister.fits && code == STATUS_OK; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(program, rank, entry->first + i);
        take(&lister, rank, &operation, &element);
        if (operation.kind != OPERATION_RETURN && operation.kind != OPERATION_ENTER &&
            operation.kind != OPERATION_LEAVE)
            continue;
        const uint8_t class = lister.class == NO_CLASS ? last : lister.class;
        if (class != last && elements->count > 0 &&
            elements->elements[elements->count - 1].leaves_pending)
            lister.fits = false;
        element.end = i + 1;
        element.end_ps = operation.mark.trace_ps;
        element.is_coarse = class == COARSE;
        element.leaves_pending = lister.pending > 0;
        code = append(elements, &element, status);
        element = (struct level_element){.first = i + 1};
        last = class;
        lister.class = NO_CLASS;
    }
    free(lister.slots);
    *fits = lister.fits;
    return code;
}

/* ---- copies ---- */

status_code series_level_copy_begin(struct level_copy *copy, const struct program *from,
                                    struct program_builder *builder, struct status *status) {
    *copy = (struct level_copy){.from = from, .builder = builder};
    copy->communicators = memory_new(from->communicator_count, sizeof *copy->communicators);
    copy->regions = memory_new(from->region_count, sizeof *copy->regions);
    uint64_t slots = 1;
    for (uint32_t r = 0; r < from->rank_count; r++)
        slots = from->ranks[r].slot_count > slots ? from->ranks[r].slot_count : slots;
    copy->in_flight = memory_new(slots, sizeof *copy->in_flight);
    copy->waited = memory_new(slots, sizeof *copy->waited);
    RETURN_ERROR_IF(copy->communicators == NULL || copy->regions == NULL ||
                        copy->in_flight == NULL || copy->waited == NULL || builder == NULL,
                    status, STATUS_MEMORY, "out of memory for a part of a program");
    for (uint32_t i = 0; i < from->region_count; i++)
        copy->regions[i] = builder_define_region(builder, program_text(from, from->regions[i].name),
                                                 from->regions[i].is_mpi != 0);
    return STATUS_OK;
}

status_code series_level_copy_topology(struct level_copy *copy, uint32_t communicator,
                                       uint32_t index, struct status *status) {
    const struct program *from = copy->from;
    for (uint32_t i = 0; i < from->topology_count; i++) {
        const struct program_topology *own = &from->topologies[i];
        if (own->communicator == communicator)
            return builder_define_topology(copy->builder, index, (program_topology_kind)own->kind,
                                           from->topology_numbers + own->first, own->count, status);
    }
    return STATUS_OK;
}

void series_level_copy_free(struct level_copy *copy) {
    free(copy->communicators);
    free(copy->regions);
    free(copy->in_flight);
    free(copy->waited);
}

static uint32_t rank_of(const struct level_copy *copy, uint32_t rank) {
    return copy->ranks == NULL ? rank : copy->ranks[rank];
}

/* Returns which member of communicator `other` is the rank that the root of `communicator` becomes;
 * PROGRAM_NONE: it is no member. root: number of a member. rank: the caller of the collective. */
static uint32_t root_in(const struct level_copy *copy, uint32_t communicator, uint32_t other,
                        uint32_t root, uint32_t rank) {
    const uint32_t wanted = rank_of(copy, program_member(copy->from, communicator, root, rank));
    const uint32_t size = copy->from->communicators[other].size;
    for (uint32_t i = 0; i < size; i++)
        if (program_member(copy->from, other, i, rank) == wanted) return i;
    return PROGRAM_NONE;
}

/* Appends a message. place: its number among the operations of the rank. kind: hash of its call and
 * operation. */
static status_code append_message(const struct level_copy *copy, uint32_t rank, uint64_t place,
                                  const struct program_operation *operation, uint64_t kind,
                                  struct status *status) {
    const struct program_envelope *envelope = &copy->from->envelopes[operation->message.envelope];
    int32_t tag = envelope->tag;
    uint64_t bytes = operation->bytes;
    if (copy->communicators[envelope->communicator] == PROGRAM_NONE)
        return status_set(status, STATUS_INPUT, "a message has no communicator");
    if (copy->tags != NULL) tag = series_level_tag(copy->tags, copy->other_tags, tag);
    if (copy->likeness != NULL &&
        !series_level_likeness_message(copy->likeness, kind, &tag, &bytes))
        return status_set(status, STATUS_INPUT, "no rule gives a message of a coarse level");
    return (operation->kind == OPERATION_SEND ? builder_send : builder_receive)(
        copy->builder, rank_of(copy, rank), copy->communicators[envelope->communicator],
        rank_of(copy, operation->message.peer), tag, bytes, operation->flags,
        copy->requests + place + 1, status);
}

/* Does the same for a collective. */
static status_code append_collective(const struct level_copy *copy, uint32_t rank, uint64_t place,
                                     const struct program_operation *operation, uint64_t kind,
                                     struct status *status) {
    struct program_collective_arguments arguments =
        copy->from->collective_arguments[operation->collective.arguments];
    const uint32_t other = copy->communicators[arguments.communicator];
    if (other == PROGRAM_NONE)
        return status_set(status, STATUS_INPUT, "a collective has no communicator");
    if (copy->moves_roots && arguments.root != PROGRAM_NONE)
        arguments.root = root_in(copy, arguments.communicator, other, arguments.root, rank);
    arguments.communicator = other;
    if (copy->likeness != NULL &&
        !(series_level_likeness_collective(copy->likeness, kind, arguments.kind,
                                           &arguments.send_bytes) &&
          series_level_likeness_collective(copy->likeness, kind, arguments.kind,
                                           &arguments.receive_bytes)))
        return status_set(status, STATUS_INPUT, "no rule gives a collective of a coarse level");
    const bool is_blocking = (operation->flags & OPERATION_FLAG_COLLECTIVE_BLOCKING) != 0;
    FORWARD_IF_ERROR(
        builder_collective(copy->builder, rank_of(copy, rank), &arguments,
                           operation->flags & (unsigned)~OPERATION_FLAG_COLLECTIVE_BLOCKING,
                           is_blocking ? BUILDER_NO_REQUEST : copy->requests + place + 1, status));
    uint32_t count = 0;
    const uint64_t *row = program_bytes_to_members(copy->from, operation, rank, &count);
    if (row != NULL && copy->moves_roots)
        return status_set(status, STATUS_INPUT, "sizes to members have an order");
    if (row != NULL && copy->likeness == NULL)
        return builder_set_bytes_to_members(copy->builder, rank_of(copy, rank), row, count, status);
    return row != NULL || operation->element_bytes == 0
               ? STATUS_OK
               : builder_set_element(copy->builder, rank_of(copy, rank), operation->element_bytes,
                                     status);
}

status_code series_level_copy_operations(struct level_copy *copy, uint32_t rank, uint64_t first,
                                         uint64_t end, struct status *status) {
    const struct program *from = copy->from;
    struct program_builder *builder = copy->builder;
    const uint32_t own = rank_of(copy, rank);
    uint64_t kind = 0;
    status_code code = STATUS_OK;
    for (uint64_t i = first; i < end && code == STATUS_OK; i++) {
        const struct program_operation operation =
            *PROGRAM_OPERATION_AT(from, rank, from->ranks[rank].first + i);
        const uint32_t *list = from->wait_slots + from->ranks[rank].first_wait_slot;
        const int64_t trace_ps = operation.mark.trace_ps + copy->shift_ps;
        uint32_t count = 0;
        if (program_is_mark(&operation) && trace_ps > copy->latest_ps) copy->latest_ps = trace_ps;
        switch ((program_operation_kind)operation.kind) {
        case OPERATION_COMPUTE:
            code = builder_compute(builder, own,
                                   copy->likeness == NULL
                                       ? operation.compute.duration_ps
                                       : series_level_likeness_computation(
                                             copy->likeness, operation.compute.duration_ps),
                                   status);
            break;
        case OPERATION_SEND:
        case OPERATION_RECEIVE:
            if (copy->drops && rank_of(copy, operation.message.peer) == PROGRAM_NONE) break;
            if (operation.message.slot != PROGRAM_NONE)
                copy->in_flight[operation.message.slot] = copy->requests + i + 1;
            code = append_message(copy, rank, i, &operation, content_hash_add(kind, operation.kind),
                                  status);
            break;
        case OPERATION_COLLECTIVE:
            if (operation.collective.slot != PROGRAM_NONE)
                copy->in_flight[operation.collective.slot] = copy->requests + i + 1;
            code = append_collective(copy, rank, i, &operation,
                                     content_hash_add(kind, operation.kind), status);
            break;
        case OPERATION_WAIT:
            for (uint32_t w = 0; w < operation.wait.count; w++) {
                const uint64_t request =
                    copy->in_flight[operation.wait.count == 1 ? operation.wait.first
                                                              : list[operation.wait.first + w]];
                if (request != LEVEL_DROPPED) copy->waited[count++] = request;
            }
            if (count > 0 || !copy->drops)
                code = builder_wait(builder, own, copy->waited, count, status);
            break;
        case OPERATION_CALL:
            kind =
                content_hash_text(0, program_text(from, from->regions[operation.mark.region].name));
            code = builder_call(builder, own, copy->regions[operation.mark.region],
                                operation.record, trace_ps, status);
            break;
        case OPERATION_RETURN:
            code = builder_return(builder, own, trace_ps, false, status);
            break;
        case OPERATION_ENTER:
            code =
                builder_enter(builder, own, copy->regions[operation.mark.region], trace_ps, status);
            break;
        case OPERATION_LEAVE:
            code = builder_leave(builder, own, trace_ps, status);
            break;
        default:
            break;
        }
    }
    return code;
}

status_code series_level_copy_seal(const struct level_copy *copy, unsigned threads,
                                   struct program **program, struct status *status) {
    const struct program *from = copy->from;
    builder_copy_notes(copy->builder, from);
    builder_set_source(copy->builder, program_text(from, from->source),
                       program_text(from, from->creator), from->event_count, from->location_count,
                       copy->latest_ps);
    return builder_seal(copy->builder, threads, program, status);
}

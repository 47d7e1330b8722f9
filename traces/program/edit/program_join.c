/*
 * Joins programs. Every table of the joined program holds the tables of the parts one after
 * another, so each index of a part increases by the number of elements in the parts before. See
 * program_join.h.
 */
#include "traces/program/edit/program_join.h"

#include "core/memory/memory.h"
#include "core/memory/paging.h"
#include "traces/program/content_hash.h"

#include <string.h>

/* Numbers of elements before a part in each table. */
struct bases {
    uint64_t operation, wait_slot, size, pair_row, pair_byte, member, topology_number, string;
    uint64_t rank, argument, communicator, topology, envelope, region, file, note;
};

static void add_part(struct bases *bases, const struct program *part) {
    bases->operation += part->operation_count;
    bases->wait_slot += part->wait_slot_count;
    bases->size += part->size_count;
    bases->pair_row += part->pair_row_count;
    bases->pair_byte += part->pair_byte_count;
    bases->member += part->communicator_member_count;
    bases->topology += part->topology_count;
    bases->topology_number += part->topology_number_count;
    bases->string += part->string_bytes;
    bases->rank += part->rank_count;
    bases->argument += part->collective_argument_count;
    bases->communicator += part->communicator_count;
    bases->envelope += part->envelope_count;
    bases->region += part->region_count;
    bases->file += part->file_count;
    bases->note += part->note_count;
}

/* Returns the bytes of the new texts: the lists of the parts' sources and creators, without their
 * final zeros. */
static size_t about_bytes(const struct program *const *parts, uint32_t count) {
    const size_t separator = 2; /* bytes between two parts of a list */
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += strlen(program_text(parts[i], parts[i]->source)) +
                 strlen(program_text(parts[i], parts[i]->creator)) + 2 * separator;
    return bytes;
}

/* Refuses jobs of which some count does not fit into the 32 bits of its indices. Operations, wait
 * slots and numbers of topologies have indices of 64 bits. */
static status_code check_limits(const struct bases *all, size_t more_string_bytes,
                                struct status *status) {
    const uint64_t counts[] = {all->rank,
                               all->argument,
                               all->communicator,
                               all->topology,
                               all->region,
                               all->file,
                               all->envelope,
                               all->size,
                               all->note,
                               all->member,
                               all->pair_row,
                               all->pair_byte,
                               all->string + more_string_bytes};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        RETURN_ERROR_IF(counts[i] >= PROGRAM_NONE, status, STATUS_INPUT,
                        "these jobs are too large to run at once: together they have %llu ranks, "
                        "%llu communicators and %llu bytes of names",
                        (unsigned long long)all->rank, (unsigned long long)all->communicator,
                        (unsigned long long)all->string);
    return STATUS_OK;
}

/* Operations lie where those of `like` do. */
static status_code allocate_operations(struct program *joined, const struct program *like,
                                       const struct bases *all, struct status *status) {
    if (like->paging != NULL) {
        joined->paging = paging_new_like(like->paging);
        RETURN_ERROR_IF(joined->paging == NULL, status, STATUS_MEMORY, "out of memory for jobs");
    }
    FORWARD_IF_ERROR(paging_resize(joined->paging, (void **)&joined->operations, 0,
                                   (size_t)all->operation * sizeof *joined->operations, status));
    return paging_resize(joined->paging, (void **)&joined->wait_slots, 0,
                         (size_t)all->wait_slot * sizeof *joined->wait_slots, status);
}

static bool allocate_joined(struct program *joined, const struct bases *all, size_t string_bytes) {
    joined->ranks = memory_new((size_t)all->rank, sizeof *joined->ranks);
    joined->collective_arguments =
        memory_new((size_t)all->argument, sizeof *joined->collective_arguments);
    joined->sizes = memory_new((size_t)all->size, sizeof *joined->sizes);
    joined->pair_rows = memory_new((size_t)all->pair_row, sizeof *joined->pair_rows);
    joined->pair_bytes = memory_new((size_t)all->pair_byte, sizeof *joined->pair_bytes);
    joined->communicators = memory_new((size_t)all->communicator, sizeof *joined->communicators);
    joined->communicator_members =
        memory_new((size_t)all->member, sizeof *joined->communicator_members);
    joined->topologies = memory_new((size_t)all->topology, sizeof *joined->topologies);
    joined->topology_numbers =
        memory_new((size_t)all->topology_number, sizeof *joined->topology_numbers);
    joined->envelopes = memory_new((size_t)all->envelope, sizeof *joined->envelopes);
    joined->regions = memory_new((size_t)all->region, sizeof *joined->regions);
    joined->files = memory_new((size_t)all->file, sizeof *joined->files);
    joined->notes = memory_new((size_t)all->note, sizeof *joined->notes);
    joined->strings = memory_new(string_bytes, 1);
    return joined->ranks && joined->collective_arguments && joined->sizes && joined->pair_rows &&
           joined->pair_bytes && joined->communicators && joined->communicator_members &&
           joined->topologies && joined->topology_numbers && joined->envelopes && joined->regions &&
           joined->files && joined->notes && joined->strings;
}

static uint32_t moved(uint32_t index, uint64_t base) {
    return index == PROGRAM_NONE ? PROGRAM_NONE : index + (uint32_t)base;
}

static struct program_operation moved_operation(const struct program *part,
                                                struct program_operation operation,
                                                const struct bases *before) {
    switch ((program_operation_kind)operation.kind) {
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        operation.mark.region = moved(operation.mark.region, before->region);
        break;
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        operation.message.peer = moved(operation.message.peer, before->rank);
        operation.message.envelope = moved(operation.message.envelope, before->envelope);
        break;
    case OPERATION_COLLECTIVE:
        if (operation.pair_row_plus_1 > 0 &&
            program_is_paired(part->collective_arguments[operation.collective.arguments].kind))
            operation.pair_row_plus_1 =
                (operation.pair_row_plus_1 + before->pair_row) & (PROGRAM_BYTES_LIMIT - 1);
        operation.collective.arguments = moved(operation.collective.arguments, before->argument);
        operation.collective.sizes = moved(operation.collective.sizes, before->size);
        break;
    case OPERATION_FILE: /* each part keeps files of its own */
        operation.file.index = moved(operation.file.index, before->file);
        break;
    case OPERATION_COMPUTE:
    case OPERATION_WAIT: /* slots belong to the rank */
    case OPERATION_VERTEX:
    case OPERATION_END:
        break;
    }
    return operation;
}

static void copy_ranks(struct program *joined, const struct program *part,
                       const struct bases *before) {
    for (uint32_t i = 0; i < part->rank_count; i++) {
        struct program_rank *rank = &joined->ranks[before->rank + i];
        *rank = part->ranks[i];
        rank->first += before->operation;
        rank->first_wait_slot += before->wait_slot;
    }
    enum { EVICT_EVERY = 1 << 20 }; /* operations between two evictions of pages */
    struct program_walk walk = {0};
    for (uint64_t i = 0; program_walk_next(part, &walk); i++) {
        joined->operations[before->operation + i] = moved_operation(part, *walk.operation, before);
        if (i % EVICT_EVERY == 0) paging_evict(joined->paging);
    }
    if (part->wait_slot_count > 0)
        memcpy(joined->wait_slots + before->wait_slot, part->wait_slots,
               (size_t)part->wait_slot_count * sizeof *part->wait_slots);
}

static void copy_communicators(struct program *joined, const struct program *part,
                               const struct bases *before) {
    for (uint32_t i = 0; i < part->communicator_count; i++) {
        struct program_communicator *communicator =
            &joined->communicators[before->communicator + i];
        *communicator = part->communicators[i];
        communicator->members = moved(communicator->members, before->member);
        communicator->remote_members = moved(communicator->remote_members, before->member);
        communicator->name += (uint32_t)before->string;
    }
    for (uint64_t i = 0; i < part->communicator_member_count; i++)
        joined->communicator_members[before->member + i] =
            moved(part->communicator_members[i], before->rank);
    for (uint32_t i = 0; i < part->envelope_count; i++) {
        struct program_envelope *envelope = &joined->envelopes[before->envelope + i];
        *envelope = part->envelopes[i];
        envelope->communicator = moved(envelope->communicator, before->communicator);
    }
    for (uint32_t i = 0; i < part->collective_argument_count; i++) {
        struct program_collective_arguments *arguments =
            &joined->collective_arguments[before->argument + i];
        *arguments = part->collective_arguments[i];
        arguments->communicator = moved(arguments->communicator, before->communicator);
    }
    for (uint64_t i = 0; i < part->pair_row_count; i++)
        joined->pair_rows[before->pair_row + i] = part->pair_rows[i] + before->pair_byte;
    if (part->pair_byte_count > 0)
        memcpy(joined->pair_bytes + before->pair_byte, part->pair_bytes,
               (size_t)part->pair_byte_count * sizeof *part->pair_bytes);
    if (part->size_count > 0)
        memcpy(joined->sizes + before->size, part->sizes,
               (size_t)part->size_count * sizeof *part->sizes);
}

static void copy_topologies(struct program *joined, const struct program *part,
                            const struct bases *before) {
    for (uint32_t i = 0; i < part->topology_count; i++) {
        struct program_topology *topology = &joined->topologies[before->topology + i];
        *topology = part->topologies[i];
        topology->communicator = moved(topology->communicator, before->communicator);
        topology->first += before->topology_number;
    }
    if (part->topology_number_count > 0)
        memcpy(joined->topology_numbers + before->topology_number, part->topology_numbers,
               (size_t)part->topology_number_count * sizeof *part->topology_numbers);
}

/* Returns the note with the same texts, or a new one. */
static struct program_note *same_note(struct program *joined, const struct program *part,
                                      const struct program_note *note) {
    for (uint32_t i = 0; i < joined->note_count; i++) {
        struct program_note *other = &joined->notes[i];
        if (strcmp(program_text(joined, other->what), program_text(part, note->what)) == 0 &&
            strcmp(program_text(joined, other->why), program_text(part, note->why)) == 0)
            return other;
    }
    return &joined->notes[joined->note_count++];
}

static void copy_texts(struct program *joined, const struct program *part,
                       const struct bases *before) {
    memcpy(joined->strings + before->string, part->strings, (size_t)part->string_bytes);
    for (uint32_t i = 0; i < part->region_count; i++) {
        struct program_region *region = &joined->regions[before->region + i];
        *region = part->regions[i];
        region->name += (uint32_t)before->string;
    }
    for (uint32_t i = 0; i < part->file_count; i++)
        joined->files[before->file + i].name = part->files[i].name + (uint32_t)before->string;
    for (uint32_t i = 0; i < part->note_count; i++) {
        struct program_note *note = same_note(joined, part, &part->notes[i]);
        uint64_t count = note->count + part->notes[i].count;
        *note = part->notes[i];
        note->what += (uint32_t)before->string;
        note->why += (uint32_t)before->string;
        note->count = count;
    }
}

/* Adds a list such as "a.otf2, b.otf2" and returns its offset. A creator equal to the one before is
 * left out. */
static uint32_t add_list(struct program *joined, const struct program *const *parts, uint32_t count,
                         bool creators) {
    uint32_t start = (uint32_t)joined->string_bytes;
    const char *last = "";
    for (uint32_t i = 0; i < count; i++) {
        const struct program *part = parts[i];
        const char *text = program_text(part, creators ? part->creator : part->source);
        if (creators && i > 0 && strcmp(text, last) == 0) continue;
        if (i > 0) {
            memcpy(joined->strings + joined->string_bytes, ", ", 2);
            joined->string_bytes += 2;
        }
        memcpy(joined->strings + joined->string_bytes, text, strlen(text));
        joined->string_bytes += strlen(text);
        last = text;
    }
    joined->string_bytes++; /* the final 0; the memory is zeroed */
    return start;
}

static void fill_joined(struct program *joined, const struct program *const *parts,
                        uint32_t count) {
    struct bases before = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct program *part = parts[i];
        copy_ranks(joined, part, &before);
        copy_communicators(joined, part, &before);
        copy_topologies(joined, part, &before);
        copy_texts(joined, part, &before);
        add_part(&before, part);
        joined->event_count += part->event_count;
        joined->location_count += part->location_count;
        if (part->span_ps > joined->span_ps) joined->span_ps = part->span_ps;
        joined->unmatched_sends += part->unmatched_sends;
        joined->unmatched_receives += part->unmatched_receives;
        joined->content_hash = content_hash_add(joined->content_hash, part->content_hash);
    }
    joined->rank_count = (uint32_t)before.rank;
    joined->operation_count = before.operation;
    joined->wait_slot_count = before.wait_slot;
    joined->collective_argument_count = (uint32_t)before.argument;
    joined->size_count = before.size;
    joined->pair_row_count = before.pair_row;
    joined->pair_byte_count = before.pair_byte;
    joined->communicator_count = (uint32_t)before.communicator;
    joined->communicator_member_count = before.member;
    joined->envelope_count = (uint32_t)before.envelope;
    joined->region_count = (uint32_t)before.region;
    joined->topology_count = (uint32_t)before.topology;
    joined->topology_number_count = before.topology_number;
    joined->file_count = (uint32_t)before.file;
    joined->string_bytes = before.string;
    joined->source = add_list(joined, parts, count, false);
    joined->creator = add_list(joined, parts, count, true);
}

status_code program_join(struct program **made, const struct program *const *parts, uint32_t count,
                         struct status *status) {
    struct bases all = {0};
    for (uint32_t i = 0; i < count; i++)
        add_part(&all, parts[i]);
    size_t more = about_bytes(parts, count) + 2; /* final zeros of the two lists */
    FORWARD_IF_ERROR(check_limits(&all, more, status));
    struct program *joined = memory_new(1, sizeof *joined);
    if (joined != NULL && allocate_operations(joined, parts[0], &all, status) != STATUS_OK) {
        program_free(joined);
        return status->code;
    }
    if (joined == NULL || !allocate_joined(joined, &all, (size_t)all.string + more)) {
        program_free(joined);
        return status_set(status, STATUS_MEMORY, "out of memory for %llu ranks of %u jobs",
                          (unsigned long long)all.rank, count);
    }
    fill_joined(joined, parts, count);
    *made = joined;
    return STATUS_OK;
}

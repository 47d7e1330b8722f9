/*
 * Phase 1 of building a program: strings, regions, communicators, notes. Must not know where they
 * come from. Invariant: equal strings, regions and groups are stored once.
 */
#include "core/memory/memory.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/content_hash.h"

#include <stdlib.h>
#include <string.h>

static status_code add_string(struct program_builder *builder, const char *text, uint32_t *offset,
                              struct status *status) {
    struct program *program = builder->program;
    uint64_t hash = content_hash_text(0, text);
    for (;; hash++) {
        *offset = key_table_find(&builder->string_index, hash);
        if (*offset == KEY_TABLE_NONE) break;
        if (strcmp(program->strings + *offset, text) == 0) return STATUS_OK;
    }
    size_t size = strlen(text) + 1;
    RETURN_ERROR_IF(program->string_bytes + size >= PROGRAM_NONE, status, STATUS_INPUT,
                    "more than 4 GB of names");
    FORWARD_IF_ERROR(memory_grow((void **)&program->strings, &builder->string_capacity,
                                 program->string_bytes + size, 1, status));
    *offset = (uint32_t)program->string_bytes;
    FORWARD_IF_ERROR(key_table_insert(&builder->string_index, hash, *offset, status));
    memcpy(program->strings + *offset, text, size);
    program->string_bytes += size;
    return STATUS_OK;
}

struct program_builder *builder_new(uint32_t rank_count, struct status *status) {
    if (rank_count == 0 || rank_count == PROGRAM_NONE) {
        status_set(status, STATUS_USAGE, "a program needs 1 to %u ranks", PROGRAM_NONE - 1);
        return NULL;
    }
    struct program_builder *builder = memory_new(1, sizeof *builder);
    if (builder != NULL) {
        pthread_mutex_init(&builder->note_lock, NULL);
        pthread_mutex_init(&builder->places.lock, NULL);
        pthread_rwlock_init(&builder->places.moving, NULL);
        builder->program = memory_new(1, sizeof *builder->program);
        builder->ranks = memory_new(rank_count, sizeof *builder->ranks);
    }
    uint32_t empty;
    if (builder == NULL || builder->program == NULL || builder->ranks == NULL ||
        add_string(builder, "", &empty, NULL) != STATUS_OK ||
        builder_places_new(builder, rank_count, NULL) != STATUS_OK) {
        builder_free(builder);
        status_set(status, STATUS_MEMORY, "out of memory for a program of %u ranks", rank_count);
        return NULL;
    }
    return builder;
}

void builder_set_paging(struct program_builder *builder, struct paging *paging) {
    builder->program->paging = builder->places.posted.paging = paging;
}

void builder_free(struct program_builder *builder) {
    if (builder == NULL) return;
    if (builder->program != NULL && builder->ranks != NULL)
        for (uint32_t rank = 0; rank < builder->program->rank_count; rank++)
            builder_rank_clear(&builder->ranks[rank]);
    for (size_t i = 0; i < builder->note_count; i++) {
        free(builder->notes[i].what);
        free(builder->notes[i].why);
    }
    builder_places_free(builder);
    free(builder->notes);
    free(builder->ranks);
    free(builder->members_sorted);
    key_table_free(&builder->string_index);
    key_table_free(&builder->region_index);
    key_table_free(&builder->file_index);
    key_table_free(&builder->group_index);
    program_free(builder->program);
    pthread_mutex_destroy(&builder->note_lock);
    free(builder);
}

uint32_t builder_define_string(struct program_builder *builder, const char *text) {
    uint32_t offset = 0;
    status_code code = add_string(builder, text, &offset, NULL);
    if (code != STATUS_OK) {
        builder->failed = code;
        return 0;
    }
    return offset;
}

uint32_t builder_define_region(struct program_builder *builder, const char *name, bool is_mpi) {
    struct program *program = builder->program;
    struct program_region region = {builder_define_string(builder, name), is_mpi};
    uint64_t key = (uint64_t)region.name << 1 | is_mpi;
    uint32_t index = key_table_find(&builder->region_index, key);
    if (index != KEY_TABLE_NONE) return index;
    index = program->region_count;
    status_code code = memory_grow((void **)&program->regions, &builder->region_capacity,
                                   (size_t)index + 1, sizeof region, NULL);
    if (code == STATUS_OK) code = key_table_insert(&builder->region_index, key, index, NULL);
    if (code != STATUS_OK) {
        builder->failed = code;
        return 0;
    }
    program->regions[index] = region;
    program->region_count++;
    return index;
}

uint32_t builder_define_file(struct program_builder *builder, const char *name) {
    struct program *program = builder->program;
    const struct program_file file = {builder_define_string(builder, name)};
    uint32_t index = key_table_find(&builder->file_index, file.name);
    if (index != KEY_TABLE_NONE) return index;
    index = program->file_count;
    status_code code = memory_grow((void **)&program->files, &builder->file_capacity,
                                   (size_t)index + 1, sizeof file, NULL);
    if (code == STATUS_OK) code = key_table_insert(&builder->file_index, file.name, index, NULL);
    if (code != STATUS_OK) {
        builder->failed = code;
        return 0;
    }
    program->files[index] = file;
    program->file_count++;
    return index;
}

/* Sorts member numbers by world rank with a bottom-up merge sort. Groups come from files, so the
 * worst case must not be quadratic. */
static void sort_numbers(uint32_t *numbers, uint32_t *scratch, const uint32_t *members,
                         uint32_t size) {
    for (size_t width = 1; width < size; width *= 2) {
        for (size_t start = 0; start < size; start += 2 * width) {
            size_t middle = start + width < size ? start + width : size;
            size_t end = start + 2 * width < size ? start + 2 * width : size;
            size_t left = start, right = middle;
            for (size_t to = start; to < end; to++) {
                bool from_left = right == end || (left < middle && members[numbers[left]] <=
                                                                       members[numbers[right]]);
                scratch[to] = numbers[from_left ? left++ : right++];
            }
        }
        memcpy(numbers, scratch, size * sizeof *numbers);
    }
}

/* Fills `sorted` for a new group. STATUS_INPUT: a rank is a member twice. */
static status_code sort_group(uint32_t *sorted, const uint32_t *members, uint32_t size,
                              struct status *status) {
    uint32_t *scratch = memory_new(size, sizeof *scratch);
    RETURN_ERROR_IF(scratch == NULL, status, STATUS_MEMORY, "out of memory for a group");
    for (uint32_t i = 0; i < size; i++)
        sorted[i] = i;
    sort_numbers(sorted, scratch, members, size);
    free(scratch);
    for (uint32_t i = 1; i < size; i++)
        RETURN_ERROR_IF(members[sorted[i]] == members[sorted[i - 1]], status, STATUS_INPUT,
                        "rank %u is twice in one group", members[sorted[i]]);
    return STATUS_OK;
}

/* Stores a group once. *first: index of its first member. */
static status_code add_group(struct program_builder *builder, const uint32_t *members,
                             uint32_t size, uint32_t *first, struct status *status) {
    struct program *program = builder->program;
    RETURN_ERROR_IF(size == 0, status, STATUS_INPUT, "a group without members");
    for (uint32_t i = 0; i < size; i++)
        RETURN_ERROR_IF(members[i] >= program->rank_count, status, STATUS_INPUT,
                        "rank %u in a group, but the last one is rank %u", members[i],
                        program->rank_count - 1);
    uint64_t hash = content_hash_words32(0, members, size);
    for (;; hash++) {
        *first = key_table_find(&builder->group_index, hash);
        if (*first == KEY_TABLE_NONE) break;
        if (program->communicator_member_count - *first >= size &&
            memcmp(program->communicator_members + *first, members, size * sizeof *members) == 0)
            return STATUS_OK;
    }
    uint64_t count = program->communicator_member_count;
    RETURN_ERROR_IF(count + size >= PROGRAM_NONE, status, STATUS_INPUT,
                    "the communicators have more than %u members together", PROGRAM_NONE);
    FORWARD_IF_ERROR(memory_grow((void **)&program->communicator_members, &builder->member_capacity,
                                 count + size, sizeof *members, status));
    FORWARD_IF_ERROR(memory_grow((void **)&builder->members_sorted, &builder->sorted_capacity,
                                 count + size, sizeof *members, status));
    FORWARD_IF_ERROR(sort_group(builder->members_sorted + count, members, size, status));
    *first = (uint32_t)count;
    FORWARD_IF_ERROR(key_table_insert(&builder->group_index, hash, *first, status));
    memcpy(program->communicator_members + count, members, size * sizeof *members);
    program->communicator_member_count = count + size;
    return STATUS_OK;
}

static status_code add_communicator(struct program_builder *builder, const char *name,
                                    struct program_communicator communicator, uint32_t *index,
                                    struct status *status) {
    struct program *program = builder->program;
    FORWARD_IF_ERROR(add_string(builder, name != NULL ? name : "", &communicator.name, status));
    *index = program->communicator_count;
    RETURN_ERROR_IF(*index == PROGRAM_NONE - 1, status, STATUS_INPUT, "too many communicators");
    FORWARD_IF_ERROR(memory_grow((void **)&program->communicators, &builder->communicator_capacity,
                                 (size_t)*index + 1, sizeof communicator, status));
    communicator.id = *index;
    program->communicators[program->communicator_count++] = communicator;
    return STATUS_OK;
}

void builder_set_communicator_number(struct program_builder *builder, uint32_t index,
                                     uint32_t number) {
    builder->program->communicators[index].id = number;
}

status_code builder_define_communicator(struct program_builder *builder, const char *name,
                                        const uint32_t *members, uint32_t size, uint32_t *index,
                                        struct status *status) {
    struct program_communicator communicator = {.size = size};
    if (add_group(builder, members, size, &communicator.members, status) != STATUS_OK)
        return status_prefix(status, "communicator %s", name != NULL ? name : "");
    return add_communicator(builder, name, communicator, index, status);
}

status_code builder_define_communicator_self(struct program_builder *builder, const char *name,
                                             uint32_t *index, struct status *status) {
    struct program_communicator communicator = {.size = 1, .members = PROGRAM_NONE};
    return add_communicator(builder, name, communicator, index, status);
}

status_code builder_define_intercommunicator(struct program_builder *builder, const char *name,
                                             const uint32_t *local, uint32_t local_size,
                                             const uint32_t *remote, uint32_t remote_size,
                                             uint32_t *index, struct status *status) {
    struct program_communicator communicator = {.size = local_size, .remote_size = remote_size};
    if (add_group(builder, local, local_size, &communicator.members, status) != STATUS_OK ||
        add_group(builder, remote, remote_size, &communicator.remote_members, status) != STATUS_OK)
        return status_prefix(status, "intercommunicator %s", name != NULL ? name : "");
    FORWARD_IF_ERROR(add_communicator(builder, name, communicator, index, status));
    for (uint32_t i = 0; i < remote_size; i++)
        RETURN_ERROR_IF(!builder_find_member(builder, *index, remote[i]).remote, status,
                        STATUS_INPUT, "intercommunicator %s: rank %u is in both groups",
                        name != NULL ? name : "", remote[i]);
    return STATUS_OK;
}

static uint32_t find_in_group(const struct program_builder *builder, uint32_t first, uint32_t size,
                              uint32_t rank) {
    const uint32_t *members = builder->program->communicator_members + first;
    if (rank < size && members[rank] == rank) return rank; /* MPI_COMM_WORLD and its duplicates */
    const uint32_t *sorted = builder->members_sorted + first;
    uint32_t low = 0, high = size;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (members[sorted[middle]] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size && members[sorted[low]] == rank ? sorted[low] : PROGRAM_NONE;
}

struct builder_member builder_find_member(const struct program_builder *builder,
                                          uint32_t communicator, uint32_t rank) {
    const struct program_communicator *c = &builder->program->communicators[communicator];
    if (c->members == PROGRAM_NONE) return (struct builder_member){false, 0};
    uint32_t number = find_in_group(builder, c->members, c->size, rank);
    if (number != PROGRAM_NONE || c->remote_size == 0)
        return (struct builder_member){false, number};
    number = find_in_group(builder, c->remote_members, c->remote_size, rank);
    return (struct builder_member){true, number};
}

void builder_add_note_or_assumption(struct program_builder *builder, const char *what,
                                    const char *why, uint64_t count, bool is_assumed) {
    pthread_mutex_lock(&builder->note_lock);
    size_t i = 0;
    while (i < builder->note_count &&
           (strcmp(builder->notes[i].what, what) != 0 || strcmp(builder->notes[i].why, why) != 0))
        i++;
    if (i == builder->note_count) {
        struct builder_note_text new = {strdup(what), strdup(why), 0, is_assumed};
        if (new.what == NULL || new.why == NULL ||
            memory_grow((void **)&builder->notes, &builder->note_capacity, i + 1, sizeof new,
                        NULL) != STATUS_OK) {
            free(new.what);
            free(new.why);
            builder->failed = STATUS_MEMORY;
            pthread_mutex_unlock(&builder->note_lock);
            return;
        }
        builder->notes[builder->note_count++] = new;
    }
    builder->notes[i].count += count;
    pthread_mutex_unlock(&builder->note_lock);
}

void builder_add_note(struct program_builder *builder, const char *what, const char *why,
                      uint64_t count) {
    builder_add_note_or_assumption(builder, what, why, count, false);
}

void builder_add_assumption(struct program_builder *builder, const char *what, const char *why,
                            uint64_t count) {
    builder_add_note_or_assumption(builder, what, why, count, true);
}

bool builder_has_note(const struct program_builder *builder, const char *what) {
    for (size_t i = 0; i < builder->note_count; i++)
        if (strcmp(builder->notes[i].what, what) == 0) return true;
    return false;
}

void builder_mark_sizes_open(struct program_builder *builder) {
    builder->sizes_are_open = true;
}

void builder_set_source(struct program_builder *builder, const char *source, const char *creator,
                        uint64_t event_count, uint64_t location_count, int64_t span_ps) {
    struct program *program = builder->program;
    program->source = builder_define_string(builder, source);
    program->creator = builder_define_string(builder, creator);
    program->event_count = event_count;
    program->location_count = location_count;
    program->span_ps = span_ps;
}

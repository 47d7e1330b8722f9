/*
 * Coarse levels that look like a whole program of as many ranks. For example, the coarse levels of
 * a multigrid on 16 ranks are those of 8 ranks, which do what the multigrid does on 8 ranks alone.
 * Tags may number the levels, and sizes may shrink from one level to the next.
 *
 * Invariant: in all comparisons, a tag of a call becomes the same tag, and its sizes have the same
 * proportion. All tags that differ, differ by the same number (the shift). Tags that no comparison
 * has are assumed to differ by the shift, too.
 */
#include "core/memory/memory.h"
#include "traces/extrapolate/divisions/series_levels.h"
#include "traces/program/content_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A size of the whole program becomes size x coarse / whole. */
struct proportion {
    uint64_t coarse, whole;
    bool is_known; /* a pair of sizes was compared */
    bool is_open;  /* another pair has another proportion */
};

/* What the messages of one kind and tag become, or the collectives of one kind. */
struct level_kind {
    int64_t shift; /* is added to the tag */
    struct proportion proportion;
};

struct level_likeness {
    struct key_table index; /* [kind and tag]: index in kinds */
    struct level_kind *kinds;
    size_t count, capacity;
    /* For tags that no comparison has: what all tags of a kind have in common, apart for those that
     * have a shift and for those that have none. */
    struct key_table others; /* [kind and whether the tag has a shift]: index in proportions */
    struct proportion *proportions;
    size_t other_count, other_capacity;
    int64_t shift;            /* of all tags that differ; 0: none does */
    uint32_t tests;           /* comparisons of programs with messages that have fitted */
    bool is_scaled;           /* some size differs */
    wide coarse_ps, whole_ps; /* computation of all programs that were compared */
    bool has_world;           /* some message or collective is in a communicator of all ranks */
    bool world_is_of_coarse;  /* all members of this communicator take part in the coarse levels */
};

struct level_likeness *series_level_likeness_new(void) {
    return memory_new(1, sizeof(struct level_likeness));
}

void series_level_likeness_free(struct level_likeness *likeness) {
    if (likeness == NULL) return;
    key_table_free(&likeness->index);
    key_table_free(&likeness->others);
    free(likeness->kinds);
    free(likeness->proportions);
    free(likeness);
}

bool series_level_likeness_is_equal(const struct level_likeness *likeness) {
    return likeness->shift == 0 && !likeness->is_scaled;
}

uint32_t series_level_likeness_tests(const struct level_likeness *likeness) {
    return likeness->tests;
}

/* Adds a pair of sizes: that of the whole program, and what it becomes. Returns false if their
 * proportion is not that of the pairs before. */
static bool add_sizes(struct proportion *proportion, uint64_t size, uint64_t becomes) {
    if ((size == 0) != (becomes == 0)) return false;
    if (size == 0) return true;
    if (!proportion->is_known)
        *proportion = (struct proportion){.coarse = becomes, .whole = size, .is_known = true};
    return (wide)size * proportion->coarse == (wide)becomes * proportion->whole;
}

/* Changes a size of the whole program to that of the coarse levels. Returns false if the proportion
 * is not known, or does not give a whole number. */
static bool apply(const struct proportion *proportion, uint64_t *size) {
    if (*size == 0) return true;
    if (!proportion->is_known || proportion->is_open) return false;
    const wide scaled = (wide)*size * proportion->coarse;
    if (scaled % proportion->whole != 0) return false;
    *size = (uint64_t)(scaled / proportion->whole);
    return true;
}

/* Returns the key of a kind of operation, and of a tag or another number. */
static uint64_t key_of(uint64_t kind, int64_t tag) {
    enum { HASH_OF_KEY = 7 }; /* tells these hashes from others */
    return content_hash_add3(kind, (uint64_t)tag, 0, HASH_OF_KEY);
}

/* Adds a pair of messages or collectives: the tag (of a collective, its kind) and the size in the
 * whole program, and what they become. Sets *fits to whether this kind and tag has become the same
 * in all pairs. */
static status_code add_kind(struct level_likeness *likeness, uint64_t kind, int64_t tag,
                            int64_t becomes, uint64_t size, uint64_t size_becomes, bool *fits,
                            struct status *status) {
    const uint64_t key = key_of(kind, tag);
    const int64_t shift = becomes - tag;
    uint32_t number = key_table_find(&likeness->index, key);
    if (number == KEY_TABLE_NONE) {
        number = (uint32_t)likeness->count;
        FORWARD_IF_ERROR(memory_grow((void **)&likeness->kinds, &likeness->capacity,
                                     likeness->count + 1, sizeof *likeness->kinds, status));
        likeness->kinds[likeness->count++] = (struct level_kind){.shift = shift};
        FORWARD_IF_ERROR(key_table_insert(&likeness->index, key, number, status));
    }
    *fits = likeness->kinds[number].shift == shift &&
            add_sizes(&likeness->kinds[number].proportion, size, size_becomes);
    if (shift != 0) {
        if (likeness->shift == 0) likeness->shift = shift;
        *fits = *fits && likeness->shift == shift;
    }
    likeness->is_scaled = likeness->is_scaled || size != size_becomes;
    /* What holds for tags that no comparison has. */
    number = key_table_find(&likeness->others, key_of(kind, shift != 0));
    if (number == KEY_TABLE_NONE) {
        number = (uint32_t)likeness->other_count;
        FORWARD_IF_ERROR(memory_grow((void **)&likeness->proportions, &likeness->other_capacity,
                                     likeness->other_count + 1, sizeof *likeness->proportions,
                                     status));
        likeness->proportions[likeness->other_count++] = (struct proportion){0};
        FORWARD_IF_ERROR(
            key_table_insert(&likeness->others, key_of(kind, shift != 0), number, status));
    }
    struct proportion *other = &likeness->proportions[number];
    other->is_open = other->is_open || !add_sizes(other, size, size_becomes);
    return STATUS_OK;
}

/* Returns whether two communicators have the same members. If these are all ranks, also compares
 * with all other such pairs whether the name of the communicator of the coarse levels has
 * LEVEL_SUFFIX. */
static bool compare_members(struct level_likeness *likeness, const struct program *whole,
                            uint32_t left, const struct program *coarse, uint32_t right) {
    const struct program_communicator *a = &whole->communicators[left];
    const struct program_communicator *b = &coarse->communicators[right];
    if (a->size != b->size || (a->members == PROGRAM_NONE) != (b->members == PROGRAM_NONE))
        return false;
    if (a->members == PROGRAM_NONE) return true;
    if (memcmp(whole->communicator_members + a->members, coarse->communicator_members + b->members,
               a->size * sizeof *whole->communicator_members) != 0)
        return false;
    if (a->size != whole->rank_count) return true;
    const char *left_name = program_text(whole, a->name), *name = program_text(coarse, b->name);
    const bool has_suffix = strlen(name) > strlen(left_name);
    const bool is_same = !likeness->has_world || likeness->world_is_of_coarse == has_suffix;
    likeness->has_world = true;
    likeness->world_is_of_coarse = has_suffix;
    return is_same;
}

static bool is_same_mark(const struct program *whole, const struct program_operation *left,
                         const struct program *coarse, const struct program_operation *right) {
    return strcmp(program_text(whole, whole->regions[left->mark.region].name),
                  program_text(coarse, coarse->regions[right->mark.region].name)) == 0;
}

/* Compares an operation of the whole program (left) with one of the coarse levels (right). call:
 * hash of the call around them, which a CALL sets. */
static status_code compare(struct level_likeness *likeness, const struct program *whole,
                           const struct program_operation *left, const struct program *coarse,
                           const struct program_operation *right, uint64_t *call, bool *fits,
                           struct status *status) {
    *fits = left->kind == right->kind && left->flags == right->flags;
    if (!*fits) return STATUS_OK;
    switch ((program_operation_kind)left->kind) {
    case OPERATION_SEND:
    case OPERATION_RECEIVE: {
        const struct program_envelope *own = &whole->envelopes[left->message.envelope];
        const struct program_envelope *other = &coarse->envelopes[right->message.envelope];
        *fits = left->message.peer == right->message.peer &&
                compare_members(likeness, whole, own->communicator, coarse, other->communicator);
        if (!*fits) return STATUS_OK;
        return add_kind(likeness, content_hash_add(*call, left->kind), own->tag, other->tag,
                        left->value, right->value, fits, status);
    }
    case OPERATION_COLLECTIVE: {
        const struct program_collective_arguments
            *own = &whole->collective_arguments[left->collective.arguments],
            *other = &coarse->collective_arguments[right->collective.arguments];
        *fits = own->kind == other->kind && own->root == other->root &&
                compare_members(likeness, whole, own->communicator, coarse, other->communicator);
        const uint64_t kind = content_hash_add(*call, left->kind);
        if (*fits)
            FORWARD_IF_ERROR(add_kind(likeness, kind, own->kind, own->kind, own->send_bytes,
                                      other->send_bytes, fits, status));
        if (*fits)
            FORWARD_IF_ERROR(add_kind(likeness, kind, own->kind, own->kind, own->receive_bytes,
                                      other->receive_bytes, fits, status));
        return STATUS_OK;
    }
    case OPERATION_CALL:
        *call = content_hash_text(0, program_text(whole, whole->regions[left->mark.region].name));
        *fits = is_same_mark(whole, left, coarse, right);
        return STATUS_OK;
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        *fits = is_same_mark(whole, left, coarse, right);
        return STATUS_OK;
    case OPERATION_WAIT:
        *fits = left->wait.count == right->wait.count;
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

/* Sets *operation to the next one of a rank that is no computation. Returns false at its end. */
static bool next(const struct program *program, uint32_t rank, uint64_t *place,
                 struct program_operation *operation) {
    for (; *place < program->ranks[rank].count; ++*place) {
        *operation = *PROGRAM_OPERATION_AT(program, rank, program->ranks[rank].first + *place);
        if (operation->kind == OPERATION_COMPUTE || operation->kind == OPERATION_END) continue;
        ++*place;
        return true;
    }
    return false;
}

/* Returns the computation of all ranks of a program, in picoseconds. */
static wide computation_of(const struct program *program) {
    wide sum_ps = 0;
    for (uint32_t r = 0; r < program->rank_count; r++)
        for (uint64_t i = 0; i < program->ranks[r].count; i++) {
            const struct program_operation operation =
                *PROGRAM_OPERATION_AT(program, r, program->ranks[r].first + i);
            if (operation.kind == OPERATION_COMPUTE)
                sum_ps += (uint64_t)operation.compute.duration_ps;
        }
    return sum_ps;
}

int64_t series_level_likeness_computation(const struct level_likeness *likeness,
                                          int64_t duration_ps) {
    if (likeness->whole_ps == 0) return duration_ps;
    return (int64_t)((wide)(uint64_t)duration_ps * likeness->coarse_ps / likeness->whole_ps);
}

status_code series_level_likeness_add(struct level_likeness *likeness, const struct program *whole,
                                      const struct program *coarse, bool *fits,
                                      struct status *status) {
    bool has_messages = false;
    *fits = whole->rank_count == coarse->rank_count;
    for (uint32_t r = 0; r < whole->rank_count && *fits; r++) {
        uint64_t place = 0, other_place = 0, call = 0;
        while (*fits) {
            struct program_operation left = {0}, right = {0};
            const bool has_left = next(whole, r, &place, &left);
            const bool has_right = next(coarse, r, &other_place, &right);
            *fits = has_left == has_right;
            if (!has_left || !has_right) break;
            has_messages = has_messages || left.kind == OPERATION_SEND;
            FORWARD_IF_ERROR(compare(likeness, whole, &left, coarse, &right, &call, fits, status));
        }
    }
    likeness->tests += *fits && has_messages;
    likeness->coarse_ps += computation_of(coarse);
    likeness->whole_ps += computation_of(whole);
    return STATUS_OK;
}

bool series_level_likeness_message(const struct level_likeness *likeness, uint64_t kind,
                                   int32_t *tag, uint64_t *bytes) {
    uint32_t number = key_table_find(&likeness->index, key_of(kind, *tag));
    if (number != KEY_TABLE_NONE) {
        *tag = (int32_t)(*tag + likeness->kinds[number].shift);
        return apply(&likeness->kinds[number].proportion, bytes);
    }
    number = key_table_find(&likeness->others, key_of(kind, likeness->shift != 0));
    *tag = (int32_t)(*tag + likeness->shift);
    return number != KEY_TABLE_NONE && *tag >= 0 && apply(&likeness->proportions[number], bytes);
}

bool series_level_likeness_collective(const struct level_likeness *likeness, uint64_t kind,
                                      int64_t collective, uint64_t *bytes) {
    const uint32_t number = key_table_find(&likeness->index, key_of(kind, collective));
    return number != KEY_TABLE_NONE && apply(&likeness->kinds[number].proportion, bytes);
}

status_code series_level_likeness_make(struct level_likeness *likeness, const struct program *whole,
                                       unsigned threads, struct program **coarse,
                                       struct status *status) {
    struct program_builder *builder = builder_new(whole->rank_count, status);
    if (builder == NULL) return STATUS_MEMORY;
    struct level_copy copy;
    status_code code = series_level_copy_begin(&copy, whole, builder, status);
    copy.likeness = likeness;
    for (uint32_t c = 0; c < whole->communicator_count && code == STATUS_OK; c++) {
        const struct program_communicator *own = &whole->communicators[c];
        const bool has_suffix = own->size < whole->rank_count || likeness->world_is_of_coarse;
        char name[SERIES_TEXT];
        snprintf(name, sizeof name, "%s%s", program_text(whole, own->name),
                 has_suffix ? LEVEL_SUFFIX : "");
        code = own->members == PROGRAM_NONE
                   ? builder_define_communicator_self(builder, name, &copy.communicators[c], status)
                   : builder_define_communicator(builder, name,
                                                 whole->communicator_members + own->members,
                                                 own->size, &copy.communicators[c], status);
    }
    for (uint32_t r = 0; r < whole->rank_count && code == STATUS_OK; r++) {
        code = series_level_copy_operations(&copy, r, 0, whole->ranks[r].count, status);
        if (code == STATUS_OK) code = builder_end_rank(builder, r, status);
    }
    if (code == STATUS_OK) code = series_level_copy_seal(&copy, threads, coarse, status);
    series_level_copy_free(&copy);
    builder_free(builder);
    return code;
}

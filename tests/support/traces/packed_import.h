/*
 * Archives that are packed while they are read, against those that are not.
 *
 * Header only, because it is little. Must not know how archives are written or packed.
 */
#ifndef ANAX_TESTS_PACKED_IMPORT_H
#define ANAX_TESTS_PACKED_IMPORT_H

#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Returns a value of trace.memory with which an archive of so many records is packed while it is
 * read. A record gives at most two operations; what takes a sixteenth of the memory is packed. */
static inline int64_t packed_import_bytes(uint64_t records) {
    return (int64_t)(records * sizeof(struct program_operation) * 4);
}

static inline void packed_import_compare_notes(const struct program *a, const struct program *b) {
    assert_int_equal(a->note_count, b->note_count);
    for (uint32_t i = 0; i < a->note_count; i++) {
        assert_string_equal(program_text(a, a->notes[i].what), program_text(b, b->notes[i].what));
        assert_string_equal(program_text(a, a->notes[i].why), program_text(b, b->notes[i].why));
        assert_int_equal(a->notes[i].count, b->notes[i].count);
    }
}

/* Fails the test unless the programs are equal, operation by operation. */
static inline void packed_import_compare(const struct program *a, const struct program *b) {
    struct program_walk one = {0}, other = {0};
    assert_int_equal(a->rank_count, b->rank_count);
    assert_memory_equal(a->ranks, b->ranks, a->rank_count * sizeof *a->ranks);
    while (program_walk_next(a, &one)) {
        assert_true(program_walk_next(b, &other));
        assert_memory_equal(one.operation, other.operation, sizeof *one.operation);
    }
    assert_false(program_walk_next(b, &other));
    assert_int_equal(a->wait_slot_count, b->wait_slot_count);
    if (a->wait_slot_count > 0)
        assert_memory_equal(a->wait_slots, b->wait_slots,
                            a->wait_slot_count * sizeof *a->wait_slots);
    assert_int_equal(a->content_hash, b->content_hash);
    assert_int_equal(a->unmatched_sends, b->unmatched_sends);
    assert_int_equal(a->unmatched_receives, b->unmatched_receives);
    packed_import_compare_notes(a, b);
}

/* Reads an archive so that it is packed, and fails the test unless that gives the same program.
 * Returns whether the program stayed packed. */
static inline bool packed_import_is_same(const struct program *program, const char *path,
                                         const struct traces_config *config, unsigned threads) {
    struct status status = STATUS_INIT;
    struct program *packed = NULL;
    struct traces_config own = *config;
    own.memory_bytes = packed_import_bytes(program->event_count);
    if (traces_open(&packed, path, &own, threads, NULL, NULL, &status) != STATUS_OK ||
        program_check(packed, &status) != STATUS_OK)
        fail_msg("%s: %s", path, status.text);
    packed_import_compare(program, packed);
    const bool is_packed = packed->packed != NULL;
    program_free(packed);
    return is_packed;
}

/* Fails the test unless an archive of at most 16384 records that is packed is refused with the same
 * words. */
static inline void packed_import_is_refused(const char *path, const struct traces_config *config,
                                            const char *words) {
    for (uint64_t records = 16; records <= 16384; records *= 4) {
        struct status status = STATUS_INIT;
        struct program *program = NULL;
        struct traces_config own = *config;
        own.memory_bytes = packed_import_bytes(records);
        assert_int_equal(traces_open(&program, path, &own, 2, NULL, NULL, &status), STATUS_INPUT);
        assert_string_equal(status.text, words);
        status_clear(&status);
    }
}

#endif

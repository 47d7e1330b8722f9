/* Joining programs: the result is a program, and of each rank it says what the part says. */
#include "traces/program/edit/program_join.h"

#include "tests/support/traces/random_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { PARTS = 3 };

/* Texts and members, not numbers, must agree. */
static void check_communicator(const struct program *joined, uint32_t there,
                               const struct program *part, uint32_t here, uint32_t base) {
    const struct program_communicator *a = &joined->communicators[there],
                                      *b = &part->communicators[here];
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->remote_size, b->remote_size);
    assert_int_equal(a->handles_synchronise, b->handles_synchronise);
    assert_string_equal(program_text(joined, a->name), program_text(part, b->name));
    for (uint32_t i = 0; i < a->size && b->members != PROGRAM_NONE; i++)
        assert_int_equal(joined->communicator_members[a->members + i],
                         base + part->communicator_members[b->members + i]);
    for (uint32_t i = 0; i < a->remote_size; i++)
        assert_int_equal(joined->communicator_members[a->remote_members + i],
                         base + part->communicator_members[b->remote_members + i]);
    assert_int_equal(a->members == PROGRAM_NONE, b->members == PROGRAM_NONE);
}

static void check_collective(const struct program *joined, const struct program_operation *a,
                             const struct program *part, const struct program_operation *b,
                             uint32_t base) {
    const struct program_collective_arguments *x =
        &joined->collective_arguments[a->collective.arguments];
    const struct program_collective_arguments *y =
        &part->collective_arguments[b->collective.arguments];
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->own_member, y->own_member);
    assert_int_equal(x->root, y->root);
    assert_int_equal(x->send_bytes, y->send_bytes);
    assert_int_equal(x->receive_bytes, y->receive_bytes);
    assert_int_equal(a->collective.slot, b->collective.slot);
    assert_int_equal(a->collective.instance, b->collective.instance);
    check_communicator(joined, x->communicator, part, y->communicator, base);
    assert_int_equal(a->collective.sizes == PROGRAM_NONE, b->collective.sizes == PROGRAM_NONE);
    if (b->collective.sizes != PROGRAM_NONE)
        assert_int_equal(joined->sizes[a->collective.sizes], part->sizes[b->collective.sizes]);
    assert_int_equal(a->value == 0, b->value == 0);
    if (!program_is_paired(x->kind)) assert_int_equal(a->value, b->value);
    if (!program_is_paired(x->kind) || a->value == 0) return;
    const uint32_t members = part->communicators[y->communicator].size;
    for (uint32_t i = 0; i < members; i++)
        assert_memory_equal(joined->pair_bytes + joined->pair_rows[a->value - 1 + i],
                            part->pair_bytes + part->pair_rows[b->value - 1 + i],
                            members * sizeof *part->pair_bytes);
}

static void check_operation(const struct program *joined, const struct program_operation *a,
                            const struct program *part, const struct program_operation *b,
                            uint32_t base) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->flags, b->flags);
    if (a->kind != OPERATION_COLLECTIVE) assert_int_equal(a->value, b->value);
    switch ((program_operation_kind)a->kind) {
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
        assert_int_equal(a->message.peer, base + b->message.peer);
        assert_int_equal(a->message.match, b->message.match);
        assert_int_equal(a->message.slot, b->message.slot);
        assert_int_equal(joined->envelopes[a->message.envelope].tag,
                         part->envelopes[b->message.envelope].tag);
        check_communicator(joined, joined->envelopes[a->message.envelope].communicator, part,
                           part->envelopes[b->message.envelope].communicator, base);
        break;
    case OPERATION_CALL:
    case OPERATION_RETURN:
    case OPERATION_ENTER:
    case OPERATION_LEAVE:
        assert_int_equal(a->mark.trace_ps, b->mark.trace_ps);
        assert_string_equal(program_text(joined, joined->regions[a->mark.region].name),
                            program_text(part, part->regions[b->mark.region].name));
        break;
    case OPERATION_COLLECTIVE:
        check_collective(joined, a, part, b, base);
        break;
    default: /* times and slots */
        assert_memory_equal(a, b, sizeof *a);
    }
}

static void check_part(const struct program *joined, const struct program *part, uint32_t base) {
    for (uint32_t rank = 0; rank < part->rank_count; rank++) {
        const struct program_rank *a = &joined->ranks[base + rank], *b = &part->ranks[rank];
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->slot_count, b->slot_count);
        for (uint64_t i = 0; i < a->count; i++)
            check_operation(joined, &joined->operations[a->first + i], part,
                            &part->operations[b->first + i], base);
        for (uint64_t i = 0; i < a->wait_slot_count; i++)
            assert_int_equal(joined->wait_slots[a->first_wait_slot + i],
                             part->wait_slots[b->first_wait_slot + i]);
    }
}

static void joined_programs_hold_their_parts(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct program *parts[PARTS], *joined = NULL;
        struct status status = STATUS_INIT;
        uint32_t ranks = 0;
        for (uint32_t i = 0; i < PARTS; i++)
            parts[i] = random_program(seed * PARTS + i, (uint32_t)(1 + (seed + i) % 9), 60);
        assert_int_equal(
            program_join(&joined, (const struct program *const *)parts, PARTS, &status), STATUS_OK);
        if (program_check_file(joined, &status) != STATUS_OK) fail_msg("%s", status.text);
        for (uint32_t i = 0; i < PARTS; i++) {
            check_part(joined, parts[i], ranks);
            ranks += parts[i]->rank_count;
        }
        assert_int_equal(joined->rank_count, ranks);
        struct program_totals all, one;
        program_totals_compute(joined, &all);
        uint64_t messages = 0;
        for (uint32_t i = 0; i < PARTS; i++) {
            program_totals_compute(parts[i], &one);
            messages += one.messages;
            program_free(parts[i]);
        }
        assert_int_equal(all.messages, messages);
        program_free(joined);
    }
}

/* Notes that say the same are one, and sources are listed. */
static void equal_notes_are_joined_and_sources_listed(void **state) {
    (void)state;
    struct program *one = random_program(4, 3, 40), *joined = NULL;
    const struct program *parts[] = {one, one};
    assert_int_equal(program_join(&joined, parts, 2, NULL), STATUS_OK);
    assert_int_equal(joined->note_count, one->note_count);
    for (uint32_t i = 0; i < one->note_count; i++) {
        assert_int_equal(joined->notes[i].count, 2 * one->notes[i].count);
        assert_string_equal(program_text(joined, joined->notes[i].why),
                            program_text(one, one->notes[i].why));
    }
    char expected[512];
    const char *source = program_text(one, one->source);
    snprintf(expected, sizeof expected, "%s, %s", source, source);
    assert_string_equal(program_text(joined, joined->source), expected);
    assert_string_equal(program_text(joined, joined->creator), program_text(one, one->creator));
    assert_int_equal(joined->event_count, 2 * one->event_count);
    assert_int_equal(joined->span_ps, one->span_ps);
    assert_int_not_equal(joined->content_hash, one->content_hash);
    program_free(joined);
    program_free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_programs_hold_their_parts),
        cmocka_unit_test(equal_notes_are_joined_and_sources_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

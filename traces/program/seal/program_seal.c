/*
 * Phase 3 of building a program: everything that needs all ranks. Must not know OTF2 or files.
 *
 * Invariant: the result depends only on the operations of each rank. It does not depend on the
 * order in which threads appended to ranks, nor on the number of threads.
 */
#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "traces/program/builder/builder_parts.h"
#include "traces/program/infer/program_infer.h"
#include "traces/program/program_hash.h"
#include "traces/program/seal/program_in_place.h"
#include "traces/program/seal/program_match_collectives.h"
#include "traces/program/seal/program_match_messages.h"

#include <stdlib.h>
#include <string.h>

static status_code finish_rank(void *context, unsigned worker, uint64_t item,
                               struct status *status) {
    (void)worker;
    struct program_builder *builder = context;
    return builder_end_rank(builder, builder->first_rank + (uint32_t)item, status);
}

static int compare_notes(const void *left, const void *right) {
    const struct builder_note_text *a = left, *b = right;
    int order = strcmp(a->what, b->what);
    return order != 0 ? order : strcmp(a->why, b->why);
}

/* Writes the notes in the order of their names, since they come from many threads. */
static status_code seal_notes(struct program_builder *builder, struct status *status) {
    struct program *program = builder->program;
    if (builder->note_count > 0)
        qsort(builder->notes, builder->note_count, sizeof *builder->notes, compare_notes);
    program->notes = memory_new(builder->note_count, sizeof *program->notes);
    RETURN_ERROR_IF(program->notes == NULL, status, STATUS_MEMORY, "out of memory for notes");
    for (size_t i = 0; i < builder->note_count; i++) {
        const struct builder_note_text *note = &builder->notes[i];
        uint32_t what = builder_define_string(builder, note->what);
        program->notes[i] = (struct program_note){what, builder_define_string(builder, note->why),
                                                  note->count, note->is_assumed};
    }
    program->note_count = (uint32_t)builder->note_count;
    return STATUS_OK;
}

/* The notes that sealing counts. */
static const struct {
    const char *what;
    const char *why;
} match_notes[] = {
    {"unmatched sends", "the trace has no receives for them: they are sent and dropped on arrival"},
    {"unmatched receives", "the trace has no sends for them: they complete at once"},
    {"unmatched synchronisation of windows",
     "the trace lacks the other side's call, so nobody waits in this one"},
};
enum { MATCH_NOTES = sizeof match_notes / sizeof *match_notes };

bool builder_note_is_of_sealing(const char *what) {
    for (size_t i = 0; i < MATCH_NOTES; i++)
        if (strcmp(match_notes[i].what, what) == 0) return true;
    return false;
}

void builder_copy_notes(struct program_builder *builder, const struct program *from) {
    for (uint32_t i = 0; i < from->note_count; i++) {
        const char *what = program_text(from, from->notes[i].what);
        if (builder_note_is_of_sealing(what)) continue;
        builder_add_note_or_assumption(builder, what, program_text(from, from->notes[i].why),
                                       from->notes[i].count, from->notes[i].is_assumed);
    }
}

/* Adds notes that only this sealing can make: sealing a copy of the program would not count them
 * again, as it does those of match_notes. */
static void record_settled(struct program_builder *builder,
                           const struct program_match_counts *counts,
                           const struct program_infer_counts *inferred,
                           uint64_t unequal_collectives) {
    if (unequal_collectives > 0)
        builder_add_assumption(
            builder, "members of a collective with other sizes",
            "MPI requires equal sizes on all members, so the program is wrong or the trace is "
            "damaged; the replay uses the size of the communicator's first member",
            unequal_collectives);
    if (inferred->inferred > 0)
        builder_add_assumption(
            builder, "MPI_Mrecv without record",
            "traces do not say what MPI_Mrecv and MPI_Imrecv receive; each takes a "
            "send that no recorded receive takes, chosen by order, lengths and causes",
            inferred->inferred);
    if (inferred->by_time > 0)
        builder_add_assumption(
            builder, "MPI_Mrecv without record, of several messages",
            "the call could have received several messages; the times of sends and calls decided",
            inferred->by_time);
    if (inferred->vanished > 0)
        builder_add_note(builder, "MPI_Mrecv without record and message",
                         "no send is left that the call could have received: it received from "
                         "MPI_PROC_NULL, or the trace lacks the send; the call takes no time",
                         inferred->vanished);
    if (counts->truncated_receives > 0)
        builder_add_note(
            builder, "length mismatch",
            "receives got fewer bytes than their sends sent, so the trace is damaged or a "
            "send is lost from it; the sender's length is simulated",
            counts->truncated_receives);
    if (counts->longer_receives > 0)
        builder_add_assumption(
            builder, "receives longer than their sends",
            "the tracer recorded the buffer's size, or the trace is damaged; the "
            "sender's length is simulated",
            counts->longer_receives);
    if (counts->unsized_receives > 0)
        builder_add_assumption(
            builder, "receives of unknown length",
            "MPI_Get_count could not tell (MPI_UNDEFINED); they are taken to be as "
            "long as their sends",
            counts->unsized_receives);
}

static void record_matches(struct program_builder *builder,
                           const struct program_match_counts *counts) {
    const uint64_t found[MATCH_NOTES] = {counts->unmatched_sends, counts->unmatched_receives,
                                         counts->unmatched_signals};
    for (size_t i = 0; i < MATCH_NOTES; i++)
        if (found[i] > 0)
            builder_add_note(builder, match_notes[i].what, match_notes[i].why, found[i]);
}

static void forget_known(const struct program_builder *builder,
                         const struct program_posted *posted) {
    struct program *program = builder->program;
    for (uint32_t rank = 0; rank < program->rank_count; rank++) {
        const struct program_places *places = &posted->ranks[rank].collectives;
        for (size_t i = 0; i < places->count; i++)
            program_posted_collective(program, rank, places, i)->flags &=
                ~BUILDER_SIZES_ARE_KNOWN & 0xFF;
    }
}

/* Decides open sizes of collectives. Their note is like the importer's notes: sealing a copy of the
 * program does not count it again. */
static status_code settle_in_place(struct program_builder *builder,
                                   const struct program_posted *posted, struct status *status) {
    uint64_t open_calls;
    FORWARD_IF_ERROR(program_decide_in_place(builder->program, posted, &open_calls, status));
    if (builder->has_known) forget_known(builder, posted);
    if (open_calls > 0)
        builder_add_assumption(
            builder, "sizes of collectives that MPI_IN_PLACE leaves open",
            "the recorded bytes may be N blocks, or N-1 blocks with MPI_IN_PLACE; the replay uses "
            "the reading that is likelier by the sizes and the trace's other calls",
            open_calls);
    return STATUS_OK;
}

static status_code seal(struct program_builder *builder, unsigned threads, struct status *status) {
    struct program *program = builder->program;
    struct program_posted *posted = &builder->places.posted;
    const uint32_t own_ranks = builder->places.end_rank - builder->first_rank;
    FORWARD_IF_ERROR(parallel_for(threads, own_ranks, finish_rank, builder, status));
    FORWARD_IF_ERROR(builder_exchange_ranks(builder, threads, status));
    if (builder->is_elsewhere) return STATUS_OK;
    FORWARD_IF_ERROR(builder_places_close(builder, status));
    FORWARD_IF_ERROR(builder_pack_close(builder, threads, status));
    struct program_infer_counts inferred = {0};
    if (builder->places.unrecorded_count > 0)
        FORWARD_IF_ERROR(program_infer(program, posted, threads, &inferred, status));
    struct program_match_counts counts;
    FORWARD_IF_ERROR(
        program->packed == NULL
            ? program_match_messages(program, posted, threads, &counts, status)
            : program_pairings_match(program, builder->places.pairings, threads, &counts, status));
    builder_pairings_free(builder);
    program->unmatched_sends = counts.unmatched_sends;
    program->unmatched_receives = counts.unmatched_receives;
    if (builder->sizes_are_open) FORWARD_IF_ERROR(settle_in_place(builder, posted, status));
    uint64_t unequal;
    FORWARD_IF_ERROR(program_match_collectives(program, posted, threads, &unequal, status));
    program_posted_free(posted);
    record_matches(builder, &counts);
    record_settled(builder, &counts, &inferred, unequal);
    FORWARD_IF_ERROR(seal_notes(builder, status));
    RETURN_ERROR_IF(builder->failed != STATUS_OK, status, builder->failed,
                    "too many names, or out of memory for them");
    return program_hash(program, threads, &program->content_hash, status);
}

status_code builder_seal(struct program_builder *builder, unsigned threads,
                         struct program **program, struct status *status) {
    *program = NULL;
    RETURN_ERROR_IF(builder->is_sealed, status, STATUS_USAGE, "a program is sealed only once");
    builder->is_sealed = true;
    FORWARD_IF_ERROR(seal(builder, threads, status));
    if (builder->is_elsewhere) return STATUS_OK;
    *program = builder->program;
    builder->program = NULL;
    free(builder->ranks);
    builder->ranks = NULL;
    memory_trim(); /* the user of the program needs the memory for other things */
    return STATUS_OK;
}

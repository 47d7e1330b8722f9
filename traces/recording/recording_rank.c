/*
 * One rank of a recording: its calls and the time between them. The rules are those of
 * traces/otf2/otf2_import_rank.c, but a recording also says which tests and probes failed.
 *
 * - Computation is the time between the calls of the first thread. If that thread does not
 *   communicate and exactly one other does, it is the time between the calls of that thread.
 * - Calls of several threads that were open at the same time are split
 *   (recording_threads.h): what they post stands where they began.
 * - Failed tests and probes form a run. If a test or probe that succeeds ends the run, the short
 *   gaps between its calls were waiting; else they were computation.
 */
#include "traces/recording/recording_rank.h"

#include "core/memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns the thread whose gaps between calls count as computation. */
static uint32_t timed_thread(const struct survey_rank *own) {
    const bool is_lone =
        !own->first_thread_communicates && own->other_thread != SURVEY_SEVERAL_THREADS;
    return is_lone ? own->other_thread : 0;
}

/* Appends the computation since the last operation. */
static status_code append_compute(struct recording_rank *rank, struct status *status) {
    int64_t duration_ns = rank->compute_ns;
    rank->compute_ns = 0;
    if (duration_ns == 0) return STATUS_OK;
    RETURN_ERROR_IF(duration_ns > PROGRAM_TIME_LIMIT_PS / 1000, status, STATUS_INPUT,
                    "a computation is longer than a program can hold");
    return builder_compute(rank->survey->builder, rank->rank, duration_ns * 1000, status);
}

/* Ends a run of polls, if there is one. has_succeeded: by a test or probe that succeeded. */
static void end_polling(struct recording_rank *rank, bool has_succeeded) {
    if (!has_succeeded) rank->compute_ns += rank->polling_ns;
    rank->polling_ns = 0;
    rank->is_polling = false;
}

/* Returns how many failed tests and probes the record stands for; 0: it is another call. */
static uint64_t polls_of(const struct recording_record *record) {
    if (record->word_count != 2 || record->words[0] != RECORDING_POLLS) return 0;
    return record->words[1];
}

/* Counts the gap before a record as computation, or as a part of a run of polls (failed tests and
 * probes). */
static void classify_gap(struct recording_rank *rank, const struct recording_record *record) {
    int64_t gap_ns = record->gap_ns, limit_ns = rank->survey->config->polling_gap_ps / 1000;
    uint64_t polls = polls_of(record);
    if (rank->own->uses_processor_time && record->processor_ns >= 0) gap_ns = record->processor_ns;
    int64_t each_ns =
        polls > 1 ? gap_ns / (int64_t)(polls < INT64_MAX ? polls : INT64_MAX) : gap_ns;
    bool is_poll = polls > 0 || recording_is_poll(record->call);
    if (is_poll && each_ns < limit_ns && (rank->is_polling || polls > 1))
        rank->polling_ns += gap_ns;
    else
        rank->compute_ns += gap_ns;
    if (polls > 0)
        rank->is_polling = true;
    else
        end_polling(rank, is_poll);
}

/* Returns the time of the program at the beginning of the record's call, which is never before that
 * of the record before. The gaps of other threads do not count: their calls begin at once. */
static int64_t begin_of(struct recording_rank *rank, const struct recording_record *record) {
    if (record->thread != timed_thread(rank->own)) return rank->now_ps;
    rank->thread_ps += record->gap_ns * 1000;
    if (rank->thread_ps > rank->now_ps) rank->now_ps = rank->thread_ps;
    rank->thread_ps += record->duration_ns * 1000;
    return rank->now_ps;
}

static status_code check_time(const struct recording_rank *rank, struct status *status) {
    RETURN_ERROR_IF(rank->thread_ps > PROGRAM_TIME_LIMIT_PS, status, STATUS_INPUT,
                    "the recording is longer than a program can hold (26 days)");
    return STATUS_OK;
}

/* Ends the current call, after the duration of the record. */
static status_code end_call(struct recording_rank *rank, struct status *status) {
    if (rank->thread_ps > rank->now_ps) rank->now_ps = rank->thread_ps;
    return builder_return(rank->survey->builder, rank->rank, rank->now_ps, true, status);
}

static status_code import_call(struct recording_rank *rank, const struct recording_record *record,
                               int64_t begin_ps, struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    FORWARD_IF_ERROR(append_compute(rank, status));
    FORWARD_IF_ERROR(builder_call(builder, rank->rank, rank->survey->calls[record->call],
                                  record->place, begin_ps, status));
    rank->done_count = 0;
    FORWARD_IF_ERROR(recording_import_items(rank, record, status));
    FORWARD_IF_ERROR(builder_wait_call(builder, rank->rank, status));
    if (rank->done_count > 0 && recording_is_poll(record->call))
        FORWARD_IF_ERROR(builder_wait_tested(builder, rank->rank, rank->done,
                                             (uint32_t)rank->done_count,
                                             &rank->counts->tested_sends, status));
    else if (rank->done_count > 0)
        FORWARD_IF_ERROR(
            builder_wait(builder, rank->rank, rank->done, (uint32_t)rank->done_count, status));
    return end_call(rank, status);
}

/* Imports a mark of user regions, which stands outside calls. */
static status_code import_mark(struct recording_rank *rank, const struct recording_record *record,
                               int64_t time_ps, struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    struct recording_part part;
    size_t at = 0;
    while (recording_next(record, &at, &part, status)) {
        if (!rank->survey->config->user_regions) continue;
        if (!rank->is_polling) FORWARD_IF_ERROR(append_compute(rank, status));
        if (part.item == RECORDING_ENTER) {
            RETURN_ERROR_IF(part.words[0] >= rank->own->region_count, status, STATUS_INPUT,
                            "the region is not defined");
            FORWARD_IF_ERROR(builder_enter(
                builder, rank->rank, rank->own->region_index[part.words[0]], time_ps, status));
            rank->open_regions++;
        } else if (part.item == RECORDING_LEAVE) {
            FORWARD_IF_ERROR(builder_leave(builder, rank->rank, time_ps, status));
            rank->open_regions--;
        }
    }
    return status->code;
}

/* Returns `code`, with which the import of a record ended, and names the record in an error. */
static status_code name_record(status_code code, const struct recording_record *record,
                               struct status *status) {
    if (code == STATUS_OK) return code;
    return status_prefix(status, "record %" PRIu64 " (%s)", record->place,
                         recording_call_name(record->call));
}

/* Counts a record and the time before its call. Sets *begin_ps to when the call began. */
static status_code take_times(struct recording_rank *rank, const struct recording_record *record,
                              int64_t *begin_ps, struct status *status) {
    rank->counts->records++;
    rank->counts->thread_calls += record->thread > 0;
    *begin_ps = begin_of(rank, record);
    FORWARD_IF_ERROR(check_time(rank, status));
    if (record->thread == timed_thread(rank->own)) classify_gap(rank, record);
    return STATUS_OK;
}

/* Imports a record whose call was not split. */
static status_code import_record(void *context, const struct recording_record *record,
                                 struct status *status) {
    struct recording_rank *rank = context;
    if (record->place >= rank->own->replayed_records) return STATUS_OK;
    int64_t begin_ps = 0;
    FORWARD_IF_ERROR(take_times(rank, record, &begin_ps, status));
    if (polls_of(record) > 0) return STATUS_OK;
    return name_record(record->call == RECORDING_CALL_Mark
                           ? import_mark(rank, record, begin_ps, status)
                           : import_call(rank, record, begin_ps, status),
                       record, status);
}

/* Posts the operations of a call that was split. */
static status_code post_operations(struct recording_rank *rank,
                                   const struct recording_record *record, struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    int64_t begin_ps = 0;
    FORWARD_IF_ERROR(take_times(rank, record, &begin_ps, status));
    FORWARD_IF_ERROR(append_compute(rank, status));
    FORWARD_IF_ERROR(builder_call(builder, rank->rank, rank->survey->begins[record->call],
                                  record->place, begin_ps, status));
    FORWARD_IF_ERROR(recording_import_items(rank, record, status));
    return builder_return(builder, rank->rank, rank->now_ps, true, status);
}

/* Imports the beginning of a call that was split. */
static status_code import_begin(void *context, const struct recording_record *record,
                                struct recording_split *split, struct status *status) {
    struct recording_rank *rank = context;
    if (record->place >= rank->own->replayed_records) return STATUS_OK;
    *split = (struct recording_split){.first_request = rank->split_requests};
    rank->posts_only = true;
    status_code code = post_operations(rank, record, status);
    rank->posts_only = false;
    split->count = (uint32_t)(rank->split_requests - split->first_request);
    return name_record(code, record, status);
}

/* Imports the end of a call that was split: waits for its operations. */
static status_code import_end(void *context, const struct recording_record *record,
                              const struct recording_split *split, struct status *status) {
    struct recording_rank *rank = context;
    struct program_builder *builder = rank->survey->builder;
    if (record->place >= rank->own->replayed_records) return STATUS_OK;
    FORWARD_IF_ERROR(builder_call(builder, rank->rank, rank->survey->calls[record->call],
                                  record->place, rank->now_ps, status));
    rank->done_count = 0;
    for (uint32_t i = 0; i < split->count; i++)
        FORWARD_IF_ERROR(
            recording_complete(rank, RECORDING_SPLIT_REQUEST | (split->first_request + i), status));
    if (split->count > 0)
        FORWARD_IF_ERROR(name_record(
            builder_wait(builder, rank->rank, rank->done, split->count, status), record, status));
    return end_call(rank, status);
}

static status_code finish_rank(struct recording_rank *rank, struct status *status) {
    struct program_builder *builder = rank->survey->builder;
    end_polling(rank, false);
    FORWARD_IF_ERROR(append_compute(rank, status));
    FORWARD_IF_ERROR(builder_drop_reserved(builder, rank->rank, &rank->counts->lost_receives,
                                           &rank->counts->lost_collectives, status));
    for (; rank->open_regions > 0; rank->open_regions--)
        FORWARD_IF_ERROR(builder_leave(builder, rank->rank, rank->now_ps, status));
    if (rank->now_ps > rank->counts->last_ps) rank->counts->last_ps = rank->now_ps;
    return builder_end_rank(builder, rank->rank, status);
}

status_code recording_import_rank(const struct survey *survey, uint32_t rank_number,
                                  struct recording_counts *counts, struct status *status) {
    struct recording_rank rank = {.survey = survey,
                                  .own = &survey->ranks[rank_number],
                                  .rank = rank_number,
                                  .counts = counts,
                                  .now_ps = survey->ranks[rank_number].offset_ps,
                                  .thread_ps = survey->ranks[rank_number].offset_ps};
    char path[RECORDING_PATH_BYTES];
    FORWARD_IF_ERROR(recording_path(path, survey->folder, rank_number, status));
    const struct recording_order order = {
        .context = &rank, .whole = import_record, .begin = import_begin, .end = import_end};
    status_code code = rank.own->has_overlaps
                           ? recording_read_in_order(path, &order, status)
                           : recording_read(path, import_record, &rank, NULL, status);
    if (code == STATUS_OK && finish_rank(&rank, status) != STATUS_OK)
        code = status_prefix(status, "%s", path);
    free(rank.done);
    free(rank.rma_operations);
    key_table_free(&rank.edges);
    key_table_free(&rank.locks);
    return code;
}

/*
 * Imports an OTF2 archive as a program. Distributes the ranks over processes and threads, adds up
 * what could not be carried over, and refuses archives that lack what a replay needs.
 *
 * Must not know single records. Invariants: a worker has one reader and reads one location at a
 * time; the result does not depend on the number of workers and processes.
 */
#include "traces/otf2/otf2_import.h"
#include "traces/otf2/otf2_import_archive.h"
#include "traces/otf2/otf2_import_rank.h"
#include "traces/otf2/otf2_import_regions.h"
#include "traces/otf2/otf2_import_timeline.h"
#include "traces/otf2/otf2_properties.h"

#include "core/base/plural.h"
#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "core/processes/processes.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

struct import_worker {
    struct otf2_reader *reader;
    struct import_sum sum;
    uint8_t *sides;
};

struct import_job {
    struct import_archive archive;
    struct import_share share;
    struct import_worker *workers;
    unsigned worker_count;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    atomic_uint_fast64_t ranks_done;
};

/* ---- one location ---- */

static status_code read_location(struct import_job *job, struct import_worker *worker,
                                 uint32_t number, otf2_event_sink sink,
                                 struct import_timeline *timeline, struct status *status) {
    const struct import_archive *archive = &job->archive;
    const struct otf2_location *location = &archive->definitions.locations[number];
    if (worker->reader == NULL) worker->reader = otf2_reader_open(archive->anchor_path, status);
    if (worker->reader == NULL) return STATUS_INPUT;
    if (archive->definitions.handle_count > 0)
        otf2_reader_use_offset_attribute(
            worker->reader, otf2_definitions_attribute(&archive->definitions, OTF2_OFFSET_NAME));
    bool is_empty = location->event_count == 0 && !archive->miscounts;
    if (is_empty && !otf2_reader_has_events(worker->reader, location->id)) return STATUS_OK;
    uint64_t event_count;
    FORWARD_IF_ERROR(otf2_reader_read_events(worker->reader, location->id, sink, timeline,
                                             &event_count, status));
    RETURN_ERROR_IF(!archive->miscounts && event_count != location->event_count, status,
                    STATUS_INPUT,
                    "its event file holds %" PRIu64 " event%s instead of the %" PRIu64
                    " that the definitions announce: it is damaged",
                    event_count, plural(event_count), location->event_count);
    worker->sum.event_count += event_count;
    worker->sum.counts.drifting_clocks += otf2_reader_clock_drifts(worker->reader);
    import_sum_add_times(&worker->sum, timeline->has_events, timeline->first_ticks,
                         timeline->last_ticks);
    return STATUS_OK;
}

/* The event sink for a location that belongs to no rank: notes the span of its times and refuses
 * MPI records. */
static status_code only_times(void *context, const struct otf2_event *event,
                              struct status *status) {
    RETURN_ERROR_IF(otf2_event_is_mpi(event), status, STATUS_INPUT,
                    "event %" PRIu64
                    ": a record of MPI communication on a location that belongs to no rank: the "
                    "global definitions are damaged",
                    event->record);
    struct import_timeline *timeline = context;
    const struct import_span *span = &timeline->rank->archive->span;
    if (!import_time_fits(timeline->rank->archive, event->ticks, 0)) {
        timeline->counts->outer_times++;
        if (span->is_exact) return STATUS_OK; /* its events are not replayed */
    }
    if (!timeline->has_events) timeline->first_ticks = event->ticks;
    timeline->has_events = true;
    if (event->ticks > timeline->last_ticks) timeline->last_ticks = event->ticks;
    return STATUS_OK;
}

/* ---- one rank ---- */

static status_code read_thread(struct import_job *job, struct import_worker *worker,
                               uint32_t thread, uint32_t location, struct import_rank *rank,
                               struct import_delayed *delayed, uint64_t *last_ticks,
                               struct status *status) {
    struct import_timeline timeline = {
        .rank = rank, .thread = thread, .counts = &worker->sum.counts, .delayed = delayed};
    status_code code =
        read_location(job, worker, location, import_timeline_event, &timeline, status);
    if (code == STATUS_OK && thread == 0) code = import_delayed_flush(rank, delayed, status);
    if (code == STATUS_OK) code = import_timeline_finish(&timeline, status);
    if (timeline.last_ticks > *last_ticks) *last_ticks = timeline.last_ticks;
    free(timeline.stack);
    if (code != STATUS_OK && rank->missing.record != NULL &&
        !otf2_reader_is_damaged(worker->reader))
        code = import_refuse_missing(rank, &job->archive.definitions.locations[location], status);
    if (code == STATUS_OK) return STATUS_OK;
    return status_prefix(status, "%s: rank %u, location %" PRIu64, job->archive.anchor_path,
                         rank->rank, job->archive.definitions.locations[location].id);
}

/* An event sink that finds the first record of communication. Its error ends the reading. */
static status_code seek_communication(void *context, const struct otf2_event *event,
                                      struct status *status) {
    bool *found = context;
    *found = import_is_communication(event);
    return *found ? status_set(status, STATUS_INPUT, "found") : STATUS_OK;
}

/* Returns the thread that communicates alone; 0 if the master or several threads communicate.
 * Ignores faults of the master's location: reading that location later reports them. */
static uint32_t find_lone_caller(const struct import_archive *archive, uint32_t master,
                                 const struct import_delayed *delayed) {
    uint32_t caller = import_delayed_caller(delayed);
    if (caller == 0) return 0;
    struct status ignored = STATUS_INIT;
    bool found = false;
    uint64_t event_count;
    struct otf2_reader *reader = otf2_reader_open(archive->anchor_path, &ignored);
    if (reader != NULL)
        (void)otf2_reader_read_events(reader, archive->definitions.locations[master].id,
                                      seek_communication, &found, &event_count, &ignored);
    otf2_reader_close(reader);
    status_clear(&ignored);
    return found ? 0 : caller;
}

static status_code read_threads(struct import_job *job, struct import_worker *worker,
                                struct import_rank *rank, struct import_delayed *delayed,
                                struct status *status) {
    const struct import_archive *archive = &job->archive;
    const uint32_t *locations = archive->rank_locations + archive->first_location[rank->rank];
    uint32_t count = archive->first_location[rank->rank + 1] - archive->first_location[rank->rank];
    uint64_t last_ticks = 0;
    for (uint32_t thread = 1; thread < count; thread++)
        FORWARD_IF_ERROR(read_thread(job, worker, thread, locations[thread], rank, delayed,
                                     &last_ticks, status));
    rank->is_concurrent = delayed->count > 0;
    if (rank->is_concurrent) {
        rank->follows = find_lone_caller(archive, locations[0], delayed);
        FORWARD_IF_ERROR(import_delayed_sort(delayed, status));
    }
    FORWARD_IF_ERROR(read_thread(job, worker, 0, locations[0], rank, delayed, &last_ticks, status));
    status_code code = import_rank_finish(rank, last_ticks, status);
    if (code == STATUS_OK) return STATUS_OK;
    return status_prefix(status, "%s", archive->anchor_path);
}

static status_code read_rank(struct import_job *job, struct import_worker *worker, uint32_t number,
                             struct status *status) {
    struct import_archive *archive = &job->archive;
    uint32_t threads = archive->first_location[number + 1] - archive->first_location[number];
    struct import_rank rank = {.archive = archive,
                               .rank = number,
                               .calls = memory_new(threads, sizeof *rank.calls),
                               .threads = threads,
                               .open = PROGRAM_NONE,
                               .last_communicator = PROGRAM_NONE,
                               .counts = &worker->sum.counts,
                               .sides = worker->sides};
    RETURN_ERROR_IF(rank.calls == NULL, status, STATUS_MEMORY, "out of memory for rank %u", number);
    for (size_t i = 0; i < archive->definitions.communicator_count; i++)
        worker->sides[i] = IMPORT_SIDE_UNKNOWN;
    struct import_delayed delayed = {0};
    status_code code = read_threads(job, worker, &rank, &delayed, status);
    if (code == STATUS_OK && builder_end_rank(archive->builder, number, status) != STATUS_OK)
        code = status_prefix(status, "%s", archive->anchor_path);
    for (uint32_t i = 0; i < threads; i++)
        free(rank.calls[i].completed);
    free(rank.calls);
    free(delayed.events);
    import_rank_clear(&rank);
    return code;
}

/* Reads the locations of no rank (accelerators, metrics), of which only times and events count. */
static status_code read_others(struct import_job *job, struct import_worker *worker,
                               struct status *status) {
    const struct import_archive *archive = &job->archive;
    uint32_t end = (uint32_t)archive->definitions.location_count;
    for (uint32_t i = archive->first_location[archive->rank_count]; i < end; i++) {
        struct import_rank nobody = {.archive = archive};
        struct import_timeline timeline = {.rank = &nobody, .counts = &worker->sum.counts};
        uint32_t location = archive->rank_locations[i];
        if (read_location(job, worker, location, only_times, &timeline, status) != STATUS_OK)
            return status_prefix(status, "%s: location %" PRIu64, archive->anchor_path,
                                 archive->definitions.locations[location].id);
    }
    return STATUS_OK;
}

static status_code read_item(void *context, unsigned worker, uint64_t item, struct status *status) {
    struct import_job *job = context;
    const struct import_share *share = &job->share;
    if (item == share->end - share->first) return read_others(job, &job->workers[worker], status);
    FORWARD_IF_ERROR(read_rank(job, &job->workers[worker], share->first + (uint32_t)item, status));
    const uint64_t done = atomic_fetch_add(&job->ranks_done, 1) + 1;
    if (worker == 0 && job->progress != NULL) /* the caller's thread */
        job->progress(job->progress_context, done, share->end - share->first);
    return STATUS_OK;
}

/* ---- the whole ---- */

static void expect_operations(const struct import_archive *archive,
                              const struct import_share *share) {
    for (uint32_t rank = share->first; rank < share->end; rank++) {
        uint32_t master = archive->rank_locations[archive->first_location[rank]];
        builder_set_expected_share(archive->builder, rank,
                                   archive->definitions.locations[master].event_count);
    }
}

/* Returns how many ranks a share has, plus 1 if it has the locations of no rank. */
static uint64_t items_of(const struct import_share *share) {
    return (uint64_t)(share->end - share->first) + share->has_others;
}

static status_code prepare_workers(struct import_job *job, unsigned threads,
                                   struct status *status) {
    size_t regions = job->archive.definitions.region_count;
    size_t communicators = job->archive.definitions.communicator_count;
    job->worker_count = parallel_threads(threads, items_of(&job->share));
    job->workers = memory_new(job->worker_count, sizeof *job->workers);
    RETURN_ERROR_IF(job->workers == NULL, status, STATUS_MEMORY, "out of memory for threads");
    for (unsigned i = 0; i < job->worker_count; i++) {
        struct import_worker *worker = &job->workers[i];
        worker->sum.counts.calls_without_record = memory_new(regions, sizeof(uint64_t));
        worker->sides = memory_new(communicators, 1);
        RETURN_ERROR_IF(worker->sum.counts.calls_without_record == NULL || worker->sides == NULL,
                        status, STATUS_MEMORY, "out of memory for threads");
    }
    return STATUS_OK;
}

/* Adds up the figures of all workers in those of the first worker. */
static struct import_sum *add_up(struct import_job *job) {
    struct import_sum *sum = &job->workers[0].sum;
    for (unsigned i = 1; i < job->worker_count; i++)
        import_sum_add(sum, &job->workers[i].sum, job->archive.definitions.region_count);
    return sum;
}

/* Adds a note unless the archive states it: the archive's own count comes from the program that it
 * was written from, and is complete. */
static void write_note(struct program_builder *builder, const char *what, const char *why,
                       uint64_t count, bool is_assumed) {
    if (count == 0 || builder_has_note(builder, what)) return;
    builder_add_note_or_assumption(builder, what, why, count, is_assumed);
}

static void write_notes(const struct import_archive *archive, const struct import_counts *counts) {
    struct program_builder *builder = archive->builder;
    const struct otf2_definitions *definitions = &archive->definitions;
    for (size_t i = 0; i < definitions->region_count; i++) {
        bool is_started =
            archive->regions[i].class == IMPORT_COLLECTIVE_INIT && counts->started_collectives > 0;
        if (counts->calls_without_record[i] == 0 || is_started || archive->states_notes) continue;
        const char *name = otf2_definitions_text(definitions, definitions->regions[i].name);
        char call[IMPORT_NAME_SIZE];
        builder_add_note(builder, import_call_name(call, name) ? call : name,
                         archive->regions[i].why, counts->calls_without_record[i]);
    }
    const struct {
        uint64_t count;
        const char *what;
        const char *why;
        bool is_assumed;
    } notes[] = {
        {counts->sends_without_request, "MPI_Isend without request",
         "the trace was recorded without request ids (Score-P's XNONBLOCK group off); no rank "
         "waits for these sends in the replay",
         true},
        {counts->lost_receives, "MPI_Irecv never completed",
         "the trace does not say what they received; they are left out", false},
        {counts->lost_collectives, "non-blocking collective never completed",
         "the trace does not say what they were; they are left out", false},
        {counts->recording_gaps, "recording switched off",
         "what the program did in the meantime is not in the trace and takes no time", false},
        {counts->flushes, "trace buffer flushed",
         "the time the tracer took to write its buffer is left out", false},
        {counts->unbalanced_regions, "regions entered and left out of order",
         "they are closed with the region around them; messages and times are not affected", true},
        {counts->backward_times, "times that run backwards",
         "the time stamps of a location decrease, so a clock was corrected wrongly or the trace is "
         "damaged; the steps back count as no time",
         true},
        {counts->outer_times, "times outside the stated span",
         "the clock properties of the trace state the span of one process or a wrong span, or the "
         "trace is damaged; the times are used as recorded",
         true},
        {counts->drifting_clocks, "clocks corrected by much",
         "the measured offsets of a location's clock change by more than a hundredth of the time, "
         "so the clock has another rate or the trace is damaged; the corrected times are used",
         true},
        {counts->unknown_collectives, "unknown collective",
         "the trace holds an operation this version does not know; it costs nothing", false},
        {counts->foreign_rma, "one-sided operations outside MPI",
         "they belong to another programming model than MPI, and cost nothing in the replay",
         false},
        {counts->thread_calls, "MPI calls of several threads of a process",
         "they are replayed in the order in which they took place; computation is that of the "
         "first thread, and if another thread communicates alone, only outside the calls of that "
         "thread",
         true},
        {counts->starts_of_any_mode, "persistent sends of unknown mode",
         "the trace does not say for certain whether MPI_Send_init, MPI_Ssend_init or another call "
         "made them; they are replayed as standard sends",
         true},
        {counts->tested_sends, "sends found complete by MPI_Test and its kin",
         "a test shows when a send was complete, not that the program would have waited: the rank "
         "continues, and the send must be complete when its request is started again or the rank "
         "ends",
         true},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        write_note(builder, notes[i].what, notes[i].why, notes[i].count, notes[i].is_assumed);
}

/* Refuses an EZTrace archive that lacks records. EZTrace loses records when a program ignores
 * statuses, and never writes some. */
static status_code refuse_incomplete(const struct import_archive *archive,
                                     const struct import_counts *counts, struct status *status) {
    uint64_t sends = counts->isends - counts->isends_completed;
    uint64_t receives = counts->irecvs - counts->irecvs_completed;
    uint64_t calls = 0;
    for (size_t i = 0; i < archive->definitions.region_count; i++)
        calls += counts->calls_without_record[i];
    if (!archive->is_eztrace || (sends == 0 && receives == 0 && calls == 0)) return STATUS_OK;
    return status_set(status, STATUS_INPUT,
                      "%s: this EZTrace archive lacks records that a replay needs: %" PRIu64
                      " MPI_ISEND_COMPLETE (of %" PRIu64 "), %" PRIu64 " MPI_IRECV (of %" PRIu64
                      "), and all records of %" PRIu64
                      " other communication calls. EZTrace loses them when a program waits with "
                      "MPI_STATUS_IGNORE, and never writes those of MPI_Sendrecv and non-blocking "
                      "collectives: record the program with Score-P",
                      archive->anchor_path, sends, counts->isends, receives, counts->irecvs, calls);
}

static status_code conclude(struct import_job *job, unsigned threads, struct program **program,
                            struct status *status) {
    struct import_archive *archive = &job->archive;
    struct import_sum *sum = add_up(job);
    FORWARD_IF_ERROR(import_sum_processes(archive, sum, status));
    RETURN_ERROR_IF(sum->counts.mpi_calls == 0, status, STATUS_INPUT,
                    "%s: there is no MPI in this trace: no process calls MPI. Record an MPI "
                    "program, with the tracer's MPI support on",
                    archive->anchor_path);
    FORWARD_IF_ERROR(refuse_incomplete(archive, &sum->counts, status));
    FORWARD_IF_ERROR(import_check_guesses(archive, status));
    write_notes(archive, &sum->counts);
    import_record_guesses(archive);
    int64_t span_ps = 0;
    FORWARD_IF_ERROR(
        import_duration_ps(archive, sum->last_ticks - sum->first_ticks, &span_ps, status));
    const char *creator = archive->definitions.creator;
    builder_set_source(archive->builder, archive->anchor_path,
                       creator != NULL && *creator != '\0' ? creator
                       : archive->is_eztrace               ? "EZTrace"
                       : archive->is_dumpi                 ? "dumpi2otf2"
                                                           : "unknown tracer",
                       sum->event_count, archive->definitions.location_count, span_ps);
    if (builder_seal(archive->builder, threads, program, status) == STATUS_OK) return STATUS_OK;
    import_blame_guesses(archive, status);
    return status_prefix(status, "%s", archive->anchor_path);
}

static void clear_job(struct import_job *job) {
    for (unsigned i = 0; job->workers != NULL && i < job->worker_count; i++) {
        otf2_reader_close(job->workers[i].reader);
        free(job->workers[i].sum.counts.calls_without_record);
        free(job->workers[i].sides);
    }
    free(job->workers);
    import_archive_clear(&job->archive);
}

status_code traces_import_otf2(struct program **program, const char *anchor_path,
                               const struct traces_config *config, unsigned threads,
                               void (*progress)(void *context, uint64_t done, uint64_t total),
                               void *progress_context, struct status *status) {
    *program = NULL;
    struct import_job job = {.progress = progress, .progress_context = progress_context};
    status_code code = import_archive_read(&job.archive, anchor_path, config, status);
    if (code == STATUS_OK) {
        job.share = import_share_of(&job.archive);
        builder_divide(job.archive.builder, config->processes, job.share.first, job.share.end);
        expect_operations(&job.archive, &job.share);
        code = builder_may_pack(job.archive.builder, status);
    }
    if (code == STATUS_OK) code = prepare_workers(&job, threads, status);
    if (code == STATUS_OK)
        code = parallel_for(threads, items_of(&job.share), read_item, &job, status);
    code = processes_agree(config->processes, code, status);
    if (code == STATUS_OK) code = conclude(&job, threads, program, status);
    clear_job(&job);
    return code;
}

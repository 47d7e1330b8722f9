/*
 * Opens the folder of a recording as a program: surveys the ranks, imports them, and says what the
 * program does not carry. Must not know records.
 */
#include "traces/recording/recording_folder.h"

#include "core/memory/memory.h"
#include "core/processes/parallel.h"
#include "traces/recording/recording_rank.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool recording_is_rank_file(const char *name) {
    static const char start[] = "rank-", end[] = ".rec";
    size_t length = strlen(name);
    return length > sizeof start + sizeof end && strncmp(name, start, sizeof start - 1) == 0 &&
           strcmp(name + length - (sizeof end - 1), end) == 0;
}

bool traces_is_recording(const char *folder) {
    bool is_recording = false;
    DIR *listing = opendir(folder);
    if (listing == NULL) return false;
    for (struct dirent *entry = readdir(listing); entry != NULL && !is_recording;
         entry = readdir(listing))
        is_recording = recording_is_rank_file(entry->d_name);
    closedir(listing);
    return is_recording;
}

/* ---- ranks ---- */

struct import_job {
    struct survey survey;
    struct recording_counts *counts; /* of each worker */
    unsigned worker_count;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    atomic_uint_fast64_t ranks_done;
};

/* Imports one rank; a parallel_function. */
static status_code import_rank(void *context, unsigned worker, uint64_t rank,
                               struct status *status) {
    struct import_job *job = context;
    FORWARD_IF_ERROR(
        recording_import_rank(&job->survey, (uint32_t)rank, &job->counts[worker], status));
    const uint64_t done = atomic_fetch_add(&job->ranks_done, 1) + 1;
    if (worker == 0 && job->progress != NULL)
        job->progress(job->progress_context, done, job->survey.rank_count);
    return STATUS_OK;
}

/* Returns the counts of all workers together. */
static struct recording_counts add_up(const struct import_job *job) {
    struct recording_counts sum = {0};
    for (unsigned i = 0; i < job->worker_count; i++) {
        const struct recording_counts *counts = &job->counts[i];
        sum.foreign += counts->foreign;
        for (unsigned what = 0; what < RECORDING_UNKNOWNS; what++)
            sum.unknown[what] += counts->unknown[what];
        sum.file_calls += counts->file_calls;
        sum.lost_receives += counts->lost_receives;
        sum.lost_collectives += counts->lost_collectives;
        sum.tested_sends += counts->tested_sends;
        sum.thread_calls += counts->thread_calls;
        sum.records += counts->records;
        if (counts->last_ps > sum.last_ps) sum.last_ps = counts->last_ps;
    }
    return sum;
}

/* ---- notes ---- */

/* Writes how the recording of one rank that was cut ended: of the first rank with the clearest
 * reason. */
static void describe_cut(const struct survey *survey, char *text, size_t bytes) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < survey->rank_count; i++) {
        recording_state state = survey->ranks[i].extent.state,
                        found = survey->ranks[rank].extent.state;
        if (state != RECORDING_COMPLETE &&
            (found == RECORDING_COMPLETE || (found == RECORDING_RUNS && state > found)))
            rank = i;
    }
    const struct recording_extent *extent = &survey->ranks[rank].extent;
    const char *how = extent->state == RECORDING_ABORTED    ? "called MPI_Abort"
                      : extent->state == RECORDING_NO_SPACE ? "had no space to record"
                      : extent->records == 0                ? "ended in MPI_Init"
                                                            : "ended without MPI_Finalize";
    snprintf(text, bytes,
             "the recording was cut: rank %u %s; ranks are replayed as far as all members of their "
             "collectives were recorded",
             rank, how);
}

static void write_notes(const struct survey *survey, const struct recording_counts *counts) {
    struct program_builder *builder = survey->builder;
    char cut[256], eager[256];
    uint64_t by_processor = 0, eager_bytes = survey->ranks[0].header.eager_bytes;
    for (uint32_t rank = 0; rank < survey->rank_count; rank++)
        by_processor += survey->ranks[rank].uses_processor_time;
    if (survey->is_cut) {
        describe_cut(survey, cut, sizeof cut);
        builder_add_note(builder, TRACES_CUT_RANKS, cut, survey->cut_ranks);
    }
    if (by_processor > 0)
        builder_add_assumption(
            builder, "ranks whose computation is processor time",
            survey->config->computation == TRACES_TIME_AUTO
                ? "more ranks than processors were recorded, so that the ranks took "
                  "turns; trace.computation=wall takes the time that passed"
                : "as trace.computation says",
            by_processor);
    if (eager_bytes > 0) {
        snprintf(eager, sizeof eager,
                 "the MPI library of the recording sent up to %" PRIu64
                 " bytes at once; mpi.eager_threshold says it for a replay",
                 eager_bytes);
        builder_add_assumption(builder, "eager limit of the recording", eager, 1);
    }
    const struct {
        uint64_t count;
        const char *what;
        const char *why;
        bool is_assumed;
    } notes[] = {
        {counts->foreign, "calls with other processes",
         "processes outside MPI_COMM_WORLD are not recorded: these calls cost nothing", false},
        {counts->unknown[RECORDING_UNKNOWN_COMMUNICATOR], "calls on unknown communicators",
         "the communicators or windows were made by calls that are not recorded: messages, "
         "collectives and one-sided operations on them cost nothing",
         false},
        {counts->unknown[RECORDING_UNKNOWN_REQUEST], "starts of unknown requests",
         "the persistent requests were made by calls that are not recorded: what these starts "
         "begin "
         "costs nothing",
         false},
        {counts->file_calls, "MPI-IO",
         "opening, closing and synchronising files costs no time, and neither do reads and writes "
         "without a known place",
         false},
        {counts->lost_receives, "receives that never completed",
         "they were cancelled or freed, or the recording ends before they complete", false},
        {counts->lost_collectives, "collectives that never completed",
         "the recording ends before they complete", false},
        {counts->thread_calls, "MPI calls of several threads of a process",
         "a rank is replayed as one thread: calls post in the order in which they began and wait "
         "in "
         "the order in which they ended; computation is that of one thread",
         true},
        {counts->tested_sends, "sends found complete by MPI_Test and its kin",
         "a test shows when a send was complete, not that the program would have waited: the rank "
         "continues, and the send must be complete when its request is started again or the rank "
         "ends",
         true},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (notes[i].count > 0)
            builder_add_note_or_assumption(builder, notes[i].what, notes[i].why, notes[i].count,
                                           notes[i].is_assumed);
}

/* ---- all ranks ---- */

/* Writes the name of the program's source. The folder of `anax record -o NAME.anax` is
 * NAME.anax.recording, which is removed after the import, so the source is then NAME.anax. */
static void name_source(char source[RECORDING_PATH_BYTES], const char *folder) {
    static const char end[] = ".recording";
    size_t length = strlen(folder), end_length = sizeof end - 1;
    if (length > end_length && strcmp(folder + length - end_length, end) == 0) length -= end_length;
    snprintf(source, RECORDING_PATH_BYTES, "%.*s", (int)length, folder);
}

/* Writes notes and source of the program, and makes it. */
static status_code conclude(struct import_job *job, unsigned threads, struct program **program,
                            struct status *status) {
    const struct survey *survey = &job->survey;
    const struct recording_counts counts = add_up(job);
    char creator[256], source[RECORDING_PATH_BYTES];
    write_notes(survey, &counts);
    name_source(source, survey->folder);
    snprintf(creator, sizeof creator, "anax record, %s", survey->ranks[0].header.library);
    builder_set_source(survey->builder, source, creator, counts.records, survey->rank_count,
                       counts.last_ps);
    if (builder_seal(survey->builder, threads, program, status) == STATUS_OK) return STATUS_OK;
    return status_prefix(status, "%s", survey->folder);
}

status_code traces_import_recording(struct program **program, const char *folder,
                                    const struct traces_config *config, unsigned threads,
                                    void (*progress)(void *context, uint64_t done, uint64_t total),
                                    void *progress_context, struct status *status) {
    struct import_job job = {.progress = progress, .progress_context = progress_context};
    *program = NULL;
    status_code code = recording_survey_folder(&job.survey, folder, config, threads, status);
    if (code == STATUS_OK) {
        for (uint32_t rank = 0; rank < job.survey.rank_count; rank++)
            builder_set_expected_share(job.survey.builder, rank,
                                       job.survey.ranks[rank].extent.records);
        job.worker_count = parallel_threads(threads, job.survey.rank_count);
        job.counts = memory_new(job.worker_count, sizeof *job.counts);
        if (job.counts == NULL) code = status_set(status, STATUS_MEMORY, "out of memory");
    }
    if (code == STATUS_OK)
        code = parallel_for(threads, job.survey.rank_count, import_rank, &job, status);
    if (code == STATUS_OK) code = conclude(&job, threads, program, status);
    free(job.counts);
    recording_survey_clear(&job.survey);
    return code;
}

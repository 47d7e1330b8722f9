/*
 * Warns about shares of a trace from a tenth upwards: messages without a partner, MPI calls that
 * are not modelled, collectives among these calls, and the recorded time in these calls. Of a
 * result also: messages within nodes that take longer than the run at the bandwidth of the memory.
 */
#include "api/results/warnings.h"
#include "api/results/percent.h"
#include "core/base/wide.h"
#include "core/memory/memory.h"
#include "core/settings/units.h"
#include "traces/program/program_coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_SHARE_PERCENT = 10 };

/* Returns whether a program has unmatched messages or calls that are not modelled. For most
 * programs this saves the search through all operations. */
static bool lacks_something(const struct program *program, bool has_storage) {
    if (program->unmatched_sends + program->unmatched_receives > 0) return true;
    if (program->file_count > 0 && !has_storage) return true;
    for (uint32_t i = 0; i < program->note_count; i++)
        if (program->notes[i].is_assumed == 0) return true;
    return false;
}

/* Adds a warning and returns it; NULL if the share is too small. */
static struct warnings_entry *add_warning(struct warnings_entry *warnings, size_t *count,
                                          const char *what, uint64_t part, uint64_t whole) {
    bool is_small =
        (unsigned __int128)part * 100 < (unsigned __int128)whole * SMALLEST_SHARE_PERCENT;
    if (part == 0 || is_small) return NULL;
    struct warnings_entry *warning = &warnings[(*count)++];
    *warning = (struct warnings_entry){.what = what, .part = part, .whole = whole};
    return warning;
}

static const char *region_name(const struct program *program, uint32_t region) {
    return region == PROGRAM_NONE ? "" : program_text(program, program->regions[region].name);
}

bool warnings_find(const struct program *program, bool has_storage, struct warnings_entry *warnings,
                   size_t *count) {
    *count = 0;
    if (!lacks_something(program, has_storage)) return true;
    struct program_coverage coverage;
    struct status status = STATUS_INIT;
    if (program_coverage_compute(program, has_storage, &coverage, &status) != STATUS_OK) {
        status_clear(&status);
        return false;
    }
    const char *advice = coverage.accesses > 0 && !has_storage
                             ? " (io.nodes gives reads and writes of files their time)"
                             : "";
    struct warnings_entry *warning =
        add_warning(warnings, count, "unmatched messages", coverage.unmatched, coverage.messages);
    if (warning != NULL)
        snprintf(warning->why, sizeof warning->why,
                 "%.1f %% of the sends and receives (%" PRIu64 " of %" PRIu64
                 ") have no partner in the trace: nobody waits for what they carry",
                 percent_of(warning->part, warning->whole), warning->part, warning->whole);
    warning = add_warning(warnings, count, "calls that are not modelled", coverage.unmodelled_calls,
                          coverage.calls);
    if (warning != NULL)
        snprintf(warning->why, sizeof warning->why,
                 "%.1f %% of the MPI calls (%" PRIu64 " of %" PRIu64
                 ", most often %.60s) are not modelled: neither their data nor their "
                 "synchronisation take time%s",
                 percent_of(warning->part, warning->whole), warning->part, warning->whole,
                 region_name(program, coverage.most_called), advice);
    warning = add_warning(warnings, count, "collectives that are not modelled",
                          coverage.unmodelled_collectives, coverage.collectives);
    if (warning != NULL)
        snprintf(warning->why, sizeof warning->why,
                 "%.1f %% of the collectives (%" PRIu64 " of %" PRIu64
                 ") are not modelled%s: nobody waits for other ranks in them",
                 percent_of(warning->part, warning->whole), warning->part, warning->whole,
                 program_lacks_collectives(program)
                     ? " (trace.guess_collectives guesses non-blocking ones)"
                     : "");
    warning = add_warning(warnings, count, "time in calls that are not modelled",
                          coverage.unmodelled_ns, coverage.time_ns);
    if (warning != NULL)
        snprintf(warning->why, sizeof warning->why,
                 "%.1f %% of the recorded time in MPI (longest in %.60s) is in calls that are not "
                 "modelled: they take no time%s",
                 percent_of(warning->part, warning->whole), region_name(program, coverage.longest),
                 advice);
    return true;
}

static uint64_t *memory_bytes_of_nodes(const anax_replay_result *result) {
    const struct replay_result *replay = result->replay;
    uint64_t *bytes =
        memory_new((size_t)network_config_nodes(&result->run.config->network), sizeof *bytes);
    for (uint32_t i = 0; bytes != NULL && i < replay->rank_count; i++)
        bytes[replay->ranks[i].node] += replay->ranks[i].memory_bytes;
    return bytes;
}

bool warnings_find_memory(const anax_replay_result *result, struct warnings_entry *warning,
                          size_t *count, size_t *job) {
    const struct replay_result *replay = result->replay;
    const struct network_config *config = &result->run.config->network;
    const uint64_t bandwidth = (uint64_t)config->memory_bandwidth_bytes_per_s;
    uint64_t nodes = 0, most = 0;
    uint32_t first = 0;
    *count = *job = 0;
    if (!result->run.completed || replay->time_ps <= 0) return true;
    uint64_t *bytes = memory_bytes_of_nodes(result);
    if (bytes == NULL) return false;
    const wide carried = (wide)bandwidth * (uint64_t)replay->time_ps / 1000000000000u;
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        uint64_t *of_node = &bytes[replay->ranks[i].node];
        nodes += *of_node > carried;
        if (*of_node > carried && *of_node > most) {
            most = *of_node;
            first = i;
        }
        *of_node = 0; /* counted */
    }
    free(bytes);
    if (nodes == 0) return true;
    char size[32], rate[32];
    units_size_human(most, size, sizeof size);
    units_bandwidth_text((int64_t)bandwidth, rate, sizeof rate);
    *warning = (struct warnings_entry){
        .what = "messages within nodes", .part = most - (uint64_t)carried, .whole = most};
    snprintf(warning->why, sizeof warning->why,
             "the messages within node %" PRIu32 " have %s, for which its memory needs %.1f times "
             "the predicted time (network.memory.bandwidth=%s; %" PRIu64
             " such node%s): messages within a node do not share it in the model, so that "
             "they arrive too early",
             replay->ranks[first].node, size, (double)most / (double)carried, rate, nodes,
             nodes > 1 ? "s" : "");
    *count = 1;
    *job = api_job_of(result, first);
    return true;
}

/* Adds a line for a warning: as a paragraph of a text if something stands before it. */
static void add_line(struct text_buffer *text, const char *before, const char *job,
                     const char *why) {
    struct text_buffer line = TEXT_BUFFER_INIT;
    text_add(&line, "%s", before);
    if (job != NULL) {
        text_add(&line, "job ");
        text_add_name(&line, job, 0);
        text_add(&line, ": ");
    }
    text_add_name(&line, why, 0);
    char *whole = text_take(&line);
    if (whole == NULL)
        text->failed = true;
    else if (before[0] != '\0')
        text_add_paragraph(text, 0, whole);
    else
        text_add(text, "%s\n", whole);
    free(whole);
}

/* Adds a line for each warning about a program. */
static void add_lines(struct text_buffer *text, const char *before, const char *job,
                      const struct program *program, bool has_storage) {
    struct warnings_entry warnings[WARNINGS_MAX];
    size_t count;
    if (!warnings_find(program, has_storage, warnings, &count)) text->failed = true;
    for (size_t i = 0; i < count; i++)
        add_line(text, before, job, warnings[i].why);
}

void warnings_text(struct text_buffer *text, const char *before, const struct program *program,
                   bool has_storage) {
    add_lines(text, before, NULL, program, has_storage);
}

void warnings_result_text(struct text_buffer *text, const char *before,
                          const anax_replay_result *result) {
    for (size_t i = 0; i < result->job_count; i++)
        add_lines(text, before, result->job_count > 1 ? result->jobs[i].name : NULL,
                  result->jobs[i].program, replay_has_storage(&result->run.config->replay));
    struct warnings_entry memory;
    size_t count, job;
    if (!warnings_find_memory(result, &memory, &count, &job)) text->failed = true;
    if (count > 0) add_line(text, before, NULL, memory.why);
    if (result->run.completed && result->run.config->traces.user_regions &&
        result->region_count == 0)
        text_add(text, "%strace.user_regions=on: the trace has no user regions\n", before);
}

char *anax_trace_warnings(const anax_trace *trace) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s", "");
    warnings_text(&text, "", trace->program, trace->has_storage);
    return text_take(&text);
}

char *anax_replay_result_warnings(const anax_replay_result *result) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s", "");
    warnings_result_text(&text, "", result);
    return text_take(&text);
}

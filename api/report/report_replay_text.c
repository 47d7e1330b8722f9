/* A replay's result for people. Figures are rounded; the JSON has the exact figures. */
#include "api/config/changed_settings.h"
#include "api/report/report.h"
#include "api/report/report_layout.h"
#include "api/results/verdict.h"
#include "api/results/warnings.h"
#include "core/base/plural.h"
#include "core/settings/units.h"
#include "network/network_choices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SLOWEST = 5, CALLS = 12, WIDEST_NAME = 48 };

static void add_trace(struct text_buffer *text, const struct program *program) {
    struct text_buffer line = TEXT_BUFFER_INIT;
    text_add(&line, "Replay of ");
    text_add_name(&line, program_text(program, program->source), 0);
    text_add(&line, " (%" PRIu32 " rank%s, ", program->rank_count, plural(program->rank_count));
    text_add_name(&line, program_text(program, program->creator), 0);
    text_add(&line, ")");
    char *words = text_take(&line);
    if (words == NULL)
        text->failed = true;
    else if (text_name_width(words) <= TEXT_LINE_WIDTH)
        text_add(text, "%s\n", words);
    else
        text_add_paragraph(text, 0, words);
    free(words);
}

/* Adds the verdict, which people read first. */
static void add_verdict(struct text_buffer *text, const anax_replay_result *result) {
    struct verdict verdict;
    verdict_find(&verdict, result);
    for (size_t i = 0; i < verdict.count; i++)
        text_add_paragraph(text, 0, verdict.sentences[i].text);
    if (verdict.count > 0) text_add(text, "\n");
}

static void add_head(struct text_buffer *text, const anax_replay_result *result) {
    const struct program *program = result->trace->program;
    const anax_config *config = result->run.config;
    if (result->job_count > 1)
        text_add(text, "Replay of %zu jobs (%" PRIu32 " ranks)\n", result->job_count,
                 program->rank_count);
    else
        add_trace(text, program);
    report_machine_text(text, result->run.config);
    report_routing_text(text, config);
    report_placement_text(
        text, config, result->job_count == 1 ? result->jobs[0].policy : config->placement.policy);
    report_machine_mpi_text(text, config);
    report_settings_text(text, "settings changed: ", config, ANAX_SCOPE_REPLAY, REPORT_ALL_SETTINGS,
                         NULL);
    text_add(text, "\n");
}

/* Returns the first setting that makes a replay predict another run than the recorded one; NULL:
 * none. */
static const char *other_run(const anax_config *config) {
    static const char *const settings[] = {"trace.repeat", "trace.compute_scale",
                                           "replay.compute_scale", "replay.compute_factors",
                                           "noise.kind"};
    struct changed_settings changes;
    const char *found = NULL;
    if (changed_settings_find(&changes, config, ANAX_SCOPE_REPLAY, NULL) != STATUS_OK) return NULL;
    for (size_t k = 0; k < sizeof settings / sizeof *settings && found == NULL; k++)
        for (size_t i = 0; i < changes.count && found == NULL; i++)
            if (strcmp(changes.list[i].name, settings[k]) == 0) found = settings[k];
    changed_settings_free(&changes);
    return found;
}

/* Adds the span of a recording, and why the predicted time is another: the same computation, but
 * another network and another MPI. Time stamps that anax wrote are no measurement, so there is no
 * row for them. */
static void add_span(struct text_buffer *text, const anax_replay_result *result) {
    const struct program *program = result->trace->program;
    const int64_t span_ps = program->span_ps, time_ps = result->replay->time_ps;
    if (strcmp(program_text(program, program->creator), "anax") == 0 || span_ps <= 0) return;
    report_time_row(text, 2, "recorded span", span_ps);
    const bool longer = time_ps > span_ps;
    if (result->job_count > 1 ||
        (wide)(uint64_t)(longer ? time_ps - span_ps : span_ps - time_ps) * 10 <
            (wide)(uint64_t)span_ps)
        return;
    struct program_totals totals;
    program_totals_compute(program, &totals);
    wide computed = 0;
    for (uint32_t i = 0; i < result->replay->rank_count; i++)
        computed += (uint64_t)result->replay->ranks[i].compute_ps;
    char recorded[32], predicted[32];
    units_time_sum_human(totals.compute_ps / program->rank_count, recorded, sizeof recorded);
    units_time_sum_human(computed / program->rank_count, predicted, sizeof predicted);
    struct text_buffer words = TEXT_BUFFER_INIT;
    if (time_ps < span_ps / 10)
        text_add(&words, "The recorded span is %.*f times the predicted time. ",
                 time_ps < span_ps / 1000 ? 0 : 1, (double)span_ps / (double)time_ps);
    else
        text_add(&words, "The predicted time is %.2f times the recorded span. ",
                 (double)time_ps / (double)span_ps);
    if (strcmp(predicted, recorded) == 0)
        text_add(&words, "A rank computes %s on average in both", predicted);
    else
        text_add(&words, "A rank computes %s on average in the prediction and %s in the recording",
                 predicted, recorded);
    text_add(&words,
             ". The rest of the predicted time is MPI on the simulated machine; the rest of "
             "the recorded span is MPI on the recorded one.");
    const char *setting = other_run(result->run.config);
    if (setting != NULL)
        text_add(&words, " %s makes it another run than the recorded one.", setting);
    char *taken = text_take(&words);
    text_add_paragraph(text, 4, taken != NULL ? taken : "");
    text->failed = text->failed || taken == NULL;
    free(taken);
}

/* Adds the rows on what waiting for collectives consists of. */
static void add_collective_shares(struct text_buffer *text, const struct replay_result *replay,
                                  wide time) {
    static const char *const labels[4] = {"late partners", "network transit", "network queueing",
                                          "other"};
    wide parts[4] = {0};
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_collective_wait *wait = &replay->ranks[i].collective;
        parts[0] += (uint64_t)wait->late_ps;
        parts[1] += (uint64_t)wait->transit_ps;
        parts[2] += (uint64_t)wait->queueing_ps;
        parts[3] += (uint64_t)wait->other_ps;
    }
    for (size_t k = 0; k < 4; k++) {
        if (k == 3 && parts[k] == 0) continue;
        report_row(text, 6, labels[k]);
        text_add(text, "%5.1f %%\n", percent_of(parts[k], time));
    }
}

/* Adds the rows on where the ranks' time went, as sums over ranks. */
static void add_shares(struct text_buffer *text, const struct replay_result *replay) {
    wide time = 0, compute = 0, storage = 0;
    wide parts[8] = {0};
    static const char *const labels[8] = {"send overhead",    "receive overhead", "reductions",
                                          "late sender",      "late receiver",    "network transit",
                                          "network queueing", "collectives"};
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_rank_result *rank = &replay->ranks[i];
        const int64_t values[8] = {rank->send_overhead_ps,      rank->receive_overhead_ps,
                                   rank->reduction_ps,          rank->wait_late_sender_ps,
                                   rank->wait_late_receiver_ps, rank->wait_transit_ps,
                                   rank->wait_queueing_ps,      rank->collective_ps};
        for (size_t k = 0; k < 8; k++)
            parts[k] += (uint64_t)values[k];
        time += (uint64_t)rank->time_ps;
        compute += (uint64_t)rank->compute_ps;
        storage += (uint64_t)rank->wait_storage_ps;
    }
    report_row(text, 2, "computation");
    text_add(text, "%5.1f %% of all ranks' time\n", percent_of(compute, time));
    report_row(text, 2, "MPI");
    text_add(text, "%5.1f %%\n", percent_of(time - compute, time));
    for (size_t k = 0; k < 8; k++) {
        report_row(text, 4, labels[k]);
        text_add(text, "%5.1f %%\n", percent_of(parts[k], time));
        if (k != 4 || storage == 0) continue;
        report_row(text, 6, "I/O nodes");
        text_add(text, "%5.1f %%\n", percent_of(storage, time));
    }
    if (parts[7] > 0) add_collective_shares(text, replay, time);
}

static void add_slowest(struct text_buffer *text, const struct replay_result *replay) {
    const struct replay_rank_result *slowest[SLOWEST];
    size_t count = 0;
    for (uint32_t i = 0; i < replay->rank_count; i++) {
        const struct replay_rank_result *rank = &replay->ranks[i];
        size_t place = count;
        while (place > 0 && slowest[place - 1]->time_ps < rank->time_ps)
            place--;
        if (place == SLOWEST) continue;
        if (count < SLOWEST) count++;
        for (size_t k = count - 1; k > place; k--)
            slowest[k] = slowest[k - 1];
        slowest[place] = rank;
    }
    text_add(text, "\nSlowest ranks\n    rank      node  time        computation  MPI\n");
    for (size_t i = 0; i < count; i++) {
        char time[32];
        const struct replay_rank_result *rank = slowest[i];
        units_time_human(rank->time_ps, time, sizeof time);
        double share = percent_of((uint64_t)rank->compute_ps, (uint64_t)rank->time_ps);
        text_add(text, "%8" PRIu32 "  %8" PRIu32 "  %-10s     %5.1f %%  %5.1f %%\n", rank->rank,
                 rank->node, time, share, rank->time_ps > 0 ? 100.0 - share : 0.0);
    }
}

static int by_time(const void *first, const void *second) {
    const struct replay_mpi_function_result *a =
        *(const struct replay_mpi_function_result *const *)first;
    const struct replay_mpi_function_result *b =
        *(const struct replay_mpi_function_result *const *)second;
    if (a->time_ps != b->time_ps) return a->time_ps > b->time_ps ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Returns the width of a column of names: at least `width`, at most WIDEST_NAME, so that the
 * figures beside long names stay in view. */
static size_t column_width(size_t width, const char *name) {
    const size_t wanted = text_name_width(name);
    if (wanted <= width) return width;
    return wanted < WIDEST_NAME ? wanted : WIDEST_NAME;
}

static void add_calls(struct text_buffer *text, const struct replay_result *replay) {
    const struct replay_mpi_function_result **calls =
        malloc((replay->mpi_function_count + 1) * sizeof *calls);
    if (calls == NULL) {
        text->failed = true;
        return;
    }
    for (uint32_t i = 0; i < replay->mpi_function_count; i++)
        calls[i] = &replay->mpi_functions[i];
    qsort(calls, replay->mpi_function_count, sizeof *calls, by_time);
    size_t width = REPORT_LABEL_WIDTH;
    for (uint32_t i = 0; i < replay->mpi_function_count && i < CALLS; i++)
        width = column_width(width, calls[i]->name);
    if (replay->mpi_function_count > 0)
        text_add(text,
                 "\nMPI calls, over all ranks\n  %-*s      count  time        of it waiting\n",
                 (int)width, "name");
    for (uint32_t i = 0; i < replay->mpi_function_count && i < CALLS; i++) {
        char time[32], waiting[32];
        units_time_sum_human(calls[i]->time_ps, time, sizeof time);
        units_time_sum_human(calls[i]->wait_ps, waiting, sizeof waiting);
        text_add(text, "  ");
        text_add_cut_name(text, calls[i]->name, width);
        text_add(text, " %10" PRIu64 "  %-10s  %s\n", calls[i]->count, time, waiting);
    }
    if (replay->mpi_function_count > CALLS)
        text_add(text, "  and %" PRIu32 " more\n", replay->mpi_function_count - CALLS);
    free(calls);
}

char *report_replay_text(const anax_replay_result *result) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    const struct replay_result *replay = result->replay;
    add_verdict(&text, result);
    add_head(&text, result);
    warnings_result_text(&text, "Warning: ", result);
    if (!result->run.completed) {
        text_add(&text, "The replay did not finish.\n");
        text_add_lines(&text, result->run.failure != NULL ? result->run.failure : "");
        text_add(&text, "\n");
        return text_take(&text);
    }
    report_time_row(&text, 0, "Predicted time", replay->time_ps);
    add_span(&text, result);
    report_jobs_text(&text, result);
    add_shares(&text, replay);
    report_path_text(&text, result);
    add_slowest(&text, replay);
    add_calls(&text, replay);
    if (result->region_count > 0)
        report_regions_text(&text, result->regions, result->region_count,
                            result->job_count > 1 ? result->jobs : NULL);
    report_network_text(&text, &result->run.totals);
    report_row(&text, 2, "kinds");
    char threshold[UNITS_TEXT_BYTES];
    units_size_text(replay->eager_threshold_bytes, threshold, sizeof threshold);
    text_add(&text, "%" PRIu64 " eager (up to %s), %" PRIu64 " rendezvous,\n",
             replay->eager_messages, threshold, replay->rendezvous_messages);
    report_row(&text, 2, "");
    text_add(&text, "%" PRIu64 " of collectives\n", replay->collective_messages);
    report_io_nodes_text(&text, replay);
    report_links_text(&text, result);
    report_flows_text(&text, result);
    report_notes_text(&text, result->trace->program, 0, replay);
    report_simulation_text(&text, &result->run, true);
    return text_take(&text);
}

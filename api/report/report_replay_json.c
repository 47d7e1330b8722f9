/* A replay's result as JSON, schema anax.replay/1. Keys are documented in anax-json(5). */
#include "api/region_times.h"
#include "api/report/json_build.h"
#include "api/report/report.h"
#include "api/report/warnings.h"

#include <stdlib.h>

void report_json_trace(struct json_object *object, const struct program *program) {
    struct program_totals *totals = malloc(sizeof *totals);
    struct json_object *trace = json_put_object(object, "trace");
    json_put_text(trace, "path", program_text(program, program->source));
    json_put_text(trace, "creator", program_text(program, program->creator));
    json_put_hash(trace, "hash", program->content_hash);
    json_put_count(trace, "ranks", program->rank_count);
    json_put_count(trace, "events", program->event_count);
    json_put_int(trace, "span_ps", program->span_ps);
    if (totals == NULL) {
        json_give_up(trace);
    } else {
        program_totals_of(program, totals);
        json_put_count(trace, "messages", totals->messages);
        json_put_sum(trace, "message_bytes", totals->message_bytes);
    }
    json_put_count(trace, "unmatched_sends", program->unmatched_sends);
    json_put_count(trace, "unmatched_receives", program->unmatched_receives);
    free(totals);
}

static struct json_object *put_rank(struct json_object *array,
                                    const struct replay_rank_result *rank) {
    struct json_object *object = json_append_object(array);
    json_put_count(object, "rank", rank->rank);
    json_put_count(object, "node", rank->node);
    json_put_int(object, "time_ps", rank->time_ps);
    json_put_int(object, "compute_ps", rank->compute_ps);
    json_put_int(object, "mpi_ps", rank->time_ps - rank->compute_ps);
    json_put_int(object, "send_overhead_ps", rank->send_overhead_ps);
    json_put_int(object, "receive_overhead_ps", rank->receive_overhead_ps);
    json_put_int(object, "reduction_ps", rank->reduction_ps);
    json_put_int(object, "wait_late_sender_ps", rank->wait_late_sender_ps);
    json_put_int(object, "wait_late_receiver_ps", rank->wait_late_receiver_ps);
    json_put_int(object, "wait_transit_ps", rank->wait_transit_ps);
    json_put_int(object, "wait_queueing_ps", rank->wait_queueing_ps);
    json_put_int(object, "collective_ps", rank->collective_ps);
    json_put_count(object, "messages_sent", rank->messages_sent);
    json_put_count(object, "bytes_sent", rank->bytes_sent);
    return object;
}

/* Ranks of several jobs also tell whose they are. */
static void put_ranks(struct json_object *object, const anax_result *result) {
    struct json_object *ranks = json_put_array(object, "ranks");
    for (size_t i = 0; i < result->job_count; i++) {
        const struct api_job_result *job = &result->jobs[i];
        for (uint32_t k = 0; k < job->program->rank_count; k++) {
            struct json_object *rank = put_rank(ranks, &result->replay->ranks[job->first_rank + k]);
            if (result->job_count == 1) continue;
            json_put_count(rank, "job", i);
            json_put_count(rank, "job_rank", k);
        }
    }
}

static void put_calls(struct json_object *object, const struct replay_result *replay) {
    struct json_object *calls = json_put_array(object, "calls");
    for (uint32_t i = 0; i < replay->call_count; i++) {
        struct json_object *call = json_append_object(calls);
        json_put_text(call, "name", replay->calls[i].name);
        json_put_count(call, "count", replay->calls[i].count);
        json_put_sum(call, "time_ps", replay->calls[i].time_ps);
        json_put_sum(call, "wait_ps", replay->calls[i].wait_ps);
    }
}

static void put_regions(struct json_object *object, const anax_result *result) {
    struct json_object *regions = json_put_array(object, "regions");
    for (uint32_t i = 0; i < result->region_count; i++) {
        const struct region_time *time = &result->regions[i];
        struct json_object *region = json_append_object(regions);
        json_put_text(region, "name", time->name);
        json_put_count(region, "count", time->count);
        json_put_count(region, "ranks", time->ranks);
        json_put_sum(region, "time_ps", time->time_ps);
        json_put_sum(region, "mpi_ps", time->mpi_ps);
        json_put_int(region, "most_ps", time->most_ps);
        json_put_count(region, "most_rank", time->most_rank);
        if (result->job_count > 1) json_put_count(region, "job", time->job);
    }
}

static void put_figures(struct json_object *object, const anax_result *result) {
    const struct replay_result *replay = result->replay;
    json_put_int(object, "time_ps", replay->time_ps);
    put_ranks(object, result);
    report_json_jobs(object, result);
    put_calls(object, replay);
    put_regions(object, result);
    struct json_object *messages = json_put_object(object, "messages");
    json_put_int(messages, "eager_threshold_bytes", replay->eager_threshold_bytes);
    json_put_count(messages, "eager", replay->eager_messages);
    json_put_count(messages, "rendezvous", replay->rendezvous_messages);
    json_put_count(messages, "collective", replay->collective_messages);
    json_put_count(messages, "one_sided", replay->remote_operations);
    report_json_network(json_put_object(object, "network"), &result->totals);
    report_json_links(object, result);
}

char *report_replay_json(const anax_result *result) {
    struct json_object *object = json_begin();
    if (object == NULL) return NULL;
    report_json_head(object, result, "anax.replay/1");
    json_put_text(object, "placement", placement_policy_names()[result->config->placement.policy]);
    report_json_trace(object, result->trace->program);
    warnings_result_json(object, result);
    if (result->completed) put_figures(object, result);
    report_json_simulation(object, result);
    report_notes_json(object, result->trace->program, result->replay);
    return json_finish(object);
}

/*
 * Warns before a replay: that it takes long, because the messages have very many packets, and that
 * the rate at which ranks combine data is not that of the GPUs of a generated training step.
 */
#include "api/command_support.h"
#include "api/run/jobs.h"
#include "api/text/text_buffer.h"
#include "core/settings/units.h"

#include <stdlib.h>
#include <string.h>

enum {
    MANY_PACKETS = 100000000, /* minutes to hours */
    PACKETS_PER_S = 1000000,  /* a round number of what one computer simulates */
    MINUTE_S = 60,
    HOUR_S = 3600
};

/* Adds how long so many packets take. */
static void add_duration(struct text_buffer *text, wide packets) {
    wide seconds = packets / PACKETS_PER_S;
    if (seconds < HOUR_S)
        text_add(text, "%u min", (unsigned)(seconds / MINUTE_S));
    else
        text_add(text, "%.0f h", (double)seconds / HOUR_S);
}

/* Messages within nodes have no packets. Where ranks are is not known yet, so they are counted. */
static void add_packets(struct text_buffer *text, const char *before, const anax_config *config,
                        const struct program *program) {
    struct program_totals totals;
    program_totals_compute(program, &totals);
    wide bytes = totals.message_bytes + totals.rma_bytes + totals.collective_bytes;
    wide packets = bytes / (uint64_t)config->network.packet_bytes;
    if (packets < MANY_PACKETS) return;
    char packet[32];
    units_size_text(config->network.packet_bytes, packet, sizeof packet);
    text_add(text,
             "%sthe messages have about %.0f million packets of %s, and at a million packets "
             "per second the replay takes about ",
             before, (double)packets / 1e6, packet);
    add_duration(text, packets);
    unsigned bin = 63;
    while (bin > 0 && totals.size_histogram[bin] == 0)
        bin--;
    if (bin > 0) {
        char largest[32];
        units_size_text(INT64_C(1) << (bin < 62 ? bin : 62), largest, sizeof largest);
        text_add(text, " (the largest message has up to %s)", largest);
    }
    text_add(text, "; larger packets (network.packet), a part of the trace (trace.from, trace.to) "
                   "or fewer iterations take less time\n");
}

static void add_reductions(struct text_buffer *text, const char *before, const anax_config *config,
                           const struct program *program) {
    static const char generated[] = "training ";
    enum { CPU_PER_KIB_PS = 100000 }; /* the default */
    if (config->replay.reduction_per_kib_ps != CPU_PER_KIB_PS || program->rank_count == 1 ||
        strncmp(program_text(program, program->source), generated, sizeof generated - 1) != 0)
        return;
    text_add(text,
             "%sranks combine data at the rate of a CPU core (mpi.reduction_per_kib=100ns); GPUs "
             "take about 1 ns per KiB (mpi.reduction_per_kib=1ns)\n",
             before);
}

static void add_all(struct text_buffer *text, const char *before, const anax_config *config,
                    const anax_trace *trace) {
    add_packets(text, before, config, trace->program);
    add_reductions(text, before, config, trace->program);
}

char *api_warnings_before(const anax_config *config, const anax_trace *trace) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s", "");
    add_all(&text, "", config, trace);
    return text_take(&text);
}

char *api_jobs_warnings_before(const anax_config *config, const anax_jobs *jobs) {
    struct text_buffer text = TEXT_BUFFER_INIT;
    text_add(&text, "%s", "");
    for (size_t i = 0; i < jobs->count; i++) {
        struct text_buffer before = TEXT_BUFFER_INIT;
        text_add(&before, "%s", "");
        if (jobs->count > 1) {
            text_add(&before, "job ");
            text_add_name(&before, jobs->jobs[i]->name, 0);
            text_add(&before, ": ");
        }
        char *name = text_take(&before);
        if (name == NULL)
            text.failed = true;
        else
            add_all(&text, name, config, jobs->jobs[i]->trace);
        free(name);
    }
    return text_take(&text);
}

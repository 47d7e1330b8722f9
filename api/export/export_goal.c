/*
 * GOAL, the Group Operation Assembly Language in the dialect that LogGOPSim's txt2bin reads:
 *
 *     num_ranks N
 *     rank R {
 *     l1: calc NANOSECONDS
 *     l2: send BYTESb to RANK tag TAG
 *     l3: recv BYTESb from RANK tag TAG
 *     l2 requires l1          (begins once l1 is complete)
 *     l3 irequires l2         (begins once l2 has begun)
 *     }
 *
 * Source: T. Hoefler, T. Schneider, A. Lumsdaine, LogGOPSim: Simulating Large-Scale Applications in
 * the LogGOPS Model, HPDC 2010, and the grammar of txt2bin.
 *
 * Invariant: the calc operations of a rank add up to its computation rounded down to a nanosecond,
 * however short each operation is.
 */
#include "api/export/export.h"

#include <inttypes.h>

void export_goal_begin(struct export_writer *writer) {
    text_add(&writer->text,
             "// written by anax %s; calc in nanoseconds; messages without data have 1 "
             "byte, as LogGOPSim wants it\n",
             anax_version());
    if (writer->program->unmatched_sends > 0)
        text_add(&writer->text, "// sends without a receive: %" PRIu64 "\n",
                 writer->program->unmatched_sends);
    text_add(&writer->text, "num_ranks %u\n", writer->program->rank_count);
}

void export_goal_begin_rank(struct export_writer *writer, uint32_t rank) {
    text_add(&writer->text, "\nrank %u {\n", rank);
}

static int64_t nanoseconds(struct export_writer *writer, int64_t duration_ps) {
    writer->calc_ps += duration_ps; /* a schedule lasts less than 26 days */
    int64_t rest_ns = writer->calc_ps / 1000 - writer->calc_unit;
    writer->calc_unit += rest_ns;
    return rest_ns;
}

/* Ends an operation with its CPU and NIC, where they are not 0. Operations of the NIC must not wait
 * for the rank, so they have a CPU of their own. */
static void end_operation(struct export_writer *writer,
                          const struct schedule_operation *operation) {
    unsigned cpu = operation->is_by_nic ? SCHEDULE_NIC_CPU : operation->cpu;
    if (cpu > 0) text_add(&writer->text, " cpu %u", cpu);
    if (operation->nic > 0) text_add(&writer->text, " nic %u", (unsigned)operation->nic);
    text_add(&writer->text, "\n");
}

void export_goal_operation(struct export_writer *writer,
                           const struct schedule_operation *operation) {
    uint64_t size_bytes = operation->size_bytes > 0 ? operation->size_bytes : 1;
    switch (operation->kind) {
    case SCHEDULE_CALC:
        text_add(&writer->text, "l%u: calc %" PRId64, operation->label,
                 nanoseconds(writer, operation->duration_ps));
        break;
    case SCHEDULE_SEND:
        text_add(&writer->text, "l%u: send %" PRIu64 "b to %u tag %u", operation->label, size_bytes,
                 operation->peer, operation->tag);
        break;
    case SCHEDULE_RECEIVE:
        text_add(&writer->text, "l%u: recv %" PRIu64 "b from %u tag %u", operation->label,
                 size_bytes, operation->peer, operation->tag);
        break;
    }
    end_operation(writer, operation);
    for (size_t i = 0; i < operation->edge_count; i++)
        text_add(&writer->text, "l%u %s l%u\n", operation->label,
                 operation->edges[i].needs_only_posted ? "irequires" : "requires",
                 operation->edges[i].label);
}

void export_goal_end_rank(struct export_writer *writer, uint32_t rank) {
    (void)rank;
    text_add(&writer->text, "}\n");
}

void export_goal_end(struct export_writer *writer) {
    (void)writer;
}

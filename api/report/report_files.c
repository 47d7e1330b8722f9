/* Files in reports: those of a trace, and the I/O nodes of a replay. */
#include "api/report/report_layout.h"

#include "core/base/plural.h"
#include "core/settings/units.h"
#include "replay/hosts/storage_nodes.h"

#include <inttypes.h>

void report_files_text(struct text_buffer *text, const struct program *program,
                       const struct program_totals *totals) {
    static const char *const labels[] = {"reads of files", "writes of files"};
    if (program->file_count == 0) return;
    for (unsigned i = 0; i < 2; i++) {
        char size[32];
        units_size_human(totals->file_bytes[i], size, sizeof size);
        report_row(text, 0, labels[i]);
        text_add(text, "%" PRIu64 ", %s%s", totals->file_accesses[i], size, i == 0 ? "\n" : "");
    }
    text_add(text, ", %" PRIu32 " file%s\n", program->file_count, plural(program->file_count));
}

void report_io_nodes_text(struct text_buffer *text, const struct replay_result *replay) {
    wide read = 0, written = 0, waited_ps = 0;
    uint64_t requests = 0;
    const struct replay_storage_node *busiest = replay->storage;
    if (replay->storage_count == 0) return;
    for (uint32_t i = 0; i < replay->storage_count; i++) {
        const struct replay_storage_node *node = &replay->storage[i];
        read += node->read_bytes;
        written += node->written_bytes;
        waited_ps += node->waited_ps;
        requests += node->requests;
        if (node->busy_ps > busiest->busy_ps) busiest = node;
    }
    char size[2][32], time[WIDE_TEXT_BYTES];
    units_size_human(read, size[0], sizeof size[0]);
    units_size_human(written, size[1], sizeof size[1]);
    text_add(text, "\nI/O nodes\n");
    report_row(text, 2, "requests");
    text_add(text, "%" PRIu64 " to %" PRIu32 " node%s; read %s, written %s\n", requests,
             replay->storage_count, plural(replay->storage_count), size[0], size[1]);
    report_row(text, 2, "busiest");
    text_add(text, "node %" PRIu32 ", %.1f %% of the predicted time\n", busiest->node,
             percent_of((uint64_t)busiest->busy_ps, (uint64_t)replay->time_ps));
    units_time_sum_human(requests > 0 ? waited_ps / requests : 0, time, sizeof time);
    report_row(text, 2, "waiting of a request");
    text_add(text, "%s on average, for others at its I/O node\n", time);
}

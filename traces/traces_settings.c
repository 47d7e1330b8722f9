/* Settings of the traces room, and the paging that they ask for. */
#include "traces/traces.h"

#include "core/memory/memory_limit.h"
#include "core/memory/paging.h"
#include "core/processes/processes.h"

SETTING_CHOICES(guess_names, "off", "world", "last")
SETTING_CHOICES(time_names, "auto", "wall", "processor")
SETTING_CHOICES(memory_words, "auto")

const struct setting_row traces_setting_rows[] = {
    {.name = "trace.polling_gap",
     .kind = SETTING_TIME,
     .offset = offsetof(struct traces_config, polling_gap_ps),
     .minimum = 0,
     .maximum = INT64_C(1000000000000),
     .initial = "100us",
     .help = "gaps between failed tests or probes shorter than this are waiting, not computation"},
    {.name = "trace.user_regions",
     .kind = SETTING_SWITCH,
     .offset = offsetof(struct traces_config, user_regions),
     .minimum = 0,
     .maximum = 1,
     .initial = "off",
     .help = "keep the user regions of a trace, for their times and the predicted timeline"},
    {.name = "trace.guess_collectives",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct traces_config, guess),
     .initial = "off",
     .choices = guess_names,
     .help = "replay non-blocking collectives that left no record in the trace, as if on the "
             "communicator of all ranks or on that of the rank's last recorded collective"},
    {.name = "trace.guess_bytes",
     .kind = SETTING_SIZE,
     .offset = offsetof(struct traces_config, guess_bytes),
     .minimum = 0,
     .maximum = INT64_C(1) << 30,
     .initial = "8B",
     .help = "bytes of each guessed collective: of the vector, or of the block that a rank gives "
             "to or gets from each other rank"},
    {.name = "trace.from",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, from),
     .initial = "",
     .help = "start of the part to take: REGION[#n], where each rank enters it (without #n the "
             "first time), or a time since the trace's start"},
    {.name = "trace.to",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, to),
     .initial = "",
     .help = "end of the part to take: REGION[#n], where each rank leaves it (without #n the last "
             "time), or a time since the trace's start"},
    {.name = "trace.repeat",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, repeat),
     .initial = "",
     .help = "region to carry out N times: REGION*N, from where each rank first enters it to where "
             "it last leaves it in the part taken, or REGION#n*N"},
    {.name = "trace.per_iteration",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, per_iteration),
     .initial = "",
     .help = "region whose iterations have efficiencies of their own: each lasts until the last "
             "rank has left the region once more"},
    {.name = "trace.compute_scale",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, compute_scale),
     .initial = "",
     .help =
         "factors on the computation inside user regions: REGION:FACTOR,... (solve:0.5,fft:25%); "
         "the innermost region named counts"},
    {.name = "trace.computation",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct traces_config, computation),
     .initial = "auto",
     .choices = time_names,
     .help = "what counts as computation in a recording of anax record: wall time or processor "
             "time; auto: processor time on hosts with more ranks than processors, wall time on "
             "others"},
    {.name = "trace.memory",
     .kind = SETTING_SIZE,
     .offset = offsetof(struct traces_config, memory_bytes),
     .minimum = 0,
     .maximum = INT64_C(1) << 50,
     .initial = "auto",
     .choices = memory_words,
     .decides_nothing = true,
     .help = "memory for the operations of a trace; those of a larger trace lie in a temporary "
             "file, and this much of it is in memory (auto: half of the memory that the process "
             "can have, or of its share if several read together)"},
    {.name = "trace.memory_folder",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct traces_config, memory_folder),
     .initial = "",
     .decides_nothing = true,
     .help = "folder of the temporary file of trace.memory (default: that which TMPDIR names, or "
             "/var/tmp)"},
};

const size_t traces_setting_count = sizeof traces_setting_rows / sizeof traces_setting_rows[0];

struct paging *traces_paging(const struct traces_config *config) {
    const bool is_auto = config->memory_bytes < 0;
    const uint64_t share = memory_limit_bytes() / processes_count_local(config->processes);
    const uint64_t bytes = is_auto ? share / 2 : (uint64_t)config->memory_bytes;
    return paging_new(config->memory_folder, bytes, is_auto);
}

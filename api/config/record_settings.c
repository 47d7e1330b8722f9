/* The table of settings that say what else a run keeps for its result. None changes the run. */
#include "api/api.h"

SETTING_CHOICES(off_word, "off")

const struct setting_row api_record_setting_rows[] = {
    {.name = "record.time_bins",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct api_record_config, time_bins),
     .minimum = 2,
     .maximum = 512,
     .initial = "off",
     .choices = off_word,
     .help = "largest number of time bins in which states of ranks and loads of channels are kept"},
    {.name = "record.rank_rows",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct api_record_config, rank_rows),
     .minimum = 1,
     .maximum = REPLAY_BIN_ROWS,
     .initial = "1024",
     .help = "largest number of rows of ranks over time; if there are more ranks, consecutive ones "
             "share a row"},
    {.name = "record.links",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct api_record_config, links),
     .initial = "",
     .help = "links whose flows are counted: names such as 5-17 (routers), n3-0 and 0-n3 (nodes), "
             "separated by commas, or hottest:N, or victim:RANK"},
};
const size_t api_record_setting_count =
    sizeof api_record_setting_rows / sizeof *api_record_setting_rows;

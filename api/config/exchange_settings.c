/* The table of settings of the search for a placement by exchange of ranks. */
#include "api/api.h"

const struct setting_row api_exchange_setting_rows[] = {
    {.name = "exchange.placements",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct api_exchange_config, placements),
     .minimum = 0,
     .maximum = INT64_C(1000000000),
     .initial = "0",
     .help = "number of placements that a search by exchange of ranks compares by the loads of "
             "links; 0: no search"},
    {.name = "exchange.replays",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct api_exchange_config, replays),
     .minimum = 0,
     .maximum = INT64_C(1000000),
     .initial = "0",
     .help = "number of placements that the search then compares by replays of the trace"},
};
const size_t api_exchange_setting_count =
    sizeof api_exchange_setting_rows / sizeof *api_exchange_setting_rows;

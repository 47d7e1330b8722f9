/* The table of the settings of `anax extrapolate`. */
#include "api/api.h"

SETTING_CHOICES(scalings, "found", "weak", "strong")

const struct setting_row api_extrapolate_setting_rows[] = {
    {.name = "extrapolate.ranks",
     .kind = SETTING_COUNT,
     .offset = offsetof(struct api_extrapolate_config, ranks),
     .maximum = 1 << 24,
     .initial = "0",
     .help = "ranks of the new program; must be given"},
    {.name = "extrapolate.grid",
     .kind = SETTING_TEXT,
     .offset = offsetof(struct api_extrapolate_config, grid),
     .initial = "",
     .help = "process grid of the new program, such as 16x16x8, beginning with the dimension along "
             "which the rank varies fastest; empty: by the rule of the series"},
    {.name = "extrapolate.approximate",
     .kind = SETTING_SWITCH,
     .offset = offsetof(struct api_extrapolate_config, approximate),
     .initial = "off",
     .help = "replace sizes that follow no rule by a fitted law with the scatter of the largest "
             "program"},
    {.name = "extrapolate.scaling",
     .kind = SETTING_CHOICE,
     .offset = offsetof(struct api_extrapolate_config, scaling),
     .initial = "found",
     .choices = scalings,
     .help = "how the computation follows the number of ranks: weak (that of a rank stays), strong "
             "(that of all ranks together stays), found (the series shows it); a series of the "
             "other scaling is refused"},
};
const size_t api_extrapolate_setting_count =
    sizeof api_extrapolate_setting_rows / sizeof *api_extrapolate_setting_rows;

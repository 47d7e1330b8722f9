/* Names of regions and of steps. */
#include "traces/extrapolate/steps/series_steps.h"

const char *series_region_name(const struct series *series, uint32_t region) {
    const struct program *program = series->programs[series->steps.region_programs[region]].program;
    return program_text(program, series->steps.regions[region].name);
}

const char *series_symbol_name(const struct series *series, uint32_t symbol) {
    const int64_t *words = series->steps.words + series->steps.symbols[symbol].first_word;
    return words[0] == OPERATION_END ? "the end" : series_region_name(series, (uint32_t)words[1]);
}

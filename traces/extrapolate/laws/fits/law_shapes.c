/*
 * The shapes of fits, and their texts for reports.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"

#include <inttypes.h>
#include <stdio.h>

const struct fit_shape fit_shapes[FIT_SHAPES] = {
    {FIT_NOTHING, false, false, "constant"},
    {FIT_RANKS, true, false, "b/P"},
    {FIT_SURFACE, true, false, "b/P^(2/3)"},
    {FIT_CUBE_ROOT, true, false, "b/P^(1/3)"},
    {FIT_SQUARE_ROOT, true, false, "b/sqrt P"},
    {FIT_SQUARE, true, false, "b/P^2"},
    {FIT_LOGARITHM, false, false, "b log2 P"},
    {FIT_RANKS, false, false, "b P"},
    {FIT_RANKS, true, true, "a + b/P"},
    {FIT_SURFACE, true, true, "a + b/P^(2/3)"},
    {FIT_CUBE_ROOT, true, true, "a + b/P^(1/3)"},
    {FIT_LOGARITHM, false, true, "a + b log2 P"},
    {FIT_SQUARE_ROOT, false, true, "a + b sqrt P"},
    {FIT_RANKS, false, true, "a + b P"},
};

const char *fit_shape_text(const struct series_fit *fit) {
    return fit_shapes[fit->row].text;
}

void fit_text(const struct series_fit *fit, char *text, size_t size) {
    if (fit->margin > 0) {
        law_margin_text(fit, text, size);
        return;
    }
    if (fit->ratio_tests > 0) {
        law_ratios_text(fit, text, size);
        return;
    }
    snprintf(text, size, "%s%s, mean %" PRId64 ", spread of the largest program",
             fit_shapes[fit->row].text,
             fit->is_of_plane    ? " with P in a plane across the dimension"
             : fit->is_of_visits ? " in all visits of a rank"
                                 : "",
             fit->mean);
}

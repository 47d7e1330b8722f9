/*
 * Values of laws at places, texts of laws, and lists of their alternatives.
 */
#include "traces/extrapolate/laws/fits/series_fits.h"
#include "traces/extrapolate/laws/law_features.h"
#include "traces/extrapolate/laws/law_places.h"
#include "traces/extrapolate/laws/partners/law_peers.h"
#include "traces/extrapolate/laws/series_law.h"
#include "traces/extrapolate/laws/sizes/law_sizes.h"
#include "traces/extrapolate/symmetry/series_views.h"

#include "core/base/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct series_place law_place(const struct series_law_data *data, size_t i) {
    const struct series_sample *sample = &data->step->samples[data->samples[i]];
    const struct series_program *from = &data->series->programs[sample->program];
    struct series_place place = {from->program->rank_count,
                                 sample->rank,
                                 &from->extents,
                                 data->step->depth - (data->is_loop ? 1u : 0u),
                                 {0},
                                 {0}};
    memcpy(place.index, sample->index, sizeof place.index);
    memcpy(place.trips, sample->trips, sizeof place.trips);
    if (sample->view > 0) {
        place.rank = series_view_rank(data->series, sample->program, sample->view, sample->rank);
        place.extents = &from->views[sample->view];
    }
    if (data->rounds > 0) law_place_in_round(&place, data->rounds, data->round_level);
    return place;
}

bool law_place_in_round(struct series_place *place, uint32_t rounds, uint32_t level) {
    if (place->trips[level] == 0 || place->trips[level] % rounds != 0) return false;
    place->trips[level] /= rounds;
    place->index[level] %= place->trips[level];
    return true;
}

bool law_linear_value(const struct series *series, const struct series_law *law,
                      const struct series_place *place, int64_t *value) {
    int64_t over, under;
    if (!law_feature_value(series, &law->feature, place, &over, &under)) return false;
    const signed_wide top = (signed_wide)law->a * under + (signed_wide)law->b * over;
    const signed_wide bottom = (signed_wide)law->d * under;
    if (top % bottom != 0 && !law->is_rounded) return false;
    const signed_wide result = top / bottom;
    *value = (int64_t)result;
    return result <= INT64_MAX && result >= -INT64_MAX;
}

void law_add_alternative(const struct series_law_data *data, const struct series_law *other,
                         bool is_as_good, struct series_law *law,
                         struct series_alternatives *alternatives) {
    struct series_alternative alternative;
    if (law->is_open || !laws_differ(data, law, other, false, &alternative)) return;
    if (alternative.has_other && alternative.other < 0) return; /* no value is negative */
    for (uint32_t i = 0; i < alternatives->count && !is_as_good; i++)
        if (alternatives->list[i].has_other == alternative.has_other &&
            alternatives->list[i].other == alternative.other)
            return;
    law->is_open = is_as_good;
    if (is_as_good) alternatives->count = 0;
    if (alternatives->count < SERIES_MOST_ALTERNATIVES)
        alternatives->list[alternatives->count++] = alternative;
}

/* Does what law_value does, without adds_ranks and times_ranks. */
static bool value_of(const struct series *series, const struct series_law *law,
                     const struct series_place *place, int64_t *value) {
    switch (law->kind) {
    case SERIES_LAW_CONSTANT:
        *value = law->a;
        return true;
    case SERIES_LAW_MODULO:
        *value = law->a % place->ranks;
        return true;
    case SERIES_LAW_LINEAR:
        return law_linear_value(series, law, place, value);
    case SERIES_LAW_PARTS:
        *value = law_parts_value(series, law, place);
        return true;
    case SERIES_LAW_FACE:
        *value = law_face_value(series, law, place);
        return true;
    case SERIES_LAW_PLACE:
        *value = law_place_value(series, law, place);
        return true;
    case SERIES_LAW_PEER:
        if (!law_peer(series, law, place, value)) return false;
        if (law->pairing == SERIES_PAIRING_RANK_FIRST)
            *value += (int64_t)place->ranks * place->rank;
        else if (law->pairing == SERIES_PAIRING_PARTNER_FIRST)
            *value = *value * place->ranks + place->rank;
        else if (law->pairing == SERIES_PAIRING_PARTNER)
            *value += law->a;
        return true;
    case SERIES_LAW_FIT:
        *value = series->laws.fits[law->a].mean;
        return true;
    default:
        return false;
    }
}

bool law_value(const struct series *series, const struct series_law *law,
               const struct series_place *place, int64_t *value) {
    struct series_place in_round;
    if (law != NULL && law->rounds > 0) {
        in_round = *place;
        if (!law_place_in_round(&in_round, law->rounds, law->round_level)) return false;
        place = &in_round;
    }
    const bool has = law != NULL && value_of(series, law, place, value);
    if (has && law->adds_ranks) *value += place->ranks;
    if (has && law->times_ranks) *value *= place->ranks;
    return has;
}

/* Writes (a + b feature) / d, without a if it is 0, and without b and d if they are 1. */
static void linear_text(const struct series *series, const struct series_law *law, char *text,
                        size_t size) {
    char feature[SERIES_TEXT], offset[32] = "", factor[32] = "", divisor[32] = "";
    law_feature_text(series, &law->feature, feature, sizeof feature);
    const bool is_sum = law->a != 0 && law->d != 1;
    if (law->a != 0) snprintf(offset, sizeof offset, "%" PRId64 " + ", law->a);
    if (law->b != 1) snprintf(factor, sizeof factor, "%" PRId64 " x ", law->b);
    if (law->d != 1) snprintf(divisor, sizeof divisor, " / %" PRId64, law->d);
    snprintf(text, size, "%s%s%s%s%s%s", is_sum ? "(" : "", offset, factor, feature,
             is_sum ? ")" : "", divisor);
}

void law_text(const struct series *series, const struct series_law *law, char *text, size_t size) {
    if (law->rounds > 0) {
        struct series_law in_round = *law;
        in_round.rounds = 0;
        law_text(series, &in_round, text, size);
        const size_t length = strlen(text);
        snprintf(text + length, size - length, ", in each of %" PRIu32 " rounds", law->rounds);
        return;
    }
    if ((law->adds_ranks || law->times_ranks) && size > 4) {
        struct series_law rest = *law;
        rest.adds_ranks = rest.times_ranks = false;
        snprintf(text, size, law->adds_ranks ? "P + " : "P x ");
        law_text(series, &rest, text + 4, size - 4);
        return;
    }
    if (law->pairing != SERIES_PAIRING_NONE) {
        struct series_law rest = *law;
        char partner[2 * SERIES_TEXT];
        rest.pairing = SERIES_PAIRING_NONE;
        law_text(series, &rest, partner, sizeof partner);
        if (law->pairing == SERIES_PAIRING_PARTNER)
            snprintf(text, size, "%" PRId64 " + the partner, which is %s", law->a, partner);
        else if (law->pairing == SERIES_PAIRING_RANK_FIRST)
            snprintf(text, size, "P x rank + the partner, which is %s", partner);
        else
            snprintf(text, size, "rank + P x the partner, which is %s", partner);
        return;
    }
    switch (law->kind) {
    case SERIES_LAW_CONSTANT:
        snprintf(text, size, "%" PRId64, law->a);
        return;
    case SERIES_LAW_MODULO:
        snprintf(text, size, "%" PRId64 " modulo P", law->a);
        return;
    case SERIES_LAW_LINEAR:
        linear_text(series, law, text, size);
        return;
    case SERIES_LAW_PARTS:
        law_parts_text(series, law, text, size);
        return;
    case SERIES_LAW_FACE:
        law_face_text(series, law, text, size);
        return;
    case SERIES_LAW_PLACE:
        law_place_text(series, law, text, size);
        return;
    case SERIES_LAW_PEER:
        law_peer_text(series, law, text, size);
        return;
    case SERIES_LAW_SENDER:
        snprintf(text, size, "the length of its message");
        return;
    case SERIES_LAW_FIT:
        fit_text(&series->laws.fits[law->a], text, size);
        return;
    default:
        snprintf(text, size, "no law");
    }
}

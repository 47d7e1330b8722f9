/* Searches: stages follow from each other, and the Pareto front from costs and times. */
#include "tests/support/check/check_csv.h"
#include "tests/support/check/check_result.h"

#include <string.h>

struct search {
    struct place candidates, stages;
    whole seeds;
    whole last; /* number of the last stage */
};

/* Returns whether a candidate has a time of the last stage. */
static bool is_finalist(const struct search *search, const struct place *candidate) {
    return place_has(candidate, "stage") && place_whole(candidate, "stage") == search->last &&
           place_has(candidate, "mean_ps") && place_whole(candidate, "seeds") == search->seeds;
}

/* Each stage has what the one before it kept; the first has all that were not left out. */
static void check_stages(const struct search *search, whole first) {
    for (size_t i = 0; i < place_count(&search->stages); i++) {
        struct place stage = place_item(&search->stages, i);
        place_equals(&stage, "stage", (whole)(i + 1), "its place in the list");
        place_equals(&stage, "candidates", first, "what the stage before it kept");
        first = place_whole(&stage, "kept");
        place_at_most(&stage, "kept", place_whole(&stage, "candidates"), "those that it had");
        place_at_most(&stage, "points",
                      whole_times(place_whole(&stage, "candidates"), place_whole(&stage, "seeds")),
                      "a point for each seed");
        place_that(&stage, place_share(&stage, "share") > 0, "it replays nothing");
        whole members = 0;
        for (size_t k = 0; k < place_count(&search->candidates); k++) {
            struct place candidate = place_item(&search->candidates, k);
            members += place_has(&candidate, "stage") &&
                       place_whole(&candidate, "stage") >= (whole)(i + 1);
        }
        place_equals(&stage, "candidates", members, "the candidates that reached it");
        if (i + 1 == place_count(&search->stages))
            place_equals(&stage, "seeds", search->seeds, "all seeds");
    }
}

/* Finds the fastest time among the other candidates that cost no more. */
static void check_candidate(const struct search *search, size_t index) {
    struct place own = place_item(&search->candidates, index);
    const bool is_front = place_flag(&own, "front");
    if (!is_finalist(search, &own)) {
        place_that(&own, !is_front, "the front has only what reached the last stage");
        place_that(&own, !place_has(&own, "rival"), "a rival needs a time of the last stage");
        return;
    }
    const whole cost = place_millionths(&own, "cost_dollars"), time = place_whole(&own, "mean_ps");
    whole fastest = -1;
    bool beaten = false;
    for (size_t i = 0; i < place_count(&search->candidates); i++) {
        struct place other = place_item(&search->candidates, i);
        if (i == index || !is_finalist(search, &other)) continue;
        const whole other_cost = place_millionths(&other, "cost_dollars");
        const whole other_time = place_whole(&other, "mean_ps");
        if (other_cost > cost) continue;
        if (fastest < 0 || other_time < fastest) fastest = other_time;
        beaten |= other_time < time || (other_time == time && other_cost < cost);
    }
    place_that(&own, is_front == !beaten, "the front is wrong");
    place_that(&own, place_has(&own, "rival") == (fastest >= 0), "a rival is missing or too many");
    if (!place_has(&own, "rival") || fastest < 0) return;
    const whole rival = place_whole(&own, "rival");
    if (!place_that(&own, rival < (whole)place_count(&search->candidates), "no such rival")) return;
    struct place other = place_item(&search->candidates, (size_t)rival);
    place_equals(&other, "mean_ps", fastest, "the fastest that costs no more than another");
    const whole difference = place_signed(&own, "difference_ps") - (time - fastest);
    place_that(&own, difference >= -2 && difference <= 2, "the difference to the rival is wrong");
    if (place_has(&own, "low_ps"))
        place_that(&own, place_whole(&own, "low_ps") + place_whole(&own, "high_ps") == 2 * time,
                   "the interval is not around the mean");
    if (place_has(&own, "holm_p"))
        place_that(&own, place_flag(&own, "significant") == (place_share(&own, "holm_p") < 50000),
                   "significant is wrong");
}

void check_search(const struct place *result, const char *folder) {
    struct search search = {.candidates = place_key(result, "candidates"),
                            .stages = place_key(result, "stages"),
                            .seeds = place_whole(result, "seeds")};
    const size_t count = place_count(&search.candidates);
    whole left_out = 0, points = 0;
    search.last = (whole)place_count(&search.stages);
    place_equals(result, "candidate_count", (whole)count, "the list");
    for (size_t i = 0; i < count; i++) {
        struct place candidate = place_item(&search.candidates, i);
        left_out += !place_has(&candidate, "stage");
        if (!place_has(&candidate, "stage")) place_named(&candidate, "reason");
        check_candidate(&search, i);
    }
    place_equals(result, "left_out", left_out, "the candidates without a stage");
    check_stages(&search, (whole)count - left_out);
    for (size_t i = 0; i < place_count(&search.stages); i++) {
        struct place stage = place_item(&search.stages, i);
        points += place_whole(&stage, "points");
    }
    place_equals(result, "point_count", points, "the sum over stages");
    if (folder == NULL) return;
    csv_rows(&search.candidates, folder, "candidates.csv");
    csv_rows(&search.stages, folder, "stages.csv");
}

/* Rules over what was measured, one per kind of statement; the claims' table names them. */
#ifndef ANAX_BENCH_FIDELITY_RULES_H
#define ANAX_BENCH_FIDELITY_RULES_H

#include "bench/fidelity/fidelity.h"

void rule_near_full(const struct measurement *const *of, struct finding *finding);
void rule_one_link(const struct measurement *const *of, struct finding *finding);
void rule_about_half(const struct measurement *const *of, struct finding *finding);
void rule_under_half(const struct measurement *const *of, struct finding *finding);
void rule_same_throughput(const struct measurement *const *of, struct finding *finding);
void rule_thirty_percent_less(const struct measurement *const *of, struct finding *finding);
void rule_saturates_early(const struct measurement *const *of, struct finding *finding);
void rule_idle_channels(const struct measurement *const *of, struct finding *finding);
void rule_grows_with_depth(const struct measurement *const *of, struct finding *finding);
void rule_ordered_by_depth(const struct measurement *const *of, struct finding *finding);
void rule_two_modes(const struct measurement *const *of, struct finding *finding);
void rule_twice_at_0_8(const struct measurement *const *of, struct finding *finding);
void rule_higher_at_intermediate(const struct measurement *const *of, struct finding *finding);
void rule_up_to_half_less(const struct measurement *const *of, struct finding *finding);
void rule_up_to_35_percent_less(const struct measurement *const *of, struct finding *finding);
void rule_twenty_times_less(const struct measurement *const *of, struct finding *finding);
void rule_independent_of_depth(const struct measurement *const *of, struct finding *finding);
void rule_behaves(const struct measurement *const *of, struct finding *finding);
void rule_huge_latency(const struct measurement *const *of, struct finding *finding);
void rule_more_throughput(const struct measurement *const *of, struct finding *finding);
void rule_worse_than_mm(const struct measurement *const *of, struct finding *finding);
void rule_starves(const struct measurement *const *of, struct finding *finding);
void rule_is_flat(const struct measurement *const *of, struct finding *finding);

#endif

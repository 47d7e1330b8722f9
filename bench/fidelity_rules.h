/* Rules over what was measured, one per kind of statement; the claims' table names them. */
#ifndef ANAX_BENCH_FIDELITY_RULES_H
#define ANAX_BENCH_FIDELITY_RULES_H

#include "bench/fidelity.h"

void rule_near_full(const measurement *const *of, finding *finding);
void rule_one_link(const measurement *const *of, finding *finding);
void rule_about_half(const measurement *const *of, finding *finding);
void rule_under_half(const measurement *const *of, finding *finding);
void rule_same_throughput(const measurement *const *of, finding *finding);
void rule_thirty_percent_less(const measurement *const *of, finding *finding);
void rule_saturates_early(const measurement *const *of, finding *finding);
void rule_idle_channels(const measurement *const *of, finding *finding);
void rule_grows_with_depth(const measurement *const *of, finding *finding);
void rule_ordered_by_depth(const measurement *const *of, finding *finding);
void rule_two_modes(const measurement *const *of, finding *finding);
void rule_twice_at_0_8(const measurement *const *of, finding *finding);
void rule_higher_at_intermediate(const measurement *const *of, finding *finding);
void rule_up_to_half_less(const measurement *const *of, finding *finding);
void rule_up_to_35_percent_less(const measurement *const *of, finding *finding);
void rule_twenty_times_less(const measurement *const *of, finding *finding);
void rule_independent_of_depth(const measurement *const *of, finding *finding);
void rule_behaves(const measurement *const *of, finding *finding);
void rule_huge_latency(const measurement *const *of, finding *finding);
void rule_more_throughput(const measurement *const *of, finding *finding);
void rule_worse_than_mm(const measurement *const *of, finding *finding);
void rule_starves(const measurement *const *of, finding *finding);
void rule_is_flat(const measurement *const *of, finding *finding);

#endif

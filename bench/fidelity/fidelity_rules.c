/*
 * The rules that judge what the papers say. Each takes the experiments that its claim needs, and
 * says what was measured; its bounds stand in words in the claim. Knows numbers, not which paper it
 * is.
 */
#include "bench/fidelity/fidelity_rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* holds if good, else in part if fair; then what was measured. */
__attribute__((format(printf, 4, 5))) static void conclude(struct finding *finding, bool good,
                                                           bool fair, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    finding->verdict = good ? HOLDS : fair ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

static bool within(double value, double min, double max) {
    return value >= min && value <= max; /* false for NAN */
}

/* ---- Kim: throughput ------------------------------------------------------------------------- */

void rule_near_full(const struct measurement *const *of, struct finding *finding) {
    double t = throughput(of[0]);
    conclude(finding, t >= 0.9, t >= 0.8, "accepted at most %.3f", t);
}

/* 1/(a·h): the only global link of a group's p·a nodes; p = h. */
void rule_one_link(const struct measurement *const *of, struct finding *finding) {
    double t = throughput(of[0]);
    bool small = strstr(of[0]->command, "groups=9") != NULL;
    double theory = small ? 1.0 / 8 : 1.0 / 32;
    conclude(finding, within(t / theory, 0.97, 1.03), within(t / theory, 0.9, 1.1),
             "accepted at most %.5f; 1/(a·h) is %.5f", t, theory);
}

void rule_about_half(const struct measurement *const *of, struct finding *finding) {
    double t = throughput(of[0]);
    conclude(finding, within(t, 0.45, 0.55), within(t, 0.4, 0.6), "accepted at most %.3f", t);
}

void rule_under_half(const struct measurement *const *of, struct finding *finding) {
    double t = throughput(of[0]);
    conclude(finding, within(t, 0.45, 0.5), within(t, 0.4, 0.5), "accepted at most %.3f", t);
}

void rule_same_throughput(const struct measurement *const *of, struct finding *finding) {
    double t = throughput(of[0]), other = throughput(of[1]);
    conclude(finding, t / other >= 0.95, t / other >= 0.9,
             "accepted at most %.3f, %s %.3f: %+.1f %%", t, of[1]->experiment->routing, other,
             100 * (t / other - 1));
}

void rule_thirty_percent_less(const struct measurement *const *of, struct finding *finding) {
    double load = saturation_load(of[0]), other = saturation_load(of[1]);
    conclude(finding, within(load / other, 0.6, 0.8), load / other < 0.95,
             "saturates at %.3f, %s at %.3f: %+.1f %% (far beyond saturation it accepts %.3f, and "
             "%.3f)",
             load, of[1]->experiment->routing, other, 100 * (load / other - 1), throughput(of[0]),
             throughput(of[1]));
}

void rule_saturates_early(const struct measurement *const *of, struct finding *finding) {
    double load = first_unstable(of[0]), other = first_unstable(of[1]);
    char loads[2][16] = {"none", "none"};
    if (!isinf(load)) snprintf(loads[0], sizeof loads[0], "%.2f", load);
    if (!isinf(other)) snprintf(loads[1], sizeof loads[1], "%.2f", other);
    conclude(finding, within(load, 0.2 + 1e-6, 0.3 + 1e-6) && other >= 0.4, load < other,
             "first load that is not stable %s, %s %s; accepted at most %.3f, %s %.3f", loads[0],
             of[1]->experiment->routing, loads[1], throughput(of[0]), of[1]->experiment->routing,
             throughput(of[1]));
}

/* ---- Kim: channels --------------------------------------------------------------------------- */

size_t owner_of_minimal_link(const struct table *links, size_t group, size_t distance,
                             size_t *groups) {
    size_t max = 0;
    for (size_t i = 0; i < links->rows; i++) {
        double number = table_number(links, i, "source_group");
        if ((size_t)number > max) max = (size_t)number;
    }
    *groups = max + 1;
    for (size_t i = 0; i < links->rows; i++)
        if (strcmp(table_text(links, i, "kind"), "global") == 0 &&
            (size_t)table_number(links, i, "source_group") == group &&
            (size_t)table_number(links, i, "destination_group") == (group + distance) % *groups)
            return (size_t)table_number(links, i, "source");
    return 0;
}

/* Mean utilisation of the global channels that are not minimal: of the routers that own the minimal
 * one, and of all others. */
static void split_channels(const struct table *links, double *owner, double *others) {
    double sums[2] = {0, 0}, counts[2] = {0, 0};
    size_t groups = 1;
    owner_of_minimal_link(links, 0, 1, &groups);
    size_t *owners = calloc(groups, sizeof *owners);
    for (size_t group = 0; owners != NULL && group < groups; group++)
        owners[group] = owner_of_minimal_link(links, group, 1, &groups);
    for (size_t i = 0; owners != NULL && i < links->rows; i++) {
        if (strcmp(table_text(links, i, "kind"), "global") != 0) continue;
        size_t group = (size_t)table_number(links, i, "source_group");
        if ((size_t)table_number(links, i, "destination_group") == (group + 1) % groups) continue;
        bool own = (size_t)table_number(links, i, "source") == owners[group];
        sums[own] += table_number(links, i, "utilisation");
        counts[own]++;
    }
    free(owners);
    *owner = sums[1] / counts[1];
    *others = sums[0] / counts[0];
}

void rule_idle_channels(const struct measurement *const *of, struct finding *finding) {
    double owner, others, global_owner, global_others;
    split_channels(&of[0]->links, &owner, &others);
    split_channels(&of[1]->links, &global_owner, &global_others);
    bool flat = within(global_owner / global_others, 0.9, 1.1);
    conclude(finding, owner / others <= 0.75 && flat, owner / others <= 0.9,
             "non-minimal global channels of the owner's router busy %.3f, of the others %.3f "
             "(ratio %.2f); under ugal-g %.3f and %.3f (ratio %.2f)",
             owner, others, owner / others, global_owner, global_others,
             global_owner / global_others);
}

/* ---- Kim: latency ---------------------------------------------------------------------------- */

void rule_grows_with_depth(const struct measurement *const *of, struct finding *finding) {
    const struct load_point *shallow = point_at(of[0], 0.1), *deep = point_at(of[1], 0.1);
    if (shallow == NULL || deep == NULL) return;
    double ratio = deep->minimal_latency / shallow->minimal_latency;
    double means = deep->latency / shallow->latency;
    conclude(finding, ratio >= 4 && means >= 2, ratio >= 1.5,
             "at 0.1, minimal packets %.1f cycles with 16 flits, %.1f with 256 (%.1f times); "
             "non-minimal ones %.1f and %.1f; all %.1f and %.1f (%.1f times)",
             shallow->minimal_latency, deep->minimal_latency, ratio, shallow->nonminimal_latency,
             deep->nonminimal_latency, shallow->latency, deep->latency, means);
}

void rule_ordered_by_depth(const struct measurement *const *of, struct finding *finding) {
    double latency[5];
    bool rising = true, level = true;
    for (size_t i = 0; i < 5; i++) {
        latency[i] = latency_at(of[i], 0.15);
        if (isnan(latency[i])) latency[i] = latency_at(of[i], 0.1);
        if (i > 0) rising = rising && latency[i] > latency[i - 1];
        if (i > 0) level = level && latency[i] > 0.98 * latency[i - 1];
    }
    conclude(finding, rising, level,
             "at 0.15: %.1f, %.1f, %.1f, %.1f, %.1f cycles with 4, 8, 16, 32, 64 flits", latency[0],
             latency[1], latency[2], latency[3], latency[4]);
}

enum { MODES_BINS = 400 };

/* Messages by latency in steps of `step` cycles. */
static void rebin(const struct table *latencies, double step, double *all, double *minimal) {
    for (size_t i = 0; i < latencies->rows; i++) {
        double middle_ps =
            (table_number(latencies, i, "from_ps") + table_number(latencies, i, "to_ps")) / 2;
        size_t bin = (size_t)(middle_ps / 1000 / step);
        if (bin >= MODES_BINS) continue;
        all[bin] += table_number(latencies, i, "messages");
        minimal[bin] += table_number(latencies, i, "minimal_messages");
    }
}

/* The second mode: the bin beyond the highest one that stands out most from the least bin between
 * them, by at least half; 0 if there is none. */
static size_t second_mode(const double *all, size_t *first) {
    size_t best = 0;
    double max = 1.5;
    *first = 0;
    for (size_t i = 1; i < MODES_BINS; i++)
        if (all[i] > all[*first]) *first = i;
    double min = all[*first];
    for (size_t i = *first + 1; i < MODES_BINS; i++) {
        if (all[i] < min) min = all[i];
        /* ten messages are chance */
        if (all[i] >= 10 && all[i] / (min + 1) > max) {
            max = all[i] / (min + 1);
            best = i;
        }
    }
    return best;
}

void rule_two_modes(const struct measurement *const *of, struct finding *finding) {
    size_t seen = 0, length = 0;
    char text[300] = "";
    for (size_t k = 0; k < 2; k++) {
        double all[MODES_BINS] = {0}, minimal[MODES_BINS] = {0}, step = k == 0 ? 4 : 32;
        rebin(&of[k]->latencies, step, all, minimal);
        size_t first = 0, second = second_mode(all, &first);
        double share = second > 0 ? minimal[second] / all[second] : 0;
        seen += second > 0 && share > 0.5;
        int added =
            snprintf(text + length, sizeof text - length,
                     "%s%s flits: first mode at %.0f cycles (%.0f %% minimal packets), second %s",
                     k > 0 ? "; " : "", k == 0 ? "16" : "256", ((double)first + 0.5) * step,
                     100 * minimal[first] / fmax(all[first], 1), second == 0 ? "none" : "at ");
        length += (size_t)added;
        if (second > 0)
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%.0f (%.0f %% minimal)",
                                 ((double)second + 0.5) * step, 100 * share);
    }
    conclude(finding, seen == 2, seen == 1, "%s", text);
}

/* The load at which the ratio of two curves' latencies passes a bound, between their points. */
static double ratio_passes(const struct measurement *curve, const struct measurement *other,
                           double bound) {
    double last = NAN;
    for (size_t i = 0; i < curve->count; i++) {
        double ratio = curve->points[i].latency / latency_at(other, curve->points[i].offered);
        if (ratio >= bound && last < bound) {
            double from = curve->points[i - 1].offered, to = curve->points[i].offered;
            return from + (to - from) * (bound - last) / (ratio - last);
        }
        last = ratio;
    }
    return NAN;
}

void rule_twice_at_0_8(const struct measurement *const *of, struct finding *finding) {
    double latency = latency_at(of[0], 0.8), other = latency_at(of[1], 0.8);
    double ratio = latency / other;
    conclude(finding, within(ratio, 1.5, 2.5), ratio > 1.1,
             "at 0.8: %.1f cycles, %s %.1f (%.2f times); twice at %.2f", latency,
             of[1]->experiment->routing, other, ratio, ratio_passes(of[0], of[1], 2));
}

void rule_higher_at_intermediate(const struct measurement *const *of, struct finding *finding) {
    size_t higher = 0;
    double ratio[3];
    for (size_t i = 0; i < 3; i++) {
        double load = 0.1 * (double)(i + 1);
        ratio[i] = latency_at(of[0], load) / latency_at(of[1], load);
        higher += ratio[i] > 1.05;
    }
    conclude(finding, higher == 3, higher > 0, "%.2f, %.2f and %.2f times %s at 0.1, 0.2, 0.3",
             ratio[0], ratio[1], ratio[2], of[1]->experiment->routing);
}

/* The largest part of the other's latency that the first curve saves, where both are stable. */
static double saving(const struct measurement *curve, const struct measurement *other,
                     double min_load, double *load) {
    double max = -INFINITY;
    *load = NAN;
    for (size_t i = 0; i < curve->count; i++) {
        const struct load_point *point = &curve->points[i];
        const struct load_point *against = point_at(other, point->offered);
        if (against == NULL || !point->stable || !against->stable || point->offered < min_load)
            continue;
        double saved = 1 - point->latency / against->latency;
        if (saved > max) {
            max = saved;
            *load = point->offered;
        }
    }
    return max;
}

void rule_up_to_half_less(const struct measurement *const *of, struct finding *finding) {
    double load, saved = saving(of[0], of[1], 0.7, &load);
    conclude(finding, within(saved, 0.35, 0.65), saved >= 0.05,
             "at most %.0f %% less, at %.2f (stable loads from 0.7)", 100 * saved, load);
}

void rule_up_to_35_percent_less(const struct measurement *const *of, struct finding *finding) {
    double load, saved = saving(of[0], of[1], 0, &load);
    conclude(finding, within(saved, 0.25, 0.45), saved >= 0.1, "at most %.0f %% less, at %.2f",
             100 * saved, load);
}

void rule_twenty_times_less(const struct measurement *const *of, struct finding *finding) {
    double load, saved = saving(of[0], of[1], 0, &load);
    double times = 1 / (1 - saved);
    conclude(finding, times >= 20, times >= 5, "at most %.1f times less, at %.2f", times, load);
}

void rule_independent_of_depth(const struct measurement *const *of, struct finding *finding) {
    double max = 0, load = 0, other = 0;
    for (size_t i = 0; i < of[0]->count; i++) {
        const struct load_point *shallow = &of[0]->points[i];
        const struct load_point *deep = point_at(of[1], shallow->offered);
        if (deep == NULL || !shallow->stable || shallow->offered > 0.4) continue;
        double distance = fabs(deep->latency / shallow->latency - 1);
        if (distance > max) {
            max = distance;
            load = shallow->offered;
        }
    }
    const struct load_point *shallow = point_at(of[2], 0.1), *deep = point_at(of[3], 0.1);
    if (shallow != NULL && deep != NULL) other = deep->latency / shallow->latency;
    conclude(
        finding, max <= 0.1, max <= 0.3,
        "with 256 flits at most %.0f %% from 16 flits up to a load of 0.4 (at %.2f); ugal-l at "
        "0.1: %.1f times",
        100 * max, load, other);
}

/* ---- Garcia ---------------------------------------------------------------------------------- */

void rule_behaves(const struct measurement *const *of, struct finding *finding) {
    double worst = 0;
    double at[2] = {latency_at(of[0], 0.2), latency_at(of[1], 0.2)};
    for (size_t i = 0; i < 2; i++) {
        double ratio = at[i] / of[i]->points[0].latency;
        if (!(ratio < worst)) worst = ratio;
    }
    conclude(finding, worst <= 2, worst <= 4,
             "at 0.2: mm %.0f cycles, mm+l %.0f; at most %.2f times the latency at %.2f", at[0],
             at[1], worst, of[0]->points[0].offered);
}

/* By the mean over what is delivered, as the paper's simulator has it: what waits at a starving
 * router is missing in the mean over what comes up. */
void rule_huge_latency(const struct measurement *const *of, struct finding *finding) {
    const struct load_point *mm = point_at(of[2], 0.2);
    const struct load_point *crg[2] = {point_at(of[0], 0.2), point_at(of[1], 0.2)};
    if (mm == NULL || crg[0] == NULL || crg[1] == NULL) return;
    double ratio[2];
    for (size_t i = 0; i < 2; i++)
        ratio[i] = crg[i]->accepted_latency / mm->accepted_latency;
    conclude(finding, mm->stable && ratio[0] >= 2 && ratio[1] >= 2, ratio[0] >= 2 || ratio[1] >= 2,
             "at 0.2: crg %.2f times mm, crg+l %.2f times (mm: %.0f cycles); accepted: crg %.4f, "
             "crg+l %.4f, mm %.4f (%s)",
             ratio[0], ratio[1], mm->accepted_latency, crg[0]->accepted, crg[1]->accepted,
             mm->accepted, mm->stable ? "stable" : "not stable");
}

/* The first against the second, and the third against the fourth. */
void rule_more_throughput(const struct measurement *const *of, struct finding *finding) {
    double t[4];
    for (size_t i = 0; i < 4; i++)
        t[i] = throughput(of[i]);
    double ratio = t[0] / t[1], local = t[2] / t[3];
    conclude(finding, ratio >= 1.01 && local >= 1.01, ratio >= 1.01 || local >= 1.01,
             "accepted at most: crg %.3f, mm %.3f (%+.1f %%); crg+l %.3f, mm+l %.3f (%+.1f %%)",
             t[0], t[1], 100 * (ratio - 1), t[2], t[3], 100 * (local - 1));
}

void rule_worse_than_mm(const struct measurement *const *of, struct finding *finding) {
    const struct measurement *mm = of[2];
    bool throughputs = true, latencies = true;
    for (size_t i = 0; i < 2; i++) {
        throughputs = throughputs && throughput(of[i]) < throughput(mm);
        latencies = latencies && latency_at(of[i], 0.2) > latency_at(mm, 0.2);
    }
    conclude(finding, throughputs && latencies, throughputs || latencies,
             "accepted at most: valiant %.3f, piggyback %.3f, mm %.3f; at 0.2: %.0f, %.0f, %.0f "
             "cycles",
             throughput(of[0]), throughput(of[1]), throughput(mm), latency_at(of[0], 0.2),
             latency_at(of[1], 0.2), latency_at(mm, 0.2));
}

/* Packets that the nodes of the minimal link's router injected, per group, and those of the others'
 * routers: mean over groups, and the least and largest router. */
static double owners_share(const struct measurement *point, char *text, size_t size) {
    const struct table *routers = &point->routers;
    size_t groups = 1;
    owner_of_minimal_link(&point->links, 0, 2, &groups);
    size_t per_group = routers->rows / groups;
    double owner = 0, others = 0, min = INFINITY, max = 0;
    for (size_t group = 0; group < groups; group++) {
        size_t owning = owner_of_minimal_link(&point->links, group, 2, &groups);
        for (size_t i = group * per_group; i < (group + 1) * per_group; i++) {
            double packets = table_number(routers, i, "injected_packets");
            if (i == owning) {
                owner += packets;
                continue;
            }
            others += packets;
            if (packets < min) min = packets;
            if (packets > max) max = packets;
        }
    }
    owner /= (double)groups;
    others /= (double)(groups * (per_group - 1));
    snprintf(text, size,
             "the owner of the minimal link injects %.0f packets, the others %.0f (%.0f … %.0f); "
             "ratio %.2f",
             owner, others, min, max, owner / others);
    return owner / others;
}

void rule_starves(const struct measurement *const *of, struct finding *finding) {
    char text[200];
    double share = owners_share(of[0], text, sizeof text);
    conclude(finding, within(share, 0.1, 0.4), share < 0.7, "%s; the paper's figure has 0.23",
             text);
}

void rule_is_flat(const struct measurement *const *of, struct finding *finding) {
    char text[200];
    double share = owners_share(of[0], text, sizeof text);
    conclude(finding, within(share, 0.9, 1.1), within(share, 0.7, 1.3), "%s", text);
}

/* The page docs/fidelity.md: verdicts, distances to other simulators, pictures, commands. */
#include "bench/fidelity/fidelity.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const verdict_names[] = {"holds", "holds in part", "**does not hold**",
                                            "not measured"};

static void write_head(FILE *page, const struct bench_options *options) {
    fputs("# Fidelity\n"
          "\n"
          "This page compares what two papers on dragonfly routing state with what anax measures "
          "on the same machines. `bench/fidelity.sh` writes this page; do not edit it. Verdicts "
          "follow from measured numbers by the rules given.\n"
          "\n",
          page);
    if (options->quick)
        fputs("**A quick run on small machines, which shows that the tool works: its verdicts say "
              "nothing about the papers.**\n\n",
              page);
    fputs("- **Kim**: J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-Driven, Highly-Scalable "
          "Dragonfly Topology, ISCA 2008. Machine `kim-1k-paper` (p = h = 4, a = 8, 1056 nodes, "
          "single-flit packets) with routers that are no bottleneck, as the paper has them: a "
          "crossbar without limit in front of output queues of 32 flits, one cycle per router, "
          "links of one cycle. WC: every node of a group sends to random nodes of the next group.\n"
          "- **Garcia**: M. Garcia et al., Global Misrouting Policies in Two-level Hierarchical "
          "Networks, INA-OCMC 2013. Machine `garcia-5k-paper` (p = h = 6, a = 12, 5256 nodes, "
          "packets of 8 phits, links of 10 and 100 cycles). ADV+2: every node of a group sends to "
          "random nodes of the second group after it. mm, mm+l, crg and crg+l are misrouting "
          "policies of ofar ([the model](model.md), 6.3). 8000 cycles of warm-up and 2000 "
          "measured (the paper: 20000 and \"a long period\"; Figure 6 here 15000 and 5000).\n- "
          "**model**: a statement of [the model](model.md) itself.\n\nWhat UGAL takes for the "
          "queue of a channel matters. By section 4.3.2 of Kim, a queue shows nothing of a "
          "congested channel before the buffers on the way are full. In Figures 11, 14 and 16(b) "
          "ugal-l therefore counts only what waits in its own router (`network.ugal.queue` = "
          "output). In all other runs it also counts what was sent and whose credits have not come "
          "back (channel), because only then have the delayed credits of ugal-l-cr an effect: with "
          "output and 256 flits, ugal-l-cr "
          "takes 572 cycles at 0.1 of WC, and ugal-l 583. With output ugal-l also accepts only "
          "0.80 of uniform traffic in place of 0.87. No single meaning of a queue gives all of the "
          "paper's figures.\n\n"
          "A cycle is 1 ns. The bound in brackets in a rule is that for \"holds in part\".\n\n",
          page);
}

static void write_claims(FILE *page, const struct measurement *all) {
    size_t counts[4] = {0}, total = 0;
    for (const struct claim *claim = claims; claim->source != NULL; claim++, total++)
        counts[judge(claim, all).verdict]++;
    fprintf(page,
            "## Verdicts\n\nOf %zu statements %zu hold, %zu in part, and %zu not; %zu are not "
            "measured.\n\n"
            "| where | statement | rule | measured | verdict | commands |\n"
            "|---|---|---|---|---|---|\n",
            total, counts[HOLDS], counts[HOLDS_IN_PART], counts[DOES_NOT_HOLD],
            counts[NOT_MEASURED]);
    for (const struct claim *claim = claims; claim->source != NULL; claim++) {
        struct finding finding = judge(claim, all);
        fprintf(page, "| %s | %s | %s | %s | %s |", claim->source, claim->says, claim->rule,
                finding.text, verdict_names[finding.verdict]);
        for (size_t i = 0; claim->needs[i] != NULL; i++)
            fprintf(page, "%s [%s](#commands)", i > 0 ? "," : "", claim->needs[i]);
        fputs(" |\n", page);
    }
}

/* A verdict that is not "holds" needs its cause; one without is said to lack it. */
static void write_causes(FILE *page, const struct measurement *all) {
    bool any = false;
    for (const struct claim *claim = claims; claim->source != NULL; claim++) {
        struct finding finding = judge(claim, all);
        if (finding.verdict == HOLDS || finding.verdict == NOT_MEASURED) continue;
        if (!any) fputs("\n## Causes\n\n", page);
        any = true;
        fprintf(page, "- **%s: %s** (%s). %s\n", claim->source, claim->says,
                finding.verdict == HOLDS_IN_PART ? "in part" : "does not hold",
                claim->cause != NULL ? claim->cause : "The cause is not known yet.");
    }
}

/* Why a curve is not another simulator's: found by changing one thing after the other. */
static const struct {
    const char *curve;
    const char *cause;
} reference_causes[] = {
    {"fogsim-valiant-adv2",
     "The cause is where packets go and where they wait. FOGSim draws the third group among all "
     "groups but the packet's own, so that the destination's group can be drawn too, and it sends "
     "packets within a group through another group. Counted over all links, this gives 4.222 hops "
     "under adv+2 and 4.406 under uniform traffic; FOGSim reports 4.22 and 4.41 (anax: 4.31 and "
     "4.37). One packet in 18 therefore crosses one global link instead of two. FOGSim's packets "
     "also wait in the injection queue of their destination, which under adv+2 is mostly one of "
     "three. A cycle-by-cycle model of FOGSim's rules takes 371 cycles at 0.3, as FOGSim does. "
     "With our third group and our use of the injection queues it takes 395, as anax does."},
    {"fogsim-valiant-uniform",
     "The cause is where packets go, as under adv+2: a packet crosses 1.95 global links in FOGSim "
     "and 1.89 in anax. A cycle-by-cycle model of FOGSim's rules accepts 0.436 at 0.5, and 0.447 "
     "with our third group."},
    {"fogsim-mm+l-uniform",
     "The rule that causes the distance is not known. As a load the distance is 2.6 %: anax "
     "saturates that much earlier, and 0.7 is at the knee. At 0.7 anax accepts 0.682 and FOGSim "
     "0.692; below 0.7 both agree within 1 %. FOGSim runs as in fogsim-mm-adv2-h4, with "
     "OFAR_misrouting_local = 1 and one seed. At 0.7 paths have 3.16 hops in anax and 3.14 in "
     "FOGSim. With one setting changed, anax accepts at 0.7 and 0.8:\n"
     "  - 0.684 and 0.693 with seed 2;\n"
     "  - 0.683 and 0.691 with two allocation rounds;\n"
     "  - 0.689 and 0.700 without priority of transit, on paths of 3.27 hops;\n"
     "  - 0.698 and 0.747 with network.ofar.injection_room = 2 in place of 3. FOGSim lies between "
     "these values and those with 3."},
    {"fogsim-mm-adv2-h4",
     "The rule that causes the distance is not known. As a load the distance is 2 %: at 0.306 anax "
     "has the latency that FOGSim has at 0.3, and accepted loads agree within 0.5 %. [Garcia 2013] "
     "does not say how outputs and inputs take turns. FOGSim runs with rings = ringDirs = "
     "embeddedRing = channels_ring = 1, dally = 0, OFAR_misrouting_mm = 1, "
     "baseCongestionControl_bub = 3.\n"
     "  - *Where the distance is*: at the knee, 0.3. There FOGSim takes 272.2 cycles (three seeds, "
     "271.3 to 273.4) and anax 256.1 (255.7 to 256.9; the mean over delivered messages, as in "
     "FOGSim), which is -5.9 %. With 10000 + 10000 cycles they take 289.6 (one seed) and 264.7 "
     "(263.3 to 266.9), which is -8.6 %. Latency is steep at the knee: at 0.306 anax takes 274 "
     "cycles.\n"
     "  - *Where it is not*: at 0.25 and 0.28 the distance is -0.6 % and -1.0 %. One cycle of it "
     "comes from FOGSim, where a packet can leave its node only in the cycle after it was made. At "
     "0.4 both accept 0.353.\n"
     "  - *What is seen*: paths have the same length within 0.2 %, and as many packets are "
     "minimal. In FOGSim packets of the router that owns the minimal link wait: they take 370 to "
     "649 cycles in one group, and those of other routers about 230.\n"
     "  - *Settings that are not the cause* (cycles at 0.3): network.nic.vc_choice and "
     "network.ofar.ring_first (no difference: under adv+2 all packets of a node ask for one "
     "output, which is granted once in a packet's time, and no packet enters FOGSim's ring); no "
     "room to leave for further packets (network.ofar.injection_room = 0), in both (257.3, FOGSim "
     "271.3); network.ofar.threshold = 0.89 (no difference; with 0.85 it is 307.6); "
     "network.ofar.measure = port (240.9); two allocation rounds (265.9, but on paths 2.7 % "
     "shorter) and four (255.4).\n"
     "  - *Changes of a program that are not the cause*: turns of ports for an output as a whole "
     "in place of each of its VCs, in anax (255.8); turns of an input's VCs by request in place of "
     "service, in anax (256.9), and by service in place of request, in FOGSim (270.1, from 266.9 "
     "to 274.4)."},
};

static void write_reference_cause(FILE *page, const char *curve) {
    for (size_t i = 0; i < sizeof reference_causes / sizeof *reference_causes; i++)
        if (strcmp(reference_causes[i].curve, curve) == 0)
            fprintf(page, "- **%s**: %s\n", curve, reference_causes[i].cause);
}

struct distance {
    struct reference_distances of;
    verdict verdict;
};

static struct distance distance_of(const struct measurement *all, const char *curve) {
    struct distance found = {.verdict = NOT_MEASURED};
    const struct measurement *ours = measured(all, curve);
    if (ours == NULL || !reference_distance(ours, &found.of)) return found;
    bool good = fabs(found.of.latency) <= 0.05 && fabs(found.of.throughput) <= 0.03;
    bool fair = fabs(found.of.latency) <= 0.15 && fabs(found.of.throughput) <= 0.1;
    found.verdict = good ? HOLDS : fair ? HOLDS_IN_PART : DOES_NOT_HOLD;
    return found;
}

static bool curve_begins(size_t row) {
    return row == 0 || strcmp(reference_rows[row].curve, reference_rows[row - 1].curve) != 0;
}

static void write_references(FILE *page, const struct measurement *all) {
    fputs("\n"
          "## Other simulators\n\n"
          "Results of public simulators on the same machines, one version of each "
          "(bench/fidelity/fidelity_reference.csv). Another simulator is not the truth, but a "
          "distance without an explanation is a fault. Latency is the largest distance at loads of "
          "which the simulator accepts at least 98 %. Throughput is the distance of the largest "
          "accepted loads. A curve holds if these are within 5 % and 3 %, and holds in part within "
          "15 % and 10 %. Accepted is the largest distance of the accepted load at any load.\n\n"
          "| curve | against | latency | throughput | accepted | verdict |\n"
          "|---|---|---|---|---|---|\n",
          page);
    for (size_t i = 0; i < reference_count; i++) {
        const struct reference_row *row = &reference_rows[i];
        if (!curve_begins(i)) continue;
        struct distance found = distance_of(all, row->curve);
        if (found.verdict == NOT_MEASURED)
            fprintf(page, "| %s | %s | – | – | – | not measured |\n", row->curve, row->simulator);
        else
            fprintf(page, "| %s | %s | %+.1f %% | %+.1f %% | %+.1f %% | %s |\n", row->curve,
                    row->simulator, 100 * found.of.latency, 100 * found.of.throughput,
                    100 * found.of.accepted, verdict_names[found.verdict]);
    }
    fputs("\n", page);
    for (size_t i = 0; i < reference_count; i++)
        if (curve_begins(i) && distance_of(all, reference_rows[i].curve).verdict != HOLDS)
            write_reference_cause(page, reference_rows[i].curve);
}

static void write_commands(FILE *page, const struct measurement *all) {
    fputs(
        "## Commands\n\n"
        "The commands of all runs. The points of a curve are the lines of the file points.csv that "
        "`-o` writes.\n\n",
        page);
    for (; all->experiment != NULL; all++) {
        fprintf(page, "**%s**%s\n\n```\n%s\n```\n\n", all->experiment->name,
                all->state == RUN_DONE        ? ""
                : all->state == RUN_NO_POLICY ? " (not measured)"
                                              : " (failed)",
                all->command);
        if (all->state != RUN_DONE || all->experiment->kind == POINT) continue;
        fputs("| offered | accepted | stable | latency (cycles) | minimal share | routers |\n"
              "|---|---|---|---|---|---|\n",
              page);
        for (size_t i = 0; i < all->count; i++) {
            const struct load_point *point = &all->points[i];
            fprintf(page, "| %.3f | %.4f | %s |", point->offered, point->accepted,
                    point->stable ? "yes" : "no");
            if (isnan(point->latency))
                fputs(" – | – | – |\n", page);
            else
                fprintf(page, " %.1f | %.3f | %.2f |\n", point->latency, point->minimal_share,
                        point->hops);
        }
        fputc('\n', page);
    }
}

bool page_write(const struct bench_options *options, const struct measurement *all) {
    char path[1024], temporary[1040];
    snprintf(path, sizeof path, "%s/fidelity.md", options->out);
    snprintf(temporary, sizeof temporary, "%s.part", path);
    FILE *page = fopen(temporary, "w");
    if (page == NULL) {
        fprintf(stderr, "fidelity: %s: %s\n", temporary, strerror(errno));
        return false;
    }
    write_head(page, options);
    write_claims(page, all);
    if (!options->quick) write_causes(page, all);
    write_references(page, all);
    steps_write(page, all);
    fputs("\n## Pictures\n\n", page);
    bool good = figures_write(all, options->out, page);
    write_commands(page, all);
    good = ferror(page) == 0 && good;
    good = fclose(page) == 0 && good;
    if (good && rename(temporary, path) != 0) {
        fprintf(stderr, "fidelity: %s: %s\n", path, strerror(errno));
        good = false;
    }
    if (!good) remove(temporary);
    return good;
}

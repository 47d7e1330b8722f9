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
          "Two papers on dragonfly routing make statements about latencies and throughputs. This "
          "page compares each statement with what anax computes on the same machine, and compares "
          "curves of anax with those of two public simulators. `bench/fidelity.sh` writes this "
          "page; do not edit it. Each verdict follows from computed numbers by a stated rule.\n"
          "\n",
          page);
    if (options->quick)
        fputs("**A quick run on small machines, which shows that the tool works: its verdicts say "
              "nothing about the papers.**\n\n",
              page);
    fputs("- **Kim**: J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-Driven, Highly-Scalable "
          "Dragonfly Topology, ISCA 2008. Machine `kim-1k-paper` (p = h = 4, a = 8, 1056 nodes, "
          "single-flit packets). As in the paper, the routers are no bottleneck: an ideal "
          "crossbar in front of output queues of 32 flits, one cycle per router, links of one "
          "cycle. WC (worst-case traffic): every node of a group sends to random nodes of the "
          "next group.\n"
          "- **Garcia**: M. Garcia et al., Global Misrouting Policies in Two-level Hierarchical "
          "Networks, INA-OCMC 2013. Machine `garcia-5k-paper` (p = h = 6, a = 12, 5256 nodes, "
          "packets of 8 phits, links of 10 and 100 cycles). ADV+2: every node of a group sends to "
          "random nodes of the second group after it. mm, mm+l, crg and crg+l are misrouting "
          "policies of ofar ([the model](model.md), 6.3). Runs have 8000 cycles of warm-up and "
          "2000 measured cycles (Figure 6: 15000 and 5000; the paper: 20000 and \"a long "
          "period\").\n"
          "- **model**: a statement of [the model](model.md) itself.\n"
          "\n"
          "The results depend on what UGAL counts as the queue of a channel "
          "(`network.ugal.queue`). No single choice gives all figures of the paper:\n"
          "\n"
          "- *output*: ugal-l counts the packets that wait in its own router. Figures 11, 14 and "
          "16(b) use this choice: section 4.3.2 of Kim states that a queue shows nothing of a "
          "congested channel until the buffers on the way are full. With this choice ugal-l "
          "accepts only 0.80 of uniform traffic, in place of 0.87.\n"
          "- *channel*: ugal-l also counts the packets that were sent and whose credits have not "
          "come back. All other runs use this choice, because the delayed credits of ugal-l-cr "
          "have an effect only with it. With output and 256 flits, ugal-l-cr takes 572 cycles at "
          "0.1 of WC, and ugal-l takes 583.\n"
          "\n"
          "A cycle is 1 ns. Loads are fractions of the bandwidth of a node's injection channel.\n"
          "\n",
          page);
}

static void write_claims(FILE *page, const struct measurement *all) {
    size_t counts[4] = {0}, total = 0;
    for (const struct claim *claim = claims; claim->source != NULL; claim++, total++)
        counts[judge(claim, all).verdict]++;
    fprintf(
        page,
        "## Verdicts\n\nOf %zu statements %zu hold, %zu in part, and %zu not; %zu are not "
        "measured. A statement begins with the routing policy (for ofar the misrouting policy), "
        "then the traffic and, where it matters, the load.\n\n"
        "| no. | where | statement | measured | verdict |\n"
        "|---|---|---|---|---|\n",
        total, counts[HOLDS], counts[HOLDS_IN_PART], counts[DOES_NOT_HOLD], counts[NOT_MEASURED]);
    size_t number = 0;
    for (const struct claim *claim = claims; claim->source != NULL; claim++) {
        struct finding finding = judge(claim, all);
        fprintf(page, "| %zu | %s | %s | %s | %s |\n", ++number, claim->source, claim->says,
                finding.text, verdict_names[finding.verdict]);
    }
}

static void write_rules(FILE *page) {
    fputs("\n"
          "## Rules\n\n"
          "The table gives the rule by which each statement of the table above holds. The bound in "
          "brackets is that for \"holds in part\". \"Runs\" names the runs that the rule reads; "
          "[Commands](#commands) lists the command of each run.\n\n"
          "| no. | the statement holds if | runs |\n"
          "|---|---|---|\n",
          page);
    size_t number = 0;
    for (const struct claim *claim = claims; claim->source != NULL; claim++) {
        fprintf(page, "| %zu | %s | ", ++number, claim->rule);
        for (size_t i = 0; claim->needs[i] != NULL; i++)
            fprintf(page, "%s%s", i > 0 ? ", " : "", claim->needs[i]);
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
                claim->cause != NULL ? claim->cause : "The cause is not known.");
    }
}

/* Why a curve is not another simulator's: found by changing one thing after the other. */
static const struct {
    const char *curve;
    const char *cause;
} reference_causes[] = {
    {"fogsim-valiant-adv2",
     "Packets take other paths and wait in other queues in FOGSim. FOGSim draws the third group "
     "among all groups but the packet's own, so FOGSim can draw the destination's group too. "
     "FOGSim also sends packets within a group through another group. Counted over all links, "
     "these rules give 4.222 hops under adv+2 and 4.406 under uniform traffic; FOGSim reports "
     "4.22 and 4.41 (anax: 4.31 and 4.37). So one packet in 18 crosses one global link instead of "
     "two.\n"
     "  - In FOGSim a packet also waits in the injection queue of its destination. Under adv+2 a "
     "node then uses mostly one of its three injection queues.\n"
     "  - In a cycle-by-cycle model of FOGSim's rules the latency at 0.3 is 371 cycles, as in "
     "FOGSim. With the third group and the injection queues of anax, it is 395 cycles in the same "
     "model, as in anax."},
    {"fogsim-valiant-uniform",
     "The cause is the same as under adv+2, the choice of paths: a packet crosses 1.95 global "
     "links in FOGSim and 1.89 in anax. A cycle-by-cycle model of FOGSim's rules accepts 0.436 at "
     "0.5, and 0.447 with the third group of anax."},
    {"fogsim-mm+l-uniform",
     "The rule that causes the distance is not known. As a difference of loads, the distance is "
     "2.6 %: anax saturates at a load that is 2.6 % lower. The largest distance is at 0.7, the "
     "knee of the curve, where anax accepts 0.682 and FOGSim 0.692. Below 0.7 both agree within 1 "
     "%. FOGSim runs as in fogsim-mm-adv2-h4, with OFAR_misrouting_local = 1 and one seed. At 0.7 "
     "paths have 3.16 hops in anax and 3.14 in FOGSim. With one setting changed, anax accepts "
     "these loads at 0.7 and 0.8:\n"
     "  - 0.684 and 0.693 with seed 2;\n"
     "  - 0.683 and 0.691 with two allocation rounds;\n"
     "  - 0.689 and 0.700 without priority of transit, on paths of 3.27 hops;\n"
     "  - 0.698 and 0.747 with `network.ofar.injection_room` = 2 in place of 3. The values of "
     "FOGSim lie between those of anax with 2 and with 3."},
    {"fogsim-mm-adv2-h4",
     "The rule that causes the distance is not known. As a difference of loads, the distance is 2 "
     "%: at 0.306 anax has the latency that FOGSim has at 0.3. Accepted loads agree within 0.5 %. "
     "[Garcia 2013] does not say how the arbiters of outputs and inputs give turns. FOGSim runs "
     "with rings = ringDirs = embeddedRing = channels_ring = 1, dally = 0, OFAR_misrouting_mm = 1, "
     "baseCongestionControl_bub = 3.\n"
     "  - *At the knee, 0.3, the latencies differ.* FOGSim has 272.2 cycles (three seeds, 271.3 to "
     "273.4), and anax 256.1 (255.7 to 256.9; the mean over delivered messages, as in FOGSim): "
     "-5.9 %. With 10000 cycles of warm-up and 10000 measured cycles, FOGSim has 289.6 (one seed), "
     "and anax 264.7 (263.3 to 266.9): -8.6 %. The latency rises steeply at the knee: at 0.306 "
     "anax has 274 cycles.\n"
     "  - *At other loads they agree.* At 0.25 and 0.28 the distance is -0.6 % and -1.0 %. One "
     "cycle of this distance comes from FOGSim, where a packet can leave its node only in the "
     "cycle after its generation. At 0.4 both simulators accept 0.353.\n"
     "  - *What the packets do at 0.3.* Paths have the same length within 0.2 %, and the same "
     "share of packets is minimal. In FOGSim, packets of nodes at the router that owns the minimal "
     "link wait: in one group they take 370 to 649 cycles, and packets of other routers about 230 "
     "cycles.\n"
     "  - *These settings are not the cause.* anax has 256.1 cycles at 0.3. With one setting "
     "changed it has:\n"
     "    - with another `network.nic.vc_choice` or `network.ofar.ring_first`: the same. Under "
     "adv+2 all packets of a node request one output, which is granted once in a packet's time, "
     "and no packet enters FOGSim's ring;\n"
     "    - with `network.ofar.injection_room` = 0 (injection need not leave room for further "
     "packets): 257.3 (FOGSim 271.3 with the same rule);\n"
     "    - with `network.ofar.threshold` = 0.89: the same; with 0.85: 307.6;\n"
     "    - with `network.ofar.measure` = port: 240.9;\n"
     "    - with two allocation rounds: 265.9, on paths 2.7 % shorter; with four: 255.4.\n"
     "  - *These rules of arbitration are not the cause.* They need a change of the code:\n"
     "    - anax with one round robin of ports for each output, in place of one for each VC of an "
     "output: 255.8 cycles;\n"
     "    - anax with a round robin of an input's VCs that advances with each request, in place of "
     "each service: 256.9;\n"
     "    - FOGSim with a round robin that advances with each service, in place of each request: "
     "270.1 (266.9 to 274.4)."},
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
          "## Other simulators\n"
          "\n"
          "The table compares anax with two public simulators, one version of each, on the same "
          "machines (`bench/fidelity/fidelity_reference.csv` has their results). Another "
          "simulator is not the truth, but a distance without an explanation is a fault.\n"
          "\n"
          "- *Latency* is the largest distance of the latency, over the loads of which the "
          "simulator accepts at least 98 %.\n"
          "- *Throughput* is the distance of the largest accepted loads.\n"
          "- *Accepted* is the largest distance of the accepted load at any load.\n"
          "\n"
          "A curve holds if latency is within 5 % and throughput within 3 %, and holds in part if "
          "they are within 15 % and 10 %.\n"
          "\n"
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
    fputs("## Commands\n"
          "\n"
          "This section lists the command of each run. The points of a curve are the lines of the "
          "file points.csv that `-o` writes.\n"
          "\n",
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
    write_rules(page);
    if (!options->quick) write_causes(page, all);
    write_references(page, all);
    steps_write(page, all);
    fputs("\n## Pictures\n\n", page);
    bool good = pictures_write(all, options->out, page);
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

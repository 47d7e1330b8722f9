/*
 * Sections of the page on rules: what each of FOGSim's rules does to piggyback, and what the choice
 * of the third group and the weights do to Kim's Figure 8(b). Figures are measured; what papers say
 * of a rule is written by hand.
 */
#include "bench/fidelity/fidelity.h"

#include <math.h>
#include <string.h>

#define SIZES  3
#define LOAD_4 0.4
static const char *const sizes[SIZES] = {"h3", "h4", "h6"};
static const char *const size_curves[SIZES] = {"fogsim-rules-pb-adv2", "fogsim-rules-pb-adv2-h4",
                                               "fogsim-rules-pb-adv2-h6"};

static const struct {
    const char *rule;
    const char *setting;
    const char *papers;
} steps[] = {
    {"none: the paper's machine", "–", "–"},
    {"a packet waits in the injection queue of its destination",
     "`network.nic.vc_choice` = destination", "in none"},
    {"the destination's group can be the third one", "`network.third_group` = not-own",
     "against [Garcia 2013], 2: PB takes \"all global links of the group, except the minimal "
     "one\""},
    {"queues are credits alone", "`network.ugal.waiting` = off",
     "[Garcia 2013], 2: \"the credit count\""},
    {"minimal paths share VCs with the first half of non-minimal ones",
     "`network.minimal_vcs` = first", "against [Kim 2008], Figure 7; Garcia does not say"},
    {"queues and saturation of the VC that a path takes", "`network.ugal.measure` = vc",
     "[Kim 2008], 4.3.1, as one of several variants; Garcia does not say"},
    {"weights: local hops as in another wiring", "`network.ugal.weights` = absolute-local-hops",
     "in none; [Kim 2008], 4.2: \"hop count\""},
    {"a waiting packet is decided on in every cycle, with one candidate",
     "`network.reroute` = 1000000, `network.reroute_candidate` = same",
     "against [Garcia 2013], 2: paths are determined \"at injection time\""},
};
#define STEPS (sizeof steps / sizeof *steps)

/* The last step is the machine with all of the rules. */
static const struct measurement *measured_step(const struct measurement *all, size_t step,
                                               size_t size) {
    char name[32];
    snprintf(name, sizeof name, "step-%s-%zu", sizes[size], step);
    return measured(all, step + 1 < STEPS ? name : size_curves[size]);
}

static void write_step(FILE *page, const struct measurement *all, size_t step) {
    fprintf(page, "| %s%s | %s |", step > 0 ? "+ " : "", steps[step].rule, steps[step].setting);
    for (size_t size = 0; size < SIZES; size++) {
        const struct measurement *curve = measured_step(all, step, size);
        const struct reference_row *row = reference_at(size_curves[size], LOAD_4);
        const struct load_point *point = curve != NULL ? point_at(curve, LOAD_4) : NULL;
        if (point == NULL || row == NULL)
            fputs(" – |", page);
        else
            fprintf(page, " %.4f (%+.1f %%) |", point->accepted,
                    100 * (point->accepted / row->accepted - 1));
    }
    fprintf(page, " %s |\n", steps[step].papers);
}

static void write_piggyback(FILE *page, const struct measurement *all) {
    fputs("\n"
          "## FOGSim's rules for piggyback, one after the other\n\n"
          "The table has the accepted load under adv+2 at 0.4 and its distance from FOGSim's, on "
          "garcia-342-paper (h = 3), on the same machine with p = h = 4, a = 8, g = 33, and on "
          "garcia-5k-paper (h = 6). Each line also has the rules of the lines before it; the last "
          "one is garcia-342-fogsim or garcia-5k-fogsim. These machines also have "
          "`network.intragroup_paths` = policy, which has no effect here, because adv+2 has no "
          "packets within a group.\n\n"
          "| rule | setting | h = 3 | h = 4 | h = 6 | in the papers |\n"
          "|---|---|---|---|---|---|\n",
          page);
    for (size_t step = 0; step < STEPS; step++)
        write_step(page, all, step);
    fputs("| FOGSim | |", page);
    for (size_t size = 0; size < SIZES; size++) {
        const struct reference_row *row = reference_at(size_curves[size], LOAD_4);
        fprintf(page, " %.4f |", row != NULL ? row->accepted : NAN);
    }
    fputs(
        " |\n"
        "\n"
        "Some rules lower the accepted load and others raise it, by amounts that depend on h. It "
        "is chance that the paper's machine is near FOGSim at h = 3.\n"
        "\n"
        "- **The queue of the destination** lowers the load most at h = 3: under adv+2 a node then "
        "has one injection queue in place of three, and a packet that waits for the minimal link "
        "stops all packets behind it.\n"
        "- **Credits alone** lower it most at h = 6: packets that already wait for a port do not "
        "count, so several more are sent the same way.\n"
        "- **The queue of a VC** raises it most. With `network.minimal_vcs` = last it would not "
        "help, because the VC of minimal packets is then also that of all second global hops, "
        "which use every link. With first it shows what the group itself has sent, and "
        "distinguishes the minimal link from the others.\n"
        "- **Deciding again** makes up for what credits alone cost: a packet that was sent to the "
        "minimal link before its queue was seen can still leave it.\n",
        page);
}

/* ---- Kim, Figure 8(b) ------------------------------------------------------------------------ */

static const struct {
    const char *experiment;
    const char *third_group;
    const char *weights;
    double forced; /* of packets that go by the minimal link whatever queues say */
} thirds[] = {
    {"worst-16-ugal-l", "others", "hops", 3.0 / 31},
    {"worst-16-ugal-l-any", "any", "hops", 5.0 / 33},
    {"worst-16-ugal-l-ratio", "others", "1 : 2", 3.0 / 31},
    {"worst-16-ugal-l-any-ratio", "any", "1 : 2", 5.0 / 33},
};

static void write_accepted(FILE *page, const struct measurement *curve, double load) {
    const struct load_point *point = curve != NULL ? point_at(curve, load) : NULL;
    if (point == NULL)
        fputs(" – |", page);
    else
        fprintf(page, " %.3f |", point->accepted);
}

static void write_thirds(FILE *page, const struct measurement *all) {
    fputs(
        "\n"
        "## The third group and Kim's Figure 8(b)\n"
        "\n"
        "The paper's ugal-l saturates \"soon after 0.2\" of WC. The set of groups from which the "
        "third group is drawn decides where (`network.third_group`).\n"
        "\n"
        "1. A group's minimal link takes 1/32 of what its nodes can send.\n"
        "2. The router that owns the minimal link also has the links to 3 of the other 31 groups. "
        "If one of these is drawn, both paths leave any other router by the same port, their "
        "queues are equal, and the path is minimal.\n"
        "3. So 3/31 of the packets are forced onto the minimal link, and at most (1/32)/(3/31) can "
        "be accepted.\n"
        "\n"
        "BookSim 2 draws among all 33 groups, and the path is also minimal if it draws the "
        "packet's own group or its destination's, so that 5/33 of the packets are forced. The "
        "paper says only \"a randomly-selected intermediate group\", and its steps allow for "
        "both.\n"
        "\n"
        "| third_group | weights | forced share | its bound | first load that is not stable | "
        "accepted at 0.25 | at 0.3 | at 0.35 |\n"
        "|---|---|---|---|---|---|---|---|\n",
        page);
    for (size_t i = 0; i < sizeof thirds / sizeof *thirds; i++) {
        const struct measurement *curve = measured(all, thirds[i].experiment);
        fprintf(page, "| %s | %s | %.3f | %.3f |", thirds[i].third_group, thirds[i].weights,
                thirds[i].forced, 1.0 / 32 / thirds[i].forced);
        if (curve == NULL || isinf(first_unstable(curve)))
            fputs(" – |", page);
        else
            fprintf(page, " %.2f |", first_unstable(curve));
        write_accepted(page, curve, 0.25);
        write_accepted(page, curve, 0.3);
        write_accepted(page, curve, 0.35);
        fputc('\n', page);
    }
    fputs(
        "\n"
        "Fewer packets of the router that owns the minimal link are forced, so a little more than "
        "the bound is possible.\n",
        page);
}

/* ---- how the other simulators were run ------------------------------------------------------- */

static void write_peers(FILE *page) {
    fputs(
        "\n"
        "### How the other simulators were run\n"
        "\n"
        "- **BookSim 2** (UGAL): topology dragonflynew with k = 4, n = 1, routing_function = ugal, "
        "num_vcs = 3, vc_buf_size = 16 or 256, packet_size = 1, traffic = uniform or bad_dragon, "
        "internal_speedup = 2, credit_delay = 2, routing_delay = 0, vc_alloc_delay = "
        "sw_alloc_delay = st_final_delay = 1, separable_input_first allocators, sample_period = "
        "1000, warmup_periods = 2, max_samples = 3. Changed in its source: channel latencies (1 "
        "and 1 cycles, 10 and 100 in booksim-ugal-long); a non-minimal path turns at the first "
        "router of the third group, where the published code goes on to a random one, for which "
        "its three VCs are one too few; the constant of 30 flits that favours minimal paths is 0, "
        "except in booksim-ugal-bias; in booksim-ugal-one-queue nodes inject by VC 0 alone.\n"
        "- **BookSim 2's allocators** (booksim-ugal-worst at 0.45): its router gives an output VC "
        "to a packet before its way through the crossbar, and gives turns to input VCs: "
        "`network.router.vc_allocation` first, with `network.router.credit_latency` 2ns. Without "
        "these two (with-crossbar, 0) anax accepts 0.213 at 0.45 in place of BookSim's 0.162, as "
        "BookSim does (0.208) with turns of ports (vc_allocator = "
        "separable_input_first(tree(15,round_robin)), nothing else changed). Seeds 1 to 3: 0.165, "
        "0.158 and 0.161. With credits that take two cycles less, anax accepts 0.150 to 0.156 (six "
        "seeds). A cycle by cycle model of BookSim's router shows why (0.159 to 0.172 over six "
        "seeds):\n"
        "  - A packet that holds the VC of the minimal link is not served while its input port "
        "serves another output, and nothing uses the VC in the meantime. So the link sends less "
        "than credits allow, and the queue falls from 15 flits to the 5 on their way.\n"
        "  - Nodes at the router that owns the link therefore find a short queue on their minimal "
        "path: 19 % of their packets take it in place of 9 %.\n"
        "  - Three input VCs of each of these four nodes and one of each of the seven local ports "
        "have turns for the VC. So the nodes have twelve turns of nineteen, and the other nodes of "
        "the group wait.\n"
        "  - Three parts are needed together: the VC is held, input VCs have turns for it, and "
        "outputs have turns at an input port. With any two of them the model accepts 0.209 to "
        "0.211.\n"
        "  - No paper has these rules: [Kim 2008], 4.2, names no arbiter, and gives routers "
        "\"sufficient speedup\" so that they \"do not become the bottleneck\"; at 0.45 BookSim's "
        "are one.\n"
        "- **FOGSim**, first public version, not changed: `fogsim CONFIG OUTPUT 32 256 1 LOAD 1` "
        "with p = h, a = 2h, maxCycles = 4000 after as many cycles of warm-up, delays of 10 and "
        "100 cycles, packetSize = flitSize = 8, queueGen = 256, channels_inj = channels_useful = "
        "3, channels_glob = 2, arbiter_iterations = 3, palm_tree_configuration = 1, dally = 1, and "
        "valiant, ugal or piggybacking = 1, piggybacking_coef = 200; trafficAdvDist = 2.\n",
        page);
}

void steps_write(FILE *page, const struct measurement *all) {
    write_peers(page);
    write_piggyback(page, all);
    write_thirds(page, all);
}

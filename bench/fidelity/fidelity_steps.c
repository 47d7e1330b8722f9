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
    {"the router decides again on a waiting packet in every cycle, with one candidate",
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
          "## FOGSim's rules for piggyback, one after the other\n"
          "\n"
          "The table has the accepted load under adv+2 at 0.4 and its distance from FOGSim's, on "
          "garcia-342-paper (h = 3), on the same machine with p = h = 4, a = 8, g = 33, and on "
          "garcia-5k-paper (h = 6). Each row has its own rule and the rules of all rows above it. "
          "The machine of the last row of rules is garcia-342-fogsim or garcia-5k-fogsim. These "
          "machines also have `network.intragroup_paths` = policy, which has no effect here, "
          "because adv+2 has no packets within a group.\n"
          "\n"
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
        "Some rules lower the accepted load and others raise it, by amounts that depend on h. So "
        "the agreement of the paper's machine with FOGSim at h = 3 is chance.\n"
        "\n"
        "- **The injection queue of the destination** lowers the accepted load most at h = 3. "
        "Under adv+2 a node then uses one injection queue in place of three, and a packet that "
        "waits for the minimal link stops all packets behind it.\n"
        "- **Queues that are credits alone** lower the accepted load most at h = 6. Packets that "
        "already wait for a port do not count, so the router sends several more packets to the "
        "same port.\n"
        "- **The queue of one VC** raises the accepted load most. This rule depends on "
        "`network.minimal_vcs` = first: the queue of the VC then shows what the group itself has "
        "sent, so it distinguishes the minimal link from the others. With last, all second global "
        "hops, which use every link, share the VC of minimal packets.\n"
        "- **Deciding in every cycle** compensates for queues that are credits alone: a packet "
        "that chose the minimal link before the queue of that link grew can still choose another "
        "path.\n",
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
        "third group is drawn (`network.third_group`) decides at which load.\n"
        "\n"
        "1. A group's minimal link takes 1/32 of what its nodes can send.\n"
        "2. The router that owns the minimal link also has the links to 3 of the other 31 groups. "
        "If one of these 3 groups is drawn, the minimal and the non-minimal path leave any other "
        "router of the group by the same port. The queues of both paths are then equal, and the "
        "packet takes the minimal path.\n"
        "3. So 3/31 of the packets are forced onto the minimal link, and at most (1/32)/(3/31) "
        "can be accepted.\n"
        "\n"
        "BookSim 2 draws among all 33 groups. The path is then also minimal if BookSim draws the "
        "packet's own group or the destination's group, so 5/33 of the packets are forced onto "
        "the minimal link. The paper says only \"a randomly-selected intermediate group\", and "
        "the steps of its algorithm allow for both sets of groups.\n"
        "\n"
        "| third_group | weights | forced share | bound of the accepted load | first load that is "
        "not stable | accepted at 0.25 | at 0.3 | at 0.35 |\n"
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
        "At the router that owns the minimal link, a smaller share of packets is forced onto this "
        "link. So the accepted load can exceed the bound a little.\n",
        page);
}

/* ---- how the other simulators were run ------------------------------------------------------- */

static void write_peers(FILE *page) {
    fputs(
        "\n"
        "### How the other simulators were run\n"
        "\n"
        "- **BookSim 2** (UGAL): topology dragonflynew with k = 4, n = 1, routing_function = "
        "ugal, num_vcs = 3, vc_buf_size = 16 or 256, packet_size = 1, traffic = uniform or "
        "bad_dragon, internal_speedup = 2, credit_delay = 2, routing_delay = 0, vc_alloc_delay = "
        "sw_alloc_delay = st_final_delay = 1, separable_input_first allocators, sample_period = "
        "1000, warmup_periods = 2, max_samples = 3. The source of BookSim 2 has these changes:\n"
        "  - Channel latencies are 1 and 1 cycles (10 and 100 in booksim-ugal-long).\n"
        "  - A non-minimal path turns at the first router of the third group. In the published "
        "code it goes on to a random router of that group, for which the three VCs of the "
        "published code are one too few.\n"
        "  - The constant of 30 flits that favours minimal paths is 0, except in "
        "booksim-ugal-bias.\n"
        "  - In booksim-ugal-one-queue nodes inject into VC 0 alone.\n"
        "- **BookSim 2's allocators** (booksim-ugal-worst at 0.45): the router of BookSim 2 "
        "allocates an output VC to a packet before the packet crosses the crossbar, and its "
        "arbiters give turns to input VCs. anax does the same with `network.router.vc_allocation` "
        "= first and `network.router.credit_latency` = 2ns. At 0.45 BookSim accepts 0.162 (0.165, "
        "0.158 and 0.161 with seeds 1 to 3).\n"
        "  - Without these two settings (with-crossbar, 0) anax accepts 0.213. BookSim accepts "
        "about as much (0.208) if its arbiters give turns to ports (vc_allocator = "
        "separable_input_first(tree(15,round_robin)), nothing else changed). With credits that "
        "take two cycles less, anax accepts 0.150 to 0.156 (six seeds).\n"
        "  - The other points follow from a cycle-by-cycle model of BookSim's router, which "
        "accepts 0.159 to 0.172 over six seeds.\n"
        "  - A packet that holds the VC of the minimal link is not served while its input port "
        "serves another output, and no packet uses the VC in the meantime. So the link sends less "
        "than its credits allow, and the queue falls from 15 flits to the 5 flits that are on "
        "their way.\n"
        "  - So nodes at the router that owns the link find a short queue on their minimal path, "
        "and 19 % of their packets take the minimal path in place of 9 %.\n"
        "  - Three input VCs of each of these four nodes and one input VC of each of the seven "
        "local ports take turns for the VC. So these four nodes have twelve turns of nineteen, "
        "and the other nodes of the group wait.\n"
        "  - The effect needs three rules together: a packet holds the VC, input VCs take turns "
        "for the VC, and outputs take turns at an input port. With any two of these rules the "
        "model accepts 0.209 to 0.211.\n"
        "  - No paper has these rules: [Kim 2008], 4.2, names no arbiter, and gives routers "
        "\"sufficient speedup\" so that they \"do not become the bottleneck\". At 0.45 the "
        "routers of BookSim are the bottleneck.\n"
        "- **FOGSim**, first public version, not changed: `fogsim CONFIG OUTPUT 32 256 1 LOAD 1` "
        "with p = h, a = 2h, maxCycles = 4000 after 4000 cycles of warm-up, delays of 10 and 100 "
        "cycles, packetSize = flitSize = 8, queueGen = 256, channels_inj = channels_useful = 3, "
        "channels_glob = 2, arbiter_iterations = 3, palm_tree_configuration = 1, dally = 1, and "
        "valiant, ugal or piggybacking = 1, piggybacking_coef = 200; trafficAdvDist = 2.\n",
        page);
}

void steps_write(FILE *page, const struct measurement *all) {
    write_peers(page);
    write_piggyback(page, all);
    write_thirds(page, all);
}

/* What the page says besides tables: sources, fitted values, how congestion is measured. */
#include "bench/machines/validation.h"

const struct section_text validation_sections[] = {
    {"",
     "- **[XC]**: B. Alverson, E. Froese, L. Kaplan, D. Roweth, Cray XC Series Network, white "
     "paper "
     "WP-Aries01-1112, 2012 (a system of 750 nodes).\n"
     "- **[SC19]**: D. De Sensi, S. Di Girolamo, T. Hoefler, Mitigating Network Noise on Dragonfly "
     "Networks through Application-Aware Routing, SC 2019 (Piz Daint in production).\n"
     "- **[SC20]**: D. De Sensi, S. Di Girolamo, K. H. McMahon, D. Roweth, T. Hoefler, An In-Depth "
     "Analysis of the Slingshot Interconnect, SC 2020 (Malbec, Shandy, and a Cray XC; exclusive "
     "use).\n"
     "- **[SC24]**: D. De Sensi et al., SC 2024 (LUMI, buffers in host memory).\n"
     "- **[CSCS]**: figures that the regression tests of the Swiss National Supercomputing Centre "
     "expect: github.com/reframe-hpc/reframe, cscs-checks/microbenchmarks/mpi/osu/osu_tests.py, "
     "2021 "
     "(Piz Daint, Dom, Eiger); github.com/eth-cscs/cscs-reframe-tests, "
     "checks/microbenchmarks/mpi/osu/osu_run.py (Alps). The tests take any nodes of one group; the "
     "figures allow for deviations, least on Dom, which few use.\n"
     "- **[EESSI]**: github.com/EESSI/docs, docs/blog/posts/2025/09/eessi-cray-slingshot11.md "
     "(Olivia, two nodes with AMD EPYC 9745, Slingshot 11, Open MPI 5, OSU 7.1).\n"
     "- **[Blink]**: github.com/DanieleDeSensi/blink, the benchmarks of [SC20]'s first author; its "
     "description says that a preliminary version was used for [SC20].\n\n"
     "*text*: the figure stands in the source; *plot*: it was read from a picture, about 3 % "
     "exact; *derived*: it follows from such figures. The files of the machines say where each "
     "of their figures comes from, and what is assumed. Fitted to ping-pong are these values, and "
     "nothing else; all other rows are predictions:\n\n"
     "| hosts | fitted | value | to |\n|---|---|---|---|\n"
     "| cray-xc and what starts from it | overhead of a message at either end | 210 ns | 8 bytes, "
     "[XC], Figure 11 |\n"
     "| | starting a rendezvous at either end | 440 ns | 8 KiB and more, [XC], Figure 14 |\n"
     "| malbec, shandy | overhead of a message at either end | 447 ns | 8 bytes on one switch, "
     "[SC20], Figure 4 |\n"
     "| slingshot, lumi, frontier, perlmutter | latency of host bus and NIC at either end | 871 ns "
     "| "
     "1 byte on one switch, [SC24], Figure 8b |\n\n"
     "The times per message of osu_bw on Aries (565 ns, Open MPI issue 1005) and on Slingshot 11 "
     "(427 ns, [CSCS]) are in the machine files as published figures."},
    {ARIES_CONGESTION,
     "One job of ping-pongs or allreduces on part of 512 nodes, beside a job in which all nodes "
     "send "
     "128 KiB to one at once. As in [Blink], the pairs of ranks are i and i + n/2, and each sample "
     "begins with a barrier of the victim's ranks, which does not count. The incast sends by puts "
     "(assumed: [Blink] has puts, and messages of which a receiver fetches one at a time, which "
     "cannot fill a network). The Cray XC of [SC20] is taken to have two groups (assumed), so "
     "cray-xc "
     "has two groups here. The victim starts 10 ms after the other job. Linear allocation: the "
     "first "
     "nodes are the victim's."},
    {SLINGSHOT_CONGESTION,
     "The same on Malbec's 512 nodes. [SC20] finds at most 1.3 with linear allocation, and at most "
     "2.3 for all victims and allocations."},
    {NULL, NULL},
};

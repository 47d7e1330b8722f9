/*
 * The settings that belong to no room below: the seed, the machine's name, and the options of
 * synthetic applications and of what runs beside a job. Only the table; what the values mean is
 * said where they are used.
 */
#include "api/api.h"

const struct setting_row run_setting_rows[] = {
    {"machine", SETTING_TEXT, offsetof(struct run_config, machine), 0, 0, "", NULL,
     "named machine or machine file that the network's settings are taken from"},
    {"description", SETTING_TEXT, offsetof(struct run_config, description), 0, 0, "", NULL,
     "one line about the machine, for people"},
    {"seed", SETTING_COUNT, offsetof(struct run_config, seed), 0, INT64_MAX, "1", NULL,
     "number that all random choices follow from"},
};
const size_t run_setting_count = sizeof run_setting_rows / sizeof *run_setting_rows;

#define BACKGROUND(member) offsetof(struct jobs_config, background.member)
const struct setting_row jobs_setting_rows[] = {
    {"jobs.alone", SETTING_SWITCH, offsetof(struct jobs_config, alone), 0, 0, "on", NULL,
     "also run every job alone, to find by how much the others slow it down"},
    {"background.load", SETTING_RATIO, offsetof(struct jobs_config, background_millionths), 0,
     1000000, "0", NULL, "offered load of nodes without ranks, a share of the injection bandwidth"},
    {"background.pattern", SETTING_TEXT, BACKGROUND(pattern), 0, 0, "uniform", NULL,
     "destinations of their messages, among such nodes: see `anax list traffic`"},
    {"background.message", SETTING_SIZE, BACKGROUND(message_bytes), 0, INT64_C(1) << 40, "0", NULL,
     "payload of their messages; 0 is one packet"},
    {"background.burst", SETTING_COUNT, BACKGROUND(burst_messages), 1, 1000000, "1", NULL,
     "messages that arrive at the same time, for one destination"},
    {"background.hotspot_node", SETTING_COUNT, BACKGROUND(hotspot_node), 0, UINT32_MAX, "0", NULL,
     "node without ranks that the hotspot pattern prefers"},
    {"background.hotspot_share", SETTING_RATIO, BACKGROUND(hotspot_millionths), 0, 1000000, "0.1",
     NULL, "share of the hotspot pattern's messages that go to that node"},
};
const size_t jobs_setting_count = sizeof jobs_setting_rows / sizeof *jobs_setting_rows;

const struct setting_row generate_setting_rows[] = {
    {"generate.ranks", SETTING_COUNT, offsetof(struct generate_config, ranks), 1, 1 << 24, "16",
     NULL, "ranks of the synthetic application"},
    {"generate.iterations", SETTING_COUNT, offsetof(struct generate_config, iterations), 1,
     INT32_MAX, "10", NULL, "iterations of its main loop"},
    {"generate.size", SETTING_SIZE, offsetof(struct generate_config, size_bytes), 0,
     INT64_C(1) << 40, "8KiB", NULL, "size of a message; patterns with several sizes derive them"},
    {"generate.compute", SETTING_TIME, offsetof(struct generate_config, compute_ps), 0,
     INT64_C(1000000000000000), "10us", NULL, "computation per rank and iteration"},
    {"generate.neighbours", SETTING_COUNT, offsetof(struct generate_config, neighbours), 6, 26, "6",
     NULL, "neighbours of a rank in halo3d: 6 or 26"},
    {"generate.root", SETTING_COUNT, offsetof(struct generate_config, root), 0, INT32_MAX, "0",
     NULL, "the rank that the others send to, in patterns that have one"},
};
const size_t generate_setting_count = sizeof generate_setting_rows / sizeof *generate_setting_rows;

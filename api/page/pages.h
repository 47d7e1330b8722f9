/*
 * What the page of each kind of result shows. The functions draw from the result's JSON alone, and
 * leave out what it does not have.
 */
#ifndef ANAX_API_PAGES_H
#define ANAX_API_PAGES_H

#include "api/chart/svg.h"
#include "api/page/page.h"

#include <json-c/json_types.h>

/* page_replay.c: draws the page of a replay: the verdict, the reasons, where it comes from. */
void page_of_replay(struct page *page, struct json_object *result);
/* page_compare.c: draws the page of a comparison: which candidate is the fastest, by how much, and
 * why. */
void page_of_comparison(struct page *page, struct json_object *result);
/* page_traffic.c: draws the page of synthetic traffic: latency and accepted load over the offered
 * load. */
void page_of_traffic(struct page *page, struct json_object *result);
/* page_place.c: draws the page of a placement: where ranks are, how far messages go, what links
 * would carry. */
void page_of_placement(struct page *page, struct json_object *result);
/* page_topology.c: draws the page of machines: their groups, links, distances and cables. */
void page_of_topology(struct page *page, struct json_object *result);
/* page_search.c: draws the page of a search: the Pareto front and the stages. */
void page_of_search(struct page *page, struct json_object *result);
/* page_bisection.c: draws the page of bisection bandwidths: a curve for each arrangement. */
void page_of_bisection(struct page *page, struct json_object *result);
/* page_diff.c: draws the page of a diff: what takes more or less time in the second replay. */
void page_of_diff(struct page *page, struct json_object *result);

/* page_floor.c: adds cabinets and global cables of a machine, unless the result has no floor or a
 * floor of one cabinet. row: the machine's entry in the result; machine: its number in the list;
 * id: that of the machine's section. */
void page_floor(struct page *page, struct json_object *result, struct json_object *row,
                size_t machine, const char *id);

/* Returns a bisection curve of a result: number `number` of its list, or the result itself if it
 * has no list. */
struct json_object *page_bisection_curve(struct json_object *result, size_t number);
/* Returns the number of bisection curves of a result. */
size_t page_bisection_curve_count(struct json_object *result);
/* Returns whether the machines of all bisection curves of a result have the same shape. */
bool page_bisection_has_one_shape(struct json_object *result);
/* Returns whether a machine has no name, because options of anax bisection gave its shape. */
bool page_machine_is_custom(struct json_object *machine);

/* page_factors.c: adds a map of the mean difference from the baseline by the first two factors,
 * unless there are fewer. number: the trace's number in the comparison. */
void page_factor_map(struct page *page, const char *const *factors, size_t factor_count,
                     const char *trace, size_t number, struct json_object *candidates);

/* page_compare.c: writes a candidate's name: its values of the factors that have several. */
void page_candidate_name(char *name, size_t size, const char *const *factors, size_t factor_count,
                         struct json_object *candidate);

/* page_costs.c: adds a chart of cost against time with the Pareto front, unless all cost the same.
 */
void page_costs(struct page *page, const char *const *factors, size_t factor_count,
                const char *trace, size_t number, struct json_object *candidates);

/* page_time.c: where the time of ranks went. */

enum { PAGE_PARTS = 9 };
/* The parts of a rank's time, in the order of drawing, and their keys in JSON. */
extern const struct svg_key page_parts[PAGE_PARTS];
extern const char *const page_part_keys[PAGE_PARTS];
/* Returns the key of the part that has this name in a diff. A name that is no part has the colour
 * and hatch number `number` of the palette. */
struct svg_key page_part_key(const char *name, size_t number);

/* Adds the parts of the time of all ranks together. */
void page_breakdown(struct page *page, struct json_object *result);
/* Adds the efficiencies of the whole run, unless the result has none. */
void page_efficiency(struct page *page, struct json_object *result);
/* Adds the parts of the critical path, unless the result has none. */
void page_critical_path(struct page *page, struct json_object *result);
/* Adds the time of each MPI call. */
void page_calls(struct page *page, struct json_object *result);

/* page_regions.c: adds user regions with their times and efficiencies, unless the result has none.
 */
void page_regions(struct page *page, struct json_object *result);
/* page_iterations.c: adds the efficiencies of iterations, unless the result has none. */
void page_iterations(struct page *page, struct json_object *result);
/* Begins a table of efficiencies that a line with `summary` unfolds; `first` is the head of its
 * first column. */
void page_factors_heads(struct page *page, const char *summary, const char *first);
/* Adds the cells of a row after the first one, which the caller has added. */
void page_factors_row(struct page *page, struct json_object *row);
/* page_sensitivity.c: adds how the time depends on each setting, unless the result does not explain
 * its time. */
void page_sensitivity(struct page *page, struct json_object *result);

/* page_ranks.c: adds how the time of each rank divides. */
void page_ranks(struct page *page, struct json_object *result);
/* page_ranks.c: adds where ranks run. */
void page_placement(struct page *page, struct json_object *ranks, struct json_object *machine);

/* page_steps.c: adds the last steps of the critical path, unless the result has none. */
void page_path_steps(struct page *page, struct json_object *result);
/* page_matrix.c: adds the communication matrix, unless the result has none. */
void page_matrix(struct page *page, struct json_object *result);

/* page_timeline.c: adds what ranks do over time, unless the result has no time bins. */
void page_timeline(struct page *page, struct json_object *result);
/* page_congestion.c: adds how busy and how stalled channels are over time, unless the result has no
 * time bins. */
void page_congestion(struct page *page, struct json_object *result);

/* page_network.c: adds the load between groups. */
void page_groups(struct page *page, struct json_object *result);
/* page_network.c: adds the busiest links. */
void page_links(struct page *page, struct json_object *result);
/* Adds two cells: where a link begins and where it ends, which are routers or nodes. */
void page_link_ends(struct page *page, struct json_object *link);

/* page_flows.c: adds which flows load the watched links, and which wait behind which, unless no
 * links are watched. */
void page_flows(struct page *page, struct json_object *result);

/* page_messages.c: adds how long messages took, and how far packets went. */
void page_latency(struct page *page, struct json_object *result);

/* page_origin.c: adds the settings that differ from the machine or the defaults. */
void page_changes(struct page *page, struct json_object *result);
/* page_origin.c: adds where the result comes from: trace, machine, settings, computation. */
void page_origin(struct page *page, struct json_object *result);

#endif

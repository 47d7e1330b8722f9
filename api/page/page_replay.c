/* The page of a replay: first the verdict, then the reasons, then where it all comes from. */
#include "api/page/page_values.h"
#include "api/page/pages.h"

#include <json-c/json.h>
#include <stdio.h>

static void add_verdict(struct page *page, struct json_object *result) {
    struct json_object *verdict = page_value_list(result, "verdict");
    struct json_object *trace = page_value_object(result, "trace");
    struct json_object *machine = page_value_object(result, "machine");
    struct json_object *background = page_value_object(result, "background");
    const size_t jobs = page_value_count(page_value_list(result, "jobs"));
    char time[VALUES_TEXT], several[40];
    page_section(page, "verdict", "Verdict");
    if (!page_value_truth(result, "completed")) {
        const char *failure = page_value_text(result, "failure");
        page_lead_paragraph(page, "The replay did not finish, so there is no predicted time.");
        page_lead_paragraph(page, *failure != '\0' ? failure : "The result does not say why.");
        return;
    }
    for (size_t i = 0; i < page_value_count(verdict); i++)
        if (json_object_is_type(page_value_at(verdict, i), json_type_string))
            page_lead_paragraph(page, json_object_get_string(page_value_at(verdict, i)));
    snprintf(several, sizeof several, "%zu jobs", jobs);
    page_paragraph(
        page,
        "Predicted time: %s. %.0f rank%s of %s on %s (%.0f nodes in %.0f groups), routing %s, "
        "placement %s, seed %.0f.",
        page_value_time(time, page_value_number(result, "time_ps")),
        page_value_number(trace, "ranks"), page_value_plural(page_value_number(trace, "ranks")),
        jobs > 1 ? several : page_value_text(trace, "path"), page_value_text(machine, "name"),
        page_value_number(machine, "nodes"), page_value_number(machine, "groups"),
        page_value_text(result, "routing"), page_value_text(result, "placement"),
        page_value_number(result, "seed"));
    if (page_value_number(background, "nodes") > 0)
        page_paragraph(
            page,
            "Besides, %.0f nodes without ranks send background traffic: pattern %s, %s of "
            "their injection bandwidth.",
            page_value_number(background, "nodes"), page_value_text(background, "pattern"),
            page_value_percent(time, page_value_number(background, "load")));
}

static void add_jobs(struct page *page, struct json_object *result) {
    struct json_object *jobs = page_value_list(result, "jobs");
    char text[VALUES_TEXT];
    if (page_value_count(jobs) < 2) return;
    page_section(page, "jobs", "Jobs");
    page_table(page, "#job|name|#ranks|placement|#start|#time|#alone|#slowdown");
    for (size_t i = 0; i < page_value_count(jobs); i++) {
        struct json_object *job = page_value_at(jobs, i);
        page_cell(page, "%.0f", page_value_number(job, "job"));
        page_cell(page, "%s", page_value_text(job, "name"));
        page_cell(page, "%.0f", page_value_number(job, "ranks"));
        page_cell(page, "%s", page_value_text(job, "placement"));
        page_cell(page, "%s", page_value_time(text, page_value_number(job, "start_ps")));
        page_cell(page, "%s", page_value_time(text, page_value_number(job, "time_ps")));
        page_cell(page, "%s", page_value_time(text, page_value_number(job, "alone_ps")));
        if (page_value_number(job, "slowdown") > 0)
            page_cell(page, "%.3f", page_value_number(job, "slowdown"));
        else
            page_cell(page, "%s", "none");
    }
    page_table_end(page);
}

/* Says which options add parts that this result does not have. */
static void add_missing(struct page *page, struct json_object *result) {
    static const struct {
        const char *key, *option, *what;
    } rows[] = {
        {"efficiency", "--explain",
         "the efficiencies, the critical path by cause and by step, and what would change the "
         "time"},
        {"state_bins", "--time-bins 64", "what ranks do, and congestion, over time"},
        {"matrix", "--matrix rank", "who sends to whom"},
        {"link_flows", "--links hottest:3",
         "who loads the busiest links, and who waits behind whom"},
    };
    bool begun = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (page_value_has(result, rows[i].key)) continue;
        if (!begun) {
            page_section(page, "more", "What more there is to see");
            page_table(page, "this option of anax replay|adds to the page");
            begun = true;
        }
        page_cell(page, "%s", rows[i].option);
        page_cell(page, "%s", rows[i].what);
    }
    if (begun) page_table_end(page);
}

void page_of_replay(struct page *page, struct json_object *result) {
    add_verdict(page, result);
    if (page_value_truth(result, "completed")) {
        add_jobs(page, result);
        page_breakdown(page, result);
        page_efficiency(page, result);
        page_critical_path(page, result);
        page_sensitivity(page, result);
        page_ranks(page, result);
        page_timeline(page, result);
        page_calls(page, result);
        page_regions(page, result);
        page_iterations(page, result);
        page_groups(page, result);
        page_links(page, result);
        page_flows(page, result);
        page_congestion(page, result);
        page_matrix(page, result);
        page_latency(page, result);
        page_placement(page, page_value_list(result, "ranks"),
                       page_value_object(result, "machine"));
        add_missing(page, result);
    }
    page_changes(page, result);
    page_origin(page, result);
}

/*
 * Reports through the public interface.
 *
 * A report is drawn from JSON and nothing else: one way for results at hand and for saved ones, and
 * no picture can show what the result does not hold.
 */
#include "api/api.h"
#include "api/json/json_input.h"
#include "api/page/page_values.h"
#include "api/page/pages.h"
#include "core/files/output_folder.h"
#include "core/memory/memory.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADING_MACHINES = 8 }; /* most machines that a heading names */

struct anax_report {
    struct page page;
    char *heading, *html;
};

static void heading_of_replay(struct json_object *result, struct text_buffer *heading) {
    struct json_object *jobs = page_value_list(result, "jobs");
    char time[VALUES_TEXT];
    if (page_value_count(jobs) > 1)
        text_add(heading, "%zu jobs", page_value_count(jobs));
    else if (page_value_count(jobs) == 1)
        text_add(heading, "%s", page_value_text(page_value_at(jobs, 0), "name"));
    else
        text_add(heading, "%s", page_value_text(page_value_object(result, "trace"), "path"));
    text_add(heading, " on %s", page_value_text(page_value_object(result, "machine"), "name"));
    if (page_value_truth(result, "completed"))
        text_add(heading, ": %s", page_value_time(time, page_value_number(result, "time_ps")));
    else
        text_add(heading, ": not finished");
}

static void heading_of_comparison(struct json_object *result, struct text_buffer *heading) {
    struct json_object *winners = page_value_list(result, "winners");
    struct json_object *winner = page_value_at(winners, 0);
    struct json_object *candidates = page_value_list(result, "candidates");
    const size_t count = page_value_count(candidates);
    size_t first = 0; /* candidates of rank 1 */
    for (size_t i = 0; i < count; i++)
        first += page_value_number(page_value_at(candidates, i), "rank") == 1;
    text_add(heading, "%zu candidate%s", count, page_value_plural((double)count));
    if (page_value_count(winners) != 1) return;
    if (first == count && count > 2)
        text_add(heading, ": all are equally fast");
    else if (first > 2)
        text_add(heading, ": %zu are equally fast, and first", first);
    else if (first == 2)
        text_add(heading, ": %s and %s are equally fast, and first",
                 page_value_text(winner, "winner"), page_value_text(winner, "runner_up"));
    else
        text_add(heading, ": %s is first", page_value_text(winner, "winner"));
}

static void heading_of_search(struct json_object *result, struct text_buffer *heading) {
    struct json_object *candidates = page_value_list(result, "candidates");
    size_t front = 0;
    for (size_t i = 0; i < page_value_count(candidates); i++)
        front += page_value_truth(page_value_at(candidates, i), "front");
    text_add(heading, "%zu of %zu candidate%s for %s %s cost", front, page_value_count(candidates),
             page_value_plural((double)page_value_count(candidates)),
             page_value_text(page_value_at(page_value_list(result, "traces"), 0), "name"),
             front == 1 ? "is worth its" : "are worth their");
}

static void heading_of_traffic(struct json_object *result, struct text_buffer *heading) {
    text_add(heading, "%s traffic on ", page_value_text(result, "pattern"));
    if (page_value_count(page_value_list(result, "machines")) > 1)
        page_value_machine_names(heading, result, HEADING_MACHINES);
    else
        text_add(heading, "%s", page_value_text(page_value_object(result, "machine"), "name"));
}

static void heading_of_placement(struct json_object *result, struct text_buffer *heading) {
    text_add(heading, "Placement %s on %s", page_value_text(result, "placement"),
             page_value_text(page_value_object(result, "machine"), "name"));
}

static void heading_of_machines(struct json_object *result, struct text_buffer *heading) {
    page_value_machine_names(heading, result, HEADING_MACHINES);
}

static void heading_of_bisection(struct json_object *result, struct text_buffer *heading) {
    struct json_object *machine = page_value_object(page_bisection_curve(result, 0), "machine");
    if (!page_bisection_has_one_shape(result))
        text_add(heading, "Bisection bandwidth of %zu machines",
                 page_bisection_curve_count(result));
    else if (page_machine_is_custom(machine))
        text_add(heading, "Bisection bandwidth of %.0f groups of %.0f routers",
                 page_value_number(machine, "groups"),
                 page_value_number(machine, "routers_per_group"));
    else
        text_add(heading, "Bisection bandwidth of %s", page_value_text(machine, "name"));
}

static const char *file_name(struct json_object *run) {
    const char *path = page_value_text(run, "path"), *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void heading_of_diff(struct json_object *result, struct text_buffer *heading) {
    struct json_object *runs = page_value_list(result, "results");
    char first[VALUES_TEXT], second[VALUES_TEXT];
    text_add(heading, "%s and %s: %s to %s", file_name(page_value_at(runs, 0)),
             file_name(page_value_at(runs, 1)),
             page_value_time(first, page_value_number(page_value_at(runs, 0), "time_ps")),
             page_value_time(second, page_value_number(page_value_at(runs, 1), "time_ps")));
}

/* The kinds of results that have pages. */
static const struct kind {
    const char *schema; /* beginning of the schema's name in the JSON */
    const char *command;
    void (*draw)(struct page *page, struct json_object *result);
    void (*heading)(struct json_object *result, struct text_buffer *heading);
} kinds[] = {
    {"anax.replay/", "replay", page_of_replay, heading_of_replay},
    {"anax.compare/", "compare", page_of_comparison, heading_of_comparison},
    {"anax.search/", "search", page_of_search, heading_of_search},
    {"anax.traffic/", "traffic", page_of_traffic, heading_of_traffic},
    {"anax.place/", "place", page_of_placement, heading_of_placement},
    {"anax.topology/", "topology", page_of_topology, heading_of_machines},
    {"anax.bisection/", "bisection", page_of_bisection, heading_of_bisection},
    {"anax.diff/", "diff", page_of_diff, heading_of_diff},
};

static const struct kind *kind_of(struct json_object *result, struct status *status) {
    const char *schema = page_value_text(result, "schema");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(schema, kinds[i].schema, strlen(kinds[i].schema)) == 0) return &kinds[i];
    status_set(status, STATUS_INPUT,
               "there is no report for this (schema %.40s), but for the JSON of these commands:",
               *schema != '\0' ? schema : "missing");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        status_append(status, "  anax %s", kinds[i].command);
    return NULL;
}

static status_code draw_report(struct anax_report *report, struct json_object *result,
                               struct status *status) {
    const struct kind *kind = kind_of(result, status);
    if (kind == NULL) return STATUS_INPUT;
    struct text_buffer text = TEXT_BUFFER_INIT;
    kind->heading(result, &text);
    report->heading = text_take(&text);
    kind->draw(&report->page, result);
    if (report->heading != NULL)
        report->html = page_html(&report->page, kind->command, report->heading,
                                 page_value_text(result, "version"));
    RETURN_ERROR_IF(report->html == NULL, status, STATUS_MEMORY, "out of memory for a report");
    return STATUS_OK;
}

/* Draws the report of a result and releases the result. */
static status_code make_report(anax_report **report, struct json_object *result,
                               struct status *status) {
    status_code code = STATUS_OK;
    *report = memory_new(1, sizeof **report);
    if (*report == NULL)
        code = status_set(status, STATUS_MEMORY, "out of memory for a report");
    else
        code = draw_report(*report, result, status);
    json_object_put(result);
    if (code != STATUS_OK) {
        anax_report_free(*report);
        *report = NULL;
    }
    return code;
}

anax_code anax_report_new(anax_report **report, const char *json, anax_error *error) {
    struct status status = STATUS_INIT;
    struct json_object *result = NULL;
    *report = NULL;
    if (json_input_parse(&result, json, strlen(json), &status) == STATUS_OK)
        make_report(report, result, &status);
    return api_return(&status, error);
}

anax_code anax_report_open(anax_report **report, const char *path, anax_error *error) {
    struct status status = STATUS_INIT;
    struct json_object *result = NULL;
    *report = NULL;
    if (json_input_read(&result, path, &status) == STATUS_OK &&
        make_report(report, result, &status) != STATUS_OK)
        status_prefix(&status, "%s", path);
    return api_return(&status, error);
}

void anax_report_free(anax_report *report) {
    if (report == NULL) return;
    page_free(&report->page);
    free(report->heading);
    free(report->html);
    free(report);
}

const char *anax_report_html(const anax_report *report) {
    return report->html;
}

const char *anax_report_heading(const anax_report *report) {
    return report->heading;
}

static const struct page_svg *picture_of(const anax_report *report, size_t number) {
    return number < report->page.picture_count ? &report->page.pictures[number] : NULL;
}

size_t anax_report_figure_count(const anax_report *report) {
    return report->page.picture_count;
}

const char *anax_report_figure_name(const anax_report *report, size_t number) {
    const struct page_svg *picture = picture_of(report, number);
    return picture != NULL ? picture->name : NULL;
}

const char *anax_report_figure_caption(const anax_report *report, size_t number) {
    const struct page_svg *picture = picture_of(report, number);
    return picture != NULL ? picture->caption : NULL;
}

const char *anax_report_figure_svg(const anax_report *report, size_t number) {
    const struct page_svg *picture = picture_of(report, number);
    return picture != NULL ? picture->svg : NULL;
}

static status_code write_picture(const struct output_folder *folder, const struct page_svg *picture,
                                 struct status *status) {
    FILE *file = NULL;
    char name[64];
    snprintf(name, sizeof name, "%s.svg", picture->name);
    FORWARD_IF_ERROR(output_folder_open(folder, name, &file, status));
    fputs(picture->svg, file);
    return output_folder_close(folder, name, file, status);
}

static status_code write_pictures(const struct page *page, const char *path,
                                  struct status *status) {
    struct output_folder folder;
    RETURN_ERROR_IF(page->picture_count == 0, status, STATUS_STATE,
                    "%s: not written: this report has no picture", path);
    FORWARD_IF_ERROR(output_folder_begin(&folder, path, status));
    status_code code = STATUS_OK;
    for (size_t i = 0; i < page->picture_count && code == STATUS_OK; i++)
        code = write_picture(&folder, &page->pictures[i], status);
    return output_folder_finish(&folder, code, status);
}

anax_code anax_report_write_figures(const anax_report *report, const char *folder,
                                    anax_error *error) {
    struct status status = STATUS_INIT;
    write_pictures(&report->page, folder, &status);
    return api_return(&status, error);
}

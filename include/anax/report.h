/*
 * Reports: a result as a page for browsers, and its pictures as files. A report is drawn from the
 * JSON of a result alone, so a result that was saved gives the same page as the run that made it.
 * anax.h has the rules for the whole interface.
 */
#ifndef ANAX_REPORT_H
#define ANAX_REPORT_H

#include <anax/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A page and its pictures. */
typedef struct anax_report anax_report;

/* Draws the report of a result, from its JSON: of a replay, of traffic, of a comparison, of a
 * search, of a placement, of machines, of bisection bandwidths, or of a diff. A run that did not
 * finish has a report, too. ANAX_ERROR_INPUT: the text is no such JSON, or has more than 1 GiB. */
ANAX_API anax_code anax_report_new(anax_report **report, const char *json, anax_error *error);

/* Draws the report of the result in a file. ANAX_ERROR_INPUT: the file is missing, or its text is
 * refused by anax_report_new. */
ANAX_API anax_code anax_report_open(anax_report **report, const char *path, anax_error *error);

/* Frees a report with its texts; NULL is allowed. */
ANAX_API void anax_report_free(anax_report *report);

/* Returns the page: one HTML file that needs no other file, no network and no script. Equal results
 * give equal bytes. Valid as long as the report. */
ANAX_API const char *anax_report_html(const anax_report *report);

/* Returns the page's heading: what was simulated or compared, and the main figure of the result.
 * Valid as long as the report. */
ANAX_API const char *anax_report_heading(const anax_report *report);

/* Writes the page's pictures as NAME.svg into the new folder `folder`. ANAX_ERROR_EXISTS: there is
 * something of that name. ANAX_ERROR_STATE: the report has no picture. */
ANAX_API anax_code anax_report_write_figures(const anax_report *report, const char *folder,
                                             anax_error *error);

/* Returns the number of pictures of the page. */
ANAX_API size_t anax_report_figure_count(const anax_report *report);

/* Returns the name of picture `number`, counted from 0: letters, digits and hyphens. NULL: there is
 * no such picture. Valid as long as the report. */
ANAX_API const char *anax_report_figure_name(const anax_report *report, size_t number);

/* Returns a sentence that says what picture `number`, counted from 0, shows. NULL: there is no such
 * picture. Valid as long as the report. */
ANAX_API const char *anax_report_figure_caption(const anax_report *report, size_t number);

/* Returns picture `number`, counted from 0, as a whole SVG file. NULL: there is no such picture.
 * Valid as long as the report. */
ANAX_API const char *anax_report_figure_svg(const anax_report *report, size_t number);

#ifdef __cplusplus
}
#endif

#endif

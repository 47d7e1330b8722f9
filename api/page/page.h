/*
 * A page of a report: one HTML file that needs nothing else. It has a contents list, sections, and
 * pictures with the sentence that says what to see and a table of their numbers. Must not know what
 * the pictures show.
 *
 * Invariants: the page asks for nothing outside itself, and its own policy forbids it; its only
 * script is page.js, which the policy knows by its hash, and without which the page shows as much;
 * it is well-formed XML, too. All text that is not the page's own is escaped.
 */
#ifndef ANAX_API_PAGE_H
#define ANAX_API_PAGE_H

#include "api/report/text_buffer.h"

#include <stddef.h>

struct page_figure {
    char *name;    /* also the name of its file, without .svg */
    char *caption; /* the sentence that says what to see in it */
    char *svg;
};

struct page {
    struct text_buffer body, contents;
    struct page_figure *figures;
    size_t figure_count, figure_capacity;
    size_t columns, cell; /* of the table that is being written */
    bool in_section, failed;
};

#define PAGE_INIT                                                                                  \
    { .body = TEXT_BUFFER_INIT, .contents = TEXT_BUFFER_INIT }

/* Begins a section; the id is of letters and hyphens. */
void page_section(struct page *page, const char *id, const char *heading);

/* Adds a paragraph of plain text. */
void page_say(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a paragraph that stands out. */
void page_lead(struct page *page, const char *text);

/* Adds the picture that `svg` holds, and empties it. The sentence says what to see in it. */
void page_picture(struct page *page, const char *name, struct text_buffer *svg, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

/* Adds a box with a figure, its name and what it means; is_low marks it. Boxes stand between
 * page_tiles and page_tiles_end. */
void page_tiles(struct page *page);
void page_tile(struct page *page, const char *figure, const char *name, const char *meaning,
               bool is_low);
void page_tiles_end(struct page *page);

/* Begin a table: behind a line that unfolds it, or in the open. The heads are separated by '|'; a
 * head that begins with '#' is of numbers. Cells follow row by row. */
void page_numbers(struct page *page, const char *summary, const char *heads);
void page_table(struct page *page, const char *heads);
void page_cell(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* End a table that page_numbers or page_table began. */
void page_numbers_end(struct page *page);
void page_table_end(struct page *page);

/* Returns the whole page, which the caller frees; NULL: out of memory. heading: of the page; kind:
 * the command that made the result, such as "replay". */
char *page_html(struct page *page, const char *kind, const char *heading, const char *version);

void page_free(struct page *page);

/* The style sheet, the script, and the hash of the script: page.css and page.js, as
 * cmake/embedded.cmake has them. */
extern const char page_style[], page_script[], page_script_hash[];

#endif

/*
 * A page of a report: one HTML file that needs nothing else. It has a contents list, sections, and
 * pictures, each with a sentence that says what to see and a table of its numbers. Must not know
 * what the pictures show.
 *
 * Invariants: the page loads nothing from outside, and its content security policy forbids that.
 * Its only script is page.js, which the policy allows by its hash; without the script the page
 * shows all pictures and numbers as well. The page is also well-formed XML. All text from results
 * is escaped.
 */
#ifndef ANAX_API_PAGE_H
#define ANAX_API_PAGE_H

#include "api/text/text_buffer.h"

#include <stddef.h>

/* A picture of a page. */
struct page_svg {
    char *name;    /* also the name of its file, without .svg */
    char *caption; /* the sentence that says what to see in it */
    char *svg;
};

struct page {
    struct text_buffer body, contents;
    struct page_svg *pictures;
    size_t picture_count, picture_capacity;
    size_t columns, cell; /* of the table that is being written: columns, and cells so far */
    bool in_section, failed;
};

/* Begins a section. The id consists of letters, digits and hyphens. */
void page_section(struct page *page, const char *id, const char *heading);

/* Adds a paragraph of plain text. */
void page_paragraph(struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a paragraph that stands out. */
void page_lead_paragraph(struct page *page, const char *text);

/* Adds the picture that `svg` holds, and empties it. The sentence says what to see in it. */
void page_picture(struct page *page, const char *name, struct text_buffer *svg, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

/* Begins a row of boxes with figures. */
void page_tiles(struct page *page);

/* Adds a box with a figure, its name and what it means; is_low: it is highlighted as low. */
void page_tile(struct page *page, const char *figure, const char *name, const char *meaning,
               bool is_low);

/* Ends the row of boxes. */
void page_tiles_end(struct page *page);

/* Begins a table that is hidden until the reader unfolds the line `summary`. Heads of columns are
 * separated by '|'; a column of numbers has a head that begins with '#'. Cells follow row by row.
 */
void page_numbers(struct page *page, const char *summary, const char *heads);

/* Begins a visible table, with the same heads. */
void page_table(struct page *page, const char *heads);

/* Adds the next cell of a table. */
void page_cell(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends a table that page_numbers began. */
void page_numbers_end(struct page *page);

/* Ends a table that page_table began. */
void page_table_end(struct page *page);

/* Returns the whole page, which the caller frees; NULL: out of memory. kind: the command that made
 * the result, such as "replay". */
char *page_html(struct page *page, const char *kind, const char *heading, const char *version);

/* Frees a page; NULL is allowed. */
void page_free(struct page *page);

/* The contents of page.css and page.js, and the hash of the script, which cmake/embedded.cmake
 * makes when the library is built. */
extern const char page_style[], page_script[], page_script_hash[];

#endif

/* Writes a page piece by piece: sections with their line in the contents, paragraphs, pictures, and
 * tables whose cells follow row by row. page_html puts the pieces into one file. */
#include "api/page/page.h"

#include "api/chart/svg.h"
#include "core/memory/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a formatted text, which the caller frees; NULL: out of memory. */
static char *formatted(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

/* Returns whether the word that begins here is a unit. */
static bool is_unit(const char *word) {
    static const char *const units[] = {"%",   "ps",  "ns",  "us",  "ms",   "s",    "B",
                                        "KiB", "MiB", "GiB", "TiB", "GB/s", "TB/s", "m"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i]);
        if (strncmp(word, units[i], length) == 0 && strchr(" ,;:.()", word[length]) != NULL)
            return true;
    }
    return false;
}

/* Adds a text, escaped. Lines do not break within an option such as --explain (browsers would,
 * behind its hyphens), nor in sentences between a number and its unit. */
static void add_words(struct text_buffer *text, const char *words, bool is_sentence) {
    enum { OPTION_MAX = 32 }; /* a longer one breaks, for narrow screens */
    for (const char *at = words; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        char *word = strndup(at, length);
        const bool is_option = strncmp(at + (*at == '('), "--", 2) == 0 && length < OPTION_MAX;
        if (is_option) text_add(text, "<span class=\"w\">");
        if (word == NULL)
            text->failed = true;
        else
            svg_escape(text, word);
        if (is_option) text_add(text, "</span>");
        free(word);
        const bool is_number = length > 0 && at[length - 1] >= '0' && at[length - 1] <= '9';
        at += length;
        if (*at != ' ') continue;
        at++;
        text_add(text, "%s", is_sentence && is_number && is_unit(at) ? "&#160;" : " ");
    }
}

/* Adds a formatted text, escaped. */
static void add_text(struct page *page, const char *format, va_list arguments, bool is_sentence) {
    char *text = formatted(format, arguments);
    if (text != NULL)
        add_words(&page->body, text, is_sentence);
    else
        page->failed = true;
    free(text);
}

void page_section(struct page *page, const char *id, const char *heading) {
    if (page->in_section) text_add(&page->body, "</section>\n");
    page->in_section = true;
    text_add(&page->body, "<section id=\"%s\">\n<h2>", id);
    svg_escape(&page->body, heading);
    text_add(&page->body, "</h2>\n");
    text_add(&page->contents, "<li><a href=\"#%s\">", id);
    svg_escape(&page->contents, heading);
    text_add(&page->contents, "</a></li>\n");
}

void page_paragraph(struct page *page, const char *format, ...) {
    va_list arguments;
    text_add(&page->body, "<p>");
    va_start(arguments, format);
    add_text(page, format, arguments, true);
    va_end(arguments);
    text_add(&page->body, "</p>\n");
}

void page_lead_paragraph(struct page *page, const char *text) {
    text_add(&page->body, "<p class=\"lead\">");
    add_words(&page->body, text, true);
    text_add(&page->body, "</p>\n");
}

/* Keeps a picture, whose texts are then the page's. */
static bool keep_picture(struct page *page, struct page_svg picture) {
    void *array = page->pictures;
    if (picture.name == NULL || picture.caption == NULL || picture.svg == NULL ||
        memory_grow(&array, &page->picture_capacity, page->picture_count + 1,
                    sizeof *page->pictures, NULL) != STATUS_OK)
        return false;
    page->pictures = array;
    page->pictures[page->picture_count++] = picture;
    return true;
}

static void free_picture(struct page_svg *picture) {
    free(picture->name);
    free(picture->caption);
    free(picture->svg);
}

void page_picture(struct page *page, const char *name, struct text_buffer *svg, const char *format,
                  ...) {
    va_list arguments;
    va_start(arguments, format);
    struct page_svg picture = {strdup(name), formatted(format, arguments), text_take(svg)};
    va_end(arguments);
    if (!keep_picture(page, picture)) {
        page->failed = true;
        free_picture(&picture);
        return;
    }
    text_add(&page->body, "<figure>\n<figcaption id=\"%s-c\">", name);
    add_words(&page->body, picture.caption, true);
    text_add(&page->body,
             "</figcaption>\n<div class=\"picture\" tabindex=\"0\" role=\"group\" "
             "aria-labelledby=\"%s-c\">\n%s</div>\n</figure>\n",
             name, picture.svg);
}

void page_tiles(struct page *page) {
    text_add(&page->body, "<ul class=\"tiles\">\n");
}

void page_tile(struct page *page, const char *figure, const char *name, const char *meaning,
               bool is_low) {
    text_add(&page->body, "<li%s><strong>", is_low ? " class=\"low\"" : "");
    svg_escape(&page->body, figure);
    text_add(&page->body, "</strong> <span>");
    svg_escape(&page->body, name);
    text_add(&page->body, "%s</span> <small>", is_low ? " (below 80&#160;%)" : "");
    svg_escape(&page->body, meaning);
    text_add(&page->body, "</small></li>\n");
}

void page_tiles_end(struct page *page) {
    text_add(&page->body, "</ul>\n");
}

/* Adds the class of a table: its columns of numbers, for which the style sheet has rules. A class
 * of each cell would take a tenth of a page. */
static void add_number_columns(struct page *page, const char *heads) {
    size_t column = 0, numbers = 0;
    for (; *heads != '\0'; heads += strcspn(heads, "|"), heads += *heads == '|') {
        column++;
        if (*heads != '#') continue;
        text_add(&page->body, "%sn%zu", numbers++ == 0 ? " class=\"" : " ", column);
    }
    if (numbers > 0) text_add(&page->body, "\"");
}

void page_table(struct page *page, const char *heads) {
    page->columns = page->cell = 0;
    text_add(&page->body, "<div class=\"scroll\" tabindex=\"0\"><table");
    add_number_columns(page, heads);
    text_add(&page->body, "><thead><tr>");
    while (*heads != '\0') {
        const size_t length = strcspn(heads, "|");
        const bool number = *heads == '#';
        page->columns++;
        text_add(&page->body, "<th scope=\"col\"%s>%.*s</th>", number ? " class=\"n\"" : "",
                 (int)(length - number), heads + number);
        heads += heads[length] == '|' ? length + 1 : length;
    }
    text_add(&page->body, "</tr></thead>\n<tbody>\n");
}

void page_numbers(struct page *page, const char *summary, const char *heads) {
    text_add(&page->body, "<details><summary>");
    svg_escape(&page->body, summary);
    text_add(&page->body, "</summary>\n");
    page_table(page, heads);
}

void page_cell(struct page *page, const char *format, ...) {
    const size_t column = page->cell % page->columns;
    va_list arguments;
    text_add(&page->body, "%s<td>", column == 0 ? "<tr>" : "");
    va_start(arguments, format);
    add_text(page, format, arguments, false);
    va_end(arguments);
    page->cell++;
    text_add(&page->body, "</td>%s", column + 1 == page->columns ? "</tr>\n" : "");
}

void page_table_end(struct page *page) {
    while (page->cell % page->columns != 0)
        page_cell(page, "%s", "");
    text_add(&page->body, "</tbody></table></div>\n");
}

void page_numbers_end(struct page *page) {
    page_table_end(page);
    text_add(&page->body, "</details>\n");
}

char *page_html(struct page *page, const char *kind, const char *heading, const char *version) {
    struct text_buffer html = TEXT_BUFFER_INIT;
    if (page->in_section) text_add(&page->body, "</section>\n");
    page->in_section = false;
    char *body = text_take(&page->body), *contents = text_take(&page->contents);
    if (body == NULL || contents == NULL || page->failed) html.failed = true;
    text_add(&html,
             "<!DOCTYPE html>\n"
             "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
             "<meta charset=\"utf-8\" />\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'; img-src data:; script-src 'sha256-%s'\" />\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
             "<title>anax %s: ",
             page_script_hash, kind);
    svg_escape(&html, heading);
    text_add(&html,
             "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<p>anax %s</p>\n<h1>",
             page_style, kind);
    add_words(&html, heading, true);
    text_add(&html,
             "</h1>\n<nav aria-label=\"Contents\"><ul>\n%s</ul></nav>\n</header>\n<main>\n%s"
             "</main>\n<footer><p>Drawn by anax ",
             contents != NULL ? contents : "", body != NULL ? body : "");
    svg_escape(&html, version);
    text_add(&html,
             " from the result that --json prints. The page needs no network and no script."
             "</p></footer>\n<script>%s</script>\n</body>\n</html>\n",
             page_script);
    free(body);
    free(contents);
    return text_take(&html);
}

void page_free(struct page *page) {
    for (size_t i = 0; i < page->picture_count; i++)
        free_picture(&page->pictures[i]);
    free(page->pictures);
    free(text_take(&page->body));
    free(text_take(&page->contents));
}

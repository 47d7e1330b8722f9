/* The busiest links of a replay, for people. */
#include "api/report/report_layout.h"
#include "api/results/link_numbers.h"
#include "api/table/tables.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdio.h>

/* Writes the cell of a column as its look says. span_ps: the time that shares are of. */
static void report_cell(const struct table_column *column, const void *row, int64_t span_ps,
                        char *text, size_t size) {
    const struct table_cell cell = table_cell_of(column, row);
    const wide value = column->kind == TABLE_SUM ? cell.sum : (wide)cell.integer;
    if (cell.is_none)
        snprintf(text, size, "-");
    else if (column->look == TABLE_AS_SIZE)
        units_size_human(value, text, size);
    else if (column->look == TABLE_AS_SHARE)
        snprintf(text, size, "%.1f %%", percent_of(value, (uint64_t)span_ps));
    else
        snprintf(text, size, "%" PRIu64, (uint64_t)value);
}

struct link_lines {
    struct text_buffer *text;
    int64_t span_ps;
    size_t count;
};

/* Adds the cells of the columns that texts show, or their headings if row is NULL. */
static void add_link_cells(const struct link_lines *lines, const struct tables_link_row *row) {
    for (size_t i = 0; i < table_busiest_links.column_count; i++) {
        const struct table_column *column = &table_busiest_links.columns[i];
        char cell[32];
        if (column->heading == NULL) continue;
        if (row == NULL)
            snprintf(cell, sizeof cell, "%s", column->heading);
        else
            report_cell(column, row, lines->span_ps, cell, sizeof cell);
        text_add(lines->text, " %9s", cell);
    }
    text_add(lines->text, "\n");
}

static bool add_link_line(void *context, const void *link_row) {
    struct link_lines *lines = context;
    const struct tables_link_row *row = link_row;
    char source[32], destination[32];
    if (lines->count++ == 0) {
        text_add(lines->text, "\nBusiest links\n  %-9s %-13s %-13s", "kind", "from", "to");
        add_link_cells(lines, NULL);
    }
    link_numbers_source(&row->link, source, sizeof source);
    link_numbers_destination(&row->link, destination, sizeof destination);
    text_add(lines->text, "  %-9s %-13s %-13s", row->kind, source, destination);
    add_link_cells(lines, row);
    return true;
}

void report_links_text(struct text_buffer *text, const anax_replay_result *result) {
    const int64_t time_ps = result->replay->time_ps;
    struct link_lines lines = {text, link_numbers_span_ps(result->run.network, time_ps), 0};
    const struct table_source source = tables_replay_source(result);
    /* Never fails: the rows are copies of at most ten links. */
    table_busiest_links.visit(&source, &(struct table_sink){add_link_line, &lines}, NULL);
    if (lines.count == 0 || lines.span_ps <= time_ps || time_ps <= 0) return;
    char span[32];
    units_time_human(lines.span_ps, span, sizeof span);
    text_add(text, "  The shares are of %s: %s.\n", span,
             link_numbers_span_name(lines.span_ps, time_ps));
}

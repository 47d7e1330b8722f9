/* A diff of two results for people: the largest changes of each kind, largest first. */
#include "api/diff/result_diff.h"
#include "api/report/report_layout.h"
#include "core/settings/units.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN = 10, NAME_WIDTH = 30 };

/* The text for a time that a result does not have. */
static const char *const absent[RESULT_GROUPS] = {[RESULT_RANK] = "no such rank",
                                                  [RESULT_REGION] = "not recorded",
                                                  [RESULT_LINKS] = "not among the busiest"};

/* Returns how large a difference is, in either direction; -1: there is none. */
static signed_wide size_of(const struct result_entry *entry) {
    if (!result_entry_compares(entry)) return -1;
    return (signed_wide)wide_magnitude(result_subtract(entry->time_ps[0], entry->time_ps[1]));
}

static int by_size(const void *first, const void *second) {
    const struct result_entry *a = *(const struct result_entry *const *)first;
    const struct result_entry *b = *(const struct result_entry *const *)second;
    const signed_wide left = size_of(a), right = size_of(b);
    if (left != right) return left > right ? -1 : 1;
    return a < b ? -1 : 1;
}

static void add_time(struct text_buffer *text, bool is_there, wide time_ps) {
    char time[32] = "-";
    if (is_there) units_time_sum_human(time_ps, time, sizeof time);
    text_add(text, "%-12s", time);
}

/* Adds a difference, with the share of the first time. */
static void add_difference(struct text_buffer *text, wide first_ps, wide second_ps) {
    char time[32];
    const signed_wide difference_ps = result_subtract(first_ps, second_ps);
    units_time_sum_human(wide_magnitude(difference_ps), time, sizeof time);
    text_add(text, "%s%s", difference_ps < 0 ? "-" : difference_ps > 0 ? "+" : "", time);
    if (first_ps > 0)
        text_add(text, " (%+.2f %%)", 100.0 * (double)difference_ps / (double)first_ps);
    text_add(text, "\n");
}

static void add_group(struct text_buffer *text, const anax_diff *diff, result_group group,
                      const char *title) {
    const struct result_entry **list = malloc((diff->count + 1) * sizeof *list);
    size_t count = 0, equal = 0, changed = 0;
    if (list == NULL) {
        text->failed = true;
        return;
    }
    for (size_t i = 0; i < diff->count; i++) {
        const struct result_entry *entry = &diff->entries[i];
        if (entry->group != group) continue;
        changed += size_of(entry) > 0;
        if (size_of(entry) == 0)
            equal++;
        else
            list[count++] = entry;
    }
    if (count > 0) qsort(list, count, sizeof *list, by_size);
    if (count + equal > 0)
        text_add(text, "\n%-*s%-12s%-12sdifference\n", NAME_WIDTH + 4, title, "first", "second");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        text_add(text, "  ");
        text_add_cut_name(text, list[i]->name, NAME_WIDTH);
        text_add(text, "  ");
        for (int k = 0; k < 2; k++)
            add_time(text, list[i]->is_known[k], list[i]->time_ps[k]);
        if (i < changed)
            add_difference(text, list[i]->time_ps[0], list[i]->time_ps[1]);
        else
            text_add(text, "%s\n", absent[group]);
    }
    const size_t shown = changed < SHOWN ? changed : SHOWN, rest = SHOWN - shown;
    if (changed > shown) text_add(text, "  and %zu more that changed\n", changed - shown);
    if (count - changed > rest)
        text_add(text, "  and %zu more that only one result has\n", count - changed - rest);
    if (equal > 0) text_add(text, "  %zu equal in both\n", equal);
    free(list);
}

/* Adds the trace, machine, placement and routing of a result. */
static void add_result(struct text_buffer *text, const anax_diff *diff, int number) {
    const struct result_summary *summary = &diff->results[number];
    struct text_buffer line = TEXT_BUFFER_INIT;
    text_add(&line, "%s ", number == 0 ? "first: " : "second:");
    text_add_name(&line, diff->paths[number], 0);
    text_add(&line, ": ");
    text_add_name(&line, summary->trace, 0);
    text_add(&line, " (%" PRIu64 " ranks) on ", summary->ranks);
    text_add_name(&line, summary->machine, 0);
    text_add(&line, ", routing ");
    text_add_name(&line, summary->routing, 0);
    text_add(&line, ", placement ");
    text_add_name(&line, summary->placement, 0);
    char *words = text_take(&line);
    if (words == NULL)
        text->failed = true;
    else if (text_name_width(words) <= TEXT_LINE_WIDTH)
        text_add(text, "%s\n", words);
    else
        text_add_paragraph(text, 0, words);
    free(words);
}

char *report_diff_text(const anax_diff *diff) {
    static const char *const titles[RESULT_GROUPS] = {
        "By cause, over all ranks", "By rank", "By MPI call, over all ranks",
        "By user region, over all ranks", "By kind of the busiest links"};
    struct text_buffer text = TEXT_BUFFER_INIT;
    for (int i = 0; i < 2; i++)
        add_result(&text, diff, i);
    text_add(&text, "\n%-*s", NAME_WIDTH + 4, "Predicted time");
    for (int i = 0; i < 2; i++)
        add_time(&text, true, (wide)diff->results[i].time_ps);
    add_difference(&text, (wide)diff->results[0].time_ps, (wide)diff->results[1].time_ps);
    for (int group = 0; group < RESULT_GROUPS; group++)
        add_group(&text, diff, (result_group)group, titles[group]);
    return text_take(&text);
}

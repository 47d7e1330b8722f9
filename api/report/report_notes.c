/*
 * Lists what is not modelled and what was assumed, for people and as JSON: first the notes of the
 * program, then those of the replay.
 */
#include "api/report/report.h"
#include "api/report/report_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_NAME = 80 };

/* The notes of one kind, numbered over all sources. */
struct note_list {
    const struct program *program;
    const struct replay_result *replay; /* NULL: not replayed */
    uint64_t free_accesses;             /* 0: no note about them */
    bool assumed;
};

struct note {
    const char *what;
    const char *why;
    uint64_t count;
    bool is_assumed;
};

static uint32_t count_of(const struct note_list *list) {
    return list->program->note_count + (list->replay != NULL ? list->replay->note_count : 0) +
           (list->free_accesses > 0);
}

static struct note note_at(const struct note_list *list, uint32_t index) {
    const struct program *program = list->program;
    if (index < program->note_count) {
        const struct program_note *from = &program->notes[index];
        return (struct note){program_text(program, from->what), program_text(program, from->why),
                             from->count, from->is_assumed != 0};
    }
    if (list->free_accesses > 0)
        return (struct note){REPLAY_FREE_ACCESSES, REPLAY_FREE_ACCESSES_WHY, list->free_accesses,
                             false};
    const struct replay_note *from = &list->replay->notes[index - program->note_count];
    return (struct note){from->what, from->why, from->count, from->is_assumed};
}

/* Returns the first note of the list's kind at or after index, with the reason `why` unless that is
 * NULL; count_of if there is none. */
static uint32_t next_note(const struct note_list *list, uint32_t index, const char *why) {
    for (; index < count_of(list); index++) {
        struct note note = note_at(list, index);
        if (note.is_assumed == list->assumed && (why == NULL || strcmp(note.why, why) == 0)) break;
    }
    return index;
}

/* Adds the notes of one reason, wrapped, such as "MPI_Win_free 8, MPI_Win_lock 40". */
static void add_same_reason(struct text_buffer *text, const struct note_list *list,
                            uint32_t first) {
    const char *why = note_at(list, first).why;
    size_t column = 100;
    for (uint32_t i = first; i < count_of(list); i = next_note(list, i + 1, why)) {
        struct note note = note_at(list, i);
        char count[32];
        const int digits = snprintf(count, sizeof count, " %" PRIu64, note.count);
        const size_t own = text_name_width(note.what);
        const size_t width = own < WIDEST_NAME ? own : WIDEST_NAME, length = width + (size_t)digits;
        bool wrap = column + length + 2 > TEXT_LINE_WIDTH;
        text_add(text, "%s", i == first ? "    " : wrap ? ",\n    " : ", ");
        text_add_cut_name(text, note.what, width);
        text_add(text, "%s", count);
        column = (wrap ? 4 : column + 2) + length;
    }
    text_add(text, "\n");
}

static void add_list(struct text_buffer *text, const char *title, const struct note_list *list) {
    if (next_note(list, 0, NULL) == count_of(list)) return;
    text_add(text, "\n%s\n", title);
    for (uint32_t i = next_note(list, 0, NULL); i < count_of(list);
         i = next_note(list, i + 1, NULL)) {
        const char *why = note_at(list, i).why;
        if (next_note(list, 0, why) < i) continue;
        struct text_buffer words = TEXT_BUFFER_INIT;
        text_add(&words, "%s:", why);
        char *line = text_take(&words);
        text_add_paragraph(text, 2, line != NULL ? line : "");
        text->failed = text->failed || line == NULL;
        free(line);
        add_same_reason(text, list, i);
    }
}

void report_notes_text(struct text_buffer *text, const struct program *program,
                       uint64_t free_accesses, const struct replay_result *replay) {
    add_list(text, "Not modelled, with counts",
             &(struct note_list){program, replay, free_accesses, false});
    add_list(text, "Assumed, with counts",
             &(struct note_list){program, replay, free_accesses, true});
}

/*
 * Prints settings as a YAML file that config_file.c reads back to the same values.
 *
 * Knows only the tables. Invariant: every map is opened once, at its first row, for any order of
 * rows. Texts are double-quoted, and all characters with a meaning in YAML are escaped.
 */
#include "core/settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    const struct settings *settings;
    FILE *out;
};

static void print_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; text != NULL && *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\')
            fprintf(out, "\\%c", letter);
        else if (letter < 0x20 || letter == 0x7f)
            fprintf(out, "\\x%02x", letter);
        else
            fputc(letter, out);
    }
    fputc('"', out);
}

static void print_leaf(const struct printer *printer, const struct setting_section *section,
                       const struct setting_row *row, const char *key, int indent) {
    char range[512];
    setting_range_text(row, range, sizeof range);
    fprintf(printer->out, "%*s# %s (%s)\n%*s%s: ", indent, "", row->help, range, indent, "", key);
    const void *value = (const char *)section->values + row->offset;
    if (row->kind == SETTING_TEXT) {
        print_quoted(printer->out, *(char *const *)value);
    } else if (row->kind == SETTING_PATH) {
        print_quoted(printer->out, value);
    } else {
        char text[SETTING_TEXT_BYTES];
        setting_text(section, row, text, sizeof text);
        fputs(text, printer->out);
    }
    fputc('\n', printer->out);
}

/* Returns true if a row before the given one lies in the same map, which is then printed already.
 */
static bool map_is_printed(const struct settings *settings, const struct setting_row *row,
                           size_t prefix_length) {
    for (size_t i = 0; i < settings->section_count; i++) {
        const struct setting_section *section = &settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            if (&section->rows[j] == row) return false;
            if (strncmp(section->rows[j].name, row->name, prefix_length) == 0) return true;
        }
    }
    return false;
}

/* Prints the rows whose names start with prefix ("network.global."), with a map for each next part.
 */
static void print_map(const struct printer *printer, const char *prefix, size_t prefix_length,
                      int indent) {
    for (size_t i = 0; i < printer->settings->section_count; i++) {
        const struct setting_section *section = &printer->settings->sections[i];
        for (size_t j = 0; j < section->row_count; j++) {
            const struct setting_row *row = &section->rows[j];
            if (strncmp(row->name, prefix, prefix_length) != 0) continue;
            const char *key = row->name + prefix_length;
            size_t key_length = strcspn(key, ".");
            if (key[key_length] == '\0') {
                print_leaf(printer, section, row, key, indent);
                continue;
            }
            size_t map_length = prefix_length + key_length + 1;
            if (map_is_printed(printer->settings, row, map_length)) continue;
            fprintf(printer->out, "%*s%.*s:\n", indent, "", (int)key_length, key);
            print_map(printer, row->name, map_length, indent + 2);
        }
    }
}

char *settings_yaml(const struct settings *settings) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    struct printer printer = {settings, out};
    print_map(&printer, "", 0, 0);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/*
 * Damage to texts: configurations (YAML), lists of nodes, links and failures, jobs, kept points
 * (JSON), options. Numbers become extreme, keys and lines change places, characters are none.
 *
 * Numbers of settings that decide how long a run takes stay small, since a run that was asked to
 * take a day is no fault.
 */
#include "tests/support/mutate/mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const work_words[] = {
    "burst",  "warmup", "measure", "drain",      "queue",   "ranks",   "iterations", "repeat",
    "groups", "rails",  "loads",   "per_router", "_group",  "phit",    "packet",     "segment",
    "seeds",  "load",   "period",  "duration",   "message", "reroute", "trace.",     "noise"};

static const char *const numbers[] = {"0",
                                      "-1",
                                      "1",
                                      "-0",
                                      "00",
                                      "0x10",
                                      "1e9",
                                      "1e-9",
                                      "1e400",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "",
                                      ".",
                                      "1.",
                                      ".5",
                                      "0.0000001",
                                      "0.999999",
                                      "1.000001",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "340282366920938463463374607431768211456",
                                      "99999999999999999999999999999999999999999999999999",
                                      "1000000000000"};
/* Of settings that decide how long a run takes. */
static const char *const small_numbers[] = {"0",  "-1", "1",   "2",  "3", "5",   "7",
                                            "17", "",   "nan", "-0", ".", "1e1", "1.5"};
static const char *const units[] = {"ps",   "ns",  "us",  "ms",  "s",   "min",    "h",   "B",
                                    "kB",   "KiB", "MiB", "GiB", "TiB", "GB/s",   "B/s", "Gbit/s",
                                    "kB/s", "mm",  "m",   "%",   "x",   "furlong"};
static const char *const characters[] = {
    "\t",    "\n",   "\r\n",     "\r",   " ",    "#",   ":",
    ": ",    "- ",   "[",        "]",    "{",    "}",   ",",
    "\"",    "'",    "|",        ">",    "&a ",  "*a",  "!!",
    "%",     "@",    "`",        "\xff", "\xc3", "\\",  "...",
    "---\n", "<<: ", "~",        "null", "true", "../", "\xf0\x9f\x98\x80",
    "=",     "*",    "\x1b[31m", "\x7f", "\x01"};

#define PICK(dice, list) list[mutate_below(dice, sizeof list / sizeof *list)]

/* A line, without its end. */
struct line {
    size_t at, size;
};

static struct line line_at(const struct mutate_file *file, size_t place) {
    size_t at = place < file->size ? place : file->size, end = at;
    while (at > 0 && file->bytes[at - 1] != '\n')
        at--;
    while (end < file->size && file->bytes[end] != '\n')
        end++;
    return (struct line){at, end - at};
}

static struct line draw_line(const struct mutate_file *file, struct mutate_dice *dice) {
    return line_at(file, mutate_below(dice, file->size));
}

static char *copy_of(const struct mutate_file *file, struct line line) {
    char *copy = malloc(line.size + 2);
    memcpy(copy, file->bytes + line.at, line.size);
    copy[line.size] = '\n';
    copy[line.size + 1] = '\0';
    return copy;
}

static bool decides_work(const struct mutate_file *file, struct line line) {
    char *text = copy_of(file, line);
    bool found = false;
    for (size_t i = 0; i < sizeof work_words / sizeof *work_words; i++)
        found = found || strstr(text, work_words[i]) != NULL;
    free(text);
    return found;
}

/* The first number from a drawn place on, going round; size 0: there is none. */
static struct line draw_number(const struct mutate_file *file, struct mutate_dice *dice) {
    size_t start = mutate_below(dice, file->size);
    for (size_t i = 0; i < file->size; i++) {
        size_t at = (start + i) % file->size, end = at;
        if (!isdigit(file->bytes[at]) || (at > 0 && isalnum(file->bytes[at - 1]))) continue;
        while (end < file->size && (isdigit(file->bytes[end]) || file->bytes[end] == '.'))
            end++;
        return (struct line){at, end - at};
    }
    return (struct line){0, 0};
}

static void change_number(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    struct line number = draw_number(file, dice), of = line_at(file, number.at);
    char value[64];
    if (number.size == 0) {
        snprintf(note, MUTATE_NOTE, "no number");
        return;
    }
    bool small = decides_work(file, of);
    switch (mutate_below(dice, 4)) {
    case 0:
        snprintf(value, sizeof value, "%llu",
                 (unsigned long long)(small ? mutate_below(dice, 24) : mutate_extreme(dice)));
        break;
    case 1: { /* a neighbour */
        char *text = copy_of(file, number);
        snprintf(value, sizeof value, "%lld",
                 strtoll(text, NULL, 10) + (mutate_below(dice, 2) == 0 ? 1 : -1));
        free(text);
        break;
    }
    default:
        snprintf(value, sizeof value, "%s",
                 small ? PICK(dice, small_numbers) : PICK(dice, numbers));
    }
    mutate_splice(file, number.at, number.size, value, strlen(value));
    snprintf(note, MUTATE_NOTE, "number at %zu: %s", number.at, value);
}

static void change_unit(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    struct line number = draw_number(file, dice);
    size_t at = number.at + number.size, end = at;
    const char *unit = PICK(dice, units);
    if (decides_work(file, line_at(file, number.at))) unit = "";
    while (end < file->size && (isalpha(file->bytes[end]) || file->bytes[end] == '/'))
        end++;
    mutate_splice(file, at, end - at, unit, strlen(unit));
    snprintf(note, MUTATE_NOTE, "unit at %zu: %s", at, unit);
}

static void move_lines(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    struct line one = draw_line(file, dice), two = draw_line(file, dice);
    char *text = copy_of(file, one);
    size_t size = one.size + 1;
    switch (mutate_below(dice, 3)) {
    case 0:
        mutate_splice(file, one.at, size, NULL, 0);
        snprintf(note, MUTATE_NOTE, "line at %zu: removed", one.at);
        break;
    case 1:
        mutate_splice(file, two.at, 0, text, size);
        snprintf(note, MUTATE_NOTE, "line at %zu: again at %zu", one.at, two.at);
        break;
    default:
        mutate_splice(file, two.at, two.size + 1, text, size);
        snprintf(note, MUTATE_NOTE, "line at %zu: in place of that at %zu", one.at, two.at);
    }
    free(text);
}

/* What comes after the first ": " or "=" of a line. */
static struct line value_of(const struct mutate_file *file, struct line of) {
    size_t at = of.at;
    while (at < of.at + of.size && file->bytes[at] != ':' && file->bytes[at] != '=')
        at++;
    at += at < of.at + of.size;
    while (at < of.at + of.size && file->bytes[at] == ' ')
        at++;
    return (struct line){at, of.at + of.size - at};
}

static void swap_values(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    struct line to_line = draw_line(file, dice), to = value_of(file, to_line);
    struct line from = value_of(file, draw_line(file, dice));
    char *text = copy_of(file, from);
    if (!decides_work(file, to_line)) mutate_splice(file, to.at, to.size, text, from.size);
    snprintf(note, MUTATE_NOTE, "value at %zu: that at %zu", to.at, from.at);
    free(text);
}

static void change_characters(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    size_t at = mutate_below(dice, file->size + 1);
    const char *text = PICK(dice, characters);
    size_t choice = mutate_below(dice, 12);
    if (choice == 0) {
        mutate_splice(file, at, 0, "\0", 1);
        snprintf(note, MUTATE_NOTE, "a byte 0 at %zu", at);
    } else if (choice == 1) {
        size_t size = 1 + mutate_below(dice, 100000);
        char *many = malloc(size);
        memset(many, "a[{ -\n"[mutate_below(dice, 6)], size);
        mutate_splice(file, at, 0, many, size);
        free(many);
        snprintf(note, MUTATE_NOTE, "%zu characters at %zu", size, at);
    } else if (choice < 5) {
        mutate_splice(file, at, 1 + mutate_below(dice, 4), NULL, 0);
        snprintf(note, MUTATE_NOTE, "characters at %zu: removed", at);
    } else {
        mutate_splice(file, at, mutate_below(dice, 2), text, strlen(text));
        snprintf(note, MUTATE_NOTE, "characters at %zu: %s", at, isprint(*text) ? text : "?");
    }
}

static void change_indent(struct mutate_file *file, struct mutate_dice *dice, char *note) {
    struct line of = draw_line(file, dice);
    size_t blanks = 0;
    while (blanks < of.size && file->bytes[of.at + blanks] == ' ')
        blanks++;
    size_t size = mutate_below(dice, 7);
    mutate_splice(file, of.at, blanks, "        ", size);
    snprintf(note, MUTATE_NOTE, "line at %zu: %zu blanks", of.at, size);
}

void mutate_text(struct mutate_file *file, struct mutate_dice *dice, char note[MUTATE_NOTE]) {
    size_t times = 1 + mutate_below(dice, 2) * mutate_below(dice, 3);
    for (size_t i = 0; i < times; i++) {
        size_t choice = mutate_below(dice, 16);
        if (choice < 6)
            change_number(file, dice, note);
        else if (choice < 8)
            change_unit(file, dice, note);
        else if (choice < 10)
            move_lines(file, dice, note);
        else if (choice < 12)
            swap_values(file, dice, note);
        else if (choice < 14)
            change_characters(file, dice, note);
        else if (choice < 15)
            change_indent(file, dice, note);
        else
            mutate_bytes(file, dice, note);
    }
}

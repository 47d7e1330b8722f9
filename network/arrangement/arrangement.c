/* The table of arrangements, and the checks that all of them share. */
#include "network/arrangement/arrangement.h"
#include "network/network_choices.h"

#include <stddef.h>

#define ROWS(X)                                                                                    \
    X("absolute",                                                                                  \
      .help =                                                                                      \
          "the links of a group lead to the other groups by number (Kim 2008; also consecutive)",  \
      .wire = arrangement_absolute)                                                                \
    X("relative",                                                                                  \
      .help =                                                                                      \
          "the links of a group lead to the groups after it, in turn (palm tree; Camarero 2014)",  \
      .wire = arrangement_relative)                                                                \
    X("circulant", .help = "as relative, alternating between up and down; even h (Camarero 2014)", \
      .wire = arrangement_circulant, .needs_even_globals = true)                                   \
    X("nautilus",                                                                                  \
      .help = "even routers link upwards, odd ones downwards, in turn (Belka 2017, text)",         \
      .wire = arrangement_nautilus)                                                                \
    X("nautilus-index",                                                                            \
      .help = "nautilus by router numbers of the whole machine: differs for odd a (Belka 2017, "   \
              "figures)",                                                                          \
      .wire = arrangement_nautilus_index)                                                          \
    X("helix",                                                                                     \
      .help = "links go from each router to the next router number, in later groups (Belka 2017)", \
      .wire = arrangement_helix)                                                                   \
    X("random",                                                                                    \
      .help = "every pair of groups is joined at random routers, see network.arrangement_seed",    \
      .wire = arrangement_random, .is_seeded = true)                                               \
    X("file", .help = "links listed in the file network.arrangement_file",                         \
      .wire = arrangement_file, .reads_file = true)

#define ROW(first, ...)  {.name = first, __VA_ARGS__},
#define NAME(first, ...) first,
static const struct arrangement arrangement_rows[] = {ROWS(ROW){.name = NULL}};
static const char *const arrangement_names[] = {ROWS(NAME) NULL};
#undef ROWS
#undef ROW
#undef NAME

const struct arrangement *arrangements(void) {
    return arrangement_rows;
}

const char *const *network_arrangement_names(void) {
    return arrangement_names;
}

status_code arrangement_check(const struct arrangement *arrangement,
                              const struct arrangement_input *input, struct status *status) {
    bool has_file = input->file != NULL && input->file[0] != '\0';
    RETURN_ERROR_IF(arrangement->needs_even_globals && input->shape.globals_per_router % 2 == 1,
                    status, STATUS_USAGE,
                    "network.arrangement %s takes an even number of global channels per router, so "
                    "that as many lead up as down, but network.globals_per_router is %u; change "
                    "it, or take another arrangement (anax list arrangements)",
                    arrangement->name, input->shape.globals_per_router);
    RETURN_ERROR_IF(arrangement->reads_file && !has_file, status, STATUS_USAGE,
                    "network.arrangement %s needs a file; name it in network.arrangement_file",
                    arrangement->name);
    RETURN_ERROR_IF(!arrangement->reads_file && has_file, status, STATUS_USAGE,
                    "network.arrangement_file means nothing with network.arrangement %s; set the "
                    "arrangement to file, or give no file",
                    arrangement->name);
    return STATUS_OK;
}

status_code arrangement_wire(const struct arrangement *arrangement,
                             const struct arrangement_input *input, uint32_t *other,
                             struct status *status) {
    FORWARD_IF_ERROR(arrangement_check(arrangement, input, status));
    if (input->shape.groups >= 2) return arrangement->wire(input, other, status);
    for (uint32_t x = 0; x < arrangement_links_per_group(&input->shape) * input->shape.groups; x++)
        other[x] = ARRANGEMENT_UNCONNECTED;
    return STATUS_OK;
}

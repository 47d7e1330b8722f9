/*
 * Lists the members of families from each family's own table. A new member of a family needs no
 * change here; a new family is one row.
 */
#include "api/api.h"
#include "api/command_support.h"
#include "api/config/list_settings.h"
#include "api/config/machines.h"
#include "api/export/export.h"
#include "api/json/json_build.h"
#include "api/table/table.h"
#include "api/text/text_buffer.h"
#include "core/memory/memory.h"
#include "core/settings/nearest_name.h"
#include "network/network_choices.h"

#include <stdlib.h>
#include <string.h>

struct family {
    const char *name;
    const char *help;
    status_code (*visit)(list_visitor visit, void *context, struct status *status);
};

struct machine_visit {
    list_visitor visit;
    void *context;
};

/* Removes the line break at the end of a folded YAML text. */
static const char *one_line(char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\n') *c = ' ';
    return text;
}

static void visit_machine(void *context, const char *name, const char *path) {
    const struct machine_visit *outer = context;
    anax_config *config = NULL;
    const char *help = "(this file has faults, which --machine shows)";
    if (anax_config_new(&config, NULL) == ANAX_OK &&
        anax_config_machine(config, path, NULL) == ANAX_OK)
        help = config->run.description != NULL ? one_line(config->run.description) : path;
    anax_choice choice = {name, help};
    outer->visit(outer->context, &choice);
    anax_config_free(config);
}

static status_code visit_machines(list_visitor visit, void *context, struct status *status) {
    struct machine_visit inner = {visit, context};
    return machines_visit(visit_machine, &inner, status);
}

/* Defines a visitor for a table of names and one-line helps that ends with a row whose name is
 * NULL. */
#define VISIT_TABLE(function, type, table)                                                         \
    static status_code function(list_visitor visit, void *context, struct status *status) {        \
        (void)status;                                                                              \
        for (const type *row = table(); row->name != NULL; row++) {                                \
            anax_choice choice = {row->name, row->help};                                           \
            visit(context, &choice);                                                               \
        }                                                                                          \
        return STATUS_OK;                                                                          \
    }

/* Defines the visitor of a family of the network. */
#define VISIT_NETWORK(function, family)                                                            \
    static status_code function(list_visitor visit, void *context, struct status *status) {        \
        (void)status;                                                                              \
        for (int32_t i = 0; network_choice_name(family, i) != NULL; i++) {                         \
            anax_choice choice = {network_choice_name(family, i), network_choice_help(family, i)}; \
            visit(context, &choice);                                                               \
        }                                                                                          \
        return STATUS_OK;                                                                          \
    }

VISIT_NETWORK(visit_routing, NETWORK_ROUTING)
VISIT_NETWORK(visit_misrouting, NETWORK_MISROUTING)
VISIT_NETWORK(visit_arrangements, NETWORK_ARRANGEMENTS)
VISIT_NETWORK(visit_rails, NETWORK_RAIL_CHOICES)
VISIT_NETWORK(visit_nics, NETWORK_NIC_CHOICES)
VISIT_NETWORK(visit_traffic, NETWORK_TRAFFIC_PATTERNS)
VISIT_TABLE(visit_placement, struct placement_policy, placement_policies)
VISIT_TABLE(visit_patterns, struct traces_pattern, traces_patterns)
VISIT_TABLE(visit_models, struct training_model, training_models)
VISIT_TABLE(visit_formats, struct export_format, export_formats)

/* Visits the algorithms of collectives, named as their settings: mpi.bcast=binomial. */
static status_code visit_collectives(list_visitor visit, void *context, struct status *status) {
    (void)status;
    for (size_t r = 0; r < replay_setting_count; r++) {
        const struct setting_row *row = &replay_setting_rows[r];
        const size_t first = offsetof(struct replay_config, collectives.algorithm);
        if (row->kind != SETTING_CHOICE || row->offset < first) continue;
        size_t kind = (row->offset - first) / sizeof(int32_t);
        if (kind >= PROGRAM_COLLECTIVE_KINDS) continue;
        uint32_t count = 0;
        const struct replay_algorithm_text *algorithms =
            replay_algorithms((program_collective_kind)kind, &count);
        for (uint32_t i = 0; i < count; i++) {
            struct text_buffer name = TEXT_BUFFER_INIT;
            text_add(&name, "%s=%s", row->name, algorithms[i].name);
            char *text = text_take(&name);
            RETURN_ERROR_IF(text == NULL, status, STATUS_MEMORY, "out of memory for a list");
            anax_choice choice = {text, algorithms[i].help};
            visit(context, &choice);
            free(text);
        }
    }
    return STATUS_OK;
}

static status_code visit_protocols(list_visitor visit, void *context, struct status *status) {
    (void)status;
    uint32_t count = 0;
    const struct replay_algorithm_text *protocols = replay_protocols(&count);
    for (uint32_t i = 0; i < count; i++) {
        anax_choice choice = {protocols[i].name, protocols[i].help};
        visit(context, &choice);
    }
    return STATUS_OK;
}

/* Adds the form of a table in JSON, the name of its file if it has one, and its condition. */
static void add_form(struct text_buffer *text, const struct table *table) {
    static const char *const forms[] = {[TABLE_KEYS] = "keys of the result itself",
                                        [TABLE_OBJECT] = "an object",
                                        [TABLE_MAP] = "an object with a key for each row",
                                        [TABLE_TEXTS] = "an array of the first column",
                                        [TABLE_ARRAY] = "an array",
                                        [TABLE_FILE] = "not in JSON"};
    text_add(text, " (%s", forms[table->form]);
    if (table->has_file) text_add(text, "; %s.csv", table->name);
    if (table->condition != NULL) text_add(text, "; only %s", table->condition->text);
    text_add(text, ")");
}

/* Visits tables, as "replay.ranks" with "an MPI rank, and where its time went (an array;
 * ranks.csv)". */
static status_code visit_tables(list_visitor visit, void *context, struct status *status) {
    for (const struct table_schema *const *schema = table_schemas(); *schema != NULL; schema++) {
        for (const struct table *const *table = (*schema)->tables; *table != NULL; table++) {
            struct text_buffer name = TEXT_BUFFER_INIT, help = TEXT_BUFFER_INIT;
            text_add(&name, "%s.%s", (*schema)->name, (*table)->name);
            text_add(&help, "%s", (*table)->help);
            add_form(&help, *table);
            char *name_text = text_take(&name), *help_text = text_take(&help);
            const anax_choice choice = {name_text, help_text};
            const bool good = name_text != NULL && help_text != NULL;
            if (good) visit(context, &choice);
            free(name_text);
            free(help_text);
            RETURN_ERROR_IF(!good, status, STATUS_MEMORY, "out of memory for a list");
        }
    }
    return STATUS_OK;
}

static const struct family families[] = {
    {"machines", "named machines: --machine", visit_machines},
    {"routing", "routing policies: --routing", visit_routing},
    {"misrouting", "which links non-minimal paths take: --misrouting", visit_misrouting},
    {"arrangements", "arrangements of the global links: --set network.arrangement=NAME",
     visit_arrangements},
    {"rails", "which of several rails a message takes: --set network.rail_choice=NAME",
     visit_rails},
    {"nics", "which of a node's NICs a message uses: --set network.node.nic_choice=NAME",
     visit_nics},
    {"placement", "placements of ranks on nodes: --placement", visit_placement},
    {"patterns", "synthetic applications: anax generate", visit_patterns},
    {"models", "models of anax generate training: --model", visit_models},
    {"traffic", "patterns of synthetic traffic: anax traffic --pattern", visit_traffic},
    {"formats", "formats of anax export: --format", visit_formats},
    {"collectives", "algorithms of collective operations: --set", visit_collectives},
    {"protocols", "eager thresholds and rendezvous of libraries: --set mpi.protocol=NAME",
     visit_protocols},
    {"settings", "all settings: --set and configuration files", list_settings},
    {"tables", "what results hold, as JSON, CSV and data: see anax-json(5)", visit_tables},
};
enum { FAMILIES = sizeof families / sizeof *families };

static status_code visit_families(list_visitor visit, void *context, struct status *status) {
    (void)status;
    for (size_t i = 0; i < FAMILIES; i++) {
        anax_choice choice = {families[i].name, families[i].help};
        visit(context, &choice);
    }
    return STATUS_OK;
}

static const struct family *find_family(const char *name, struct status *status) {
    static const struct family all = {"families", "", visit_families};
    if (name == NULL) return &all;
    struct nearest_name search = nearest_name_begin(name);
    for (size_t i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0) return &families[i];
        nearest_name_offer(&search, families[i].name);
    }
    status_set(status, STATUS_USAGE, "there is no family `%s`%s%s%s; the families are", name,
               search.name != NULL ? " (did you mean `" : "",
               search.name != NULL ? search.name : "", search.name != NULL ? "`?)" : "");
    for (size_t i = 0; i < FAMILIES; i++)
        status_append(status, "  %-13s %s", families[i].name, families[i].help);
    return NULL;
}

/* Which members a listing shows. */
struct selection {
    const char *word; /* NULL: all */
    bool inside;      /* names that contain the word; else the word's own name and its parts */
    uint64_t found;
    list_visitor visit;
    void *context;
};

/* Returns whether a name is the word, or begins with the word and a dot or an equals sign. */
static bool is_part_of(const char *name, const char *word) {
    size_t length = strlen(word);
    return strncmp(name, word, length) == 0 &&
           (name[length] == '\0' || name[length] == '.' || name[length] == '=' ||
            (length > 0 && word[length - 1] == '.'));
}

static void select_member(void *context, const anax_choice *choice) {
    struct selection *selection = context;
    if (selection->word != NULL &&
        !(selection->inside ? strstr(choice->name, selection->word) != NULL
                            : is_part_of(choice->name, selection->word)))
        return;
    selection->found++;
    if (selection->visit != NULL) selection->visit(selection->context, choice);
}

static status_code list(const char *name, const char *word, list_visitor visit, void *context,
                        struct status *status) {
    const struct family *family = find_family(name, status);
    if (family == NULL) return STATUS_USAGE;
    struct selection probe = {.word = word};
    if (word != NULL) FORWARD_IF_ERROR(family->visit(select_member, &probe, status));
    struct selection selection = {
        .word = word, .inside = probe.found == 0, .visit = visit, .context = context};
    FORWARD_IF_ERROR(family->visit(select_member, &selection, status));
    RETURN_ERROR_IF(word != NULL && selection.found == 0, status, STATUS_USAGE,
                    "no name in the family `%s` contains `%s`; see `anax list%s%s`", family->name,
                    word, name != NULL ? " " : "", name != NULL ? name : "");
    return STATUS_OK;
}

/* The caller's function, and whether it wants no more members. */
struct caller_visit {
    bool (*visit)(void *context, const anax_choice *choice);
    void *context;
    bool has_ended;
};

static void ask_caller(void *context, const anax_choice *choice) {
    struct caller_visit *caller = context;
    if (!caller->has_ended) caller->has_ended = !caller->visit(caller->context, choice);
}

anax_code anax_list(const char *family, const char *word,
                    bool (*visit)(void *context, const anax_choice *choice), void *context,
                    anax_error *error) {
    struct status status = STATUS_INIT;
    struct caller_visit caller = {visit, context, false};
    list(family, word, ask_caller, &caller, &status);
    return api_return(&status, error);
}

struct list_text {
    struct text_buffer text;
    size_t width; /* columns of the longest name */
};

static void widen_column(void *context, const anax_choice *choice) {
    struct list_text *list = context;
    size_t length = text_name_width(choice->name);
    if (length > list->width) list->width = length;
}

static void add_line(void *context, const anax_choice *choice) {
    struct list_text *list = context;
    text_add_name(&list->text, choice->name, list->width);
    text_add(&list->text, "  %s\n", choice->help);
}

anax_code anax_list_text(char **text, const char *family, const char *word, anax_error *error) {
    struct status status = STATUS_INIT;
    struct list_text lines = {TEXT_BUFFER_INIT, 0};
    *text = NULL;
    if (list(family, word, widen_column, &lines, &status) == STATUS_OK &&
        list(family, word, add_line, &lines, &status) == STATUS_OK) {
        *text = text_take(&lines.text);
        if (*text == NULL) status_set(&status, STATUS_MEMORY, "out of memory for a list");
    }
    free(lines.text.text);
    return api_return(&status, error);
}

static void put_choice(void *context, const anax_choice *choice) {
    struct json_object *entry = json_append_object(context);
    json_put_text(entry, "name", choice->name);
    json_put_text(entry, "help", choice->help);
}

static void put_setting(void *context, const anax_choice *choice) {
    list_settings_put_json(json_append_object(context), choice->name);
}

anax_code anax_list_json(char **json, const char *family, const char *word, anax_error *error) {
    struct status status = STATUS_INIT;
    struct json_object *object = json_begin();
    json_put_text(object, "schema", "anax.list/1");
    json_put_text(object, "version", anax_version());
    json_put_text(object, "family", family != NULL ? family : "families");
    const bool settings = family != NULL && strcmp(family, "settings") == 0;
    status_code code = list(family, word, settings ? put_setting : put_choice,
                            json_put_array(object, "members"), &status);
    *json = json_finish(object);
    if (code != STATUS_OK) {
        free(*json);
        *json = NULL;
    } else if (*json == NULL) {
        status_set(&status, STATUS_MEMORY, "out of memory for a list");
    }
    return api_return(&status, error);
}

const char *api_nearest(const char *word, const char *const *candidates, size_t count) {
    struct nearest_name search = nearest_name_begin(word);
    for (size_t i = 0; i < count; i++)
        nearest_name_offer(&search, candidates[i]);
    return search.name;
}

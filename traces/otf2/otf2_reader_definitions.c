/*
 * Turns the global definitions that the OTF2 library delivers into otf2_definitions. Must not know
 * the use of the definitions.
 */
#include "traces/otf2/otf2_reader_parts.h"

#include "core/base/plural.h"

#include <errno.h>
#include <inttypes.h>

static OTF2_CallbackCode on_clock(void *context, uint64_t resolution, uint64_t offset,
                                  uint64_t length, uint64_t date) {
    (void)date;
    struct otf2_definitions *definitions = ((struct otf2_reader *)context)->definitions;
    definitions->ticks_per_second = resolution;
    definitions->global_offset_ticks = offset;
    definitions->length_ticks = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *context, OTF2_StringRef self, const char *text) {
    struct otf2_reader *reader = context;
    return otf2_reader_answer(reader, otf2_definitions_add_string(reader->definitions, self,
                                                                  text != NULL ? text : "",
                                                                  reader->status));
}

static OTF2_CallbackCode on_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
                                   OTF2_StringRef canonical_name, OTF2_StringRef description,
                                   OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
                                   uint32_t end_line) {
    (void)canonical_name, (void)description, (void)role, (void)flags, (void)file;
    (void)begin_line, (void)end_line;
    struct otf2_reader *reader = context;
    struct otf2_region region = {self, name, paradigm == OTF2_PARADIGM_MPI};
    return otf2_reader_answer(
        reader, otf2_definitions_add_region(reader->definitions, region, reader->status));
}

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t event_count,
                                     OTF2_LocationGroupRef process) {
    (void)name, (void)type;
    struct otf2_reader *reader = context;
    struct otf2_location location = {self, event_count, process};
    return otf2_reader_answer(
        reader, otf2_definitions_add_location(reader->definitions, location, reader->status));
}

static OTF2_CallbackCode on_group(void *context, OTF2_GroupRef self, OTF2_StringRef name,
                                  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                                  uint32_t size, const uint64_t *members) {
    struct otf2_reader *reader = context;
    if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
    struct otf2_group group = {.id = self,
                               .name = name,
                               .is_global = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0,
                               .size = size};
    switch (type) {
    case OTF2_GROUP_TYPE_COMM_LOCATIONS:
        group.kind = OTF2_GROUP_LOCATIONS;
        break;
    case OTF2_GROUP_TYPE_COMM_GROUP:
        group.kind = OTF2_GROUP_RANKS;
        break;
    case OTF2_GROUP_TYPE_COMM_SELF:
        group.kind = OTF2_GROUP_SELF;
        break;
    default:
        return OTF2_CALLBACK_SUCCESS;
    }
    return otf2_reader_answer(
        reader, otf2_definitions_add_group(reader->definitions, group, members, reader->status));
}

static OTF2_CallbackCode on_communicator(void *context, OTF2_CommRef self, OTF2_StringRef name,
                                         OTF2_GroupRef group, OTF2_CommRef parent,
                                         OTF2_CommFlag flags) {
    (void)flags;
    struct otf2_reader *reader = context;
    struct otf2_communicator communicator = {.id = self,
                                             .name = name,
                                             .group = group,
                                             .parent = parent,
                                             .remote_group = OTF2_NOT_DEFINED};
    return otf2_reader_answer(reader, otf2_definitions_add_communicator(
                                          reader->definitions, communicator, reader->status));
}

static OTF2_CallbackCode on_intercommunicator(void *context, OTF2_CommRef self, OTF2_StringRef name,
                                              OTF2_GroupRef group_a, OTF2_GroupRef group_b,
                                              OTF2_CommRef parent, OTF2_CommFlag flags) {
    (void)flags;
    struct otf2_reader *reader = context;
    struct otf2_communicator communicator = {
        .id = self, .name = name, .group = group_a, .parent = parent, .remote_group = group_b};
    return otf2_reader_answer(reader, otf2_definitions_add_communicator(
                                          reader->definitions, communicator, reader->status));
}

static OTF2_CallbackCode on_window(void *context, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef communicator, OTF2_RmaWinFlag flags) {
    (void)name, (void)flags;
    struct otf2_reader *reader = context;
    struct otf2_rma_window window = {self, communicator};
    return otf2_reader_answer(
        reader, otf2_definitions_add_window(reader->definitions, window, reader->status));
}

static OTF2_CallbackCode on_attribute(void *context, OTF2_AttributeRef self, OTF2_StringRef name,
                                      OTF2_StringRef description, OTF2_Type type) {
    (void)description;
    struct otf2_reader *reader = context;
    if (type != OTF2_TYPE_UINT64) return OTF2_CALLBACK_SUCCESS;
    return otf2_reader_answer(reader, otf2_definitions_add_named(&reader->definitions->attributes,
                                                                 (struct otf2_named){self, name},
                                                                 reader->status));
}

static OTF2_CallbackCode on_file(void *context, OTF2_IoFileRef self, OTF2_StringRef name,
                                 OTF2_SystemTreeNodeRef scope) {
    (void)scope;
    struct otf2_reader *reader = context;
    return otf2_reader_answer(reader, otf2_definitions_add_named(&reader->definitions->files,
                                                                 (struct otf2_named){self, name},
                                                                 reader->status));
}

static OTF2_CallbackCode on_io_paradigm(void *context, OTF2_IoParadigmRef self,
                                        OTF2_StringRef identification, OTF2_StringRef name,
                                        OTF2_IoParadigmClass paradigm_class,
                                        OTF2_IoParadigmFlag flags, uint8_t property_count,
                                        const OTF2_IoParadigmProperty *properties,
                                        const OTF2_Type *types, const OTF2_AttributeValue *values) {
    (void)name, (void)paradigm_class, (void)flags, (void)property_count;
    (void)properties, (void)types, (void)values;
    struct otf2_reader *reader = context;
    return otf2_reader_answer(reader,
                              otf2_definitions_add_named(&reader->definitions->io_paradigms,
                                                         (struct otf2_named){self, identification},
                                                         reader->status));
}

static OTF2_CallbackCode on_io_handle(void *context, OTF2_IoHandleRef self, OTF2_StringRef name,
                                      OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                      OTF2_IoHandleFlag flags, OTF2_CommRef communicator,
                                      OTF2_IoHandleRef parent) {
    (void)name, (void)flags, (void)communicator, (void)parent;
    struct otf2_reader *reader = context;
    struct otf2_handle handle = {self, file, paradigm};
    return otf2_reader_answer(
        reader, otf2_definitions_add_handle(reader->definitions, handle, reader->status));
}

static status_code read_definitions(struct otf2_reader *reader, OTF2_GlobalDefReader *global,
                                    struct status *status) {
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    RETURN_ERROR_IF(callbacks == NULL, status, STATUS_MEMORY, "out of memory for OTF2");
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_intercommunicator);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, on_file);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(callbacks, on_io_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_io_handle);
    OTF2_ErrorCode code =
        OTF2_Reader_RegisterGlobalDefCallbacks(reader->handle, global, callbacks, reader);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t read = 0, expected = 0;
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader->handle, global, &read);
    if (code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return reader->code;
    if (code != OTF2_SUCCESS) return otf2_reader_set_damaged(reader, ".def", code, status);
    code = OTF2_Reader_GetNumberOfGlobalDefinitions(reader->handle, &expected);
    RETURN_ERROR_IF(code != OTF2_SUCCESS || read != expected, status, STATUS_INPUT,
                    "%s.def: damaged or cut short: %" PRIu64 " definition%s instead of the %" PRIu64
                    " that the anchor file announces",
                    reader->stem, read, plural(read), expected);
    size_t locations = reader->definitions->location_count;
    RETURN_ERROR_IF(locations != reader->layout.location_count, status, STATUS_INPUT,
                    "%s.def: damaged: %zu location%s instead of the %" PRIu64
                    " that the anchor file announces",
                    reader->stem, locations, plural(locations), reader->layout.location_count);
    return STATUS_OK;
}

status_code otf2_reader_read_definitions(struct otf2_reader *reader,
                                         struct otf2_definitions *definitions,
                                         struct status *status) {
    *definitions = (struct otf2_definitions){0};
    reader->definitions = definitions;
    reader->status = status;
    bool has_records;
    FORWARD_IF_ERROR(otf2_reader_check(reader, ".def", false, &has_records, status));
    errno = 0;
    OTF2_GlobalDefReader *global = OTF2_Reader_GetGlobalDefReader(reader->handle);
    if (global == NULL) return otf2_reader_set_not_opened(reader, ".def", status);
    status_code result = read_definitions(reader, global, status);
    OTF2_Reader_CloseGlobalDefReader(reader->handle, global);
    if (result != STATUS_OK) return result;
    if (OTF2_Reader_GetCreator(reader->handle, &definitions->creator) != OTF2_SUCCESS)
        definitions->creator = NULL;
    return otf2_definitions_finish(definitions, status);
}

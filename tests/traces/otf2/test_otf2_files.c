/*
 * Reads and writes of MPI-IO in archives: offsets as an attribute or at the file pointer, requests
 * with the numbers of one-sided operations, and that other interfaces, such as POSIX, have no part
 * in them.
 */
#include "tests/support/traces/archive_maker.h"
#include "traces/traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 2, OFFSET = 7, MPI_HANDLE = 0, POSIX_HANDLE = 1, BLOCK = 4096 };

static void define(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    static const char *const strings[] = {"MPI-IO", "POSIX", "Offset", "out.dat", "log.txt"};
    const uint64_t members[RANKS] = {0, 1};
    for (uint32_t i = 0; i < 5; i++)
        OTF2_GlobalDefWriter_WriteString(definitions, MAKER_STRING + i, strings[i]);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, members);
    OTF2_GlobalDefWriter_WriteComm(definitions, MAKER_WORLD, 0, 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteAttribute(definitions, OFFSET, MAKER_STRING + 2, 0, OTF2_TYPE_UINT64);
    for (uint32_t i = 0; i < 2; i++) {
        OTF2_GlobalDefWriter_WriteIoParadigm(
            definitions, (OTF2_IoParadigmRef)i, MAKER_STRING + i, MAKER_STRING + i,
            i == 0 ? OTF2_IO_PARADIGM_CLASS_PARALLEL : OTF2_IO_PARADIGM_CLASS_SERIAL,
            OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL, NULL);
        OTF2_GlobalDefWriter_WriteIoRegularFile(definitions, i, MAKER_STRING + 3 + i,
                                                OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        OTF2_GlobalDefWriter_WriteIoHandle(definitions, i, 0, i, (OTF2_IoParadigmRef)i,
                                           OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
                                           OTF2_UNDEFINED_IO_HANDLE);
    }
}

static void begin(OTF2_EvtWriter *events, uint64_t ticks, uint32_t handle, bool writes,
                  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t matching, int64_t offset) {
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    if (offset >= 0) OTF2_AttributeList_AddUint64(attributes, OFFSET, (uint64_t)offset);
    assert_int_equal(OTF2_EvtWriter_IoOperationBegin(events, attributes, ticks, handle,
                                                     writes ? OTF2_IO_OPERATION_MODE_WRITE
                                                            : OTF2_IO_OPERATION_MODE_READ,
                                                     flags, bytes, matching),
                     OTF2_SUCCESS);
    OTF2_AttributeList_Delete(attributes);
}

static void end(OTF2_EvtWriter *events, uint64_t ticks, uint32_t handle, uint64_t matching) {
    OTF2_EvtWriter_IoOperationComplete(events, NULL, ticks, handle, BLOCK, matching);
}

static void write_rank(struct archive_maker *maker, uint32_t rank) {
    OTF2_EvtWriter *events = maker_events(maker, rank, 0);
    maker_enter(maker, events, 10, "MPI_File_open");
    OTF2_EvtWriter_IoCreateHandle(events, NULL, 11, MPI_HANDLE, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                  OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
    maker_leave(maker, events, 19, "MPI_File_open");
    maker_enter(maker, events, 20, "MPI_File_write_at_all");
    begin(events, 21, MPI_HANDLE, true, OTF2_IO_OPERATION_FLAG_COLLECTIVE, BLOCK, 1, BLOCK * rank);
    begin(events, 22, POSIX_HANDLE, true, OTF2_IO_OPERATION_FLAG_NONE, BLOCK, 2, -1);
    end(events, 23, POSIX_HANDLE, 2);
    end(events, 24, MPI_HANDLE, 1);
    maker_leave(maker, events, 29, "MPI_File_write_at_all");
    maker_enter(maker, events, 30, "MPI_File_iread");
    begin(events, 31, MPI_HANDLE, false, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 100, 3, -1);
    maker_leave(maker, events, 39, "MPI_File_iread");
    begin(events, 40, POSIX_HANDLE, true, OTF2_IO_OPERATION_FLAG_NONE, 5, 4, -1);
    end(events, 41, POSIX_HANDLE, 4);
    maker_enter(maker, events, 50, "MPI_Wait");
    end(events, 51, MPI_HANDLE, 3);
    maker_leave(maker, events, 59, "MPI_Wait");
    maker_enter(maker, events, 60, "MPI_File_write");
    begin(events, 61, MPI_HANDLE, true, OTF2_IO_OPERATION_FLAG_NONE, 10, 5, -1);
    end(events, 62, MPI_HANDLE, 5);
    maker_leave(maker, events, 69, "MPI_File_write");
    maker_enter(maker, events, 70, "MPI_File_seek");
    OTF2_EvtWriter_IoSeek(events, NULL, 71, MPI_HANDLE, 500, OTF2_IO_SEEK_FROM_START, 500);
    maker_leave(maker, events, 72, "MPI_File_seek");
    maker_enter(maker, events, 80, "MPI_File_write");
    begin(events, 81, MPI_HANDLE, true, OTF2_IO_OPERATION_FLAG_NONE, 20, 6, -1);
    end(events, 82, MPI_HANDLE, 6);
    maker_leave(maker, events, 89, "MPI_File_write");
}

static void accesses_have_their_offsets(void **state) {
    (void)state;
    static const struct {
        uint64_t offset, bytes;
        unsigned flags;
    } rows[] = {{0, BLOCK, OPERATION_FLAG_FILE_WRITE | OPERATION_FLAG_FILE_COLLECTIVE},
                {0, 100, 0},
                {100, 10, OPERATION_FLAG_FILE_WRITE},
                {500, 20, OPERATION_FLAG_FILE_WRITE}};
    struct archive_maker *maker = maker_new(RANKS, 1, 1000000000, 0, true);
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    const struct traces_config config = {.polling_gap_ps = 1000000};
    maker_define(maker, define);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        write_rank(maker, rank);
    if (traces_open(&program, maker_finish(maker), &config, 1, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    assert_int_equal(program_check_file(program, &status), STATUS_OK);
    assert_int_equal(program->file_count, 1);
    assert_string_equal(program_text(program, program->files[0].name), "out.dat");
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const struct program_rank *rank_entry = &program->ranks[rank];
        uint32_t slot = PROGRAM_NONE;
        size_t row = 0;
        for (uint64_t i = 0; i < rank_entry->count; i++) {
            const struct program_operation *operation = &program->operations[rank_entry->first + i];
            if (operation->kind == OPERATION_WAIT) {
                assert_int_equal(operation->wait.first, slot);
                if (row == 2) assert_string_equal(program_call_name(program, rank, i), "MPI_Wait");
            }
            if (operation->kind != OPERATION_FILE) continue;
            assert_true(row < 4);
            assert_int_equal(operation->file.offset,
                             rows[row].offset + (row == 0 ? BLOCK * rank : 0));
            assert_int_equal(operation->bytes, rows[row].bytes);
            assert_int_equal(operation->flags, rows[row].flags);
            slot = operation->file.slot;
            row++;
        }
        assert_int_equal(row, 4);
    }
    /* Calls that read or write what the trace records are no calls without a record. */
    uint32_t notes = 0;
    for (uint32_t i = 0; i < program->note_count; i++) {
        const char *what = program_text(program, program->notes[i].what);
        if (program->notes[i].is_assumed) continue;
        assert_true(strcmp(what, "MPI_File_open") == 0 || strcmp(what, "MPI_File_seek") == 0);
        assert_int_equal(program->notes[i].count, RANKS);
        notes++;
    }
    assert_int_equal(notes, 2);
    program_free(program);
    maker_free(maker);
}

static void define_with_window(OTF2_GlobalDefWriter *definitions, uint32_t ranks) {
    define(definitions, ranks);
    OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, 0, MAKER_WORLD, OTF2_RMA_WIN_FLAG_NONE);
}

/* A file is written while a put with the same number is pending, and the reverse. */
static void requests_may_have_numbers_of_one_sided_operations(void **state) {
    (void)state;
    struct archive_maker *maker = maker_new(RANKS, 1, 1000000000, 0, true);
    struct status status = STATUS_INIT;
    struct program *program = NULL;
    const struct traces_config config = {.polling_gap_ps = 1000000};
    maker_define(maker, define_with_window);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        OTF2_EvtWriter *events = maker_events(maker, rank, 0);
        maker_enter(maker, events, 10, "MPI_Put");
        OTF2_EvtWriter_RmaPut(events, NULL, 11, 0, 1 - rank, BLOCK, 1);
        maker_leave(maker, events, 19, "MPI_Put");
        maker_enter(maker, events, 20, "MPI_File_iwrite_at");
        begin(events, 21, MPI_HANDLE, true, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, BLOCK, 1, 0);
        maker_leave(maker, events, 29, "MPI_File_iwrite_at");
        maker_enter(maker, events, 30, "MPI_Win_fence");
        OTF2_EvtWriter_RmaCollectiveEnd(events, NULL, 38, OTF2_COLLECTIVE_OP_BARRIER,
                                        OTF2_RMA_SYNC_LEVEL_PROCESS, 0, OTF2_COLLECTIVE_ROOT_NONE,
                                        0, 0);
        maker_leave(maker, events, 39, "MPI_Win_fence");
        maker_enter(maker, events, 40, "MPI_Put");
        OTF2_EvtWriter_RmaPut(events, NULL, 41, 0, 1 - rank, BLOCK, 1);
        OTF2_EvtWriter_RmaOpCompleteBlocking(events, NULL, 48, 0, 1);
        maker_leave(maker, events, 49, "MPI_Put");
        maker_enter(maker, events, 50, "MPI_Wait");
        end(events, 51, MPI_HANDLE, 1);
        maker_leave(maker, events, 59, "MPI_Wait");
    }
    if (traces_open(&program, maker_finish(maker), &config, 1, NULL, NULL, &status) != STATUS_OK)
        fail_msg("%s", status.text);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        static const char *const waits[] = {"MPI_Win_fence", "MPI_Put", "MPI_Wait"};
        const struct program_rank *rank_entry = &program->ranks[rank];
        size_t found = 0;
        for (uint64_t i = 0; i < rank_entry->count; i++) {
            if (program->operations[rank_entry->first + i].kind != OPERATION_WAIT) continue;
            assert_true(found < 3);
            assert_string_equal(program_call_name(program, rank, i), waits[found++]);
        }
        assert_int_equal(found, 3);
    }
    program_free(program);
    maker_free(maker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_have_their_offsets),
        cmocka_unit_test(requests_may_have_numbers_of_one_sided_operations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
